/* An evaluator in each arithmetic, as a type which sweeps take, and the GPU's sweeps with it; included through each_style.h.
   No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#define DS_FORMULAS "../force/evaluator.cuh" /* this file's second part, from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"

/* By precision, in the order of ds_precision. */
static const ds_force_stages DS_E(stages)[DS_PRECISIONS] = {force_stages<DS_E(evaluatorf)>(), force_stages<DS_E(evaluator)>()};

#else

struct DS_ER(evaluator) {
  typedef DS_ER(coeff) coefficients;
  typedef DS_W(storage) storage;
  typedef DS_REAL real;
  typedef DS_R(ds_pair_geometry) geometry;
  typedef DS_R(ds_pair_term) term;
  enum { charged = DS_CHARGED };
  enum { blocks = sizeof(DS_REAL) == sizeof(float) ? 8 : 4 }; /* that share a multiprocessor */
  static __device__ __forceinline__ real find_separation(const ds_frame &f, const storage::position &a,
                                                         const storage::position &b, real *dx, real *dy, real *dz)
  {
    DS_W(ds_separation)
    (&f, DS_W(ds_diff)(a.x, b.x), DS_W(ds_diff)(a.y, b.y), DS_W(ds_diff)(a.z, b.z), dx, dy, dz);
    return DS_R(ds_square)(*dx, *dy, *dz);
  }
  /* In a wide box of one process nearly all pairs see each other in the same box, and noise does not differ. */
  static __device__ __forceinline__ void use_image(const ds_frame &f, const storage::position &a, const storage::position &b,
                                                   geometry *p, uint32_t signature[2])
  {
    const DS_WORD x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    const bool wraps = f.shift[0] && f.shift[1] && f.shift[2];
    int edges[3], number[3];
    if (f.several_images) {
      if (DS_R(ds_pair_find_image)(&f, x, y, edges, number)) DS_R(ds_pair_use_image)(&f, edges, number, p, signature);
    } else if (!wraps || (DS_W(ds_across_face)(x[0], y[0]) | DS_W(ds_across_face)(x[1], y[1]) |
                          DS_W(ds_across_face)(x[2], y[2])) < 0) {
      for (int d = 0; d < 3; d++) edges[d] = DS_W(ds_edges_between)(&f, d, x[d], y[d]);
      DS_R(ds_pair_move_image)(&f, edges, p);
    }
  }
  static __device__ __forceinline__ void virial(const geometry &p, const term &t, real w[6])
  {
    DS_R(ds_pair_virial)(&p, &t, w);
  }
  static __device__ __forceinline__ bool in_range(const term &t)
  {
    return DS_W(ds_in_range)(t.fx) & DS_W(ds_in_range)(t.fy) & DS_W(ds_in_range)(t.fz);
  }
  static __device__ __forceinline__ int64_t round(real x) { return DS_W(ds_round)(x); }
  static constexpr auto evaluate = DS_ER(term);
#ifdef DS_HAS_DENSITY
  enum { has_density = 1 };
  typedef slot_densities<DS_REAL> densities;
  static constexpr auto density = DS_ER(density);
#else
  enum { has_density = 0 };
  typedef no_densities densities;
#endif
};

#endif
