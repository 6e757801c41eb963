/* The four terms of the self-organized-polymer model, eq. 1 of Zhmurov et al., Proteins 78, 2984 (2010), in single and
   double arithmetic.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_TERM_H
#define DPDSOP_SOP_TERM_H

#define DS_FORMULAS "dpdsop/sop_real.h"
#include "dpdsop/each_arithmetic.h"

#endif
