/* The host's sweeps of DPD with a transverse thermostat.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd_ext_evaluator.h"

#define DS_EVALUATOR ds_dpd_ext
#include "../sweep/host_sweeps.h"
