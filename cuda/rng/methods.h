/* The list of generators.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_METHODS_H
#define DPDSOP_RNG_METHODS_H

#include "method.h"

/* The only place that names them all, in the order of the table: ds_rng_NAME is defined in NAME.c. */
#define DS_RNG_METHODS(X)                                                                          \
  X(philox)                                                                                        \
  X(tea)                                                                                           \
  X(lcg)                                                                                           \
  X(taus)                                                                                          \
  X(ran2)                                                                                          \
  X(fibonacci)                                                                                     \
  X(mrg32k3a)                                                                                      \
  X(sobol)                                                                                         \
  X(mt19937)

#ifdef __cplusplus
extern "C" {
#endif

#define DS_RNG_DECLARE(name) extern const ds_rng_method ds_rng_##name;
DS_RNG_METHODS(DS_RNG_DECLARE)
#undef DS_RNG_DECLARE

const ds_rng_method *ds_rng_method_of(const char *name); /* NULL: unknown */

#ifdef __cplusplus
}
#endif
#endif
