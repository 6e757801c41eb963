/* One evaluation of forces: what its stages read and write, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_EVALUATION_H
#define DPDSOP_EVALUATION_H

#include "../core/isa.h"
#include "../core/queue.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/pair.h"
#include "tables.h"

DS_C_BEGIN

enum { DS_SWEEP_THREADS = 128 }; /* rows of a block on the GPU */

/* The same for every style and precision; pointers to where stages work. */
typedef struct {
  ds_frame frame;
  int slots, nlocal, ntypes;
  const void *position, *velocity; /* by slot: particles.h */
  const int64_t *tag;              /* by slot */
  const int32_t *atom_of_slot;
  const uint32_t *first, *entries; /* neighbor/list.h */
  const int32_t *count;
  const void *coeff;                     /* the style's records */
  ds_array force, energy, virial;        /* by own atom, added to; data NULL: not wanted */
  int put_force, put_energy, put_virial; /* or written, where these are not 0 */
  ds_row_units unit;
  const uint8_t *inner; /* by block of rows, on the GPU: of which kind it is; NULL: all are swept */
  int is_inner;         /* the kind that is swept */
} ds_sweep_io;

typedef struct {
  ds_queue *queue;
  const ds_pair_style *style;
  ds_precision precision;
  const ds_sweep_tables *tables;
  ds_isa isa;
  int threads;
  ds_sweep_io io;
  int special; /* some pair may have a factor other than 1 */
  int tally;   /* energies and virials, too, and sums over all rows into the control block */
  int64_t step;
  ds_buffer row_force, row_energy, row_virial; /* host: int64 by row: 3, 1, 6 */
} ds_evaluation;

typedef struct {
  ds_status (*sweep)(ds_evaluation *e, ds_error *err);
  /* Tags and size of the force that the control block's key names, into the control block. NULL: the sweep has done it. */
  ds_status (*identify)(ds_evaluation *e, ds_error *err);
} ds_force_stages;

extern const ds_force_stages ds_force_stages_host;
const ds_force_stages *ds_force_stages_cuda(const ds_pair_style *style, ds_precision precision);

/* The host's sweeps (sweeps_simd.c). */

/* A force out of range: slots of one such pair and the force. */
typedef struct {
  int found;
  uint32_t i, j;
  double force;
} ds_sweep_fault;

/* Integer sums of rows first .. last-1 into the buffers of the evaluation. */
typedef void ds_sweep_function(const ds_evaluation *e, int first, int last, ds_sweep_fault *fault);

/* The sweep of a style. */
typedef ds_sweep_function *ds_host_sweep_function(const ds_pair_style *style, ds_precision precision);
extern ds_host_sweep_function ds_host_sweep_base, ds_host_sweep_avx2, ds_host_sweep_avx512;

DS_C_END
#endif
