/* test_engine_types.c: atoms that change their type between two lists: as if all had been set up anew.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_types cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/lists.h"
#include "support/ranks.h"

enum { ATOMS = 500 };

static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
static const double origin[3] = {-1.25, 3.5, 0.0}, edges[6] = {6, 6.6, 5.4, 0.9, -1.1, 0.5};

/* What lists depend on. */
typedef enum { PLAIN, RANGED, EXCLUDED, WAYS } way;
static const char *const way_name[WAYS] = {"cutoffs alike", "cutoffs by type",
                                           "exclusions by type"};

static const ds_exclusion rules[2] = {{DS_EXCLUDE_TYPES, 1, 2}, {DS_EXCLUDE_TYPES, 3, 3}};

static void open_system(test_model *t, test_system *s, way w)
{
  uint64_t seed = 1000 + (uint64_t) w;
  model_open(t, 3, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(t, 1, 2, 60, 20, w == RANGED ? 0.6 : 1.0, 0.5);
  model_pair(t, 3, 3, 10, 1, w == RANGED ? 1.2 : 1.0, 1.0);
  system_open(s, origin, edges, all_periodic, model_range(t), t->m.skin);
  system_fill(s, ATOMS, 3, 1.0, &seed);
  s->nexclusions = w == EXCLUDED ? 2 : 0;
  s->exclusion = rules;
  system_images(s);
}

/* Some other types; ghosts follow. */
static void change_types(test_system *s, uint64_t *seed)
{
  for (int i = 0; i < s->nlocal; i++)
    if (check_uniform(seed) < 0.2) s->type[i] = 1 + (int) (3.0 * check_uniform(seed));
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) s->type[g] = s->type[s->origin[g]];
}

/* By less than half the skin, which no list minds. */
static void move_atoms(test_system *s, double skin, uint64_t *seed)
{
  for (int k = 0; k < 3 * s->nlocal; k++)
    s->x[k] += 0.2 * 0.5 * skin * (2.0 * check_uniform(seed) - 1.0);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++)
    memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
}

/* Types change, each time in another array, and then atoms move and types change at once. A list that depends on
   types is made anew where the atoms are; one that does not, stays as it is. */
static void check_variant(const ds_pair_options *options, int p, way w, int without)
{
  static test_model t;
  test_system s;
  test_engine e;
  test_list before, after;
  uint64_t seed = 1010;
  ds_pair_options o = *options;
  char name[120];
  o.precision = precision[p];
  snprintf(name, sizeof name, "%s, %s%s", way_name[w], variant_name(&o),
           without ? ", no ghosts" : "");
  open_system(&t, &s, w);
  test_system view = without ? system_alone(&s) : s;
  int32_t *const types[2] = {s.type, test_alloc(4 * (size_t) (s.nlocal + s.nghost))};
  if (CHECK_OK(engine_open(&e, options, precision[p]), e.err) &&
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err)) {
    check_fresh(name, &e, precision[p], &t, &view);
    CHECK_OK(list_read(&before, e.dpd, &e.err), e.err);
    for (int round = 1; round < 5; round++) {
      int32_t *const now = types[round % 2];
      memcpy(now, view.type, 4 * (size_t) (s.nlocal + s.nghost));
      s.type = view.type = now;
      change_types(&s, &seed);
      if (round > 2) move_atoms(&s, t.m.skin, &seed);
      const ds_array array = array_of_ints(now, 1);
      CHECK_OK(ds_pair_set_types(e.dpd, &array, &e.err), e.err);
      CHECK_OK(engine_load(&e, 9), e.err);
      check_fresh(name, &e, precision[p], &t, &view);
      if (w != PLAIN) check_list(name, &e, &t, &view, p);
    }
    if (w == PLAIN && CHECK_OK(list_read(&after, e.dpd, &e.err), e.err)) {
      CHECK_MSG(list_same(&before, &after), "%s: another list, for nothing", name);
      list_free(&after);
    }
    list_free(&before);
  }
  if (e.dpd) engine_close(&e);
  free(types[1]);
  s.type = types[0];
  system_close(&s);
}

/* Ghosts bring their types with them; a rank whose ghosts alone have changed needs another list, too. */
static void test_ranks_with_types(way w)
{
  static const double cuts[2] = {0.3, 0.7};
  static test_model t;
  test_system s;
  test_ranks r;
  answer a, expected;
  uint64_t seed = 1030;
  open_system(&t, &s, w);
  answer_open(&a, s.nlocal);
  answer_open(&expected, s.nlocal);
  for (int p = 0; p < 2; p++) {
    CHECK_MSG(ranks_open(&r, &s, 3, cuts, &variants.options[variants.n - 1], precision[p]) ==
                      DS_OK &&
                  ranks_setup(&r, &t, 9) == DS_OK,
              "%s", ranks_error(&r));
    for (int round = 0; round < 3; round++) {
      if (round < 2) {
        change_types(&s, &seed);
      } else { /* one atom in the middle rank, at its border: the first has it as a ghost */
        double l[3];
        int i = 0;
        do system_fraction(&s, i++, l);
        while (l[0] < cuts[0] || l[0] > cuts[0] + 0.05);
        s.type[i - 1] = 1 + s.type[i - 1] % 3;
      }
      for (int k = 0; k < r.n; k++) {
        test_system *const part = &r.rank[k].system;
        for (int i = 0; i < part->nlocal; i++) part->type[i] = s.type[part->origin[i]];
        const ds_array array = array_of_ints(part->type, 1);
        CHECK_OK(ds_pair_set_types(r.rank[k].engine.dpd, &array, &r.rank[k].engine.err),
                 r.rank[k].engine.err);
      }
      for (int g = s.nlocal; g < s.nlocal + s.nghost; g++) s.type[g] = s.type[s.origin[g]];
      if (!CHECK_MSG(ranks_load(&r, &s, 9) == DS_OK &&
                         ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK,
                     "%s", ranks_error(&r)) ||
          !evaluate(&expected, plain(), precision[p], &t, &s, NULL))
        break;
      check_atoms(&a, &expected, way_name[w], "types changed on three ranks");
    }
    ranks_close(&r);
  }
  answer_close(&a);
  answer_close(&expected);
  system_close(&s);
}

static void test_refusals(void)
{
  static const int bad[3] = {0, 3, -7};
  const ds_array array = array_of_ints(atoms_system.type, 1);
  ds_error err;
  ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
  EXPECT(ds_pair_set_types(dpd, &array, &err), err, DS_ERR_ARGUMENT, "types set before atoms");
  ds_pair_close(dpd);
  for (int k = 0; k < variants.n; k++)
    for (int b = 0; b < 3; b++) {
      test_engine e;
      char words[60];
      const int old = atoms_system.type[41];
      if (!CHECK_OK(engine_open(&e, &variants.options[k], DS_PRECISION_MIXED), e.err)) continue;
      CHECK_OK(engine_setup(&e, &model, &atoms_system, 1), e.err);
      CHECK_OK(engine_forces(&e, 0), e.err);
      atoms_system.type[41] = bad[b];
      ds_status status = ds_pair_set_types(e.dpd, &array, &e.err);
      if (!status) status = engine_load(&e, 2);
      if (!status) status = engine_forces(&e, 0);
      snprintf(words, sizeof words, "atom 1042 has type %d; allowed: 1 to 2", bad[b]);
      EXPECT(status, e.err, DS_ERR_ARGUMENT, words);
      atoms_system.type[41] = old;
      engine_close(&e);
    }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < 2; p++)
      for (int w = 0; w < WAYS; w++)
        for (int without = 0; without < 2; without++)
          CHECK_CASE(check_variant(&variants.options[k], p, (way) w, without));
  for (int w = 0; w < WAYS; w++) CHECK_CASE(test_ranks_with_types((way) w));
  CHECK_CASE(test_refusals());
  system_close(&atoms_system);
  return check_result();
}
