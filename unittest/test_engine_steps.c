/* test_engine_steps.c: every kind of operation gives the same bits on resident atoms and on a caller's arrays, and what its
   formula says.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps cuda" makes the same checks on the GPU. When and on whom operations act: test_engine_steps_program;
   whole runs: test_engine_steps_run; sums: test_engine_steps_sums; test_engine_steps_errors; test_engine_steps_walls. */
#include "support/steps_programs.h"

static test_variants variants;

static const int sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const setting settings[] = {
    {.name = "masses by type", ALL_MOVE},
    {.name = "masses by atom, wide images, tilted", .tilt = TILTED, ALL_MOVE, .by_atom = 1, .wide_images = 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* ------------------------------------------------------------------------------- against the formulas */

static ref_particle *reference_of(const particles *p, const setting *s)
{
  ref_particle *const all = test_alloc((size_t) p->a.n * sizeof *all);
  for (int i = 0; i < p->a.n; i++) {
    ref_particle *const r = &all[i];
    memcpy(r->x, p->a.x + 3 * i, sizeof r->x);
    memcpy(r->v, p->a.v + 3 * i, sizeof r->v);
    memcpy(r->f, p->a.f + 3 * i, sizeof r->f);
    for (int k = 0; k < DS_MAX_ANCHORS; k++) memcpy(r->anchor[k], p->anchor[k] + 3 * i, sizeof r->anchor[k]);
    r->mass = mass_of(&p->a, s, i);
    r->tag = p->a.tag[i];
    r->mask = p->a.mask[i];
    r->type = p->a.type[i];
    particles_get_images(&p->a, s, i, r->image);
  }
  return all;
}

static double largest_error; /* of a component, by `size` of its vector; of a sum, by the magnitudes in it */

static int is_near(double got, double expected, double size)
{
  const double error = fabs(got - expected);
  if (size > 0.0) largest_error = fmax(largest_error, error / size);
  return error <= 1e-13 * size;
}

static void check_formulas(const particles *p, const ref_particle *expected, const char *what)
{
  static const char *const name[REF_VECTORS] = {"position", "velocity", "force"};
  const double *const got[REF_VECTORS] = {p->a.x, p->a.v, p->a.f};
  for (int i = 0; i < p->a.n; i++) {
    const double *const wanted[REF_VECTORS] = {expected[i].x, expected[i].v, expected[i].f};
    for (int v = 0; v < REF_VECTORS; v++)
      for (int d = 0; d < 3; d++)
        if (!is_near(got[v][3 * i + d], wanted[v][d], expected[i].size[v])) {
          CHECK_MSG(0, "%s: component %d of the %s of particle %d is %.17g, expected %.17g", what, d, name[v], i,
                    got[v][3 * i + d], wanted[v][d]);
          return;
        }
  }
  CHECK(1);
}

/* Each term is rounded to a multiple of unit / 2^60. */
static void check_formulas_of_sums(const ds_step_program *program, const step_sums *got, const ref_sums *expected, int n,
                                   const char *what)
{
  for (int k = 0; k < program->n; k++)
    for (int j = 0; j < program->operation[k].nsums; j++) {
      const ref_sum *const e = &expected->sum[k][j];
      const double rounding = n * ldexp(program->operation[k].unit, -60), value = value_of(program, got, k, j);
      const double off = fmax(fabs(value - (double) e->value) - rounding, 0.0);
      CHECK_MSG(is_near(off, 0.0, (double) e->size), "%s: sum %d of operation %d is %.17g, expected %.17g", what, j, k,
                value, (double) e->value);
    }
}

/* -------------------------------------------------------------------------------------- all of them */

/* The same particles, to begin with and for each way to act on them. */
typedef struct {
  particles before, by_stepper, by_resident;
  ds_pair *pair[TEST_MAX_VARIANTS];
  ds_resident *resident[TEST_MAX_VARIANTS]; /* all of them of by_resident */
  const setting *s;
  fill_kind kind;
} trial;

static int seen[DS_OPERATION_KINDS]; /* programs with that kind that have changed all that they may */

/* Fields that differ. */
static int fields_changed(const particles *p, const particles *q)
{
  const size_t bytes = 24 * (size_t) p->a.n;
  return (memcmp(p->a.x, q->a.x, bytes) ? DS_POSITION : 0) | (memcmp(p->a.v, q->a.v, bytes) ? DS_VELOCITY : 0) |
         (memcmp(p->a.f, q->a.f, bytes) ? DS_FORCE : 0);
}

/* Operations change the fields that they are said to change, and no others. */
static void check_fields(const trial *t, const ds_step_program *program, const char *what)
{
  const int fields = fields_changed(&t->before, &t->by_stepper);
  int writes = 0;
  for (int k = 0; k < program->n; k++) writes |= ds_operation_writes(program->operation[k].kind);
  CHECK_MSG((fields & ~writes) == 0, "%s: fields %d have changed, of %d", what, fields, writes);
  for (int k = 0; k < program->n; k++)
    if (fields == writes) seen[program->operation[k].kind]++;
}

/* The GPU has kernels for some kinds and one for all of them: each operation is tried in all that know it, by others in the
   same launch that act on nobody. */
enum { COMPANIES = 3, COMPANIONS = 2 };

static ds_step_program in_company(const ds_step_program *alone, int company)
{
  static const ds_operation_kind others[COMPANIES][COMPANIONS] = {
      {0, 0}, {DS_ADD_FORCE, DS_WALL_REFLECT}, {DS_ADD_FORCE, DS_SUM_KINETIC_TRACE}};
  const int stride = 1 + COMPANIONS;
  ds_step_program p = *alone;
  p.n = 0;
  if (company == 0) return *alone;
  for (int k = 0; k < alone->n; k++) {
    ds_operation *const o = &p.operation[p.n++];
    *o = alone->operation[k];
    if (o->from >= 0) o->from *= stride;
    if (o->also >= 0) o->also *= stride;
    if (o->kind == DS_LANGEVIN) o->number[5] *= stride; /* sums of those between are 0 */
    for (int j = 0; j < COMPANIONS; j++) add_operation(&p, others[company][j], alone->operation[k].point)->group = 0;
  }
  return p;
}

/* Sums as they are where each operation is alone. */
static void bring_together(step_sums *sums, int n, int company)
{
  for (int k = 1; k < n && company; k++)
    memmove(sums->of + k * DS_OPERATION_SUMS, sums->of + k * (1 + COMPANIONS) * DS_OPERATION_SUMS,
            DS_OPERATION_SUMS * sizeof *sums->of);
}

static void try_residents(trial *t, const ds_step_program *program, int64_t step, const step_sums *expected, const char *what)
{
  step_sums got;
  for (int company = 0; company < COMPANIES; company++) {
    const ds_step_program all = in_company(program, company);
    for (int v = 0; v < variants.n; v++) {
      particles_copy(&t->by_resident, &t->before);
      resident_acts(t->resident[v], &all, step, &got);
      bring_together(&got, program->n, company);
      check_same_particles(&t->by_resident, &t->by_stepper, t->s, what);
      check_same_sums(program, &got, expected, what);
    }
  }
}

static void try_program(trial *t, const ds_step_program *program, int64_t step, const char *what)
{
  step_sums expected;
  ref_sums sums;
  particles_copy(&t->by_stepper, &t->before);
  stepper_does(1 + program->n % 3, &t->by_stepper, t->s, program, step, &expected);
  ref_particle *const all = reference_of(&t->before, t->s);
  const ds_wrap box = wrap_of(t->s);
  ref_steps(program, box.edge, step, all, t->before.a.n, &sums);
  CHECK_INT(sums.faults, 0);
  check_formulas(&t->by_stepper, all, what);
  check_formulas_of_sums(program, &expected, &sums, t->before.a.n, what);
  check_fields(t, program, what);
  try_residents(t, program, step, &expected, what);
  free(all);
}

static void try_makers(trial *t)
{
  purpose u = purpose_of(&t->before.a);
  for (int m = 0; m < MAKERS; m++)
    for (u.variant = 0; u.variant < makers[m].variants; u.variant++) {
      const int64_t step = u.variant & 1 ? ((int64_t) 3 << 32) + 30 : 30;
      ds_step_program program;
      char what[160];
      memset(&program, 0, sizeof program);
      makers[m].make(&program, &u);
      snprintf(what, sizeof what, "%s, variant %d, %d particles, %s", makers[m].name, u.variant, t->before.a.n,
               fill_name[t->kind]);
      try_program(t, &program, step, what);
    }
}

static void open_residents(trial *t, int own_copies)
{
  const ds_step_program nothing = {0};
  for (int v = 0; v < variants.n; v++) {
    t->pair[v] = pair_for(&variants.options[v], t->s, &t->before);
    t->resident[v] = resident_with(t->pair[v], own_copies, &t->by_resident, t->s, &nothing);
  }
}

static void close_residents(trial *t)
{
  for (int v = 0; v < variants.n; v++) {
    ds_resident_close(t->resident[v]);
    ds_pair_close(t->pair[v]);
  }
}

static void try_size(int n, const setting *s)
{
  trial t;
  t.s = s;
  particles_open(&t.before, n);
  particles_open(&t.by_stepper, n);
  particles_open(&t.by_resident, n);
  for (int kind = 0; kind < FILLS; kind++) {
    t.kind = kind;
    particles_fill(&t.before, s, t.kind, 4711 + (uint64_t) n);
    particles_copy(&t.by_resident, &t.before);
    open_residents(&t, (n + kind) % 2);
    try_makers(&t);
    close_residents(&t);
  }
  particles_close(&t.before);
  particles_close(&t.by_stepper);
  particles_close(&t.by_resident);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int k = 0; k < SIZES; k++)
    for (int s = 0; s < SETTINGS; s++)
      if (!check_brief() || (k + s) % 2 == 0) CHECK_CASE(try_size(sizes[k], &settings[s]));
  for (int k = 0; k < DS_OPERATION_KINDS && check_all(); k++) {
    const int has_own_test = k == DS_ADD_TO_BINS || k == DS_BODY_SUM || k == DS_BODY_VELOCITY || k == DS_BODY_PLACE ||
                             k == DS_BODY_KINETIC || k == DS_CHANGE_BOX;
    CHECK_MSG(has_own_test || seen[k] > 0, "no operation of kind %d has done anything", k);
  }
  if (!check_lists) CHECK_BOUND(largest_error, 1e-13, "error of any number, by the size of its terms");
  return check_result();
}
