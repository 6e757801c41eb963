/* Hydrodynamic interactions of the beads of a molecule: the mobility of Rotne and Prager (J. Chem. Phys. 50, 4831 (1969))
   and Yamakawa, for spheres of any radii, overlapping ones too (Zuk et al., J. Fluid Mech. 741, R5 (2014)), and the truncated
   expansion of Geyer and Winter (J. Chem. Phys. 130, 114905 (2009)). There is no other copy of these formulas.
   SPDX-License-Identifier: GPL-2.0-or-later

   Lengths are in units of the radius a of a bead whose friction coefficient is zeta; mobilities in units of 1 / zeta. So the
   mobility of a bead of radius R is 1 / R. A step is

     d_i = sum_j H_ij push_j + sum_j B_ij noise_j

   push and noise are what the bead's displacement would be without the others, if its radius were a. Sums over beads are
   sums of integers, so that their order does not matter; the one exception is the product with B = L, the Cholesky factor
   of H, in which each number is a chain of fused operations in a fixed order. */
#ifndef DS_FORMULAS
#ifndef DPDSOP_SOP_HYDRO_H
#define DPDSOP_SOP_HYDRO_H

#include "dpdsop/device/fastmath.h"
#include "dpdsop/device/sop_step.h"

#include <stddef.h>

#define DS_FORMULAS "dpdsop/device/sop_hydro.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

/* Beads of a molecule: so many fit into a matrix for which a core or a block of threads takes less than a second, and so many
   into the sums of the truncated expansion. */
enum { DS_SOP_EXACT_BEADS = 512, DS_SOP_TEA_BEADS = 1 << 16 };

/* ---------------------------------------------------------------------------------- sums over beads */

#define DS_SOP_SQUARE_SCALE 1073741824.0f /* 2^30 */
#define DS_SOP_ENTRY_SCALE 268435456.0f   /* 2^28: the nine entries of a pair add up to 3 at most */

/* What a pair adds to the sums of its first bead. */
typedef struct {
  int32_t drift[3];  /* H_ij push_j, units of positions */
  int32_t noise[3];  /* H_ij noise_j, likewise */
  int32_t square[3]; /* squares of the entries of a row, h^2 R_j */
  int32_t entries;   /* sum of all, h sqrt(R_i R_j) */
} ds_sop_hydro_pair;

/* A bead as a pair sees it. A bead that is fixed has neither push nor noise, and root 0. */
typedef struct {
  float radius, inverse; /* R, 1 / R */
  float root;            /* sqrt(R) */
  float push[3], noise[3];
} ds_sop_hydro_bead;

/* x, y, z: of bead i less that of bead j. tea 0: the drift alone, the rest is 0. `tea` should be a constant. */
DS_FUNC ds_sop_hydro_pair ds_sop_hydro_pair_of(const ds_sop_hydro_bead *i, const ds_sop_hydro_bead *j, float x, float y,
                                               float z, int tea)
{
  const ds_sop_mobilityf m = ds_sop_pair_mobilityf(ds_squaref(x, y, z), i->radius, i->inverse, j->radius, j->inverse);
  const float ax = m.along * x, ay = m.along * y, az = m.along * z;
  const float xx = fmaf(ax, x, m.across), yy = fmaf(ay, y, m.across), zz = fmaf(az, z, m.across);
  const float xy = ax * y, xz = ax * z, yz = ay * z;
  ds_sop_hydro_pair p;
  p.drift[0] = ds_round32(fmaf(xz, j->push[2], fmaf(xy, j->push[1], xx * j->push[0])));
  p.drift[1] = ds_round32(fmaf(yz, j->push[2], fmaf(yy, j->push[1], xy * j->push[0])));
  p.drift[2] = ds_round32(fmaf(zz, j->push[2], fmaf(yz, j->push[1], xz * j->push[0])));
  if (tea) {
    const float scale = j->root * j->root * DS_SOP_SQUARE_SCALE, cross = xy + xz + yz;
    p.noise[0] = ds_round32(fmaf(xz, j->noise[2], fmaf(xy, j->noise[1], xx * j->noise[0])));
    p.noise[1] = ds_round32(fmaf(yz, j->noise[2], fmaf(yy, j->noise[1], xy * j->noise[0])));
    p.noise[2] = ds_round32(fmaf(zz, j->noise[2], fmaf(yz, j->noise[1], xz * j->noise[0])));
    p.square[0] = ds_round32(ds_squaref(xx, xy, xz) * scale);
    p.square[1] = ds_round32(ds_squaref(xy, yy, yz) * scale);
    p.square[2] = ds_round32(ds_squaref(xz, yz, zz) * scale);
    p.entries = ds_round32(fmaf(2.0f, cross, xx + yy + zz) * (i->root * j->root * DS_SOP_ENTRY_SCALE));
  } else {
    for (int c = 0; c < 3; c++) p.noise[c] = p.square[c] = 0;
    p.entries = 0;
  }
  return p;
}

/* What a push, or noise, may be: the sums of a pair then have room. widest: the largest mobility of a bead, or 1. */
DS_FUNC float ds_sop_hydro_limit(float widest)
{
  return DS_SOP_MAX_MOVE / widest;
}

/* --------------------------------------------------------------------------------- truncated expansion */

/* beta' of eq. 19: entries, the sum of all that are not on the diagonal; moving: beads that are not fixed. Such a sum divided
   by the number of entries is at least -1 / (n - 1), as the matrix is positive, so that the root exists but for rounding. The
   solution is written without the difference that vanishes for small epsilon. */
DS_FUNC double ds_sop_tea_beta(int64_t entries, int64_t moving)
{
  const double n = 3.0 * (double) moving;
  if (moving < 2) return 0.5;
  const double epsilon = (double) entries / (double) DS_SOP_ENTRY_SCALE / (n * (n - 1.0));
  const double x = fma((n - 1.0) * epsilon, epsilon, -(n - 2.0) * epsilon);
  return 1.0 / (1.0 + sqrt(x < 1.0 ? 1.0 - x : 0.0));
}

/* Noise of one component: that of the bead itself, the sums over the others, and C_i, which makes the mean square right.
   own: sqrt(R) times what it would be for a bead of radius a. */
DS_FUNC double ds_sop_tea_noise(double beta, float own, float radius, float inverse, int64_t noise, int64_t square)
{
  const double squares = (double) square / (double) DS_SOP_SQUARE_SCALE * (double) radius;
  const double all = fma(beta, (double) noise, (double) own * (double) inverse);
  return all / sqrt(fma(beta * beta, squares, 1.0));
}

/* One component of a step. *fault becomes 1 where it is too far, or not a number. */
DS_FUNC int32_t ds_sop_hydro_move(float push, float inverse, int64_t drift, double noise, int *fault)
{
  const double d = ((double) push * (double) inverse + (double) drift) + noise;
  const int good = fabs(d) <= (double) DS_SOP_MAX_MOVE;
  *fault |= !good;
  return (int32_t) ds_round64(good ? d : 0.0);
}

/* ------------------------------------------------------------------------------------ Cholesky factor

   The lower triangle of a matrix of n rows stands column after column. For i >= j
     L_jj = sqrt(s_jj),  L_ij = s_ij (1 / L_jj),  s_ij = H_ij - L_i0 L_j0 - L_i1 L_j1 - ... - L_i,j-1 L_j,j-1
   with one fused operation per product, from left to right. */

DS_FUNC size_t ds_sop_triangle_column(int n, int j) /* entry i of column j is at this place + i */
{
  return (size_t) j * (size_t) n - (size_t) j * (size_t) (j + 1) / 2;
}

DS_FUNC size_t ds_sop_triangle_size(int n)
{
  return (size_t) n * (size_t) (n + 1) / 2;
}

/* What is left of a diagonal entry, as a part of it, is at least this: two beads at the smallest distance that positions can
   tell leave a thousand times more. */
#define DS_SOP_LEAST_PIVOT 0x1p-40

/* What a matrix needs of a bead; root 0: it is fixed, so that no other bead is coupled to it. */
typedef struct {
  int32_t x[3]; /* coordinates */
  float radius, inverse, root;
} ds_sop_matrix_bead;

/* The entries of two beads: xx, yy, zz, xy, xz, yz. unit: of coordinates. */
DS_FUNC void ds_sop_matrix_block(const ds_sop_matrix_bead *i, const ds_sop_matrix_bead *j, double unit, double h[6])
{
  const double x = (double) ds_diff32(i->x[0], j->x[0]) * unit, y = (double) ds_diff32(i->x[1], j->x[1]) * unit,
               z = (double) ds_diff32(i->x[2], j->x[2]) * unit;
  const ds_sop_mobility m = ds_sop_pair_mobility(fma(z, z, fma(y, y, x * x)), (double) i->radius, (double) i->inverse,
                                                 (double) j->radius, (double) j->inverse);
  const int coupled = i->root > 0.0f && j->root > 0.0f;
  const double across = coupled ? m.across : 0.0, along = coupled ? m.along : 0.0;
  h[0] = fma(along * x, x, across);
  h[1] = fma(along * y, y, across);
  h[2] = fma(along * z, z, across);
  h[3] = along * x * y;
  h[4] = along * x * z;
  h[5] = along * y * z;
}

#endif
#else

/* H_ij = across I + along d d^T, d the separation of the beads */
typedef struct {
  DS_REAL across, along;
} DS_R(ds_sop_mobility);

/* Of two beads of radii R_i and R_j, of which the inverses are given too; r2: their squared distance. Three cases: apart,
   overlapping, the smaller one inside of the larger. */
DS_FUNC DS_R(ds_sop_mobility)
    DS_R(ds_sop_pair_mobility)(DS_REAL r2, DS_REAL ri, DS_REAL inverse_ri, DS_REAL rj, DS_REAL inverse_rj)
{
  const DS_REAL sum = ri + rj, difference = ri - rj, m2 = difference * difference;
  const DS_REAL inverse = DS_R(ds_rsqrt)(r2), inverse2 = inverse * inverse, inverse3 = inverse2 * inverse;
  /* 3/(4 r) [(1 + (R_i^2 + R_j^2) / (3 r^2)) I + (1 - (R_i^2 + R_j^2) / r^2) d d^T / r^2] */
  const DS_REAL stokeslet = (DS_REAL) 0.75 * inverse, dipole = stokeslet * ((ri * ri + rj * rj) * inverse2);
  const DS_REAL across_apart = DS_R(fma)(dipole, (DS_REAL) 0.333333333333333333, stokeslet);
  const DS_REAL along_apart = (stokeslet - dipole) * inverse2;
  /* [16 r^3 (R_i + R_j) - ((R_i - R_j)^2 + 3 r^2)^2] / (32 r^3 R_i R_j) I
     + 3 ((R_i - R_j)^2 - r^2)^2 / (32 r^3 R_i R_j) d d^T / r^2 */
  const DS_REAL share = (DS_REAL) 0.03125 * (inverse_ri * inverse_rj);
  const DS_REAL wide = DS_R(fma)((DS_REAL) 3, r2, m2), narrow = (m2 - r2) * inverse2;
  const DS_REAL across_over = share * DS_R(fma)(-(wide * wide), inverse3, (DS_REAL) 16 * sum);
  const DS_REAL along_over = (DS_REAL) 3 * share * (narrow * narrow) * inverse;
  const DS_REAL smaller = inverse_ri < inverse_rj ? inverse_ri : inverse_rj;
  DS_R(ds_sop_mobility) h;
  h.across = r2 > sum * sum ? across_apart : r2 > m2 ? across_over : smaller;
  h.along = r2 > sum * sum ? along_apart : r2 > m2 ? along_over : (DS_REAL) 0;
  return h;
}

#endif
