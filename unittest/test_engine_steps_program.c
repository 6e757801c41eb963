/* test_engine_steps_program.c: when operations act, on whom, in which order, and how many there may be.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_program cuda" makes the same checks on the GPU. */
#include "support/steps.h"

static test_variants variants;

static const setting plain = {.name = "particles", ALL_MOVE};
static const double axis_x[3] = {1.0, 0.0, 0.0};

static ds_step_program no_operations(void)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  return p;
}

/* At rest in the middle of nowhere: each force is the sum of what has been added to it. */
static void open_at_rest(particles *p, int n)
{
  particles_open(p, n);
  particles_fill(p, &plain, FILL_AT_REST, 17);
}

static ds_operation *add_push(ds_step_program *p, double x, double y, double z)
{
  const double push[3] = {x, y, z};
  ds_operation *const o = add_operation(p, DS_ADD_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, push);
  return o;
}

/* ---------------------------------------------------------------------------------------------- when */

static void check_push(const particles *p, double x, double y, double z, const char *what)
{
  const double expected[3] = {x, y, z};
  for (int i = 0; i < p->a.n; i++)
    if (memcmp(p->a.f + 3 * i, expected, sizeof expected) != 0) {
      CHECK_MSG(0, "%s: particle %d has been pushed by (%g, %g, %g), expected (%g, %g, %g)", what, i, p->a.f[3 * i],
                p->a.f[3 * i + 1], p->a.f[3 * i + 2], x, y, z);
      return;
    }
  CHECK(1);
}

enum { MIDDLE_STEP = 0, LAST_STEP = 1 };

/* Operations that act every 1, 2, 3 and 7 steps; and one in last steps only. */
static ds_step_program program_of_times(void)
{
  ds_step_program p = no_operations();
  add_push(&p, 1.0, 0.0, 0.0);
  add_push(&p, 0.0, 1.0, 0.0)->every = 2;
  add_push(&p, 0.0, 0.0, 1.0)->every = 3;
  add_push(&p, 1024.0, 0.0, 0.0)->every = 7;
  ds_operation *const last = add_push(&p, 0.0, 1024.0, 0.0);
  last->flags = DS_LAST_STEP_ONLY;
  ds_operation *const rare = add_push(&p, 0.0, 0.0, 1024.0);
  rare->flags = DS_LAST_STEP_ONLY;
  rare->every = 2;
  return p;
}

/* How many steps so far are multiples of `every`; of the last ones, which are those from 15 on. */
static int times(int step, int every)
{
  return step / every + 1;
}

static int last_times(int step, int every)
{
  return step < 15 ? 0 : step / every - 14 / every;
}

static void test_times(int v)
{
  const ds_step_program program = program_of_times();
  particles p, q;
  ds_error err;
  step_sums sums;
  open_at_rest(&p, 33);
  open_at_rest(&q, 33);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &plain, &program);
  for (int step = 0; step <= 21; step++) {
    const int x = times(step, 1) + 1024 * times(step, 7), y = times(step, 2), z = times(step, 3);
    CHECK_OK(ds_resident_operate(r, step, 0, program.n, 0, step < 15 ? MIDDLE_STEP : LAST_STEP, &err), err);
    CHECK_OK(ds_resident_to_host(r, DS_FORCE, &err), err);
    check_push(&p, x, y + 1024 * last_times(step, 1), z + 1024 * last_times(step, 2), "resident");
    stepper_does(1, &q, &plain, &program, step, &sums); /* for which all steps are last ones */
    check_push(&q, x, y + 1024 * times(step, 1), z + 1024 * times(step, 2), "stepper");
  }
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
  particles_close(&q);
}

/* Sums of what acts every three steps last until it acts again, whether anybody wants sums in that step or not; those that
   another operation reads are there in each step. */
static void test_sums_last(int v)
{
  ds_step_program program = no_operations();
  particles p;
  ds_error err;
  step_sums sums;
  program.n = 0;
  add_push(&program, 1.0, 0.0, 0.0);
  ds_operation *const rare = add_operation(&program, DS_SUM_FORCE, DS_AT_POST_FORCE);
  rare->every = 3;
  rare->nsums = 4;
  ds_operation *const sum = add_operation(&program, DS_SUM_FORCE, DS_AT_POST_FORCE);
  sum->nsums = 4;
  ds_operation *const mean = add_reader(&program, DS_AVERAGE_FORCE, DS_AT_POST_FORCE);
  mean->number[2] = 0.5;
  mean->number[5] = 1.0;
  open_at_rest(&p, 257);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &plain, &program);
  for (int step = 1; step <= 14; step++) {
    const int acted = step - step % 3;
    CHECK_OK(ds_resident_operate(r, step, 0, program.n, 0, step == 14, &err), err);
    CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
    CHECK_MSG(value_of(&program, &sums, 1, 0) == 257.0 * acted, "sum of step %d is %g, %g particles", step,
              value_of(&program, &sums, 1, 0), value_of(&program, &sums, 1, 3));
    CHECK(value_of(&program, &sums, 1, 3) == (acted ? 257.0 : 0.0));
    CHECK(value_of(&program, &sums, 2, 0) == 257.0 * step);
  }
  CHECK_OK(ds_resident_to_host(r, DS_FORCE, &err), err);
  check_push(&p, 14.0, 0.0, 7.0, "sums in each step"); /* along z the mean, and a half more, 14 times */
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

/* A reader has the sums of what has happened before it in the same step, and none of what happens afterwards. */
static void test_after_sums(int v)
{
  static const double kick[2] = {0.5, 0.25};
  ds_step_program program = no_operations();
  particles before, p;
  step_sums sums;
  ds_error err;
  set_numbers(add_operation(&program, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, kick);
  add_operation(&program, DS_SUM_MOMENTUM, DS_AT_END)->nsums = 5;
  set_numbers(add_reader(&program, DS_REMOVE_MOMENTUM, DS_AT_END), 0, 3, axis_x);
  add_operation(&program, DS_SUM_MOMENTUM, DS_AT_END)->nsums = 5;
  particles_open(&before, 1000);
  particles_open(&p, 1000);
  particles_fill(&before, &plain, FILL_RANDOM, 18);
  long double momentum[2] = {0.0L, 0.0L};
  for (int i = 0; i < 1000; i++)
    for (int d = 0; d < 2; d++)
      momentum[d] += mass_of(&before.a, &plain, i) * before.a.v[3 * i + d] + 0.25 * before.a.f[3 * i + d];
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &before);
  for (int tally = 0; tally < 2; tally++) {
    particles_copy(&p, &before);
    ds_resident *const r = resident_with(pair, 1, &p, &plain, &program);
    CHECK_OK(ds_resident_operate(r, 5, 0, program.n, 0, tally, &err), err);
    CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
    for (int d = 0; d < 2; d++) {
      CHECK_NEAR(value_of(&program, &sums, 1, d), momentum[d], 1e-11);
      CHECK(fabs(value_of(&program, &sums, 1, d)) > 1.0);
      if (tally) CHECK_NEAR(value_of(&program, &sums, 3, d), d ? momentum[d] : 0.0, 1e-11);
    }
    ds_resident_close(r);
  }
  ds_pair_close(pair);
  particles_close(&before);
  particles_close(&p);
}

/* Parts of a program, with forces cleared behind the last one: as all of it at once. */
static void test_parts(int v)
{
  static const double kick[2] = {0.5, 0.25};
  ds_step_program program = no_operations();
  particles whole, parts;
  ds_error err;
  add_push(&program, 0.5, 1.5, -2.0);
  add_push(&program, -0.25, 0.5, 1.0)->group = GROUP_TWO;
  for (int first = 0; first < 2; first++)
    set_numbers(add_operation(&program, first ? DS_NVE_INITIAL : DS_NVE_FINAL, first ? DS_AT_INITIAL : DS_AT_FINAL), 0, 2,
                kick);
  CHECK_INT(ds_first_operation(&program, DS_AT_POST_FORCE), 0);
  CHECK_INT(ds_first_operation(&program, DS_AT_FINAL), 2);
  CHECK_INT(ds_first_operation(&program, DS_AT_END), 3);
  CHECK_INT(ds_first_operation(&program, DS_AT_INITIAL), 3);
  CHECK_INT(ds_first_operation(&program, DS_AT_POST_INTEGRATE), 4);
  particles_open(&whole, 257);
  particles_open(&parts, 257);
  particles_fill(&whole, &plain, FILL_RANDOM, 19);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &whole);
  particles_copy(&parts, &whole);
  ds_resident *const r = resident_with(pair, 1, &whole, &plain, &program);
  CHECK_OK(ds_resident_operate(r, 5, 0, 4, 1, 0, &err), err);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  ds_resident_close(r);
  ds_resident *const t = resident_with(pair, 1, &parts, &plain, &program);
  for (int k = 0; k < 4; k++) CHECK_OK(ds_resident_operate(t, 5, k, k + 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_operate(t, 5, 4, 4, 1, 0, &err), err); /* nothing but clear */
  CHECK_OK(ds_resident_to_host(t, DS_ALL_FIELDS, &err), err);
  ds_resident_close(t);
  check_same_particles(&parts, &whole, &plain, "parts of a program");
  check_push(&whole, 0.0, 0.0, 0.0, "forces cleared");
  ds_pair_close(pair);
  particles_close(&whole);
  particles_close(&parts);
}

/* ------------------------------------------------------------------------------------------- on whom */

/* Group 0 has no particles: nothing changes, sums are 0, and a wall has nobody behind it. */
static void test_nobody(int v)
{
  static const double wall[4] = {2.0, -1.0, 5.0, 3.0}; /* particles lie on both sides */
  static const double axes[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  ds_step_program program = no_operations();
  particles before, p;
  step_sums sums;
  ds_error err;
  add_push(&program, 1.0, 2.0, 3.0)->nsums = 4;
  add_operation(&program, DS_SUM_FORCE, DS_AT_POST_FORCE)->nsums = 4;
  set_numbers(add_reader(&program, DS_AVERAGE_FORCE, DS_AT_POST_FORCE), 0, 6, axes);
  set_numbers(add_operation(&program, DS_WALL_LJ93, DS_AT_POST_FORCE), 0, 4, wall);
  set_numbers(add_operation(&program, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, axes);
  add_operation(&program, DS_SUM_KINETIC, DS_AT_SUMS)->nsums = 6;
  set_numbers(add_operation(&program, DS_WALL_BOUNCE, DS_AT_POST_INTEGRATE), 0, 3, wall);
  for (int k = 0; k < program.n; k++) program.operation[k].group = 0;
  particles_open(&before, 257);
  particles_open(&p, 257);
  particles_fill(&before, &plain, FILL_RANDOM, 20);
  particles_copy(&p, &before);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  CHECK_OK(stepper_tries(2, &p, &plain, &program, 3, &sums, &err), err);
  check_same_particles(&p, &before, &plain, "group 0, stepper");
  resident_does(pair, 1, &p, &plain, &program, 3, &sums);
  check_same_particles(&p, &before, &plain, "group 0, resident");
  for (int k = 0; k < program.n; k++)
    for (int j = 0; j < program.operation[k].nsums; j++)
      CHECK_MSG(value_of(&program, &sums, k, j) == 0.0 && sum_of(&sums, k, j)->invalid == 0, "group 0: sum %d is %g", k,
                value_of(&program, &sums, k, j));
  ds_pair_close(pair);
  particles_close(&before);
  particles_close(&p);
}

/* A position, and whether it is in a region that leaves nothing out. */
typedef struct {
  double x[3];
  int inside;
} place;

enum { MAX_PLACES = 14 };

typedef struct {
  const char *name;
  ds_region region;
  place place[MAX_PLACES]; /* to the first whose `inside` is -1 */
} region_case;

#define END_OF_PLACES {{0.0, 0.0, 0.0}, -1}
#define UP(x) ((x) + 0x1p-50) /* for numbers from 1 to 8: next to it, or hardly further */
#define DOWN(x) ((x) -0x1p-50)

/* Regions of one kind each; the union and the intersection are of a block and a sphere that come before them. */
static const region_case cases[] = {
    {"block",
     {.kind = DS_REGION_BLOCK, .number = {1.0, 2.0, 3.0, 4.5, -2.0, 2.0}},
     {{{1.5, 4.0, 0.0}, 1}, {{1.0, 4.0, 0.0}, 1}, {{2.0, 4.5, 2.0}, 1}, {{1.0, 3.0, -2.0}, 1}, {{DOWN(1.0), 4.0, 0.0}, 0},
      {{UP(2.0), 4.0, 0.0}, 0}, {{1.5, DOWN(3.0), 0.0}, 0}, {{1.5, UP(4.5), 0.0}, 0}, {{1.5, 4.0, UP(2.0)}, 0},
      {{1.5, 4.0, -UP(2.0)}, 0}, END_OF_PLACES}},
    {"block without end",
     {.kind = DS_REGION_BLOCK, .number = {-INFINITY, 2.0, -INFINITY, INFINITY, 3.0, INFINITY}},
     {{{-1e300, 1e300, 1e300}, 1}, {{2.0, 0.0, 3.0}, 1}, {{UP(2.0), 0.0, 3.0}, 0}, {{2.0, 0.0, DOWN(3.0)}, 0}, END_OF_PLACES}},
    {"sphere",
     {.kind = DS_REGION_SPHERE, .number = {1.0, 2.0, -1.0, 7.0}},
     {{{1.0, 2.0, -1.0}, 1}, {{3.0, 5.0, 5.0}, 1}, {{-5.0, 0.0, 2.0}, 1}, {{8.0, 2.0, -1.0}, 1},
      {{8.0 + 0x1p-48, 2.0, -1.0}, 0}, {{3.0, 5.0, 5.0 + 0x1p-46}, 0}, {{1.0, -5.0 - 0x1p-46, -1.0}, 0},
      {{6.0, 7.0, 4.0}, 0}, END_OF_PLACES}},
    {"cylinder along x",
     {.kind = DS_REGION_CYLINDER, .number = {0.0, 2.0, 1.0, 5.0, -1.0, 3.0}},
     {{{0.0, 2.0, 1.0}, 1}, {{-1.0, 5.0, 5.0}, 1}, {{3.0, 6.0, -2.0}, 1}, {{DOWN(-1.0), 2.0, 1.0}, 0}, {{UP(3.0), 2.0, 1.0}, 0},
      {{0.0, 5.0, 5.0 + 0x1p-46}, 0}, {{0.0, 7.0 + 0x1p-46, 1.0}, 0}, {{2.0, 0.0, 6.5}, 0}, END_OF_PLACES}},
    {"cylinder along y",
     {.kind = DS_REGION_CYLINDER, .number = {1.0, 2.0, 1.0, 5.0, -1.0, 3.0}},
     {{{2.0, 0.0, 1.0}, 1}, {{5.0, -1.0, 5.0}, 1}, {{6.0, 3.0, -2.0}, 1}, {{2.0, DOWN(-1.0), 1.0}, 0}, {{2.0, UP(3.0), 1.0}, 0},
      {{5.0, 0.0, 5.0 + 0x1p-46}, 0}, {{7.0 + 0x1p-46, 0.0, 1.0}, 0}, {{0.0, 2.0, 6.5}, 0}, END_OF_PLACES}},
    {"cylinder along z",
     {.kind = DS_REGION_CYLINDER, .number = {2.0, 2.0, 1.0, 5.0, -1.0, 3.0}},
     {{{2.0, 1.0, 0.0}, 1}, {{5.0, 5.0, -1.0}, 1}, {{6.0, -2.0, 3.0}, 1}, {{2.0, 1.0, DOWN(-1.0)}, 0}, {{2.0, 1.0, UP(3.0)}, 0},
      {{5.0, 5.0 + 0x1p-46, 0.0}, 0}, {{7.0 + 0x1p-46, 1.0, 0.0}, 0}, {{0.0, 6.5, 2.0}, 0}, END_OF_PLACES}},
    {"plane",
     {.kind = DS_REGION_PLANE, .number = {1.0, 2.0, 3.0, 0.0, 2.0, -1.0}},
     {{{1.0, 2.0, 3.0}, 1}, {{-9.0, 3.0, 5.0}, 1}, {{4.0, 1.0, 1.0}, 1}, {{1.0, 3.0, 2.0}, 1}, {{1.0, 3.0, 5.0 + 0x1p-46}, 0},
      {{1.0, DOWN(2.0), 3.0}, 0}, {{1.0, 2.0, 4.0}, 0}, END_OF_PLACES}},
    {"union",
     {.kind = DS_REGION_UNION, .first = 1, .count = 2},
     {{{0.5, 0.5, 0.5}, 1}, {{1.0, 1.0, 1.0}, 1}, {{4.0, 1.0, 1.0}, 1}, {{1.5, 1.0, 1.0}, 1}, {{UP(4.0), 1.0, 1.0}, 0},
      {{0.0, 0.0, 0.0}, 1}, {{-UP(1.0), 0.5, 0.5}, 0}, {{3.0, 3.0, 3.0}, 0}, END_OF_PLACES}},
    {"intersection",
     {.kind = DS_REGION_INTERSECT, .first = 1, .count = 2},
     {{{0.5, 0.5, 0.5}, 1}, {{1.0, 1.0, 1.0}, 1}, {{2.0, 1.0, 1.0}, 1}, {{1.5, 1.0, 2.0}, 1}, {{0.0, 1.0, 1.0}, 1},
      {{UP(2.0), 1.0, 1.0}, 0}, {{4.0, 1.0, 1.0}, 0}, {{-1.0, 1.0, 1.0}, 0}, END_OF_PLACES}},
    {"union of one",
     {.kind = DS_REGION_UNION, .first = 2, .count = 1},
     {{{4.0, 1.0, 1.0}, 1}, {{0.0, 1.0, 1.0}, 1}, {{-0.5, 1.0, 1.0}, 0}, END_OF_PLACES}},
    {"intersection of what one leaves out",
     {.kind = DS_REGION_INTERSECT, .first = 2, .count = 2},
     {{{0.0, 1.0, 1.0}, 0}, {{1.0, 1.0, 1.0}, 0}, {{UP(2.0), 1.0, 1.0}, 1}, {{4.0, 1.0, 1.0}, 1}, {{5.0, 1.0, 1.0}, 0},
      END_OF_PLACES}},
};
enum { CASES = sizeof cases / sizeof *cases };

static int places_of(const region_case *c)
{
  int n = 0;
  while (c->place[n].inside >= 0) n++;
  return n;
}

/* Forces become 1 along x where the operation acts. The last region is that of the case, whatever is before. */
static ds_step_program program_of_region(const region_case *c, int outside, int flag)
{
  static const double block[6] = {-1.0, 2.0, 0.0, 2.0, 0.0, 2.0}, sphere[4] = {2.0, 1.0, 1.0, 2.0};
  static const double everywhere[6] = {-1e9, 1e9, -1e9, 1e9, -1e9, 1e9};
  ds_step_program p = no_operations();
  memcpy(add_region(&p, DS_REGION_BLOCK)->number, everywhere, sizeof everywhere);
  memcpy(add_region(&p, DS_REGION_BLOCK)->number, block, sizeof block);
  memcpy(add_region(&p, DS_REGION_SPHERE)->number, sphere, sizeof sphere);
  memcpy(add_region(&p, DS_REGION_BLOCK)->number, block, sizeof block);
  p.region[3].outside = 1;
  while (p.nregions < DS_MAX_REGIONS - 1) add_region(&p, DS_REGION_SPHERE); /* of radius 0 */
  p.region[p.nregions] = c->region;
  p.region[p.nregions++].outside = outside;
  ds_operation *const o = add_operation(&p, DS_SET_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, axis_x);
  set_numbers(o, 3, 3, axis_x);
  o->region = DS_MAX_REGIONS - 1;
  o->flags = flag;
  return p;
}

static void check_places(const particles *p, const region_case *c, int inverted, const char *what)
{
  for (int i = 0; i < p->a.n; i++)
    CHECK_MSG(p->a.f[3 * i] == (c->place[i].inside ^ inverted), "%s: %s, (%.17g, %.17g, %.17g) is taken for %s", what,
              c->name, c->place[i].x[0], c->place[i].x[1], c->place[i].x[2], p->a.f[3 * i] == 1.0 ? "inside" : "outside");
}

static void test_region(int v, const region_case *c, int outside, int flag)
{
  const ds_step_program program = program_of_region(c, outside, flag);
  const int inverted = outside ^ (flag == DS_OUTSIDE_REGION);
  particles p;
  step_sums sums;
  open_at_rest(&p, places_of(c));
  for (int i = 0; i < p.a.n; i++) memcpy(p.a.x + 3 * i, c->place[i].x, sizeof c->place[i].x);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  stepper_does(2, &p, &plain, &program, 1, &sums);
  check_places(&p, c, inverted, "stepper");
  memset(p.a.f, 0, 24 * (size_t) p.a.n);
  resident_does(pair, 1, &p, &plain, &program, 1, &sums);
  check_places(&p, c, inverted, "resident");
  ds_pair_close(pair);
  particles_close(&p);
}

static void test_regions(int v)
{
  for (int k = 0; k < CASES; k++)
    for (int outside = 0; outside < 2; outside++)
      for (int flag = 0; flag < 2; flag++) test_region(v, &cases[k], outside, flag ? DS_OUTSIDE_REGION : 0);
}

/* ------------------------------------------------------------------------------------------ how many */

/* Pushes and second halves of fix nve in turns, which show in what order they have acted: of particles with masses 2^k, where
   all numbers are exact. `plain_only`: halves of fix nve alone. */
static ds_step_program program_of_length(int n, int plain_only)
{
  static const double half[2] = {0.5, 0.25};
  ds_step_program p = no_operations();
  for (int k = 0; k < n; k++) {
    ds_operation *o;
    if (plain_only || k % 2)
      set_numbers(o = add_operation(&p, DS_NVE_FINAL, DS_AT_POST_FORCE), 0, 2, half);
    else
      o = add_push(&p, 1.0, 0.0, k + 1.0);
    o->group = k % 3 ? 1 : GROUP_ONE;
    o->nsums = o->kind == DS_ADD_FORCE ? 4 : 0;
  }
  return p;
}

static void check_length(const particles *p, int n, int plain_only, const char *what)
{
  for (int i = 0; i < p->a.n; i++) {
    double v[3] = {0.0, 0.0, 0.0}, f[3] = {1.0, 1.0, 1.0};
    for (int k = 0; k < n; k++) {
      if (k % 3 == 0 && i % 2 == 0) continue;
      const int pushes = !plain_only && k % 2 == 0;
      if (pushes) f[0] += 1.0, f[2] += k + 1.0;
      for (int d = 0; d < 3 && !pushes; d++) v[d] += 0.25 / p->a.rmass[i] * f[d];
    }
    if (memcmp(p->a.v + 3 * i, v, sizeof v) != 0 || memcmp(p->a.f + 3 * i, f, sizeof f) != 0) {
      CHECK_MSG(0, "%s: %d operations, particle %d has velocity %g %g %g, expected %g %g %g", what, n, i, p->a.v[3 * i],
                p->a.v[3 * i + 1], p->a.v[3 * i + 2], v[0], v[1], v[2]);
      return;
    }
  }
  CHECK(1);
}

static void test_lengths(int v)
{
  static const setting by_atom = {.name = "masses by atom", ALL_MOVE, .by_atom = 1};
  particles before, p;
  step_sums sums, expected;
  particles_open(&before, 33);
  particles_open(&p, 33);
  particles_fill(&before, &by_atom, FILL_POWERS, 22);
  memset(before.a.v, 0, 24 * 33);
  for (int k = 0; k < 99; k++) before.a.f[k] = 1.0;
  ds_pair *const pair = pair_for(&variants.options[v], &by_atom, &before);
  for (int n = 0; n <= DS_MAX_OPERATIONS; n++)
    for (int plain_only = 0; plain_only < 2; plain_only++) {
      const ds_step_program program = program_of_length(n, plain_only);
      particles_copy(&p, &before);
      stepper_does(2, &p, &by_atom, &program, 1, &expected);
      check_length(&p, n, plain_only, "stepper");
      particles_copy(&p, &before);
      resident_does(pair, n % 2, &p, &by_atom, &program, 1, &sums);
      check_length(&p, n, plain_only, "resident");
      check_same_sums(&program, &sums, &expected, "programs of all lengths");
    }
  ds_pair_close(pair);
  particles_close(&before);
  particles_close(&p);
}

/* -------------------------------------------------------------------------------------------- rotation */

/* Particles on a line that turns about w, an axis at right angles to it; along it each has a velocity of its own. */
static void put_on_line(particles *p, const double line[3], const double w[3])
{
  static const int home[3] = {0, 0, 0};
  double middle = 0.0, mass = 0.0;
  for (int i = 0; i < p->a.n; i++) {
    p->a.rmass[i] = 1.0 + 0.25 * i;
    middle += p->a.rmass[i] * i;
    mass += p->a.rmass[i];
  }
  for (int i = 0; i < p->a.n; i++) {
    const double at = i - middle / mass;
    particles_set_images(&p->a, i, home);
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      p->a.x[3 * i + d] = 0.5 + 0.25 * d + i * line[d];
      p->a.v[3 * i + d] = at * (w[e] * line[f] - w[f] * line[e]) + i % 3 * line[d];
    }
  }
}

/* Such a body has no inertia about the line: it stops to turn about the other axes, and nothing else changes. */
static void test_line(int v, int n, const double line[3], const double w[3])
{
  static const double units[2] = {2.0, 0.25};
  static const setting by_atom = {.name = "a line", ALL_MOVE, .by_atom = 1};
  ds_step_program program = no_operations();
  particles p;
  step_sums sums;
  add_operation(&program, DS_SUM_CENTER, DS_AT_END)->nsums = 4;
  add_reader(&program, DS_SUM_ROTATION, DS_AT_END)->nsums = 9;
  add_reader(&program, DS_REMOVE_ROTATION, DS_AT_END)->also = 0;
  for (int k = 0; k < program.n; k++) set_numbers(&program.operation[k], 0, 2, units);
  particles_open(&p, n);
  particles_fill(&p, &by_atom, FILL_RANDOM, 31);
  for (int i = 0; i < n; i++) p.a.mask[i] |= 1;
  put_on_line(&p, line, w);
  ds_pair *const pair = pair_for(&variants.options[v], &by_atom, &p);
  resident_does(pair, 1, &p, &by_atom, &program, 1, &sums);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) CHECK_NEAR(p.a.v[3 * i + d], i % 3 * line[d], 1e-12);
  ds_pair_close(pair);
  particles_close(&p);
}

static void test_lines(int v)
{
  static const double lines[3][3] = {{1.0, 0.0, 0.0}, {0.5, -0.5, 0.0}, {0.3, 0.4, -1.2}};
  static const double axes[3][3] = {{0.0, 0.7, -0.2}, {0.5, 0.5, 0.25}, {0.8, -0.6, 0.0}};
  for (int n = 2; n < 6; n++)
    for (int k = 0; k < 3; k++) test_line(v, n, lines[k], axes[k]);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(test_times(v));
    CHECK_CASE(test_sums_last(v));
    CHECK_CASE(test_after_sums(v));
    CHECK_CASE(test_parts(v));
    CHECK_CASE(test_nobody(v));
    CHECK_CASE(test_regions(v));
    CHECK_CASE(test_lengths(v));
    CHECK_CASE(test_lines(v));
  }
  return check_result();
}
