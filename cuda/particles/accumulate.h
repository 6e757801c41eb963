/* Results that come from the device, added to the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ATOMS_ADD_H
#define DPDSOP_ATOMS_ADD_H

#include "dpdsop/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* values: `components` of each of n atoms, dense. count: by atom, those with DS_ROW_ABSENT are left alone; NULL: none. */
void ds_add_values(const ds_array *to, int components, const double *values, const int32_t *count,
                   int n, int threads);

#ifdef __cplusplus
}
#endif
#endif
