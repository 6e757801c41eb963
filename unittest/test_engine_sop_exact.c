/* test_engine_sop_exact.c: trajectories of SOP molecules have the same bits with each scheme, instruction set, number of
   threads, skin and cutting into calls, alone or among others, and after a restart.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

enum { SCHEMES = 3 };
static const ds_sop_scheme scheme[SCHEMES] = {DS_SOP_PARTICLE, DS_SOP_PAIR, DS_SOP_BLOCK};

/* What is moved, and how. Steps of second order and pulling have arrays and phases of their own. */
typedef struct {
  const test_molecule *molecule;
  int molecules, free, outside;
  ds_sop_pull_mode pull;
  int64_t id, first;
  const double *x;
  int steps;
} plan;

static int steps_of(int all)
{
  return check_brief() ? all / 5 : all;
}

static size_t beads_of(const plan *p)
{
  return (size_t) p->molecules * (size_t) p->molecule->topology.beads + (size_t) p->free;
}

static void set_pull(ds_sop *sop, const plan *p)
{
  const int32_t last = p->molecule->topology.beads - 1;
  const int32_t fixed[2] = {0, 3}, pulled[2] = {last, last - 2};
  const double weight[2] = {1.0, 2.5};
  ds_error err;
  ds_sop_pull pull = {
    .mode = p->pull, .fixed = 2, .pulled = 2, .fixed_bead = fixed, .pulled_bead = pulled, .spring = 0.05, .speed = 1e-3,
    .force = 1.5, .pulled_weight = p->pull == DS_SOP_PULL_SPRING ? weight : NULL
  };
  if (p->pull) CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
}

/* Forces from outside that differ from bead to bead. */
static void set_forces(ds_sop *sop, const plan *p)
{
  const size_t n = beads_of(p);
  double *const f = test_alloc(3 * n * sizeof *f);
  ds_error err;
  for (size_t k = 0; k < 3 * n; k++)
    f[k] = 0.01 * (double) (((uint64_t) p->id * 3 + k) % 17) - 0.08;
  if (p->outside) CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
  free(f);
}

static ds_sop *start(const ds_sop_options *o, const plan *p)
{
  ds_sop *const sop = sop_start(o, p->molecule, p->molecules, p->free, p->id, p->x);
  set_pull(sop, p);
  set_forces(sop, p);
  return sop;
}

static void advance(ds_sop *sop, const plan *p, int from, int steps)
{
  sop_advance(sop, p->first + from, steps, 800.0, SOP_KT);
}

/* Where the beads are after all steps, made in calls of so many; to be freed. */
static double *trajectory(const ds_sop_options *o, const plan *p, int per_call)
{
  ds_sop *const sop = start(o, p);
  for (int done = 0; done < p->steps; done += per_call)
    advance(sop, p, done, p->steps - done < per_call ? p->steps - done : per_call);
  double *const x = sop_positions(sop, beads_of(p));
  ds_sop_close(sop);
  return x;
}

/* ----------------------------------------------------------------------------- code paths and calls */

/* The reference is the first code path with the scheme particle. */
static void check_paths(const plan *p, int order, const char *rng, const char *what)
{
  ds_sop_options o = variants.options[0];
  const size_t n = beads_of(p);
  o.order = order;
  o.rng = rng;
  o.scheme = DS_SOP_PARTICLE;
  double *const expected = trajectory(&o, p, p->steps);
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      o = variants.options[v];
      o.order = order;
      o.rng = rng;
      o.scheme = scheme[s];
      if (!sop_takes(&o, p->molecule)) continue;
      sop_check_positions(trajectory(&o, p, p->steps), expected, n, &o, what);
      if (v == variants.n - 1)
        sop_check_positions(trajectory(&o, p, s == 0 ? 1 : 7), expected, n, &o, "in several calls");
    }
  double *const start = test_alloc(3 * n * sizeof *start);
  memcpy(start, p->x, 3 * n * sizeof *start);
  CHECK_MSG(n == 0 || memcmp(start, expected, 3 * n * sizeof *start) != 0, "%s: nothing moved",
            what);
  free(start);
  free(expected);
}

static void test_paths(void)
{
  test_molecule m;
  molecule_ubiquitin(&m);
  double *const x = sop_copies(&m, 5, 7, 1.5);
  plan p = {&m, 5, 7, 0, DS_SOP_PULL_NONE, 1, 0, x, steps_of(40)};
  for (int order = 1; order <= 2; order++) {
    check_paths(&p, order, "tea", "five molecules");
    p.pull = DS_SOP_PULL_SPRING;
    p.outside = 1;
    check_paths(&p, order, "tea", "five molecules, pulled by a spring, with forces from outside");
    p.pull = DS_SOP_PULL_FORCE;
    check_paths(&p, order, "mt19937", "five molecules, pulled by a force");
    p.pull = DS_SOP_PULL_NONE;
    p.outside = 0;
  }
  p.steps = steps_of(15);
  for (int g = 0; g < 8; g++) check_paths(&p, 1 + g % 2, sop_generators[g], "each generator");
  p.id = 8589934592;
  p.first = 8589934590; /* both beyond 32 bits, the steps not beginning with 0 */
  check_paths(&p, 1, "tea", "large IDs and steps");
  check_paths(&p, 2, "philox", "large IDs and steps");
  free(x);
  molecule_close(&m);
}

/* One molecule alone, with the neighbor engine and without; free beads alone; nothing at all. */
static void test_sizes(void)
{
  static const int size[] = {1, 2, 34, 250};
  test_molecule m;
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    molecule_folded(&m, size[k], 400 + k);
    double *const x = sop_copies(&m, 1, 3, 0.0);
    const plan p = {&m, 1, 0, 0, DS_SOP_PULL_NONE, 5, 10, x, steps_of(30)};
    const plan free_too = {&m, 1, 3, 1, DS_SOP_PULL_NONE, 5, 10, x, steps_of(30)};
    check_paths(&p, 1, "tea", "one molecule");
    check_paths(&free_too, 2, "tea", "one molecule and free beads");
    free(x);
    molecule_close(&m);
  }
  molecule_loose(&m, 2);
  double *const x = sop_copies(&m, 0, 600, 0.0);
  const plan p = {&m, 0, 600, 0, DS_SOP_PULL_NONE, 5, 0, x, steps_of(30)},
             none = {&m, 0, 0, 0, DS_SOP_PULL_NONE, 5, 0, x, steps_of(30)};
  check_paths(&p, 1, "taus", "free beads");
  check_paths(&p, 2, "tea", "free beads");
  check_paths(&none, 1, "ran2", "nothing");
  free(x);
  molecule_close(&m);
}

/* ---------------------------------------------------------------------------------- skin and cutoff */

static void test_skins(void)
{
  static const double skin[] = {0.0, 0.2, 1.0, 25.0};
  test_molecule m;
  molecule_folded(&m, 200, 410);
  double *const x = sop_copies(&m, 2, 0, 40.0);
  const plan p = {&m, 2, 0, 0, DS_SOP_PULL_NONE, 1, 0, x, steps_of(40)};
  for (int inter = 0; inter <= 1; inter++)
    for (int order = 1; order <= 2; order++) {
      ds_sop_options o = variants.options[0];
      o.order = order;
      o.inter = inter;
      double *const expected = trajectory(&o, &p, p.steps);
      for (int s = 0; s < SCHEMES; s++)
        for (size_t k = 0; k < sizeof skin / sizeof *skin; k++) {
          o.scheme = scheme[s];
          o.skin = skin[k];
          if (!sop_takes(&o, &m)) continue;
          sop_check_positions(trajectory(&o, &p, p.steps), expected, beads_of(&p), &o, "another skin");
        }
      free(expected);
    }
  free(x);
  molecule_close(&m);
}

/* Cutoffs beyond the molecule leave out no pair. */
static void test_cutoffs(void)
{
  static const double cutoff[] = {150.0, 180.0, 1000.0};
  test_molecule m;
  molecule_folded(&m, 230, 411);
  double *const x = sop_copies(&m, 2, 0, 5.0);
  const plan p = {&m, 2, 0, 0, DS_SOP_PULL_NONE, 1, 0, x, steps_of(40)};
  ds_sop_options o = variants.options[variants.n - 1];
  o.cutoff = 120.0;
  double *const expected = trajectory(&o, &p, p.steps);
  for (int s = 0; s < SCHEMES; s++)
    for (size_t k = 0; k < sizeof cutoff / sizeof *cutoff; k++) {
      o.scheme = scheme[s];
      o.cutoff = cutoff[k];
      if (!sop_takes(&o, &m)) continue;
      sop_check_positions(trajectory(&o, &p, p.steps), expected, beads_of(&p), &o, "a large cutoff");
    }
  free(expected);
  free(x);
  molecule_close(&m);
}

/* --------------------------------------------------------------------------------- alone and among many */

static void check_among(const plan *all, const ds_sop_options *o, const double *among)
{
  const int copy[] = {0, 1, 15, 16, 17, all->molecules / 2, all->molecules - 1};
  const size_t n = (size_t) all->molecule->topology.beads;
  for (size_t k = 0; k < sizeof copy / sizeof *copy; k++) {
    const size_t at = n * (size_t) copy[k];
    plan p = *all;
    if (copy[k] >= all->molecules) continue;
    p.molecules = 1;
    p.free = 0;
    p.id += (int64_t) at;
    p.x += 3 * at;
    sop_check_positions(trajectory(o, &p, p.steps), among + 3 * at, n, o, "a copy alone");
  }
}

static void test_among(void)
{
  const int copies = check_brief() ? 40 : 1000;
  test_molecule m;
  molecule_folded(&m, 18, 420);
  double *const x = sop_copies(&m, copies, 3, 0.0);
  const plan p = {&m, copies, 3, 1, DS_SOP_PULL_SPRING, 1, 0, x, 12};
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      ds_sop_options o = variants.options[v];
      o.scheme = scheme[s];
      o.order = 1 + (v + s) % 2;
      o.rng = sop_generators[(2 * v + 3 * s) % 8];
      double *const among = trajectory(&o, &p, p.steps);
      check_among(&p, &o, among);
      free(among);
    }
  free(x);
  molecule_close(&m);
}

/* Copies differ, though they begin alike: each has noise of its own; and so has each seed and each step. */
static void test_noise_differs(void)
{
  test_molecule m;
  molecule_folded(&m, 20, 421);
  const size_t n = 20;
  double *const x = sop_copies(&m, 2, 0, 0.0);
  plan p = {&m, 2, 0, 0, DS_SOP_PULL_NONE, 1, 0, x, steps_of(40)};
  for (int g = 0; g < 8; g++) {
    ds_sop_options o = variants.options[0];
    o.rng = sop_generators[g];
    double *const a = trajectory(&o, &p, p.steps);
    o.seed++;
    double *const b = trajectory(&o, &p, p.steps);
    int same_copy = 0, same_seed = 0;
    for (size_t k = 0; k < 3 * n; k++) {
      same_copy += a[k] == a[k + 3 * n];
      same_seed += a[k] == b[k];
    }
    CHECK_MSG(same_copy == 0, "%s: %d coordinates of two copies are the same", o.rng, same_copy);
    CHECK_MSG(same_seed == 0, "%s: %d coordinates with two seeds are the same", o.rng, same_seed);
    free(a);
    free(b);
  }
  free(x);
  molecule_close(&m);
}

/* --------------------------------------------------------------------------------------- restarts */

/* Saved in the middle and loaded by another object, perhaps of another scheme. */
static void check_restart(const ds_sop_options *o, const ds_sop_options *after, const plan *p,
                          const double *expected)
{
  const size_t n = beads_of(p);
  ds_error err;
  ds_sop *first = start(o, p);
  advance(first, p, 0, p->steps / 2);
  const size_t size = ds_sop_state_bytes(first);
  void *const state = test_alloc(size);
  plan rest = *p;
  rest.x = sop_positions(first, n);
  CHECK_OK(ds_sop_save(first, state, size, &err), err);
  ds_sop_close(first);
  ds_sop *const second = start(after, &rest);
  CHECK_OK(ds_sop_load(second, state, size, &err), err);
  advance(second, &rest, p->steps / 2, p->steps - p->steps / 2);
  sop_check_positions(sop_positions(second, n), expected, n, after, "after a restart");
  ds_sop_close(second);
  free((void *) rest.x);
  free(state);
}

static void test_restarts(void)
{
  static const ds_sop_pull_mode mode[3] = {DS_SOP_PULL_NONE, DS_SOP_PULL_SPRING, DS_SOP_PULL_FORCE};
  test_molecule m;
  molecule_folded(&m, 18, 430);
  double *const x = sop_copies(&m, 18, 4, 0.0);
  for (int g = 0; g < 8; g++)
    for (int order = 1; order <= 2; order++) {
      const plan p = {&m, 18, 4, 0, mode[(g + order) % 3], 1, 0, x, steps_of(20)};
      ds_sop_options o = variants.options[0], after = variants.options[variants.n - 1];
      o.rng = after.rng = sop_generators[g];
      o.order = after.order = order;
      o.scheme = scheme[g % 3];
      double *const expected = trajectory(&o, &p, p.steps);
      for (int s = 0; s < 3; s++) {
        after.scheme = scheme[s];
        check_restart(&o, &after, &p, expected);
        check_restart(&after, &o, &p, expected);
      }
      free(expected);
    }
  free(x);
  molecule_close(&m);
}

/* New beads, then the old ones again, in one object; forces from outside are those of the beads before. */
static void test_again(void)
{
  test_molecule m;
  molecule_folded(&m, 40, 431);
  double *const x = sop_copies(&m, 18, 4, 3.0);
  const plan p = {&m, 18, 4, 0, DS_SOP_PULL_SPRING, 1, 0, x, steps_of(40)};
  for (int s = 0; s < 3; s++) {
    ds_sop_options o = variants.options[variants.n - 1];
    ds_error err;
    int64_t id[18 * 40 + 4];
    o.scheme = scheme[s];
    o.rng = "taus";
    double *const expected = trajectory(&o, &p, p.steps);
    plan pushed = p;
    pushed.outside = 1;
    ds_sop *const sop = start(&o, &pushed);
    advance(sop, &p, 0, p.steps);
    for (int b = 0; b < 18 * 40 + 4; b++) id[b] = b + 1;
    CHECK_OK(ds_sop_set_beads(sop, 1, 0, id, &err), err);
    CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
    advance(sop, &p, 0, 3);
    CHECK_OK(ds_sop_set_beads(sop, 18, 4, id, &err), err);
    CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
    advance(sop, &p, 0, p.steps);
    sop_check_positions(sop_positions(sop, beads_of(&p)), expected, beads_of(&p), &o, "once more");
    ds_sop_close(sop);
    free(expected);
  }
  free(x);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------- long calls

   The GPU makes a call of many steps in several launches, each of fewer steps the more beads there are: here of 33,333. The
   host has no such limit, and makes some hundred. */

enum { LONG_BEADS = 12, LONG_FREE = 10000, LONG_CALL = 33333 };

static int is_cuda(const ds_sop_options *o)
{
  return o->backend == DS_BACKEND_CUDA;
}

static void test_long_calls(void)
{
  static const char *const rng[2] = {"tea", "taus"};
  ds_sop_options o = variants.options[variants.n - 1];
  const int whole = is_cuda(&o) ? 2 * LONG_CALL + 11 : steps_of(500), part = is_cuda(&o) ? LONG_CALL / 2 : 90;
  test_molecule m;
  molecule_folded(&m, LONG_BEADS, 440);
  double *const x = sop_copies(&m, 2, LONG_FREE, 50.0);
  const plan p = {&m, 2, is_cuda(&o) ? LONG_FREE : 2, 0, DS_SOP_PULL_FORCE, 1, 5, x, whole};
  for (int s = 0; s < SCHEMES; s++)
    for (int order = 1; order <= 2; order++) {
      o.scheme = scheme[s];
      o.order = order;
      o.rng = rng[(s + order) % 2];
      double *const expected = trajectory(&o, &p, part);
      sop_check_positions(trajectory(&o, &p, whole), expected, beads_of(&p), &o, "a long call");
      free(expected);
    }
  free(x);
  molecule_close(&m);
}

/* Steps of calls until a bond is torn, and the words of that. */
static int torn_in(const ds_sop_options *o, const test_molecule *m, const double *x, int free_beads, int per_call,
                   int most, char words[DS_ERROR_LENGTH])
{
  const int32_t fixed = 0, pulled = LONG_BEADS - 1;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .spring = 20.0,
    .speed = is_cuda(o) ? 1e-6 : 2e-4
  };
  ds_sop_motion motion = {0, per_call, 1000.0, SOP_ZETA, SOP_KT};
  ds_error err;
  ds_sop *const sop = sop_start(o, m, 2, free_beads, 1, x);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  ds_status s = DS_OK;
  for (; motion.first < most && !s; motion.first += motion.steps) s = ds_sop_advance(sop, &motion, &err);
  CHECK_MSG(s == DS_ERR_FORCE_RANGE, "no bond is torn: %s", err.text);
  memcpy(words, err.text, DS_ERROR_LENGTH);
  ds_sop_close(sop);
  const char *const step = strstr(words, "in step ");
  return step ? atoi(step + strlen("in step ")) : -1;
}

/* The step in which a force goes out of range is named by its number in the call, not in a launch. */
static void test_long_calls_that_fail(void)
{
  ds_sop_options o = variants.options[variants.n - 1];
  const int cuda = is_cuda(&o), whole = cuda ? 1000000 : 5000, part = cuda ? LONG_CALL / 3 : 50;
  test_molecule m;
  molecule_folded(&m, LONG_BEADS, 441);
  double *const x = sop_copies(&m, 2, LONG_FREE, 50.0);
  for (int s = 0; s < SCHEMES; s++) {
    char one[DS_ERROR_LENGTH], more[DS_ERROR_LENGTH];
    o.scheme = scheme[s];
    const int step = torn_in(&o, &m, x, cuda ? LONG_FREE : 2, whole, whole, one),
              again = torn_in(&o, &m, x, cuda ? LONG_FREE : 2, part, whole, more);
    CHECK_MSG(step == again && step > (cuda ? LONG_CALL : 100), "step %d, in shorter calls %d", step, again);
    CHECK_MSG(strcmp(one, more) == 0, "'%s', in shorter calls '%s'", one, more);
  }
  free(x);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_paths());
  CHECK_CASE(test_sizes());
  CHECK_CASE(test_skins());
  CHECK_CASE(test_cutoffs());
  CHECK_CASE(test_among());
  CHECK_CASE(test_noise_differs());
  CHECK_CASE(test_restarts());
  CHECK_CASE(test_again());
  /* a sanitizer would take hours for half a million steps, which are the same kernels */
  if (!check_brief() || !is_cuda(&variants.options[0])) {
    CHECK_CASE(test_long_calls());
    CHECK_CASE(test_long_calls_that_fail());
  }
  return check_result();
}
