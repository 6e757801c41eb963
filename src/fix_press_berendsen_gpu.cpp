/* Berendsen's barostat: LAMMPS's fix press/berendsen, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later

   Berendsen, Postma, van Gunsteren, DiNola and Haak, J. Chem. Phys. 81, 3684 (1984). */

#include "fix_press_berendsen_gpu.h"

#include "compute.h"
#include "domain.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixPressBerendsenGPU::FixPressBerendsenGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepBath(lmp, narg, arg), box(lmp), modulus(10.0), all(true), remap()
{
  bool ignored = false;
  for (int k = 3; k < narg; k++) {
    if (read_pressure(box, k, narg, arg, false, &ignored)) continue;
    if (strcmp(arg[k], "modulus") == 0) {
      modulus = number(next(k, narg, arg), "modulus");
      if (!(modulus > 0.0)) refuse(fmt::format("modulus {}", arg[k]), "modulus > 0");
    } else if (strcmp(arg[k], "dilate") == 0) {
      const std::string who = next(k, narg, arg);
      if (who != "all" && who != "partial") refuse("dilate " + who, "all, partial");
      all = who == "all";
    } else
      refuse(fmt::format("keyword {}", arg[k]), "iso, aniso, x, y, z, couple, modulus, dilate");
  }
  if (!box.is_on()) refuse("no pressure", "iso, aniso, x, y, z");
  check_pressures(box);
  tensor = box.needs_tensor();
  static constexpr int BOX_CHANGES[] = {BOX_CHANGE_X, BOX_CHANGE_Y, BOX_CHANGE_Z};
  for (int k = 0; k < 3; k++)
    if (box.c[k].on) box_change |= BOX_CHANGES[k];
  nevery = 1;
  if (!all) restart_pbc = 1;
  std::fill(remap, remap + 3, 1.0);
  make_computes("all", true);
}

/* ---------------------------------------------------------------------- */

void FixPressBerendsenGPU::init()
{
  FixStepBath::init();
  if (domain->triclinic) refuse("a triclinic box", "an orthogonal box; fix npt and nph have triclinic ones");
}

void FixPressBerendsenGPU::setup(int)
{
  count_kinetic(kinetic);
  find_temperature();
  post_force(0);
  take_virial();
  check_pressure();
  pressure()->addstep(update->ntimestep + 1);
}

/* ---------------------------------------------------------------------- */

void FixPressBerendsenGPU::declare(StepRecords &r, bigint)
{
  const int sum = add_sum(r, DS_AT_END);
  add_remap(r, DS_AT_END, all ? 1 : groupbit, remap);
  r.operations.back().flags = DS_ASKS | DS_AFTER_SUMS;
  r.operations.back().from = sum;
}

std::string FixPressBerendsenGPU::answer(bigint step, int, const StepSums *sums)
{
  take_kinetic(*sums);
  take_virial();
  pressure()->addstep(step + 1);
  box.set_targets(part_of_run(step));
  if (!box.take(kinetic, virial, trace()))
    return fmt::format("{}: the pressure is not a number, allowed is a finite one: the simulation is unstable", user);
  return change_box();
}

/* ----------------------------------------------------------------------
   Newton's method, starting at 1: its operations have the same bits on every machine,
   which those of a library may not have
------------------------------------------------------------------------- */

static double cube_root(double x)
{
  double root = 1.0;
  for (int k = 0; k < 100; k++) {
    const double step = (root - x / (root * root)) / 3.0;
    root -= step;
    if (std::fabs(step) < 1e-16 * root) break;
  }
  return root;
}

std::string FixPressBerendsenGPU::change_box()
{
  BoxRemap way(domain);
  for (int k = 0; k < 3; k++) {
    const BoxPressure::Component &c = box.c[k];
    if (!c.on) continue;
    const double volume = 1.0 - update->dt / c.period * (c.target - c.current) / modulus;
    if (!(volume > 0.0))
      return fmt::format(
          "{}: pressure {}, wanted {}, would take away all of the box in a step, allowed is a longer Pdamp or a larger modulus",
          user, c.current, c.target);
    const double factor = cube_root(volume), center = 0.5 * (domain->boxlo[k] + domain->boxhi[k]);
    domain->boxlo[k] = (domain->boxlo[k] - center) * factor + center;
    domain->boxhi[k] = (domain->boxhi[k] - center) * factor + center;
  }
  way.finish(remap);
  return "";
}
