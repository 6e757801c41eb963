/* test_engine_steps_questions.c: operations that ask the caller for their numbers, who makes them of sums of this very step: in
   runs of many steps and on a caller's arrays, with the same questions, answers and bits.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_questions cuda" makes the same checks on the GPU. */
#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 40, .stretch = 40},
    {.name = "by distance, stretches of 7 steps", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 40, .stretch = 7, .by_atom = 1},
    {.name = "by distance, step by step", ALL_MOVE, .rule = {1, 0, 1, 0.01}, .steps = 20, .stretch = 1, .wide_images = 1},
    {.name = "lists that grow", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 30, .stretch = 15, .inward = 0.25},
    {.name = "lists that grow, by distance",
     ALL_MOVE,
     .rule = {1, 0, 1, 0.01},
     .steps = 30,
     .stretch = 30,
     .inward = 0.25,
     .by_atom = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST = 6, KICK = 0, GROW, SUM, BRAKE, PUSH, MOVE, OPERATIONS };

/* A thermostat acts on all particles, or only on some, of which it wants all components of the kinetic energy. */
static ds_step_program thermostat(int of_some)
{
  static const double motion[2] = {0.01, 0.005}, ones[9] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
                      growth[9] = {1.0 + 1e-5, 1.0, 1.0 - 1e-5, 1e-6, 0.0, -1e-6, 1.0, 1.0 + 1e-5, 1.0};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  set_numbers(add_operation(&p, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, motion);
  set_numbers(add_operation(&p, DS_SCALE_VELOCITY, DS_AT_FINAL), 0, 9, growth);
  ds_operation *const sum = add_operation(&p, of_some ? DS_SUM_KINETIC : DS_SUM_KINETIC_TRACE, DS_AT_FINAL);
  sum->nsums = of_some ? 6 : 1;
  if (of_some) sum->group = p.operation[GROW].group = GROUP_ONE;
  ds_operation *const brake = add_reader(&p, DS_SCALE_VELOCITY, DS_AT_FINAL);
  ds_operation *const push = add_operation(&p, DS_SCALE_VELOCITY, DS_AT_INITIAL);
  set_numbers(brake, 0, 9, ones);
  set_numbers(push, 0, 9, ones);
  brake->flags |= DS_ASKS;
  push->flags = DS_ASKS;
  set_numbers(add_operation(&p, DS_NVE_INITIAL, DS_AT_INITIAL), 0, 2, motion);
  return p;
}

/* ------------------------------------------------------------------------------------------- who answers */

enum { MAX_QUESTIONS = 100 };

typedef struct {
  int of_some;         /* the thermostat is of some particles */
  int first_operation; /* of the program that asks, in the whole one */
  int n;
  int64_t step[MAX_QUESTIONS];
  int operation[MAX_QUESTIONS];
  double energy; /* of the last half step */
} host;

/* Velocities go towards an energy, and on along x alone in the first half of the next step. */
static ds_status answer(void *user, ds_question *q, ds_error *err)
{
  host *const h = user;
  const int operation = h->first_operation + q->operation;
  double *const number = q->program->operation[q->operation].number;
  if (!CHECK(h->n < MAX_QUESTIONS)) return ds_fail(err, DS_ERR_ARGUMENT, "too many questions");
  h->step[h->n] = q->step;
  h->operation[h->n++] = operation;
  CHECK((operation == BRAKE) == (q->sums != NULL));
  if (operation == BRAKE) h->energy = ds_exact_value(q->sums, 1.0);
  if (operation == BRAKE && h->of_some)
    for (int k = 1; k < 6; k++) h->energy += (0.3 + k) * ds_exact_value(q->sums + k, 1.0);
  for (int d = 0; d < 3; d++) number[d] = 1.0 - 1e-7 * (h->energy - 900.0) * (operation == BRAKE || d == 0);
  return DS_OK;
}

static void check_questions(const host *h, const setting *s)
{
  CHECK_INT(h->n, 2 * s->steps);
  for (int k = 0; k < h->n; k++) {
    CHECK_INT(h->step[k], FIRST + k / 2);
    CHECK_INT(h->operation[k], k % 2 ? BRAKE : PUSH);
  }
}

/* -------------------------------------------------------------------------------------------- the caller */

typedef struct {
  particles p;
  ds_pair *pair;
  ds_stepper *stepper;
  host h;
  int64_t rebuilt;
} caller;

static void caller_acts(caller *c, const setting *s, int first, int end, int64_t step)
{
  const ds_step_program all = thermostat(c->h.of_some);
  const ds_resident_atoms fields = particles_fields(&c->p, s);
  const ds_wrap box = wrap_of(s);
  ds_step_program part = all;
  ds_error err;
  part.n = end - first;
  for (int k = 0; k < part.n; k++) part.operation[k] = all.operation[first + k];
  c->h.first_operation = first;
  CHECK_OK(ds_stepper_operate(c->stepper, &fields, &box, &part, step, NULL, NULL, NULL, &err), err);
}

static void caller_steps(caller *c, const setting *s, int64_t step)
{
  atoms *const a = &c->p.a;
  ds_pair_totals result;
  ds_error err;
  caller_acts(c, s, PUSH, OPERATIONS, step);
  int rebuild = (step - c->rebuilt) % s->rule.every == 0;
  if (rebuild && s->rule.check) rebuild = caller_sees_movement(a, s);
  if (rebuild) {
    caller_wraps(a, s);
    c->rebuilt = step;
  }
  CHECK_OK(caller_forces(c->pair, a, step, rebuild, &result, &err), err);
  caller_acts(c, s, KICK, PUSH, step);
}

static void caller_opens(caller *c, const setting *s, int of_some)
{
  static const ds_pair_options options = {.backend = DS_BACKEND_HOST, .threads = 1};
  ds_pair_totals result;
  ds_error err;
  memset(c, 0, sizeof *c);
  c->h.of_some = of_some;
  particles_open(&c->p, ATOMS);
  particles_fill(&c->p, s, FILL_RANDOM, 51);
  for (int i = 0; i < ATOMS; i++) {
    const int none[3] = {0, 0, 0};
    particles_set_images(&c->p.a, i, none);
    c->p.a.rmass[i] = 0.8 + 0.1 * (i % 7);
  }
  c->pair = pair_for(&options, s, &c->p);
  c->stepper = stepper_on(DS_BACKEND_HOST, 2);
  ds_stepper_set_answer(c->stepper, answer, &c->h);
  caller_wraps(&c->p.a, s);
  c->rebuilt = FIRST - 1;
  CHECK_OK(caller_forces(c->pair, &c->p.a, FIRST - 1, 1, &result, &err), err);
}

static void caller_closes(caller *c)
{
  ds_stepper_close(c->stepper);
  ds_pair_close(c->pair);
  particles_close(&c->p);
}

/* -------------------------------------------------------------------------------------------- the engine */

/* The virial as integers is that of the result. */
static void check_virial(const ds_pair *pair, const ds_pair_totals *result)
{
  ds_pair_totals seen;
  memset(&seen, 0, sizeof seen);
  ds_pair_sums(pair, &seen);
  CHECK(memcmp(seen.virial_part, result->virial_part, sizeof seen.virial_part) == 0);
  CHECK(result->virial[0] != 0.0);
  for (int k = 0; k < 6; k++) CHECK(ds_pair_virial_of(pair, 0, result->virial_part[k]) == result->virial[k]);
}

static void engine_runs(ds_pair *pair, ds_resident *r, const setting *s, int64_t first, int64_t last, int64_t *rebuilt)
{
  ds_run_request stretch;
  ds_run_result reached;
  ds_pair_request request;
  ds_pair_totals totals;
  ds_error err;
  memset(&stretch, 0, sizeof stretch);
  memset(&request, 0, sizeof request);
  memset(&totals, 0, sizeof totals);
  stretch.first = first;
  stretch.last = last;
  stretch.reneighbored = *rebuilt;
  stretch.rule = s->rule;
  stretch.hand_over = INT64_MAX;
  stretch.wanted = &request;
  stretch.totals = &totals;
  request.want_virial = 1;
  CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
  CHECK(reached.whole);
  check_virial(pair, &totals);
  *rebuilt = reached.reneighbored;
}

static void compare(const setting *s, const ds_pair_options *options, int own_copies, int of_some)
{
  caller theirs;
  particles ours;
  host h;
  ds_error err;
  char what[120];
  int64_t rebuilt = FIRST - 1;
  const ds_step_program program = thermostat(of_some);
  snprintf(what, sizeof what, "%s, %s, of %s", s->name, variant_name(options), of_some ? "some" : "all");
  memset(&h, 0, sizeof h);
  h.of_some = of_some;
  caller_opens(&theirs, s, of_some);
  particles_open(&ours, ATOMS);
  particles_copy(&ours, &theirs.p);
  ds_pair *const pair = pair_for(options, s, &ours);
  ds_resident *const r = resident_with(pair, own_copies, &ours, s, &program);
  ds_resident_set_answer(r, answer, &h);
  CHECK_OK(ds_resident_set_reference(r, &err), err);
  const int64_t end = FIRST + s->steps;
  for (int64_t step = FIRST; step < end; step += s->stretch)
    engine_runs(pair, r, s, step, step + s->stretch < end ? step + s->stretch - 1 : end - 1, &rebuilt);
  for (int64_t step = FIRST; step < end; step++) caller_steps(&theirs, s, step);
  check_questions(&h, s);
  check_questions(&theirs.h, s);
  CHECK(h.energy == theirs.h.energy);
  CHECK_INT(rebuilt, theirs.rebuilt);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  check_same_particles(&ours, &theirs.p, s, what);
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&ours);
  caller_closes(&theirs);
}

/* ------------------------------------------------------------------------------------------- wrong answers */

static ds_status answer_nan(void *user, ds_question *q, ds_error *err)
{
  (void) user, (void) err;
  q->program->operation[q->operation].number[0] = NAN;
  return DS_OK;
}

static ds_status answer_no(void *user, ds_question *q, ds_error *err)
{
  (void) user;
  return ds_fail(err, DS_ERR_ARGUMENT, "the caller does not know step %lld", (long long) q->step);
}

/* After a step that was not finished, atoms are given anew. */
static void set_atoms(ds_resident *r, const particles *p, const setting *s)
{
  const ds_resident_atoms fields = particles_fields(p, s);
  ds_error err;
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
}

static void refuse(const ds_pair_options *options)
{
  const setting *const s = &settings[0];
  particles p;
  ds_error err;
  ds_step_program program = thermostat(0);
  particles_open(&p, 100);
  particles_fill(&p, s, FILL_RANDOM, 52);
  ds_pair *const pair = pair_for(options, s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, s, &program);
  EXPECT(ds_resident_operate(r, 7, 0, PUSH, 0, 1, &err), err, DS_ERR_ARGUMENT, "operation 3 asks, and nobody answers");
  ds_resident_set_answer(r, answer_nan, NULL);
  EXPECT(ds_resident_operate(r, 7, 0, PUSH, 0, 1, &err), err, DS_ERR_ARGUMENT, "scaling of velocities has|nan as number 0");
  ds_resident_set_answer(r, answer_no, NULL);
  CHECK_OK(ds_resident_set_steps(r, &program, &err), err);
  EXPECT(ds_resident_operate(r, 7, 0, PUSH, 0, 1, &err), err, DS_ERR_ARGUMENT, "nan as number 0");
  set_atoms(r, &p, s);
  EXPECT(ds_resident_operate(r, 7, 0, PUSH, 0, 1, &err), err, DS_ERR_ARGUMENT, "the caller does not know step 7");
  program.operation[BRAKE].flags = DS_ASKS;
  EXPECT(ds_resident_set_steps(r, &program, &err), err, DS_ERR_ARGUMENT,
         "scaling of velocities asks about sums of operation 2 before they are whole");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

/* In the middle of a run, of which the GPU already has the launch that the answer is for. */
static ds_status fail_later(void *user, ds_question *q, ds_error *err)
{
  (void) user;
  return q->step < FIRST + 2 ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "the caller does not know step %lld", (long long) q->step);
}

static ds_status wait_later(void *user, ds_question *q, ds_error *err)
{
  return q->step < FIRST + 2 || !q->sums ? DS_OK : ds_resident_to_host(user, DS_VELOCITY, err);
}

static void refuse_in_run(const ds_pair_options *options, ds_answer *with, const char *expected)
{
  const setting *const s = &settings[0];
  const ds_step_program program = thermostat(0);
  const ds_run_request stretch = {
      .first = FIRST, .last = FIRST + 9, .reneighbored = FIRST - 1, .rule = {5, 0, 0, 0.0}, .hand_over = INT64_MAX};
  particles p;
  ds_run_result reached;
  ds_pair_totals result;
  ds_error err;
  particles_open(&p, ATOMS);
  particles_fill(&p, s, FILL_RANDOM, 53);
  caller_wraps(&p.a, s);
  ds_pair *const pair = pair_for(options, s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, s, &program);
  CHECK_OK(caller_forces(pair, &p.a, FIRST - 1, 1, &result, &err), err);
  ds_resident_set_answer(r, with, r);
  EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, expected);
  set_atoms(r, &p, s); /* nothing hangs behind it */
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    for (int s = 0; s < SETTINGS; s++)
      for (int of_some = 0; of_some < 2; of_some++)
        CHECK_CASE(compare(&settings[s], &variants.options[v], (s + v) % 2, of_some));
    CHECK_CASE(refuse(&variants.options[v]));
    CHECK_CASE(refuse_in_run(&variants.options[v], fail_later, "the caller does not know step 8"));
    /* with CUDA_LAUNCH_BLOCKING no kernel waits for an answer */
    if (!check_lists && variants.options[v].backend == DS_BACKEND_CUDA && !getenv("CUDA_LAUNCH_BLOCKING"))
      CHECK_CASE(refuse_in_run(&variants.options[v], wait_later, "the answer to a question of a step is what need not wait"));
  }
  return check_result();
}
