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

/* Prints the usage where a word is --help or -h: 1 then, else 0. */
int bench_help(int argc, char **argv, const char *usage);

/* The exit status of a program that is done: 2, with a line, where its table could not be written. */
int bench_end_output(const char *program);

#ifdef __cplusplus
}
#endif
#endif
