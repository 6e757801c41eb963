/* Nose-Hoover thermostats and barostats: what is done in a step.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nh_gpu.h"

#include "compute.h"
#include "domain.h"
#include "force.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The order of LAMMPS's fix. Second half of a step: kick, factor by the box, sums,
   thermostat. First half of the next step: thermostat, rates of the box, kick, half of the
   change of the box, drift, the other half of that change
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
    add_scaling(r, DS_AT_INITIAL, of_box, DS_ASKS | DS_AFTER_SUMS, again);
  }
  add_motion(r, DS_NVE_FINAL, DS_AT_INITIAL);
  add_remap(r, DS_AT_INITIAL, dilate_bit, remap[0]);
  add_motion(r, DS_DRIFT, DS_AT_INITIAL);
  add_remap(r, DS_AT_INITIAL, dilate_bit, remap[1]);
}

void FixNHGPU::add_motion(StepRecords &r, ds_operation_kind kind, ds_point point) const
{
  ds_operation &o = r.add(kind, point, groupbit);
  o.number[0] = update->dt;
  o.number[1] = 0.5 * update->dt * force->ftm2v;
}

FixStepBath::Scaling FixNHGPU::scaling_of_box(double thermostat) const
{
  static constexpr int FIRST_TILT = 3;    // yz xz xy
  Scaling s = {};
  for (int d = 0; d < 3; d++) {
    s.second[d] = barostat.factor_of_velocity(d, update->dt);
    s.first[d] = thermostat * s.second[d];
    if (barostat.c[FIRST_TILT + d].on) s.shear[d] = -0.5 * update->dt * barostat.c[FIRST_TILT + d].rate;
  }
  return s;
}

/* ----------------------------------------------------------------------
   Target and present values
------------------------------------------------------------------------- */

double FixNHGPU::kT() const
{
  return force->boltz * bath.target;
}

void FixNHGPU::set_temperature_target(bigint step)
{
  bath.target = bath.start + part_of_run(step) * (bath.stop - bath.start);
  kinetic_wanted = dof * kT();
}

std::string FixNHGPU::take_pressure()
{
  if (barostat.take(kinetic, virial, trace())) return "";
  return fmt::format("{}: the pressure is not a number, allowed is a finite one: the simulation is unstable", user);
}

/* ----------------------------------------------------------------------
   Chains are advanced by half a step
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
  return kT() * (barostat.shape() == BoxPressure::ISO ? 1 : barostat.number_of_rates());
}

/* ----------------------------------------------------------------------
   Answers to the engine
------------------------------------------------------------------------- */

std::string FixNHGPU::answer(bigint step, int operation, const StepSums *sums)
{
  if (sums) take_kinetic(*sums);
  if (barostat.is_on()) barostat.drag = 1.0 - update->dt * barostat.highest_frequency() * drag / ploop;
  const std::string wrong =
      operation == asked.at_end ? end_step(step) : operation == asked.at_begin ? begin_step(step) : begin_box(step);
  if (wrong.empty() && bath.on && !std::isfinite(temperature_now))
    return fmt::format("{}: Tdamp {}: the temperature is {}, allowed is a longer Tdamp or a shorter time step", user,
                       bath.period, temperature_now);
  return wrong.empty() ? why_box_is_lost() : wrong;
}

std::string FixNHGPU::why_box_is_lost() const
{
  static constexpr const char *const NAMES[] = {"x", "y", "z", "yz", "xz", "xy"};
  for (int k = 0; k < BoxPressure::NCOMPONENTS; k++) {
    const BoxPressure::Component &c = barostat.c[k];
    const double edge = domain->h[k];
    if (c.on && !(std::isfinite(c.rate) && std::isfinite(edge) && (edge > 0.0 || k >= BoxPressure::YZ_TILT)))
      return fmt::format("{}: Pdamp {}: {} of the box is {}, its rate {}, allowed is a longer Pdamp or a shorter time step",
                         user, c.period, NAMES[k], edge, c.rate);
  }
  return "";
}

std::string FixNHGPU::end_step(bigint step)
{
  std::string wrong;
  find_temperature();
  if (barostat.is_on()) {
    take_virial();
    wrong = take_pressure();
    pressure()->addstep(step + 1);
    barostat.advance_rates(kinetic, dof * force->boltz * temperature_now, update->dt);
  }
  of_final = scaling_by(advance_chain());
  advance_box_chain();
  carried = true;
  return wrong;
}

std::string FixNHGPU::begin_step(bigint step)
{
  advance_box_chain();
  if (bath.on) set_temperature_target(step);
  const double factor = advance_chain();
  of_initial = scaling_by(factor);
  if (recounts || !barostat.is_on()) return "";
  const std::string wrong = begin_box(step);
  of_initial = scaling_of_box(factor);
  return wrong;
}

std::string FixNHGPU::begin_box(bigint step)
{
  std::string wrong = take_pressure();
  pressure()->addstep(step + 1);
  barostat.set_targets(part_of_run(step), step - update->beginstep);
  barostat.advance_rates(kinetic, dof * force->boltz * temperature_now, update->dt);
  of_box = scaling_of_box(1.0);
  for (double *numbers : remap) barostat.change_box(update->dt, numbers);
  if (barostat.is_tilted_too_far() && wrong.empty())
    wrong = fmt::format("{}: the box has been tilted by more than 1.5 of its edge, allowed is less: it is far from equilibrium",
                        user);
  return wrong;
}
