/* test_engine_rdf.c: histograms of distances against all images of all pairs, one after the other: boxes, cutoffs up to the
   box, particles outside of it, groups, kinds of pairs, special neighbors and exclusions; shares of several processes; what is
   refused.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_rdf cuda" makes the same checks on the GPU. */
#include "dpdsop/rdf.h"

#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

enum { PARTICLES = 160, TYPES = 3, KINDS = 4, BINS = 30, LIMIT = KINDS * BINS, MAX_SPECIAL = 3 };

static const setting boxes[] = {
    {.name = "periodic", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}},
    {.name = "walls", .ngroups = 1, .group = {1}, .periodic = {1, 0, 0}},
    {.name = "tilted", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}, .tilt = {0.4, -1.3, 1.1}},
    {.name = "tilted, walls", .ngroups = 1, .group = {1}, .periodic = {0, 1, 0}, .tilt = {0.4, 0.0, 1.1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* Types 1 with 3 are not counted. */
static const int32_t kinds[TYPES * TYPES] = {0, 1, -1, 1, 2, 3, -1, 3, 2};

typedef struct {
  particles p;
  int32_t nspecial[3 * PARTICLES];
  int64_t special[MAX_SPECIAL * PARTICLES], molecule[PARTICLES];
  const ds_exclusion *exclusion;
  int nexclusions, has_special;
  ds_rdf_settings settings;
  const setting *box;
} fluid;

/* Some are on a lattice, where many distances are at borders of bins; some are a box outside. */
static void fluid_open(fluid *f, const setting *s, double cutoff)
{
  const ds_wrap w = wrap_of(s);
  uint64_t seed = 5;
  memset(f, 0, sizeof *f);
  particles_open(&f->p, PARTICLES);
  particles_fill(&f->p, s, FILL_RANDOM, 91);
  f->box = s;
  for (int i = 0; i < PARTICLES; i++) {
    double *const x = f->p.a.x + 3 * i;
    int out[3];
    for (int d = 0; d < 3; d++) {
      if (i % 2) x[d] = low[d] + 0.5 * floor(2.0 * (x[d] - low[d]));
      out[d] = s->periodic[d] && i % 5 == 0 ? (int) (check_random(&seed) % 3) - 1 : 0;
    }
    x[0] += out[0] * w.edge[0] + out[1] * w.edge[5] + out[2] * w.edge[4];
    x[1] += out[1] * w.edge[1] + out[2] * w.edge[3];
    x[2] += out[2] * w.edge[2];
    f->p.a.type[i] = 1 + (int32_t) (check_random(&seed) % TYPES);
    f->molecule[i] = i / 10;
  }
  const ds_rdf_settings settings = {BINS, BINS / cutoff, cutoff, GROUP_ONE | GROUP_TWO, TYPES, KINDS, kinds, {0, 1, 0, 1}};
  f->settings = settings;
}

static ds_rdf_atoms rdf_atoms_of(fluid *f, int first, int nown)
{
  const ds_array counts = {f->nspecial + 3 * first, DS_I32, DS_SPACE_HOST, 3, 1};
  const ds_array partners = {f->special + MAX_SPECIAL * first, DS_I64, DS_SPACE_HOST, MAX_SPECIAL, 1};
  const ds_array molecules = {f->molecule, DS_I64, DS_SPACE_HOST, 1, 1};
  const ds_resident_atoms fields = particles_fields(&f->p, f->box);
  ds_rdf_atoms a;
  memset(&a, 0, sizeof a);
  a.n = PARTICLES;
  a.first = first;
  a.nown = nown;
  a.x = fields.x;
  a.type = fields.type;
  a.mask = fields.mask;
  a.tag = fields.tag;
  if (f->has_special) a.nspecial = counts;
  if (f->has_special) a.special = partners;
  a.nexclusions = f->nexclusions;
  a.exclusion = f->exclusion;
  if (f->nexclusions) a.molecule = molecules;
  return a;
}

/* ------------------------------------------------------------------------------------- plain search */

/* Of the two that of which the image is further up in z, else y, else x, is moved. */
static void plain_difference(const fluid *f, int i, int j, const int n[3], double d[3])
{
  const ds_wrap w = wrap_of(f->box);
  const int up = n[2] ? n[2] : n[1] ? n[1] : n[0], sign = up < 0 ? -1 : 1;
  const double *const x = f->p.a.x;
  double moved[3];
  memcpy(moved, x + 3 * (up < 0 ? i : j), sizeof moved);
  moved[0] += sign * n[0] * w.edge[0];
  moved[0] += sign * n[1] * w.edge[5];
  moved[0] += sign * n[2] * w.edge[4];
  moved[1] += sign * n[1] * w.edge[1];
  moved[1] += sign * n[2] * w.edge[3];
  moved[2] += sign * n[2] * w.edge[2];
  for (int k = 0; k < 3; k++) d[k] = up < 0 ? moved[k] - x[3 * j + k] : x[3 * i + k] - moved[k];
}

static int is_left_out(const fluid *f, int i, int j, const double d[3])
{
  const atoms *const a = &f->p.a;
  for (int k = 0; k < f->nexclusions; k++) {
    const ds_exclusion *const e = &f->exclusion[k];
    if (e->kind == DS_EXCLUDE_TYPES &&
        ((a->type[i] == e->a && a->type[j] == e->b) || (a->type[i] == e->b && a->type[j] == e->a)))
      return 1;
    if (e->kind == DS_EXCLUDE_SAME_MOLECULE && (a->mask[i] & a->mask[j] & e->a) && f->molecule[i] == f->molecule[j]) return 1;
  }
  if (!f->has_special) return 0;
  for (int k = 0; k < 3; k++)
    if (f->box->periodic[k] && fabs(d[k]) > 0.5 * edge[k]) return 0;
  const int32_t *const n = f->nspecial + 3 * i;
  for (int k = 0; k < n[2]; k++)
    if (f->special[MAX_SPECIAL * i + k] == a->tag[j]) return f->settings.special_is_out[k < n[0] ? 1 : k < n[1] ? 2 : 3];
  return 0;
}

static void count_image(const fluid *f, int i, int j, const int n[3], int64_t *counts)
{
  const ds_rdf_settings *const s = &f->settings;
  double d[3];
  plain_difference(f, i, j, n, d);
  const double at = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * s->inverse_width;
  const int32_t kind = s->kind[(f->p.a.type[i] - 1) * TYPES + f->p.a.type[j] - 1];
  if (at >= BINS || kind < 0 || is_left_out(f, i, j, d)) return;
  counts[kind * BINS + (int) at]++;
}

static void plain_counts(const fluid *f, int64_t *counts)
{
  enum { FAR = 3 }; /* each a box outside, on opposite sides, and one further */
  const atoms *const a = &f->p.a;
  int most[3];
  memset(counts, 0, LIMIT * sizeof *counts);
  for (int d = 0; d < 3; d++) most[d] = f->box->periodic[d] ? FAR : 0;
  for (int i = 0; i < PARTICLES; i++)
    for (int j = i + 1; j < PARTICLES; j++) {
      if (!(a->mask[i] & f->settings.group) || !(a->mask[j] & f->settings.group)) continue;
      for (int z = -most[2]; z <= most[2]; z++)
        for (int y = -most[1]; y <= most[1]; y++)
          for (int x = -most[0]; x <= most[0]; x++) {
            const int n[3] = {x, y, z};
            count_image(f, i, j, n, counts);
          }
    }
}

/* -------------------------------------------------------------------------------------------- checks */

static void check_counts(const int64_t *got, const int64_t *expected, const fluid *f, const char *what)
{
  int64_t all = 0, differ = 0;
  for (int k = 0; k < LIMIT; k++) {
    all += expected[k];
    differ += got[k] != expected[k];
  }
  CHECK_MSG(all > 20, "%s, cutoff %g: %lld pairs are too few to compare", f->box->name, f->settings.cutoff, (long long) all);
  CHECK_MSG(differ == 0, "%s, cutoff %g, %s: %lld of %d numbers differ", f->box->name, f->settings.cutoff, what,
            (long long) differ, LIMIT);
}

static ds_rdf *open_rdf(int v, int threads)
{
  ds_rdf *r;
  ds_error err;
  if (!CHECK_OK(ds_rdf_open(&r, variants.options[v].backend, 0, threads, &err), err)) exit(1);
  return r;
}

/* Each process counts a part of the pairs. */
static void check_shares(ds_rdf *r, fluid *f, const int64_t *expected)
{
  static const int from[] = {0, 70, 70, 155, PARTICLES};
  const ds_wrap w = wrap_of(f->box);
  int64_t part[LIMIT], sum[LIMIT] = {0};
  ds_error err;
  for (int k = 0; k < 4; k++) {
    const ds_rdf_atoms a = rdf_atoms_of(f, from[k], from[k + 1] - from[k]);
    CHECK_OK(ds_rdf_count(r, &f->settings, &a, &w, part, &err), err);
    for (int b = 0; b < LIMIT; b++) sum[b] += part[b];
  }
  check_counts(sum, expected, f, "four processes");
}

static void check_variant(int v, fluid *f, const int64_t *expected, const char *what)
{
  const ds_wrap w = wrap_of(f->box);
  const ds_rdf_atoms a = rdf_atoms_of(f, 0, PARTICLES);
  int64_t got[LIMIT];
  ds_error err;
  for (int threads = 1; threads <= 3; threads += 2) {
    ds_rdf *const r = open_rdf(v, threads);
    for (int again = 0; again < 2; again++) {
      CHECK_OK(ds_rdf_count(r, &f->settings, &a, &w, got, &err), err);
      check_counts(got, expected, f, what);
    }
    if (threads == 3) check_shares(r, f, expected);
    ds_rdf_close(r);
  }
}

static void check_fluid(fluid *f, const char *what)
{
  int64_t expected[LIMIT];
  plain_counts(f, expected);
  for (int v = 0; v < variants.n; v++) check_variant(v, f, expected, what);
}

static void test_box(const setting *s, double cutoff)
{
  static const ds_exclusion rules[] = {{DS_EXCLUDE_TYPES, 1, 2}, {DS_EXCLUDE_SAME_MOLECULE, GROUP_ONE, 0}};
  static fluid f;
  fluid_open(&f, s, cutoff);
  check_fluid(&f, "all");
  f.settings.group = GROUP_ONE;
  check_fluid(&f, "a group");
  f.exclusion = rules;
  f.nexclusions = 2;
  check_fluid(&f, "exclusions");
  particles_close(&f.p);
}

/* Four that are near each other: number i ^ 1 is a 1-2 neighbor, i ^ 2 a 1-3 and i ^ 3 a 1-4 neighbor. */
static void test_special(const setting *s, double cutoff)
{
  static fluid f;
  fluid_open(&f, s, cutoff);
  f.has_special = 1;
  for (int i = 0; i < PARTICLES; i++) {
    for (int k = 0; k < MAX_SPECIAL; k++) {
      f.nspecial[3 * i + k] = k + 1;
      f.special[MAX_SPECIAL * i + k] = f.p.a.tag[i ^ (k + 1)];
    }
    for (int d = 0; d < 3; d++) f.p.a.x[3 * i + d] = f.p.a.x[3 * (i / 4 * 4) + d] + 0.3 * (i % 4) * (d + 1);
  }
  check_fluid(&f, "special neighbors");
  particles_close(&f.p);
}

/* A counter of 32 bits for each bin is not there for many bins. */
static void test_many_bins(int v)
{
  enum { MANY = 20000 };
  static fluid f;
  static int64_t got[KINDS * MANY];
  int64_t expected[LIMIT], joined[LIMIT] = {0};
  ds_error err;
  fluid_open(&f, &boxes[0], 3.0);
  const ds_wrap w = wrap_of(f.box);
  const ds_rdf_atoms a = rdf_atoms_of(&f, 0, PARTICLES);
  for (int i = 0; i < PARTICLES; i++) /* no distance is at a border of bins */
    for (int d = 0; d < 3; d++) f.p.a.x[3 * i + d] += 1e-3 * sin(7.0 * i + d);
  plain_counts(&f, expected);
  ds_rdf_settings many = f.settings;
  many.nbins = MANY / BINS * BINS;
  many.inverse_width = many.nbins / many.cutoff;
  ds_rdf *const r = open_rdf(v, 2);
  CHECK_OK(ds_rdf_count(r, &many, &a, &w, got, &err), err);
  for (int k = 0; k < KINDS * many.nbins; k++) joined[k / (many.nbins / BINS)] += got[k];
  check_counts(joined, expected, &f, "many bins");
  ds_rdf_close(r);
  particles_close(&f.p);
}

static void test_refused(int v)
{
  static fluid f;
  int64_t counts[LIMIT];
  ds_error err;
  fluid_open(&f, &boxes[0], 2.0);
  ds_rdf *const r = open_rdf(v, 1);
  ds_wrap w = wrap_of(f.box);
  ds_rdf_settings bad = f.settings;
  ds_rdf_atoms a = rdf_atoms_of(&f, 0, PARTICLES);
  static const int32_t one_way[TYPES * TYPES] = {0, 1, -1, 2, 2, 3, -1, 3, 2};
#define BAD(change, words)                                                                                                     \
  bad = f.settings, change, EXPECT(ds_rdf_count(r, &bad, &a, &w, counts, &err), err, DS_ERR_ARGUMENT, words)
  BAD(bad.cutoff = 0.0, "distances up to 0");
  BAD(bad.inverse_width = NAN, "in bins of nan");
  BAD(bad.cutoff = 6.6, "cutoff 6.6|width of the box along x, 6.5");
  BAD(bad.nbins = 0, "4 histograms of 0 bins");
  BAD(bad.nkinds = 0, "0 histograms of 30 bins");
  BAD(bad.nbins = INT32_MAX, "histograms of 2147483647 bins");
  BAD(bad.ntypes = 0, "0 types; allowed: 1 to 4096");
  BAD(bad.kind = NULL, "kinds of pairs");
  BAD(bad.nkinds = 3, "pairs of types 2 and 3 are of kind 3");
  BAD(bad.kind = one_way, "pairs of types 1 and 2 are of kind 1, and the other way 2");
  a.nown = PARTICLES + 1;
  BAD((void) 0, "particles 0 to 160 of 160");
  a.nown = PARTICLES;
  a.x.data = NULL;
  BAD((void) 0, "array of positions");
  a = rdf_atoms_of(&f, 0, PARTICLES);
  w.inverse[1] = INFINITY;
  BAD((void) 0, "width 0 of the box");
  w = wrap_of(f.box);
  f.p.a.x[7] = NAN;
  f.p.a.x[33] = 1e9;
  BAD((void) 0, "2 particles have coordinates that are no numbers, or more than 200 boxes outside");
#undef BAD
  f.p.a.x[7] = f.p.a.x[33] = 0.0;
  CHECK_OK(ds_rdf_count(r, &f.settings, &a, &w, counts, &err), err); /* after an error */
  a.n = a.nown = 0;
  CHECK_OK(ds_rdf_count(r, &f.settings, &a, &w, counts, &err), err);
  for (int k = 0; k < LIMIT; k++) CHECK_MSG(counts[k] == 0, "pairs of no particles");
  ds_rdf_close(r);
  ds_rdf *none;
  EXPECT(ds_rdf_open(&none, (ds_backend) 7, 0, 1, &err), err, DS_ERR_ARGUMENT, "backend 7");
  EXPECT(ds_rdf_open(&none, DS_BACKEND_HOST, -1, 1, &err), err, DS_ERR_ARGUMENT, "local rank -1");
  particles_close(&f.p);
}

int main(int argc, char **argv)
{
  static const double cutoffs[] = {1.2, 3.0, 6.0};
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int b = 0; b < BOXES; b++) {
    for (int k = 0; k < 3; k++) CHECK_CASE(test_box(&boxes[b], cutoffs[k]));
    CHECK_CASE(test_special(&boxes[b], 3.1));
  }
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(test_many_bins(v));
    CHECK_CASE(test_refused(v));
  }
  return check_result();
}
