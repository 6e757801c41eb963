/* test_engine_steps_values.c: energies and stresses of particles added up in bins: against plain sums of what has been tallied;
   the same bits with any number of threads, by a stepper, in a run of many steps, step by step, and where the caller makes
   steps in parts; what is refused.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_values cuda" makes the same checks on the GPU. */
#include "dpdsop/device/step/bins.h"

#include "dpdsop/tally.h"
#include "support/chains_of_caller.h"
#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

enum {
  LAYERS = 5,
  COUNT = 0,
  ENERGY,
  STRESS,
  OTHER = STRESS + DS_VIRIAL_COMPONENTS,
  COLUMNS = OTHER + 2,
  CELLS = LAYERS * COLUMNS
};
enum { FIRST = 6, LAST = 17, EVERY = 2 };

typedef struct {
  ds_exact_sum of[CELLS];
} cells;

/* ------------------------------------------------------------------------------------------- the program */

static ds_atom_value source_of(int is_virial, int parts, int group)
{
  ds_atom_value v;
  memset(&v, 0, sizeof v);
  v.group = group;
  v.is_virial = is_virial;
  v.parts = parts;
  v.mvv = 0.75;
  v.factor = is_virial ? -3.0 : 1.0;
  return v;
}

/* A number, an energy, a stress with motion along x and z; of a group, the energy of bonds and the virial of angles, xy. */
static ds_binning values_in_layers(void)
{
  const int all = (1 << DS_TALLIES) - 1;
  const ds_bin_layers l = {0, LAYERS, 1, 1, low[0] + 0.31, 1.0 / 1.37};
  ds_binning b;
  memset(&b, 0, sizeof b);
  b.group = 1;
  b.period_of_steps = b.within = b.nlayers = 1;
  b.layers[0] = l;
  for (int d = 0; d < 3; d++) {
    b.lo[d] = low[d];
    b.hi[d] = low[d] + edge[d];
    b.period[d] = edge[d];
  }
  b.nsources = 4;
  b.source[0] = source_of(0, all, 1);
  b.source[1] = source_of(1, all, 1);
  b.source[1].kinetic = 1;
  b.source[1].bias[0] = DS_BIAS_AXES;
  b.source[1].bias[2] = 1.0;
  b.source[2] = source_of(0, 1 << DS_TALLY_BONDS, GROUP_ONE);
  b.source[3] = source_of(1, 1 << DS_TALLY_ANGLES, GROUP_ONE);
  b.nvalues = COLUMNS;
  for (int k = 0; k < COLUMNS; k++) {
    b.value[k] = k == COUNT ? DS_BIN_COUNT : DS_BIN_ATOM_VALUE;
    b.unit[k] = k == COUNT ? DS_2_POW_60 : 4.0;
    b.source_of[k] = k < STRESS ? 0 : k < OTHER ? 1 : 2 + k - OTHER;
    b.component[k] = k >= STRESS && k < OTHER ? k - STRESS : k > OTHER ? 3 : 0;
  }
  return b;
}

static ds_step_program with_bins(const ds_step_program *steps, const ds_binning *b)
{
  ds_step_program p = *steps;
  const int at = ds_first_operation(steps, DS_AT_SUMS);
  ds_step_program bins;
  memset(&bins, 0, sizeof bins);
  ds_operation *const o = add_operation(&bins, DS_ADD_TO_BINS, DS_AT_END);
  o->every = EVERY;
  memmove(p.operation + at + 1, p.operation + at, sizeof *p.operation * (size_t) (p.n - at));
  p.operation[at] = *o;
  p.n++;
  p.nbinnings = 1;
  p.binning[0] = *b;
  return p;
}

/* ------------------------------------------------------------------------------------------- plain sums */

typedef struct {
  double *energy[DS_TALLIES], *virial[DS_TALLIES];
} plain_tallies;

static void plain_open(plain_tallies *t)
{
  for (int k = 0; k < DS_TALLIES; k++) {
    t->energy[k] = test_alloc(sizeof(double) * ATOMS);
    t->virial[k] = test_alloc(6 * sizeof(double) * ATOMS);
  }
}

static void plain_close(plain_tallies *t)
{
  for (int k = 0; k < DS_TALLIES; k++) free(t->energy[k]), free(t->virial[k]);
}

static ds_tallies given(const plain_tallies *t)
{
  ds_tallies all;
  for (int k = 0; k < DS_TALLIES; k++) {
    all.energy[k] = t->energy[k];
    all.virial[k] = t->virial[k];
  }
  return all;
}

static void add_plainly(const ds_binning *b, const atoms *a, const setting *s, const plain_tallies *t, double *sums)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const ds_resident_atoms fields = fields_of(a, s);
  for (int i = 0; i < a->n; i++) {
    double *const to = sums + COLUMNS * ds_bin_of(b, a->x + 3 * i);
    const double v[3] = {a->v[3 * i], 0.0, a->v[3 * i + 2]}, m = s->by_atom ? a->rmass[i] : fields.mass[a->type[i]];
    to[COUNT] += 1.0;
    for (int k = 0; k < DS_TALLIES; k++) to[ENERGY] += t->energy[k][i];
    for (int c = 0; c < 6; c++) {
      double all = 0.75 * m * v[row[c]] * v[column[c]];
      for (int k = 0; k < DS_TALLIES; k++) all += t->virial[k][6 * i + c];
      to[STRESS + c] -= 3.0 * all;
    }
    if (!(a->mask[i] & GROUP_ONE)) continue;
    to[OTHER] += t->energy[DS_TALLY_BONDS][i];
    to[OTHER + 1] -= 3.0 * t->virial[DS_TALLY_ANGLES][6 * i + 3];
  }
}

static void check_values(const ds_binning *b, const cells *got, const double *sums, const char *what)
{
  for (int k = 0; k < CELLS; k++) {
    const double value = ds_exact_value(&got->of[k], b->unit[k % COLUMNS]);
    CHECK_MSG(fabs(value - sums[k]) <= 1e-9 * (1.0 + fabs(sums[k])), "%s: value %d of bin %d is %.17g, expected %.17g", what,
              k % COLUMNS, k / COLUMNS, value, sums[k]);
  }
  CHECK_MSG(fabs(sums[ENERGY]) > 1.0 && fabs(sums[STRESS + 3]) > 1e-3 && fabs(sums[OTHER]) > 1e-3, "%s: bins are empty", what);
}

static void check_same_cells(const cells *got, const cells *expected, const char *what)
{
  CHECK_MSG(memcmp(got, expected, sizeof *got) == 0, "%s: other bits", what);
}

/* -------------------------------------------------------------------------------- tallies of the caller's */

static void test_given(int v)
{
  static cells got, expected;
  const setting s = {.name = "given", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}, .by_atom = v % 2};
  const ds_binning b = values_in_layers();
  ds_step_program none;
  double sums[CELLS] = {0.0};
  uint64_t seed = 12;
  plain_tallies t;
  particles p;
  ds_error err;
  memset(&none, 0, sizeof none);
  const ds_step_program program = with_bins(&none, &b);
  particles_open(&p, ATOMS);
  particles_fill(&p, &s, FILL_RANDOM, 31);
  plain_open(&t);
  for (int k = 0; k < DS_TALLIES * ATOMS; k++) t.energy[k % DS_TALLIES][k / DS_TALLIES] = random_normal(&seed);
  for (int k = 0; k < 6 * DS_TALLIES * ATOMS; k++) t.virial[k % DS_TALLIES][k / DS_TALLIES] = random_normal(&seed);
  const ds_tallies tallies = given(&t);
  add_plainly(&b, &p.a, &s, &t, sums);
  for (int threads = 1; threads < 4; threads += 2) {
    const ds_resident_atoms fields = particles_fields(&p, &s);
    const ds_wrap box = wrap_of(&s);
    ds_stepper *const stepper = stepper_on(DS_BACKEND_HOST, threads);
    EXPECT(ds_stepper_operate(stepper, &fields, &box, &program, 4, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
           "bins read energies of particles in step 4|part 0 of them has not been tallied");
    ds_stepper_set_tallies(stepper, &tallies, 4);
    CHECK_OK(ds_stepper_operate(stepper, &fields, &box, &program, 4, NULL, NULL, NULL, &err), err);
    EXPECT(ds_stepper_operate(stepper, &fields, &box, &program, 6, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "in step 6");
    CHECK_OK(ds_stepper_take_bins(stepper, 0, got.of, CELLS, &err), err);
    check_values(&b, &got, sums, "a stepper");
    if (threads > 1) check_same_cells(&got, &expected, "three threads");
    expected = got;
    ds_stepper_close(stepper);
  }
  ds_pair *const pair = pair_for(&variants.options[v], &s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &s, &program);
  EXPECT(ds_resident_operate(r, 8, 0, 1, 0, 0, &err), err, DS_ERR_ARGUMENT, "bins read energies of particles in step 8");
  CHECK_OK(ds_resident_give_tallies(r, &tallies, 8, &err), err);
  CHECK_OK(ds_resident_operate(r, 8, 0, 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, CELLS, &err), err);
  check_same_cells(&got, &expected, "resident atoms");
  CHECK_OK(ds_resident_operate(r, 9, 0, 1, 0, 0, &err), err); /* nothing is due */
  EXPECT(ds_resident_operate(r, 10, 0, 1, 0, 0, &err), err, DS_ERR_ARGUMENT, "in step 10");
  EXPECT(ds_resident_give_tallies(r, NULL, 10, &err), err, DS_ERR_ARGUMENT, "energies and virials of atoms");
  ds_resident_close(r);
  ds_pair_close(pair);
  plain_close(&t);
  particles_close(&p);
}

/* As a process has that is without atoms for a while. */
static void test_nobody(int v)
{
  static const ds_tallies nothing;
  const setting s = {.name = "nobody", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}};
  const ds_binning b = values_in_layers();
  ds_step_program none;
  cells got;
  particles p;
  ds_error err;
  memset(&none, 0, sizeof none);
  const ds_step_program program = with_bins(&none, &b);
  particles_open(&p, 1);
  particles_fill(&p, &s, FILL_RANDOM, 3);
  p.a.n = 0;
  ds_pair *const pair = pair_for(&variants.options[v], &s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, &s, &program);
  CHECK_OK(ds_resident_give_tallies(r, &nothing, 8, &err), err);
  CHECK_OK(ds_resident_operate(r, 8, 0, 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, CELLS, &err), err);
  for (int k = 0; k < CELLS; k++) CHECK(got.of[k].low == 0 && got.of[k].high == 0);
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

/* ------------------------------------------------------------------------------------ steps of the engine */

/* Each term on its own; a part for each member. */
static void tally_plainly(bonds *b, const atoms *a, plain_tallies *t)
{
  const int shared = b->given.shared;
  copies_follow(b, a);
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const acting *const list = kind == DS_BONDS    ? &b->bonds
                               : kind == DS_ANGLES ? &b->angles
                                                   : &b->torsions[kind - DS_DIHEDRALS];
    const int members = kind == DS_BONDS ? 2 : kind == DS_ANGLES ? 3 : 4, part = DS_TALLY_BONDS + kind;
    memset(t->energy[part], 0, sizeof(double) * ATOMS);
    memset(t->virial[part], 0, 6 * sizeof(double) * ATOMS);
    for (int k = 0; k < list->n; k++) {
      const int *const term = list->member + (members + 1) * k;
      ds_bonded_sum one;
      memset(&one, 0, sizeof one);
      b->given.shared = 1;
      if (kind == DS_BONDS)
        make_bond(b, term, &one);
      else if (kind == DS_ANGLES)
        make_angle(b, term, &one);
      else
        make_torsion(b, kind - DS_DIHEDRALS, term, &one);
      b->given.shared = shared;
      for (int m = 0; m < members; m++) {
        const int i = b->near.atom[term[m]];
        if (!shared && term[m] >= ATOMS) continue;
        t->energy[part][i] += one.energy / members;
        for (int c = 0; c < 6; c++) t->virial[part][6 * i + c] += one.virial[c] / members;
      }
    }
  }
}

static void with_torsions(run_pair *o)
{
  set_torsions(&o->b, DS_DIHEDRAL_STYLE_OPLS_EXACT, DS_IMPROPER_STYLE_HARMONIC_EXACT);
}

static void open_run_pair(run_pair *o, const run_setup *c, int v, const ds_binning *b)
{
  const ds_step_program steps = steps_of(&c->s), program = with_bins(&steps, b);
  ds_error err;
  run_pair_open(o, c, &variants.options[v], DS_PRECISION_MIXED, v % 2, with_torsions);
  CHECK_OK(ds_resident_set_steps(o->r, &program, &err), err);
}

static void take(run_pair *o, cells *to)
{
  ds_error err;
  CHECK_OK(ds_resident_take_bins(o->r, 0, to->of, CELLS, &err), err);
  run_pair_close(o);
}

/* All steps in one call. */
static void run_at_once(const run_setup *c, int v, const ds_binning *b, cells *got)
{
  run_pair o;
  rebuild_counts t = {0};
  ds_run_result reached;
  open_run_pair(&o, c, v, b);
  const ds_run_request stretch = stretch_of(c, FIRST, LAST, 5);
  engine_goes(&o, &stretch, &reached, &t);
  CHECK(reached.whole && t.reneighborings > 2);
  take(&o, got);
}

/* Each step is a call, whose caller wants energies and virials of atoms, too. */
static void run_by_steps(const run_setup *c, int v, const ds_binning *b, cells *got, double *sums)
{
  run_pair o;
  rebuild_counts t = {.reneighbored = 5};
  ds_run_result reached;
  plain_tallies plain;
  ds_error err;
  open_run_pair(&o, c, v, b);
  plain_open(&plain);
  for (int64_t step = FIRST; step <= LAST; step++) {
    ds_pair_totals totals;
    ds_pair_request wanted = {1, 1, array_none(), 0, array_of_doubles(plain.energy[0], 1), array_of_doubles(plain.virial[0], 6),
                              0, 0};
    double energy = 0.0, virial = 0.0;
    ds_run_request stretch = stretch_of(c, step, step, t.reneighbored);
    memset(plain.energy[0], 0, sizeof(double) * ATOMS);
    memset(plain.virial[0], 0, 6 * sizeof(double) * ATOMS);
    stretch.wanted = &wanted;
    stretch.totals = &totals;
    engine_goes(&o, &stretch, &reached, &t);
    CHECK(reached.whole);
    for (int i = 0; i < ATOMS; i++) energy += plain.energy[0][i], virial += plain.virial[0][6 * i];
    CHECK_MSG(fabs(energy - totals.energy) < 1e-6 * fabs(energy) && fabs(virial - totals.virial[0]) < 1e-6 * fabs(virial),
              "step %d: energies of atoms are %.17g together, of all %.17g; virials %.17g and %.17g", (int) step, energy,
              totals.energy, virial, totals.virial[0]);
    CHECK_OK(ds_resident_to_host(o.r, DS_ALL_FIELDS, &err), err);
    if (reached.reneighborings) bonds_reneighbor(&o.b, &o.ours);
    if (step % EVERY) continue;
    tally_plainly(&o.b, &o.ours, &plain);
    add_plainly(b, &o.ours, &c->s, &plain, sums);
  }
  ds_pair_request narrow = {0, 0, array_none(), 0, array_of_doubles(plain.energy[0], 1), array_none(), 0, 0};
  ds_run_request stretch = stretch_of(c, LAST + 1, LAST + 1, t.reneighbored);
  narrow.eatom.type = DS_F32;
  stretch.wanted = &narrow;
  EXPECT(ds_resident_run(o.r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "not of F64 in host memory");
  plain_close(&plain);
  take(&o, got);
}

/* The caller makes the parts of each step. */
static void run_in_parts(const run_setup *c, int v, const ds_binning *b, cells *got)
{
  run_pair o;
  ds_error err;
  open_run_pair(&o, c, v, b);
  const ds_step_program steps = steps_of(&c->s), program = with_bins(&steps, b);
  const int half = ds_first_operation(&program, DS_AT_INITIAL);
  for (int64_t step = FIRST; step <= LAST; step++) {
    const ds_array x = ds_resident_array(o.r, DS_POSITION), vel = ds_resident_array(o.r, DS_VELOCITY);
    const int rebuilds = (step - 5) % c->s.rule.every == 0;
    ds_pair_request request;
    int is_theirs;
    memset(&request, 0, sizeof request);
    request.f = ds_resident_array(o.r, DS_FORCE);
    request.put_force = 1;
    CHECK_OK(ds_resident_operate(o.r, step, half, program.n, 0, 0, &err), err);
    if (rebuilds) CHECK_OK(ds_resident_reneighbor(o.r, step, &is_theirs, &err), err);
    CHECK_OK(ds_pair_load(o.pair, &x, &vel, step, &err), err);
    if (rebuilds || !ds_pair_has_list(o.pair)) CHECK_OK(ds_pair_build_list(o.pair, &err), err);
    CHECK_OK(ds_resident_want_tallies(o.r, step, &request, &err), err);
    CHECK((request.eatom.data != NULL) == (step % EVERY == 0));
    CHECK_OK(ds_pair_compute(o.pair, &request, NULL, &err), err);
    CHECK_OK(ds_resident_bonded_forces(o.r, step, NULL, &is_theirs, &err), err);
    CHECK_OK(ds_resident_tally_bonds(o.r, step, &err), err);
    CHECK_OK(ds_resident_operate(o.r, step, 0, half, 0, 0, &err), err);
  }
  take(&o, got);
}

static void test_steps(int v, int shared, int angle_style)
{
  static cells at_once, by_steps, in_parts;
  const run_setup c = {{.name = "chains", ALL_MOVE, .rule = {3, 0, 0, 0.0}, .steps = 12, .stretch = 12},
                       DS_BOND_STYLE_HARMONIC,
                       angle_style,
                       shared};
  const ds_binning b = values_in_layers();
  double sums[CELLS] = {0.0};
  run_at_once(&c, v, &b, &at_once);
  run_by_steps(&c, v, &b, &by_steps, sums);
  run_in_parts(&c, v, &b, &in_parts);
  check_values(&b, &at_once, sums, variant_name(&variants.options[v]));
  check_same_cells(&by_steps, &at_once, "step by step");
  check_same_cells(&in_parts, &at_once, "in parts");
}

/* ------------------------------------------------------------------------------------------- errors */

static void refuse(const ds_step_program *program, const char *words)
{
  const setting s = {.name = "bad", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}};
  step_sums sums;
  ds_error err;
  particles p;
  particles_open(&p, 10);
  particles_fill(&p, &s, FILL_RANDOM, 3);
  EXPECT(stepper_tries(1, &p, &s, program, 5, &sums, &err), err, DS_ERR_ARGUMENT, words);
  particles_close(&p);
}

static void test_refused(void)
{
  const ds_binning b = values_in_layers();
  ds_step_program none;
  memset(&none, 0, sizeof none);
  const ds_step_program good = with_bins(&none, &b);
  ds_step_program bad;
#define BAD(change, words) bad = good, bad.binning[0].change, refuse(&bad, words)
  BAD(nsources = DS_BIN_SOURCES + 1, "bins 0 have 5 values of particles; allowed: 0 to 4");
  BAD(nsources = 3, "value 9 of bins 0 is component 3 of value 3 of particles, of 3");
  BAD(source_of[1] = -1, "value 1 of bins 0 is component 0 of value -1 of particles, of 4");
  BAD(component[1] = 1, "value 1 of bins 0 is component 1 of value 0");
  BAD(component[2] = DS_VIRIAL_COMPONENTS, "value 2 of bins 0 is component 6 of value 1");
  BAD(component[2] = -1, "value 2 of bins 0 is component -1 of value 1");
  BAD(source[1].parts = 1 << DS_TALLIES, "value 1 of particles in bins 0 has parts 32");
  BAD(source[0].kinetic = 1, "value 0 of particles in bins 0 has parts 31");
  BAD(source[2].factor = NAN, "value 2 of particles in bins 0 has parts 2 and the factor nan");
  BAD(source[1].mvv = INFINITY, "value 1 of particles in bins 0");
  BAD(source[1].bias[3] = NAN, "value 1 of particles in bins 0");
#undef BAD
}

/* A bond between atom 0 and the only copy, which gets a half of it. */
static void check_sums_of_copy(run_pair *o, const ds_bonded *with)
{
  const int32_t member[3] = {0, ATOMS, 1};
  const double at[3] = {o->ours.x[0] + 0.7, o->ours.x[1] - 0.3, o->ours.x[2]};
  ds_exact_sum exact[DS_TALLY_SUMS], *const returned = test_alloc(sizeof *returned * DS_TALLY_SUMS * ATOMS);
  ds_bonded_sums sums;
  ds_bonded one = *with;
  ds_error err;
  int is_theirs;
  one.bonds.member = member;
  one.ncopies = 1;
  CHECK_OK(ds_resident_set_bonded(o->r, &one, &err), err);
  CHECK_OK(ds_resident_set_copies(o->r, at, &err), err);
  CHECK_OK(ds_resident_bonded_forces(o->r, 8, &sums, &is_theirs, &err), err);
  CHECK_OK(ds_resident_sums_of_copies(o->r, 8, DS_BONDS, exact, &err), err);
  CHECK(sums.bonds.energy > 0.0);
  for (int k = 0; k < DS_TALLY_SUMS; k++) {
    const double whole = k ? sums.bonds.virial[k - 1] : sums.bonds.energy, half = ds_exact_value(&exact[k], one.unit);
    CHECK_MSG(fabs(half - 0.5 * whole) <= 1e-15 * (1.0 + fabs(whole)), "sum %d of a copy: %.17g of %.17g", k, half, whole);
  }
  CHECK_OK(ds_resident_sums_of_copies(o->r, 8, DS_IMPROPERS, exact, &err), err);
  CHECK(ds_exact_value(&exact[0], one.unit) == 0.0);
  memset(returned, 0, sizeof *returned * DS_TALLY_SUMS * ATOMS);
  CHECK_OK(ds_resident_tally_with(o->r, 8, DS_BONDS, returned, &err), err);
  EXPECT(ds_resident_tally_with(o->r, 8, DS_BONDED_KINDS, returned, &err), err, DS_ERR_ARGUMENT, "4 is no kind of terms");
  EXPECT(ds_resident_tally_with(o->r, 8, DS_BONDS, NULL, &err), err, DS_ERR_ARGUMENT, "sums of atoms|NULL");
  EXPECT(ds_resident_sums_of_copies(o->r, 8, DS_BONDS, NULL, &err), err, DS_ERR_ARGUMENT, "sums of atoms|NULL");
  one.shared = 0;
  CHECK_OK(ds_resident_set_bonded(o->r, &one, &err), err);
  CHECK_OK(ds_resident_tally_bonds(o->r, 8, &err), err); /* nothing is to be returned */
  EXPECT(ds_resident_sums_of_copies(o->r, 8, DS_BONDS, exact, &err), err, DS_ERR_ARGUMENT,
         "copies of atoms, of which there are none that share");
  free(returned);
}

/* Parts on copies are the caller's to return. */
static void test_copies(int v)
{
  const run_setup c = {{.name = "copies", ALL_MOVE, .rule = {3, 0, 0, 0.0}, .steps = 1, .stretch = 1},
                       DS_BOND_STYLE_HARMONIC,
                       DS_ANGLE_STYLE_COSINE,
                       1};
  const ds_binning b = values_in_layers();
  const int32_t member[3] = {0, 1, 1};
  ds_error err;
  run_pair o;
  open_run_pair(&o, &c, v, &b);
  ds_bonded one = o.b.given;
  one.with_copies = 1;
  one.bonds.n = 1;
  one.bonds.member = member;
  one.angles.n = one.dihedrals.n = one.impropers.n = 0;
  CHECK_OK(ds_resident_set_bonded(o.r, &one, &err), err);
  const ds_run_request stretch = stretch_of(&c, 8, 9, 5);
  ds_run_result reached;
  EXPECT(ds_resident_run(o.r, &stretch, &reached, &err), err, DS_ERR_ARGUMENT, "bonds of copies of atoms");
  CHECK_OK(ds_resident_tally_bonds(o.r, 7, &err), err); /* nothing is due */
  EXPECT(ds_resident_tally_bonds(o.r, 8, &err), err, DS_ERR_ARGUMENT,
         "energies of bonds by atom, where there are copies of atoms");
  check_sums_of_copy(&o, &one);
  run_pair_close(&o);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(test_given(v));
    CHECK_CASE(test_nobody(v));
    CHECK_CASE(test_steps(v, 1, DS_ANGLE_STYLE_COSINE));
    CHECK_CASE(test_steps(v, 0, DS_ANGLE_STYLE_HARMONIC_EXACT));
    CHECK_CASE(test_copies(v));
  }
  CHECK_CASE(test_refused());
  return check_result();
}
