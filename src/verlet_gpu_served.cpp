/* Steps of run_style verlet/gpu in which LAMMPS takes part, and rebuilds of its lists.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "verlet_gpu.h"

#include "compute_stress_atom_gpu.h"
#include "engine_handle.h"
#include "fix_dpd_gpu_wrap.h"
#include "pair_gpu.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "comm.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "kspace.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ----------------------------------------------------------------------
   fixes of LAMMPS may read and change all that atoms have
------------------------------------------------------------------------- */

void VerletGPU::show_to_lammps()
{
  atoms->need_on_host(DS_ALL_FIELDS);
  atoms->bring_bodies();
  agree();
  timer->stamp();
}

void VerletGPU::take_from_lammps(int changed)
{
  atoms->changed_on_host(changed);
  timer->stamp(Timer::MODIFY);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::step_with_lammps()
{
  update->ntimestep++;
  ev_set(update->ntimestep);

  timer->stamp();
  call_fixes(INITIAL_INTEGRATE, DS_AT_INITIAL);
  call_fixes(POST_INTEGRATE, DS_AT_POST_INTEGRATE);
  timer->stamp(Timer::MODIFY);

  if (lists.are_due()) {
    lists.reneighbor();
  } else if (plan.ghosts_follow) {
    atoms->need_on_host(lists.fields_of_ghosts());
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
   the engine, others LAMMPS's, which may have nothing to do. Fixes of dynamic groups come first.
   Sums are added up anew after what may have changed them, for fixes that come after
------------------------------------------------------------------------- */

void VerletGPU::call_fixes(int hook, ds_point point, bool lammps)
{
  for (const bool of_groups : {true, false})
    for (int k = 0; k < modify->nfix; k++) {
      Fix *const fix = modify->fix[k];
      if ((hook == POST_FORCE && ResidentPlan::is_of_dynamic_group(fix)) != of_groups) continue;
      if (!plan.calls(k, hook)) continue;
      if ((hook == END_OF_STEP || of_groups) && update->ntimestep % fix->nevery) continue;
      bool changed = true;
      const StepProgram::Range range = plan.program.of(fix, point);
      const bool acted = hook == END_OF_STEP && ended;    // what the engine does then changes nothing
      if (range.end > range.first && !acted) {
        operate(range.first, range.end, true);
        if (hook == END_OF_STEP) take_bins(update->ntimestep, LOOKING, fix);
      } else if (lammps && !plan.has_part(fix))
        changed = call_fix(k, hook);
      else
        continue;
      const bool read = lammps || update->ntimestep == output->next;    // by those that come after, or by the output
      if (hook != END_OF_STEP || !changed || !read) continue;
      take_sums(true);
      const bool by_engine = range.end > range.first;
      if (!by_engine || domain->box_change || (plan.program.writes(range.first, range.end) & DS_POSITION)) look_at_atoms();
    }
}

bool VerletGPU::call_fix(int k, int hook)
{
  const double begin = platform::walltime();
  const bool changed = call_fix(modify->fix[k], hook);
  const bool had_nothing_to_do = !changed && dynamic_cast<FixDPDGPUWrap *>(modify->fix[k]);
  if (!had_nothing_to_do) log.add_time(k, platform::walltime() - begin);
  return changed;
}

/* ----------------------------------------------------------------------
   false: nothing has been changed that sums are made of
------------------------------------------------------------------------- */

bool VerletGPU::call_fix(Fix *fix, int hook)
{
  if (dynamic_cast<FixDPDGPUWrap *>(fix) && (!plan.flips_box() || lists.flips_on_engine())) return false;
  const bool observes = hook == END_OF_STEP && !plan.changes_atoms(update->ntimestep);
  if (observes) {
    if (!ahead.are_under_way()) bring_fields();    // operations before may have changed what it reads
    fix->end_of_step();
    return false;
  }
  plan.program.forget_sums();
  show_to_lammps();
  if (ResidentPlan::is_of_dynamic_group(fix) && plan.looks_at_ghosts()) lists.show_ghosts();
  if (hook == INITIAL_INTEGRATE) fix->initial_integrate(vflag);
  if (hook == POST_INTEGRATE) fix->post_integrate();
  if (hook == POST_FORCE) fix->post_force(vflag);
  if (hook == FINAL_INTEGRATE) fix->final_integrate();
  if (hook == END_OF_STEP) fix->end_of_step();
  const bool masks_alone = ResidentPlan::is_of_dynamic_group(fix) && !plan.may_change_in_calls();
  take_from_lammps(masks_alone ? DS_IDENTITY : DS_ALL_FIELDS);
  return true;
}

/* ----------------------------------------------------------------------
   operations of the engine, by themselves. Sums are those of styles that others may ask.
   A fix before them may have changed the box, or what a variable is made of
------------------------------------------------------------------------- */

void VerletGPU::operate(int first, int end, bool tally)
{
  EngineSession &session = engine->get_session();
  if (end <= first) return;
  if (plan.program.changes_in_run() || domain->box_change) give_settings(update->ntimestep);
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
  tally_atoms();
}

/* ----------------------------------------------------------------------
   Energies and virials of atoms that operations read at the end of the step. The pair style
   has put those of pairs in the engine's arrays, if LAMMPS has not asked for them, too.
   Where it has, somebody may read those of bonds when ghosts are not here any more
------------------------------------------------------------------------- */

void VerletGPU::tally_atoms()
{
  static constexpr int PAIRS = 1 << DS_TALLY_PAIRS | 1 << (DS_TALLIES + DS_TALLY_PAIRS);
  const int wanted = plan.program.tallies(update->ntimestep);
  const bool by_engine = plan.bonds_resident && !wants_atom_energies();
  const bool has_parts_of_ghosts = comm->nprocs > 1 && force->newton_bond;
  EngineSession &session = engine->get_session();
  ds_tallies host = {};
  if (by_engine && has_parts_of_ghosts) tally_with_ghosts(wanted);
  if ((wanted & ~PAIRS) && by_engine && !has_parts_of_ghosts && session.working())
    session.note(ds_resident_tally_bonds(atoms->engine(), update->ntimestep, session.error_text()));
  for (Compute *compute : modify->get_compute_list()) {
    auto *const ours = dynamic_cast<ComputeStressAtomGPU *>(compute);
    if (!ours || by_engine || !ours->has_bonds() || !(wanted || wants_atom_energies()) || !ours->why_not().empty()) continue;
    atoms->need_on_host(DS_POSITION);
    agree();
    ours->tally_bonds();
    ours->add_tallied_bonds(host);
  }
  if (!wanted) return;
  if (pair->eflag_atom) host.energy[DS_TALLY_PAIRS] = pair->eatom;
  if (pair->vflag_atom && pair->vatom) host.virial[DS_TALLY_PAIRS] = *pair->vatom;
  if (session.working())
    session.note(ds_resident_give_tallies(atoms->engine(), &host, update->ntimestep, session.error_text()));
  agree();
}

/* ----------------------------------------------------------------------
   some compute wants them
------------------------------------------------------------------------- */

void VerletGPU::tally_with_ghosts(int wanted)
{
  ComputeStressAtomGPU *any = nullptr;
  for (Compute *compute : modify->get_compute_list())
    if (auto *const ours = dynamic_cast<ComputeStressAtomGPU *>(compute)) any = ours;
  for (int kind = 0; kind < DS_BONDED_KINDS && any; kind++) {
    const int energy = 1 << (DS_TALLY_BONDS + kind);
    if (wanted & (energy | energy << DS_TALLIES)) bonds->tally_atoms(kind, any);
  }
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
