/* Kinetic energies of resident atoms on the GPU, brought to the host beside the steps that follow.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_KINETIC_CUDA_H
#define DPDSOP_KINETIC_CUDA_H

#include "../core/queue.h"
#include "resident_state.h"

typedef struct {
  cudaStream_t copies; /* made with the first set */
  struct {
    ds_buffer device, host; /* host: page-locked */
    cudaEvent_t made, copied;
  } set[DS_KINETIC_SETS];
} ds_kinetic_cuda;

/* rmass: per atom; NULL: mass[type]. */
typedef struct {
  int n;
  const double *v, *rmass, *mass;
  const int32_t *type;
} ds_kinetic_view;

void ds_kinetic_cuda_close(ds_kinetic_cuda *k);
ds_status ds_kinetic_cuda_take(ds_kinetic_cuda *k, ds_queue *s, int set,
                               const ds_kinetic_view *view, ds_error *err);
ds_status ds_kinetic_cuda_wait(const ds_kinetic_cuda *k, int set, const double **terms,
                               ds_error *err);

#endif
