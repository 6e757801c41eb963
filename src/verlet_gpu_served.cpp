/* Steps of run_style verlet/gpu in which LAMMPS takes part, and rebuilds of its lists.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "verlet_gpu.h"

#include "atom_order.h"
#include "pair_engine.h"
#include "fix_dpd_gpu_wrap.h"
#include "pair_gpu.h"
#include "step_arrays.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "comm.h"
#include "dihedral.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "improper.h"
#include "kspace.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include "dpdsop/device/motion.h"

#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ----------------------------------------------------------------------
   fixes of LAMMPS may read and change all that atoms have
------------------------------------------------------------------------- */

void VerletGPU::show_to_lammps()
{
  atoms->need_on_host(DS_ALL_FIELDS);
  agree();
  timer->stamp();
}

void VerletGPU::take_from_lammps()
{
  atoms->changed_on_host(DS_ALL_FIELDS);
  timer->stamp(Timer::MODIFY);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::served_step()
{
  update->ntimestep++;
  ev_set(update->ntimestep);

  timer->stamp();
  call_fixes(INITIAL_INTEGRATE, DS_AT_INITIAL);
  call_fixes(POST_INTEGRATE, DS_AT_POST_INTEGRATE);
  timer->stamp(Timer::MODIFY);

  if (decide()) {
    reneighbor();
  } else if (plan.ghosts_follow) {
    atoms->need_on_host(fields_of_ghosts());
    agree();
    timer->stamp();
    comm->forward_comm();
    timer->stamp(Timer::COMM);
  }
  finish_forces();
}

void VerletGPU::finish_forces()
{
  forces();
  call_fixes(POST_FORCE, DS_AT_POST_FORCE);
  timer->stamp();
  call_fixes(FINAL_INTEGRATE, DS_AT_FINAL);
  timer->stamp(Timer::MODIFY);
  ended = false;
}

/* ----------------------------------------------------------------------
   all fixes at a point of the step, in LAMMPS's order: declared ones are operations of
   the engine, others LAMMPS's, which may have nothing to do. Fixes of dynamic groups come first
------------------------------------------------------------------------- */

void VerletGPU::call_fixes(int hook, ds_point point, bool lammps)
{
  for (const bool of_groups : {true, false})
    for (int k = 0; k < modify->nfix; k++) {
      Fix *const fix = modify->fix[k];
      if ((hook == POST_FORCE && strcmp(fix->style, "GROUP") == 0) != of_groups) continue;
      if (!plan.calls(k, hook)) continue;
      if (hook == END_OF_STEP && update->ntimestep % fix->nevery) continue;
      const StepProgram::Range range = plan.program.of(fix, point);
      if (range.end > range.first)
        operate(range.first, range.end, true);
      else if (lammps && !plan.has_part(fix))
        call_fix(k, hook);
      else
        continue;
      if (hook == END_OF_STEP) take_sums(true);    // for those that come after
    }
}

void VerletGPU::call_fix(int k, int hook)
{
  const double begin = platform::walltime();
  call_fix(modify->fix[k], hook);
  if (cost_of_fix.size() <= static_cast<size_t>(k)) cost_of_fix.resize(k + 1, 0.0);
  cost_of_fix[k] += platform::walltime() - begin;
}

void VerletGPU::call_fix(Fix *fix, int hook)
{
  if (dynamic_cast<FixDPDGPUWrap *>(fix) && !plan.flips_box()) return;
  const bool observes = hook == END_OF_STEP && !plan.changes_atoms(update->ntimestep);
  if (observes) {
    bring_fields();    // operations before may have changed what it reads
    fix->end_of_step();
    return;
  }
  plan.program.forget_sums();
  show_to_lammps();
  if (hook == INITIAL_INTEGRATE) fix->initial_integrate(vflag);
  if (hook == POST_INTEGRATE) fix->post_integrate();
  if (hook == POST_FORCE) fix->post_force(vflag);
  if (hook == FINAL_INTEGRATE) fix->final_integrate();
  if (hook == END_OF_STEP) fix->end_of_step();
  take_from_lammps();
}

/* ----------------------------------------------------------------------
   operations of the engine, by themselves. Sums are those of styles that others may ask.
   A fix before them may have changed the box, or what a variable is made of
------------------------------------------------------------------------- */

void VerletGPU::operate(int first, int end, bool tally)
{
  EngineSession &session = engine->get_session();
  if (end <= first) return;
  if (plan.program.changes_in_run() || domain->box_change) give_settings();
  agree();    // all ranks come to sums, or none
  atoms->need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (session.working())
    session.note(ds_resident_operate(atoms->engine(), update->ntimestep, first, end, 0,
                                     tally ? 1 : 0, session.error_text()));
  agree();
  atoms->changed_on_engine(plan.program.writes(first, end));
}

/* ----------------------------------------------------------------------
   something of LAMMPS's may add to forces, those of ghosts too, beside the pair style
------------------------------------------------------------------------- */

bool VerletGPU::others_add_forces() const
{
  return plan.lammps_forces || modify->n_pre_force || modify->n_pre_reverse || atom->torque_flag;
}

void VerletGPU::clear_forces()
{
  EngineSession &session = engine->get_session();
  if (others_add_forces()) {
    force_clear();
    atoms->changed_on_host(DS_FORCE);
    return;
  }
  atoms->need_on_engine(DS_ALL_FIELDS & ~DS_FORCE);
  if (session.working())
    session.note(ds_resident_operate(atoms->engine(), update->ntimestep, 0, 0, 1, 0,
                                     session.error_text()));
  atoms->changed_on_engine(DS_FORCE);
}

/* ----------------------------------------------------------------------
   LAMMPS decides all but the distance, which the engine has. Where lists are of a
   group alone (neigh_modify include), LAMMPS looks at the distances of its atoms
------------------------------------------------------------------------- */

bool VerletGPU::decide()
{
  if (neighbor->includegroup) {
    atoms->need_on_host(DS_POSITION);
    agree();
    return neighbor->decide() != 0;
  }
  const int check = neighbor->dist_check, before = neighbor->ago;
  neighbor->dist_check = 0;
  const bool due = neighbor->decide() != 0;
  neighbor->dist_check = check;
  const bool forced = neighbor->ago == before;    // else it has been counted up
  if (!due || !check || forced) return due;
  if (!far_enough()) return false;
  if (neighbor->ago == MAX(neighbor->every, neighbor->delay)) neighbor->ndanger++;
  return true;
}

bool VerletGPU::far_enough()
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

void VerletGPU::reneighbor()
{
  int outside = 0;
  if (!plan.lammps_reneighbors && !plan.flips_box() && !shows_tilted_ghosts()) {
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
      ghosts_stale = true;
      box.hold();
      return;
    }
  }
  reneighbor_with_lammps();
}

/* ----------------------------------------------------------------------
   Ghosts are converted from fractions of a tilted box in the step of a rebuild,
   and moved as lengths in others: only LAMMPS has the bits of the former
------------------------------------------------------------------------- */

bool VerletGPU::shows_tilted_ghosts() const
{
  const bigint step = update->ntimestep;
  return domain->triclinic && (step == output->next || plan.calls_fixes(step)) &&
         plan.needs_ghosts(step);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::reneighbor_on_engine(int *outside)
{
  EngineSession &session = engine->get_session();
  const int fields = DS_POSITION | DS_IMAGE | (domain->deform_vremap ? DS_VELOCITY : 0);
  timer->stamp();
  atoms->need_on_engine(fields);
  if (session.working())
    session.note(
        ds_resident_reneighbor(atoms->engine(), update->ntimestep, outside, session.error_text()));
  agree();
  if (!*outside) atoms->changed_on_engine(fields);
  timer->stamp(Timer::NEIGH);
}

/* ----------------------------------------------------------------------
   as run_style verlet
------------------------------------------------------------------------- */

void VerletGPU::reneighbor_with_lammps()
{
  atoms->need_on_host(DS_ALL_FIELDS);
  agree();
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
  if (domain->triclinic) domain->lamda2x(atom->nlocal + atom->nghost);
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
  box.hold();
  atoms->renumbered();
  bonds->renumbered();
  atoms->hold();
}

/* ----------------------------------------------------------------------
   LAMMPS's atoms follow when they are needed
------------------------------------------------------------------------- */

bool VerletGPU::is_to_sort() const
{
  return atom->sortfreq > 0 && update->ntimestep >= atom->nextsort;
}

void VerletGPU::sort_on_engine()
{
  const AtomOrder order(lmp);
  timer->stamp();
  if (order.sorts()) {
    atoms->sort(order.bins());
    bonds->renumbered();
  }
  agree();
  atom->nextsort = (update->ntimestep / atom->sortfreq + 1) * atom->sortfreq;
  timer->stamp(Timer::COMM);
}

/* ----------------------------------------------------------------------
   LAMMPS sorts its atoms now and then; ghosts, which nobody reads, are left out.
   Before that, atoms that have left the box are LAMMPS's matter
------------------------------------------------------------------------- */

bool VerletGPU::some_outside()
{
  const ds_wrap wrap = StepArrays::box_of(lmp);
  int outside = 0;
  atoms->need_on_host(DS_ALL_FIELDS);
  agree();
  if (!domain->xperiodic || !domain->yperiodic || !domain->zperiodic)
    for (int i = 0; i < atom->nlocal; i++) outside |= ds_outside(&wrap, atom->x[i]);
  return outside != 0;
}

void VerletGPU::sort_without_ghosts()
{
  timer->stamp();
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  atom->sort();
  if (domain->triclinic) domain->lamda2x(atom->nlocal);
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
  timer->stamp(Timer::COMM);
  atoms->renumbered();
  bonds->renumbered();
  atoms->hold();
}

/* ---------------------------------------------------------------------- */

int VerletGPU::fields_of_ghosts() const
{
  return DS_POSITION | (comm->ghost_velocity ? DS_VELOCITY : 0);
}

/* ----------------------------------------------------------------------
   ghosts and lists as run_style verlet has them in this step: made for the
   positions of the last rebuild, and with those of now
------------------------------------------------------------------------- */

void VerletGPU::show_ghosts()
{
  if (ghosts_stale) {
    const bigint ncalls = neighbor->ncalls, lastcall = neighbor->lastcall;
    const int ago = neighbor->ago;
    atoms->show_held();
    agree();
    const ChangingBox::Held held(box);
    if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
    atom->nghost = 0;
    if (domain->triclinic) domain->x2lamda(atom->nlocal);
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
  agree();
  if (neighbor->ago > 0) comm->forward_comm();
}

/* ----------------------------------------------------------------------
   when a run ends: as run_style verlet leaves them, or none where nothing in
   this run can have asked for some. To find those of a million atoms takes as
   long as a hundred steps
------------------------------------------------------------------------- */

void VerletGPU::leave_ghosts()
{
  if (!ghosts_stale || plan.may_need_ghosts() || !engine->is_wide_enough()) {
    show_ghosts();
    return;
  }
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
}

/* ---------------------------------------------------------------------- */

void VerletGPU::forces()
{
  clear_forces();
  if (modify->n_pre_force) {
    show_to_lammps();
    modify->pre_force(vflag);
    take_from_lammps();
  }
  timer->stamp();
  pair->compute(eflag, vflag);
  timer->stamp(Timer::PAIR);
  const bool others = others_add_forces();
  const bool by_lammps = plan.bonds_resident ? !resident_bonds() : plan.lammps_forces;
  lammps_forces(by_lammps, others);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::lammps_forces(bool by_lammps, bool others)
{
  if (by_lammps) {
    atoms->need_on_host(DS_ALL_FIELDS);
    agree();
    timer->stamp();
    if (atom->molecular != Atom::ATOMIC) {
      lammps_bonds();
      if (force->dihedral) force->dihedral->compute(eflag, vflag);
      if (force->improper) force->improper->compute(eflag, vflag);
      timer->stamp(Timer::BOND);
    }
    if (kspace_compute_flag) {
      force->kspace->compute(eflag, vflag);
      timer->stamp(Timer::KSPACE);
    }
    atoms->changed_on_host(DS_FORCE);
  }
  if (modify->n_pre_reverse) {
    show_to_lammps();
    modify->pre_reverse(eflag, vflag);
    take_from_lammps();
  }
  // forces of ghosts have been cleared, and may have been added to
  if (force->newton && (by_lammps || others)) {
    atoms->need_on_host(DS_FORCE);
    agree();
    timer->stamp();
    comm->reverse_comm();
    timer->stamp(Timer::COMM);
    atoms->changed_on_host(DS_FORCE);
  }
}
