/* A box that is deformed: LAMMPS's fix deform, which the engine follows from step to step.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS's class computes the box of a step from the box of the step before, the number of the step and its arguments. It reads
   atoms only with remap x, which moves them with the box. So the boxes of later steps can be computed ahead, and an earlier box
   can be given back to the class. Its conversion of positions is split here into two operations: into fractions of the old box,
   and back from fractions of the new one.

   The class remembers nothing from step to step, except that the box is to be flipped. So the engine stops at the step in which
   that is found. In the next step, before lists are rebuilt, the engine or LAMMPS flips the box. In LAMMPS of 4 Jul 2026 style
   erate/rescale remembers more, as it adds up shifts: with it LAMMPS calls the fix. */

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
   LAMMPS's class treats style volume only in fixes whose style name is "deform"
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
    FixDeform(lmp, narg, NamedDeform(narg, arg).arguments()), adds_up(false), to_fractions(), from_fractions()
{
  delete[] style;
  style = utils::strdup(arg[2]);
  const std::string user = "Fix " + std::string(style);
  if (nevery < 1) error->all(FLERR, "{}: the box changes every {} steps, allowed: 1 or more", user, nevery);
  for (int k = 4; k < narg; k++) adds_up = adds_up || strcmp(arg[k], "erate/rescale") == 0;
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
  if (adds_up) return "style erate/rescale goes on from the box of the step before";
  for (const StepValue &v : values)
    if (const std::string why = v.why_not_ahead(); !why.empty()) return why;
  if (remapflag != Domain::X_REMAP) return "";
  for (const Fix *fix : modify->get_fix_list())
    if (fix->rigid_flag) return fmt::format("rigid bodies of fix {} go along with remap x", fix->id);
  return "";
}

/* ----------------------------------------------------------------------
   The operation asks in every step, because lists depend on the box. With remap v or
   none it acts on no atom
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
  return wrong_edge();
}

std::string FixDeformGPU::wrong_edge() const
{
  for (int d = 0; d < 3; d++)
    if (!(domain->prd[d] > 0.0))
      return fmt::format("Fix {}: box edge {} = {:.3g} must be positive", style, "xyz"[d], domain->prd[d]);
  return "";
}

/* ----------------------------------------------------------------------
   Where LAMMPS makes the step, a box that cannot be is refused in the same words
------------------------------------------------------------------------- */

void FixDeformGPU::end_of_step()
{
  FixDeform::end_of_step();
  if (const std::string wrong = wrong_edge(); !wrong.empty()) error->all(FLERR, "{}", wrong);
}

/* ----------------------------------------------------------------------
   Boxes of later steps are computed, and the present one is given back afterwards
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
   Flips the box as FixDeform::pre_exchange() does
------------------------------------------------------------------------- */

bool FixDeformGPU::flip_box(int *flips)
{
  static constexpr bool flips_all_tilts = DS_LAMMPS_VERSION < 20260704;    // else only those that the fix changes
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
