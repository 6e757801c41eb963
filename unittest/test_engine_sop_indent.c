/* test_engine_sop_indent.c: a tip and a plane that press on molecules: their forces, the motion of the tip, and that
   nothing depends on how the work is cut up.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/expect.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double h = 2000.0;

/* A tip that comes down along z, from (0, 0, 40) of the molecule's centre. */
static ds_sop_indent tip_above(void)
{
  const ds_sop_indent i = {
      20.0, {0.0, 0.0, 40.0}, {0.0, 0.0, -2.0}, 0.5, 2e-4, 10.0 * SOP_ZETA, 1.0, 3.0,
      0,    {0.0, 0.0, 0.0}};
  return i;
}

static void advance(ds_sop *sop, int64_t first, int steps, double step_length, double kT)
{
  const ds_sop_motion m = {first, steps, step_length, SOP_ZETA, kT};
  ds_error err;
  CHECK_OK(ds_sop_advance(sop, &m, &err), err);
}

/* ------------------------------------------------------------------------------------------- forces */

/* V = eps (sigma / gap)^6, up to 3 sigma. */
static double wall_force(const ds_sop_indent *i, double gap)
{
  return gap < 3.0 * i->sigma ? 6.0 * i->eps * pow(i->sigma / gap, 6.0) / gap : 0.0;
}

/* What a bead at x should feel, and what of it the tip exerts; both places are relative to the molecule's centre. */
static void expected_force(const ds_sop_indent *i, const double x[3], double f[3], double by_tip[3])
{
  double r = 0.0, n2 = 0.0, along = 0.0;
  for (int c = 0; c < 3; c++) {
    r += (x[c] - i->start[c]) * (x[c] - i->start[c]);
    n2 += i->direction[c] * i->direction[c];
  }
  r = sqrt(r);
  for (int c = 0; c < 3; c++) along += (i->plane[c] - x[c]) * i->direction[c] / sqrt(n2);
  for (int c = 0; c < 3; c++) {
    by_tip[c] = wall_force(i, r - i->radius) * (x[c] - i->start[c]) / r;
    f[c] = by_tip[c];
    if (i->has_plane) f[c] -= wall_force(i, along) * i->direction[c] / sqrt(n2);
  }
}

/* Of four beads that see neither each other nor a bond the first is near the tip, the second near the plane, from within reach
   to beyond it. Places are multiples of 2^-10, so that the centre and all coordinates are exact. */
static void place_beads(test_molecule *m, ds_sop_indent *i, const double n[3], uint64_t *seed)
{
  const double u = 6.3 * check_uniform(seed), z = 2.0 * check_uniform(seed) - 1.0,
               s = sqrt(1.0 - z * z), side[3] = {s * cos(u), s * sin(u), z};
  const double r = i->radius + 2.6 + 9.0 * check_uniform(seed),
               gap = 2.6 + 9.0 * check_uniform(seed);
  double centre[3] = {0, 0, 0}, dot = 0.0;
  for (int c = 0; c < 3; c++) dot += side[c] * n[c];
  i->has_plane = 1;
  for (int c = 0; c < 3; c++) {
    const double from[4] = {r * side[c], (75.0 - gap) * n[c] + 20.0 * (side[c] - dot * n[c]),
                            -2000.0 * n[c], -3000.0 * n[c]};
    i->plane[c] = i->start[c] + 75.0 * n[c];
    for (int b = 0; b < 4; b++) {
      m->x[3 * b + c] = rint(1024.0 * (i->start[c] + from[b])) / 1024.0;
      centre[c] += 0.25 * m->x[3 * b + c];
    }
  }
  for (int c = 0; c < 3; c++) { /* places of tip and plane are relative to the centre */
    i->start[c] -= centre[c];
    i->plane[c] -= centre[c];
  }
}

/* One step without noise tells the force on each bead, and that on the tip. */
static void check_forces(const ds_sop_options *o, uint64_t seed)
{
  const double n[3] = {0.28, -0.576, -0.768}; /* a unit vector */
  test_molecule m;
  molecule_loose(&m, 4);
  const sop_units unit = sop_units_of(&m.topology);
  ds_sop_indent i = tip_above();
  double pushed = 0.0, force, travel;
  ds_error err;
  for (int c = 0; c < 3; c++) i.direction[c] = 1.7 * n[c];
  place_beads(&m, &i, n, &seed);
  ds_sop *const sop = sop_start_pressed(o, &m, 1, 0, 1, m.x, &i);
  advance(sop, 0, 1, 10.0, 0.0);
  double *const y = sop_positions(sop, 4);
  const double per_force = 10.0 / SOP_ZETA;
  for (int b = 0; b < 4; b++) {
    double x[3], f[3], by_tip[3];
    for (int c = 0; c < 3; c++)
      x[c] = m.x[3 * b + c] - 0.25 * (m.x[c] + m.x[3 + c] + m.x[6 + c] + m.x[9 + c]);
    expected_force(&i, x, f, by_tip);
    for (int c = 0; c < 3; c++) {
      CHECK_NEAR((y[3 * b + c] - m.x[3 * b + c]) / per_force, f[c],
                 unit.force + unit.position / per_force + 0x1p-21 * fabs(f[c]));
      pushed += by_tip[c] * n[c];
    }
  }
  CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
  const double tip_per_force = 10.0 / i.friction;
  CHECK_NEAR(travel / tip_per_force, -pushed,
             4.0 * unit.force + unit.position / tip_per_force + 0x1p-21 * fabs(pushed));
  CHECK_NEAR(force, i.spring * (10.0 * i.speed - travel), 1e-12);
  ds_sop_close(sop);
  molecule_close(&m);
  free(y);
}

static void test_forces(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int s = DS_SOP_PARTICLE; s <= DS_SOP_PAIR; s++)
      for (uint64_t seed = 1; seed <= (check_brief() ? 5 : 60); seed++) {
        ds_sop_options o = variants.options[v];
        o.scheme = (ds_sop_scheme) s;
        check_forces(&o, 9000 + seed);
      }
}

/* ------------------------------------------------------------------------------- the tip by itself */

/* One bead, far from the tip. The force of the spring is K (V t - s), t that of the step's beginning; eqs. 4 and 5. */
static void check_spring(const ds_sop_options *o)
{
  const double length[4] = {h, h, 0.5 * h, 1.5 * h};
  test_molecule m;
  molecule_loose(&m, 1);
  const double unit = sop_units_of(&m.topology).position;
  ds_sop_indent i = tip_above();
  i.start[2] = 4000.0;
  i.spring = 5.0;
  i.friction = 0.5 * SOP_ZETA;
  ds_sop *const sop = sop_start_pressed(o, &m, 1, 0, 1, m.x, &i);
  double s = 0.0, t = 0.0, force, travel;
  ds_error err;
  CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
  CHECK(force == 0.0 && travel == 0.0);
  for (int run = 0; run < 4; run++) {
    advance(sop, 7 + 30 * run, 30, length[run], 0.0);
    for (int k = 0; k < 30; k++, t += length[run]) {
      const double rate = i.spring * (i.speed * t - s) / i.friction;
      const double ahead = i.spring * (i.speed * t - s - rate * length[run]) / i.friction;
      s += length[run] * (o->order == 1 ? rate : 0.5 * (rate + ahead));
    }
    CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
    CHECK_NEAR(travel, s, 0.5 * 30 * (run + 1) * unit);
    CHECK_NEAR(force, i.spring * (i.speed * t - s), i.spring * 0.5 * 30 * (run + 1) * unit + 1e-12);
  }
  CHECK(s > 1.0);
  ds_sop_close(sop);
  molecule_close(&m);
}

/* A tip on a spring that stands still, with a = K h / friction: variance kT/K times 1 / (1 - a/2) in steps of first order,
   2 a (1 - a/2)^2 / (1 - (1 - a + a^2/2)^2) in those of second. Tips of different molecules, and those of one at times
   between which (1 - a)^60 is forgotten, are independent: the mean of n has the standard error sqrt(var / n), the variance
   has sqrt(2 / n) of itself; both are allowed 4.5. */
static void check_noise(const ds_sop_options *o)
{
  enum { COPIES = 300, TIMES = 6 };
  const int n = COPIES * TIMES;
  test_molecule m;
  molecule_loose(&m, 1);
  ds_sop_indent i = tip_above();
  i.start[2] = 4000.0;
  i.speed = 0.0;
  i.spring = 0.1 * i.friction / h;
  double *const x = sop_copies(&m, COPIES, 0, 10.0), force[COPIES], travel[COPIES], sum = 0.0,
                squares = 0.0;
  ds_sop *const sop = sop_start_pressed(o, &m, COPIES, 0, 1, x, &i);
  ds_error err;
  for (int k = 0; k < TIMES; k++) {
    advance(sop, 60 * k, 60, h, SOP_KT);
    CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
    for (int c = 0; c < COPIES; c++) {
      sum += travel[c];
      squares += travel[c] * travel[c];
    }
  }
  const double a = 0.1, keeps = 1.0 - a + 0.5 * a * a;
  const double variance =
      SOP_KT / i.spring *
      (o->order == 1 ? 1.0 / (1.0 - 0.5 * a)
                     : 2.0 * a * (1.0 - 0.5 * a) * (1.0 - 0.5 * a) / (1.0 - keeps * keeps));
  CHECK_BOUND(fabs(sum / n), 4.5 * sqrt(variance / n), "mean of tips");
  CHECK_BOUND(fabs(squares / n / variance - 1.0), 4.5 * sqrt(2.0 / n), "variance of tips");
  ds_sop_close(sop);
  molecule_close(&m);
  free(x);
}

static void test_tip(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++) {
      ds_sop_options o = variants.options[v];
      o.order = order;
      o.scheme = order == 1 ? DS_SOP_PARTICLE : DS_SOP_PAIR;
      check_spring(&o);
      if (v == 0) check_noise(&o);
    }
}

/* ---------------------------------------------------------------------------------------- the same bits */

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
  plan p = {m, COPIES, check_brief() ? 60 : 300, 1, x, tip_above()};
  double low = 0.0, high = 0.0, mean = 0.0;
  for (int b = 0; b < BEADS; b++) mean += m->x[3 * b + 2] / BEADS;
  for (int b = 0; b < BEADS; b++) {
    low = fmin(low, m->x[3 * b + 2] - mean);
    high = fmax(high, m->x[3 * b + 2] - mean);
  }
  p.indent.start[2] = high + p.indent.radius + 2.5;
  p.indent.start[0] = 1.0;
  p.indent.has_plane = 1;
  p.indent.plane[2] = low - 2.5;
  p.indent.spring = 5.0;
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
    advance(sop, done, p->steps - done < per_call ? p->steps - done : per_call, h, SOP_KT);
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
  advance(first, 0, half, h, SOP_KT);
  const size_t size = ds_sop_state_bytes(first);
  void *const state = test_alloc(size);
  double *const x = sop_positions(first, beads);
  CHECK_OK(ds_sop_save(first, state, size, &err), err);
  ds_sop_close(first);
  ds_sop *const second = sop_start_pressed(after, p->m, COPIES, 0, 1, x, &p->indent);
  CHECK_OK(ds_sop_load(second, state, size, &err), err);
  advance(second, half, p->steps - half, h, SOP_KT);
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
      advance(part[k], step, 1, h, SOP_KT);
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
  const ds_sop_pull pull = {DS_SOP_PULL_SPRING, 1, 1, &fixed, &pulled, 0.05, 1e-3, 0.0, {0, 0, 0}};
  test_molecule m;
  ds_error err;
  molecule_folded(&m, BEADS, 78);
  double *const x = sop_copies(&m, COPIES, 0, 60.0);
  plan p = press_plan(&m, x);
  p.indent.start[2] += 4.0;
  const ds_sop_options o = variants.options[variants.n - 1];
  ds_sop *sop = sop_start_pressed(&o, &m, COPIES, 0, 1, x, &p.indent);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  advance(sop, 0, 100, h, SOP_KT);
  const size_t size = ds_sop_state_bytes(sop);
  void *const state = test_alloc(size);
  CHECK_OK(ds_sop_save(sop, state, size, &err), err);
  double *const y = sop_positions(sop, COPIES * BEADS);
  advance(sop, 100, 100, h, SOP_KT);
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
    advance(sop, 100, 100, h, SOP_KT);
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

/* ------------------------------------------------------------------------------------------- errors */

static void test_values(void)
{
  ds_sop_options o = variants.options[0];
  test_molecule m;
  ds_error err;
  ds_sop *sop = NULL;
  int64_t id[2] = {1, 2};
  molecule_loose(&m, 1);
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
#define VALUE(field, value, words)                                                                 \
  {                                                                                                \
    ds_sop_indent i = tip_above();                                                                 \
    i.has_plane = 1;                                                                               \
    i.field = (value);                                                                             \
    EXPECT(ds_sop_set_indent(sop, &i, &err), err, DS_ERR_ARGUMENT, words);                         \
  }
  VALUE(radius, 0.0, "radius of the tip 0 must be above 0");
  VALUE(radius, INFINITY, "radius of the tip inf");
  VALUE(spring, -1.0, "spring -1 must be above 0");
  VALUE(friction, 0.0, "friction coefficient of the tip 0 must be above 0");
  VALUE(friction, NAN, "friction coefficient of the tip|must be above 0");
  VALUE(eps, 0.0, "energy of the tip's repulsion 0 must be above 0");
  VALUE(sigma, -2.0, "range of the tip's repulsion -2 must be above 0");
  VALUE(speed, INFINITY, "speed inf of the tip must be finite");
  VALUE(start[1], NAN, "place 0|40 of the tip must be finite");
  VALUE(direction[2], 0.0, "direction 0 0 0 of the tip must be finite and not 0 0 0");
  VALUE(direction[0], INFINITY, "direction inf 0 -2 of the tip");
  VALUE(plane[0], INFINITY, "place inf 0 0 of the plane must be finite");
#undef VALUE
  const ds_sop_indent good = tip_above();
  CHECK_OK(ds_sop_set_indent(sop, &good, &err), err);
  CHECK_OK(ds_sop_set_beads(sop, 1, 0, id, &err), err);
  CHECK(strcmp(ds_sop_scheme_name(sop), "particle") == 0);
  EXPECT(ds_sop_set_indent(sop, &good, &err), err, DS_ERR_ARGUMENT, "before beads are");
  ds_sop_close(sop);
  o.inter = 1;
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
  CHECK_OK(ds_sop_set_indent(sop, &good, &err), err);
  EXPECT(ds_sop_set_beads(sop, 2, 0, id, &err), err, DS_ERR_ARGUMENT,
         "2 molecules that see each other|one molecule alone");
  ds_sop_close(sop);
  o.inter = 0;
  o.scheme = DS_SOP_BLOCK;
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
  EXPECT(ds_sop_set_indent(sop, &good, &err), err, DS_ERR_ARGUMENT,
         "scheme block nothing presses|auto, particle or pair");
  ds_sop_close(sop);
  molecule_close(&m);
}

/* One step that fails; the second molecule is the one where it does. */
static void check_fault(const ds_sop_options *o, const ds_sop_indent *i, double z, double kT,
                        const char *words)
{
  const ds_sop_motion one = {41, 3, h, SOP_ZETA, kT};
  test_molecule m;
  ds_error err;
  molecule_loose(&m, 2);
  double *const x = sop_copies(&m, 2, 0, 0.0);
  x[3 * 2 + 2] += z; /* so that the centre moves by half of it */
  ds_sop *const sop = sop_start_pressed(o, &m, 2, 0, 11, x, i);
  EXPECT(ds_sop_advance(sop, &one, &err), err, DS_ERR_FORCE_RANGE, words);
  double *const y = sop_positions(sop, 4);
  for (int k = 6; k < 12; k++) CHECK_NEAR(y[k], x[k], 2e-9);
  ds_sop_close(sop);
  molecule_close(&m);
  free(x);
  free(y);
}

static void test_faults(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++)
      for (int s = DS_SOP_PARTICLE; s <= DS_SOP_PAIR; s++) {
        ds_sop_options o = variants.options[v];
        o.order = order;
        o.scheme = (ds_sop_scheme) s;
        ds_sop_indent i =
            tip_above(); /* its centre is 10 to the side of both beads, and 40 above the molecule's centre */
        check_fault(&o, &i, 85.0, SOP_KT,
                    "atom 13 is in the tip, or too near to its surface in step 41");
        check_fault(&o, &i, 44.2, SOP_KT,
                    "atom 13 is in the tip, or too near to its surface in step 41");
        i.start[2] = 4000.0;
        i.has_plane = 1;
        i.plane[2] = -30.0;
        check_fault(&o, &i, 70.0, SOP_KT,
                    "atom 14 is in the plane, or too near to its surface in step 41");
        i = tip_above();
        i.start[2] = 4000.0;
        i.friction = 1e-3 * SOP_ZETA;
        i.speed = 1.0;
        check_fault(
            &o, &i, 0.0, 0.0,
            "the tip on the molecule of atom 1|by more than 2 in step 42|friction of the tip");
      }
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  test_forces();
  test_tip();
  test_paths();
  test_pulled_too();
  test_values();
  test_faults();
  return check_result();
}
