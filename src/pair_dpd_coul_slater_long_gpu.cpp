/* Dissipative particle dynamics with charges that are smeared out by Slater functions, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later

   The engine has two styles for it, dpd and coul/slater/long, which share particles and list. */

#include "pair_dpd_coul_slater_long_gpu.h"

#include "engine_handle.h"

#include "atom.h"
#include "error.h"
#include "memory.h"
#include "utils.h"

#include "dpdsop/dpd.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace LAMMPS_NS;

static const PairGPUStyle DPD_COUL_SLATER_LONG = {
    "dpd/coul/slater/long/gpu",
    {"T"},
    {{"A", PairGPUStyle::ANY}, {"gamma", PairGPUStyle::NOT_NEGATIVE}, {"power", PairGPUStyle::EXPONENT, PairGPUStyle::KEYWORD}},
    &ds_style_dpd,
    "M. Gonzalez-Melchor, E. Mayoral, M. E. Velazquez and J. Alejandre, J. Chem. Phys. 125, 224107 (2006), "
    "doi:10.1063/1.2400223",
    false,
    false,
    true};

static_assert(DS_DPD_A == 0 && DS_DPD_GAMMA == 1 && DS_DPD_POWER == 2, "order of coefficients");

/* ---------------------------------------------------------------------- */

PairDPDCoulSlaterLongExactGPU::PairDPDCoulSlaterLongExactGPU(LAMMPS *lmp) :
    PairSlaterGPU(lmp, DPD_COUL_SLATER_LONG), charges(new EngineModel(lmp, &ds_style_coul_slater)), charged(nullptr)
{
  engine->add(*charges);
}

PairDPDCoulSlaterLongExactGPU::~PairDPDCoulSlaterLongExactGPU()
{
  if (!copymode) memory->destroy(charged);
}

void PairDPDCoulSlaterLongExactGPU::allocate()
{
  const int np1 = atom->ntypes + 1;
  PairGPU::allocate();
  memory->create(charged, np1, np1, "pair:charged");
  std::fill_n(*charged, np1 * np1, 0);
  charges->begin();
}

/* ----------------------------------------------------------------------
   global settings: T cutoff seed lamda cutoff_coul keyword value ...
------------------------------------------------------------------------- */

void PairDPDCoulSlaterLongExactGPU::settings(int narg, char **arg)
{
  static constexpr int DPD = 3, ALL = 5;
  if (narg < ALL)
    error->all(FLERR, "Pair {}: pair_style has {} arguments, needed are T cutoff seed lamda cutoff_coul", style.name, narg);
  read_charges(arg[DPD], arg[DPD + 1]);
  std::vector<char *> words(arg, arg + DPD);
  words.insert(words.end(), arg + ALL, arg + narg);
  PairGPU::settings(static_cast<int>(words.size()), words.data());
}

/* ----------------------------------------------------------------------
   coefficients of one or more pairs of types: I J A gamma [is_charged [cutoff]] [power s]
------------------------------------------------------------------------- */

static bool is_word_of(const char *word, const std::vector<const char *> &words)
{
  return std::any_of(words.begin(), words.end(), [word](const char *w) { return strcmp(word, w) == 0; });
}

void PairDPDCoulSlaterLongExactGPU::coeff(int narg, char **arg)
{
  static constexpr int WORD = 4;
  static const std::vector<const char *> yes = {"yes", "on", "true"}, no = {"no", "off", "false"};
  const bool is_given = narg > WORD && strcmp(arg[WORD], "power") != 0;
  const bool is_charged = is_given && is_word_of(arg[WORD], yes);
  if (is_given && !is_charged && !is_word_of(arg[WORD], no))
    error->all(FLERR, "Pair {}: pair_coeff: is_charged is {}, allowed are yes and no", style.name, arg[WORD]);

  std::vector<char *> words(arg, arg + narg);
  if (is_given) words.erase(words.begin() + WORD);
  PairGPU::coeff(static_cast<int>(words.size()), words.data());

  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, jlo, jhi, error);
  for (int i = ilo; i <= ihi; i++)
    for (int j = std::max(jlo, i); j <= jhi; j++) charged[i][j] = charged[j][i] = is_charged ? 1 : 0;
}

/* ---------------------------------------------------------------------- */

double PairDPDCoulSlaterLongExactGPU::init_one(int i, int j)
{
  const double cut_dpd = PairGPU::init_one(i, j), cut_charges = charged[i][j] ? cut_coul : 0.0;
  charges->set_cutoff(i, j, cut_charges);
  return std::max(cut_dpd, cut_charges);
}

/* ---------------------------------------------------------------------- */

void PairDPDCoulSlaterLongExactGPU::set_coefficients()
{
  if (!coeffs_changed) return;
  PairSlaterGPU::set_coefficients();
  charges->set_everywhere(DS_COUL_SCALE, 1.0);
}

double PairDPDCoulSlaterLongExactGPU::single(int i, int j, int itype, int jtype, double rsq, double factor_coul,
                                             double factor_dpd, double &fforce)
{
  double of_charges, energy = PairGPU::single(i, j, itype, jtype, rsq, factor_coul, factor_dpd, fforce);
  energy += charges->single(itype, jtype, rsq, product(i, j), factor_coul, of_charges);
  fforce += of_charges;
  return energy;
}

/* ----------------------------------------------------------------------
   LAMMPS's own style calls the repulsion a0
------------------------------------------------------------------------- */

void *PairDPDCoulSlaterLongExactGPU::extract(const char *str, int &dim)
{
  return PairSlaterGPU::extract(strcmp(str, "a0") == 0 ? "a" : str, dim);
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairDPDCoulSlaterLongExactGPU::write_restart(FILE *fp)
{
  const int np1 = atom->ntypes + 1;
  PairGPU::write_restart(fp);
  write_checked(fp, *charged, sizeof(int) * np1 * np1);
}

void PairDPDCoulSlaterLongExactGPU::read_restart(FILE *fp)
{
  const int np1 = atom->ntypes + 1;
  PairGPU::read_restart(fp);
  read_checked(fp, *charged, sizeof(int) * np1 * np1, "coefficients");
}
