/* Dissipative particle dynamics with a transverse thermostat and signature noise, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_dpd_ext_gpu.h"

#include "dpdsop/dpd.h"

using namespace LAMMPS_NS;

// in the order of LAMMPS's own pair style dpd/ext

static const PairGPUStyle DPD_EXT = {
    "dpd/ext/gpu",
    {"T"},
    {{"A", PairGPUStyle::ANY},
     {"gamma", PairGPUStyle::NOT_NEGATIVE},
     {"gamma_across", PairGPUStyle::NOT_NEGATIVE},
     {"s", PairGPUStyle::EXPONENT},
     {"s_across", PairGPUStyle::EXPONENT}},
    &ds_style_dpd_ext,
    "C. Junghans, M. Praprotnik and K. Kremer, Soft Matter 4, 156 (2008), doi:10.1039/b713568h; "
    "Y.-H. Tang and G. E. Karniadakis, Comput. Phys. Commun. 185, 2809 (2014), "
    "doi:10.1016/j.cpc.2014.06.015",
    false,
    true,
    true};

static_assert(DS_EXT_A == 0 && DS_EXT_GAMMA == 1 && DS_EXT_GAMMA_ACROSS == 2 && DS_EXT_POWER == 3 &&
                  DS_EXT_POWER_ACROSS == 4,
              "order of coefficients");

PairDPDExtGPU::PairDPDExtGPU(LAMMPS *lmp) : PairGPU(lmp, DPD_EXT) {}
