/* Force sweep in mixed precision: single arithmetic, integer sums, exact bits.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_float.cuh"

struct mixed : float_arithmetic {
  typedef int64_t sum;

  static __device__ __forceinline__ float noise(uint32_t i, uint32_t j)
  {
    return ds_pair_gaussianf(i, j);
  }
  static __device__ __forceinline__ term term_of(const coeff *c, const pair *p, float noise,
                                                 float special, float root, int general,
                                                 float scale_f, float scale_e)
  {
    return ds_dpd_term_of_f(c, p, noise, special, root, general, scale_f, scale_e);
  }
  static __device__ __forceinline__ void virial(const pair *p, const term *t, float w[6])
  {
    ds_dpd_virial_f(p, t, w);
  }
  static __device__ __forceinline__ int32_t round(float x) { return ds_round32(x); }
  static __device__ __forceinline__ int64_t total(int64_t sum) { return sum; }
};

ds_status ds_sweep_launch_mixed(const ds_dpd *dpd, const ds_sweep_io *io, int tally, ds_error *err)
{
  return sweep_launch<mixed>(dpd, io, tally, err);
}

ds_status ds_sweep_name_mixed(const ds_dpd *dpd, const ds_sweep_io *io, ds_error *err)
{
  return sweep_name<mixed>(dpd, io, err);
}
