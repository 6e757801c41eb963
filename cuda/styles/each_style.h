/* The pair styles. This file includes the file DS_FOR_STYLE once for each of them, with
     DS_EVALUATOR            what the names in the style's header begin with; DS_E(name) is such a name, and DS_ER(name) the
                             one of the arithmetic at hand where each_arithmetic.h includes
     DS_STYLE                the style's object, which dpdsop/dpd.h declares
     DS_CHARGED              1: its terms read the charges of both atoms (ds_pair_geometry.charges)
     DS_HAS_DENSITY          defined where the style's forces depend on densities
   A new style is a header like dpdsop/device/dpd_evaluator.h, a place here, its name and coefficients in styles.c, and a line
   in dpdsop/dpd.h: its sweeps, object and bounds follow. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/coul_slater_evaluator.h"
#include "dpdsop/device/dpd_evaluator.h"
#include "dpdsop/device/dpd_ext_evaluator.h"
#include "dpdsop/device/dpd_tstat_evaluator.h"
#include "dpdsop/device/lj_cut_evaluator.h"
#include "dpdsop/device/mdpd_evaluator.h"

#ifndef DS_E
#define DS_E(name) DS_E_OF(DS_EVALUATOR, name)
#define DS_E_OF(evaluator, name) DS_E_NAME(evaluator, name)
#define DS_E_NAME(evaluator, name) evaluator##_##name
#define DS_ER(name) DS_ER_OF(DS_E(name))
#define DS_ER_OF(name) DS_R(name)
#endif

#define DS_EVALUATOR ds_dpd
#define DS_STYLE ds_style_dpd
#define DS_CHARGED 0
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED

#define DS_EVALUATOR ds_dpd_ext
#define DS_STYLE ds_style_dpd_ext
#define DS_CHARGED 0
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED

#define DS_EVALUATOR ds_dpd_tstat
#define DS_STYLE ds_style_dpd_tstat
#define DS_CHARGED 0
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED

#define DS_EVALUATOR ds_lj_cut
#define DS_STYLE ds_style_lj_cut
#define DS_CHARGED 0
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED

#define DS_EVALUATOR ds_coul_slater
#define DS_STYLE ds_style_coul_slater
#define DS_CHARGED 1
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED

#define DS_EVALUATOR ds_mdpd
#define DS_STYLE ds_style_mdpd
#define DS_CHARGED 0
#define DS_HAS_DENSITY
#include DS_FOR_STYLE
#undef DS_EVALUATOR
#undef DS_STYLE
#undef DS_CHARGED
#undef DS_HAS_DENSITY

#undef DS_FOR_STYLE
