/* test_engine_exact.c: the same bits whatever the code path, the threads, the numbering, the list
   and the ranks, with ghosts and without; the sum of all forces exactly zero. For mixed and double precision.
   SPDX-License-Identifier: GPL-2.0-or-later

   The host's baseline code path with one thread is what all others are compared with;
   "test_engine_exact cuda" compares the GPU with it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/lists.h"
#include "support/ranks.h"

static test_variants variants;
static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {1.9, -2.2, 3.1},
                    strong[3] = {-7.9, 9.6, 13.1};
static const double moving[6] = {-1.1, 0.7, 2.3, 0.31, -1.9, 2.9}; /* rates of the box's edges */
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0},
                 yz_periodic[3] = {0, 1, 1};
static int without_ghosts; /* how many systems need none */

/* ------------------------------------------------------------------------- what must not matter */

static void check_variants(const char *name, ds_precision p, const test_model *t,
                           const test_system *s, const answer *expected)
{
  answer a;
  answer_open(&a, s->nlocal);
  for (int k = 0; k < variants.n; k++)
    for (int threads = 1; threads <= 3; threads++) {
      ds_pair_options o = variants.options[k];
      o.threads = threads;
      o.precision = p;
      if (evaluate(&a, &o, p, t, s, NULL)) check_answer(&a, expected, name, variant_name(&o));
    }
  answer_close(&a);
}

static void check_numbering(const char *name, const ds_pair_options *o, ds_precision p,
                            const test_model *t, const test_system *s, const answer *expected)
{
  uint64_t seed = 77;
  answer a;
  answer_open(&a, s->nlocal);
  for (int round = 0; round < 2; round++) {
    test_system other;
    int *by = test_alloc((size_t) s->nlocal * sizeof *by);
    system_shuffle(&other, s, &seed);
    for (int i = 0; i < s->nlocal; i++) by[i] = (int) (other.tag[i] - s->tag[0]);
    if (evaluate(&a, o, p, t, &other, by)) check_answer(&a, expected, name, "renumbered");
    system_close(&other);
    free(by);
  }
  answer_close(&a);
}

/* A shorter skin, and so a list of fewer pairs. */
static void check_other_list(const char *name, const ds_pair_options *o, ds_precision p,
                             const test_model *t, const test_system *s, const answer *expected)
{
  test_model shorter = *t; /* its coefficients are those of t */
  answer a;
  shorter.m.skin = 0.1 * t->m.skin;
  answer_open(&a, s->nlocal);
  if (evaluate(&a, o, p, &shorter, s, NULL)) check_answer(&a, expected, name, "a shorter skin");
  answer_close(&a);
}

/* All that holds with ghosts, without them, where the engine says that it needs none. */
static int check_alone(const char *name, ds_precision p, const test_model *t, const test_system *s,
                       const answer *expected)
{
  const test_system view = system_alone(s);
  char text[80];
  if (!engine_alone(t, &s->box)) return 0;
  snprintf(text, sizeof text, "%s, no ghosts", name);
  check_variants(text, p, t, &view, expected);
  return 1;
}

/* The lists of ranks, with ghosts that came by messages. */
static void check_rank_lists(const char *name, test_ranks *r, const test_model *t, int wide)
{
  for (int k = 0; k < r->n; k++) {
    char text[120];
    snprintf(text, sizeof text, "%s, rank %d of %d", name, k, r->n);
    check_list(text, &r->rank[k].engine, t, &r->rank[k].system, wide);
  }
}

static void check_ranks(const char *name, const ds_pair_options *o, ds_precision p,
                        const test_model *t, test_system *s, const answer *expected, int n,
                        const double *cuts)
{
  const size_t bytes = 24 * (size_t) s->nlocal;
  double *const x = test_alloc(bytes);
  uint64_t seed = 79;
  test_ranks r;
  answer a, moved;
  char what[40];
  snprintf(what, sizeof what, "%d ranks", n);
  answer_open(&a, s->nlocal);
  answer_open(&moved, s->nlocal);
  int good =
      CHECK_MSG(ranks_open(&r, s, n, cuts, o, p) == DS_OK, "%s: %s", name, ranks_error(&r)) &&
      CHECK_MSG(ranks_setup(&r, t, 9) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r)) &&
      CHECK_MSG(ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK, "%s, %s: %s", name, what,
                ranks_error(&r));
  if (good) {
    uint64_t sum[3] = {0, 0, 0}; /* modulo 2^64 */
    check_atoms(&a, expected, name, what);
    check_rank_lists(name, &r, t, p == DS_PRECISION_DOUBLE);
    for (int k = 0; k < n; k++)
      for (int c = 0; c < 3; c++) sum[c] += (uint64_t) r.rank[k].engine.totals.force_sum[c];
    CHECK_MSG(sum[0] == 0 && sum[1] == 0 && sum[2] == 0, "%s, %s: sum of forces is not zero", name,
              what);
  }
  /* later steps, between rebuilds: atoms stray by up to half the skin, also over the borders */
  memcpy(x, s->x, bytes);
  for (int i = 0; i < s->nlocal; i++)
    for (int c = 0; c < 3; c++)
      s->x[3 * i + c] += 0.57 * 0.5 * t->m.skin * (2.0 * check_uniform(&seed) - 1.0);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++)
    memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
  if (good && evaluate(&moved, plain(), p, t, s, NULL) &&
      CHECK_MSG(ranks_load(&r, s, 9) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r)) &&
      CHECK_MSG(ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK, "%s, %s: %s", name, what,
                ranks_error(&r)))
    check_atoms(&a, &moved, name, "several ranks, moved since the rebuild");
  memcpy(s->x, x, bytes);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++)
    memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
  free(x);
  ranks_close(&r);
  answer_close(&a);
  answer_close(&moved);
}

static void check_system(const char *name, const test_model *t, test_system *s)
{
  static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
  static const double one[] = {0}, two[] = {0.37}, three[] = {0.21, 0.83},
                      four[] = {0.25, 0.5, 0.75};
  ds_pair_options with_style = variants.options[variants.n - 1];
  const ds_pair_options *const o = &with_style;
  int alone = 0;
  with_style.style = t->style;
  for (int p = 0; p < 2; p++) {
    answer a;
    answer_open(&a, s->nlocal);
    if (evaluate(&a, plain(), precision[p], t, s, NULL)) {
      check_answer(&a, &a, name, precision_name[precision[p]]); /* the sum of its forces */
      check_variants(name, precision[p], t, s, &a);
      check_numbering(name, o, precision[p], t, s, &a);
      check_other_list(name, o, precision[p], t, s, &a);
      alone = check_alone(name, precision[p], t, s, &a);
      check_ranks(name, o, precision[p], t, s, &a, 1, one);
      check_ranks(name, o, precision[p], t, s, &a, 2, two);
      check_ranks(name, o, precision[p], t, s, &a, 3, three);
      check_ranks(name, o, precision[p], t, s, &a, 4, four);
    }
    answer_close(&a);
  }
  printf("  %-40s %5d own, %6d ghosts%s\n", name, s->nlocal, s->nghost, alone ? ", or none" : "");
  without_ghosts += alone;
}

/* rate: of the box's edges, with which images move; NULL: they do not */
static void moving_box(const char *name, const test_model *t, int n, double edge,
                       const double skew[3], const double *rate, const int periodic[3],
                       uint64_t seed)
{
  static const double lo[3] = {-1.25, 3.5, 0.0};
  const double h[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  test_system s;
  system_open(&s, lo, h, periodic, model_range(t), t->m.skin);
  if (rate) memcpy(s.box.image_rate, rate, sizeof s.box.image_rate);
  system_fill(&s, n, t->m.ntypes, 1.0, &seed);
  if (t->m.special[1] != 1.0) system_chains(&s, 6);
  if (seed & 1) system_shift_tags(&s, 7000000000);
  system_images(&s);
  check_system(name, t, &s);
  system_close(&s);
}

static void random_box(const char *name, const test_model *t, int n, double edge,
                       const double skew[3], const int periodic[3], uint64_t seed)
{
  moving_box(name, t, n, edge, skew, NULL, periodic, seed);
}

static void test_moving_images(void)
{
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  moving_box("images move", &t, 700, 6, no_tilt, moving, all_periodic, 221);
  moving_box("images move, smaller than two cutoffs", &t, 12, 1.5, tilt, moving, all_periodic, 222);
  model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
  model_pair(&t, 1, 2, 60, 20, 1.3, 0.5);
  moving_box("images move, two types, tilted", &t, 500, 6, tilt, moving, yz_periodic, 223);
}

static void test_invariance(void)
{
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  random_box("one type", &t, 700, 6, no_tilt, all_periodic, 201);
  random_box("smaller than two cutoffs", &t, 12, 1.5, no_tilt, all_periodic, 202);
  random_box("smaller than one cutoff, tilted", &t, 3, 0.7, tilt, all_periodic, 203);
  random_box("one atom and its images", &t, 1, 0.8, no_tilt, all_periodic, 204);
  random_box("not periodic", &t, 500, 6, no_tilt, none_periodic, 205);
  random_box("no atom", &t, 0, 6, no_tilt, all_periodic, 206);
  model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
  model_pair(&t, 1, 2, 60, 20, 1.3, 0.5);
  random_box("two types, s = 0.25 and 0.5", &t, 700, 6, no_tilt, all_periodic, 207);
  random_box("two types, tilted", &t, 500, 6, tilt, all_periodic, 208);
  random_box("two types, tilted beyond the edges", &t, 300, 6, strong, all_periodic, 209);
  t.m.special[1] = 0.0;
  t.m.special[2] = 0.3;
  t.m.special[3] = 0.77;
  random_box("two types, special", &t, 500, 6, no_tilt, yz_periodic, 210);
  model_open(&t, 1, 25, 4.5, 1.0, 2.0, 0.3);
  t.m.special[1] = 0.5;
  random_box("special, s = 2", &t, 500, 6, tilt, all_periodic, 211);
  random_box("special, smaller than two cutoffs", &t, 15, 1.7, no_tilt, all_periodic, 212);
}

static void test_styles(void)
{
  static const ds_pair_style *const style[2] = {&ds_style_dpd_ext, &ds_style_dpd_tstat};
  static const char *const name[2][4] = {
      {"dpd/ext", "dpd/ext, two types, special, tilted", "dpd/ext, small", "dpd/ext, images move"},
      {"dpd/tstat", "dpd/tstat, two types, special, tilted", "dpd/tstat, small",
       "dpd/tstat, images move"}};
  test_model t;
  for (int k = 0; k < 2; k++) {
    model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
    model_style(&t, style[k]);
    model_across(&t, 1, 1, 7.0, 1.0);
    random_box(name[k][0], &t, 500, 6, no_tilt, yz_periodic, 230 + (uint64_t) k);
    random_box(name[k][2], &t, 12, 1.5, no_tilt, all_periodic, 232 + (uint64_t) k);
    moving_box(name[k][3], &t, 500, 6, tilt, moving, all_periodic, 236 + (uint64_t) k);
    model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
    model_style(&t, style[k]);
    model_pair(&t, 1, 2, 60, 20, 1.3, 0.5);
    model_across(&t, 1, 2, 9.0, 2.0);
    t.m.special[1] = 0.0;
    t.m.special[2] = 0.3;
    random_box(name[k][1], &t, 500, 6, tilt, all_periodic, 234 + (uint64_t) k);
  }
}

static void test_charges(void)
{
  test_model t;
  model_coul(&t, 1, 13.87, 0.25, 0.9, 1.7, 0.3);
  random_box("coul/slater", &t, 500, 6, no_tilt, yz_periodic, 240);
  random_box("coul/slater, small", &t, 12, 2.1, no_tilt, all_periodic, 241);
  moving_box("coul/slater, images move", &t, 400, 6, tilt, moving, all_periodic, 242);
  model_coul(&t, 2, 13.87, 0.25, 0.9, 1.7, 0.3);
  model_pair(&t, 1, 2, 0.5, 0.0, 1.2, 1.0);
  model_pair(&t, 2, 2, 1.0, 0.0, 0.0, 1.0);
  t.m.special[1] = 0.0;
  t.m.special[2] = 0.3;
  random_box("coul/slater, two types, special", &t, 500, 6, tilt, all_periodic, 243);
}

/* Forces of all atoms with the model in this place, in a step; NULL after an error. */
static double *forces_at(const ds_pair_options *o, ds_precision p, test_model *t,
                         const test_system *s, uint32_t place, int64_t step)
{
  ds_pair_options options = *o;
  test_engine e;
  double *f = NULL;
  options.style = t->style;
  t->m.place = place;
  if (CHECK_OK(engine_open(&e, &options, p), e.err) && CHECK_OK(engine_setup(&e, t, s, step), e.err) &&
      CHECK_OK(engine_forces(&e, 0), e.err)) {
    f = test_alloc(3 * (size_t) s->nlocal * sizeof *f);
    memcpy(f, e.f, 3 * (size_t) s->nlocal * sizeof *f);
  }
  if (e.dpd) engine_close(&e);
  return f;
}

/* The noise of a place is that of place 0 in a step that no run reaches, on every backend and for every style. */
static void test_places(void)
{
  static const ds_pair_style *const style[3] = {&ds_style_dpd, &ds_style_dpd_ext,
                                                &ds_style_dpd_tstat};
  static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
  static const uint32_t place[3] = {1, 2, 32767};
  static const double lo[3] = {0, 0, 0}, h[6] = {4, 5, 6, 0, 0, 0};
  const int64_t step = 9;
  test_model t;
  test_system s;
  uint64_t seed = 240;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, 300, 1, 1.0, &seed);
  system_images(&s);
  for (int k = 0; k < 3; k++) {
    model_style(&t, style[k]);
    model_across(&t, 1, 1, 7.0, 1.0);
    for (int p = 0; p < 2; p++)
      for (int v = 0; v < variants.n; v++) {
        const ds_pair_options *const o = &variants.options[v];
        double *const first = forces_at(o, precision[p], &t, &s, 0, step);
        double *const other = forces_at(o, precision[p], &t, &s, place[k], step);
        double *const later =
            forces_at(o, precision[p], &t, &s, 0, step + ((int64_t) place[k] << 48));
        const size_t bytes = 3 * (size_t) s.nlocal * sizeof *first;
        if (CHECK(first && other && later)) {
          CHECK(memcmp(other, later, bytes) == 0);
          CHECK(memcmp(other, first, bytes) != 0);
        }
        free(first);
        free(other);
        free(later);
      }
  }
  system_close(&s);
}

/* Rows longer than the host's batches, and atoms on top of each other. */
static void test_clusters(void)
{
  static const double lo[3] = {0, 0, 0}, h[6] = {6, 6, 6, 0, 0, 0}, at[3] = {0.5, 5.9, 3};
  static const double left[3] = {2.0, 3.0, 3.0}, right[3] = {2.5, 3.0, 3.0};
  test_model t;
  test_system s;
  uint64_t seed = 220;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_ball(&s, check_brief() ? 200 : 1100, at, 0.3, 1, 1.0, &seed);
  system_ball(&s, 20, at, 0.0, 1, 1.0, &seed);
  system_fill(&s, 200, 1, 1.0, &seed);
  system_wrap(&s);
  system_images(&s);
  check_system("a ball over two borders", &t, &s);
  system_close(&s);
  /* the force on one of the balls alone is beyond 64 bits in double precision */
  model_open(&t, 1, 25, 0, 1.0, 1.0, 0.3);
  t.m.kT = 0.0;
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_ball(&s, 300, left, 0.1, 1, 1.0, &seed);
  system_ball(&s, 300, right, 0.1, 1, 1.0, &seed);
  system_images(&s);
  check_system("two balls that push each other", &t, &s);
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_invariance());
  CHECK_CASE(test_moving_images());
  CHECK_CASE(test_styles());
  CHECK_CASE(test_charges());
  CHECK_CASE(test_places());
  CHECK_CASE(test_clusters());
  if (check_all()) CHECK(without_ghosts >= 8);
  return check_result();
}
