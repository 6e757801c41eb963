/* The host's sweeps of one style in both arithmetics; included through each_style.h. No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */
#define DS_FORMULAS "../force/sweep_rows.h" /* from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"
