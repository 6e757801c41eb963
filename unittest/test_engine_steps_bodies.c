/* test_engine_steps_bodies.c: rigid bodies in runs of many steps and on a caller's arrays, step by step, with the same bits;
   several processes; kinetic energies that are asked about; principal axes; rotations; what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_bodies cuda" makes the same checks on the GPU. */
#include "dpdsop/device/step/rigid_body.h"

#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 40, .stretch = 40},
    {.name = "by distance, stretches of 7 steps", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 40, .stretch = 7, .by_atom = 1},
    {.name = "by distance, step by step", ALL_MOVE, .rule = {1, 0, 1, 0.01}, .steps = 20, .stretch = 1, .wide_images = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST = 6, BODIES = 9, PLACES = 2 };

/* By how much, and how, bodies move. */
static const double nve[2] = {0.01, 0.005}, scaled[2] = {0.9995, 0.999}, kinetic_unit = 1024.0;

/* Beside what moves the others. What reads velocities at the end of a step comes in or not; without it, kinetic energies are
   asked about, and the answers scale what follows. */
static ds_step_program motion(int sees_velocities)
{
  static const double units[2] = {4.0, 8.0}, bath[3] = {-0.2, 3.0, 777.0};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  ds_operation *const end = add_operation(&p, DS_NVE_FINAL, DS_AT_FINAL);
  set_numbers(add_operation(&p, DS_BODY_SUM, DS_AT_FINAL), 0, 2, units);
  ds_operation *const turn = add_operation(&p, DS_BODY_VELOCITY, DS_AT_FINAL);
  if (sees_velocities) add_operation(&p, DS_SUM_MOMENTUM, DS_AT_END)->nsums = 5;
  if (sees_velocities) add_reader(&p, DS_REMOVE_MOMENTUM, DS_AT_END)->number[0] = 1.0;
  ds_operation *const place = add_operation(&p, DS_BODY_PLACE, DS_AT_INITIAL);
  if (!sees_velocities) {
    ds_operation *const kinetic = add_operation(&p, DS_BODY_KINETIC, DS_AT_INITIAL);
    kinetic->flags = DS_ASKS;
    kinetic->nsums = DS_BODY_KINETIC_SUMS;
    kinetic->unit = kinetic_unit;
  }
  ds_operation *const begin = add_operation(&p, DS_NVE_INITIAL, DS_AT_INITIAL);
  set_numbers(end, 0, 2, nve);
  set_numbers(begin, 0, 2, nve);
  end->group = begin->group = 2;
  set_numbers(turn, 0, 2, nve);
  turn->number[2] = 1.0;
  set_numbers(turn, 3, 3, bath);
  set_numbers(turn, 6, 2, units);
  set_numbers(place, 0, 2, nve);
  set_numbers(turn, 8, 2, scaled);
  set_numbers(place, 8, 2, scaled);
  place->number[2] = !sees_velocities;
  turn->nsums = place->nsums = 6;
  turn->anchor = place->anchor = PLACES;
  return p;
}

/* Of steps in which it has been asked. */
typedef struct {
  int64_t step;
  int calls;
  double seen[2];
  double scale[2]; /* for the second half of the step, and the first one of the next */
} asked_about;

/* A thermostat that keeps kinetic energies, as they are told, near a value. */
static ds_status answer(void *user, ds_question *q, ds_error *err)
{
  asked_about *const a = user;
  CHECK(q->step > a->step && q->sums);
  a->step = q->step;
  a->calls++;
  for (int k = 0; k < 2; k++) {
    a->seen[k] = ds_exact_value(&q->sums[k], kinetic_unit);
    a->scale[k] = a->seen[k] > 3000.0 ? 0.999 : 1.001;
  }
  for (int k = 0; k < q->program->n; k++)
    if (q->program->operation[k].kind == DS_BODY_VELOCITY || q->program->operation[k].kind == DS_BODY_PLACE)
      set_numbers(&q->program->operation[k], 8, 2, a->scale);
  (void) err;
  return DS_OK;
}

/* --------------------------------------------------------------------------------------- bodies */

typedef struct {
  particles p;
  int32_t *number;
  ds_body body[BODIES];
} system_of_bodies;

static ds_resident_atoms fields_with_bodies(const system_of_bodies *b, const setting *s)
{
  ds_resident_atoms fields = particles_fields(&b->p, s);
  const ds_array numbers = {b->number, DS_I32, DS_SPACE_HOST, 1, 1};
  fields.body = numbers;
  return fields;
}

/* Heavy ones: in five steps no particle goes further than lists reach. */
static void fill_body(ds_body *b, int k)
{
  uint64_t seed = 61u + (uint64_t) k;
  const double inertia[6] = {300.0 + 100.0 * k, 400.0, 500.0, 30.0, -20.0, k == 0 ? 0.0 : 40.0};
  const int64_t none = (int64_t) 1 << (DS_BODY_IMAGE_BITS - 1);
  memset(b, 0, sizeof *b);
  b->mass = 200.0 + 100.0 * k;
  b->image = none | none << DS_BODY_IMAGE_BITS | none << (2 * DS_BODY_IMAGE_BITS);
  for (int d = 0; d < 3; d++) {
    b->x[d] = 5.0 * check_uniform(&seed);
    b->v[d] = random_normal(&seed);
    b->momentum[d] = 100.0 * random_normal(&seed);
    b->force[d] = random_normal(&seed);
    b->torque[d] = random_normal(&seed);
    b->moves[d] = k != 3 || d != 1;
    b->turns[d] = k != 4 || d != 2;
  }
  ds_body_set_inertia(b, inertia);
}

/* Of a particle in its body. */
static void put_in_place(system_of_bodies *b, int i)
{
  const ds_body *const body = &b->body[b->number[i]];
  double axis[3][3], r[3];
  ds_body_axes(body->quaternion, axis);
  ds_body_to_space(axis, b->p.anchor[PLACES] + 3 * i, r);
  for (int d = 0; d < 3; d++) b->p.a.x[3 * i + d] = body->x[d] + r[d];
}

/* Two in three particles are of bodies; those beyond the border are wrapped before steps begin. */
static void open_system(system_of_bodies *b, const setting *s)
{
  particles_open(&b->p, ATOMS);
  particles_fill(&b->p, s, FILL_RANDOM, 51);
  b->number = test_alloc(sizeof *b->number * ATOMS);
  for (int k = 0; k < BODIES; k++) fill_body(&b->body[k], k);
  for (int i = 0; i < ATOMS; i++) {
    const int none[3] = {0, 0, 0};
    particles_set_images(&b->p.a, i, none);
    b->p.a.rmass[i] = 0.8 + 0.1 * (i % 7);
    b->number[i] = i % 3 ? i / 7 % BODIES : -1;
    b->p.a.mask[i] = i % 3 ? 1 : 3;
    for (int d = 0; d < 3; d++) b->p.anchor[PLACES][3 * i + d] *= 0.1;
    if (b->number[i] >= 0) put_in_place(b, i);
  }
}

static void copy_system(system_of_bodies *to, const system_of_bodies *from)
{
  particles_open(&to->p, ATOMS);
  particles_copy(&to->p, &from->p);
  memcpy(to->p.a.mask, from->p.a.mask, sizeof *from->p.a.mask * ATOMS);
  to->number = test_alloc(sizeof *to->number * ATOMS);
  memcpy(to->number, from->number, sizeof *to->number * ATOMS);
  memcpy(to->body, from->body, sizeof to->body);
}

static void close_system(system_of_bodies *b)
{
  particles_close(&b->p);
  free(b->number);
}

/* ----------------------------------------------------------------------------------------- both ways */

/* Of bodies as the question finds them, behind the first half of a step. */
static void check_seen(const asked_about *a, const ds_body *body)
{
  double expected[2] = {0.0, 0.0};
  for (int k = 0; k < BODIES; k++) {
    double axis[3][3], turning[3];
    expected[0] += body[k].mass * ds_dot(body[k].v, body[k].v);
    ds_body_axes(body[k].quaternion, axis);
    ds_body_principal_omega(&body[k], axis, turning);
    for (int d = 0; d < 3; d++) expected[1] += body[k].inertia[d] * turning[d] * turning[d];
  }
  for (int j = 0; j < 2; j++) CHECK_NEAR(a->seen[j], expected[j], 1e-12 * expected[j]);
}

static void caller_acts(system_of_bodies *b, ds_stepper *t, const setting *s, const ds_step_program *all, ds_point first,
                        ds_point end, int64_t step, asked_about *a)
{
  const ds_resident_atoms fields = fields_with_bodies(b, s);
  const ds_wrap box = wrap_of(s);
  ds_step_program part;
  ds_error err;
  memset(&part, 0, sizeof part);
  const int begin = ds_first_operation(all, first), stop = end == DS_POINTS ? all->n : ds_first_operation(all, end);
  for (int k = begin; k < stop; k++) {
    ds_operation *const o = &part.operation[part.n++];
    *o = all->operation[k];
    if (o->from >= 0) o->from -= begin;
    if (a->calls && (o->kind == DS_BODY_VELOCITY || o->kind == DS_BODY_PLACE)) set_numbers(o, 8, 2, a->scale);
  }
  const int before = a->calls;
  ds_stepper_set_answer(t, answer, a);
  CHECK_OK(ds_stepper_set_bodies(t, b->body, BODIES, &err), err);
  CHECK_OK(ds_stepper_operate(t, &fields, &box, &part, step, NULL, NULL, NULL, &err), err);
  CHECK_OK(ds_stepper_bodies(t, b->body, &err), err);
  if (a->calls > before) check_seen(a, b->body);
}

static void compare(const setting *s, const ds_pair_options *options, int own_copies, int sees_velocities)
{
  static const ds_pair_options host = {.backend = DS_BACKEND_HOST, .threads = 1};
  const ds_step_program program = motion(sees_velocities);
  system_of_bodies theirs, ours;
  ds_pair_totals result;
  ds_stepper *t;
  ds_error err;
  char what[120];
  int64_t rebuilt = FIRST - 1;
  snprintf(what, sizeof what, "%s, %s, %d", s->name, variant_name(options), sees_velocities);
  open_system(&theirs, s);
  ds_pair *const their_pair = pair_for(&host, s, &theirs.p);
  t = stepper_on(DS_BACKEND_HOST, 2);
  caller_wraps(&theirs.p.a, s);
  CHECK_OK(caller_forces(their_pair, &theirs.p.a, FIRST - 1, 1, &result, &err), err);
  copy_system(&ours, &theirs);
  ds_pair *const pair = pair_for(options, s, &ours.p);
  ds_resident *const r = resident_with(pair, own_copies, &ours.p, s, &program);
  const ds_resident_atoms fields = fields_with_bodies(&ours, s);
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
  CHECK_OK(ds_resident_set_reference(r, &err), err);
  CHECK_OK(ds_resident_set_bodies(r, ours.body, BODIES, &err), err);
  asked_about us, they;
  memset(&us, 0, sizeof us);
  memset(&they, 0, sizeof they);
  ds_resident_set_answer(r, answer, &us);
  const int64_t end = FIRST + s->steps;
  for (int64_t step = FIRST; step < end; step += s->stretch) {
    ds_run_request stretch;
    ds_run_result reached;
    memset(&stretch, 0, sizeof stretch);
    stretch.first = step;
    stretch.last = step + s->stretch < end ? step + s->stretch - 1 : end - 1;
    stretch.reneighbored = rebuilt;
    stretch.rule = s->rule;
    stretch.hand_over = INT64_MAX;
    CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
    CHECK(reached.whole);
    rebuilt = reached.reneighbored;
  }
  int64_t their_rebuild = FIRST - 1;
  for (int64_t step = FIRST; step < end; step++) {
    atoms *const a = &theirs.p.a;
    caller_acts(&theirs, t, s, &program, DS_AT_INITIAL, DS_POINTS, step, &they);
    int rebuild = (step - their_rebuild) % s->rule.every == 0;
    if (rebuild && s->rule.check) rebuild = caller_sees_movement(a, s);
    if (rebuild) {
      caller_wraps(a, s);
      their_rebuild = step;
    }
    CHECK_OK(caller_forces(their_pair, a, step, rebuild, &result, &err), err);
    caller_acts(&theirs, t, s, &program, DS_AT_POST_FORCE, DS_AT_INITIAL, step, &they);
  }
  CHECK_INT(rebuilt, their_rebuild);
  CHECK_INT(us.calls, sees_velocities ? 0 : s->steps);
  CHECK_INT(they.calls, us.calls);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  CHECK_OK(ds_resident_bodies(r, ours.body, &err), err);
  check_same_particles(&ours.p, &theirs.p, s, what);
  CHECK(memcmp(ours.body, theirs.body, sizeof ours.body) == 0);
  step_sums sums, none;
  CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
  memset(&none, 0, sizeof none);
  const int turn = ds_first_operation(&program, DS_AT_FINAL) + 2;
  CHECK(memcmp(sums.of + turn * DS_OPERATION_SUMS, none.of, 6 * sizeof *none.of) != 0);
  ds_resident_close(r);
  ds_pair_close(pair);
  ds_pair_close(their_pair);
  ds_stepper_close(t);
  close_system(&ours);
  close_system(&theirs);
}

/* ------------------------------------------------------------------------------- several processes */

/* Adds what the other process has. */
typedef struct {
  ds_exact_sum other[BODIES * DS_BODY_SUMS];
  int calls;
} other_process;

static void add_other(void *user, ds_exact_sum *sums, int n)
{
  other_process *const o = user;
  if (n != BODIES * DS_BODY_SUMS) return;
  o->calls++;
  for (int k = 0; k < n; k++) ds_exact_add(&sums[k], &o->other[k]);
}

static void note_sums(void *user, ds_exact_sum *sums, int n)
{
  other_process *const o = user;
  if (n == BODIES * DS_BODY_SUMS) memcpy(o->other, sums, sizeof o->other);
}

/* Bodies whose particles are shared by two processes move as on one. */
static void share(void)
{
  const setting *const s = &settings[0];
  const ds_step_program all = motion(0);
  const ds_wrap box = wrap_of(s);
  other_process other;
  ds_step_program part = all;
  ds_body seen[3][BODIES];
  ds_error err;
  memset(&other, 0, sizeof other);
  part.n = 3;
  for (int way = 0; way < 3; way++) { /* all particles; the second half of them; the first half, with the other's sums */
    system_of_bodies b;
    ds_stepper *t;
    open_system(&b, s);
    for (int i = 0; i < ATOMS; i++)
      if (way && (i < ATOMS / 2) == (way == 1)) b.number[i] = -1;
    const ds_resident_atoms fields = fields_with_bodies(&b, s);
    t = stepper_on(DS_BACKEND_HOST, 2);
    CHECK_OK(ds_stepper_set_bodies(t, b.body, BODIES, &err), err);
    CHECK_OK(ds_stepper_operate(t, &fields, &box, &part, 3,
                                way == 1   ? note_sums
                                : way == 2 ? add_other
                                           : NULL,
                                &other, NULL, &err),
             err);
    CHECK_OK(ds_stepper_bodies(t, seen[way], &err), err);
    ds_stepper_close(t);
    close_system(&b);
  }
  CHECK_INT(other.calls, 1);
  CHECK(memcmp(seen[0], seen[2], sizeof seen[0]) == 0);
  CHECK(memcmp(seen[0], seen[1], sizeof seen[0]) != 0);
}

/* ------------------------------------------------------------------------------------- principal axes */

/* Moments in order, axes that are those of a rotation, and the inertia made of both again. */
static void find_axes(const double inertia[6], int zeros)
{
  ds_body b;
  double axis[3][3];
  memset(&b, 0, sizeof b);
  ds_body_set_inertia(&b, inertia);
  ds_body_axes(b.quaternion, axis);
  CHECK(b.inertia[0] <= b.inertia[1] && b.inertia[1] <= b.inertia[2]);
  CHECK_INT((b.inertia[0] == 0.0) + (b.inertia[1] == 0.0) + (b.inertia[2] == 0.0), zeros);
  static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const double size = fabs(inertia[0]) + fabs(inertia[1]) + fabs(inertia[2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) sum += b.inertia[k] * axis[k][i] * axis[k][j];
      CHECK_NEAR(sum, inertia[place[i][j]], 1e-14 * size);
      CHECK_NEAR(ds_dot(axis[i], axis[j]), i == j, 1e-14);
    }
}

/* Sines and cosines against the library's; a free body keeps angular momentum and energy, and is where small steps put it. */
static void turn_bodies(void)
{
  static const double angles[] = {0.0, 1e-9, 0.1, 0.7, 0.8, 1.5, -2.0, 3.0, 4.0, -5.5, 6.5, 1000.0, -12345.6};
  for (int k = 0; k < (int) (sizeof angles / sizeof *angles); k++) {
    double s, c;
    ds_sin_cos(angles[k], &s, &c);
    CHECK_NEAR(s, sin(angles[k]), 5e-16);
    CHECK_NEAR(c, cos(angles[k]), 5e-16);
  }
  ds_body by_steps[2], start;
  double errors[2];
  fill_body(&start, 2);
  ds_body_omega(&start, start.quaternion, start.omega);
  ds_body exact = start;
  for (int k = 0; k < 100000; k++) ds_rotate_body_by_no_squish(&exact, 1e-4);
  for (int way = 0; way < 2; way++) {
    double worst = 0.0, energy = ds_dot(start.momentum, start.omega);
    by_steps[way] = start;
    for (int k = 0; k < (way ? 200 : 100); k++) {
      ds_rotate_body_by_no_squish(&by_steps[way], way ? 0.05 : 0.1);
      worst = fmax(worst, fabs(ds_dot(by_steps[way].momentum, by_steps[way].omega) / energy - 1.0));
    }
    CHECK(memcmp(by_steps[way].momentum, start.momentum, sizeof start.momentum) == 0);
    CHECK_BOUND(worst, 2e-5, "relative change of the energy");
    errors[way] = 0.0;
    for (int j = 0; j < 4; j++) errors[way] += fabs(by_steps[way].quaternion[j] - exact.quaternion[j]);
  }
  CHECK_MSG(errors[0] / errors[1] > 3.5 && errors[0] / errors[1] < 4.5, "orientations are wrong by %g and %g", errors[0],
            errors[1]);
}

static void find_all_axes(void)
{
  static const double sphere[6] = {2.0, 2.0, 2.0, 0.0, 0.0, 0.0}, line[6] = {2.0, 2.0, 0.0, 0.0, 0.0, 0.0}, point[6] = {0.0};
  static const double slanted[6] = {5.0, 4.0, 3.0, -1.0, 0.5, 0.7}, turned[6] = {1.0, 9.0, 4.0, 0.0, 0.0, -1e-3};
  find_axes(sphere, 0);
  find_axes(line, 1);
  find_axes(point, 3);
  find_axes(slanted, 0);
  find_axes(turned, 0);
}

/* ------------------------------------------------------------------------------------------- refused */

static void refuse(const ds_pair_options *options)
{
  const setting *const s = &settings[0];
  const ds_step_program program = motion(0);
  const ds_wrap box = wrap_of(s);
  system_of_bodies b;
  ds_stepper *t;
  ds_error err;
  open_system(&b, s);
  ds_pair *const pair = pair_for(options, s, &b.p);
  ds_resident *const r = resident_with(pair, 1, &b.p, s, &program);
  EXPECT(ds_resident_operate(r, 7, 0, 3, 0, 1, &err), err, DS_ERR_ARGUMENT,
         "sums of rigid bodies: no rigid bodies have been set");
  ds_step_program bad = program;
  bad.operation[ds_first_operation(&bad, DS_AT_INITIAL) + 1].nsums = 3;
  EXPECT(ds_resident_set_steps(r, &bad, &err), err, DS_ERR_ARGUMENT,
         "kinetic energy of rigid bodies adds up 3 sums; allowed: 0 to 2");
  EXPECT(ds_resident_set_bodies(r, NULL, 2, &err), err, DS_ERR_ARGUMENT, "rigid bodies");
  EXPECT(ds_resident_set_bodies(r, b.body, -1, &err), err, DS_ERR_ARGUMENT, "-1 rigid bodies");
  CHECK_OK(ds_resident_set_bodies(r, b.body, BODIES, &err), err);
  EXPECT(ds_resident_operate(r, 7, 0, 3, 0, 1, &err), err, DS_ERR_ARGUMENT,
         "no rigid bodies have been set"); /* atoms have no numbers */
  EXPECT(ds_resident_bodies(r, NULL, &err), err, DS_ERR_ARGUMENT, "place for rigid bodies");
  ds_resident_atoms fields = fields_with_bodies(&b, s);
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
  CHECK_OK(ds_resident_operate(r, 7, 0, 3, 0, 1, &err), err);
  b.number[17] = BODIES;
  CHECK_OK(ds_resident_to_engine(r, DS_TAG, &err), err);
  EXPECT(ds_resident_operate(r, 7, 0, 3, 0, 1, &err), err, DS_ERR_ARGUMENT, "atom 17 is of rigid body 9|-1 to 8");
  t = stepper_on(DS_BACKEND_HOST, 1);
  CHECK_OK(ds_stepper_set_bodies(t, b.body, BODIES, &err), err);
  ds_step_program half = program;
  half.n = 3;
  EXPECT(ds_stepper_operate(t, &fields, &box, &half, 7, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
         "atom 17 is of rigid body 9");
  fields.body.type = DS_I64;
  EXPECT(ds_resident_set_atoms(r, &fields, &err), err, DS_ERR_ARGUMENT, "numbers of bodies");
  ds_stepper_close(t);
  ds_resident_close(r);
  ds_pair_close(pair);
  close_system(&b);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(find_all_axes());
  CHECK_CASE(turn_bodies());
  CHECK_CASE(share());
  for (int v = 0; v < variants.n; v++) {
    for (int s = 0; s < SETTINGS; s++)
      for (int sees = 0; sees < 2; sees++) CHECK_CASE(compare(&settings[s], &variants.options[v], (s + v) % 2, sees));
    CHECK_CASE(refuse(&variants.options[v]));
  }
  return check_result();
}
