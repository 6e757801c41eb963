/* What LAMMPS has taken part in during a run of run_style verlet/gpu, and how long, for the log.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "run_log.h"

#include "resident_plan.h"

#include "comm.h"
#include "fix.h"
#include "library.h"
#include "modify.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

void RunLog::begin()
{
  std::fill(steps, steps + REASONS, 0);
  time_of_fix.clear();
  begun = platform::walltime();
}

void RunLog::add_time(int fix, double seconds)
{
  if (time_of_fix.size() <= static_cast<size_t>(fix)) time_of_fix.resize(fix + 1, 0.0);
  time_of_fix[fix] += seconds;
}

/* ---------------------------------------------------------------------- */

std::string RunLog::of_steps(bigint made) const
{
  static constexpr const char *WHY[REASONS] = {
      "",
      "the time of the run was up",
      "an atom of a bond was missing",
      "energies or stresses of atoms were wanted, which bonds have a part in",
      "lists were to be rebuilt for a restart file or a fix",
      "a fix is called within them"};
  std::string text;
  for (int k = IN_EVERY_STEP + 1; k < REASONS; k++)
    if (steps[k])
      text += fmt::format("Run_style verlet/gpu: LAMMPS took part in {} of {} steps, as {}\n", steps[k], made, WHY[k]);
  return text;
}

/* ----------------------------------------------------------------------
   Times of one rank are shown. Those of other ranks differ little, as ranks wait for
   each other within these calls
------------------------------------------------------------------------- */

std::string RunLog::of_fixes(const ResidentPlan &plan) const
{
  const double all = platform::walltime() - begun;
  std::string text;
  for (size_t k = 0; k < time_of_fix.size() && k < static_cast<size_t>(modify->nfix); k++)
    if (time_of_fix[k] > 0.0) {
      const Fix *const fix = modify->fix[k];
      text += fmt::format("  fix {} ({}) by LAMMPS: {:.3g} s of {:.3g} s, with what is copied for it{}\n", fix->id, fix->style,
                          time_of_fix[k], all, plan.instead_of(fix));
    }
  return text.empty() ? "" : "Run_style verlet/gpu: time that LAMMPS has taken\n" + text;
}

void RunLog::tell(bigint made, const ResidentPlan &plan) const
{
  if (comm->me) return;
  const std::string text = of_steps(made) + of_fixes(plan);
  if (!text.empty()) print(lmp, text);
}

/* ---------------------------------------------------------------------- */

void RunLog::print(LAMMPS *lmp, const std::string &lines)
{
  const auto *const columns = static_cast<const int *>(lammps_last_thermo(lmp, "num", 0));
  std::string text;
  for (const std::string &line : utils::split_lines(lines))
    text += line + (columns && utils::count_words(line) == static_cast<size_t>(*columns) ? " --\n" : "\n");
  utils::logmesg(lmp, text);
}
