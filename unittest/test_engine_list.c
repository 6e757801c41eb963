/* test_engine_list.c: the engine's neighbor lists against brute force, element by element and in
   order.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_list cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "../cuda/particles/particles.h"
#include "dpdsop/device/neighbor.h"
#include "support/engine.h"

static test_variants variants;
static int without_ghosts; /* how many systems need none */
static const double origin[3] = {-3.7, 0.0, 12.5}, edges_zero[3] = {0, 0, 0};
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0};

static void check_same(const char *name, const char *what, const test_list *got,
                       const test_list *expected)
{
  int where;
  const int row = list_compare(got, expected, &where);
  CHECK_MSG(row < 0, "%s, %s: row %d differs at entry %d", name, what, row, where);
}

/* Lists of one code path, built twice in the same object. */
static void check_variant(const char *name, const ds_pair_options *options, ds_precision precision,
                          const test_model *t, const test_system *s, const test_list *expected)
{
  test_engine e;
  test_list list;
  ds_pair_options o = *options;
  o.precision = precision;
  if (!CHECK_OK(engine_open(&e, options, precision), e.err)) return;
  for (int round = 0; round < 2; round++) {
    if (!CHECK_OK(engine_setup(&e, t, s, 7), e.err)) break;
    if (!CHECK_OK(list_read(&list, e.dpd, &e.err), e.err)) break;
    check_same(name, variant_name(&o), &list, expected);
    const ds_pair_info info = ds_pair_get_info(e.dpd);
    CHECK_INT(info.rows, s->nlocal);
    CHECK_INT(info.ghosts, s->nghost);
    list_free(&list);
  }
  engine_close(&e);
}

/* The units of positions are 2^-bits of an edge, and single-precision distances err by a few 1e-7
   of the terms that they are summed from; in tilted boxes those are longer than the distance. */
static double distance_error(const test_system *s)
{
  double terms = 0.0;
  for (int k = 0; k < 6; k++) terms += fabs(s->box.h[k]);
  return 4e-9 * terms +
         6e-6 * s->range * (1.0 + terms / fmin(s->box.h[0], fmin(s->box.h[1], s->box.h[2])));
}

/* Brute force over the images that the system has, ghosts or the nearest ones. */
static long check_images(const char *name, const test_model *t, const test_system *s, int *longest)
{
  static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
  long entries = 0;
  for (int p = 0; p < 2; p++) {
    test_list expected;
    list_by_brute_force(&expected, s, t, p, variants.options[0].gpus);
    const int faults = list_geometry_faults(&expected, s, t, distance_error(s));
    CHECK_MSG(faults == 0, "%s: the reference itself is wrong in %d pairs", name, faults);
    for (int r = 0; r < expected.rows; r++)
      if (expected.start[r + 1] - expected.start[r] > *longest)
        *longest = (int) (expected.start[r + 1] - expected.start[r]);
    for (int k = 0; k < variants.n; k++)
      check_variant(name, &variants.options[k], precision[p], t, s, &expected);
    entries = (long) expected.start[expected.rows];
    list_free(&expected);
  }
  return entries;
}

static void check_system(const char *name, const test_model *t, test_system *s)
{
  int longest = 0;
  system_images(s);
  const int alone = engine_alone(t, &s->box);
  const long entries = check_images(name, t, s, &longest);
  printf("  %-34s %5d own, %6d ghosts%s, %7ld entries, longest row %d\n", name, s->nlocal,
         s->nghost, alone ? ", or none" : "", entries, longest);
  if (alone) {
    const test_system view = system_alone(s);
    char text[80];
    snprintf(text, sizeof text, "%s, no ghosts", name);
    check_images(text, t, &view, &longest);
    without_ghosts++;
  }
}

static void open_box(test_system *s, const test_model *t, double x, double y, double z,
                     const double tilt[3], const int periodic[3])
{
  const double h[6] = {x, y, z, tilt[0], tilt[1], tilt[2]};
  system_open(s, origin, h, periodic, model_range(t), t->m.skin);
}

static void random_box(const char *name, test_model *t, int n, double x, double y, double z,
                       const double tilt[3], const int periodic[3], uint64_t seed)
{
  test_system s;
  if (check_brief() && n >= 1000) n /= 4; /* brute force goes as the square */
  open_box(&s, t, x, y, z, tilt, periodic);
  system_fill(&s, n, t->m.ntypes, 1.0, &seed);
  check_system(name, t, &s);
  system_close(&s);
}

static void test_random(void)
{
  static const double mild[3] = {0.9, -1.3, 2.0}, strong[3] = {-7.9, 9.6, 13.1};
  static const int xz_periodic[3] = {1, 0, 1};
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  random_box("orthogonal, periodic", &t, 2000, 10, 9, 8, edges_zero, all_periodic, 1);
  random_box("tilted", &t, 1500, 10, 9, 8, mild, all_periodic, 2);
  random_box("tilted beyond the edges", &t, 1000, 7, 8, 6, strong, all_periodic, 3);
  random_box("not periodic", &t, 1500, 8, 9, 7, edges_zero, none_periodic, 4);
  random_box("periodic in x and z, tilted", &t, 1500, 8, 9, 7, mild, xz_periodic, 5);
  random_box("near-empty", &t, 40, 1000, 3000, 500, edges_zero, all_periodic, 6);
  random_box("flat", &t, 1000, 30, 30, 0.4, edges_zero, xz_periodic, 7);
  random_box("a column", &t, 300, 1.4, 1.4, 200, edges_zero, all_periodic, 8);
  random_box("long enough for slabs of three GPUs", &t, 1200, 6, 5, 30, mild, all_periodic, 19);
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.0);
  random_box("no skin", &t, 1500, 9, 8, 7, mild, all_periodic, 9);
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 2.5);
  random_box("skin longer than the cutoff", &t, 500, 9, 8, 7, mild, all_periodic, 10);
}

/* Boxes smaller than two neighbor cutoffs, and than one: several images of the same atom in one
   row. Fewer than 30 bits an edge then. */
static void test_small_boxes(void)
{
  static const double tilt[3] = {0.7, -0.5, 0.4};
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  random_box("smaller than two cutoffs", &t, 40, 1.9, 1.7, 2.2, edges_zero, all_periodic, 11);
  random_box("smaller than one cutoff", &t, 6, 0.6, 0.9, 0.5, edges_zero, all_periodic, 12);
  random_box("smaller than one cutoff, tilted", &t, 6, 0.6, 0.9, 0.5, tilt, all_periodic, 13);
  random_box("one atom and its images", &t, 1, 0.45, 0.5, 0.55, tilt, all_periodic, 14);
  random_box("a twentieth of the cutoff", &t, 2, 0.05, 3.0, 3.0, edges_zero, all_periodic, 15);
  random_box("one atom alone", &t, 1, 5, 5, 5, edges_zero, all_periodic, 16);
  random_box("no atom", &t, 0, 5, 5, 5, edges_zero, all_periodic, 17);
  random_box("no atom, no image", &t, 0, 5, 5, 5, edges_zero, none_periodic, 18);
  random_box("box far smaller than the cutoff", &t, 30, 1e-4, 2e-4, 1e-4, edges_zero, none_periodic,
             19);

  ds_frame frame;
  test_system s;
  open_box(&s, &t, 0.6, 0.9, 0.5, edges_zero, all_periodic);
  CHECK(ds_frame_init(&frame, &s.box, 1.0, 1.3, NULL) == DS_OK && frame.bits[0] < 30 &&
        frame.bits[2] < 29);
  system_close(&s);
}

/* Rows beyond 32, 64 and 1,024 entries; all atoms in one cell, in two, in the corner of eight. */
static void test_clusters(void)
{
  static const double corner[3] = {-3.7, 0.0, 12.5}, inside[3] = {-1.2, 3.1, 15.0},
                      other[3] = {0.1, 3.4, 15.3};
  test_model t;
  test_system s;
  uint64_t seed = 20;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  open_box(&s, &t, 8, 9, 7, edges_zero, all_periodic);
  system_fill(&s, 100, 1, 1.0, &seed);
  system_ball(&s, 600, inside, 0.2, 1, 1.0, &seed);
  check_system("600 in a ball", &t, &s);
  system_ball(&s, 40, other, 0.1, 1, 1.0, &seed);
  system_ball(&s, 300, corner, 0.6, 1, 1.0, &seed);
  system_wrap(&s);
  check_system("balls in a box and its corner", &t, &s);
  system_close(&s);
  open_box(&s, &t, 8, 9, 7, edges_zero, none_periodic);
  system_ball(&s, 1500, inside, 0.7, 1, 1.0, &seed);
  check_system("1500 in a ball", &t, &s);
  system_close(&s);
}

/* Atoms exactly on boundaries of cells and box, on each other, and outside the box by up to the
   skin. Edges and places are binary fractions, so that "exactly" is exact. */
static void test_lattice(void)
{
  static const double zero[3] = {0, 0, 0}, h[6] = {8, 8, 8, 0, 0, 0},
                      tilted[6] = {8, 8, 8, 4, -4, 2};
  static const double v[3] = {1, 2, 3};
  test_model t;
  for (int form = 0; form < 3; form++) {
    test_system s;
    model_open(&t, 1, 25, 4.5, form == 2 ? 1.0 : 0.75, 1.0, 0.25);
    system_open(&s, zero, form == 1 ? tilted : h, all_periodic, model_range(&t), t.m.skin);
    for (int k = 0; k < 729; k++) {
      const double x[3] = {k % 9, k / 9 % 9, k / 81};
      system_add(&s, x, v, 1);
      if (k % 5 == 0) system_add(&s, x, v, 1); /* two in one place */
    }
    system_wrap(&s);
    if (form != 1) { /* these stay outside, or on the upper boundary */
      const double low[3] = {-0.25, 3, -0.125}, high[3] = {8.25, 8.125, 8};
      system_add(&s, low, v, 1);
      system_add(&s, high, v, 1);
    }
    check_system(form == 1 ? "lattice, tilted" : "lattice", &t, &s);
    system_close(&s);
  }
}

/* Own atoms outside the box by up to the skin, as between two rebuilds; periodic and not. */
static void test_outside(void)
{
  test_model t;
  for (int periodic = 0; periodic < 2; periodic++) {
    test_system s;
    uint64_t seed = 30;
    model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
    open_box(&s, &t, 6, 5, 7, edges_zero, periodic ? all_periodic : none_periodic);
    system_fill(&s, 600, 1, 1.0, &seed);
    for (int k = 0; k < 3 * s.nlocal; k++) s.x[k] += 0.29 * (2.0 * check_uniform(&seed) - 1.0);
    check_system(periodic ? "strayed, periodic" : "strayed, not periodic", &t, &s);
    system_close(&s);
  }
}

static void test_types(void)
{
  test_model *t = test_alloc(sizeof *t);
  model_open(t, 3, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(t, 1, 2, 25, 4.5, 0.7, 1.0);
  model_pair(t, 2, 2, 25, 4.5, 0.0, 1.0);
  model_pair(t, 2, 3, 25, 4.5, 1.4, 1.0);
  model_pair(t, 3, 3, 25, 4.5, 0.2, 1.0);
  random_box("three types, cutoffs 0 to 1.4", t, 1500, 9, 8, 7, edges_zero, all_periodic, 40);
  model_open(t, TEST_TYPES, 25, 4.5, 1.0, 1.0, 0.3);
  for (int i = 1; i <= TEST_TYPES; i++)
    for (int j = i; j <= TEST_TYPES; j++)
      model_pair(t, i, j, 25, 4.5, (i + j) % 7 ? 0.2 + 0.01 * ((13 * i + 13 * j) % 80) : 0.0, 1.0);
  random_box("100 types", t, 1500, 9, 8, 7, edges_zero, all_periodic, 41);
  free(t);
}

/* Codes of bonded partners, only for the image less than half a box away: in the small boxes
   several images of a partner are in the same row. Tags beyond 32 bits once. */
static void test_special(void)
{
  static const double tilt[3] = {0.7, -0.5, 0.4};
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  for (int form = 0; form < 4; form++) {
    test_system s;
    uint64_t seed = 50 + (uint64_t) form;
    const double l = form == 1 ? 1.8 : form == 2 ? 0.8 : 6.0;
    open_box(&s, &t, l, 1.1 * l, 0.9 * l, form == 2 ? tilt : edges_zero, all_periodic);
    system_fill(&s, form == 2 ? 8 : form == 1 ? 40 : 600, 1, 1.0, &seed);
    system_chains(&s, form == 3 ? 600 : 7);
    system_shift_tags(&s, form == 3 ? 5000000000 : 0);
    check_system(form == 1   ? "chains, smaller than two cutoffs"
                 : form == 2 ? "chains, smaller than one"
                             : "chains",
                 &t, &s);
    system_close(&s);
  }
}

/* One object through boxes that grow and shrink, dense and empty, by turns: nothing of an earlier
   list may remain. Every list is also compared with that of a fresh object. */
static void test_rebuilds(void)
{
  static const int count[] = {500, 3, 1200, 0, 900, 40, 1, 700};
  static const double edge[] = {5, 30, 4, 6, 9, 0.9, 0.5, 6};
  test_engine e;
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  for (int k = 0; k < variants.n; k++) {
    if (!CHECK_OK(engine_open(&e, &variants.options[k], DS_PRECISION_MIXED), e.err)) continue;
    for (int c = 0; c < (int) (sizeof count / sizeof *count); c++) {
      test_system s;
      test_list got, expected;
      uint64_t seed = 60 + (uint64_t) c;
      open_box(&s, &t, edge[c], edge[c], 1.1 * edge[c], edges_zero,
               c % 2 ? none_periodic : all_periodic);
      system_fill(&s, count[c], 1, 1.0, &seed);
      if (c % 3 == 1) system_chains(&s, 5);
      system_images(&s);
      list_by_brute_force(&expected, &s, &t, 0, variants.options[k].gpus);
      if (CHECK_OK(engine_setup(&e, &t, &s, c), e.err) &&
          CHECK_OK(list_read(&got, e.dpd, &e.err), e.err)) {
        check_same("rebuilds", variant_name(&variants.options[k]), &got, &expected);
        list_free(&got);
      }
      list_free(&expected);
      system_close(&s);
    }
    engine_close(&e);
  }
}

/* Pairs just within the range, along an axis of so many cutoffs that a position in 32 bits, of which double precision
   makes its lists, is coarse: none is missed. There are cells of the least width along that axis, as it is these that
   leave the least room for rounding. Returns how many of the pairs are. */
static int missed_in_wide_box(const ds_pair_options *options, ds_precision precision, int pairs,
                              double skin, int periodic, double sign)
{
  const int n = 2 * pairs;
  const double length = 2.0 * pairs * (1.0 + skin), range = 1.0 + skin;
  double *const x = test_alloc(24 * (size_t) n), *const v = test_alloc(24 * (size_t) n);
  int32_t *const type = test_alloc(4 * (size_t) n);
  int64_t *const tag = test_alloc(8 * (size_t) n);
  uint64_t seed = 77;
  test_model t;
  test_engine e;
  test_list list;
  ds_box box;
  ds_atoms atoms;
  int found = 0;
  memset(&box, 0, sizeof box);
  memset(&atoms, 0, sizeof atoms);
  memset(v, 0, 24 * (size_t) n);
  for (int d = 0; d < 3; d++) {
    box.h[d] = d ? 2.2 * range : length;
    box.periodic[d] = d > 0 || periodic;
    box.undecomposed[d] = 1;
    box.subhi[d] = 1.0;
  }
  for (int i = 0; i < n; i++) {
    const double place = 2.0 * range * (i / 2) + 0.9 * range * check_uniform(&seed);
    x[3 * i] = i % 2 ? x[3 * i - 3] + range * (1.0 - 1e-9) : place;
    x[3 * i + 1] = i % 2 ? x[3 * i - 2] : 2.0 * check_uniform(&seed);
    x[3 * i + 2] = i % 2 ? x[3 * i - 1] : 2.0 * check_uniform(&seed);
    type[i] = 1;
    tag[i] = i + 1;
  }
  for (int k = 0; k < 3 * n && sign < 0.0; k += 3) x[k] = length - x[k];
  atoms.nlocal = n;
  atoms.tag = array_of_tags(tag, 1);
  atoms.type = array_of_ints(type, 1);
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, skin);
  const ds_array xs = array_of_doubles(x, 3), vs = array_of_doubles(v, 3);
  if (CHECK_OK(engine_open(&e, options, precision), e.err) &&
      CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err) &&
      CHECK_OK(ds_pair_set_box(e.dpd, &box, &e.err), e.err) &&
      CHECK_OK(ds_pair_set_atoms(e.dpd, &atoms, &e.err), e.err) &&
      CHECK_OK(ds_pair_load(e.dpd, &xs, &vs, 1, &e.err), e.err) &&
      CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err) &&
      CHECK_OK(list_read(&list, e.dpd, &e.err), e.err)) {
    for (int r = 0; r < list.rows; r++)
      for (int64_t k = list.start[r]; k < list.start[r + 1]; k++)
        found += (int) (list.entries[k] & DS_INDEX_MASK) == (list.atom[r] ^ 1);
    list_free(&list);
  }
  if (e.dpd) engine_close(&e);
  free(x), free(v), free(type), free(tag);
  return n - found;
}

static void test_wide_boxes(void)
{
  static const int pairs[3] = {2500, 10000, 40000}; /* up to 104,000 cutoffs: more are refused */
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++)
      for (int w = 0; w < (check_brief() ? 1 : 3); w++)
        for (int way = 0; way < 8; way++) {
          const int missed = missed_in_wide_box(&variants.options[k], (ds_precision) p, pairs[w],
                                                way & 1 ? 0.3 : 0.0, way & 4, way & 2 ? -1.0 : 1.0);
          CHECK_MSG(missed == 0, "variant %d, precision %d, %d pairs, way %d: %d are missed", k, p,
                    pairs[w], way, missed);
        }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_random());
  CHECK_CASE(test_small_boxes());
  CHECK_CASE(test_clusters());
  CHECK_CASE(test_lattice());
  CHECK_CASE(test_outside());
  CHECK_CASE(test_types());
  CHECK_CASE(test_special());
  CHECK_CASE(test_rebuilds());
  CHECK_CASE(test_wide_boxes());
  if (check_all()) CHECK(without_ghosts >= 16);
  return check_result();
}
