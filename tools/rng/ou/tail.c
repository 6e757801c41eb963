/* tail.c: probabilities of the statistics that are judged.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "ou.h"

#include <math.h>

double ou_p_normal(double z)
{
  return erfc(fabs(z) * 0.70710678118654752);
}

/* By the cube root of Wilson & Hilferty (1931), which for some hundred degrees of freedom is right to a few per
   cent of the probability at 1e-5. */
double ou_p_chi_square(double chi2, double freedom, int also_below)
{
  const double v = 2.0 / (9.0 * freedom);
  const double z = (cbrt(chi2 / freedom) - (1.0 - v)) / sqrt(v);
  return also_below ? ou_p_normal(z) : 0.5 * erfc(z * 0.70710678118654752);
}

/* With y the sum over m, P <= exp(-m (t y - K(t))) for every t > 0, where m K(t) is at least the logarithm of
   <exp(t sum)>; twice that for both sides.

   Products of independent numbers: <exp(t u v)> = (1 - t^2)^(-1/2). With t = sin f, what is to be made large is
   y sin f + ln cos f.

   A chain: the products are a quadratic form whose determinants d(c) for c numbers in a row obey
   d(c + 1) = d(c) - t^2 d(c - 1), so that d(c + 1) / d(c) never falls below r = (1 + sqrt(1 - 4 t^2)) / 2, and
   K = -ln(r) / 2. With 2 t = sin f it is y sin(f) / 2 + ln cos(f / 2).

   The best f is found by bisection; any other would give a bound as well. */
double ou_log_p_products(double sum, int64_t m, int chain)
{
  const double y = fabs(sum) / (double) m;
  double low = 0.0, high = 1.5707963267948966;
  for (int k = 0; k < 50; k++) {
    const double f = 0.5 * (low + high);
    const double slope = chain ? y * cos(f) - tan(0.5 * f) : y * cos(f) - tan(f);
    if (slope > 0.0)
      low = f;
    else
      high = f;
  }
  const double rate =
      chain ? 0.5 * y * sin(low) + log(cos(0.5 * low)) : y * sin(low) + log(cos(low));
  return log(2.0) - (double) m * rate;
}
