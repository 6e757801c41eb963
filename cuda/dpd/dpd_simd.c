/* The host's sweeps of DPD.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd_evaluator.h"

#define DS_EVALUATOR ds_dpd
#include "../sweep/host_sweeps.h"
