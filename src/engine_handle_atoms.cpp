/* LAMMPS's box and atoms, as the engine of a pair style wants them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_handle.h"

#include "atom_arrays.h"
#include "neigh_exclusions.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix_dpd_gpu_state.h"
#include "force.h"
#include "neighbor.h"
#include "pair.h"
#include "resident_atoms.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The engine takes subdomains and ghost cutoffs as fractions of the box. LAMMPS has
   fractions of a triclinic box, and lengths of an orthogonal one
------------------------------------------------------------------------- */

void EngineHandle::describe_box(ds_box *described) const
{
  ds_box &box = *described;
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
  if (domain->dimension == 2) {    // atoms have no images along z
    box.periodic[2] = 0;
    box.ghost_reach[2] = 0.0;
  }
  for (int k = 0; k < 6; k++) box.image_rate[k] = domain->deform_vremap ? domain->h_rate[k] : 0.0;
  box.slack = skin();
  for (int d = 0; d < 3; d++)
    box.undecomposed[d] = comm->nprocs == 1 || (comm->procgrid[d] == 1 && !access->images_along(d));
}

void EngineHandle::set_box()
{
  ds_box box;
  describe_box(&box);
  if (session.working()) session.note(ds_pair_set_box(pair, &box, session.error_text()));
  warn_of_coarse_positions();
}

/* ----------------------------------------------------------------------
   Warns once per run, as the box may grow during one. If positions are coarser than
   DS_COARSEST_POSITIONS, the engine refuses them with an error when it loads them
------------------------------------------------------------------------- */

void EngineHandle::warn_of_coarse_positions()
{
  if (coarse_told || comm->me != 0 || !session.working()) return;
  const double resolution = ds_pair_resolution(pair);
  if (resolution <= DS_COARSE_POSITIONS || resolution > DS_COARSEST_POSITIONS) return;
  coarse_told = true;
  error->warning(FLERR,
                 "{}: the box is so large that positions are rounded to {:.2g} of the shortest cutoff, "
                 "which forces show: allowed up to {}{}",
                 user, resolution, DS_COARSEST_POSITIONS,
                 is_double() ? "" : "; precision double resolves 2^32 times finer");
}

/* ---------------------------------------------------------------------- */

int EngineHandle::axes_without_images(int axes, double margin)
{
  ds_box box;
  describe_box(&box);
  for (double &edge : box.h) edge /= margin;
  for (int d = 0; d < 3; d++) box.undecomposed[d] = axes >> d & 1;
  return pair ? ds_pair_wraps(pair, &box) : 0;
}

/* ---------------------------------------------------------------------- */

bool EngineHandle::needs_special() const
{
  return atom->molecular != Atom::ATOMIC && std::any_of(models.begin(), models.end(), [this](const Given &given) {
    return given.model->needs_special(of_hybrid);
  });
}

/* ----------------------------------------------------------------------
   Whether LAMMPS has renumbered its atoms since the last evaluation, or special
   partners have become needed or useless; the answer is the same on all ranks.
   neighbor->ago alone does not tell, as evaluations can be left out, for example by
   pair_modify compute no.
------------------------------------------------------------------------- */

bool EngineHandle::renumbered() const
{
  return neighbor->ncalls != nbuilds || needs_special() != special_given;
}

/* ----------------------------------------------------------------------
   Whether this rank has another reason to set its atoms. Other ranks may have none, so
   no communication may depend on the answer
------------------------------------------------------------------------- */

bool EngineHandle::outdated() const
{
  if (atom->nlocal != nlocal || atom->nghost != nghost || is_reordered() != of_engine) return true;
  return session.working() &&
         ((ds_pair_needs_ghosts(pair) != 0) != has_ghosts || !ds_pair_has_list(pair));
}

/* ---------------------------------------------------------------------- */

bool EngineHandle::is_reordered() const
{
  return residing && resident->is_reordered();
}

/* ---------------------------------------------------------------------- */

void EngineHandle::set_atoms()
{
  nbuilds = neighbor->ncalls;
  nlocal = atom->nlocal;
  nghost = atom->nghost;
  special_given = needs_special();
  if (special_given) access->find_special();
  of_engine = is_reordered();
  if (!session.working()) return;

  has_ghosts = ds_pair_needs_ghosts(pair) != 0;
  if (update->setupflag) rules = neigh_exclusions(neighbor, group);    // LAMMPS, too, reads its rules in a set-up only
  const bool excludes = !rules.empty();

  ds_atoms atoms;
  atoms.nlocal = nlocal;
  atoms.nghost = has_ghosts ? nghost : 0;
  atoms.tag = access->tag();
  atoms.type = access->type();
  atoms.nspecial = special_given ? access->nspecial() : AtomArrays::none();
  atoms.special = special_given ? access->special() : AtomArrays::none();
  atoms.max_special = access->space() == DS_SPACE_DEVICE ? atom->maxspecial : 0;
  atoms.nexclusions = static_cast<int>(rules.size());
  atoms.exclusion = rules.data();
  atoms.mask = excludes ? access->mask() : AtomArrays::none();
  atoms.molecule =
      excludes && neighbor->nex_mol && atom->molecule ? access->molecule() : AtomArrays::none();
  if (of_engine) {
    const ds_identity identity = resident->identity();
    atoms.tag = identity.tag;
    atoms.type = identity.type;
    if (atoms.mask.data) atoms.mask = identity.mask;
    if (atoms.molecule.data) atoms.molecule = identity.molecule;
    if (atoms.special.data) {
      const std::vector<int> order = resident->get_order();
      atoms.nspecial = ResidentAtoms::in_order(atoms.nspecial, order, ordered[0]);
      atoms.special = ResidentAtoms::in_order(atoms.special, order, ordered[1]);
    }
  }
  if (session.working()) session.note(ds_pair_set_atoms(pair, &atoms, session.error_text()));
}

/* ----------------------------------------------------------------------
   LAMMPS counts its builds of lists from 0 in each run, so the number does not tell that
   a set-up has been
------------------------------------------------------------------------- */

void EngineHandle::follow_setup()
{
  rules = neigh_exclusions(neighbor, group);
  nbuilds = -1;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::set_types()
{
  const ds_array type = of_engine ? resident->identity().type : access->type();
  if (session.working()) session.note(ds_pair_set_types(pair, &type, session.error_text()));
}

/* ----------------------------------------------------------------------
   Charges of atoms and of LAMMPS's ghosts, as they are now. A fix that changes charges
   need not tell anybody
------------------------------------------------------------------------- */

bool EngineHandle::reads_charges() const
{
  return std::any_of(models.begin(), models.end(), [](const Given &given) { return given.model->reads_charges(); });
}

void EngineHandle::set_charges()
{
  if (!reads_charges()) return;
  ds_array charge = access->charge();
  if (of_engine) charge = ResidentAtoms::in_order(charge, resident->get_order(), ordered[2]);
  if (session.working()) session.note(ds_pair_set_charges(pair, &charge, session.error_text()));
}

/* ----------------------------------------------------------------------
   Whether ghosts come by messages: on several ranks they do, and with arrays on the
   GPU on one rank as well
------------------------------------------------------------------------- */

bool EngineHandle::asks_for_ghosts() const
{
  return comm->nprocs > 1 || (has_ghosts && access->space() == DS_SPACE_DEVICE);
}

/* ----------------------------------------------------------------------
   On a single rank without messages, each ghost is an image of an own atom. The engine
   is told which atom that is
------------------------------------------------------------------------- */

void EngineHandle::set_owners(Pair *style)
{
  if (asks_for_ghosts() || !has_ghosts) return;
  ghosts.find_owners(style, *access);
  if (session.working())
    session.note(
        ds_pair_set_ghost_owners(pair, ghosts.owners(), ghosts.images(), session.error_text()));
}

/* ----------------------------------------------------------------------
   Pins LAMMPS's arrays, so that the GPU copies them directly. An array must be unpinned
   when LAMMPS reallocates it. During a run only AtomVec::grow() does so, and it calls
   grow_arrays() of our fix right afterwards. Between runs others can do so, too
   (atom_style, replicate, a program that uses the library). So arrays are pinned by the
   evaluations of a run and unpinned at its end. After error->all() they stay pinned
   until the next grow_arrays(), or until the engine is closed. Without the fix nothing
   is pinned, and the GPU copies through memory of the engine.

   Several ranks with few atoms do not pin, either. Copies through the engine's memory
   are fewer, which counts more than their length if there are few atoms.
------------------------------------------------------------------------- */

static constexpr int PIN_ATOMS = 65536;    // measured with 16 ranks on one GPU

void EngineHandle::pin()
{
  if (!on_gpu || access != &own_atoms || !state || update->whichflag != 1 || !session.working())
    return;
  if (comm->nprocs > 1 && atom->nmax < PIN_ATOMS) return;    // nmax never shrinks
  // on several ranks each adds the engine's forces to its own on its core, so the array of forces does not go to the GPU
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

void EngineHandle::unpin()
{
  for (void *&data : pinned) {
    if (pair && data) ds_pair_unpin(pair, data);
    data = nullptr;
  }
  pinned_nmax = 0;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::load()
{
  ds_array x, v;
  if (residing) {
    resident->need_on_engine(DS_POSITION | DS_VELOCITY);
    x = ds_resident_array(resident->engine(), DS_POSITION);
    v = ds_resident_array(resident->engine(), DS_VELOCITY);
  } else {
    x = access->x();
    v = state ? state->velocities(*access) : access->v();
  }
  if (session.working())
    session.note(ds_pair_load(pair, &x, &v, update->ntimestep, session.error_text()));
  loaded = update->ntimestep;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::build_list()
{
  if (!session.working()) return;
  session.note(ds_pair_build_list(pair, session.error_text()));
  list_by_type = info().list_by_type;
}
