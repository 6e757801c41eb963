/* Velocity Verlet of atoms that stay with the engine, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later

   A step does the same operations in the same order as a step of run_style verlet, so all bits are the same. The engine
   does what styles of this package declare (step_part.h), wraps atoms into the periodic box, rebuilds neighbor lists and
   makes pair and bonded forces. LAMMPS does everything else a run contains: what it needs is copied to its arrays before,
   and what it has changed is copied back afterwards. If LAMMPS takes no part in a number of steps, they are one call of the
   engine (run_on_engine). */

#include "verlet_gpu.h"

#include "compute_temp_gpu.h"
#include "engine_handle.h"
#include "pair_together.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

VerletGPU::VerletGPU(LAMMPS *lmp, int narg, char **arg) :
    Verlet(lmp, narg, arg), plain(false), plan(lmp), pair(nullptr), of_lammps(nullptr), engine(nullptr), mesh(nullptr),
    atoms(nullptr), lists(lmp, plan), reneighbored_by_setup(false), table_printed(false), ended(false), gpus(1), log(lmp),
    reason(RunLog::IN_EVERY_STEP), begun(-1), engine_until(-1), charges_seen(-1), charges_are_old(false)
{
  for (int iarg = 0; iarg < narg; iarg += 2) {
    if (strcmp(arg[iarg], "gpus") != 0)
      error->all(FLERR, "Run_style verlet/gpu: keyword {} is not known, allowed is gpus", arg[iarg]);
    if (iarg + 1 == narg) error->all(FLERR, "Run_style verlet/gpu: keyword gpus has no value, allowed are 1 to 16");
    const bigint wanted = utils::is_integer(arg[iarg + 1]) ? utils::bnumeric(FLERR, arg[iarg + 1], false, lmp) : 0;
    if (wanted < 1 || wanted > 16)
      error->all(FLERR, "Run_style verlet/gpu: gpus is {}, allowed are 1 to 16", arg[iarg + 1]);
    gpus = static_cast<int>(wanted);
  }
  ComputeTempGPU::take_place_of_thermo_temp(lmp);
}

VerletGPU::~VerletGPU()
{
  ahead.stop();
}

/* ----------------------------------------------------------------------
   With suffix gpu LAMMPS takes this style instead of run_style verlet, for any pair style
------------------------------------------------------------------------- */

bool VerletGPU::suffixed() const
{
  return lmp->suffix_enable && lmp->suffix &&
      (strcmp(lmp->suffix, "gpu") == 0 || strcmp(lmp->suffix, "exact/gpu") == 0);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::init()
{
  if (lmp->kokkos)
    error->all(FLERR,
               "Run_style verlet/gpu: KOKKOS has the atoms in a run with -k on, allowed are "
               "run_style verlet/kk with pair style dpd/gpu/kk; or a run with -k off");
  Verlet::init();
  of_lammps = force->pair;
  pair = dynamic_cast<PairGPU *>(force->pair);
  const bool hybrid = force->pair_match("^hybrid", 0) != nullptr;
  std::string why;
  together = hybrid ? PairTogether::of_hybrid(lmp, std::move(together), &why) : nullptr;
  if (together) pair = together.get();
  plain = !pair && (suffixed() || hybrid);
  if (plain && hybrid && comm->me == 0)
    utils::logmesg(lmp,
                   "Run_style verlet/gpu: pair style {} has no resident path, as {}: steps are those of run_style verlet, with "
                   "forces of each sub-style where that computes them\n",
                   force->pair_style, why);
  if (plain) return;
  if (!pair)
    error->all(FLERR,
               "Run_style verlet/gpu: pair style {} has no resident path, allowed are dpd/gpu, "
               "dpd/ext/gpu, dpd/tstat/gpu, mdpd/gpu, dpd/coul/slater/long/gpu, coul/slater/long/gpu and lj/cut/gpu",
               force->pair_style ? force->pair_style : "none");
  if (!pair_compute_flag)
    error->all(FLERR, "Run_style verlet/gpu: pair_modify has compute no, allowed is compute yes");
  engine = pair->get_engine();
  atoms = &engine->residents();
  find_mesh();
  bonds.reset(new ResidentBonds(lmp, engine->get_session(), *atoms));
  lists.belong_to(engine, bonds.get());
  table_printed = false;
}

/* ---------------------------------------------------------------------- */

void VerletGPU::tell_parts()
{
  for (Fix *fix : modify->get_fix_list())
    if (auto *const part = dynamic_cast<StepPart *>(fix)) part->engine_comes();
}

/* ----------------------------------------------------------------------
   A set-up is that of run_style verlet, on LAMMPS's arrays
------------------------------------------------------------------------- */

void VerletGPU::setup(int flag)
{
  if (plain) {
    Verlet::setup(flag);
    return;
  }
  engine->reside(false);
  tell_parts();
  Verlet::setup(flag);
  if (together) engine->follow_setup();
  reneighbored_by_setup = true;
  lists.made_by_setup();
  lists.look_at_order();
}

void VerletGPU::setup_minimal(int flag)
{
  if (plain) {
    Verlet::setup_minimal(flag);
    return;
  }
  if (!flag && lists.are_ghosts_stale() && atoms->is_open()) lists.show_ghosts();
  engine->reside(false);
  tell_parts();
  Verlet::setup_minimal(flag);
  if (!flag) return;
  if (together) engine->follow_setup();
  reneighbored_by_setup = true;
  lists.made_by_setup();
}

/* ----------------------------------------------------------------------
   Stops LAMMPS on all ranks if the engine has failed on one
------------------------------------------------------------------------- */

void VerletGPU::agree()
{
  engine->agree();
}

/* ----------------------------------------------------------------------
   While this lives, atoms stay with the engine. A destructor ends that, because a run
   may end by an exception
------------------------------------------------------------------------- */

class Residence {
 public:
  Residence(EngineHandle *e, StepsAhead &a, const StepProgram &program) : engine(e), ahead(a)
  {
    engine->reside(true);
    engine->residents().refer_to(&program);
  }
  ~Residence()
  {
    ahead.stop();
    engine->reside(false);
    engine->residents().refer_to(nullptr);
  }
  Residence(const Residence &) = delete;
  Residence &operator=(const Residence &) = delete;

 private:
  EngineHandle *engine;
  StepsAhead &ahead;
};

/* ----------------------------------------------------------------------
   A run without a set-up goes on with the lists of the last run. Atoms may have been
   added, deleted or moved to another rank since then. Possibly one rank alone knows
   it, so all ranks decide together
------------------------------------------------------------------------- */

void VerletGPU::require_same_atoms()
{
  int same = atoms->has_rebuild_positions() ? 1 : 0, all;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, world);
  if (!all)
    error->all(FLERR,
               "Run_style verlet/gpu: atoms were changed after the last run, allowed is then a run "
               "with pre yes");
}

/* ---------------------------------------------------------------------- */

void VerletGPU::run(int n)
{
  if (plain) {
    Verlet::run(n);
    return;
  }

  if (!engine || force->pair != of_lammps || pair->get_engine() != engine || (together && !together->has_parts()))
    error->all(
        FLERR,
        "Run_style verlet/gpu: run has pre no, but there was no set-up with this run style and "
        "this pair style, allowed is pre yes");
  // Atoms may have been changed between two runs, so they are given anew. A run of no steps does not do that: the velocities
  // of the evaluation in its set-up stay known, and the next set-up uses them

  if (n > 0) engine->prepare(pair);
  const Residence residence(engine, ahead, plan.program);
  begun = -1;
  agree();
  bonds->look(reneighbored_by_setup);
  lists.begin_run();
  log.begin();
  make_plan(update->ntimestep);
  plan.program.take_bonded(-1, {});
  plan.look_at_sort(atoms->has_own_copies(), lists.knows_bins(), atoms->order.why_not());
  if (!table_printed) plan.tell(engine->describe(), bonds->why_not());
  table_printed = true;
  atoms->changed_on_host(DS_ALL_FIELDS);
  atoms->give_bodies();
  if (reneighbored_by_setup) {
    lists.save_rebuild_state();
  } else {
    require_same_atoms();
    if (plan.ghosts_follow && lists.are_ghosts_stale()) lists.show_ghosts();    // the last run may have left none
  }
  if (plan.bonds_resident) {
    give_settings(update->ntimestep + 1);
    bonds->give();    // LAMMPS's arrays have the positions of the rebuild
  }
  reneighbored_by_setup = false;

  const bigint last = update->ntimestep + n;
  const bigint first = update->ntimestep + 1;
  bigint checked = 0;
  for (bigint step = first; step <= last; step = update->ntimestep + 1) {
    bool late = false;
    for (; begun < 0 && !late && checked <= step - first; checked++)
      late = timer->check_timeout(static_cast<int>(checked));
    if (late) {
      update->nsteps = static_cast<int>(step - first);
      break;
    }
    follow_box();
    const bigint free = free_until(last);
    give_settings(update->ntimestep + 1);
    if (free >= step) {
      run_on_engine(free);
    } else {
      log.count(reason);
      step_with_lammps();
    }
    finish_step(last);
  }

  if (plan.program.adds_up()) take_sums(false);
  take_bins(update->ntimestep, ALL_STYLES);
  plan.program.forget_sums();
  atoms->need_on_host(DS_ALL_FIELDS);
  pair->show_atoms(*engine);
  atoms->bring_bodies();
  if (plan.program.keeps_forces()) atoms->bring_kept();
  lists.end_run();
  agree();
  log.tell(update->ntimestep - (first - 1), plan);
}

bool VerletGPU::is_read(bigint step) const
{
  return step == output->next || plan.calls_fixes(step);
}

/* ----------------------------------------------------------------------
   Does what comes at the end of a step. The engine then makes steps ahead, and those of
   which LAMMPS reads only sums are shown to LAMMPS one by one. If operations still have
   to act at the end of this step, the engine goes on after them only
------------------------------------------------------------------------- */

void VerletGPU::finish_step(bigint last)
{
  const bigint step = update->ntimestep;
  const bool output_now = step == output->next, fixes_now = plan.calls_fixes(step);
  if (step == last && (fixes_now || plan.program.changes_box_at_end())) lists.leave_ghosts_early();
  if (output_now || fixes_now) {
    bring_for_calls();
    take_sums(!ended);
    look_at_atoms();
  }
  if (ended) {
    take_bins(step, LOOKING);    // steps made ahead add to bins, so they are taken before
    start_ahead(step, last);
    end_of_step(fixes_now);
  } else {
    end_of_step(fixes_now);
    if (output_now) bring_fields();    // the end of the step may have changed atoms
    if (output_now) start_ahead(step, last);
  }
  write_output();
  while (take_ahead()) show_step();
  if (output_now && plan.may_change_in_calls()) atoms->changed_on_host(DS_ALL_FIELDS);
}

/* ----------------------------------------------------------------------
   Calls LAMMPS's fixes at the end of a step, and writes its output. Meanwhile the engine
   may make more steps
------------------------------------------------------------------------- */

void VerletGPU::show_step()
{
  end_of_step(plan.calls_fixes(update->ntimestep));
  write_output();
}

void VerletGPU::write_output()
{
  const bigint step = update->ntimestep;
  if (step != output->next) return;
  if (!ahead.are_under_way()) bring_fields();    // the end of the step may have changed atoms
  timer->stamp();
  output->write(step);
  timer->stamp(Timer::OUTPUT);
}

/* ----------------------------------------------------------------------
   Brings to LAMMPS what it reads at the end of this step
------------------------------------------------------------------------- */

void VerletGPU::bring_for_calls()
{
  bring_fields();
  if (wants_atom_energies()) plan.program.tell_atoms(vflag);
  if (plan.needs_ghosts(update->ntimestep)) {
    lists.show_ghosts();
    pair->clear_ghost_tallies();
  }
  agree();
}

void VerletGPU::bring_fields()
{
  const int fields = plan.reads(update->ntimestep);
  if (fields) {
    atoms->need_on_host(fields);
    pair->show_atoms(*engine);
  }
  atoms->bring_bodies();
  agree();
}

/* ----------------------------------------------------------------------
   Gives sums of the present state to the styles. `add_up`: the engine has not added
   them up yet
------------------------------------------------------------------------- */

void VerletGPU::take_sums(bool add_up)
{
  ds_exact_sum sums[DS_STEP_SUMS];
  const bigint step = update->ntimestep;
  EngineSession &session = engine->get_session();
  if (!plan.program.has_sums()) return;
  if (add_up) operate(plan.program.begin(DS_AT_SUMS), plan.program.begin(DS_AT_INITIAL), true);
  if (session.working())
    session.note(ds_resident_step_sums(atoms->engine(), sums, session.error_text()));
  agree();
  plan.program.give_sums(step, sums);
}

/* ----------------------------------------------------------------------
   Some styles of this package look at the engine's atoms themselves, in steps in which
   LAMMPS reads them; and once more if some of what they read has been changed since
------------------------------------------------------------------------- */

void VerletGPU::look_at_atoms(int changed)
{
  agree();
  plan.program.look_at_atoms(update->ntimestep, *atoms, changed);
}

/* ----------------------------------------------------------------------
   Gives styles what the steps up to `acted` have added to their bins. With LOOKING only
   those get it that look at their bins in that step. `only` is one fix, or null for all
------------------------------------------------------------------------- */

void VerletGPU::take_bins(bigint acted, Lookers whose, Fix *only)
{
  EngineSession &session = engine->get_session();
  for (const StepProgram::Bins &b : plan.program.bins()) {
    if (whose == LOOKING && !StepProgram::looks(b, acted)) continue;
    if (only && b.part != dynamic_cast<StepPart *>(only)) continue;
    std::vector<ds_exact_sum> cells(b.cells);
    if (session.working())
      session.note(ds_resident_take_bins(atoms->engine(), b.number, cells.data(), cells.size(), session.error_text()));
    agree();
    b.part->take_bins(acted, cells);
  }
}
