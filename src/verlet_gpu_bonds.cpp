/* Bonds, angles, dihedrals and impropers in run_style verlet/gpu.   SPDX-License-Identifier: GPL-2.0-or-later

   The engine makes the forces of bonded styles that it knows by name. If it meets a bond that it cannot treat, such as a
   fene bond so long that LAMMPS warns of it, LAMMPS makes all bonded forces from that step on. */

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
   Operations may have other places in the new plan than in the last one. So all sums
   begin anew behind step `acted`, the last one in which all operations have acted
------------------------------------------------------------------------- */

void VerletGPU::make_plan(bigint acted)
{
  EngineSession &session = engine->get_session();
  plan.make(engine->needs_ghosts(), bonds->why_not().empty(), mesh != nullptr);
  if (plan.box_follows && !engine->is_wide_enough(BOX_MARGIN)) plan.make(true, bonds->why_not().empty(), mesh != nullptr);
  if (atoms->is_open()) give_mesh();
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
   Whether some style reads energies or virials of atoms in the step for which ev_set()
   was called
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
    RunLog::print(lmp, fmt::format("Run_style verlet/gpu: bonds by LAMMPS from step {} on, as {}\n", update->ntimestep, why));
}

/* LAMMPS needs ghosts for its bonds, so it gets them here. */
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
   Adds bonded forces, after the pair style has made its own
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

  // The engine has met a bond that it cannot treat. All forces are made again: those of pairs here, those of bonds by LAMMPS
  // in lammps_forces()

  lose_bonds_here(true);
  force_clear();
  atoms->changed_on_host(DS_FORCE);
  pair->compute(eflag, vflag);
  return false;
}

/* ----------------------------------------------------------------------
   LAMMPS makes bonded forces in this step only, and gets ghosts for it: a style reads
   energies or virials of atoms
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
  if (plan.mesh_resident) lammps_mesh();
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
   In a step that the engine makes on its own, styles that read the virial get the sums
   of its bonds
------------------------------------------------------------------------- */

void VerletGPU::tell_bonded(bigint step)
{
  if (plan.bonds_resident && plan.program.reads_virial() && !plan.program.has_bonded(step))
    plan.program.take_bonded(step, bonds->made_last());
}

/* ----------------------------------------------------------------------
   The engine has stopped in the middle of a step, because of a bond. The first half of
   the step has been made, and lists are rebuilt. Here LAMMPS completes it
------------------------------------------------------------------------- */

void VerletGPU::complete_with_lammps_bonds()
{
  lose_bonds_here(true);
  ev_set(update->ntimestep);
  finish_forces();
}
