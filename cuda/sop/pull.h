/* State of pulling.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_PULL_STATE_H
#define DPDSOP_SOP_PULL_STATE_H

#include "cantilever.h"
#include "weights.h"
#include "dpdsop/sop.h"
#include "dpdsop/device/sop_pull.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ds_sop_pull spec;      /* as it was set; its arrays of beads are ours, those of weights NULL: */
  ds_sop_weights fixed, pulled;
  int32_t molecules;     /* that have anchors; 0: not begun */
  ds_sop_anchor *anchor; /* by molecule */
  ds_sop_cantilever cantilever; /* its end that is not at the beads */
} ds_sop_pull_state;

struct ds_sop;

/* beads: of a molecule; most: how far a plane may be from its centre. */
ds_status ds_sop_pull_set(ds_sop_pull_state *p, const ds_sop_pull *spec, int32_t beads, double most, ds_error *err);
ds_status ds_sop_pull_set_speed(ds_sop_pull_state *p, double speed, ds_error *err);
void ds_sop_pull_free(ds_sop_pull_state *p);
/* The anchors are gone; the next step begins anew. */
void ds_sop_pull_forget(ds_sop_pull_state *p);

/* The same for the same pull, whatever has become of it. */
uint64_t ds_sop_pull_signature(const ds_sop_pull_state *p);

/* Before steps of length h, the first of them number `first`: begins where it has not, with these positions. *begun becomes
   1 then. */
ds_status ds_sop_pull_begin(struct ds_sop *sop, const int64_t *position, int64_t first, double h, int *begun, ds_error *err);

/* What it does in step `step`. per_force: as in ds_sop_step_units. */
ds_sop_pull_step ds_sop_pull_at(const struct ds_sop *sop, int64_t step, double per_force);

/* Force and extension of each molecule at these positions, as ds_sop_pulling gives them. */
void ds_sop_pull_state_of(const struct ds_sop *sop, const int64_t *position, double *force, double *extension);

/* As ds_sop_pull_direction gives them. */
void ds_sop_pull_direction_of(const struct ds_sop *sop, const int64_t *position, double *n, double *projection);

#ifdef __cplusplus
}
#endif
#endif
