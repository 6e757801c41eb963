/* fluid.h: a DPD fluid in a periodic cube, for the benchmarks.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_FLUID_H
#define DPDSOP_BENCH_FLUID_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One process has all atoms: no ghosts where the cube is wider than two ranges of the list. */
typedef struct {
  int n, threads;
  double edge;
  double *x, *v, *f; /* 3 an atom */
  int64_t *tag;
  int32_t *type;
} bench_fluid;

/* A jittered lattice of n atoms at density rho, normal velocities, kT = 1. Returns 0 without memory. */
int fluid_open(bench_fluid *fl, int n, double rho, int threads, uint64_t seed);
void fluid_close(bench_fluid *fl);

/* The halves of a velocity-Verlet step, unit masses: velocities and positions, and forces to zero, as the engine adds
   to them; velocities. wrap: atoms back into the cube. */
void fluid_first_half(bench_fluid *fl, double dt, int wrap);
void fluid_second_half(bench_fluid *fl, double dt);

double fluid_temperature(const bench_fluid *fl);

ds_box fluid_box(const bench_fluid *fl, double skin);

#ifdef __cplusplus
}
#endif
#endif
