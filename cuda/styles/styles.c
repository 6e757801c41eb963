/* The objects of the pair styles.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "style.h"

static const char ds_dpd_name[] = "dpd", ds_dpd_ext_name[] = "dpd/ext", ds_dpd_tstat_name[] = "dpd/tstat";

static const ds_coefficient ds_dpd_coefficients[] = {
    {"A", DS_COEFF_FINITE}, {"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}};

static const ds_coefficient ds_dpd_ext_coefficients[] = {{"A", DS_COEFF_FINITE},
                                                         {"gamma", DS_COEFF_FRICTION},
                                                         {"gamma_across", DS_COEFF_FRICTION},
                                                         {"s", DS_COEFF_EXPONENT},
                                                         {"s_across", DS_COEFF_EXPONENT}};

static const ds_coefficient ds_dpd_tstat_coefficients[] = {{"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}};

#define DS_FOR_STYLE "../styles/style_object.h" /* from the folder of the public headers */
#include "each_style.h"
