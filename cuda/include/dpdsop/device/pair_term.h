/* What a pair evaluator is given and what it returns.   SPDX-License-Identifier: GPL-2.0-or-later

   An evaluator E is a header that each_arithmetic.h includes for both arithmetics, with
     DS_R(E_coeff)        the coefficients of a pair of types: a struct of reals, a multiple of 16 bytes and at most
                          DS_MAX_WORDS, first the squared cutoff and the inverse of the cutoff
     DS_R(E_term)         (coefficients, pair, signatures of i and j, special factor and its root, general, scales) ->
                          force on i and energy, times the scales of fixed_sum.h, before they are rounded
   and for the host
     E_set_coefficients   what a user sets (ds_pair_model) -> the struct in doubles, but for its first two numbers
     E_force_bound, E_energy_bound   what coefficients, kT and dt let one expect of a pair at most
   Where forces depend on densities, that is on sums over all neighbors of an atom which are made before forces are, also
     DS_R(E_density)      (coefficients, squared distance, scale) -> what j adds to the density of i, times the scale, before it
                          is rounded; DS_R(E_term) then takes the sum of both densities as a last argument
     E_density_bound      what that is at most
   cuda/styles/each_style.h lists the evaluators.

   Lengths are in units of the largest cutoff, so that no unit system leaves the range of floats; forces and energies are
   in the caller's units. `general` is a compile-time constant: 0 where every exponent is 1. Terms are made of sums,
   products and fma alone and are odd under exchange of i and j, to the bit. The sweeps of both backends take the
   evaluator as a parameter (cuda/sweep). */
#ifndef DS_FORMULAS
#ifndef DPDSOP_PAIR_TERM_H
#define DPDSOP_PAIR_TERM_H

#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/image_noise.h"
#include "dpdsop/device/image_velocity.h"
#include "dpdsop/pair.h"
#include "dpdsop/device/signature.h"

enum { DS_MAX_WORDS = 16 };

/* Pairs whose squared distance is not above this, in squared cutoffs, have no direction and exert no force. */
#define DS_CONTACT2 1.0e-20

/* Largest |xi| of Box-Muller on 32-bit words: sqrt(2 * 32 ln 2). */
#define DS_LARGEST_DEVIATE 6.66

/* sqrt(2 gamma kT / dt): what noise is multiplied by (Tang & Karniadakis 2014, eqs. 5 and 9). */
static inline double ds_noise_amplitude(const ds_pair_model *m, double gamma)
{
  return sqrt(2.0 * gamma * m->kT) / sqrt(m->dt);
}

/* Largest friction to be expected: of atoms that approach by a sixteenth of the cutoff in a step, which counts where
   the thermostat is cold. */
static inline double ds_friction_bound(const ds_pair_model *m, int k, double gamma)
{
  return gamma * m->cutoff[k] / (16.0 * m->dt);
}

#define DS_FORMULAS "dpdsop/device/pair_term.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

#endif
#else

/* Separation and relative velocity of a pair, i minus j; lengths in largest cutoffs. */
typedef struct {
  DS_REAL dx, dy, dz, vx, vy, vz, r2;
  DS_REAL charges; /* product of both charges; only for evaluators that read charges (each_style.h) */
} DS_R(ds_pair_geometry);

/* What a pair adds to atom i, times the scales of fixed_sum.h, before it is rounded. */
typedef struct {
  DS_REAL fx, fy, fz, energy;
} DS_R(ds_pair_term);

/* The relative velocity of i and of the image of j that it sees: dv has been the difference of velocities in the box.
   Rounding to nearest is odd, so i and j get the same numbers with opposite signs. */
DS_FUNC void DS_R(ds_pair_move_image)(const ds_frame *f, const int edges[3], DS_R(ds_pair_geometry) * p)
{
  const DS_REAL x = (DS_REAL) edges[0], y = (DS_REAL) edges[1], z = (DS_REAL) edges[2];
  const double *const rate = f->image_rate;
  p->vx -= DS_R(fma)((DS_REAL) rate[4], z, DS_R(fma)((DS_REAL) rate[5], y, (DS_REAL) rate[0] * x));
  p->vy -= DS_R(fma)((DS_REAL) rate[3], z, (DS_REAL) rate[1] * y);
  p->vz -= (DS_REAL) rate[2] * z;
}

/* Along each axis: edges of the box between i and j, and the number of the image of j that i sees. Returns 0 where all are
   0: as most pairs see each other in the same box. */
DS_FUNC int DS_R(ds_pair_find_image)(const ds_frame *f, const DS_WORD xi[3], const DS_WORD xj[3], int edges[3], int number[3])
{
  int any = 0;
  for (int d = 0; d < 3; d++) {
    edges[d] = DS_W(ds_edges_between)(f, d, xi[d], xj[d]);
    number[d] = DS_W(ds_image_number)(f, d, DS_W(ds_diff)(xi[d], xj[d]));
    any |= edges[d] | number[d];
  }
  return any;
}

/* Makes the pair of i and j that of i and the image of j, which has a velocity and noise of its own where images differ
   (ds_images_differ). signature: those of i and j. */
DS_FUNC void DS_R(ds_pair_use_image)(const ds_frame *f, const int edges[3], const int number[3], DS_R(ds_pair_geometry) * p,
                                     uint32_t signature[2])
{
  DS_R(ds_pair_move_image)(f, edges, p);
  const uint32_t image = ds_image_word(number, signature[0], signature[1]);
  signature[0] ^= image;
  signature[1] ^= image;
}

/* r_ij . v_ij */
DS_FUNC DS_REAL DS_R(ds_pair_dot)(const DS_R(ds_pair_geometry) * p)
{
  return DS_R(fma)(p->dz, p->vz, DS_R(fma)(p->dy, p->vy, p->dx * p->vx));
}

/* w = 1 - r/rc (Tang & Karniadakis 2014, eq. 8 with s = 1). Rounding may leave it at or below zero just inside the
   cutoff; the floor keeps a power of it defined and is far below the resolution of a force. */
DS_FUNC DS_REAL DS_R(ds_pair_weight)(DS_REAL r, DS_REAL inverse_cut)
{
  const DS_REAL w = DS_R(fma)(-r, inverse_cut, (DS_REAL) 1);
  return w > (DS_REAL) DS_TINY ? w : (DS_REAL) DS_TINY;
}

/* w^s; s = 1 is chosen by value, so that it gives the same bits whichever variant of a kernel is compiled. */
DS_FUNC DS_REAL DS_R(ds_pair_weight_power)(DS_REAL w, DS_REAL power, int general)
{
  if (!general) return w;
  const DS_REAL p = DS_R(ds_pow)(w, power);
  return power == (DS_REAL) 1 ? w : p;
}

/* Virial xx yy zz xy xz yz of a pair, from its scaled force; even under exchange of i and j. */
DS_FUNC void DS_R(ds_pair_virial)(const DS_R(ds_pair_geometry) * p, const DS_R(ds_pair_term) * t, DS_REAL v[6])
{
  v[0] = p->dx * t->fx;
  v[1] = p->dy * t->fy;
  v[2] = p->dz * t->fz;
  v[3] = p->dx * t->fy;
  v[4] = p->dx * t->fz;
  v[5] = p->dy * t->fz;
}

#endif
