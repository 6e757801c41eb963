/* The GPU's sweeps of the evaluator ds_dpd.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../sweep/sweep_cuda.cuh"
#include "dpdsop/dpd_evaluator.h"

DS_DEFINE_CUDA_SWEEPS(ds_dpd)
