/* The GPU's sweeps of one style; included through each_style.h. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#define DS_FORMULAS "../force/evaluator.cuh" /* from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"

/* By precision, in the order of ds_precision. */
static const ds_force_stages DS_E(stages)[DS_PRECISIONS] = {{sweep_launch<DS_E(evaluatorf)>, identify_launch<DS_E(evaluatorf)>},
                                                            {sweep_launch<DS_E(evaluator)>, identify_launch<DS_E(evaluator)>}};
