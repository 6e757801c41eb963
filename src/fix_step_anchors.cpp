/* Internal fix: positions by atom that a style of this package refers to.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_anchors.h"

#include "atom.h"
#include "domain.h"
#include "memory.h"
#include "modify.h"

#include <algorithm>

using namespace LAMMPS_NS;

static std::string id_of_anchors(const std::string &owner)
{
  return owner + "_ANCHORS";
}

/* ---------------------------------------------------------------------- */

FixStepAnchors *FixStepAnchors::keep(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepAnchors *>(
      lmp->modify->add_fix(fmt::format("{} all {}", id_of_anchors(owner), STYLE)));
}

FixStepAnchors *FixStepAnchors::make_room(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepAnchors *>(
      lmp->modify->add_fix(fmt::format("{} all {} zeros", id_of_anchors(owner), STYLE)));
}

FixStepAnchors *FixStepAnchors::of(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepAnchors *>(lmp->modify->get_fix_by_id(id_of_anchors(owner)));
}

double **FixStepAnchors::rows_of(LAMMPS *lmp, const std::string &owner)
{
  FixStepAnchors *const kept = of(lmp, owner);
  return kept ? kept->anchor : nullptr;
}

void FixStepAnchors::drop(LAMMPS *lmp, const std::string &owner)
{
  if (lmp->modify->nfix && of(lmp, owner)) lmp->modify->delete_fix(id_of_anchors(owner));
}

/* ---------------------------------------------------------------------- */

FixStepAnchors::FixStepAnchors(LAMMPS *lmp, int narg, char **arg) :
    Fix(lmp, narg, arg), has_positions(narg == 3), anchor(nullptr)
{
  restart_peratom = has_positions ? 1 : 0;
  create_attribute = 1;
  maxexchange = 3;
  FixStepAnchors::grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  if (has_positions) atom->add_callback(Atom::RESTART);
  for (int i = 0; i < atom->nlocal; i++) FixStepAnchors::set_arrays(i);
}

FixStepAnchors::~FixStepAnchors()
{
  atom->delete_callback(id, Atom::GROW);
  if (has_positions) atom->delete_callback(id, Atom::RESTART);
  memory->destroy(anchor);
}

/* ---------------------------------------------------------------------- */

void FixStepAnchors::shift(const double by[3])
{
  for (int i = 0; i < atom->nlocal; i++)
    for (int d = 0; d < 3; d++) anchor[i][d] += by[d];
}

/* ---------------------------------------------------------------------- */

void FixStepAnchors::grow_arrays(int nmax)
{
  memory->grow(anchor, std::max(nmax, 1), 3, "step:anchors");
}

void FixStepAnchors::copy_arrays(int i, int j, int /*delflag*/)
{
  std::copy_n(anchor[i], 3, anchor[j]);
}

void FixStepAnchors::set_arrays(int i)
{
  if (has_positions)
    domain->unmap(atom->x[i], atom->image[i], anchor[i]);
  else
    std::fill_n(anchor[i], 3, 0.0);
}

/* ---------------------------------------------------------------------- */

int FixStepAnchors::pack_exchange(int i, double *buf)
{
  std::copy_n(anchor[i], 3, buf);
  return 3;
}

int FixStepAnchors::unpack_exchange(int i, double *buf)
{
  std::copy_n(buf, 3, anchor[i]);
  return 3;
}

int FixStepAnchors::pack_restart(int i, double *buf)
{
  buf[0] = 4.0;
  std::copy_n(anchor[i], 3, buf + 1);
  return 4;
}

void FixStepAnchors::unpack_restart(int i, int nth)
{
  // the values of each fix begin with their number

  const double *values = atom->extra[i];
  for (int k = 0; k < nth; k++) values += static_cast<int>(values[0]);
  std::copy_n(values + 1, 3, anchor[i]);
}

double FixStepAnchors::memory_usage()
{
  return 3.0 * static_cast<double>(atom->nmax) * sizeof(double);
}
