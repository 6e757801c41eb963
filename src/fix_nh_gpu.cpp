/* Nose-Hoover thermostats and barostats: LAMMPS's fixes nvt, nph and npt, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   Equations and their order are those of LAMMPS's fixes, see nose_hoover_chain.h and nose_hoover_barostat.h. In each step the
   host needs one set of sums, in the second half, when velocities have been kicked: kinetic energies and virial. All factors of
   this half and of the first half of the next step follow from them, as scaled velocities have scaled energies. So the
   particles of a step are gone through twice, and the host is asked once. */

#include "fix_nh_gpu.h"

#include "resident_styles.h"

#include "compute.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
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
    FixStep(lmp, narg, arg), bath(), mtchain(3), mpchain(3), tloop(1), ploop(1), drag(0.0), ptemp(0.0), flips(true),
    dilate_bit(1), barostat(lmp), chain(0, 1), box_chain(0, 1), dof(0.0), temperature_now(0.0), kinetic_wanted(0.0),
    reference_temperature(0.0), kinetic(), virial(), carried(false), box_kT(0.0), in_run(0.0), forces(lmp), counter(lmp, user),
    owns_temperature(true), owns_pressure(true), recounts(false), remap(), asked()
{
  read(narg, arg);
  check();
  if (bath.on) chain = NoseHooverChain(mtchain, tloop);
  if (barostat.is_on()) box_chain = NoseHooverChain(mpchain, ploop);
  set_scaling(of_final, 1.0, false);
  of_initial = of_box = of_final;

  static constexpr int BOX_CHANGES[] = {BOX_CHANGE_X, BOX_CHANGE_Y, BOX_CHANGE_Z, BOX_CHANGE_YZ, BOX_CHANGE_XZ, BOX_CHANGE_XY};
  for (int k = 0; k < NoseHooverBarostat::NCOMPONENTS; k++)
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
  if (barostat.is_on()) size_vector += 4 * barostat.number_of_components() + 4 * box_chain.links() + (barostat.deviatoric ? 1 : 0);
  make_computes();
}

FixNHGPU::~FixNHGPU()
{
  if (owns_pressure && pressure()) modify->delete_compute(id_pressure);
  if (owns_temperature && temperature()) modify->delete_compute(id_temperature);
}

/* ----------------------------------------------------------------------
   pressures are those of all atoms
------------------------------------------------------------------------- */

void FixNHGPU::make_computes()
{
  id_temperature = std::string(id) + "_temp";
  const std::string of = barostat.is_on() ? "all" : group->names[igroup];
  modify->add_compute(fmt::format("{} {} temp/exact/gpu", id_temperature, of), 0);
  owns_pressure = barostat.is_on();
  if (!owns_pressure) return;
  id_pressure = std::string(id) + "_press";
  modify->add_compute(fmt::format("{} all pressure {}", id_pressure, id_temperature), 0);
}

Compute *FixNHGPU::temperature() const
{
  return modify->get_compute_by_id(id_temperature);
}

Compute *FixNHGPU::pressure() const
{
  return modify->get_compute_by_id(id_pressure);
}

/* ---------------------------------------------------------------------- */

int FixNHGPU::modify_param(int narg, char **arg)
{
  const bool of_temperature = strcmp(arg[0], "temp") == 0, of_pressure = strcmp(arg[0], "press") == 0;
  if (!of_temperature && !of_pressure) return 0;
  if (narg < 2) refuse(fmt::format("fix_modify {} without a value", arg[0]), "the ID of a compute");
  if (of_pressure && !barostat.is_on()) refuse("fix_modify press", "a fix with a barostat");
  std::string &mine = of_temperature ? id_temperature : id_pressure;
  bool &owns = of_temperature ? owns_temperature : owns_pressure;
  const Compute *const given = modify->get_compute_by_id(arg[1]);
  const char *const style = of_temperature ? "temp" : "pressure";
  if (!given || (strcmp(given->style, style) != 0 && !(of_temperature && is_exact_temperature(given))))
    refuse(fmt::format("fix_modify {} {}", arg[0], arg[1]),
           fmt::format("a compute of style {}; LAMMPS's own fix takes others (suffix off)",
                       of_temperature ? "temp or temp/exact/gpu" : "pressure"));
  if (owns) modify->delete_compute(mine);
  owns = false;
  mine = arg[1];
  if (of_temperature && barostat.is_on() && pressure()) pressure()->reset_extra_compute_fix(mine.c_str());
  return 2;
}

bool FixNHGPU::is_exact_temperature(const Compute *compute)
{
  return strcmp(compute->style, "temp/gpu") == 0 || strcmp(compute->style, "temp/exact/gpu") == 0;
}

/* ---------------------------------------------------------------------- */

void FixNHGPU::init()
{
  FixStep::init();
  if (!temperature()) refuse(fmt::format("compute {} does not exist any more", id_temperature), "that it stays");
  find_recounts();
  if (!barostat.is_on()) return;
  if (!pressure()) refuse(fmt::format("compute {} does not exist any more", id_pressure), "that it stays");
  if (!dilate.empty() && group->find(dilate) < 0) refuse(fmt::format("group {} does not exist any more", dilate), "that it stays");
  dilate_bit = dilate.empty() ? 1 : group->bitmask[group->find(dilate)];
  if (force->kspace) refuse("long-range forces", "none; LAMMPS's own fix has them (suffix off)");
  for (const Fix *fix : modify->get_fix_list())
    if (fix->rigid_flag)
      refuse(fmt::format("rigid bodies (fix {})", fix->id), "none in a box that changes; LAMMPS's own fix takes them along (suffix off)");
  barostat.init();
}

/* ----------------------------------------------------------------------
   between the second half of a step and the first of the next, velocities may be those
   of other fixes; and the temperature may be that of other atoms than are scaled
------------------------------------------------------------------------- */

void FixNHGPU::find_recounts()
{
  using namespace FixConst;
  recounts = bath.on && group->bitmask[temperature()->igroup] != groupbit;
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
   masses follow from the temperature wanted, or from that which the run begins with. In a run that goes on in its middle those
   of the box stay, and its reference, too
------------------------------------------------------------------------- */

void FixNHGPU::setup(int)
{
  static constexpr double LEAST_TEMPERATURE = 1e-6;
  const bigint step = update->ntimestep;
  count_kinetic();
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

  forces.take(units.energy, virial);
  barostat.set_targets(part_of_run(step), in_run != 0.0 ? -1 : step - update->beginstep);
  if (in_run == 0.0) box_kT = kT();
  in_run = 0.0;
  if (const std::string wrong = take_pressure(); !wrong.empty()) error->all(FLERR, "{}", wrong);
  check_pressure();
  pressure()->addstep(step + 1);
  barostat.set_masses(box_kT);
  const double slowest = 1.0 / barostat.highest_frequency(), mass = box_kT * slowest * slowest;
  box_chain.set_masses(mass, mass);
  box_chain.find_forces(kT());
}

/* ----------------------------------------------------------------------
   a compute that somebody has given has keywords that tell what it leaves out, and
   keeps them to itself
------------------------------------------------------------------------- */

void FixNHGPU::check_pressure()
{
  static constexpr double CLOSE = 1e-6;
  if (owns_pressure) return;
  Compute *const given = pressure();
  const double sum = virial[0] + virial[1] + (domain->dimension == 3 ? virial[2] : 0.0);
  const double unit = force->nktv2p / (domain->dimension * barostat.volume());
  const double whole = (trace() + sum) * unit, size = (std::fabs(trace()) + std::fabs(sum)) * unit;
  if (std::fabs(given->compute_scalar() - whole) > CLOSE * size)
    refuse(fmt::format("compute {} for the pressure: it is {}, and that of all forces with the temperature {} is {}", id_pressure,
                       given->scalar, id_temperature, whole),
           "a compute pressure without keywords; LAMMPS's own fix takes others (suffix off)");
}

/* ---------------------------------------------------------------------- */

void FixNHGPU::reset_target(double t)
{
  bath.target = bath.start = bath.stop = t;
}
