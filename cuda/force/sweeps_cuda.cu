/* The GPU's pair sweeps, of each style in each arithmetic.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "density_cuda.cuh"

#define DS_FOR_STYLE "../force/evaluator.cuh" /* from the folder of the public headers */
#include "../styles/each_style.h"

const ds_force_stages *ds_force_stages_cuda(const ds_pair_style *style, ds_precision precision)
{
#define DS_CHOSEN (DS_E(stages) + precision)
#define DS_FOR_STYLE "../force/choose_sweep.h"
#include "../styles/each_style.h"
  return NULL;
}
