/* Impropers of the engine: LAMMPS's improper style harmonic.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "improper_gpu.h"

#include "pi.h"

#include "neighbor.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ImproperGPU::ImproperGPU(LAMMPS *lmp, const char *name, int engine_style_in, std::vector<BondedCoefficients::Column> columns) :
    TorsionStyle<Improper>(lmp, "improper", name, engine_style_in, &Atom::nimpropertypes, std::move(columns))
{
}

const int *const *ImproperGPU::get_list(int &n) const
{
  n = neighbor->nimproperlist;
  return neighbor->improperlist;
}

/* ----------------------------------------------------------------------
   symmatoms[] tells LAMMPS which atom is the central one: here it is the first
------------------------------------------------------------------------- */

ImproperHarmonicGPU::ImproperHarmonicGPU(LAMMPS *lmp) :
    ImproperGPU(lmp, "harmonic/gpu", DS_IMPROPER_STYLE_HARMONIC_EXACT,
                {{"k", &ds_bonded_type::k, 1.0}, {"chi", &ds_bonded_type::at, DEGREE}})
{
  symmatoms[0] = 1;
}
