/* Lennard-Jones potential with a cutoff, on host or GPU.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_lj_cut_gpu.h"

#include "atom.h"

#include "dpdsop/dpd.h"

using namespace LAMMPS_NS;

static const PairGPUStyle LJ_CUT = {
    "lj/cut/gpu",
    {},
    {{"epsilon", PairGPUStyle::ANY},
     {"sigma", PairGPUStyle::NOT_NEGATIVE},
     {"shift", PairGPUStyle::ANY, PairGPUStyle::DERIVED}},
    &ds_style_lj_cut,
    nullptr,
    true,
    false};

static_assert(DS_LJ_EPSILON == 0 && DS_LJ_SIGMA == 1 && DS_LJ_SHIFT == 2, "order of coefficients");

/* ---------------------------------------------------------------------- */

PairLJCutExactGPU::PairLJCutExactGPU(LAMMPS *lmp) : PairGPU(lmp, LJ_CUT) {}

/* ----------------------------------------------------------------------
   Numbers of atoms of two types, over all ranks
------------------------------------------------------------------------- */

void PairLJCutExactGPU::count_types(int itype, int jtype, double &ni, double &nj) const
{
  double mine[2] = {}, all[2];
  for (int k = 0; k < atom->nlocal; k++) {
    mine[0] += atom->type[k] == itype;
    mine[1] += atom->type[k] == jtype;
  }
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, world);
  ni = all[0];
  nj = all[1];
}

/* ----------------------------------------------------------------------
   With pair_modify shift and tail
------------------------------------------------------------------------- */

double PairLJCutExactGPU::init_one(int i, int j)
{
  values[DS_LJ_SHIFT][i][j] = offset_flag ? 1.0 : 0.0;
  const double cutoff = PairGPU::init_one(i, j);
  if (tail_flag) {
    double ni, nj;
    count_types(i, j, ni, nj);
    ds_lj_cut_tail(values[DS_LJ_EPSILON][i][j], values[DS_LJ_SIGMA][i][j], cutoff, &etail_ij, &ptail_ij);
    etail_ij *= ni * nj;
    ptail_ij *= ni * nj;
  }
  return cutoff;
}
