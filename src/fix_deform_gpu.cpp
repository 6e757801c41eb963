/* A box that is deformed: LAMMPS's fix deform, which the engine follows from step to step.
   SPDX-License-Identifier: GPL-2.0-or-later

   The class of LAMMPS makes the box of a step from that of the step before it, the number of the step and its arguments; it
   looks at atoms with remap x only, which it takes along. So boxes of steps to come can be asked for, and an earlier box can be
   given back to it. What it does to atoms is here a pair of operations, the two halves of its own arithmetic: into fractions of
   the old box, and out of fractions of the new one.

   A flip is the only thing that it remembers from one step to the next. No run of steps of the engine goes beyond the step in
   which one is found: it is made in the next one, before lists are rebuilt, by the engine or by LAMMPS. */

#include "fix_deform_gpu.h"

#include "box_shape.h"

#include "domain.h"
#include "error.h"
#include "modify.h"
#include "update.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   LAMMPS's class prepares style volume for fixes of its own name alone
------------------------------------------------------------------------- */

namespace {
class NamedDeform {
 public:
  NamedDeform(int narg, char **arg) : all(arg, arg + narg)
  {
    if (narg > 2) all[2] = name;
  }
  char **arguments() { return all.data(); }

 private:
  char name[7] = "deform";
  std::vector<char *> all;
};
}    // namespace

FixDeformGPU::FixDeformGPU(LAMMPS *lmp, int narg, char **arg) :
    FixDeform(lmp, narg, NamedDeform(narg, arg).arguments()), to_fractions(), from_fractions()
{
  delete[] style;
  style = utils::strdup(arg[2]);
  const std::string user = "Fix " + std::string(style);
  if (nevery < 1) error->all(FLERR, "{}: the box changes every {} steps, allowed: 1 or more", user, nevery);
  for (int k = 4; k + 2 < narg; k++) {
    if (strcmp(arg[k], "variable") != 0) continue;
    values.emplace_back(lmp, user, arg[k + 1], "variable");
    values.emplace_back(lmp, user, arg[k + 2], "variable");
  }
}

/* ---------------------------------------------------------------------- */

void FixDeformGPU::init()
{
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Fix {}: run_style respa, allowed: verlet, verlet/gpu; LAMMPS's own fix has others (suffix off)", style);
  FixDeform::init();
}

std::string FixDeformGPU::why_not_declared()
{
  for (const StepValue &v : values)
    if (const std::string why = v.why_not_ahead(); !why.empty()) return why;
  if (remapflag != Domain::X_REMAP) return "";
  for (const Fix *fix : modify->get_fix_list())
    if (fix->rigid_flag) return fmt::format("rigid bodies of fix {} go along with remap x", fix->id);
  return "";
}

/* ----------------------------------------------------------------------
   asked in every step: lists depend on how the box is. With remap v or none no atom is concerned
------------------------------------------------------------------------- */

static void add_conversion(StepRecords &r, ds_operation_kind kind, int group, int every, const double *numbers)
{
  ds_operation &o = r.add(kind, DS_AT_END, group);
  o.every = every;
  std::copy_n(numbers, DS_OPERATION_NUMBERS, o.number);
}

void FixDeformGPU::declare(StepRecords &r, bigint)
{
  r.add(DS_CHANGE_BOX, DS_AT_END, groupbit).flags = DS_ASKS;
  if (remapflag != Domain::X_REMAP) return;
  add_conversion(r, DS_TO_FRACTIONS, groupbit, nevery, to_fractions);
  add_conversion(r, DS_FROM_FRACTIONS, groupbit, nevery, from_fractions);
}

/* ---------------------------------------------------------------------- */

void FixDeformGPU::change_box(bigint step)
{
  const bigint now = update->ntimestep;
  const int remap = remapflag;
  update->ntimestep = step;
  remapflag = Domain::NO_REMAP;
  FixDeform::end_of_step();
  remapflag = remap;
  update->ntimestep = now;
}

static void copy_box(const double edges[6], const double lo[3], double *numbers)
{
  std::copy(edges, edges + 6, numbers);
  std::copy(lo, lo + 3, numbers + 6);
}

std::string FixDeformGPU::answer(bigint step, int, const StepSums *)
{
  if (step % nevery) return "";
  copy_box(domain->h_inv, domain->boxlo, to_fractions);
  change_box(step);
  copy_box(domain->h, domain->boxlo, from_fractions);
  for (int d = 0; d < 3; d++)
    if (!(domain->prd[d] > 0.0)) return fmt::format("box edge {} = {:.3g} must be positive", "xyz"[d], domain->prd[d]);
  return "";
}

/* ----------------------------------------------------------------------
   what the box will be is tried out
------------------------------------------------------------------------- */

bigint FixDeformGPU::box_lasts(bigint step, bigint last, double margin)
{
  const BoxShape now = BoxShape::of(domain);
  const int flip_now = flip;
  const bigint flips_now = next_reneighbor;
  double allowed[3], width[3];
  now.widths2(allowed);
  for (double &w : allowed) w /= margin * margin;

  while (step < last) {
    step++;
    if (step % nevery) continue;
    change_box(step);
    BoxShape::of(domain).widths2(width);
    if (next_reneighbor == step + 1) break;
    if (!(width[0] > allowed[0] && width[1] > allowed[1] && width[2] > allowed[2])) break;
  }
  now.give_to(domain);
  flip = flip_now;
  next_reneighbor = flips_now;
  return step;
}

/* ----------------------------------------------------------------------
   what pre_exchange() does to the box
------------------------------------------------------------------------- */

bool FixDeformGPU::flip_box(int *flips)
{
#if DS_LAMMPS_VERSION >= 20260704
  static constexpr bool flips_all_tilts = false;    // those that the fix changes alone
#else
  static constexpr bool flips_all_tilts = true;
#endif
  enum { YZ = 3, XZ, XY };
  if (!flip) return false;
  flips[0] = flipxy;
  flips[1] = flipxz;
  flips[2] = flipyz;
  double *const tilt[] = {&domain->yz, &domain->xz, &domain->xy};
  for (int k = YZ; k <= XY; k++)
    if (flips_all_tilts || dimflag[k]) *tilt[k - YZ] = set[k].tilt_target = set[k].tilt_flip;
  domain->set_global_box();
  domain->set_local_box();
  flip = 0;
  return true;
}
