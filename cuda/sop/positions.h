/* Positions as the host knows them.   SPDX-License-Identifier: GPL-2.0-or-later

   What was put into the backend, or got from it, is kept until the next step, so that values of the same positions need one
   copy from a GPU, and positions that are set as they are need none to it. */
#ifndef DPDSOP_SOP_POSITIONS_H
#define DPDSOP_SOP_POSITIONS_H

#include "dpdsop/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ds_sop;

typedef struct {
  int64_t *position; /* in units, three per bead */
  int64_t *spare;    /* as many */
  int are_known;     /* 1: position has those of the backend */
} ds_sop_positions;

/* For the beads that the object has now; they are not known. */
ds_status ds_sop_positions_reserve(struct ds_sop *sop, ds_error *err);
void ds_sop_positions_free(ds_sop_positions *p);

/* Those of the backend, until they change. */
ds_status ds_sop_know_positions(const struct ds_sop *sop, const int64_t **position, ds_error *err);

/* Steps change them. */
void ds_sop_forget_positions(struct ds_sop *sop);

#ifdef __cplusplus
}
#endif
#endif
