/* test_engine_resident.c: atoms that stay with the engine make the same steps, to the bit, as a caller makes who moves
   them himself, rebuilds lists when he should and asks for forces step by step.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_resident cuda" makes the same checks on the GPU. */
#include "support/reference_integrator.h"

static test_variants variants;

/* What the caller has at the end. */
typedef struct {
  int reneighborings, dangerous;
  int64_t reneighbored;
  ds_pair_totals totals;
} rebuild_counts;

static void caller_runs(ds_pair *pair, atoms *a, const setting *s, int64_t first, int64_t last,
                        rebuild_counts *c)
{
  ds_error err;
  for (int64_t step = first; step <= last; step++) {
    caller_kicks(a, s, 1);
    const int64_t age = step - c->reneighbored;
    int reneighbor = age >= s->rule.delay && age % s->rule.every == 0;
    if (reneighbor && s->rule.check) reneighbor = caller_sees_movement(a, s);
    if (reneighbor) {
      caller_wraps(a, s);
      c->reneighborings++;
      c->dangerous +=
          s->rule.check && age == (s->rule.every > s->rule.delay ? s->rule.every : s->rule.delay);
      c->reneighbored = step;
    }
    CHECK_OK(caller_forces(pair, a, step, reneighbor, &c->totals, &err), err);
    caller_kicks(a, s, 0);
  }
}

static void check_sums(const ds_pair_totals *got, const ds_pair_totals *expected, const setting *s)
{
  CHECK_MSG(got->energy == expected->energy, "%s: energy %.17g, expected %.17g", s->name,
            got->energy, expected->energy);
  CHECK_MSG(memcmp(got->virial, expected->virial, sizeof got->virial) == 0, "%s: virials differ",
            s->name);
}

/* The engine makes the steps in stretches; the last step of each wants energies. */
static void engine_runs(ds_resident *r, const setting *s, int64_t from, rebuild_counts *c)
{
  static const ds_pair_request sums_wanted = {.want_energy = 1, .want_virial = 1};
  const int64_t last = from + s->steps;
  ds_error err;
  for (int64_t step = from + 1; step <= last;) {
    ds_run_request stretch;
    ds_run_result reached;
    memset(&stretch, 0, sizeof stretch);
    stretch.first = step;
    stretch.last = step + s->stretch - 1 < last ? step + s->stretch - 1 : last;
    stretch.reneighbored = c->reneighbored;
    stretch.rule = s->rule;
    stretch.hand_over = INT64_MAX;
    stretch.wanted = &sums_wanted;
    stretch.totals = &c->totals;
    if (!CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err)) return;
    CHECK(reached.whole);
    CHECK_INT(reached.step, stretch.last);
    c->reneighborings += (int) reached.reneighborings;
    c->dangerous += (int) reached.dangerous;
    c->reneighbored = reached.reneighbored;
    step = stretch.last + 1;
  }
}

/* Whose arrays: the caller's, where the engine works in host memory; the engine's; or the engine's with tags, so that it may
   change the order of atoms while it runs. */
typedef enum { ARRAYS_OF_CALLER, OWN_ARRAYS, OWN_ARRAYS_WITH_TAGS } array_owner;

static void compare(const setting *s, const ds_pair_options *options, ds_precision precision, array_owner owner)
{
  static const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1};
  atoms theirs, ours;
  rebuild_counts expected, got;
  ds_error err;
  char where[100];
  memset(&expected, 0, sizeof expected);
  atoms_open(&theirs, ATOMS);
  atoms_open(&ours, ATOMS);
  atoms_fill(&theirs, s, 77);
  ds_pair *const reference = pair_of(&plain, precision, s, &theirs);
  caller_wraps(&theirs, s);
  CHECK_OK(caller_forces(reference, &theirs, 5, 1, &expected.totals, &err), err);
  expected.reneighbored = 5;
  got = expected;
  atoms_copy(&ours, &theirs);
  caller_runs(reference, &theirs, s, 6, 5 + s->steps, &expected);

  ds_pair_options o = *options;
  o.precision = precision;
  snprintf(where, sizeof where, "%s", variant_name(&o));
  ds_pair *const pair = pair_of(options, precision, s, &ours);
  ds_resident *const r = resident_in(pair, &ours, s, owner != ARRAYS_OF_CALLER);
  if (owner == OWN_ARRAYS_WITH_TAGS) CHECK_OK(ds_resident_to_engine(r, DS_TAG, &err), err);
  engine_runs(r, s, 5, &got);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  check_same(&ours, &theirs, s, where);
  check_sums(&got.totals, &expected.totals, s);
  CHECK_MSG(got.reneighborings == expected.reneighborings && got.dangerous == expected.dangerous &&
                got.reneighbored == expected.reneighbored,
            "%s, %s: %d rebuilds, %d dangerous, the last in step %lld; expected %d, %d, %lld",
            s->name, where, got.reneighborings, got.dangerous, (long long) got.reneighbored, expected.reneighborings,
            expected.dangerous, (long long) expected.reneighbored);
  CHECK_OK(ds_resident_reference_to_host(r, &err), err);
  CHECK_MSG(memcmp(ours.x, theirs.held, 24 * ATOMS) == 0, "%s, %s: reference positions differ", s->name,
            where);
  ds_resident_close(r);
  ds_pair_close(pair);
  ds_pair_close(reference);
  atoms_close(&ours);
  atoms_close(&theirs);
}

/* Arrays of resident atoms are counted with the pair's, as long as they are there. */
static void test_bytes(const ds_pair_options *options)
{
  enum { COPIED = 3 * 24 + 4 * 4 }; /* of an atom: positions, velocities, forces; types, masks, image flags, half a tag */
  static const setting s = {.name = "bytes", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 1, .stretch = 1};
  atoms a;
  atoms_open(&a, ATOMS);
  atoms_fill(&a, &s, 77);
  ds_pair *const pair = pair_of(options, DS_PRECISION_MIXED, &s, &a);
  const ds_pair_info alone = ds_pair_get_info(pair);
  ds_resident *const r = resident_in(pair, &a, &s, 1), *const other = resident_in(pair, &a, &s, 1);
  const ds_pair_info both = ds_pair_get_info(pair);
  ds_resident_close(r); /* not the one that came last */
  const ds_pair_info one = ds_pair_get_info(pair);
  ds_resident_close(other);
  const ds_pair_info none = ds_pair_get_info(pair);
  const size_t more = one.bytes_host + one.bytes_device - alone.bytes_host - alone.bytes_device;
  CHECK(more >= COPIED * ATOMS && more < 4 * COPIED * ATOMS);
  CHECK(both.bytes_host + both.bytes_device == alone.bytes_host + alone.bytes_device + 2 * more);
  CHECK(options->backend == DS_BACKEND_CUDA ? one.bytes_host == alone.bytes_host : one.bytes_device == 0);
  CHECK(none.bytes_host == alone.bytes_host && none.bytes_device == alone.bytes_device);
  ds_pair_close(pair);
  atoms_close(&a);
}

static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 60, .stretch = 60},
    {.name = "by distance", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 80, .stretch = 80},
    {.name = "by distance, delayed",
     ALL_MOVE,
     .rule = {2, 4, 1, 0.0225},
     .wide_images = 1,
     .steps = 80,
     .stretch = 23},
    {.name = "tilted, every 3 steps",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {3, 0, 0, 0.0},
     .wide_images = 1,
     .steps = 60,
     .stretch = 17},
    {.name = "tilted, by distance",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {1, 0, 1, 0.0225},
     .steps = 60,
     .stretch = 60},
    {.name = "tilted, every 4 steps",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {4, 0, 0, 0.0},
     .steps = 60,
     .stretch = 9},
    {.name = "two groups",
     .periodic = ALL_PERIODIC,
     .rule = {1, 0, 1, 0.0225},
     .ngroups = 2,
     .group = {GROUP_ONE, GROUP_TWO},
     .steps = 40,
     .stretch = 40},
    {.name = "a mass of each atom",
     ALL_MOVE,
     .rule = {5, 0, 0, 0.0},
     .by_atom = 1,
     .steps = 40,
     .stretch = 40},
    {.name = "nothing moves",
     .periodic = ALL_PERIODIC,
     .rule = {5, 0, 0, 0.0},
     .steps = 12,
     .stretch = 12},
    {.name = "step by step", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 30, .stretch = 1},
    {.name = "lists that grow",
     ALL_MOVE,
     .rule = {1, 0, 1, 0.0225},
     .inward = 8.0,
     .steps = 30,
     .stretch = 30},
    {.name = "lists that grow, every step",
     ALL_MOVE,
     .rule = {1, 0, 0, 0.0},
     .inward = 8.0,
     .steps = 30,
     .stretch = 30},
    {.name = "every step, many times", ALL_MOVE, .rule = {1, 0, 0, 0.0}, .steps = 90, .stretch = 90},
    {.name = "edges that move",
     ALL_MOVE,
     .rule = {5, 0, 0, 0.0},
     .steps = 60,
     .stretch = 60,
     .rate = {0.7, -0.4, 0.3, 0.6, -0.5, 0.9}},
    {.name = "edges that move, tilted, by distance",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {1, 0, 1, 0.0225},
     .wide_images = 1,
     .by_atom = 1,
     .steps = 60,
     .stretch = 13,
     .rate = {0.0, 0.0, 0.0, -0.8, 0.4, 1.1}},
};

static void test_trajectories(void)
{
  const int n = (int) (sizeof settings / sizeof settings[0]);
  for (int k = 0; k < n; k++)
    for (int p = 0; p < (check_brief() ? 1 : 2); p++)
      for (int v = 0; v < variants.n; v++) {
        setting s = settings[k];
        if (check_brief()) s.steps /= 3;
        const ds_precision precision = p ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
        compare(&s, &variants.options[v], precision, k % 2 ? OWN_ARRAYS : ARRAYS_OF_CALLER);
        compare(&s, &variants.options[v], precision, OWN_ARRAYS_WITH_TAGS);
      }
}

/* Atoms on the border, next to it on either side, and as far out as a whole box. Just below the lower border is, a box
   higher, the upper one by rounding: such an atom gets another position, but no other image. */
static void test_border(void)
{
  const int n = (int) (sizeof settings / sizeof settings[0]);
  for (int k = 0; k < n; k++)
    for (int v = 0; v < variants.n; v++) {
      const setting *const s = &settings[k];
      atoms ours, theirs;
      ds_error err;
      int outside;
      atoms_open(&ours, ATOMS);
      atoms_open(&theirs, ATOMS);
      atoms_fill(&theirs, s, 78);
      for (int i = 0; i < 30; i++) {
        const int d = i % 3;
        const double near[5] = {low[d], nextafter(low[d], -INFINITY), nextafter(low[d], INFINITY),
                                low[d] - 1e-17, low[d] - 1e-12};
        theirs.x[3 * i + d] = near[i / 3 % 5] + (i < 15 ? 0.0 : edge[d]);
      }
      for (int d = 0; d < 3; d++) theirs.x[3 * 30 + d] = d ? low[d] : -0.0; /* 0.0 where positions are made of fractions */
      atoms_copy(&ours, &theirs);
      ds_pair *const pair = pair_of(&variants.options[v], DS_PRECISION_MIXED, s, &ours);
      ds_resident *const r = resident_in(pair, &ours, s, k % 2);
      caller_wraps(&theirs, s);
      CHECK_OK(ds_resident_reneighbor(r, 1, &outside, &err), err);
      CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
      check_same(&ours, &theirs, s, variant_name(&variants.options[v]));
      ds_resident_close(r);
      ds_pair_close(pair);
      atoms_close(&ours);
      atoms_close(&theirs);
    }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_trajectories());
  CHECK_CASE(test_border());
  for (int v = 0; v < variants.n; v++) CHECK_CASE(test_bytes(&variants.options[v]));
  return check_result();
}
