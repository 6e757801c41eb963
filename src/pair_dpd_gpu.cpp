/* Dissipative particle dynamics with signature noise, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_dpd_gpu.h"

#include "dpdsop/dpd.h"

using namespace LAMMPS_NS;

static const PairGPUStyle DPD = {
    "dpd/gpu",
    {"T"},
    {{"A", PairGPUStyle::ANY},
     {"gamma", PairGPUStyle::NOT_NEGATIVE},
     {"power", PairGPUStyle::EXPONENT, PairGPUStyle::KEYWORD}},
    &ds_style_dpd,
    "Y.-H. Tang and G. E. Karniadakis, Comput. Phys. Commun. 185, 2809 (2014), "
    "doi:10.1016/j.cpc.2014.06.015",
    false,
    true,
    true};

static_assert(DS_DPD_A == 0 && DS_DPD_GAMMA == 1 && DS_DPD_POWER == 2, "order of coefficients");

PairDPDGPU::PairDPDGPU(LAMMPS *lmp) : PairGPU(lmp, DPD) {}
