/* The order of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ORDER_CUDA_H
#define DPDSOP_ORDER_CUDA_H

#include "../core/queue.h"
#include "dpdsop/device/sort_bins.h"

typedef struct {
  ds_buffer key[2], value[2], scratch;
  ds_buffer spare;      /* room for one field */
  ds_buffer composed;   /* int32: of all sorts since the caller's arrays were in this order */
  const int32_t *order; /* of the last sort: old index by new one */
} ds_order_cuda;

/* The order of n atoms by bins, and of equal ones by index: queued. `composed`: added to the orders before it. */
ds_status ds_order_cuda_find(ds_order_cuda *o, ds_queue *s, const double *x, int n,
                             const ds_sort_bins *bins, int composed, ds_error *err);

/* One field in the order found. */
ds_status ds_order_cuda_apply(ds_order_cuda *o, ds_queue *s, void *data, int n, int components,
                              ds_type type, ds_error *err);

void ds_order_cuda_close(ds_order_cuda *o);

#endif
