/* test_engine_images.c: the same bits for every image of an atom, after changes of box and
   coefficients, and for both sides of a pair.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_images cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"

static test_variants variants;
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0};

/* Velocities to binary fractions, so that what images are faster by is added without rounding. */
static void snap_velocities(test_system *s)
{
  for (int k = 0; k < 3 * s->nlocal; k++) s->v[k] = ldexp(rint(ldexp(s->v[k], 12)), -12);
}

/* Own atom i to where its image along axis d is, with the velocity of that. */
static void move_by_a_box(test_system *s, int i, int d, int by)
{
  static const int row[3][3] = {{0, -1, -1}, {5, 1, -1}, {4, 3, 2}}; /* in h, of x y z */
  for (int c = 0; c <= d; c++) {
    s->x[3 * i + c] += by * s->box.h[row[d][c]];
    s->v[3 * i + c] += by * s->box.image_rate[row[d][c]];
  }
}

/* Where no ghosts are needed, an atom may be anywhere in the boxes around its own; and the engine counts that a list
   lived too long. */
static void check_far(const answer *expected, ds_precision p, const test_model *t, test_system *s,
                      uint64_t *seed)
{
  answer b;
  answer_open(&b, s->nlocal);
  for (int i = 0; i < s->nlocal; i++) {
    double l[3];
    system_fraction(s, i, l);
    for (int d = 0; d < 3; d++)
      if (l[d] > 0.0 && l[d] < 1.0 && check_uniform(seed) < 0.3)
        move_by_a_box(s, i, d, check_uniform(seed) < 0.5 ? 1 : -1);
  }
  const test_system view = system_alone(s);
  for (int k = 0; k < variants.n; k++) {
    test_engine e;
    if (!CHECK_OK(engine_open(&e, &variants.options[k], p), e.err)) continue;
    if (CHECK_OK(engine_setup(&e, t, &view, 9), e.err) &&
        CHECK_OK(engine_forces(&e, 1), e.err)) {
      answer_take(&b, &e, NULL);
      check_answer(&b, expected, "a box away", precision_name[p]);
      CHECK(ds_pair_outlived_lists(e.dpd) >= 1); /* a GPU that finds its list too small makes another */
    }
    engine_close(&e);
  }
  answer_close(&b);
}

/* An atom stands for all its images: moved by whole boxes, within what the skin allows, it feels
   the same force; where images move with the box, if its velocity changes with its place. On binary fractions, so that
   the shift itself is exact. */
static void test_shifted_images(void)
{
  static const double rate[6] = {-0.5, 1.25, 2.0, 0.375, -1.5, 3.0};
  static const double lo[3] = {0, 0, 0}, h[6] = {8, 8, 8, 0, 0, 0},
                      sheared[6] = {8, 8, 8, 2, -1, 4};
  for (int form = 0; form < 8; form++) {
    const ds_precision p = form % 2 ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
    test_model t;
    test_system s;
    answer a, b;
    uint64_t seed = 230;
    int shifted = 0;
    model_open(&t, 1, 25, 4.5, 1.0, 0.5, 0.5);
    system_open(&s, lo, form % 4 < 2 ? h : sheared, all_periodic, model_range(&t), t.m.skin);
    if (form > 3) memcpy(s.box.image_rate, rate, sizeof rate);
    system_fill(&s, 900, 1, 1.0, &seed);
    system_snap(&s, 0x1p-40);
    snap_velocities(&s);
    system_images(&s);
    answer_open(&a, s.nlocal);
    answer_open(&b, s.nlocal);
    if (evaluate(&a, plain(), p, &t, &s, NULL)) {
      for (int i = 0; i < s.nlocal; i++) {
        double l[3];
        system_fraction(&s, i, l);
        for (int d = 0; d < 3; d++) {
          const int by = l[d] < 0.05 ? 1 : l[d] > 0.95 ? -1 : 0;
          if (!by || check_uniform(&seed) < 0.3) continue;
          move_by_a_box(&s, i, d, by);
          shifted++;
        }
      }
      CHECK(shifted > 100);
      system_images(&s);
      const test_system view = system_alone(&s);
      CHECK(engine_alone(&t, &s.box));
      for (int k = 0; k < variants.n; k++) {
        if (evaluate(&b, &variants.options[k], p, &t, &s, NULL))
          check_answer(&b, &a, "shifted images", precision_name[p]);
        if (evaluate(&b, &variants.options[k], p, &t, &view, NULL))
          check_answer(&b, &a, "shifted images, no ghosts", precision_name[p]);
      }
      check_far(&a, p, &t, &s, &seed);
    }
    answer_close(&a);
    answer_close(&b);
    system_close(&s);
  }
}

/* All coordinates and edges longer by 1 in 1,000, a tilted box tilted further. */
static void stretch(test_system *s)
{
  double before[3], after[3];
  ds_box old = s->box;
  for (int k = 0; k < 6; k++) s->box.h[k] *= 1.001;
  s->box.h[3] += s->box.h[3] != 0.0 ? 0.01 : 0.0;
  for (int k = 0; k < s->nlocal + s->nghost; k++) {
    double *const x = s->x + 3 * k;
    const double z = (x[2] - old.lo[2]) / old.h[2],
                 y = (x[1] - old.lo[1] - old.h[3] * z) / old.h[1];
    const double fraction[3] = {(x[0] - old.lo[0] - old.h[5] * y - old.h[4] * z) / old.h[0], y, z};
    x[0] = s->box.lo[0] + s->box.h[0] * fraction[0] + s->box.h[5] * y + s->box.h[4] * z;
    x[1] = s->box.lo[1] + s->box.h[1] * y + s->box.h[3] * z;
    x[2] = s->box.lo[2] + s->box.h[2] * z;
  }
  system_widths(&old, before);
  system_widths(&s->box, after);
  for (int d = 0; d < 3; d++) s->box.ghost_reach[d] *= before[d] / after[d];
}

static void test_changes(void)
{
  static const double lo[3] = {-3, 0, 1}, h[6] = {6, 6, 5, 0, 0, 0},
                      sheared[6] = {6, 6, 5, 1, -1, 2};
  static test_model t;
  for (int k = 0; k < variants.n; k++)
    for (int form = 0; form < 8; form++) {
      const ds_precision p = form % 2 ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
      test_system s;
      test_engine e;
      uint64_t seed = 250;
      model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
      system_open(&s, lo, form / 2 % 2 ? sheared : h, all_periodic, model_range(&t), t.m.skin);
      system_fill(&s, 500, 2, 1.0, &seed);
      if (form < 4)
        system_images(&s);
      else
        s.box.undecomposed[0] = s.box.undecomposed[1] = s.box.undecomposed[2] = 1;
      if (CHECK_OK(engine_open(&e, &variants.options[k], p), e.err) &&
          CHECK_OK(engine_setup(&e, &t, &s, 9), e.err)) {
        check_fresh("as built", &e, p, &t, &s);
        stretch(&s);
        CHECK_OK(ds_pair_set_box(e.dpd, &s.box, &e.err), e.err);
        CHECK_OK(engine_load(&e, 9), e.err);
        check_fresh("box stretched", &e, p, &t, &s);
        model_pair(&t, 1, 2, 90, 1, 0.8, 0.5); /* another exponent: another variant of the kernel */
        t.m.kT = 3.0;
        t.m.dt = 0.02;
        CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
        check_fresh("coefficients and bath changed", &e, p, &t, &s);
        for (int i = 1; i < 3; i++) /* the largest cutoff is the kernels' unit of length */
          for (int j = i; j < 3; j++) model_pair(&t, i, j, 25, 4.5, 0.9 - 0.1 * i * j, 1.0);
        CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
        check_fresh("cutoffs shortened", &e, p, &t, &s);
      }
      if (e.dpd) engine_close(&e);
      system_close(&s);
    }
}

/* Both sides of a pair, alone: equal and opposite to the bit, at any distance and orientation; in every style. */
static void test_pairs(const ds_pair_style *style)
{
  static const double lo[3] = {0.3, 0, -7}, h[6] = {101, 97, 103, 11, -23, 5};
  for (int form = 0; form < 2; form++) {
    const ds_precision p = form ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
    static test_model t;
    test_system s;
    uint64_t seed = 240;
    model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
    model_style(&t, style);
    model_pair(&t, 1, 2, 80, 1, 0.9, 1.0);
    model_across(&t, 1, 1, 6.0, 0.5);
    model_across(&t, 1, 2, 2.0, 1.0);
    system_open(&s, lo, h, none_periodic, model_range(&t), t.m.skin);
    for (int k = 0; k < 20 * 20 * 20; k++) {
      const double at[3] = {20 + 2.4 * (k % 20), 20 + 2.4 * (k / 20 % 20), 5 + 2.4 * (k / 400)};
      system_ball(&s, 2, at, 0.6, 2, 1.0, &seed);
    }
    for (int v = 0; v < variants.n; v++) {
      ds_pair_options o = variants.options[v];
      test_engine e;
      int wrong = 0, apart = 0;
      o.style = style;
      if (!CHECK_OK(engine_open(&e, &o, p), e.err)) continue;
      if (CHECK_OK(engine_setup(&e, &t, &s, 5), e.err) && CHECK_OK(engine_forces(&e, 0), e.err))
        for (int k = 0; k < s.nlocal; k += 2)
          for (int c = 0; c < 3; c++) {
            wrong += e.f[3 * k + c] != -e.f[3 * k + 3 + c];
            apart += e.f[3 * k + c] == 0.0;
          }
      CHECK_INT(wrong, 0);
      CHECK(apart < s.nlocal / 4); /* of 3/2 n components; most pairs are within the cutoff */
      engine_close(&e);
    }
    system_close(&s);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_shifted_images());
  CHECK_CASE(test_changes());
  CHECK_CASE(test_pairs(&ds_style_dpd));
  CHECK_CASE(test_pairs(&ds_style_dpd_ext));
  CHECK_CASE(test_pairs(&ds_style_dpd_tstat));
  return check_result();
}
