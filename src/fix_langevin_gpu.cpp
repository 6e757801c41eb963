/* Langevin friction and noise: LAMMPS's fix langevin, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_gpu.h"

#include "fix_step_anchors.h"

#include "atom.h"
#include "compute.h"
#include "force.h"
#include "group.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ---------------------------------------------------------------------- */

FixLangevinGPU::FixLangevinGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), start(0), is_ramp(false), first(0.0), stop(0.0), damp(0.0), seed(0), tallies(false), zeroes(false),
    ratio(atom->ntypes + 1, 1.0), energy(0.0), set_up(false), target(0.0),
    temperature(lmp, user)
{
  if (narg < 7) refuse("too few arguments", "fix ID group langevin/gpu Tstart Tstop damp seed keyword values");
  start = take_value(arg[3], "Tstart");
  is_ramp = is_constant(start);
  if (is_ramp) first = target = value(start);
  stop = number(arg[4], "Tstop");
  damp = number(arg[5], "damp");
  seed = utils::inumeric(FLERR, arg[6], false, lmp);
  if (!(first >= 0.0)) refuse(fmt::format("Tstart {}", arg[3]), "Tstart >= 0");
  if (!(stop >= 0.0)) refuse(fmt::format("Tstop {}", arg[4]), "Tstop >= 0");
  if (!(damp > 0.0)) refuse(fmt::format("damp {}", arg[5]), "damp > 0");
  if (seed <= 0) refuse(fmt::format("seed {}", arg[6]), "seed > 0");
  if (!atom->tag_enable) refuse("atoms without IDs", "atom_modify id yes: noise is made of IDs");
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  ecouple_flag = 1;
  nevery = 1;
  take_keywords(narg, arg);
}

void FixLangevinGPU::post_constructor()
{
  if (tallies) FixStepAnchors::make_room(lmp, id);
}

FixLangevinGPU::~FixLangevinGPU()
{
  if (tallies) FixStepAnchors::drop(lmp, id);
}

/* ----------------------------------------------------------------------
   Keywords angmom and omega are refused, as the engine does not rotate atoms
------------------------------------------------------------------------- */

void FixLangevinGPU::take_keywords(int narg, char **arg)
{
  static constexpr char ALLOWED[] = "scale, tally, zero; LAMMPS's own fix has angmom and omega, too (suffix off)";
  for (int k = 7; k < narg; k++) {
    const std::string key = arg[k];
    const bool is_refused = key == "angmom" || key == "omega" || key == "gjf";
    if (key != "tally" && key != "zero" && key != "scale" && !is_refused) refuse(fmt::format("keyword {}", key), ALLOWED);
    const std::string value = next(k, narg, arg);
    if (key == "tally")
      tallies = utils::logical(FLERR, value, false, lmp) != 0;
    else if (key == "zero")
      zeroes = utils::logical(FLERR, value, false, lmp) != 0;
    else if (key == "scale") {
      const int type = utils::inumeric(FLERR, value, false, lmp);
      if (type < 1 || type > atom->ntypes) refuse(fmt::format("scale of type {}", value), fmt::format("1 to {}", atom->ntypes));
      if (k + 1 >= narg) refuse(fmt::format("scale {} has no ratio", value), "scale type ratio");
      const char *const word = next(k, narg, arg);
      ratio[type] = number(word, "scale");
      if (!(ratio[type] > 0.0)) refuse(fmt::format("scale {} {}", value, word), "a ratio > 0");
    } else if (value != "no")
      refuse(fmt::format("keyword {} {}", key, value), ALLOWED);
  }
  if (kinds().size() > MAX_KINDS)
    refuse(fmt::format("scale: {} runs of types of one ratio", kinds().size()), fmt::format("{} at most", int(MAX_KINDS)));
}

int FixLangevinGPU::setmask()
{
  return POST_FORCE | (tallies ? END_OF_STEP : 0);
}

/* ---------------------------------------------------------------------- */

double **FixLangevinGPU::anchors()
{
  return tallies ? FixStepAnchors::rows_of(lmp, id) : nullptr;
}

void FixLangevinGPU::init()
{
  if (tallies && !anchors()) refuse(fmt::format("fix {}_ANCHORS does not exist any more", id), "that it stays");
  if (zeroes && !group->dynamic[igroup] && group->count(igroup) == 0)
    refuse(fmt::format("zero yes with group {}, which has no atoms", group->names[igroup]),
           "a group with atoms, or a dynamic one");
  if (temperature.is_named()) temperature.compute();
  energy += total(work_place(), 0);
  begin_sums();
  FixStep::init();
}

void FixLangevinGPU::setup(int flag)
{
  post_force(flag);
  set_up = true;
}

/* ----------------------------------------------------------------------
   A temperature with a bias may be given. If it is LAMMPS's, the bias is subtracted from
   LAMMPS's arrays while the fix acts
------------------------------------------------------------------------- */

int FixLangevinGPU::modify_param(int narg, char **arg)
{
  if (strcmp(arg[0], "temp") != 0) return 0;
  if (narg < 2) refuse("fix_modify temp without an ID", "the ID of a temperature");
  temperature.name(arg[1], igroup);
  return 2;
}

std::string FixLangevinGPU::why_not_declared()
{
  const std::string why = FixStep::why_not_declared();
  return why.empty() ? temperature.why_not_declared() : why;
}

void FixLangevinGPU::post_force(int flag)
{
  Compute *const foreign = temperature.why_not_declared().empty() ? nullptr : temperature.compute();
  const bool biased = foreign && foreign->tempbias;
  if (biased) {
    foreign->compute_scalar();
    foreign->remove_bias_all();
  }
  FixStep::post_force(flag);
  if (biased) foreign->restore_bias_all();
}

/* ----------------------------------------------------------------------
   Neighboring types with the same ratio become one operation
------------------------------------------------------------------------- */

std::vector<FixLangevinGPU::Types> FixLangevinGPU::kinds() const
{
  std::vector<Types> all;
  for (int type = 1; type <= atom->ntypes; type++)
    if (!all.empty() && all.back().ratio == ratio[type])
      all.back().last = type;
    else
      all.push_back({type, type, ratio[type]});
  if (all.size() == 1) all[0] = {0, 0, ratio[1]};
  return all;
}

int FixLangevinGPU::work_place() const
{
  return static_cast<int>(kinds().size()) * (zeroes ? 2 : 1);
}

/* ----------------------------------------------------------------------
   Noise is uniform, as LAMMPS's, with mean square 2 T damp^-1 m / dt. With zero yes it
   is added up first by other operations. These get the same noise, because it does not
   depend on forces
------------------------------------------------------------------------- */

void FixLangevinGPU::declare(StepRecords &r, bigint step)
{
  target = is_ramp ? ramp(first, stop, step) : temperature_of(start);
  const std::vector<Types> all = kinds();
  for (const bool sum : {true, false}) {
    if (sum && !zeroes) continue;
    for (const Types &of : all) {
      ds_operation &o = r.add(sum ? DS_SUM_NOISE : DS_LANGEVIN, DS_AT_POST_FORCE, groupbit);
      o.number[0] = -1.0 / damp / force->ftm2v;
      o.number[1] = sqrt(24.0 * force->boltz / damp / update->dt / force->mvv2e) / force->ftm2v * sqrt(target);
      if (of.ratio != 1.0) {
        o.number[0] *= 1.0 / of.ratio;
        o.number[1] *= 1.0 / sqrt(of.ratio);
      }
      o.number[2] = seed;
      o.number[3] = of.first;
      o.number[4] = of.last;
      o.number[6] = tallies ? 1.0 : 0.0;
      put_bias(o.number + 7);
      o.unit = units.force;
      if (sum)
        o.nsums = 4;
      else if (zeroes) {
        o.number[5] = static_cast<double>(all.size());
        o.flags = DS_AFTER_SUMS;
        o.from = 0;
      }
    }
  }
  if (tallies) declare_work(r);
}

/* ----------------------------------------------------------------------
   If a bias of LAMMPS's has been subtracted, no noise acts on components that are 0
------------------------------------------------------------------------- */

void FixLangevinGPU::put_bias(double number[4]) const
{
  if (!temperature.is_named()) return;
  if (!temperature.why_not_declared().empty())
    number[0] = temperature.compute()->tempbias ? DS_BIAS_AXES : DS_BIAS_NONE;
  else
    temperature.put_bias(number);
}

/* ----------------------------------------------------------------------
   The work of all steps, and that of the last one
------------------------------------------------------------------------- */

void FixLangevinGPU::declare_work(StepRecords &r) const
{
  for (const bool all : {true, false}) {
    ds_operation &o = r.add(DS_SUM_WORK, DS_AT_END, groupbit);
    o.flags = all ? DS_ADDS_UP : DS_LAST_STEP_ONLY;
    o.number[0] = update->dt;
    o.nsums = 1;
    o.unit = units.energy;
  }
}

/* ----------------------------------------------------------------------
   LAMMPS's definition. Forces times velocities at the end of a step count as the work
   from the middle of that step to the middle of the next one. If it is evaluated at the
   beginning of a run, the sum begins anew there
------------------------------------------------------------------------- */

double FixLangevinGPU::compute_scalar()
{
  const int place = work_place();
  if (!tallies || !set_up) return 0.0;
  if (update->ntimestep == update->beginstep) {
    add_up(DS_AT_END);
    energy = 0.5 * total(place + 1, 0);
    begin_lasting();
  }
  return -(energy + total(place, 0) - 0.5 * total(place + 1, 0));
}

void FixLangevinGPU::reset_target(double t)
{
  is_ramp = true;
  target = first = stop = t;
}

void *FixLangevinGPU::extract(const char *what, int &dim)
{
  dim = 0;
  return strcmp(what, "t_target") == 0 ? &target : nullptr;
}
