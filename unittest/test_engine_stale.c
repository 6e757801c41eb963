/* test_engine_stale.c: what a change of box or model makes void is not used: positions of another box, a
   list that was made for shorter ranges. What is still good is kept.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_stale cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"

enum { ATOMS = 400 };

static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
static const double origin[3] = {-1.25, 3.5, 0.0}, edges[6] = {6, 6.6, 6.2, 0.4, -0.6, 0.5};

static void open_system(test_model *t, test_system *s)
{
  uint64_t seed = 1100;
  model_open(t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(s, origin, edges, all_periodic, 1.5, 0.3); /* ghosts for longer ranges, too */
  system_fill(s, ATOMS, 2, 1.0, &seed);
  system_images(s);
}

/* Longer edges, with ghosts that reach further: with that a position has fewer bits, and its old integers would mean
   other places. */
static void test_box(int variant, int p, int without)
{
  static test_model t;
  test_system s;
  test_engine e;
  open_system(&t, &s);
  test_system view = without ? system_alone(&s) : s;
  const int bits = view.box.ghost_reach[0] < 1.0;
  if (CHECK_OK(engine_open(&e, &variants.options[variant], precision[p]), e.err) &&
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err)) {
    check_fresh("box as it was", &e, precision[p], &t, &view);
    for (int d = 0; d < 3; d++) view.box.ghost_reach[d] = 1.5;
    CHECK(bits);
    CHECK_OK(ds_pair_set_box(e.dpd, &view.box, &e.err), e.err);
    CHECK(ds_pair_has_list(e.dpd));
    EXPECT(engine_forces(&e, 1), e.err, DS_ERR_ARGUMENT, "before positions and list");
    EXPECT(ds_pair_build_list(e.dpd, &e.err), e.err, DS_ERR_ARGUMENT, "before positions");
    engine_close(&e);
    CHECK_OK(engine_open(&e, &variants.options[variant], precision[p]), e.err);
    view.box.ghost_reach[0] = s.box.ghost_reach[0];
    CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
    view.box.ghost_reach[0] = 1.5;
    CHECK_OK(ds_pair_set_box(e.dpd, &view.box, &e.err), e.err);
    CHECK_OK(engine_load(&e, 9), e.err);
    check_fresh("fewer bits, loaded again", &e, precision[p], &t, &view);
    CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err);
    check_fresh("fewer bits, list again", &e, precision[p], &t, &view);
  }
  if (e.dpd) engine_close(&e);
  system_close(&s);
}

/* A change of the model, and whether the list is kept. */
typedef struct {
  const char *what;
  double cutoff[3]; /* 11, 12, 22 */
  double skin;
  int kept;
} change;

static const change changes[] = {
    {"nothing", {1.0, 1.0, 1.0}, 0.3, 1},
    {"all cutoffs shorter", {0.9, 0.9, 0.9}, 0.3, 1},
    {"one cutoff shorter", {1.0, 0.7, 1.0}, 0.3, 1},
    {"a pair switched off", {1.0, 0.0, 1.0}, 0.3, 1},
    {"skin shorter", {1.0, 1.0, 1.0}, 0.1, 1},
    {"cutoffs shorter by what the skin is longer", {0.9, 0.9, 0.9}, 0.4, 1},
    {"cutoffs longer by what the skin is shorter", {1.1, 1.1, 1.1}, 0.2, 1},
    {"all cutoffs longer", {1.1, 1.1, 1.1}, 0.3, 0},
    {"one cutoff longer", {1.0, 1.05, 1.0}, 0.3, 0},
    {"one longer, the others shorter", {0.8, 0.8, 1.01}, 0.3, 0},
    {"skin longer", {1.0, 1.0, 1.0}, 0.31, 0},
    {"cutoffs shorter, skin longer by more", {0.9, 0.9, 0.9}, 0.45, 0},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static void apply(test_model *t, const change *c)
{
  model_pair(t, 1, 1, 25, 4.5, c->cutoff[0], 1.0);
  model_pair(t, 1, 2, 40, 4.5, c->cutoff[1], 0.5);
  model_pair(t, 2, 2, 15, 4.5, c->cutoff[2], 1.0);
  t->m.skin = c->skin;
}

static void check_change(const change *c, int variant, int p, int without)
{
  static test_model t;
  test_system s;
  test_engine e;
  open_system(&t, &s);
  const test_system view = without ? system_alone(&s) : s;
  if (CHECK_OK(engine_open(&e, &variants.options[variant], precision[p]), e.err) &&
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err)) {
    check_fresh("model as it was", &e, precision[p], &t, &view);
    apply(&t, c);
    CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
    CHECK_MSG(ds_pair_has_list(e.dpd) == c->kept, "%s: the list is %skept", c->what,
              c->kept ? "not " : "");
    if (!c->kept) {
      EXPECT(engine_forces(&e, 1), e.err, DS_ERR_ARGUMENT, "before positions and list");
      engine_close(&e); /* of no use after an error */
      model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
      CHECK_OK(engine_open(&e, &variants.options[variant], precision[p]), e.err);
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
      apply(&t, c);
      CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
      CHECK_OK(engine_load(&e, 9), e.err);
      CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err);
    }
    check_fresh(c->what, &e, precision[p], &t, &view);
    CHECK_OK(engine_load(&e, 9), e.err);
    check_fresh(c->what, &e, precision[p], &t, &view);
  }
  if (e.dpd) engine_close(&e);
  system_close(&s);
}

/* Atoms change their types in a box that has shrunk since the list was made: the new one, that the engine makes by
   itself, is for the box as it is. Its cells are hardly wider than the range before. */
static void test_types_in_a_smaller_box(int variant, int without)
{
  static const double zero[3] = {0, 0, 0};
  static test_model t;
  const double edge = 5.0 * 1.3 * 1.001, cube[6] = {edge, edge, edge, 0, 0, 0};
  test_system s;
  test_engine e;
  test_list got, expected;
  uint64_t seed = 1120;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(&t, 1, 2, 25, 4.5, 0.9, 1.0);
  system_open(&s, zero, cube, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, 3 * ATOMS, 2, 1.0, &seed);
  system_images(&s);
  test_system view = without ? system_alone(&s) : s;
  const ds_array types = array_of_ints(view.type, 1);
  if (CHECK_OK(engine_open(&e, &variants.options[variant], DS_PRECISION_MIXED), e.err) &&
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err)) {
    CHECK_OK(engine_forces(&e, 0), e.err);
    for (int k = 0; k < 3; k++) view.box.h[k] *= 0.96;
    for (int d = 0; d < 3; d++) view.box.ghost_reach[d] /= 0.96;
    for (int k = 0; k < 3 * (view.nlocal + view.nghost); k++) view.x[k] *= 0.96;
    for (int i = 0; i < view.nlocal; i++) view.type[i] = 3 - view.type[i];
    for (int g = view.nlocal; g < view.nlocal + view.nghost; g++)
      view.type[g] = view.type[view.origin[g]];
    CHECK_OK(ds_pair_set_box(e.dpd, &view.box, &e.err), e.err);
    CHECK_OK(ds_pair_set_types(e.dpd, &types, &e.err), e.err);
    CHECK_OK(engine_load(&e, 9), e.err);
    check_fresh("types changed in a smaller box", &e, DS_PRECISION_MIXED, &t, &view);
    if (CHECK_OK(list_read(&got, e.dpd, &e.err), e.err)) {
      list_by_brute_force(&expected, &view, &t, 0, 1);
      const int missing = list_missing(&got, &expected);
      CHECK_MSG(missing == 0, "types changed in a smaller box: %d pairs are not in the list",
                missing);
      list_free(&got);
      list_free(&expected);
    }
  }
  if (e.dpd) engine_close(&e);
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int k = 0; k < variants.n; k++)
    for (int without = 0; without < 2; without++) {
      for (int p = 0; p < 2; p++) {
        CHECK_CASE(test_box(k, p, without));
        for (int c = 0; c < CHANGES; c++) CHECK_CASE(check_change(&changes[c], k, p, without));
      }
      CHECK_CASE(test_types_in_a_smaller_box(k, without));
    }
  return check_result();
}
