/* Single arithmetic on 32-bit positions, what mixed and single precision have in common.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_FLOAT_CUH
#define DPDSOP_SWEEP_FLOAT_CUH

#include "sweep_cuda.cuh"

struct float_arithmetic : narrow_words {
  typedef ds_dpd_coeff_f coeff;
  typedef ds_dpd_pair_f pair;
  typedef ds_dpd_term_f term;
  enum { ahead = 4, blocks = 8 };
  using narrow_words::read;

  static const coeff *table(const ds_dpd_params &p) { return p.coeff_f; }
  static const float *factor(const ds_dpd_params &p) { return p.specialf; }
  static const float *root(const ds_dpd_params &p) { return p.special_rootf; }

  static __device__ __forceinline__ float separate(const ds_frame &f, const place &a,
                                                   const place &b, float *dx, float *dy, float *dz)
  {
    ds_separation(&f, ds_diff32(a.x, b.x), ds_diff32(a.y, b.y), ds_diff32(a.z, b.z), dx, dy, dz);
    return ds_square(*dx, *dy, *dz);
  }
  static __device__ __forceinline__ bool in_range(const term &t)
  {
    return ds_in_range32(t.fx) & ds_in_range32(t.fy) & ds_in_range32(t.fz);
  }
  /* 32 bytes, two accesses */
  static __device__ __forceinline__ void read(const coeff *from, coeff *to)
  {
    const float4 a = __ldg((const float4 *) from), b = __ldg((const float4 *) from + 1);
    to->a = a.x;
    to->gamma = a.y;
    to->sigma = a.z;
    to->inverse_cut = a.w;
    to->cut2 = b.x;
    to->power = b.y;
    to->energy = b.z;
  }
};

#endif
