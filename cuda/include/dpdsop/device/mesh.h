/* mesh.h: charges and fields on a mesh, and the influence function.   SPDX-License-Identifier: GPL-2.0-or-later

   Mesh point m lies at lo + m / per_length, in each direction modulo n; x is the fastest index. A charge is spread over `order`
   points along each axis, by the centered B-spline of that order. Wave numbers of index k are 2 pi per / edge, per = k below
   n / 2 and k - n from there on. Sources: Hockney & Eastwood 1988, ch. 5 and 8; Deserno & Holm, J. Chem. Phys. 109, 7678 (1998). */
#ifndef DPDSOP_MESH_H
#define DPDSOP_MESH_H

#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/device/fourier.h"
#include "dpdsop/kspace.h"

typedef struct {
  int n[3], order;
  double lo[3], per_length[3];
} ds_mesh_grid;

/* Where a charge is: the mesh points along each axis that it is spread over, and their weights. */
typedef struct {
  int point[3][DS_MESH_MOST_ORDER];
  double weight[3][DS_MESH_MOST_ORDER];
} ds_mesh_place;

#define DS_MESH_FAR 1048576.0

/* A coordinate in mesh points; not below DS_MESH_FAR by size where the position is out of range. */
DS_FUNC double ds_mesh_coordinate(const ds_mesh_grid *g, int axis, double x)
{
  return (x - g->lo[axis]) * g->per_length[axis];
}

DS_FUNC int ds_mesh_is_near(const ds_mesh_grid *g, const double x[3])
{
  int near = 1;
  for (int d = 0; d < 3; d++) near &= fabs(ds_mesh_coordinate(g, d, x[d])) < DS_MESH_FAR; /* false for NaN */
  return near;
}

/* Values of the B-spline at `order` points a distance 1 apart, the first at theta in (0, 1], by Cox and de Boor's recursion. */
DS_FUNC void ds_spline_weights(int order, double theta, double *weight)
{
  weight[0] = 1.0;
  DS_UNROLL(7)
  for (int p = 2; p <= order; p++) {
    const double by = 1.0 / (double) (p - 1);
    weight[p - 1] = (1.0 - theta) * weight[p - 2] * by;
    DS_UNROLL(7)
    for (int j = p - 2; j > 0; j--)
      weight[j] = ((theta + (double) j) * weight[j] + ((double) (p - j) - theta) * weight[j - 1]) * by;
    weight[0] = theta * weight[0] * by;
  }
}

/* Along one axis. Splines may be wider than the mesh. */
DS_FUNC void ds_mesh_place_along(const ds_mesh_grid *g, int order, int axis, double x, ds_mesh_place *p)
{
  const double begin = ds_mesh_coordinate(g, axis, x) - 0.5 * (double) order, below = floor(begin);
  const int n = g->n[axis];
  int at = ((int) below + 1) % n;
  if (at < 0) at += n;
  ds_spline_weights(order, (below + 1.0) - begin, p->weight[axis]);
  for (int k = 0; k < order; k++) {
    p->point[axis][k] = at;
    at = at + 1 < n ? at + 1 : 0;
  }
}

/* Where a row along x begins, of the points number b along y and c along z. */
DS_FUNC size_t ds_mesh_row_of(const int n[3], const ds_mesh_place *p, int b, int c)
{
  return ((size_t) p->point[2][c] * (size_t) n[1] + (size_t) p->point[1][b]) * (size_t) n[0];
}

/* What a point gets of a charge, given as a number of the mesh's units. */
DS_FUNC int64_t ds_mesh_share(double charge, double wz, double wy, double wx)
{
  return ds_round64(charge * wz * wy * wx);
}

/* The part of the points number a along x in a pair of fields at a charge. Neighboring threads take neighboring points. */
DS_FUNC ds_complex ds_mesh_plane(const ds_complex *field, const int n[3], const ds_mesh_place *p, int order, int a)
{
  ds_complex sum = {0.0, 0.0};
  for (int c = 0; c < order; c++) {
    ds_complex along = {0.0, 0.0};
    for (int b = 0; b < order; b++) {
      const ds_complex e = field[ds_mesh_row_of(n, p, b, c) + (size_t) p->point[0][a]];
      along.re += p->weight[1][b] * e.re;
      along.im += p->weight[1][b] * e.im;
    }
    sum.re += p->weight[2][c] * along.re;
    sum.im += p->weight[2][c] * along.im;
  }
  sum.re *= p->weight[0][a];
  sum.im *= p->weight[0][a];
  return sum;
}

/* ----------------------------------------------------------------------------------------- wave vectors */

/* What is known of an index along one axis, in a row: the wave number, and as derivatives take it (0 for the shortest wave, whose
   derivative vanishes on the mesh); the denominator's factor; then of each image of the wave vector, from -images to images, its
   wave number, and the product of its Gauss factor and of the transform of the spline, squared. */
enum { DS_WAVE = 0, DS_SLOPE, DS_DENOMINATOR, DS_WAVE_IMAGES };

DS_FUNC int ds_wave_row(int images)
{
  return DS_WAVE_IMAGES + 2 * (2 * images + 1);
}

/* LAMMPS's 4 pi, which it has to nine digits: its numbers are to be comparable. */
#define DS_MESH_FOUR_PI 12.5663706

/* Influence function with the least error of forces if derivatives are products with i k. */
DS_FUNC double ds_influence(const double *x, const double *y, const double *z, const int images[3])
{
  const double kx = x[DS_WAVE], ky = y[DS_WAVE], kz = z[DS_WAVE], k2 = kx * kx + ky * ky + kz * kz;
  const double d = x[DS_DENOMINATOR] * y[DS_DENOMINATOR] * z[DS_DENOMINATOR];
  double sum = 0.0;
  if (k2 == 0.0) return 0.0;
  for (int a = 0; a <= 2 * images[0]; a++) {
    const double qx = x[DS_WAVE_IMAGES + 2 * a], sx = x[DS_WAVE_IMAGES + 2 * a + 1];
    for (int b = 0; b <= 2 * images[1]; b++) {
      const double qy = y[DS_WAVE_IMAGES + 2 * b], sxy = sx * y[DS_WAVE_IMAGES + 2 * b + 1];
      for (int c = 0; c <= 2 * images[2]; c++) {
        const double qz = z[DS_WAVE_IMAGES + 2 * c];
        const double both = kx * qx + ky * qy + kz * qz, q2 = qx * qx + qy * qy + qz * qz;
        sum += both / q2 * (sxy * z[DS_WAVE_IMAGES + 2 * c + 1]);
      }
    }
  }
  return DS_MESH_FOUR_PI / k2 * sum / (d * d);
}

/* Of two wave numbers, whose waves may be the shortest ones: what is left of both derivatives. */
DS_FUNC double ds_mesh_slopes(const double *a, const double *b)
{
  return a[DS_SLOPE] == 0.0 && b[DS_SLOPE] == 0.0 ? a[DS_WAVE] * b[DS_WAVE] : a[DS_SLOPE] * b[DS_SLOPE];
}

/* What the energy of a mode is multiplied by to get its virial, xx yy zz xy xz yz. */
DS_FUNC void ds_mode_virial(const double *x, const double *y, const double *z, double ewald, double v[6])
{
  const double kx = x[DS_WAVE], ky = y[DS_WAVE], kz = z[DS_WAVE], k2 = kx * kx + ky * ky + kz * kz;
  const double term = k2 == 0.0 ? 0.0 : -2.0 * (1.0 / k2 + 0.25 / (ewald * ewald)), one = k2 == 0.0 ? 0.0 : 1.0;
  v[0] = one + term * kx * kx;
  v[1] = one + term * ky * ky;
  v[2] = one + term * kz * kz;
  v[3] = term * ds_mesh_slopes(x, y);
  v[4] = term * ds_mesh_slopes(x, z);
  v[5] = term * ds_mesh_slopes(y, z);
}

/* Two real fields are transformed back as one complex one, the first the real part: the field along x and y; along z, and the
   potential; then three pairs of virials. */
enum { DS_MESH_FIELD_XY = 0, DS_MESH_FIELD_Z, DS_MESH_VIRIALS, DS_MESH_PAIRS = DS_MESH_VIRIALS + 3 };

/* Of a mode with that part of the potential. The field is -i k times the potential. */
DS_FUNC ds_complex ds_mode_pair(int pair, const double *x, const double *y, const double *z, double ewald, ds_complex potential)
{
  double v[6], a, b;
  ds_complex both;
  if (pair == DS_MESH_FIELD_XY) {
    a = x[DS_SLOPE];
    b = y[DS_SLOPE];
    both.re = a * potential.im + b * potential.re;
    both.im = b * potential.im - a * potential.re;
  } else if (pair == DS_MESH_FIELD_Z) {
    a = z[DS_SLOPE];
    both.re = a * potential.im - potential.im;
    both.im = potential.re - a * potential.re;
  } else {
    ds_mode_virial(x, y, z, ewald, v);
    a = pair == DS_MESH_VIRIALS ? v[0] : pair == DS_MESH_VIRIALS + 1 ? v[2] : v[4];
    b = pair == DS_MESH_VIRIALS ? v[1] : pair == DS_MESH_VIRIALS + 1 ? v[3] : v[5];
    both.re = a * potential.re - b * potential.im;
    both.im = a * potential.im + b * potential.re;
  }
  return both;
}

/* ------------------------------------------------------------------------------------------------ atoms */

/* What the force and the energy of a charge need besides the fields there. */
typedef struct {
  double strength;
  double self;       /* energy of a unit charge with its own cloud, by strength */
  double background; /* energy of a unit charge with the charge that makes the box neutral, likewise */
  int slab;          /* ds_slab */
  double slab_factor, height; /* 2 pi / volume; edge of the mesh along z */
  double charge;     /* of all atoms */
} ds_mesh_charge;

/* Two sums over all charges, for the slab: of q z and q z^2, z from the lower face of the box. */
typedef struct {
  double dipole, second;
} ds_mesh_dipole;

/* Force of the fields e, and what the slabs' dipole adds to it. */
DS_FUNC void ds_mesh_force(const ds_mesh_charge *c, const ds_mesh_dipole *d, double q, double z, const double e[3], double f[3])
{
  const double factor = c->strength * q;
  f[0] += factor * e[0];
  f[1] += factor * e[1];
  if (c->slab != DS_SLAB_NO_Z_FORCE) f[2] += factor * e[2];
  if (c->slab == DS_SLAB_DIPOLE) f[2] += factor * (-2.0 * c->slab_factor) * (d->dipole - c->charge * z);
}

/* Energy of a charge, half of that with each other one. */
DS_FUNC double ds_mesh_energy(const ds_mesh_charge *c, const ds_mesh_dipole *d, double q, double z, double potential)
{
  double energy = 0.5 * q * potential - (c->self * q * q + c->background * q);
  if (c->slab == DS_SLAB_DIPOLE)
    energy += c->slab_factor * q *
              (z * d->dipole - 0.5 * (d->second + c->charge * z * z) - c->charge * c->height * c->height / 12.0);
  return c->strength * energy;
}

#endif
