/* The table of a run in LAMMPS's log: what stays with the engine, and when LAMMPS is called.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_plan.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "fields_read.h"
#include "fix.h"
#include "fix_dpd_gpu_wrap.h"
#include "force.h"
#include "kspace.h"
#include "library.h"
#include "modify.h"
#include "output.h"
#include "run_log.h"

#include "dpdsop/resident.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

std::string ResidentPlan::what_output_reads() const
{
  if (thermo_reads_sums()) return "sums";
  return thermo_reads == DS_VELOCITY ? "velocities" : "atoms";
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
   Computes of LAMMPS for which atoms are copied to its arrays
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
    text +=
        fmt::format("  compute {} ({}) by LAMMPS: output and fixes bring atoms over{}\n", compute->id, compute->style, hint);
  }
  return text;
}

/* ----------------------------------------------------------------------
   Where long-range forces are made
------------------------------------------------------------------------- */

std::string ResidentPlan::tell_mesh() const
{
  const std::string style = force->kspace_style;
  if (mesh_resident) return fmt::format("  long-range forces ({}): resident\n", style);
  if (lammps_forces && has_own_mesh)
    return fmt::format("  long-range forces ({}): by the engine, beside LAMMPS, as {}\n", style,
                       comm->nprocs > 1 ? "there are several processes" : "bonds are LAMMPS's");
  const std::string name = resident_style(lmp, "kspace", style.c_str());
  return name.empty() ? "" : fmt::format("  kspace style {}: {} would be resident\n", style, name);
}

/* ----------------------------------------------------------------------
   When LAMMPS calls fix number k, in words; empty if it does not
------------------------------------------------------------------------- */

std::string ResidentPlan::when_called(int k) const
{
  const Fix *const fix = modify->fix[k];
  std::string when;
  if (is_seldom(fix))
    when = fix->nevery ? fmt::format("every {} step(s)", fix->nevery) : "";
  else if (fix != wrap && calls(k, IN_STEP))
    when = "every step";
  else if (fix != wrap && calls(k, AT_RENEIGHBORING))
    when = "every rebuild of lists";
  if (modify->fmask[k] & FixConst::END_OF_STEP) {
    if (!when.empty()) when += ", and ";
    when += fmt::format("the end of every {} step(s)", fix->nevery);
  }
  return when;
}

/* ----------------------------------------------------------------------
   Once per run: who does what, and how often LAMMPS is called
------------------------------------------------------------------------- */

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
  const bool by_lammps_mesh = force->kspace && force->kspace->compute_flag && !has_own_mesh;
  if (bonds_resident)
    text += fmt::format("  bonds, angles{}: resident\n", force->dihedral || force->improper ? ", dihedrals, impropers" : "");
  else if (lammps_bonds || by_lammps_mesh)
    text += fmt::format("  {}: by LAMMPS, every step{}{}\n",
                        !lammps_bonds    ? "long-range forces"
                        : by_lammps_mesh ? "bonds, angles, long-range forces"
                                         : "bonds, angles",
                        why_no_bonds.empty() ? "" : ", as ", why_no_bonds);
  if (force->kspace) text += tell_mesh();
  if (output->thermo_every > 0)
    text += fmt::format("  output every {} step(s): LAMMPS reads {}\n", output->thermo_every,
                        what_output_reads());
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *fix = modify->fix[k];
    if (has_part(fix)) continue;
    const std::string when = when_called(k);
    if (!when.empty())
      text += fmt::format("  fix {} ({}) by LAMMPS: {}{}\n", fix->id, fix->style, when, instead_of(fix));
  }
  text += tell_computes();
  for (const std::string &why : not_declared) text += fmt::format("  {}\n", why);
  if (every_step)
    text += "  LAMMPS reads atoms in each step: a GPU copies them, and is slow\n";
  if (comm->nprocs > 1) text += "  one process per GPU is the fast way\n";
  RunLog::print(lmp, text);
}
