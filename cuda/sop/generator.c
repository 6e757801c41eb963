/* The generators that can move beads.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "generator.h"

#include "dpdsop/rng/fibonacci.h"
#include "dpdsop/rng/lcg.h"
#include "dpdsop/rng/mrg32k3a.h"
#include "dpdsop/rng/mt19937.h"
#include "dpdsop/rng/ran2.h"
#include "dpdsop/rng/taus.h"

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

static const ds_sop_generator generators[] = {{"tea", 0, NULL, NULL},
                                              {"philox", 0, NULL, NULL},
#define STATEFUL(name) {#name, (int) sizeof(ds_##name), name##_start, name##_words},
                                              STATEFUL(taus) STATEFUL(ran2) STATEFUL(fibonacci)
                                                  STATEFUL(lcg) STATEFUL(mrg32k3a) STATEFUL(mt19937)
#undef STATEFUL
};

const ds_sop_generator *ds_sop_find_generator(const char *name)
{
  const char *const wanted =
      strcmp(name, "lfib") == 0 ? "fibonacci" : name; /* the papers' short name */
  for (size_t k = 0; k < sizeof generators / sizeof *generators; k++)
    if (strcmp(generators[k].name, wanted) == 0) return generators + k;
  return NULL;
}

const char *ds_sop_generator_names(void)
{
  return "tea, philox, taus, ran2, lfib, lcg, mrg32k3a, mt19937";
}
