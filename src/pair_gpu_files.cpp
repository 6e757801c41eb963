/* Restart and data files of the pair styles of this package.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_gpu.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "utils.h"

#include "dpdsop/digest.h"
#include "dpdsop/pair.h"

using namespace LAMMPS_NS;

// The format of restart files, and that of a style of one temperature that has been given a second one
static constexpr int RESTART_FORMAT = 2;
static constexpr int RESTART_RAMP = 3;

// How precisions are written; 1 was precision single, which has been removed
static constexpr int RESTART_PRECISION[DS_PRECISIONS] = {0, 2};
static constexpr int RESTART_SINGLE = 1;

// How the neighbor list is written: the engine's own; 1 was LAMMPS's list, which has been removed
static constexpr int RESTART_OWN_LIST = 0;

/* ---------------------------------------------------------------------- */

double **PairGPU::column(int k) const
{
  if (k == column_of_cut()) return cut;
  return values[k < column_of_cut() ? k : k - 1];
}

/* ----------------------------------------------------------------------
   Called on rank 0. Returns the digest of everything written so far. Settings end with
   their digest, and so do coefficients
------------------------------------------------------------------------- */

static uint64_t put(FILE *fp, uint64_t digest, const void *data, size_t bytes)
{
  fwrite(data, 1, bytes, fp);
  return ds_digest(digest, data, bytes);
}

static uint64_t get(FILE *fp, uint64_t digest, void *data, size_t bytes, Error *error)
{
  utils::sfread(FLERR, data, 1, bytes, fp, nullptr, error);
  return ds_digest(digest, data, bytes);
}

void PairGPU::check_restart(FILE *fp, uint64_t digest, const char *what)
{
  uint64_t written = 0;
  if (comm->me == 0) utils::sfread(FLERR, &written, sizeof written, 1, fp, nullptr, error);
  int good = written == digest ? 1 : 0;
  MPI_Bcast(&good, 1, MPI_INT, 0, world);
  if (!good)
    error->all(FLERR, "Pair {}: the restart file is damaged: its {} have been changed", style.name,
               what);
}

void PairGPU::write_checked(FILE *fp, const void *data, size_t bytes)
{
  const uint64_t check = put(fp, DS_DIGEST_OF_NOTHING, data, bytes);
  fwrite(&check, sizeof check, 1, fp);
}

void PairGPU::read_checked(FILE *fp, void *data, size_t bytes, const char *what)
{
  uint64_t check = DS_DIGEST_OF_NOTHING;
  if (comm->me == 0) check = get(fp, check, data, bytes, error);
  MPI_Bcast(data, static_cast<int>(bytes), MPI_CHAR, 0, world);
  check_restart(fp, check, what);
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairGPU::write_restart(FILE *fp)
{
  write_restart_settings(fp);
  uint64_t check = DS_DIGEST_OF_NOTHING;

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      check = put(fp, check, &setflag[i][j], sizeof(int));
      if (!setflag[i][j]) continue;
      for (int k = 0; k <= nwritten; k++) check = put(fp, check, &column(k)[i][j], sizeof(double));
    }
  fwrite(&check, sizeof check, 1, fp);
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairGPU::read_restart(FILE *fp)
{
  read_restart_settings(fp);
  if (!allocated) allocate();
  uint64_t check = DS_DIGEST_OF_NOTHING;

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (comm->me == 0) check = get(fp, check, &setflag[i][j], sizeof(int), error);
      MPI_Bcast(&setflag[i][j], 1, MPI_INT, 0, world);
      if (!setflag[i][j]) continue;
      double row[PairGPUStyle::LIMIT + 1];
      if (comm->me == 0) check = get(fp, check, row, (nwritten + 1) * sizeof(double), error);
      MPI_Bcast(row, nwritten + 1, MPI_DOUBLE, 0, world);
      for (int k = 0; k <= nwritten; k++) column(k)[i][j] = row[k];
    }
  check_restart(fp, check, "coefficients");
}

/* ----------------------------------------------------------------------
   Restart files name a style without the suffix that is on, and a sub-style of a hybrid
   as the user has written it. If the suffix is off when the file is read, LAMMPS makes
   its own style of this name, and that misreads what is ours. So there is a warning
------------------------------------------------------------------------- */

static std::string plain_name(const std::string &name)
{
  const std::string suffix = "/gpu";
  const auto at = name.rfind(suffix);
  return at == std::string::npos ? name : name.substr(0, at);
}

void PairGPU::warn_of_suffix()
{
  const char *const known = force->pair_match_ptr(this);
  if (suffix_told || !known || !lmp->suffix) return;
  const std::string written = force->pair == this ? utils::strip_style_suffix(known, lmp) : known;
  if (plain_name(written) != written) return;
  suffix_told = true;
  error->warning(FLERR,
                 "Pair {}: LAMMPS calls this style {} in restart files, because of suffix {}: they must be read "
                 "with suffix {} on, or LAMMPS's own pair style {} takes them for its own",
                 style.name, written, lmp->suffix, lmp->suffix, written);
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairGPU::write_restart_settings(FILE *fp)
{
  warn_of_suffix();
  const bool ramps = ntemperatures == 1 && t_start != t_stop;
  const int flags[5] = {ramps ? RESTART_RAMP : RESTART_FORMAT, seed, RESTART_PRECISION[precision], backend, RESTART_OWN_LIST};
  const int n = ramps ? 2 : ntemperatures, modify[3] = {offset_flag, mix_flag, tail_flag};
  double numbers[3] = {n > 1 ? t_start : temperature, t_stop};
  numbers[n] = cut_global;
  uint64_t check = put(fp, DS_DIGEST_OF_NOTHING, flags, sizeof flags);
  check = put(fp, check, numbers, (n + 1) * sizeof(double));
  if (style.mixes) check = put(fp, check, modify, sizeof modify);
  fwrite(&check, sizeof check, 1, fp);
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairGPU::read_restart_settings(FILE *fp)
{
  int flags[5], n = ntemperatures;
  double numbers[3];
  uint64_t check = DS_DIGEST_OF_NOTHING;
  if (comm->me == 0) {
    check = get(fp, check, flags, sizeof flags, error);
    if (flags[0] == RESTART_RAMP) n = 2;
    check = get(fp, check, numbers, (n + 1) * sizeof(double), error);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, world);
  MPI_Bcast(flags, 5, MPI_INT, 0, world);
  MPI_Bcast(numbers, n + 1, MPI_DOUBLE, 0, world);
  int modify[3] = {offset_flag, mix_flag, tail_flag};
  if (style.mixes) {
    if (comm->me == 0) check = get(fp, check, modify, sizeof modify, error);
    MPI_Bcast(modify, 3, MPI_INT, 0, world);
  }

  // with suffix gpu, files of LAMMPS's own styles, or of its package GPU, come here, too

  if (flags[0] != RESTART_FORMAT && (flags[0] != RESTART_RAMP || ntemperatures > 1))
    error->all(
        FLERR,
        "Pair {0}: the restart file was written by LAMMPS's own pair style {1}, or by another pair style {0} "
        "(format {2}, allowed is {3}): it can be read with suffix off",
        style.name, plain_name(style.name), flags[0], RESTART_FORMAT);
  check_restart(fp, check, "settings");
  seed = flags[1];
  if (flags[2] == RESTART_SINGLE && comm->me == 0)
    error->warning(FLERR, "Pair {}: the restart file has precision single, which has been removed: mixed is taken",
                   style.name);
  precision = flags[2] == RESTART_PRECISION[DS_PRECISION_DOUBLE] ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
  backend = flags[3];
  if (flags[4] != RESTART_OWN_LIST && comm->me == 0)
    error->warning(FLERR, "Pair {}: the restart file has neigh lammps, which has been removed: own is taken", style.name);
  if (n > 0) {
    temperature = t_start = numbers[0];
    t_stop = numbers[n - 1];
  }
  cut_global = numbers[n];
  offset_flag = modify[0];
  mix_flag = modify[1];
  tail_flag = modify[2];
  reset_settings();
}

/* ---------------------------------------------------------------------- */

void PairGPU::write_columns(FILE *fp, int i, int j) const
{
  for (int k = 0; k <= nwritten; k++) {
    if (k > nplain) utils::print(fp, " {}", style.coeff[k - 1].name);
    if (k == column_of_cut()) utils::print(fp, "{}", before_cutoff(i, j));
    utils::print(fp, " {}", column(k)[i][j]);
  }
  utils::print(fp, "\n");
}

/* ----------------------------------------------------------------------
   proc 0 writes to data file
------------------------------------------------------------------------- */

void PairGPU::write_data(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++) {
    utils::print(fp, "{}", i);
    write_columns(fp, i, i);
  }
}

/* ----------------------------------------------------------------------
   proc 0 writes all pairs to data file
------------------------------------------------------------------------- */

void PairGPU::write_data_all(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      utils::print(fp, "{} {}", i, j);
      write_columns(fp, i, j);
    }
}
