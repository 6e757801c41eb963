/* Temperature without the mean velocities in bins, from exact sums.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_temp_profile_gpu.h"

#include "engine_session.h"
#include "resident_atoms.h"

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "memory.h"
#include "update.h"

#include "dpdsop/device/step/bins.h"
#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeTempProfileGPU::ComputeTempProfileGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeLooking(lmp, narg, arg), sums(*this), runner(lmp, "Compute " + std::string(arg[2])), units(),
    without(), nbin{1, 1, 1}, nbins(1), tfactor(0.0)
{
  read_arguments(narg, arg);
  extra_dof = domain->dimension - means();
  scalar_flag = 1;
  extscalar = 0;
  tempflag = tempbias = 1;
  bins.resize(nbins);
  if (array_flag) {
    extarray = 0;
    size_array_rows = nbins;
    size_array_cols = 2;
    memory->create(array, nbins, 2, "temp/profile/gpu:array");
  } else {
    vector_flag = extvector = 1;
    size_vector = 6;
    vector = new double[size_vector];
  }
}

ComputeTempProfileGPU::~ComputeTempProfileGPU()
{
  memory->destroy(array);
  delete[] vector;
}

void ComputeTempProfileGPU::read_arguments(int narg, char **arg)
{
  static constexpr const char *AXES[] = {"x", "y", "z", "xy", "yz", "xz", "xyz"};
  if (narg < 7)
    error->all(FLERR, "Compute {}: {} arguments, allowed: xflag yflag zflag, axes and numbers of bins", style, narg - 3);
  for (int d = 0; d < 3; d++) {
    const int flag = utils::inumeric(FLERR, arg[3 + d], false, lmp);
    if (flag != 0 && flag != 1) error->all(FLERR, "Compute {}: {}flag {}, allowed are 0 and 1", style, "xyz"[d], arg[3 + d]);
    without[d] = flag == 1;
  }
  const std::string axes = arg[6];
  if (std::none_of(std::begin(AXES), std::end(AXES), [&axes](const char *known) { return axes == known; }))
    error->all(FLERR, "Compute {}: bins along {}, allowed: x, y, z, xy, yz, xz, xyz", style, axes);
  if (domain->dimension == 2 && (without[2] || axes.find('z') != std::string::npos))
    error->all(FLERR, "Compute {}: zflag {} and bins along {} in 2 dimensions, allowed: 0, and x, y, xy", style, arg[5], axes);
  int k = 7;
  for (const char axis : axes) {
    if (k >= narg) error->all(FLERR, "Compute {}: no number of bins along {}, allowed: one for each axis", style, axis);
    int &n = nbin[axis - 'x'];
    n = utils::inumeric(FLERR, arg[k++], false, lmp);
    if (n < 1 || static_cast<bigint>(nbins) * n * VALUES > MAXSMALLINT)
      error->all(FLERR, "Compute {}: {} bins along {}, allowed: 1 and more, up to {} bins in all", style, n, axis,
                 MAXSMALLINT / VALUES);
    nbins *= n;
  }
  for (; k < narg; k += 2) {
    if (k + 1 >= narg) error->all(FLERR, "Compute {}: keyword {} has no value, allowed: out tensor, out bin", style, arg[k]);
    const std::string value = arg[k + 1];
    if (strcmp(arg[k], "out") != 0 || (value != "tensor" && value != "bin"))
      error->all(FLERR, "Compute {}: keyword {} {}, allowed: out tensor, out bin", style, arg[k], value);
    array_flag = value == "bin" ? 1 : 0;
  }
}

/* ---------------------------------------------------------------------- */

void ComputeTempProfileGPU::init()
{
  units = StepArrays::units_of(lmp);
  forget_sums();
}

void ComputeTempProfileGPU::setup()
{
  dynamic = dynamic_user || group->dynamic[igroup] ? 1 : 0;
  count_dof();
}

/* ----------------------------------------------------------------------
   Degrees of freedom of the center of mass, along axes without means
------------------------------------------------------------------------- */

void ComputeTempProfileGPU::reset_extra_dof()
{
  extra_dof = domain->dimension - means();
}

/* ----------------------------------------------------------------------
   a mean takes away one degree of freedom of its bin (Evans and Morriss, Phys. Rev. Lett. 56, 2172 (1986)), as LAMMPS has it
------------------------------------------------------------------------- */

void ComputeTempProfileGPU::count_dof()
{
  adjust_dof_fix();
  natoms_temp = group->count(igroup);
  dof = domain->dimension * natoms_temp;
  dof -= static_cast<double>(means()) * nbins;
  dof -= extra_dof + fix_dof;
  tfactor = dof > 0.0 ? force->mvv2e / (dof * force->boltz) : 0.0;
}

/* ----------------------------------------------------------------------
   Bins of the present box, in fractions of it if it is tilted. Numbers of bins change
   fastest along x
------------------------------------------------------------------------- */

ds_binning ComputeTempProfileGPU::binning() const
{
  ds_binning b = {};
  b.kind = DS_BINS_LAYERS;
  b.group = groupbit;
  b.reduced = domain->triclinic;
  for (int d = 2; d >= 0; d--) {
    const double from = domain->triclinic ? domain->boxlo_lamda[d] : domain->boxlo[d];
    const double width = domain->triclinic ? domain->prd_lamda[d] : domain->prd[d];
    if (nbin[d] > 1 || (d == 0 && b.nlayers == 0)) b.layers[b.nlayers++] = {d, nbin[d], 1, 1, from, nbin[d] / width};
    b.periodic[d] = domain->periodicity[d];
    b.lo[d] = domain->boxlo[d];
    b.hi[d] = domain->boxhi[d];
    b.period[d] = domain->prd[d];
  }
  std::copy_n(domain->h_inv, 6, b.inverse);
  b.period_of_steps = b.within = 1;
  b.nvalues = VALUES;
  for (int k = 0; k < VALUES; k++) {
    b.value[k] = k == COUNT ? DS_BIN_COUNT : k == MASS ? DS_BIN_MASS : DS_BIN_PX + k - MOMENTUM;
    b.unit[k] = k == COUNT ? DS_2_POW_60 : k == MASS ? units.mass : k < PRODUCTS ? units.momentum : units.mvv;
  }
  return b;
}

void ComputeTempProfileGPU::put(StepRecords &r) const
{
  r.add(DS_ADD_TO_BINS, DS_AT_SUMS, groupbit);
  r.binnings.push_back(binning());
}

void ComputeTempProfileGPU::Sums::declare(StepRecords &r, bigint)
{
  of.put(r);
}

/* ----------------------------------------------------------------------
   Gets the sums of this process. All processes call it together
------------------------------------------------------------------------- */

void ComputeTempProfileGPU::Sums::take_bins(bigint, const std::vector<ds_exact_sum> &cells)
{
  const std::vector<ds_exact_sum> total = StepArrays::total_over_ranks(of.lmp, cells);
  const ds_binning b = of.binning();
  for (int bin = 0; bin < of.nbins; bin++)
    for (int k = 0; k < VALUES; k++) of.bins[bin][k] = ds_exact_value(&total[static_cast<size_t>(bin) * VALUES + k], b.unit[k]);
}

void ComputeTempProfileGPU::look_at_atoms(ResidentAtoms &atoms)
{
  EngineSession session(lmp, fmt::format("Compute {}", style));
  StepRecords r;
  put(r);
  sums.take_bins(update->ntimestep, atoms.add_once(r, session));
  has_looked();
}

void ComputeTempProfileGPU::add_up()
{
  if (is_to_look_now()) runner.run(sums, DS_AT_SUMS, update->ntimestep);
}

/* ----------------------------------------------------------------------
   The sum of m (u_a - mean_a) (u_b - mean_b). If a component counts as heat, its mean
   is taken as 0
------------------------------------------------------------------------- */

double ComputeTempProfileGPU::product(int bin, int k) const
{
  static constexpr int FIRST[] = {0, 1, 2, 0, 0, 1}, SECOND[] = {0, 1, 2, 1, 2, 2};
  const std::array<double, VALUES> &b = bins[bin];
  const double all = b[PRODUCTS + k];
  if (!(b[MASS] > 0.0) || !(without[FIRST[k]] || without[SECOND[k]])) return all;
  return all - b[MOMENTUM + FIRST[k]] * b[MOMENTUM + SECOND[k]] / b[MASS];
}

double ComputeTempProfileGPU::compute_scalar()
{
  invoked_scalar = update->ntimestep;
  add_up();
  if (dynamic) count_dof();
  if (dof < 0.0 && natoms_temp > 0.0)
    error->all(FLERR, "Compute {}: {} degrees of freedom, allowed are 0 and more", style, dof);
  scalar = 0.0;
  for (int bin = 0; bin < nbins; bin++) scalar += product(bin, 0) + product(bin, 1) + product(bin, 2);
  scalar *= tfactor;
  return scalar;
}

void ComputeTempProfileGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  for (int k = 0; k < 6; k++) {
    vector[k] = 0.0;
    for (int bin = 0; bin < nbins; bin++) vector[k] += product(bin, k);
    vector[k] *= force->mvv2e;
  }
}

void ComputeTempProfileGPU::compute_array()
{
  invoked_array = update->ntimestep;
  add_up();
  double all = 0.0;
  for (const std::array<double, VALUES> &b : bins) all += b[COUNT];
  for (int bin = 0; bin < nbins; bin++) {
    const double count = bins[bin][COUNT];
    const double free = domain->dimension * count - means() - (count > 0.0 ? (extra_dof + fix_dof) * count / all : 0.0);
    const double mvv = product(bin, 0) + product(bin, 1) + product(bin, 2);
    array[bin][0] = count;
    array[bin][1] = count > 0.0 && free > 0.0 ? mvv * force->mvv2e / (free * force->boltz) : 0.0;
  }
}

/* ----------------------------------------------------------------------
   For styles of LAMMPS: subtract the mean of the atom's bin from its velocity, and add
   it again. The means are those found last
------------------------------------------------------------------------- */

void ComputeTempProfileGPU::find_mean(const ds_binning &b, int i, double *mean) const
{
  const std::array<double, VALUES> &of_bin = bins[ds_bin_of(&b, atom->x[i])];
  for (int d = 0; d < 3; d++) mean[d] = without[d] && of_bin[MASS] > 0.0 ? of_bin[MOMENTUM + d] / of_bin[MASS] : 0.0;
}

void ComputeTempProfileGPU::remove_bias_thr(int i, double *v, double *bias)
{
  find_mean(binning(), i, bias);
  for (int d = 0; d < 3; d++) v[d] -= bias[d];
}

void ComputeTempProfileGPU::restore_bias_thr(int /*i*/, double *v, double *bias)
{
  for (int d = 0; d < 3; d++) v[d] += bias[d];
}

void ComputeTempProfileGPU::remove_bias_all()
{
  const ds_binning b = binning();
  kept.resize(atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    find_mean(b, i, kept[i].data());
    for (int d = 0; d < 3; d++) atom->v[i][d] -= kept[i][d];
  }
}

void ComputeTempProfileGPU::restore_bias_all()
{
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) restore_bias_thr(i, atom->v[i], kept[i].data());
}

double ComputeTempProfileGPU::memory_usage()
{
  return static_cast<double>(bins.capacity() * sizeof bins[0] + kept.capacity() * sizeof kept[0]);
}
