/* test_engine_resident_stops.c: what ends or interrupts steps of atoms that stay with the engine: rebuilds that the
   caller takes over, atoms that leave the box, bad arguments, faults.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_resident_stops cuda" makes the same checks on the GPU. */
#include "support/reference_integrator.h"
#include "support/expect.h"

static test_variants variants;

static const setting settings[] = {
    {.name = "every 5 steps", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 60, .stretch = 60},
    {.name = "by distance", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 80, .stretch = 80},
};

/* ------------------------------------------------------------------------ what changes between two steps */

/* What prepare() changes, and has besides the run's own atoms. */
typedef struct {
  ds_pair *pair;
  ds_resident *r;
  const setting *s;
  atoms own, others, spare;
  double factor; /* of the temperature, as it has been set */
} changing_object;

/* Another temperature in some steps, with another unit of forces, and the box, which makes positions be loaded again, in
   others. A step can come twice: the temperature of its own is set, whatever that of later steps is. */
static ds_status change_model(void *user, int64_t step, ds_error *err)
{
  changing_object *const o = user;
  ds_pair_model m = model_used()->m;
  const ds_box box = box_of(o->s, m.skin);
  const double factor = step < 8 ? 1.0 : step < 13 ? 100.0 : 0.5;
  m.kT *= factor;
  if (step == 23) return ds_pair_set_box(o->pair, &box, err);
  if (factor == o->factor && step != 14) return DS_OK;
  o->factor = factor;
  return ds_pair_set_model(o->pair, &m, err);
}

static ds_status evaluate(ds_pair *pair, ds_array x, ds_array v, ds_array f, int64_t step, ds_error *err)
{
  const ds_pair_request forces = {0, 0, f, 0, array_none(), array_none(), 0, 0};
  const ds_status s = ds_pair_load(pair, &x, &v, step, err);
  return s ? s : ds_pair_compute(pair, &forces, NULL, err);
}

/* Forces of atoms that are elsewhere, into another array. */
static ds_status evaluate_others(void *user, int64_t step, ds_error *err)
{
  const changing_object *const o = user;
  const atoms *const a = &o->others;
  return step == 8 || step == 17 ? evaluate(o->pair, array_of_doubles(a->x, 3), array_of_doubles(a->v, 3),
                                            array_of_doubles(a->f, 3), step, err)
                                 : DS_OK;
}

/* Forces of the run's atoms, added to those that they have. */
static ds_status add_forces(void *user, int64_t step, ds_error *err)
{
  const changing_object *const o = user;
  return step == 8 || step == 17 ? evaluate(o->pair, ds_resident_array(o->r, DS_POSITION), ds_resident_array(o->r, DS_VELOCITY),
                                            ds_resident_array(o->r, DS_FORCE), step, err)
                                 : DS_OK;
}

/* Other types, which count from the next positions on; forces of those of the step before are made in between. */
static ds_status change_types(void *user, int64_t step, ds_error *err)
{
  const changing_object *const o = user;
  const ds_array other = array_of_ints(o->spare.type, 1);
  const ds_pair_request forces = {0, 0, ds_resident_array(o->r, DS_FORCE), 1, array_none(), array_none(), 0, 0};
  if (step != 8 || o->spare.type[0] != o->own.type[0]) return DS_OK; /* the step comes twice: the list depends on types */
  for (int i = 0; i < o->spare.n; i += 2) o->spare.type[i] = 3 - o->own.type[i];
  const ds_status s = ds_pair_set_types(o->pair, &other, err);
  return s ? s : ds_pair_compute(o->pair, &forces, NULL, err);
}

/* The same atoms in other arrays; nobody reads what the first ones are left with. */
static ds_status move_arrays(void *user, int64_t step, ds_error *err)
{
  changing_object *const o = user;
  const atoms before = o->own;
  if (step != 8 && step != 17) return DS_OK;
  o->own = o->spare;
  o->spare = before;
  atoms_copy(&o->own, &before);
  memset(before.x, 0, 24 * (size_t) before.n);
  const ds_resident_atoms fields = fields_of(&o->own, o->s);
  return ds_resident_set_atoms(o->r, &fields, err);
}

enum { OWNER = 3, PARTNER = 10 };

static ds_status change_bonds(void *user, int64_t step, ds_error *err)
{
  static const int32_t member[3] = {OWNER, PARTNER, 1};
  static const ds_bonded_type types[2] = {[1] = {.k = 50.0, .at = 0.5}};
  const changing_object *const o = user;
  ds_bonded bonds;
  memset(&bonds, 0, sizeof bonds);
  bonds.bonds = (ds_terms) {DS_BOND_STYLE_HARMONIC, 1, types, 1, member};
  bonds.shared = 1;
  bonds.reach[0] = bonds.reach[1] = bonds.reach[2] = 2.0;
  bonds.unit = 4.0;
  return step == 8 || step == 17 ? ds_resident_set_bonded(o->r, step == 8 ? &bonds : NULL, err) : DS_OK;
}

typedef ds_status between_steps(void *user, int64_t step, ds_error *err);

static void changing_open(changing_object *o, const ds_pair_options *options, const setting *s)
{
  atoms *const all[3] = {&o->own, &o->others, &o->spare};
  for (int k = 0; k < 3; k++) {
    atoms_open(all[k], ATOMS);
    atoms_fill(all[k], s, k == 1 ? 78 : 77);
  }
  for (int d = 0; d < 3; d++) o->own.x[3 * PARTNER + d] = o->own.x[3 * OWNER + d] + 0.2;
  o->s = s;
  o->factor = 1.0;
  o->pair = pair_of(options, DS_PRECISION_MIXED, s, &o->others); /* whose tags and types are those of all */
  o->r = resident_of(o->pair, &o->own, s);
}

static void changing_close(changing_object *o)
{
  ds_resident_close(o->r);
  ds_pair_close(o->pair);
  atoms_close(&o->own);
  atoms_close(&o->others);
  atoms_close(&o->spare);
}

/* Steps that are made in one run have the same bits as those of runs of one step each, each of which begins afresh. */
static void check_changed(const ds_pair_options *options, const setting *s, between_steps *prepare, const char *what)
{
  changing_object made[2];
  for (int alone = 0; alone < 2; alone++) {
    changing_object *const o = &made[alone];
    ds_error err;
    ds_run_result reached;
    ds_run_request stretch;
    changing_open(o, options, s);
    memset(&stretch, 0, sizeof stretch);
    stretch.rule = s->rule;
    stretch.hand_over = INT64_MAX;
    stretch.prepare = prepare;
    stretch.user = o;
    for (stretch.first = 1; stretch.first <= 30; stretch.first = stretch.last + 1) {
      /* on a GPU steps are queued ahead: the first list's room is known before others follow, so that none comes twice */
      stretch.last = alone || stretch.first == 1 ? stretch.first : 30;
      if (!CHECK_OK(ds_resident_run(o->r, &stretch, &reached, &err), err)) break;
      stretch.reneighbored = reached.reneighbored;
    }
    CHECK_OK(ds_resident_to_host(o->r, DS_ALL_FIELDS, &err), err);
  }
  check_same(&made[0].own, &made[1].own, s, what);
  for (int alone = 0; alone < 2; alone++) changing_close(&made[alone]);
}

static void test_changed_between_steps(void)
{
  for (int v = 0; v < variants.n; v++) {
    const ds_pair_options *const options = &variants.options[v];
    for (int check = 0; check < 2; check++) check_changed(options, &settings[check], change_model, "another model");
    check_changed(options, &settings[0], evaluate_others, "forces of other atoms between steps");
    check_changed(options, &settings[0], add_forces, "forces added between steps");
    check_changed(options, &settings[0], change_types, "other types between steps");
    check_changed(options, &settings[0], move_arrays, "arrays moved between steps");
    check_changed(options, &settings[0], change_bonds, "bonds set and dropped between steps");
  }
}

/* A model with a place among others of its seed has fewer steps: the run ends in the last of them, with an error. */
static void test_last_step_of_place(void)
{
  for (int v = 0; v < variants.n; v++) {
    const setting *const s = &settings[0];
    atoms a;
    ds_error err;
    ds_run_result reached;
    ds_run_request stretch;
    ds_pair_model m = model_used()->m;
    m.place = 1;
    atoms_open(&a, ATOMS);
    atoms_fill(&a, s, 77);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, s, &a);
    CHECK_OK(ds_pair_set_model(p, &m, &err), err);
    ds_resident *const r = resident_of(p, &a, s);
    memset(&stretch, 0, sizeof stretch);
    stretch.first = stretch.reneighbored = (1ll << 48) - 9;
    stretch.last = (1ll << 48) + 9;
    stretch.rule = s->rule;
    stretch.rule.every = 1000;
    stretch.hand_over = INT64_MAX;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "step 281474976710656|place 1|below 2^48");
    ds_resident_close(r);
    ds_pair_close(p);
    atoms_close(&a);
  }
}

/* --------------------------------------------------------------------------- what the caller takes over */

/* From a given step on the caller rebuilds. What he is given is the state after the first half of that step; when he has
   rebuilt in the engine's way, all goes on as if he had not been asked. */
static void test_hand_over(void)
{
  for (int check = 0; check < 2; check++)
    for (int v = 0; v < variants.n; v++) {
      setting s = settings[check];
      s.steps = 40;
      atoms whole, parts;
      ds_error err;
      ds_run_result reached;
      ds_run_request stretch;
      int outside, handed = 0;
      atoms_open(&whole, ATOMS);
      atoms_open(&parts, ATOMS);
      atoms_fill(&whole, &s, 77);
      atoms_copy(&parts, &whole);
      ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &whole);
      ds_pair *const q = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &parts);
      ds_resident *const r = resident_of(p, &whole, &s), *const t = resident_of(q, &parts, &s);
      memset(&stretch, 0, sizeof stretch);
      stretch.first = 1;
      stretch.last = s.steps;
      stretch.rule = s.rule;
      stretch.hand_over = INT64_MAX;
      CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
      const int64_t reneighborings = reached.reneighborings;
      stretch.hand_over = 11;
      for (reached.whole = 0; !reached.whole;) {
        if (!CHECK_OK(ds_resident_run(t, &stretch, &reached, &err), err)) break;
        handed += !reached.whole;
        if (reached.whole) break;
        CHECK(reached.step >= 11);
        CHECK_OK(ds_resident_reneighbor(t, reached.step, &outside, &err), err);
        CHECK_INT(outside, 0);
        CHECK_OK(give_atoms(q, &parts, &err), err); /* as after renumbering */
        stretch.first = stretch.reneighbored = reached.step;
        stretch.begun = 1;
      }
      CHECK_MSG(handed > 1 && handed < reneighborings, "%d of %lld rebuilds were handed over", handed,
                (long long) reneighborings);
      CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
      CHECK_OK(ds_resident_to_host(t, DS_ALL_FIELDS, &err), err);
      check_same(&parts, &whole, &s, "handed over");
      ds_resident_close(r);
      ds_resident_close(t);
      ds_pair_close(p);
      ds_pair_close(q);
      atoms_close(&whole);
      atoms_close(&parts);
    }
}

/* An atom leaves the box where it is not periodic: the caller gets the step, before anything was wrapped. */
static void test_outside(void)
{
  for (int v = 0; v < variants.n; v++) {
    setting s = settings[0];
    atoms a;
    ds_error err;
    ds_run_result reached;
    ds_run_request stretch;
    s.periodic[1] = 0;
    atoms_open(&a, ATOMS);
    atoms_fill(&a, &s, 77);
    a.x[3 * 40 + 1] = low[1] + edge[1] - 0.06;
    a.v[3 * 40 + 1] = 0.7; /* outside in step 9, seen in step 10 */
    a.mask[40] = 1;
    s.ngroups = 1;
    for (int i = 0; i < ATOMS; i++) a.mask[i] = i == 40; /* no other one moves */
    memset(&stretch, 0, sizeof stretch);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &a);
    ds_resident *const r = resident_of(p, &a, &s);
    stretch.first = 1;
    stretch.last = 50;
    stretch.rule = s.rule;
    stretch.hand_over = INT64_MAX;
    CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
    CHECK_INT(reached.whole, 0);
    CHECK_MSG(reached.step % 5 == 0 && reached.reneighbored == reached.step - 5 &&
                  reached.reneighborings == reached.step / 5 - 1,
              "seen in step %lld, rebuilt in %lld", (long long) reached.step,
              (long long) reached.reneighbored);
    CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
    CHECK(a.x[3 * 40 + 1] >= low[1] + edge[1]);
    ds_resident_close(r);
    ds_pair_close(p);
    atoms_close(&a);
  }
}

/* ------------------------------------------------------------------------------------------- errors */

static ds_status stop_in_step(void *user, int64_t step, ds_error *err)
{
  return step == *(int64_t *) user ? ds_fail(err, DS_ERR_ARGUMENT, "stopped in step %d", (int) step)
                                   : DS_OK;
}

/* The box of forces and that of rebuilds must be one. */
static void check_moving_images_refused(ds_resident *r, ds_pair *p, const setting *s,
                                        const ds_run_request *stretch)
{
  ds_error err;
  ds_run_result reached;
  int outside;
  ds_box box = box_of(s, model_used()->m.skin);
  box.image_rate[5] = 1.0;
  CHECK_OK(ds_pair_set_box(p, &box, &err), err);
  EXPECT(ds_resident_reneighbor(r, 1, &outside, &err), err, DS_ERR_ARGUMENT, "images move|velocity");
  EXPECT(ds_resident_run(r, stretch, &reached, &err), err, DS_ERR_ARGUMENT, "images move|velocity");
  box.image_rate[5] = 0.0;
  CHECK_OK(ds_pair_set_box(p, &box, &err), err);
}

static void test_errors(void)
{
  const setting *const s = &settings[0];
  for (int v = 0; v < variants.n; v++) {
    atoms a;
    ds_error err;
    ds_run_result reached;
    ds_run_request stretch;
    ds_resident *r;
    int64_t when = 12;
    atoms_open(&a, ATOMS);
    atoms_fill(&a, s, 77);
    memset(&stretch, 0, sizeof stretch);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, s, &a);
    CHECK_OK(ds_resident_open(&r, p, 0, &err), err);
    stretch.first = 1;
    stretch.last = 30;
    stretch.rule = s->rule;
    stretch.hand_over = INT64_MAX;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "no atoms");
    ds_resident_close(r);

    r = resident_of(p, &a, s);
    ds_resident_atoms bad = fields_of(&a, s);
    bad.v.type = DS_F32;
    EXPECT(ds_resident_set_atoms(r, &bad, &err), err, DS_ERR_ARGUMENT, "velocities|elements of F32|allowed: F64");
    bad = fields_of(&a, s);
    bad.x.atom_stride = 4;
    EXPECT(ds_resident_set_atoms(r, &bad, &err), err, DS_ERR_ARGUMENT, "positions|behind");
    bad = fields_of(&a, s);
    bad.mask.data = NULL;
    EXPECT(ds_resident_set_atoms(r, &bad, &err), err, DS_ERR_ARGUMENT, "masks|NULL");
    const double none[3] = {0.0, 1.0, 0.0};
    bad = fields_of(&a, s);
    bad.mass = none;
    EXPECT(ds_resident_set_atoms(r, &bad, &err), err, DS_ERR_ARGUMENT, "mass 0|type 2|> 0");
    ds_step_program steps = steps_of(s);
    steps.n = DS_MAX_OPERATIONS + 1;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "33 operations|0 to 32");
    steps = steps_of(s);
    steps.operation[0].every = 0;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "fix nve|every 0");
    steps = steps_of(s);
    steps.operation[0].number[1] = NAN;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "fix nve|nan as number 1");
    steps = steps_of(s);
    steps.operation[0].point = DS_AT_POST_INTEGRATE;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "order of points");
    steps = steps_of(s);
    steps.operation[0].region = 0;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "region 0 of 0");
    steps = steps_of(s);
    steps.operation[0].flags = DS_AFTER_SUMS;
    EXPECT(ds_resident_set_steps(r, &steps, &err), err, DS_ERR_ARGUMENT, "reads sums of operation -1");
    ds_wrap w = wrap_of(s);
    w.image_bits = 40;
    EXPECT(ds_resident_set_wrap(r, &w, &err), err, DS_ERR_ARGUMENT, "40 bits|1 to 21");
    w = wrap_of(s);
    w.moving = 1;
    w.rate[5] = NAN;
    EXPECT(ds_resident_set_wrap(r, &w, &err), err, DS_ERR_ARGUMENT, "rate nan|finite");
    stretch.rule.every = 0;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "every 0");
    stretch.rule = s->rule;
    stretch.last = 0;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "steps 1 to 0");
    stretch.last = 30;
    check_moving_images_refused(r, p, s, &stretch);
    stretch.prepare = stop_in_step;
    stretch.user = &when;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT,
           "stopped in step 12");
    ds_resident_close(r);
    ds_pair_close(p);
    atoms_close(&a);
  }
}

/* The step in which it happens is named, however far ahead work was queued. */
static void test_step_of_fault(void)
{
  for (int v = 0; v < variants.n; v++) {
    setting s = settings[0];
    atoms a;
    ds_error err;
    ds_run_result reached;
    ds_run_request stretch;
    atoms_open(&a, ATOMS);
    atoms_fill(&a, &s, 77);
    for (int i = 0; i < ATOMS; i++) a.mask[i] = i == 40;
    a.x[3 * 40] = low[0] + 0.5 * edge[0];
    a.v[3 * 40] = 50.0; /* 0.5 in each step, as no list is rebuilt: beyond the skin soon, and then beyond a whole box */
    s.rule.every = 1000;
    memset(&stretch, 0, sizeof stretch);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &a);
    ds_resident *const r = resident_of(p, &a, &s);
    stretch.first = 1;
    stretch.last = 100;
    stretch.rule = s.rule;
    stretch.hand_over = INT64_MAX;
    EXPECT(ds_resident_run(r, &stretch, &reached, &err), err, DS_ERR_POSITION,
           "atom 41|at step 21 |one edge of the box");
    CHECK_INT(ds_pair_outlived_lists(p), 1);
    ds_resident_close(r);
    ds_pair_close(p);
    atoms_close(&a);
  }
}

/* Atoms are so light that friction turns velocities round, and makes them larger, in each step, until the force on some pair
   is too large. The run names it and the step as steps by a caller do, whose forces are found one evaluation after the
   other. */
static void light_steps(const ds_pair_options *options, int64_t stretch, ds_error *err)
{
  setting s = settings[0];
  atoms a;
  ds_run_result reached;
  ds_run_request run;
  s.by_atom = 1;
  s.rule.every = 1000;
  ds_step_program steps = steps_of(&s);
  for (int k = 0; k < steps.n; k++) {
    steps.operation[k].number[0] = 1e-5;
    steps.operation[k].number[1] = 0.5e-5;
  }
  atoms_open(&a, ATOMS);
  atoms_fill(&a, &s, 77);
  for (int i = 0; i < ATOMS; i++) a.rmass[i] = 7e-5;
  ds_pair *const p = pair_of(options, DS_PRECISION_MIXED, &s, &a);
  ds_resident *const r = resident_of(p, &a, &s);
  CHECK_OK(ds_resident_set_steps(r, &steps, err), *err);
  memset(&run, 0, sizeof run);
  run.rule = s.rule;
  run.hand_over = INT64_MAX;
  int status = DS_OK;
  for (run.first = 1; run.first <= 40 && !status; run.first = run.last + 1) {
    run.last = run.first + stretch - 1;
    status = ds_resident_run(r, &run, &reached, err);
  }
  CHECK_MSG(status == DS_ERR_FORCE_RANGE, "%d, %s", status, err->text);
  ds_resident_close(r);
  ds_pair_close(p);
  atoms_close(&a);
}

static void test_step_of_force(void)
{
  for (int v = 0; v < variants.n; v++) {
    ds_error alone, queued;
    light_steps(&variants.options[v], 1, &alone);
    light_steps(&variants.options[v], 40, &queued);
    CHECK_MSG(strcmp(alone.text, queued.text) == 0, "%s, and in one run %s", alone.text, queued.text);
    CHECK_MSG(!strstr(alone.text, "step 1 ") && !strstr(alone.text, "step 2 "), "too early for steps to be repeated: %s",
              alone.text);
  }
}

/* What has been given to the engine is the caller's again, however much the GPU has still to do, and though it reads his
   memory directly. */
static void test_own_again(void)
{
  for (int v = 0; v < variants.n; v++) {
    const setting *const s = &settings[0];
    atoms a, before;
    ds_error err;
    atoms_open(&a, ATOMS);
    atoms_open(&before, ATOMS);
    atoms_fill(&a, s, 77);
    ds_pair *const p = pair_of(&variants.options[v], DS_PRECISION_MIXED, s, &a);
    ds_resident *const r = resident_of(p, &a, s);
    if (ds_resident_has_own_copies(r)) {
      ds_pair_pin(p, a.x, 24 * ATOMS);
      for (int k = 0; k < 2000; k++) CHECK_OK(ds_resident_operate(r, 1, 0, 1, 0, 0, &err), err);
      atoms_copy(&before, &a);
      CHECK_OK(ds_resident_to_engine(r, DS_POSITION, &err), err);
      memset(a.x, 0, 24 * ATOMS);
      CHECK_OK(ds_resident_to_host(r, DS_POSITION, &err), err);
      CHECK_MSG(memcmp(a.x, before.x, 24 * ATOMS) == 0,
                "positions were read after they were given");
      ds_pair_unpin(p, a.x);
    }
    ds_resident_close(r);
    ds_pair_close(p);
    atoms_close(&a);
    atoms_close(&before);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_hand_over());
  CHECK_CASE(test_outside());
  CHECK_CASE(test_errors());
  CHECK_CASE(test_step_of_fault());
  CHECK_CASE(test_step_of_force());
  CHECK_CASE(test_own_again());
  CHECK_CASE(test_changed_between_steps());
  CHECK_CASE(test_last_step_of_place());
  return check_result();
}
