/* Rebuilds of neighbor lists while atoms stay with the engine: when, by whom, and what becomes of LAMMPS's ghosts.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_lists.h"

#include "atom_order.h"
#include "engine_handle.h"
#include "resident_atoms.h"
#include "resident_bonds.h"
#include "resident_plan.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include "dpdsop/device/motion.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ResidentLists::ResidentLists(LAMMPS *lmp, const ResidentPlan &plan_in) :
    Pointers(lmp), box(lmp), plan(plan_in), engine(nullptr), atoms(nullptr), bonds(nullptr),
    ghosts_stale(false), ghosts_left(false), bins_known(false)
{
}

void ResidentLists::belong_to(EngineHandle *with, ResidentBonds *its_bonds)
{
  engine = with;
  atoms = &engine->residents();
  bonds = its_bonds;
}

/* ---------------------------------------------------------------------- */

void ResidentLists::begin_run()
{
  ghosts_left = false;
}

void ResidentLists::made_by_setup()
{
  ghosts_stale = false;
}

void ResidentLists::look_at_order()
{
  AtomOrder &order = atoms->order;
  order.find_bins();
  order.follow_box();
  bins_known = atom->sortfreq > 0 && order.is_by_bins();
}

void ResidentLists::save_rebuild_state()
{
  atoms->save_rebuild_positions();
  box.save_rebuild_state(update->ntimestep);
  bonds->renumbered();
}

void ResidentLists::made_by_engine(bool in_this_box)
{
  ghosts_stale = true;
  if (in_this_box) box.save_rebuild_state(update->ntimestep);
}

/* ----------------------------------------------------------------------
   The square of the displacement of an atom beyond which LAMMPS rebuilds its lists. In
   a box that changes it differs from rebuild to rebuild
------------------------------------------------------------------------- */

double ResidentLists::trigger2() const
{
  return box.trigger2(engine->skin());
}

/* ----------------------------------------------------------------------
   Whether lists are to be rebuilt. LAMMPS decides by its own rule, but the engine looks
   at distances, as it has the positions. If lists are those of a group only
   (neigh_modify include), distances of other atoms do not count, and LAMMPS does it all
------------------------------------------------------------------------- */

bool ResidentLists::are_due()
{
  if (neighbor->includegroup) {
    atoms->need_on_host(DS_POSITION);
    engine->agree();
    return neighbor->decide() != 0;
  }
  const int check = neighbor->dist_check, before = neighbor->ago;
  neighbor->dist_check = 0;
  const bool due = neighbor->decide() != 0;
  neighbor->dist_check = check;
  const bool forced = neighbor->ago == before;    // a fix or a restart file forces it: then decide() does not count `ago` up
  if (!due || !check || forced) return due;
  if (!far_enough()) return false;
  if (neighbor->ago == MAX(neighbor->every, neighbor->delay)) neighbor->ndanger++;
  return true;
}

bool ResidentLists::far_enough()
{
  EngineSession &session = engine->get_session();
  int mine = 0, any;
  atoms->need_on_engine(DS_POSITION);
  if (session.working())
    session.note(ds_resident_has_moved(atoms->engine(), trigger2(), &mine, session.error_text()));
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
  return any != 0;
}

/* ---------------------------------------------------------------------- */

void ResidentLists::reneighbor()
{
  int outside = 0;
  if (!plan.lammps_reneighbors && (!plan.flips_box() || flips_on_engine())) {
    if (plan.flips_box()) flip_on_engine();
    if (is_to_sort() && !plan.engine_sorts) {
      outside = some_outside() ? 1 : 0;
      if (!outside) sort_without_ghosts();
    } else {
      reneighbor_on_engine(&outside);
      if (!outside && is_to_sort()) sort_on_engine();
    }
    if (!outside) {
      neighbor->ago = 0;
      neighbor->ncalls++;
      neighbor->lastcall = update->ntimestep;
      made_by_engine();
      return;
    }
  }
  reneighbor_with_lammps();
}

/* ----------------------------------------------------------------------
   Whether the engine can flip the box itself, with all that LAMMPS does then. Atoms are
   wrapped into the old box with their velocities (fix_dpd_gpu_wrap.cpp), then into the
   flipped box, and once more by the rebuild. Nothing may act between these. Since 4 Jul 2026
   LAMMPS changes velocities in the flipped box, too
------------------------------------------------------------------------- */

bool ResidentLists::flips_on_engine() const
{
  const bool all_stay = domain->nonperiodic == 0;    // no atom can leave the box
  return plan.flips_box() && plan.box_follows && !plan.lammps_reneighbors && !plan.acts_before_lists() && all_stay &&
         !plan.program.bodies() && (plan.engine_sorts || !is_to_sort());
}

void ResidentLists::flip_on_engine()
{
  EngineSession &session = engine->get_session();
  const int velocities = domain->deform_vremap && DS_LAMMPS_VERSION >= 20260704;
  const int fields = DS_POSITION | DS_IMAGE | (velocities ? DS_VELOCITY : 0);
  int flips[3] = {0, 0, 0}, none_outside = 0;
  if (domain->deform_vremap) reneighbor_on_engine(&none_outside);
  plan.program.flip_box(flips);
  const ds_wrap wrap = StepArrays::box_of(lmp);
  atoms->need_on_engine(fields);
  if (session.working()) session.note(ds_resident_set_wrap(atoms->engine(), &wrap, session.error_text()));
  if (session.working()) session.note(ds_resident_flip(atoms->engine(), flips, velocities, session.error_text()));
  engine->agree();
  atoms->changed_on_engine(fields);
  engine->give_box();
}

/* ---------------------------------------------------------------------- */

void ResidentLists::reneighbor_on_engine(int *outside)
{
  EngineSession &session = engine->get_session();
  const int fields = DS_POSITION | DS_IMAGE | (domain->deform_vremap ? DS_VELOCITY : 0);
  timer->stamp();
  atoms->need_on_engine(fields);
  if (session.working())
    session.note(
        ds_resident_reneighbor(atoms->engine(), update->ntimestep, outside, session.error_text()));
  engine->agree();
  if (!*outside) atoms->changed_on_engine(fields);
  timer->stamp(Timer::NEIGH);
}

/* ----------------------------------------------------------------------
   The same calls in the same order as in a rebuild of run_style verlet
------------------------------------------------------------------------- */

void ResidentLists::reneighbor_with_lammps()
{
  atoms->need_on_host(DS_ALL_FIELDS);
  engine->agree();
  timer->stamp();
  if (modify->n_pre_exchange) {
    modify->pre_exchange();
    timer->stamp(Timer::MODIFY);
  }
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  if (domain->box_change) {
    domain->reset_box();
    comm->setup();
    if (neighbor->style) neighbor->setup_bins();
  }
  timer->stamp();
  comm->exchange();
  if (is_to_sort()) atom->sort();
  comm->borders();
  to_lengths(atom->nlocal + atom->nghost);
  timer->stamp(Timer::COMM);
  if (modify->n_pre_neighbor) {
    modify->pre_neighbor();
    timer->stamp(Timer::MODIFY);
  }
  neighbor->build(1);
  timer->stamp(Timer::NEIGH);
  if (modify->n_post_neighbor) {
    modify->post_neighbor();
    timer->stamp(Timer::MODIFY);
  }
  ghosts_stale = false;
  box.save_rebuild_state(update->ntimestep);
  atoms->renumbered();
  bonds->renumbered();
  save_rebuild_positions();
}

/* ----------------------------------------------------------------------
   In the step of a rebuild LAMMPS makes ghosts from fractions of a tilted box. Later
   they cannot be found from positions, as conversion rounds. So they are saved
------------------------------------------------------------------------- */

void ResidentLists::to_lengths(int n)
{
  if (!domain->triclinic) return;
  const double *const x = atom->nlocal ? *atom->x : nullptr;
  fractions.assign(x, x + 3 * static_cast<size_t>(atom->nlocal));
  domain->lamda2x(n);
}

void ResidentLists::save_rebuild_positions()
{
  atoms->save_rebuild_positions();
  if (domain->triclinic) atoms->save_rebuild_fractions(fractions);
}

/* ----------------------------------------------------------------------
   Atoms are sorted in the same steps as by LAMMPS. If the engine sorts, LAMMPS's arrays
   follow when they are needed
------------------------------------------------------------------------- */

bool ResidentLists::is_to_sort() const
{
  return atom->sortfreq > 0 && update->ntimestep >= atom->nextsort;
}

void ResidentLists::sort_on_engine()
{
  AtomOrder &order = atoms->order;
  order.follow_box();
  timer->stamp();
  if (order.sorts()) atoms->sort(order.bins());
  engine->agree();
  atom->nextsort = (update->ntimestep / atom->sortfreq + 1) * atom->sortfreq;
  timer->stamp(Timer::COMM);
}

/* ----------------------------------------------------------------------
   LAMMPS sorts its atoms in a rebuild of the engine. No ghosts are made, as nothing
   reads them. If an atom has left the box, LAMMPS makes the whole rebuild instead
------------------------------------------------------------------------- */

bool ResidentLists::some_outside()
{
  const ds_wrap wrap = StepArrays::box_of(lmp);
  int outside = 0;
  atoms->need_on_host(DS_ALL_FIELDS);
  engine->agree();
  if (!domain->xperiodic || !domain->yperiodic || !domain->zperiodic)
    for (int i = 0; i < atom->nlocal; i++) outside |= ds_outside(&wrap, atom->x[i]);
  return outside != 0;
}

void ResidentLists::sort_without_ghosts()
{
  timer->stamp();
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  atom->sort();
  to_lengths(atom->nlocal);
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
  timer->stamp(Timer::COMM);
  atoms->renumbered();
  bonds->renumbered();
  save_rebuild_positions();
}

/* ---------------------------------------------------------------------- */

int ResidentLists::fields_of_ghosts() const
{
  return DS_POSITION | (comm->ghost_velocity ? DS_VELOCITY : 0);
}

/* ----------------------------------------------------------------------
   Makes LAMMPS's ghosts and lists as run_style verlet has them in this step: chosen by
   the positions of the last rebuild, and moved to the present positions
------------------------------------------------------------------------- */

void ResidentLists::show_ghosts()
{
  if (ghosts_stale) {
    const bigint ncalls = neighbor->ncalls, lastcall = neighbor->lastcall;
    const int ago = neighbor->ago;
    atoms->show_held();
    engine->agree();
    const ChangingBox::RebuildBox rebuild_box(box);
    if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
    atom->nghost = 0;
    if (domain->triclinic) atoms->show_held_fractions();
    comm->borders();
    if (domain->triclinic) domain->lamda2x(atom->nlocal + atom->nghost);
    neighbor->build(1);
    atoms->show_present();
    neighbor->ncalls = ncalls;
    neighbor->lastcall = lastcall;
    neighbor->ago = ago;
    ghosts_stale = false;
  }
  atoms->need_on_host(fields_of_ghosts());
  engine->agree();
  if (neighbor->ago > 0) comm->forward_comm();
}

/* ----------------------------------------------------------------------
   Fixes and output at the end of the last step of a run may need ghosts. Here these are
   made for atoms and box as they are before that
------------------------------------------------------------------------- */

void ResidentLists::leave_ghosts_early()
{
  leave_ghosts();
  ghosts_left = true;
}

void ResidentLists::end_run()
{
  if (!ghosts_left || (ghosts_stale && !engine->is_wide_enough())) leave_ghosts();
}

/* ----------------------------------------------------------------------
   Leaves ghosts behind at the end of a run, as run_style verlet does. If nothing in this
   run can have asked for ghosts, none are left: to find those of a million atoms takes
   as long as a hundred steps
------------------------------------------------------------------------- */

void ResidentLists::leave_ghosts()
{
  if (!ghosts_stale || plan.may_need_ghosts() || !engine->is_wide_enough()) {
    show_ghosts();
    return;
  }
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
}
