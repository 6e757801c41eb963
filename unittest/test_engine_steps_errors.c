/* test_engine_steps_errors.c: programs of operations that are refused.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_errors cuda" makes the same checks on the GPU. */
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

/* One that is right: a push, momentum that is taken away; a block, a sphere, both. */
static ds_step_program good_program(void)
{
  ds_step_program p = no_operations();
  ds_operation *const push = add_operation(&p, DS_ADD_FORCE, DS_AT_POST_FORCE);
  push->region = 2;
  push->nsums = 4;
  add_operation(&p, DS_SUM_MOMENTUM, DS_AT_END)->nsums = 5;
  add_reader(&p, DS_REMOVE_MOMENTUM, DS_AT_END)->number[0] = 1.0;
  add_region(&p, DS_REGION_BLOCK);
  add_region(&p, DS_REGION_SPHERE)->number[3] = 1.0;
  add_region(&p, DS_REGION_UNION)->count = 2;
  return p;
}

/* The same error of both ways, before anything happens. */
static void refuse(ds_resident *r, particles *p, const ds_step_program *program, const char *words)
{
  ds_error err;
  step_sums sums;
  EXPECT(ds_resident_set_steps(r, program, &err), err, DS_ERR_ARGUMENT, words);
  EXPECT(stepper_tries(1, p, &plain, program, 5, &sums, &err), err, DS_ERR_ARGUMENT, words);
}

static void refuse_counts(ds_resident *r, particles *p)
{
  ds_step_program bad = good_program();
  bad.n = DS_MAX_OPERATIONS + 1;
  refuse(r, p, &bad, "33 operations in 3 regions|0 to 32 and 16");
  bad.n = -1;
  refuse(r, p, &bad, "-1 operations in 3 regions");
  bad = good_program();
  bad.nregions = DS_MAX_REGIONS + 1;
  refuse(r, p, &bad, "3 operations in 17 regions");
  bad.nregions = -2;
  refuse(r, p, &bad, "3 operations in -2 regions");
}

static void refuse_regions(ds_resident *r, particles *p)
{
  static const int32_t parts[][2] = {{-1, 1}, {0, 0}, {0, -1}, {0, 4}, {2, 2}, {INT32_MAX, 1}, {1, INT32_MAX}};
  ds_step_program bad = good_program();
  bad.region[1].kind = -1;
  refuse(r, p, &bad, "region 1 is of kind -1");
  bad.region[1].kind = DS_REGION_INTERSECT + 1;
  refuse(r, p, &bad, "region 1 is of kind 6");
  for (int k = 0; k < 7; k++) {
    char words[80];
    bad = good_program();
    bad.region[2].first = parts[k][0];
    bad.region[2].count = parts[k][1];
    snprintf(words, sizeof words, "region 2 is made of %d from number %d on, of 3", (int) parts[k][1], (int) parts[k][0]);
    refuse(r, p, &bad, words);
  }
  bad = good_program();
  bad.region[1].kind = DS_REGION_INTERSECT;
  bad.region[1].count = 1;
  refuse(r, p, &bad, "region 2 is made of others that are made of others");
  bad = good_program();
  bad.region[2].count = 3; /* of itself */
  refuse(r, p, &bad, "region 2 is made of others that are made of others");
}

static void refuse_places(ds_resident *r, particles *p)
{
  ds_step_program bad = good_program();
  bad.operation[1].kind = DS_OPERATION_KINDS;
  refuse(r, p, &bad, "operation 1 is of kind|at point 2");
  bad.operation[1].kind = -1;
  refuse(r, p, &bad, "operation 1 is of kind -1");
  bad = good_program();
  bad.operation[0].kind = DS_CHANGE_BOX;
  bad.operation[0].nsums = 0;
  refuse(r, p, &bad, "change of the box without a question");
  bad = good_program();
  bad.operation[2].point = DS_POINTS;
  refuse(r, p, &bad, "operation 2 is of kind|at point 6");
  bad.operation[2].point = -1;
  refuse(r, p, &bad, "operation 2 is of kind|at point -1");
  bad = good_program();
  bad.operation[0].point = DS_AT_INITIAL;
  refuse(r, p, &bad, "momentum is not in the order of points");
  bad = good_program();
  bad.operation[0].every = 0;
  refuse(r, p, &bad, "fix addforce every 0 steps");
  bad.operation[0].every = -5;
  refuse(r, p, &bad, "fix addforce every -5 steps");
  bad = good_program();
  bad.operation[0].region = 3;
  refuse(r, p, &bad, "fix addforce in region 3 of 3");
  bad.operation[0].region = -2;
  refuse(r, p, &bad, "fix addforce in region -2 of 3");
  bad.operation[0].region = -1;
  bad.operation[0].flags = DS_OUTSIDE_REGION;
  refuse(r, p, &bad, "fix addforce outside of no region");
  bad = good_program();
  bad.operation[0].kind = DS_REGION_BOUNCE;
  bad.operation[0].region = -1;
  refuse(r, p, &bad, "fix wall/bounce outside of no region");
  bad = good_program();
  bad.operation[0].anchor = DS_MAX_ANCHORS;
  refuse(r, p, &bad, "fix addforce reads array 4 of anchors|0 to 3");
  bad.operation[0].anchor = -1;
  refuse(r, p, &bad, "fix addforce reads array -1 of anchors");
}

static void refuse_sums(ds_resident *r, particles *p)
{
  static const double units[] = {0.0, -1.0, NAN};
  ds_step_program bad = good_program();
  bad.operation[1].nsums = DS_OPERATION_SUMS + 1;
  refuse(r, p, &bad, "momentum adds up 11 sums");
  bad.operation[1].nsums = -1;
  refuse(r, p, &bad, "momentum adds up -1 sums");
  for (int k = 0; k < 3; k++) {
    bad = good_program();
    bad.operation[1].unit = units[k];
    refuse(r, p, &bad, "momentum adds up 5 sums in units of");
  }
  static const int32_t places[] = {-2, 2, 3};
  for (int k = 0; k < 3; k++) {
    char words[80];
    bad = good_program();
    bad.operation[2].from = places[k];
    snprintf(words, sizeof words, "fix momentum reads sums of operation %d", (int) places[k]);
    refuse(r, p, &bad, words);
    bad = good_program();
    bad.operation[2].also = places[k];
    refuse(r, p, &bad, "fix momentum reads sums of operation");
  }
  bad = good_program();
  bad.operation[2].from = -1;
  refuse(r, p, &bad, "fix momentum reads sums of operation -1");
  bad = good_program();
  bad.operation[2].flags = 0; /* the sums might not be whole */
  refuse(r, p, &bad, "fix momentum reads sums of operation 1");
  bad = good_program();
  bad.operation[0].flags = DS_AFTER_SUMS; /* of nobody */
  refuse(r, p, &bad, "fix addforce reads sums of operation -1");
  bad = good_program();
  bad.operation[2].kind = DS_RESCALE_ENERGY; /* without the other sums */
  refuse(r, p, &bad, "fix momentum rescale reads sums of operation");
  bad = good_program();
  bad.operation[1].flags |= DS_ADDS_UP;
  refuse(r, p, &bad, "fix momentum reads sums that go on from step to step");
  bad = good_program();
  bad.operation[2].kind = DS_LANGEVIN;
  bad.operation[2].number[5] = 2.0; /* operation 1, and itself */
  refuse(r, p, &bad, "fix langevin reads sums of 2 operations");
  bad.operation[2].number[5] = 1.0;
  bad.operation[2].flags = 0;
  refuse(r, p, &bad, "fix langevin reads sums of operation 1");
}

static void refuse_numbers(ds_resident *r, particles *p)
{
  ds_step_program bad = good_program();
  bad.operation[2].number[11] = NAN;
  refuse(r, p, &bad, "fix momentum has|nan as number 11");
  bad = good_program();
  bad.operation[0].number[0] = -INFINITY;
  refuse(r, p, &bad, "fix addforce has -inf as number 0");
}

/* What is given beside the program. */
static void refuse_pointers(ds_pair *pair, ds_resident *r, particles *p)
{
  const ds_step_program program = good_program();
  const ds_resident_atoms fields = particles_fields(p, &plain);
  const ds_wrap box = wrap_of(&plain);
  ds_stepper *t;
  ds_resident *bare;
  ds_error err;
  step_sums sums;
  const ds_stepper_options host = {DS_BACKEND_HOST, 1, 0, NULL}, automatic = {DS_BACKEND_AUTO, 1, 0, NULL};
  EXPECT(ds_stepper_open(NULL, &host, &err), err, DS_ERR_ARGUMENT, "place for a stepper|NULL");
  EXPECT(ds_stepper_open(&t, NULL, &err), err, DS_ERR_ARGUMENT, "options of a stepper|NULL");
  EXPECT(ds_stepper_open(&t, &automatic, &err), err, DS_ERR_ARGUMENT, "backend 0 of a stepper|allowed: 1 (host) and 2 (cuda)");
  t = stepper_on(DS_BACKEND_HOST, 0);
  EXPECT(ds_stepper_operate(t, NULL, &box, &program, 1, NULL, NULL, sums.of, &err), err, DS_ERR_ARGUMENT, "atoms");
  EXPECT(ds_stepper_operate(t, &fields, NULL, &program, 1, NULL, NULL, sums.of, &err), err, DS_ERR_ARGUMENT, "box");
  EXPECT(ds_stepper_operate(t, &fields, &box, NULL, 1, NULL, NULL, sums.of, &err), err, DS_ERR_ARGUMENT, "operations");
  CHECK_OK(ds_stepper_operate(t, &fields, &box, &program, 1, NULL, NULL, NULL, &err), err);
  ds_stepper_close(t);
  ds_stepper_close(NULL);
  EXPECT(ds_resident_set_steps(r, NULL, &err), err, DS_ERR_ARGUMENT, "operations of a step");
  EXPECT(ds_resident_step_sums(r, NULL, &err), err, DS_ERR_ARGUMENT, "place for sums");
  EXPECT(ds_resident_operate(r, -1, 0, 1, 0, 0, &err), err, DS_ERR_ARGUMENT, "operations 0 to 1 of 3 in step -1");
  EXPECT(ds_resident_operate(r, 1, -1, 1, 0, 0, &err), err, DS_ERR_ARGUMENT, "operations -1 to 1 of 3");
  EXPECT(ds_resident_operate(r, 1, 0, 4, 0, 0, &err), err, DS_ERR_ARGUMENT, "operations 0 to 4 of 3");
  CHECK_OK(ds_resident_open(&bare, pair, 0, &err), err);
  EXPECT(ds_resident_operate(bare, 1, 0, 0, 0, 0, &err), err, DS_ERR_ARGUMENT, "no atoms");
  CHECK_OK(ds_resident_set_atoms(bare, &fields, &err), err);
  EXPECT(ds_resident_operate(bare, 1, 0, 0, 0, 0, &err), err, DS_ERR_ARGUMENT, "no steps");
  ds_resident_close(bare);
}

/* Tags and anchors are wanted where an operation reads them, and there are particles. */
static void refuse_missing(ds_pair *pair, particles *p)
{
  static const char *const words[2] = {"fix langevin needs tags",
                                       "fix spring/self reads array 2 of anchors, which is not there"};
  const ds_wrap box = wrap_of(&plain);
  for (int k = 0; k < 2; k++) {
    ds_step_program program = no_operations();
    ds_resident_atoms fields = particles_fields(p, &plain);
    ds_resident *r;
    ds_stepper *t;
    ds_error err;
    add_operation(&program, k ? DS_SPRING_SELF : DS_LANGEVIN, DS_AT_POST_FORCE)->anchor = 2;
    fields.tag = k ? fields.tag : array_none();
    fields.anchor[2] = array_none();
    t = stepper_on(DS_BACKEND_HOST, 1);
    EXPECT(ds_stepper_operate(t, &fields, &box, &program, 1, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT, words[k]);
    CHECK_OK(ds_resident_open(&r, pair, 1, &err), err);
    CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
    CHECK_OK(ds_resident_set_steps(r, &program, &err), err);
    CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
    EXPECT(ds_resident_operate(r, 1, 0, 1, 0, 0, &err), err, DS_ERR_ARGUMENT, words[k]);
    fields.n = 0;
    CHECK_OK(ds_stepper_operate(t, &fields, &box, &program, 1, NULL, NULL, NULL, &err), err);
    ds_stepper_close(t);
    ds_resident_close(r);
  }
}

static void test_refused(int v)
{
  const ds_step_program good = good_program();
  particles p, before;
  ds_error err;
  particles_open(&p, PARTICLES);
  particles_open(&before, PARTICLES);
  particles_fill(&p, &plain, FILL_RANDOM, 30);
  particles_copy(&before, &p);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &plain, &good);
  refuse_counts(r, &p);
  refuse_regions(r, &p);
  refuse_places(r, &p);
  refuse_sums(r, &p);
  refuse_numbers(r, &p);
  check_same_particles(&p, &before, &plain, "programs refused");
  refuse_missing(pair, &p);
  refuse_pointers(pair, r, &p);
  CHECK_OK(ds_resident_operate(r, 1, 0, 3, 0, 1, &err), err); /* the program that was there */
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
  particles_close(&before);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) CHECK_CASE(test_refused(v));
  return check_result();
}
