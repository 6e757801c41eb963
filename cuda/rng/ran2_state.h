/* How a stream of Ran2 lies in the state of an object.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_RAN2_STATE_H
#define DPDSOP_RNG_RAN2_STATE_H

#include "dpdsop/device/rng/ran2.h"

/* `state` points to the stream's first word; the words of a stream are `width` apart. Behind the three of the core is
   the table. */
enum { DS_RAN2_CORE = 3 };

DS_FUNC ds_ran2_core ds_ran2_load(const uint32_t *state, int64_t width)
{
  const ds_ran2_core g = {state[0], state[width], state[2 * width]};
  return g;
}

DS_FUNC void ds_ran2_store(const ds_ran2_core *g, uint32_t *state, int64_t width)
{
  state[0] = g->x1;
  state[width] = g->x2;
  state[2 * width] = g->y;
}

#endif
