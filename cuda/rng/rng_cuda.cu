/* The generators' side of the GPU: stream, memory, and where the state is.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "rng_cuda.h"
#include "fill_cuda.cuh"

#include <stdlib.h>

ds_status ds_rng_gpu_open(ds_rng *r, ds_error *err)
{
  ds_rng_gpu *g = (ds_rng_gpu *) calloc(1, sizeof *g);
  if (!g) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a generator");
  r->gpu = g;
  ds_status s = ds_gpu_use(r->options.local_rank, r->options.stream, &g->device, &g->stream, &g->own_stream, err);
  if (!s)
    s = ds_gpu_check(cudaDeviceGetAttribute(&g->processors, cudaDevAttrMultiProcessorCount, g->device),
                     "asking for the GPU's size", err);
  return s;
}

/* What follows is done on the object's device, whatever the thread used last. */
static ds_status choose(const ds_rng_gpu *g, ds_error *err)
{
  return ds_gpu_check(cudaSetDevice(g->device), "choosing the GPU", err);
}

void ds_rng_gpu_close(ds_rng *r)
{
  ds_rng_gpu *g = r->gpu;
  choose(g, NULL);
  if (g->stream || !g->own_stream) cudaStreamSynchronize(g->stream);
  ds_buffer_free(&ds_device_memory, &g->state);
  ds_buffer_free(&ds_device_memory, &g->numbers);
  ds_buffer_free(&ds_device_memory, &g->scratch);
  if (g->own_stream) cudaStreamDestroy(g->stream);
  cudaGetLastError();
  free(g);
  r->gpu = NULL;
}

ds_status ds_rng_gpu_wait(ds_rng *r, ds_error *err)
{
  const ds_status s = choose(r->gpu, err);
  return s ? s : ds_gpu_check(cudaStreamSynchronize(r->gpu->stream), "making random numbers", err);
}

ds_status ds_rng_gpu_fill(ds_rng *r, ds_fill *f, ds_space space, ds_error *err)
{
  ds_rng_gpu *g = r->gpu;
  const size_t size = ds_fill_size(f);
  void *const host = space == DS_SPACE_HOST ? f->out : NULL;
  ds_status s = choose(g, err);
  if (s) return s;
  if (host) {
    s = ds_buffer_reserve(&ds_device_memory, &g->numbers, f->n, size, "random numbers", err);
    f->out = g->numbers.data;
  }
  if (!s) s = r->method->fill_cuda(r, f, err);
  if (s || !host) return s;
  s = ds_gpu_check(cudaMemcpyAsync(host, f->out, f->n * size, cudaMemcpyDeviceToHost, g->stream), "copying random numbers",
                   err);
  return s ? s : ds_rng_gpu_wait(r, err);
}

/* ---------------------------------------------------------------------------------- the state */

ds_status ds_rng_gpu_state(ds_rng *r, ds_error *err)
{
  ds_rng_gpu *g = r->gpu;
  if (g->has_state || r->state_words == 0) return DS_OK;
  const size_t bytes = r->state_words * sizeof *r->state;
  ds_status s = ds_buffer_reserve(&ds_device_memory, &g->state, r->state_words, sizeof *r->state, "states", err);
  if (!s)
    s = ds_gpu_check(cudaMemcpyAsync(g->state.data, r->state, bytes, cudaMemcpyHostToDevice, g->stream), "copying states", err);
  if (!s) s = ds_rng_gpu_wait(r, err); /* a next call may change the host's */
  g->has_state = s == DS_OK;
  return s;
}

ds_status ds_rng_gpu_fetch_state(ds_rng *r, ds_error *err)
{
  ds_rng_gpu *g = r->gpu;
  if (!g->has_state) return DS_OK;
  ds_status s = choose(g, err);
  if (!s)
    s = ds_gpu_check(
        cudaMemcpyAsync(r->state, g->state.data, r->state_words * sizeof *r->state, cudaMemcpyDeviceToHost, g->stream),
        "copying states", err);
  return s ? s : ds_rng_gpu_wait(r, err);
}

void ds_rng_gpu_forget_state(ds_rng *r)
{
  r->gpu->has_state = 0;
}
