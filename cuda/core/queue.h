/* What an object's work goes through: memory for it, copies, numbers of its stages, what they report, their times. On the
   CUDA backend a stream, where stages are kernels and nothing waits; on the host each stage is over when it returns.
   SPDX-License-Identifier: GPL-2.0-or-later

   The drivers of pairs and of resident atoms are written once, over this. A stage is given a number (ds_launch_id), and
   does nothing where one before it has stopped the others (control.h). */
#ifndef DPDSOP_CORE_QUEUE_H
#define DPDSOP_CORE_QUEUE_H

#include "buffer.h"
#include "control.h"
#include "dpdsop/array.h"
#include "marked_words.h"

DS_C_BEGIN

enum { DS_MAX_PINNED = 16, DS_MAX_MARKS = 64 };

/* Up to this size, stages on the GPU read and write staging buffers where they lie: where several processes share a GPU each
   copy waits for those of the others. This makes 16 processes of 250 atoms each twice as fast. */
enum { DS_IN_PLACE_BYTES = 1 << 18 };

/* Stages of a step, whose time can be measured. */
typedef enum {
  DS_STAGE_COPY_IN = 0,
  DS_STAGE_MESSAGES,
  DS_STAGE_PLACE,
  DS_STAGE_SORT,
  DS_STAGE_GATHER,
  DS_STAGE_BUILD_LIST,
  DS_STAGE_FINISH_LIST,
  DS_STAGE_OWN_LISTS,
  DS_STAGE_FORCES,
  DS_STAGE_COPY_OUT,
  DS_STAGE_BONDS,
  DS_STAGE_MESH,
  DS_STAGE_MOTION,
  DS_STAGE_WRAP,
  DS_STAGES
} ds_stage;

extern const char *const ds_stage_names[DS_STAGES];

typedef struct ds_queue ds_queue;

/* What ds_queue_read_control_with brings, brought by a stage when its last block is over, or when it begins where others have
   stopped it. That is one launch less than a stage of its own. Passed to kernels by value. */
typedef struct {
  uint64_t *to; /* marked words in the host's memory: of the control block, then those asked for */
  const uint64_t *from;
  uint32_t words; /* of 64 bits, from there */
  uint32_t mark;  /* 0: nothing is brought */
} ds_report;

enum {
  DS_CONTROL_WORDS = sizeof(ds_control) / sizeof(uint32_t), /* of a report */
  DS_REPORT_BYTES = 1 << 14,                                /* asked for with the control block, at most */
  DS_REPORT_WORDS = DS_CONTROL_WORDS + DS_REPORT_BYTES / sizeof(uint32_t)
};

/* The last report that was asked for, and how far it has been taken to where it belongs. */
typedef struct {
  ds_buffer buffer;
  uint64_t *marked;
  uint32_t mark;
  void *to;
  size_t words, taken; /* of 32 bits: asked for; taken, with those of the control block */
} ds_awaited_report;

/* What differs between host and CUDA; use, mark, pin and collect_times: NULL where there is nothing to do. open_report, for the
   next stage, and wait_for_report: NULL on the host, which need not wait. */
typedef struct {
  const char *name;
  ds_space space; /* of the memory that stages work in */
  ds_status (*use)(const ds_queue *q, ds_error *err);
  ds_status (*wait)(ds_queue *q, const char *what, ds_error *err);
  ds_status (*copy)(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err);
  ds_status (*report)(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err); /* waits */
  ds_report (*open_report)(ds_queue *q, void *to, const void *from, size_t bytes);
  ds_status (*wait_for_report)(ds_queue *q, const char *what, ds_error *err);
  ds_status (*clear)(ds_queue *q, void *data, size_t bytes, const char *what, ds_error *err);
  ds_status (*mark)(ds_queue *q, int ahead, ds_error *err);
  void (*pin)(ds_queue *q, void *data, size_t bytes);
  void (*time)(ds_queue *q, ds_stage stage, int is_over);
  void (*collect_times)(ds_queue *q);
  void (*close)(ds_queue *q);
} ds_queue_kind;

/* Time of stages. CUDA: of the last step, by events, which are made when they are needed first. Host: all that was spent since
   the timer has been switched on. A stage whose events fail is not timed: no run ends for want of times. */
typedef struct {
  int on, paused;
  double ms[DS_STAGES]; /* 0 where the stage did not run */
  double since[DS_STAGES];
  struct CUevent_st *begin[DS_STAGES], *end[DS_STAGES];
  int used[DS_STAGES];
} ds_timer;

struct ds_queue {
  const ds_queue_kind *kind;
  int device;
  char name[256];             /* of the GPU, or of the host's instruction set */
  int multiprocessors;        /* of all its GPUs */
  int overlaps;               /* 1: a stage is brought up while the one before it is at work (launch.cuh) */
  int waits_for_more;         /* 1: but not the next one, before which there are those of another stream, too (ds_side) */
  int beside;                 /* 1: kernels of the queue's stream and of a side stream are to be at work on the same
                                 multiprocessors. All ask for the same division of their memory into cache and shared memory:
                                 a multiprocessor must be idle to change it, so that others would wait. CUDA 12.8 or later */
  struct CUstream_st *stream; /* ds_queue_stream; NULL on the host */
  int own_stream;             /* 1: made by the queue, which destroys it; 0: given by the caller */
  ds_gpus gpus;               /* that share stages; of the host: one */
  ds_spread_memory spread;    /* the memory, where they are several */
  ds_pool memory;             /* that stages work in */
  ds_pool pinned;             /* host memory that copies go through: page-locked on the CUDA backend */
  uint64_t queued, done;      /* tickets of copies out of staging buffers: the last given, the last known to be over */
  ds_error failed;            /* for want of memory, or of CUDA: nothing is done any more. Else code DS_OK */
  ds_error unread;            /* takes texts where the caller has given no place for them */
  unsigned long long launches, launches_done; /* stages so far; those known to be over */
  int may_hold;               /* 1: a stage may wait for the host, who has gone on when it begins */
  int is_held;                /* 1: a stage waits for what the host has still to write, and all behind it waits, too */
  uint64_t resumes;           /* how often the host has let stages go on after a stop: what was stopped has not been made */
  ds_timer timer;
  ds_buffer control_buffer, control_copy, halt_buffer, begun_buffer;
  ds_control *control;                   /* that stages write */
  ds_control *control_host;              /* what ds_queue_read_control brought */
  ds_halt *halt_host;                    /* what is known of a stop without asking */
  ds_awaited_report awaited;
  uint64_t *begun_host;                  /* number of the last stage that has begun on the GPU */
  uint64_t mark[DS_MAX_MARKS];           /* numbers of the last stages of steps, used cyclically */
  unsigned long long marks;
  struct {
    char *data;
    size_t bytes;
  } pin[DS_MAX_PINNED]; /* data NULL: free */
};

/* A host buffer on its way to where stages work. */
typedef struct {
  ds_buffer buffer;
  uint64_t ticket; /* of the last copy out of it */
  int in_place;    /* stages read it where it lies */
} ds_staging;

/* What a queue on GPUs is opened with. */
typedef struct {
  int local_rank;
  void *stream;  /* cudaStream_t, or NULL for one of our own */
  int gpus;      /* that share its stages; 0: one */
  int least;     /* threads per GPU from which on a stage is shared; 0: what pays */
} ds_queue_options;

ds_status ds_queue_open_cuda(ds_queue *q, const ds_queue_options *options, ds_error *err);
ds_status ds_queue_open_host(ds_queue *q, const char *name, ds_error *err);
void ds_queue_close(ds_queue *q); /* waits */

/* What both open with: places for reports, in memory of the kind that the pools have been given. */
ds_status ds_queue_reserve_control(ds_queue *q, ds_error *err);

/* First and last in each call on an object. After errors of memory or CUDA, which may leave anything half made, the object only
   returns that error. From the first on there is a place for a text, and the queue's device is the current one. */
ds_status ds_queue_enter(ds_queue *q, ds_error **err);
ds_status ds_queue_leave(ds_queue *q, ds_status status, ds_error *err);

/* A pointer that must not be NULL, to `what`. */
ds_status ds_check_pointer(const void *pointer, const char *what, ds_error *err);

/* For work that is not shared by several GPUs: behind all that has been queued. */
static inline struct CUstream_st *ds_queue_stream(ds_queue *q)
{
  q->gpus.has_met = 0;
  return q->stream;
}

static inline int ds_queue_is_host(const ds_queue *q)
{
  return q->kind->space == DS_SPACE_HOST;
}

/* The first in builds with CUDA, the second in others. */
#ifdef DS_HAVE_CUDA
#define DS_WITH_CUDA(with, without) (with)
#else
#define DS_WITH_CUDA(with, without) (without)
#endif

/* The host's or the GPU's one of two stages, or tables of stages. */
#define DS_CHOOSE_STAGE(queue, host, cuda) DS_WITH_CUDA(ds_queue_is_host(queue) ? (host) : (cuda), host)

/* Makes the queue's device the current one. */
static inline ds_status ds_queue_use(const ds_queue *q, ds_error *err)
{
  return q->kind->use ? q->kind->use(q, err) : DS_OK;
}

static inline ds_status ds_queue_wait(ds_queue *q, const char *what, ds_error *err)
{
  return q->kind->wait(q, what, err);
}

/* Memory that stages work in. */
static inline ds_status ds_queue_reserve(ds_queue *q, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err)
{
  return ds_reserve(&q->memory, b, count, size, what, err);
}

/* Likewise, in a pool, cleared where the memory is new: for what is copied or sorted whole, whether stages have written it or
   not. */
ds_status ds_queue_reserve_cleared(ds_queue *q, ds_pool *pool, ds_buffer *b, size_t count, size_t size, const char *what,
                                   ds_error *err);

/* Copies; on the CUDA backend those from and to host memory that is not page-locked wait. bytes may be 0. */
static inline ds_status ds_queue_copy(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  return bytes ? q->kind->copy(q, to, from, bytes, what, err) : DS_OK;
}

static inline ds_status ds_queue_clear(ds_queue *q, void *data, size_t bytes, const char *what, ds_error *err)
{
  return bytes ? q->kind->clear(q, data, bytes, what, err) : DS_OK;
}

/* In two parts: host room that no copy is reading any more (waits where one is), and the copy out of it. */
ds_status ds_queue_stage(ds_queue *q, ds_staging *b, size_t count, size_t size, const char *what, ds_error *err);
ds_status ds_queue_send(ds_queue *q, void *to, ds_staging *from, size_t bytes, const char *what, ds_error *err);

/* A copy of one of the caller's arrays where stages work, and the host memory that it goes through. */
typedef struct {
  ds_buffer device;
  ds_staging host;
} ds_mirror;

/* Room for `count` elements where stages work, and a copy of the caller's of it. The caller may change his at once. */
ds_status ds_queue_upload(ds_queue *q, ds_mirror *to, const void *from, size_t count, size_t size, const char *what,
                          ds_error *err);

/* One element of an array that stages read, as a number or, where that is NULL, as an integer. Waits. */
ds_status ds_queue_get(ds_queue *q, const ds_array *from, int atom, int component, double *number, int64_t *integer,
                       ds_error *err);

/* Whether stages read a staging buffer of that size where it lies. */
int ds_queue_reads_in_place(const ds_queue *q, size_t bytes);

/* An array of n atoms as stages can read it: itself where it lies in their memory, else a copy. is_kept: stages read it in many
   steps, and so never where it lies in host memory, which the GPU would read again and again. */
ds_status ds_queue_array_in(ds_queue *q, ds_mirror *mirror, const ds_array *a, int n, int components, int is_kept,
                            const char *what, ds_array *view, ds_error *err);

/* The same, always a copy: the caller may change the array at once. */
ds_status ds_queue_array_copy(ds_queue *q, ds_mirror *mirror, const ds_array *a, int n, int components, const char *what,
                              ds_array *view, ds_error *err);

/* Back to where the array came from, which is pinned. */
ds_status ds_queue_array_out(ds_queue *q, const ds_array *view, const ds_array *a, int n, int components, const char *what,
                             ds_error *err);

/* Host memory that its owner leaves where it is: copies read and write it without the processor. bytes 0: not any
   more. Memory that cannot be page-locked is copied the slow way. */
void ds_queue_pin(ds_queue *q, void *data, size_t bytes);
int ds_queue_is_pinned(const ds_queue *q, const ds_array *a, int n, int components);

/* The end of a step is marked. Waits until at most `ahead` < DS_MAX_MARKS steps of those marked are unfinished. */
static inline ds_status ds_queue_mark(ds_queue *q, int ahead, ds_error *err)
{
  return q->kind->mark ? q->kind->mark(q, ahead, err) : DS_OK;
}

/* The control block in control_host: waits. With it a few whole words of 8 bytes, DS_REPORT_BYTES at most. Or waits, and brings
   the block only where stages have stopped. Then they may go on: what they reported is cleared, except for sums and the number
   of the list's entries. */
ds_status ds_queue_read_control(ds_queue *q, const char *what, ds_error *err);
ds_status ds_queue_read_control_with(ds_queue *q, void *to, const void *from, size_t bytes, const char *what, ds_error *err);
ds_status ds_queue_resume(ds_queue *q, ds_error *err);

/* Some stage has stopped the others, as far as is known without waiting. */
static inline int ds_queue_stopped(const ds_queue *q)
{
  return __atomic_load_n(&q->halt_host->stopped, __ATOMIC_ACQUIRE);
}

/* Switched on, the times of stages are taken, which costs a few microseconds per step on the CUDA backend; not while it
   is paused. Times are in timer.ms after ds_queue_collect_times, which wants all that was queued to be over. */
void ds_queue_time(ds_queue *q, int on);

static inline void ds_queue_begin(ds_queue *q, ds_stage stage)
{
  if (q->timer.on && !q->timer.paused) q->kind->time(q, stage, 0);
}

static inline void ds_queue_end(ds_queue *q, ds_stage stage)
{
  if (q->timer.on && !q->timer.paused) q->kind->time(q, stage, 1);
}

static inline void ds_queue_collect_times(ds_queue *q)
{
  if (q->timer.on && q->kind->collect_times) q->kind->collect_times(q);
}

/* Of the blocks of a stage, so many in all, those of a GPU. */
static inline ds_share ds_share_of(const ds_queue *q, uint32_t first_block, uint32_t blocks, int gpu)
{
  const ds_board *const board = q->gpus.board[gpu];
  const ds_share share = {first_block, blocks, gpu, q->gpus.n, gpu ? &board->halt : &q->control->halt, board};
  return share;
}

/* Number of the next stage. */
static inline ds_launch_id ds_queue_launch_id(ds_queue *q, int64_t step)
{
  const ds_launch_id t = {q->control, q->halt_host, q->begun_host, ++q->launches, step, ds_share_of(q, 0, 0, 0)};
  return t;
}

/* A stream beside a queue's own, on the CUDA backend. Between ds_side_fork and ds_side_leave all is queued on it, to run after
   what the queue's stream had been given until then, and beside what that is given later. ds_side_join: the queue's stream
   goes on when the side stream has done what it was given. No staged copies there: their tickets are those of the queue's
   stream. */
typedef struct {
  struct CUstream_st *stream, *queue_stream;
  struct CUevent_st *begin, *end;
  int holds_queue;
} ds_side;

/* `first`: where kernels wait for room on the GPU, those of this stream begin before those of other streams. */
ds_status ds_side_open(ds_side *side, int first, ds_error *err);
void ds_side_close(ds_side *side); /* waits */
ds_status ds_side_fork(ds_queue *q, ds_side *side, ds_error *err);
/* Between fork and leave: what the queue's stream is given after ds_side_leave waits for what the side stream has so far; the
   side stream goes on beside it. */
ds_status ds_side_hold_queue(ds_side *side, ds_error *err);
/* Always after ds_side_fork. so_far: the status of ds_side_fork and of all that was queued since; where that is an error it
   is returned. */
ds_status ds_side_leave(ds_queue *q, ds_side *side, ds_status so_far, ds_error *err);
ds_status ds_side_join(ds_queue *q, const ds_side *side, ds_error *err);

DS_C_END
#endif
