/* test_engine_resident_sort.c: resident atoms that are sorted on the way make the same steps, to the bit, as those of a
   caller who sorts his own arrays; and the order told is the one they are in.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_resident_sort cuda" makes the same checks on the GPU. */
#include "support/sorts_of_caller.h"
#include "support/expect.h"

static test_variants variants;

/* ---------------------------------------------------------------------------------------- one sort */

static void check_identity(const atoms *got, const atoms *expected, const setting *s)
{
  const size_t n = (size_t) expected->n;
  CHECK_MSG(memcmp(got->type, expected->type, 4 * n) == 0 &&
                memcmp(got->mask, expected->mask, 4 * n) == 0,
            "%s: types or masks differ", s->name);
  CHECK_MSG(!s->by_atom || memcmp(got->rmass, expected->rmass, 8 * n) == 0, "%s: masses differ",
            s->name);
}

static void check_order(ds_resident *r, const atoms *before, const atoms *now, const setting *s)
{
  int32_t order[ATOMS];
  ds_error err;
  int wrong = 0;
  if (!CHECK_OK(ds_resident_order(r, order, &err), err)) return;
  for (int i = 0; i < now->n; i++) wrong += before->tag[order[i]] != now->tag[i];
  CHECK_MSG(wrong == 0, "%s: %d of %d places in the order told are wrong", s->name, wrong, now->n);
}

/* ---------------------------------------------------------------------------------- sorts on the way */

enum { SORT_EVERY = 12 };

static int64_t next_sort(int64_t step)
{
  return (step / SORT_EVERY + 1) * SORT_EVERY;
}

static int caller_runs(ds_pair *pair, atoms *a, const setting *s, const ds_sort_bins *b,
                       ds_pair_totals *totals)
{
  ds_error err;
  int64_t reneighbored = 0, sort_at = SORT_EVERY;
  int sorts = 0;
  for (int64_t step = 1; step <= s->steps; step++) {
    caller_kicks(a, s, 1);
    const int64_t age = step - reneighbored;
    int reneighbor = age >= s->rule.delay && age % s->rule.every == 0;
    if (reneighbor && s->rule.check) reneighbor = caller_sees_movement(a, s);
    if (reneighbor) {
      caller_wraps(a, s);
      reneighbored = step;
    }
    if (reneighbor && step >= sort_at) {
      place places[ATOMS];
      caller_sorts(a, s, b, places);
      CHECK_OK(give_atoms(pair, a, &err), err);
      sort_at = next_sort(step);
      sorts++;
    }
    CHECK_OK(caller_forces(pair, a, step, reneighbor, totals, &err), err);
    caller_kicks(a, s, 0);
  }
  return sorts;
}

static ds_status give_atoms_of_engine(ds_pair *pair, const ds_resident *r, int n, ds_error *err)
{
  const ds_identity identity = ds_resident_identity(r);
  ds_atoms given;
  memset(&given, 0, sizeof given);
  given.nlocal = n;
  given.nspecial = given.special = given.mask = given.molecule = array_none();
  given.tag = identity.tag;
  given.type = identity.type;
  return ds_pair_set_atoms(pair, &given, err);
}

/* After some of the sorts his arrays follow, with all that they have of the engine's. */
static void caller_follows(ds_resident *r, atoms *a)
{
  int32_t order[ATOMS];
  place p[ATOMS];
  ds_error err;
  if (!CHECK_OK(ds_resident_order(r, order, &err), err)) return;
  for (int i = 0; i < a->n; i++) p[i].index = order[i];
  put_in_places(a->tag, p, a->n, 8);
  put_fields_in_places(a, p);
  ds_resident_note_same_order(r);
}

/* Fields that go to the caller's order and back are as before. */
static void check_round_trip(ds_resident *r, atoms *a)
{
  ds_error err;
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS, &err), err);
  memset(a->x, 0, 24 * (size_t) a->n);
  memset(a->mask, 0, 4 * (size_t) a->n);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
}

static int engine_runs(ds_pair *pair, ds_resident *r, atoms *a, const setting *s,
                       const ds_sort_bins *b, ds_pair_totals *totals)
{
  static const ds_pair_request sums_wanted = {.want_energy = 1, .want_virial = 1};
  ds_error err;
  ds_run_result reached;
  ds_run_request stretch;
  int outside, sorts = 0;
  memset(&stretch, 0, sizeof stretch);
  stretch.first = 1;
  stretch.last = s->steps;
  stretch.rule = s->rule;
  stretch.hand_over = SORT_EVERY;
  stretch.wanted = &sums_wanted;
  stretch.totals = totals;
  for (;;) {
    if (!CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err) || reached.whole) return sorts;
    CHECK_OK(ds_resident_reneighbor(r, reached.step, &outside, &err), err);
    CHECK_OK(ds_resident_sort(r, b, &err), err);
    CHECK_OK(give_atoms_of_engine(pair, r, a->n, &err), err);
    if (++sorts == 3) caller_follows(r, a);
    stretch.first = stretch.reneighbored = reached.step;
    stretch.begun = 1;
    stretch.hand_over = next_sort(reached.step);
  }
}

static void compare(const setting *s, const ds_sort_bins *b, const ds_pair_options *options)
{
  static const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1};
  atoms theirs, ours;
  ds_pair_totals expected, got;
  ds_error err;
  atoms_open(&theirs, ATOMS);
  atoms_open(&ours, ATOMS);
  atoms_fill(&theirs, s, 77);
  ds_pair *const reference = pair_of(&plain, DS_PRECISION_MIXED, s, &theirs);
  caller_wraps(&theirs, s);
  CHECK_OK(caller_forces(reference, &theirs, 0, 1, &expected, &err), err);
  atoms_copy(&ours, &theirs);
  const int sorts = caller_runs(reference, &theirs, s, b, &expected);

  ds_pair *const pair = pair_of(options, DS_PRECISION_MIXED, s, &ours);
  ds_resident *const r = resident_in(pair, &ours, s, 1);
  CHECK_OK(ds_resident_to_engine(r, DS_TAG, &err), err);
  CHECK_MSG(sorts > 4 && engine_runs(pair, r, &ours, s, b, &got) == sorts, "%s: not %d sorts",
            s->name, sorts);
  check_order(r, &ours, &theirs, s);
  check_round_trip(r, &ours);
  caller_follows(r, &ours);
  check_same(&ours, &theirs, s, variant_name(options));
  check_identity(&ours, &theirs, s);
  CHECK_MSG(got.energy == expected.energy, "%s: energy %.17g, expected %.17g", s->name, got.energy,
            expected.energy);
  memset(ours.x, 0, 24 * ATOMS);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  check_same(&ours, &theirs, s, variant_name(options));
  CHECK_OK(ds_resident_reference_to_host(r, &err), err);
  CHECK_MSG(memcmp(ours.x, theirs.held, 24 * ATOMS) == 0, "%s: reference positions differ", s->name);
  ds_resident_close(r);
  ds_pair_close(pair);
  ds_pair_close(reference);
  atoms_close(&ours);
  atoms_close(&theirs);
}

/* name, tilt, periodic, rule, groups, wide images, mass by atom, inward, steps, stretch */
static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 90, .stretch = 90},
    {.name = "by distance",
     ALL_MOVE,
     .rule = {1, 0, 1, 0.0225},
     .wide_images = 1,
     .by_atom = 1,
     .steps = 90,
     .stretch = 90},
    {.name = "tilted",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {1, 0, 1, 0.0225},
     .steps = 90,
     .stretch = 90},
    {.name = "tilted, two groups",
     .tilt = TILTED,
     .periodic = ALL_PERIODIC,
     .rule = {4, 0, 0, 0.0},
     .ngroups = 2,
     .group = {GROUP_ONE, GROUP_TWO},
     .wide_images = 1,
     .steps = 90,
     .stretch = 90},
};

/* Many bins; few, so that most atoms share theirs; one along an axis, and atoms beyond the first and last ones. */
static const ds_sort_bins bins[] = {
    {{10, 11, 12}, {-1.25, 3.5, 0.5}, {10 / 6.5, 11 / 7.0, 12 / 8.0}},
    {{2, 1, 2}, {-1.25, 3.5, 0.5}, {2 / 6.5, 1 / 7.0, 2 / 8.0}},
    {{3, 4, 5}, {0.75, 5.0, 1.5}, {3 / 3.5, 4 / 3.0, 5 / 5.0}},
};

static void test_sorts(void)
{
  const int n = (int) (sizeof settings / sizeof settings[0]);
  const int nbins = check_brief() ? 1 : (int) (sizeof bins / sizeof bins[0]);
  for (int k = 0; k < n; k++)
    for (int b = 0; b < nbins; b++)
      for (int v = 0; v < variants.n; v++) compare(&settings[k], &bins[b], &variants.options[v]);
}

/* ------------------------------------------------------------------------------------------- errors */

static void test_errors(void)
{
  for (int v = 0; v < variants.n; v++) {
    const setting s = settings[0];
    atoms a;
    ds_error err;
    int32_t order[ATOMS];
    atoms_open(&a, ATOMS);
    atoms_fill(&a, &s, 77);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &a);
    ds_resident *r = resident_in(p, &a, &s, 1);
    ds_resident_atoms fields = fields_of(&a, &s);
    ds_sort_bins bad = bins[0];
    EXPECT(ds_resident_order(r, order, &err), err, DS_ERR_ARGUMENT, "not been sorted");
    bad.n[1] = 0;
    EXPECT(ds_resident_sort(r, &bad, &err), err, DS_ERR_ARGUMENT, "0 bins|axis 1|> 0");
    bad = bins[0];
    bad.n[0] = bad.n[1] = bad.n[2] = 1300;
    EXPECT(ds_resident_sort(r, &bad, &err), err, DS_ERR_ARGUMENT, "2.197e+09 bins");
    CHECK_OK(ds_resident_to_engine(r, DS_TAG, &err), err);
    CHECK_OK(ds_resident_sort(r, &bins[0], &err), err);
    EXPECT(ds_resident_set_atoms(r, &fields, &err), err, DS_ERR_ARGUMENT, "another order");
    ds_resident_note_same_order(r);
    fields.tag = array_none();
    CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
    EXPECT(ds_resident_sort(r, &bins[0], &err), err, DS_ERR_ARGUMENT, "tags");
    ds_resident_close(r);
    if (variants.options[v].backend == DS_BACKEND_HOST) {
      r = resident_of(p, &a, &s);
      EXPECT(ds_resident_sort(r, &bins[0], &err), err, DS_ERR_ARGUMENT, "caller's own arrays");
      ds_resident_close(r);
    }
    ds_pair_close(p);
    atoms_close(&a);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_sorts());
  CHECK_CASE(test_errors());
  return check_result();
}
