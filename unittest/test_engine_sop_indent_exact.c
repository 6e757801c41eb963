/* test_engine_sop_indent_exact.c: molecules between a tip and a plane move in the same way however the work is cut up.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

enum { BEADS = 60, COPIES = 5 };

/* Pressed flat between tip and plane, so that beads touch both. */
typedef struct {
  const test_molecule *m;
  int molecules, steps;
  int64_t id;
  const double *x;
  ds_sop_indent indent;
} plan;

static plan press_plan(const test_molecule *m, const double *x)
{
  const ds_sop_indent tip = {
    .radius = 20.0, .start = {1.0, 0.0, 0.0}, .direction = {0.0, 0.0, -2.0}, .spring = 5.0, .speed = 2e-4,
    .friction = 10.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.0, .has_plane = 1, .normal = {0.02, 0.0, 1.0},
    .twelfth = 0.5, .sixth = 0.4, .cylinder = DS_SOP_BEADS_INSIDE, .axis = {0.0, 0.0, 2.0}
  };
  plan p = {m, COPIES, check_brief() ? 60 : 300, 1, x, tip};
  double low = 0.0, high = 0.0, far = 0.0, mean[3] = {0.0, 0.0, 0.0};
  for (int b = 0; b < 3 * BEADS; b++) mean[b % 3] += m->x[b] / BEADS;
  for (int b = 0; b < BEADS; b++) {
    const double *const at = m->x + 3 * b;
    low = fmin(low, at[2] - mean[2]);
    high = fmax(high, at[2] - mean[2]);
    far = fmax(far, hypot(at[0] - mean[0], at[1] - mean[1]));
  }
  p.indent.start[2] = high + p.indent.radius + 2.5;
  p.indent.plane[2] = low - 2.5 - 0.02 * far;
  p.indent.cylinder_radius = far + 2.5;
  return p;
}

/* Where beads and tips are after all steps, in calls of so many; to be freed. */
static double *trajectory(const ds_sop_options *o, const plan *p, int per_call)
{
  const size_t beads = (size_t) p->molecules * BEADS;
  ds_sop *const sop = sop_start_pressed(o, p->m, p->molecules, 0, p->id, p->x, &p->indent);
  double force[COPIES], travel[COPIES];
  ds_error err;
  for (int done = 0; done < p->steps; done += per_call)
    sop_advance(sop, done, p->steps - done < per_call ? p->steps - done : per_call, 2000.0, SOP_KT);
  double *const x = sop_positions(sop, beads);
  CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
  double *const all = test_alloc((3 * beads + COPIES) * sizeof *all);
  memcpy(all, x, 3 * beads * sizeof *all);
  memcpy(all + 3 * beads, travel, (size_t) p->molecules * sizeof *all);
  ds_sop_close(sop);
  free(x);
  return all;
}

static void check_same(double *got, const double *expected, size_t n, const ds_sop_options *o,
                       const char *what)
{
  CHECK_MSG(memcmp(got, expected, n * sizeof *got) == 0, "%s, %s: not the same", what, sop_name(o));
  free(got);
}

static void check_alone(const ds_sop_options *o, const plan *p, const double *expected)
{
  for (int k = 0; k < COPIES; k += 2) {
    plan one = *p;
    one.molecules = 1;
    one.id += k * BEADS;
    one.x += 3 * k * BEADS;
    double *const got = trajectory(o, &one, p->steps);
    CHECK_MSG(memcmp(got, expected + 3 * k * BEADS, 3 * BEADS * sizeof *got) == 0 &&
                  got[3 * BEADS] == expected[3 * BEADS * COPIES + k],
              "%s: molecule %d alone", sop_name(o), k);
    free(got);
  }
}

static void check_restart(const ds_sop_options *o, const ds_sop_options *after, const plan *p,
                          const double *expected)
{
  const size_t beads = (size_t) COPIES * BEADS;
  const int half = p->steps / 2;
  double force[COPIES], travel[COPIES];
  ds_error err;
  ds_sop *const first = sop_start_pressed(o, p->m, COPIES, 0, 1, p->x, &p->indent);
  sop_advance(first, 0, half, 2000.0, SOP_KT);
  const size_t size = ds_sop_state_bytes(first);
  void *const state = test_alloc(size);
  double *const x = sop_positions(first, beads);
  CHECK_OK(ds_sop_save(first, state, size, &err), err);
  ds_sop_close(first);
  ds_sop *const second = sop_start_pressed(after, p->m, COPIES, 0, 1, x, &p->indent);
  CHECK_OK(ds_sop_load(second, state, size, &err), err);
  sop_advance(second, half, p->steps - half, 2000.0, SOP_KT);
  check_same(sop_positions(second, beads), expected, 3 * beads, after, "after a restart");
  CHECK_OK(ds_sop_indenting(second, force, travel, &err), err);
  CHECK(memcmp(travel, expected + 3 * beads, sizeof travel) == 0);
  ds_sop_close(second);
  free(x);
  free(state);
}

/* Two objects that move a part of the beads each, step by step. */
static void check_shares(const ds_sop_options *o, const plan *p, const double *expected)
{
  enum { CUT = 137 };
  const size_t beads = (size_t) COPIES * BEADS;
  double *const x = test_alloc(3 * beads * sizeof *x), force[COPIES], travel[COPIES];
  ds_sop *part[2];
  ds_error err;
  int64_t id[COPIES * BEADS];
  memcpy(x, p->x, 3 * beads * sizeof *x);
  for (size_t b = 0; b < beads; b++) id[b] = (int64_t) b + 1;
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ds_sop_open(&part[k], o, &p->m->topology, &err), err);
    CHECK_OK(ds_sop_set_indent(part[k], &p->indent, &err), err);
    CHECK_OK(ds_sop_set_share(part[k], k ? CUT : 0, k ? (int64_t) beads : CUT, &err), err);
    CHECK_OK(ds_sop_set_beads(part[k], COPIES, 0, id, &err), err);
  }
  for (int step = 0; step < p->steps; step++) {
    double *moved[2];
    for (int k = 0; k < 2; k++) {
      CHECK_OK(ds_sop_set_positions(part[k], x, &err), err);
      sop_advance(part[k], step, 1, 2000.0, SOP_KT);
      moved[k] = sop_positions(part[k], beads);
    }
    memcpy(x, moved[0], 3 * CUT * sizeof *x);
    memcpy(x + 3 * CUT, moved[1] + 3 * CUT, 3 * (beads - CUT) * sizeof *x);
    free(moved[0]);
    free(moved[1]);
  }
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ds_sop_indenting(part[k], force, travel, &err), err);
    CHECK(memcmp(travel, expected + 3 * beads, sizeof travel) == 0);
    ds_sop_close(part[k]);
  }
  check_same(x, expected, 3 * beads, o, "shared");
}

static void check_paths(const plan *p, int order, const char *rng)
{
  const size_t n = 3 * (size_t) COPIES * BEADS + COPIES;
  ds_sop_options o = variants.options[0];
  o.order = order;
  o.rng = rng;
  double *const expected = trajectory(&o, p, p->steps);
  CHECK(expected[n - 1] > 0.2 &&
        expected[n - 1] != expected[n - 2]); /* tips have moved, each its own way */
  for (int v = 0; v < variants.n; v++)
    for (int s = DS_SOP_AUTO; s <= DS_SOP_PAIR; s++) {
      o = variants.options[v];
      o.order = order;
      o.rng = rng;
      o.scheme = (ds_sop_scheme) s;
      check_same(trajectory(&o, p, p->steps), expected, n, &o, "another way");
      check_same(trajectory(&o, p, 7), expected, n, &o, "in several calls");
      if (s == DS_SOP_AUTO) check_alone(&o, p, expected);
      if (s == DS_SOP_PARTICLE) {
        ds_sop_options after = o;
        after.scheme = DS_SOP_PAIR;
        check_restart(&o, &after, p, expected);
        if (order == 1 && o.backend == DS_BACKEND_HOST) check_shares(&o, p, expected);
      }
    }
  free(expected);
}

static void test_paths(void)
{
  test_molecule m;
  molecule_folded(&m, BEADS, 77);
  double *const x = sop_copies(&m, COPIES, 0, 60.0);
  const plan p = press_plan(&m, x);
  check_paths(&p, 1, "tea");
  check_paths(&p, 2, "mt19937");
  free(x);
  molecule_close(&m);
}

/* A pull beside it: both have clocks and records of their own. */
static void test_pulled_too(void)
{
  const int32_t fixed = 3, pulled = BEADS - 2;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .spring = 0.05,
    .speed = 1e-3
  };
  test_molecule m;
  ds_error err;
  molecule_folded(&m, BEADS, 78);
  double *const x = sop_copies(&m, COPIES, 0, 60.0);
  plan p = press_plan(&m, x);
  p.indent.start[2] += 4.0;
  const ds_sop_options o = variants.options[variants.n - 1];
  ds_sop *sop = sop_start_pressed(&o, &m, COPIES, 0, 1, x, &p.indent);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  sop_advance(sop, 0, 100, 2000.0, SOP_KT);
  const size_t size = ds_sop_state_bytes(sop);
  void *const state = test_alloc(size);
  CHECK_OK(ds_sop_save(sop, state, size, &err), err);
  double *const y = sop_positions(sop, COPIES * BEADS);
  sop_advance(sop, 100, 100, 2000.0, SOP_KT);
  double *const expected = sop_positions(sop, COPIES * BEADS);
  ds_sop_close(sop);
  for (int other = 0; other < 2; other++) { /* another tip begins anew, while the pull goes on */
    double force[COPIES], travel[COPIES];
    ds_sop_indent again = p.indent;
    if (other) again.speed *= 1.25;
    sop = sop_start_pressed(&o, &m, COPIES, 0, 1, y, &again);
    CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
    CHECK_OK(ds_sop_load(sop, state, size, &err), err);
    CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
    CHECK((travel[0] == 0.0) == other);
    CHECK_OK(ds_sop_pulling(sop, force, travel, &err), err);
    CHECK(force[0] > 0.01);
    sop_advance(sop, 100, 100, 2000.0, SOP_KT);
    double *const z = sop_positions(sop, COPIES * BEADS);
    CHECK((memcmp(z, expected, 3 * COPIES * BEADS * sizeof *z) == 0) == !other);
    ds_sop_close(sop);
    free(z);
  }
  free(x);
  free(y);
  free(expected);
  free(state);
  molecule_close(&m);
}

/* A call that fails leaves tips where they were: with positions set anew, its steps can be made again. */
static void test_failed(void)
{
  test_molecule m;
  ds_error err;
  molecule_folded(&m, BEADS, 79);
  double *const x = sop_copies(&m, COPIES, 0, 60.0), *const f =
                                                         test_alloc(3 * COPIES * BEADS * sizeof *f);
  const plan p = press_plan(&m, x);
  for (int k = 0; k < 3 * COPIES * BEADS; k++) f[k] = k / 3 == 2 * BEADS + 7 ? 1e6 : 0.0;
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++) {
      ds_sop_options o = variants.options[v];
      double *expected = NULL;
      o.order = order;
      for (int fails = 0; fails < 3; fails += 2) {
        const ds_sop_motion one = {50, 20, 2000.0, SOP_ZETA, SOP_KT};
        double force[COPIES], travel[COPIES];
        ds_sop *const sop = sop_start_pressed(&o, &m, COPIES, 0, 1, x, &p.indent);
        sop_advance(sop, 0, 50, 2000.0, SOP_KT);
        double *const there = sop_positions(sop, COPIES * BEADS);
        for (int k = 0; k < fails; k++) {
          CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
          CHECK(ds_sop_advance(sop, &one, &err) == DS_ERR_FORCE_RANGE);
          CHECK_OK(ds_sop_set_forces(sop, NULL, &err), err);
          CHECK_OK(ds_sop_set_positions(sop, there, &err), err);
        }
        sop_advance(sop, 50, 20, 2000.0, SOP_KT);
        double *const end = test_alloc((3 * COPIES * BEADS + COPIES) * sizeof *end),
                      *const now = sop_positions(sop, COPIES * BEADS);
        CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
        memcpy(end, now, 3 * COPIES * BEADS * sizeof *end);
        memcpy(end + 3 * COPIES * BEADS, travel, sizeof travel);
        if (fails)
          check_same(end, expected, 3 * COPIES * BEADS + COPIES, &o, "after calls that failed");
        else
          expected = end;
        free(there);
        free(now);
        ds_sop_close(sop);
      }
      free(expected);
    }
  free(x);
  free(f);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_paths());
  CHECK_CASE(test_pulled_too());
  CHECK_CASE(test_failed());
  return check_result();
}
