/* Sums whose bits do not depend on the order of their terms.   SPDX-License-Identifier: GPL-2.0-or-later

   A term is rounded to a multiple of unit / 2^60 and split at bit 32 into two integers, which are added up apart. The low
   part of a term is below 2^32: 2^31 terms fit. The high part of a term is below 2^58, where the term is below
   unit * 2^30; sums may reach unit * 2^35. */
#ifndef DPDSOP_STEP_EXACT_SUM_H
#define DPDSOP_STEP_EXACT_SUM_H

#include "dpdsop/device/base.h"
#include "dpdsop/step.h"

DS_FUNC ds_exact_sum ds_exact_term(double value, double unit)
{
  ds_exact_sum term = {0, 0, 0};
  const double scaled = value * (1152921504606846976.0 / unit); /* 2^60 */
  if (!(fabs(scaled) < 1237940039285380274899124224.0)) { /* 2^90; false for NaN, too */
    term.invalid = 1;
    return term;
  }
  const double high = floor(scaled * 2.3283064365386963e-10); /* 2^-32 */
  term.high = (int64_t) high;
  term.low = (int64_t) (scaled - high * 4294967296.0); /* exact: both are multiples of the last place of `scaled` */
  return term;
}

DS_FUNC void ds_exact_add(ds_exact_sum *sum, const ds_exact_sum *term)
{
  sum->high += term->high;
  sum->low += term->low;
  sum->invalid += term->invalid;
}

DS_FUNC double ds_exact_value(const ds_exact_sum *sum, double unit)
{
  /* in one form for each value, whatever the parts were added up from */
  const int64_t carry = sum->low >> 32;
  const double high = (double) (sum->high + carry), low = (double) (sum->low & 0xFFFFFFFFll);
  if (sum->invalid) return NAN;
  return (high * 4294967296.0 + low) * (unit / 1152921504606846976.0);
}

#endif
