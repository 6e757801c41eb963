/* Who takes part in a run: what stays with the engine, and in which steps LAMMPS is called.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_plan.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "fix.h"
#include "fix_dpd_gpu_wrap.h"
#include "force.h"
#include "library.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "resident_styles.h"
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
    Pointers(lmp), lammps_moves(false), bonds_resident(false), deformer(nullptr), every_step(false),
    lammps_forces(false), lammps_reneighbors(false), ghosts_follow(false), engine_sorts(false),
    reads_temperature_only(false), hooks(0), wrap(nullptr), ghostly_compute(false),
    altering_compute(false), altering_variable(false), thermo_reads_velocities(false)
{
}

/* ----------------------------------------------------------------------
   where a fix is called. LAMMPS calls the fix of a dynamic group without a mask
------------------------------------------------------------------------- */

static int calls_of(const Modify *modify, int k)
{
  return modify->fmask[k] | (strcmp(modify->fix[k]->style, "GROUP") == 0 ? POST_FORCE : 0);
}

/* ----------------------------------------------------------------------
   fix nve moves its group with no keyword, and where its group comes first in
   LAMMPS's arrays (atom_modify first) only a part of it is looked at: that LAMMPS
   does itself
------------------------------------------------------------------------- */

void ResidentPlan::look_at_fixes()
{
  movers.clear();
  enders.clear();
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
    if (fix == deformer) continue;
    if (mask & END_OF_STEP) enders.push_back(fix);
    if (strcmp(fix->style, "nve") == 0 && atom->firstgroup < 0 && movers.size() < DS_MOST_GROUPS) {
      movers.push_back(fix);
      continue;
    }
    hooks |= mask;
    if ((mask & (IN_STEP | AT_RENEIGHBORING)) && !among(OWN_ATOMS_FIXES, fix->style)) ghostly = true;
  }
  lammps_moves = hook(INITIAL_INTEGRATE) || hook(FINAL_INTEGRATE);
  ghosts_follow = ghostly || lammps_forces;
}

/* ---------------------------------------------------------------------- */

void ResidentPlan::look_at_box(bool box)
{
  deformer = nullptr;
  if (!box || !domain->deform_vremap || domain->nonperiodic == 2) return;
  Fix *found = nullptr;
  for (int k = 0; k < modify->nfix; k++) {
    if (modify->fix[k]->box_change == Fix::NO_BOX_CHANGE) continue;
    if (found || strcmp(modify->fix[k]->style, "deform") != 0) return;
    found = modify->fix[k];
  }
  deformer = found;
}

/* ---------------------------------------------------------------------- */

void ResidentPlan::look_at_reneighboring(bool needs_ghosts)
{
  why_reneighbors.clear();
  if (comm->nprocs > 1)
    why_reneighbors = "there are several processes";
  else if (needs_ghosts)
    why_reneighbors = "the box is narrower than two ranges of the list";
  else if (domain->box_change && !deformer)
    why_reneighbors = "the box changes";
  else if (ghosts_follow)
    why_reneighbors = "forces or fixes of LAMMPS look at ghosts";
  else if (hook(AT_RENEIGHBORING))
    why_reneighbors = "a fix is called there";
  else if (atom->firstgroup >= 0 || neighbor->includegroup)
    why_reneighbors = "a group of atoms comes first";
  lammps_reneighbors = !why_reneighbors.empty();
}

/* ----------------------------------------------------------------------
   atoms of which the pair has no more than tags, types and groups
------------------------------------------------------------------------- */

void ResidentPlan::look_at_sort(bool own_copies, bool alike, bool special)
{
  why_sorts.clear();
  if (lammps_reneighbors)
    why_sorts = "it rebuilds lists";
  else if (domain->box_change)
    why_sorts = "the box changes";
  else if (!own_copies)
    why_sorts = "all arrays are its own";
  else if (every_step)
    why_sorts = "it takes part in every step";
  else if (special)
    why_sorts = "pairs of bonded atoms are special";
  else if (neighbor->nex_mol)
    why_sorts = "pairs of a molecule are excluded";
  else if (!alike)
    why_sorts = "its bins are not those expected";
  engine_sorts = why_sorts.empty();
}

/* ----------------------------------------------------------------------
   the columns of the line that LAMMPS has printed last, when it set up the run;
   largest forces and variables, for example, read more
------------------------------------------------------------------------- */

static bool all_columns(void *lmp, bool (*is_allowed)(const char *))
{
  const auto *n = static_cast<const int *>(lammps_last_thermo(lmp, "num", 0));
  if (!n) return false;
  for (int k = 0; k < *n; k++) {
    const auto *name = static_cast<const char *>(lammps_last_thermo(lmp, "keyword", k));
    if (!name || !is_allowed(name)) return false;
  }
  return true;
}

static bool is_plain(const char *column)
{
  return among(PLAIN_COLUMNS, column);
}

static bool has_velocities(const char *column)
{
  return is_plain(column) || among(VELOCITY_COLUMNS, column) || strncmp(column, "c_", 2) == 0;
}

/* ----------------------------------------------------------------------
   the columns are found by these computes, or by what thermo_modify has put in
   their place
------------------------------------------------------------------------- */

static bool reads_velocities(const Compute *compute)
{
  return among(VELOCITY_COMPUTES, compute->style);
}

static bool is_of_all_atoms(const Compute *compute)
{
  return compute->igroup == 0 && among(PLAIN_COMPUTES, compute->style);
}

/* ----------------------------------------------------------------------
   a variable of style python can call LAMMPS's library, and so change anything
------------------------------------------------------------------------- */

static bool has_python_variable(void *lmp)
{
  char info[256];
  for (int k = 0; lammps_variable_info(lmp, k, info, sizeof info); k++) {
    info[sizeof info - 1] = '\0';
    if (strstr(info, " style = python,")) return true;
  }
  return false;
}

/* ---------------------------------------------------------------------- */

void ResidentPlan::make(bool needs_ghosts, bool bonds, bool box)
{
  look_at_box(box);
  const bool has_bonds = atom->molecular != Atom::ATOMIC &&
                         (force->bond || force->angle || force->dihedral || force->improper);
  bonds_resident = has_bonds && bonds && !force->kspace && !domain->box_change;
  do {
    lammps_forces = force->kspace || (has_bonds && !bonds_resident);
    look_at_fixes();
    look_at_reneighboring(needs_ghosts);
    if (!bonds_resident || !lammps_reneighbors) break;
    bonds_resident = false;    // whoever rebuilds lists has the images of atoms
  } while (true);
  every_step = hook(IN_STEP) || lammps_forces || lammps_reneighbors;

  ghostly_compute = altering_compute = false;
  for (Compute *compute : modify->get_compute_list()) {
    ghostly_compute = ghostly_compute || !among(OWN_ATOMS_COMPUTES, compute->style);
    altering_compute = altering_compute || !among(OBSERVING_COMPUTES, compute->style);
  }
  // what a variable that chooses the steps of the output reads is not known
  const auto computes = modify->get_compute_list();
  const auto all = [&computes](bool (*is_allowed)(const Compute *)) {
    return std::all_of(computes.begin(), computes.end(), is_allowed);
  };
  altering_variable = has_python_variable(lmp);
  const bool fixed = !output->var_thermo && !altering_variable;
  thermo_reads_velocities = fixed && all(reads_velocities) && all_columns(lmp, has_velocities);
  reads_temperature_only = fixed && all(is_of_all_atoms) && all_columns(lmp, is_plain);
}

/* ---------------------------------------------------------------------- */

bool ResidentPlan::calls_post_integrate() const
{
  return hook(POST_INTEGRATE) || flips_box();
}

/* ----------------------------------------------------------------------
   fix deform works at the end of steps, and flips the box when lists are rebuilt
------------------------------------------------------------------------- */

bool ResidentPlan::changes_box(bigint step) const
{
  return deformer && step % deformer->nevery == 0;
}

bigint ResidentPlan::next_change_of_box(bigint step) const
{
  return deformer ? (step / deformer->nevery + 1) * deformer->nevery : MAXBIGINT;
}

bool ResidentPlan::flips_box() const
{
  return wrap && wrap->is_due();
}

/* ---------------------------------------------------------------------- */

bool ResidentPlan::calls_fixes(bigint step) const
{
  return std::any_of(enders.begin(), enders.end(),
                     [step](Fix *fix) { return step % fix->nevery == 0; });
}

bigint ResidentPlan::next_call(bigint step) const
{
  return MIN(output->next, next_end_of_step(step));
}

bigint ResidentPlan::next_end_of_step(bigint step) const
{
  bigint next = MAXBIGINT;
  for (Fix *fix : enders) next = MIN(next, (step / fix->nevery + 1) * fix->nevery);
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

/* ---------------------------------------------------------------------- */

bool ResidentPlan::reads_velocities_only(bigint step) const
{
  if (calls_fixes(step) || step == output->next_restart) return false;
  if (output->ndump && step == output->next_dump_any) return false;
  return thermo_reads_velocities;
}

std::string ResidentPlan::what_output_reads() const
{
  if (reads_temperature_only) return "temperatures";
  return thermo_reads_velocities ? "velocities" : "atoms";
}

/* ----------------------------------------------------------------------
   dumps may draw bonds to ghosts; to write one takes longer than to find these
------------------------------------------------------------------------- */

bool ResidentPlan::needs_ghosts(bigint step) const
{
  if (ghostly_compute || (output->ndump && step == output->next_dump_any)) return true;
  return std::any_of(enders.begin(), enders.end(), [step](Fix *fix) {
    return step % fix->nevery == 0 && !among(OWN_ATOMS_FIXES, fix->style);
  });
}

bool ResidentPlan::may_need_ghosts() const
{
  return ghostly_compute || output->ndump || ghosts_follow || atom->molecular != Atom::ATOMIC ||
         std::any_of(enders.begin(), enders.end(),
                     [](Fix *fix) { return !among(OWN_ATOMS_FIXES, fix->style); });
}

/* ----------------------------------------------------------------------
   fix halt ends the run in its step
------------------------------------------------------------------------- */

bool ResidentPlan::only_observes(bigint step) const
{
  if (altering_variable) return false;
  for (const Compute *compute : modify->get_compute_list())
    if (!among(OBSERVING_COMPUTES, compute->style)) return false;
  return std::all_of(enders.begin(), enders.end(), [step](Fix *fix) {
    return step % fix->nevery != 0 ||
           (among(OBSERVERS, fix->style) && strcmp(fix->style, "halt") != 0);
  });
}

bool ResidentPlan::changes_atoms(bigint step) const
{
  if (altering_compute || altering_variable) return true;
  return std::any_of(enders.begin(), enders.end(), [step](Fix *fix) {
    return step % fix->nevery == 0 && !among(OBSERVERS, fix->style);
  });
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
  std::string moved;
  for (Fix *fix : movers) moved += (moved.empty() ? "" : ", ") + std::string(fix->id);
  const std::string motion = movers.empty() ? "none"
                             : lammps_moves ? "by LAMMPS, as other fixes move atoms, too"
                                            : "resident (fix " + moved + ")";
  text += fmt::format("  motion: {}\n", motion);
  text += fmt::format("  pair forces: resident; periodic wrap and lists: {}\n",
                      lammps_reneighbors ? "rebuilt by LAMMPS, as " + why_reneighbors : "resident");
  if (atom->sortfreq > 0)
    text += fmt::format("  sort of atoms: {}\n",
                        engine_sorts ? "resident" : "by LAMMPS, as " + why_sorts);
  if (bonds_resident)
    text += "  bonds, angles: resident\n";
  else if (lammps_forces)
    text += fmt::format("  bonds, angles, long-range forces: by LAMMPS, every step{}{}\n",
                        why_no_bonds.empty() ? "" : ", as ", why_no_bonds);
  if (output->thermo_every > 0)
    text += fmt::format("  output every {} step(s): LAMMPS reads {}\n", output->thermo_every,
                        what_output_reads());
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *fix = modify->fix[k];
    const auto has = [fix](const std::vector<Fix *> &list) {
      return std::find(list.begin(), list.end(), fix) != list.end();
    };
    if (fix == deformer) {
      text +=
          fmt::format("  fix {} ({}) by LAMMPS: changes the box every {} step(s), and no atoms\n",
                      fix->id, fix->style, fix->nevery);
      continue;
    }
    std::string when = has(movers) || fix == wrap ? "" : called_in(calls_of(modify, k));
    if (modify->fmask[k] & END_OF_STEP) {
      if (!when.empty()) when += ", and ";
      when += fmt::format("the end of every {} step(s)", fix->nevery);
    }
    if (!when.empty())
      text += fmt::format("  fix {} ({}) by LAMMPS: {}\n", fix->id, fix->style, when);
  }
  if (every_step)
    text +=
        "  each of these steps waits for the GPU, if there is one, and copies what LAMMPS reads\n";
  if (comm->nprocs > 1) text += "  one process per GPU is the fast way\n";
  utils::logmesg(lmp, text);
}
