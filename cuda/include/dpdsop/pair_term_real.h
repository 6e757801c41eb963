/* Geometry, term and virial of a pair, for one arithmetic (pair_term.h). No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */

/* Separation and relative velocity of a pair, i minus j; lengths in largest cutoffs. */
typedef struct {
  DS_REAL dx, dy, dz, vx, vy, vz, r2;
} DS_R(ds_pair_geometry);

/* What a pair adds to atom i, times the scales of fixed_sum.h, before it is rounded. */
typedef struct {
  DS_REAL fx, fy, fz, energy;
} DS_R(ds_pair_term);

/* The relative velocity of i and of the image of j that it sees: dv has been the difference of velocities in the box.
   Rounding to nearest is odd, so i and j get the same numbers with opposite signs. */
DS_FUNC void DS_R(ds_pair_move_image)(const ds_frame *f, const int edges[3],
                                      DS_R(ds_pair_geometry) * p)
{
  const DS_REAL x = (DS_REAL) edges[0], y = (DS_REAL) edges[1], z = (DS_REAL) edges[2];
  const double *const rate = f->image_rate;
  p->vx -= DS_R(ds_fma)((DS_REAL) rate[4], z,
                        DS_R(ds_fma)((DS_REAL) rate[5], y, (DS_REAL) rate[0] * x));
  p->vy -= DS_R(ds_fma)((DS_REAL) rate[3], z, (DS_REAL) rate[1] * y);
  p->vz -= (DS_REAL) rate[2] * z;
}

/* Makes the pair of i and j that of i and the image of j that it sees, which has a velocity and noise of its own where
   images differ (ds_images_differ). xi, xj: the integer positions; signature: those of i and j. */
DS_FUNC void DS_R(ds_pair_use_image)(const ds_frame *f, const DS_R(ds_word) xi[3],
                                     const DS_R(ds_word) xj[3], DS_R(ds_pair_geometry) * p,
                                     uint32_t signature[2])
{
  const int edges[3] = {DS_R(ds_edges_between)(f, 0, xi[0], xj[0]),
                        DS_R(ds_edges_between)(f, 1, xi[1], xj[1]),
                        DS_R(ds_edges_between)(f, 2, xi[2], xj[2])};
  DS_R(ds_pair_move_image)(f, edges, p);
  const int number[3] = {DS_R(ds_image_number)(f, 0, DS_R(ds_diff)(xi[0], xj[0])),
                         DS_R(ds_image_number)(f, 1, DS_R(ds_diff)(xi[1], xj[1])),
                         DS_R(ds_image_number)(f, 2, DS_R(ds_diff)(xi[2], xj[2]))};
  const uint32_t image = ds_image_word(number, signature[0], signature[1]);
  signature[0] ^= image;
  signature[1] ^= image;
}

/* r_ij . v_ij */
DS_FUNC DS_REAL DS_R(ds_pair_dot)(const DS_R(ds_pair_geometry) * p)
{
  return DS_R(ds_fma)(p->dz, p->vz, DS_R(ds_fma)(p->dy, p->vy, p->dx * p->vx));
}

/* w = 1 - r/rc (Tang & Karniadakis 2014, eq. 8 with s = 1). Rounding may leave it at or below zero just inside the
   cutoff; the floor keeps a power of it defined and is far below the resolution of a force. */
DS_FUNC DS_REAL DS_R(ds_pair_weight)(DS_REAL r, DS_REAL inverse_cut)
{
  const DS_REAL w = DS_R(ds_fma)(-r, inverse_cut, (DS_REAL) 1);
  return w > (DS_REAL) DS_TINY ? w : (DS_REAL) DS_TINY;
}

/* w^s; s = 1 is chosen by value, so that it gives the same bits whichever variant of a kernel is compiled. */
DS_FUNC DS_REAL DS_R(ds_pair_weight_power)(DS_REAL w, DS_REAL power, int general)
{
  if (!general) return w;
  const DS_REAL p = DS_R(ds_power)(w, power);
  return power == (DS_REAL) 1 ? w : p;
}

/* Virial xx yy zz xy xz yz of a pair, from its scaled force; even under exchange of i and j. */
DS_FUNC void DS_R(ds_pair_virial)(const DS_R(ds_pair_geometry) * p, const DS_R(ds_pair_term) * t,
                                  DS_REAL v[6])
{
  v[0] = p->dx * t->fx;
  v[1] = p->dy * t->fy;
  v[2] = p->dz * t->fz;
  v[3] = p->dx * t->fy;
  v[4] = p->dx * t->fz;
  v[5] = p->dy * t->fz;
}
