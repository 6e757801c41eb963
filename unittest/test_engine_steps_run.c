/* test_engine_steps_run.c: in a run of many steps, operations do what a caller gets who computes forces with the pair object
   and has a stepper act on his arrays, point by point.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_run cuda" makes the same checks on the GPU. */
#include "support/steps.h"

static test_variants variants;

static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 40, .stretch = 40},
    {.name = "by distance, stretches of 7 steps", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 40, .stretch = 7, .by_atom = 1},
    {.name = "tilted, step by step",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {3, 0, 0, 0.0},
     .steps = 20,
     .stretch = 1,
     .wide_images = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST = 6 };

/* ------------------------------------------------------------------------------------------- the program */

static void add_forces(ds_step_program *p, int64_t step)
{
  static const double block[6] = {-INFINITY, INFINITY, 4.0, 8.0, -INFINITY, INFINITY};
  const double push[3] = {0.1 * (double) (step % 4), -0.2, 0.0}; /* another one in each step */
  add_push_in_block(p, block, push)->nsums = 4;
  add_bath(p);
  ds_operation *const spring = add_operation(p, DS_SPRING_SELF, DS_AT_POST_FORCE);
  spring->number[0] = spring->number[3] = 0.5;
  spring->anchor = 1;
  spring->nsums = 1;
  spring->every = 2;
}

static void add_end(ds_step_program *p)
{
  static const double axes[3] = {1.0, 1.0, 1.0}, temperature[4] = {0.001, 0.6, 0.01, 0.5};
  ds_operation *const momentum = add_operation(p, DS_SUM_MOMENTUM, DS_AT_END);
  momentum->nsums = 5;
  ds_operation *const take = add_reader(p, DS_REMOVE_MOMENTUM, DS_AT_END);
  set_numbers(take, 0, 3, axes);
  momentum->every = take->every = 4;
  ds_operation *const energy = add_operation(p, DS_SUM_KINETIC_TRACE, DS_AT_END);
  energy->nsums = 1;
  ds_operation *const scale = add_reader(p, DS_RESCALE_TEMPERATURE, DS_AT_END);
  set_numbers(scale, 0, 4, temperature);
  energy->every = scale->every = 3;
}

/* Operations at each point; one needs its numbers anew in each step. */
static ds_step_program program_of(int64_t step)
{
  static const double motion[2] = {0.01, 0.005}, wall[2] = {2.0, 1.0};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  add_forces(&p, step);
  set_numbers(add_operation(&p, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, motion);
  add_end(&p);
  ds_operation *const kinetic = add_operation(&p, DS_SUM_KINETIC, DS_AT_SUMS);
  kinetic->nsums = 6;
  kinetic->flags = DS_LAST_STEP_ONLY;
  ds_operation *const way = add_operation(&p, DS_SUM_DISPLACEMENT, DS_AT_SUMS);
  way->nsums = 3;
  way->every = 5;
  set_numbers(add_operation(&p, DS_NVE_INITIAL, DS_AT_INITIAL), 0, 2, motion);
  ds_operation *const face = add_operation(&p, DS_WALL_REFLECT, DS_AT_POST_INTEGRATE);
  set_numbers(face, 0, 2, wall);
  face->number[2] = low[2] + edge[2] - 0.25;
  face->every = 2;
  return p;
}

/* -------------------------------------------------------------------------------------------- the caller */

/* Operations of the points first to last as a program of their own; place[k] is where its operation k stands in the whole one.
   */
static ds_step_program points_of(const ds_step_program *all, ds_point first, ds_point last, int is_last_step, int place[])
{
  ds_step_program p = *all;
  int now[DS_MAX_OPERATIONS];
  p.n = 0;
  for (int k = 0; k < all->n; k++) {
    const ds_operation *const o = &all->operation[k];
    if (o->point < (int) first || o->point > (int) last) continue;
    if ((o->flags & DS_LAST_STEP_ONLY) && !is_last_step) continue;
    now[k] = p.n;
    place[p.n] = k;
    p.operation[p.n] = *o;
    if (o->from >= 0) p.operation[p.n].from = now[o->from];
    p.n++;
  }
  return p;
}

typedef struct {
  particles p;
  const setting *s;
  ds_pair *pair;
  ds_stepper *stepper;
  step_sums sums; /* of each operation as it has acted last */
  int64_t rebuilt;
} caller;

static void caller_acts(caller *c, ds_point first, ds_point last, int64_t declared, int64_t step, int is_last_step)
{
  const ds_step_program all = program_of(declared);
  const ds_resident_atoms fields = particles_fields(&c->p, c->s);
  const ds_wrap box = wrap_of(c->s);
  int place[DS_MAX_OPERATIONS];
  const ds_step_program part = points_of(&all, first, last, is_last_step, place);
  step_sums sums;
  ds_error err;
  CHECK_OK(ds_stepper_operate(c->stepper, &fields, &box, &part, step, NULL, NULL, sums.of, &err), err);
  for (int k = 0; k < part.n; k++)
    if (step % part.operation[k].every == 0)
      memcpy(c->sums.of + place[k] * DS_OPERATION_SUMS, sums.of + k * DS_OPERATION_SUMS, DS_OPERATION_SUMS * sizeof *sums.of);
}

static void caller_steps(caller *c, int64_t step, int is_last_step)
{
  atoms *const a = &c->p.a;
  ds_pair_totals totals;
  ds_error err;
  caller_acts(c, DS_AT_INITIAL, DS_AT_POST_INTEGRATE, step, step, is_last_step);
  int rebuild = (step - c->rebuilt) % c->s->rule.every == 0;
  if (rebuild && c->s->rule.check) rebuild = caller_sees_movement(a, c->s);
  if (rebuild) {
    caller_wraps(a, c->s);
    c->rebuilt = step;
  }
  CHECK_OK(caller_forces(c->pair, a, step, rebuild, &totals, &err), err);
  caller_acts(c, DS_AT_POST_FORCE, DS_AT_SUMS, step, step, is_last_step);
}

/* Positions in the box, and forces there. */
static void caller_opens(caller *c, const setting *s)
{
  static const ds_pair_options host = {.backend = DS_BACKEND_HOST, .threads = 1};
  ds_pair_totals totals;
  ds_error err;
  memset(c, 0, sizeof *c);
  c->s = s;
  particles_open(&c->p, ATOMS);
  particles_fill(&c->p, s, FILL_RANDOM, 51);
  for (int i = 0; i < ATOMS; i++) {
    const int none[3] = {0, 0, 0};
    particles_set_images(&c->p.a, i, none);
    c->p.a.rmass[i] = 0.8 + 0.1 * (i % 7);
  }
  c->pair = pair_for(&host, s, &c->p);
  c->stepper = stepper_on(DS_BACKEND_HOST, 2);
  caller_wraps(&c->p.a, s);
  c->rebuilt = FIRST - 1;
  CHECK_OK(caller_forces(c->pair, &c->p.a, FIRST - 1, 1, &totals, &err), err);
}

static void caller_closes(caller *c)
{
  ds_stepper_close(c->stepper);
  ds_pair_close(c->pair);
  particles_close(&c->p);
}

/* -------------------------------------------------------------------------------------------- the engine */

static ds_status declare(void *user, int64_t step, ds_error *err)
{
  const ds_step_program program = program_of(step);
  return ds_resident_set_steps(user, &program, err);
}

static void engine_runs(ds_resident *r, const setting *s, int64_t first, int64_t last, int64_t *rebuilt)
{
  ds_run_request stretch;
  ds_run_result reached;
  ds_error err;
  memset(&stretch, 0, sizeof stretch);
  stretch.first = first;
  stretch.last = last;
  stretch.reneighbored = *rebuilt;
  stretch.rule = s->rule;
  stretch.hand_over = INT64_MAX;
  stretch.declare = declare;
  stretch.user = r;
  CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
  CHECK(reached.whole);
  *rebuilt = reached.reneighbored;
}

/* Sums that are there after the last step: of what acts in it, and of what acts every few steps. */
static void check_sums_of_step(const step_sums *got, const step_sums *expected, int64_t step, const char *what)
{
  ds_step_program program = program_of(step);
  for (int k = 0; k < program.n; k++) /* some have not acted yet */
    if (program.operation[k].every > step - FIRST + 1 && step % program.operation[k].every) program.operation[k].nsums = 0;
  check_same_sums(&program, got, expected, what);
}

static void compare(const setting *s, const ds_pair_options *options, int own_copies)
{
  caller theirs;
  particles ours;
  ds_error err;
  step_sums sums;
  char what[120];
  int64_t rebuilt = FIRST - 1;
  const ds_step_program program = program_of(FIRST);
  snprintf(what, sizeof what, "%s, %s", s->name, variant_name(options));
  caller_opens(&theirs, s);
  particles_open(&ours, ATOMS);
  particles_copy(&ours, &theirs.p);
  ds_pair *const pair = pair_for(options, s, &ours);
  ds_resident *const r = resident_with(pair, own_copies, &ours, s, &program);
  CHECK_OK(ds_resident_set_reference(r, &err), err);
  for (int64_t step = FIRST; step < FIRST + s->steps;) {
    const int64_t last = step + s->stretch - 1 < FIRST + s->steps - 1 ? step + s->stretch - 1 : FIRST + s->steps - 1;
    engine_runs(r, s, step, last, &rebuilt);
    for (; step <= last; step++) caller_steps(&theirs, step, step == last);
    CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
    check_sums_of_step(&sums, &theirs.sums, last, what);
  }
  CHECK_INT(rebuilt, theirs.rebuilt);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  check_same_particles(&ours, &theirs.p, s, what);
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&ours);
  caller_closes(&theirs);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int s = 0; s < SETTINGS; s++)
    for (int v = 0; v < variants.n; v++) CHECK_CASE(compare(&settings[s], &variants.options[v], (s + v) % 2));
  return check_result();
}
