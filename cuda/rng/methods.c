/* The generators, in the order of the table.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "methods.h"

#include <string.h>

#define DS_RNG_ENTRY(name) &ds_rng_##name,
static const ds_rng_method *const METHODS[] = {DS_RNG_METHODS(DS_RNG_ENTRY)};
#undef DS_RNG_ENTRY

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
