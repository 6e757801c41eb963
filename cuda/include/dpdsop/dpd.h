/* Styles of dissipative particle dynamics, for ds_pair_options.style, and the coefficients of their models.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_H
#define DPDSOP_DPD_H

#include "dpdsop/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tang & Karniadakis 2014, eqs. 3-9: A (force), gamma (force/velocity, >= 0), exponent s (0 < s <= 100). */
extern const ds_pair_style ds_style_dpd;
enum { DS_DPD_A = 0, DS_DPD_GAMMA, DS_DPD_POWER };

/* One pair of ds_style_dpd outside the sweep, in double arithmetic, with friction and noise: dot = r_ij . v_ij, noise
   one normal deviate. Otherwise as ds_pair_single. */
double ds_dpd_single(const ds_pair_model *model, int itype, int jtype, double r2, double dot,
                     double noise, double special, double *force_over_r);

/* With a transverse thermostat (Junghans, Praprotnik & Kremer 2008): gamma and s along the line of centers, and
   across it. */
extern const ds_pair_style ds_style_dpd_ext;
enum { DS_EXT_A = 0, DS_EXT_GAMMA, DS_EXT_GAMMA_ACROSS, DS_EXT_POWER, DS_EXT_POWER_ACROSS };

/* The thermostat alone, no conservative force. */
extern const ds_pair_style ds_style_dpd_tstat;
enum { DS_TSTAT_GAMMA = 0, DS_TSTAT_POWER };

#ifdef __cplusplus
}
#endif
#endif
