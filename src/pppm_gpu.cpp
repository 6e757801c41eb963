/* kspace_style pppm/gpu: the long-range part of Coulomb forces on a mesh.   SPDX-License-Identifier: GPL-2.0-or-later

   Each rank adds its charges to a mesh of its own, of integers. These are added up over all ranks, and each rank then makes all
   fields. So forces and sums have the same bits on any number of ranks. */

#include "pppm_gpu.h"

#include "engine_handle.h"
#include "pair_together.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "neighbor.h"
#include "pair.h"
#include "utils.h"

#include "dpdsop/device/step/exact_sum.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr double SMALL = 1e-5;    // a net charge that LAMMPS warns of

/* ---------------------------------------------------------------------- */

PPPMExactGPU::PPPMExactGPU(LAMMPS *lmp) :
    KSpace(lmp), session(lmp, "Kspace pppm/gpu"), kspace(nullptr), backend(DS_BACKEND_AUTO), told(false), cutoff(0.0),
    sizes(0.0)
{
  pppmflag = 1;
  nx_pppm = ny_pppm = nz_pppm = 0;
  g_ewald = 0.0;
  scale = 1.0;
  qsum = qsqsum = q2 = 0.0;
}

PPPMExactGPU::~PPPMExactGPU()
{
  ds_kspace_close(kspace);
}

std::string PPPMExactGPU::name() const
{
  return force->kspace_style ? force->kspace_style : "pppm/gpu";
}

/* ---------------------------------------------------------------------- */

void PPPMExactGPU::settings(int narg, char **arg)
{
  if (narg != 1)
    error->all(FLERR, "Kspace {}: there are {} arguments, allowed is one, the relative accuracy of forces", name(), narg);
  accuracy_relative = std::fabs(utils::numeric(FLERR, arg[0], false, lmp));
  if (accuracy_relative > 1.0)
    error->all(FLERR, "Kspace {}: relative accuracy {} of forces, allowed are numbers up to 1", name(), accuracy_relative);
}

/* ---------------------------------------------------------------------- */

void PPPMExactGPU::check_box() const
{
  if (domain->triclinic && slabflag)
    error->all(FLERR, "Kspace {}: kspace_modify slab in a triclinic box, allowed are orthogonal boxes", name());
  if (domain->dimension == 2) error->all(FLERR, "Kspace {}: the simulation has two dimensions, allowed are three", name());
  if (!slabflag && domain->nonperiodic)
    error->all(FLERR, "Kspace {}: the box is not periodic, allowed are boundaries p p p; or p p f with kspace_modify slab",
               name());
  const bool slab = domain->xperiodic && domain->yperiodic && domain->boundary[2][0] == 1 && domain->boundary[2][1] == 1;
  if (slabflag && !slab)
    error->all(FLERR, "Kspace {}: kspace_modify slab with other boundaries than p p f, allowed is p p f", name());
}

void PPPMExactGPU::check_settings()
{
  if (!atom->q_flag)
    error->all(FLERR,
               "Kspace {}: atoms of atom_style {} have no charges, allowed are styles with charges, such as charge and full",
               name(), atom->get_style());
  if (slabflag > 2 || wireflag)
    error->all(FLERR, "Kspace {}: kspace_modify slab ew2d or wire, allowed are slab with a factor and slab nozforce", name());
  if (differentiation_flag)
    error->all(FLERR, "Kspace {}: kspace_modify diff ad, allowed is diff ik; LAMMPS's own pppm has both (suffix off)", name());
  if (order < DS_MESH_LEAST_ORDER || order > DS_MESH_MOST_ORDER)
    error->all(FLERR, "Kspace {}: kspace_modify order {}, allowed are {} to {}", name(), order, int(DS_MESH_LEAST_ORDER),
               int(DS_MESH_MOST_ORDER));
  pair_check();
  int dim = 0;
  const auto *const cut_coul = static_cast<double *>(force->pair->extract("cut_coul", dim));
  if (!cut_coul) error->all(FLERR, "KSpace style is incompatible with Pair style");
  cutoff = *cut_coul;
}

/* ----------------------------------------------------------------------
   Sums of charges over all ranks, of integers: the screening parameter depends on them
------------------------------------------------------------------------- */

PPPMExactGPU::Charges PPPMExactGPU::charges_now() const
{
  double mine = 0.0, largest = 0.0;
  for (int i = 0; i < atom->nlocal; i++) mine = std::fmax(mine, std::fabs(atom->q[i]));
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, world);
  const double unit = largest > 0.0 ? std::exp2(std::ceil(std::log2(largest))) : 1.0;
  enum { CHARGE, SQUARE, SIZE, SUMS };
  ds_exact_sum sums[SUMS] = {};
  for (int i = 0; i < atom->nlocal; i++) {
    const double q = atom->q[i];
    if (q == 0.0) continue;
    ds_exact_add_number(&sums[CHARGE], q, unit);
    ds_exact_add_number(&sums[SQUARE], q * q, unit * unit);
    ds_exact_add_number(&sums[SIZE], std::fabs(q), unit);
  }
  StepArrays::add_over_ranks(lmp, sums, SUMS);
  return {ds_exact_value(&sums[CHARGE], unit), ds_exact_value(&sums[SQUARE], unit * unit), ds_exact_value(&sums[SIZE], unit)};
}

void PPPMExactGPU::look_at_charges()
{
  const Charges now = charges_now();
  qsum = now.sum;
  qsqsum = now.squares;
  sizes = now.sizes;
  q2 = qsqsum * force->qqrd2e;
  natoms_original = atom->natoms;
}

bool PPPMExactGPU::charges_have_changed() const
{
  const Charges now = charges_now();
  check_growth(sizes, now.sizes);
  return atom->natoms != natoms_original || now.sum != qsum || now.squares != qsqsum || now.sizes != sizes;
}

/* ----------------------------------------------------------------------
   Integers of the mesh have room for charges that grow between two rebuilds, but not
   without end. Both sums are those of all ranks
------------------------------------------------------------------------- */

void PPPMExactGPU::check_growth(double before, double now) const
{
  static constexpr double MOST = 16.0;
  if (before > 0.0 && now > MOST * before)
    error->all(FLERR,
               "Kspace {}: the sum of all charges by size has grown from {} to {} since lists were rebuilt, allowed is a "
               "factor of {}: rebuild them more often (neigh_modify)",
               name(), before, now, MOST);
}

/* ----------------------------------------------------------------------
   In a step whose lists were made before
------------------------------------------------------------------------- */

void PPPMExactGPU::follow_charges()
{
  double mine = 0.0, all;
  for (int i = 0; i < atom->nlocal; i++) mine += std::fabs(atom->q[i]);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
  check_growth(sizes, all);
  if (sizes == 0.0 && all > 0.0) look_at_charges();
}

/* ----------------------------------------------------------------------
   LAMMPS's warnings of systems without charges, or with a net charge
------------------------------------------------------------------------- */

void PPPMExactGPU::qsum_qsq(int warning_flag)
{
  look_at_charges();
  if (qsqsum == 0.0 && comm->me == 0 && warn_nocharge && warning_flag) {
    error->warning(FLERR, "Using kspace solver on system with no charge");
    warn_nocharge = 0;
  }
  if (std::fabs(qsum) <= SMALL) return;
  const std::string message = fmt::format("System is not charge neutral, net charge = {:.8}", qsum);
  if (!warn_nonneutral) error->all(FLERR, message);
  if (warn_nonneutral == 1 && comm->me == 0) error->warning(FLERR, message);
  warn_nonneutral = 2;
}

/* ----------------------------------------------------------------------
   Mesh and screening parameter, where kspace_modify has not set them
------------------------------------------------------------------------- */

void PPPMExactGPU::choose_mesh()
{
  ds_mesh_choice choice = {};
  choice.order = order;
  for (int d = 0; d < 3; d++) choice.edge[d] = domain->prd[d];
  choice.tilt[0] = domain->yz;
  choice.tilt[1] = domain->xz;
  choice.tilt[2] = domain->xy;
  choice.is_triclinic = domain->triclinic;
  choice.extended = slab_volfactor;
  choice.cutoff = cutoff;
  choice.natoms = atom->natoms;
  choice.squares = q2;
  choice.accuracy = accuracy;
  if (gridflag) {
    choice.n[0] = nx_pppm;
    choice.n[1] = ny_pppm;
    choice.n[2] = nz_pppm;
  }
  if (gewaldflag) choice.ewald = g_ewald;
  if (choice.ewald == 0.0 && !(q2 > 0.0))
    error->all(FLERR,
               "Kspace {}: there are no charges, and a screening parameter is to be chosen: needed are charges, or "
               "kspace_modify gewald",
               name());
  ds_error err;
  if (ds_mesh_choose(&choice, &err)) error->all(FLERR, "Kspace {}: {}", name(), err.text);
  nx_pppm = choice.n[0];
  ny_pppm = choice.n[1];
  nz_pppm = choice.n[2];
  g_ewald = choice.ewald;
  if (comm->me) return;
  const double estimate = std::hypot(choice.mesh_error, choice.cutoff_error);
  utils::logmesg(lmp,
                 "Kspace {}: initialization ...\n  G vector (1/distance) = {:.8g}\n  grid = {} {} {}\n  stencil order = {}\n"
                 "  estimated absolute RMS force accuracy = {:.8g}\n  estimated relative force accuracy = {:.8g}\n",
                 name(), g_ewald, nx_pppm, ny_pppm, nz_pppm, order, estimate, estimate / two_charge_force);
  if (accuracy > 0.0 && estimate > 3.0 * accuracy)
    error->warning(FLERR,
                   "Kspace {}: with this mesh and screening parameter the estimated error of forces is {:.3g}, the accuracy "
                   "wanted {:.3g}",
                   name(), estimate, accuracy);
}

/* ---------------------------------------------------------------------- */

void PPPMExactGPU::init()
{
  check_box();
  check_settings();
  two_charge();
  scale = 1.0;
  fftbench = 0;    // LAMMPS's loop would not end, as this style has no times for it
  qqrd2e = force->qqrd2e;
  qsum_qsq();
  accuracy = accuracy_absolute >= 0.0 ? accuracy_absolute : accuracy_relative * two_charge_force;
  choose_mesh();
}

/* ----------------------------------------------------------------------
   Called before a run, and when the box has changed. What depends on the box is found
   anew in each step, as its model is compared with the last one
------------------------------------------------------------------------- */

void PPPMExactGPU::setup()
{
  check_box();
}

ds_mesh_model PPPMExactGPU::model() const
{
  ds_mesh_model m = {};
  const int n[3] = {nx_pppm, ny_pppm, nz_pppm};
  m.order = order;
  for (int d = 0; d < 3; d++) {
    m.n[d] = n[d];
    m.lo[d] = domain->boxlo[d];
    m.edge[d] = domain->prd[d];
  }
  if (domain->triclinic) {
    m.tilt[0] = domain->yz;
    m.tilt[1] = domain->xz;
    m.tilt[2] = domain->xy;
  }
  m.extended = slab_volfactor;
  m.slab = slabflag == 1 ? DS_SLAB_DIPOLE : slabflag == 2 ? DS_SLAB_NO_Z_FORCE : DS_SLAB_NONE;
  m.ewald = g_ewald;
  m.strength = qqrd2e * scale;
  m.charge = qsum;
  m.squares = qsqsum;
  m.sizes = sizes;
  return m;
}

/* ----------------------------------------------------------------------
   The mesh is where the pair style is. Beside pair styles of LAMMPS it is on a GPU if there is one
------------------------------------------------------------------------- */

ds_backend PPPMExactGPU::backend_of_pairs() const
{
  const auto engines = PairTogether::engines_of(lmp);
  if (engines.empty()) return DS_BACKEND_AUTO;
  return engines[0]->computes_on_gpu() ? DS_BACKEND_CUDA : DS_BACKEND_HOST;
}

void PPPMExactGPU::open()
{
  const ds_backend wanted = backend_of_pairs();
  if (kspace && wanted == backend) return;
  ds_kspace_close(kspace);
  kspace = nullptr;
  backend = wanted;
  ds_kspace_options options = {};
  options.backend = wanted;
  options.local_rank = session.node_rank();
  options.threads = comm->nthreads;
  options.isa = session.instruction_set();
  session.note(ds_kspace_open(&kspace, &options, session.error_text()));
  if (!session.agree()) session.raise();
  if (comm->nprocs > 1) ds_kspace_set_reduction(kspace, add_over_ranks, this);
  if (comm->me == 0 && !told) utils::logmesg(lmp, "Kspace {}: {} backend\n", name(), ds_kspace_backend(kspace));
  told = true;
}

/* ----------------------------------------------------------------------
   MPI counts in int; LAMMPS's own MPI has no MPI_INT64_T
------------------------------------------------------------------------- */

void PPPMExactGPU::add_over_ranks(void *user, int64_t *sums, size_t n)
{
  static constexpr size_t MAX_COUNT = 1 << 28;
  const auto *const self = static_cast<PPPMExactGPU *>(user);
  for (size_t k = 0; k < n; k += MAX_COUNT)
    MPI_Allreduce(MPI_IN_PLACE, sums + k, static_cast<int>(n - k < MAX_COUNT ? n - k : MAX_COUNT), MPI_LONG_LONG, MPI_SUM,
                  self->world);
}

/* ----------------------------------------------------------------------
   Forces are added to those of LAMMPS's atoms. A fix may have changed charges: sums of
   them are found anew when lists are rebuilt, as those of the pair style are
------------------------------------------------------------------------- */

void PPPMExactGPU::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  if (atom->natoms != natoms_original || neighbor->ago == 0)
    look_at_charges();
  else
    follow_charges();
  if (qsqsum == 0.0) return;
  open();

  double *const x = atom->nlocal ? *atom->x : nullptr, *const f = atom->nlocal ? *atom->f : nullptr;
  ds_kspace_request request = {};
  request.n = atom->nlocal;
  request.x = {x, DS_F64, DS_SPACE_HOST, 3, 1};
  request.f = {f, DS_F64, DS_SPACE_HOST, 3, 1};
  request.charge = {atom->q, DS_F64, DS_SPACE_HOST, 1, 1};
  if (eflag_atom) request.eatom = {eatom, DS_F64, DS_SPACE_HOST, 1, 1};
  if (vflag_atom && atom->nlocal) request.vatom = {*vatom, DS_F64, DS_SPACE_HOST, 6, 1};
  request.want_sums = eflag_global || vflag_global;

  const ds_mesh_model now = model();
  ds_mesh_sums sums = {};
  session.note(ds_kspace_set_model(kspace, &now, session.error_text()));
  if (!session.agree()) session.raise();
  session.note(ds_kspace_compute(kspace, &request, &sums, session.error_text()));
  if (!session.agree()) session.raise();
  if (eflag_global) energy = sums.energy;
  if (vflag_global) take_virial(sums);
}

void PPPMExactGPU::take_virial(const ds_mesh_sums &sums)
{
  for (int k = 0; k < 6; k++) virial[k] = sums.virial[k];
}

void PPPMExactGPU::take_sums(int eflag, int vflag, const ds_mesh_sums &sums)
{
  ev_init(eflag, vflag, 0);
  if (eflag_global) energy = sums.energy;
  if (vflag_global) take_virial(sums);
}

/* ---------------------------------------------------------------------- */

double PPPMExactGPU::memory_usage()
{
  const double of_atoms = (maxeatom + 6.0 * maxvatom) * sizeof(double);
  return of_atoms + (kspace ? static_cast<double>(ds_kspace_bytes(kspace)) : 0.0);
}
