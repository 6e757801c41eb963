/* reference.h: what the engine must give, computed the plain way.   SPDX-License-Identifier:
   GPL-2.0-or-later

   Lists by brute force over all pairs; forces by a double loop over all pairs with libm, from eqs.
   3-9 of Tang & Karniadakis 2014 and, across the line of centers, from Junghans, Praprotnik & Kremer,
   Soft Matter 4, 156 (2008), sharing no code with the engine but, where asked for, the noise. Pairs
   that are excluded are left out of both. */
#ifndef DPDSOP_TEST_REFERENCE_H
#define DPDSOP_TEST_REFERENCE_H

#include "support/model.h"
#include "support/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------- lists */

/* Rows in the engine's order, one after the other: row r is of own atom atom[r] and its entries, in
   the caller's numbering with special codes, are entries[start[r]] .. entries[start[r+1] - 1]. */
typedef struct {
  int rows;
  int *atom;
  int64_t *start;
  uint32_t *entries;
  char *sure; /* of brute force: 1 the entry must be there, 0 it may be. Otherwise NULL */
} test_list;

/* By the engine's own integer positions and distance (dpdsop/device/frame.h). Pairs that are outside the range by no more than
   the rounding of the builder's distances (dpdsop/device/list_distance.h) may be in a list. `wide`: positions of double
   precision. In the order in which so many GPUs have it. */
void list_by_brute_force(test_list *list, const test_system *s, const test_model *t, int wide, int gpus);

/* How many sure entries of a list by brute force, or pairs that it lacks, are wrong by more than `tolerance` in the
   distance, when this is computed in double precision without integers. */
int list_geometry_faults(const test_list *list, const test_system *s, const test_model *t,
                         double tolerance);

/* A list as the engine has it. */
ds_status list_read(test_list *list, ds_pair *pair, ds_error *err);

/* First row that differs from brute force, or -1; *where is the entry in it, or -1 where the atoms differ. */
int list_compare(const test_list *got, const test_list *expected, int *where);

/* How many entries that must be there by brute force are not, wherever they stand in their rows. */
int list_missing(const test_list *got, const test_list *expected);

/* Two lists of the same rows agree but for pairs whose distance is the range, to within a part of `tolerance` of
   it, about which rounding decides: how many others are in one of them alone. */
int list_disagreements(const test_list *a, const test_list *b, const test_system *s,
                       const test_model *t, double tolerance);

/* Two lists that were read are equal, entry by entry. */
int list_same(const test_list *a, const test_list *b);

void list_free(test_list *list);

/* -------------------------------------------------------------------------------------- forces */

/* Where xi and its vector across come from: left out; the engine's own gaussian.h; or from the same
   words by Box-Muller with libm. */
typedef enum { REF_NOISE_NONE, REF_NOISE_ENGINE, REF_NOISE_LIBM } ref_noise;

/* Per own atom, and totals. What errors are measured by, sums over the atom's pairs of:
   size   |F_C| + |F_D| + |F_R|, the drag with |v_i| + |v_j| in place of e.v; likewise across
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

ref_pair ref_pair_force(const test_model *t, int itype, int jtype, double r, double ev, double xi,
                        double special);

#ifdef __cplusplus
}
#endif
#endif
