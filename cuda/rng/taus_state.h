/* How a stream of Hybrid Taus lies in the state of an object.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_TAUS_STATE_H
#define DPDSOP_RNG_TAUS_STATE_H

#include "dpdsop/device/rng/taus.h"

/* `state` points to the stream's first word; the words of a stream are `width` apart. */
DS_FUNC ds_taus ds_taus_load(const uint32_t *state, int64_t width)
{
  const ds_taus g = {state[0], state[width], state[2 * width], state[3 * width]};
  return g;
}

DS_FUNC void ds_taus_store(const ds_taus *g, uint32_t *state, int64_t width)
{
  state[0] = g->z1;
  state[width] = g->z2;
  state[2 * width] = g->z3;
  state[3 * width] = g->z4;
}

#endif
