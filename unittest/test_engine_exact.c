/* test_engine_exact.c: the same bits whatever the code path, the threads, the numbering, the list, the ranks and the
   images; the sum of all forces exactly zero. For mixed and double precision; single promises nothing.
   SPDX-License-Identifier: GPL-2.0-or-later

   The host's baseline code path with one thread is what all others are compared with; "test_engine_exact cuda"
   compares the GPU with it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/neighbor.h"
#include "support/ranks.h"

static test_variants variants;
static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {1.9, -2.2, 3.1}, strong[3] = {-7.9, 9.6, 13.1};
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0}, yz_periodic[3] = {0, 1, 1};
static const char *const precision_name[] = {"mixed", "single", "double"};

/* Forces, energies and virials of a system, by atom. */
typedef struct {
  int n;
  double *f, *eatom, *vatom, energy, virial[6];
  int64_t sum[3];
} answer;

static void answer_open(answer *a, int n)
{
  memset(a, 0, sizeof *a);
  a->n = n;
  a->f = test_alloc(24 * (size_t) n);
  a->eatom = test_alloc(8 * (size_t) n);
  a->vatom = test_alloc(48 * (size_t) n);
}

static void answer_close(answer *a)
{
  free(a->f);
  free(a->eatom);
  free(a->vatom);
}

/* by[i]: where atom i's values go. NULL: in its own place. */
static void answer_take(answer *a, const test_engine *e, const int *by)
{
  for (int i = 0; i < a->n; i++) {
    const int k = by ? by[i] : i;
    memcpy(a->f + 3 * k, e->f + 3 * i, 24);
    a->eatom[k] = e->eatom[i];
    memcpy(a->vatom + 6 * k, e->vatom + 6 * i, 48);
  }
  a->energy = e->result.energy;
  memcpy(a->virial, e->result.virial, sizeof a->virial);
  memcpy(a->sum, e->result.force_sum, sizeof a->sum);
}

static void check_atoms(const answer *got, const answer *expected, const char *name, const char *what)
{
  const size_t n = (size_t) expected->n;
  int atom = -1;
  for (int k = 3 * expected->n - 1; k >= 0; k--)
    if (memcmp(&got->f[k], &expected->f[k], 8) != 0) atom = k / 3;
  const double *const f = got->f + 3 * (atom < 0 ? 0 : atom), *const g = expected->f + 3 * (atom < 0 ? 0 : atom);
  if (atom < 0)
    CHECK(n == 0 || isfinite(f[0]));
  else
    CHECK_MSG(0, "%s, %s: force on atom %d is %.17g %.17g %.17g, expected %.17g %.17g %.17g", name, what, atom, f[0],
              f[1], f[2], g[0], g[1], g[2]);
  CHECK_MSG(memcmp(got->eatom, expected->eatom, 8 * n) == 0, "%s, %s: energies differ", name, what);
  CHECK_MSG(memcmp(got->vatom, expected->vatom, 48 * n) == 0, "%s, %s: virials differ", name, what);
}

static void check_answer(const answer *got, const answer *expected, const char *name, const char *what)
{
  check_atoms(got, expected, name, what);
  CHECK_MSG(got->energy == expected->energy, "%s, %s: energy %.17g, expected %.17g", name, what, got->energy,
            expected->energy);
  CHECK_MSG(memcmp(got->virial, expected->virial, sizeof got->virial) == 0, "%s, %s: total virials differ", name, what);
  CHECK_MSG(got->sum[0] == 0 && got->sum[1] == 0 && got->sum[2] == 0, "%s, %s: sum of forces is not zero", name, what);
}

/* One process, ghosts by owner, the engine's own list. */
static int evaluate(answer *a, const ds_dpd_options *options, ds_precision precision, const test_model *t,
                    const test_system *s, const int *by)
{
  test_engine e;
  int good = CHECK_OK(engine_open(&e, options, precision), e.err) && CHECK_OK(engine_setup(&e, t, s, 9), e.err) &&
      CHECK_OK(engine_forces(&e, 1), e.err);
  if (good) answer_take(a, &e, by);
  if (e.dpd) engine_close(&e);
  return good;
}

static const ds_dpd_options *plain(void)
{
  static ds_dpd_options o = {DS_BACKEND_HOST, DS_PRECISION_MIXED, 0, 1, "base", NULL};
  return &o;
}

/* ------------------------------------------------------------------------- what must not matter */

static void check_variants(const char *name, ds_precision p, const test_model *t, const test_system *s,
                           const answer *expected)
{
  answer a;
  answer_open(&a, s->nlocal);
  for (int k = 0; k < variants.n; k++)
    for (int threads = 1; threads <= 3; threads++) {
      ds_dpd_options o = variants.options[k];
      o.threads = threads;
      o.precision = p;
      if (evaluate(&a, &o, p, t, s, NULL)) check_answer(&a, expected, name, variant_name(&o));
    }
  answer_close(&a);
}

static void check_numbering(const char *name, const ds_dpd_options *o, ds_precision p, const test_model *t,
                            const test_system *s, const answer *expected)
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

/* A full list as another program would make it: everything within 1.5 neighbor cutoffs, entries and rows in an order
   of chance, special codes in the upper bits. */
typedef struct {
  int *atom, *count, **entries;
} foreign_list;

static void shuffle(int *a, int n, uint64_t *seed)
{
  for (int k = n - 1; k > 0; k--) {
    const int m = (int) (check_random(seed) % (uint64_t) (k + 1)), old = a[k];
    a[k] = a[m];
    a[m] = old;
  }
}

static void foreign_open(foreign_list *l, const test_system *s, const test_model *t)
{
  const int n = s->nlocal, nall = n + s->nghost;
  const double range = 1.5 * model_range(t);
  uint64_t seed = 78;
  int *row = test_alloc((size_t) nall * sizeof *row);
  l->atom = test_alloc((size_t) n * sizeof *l->atom);
  l->count = test_alloc((size_t) n * sizeof *l->count);
  l->entries = test_alloc((size_t) n * sizeof *l->entries);
  for (int i = 0; i < n; i++) {
    int m = 0;
    for (int k = 0; k < nall; k++) {
      double d[3];
      system_separation(s, i, k, d);
      if (k == i || d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > range * range) continue;
      row[m++] = (int) ((uint32_t) k | (uint32_t) system_special_code(s, i, k) << DS_INDEX_BITS);
    }
    shuffle(row, m, &seed);
    l->atom[i] = i;
    l->count[i] = m;
    l->entries[i] = test_alloc((size_t) m * sizeof *row);
    memcpy(l->entries[i], row, (size_t) m * sizeof *row);
  }
  shuffle(l->atom, n, &seed);
  free(row);
}

static void foreign_close(foreign_list *l, int n)
{
  for (int i = 0; i < n; i++) free(l->entries[i]);
  free(l->entries);
  free(l->atom);
  free(l->count);
}

/* With the partners known to the engine or not: codes count wherever the list came from. Then the engine's own list
   again, in the same object. */
static void check_foreign_list(const char *name, const ds_dpd_options *o, ds_precision p, const test_model *t,
                               const test_system *s, const answer *expected)
{
  test_system bare = *s;
  foreign_list l;
  answer a;
  answer_open(&a, s->nlocal);
  foreign_open(&l, s, t);
  bare.max_special = 0;
  for (int known = 0; known < 2; known++) {
    const ds_dpd_list list = {s->nlocal, l.atom, l.count, l.entries};
    test_engine e;
    if (!CHECK_OK(engine_open(&e, o, p), e.err)) continue;
    if (CHECK_OK(engine_setup(&e, t, known ? s : &bare, 9), e.err) &&
        CHECK_OK(ds_dpd_set_list(e.dpd, &list, &e.err), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) {
      answer_take(&a, &e, NULL);
      check_answer(&a, expected, name, "list set");
      CHECK_INT(ds_dpd_get_info(e.dpd).rows, s->nlocal);
      if (known && CHECK_OK(ds_dpd_build_list(e.dpd, &e.err), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) {
        answer_take(&a, &e, NULL);
        check_answer(&a, expected, name, "list built after one was set");
      }
    }
    engine_close(&e);
  }
  foreign_close(&l, s->nlocal);
  answer_close(&a);
}

/* Only some rows, as a hybrid style sets them: the others' forces stay as they were. */
static void check_some_rows(const ds_dpd_options *o, ds_precision p, const test_model *t, const test_system *s,
                            const answer *expected)
{
  const int rows = s->nlocal / 3;
  foreign_list l;
  test_engine e;
  int wrong = 0;
  foreign_open(&l, s, t);
  const ds_dpd_list list = {rows, l.atom, l.count, l.entries};
  if (CHECK_OK(engine_open(&e, o, p), e.err) && CHECK_OK(engine_setup(&e, t, s, 9), e.err) &&
      CHECK_OK(ds_dpd_set_list(e.dpd, &list, &e.err), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) {
    for (int r = 0; r < rows; r++) {
      wrong += memcmp(e.f + 3 * l.atom[r], expected->f + 3 * l.atom[r], 24) != 0;
      memset(e.f + 3 * l.atom[r], 0, 24);
    }
    for (int k = 0; k < 3 * s->nlocal; k++) wrong += e.f[k] != 0.0;
    CHECK_INT(wrong, 0);
  }
  if (e.dpd) engine_close(&e);
  foreign_close(&l, s->nlocal);
}

/* The lists of ranks, with ghosts that came by messages. */
static void check_rank_lists(const char *name, const test_ranks *r, const test_model *t, int wide)
{
  for (int k = 0; k < r->n; k++) {
    test_list got, expected;
    ds_error err;
    int where;
    if (!CHECK_OK(list_read(&got, r->rank[k].engine.dpd, &err), err)) return;
    list_by_brute_force(&expected, &r->rank[k].system, t, wide);
    const int row = list_compare(&got, &expected, &where);
    CHECK_MSG(row < 0, "%s, rank %d of %d: row %d of the list differs at entry %d", name, k, r->n, row, where);
    list_free(&got);
    list_free(&expected);
  }
}

static void check_ranks(const char *name, const ds_dpd_options *o, ds_precision p, const test_model *t,
                        test_system *s, const answer *expected, int n, const double *cuts)
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
  int good = CHECK_MSG(ranks_open(&r, s, n, cuts, o, p) == DS_OK, "%s: %s", name, ranks_error(&r)) &&
      CHECK_MSG(ranks_setup(&r, t, 9) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r)) &&
      CHECK_MSG(ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r));
  if (good) {
    int64_t sum[3] = {0, 0, 0};
    check_atoms(&a, expected, name, what);
    check_rank_lists(name, &r, t, p == DS_PRECISION_DOUBLE);
    for (int k = 0; k < n; k++)
      for (int c = 0; c < 3; c++) sum[c] += r.rank[k].engine.result.force_sum[c];
    CHECK_MSG(sum[0] == 0 && sum[1] == 0 && sum[2] == 0, "%s, %s: sum of forces is not zero", name, what);
  }
  /* later steps, between rebuilds: atoms stray by up to half the skin, also over the borders */
  memcpy(x, s->x, bytes);
  for (int i = 0; i < s->nlocal; i++)
    for (int c = 0; c < 3; c++) s->x[3 * i + c] += 0.57 * 0.5 * t->m.skin * (2.0 * check_uniform(&seed) - 1.0);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
  if (good && evaluate(&moved, plain(), p, t, s, NULL) &&
      CHECK_MSG(ranks_load(&r, s, 9) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r)) &&
      CHECK_MSG(ranks_forces(&r, a.f, a.eatom, a.vatom) == DS_OK, "%s, %s: %s", name, what, ranks_error(&r)))
    check_atoms(&a, &moved, name, "several ranks, moved since the rebuild");
  memcpy(s->x, x, bytes);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
  free(x);
  ranks_close(&r);
  answer_close(&a);
  answer_close(&moved);
}

static void check_system(const char *name, const test_model *t, test_system *s)
{
  static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
  static const double one[] = {0}, two[] = {0.37}, three[] = {0.21, 0.83}, four[] = {0.25, 0.5, 0.75};
  const ds_dpd_options *const o = &variants.options[variants.n - 1];
  for (int p = 0; p < 2; p++) {
    answer a;
    answer_open(&a, s->nlocal);
    if (evaluate(&a, plain(), precision[p], t, s, NULL)) {
      check_answer(&a, &a, name, precision_name[precision[p]]); /* the sum of its forces */
      check_variants(name, precision[p], t, s, &a);
      check_numbering(name, o, precision[p], t, s, &a);
      check_foreign_list(name, o, precision[p], t, s, &a);
      check_some_rows(o, precision[p], t, s, &a);
      check_ranks(name, o, precision[p], t, s, &a, 1, one);
      check_ranks(name, o, precision[p], t, s, &a, 2, two);
      check_ranks(name, o, precision[p], t, s, &a, 3, three);
      check_ranks(name, o, precision[p], t, s, &a, 4, four);
    }
    answer_close(&a);
  }
  printf("  %-40s %5d own, %6d ghosts\n", name, s->nlocal, s->nghost);
}

static void random_box(const char *name, const test_model *t, int n, double edge, const double skew[3],
                       const int periodic[3], uint64_t seed)
{
  static const double lo[3] = {-1.25, 3.5, 0.0};
  const double h[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  test_system s;
  system_open(&s, lo, h, periodic, model_range(t), t->m.skin);
  system_fill(&s, n, t->m.ntypes, 1.0, &seed);
  if (t->m.special[1] != 1.0) system_chains(&s, 6);
  if (seed & 1) system_shift_tags(&s, 7000000000);
  system_images(&s);
  check_system(name, t, &s);
  system_close(&s);
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

/* Rows longer than the host's batches, and atoms on top of each other. */
static void test_clusters(void)
{
  static const double lo[3] = {0, 0, 0}, h[6] = {6, 6, 6, 0, 0, 0}, at[3] = {0.5, 5.9, 3};
  test_model t;
  test_system s;
  uint64_t seed = 220;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_ball(&s, 1100, at, 0.3, 1, 1.0, &seed);
  system_ball(&s, 20, at, 0.0, 1, 1.0, &seed);
  system_fill(&s, 200, 1, 1.0, &seed);
  system_wrap(&s);
  system_images(&s);
  check_system("1120 in a ball over two borders", &t, &s);
  system_close(&s);
}

/* An atom stands for all its images: moved by whole boxes, within what the skin allows, it feels the same force. On
   binary fractions, so that the shift itself is exact. */
static void test_shifted_images(void)
{
  static const double lo[3] = {0, 0, 0}, h[6] = {8, 8, 8, 0, 0, 0}, sheared[6] = {8, 8, 8, 2, -1, 4};
  for (int form = 0; form < 4; form++) {
    const ds_precision p = form % 2 ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
    test_model t;
    test_system s;
    answer a, b;
    uint64_t seed = 230;
    int shifted = 0;
    model_open(&t, 1, 25, 4.5, 1.0, 0.5, 0.5);
    system_open(&s, lo, form < 2 ? h : sheared, all_periodic, model_range(&t), t.m.skin);
    system_fill(&s, 900, 1, 1.0, &seed);
    system_snap(&s, 0x1p-40);
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
          s.x[3 * i] += by * (d == 0 ? s.box.h[0] : d == 1 ? s.box.h[5] : s.box.h[4]);
          if (d > 0) s.x[3 * i + 1] += by * (d == 1 ? s.box.h[1] : s.box.h[3]);
          if (d > 1) s.x[3 * i + 2] += by * s.box.h[2];
          shifted++;
        }
      }
      CHECK(shifted > 100);
      system_images(&s);
      for (int k = 0; k < variants.n; k++)
        if (evaluate(&b, &variants.options[k], p, &t, &s, NULL)) check_answer(&b, &a, "shifted images", precision_name[p]);
    }
    answer_close(&a);
    answer_close(&b);
    system_close(&s);
  }
}

/* Between two rebuilds box, coefficients and bath may change; the list stays. A fresh engine gives the same bits. */
static void check_changed(const char *what, test_engine *e, ds_precision p, const test_model *t, const test_system *s)
{
  answer a, fresh;
  answer_open(&a, s->nlocal);
  answer_open(&fresh, s->nlocal);
  if (CHECK_OK(engine_forces(e, 1), e->err) && evaluate(&fresh, plain(), p, t, s, NULL)) {
    answer_take(&a, e, NULL);
    check_answer(&a, &fresh, what, precision_name[p]);
  }
  answer_close(&a);
  answer_close(&fresh);
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
    const double z = (x[2] - old.lo[2]) / old.h[2], y = (x[1] - old.lo[1] - old.h[3] * z) / old.h[1];
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
  static const double lo[3] = {-3, 0, 1}, h[6] = {6, 6, 5, 0, 0, 0}, sheared[6] = {6, 6, 5, 1, -1, 2};
  static test_model t;
  for (int k = 0; k < variants.n; k++)
    for (int form = 0; form < 4; form++) {
      const ds_precision p = form % 2 ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
      test_system s;
      test_engine e;
      uint64_t seed = 250;
      model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
      system_open(&s, lo, form < 2 ? h : sheared, all_periodic, model_range(&t), t.m.skin);
      system_fill(&s, 500, 2, 1.0, &seed);
      system_images(&s);
      if (CHECK_OK(engine_open(&e, &variants.options[k], p), e.err) && CHECK_OK(engine_setup(&e, &t, &s, 9), e.err)) {
        check_changed("as built", &e, p, &t, &s);
        stretch(&s);
        CHECK_OK(ds_dpd_set_box(e.dpd, &s.box, &e.err), e.err);
        CHECK_OK(engine_load(&e, 9), e.err);
        check_changed("box stretched", &e, p, &t, &s);
        model_pair(&t, 1, 2, 90, 1, 0.8, 0.5); /* another exponent: another variant of the kernel */
        t.m.kT = 3.0;
        t.m.dt = 0.02;
        CHECK_OK(ds_dpd_set_model(e.dpd, &t.m, &e.err), e.err);
        check_changed("coefficients and bath changed", &e, p, &t, &s);
        for (int i = 1; i < 3; i++) /* the largest cutoff is the kernels' unit of length */
          for (int j = i; j < 3; j++) model_pair(&t, i, j, 25, 4.5, 0.9 - 0.1 * i * j, 1.0);
        CHECK_OK(ds_dpd_set_model(e.dpd, &t.m, &e.err), e.err);
        check_changed("cutoffs shortened", &e, p, &t, &s);
      }
      if (e.dpd) engine_close(&e);
      system_close(&s);
    }
}

/* Both sides of a pair, alone: equal and opposite to the bit, at any distance and orientation. */
static void test_pairs(void)
{
  static const double lo[3] = {0.3, 0, -7}, h[6] = {101, 97, 103, 11, -23, 5};
  for (int form = 0; form < 2; form++) {
    const ds_precision p = form ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
    test_model t;
    test_system s;
    uint64_t seed = 240;
    model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
    model_pair(&t, 1, 2, 80, 1, 0.9, 1.0);
    system_open(&s, lo, h, none_periodic, model_range(&t), t.m.skin);
    for (int k = 0; k < 20 * 20 * 20; k++) {
      const double at[3] = {20 + 2.4 * (k % 20), 20 + 2.4 * (k / 20 % 20), 5 + 2.4 * (k / 400)};
      system_ball(&s, 2, at, 0.6, 2, 1.0, &seed);
    }
    for (int v = 0; v < variants.n; v++) {
      test_engine e;
      int wrong = 0, apart = 0;
      if (!CHECK_OK(engine_open(&e, &variants.options[v], p), e.err)) continue;
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
  test_invariance();
  test_clusters();
  test_shifted_images();
  test_changes();
  test_pairs();
  return check_result();
}
