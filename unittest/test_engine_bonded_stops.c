/* test_engine_bonded_stops.c: what ends steps of atoms with bonds: bonds that are too long, and bad arguments; and terms
   that are given again.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_bonded_stops cuda" makes the same checks on the GPU. */
#include "support/chains_of_caller.h"
#include "support/expect.h"

static test_variants variants;

/* -------------------------------------------------------------------------------- bonds that are too long */

/* 1.3 is the longest length of a bond of type 4, and above 1.23 it is the caller's. */
enum { FIRST_FREE = CHAINS * BEADS, GOES_ON = 15 };

static void flies_apart(run_pair *o, double speed)
{
  atoms *const a = &o->theirs;
  const int i = FIRST_FREE, j = i + 1;
  memcpy(a->x + 3 * j, a->x + 3 * i, 24);
  a->x[3 * i + 2] = low[2] + 0.1; /* the bond reaches across the border */
  a->x[3 * j + 2] = low[2] + edge[2] - 0.85;
  a->v[3 * i + 2] = speed;
  a->v[3 * j + 2] = 0.0;
  o->b.bond_type[4] = fene_bonds[2];
  o->b.bond_type[4].k = 0.5;
  o->b.bond_type[4].at = 1.3;
  add_bond(&o->b, i, j, 4);
}

static void flies_soon(run_pair *o)
{
  flies_apart(o, 4.0);
}

static void flies_later(run_pair *o)
{
  flies_apart(o, 3.0);
}

static void check_state(const run_pair *o, const setting *s, const char *where)
{
  CHECK_MSG(memcmp(o->ours.x, o->theirs.x, 24 * ATOMS) == 0, "%s: positions differ", where);
  CHECK_MSG(memcmp(o->ours.v, o->theirs.v, 24 * ATOMS) == 0, "%s: velocities differ", where);
  CHECK_MSG(s->wide_images ? memcmp(o->ours.wide, o->theirs.wide, 8 * ATOMS) == 0
                           : memcmp(o->ours.narrow, o->theirs.narrow, 4 * ATOMS) == 0,
            "%s: image flags differ", where);
}

/* Up to the first half of the step in which it happens, in two stretches that end as told. */
static void engine_breaks(run_pair *o, const run_setup *c, int64_t until, int64_t last, int64_t broken,
                          rebuild_counts *got, const char *where)
{
  ds_run_result reached = {0};
  ds_error err;
  for (int64_t first = 6; first <= last; first = until + 1, until = last) {
    ds_run_request stretch = stretch_of(c, first, until, got->reneighbored);
    engine_goes(o, &stretch, &reached, got);
    if (!reached.whole) break;
    CHECK_INT(reached.step, until);
  }
  CHECK_MSG(!reached.whole && reached.bonded && reached.step == broken,
            "%s: ended in step %lld, whole %d, bonded %d; expected is step %lld", where,
            (long long) reached.step, reached.whole, reached.bonded, (long long) broken);
  CHECK_OK(ds_resident_to_host(o->r, DS_ALL_FIELDS, &err), err);
}

/* Both make the forces of that step with a bond that may be longer, and go on. */
static void both_go_on(run_pair *o, const run_setup *c, int64_t broken, rebuild_counts *got)
{
  ds_run_result reached;
  ds_error err;
  ds_pair_totals totals;
  o->b.bond_type[4].at = 7.0;
  bonds_reneighbor(&o->b, &o->theirs);
  CHECK_OK(caller_forces(o->reference, &o->theirs, broken, 0, &totals, &err), err);
  bonds_forces(&o->b, &o->theirs, &o->expected.sums);
  caller_kicks(&o->theirs, &c->s, 0);
  caller_runs(o->reference, &o->theirs, &o->b, c, broken + 1, broken + GOES_ON, &o->expected);

  memset(o->ours.f, 0, 24 * ATOMS);
  CHECK_OK(ds_resident_to_engine(o->r, DS_FORCE, &err), err);
  CHECK_OK(ds_resident_set_bonded(o->r, &o->b.given, &err), err);
  ds_run_request stretch = stretch_of(c, broken, broken + GOES_ON, got->reneighbored);
  stretch.begun = 1;
  stretch.sums = &got->sums;
  engine_goes(o, &stretch, &reached, got);
  CHECK(reached.whole);
  CHECK_OK(ds_resident_to_host(o->r, DS_ALL_FIELDS, &err), err);
}

/* `ends`: the step in which it happens is 0: within a stretch, 1: its last, 2: its first. Returns 1 if lists are rebuilt
   in that step. */
static int compare_break(const run_setup *c, int ends, void (*more)(run_pair *o),
                         const ds_pair_options *options, int apart)
{
  static const int until[3] = {-5, 0, -1};
  run_pair o;
  char where[120];
  snprintf(where, sizeof where, "%s, %s, %s", c->s.name,
           ends == 0   ? "within"
           : ends == 1 ? "the last"
                       : "the first",
           variant_name(options));
  run_pair_open(&o, c, options, DS_PRECISION_MIXED, apart, more);
  rebuild_counts got = o.expected;
  const int64_t broken = caller_runs(o.reference, &o.theirs, &o.b, c, 6, 200, &o.expected);
  const int reneighbored = o.expected.reneighbored == broken;
  CHECK_MSG(broken > 10 && broken < 60, "%s: a bond is too long in step %lld", where,
            (long long) broken);
  engine_breaks(&o, c, until[ends] + broken, broken + 40, broken, &got, where);
  check_state(&o, &c->s, where);
  check_rebuild_counts(&got, &o.expected, where);
  both_go_on(&o, c, broken, &got);
  check_same(&o.ours, &o.theirs, &c->s, where);
  check_sums(&got.sums, &o.expected.sums, where);
  check_rebuild_counts(&got, &o.expected, where);
  run_pair_close(&o);
  return reneighbored;
}

static const run_setup run_setups[] = {
    {{.name = "every 4 steps",
      .periodic = ALL_PERIODIC,
      .rule = {4, 0, 0, 0.0},
      .ngroups = 1,
      .group = {1}},
     DS_BOND_STYLE_FENE,
     DS_ANGLE_STYLE_COSINE,
     1},
    {{.name = "by distance", ALL_MOVE, .rule = {1, 0, 1, 0.0025}, .wide_images = 1},
     DS_BOND_STYLE_FENE,
     DS_ANGLE_STYLE_COSINE,
     0},
    {{.name = "by distance, masses of atoms", ALL_MOVE, .rule = {2, 4, 1, 0.0025}, .by_atom = 1},
     DS_BOND_STYLE_FENE,
     DS_BOND_STYLE_NONE,
     1},
};

static void test_breaks(void)
{
  int reneighbored = 0, n = 0;
  for (int k = 0; k < (int) (sizeof run_setups / sizeof run_setups[0]); k++)
    for (int v = 0; v < variants.n; v++)
      for (int ends = 0; ends < 3; ends++) {
        reneighbored += compare_break(&run_setups[k], ends, flies_soon, &variants.options[v], v % 2);
        reneighbored += compare_break(&run_setups[k], ends, flies_later, &variants.options[v], v % 2);
        n += 2;
      }
  CHECK_MSG(reneighbored > 0 && reneighbored < n, "lists were rebuilt in that step in %d of %d cases",
            reneighbored, n);
}

/* LAMMPS warns where 1 - r^2/r0^2 is below 0.1; the longest bond that passes, and the next number. */
static void test_limit(void)
{
  const setting s = {.name = "", ALL_MOVE, .rule = {1, 0, 0, 0.0}, .steps = 1, .stretch = 1};
  double r = sqrt(0.9);
  while (1.0 - r * r >= 0.1) r = nextafter(r, 2.0);
  while (1.0 - r * r < 0.1) r = nextafter(r, 0.0);
  for (int v = 0; v < variants.n; v++)
    for (int longer = 0; longer < 2; longer++) {
      atoms a;
      bonds b;
      ds_bonded_sums sums;
      ds_error err;
      int is_theirs;
      atoms_open(&a, ATOMS);
      atoms_fill(&a, &s, 77);
      bonds_open(&b, &s);
      set_styles(&b, DS_BOND_STYLE_FENE, DS_BOND_STYLE_NONE);
      b.bond_type[1].at = 1.0;
      b.given.shared = 1;
      a.x[0] = 0.0; /* within the box, and no way from there is rounded */
      a.x[3] = longer ? nextafter(r, 2.0) : r;
      memcpy(a.x + 4, a.x + 1, 16);
      add_bond(&b, 0, 1, 1);
      ds_pair *const pair = pair_of(&variants.options[v], DS_PRECISION_MIXED, &s, &a);
      ds_resident *const t = resident_of(pair, &a, &s);
      CHECK_OK(ds_resident_set_bonded(t, &b.given, &err), err);
      CHECK_OK(ds_resident_bonded_forces(t, 1, &sums, &is_theirs, &err), err);
      CHECK_INT(is_theirs, longer);
      ds_resident_close(t);
      ds_pair_close(pair);
      bonds_close(&b);
      atoms_close(&a);
    }
}

/* ------------------------------------------------------------------------------------------ given again */

static void check_with(run_pair *o, const ds_bonded *given, const char *where)
{
  ds_bonded_sums got, expected;
  ds_error err;
  int is_theirs;
  memset(o->theirs.f, 0, 24 * ATOMS);
  memset(o->ours.f, 0, 24 * ATOMS);
  memset(&expected, 0, sizeof expected);
  CHECK_OK(ds_resident_set_bonded(o->r, given, &err), err);
  if (given) {
    bonds_reneighbor(&o->b, &o->theirs);
    bonds_forces(&o->b, &o->theirs, &expected);
  }
  CHECK_OK(ds_resident_to_engine(o->r, DS_FORCE, &err), err);
  CHECK_OK(ds_resident_bonded_forces(o->r, 6, &got, &is_theirs, &err), err);
  CHECK_OK(ds_resident_to_host(o->r, DS_FORCE, &err), err);
  CHECK_MSG(memcmp(o->ours.f, o->theirs.f, 24 * ATOMS) == 0, "%s: forces differ", where);
  check_sums(&got, &expected, where);
}

static void test_given_again(void)
{
  static const ds_run_request idle;
  for (int v = 0; v < variants.n; v++) {
    run_pair o;
    ds_error err;
    ds_run_result reached;
    run_pair_open(&o, &run_setups[0], &variants.options[v], DS_PRECISION_MIXED, v % 2, NULL);
    ds_bonded *const b = &o.b.given;
    check_with(&o, b, "all");
    b->bonds.n = 100;
    b->angles.n = 7;
    check_with(&o, b, "fewer");
    b->angles.style = DS_BOND_STYLE_NONE;
    b->bonds.style = DS_BOND_STYLE_HARMONIC;
    check_with(&o, b, "another style, no angles");
    b->bonds.n = 0;
    check_with(&o, b, "no bond");
    set_styles(&o.b, DS_BOND_STYLE_FENE, DS_ANGLE_STYLE_COSINE);
    tie_chains(&o.b);
    check_with(&o, b, "all again");
    o.b.bond[3 * 5 + 2] = 9;
    EXPECT(ds_resident_set_bonded(o.r, b, &err), err, DS_ERR_ARGUMENT, "bond 5|type 9");
    o.b.bond[3 * 5 + 2] = 2;
    b->bonds.n = b->angles.n = 0; /* what was refused has left none behind */
    bonds_reneighbor(&o.b, &o.theirs);
    check_with(&o, NULL, "none");
    ds_run_request stretch = idle;
    ds_bonded_sums sums;
    memset(&sums, 1, sizeof sums);
    stretch.first = stretch.last = 6;
    stretch.rule = run_setups[0].s.rule;
    stretch.reneighbored = 5;
    stretch.hand_over = INT64_MAX;
    stretch.sums = &sums;
    CHECK_OK(ds_resident_run(o.r, &stretch, &reached, &err), err);
    CHECK(sums.bonds.energy == 0.0 && sums.angles.virial[5] == 0.0);
    run_pair_close(&o);
  }
}

/* Another number of atoms: those bonds are gone. The arrays have ends of their own, which a sanitizer looks after. */
static void test_fewer_atoms(void)
{
  for (int v = 0; v < variants.n; v++) {
    run_pair o;
    ds_error err;
    ds_bonded_sums sums;
    int is_theirs = 1;
    run_pair_open(&o, &run_setups[0], &variants.options[v], DS_PRECISION_MIXED, v % 2, NULL);
    ds_resident_atoms fields = fields_of(&o.ours, &run_setups[0].s);
    fields.n = 10;
    CHECK_OK(ds_resident_set_atoms(o.r, &fields, &err), err);
    CHECK_OK(ds_resident_to_engine(o.r, DS_ALL_FIELDS, &err), err);
    memcpy(o.theirs.f, o.ours.f, 24 * ATOMS);
    CHECK_OK(ds_resident_bonded_forces(o.r, 6, &sums, &is_theirs, &err), err);
    CHECK_INT(is_theirs, 0);
    CHECK_OK(ds_resident_to_host(o.r, DS_FORCE, &err), err);
    CHECK(memcmp(o.ours.f, o.theirs.f, 24 * ATOMS) == 0 && sums.bonds.energy == 0.0);
    EXPECT(ds_resident_set_bonded(o.r, &o.b.given, &err), err, DS_ERR_ARGUMENT,
           "bond|has an atom|0 to 9");
    run_pair_close(&o);
  }
}

/* ------------------------------------------------------------------------------------------------ errors */

/* A bond or an angle of 10 atoms with one word that is wrong. */
static void expect_words(ds_resident *r, int is_angle, int word, int32_t value, const char *words)
{
  static const ds_bonded_type types[3];
  int32_t bond[6] = {0, 1, 1, 1, 2, 2}, angle[10] = {1, 0, 1, 2, 1, 3, 2, 3, 4, 2};
  ds_bonded b;
  ds_error err;
  memset(&b, 0, sizeof b);
  (is_angle ? angle : bond)[word] = value;
  b.bonds.style = DS_BOND_STYLE_HARMONIC;
  b.angles.style = DS_ANGLE_STYLE_COSINE;
  b.bonds.ntypes = b.angles.ntypes = 2;
  b.bonds.type = b.angles.type = types;
  b.bonds.n = b.angles.n = 2;
  b.bonds.member = bond;
  b.angles.member = angle;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, words);
}

static void expect_bad_members(ds_resident *r)
{
  expect_words(r, 0, 0, -1, "bond 0|atom -1|0 to 699");
  expect_words(r, 0, 4, ATOMS, "bond 1|atom 700|0 to 699");
  expect_words(r, 0, 2, 0, "bond 0|type 0|1 to 2");
  expect_words(r, 0, 5, 3, "bond 1|type 3|1 to 2");
  for (int word = 5; word < 9; word++) {
    expect_words(r, 1, word, ATOMS, "angle 1|atom 700|0 to 699");
    expect_words(r, 1, word, INT32_MIN, "angle 1|atom -2147483648|0 to 699");
  }
  expect_words(r, 1, 4, -7, "angle 0|type -7|1 to 2");
  expect_words(r, 1, 9, 3, "angle 1|type 3|1 to 2");
}

/* Of the first dihedral or improper: one word, or the multiplicity of its type. */
static void expect_bad_torsions(ds_resident *r, const bonds *good)
{
  static const double bad[] = {-1.0, NAN, INFINITY, 3e9};
  ds_bonded_type types[5];
  int32_t words[6] = {1, 0, 1, 2, 3, 1};
  ds_bonded b = good->given;
  ds_error err;
  b.dihedrals.style = DS_DIHEDRAL_STYLE_FOURIER;
  b.impropers.style = DS_IMPROPER_STYLE_HARMONIC;
  b.dihedrals.n = b.impropers.n = 1;
  memcpy(types, fourier_dihedrals, sizeof types);
  for (int k = 0; k < 4; k++) {
    b.dihedrals.type = types;
    types[4].multiplicity = bad[k];
    EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "multiplicity|dihedrals of type 4|0 to 2147483647");
  }
  types[4].multiplicity = 0.0;
  for (int m = 0; m < 5; m++) {
    const int32_t was = words[m];
    words[m] = m % 2 ? -1 : ATOMS;
    b.dihedrals.member = words;
    EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT,
           m % 2 ? "dihedral 0|atom -1|0 to 699" : "dihedral 0|atom 700|0 to 699");
    words[m] = was;
  }
  words[5] = 5;
  b.impropers.member = words;
  b.dihedrals.n = 0;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "improper 0|type 5|1 to 4");
}

static void expect_bad_terms(ds_resident *r, const bonds *good)
{
  ds_error err;
  ds_bonded b = good->given;
  b.bonds.style = DS_ANGLE_STYLE_COSINE;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "no style of bonds");
  b = good->given;
  b.angles.style = DS_BOND_STYLE_FENE;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "no style of angles");
  b.angles.style = 77;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "77 is no style of angles");
  b = good->given;
  b.bonds.style = 77;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "77 is no style of bonds");
  b = good->given;
  b.bonds.n = -1;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "-1 bonds|0 to");
  b = good->given;
  b.angles.n = INT32_MAX;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "2147483647 angles|0 to");
  b = good->given;
  b.dihedrals.style = DS_DIHEDRAL_STYLE_FOURIER;
  b.impropers.style = DS_IMPROPER_STYLE_HARMONIC;
  b.dihedrals.n = b.impropers.n = INT32_MAX / 16;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "4 times dihedrals|up to 1073741824");
  b = good->given;
  b.bonds.member = NULL;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "bonds|NULL");
  b = good->given;
  b.angles.type = NULL;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "angles|NULL");
  b = good->given;
  b.dihedrals.style = DS_IMPROPER_STYLE_HARMONIC;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "no style of dihedrals");
  b = good->given;
  b.impropers.style = DS_DIHEDRAL_STYLE_OPLS;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "no style of impropers");
  b.impropers.style = DS_BONDED_STYLES;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "no style of impropers");
  expect_bad_torsions(r, good);
  const double bad_units[] = {0.0, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    b = good->given;
    b.unit = bad_units[k];
    EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "unit|> 0");
  }
}

static void expect_bad_box(ds_resident *r, const bonds *good, const setting *s)
{
  ds_error err;
  ds_wrap w = wrap_of(s);
  ds_bonded b = good->given;
  b.reach[2] = 4.0;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "reach 4|half|period 8");
  b.reach[2] = nextafter(4.0, 0.0);
  CHECK_OK(ds_resident_set_bonded(r, &b, &err), err);
  b.reach[0] = NAN;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "reach nan|half|period 6.5");
  w.periodic[0] = 0;
  CHECK_OK(ds_resident_set_wrap(r, &w, &err), err);
  b.reach[0] = 100.0;
  CHECK_OK(ds_resident_set_bonded(r, &b, &err), err);
  EXPECT(ds_resident_set_fractions(r, w.lo, 3, &err), err, DS_ERR_ARGUMENT, "not tilted");
  EXPECT(ds_resident_fractions_to_host(r, &err), err, DS_ERR_ARGUMENT, "no fractions");
  w.tilted = 1;
  for (int d = 0; d < 3; d++) {
    w.periodic[d] = 1;
    w.lo[d] = 0.0;
    w.hi[d] = w.period[d] = 1.0;
    w.edge[d] = 8.0;
    w.inverse[d] = 0.125;
  }
  w.edge[5] = 6.0;
  w.inverse[5] = -6.0 * 0.125 * 0.125;
  CHECK_OK(ds_resident_set_wrap(r, &w, &err), err);
  for (int d = 0; d < 3; d++) b.reach[d] = 3.19;
  CHECK_OK(ds_resident_set_bonded(r, &b, &err), err);
  CHECK_INT(ds_resident_has_fractions(r), 1);
  b.reach[0] = 3.21;
  EXPECT(ds_resident_set_bonded(r, &b, &err), err, DS_ERR_ARGUMENT, "reach 0.50|half|period 1|fractions");
  EXPECT(ds_resident_set_fractions(r, NULL, 3, &err), err, DS_ERR_ARGUMENT, "fractions|NULL");
  CHECK_OK(ds_resident_set_bonded(r, NULL, &err), err);
}

static void test_errors(void)
{
  const setting *const s = &run_setups[0].s;
  for (int v = 0; v < variants.n; v++) {
    run_pair o;
    ds_error err;
    ds_resident *empty;
    run_pair_open(&o, &run_setups[0], &variants.options[v], DS_PRECISION_MIXED, v % 2, NULL);
    CHECK_OK(ds_resident_open(&empty, o.pair, 0, &err), err);
    EXPECT(ds_resident_set_bonded(empty, &o.b.given, &err), err, DS_ERR_ARGUMENT, "no atoms");
    EXPECT(ds_resident_set_bonded(empty, NULL, &err), err, DS_ERR_ARGUMENT, "no atoms");
    ds_resident_close(empty);
    expect_bad_members(o.r);
    expect_bad_terms(o.r, &o.b);
    expect_bad_box(o.r, &o.b, s);
    run_pair_close(&o);
  }
}

/* Kinds that are none need nothing else. */
static void test_law_of_none(void)
{
  for (int v = 0; v < variants.n; v++) {
    run_pair o;
    run_pair_open(&o, &run_setups[0], &variants.options[v], DS_PRECISION_MIXED, v % 2, NULL);
    ds_bonded b = o.b.given;
    b.angles.style = DS_BOND_STYLE_NONE;
    b.angles.n = b.angles.ntypes = -77;
    b.angles.type = NULL;
    b.angles.member = NULL;
    o.b.given.angles.style = DS_BOND_STYLE_NONE;
    check_with(&o, &b, "no style of angles");
    run_pair_close(&o);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_breaks());
  CHECK_CASE(test_limit());
  CHECK_CASE(test_given_again());
  CHECK_CASE(test_fewer_atoms());
  CHECK_CASE(test_errors());
  CHECK_CASE(test_law_of_none());
  return check_result();
}
