/* Nose-Hoover thermostats and barostats: LAMMPS's fixes nvt, nph and npt, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   Equations and their order are those of LAMMPS's fixes, see nose_hoover_chain.h and nose_hoover_barostat.h. In each step the
   host needs sums only once: kinetic energies and virial, in the second half of the step, when velocities have been kicked. All
   factors of this half and of the first half of the next step follow from these sums, because scaling velocities scales
   energies. So a step goes through the particles twice, and asks the host once. */

#include "fix_nh_gpu.h"

#include "resident_styles.h"

#include "compute.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixNHGPU::FixNHGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepBath(lmp, narg, arg), bath(), mtchain(3), mpchain(3), tloop(1), ploop(1), drag(0.0), ptemp(0.0), flips(true),
    dilate_bit(1), barostat(lmp), chain(0, 1), box_chain(0, 1), kinetic_wanted(0.0), reference_temperature(0.0), carried(false),
    box_kT(0.0), in_run(0.0), counted(), recounts(false), of_final(scaling_by(1.0)), of_initial(of_final), of_box(of_final),
    remap(), asked()
{
  read(narg, arg);
  check();
  if (bath.on) chain = NoseHooverChain(mtchain, tloop);
  if (barostat.is_on()) box_chain = NoseHooverChain(mpchain, ploop);
  tensor = barostat.needs_tensor();

  static constexpr int BOX_CHANGES[] = {BOX_CHANGE_X, BOX_CHANGE_Y, BOX_CHANGE_Z, BOX_CHANGE_YZ, BOX_CHANGE_XZ, BOX_CHANGE_XY};
  for (int k = 0; k < BoxPressure::NCOMPONENTS; k++)
    if (barostat.c[k].on) box_change |= BOX_CHANGES[k];
  if (barostat.is_on()) no_change_box = 1;
  if (!dilate.empty() && barostat.is_on()) restart_pbc = 1;

  restart_global = time_integrate = 1;
  scalar_flag = vector_flag = 1;
  global_freq = 1;
  extscalar = 1;
  extvector = 0;
  ecouple_flag = 1;
  size_vector = 4 * chain.links();
  if (barostat.is_on())
    size_vector += 4 * barostat.number_of_components() + 4 * box_chain.links() + (barostat.deviatoric ? 1 : 0);
  make_computes(barostat.is_on() ? "all" : group->names[igroup], barostat.is_on());    // a pressure is that of all atoms
}

/* ---------------------------------------------------------------------- */

void FixNHGPU::init()
{
  FixStepBath::init();
  find_recounts();
  if (!barostat.is_on()) return;
  if (!dilate.empty() && group->find(dilate) < 0)
    refuse(fmt::format("group {} does not exist any more", dilate), "that it stays");
  dilate_bit = dilate.empty() ? 1 : group->bitmask[group->find(dilate)];
  barostat.init();
}

/* ----------------------------------------------------------------------
   Between the two halves, other fixes may change velocities. Or the temperature may
   belong to other atoms than those that are scaled. Kinetic energies are then added up
   again for the first half
------------------------------------------------------------------------- */

void FixNHGPU::find_recounts()
{
  using namespace FixConst;
  recounts = bath.on && group_of_temperature() != groupbit;
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *const fix = modify->fix[k];
    if (fix == this || strncmp(fix->style, "DPD_GPU/", 8) == 0) continue;
    const bool observes = ResidentStyles::among(ResidentStyles::OBSERVERS, fix->style) || strncmp(fix->style, "deform", 6) == 0;
    const int moves = INITIAL_INTEGRATE | FINAL_INTEGRATE | (observes ? 0 : END_OF_STEP);
    if (modify->fmask[k] & moves) recounts = true;
  }
  recounts = recounts && barostat.is_on();
}

/* ----------------------------------------------------------------------
   Masses are computed from the target temperature, or from the temperature at the
   beginning of the run. If a run goes on in its middle, the masses and the reference of
   the box stay as they were
------------------------------------------------------------------------- */

void FixNHGPU::setup(int)
{
  static constexpr double LEAST_TEMPERATURE = 1e-6;
  const bigint step = update->ntimestep;
  carry_kinetic();
  const bool goes_on = in_run != 0.0;
  in_run = 0.0;
  if (bath.on)
    set_temperature_target(step);
  else {
    if (reference_temperature == 0.0) reference_temperature = ptemp > 0.0 ? ptemp : temperature_now;
    if (reference_temperature < LEAST_TEMPERATURE)
      refuse(fmt::format("a start at temperature {}", reference_temperature), "one above 1e-6, or ptemp T");
    bath.target = reference_temperature;
  }
  chain.set_masses(dof * kT() * bath.period * bath.period, kT() * bath.period * bath.period);
  chain.find_forces(kT());
  if (!barostat.is_on()) return;

  post_force(0);
  take_virial();
  barostat.set_targets(part_of_run(step), goes_on ? -1 : step - update->beginstep);
  if (!goes_on) box_kT = kT();
  if (const std::string wrong = take_pressure(); !wrong.empty()) error->all(FLERR, "{}", wrong);
  check_pressure();
  pressure()->addstep(step + 1);
  barostat.set_masses(box_kT);
  const double slowest = 1.0 / barostat.highest_frequency(), mass = box_kT * slowest * slowest;
  box_chain.set_masses(mass, mass);
  box_chain.find_forces(kT());
}

/* ----------------------------------------------------------------------
   A set-up adds kinetic energies up. If they equal those that the last step has led to,
   except for rounding, the latter are taken. So a run in parts, or from a restart file,
   has the same bits as one whole run. A file from the middle of a run also has the sums of
   its atoms, as other fixes may have changed velocities after this one had acted. If these
   sums are found again, the energies of the last step are taken, too
------------------------------------------------------------------------- */

void FixNHGPU::carry_kinetic()
{
  static constexpr double ROUNDINGS = 1e-12;
  const double old_temperature = temperature_now;
  double before[NSUMS];
  std::copy(kinetic, kinetic + NSUMS, before);
  count_kinetic(kinetic);
  const bool as_written = in_run != 0.0 && std::equal(kinetic, kinetic + NSUMS, counted);
  for (int k = 0; k < NSUMS; k++)
    carried = carried && (as_written || std::fabs(before[k] - kinetic[k]) <= ROUNDINGS * trace());
  if (carried) std::copy(before, before + NSUMS, kinetic);
  find_temperature();
  if (carried && (as_written || std::fabs(old_temperature - temperature_now) <= ROUNDINGS * temperature_now))
    temperature_now = old_temperature;
}

/* ---------------------------------------------------------------------- */

void FixNHGPU::reset_target(double t)
{
  bath.target = bath.start = bath.stop = t;
}
