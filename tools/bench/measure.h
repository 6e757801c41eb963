/* measure.h: what all benchmarks need.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_MEASURE_H
#define DPDSOP_BENCH_MEASURE_H

#include "dpdsop/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Median of n times; sorts them. */
double bench_median(double *times, int n);
double bench_seconds(void);

/* Ends the program where s is an error, with its text after the program's name. */
void bench_require(const char *program, ds_status s, const ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
