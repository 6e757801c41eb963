/* test_engine_after_errors.c: the state of objects after an error. What is refused has changed nothing: the next evaluation,
   or run, has the bits that it would have had. What is found while work is done is told again by all that would go on with
   it, until what the headers name is set again; then bits are those of a new object.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_after_errors cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "support/reference_integrator.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/memory.h"

/* ------------------------------------------------------------------------------------ pairs: refused */

/* One wrong call on an object that has all it needs. */
typedef ds_status wrong_call(ds_pair *p, ds_error *err);

static ds_status wrong_coefficient(ds_pair *p, ds_error *err)
{
  test_model t;
  model_open(&t, 2, 30, 5.5, 1.5, 1.0, 0.5);
  t.gamma[3] = -1.0;
  return ds_pair_set_model(p, &t.m, err);
}

static ds_status wrong_number_of_types(ds_pair *p, ds_error *err)
{
  ds_pair_model m = model.m;
  m.ntypes = 5000;
  return ds_pair_set_model(p, &m, err);
}

/* Found when the first two axes have been looked at. */
static ds_status wrong_box(ds_pair *p, ds_error *err)
{
  ds_box box = atoms_system.box;
  box.h[0] = box.h[1] = 9.0;
  box.lo[0] = 2.0;
  box.ghost_reach[2] = 2e6;
  return ds_pair_set_box(p, &box, err);
}

static ds_status wrong_rate(ds_pair *p, ds_error *err)
{
  ds_box box = atoms_system.box;
  for (int d = 0; d < 3; d++) box.h[d] *= 2.0;
  box.image_rate[0] = 3.0;
  box.image_rate[5] = NAN;
  return ds_pair_set_box(p, &box, err);
}

static ds_status wrong_type(ds_pair *p, ds_error *err)
{
  const ds_atoms a = atoms_of(&atoms_system);
  const int good = atoms_system.type[41];
  atoms_system.type[41] = 3;
  const ds_status s = ds_pair_set_atoms(p, &a, err);
  atoms_system.type[41] = good;
  return s;
}

static ds_status wrong_number_of_atoms(ds_pair *p, ds_error *err)
{
  ds_atoms a = atoms_of(&atoms_system);
  a.nlocal = -1;
  return ds_pair_set_atoms(p, &a, err) == DS_ERR_CAPACITY ? DS_ERR_ARGUMENT : DS_OK;
}

static ds_status wrong_exclusion(ds_pair *p, ds_error *err)
{
  static const ds_exclusion rules[2] = {{DS_EXCLUDE_TYPES, 1, 2}, {DS_EXCLUDE_TYPES, 1, 7}};
  ds_atoms a = atoms_of(&atoms_system);
  a.nlocal -= 10;
  a.nexclusions = 2;
  a.exclusion = rules;
  return ds_pair_set_atoms(p, &a, err);
}

/* What the host backend cannot read; a GPU could, and there is refused for its elements. */
static ds_array unreadable(const ds_pair *p, ds_array a)
{
  if (ds_pair_halted(p))
    a.type = (ds_type) 9;
  else
    a.space = DS_SPACE_DEVICE;
  return a;
}

static ds_status unreadable_tags(ds_pair *p, ds_error *err)
{
  ds_atoms a = atoms_of(&atoms_system);
  a.tag = unreadable(p, a.tag);
  return ds_pair_set_atoms(p, &a, err);
}

static ds_status unreadable_types(ds_pair *p, ds_error *err)
{
  const ds_array type = unreadable(p, array_of_ints(atoms_system.type, 1));
  return ds_pair_set_types(p, &type, err);
}

static ds_status unreadable_velocities(ds_pair *p, ds_error *err)
{
  const ds_array x = array_of_doubles(atoms_system.x, 3), v = unreadable(p, x);
  return ds_pair_load(p, &x, &v, 12, err);
}

static ds_status wrong_step(ds_pair *p, ds_error *err)
{
  const ds_array x = array_of_doubles(atoms_system.x, 3);
  return ds_pair_load(p, &x, &x, -1, err);
}

static ds_status wrong_owner(ds_pair *p, ds_error *err)
{
  const int n = atoms_system.nlocal, good = atoms_system.origin[n + 3];
  atoms_system.origin[n + 3] = n;
  const ds_status s = ds_pair_set_ghost_owners(p, atoms_system.origin + n, atoms_system.image + 3 * n, err);
  atoms_system.origin[n + 3] = good;
  return s;
}

static ds_status wrong_messages(ds_pair *p, ds_error *err)
{
  char buffer[64] = {0};
  return ds_pair_unpack_ghosts(p, atoms_system.nlocal - 1, 1, buffer, DS_SPACE_HOST, err);
}

static ds_status unreadable_energies(ds_pair *p, ds_error *err)
{
  static double f[3 * 500], e[500];
  ds_pair_request r = {1, 1, array_of_doubles(f, 3), 0, array_of_doubles(e, 1), array_none(), 0, 0};
  r.eatom = unreadable(p, r.eatom);
  return ds_pair_enqueue(p, &r, err);
}

static ds_status no_place(ds_pair *p, ds_error *err)
{
  return ds_pair_check(p, NULL, NULL, err);
}

static const struct {
  const char *name;
  wrong_call *call;
} wrong_calls[] = {{"coefficient", wrong_coefficient}, {"number of types", wrong_number_of_types},
                   {"box", wrong_box},                 {"rate of the box", wrong_rate},
                   {"type", wrong_type},               {"number of atoms", wrong_number_of_atoms},
                   {"exclusion", wrong_exclusion},     {"memory of tags", unreadable_tags},
                   {"memory of types", unreadable_types}, {"memory of velocities", unreadable_velocities},
                   {"step", wrong_step},               {"owner", wrong_owner},
                   {"messages", wrong_messages},       {"memory of energies", unreadable_energies},
                   {"place", no_place}};
enum { WRONG_CALLS = sizeof wrong_calls / sizeof *wrong_calls };

/* With the list and positions that there are, and with new ones. */
static void test_refused(const ds_pair_options *o, ds_precision precision)
{
  answer before, after;
  test_engine e;
  answer_open(&before, atoms_system.nlocal);
  answer_open(&after, atoms_system.nlocal);
  if (!CHECK_OK(engine_open(&e, o, precision), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 9), e.err);
  CHECK_OK(engine_forces(&e, 1), e.err);
  answer_take(&before, &e, NULL);
  for (int k = 0; k < WRONG_CALLS; k++)
    for (int again = 0; again < 2; again++) {
      ds_error err;
      const ds_status s = wrong_calls[k].call(e.dpd, again ? NULL : &err); /* a text is not required */
      CHECK_MSG(s == DS_ERR_ARGUMENT, "%s: status %d", wrong_calls[k].name, (int) s);
      if (again) {
        CHECK_OK(engine_load(&e, 9), e.err);
        CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err);
      }
      if (!CHECK_OK(engine_forces(&e, 1), e.err)) continue;
      answer_take(&after, &e, NULL);
      check_answer(&after, &before, variant_name(o), wrong_calls[k].name);
    }
  engine_close(&e);
  answer_close(&before);
  answer_close(&after);
}

/* ------------------------------------------------------------------------------- pairs: found on the way */

typedef enum { BAD_POSITION, BAD_FORCE, BAD_TYPE, BAD_MESSAGE, BAD_THINGS } bad_thing;

/* Makes it bad, and asks for forces. Arrays are good again when it is told. */
static ds_status meet(test_engine *e, bad_thing what, int list)
{
  static const double bad[2] = {NAN, 1e25};
  const ds_atoms a = atoms_of(&atoms_system);
  const int n = atoms_system.nlocal, type = atoms_system.type[7];
  double *const value = what == BAD_POSITION ? &atoms_system.x[100] : &atoms_system.v[100], good = *value;
  char message[64];
  memset(message, 0xFF, sizeof message);
  if (what == BAD_POSITION || what == BAD_FORCE) *value = bad[what];
  if (what == BAD_TYPE) atoms_system.type[7] = 7;
  if (what == BAD_TYPE) CHECK_OK(ds_pair_set_types(e->dpd, &a.type, &e->err), e->err);
  if (what == BAD_MESSAGE) CHECK_OK(ds_pair_set_atoms(e->dpd, &a, &e->err), e->err);
  ds_status s = engine_load(e, 10);
  if (!s && what == BAD_MESSAGE) s = ds_pair_unpack_ghosts(e->dpd, n, 1, message, DS_SPACE_HOST, &e->err);
  if (!s && (list || what == BAD_MESSAGE)) s = ds_pair_build_list(e->dpd, &e->err);
  if (!s) s = engine_forces(e, 1);
  *value = good;
  atoms_system.type[7] = type;
  return s;
}

static void check_told(ds_status got, const ds_error *err, const ds_error *told, const char *call)
{
  CHECK_MSG(got == told->code && err->code == told->code && strcmp(err->text, told->text) == 0,
            "%s: status %d, '%s'; expected %d, '%s'", call, (int) got, err->text, (int) told->code, told->text);
}
#define TOLD(call) check_told((call), &err, &told, #call)

static void test_found(const ds_pair_options *o, ds_precision precision)
{
  static const ds_status expected[BAD_THINGS] = {DS_ERR_POSITION, DS_ERR_FORCE_RANGE, DS_ERR_ARGUMENT, DS_ERR_GHOST};
  const int n = atoms_system.nlocal, shift[3] = {0, 0, 0}, first = 0;
  char buffer[64];
  test_engine e;
  if (!CHECK_OK(engine_open(&e, o, precision), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 9), e.err);
  for (int k = 0; k < 2 * BAD_THINGS; k++) {
    int64_t again;
    int rows;
    ds_error err;
    CHECK_OK(engine_forces(&e, 1), e.err);
    const ds_status s = meet(&e, (bad_thing) (k / 2), k % 2);
    const ds_error told = e.err;
    CHECK_MSG(s == expected[k / 2], "case %d: status %d, %s", k, (int) s, told.text);
    TOLD(ds_pair_build_list(e.dpd, &err));
    TOLD(ds_pair_compute(e.dpd, &e.request, NULL, &err));
    TOLD(ds_pair_begin(e.dpd, &e.request, &err));
    TOLD(ds_pair_check(e.dpd, NULL, &again, &err));
    TOLD(ds_pair_pack_ghosts(e.dpd, 1, &first, shift, buffer, DS_SPACE_HOST, &err));
    TOLD(ds_pair_unpack_ghosts(e.dpd, n, 1, buffer, DS_SPACE_HOST, &err));
    TOLD(ds_pair_read_list(e.dpd, &rows, NULL, NULL, NULL, &err));
    CHECK(!ds_pair_has_list(e.dpd));
    if (k / 2 == BAD_TYPE) {
      const ds_array type = array_of_ints(atoms_system.type, 1);
      CHECK_OK(ds_pair_set_types(e.dpd, &type, &err), err);
    }
    CHECK_OK(ds_pair_set_ghost_owners(e.dpd, atoms_system.origin + n, atoms_system.image + 3 * n, &err), err);
    CHECK_OK(engine_load(&e, 9), e.err);
    EXPECT(engine_forces(&e, 1), e.err, DS_ERR_ARGUMENT, "before positions and list");
    CHECK_OK(ds_pair_build_list(e.dpd, &err), err);
    check_fresh(variant_name(o), &e, precision, &model, &atoms_system);
  }
  engine_close(&e);
}

/* Where memory is short, an object has come to its end. */
static void test_memory(void)
{
  enum { MANY = 40000000 };
  test_engine e;
  ds_error err;
  int64_t again;
  if (!CHECK_OK(engine_open(&e, plain(), DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 9), e.err);
  CHECK_OK(engine_forces(&e, 1), e.err);
  ds_atoms a = atoms_of(&atoms_system);
  a.nghost = MANY;
  a.tag.atom_stride = 0; /* all ghosts are one atom */
  if (memory_limit(64 << 20)) {
    EXPECT(ds_pair_set_atoms(e.dpd, &a, &err), err, DS_ERR_MEMORY, "ghosts|bytes of host memory");
    memory_limit_end();
    const ds_error told = err;
    const ds_array x = array_of_doubles(atoms_system.x, 3);
    a = atoms_of(&atoms_system);
    TOLD(ds_pair_set_model(e.dpd, &model.m, &err));
    TOLD(ds_pair_set_box(e.dpd, &atoms_system.box, &err));
    TOLD(ds_pair_set_atoms(e.dpd, &a, &err));
    TOLD(ds_pair_load(e.dpd, &x, &x, 9, &err));
    TOLD(ds_pair_check(e.dpd, NULL, &again, &err));
    CHECK_INT(ds_pair_build_list(e.dpd, NULL), DS_ERR_MEMORY);
  }
  engine_close(&e);
}

/* -------------------------------------------------------------------------------------- resident atoms */

static const setting moved = {
    .name = "moved", ALL_MOVE, .rule = {2, 0, 1, 0.02}, .steps = 10, .stretch = 10};

enum { BONDS = 40 };

typedef struct {
  atoms a;
  ds_pair *p;
  ds_resident *r;
  int32_t member[3 * BONDS];
  ds_bonded_type type[2];
  ds_bonded bonded;
} moving;

/* Bonds between atoms that need not be near each other: their forces are small. */
static void tie(moving *m)
{
  for (int k = 0; k < BONDS; k++) {
    m->member[3 * k] = 3 * k;
    m->member[3 * k + 1] = 3 * k + 1;
    m->member[3 * k + 2] = 1;
  }
  memset(&m->bonded, 0, sizeof m->bonded);
  m->type[1].k = 0.2;
  m->type[1].at = 1.0;
  m->bonded.bonds.style = DS_BOND_STYLE_HARMONIC;
  m->bonded.bonds.ntypes = 1;
  m->bonded.bonds.type = m->type;
  m->bonded.bonds.n = BONDS;
  m->bonded.bonds.member = m->member;
  m->bonded.shared = 1;
  m->bonded.unit = 1e-9;
  for (int d = 0; d < 3; d++) m->bonded.reach[d] = 3.2;
}

/* All that a run begins with; in an object that there is, where it has lost its atoms. */
static void moving_begin(moving *m)
{
  ds_error err;
  const ds_resident_atoms fields = fields_of(&m->a, &moved);
  atoms_fill(&m->a, &moved, 5);
  CHECK_OK(give_atoms(m->p, &m->a, &err), err);
  CHECK_OK(ds_resident_set_atoms(m->r, &fields, &err), err);
  CHECK_OK(ds_resident_to_engine(m->r, DS_ALL_FIELDS | DS_TAG, &err), err);
  CHECK_OK(ds_resident_set_reference(m->r, &err), err);
  CHECK_OK(ds_resident_set_bonded(m->r, &m->bonded, &err), err);
}

static void moving_open(moving *m, const ds_pair_options *o)
{
  atoms_open(&m->a, ATOMS);
  atoms_fill(&m->a, &moved, 5);
  m->p = pair_of(o, DS_PRECISION_MIXED, &moved, &m->a);
  m->r = resident_in(m->p, &m->a, &moved, 1);
  tie(m);
  moving_begin(m);
}

static void moving_close(moving *m)
{
  ds_resident_close(m->r);
  ds_pair_close(m->p);
  atoms_close(&m->a);
}

static ds_run_request ten_steps(void)
{
  ds_run_request s;
  memset(&s, 0, sizeof s);
  s.first = 1;
  s.last = 10;
  s.rule = moved.rule;
  s.hand_over = INT64_MAX;
  return s;
}

/* Makes the ten steps, and compares. */
static void check_run(moving *m, const atoms *expected, const char *where)
{
  const ds_run_request steps = ten_steps();
  ds_run_result reached;
  ds_error err;
  if (!CHECK_OK(ds_resident_run(m->r, &steps, &reached, &err), err)) return;
  CHECK_OK(ds_resident_to_host(m->r, DS_ALL_FIELDS, &err), err);
  check_same(&m->a, expected, &moved, where);
}

/* The steps, with calls before them that are refused. */
static void refused_calls(moving *m)
{
  ds_error err;
  ds_run_result reached;
  ds_run_request steps = ten_steps();
  ds_step_program program = steps_of(&moved);
  ds_resident_atoms fields = fields_of(&m->a, &moved);
  ds_wrap w = wrap_of(&moved);
  ds_bonded wrong = m->bonded;
  ds_sort_bins bins = {{3, 0, 3}, {low[0], low[1], low[2]}, {0.5, 0.4, 0.3}};
  int flag;
#define REFUSED(call, words) EXPECT(call, err, DS_ERR_ARGUMENT, words)
  fields.n = ATOMS / 2;
  fields.ntypes = 1;
  REFUSED(ds_resident_set_atoms(m->r, &fields, &err), "has type 2");
  program.n = 1;
  program.operation[0].every = 0;
  REFUSED(ds_resident_set_steps(m->r, &program, &err), "every 0 steps");
  w.period[0] = 1.0;
  w.period[2] = -1.0;
  REFUSED(ds_resident_set_wrap(m->r, &w, &err), "period -1");
  m->member[3] = ATOMS;
  REFUSED(ds_resident_set_bonded(m->r, &wrong, &err), "bond 1 has an atom 700");
  m->member[3] = 3;
  wrong.reach[1] = 100.0;
  REFUSED(ds_resident_set_bonded(m->r, &wrong, &err), "reach 100");
  REFUSED(ds_resident_sort(m->r, &bins, &err), "0 bins");
  REFUSED(ds_resident_to_engine(m->r, -1, &err), "set of fields -1");
  REFUSED(ds_resident_operate(m->r, 1, 0, 33, 0, 0, &err), "operations 0 to 33");
  REFUSED(ds_resident_has_moved(m->r, -1.0, &flag, &err), "must be >= 0");
  REFUSED(ds_resident_reneighbor(m->r, 1, NULL, &err), "no place");
  steps.last = 0;
  REFUSED(ds_resident_run(m->r, &steps, &reached, &err), "steps 1 to 0");
  REFUSED(ds_resident_run(m->r, NULL, &reached, &err), "no steps");
#undef REFUSED
}

/* An operation that lacks an array, behind a launch full of others: none of them has acted. */
static void test_operations(moving *m)
{
  ds_step_program p = steps_of(&moved);
  ds_error err;
  const ds_step_program good = p;
  ds_operation *const last = &p.operation[DS_MAX_OPERATIONS - 1];
  for (int k = p.n; k < DS_MAX_OPERATIONS; k++) p.operation[k] = p.operation[p.n - 1];
  p.n = DS_MAX_OPERATIONS;
  last->kind = DS_SPRING_SELF;
  last->point = DS_AT_INITIAL;
  CHECK_OK(ds_resident_set_steps(m->r, &p, &err), err);
  EXPECT(ds_resident_operate(m->r, 1, 0, p.n, 0, 0, &err), err, DS_ERR_ARGUMENT, "array 0 of anchors");
  CHECK_OK(ds_resident_set_steps(m->r, &good, &err), err);
}

static ds_status refuses_step_5(void *user, int64_t step, ds_error *err)
{
  (void) user;
  return step < 5 ? DS_OK : ds_fail(err, DS_ERR_CAPACITY, "nothing is ready for step %d", (int) step);
}

/* Steps that are broken off, because the caller wants it or an atom is nowhere. */
static void lose_atoms(moving *m, int how)
{
  ds_error err;
  ds_run_result reached;
  ds_run_request steps = ten_steps();
  int flag;
  if (how)
    m->a.v[3 * 11] = 1e200;
  else
    steps.prepare = refuses_step_5;
  CHECK_OK(ds_resident_to_engine(m->r, DS_ALL_FIELDS, &err), err);
  const ds_status s = ds_resident_run(m->r, &steps, &reached, &err);
  const ds_error told = err;
  CHECK_MSG(s == (how ? DS_ERR_POSITION : DS_ERR_CAPACITY), "status %d: %s", (int) s, err.text);
  TOLD(ds_resident_run(m->r, &steps, &reached, &err));
  TOLD(ds_resident_to_host(m->r, DS_ALL_FIELDS, &err));
  TOLD(ds_resident_to_engine(m->r, DS_ALL_FIELDS, &err));
  TOLD(ds_resident_operate(m->r, 1, 0, 1, 0, 0, &err));
  TOLD(ds_resident_has_moved(m->r, 0.1, &flag, &err));
  TOLD(ds_resident_reneighbor(m->r, 5, &flag, &err));
  TOLD(ds_resident_set_bonded(m->r, &m->bonded, &err));
  TOLD(ds_resident_reference_to_host(m->r, &err));
  TOLD(ds_resident_bonded_forces(m->r, 5, NULL, &flag, &err));
}

static void test_resident(const ds_pair_options *o)
{
  atoms expected;
  moving m;
  ds_error err;
  ds_run_result reached;
  const ds_run_request steps = ten_steps();
  moving_open(&m, o);
  atoms_open(&expected, ATOMS);
  CHECK_OK(ds_resident_run(m.r, &steps, &reached, &err), err);
  CHECK_OK(ds_resident_to_host(m.r, DS_ALL_FIELDS, &err), err);
  atoms_copy(&expected, &m.a);
  moving_begin(&m);
  refused_calls(&m);
  test_operations(&m);
  check_run(&m, &expected, "after calls refused");
  for (int how = 0; how < 2; how++) {
    moving_begin(&m);
    lose_atoms(&m, how);
    moving_begin(&m);
    check_run(&m, &expected, how ? "after a fault" : "after steps broken off");
  }
  moving_close(&m);
  atoms_close(&expected);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  for (int v = 0; v < variants.n; v++) {
    for (int p = 0; p < DS_PRECISIONS; p++) {
      CHECK_CASE(test_refused(&variants.options[v], (ds_precision) p));
      CHECK_CASE(test_found(&variants.options[v], (ds_precision) p));
    }
    CHECK_CASE(test_resident(&variants.options[v]));
  }
  CHECK_CASE(test_memory());
  system_close(&atoms_system);
  return check_result();
}
