/* The GPU's sweeps of one style; included through each_style.h. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */

struct DS_E(mixed) : mixed_arithmetic {
  typedef DS_E(coefff) coefficients;
  static __device__ __forceinline__ term evaluate(const coefficients &c, const geometry &p,
                                                  uint32_t i, uint32_t j, real special, real root,
                                                  int general, real force_scale, real energy_scale)
  {
    return DS_E(termf)(&c, &p, i, j, special, root, general, force_scale, energy_scale);
  }
};

struct DS_E(double) : double_arithmetic {
  typedef DS_E(coeff) coefficients;
  static __device__ __forceinline__ term evaluate(const coefficients &c, const geometry &p,
                                                  uint32_t i, uint32_t j, real special, real root,
                                                  int general, real force_scale, real energy_scale)
  {
    return DS_E(term)(&c, &p, i, j, special, root, general, force_scale, energy_scale);
  }
};

static const ds_cuda_sweeps DS_E(sweeps) = {{sweep_launch<DS_E(mixed)>, sweep_launch<DS_E(double)>},
                                            {identify_launch<DS_E(mixed)>, identify_launch<DS_E(double)>}};
