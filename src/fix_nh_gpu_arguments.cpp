/* Nose-Hoover thermostats and barostats: arguments.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nh_gpu.h"

#include "domain.h"
#include "group.h"

#include <cstring>

using namespace LAMMPS_NS;

enum { YZ_TILT = 3, XZ_TILT, XY_TILT };

static bool is(const char *word, const char *keyword)
{
  return strcmp(word, keyword) == 0;
}

static int index_of(const char *word, const char *const *names, int n)
{
  for (int k = 0; k < n; k++)
    if (is(word, names[k])) return k;
  return -1;
}

/* ---------------------------------------------------------------------- */

int FixNHGPU::count(const char *word, const char *what, int least) const
{
  const int n = utils::inumeric(FLERR, word, false, lmp);
  if (n < least) refuse(fmt::format("{} {}", what, word), fmt::format("{} >= {}", what, least));
  return n;
}

void FixNHGPU::read(int narg, char **arg)
{
  for (int k = 3; k < narg; k++) {
    if (is(arg[k], "temp")) {
      if (k + 3 >= narg) refuse("temp with too few values", "temp Tstart Tstop Tdamp");
      bath = {true, number(arg[k + 1], "Tstart"), number(arg[k + 2], "Tstop"), number(arg[k + 3], "Tdamp"), 0.0};
      bath.target = bath.start;
      if (!(bath.start > 0.0 && bath.stop > 0.0))
        refuse(fmt::format("Tstart {} and Tstop {}", arg[k + 1], arg[k + 2]), "both > 0");
      if (!(bath.period > 0.0)) refuse(fmt::format("Tdamp {}", arg[k + 3]), "Tdamp > 0");
      k += 3;
    } else if (!read_chain(k, narg, arg) && !read_pressure(k, narg, arg) && !read_box(k, narg, arg))
      refuse(fmt::format("keyword {}", arg[k]),
             "temp, iso, aniso, tri, x, y, z, xy, xz, yz, couple, tchain, pchain, mtk, tloop, ploop, nreset, drag, ptemp, "
             "dilate, scalexy, scalexz, scaleyz, flip, fixedpoint; LAMMPS's own fix may have it (suffix off)");
  }
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
   pressures that are wanted
------------------------------------------------------------------------- */

void FixNHGPU::set_pressure(int k, double start, double stop, double period)
{
  if (domain->dimension == 2 && k != 0 && k != 1 && k != XY_TILT) return;
  NoseHooverBarostat::Component &c = barostat.c[k];
  c.on = true;
  c.start = start;
  c.stop = stop;
  c.period = period;
  if (k >= YZ_TILT) barostat.scale[k] = false;
}

bool FixNHGPU::read_pressure(int &k, int narg, char **arg)
{
  static const char *const COMPONENTS[] = {"x", "y", "z", "yz", "xz", "xy"}, *const ALL[] = {"iso", "aniso", "tri"};
  const int component = index_of(arg[k], COMPONENTS, 6), all = index_of(arg[k], ALL, 3);
  if (component < 0 && all < 0) return false;
  const std::string word = arg[k];
  if (k + 3 >= narg) refuse(word + " with too few values", word + " Pstart Pstop Pdamp");
  const double start = number(arg[k + 1], "Pstart"), stop = number(arg[k + 2], "Pstop"), period = number(arg[k + 3], "Pdamp");
  if (!(period > 0.0)) refuse(fmt::format("Pdamp {}", arg[k + 3]), "Pdamp > 0");
  k += 3;
  if (component >= 0) {
    if (domain->dimension == 2 && component >= 2 && component != XY_TILT)
      refuse(fmt::format("keyword {} in two dimensions", word), "x, y, xy");
    set_pressure(component, start, stop, period);
    barostat.deviatoric = true;
    return true;
  }
  for (int c = 0; c < 3; c++) set_pressure(c, start, stop, period);
  for (int c = YZ_TILT; c <= XY_TILT && word == "tri"; c++) set_pressure(c, 0.0, 0.0, period);
  barostat.couple = word == "iso" ? NoseHooverBarostat::XYZ : NoseHooverBarostat::NONE;
  return true;
}

/* ----------------------------------------------------------------------
   how the box follows
------------------------------------------------------------------------- */

bool FixNHGPU::read_box(int &k, int narg, char **arg)
{
  static const char *const COUPLES[] = {"none", "xyz", "xy", "yz", "xz"};
  static const char *const SCALES[] = {"scaleyz", "scalexz", "scalexy"};
  if (const int tilt = index_of(arg[k], SCALES, 3); tilt >= 0)
    barostat.scale[YZ_TILT + tilt] = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
  else if (is(arg[k], "couple")) {
    const int couple = index_of(next(k, narg, arg), COUPLES, 5);
    if (couple < 0) refuse(fmt::format("couple {}", arg[k]), "none, xyz, xy, yz, xz");
    barostat.couple = static_cast<NoseHooverBarostat::Couple>(couple);
  } else if (is(arg[k], "mtk"))
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
    for (double &at : barostat.fixed) at = number(next(k, narg, arg), "fixedpoint");
  } else
    return false;
  return true;
}

/* ----------------------------------------------------------------------
   what does not go together
------------------------------------------------------------------------- */

void FixNHGPU::check_couple() const
{
  static const char *const NAMES[] = {"none", "xyz", "xy", "yz", "xz"};
  static constexpr bool COUPLED[][3] = {{false, false, false}, {true, true, true}, {true, true, false}, {false, true, true}, {true, false, true}};
  const bool *const coupled = COUPLED[barostat.couple];
  const NoseHooverBarostat::Component *first = nullptr;
  for (int k = 0; k < domain->dimension; k++) {
    if (!coupled[k]) continue;
    const NoseHooverBarostat::Component &c = barostat.c[k];
    if (!first) first = &c;
    if (!c.on || c.start != first->start || c.stop != first->stop || c.period != first->period)
      refuse(fmt::format("couple {} of axes with different pressures or without one", NAMES[barostat.couple]),
             "the same Pstart, Pstop and Pdamp for these axes");
  }
  if (domain->dimension == 2 && coupled[2] && barostat.couple != NoseHooverBarostat::XYZ)
    refuse(fmt::format("couple {} in two dimensions", NAMES[barostat.couple]), "none, xy");
}

void FixNHGPU::check_axes() const
{
  static const char *const NAMES[] = {"x", "y", "z", "yz", "xz", "xy"};
  static constexpr int AXIS[] = {0, 1, 2, 2, 2, 1};    // along which the box has to be periodic
  for (int k = 0; k < NoseHooverBarostat::NCOMPONENTS; k++) {
    const bool changes = barostat.c[k].on || (k >= YZ_TILT && barostat.scale[k]);
    if (changes && !domain->periodicity[AXIS[k]])
      refuse(fmt::format("{} in a box that is not periodic along {}", NAMES[k], NAMES[AXIS[k]]), "boundary p there");
    if (k >= YZ_TILT && barostat.c[k].on && !domain->triclinic)
      refuse(fmt::format("{} in a box that is not triclinic", NAMES[k]), "a triclinic box (region prism, change_box triclinic)");
    if (k >= YZ_TILT && barostat.c[k].on && barostat.scale[k])
      refuse(fmt::format("both {0} and scale{0} yes", NAMES[k]), "one of them");
  }
}

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
  check_couple();
  check_axes();
  const bool tilts = barostat.shape() == NoseHooverBarostat::TILTED || domain->xy != 0.0 || domain->xz != 0.0 || domain->yz != 0.0;
  if (tilts && flips)
    refuse("a box that is or will be tilted, and flip yes", "flip no; LAMMPS's own fix flips boxes (suffix off)");
}
