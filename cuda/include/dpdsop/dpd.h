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
