/* Nose-Hoover thermostats and barostats: what is done in a step.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nh_gpu.h"

#include "compute.h"
#include "domain.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   the second half of a step, in the order of LAMMPS's fix: kick, factor of the box, sums, thermostat. Then the first half
   of the next one: thermostat, box, kick, half of the box's way, drift, the other half
------------------------------------------------------------------------- */

void FixNHGPU::declare(StepRecords &r, bigint)
{
  const bool box = barostat.is_on();
  add_motion(r, DS_NVE_FINAL, DS_AT_FINAL);
  if (box) add_scaling(r, DS_AT_FINAL, of_box);
  const int sum = add_sum(r, DS_AT_FINAL);
  asked.at_end = add_scaling(r, DS_AT_FINAL, of_final, DS_ASKS | DS_AFTER_SUMS, sum);

  asked.at_begin = add_scaling(r, DS_AT_INITIAL, of_initial, DS_ASKS);
  if (!box) {
    add_motion(r, DS_NVE_INITIAL, DS_AT_INITIAL);
    return;
  }
  if (recounts) {
    const int again = add_sum(r, DS_AT_INITIAL);
    asked.recounted = add_scaling(r, DS_AT_INITIAL, of_box, DS_ASKS | DS_AFTER_SUMS, again);
  }
  add_motion(r, DS_NVE_FINAL, DS_AT_INITIAL);
  add_remap(r, remap[0]);
  add_motion(r, DS_DRIFT, DS_AT_INITIAL);
  add_remap(r, remap[1]);
}

int FixNHGPU::add_scaling(StepRecords &r, ds_point point, const Scaling &s, int flags, int from) const
{
  ds_operation &o = r.add(DS_SCALE_VELOCITY, point, groupbit);
  o.flags = flags;
  o.from = from;
  std::copy(s.first, s.first + 3, o.number);
  std::copy(s.shear, s.shear + 3, o.number + 3);
  std::copy(s.second, s.second + 3, o.number + 6);
  return static_cast<int>(r.operations.size()) - 1;
}

void FixNHGPU::add_motion(StepRecords &r, ds_operation_kind kind, ds_point point) const
{
  ds_operation &o = r.add(kind, point, groupbit);
  o.number[0] = update->dt;
  o.number[1] = 0.5 * update->dt * force->ftm2v;
}

void FixNHGPU::add_remap(StepRecords &r, const double *numbers) const
{
  ds_operation &o = r.add(DS_REMAP, DS_AT_INITIAL, dilate_bit);
  std::copy(numbers, numbers + DS_OPERATION_NUMBERS, o.number);
}

bool FixNHGPU::needs_tensor() const
{
  return barostat.is_on() && barostat.shape() != NoseHooverBarostat::ISO;
}

int FixNHGPU::add_sum(StepRecords &r, ds_point point) const
{
  const bool tensor = needs_tensor();
  ds_operation &o = r.add(tensor ? DS_SUM_KINETIC : DS_SUM_KINETIC_TRACE, point, group->bitmask[temperature()->igroup]);
  o.nsums = tensor ? NSUMS : 1;
  o.unit = units.mvv;
  return static_cast<int>(r.operations.size()) - 1;
}

/* ----------------------------------------------------------------------
   factors: before any step they are 1, and the box stays
------------------------------------------------------------------------- */

void FixNHGPU::set_scaling(Scaling &s, double thermostat, bool box) const
{
  static constexpr int TILT[] = {3, 4, 5};    // yz xz xy
  for (int d = 0; d < 3; d++) {
    s.second[d] = box ? barostat.factor_of_velocity(d, update->dt) : 1.0;
    s.first[d] = thermostat * s.second[d];
    s.shear[d] = box && barostat.c[TILT[d]].on ? -0.5 * update->dt * barostat.c[TILT[d]].rate : 0.0;
  }
}

/* ----------------------------------------------------------------------
   kinetic energies
------------------------------------------------------------------------- */

double FixNHGPU::trace() const
{
  return needs_tensor() ? kinetic[0] + kinetic[1] + kinetic[2] : kinetic[0];
}

void FixNHGPU::take_kinetic(const double *sums)
{
  for (int k = 0; k < (needs_tensor() ? NSUMS : 1); k++) kinetic[k] = sums[k] * force->mvv2e;
}

void FixNHGPU::scale_kinetic(double factor)
{
  for (double &k : kinetic) k *= factor * factor;
}

void FixNHGPU::find_temperature()
{
  Compute *const measured = temperature();
  if (group->dynamic[measured->igroup]) measured->setup();    // counts its atoms
  dof = measured->dof;
  temperature_now = dof > 0.0 ? trace() / (dof * force->boltz) : 0.0;
}

/* ----------------------------------------------------------------------
   In a set-up they are counted. Where they are, but for roundings, those that the steps before have led to, these are taken:
   a run in parts, or one from a restart file, then has the bits of a whole one
------------------------------------------------------------------------- */

namespace {
class Count : public StepPart {
 public:
  explicit Count(const ds_operation &sum_in) : sum(sum_in) {}
  void declare(StepRecords &r, bigint) override
  {
    r.operations = {sum};
  }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

 private:
  ds_operation sum;
};
}    // namespace

void FixNHGPU::count_kinetic()
{
  static constexpr double ROUNDINGS = 1e-12;
  double before[NSUMS], sums[NSUMS] = {};
  StepRecords r;
  add_sum(r, DS_AT_SUMS);
  Count count(r.operations[0]);
  counter.run(count, DS_AT_SUMS, update->ntimestep);
  for (int k = 0; k < r.operations[0].nsums; k++) sums[k] = counter.total(0, k);
  std::copy(kinetic, kinetic + NSUMS, before);
  take_kinetic(sums);
  for (int k = 0; k < NSUMS && carried; k++) carried = std::fabs(before[k] - kinetic[k]) <= ROUNDINGS * trace();
  const double old_temperature = temperature_now;
  if (carried) std::copy(before, before + NSUMS, kinetic);
  find_temperature();
  if (carried && std::fabs(old_temperature - temperature_now) <= ROUNDINGS * temperature_now) temperature_now = old_temperature;
}

/* ----------------------------------------------------------------------
   what is wanted in this step
------------------------------------------------------------------------- */

double FixNHGPU::part_of_run(bigint step) const
{
  const bigint since = step - update->beginstep;
  return since ? static_cast<double>(since) / static_cast<double>(update->endstep - update->beginstep) : 0.0;
}

void FixNHGPU::set_temperature_target(bigint step)
{
  bath.target = bath.start + part_of_run(step) * (bath.stop - bath.start);
  kinetic_wanted = dof * kT();
}

double FixNHGPU::kT() const
{
  return force->boltz * bath.target;
}

std::string FixNHGPU::take_pressure()
{
  if (barostat.take_pressure(kinetic, virial, trace())) return "";
  return fmt::format("{}: the pressure is not a number, allowed is a finite one: the simulation is unstable", user);
}

/* ----------------------------------------------------------------------
   half steps of chains
------------------------------------------------------------------------- */

double FixNHGPU::advance_chain()
{
  if (!bath.on) return 1.0;
  chain.set_drag(1.0 - update->dt * drag / (bath.period * tloop));
  chain.set_masses(dof * kT() * bath.period * bath.period, kT() * bath.period * bath.period);
  const double factor = chain.advance(dof * force->boltz * temperature_now, kinetic_wanted, kT(), update->dt);
  temperature_now *= factor * factor;
  scale_kinetic(factor);
  return factor;
}

void FixNHGPU::advance_box_chain()
{
  if (!barostat.is_on()) return;
  box_chain.set_drag(barostat.drag);
  barostat.scale_rates(box_chain.advance(barostat.kinetic(), box_energy_wanted(), kT(), update->dt));
}

double FixNHGPU::box_energy_wanted() const
{
  return kT() * (barostat.shape() == NoseHooverBarostat::ISO ? 1 : barostat.number_of_rates());
}

/* ----------------------------------------------------------------------
   questions of the engine
------------------------------------------------------------------------- */

std::string FixNHGPU::answer(bigint step, int operation, const StepSums *sums)
{
  if (sums) {
    double numbers[NSUMS];
    for (int k = 0; k < NSUMS; k++) numbers[k] = ds_exact_value(&(*sums)[k], units.mvv);
    take_kinetic(numbers);
  }
  if (barostat.is_on()) barostat.drag = 1.0 - update->dt * barostat.highest_frequency() * drag / ploop;
  if (operation == asked.at_end) return end_step(step);
  if (operation == asked.at_begin) return begin_step(step);
  return begin_box(step);
}

std::string FixNHGPU::end_step(bigint step)
{
  std::string wrong;
  find_temperature();
  if (barostat.is_on()) {
    forces.take(units.energy, virial);
    wrong = take_pressure();
    pressure()->addstep(step + 1);
    barostat.advance_rates(kinetic, dof * force->boltz * temperature_now, update->dt);
  }
  set_scaling(of_final, advance_chain(), false);
  advance_box_chain();
  carried = true;
  return wrong;
}

std::string FixNHGPU::begin_step(bigint step)
{
  advance_box_chain();
  if (bath.on) set_temperature_target(step);
  const double factor = advance_chain();
  if (recounts || !barostat.is_on()) {
    set_scaling(of_initial, factor, false);
    return "";
  }
  const std::string wrong = begin_box(step);
  set_scaling(of_initial, factor, true);
  return wrong;
}

std::string FixNHGPU::begin_box(bigint step)
{
  std::string wrong = take_pressure();
  pressure()->addstep(step + 1);
  barostat.set_targets(part_of_run(step), step - update->beginstep);
  barostat.advance_rates(kinetic, dof * force->boltz * temperature_now, update->dt);
  set_scaling(of_box, 1.0, true);
  for (double *numbers : remap) barostat.change_box(update->dt, numbers);
  if (barostat.is_tilted_too_far() && wrong.empty())
    wrong = fmt::format("{}: the box has been tilted by more than 1.5 of its edge, allowed is less: it is far from equilibrium", user);
  return wrong;
}
