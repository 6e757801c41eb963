/* Dihedrals of the engine: LAMMPS's dihedral styles harmonic, charmm and opls.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "dihedral_gpu.h"

#include "pi.h"

#include "comm.h"
#include "error.h"
#include "neighbor.h"

#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

DihedralGPU::DihedralGPU(LAMMPS *lmp, const char *name, int engine_style_in, std::vector<BondedCoefficients::Column> columns) :
    TorsionStyle<Dihedral>(lmp, "dihedral", name, engine_style_in, &Atom::ndihedraltypes, std::move(columns))
{
}

const int *const *DihedralGPU::get_list(int &n) const
{
  n = neighbor->ndihedrallist;
  return neighbor->dihedrallist;
}

/* ---------------------------------------------------------------------- */

static bool is_sign(double x)
{
  return x == 1.0 || x == -1.0;
}

static bool is_not_negative(double x)
{
  return x >= 0.0;
}

static bool is_0(double x)
{
  return x == 0.0;
}

static BondedCoefficients::Column multiplicity()
{
  return {"multiplicity", &ds_bonded_type::multiplicity, 1.0, true, is_not_negative, "is an integer from 0 on"};
}

/* ----------------------------------------------------------------------
   The sign d is the cosine of a shift by 0 or 180 degrees
------------------------------------------------------------------------- */

DihedralHarmonicGPU::DihedralHarmonicGPU(LAMMPS *lmp) :
    DihedralGPU(lmp, "harmonic/gpu", DS_DIHEDRAL_STYLE_FOURIER,
                {{"k", &ds_bonded_type::k, 1.0},
                 {"d", &ds_bonded_type::cosine, 1.0, true, is_sign, "are -1 and 1"},
                 multiplicity()})
{
}

/* ---------------------------------------------------------------------- */

DihedralCharmmGPU::DihedralCharmmGPU(LAMMPS *lmp) :
    DihedralGPU(lmp, "charmm/gpu", DS_DIHEDRAL_STYLE_FOURIER,
                {{"k", &ds_bonded_type::k, 1.0},
                 multiplicity(),
                 {"shift", &ds_bonded_type::at, 1.0, true},
                 {"weight", nullptr, 1.0, false, is_0, "is 0: LAMMPS's dihedral style charmm has weights"}})
{
}

/* ----------------------------------------------------------------------
   Sine and cosine of the shift are computed as in LAMMPS's style
------------------------------------------------------------------------- */

ds_bonded_type DihedralCharmmGPU::type_of(int type) const
{
  ds_bonded_type one = coefficients.of(type);
  one.at *= DEGREE;
  one.cosine = cos(one.at);
  one.sine = sin(one.at);
  return one;
}

/* ----------------------------------------------------------------------
   At its end LAMMPS's record says whether any weight is not 0
------------------------------------------------------------------------- */

void DihedralCharmmGPU::write_restart(FILE *file)
{
  const int has_weights = 0;
  DihedralGPU::write_restart(file);
  fwrite(&has_weights, sizeof has_weights, 1, file);
}

void DihedralCharmmGPU::read_restart(FILE *file)
{
  int has_weights;
  DihedralGPU::read_restart(file);
  if (comm->me == 0) utils::sfread(FLERR, &has_weights, sizeof has_weights, 1, file, nullptr, error);
}

/* ---------------------------------------------------------------------- */

DihedralOPLSGPU::DihedralOPLSGPU(LAMMPS *lmp) :
    DihedralGPU(lmp, "opls/gpu", DS_DIHEDRAL_STYLE_OPLS_EXACT,
                {{"k1", &ds_bonded_type::k, 0.5},
                 {"k2", &ds_bonded_type::k2, 0.5},
                 {"k3", &ds_bonded_type::k3, 0.5},
                 {"k4", &ds_bonded_type::k4, 0.5}})
{
}
