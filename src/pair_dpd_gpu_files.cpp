/* Restart and data files of pair_style dpd/gpu.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_dpd_gpu.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "utils.h"

using namespace LAMMPS_NS;

// layout of what write_restart_settings() writes
static constexpr int RESTART_FORMAT = 1;

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairDPDGPU::write_restart(FILE *fp)
{
  write_restart_settings(fp);

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      const double values[4] = {a0[i][j], gamma[i][j], cut[i][j], power[i][j]};
      fwrite(&setflag[i][j], sizeof(int), 1, fp);
      if (setflag[i][j]) fwrite(values, sizeof(double), 4, fp);
    }
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairDPDGPU::read_restart(FILE *fp)
{
  read_restart_settings(fp);
  if (!allocated) allocate();

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (comm->me == 0) utils::sfread(FLERR, &setflag[i][j], sizeof(int), 1, fp, nullptr, error);
      MPI_Bcast(&setflag[i][j], 1, MPI_INT, 0, world);
      if (!setflag[i][j]) continue;
      double values[4];
      if (comm->me == 0) utils::sfread(FLERR, values, sizeof(double), 4, fp, nullptr, error);
      MPI_Bcast(values, 4, MPI_DOUBLE, 0, world);
      a0[i][j] = values[0];
      gamma[i][j] = values[1];
      cut[i][j] = values[2];
      power[i][j] = values[3];
    }
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairDPDGPU::write_restart_settings(FILE *fp)
{
  const int flags[5] = {RESTART_FORMAT, seed, precision, backend, neigh_source};
  const double values[2] = {temperature, cut_global};
  fwrite(flags, sizeof(int), 5, fp);
  fwrite(values, sizeof(double), 2, fp);
}

/* ----------------------------------------------------------------------
   proc 0 reads from restart file, bcasts
------------------------------------------------------------------------- */

void PairDPDGPU::read_restart_settings(FILE *fp)
{
  int flags[5];
  double values[2];
  if (comm->me == 0) {
    utils::sfread(FLERR, flags, sizeof(int), 5, fp, nullptr, error);
    utils::sfread(FLERR, values, sizeof(double), 2, fp, nullptr, error);
  }
  MPI_Bcast(flags, 5, MPI_INT, 0, world);
  MPI_Bcast(values, 2, MPI_DOUBLE, 0, world);

  // LAMMPS's GPU package has a style of this name too, which writes other things

  if (flags[0] != RESTART_FORMAT)
    error->all(
        FLERR,
        "Pair dpd/gpu: the restart file was written by another pair style dpd/gpu (format {}, "
        "allowed is {})",
        flags[0], RESTART_FORMAT);
  for (int k = 2; k < 5; k++)
    if (flags[k] < 0 || flags[k] > (k == 4 ? 1 : 2))
      error->all(FLERR,
                 "Pair dpd/gpu: the restart file has setting {} = {}, allowed are 0 to {}: it is "
                 "damaged",
                 k, flags[k], k == 4 ? 1 : 2);
  seed = flags[1];
  precision = flags[2];
  backend = flags[3];
  neigh_source = flags[4];
  temperature = values[0];
  cut_global = values[1];
  reset_settings();
}

/* ----------------------------------------------------------------------
   proc 0 writes to data file
------------------------------------------------------------------------- */

void PairDPDGPU::write_data(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++)
    utils::print(fp, "{} {} {} {} power {}\n", i, a0[i][i], gamma[i][i], cut[i][i], power[i][i]);
}

/* ----------------------------------------------------------------------
   proc 0 writes all pairs to data file
------------------------------------------------------------------------- */

void PairDPDGPU::write_data_all(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++)
      utils::print(fp, "{} {} {} {} {} power {}\n", i, j, a0[i][j], gamma[i][j], cut[i][j],
                   power[i][j]);
}
