/* The object of one style; included through each_style.h. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */

static void DS_E(set)(const ds_pair_model *m, int k, void *coeff)
{
  DS_E(set_coefficients)(m, k, (DS_E(coeff) *) coeff);
}

static ds_pair_term DS_E(at_rest)(const void *coeff, const ds_pair_geometry *p, double special)
{
#ifdef DS_HAS_DENSITY
  return DS_E(term)((const DS_E(coeff) *) coeff, p, 0, 0, special, sqrt(special), 1, 1.0, 1.0, 0.0);
#else
  return DS_E(term)((const DS_E(coeff) *) coeff, p, 0, 0, special, sqrt(special), 1, 1.0, 1.0);
#endif
}

const ds_pair_style DS_STYLE = {DS_E(name), sizeof DS_E(coefficients) / sizeof(ds_coefficient), DS_E(coefficients),
                                /* no more than DS_MAX_WORDS, or this does not compile */
                                sizeof(DS_E(coeff)) / sizeof(double) / (sizeof(DS_E(coeff)) <= DS_MAX_WORDS * sizeof(double)),
                                DS_CHARGED, DS_E(set), DS_E(force_bound), DS_E(energy_bound), DS_E(at_rest),
#ifdef DS_HAS_DENSITY
                                DS_E(density_bound)
#else
                                NULL
#endif
};
