/* mesh.h: charges and fields on a mesh, and the influence function.   SPDX-License-Identifier: GPL-2.0-or-later

   Mesh points divide each edge of the box, tilted or not, into n parts, modulo n; x is the fastest index. A charge is spread
   over `order` points along each edge, by the centered B-spline of that order. An index k along an edge stands for k times the
   vector of the reciprocal lattice below n / 2, and for k - n times that from there on. Sources: Hockney & Eastwood 1988, ch. 5
   and 8; Deserno & Holm, J. Chem. Phys. 109, 7678 (1998). */
#ifndef DPDSOP_MESH_H
#define DPDSOP_MESH_H

#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/device/fourier.h"
#include "dpdsop/device/screening.h"
#include "dpdsop/kspace.h"

typedef struct {
  int n[3], order;
  double lo[3], per_length[3], per_tilt[3]; /* mesh points by length along x y z; along y by length in z, x in z, x in y */
} ds_mesh_grid;

/* Where a charge is: the mesh points along each axis that it is spread over, each as what it adds to the number of a point in
   the mesh, and their weights. */
typedef struct {
  int point[3][DS_MESH_MOST_ORDER];
  double weight[3][DS_MESH_MOST_ORDER];
} ds_mesh_place;

#define DS_MESH_FAR 1048576.0

/* A coordinate in mesh points; not below DS_MESH_FAR by size where the position is out of range. */
DS_FUNC double ds_mesh_coordinate(const ds_mesh_grid *g, int axis, const double x[3])
{
  const double dx = x[0] - g->lo[0], dy = x[1] - g->lo[1], dz = x[2] - g->lo[2];
  if (axis == 0) return dx * g->per_length[0] + dy * g->per_tilt[2] + dz * g->per_tilt[1];
  if (axis == 1) return dy * g->per_length[1] + dz * g->per_tilt[0];
  return dz * g->per_length[2];
}

DS_FUNC int ds_mesh_is_near(const ds_mesh_grid *g, const double x[3])
{
  int near = 1;
  for (int d = 0; d < 3; d++) near &= fabs(ds_mesh_coordinate(g, d, x)) < DS_MESH_FAR; /* false for NaN */
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
DS_FUNC void ds_mesh_place_along(const ds_mesh_grid *g, int order, int axis, const double x[3], ds_mesh_place *p)
{
  const double begin = ds_mesh_coordinate(g, axis, x) - 0.5 * (double) order, below = floor(begin);
  const int n = g->n[axis], stride = axis == 0 ? 1 : axis == 1 ? g->n[0] : g->n[0] * g->n[1];
  int at = ((int) below + 1) % n;
  if (at < 0) at += n;
  ds_spline_weights(order, (below + 1.0) - begin, p->weight[axis]);
  for (int k = 0; k < order; k++) {
    p->point[axis][k] = at * stride;
    at = at + 1 < n ? at + 1 : 0;
  }
}

/* Number of a point in the mesh: a along x, b along y, c along z. */
DS_FUNC int ds_mesh_point_of(const ds_mesh_place *p, int a, int b, int c)
{
  return p->point[2][c] + p->point[1][b] + p->point[0][a];
}

/* What a point gets of a charge, given as a number of the mesh's units. */
DS_FUNC int64_t ds_mesh_share(double charge, double wz, double wy, double wx)
{
  return ds_round64(charge * wz * wy * wx);
}

/* Of a pair of fields at a charge: what the points number a along x and c along z have of it, a column along y. */
DS_FUNC ds_complex ds_mesh_column(const ds_complex *field, const ds_mesh_place *p, int order, int a, int c)
{
  ds_complex sum = {0.0, 0.0};
  for (int b = 0; b < order; b++) {
    const ds_complex e = field[ds_mesh_point_of(p, a, b, c)];
    sum.re += p->weight[1][b] * e.re;
    sum.im += p->weight[1][b] * e.im;
  }
  return sum;
}

/* And all points number a along x, from their columns: column[c * stride] for c along z. */
DS_FUNC ds_complex ds_mesh_plane(const ds_mesh_place *p, int order, int a, const ds_complex *column, int stride)
{
  ds_complex sum = {0.0, 0.0};
  for (int c = 0; c < order; c++) {
    sum.re += p->weight[2][c] * column[c * stride].re;
    sum.im += p->weight[2][c] * column[c * stride].im;
  }
  sum.re *= p->weight[0][a];
  sum.im *= p->weight[0][a];
  return sum;
}

/* ----------------------------------------------------------------------------------------- wave vectors */

/* What is known of an index along one edge, in a row: its part of the wave vector; whether it is that of the shortest wave; its
   factor of the denominator; then for each image of the wave vector, from -images to images, the part of that, and the
   transform of the spline, squared. */
enum { DS_WAVE = 0, DS_SHORTEST = 3, DS_DENOMINATOR, DS_WAVE_IMAGES, DS_IMAGE_NUMBERS = 4 };

DS_FUNC int ds_wave_row(int images)
{
  return DS_WAVE_IMAGES + DS_IMAGE_NUMBERS * (2 * images + 1);
}

/* A mode: rows of its three indices, and those of the indices with other sign. The shortest wave is its own opposite, as the
   mesh cannot tell them apart: the mirrored wave vector then is not the opposite of the first. */
typedef struct {
  const double *row[3], *mirror[3];
  int is_shortest; /* some index is that of the shortest wave */
} ds_mode;

DS_FUNC void ds_wave_vector(const double *const row[3], double k[3])
{
  for (int d = 0; d < 3; d++) k[d] = row[0][DS_WAVE + d] + row[1][DS_WAVE + d] + row[2][DS_WAVE + d];
}

/* LAMMPS's 4 pi, which it has to nine digits: its numbers are to be comparable. */
#define DS_MESH_FOUR_PI 12.5663706

/* Influence function with the least error of forces if derivatives are products with i k. */
DS_FUNC double ds_influence(const double *const row[3], const int images[3], double ewald)
{
  const double d = row[0][DS_DENOMINATOR] * row[1][DS_DENOMINATOR] * row[2][DS_DENOMINATOR], by = 0.25 / (ewald * ewald);
  double k[3], sum = 0.0;
  ds_wave_vector(row, k);
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  if (k2 == 0.0) return 0.0;
  const double *x = row[0] + DS_WAVE_IMAGES;
  for (int a = 0; a <= 2 * images[0]; a++, x += DS_IMAGE_NUMBERS) {
    const double *y = row[1] + DS_WAVE_IMAGES;
    for (int b = 0; b <= 2 * images[1]; b++, y += DS_IMAGE_NUMBERS) {
      const double *z = row[2] + DS_WAVE_IMAGES;
      for (int c = 0; c <= 2 * images[2]; c++, z += DS_IMAGE_NUMBERS) {
        const double qx = x[0] + y[0] + z[0], qy = x[1] + y[1] + z[1], qz = x[2] + y[2] + z[2];
        const double both = k[0] * qx + k[1] * qy + k[2] * qz, q2 = qx * qx + qy * qy + qz * qz;
        sum += both / q2 * (ds_exp_minus(q2 * by) * (x[3] * y[3] * z[3]));
      }
    }
  }
  return DS_MESH_FOUR_PI / k2 * sum / (d * d);
}

/* Of a mode and its mirrored one, whose potentials are real only together: the mean. */
DS_FUNC double ds_mode_influence(const ds_mode *m, const int images[3], double ewald)
{
  const double g = ds_influence(m->row, images, ewald);
  return m->is_shortest ? 0.5 * (g + ds_influence(m->mirror, images, ewald)) : g;
}

/* The parts that a mode of a shortest wave and its mirrored one have in it. */
DS_FUNC void ds_mode_parts(const ds_mode *m, const int images[3], double ewald, double part[2])
{
  const double g = ds_influence(m->row, images, ewald), mirrored = ds_influence(m->mirror, images, ewald), both = g + mirrored;
  part[0] = both == 0.0 ? 0.5 : g / both;
  part[1] = both == 0.0 ? 0.5 : mirrored / both;
}

/* What a derivative of the potential multiplies it by, without i. Of the shortest wave along an edge it is nothing. part:
   ds_mode_parts, of a mode of a shortest wave. */
DS_FUNC void ds_mode_slope(const ds_mode *m, const double part[2], double slope[3])
{
  double mirrored[3];
  ds_wave_vector(m->row, slope);
  if (!m->is_shortest) return;
  ds_wave_vector(m->mirror, mirrored);
  for (int d = 0; d < 3; d++) slope[d] = part[0] * slope[d] - part[1] * mirrored[d];
}

DS_FUNC void ds_wave_virial(const double *const row[3], double ewald, double v[6])
{
  double k[3];
  ds_wave_vector(row, k);
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  const double term = k2 == 0.0 ? 0.0 : -2.0 * (1.0 / k2 + 0.25 / (ewald * ewald)), one = k2 == 0.0 ? 0.0 : 1.0;
  for (int d = 0; d < 3; d++) v[d] = one + term * k[d] * k[d];
  v[3] = term * k[0] * k[1];
  v[4] = term * k[0] * k[2];
  v[5] = term * k[1] * k[2];
}

/* What the energy of a mode is multiplied by to get its virial, xx yy zz xy xz yz. */
DS_FUNC void ds_mode_virial(const ds_mode *m, const double part[2], double ewald, double v[6])
{
  double mirrored[6];
  ds_wave_virial(m->row, ewald, v);
  if (!m->is_shortest) return;
  ds_wave_virial(m->mirror, ewald, mirrored);
  for (int k = 0; k < 6; k++) v[k] = part[0] * v[k] + part[1] * mirrored[k];
}

/* Two real fields are transformed back as one complex one, the first the real part: the field along x and y; along z, and the
   potential; then three pairs of virials. */
enum { DS_MESH_FIELD_XY = 0, DS_MESH_FIELD_Z, DS_MESH_VIRIALS, DS_MESH_PAIRS = DS_MESH_VIRIALS + 3 };

/* Of a mode with that part of the potential. The field is -i k times the potential. */
DS_FUNC ds_complex ds_mode_pair(const ds_mode *m, int pair, const double part[2], double ewald, ds_complex potential)
{
  double k[3], v[6], a, b;
  ds_complex both;
  if (pair < DS_MESH_VIRIALS) {
    ds_mode_slope(m, part, k);
    if (pair == DS_MESH_FIELD_XY) {
      both.re = k[0] * potential.im + k[1] * potential.re;
      both.im = k[1] * potential.im - k[0] * potential.re;
    } else {
      both.re = k[2] * potential.im - potential.im;
      both.im = potential.re - k[2] * potential.re;
    }
    return both;
  }
  ds_mode_virial(m, part, ewald, v);
  a = pair == DS_MESH_VIRIALS ? v[0] : pair == DS_MESH_VIRIALS + 1 ? v[2] : v[4];
  b = pair == DS_MESH_VIRIALS ? v[1] : pair == DS_MESH_VIRIALS + 1 ? v[3] : v[5];
  both.re = a * potential.re - b * potential.im;
  both.im = a * potential.im + b * potential.re;
  return both;
}

/* ------------------------------------------------------------------------------------------------ atoms */

/* What the force and the energy of a charge need besides the fields there. */
typedef struct {
  double strength;
  double self;                /* energy of a unit charge with its own cloud, by strength */
  double background;          /* energy of a unit charge with the charge that makes the box neutral, likewise */
  int slab;                   /* ds_slab */
  double slab_factor, height; /* 2 pi / volume; edge of the mesh along z */
  double charge;              /* of all atoms */
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
    energy +=
        c->slab_factor * q * (z * d->dipole - 0.5 * (d->second + c->charge * z * z) - c->charge * c->height * c->height / 12.0);
  return c->strength * energy;
}

#endif
