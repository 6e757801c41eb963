/* The sweeps that are compiled for the evaluators of this folder.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_SWEEPS_H
#define DPDSOP_DPD_SWEEPS_H

#include "../sweep/sweep_host.h"

DS_DECLARE_HOST_SWEEPS(ds_dpd)
DS_DECLARE_HOST_SWEEPS(ds_dpd_ext)
DS_DECLARE_HOST_SWEEPS(ds_dpd_tstat)

#ifdef DS_HAVE_CUDA
extern const struct ds_cuda_sweeps ds_dpd_cuda_sweeps, ds_dpd_ext_cuda_sweeps,
    ds_dpd_tstat_cuda_sweeps;
#define DS_CUDA_SWEEPS(E) &E##_cuda_sweeps
#else
#define DS_CUDA_SWEEPS(E) NULL
#endif

#endif
