/* Counter-based generators, for which any word is made directly: their arrays are made by groups of four words.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_COUNTER_H
#define DPDSOP_RNG_COUNTER_H

#include "method.h"

/* Groups first .. first + n - 1 of a sequence. */
typedef void ds_counter_function(ds_generator_kind kind, uint64_t seed, int rounds, uint64_t first, int n, uint32_t *out);
ds_counter_function ds_counter_groups_base, ds_counter_groups_avx2, ds_counter_groups_avx512;

/* fill_host and fill_cuda of a ds_rng_method. */
ds_status ds_counter_fill(ds_rng *rng, const ds_fill *fill, ds_error *err);
DS_RNG_FILL_CUDA(ds_counter_fill_cuda);

#endif
