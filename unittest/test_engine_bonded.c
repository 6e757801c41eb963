/* test_engine_bonded.c: bonds, angles, dihedrals, impropers and constant forces of atoms that stay with the engine are those of
   a caller who makes them as LAMMPS does, to the bit: forces, energies, virials, trajectories.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_bonded cuda" makes the same checks on the GPU, where the arc cosine and the sine of CUDA have another last bit:
   forces of styles that have them (is_exact()) are compared to 1e-12 of the largest there.
   Sums are exact: they have the same bits for any number of threads, and on the GPU where neither CUDA's arc cosine nor a
   logarithm is in them; those of the caller, who adds up doubles, are within 1e-12. */
#include "support/chains_of_caller.h"

enum { LONG = 20, ANGLE_NUMBERS = 5, TORSION_NUMBERS = 6 }; /* owner, atoms, type */

static test_variants variants;

/* In some of the variants the engine has arrays of its own on the host, too. */
static int has_own_copies(int variant)
{
  return variant % 2;
}

/* --------------------------------------------------------------------------------- forces of one moment */

static void tie_anywhere(bonds *b, uint64_t seed)
{
  for (int k = 0; k < LONG; k++) {
    const int i = (int) (ATOMS * check_uniform(&seed)), j = (i + 1 + 31 * k) % ATOMS;
    add_bond(b, i, j, 3);
    add_angle(b, i, j, (j + 40) % ATOMS, 3);
    const int four[4] = {(j + 40) % ATOMS, i, j, (j + 90) % ATOMS};
    add_torsion(b, k % 2, four, 3 + k % 4 / 2);
  }
}

static void random_forces(atoms *a, uint64_t seed)
{
  for (int k = 0; k < 3 * a->n; k++) a->f[k] = 10.0 * random_normal(&seed);
}

static void check_forces(const double *got, const double *expected, int exact, const char *where)
{
  double largest = 0.0, apart = 0.0;
  for (int k = 0; k < 3 * ATOMS; k++) {
    largest = fmax(largest, fabs(expected[k]));
    apart = fmax(apart, fabs(got[k] - expected[k]));
  }
  if (exact)
    CHECK_MSG(memcmp(got, expected, 24 * ATOMS) == 0, "%s: forces differ by %g of %g", where, apart,
              largest);
  else
    CHECK_MSG(apart <= 1e-12 * largest, "%s: forces differ by %g of %g", where, apart, largest);
}

/* Sums of a moment, the same in all variants that come to it. */
typedef struct {
  int known;
  ds_bonded_sums sums;
} first_sums;

static void check_same_sums(const ds_bonded_sums *got, first_sums *first, const char *where)
{
  if (!first->known) first->sums = *got;
  first->known = 1;
  CHECK_MSG(memcmp(got, &first->sums, sizeof *got) == 0, "%s: sums differ from those of the first variant", where);
}

static int is_exact(const bonds *b)
{
  return variants.options[0].backend == DS_BACKEND_HOST ||
         (b->given.angles.style != DS_ANGLE_STYLE_HARMONIC && b->given.dihedrals.style != DS_DIHEDRAL_STYLE_OPLS &&
          b->given.impropers.style != DS_IMPROPER_STYLE_HARMONIC);
}

/* Forces are added to random ones. */
static void compare_moment(ds_resident *r, atoms *ours, atoms *theirs, bonds *b, first_sums *first, const char *where)
{
  ds_bonded_sums got, expected;
  ds_error err;
  int is_theirs;
  random_forces(theirs, 9);
  memcpy(ours->f, theirs->f, 24 * ATOMS);
  bonds_forces(b, theirs, &expected);
  CHECK_INT(b->too_long, 0);
  CHECK_OK(ds_resident_to_engine(r, DS_FORCE, &err), err);
  CHECK_OK(ds_resident_bonded_forces(r, 7, &got, &is_theirs, &err), err);
  CHECK_INT(is_theirs, 0);
  CHECK_OK(ds_resident_to_host(r, DS_FORCE, &err), err);
  const int exact = is_exact(b);
  check_forces(ours->f, theirs->f, exact, where);
  check_sums(&got, &expected, where);
  if (exact && b->given.bonds.style != DS_BOND_STYLE_FENE) check_same_sums(&got, first, where);
}

/* Few bins, so that many atoms share one. */
static void sort_both(ds_resident *r, atoms *theirs, bonds *b, const setting *s)
{
  static const ds_sort_bins bins = {{3, 4, 5}, {-1.25, 3.5, 0.5}, {3 / 6.5, 4 / 7.0, 5 / 8.0}};
  place places[ATOMS];
  ds_error err;
  CHECK_OK(ds_resident_to_engine(r, DS_TAG, &err), err);
  CHECK_OK(ds_resident_sort(r, &bins, &err), err);
  ds_resident_note_same_order(r);
  caller_sorts(theirs, s, &bins, places);
  bonds_sort(b, places, theirs->n);
  bonds_reneighbor(b, theirs);
}

static int32_t *with_owners(const acting *list)
{
  int32_t *const words = test_alloc(TORSION_NUMBERS * sizeof(int32_t) * (size_t) (list->n + 1));
  for (int k = 0; k < list->n; k++) {
    words[TORSION_NUMBERS * k] = list->member[5 * k];
    memcpy(words + TORSION_NUMBERS * k + 1, list->member + 5 * k, 5 * sizeof(int32_t));
  }
  return words;
}

/* The same terms, given as they act between atoms and the caller's copies, whose forces he returns. */
static void compare_with_copies(ds_resident *r, atoms *ours, atoms *theirs, bonds *b, const char *where)
{
  const int ncopies = b->near.first[EXCHANGES] - ATOMS;
  int32_t *const angle = test_alloc(ANGLE_NUMBERS * sizeof(int32_t) * (size_t) (b->angles.n + 1));
  ds_bonded_sums got, expected;
  ds_bonded given = b->given;
  ds_error err;
  int is_theirs;
  int32_t *torsion[2];
  for (int k = 0; k < b->angles.n; k++) {
    angle[ANGLE_NUMBERS * k] = b->angles.member[4 * k];
    memcpy(angle + ANGLE_NUMBERS * k + 1, b->angles.member + 4 * k, 4 * sizeof(int32_t));
  }
  given.with_copies = 1;
  given.ncopies = ncopies;
  given.bonds.n = b->bonds.n;
  given.bonds.member = b->bonds.member;
  given.angles.n = b->angles.n;
  given.angles.member = angle;
  for (int t = 0; t < 2; t++) {
    ds_terms *const to = t ? &given.impropers : &given.dihedrals;
    to->n = b->torsions[t].n;
    to->member = torsion[t] = with_owners(&b->torsions[t]);
  }
  random_forces(theirs, 11);
  memcpy(ours->f, theirs->f, 24 * ATOMS);
  bonds_forces(b, theirs, &expected);
  CHECK_OK(ds_resident_set_bonded(r, &given, &err), err);
  CHECK_OK(ds_resident_set_copies(r, b->near.x + 3 * ATOMS, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_FORCE, &err), err);
  CHECK_OK(ds_resident_bonded_forces(r, 7, &got, &is_theirs, &err), err);
  CHECK_OK(ds_resident_to_host(r, DS_FORCE, &err), err);
  memcpy(b->near.f, ours->f, 24 * ATOMS);
  CHECK_OK(ds_resident_bonded_forces(r, 7, NULL, &is_theirs, &err), err); /* forces of copies begin at 0 again */
  memset(b->near.f + 3 * ATOMS, 0, 24 * (size_t) ncopies);
  CHECK_OK(ds_resident_copy_forces(r, b->near.f + 3 * ATOMS, &err), err);
  return_forces(b, ours);
  check_forces(ours->f, theirs->f, is_exact(b), where);
  check_sums(&got, &expected, where);
  given.ncopies = -1;
  CHECK_INT(ds_resident_set_bonded(r, &given, &err), DS_ERR_ARGUMENT);
  given.ncopies = 0;
  if (ncopies > 0 && b->crossing[1] > 0) CHECK_INT(ds_resident_set_bonded(r, &given, &err), DS_ERR_ARGUMENT);
  free(angle), free(torsion[0]), free(torsion[1]);
}

typedef struct {
  const char *name;
  int periodic[3];
  double reach[3];
  int most; /* axes along which a member is shifted */
} geometry;

static const geometry geometries[] = {{"periodic", {1, 1, 1}, {1.3, 1.3, 1.3}, 3},
                                      {"reach by axis", {1, 1, 1}, {1.6, 3.4, 1.2}, 3},
                                      {"walls in y", {1, 0, 1}, {1.3, 1.3, 1.3}, 2},
                                      {"walls in x and z", {0, 1, 0}, {3.2, 1.3, 4.1}, 1},
                                      {"walls", {0, 0, 0}, {1.3, 1.3, 1.3}, 0},
                                      {"no reach", {1, 1, 1}, {0, 0, 0}, 0}};

enum { NONE = DS_BOND_STYLE_NONE };

static const int styles[][DS_BONDED_KINDS] = {
    {DS_BOND_STYLE_HARMONIC, DS_ANGLE_STYLE_COSINE, NONE, NONE},
    {DS_BOND_STYLE_FENE, DS_ANGLE_STYLE_HARMONIC, DS_DIHEDRAL_STYLE_OPLS, DS_IMPROPER_STYLE_HARMONIC},
    {DS_BOND_STYLE_HARMONIC, DS_ANGLE_STYLE_HARMONIC_EXACT, DS_DIHEDRAL_STYLE_OPLS_EXACT, NONE},
    {NONE, DS_ANGLE_STYLE_COSINE, DS_DIHEDRAL_STYLE_FOURIER, DS_IMPROPER_STYLE_HARMONIC_EXACT},
    {DS_BOND_STYLE_FENE, NONE, NONE, NONE},
    {DS_BOND_STYLE_HARMONIC, NONE, NONE, DS_IMPROPER_STYLE_HARMONIC_EXACT},
    {NONE, NONE, DS_DIHEDRAL_STYLE_FOURIER, NONE}};

/* When terms are given, after atoms have moved, where images are chosen anew, and after two sorts. */
enum { MOMENTS = 5 };

static void compare_moments(const geometry *g, const int style[DS_BONDED_KINDS], int shared, int variant,
                            first_sums first[MOMENTS])
{
  const ds_pair_options *const options = &variants.options[variant];
  const int own_copies = has_own_copies(variant);
  setting s = {.name = "", ALL_MOVE, .rule = {1, 0, 0, 0.0}, .steps = 1, .stretch = 1};
  atoms ours, theirs;
  bonds b;
  ds_error err;
  char where[200];
  int outside;
  uint64_t seed = 5;
  memcpy(s.periodic, g->periodic, sizeof s.periodic);
  snprintf(where, sizeof where, "%s, styles %d, %d, %d and %d, %sshared, %s", g->name, style[0], style[1], style[2], style[3],
           shared ? "" : "not ", variant_name(options));
  atoms_open(&ours, ATOMS);
  atoms_open(&theirs, ATOMS);
  atoms_fill(&theirs, &s, 77);
  lay_chains(&theirs, &s, 41);
  atoms_copy(&ours, &theirs);
  bonds_open(&b, &s);
  b.given.shared = shared;
  memcpy(b.given.reach, g->reach, sizeof g->reach);
  set_styles(&b, style[DS_BONDS], style[DS_ANGLES]);
  set_torsions(&b, style[DS_DIHEDRALS], style[DS_IMPROPERS]);
  tie_chains(&b);
  tie_anywhere(&b, 3);
  if (g->reach[0] == 0.0) b.bond_type[1].at = b.bond_type[2].at = 15.0; /* across the box */

  ds_pair *const pair = pair_of(options, DS_PRECISION_MIXED, &s, &ours);
  ds_resident *const r = resident_in(pair, &ours, &s, own_copies);
  CHECK_OK(ds_resident_set_bonded(r, &b.given, &err), err);
  bonds_reneighbor(&b, &theirs);
  for (int k = 0; k < 4; k++)
    CHECK_MSG((b.crossing[k] > 0) == (k <= g->most), "%s: %d terms with %d shifts", where,
              b.crossing[k], k);
  compare_moment(r, &ours, &theirs, &b, &first[0], where);
  for (int k = 0; k < 3 * ATOMS; k++) theirs.x[k] += 0.1 * (check_uniform(&seed) - 0.5);
  memcpy(ours.x, theirs.x, 24 * ATOMS);
  CHECK_OK(ds_resident_to_engine(r, DS_POSITION, &err), err);
  compare_moment(r, &ours, &theirs, &b, &first[1], where);
  caller_wraps(&theirs, &s);
  bonds_reneighbor(&b, &theirs);
  CHECK_OK(ds_resident_reneighbor(r, 7, &outside, &err), err);
  CHECK_INT(outside, 0);
  compare_moment(r, &ours, &theirs, &b, &first[2], where);
  for (int sort = 3; sort < MOMENTS && ds_resident_has_own_copies(r); sort++) {
    for (int k = 0; k < 3 * ATOMS && sort > 3; k++) theirs.x[k] += 0.3 * (check_uniform(&seed) - 0.5);
    memcpy(ours.x, theirs.x, 24 * ATOMS);
    CHECK_OK(ds_resident_to_engine(r, DS_POSITION, &err), err);
    sort_both(r, &theirs, &b, &s);
    compare_moment(r, &ours, &theirs, &b, &first[sort], where);
  }
  compare_with_copies(r, &ours, &theirs, &b, where);
  ds_resident_close(r);
  ds_pair_close(pair);
  bonds_close(&b);
  atoms_close(&ours);
  atoms_close(&theirs);
}

static void test_moments(void)
{
  const int ngeometries = (int) (sizeof geometries / sizeof geometries[0]);
  for (int g = 0; g < (check_brief() ? 2 : ngeometries); g++)
    for (int style = 0; style < (int) (sizeof styles / sizeof styles[0]); style++)
      for (int shared = 0; shared < 2; shared++) {
        first_sums first[MOMENTS] = {{0}};
        for (int v = 0; v < variants.n; v++) compare_moments(&geometries[g], styles[style], shared, v, first);
      }
}

/* ----------------------------------------------------------------------------------------- trajectories */

static void with_fourier(run_pair *o)
{
  set_torsions(&o->b, DS_DIHEDRAL_STYLE_FOURIER, NONE);
}

static void with_all_torsions(run_pair *o)
{
  set_torsions(&o->b, DS_DIHEDRAL_STYLE_OPLS_EXACT, DS_IMPROPER_STYLE_HARMONIC_EXACT);
}

static void compare_runs(const run_setup *c, const ds_pair_options *options, ds_precision precision, int own_copies,
                           void (*more)(run_pair *o))
{
  run_pair o;
  ds_error err;
  ds_run_result reached;
  const int64_t last = 5 + (check_brief() ? c->s.steps / 3 : c->s.steps);
  run_pair_open(&o, c, options, precision, own_copies, more);
  rebuild_counts got = o.expected;
  const int64_t broken = caller_runs(o.reference, &o.theirs, &o.b, c, 6, last, &o.expected);
  CHECK_INT(broken, last + 1);
  CHECK_MSG(o.expected.reneighborings > (check_brief() ? 1 : 2), "%s: %d rebuilds", c->s.name,
            o.expected.reneighborings);
  for (int64_t step = 6; step <= last; step += c->s.stretch) {
    const int64_t end = step + c->s.stretch - 1 < last ? step + c->s.stretch - 1 : last;
    ds_run_request stretch = stretch_of(c, step, end, got.reneighbored);
    stretch.sums = &got.sums;
    engine_goes(&o, &stretch, &reached, &got);
    CHECK(reached.whole && !reached.bonded);
    CHECK_INT(reached.step, end);
  }
  CHECK_OK(ds_resident_to_host(o.r, DS_ALL_FIELDS, &err), err);
  check_same(&o.ours, &o.theirs, &c->s, variant_name(options));
  check_sums(&got.sums, &o.expected.sums, c->s.name);
  check_rebuild_counts(&got, &o.expected, c->s.name);
  run_pair_close(&o);
}

#define BY_DISTANCE                                                                                \
  {                                                                                                \
    1, 0, 1, 0.0225                                                                                \
  }

static const run_setup run_setups[] = {
    {{.name = "harmonic, cosine", ALL_MOVE, .rule = {3, 0, 0, 0.0}, .steps = 60, .stretch = 60},
     DS_BOND_STYLE_HARMONIC,
     DS_ANGLE_STYLE_COSINE,
     1},
    {{.name = "fene, by distance", ALL_MOVE, .rule = BY_DISTANCE, .steps = 80, .stretch = 23},
     DS_BOND_STYLE_FENE,
     DS_ANGLE_STYLE_COSINE,
     1},
    {{.name = "not shared", ALL_MOVE, .rule = BY_DISTANCE, .steps = 60, .stretch = 60},
     DS_BOND_STYLE_HARMONIC,
     DS_ANGLE_STYLE_COSINE,
     0},
    {{.name = "not shared, by distance",
      ALL_MOVE,
      .rule = BY_DISTANCE,
      .steps = 60,
      .stretch = 17},
     DS_BOND_STYLE_FENE,
     DS_ANGLE_STYLE_COSINE,
     0},
    {{.name = "two groups",
      .periodic = ALL_PERIODIC,
      .rule = {2, 0, 0, 0.0},
      .ngroups = 2,
      .group = {GROUP_ONE, GROUP_TWO},
      .steps = 40,
      .stretch = 40},
     DS_BOND_STYLE_HARMONIC,
     DS_BOND_STYLE_NONE,
     1},
    {{.name = "step by step, a mass of each atom",
      ALL_MOVE,
      .rule = BY_DISTANCE,
      .wide_images = 1,
      .by_atom = 1,
      .steps = 30,
      .stretch = 1},
     DS_BOND_STYLE_NONE,
     DS_ANGLE_STYLE_COSINE,
     1},
    {{.name = "lists that grow",
      ALL_MOVE,
      .rule = BY_DISTANCE,
      .inward = 8.0,
      .steps = 24,
      .stretch = 24},
     DS_BOND_STYLE_HARMONIC,
     DS_ANGLE_STYLE_COSINE,
     1},
};

static void test_courses(void)
{
  static void (*const torsions[])(run_pair *o) = {NULL, with_fourier, with_all_torsions};
  for (int k = 0; k < (int) (sizeof run_setups / sizeof run_setups[0]); k++)
    for (int p = 0; p < (check_brief() ? 1 : 2); p++)
      for (int v = 0; v < variants.n; v++)
        compare_runs(&run_setups[k], &variants.options[v], p ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED, has_own_copies(v),
                       torsions[k % 3]);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_moments());
  CHECK_CASE(test_courses());
  return check_result();
}
