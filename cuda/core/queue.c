/* What queues of both kinds have in common, and that of the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "queue.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

const char *const ds_stage_names[DS_STAGES] = {"copy in",     "messages",  "places", "sort",     "gather", "build list",
                                               "finish list", "own lists", "forces", "copy out", "bonds",  "mesh",
                                               "motion",      "wrap"};

ds_status ds_queue_reserve_control(ds_queue *q, ds_error *err)
{
  ds_status s = ds_reserve(&q->memory, &q->control_buffer, 1, sizeof(ds_control), "reports", err);
  if (!s) s = ds_reserve(&q->pinned, &q->control_copy, 1, sizeof(ds_control), "reports", err);
  if (!s) s = ds_reserve(&q->pinned, &q->halt_buffer, 1, sizeof(ds_halt), "reports", err);
  if (!s) s = ds_reserve(&q->pinned, &q->begun_buffer, 1, sizeof(uint64_t), "reports", err);
  if (!s) s = ds_reserve(&q->pinned, &q->awaited.buffer, DS_REPORT_WORDS, sizeof(uint64_t), "reports", err);
  if (s) return s;
  q->begun_host = DS_DATA(uint64_t, q->begun_buffer);
  *q->begun_host = 0;
  q->awaited.marked = DS_DATA(uint64_t, q->awaited.buffer);
  memset(q->awaited.marked, 0, DS_REPORT_WORDS * sizeof(uint64_t));
  q->halt_host = DS_DATA(ds_halt, q->halt_buffer);
  memset(q->halt_host, 0, sizeof *q->halt_host);
  q->control = DS_DATA(ds_control, q->control_buffer);
  q->control_host = DS_DATA(ds_control, q->control_copy);
  memset(q->control_host, 0, sizeof *q->control_host);
  return ds_queue_clear(q, q->control, sizeof *q->control, "clearing a report", err);
}

void ds_queue_close(ds_queue *q)
{
  if (q->kind) q->kind->close(q);
}

ds_status ds_queue_enter(ds_queue *q, ds_error **err)
{
  if (!*err) *err = &q->unread;
  if (q->failed.code) **err = q->failed;
  return q->failed.code ? q->failed.code : ds_queue_use(q, *err);
}

ds_status ds_queue_leave(ds_queue *q, ds_status status, ds_error *err)
{
  ds_queue_stream(q); /* the caller may queue work of his own on the stream */
  if (!status) return ds_succeed(err);
  if (status != DS_ERR_MEMORY && status != DS_ERR_CUDA) return status;
  q->failed = *err;
  q->failed.code = status;
  return status;
}

ds_status ds_check_pointer(const void *pointer, const char *what, ds_error *err)
{
  return pointer ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no %s (NULL)", what);
}

ds_status ds_queue_reserve_cleared(ds_queue *q, ds_pool *pool, ds_buffer *b, size_t count, size_t size, const char *what,
                                   ds_error *err)
{
  const ds_buffer before = *b;
  const ds_status s = ds_reserve(pool, b, count, size, what, err);
  if (s || (b->data == before.data && b->bytes == before.bytes)) return s;
  return ds_queue_clear(q, b->data, b->bytes, what, err);
}

/* ------------------------------------------------------------------------------------------ copies */

ds_status ds_queue_stage(ds_queue *q, ds_staging *b, size_t count, size_t size, const char *what, ds_error *err)
{
  const int is_read = b->ticket > q->done || (b->in_place && q->launches > q->launches_done);
  const ds_status s = is_read ? ds_queue_wait(q, what, err) : DS_OK;
  return s ? s : ds_reserve(&q->pinned, &b->buffer, count, size, what, err);
}

ds_status ds_queue_send(ds_queue *q, void *to, ds_staging *from, size_t bytes, const char *what, ds_error *err)
{
  from->ticket = ++q->queued;
  return ds_queue_copy(q, to, from->buffer.data, bytes, what, err);
}

ds_status ds_queue_upload(ds_queue *q, ds_mirror *to, const void *from, size_t count, size_t size, const char *what,
                          ds_error *err)
{
  const size_t bytes = count * size;
  ds_status s = ds_queue_reserve(q, &to->device, count + 1, size, what, err);
  if (s || bytes == 0) return s;
  if (ds_queue_is_host(q)) return ds_queue_copy(q, to->device.data, from, bytes, what, err);
  s = ds_queue_stage(q, &to->host, count, size, what, err);
  if (s) return s;
  memcpy(to->host.buffer.data, from, bytes);
  return ds_queue_send(q, to->device.data, &to->host, bytes, what, err);
}

/* Bytes from the first element of an array to behind its last. */
static size_t span_of(const ds_array *a, int n, int components)
{
  if (n == 0 || components == 0) return 0;
  return (size_t) ((n - 1) * a->atom_stride + (components - 1) * a->component_stride + 1) * (size_t) ds_type_bytes(a->type);
}

ds_status ds_queue_array_copy(ds_queue *q, ds_mirror *m, const ds_array *a, int n, int components, const char *what,
                              ds_array *view, ds_error *err)
{
  const size_t bytes = span_of(a, n, components);
  *view = *a;
  if (!a->data) return DS_OK;
  const ds_status s = ds_queue_reserve(q, &m->device, bytes + 8, 1, what, err);
  if (s) return s;
  view->data = m->device.data;
  view->space = q->kind->space;
  if (a->space == DS_SPACE_DEVICE || ds_queue_is_pinned(q, a, n, components))
    return ds_queue_copy(q, m->device.data, a->data, bytes, what, err);
  return ds_queue_upload(q, m, a->data, bytes, 1, what, err);
}

ds_status ds_queue_array_in(ds_queue *q, ds_mirror *m, const ds_array *a, int n, int components, int is_kept, const char *what,
                            ds_array *view, ds_error *err)
{
  *view = *a;
  if (!a->data || a->space == q->kind->space) return DS_OK;
  const size_t bytes = span_of(a, n, components);
  m->host.in_place = !is_kept && !ds_queue_is_pinned(q, a, n, components) && ds_queue_reads_in_place(q, bytes);
  if (!m->host.in_place) return ds_queue_array_copy(q, m, a, n, components, what, view, err);
  const ds_status s = ds_queue_stage(q, &m->host, bytes + 8, 1, what, err);
  view->space = DS_SPACE_DEVICE;
  view->data = m->host.buffer.data;
  if (!s && bytes) memcpy(view->data, a->data, bytes);
  return s;
}

int ds_queue_reads_in_place(const ds_queue *q, size_t bytes)
{
  return !ds_queue_is_host(q) && bytes > 0 && bytes <= DS_IN_PLACE_BYTES; /* without bytes there is no copy to wait for */
}

ds_status ds_queue_array_out(ds_queue *q, const ds_array *view, const ds_array *a, int n, int components, const char *what,
                             ds_error *err)
{
  if (view->data == a->data) return DS_OK;
  return ds_queue_copy(q, a->data, view->data, span_of(a, n, components), what, err);
}

ds_status ds_queue_get(ds_queue *q, const ds_array *from, int atom, int component, double *number, int64_t *integer,
                       ds_error *err)
{
  char word[8];
  const size_t size = (size_t) ds_type_bytes(from->type);
  const ptrdiff_t at = (ptrdiff_t) atom * from->atom_stride + component * from->component_stride;
  const ds_array one = {word, from->type, DS_SPACE_HOST, 1, 1};
  const void *const element = (const char *) from->data + at * (ptrdiff_t) size;
  ds_status s = ds_queue_copy(q, word, element, size, "copying what is wrong", err);
  if (!s) s = ds_queue_wait(q, "copying what is wrong", err);
  if (s) return s;
  if (number)
    *number = ds_array_get(&one, 0, 0);
  else
    *integer = ds_array_int(&one, 0, 0);
  return DS_OK;
}

int ds_queue_is_pinned(const ds_queue *q, const ds_array *a, int n, int components)
{
  const char *const begin = (const char *) a->data, *const end = begin + span_of(a, n, components);
  for (int k = 0; k < DS_MAX_PINNED; k++)
    if (q->pin[k].data && begin >= q->pin[k].data && end <= q->pin[k].data + q->pin[k].bytes) return 1;
  return 0;
}

void ds_queue_pin(ds_queue *q, void *data, size_t bytes)
{
  if (q->kind->pin) q->kind->pin(q, data, bytes);
}

/* ----------------------------------------------------------------------------------------- control */

ds_status ds_queue_read_control_with(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  return q->kind->report(q, to, from, bytes, what, err);
}

ds_status ds_queue_read_control(ds_queue *q, const char *what, ds_error *err)
{
  return ds_queue_read_control_with(q, NULL, NULL, 0, what, err);
}

ds_status ds_queue_resume(ds_queue *q, ds_error *err)
{
  ds_status s = ds_queue_clear(q, q->control, offsetof(ds_control, entries), "clearing a report", err);
  if (!s && q->gpus.n > 1) s = DS_WITH_CUDA(ds_gpus_resume(&q->gpus, err), DS_OK);
  q->resumes++;
  memset(q->halt_host, 0, sizeof *q->halt_host);
  return s;
}

void ds_queue_time(ds_queue *q, int on)
{
  memset(q->timer.ms, 0, sizeof q->timer.ms);
  memset(q->timer.used, 0, sizeof q->timer.used);
  q->timer.paused = 0;
  q->timer.on = on;
}

/* -------------------------------------------------------------------------------------------- host */

static ds_status host_wait(ds_queue *q, const char *what, ds_error *err)
{
  (void) what, (void) err;
  q->done = q->queued;
  q->launches_done = q->launches;
  return DS_OK;
}

static ds_status host_copy(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  (void) q, (void) what, (void) err;
  memcpy(to, from, bytes);
  return DS_OK;
}

static ds_status host_report(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  *q->control_host = *q->control;
  if (bytes) memcpy(to, from, bytes);
  return host_wait(q, what, err);
}

static ds_status host_clear(ds_queue *q, void *data, size_t bytes, const char *what, ds_error *err)
{
  (void) q, (void) what, (void) err;
  memset(data, 0, bytes);
  return DS_OK;
}

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double) t.tv_sec + 1e-6 * (double) t.tv_nsec;
}

static void host_time(ds_queue *q, ds_stage stage, int is_over)
{
  const double now = now_ms();
  if (is_over) q->timer.ms[stage] += now - q->timer.since[stage];
  q->timer.since[stage] = now;
}

static void host_close(ds_queue *q)
{
  ds_pool_close(&q->memory);
  ds_pool_close(&q->pinned);
}

static const ds_queue_kind host_kind = {
    .name = "host",
    .space = DS_SPACE_HOST,
    .wait = host_wait,
    .copy = host_copy,
    .report = host_report,
    .clear = host_clear,
    .time = host_time,
    .close = host_close,
};

ds_status ds_queue_open_host(ds_queue *q, const char *name, ds_error *err)
{
  memset(q, 0, sizeof *q);
  q->kind = &host_kind;
  strncpy(q->name, name, sizeof q->name - 1);
  q->memory.memory = q->pinned.memory = &ds_host_memory;
  q->gpus.n = 1;
  return ds_queue_reserve_control(q, err);
}
