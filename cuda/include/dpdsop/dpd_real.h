/* The DPD pair for one arithmetic (dpd_evaluator.h; there is no other copy of these formulas). No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */

typedef struct {
  DS_REAL cut2;        /* cutoff^2 */
  DS_REAL inverse_cut; /* 1/cutoff */
  DS_REAL a;           /* conservative amplitude, force */
  DS_REAL gamma;       /* friction, force/velocity */
  DS_REAL sigma;       /* sqrt(2 gamma kB T / dt), force: eq. 9 and the dt^-1/2 of eq. 5 */
  DS_REAL power;       /* exponent s of eq. 8 */
  DS_REAL energy;      /* a cutoff / 2, energy: conservative energy at contact */
  DS_REAL unused;
} DS_R(ds_dpd_coeff);

DS_FUNC DS_R(ds_dpd_coeff) DS_R(ds_dpd_read)(const DS_REAL *table, int32_t k)
{
  DS_R(ds_dpd_coeff) c;
  c.cut2 = table[k];
  c.inverse_cut = table[k + 1];
  c.a = table[k + 2];
  c.gamma = table[k + 3];
  c.sigma = table[k + 4];
  c.power = table[k + 5];
  c.energy = table[k + 6];
  c.unused = 0;
  return c;
}

/* F_ij . e_ij / r of eqs. 3-5 with w_D = w_R^2 (eq. 7): multiply by the separation for the force on
   i. r2 is the squared distance, dot = r_ij . v_ij, both symmetric in i and j, and so is the
   result. special scales F_C and F_D, its root F_R (fluctuation-dissipation, eq. 9). */
DS_FUNC DS_REAL DS_R(ds_dpd_force)(const DS_R(ds_dpd_coeff) * c, DS_REAL r2, DS_REAL dot,
                                   DS_REAL noise, DS_REAL special, DS_REAL special_root,
                                   int general, DS_REAL *weight)
{
  const DS_REAL rinv = DS_R(ds_rsqrt)(r2);
  const DS_REAL w = DS_R(ds_pair_weight)(r2 * rinv, c->inverse_cut);
  const DS_REAL wr = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL drag = c->gamma * (wr * wr) * (dot * rinv);
  const DS_REAL steady = DS_R(ds_fma)(c->a, w, -drag);
  const DS_REAL random = c->sigma * wr * noise;
  *weight = w;
  return DS_R(ds_fma)(special, steady, special_root * random) * rinv;
}

DS_FUNC DS_R(ds_pair_term)
    DS_R(ds_dpd_term)(const DS_R(ds_dpd_coeff) * c, const DS_R(ds_pair_geometry) * p,
                      uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                      DS_REAL special_root, int general, DS_REAL force_scale, DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  DS_REAL w;
  const DS_REAL noise = DS_R(ds_noise)(signature_i, signature_j);
  const DS_REAL f = force_scale * DS_R(ds_dpd_force)(c, p->r2, DS_R(ds_pair_dot)(p), noise, special,
                                                     special_root, general, &w);
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = special * (c->energy * (w * w)) * energy_scale;
  return t;
}
