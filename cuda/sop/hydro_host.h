/* Host backend: steps with hydrodynamic interactions. Molecules stand one after the other, so that the place of a bead is its
   number.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_HYDRO_HOST_H
#define DPDSOP_SOP_HYDRO_HOST_H

#include "host.h"
#include "hydro.h"

/* ---- kernels, of which there is one for each instruction set: hydro_simd.c */

/* n beads of one molecule, at most DS_SOP_BATCH. */
typedef struct {
  ds_sop_motion_units units;
  const uint32_t *words[4]; /* random */
  const int32_t *force[3];
  const float *other[3];
  const int32_t *moves;
  const float *weight; /* of the noise */
  float limit;
  float *push[3], *noise[3];
} ds_sop_hydro_start;

/* Returns 1 where a push or noise is beyond the limit. */
typedef int ds_sop_hydro_start_function(const ds_sop_hydro_start *s, int n);

/* Displacements by noise alone, as they are without the others. */
typedef void ds_sop_hydro_noise_function(const ds_sop_hydro_start *s, int n, int32_t *const noise[3]);

/* One molecule; pointers are to its first bead. */
typedef struct {
  int32_t beads;
  int tea;
  float unit;
  const float *radius, *inverse, *root;
  const int32_t *x[3];
  const float *push[3], *noise[3];
  int64_t *sum[10]; /* drift, noise, square, entries: ds_sop_hydro_pair */
} ds_sop_hydro_molecule;

/* Sums over all others, of beads first to last - 1. */
typedef void ds_sop_hydro_sums_function(const ds_sop_hydro_molecule *m, int32_t first, int32_t last);

/* The matrix of a molecule, and its factor in the same place; returns the first row whose pivot is too small, -1: none. */
typedef int ds_sop_hydro_factor_function(const ds_sop_hydro_molecule *m, double *triangle);

/* The product of the factor with three numbers per bead, bead after bead. */
typedef void ds_sop_hydro_product_function(int n, const double *triangle, const double *from, double *to);

DS_SOP_DECLARE(ds_sop_hydro_start_function, ds_sop_hydro_begin);
DS_SOP_DECLARE(ds_sop_hydro_noise_function, ds_sop_hydro_own_noise);
DS_SOP_DECLARE(ds_sop_hydro_sums_function, ds_sop_hydro_sums);
DS_SOP_DECLARE(ds_sop_hydro_factor_function, ds_sop_hydro_factor);
DS_SOP_DECLARE(ds_sop_hydro_product_function, ds_sop_hydro_product);

/* ---- parts of a step: hydro_host.c. Places are those of molecules. */

ds_status ds_sop_host_hydro_reserve(const ds_sop *sop, ds_sop_host *h, ds_error *err);

/* Room for the matrices of all threads, before steps. */
ds_status ds_sop_host_hydro_prepare(const ds_sop *sop, ds_sop_host *h, ds_error *err);

/* Push and noise of places first to last - 1, when forces are known. Returns the lowest bead of which one is too large; -1:
   none. */
int64_t ds_sop_host_hydro_begin(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, size_t first, size_t last);

/* Sums over the other beads of the same molecule. */
void ds_sop_host_hydro_sums(const ds_sop *sop, ds_sop_host *h, size_t first, size_t last);

/* Noise by the Cholesky factor of a molecule's matrix. Returns the bead at which the matrix is not positive; -1: it is. Nothing
   to do for the truncated expansion. */
int64_t ds_sop_host_hydro_factor(const ds_sop *sop, ds_sop_host *h, int32_t molecule);

/* Moves places first to last - 1. Returns the lowest bead that would move too far; -1: none. */
int64_t ds_sop_host_hydro_move(const ds_sop *sop, ds_sop_host *h, size_t first, size_t last);

/* All of this for one molecule. *pivot becomes 1 where the bead is one at which its matrix is not positive. */
int64_t ds_sop_host_hydro_step(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int32_t molecule, int *pivot);

#endif
