/* device.h: what the benchmarks need of CUDA, and nothing where it is not compiled in.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_DEVICE_H
#define DPDSOP_BENCH_DEVICE_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_STAGES = 32 };

/* Device copies of a few arrays, kept from step to step. */
enum { BENCH_ARRAYS = 5 };

typedef struct {
  void *data[BENCH_ARRAYS];
  size_t bytes[BENCH_ARRAYS];
} bench_device;

/* Make `array` name a device copy of what it names; 0 bytes: the copy of the last time is still good. Returns 0
   where there is no device or no room. */
int bench_device_put(bench_device *d, int which, ds_array *array, size_t bytes);
int bench_device_get(void *to, const ds_array *array, size_t bytes);
void bench_device_close(bench_device *d);

/* Bytes read and written a second by a plain copy of 1 GiB on the device; 0 without one. */
double bench_device_bandwidth(void);

/* Stages of the CUDA backend, or none; see cuda/dpd/dpd_cuda.h. */
int bench_stages(const ds_dpd *dpd);
const char *bench_stage_name(int stage);
ds_status bench_stage_timing(ds_dpd *dpd, ds_error *err);
void bench_stage_times(const ds_dpd *dpd, float ms[BENCH_STAGES]);

#ifdef __cplusplus
}
#endif
#endif
