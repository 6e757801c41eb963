/* Many-body dissipative particle dynamics with signature noise, on host or GPU.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_mdpd_gpu.h"

#include "engine_handle.h"
#include "pair_mdpd_rhosum_gpu.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"

#include "dpdsop/dpd.h"

using namespace LAMMPS_NS;

static const PairGPUStyle MDPD = {
    "mdpd/gpu",
    {"T"},
    {{"A", PairGPUStyle::ANY},
     {"B", PairGPUStyle::ANY},
     {"gamma", PairGPUStyle::NOT_NEGATIVE},
     {"cutoff_d", PairGPUStyle::NOT_NEGATIVE, PairGPUStyle::BEHIND_CUTOFF},
     {"rho_cutoff", PairGPUStyle::NOT_NEGATIVE, PairGPUStyle::DERIVED},
     {"mass", PairGPUStyle::POSITIVE, PairGPUStyle::DERIVED}},
    &ds_style_mdpd,
    "P. B. Warren, Phys. Rev. E 68, 066702 (2003), doi:10.1103/PhysRevE.68.066702; Z. Li, G. H. Hu, Z. L. Wang, Y. B. Ma and "
    "Z. W. Zhou, Phys. Fluids 25, 072103 (2013), doi:10.1063/1.4812366",
    false,
    false,
    true};

static_assert(DS_MDPD_A == 0 && DS_MDPD_B == 1 && DS_MDPD_GAMMA == 2 && DS_MDPD_CUTOFF_D == 3 && DS_MDPD_RHO_CUTOFF == 4 &&
                  DS_MDPD_MASS == 5,
              "order of coefficients");

/* ---------------------------------------------------------------------- */

PairMDPDExactGPU::PairMDPDExactGPU(LAMMPS *lmp) : PairGPU(lmp, MDPD), rhosum(nullptr), collapse_told(false)
{
  single_enable = 0;    // the force of a pair depends on other atoms
}

/* ---------------------------------------------------------------------- */

void PairMDPDExactGPU::check_cutoff_d(int i, int j) const
{
  if (values[DS_MDPD_CUTOFF_D][i][j] > cut[i][j])
    error->all(FLERR, "Pair {}: pair_coeff: cutoff_d is {} for types {} {}, allowed are 0 to the cutoff {}", style.name,
               values[DS_MDPD_CUTOFF_D][i][j], i, j, cut[i][j]);
}

void PairMDPDExactGPU::coeff(int narg, char **arg)
{
  PairGPU::coeff(narg, arg);
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++)
      if (setflag[i][j]) check_cutoff_d(i, j);
}

/* ---------------------------------------------------------------------- */

PairMDPDExactGPU *PairMDPDExactGPU::of(Force *force)
{
  const Pair *before = nullptr;
  for (int n = 1;; n++) {
    Pair *const found = force->pair_match("^mdpd", 0, n);
    if (!found || found == before) return nullptr;    // a single match is returned for any number
    if (auto *const mdpd = dynamic_cast<PairMDPDExactGPU *>(found)) return mdpd;
    before = found;
  }
}

/* ----------------------------------------------------------------------
   Densities are sums over all neighbors of an atom, so one sub-style has to know all of
   them
------------------------------------------------------------------------- */

void PairMDPDExactGPU::init_style()
{
  if (atom->rmass)
    error->all(FLERR,
               "Pair {}: atoms of atom_style {} have masses of their own, allowed are masses of types: densities are made of "
               "them",
               style.name, atom->get_style());
  if (of(force) != this)
    error->all(FLERR, "Pair {}: pair style {} has several sub-styles of this kind, allowed is one: densities are sums over all "
               "neighbors of an atom", style.name, force->pair_style);
  Pair *const other = force->pair_match("^mdpd/rhosum", 0, 1);
  if (force->pair_match("^mdpd/rhosum", 0, 2) != other)    // which is a single one, too
    error->all(FLERR, "Pair {}: pair style {} has several sub-styles mdpd/rhosum, allowed is one", style.name,
               force->pair_style);
  rhosum = dynamic_cast<PairMDPDRhosumExactGPU *>(other);
  if (other && !rhosum)
    error->all(FLERR, "Pair {}: densities of LAMMPS's pair style mdpd/rhosum are not used, allowed are mdpd/rhosum/gpu and "
               "mdpd/rhosum/exact/gpu", style.name);
  PairGPU::init_style();
}

/* ---------------------------------------------------------------------- */

double PairMDPDExactGPU::range_of_density(int i, int j) const
{
  if (!rhosum) return values[DS_MDPD_CUTOFF_D][i][j];
  const double range = rhosum->range_of(i, j);
  if (range > cut[i][j])
    error->all(FLERR, "Pair mdpd/rhosum/gpu: pair_coeff: cutoff is {} for types {} {}, allowed are 0 to the cutoff {} of {}",
               range, i, j, cut[i][j], style.name);
  return range;
}

/* ----------------------------------------------------------------------
   Repulsion that grows with the density is what keeps the fluid from collapsing
------------------------------------------------------------------------- */

void PairMDPDExactGPU::warn_of_collapse(int i, int j)
{
  const double b = values[DS_MDPD_B][i][j];
  if (!(b < 0.0) || collapse_told || domain->dimension != 3) return;
  const double volume = domain->xprd * domain->yprd * domain->zprd, density = static_cast<double>(atom->natoms) / volume;
  const double slope = ds_mdpd_pressure_slope(force->boltz * temperature, density, atom->mass[i], values[DS_MDPD_A][i][j], b,
                                              cut[i][j], values[DS_MDPD_CUTOFF_D][i][j]);
  if (slope > 0.0) return;
  collapse_told = true;
  if (comm->me == 0)
    error->warning(FLERR,
                   "Pair {}: B is {} for types {} {}: at {:.6g} atoms per volume the pressure falls as the density grows (its "
                   "slope is {:.6g}), and nothing keeps such a fluid from collapsing; B > 0 does",
                   style.name, b, i, j, density, slope);
}

/* ---------------------------------------------------------------------- */

double PairMDPDExactGPU::init_one(int i, int j)
{
  for (const int type : {i, j})
    if (!atom->mass_setflag[type])
      error->all(FLERR, "Pair {}: the mass of type {} has not been set, allowed are masses > 0: densities are made of them",
                 style.name, type);
  check_cutoff_d(i, j);
  values[DS_MDPD_RHO_CUTOFF][i][j] = range_of_density(i, j);
  const double cutoff = PairGPU::init_one(i, j);
  values[DS_MDPD_MASS][i][j] = atom->mass[j];
  values[DS_MDPD_MASS][j][i] = atom->mass[i];
  warn_of_collapse(i, j);
  return cutoff;
}

/* ---------------------------------------------------------------------- */

void PairMDPDExactGPU::show_atoms(EngineHandle &made_by)
{
  if (atom->rho_flag) made_by.get_densities(atom->rho);
}
