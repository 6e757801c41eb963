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
#include "library.h"
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

static constexpr int IN_STEP =
    INITIAL_INTEGRATE | POST_INTEGRATE | PRE_FORCE | PRE_REVERSE | POST_FORCE | FINAL_INTEGRATE;
static constexpr int AT_RENEIGHBORING = PRE_EXCHANGE | PRE_NEIGHBOR | POST_NEIGHBOR;

/* ---------------------------------------------------------------------- */

ResidentPlan::ResidentPlan(LAMMPS *lmp) :
    Pointers(lmp), program(lmp), bonds_resident(false), box_follows(false), every_step(false),
    lammps_forces(false), lammps_reneighbors(false), ghosts_follow(false), engine_sorts(false),
    others_read_ghosts(false), hooks(0), wrap(nullptr), ghostly_compute(false),
    altering_compute(false), altering_variable(false), calls_read(DS_ALL_FIELDS),
    thermo_reads(DS_ALL_FIELDS)
{
}

/* ----------------------------------------------------------------------
   where a fix is called. LAMMPS calls the fix of a dynamic group without a mask. It
   chooses atoms in steps that are multiples of what `group ID dynamic ... every` says
------------------------------------------------------------------------- */

bool ResidentPlan::is_of_dynamic_group(const Fix *fix)
{
  return strcmp(fix->style, "GROUP") == 0;
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
   a fix declares what it does, or LAMMPS calls it
------------------------------------------------------------------------- */

void ResidentPlan::look_at_fixes()
{
  program.clear();
  not_declared.clear();
  end_of_step_fixes.clear();
  groups.clear();
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
    if (is_of_dynamic_group(fix) && fix->nevery > 1) {
      groups.push_back(fix);
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
  const bool shrinks = domain->nonperiodic == 2;    // around the atoms, where LAMMPS rebuilds lists
  box_follows = program.changes_box() && !shrinks && std::all_of(modify->fix, modify->fix + modify->nfix, [this](const Fix *fix) {
    return fix->box_change == Fix::NO_BOX_CHANGE || program.has(fix);
  });
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
   Whoever rebuilds lists has the images of atoms. On several ranks they are ghosts, which
   the engine gets; forces on them are those of bonds alone
------------------------------------------------------------------------- */

bool ResidentPlan::can_have_bonds() const
{
  if (!why_alone.empty()) return false;
  return comm->nprocs == 1 || !(hook(PRE_FORCE | PRE_REVERSE) || atom->torque_flag);
}

/* ----------------------------------------------------------------------
   what the pair has of atoms beside tags, types and groups is put in the engine's order
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
   where LAMMPS's own code reads these chunks, and so changes positions by rounding.
   Its computes that do so count as such themselves
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

void ResidentPlan::make(bool needs_ghosts, bool bonds)
{
  const bool has_bonds = atom->molecular != Atom::ATOMIC &&
                         (force->bond || force->angle || force->dihedral || force->improper);
  bonds_resident = has_bonds && bonds && !force->kspace;
  do {
    lammps_forces = force->kspace || (has_bonds && !bonds_resident);
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
    if (dynamic_cast<StepPart *>(compute)) {    // or, where the program has no part of it, LAMMPS's own in its place
      ghostly_compute = ghostly_compute || (!program.has(compute) && dynamic_cast<ComputeStressAtomGPU *>(compute));
      continue;
    }
    ghostly_compute = ghostly_compute || !among(OWN_ATOMS_COMPUTES, compute->style);
    altering_compute = altering_compute || !among(OBSERVING_COMPUTES, compute->style);
  }
  const FieldsRead fields(lmp, program);
  altering_variable = fields.has_python();
  calls_read = altering_variable ? DS_ALL_FIELDS : fields.of_computes() | fields.of_variables();
  // what a variable that chooses the steps of the output reads is not known
  thermo_reads = altering_variable || output->var_thermo ? DS_ALL_FIELDS : fields.of_computes() | fields.of_columns();
}

/* ----------------------------------------------------------------------
   fix deform does so when lists are rebuilt
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
   fix halt may look at bonds
------------------------------------------------------------------------- */

static bool reads_globals(const Fix *fix, const Atom *atom)
{
  return among(READERS_OF_GLOBALS, fix->style) && (strcmp(fix->style, "halt") != 0 || atom->molecular == Atom::ATOMIC);
}

bool ResidentPlan::reads_sums_alone(const Fix *fix) const
{
  return calls_read == 0 && reads_globals(fix, atom);
}

bigint ResidentPlan::next_choice_of_group(bigint step) const
{
  bigint next = MAXBIGINT;
  for (const Fix *fix : groups) next = MIN(next, next_multiple(step, fix->nevery));
  return next;
}

/* ----------------------------------------------------------------------
   fix halt may end the run. What acts at the end of steps goes between LAMMPS's fixes
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
   LAMMPS rebuilds before it writes a restart file, and where a fix says so
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
   a file of which LAMMPS has to evaluate a variable first, or a time, has no period
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
   a variable may say which frames or atoms are left out, and may ask a compute
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

std::string ResidentPlan::what_output_reads() const
{
  if (thermo_reads_sums()) return "sums";
  return thermo_reads == DS_VELOCITY ? "velocities" : "atoms";
}

/* ----------------------------------------------------------------------
   to find those of a million atoms takes longer than to write the atoms
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
   fix halt ends the run in its step
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

/* ---------------------------------------------------------------------- */

std::string ResidentPlan::resident_style(void *lmp, const char *category, const char *style)
{
  const std::string name = fmt::format("{}/exact/gpu", style);
  return lammps_has_style(lmp, category, name.c_str()) ? name : "";
}

std::string ResidentPlan::instead_of(const Fix *fix) const
{
  const std::string name = resident_style(lmp, "fix", fix->style);
  return name.empty() ? "" : fmt::format("; {} would be resident", name);
}

/* ----------------------------------------------------------------------
   computes for which output brings atoms over
------------------------------------------------------------------------- */

std::string ResidentPlan::tell_computes() const
{
  std::string text;
  for (const Compute *compute : modify->get_compute_list()) {
    if (FieldsRead(lmp, program).are_sums(compute)) continue;
    const std::string name = resident_style(lmp, "compute", compute->style);
    std::string hint;
    if (!name.empty())
      hint = compute->peratom_flag ? fmt::format("; fix ave/chunk/exact/gpu of {} would need none", name)
                                   : fmt::format("; {} would need sums alone", name);
    text += fmt::format("  compute {} ({}) by LAMMPS: output and fixes bring atoms over{}\n", compute->id, compute->style, hint);
  }
  return text;
}

/* ----------------------------------------------------------------------
   once per run: what is where, who calls LAMMPS and how often
------------------------------------------------------------------------- */

static std::string called_in(int mask)
{
  if (mask & IN_STEP) return "every step";
  return mask & AT_RENEIGHBORING ? "every rebuild of lists" : "";
}

void ResidentPlan::tell(const std::string &engine, const std::string &why_no_bonds) const
{
  if (comm->me) return;
  std::string text = fmt::format("Run_style verlet/gpu: {}\n", engine);
  std::string declared;
  for (int k = 0; k < modify->nfix; k++)
    if (has_part(modify->fix[k]))
      declared += fmt::format("{}{} ({})", declared.empty() ? "" : ", ", modify->fix[k]->id,
                              modify->fix[k]->style);
  text += fmt::format("  resident fixes: {}\n", declared.empty() ? "none" : declared);
  text += fmt::format("  pair forces: resident; periodic wrap and lists: {}\n",
                      lammps_reneighbors ? "rebuilt by LAMMPS, as " + why_reneighbors : "resident");
  if (atom->sortfreq > 0)
    text += fmt::format("  sort of atoms: {}\n",
                        engine_sorts ? "resident" : "by LAMMPS, as " + why_sorts);
  if (bonds_resident)
    text += fmt::format("  bonds, angles{}: resident\n", force->dihedral || force->improper ? ", dihedrals, impropers" : "");
  else if (lammps_forces)
    text += fmt::format("  bonds, angles, long-range forces: by LAMMPS, every step{}{}\n",
                        why_no_bonds.empty() ? "" : ", as ", why_no_bonds);
  if (output->thermo_every > 0)
    text += fmt::format("  output every {} step(s): LAMMPS reads {}\n", output->thermo_every,
                        what_output_reads());
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *fix = modify->fix[k];
    if (has_part(fix)) continue;
    std::string when = fix == wrap ? "" : called_in(calls_of(modify, k));
    if (is_of_dynamic_group(fix) && fix->nevery > 1) when = fmt::format("every {} step(s)", fix->nevery);
    if (modify->fmask[k] & END_OF_STEP) {
      if (!when.empty()) when += ", and ";
      when += fmt::format("the end of every {} step(s)", fix->nevery);
    }
    if (!when.empty())
      text += fmt::format("  fix {} ({}) by LAMMPS: {}{}\n", fix->id, fix->style, when, instead_of(fix));
  }
  text += tell_computes();
  for (const std::string &why : not_declared) text += fmt::format("  {}\n", why);
  if (every_step)
    text +=
        "  each of these steps waits for the GPU, if there is one, and copies what LAMMPS reads\n";
  if (comm->nprocs > 1) text += "  one process per GPU is the fast way\n";
  utils::logmesg(lmp, text);
}
