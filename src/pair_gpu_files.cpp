/* Restart and data files of the pair styles of this package.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_gpu.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "utils.h"

#include <cmath>

using namespace LAMMPS_NS;

// layout of what write_restart_settings() writes
static constexpr int RESTART_FORMAT = 1;

/* ---------------------------------------------------------------------- */

double **PairGPU::column(int k) const
{
  if (k == column_of_cut()) return cut;
  return values[k < column_of_cut() ? k : k - 1];
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairGPU::write_restart(FILE *fp)
{
  write_restart_settings(fp);

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      fwrite(&setflag[i][j], sizeof(int), 1, fp);
      if (!setflag[i][j]) continue;
      for (int k = 0; k <= ncoeff; k++) fwrite(&column(k)[i][j], sizeof(double), 1, fp);
    }
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairGPU::read_restart(FILE *fp)
{
  read_restart_settings(fp);
  if (!allocated) allocate();

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (comm->me == 0) utils::sfread(FLERR, &setflag[i][j], sizeof(int), 1, fp, nullptr, error);
      MPI_Bcast(&setflag[i][j], 1, MPI_INT, 0, world);
      if (!setflag[i][j]) continue;
      double row[PairGPUStyle::MOST + 1];
      if (comm->me == 0) utils::sfread(FLERR, row, sizeof(double), ncoeff + 1, fp, nullptr, error);
      MPI_Bcast(row, ncoeff + 1, MPI_DOUBLE, 0, world);
      for (int k = 0; k <= ncoeff; k++) column(k)[i][j] = row[k];
    }
}

/* ----------------------------------------------------------------------
   LAMMPS writes the style's name without a suffix that is on, and in a hybrid as
   the user has written it. By the name that is left it makes its own style, which
   takes what is ours for its own, unless the suffix is on again
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
  const int flags[5] = {RESTART_FORMAT, seed, precision, backend, neigh_source};
  const double one[2] = {temperature, cut_global}, two[3] = {t_start, t_stop, cut_global};
  fwrite(flags, sizeof(int), 5, fp);
  fwrite(ntemperatures > 1 ? two : one, sizeof(double), ntemperatures + 1, fp);
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairGPU::read_restart_settings(FILE *fp)
{
  int flags[5];
  double numbers[3];
  if (comm->me == 0) {
    utils::sfread(FLERR, flags, sizeof(int), 5, fp, nullptr, error);
    utils::sfread(FLERR, numbers, sizeof(double), ntemperatures + 1, fp, nullptr, error);
  }
  MPI_Bcast(flags, 5, MPI_INT, 0, world);
  MPI_Bcast(numbers, ntemperatures + 1, MPI_DOUBLE, 0, world);

  // with suffix gpu, a file of LAMMPS's own style is read here; its GPU package has styles of these names, too

  if (flags[0] != RESTART_FORMAT)
    error->all(
        FLERR,
        "Pair {0}: the restart file was written by LAMMPS's own pair style {1}, or by another pair style {0} "
        "(format {2}, allowed is {3}): it can be read with suffix off",
        style.name, plain_name(style.name), flags[0], RESTART_FORMAT);
  for (int k = 2; k < 5; k++)
    if (flags[k] < 0 || flags[k] > (k == 4 ? 1 : 2))
      error->all(
          FLERR,
          "Pair {}: the restart file has setting {} = {}, allowed are 0 to {}: it is damaged",
          style.name, k, flags[k], k == 4 ? 1 : 2);
  if (flags[1] < 1)
    error->all(FLERR,
               "Pair {}: the restart file has seed {}, allowed are integers from 1 to {}: it is "
               "damaged",
               style.name, flags[1], MAXSMALLINT);
  for (int k = 0; k <= ntemperatures; k++) {
    const bool is_cutoff = k == ntemperatures;
    if (!std::isfinite(numbers[k]) || numbers[k] < 0.0 || (is_cutoff && numbers[k] == 0.0))
      error->all(FLERR, "Pair {}: the restart file has {} {}, allowed are numbers {} 0: it is damaged",
                 style.name, is_cutoff ? "cutoff" : style.temperatures[k], numbers[k],
                 is_cutoff ? ">" : ">=");
  }
  seed = flags[1];
  precision = flags[2];
  backend = flags[3];
  neigh_source = flags[4];
  temperature = numbers[0];
  if (ntemperatures > 1) {
    t_start = numbers[0];
    t_stop = numbers[1];
  }
  cut_global = numbers[ntemperatures];
  reset_settings();
}

/* ---------------------------------------------------------------------- */

void PairGPU::write_columns(FILE *fp, int i, int j) const
{
  for (int k = 0; k <= ncoeff; k++) {
    if (k > column_of_cut()) utils::print(fp, " {}", style.coeff[k - 1].name);
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
