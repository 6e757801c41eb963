/* Nose-Hoover thermostats and barostats: arguments.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nh_gpu.h"

#include "domain.h"
#include "group.h"

#include <cstring>

using namespace LAMMPS_NS;

static const char *const TILTS[] = {"yz", "xz", "xy"}, *const SCALES[] = {"scaleyz", "scalexz", "scalexy"};
enum { FIRST_TILT = 3 };

static bool is(const char *word, const char *keyword)
{
  return strcmp(word, keyword) == 0;
}

/* ---------------------------------------------------------------------- */

void FixNHGPU::read(int narg, char **arg)
{
  for (int k = 3; k < narg; k++)
    if (!read_temperature(k, narg, arg) && !read_chain(k, narg, arg) && !read_pressures(k, narg, arg) &&
        !read_box(k, narg, arg))
      refuse(fmt::format("keyword {}", arg[k]),
             "temp, iso, aniso, tri, x, y, z, xy, xz, yz, couple, tchain, pchain, mtk, tloop, ploop, nreset, drag, ptemp, "
             "dilate, scalexy, scalexz, scaleyz, flip, fixedpoint; LAMMPS's own fix may have it (suffix off)");
}

bool FixNHGPU::read_temperature(int &k, int narg, char **arg)
{
  if (!is(arg[k], "temp")) return false;
  if (k + 3 >= narg) refuse("temp with too few values", "temp Tstart Tstop Tdamp");
  bath = {true, number(arg[k + 1], "Tstart"), number(arg[k + 2], "Tstop"), number(arg[k + 3], "Tdamp"), 0.0};
  bath.target = bath.start;
  if (!(bath.start > 0.0 && bath.stop > 0.0))
    refuse(fmt::format("Tstart {} and Tstop {}", arg[k + 1], arg[k + 2]), "both > 0");
  if (!(bath.period > 0.0)) refuse(fmt::format("Tdamp {}", arg[k + 3]), "Tdamp > 0");
  k += 3;
  return true;
}

bool FixNHGPU::read_chain(int &k, int narg, char **arg)
{
  if (is(arg[k], "tchain"))
    mtchain = count(next(k, narg, arg), "tchain", 1);
  else if (is(arg[k], "pchain"))
    mpchain = count(next(k, narg, arg), "pchain", 0);
  else if (is(arg[k], "tloop"))
    tloop = count(next(k, narg, arg), "tloop", 1);
  else if (is(arg[k], "ploop"))
    ploop = count(next(k, narg, arg), "ploop", 1);
  else if (is(arg[k], "drag")) {
    drag = number(next(k, narg, arg), "drag");
    if (!(drag >= 0.0)) refuse(fmt::format("drag {}", arg[k]), "drag >= 0");
  } else
    return false;
  return true;
}

/* ----------------------------------------------------------------------
   A tilt factor with its own pressure is not scaled with its edge
------------------------------------------------------------------------- */

bool FixNHGPU::read_pressures(int &k, int narg, char **arg)
{
  bool before[BoxPressure::NCOMPONENTS];
  for (int c = 0; c < BoxPressure::NCOMPONENTS; c++) before[c] = barostat.c[c].on;
  if (!read_pressure(barostat, k, narg, arg, true, &barostat.deviatoric)) return false;
  for (int c = FIRST_TILT; c < BoxPressure::NCOMPONENTS; c++)
    if (barostat.c[c].on && !before[c]) barostat.scale[c] = false;
  return true;
}

/* ----------------------------------------------------------------------
   Keywords that say how the box follows pressures
------------------------------------------------------------------------- */

bool FixNHGPU::read_box(int &k, int narg, char **arg)
{
  for (int tilt = 0; tilt < 3; tilt++)
    if (is(arg[k], SCALES[tilt])) {
      barostat.scale[FIRST_TILT + tilt] = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
      return true;
    }
  if (is(arg[k], "mtk"))
    barostat.mtk = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
  else if (is(arg[k], "nreset"))
    barostat.nreset = count(next(k, narg, arg), "nreset", 0);
  else if (is(arg[k], "flip"))
    flips = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
  else if (is(arg[k], "ptemp")) {
    ptemp = number(next(k, narg, arg), "ptemp");
    if (!(ptemp > 0.0)) refuse(fmt::format("ptemp {}", arg[k]), "ptemp > 0");
  } else if (is(arg[k], "dilate")) {
    dilate = next(k, narg, arg);
    if (group->find(dilate) < 0) refuse(fmt::format("dilate {}", dilate), "the ID of a group");
  } else if (is(arg[k], "fixedpoint")) {
    barostat.names_fixed = true;
    for (double &at : barostat.fixed) at = number(next(k, narg, arg), "fixedpoint");
  } else
    return false;
  return true;
}

/* ----------------------------------------------------------------------
   Checks arguments that exclude each other
------------------------------------------------------------------------- */

void FixNHGPU::check() const
{
  const bool wants_temperature = strncmp(style, "nph", 3) != 0, wants_pressure = strncmp(style, "nvt", 3) != 0;
  if (bath.on != wants_temperature)
    refuse(bath.on ? "temp" : "no temp", wants_temperature ? "temp Tstart Tstop Tdamp" : "no temp in nph");
  if (barostat.is_on() != wants_pressure)
    refuse(wants_pressure ? "no pressure" : "a pressure",
           wants_pressure ? "iso, aniso, tri, x, y, z, xy, xz, yz" : "none of iso, aniso, tri, x, y, z, xy, xz, yz in nvt");
  if (bath.on && ptemp > 0.0) refuse("ptemp and temp", "ptemp in nph alone");
  if (!wants_pressure) return;
  check_pressures(barostat);
  check_scales();
  const bool tilted = domain->xy != 0.0 || domain->xz != 0.0 || domain->yz != 0.0;
  if (flips && (tilted || barostat.shape() == BoxPressure::TILTED))
    refuse("a box that is or will be tilted, and flip yes", "flip no; LAMMPS's own fix flips boxes (suffix off)");
}

void FixNHGPU::check_scales() const
{
  static constexpr int AXIS[] = {2, 2, 1};    // the box has to be periodic along this axis
  for (int tilt = 0; tilt < 3; tilt++) {
    if (!barostat.scale[FIRST_TILT + tilt]) continue;
    if (barostat.c[FIRST_TILT + tilt].on) refuse(fmt::format("both {} and {} yes", TILTS[tilt], SCALES[tilt]), "one of them");
    if (!domain->periodicity[AXIS[tilt]])
      refuse(fmt::format("{} yes in a box that is not periodic along {}", SCALES[tilt], "xyz"[AXIS[tilt]]), "boundary p there");
    if (domain->dimension == 2 && AXIS[tilt] == 2) refuse(fmt::format("{} yes in two dimensions", SCALES[tilt]), "scalexy");
  }
}
