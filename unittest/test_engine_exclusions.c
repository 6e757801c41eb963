/* test_engine_exclusions.c: pairs that the caller's rules leave out, by groups, molecules and types, are in
   no list and exert no force.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_exclusions cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/forces.h"
#include "support/lists.h"
#include "support/ranks.h"

static const double origin[3] = {-1.25, 3.5, 0.0};

/* Rules that are tried. In groups 1, 2, 4 and 8 is every second atom each, in any combination. */
typedef struct {
  const char *name;
  int n;
  ds_exclusion rule[4];
} rules;

static const rules tried[] = {
    {"two groups", 1, {{DS_EXCLUDE_GROUPS, 1, 2}}},
    {"one group from itself", 1, {{DS_EXCLUDE_GROUPS, 4, 4}}},
    {"several groups at once", 1, {{DS_EXCLUDE_GROUPS, 1 | 4, 2 | 8}}},
    {"same molecule", 1, {{DS_EXCLUDE_SAME_MOLECULE, 1 | 2 | 4 | 8, 0}}},
    {"same molecule, one group", 1, {{DS_EXCLUDE_SAME_MOLECULE, 2, 0}}},
    {"other molecules, one group", 1, {{DS_EXCLUDE_OTHER_MOLECULE, 8, 0}}},
    {"two types", 1, {{DS_EXCLUDE_TYPES, 1, 2}}},
    {"a type from itself", 1, {{DS_EXCLUDE_TYPES, 2, 2}}},
    {"outside a group", 1, {{DS_EXCLUDE_OUTSIDE_GROUP, 4, 0}}},
    {"outside a group of several bits", 1, {{DS_EXCLUDE_OUTSIDE_GROUP, 1 | 8, 0}}},
    {"outside a group, and two types",
     2,
     {{DS_EXCLUDE_OUTSIDE_GROUP, 2, 0}, {DS_EXCLUDE_TYPES, 1, 2}}},
    {"four rules",
     4,
     {{DS_EXCLUDE_GROUPS, 1, 2},
      {DS_EXCLUDE_SAME_MOLECULE, 4, 0},
      {DS_EXCLUDE_OTHER_MOLECULE, 8, 0},
      {DS_EXCLUDE_TYPES, 2, 1}}},
    {"a group that nobody is in", 1, {{DS_EXCLUDE_GROUPS, 1 << 30, -1}}},
    {"all", 1, {{DS_EXCLUDE_GROUPS, -1, -1}}},
};
enum { TRIED = sizeof tried / sizeof *tried };

static void open_system(test_model *t, test_system *s, const rules *r, int form)
{
  /* the second is smaller than two ranges: several images of a partner in one row */
  static const double edges[3][6] = {
      {6, 6.6, 5.4, 0, 0, 0}, {1.7, 1.8, 1.9, 0, 0, 0}, {6, 6.2, 5.8, 1.1, -0.9, 1.4}};
  uint64_t seed = 1400 + (uint64_t) form;
  model_open(t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(t, 1, 2, 60, 20, 0.8, 0.5);
  t->m.special[1] = 0.25;
  t->m.special[3] = 0.5;
  system_open(s, origin, edges[form], all_periodic, model_range(t), t->m.skin);
  system_fill(s, form == 1 ? 20 : 500, 2, 1.0, &seed);
  if (form != 1) system_chains(s, 7); /* exclusions and special partners at once */
  system_groups(s, 5, &seed);
  if (r == &tried[TRIED - 1])
    for (int i = 0; i < s->nlocal; i++) s->mask[i] = 1;
  s->nexclusions = r->n;
  s->exclusion = r->rule;
  system_images(s);
}

static void check_own_list(const char *name, const ds_pair_options *options, ds_precision p,
                           const test_model *t, const test_system *s)
{
  test_engine e;
  if (!CHECK_OK(engine_open(&e, options, p), e.err)) return;
  if (CHECK_OK(engine_setup(&e, t, s, 7), e.err))
    check_list(name, &e, t, s, p == DS_PRECISION_DOUBLE);
  engine_close(&e);
}

/* Pairs that are left out and pairs that are not: both must be there for the test to say anything. */
static void count_pairs(const test_system *s, double range, long *out, long *all)
{
  *out = *all = 0;
  for (int i = 0; i < s->nlocal; i++)
    for (int k = 0; k < s->nlocal + s->nghost; k++) {
      double d[3];
      system_separation(s, i, k, d);
      if (k == i || d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > range * range) continue;
      ++*all;
      *out += system_excluded(s, i, k);
    }
}

static void test_rules(void)
{
  static test_model t;
  for (int r = 0; r < TRIED; r++)
    for (int form = 0; form < 3; form++) {
      test_system s;
      char name[80];
      long out, all;
      open_system(&t, &s, &tried[r], form);
      snprintf(name, sizeof name, "%s, box %d", tried[r].name, form);
      count_pairs(&s, model_range(&t), &out, &all);
      CHECK(r == TRIED - 2 ? out == 0 : r == TRIED - 1 ? out == all : out > 0 && out < all);
      for (int k = 0; k < variants.n; k++)
        for (int p = 0; p < DS_PRECISIONS; p++) {
          check_own_list(name, &variants.options[k], (ds_precision) p, &t, &s);
          if (engine_alone(&t, &s.box)) {
            const test_system view = system_alone(&s);
            check_own_list(name, &variants.options[k], (ds_precision) p, &t, &view);
          }
        }
      compare_system(name, &variants, &t, &s, REF_NOISE_ENGINE, 1e-12);
      system_close(&s);
    }
}

/* On several ranks ghosts have their own masks and molecules. And rules can go again. */
static void test_ranks_and_changes(void)
{
  static const double cuts[2] = {0.3, 0.7};
  static test_model t;
  test_system s;
  test_ranks r;
  test_engine e;
  answer a, expected;
  open_system(&t, &s, &tried[11], 2);
  answer_open(&a, s.nlocal);
  answer_open(&expected, s.nlocal);
  for (int p = 0; p < DS_PRECISIONS; p++) {
    if (CHECK_MSG(ranks_open(&r, &s, 3, cuts, &variants.options[variants.n - 1],
                             (ds_precision) p) == DS_OK &&
                      ranks_setup(&r, &t, 9) == DS_OK &&
                      ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK,
                  "%s", ranks_error(&r)) &&
        evaluate(&expected, plain(), (ds_precision) p, &t, &s, NULL))
      check_atoms(&a, &expected, "exclusions", "three ranks");
    ranks_close(&r);
  }
  if (CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) {
    CHECK_OK(engine_setup(&e, &t, &s, 9), e.err);
    s.nexclusions = 0;
    CHECK_OK(engine_setup(&e, &t, &s, 9), e.err);
    CHECK_OK(engine_forces(&e, 1), e.err);
    answer_take(&a, &e, NULL);
    if (evaluate(&expected, plain(), DS_PRECISION_MIXED, &t, &s, NULL))
      check_answer(&a, &expected, "exclusions", "gone again");
    engine_close(&e);
  }
  answer_close(&a);
  answer_close(&expected);
  system_close(&s);
}

/* Molecules of 32 bits, and none where no rule asks for them. */
static void test_arrays(void)
{
  static test_model t;
  test_system s;
  answer expected;
  open_system(&t, &s, &tried[4], 0);
  for (int i = 0; i < s.nlocal + s.nghost; i++) s.molecule[i] -= 5000000000 - 1;
  answer_open(&expected, s.nlocal);
  for (int form = 0; form < 2; form++) {
    test_engine e;
    int32_t *const narrow = test_alloc(4 * (size_t) (s.nlocal + s.nghost));
    answer a;
    if (form == 1) s.exclusion = tried[0].rule; /* by groups */
    if (!evaluate(&expected, plain(), DS_PRECISION_MIXED, &t, &s, NULL)) break;
    answer_open(&a, s.nlocal);
    for (int i = 0; i < s.nlocal + s.nghost; i++) narrow[i] = (int32_t) s.molecule[i];
    ds_atoms atoms = atoms_of(&s);
    atoms.molecule = form ? array_none() : array_of_ints(narrow, 1);
    if (CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err) &&
        CHECK_OK(engine_setup(&e, &t, &s, 9), e.err) &&
        CHECK_OK(ds_pair_set_atoms(e.dpd, &atoms, &e.err), e.err) &&
        CHECK_OK(
            ds_pair_set_ghost_owners(e.dpd, s.origin + s.nlocal, s.image + 3 * s.nlocal, &e.err),
            e.err) &&
        CHECK_OK(engine_load(&e, 9), e.err) && CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err) &&
        CHECK_OK(engine_forces(&e, 1), e.err)) {
      answer_take(&a, &e, NULL);
      check_answer(&a, &expected, "exclusions", form ? "no molecules" : "molecules of 32 bits");
    }
    if (e.dpd) engine_close(&e);
    answer_close(&a);
    free(narrow);
  }
  answer_close(&expected);
  system_close(&s);
}

static void check_refused(const ds_exclusion *rule, int masks, int molecules, const char *words)
{
  ds_error err;
  ds_atoms a = atoms_of(&atoms_system);
  ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
  a.nexclusions = 1;
  a.exclusion = rule;
  if (!masks) a.mask = array_none();
  if (!molecules) a.molecule = array_none();
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, words);
  ds_pair_close(dpd);
}

static void test_refusals(void)
{
  static const ds_exclusion below = {-1, 1, 1}, above = {5, 1, 1},
                            groups = {DS_EXCLUDE_GROUPS, 1, 2},
                            same = {DS_EXCLUDE_SAME_MOLECULE, 1, 0},
                            other = {DS_EXCLUDE_OTHER_MOLECULE, 1, 0};
  check_refused(&below, 1, 1, "exclusion 0|kind -1|0 to 4");
  check_refused(&above, 1, 1, "exclusion 0|kind 5|0 to 4");
  check_refused(&groups, 0, 1, "no array of group masks");
  check_refused(&same, 1, 0, "no array of molecules");
  check_refused(&other, 1, 0, "no array of molecules");
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  CHECK_CASE(test_rules());
  CHECK_CASE(test_ranks_and_changes());
  CHECK_CASE(test_arrays());
  CHECK_CASE(test_refusals());
  system_close(&atoms_system);
  return check_result();
}
