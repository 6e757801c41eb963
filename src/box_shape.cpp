/* LAMMPS's box as numbers.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "box_shape.h"

#include "domain.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

BoxShape BoxShape::of(const Domain *domain)
{
  BoxShape s;
  std::copy(domain->boxlo, domain->boxlo + 3, s.lo);
  std::copy(domain->boxhi, domain->boxhi + 3, s.hi);
  s.tilt[0] = domain->xy;
  s.tilt[1] = domain->xz;
  s.tilt[2] = domain->yz;
  std::copy(domain->h_rate, domain->h_rate + 6, s.rate);
  std::copy(domain->h_ratelo, domain->h_ratelo + 3, s.rate_of_lo);
  return s;
}

void BoxShape::give_to(Domain *domain) const
{
  std::copy(lo, lo + 3, domain->boxlo);
  std::copy(hi, hi + 3, domain->boxhi);
  domain->xy = tilt[0];
  domain->xz = tilt[1];
  domain->yz = tilt[2];
  std::copy(rate, rate + 6, domain->h_rate);
  std::copy(rate_of_lo, rate_of_lo + 3, domain->h_ratelo);
  domain->set_global_box();
  domain->set_local_box();
}

bool BoxShape::operator==(const BoxShape &other) const
{
  return memcmp(this, &other, sizeof *this) == 0;
}

/* ----------------------------------------------------------------------
   The distance between two faces is 1 / the length of a row of the inverse matrix of
   edges
------------------------------------------------------------------------- */

void BoxShape::widths2(double w[3]) const
{
  const double x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
  const double yz = -tilt[2] / (y * z), xy = -tilt[0] / (x * y), xz = (tilt[2] * tilt[0] - y * tilt[1]) / (x * y * z);
  w[0] = 1.0 / (1.0 / (x * x) + xy * xy + xz * xz);
  w[1] = 1.0 / (1.0 / (y * y) + yz * yz);
  w[2] = z * z;
}
