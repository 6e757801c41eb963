/* Internal fix: centers of chunks that a compute of this package refers to.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_centers.h"

#include "restart_record.h"

#include "comm.h"
#include "error.h"
#include "modify.h"

using namespace LAMMPS_NS;

static std::string id_of(const std::string &owner)
{
  return owner + "_CENTERS";
}

/* ---------------------------------------------------------------------- */

FixStepCenters *FixStepCenters::add(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepCenters *>(lmp->modify->add_fix(fmt::format("{} all {}", id_of(owner), STYLE)));
}

FixStepCenters *FixStepCenters::of(LAMMPS *lmp, const std::string &owner)
{
  return dynamic_cast<FixStepCenters *>(lmp->modify->get_fix_by_id(id_of(owner)));
}

void FixStepCenters::drop(LAMMPS *lmp, const std::string &owner)
{
  if (lmp->modify->nfix && of(lmp, owner)) lmp->modify->delete_fix(id_of(owner));
}

FixStepCenters::FixStepCenters(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_global = 1;
}

/* ---------------------------------------------------------------------- */

namespace {
struct Record {
  RestartMark mark;
  int64_t format;
  int64_t n;           // centers that follow
  uint64_t centers;    // their digest
  uint64_t check;
};
constexpr RestartMark MARK = {'D', 'S', '_', 'C', 'E', 'N', 'T', 'R'};
constexpr int64_t FORMAT = 1;
}    // namespace

static size_t bytes_of(const std::vector<std::array<double, 3>> &centers)
{
  return centers.size() * sizeof centers[0];
}

void FixStepCenters::write_restart(FILE *file)
{
  if (comm->me) return;
  Record record = {};
  record.n = static_cast<int64_t>(centers.size());
  record.centers = ds_digest(DS_DIGEST_OF_NOTHING, centers.data(), bytes_of(centers));
  write_record(file, record, MARK, FORMAT, centers.data(), bytes_of(centers));
}

void FixStepCenters::restart(char *buffer)
{
  Record record;
  const std::string wrong = open_record(record, buffer, MARK, FORMAT);
  if (!wrong.empty()) error->all(FLERR, "Fix {}: the restart file {}", id, wrong);
  centers.resize(record.n);
  memcpy(centers.data(), buffer + sizeof record, bytes_of(centers));
  if (ds_digest(DS_DIGEST_OF_NOTHING, centers.data(), bytes_of(centers)) != record.centers)
    error->all(FLERR, "Fix {}: the restart file is damaged: the state of this fix has been changed", id);
}
