/* Evaluator of dissipative particle dynamics (Tang & Karniadakis 2014, eqs. 3-9):

     F_ij = [ A w  -  gamma w_D (e . v)  +  sigma w_R xi ] e,    w = 1 - r/rc,  w_R = w^s,  w_D = w_R^2

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_EVALUATOR_H
#define DPDSOP_DPD_EVALUATOR_H

#include "dpdsop/pair_term.h"

#define DS_FORMULAS "dpdsop/dpd_real.h"
#include "dpdsop/each_arithmetic.h"

#endif
