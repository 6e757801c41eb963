/* Lists of the scheme particle.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_PARTICLE_CUDA_H
#define DPDSOP_SOP_PARTICLE_CUDA_H

#include "cuda_state.h"
#include "dpdsop/device/neighbor.h"

/* Device pointers; by bead. */
typedef struct {
  int4 *x[2];             /* coordinates, now and next in turns */
  int64_t *position[2];   /* likewise; the first is ds_sop_kernel_motion.position */
  ds_sop_rows exclusions; /* of a molecule; no pair numbers */
  const int32_t *bonded_first;
  const int4 *bonded;
  int bonded_entries;         /* of a molecule */
  int no_turns;               /* 1: each thread has one bead, or none */
  int bonded_in_shared;       /* 1: and shared memory has room for its bonded pairs */
  const int32_t *bonded_mate; /* by entry: that of the partner */
  int4 *bonded_slot;          /* of the scheme pair: forces by entry, molecule after molecule */
  int32_t *mate;              /* by entry of inner rows: its number in the partner's row; -1: the partner has the pair */
  int4 *slot;                 /* forces, likewise */
  int32_t *outer, *inner;     /* rows of partners, outer_room and inner_room wide */
  int32_t *outer_count, *inner_count;
  int outer_room, inner_room;
  int4 *near_reference, *far_reference; /* coordinates when the rows were made */
  float near2;                          /* range of inner rows, squared; all in units of coordinates */
  float near_moved2, far_moved2;        /* a bead that has moved further calls for new ones */
  unsigned long long *barrier;          /* two counters, far from each other */
  /* of a step of second order, three per bead */
  int32_t *before, *predicted;
  float *normal;
} ds_sop_particle_lists;

/* Range of the outer list, length. */
double ds_sop_outer_range(const ds_sop *sop);

/* Device pointers of what the topology gives, and of the outer list. */
void ds_sop_cuda_view_outer(const ds_sop_cuda *g, ds_sop_particle_lists *l);

#ifdef __cplusplus
extern "C" {
#endif

/* particle_cuda.cu: memory for steps of n beads by lists, and device pointers to it. */
ds_status ds_sop_cuda_particle_reserve(ds_sop *sop, ds_sop_cuda *g, size_t n, ds_error *err);
ds_sop_particle_lists ds_sop_cuda_particle_view(const ds_sop *sop, const ds_sop_cuda *g);

/* Room for inner rows, of whole warps of beads; half as much again as the longest that there was, `full`; 0: there was none. */
ds_status ds_sop_cuda_reserve_inner(ds_sop_cuda *g, size_t beads, int full, ds_error *err);

/* Before and after a launch: the barrier, and what the report has besides a fault. */
ds_status ds_sop_cuda_clear_flags(ds_sop_cuda *g, ds_error *err);
ds_status ds_sop_cuda_read_flags(ds_sop_cuda *g, ds_sop_report *r, ds_error *err);

/* The outer list at the positions, which also go into g->x[0]; outer_cuda.cu. */
ds_status ds_sop_cuda_outer_list(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
