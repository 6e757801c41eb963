/* Kinetic energies of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A third of the bytes of the velocities, and copied in a stream of their own: steps go on meanwhile. Who takes a set has
   waited for the step that it belongs to, so nothing has stopped. */
#include "../core/gpu.h"
#include "dpdsop/device/motion.h"
#include "kinetic.h"

namespace {
enum { THREADS = 256 };

__global__ void kinetic_kernel(ds_kinetic_view a, double *terms)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= a.n) return;
  const double *const at = a.v + 3 * (size_t) i;
  const double v[3] = {at[0], at[1], at[2]};
  terms[i] = ds_kinetic_term(a.rmass ? a.rmass[i] : a.mass[a.type[i]], v);
}

ds_status event(cudaEvent_t *e, ds_error *err)
{
  if (*e) return DS_OK;
  return ds_gpu_check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "creating an event",
                      err);
}

ds_status reserve(ds_kinetic *k, int set, int n, ds_error *err)
{
  static const char *const what = "kinetic energies";
  const size_t room = (size_t) n + 1;
  ds_status s = DS_OK;
  if (!k->copies)
    s = ds_gpu_check(cudaStreamCreateWithFlags(&k->copies, cudaStreamNonBlocking),
                     "making a stream", err);
  if (!s) s = event(&k->set[set].made, err);
  if (!s) s = event(&k->set[set].copied, err);
  if (!s) s = ds_gpu_reserve(&k->set[set].device, room, sizeof(double), what, err);
  if (!s)
    s = ds_buffer_reserve(&ds_pinned_memory, &k->set[set].host, room, sizeof(double), what, err);
  return s;
}
}    // namespace

void ds_kinetic_cuda_close(ds_kinetic *k)
{
  if (k->copies) cudaStreamSynchronize(k->copies);
  for (auto &set : k->set) {
    ds_gpu_free(&set.device);
    ds_buffer_free(&ds_pinned_memory, &set.host);
    if (set.made) cudaEventDestroy(set.made);
    if (set.copied) cudaEventDestroy(set.copied);
  }
  if (k->copies) cudaStreamDestroy(k->copies);
}

ds_status ds_kinetic_cuda_take(ds_kinetic *k, ds_queue *q, int set,
                               const ds_kinetic_view *view, ds_error *err)
{
  ds_status s = reserve(k, set, view->n, err);
  if (s) return s;
  const auto &c = k->set[set];
  const size_t bytes = (size_t) view->n * sizeof(double);
  s = DS_LAUNCH(err, "kinetic kernel", kinetic_kernel, ds_gpu_blocks((size_t) view->n, THREADS),
                THREADS, q->stream, *view, DS_DATA(double, c.device));
  if (!s) s = ds_gpu_check(cudaEventRecord(c.made, q->stream), "recording an event", err);
  if (!s) s = ds_gpu_check(cudaStreamWaitEvent(k->copies, c.made, 0), "waiting for an event", err);
  if (!s && bytes)
    s = ds_gpu_check(
        cudaMemcpyAsync(c.host.data, c.device.data, bytes, cudaMemcpyDeviceToHost, k->copies),
        "copying kinetic energies", err);
  return s ? s : ds_gpu_check(cudaEventRecord(c.copied, k->copies), "recording an event", err);
}

ds_status ds_kinetic_cuda_wait(const ds_kinetic *k, int set, ds_error *err)
{
  return ds_gpu_check(cudaEventSynchronize(k->set[set].copied), "waiting for kinetic energies",
                      err);
}
