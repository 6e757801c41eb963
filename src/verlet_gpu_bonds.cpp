/* Bonds, angles, dihedrals and impropers in run_style verlet/gpu.   SPDX-License-Identifier: GPL-2.0-or-later

   The engine has the styles that it knows by name. LAMMPS goes on with bonds where one comes up that the engine leaves
   to it, such as a fene bond that LAMMPS warns of. */

#include "verlet_gpu.h"

#include "bonded_lists.h"
#include "engine_handle.h"
#include "pair_gpu.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "comm.h"
#include "dihedral.h"
#include "force.h"
#include "improper.h"
#include "timer.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   operations may have other places in it than before: sums begin anew behind step
   `acted`, the last in which all have acted
------------------------------------------------------------------------- */

void VerletGPU::make_plan(bigint acted)
{
  EngineSession &session = engine->get_session();
  plan.make(engine->needs_ghosts(), bonds->why_not().empty());
  if (plan.box_follows && !engine->is_wide_enough(BOX_MARGIN)) plan.make(true, bonds->why_not().empty());
  plan.program.begin_sums(acted);
  if (atoms->is_open() && session.working())
    session.note(ds_resident_clear_sums(atoms->engine(), session.error_text()));
}

void VerletGPU::remake_plan(bool in_step)
{
  if (plan.program.adds_up()) take_sums(false);
  take_bins(in_step ? update->ntimestep - 1 : update->ntimestep, ALL_STYLES);
  plan.program.forget_sums();
  atoms->bring_bodies();
  make_plan(in_step ? update->ntimestep - 1 : update->ntimestep);
  atoms->give_bodies();
}

/* ----------------------------------------------------------------------
   in the step that ev_set() was called for
------------------------------------------------------------------------- */

bool VerletGPU::wants_atom_energies() const
{
  return (eflag & ENERGY_ATOM) || (vflag & (VIRIAL_ATOM | VIRIAL_CENTROID));
}

/* ---------------------------------------------------------------------- */

void VerletGPU::lose_bonds(const std::string &why, bool in_step)
{
  bonds->leave_to_lammps(why);
  remake_plan(in_step);
  if (comm->me == 0)
    utils::logmesg(lmp, "Run_style verlet/gpu: bonds by LAMMPS from step {} on, as {}\n",
                   update->ntimestep, why);
}

/* From here on LAMMPS rebuilds lists, and ghosts follow their owners. */
void VerletGPU::lose_bonds_here(bool in_step)
{
  lose_bonds(bonds->why_lost(), in_step);
  lists.show_ghosts();
}

bool VerletGPU::give_bonds()
{
  if (bonds->give()) return true;
  lose_bonds_here(false);
  return false;
}

/* ----------------------------------------------------------------------
   forces of the pair style are there
------------------------------------------------------------------------- */

bool VerletGPU::resident_bonds()
{
  if (wants_atom_energies()) {
    lammps_bonds_once();
    return true;
  }
  timer->stamp();
  const bool wants_sums = eflag || vflag || plan.program.reads_virial();
  const bool made = bonds->add_forces(update->ntimestep, wants_sums);
  agree();
  if (made && wants_sums) {
    bonds->tally(*bonds->sums());
    plan.program.take_bonded(update->ntimestep, *bonds->sums());
  }
  timer->stamp(Timer::BOND);
  if (made) return true;

  // what the engine has added is not all. The rest follows in lammps_forces()

  lose_bonds_here(true);
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
  lists.show_ghosts();
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
  if (force->dihedral) force->dihedral->compute(eflag, vflag);
  if (force->improper) force->improper->compute(eflag, vflag);
  if (plan.program.reads_virial()) plan.program.take_bonded(update->ntimestep, BondedLists::sums(lmp));
}

/* ----------------------------------------------------------------------
   in a step that the engine makes on its own
------------------------------------------------------------------------- */

void VerletGPU::tell_bonded(bigint step)
{
  if (plan.bonds_resident && plan.program.reads_virial() && !plan.program.has_bonded(step))
    plan.program.take_bonded(step, bonds->made_last());
}

/* ----------------------------------------------------------------------
   a step in which the engine has stopped: atoms have made its first half, and
   lists are rebuilt
------------------------------------------------------------------------- */

void VerletGPU::complete_with_lammps_bonds()
{
  lose_bonds_here(true);
  ev_set(update->ntimestep);
  finish_forces();
}
