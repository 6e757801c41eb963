/* -*- c++ -*- The exponential function, bitwise identical on every machine.
   SPDX-License-Identifier: GPL-2.0-or-later

   The last bits of a library's exp() may differ between CPUs. In a factor of a thermostat they would change the trajectory.
   Here only sums and products are used, each rounded by itself. */

#ifndef LMP_DPDSOP_EXACT_EXP_H
#define LMP_DPDSOP_EXACT_EXP_H

#include <cmath>

namespace LAMMPS_NS {

// e^x = 2^n e^r with |r| <= ln(2) / 2, where the first 14 terms of the series are good to 2^-57

inline double exact_exp(double x)
{
  static constexpr double LN2_HIGH = 0x1.62e42fee00000p-1, LN2_LOW = 0x1.a39ef35793c76p-33;
  static constexpr double LIMIT = 700.0;    // beyond it, results leave the range of normal numbers
  static constexpr int TERMS = 13;
  static constexpr double SMALL = 0.3;    // n is 0: most arguments are a few time steps over a period
  if (!(std::fabs(x) < LIMIT)) return x < 0.0 ? 0.0 : x * x * HUGE_VAL;    // NaN stays one
  const bool is_small = std::fabs(x) < SMALL;
  const double n = is_small ? 0.0 : std::rint(x / (LN2_HIGH + LN2_LOW));
  const double r = is_small ? x : (x - n * LN2_HIGH) - n * LN2_LOW;
  double sum = 1.0;
  for (int k = TERMS; k > 1; k--) sum = 1.0 + r / k * sum;
  return is_small ? 1.0 + r * sum : std::ldexp(1.0 + r * sum, static_cast<int>(n));
}

}    // namespace LAMMPS_NS

#endif
