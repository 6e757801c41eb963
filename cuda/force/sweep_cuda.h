/* Pair sweep of the CUDA backend: what an evaluator's kernels are called with.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_CUDA_H
#define DPDSOP_SWEEP_CUDA_H

#include "../core/queue.h"
#include "dpdsop/array.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/pair.h"
#include "tables.h"

enum { DS_SWEEP_THREADS = 128 }; /* rows of a block */

/* What the kernels read and write, the same for every evaluator and precision; device pointers. */
typedef struct {
  ds_frame frame;
  int slots, nlocal, ntypes;
  const int32_t *block; /* blocks of rows to be swept, so many; NULL: all */
  int blocks;
  const void *position, *velocity; /* by slot (atoms/storage.cuh) */
  const int64_t *tag;              /* by slot */
  const int32_t *atom_of_slot;
  const uint32_t *first, *entries; /* neighbor/list_cuda.h */
  const int32_t *count;
  const void *coeff;              /* the evaluator's records */
  ds_array force, energy, virial; /* by own atom, added to; data NULL: not wanted */
  /* or written, where these are not 0: atoms whose rows are absent keep what is there */
  int put_force, put_energy, put_virial;
  ds_row_units unit;
} ds_sweep_io;

/* tally: energies and virials, too, and sums over all rows into the control block. special: some pair may have a factor
   other than 1. */
typedef ds_status ds_cuda_sweep(ds_queue *s, const ds_sweep_tables *tables, const ds_sweep_io *io,
                                int special, int tally, int64_t step, ds_error *err);
/* Tags and size of the force that the control block's key names, into the control block. */
typedef ds_status ds_cuda_identify(ds_queue *s, const ds_sweep_tables *tables, const ds_sweep_io *io,
                               ds_error *err);

/* By precision, in the order of ds_precision. */
typedef struct ds_cuda_sweeps {
  ds_cuda_sweep *sweep[DS_PRECISIONS];
  ds_cuda_identify *name[DS_PRECISIONS];
} ds_cuda_sweeps;

const ds_cuda_sweeps *ds_cuda_sweeps_of(const ds_pair_style *style);

#endif
