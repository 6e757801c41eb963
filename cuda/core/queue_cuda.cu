/* The stream that an object works on.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "queue.h"

#include <stddef.h>
#include <string.h>

static ds_status name_device(ds_queue *s, ds_error *err)
{
  cudaDeviceProp properties;
  const ds_status status = ds_gpu_check(cudaGetDeviceProperties(&properties, s->device),
                                        "asking for the GPU's name", err);
  if (status) return status;
  memcpy(s->name, properties.name, sizeof s->name);
  s->name[sizeof s->name - 1] = '\0';
  return DS_OK;
}

ds_status ds_queue_open(ds_queue *s, int local_rank, void *given, ds_error *err)
{
  memset(s, 0, sizeof *s);
  s->memory.memory = &ds_device_memory;
  s->pinned.memory = &ds_pinned_memory;
  ds_status status = ds_gpu_use(local_rank, given, &s->device, &s->stream, &s->own, err);
  if (!status) status = name_device(s, err);
  if (!status)
    status = ds_reserve(&s->memory, &s->control_buffer, 1, sizeof(ds_control), "reports", err);
  if (!status)
    status = ds_reserve(&s->pinned, &s->control_copy, 1, sizeof(ds_control), "reports", err);
  if (!status) status = ds_reserve(&s->pinned, &s->halt_flag_buffer, 1, sizeof(int), "reports", err);
  if (status) return status;
  s->halt_flag_host = DS_DATA(int, s->halt_flag_buffer);
  *s->halt_flag_host = 0;
  s->control = DS_DATA(ds_control, s->control_buffer);
  s->control_host = DS_DATA(ds_control, s->control_copy);
  memset(s->control_host, 0, sizeof *s->control_host);
  return ds_gpu_check(cudaMemsetAsync(s->control, 0, sizeof *s->control, s->stream),
                      "clearing a report", err);
}

void ds_queue_close(ds_queue *s)
{
  ds_error ignored;
  cudaSetDevice(s->device);
  if (s->stream) cudaStreamSynchronize(s->stream);
  for (int k = 0; k < DS_MOST_PINNED; k++)
    if (s->pin[k].data) cudaHostUnregister(s->pin[k].data);
  ds_timer_switch(&s->timer, 0, &ignored);
  ds_pool_close(&s->memory);
  ds_pool_close(&s->pinned);
  if (s->own) cudaStreamDestroy(s->stream);
  cudaGetLastError();
}

ds_status ds_queue_use(const ds_queue *s, ds_error *err)
{
  return ds_gpu_check(cudaSetDevice(s->device), "choosing the GPU", err);
}

ds_status ds_queue_wait(ds_queue *s, const char *what, ds_error *err)
{
  const uint64_t queued = s->queued;
  const ds_status status = ds_gpu_check(cudaStreamSynchronize(s->stream), what, err);
  if (!status) s->done = queued;
  return status;
}

/* ------------------------------------------------------------------------------------------ copies */

ds_status ds_queue_stage(ds_queue *s, ds_staging *b, size_t count, size_t size, const char *what,
                          ds_error *err)
{
  const ds_status status = b->ticket > s->done ? ds_queue_wait(s, what, err) : DS_OK;
  return status ? status : ds_reserve(&s->pinned, &b->buffer, count, size, what, err);
}

ds_status ds_queue_copy(ds_queue *s, void *to, const void *from, size_t bytes, const char *what,
                         ds_error *err)
{
  if (bytes == 0) return DS_OK;
  return ds_gpu_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s->stream), what, err);
}

ds_status ds_queue_send(ds_queue *s, void *to, ds_staging *from, size_t bytes, const char *what,
                         ds_error *err)
{
  from->ticket = ++s->queued;
  return ds_queue_copy(s, to, from->buffer.data, bytes, what, err);
}

static size_t size_of(ds_type type)
{
  return type == DS_F64 || type == DS_I64 ? 8 : 4;
}

/* Bytes from the first element of an array to behind its last. */
static size_t span_of(const ds_array *a, int n, int components)
{
  if (n == 0 || components == 0) return 0;
  return (size_t) ((n - 1) * a->atom_stride + (components - 1) * a->component_stride + 1) *
         size_of(a->type);
}

ds_status ds_queue_array_in(ds_queue *s, ds_mirror *m, const ds_array *a, int n, int components,
                             const char *what, ds_array *view, ds_error *err)
{
  *view = *a;
  if (!a->data || a->space == DS_SPACE_DEVICE) return DS_OK;
  const size_t bytes = span_of(a, n, components);
  ds_status status = ds_reserve(&s->memory, &m->device, bytes + 8, 1, what, err);
  view->data = m->device.data;
  view->space = DS_SPACE_DEVICE;
  if (!status && ds_queue_is_pinned(s, a, n, components))
    return ds_queue_copy(s, m->device.data, a->data, bytes, what, err);
  if (!status) status = ds_queue_stage(s, &m->host, bytes + 8, 1, what, err);
  if (status || bytes == 0) return status;
  memcpy(m->host.buffer.data, a->data, bytes);
  return ds_queue_send(s, m->device.data, &m->host, bytes, what, err);
}

ds_status ds_queue_array_out(ds_queue *s, const ds_array *view, const ds_array *a, int n,
                              int components, const char *what, ds_error *err)
{
  if (!a->data || a->space == DS_SPACE_DEVICE) return DS_OK;
  return ds_queue_copy(s, a->data, view->data, span_of(a, n, components), what, err);
}

int ds_queue_is_pinned(const ds_queue *s, const ds_array *a, int n, int components)
{
  const char *const begin = (const char *) a->data, *const end = begin + span_of(a, n, components);
  for (int k = 0; k < DS_MOST_PINNED; k++)
    if (s->pin[k].data && begin >= s->pin[k].data && end <= s->pin[k].data + s->pin[k].bytes)
      return 1;
  return 0;
}

void ds_queue_pin(ds_queue *s, void *data, size_t bytes)
{
  for (int k = 0; k < DS_MOST_PINNED; k++) {
    if (s->pin[k].data != (bytes ? NULL : (char *) data)) continue;
    if (!bytes) cudaStreamSynchronize(s->stream); /* copies may be under way */
    const cudaError_t code =
        bytes ? cudaHostRegister(data, bytes, cudaHostRegisterDefault) : cudaHostUnregister(data);
    cudaGetLastError();
    s->pin[k].data = bytes && code == cudaSuccess ? (char *) data : NULL;
    s->pin[k].bytes = bytes;
    return;
  }
}

/* ------------------------------------------------------------------------------------ side streams */

ds_status ds_side_open(ds_side *side, int first, ds_error *err)
{
  int low = 0, high = 0;
  cudaError_t code = cudaDeviceGetStreamPriorityRange(&low, &high);
  if (!code)
    code = cudaStreamCreateWithPriority(&side->stream, cudaStreamNonBlocking, first ? high : low);
  if (!code) code = cudaEventCreateWithFlags(&side->begin, cudaEventDisableTiming);
  if (!code) code = cudaEventCreateWithFlags(&side->end, cudaEventDisableTiming);
  return ds_gpu_check(code, "making a stream", err);
}

void ds_side_close(ds_side *side)
{
  if (side->stream) cudaStreamSynchronize(side->stream);
  if (side->begin) cudaEventDestroy(side->begin);
  if (side->end) cudaEventDestroy(side->end);
  if (side->stream) cudaStreamDestroy(side->stream);
  memset(side, 0, sizeof *side);
  cudaGetLastError();
}

ds_status ds_queue_fork(ds_queue *s, ds_side *side, ds_error *err)
{
  cudaError_t code = cudaEventRecord(side->begin, s->stream);
  if (!code) code = cudaStreamWaitEvent(side->stream, side->begin, 0);
  side->own = s->stream;
  s->stream = side->stream;
  return ds_gpu_check(code, "going to a stream beside", err);
}

ds_status ds_queue_leave(ds_queue *s, ds_side *side, ds_status so_far, ds_error *err)
{
  const cudaError_t code = cudaEventRecord(side->end, side->stream);
  s->stream = side->own;
  return so_far ? so_far : ds_gpu_check(code, "leaving a stream beside", err);
}

ds_status ds_queue_join(ds_queue *s, const ds_side *side, ds_error *err)
{
  return ds_gpu_check(cudaStreamWaitEvent(s->stream, side->end, 0), "waiting for a stream beside",
                      err);
}

/* ----------------------------------------------------------------------------------------- control */

ds_status ds_queue_look(ds_queue *s, const char *what, ds_error *err)
{
  const ds_status status =
      ds_queue_copy(s, s->control_host, s->control, sizeof *s->control, what, err);
  return status ? status : ds_queue_wait(s, what, err);
}

ds_status ds_queue_look_if_stopped(ds_queue *s, const char *what, ds_error *err)
{
  const ds_status status = ds_queue_wait(s, what, err);
  return status || !*(volatile int *) s->halt_flag_host ? status : ds_queue_look(s, what, err);
}

ds_status ds_queue_resume(ds_queue *s, ds_error *err)
{
  *s->halt_flag_host = 0;
  return ds_gpu_check(cudaMemsetAsync(s->control, 0, offsetof(ds_control, entries), s->stream),
                      "clearing a report", err);
}
