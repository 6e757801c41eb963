/* Sums over all rows.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_SUMS_H
#define DPDSOP_CORE_SUMS_H

#include "dpdsop/device/base.h"

#include <stdint.h>

/* Integer sums in a low and a high part, so that no number of atoms overflows. */
typedef struct {
  int64_t energy[2];
  int64_t virial[6][2];
  int64_t force[3];
} ds_sweep_sums;

enum { DS_SUM_SHIFT = 24 };

/* Add q as (q >> 24, q & 0xffffff). */
DS_FUNC void ds_sum_add(int64_t sum[2], int64_t q)
{
  sum[0] += q >> DS_SUM_SHIFT;
  sum[1] += q & (((int64_t) 1 << DS_SUM_SHIFT) - 1);
}

#endif
