/* An evaluator in an arithmetic, as a type which sweeps take; included through each_style.h and each_arithmetic.h. No include
   guard.   SPDX-License-Identifier: GPL-2.0-or-later */

struct DS_ER(evaluator) : DS_R(arithmetic) {
  typedef DS_ER(coeff) coefficients;
  static __device__ __forceinline__ term evaluate(const coefficients &c, const geometry &p, uint32_t i, uint32_t j,
                                                  real special, real root, int general, real force_scale, real energy_scale)
  {
    return DS_ER(term)(&c, &p, i, j, special, root, general, force_scale, energy_scale);
  }
};
