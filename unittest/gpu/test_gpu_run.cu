/* test_gpu_run.cu: runs with all arrays on the device, queued without waiting: the trajectory of the host backend, bit
   for bit; what stops a run, and how it goes on.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "gpu/backends.h"
#include "gpu/run.h"

static const double zero[3] = {0, 0, 0};
static const int all_periodic[3] = {1, 1, 1};

/* n atoms at density 3 in a cube. */
static void open_fluid(test_system *s, const test_model *t, int n, uint64_t seed)
{
  const double edge = cbrt(n / 3.0), cube[6] = {edge, edge, edge, 0, 0, 0};
  system_open(s, zero, cube, all_periodic, model_range(t), t->m.skin);
  system_fill(s, n, t->m.ntypes, 1.0, &seed);
  s->box.undecomposed[0] = s->box.undecomposed[1] = s->box.undecomposed[2] = 1;
}

static void two_types(test_model *t)
{
  model_open(t, 2, 25, 4.5, 1.0, 1.0, 0.4);
  model_pair(t, 1, 2, 40, 9.0, 0.8, 0.5);
  t->m.dt = 0.005;
}

#define NEED(call, run) CHECK_MSG((call) == DS_OK, "%s: %s", #call, (run).err.text)

/* The same sums, of the last evaluation that wanted them. */
static void compare_sums(const char *name, const test_run *a, const test_run *b)
{
  CHECK_MSG(a->sums.energy == b->sums.energy && a->sums.energy != 0.0 &&
                memcmp(a->sums.virial, b->sums.virial, sizeof a->sums.virial) == 0,
            "%s: energy %.17g and %.17g, or virials", name, a->sums.energy, b->sums.energy);
  for (int c = 0; c < 3; c++) CHECK(a->sums.force_sum[c] == 0 && b->sums.force_sum[c] == 0);
}

/* ---------------------------------------------------------------------------------------- trajectories */

/* 303 steps, under a sanitizer 43, of which the last three want no sums; on a stream of the engine's own, and on one of
   the caller's. */
static void test_trajectory(const ds_pair_style *style, ds_precision precision, int own_stream)
{
  static test_model t;
  test_system s;
  test_run h, g;
  const int last = check_brief() ? 43 : 303;
  ds_pair_options o = cuda;
  cudaStream_t stream = NULL;
  char name[80];
  two_types(&t);
  model_style(&t, style);
  for (int i = 1; i <= 2; i++) model_across(&t, i, 2, 3.0, 1.0);
  open_fluid(&s, &t, 4000, 1700);
  snprintf(name, sizeof name, "%d steps, %s, style %d", last, precision_name[precision],
           style == &ds_style_dpd_ext);
  if (own_stream)
    device_require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  o.stream = stream;
  if (run_open(&h, &host, precision, &t, &s, 5, 1) && run_open(&g, &o, precision, &t, &s, 5, 40)) {
    CHECK(!own_stream || ds_pair_stream(g.pair) == (void *) stream);
    CHECK(ds_pair_halted(g.pair) != NULL && ds_pair_halted(h.pair) == NULL);
    NEED(run_begin(&h), h);
    NEED(run_begin(&g), g);
    NEED(run_to(&h, last, 1), h);
    NEED(run_to(&g, last, 1), g);
    run_compare(name, &h, &g, 1);
    compare_sums(name, &h, &g);
  }
  run_close(&h);
  run_close(&g);
  if (stream) cudaStreamDestroy(stream);
  system_close(&s);
}

/* --------------------------------------------------------------------------------- a list too small */

/* Atoms fall towards the middle of the box: the list of some 200,000 entries grows to some millions within 60 steps. The
   GPU runs ahead of what the host has looked at and stops where its list has no room; and so twice or more. Lists every
   other step: the atoms are fast. */
static void collapse(test_model *t, test_system *s)
{
  model_open(t, 1, 1, 4.5, 1.0, 1.0, 0.4);
  t->m.dt = 0.002;
  open_fluid(s, t, 6000, 1710);
}

static void pull(test_run *r)
{
  r->m.pull = 60.0;
  r->m.reach = 5.5;
}

static int64_t count_entries(test_run *r)
{
  int rows, *const atom = (int *) test_alloc(4 * (size_t) r->m.n);
  int64_t *const start = (int64_t *) test_alloc(8 * (size_t) (r->m.n + 1)), n = -1;
  int64_t entries = n;
  if (NEED(ds_pair_read_list(r->pair, &rows, atom, start, NULL, &r->err), *r))
    entries = start[rows];
  free(atom);
  free(start);
  return entries;
}

static void test_overflow(ds_precision precision)
{
  enum { LAST = 120 };
  static test_model t;
  test_system s;
  test_run h, g, roomy;
  collapse(&t, &s);
  if (!run_open(&h, &host, precision, &t, &s, 2, 1) ||
      !run_open(&g, &cuda, precision, &t, &s, 2, 50))
    return;
  pull(&h);
  pull(&g);
  NEED(run_begin(&h), h);
  const int64_t before = count_entries(&h);
  NEED(run_to(&h, LAST, 1), h);
  const int64_t after = count_entries(&h);
  NEED(run_begin(&g), g);
  NEED(run_to(&g, LAST, 1), g);
  printf("  collapse, %s: %lld entries at first, %lld in the end; queued once more %d times, from "
         "step %lld at last\n",
         precision_name[precision], (long long) before, (long long) after, g.repeats,
         (long long) g.again);
  CHECK(after > 8 * before);
  CHECK(g.repeats >= 1 && g.again > 0 && g.again < LAST && g.again % 2 == 0);
  CHECK(ds_pair_get_info(g.pair).entries >= after);
  run_compare("collapse", &h, &g, 1);
  compare_sums("collapse", &h, &g);

  /* a list of the dense state first, and no look on the way, after which the room would be given back */
  double *const dense = run_values(&h, &h.x), *const v = run_values(&h, &h.v);
  test_system crowded = s;
  crowded.x = dense;
  crowded.v = v;
  if (run_open(&roomy, &cuda, precision, &t, &crowded, 2, 10 * LAST)) {
    pull(&roomy);
    NEED(run_begin(&roomy), roomy);
    device_require(cudaMemcpy(roomy.x.data, s.x, 24 * (size_t) s.nlocal, cudaMemcpyHostToDevice),
                   "copy");
    device_require(cudaMemcpy(roomy.v.data, s.v, 24 * (size_t) s.nlocal, cudaMemcpyHostToDevice),
                   "copy");
    device_require(cudaMemset(roomy.f.data, 0, 24 * (size_t) s.nlocal), "clear");
    device_require(cudaDeviceSynchronize(), "copy");
    roomy.step = 0;
    roomy.repeats = 0;
    NEED(run_evaluate(&roomy, 1), roomy);
    NEED(run_to(&roomy, LAST, 1), roomy);
    CHECK_INT(roomy.repeats, 0);
    run_compare("collapse, room from the start", &h, &roomy, 1);
  }
  run_close(&roomy);
  free(dense);
  free(v);
  run_close(&h);
  run_close(&g);
  system_close(&s);
}

/* Types that change in the middle of what is queued, with cutoffs that depend on them: the list is another. */
static void test_types(ds_precision precision)
{
  static test_model t;
  test_system s;
  test_run h, g;
  two_types(&t);
  open_fluid(&s, &t, 3000, 1720);
  if (run_open(&h, &host, precision, &t, &s, 5, 1) &&
      run_open(&g, &cuda, precision, &t, &s, 5, 40)) {
    h.bad_step = g.bad_step = 23;
    h.retype = g.retype = 1;
    NEED(run_begin(&h), h);
    NEED(run_begin(&g), g);
    NEED(run_to(&h, 70, 1), h);
    NEED(run_to(&g, 70, 1), g);
    CHECK_MSG(g.repeats == 1 && g.again == 23, "%d times, from step %lld", g.repeats,
              (long long) g.again);
    run_compare("types changed on the way", &h, &g, 1);
  }
  run_close(&h);
  run_close(&g);
  system_close(&s);
}

/* ------------------------------------------------------------------------------------------- faults */

/* 50 steps are queued, in the 23rd of which an atom goes wrong: the state stays as it was before the forces of that step,
   and the error names it. */
static void test_fault(ds_precision precision, mishap what, int step)
{
  static test_model t;
  test_system s;
  test_run g, until;
  char words[40];
  two_types(&t);
  open_fluid(&s, &t, 3000, 1730);
  system_shift_tags(&s, 7000000000);
  if (run_open(&g, &cuda, precision, &t, &s, 5, 1000) &&
      run_open(&until, &cuda, precision, &t, &s, 5, 1000)) {
    g.bad_step = until.bad_step = step;
    g.what = until.what = what;
    NEED(run_begin(&g), g);
    const ds_status status = run_to(&g, 50, 1);
    CHECK_INT(status, what == LOST ? DS_ERR_POSITION : DS_ERR_FORCE_RANGE);
    snprintf(words, sizeof words, "at step %d ", step);
    CHECK_MSG(strstr(g.err.text, words) != NULL, "'%s' lacks '%s'", g.err.text, words);
    CHECK_MSG(strstr(g.err.text, "7000000042") != NULL, "'%s' does not name the atom", g.err.text);
    NEED(run_begin(&until), until);
    NEED(run_to(&until, step - 1, 1), until);
    until.step = step;
    run_first_half(&until, step % 5 == 0);
    run_compare(what == LOST ? "a position that is not a number" : "a force out of range", &until,
                &g, what == LOST);
  }
  run_close(&g);
  run_close(&until);
  system_close(&s);
}

/* -------------------------------------------------------------------------------- looked at too early */

/* Atoms so dense that the first list, with room for 60 entries per atom, is too small. */
static void open_ball(test_model *t, test_system *s)
{
  static const double cube[6] = {8, 8, 8, 0, 0, 0}, middle[3] = {4, 4, 4};
  uint64_t seed = 1750;
  two_types(t);
  system_open(s, zero, cube, all_periodic, model_range(t), t->m.skin);
  system_ball(s, 600, middle, 0.3, t->m.ntypes, 1.0, &seed);
  s->box.undecomposed[0] = s->box.undecomposed[1] = s->box.undecomposed[2] = 1;
}

static void load_and_build(test_run *r)
{
  NEED(ds_pair_load(r->pair, &r->x, &r->v, 0, &r->err), *r);
  NEED(ds_pair_build_list(r->pair, &r->err), *r);
}

/* What reads a list or the order of its atoms, before anybody has looked whether it had room, sees it complete; forces
   that were queued behind a list without room are not lost unnoticed. */
static void test_early_look(ds_precision precision)
{
  static test_model t;
  test_system s;
  test_run g, late, h;
  open_ball(&t, &s);
  double *const v = (double *) test_alloc(24 * (size_t) s.nlocal);
  const ds_array wanted = {v, DS_F64, DS_SPACE_HOST, 3, 1};
  if (run_open(&h, &host, precision, &t, &s, 5, 1) &&
      run_open(&g, &cuda, precision, &t, &s, 5, 1) &&
      run_open(&late, &cuda, precision, &t, &s, 5, 1)) {
    load_and_build(&g);
    NEED(ds_pair_get_velocities(g.pair, &wanted, &g.err), g);
    for (int i = 0; i < 3 * s.nlocal; i++)
      if (!CHECK_NEAR(v[i], s.v[i], 1e-6)) break;
    CHECK_INT(count_entries(&g), (int64_t) s.nlocal * (s.nlocal - 1));
    g.wanted.f = g.f;
    NEED(ds_pair_enqueue(g.pair, &g.wanted, &g.err), g);
    NEED(run_look(&g), g);
    CHECK_INT(g.repeats, 0);
    NEED(run_begin(&h), h);
    run_compare("list and velocities read before forces", &h, &g, 1);

    load_and_build(&late);
    late.wanted.f = late.f;
    NEED(ds_pair_enqueue(late.pair, &late.wanted, &late.err), late);
    CHECK(ds_pair_get_velocities(late.pair, &wanted, &late.err) == DS_ERR_ARGUMENT);
    CHECK_MSG(strstr(late.err.text, "step 0 is to be queued once more") != NULL, "'%s'",
              late.err.text);
  }
  free(v);
  run_close(&h);
  run_close(&g);
  run_close(&late);
  system_close(&s);
}

/* --------------------------------------------------------------------------------------- no waiting */

/* Keeps the stream busy for so many nanoseconds. */
__global__ void busy_kernel(unsigned long long nanoseconds)
{
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
}

/* 50 steps, lists among them, are queued behind a kernel that runs for two seconds: the calls return long before it
   ends. Some steps before have loaded every kernel and got all memory. */
static void test_no_waiting(ds_precision precision)
{
  static test_model t;
  test_system s;
  test_run h, g;
  two_types(&t);
  open_fluid(&s, &t, 3000, 1740);
  if (run_open(&h, &host, precision, &t, &s, 5, 1) &&
      run_open(&g, &cuda, precision, &t, &s, 5, 1000)) {
    cudaEvent_t end;
    device_require(cudaEventCreateWithFlags(&end, cudaEventDisableTiming), "an event");
    NEED(run_begin(&h), h);
    NEED(run_to(&h, 70, 1), h);
    NEED(run_begin(&g), g);
    NEED(run_to(&g, 20, 1), g);
    const cudaStream_t stream = (cudaStream_t) ds_pair_stream(g.pair);
    busy_kernel<<<1, 1, 0, stream>>>(2000000000ull);
    device_require(cudaEventRecord(end, stream), "an event");
    NEED(run_to(&g, 70, 0), g);
    const cudaError_t state = cudaEventQuery(end);
    CHECK_MSG(state == cudaErrorNotReady, "50 steps were queued, and somewhere waited for: %s",
              cudaGetErrorString(state));
    NEED(run_look(&g), g);
    CHECK(cudaEventQuery(end) == cudaSuccess);
    run_compare("queued behind a long kernel", &h, &g, 1);
    cudaEventDestroy(end);
  }
  run_close(&h);
  run_close(&g);
  system_close(&s);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  static const ds_precision exact[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
  const int status = backends_open();
  if (status) return status;
  for (int p = 0; p < 2; p++) {
    CHECK_CASE(test_trajectory(&ds_style_dpd, exact[p], p));
    CHECK_CASE(test_trajectory(&ds_style_dpd_ext, exact[p], 1 - p));
    if (!check_brief() || p == 0) CHECK_CASE(test_overflow(exact[p]));
    CHECK_CASE(test_types(exact[p]));
    CHECK_CASE(test_early_look(exact[p]));
    /* between two lists, and where one is made */
    for (int step = check_brief() ? 25 : 22; step <= 25; step += 3) {
      CHECK_CASE(test_fault(exact[p], LOST, step));
      CHECK_CASE(test_fault(exact[p], TOO_FAST, step));
    }
    if (!check_brief()) CHECK_CASE(test_no_waiting(exact[p])); /* a sanitizer waits for each kernel */
  }
  return check_result();
}
