/* What thermostats and barostats have in common: computes, sums, scaling of velocities.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_bath.h"

#include "compute.h"
#include "domain.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "pppm_gpu.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixStepBath::FixStepBath(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), tensor(false), kinetic(), virial(), dof(0.0), temperature_now(0.0), owns_temperature(false),
    owns_pressure(false), follows_pressure(false), forces(lmp), counter(lmp, user)
{
}

FixStepBath::~FixStepBath()
{
  if (owns_pressure && pressure()) modify->delete_compute(id_pressure);
  if (owns_temperature && temperature()) modify->delete_compute(id_temperature);
}

/* ----------------------------------------------------------------------
   Computes
------------------------------------------------------------------------- */

void FixStepBath::make_computes(const std::string &of, bool with_pressure)
{
  id_temperature = std::string(id) + "_temp";
  modify->add_compute(fmt::format("{} {} temp/exact/gpu", id_temperature, of), 0);
  owns_temperature = true;
  follows_pressure = owns_pressure = with_pressure;
  if (!with_pressure) return;
  id_pressure = std::string(id) + "_press";
  modify->add_compute(fmt::format("{} all pressure {}", id_pressure, id_temperature), 0);
}

Compute *FixStepBath::temperature() const
{
  return modify->get_compute_by_id(id_temperature);
}

Compute *FixStepBath::pressure() const
{
  return modify->get_compute_by_id(id_pressure);
}

int FixStepBath::group_of_temperature() const
{
  return group->bitmask[temperature()->igroup];
}

static bool has_style(const Compute *compute, std::initializer_list<const char *> styles)
{
  return compute &&
         std::any_of(styles.begin(), styles.end(), [compute](const char *s) { return strcmp(compute->style, s) == 0; });
}

int FixStepBath::modify_param(int narg, char **arg)
{
  const bool of_temperature = strcmp(arg[0], "temp") == 0, of_pressure = strcmp(arg[0], "press") == 0;
  if (!of_temperature && !of_pressure) return 0;
  if (narg < 2) refuse(fmt::format("fix_modify {} without a value", arg[0]), "the ID of a compute");
  if (of_pressure && !follows_pressure) refuse("fix_modify press", "a fix with a barostat");
  const Compute *const given = modify->get_compute_by_id(arg[1]);
  if (of_temperature ? !has_style(given, {"temp", "temp/gpu", "temp/exact/gpu"}) : !has_style(given, {"pressure"}))
    refuse(fmt::format("fix_modify {} {}", arg[0], arg[1]),
           fmt::format("a compute of style {}; LAMMPS's own fix takes others (suffix off)",
                       of_temperature ? "temp or temp/exact/gpu" : "pressure"));
  std::string &mine = of_temperature ? id_temperature : id_pressure;
  bool &owns = of_temperature ? owns_temperature : owns_pressure;
  if (owns) modify->delete_compute(mine);
  owns = false;
  mine = arg[1];
  if (of_temperature && follows_pressure && pressure()) pressure()->reset_extra_compute_fix(mine.c_str());
  return 2;
}

void FixStepBath::init()
{
  FixStep::init();
  if (!temperature()) refuse(fmt::format("compute {} does not exist any more", id_temperature), "that it stays");
  if (!follows_pressure) return;
  if (!pressure()) refuse(fmt::format("compute {} does not exist any more", id_pressure), "that it stays");
  if (force->kspace && !dynamic_cast<PPPMExactGPU *>(force->kspace))
    refuse(fmt::format("kspace_style {}", force->kspace_style), "pppm/gpu, or none; LAMMPS's own fix has others (suffix off)");
  for (Fix *fix : modify->get_fix_list()) {
    if (fix->thermo_virial && dynamic_cast<StepPart *>(fix))    // its virial is known only after a step
      refuse(fmt::format("fix_modify {} virial yes", fix->id), "virial no beside a barostat of this package");
    if (fix->rigid_flag)
      refuse(fmt::format("rigid bodies (fix {})", fix->id),
             "none in a box that changes; LAMMPS's own fix takes them along (suffix off)");
  }
}

/* ----------------------------------------------------------------------
   A compute pressure of the user may leave out parts of the pressure. LAMMPS does not
   publish which, so its result is compared with the full pressure
------------------------------------------------------------------------- */

void FixStepBath::check_pressure()
{
  static constexpr double CLOSE = 1e-6;
  if (owns_pressure) return;
  Compute *const given = pressure();
  const double sum = virial[0] + virial[1] + (domain->dimension == 3 ? virial[2] : 0.0);
  const double volume = domain->xprd * domain->yprd * (domain->dimension == 3 ? domain->zprd : 1.0);
  const double unit = force->nktv2p / (domain->dimension * volume);
  const double whole = (trace() + sum) * unit, size = (std::fabs(trace()) + std::fabs(sum)) * unit;
  if (std::fabs(given->compute_scalar() - whole) > CLOSE * size)
    refuse(fmt::format("compute {} for the pressure: it is {}, and that of all forces with the temperature {} is {}",
                       id_pressure, given->scalar, id_temperature, whole),
           "a compute pressure without keywords; LAMMPS's own fix takes others (suffix off)");
}

/* ----------------------------------------------------------------------
   Kinetic energies
------------------------------------------------------------------------- */

int FixStepBath::add_sum(StepRecords &r, ds_point point) const
{
  ds_operation &o = r.add(tensor ? DS_SUM_KINETIC : DS_SUM_KINETIC_TRACE, point, group_of_temperature());
  o.nsums = tensor ? NSUMS : 1;
  o.unit = units.mvv;
  return static_cast<int>(r.operations.size()) - 1;
}

double FixStepBath::trace() const
{
  return tensor ? kinetic[0] + kinetic[1] + kinetic[2] : kinetic[0];
}

void FixStepBath::to_energies(double sums[NSUMS]) const
{
  for (int k = 0; k < NSUMS; k++) sums[k] = k == 0 || tensor ? sums[k] * force->mvv2e : 0.0;
}

void FixStepBath::take_kinetic(const StepSums &of_engine)
{
  for (int k = 0; k < NSUMS; k++) kinetic[k] = ds_exact_value(&of_engine[k], units.mvv);
  to_energies(kinetic);
}

void FixStepBath::scale_kinetic(double factor)
{
  for (double &k : kinetic) k *= factor * factor;
}

void FixStepBath::find_temperature()
{
  Compute *const measured = temperature();
  if (group->dynamic[measured->igroup]) measured->setup();    // counts the atoms of the group
  dof = measured->dof;
  temperature_now = dof > 0.0 ? trace() / (dof * force->boltz) : 0.0;
}

void FixStepBath::take_virial()
{
  forces.take(units.energy, virial);
}

namespace {
class Count : public StepPart {
 public:
  explicit Count(const StepRecords &r) : records(r) {}
  void declare(StepRecords &r, bigint) override { r = records; }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

 private:
  StepRecords records;
};
}    // namespace

void FixStepBath::count_kinetic(double of_now[NSUMS])
{
  StepRecords r;
  add_sum(r, DS_AT_SUMS);
  Count count(r);
  counter.run(count, DS_AT_SUMS, update->ntimestep);
  for (int k = 0; k < NSUMS; k++) of_now[k] = counter.total(0, k);
  to_energies(of_now);
}

/* ----------------------------------------------------------------------
   Velocities and positions
------------------------------------------------------------------------- */

FixStepBath::Scaling FixStepBath::scaling_by(double factor)
{
  return {{factor, factor, factor}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
}

int FixStepBath::add_scaling(StepRecords &r, ds_point point, const Scaling &s, int flags, int from) const
{
  ds_operation &o = r.add(DS_SCALE_VELOCITY, point, groupbit);
  o.flags = flags;
  o.from = from;
  std::copy(s.first, s.first + 3, o.number);
  std::copy(s.shear, s.shear + 3, o.number + 3);
  std::copy(s.second, s.second + 3, o.number + 6);
  return static_cast<int>(r.operations.size()) - 1;
}

void FixStepBath::add_remap(StepRecords &r, ds_point point, int of, const double *numbers) const
{
  ds_operation &o = r.add(DS_REMAP, point, of);
  std::copy(numbers, numbers + DS_OPERATION_NUMBERS, o.number);
}

/* ---------------------------------------------------------------------- */

double FixStepBath::part_of_run(bigint step) const
{
  const bigint since = step - update->beginstep;
  return since ? static_cast<double>(since) / static_cast<double>(update->endstep - update->beginstep) : 0.0;
}
