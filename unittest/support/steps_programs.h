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
  if (u->variant & 2) set_sums(o, 1, u);
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
  set_sums(o, u->variant & 4 ? 10 : 4, u);
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

/* Types that have frictions of their own, with noise of the sum 0, and the work that their forces do in half a step. */
static void langevin_of_types(ds_step_program *p, const purpose *u)
{
  static const double number[2][7] = {{-1.7, 12.5, 48271.0, 1.0, 1.0, 0.0, 1.0}, {-0.4, 3.5, 48271.0, 2.0, 3.0, 0.0, 1.0}};
  static const double kick[2] = {0.5, 0.25}, time[1] = {0.5};
  const int zero = u->variant & 1;
  for (int k = 0; k < 2 && zero; k++) {
    ds_operation *const sum = add_operation(p, DS_SUM_NOISE, DS_AT_POST_FORCE);
    set_numbers(sum, 0, 7, number[k]);
    set_sums(sum, 4, u);
  }
  for (int k = 0; k < 2; k++) {
    ds_operation *const o = add_operation(p, DS_LANGEVIN, DS_AT_POST_FORCE);
    set_numbers(o, 0, 7, number[k]);
    o->anchor = 3;
    o->from = zero - 1;
    o->number[5] = 2.0 * zero;
    o->flags = zero ? DS_AFTER_SUMS : 0;
  }
  set_numbers(add_operation(p, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, kick);
  ds_operation *const work = add_operation(p, DS_SUM_WORK, DS_AT_END);
  set_numbers(work, 0, 1, time);
  work->anchor = 3;
  set_sums(work, 1, u);
  work->flags = u->variant & 2 ? DS_ADDS_UP : 0;
  for (int k = 0; k < p->n && u->variant & 4; k++) p->operation[k].group = GROUP_ONE;
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
  o->anchor = u->variant % DS_MAX_ANCHORS;
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

static void mvv(ds_step_program *p, const purpose *u)
{
  const double number[3] = {0.3, 0.15, u->variant & 1 ? 0.65 : 0.5}; /* time step, half of it, lambda */
  for (int first = 0; first < 2; first++) {
    ds_operation *const o = add_operation(p, first ? DS_MVV_INITIAL : DS_MVV_FINAL, first ? DS_AT_INITIAL : DS_AT_FINAL);
    set_numbers(o, 0, 3, number);
    o->anchor = 1;
    if (u->variant & 2) o->group = GROUP_TWO;
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
  set_sums(o, 3, u);
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

/* Four numbers from `at` on: all is heat, but for some axes, but for a flow. */
static void set_bias(ds_step_program *p, ds_operation *o, int at, const purpose *u)
{
  static const double flow[9] = {0.3137, -0.2291, 0.1173, 0.4519, -0.3361, 0.7243, 0.2617, -1.4983, 0.6121};
  static const double bias[3][4] = {
      {DS_BIAS_NONE, 0.0, 0.0, 0.0}, {DS_BIAS_AXES, 0.0, 1.0, 0.0}, {DS_BIAS_FLOW, 0.0, 0.0, 0.0}};
  memcpy(p->flow, flow, sizeof flow);
  set_numbers(o, at, 4, bias[u->variant % 3]);
}

static void kinetic(ds_step_program *p, const purpose *u)
{
  ds_operation *const o = add_operation(p, DS_SUM_KINETIC, DS_AT_SUMS);
  set_sums(o, 6, u);
  set_bias(p, o, 0, u);
  if (u->variant > 2) o->group = GROUP_TWO;
}

/* Friction and noise of what is heat. */
static void langevin_of_heat(ds_step_program *p, const purpose *u)
{
  static const double number[3] = {-1.7, 12.5, 48271.0};
  ds_operation *const sum = add_operation(p, DS_SUM_NOISE, DS_AT_POST_FORCE);
  set_sums(sum, 4, u);
  ds_operation *const o = add_reader(p, DS_LANGEVIN, DS_AT_POST_FORCE);
  o->number[5] = 1.0;
  for (int k = 0; k < 2; k++) {
    set_numbers(&p->operation[k], 0, 3, number);
    set_bias(p, &p->operation[k], 7, u);
  }
}

/* Within the window of the target, outside of it, and with a part of the way. */
static void rescale_temperature(ds_step_program *p, const purpose *u)
{
  static const double number[4][5] = {
      {0.001, 2.0, 1e9, 1.0, 0.5}, {0.001, 2.0, 0.0, 1.0, 0.5}, {0.001, 0.1, 0.0, 0.5, 0.3}, {0.001, 0.0, 0.0, 1.0, 0.5}};
  ds_operation *const sum = add_operation(p, DS_SUM_KINETIC_TRACE, DS_AT_END);
  set_sums(sum, 1, u);
  set_bias(p, sum, 0, u);
  ds_operation *const o = add_reader(p, DS_RESCALE_TEMPERATURE, DS_AT_END);
  set_numbers(o, 0, 5, number[u->variant % 4]);
  set_bias(p, o, 5, u);
  set_sums(o, 1, u);
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

/* A tilted box that becomes another one: each half, and both. */
static void fractions(ds_step_program *p, const purpose *u)
{
  static const double inverse[9] = {0.11, 0.13, 0.12, -0.01, 0.02, 0.015, -4.0, 2.0, 1.0};
  static const double edges[9] = {9.2, 7.5, 8.4, 0.7, -1.3, 0.9, -4.1, 2.2, 1.0};
  if (u->variant != 1) set_numbers(add_operation(p, DS_TO_FRACTIONS, DS_AT_END), 0, 9, inverse);
  if (u->variant != 0) set_numbers(add_operation(p, DS_FROM_FRACTIONS, DS_AT_END), 0, 9, edges);
  if (u->variant == 3)
    for (int k = 0; k < 2; k++) p->operation[k].group = GROUP_ONE;
}

/* As fix momentum angular. */
static void rotation(ds_step_program *p, const purpose *u)
{
  static const double units[2] = {2.0, 0.25};
  ds_operation *const center = add_operation(p, DS_SUM_CENTER, DS_AT_END);
  set_sums(center, 4, u);
  ds_operation *const sum = add_reader(p, DS_SUM_ROTATION, DS_AT_END);
  set_sums(sum, 9, u);
  ds_operation *const o = add_reader(p, DS_REMOVE_ROTATION, DS_AT_END);
  o->also = 0;
  for (int k = 0; k < 3; k++) set_numbers(&p->operation[k], 0, 2, units);
  /* of few particles the inertia may be made of rounding errors: test_engine_steps_program has lines */
  for (int k = 0; k < 3; k++) p->operation[k].group = u->a->n < 8 ? 0 : u->variant ? GROUP_ONE : 1;
}

typedef struct {
  const char *name;
  void (*make)(ds_step_program *, const purpose *);
  int variants;
} maker;

static const maker makers[] = {
    {"nve", nve, 16},
    {"mvv", mvv, 4},
    {"both halves of nve", whole_step, 2},
    {"addforce", add_force, 8},
    {"setforce", set_force, 8},
    {"aveforce", average_force, 8},
    {"gravity", gravity, 2},
    {"langevin", langevin, 4},
    {"langevin of types", langevin_of_types, 8},
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
    {"kinetic energy", kinetic, 6},
    {"langevin of heat", langevin_of_heat, 3},
    {"temp/rescale", rescale_temperature, 12},
    {"momentum", momentum, 8},
    {"rotation", rotation, 2},
    {"scaling of velocities", scale_velocity, 4},
    {"drift", drift, 2},
    {"remap", remap, 4},
    {"fractions", fractions, 4},
};
enum { MAKERS = sizeof makers / sizeof *makers };

#endif
