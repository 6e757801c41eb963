/* test_engine_sop_faults.c: bonds that break, beads that are too close and steps that are too far: the words, which name
   atoms and step, and where the beads are afterwards.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"
#include "support/expect.h"
#include "support/system.h"

static sop_variants variants;

enum { SCHEMES = 3, BEADS = 30 };
static const ds_sop_scheme scheme[SCHEMES] = {DS_SOP_PARTICLE, DS_SOP_PAIR, DS_SOP_BLOCK};

static ds_sop_options options_of(int variant, int s, int order)
{
  ds_sop_options o = variants.options[variant];
  o.scheme = scheme[s];
  o.order = order;
  return o;
}

/* ------------------------------------------------------------------------------------ at the beginning */

/* 17 molecules, so that the last one stands alone in a block; something is wrong with one. */
static void check_at_once(const ds_sop_options *o, const test_molecule *m, const double *x,
                          const char *words, int line)
{
  const ds_sop_motion motion = {70, 5, 500.0, SOP_ZETA, SOP_KT};
  double f[17 * 3 * BEADS];
  char with_step[256];
  ds_error err;
  ds_sop *const sop = sop_start(o, m, 17, 0, 1001, x);
  check_error(ds_sop_get_forces(sop, f, &err), &err, DS_ERR_FORCE_RANGE, words, __FILE__, line);
  CHECK_MSG(strstr(err.text, "in step") == NULL, "%s: a step in '%s'", sop_name(o), err.text);
  snprintf(with_step, sizeof with_step, "%s|in step 70", words);
  check_error(ds_sop_advance(sop, &motion, &err), &err, DS_ERR_FORCE_RANGE, with_step, __FILE__,
              line);
  double *const y = sop_positions(sop, 17 * BEADS);
  CHECK_MSG(memcmp(y + 3 * 9 * BEADS, x + 3 * 9 * BEADS, 3 * BEADS * sizeof *x) == 0,
            "%s: the molecule with the fault has moved", sop_name(o));
  free(y);
  ds_sop_close(sop);
}

/* Moves a bead of molecule 9 to `apart` from another one. */
static void place(double *x, int bead, int other, double apart)
{
  double *const a = x + 3 * (9 * BEADS + bead), *const b = x + 3 * (9 * BEADS + other);
  a[0] = b[0] + apart;
  a[1] = b[1];
  a[2] = b[2];
}

/* A bead far away, or on top of another one, may have several faults: that of a bond is named. */
static void test_at_once(void)
{
  test_molecule m;
  molecule_folded(&m, BEADS, 900);
  double *const x = sop_copies(&m, 17, 0, 100.0), *const y = test_alloc(17 * 3 * BEADS * sizeof *y);
  sop_to_grid(&m.topology, x, 17 * BEADS);
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++)
      for (int order = 1; order <= 2; order++) {
        const ds_sop_options o = options_of(v, s, order);
#define CASE(bead, other, apart, words)                                                            \
  do {                                                                                             \
    memcpy(y, x, 17 * 3 * BEADS * sizeof *x);                                                      \
    place(y, bead, other, apart);                                                                  \
    check_at_once(&o, &m, y, words, __LINE__);                                                     \
  } while (0)
        CASE(0, 1, 6.5, "the bond of atoms 1271 and 1272 has the length 6.5|R0 = 2 allow");
        CASE(0, 1, 1.25, "the bond of atoms 1271 and 1272 has the length 1.25");
        CASE(29, 28, 900.0, "the bond of atoms 1299 and 1300 has the length 900");
        CASE(0, 1, 0.0, "the bond of atoms 1271 and 1272");
#undef CASE
      }
  free(x);
  free(y);
  molecule_close(&m);
}

/* Beads without bonds: contacts, angles and other pairs, all at a distance of no return; and in different molecules. */
static void test_too_close(void)
{
  test_molecule m;
  molecule_folded(&m, BEADS, 901);
  ds_sop_topology *const t = &m.topology;
  t->bonds = 0; /* nor angles */
  t->contacts = 1;
  t->contact[0].i = 4;
  t->contact[0].j = 8;
  t->contact[0].r0 = 6.0;
  double *const x = sop_copies(&m, 17, 0, 100.0), *const y = test_alloc(17 * 3 * BEADS * sizeof *y);
  sop_to_grid(t, x, 17 * BEADS);
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      const ds_sop_options o = options_of(v, s, 1 + v % 2);
      memcpy(y, x, 17 * 3 * BEADS * sizeof *x);
      place(y, 4, 8, 1.5);
      check_at_once(&o, &m, y, "atoms 1275 and 1279 are too close|1.5 apart", __LINE__);
      memcpy(y, x, 17 * 3 * BEADS * sizeof *x);
      place(y, 29, 11, 0.5);
      check_at_once(&o, &m, y, "atoms 1282 and 1300 are too close|0.5 apart", __LINE__);
      place(y, 29, 11, 0.0);
      check_at_once(&o, &m, y, "atoms 1282 and 1300 are too close|0 apart", __LINE__);
      ds_sop_options inter = o;
      inter.inter = 1;
      if (o.scheme == DS_SOP_BLOCK) continue;
      memcpy(y, x, 17 * 3 * BEADS * sizeof *x);
      for (int c = 0; c < 3; c++) y[3 * 5 + c] = y[3 * (9 * BEADS + 7) + c] + (c == 1) * 0.5;
      check_at_once(&inter, &m, y, "atoms 1006 and 1278 are too close|0.5 apart", __LINE__);
    }
  free(x);
  free(y);
  molecule_close(&m);
}

/* A bond that is too long has no energy, nor have two beads at the same place. */
static void test_energy(void)
{
  test_molecule m;
  ds_sop_energies sum, each[17];
  ds_error err;
  molecule_folded(&m, BEADS, 902);
  double *const x = sop_copies(&m, 17, 0, 100.0), *const y = test_alloc(17 * 3 * BEADS * sizeof *y);
  sop_to_grid(&m.topology, x, 17 * BEADS);
  const ds_sop_topology bonded = m.topology;
  for (int v = 0; v < variants.n; v++) {
    ds_sop *const sop = sop_start(&variants.options[v], &m, 17, 0, 1001, x);
    CHECK_OK(ds_sop_energy(sop, &sum, each, &err), err);
    memcpy(y, x, 17 * 3 * BEADS * sizeof *x);
    place(y, 0, 1, 6.5);
    CHECK_OK(ds_sop_set_positions(sop, y, &err), err);
    EXPECT(ds_sop_energy(sop, &sum, each, &err), err, DS_ERR_FORCE_RANGE,
           "the bond of atoms 1271 and 1272 has the length 6.5");
    m.topology.bonds = m.topology.contacts = 0;
    ds_sop *const loose = sop_start(&variants.options[v], &m, 17, 0, 1001, x);
    m.topology = bonded;
    memcpy(y, x, 17 * 3 * BEADS * sizeof *x);
    place(y, 29, 11, 0.0);
    CHECK_OK(ds_sop_set_positions(loose, y, &err), err);
    EXPECT(ds_sop_energy(loose, &sum, NULL, &err), err, DS_ERR_FORCE_RANGE,
           "atoms 1282 and 1300 are too close|0 apart");
    CHECK_OK(ds_sop_set_positions(loose, x, &err), err);
    CHECK_OK(ds_sop_energy(loose, &sum, NULL, &err), err);
    ds_sop_close(sop);
    ds_sop_close(loose);
  }
  free(x);
  free(y);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------------ in a run */

/* Steps one by one, until one fails; returns its number, or -1. x: positions before it. */
static int64_t stepwise(const ds_sop_options *o, const test_molecule *m, int molecules,
                        const double *from, const double *push, double h, int steps, double *x,
                        ds_error *err)
{
  const size_t n = (size_t) (molecules * BEADS), torn = (size_t) (3 * BEADS * (molecules / 2));
  int64_t failed = -1;
  ds_sop *const sop = sop_start(o, m, molecules, 0, 1, from);
  ds_sop_set_forces(sop, push, err);
  ds_sop_motion motion = {0, 1, h, SOP_ZETA, SOP_KT};
  for (; motion.first < steps && failed < 0; motion.first++) {
    ds_sop_get_positions(sop, x, NULL);
    if (ds_sop_advance(sop, &motion, err) == DS_ERR_FORCE_RANGE) failed = motion.first;
  }
  double *const after = sop_positions(sop, n);
  if (failed >= 0)
    CHECK_MSG(memcmp(after + torn, x + torn, 3 * BEADS * sizeof *x) == 0,
              "%s: beads moved in a step that failed", sop_name(o));
  free(after);
  ds_sop_close(sop);
  return failed;
}

/* Both objects take the same steps, or refuse them with the same words. */
static void check_next(const ds_sop_options *o, ds_sop *sop, ds_sop *fresh, size_t beads)
{
  const ds_sop_motion next = {1000, 5, 300.0, SOP_ZETA, SOP_KT};
  ds_error err, expected;
  const ds_status a = ds_sop_advance(sop, &next, &err), b = ds_sop_advance(fresh, &next, &expected);
  CHECK_MSG(a == b && strcmp(err.text, expected.text) == 0,
            "%s: goes on with '%s', a new object with '%s'", sop_name(o), err.text, expected.text);
  CHECK_MSG(a == (o->order == 2 ? DS_OK : DS_ERR_FORCE_RANGE), "%s: %d, '%s'", sop_name(o), a,
            err.text);
  double *const x = sop_positions(sop, beads), *const y = sop_positions(fresh, beads);
  CHECK_MSG(memcmp(x, y, 3 * beads * sizeof *x) == 0, "%s: does not go on as a new object does",
            sop_name(o));
  free(x);
  free(y);
}

/* The bond that is named is one of the molecule that is torn. */
static void check_named(const ds_sop_options *o, const ds_error *err, int molecule)
{
  long long i = 0, j = 0;
  const int found = sscanf(err->text, "the bond of atoms %lld and %lld", &i, &j);
  const long long first = 1 + molecule * BEADS, last = first + BEADS - 1;
  CHECK_MSG(found == 2 && i >= first && i <= last && j >= first && j <= last,
            "%s: atoms %lld to %lld are torn, not '%s'", sop_name(o), first, last, err->text);
}

/* A run of many steps fails with the words of the same step as steps one by one do. The molecule that is torn is where it
   was when that step began, and if there is no other one the object goes on as a new one does. In first order the positions
   are those that have no forces; in second order it is the end of the step that has none, and a shorter step is possible. */
static void check_run(const ds_sop_options *o, const test_molecule *m, int molecules,
                      const double *from, const double *push)
{
  const ds_sop_motion motion = {0, 400, 1500.0, SOP_ZETA, SOP_KT};
  const size_t n = (size_t) (molecules * BEADS), torn = (size_t) (3 * BEADS * (molecules / 2));
  double *const x = test_alloc(3 * n * sizeof *x);
  ds_error err, one = {DS_OK, ""};
  char step[40];
  const int64_t failed = stepwise(o, m, molecules, from, push, motion.h, motion.steps, x, &one);
  ds_sop *const sop = sop_start(o, m, molecules, 0, 1, from);
  CHECK_MSG(failed > 3, "%s: step %lld has failed", sop_name(o), (long long) failed);
  snprintf(step, sizeof step, "the bond of atoms|in step %lld;", (long long) failed);
  CHECK_OK(ds_sop_set_forces(sop, push, &err), err);
  EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_FORCE_RANGE, step);
  CHECK_MSG(strcmp(err.text, one.text) == 0, "%s: '%s', and step by step '%s'", sop_name(o),
            err.text, one.text);
  check_named(o, &err, molecules / 2);
  double *const y = sop_positions(sop, n);
  CHECK_MSG(memcmp(y + torn, x + torn, 3 * BEADS * sizeof *y) == 0,
            "%s: beads are not where they were before the step that failed", sop_name(o));
  ds_sop *const fresh = sop_start(o, m, molecules, 0, 1, y);
  CHECK_OK(ds_sop_set_forces(sop, NULL, &err), err);
  check_next(o, sop, fresh, n);
  ds_sop_close(sop);
  ds_sop_close(fresh);
  free(x);
  free(y);
}

/* The ends of one molecule are pulled at by forces that a bond can bear, but not with steps so long. */
static void test_torn(int molecules)
{
  test_molecule m;
  molecule_folded(&m, BEADS, 910);
  double *const x = sop_copies(&m, molecules, 0, 100.0), *const push =
                                                             test_alloc((size_t) molecules * 3 *
                                                                        BEADS * sizeof *push);
  const int torn = 3 * BEADS * (molecules / 2);
  push[torn] = -190.0;
  push[torn + 3 * (BEADS - 1)] = 190.0;
  if (molecules > 2) { /* and later, in another block of the host, the second one */
    push[3 * BEADS] = -150.0;
    push[3 * (2 * BEADS - 1)] = 150.0;
  }
  for (int v = molecules > 1 ? variants.n - 1 : 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++)
      for (int order = 1; order <= 2; order++) {
        const ds_sop_options o = options_of(v, s, order);
        check_run(&o, &m, molecules, x, push);
      }
  free(x);
  free(push);
  molecule_close(&m);
}

/* Two of many molecules fail in the same step, by forces or by moves, of which forces come first: the first one is named,
   whether they are in one block of a GPU or in two. */
enum { WELL, BREAKS, FLIES, FLIER = 20 }; /* FLIER: bead that flies, of the first of them */

static void check_first(const ds_sop_options *o, const test_molecule *m, const double *from,
                        int molecule, const int does[2], int named)
{
  enum { MANY = 301 };
  const ds_sop_motion motion = {70, 5, 500.0, SOP_ZETA, 0.0};
  const size_t n = MANY * BEADS;
  const int bead = (molecule + named) * BEADS;
  double *const x = test_alloc(3 * n * sizeof *x), *const push = test_alloc(3 * n * sizeof *push);
  char words[80];
  ds_error err;
  memcpy(x, from, 3 * n * sizeof *x);
  for (int k = 0; k < 2; k++) {
    double *const first = x + 3 * (molecule + k) * BEADS;
    if (does[k] == BREAKS) first[0] += 10.0;
    if (does[k] == FLIES) push[3 * ((molecule + k) * BEADS + FLIER - 5 * k)] = 1e6;
  }
  ds_sop *const sop = sop_start(o, m, MANY, 0, 1, x);
  CHECK_OK(ds_sop_set_forces(sop, push, &err), err);
  if (does[named] == BREAKS)
    snprintf(words, sizeof words, "the bond of atoms %d and %d has|in step 70", bead + 1, bead + 2);
  else
    snprintf(words, sizeof words, "atom %d would move by|in step 70", bead + FLIER - 5 * named + 1);
  EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_FORCE_RANGE, words);
  ds_sop_close(sop);
  free(x);
  free(push);
}

static void test_first(void)
{
  static const int does[6][2] = {{BREAKS, BREAKS}, {BREAKS, FLIES}, {FLIES, BREAKS},
                                 {FLIES, FLIES},   {WELL, BREAKS},  {WELL, FLIES}};
  static const int named[6] = {0, 0, 1, 0, 1, 1};
  test_molecule m;
  molecule_folded(&m, BEADS, 911);
  double *const x = sop_copies(&m, 301, 0, 100.0);
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++)
      for (int k = 0; k < 12; k++) {
        const ds_sop_options o = options_of(v, s, 1 + k % 2);
        /* 95 and 96 are in two blocks of the host, 299 and 300 are the last ones */
        check_first(&o, &m, x, k % 4 == 0 ? 299 : 95 + k / 4, does[k / 2], named[k / 2]);
      }
  free(x);
  molecule_close(&m);
}

/* Beads of molecule 0 meet that were too far from each other for the list, in a step in which listed ones of molecule 1 do:
   the former are named. */
static void test_meeting(void)
{
  enum { MANY = 301, FOUR = 4 };
  const ds_sop_motion motion = {7, 3, 500.0, SOP_ZETA, 0.0};
  const double push = SOP_ZETA / motion.h;
  test_molecule m;
  ds_error err;
  molecule_loose(&m, FOUR);
  m.topology.bonds = 0;
  double *const x = sop_copies(&m, MANY, 0, 100.0), *const f =
                                                        test_alloc(3 * MANY * FOUR * sizeof *f);
  x[3 * 2] = x[3 * 1] + 2.9;
  f[3 * 1] = 1.0 * push;
  f[3 * 2] = -1.0 * push;
  x[3 * (FOUR + 2)] = x[3 * (FOUR + 1)] + 2.3;
  f[3 * (FOUR + 1)] = 0.56 * push;
  f[3 * (FOUR + 2)] = -0.56 * push;
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      ds_sop_options o = options_of(v, s, 1);
      o.cutoff = 2.4;
      o.skin = 0.02;
      ds_sop *const sop = sop_start(&o, &m, MANY, 0, 1, x);
      CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
      EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_FORCE_RANGE,
             "atoms 2 and 3 are too close in step 8");
      ds_sop_close(sop);
    }
  free(x);
  free(f);
  molecule_close(&m);
}

/* A pull that forces from outside hold moves nothing, in lanes without a molecule neither; and beads that are named as pulled
   while nothing pulls move as all others. */
static void test_held_pull(void)
{
  enum { SEVEN = 7 };
  const ds_sop_motion motion = {7, 3, 100.0, SOP_ZETA, 0.0};
  const int32_t last = BEADS - 1, first = 0;
  test_molecule m;
  ds_error err;
  molecule_folded(&m, BEADS, 912);
  double *const x = sop_copies(&m, SEVEN, 0, 100.0), *const push = test_alloc(3 * SEVEN * BEADS *
                                                                              sizeof *push);
  ds_sop_pull force = {0}, none = {0};
  force.mode = DS_SOP_PULL_FORCE;
  force.force = 20000.0;
  force.direction[0] = 1.0;
  none.fixed = none.pulled = force.pulled = 1;
  none.fixed_bead = &first;
  none.pulled_bead = force.pulled_bead = &last;
  for (int k = 1; k <= SEVEN; k++) push[3 * (k * BEADS - 1)] = -force.force;
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      const ds_sop_options o = options_of(v, s, 1 + v % 2);
      double *y
          [4]; /* without a pull, with one that is held, with a bead held, and with one named, too */
      for (int k = 0; k < 4; k++) {
        none.pulled = k == 3;
        ds_sop *const sop = sop_start(&o, &m, SEVEN, 0, 1, x);
        if (k == 1) CHECK_OK(ds_sop_set_forces(sop, push, &err), err);
        if (k > 0) CHECK_OK(ds_sop_set_pull(sop, k == 1 ? &force : &none, &err), err);
        CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
        y[k] = sop_positions(sop, SEVEN * BEADS);
        ds_sop_close(sop);
      }
      int moved = 0, other = 0;
      for (int k = 0; k < 3 * SEVEN * BEADS; k++) {
        moved += y[1][k] != y[0][k];
        other += y[3][k] != y[2][k];
      }
      CHECK_MSG(moved == 0, "%s: %d coordinates moved by a pull that is held", sop_name(&o), moved);
      CHECK_MSG(other == 0, "%s: %d coordinates moved by no pull", sop_name(&o), other);
      for (int k = 0; k < 4; k++) free(y[k]);
    }
  free(x);
  free(push);
  molecule_close(&m);
}

/* ----------------------------------------------------------------------------------------- too far */

/* 2 angstrom are the most that a step may be. */
static void test_too_far(void)
{
  const ds_sop_motion motion = {5, 3, 1000.0, SOP_ZETA, 0.0};
  test_molecule m;
  double f[3 * 900] = {0.0};
  ds_error err;
  molecule_loose(&m, 1);
  double *const x = sop_copies(&m, 0, 900, 0.0);
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++) {
      const ds_sop_options o = options_of(v, v % SCHEMES, order);
      ds_sop *const sop = sop_start(&o, &m, 0, 900, 1, x);
      f[3 * 613 + 1] = 2.001 * SOP_ZETA / motion.h;
      CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
      EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_FORCE_RANGE,
             "atom 614 would move by more than 2 in step 5|shorter step");
      f[3 * 613 + 1] = 1.999 * SOP_ZETA / motion.h;
      CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
      CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
      f[3 * 613 + 1] = -1e300;
      CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
      EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_FORCE_RANGE, "atom 614 would move");
      ds_sop_close(sop);
    }
  free(x);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_at_once());
  CHECK_CASE(test_too_close());
  CHECK_CASE(test_energy());
  CHECK_CASE(test_torn(1));
  CHECK_CASE(test_torn(35));
  CHECK_CASE(test_first());
  CHECK_CASE(test_meeting());
  CHECK_CASE(test_held_pull());
  CHECK_CASE(test_too_far());
  return check_result();
}
