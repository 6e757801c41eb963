/* What pair styles of this package ask of the engine, in LAMMPS's terms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_handle.h"

#include "atom_arrays.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "fix_dpd_gpu_state.h"
#include "fix_dpd_gpu_wrap.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "pair.h"
#include "resident_atoms.h"
#include "update.h"
#include "verlet_gpu.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

EngineHandle::EngineHandle(LAMMPS *lmp, const std::string &user_in, const ds_pair_style *style) :
    Pointers(lmp), model(lmp, style), own_atoms(lmp), access(&own_atoms), session(lmp, user_in),
    ghosts(lmp, session), user(user_in), pair(nullptr), options(), models{{&model, 0}}, of_hybrid(false), state(nullptr),
    resident(new ResidentAtoms(lmp, session)), residing(false), nbuilds(-1), nlocal(-1), nghost(-1),
    special_given(false), has_ghosts(true), of_engine(false), list_by_type(false), loaded(-1),
    queued(false), coarse_told(false), clear_forces(false), outlived(0), outlived_warned(false),
    on_gpu(false), pinned(), pinned_nmax(0)
{
  options.style = style;
}

EngineHandle::EngineHandle(LAMMPS *lmp, const std::string &user_in, const std::vector<EngineHandle *> &parts) :
    EngineHandle(lmp, user_in, parts[0]->options.style)
{
  models.clear();
  of_hybrid = true;
  for (EngineHandle *part : parts)
    for (const Given &given : part->models) add(*given.model);
}

void EngineHandle::add(EngineModel &more)
{
  if (!models.empty()) options.more[models.size() - 1] = more.get_style();
  models.push_back({&more, 0});
}

/* ---------------------------------------------------------------------- */

EngineHandle::~EngineHandle()
{
  close();
  delete resident;
  if (!state || !state->remove(this)) return;
  modify->delete_fix(state->id);
  FixDPDGPUWrap::drop(lmp);
}

/* ---------------------------------------------------------------------- */

void EngineHandle::use_atoms(AtomAccess *atoms)
{
  AtomAccess *const now = atoms ? atoms : &own_atoms;
  if (now != access) close();
  access = now;
}

/* ---------------------------------------------------------------------- */

bool EngineHandle::open(ds_precision precision, ds_backend backend)
{
  const auto *const run = dynamic_cast<VerletGPU *>(update->integrate);
  const int gpus = run ? run->shared_gpus() : 1;
  coarse_told = false;
  if (pair && options.precision == precision && options.backend == backend && options.threads == comm->nthreads &&
      options.gpus == gpus)
    return false;
  close();

  options.precision = precision;
  options.backend = backend;
  options.local_rank = session.node_rank();
  options.threads = comm->nthreads;
  options.gpus = gpus;
  options.isa = session.instruction_set();
  options.stream = access->stream();

  // a GPU may be missing on one rank alone

  session.note(ds_pair_open(&pair, &options, session.error_text()));
  agree();
  on_gpu = strcmp(info().backend, "cuda") == 0;
  for (Given &given : models) given.version = 0;
  nbuilds = -1;
  return true;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::close()
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
  queued = false;
  outlived = 0;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::agree()
{
  settle();
  if (session.agree()) {
    count_outlived_lists();
    return;
  }
  close();
  session.raise();
}

void EngineHandle::require_open() const
{
  if (!pair) error->all(FLERR, "{}: the last run ended with an error, allowed is a run with pre yes", user);
}

/* ---------------------------------------------------------------------- */

void EngineHandle::end_run()
{
  if (access->end_run()) nbuilds = -1;
}

/* ----------------------------------------------------------------------
   With backend auto each rank decides for itself, so some may use a GPU and others not
------------------------------------------------------------------------- */

std::string EngineHandle::no_gpu() const
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

/* ---------------------------------------------------------------------- */

void EngineHandle::want(Pair *style, ds_pair_request &request)
{
  request.want_energy = style->eflag_global ? 1 : 0;
  request.want_virial = style->vflag_global ? DS_VIRIAL_WHOLE : 0;
  request.f = access->f();
  request.put_force = clear_forces ? 1 : 0;
  if (residing) {
    resident->need_on_engine(DS_FORCE);
    request.f = ds_resident_array(resident->engine(), DS_FORCE);
    resident->changed_on_engine(DS_FORCE);
  }
  request.eatom = style->eflag_atom ? AtomArrays::vector(style->eatom) : AtomArrays::none();
  request.vatom = style->vflag_atom ? AtomArrays::rows(style->vatom, 6) : AtomArrays::none();
  if (residing && session.working())
    session.note(ds_resident_want_tallies(resident->engine(), update->ntimestep, &request, session.error_text()));
}

/* ---------------------------------------------------------------------- */

void EngineHandle::forces(const ds_pair_request &request, ds_pair_totals *totals, bool wait)
{
  if (!session.working()) return;
  session.note(wait ? ds_pair_compute(pair, &request, totals, session.error_text())
                    : ds_pair_enqueue(pair, &request, session.error_text()));
  queued = !wait;
}

/* ----------------------------------------------------------------------
   A list may miss pairs if it is kept while an atom moves further than the skin. The
   engine counts such lists. LAMMPS calls them dangerous builds and goes on, so they
   are added to its count, and one warning per run says so
------------------------------------------------------------------------- */

void EngineHandle::count_outlived_lists()
{
  if (update->setupflag) outlived_warned = false;
  const bigint now = pair ? ds_pair_outlived_lists(pair) : 0;
  if (now == outlived) return;
  neighbor->ndanger += now - outlived;
  outlived = now;
  if (!outlived_warned && comm->me == 0)
    error->warning(FLERR,
                   "{}: an atom went further outside the box than the skin {} before the list was "
                   "rebuilt, so pairs may have been missed (a dangerous build): neigh_modify every "
                   "1 delay 0 check yes avoids that",
                   user, skin());
  outlived_warned = true;
}

/* ----------------------------------------------------------------------
   Waits for what has been queued on the GPU, and notes the errors found there
------------------------------------------------------------------------- */

void EngineHandle::settle()
{
  if (!queued || !session.working()) return;
  queued = false;
  int64_t again;
  session.note(ds_pair_check(pair, nullptr, &again, session.error_text()));
  if (session.working() && again >= 0)
    session.fail(fmt::format("the neighbor list of step {} was too small, and later steps have used its forces", again));
}

/* ----------------------------------------------------------------------
   Whether an evaluation has to be over before compute() returns. Where all arrays are
   on the GPU, it may go on there, unless LAMMPS wants energies or the like, or the
   list may be too small. An error is then noted by the next evaluation
------------------------------------------------------------------------- */

bool EngineHandle::must_wait(Pair *style, bool reneighbored) const
{
  return access->space() == DS_SPACE_HOST || must_agree(style, reneighbored) || list_by_type;
}

/* ----------------------------------------------------------------------
   Whether all ranks look together for errors in this step. Ranks that share a GPU are
   faster if they wait for each other rarely. So they agree only where atoms have been
   renumbered, where output, tallies or a restart file need the step, and at the end
   of a run. (If a run ends early, post_run() of our fix calls agree().) The answer is
   the same on all ranks.
------------------------------------------------------------------------- */

bool EngineHandle::must_agree(Pair *style, bool reneighbored) const
{
  return reneighbored || style->evflag || update->setupflag || update->whichflag != 1 ||
         update->ntimestep == output->next || update->ntimestep == update->laststep;
}

/* ---------------------------------------------------------------------- */

ds_status EngineHandle::give_model(ds_error *err)
{
  ds_status status = DS_OK;
  for (size_t k = 0; k < models.size() && !status; k++)
    status = models[k].model->give_to(pair, static_cast<int>(k), of_hybrid, &models[k].version, err);
  return status;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::tally(Pair *style, const ds_pair_totals *totals)
{
  for (int n = 0; n < styles() && style->vflag_global; n++)
    for (int k = 0; k < 6; k++) style->virial[k] += totals[n].virial[k];
  if (!style->eflag_global) return;

  // The total force of all pairs is added up over ranks here, as integers: compute pair would add numbers, which round

  std::fill_n(style->pvector, 3, 0.0);
  for (int n = 0; n < styles(); n++) {
    (models[n].model->reads_charges() ? style->eng_coul : style->eng_vdwl) += totals[n].energy;
    long long mine[3], sum[3];
    for (int k = 0; k < 3; k++) sum[k] = mine[k] = totals[n].force_sum[k];
    if (comm->nprocs > 1) MPI_Allreduce(mine, sum, 3, MPI_LONG_LONG, MPI_SUM, world);
    for (int k = 0; k < 3 && comm->me == 0; k++) style->pvector[k] += static_cast<double>(sum[k]) * totals[n].force_unit;
  }
}

/* ----------------------------------------------------------------------
   Virials are added up over ranks as integers, so their order does not matter
------------------------------------------------------------------------- */

void EngineHandle::add_virial(double *virial) const
{
  static constexpr int PARTS = sizeof(ds_pair_totals::virial_part) / sizeof(int64_t);
  ds_pair_totals mine[DS_MAX_STYLES] = {}, all;
  ds_pair_sums(pair, mine);
  for (int style = 0; style < styles(); style++) {
    MPI_Allreduce(&mine[style].virial_part[0][0], &all.virial_part[0][0], PARTS, MPI_LONG_LONG, MPI_SUM, world);
    for (int k = 0; k < 6; k++) virial[k] += ds_pair_virial_of(pair, style, all.virial_part[k]);
  }
}

/* ----------------------------------------------------------------------
   Gives model, box and atoms to the engine. Returns whether a list has to be built
------------------------------------------------------------------------- */

bool EngineHandle::give_atoms(Pair *style, bool reneighbored)
{
  if (session.working()) session.note(give_model(session.error_text()));
  set_box();
  if (reneighbored || outdated()) {
    set_atoms();
    set_charges();
    set_owners(style);
    return true;
  }
  if (session.working()) set_types();
  set_charges();
  return false;
}

/* ----------------------------------------------------------------------
   Evaluates forces once. A rank that fails still takes part in communication, without
   the engine, until all ranks agree
------------------------------------------------------------------------- */

void EngineHandle::compute(Pair *style, ds_pair_totals *totals)
{
  require_open();
  const bool reneighbored = neighbor->ago == 0 || renumbered();
  if (reneighbored && access->space() == DS_SPACE_DEVICE) agree();    // a rank that has failed sends no messages
  const bool reneighbor = give_atoms(style, reneighbored);
  if (neighbor->ago == 0 && !residing && resident->is_open()) {    // LAMMPS moves atoms, as in a minimization
    resident->changed_on_host(DS_ALL_FIELDS);
    resident->save_rebuild_positions();
  }
  pin();
  load();
  ds_pair_request request = {};
  if (session.working()) want(style, request);
  if (asks_for_ghosts()) {
    if (!reneighbor && session.working())
      session.note(ds_pair_begin(pair, &request, session.error_text()));
    access->send_ghosts(style);
  }

  // if a rank has failed, its ghosts lie anywhere, and a list of them could be very long

  if (reneighbored) agree();
  if (reneighbor) build_list();
  if (comm->nprocs > 1 && ds_pair_has_densities(pair)) send_densities(style);
  forces(request, totals, must_wait(style, reneighbored) || reneighbor);
  if (comm->nprocs == 1 ? !queued || !session.working() : must_agree(style, reneighbored))
    agree();
  else
    session.warn();
}

/* ----------------------------------------------------------------------
   Forces depend on densities of ghosts, too, which only their owners know
------------------------------------------------------------------------- */

void EngineHandle::send_densities(Pair *style)
{
  if (session.working()) session.note(ds_pair_make_densities(pair, session.error_text()));
  ghosts.send_densities(style, *access);
}

void EngineHandle::get_densities(double *to)
{
  if (!pair || !session.working() || loaded < 0) return;
  std::vector<double> found(std::max(atom->nlocal, 1));
  const ds_array array = {found.data(), DS_F64, DS_SPACE_HOST, 1, 1};
  session.note(ds_pair_get_densities(pair, &array, session.error_text()));
  const std::vector<int> order = resident->get_order();
  for (size_t k = 0; k < order.size() && session.working(); k++) to[order[k]] = found[k];
}

/* ----------------------------------------------------------------------
   Atoms stay with the engine from here on, or LAMMPS's arrays are used again
------------------------------------------------------------------------- */

void EngineHandle::reside(bool on)
{
  residing = on;
  if (on)
    resident->open(pair);
  else
    resident->abandon_order();
}

bool EngineHandle::has_latest_positions() const
{
  return residing && resident->has_own_copies() && !resident->is_on_host(DS_POSITION);
}

void EngineHandle::prepare(Pair *style)
{
  require_open();
  give_atoms(style, renumbered());
  loaded = -1;    // forces of this box and these atoms have not been evaluated yet
  pin();
}

void EngineHandle::evaluated()
{
  loaded = update->ntimestep;
  nbuilds = neighbor->ncalls;
}

std::string EngineHandle::describe() const
{
  return fmt::format("{} backend ({})", info().backend, info().variant);
}

/* ---------------------------------------------------------------------- */

int EngineHandle::pack(int n, int *list, double *buf, int pbc_flag, int *pbc)
{
  return ghosts.pack(pair, n, list, buf, pbc_flag, pbc);
}

/* ---------------------------------------------------------------------- */

void EngineHandle::unpack(int n, int first, double *buf)
{
  ghosts.unpack(pair, n, first, buf);
}

/* ---------------------------------------------------------------------- */

bool EngineHandle::pack_in_place(int n, const int *list, void *buf, int pbc_flag, const int *pbc)
{
  const int shift[3] = {pbc_flag ? pbc[0] : 0, pbc_flag ? pbc[1] : 0, pbc_flag ? pbc[2] : 0};
  return ghosts.pack(pair, n, list, buf, shift, access->space());
}

/* ---------------------------------------------------------------------- */

void EngineHandle::unpack_in_place(int n, int first, const void *buf)
{
  ghosts.unpack(pair, n, first, buf, access->space());
}

/* ----------------------------------------------------------------------
   Makes the fix that keeps velocities, or finds it. One fix serves all engines, of
   which pair hybrid may have several. This is called when pair styles are initialized:
   the fix then still gets its data of a restart file. Without such data it is made by
   the first run only, because commands like replicate refuse a fix with data of atoms
------------------------------------------------------------------------- */

void EngineHandle::join_state()
{
  const char *const id = FixDPDGPUState::ID;
  Fix *fix = modify->get_fix_by_id(id);
  if (!fix) {
    const bool in_restart_file = atom->nextra_store > 0;
    if (update->whichflag != 1 && !in_restart_file) return;
    fix = modify->add_fix(std::string(id) + " all " + FixDPDGPUState::style_of(lmp), 0);
  }
  state = dynamic_cast<FixDPDGPUState *>(fix);
  if (!state)
    error->all(FLERR, "{}: fix ID {} is used for a fix of style {}, allowed is any other ID", user,
               id, fix->style);
  state->add(this);
  FixDPDGPUWrap::keep(lmp, user);
}

/* ---------------------------------------------------------------------- */

void EngineHandle::leave_state()
{
  unpin();
  state = nullptr;
}

/* ---------------------------------------------------------------------- */

void EngineHandle::keep_velocities()
{
  if (state) state->record();
}

/* ---------------------------------------------------------------------- */

bool EngineHandle::has_velocities() const
{
  return pair && session.working() && loaded == update->ntimestep && neighbor->ncalls == nbuilds &&
         atom->nlocal == nlocal && ds_pair_has_list(pair);
}

/* ---------------------------------------------------------------------- */

void EngineHandle::get_velocities(const ds_array &v)
{
  session.note(ds_pair_get_velocities(pair, &v, session.error_text()));
}
