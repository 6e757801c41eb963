/* fluid.h: a DPD fluid in a periodic cube, for the benchmarks.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_FLUID_H
#define DPDSOP_BENCH_FLUID_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int n, nghost, room, threads;
  double edge, range; /* ghosts are wanted this far outside */
  double *x, *v, *f;  /* 3 an own atom */
  int64_t *tag;       /* own atoms and ghosts */
  int32_t *type;
  int *owner, *image; /* by ghost */
} bench_fluid;

/* A jittered lattice of n atoms at density rho, normal velocities, kT = 1. Returns 0 without memory. */
int fluid_open(bench_fluid *fl, int n, double rho, double range, int threads, uint64_t seed);
void fluid_close(bench_fluid *fl);

/* Atoms back into the cube, and ghosts anew; 0 without memory. */
int fluid_ghosts(bench_fluid *fl);

/* The halves of a velocity-Verlet step, unit masses: velocities and positions; velocities. */
void fluid_first_half(bench_fluid *fl, double dt);
void fluid_second_half(bench_fluid *fl, double dt);

double fluid_temperature(const bench_fluid *fl);

ds_box fluid_box(const bench_fluid *fl, double skin);

/* Median of n times; sorts them. */
double bench_median(double *times, int n);
double bench_seconds(void);

#ifdef __cplusplus
}
#endif
#endif
