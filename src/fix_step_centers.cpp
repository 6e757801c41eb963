/* Internal fix: centers of chunks that a compute of this package refers to.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_centers.h"

#include "restart_record.h"

#include "comm.h"
#include "error.h"
#include "modify.h"

using namespace LAMMPS_NS;

static std::string id_of_centers(const std::string &owner)
{
  return owner + "_CENTERS";
}

/* ---------------------------------------------------------------------- */

FixStepCenters *FixStepCenters::add(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepCenters *>(lmp->modify->add_fix(fmt::format("{} all {}", id_of_centers(owner), STYLE)));
}

FixStepCenters *FixStepCenters::of(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepCenters *>(lmp->modify->get_fix_by_id(id_of_centers(owner)));
}

void FixStepCenters::drop(LAMMPS *lmp, const std::string &owner)
{
  if (lmp->modify->nfix && of(lmp, owner)) lmp->modify->delete_fix(id_of_centers(owner));
}

FixStepCenters::FixStepCenters(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_global = 1;
}

/* ---------------------------------------------------------------------- */

static constexpr RestartMark CENTERS_MARK = {'D', 'S', '_', 'C', 'E', 'N', 'T', 'R'};

static size_t bytes_of(const std::vector<std::array<double, 3>> &centers)
{
  return centers.size() * sizeof centers[0];
}

void FixStepCenters::write_restart(FILE *file)
{
  if (comm->me) return;
  const std::vector<char> all =
      array_with_record(centers.data(), bytes_of(centers), static_cast<int64_t>(centers.size()), CENTERS_MARK);
  const int size = static_cast<int>(all.size());
  fwrite(&size, sizeof size, 1, file);
  fwrite(all.data(), 1, all.size(), file);
}

void FixStepCenters::restart(char *buffer)
{
  int64_t n = 0;
  std::string wrong = open_array(n, buffer, CENTERS_MARK);
  centers.resize(n);
  if (wrong.empty()) wrong = take_array(centers.data(), bytes_of(centers), buffer);
  if (!wrong.empty()) error->all(FLERR, "Fix {}: the restart file {}", id, wrong);
}
