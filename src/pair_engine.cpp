/* What pair styles of this package ask of the engine, in LAMMPS's terms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_engine.h"

#include "atom_arrays.h"
#include "neigh_exclusions.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix_dpd_gpu_state.h"
#include "force.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "output.h"
#include "pair.h"
#include "resident_atoms.h"
#include "update.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

PairEngine::PairEngine(LAMMPS *lmp, const std::string &user_in, const ds_pair_style *style) :
    Pointers(lmp), model(lmp, style), session(lmp, user_in), ghosts(lmp, session), user(user_in),
    pair(nullptr), options(), state(nullptr), resident(new ResidentAtoms(lmp, session)),
    residing(false), nbuilds(-1), nlocal(-1), nghost(-1), special_given(false), has_ghosts(true),
    of_engine(false), loaded(-1), on_gpu(false), pinned(), pinned_nmax(0)
{
  options.style = style;
}

/* ---------------------------------------------------------------------- */

PairEngine::~PairEngine()
{
  close();
  delete resident;
  if (state && state->remove(this)) modify->delete_fix(state->id);
}

/* ---------------------------------------------------------------------- */

bool PairEngine::open(ds_precision precision, ds_backend backend)
{
  if (pair && options.precision == precision && options.backend == backend &&
      options.threads == comm->nthreads)
    return false;
  close();

  options.precision = precision;
  options.backend = backend;
  options.local_rank = session.node_rank();
  options.threads = comm->nthreads;
  options.isa = session.instruction_set();
  options.stream = nullptr;

  // one rank's GPU may be missing

  session.note(ds_pair_open(&pair, &options, session.error_text()));
  agree();
  on_gpu = strcmp(info().backend, "cuda") == 0;
  model.renew();
  nbuilds = -1;
  return true;
}

/* ---------------------------------------------------------------------- */

void PairEngine::close()
{
  if (pair) {
    unpin();
    resident->close();
    residing = false;
    ds_pair_close(pair);
  }
  pair = nullptr;
  session.clear();
  loaded = -1;
}

/* ---------------------------------------------------------------------- */

void PairEngine::agree()
{
  if (session.agree()) return;
  close();
  session.raise();
}

/* ----------------------------------------------------------------------
   backend auto decides on each rank for itself
------------------------------------------------------------------------- */

std::string PairEngine::no_gpu() const
{
  char text[DS_ERROR_LENGTH];
  strncpy(text, info().no_gpu, DS_ERROR_LENGTH - 1);
  text[DS_ERROR_LENGTH - 1] = '\0';

  int mine[2] = {text[0] ? 1 : 0, text[0] ? comm->me : comm->nprocs};
  int count, first;
  MPI_Allreduce(&mine[0], &count, 1, MPI_INT, MPI_SUM, world);
  MPI_Allreduce(&mine[1], &first, 1, MPI_INT, MPI_MIN, world);
  if (count == 0) return "";

  MPI_Bcast(text, DS_ERROR_LENGTH, MPI_CHAR, first, world);
  if (count == comm->nprocs) return fmt::format("no GPU is used: {}", text);
  return fmt::format("no GPU is used by {} of {} ranks, the first of them {}: {}", count,
                     comm->nprocs, first, text);
}

/* ----------------------------------------------------------------------
   LAMMPS has subdomains and ghost cutoffs in fractions of the box where it
   is triclinic, else in lengths
------------------------------------------------------------------------- */

void PairEngine::set_box(bool lammps_list)
{
  ds_box box;
  for (int d = 0; d < 3; d++) {
    const double prd = domain->prd[d];
    box.lo[d] = domain->boxlo[d];
    box.h[d] = prd;
    box.periodic[d] = domain->periodicity[d];
    if (domain->triclinic) {
      box.sublo[d] = domain->sublo_lamda[d];
      box.subhi[d] = domain->subhi_lamda[d];
      box.ghost_reach[d] = comm->cutghost[d];
    } else {
      box.sublo[d] = (domain->sublo[d] - domain->boxlo[d]) / prd;
      box.subhi[d] = (domain->subhi[d] - domain->boxlo[d]) / prd;
      box.ghost_reach[d] = comm->cutghost[d] / prd;
    }
  }
  box.h[3] = domain->triclinic ? domain->yz : 0.0;
  box.h[4] = domain->triclinic ? domain->xz : 0.0;
  box.h[5] = domain->triclinic ? domain->xy : 0.0;
  if (domain->dimension == 2) {    // no images in z
    box.periodic[2] = 0;
    box.ghost_reach[2] = 0.0;
  }
  box.slack = model.skin();
  box.alone = comm->nprocs == 1 ? 1 : 0;
  box.list_range = lammps_list ? neighbor->cutneighmax : 0.0;
  session.note(ds_pair_set_box(pair, &box, session.error_text()));
}

/* ---------------------------------------------------------------------- */

bool PairEngine::needs_special() const
{
  const double *lj = force->special_lj;
  return atom->molecular == Atom::MOLECULAR && (lj[1] != 1.0 || lj[2] != 1.0 || lj[3] != 1.0);
}

/* ----------------------------------------------------------------------
   LAMMPS has renumbered its atoms since the last evaluation, or they are to be
   set for another reason that is one on all ranks. ago alone does not tell:
   evaluations can be left out, e.g. by pair_modify compute no.
------------------------------------------------------------------------- */

bool PairEngine::renumbered() const
{
  return neighbor->ncalls != nbuilds || needs_special() != special_given;
}

/* ----------------------------------------------------------------------
   reasons that this rank alone may have: no communication may depend on them
------------------------------------------------------------------------- */

bool PairEngine::outdated() const
{
  if (atom->nlocal != nlocal || atom->nghost != nghost || is_reordered() != of_engine) return true;
  return session.working() &&
         ((ds_pair_needs_ghosts(pair) != 0) != has_ghosts || !ds_pair_has_list(pair));
}

/* ---------------------------------------------------------------------- */

bool PairEngine::is_reordered() const
{
  return residing && resident->is_reordered();
}

/* ---------------------------------------------------------------------- */

void PairEngine::set_atoms(bool lammps_list)
{
  nbuilds = neighbor->ncalls;
  nlocal = atom->nlocal;
  nghost = atom->nghost;
  special_given = needs_special();
  of_engine = is_reordered();
  if (!session.working()) return;

  has_ghosts = ds_pair_needs_ghosts(pair) != 0;
  if (update->setupflag) rules = neigh_exclusions(neighbor, group);    // LAMMPS takes them then
  const bool excludes = !rules.empty() && !lammps_list;

  ds_atoms atoms;
  atoms.nlocal = nlocal;
  atoms.nghost = has_ghosts ? nghost : 0;
  atoms.tag = AtomArrays::tags(atom->tag);
  atoms.type = AtomArrays::vector(atom->type);
  atoms.nspecial = special_given ? AtomArrays::rows(atom->nspecial, 3) : AtomArrays::none();
  atoms.special =
      special_given ? AtomArrays::tag_rows(atom->special, atom->maxspecial) : AtomArrays::none();
  atoms.max_special = 0;
  atoms.nexclusions = excludes ? static_cast<int>(rules.size()) : 0;
  atoms.exclusion = rules.data();
  atoms.mask = excludes ? AtomArrays::vector(atom->mask) : AtomArrays::none();
  atoms.molecule = excludes && neighbor->nex_mol && atom->molecule
                       ? AtomArrays::tags(atom->molecule)
                       : AtomArrays::none();
  if (of_engine) {
    ds_array mask;
    resident->identity(&atoms.tag, &atoms.type, &mask);
    if (atoms.mask.data) atoms.mask = mask;
  }
  if (session.working()) session.note(ds_pair_set_atoms(pair, &atoms, session.error_text()));
}

void PairEngine::set_types()
{
  ds_array tag, mask, type = AtomArrays::vector(atom->type);
  if (of_engine) resident->identity(&tag, &type, &mask);
  if (session.working()) session.note(ds_pair_set_types(pair, &type, session.error_text()));
}

/* ----------------------------------------------------------------------
   on a single rank each ghost is an image of an own atom. The engine wants to
   know of which, or does without ghosts; then it is LAMMPS's list that names them
------------------------------------------------------------------------- */

void PairEngine::set_owners(Pair *style, bool lammps_list)
{
  if (comm->nprocs > 1 || !(has_ghosts || lammps_list)) return;
  ghosts.find_owners(style);
  if (session.working() && has_ghosts)
    session.note(
        ds_pair_set_ghost_owners(pair, ghosts.owners(), ghosts.images(), session.error_text()));
}

/* ----------------------------------------------------------------------
   Memory that is pinned must not go away unnoticed. During a run, LAMMPS
   reallocates these arrays only in AtomVec::grow(), which calls grow_arrays() of
   our fix right after. Between runs much else can happen to them (atom_style,
   replicate, a library's caller), so they are pinned by the evaluations of a run
   and unpinned when it ends. Without the fix there is no pinning: the GPU then
   copies by way of memory of the engine. What error->all() ends early stays
   pinned till the next grow_arrays(), or till the engine is closed.

   The fewer atoms, the more the number of copies counts. Where several ranks
   have few each, the engine makes one message of what is to go to the GPU.
------------------------------------------------------------------------- */

static constexpr int PIN_ATOMS = 65536;    // measured with 16 ranks on one GPU

void PairEngine::pin()
{
  if (!on_gpu || !state || update->whichflag != 1 || !session.working()) return;
  if (comm->nprocs > 1 && atom->nmax < PIN_ATOMS) return;    // nmax never shrinks
  // with several ranks, each adds its forces on its own core: they need not go to the GPU first
  double **f = comm->nprocs == 1 ? atom->f : nullptr;
  void *const now[PINNED] = {atom->x ? *atom->x : nullptr, atom->v ? *atom->v : nullptr,
                             f ? *f : nullptr, atom->type,
                             comm->nprocs == 1 ? atom->image : nullptr};
  if (atom->nmax == pinned_nmax && std::equal(now, now + PINNED, pinned)) return;

  unpin();
  const size_t n = atom->nmax;
  const size_t bytes[PINNED] = {3 * n * sizeof(double), 3 * n * sizeof(double),
                                3 * n * sizeof(double), n * sizeof(int), n * sizeof(imageint)};
  for (int k = 0; k < PINNED; k++) {
    pinned[k] = now[k];
    ds_pair_pin(pair, now[k], bytes[k]);
  }
  pinned_nmax = atom->nmax;
}

/* ---------------------------------------------------------------------- */

void PairEngine::unpin()
{
  for (void *&data : pinned) {
    if (pair && data) ds_pair_unpin(pair, data);
    data = nullptr;
  }
  pinned_nmax = 0;
}

/* ---------------------------------------------------------------------- */

void PairEngine::load()
{
  ds_array x, v;
  if (residing) {
    resident->need_on_engine(DS_POSITION | DS_VELOCITY);
    x = ds_resident_array(resident->engine(), DS_POSITION);
    v = ds_resident_array(resident->engine(), DS_VELOCITY);
  } else {
    x = AtomArrays::rows(atom->x, 3);
    v = state ? state->velocities() : AtomArrays::rows(atom->v, 3);
  }
  if (session.working())
    session.note(ds_pair_load(pair, &x, &v, update->ntimestep, session.error_text()));
  loaded = update->ntimestep;
}

/* ---------------------------------------------------------------------- */

void PairEngine::set_list(NeighList *list)
{
  if (!session.working()) return;
  if (!list) {
    session.note(ds_pair_build_list(pair, session.error_text()));
    return;
  }
  ds_pair_list lammps_list;
  lammps_list.rows = list->inum;
  lammps_list.atom = list->ilist;
  lammps_list.count = list->numneigh;
  lammps_list.entries = list->firstneigh;
  lammps_list.nghost = has_ghosts ? 0 : nghost;
  lammps_list.owner = has_ghosts ? nullptr : ghosts.owners();
  session.note(ds_pair_set_list(pair, &lammps_list, session.error_text()));
}

/* ---------------------------------------------------------------------- */

void PairEngine::forces(Pair *style, ds_pair_result &result)
{
  if (!session.working()) return;
  result.want_energy = style->eflag_global ? 1 : 0;
  result.want_virial = style->vflag_global ? 1 : 0;
  result.f = AtomArrays::rows(atom->f, 3);
  if (residing) {
    resident->need_on_engine(DS_FORCE);
    result.f = ds_resident_array(resident->engine(), DS_FORCE);
    resident->changed_on_engine(DS_FORCE);
  }
  result.eatom = style->eflag_atom ? AtomArrays::vector(style->eatom) : AtomArrays::none();
  result.vatom = style->vflag_atom ? AtomArrays::rows(style->vatom, 6) : AtomArrays::none();
  session.note(ds_pair_compute(pair, &result, session.error_text()));
}

/* ----------------------------------------------------------------------
   Ranks that share a GPU are faster where they need not be in step, so they do
   not ask each other in each one. They do where atoms are renumbered, before
   and after the list is made; where anything is to be shown, tallied or kept;
   and when a run ends, also where that was not planned (our fix). All of this is
   the same on all ranks.
------------------------------------------------------------------------- */

bool PairEngine::must_agree(Pair *style, bool renewed) const
{
  return comm->nprocs == 1 || renewed || style->evflag || update->setupflag ||
         update->whichflag != 1 || update->ntimestep == output->next ||
         update->ntimestep == update->laststep;
}

/* ---------------------------------------------------------------------- */

void PairEngine::tally(Pair *style, const ds_pair_result &result)
{
  if (style->vflag_global)
    for (int k = 0; k < 6; k++) style->virial[k] += result.virial[k];
  if (!style->eflag_global) return;
  style->eng_vdwl += result.energy;

  // total of all forces: exact only as a sum of integers, which compute pair cannot do

  long long mine[3], total[3];
  for (int k = 0; k < 3; k++) total[k] = mine[k] = result.force_sum[k];
  if (comm->nprocs > 1) MPI_Allreduce(mine, total, 3, MPI_LONG_LONG, MPI_SUM, world);
  for (int k = 0; k < 3; k++)
    style->pvector[k] = comm->me == 0 ? static_cast<double>(total[k]) * result.force_unit : 0.0;
}

/* ----------------------------------------------------------------------
   model, box and atoms; true if a list is needed
------------------------------------------------------------------------- */

bool PairEngine::give_atoms(Pair *style, bool renewed, bool lammps_list)
{
  if (session.working()) session.note(model.give_to(pair, session.error_text()));
  if (session.working()) set_box(lammps_list);
  if (renewed || outdated()) {
    set_atoms(lammps_list);
    set_owners(style, lammps_list);
    return true;
  }
  if (session.working()) set_types();
  return false;
}

/* ----------------------------------------------------------------------
   one evaluation. A rank that fails goes on without the engine until all agree
------------------------------------------------------------------------- */

void PairEngine::compute(Pair *style, NeighList *list)
{
  if (!pair)
    error->all(FLERR, "{}: an error has ended the run before, allowed is a run with pre yes", user);

  const bool renewed = neighbor->ago == 0 || renumbered();
  const bool renew = give_atoms(style, renewed, list != nullptr);
  if (neighbor->ago == 0 && !residing && resident->is_open()) {    // e.g. in a minimization
    resident->changed_on_host(DS_ALL_FIELDS);
    resident->hold();
  }
  pin();
  load();
  if (comm->nprocs > 1) comm->forward_comm(style);

  // a list of ghosts that did not arrive could be very long

  if (renewed) agree();
  if (renew) set_list(list);

  ds_pair_result result = {};
  forces(style, result);
  if (must_agree(style, renewed))
    agree();
  else
    session.warn();
  tally(style, result);
}

/* ----------------------------------------------------------------------
   the same where atoms stay with the engine, which makes many evaluations
------------------------------------------------------------------------- */

void PairEngine::reside(bool on)
{
  residing = on;
  if (on)
    resident->open(pair);
  else
    resident->abandon_order();
}

void PairEngine::prepare(Pair *style, bool lammps_list)
{
  if (!pair)
    error->all(FLERR, "{}: an error has ended the run before, allowed is a run with pre yes", user);
  give_atoms(style, renumbered(), lammps_list);
  loaded = -1;    // box and atoms may be others: a run of no steps has no evaluation
  pin();
}

void PairEngine::evaluated()
{
  loaded = update->ntimestep;
  nbuilds = neighbor->ncalls;
}

std::string PairEngine::describe() const
{
  return fmt::format("{} backend ({})", info().backend, info().variant);
}

/* ---------------------------------------------------------------------- */

int PairEngine::pack(int n, int *list, double *buf, int pbc_flag, int *pbc)
{
  return ghosts.pack(pair, n, list, buf, pbc_flag, pbc);
}

/* ---------------------------------------------------------------------- */

void PairEngine::unpack(int n, int first, double *buf)
{
  ghosts.unpack(pair, n, first, buf);
}

/* ----------------------------------------------------------------------
   called where styles are initialized: data of fixes in a restart file come
   after the pair style, and are there for a fix that is made before fixes are
   initialized. One fix serves all engines (pair hybrid may have several). It
   is not made before it is needed, as commands like replicate refuse to work
   where a fix has data of atoms
------------------------------------------------------------------------- */

void PairEngine::join_state()
{
  const char *const id = FixDPDGPUState::ID;
  Fix *fix = modify->get_fix_by_id(id);
  if (!fix) {
    const bool in_restart_file = atom->nextra_store > 0;
    if (update->whichflag != 1 && !in_restart_file) return;
    fix = modify->add_fix(std::string(id) + " all " + FixDPDGPUState::STYLE, 0);
  }
  state = dynamic_cast<FixDPDGPUState *>(fix);
  if (!state)
    error->all(FLERR, "{}: fix ID {} is used for a fix of style {}, allowed is any other ID", user,
               id, fix->style);
  state->add(this);
}

/* ---------------------------------------------------------------------- */

void PairEngine::leave_state()
{
  unpin();
  state = nullptr;
}

/* ---------------------------------------------------------------------- */

bool PairEngine::has_velocities() const
{
  return pair && session.working() && loaded == update->ntimestep && neighbor->ncalls == nbuilds &&
         atom->nlocal == nlocal && ds_pair_has_list(pair);
}

/* ---------------------------------------------------------------------- */

void PairEngine::get_velocities(const ds_array &v)
{
  if (ds_pair_get_velocities(pair, &v, session.error_text()) != DS_OK)
    error->one(FLERR, "{}: {}", user, session.error_text()->text);
}
