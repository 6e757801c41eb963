/* Fixes of LAMMPS that add a constant force, found out by their public interface.
   SPDX-License-Identifier: GPL-2.0-or-later

   Fix addforce tells nobody its constants, and neither fix says whether they are some. So it is called for one atom,
   and one sees what it does. With variables it first marks all computes as not yet called. With a region it leaves out
   atoms outside: the atom is put outside of each region that there is. */

#include "constant_forces.h"

#include "atom.h"
#include "compute.h"
#include "domain.h"
#include "fix.h"
#include "modify.h"
#include "region.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr int MARK = 1 << 20;     // as if a compute had been called, in a bit that none has
static constexpr int COMPARED = 1000;    // atoms whose rounding is looked at

/* ---------------------------------------------------------------------- */

ConstantForces::ConstantForces(LAMMPS *lmp) : Pointers(lmp) {}

bool ConstantForces::knows(const Fix *fix)
{
  return strcmp(fix->style, "gravity") == 0 || strcmp(fix->style, "addforce") == 0;
}

/* ----------------------------------------------------------------------
   the fix acts on atoms up to i, of which i is at x; what i gets
------------------------------------------------------------------------- */

bool ConstantForces::pushes_at(Fix *fix, int i, const double x[3], double push[3])
{
  const int nlocal = atom->nlocal;
  const size_t n = 3 * (static_cast<size_t>(i) + 1);
  double *const f = *atom->f, *const at = atom->x[i];
  const std::vector<double> forces(f, f + n);
  const double place[3] = {at[0], at[1], at[2]};
  memset(atom->f[i], 0, 3 * sizeof(double));
  memcpy(at, x, 3 * sizeof(double));
  atom->nlocal = i + 1;
  fix->post_force(0);
  atom->nlocal = nlocal;
  memcpy(push, atom->f[i], 3 * sizeof(double));
  memcpy(at, place, sizeof place);
  std::copy(forces.begin(), forces.end(), f);
  return push[0] != 0.0 || push[1] != 0.0 || push[2] != 0.0;
}

bool ConstantForces::has_variable(Fix *fix, int vflag)
{
  const auto &computes = modify->get_compute_list();
  for (Compute *compute : computes) compute->invoked_flag |= MARK;
  fix->post_force(vflag);
  bool cleared = computes.empty();
  for (Compute *compute : computes) {
    cleared = cleared || !(compute->invoked_flag & MARK);
    compute->invoked_flag &= ~MARK;
  }
  return cleared;
}

/* ----------------------------------------------------------------------
   a place outside of a region: nowhere, or its middle where the region is all
   around that
------------------------------------------------------------------------- */

static bool place_outside(Region *region, double x[3])
{
  region->prematch();
  x[0] = x[1] = x[2] = NAN;
  if (!region->match(x[0], x[1], x[2])) return true;
  x[0] = 0.5 * (region->extent_xlo + region->extent_xhi);
  x[1] = 0.5 * (region->extent_ylo + region->extent_yhi);
  x[2] = 0.5 * (region->extent_zlo + region->extent_zhi);
  return !region->match(x[0], x[1], x[2]);
}

bool ConstantForces::has_region(Fix *fix, int i)
{
  double x[3], push[3];
  for (Region *region : domain->get_region_list())
    if (!place_outside(region, x) || !pushes_at(fix, i, x, push)) return true;
  return false;
}

/* ---------------------------------------------------------------------- */

bool ConstantForces::read(Fix *fix, ds_push &push)
{
  int i = 0;
  while (i < atom->nlocal && !(atom->mask[i] & fix->groupbit)) i++;
  if (i == atom->nlocal || fix->nevery != 1 || fix->thermo_virial) return false;

  push.group = fix->groupbit;
  push.by_mass = strcmp(fix->style, "gravity") == 0;
  double seen[3];
  if (!pushes_at(fix, i, atom->x[i], seen)) return false;
  if (!push.by_mass) {
    memcpy(push.a, seen, sizeof seen);
    return !has_region(fix, i);
  }
  int dim = 0;
  const auto *a = static_cast<const double *>(fix->extract("gvec", dim));
  const double mass = atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]];
  if (!a || dim != 1) return false;
  memcpy(push.a, a, 3 * sizeof(double));
  for (int d = 0; d < 3; d++)
    if (seen[d] != mass * a[d]) return false;
  return true;
}

/* ---------------------------------------------------------------------- */

bool ConstantForces::watch(Fix *fix, int vflag, int fused, ds_push &push)
{
  const int n = std::min(atom->nlocal, COMPARED);
  std::vector<double> expected(n ? *atom->f : nullptr,
                               n ? *atom->f + 3 * static_cast<size_t>(n) : nullptr);
  if (has_variable(fix, vflag)) return false;
  const std::vector<double> found(n ? *atom->f : nullptr, n ? *atom->f + expected.size() : nullptr);
  if (!read(fix, push)) return false;

  ds_motion motion = {};
  motion.npushes = 1;
  motion.push[0] = push;
  motion.fused = fused;
  for (int i = 0; i < n; i++)
    ds_push_atom(&motion, atom->mask[i], atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]],
                 &expected[3 * static_cast<size_t>(i)]);
  return memcmp(found.data(), expected.data(), expected.size() * sizeof(double)) == 0;
}
