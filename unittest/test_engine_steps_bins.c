/* test_engine_steps_bins.c: particles added up in bins: against a plain search for the bin and plain sums; the same bits with
   any number of threads and as resident atoms; the steps in which they are; what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_steps_bins cuda" makes the same checks on the GPU. */
#include "dpdsop/device/step/bins.h"

#include "support/steps.h"

#include "support/expect.h"

static test_variants variants;

enum { PARTICLES = 3000, MAX_BINS = 600, PLAIN_VALUES = DS_BIN_ATOM_VALUE };

static const setting boxes[] = {
    {.name = "periodic", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}},
    {.name = "walls", .ngroups = 1, .group = {1}, .periodic = {1, 0, 0}, .by_atom = 1},
    {.name = "tilted", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}, .tilt = {0.4, -0.3, 1.1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* All that can be added up but values made of tallies (test_engine_steps_values.c). */
static void set_values(ds_binning *b)
{
  b->nvalues = PLAIN_VALUES;
  for (int k = 0; k < b->nvalues; k++) {
    b->value[k] = k;
    b->unit[k] = k == DS_BIN_COUNT ? DS_2_POW_60 : 16.0;
  }
}

static ds_binning binning_in(const setting *s)
{
  ds_binning b = binning_in_box(s);
  set_values(&b);
  return b;
}

static void add_layers(ds_binning *b, int axis, int n, double first, double thickness, int below, int above)
{
  const ds_bin_layers l = {axis, n, below, above, first, 1.0 / thickness};
  b->layers[b->nlayers++] = l;
}

static void set_shells(ds_binning *b, ds_bins_kind kind, int n, double radius, double thickness, int beyond)
{
  b->kind = kind;
  b->nshells = n;
  b->radius = radius;
  b->inverse_width = 1.0 / thickness;
  b->keeps_beyond = beyond;
  for (int d = 0; d < 3; d++) b->center[d] = low[d] + 0.4 * edge[d] - 2 * d;
}

enum { KINDS = 7 };
static const char *const kind_name[KINDS] = {
    "layers", "layers that keep all", "three axes", "fractions", "sphere", "cylinder", "far center"};

/* Thicknesses of which no border is at a multiple that particles are at. */
static ds_binning binning_of(const setting *s, int kind)
{
  ds_binning b = binning_in(s);
  switch (kind) {
    case 0: add_layers(&b, 2, 9, low[2] + 0.31, 0.77, 0, 0); break;
    case 1: add_layers(&b, 0, 5, low[0] + 1.03, 0.71, 1, 1); break;
    case 2:
      add_layers(&b, 1, 5, low[1] - 0.13, 1.61, 1, 0);
      add_layers(&b, 2, 6, low[2] + 0.21, 1.17, 0, 1);
      add_layers(&b, 0, 3, low[0] + 0.01, 2.13, 1, 1);
      break;
    case 3:
      b.reduced = 1;
      add_layers(&b, 0, 11, 0.013, 0.0917, 1, 0);
      add_layers(&b, 1, 2, 0.111, 0.41, 0, 0);
      break;
    case 4: set_shells(&b, DS_BINS_SPHERE, 7, 0.37, 0.43, 0); break;
    case 5:
      set_shells(&b, DS_BINS_CYLINDER, 6, 0.0, 0.53, 1);
      b.nearest = 1;
      add_layers(&b, 1, 4, low[1] + 0.17, 1.93, 1, 0);
      break;
    default:
      set_shells(&b, DS_BINS_SPHERE, 5, 0.0, 0.61, 0);
      b.nearest = 1;
      b.center[0] += 12 * edge[0];
  }
  return b;
}

static ds_step_program program_of(const ds_binning *b)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  ds_operation *const o = add_operation(&p, DS_ADD_TO_BINS, DS_AT_END);
  o->group = GROUP_TWO;
  o->number[1] = DS_BIAS_AXES;
  o->number[3] = 1.0; /* what is along y is no heat */
  p.nbinnings = 1;
  p.binning[0] = *b;
  return p;
}

/* ------------------------------------------------------------------------------------- plain search */

/* Borders are gone through one after the other. */
static int plain_layer(double at, int n, double first, double thickness, int below, int above)
{
  if (at < first) return below ? 0 : -1;
  for (int k = 0; k < n; k++)
    if (at < first + (k + 1) * thickness) return k;
  return above ? n - 1 : -1;
}

static double plain_image(const ds_binning *b, double x, int d)
{
  while (b->periodic[d] && x < b->lo[d]) x += b->period[d];
  while (b->periodic[d] && x >= b->hi[d]) x -= b->period[d];
  return x;
}

static double plain_distance(const ds_binning *b, const double x[3], int without)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) {
    double from = plain_image(b, x[d], d) - b->center[d];
    if (d == without) continue;
    if (b->nearest && b->periodic[d]) from -= b->period[d] * rint(from / b->period[d]);
    sum += from * from;
  }
  return sqrt(sum);
}

static int plain_bin(const ds_binning *b, const setting *s, const double x[3])
{
  const ds_wrap w = wrap_of(s);
  double fraction[3];
  int bin = 0;
  if (b->kind != DS_BINS_LAYERS) {
    const double r = plain_distance(b, x, b->kind == DS_BINS_CYLINDER ? b->layers[0].axis : -1);
    bin = plain_layer(r, b->nshells, b->radius, 1.0 / b->inverse_width, b->keeps_beyond, b->keeps_beyond);
  }
  fraction[2] = (x[2] - low[2]) / edge[2]; /* from the last axis on: edges xx yy zz yz xz xy */
  fraction[1] = (x[1] - low[1] - fraction[2] * w.edge[3]) / edge[1];
  fraction[0] = (x[0] - low[0] - fraction[2] * w.edge[4] - fraction[1] * w.edge[5]) / edge[0];
  for (int k = 0; k < b->nlayers && bin >= 0; k++) {
    const ds_bin_layers *const l = &b->layers[k];
    const double f = fraction[l->axis];
    const double at = !b->reduced ? plain_image(b, x[l->axis], l->axis) : b->periodic[l->axis] ? f - floor(f) : f;
    const int layer = plain_layer(at, l->n, l->first, 1.0 / l->inverse, l->keeps_below, l->keeps_above);
    bin = layer < 0 ? -1 : bin * l->n + layer;
  }
  return bin;
}

static void add_plainly(const ds_binning *b, const particles *p, const setting *s, int i, double *sums)
{
  const double *const v = p->a.v + 3 * i, *const f = p->a.f + 3 * i;
  const double m = s->by_atom ? p->a.rmass[i] : fields_of(&p->a, s).mass[p->a.type[i]];
  const int bin = plain_bin(b, s, p->a.x + 3 * i);
  if (!(p->a.mask[i] & GROUP_TWO) || !(p->a.mask[i] & b->group) || bin < 0) return;
  double *const to = sums + bin * PLAIN_VALUES;
  to[DS_BIN_COUNT] += 1.0;
  for (int d = 0; d < 3; d++) {
    to[DS_BIN_VX + d] += v[d];
    to[DS_BIN_FX + d] += f[d];
  }
  to[DS_BIN_MASS] += m;
  to[DS_BIN_MVV] += m * (v[0] * v[0] + v[2] * v[2]);
}

/* ------------------------------------------------------------------------------------------- checks */

typedef struct {
  ds_exact_sum of[MAX_BINS * PLAIN_VALUES];
} cells;

static size_t cells_in(const ds_binning *b)
{
  return (size_t) ds_bins_count(b) * (size_t) b->nvalues;
}

static void check_values(const ds_binning *b, const particles *p, const setting *s, const cells *got, const char *what)
{
  static double sums[MAX_BINS * PLAIN_VALUES];
  double all = 0.0;
  memset(sums, 0, sizeof sums);
  for (int i = 0; i < p->a.n; i++) add_plainly(b, p, s, i, sums);
  for (size_t k = 0; k < cells_in(b); k++) {
    const int kind = (int) (k % PLAIN_VALUES);
    const double value = ds_exact_value(&got->of[k], b->unit[kind]);
    CHECK_MSG(fabs(value - sums[k]) <= 1e-9 * (1.0 + fabs(sums[k])) && (kind || value == sums[k]),
              "%s, %s: value %d of bin %d is %.17g, expected %.17g", s->name, what, kind, (int) (k / PLAIN_VALUES), value,
              sums[k]);
    if (kind == 0) all += value;
  }
  CHECK_MSG(all > 30.0, "%s, %s: %g particles in all bins", s->name, what, all);
}

static void stepper_adds(int threads, particles *p, const setting *s, const ds_step_program *program, cells *got)
{
  const ds_resident_atoms fields = particles_fields(p, s);
  const ds_wrap box = wrap_of(s);
  ds_stepper *const t = stepper_on(DS_BACKEND_HOST, threads);
  ds_error err;
  CHECK_OK(ds_stepper_operate(t, &fields, &box, program, 7, NULL, NULL, NULL, &err), err);
  CHECK_OK(ds_stepper_take_bins(t, 0, got->of, cells_in(&program->binning[0]), &err), err);
  ds_stepper_close(t);
}

static void check_same_cells(const ds_binning *b, const cells *got, const cells *expected, const char *what)
{
  CHECK_MSG(memcmp(got->of, expected->of, cells_in(b) * sizeof got->of[0]) == 0, "%s: other bits", what);
}

static void test_kind(int v, const setting *s, int kind)
{
  static cells expected, got;
  const ds_binning b = binning_of(s, kind);
  const ds_step_program program = program_of(&b);
  const size_t n = cells_in(&b);
  ds_error err;
  particles p;
  particles_open(&p, PARTICLES);
  particles_fill(&p, s, FILL_RANDOM, 51 + (uint64_t) kind);
  CHECK(n <= sizeof expected.of / sizeof expected.of[0]);
  stepper_adds(1, &p, s, &program, &expected);
  check_values(&b, &p, s, &expected, kind_name[kind]);
  stepper_adds(3, &p, s, &program, &got);
  check_same_cells(&b, &got, &expected, "three threads");

  ds_pair *const pair = pair_for(&variants.options[v], s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, s, &program);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, n, &err), err);
  CHECK_MSG(got.of[0].low == 0 && got.of[n - 1].low == 0, "bins begin at 0");
  CHECK_OK(ds_resident_operate(r, 7, 0, 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, n, &err), err);
  check_same_cells(&b, &got, &expected, "resident atoms");
  CHECK_OK(ds_resident_operate(r, 8, 0, 1, 0, 0, &err), err); /* taken bins have begun anew */
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, n, &err), err);
  check_same_cells(&b, &got, &expected, "resident atoms in the step after");
  CHECK_OK(ds_resident_operate(r, 9, 0, 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_clear_sums(r, &err), err);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, n, &err), err);
  CHECK_MSG(got.of[0].low == 0 && got.of[n - 1].low == 0, "bins that have been cleared");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

/* Steps that are multiples of 2, of each 10 the last 5, from 12 on: 16, 18, 20, 26, 28, 30. */
static void test_steps(int v)
{
  static cells got;
  ds_binning b = binning_of(&boxes[0], 1);
  b.begin = 12;
  b.period_of_steps = 10;
  b.within = 5;
  ds_step_program program = program_of(&b);
  program.operation[0].every = 2;
  ds_error err;
  particles p;
  particles_open(&p, PARTICLES);
  particles_fill(&p, &boxes[0], FILL_RANDOM, 77);
  ds_pair *const pair = pair_for(&variants.options[v], &boxes[0], &p);
  ds_resident *const r = resident_with(pair, 1, &p, &boxes[0], &program);
  double counted[32] = {0.0};
  for (int step = 1; step < 32; step++) {
    CHECK_OK(ds_resident_operate(r, step, 0, 1, 0, 0, &err), err);
    CHECK_OK(ds_resident_take_bins(r, 0, got.of, cells_in(&b), &err), err);
    for (int bin = 0; bin < ds_bins_count(&b); bin++) counted[step] += ds_exact_value(&got.of[bin * PLAIN_VALUES], DS_2_POW_60);
    const int due = step == 16 || step == 18 || step == 20 || step == 26 || step == 28 || step == 30;
    CHECK_MSG((counted[step] > 0.0) == due, "step %d: %g particles", step, counted[step]);
  }
  /* another number of bins: they begin at 0, and are as many */
  CHECK_OK(ds_resident_operate(r, 40, 0, 1, 0, 0, &err), err);
  program.binning[0].layers[0].n = 3;
  CHECK_OK(ds_resident_set_steps(r, &program, &err), err);
  EXPECT(ds_resident_take_bins(r, 0, got.of, 3 * PLAIN_VALUES, &err), err, DS_ERR_ARGUMENT, "27 numbers of bins|there are 45");
  CHECK_OK(ds_resident_operate(r, 40, 0, 1, 0, 0, &err), err);
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, 3 * PLAIN_VALUES, &err), err);
  double all = 0.0;
  for (int bin = 0; bin < 3; bin++) all += ds_exact_value(&got.of[bin * PLAIN_VALUES], DS_2_POW_60);
  CHECK_MSG(all == counted[20], "%g particles in three bins, %g in five", all, counted[20]);
  EXPECT(ds_resident_take_bins(r, DS_MAX_BINNINGS, got.of, 1, &err), err, DS_ERR_ARGUMENT, "bins 8; allowed: 0 to 7");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

/* ----------------------------------------------------------------- momenta and products, added up once */

enum { PRODUCT_VALUES = 11 };

static double plain_product(int k, double m, const double *v)
{
  static const int first[] = {0, 1, 2, 0, 0, 1}, second[] = {0, 1, 2, 1, 2, 2};
  if (k == 0) return 1.0;
  if (k == 1) return m;
  return k < 5 ? m * v[k - 2] : m * v[first[k - 5]] * v[second[k - 5]];
}

static void check_products(const ds_binning *b, const particles *p, const setting *s, const cells *got)
{
  static double sums[MAX_BINS * PRODUCT_VALUES];
  memset(sums, 0, sizeof sums);
  for (int i = 0; i < p->a.n; i++) {
    const double m = s->by_atom ? p->a.rmass[i] : fields_of(&p->a, s).mass[p->a.type[i]];
    const int bin = plain_bin(b, s, p->a.x + 3 * i);
    if (!(p->a.mask[i] & GROUP_TWO) || !(p->a.mask[i] & b->group) || bin < 0) continue;
    for (int k = 0; k < PRODUCT_VALUES; k++) sums[bin * PRODUCT_VALUES + k] += plain_product(k, m, p->a.v + 3 * i);
  }
  for (size_t j = 0; j < cells_in(b); j++) {
    const double value = ds_exact_value(&got->of[j], b->unit[j % PRODUCT_VALUES]);
    CHECK_MSG(fabs(value - sums[j]) <= 1e-9 * (1.0 + fabs(sums[j])), "%s: number %d of products is %.17g, expected %.17g",
              s->name, (int) j, value, sums[j]);
  }
}

static void test_once(int v, const setting *s)
{
  static cells expected, got;
  const ds_binning of_program = binning_of(s, 0);
  const ds_step_program program = program_of(&of_program);
  ds_binning b = binning_of(s, 2);
  b.nvalues = PRODUCT_VALUES;
  for (int k = 0; k < PRODUCT_VALUES; k++) {
    b.value[k] = k == 0 ? DS_BIN_COUNT : k == 1 ? DS_BIN_MASS : DS_BIN_PX + k - 2;
    b.unit[k] = k == 0 ? DS_2_POW_60 : 16.0;
  }
  ds_step_program once = program_of(&b);
  ds_error err;
  particles p;
  particles_open(&p, PARTICLES);
  particles_fill(&p, s, FILL_RANDOM, 61);
  stepper_adds(2, &p, s, &once, &expected);
  check_products(&b, &p, s, &expected);
  ds_pair *const pair = pair_for(&variants.options[v], s, &p);
  ds_resident *const r = resident_with(pair, 1, &p, s, &program);
  for (int step = 3; step < 5; step++) {
    CHECK_OK(ds_resident_add_once(r, &once, step, got.of, cells_in(&b), &err), err);
    check_same_cells(&b, &got, &expected, "bins that are added to once");
  }
  CHECK_OK(ds_resident_take_bins(r, 0, got.of, cells_in(&of_program), &err), err);
  for (size_t k = 0; k < cells_in(&of_program); k++)
    CHECK_MSG(got.of[k].low == 0 && got.of[k].high == 0, "bins of the program stay");
  once.operation[0].kind = DS_SUM_MOMENTUM;
  once.operation[0].number[0] = once.operation[0].number[1] = once.operation[0].number[3] = 0.0;
  EXPECT(ds_resident_add_once(r, &once, 5, got.of, cells_in(&b), &err), err, DS_ERR_ARGUMENT,
         "operation 0 of those that act once is momentum");
  ds_resident_close(r);
  ds_pair_close(pair);
  particles_close(&p);
}

static void refuse(const ds_step_program *program, const char *words)
{
  const setting *const s = &boxes[0];
  step_sums sums;
  ds_error err;
  particles p;
  particles_open(&p, 10);
  particles_fill(&p, s, FILL_RANDOM, 3);
  EXPECT(stepper_tries(1, &p, s, program, 5, &sums, &err), err, DS_ERR_ARGUMENT, words);
  particles_close(&p);
}

static void test_refused(void)
{
  const ds_binning layers = binning_of(&boxes[0], 0), shells = binning_of(&boxes[0], 5);
  ds_step_program bad = program_of(&layers);
#define BAD(change, words) bad = program_of(&layers), change, refuse(&bad, words)
#define BAD_SHELLS(change, words) bad = program_of(&shells), change, refuse(&bad, words)
  BAD(bad.nbinnings = DS_MAX_BINNINGS + 1, "9 kinds of bins; allowed: 0 to 8");
  BAD(bad.operation[0].number[0] = 1.0, "bins 1 of 1");
  BAD(bad.operation[0].number[0] = -1.0, "bins -1 of 1");
  BAD(bad.operation[0].number[0] = 0.5, "bins 0.5 of 1");
  BAD(bad.operation[0].nsums = 1, "bins with flags 0 and 1 sums");
  BAD(bad.operation[0].flags = DS_ADDS_UP, "bins with flags 8 and 0 sums");
  BAD(bad.binning[0].kind = DS_BINS_MOLECULES + 1, "bins 0 are of kind 4");
  BAD(bad.binning[0].nlayers = 4, "bins 0 are of kind 0 with layers along 4 axes");
  BAD(bad.binning[0].nlayers = 0, "with layers along 0 axes");
  BAD(bad.binning[0].layers[0].axis = 3, "along axis 3");
  BAD(bad.binning[0].layers[0].n = 0, "bins 0 have 0 layers");
  BAD(bad.binning[0].layers[0].inverse = 0.0, "bins 0 have 9 layers of thickness inf");
  BAD(bad.binning[0].layers[0].first = NAN, "from nan on");
  BAD(bad.binning[0].nvalues = 0, "bins 0 have 0 values; allowed: 1 to 16");
  BAD(bad.binning[0].nvalues = 17, "bins 0 have 17 values");
  BAD(bad.binning[0].value[2] = DS_BIN_VALUE_KINDS, "value 2 of bins 0 is of kind 28");
  BAD(bad.binning[0].unit[1] = 0.0, "value 1 of bins 0 is of kind 1, in units of 0");
  BAD(bad.binning[0].within = 0, "in the last 0 of 1 steps");
  BAD(bad.binning[0].period_of_steps = 0, "of 0 steps");
  BAD(bad.binning[0].begin = -1, "from -1 on");
  BAD(bad.binning[0].layers[0].n = INT32_MAX, "more than 2147483647 numbers");
  BAD_SHELLS(bad.binning[0].nlayers = 2, "bins 0 are of kind 2 with layers along 2 axes");
  BAD_SHELLS(bad.binning[0].nshells = 0, "bins 0 have 0 shells");
  BAD_SHELLS(bad.binning[0].radius = -1.0, "from a radius of -1 on");
  BAD_SHELLS(bad.binning[0].center[2] = INFINITY, "bins 0 have 6 shells");
  BAD_SHELLS(bad.binning[0].inverse_width = -1.0, "shells of thickness -1");
#undef BAD
#undef BAD_SHELLS
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    for (int k = 0; k < BOXES * KINDS; k++) CHECK_CASE(test_kind(v, &boxes[k / KINDS], k % KINDS));
    for (int k = 0; k < BOXES; k++) CHECK_CASE(test_once(v, &boxes[k]));
    CHECK_CASE(test_steps(v));
  }
  CHECK_CASE(test_refused());
  return check_result();
}
