/* device.h: what the benchmarks need of CUDA, and nothing where it is not compiled in.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_DEVICE_H
#define DPDSOP_BENCH_DEVICE_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_STAGES = 16 };

/* Device copies of a few arrays. */
enum { BENCH_ARRAYS = 5 };

typedef struct {
  void *data[BENCH_ARRAYS];
} bench_device;

/* Make `array` name a device copy of what it names. Returns 0 where there is no device or no room. */
int bench_device_put(bench_device *d, int which, ds_array *array, size_t bytes);
int bench_device_get(void *to, const ds_array *array, size_t bytes);
void bench_device_close(bench_device *d);

/* Wait for all that the engine's stream has queued; 0 where the device failed. */
int bench_device_wait(const ds_pair *pair);

/* Bytes read and written a second by a plain copy of 1 GiB on the device; 0 without one. */
double bench_device_bandwidth(void);

/* Stages of the CUDA backend, or none (cuda/pair/stages.h). */
int bench_stages(const ds_pair *pair);
const char *bench_stage_name(const ds_pair *pair, int stage);
ds_status bench_stage_timing(ds_pair *pair, int on, ds_error *err);
void bench_stage_times(const ds_pair *pair, float ms[BENCH_STAGES]);

/* The halves of a velocity-Verlet step as in fluid.h, queued on the engine's stream; they do nothing once the engine
   has stopped. x, v, f: device memory, 3 doubles an atom. Return 0 where they could not be queued (move_cuda.cu). */
typedef struct {
  void *stream;           /* cudaStream_t */
  const uint64_t *halted; /* ds_pair_halted */
  int n;
  double *x, *v, *f;
  double edge, dt;
} bench_motion;

int bench_move_first(const bench_motion *m, int wrap);
int bench_move_second(const bench_motion *m);

#ifdef __cplusplus
}
#endif
#endif
