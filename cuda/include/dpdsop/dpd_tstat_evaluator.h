/* Evaluator of the DPD thermostat alone: friction and noise of Tang & Karniadakis 2014, eqs. 4-9, without the
   conservative force, for use beside another force field.

     F_ij = [ -gamma w_D (e . v)  +  sigma w_R xi ] e,    w_R = (1 - r/rc)^s,  w_D = w_R^2

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_TSTAT_EVALUATOR_H
#define DPDSOP_DPD_TSTAT_EVALUATOR_H

#include "dpdsop/pair_term.h"

#define DS_FORMULAS "dpdsop/dpd_tstat_real.h"
#include "dpdsop/each_arithmetic.h"

#endif
