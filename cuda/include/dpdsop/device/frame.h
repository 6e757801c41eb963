/* Fixed-point positions. A box edge is 2^bits units, so that a position is an integer, an image is
   exactly a multiple of 2^bits away, and differences are exact and antisymmetric: this is what makes
   forces independent of ranks, list order and hardware. Coordinates are fractional (triclinic and
   changing boxes work).   SPDX-License-Identifier: GPL-2.0-or-later

   Along an axis of which one process has all and the box is wide enough, no ghosts are needed: positions are shifted left
   until the edge is 2^32 units, all that a word can hold. The difference of two positions, modulo 2^32, then is that to
   the nearest image by itself. Units are smaller by the same power of two, so every separation has the same bits as with
   ghosts. */
#ifndef DPDSOP_FRAME_H
#define DPDSOP_FRAME_H

#include "dpdsop/device/base.h"

#include <math.h>
#include <stdint.h>

enum { DS_ALL_AXES = 7 };

/* What kernels need of a box; passed to them by value. */
typedef struct {
  double lo[3];
  double inverse[6]; /* of h, same order, 1/length */
  double units[3];   /* 2^bits: units per box edge, before the shift */
  double low[3];     /* fractional range that an own atom must be in */
  double high[3];
  double near_low[3]; /* and the range that lists are made for: the subdomain and the slack */
  double near_high[3];
  double edge[6]; /* h / (2^(bits + shift) cutoff): one unit in lengths of the largest cutoff */
  double half[3]; /* half an edge along x, y, z, in lengths of the largest cutoff */
  float edgef[6];
  int bits[3];
  int shift[3]; /* 0, or 32 - bits where differences wrap to the nearest image */
  int periodic[3];
  int wrapped;        /* axes along which there are no images, 1 x + 2 y + 4 z; DS_ALL_AXES: no ghosts */
  int tilted;         /* some edge is not along its axis */
  int images_move;    /* some image_rate is not 0 */
  int several_images; /* an atom may see several images of one neighbor within the cutoff (image_noise.h) */
  double image_rate[6];
} ds_frame;

/* Integer position of one atom: 32 bits for single arithmetic, 64 (32 more of fraction) for double. */
typedef struct {
  int32_t x, y, z;
} ds_position32;
typedef ds_position32 ds_position;

typedef struct {
  int64_t x, y, z;
} ds_position64;

/* Fractions of an edge that a length spans at most: 1 / distance of the two faces. `inverse` as in ds_frame. */
DS_FUNC void ds_face_densities(const double inverse[6], double density[3])
{
  density[0] = sqrt(inverse[0] * inverse[0] + inverse[5] * inverse[5] + inverse[4] * inverse[4]);
  density[1] = sqrt(inverse[1] * inverse[1] + inverse[3] * inverse[3]);
  density[2] = fabs(inverse[2]);
}

/* Fractional coordinates of x; plain products and sums, so the same bits everywhere. */
DS_FUNC void ds_fraction(const ds_frame *f, double x, double y, double z, double lambda[3])
{
  const double dx = x - f->lo[0], dy = y - f->lo[1], dz = z - f->lo[2];
  lambda[0] = f->inverse[0] * dx + f->inverse[5] * dy + f->inverse[4] * dz;
  lambda[1] = f->inverse[1] * dy + f->inverse[3] * dz;
  lambda[2] = f->inverse[2] * dz;
}

/* 1 where the atom is in the allowed range; NaN compares false and so is refused. */
DS_FUNC int ds_fraction_ok(const ds_frame *f, const double lambda[3])
{
  return (lambda[0] >= f->low[0]) & (lambda[0] <= f->high[0]) & (lambda[1] >= f->low[1]) & (lambda[1] <= f->high[1]) &
         (lambda[2] >= f->low[2]) & (lambda[2] <= f->high[2]);
}

/* 1 where the atom is within the slack, which is part of the allowed range. */
DS_FUNC int ds_fraction_near(const ds_frame *f, const double lambda[3])
{
  return (lambda[0] >= f->near_low[0]) & (lambda[0] <= f->near_high[0]) & (lambda[1] >= f->near_low[1]) &
         (lambda[1] <= f->near_high[1]) & (lambda[2] >= f->near_low[2]) & (lambda[2] <= f->near_high[2]);
}

/* Round to the nearest unit: adding 1.5 2^52 leaves the integer in the low bits of the mantissa,
   which vectorises without a 64-bit conversion instruction. Valid for |v| < 2^51. */
DS_FUNC int32_t ds_unit32(double v)
{
  return (int32_t) (uint32_t) ds_double_as_ulong(v + 6755399441055744.0);
}

DS_FUNC int64_t ds_unit64(double v)
{
  const double top = v * (1.0 / 4294967296.0);
  const double floor_top = (top + 6755399441055744.0) - 6755399441055744.0;
  const double rest = v - floor_top * 4294967296.0; /* exact: |rest| <= 2^31 */
  const int64_t high = (int64_t) ds_unit32(floor_top) * 4294967296;
  return (int64_t) ((uint64_t) high + ds_double_as_ulong(rest + 6755399441055744.0) - ds_double_as_ulong(6755399441055744.0));
}

/* Modulo a power of two: what is shifted out are whole images. */
DS_FUNC int32_t ds_shift32(int32_t v, int shift)
{
  return (int32_t) ((uint32_t) v << shift);
}

DS_FUNC int64_t ds_shift64(int64_t v, int shift)
{
  return (int64_t) ((uint64_t) v << shift);
}

DS_FUNC ds_position ds_position_of32(const ds_frame *f, const double lambda[3])
{
  ds_position p;
  p.x = ds_shift32(ds_unit32(lambda[0] * f->units[0]), f->shift[0]);
  p.y = ds_shift32(ds_unit32(lambda[1] * f->units[1]), f->shift[1]);
  p.z = ds_shift32(ds_unit32(lambda[2] * f->units[2]), f->shift[2]);
  return p;
}

DS_FUNC ds_position64 ds_position_of64(const ds_frame *f, const double lambda[3])
{
  ds_position64 p;
  p.x = ds_shift64(ds_unit64(lambda[0] * f->units[0] * 4294967296.0), f->shift[0]);
  p.y = ds_shift64(ds_unit64(lambda[1] * f->units[1] * 4294967296.0), f->shift[1]);
  p.z = ds_shift64(ds_unit64(lambda[2] * f->units[2] * 4294967296.0), f->shift[2]);
  return p;
}

/* The ghost that is (ix, iy, iz) box edges away from p: whole images, hence exact. Not along axes where positions wrap,
   which have no images. */
DS_FUNC ds_position ds_position_image32(const ds_frame *f, ds_position p, int ix, int iy, int iz)
{
  p.x = (int32_t) ((uint32_t) p.x + ((uint32_t) ix << f->bits[0]));
  p.y = (int32_t) ((uint32_t) p.y + ((uint32_t) iy << f->bits[1]));
  p.z = (int32_t) ((uint32_t) p.z + ((uint32_t) iz << f->bits[2]));
  return p;
}

DS_FUNC ds_position64 ds_position_image64(const ds_frame *f, ds_position64 p, int ix, int iy, int iz)
{
  p.x = (int64_t) ((uint64_t) p.x + ((uint64_t) (int64_t) ix << (f->bits[0] + 32)));
  p.y = (int64_t) ((uint64_t) p.y + ((uint64_t) (int64_t) iy << (f->bits[1] + 32)));
  p.z = (int64_t) ((uint64_t) p.z + ((uint64_t) (int64_t) iz << (f->bits[2] + 32)));
  return p;
}

/* Difference of two integer coordinates modulo 2^32: the true one, because own atoms and ghosts are
   less than 2^31 units apart (see ds_frame_init); that to the nearest image where positions wrap. */
DS_FUNC int32_t ds_diff32(int32_t a, int32_t b)
{
  return (int32_t) ((uint32_t) a - (uint32_t) b);
}

DS_FUNC int64_t ds_diff64(int64_t a, int64_t b)
{
  return (int64_t) ((uint64_t) a - (uint64_t) b);
}

/* Separation vector of an integer difference, in lengths of the largest cutoff. Rounding to nearest
   is odd, so d(-l) = -d(l) to the bit. */
DS_FUNC void ds_separation32(const ds_frame *f, int32_t lx, int32_t ly, int32_t lz, float *dx, float *dy, float *dz)
{
  const float x = (float) lx, y = (float) ly, z = (float) lz;
  *dx = fmaf(f->edgef[4], z, fmaf(f->edgef[5], y, f->edgef[0] * x));
  *dy = fmaf(f->edgef[3], z, f->edgef[1] * y);
  *dz = f->edgef[2] * z;
}

DS_FUNC void ds_separation64(const ds_frame *f, int64_t lx, int64_t ly, int64_t lz, double *dx, double *dy, double *dz)
{
  const double unit = 1.0 / 4294967296.0;
  const double x = (double) lx * unit, y = (double) ly * unit, z = (double) lz * unit;
  *dx = fma(f->edge[4], z, fma(f->edge[5], y, f->edge[0] * x));
  *dy = fma(f->edge[3], z, f->edge[1] * y);
  *dz = f->edge[2] * z;
}

/* Squared length; the order of the sums is fixed here for every user of a distance. */
DS_FUNC float ds_squaref(float dx, float dy, float dz)
{
  return fmaf(dz, dz, fmaf(dy, dy, dx * dx));
}

DS_FUNC double ds_square(double dx, double dy, double dz)
{
  return fma(dz, dz, fma(dy, dy, dx * dx));
}

#endif
