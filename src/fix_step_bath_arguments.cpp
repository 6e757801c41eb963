/* Thermostats and barostats: arguments that they have in common.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_bath.h"

#include "domain.h"

#include <cstring>

using namespace LAMMPS_NS;

static const char *const COMPONENTS[BoxPressure::NCOMPONENTS] = {"x", "y", "z", "yz", "xz", "xy"};
static const char *const COUPLES[] = {"none", "xyz", "xy", "yz", "xz"};

static int index_of(const char *word, const char *const *names, int n)
{
  for (int k = 0; k < n; k++)
    if (strcmp(word, names[k]) == 0) return k;
  return -1;
}

/* ---------------------------------------------------------------------- */

int FixStepBath::count(const char *word, const char *what, int least) const
{
  const int n = utils::inumeric(FLERR, word, false, lmp);
  if (n < least) refuse(fmt::format("{} {}", what, word), fmt::format("{} >= {}", what, least));
  return n;
}

/* ----------------------------------------------------------------------
   Reads the keywords of target pressures. Returns false if the word is another one
------------------------------------------------------------------------- */

bool FixStepBath::read_pressure(BoxPressure &box, int &k, int narg, char **arg, bool tilts, bool *single)
{
  static const char *const ALL[] = {"iso", "aniso", "tri"};
  if (strcmp(arg[k], "couple") == 0) {
    read_couple(box, next(k, narg, arg));
    return true;
  }
  const int component = index_of(arg[k], COMPONENTS, tilts ? 6 : 3), all = index_of(arg[k], ALL, tilts ? 3 : 2);
  if (component < 0 && all < 0) return false;
  const std::string word = arg[k];
  if (k + 3 >= narg) refuse(word + " with too few values", word + " Pstart Pstop Pdamp");
  const double start = number(arg[k + 1], "Pstart"), stop = number(arg[k + 2], "Pstop"), period = number(arg[k + 3], "Pdamp");
  if (!(period > 0.0)) refuse(fmt::format("Pdamp {}", arg[k + 3]), "Pdamp > 0");
  const bool flat = domain->dimension == 2;
  const auto set = [&box, flat, period](int c, double from, double to) {
    if (!flat || c == 0 || c == 1 || c == BoxPressure::XY_TILT) box.c[c] = {true, from, to, period, 0.0, 0.0, 0.0, 0.0, 0.0};
  };
  if (flat && component >= 2 && component != BoxPressure::XY_TILT)
    refuse(fmt::format("keyword {} in two dimensions", word), "x, y, xy");
  if (component >= 0) set(component, start, stop);
  for (int c = 0; c < 3 && all >= 0; c++) set(c, start, stop);
  for (int c = 3; c < 6 && word == "tri"; c++) set(c, 0.0, 0.0);
  if (all >= 0) box.couple = word == "iso" ? BoxPressure::XYZ : BoxPressure::NONE;
  if (component >= 0) *single = true;
  k += 3;
  return true;
}

void FixStepBath::read_couple(BoxPressure &box, const char *word) const
{
  const int couple = index_of(word, COUPLES, 5);
  if (couple < 0) refuse(fmt::format("couple {}", word), "none, xyz, xy, yz, xz");
  if (domain->dimension == 2 && couple > BoxPressure::XY)
    refuse(fmt::format("couple {} in two dimensions", word), "none, xyz, xy");
  box.couple = static_cast<BoxPressure::Couple>(couple);
}

/* ----------------------------------------------------------------------
   Checks arguments that exclude each other
------------------------------------------------------------------------- */

void FixStepBath::check_pressures(const BoxPressure &box) const
{
  static constexpr int AXIS[] = {0, 1, 2, 2, 2, 1};    // the box has to be periodic along this axis
  const BoxPressure::Component *first = nullptr;
  for (int k = 0; k < domain->dimension; k++) {
    const BoxPressure::Component &c = box.c[k];
    if (!box.is_coupled(k)) continue;
    if (!first) first = &c;
    if (!c.on || c.start != first->start || c.stop != first->stop || c.period != first->period)
      refuse(fmt::format("couple {} of axes with different pressures or without one", COUPLES[box.couple]),
             "the same Pstart, Pstop and Pdamp for these axes");
  }
  for (int k = 0; k < BoxPressure::NCOMPONENTS; k++) {
    if (!box.c[k].on) continue;
    if (!domain->periodicity[AXIS[k]])
      refuse(fmt::format("{} in a box that is not periodic along {}", COMPONENTS[k], COMPONENTS[AXIS[k]]), "boundary p there");
    if (k >= 3 && !domain->triclinic)
      refuse(fmt::format("{} in a box that is not triclinic", COMPONENTS[k]),
             "a triclinic box (region prism, change_box triclinic)");
  }
}
