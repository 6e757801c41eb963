/* A box that a fix of LAMMPS changes while atoms stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "changing_box.h"

#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "fix.h"
#include "modify.h"
#include "neighbor.h"

#include "dpdsop/device/motion.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ChangingBox::ChangingBox(LAMMPS *lmp) : Pointers(lmp), held(), corners() {}

/* ---------------------------------------------------------------------- */

void ChangingBox::read(double *shape) const
{
  std::copy(domain->boxlo, domain->boxlo + 3, shape);
  std::copy(domain->boxhi, domain->boxhi + 3, shape + 3);
  shape[6] = domain->xy;
  shape[7] = domain->xz;
  shape[8] = domain->yz;
}

void ChangingBox::set(const double *shape)
{
  std::copy(shape, shape + 3, domain->boxlo);
  std::copy(shape + 3, shape + 6, domain->boxhi);
  domain->xy = shape[6];
  domain->xz = shape[7];
  domain->yz = shape[8];
  domain->set_global_box();
  domain->set_local_box();
}

/* ----------------------------------------------------------------------
   of a box that is not tilted LAMMPS looks at two
------------------------------------------------------------------------- */

void ChangingBox::find_corners(double (*to)[3]) const
{
  if (domain->triclinic) {
    domain->box_corners();
    std::copy(&domain->corners[0][0], &domain->corners[0][0] + 24, &to[0][0]);
  } else {
    std::copy(domain->boxlo, domain->boxlo + 3, to[0]);
    std::copy(domain->boxhi, domain->boxhi + 3, to[1]);
  }
}

void ChangingBox::hold()
{
  if (!domain->box_change) return;
  read(held);
  find_corners(corners);
}

/* ----------------------------------------------------------------------
   as Neighbor::check_distance() has it, which keeps its own to itself
------------------------------------------------------------------------- */

double ChangingBox::trigger2(double skin) const
{
  const int *const periodic = domain->periodicity;
  const bool images = periodic[0] || periodic[1] || (domain->dimension == 3 && periodic[2]);
  if (!domain->box_change || !images) return 0.25 * skin * skin;

  double now[8][3], way[8], first = 0.0, second = 0.0;
  const int n = domain->triclinic ? 8 : 2;
  find_corners(now);
  for (int k = 0; k < n; k++) way[k] = sqrt(ds_distance2(now[k], corners[k]));
  for (int k = 0; k < n && domain->triclinic; k++) {
    if (way[k] > first)
      first = way[k];
    else if (way[k] > second)
      second = way[k];
  }
  if (!domain->triclinic) first = way[0], second = way[1];
  const double half = std::max(0.0, 0.5 * (skin - (first + second)));
  return half * half;
}

/* ----------------------------------------------------------------------
   who evaluates variables clears the marks of computes first. Where there is no
   compute to mark, it may be either
------------------------------------------------------------------------- */

bool ChangingBox::change(Fix *fix)
{
  static constexpr int MARK = -1;
  if (modify->ncompute == 0) {
    fix->end_of_step();
    return true;
  }
  Compute *const witness = modify->compute[0];
  const int before = witness->invoked_flag;
  witness->invoked_flag = MARK;
  fix->end_of_step();
  const bool reads_variables = witness->invoked_flag != MARK;
  if (!reads_variables) witness->invoked_flag = before;
  return reads_variables;
}

/* ----------------------------------------------------------------------
   ghosts and bins are found in it, and are to stay so afterwards
------------------------------------------------------------------------- */

ChangingBox::Held::Held(ChangingBox &b) : box(b)
{
  if (!box.domain->box_change) return;
  box.read(present);
  box.set(box.held);
  box.comm->setup();
  if (box.neighbor->style) box.neighbor->setup_bins();
}

ChangingBox::Held::~Held()
{
  if (box.domain->box_change) box.set(present);
}
