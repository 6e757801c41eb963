/* What pair_style dpd/gpu asks of the engine, in LAMMPS's terms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "dpd_gpu_engine.h"

#include "atom_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix_dpd_gpu_state.h"
#include "force.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "pair.h"
#include "universe.h"
#include "update.h"

#include <cstdlib>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

DPDGPUEngine::DPDGPUEngine(LAMMPS *lmp) :
    Pointers(lmp), dpd(nullptr), options(), err(), failed(false), gpu_rank(-1), model(),
    model_changed(true), special_given(false), nbuilds(-1), nlocal(-1), nghost(-1), loaded(-1),
    collect_owners(false), state(nullptr)
{
}

/* ---------------------------------------------------------------------- */

DPDGPUEngine::~DPDGPUEngine()
{
  close();
  if (state && state->remove(this)) modify->delete_fix(state->id);
}

/* ----------------------------------------------------------------------
   number of this process on its node, by which GPUs are given out.
   The ranks of a partition follow those of the partitions before it:
   otherwise partitions of one rank would all take the first GPU.
------------------------------------------------------------------------- */

static int node_rank(MPI_Comm world, int me, int first)
{
#if defined(MPI_STUBS)
  (void) world;
  return me + first;
#else
  MPI_Comm node;
  int rank;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  return rank + first;
#endif
}

/* ---------------------------------------------------------------------- */

bool DPDGPUEngine::open(ds_precision precision, ds_backend backend)
{
  // what an environment variable can force is the instruction set: results do not depend on it

  const char *isa = getenv("DPDSOP_ISA");
  if (dpd && options.precision == precision && options.backend == backend &&
      options.threads == comm->nthreads)
    return false;
  close();

  if (gpu_rank < 0) gpu_rank = node_rank(world, comm->me, universe->root_proc[universe->iworld]);
  options.precision = precision;
  options.backend = backend;
  options.local_rank = gpu_rank;
  options.threads = comm->nthreads;
  options.isa = isa && *isa ? isa : nullptr;
  options.stream = nullptr;

  // one rank's GPU may be missing

  note(ds_dpd_open(&dpd, &options, &err));
  stop_if_failed();
  model_changed = true;
  nbuilds = -1;
  return true;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::close()
{
  if (dpd) ds_dpd_close(dpd);
  dpd = nullptr;
  failed = false;
  loaded = -1;
}

/* ----------------------------------------------------------------------
   an error of the engine stops LAMMPS. In an evaluation a rank that has one goes
   on with empty messages, and all stop together at its end, with the text of
   the first: a line that is printed once, and not lost with a killed process
------------------------------------------------------------------------- */

void DPDGPUEngine::note(ds_status status)
{
  if (status != DS_OK) failed = true;
}

void DPDGPUEngine::stop_if_failed()
{
  int mine = failed ? comm->me : comm->nprocs, first = mine;
  if (comm->nprocs > 1) MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world);
  if (first == comm->nprocs) return;
  close();
  MPI_Bcast(err.text, DS_ERROR_LENGTH, MPI_CHAR, first, world);
  error->all(FLERR, "Pair dpd/gpu: {}", err.text);
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::set_coefficients(int **active, double **a_in, double **gamma_in, double **cut_in,
                                    double **power_in)
{
  const int n = atom->ntypes;
  a.assign(n * n, 0.0);
  gamma.assign(n * n, 0.0);
  cutoff.assign(n * n, 0.0);
  power.assign(n * n, 1.0);

  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
      if (!active[i][j]) continue;
      const int k = (i - 1) * n + j - 1;
      a[k] = a_in[i][j];
      gamma[k] = gamma_in[i][j];
      cutoff[k] = cut_in[i][j];
      power[k] = power_in[i][j];
    }

  model.ntypes = n;
  model.a = a.data();
  model.gamma = gamma.data();
  model.cutoff = cutoff.data();
  model.power = power.data();
  model_changed = true;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::set_bath(double kT, int seed)
{
  model.kT = kT;
  model.seed = static_cast<uint32_t>(seed);
  model_changed = true;
}

/* ----------------------------------------------------------------------
   time step, skin and special factors are not ours and may change between
   two evaluations (fix dt/reset, pair hybrid), so they are looked at each time
------------------------------------------------------------------------- */

void DPDGPUEngine::update_model()
{
  const double special[4] = {1.0, force->special_lj[1], force->special_lj[2], force->special_lj[3]};

  if (model.dt != update->dt || model.skin != neighbor->skin) model_changed = true;
  for (int k = 0; k < 4; k++)
    if (model.special[k] != special[k]) model_changed = true;
  if (!model_changed) return;

  model.dt = update->dt;
  model.skin = neighbor->skin;
  for (int k = 0; k < 4; k++) model.special[k] = special[k];
  note(ds_dpd_set_model(dpd, &model, &err));
  stop_if_failed();
  model_changed = false;
}

/* ---------------------------------------------------------------------- */

double DPDGPUEngine::single(int itype, int jtype, double rsq, double factor, double &fforce) const
{
  return ds_dpd_single(&model, itype, jtype, rsq, 0.0, 0.0, factor, &fforce);
}

/* ----------------------------------------------------------------------
   LAMMPS has subdomains and ghost cutoffs in fractions of the box where it
   is triclinic, else in lengths
------------------------------------------------------------------------- */

void DPDGPUEngine::set_box()
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
  if (domain->dimension == 2) box.ghost_reach[2] = 0.0;    // no images in z
  box.slack = neighbor->skin;
  note(ds_dpd_set_box(dpd, &box, &err));
}

/* ---------------------------------------------------------------------- */

bool DPDGPUEngine::needs_special() const
{
  const double *lj = force->special_lj;
  return atom->molecular == Atom::MOLECULAR && (lj[1] != 1.0 || lj[2] != 1.0 || lj[3] != 1.0);
}

/* ----------------------------------------------------------------------
   atoms have been renumbered since the last evaluation. ago alone does not
   tell: evaluations can be left out, e.g. by pair_modify compute no.
------------------------------------------------------------------------- */

bool DPDGPUEngine::outdated() const
{
  return neighbor->ago == 0 || neighbor->ncalls != nbuilds || atom->nlocal != nlocal ||
         atom->nghost != nghost || needs_special() != special_given;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::set_atoms()
{
  ds_atoms atoms;
  special_given = needs_special();
  atoms.nlocal = atom->nlocal;
  atoms.nghost = atom->nghost;
  atoms.tag = AtomArrays::tags(atom->tag);
  atoms.type = AtomArrays::vector(atom->type);
  atoms.nspecial = special_given ? AtomArrays::rows(atom->nspecial, 3) : AtomArrays::none();
  atoms.special =
      special_given ? AtomArrays::tag_rows(atom->special, atom->maxspecial) : AtomArrays::none();
  if (!failed) note(ds_dpd_set_atoms(dpd, &atoms, &err));

  nbuilds = neighbor->ncalls;
  nlocal = atom->nlocal;
  nghost = atom->nghost;
}

/* ----------------------------------------------------------------------
   on a single rank each ghost is an image of an own atom: which one is found
   out once, by a forward communication, and no messages are needed after
------------------------------------------------------------------------- */

void DPDGPUEngine::set_ghost_owners(Pair *pair)
{
  owner.assign(nghost, 0);
  image.assign(3 * static_cast<size_t>(nghost), 0);
  collect_owners = true;
  comm->forward_comm(pair);
  collect_owners = false;
  if (!failed) note(ds_dpd_set_ghost_owners(dpd, owner.data(), image.data(), &err));
}

/* ---------------------------------------------------------------------- */

bool DPDGPUEngine::begin(Pair *pair, bool renew)
{
  if (!dpd)
    error->all(FLERR,
               "Pair dpd/gpu: an error has ended the run before, allowed is a run with pre yes");
  update_model();
  set_box();
  if (outdated()) renew = true;
  if (renew) {
    set_atoms();
    if (comm->nprocs == 1) set_ghost_owners(pair);
  }

  const ds_array x = AtomArrays::rows(atom->x, 3);
  const ds_array v = state ? state->velocities() : AtomArrays::rows(atom->v, 3);
  if (!failed) note(ds_dpd_load(dpd, &x, &v, update->ntimestep, &err));
  loaded = update->ntimestep;
  if (comm->nprocs > 1) comm->forward_comm(pair);
  return renew;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::set_list(NeighList *list)
{
  if (failed) return;
  if (!list) {
    note(ds_dpd_build_list(dpd, &err));
    return;
  }
  ds_dpd_list lammps_list;
  lammps_list.rows = list->inum;
  lammps_list.atom = list->ilist;
  lammps_list.count = list->numneigh;
  lammps_list.entries = list->firstneigh;
  note(ds_dpd_set_list(dpd, &lammps_list, &err));
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::forces(Pair *pair)
{
  ds_dpd_result result = {};
  result.want_energy = pair->eflag_global ? 1 : 0;
  result.want_virial = pair->vflag_global ? 1 : 0;
  result.f = AtomArrays::rows(atom->f, 3);
  result.eatom = pair->eflag_atom ? AtomArrays::vector(pair->eatom) : AtomArrays::none();
  result.vatom = pair->vflag_atom ? AtomArrays::rows(pair->vatom, 6) : AtomArrays::none();
  if (!failed) note(ds_dpd_compute(dpd, &result, &err));
  stop_if_failed();

  if (pair->vflag_global)
    for (int k = 0; k < 6; k++) pair->virial[k] += result.virial[k];
  if (!pair->eflag_global) return;
  pair->eng_vdwl += result.energy;

  // total of all forces: exact only as a sum of integers, which compute pair cannot do

  long long mine[3], total[3];
  for (int k = 0; k < 3; k++) total[k] = mine[k] = result.force_sum[k];
  if (comm->nprocs > 1) MPI_Allreduce(mine, total, 3, MPI_LONG_LONG, MPI_SUM, world);
  for (int k = 0; k < 3; k++)
    pair->pvector[k] = comm->me == 0 ? static_cast<double>(total[k]) * result.force_unit : 0.0;
}

/* ---------------------------------------------------------------------- */

int DPDGPUEngine::pack(int n, int *list, double *buf, int pbc_flag, int *pbc)
{
  const int shift[3] = {pbc_flag ? pbc[0] : 0, pbc_flag ? pbc[1] : 0, pbc_flag ? pbc[2] : 0};

  if (!collect_owners) {
    const size_t bytes = static_cast<size_t>(n) * ds_dpd_ghost_bytes(dpd);
    if (!failed) note(ds_dpd_pack_ghosts(dpd, n, list, shift, buf, &err));
    if (failed) memset(buf, 0, bytes);
    return static_cast<int>((bytes + sizeof(double) - 1) / sizeof(double));
  }

  int m = 0;
  for (int k = 0; k < n; k++) {
    const int i = list[k];
    const int *at = i < nlocal ? nullptr : &image[3 * static_cast<size_t>(i - nlocal)];
    buf[m++] = ubuf(i < nlocal ? i : owner[i - nlocal]).d;
    for (int d = 0; d < 3; d++) buf[m++] = ubuf((at ? at[d] : 0) + shift[d]).d;
  }
  return m;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::unpack(int n, int first, double *buf)
{
  if (!collect_owners) {
    if (!failed) note(ds_dpd_unpack_ghosts(dpd, first, n, buf, &err));
    return;
  }

  int m = 0;
  for (int g = first - nlocal; g < first - nlocal + n; g++) {
    owner[g] = static_cast<int>(ubuf(buf[m++]).i);
    for (int d = 0; d < 3; d++)
      image[3 * static_cast<size_t>(g) + d] = static_cast<int>(ubuf(buf[m++]).i);
  }
}

/* ----------------------------------------------------------------------
   called where styles are initialized: data of fixes in a restart file come
   after the pair style, and are there for a fix that is made before fixes are
   initialized. One fix serves all engines (pair hybrid may have several). It
   is not made before it is needed, as commands like replicate refuse to work
   where a fix has data of atoms
------------------------------------------------------------------------- */

void DPDGPUEngine::join_state()
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
    error->all(FLERR,
               "Pair dpd/gpu: fix ID {} is used for a fix of style {}, allowed is any other ID", id,
               fix->style);
  state->add(this);
}

/* ---------------------------------------------------------------------- */

bool DPDGPUEngine::has_velocities() const
{
  return dpd && loaded == update->ntimestep && neighbor->ncalls == nbuilds &&
         atom->nlocal == nlocal;
}

/* ---------------------------------------------------------------------- */

void DPDGPUEngine::get_velocities(const ds_array &v)
{
  if (ds_dpd_get_velocities(dpd, &v, &err) != DS_OK)
    error->one(FLERR, "Pair dpd/gpu: {}", err.text);
}
