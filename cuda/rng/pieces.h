/* Into how many pieces a call is cut: for tests, which show that it makes no difference.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_PIECES_H
#define DPDSOP_RNG_PIECES_H

#include "dpdsop/rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of a call are made in so many pieces at once, 1 to 2^20; 0, as at first: as many as are best. */
void ds_rng_set_pieces(ds_rng *rng, int64_t pieces);

#ifdef __cplusplus
}
#endif
#endif
