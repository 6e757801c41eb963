/* test_gpu_compare.c: the CUDA backend against the host backend, bit by bit.
   SPDX-License-Identifier: GPL-2.0-or-later

   Lists, forces, energies and virials of the same systems.

   test_gpu_compare [ATOMS [PART PARTS]]: ATOMS is the number of atoms of the largest system. PART of PARTS, counted from
   0, does its share of the comparisons, so that several programs do all of them side by side. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpu/backends.h"
#include "support/lists.h"
#include "support/ranks.h"

static int part, parts = 1, next_comparison;

/* Whether the next comparison is one of this part's. */
static int mine(void)
{
  return next_comparison++ % parts == part;
}

/* A system and its model. */
typedef struct {
  const char *name;
  int n, ntypes;
  double edge[3], tilt[3];
  int periodic[3];
  double power, skin, special[4];
  int chain; /* length of molecules; 0: none */
  int ball;  /* atoms in a dense ball besides */
  int cold;  /* no friction and noise: the fixed-point range is that of repulsion alone */
} config;

static const config configs[] = {
    {"fluid", 3000, 1, {10, 10, 10}, {0, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1}, 0, 0, 0},
    {"power 0.25", 3000, 1, {9, 10, 11}, {0, 0, 0}, {1, 1, 1}, 0.25, 0.3, {1, 1, 1, 1}, 0, 0, 0},
    {"tilted, three types",
     3000,
     3,
     {9, 10, 11},
     {1.5, -2.1, 3.3},
     {1, 1, 1},
     0.25,
     0.3,
     {1, 1, 1, 1},
     0,
     0,
     0},
    {"two types, s = 1, not periodic",
     2500,
     2,
     {9, 9, 9},
     {0, 0, 0},
     {0, 0, 0},
     1.0,
     0.4,
     {1, 1, 1, 1},
     0,
     0,
     0},
    {"molecules",
     2400,
     1,
     {9, 9, 10},
     {0, 0, 0},
     {1, 1, 1},
     1.0,
     0.3,
     {1, 0.25, 0.5, 0.75},
     6,
     0,
     0},
    {"molecules, no 1-2",
     2400,
     2,
     {9, 9, 10},
     {0.7, 0, -1.1},
     {1, 0, 1},
     0.5,
     0.3,
     {1, 0, 1, 1},
     4,
     0,
     0},
    {"clustered", 1000, 2, {20, 20, 20}, {0, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1}, 0, 500, 0},
    {"clustered, sums beyond 32 bits",
     500,
     1,
     {20, 20, 20},
     {0, 0, 0},
     {1, 1, 1},
     1.0,
     0.3,
     {1, 1, 1, 1},
     0,
     900,
     1},
    {"near-empty", 60, 1, {800, 900, 300}, {40, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1}, 0, 0, 0},
    {"smaller than two cutoffs",
     30,
     1,
     {1.8, 1.9, 2.1},
     {0.2, 0, 0},
     {1, 1, 1},
     1.0,
     0.3,
     {1, 1, 1, 1},
     0,
     0,
     0},
    {"one atom", 1, 1, {5, 5, 5}, {0, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1}, 0, 0, 0},
    {"no atom", 0, 1, {5, 5, 5}, {0, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1}, 0, 0, 0},
};
enum { CONFIGS = sizeof configs / sizeof *configs };

static void open_config(const config *c, const ds_pair_style *style, test_model *t, test_system *s,
                        uint64_t *seed)
{
  const double lo[3] = {-1.3, 2.5, 0.0};
  const double h[6] = {c->edge[0], c->edge[1], c->edge[2], c->tilt[0], c->tilt[1], c->tilt[2]};
  model_open(t, c->ntypes, 25, c->cold ? 0.0 : 4.5, 1.0, c->power, c->skin);
  model_style(t, style);
  for (int i = 1; i < c->ntypes; i++) model_pair(t, i, i + 1, 40, 6.0 + i, 0.7 + 0.1 * i, 1.0);
  for (int i = 1; i <= c->ntypes; i++)
    for (int j = i; j <= c->ntypes; j++) model_across(t, i, j, 3.0 * (j - i + 1), 0.5 * i);
  memcpy(t->m.special, c->special, sizeof t->m.special);
  system_open(s, lo, h, c->periodic, model_range(t), c->skin);
  system_fill(s, c->n, c->ntypes, 1.0, seed);
  if (c->ball) {
    const double center[3] = {lo[0] + 0.3 * h[0], lo[1] + 0.4 * h[1], lo[2] + 0.1};
    system_ball(s, c->ball, center, 0.8, c->ntypes, 1.0, seed);
    system_wrap(s);
  }
  if (c->chain) system_chains(s, c->chain);
  system_images(s);
}

/* ------------------------------------------------------------------------------------ comparisons */

static int same_bits(const void *a, const void *b, size_t bytes)
{
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/* Too large for brute force. Lists hold pairs up to some 5e-5 of the range further away, for rounding's sake, and there
   they differ (dpdsop/device/list_distance.h). */
static void compare_lists(const char *name, test_engine *h, test_engine *g, const test_model *t,
                          const test_system *s)
{
  test_list a, b;
  if (!CHECK_OK(list_read(&a, h->dpd, &h->err), h->err)) return;
  if (CHECK_OK(list_read(&b, g->dpd, &g->err), g->err)) {
    const int n = list_disagreements(&a, &b, s, t, 1e-4);
    CHECK_MSG(n == 0, "%s: %d entries are in one of the lists alone", name, n);
    list_free(&b);
  }
  list_free(&a);
}

static void compare_exactly(const char *name, int tally, const test_engine *h, const test_engine *g)
{
  const size_t n = (size_t) h->system->nlocal;
  CHECK_MSG(same_bits(h->f, g->f, 24 * n), "%s: forces differ", name);
  if (!tally) return;
  CHECK_MSG(same_bits(h->eatom, g->eatom, 8 * n), "%s: energies of atoms differ", name);
  CHECK_MSG(same_bits(h->vatom, g->vatom, 48 * n), "%s: virials of atoms differ", name);
  CHECK_MSG(h->totals.energy == g->totals.energy, "%s: energy %.17g, on the GPU %.17g", name,
            h->totals.energy, g->totals.energy);
  CHECK_MSG(same_bits(h->totals.virial, g->totals.virial, sizeof h->totals.virial),
            "%s: virials differ", name);
  CHECK_MSG(same_bits(h->totals.force_sum, g->totals.force_sum, sizeof h->totals.force_sum),
            "%s: sums of forces differ", name);
}

static void compare_forces(const char *name, test_engine *h, test_engine *g)
{
  for (int tally = 0; tally < 2; tally++) {
    if (!CHECK_OK(engine_forces(h, tally), h->err)) return;
    if (!CHECK_OK(engine_forces(g, tally), g->err)) return;
    compare_exactly(name, tally, h, g);
  }
}

/* Displace the own atoms by up to `far` along each axis; ghosts follow. */
static void move_atoms(test_system *s, double far, uint64_t *seed)
{
  for (int k = 0; k < 3 * s->nlocal; k++) {
    s->x[k] += far * (2.0 * check_uniform(seed) - 1.0);
    s->v[k] += 0.1 * (2.0 * check_uniform(seed) - 1.0);
  }
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) {
    memcpy(s->x + 3 * g, s->x + 3 * s->origin[g], 24);
    memcpy(s->v + 3 * g, s->v + 3 * s->origin[g], 24);
  }
}

static int setup(test_engine *e, const test_model *t, const test_system *s, int64_t step)
{
  return CHECK_OK(engine_setup(e, t, s, step), e->err);
}

/* Rebuilds in the same objects, and steps between them on the old list. The third engine has no ghosts, where none are
   needed. */
static void compare_config(const config *c, const ds_pair_style *style, ds_precision p)
{
  uint64_t seed = 100 + (uint64_t) (c - configs);
  test_model t;
  test_system s;
  test_engine e[3];
  ds_pair_options options[3] = {host, cuda, cuda};
  open_config(c, style, &t, &s, &seed);
  test_system view = system_alone(&s);
  const int engines = 2 + engine_alone(&t, &s.box);
  for (int k = 0; k < 3; k++) {
    options[k].style = style;
    if (!CHECK_OK(engine_open(&e[k], &options[k], p), e[k].err)) return;
  }
  const int rounds = check_brief() ? 2 : 4, steps = check_brief() ? 2 : 3;
  for (int round = 0; round < rounds; round++) {
    view = system_alone(&s);
    int good = 1;
    for (int k = 0; k < engines; k++)
      good = good && setup(&e[k], &t, k == 2 ? &view : &s, 10 * round);
    if (!good) break;
    if (round < 2) check_list(c->name, &e[1], &t, &s, p == DS_PRECISION_DOUBLE);
    if (round < 2 && engines > 2) check_list(c->name, &e[2], &t, &view, p == DS_PRECISION_DOUBLE);
    for (int step = 0; step < steps; step++) {
      if (step > 0) {
        move_atoms(&s, 0.04 * c->skin, &seed);
        for (int k = 0; k < engines; k++) CHECK_OK(engine_load(&e[k], 10 * round + step), e[k].err);
      }
      for (int k = 1; k < engines; k++) compare_forces(c->name, &e[0], &e[k]);
    }
    move_atoms(&s, 0.2, &seed);
    system_wrap(&s);
    system_images(&s);
    s.box.slack = 1.5; /* where the box is not periodic, atoms may have left it */
  }
  for (int k = 0; k < 3; k++) engine_close(&e[k]);
  system_close(&s);
}

static void test_configs(void)
{
  for (int k = 0; k < CONFIGS; k++)
    for (int p = 0; p < DS_PRECISIONS; p++)
      if (mine()) compare_config(&configs[k], &ds_style_dpd, (ds_precision) p);
  printf("  %d systems, both precisions: compared\n", (int) CONFIGS);
}

/* The other styles: one type, types, special partners, dense places, small boxes. */
static void test_styles(void)
{
  static const ds_pair_style *const style[2] = {&ds_style_dpd_ext, &ds_style_dpd_tstat};
  static const int which[] = {0, 2, 5, 6, 9, 11};
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 6; c++)
      for (int p = 0; p < DS_PRECISIONS; p++)
        if (mine()) compare_config(&configs[which[c]], style[k], (ds_precision) p);
  printf("  two more styles, six systems: compared\n");
}

/* Ghosts by messages among three processes, which relay what they got. */
static void test_messages(void)
{
  static const int which[] = {1, 2, 4, 8};
  static const double cuts[2] = {0.28, 0.7};
  for (int k = 0; k < 4; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) {
      if (!mine()) continue;
      const config *c = &configs[which[k]];
      uint64_t seed = 200 + (uint64_t) k;
      test_model t;
      test_system s;
      test_ranks h, g;
      open_config(c, &ds_style_dpd, &t, &s, &seed);
      const size_t n = (size_t) s.nlocal;
      double *out = test_alloc(2 * 80 * n);
      double *f[2] = {out, out + 10 * n};
      CHECK_MSG(ranks_open(&h, &s, 3, cuts, &host, (ds_precision) p) == DS_OK, "%s",
                ranks_error(&h));
      CHECK_MSG(ranks_open(&g, &s, 3, cuts, &cuda, (ds_precision) p) == DS_OK, "%s",
                ranks_error(&g));
      CHECK_MSG(ranks_setup(&h, &t, 5) == DS_OK, "%s", ranks_error(&h));
      CHECK_MSG(ranks_setup(&g, &t, 5) == DS_OK, "%s", ranks_error(&g));
      for (int step = 6; step < 9; step++) {
        CHECK_MSG(ranks_forces(&h, f[0], f[0] + 3 * n, f[0] + 4 * n) == DS_OK, "%s",
                  ranks_error(&h));
        CHECK_MSG(ranks_forces(&g, f[1], f[1] + 3 * n, f[1] + 4 * n) == DS_OK, "%s",
                  ranks_error(&g));
        CHECK_MSG(same_bits(f[0], f[1], 80 * n), "%s, %s, messages: results differ", c->name,
                  precision_name[p]);
        move_atoms(&s, 0.02 * c->skin, &seed);
        CHECK_MSG(ranks_load(&h, &s, step) == DS_OK, "%s", ranks_error(&h));
        CHECK_MSG(ranks_load(&g, &s, step) == DS_OK, "%s", ranks_error(&g));
      }
      ranks_close(&h);
      ranks_close(&g);
      free(out);
      system_close(&s);
    }
}

/* Lists that outgrow their room from one rebuild to the next, and shrink again. */
static void test_growth(void)
{
  static const int atoms[] = {10, 40, 60, 150, 700, 1500, 30, 30, 30};
  const config c = {"growth", 500,          1, {7, 8, 9}, {0, 0, 0}, {1, 1, 1}, 1.0,
                    0.3,      {1, 1, 1, 1}, 0, 0,         0};
  test_engine h, g;
  test_model t;
  uint64_t seed = 300;
  int64_t most = 0;
  if (!CHECK_OK(engine_open(&h, &host, DS_PRECISION_MIXED), h.err)) return;
  if (!CHECK_OK(engine_open(&g, &cuda, DS_PRECISION_MIXED), g.err)) return;
  for (int k = 0; k < 9; k++) {
    config now = c;
    test_system s;
    now.ball = atoms[k];
    open_config(&now, &ds_style_dpd, &t, &s, &seed);
    setup(&h, &t, &s, k);
    setup(&g, &t, &s, k);
    check_list("growth", &g, &t, &s, 0);
    compare_forces("growth", &h, &g);
    const int64_t room = ds_pair_get_info(g.dpd).entries;
    most = room > most ? room : most;
    h.system = g.system = NULL;
    system_close(&s);
  }
  CHECK(most > 2000000 && ds_pair_get_info(g.dpd).entries < most / 4);
  engine_close(&h);
  engine_close(&g);
}

/* A system large enough to fill a GPU: the same bits as on the host, and from run to run. */
static void test_large(int n)
{
  const double edge = cbrt(n / 3.0);
  const config c = {"large", n, 1, {edge, edge, edge}, {0, 0, 0}, {1, 1, 1}, 1.0, 0.3, {1, 1, 1, 1},
                    0,       0, 0};
  test_model t;
  test_system s;
  test_engine h, g;
  uint64_t seed = 500;
  open_config(&c, &ds_style_dpd, &t, &s, &seed);
  const test_system view = system_alone(&s);
  if (!CHECK_OK(engine_open(&h, &host, DS_PRECISION_MIXED), h.err)) return;
  setup(&h, &t, &s, 1);
  CHECK_OK(engine_forces(&h, 1), h.err);
  for (int run = 0; run < 3; run++) {
    if (!CHECK_OK(engine_open(&g, &cuda, DS_PRECISION_MIXED), g.err)) break;
    for (int round = 0; round < 2; round++) {
      setup(&g, &t, run == 2 ? &view : &s, 1);
      if (run < 2) compare_lists("large", &h, &g, &t, &s);
      CHECK_OK(engine_forces(&g, 1), g.err);
      compare_exactly("large", 1, &h, &g);
    }
    engine_close(&g);
  }
  for (int k = 0; k < 3; k++) CHECK_INT(h.totals.force_sum[k], 0);
  printf("  %d atoms, list and forces six times: compared\n", n);
  engine_close(&h);
  system_close(&s);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  const int atoms = (int) check_number(300000);
  part = (int) check_number(0);
  parts = (int) check_number(1);
  if (part >= parts) return printf("part %d of %d: there is no such part\n", part, parts), 2;
  const int status = backends_open();
  if (status) return status;
  CHECK_CASE(test_configs());
  CHECK_CASE(test_styles());
  CHECK_CASE(test_messages());
  if (mine()) CHECK_CASE(test_growth());
  if (mine()) CHECK_CASE(test_large(atoms));
  if (parts > 1 && !check_lists) printf("  part %d of %d\n", part, parts);
  return check_result();
}
