/* The pair of DPD with a transverse thermostat for one arithmetic (dpd_ext_evaluator.h). No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL a;                   /* conservative amplitude, force */
  DS_REAL energy;              /* a cutoff / 2, energy: at contact */
  DS_REAL gamma, sigma, power; /* along e: friction, sqrt(2 gamma kB T / dt), exponent */
  DS_REAL gamma_across, sigma_across, power_across; /* across it */
  DS_REAL unused[6];
} DS_R(ds_dpd_ext_coeff);

DS_FUNC DS_R(ds_dpd_ext_coeff) DS_R(ds_dpd_ext_read)(const DS_REAL *table, int32_t k)
{
  DS_R(ds_dpd_ext_coeff) c;
  c.cut2 = table[k];
  c.inverse_cut = table[k + 1];
  c.a = table[k + 2];
  c.energy = table[k + 3];
  c.gamma = table[k + 4];
  c.sigma = table[k + 5];
  c.power = table[k + 6];
  c.gamma_across = table[k + 7];
  c.sigma_across = table[k + 8];
  c.power_across = table[k + 9];
  return c;
}

DS_FUNC DS_R(ds_pair_term)
    DS_R(ds_dpd_ext_term)(const DS_R(ds_dpd_ext_coeff) * c, const DS_R(ds_pair_geometry) * p,
                          uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                          DS_REAL special_root, int general, DS_REAL force_scale,
                          DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  DS_REAL xi, xx, xy, xz;
  DS_R(ds_normals)(signature_i, signature_j, 0, &xi, &xx);
  DS_R(ds_normals)(signature_i, signature_j, 1, &xy, &xz);
  /* the vector is odd: j sees it reversed. Equal signatures, one pair in 2^32, have none. */
  const DS_REAL sign = (DS_REAL) ((signature_i < signature_j) - (signature_i > signature_j));
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2);
  const DS_REAL w = DS_R(ds_pair_weight)(p->r2 * rinv, c->inverse_cut);
  const DS_REAL along = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL across = DS_R(ds_pair_weight_power)(w, c->power_across, general);
  const DS_REAL dot = DS_R(ds_pair_dot)(p) * rinv; /* e . v */
  const DS_REAL drag = special * (c->gamma_across * (across * across));
  const DS_REAL random = special_root * (c->sigma_across * across) * sign;
  /* u = -drag v + random xi': what is across e of it acts */
  const DS_REAL ux = DS_R(ds_fma)(random, xx, -(drag * p->vx));
  const DS_REAL uy = DS_R(ds_fma)(random, xy, -(drag * p->vy));
  const DS_REAL uz = DS_R(ds_fma)(random, xz, -(drag * p->vz));
  const DS_REAL eu = DS_R(ds_fma)(p->dz, uz, DS_R(ds_fma)(p->dy, uy, p->dx * ux)) * rinv;
  const DS_REAL steady = DS_R(ds_fma)(c->a, w, -(c->gamma * (along * along) * dot));
  const DS_REAL radial = DS_R(ds_fma)(special, steady, special_root * (c->sigma * along * xi));
  const DS_REAL f = (radial - eu) * rinv;
  t.fx = force_scale * DS_R(ds_fma)(f, p->dx, ux);
  t.fy = force_scale * DS_R(ds_fma)(f, p->dy, uy);
  t.fz = force_scale * DS_R(ds_fma)(f, p->dz, uz);
  t.energy = special * (c->energy * (w * w)) * energy_scale;
  return t;
}
