/* Evaluator of DPD with a second, transverse thermostat (Junghans, Praprotnik & Kremer, Soft Matter 4, 156 (2008)):
   friction and noise along the line of centers, and across it, each with its own coefficient and exponent.

     F_ij = [ A w  -  gamma w_D (e . v)  +  sigma w_R xi ] e
            -  gamma' w'_D (1 - e e^T) v  +  sigma' w'_R (1 - e e^T) xi',      xi' a vector, xi'_ij = -xi'_ji

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_EXT_EVALUATOR_H
#define DPDSOP_DPD_EXT_EVALUATOR_H

#include "dpdsop/pair_term.h"

#define DS_FORMULAS "dpdsop/dpd_ext_real.h"
#include "dpdsop/each_arithmetic.h"

#endif
