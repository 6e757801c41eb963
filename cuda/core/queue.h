/* The stream that an object works on: its device, its memory, its copies, the numbers of its kernels.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_STREAM_H
#define DPDSOP_GPU_STREAM_H

#include "control.h"
#include "dpdsop/array.h"
#include "gpu.h"
#include "timer.h"

enum { DS_MOST_PINNED = 16 };

typedef struct {
  int device;
  char name[256]; /* of the GPU */
  cudaStream_t stream;
  int own;                /* the stream is ours */
  ds_pool memory, pinned; /* device memory; page-locked host memory */
  uint64_t queued,
      done; /* tickets of copies out of page-locked buffers: the last given, the last known to be over */
  unsigned long long launches; /* kernels so far */
  ds_timer timer;
  ds_buffer control_buffer, control_copy, halt_flag_buffer;
  ds_control *control;      /* device */
  ds_control *control_host; /* what ds_queue_look brought */
  int *halt_flag_host;                /* not 0: look */
  struct {
    char *data;
    size_t bytes;
  } pin[DS_MOST_PINNED]; /* data NULL: free */
} ds_queue;

/* A page-locked buffer on its way to the device. */
typedef struct {
  ds_buffer buffer;
  uint64_t ticket; /* of the last copy out of it */
} ds_staging;

/* `given`: a cudaStream_t, or NULL for one of our own. */
ds_status ds_queue_open(ds_queue *s, int local_rank, void *given, ds_error *err);
void ds_queue_close(ds_queue *s);
ds_status ds_queue_use(const ds_queue *s, ds_error *err); /* makes its device the current one */
ds_status ds_queue_wait(ds_queue *s, const char *what, ds_error *err);

/* Room that no copy is reading any more; waits where one is. */
ds_status ds_queue_stage(ds_queue *s, ds_staging *b, size_t count, size_t size, const char *what,
                          ds_error *err);
ds_status ds_queue_send(ds_queue *s, void *to, ds_staging *from, size_t bytes, const char *what,
                         ds_error *err);

/* Copies; from and to host memory that is not page-locked they wait. bytes may be 0. */
ds_status ds_queue_copy(ds_queue *s, void *to, const void *from, size_t bytes, const char *what,
                         ds_error *err);

/* A copy of one of the caller's arrays on the device, and the page-locked memory that it goes through. */
typedef struct {
  ds_buffer device;
  ds_staging host;
} ds_mirror;

/* An array of n atoms as kernels can read it: itself where it lies in device memory, else a copy. */
ds_status ds_queue_array_in(ds_queue *s, ds_mirror *mirror, const ds_array *a, int n,
                             int components, const char *what, ds_array *view, ds_error *err);

/* Back to where the array came from, which is pinned. */
ds_status ds_queue_array_out(ds_queue *s, const ds_array *view, const ds_array *a, int n,
                              int components, const char *what, ds_error *err);

/* Host memory that its owner leaves where it is: copies read and write it without the processor. bytes 0: not any
   more. Memory that cannot be page-locked is copied the slow way. */
void ds_queue_pin(ds_queue *s, void *data, size_t bytes);
int ds_queue_is_pinned(const ds_queue *s, const ds_array *a, int n, int components);

/* The control block in control_host: waits. Or waits, and brings the block only where kernels have stopped. Then they
   may go on: what they reported is cleared, except for sums and the number of the list's entries. */
ds_status ds_queue_look(ds_queue *s, const char *what, ds_error *err);
ds_status ds_queue_look_if_stopped(ds_queue *s, const char *what, ds_error *err);
ds_status ds_queue_resume(ds_queue *s, ds_error *err);

/* A stream beside an object's own. Between ds_queue_fork and ds_queue_leave all is queued on it, to run after what the
   own stream had been given till then, and beside what that is given later. ds_queue_join: the own stream goes on when
   the side has done what it was given. No staged copies there: their tickets are the own stream's. */
typedef struct {
  cudaStream_t stream, own;
  cudaEvent_t begin, end;
} ds_side;

/* `first`: where kernels wait for room on the GPU, its own come before those of other streams. */
ds_status ds_side_open(ds_side *side, int first, ds_error *err);
void ds_side_close(ds_side *side); /* waits */
ds_status ds_queue_fork(ds_queue *s, ds_side *side, ds_error *err);
/* Always after ds_queue_fork. so_far: the status of ds_queue_fork and of all that was queued since; where that is an
   error it is returned. */
ds_status ds_queue_leave(ds_queue *s, ds_side *side, ds_status so_far, ds_error *err);
ds_status ds_queue_join(ds_queue *s, const ds_side *side, ds_error *err);

/* Number of the next kernel. */
static inline ds_launch_id ds_queue_launch_id(ds_queue *s, int64_t step)
{
  const ds_launch_id t = {s->control, s->halt_flag_host, ++s->launches, step};
  return t;
}

#endif
