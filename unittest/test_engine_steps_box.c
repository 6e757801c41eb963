/* test_engine_steps_box.c: a box that changes within a run of many steps. Each step has its own box, where atoms are moved with
   it, wrapped, looked at and pushed, however far ahead work is queued and wherever it goes back.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_box cuda" makes the same checks on the GPU. */
#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

static const setting settings[] = {
    {.name = "every 5 steps", .tilt = TILTED, ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 60, .stretch = 60},
    {.name = "by distance", .tilt = TILTED, ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 60, .stretch = 30, .by_atom = 1},
    {.name = "lists that grow", .tilt = TILTED, ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 60, .stretch = 60, .inward = 0.25},
    {.name = "lists that grow, by distance, stretches of 7 steps",
     .tilt = TILTED,
     ALL_MOVE,
     .rule = {1, 0, 1, 0.01},
     .steps = 40,
     .stretch = 7,
     .inward = 0.25,
     .wide_images = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST = 6, KICK = 0, CENTER, CHANGE, TO, FROM, CENTER_AGAIN, MOVE };

static ds_step_program program_of(int remaps)
{
  static const double motion[2] = {0.01, 0.005}, unit[1] = {1.0};
  ds_step_program p;
  memset(&p, 0, sizeof p);
  set_numbers(add_operation(&p, DS_NVE_FINAL, DS_AT_FINAL), 0, 2, motion);
  add_operation(&p, DS_SUM_CENTER, DS_AT_END);
  add_operation(&p, DS_CHANGE_BOX, DS_AT_END)->flags = DS_ASKS;
  add_operation(&p, DS_TO_FRACTIONS, DS_AT_END);
  add_operation(&p, DS_FROM_FRACTIONS, DS_AT_END);
  add_operation(&p, DS_SUM_CENTER, DS_AT_END);
  for (int k = CENTER; k <= CENTER_AGAIN; k += CENTER_AGAIN - CENTER) {
    p.operation[k].nsums = 4;
    p.operation[k].flags = DS_ADDS_UP; /* so that each step counts */
    set_numbers(&p.operation[k], 0, 1, unit);
  }
  for (int k = TO; k <= FROM; k++) p.operation[k].group = remaps ? 1 : 0;
  set_numbers(add_operation(&p, DS_NVE_INITIAL, DS_AT_INITIAL), 0, 2, motion);
  return p;
}

/* ---------------------------------------------------------------------------------------------- the caller */

typedef struct {
  const setting *s;
  ds_pair *pair;
  ds_resident *r;
  double skin;
  int early;   /* the pair object gets a new box with the answer, and not only before forces */
  int64_t now; /* the box is that of the end of this step */
  int stops, returned; /* from how many steps the engine went on, and how often in a box that was over */
} host;

static setting with_box_of(const setting *s, int64_t step)
{
  setting then = *s;
  then.tilt[2] += 0.004 * (double) (step - FIRST);
  then.tilt[0] -= 0.003 * (double) (step - FIRST);
  return then;
}

static ds_status set_box(host *h, int64_t step, ds_error *err)
{
  const setting then = with_box_of(h->s, step);
  const ds_wrap w = wrap_of(&then);
  h->now = step;
  return ds_resident_set_wrap(h->r, &w, err);
}

static ds_status set_pair_box(host *h, int64_t step, ds_error *err)
{
  const setting then = with_box_of(h->s, step);
  const ds_box box = box_of(&then, h->skin);
  return ds_pair_set_box(h->pair, &box, err);
}

static ds_status answer(void *user, ds_question *q, ds_error *err)
{
  host *const h = user;
  const setting before = with_box_of(h->s, q->step - 1), after = with_box_of(h->s, q->step);
  const ds_wrap from = wrap_of(&before), to = wrap_of(&after);
  CHECK_INT(q->operation, CHANGE);
  CHECK_INT(h->now, q->step - 1);
  set_numbers(&q->program->operation[TO], 0, 6, from.inverse);
  set_numbers(&q->program->operation[TO], 6, 3, from.origin);
  set_numbers(&q->program->operation[FROM], 0, 6, to.edge);
  set_numbers(&q->program->operation[FROM], 6, 3, to.origin);
  *q->trigger2 = h->s->rule.trigger2 * (1.0 + 0.1 * (double) (q->step % 3));
  const ds_status s = set_box(h, q->step, err);
  return s || !h->early ? s : set_pair_box(h, q->step, err);
}

static ds_status prepare(void *user, int64_t step, ds_error *err)
{
  host *const h = user;
  CHECK_INT(h->now, step - 1);
  return set_pair_box(h, step - 1, err);
}

static ds_status returns(void *user, int64_t step, int64_t rebuilt, ds_error *err)
{
  host *const h = user;
  CHECK(rebuilt <= step && h->now >= step - 1);
  h->stops++;
  h->returned += h->now > step - 1;
  return set_box(h, step - 1, err);
}

static void run(host *h, int64_t first, int64_t last, int64_t *rebuilt, int unread)
{
  ds_run_request stretch;
  ds_run_result reached;
  ds_error err;
  memset(&stretch, 0, sizeof stretch);
  stretch.first = first;
  stretch.last = last;
  stretch.reneighbored = *rebuilt;
  stretch.rule = h->s->rule;
  stretch.rule.trigger2 *= 1.0 + 0.1 * (double) ((first - 1) % 3);
  stretch.hand_over = INT64_MAX;
  stretch.prepare = prepare;
  stretch.returns = returns;
  stretch.user = h;
  stretch.unread = unread;
  CHECK_OK(ds_resident_run(h->r, &stretch, &reached, &err), err);
  CHECK(reached.whole && reached.step == last);
  *rebuilt = reached.reneighbored;
}

static int stops, returned;

/* In stretches of so many steps. */
static void make_steps(const setting *s, const ds_pair_options *options, int own_copies, int remaps, int early, int stretch,
                       particles *p, ds_exact_sum sums[DS_STEP_SUMS])
{
  host h = {.s = s, .skin = 0.3, .early = early, .now = FIRST - 1};
  const ds_step_program program = program_of(remaps);
  const setting begins = with_box_of(s, FIRST - 1);
  int64_t rebuilt = FIRST - 1;
  ds_pair_totals result;
  ds_error err;
  h.pair = pair_for(options, &begins, p);
  caller_wraps(&p->a, &begins);
  CHECK_OK(caller_forces(h.pair, &p->a, FIRST - 1, 1, &result, &err), err);
  h.r = resident_with(h.pair, own_copies, p, &begins, &program);
  ds_resident_set_answer(h.r, answer, &h);
  CHECK_OK(ds_resident_set_reference(h.r, &err), err);
  CHECK_OK(ds_resident_clear_sums(h.r, &err), err);
  const int64_t end = FIRST + s->steps;
  for (int64_t step = FIRST; step < end; step += stretch) {
    const int64_t last = step + stretch < end ? step + stretch - 1 : end - 1;
    run(&h, step, last, &rebuilt, last % 2 == 0);
  }
  CHECK_OK(ds_resident_step_sums(h.r, sums, &err), err);
  CHECK_OK(ds_resident_to_host(h.r, DS_ALL_FIELDS, &err), err);
  CHECK_INT(h.now, end - 1);
  ds_resident_close(h.r);
  ds_pair_close(h.pair);
  stops += h.stops;
  returned += h.returned;
}

static void compare(const setting *s, const ds_pair_options *options, int own_copies, int remaps, int early)
{
  static const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1};
  static ds_exact_sum expected[DS_STEP_SUMS], found[DS_STEP_SUMS];
  particles theirs, ours;
  char what[120];
  snprintf(what, sizeof what, "%s, %s", s->name, variant_name(options));
  particles_open(&theirs, ATOMS);
  particles_open(&ours, ATOMS);
  particles_fill(&theirs, s, FILL_RANDOM, 61);
  for (int i = 0; i < ATOMS; i++) {
    const int none[3] = {0, 0, 0};
    particles_set_images(&theirs.a, i, none);
    theirs.a.rmass[i] = 0.8 + 0.1 * (i % 7);
  }
  particles_copy(&ours, &theirs);
  make_steps(s, &plain, 0, remaps, 0, 1, &theirs, expected);
  make_steps(s, options, own_copies, remaps, early, s->stretch, &ours, found);
  check_same_particles(&ours, &theirs, s, what);
  CHECK(expected[CENTER * DS_OPERATION_SUMS].low || expected[CENTER * DS_OPERATION_SUMS].high);
  CHECK(memcmp(found, expected, sizeof found) == 0);
  particles_close(&ours);
  particles_close(&theirs);
}

/* -------------------------------------------------------------------------------------------------- flips */

/* Where an atom would be had it never been wrapped. */
static void unwrap(const particles *p, const setting *s, int i, double x[3])
{
  const ds_wrap w = wrap_of(s);
  int64_t image[3];
  particles_get_images(&p->a, s, i, image);
  const double a = (double) image[0], b = (double) image[1], c = (double) image[2];
  x[0] = p->a.x[3 * i] + a * w.edge[0] + b * w.edge[5] + c * w.edge[4];
  x[1] = p->a.x[3 * i + 1] + b * w.edge[1] + c * w.edge[3];
  x[2] = p->a.x[3 * i + 2] + c * w.edge[2];
}

/* Where edges move, an atom that has been taken back by so many of them has another velocity. */
static int velocity_follows(const ds_wrap *w, const int flips[3], const int64_t was[3], const int64_t is[3], const double v[3],
  const double found[3])
{
  const int64_t k = was[2], j = was[1] - flips[2] * k, i = was[0] - flips[0] * j - flips[1] * k; /* in the flipped box */
  const double a = (double) (is[0] - i), b = (double) (is[1] - j), c = (double) (is[2] - k);
  const double *const rate = w->rate;
  return fabs(v[0] - a * rate[0] - b * rate[5] - c * rate[4] - found[0]) < 1e-13 &&
    fabs(v[1] - b * rate[1] - c * rate[3] - found[1]) < 1e-13 && fabs(v[2] - c * rate[2] - found[2]) < 1e-13;
}

/* Tilts change by whole edges, the lattice of images stays what it is: so does the place of each atom in it. */
static void flip(const ds_pair_options *options, int own_copies, const int flips[3], int wide_images, int velocities)
{
  setting before = {.name = "a flip", .tilt = TILTED, ALL_MOVE, .rule = {5, 0, 0, 0.0}, .wide_images = wide_images},
          after = before;
  const ds_wrap old = wrap_of(&before);
  after.tilt[0] += flips[2] * old.edge[1];
  after.tilt[1] += flips[2] * before.tilt[2] + flips[1] * old.edge[0];
  after.tilt[2] += flips[0] * old.edge[0];
  static const double rate[6] = {0.3, -0.2, 0.1, 0.7, -0.5, 1.1};
  ds_wrap w = wrap_of(&after);
  const ds_step_program program = program_of(0);
  particles p, q;
  ds_error err;
  int moved = 0, far = 0, outside = 0, other_velocity = 0;
  w.moving = 1;
  memcpy(w.rate, rate, sizeof rate);
  particles_open(&p, ATOMS);
  particles_open(&q, ATOMS);
  particles_fill(&p, &before, FILL_RANDOM, 71);
  for (int i = 0; i < ATOMS; i++) {
    const int image[3] = {i % 5 - 2, i % 3 - 1, i % 7 - 3};
    particles_set_images(&p.a, i, image);
  }
  particles_copy(&q, &p);
  ds_pair *const pair = pair_for(options, &before, &q);
  ds_resident *const r = resident_with(pair, own_copies, &q, &before, &program);
  CHECK_OK(ds_resident_set_wrap(r, &w, &err), err);
  CHECK_OK(ds_resident_flip(r, flips, velocities, &err), err);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  for (int i = 0; i < ATOMS; i++) {
    double x[3], y[3], inside[3];
    int64_t was[3], is[3];
    unwrap(&p, &before, i, x);
    unwrap(&q, &after, i, y);
    particles_get_images(&p.a, &before, i, was);
    particles_get_images(&q.a, &after, i, is);
    other_velocity += !velocity_follows(&w, flips, was, is, p.a.v + 3 * i, q.a.v + 3 * i);
    memcpy(inside, q.a.x + 3 * i, sizeof inside);
    ds_to_fractions(&w, inside);
    for (int d = 0; d < 3; d++) {
      far += !(fabs(x[d] - y[d]) < 1e-12);
      outside += !(inside[d] > -1e-14 && inside[d] < 1.0 + 1e-14);
      moved += fabs(p.a.x[3 * i + d] - q.a.x[3 * i + d]) > 0.1;
    }
  }
  CHECK_INT(far, 0);
  CHECK_INT(outside, 0);
  CHECK(moved > ATOMS / 10);
  if (velocities) {
    CHECK_INT(other_velocity, 0);
  } else {
    CHECK(memcmp(p.a.v, q.a.v, 24 * (size_t) ATOMS) == 0);
    CHECK(other_velocity > ATOMS / 10);
  }
  before.tilt[0] = before.tilt[1] = before.tilt[2] = 0.0;
  const ds_wrap straight = wrap_of(&before);
  CHECK_OK(ds_resident_set_wrap(r, &straight, &err), err);
  EXPECT(ds_resident_flip(r, flips, velocities, &err), err, DS_ERR_ARGUMENT, "a flip of a box that is not tilted");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
  particles_close(&q);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SETTINGS; s++)
      for (int early = 0; early < 2; early++)
        CHECK_CASE(compare(&settings[s], &variants.options[v], (s + v) % 2, (s + v) / 2 % 2, early));
  for (int v = 0; v < variants.n; v++) {
    static const int flips[][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 1, -1}, {-1, 1, 0}, {1, -1, 1}};
    for (int k = 0; k < 16; k++) CHECK_CASE(flip(&variants.options[v], k % 2, flips[k / 2], k / 4 % 2, (k + k / 2) % 2));
  }
  if (check_all()) CHECK(stops > 0);
  if (!check_lists) /* the box has gone on as on a GPU, where work is queued ahead */
    printf("stopped in %d steps, in %d of them the box had gone on\n", stops, returned);
  return check_result();
}
