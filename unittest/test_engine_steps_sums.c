/* test_engine_steps_sums.c: sums of operations are the same bits for any order of particles, any number of threads and of
   processes; they are exact to what the header says, and NaN where a term is none.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_sums cuda" makes the same checks on the GPU. */
#include "support/steps.h"

#include <float.h>
#include <omp.h>

static test_variants variants;

enum { PARTICLES = 1000, PARTS = 2 };

static const setting settings[] = {
    {.name = "masses by type", ALL_MOVE},
    {.name = "masses by atom, wide images", ALL_MOVE, .by_atom = 1, .wide_images = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static const double force[3] = {0.75, -1.3, 0.4};

static void move_particle(particles *to, int j, const particles *from, int i)
{
  const atoms *const f = &from->a;
  atoms *const t = &to->a;
  memcpy(t->x + 3 * j, f->x + 3 * i, 24), memcpy(t->v + 3 * j, f->v + 3 * i, 24), memcpy(t->f + 3 * j, f->f + 3 * i, 24);
  t->rmass[j] = f->rmass[i], t->type[j] = f->type[i], t->mask[j] = f->mask[i];
  t->narrow[j] = f->narrow[i], t->wide[j] = f->wide[i], t->tag[j] = f->tag[i];
  for (int k = 0; k < DS_MAX_ANCHORS; k++) memcpy(to->anchor[k] + 3 * j, from->anchor[k] + 3 * i, 24);
}

/* ---------------------------------------------------------------------------------- order and threads */

static ds_operation *add_sum(ds_step_program *p, ds_operation_kind kind, ds_point point, int nsums)
{
  ds_operation *const o = add_operation(p, kind, point);
  o->nsums = nsums;
  return o;
}

/* All that adds up something. Operations at one point act one after the other on a particle, whatever its number. */
static ds_step_program program_of_sums(void)
{
  static const double wall[6] = {2.0, -1.0, -1.0, 4.0, 1.5, 0.7}, heat[3] = {-1.7, 12.5, 48271.0};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  add_sum(&p, DS_SUM_FORCE, DS_AT_POST_FORCE, 4);
  set_numbers(add_sum(&p, DS_ADD_FORCE, DS_AT_POST_FORCE, 4), 0, 3, force);
  set_numbers(add_sum(&p, DS_GRAVITY, DS_AT_POST_FORCE, 1), 0, 3, force);
  set_numbers(add_sum(&p, DS_LANGEVIN, DS_AT_POST_FORCE, 4), 0, 3, heat);
  ds_operation *const spring = add_sum(&p, DS_SPRING_SELF, DS_AT_POST_FORCE, 1);
  spring->number[0] = 1.1;
  spring->number[2] = 1.0;
  set_numbers(add_sum(&p, DS_WALL_HARMONIC, DS_AT_POST_FORCE, 2), 0, 6, wall);
  set_numbers(add_sum(&p, DS_SET_FORCE, DS_AT_POST_FORCE, 3), 0, 3, force);
  add_sum(&p, DS_SUM_MOMENTUM, DS_AT_SUMS, 5);
  add_sum(&p, DS_SUM_KINETIC, DS_AT_SUMS, 6)->group = GROUP_TWO;
  add_sum(&p, DS_SUM_KINETIC_TRACE, DS_AT_SUMS, 1);
  add_sum(&p, DS_SUM_CENTER, DS_AT_SUMS, 4)->number[0] = 2.0;
  ds_operation *const way = add_reader(&p, DS_SUM_DISPLACEMENT, DS_AT_SUMS);
  way->nsums = 3;
  way->number[0] = 2.0;
  way->anchor = 1;
  return p;
}

/* Another order of the same particles. */
static void shuffle(particles *p, uint64_t seed)
{
  particles spare;
  particles_open(&spare, 1);
  for (int i = p->a.n - 1; i > 0; i--) {
    const int j = (int) (check_random(&seed) % (uint64_t) (i + 1));
    move_particle(&spare, 0, p, i);
    move_particle(p, i, p, j);
    move_particle(p, j, &spare, 0);
  }
  particles_close(&spare);
}

static void test_order(const setting *s)
{
  static const int threads[] = {1, 2, 3, 7, 64};
  const ds_step_program program = program_of_sums();
  particles first, again;
  step_sums expected, got;
  char what[80];
  particles_open(&first, PARTICLES);
  particles_open(&again, PARTICLES);
  particles_fill(&first, s, FILL_RANDOM, 99);
  particles_copy(&again, &first);
  stepper_does(1, &again, s, &program, 30, &expected);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    shuffle(&first, seed);
    particles_copy(&again, &first);
    snprintf(what, sizeof what, "%s, order %d, %d threads", s->name, (int) seed, threads[seed - 1]);
    stepper_does(threads[seed - 1], &again, s, &program, 30, &got);
    check_same_sums(&program, &got, &expected, what);
    for (int v = 0; v < variants.n; v++) {
      ds_pair *const pair = pair_for(&variants.options[v], s, &first);
      particles_copy(&again, &first);
      resident_does(pair, 1, &again, s, &program, 30, &got);
      check_same_sums(&program, &got, &expected, what);
      ds_pair_close(pair);
    }
  }
  particles_close(&first);
  particles_close(&again);
}

/* --------------------------------------------------------------------------------------- processes */

/* What they tell one another. */
static ds_exact_sum told[PARTS][DS_STEP_SUMS];

typedef struct {
  int number, calls, sums;
  particles p;
  step_sums got;
  ds_status status;
  ds_error err;
} part;

/* Each thread of the test is a process. */
static void add_all_parts(void *user, ds_exact_sum *sums, int n)
{
  part *const mine = user;
  mine->calls++;
  mine->sums += n;
  memcpy(told[mine->number], sums, (size_t) n * sizeof *sums);
#pragma omp barrier
  for (int other = 0; other < PARTS; other++)
    for (int k = 0; k < n && other != mine->number; k++) ds_exact_add(&sums[k], &told[other][k]);
#pragma omp barrier
}

/* Operations that read what all have added up. */
static ds_step_program program_of_readers(void)
{
  static const double tether[9] = {3.5, 11.0, -7.0, 40.0, 1.0, 1.0, 1.0, 2.5, 2.0};
  static const double axes[3] = {1.0, 1.0, 1.0}, temperature[4] = {0.001, 2.0, 0.0, 0.5};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  add_sum(&p, DS_SUM_FORCE, DS_AT_POST_FORCE, 4);
  ds_operation *const mean = add_reader(&p, DS_AVERAGE_FORCE, DS_AT_POST_FORCE);
  mean->number[3] = mean->number[5] = 1.0;
  add_sum(&p, DS_SUM_CENTER, DS_AT_POST_FORCE, 4)->number[0] = 2.0;
  set_numbers(add_reader(&p, DS_SPRING_TETHER, DS_AT_POST_FORCE), 0, 9, tether);
  add_sum(&p, DS_SUM_MOMENTUM, DS_AT_END, 5);
  set_numbers(add_reader(&p, DS_REMOVE_MOMENTUM, DS_AT_END), 0, 3, axes);
  add_sum(&p, DS_SUM_KINETIC_TRACE, DS_AT_END, 1);
  add_reader(&p, DS_RESCALE_ENERGY, DS_AT_END)->also = 4;
  add_sum(&p, DS_SUM_KINETIC_TRACE, DS_AT_END, 1);
  set_numbers(add_reader(&p, DS_RESCALE_TEMPERATURE, DS_AT_END), 0, 4, temperature);
  add_sum(&p, DS_SUM_KINETIC, DS_AT_SUMS, 6);
  return p;
}

enum { REDUCTIONS = 6 }; /* before each of five readers, and at the end */

static void by_steppers(part *parts, const setting *s, const ds_step_program *program)
{
  const ds_wrap box = wrap_of(s);
  ds_stepper *stepper[PARTS];
  for (int k = 0; k < PARTS; k++) stepper[k] = stepper_on(DS_BACKEND_HOST, 1);
#pragma omp parallel num_threads(PARTS)
  {
    part *const mine = &parts[omp_get_thread_num()];
    const ds_resident_atoms fields = particles_fields(&mine->p, s);
    mine->status = ds_stepper_operate(stepper[mine->number], &fields, &box, program, 30, add_all_parts, mine,
                                      mine->got.of, &mine->err);
  }
  for (int k = 0; k < PARTS; k++) ds_stepper_close(stepper[k]);
}

static void by_residents(part *parts, const ds_pair_options *options, const setting *s, const ds_step_program *program)
{
  ds_pair *pair[PARTS];
  ds_resident *r[PARTS];
  ds_error err;
  for (int k = 0; k < PARTS; k++) {
    pair[k] = pair_for(options, s, &parts[k].p);
    r[k] = resident_with(pair[k], 1, &parts[k].p, s, program);
    ds_resident_set_reduction(r[k], add_all_parts, &parts[k]);
  }
#pragma omp parallel num_threads(PARTS)
  {
    part *const mine = &parts[omp_get_thread_num()];
    mine->status = ds_resident_operate(r[mine->number], 30, 0, program->n, 0, 1, &mine->err);
  }
  for (int k = 0; k < PARTS; k++) {
    CHECK_OK(ds_resident_step_sums(r[k], parts[k].got.of, &err), err);
    CHECK_OK(ds_resident_to_host(r[k], DS_ALL_FIELDS, &err), err);
    ds_resident_close(r[k]);
    ds_pair_close(pair[k]);
  }
}

/* `first` particles here, the others there: as one process has done it. */
static void try_split(const particles *before, const particles *after, const step_sums *expected, int first,
                      const ds_pair_options *options, const setting *s)
{
  const ds_step_program program = program_of_readers();
  part parts[PARTS];
  particles joined;
  char what[80];
  snprintf(what, sizeof what, "%s, %d of the particles", options ? variant_name(options) : "steppers", first);
  memset(parts, 0, sizeof parts);
  particles_open(&joined, PARTICLES);
  particles_copy(&joined, before);
  for (int k = 0; k < PARTS; k++) {
    parts[k].number = k;
    particles_open(&parts[k].p, k ? PARTICLES - first : first);
    for (int i = 0; i < parts[k].p.a.n; i++) move_particle(&parts[k].p, i, before, k * first + i);
  }
  if (options)
    by_residents(parts, options, s, &program);
  else
    by_steppers(parts, s, &program);
  for (int k = 0; k < PARTS; k++) {
    CHECK_OK(parts[k].status, parts[k].err);
    CHECK_INT(parts[k].calls, REDUCTIONS);
    CHECK_INT(parts[k].sums, REDUCTIONS * (int) DS_OPERATION_SUMS);
    check_same_sums(&program, &parts[k].got, expected, what);
    for (int i = 0; i < parts[k].p.a.n; i++) move_particle(&joined, k * first + i, &parts[k].p, i);
    particles_close(&parts[k].p);
  }
  check_same_particles(&joined, after, s, what);
  particles_close(&joined);
}

static void test_processes(const setting *s)
{
  static const int first[] = {0, 1, 333, PARTICLES};
  const ds_step_program program = program_of_readers();
  particles before, after;
  step_sums expected;
  particles_open(&before, PARTICLES);
  particles_open(&after, PARTICLES);
  particles_fill(&before, s, FILL_RANDOM, 101);
  particles_copy(&after, &before);
  stepper_does(2, &after, s, &program, 30, &expected);
  for (int k = 0; k < 4; k++) {
    try_split(&before, &after, &expected, first[k], NULL, s);
    for (int v = 0; v < variants.n; v++) try_split(&before, &after, &expected, first[k], &variants.options[v], s);
  }
  particles_close(&before);
  particles_close(&after);
}

/* ------------------------------------------------------------------------------------- known terms */

/* Sums of numbers that are forces: f[] of axis 0, twice that of axis 1, and 0. */
typedef struct {
  particles p;
  ds_step_program program;
  double unit;
} numbers;

static const setting plain = {.name = "numbers", ALL_MOVE};

static void numbers_open(numbers *q, int n, double unit)
{
  particles_open(&q->p, n);
  particles_fill(&q->p, &plain, FILL_AT_REST, 7);
  memset(&q->program, 0, sizeof q->program);
  add_sum(&q->program, DS_SUM_FORCE, DS_AT_SUMS, 4)->unit = unit;
  q->unit = unit;
}

static void numbers_put(numbers *q, int i, double number)
{
  q->p.a.f[3 * i] = number;
  q->p.a.f[3 * i + 1] = 2.0 * number;
}

/* By the stepper, and the same on all paths; particles stay as they are. */
static void numbers_add(numbers *q, int threads, step_sums *sums, const char *what)
{
  const size_t bytes = 24 * (size_t) q->p.a.n;
  step_sums got;
  double *const before = test_alloc(bytes);
  memcpy(before, q->p.a.f, bytes);
  stepper_does(threads, &q->p, &plain, &q->program, 30, sums);
  for (int v = 0; v < variants.n; v++) {
    ds_pair *const pair = pair_for(&variants.options[v], &plain, &q->p);
    resident_does(pair, 0, &q->p, &plain, &q->program, 30, &got);
    check_same_sums(&q->program, &got, sums, what);
    ds_pair_close(pair);
  }
  CHECK_MSG(memcmp(before, q->p.a.f, bytes) == 0, "%s: forces have changed", what);
  free(before);
}

__extension__ typedef __int128 wide_integer;

static wide_integer integer_of(const ds_exact_sum *s)
{
  return (wide_integer) s->low + (wide_integer) s->high * ((wide_integer) 1 << 32) +
         (wide_integer) s->top * ((wide_integer) 1 << 90);
}

/* Numbers of many magnitudes, in units from 2^`lowest` on and below 2^`highest`: each is rounded to a multiple of
   unit / 2^60, and nothing else is. */
static void try_magnitudes(int n, double unit, int lowest, int highest)
{
  numbers q;
  step_sums sums;
  uint64_t seed = 5 + (uint64_t) n;
  wide_integer expected[2] = {0, 0};
  long double size[2] = {0.0L, 0.0L};
  char what[80];
  snprintf(what, sizeof what, "%d numbers of 2^%d to 2^%d units of %g", n, lowest, highest, unit);
  numbers_open(&q, n, unit);
  for (int i = 0; i < n; i++) {
    const double mantissa = 0.5 + 0.5 * check_uniform(&seed);
    numbers_put(&q, i, mantissa * random_power(&seed, lowest, highest - 1) * unit);
    for (int k = 0; k < 2; k++) {
      const double units = q.p.a.f[3 * i + k] / unit;
      expected[k] += (wide_integer) ldexp(units, 60);
      size[k] += fabsl((long double) units);
    }
  }
  numbers_add(&q, 3, &sums, what);
  for (int k = 0; k < 2; k++) {
    const wide_integer off = integer_of(sum_of(&sums, 0, k)) - expected[k];
    const double value = value_of(&q.program, &sums, 0, k) / unit;
    const long double wanted = ldexpl((long double) expected[k], -60);
    CHECK_MSG(off >= -n && off <= n, "%s: sum %d is off by %g of its units", what, k, (double) off);
    CHECK_MSG(fabsl((long double) value - wanted) <= n * 0x1p-60L + size[k] * 0x1p-52L, "%s: sum %d is %.17g, expected %.17g",
              what, k, value, (double) wanted);
  }
  CHECK_MSG(value_of(&q.program, &sums, 0, 3) == n * unit, "%s: %g particles", what,
            value_of(&q.program, &sums, 0, 3) / unit);
  particles_close(&q.p);
}

static void test_magnitudes(void)
{
  static const int sizes[] = {1, 33, 257, PARTICLES};
  static const double units[] = {1.0, 0x1p-110, 0x1p+140};
  for (int k = 0; k < 4; k++)
    for (int u = 0; u < 3; u++) {
      try_magnitudes(sizes[k], units[u], -70, 24); /* twice the number is below 2^30 units, and so is the sum of 32 */
      try_magnitudes(sizes[k], units[u], -4, 2);
      try_magnitudes(sizes[k], units[u], 20, 36); /* some above 2^30 */
    }
}

/* The upper end of the range of a term: what is below counts, what is not makes the sum NaN, and no other one. */
static void try_large(double number, int is_valid, int how_many)
{
  numbers q;
  step_sums sums, without;
  char what[60];
  snprintf(what, sizeof what, "%d times %g", how_many, number);
  numbers_open(&q, 257, 4.0);
  for (int i = 0; i < 257; i++) {
    numbers_put(&q, i, 0.0);
    q.p.a.f[3 * i + 2] = 0.3 + i;
  }
  numbers_add(&q, 2, &without, what);
  for (int k = 0; k < how_many; k++) q.p.a.f[3 * (200 - 60 * k)] = number;
  numbers_add(&q, 2, &sums, what);
  CHECK_INT(sum_of(&sums, 0, 0)->invalid, is_valid ? 0 : how_many);
  const double value = value_of(&q.program, &sums, 0, 0);
  CHECK_MSG(is_valid ? value == how_many * number : isnan(value), "%s: the sum is %g", what, value);
  CHECK_MSG(memcmp(sum_of(&sums, 0, 1), sum_of(&without, 0, 1), 3 * sizeof(ds_exact_sum)) == 0, "%s: other sums differ",
            what);
  particles_close(&q.p);
}

static void test_large(void)
{
  const double end = 0x1p88 * 4.0, middle = 0x1p30 * 4.0;
  for (int many = 1; many <= 3; many += 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      try_large(sign * nextafter(middle, 0.0), 1, many);
      try_large(sign * middle, 1, many);
      try_large(sign * nextafter(middle, INFINITY), 1, 1);
      try_large(sign * nextafter(end, 0.0), 1, 1);
      try_large(sign * end, 0, many);
      try_large(sign * DBL_MAX, 0, many);
      try_large(sign * INFINITY, 0, many);
      try_large(sign * NAN, 0, many);
    }
}

/* 32 terms at the upper end of the middle part, the most that are good for. */
static void test_most_large_terms(void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    numbers q;
    step_sums sums;
    const double number = sign * nextafter(0x1p30, 0.0);
    numbers_open(&q, 32, 1.0);
    for (int i = 0; i < 32; i++) q.p.a.f[3 * i] = number;
    numbers_add(&q, 1, &sums, "32 large terms");
    CHECK_MSG(value_of(&q.program, &sums, 0, 0) == 32.0 * number, "the sum of 32 terms %g is %g", number,
              value_of(&q.program, &sums, 0, 0));
    particles_close(&q.p);
  }
}

/* Sums that cannot be known change nothing. */
static void test_invalid_temperature(void)
{
  static const double number[4] = {1.0, 2.0, 0.0, 1.0};
  particles before, p;
  step_sums sums;
  ds_step_program program;
  memset(&program, 0, sizeof program);
  add_sum(&program, DS_SUM_MOMENTUM, DS_AT_END, 5);
  add_sum(&program, DS_SUM_KINETIC_TRACE, DS_AT_END, 1);
  set_numbers(add_reader(&program, DS_RESCALE_TEMPERATURE, DS_AT_END), 0, 4, number);
  ds_operation *const energy = add_operation(&program, DS_RESCALE_ENERGY, DS_AT_END);
  energy->flags = DS_AFTER_SUMS;
  energy->from = 1;
  energy->also = 0;
  particles_open(&before, 33);
  particles_open(&p, 33);
  particles_fill(&before, &plain, FILL_RANDOM, 8);
  before.a.v[40] = 1e200;
  particles_copy(&p, &before);
  stepper_does(2, &p, &plain, &program, 30, &sums);
  check_same_particles(&p, &before, &plain, "temperature NaN, stepper");
  CHECK(isnan(value_of(&program, &sums, 1, 0)));
  for (int v = 0; v < variants.n; v++) {
    ds_pair *const pair = pair_for(&variants.options[v], &plain, &p);
    particles_copy(&p, &before);
    resident_does(pair, 1, &p, &plain, &program, 30, &sums);
    check_same_particles(&p, &before, &plain, "temperature NaN, resident");
    CHECK(isnan(value_of(&program, &sums, 1, 0)));
    ds_pair_close(pair);
  }
  particles_close(&before);
  particles_close(&p);
}

/* Each part of a sum of 2^20 equal terms is 2^20 times that of one, and so is its value. */
static void test_equal_terms(void)
{
  static const double number[] = {0.1, -0x1.5555555555555p-12, -0.7 * 16384.0, 1.0, 0.0};
  for (int k = 0; k < 5; k++) {
    numbers one, many;
    step_sums of_one, of_many;
    numbers_open(&one, 1, 1.0);
    numbers_open(&many, 1 << 20, 1.0);
    numbers_put(&one, 0, number[k]);
    for (int i = 0; i < 1 << 20; i++) numbers_put(&many, i, number[k]);
    numbers_add(&one, 1, &of_one, "one term");
    numbers_add(&many, 2, &of_many, "2^20 terms");
    for (int j = 0; j < 4; j++) {
      const ds_exact_sum *const a = sum_of(&of_one, 0, j), *const b = sum_of(&of_many, 0, j);
      CHECK_INT(b->low, a->low * 1048576);
      CHECK_INT(b->high, a->high * 1048576);
      CHECK_INT(b->top, a->top * 1048576);
      CHECK_MSG(value_of(&many.program, &of_many, 0, j) == 1048576.0 * value_of(&one.program, &of_one, 0, j),
                "2^20 times %.17g is %.17g", value_of(&one.program, &of_one, 0, j),
                value_of(&many.program, &of_many, 0, j));
    }
    CHECK_NEAR(value_of(&one.program, &of_one, 0, 0), number[k], 0x1p-60);
    particles_close(&one.p);
    particles_close(&many.p);
    if (check_brief()) break;
  }
}

/* The value does not depend on how a sum is cut into its parts. */
static void test_values(void)
{
  uint64_t seed = 12;
  for (int k = 0; k < 10000; k++) {
    const int bits = (int) (check_random(&seed) % 60);
    ds_exact_sum sum = {(int64_t) (check_random(&seed) >> 32), (int64_t) check_random(&seed) >> bits >> 3, 0, 0}, other = sum;
    const int64_t carried = (int64_t) check_random(&seed) >> 36;
    other.high -= carried;
    other.low += carried * 4294967296;
    const double value = ds_exact_value(&sum, 0.25), same = ds_exact_value(&other, 0.25);
    const long double expected = ldexpl((long double) integer_of(&sum), -62);
    CHECK_MSG(value == same, "%.17g and %.17g are values of one sum", value, same);
    CHECK_MSG(fabsl(value - expected) <= fabsl(expected) * 0x1p-52L, "value %.17g, expected %.17g", value, (double) expected);
    sum.invalid = 1 + k;
    CHECK(isnan(ds_exact_value(&sum, 0.25)));
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int s = 0; s < SETTINGS; s++) {
    CHECK_CASE(test_order(&settings[s]));
    CHECK_CASE(test_processes(&settings[s]));
  }
  CHECK_CASE(test_magnitudes());
  CHECK_CASE(test_large());
  CHECK_CASE(test_most_large_terms());
  CHECK_CASE(test_invalid_temperature());
  CHECK_CASE(test_equal_terms());
  CHECK_CASE(test_values());
  return check_result();
}
