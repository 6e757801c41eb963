/* Choice of a backend, and of threads.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_BACKEND_H
#define DPDSOP_CORE_BACKEND_H

#include "dpdsop/backend.h"
#include "queue.h"

DS_C_BEGIN

typedef ds_status ds_backend_open_function(void *object, ds_error *err);

/* Opens an object on the backend wanted. With AUTO, a GPU that is there and cannot be opened is none: no_gpu says why the
   host was taken, and is empty otherwise. An error where CUDA is asked for and cannot be had. cuda: NULL in builds
   without it. */
ds_status ds_backend_open(ds_backend wanted, void *object, ds_backend_open_function *cuda, ds_backend_open_function *host,
                          ds_error *no_gpu, ds_error *err);

/* A queue on the backend wanted, likewise; name: of the host's. */
ds_status ds_queue_open(ds_queue *q, ds_backend wanted, const char *name, const ds_queue_options *options, ds_error *no_gpu,
                        ds_error *err);

/* OpenMP threads of the host backend: as many as wanted, or for 0 as many as OpenMP would take. */
ds_status ds_threads_choose(int wanted, int *threads, ds_error *err);

/* gpu.cu. Device of a process: those that can run this code, given round-robin to the ranks of a node. The status says why
   there is none. */
ds_status ds_gpu_choose(int local_rank, int *device, ds_error *err);

DS_C_END

#endif
