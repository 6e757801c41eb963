/* Who takes part in a run: what stays with the engine, and in which steps LAMMPS is called.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_plan.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "dump_abi.h"
#include "fix.h"
#include "compute_chunk_atom_gpu.h"
#include "compute_stress_atom_gpu.h"
#include "fields_read.h"
#include "fix_dpd_gpu_wrap.h"
#include "force.h"
#include "kspace.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "resident_styles.h"
#include "steps_ahead.h"
#include "update.h"

#include "dpdsop/resident.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;
using namespace ResidentStyles;

const int ResidentPlan::IN_STEP =
    INITIAL_INTEGRATE | POST_INTEGRATE | PRE_FORCE | PRE_REVERSE | POST_FORCE | FINAL_INTEGRATE;
const int ResidentPlan::AT_RENEIGHBORING = PRE_EXCHANGE | PRE_NEIGHBOR | POST_NEIGHBOR;

/* ---------------------------------------------------------------------- */

ResidentPlan::ResidentPlan(LAMMPS *lmp) :
    Pointers(lmp), program(lmp), bonds_resident(false), mesh_resident(false), box_follows(false), every_step(false),
    lammps_forces(false), lammps_reneighbors(false), ghosts_follow(false), engine_sorts(false),
    lammps_bonds(false), has_own_mesh(false), others_read_ghosts(false), hooks(0), wrap(nullptr), ghostly_compute(false),
    altering_compute(false), altering_variable(false), calls_read(DS_ALL_FIELDS),
    thermo_reads(DS_ALL_FIELDS)
{
}

/* ----------------------------------------------------------------------
   Points of a step at which a fix is called. LAMMPS calls the fix of a dynamic group
   although it has no mask. It chooses atoms in multiples of the number of steps that
   `group ID dynamic ... every` gives
------------------------------------------------------------------------- */

bool ResidentPlan::is_of_dynamic_group(const Fix *fix)
{
  return strcmp(fix->style, "GROUP") == 0;
}

/* ----------------------------------------------------------------------
   Fixes that LAMMPS calls in the midst of few steps, known beforehand. On several ranks
   LAMMPS takes part in each step with fix adapt, as the point at which it is called may
   change forces on ghosts
------------------------------------------------------------------------- */

bool ResidentPlan::is_seldom(const Fix *fix) const
{
  if (is_of_dynamic_group(fix)) return fix->nevery > 1;
  return comm->nprocs == 1 && fix->nevery != 1 && among(SELDOM_IN_STEP, fix->style);
}

static int calls_of(const Modify *modify, int k)
{
  return modify->fmask[k] | (ResidentPlan::is_of_dynamic_group(modify->fix[k]) ? POST_FORCE : 0);
}

bool ResidentPlan::calls(int k, int bit) const
{
  return (calls_of(modify, k) & bit) != 0;
}

/* ----------------------------------------------------------------------
   Fixes that declare what they do become part of the program; LAMMPS calls all others
------------------------------------------------------------------------- */

void ResidentPlan::look_at_fixes()
{
  program.clear();
  not_declared.clear();
  end_of_step_fixes.clear();
  seldom.clear();
  hooks = 0;
  wrap = nullptr;
  bool ghostly = false;
  for (int k = 0; k < modify->nfix; k++) {
    Fix *const fix = modify->fix[k];
    const int mask = calls_of(modify, k);
    if (const auto *const ours = dynamic_cast<const FixDPDGPUWrap *>(fix)) {
      wrap = ours;
      continue;
    }
    if (is_seldom(fix)) {
      if (fix->nevery > 0) seldom.push_back(fix);
      continue;
    }
    std::string why;
    if (program.add(fix, &why)) continue;
    if (auto *const part = dynamic_cast<StepPart *>(fix)) part->left_to_lammps();
    if (!why.empty()) not_declared.push_back(fmt::format("fix {}: {}", fix->id, why));
    if (mask & END_OF_STEP) end_of_step_fixes.push_back(fix);
    hooks |= mask;
    if ((mask & (IN_STEP | AT_RENEIGHBORING)) && !among(OWN_ATOMS_FIXES, fix->style) &&
        !dynamic_cast<StepPart *>(fix))
      ghostly = true;
  }
  for (Compute *compute : modify->get_compute_list()) program.add(compute);
  const bool shrinks = domain->nonperiodic == 2;    // in a rebuild LAMMPS shrinks the box around the atoms
  box_follows = program.changes_box() && !shrinks &&
                std::all_of(modify->fix, modify->fix + modify->nfix,
                            [this](const Fix *fix) { return fix->box_change == Fix::NO_BOX_CHANGE || program.has(fix); });
  others_read_ghosts = ghostly || lammps_forces;
  ghosts_follow = others_read_ghosts || (bonds_resident && comm->nprocs > 1);
}

/* ---------------------------------------------------------------------- */

void ResidentPlan::look_at_reneighboring(bool needs_ghosts)
{
  why_alone.clear();
  if (needs_ghosts && comm->nprocs == 1)
    why_alone = "the box is narrower than two ranges of the list";
  else if (domain->box_change && !box_follows)
    why_alone = "the box changes";
  else if (others_read_ghosts)
    why_alone = "forces or fixes of LAMMPS look at ghosts";
  else if (hook(AT_RENEIGHBORING))
    why_alone = "a fix is called there";
  else if (atom->firstgroup >= 0 || neighbor->includegroup)
    why_alone = "a group of atoms comes first";
  why_reneighbors = comm->nprocs > 1 ? "there are several processes" : why_alone;
  lammps_reneighbors = !why_reneighbors.empty();
}

/* ----------------------------------------------------------------------
   Whether the engine can make bonded forces. On one rank it must rebuild lists itself,
   as it then knows the images of atoms. On several ranks it gets LAMMPS's ghosts, and
   nothing but bonds may add to the forces on these
------------------------------------------------------------------------- */

bool ResidentPlan::can_have_bonds() const
{
  if (!why_alone.empty()) return false;
  return comm->nprocs == 1 || !(hook(PRE_FORCE | PRE_REVERSE) || atom->torque_flag);
}

/* ----------------------------------------------------------------------
   Why LAMMPS sorts atoms, or nothing if the engine can do it
------------------------------------------------------------------------- */

void ResidentPlan::look_at_sort(bool own_copies, bool alike, const std::string &why_not_put)
{
  why_sorts.clear();
  if (lammps_reneighbors)
    why_sorts = "it rebuilds lists";
  else if (!own_copies)
    why_sorts = "all arrays are its own";
  else if (every_step)
    why_sorts = "it takes part in every step";
  else if (!alike)
    why_sorts = "its bins are not those expected";
  else
    why_sorts = why_not_put;
  engine_sorts = why_sorts.empty();
}

/* ----------------------------------------------------------------------
   Whether LAMMPS's own code may set up these chunks for a fix of LAMMPS. It converts
   positions to fractions of the box and back, which rounds them. LAMMPS's computes that
   read chunks need no look here: they count as computes that may change atoms anyway
------------------------------------------------------------------------- */

bool ResidentPlan::converts_positions(const ComputeChunkAtomGPU *chunks) const
{
  const ChunkBins &bins = chunks->get_bins();
  if (bins.are_molecules() && bins.why_not_molecules().empty()) return false;
  if (!bins.why_not().empty()) return true;
  return bins.are_reduced() && std::any_of(end_of_step_fixes.begin(), end_of_step_fixes.end(), [](const Fix *fix) {
    return strncmp(fix->style, "ave/chunk", strlen("ave/chunk")) == 0 && !dynamic_cast<const StepPart *>(fix);
  });
}

/* ----------------------------------------------------------------------
   Long-range forces stay with the engine if it makes all forces, on one process
------------------------------------------------------------------------- */

void ResidentPlan::make(bool needs_ghosts, bool bonds, bool mesh)
{
  const bool long_range = force->kspace && force->kspace->compute_flag;
  const bool has_mesh = long_range && mesh && comm->nprocs == 1;
  has_own_mesh = mesh;
  const bool has_bonds = atom->molecular != Atom::ATOMIC &&
                         (force->bond || force->angle || force->dihedral || force->improper);
  bonds_resident = has_bonds && bonds && (!long_range || has_mesh);
  do {
    mesh_resident = has_mesh && (!has_bonds || bonds_resident);
    lammps_bonds = has_bonds && !bonds_resident;
    lammps_forces = (long_range && !mesh_resident) || lammps_bonds;
    look_at_fixes();
    look_at_reneighboring(needs_ghosts);
    if (!bonds_resident || (can_have_bonds() && (!domain->box_change || box_follows))) break;
    bonds_resident = false;
  } while (true);
  every_step = hook(IN_STEP) || lammps_forces || lammps_reneighbors;

  ghostly_compute = altering_compute = false;
  for (Compute *compute : modify->get_compute_list()) {
    if (const auto *const chunks = dynamic_cast<const ComputeChunkAtomGPU *>(compute))
      altering_compute = altering_compute || converts_positions(chunks);
    if (dynamic_cast<StepPart *>(compute)) {    // if it is not in the program, it works as LAMMPS's own
      ghostly_compute = ghostly_compute || (!program.has(compute) && dynamic_cast<ComputeStressAtomGPU *>(compute));
      continue;
    }
    ghostly_compute = ghostly_compute || !among(OWN_ATOMS_COMPUTES, compute->style);
    altering_compute = altering_compute || !among(OBSERVING_COMPUTES, compute->style);
  }
  const FieldsRead fields(lmp, program);
  altering_variable = fields.has_python();
  calls_read = altering_variable ? DS_ALL_FIELDS : fields.of_computes() | fields.of_variables();
  // a variable may choose the steps of the output, and it is not known what that reads
  thermo_reads = altering_variable || output->var_thermo ? DS_ALL_FIELDS : fields.of_computes() | fields.of_columns();
}

/* ----------------------------------------------------------------------
   Whether fix deform flips the box in this step, when lists are rebuilt
------------------------------------------------------------------------- */

bool ResidentPlan::flips_box() const
{
  return wrap && wrap->flips_box();
}

bool ResidentPlan::acts_before_lists() const
{
  return hook(POST_INTEGRATE) || program.begin(DS_AT_POST_INTEGRATE) < program.begin(DS_POINTS);
}

/* ---------------------------------------------------------------------- */

bool ResidentPlan::calls_fixes(bigint step) const
{
  return std::any_of(end_of_step_fixes.begin(), end_of_step_fixes.end(),
                     [step](Fix *fix) { return step % fix->nevery == 0; });
}

/* ----------------------------------------------------------------------
   Whether a fix reads nothing but computes and variables. Fix halt may look at bonds
------------------------------------------------------------------------- */

static bool reads_globals(const Fix *fix, const Atom *atom)
{
  return among(READERS_OF_GLOBALS, fix->style) && (strcmp(fix->style, "halt") != 0 || atom->molecular == Atom::ATOMIC);
}

bool ResidentPlan::reads_sums_alone(const Fix *fix) const
{
  return calls_read == 0 && reads_globals(fix, atom);
}

bigint ResidentPlan::next_seldom_call(bigint step) const
{
  bigint next = MAXBIGINT;
  for (const Fix *fix : seldom) next = MIN(next, next_multiple(step, fix->nevery));
  return next;
}

/* ----------------------------------------------------------------------
   Fix halt may end the run in any step in which it is called
------------------------------------------------------------------------- */

static bool may_end_run(const Fix *fix)
{
  return strcmp(fix->style, "halt") == 0;
}

std::vector<bigint> ResidentPlan::periods_of_sums() const
{
  std::vector<bigint> periods;
  if (thermo_reads_sums() && output->thermo_every > 0) periods.push_back(output->thermo_every);
  for (const Fix *fix : end_of_step_fixes)
    if (reads_sums_alone(fix)) periods.push_back(fix->nevery);
  return periods;
}

bigint ResidentPlan::next_end_of_step_with_atoms(bigint step) const
{
  bigint next = MAXBIGINT;
  for (const Fix *fix : end_of_step_fixes)
    if (program.acts_at_end() || !reads_sums_alone(fix) || may_end_run(fix))
      next = MIN(next, next_multiple(step, fix->nevery));
  return next;
}

bigint ResidentPlan::next_call(bigint step) const
{
  return MIN(output->next, next_end_of_step(step));
}

bigint ResidentPlan::next_end_of_step(bigint step) const
{
  bigint next = MAXBIGINT;
  for (Fix *fix : end_of_step_fixes) next = MIN(next, next_multiple(step, fix->nevery));
  return next;
}

/* ----------------------------------------------------------------------
   The next step in which LAMMPS rebuilds lists whatever distances are: before it writes a
   restart file, or when a fix asks for it
------------------------------------------------------------------------- */

bigint ResidentPlan::next_forced_reneighboring(bigint step) const
{
  bigint next = MAXBIGINT;
  if (output->restart_flag && output->next_restart > step) next = output->next_restart;
  for (int k = 0; k < modify->nfix; k++) {
    Fix *const fix = modify->fix[k];
    if (fix->force_reneighbor && fix->next_reneighbor > step)
      next = MIN(next, fix->next_reneighbor);
  }
  return next;
}

/* ----------------------------------------------------------------------
   When a file is written next. period 0: a variable or the time decides, so LAMMPS
   knows only after the files of this step
------------------------------------------------------------------------- */

static bigint next_file(bigint step, bigint due, bigint period)
{
  if (due > step) return due;
  return period > 0 ? due + period : step;
}

bigint ResidentPlan::next_with_files(bigint step) const
{
  bigint next = MAXBIGINT;
  if (output->ndump) next = output->next_dump_any;
  if (next <= step) {
    next = MAXBIGINT;
    for (int k = 0; k < output->ndump; k++)
      next = MIN(next, next_file(step, output->next_dump[k], output->mode_dump[k] ? 0 : output->every_dump[k]));
  }
  if (!output->restart_flag) return next;
  if (output->next_restart > step) return MIN(next, output->next_restart);
  if (output->restart_flag_single)
    next = MIN(next, next_file(step, output->next_restart_single, output->restart_every_single));
  if (output->restart_flag_double)
    next = MIN(next, next_file(step, output->next_restart_double, output->restart_every_double));
  return next;
}

/* ---------------------------------------------------------------------- */

int ResidentPlan::reads(bigint step) const
{
  if (may_change_in_calls() || step == output->next_restart) return DS_ALL_FIELDS;
  int fields = read_by_dumps(step) | (step == output->next ? thermo_reads : 0);
  for (const Fix *fix : end_of_step_fixes)
    if (step % fix->nevery == 0) fields |= reads_globals(fix, atom) ? calls_read : DS_ALL_FIELDS;
  return fields;
}

/* ----------------------------------------------------------------------
   Fields that dumps of this step read. A variable may choose frames or atoms of a dump,
   so what variables and computes read counts, too
------------------------------------------------------------------------- */

static bool is_due(const Output *output, int k, bigint step)
{
  return step == output->next_dump_any && step == output->next_dump[k];
}

int ResidentPlan::read_by_dumps(bigint step) const
{
  const auto &computes = modify->get_compute_list();
  const bool of_atoms = std::any_of(computes.begin(), computes.end(), [](const Compute *c) { return c->peratom_flag != 0; });
  int fields = 0;
  for (int k = 0; k < output->ndump; k++) {
    if (!is_due(output, k, step)) continue;
    if (of_atoms || !among(DUMPS_OF_PLACES, output->dump[k]->style)) return DS_ALL_FIELDS;
    fields |= DS_POSITION | DS_IMAGE | calls_read;
  }
  return fields;
}

/* ----------------------------------------------------------------------
   Dumps that never look at ghosts are known by name, because it takes longer to make
   the ghosts of a million atoms than to write the atoms
------------------------------------------------------------------------- */

static bool may_look_at_ghosts(const Dump *dump)
{
  return !among(DUMPS_OF_PLACES, dump->style) && !among(OWN_ATOMS_DUMPS, dump->style);
}

bool ResidentPlan::needs_ghosts(bigint step) const
{
  if (ghostly_compute) return true;
  for (int k = 0; k < output->ndump; k++)
    if (is_due(output, k, step) && may_look_at_ghosts(output->dump[k])) return true;
  return std::any_of(end_of_step_fixes.begin(), end_of_step_fixes.end(), [step](Fix *fix) {
    return step % fix->nevery == 0 && !among(OWN_ATOMS_FIXES, fix->style);
  });
}

bool ResidentPlan::may_need_ghosts() const
{
  return ghostly_compute || ghosts_follow ||
         std::any_of(output->dump, output->dump + output->ndump, may_look_at_ghosts) ||
         std::any_of(end_of_step_fixes.begin(), end_of_step_fixes.end(),
                     [](Fix *fix) { return !among(OWN_ATOMS_FIXES, fix->style); });
}

/* ----------------------------------------------------------------------
   Whether no fix called in this step can change atoms or end the run
------------------------------------------------------------------------- */

bool ResidentPlan::only_observes(bigint step) const
{
  if (altering_variable) return false;
  if (altering_compute) return false;
  return std::all_of(end_of_step_fixes.begin(), end_of_step_fixes.end(), [step](Fix *fix) {
    return step % fix->nevery != 0 ||
           (among(OBSERVERS, fix->style) && !may_end_run(fix));
  });
}

bool ResidentPlan::changes_atoms(bigint step) const
{
  if (may_change_in_calls()) return true;
  return std::any_of(end_of_step_fixes.begin(), end_of_step_fixes.end(), [step](Fix *fix) {
    return step % fix->nevery == 0 && !among(OBSERVERS, fix->style);
  });
}
