/* test_engine_together.c: several pair styles in one object, on one list: forces, energies and virials are the sums of those of
   an object for each style, to the bit.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_together cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"

static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {0.6, -0.9, 1.1};
static const int none_periodic[3] = {0, 0, 0};
static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};

enum { SIDE = 8, MOST = DS_MAX_STYLES };
static const double SPACING = 1.12;

/* Styles that act together, and their models. */
typedef struct {
  int n;
  test_model model[MOST];
} interactions;

static void add_lj(interactions *a, int ntypes, double epsilon, double sigma, double cutoff)
{
  test_model *const t = &a->model[a->n++];
  model_open(t, ntypes, 0, 0, cutoff, 1.0, 0.3);
  model_style(t, &ds_style_lj_cut);
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) model_lj(t, i, j, epsilon, sigma, cutoff, i == j);
}

static test_model *add_dpd(interactions *a, const ds_pair_style *style, int ntypes, double cutoff, double power)
{
  test_model *const t = &a->model[a->n++];
  model_open(t, ntypes, 25, 4.5, cutoff, power, 0.3);
  model_style(t, style);
  return t;
}

static double longest_range(const interactions *a)
{
  double range = 0.0;
  for (int k = 0; k < a->n; k++) range = fmax(range, model_range(&a->model[k]));
  return range;
}

/* Atoms near the points of a grid. */
static void fill(test_system *s, const interactions *a, const double skew[3], const int periodic[3], uint64_t seed)
{
  const double edge = SIDE * SPACING, edges[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  system_open(s, lo, edges, periodic, longest_range(a), 0.3);
  system_fill(s, SIDE * SIDE * SIDE, a->model[0].m.ntypes, 1.0, &seed);
  for (int k = 0; k < s->nlocal; k++) {
    const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
    double l[3];
    for (int d = 0; d < 3; d++) l[d] = (at[d] + 0.5 + 0.2 * (check_uniform(&seed) - 0.5)) / SIDE;
    s->x[3 * k] = edges[0] * l[0] + edges[5] * l[1] + edges[4] * l[2];
    s->x[3 * k + 1] = edges[1] * l[1] + edges[3] * l[2];
    s->x[3 * k + 2] = edges[2] * l[2];
  }
}

static ds_pair_options options_of(const interactions *a, const ds_pair_options *variant)
{
  ds_pair_options o = *variant;
  o.style = a->model[0].style;
  for (int k = 1; k < a->n; k++) o.more[k - 1] = a->model[k].style;
  return o;
}

/* An object for all of them, ready for an evaluation. */
static int open_all(test_engine *e, const interactions *a, const ds_pair_options *variant, ds_precision p, const test_system *s)
{
  const ds_pair_options o = options_of(a, variant);
  if (!CHECK_OK(engine_open(e, &o, p), e->err)) return 0;
  for (int k = 1; k < a->n; k++)
    if (!CHECK_OK(ds_pair_set_model_of(e->dpd, k, &a->model[k].m, &e->err), e->err)) return 0;
  return CHECK_OK(engine_setup(e, &a->model[0], s, 9), e->err);
}

static int compute_all(test_engine *e, ds_pair_totals *totals)
{
  ds_pair_request r = {1, 1, array_of_doubles(e->f, 3), 0, array_of_doubles(e->eatom, 1), array_of_doubles(e->vatom, 6), 0, 0};
  const size_t n = (size_t) e->system->nlocal;
  memset(e->f, 0, 24 * n);
  memset(e->eatom, 0, 8 * n);
  memset(e->vatom, 0, 48 * n);
  return CHECK_OK(ds_pair_compute(e->dpd, &r, totals, &e->err), e->err);
}

static void add_answer(answer *sum, const answer *part)
{
  for (int i = 0; i < 3 * sum->n; i++) sum->f[i] += part->f[i];
  for (int i = 0; i < sum->n; i++) sum->eatom[i] += part->eatom[i];
  for (int i = 0; i < 6 * sum->n; i++) sum->vatom[i] += part->vatom[i];
}

static void compare(const char *name, const interactions *a, const test_system *s)
{
  answer sum, part;
  answer_open(&sum, s->nlocal);
  answer_open(&part, s->nlocal);
  for (int p = 0; p < 2; p++)
    for (int v = 0; v < variants.n; v++) {
      ds_pair_totals totals[MOST];
      test_engine e;
      memset(totals, 0, sizeof totals);
      memset(sum.f, 0, 24 * (size_t) sum.n);
      memset(sum.eatom, 0, 8 * (size_t) sum.n);
      memset(sum.vatom, 0, 48 * (size_t) sum.n);
      if (open_all(&e, a, &variants.options[v], precision[p], s) && compute_all(&e, totals)) {
        for (int k = 0; k < a->n; k++) {
          if (!evaluate(&part, plain(), precision[p], &a->model[k], s, NULL)) continue;
          add_answer(&sum, &part);
          CHECK_MSG(totals[k].energy == part.energy, "%s, style %d: energy %.17g and %.17g", name, k, totals[k].energy,
                    part.energy);
          CHECK(memcmp(totals[k].virial, part.virial, sizeof part.virial) == 0);
          for (int c = 0; c < 3; c++) CHECK(totals[k].force_sum[c] == 0);
        }
        answer_take(&part, &e, NULL);
        check_atoms(&part, &sum, name, precision_name[p]);
        double largest = 0.0;
        for (int i = 0; i < 3 * sum.n; i++) largest = fmax(largest, fabs(sum.f[i]));
        CHECK(largest > 1.0);
      }
      if (e.dpd) engine_close(&e);
    }
  answer_close(&sum);
  answer_close(&part);
}

/* A process with all atoms of the box needs no ghosts, if the box is wide enough for all styles. */
static int is_alone(const interactions *a, const test_system *s)
{
  for (int k = 0; k < a->n; k++)
    if (!engine_alone(&a->model[k], &s->box)) return 0;
  return 1;
}

/* With ghosts, and where it can be without. */
static void compare_both(const char *name, const interactions *a, test_system *s)
{
  system_images(s);
  compare(name, a, s);
  if (!is_alone(a, s)) return;
  const test_system view = system_alone(s);
  compare(name, a, &view);
}

static void box(const char *name, const interactions *a, const double skew[3], const int periodic[3], uint64_t seed)
{
  test_system s;
  fill(&s, a, skew, periodic, seed);
  if (a->model[0].m.special[1] != 1.0) system_chains(&s, 6);
  compare_both(name, a, &s);
  system_close(&s);
}

static void test_sums(void)
{
  static interactions a;
  memset(&a, 0, sizeof a);
  add_lj(&a, 1, 1.0, 1.0, 2.5);
  add_dpd(&a, &ds_style_dpd_tstat, 1, 1.5, 0.5);
  box("lj/cut and dpd/tstat", &a, no_tilt, all_periodic, 2001);
  box("lj/cut and dpd/tstat, tilted", &a, tilt, all_periodic, 2002);
  box("lj/cut and dpd/tstat, not periodic", &a, no_tilt, none_periodic, 2003);

  memset(&a, 0, sizeof a);
  add_dpd(&a, &ds_style_dpd, 1, 1.9, 1.0);
  add_lj(&a, 1, 0.3, 0.9, 1.3);
  box("dpd and lj/cut of a smaller cutoff", &a, no_tilt, all_periodic, 2004);

  /* pairs of types of one style alone, as in a hybrid; three objects of one style */
  memset(&a, 0, sizeof a);
  add_lj(&a, 3, 1.0, 1.0, 2.5);
  model_lj(&a.model[0], 1, 2, 0.0, 1.0, 0.0, 0);
  model_lj(&a.model[0], 2, 2, 0.0, 1.0, 0.0, 0);
  test_model *const ext = add_dpd(&a, &ds_style_dpd_ext, 3, 1.4, 0.5);
  model_pair(ext, 1, 1, 0, 0, 0.0, 1.0);
  model_pair(ext, 1, 2, 40, 3, 1.8, 2.0);
  model_across(ext, 1, 2, 7.0, 1.0);
  add_lj(&a, 3, 0.2, 0.8, 1.7);
  add_lj(&a, 3, -0.1, 0.9, 2.1);
  model_lj(&a.model[3], 1, 3, 0.5, 1.0, 2.9, 0);
  box("four styles, three types", &a, no_tilt, all_periodic, 2005);
  for (int k = 0; k < a.n; k++)
    for (int code = 1; code < 4; code++) a.model[k].m.special[code] = 0.25 * (code - 1) + 0.1 * k;
  box("four styles, three types, special factors of their own", &a, tilt, all_periodic, 2006);
}

/* Charges of some atoms among many, whose style has a longer range and comes first, and does not act on all types. */
static void open_charged(interactions *a)
{
  memset(a, 0, sizeof *a);
  model_coul(&a->model[a->n++], 2, 13.87, 0.25, 0.9, 3.0, 0.3);
  add_dpd(a, &ds_style_dpd, 2, 1.0, 1.0);
}

/* Pairs that rules of groups and types take out of all lists. */
static void test_excluded(const interactions *a)
{
  static const ds_exclusion rules[2] = {{DS_EXCLUDE_GROUPS, 1, 2}, {DS_EXCLUDE_TYPES, 2, 2}};
  test_system s;
  fill(&s, a, no_tilt, all_periodic, 2014);
  system_chains(&s, 6);
  for (int i = 0; i < s.nlocal; i++) s.mask[i] = 1 << i % 3;
  s.exclusion = rules;
  s.nexclusions = 2;
  compare_both("coul/slater/long and dpd, with exclusions", a, &s);
  system_close(&s);
}

static void test_charged(void)
{
  static interactions a;
  open_charged(&a);
  box("coul/slater/long and dpd", &a, no_tilt, all_periodic, 2007);
  box("coul/slater/long and dpd, tilted", &a, tilt, all_periodic, 2008);
  box("coul/slater/long and dpd, not periodic", &a, no_tilt, none_periodic, 2009);
  for (int k = 0; k < a.n; k++)
    for (int code = 1; code < 4; code++) a.model[k].m.special[code] = 0.25 * (code - 1) + 0.1 * k;
  box("coul/slater/long and dpd, special factors of their own", &a, no_tilt, all_periodic, 2011);
  test_excluded(&a);
  model_pair(&a.model[0], 1, 1, 1.0, 0.0, 0.0, 1.0);
  model_pair(&a.model[0], 1, 2, 1.0, 0.0, 0.0, 1.0);
  box("coul/slater/long of one type, and dpd", &a, no_tilt, all_periodic, 2012);
}

/* Atoms that get a charge when there is a list, or lose it: all charges move on to the next atom. */
static ds_status move_charges(test_engine *e, int64_t step)
{
  const test_system *const s = e->system;
  const ds_array charges = array_of_doubles(e->charge, 1);
  for (int k = 0; k < s->nlocal + s->nghost; k++) e->charge[k] = system_charge(s->tag[k] + 1);
  const ds_status status = ds_pair_set_charges(e->dpd, &charges, &e->err);
  return status ? status : engine_load(e, step);
}

static void test_new_charges(void)
{
  static interactions a;
  test_system atoms, s;
  answer got, expected;
  ds_pair_totals totals[MOST];
  open_charged(&a);
  fill(&atoms, &a, no_tilt, all_periodic, 2013);
  CHECK(is_alone(&a, &atoms));
  s = system_alone(&atoms);
  answer_open(&got, s.nlocal);
  answer_open(&expected, s.nlocal);
  for (int v = 0; v < variants.n; v++) {
    test_engine kept, made;
    if (open_all(&kept, &a, &variants.options[v], DS_PRECISION_MIXED, &s) && compute_all(&kept, totals) &&
        CHECK_OK(move_charges(&kept, 10), kept.err) && compute_all(&kept, totals) &&
        open_all(&made, &a, &variants.options[v], DS_PRECISION_MIXED, &s)) {
      if (CHECK_OK(move_charges(&made, 10), made.err) && CHECK_OK(ds_pair_build_list(made.dpd, &made.err), made.err) &&
          compute_all(&made, totals)) {
        answer_take(&got, &kept, NULL);
        answer_take(&expected, &made, NULL);
        check_atoms(&got, &expected, "charges that others get", "mixed");
      }
      engine_close(&made);
    }
    if (kept.dpd) engine_close(&kept);
  }
  answer_close(&got);
  answer_close(&expected);
  system_close(&atoms);
}

/* A model that changes between evaluations: shorter cutoffs keep the list, longer ones want another. */
static void test_changes(void)
{
  static interactions a;
  test_system s;
  answer got, expected, part;
  memset(&a, 0, sizeof a);
  add_lj(&a, 1, 1.0, 1.0, 2.5);
  add_dpd(&a, &ds_style_dpd_tstat, 1, 1.5, 1.0);
  fill(&s, &a, no_tilt, all_periodic, 2010);
  s.range = 3.8;
  system_images(&s);
  answer_open(&got, s.nlocal);
  answer_open(&expected, s.nlocal);
  answer_open(&part, s.nlocal);
  for (int v = 0; v < variants.n; v++) {
    static const double cutoff[4] = {1.1, 2.4, 3.4, 1.5};
    ds_pair_totals totals[MOST];
    test_engine e;
    if (open_all(&e, &a, &variants.options[v], DS_PRECISION_MIXED, &s))
      for (int k = 0; k < 4; k++) {
        model_pair(&a.model[1], 1, 1, 0, 4.5, cutoff[k], 1.0);
        a.model[1].m.seed = 77 + (uint32_t) k;
        CHECK_OK(ds_pair_set_model_of(e.dpd, 1, &a.model[1].m, &e.err), e.err);
        CHECK_OK(engine_load(&e, 9), e.err);
        CHECK_INT(ds_pair_has_list(e.dpd), cutoff[k] <= 2.5);
        if (!ds_pair_has_list(e.dpd)) CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err);
        if (!compute_all(&e, totals)) continue;
        answer_take(&got, &e, NULL);
        evaluate(&expected, plain(), DS_PRECISION_MIXED, &a.model[0], &s, NULL);
        evaluate(&part, plain(), DS_PRECISION_MIXED, &a.model[1], &s, NULL);
        add_answer(&expected, &part);
        check_atoms(&got, &expected, "changed", "mixed");
        a.model[1].m.seed = 12345;
      }
    if (e.dpd) engine_close(&e);
  }
  answer_close(&got);
  answer_close(&expected);
  answer_close(&part);
  system_close(&s);
}

/* The pair that is named is one of the style whose force is too large, with that style's limit. */
static void test_faults(void)
{
  static interactions a;
  memset(&a, 0, sizeof a);
  add_dpd(&a, &ds_style_dpd, 1, 1.0, 1.0);
  add_lj(&a, 1, 1.0, 1.0, 2.5);
  for (int v = 0; v < variants.n; v++) {
    static const double cube[6] = {16, 16, 16, 0, 0, 0}, at[2][3] = {{8, 8, 8}, {8.5, 8, 8}};
    static const double still[3] = {0, 0, 0};
    test_system s;
    test_engine e;
    ds_pair_totals totals[MOST];
    system_open(&s, lo, cube, all_periodic, 2.8, 0.3);
    for (int i = 0; i < 2; i++) system_add(&s, at[i], still, 1);
    system_images(&s);
    if (open_all(&e, &a, &variants.options[v], DS_PRECISION_MIXED, &s)) {
      ds_pair_request r = {1, 0, array_of_doubles(e.f, 3), 0, array_none(), array_none(), 0, 0};
      EXPECT(ds_pair_compute(e.dpd, &r, totals, &e.err), e.err, DS_ERR_FORCE_RANGE, " of lj/cut between atoms 1 and 2");
      /* 24 (2 / 0.5^13 - 1 / 0.5^7) */
      CHECK_MSG(strstr(e.err.text, "force 390144 ") != NULL, "%s", e.err.text);
    }
    if (e.dpd) engine_close(&e);
    system_close(&s);
  }
}

static void test_misuse(void)
{
  static interactions a;
  memset(&a, 0, sizeof a);
  add_dpd(&a, &ds_style_dpd, 1, 1.0, 1.0);
  add_dpd(&a, &ds_style_dpd_tstat, 1, 1.0, 1.0);
  ds_pair *pair = NULL;
  ds_error err;
  ds_pair_options o = options_of(&a, plain());
  EXPECT(ds_pair_open(&pair, &o, &err), err, DS_ERR_ARGUMENT, "styles dpd and dpd/tstat have noise; allowed: one");
  memset(&a, 0, sizeof a);
  add_dpd(&a, &ds_style_dpd, 1, 1.0, 1.0);
  add_lj(&a, 1, 1.0, 1.0, 2.5);
  o = options_of(&a, plain());
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) return;
  static const ds_box none;
  EXPECT(ds_pair_set_model_of(pair, 2, &a.model[1].m, &err), err, DS_ERR_ARGUMENT, "style 2; allowed: 0 to 1");
  EXPECT(ds_pair_set_model_of(pair, -1, &a.model[1].m, &err), err, DS_ERR_ARGUMENT, "style -1; allowed: 0 to 1");
  EXPECT(ds_pair_set_model_of(pair, 1, NULL, &err), err, DS_ERR_ARGUMENT, "model");
  CHECK_OK(ds_pair_set_model(pair, &a.model[0].m, &err), err);
  EXPECT(ds_pair_set_box(pair, &none, &err), err, DS_ERR_ARGUMENT, "box set before the model");
  static test_model two;
  model_open(&two, 2, 0, 0, 2.5, 1.0, 0.3);
  model_style(&two, &ds_style_lj_cut);
  CHECK_OK(ds_pair_set_model_of(pair, 1, &two.m, &err), err); /* another number of types */
  EXPECT(ds_pair_set_box(pair, &none, &err), err, DS_ERR_ARGUMENT, "box set before the model");
  CHECK_OK(ds_pair_set_model_of(pair, 1, &a.model[1].m, &err), err);
  EXPECT(ds_pair_set_box(pair, &none, &err), err, DS_ERR_ARGUMENT, "edge");
  ds_pair_close(pair);
}

int main(int argc, char **argv)
{
  const int skipped = variants_open(&variants, argc, argv);
  if (skipped) return skipped;
  CHECK_CASE(test_sums());
  CHECK_CASE(test_charged());
  CHECK_CASE(test_new_charges());
  CHECK_CASE(test_changes());
  CHECK_CASE(test_faults());
  CHECK_CASE(test_misuse());
  return check_result();
}
