/* A box that changes while atoms stay with the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "changing_box.h"

#include "comm.h"
#include "domain.h"
#include "neighbor.h"

#include "dpdsop/device/motion.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ChangingBox::ChangingBox(LAMMPS *lmp) : Pointers(lmp) {}

/* ----------------------------------------------------------------------
   Like LAMMPS, takes all 8 corners of a tilted box, and 2 of an orthogonal one
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

void ChangingBox::save_rebuild_state(bigint step)
{
  if (!domain->box_change) return;
  while (!rebuilds.empty() && rebuilds.back().step >= step) rebuilds.pop_back();
  rebuilds.push_back({step, BoxShape::of(domain), {}});
  find_corners(rebuilds.back().corners);
  if (rebuilds.size() > LIMIT) rebuilds.pop_front();
}

/* ----------------------------------------------------------------------
   The same distance as in Neighbor::check_distance(), which LAMMPS does not publish
------------------------------------------------------------------------- */

double ChangingBox::trigger2(double skin) const
{
  const int *const periodic = domain->periodicity;
  const bool images = periodic[0] || periodic[1] || (domain->dimension == 3 && periodic[2]);
  if (!domain->box_change || !images || rebuilds.empty()) return 0.25 * skin * skin;

  double now[8][3], way[8], first = 0.0, second = 0.0;
  const int n = domain->triclinic ? 8 : 2;
  find_corners(now);
  for (int k = 0; k < n; k++) way[k] = sqrt(ds_distance2(now[k], rebuilds.back().corners[k]));
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
   Records count half steps
------------------------------------------------------------------------- */

void ChangingBox::begin(bigint step, bool second_half)
{
  records.clear();
  record(step, second_half);
}

void ChangingBox::record(bigint step, bool second_half)
{
  const bigint now = 2 * step + (second_half ? 1 : 0);
  while (!records.empty() && records.back().half_step >= now) records.pop_back();
  records.push_back({now, BoxShape::of(domain)});
  if (records.size() > LIMIT) records.pop_front();
}

void ChangingBox::go_back(bigint step, bigint rebuilt)
{
  while (rebuilds.size() > 1 && rebuilds.back().step > rebuilt) rebuilds.pop_back();
  while (records.size() > 1 && records.back().half_step > 2 * step) records.pop_back();
  if (records.empty() || records.back().shape == BoxShape::of(domain)) return;
  records.back().shape.give_to(domain);
}

/* ----------------------------------------------------------------------
   Ghosts and bins are found in the box of the last rebuild. Afterwards they stay as they
   are, so comm->setup() is not called again
------------------------------------------------------------------------- */

ChangingBox::RebuildBox::RebuildBox(ChangingBox &b) : box(b), present(BoxShape::of(b.domain))
{
  if (!box.domain->box_change || box.rebuilds.empty()) return;
  box.rebuilds.back().shape.give_to(box.domain);
  box.comm->setup();
  if (box.neighbor->style) box.neighbor->setup_bins();
}

ChangingBox::RebuildBox::~RebuildBox()
{
  if (box.domain->box_change) present.give_to(box.domain);
}
