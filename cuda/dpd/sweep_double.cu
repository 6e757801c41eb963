/* Force sweep in double precision: 64-bit positions, integer sums, exact bits.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_cuda.cuh"

struct double_arithmetic : wide_words {
  typedef ds_dpd_coeff_d coeff;
  typedef ds_dpd_pair_d pair;
  typedef ds_dpd_term_d term;
  typedef int64_t sum;
  enum { ahead = 2, blocks = 4 };
  using wide_words::read;

  static const coeff *table(const ds_dpd_params &p) { return p.coeff_d; }
  static const double *factor(const ds_dpd_params &p) { return p.special; }
  static const double *root(const ds_dpd_params &p) { return p.special_root; }

  static __device__ __forceinline__ double
  separate(const ds_frame &f, const place &a, const place &b, double *dx, double *dy, double *dz)
  {
    ds_separation64(&f, ds_diff64(a.x, b.x), ds_diff64(a.y, b.y), ds_diff64(a.z, b.z), dx, dy, dz);
    return ds_square64(*dx, *dy, *dz);
  }
  static __device__ __forceinline__ void read(const coeff *from, coeff *to)
  {
    const double2 *const q = (const double2 *) from;
    const double2 a = __ldg(q), b = __ldg(q + 1), c = __ldg(q + 2), d = __ldg(q + 3);
    to->a = a.x;
    to->gamma = a.y;
    to->sigma = b.x;
    to->inverse_cut = b.y;
    to->cut2 = c.x;
    to->power = c.y;
    to->energy = d.x;
  }
  static __device__ __forceinline__ double noise(uint32_t i, uint32_t j)
  {
    return ds_pair_gaussian(i, j);
  }
  static __device__ __forceinline__ term term_of(const coeff *c, const pair *p, double noise,
                                                 double special, double root, int general,
                                                 double scale_f, double scale_e)
  {
    return ds_dpd_term_of_d(c, p, noise, special, root, general, scale_f, scale_e);
  }
  static __device__ __forceinline__ void virial(const pair *p, const term *t, double w[6])
  {
    ds_dpd_virial_d(p, t, w);
  }
  static __device__ __forceinline__ bool in_range(const term &t)
  {
    return ds_in_range64(t.fx) & ds_in_range64(t.fy) & ds_in_range64(t.fz);
  }
  static __device__ __forceinline__ int64_t round(double x) { return ds_round64(x); }
  static __device__ __forceinline__ int64_t total(int64_t sum) { return sum; }
};

ds_status ds_sweep_launch_double(const ds_dpd *dpd, const ds_sweep_io *io, int tally, ds_error *err)
{
  return sweep_launch<double_arithmetic>(dpd, io, tally, err);
}

ds_status ds_sweep_name_double(const ds_dpd *dpd, const ds_sweep_io *io, ds_error *err)
{
  return sweep_name<double_arithmetic>(dpd, io, err);
}
