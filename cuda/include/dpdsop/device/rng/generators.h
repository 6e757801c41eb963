/* generators.h: the list of the generators; what is made for each of them, such as a kernel, is made by this list.
   SPDX-License-Identifier: GPL-2.0-or-later

   X is a macro that takes one row:
     kind, name      its number, and what users call it
     generator       the structure of a stream
     init, next      init(&g, seed, stream) begins a stream, next(&g) is its next word
     row             its row of ds_rng_table, in cuda/rng/NAME.c: for the library dpdsop_rng alone
   and of counter-based ones
     at              at(seed, purpose, step, id, words) makes four words without a state
     keys, schedule  schedule(seed, rounds) makes the structure `keys` of what all words of an array share
     four            four(&keys, k, words) makes words 4 k to 4 k + 3 of that array
   Points (sobol.h) have no streams and are not here. */
#ifndef DPDSOP_RNG_GENERATORS_H
#define DPDSOP_RNG_GENERATORS_H

#include "dpdsop/device/rng/fibonacci.h"
#include "dpdsop/device/rng/lcg.h"
#include "dpdsop/device/rng/mrg32k3a.h"
#include "dpdsop/device/rng/mt19937.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/rng/ran2.h"
#include "dpdsop/device/rng/taus.h"
#include "dpdsop/device/rng/tea_stream.h"

#define DS_COUNTER_GENERATORS(X)                                                                                               \
  X(DS_PHILOX, "philox", ds_philox, ds_philox_init, ds_philox_next, ds_rng_philox, ds_philox_at, ds_philox_keys,               \
    ds_philox_schedule, ds_philox_four)                                                                                        \
  X(DS_TEA, "tea", ds_tea, ds_tea_init, ds_tea_next, ds_rng_tea, ds_tea_at, ds_tea_keys, ds_tea_schedule, ds_tea_four)

/* Arrays have a stream for each thread, which holds its state in registers. The structure is made of uint32_t alone. */
#define DS_REGISTER_GENERATORS(X)                                                                                              \
  X(DS_LCG, "lcg", ds_lcg, ds_lcg_init, ds_lcg_next, ds_rng_lcg)                                                               \
  X(DS_TAUS, "taus", ds_taus, ds_taus_init, ds_taus_next, ds_rng_taus)

/* The same with states that are too large for registers: with loops and kernels of their own. */
#define DS_STREAM_GENERATORS(X)                                                                                                \
  DS_REGISTER_GENERATORS(X)                                                                                                    \
  X(DS_RAN2, "ran2", ds_ran2, ds_ran2_init, ds_ran2_next, ds_rng_ran2)

/* All with a state. Arrays of the last three are one sequence, with loops and kernels of their own. */
#define DS_STATEFUL_GENERATORS(X)                                                                                              \
  DS_STREAM_GENERATORS(X)                                                                                                      \
  X(DS_FIBONACCI, "fibonacci", ds_fibonacci, ds_fibonacci_init, ds_fibonacci_next, ds_rng_fibonacci)                           \
  X(DS_MRG32K3A, "mrg32k3a", ds_mrg32k3a, ds_mrg32k3a_init, ds_mrg32k3a_next, ds_rng_mrg32k3a)                                 \
  X(DS_MT19937, "mt19937", ds_mt19937, ds_mt19937_init, ds_mt19937_next, ds_rng_mt19937)

/* All. X takes what comes behind `next` as `...`. */
#define DS_GENERATORS(X)                                                                                                       \
  DS_COUNTER_GENERATORS(X)                                                                                                     \
  DS_STATEFUL_GENERATORS(X)

#define DS_GENERATOR_KIND(kind, ...) kind,
typedef enum { DS_GENERATORS(DS_GENERATOR_KIND) DS_GENERATOR_KINDS } ds_generator_kind;
#undef DS_GENERATOR_KIND

#endif
