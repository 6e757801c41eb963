/* The generators that can move beads.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_GENERATOR_H
#define DPDSOP_SOP_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  DS_SOP_TEA = 0,
  DS_SOP_PHILOX,
  DS_SOP_TAUS,
  DS_SOP_RAN2,
  DS_SOP_FIBONACCI,
  DS_SOP_LCG,
  DS_SOP_MRG32K3A,
  DS_SOP_MT19937
} ds_sop_generator_kind;

/* Each bead has a stream of its own, named by its ID, and takes four words of it per step. */
typedef struct {
  const char *name;
  ds_sop_generator_kind kind;
  int bytes; /* of a bead's state; 0: seed, step and ID are all */
  void (*init)(void *state, uint64_t seed, uint64_t id);
  /* Four words of n beads, one after the other, side by side: word k of bead b in words[k][b]. */
  void (*next)(void *states, int n, uint32_t *const words[4]);
} ds_sop_generator;

/* NULL: unknown. */
const ds_sop_generator *ds_sop_find_generator(const char *name);

#ifdef __cplusplus
}
#endif
#endif
