/* Thermostat of dissipative particle dynamics with signature noise, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_dpd_tstat_gpu.h"

#include "dpdsop/dpd.h"

using namespace LAMMPS_NS;

static const PairGPUStyle DPD_TSTAT = {
    "dpd/tstat/gpu",
    {"Tstart", "Tstop"},
    {{"gamma", PairGPUStyle::NOT_NEGATIVE},
     {"power", PairGPUStyle::EXPONENT, PairGPUStyle::KEYWORD}},
    &ds_style_dpd_tstat,
    "Y.-H. Tang and G. E. Karniadakis, Comput. Phys. Commun. 185, 2809 (2014), "
    "doi:10.1016/j.cpc.2014.06.015"};

static_assert(DS_TSTAT_GAMMA == 0 && DS_TSTAT_POWER == 1, "order of coefficients");

PairDPDTstatGPU::PairDPDTstatGPU(LAMMPS *lmp) : PairGPU(lmp, DPD_TSTAT) {}
