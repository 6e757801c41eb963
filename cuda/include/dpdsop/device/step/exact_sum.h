/* Sums whose bits do not depend on the order of their terms.   SPDX-License-Identifier: GPL-2.0-or-later

   A term is rounded to a multiple of unit / 2^60 and cut at bits 32 and 90 into integers, which are added up apart. The parts
   of one term are below 2^32, 2^58 and 2^58: 2^31 terms fit, of which 32 may be at the upper end of the range. */
#ifndef DPDSOP_STEP_EXACT_SUM_H
#define DPDSOP_STEP_EXACT_SUM_H

#include "dpdsop/device/base.h"
#include "dpdsop/step.h"

#define DS_2_POW_32 4294967296.0
#define DS_2_POW_60 1152921504606846976.0
#define DS_2_POW_90 (DS_2_POW_60 * 1073741824.0)

DS_FUNC ds_exact_sum ds_exact_term(double value, double unit)
{
  ds_exact_sum term = {0, 0, 0, 0};
  double scaled = value * (DS_2_POW_60 / unit);
  if (!(fabs(scaled) < DS_2_POW_90)) { /* true for NaN, too */
    const double top = trunc(scaled * (1.0 / DS_2_POW_90));
    term.invalid = !(fabs(scaled) < DS_2_POW_90 * 288230376151711744.0); /* 2^58 */
    if (term.invalid) return term;
    term.top = (int64_t) top;
    scaled -= top * DS_2_POW_90; /* exact, as all differences here: both are multiples of the last place of `scaled` */
  }
  const double high = floor(scaled * (1.0 / DS_2_POW_32));
  term.high = (int64_t) high;
  term.low = (int64_t) (scaled - high * DS_2_POW_32);
  return term;
}

DS_FUNC void ds_exact_add(ds_exact_sum *sum, const ds_exact_sum *term)
{
  sum->low += term->low;
  sum->high += term->high;
  sum->top += term->top;
  sum->invalid += term->invalid;
}

/* What is carried from the middle part to the top one. */
DS_FUNC int64_t ds_exact_excess(int64_t high)
{
  return (high + ((int64_t) 1 << 57)) >> 58;
}

/* The same number with parts in their ranges: low from 0 to 2^32 - 1, high from -2^57 to 2^57 - 1, so that a number has one
   set of parts. It is for sums that go on for many steps, before the parts overflow, and before their value is asked for. */
DS_FUNC void ds_exact_carry(ds_exact_sum *sum)
{
  const int64_t of_low = sum->low >> 32;
  sum->low -= of_low * ((int64_t) 1 << 32);
  sum->high += of_low;
  const int64_t of_high = ds_exact_excess(sum->high);
  sum->high -= of_high * ((int64_t) 1 << 58);
  sum->top += of_high;
}

DS_FUNC double ds_exact_value(const ds_exact_sum *sum, double unit)
{
  const int64_t carry = sum->low >> 32;
  const double high = (double) (sum->high + carry), low = (double) (sum->low & 0xFFFFFFFFll);
  if (sum->invalid) return NAN;
  return ((double) sum->top * DS_2_POW_90 + (high * DS_2_POW_32 + low)) * (unit / DS_2_POW_60);
}

#endif
