/* Ranges of the densities that mdpd/gpu makes.   SPDX-License-Identifier: GPL-2.0-or-later

   Densities and forces come from one engine, which makes both in one evaluation: that of mdpd/gpu. This style makes nothing. */

#include "pair_mdpd_rhosum_gpu.h"

#include "pair_mdpd_gpu.h"

#include "atom.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "utils.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static constexpr char NAME[] = "mdpd/rhosum/gpu";

/* ---------------------------------------------------------------------- */

PairMDPDRhosumExactGPU::PairMDPDRhosumExactGPU(LAMMPS *lmp) : Pair(lmp), cut(nullptr)
{
  restartinfo = 0;    // as LAMMPS's mdpd/rhosum
  single_enable = 0;
  respa_enable = 0;
  no_virial_fdotr_compute = 1;
}

PairMDPDRhosumExactGPU::~PairMDPDRhosumExactGPU()
{
  if (copymode || !allocated) return;
  memory->destroy(setflag);
  memory->destroy(cutsq);
  memory->destroy(cut);
}

/* ---------------------------------------------------------------------- */

void PairMDPDRhosumExactGPU::allocate()
{
  allocated = 1;
  const int np1 = atom->ntypes + 1;
  memory->create(setflag, np1, np1, "pair:setflag");
  memory->create(cutsq, np1, np1, "pair:cutsq");
  memory->create(cut, np1, np1, "pair:cut");
  for (int i = 0; i < np1; i++)
    for (int j = 0; j < np1; j++) {
      setflag[i][j] = 0;
      cutsq[i][j] = cut[i][j] = 0.0;
    }
}

void PairMDPDRhosumExactGPU::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
}

/* ---------------------------------------------------------------------- */

void PairMDPDRhosumExactGPU::settings(int narg, char **)
{
  if (narg) error->all(FLERR, "Pair {}: pair_style has {} arguments, allowed is none", NAME, narg);
}

void PairMDPDRhosumExactGPU::coeff(int narg, char **arg)
{
  if (narg != 3) error->all(FLERR, "Pair {}: pair_coeff has {} arguments, needed are I J cutoff", NAME, narg);
  if (!allocated) allocate();
  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, jlo, jhi, error);
  const double one = utils::is_double(arg[2]) ? utils::numeric(FLERR, arg[2], false, lmp) : -1.0;
  if (!(one > 0.0) || !std::isfinite(one))
    error->all(FLERR, "Pair {}: pair_coeff: cutoff is {}, allowed are finite numbers > 0", NAME, arg[2]);

  int count = 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = std::max(jlo, i); j <= jhi; j++) {
      cut[i][j] = cut[j][i] = one;
      setflag[i][j] = 1;
      count++;
    }
  if (count == 0) error->all(FLERR, "Pair {}: pair_coeff: types {} {} name no pair with I <= J", NAME, arg[0], arg[1]);
}

/* ---------------------------------------------------------------------- */

void PairMDPDRhosumExactGPU::init_style()
{
  if (!PairMDPDExactGPU::of(force))
    error->all(FLERR,
               "Pair {}: there is no mdpd/gpu beside it, allowed is pair_style hybrid/overlay with both: that makes forces of "
               "the densities",
               NAME);
}

double PairMDPDRhosumExactGPU::init_one(int i, int j)
{
  if (!setflag[i][j])
    error->all(FLERR, "Pair {}: pair_coeff of types {} {} is missing: all pairs of types must be set, there is no mixing", NAME,
               i, j);
  if (!PairMDPDExactGPU::of(force)->has_pair(i, j))
    error->all(FLERR, "Pair {}: types {} {} have no pair_coeff of mdpd/gpu, allowed are pairs of types that have one", NAME, i,
               j);
  cut[j][i] = cut[i][j];
  return cut[i][j];
}

double PairMDPDRhosumExactGPU::range_of(int i, int j) const
{
  return allocated && setflag[std::min(i, j)][std::max(i, j)] ? cut[i][j] : 0.0;
}
