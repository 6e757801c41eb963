/* Results that come from the device, added to the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ATOMS_ADD_H
#define DPDSOP_ATOMS_ADD_H

#include "dpdsop/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* values: `components` of each of n atoms, dense. */
void ds_add_values(const ds_array *to, int components, const double *values, int n, int threads);

#ifdef __cplusplus
}
#endif
#endif
