/* Force sweep in single precision: the hardware's approximations, float sums, no promise on bits.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_float.cuh"

struct single : float_arithmetic {
  typedef float sum;

  static __device__ __forceinline__ float noise(uint32_t i, uint32_t j)
  {
    return ds_pair_gaussianq(i, j);
  }
  static __device__ __forceinline__ term term_of(const coeff *c, const pair *p, float noise,
                                                 float special, float root, int general,
                                                 float scale_f, float scale_e)
  {
    return ds_dpd_term_of_q(c, p, noise, special, root, general, scale_f, scale_e);
  }
  static __device__ __forceinline__ void virial(const pair *p, const term *t, float w[6])
  {
    ds_dpd_virial_q(p, t, w);
  }
  static __device__ __forceinline__ float round(float x) { return x; }
  static __device__ __forceinline__ int64_t total(float sum) { return ds_round64((double) sum); }
};

ds_status ds_sweep_launch_single(const ds_dpd *dpd, const ds_sweep_io *io, int tally, ds_error *err)
{
  return sweep_launch<single>(dpd, io, tally, err);
}

ds_status ds_sweep_name_single(const ds_dpd *dpd, const ds_sweep_io *io, ds_error *err)
{
  return sweep_name<single>(dpd, io, err);
}
