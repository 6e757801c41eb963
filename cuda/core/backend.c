/* Choice of a backend, and of threads.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "backend.h"

#include <omp.h>

static ds_status choose(ds_backend wanted, int *cuda, ds_error *no_gpu, ds_error *err)
{
  ds_succeed(no_gpu);
  *cuda = 0;
  if ((int) wanted < DS_BACKEND_AUTO || wanted > DS_BACKEND_CUDA)
    return ds_fail(err, DS_ERR_ARGUMENT, "backend %d; allowed: %d (auto), %d (host) and %d (cuda)", (int) wanted,
                   DS_BACKEND_AUTO, DS_BACKEND_HOST, DS_BACKEND_CUDA);
  if (wanted == DS_BACKEND_HOST) return ds_succeed(err);
#ifdef DS_HAVE_CUDA
  int device;
  const ds_status usable = ds_gpu_choose(0, &device, no_gpu);
#else
  const ds_status usable = ds_fail(no_gpu, DS_ERR_NO_GPU, "this build has no CUDA code");
#endif
  *cuda = usable == DS_OK;
  if (usable == DS_OK || wanted == DS_BACKEND_AUTO) return ds_succeed(err);
  return ds_fail(err, usable, "backend cuda: %s; allowed: auto, host", no_gpu->text);
}

ds_status ds_backend_open(ds_backend wanted, void *object, ds_backend_open_function *cuda, ds_backend_open_function *host,
                          ds_error *no_gpu, ds_error *err)
{
  ds_error own;
  int usable;
  if (!err) err = &own; /* why there is no GPU is kept */
  ds_status s = choose(wanted, &usable, no_gpu, err);
  if (s) return s;
  if (usable && cuda) {
    s = cuda(object, err);
    if (!s || wanted == DS_BACKEND_CUDA || s == DS_ERR_ARGUMENT) return s;
    *no_gpu = *err;
  }
  return host(object, err);
}

typedef struct {
  ds_queue *queue;
  const char *name;
  const ds_queue_options *options;
} opening;

static ds_status open_on_host(void *object, ds_error *err)
{
  const opening *const o = object;
  const ds_status s = ds_queue_open_host(o->queue, o->name, err);
  if (s) ds_queue_close(o->queue);
  return s;
}

#ifdef DS_HAVE_CUDA
static ds_status open_on_gpu(void *object, ds_error *err)
{
  const opening *const o = object;
  const ds_status s = ds_queue_open_cuda(o->queue, o->options, err);
  if (s) ds_queue_close(o->queue);
  return s;
}
#else
#define open_on_gpu NULL
#endif

ds_status ds_queue_open(ds_queue *q, ds_backend wanted, const char *name, const ds_queue_options *options, ds_error *no_gpu,
                        ds_error *err)
{
  opening o = {q, name, options};
  return ds_backend_open(wanted, &o, open_on_gpu, open_on_host, no_gpu, err);
}

ds_status ds_threads_choose(int wanted, int *threads, ds_error *err)
{
  enum { LIMIT = 4096 }; /* OpenMP ends the process where it cannot have them */
  const int all = omp_get_max_threads();
  if (wanted < 0 || wanted > LIMIT)
    return ds_fail(err, DS_ERR_ARGUMENT, "threads %d; allowed: 0 (as many as OpenMP would take) to %d", wanted, LIMIT);
  *threads = wanted ? wanted : all < LIMIT ? all : LIMIT;
  return DS_OK;
}
