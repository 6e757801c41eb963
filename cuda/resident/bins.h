/* Bins that particles are added up in: their memory, and what adds to them.   SPDX-License-Identifier: GPL-2.0-or-later

   Cells lie where stages work: those of bin k from k * nvalues on. They go on from step to step until the caller takes them. */
#ifndef DPDSOP_RESIDENT_BINS_H
#define DPDSOP_RESIDENT_BINS_H

#include "../core/queue.h"
#include "dpdsop/device/step/operate.h"
#include "view.h"

DS_C_BEGIN

/* Passed to a kernel by value. */
typedef struct {
  ds_operation operation;
  ds_binning binning;
  ds_region region[DS_MAX_REGIONS];
  ds_step_context context;
  ds_tallies tallies; /* of the particles, in this step */
  ds_exact_sum *cells;
  int32_t reads; /* fields (DS_POSITION ...) of particles */
  int32_t image_bits;
} ds_bin_launch;

typedef struct {
  ds_buffer cells, host;        /* host: what they are brought to */
  ds_buffer molecules, centers; /* where the device reads those of the binning */
  size_t n;              /* cells */
  int64_t terms;         /* that have been added to a cell at most, since parts have been carried */
} ds_bins;

/* On either backend: bins_host.c, bins_cuda.cu. Parts of cells are brought into their ranges before they can overflow. */
typedef ds_status ds_bin_stage(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *what, int64_t step, ds_error *err);
typedef ds_status ds_carry_stage(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err);
ds_bin_stage ds_bin_host, ds_bin_cuda;
ds_carry_stage ds_carry_host, ds_carry_cuda;

ds_status ds_bins_check(const ds_binning *b, int k, ds_error *err); /* number k of a program */
int ds_bins_have_tables(const ds_binning *b);                       /* which the caller keeps until the operation has acted */
int ds_bins_reads(const ds_binning *b);                             /* fields */

/* `what` has all but its cells. Cells of another number than before begin at 0. */
ds_status ds_bins_add(ds_queue *q, ds_bins *bins, const ds_resident_view *a, ds_bin_launch *what, int64_t step, ds_error *err);
ds_status ds_bins_take(ds_queue *q, ds_bins *bins, ds_exact_sum *cells, size_t n, ds_error *err); /* waits; they begin anew */
ds_status ds_bins_clear(ds_queue *q, ds_bins *bins, ds_error *err);
void ds_bins_close(ds_queue *q, ds_bins *bins);

DS_C_END
#endif
