/* Queues of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.cuh"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Between a stage that waits for the host and the host's word there are no calls of CUDA: another thread's, which waits for the
   GPU, may hold CUDA's locks. The device has been the current one since that stage was queued. */
static ds_status cuda_use(const ds_queue *q, ds_error *err)
{
  if (q->is_held) return DS_OK;
  return ds_gpu_check(cudaSetDevice(q->device), "choosing the GPU", err);
}

/* Between two looks into the memory: a thread that shares its core with this one works meanwhile. */
static void rest(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/* What is queued behind a stage that waits for the host would never come. */
static ds_status check_hold(const ds_queue *q, const char *what, ds_error *err)
{
  if (!q->is_held) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s: allowed in the answer to a question of a step is what need not wait", what);
}

/* Whether what was queued is over, or has failed on some GPU. */
static cudaError_t query(ds_queue *q)
{
  const cudaError_t code = (cudaError_t) ds_gpus_failed(&q->gpus);
  return code ? code : cudaStreamQuery(q->stream);
}

static ds_status cuda_wait(ds_queue *q, const char *what, ds_error *err)
{
  const uint64_t queued = q->queued;
  if (check_hold(q, what, err)) return DS_ERR_ARGUMENT;
  /* where another GPU has failed, the first one waits for it until all meetings are given up */
  cudaError_t code = q->gpus.n > 1 ? query(q) : cudaSuccess;
  for (; code == cudaErrorNotReady; code = query(q)) rest();
  const ds_status s = ds_gpu_check(code ? code : cudaStreamSynchronize(ds_queue_stream(q)), what, err);
  if (s) return s;
  q->done = queued;
  q->launches_done = q->launches;
  return s;
}

static ds_status cuda_copy(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  if (check_hold(q, what, err)) return DS_ERR_ARGUMENT; /* memory that is not page-locked is waited for */
  return ds_gpu_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, ds_queue_stream(q)), what, err);
}

__global__ void report_kernel(const __grid_constant__ ds_report report, const ds_control *control)
{
  ds_make_report(report, control);
}

/* Takes what has come since; whether all of the report has. */
static int has_report(ds_queue *q)
{
  ds_awaited_report *const r = &q->awaited;
  const size_t of_control = DS_CONTROL_WORDS;
  if (r->taken < of_control) r->taken = ds_take_marked(r->marked, r->taken, of_control, r->mark, q->control_host);
  if (r->taken < of_control) return 0;
  r->taken = of_control + ds_take_marked(r->marked + of_control, r->taken - of_control, r->words, r->mark, r->to);
  return r->taken == of_control + r->words;
}

/* The host looks into its own memory until the report is there: microseconds before the driver says that the stream is empty.
   The driver is asked now and then, as a kernel that has failed makes no report. */
static ds_status cuda_wait_for_report(ds_queue *q, const char *what, ds_error *err)
{
  enum { LOOKS = 1 << 12 };
  for (unsigned looks = 1; !has_report(q); looks++) {
    rest();
    if (looks % LOOKS) continue;
    const cudaError_t code = query(q);
    if (code == cudaErrorNotReady || has_report(q)) continue;
    return code == cudaSuccess ? cuda_wait(q, what, err) : ds_gpu_check(code, what, err);
  }
  q->done = q->queued;
  q->launches_done = q->launches;
  return DS_OK;
}

static ds_report cuda_open_report(ds_queue *q, void *to, const void *from, size_t bytes)
{
  ds_awaited_report *const r = &q->awaited;
  r->mark = ds_next_mark(r->mark, r->marked, DS_REPORT_WORDS);
  r->to = to;
  r->words = bytes / sizeof(uint32_t);
  r->taken = 0;
  return {r->marked, (const uint64_t *) from, (uint32_t) (bytes / sizeof(uint64_t)), r->mark};
}

static ds_status cuda_report(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  if (check_hold(q, what, err)) return DS_ERR_ARGUMENT;
  if (bytes > DS_REPORT_BYTES)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: a report of %zu bytes; allowed: %d at most", what, bytes, (int) DS_REPORT_BYTES);
  const ds_report report = cuda_open_report(q, to, from, bytes);
  const ds_status s = DS_LAUNCH(err, what, report_kernel, 1, 128, ds_queue_stream(q), report, q->control);
  return s ? s : cuda_wait_for_report(q, what, err);
}

static ds_status cuda_clear(ds_queue *q, void *data, size_t bytes, const char *what, ds_error *err)
{
  return ds_gpu_check(cudaMemsetAsync(data, 0, bytes, ds_queue_stream(q)), what, err);
}

/* A stage that has begun says that all before it are over. Where nothing is queued behind a mark, the stream is asked. */
static ds_status cuda_mark(ds_queue *q, int ahead, ds_error *err)
{
  enum { LOOKS = 1 << 11 };
  const uint64_t marks = q->marks++;
  q->mark[marks % DS_MAX_MARKS] = q->launches;
  if (marks < (uint64_t) ahead) return DS_OK;
  const uint64_t awaited = q->mark[(marks - (uint64_t) ahead) % DS_MAX_MARKS];
  for (unsigned looks = 1; __atomic_load_n(q->begun_host, __ATOMIC_ACQUIRE) <= awaited; looks++) {
    rest();
    if (looks % LOOKS) continue;
    const cudaError_t code = query(q);
    if (code != cudaErrorNotReady) return ds_gpu_check(code, "waiting for a step", err);
  }
  return DS_OK;
}

static void cuda_pin(ds_queue *q, void *data, size_t bytes)
{
  ds_error ignored;
  if (cuda_use(q, &ignored)) return;
  for (int k = 0; k < DS_MAX_PINNED; k++) {
    if (q->pin[k].data != (bytes ? NULL : (char *) data)) continue;
    if (!bytes) cudaStreamSynchronize(ds_queue_stream(q)); /* copies may be under way */
    const int done =
        ds_gpu_succeeded(bytes ? cudaHostRegister(data, bytes, cudaHostRegisterDefault) : cudaHostUnregister(data));
    q->pin[k].data = bytes && done ? (char *) data : NULL;
    q->pin[k].bytes = bytes;
    return;
  }
}

/* An event is made when it is needed first. */
static cudaError_t record(cudaEvent_t *event, unsigned flags, cudaStream_t stream)
{
  const cudaError_t code = *event ? cudaSuccess : cudaEventCreateWithFlags(event, flags);
  return code ? code : cudaEventRecord(*event, stream);
}

static void cuda_time(ds_queue *q, ds_stage stage, int is_over)
{
  cudaEvent_t *const event = is_over ? &q->timer.end[stage] : &q->timer.begin[stage];
  const int is_timed = ds_gpu_succeeded(record(event, cudaEventDefault, ds_queue_stream(q)));
  q->timer.used[stage] = is_timed && (!is_over || q->timer.used[stage]);
}

static void cuda_collect_times(ds_queue *q)
{
  ds_timer *const t = &q->timer;
  for (int k = 0; k < DS_STAGES; k++) {
    float ms = 0.0f;
    const int is_known = t->used[k] && ds_gpu_succeeded(cudaEventElapsedTime(&ms, t->begin[k], t->end[k]));
    t->ms[k] = is_known ? ms : 0.0;
    t->used[k] = 0;
  }
}

static void cuda_close(ds_queue *q)
{
  cudaSetDevice(q->device);
  if (q->stream) cudaStreamSynchronize(q->stream);
  for (int k = 0; k < DS_MAX_PINNED; k++)
    if (q->pin[k].data) cudaHostUnregister(q->pin[k].data);
  for (int k = 0; k < DS_STAGES; k++) {
    if (q->timer.begin[k]) cudaEventDestroy(q->timer.begin[k]);
    if (q->timer.end[k]) cudaEventDestroy(q->timer.end[k]);
  }
  ds_pool_close(&q->memory);
  ds_pool_close(&q->pinned);
  ds_gpus_close(&q->gpus);
  if (q->own_stream) cudaStreamDestroy(q->stream);
  cudaGetLastError();
}

static const ds_queue_kind cuda_kind = {
    "cuda",     DS_SPACE_DEVICE, cuda_use,         cuda_wait,            cuda_copy, cuda_report,
    cuda_open_report,            cuda_wait_for_report,                   cuda_clear, cuda_mark,
    cuda_pin,   cuda_time,       cuda_collect_times, cuda_close,
};

/* Whether the GPU can, and code is compiled for such GPUs: all kernels are for the same. */
static int can_overlap(const cudaDeviceProp *p)
{
  enum { MAJOR = 9, VERSION = 90 };
  cudaFuncAttributes code;
  return p->major >= MAJOR && ds_gpu_succeeded(cudaFuncGetAttributes(&code, report_kernel)) && code.ptxVersion >= VERSION;
}

static __device__ uint64_t now_ns()
{
  uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/* Answers the host's word with one of its own, unless it has waited in vain. */
__global__ void answer_kernel(const volatile uint64_t *of_host, volatile uint64_t *answer)
{
  enum { LIMIT_NS = 20000000 };
  const uint64_t begin = now_ns();
  while (*of_host == 0 && now_ns() - begin < LIMIT_NS) {}
  if (*of_host) *answer = 1;
}

/* Where a launch returns only when its kernel is over, as under a profiler or with CUDA_LAUNCH_BLOCKING, a kernel must not wait
   for what the host does next, nor for those that it launches next on other GPUs. The words are free yet. */
static ds_status find_may_hold(ds_queue *q, ds_error *err)
{
  uint64_t *const word = q->awaited.marked;
  ds_status s = DS_LAUNCH(err, "answer kernel", answer_kernel, 1, 1, ds_queue_stream(q), word, q->begun_host);
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  if (!s) s = cuda_wait(q, "a kernel that waits for the host", err);
  q->gpus.launches_block = !s && *q->begun_host != 1;
  q->may_hold = !s && !q->gpus.launches_block && q->gpus.n == 1;
  *word = *q->begun_host = 0;
  return s;
}

/* Where several GPUs share stages, memory is spread over them. */
static ds_status open_gpus(ds_queue *q, int n, int least, ds_error *err)
{
  enum { LEAST = 16384 };
  const ds_status s = ds_gpus_open(&q->gpus, n, (size_t) (least ? least : LEAST), least > 0, q->device, q->stream, err);
  ds_spread_memory_open(&q->spread, &q->gpus);
  if (n > 1) q->memory.memory = &q->spread.memory;
  return s;
}

ds_status ds_queue_open_cuda(ds_queue *q, const ds_queue_options *options, ds_error *err)
{
  memset(q, 0, sizeof *q);
  q->kind = &cuda_kind;
  q->memory.memory = &ds_device_memory;
  q->pinned.memory = &ds_pinned_memory;
  const int gpus = options->gpus ? options->gpus : 1;
  ds_status s = ds_gpu_use(options->local_rank * gpus, options->stream, &q->device, &q->stream, &q->own_stream, err);
  if (!s) s = open_gpus(q, gpus, options->least, err);
  cudaDeviceProp properties;
  if (!s) s = ds_gpu_check(cudaGetDeviceProperties(&properties, q->device), "asking for the GPU's name", err);
  if (!s && gpus > 1) snprintf(q->name, sizeof q->name, "%d x %.200s", gpus, properties.name);
  if (!s && gpus == 1) memcpy(q->name, properties.name, sizeof q->name - 1);
  if (!s) q->multiprocessors = properties.multiProcessorCount * q->gpus.n;
  if (!s) q->gpus.overlaps = q->own_stream && !q->gpus.in_turn && can_overlap(&properties);
  if (!s) q->overlaps = q->gpus.overlaps && q->gpus.n == 1;
  if (!s) s = ds_queue_reserve_control(q, err);
  return s ? s : find_may_hold(q, err);
}

/* ------------------------------------------------------------------------------------ side streams */

ds_status ds_side_open(ds_side *side, int first, ds_error *err)
{
  int low = 0, high = 0;
  cudaError_t code = cudaDeviceGetStreamPriorityRange(&low, &high);
  if (!code) code = cudaStreamCreateWithPriority(&side->stream, cudaStreamNonBlocking, first ? high : low);
  if (!code) code = cudaEventCreateWithFlags(&side->begin, cudaEventDisableTiming);
  if (!code) code = cudaEventCreateWithFlags(&side->end, cudaEventDisableTiming);
  return ds_gpu_check(code, "making a side stream", err);
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

ds_status ds_side_fork(ds_queue *q, ds_side *side, ds_error *err)
{
  cudaError_t code = cudaEventRecord(side->begin, q->stream);
  if (!code) code = cudaStreamWaitEvent(side->stream, side->begin, 0);
  side->queue_stream = q->stream;
  q->stream = side->stream;
  q->waits_for_more = 1;
  return ds_gpu_check(code, "entering a side stream", err);
}

ds_status ds_side_hold_queue(ds_side *side, ds_error *err)
{
  cudaError_t code = cudaEventRecord(side->end, side->stream);
  if (!code) code = cudaStreamWaitEvent(side->queue_stream, side->end, 0);
  side->holds_queue = 1;
  return ds_gpu_check(code, "waiting for a side stream", err);
}

ds_status ds_side_leave(ds_queue *q, ds_side *side, ds_status so_far, ds_error *err)
{
  const cudaError_t code = cudaEventRecord(side->end, side->stream);
  q->stream = side->queue_stream;
  if (side->holds_queue) q->waits_for_more = 1;
  side->holds_queue = 0;
  return so_far ? so_far : ds_gpu_check(code, "leaving a side stream", err);
}

ds_status ds_side_join(ds_queue *q, const ds_side *side, ds_error *err)
{
  q->waits_for_more = 1;
  return ds_gpu_check(cudaStreamWaitEvent(q->stream, side->end, 0), "waiting for a side stream", err);
}
