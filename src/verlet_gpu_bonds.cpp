/* Bonds, angles and constant forces in run_style verlet/gpu.
   SPDX-License-Identifier: GPL-2.0-or-later

   The engine has them where it makes the bits that LAMMPS makes. Whether it does is seen in the first step, in which
   both make them. LAMMPS goes on with bonds alone where it does not, or where one comes up that the engine leaves to
   it, such as a fene bond that LAMMPS warns of. */

#include "verlet_gpu.h"

#include "pair_engine.h"
#include "pair_gpu.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "comm.h"
#include "fix.h"
#include "force.h"
#include "modify.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

void VerletGPU::make_plan()
{
  plan.make(pair->has_own_list(), engine->needs_ghosts(), bonds->why_not().empty(), constant_forces,
            box_alone);
}

/* ----------------------------------------------------------------------
   before that, LAMMPS takes part in each step
------------------------------------------------------------------------- */

bool VerletGPU::knows_forces() const
{
  if (plan.bonds_resident && bonds->rounding == ResidentAtoms::UNKNOWN) return false;
  return plan.pushers.empty() || !pushes.empty();
}

/* ----------------------------------------------------------------------
   in the step that ev_set() was called for
------------------------------------------------------------------------- */

bool VerletGPU::wants_atom_energies() const
{
  return (eflag & ENERGY_ATOM) || (vflag & (VIRIAL_ATOM | VIRIAL_CENTROID));
}

/* ---------------------------------------------------------------------- */

void VerletGPU::lose_bonds(const std::string &why)
{
  bonds->leave_to_lammps(why);
  make_plan();
  if (comm->me == 0)
    utils::logmesg(lmp, "Run_style verlet/gpu: bonds by LAMMPS from step {} on, as {}\n",
                   update->ntimestep, why);
}

/* From here on LAMMPS renews lists, and ghosts follow their owners. */
void VerletGPU::lose_bonds_here()
{
  lose_bonds(bonds->why_lost());
  show_ghosts();
}

bool VerletGPU::give_bonds()
{
  if (bonds->give()) return true;
  lose_bonds_here();
  return false;
}

/* ----------------------------------------------------------------------
   forces of the pair style are there
------------------------------------------------------------------------- */

bool VerletGPU::resident_bonds()
{
  if (bonds->rounding == ResidentAtoms::UNKNOWN) {
    compare_bonds();
    return true;
  }
  if (wants_atom_energies()) {
    lammps_bonds_once();
    return true;
  }
  timer->stamp();
  const bool made = bonds->add_forces(update->ntimestep, eflag || vflag);
  agree();
  if (made && (eflag || vflag)) bonds->tally(*bonds->sums());
  timer->stamp(Timer::BOND);
  if (made) return true;

  // what the engine has added is not all. The rest follows in lammps_forces()

  lose_bonds_here();
  force_clear();
  atoms->changed_on_host(DS_FORCE);
  pair->compute(eflag, vflag);
  return false;
}

/* ----------------------------------------------------------------------
   ghosts are here for this step only
------------------------------------------------------------------------- */

void VerletGPU::lammps_bonds_once()
{
  atoms->need_on_host(DS_ALL_FIELDS);
  agree();
  show_ghosts();
  if (force->newton && atom->nghost)
    memset(atom->f[atom->nlocal], 0, 3 * sizeof(double) * atom->nghost);
  timer->stamp();
  lammps_bonds();
  timer->stamp(Timer::BOND);
  if (force->newton) comm->reverse_comm();
  timer->stamp(Timer::COMM);
  atoms->changed_on_host(DS_FORCE);
}

void VerletGPU::lammps_bonds()
{
  if (force->bond) force->bond->compute(eflag, vflag);
  if (force->angle) force->angle->compute(eflag, vflag);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::compare_bonds()
{
  atoms->need_on_host(DS_FORCE);
  agree();
  const size_t n = 3 * static_cast<size_t>(atom->nlocal);
  const std::vector<double> before(n ? *atom->f : nullptr, n ? *atom->f + n : nullptr);
  lammps_bonds_once();
  bonds->compare(before);
  agree();
  if (!bonds->why_not().empty()) lose_bonds(bonds->why_not());
}

/* ----------------------------------------------------------------------
   a step in which the engine has stopped: atoms have made its first half, and
   lists are renewed
------------------------------------------------------------------------- */

void VerletGPU::complete_with_lammps_bonds()
{
  lose_bonds_here();
  ev_set(update->ntimestep);
  cleared = false;
  finish_forces();
}

/* ----------------------------------------------------------------------
   the fixes keep sums over the forces before their own, and energies: LAMMPS adds
   constant forces itself in a step whose sums somebody may ask for, or that may
   be the last of a run whose time is limited
------------------------------------------------------------------------- */

bool VerletGPU::shows_pushes(bigint step) const
{
  if (step == update->laststep || timer->has_timeout()) return true;
  return (step == output->next || plan.calls_fixes(step)) && !plan.reads_velocities_only(step);
}

/* ----------------------------------------------------------------------
   in the step in which they are found out LAMMPS adds them, too
------------------------------------------------------------------------- */

void VerletGPU::push()
{
  if (plan.pushers.empty() || nve_rounding == ResidentAtoms::UNKNOWN ||
      nve_rounding == ResidentAtoms::OTHER) {
    if (!modify->n_post_force_any) return;
    show_to_lammps();
    modify->post_force(vflag);
    take_from_lammps();
    return;
  }
  if (pushing) return;    // in the second half
  show_to_lammps();
  if (shows_pushes(update->ntimestep)) {
    modify->post_force(vflag);
    take_from_lammps();
    return;
  }
  for (Fix *fix : plan.pushers) {
    ds_push one = {};
    if (!constant.watch(fix, vflag, nve_rounding == ResidentAtoms::FUSED, one))
      constant_forces = false;
    pushes.push_back(one);
  }
  take_from_lammps();
  if (constant_forces) return;
  pushes.clear();
  make_plan();
  if (comm->me == 0)
    utils::logmesg(lmp,
                   "Run_style verlet/gpu: constant forces by LAMMPS, every step, as not all are\n");
}
