/* The host's pair sweep.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_HOST_H
#define DPDSOP_SWEEP_HOST_H

#include "evaluation.h"

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

#endif
