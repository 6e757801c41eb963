/* Rigid bodies: LAMMPS's fixes rigid, rigid/nve, rigid/nvt and those of small bodies, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   Forces and torques of atoms are added to exact sums of their bodies. The engine moves the bodies, and puts atoms where their
   bodies are (dpdsop/device/step/rigid_body.h). On one rank nothing of this is copied to the host, except the kinetic energies
   that advance the chains of rigid/nvt. */

#include "fix_rigid_gpu.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/device/step/rigid_body.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixRigidGPU::FixRigidGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), small(strstr(arg[2], "/small") != nullptr), no_squish(strncmp(arg[2], "rigid/nv", 8) == 0),
    has_chains(strncmp(arg[2], "rigid/nvt", 9) == 0), set_up(false), renews(true), resumes(false), velocities(0),
    at_setup(false), takes_forces_alone(false), rigid(lmp, user), bath(), chains{0.0, 10, 1, 3}
{
  dynamic_group_allow = 0;
  if (domain->dimension != 3) refuse("a simulation in 2 dimensions", "3; LAMMPS's own fix has 2, too (suffix off)");
  if (atom->radius_flag || atom->ellipsoid_flag || atom->line_flag || atom->tri_flag || atom->mu_flag)
    refuse(fmt::format("atom_style {}, whose atoms have sizes or dipoles", atom->atom_style),
           "atoms that are points; LAMMPS's own fix has others (suffix off)");
  grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
  restart_peratom = restart_global = 1;
  create_attribute = 1;
  maxexchange = RESTART_VALUES;

  take_keywords(take_bodies(narg, arg), narg, arg);
  if (has_chains) {
    if (chains.period == 0.0) refuse("no temp", "temp Tstart Tstop Tdamp");
    thermostat.reset(new RigidThermostat(chains.period, chains.links, chains.loops, chains.order));
  }

  time_integrate = rigid_flag = dof_flag = 1;
  virial_global_flag = thermo_virial = 1;
  scalar_flag = 1;
  extscalar = thermostat ? 1 : 0;    // the scalar is an energy, or else a temperature
  ecouple_flag = thermostat ? 1 : 0;
  global_freq = 1;
  if (!small) {
    array_flag = 1;
    size_array_rows = static_cast<int>(rigid.all.size());
    size_array_cols = 15;
    extarray = 0;
  }
  bigint all = 0;
  for (const bigint n : rigid.atoms) all += n;
  if (comm->me == 0) utils::logmesg(lmp, "  {} rigid bodies with {} atoms\n", rigid.all.size(), all);
}

FixRigidGPU::~FixRigidGPU()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

/* ---------------------------------------------------------------------- */

int FixRigidGPU::take_bodies(int narg, char **arg)
{
  const std::string kind = narg > 3 ? arg[3] : "";
  int next_arg = 4;
  if (kind == "molecule") {
    if (!atom->molecule_flag)
      refuse(fmt::format("bodystyle molecule with atom_style {}", atom->atom_style), "atoms with molecule IDs");
    rigid.choose_molecules(groupbit);
  } else if (small) {
    refuse(kind.empty() ? "no bodystyle" : fmt::format("bodystyle {}", kind),
           "molecule; LAMMPS's own fix has custom, too (suffix off)");
  } else if (kind == "single") {
    rigid.choose_group(groupbit);
  } else if (kind == "group") {
    const int n = narg > 4 ? utils::inumeric(FLERR, arg[4], false, lmp) : 0;
    if (n < 1 || narg < 5 + n)
      refuse(fmt::format("bodystyle group with {} groups", n), "group N and as many group IDs, N >= 1");
    std::vector<int> groups;
    for (int k = 5; k < 5 + n; k++) {
      groups.push_back(group->find(arg[k]));
      if (groups.back() < 0) refuse(fmt::format("group {} does not exist", arg[k]), "IDs of groups");
    }
    rigid.choose_groups(groupbit, groups);
    next_arg = 5 + n;
  } else
    refuse(kind.empty() ? "no bodystyle" : fmt::format("bodystyle {}", kind),
           "single, molecule, group; LAMMPS's own fix has custom, too (suffix off)");
  return next_arg;
}

/* ---------------------------------------------------------------------- */

void FixRigidGPU::take_switches(int &k, int narg, char **arg, double (ds_body::*which)[3])
{
  const std::string keyword = arg[k];
  int first = 0, last = 0;
  utils::bounds(FLERR, next(k, narg, arg), 1, static_cast<int>(rigid.all.size()), first, last, error);
  for (int d = 0; d < 3; d++) {
    const std::string word = k + 1 < narg ? next(k, narg, arg) : "nothing";
    if (word != "on" && word != "off")
      refuse(fmt::format("keyword {}: {} where on or off is expected", keyword, word), "on, off, for x, y and z");
    for (int b = first; b <= last; b++) (rigid.all[b - 1].*which)[d] = word == "on" ? 1.0 : 0.0;
  }
}

/* ----------------------------------------------------------------------
   Reads Tstart and Tstop, the first values of keyword arg[k]
------------------------------------------------------------------------- */

void FixRigidGPU::take_temperatures(int &k, int narg, char **arg, const char *values)
{
  const int n = static_cast<int>(std::count(values, values + strlen(values), ' ')) + 1;
  if (k + n >= narg) refuse(fmt::format("keyword {} with too few values", arg[k]), fmt::format("{} {}", arg[k], values));
  bath.start = bath.target = number(arg[k + 1], "Tstart");
  bath.stop = number(arg[k + 2], "Tstop");
  k += n;
}

void FixRigidGPU::take_langevin(int &k, int narg, char **arg)
{
  take_temperatures(k, narg, arg, "Tstart Tstop Tperiod seed");
  bath.period = number(arg[k - 1], "Tperiod");
  bath.seed = utils::inumeric(FLERR, arg[k], false, lmp);
  if (!(bath.start >= 0.0)) refuse(fmt::format("Tstart {}", arg[k - 3]), "Tstart >= 0");
  if (!(bath.stop >= 0.0)) refuse(fmt::format("Tstop {}", arg[k - 2]), "Tstop >= 0");
  if (!(bath.period > 0.0)) refuse(fmt::format("Tperiod {}", arg[k - 1]), "Tperiod > 0");
  if (bath.seed <= 0) refuse(fmt::format("seed {}", arg[k]), "seed > 0");
}

/* ----------------------------------------------------------------------
   Masses of thermostats are proportional to temperatures, which must be > 0
------------------------------------------------------------------------- */

void FixRigidGPU::take_temp(int &k, int narg, char **arg)
{
  take_temperatures(k, narg, arg, "Tstart Tstop Tdamp");
  chains.period = number(arg[k], "Tdamp");
  if (!(bath.start > 0.0)) refuse(fmt::format("Tstart {}", arg[k - 2]), "Tstart > 0");
  if (!(bath.stop > 0.0)) refuse(fmt::format("Tstop {}", arg[k - 1]), "Tstop > 0");
  if (!(chains.period > 0.0)) refuse(fmt::format("Tdamp {}", arg[k]), "Tdamp > 0");
}

void FixRigidGPU::take_tparam(int &k, int narg, char **arg)
{
  if (k + 3 >= narg) refuse("keyword tparam with too few values", "tparam Tchain Titer Torder");
  chains.links = utils::inumeric(FLERR, arg[k + 1], false, lmp);
  chains.loops = utils::inumeric(FLERR, arg[k + 2], false, lmp);
  chains.order = utils::inumeric(FLERR, arg[k + 3], false, lmp);
  if (chains.links < 1) refuse(fmt::format("Tchain {}", arg[k + 1]), "Tchain >= 1");
  if (chains.loops < 1) refuse(fmt::format("Titer {}", arg[k + 2]), "Titer >= 1");
  if (chains.order != 3 && chains.order != 5) refuse(fmt::format("Torder {}", arg[k + 3]), "3, 5");
  k += 3;
}

/* ---------------------------------------------------------------------- */

void FixRigidGPU::take_keywords(int k, int narg, char **arg)
{
  for (; k < narg; k++) {
    const std::string keyword = arg[k];
    if (keyword == "force" && !small)
      take_switches(k, narg, arg, &ds_body::moves);
    else if (keyword == "torque" && !small)
      take_switches(k, narg, arg, &ds_body::turns);
    else if (keyword == "reinit")
      renews = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
    else if (keyword == "langevin" && !has_chains)
      take_langevin(k, narg, arg);
    else if (keyword == "temp" && has_chains)
      take_temp(k, narg, arg);
    else if (keyword == "tparam" && has_chains)
      take_tparam(k, narg, arg);
    else
      refuse(fmt::format("keyword {}", keyword),
             fmt::format("{}, reinit{}; LAMMPS's own fix has others (suffix off)", has_chains ? "temp, tparam" : "langevin",
                         small ? "" : ", force, torque"));
  }
}

/* ----------------------------------------------------------------------
   The box must not change, as bodies would not follow it. Ranks may get other parts of it
------------------------------------------------------------------------- */

void FixRigidGPU::check_others() const
{
  for (int k = 0; k < modify->nfix; k++)
    if (modify->fix[k]->box_change & ~BOX_CHANGE_DOMAIN)
      refuse(fmt::format("the box is changed by fix {}", modify->fix[k]->id),
             "a box that stays; LAMMPS's own fix has others (suffix off)");
}

/* ----------------------------------------------------------------------
   LAMMPS takes any fix whose style begins with rigid for one of its own
------------------------------------------------------------------------- */

void FixRigidGPU::check_readers() const
{
  for (const Fix *fix : modify->get_fix_list())
    if (utils::strmatch(fix->style, "^rigid") && !dynamic_cast<const FixRigidGPU *>(fix)) return;
  for (const Compute *compute : modify->get_compute_list())
    if (strcmp(compute->style, "ke/rigid") == 0 || strcmp(compute->style, "erotate/rigid") == 0)
      refuse(fmt::format("compute {} of style {} reads its bodies", compute->id, compute->style),
             "that compute with LAMMPS's own fix (suffix off)");
}

void FixRigidGPU::check_movers() const
{
  for (int k = 0; k < modify->nfix; k++) {
    Fix *const other = modify->fix[k];
    if (other == this || !other->time_integrate) continue;
    const auto *const bodies = dynamic_cast<FixRigidGPU *>(other);
    int both = 0, any;
    for (int i = 0; i < atom->nlocal; i++)
      both |= rigid.of_atom[i] >= 0 && (bodies ? bodies->rigid.of_atom[i] >= 0 : (atom->mask[i] & other->groupbit) != 0);
    MPI_Allreduce(&both, &any, 1, MPI_INT, MPI_MAX, world);
    if (any)
      refuse(fmt::format("atoms of its bodies are moved by fix {}, too", other->id), "one fix that moves an atom");
  }
}

/* ---------------------------------------------------------------------- */

void FixRigidGPU::init()
{
  FixStep::init();
  check_others();
  check_movers();
  rigid.count();
  resumes = resumes && rigid.fit_atoms(velocities);
  check_readers();
  if (!resumes && (renews || !set_up)) rigid.set_up(units);
  set_up = set_up || update->whichflag == 1;    // a minimization moves atoms without their bodies
}

/* ----------------------------------------------------------------------
   Adds up forces without moving bodies, and gives atoms the velocities of their bodies. A
   run that goes on takes the forces on bodies from the file: they have the noise of the
   last step, and the forces of fixes behind this one, which a set-up has not added yet
------------------------------------------------------------------------- */

void FixRigidGPU::setup(int)
{
  const std::vector<ds_body> before = rigid.all;
  at_setup = takes_forces_alone = true;
  add_up(DS_AT_FINAL);
  takes_forces_alone = false;
  if (resumes)
    for (size_t k = 0; k < rigid.all.size(); k++) {
      std::copy_n(before[k].force, 3, rigid.all[k].force);
      std::copy_n(before[k].torque, 3, rigid.all[k].torque);
    }
  resumes = false;
  begin_thermostat();
  tell_virial();
}

void FixRigidGPU::initial_integrate(int flag)
{
  at_setup = false;
  FixStep::initial_integrate(flag);
}

void FixRigidGPU::final_integrate()
{
  FixStep::final_integrate();
  tell_virial();
}

void FixRigidGPU::take_sums(bigint step, const std::vector<StepSums> &all)
{
  at_setup = false;
  FixStep::take_sums(step, all);
}

/* ----------------------------------------------------------------------
   LAMMPS's definition. In a set-up, the constraint forces of the second half count for
   the first half as well
------------------------------------------------------------------------- */

void FixRigidGPU::find_virial(const Totals &sum, double of_all[6]) const
{
  for (int k = 0; k < 6; k++)
    of_all[k] = at_setup ? 2.0 * sum(OF_VELOCITY, k) : sum(OF_VELOCITY, k) + sum(OF_PLACE, k);
}

/* ---------------------------------------------------------------------- */

void FixRigidGPU::put_motion(ds_operation &o) const
{
  o.number[0] = update->dt;
  o.number[1] = 0.5 * update->dt * force->ftm2v;
  for (int k = 0; k < RigidThermostat::CHAINS; k++) o.number[8 + k] = thermostat ? thermostat->factor(k, update->dt) : 1.0;
  o.nsums = thermo_virial ? 6 : 0;
  o.unit = units.energy;
}

void FixRigidGPU::declare(StepRecords &r, bigint step)
{
  const double of_sums[2] = {units.force, units.force * units.length};
  ds_operation &sum = r.add(DS_BODY_SUM, DS_AT_FINAL, 1);
  std::copy_n(of_sums, 2, sum.number);

  ds_operation &end = r.add(DS_BODY_VELOCITY, DS_AT_FINAL, 1);
  put_motion(end);
  end.number[2] = takes_forces_alone ? 0.0 : 1.0;
  if (bath.period > 0.0) {
    bath.target = ramp(bath.start, bath.stop, step);
    end.number[3] = -1.0 / bath.period / force->ftm2v;
    end.number[4] = sqrt(24.0 * force->boltz / bath.period / update->dt / force->mvv2e) / force->ftm2v * sqrt(bath.target);
    end.number[5] = bath.seed;
  }
  std::copy_n(of_sums, 2, end.number + 6);

  ds_operation &begin = r.add(DS_BODY_PLACE, DS_AT_INITIAL, 1);
  put_motion(begin);
  begin.number[2] = no_squish ? 1.0 : 0.0;
  if (!thermostat) return;
  ds_operation &kinetic = r.add(DS_BODY_KINETIC, DS_AT_INITIAL, 1);
  kinetic.flags = DS_ASKS;
  kinetic.nsums = DS_BODY_KINETIC_SUMS;
  kinetic.unit = units.mvv;
}

/* ----------------------------------------------------------------------
   thermostats
------------------------------------------------------------------------- */

double FixRigidGPU::kT() const
{
  return force->boltz * bath.target;
}

void FixRigidGPU::begin_thermostat()
{
  if (!thermostat) return;
  double freedom[RigidThermostat::CHAINS] = {0.0, 0.0};
  for (const ds_body &b : rigid.all)
    for (const double moment : b.inertia) {
      freedom[RigidThermostat::TRANSLATION] += 1.0;
      freedom[RigidThermostat::ROTATION] += moment > 0.0 ? 1.0 : 0.0;
    }
  bath.target = ramp(bath.start, bath.stop, update->ntimestep);
  thermostat->set_freedom(freedom);
  thermostat->begin(kT());
}

/* ----------------------------------------------------------------------
   Called between the two halves of a step
------------------------------------------------------------------------- */

std::string FixRigidGPU::answer(bigint step, int, const StepSums *sums)
{
  double kinetic[RigidThermostat::CHAINS];
  for (int k = 0; k < RigidThermostat::CHAINS; k++) {
    kinetic[k] = ds_exact_value(&(*sums)[k], units.mvv) * force->mvv2e;
    if (!std::isfinite(kinetic[k]))
      return fmt::format("{}: the kinetic energy of bodies is {}, allowed is a finite one: the simulation is unstable", user,
                         kinetic[k]);
  }
  bath.target = ramp(bath.start, bath.stop, step);
  thermostat->advance(kinetic, kT(), update->dt);
  return "";
}
