/* reference.h: what the engine must give, computed the plain way.   SPDX-License-Identifier:
   GPL-2.0-or-later

   Lists by brute force over all pairs; forces by a double loop over all pairs with libm, from eqs.
   3-9 of Tang & Karniadakis 2014, sharing no code with the engine but, where asked for, the
   noise. */
#ifndef DPDSOP_TEST_REFERENCE_H
#define DPDSOP_TEST_REFERENCE_H

#include "support/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- models */

/* A ds_dpd_model with room for its matrices. Not to be copied: m points into it. */
enum { TEST_TYPES = 100 };

typedef struct {
  ds_dpd_model m;
  double a[TEST_TYPES * TEST_TYPES], gamma[TEST_TYPES * TEST_TYPES];
  double cutoff[TEST_TYPES * TEST_TYPES], power[TEST_TYPES * TEST_TYPES];
} test_model;

/* All types alike; kT = 1, dt = 0.01, seed 12345, special factors 1. */
void model_open(test_model *t, int ntypes, double a, double gamma, double cutoff, double power,
                double skin);

/* One pair of types (1-based), both ways round. */
void model_pair(test_model *t, int i, int j, double a, double gamma, double cutoff, double power);

double model_range(const test_model *t); /* largest cutoff + skin */

/* --------------------------------------------------------------------------------------- lists */

/* Rows in the engine's order, one after the other: row r is of own atom atom[r] and its entries, in
   the caller's numbering with special codes, are entries[start[r]] .. entries[start[r+1] - 1],
   core[r] of them core. */
typedef struct {
  int rows;
  int *atom, *core, *start;
  uint32_t *entries;
} test_list;

/* Which pairs are in range is decided by the engine's own integer positions and distance
   (dpdsop/frame.h): the lists shall agree to the last pair. `wide`: positions of double
   precision. */
void list_by_brute_force(test_list *list, const test_system *s, const test_model *t, int wide);

/* How many entries of the list, or pairs that it lacks, are wrong by more than `tolerance` in the
   distance, when this is computed in double precision without integers. */
int list_geometry_faults(const test_list *list, const test_system *s, const test_model *t,
                         double tolerance);

/* A list as the engine has it. */
ds_status list_read(test_list *list, ds_dpd *dpd, ds_error *err);

/* First row that differs, or -1; *where is the entry in it, or -1 where the counts or atoms
   differ. */
int list_compare(const test_list *a, const test_list *b, int *where);

void list_free(test_list *list);

/* -------------------------------------------------------------------------------------- forces */

/* Where xi comes from: left out; the engine's own gaussian.h; or from the same two words by Box-
   Muller with libm. */
typedef enum { REF_NOISE_NONE, REF_NOISE_ENGINE, REF_NOISE_LIBM } ref_noise;

/* Per own atom, and totals. What errors are measured by, sums over the atom's pairs of:
   size   |F_C| + |F_D| + |F_R|, the drag with |v_i| + |v_j| in place of e.v
   slope  change of size for an error dw in w_C, by dw: how an error in the distance shows
   turn   size / r: how it shows in the direction
   eslope d energy / d w_C. */
typedef struct {
  int n;
  long pairs;    /* each counted from both sides */
  int *count;    /* pairs of the atom */
  double *f;     /* 3 */
  double *eatom; /* 1 */
  double *vatom; /* 6 */
  double *size, *slope, *turn, *eslope;
  double energy, virial[6];
  double energy_size, virial_size; /* sums of magnitudes over pairs */
} ref_forces;

/* dw: the largest error in w_C that slope shall be good for. */
void ref_compute(ref_forces *r, const test_system *s, const test_model *t, int64_t step,
                 ref_noise noise, double dw);
void ref_free(ref_forces *r);

/* Force of one pair, by components along r: F = (conservative + drag + random) e. w: w_C. */
typedef struct {
  double w, conservative, drag, random, energy;
} ref_pair;

ref_pair ref_pair_force(const ds_dpd_model *m, int itype, int jtype, double r, double ev, double xi,
                        double special);

#ifdef __cplusplus
}
#endif
#endif
