/* Force sweep of the CUDA backend, one function a precision.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_CUDA_H
#define DPDSOP_SWEEP_CUDA_H

#include "cuda_state.h"

/* What the kernels read and write, the same in every precision; device pointers. */
typedef struct {
  ds_frame frame;
  int rows, capacity, ntypes;
  const uint32_t *order, *row_slot, *entries; /* list_cuda.h */
  const int32_t *count;
  ds_array force, energy, virial; /* by own atom; data NULL: not wanted */
  int add;                        /* to what is there, else it is overwritten */
  int32_t *sums; /* 3 by own atom: force sums instead of `force`, half the bytes for
                                     the bus; NULL: force. Sums that do not fit set report->long_sum. */
  double unit, half_energy, half_virial;
  ds_cuda_report *report;
} ds_sweep_io;

/* tally: energies and virials, too, and sums over all rows into the report. */
typedef ds_status ds_sweep_launch(const ds_dpd *dpd, const ds_sweep_io *io, int tally,
                                  ds_error *err);
/* Atoms and size of the force that the report's key names, into the report. */
typedef ds_status ds_sweep_name(const ds_dpd *dpd, const ds_sweep_io *io, ds_error *err);

ds_sweep_launch ds_sweep_launch_mixed, ds_sweep_launch_single, ds_sweep_launch_double;
ds_sweep_name ds_sweep_name_mixed, ds_sweep_name_single, ds_sweep_name_double;

#endif
