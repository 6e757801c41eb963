/* The generators that can move beads.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "generator.h"

#include "dpdsop/sop.h"

#include "dpdsop/device/rng/fibonacci.h"
#include "dpdsop/device/rng/lcg.h"
#include "dpdsop/device/rng/mrg32k3a.h"
#include "dpdsop/device/rng/mt19937.h"
#include "dpdsop/device/rng/ran2.h"
#include "dpdsop/device/rng/taus.h"

#include <string.h>

#define STATEFUL(name)                                                                             \
  static void name##_start(void *state, uint64_t seed, uint64_t id)                                \
  {                                                                                                \
    ds_##name##_init((ds_##name *) state, seed, id);                                               \
  }                                                                                                \
  static void name##_words(void *states, int n, uint32_t *const words[4])                          \
  {                                                                                                \
    ds_##name *const g = states;                                                                   \
    for (int b = 0; b < n; b++)                                                                    \
      for (int k = 0; k < 4; k++) words[k][b] = ds_##name##_next(g + b);                           \
  }
STATEFUL(taus)
STATEFUL(ran2)
STATEFUL(fibonacci)
STATEFUL(lcg)
STATEFUL(mrg32k3a)
STATEFUL(mt19937)
#undef STATEFUL

static const ds_sop_generator generators[] = {
    {"tea", DS_SOP_TEA, 0, NULL, NULL},
    {"philox", DS_SOP_PHILOX, 0, NULL, NULL},
    {"taus", DS_SOP_TAUS, sizeof(ds_taus), taus_start, taus_words},
    {"ran2", DS_SOP_RAN2, sizeof(ds_ran2), ran2_start, ran2_words},
    {"fibonacci", DS_SOP_FIBONACCI, sizeof(ds_fibonacci), fibonacci_start, fibonacci_words},
    {"lcg", DS_SOP_LCG, sizeof(ds_lcg), lcg_start, lcg_words},
    {"mrg32k3a", DS_SOP_MRG32K3A, sizeof(ds_mrg32k3a), mrg32k3a_start, mrg32k3a_words},
    {"mt19937", DS_SOP_MT19937, sizeof(ds_mt19937), mt19937_start, mt19937_words},
};

const ds_sop_generator *ds_sop_find_generator(const char *name)
{
  const char *const wanted =
      strcmp(name, "lfib") == 0 ? "fibonacci" : name; /* the papers' short name */
  for (size_t k = 0; k < sizeof generators / sizeof *generators; k++)
    if (strcmp(generators[k].name, wanted) == 0) return generators + k;
  return NULL;
}

int ds_sop_knows_generator(const char *name)
{
  return ds_sop_find_generator(name) != NULL;
}

const char *ds_sop_known_generators(void)
{
  return "tea, philox, taus, ran2, fibonacci, lcg, mrg32k3a, mt19937";
}
