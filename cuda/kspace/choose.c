/* Mesh and screening parameter for a wanted accuracy, as LAMMPS's kspace_style pppm chooses them.
   SPDX-License-Identifier: GPL-2.0-or-later

   The root mean square error of forces of the mesh is that of Deserno & Holm, J. Chem. Phys. 109, 7694 (1998), eq. 38, for
   derivatives that are products with i k. That of the part in real space is Kolafa & Perram's, Mol. Simul. 9, 351 (1992). */
#include "dpdsop/kspace.h"

#include <math.h>

static const double PI = 3.14159265358979324;

/* Coefficients of the expansion of the mesh's error in powers of the squared mesh width times g_ewald: Deserno & Holm, table
   I. */
static const double expansion[DS_MESH_MOST_ORDER + 1][DS_MESH_MOST_ORDER] = {
    {0.0},
    {2.0 / 3.0},
    {1.0 / 50.0, 5.0 / 294.0},
    {1.0 / 588.0, 7.0 / 1440.0, 21.0 / 3872.0},
    {1.0 / 4320.0, 3.0 / 1936.0, 7601.0 / 2271360.0, 143.0 / 28800.0},
    {1.0 / 23232.0, 7601.0 / 13628160.0, 143.0 / 69120.0, 517231.0 / 106536960.0, 106640677.0 / 11737571328.0},
    {691.0 / 68140800.0, 13.0 / 57600.0, 47021.0 / 35512320.0, 9694607.0 / 2095994880.0, 733191589.0 / 59609088000.0,
     326190917.0 / 11700633600.0},
    {1.0 / 345600.0, 3617.0 / 35512320.0, 745739.0 / 838397952.0, 56399353.0 / 12773376000.0, 25091609.0 / 1560084480.0,
     1755948832039.0 / 36229939200000.0, 4887769399.0 / 37838389248.0}};

static double edge_of(const ds_mesh_choice *c, int axis)
{
  return axis == 2 ? c->edge[2] * c->extended : c->edge[axis];
}

/* Of mesh points that far apart along an axis. */
static double error_along(const ds_mesh_choice *c, int axis, double distance)
{
  const double edge = edge_of(c, axis), width = distance * c->ewald, w2 = width * width;
  double sum = 0.0, power = 1.0;
  for (int m = 0; m < c->order; m++, power *= w2) sum += expansion[c->order][m] * power;
  return c->squares * pow(width, c->order) * sqrt(c->ewald * edge * sqrt(2.0 * PI) * sum / (double) c->natoms) / (edge * edge);
}

/* 1 / distance of mesh points, as LAMMPS takes it for errors. */
static double points_by_length(const ds_mesh_choice *c, int axis)
{
  const double lx = c->edge[0], ly = c->edge[1], lz = edge_of(c, 2), yz = c->tilt[0], xz = c->tilt[1], xy = c->tilt[2];
  if (axis == 0) return c->n[0] / lx;
  if (axis == 1) return c->n[1] / ly - xy / (lx * ly) * c->n[0];
  return c->n[2] / lz - yz / (ly * lz) * c->n[1] + (yz * xy - ly * xz) / (lx * ly * lz) * c->n[0];
}

static double error_of_mesh(const ds_mesh_choice *c)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) {
    const double error = error_along(c, d, 1.0 / points_by_length(c, d));
    sum += error * error;
  }
  return sqrt(sum / 3.0);
}

static double error_of_cutoff(const ds_mesh_choice *c)
{
  const double volume = c->edge[0] * c->edge[1] * c->edge[2];
  return 2.0 * c->squares * exp(-c->ewald * c->ewald * c->cutoff * c->cutoff) /
         sqrt((double) c->natoms * c->cutoff * volume);
}

/* First guess: the error of the part in real space alone is as wanted. */
static double guess_ewald(const ds_mesh_choice *c)
{
  const double volume = c->edge[0] * c->edge[1] * c->edge[2];
  const double part = c->accuracy * sqrt((double) c->natoms * c->cutoff * volume) / (2.0 * c->squares);
  return part >= 1.0 ? (1.35 - 0.15 * log(c->accuracy)) / c->cutoff : sqrt(-log(part)) / c->cutoff;
}

int ds_mesh_next_length(int n)
{
  for (;; n++) {
    int rest = n;
    for (int factor = 2; factor <= 5; factor++)
      while (rest > 1 && rest % factor == 0) rest /= factor;
    if (rest <= 1) return n;
  }
}

/* Finer until the error along the axis is as wanted. LAMMPS begins with points 1 / g_ewald apart, adds a point after it has
   found an error, and so takes one more than it needs; its meshes are to be the same. */
static int choose_length(const ds_mesh_choice *c, int axis)
{
  const double least = edge_of(c, axis) * c->ewald;
  if (!(least < DS_MESH_LONGEST)) return DS_MESH_LONGEST + 1;
  int n = (int) least + 1;
  double distance = 1.0 / c->ewald, error = error_along(c, axis, distance);
  while (error > c->accuracy && n <= DS_MESH_LONGEST) {
    error = error_along(c, axis, distance);
    n++;
    distance = edge_of(c, axis) / n;
  }
  return n;
}

/* In a tilted box points are as dense across its faces. */
static void follow_tilt(ds_mesh_choice *c)
{
  const double x = c->n[0] / c->edge[0], y = c->n[1] / c->edge[1], z = c->n[2] / c->edge[2];
  c->n[0] = (int) (c->edge[0] * x) + 1;
  c->n[1] = (int) (fabs(c->tilt[2]) * x + c->edge[1] * y) + 1;
  c->n[2] = (int) (fabs(c->tilt[1]) * x + fabs(c->tilt[0]) * y + c->edge[2] * z) + 1;
}

static double difference(ds_mesh_choice c, double ewald)
{
  c.ewald = ewald;
  return error_of_cutoff(&c) - error_of_mesh(&c);
}

/* Both errors equal, by Newton's rule. Its step and its end are LAMMPS's. */
static int balance(ds_mesh_choice *c)
{
  const double step = 1e-6, small = 1e-5;
  enum { TRIES = 10000 };
  for (int k = 0; k < TRIES; k++) {
    const double f = difference(*c, c->ewald);
    c->ewald -= f / ((difference(*c, c->ewald + step) - f) / step);
    if (fabs(difference(*c, c->ewald)) < small) return c->ewald > 0.0;
  }
  return 0;
}

static ds_status check(const ds_mesh_choice *c, ds_error *err)
{
  if (c->order < DS_MESH_LEAST_ORDER || c->order > DS_MESH_MOST_ORDER)
    return ds_fail(err, DS_ERR_ARGUMENT, "order %d of splines; allowed: %d to %d", c->order, DS_MESH_LEAST_ORDER,
                   DS_MESH_MOST_ORDER);
  for (int d = 0; d < 3; d++)
    if (!(c->edge[d] > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "edge %g of the box must be > 0", c->edge[d]);
  if (!(c->extended >= 1.0)) return ds_fail(err, DS_ERR_ARGUMENT, "factor %g of the box's height must be >= 1", c->extended);
  if (!(c->cutoff > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "cutoff %g of the part in real space must be > 0", c->cutoff);
  if (c->natoms < 1) return ds_fail(err, DS_ERR_ARGUMENT, "%lld atoms; allowed: 1 or more", (long long) c->natoms);
  const int chooses = !(c->n[0] && c->n[1] && c->n[2]) || c->ewald == 0.0;
  if (chooses && !(c->accuracy > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "accuracy %g must be > 0", c->accuracy);
  if (c->ewald == 0.0 && !(c->squares > 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT, "there are no charges, and a screening parameter is to be chosen");
  if (!(c->ewald >= 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "screening parameter %g must be >= 0", c->ewald);
  return DS_OK;
}

ds_status ds_mesh_choose(ds_mesh_choice *c, ds_error *err)
{
  static const char axis[] = "xyz";
  if (check(c, err)) return DS_ERR_ARGUMENT;
  const int is_given = c->n[0] && c->n[1] && c->n[2], balances = c->ewald == 0.0;
  if (balances) c->ewald = guess_ewald(c);
  for (int d = 0; d < 3 && !is_given; d++) c->n[d] = choose_length(c, d);
  if (!is_given && c->is_triclinic) follow_tilt(c);
  for (int d = 0; d < 3; d++) {
    const int wanted = c->n[d];
    if (wanted > 0) c->n[d] = ds_mesh_next_length(wanted);
    if (c->n[d] < 2 || c->n[d] > DS_MESH_LONGEST)
      return ds_fail(err, DS_ERR_ARGUMENT, "%d mesh points along %c%s; allowed: 2 to %d", wanted, axis[d],
                     is_given ? "" : " or more for this accuracy", DS_MESH_LONGEST);
  }
  if (balances && !balance(c))
    return ds_fail(err, DS_ERR_ARGUMENT, "no screening parameter gives mesh and cutoff the same error with a mesh of %d %d %d",
                   c->n[0], c->n[1], c->n[2]);
  c->mesh_error = error_of_mesh(c);
  c->cutoff_error = error_of_cutoff(c);
  return ds_succeed(err);
}
