/* fourier.h: discrete Fourier transforms of lines whose length is a product of 2, 3 and 5, in a fixed order.
   SPDX-License-Identifier: GPL-2.0-or-later

   Stockham's scheme: each pass reads all elements of one array, and writes all of another one, in the order that the next pass
   wants. Pass by pass, groups of `radix` elements are multiplied by roots of unity and transformed. A group is one call
   (ds_fourier_group), so that a thread of a GPU and a loop of the CPU do the same operations. Made of + - x alone. Nothing is
   scaled: forth and back multiplies by the length.
   Source: Govindaraju, Lloyd, Dotsenko, Smith & Manferdelli, Proc. ACM/IEEE Conf. Supercomputing (2008), art. 2. */
#ifndef DPDSOP_FOURIER_H
#define DPDSOP_FOURIER_H

#include "dpdsop/device/base.h"

enum { DS_FOURIER_PASSES = 8, DS_FOURIER_MOST_RADIX = 5 };

typedef struct {
  double re, im;
} ds_complex;

typedef struct {
  int n, passes;
  int radix[DS_FOURIER_PASSES];
  const ds_complex *root; /* exp(2 pi i k / n) */
} ds_fourier;

/* Several lines side by side: element k of line w is at k * lines + w. */
typedef struct {
  double *re, *im;
} ds_fourier_lines;

/* Into radices, without the roots; 0 where the length has another factor. */
static inline int ds_fourier_plan(ds_fourier *f, int n)
{
  static const int radix[] = {5, 4, 3, 2};
  f->n = n;
  f->passes = 0;
  f->root = 0;
  for (int k = 0; k < 4; k++)
    for (; n > 1 && n % radix[k] == 0; n /= radix[k]) {
      if (f->passes == DS_FOURIER_PASSES) return 0;
      f->radix[f->passes++] = radix[k];
    }
  return n == 1;
}

/* exp(2 pi i k / n), 0 <= k < n < 2^27, to 1e-16: within an eighth of the circle by Taylor's series, which has its digits
   there. */
DS_FUNC ds_complex ds_unit_root(int k, int n)
{
  const int eighth = 8 * k / n, rest = 8 * k % n;
  const double angle = 0.78539816339744831 * ((double) (eighth & 1 ? n - rest : rest) / (double) n), w = angle * angle;
  double s = 2.8114572543455206e-15, c = 4.7794773323873853e-14; /* 1 / 17!, 1 / 16! */
  s = s * w - 7.6471637318198165e-13;
  s = s * w + 1.6059043836821613e-10;
  s = s * w - 2.5052108385441720e-08;
  s = s * w + 2.7557319223985893e-06;
  s = s * w - 1.9841269841269841e-04;
  s = s * w + 8.3333333333333332e-03;
  s = s * w - 1.6666666666666666e-01;
  s = angle + angle * (s * w);
  c = c * w - 1.1470745597729725e-11;
  c = c * w + 2.0876756987868099e-09;
  c = c * w - 2.7557319223985888e-07;
  c = c * w + 2.4801587301587302e-05;
  c = c * w - 1.3888888888888889e-03;
  c = c * w + 4.1666666666666664e-02;
  c = 1.0 + w * (c * w - 0.5);
  const int swapped = (eighth + 1) & 2; /* beyond 45 and up to 135 degrees, and opposite */
  const double x = swapped ? s : c, y = swapped ? c : s;
  const int left = eighth >= 2 && eighth < 6;
  const ds_complex root = {left ? -x : x, eighth >= 4 ? -y : y};
  return root;
}

DS_FUNC ds_complex ds_complex_product(ds_complex a, ds_complex b)
{
  const ds_complex p = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return p;
}

DS_FUNC ds_complex ds_complex_sum(ds_complex a, ds_complex b)
{
  const ds_complex s = {a.re + b.re, a.im + b.im};
  return s;
}

DS_FUNC ds_complex ds_complex_difference(ds_complex a, ds_complex b)
{
  const ds_complex d = {a.re - b.re, a.im - b.im};
  return d;
}

/* a + i s b */
DS_FUNC ds_complex ds_complex_turned(ds_complex a, double s, ds_complex b)
{
  const ds_complex t = {a.re - s * b.im, a.im + s * b.re};
  return t;
}

/* The transforms of 2 to 5 elements, in place; sign of the exponent, 1 or -1. */
DS_FUNC void ds_fourier2(ds_complex *v)
{
  const ds_complex a = v[0];
  v[0] = ds_complex_sum(a, v[1]);
  v[1] = ds_complex_difference(a, v[1]);
}

DS_FUNC void ds_fourier3(ds_complex *v, double sign)
{
  const ds_complex sum = ds_complex_sum(v[1], v[2]), difference = ds_complex_difference(v[1], v[2]);
  const ds_complex middle = {v[0].re - 0.5 * sum.re, v[0].im - 0.5 * sum.im};
  const double sine = sign * 0.86602540378443865;
  v[0] = ds_complex_sum(v[0], sum);
  v[1] = ds_complex_turned(middle, sine, difference);
  v[2] = ds_complex_turned(middle, -sine, difference);
}

DS_FUNC void ds_fourier4(ds_complex *v, double sign)
{
  const ds_complex a = ds_complex_sum(v[0], v[2]), b = ds_complex_difference(v[0], v[2]);
  const ds_complex c = ds_complex_sum(v[1], v[3]), d = ds_complex_difference(v[1], v[3]);
  v[0] = ds_complex_sum(a, c);
  v[1] = ds_complex_turned(b, sign, d);
  v[2] = ds_complex_difference(a, c);
  v[3] = ds_complex_turned(b, -sign, d);
}

DS_FUNC void ds_fourier5(ds_complex *v, double sign)
{
  const double c1 = 0.30901699437494742, c2 = -0.80901699437494742, s1 = sign * 0.95105651629515357,
               s2 = sign * 0.58778525229247313;
  const ds_complex a = ds_complex_sum(v[1], v[4]), b = ds_complex_sum(v[2], v[3]);
  const ds_complex c = ds_complex_difference(v[1], v[4]), d = ds_complex_difference(v[2], v[3]);
  const ds_complex m1 = {v[0].re + c1 * a.re + c2 * b.re, v[0].im + c1 * a.im + c2 * b.im};
  const ds_complex m2 = {v[0].re + c2 * a.re + c1 * b.re, v[0].im + c2 * a.im + c1 * b.im};
  const ds_complex n1 = {s1 * c.re + s2 * d.re, s1 * c.im + s2 * d.im}, n2 = {s2 * c.re - s1 * d.re, s2 * c.im - s1 * d.im};
  v[0] = ds_complex_sum(v[0], ds_complex_sum(a, b));
  v[1] = ds_complex_turned(m1, 1.0, n1);
  v[2] = ds_complex_turned(m2, 1.0, n2);
  v[3] = ds_complex_turned(m2, -1.0, n2);
  v[4] = ds_complex_turned(m1, -1.0, n1);
}

/* Group number t, 0 <= t < n / radix, of line w in the pass behind passes of `before` elements together: the product of their
   radices. `radix` is a constant where this is called. */
DS_FUNC void ds_fourier_group(const ds_fourier *f, int radix, int before, double sign, int t, int w, int lines,
                              ds_fourier_lines from, ds_fourier_lines to)
{
  ds_complex v[DS_FOURIER_MOST_RADIX];
  const int groups = f->n / radix, j = t % before, turn = j * (groups / before);
  DS_UNROLL(5)
  for (int r = 0; r < radix; r++) {
    const int at = (t + r * groups) * lines + w;
    const ds_complex element = {from.re[at], from.im[at]}, root = {f->root[r * turn].re, sign * f->root[r * turn].im};
    v[r] = r ? ds_complex_product(element, root) : element;
  }
  if (radix == 2)
    ds_fourier2(v);
  else if (radix == 3)
    ds_fourier3(v, sign);
  else if (radix == 4)
    ds_fourier4(v, sign);
  else
    ds_fourier5(v, sign);
  const int first = (t / before) * before * radix + j;
  DS_UNROLL(5)
  for (int r = 0; r < radix; r++) {
    to.re[(first + r * before) * lines + w] = v[r].re;
    to.im[(first + r * before) * lines + w] = v[r].im;
  }
}

#endif
