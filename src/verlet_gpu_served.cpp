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
   LAMMPS's fixes may read and change every field of atoms
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
   Calls all fixes of one point of the step, in LAMMPS's order; fixes of dynamic groups
   come first. Declared fixes are operations of the engine. `lammps` is false if LAMMPS's
   fixes have nothing to do. After a fix that may have changed sums, they are added up
   again, for the fixes behind it and for the output
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
      const bool acted = hook == END_OF_STEP && ended;    // the engine has done these operations already
      if (range.end > range.first && !acted) {
        operate(range.first, range.end, true);
        if (hook == END_OF_STEP) take_bins(update->ntimestep, LOOKING, fix);
      } else if (lammps && !plan.has_part(fix))
        changed = call_fix(k, hook);
      else
        continue;
      const bool read = lammps || update->ntimestep == output->next;    // a fix behind it, or the output, may read sums
      if (hook != END_OF_STEP || !changed || !read) continue;
      take_sums(true);
      const bool engine_alone = range.end > range.first && !domain->box_change;
      look_at_atoms(engine_alone ? plan.program.writes(range.first, range.end) : DS_ALL_FIELDS);
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
   Calls one fix of LAMMPS. Returns false if it cannot have changed any sums
------------------------------------------------------------------------- */

bool VerletGPU::call_fix(Fix *fix, int hook)
{
  if (dynamic_cast<FixDPDGPUWrap *>(fix) && (!plan.flips_box() || lists.flips_on_engine())) return false;
  const bool observes = hook == END_OF_STEP && !plan.changes_atoms(update->ntimestep);
  if (observes) {
    if (!ahead.are_under_way()) bring_fields();    // operations of fixes before it may have changed atoms
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
   Lets the engine do some operations of the present step. `tally`: their sums are
   wanted, as other styles may read them. A fix before them may have changed the box or
   the value of a variable, so settings are given again
------------------------------------------------------------------------- */

void VerletGPU::operate(int first, int end, bool tally)
{
  EngineSession &session = engine->get_session();
  if (end <= first) return;
  if (plan.program.changes_in_run() || domain->box_change) give_settings(update->ntimestep);
  agree();    // sums over ranks need all ranks
  atoms->need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (session.working())
    session.note(ds_resident_operate(atoms->engine(), update->ntimestep, first, end, 0,
                                     tally ? 1 : 0, session.error_text()));
  agree();
  atoms->changed_on_engine(plan.program.writes(first, end));
}

/* ----------------------------------------------------------------------
   Whether LAMMPS may add to forces beside the pair style, also to those of ghosts
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
  follow_charges(true, neighbor->ago == 0);
  pair->compute(eflag, vflag);
  timer->stamp(Timer::PAIR);
  const bool others = others_add_forces();
  const bool by_lammps = plan.bonds_resident ? !resident_bonds() : plan.lammps_forces;
  if (plan.mesh_resident) resident_mesh();
  lammps_forces(by_lammps, others);
  tally_atoms();
}

/* ----------------------------------------------------------------------
   Tallies energies and virials of atoms that operations read at the end of the step.
   Those of pairs are in the engine's arrays already, unless LAMMPS has asked for them as
   well: then they are in LAMMPS's. In that case parts of bonds are tallied here for
   LAMMPS, too, because it may read them when its ghosts are gone
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
   Tallies bonds, whose parts on ghosts return to their owners. Any compute of this kind
   can do that communication for all of them
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
  // forces of ghosts were cleared before, and LAMMPS may have added to them
  if (force->newton && (by_lammps || others)) {
    atoms->need_on_host(DS_FORCE);
    agree();
    timer->stamp();
    comm->reverse_comm();
    timer->stamp(Timer::COMM);
    atoms->changed_on_host(DS_FORCE);
  }
}
