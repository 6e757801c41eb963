/* test_engine_steps_lasting.c: sums that go on from step to step, on one process and on several; and their parts, which do not
   overflow.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_lasting cuda" makes the same checks on the GPU. */
#include "support/steps.h"

#include <omp.h>

static test_variants variants;

enum { PARTICLES = 700, PARTS = 2, STEPS = 5 };

static const setting plain = {.name = "particles", ALL_MOVE};

/* What is added up in each step; in every second one; and what is not to last. */
static ds_step_program program_of_sums(void)
{
  static const double kick[2] = {0.5, 0.25};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  set_numbers(add_operation(&p, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, kick);
  for (int k = 0; k < 3; k++) {
    ds_operation *const o = add_operation(&p, DS_SUM_MOMENTUM, DS_AT_END);
    o->nsums = 5;
    o->flags = k < 2 ? DS_ADDS_UP : 0;
    o->every = k == 1 ? 2 : 1;
  }
  return p;
}

__extension__ typedef __int128 wide_integer;

static wide_integer integer_of(const ds_exact_sum *s)
{
  return (wide_integer) s->low + (wide_integer) s->high * ((wide_integer) 1 << 32) +
         (wide_integer) s->top * ((wide_integer) 1 << 90);
}

/* Sums of each step by themselves, added up here. */
static void add_up_steps(particles *p, const ds_step_program *program, wide_integer expected[3][5])
{
  ds_step_program alone = *program;
  step_sums sums;
  memset(expected, 0, 3 * sizeof expected[0]);
  for (int k = 0; k < alone.n; k++) alone.operation[k].flags = 0;
  for (int step = 1; step <= STEPS; step++) {
    stepper_does(1, p, &plain, &alone, step, &sums);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 5; j++) {
        const wide_integer now = integer_of(sum_of(&sums, 1 + k, j));
        if (k == 2) expected[k][j] = now;
        if (k == 0 || (k == 1 && step % 2 == 0)) expected[k][j] += now;
      }
  }
}

static void check_integers(const step_sums *got, wide_integer expected[3][5], int scale, const char *what)
{
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 5; j++)
      CHECK_MSG(integer_of(sum_of(got, 1 + k, j)) == expected[k][j] * (k < 2 ? scale : 1), "%s: sum %d of operation %d", what,
                j, 1 + k);
}

/* Wanted in the last step only: `tally` says so. Asking for them changes nothing. */
static void make_steps(ds_resident *r, const ds_step_program *program, step_sums *sums)
{
  ds_error err;
  for (int step = 1; step <= STEPS; step++) {
    CHECK_OK(ds_resident_operate(r, step, 0, program->n, 0, step == STEPS, &err), err);
    if (step == 3) CHECK_OK(ds_resident_step_sums(r, sums->of, &err), err);
  }
}

static void test_steps(int v)
{
  const ds_step_program program = program_of_sums();
  wide_integer expected[3][5];
  particles before, p;
  step_sums sums;
  ds_error err;
  particles_open(&before, PARTICLES);
  particles_open(&p, PARTICLES);
  particles_fill(&before, &plain, FILL_RANDOM, 41);
  particles_copy(&p, &before);
  add_up_steps(&p, &program, expected);
  particles_copy(&p, &before);
  ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &plain, &program);
  make_steps(r, &program, &sums);
  CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
  check_integers(&sums, expected, 1, "five steps");
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS, &err), err); /* as they were before */
  make_steps(r, &program, &sums);
  CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
  check_integers(&sums, expected, 2, "five steps twice");
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS, &err), err);
  CHECK_OK(ds_resident_clear_sums(r, &err), err);
  make_steps(r, &program, &sums);
  CHECK_OK(ds_resident_step_sums(r, sums.of, &err), err);
  check_integers(&sums, expected, 1, "five steps after sums have been cleared");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&before);
  particles_close(&p);
}

/* --------------------------------------------------------------------------------------- processes */

static ds_exact_sum told[PARTS][DS_STEP_SUMS];

/* Each thread of the test is a process. */
static void add_all_parts(void *user, ds_exact_sum *sums, int n)
{
  const int mine = *(const int *) user;
  memcpy(told[mine], sums, (size_t) n * sizeof *sums);
#pragma omp barrier
  for (int other = 0; other < PARTS; other++)
    for (int k = 0; k < n && other != mine; k++) ds_exact_add(&sums[k], &told[other][k]);
#pragma omp barrier
}

/* Two processes that have the same particles: twice the sums, on both, whenever they ask. */
static void test_processes(int v)
{
  const ds_step_program program = program_of_sums();
  wide_integer expected[3][5];
  int number[PARTS];
  particles p, copy;
  ds_pair *pair[PARTS];
  ds_resident *r[PARTS];
  step_sums sums[PARTS];
  particles_open(&p, PARTICLES);
  particles_open(&copy, PARTICLES);
  particles_fill(&p, &plain, FILL_RANDOM, 43);
  particles_copy(&copy, &p);
  add_up_steps(&copy, &program, expected);
  for (int k = 0; k < 5; k++) expected[2][k] *= PARTS;
  for (int k = 0; k < PARTS; k++) {
    number[k] = k;
    pair[k] = pair_for(&variants.options[v], &plain, &p);
    r[k] = resident_with(pair[k], 1, &p, &plain, &program);
    ds_resident_set_reduction(r[k], add_all_parts, &number[k]);
  }
#pragma omp parallel num_threads(PARTS)
  {
    const int k = omp_get_thread_num();
    ds_error err;
    make_steps(r[k], &program, &sums[k]);
    CHECK_OK(ds_resident_step_sums(r[k], sums[k].of, &err), err);
  }
  for (int k = 0; k < PARTS; k++) {
    check_integers(&sums[k], expected, PARTS, "two processes");
    ds_resident_close(r[k]);
    ds_pair_close(pair[k]);
  }
  particles_close(&p);
  particles_close(&copy);
}

/* -------------------------------------------------------------------------------------------- parts */

static void test_carry(void)
{
  uint64_t seed = 47;
  for (int k = 0; k < 20000; k++) {
    const int shift = k % 40;
    ds_exact_sum sum = {(int64_t) check_random(&seed) >> shift, (int64_t) check_random(&seed) >> (2 + shift % 22),
                        (int64_t) check_random(&seed) >> (40 + k % 24), 0};
    const ds_exact_sum before = sum;
    ds_exact_carry(&sum);
    CHECK(integer_of(&sum) == integer_of(&before));
    CHECK(sum.low >= 0 && sum.low < (int64_t) 1 << 32);
    CHECK(sum.high >= -((int64_t) 1 << 57) && sum.high < (int64_t) 1 << 57);
    ds_exact_sum again = sum; /* another way to the same number */
    again.low -= (int64_t) 5 << 32;
    again.high += 5 - ((int64_t) 3 << 58);
    again.top += 3;
    ds_exact_carry(&again);
    CHECK(memcmp(&again, &sum, sizeof sum) == 0);
  }
}

/* A small negative sum has all of its digits. */
static void test_small(void)
{
  ds_exact_sum sum = {0, 0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const ds_exact_sum term = ds_exact_term(-0.1, 1.0);
    ds_exact_add(&sum, &term);
    ds_exact_carry(&sum);
  }
  CHECK_NEAR(ds_exact_value(&sum, 1.0), -0.3, 1e-16);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(test_steps(v));
    CHECK_CASE(test_processes(v));
  }
  CHECK_CASE(test_carry());
  CHECK_CASE(test_small());
  return check_result();
}
