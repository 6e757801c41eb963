/* The DPD pair for one arithmetic; included by dpd_pair.h once for each, with DS_REAL the type and
   DS_R(name) the suffixed name (there is no other copy of these formulas). No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef DS_SHARED_TYPES
/* One type pair. Lengths are in units of the largest cutoff, so that no unit system under- or
   overflows single precision; forces and energies are in the caller's units. */
typedef struct {
  DS_REAL a;           /* conservative amplitude, force */
  DS_REAL gamma;       /* friction, force/velocity */
  DS_REAL sigma;       /* sqrt(2 gamma kB T / dt), force: eq. 9 and the dt^-1/2 of eq. 5 */
  DS_REAL inverse_cut; /* 1/cutoff */
  DS_REAL cut2;        /* cutoff^2 */
  DS_REAL power;       /* exponent s of eq. 8 */
  DS_REAL energy;      /* a cutoff / 2, energy: conservative energy at contact */
  DS_REAL unused;      /* a gather-friendly 8 words */
} DS_R(ds_dpd_coeff);

/* Separation and relative velocity of a pair, i minus j; lengths in largest cutoffs. */
typedef struct {
  DS_REAL dx, dy, dz, vx, vy, vz, r2;
} DS_R(ds_dpd_pair);

/* What a pair adds to atom i, times the scales of fixed_sum.h, before it is rounded. */
typedef struct {
  DS_REAL fx, fy, fz, energy;
} DS_R(ds_dpd_term);
#endif

/* w_C = 1 - r/rc (eq. 8, s = 1). Rounding may leave it at or below zero just inside the cutoff; the
   floor keeps the power defined and is far below the resolution of a force. */
DS_FUNC DS_REAL DS_R(ds_dpd_weight)(DS_REAL r, DS_REAL inverse_cut)
{
  const DS_REAL w = DS_FMA(-r, inverse_cut, (DS_REAL) 1);
  return w > (DS_REAL) DS_WEIGHT_FLOOR ? w : (DS_REAL) DS_WEIGHT_FLOOR;
}

/* w_R = w_C^s (eq. 8); s = 1 is chosen by value, so that it gives the same bits whichever variant
   of a kernel is compiled. `general` is a compile-time constant: 0 where every exponent is 1. */
DS_FUNC DS_REAL DS_R(ds_dpd_noise_weight)(DS_REAL w, DS_REAL power, int general)
{
  if (!general) return w;
  const DS_REAL p = DS_POW(w, power);
  return power == (DS_REAL) 1 ? w : p;
}

/* F_ij . e_ij / r of eqs. 3-5 with w_D = w_R^2 (eq. 7): multiply by the separation for the force on
   i. r2 is the squared distance, dot = r_ij . v_ij, both symmetric in i and j, and so is the
   result. special scales F_C and F_D, its root F_R (fluctuation-dissipation, eq. 9). */
DS_FUNC DS_REAL DS_R(ds_dpd_force)(const DS_R(ds_dpd_coeff) * c, DS_REAL r2, DS_REAL dot,
                                   DS_REAL noise, DS_REAL special, DS_REAL special_root,
                                   int general, DS_REAL *weight)
{
  const DS_REAL rinv = DS_RSQRT(r2);
  const DS_REAL w = DS_R(ds_dpd_weight)(r2 * rinv, c->inverse_cut);
  const DS_REAL wr = DS_R(ds_dpd_noise_weight)(w, c->power, general);
  const DS_REAL drag = c->gamma * (wr * wr) * (dot * rinv);
  const DS_REAL steady = DS_FMA(c->a, w, -drag);
  const DS_REAL random = c->sigma * wr * noise;
  *weight = w;
  return DS_FMA(special, steady, special_root * random) * rinv;
}

DS_FUNC DS_R(ds_dpd_term)
    DS_R(ds_dpd_term_of)(const DS_R(ds_dpd_coeff) * c, const DS_R(ds_dpd_pair) * p, DS_REAL noise,
                         DS_REAL special, DS_REAL special_root, int general, DS_REAL force_scale,
                         DS_REAL energy_scale)
{
  DS_R(ds_dpd_term) t;
  DS_REAL w;
  const DS_REAL dot = DS_FMA(p->dz, p->vz, DS_FMA(p->dy, p->vy, p->dx * p->vx));
  const DS_REAL f =
      force_scale * DS_R(ds_dpd_force)(c, p->r2, dot, noise, special, special_root, general, &w);
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = special * (c->energy * (w * w)) * energy_scale;
  return t;
}

/* Virial xx yy zz xy xz yz of a pair, from its scaled force; even under exchange of i and j. */
DS_FUNC void DS_R(ds_dpd_virial)(const DS_R(ds_dpd_pair) * p, const DS_R(ds_dpd_term) * t,
                                 DS_REAL v[6])
{
  v[0] = p->dx * t->fx;
  v[1] = p->dy * t->fy;
  v[2] = p->dz * t->fz;
  v[3] = p->dx * t->fy;
  v[4] = p->dx * t->fz;
  v[5] = p->dy * t->fz;
}
