/* steps_programs.h: programs with each kind of operation, in variants, for given particles.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_STEPS_PROGRAMS_H
#define DPDSOP_TEST_STEPS_PROGRAMS_H

#include "support/steps.h"

/* What programs are made for: the particles, and how many of the variants of a kind. */
typedef struct {
  const atoms *a;
  double lo[3], hi[3], fastest; /* of positions; the largest component of a velocity */
  int variant;
} purpose;

static purpose purpose_of(const atoms *a)
{
  purpose u = {a, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 0.0, 0};
  for (int k = 0; k < 3 * a->n; k++) {
    const int d = k % 3;
    u.lo[d] = k < 3 ? a->x[k] : fmin(u.lo[d], a->x[k]);
    u.hi[d] = k < 3 ? a->x[k] : fmax(u.hi[d], a->x[k]);
    u.fastest = fmax(u.fastest, fabs(a->v[k]));
  }
  return u;
}

static double middle_of(const purpose *u, int d)
{
  return 0.5 * (u->lo[d] + u->hi[d]);
}

/* Half of the particles. */
static int half_of_them(ds_step_program *p, const purpose *u)
{
  ds_region *const r = add_region(p, DS_REGION_PLANE);
  for (int d = 0; d < 3; d++) r->number[d] = middle_of(u, d);
  r->number[3] = 1.0;
  r->number[5] = -0.5;
  return p->nregions - 1;
}

static void set_sums(ds_operation *o, int n, const purpose *u)
{
  static const double units[3] = {1.0, 64.0, 0.125};
  o->nsums = n;
  o->unit = units[u->variant % 3];
}

/* Numbers `at` to `at` + 2: which axes count, one of the eight ways. */
static void set_axes(ds_operation *o, int at, int way)
{
  for (int d = 0; d < 3; d++) o->number[at + d] = way >> d & 1;
}

static const double force[3] = {0.75, -1.3, 0.4};

static void nve(ds_step_program *p, const purpose *u)
{
  static const ds_operation_kind kinds[4] = {DS_NVE_INITIAL, DS_NVE_FINAL, DS_NVE_LIMIT_INITIAL, DS_NVE_LIMIT_FINAL};
  static const double number[3] = {0.3, 0.15, 1.5};
  const int first = u->variant % 2 == 0;
  ds_operation *const o = add_operation(p, kinds[u->variant % 4], first ? DS_AT_INITIAL : DS_AT_FINAL);
  set_numbers(o, 0, 3, number);
  if (u->variant & 4) o->group = GROUP_ONE;
  if (u->variant & 8) o->region = half_of_them(p, u);
}

static void whole_step(ds_step_program *p, const purpose *u)
{
  static const double number[2] = {0.3, 0.15};
  for (int k = 0; k < 4; k++) {
    ds_operation *const o =
        add_operation(p, k < 2 ? DS_NVE_FINAL : DS_NVE_INITIAL, k < 2 ? DS_AT_FINAL : DS_AT_INITIAL);
    set_numbers(o, 0, 2, number);
    o->group = k % 2 ? GROUP_TWO : GROUP_ONE;
    if (u->variant == 1 && k == 3) o->number[0] = 0.4; /* of another time step */
  }
}

static void add_force(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_ADD_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, force);
  set_sums(o, 4, u);
  if (u->variant & 1) o->region = half_of_them(p, u);
  if (u->variant & 2) o->flags = o->region >= 0 ? DS_OUTSIDE_REGION : 0;
  if (u->variant & 4) o->group = GROUP_TWO;
}

static void set_force(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_SET_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, force);
  set_axes(o, 3, u->variant);
  set_sums(o, 3, u);
  if (u->variant == 6) o->region = half_of_them(p, u);
}

static void average_force(ds_step_program *p, const purpose *u)
{
  ds_operation *const sum = add_operation(p, DS_SUM_FORCE, DS_AT_POST_FORCE);
  set_sums(sum, 4, u);
  ds_operation *const o = add_reader(p, DS_AVERAGE_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, force);
  set_axes(o, 3, u->variant);
  if (u->variant & 2) sum->group = o->group = GROUP_TWO;
  if (u->variant & 4) sum->region = o->region = half_of_them(p, u);
}

static void gravity(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_GRAVITY, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, force);
  set_sums(o, 1, u);
  if (u->variant) o->group = GROUP_ONE;
}

static void langevin(ds_step_program *p, const purpose *u)
{
  static const double number[3] = {-1.7, 12.5, 48271.0};
  ds_operation *const o = add_operation(p, DS_LANGEVIN, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, number);
  set_sums(o, 4, u);
  if (u->variant & 1) o->number[2] = 2147483646.0 * 65536.0;
  if (u->variant & 2) o->number[0] = 0.0;
}

static void spring_tether(ds_step_program *p, const purpose *u)
{
  static const double number[4] = {3.5, 11.0, -7.0, 40.0};
  ds_operation *const center = add_operation(p, DS_SUM_CENTER, DS_AT_POST_FORCE);
  center->number[0] = u->variant & 1 ? 0.5 : 4.0;
  set_sums(center, 4, u);
  ds_operation *const o = add_reader(p, DS_SPRING_TETHER, DS_AT_POST_FORCE);
  set_numbers(o, 0, 4, number);
  set_axes(o, 4, u->variant);
  o->number[7] = u->variant & 2 ? 0.0 : 2.5;
  o->number[8] = center->number[0];
}

static void spring_self(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_SPRING_SELF, DS_AT_POST_FORCE);
  o->number[0] = 2.3;
  o->anchor = u->variant % DS_MOST_ANCHORS;
  set_axes(o, 1, u->variant);
  set_sums(o, 1, u);
}

static void displacement(ds_step_program *p, const purpose *u)
{
  if (u->variant & 1) {
    ds_operation *const center = add_operation(p, DS_SUM_CENTER, DS_AT_SUMS);
    center->number[0] = 2.0;
    set_sums(center, 4, u);
  }
  ds_operation *const o = add_operation(p, DS_SUM_DISPLACEMENT, DS_AT_SUMS);
  o->anchor = u->variant;
  set_sums(o, 3, u);
  if (u->variant & 1) {
    o->flags = DS_AFTER_SUMS;
    o->from = 0;
    o->number[0] = 2.0;
  }
}

static void move_linear(ds_step_program *p, const purpose *u)
{
  static const double number[3] = {3.0, 0.25, 0.125}; /* step at the anchor, time step, half of it */
  for (int first = 0; first < 2; first++) {
    ds_operation *const o = add_operation(p, first ? DS_MOVE_LINEAR_INITIAL : DS_MOVE_LINEAR_FINAL,
                                          first ? DS_AT_INITIAL : DS_AT_FINAL);
    set_numbers(o, 0, 3, force);
    set_axes(o, 3, u->variant);
    set_numbers(o, 6, 3, number);
    o->anchor = 2;
  }
}

/* An axis and a side of each of the six walls; all particles on the right side, some within reach. */
static ds_operation *add_wall(ds_step_program *p, ds_operation_kind kind, ds_point point, const purpose *u, double away)
{
  const int axis = u->variant % 3, upper = u->variant / 3 % 2;
  ds_operation *const o = add_operation(p, kind, point);
  o->number[0] = axis;
  o->number[1] = upper ? 1.0 : -1.0;
  o->number[2] = upper ? u->hi[axis] + away : u->lo[axis] - away;
  return o;
}

static void wall_with_force(ds_step_program *p, ds_operation_kind kind, const purpose *u)
{
  static const double number[6] = {2.5, 1.7, 2.9, 0.6, 1.3, -0.02}; /* cutoff, coefficients, energy at the cutoff */
  ds_operation *const o = add_wall(p, kind, DS_AT_POST_FORCE, u, 0.7);
  set_numbers(o, 3, 6, number);
  set_sums(o, 2, u);
}

static void wall_lj93(ds_step_program *p, const purpose *u)
{
  wall_with_force(p, DS_WALL_LJ93, u);
}

static void wall_lj126(ds_step_program *p, const purpose *u)
{
  wall_with_force(p, DS_WALL_LJ126, u);
}

static void wall_harmonic(ds_step_program *p, const purpose *u)
{
  wall_with_force(p, DS_WALL_HARMONIC, u);
}

/* In the middle of the particles: half of them are behind. */
static void wall_reflect(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_wall(p, DS_WALL_REFLECT, DS_AT_POST_INTEGRATE, u, 0.0);
  o->number[2] = middle_of(u, (int) o->number[0]);
}

/* Those that are behind have come from the fluid, as the wall is faster. */
static void wall_bounce(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_wall(p, DS_WALL_BOUNCE, DS_AT_POST_INTEGRATE, u, 0.0);
  const int axis = (int) o->number[0];
  o->number[2] = middle_of(u, axis);
  set_numbers(o, 3, 3, force);
  o->number[3 + axis] = -o->number[1] * (u->fastest + 1.0);
}

/* A block or a sphere in which all particles have been before. */
static void region_bounce(ds_step_program *p, const purpose *u)
{
  const double dt = 0.25;
  ds_operation *const o = add_operation(p, DS_REGION_BOUNCE, DS_AT_POST_INTEGRATE);
  ds_region *const r = add_region(p, u->variant ? DS_REGION_SPHERE : DS_REGION_BLOCK);
  o->number[0] = dt;
  o->region = 0;
  o->flags = DS_OUTSIDE_REGION;
  for (int d = 0; d < 3 && u->variant; d++) r->number[d] = middle_of(u, d);
  for (int i = 0; i < u->a->n; i++) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
      const double before = u->a->x[3 * i + d] - dt * u->a->v[3 * i + d];
      square += pow(before - middle_of(u, d), 2);
      if (u->variant) continue;
      if (!i || before < r->number[2 * d]) r->number[2 * d] = before;
      if (!i || before > r->number[2 * d + 1]) r->number[2 * d + 1] = before;
    }
    if (u->variant) r->number[3] = fmax(r->number[3], sqrt(square) * (1.0 + 1e-12));
  }
}

static void kinetic(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_SUM_KINETIC, DS_AT_SUMS);
  set_sums(o, 6, u);
  if (u->variant) o->group = GROUP_TWO;
}

/* Within the window of the target, outside of it, and with a part of the way. */
static void rescale_temperature(ds_step_program *p, const purpose *u)
{
  static const double number[4][4] = {
      {0.001, 2.0, 1e9, 1.0}, {0.001, 2.0, 0.0, 1.0}, {0.001, 0.1, 0.0, 0.5}, {0.001, 0.0, 0.0, 1.0}};
  set_sums(add_operation(p, DS_SUM_KINETIC_TRACE, DS_AT_END), 1, u);
  set_numbers(add_reader(p, DS_RESCALE_TEMPERATURE, DS_AT_END), 0, 4, number[u->variant]);
}

/* As fix momentum with rescale. */
static void momentum(ds_step_program *p, const purpose *u)
{
  set_sums(add_operation(p, DS_SUM_MOMENTUM, DS_AT_END), 5, u);
  set_axes(add_reader(p, DS_REMOVE_MOMENTUM, DS_AT_END), 0, u->variant);
  set_sums(add_operation(p, DS_SUM_KINETIC_TRACE, DS_AT_END), 1, u);
  add_reader(p, DS_RESCALE_ENERGY, DS_AT_END)->also = 0;
}

/* By one number along all axes, and with shear. */
static void scale_velocity(ds_step_program *p, const purpose *u)
{
  static const double number[2][9] = {{0.9, 0.9, 0.9, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
                                      {1.1, 0.8, 1.3, 0.2, -0.3, 0.4, 0.7, 1.2, 1.05}};
  ds_operation *const o = add_operation(p, DS_SCALE_VELOCITY, DS_AT_FINAL);
  set_numbers(o, 0, 9, number[u->variant % 2]);
  if (u->variant & 2) o->group = GROUP_TWO;
}

static void drift(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_DRIFT, DS_AT_INITIAL);
  o->number[0] = 0.3;
  if (u->variant) o->group = GROUP_ONE;
}

/* A box that grows along some axes, and one that is tilted. */
static void remap(ds_step_program *p, const purpose *u)
{
  static const double number[2][12] = {{1.01, 1.0, 0.98, 0.0, 0.0, 0.0, -4.0, -3.0, 1.0, -4.1, -3.0, 1.2},
                                       {1.02, 0.97, 1.01, 0.03, -0.02, 0.01, 0.0, 2.0, -1.0, 0.1, 2.2, -1.0}};
  ds_operation *const o = add_operation(p, DS_REMAP, DS_AT_INITIAL);
  set_numbers(o, 0, 12, number[u->variant % 2]);
  if (u->variant & 2) o->group = GROUP_ONE;
}

typedef struct {
  const char *name;
  void (*make)(ds_step_program *, const purpose *);
  int variants;
} maker;

static const maker makers[] = {
    {"nve", nve, 16},
    {"both halves of nve", whole_step, 2},
    {"addforce", add_force, 8},
    {"setforce", set_force, 8},
    {"aveforce", average_force, 8},
    {"gravity", gravity, 2},
    {"langevin", langevin, 4},
    {"spring tether", spring_tether, 8},
    {"spring/self", spring_self, 8},
    {"displacements", displacement, 4},
    {"move linear", move_linear, 8},
    {"wall/lj93", wall_lj93, 6},
    {"wall/lj126", wall_lj126, 6},
    {"wall/harmonic", wall_harmonic, 6},
    {"wall/reflect", wall_reflect, 6},
    {"wall/bounce", wall_bounce, 6},
    {"wall/bounce of a region", region_bounce, 2},
    {"kinetic energy", kinetic, 2},
    {"temp/rescale", rescale_temperature, 4},
    {"momentum", momentum, 8},
    {"scaling of velocities", scale_velocity, 4},
    {"drift", drift, 2},
    {"remap", remap, 4},
};
enum { MAKERS = sizeof makers / sizeof *makers };

#endif
