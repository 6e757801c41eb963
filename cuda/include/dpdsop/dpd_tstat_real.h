/* The pair of the DPD thermostat for one arithmetic (dpd_tstat_evaluator.h). No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL gamma; /* friction, force/velocity */
  DS_REAL sigma; /* sqrt(2 gamma kB T / dt), force */
  DS_REAL power; /* exponent s */
  DS_REAL unused[3];
} DS_R(ds_dpd_tstat_coeff);

DS_FUNC DS_R(ds_dpd_tstat_coeff) DS_R(ds_dpd_tstat_read)(const DS_REAL *table, int32_t k)
{
  DS_R(ds_dpd_tstat_coeff) c;
  c.cut2 = table[k];
  c.inverse_cut = table[k + 1];
  c.gamma = table[k + 2];
  c.sigma = table[k + 3];
  c.power = table[k + 4];
  return c;
}

DS_FUNC DS_R(ds_pair_term)
    DS_R(ds_dpd_tstat_term)(const DS_R(ds_dpd_tstat_coeff) * c, const DS_R(ds_pair_geometry) * p,
                            uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                            DS_REAL special_root, int general, DS_REAL force_scale,
                            DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  const DS_REAL noise = DS_R(ds_noise)(signature_i, signature_j);
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2);
  const DS_REAL w = DS_R(ds_pair_weight)(p->r2 * rinv, c->inverse_cut);
  const DS_REAL wr = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL drag = c->gamma * (wr * wr) * (DS_R(ds_pair_dot)(p) * rinv);
  const DS_REAL random = c->sigma * wr * noise;
  const DS_REAL f = force_scale * (DS_R(ds_fma)(special, -drag, special_root * random) * rinv);
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = (DS_REAL) 0 * energy_scale;
  return t;
}
