/* The GPU's sweeps of the evaluator ds_dpd_ext.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../sweep/sweep_cuda.cuh"
#include "dpdsop/dpd_ext_evaluator.h"

DS_DEFINE_CUDA_SWEEPS(ds_dpd_ext)
