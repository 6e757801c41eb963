/* What a pair evaluator is given and what it returns.   SPDX-License-Identifier: GPL-2.0-or-later

   An evaluator E is a header with, for each arithmetic (arithmetic.h),
     DS_R(E_coeff)                 coefficients of a pair of types: 8 or 16 reals, the first the squared cutoff
     DS_R(E_read)(table, k)        those that begin at word k of a table
     DS_R(E_term)(coeff, pair, signatures of i and j, special factor and its root, general, scales)
                                   force on i and energy, times the scales of fixed_sum.h, before they are rounded
   Lengths are in units of the largest cutoff, so that no unit system under- or overflows single precision; forces
   and energies are in the caller's units. `general` is a compile-time constant: 0 where every exponent is 1. Terms are
   made of sums, products and fma alone and are odd under exchange of i and j, to the bit. The sweeps of both backends
   take the evaluator as a parameter (cuda/sweep). */
#ifndef DPDSOP_PAIR_TERM_H
#define DPDSOP_PAIR_TERM_H

#include "dpdsop/image_noise.h"
#include "dpdsop/image_velocity.h"

#define DS_FORMULAS "dpdsop/pair_term_real.h"
#include "dpdsop/each_arithmetic.h"

#endif
