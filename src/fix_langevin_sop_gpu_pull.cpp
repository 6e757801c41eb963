/* fix langevin/sop/gpu: what is pulled, and how.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "update.h"
#include "utils.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr char FORM[] =
    "pull wants FIXED PULLED spring K V DIRECTION or FIXED PULLED force F DIRECTION, where DIRECTION "
    "is end, three numbers, or plane and six numbers, and may have weights W and fixedweights W, where "
    "W is mass or a number for each bead, with commas between them";

/* ----------------------------------------------------------------------
   Beads of a molecule from 1, separated by commas, a:b from a to b
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::read_beads(const char *text, std::vector<int32_t> &out)
{
  out.clear();
  if (strcmp(text, "none") == 0) return;
  for (const auto &word : split_at_commas(text)) {
    const auto colon = word.find(':');
    const bigint first = utils::bnumeric(FLERR, word.substr(0, colon), false, lmp);
    const bigint last = colon == std::string::npos ? first : utils::bnumeric(FLERR, word.substr(colon + 1), false, lmp);
    if (first > last)
      error->all(FLERR, "{}: pull {}: atoms {}: the first must not be above the last", user, text, word);
    if (first < 1 || last > topology.beads)
      error->all(FLERR, "{}: pull {}: atoms {} must be from 1 to {}, the beads of one molecule", user, text, word,
                 topology.beads);
    for (bigint k = first; k <= last; k++) out.push_back((int32_t) (k - 1));
  }
}

std::vector<std::string> FixLangevinSOPGPU::split_at_commas(const std::string &all)
{
  std::vector<std::string> words;
  for (size_t at = 0; at <= all.size();) {
    const size_t comma = std::min(all.find(',', at), all.size());
    words.push_back(all.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

/* ----------------------------------------------------------------------
   "mass", or a number for each bead
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::read_weights(const char *word, const char *text, int count, Weights &weights)
{
  if (weights.by_mass || !weights.values.empty()) error->all(FLERR, "{}: pull has a second {}", user, word);
  if (count == 0) error->all(FLERR, "{}: pull: {} {} of no beads", user, word, text);
  if (strcmp(text, "mass") == 0) {
    weights.by_mass = true;
    return;
  }
  for (const auto &number : split_at_commas(text)) {
    weights.values.push_back(utils::numeric(FLERR, number, false, lmp));
    const double value = weights.values.back();
    if (!(value > 0.0) || !std::isfinite(value))
      error->all(FLERR, "{}: pull: {} {}: {} must be above 0", user, word, text, number);
  }
  if ((int) weights.values.size() != count)
    error->all(FLERR, "{}: pull: {} {} are {} numbers for {} bead{}", user, word, text, weights.values.size(), count,
               count == 1 ? "" : "s");
}

/* ----------------------------------------------------------------------
   DIRECTION: returns what comes after it
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::read_pull_direction(int at, int narg, char **arg)
{
  if (at >= narg) error->all(FLERR, "{}: {}", user, FORM);
  if (strcmp(arg[at], "end") == 0) return at + 1;
  pull.has_plane = strcmp(arg[at], "plane") == 0;
  if (at + (pull.has_plane ? 6 : 2) >= narg) error->all(FLERR, "{}: {}", user, FORM);
  at += pull.has_plane;
  for (int c = 0; c < 3 && pull.has_plane; c++) pull.plane[c] = utils::numeric(FLERR, arg[at++], false, lmp);
  for (double &c : pull.direction) c = utils::numeric(FLERR, arg[at++], false, lmp);
  if (pull.direction[0] == 0.0 && pull.direction[1] == 0.0 && pull.direction[2] == 0.0) {
    if (pull.has_plane) error->all(FLERR, "{}: normal 0 0 0 of the pull's plane, must be another", user);
    error->all(FLERR, "{}: pull direction 0 0 0, must be another, or end", user);
  }
  return at;
}

/* ----------------------------------------------------------------------
   pull FIXED PULLED spring K V DIRECTION, or ... force F DIRECTION;
   DIRECTION is "end", three numbers, or "plane" and six; then
   weights W, fixedweights W
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::read_pull(int iarg, int narg, char **arg)
{
  if (pull.mode != DS_SOP_PULL_NONE) error->all(FLERR, "{}: a second pull", user);
  if (iarg + 5 >= narg) error->all(FLERR, "{}: {}", user, FORM);
  read_beads(arg[iarg + 1], fixed_beads);
  read_beads(arg[iarg + 2], pulled_beads);

  const bool spring = strcmp(arg[iarg + 3], "spring") == 0;
  if (!spring && strcmp(arg[iarg + 3], "force") != 0) error->all(FLERR, "{}: {}; found {}", user, FORM, arg[iarg + 3]);
  int at = iarg + 4;
  if (spring) {
    pull.mode = DS_SOP_PULL_SPRING;
    pull.spring = utils::numeric(FLERR, arg[at], false, lmp);
    pull.speed = utils::numeric(FLERR, arg[at + 1], false, lmp);
    at += 2;
  } else {
    pull.mode = DS_SOP_PULL_FORCE;
    pull.force = utils::numeric(FLERR, arg[at++], false, lmp);
  }
  at = read_pull_direction(at, narg, arg);
  pull.fixed = (int32_t) fixed_beads.size();
  pull.pulled = (int32_t) pulled_beads.size();
  pull.fixed_bead = fixed_beads.data();
  pull.pulled_bead = pulled_beads.data();

  for (; at < narg; at += 2) {
    const bool of_fixed = strcmp(arg[at], "fixedweights") == 0;
    if (!of_fixed && strcmp(arg[at], "weights") != 0) break;
    if (at + 1 >= narg) error->all(FLERR, "{}: {}", user, FORM);
    read_weights(arg[at], arg[at + 1], of_fixed ? pull.fixed : pull.pulled, of_fixed ? fixed_weights : pulled_weights);
  }
  if (!fixed_weights.values.empty()) pull.fixed_weight = fixed_weights.values.data();
  if (!pulled_weights.values.empty()) pull.pulled_weight = pulled_weights.values.data();
  return at;
}

/* ----------------------------------------------------------------------
   Weights are the masses of the atoms. A weight is that of a bead of all molecules, so
   their masses must be the same
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::weigh_by_mass()
{
  const bigint known = beads_of_copies();
  const int n = topology.beads;
  std::vector<double> mine(2 * (size_t) n, -INFINITY);    // the largest, and the smallest with another sign
  std::vector<double> all(2 * (size_t) n);
  for (int i = 0; i < atom->nlocal; i++) {
    const bigint bead = (bigint) atom->tag[i] - offset - 1;
    if (!(atom->mask[i] & groupbit) || bead < 0 || bead >= known) continue;
    const double mass = atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]];
    double *const limits = &mine[2 * (size_t) (bead % n)];
    limits[0] = MAX(limits[0], mass);
    limits[1] = MAX(limits[1], -mass);
  }
  MPI_Allreduce(mine.data(), all.data(), 2 * n, MPI_DOUBLE, MPI_MAX, world);

  auto take = [&](const std::vector<int32_t> &numbers, Weights &weights) {
    if (!weights.by_mass) return (const double *) nullptr;
    weights.values.clear();
    for (const int32_t b : numbers) {
      const double most = all[2 * (size_t) b], least = -all[2 * (size_t) b + 1];
      if (most == -INFINITY) return (const double *) nullptr;    // no molecule is complete, which set_beads() will say
      if (most != least)
        error->all(FLERR, "{}: pull with weights mass: bead {} has masses from {} to {} in different molecules, must have one",
                   user, b + 1, least, most);
      weights.values.push_back(most);
    }
    return (const double *) weights.values.data();
  };
  if (fixed_weights.by_mass) pull.fixed_weight = take(fixed_beads, fixed_weights);
  if (pulled_weights.by_mass) pull.pulled_weight = take(pulled_beads, pulled_weights);
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::tell_pull()
{
  static constexpr double PN = 4184.0 / 60.2214076;      // pN, of one kcal/mol/Angstrom
  static constexpr double UM_PER_S = 1.0e11;             // of one Angstrom/fs
  static constexpr double BEARS = 2000.0;                // pN: the order of what a covalent bond bears
  if (pull.mode == DS_SOP_PULL_NONE || strcmp(update->unit_style, "real") != 0) return;
  const double stiffness = 10.0 * PN * pull.spring, speed = UM_PER_S * pull.speed;
  if (pull.mode == DS_SOP_PULL_SPRING)
    utils::logmesg(lmp, "  pulled by a spring of {:.4g} pN/nm at {:.4g} um/s: {:.4g} pN/s\n", stiffness, speed,
                   1.0e3 * stiffness * speed);
  else if (pull.force != 0.0)
    utils::logmesg(lmp, "  pulled by {:.4g} pN\n", PN * pull.force);
  if (pull.mode == DS_SOP_PULL_FORCE && fabs(PN * pull.force) > BEARS)
    error->warning(FLERR, "{}: a pull of force {} is {:.4g} pN in units real; {} pN would be force {:.4g}", user, pull.force,
                   PN * pull.force, pull.force, pull.force / PN);
}
