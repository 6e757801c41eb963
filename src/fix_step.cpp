/* What fixes have in common that declare what they do in a step.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step.h"

#include "step_region.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "modify.h"
#include "region.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixStep::FixStep(LAMMPS *lmp, int narg, char **arg) :
    Fix(lmp, narg, arg), user("Fix " + std::string(arg[2])), units(),
    runner(lmp, "Fix " + std::string(arg[2])), by_atom(lmp, "Fix " + std::string(arg[2]))
{
  dynamic_group_allow = 1;
}

/* ---------------------------------------------------------------------- */

void FixStep::refuse(const std::string &what, const std::string &allowed) const
{
  error->all(FLERR, "{}: {}, allowed: {}", user, what, allowed);
}

double FixStep::number(const char *word, const char *what) const
{
  const double value = utils::numeric(FLERR, word, false, lmp);
  if (!std::isfinite(value)) refuse(fmt::format("{} {}", what, word), "a finite number");
  return value;
}

size_t FixStep::take_value(const char *word, const char *what)
{
  values.emplace_back(lmp, user, word, what);
  return values.size() - 1;
}

const char *FixStep::next(int &k, int narg, char **arg) const
{
  if (k + 1 >= narg) refuse(fmt::format("keyword {} has no value", arg[k]), "keywords with values");
  return arg[++k];
}

double FixStep::value(size_t index) const
{
  return values[index].is_asked() ? values[index].answered() : values[index].now(lmp);
}

double FixStep::temperature_of(size_t index) const
{
  const double found = value(index);
  if (!(found >= 0.0)) refuse(fmt::format("the variable for Tstart is {}", found), "one >= 0");
  return found;
}

bool FixStep::changes_in_run() const
{
  return std::any_of(values.begin(), values.end(), [](const StepValue &v) { return !v.is_constant(); });
}

/* ----------------------------------------------------------------------
   Whether variables are made of sums
------------------------------------------------------------------------- */

bool FixStep::asks() const
{
  return std::any_of(values.begin(), values.end(), [](const StepValue &v) { return v.is_asked(); });
}

bool FixStep::is_first(const StepValue &value) const
{
  for (const StepValue &v : values)
    if (v.is_same(value)) return &v == &value;
  return false;
}

void FixStep::limit_questions()
{
  int n = 0;
  for (const StepValue &v : values)
    if (v.is_asked() && is_first(v)) n += v.sums().size();
  for (StepValue &v : values)
    if (n > MAX_QUESTIONS && v.is_asked())
      v.leave_to_lammps(fmt::format("is one of those with more than {} sums", MAX_QUESTIONS / 2));
}

void FixStep::declare_questions(StepRecords &r, ds_point point, int every) const
{
  for (const StepValue &v : values)
    if (v.is_asked() && is_first(v)) v.sums().declare(r, point, every, units);
}

std::string FixStep::take_answer(int place, const StepSums &sums)
{
  for (StepValue &v : values) {
    if (!v.is_asked() || place < 0 || !is_first(v)) continue;
    std::string wrong;
    place -= v.take_answer(place, sums, units, &wrong);
    if (!wrong.empty()) return fmt::format("{}: {}", user, wrong);
    for (StepValue &other : values)
      if (other.is_same(v)) other.take(v);
  }
  return "";
}

bool FixStep::is_in_run() const
{
  return update->whichflag == 1 && update->ntimestep < update->laststep;
}

/* ---------------------------------------------------------------------- */

void FixStep::take_region(const char *id)
{
  if (!domain->get_region_by_id(id))
    refuse(fmt::format("region {} does not exist", id), "the ID of a region");
  region_id = id;
}

int FixStep::region_of(StepRecords &r) const
{
  if (region_id.empty()) return -1;
  auto *const region = dynamic_cast<StepRegion *>(domain->get_region_by_id(region_id));
  return region ? region->record(r.regions) : -1;
}

std::string FixStep::why_not_declared()
{
  StepRecords r;
  for (const StepValue &v : values)
    if (!v.why_not_known().empty()) return v.why_not_known();
  if (region_id.empty() || region_of(r) >= 0) return "";
  const Region *const region = domain->get_region_by_id(region_id);
  if (dynamic_cast<const StepRegion *>(region))
    return fmt::format("region {} is made of regions of LAMMPS's styles", region_id);
  return fmt::format("region {} is of LAMMPS's style {}", region_id, region ? region->style : "?");
}

/* ----------------------------------------------------------------------
   For a region of LAMMPS's style: masks in which atoms outside of it have no group
------------------------------------------------------------------------- */

int *FixStep::mask_of_region()
{
  StepRecords r;
  if (region_id.empty() || region_of(r) >= 0) return nullptr;
  Region *const region = domain->get_region_by_id(region_id);
  region->prematch();
  chosen.assign(atom->mask, atom->mask + atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++)
    if (!region->match(atom->x[i][0], atom->x[i][1], atom->x[i][2])) chosen[i] = 0;
  return chosen.data();
}

/* ---------------------------------------------------------------------- */

void FixStep::init()
{
  if (!region_id.empty() && !domain->get_region_by_id(region_id))
    refuse(fmt::format("region {} does not exist any more", region_id), "the ID of a region");
  if (utils::strmatch(update->integrate_style, "^respa"))
    refuse("run_style respa", "verlet, verlet/gpu; LAMMPS's own fix has others (suffix off)");
  for (StepValue &v : values) v.init(lmp, user);
  limit_questions();
  units = StepArrays::units_of(lmp);
  follow_kokkos();
}

/* ----------------------------------------------------------------------
   In a run of KOKKOS, operations act where it has the atoms, if nothing else reads them
------------------------------------------------------------------------- */

void FixStep::follow_kokkos()
{
  const bool alone = !uses_atoms_itself() && !anchors() && why_not_declared().empty();
  by_atom.follow_kokkos(alone);
  kokkosable = runner.follow_kokkos(alone) ? 1 : 0;
  datamask_read = datamask_modify = kokkosable ? 0u : ~0u;    // LAMMPS's own value
}

void FixStep::setup(int flag)
{
  if (setmask() & FixConst::POST_FORCE) post_force(flag);
}

void FixStep::post_force(int flag)
{
  act(DS_AT_POST_FORCE);
  tell_atoms(flag);
}

/* ----------------------------------------------------------------------
   Variables that LAMMPS evaluates may need computes of energies. These are announced for
   the next step, too
------------------------------------------------------------------------- */

void FixStep::act(ds_point point)
{
  const bool by_lammps =
      std::any_of(values.begin(), values.end(), [](const StepValue &v) { return !v.why_not_known().empty(); });
  if (by_lammps) modify->clearstep_compute();
  runner.run(*this, point, update->ntimestep, mask_of_region());
  if (by_lammps) modify->addstep_compute(update->ntimestep + 1);
  if (point == DS_AT_POST_FORCE) tell_virial();
}

void FixStep::take_sums(bigint step, const std::vector<StepSums> &all)
{
  runner.take(*this, step, all);
  tell_virial();
}

/* ---------------------------------------------------------------------- */

double FixStep::ramp(double start, double stop, bigint step) const
{
  double part = static_cast<double>(step - update->beginstep);
  if (part != 0.0) part /= static_cast<double>(update->endstep - update->beginstep);
  return start + part * (stop - start);
}

/* ----------------------------------------------------------------------
   LAMMPS adds up virials of all ranks, so the total is given on one rank
------------------------------------------------------------------------- */

void FixStep::tell_virial()
{
  if (!thermo_virial) return;
  std::fill(virial, virial + 6, 0.0);
  if (comm->me == 0) find_virial([this](int operation, int k) { return total(operation, k); }, virial);
}

/* ----------------------------------------------------------------------
   Virials of atoms, for compute stress/atom and the like
------------------------------------------------------------------------- */

void FixStep::tell_atoms(int vflag)
{
  if (!virial_peratom_flag || !thermo_virial || !(vflag & (VIRIAL_ATOM | VIRIAL_CENTROID))) return;
  v_init(vflag);
  by_atom.run_by_atom(*this, DS_AT_POST_FORCE, update->ntimestep, mask_of_region(), [this](int i) {
    find_virial([this](int operation, int k) { return by_atom.total(operation, k); }, vatom[i]);
  });
  tell_virial();    // v_init() has cleared it
}
