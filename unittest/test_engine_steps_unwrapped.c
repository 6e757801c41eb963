/* test_engine_steps_unwrapped.c: masses, centers and second moments of molecules, and of all particles: against plain sums;
   the same bits with any number of threads, as resident atoms, and in another order; what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_unwrapped cuda" makes the same checks on the GPU. */
#include "dpdsop/device/step/bins.h"

#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

enum { PARTICLES = 3000, MOLECULES = 90, BINS = 60, FIRST = -7, VALUES = 10, CENTER_VALUES = 4 };

static const setting boxes[] = {
    {.name = "periodic", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}},
    {.name = "walls", .ngroups = 1, .group = {1}, .periodic = {1, 0, 0}, .by_atom = 1, .wide_images = 1},
    {.name = "tilted", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}, .tilt = {0.4, -0.3, 1.1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

typedef struct {
  ds_exact_sum of[BINS * VALUES];
} cells;

typedef struct {
  particles p;
  int wide; /* molecules have 64 bits */
  int32_t narrow_molecule[PARTICLES];
  int64_t wide_molecule[PARTICLES];
  int32_t bin[MOLECULES];
  double center[3 * BINS];
} molecules;

/* Two of three molecules have a bin, which some share. Some particles are of molecules that are not in the list. */
static void molecules_open(molecules *m, const setting *s, int wide, uint64_t seed)
{
  particles_open(&m->p, PARTICLES);
  particles_fill(&m->p, s, FILL_RANDOM, seed);
  m->wide = wide;
  for (int i = 0; i < PARTICLES; i++) {
    const int number = FIRST - 5 + (int) (check_random(&seed) % (MOLECULES + 10));
    m->narrow_molecule[i] = number;
    m->wide_molecule[i] = wide ? number + ((int64_t) 1 << 40) : number;
  }
  for (int k = 0; k < MOLECULES; k++) m->bin[k] = k % 3 ? (7 * k) % BINS : DS_NO_BIN;
}

static ds_resident_atoms fields_with_molecules(const molecules *m, const setting *s)
{
  ds_resident_atoms fields = particles_fields(&m->p, s);
  fields.molecule = m->wide ? array_of_tags((int64_t *) m->wide_molecule, 1) : array_of_ints((int32_t *) m->narrow_molecule, 1);
  return fields;
}

/* Of all particles, which one layer keeps, or of molecules. */
static ds_binning binning_of(const molecules *m, int by_molecule)
{
  ds_binning b;
  memset(&b, 0, sizeof b);
  b.group = GROUP_ONE;
  b.period_of_steps = b.within = 1;
  if (by_molecule) {
    b.kind = DS_BINS_MOLECULES;
    b.molecules.first = m->wide ? FIRST + ((int64_t) 1 << 40) : FIRST;
    b.molecules.n = MOLECULES;
    b.molecules.bin = m->bin;
    b.molecules.nbins = BINS;
  } else {
    const ds_bin_layers all = {0, 1, 1, 1, 0.0, 1.0};
    b.kind = DS_BINS_LAYERS;
    b.nlayers = 1;
    b.layers[0] = all;
  }
  return b;
}

static void set_values(ds_binning *b, const molecules *m, int second)
{
  b->nvalues = second ? 6 : CENTER_VALUES;
  for (int k = 0; k < b->nvalues; k++) {
    b->value[k] = second ? DS_BIN_MRXX + k : k == 0 ? DS_BIN_MASS : DS_BIN_MRX + k - 1;
    b->unit[k] = 16.0;
  }
  b->center_of = second ? m->center : NULL;
}

static ds_step_program program_of(const ds_binning *b)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  add_operation(&p, DS_ADD_TO_BINS, DS_AT_SUMS)->group = GROUP_TWO;
  p.nbinnings = 1;
  p.binning[0] = *b;
  return p;
}

/* -------------------------------------------------------------------------------------- plain sums */

/* Edges xx yy zz yz xz xy. */
static void plain_place(const molecules *m, const setting *s, int i, double x[3])
{
  const ds_wrap w = wrap_of(s);
  int64_t n[3];
  particles_get_images(&m->p.a, s, i, n);
  memcpy(x, m->p.a.x + 3 * i, 3 * sizeof *x);
  for (int d = 0; d < 3; d++) x[d] += (double) n[d] * w.edge[d];
  x[0] += (double) n[1] * w.edge[5] + (double) n[2] * w.edge[4];
  x[1] += (double) n[2] * w.edge[3];
}

static int plain_bin(const molecules *m, int by_molecule, int i)
{
  const int number = m->narrow_molecule[i] - FIRST, mask = m->p.a.mask[i];
  if (!(mask & GROUP_TWO) || !(mask & GROUP_ONE)) return -1;
  if (!by_molecule) return 0;
  return number < 0 || number >= MOLECULES ? -1 : m->bin[number];
}

static void check_values(const ds_binning *b, const molecules *m, const setting *s, const cells *got, int second,
                         const char *what)
{
  static const int first_axis[] = {0, 1, 2, 0, 0, 1}, second_axis[] = {0, 1, 2, 1, 2, 2};
  static double sums[BINS * VALUES], size[BINS * VALUES];
  int found = 0;
  memset(sums, 0, sizeof sums);
  memset(size, 0, sizeof size);
  for (int i = 0; i < PARTICLES; i++) {
    const int bin = plain_bin(m, b->kind == DS_BINS_MOLECULES, i);
    const double mass = mass_of(&m->p.a, s, i);
    double x[3];
    if (bin < 0) continue;
    plain_place(m, s, i, x);
    for (int d = 0; d < 3 && second; d++) x[d] -= m->center[3 * bin + d];
    for (int k = 0; k < b->nvalues; k++) {
      const double term = second ? mass * x[first_axis[k]] * x[second_axis[k]] : k == 0 ? mass : mass * x[k - 1];
      sums[bin * b->nvalues + k] += term;
      size[bin * b->nvalues + k] += fabs(term);
    }
    found++;
  }
  CHECK_MSG(found > PARTICLES / 8, "%s, %s: %d particles in bins", s->name, what, found);
  for (int k = 0; k < (int) ds_bins_count(b) * b->nvalues; k++) {
    const double value = ds_exact_value(&got->of[k], b->unit[k % b->nvalues]);
    CHECK_MSG(fabs(value - sums[k]) <= 1e-12 * (1.0 + size[k]), "%s, %s: number %d is %.17g, expected %.17g", s->name, what, k,
              value, sums[k]);
  }
}

/* ------------------------------------------------------------------------------------------ checks */

static size_t bytes_in(const ds_binning *b)
{
  return (size_t) ds_bins_count(b) * (size_t) b->nvalues * sizeof(ds_exact_sum);
}

static void stepper_adds(int threads, const molecules *m, const setting *s, const ds_step_program *program, cells *got)
{
  const ds_resident_atoms fields = fields_with_molecules(m, s);
  const ds_wrap box = wrap_of(s);
  ds_stepper *const t = stepper_on(DS_BACKEND_HOST, threads);
  ds_error err;
  CHECK_OK(ds_stepper_operate(t, &fields, &box, program, 7, NULL, NULL, NULL, &err), err);
  CHECK_OK(ds_stepper_take_bins(t, 0, got->of, bytes_in(&program->binning[0]) / sizeof got->of[0], &err), err);
  ds_stepper_close(t);
}

static void find_centers(molecules *m, const ds_binning *b, const cells *got)
{
  for (int bin = 0; bin < ds_bins_count(b); bin++) {
    const double mass = ds_exact_value(&got->of[bin * CENTER_VALUES], b->unit[0]);
    for (int d = 0; d < 3; d++)
      m->center[3 * bin + d] =
          mass > 0.0 ? ds_exact_value(&got->of[bin * CENTER_VALUES + 1 + d], b->unit[1 + d]) / mass : 0.0;
  }
}

static ds_resident *resident_with_molecules(ds_pair *pair, const molecules *m, const setting *s)
{
  ds_resident *r;
  ds_error err;
  const ds_resident_atoms fields = fields_with_molecules(m, s);
  const ds_wrap box = wrap_of(s);
  if (!CHECK_OK(ds_resident_open(&r, pair, 1, &err), err)) exit(1);
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_set_wrap(r, &box, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
  return r;
}

static void check_once(ds_resident *r, const ds_step_program *program, const cells *expected, const char *what)
{
  static cells got;
  const size_t bytes = bytes_in(&program->binning[0]);
  ds_error err;
  CHECK_OK(ds_resident_add_once(r, program, 7, got.of, bytes / sizeof got.of[0], &err), err);
  CHECK_MSG(memcmp(got.of, expected->of, bytes) == 0, "%s: other bits", what);
}

/* Centers first, then second moments around them. */
static void test_moments(int v, const setting *s, int by_molecule, int wide)
{
  static molecules m;
  static cells expected[2], got;
  ds_step_program program[2];
  ds_error err;
  molecules_open(&m, s, wide, 91 + (uint64_t) wide);
  for (int second = 0; second < 2; second++) {
    ds_binning b = binning_of(&m, by_molecule);
    set_values(&b, &m, second);
    program[second] = program_of(&b);
    stepper_adds(1, &m, s, &program[second], &expected[second]);
    check_values(&b, &m, s, &expected[second], second, by_molecule ? "molecules" : "all particles");
    if (!second) find_centers(&m, &b, &expected[0]);
    stepper_adds(3, &m, s, &program[second], &got);
    CHECK_MSG(memcmp(got.of, expected[second].of, bytes_in(&b)) == 0, "three threads: other bits");
  }
  ds_pair *const pair = pair_for(&variants.options[v], s, &m.p);
  ds_resident *const r = resident_with_molecules(pair, &m, s);
  for (int k = 0; k < 4; k++) check_once(r, &program[k % 2], &expected[k % 2], "resident atoms");
  if (!s->tilt[0]) { /* a sort in a tilted box moves positions by rounding */
    const ds_sort_bins bins = {{4, 5, 6}, {low[0], low[1], low[2]}, {4.0 / edge[0], 5.0 / edge[1], 6.0 / edge[2]}};
    CHECK_OK(ds_resident_sort(r, &bins, &err), err);
    for (int k = 0; k < 2; k++) check_once(r, &program[k], &expected[k], "sorted atoms");
  }
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&m.p);
}

static void test_refused(int v)
{
  static molecules m;
  static cells got;
  const setting *const s = &boxes[0];
  ds_error err;
  molecules_open(&m, s, 0, 5);
  ds_binning good = binning_of(&m, 1);
  set_values(&good, &m, 0);
  const size_t n = bytes_in(&good) / sizeof got.of[0];
  ds_pair *const pair = pair_for(&variants.options[v], s, &m.p);
  ds_resident *const r = resident_with_molecules(pair, &m, s);
  ds_step_program bad = program_of(&good);
  EXPECT(ds_resident_set_steps(r, &bad, &err), err, DS_ERR_ARGUMENT, "bins 0 of steps are those of molecules");
#define BAD(change, words) \
  bad = program_of(&good), change, EXPECT(ds_resident_add_once(r, &bad, 5, got.of, n, &err), err, DS_ERR_ARGUMENT, words)
  BAD(bad.binning[0].molecules.nbins = 0, "bins 0 are 0, of 90 molecules");
  BAD(bad.binning[0].molecules.nbins = 59, "in bin 59 of 59");
  BAD(bad.binning[0].molecules.n = -1, "of -1 molecules");
  BAD(bad.binning[0].molecules.bin = NULL, "of 90 molecules");
  BAD(bad.binning[0].nlayers = 1, "bins 0 are of kind 3 with layers along 1 axes");
#undef BAD
  ds_resident_close(r);
  ds_resident *const without = resident_with(pair, 1, &m.p, s, &(ds_step_program){.n = 0});
  bad = program_of(&good);
  EXPECT(ds_resident_add_once(without, &bad, 5, got.of, n, &err), err, DS_ERR_ARGUMENT,
         "bins of molecules, whose numbers are not there");
  ds_resident_close(without);
  ds_pair_close(pair);
  particles_close(&m.p);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    for (int k = 0; k < BOXES; k++) {
      CHECK_CASE(test_moments(v, &boxes[k], 1, k % 2));
      CHECK_CASE(test_moments(v, &boxes[k], 0, 0));
    }
    CHECK_CASE(test_refused(v));
  }
  return check_result();
}
