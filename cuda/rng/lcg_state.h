/* How a stream of the linear congruential generator lies in the state of an object.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_LCG_STATE_H
#define DPDSOP_RNG_LCG_STATE_H

#include "dpdsop/device/rng/lcg.h"

/* `state` points to the stream's first word; the words of a stream are `width` apart. */
DS_FUNC ds_lcg ds_lcg_load(const uint32_t *state, int64_t width)
{
  const ds_lcg g = {state[0]};
  (void) width;
  return g;
}

DS_FUNC void ds_lcg_store(const ds_lcg *g, uint32_t *state, int64_t width)
{
  (void) width;
  state[0] = g->x;
}

#endif
