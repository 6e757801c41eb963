/* The generators that can move beads: all of the list.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "generator.h"

#include "dpdsop/sop.h"

#include <string.h>

#define COUNTER(kind, name, ...) {name, kind, 0},
#define STATEFUL(kind, name, generator, ...) {name, kind, sizeof(generator)},
static const ds_sop_generator generators[] = {DS_COUNTER_GENERATORS(COUNTER) DS_STATEFUL_GENERATORS(STATEFUL)};

const ds_sop_generator *ds_sop_find_generator(const char *name)
{
  const char *const wanted = strcmp(name, "lfib") == 0 ? "fibonacci" : name; /* the papers' short name */
  for (size_t k = 0; k < sizeof generators / sizeof *generators; k++)
    if (strcmp(generators[k].name, wanted) == 0) return generators + k;
  return NULL;
}

int ds_sop_knows_generator(const char *name)
{
  return ds_sop_find_generator(name) != NULL;
}

#define NAME(kind, name, ...) ", " name
const char *ds_sop_known_generators(void)
{
  return &DS_GENERATORS(NAME)[sizeof ", " - 1];
}

#define INIT(kind, name, generator, init, ...)                                                                                 \
  case kind: init((generator *) state, seed, id); break;

void ds_sop_init_generator(const ds_sop_generator *g, void *state, uint64_t seed, uint64_t id)
{
  switch (g->kind) {
    DS_STATEFUL_GENERATORS(INIT)
  default: break;
  }
}

#define NEXT(kind, name, generator, init, next, ...)                                                                           \
  case kind:                                                                                                                   \
    for (int b = 0; b < n; b++)                                                                                                \
      for (int k = 0; k < 4; k++) words[k][b] = next((generator *) states + b);                                                \
    break;

void ds_sop_next_words(const ds_sop_generator *g, void *states, int n, uint32_t *const words[4])
{
  switch (g->kind) {
    DS_STATEFUL_GENERATORS(NEXT)
  default: break;
  }
}
