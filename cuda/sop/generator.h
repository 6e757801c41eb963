/* The generators that can move beads.   SPDX-License-Identifier: GPL-2.0-or-later

   Each bead has a stream of its own, named by its ID, and takes four words of it per step. */
#ifndef DPDSOP_SOP_GENERATOR_H
#define DPDSOP_SOP_GENERATOR_H

#include "dpdsop/device/rng/generators.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char *name;
  ds_generator_kind kind;
  int bytes; /* of a bead's state; 0: seed, step and ID are all */
} ds_sop_generator;

/* NULL: unknown. */
const ds_sop_generator *ds_sop_find_generator(const char *name);

/* The first state of a bead. */
void ds_sop_init_generator(const ds_sop_generator *g, void *state, uint64_t seed, uint64_t id);

/* Four words of n beads, one after the other, side by side: word k of bead b in words[k][b]. Of generators with a state. */
void ds_sop_next_words(const ds_sop_generator *g, void *states, int n, uint32_t *const words[4]);

#ifdef __cplusplus
}
#endif
#endif
