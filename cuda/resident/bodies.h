/* Rigid bodies where operations of a step find them.   SPDX-License-Identifier: GPL-2.0-or-later

   Particles add forces and torques to exact sums of their bodies; one stage moves all bodies, by the sums of all processes; then
   particles are put where their bodies are. On the GPU nothing of this is copied to the host unless there are several
   processes. */
#ifndef DPDSOP_RESIDENT_BODIES_H
#define DPDSOP_RESIDENT_BODIES_H

#include "../core/queue.h"
#include "dpdsop/resident.h"

DS_C_BEGIN

typedef struct {
  int n;
  ds_buffer state;           /* ds_body */
  ds_buffer sums, sums_host; /* DS_BODY_SUMS of each */
} ds_bodies;

/* What bodies do: the second half of a step, the first half of the next one, or both. Passed to a kernel by value. */
typedef struct {
  ds_body *body;
  ds_exact_sum *sums;
  int n, ends, begins;
  int64_t step;            /* that ends */
  ds_operation end, begin; /* DS_BODY_VELOCITY, DS_BODY_PLACE */
  ds_wrap box;
} ds_body_launch;

typedef ds_status ds_bodies_stage(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err);
ds_bodies_stage ds_bodies_host, ds_bodies_cuda;

/* What is added up over all bodies: DS_BODY_KINETIC. */
typedef struct {
  const ds_body *body;
  int n;
  ds_operation operation;
  ds_exact_sum *sums; /* of the operation */
} ds_body_sums_launch;

typedef ds_status ds_body_sums_stage(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err);
ds_body_sums_stage ds_body_sums_host, ds_body_sums_cuda;

ds_status ds_bodies_set(ds_bodies *b, ds_queue *q, const ds_body *from, int n, ds_error *err); /* waits */
ds_status ds_bodies_get(ds_bodies *b, ds_queue *q, ds_body *to, ds_error *err);                /* waits */
ds_status ds_bodies_check(const ds_bodies *b, const int32_t *numbers, int n, ds_error *err);
ds_status ds_bodies_reduce(ds_bodies *b, ds_queue *q, ds_reduction *reduce, void *user, ds_error *err);
ds_status ds_bodies_move(ds_bodies *b, ds_queue *q, ds_body_launch *what, int64_t step, ds_error *err);
ds_status ds_bodies_add_up(ds_bodies *b, ds_queue *q, const ds_operation *o, ds_exact_sum *sums, int64_t step, ds_error *err);
void ds_bodies_close(ds_bodies *b, ds_queue *q);

DS_C_END
#endif
