/* Weights of the beads that are fixed or pulled together.   SPDX-License-Identifier: GPL-2.0-or-later

   They are integers, so that a sum of positions with weights is exact and does not depend on the order of the beads. */
#ifndef DPDSOP_SOP_WEIGHTS_H
#define DPDSOP_SOP_WEIGHTS_H

#include "dpdsop/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest sum of weights that differ: such beads may come 2^45 units of positions, 65536 angstrom for proteins, away
   without a difference of sums beyond 64 bits. */
enum { DS_SOP_WEIGHT_BITS = 18 };

typedef struct {
  int32_t count;
  int32_t total;   /* sum of all */
  int32_t *weight; /* >= 1 each */
} ds_sop_weights;

/* given: > 0, or NULL, which is 1 for all; bead: their numbers from 0, for the error text. */
ds_status ds_sop_weights_set(ds_sop_weights *w, const char *what, int32_t count, const int32_t *bead, const double *given,
                             ds_error *err);
void ds_sop_weights_free(ds_sop_weights *w);

/* 1: all are 1. */
int ds_sop_weights_are_equal(const ds_sop_weights *w);

/* Sum of positions of these beads of a molecule, times their weights; it goes round 2^64. */
void ds_sop_weights_sum(const ds_sop_weights *w, const int64_t *position, const int32_t *bead, int64_t sum[3]);

/* Mean of their positions. */
void ds_sop_weights_mean(const ds_sop_weights *w, const int64_t *position, const int32_t *bead, double mean[3]);

#ifdef __cplusplus
}
#endif
#endif
