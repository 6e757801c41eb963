/* The generators, in the order of the table.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/generators.h"
#include "method.h"

#include <string.h>

#define DECLARE(kind, name, generator, init, next, row) extern const ds_rng_method row;
#define DECLARE_COUNTER(kind, name, generator, init, next, row, ...) extern const ds_rng_method row;
DS_COUNTER_GENERATORS(DECLARE_COUNTER)
DS_STATEFUL_GENERATORS(DECLARE)
extern const ds_rng_method ds_rng_sobol;

#define POINTER(kind, name, generator, init, next, row) &row,
#define POINTER_COUNTER(kind, name, generator, init, next, row, ...) &row,
static const ds_rng_method *const METHODS[] = {
    DS_COUNTER_GENERATORS(POINTER_COUNTER) /* without a state */
        DS_STATEFUL_GENERATORS(POINTER)    /* with one */
        & ds_rng_sobol,                    /* points */
};

enum { METHOD_COUNT = (int) (sizeof METHODS / sizeof METHODS[0]) };

const ds_rng_info *ds_rng_table(int k)
{
  return k >= 0 && k < METHOD_COUNT ? &METHODS[k]->info : NULL;
}

const ds_rng_method *ds_rng_method_of(const char *name)
{
  for (int k = 0; k < METHOD_COUNT; k++)
    if (strcmp(METHODS[k]->info.name, name) == 0) return METHODS[k];
  return NULL;
}

const ds_rng_info *ds_rng_find(const char *name)
{
  const ds_rng_method *m = name ? ds_rng_method_of(name) : NULL;
  return m ? &m->info : NULL;
}
