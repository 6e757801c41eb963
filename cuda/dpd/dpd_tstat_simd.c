/* The host's sweeps of the DPD thermostat.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd_tstat_evaluator.h"

#define DS_EVALUATOR ds_dpd_tstat
#include "../sweep/host_sweeps.h"
