/* normal_reference.c: exact probabilities and moments of normal numbers, and of those that are made of 32-bit words.
   SPDX-License-Identifier: GPL-2.0-or-later

   Sums over all words are sums over the first 2^16 of them, which make the tails, and integrals over the others:
   the sum of f(w) from a + 1 to b is the integral of f from a + 1/2 to b + 1/2, but for f'' / 24 a word. */
#include "tails.h"

#include "dpdsop/device/rng/number.h"

#include <math.h>

enum { INTERVALS = 4000 };
static const double WORDS = 4294967296.0, PI = 3.14159265358979324;

static double normal_above(double a)
{
  return 0.5 * erfc(a * 0.70710678118654752);
}

tails_law tails_normal_law(void)
{
  tails_law law;
  law.largest = INFINITY;
  for (int k = 0; k < TAILS_LEVELS; k++) law.above[k] = normal_above(tails_level(k));
  law.moment[0] = 1.0;
  for (int k = 1; k <= 2 * TAILS_MOMENTS; k++)
    law.moment[k] = k % 2 ? 0.0 : (k - 1) * law.moment[k - 2];
  return law;
}

typedef double integrand(double x, double parameter);

/* Simpson's rule. */
static double integral(integrand *f, double parameter, double from, double to)
{
  const double h = (to - from) / INTERVALS;
  double sum = f(from, parameter) + f(to, parameter);
  for (int k = 1; k < INTERVALS; k++) sum += (k % 2 ? 4.0 : 2.0) * f(from + h * k, parameter);
  return to > from ? sum * h / 3.0 : 0.0;
}

/* -------------------------------------------------------------------------------- Box and Muller */

/* The words of a generator: step, 2 step, ... last; and 0, where it has that one. */
typedef struct {
  double step, last, count;
  int has_zero;
} words;

static words words_of(const ds_rng_info *info)
{
  const int whole =
      info->words_per_double == 2; /* of the others the published number is never 0 or 1 */
  words w;
  w.step = ldexp(1.0, 32 - info->bits);
  w.last = (whole ? WORDS : nearbyint(1.0 / info->double_scale)) - w.step;
  w.has_zero = whole;
  w.count = w.last / w.step + w.has_zero;
  return w;
}

static double radius(double word)
{
  return sqrt(-2.0 * log(word / WORDS));
}

/* Share of the circle of radius r that is to the right of a. */
static double arc_above(double r, double a)
{
  return r > a ? acos(a / r) / PI : 0.0;
}

/* The same times the density of r, over t with r^2 = a^2 + t^2: smooth where r is near a. */
static double density_above(double t, double a)
{
  return t * exp(-0.5 * (a * a + t * t)) * atan(t / a) / PI;
}

static double density_of_power(double r, double power)
{
  return pow(r, power + 1.0) * exp(-0.5 * r * r);
}

enum { SUMMED = 1 << 16 };

static double polar_above(const words *w, double a)
{
  const double end = radius((SUMMED + 0.5) * w->step);
  double sum = w->has_zero ? arc_above(radius(1.0), a) : 0.0;
  for (int k = 1; k <= SUMMED; k++) sum += arc_above(radius(k * w->step), a);
  if (end > a) sum += WORDS / w->step * integral(density_above, a, 0.0, sqrt(end * end - a * a));
  return sum / w->count;
}

/* Mean of r^k, times that of the k-th power of the cosine, (k-1)!! / k!!. */
static double polar_moment(const words *w, int k)
{
  double sum = w->has_zero ? pow(radius(1.0), k) : 0.0, angle = 1.0;
  for (int j = 1; j <= SUMMED; j++) sum += pow(radius(j * w->step), k);
  sum += WORDS / w->step *
         integral(density_of_power, k, radius(w->last + 0.5 * w->step),
                  radius((SUMMED + 0.5) * w->step));
  for (int j = 2; j <= k; j += 2) angle *= (j - 1.0) / j;
  return sum / w->count * angle;
}

static double polar_largest(const words *w, ds_type type)
{
  const uint32_t least = w->has_zero ? 0u : (uint32_t) w->step;
  float x, y;
  double z, u;
  ds_normal_pairf(least, 0u, &x, &y);
  ds_normal_pair(least, 0u, &z, &u);
  return type == DS_F32 ? (double) x : z;
}

/* -------------------------------------------------------------------- the inverse, of all 2^32 words */

static double inverse(uint32_t steps, ds_type type)
{
  const uint32_t w = ~steps; /* the upper end */
  return type == DS_F32 ? (double) ds_normal_inversef(w) : ds_normal_inverse(w);
}

/* How many words make a number above a > 0. */
static double inverse_above(double a, ds_type type)
{
  uint32_t low = 0, high = 0x80000000u; /* the first `low` do; from `high` on none does */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (inverse(middle, type) > a)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static double normal_power(double x, double power)
{
  return pow(x, power) * exp(-0.5 * x * x) * 0.39894228040143268;
}

/* The a with `steps` words above it. */
static double inverse_end(double steps)
{
  double low = 0.0, high = 7.0;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (normal_above(middle) * WORDS > steps)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double inverse_moment(int k)
{
  double sum = 0.0;
  for (uint32_t steps = 0; steps < SUMMED; steps++) sum += pow(ds_normal_inverse(~steps), k);
  return 2.0 * (sum / WORDS + integral(normal_power, k, 0.0, inverse_end(SUMMED)));
}

tails_law tails_law_of(const ds_rng_info *info, ds_type type)
{
  const words w = words_of(info);
  const int inverted = info->inverse_normal;
  tails_law law;
  law.largest = inverted ? inverse(0, type) : polar_largest(&w, type);
  for (int k = 0; k < TAILS_LEVELS; k++)
    law.above[k] =
        inverted ? inverse_above(tails_level(k), type) / WORDS : polar_above(&w, tails_level(k));
  for (int k = 0; k <= 2 * TAILS_MOMENTS; k++)
    law.moment[k] = k % 2 ? 0.0 : inverted ? inverse_moment(k) : polar_moment(&w, k);
  return law;
}
