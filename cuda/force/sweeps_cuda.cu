/* The GPU's pair sweeps, of each style in each arithmetic.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_cuda.cuh"

#define DS_FOR_STYLE "../force/sweep_style.cuh" /* from the folder of the public headers */
#include "../styles/each_style.h"

static const ds_force_stages *stages_of(const ds_pair_style *style)
{
#define DS_CHOSEN DS_E(stages)
#define DS_FOR_STYLE "../force/choose_sweep.h"
#include "../styles/each_style.h"
  return NULL;
}

static ds_status sweep(ds_evaluation *e, ds_error *err)
{
  return stages_of(e->style)[e->precision].sweep(e, err);
}

static ds_status identify(ds_evaluation *e, ds_error *err)
{
  return stages_of(e->style)[e->precision].identify(e, err);
}

const ds_force_stages ds_force_stages_cuda = {sweep, identify};
