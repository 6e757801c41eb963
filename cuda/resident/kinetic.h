/* Kinetic energies of resident atoms, brought to the host beside the steps that follow.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_KINETIC_H
#define DPDSOP_KINETIC_H

#include "../core/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DS_KINETIC_SETS = 2 };

/* On the GPU copies have a stream of their own, made with the first set. */
typedef struct {
  struct CUstream_st *copies;
  struct {
    ds_buffer device, host; /* host: page-locked on the CUDA backend */
    struct CUevent_st *made, *copied;
  } set[DS_KINETIC_SETS];
} ds_kinetic;

/* rmass: per atom; NULL: mass[type]. */
typedef struct {
  int n, threads;
  const double *v, *rmass, *mass;
  const int32_t *type;
} ds_kinetic_view;

ds_status ds_kinetic_host_take(ds_kinetic *k, int set, const ds_kinetic_view *view, ds_error *err);
void ds_kinetic_host_close(ds_kinetic *k);

#ifdef DS_HAVE_CUDA
ds_status ds_kinetic_cuda_take(ds_kinetic *k, ds_queue *q, int set, const ds_kinetic_view *view,
                               ds_error *err);
ds_status ds_kinetic_cuda_wait(const ds_kinetic *k, int set, ds_error *err);
void ds_kinetic_cuda_close(ds_kinetic *k);
#endif

#ifdef __cplusplus
}
#endif
#endif
