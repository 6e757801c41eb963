/* Checked model -> kernel parameters.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_PARAMS_H
#define DPDSOP_DPD_PARAMS_H

#include "dpd_state.h"

ds_status ds_dpd_params_set(ds_dpd_params *params, const ds_dpd_model *model,
                            ds_precision precision, ds_error *err);
void ds_dpd_params_free(ds_dpd_params *params);

#endif
