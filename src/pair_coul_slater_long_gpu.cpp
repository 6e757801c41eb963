/* Charges that are smeared out by Slater functions, the part of their forces in real space, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_coul_slater_long_gpu.h"

#include "engine_handle.h"

#include "atom.h"
#include "error.h"
#include "utils.h"

#include "dpdsop/dpd.h"

#include <vector>

using namespace LAMMPS_NS;

static const PairGPUStyle COUL_SLATER_LONG = {
    "coul/slater/long/gpu",
    {},
    {{"scale", PairGPUStyle::FACTOR, PairGPUStyle::KEYWORD}},
    &ds_style_coul_slater,
    "M. Gonzalez-Melchor, E. Mayoral, M. E. Velazquez and J. Alejandre, J. Chem. Phys. 125, 224107 (2006), "
    "doi:10.1063/1.2400223",
    false,
    false};

static_assert(DS_COUL_SCALE == 0, "order of coefficients");

/* ---------------------------------------------------------------------- */

PairCoulSlaterLongExactGPU::PairCoulSlaterLongExactGPU(LAMMPS *lmp) : PairSlaterGPU(lmp, COUL_SLATER_LONG) {}

EngineModel &PairCoulSlaterLongExactGPU::coulomb()
{
  return engine->model;
}

/* ----------------------------------------------------------------------
   global settings: lamda cutoff keyword value ...
------------------------------------------------------------------------- */

void PairCoulSlaterLongExactGPU::settings(int narg, char **arg)
{
  if (narg < 2) error->all(FLERR, "Pair {}: pair_style has {} arguments, needed are lamda cutoff", style.name, narg);
  read_charges(arg[0], arg[1]);
  PairGPU::settings(narg - 1, arg + 1);
}

/* ----------------------------------------------------------------------
   coefficients of one or more pairs of types: I J [scale value]
------------------------------------------------------------------------- */

void PairCoulSlaterLongExactGPU::coeff(int narg, char **arg)
{
  if (narg > 2 && utils::is_double(arg[2]))
    error->all(FLERR,
               "Pair {}: pair_coeff: {} after the types, allowed is scale and a number; the cutoff is that of pair_style",
               style.name, arg[2]);
  PairGPU::coeff(narg, arg);
}

/* ---------------------------------------------------------------------- */

double PairCoulSlaterLongExactGPU::single(int i, int j, int itype, int jtype, double rsq, double factor_coul,
                                          double /*factor_lj*/, double &fforce)
{
  set_coefficients();
  return engine->model.single(itype, jtype, rsq, product(i, j), factor_coul, fforce);
}

/* ----------------------------------------------------------------------
   Data files have no cutoff, as pair_coeff has none
------------------------------------------------------------------------- */

void PairCoulSlaterLongExactGPU::write_data(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++) utils::print(fp, "{} scale {}\n", i, values[DS_COUL_SCALE][i][i]);
}

void PairCoulSlaterLongExactGPU::write_data_all(FILE *fp)
{
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) utils::print(fp, "{} {} scale {}\n", i, j, values[DS_COUL_SCALE][i][j]);
}
