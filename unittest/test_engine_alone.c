/* test_engine_alone.c: one process with all atoms of a wide box has no ghosts, and computes the same
   bits without them; where the box is too narrow it asks for them.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_alone cuda" makes the same checks on the GPU. The systems of test_engine_exact.c and
   test_engine_list.c are compared there. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/lists.h"

static const double origin[3] = {-1.25, 3.5, 0.0};
static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};

/* ------------------------------------------------------------------------------------ comparisons */

/* A box that needs no ghosts: lists are those of the nearest images, results those with ghosts; and so after the
   atoms have moved by up to half the skin, out of the box as well, on the list of before. */
static void check_variant(const char *name, const ds_pair_options *options, int p,
                          const test_model *t, test_system *s)
{
  const size_t bytes = 24 * (size_t) s->nlocal;
  test_system view = system_alone(s);
  double *const x = test_alloc(bytes);
  uint64_t seed = 71;
  test_engine e;
  answer with, without;
  char text[120];
  ds_pair_options o = *options;
  o.precision = precision[p];
  snprintf(text, sizeof text, "%s, %s", name, variant_name(&o));
  answer_open(&with, s->nlocal);
  answer_open(&without, s->nlocal);
  memcpy(x, s->x, bytes);
  int good = CHECK_OK(engine_open(&e, options, precision[p]), e.err) &&
             CHECK_OK(engine_setup(&e, t, &view, 9), e.err);
  if (good) {
    CHECK_INT(ds_pair_needs_ghosts(e.dpd), 0);
    CHECK_INT(ds_pair_get_info(e.dpd).ghosts, 0);
    check_list(text, &e, t, &view, p);
  }
  for (int moved = 0; moved < 2 && good; moved++) {
    good = CHECK_OK(engine_load(&e, 9), e.err) && CHECK_OK(engine_forces(&e, 1), e.err);
    system_images(s); /* anew, as the pairs are others */
    if (!good || !evaluate(&with, plain(), precision[p], t, s, NULL)) break;
    answer_take(&without, &e, NULL);
    check_answer(&without, &with, text, moved ? "moved since the list" : "no ghosts");
    for (int k = 0; k < 3 * s->nlocal; k++) /* the length, of three components */
      s->x[k] += 0.57 * 0.5 * t->m.skin * (2.0 * check_uniform(&seed) - 1.0);
    view = system_alone(s);
  }
  memcpy(s->x, x, bytes);
  system_images(s);
  free(x);
  if (e.dpd) engine_close(&e);
  answer_close(&with);
  answer_close(&without);
}

/* Images along those axes that are not `axes`. */
static void images_across(test_system *s, int axes)
{
  for (int d = 0; d < 3; d++) s->box.undecomposed[d] = axes >> d & 1;
  system_images(s);
}

/* A process that has all of the box along some axes only, of a box that is wide along these: lists are those of the
   nearest images along them, and results those with all ghosts. */
static void check_axes(const char *name, const ds_pair_options *options, int p, const test_model *t,
                       test_system *s, int axes)
{
  test_engine e;
  answer with, without;
  char text[120];
  snprintf(text, sizeof text, "%s, %s, axes %d", name, variant_name(options), axes);
  answer_open(&with, s->nlocal);
  answer_open(&without, s->nlocal);
  images_across(s, axes);
  const int nghost = s->nghost;
  if (CHECK_OK(engine_open(&e, options, precision[p]), e.err) &&
      CHECK_OK(engine_setup(&e, t, s, 9), e.err)) {
    CHECK_INT(ds_pair_wraps(e.dpd, &s->box), axes);
    CHECK_INT(ds_pair_needs_ghosts(e.dpd), 1);
    CHECK_INT(ds_pair_get_info(e.dpd).ghosts, nghost);
    check_list(text, &e, t, s, p);
    if (CHECK_OK(engine_forces(&e, 1), e.err)) {
      answer_take(&without, &e, NULL);
      images_across(s, 0);
      CHECK(nghost <= s->nghost);
      if (evaluate(&with, plain(), precision[p], t, s, NULL))
        check_answer(&without, &with, text, "all images");
    }
  }
  images_across(s, 0);
  if (e.dpd) engine_close(&e);
  answer_close(&with);
  answer_close(&without);
}

static void check_system(const char *name, const test_model *t, test_system *s)
{
  static int turn = 0;
  system_images(s);
  if (!CHECK_MSG(engine_alone(t, &s->box), "%s: ghosts are needed", name)) return;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < variants.n; k++) {
      check_variant(name, &variants.options[k], p, t, s);
      check_axes(name, &variants.options[k], p, t, s, 1 + turn++ % 6);
    }
}

/* ------------------------------------------------------------------------------------------ limits */

/* Edges h with this width between the faces of axis d; the other edges stay. */
static void set_width(double h6[6], int d, double width)
{
  ds_box box;
  double now[3];
  memset(&box, 0, sizeof box);
  memcpy(box.h, h6, sizeof box.h);
  system_widths(&box, now);
  h6[d] *= width / now[d];
}

/* All axes at this many ranges; where the box is tilted a change of one width changes others. */
static void set_widths(double h6[6], double width)
{
  for (int round = 0; round < 60; round++)
    for (int d = 0; d < 3; d++) set_width(h6, d, width);
}

static const double skews[3][3] = {{0, 0, 0}, {0.9, -1.3, 0.7}, {-2.1, 1.9, 2.6}};

/* The box must be wider than two ranges between any two periodic faces, by one part in a million. */
static void test_limit(void)
{
  static test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  const double limit = 2.0 * model_range(&t) / (1.0 - 1e-6);
  for (int form = 0; form < 3; form++)
    for (int axis = 0; axis < 3; axis++)
      for (int wide = 0; wide < 2; wide++)
        for (int on = 0; on < 2; on++) {
          double edges[6] = {7, 8, 9, skews[form][0], skews[form][1], skews[form][2]};
          int periodic[3] = {1, 1, 1};
          test_system s;
          periodic[axis] = on;
          set_width(edges, axis, limit * (wide ? 1.0 + 1e-9 : 1.0 - 1e-9));
          system_open(&s, origin, edges, periodic, model_range(&t), t.m.skin);
          CHECK_MSG(engine_alone(&t, &s.box) == (wide || !on),
                    "form %d, axis %d, %s, %s: ghosts are %sneeded", form, axis,
                    wide ? "just wide enough" : "just too narrow", on ? "periodic" : "not periodic",
                    engine_alone(&t, &s.box) ? "not " : "");
          system_close(&s);
        }
}

/* Boxes that are just wide enough, all axes at once, any of them periodic. Pairs at half the box, too. */
static void test_narrowest(void)
{
  static test_model t;
  model_open(&t, 2, 25, 4.5, 1.0, 0.5, 0.3);
  model_pair(&t, 1, 2, 60, 20, 0.8, 1.0);
  t.m.special[1] = 0.3;
  t.m.special[2] = 0.0;
  for (int form = 0; form < 3; form++)
    for (int code = 0; code < 8; code++) {
      const int periodic[3] = {code & 1, code >> 1 & 1, code >> 2};
      double edges[6] = {4, 4, 4, skews[form][0], skews[form][1], skews[form][2]};
      uint64_t seed = 700 + (uint64_t) (8 * form + code);
      char name[80];
      test_system s;
      set_widths(edges, 2.0 * model_range(&t) * (1.0 + 1.001e-6));
      system_open(&s, origin, edges, periodic, model_range(&t), t.m.skin);
      system_fill(&s, 120, 2, 1.0, &seed);
      for (int k = 0; k < 12; k++) { /* half a box away from others, along its edges */
        double at[3];
        memcpy(at, s.x + 3 * k, sizeof at);
        at[0] += 0.5 * (k % 3 == 0 ? edges[0] : k % 3 == 1 ? edges[5] : edges[4]);
        if (k % 3 > 0) at[1] += 0.5 * (k % 3 == 1 ? edges[1] : edges[3]);
        if (k % 3 > 1) at[2] += 0.5 * edges[2];
        system_add(&s, at, s.v + 3 * k, 1);
      }
      for (int d = 0; d < 3; d++)
        s.box.slack = 3.0; /* where it is not periodic, those are outside */
      system_wrap(&s);
      system_chains(&s, 5);
      snprintf(name, sizeof name, "just wide enough, form %d, periodic %d %d %d", form, periodic[0],
               periodic[1], periodic[2]);
      check_system(name, &t, &s);
      system_close(&s);
    }
}

/* Every number of cells round the box from two on, and few atoms in many cells, which are made fewer. */
static void test_cells(void)
{
  static const double ranges[] = {2.1, 2.9, 3.05, 3.6, 4.1, 4.9, 5.2, 6.3};
  enum { SIZES = sizeof ranges / sizeof *ranges };
  static const int atoms[] = {3, 7, 30, 250};
  static test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  for (int k = 0; k < 4 * SIZES * 4; k++) {
    const double range = model_range(&t);
    const double *tilt = skews[k % 3];
    double edges[6] = {5, 5, 5, tilt[0], tilt[1], tilt[2]};
    uint64_t seed = 800 + (uint64_t) k;
    char name[80];
    test_system s;
    for (int round = 0; round < 60; round++)
      for (int d = 0; d < 3; d++)
        set_width(edges, d, range * ranges[(k + d * (1 + k / SIZES)) % SIZES]);
    system_open(&s, origin, edges, all_periodic, range, t.m.skin);
    system_fill(&s, atoms[k / SIZES % 4], 1, 1.0, &seed);
    snprintf(name, sizeof name, "%d atoms, widths from %g ranges on", s.nlocal, ranges[k % SIZES]);
    check_system(name, &t, &s);
    system_close(&s);
  }
}

/* One axis has few cells and the others have enough. */
static void test_one_narrow_axis(void)
{
  static const double ranges[] = {2.1, 3.05, 3.6, 4.1, 4.9};
  static test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < 5; k++) {
      const double range = model_range(&t);
      double edges[6] = {5.3 * range, 6.3 * range, 5.3 * range, 0, 0, 0};
      uint64_t seed = 870 + (uint64_t) (5 * axis + k);
      char name[80];
      test_system s;
      edges[axis] = ranges[k] * range;
      system_open(&s, origin, edges, all_periodic, range, t.m.skin);
      system_fill(&s, 400, 1, 1.0, &seed);
      snprintf(name, sizeof name, "axis %d alone %g ranges wide", axis, ranges[k]);
      check_system(name, &t, &s);
      system_close(&s);
    }
}

/* Atoms outside the box by up to the skin when the list is made, on any side of it. */
static void test_outside(void)
{
  static test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 2.0, 0.35);
  for (int form = 0; form < 3; form++) {
    const double edges[6] = {7, 6, 8, skews[form][0], skews[form][1], skews[form][2]};
    uint64_t seed = 900 + (uint64_t) form;
    test_system s;
    system_open(&s, origin, edges, all_periodic, model_range(&t), t.m.skin);
    system_fill(&s, 500, 1, 1.0, &seed);
    s.box.slack = 2.0 * t.m.skin; /* the skin, and half of it between two lists */
    for (int k = 0; k < 3 * s.nlocal; k++) s.x[k] += t.m.skin * (2.0 * check_uniform(&seed) - 1.0);
    check_system("strayed before the list", &t, &s);
    system_close(&s);
  }
}

/* ----------------------------------------------------------------------------------------- changes */

static void test_refusals(void)
{
  const ds_atoms with_ghosts = atoms_of(&atoms_system);
  const test_system view = system_alone(&atoms_system);
  ds_error err;
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  char words[60];
  CHECK_OK(ds_pair_set_model(dpd, &model.m, &err), err);
  CHECK_OK(ds_pair_set_box(dpd, &view.box, &err), err);
  CHECK_INT(ds_pair_needs_ghosts(dpd), 0);
  snprintf(words, sizeof words, "%d ghost atoms|has none", atoms_system.nghost);
  EXPECT(ds_pair_set_atoms(dpd, &with_ghosts, &err), err, DS_ERR_ARGUMENT, words);
  ds_pair_close(dpd);
}

/* Coordinates and edges by a factor. */
static void scale_system(test_system *s, double factor)
{
  for (int k = 0; k < 6; k++) s->box.h[k] *= factor;
  for (int k = 0; k < 3 * s->nlocal; k++) s->x[k] *= factor;
  for (int d = 0; d < 3; d++) s->box.ghost_reach[d] /= factor;
}

/* A box that shrinks until it needs ghosts, and grows again. Atoms are set again each time, and nothing of the
   other kind stays; as long as the box stays on its side of the limit, they and the list are kept. */
static void test_change_of_side(void)
{
  static const double zero[3] = {0, 0, 0}, edges[6] = {2.7, 2.8, 2.9, 0.4, -0.3, 0.2};
  static test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < 2; p++) {
      test_system s;
      test_engine e;
      uint64_t seed = 950;
      system_open(&s, zero, edges, all_periodic, model_range(&t), t.m.skin);
      system_fill(&s, 80, 1, 1.0, &seed);
      if (!CHECK_OK(engine_open(&e, &variants.options[k], precision[p]), e.err)) continue;
      test_system view = system_alone(&s);
      CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
      check_fresh("wide", &e, precision[p], &t, &view);
      for (int round = 0; round < 2; round++) {
        scale_system(&s, 0.999);
        view = system_alone(&s);
        CHECK_OK(ds_pair_set_box(e.dpd, &view.box, &e.err), e.err);
        CHECK(!ds_pair_needs_ghosts(e.dpd) && ds_pair_has_list(e.dpd));
        CHECK_OK(engine_load(&e, 9), e.err);
        check_fresh("a little less wide", &e, precision[p], &t, &view);
        scale_system(&s, 0.9);
        s.box.undecomposed[0] = s.box.undecomposed[1] = s.box.undecomposed[2] = 1;
        CHECK_OK(ds_pair_set_box(e.dpd, &s.box, &e.err), e.err);
        CHECK(ds_pair_needs_ghosts(e.dpd) && !ds_pair_has_list(e.dpd));
        CHECK_INT(engine_load(&e, 9), DS_ERR_ARGUMENT);
        CHECK_MSG(strstr(e.err.text, "before box and atoms"), "'%s'", e.err.text);
        s.box.undecomposed[0] = s.box.undecomposed[1] = s.box.undecomposed[2] = 0; /* for the helpers: too narrow a box */
        system_images(&s);
        CHECK_OK(engine_setup(&e, &t, &s, 9), e.err);
        CHECK_INT(ds_pair_get_info(e.dpd).ghosts, s.nghost);
        check_fresh("narrow", &e, precision[p], &t, &s);
        scale_system(&s, 1.0 / 0.9);
        view = system_alone(&s);
        CHECK_OK(ds_pair_set_box(e.dpd, &view.box, &e.err), e.err);
        CHECK(!ds_pair_needs_ghosts(e.dpd) && !ds_pair_has_list(e.dpd));
        CHECK_INT(engine_load(&e, 9), DS_ERR_ARGUMENT);
        CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
        CHECK_INT(ds_pair_get_info(e.dpd).ghosts, 0);
        check_fresh("wide again", &e, precision[p], &t, &view);
      }
      engine_close(&e);
      system_close(&s);
    }
}

/* A longer range does what a smaller box does. */
static void test_longer_range(void)
{
  static const double edges[6] = {2.7, 2.8, 2.9, 0, 0, 0};
  static test_model t;
  test_system s;
  test_engine e;
  uint64_t seed = 960;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, origin, edges, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, 80, 1, 1.0, &seed);
  if (CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) {
    test_system view = system_alone(&s);
    CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
    t.m.skin = 0.4;
    CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
    CHECK(ds_pair_needs_ghosts(e.dpd) && !ds_pair_has_list(e.dpd));
    CHECK_INT(engine_load(&e, 9), DS_ERR_ARGUMENT);
    t.m.skin = 0.2;
    CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
    CHECK_INT(ds_pair_needs_ghosts(e.dpd), 0);
    CHECK_OK(engine_setup(&e, &t, &view, 9), e.err);
    check_fresh("shorter range again", &e, DS_PRECISION_MIXED, &t, &view);
    engine_close(&e);
  }
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  CHECK_CASE(test_limit());
  CHECK_CASE(test_narrowest());
  CHECK_CASE(test_cells());
  CHECK_CASE(test_one_narrow_axis());
  CHECK_CASE(test_outside());
  CHECK_CASE(test_refusals());
  CHECK_CASE(test_change_of_side());
  CHECK_CASE(test_longer_range());
  system_close(&atoms_system);
  return check_result();
}
