/* The host's pair sweeps, of each style in each arithmetic; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/isa.h"
#include "dpdsop/device/neighbor.h"
#include "evaluation.h"

#include <math.h>
#include <string.h>

/* Entries that are worked on together: long vector loops, small enough for the first-level cache. */
enum { DS_BATCH = 512, DS_BATCH_ROWS = 128, DS_LANES = 16 };

#define DS_FOR_STYLE "../force/sweep_rows.h" /* from the folder of the public headers */
#include "../styles/each_style.h"

ds_sweep_function *DS_KERNEL(ds_host_sweep)(const ds_pair_style *style, ds_precision precision)
{
#define DS_CHOSEN (precision == DS_PRECISION_MIXED ? DS_E(sweepf) : DS_E(sweep))
#define DS_FOR_STYLE "../force/choose_sweep.h"
#include "../styles/each_style.h"
  return NULL;
}

ds_density_function *DS_KERNEL(ds_host_density)(const ds_pair_style *style, ds_precision precision)
{
#define DS_CHOSEN_DENSITY (precision == DS_PRECISION_MIXED ? DS_E(add_densitiesf) : DS_E(add_densities))
#define DS_FOR_STYLE "../force/choose_density.h"
#include "../styles/each_style.h"
  return NULL;
}
