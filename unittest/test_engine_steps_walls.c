/* test_engine_steps_walls.c: an atom behind a wall is an error that names atom, place, step and wall.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_walls cuda" makes the same checks on the GPU. */
#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

static const setting plain = {.name = "particles", ALL_MOVE};

enum { PARTICLES = 300 };

static ds_step_program no_operations(void)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  return p;
}

/* The error names atom, place, step and wall; `where` is the atom's place in the arrays. */
static void check_fault(ds_status status, const ds_error *err, const char *wall, const particles *p, int where, int64_t step)
{
  const double *const x = p->a.x + 3 * where;
  char words[200];
  snprintf(words, sizeof words, "%s: atom %lld at (%g, %g, %g) in step %lld |on the wall or behind it", wall,
           (long long) p->a.tag[where], x[0], x[1], x[2], (long long) step);
  check_error(status, err, DS_ERR_POSITION, words, __FILE__, __LINE__);
}

static void expect_fault(int v, const particles *before, const ds_step_program *program, const char *wall, int where)
{
  const int64_t step = ((int64_t) 1 << 33) + 7;
  particles p;
  ds_error err;
  step_sums sums;
  particles_open(&p, before->a.n);
  particles_copy(&p, before);
  ds_status status = stepper_tries(3, &p, &plain, program, step, &sums, &err);
  check_fault(status, &err, wall, before, where, step);
  for (int own_copies = 0; own_copies < 2; own_copies++) {
    particles_copy(&p, before);
    ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
    ds_resident *const r = resident_with(pair, own_copies, &p, &plain, program);
    status = ds_resident_operate(r, step, 0, program->n, 0, 1, &err);
    check_fault(status, &err, wall, before, where, step);
    ds_resident_close(r);
    ds_pair_close(pair);
  }
  particles_close(&p);
}

static void expect_none(int v, const particles *before, const ds_step_program *program)
{
  particles p;
  step_sums sums;
  particles_open(&p, before->a.n);
  particles_copy(&p, before);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  stepper_does(3, &p, &plain, program, 7, &sums);
  particles_copy(&p, before);
  resident_does(pair, 1, &p, &plain, program, 7, &sums);
  ds_pair_close(pair);
  particles_close(&p);
}

/* Far from all particles, on one of six sides. */
static ds_operation *add_wall(ds_step_program *p, ds_operation_kind kind, int side)
{
  const int axis = side % 3, upper = side / 3;
  const int is_bounce = kind == DS_WALL_BOUNCE;
  ds_operation *const o = add_operation(p, kind, is_bounce ? DS_AT_POST_INTEGRATE : DS_AT_POST_FORCE);
  o->number[0] = axis;
  o->number[1] = upper ? 1.0 : -1.0;
  o->number[2] = upper ? 64.0 : -64.0;
  if (!is_bounce) o->number[3] = 1.0;
  return o;
}

/* The atom is put so far behind the wall. */
static void put_behind(particles *p, int i, const ds_operation *wall, double by)
{
  p->a.x[3 * i + (int) wall->number[0]] = wall->number[2] + wall->number[1] * by;
}

static const char *const wall_name[] = {"fix wall/lj93", "fix wall/lj126", "fix wall/harmonic"};

/* On the wall, behind it, nowhere; of several such atoms the first is named, and none that the wall does not act on. */
static void test_walls(int v)
{
  static const double by[] = {0.0, 1e-12, 3.0, INFINITY, NAN};
  particles p;
  particles_open(&p, PARTICLES);
  for (int kind = 0; kind < 3; kind++)
    for (int side = 0; side < 6; side++)
      for (int k = 0; k < 5; k++) {
        if (side > 0 && k != side - 1) continue; /* all of them once */
        ds_step_program program = no_operations();
        ds_operation *const wall = add_wall(&program, DS_WALL_LJ93 + kind, side);
        particles_fill(&p, &plain, FILL_RANDOM, 31);
        expect_none(v, &p, &program);
        put_behind(&p, 200, wall, -1.0); /* as far as the wall reaches */
        expect_none(v, &p, &program);
        put_behind(&p, 255, wall, by[k]);
        expect_fault(v, &p, &program, wall_name[kind], 255);
        put_behind(&p, 299, wall, 1.0);
        put_behind(&p, 33, wall, by[k]);
        expect_fault(v, &p, &program, wall_name[kind], 33);
        p.a.mask[33] = 0;
        expect_fault(v, &p, &program, wall_name[kind], 255);
        wall->group = GROUP_TWO; /* without 255, as it is a multiple of 5, and without 33 */
        expect_fault(v, &p, &program, wall_name[kind], 299);
        wall->group = 0;
        expect_none(v, &p, &program);
        if (check_brief()) return particles_close(&p);
      }
  particles_close(&p);
}

/* Of several walls the first in the program is named, whichever atom it is; and of a region, only those that are in it. */
static void test_order_of_walls(int v)
{
  ds_step_program program = no_operations();
  particles p;
  ds_operation *const first = add_wall(&program, DS_WALL_HARMONIC, 0), *const second = add_wall(&program, DS_WALL_LJ93, 4);
  ds_region *const region = add_region(&program, DS_REGION_SPHERE);
  region->number[3] = 1.0;
  particles_open(&p, PARTICLES);
  particles_fill(&p, &plain, FILL_RANDOM, 32);
  put_behind(&p, 10, second, 1.0);
  expect_fault(v, &p, &program, wall_name[0], 10);
  put_behind(&p, 290, first, 1.0);
  expect_fault(v, &p, &program, wall_name[2], 290);
  first->region = 0;
  expect_fault(v, &p, &program, wall_name[0], 10);
  second->region = 0;
  expect_none(v, &p, &program);
  region->number[3] = 1000.0;
  expect_fault(v, &p, &program, wall_name[2], 290);
  particles_close(&p);
}

/* An atom behind a wall that it bounces from has to come from the fluid, as the wall sees it. */
static void test_bounce(int v)
{
  for (int side = 0; side < 6; side++) {
    ds_step_program program = no_operations();
    particles p;
    ds_operation *const wall = add_wall(&program, DS_WALL_BOUNCE, side);
    const int axis = (int) wall->number[0];
    particles_open(&p, PARTICLES);
    particles_fill(&p, &plain, FILL_RANDOM, 33);
    double *const velocity = p.a.v + 3 * 77 + axis;
    put_behind(&p, 77, wall, 0.0);
    *velocity = -wall->number[1];
    expect_none(v, &p, &program); /* on the wall is not behind it */
    put_behind(&p, 77, wall, 0.25);
    expect_fault(v, &p, &program, "fix wall/bounce", 77);
    *velocity = 0.0;
    expect_fault(v, &p, &program, "fix wall/bounce", 77);
    *velocity = NAN;
    expect_fault(v, &p, &program, "fix wall/bounce", 77);
    *velocity = wall->number[1];
    expect_none(v, &p, &program);
    wall->number[3 + axis] = *velocity; /* the wall moves as fast */
    expect_fault(v, &p, &program, "fix wall/bounce", 77);
    particles_close(&p);
  }
}

/* Where a step has begun outside of the region there is no way back. */
static void test_region_bounce(int v)
{
  static const double box[6] = {-64.0, 64.0, -64.0, 64.0, -64.0, 64.0};
  ds_step_program program = no_operations();
  particles p;
  ds_operation *const bounce = add_operation(&program, DS_REGION_BOUNCE, DS_AT_POST_INTEGRATE);
  memcpy(add_region(&program, DS_REGION_BLOCK)->number, box, sizeof box);
  bounce->number[0] = 0.5;
  bounce->region = 0;
  bounce->flags = DS_OUTSIDE_REGION;
  particles_open(&p, PARTICLES);
  particles_fill(&p, &plain, FILL_RANDOM, 34);
  expect_none(v, &p, &program);
  p.a.x[3 * 77 + 1] = 65.0;
  p.a.v[3 * 77 + 1] = 2.0; /* from the surface */
  expect_none(v, &p, &program);
  p.a.v[3 * 77 + 1] = 1.5;
  expect_fault(v, &p, &program, "fix wall/bounce", 77);
  p.a.v[3 * 77 + 1] = -2.0;
  expect_fault(v, &p, &program, "fix wall/bounce", 77);
  particles_close(&p);
}

/* A stepper goes on after an error as if it had not been. */
static void test_stepper_again(void)
{
  static const double push[3] = {1.0, 2.0, 3.0};
  ds_step_program walls = no_operations(), pushes = no_operations();
  particles p, q;
  step_sums sums, expected;
  ds_error err;
  ds_stepper *t;
  ds_operation *const wall = add_wall(&walls, DS_WALL_LJ93, 0);
  ds_operation *const o = add_operation(&pushes, DS_ADD_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, push);
  o->nsums = 4;
  particles_open(&p, PARTICLES);
  particles_open(&q, PARTICLES);
  particles_fill(&p, &plain, FILL_RANDOM, 35);
  put_behind(&p, 12, wall, 1.0);
  particles_copy(&q, &p);
  const ds_resident_atoms fields = particles_fields(&p, &plain);
  const ds_wrap box = wrap_of(&plain);
  t = stepper_on(DS_BACKEND_HOST, 2);
  for (int k = 0; k < 3; k++) {
    check_fault(ds_stepper_operate(t, &fields, &box, &walls, 4, NULL, NULL, sums.of, &err), &err, wall_name[0], &q, 12, 4);
    particles_copy(&p, &q);
    CHECK_OK(ds_stepper_operate(t, &fields, &box, &pushes, 5, NULL, NULL, sums.of, &err), err);
    stepper_does(1, &q, &plain, &pushes, 5, &expected);
    check_same_particles(&p, &q, &plain, "after an error");
    check_same_sums(&pushes, &sums, &expected, "after an error");
  }
  ds_stepper_close(t);
  particles_close(&p);
  particles_close(&q);
}

/* ----------------------------------------------------------------------------------------- in a run */

/* One atom flies at 0.2 per step, the others stay. Behind the wall, of which it feels nothing before, it is in step 6: that
   one is named wherever the run was to end. */
static void test_step_of_fault(int v, int last)
{
  static const double motion[2] = {0.01, 0.005};
  ds_step_program program = no_operations();
  particles p;
  ds_error err;
  ds_run_result reached;
  ds_run_request stretch;
  const int one = 41;
  particles_open(&p, PARTICLES);
  atoms_fill(&p.a, &plain, 36);
  for (int i = 0; i < PARTICLES; i++) p.a.mask[i] = i == one;
  double *const x = p.a.x + 3 * one, *const velocity = p.a.v + 3 * one;
  x[0] = low[0] + 1.0;
  velocity[0] = 20.0;
  velocity[1] = velocity[2] = 0.0;
  ds_operation *const wall = add_wall(&program, DS_WALL_HARMONIC, 3);
  wall->number[2] = x[0] + 1.1;
  wall->number[3] = 0.05;
  set_numbers(add_operation(&program, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, motion);
  set_numbers(add_operation(&program, DS_NVE_INITIAL, DS_AT_INITIAL), 0, 2, motion);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &plain, &program);
  memset(&stretch, 0, sizeof stretch);
  stretch.first = 1;
  stretch.last = last;
  stretch.rule.every = 1;
  stretch.hand_over = INT64_MAX;
  if (last < 6)
    CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
  else
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_POSITION, "fix wall/harmonic: atom 42 at (0.9|in step 6 ");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

int main(int argc, char **argv)
{
  static const int last[] = {5, 6, 7, 8, 60};
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(test_walls(v));
    CHECK_CASE(test_order_of_walls(v));
    CHECK_CASE(test_bounce(v));
    CHECK_CASE(test_region_bounce(v));
    for (int k = 0; k < 5; k++) CHECK_CASE(test_step_of_fault(v, last[k]));
  }
  CHECK_CASE(test_stepper_again());
  return check_result();
}
