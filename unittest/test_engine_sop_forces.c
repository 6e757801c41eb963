/* test_engine_sop_forces.c: forces and energies of the engine against eq. 1 summed plainly (support/sop_reference.c), for
   molecules that need no search for pairs and for those that do.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

enum { SCHEMES = 3 };
static const ds_sop_scheme scheme[SCHEMES] = {DS_SOP_PARTICLE, DS_SOP_PAIR, DS_SOP_BLOCK};

/* A system: beads at places that all comparisons share. */
typedef struct {
  const char *name;
  const test_molecule *molecule;
  int molecules, inter;
  double cutoff; /* 0: the default */
  double *x;
} setting;

static size_t beads_of(const setting *s)
{
  return (size_t) s->molecules * (size_t) s->molecule->topology.beads;
}

/* Exactly zero, as integers are summed. */
static void check_sum(const double *f, size_t beads, const char *name)
{
  double sum[3] = {0.0, 0.0, 0.0};
  for (size_t k = 0; k < 3 * beads; k++) sum[k % 3] += f[k];
  CHECK_MSG(sum[0] == 0.0 && sum[1] == 0.0 && sum[2] == 0.0, "%s: sum of forces is %g %g %g", name,
            sum[0], sum[1], sum[2]);
}

static double worst_force(const double *f, const double *expected, const double *slack,
                          size_t beads)
{
  double worst = 0.0;
  for (size_t k = 0; k < 3 * beads; k++) {
    const double error = fabs(f[k] - expected[k]);
    if (!(error <=
          worst * slack[k / 3])) /* so that a NaN counts, and a bead without pairs has no slack */
      worst = isnan(error) ? INFINITY : error / slack[k / 3];
  }
  return worst;
}

/* Half a unit of energy, 2^-17 of that of force, per pair; and what double arithmetic leaves. */
static void check_energies(const ds_sop_energies *e, const ds_sop_energies *x, size_t beads,
                           const char *name)
{
  const double slack = 1e-8 * (double) beads;
  const double got[4] = {e->bonds, e->native, e->angles, e->other},
               expected[4] = {x->bonds, x->native, x->angles, x->other};
  for (int k = 0; k < 4; k++)
    CHECK_MSG(fabs(got[k] - expected[k]) <= slack + 1e-9 * fabs(expected[k]),
              "%s: energy %d is %.12g, expected %.12g", name, k, got[k], expected[k]);
  CHECK_MSG(e->intact == x->intact, "%s: %lld contacts intact, expected %lld", name,
            (long long) e->intact, (long long) x->intact);
}

/* The energies of the molecules add up to those of all. */
static void check_each(const ds_sop_energies *sum, const ds_sop_energies *each, int molecules,
                       const char *name)
{
  ds_sop_energies e;
  memset(&e, 0, sizeof e);
  for (int k = 0; k < molecules; k++) {
    e.bonds += each[k].bonds;
    e.native += each[k].native;
    e.other += each[k].other;
    e.angles += each[k].angles;
    e.intact += each[k].intact;
  }
  CHECK_MSG(e.bonds == sum->bonds && e.native == sum->native && e.other == sum->other &&
                e.angles == sum->angles && e.intact == sum->intact,
            "%s: energies of molecules do not add up", name);
}

/* Contacts that are counted alone are those that are counted with the energies. */
static void check_intact(const ds_sop *sop, const ds_sop_energies *each, int molecules, const char *name)
{
  int64_t *const intact = test_alloc((size_t) molecules * sizeof *intact);
  ds_error err;
  if (CHECK_OK(ds_sop_intact(sop, intact, &err), err))
    for (int k = 0; k < molecules; k++)
      CHECK_MSG(intact[k] == each[k].intact, "%s: molecule %d has %lld contacts intact, %lld with energies", name, k + 1,
                (long long) intact[k], (long long) each[k].intact);
  free(intact);
}

static void check_variant(const setting *s, ds_sop_options o, const double *expected,
                          const double *slack, const ds_sop_energies *energies, double *worst)
{
  const size_t beads = beads_of(s);
  ds_error err;
  ds_sop_energies e, *each = test_alloc((size_t) s->molecules * sizeof *each);
  double *const f = test_alloc(3 * beads * sizeof *f);
  ds_sop *const sop = sop_start(&o, s->molecule, s->molecules, 0, 1, s->x);
  if (CHECK_OK(ds_sop_get_forces(sop, f, &err), err)) {
    check_sum(f, beads, s->name);
    const double error = worst_force(f, expected, slack, beads);
    CHECK_MSG(error <= 1.0, "%s, %s: forces are off by %g bounds", s->name, sop_name(&o), error);
    *worst = fmax(*worst, error);
  }
  if (CHECK_OK(ds_sop_energy(sop, &e, each, &err), err)) {
    check_energies(&e, energies, beads, s->name);
    check_each(&e, each, s->molecules, s->name);
    check_intact(sop, each, s->molecules, s->name);
  }
  ds_sop_close(sop);
  free(each);
  free(f);
}

static void check_setting(setting *s)
{
  const ds_sop_topology *const t = &s->molecule->topology;
  const size_t beads = beads_of(s);
  double *const f = test_alloc(3 * beads * sizeof *f), *const slack = test_alloc(beads * 8);
  const double cutoff = s->cutoff > 0.0 ? s->cutoff : 3.0 * t->parameters.sigma;
  ds_sop_energies e;
  double worst = 0.0;
  sop_to_grid(t, s->x, beads);
  sop_reference(s->molecule, s->molecules, s->inter, cutoff, s->x, f, slack, &e);
  for (int v = 0; v < variants.n; v++)
    for (int k = 0; k < SCHEMES; k++) {
      ds_sop_options o = variants.options[v];
      o.scheme = scheme[k];
      o.inter = s->inter;
      o.cutoff = s->cutoff;
      if (!sop_takes(&o, s->molecule)) continue;
      check_variant(s, o, f, slack, &e, &worst);
    }
  CHECK_BOUND(worst, 1.0, s->name);
  free(f);
  free(slack);
}

/* ------------------------------------------------------------------------------------- molecules */

static void one(const char *name, const test_molecule *m, int molecules, double apart, int inter,
                double cutoff, double shake)
{
  setting s = {name, m, molecules, inter, cutoff, sop_copies(m, molecules, 0, apart)};
  sop_shake(s.x, beads_of(&s), shake, 77);
  check_setting(&s);
  free(s.x);
}

static void test_proteins(void)
{
  test_molecule m;
  molecule_ubiquitin(&m);
  one("ubiquitin, native", &m, 1, 0.0, 0, 0.0, 0.0);
  one("ubiquitin, shaken, 19 copies", &m, 19, 30.0, 0, 0.0, 0.25);
  one("ubiquitin, one within another, without inter", &m, 3, 1.0, 0, 0.0, 0.2);
  one("ubiquitin, neighbors", &m, 2, 40.0, 1, 0.0, 0.2);
  one("ubiquitin, a cutoff of 7", &m, 4, 36.0, 1, 7.0, 0.2);
  one("ubiquitin, a cutoff of 30", &m, 2, 60.0, 1, 30.0, 0.2);
  molecule_close(&m);
}

/* Molecules of 192 beads and more have their pairs from the neighbor engine. */
static void test_sizes(void)
{
  static const int size[] = {1, 2, 3, 50, 191, 192, 193, 400, 1500};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    test_molecule m;
    char name[80];
    if (size[k] > 400 && check_brief()) continue;
    molecule_folded(&m, size[k], 100 + k);
    snprintf(name, sizeof name, "folded, %d beads", size[k]);
    one(name, &m, 1, 0.0, 0, 0.0, 0.15);
    snprintf(name, sizeof name, "folded, 5 of %d beads, inter", size[k]);
    if (size[k] <= 400) one(name, &m, 5, 150.0, 1, 0.0, 0.15);
    snprintf(name, sizeof name, "folded, 3 of %d beads at the same place", size[k]);
    if (size[k] <= 400) one(name, &m, 3, 0.0, 0, 0.0, 0.15);
    molecule_close(&m);
  }
}

/* Stretched, the longest reaches beyond 16384 angstrom, where coordinates wrap. */
static void test_long_chains(void)
{
  static const int size[] = {60, 300, 3000, 4500};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    test_molecule m;
    char name[80];
    if (size[k] > 300 && check_brief()) continue;
    molecule_chain(&m, size[k], 200 + k);
    snprintf(name, sizeof name, "stretched, %d beads", size[k]);
    one(name, &m, 1, 0.0, 0, 20.0, 0.1);
    molecule_close(&m);
  }
}

/* Not at the origin, and far from each other. */
static void test_far(void)
{
  test_molecule m;
  molecule_folded(&m, 70, 300);
  setting s = {"folded, 1e6 angstrom from the origin", &m, 6, 1, 0.0, sop_copies(&m, 6, 0, 35.0)};
  for (size_t k = 0; k < 3 * beads_of(&s); k++) s.x[k] += k % 3 == 0 ? 1e6 : -2e6;
  check_setting(&s);
  free(s.x);
  one("folded, 1600 angstrom from each other", &m, 6, 1600.0, 1, 0.0, 0.1);
  one("folded, without inter 1e5 angstrom from each other", &m, 6, 1e5, 0, 0.0, 0.1);
  molecule_close(&m);
}

/* Values of their own of bonds and contacts; angles that have a contact, or a bond missing. */
static void test_own_values(void)
{
  test_molecule m;
  molecule_folded(&m, 90, 301);
  ds_sop_topology *const t = &m.topology;
  t->parameters.eps_a = 0.7;
  t->parameters.sigma_a = 4.4;
  t->parameters.eps_r = 0.2;
  for (int k = 0; k < t->bonds; k++) {
    t->bond[k].k = 5.0 + k % 7;
    t->bond[k].R0 = 1.5 + 0.1 * (k % 5);
  }
  for (int k = 0; k < t->contacts; k++) t->contact[k].eps = 0.25 * (k % 6);
  t->bond[40] = t->bond[--t->bonds]; /* two chains, or three */
  t->contact[3].i = 10;
  t->contact[3].j = 12;
  t->contact[3].r0 = 6.9;
  one("own values, a contact of i and i+2, a bond missing", &m, 3, 50.0, 1, 0.0, 0.1);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------ force and energy together */

/* Moving a bead by some units of coordinates changes the energy by the force along the way. The energy is summed in units
   of 2^-17 that of force, so with steps of 64 units its slope is known to about n 2^-7 units of force for n pairs, and
   the middle of the way is right to the third derivative times its square. */
static void test_slope(const ds_sop_options *o, const test_molecule *m)
{
  const sop_units u = sop_units_of(&m->topology);
  const double h = 256.0 * u.coordinate;
  const size_t n = (size_t) m->topology.beads;
  double *const x = sop_copies(m, 1, 0, 0.0), *const f = test_alloc(3 * n * sizeof *f);
  double worst = 0.0;
  ds_error err;
  sop_shake(x, n, 0.1, 5);
  sop_to_grid(&m->topology, x, n);
  ds_sop *const sop = sop_start(o, m, 1, 0, 1, x);
  CHECK_OK(ds_sop_get_forces(sop, f, &err), err);
  for (size_t k = 0; k < 3 * n; k += 7) {
    double e[2];
    const double at = x[k];
    for (int side = 0; side < 2; side++) {
      ds_sop_energies s;
      x[k] = at + (side ? h : -h);
      CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
      CHECK_OK(ds_sop_energy(sop, &s, NULL, &err), err);
      e[side] = s.bonds + s.native + s.other + s.angles;
    }
    x[k] = at;
    worst = fmax(worst, fabs(-(e[1] - e[0]) / (2.0 * h) - f[k]));
  }
  CHECK_BOUND(worst, 1e-3, "slope of the energy against forces, kcal/mol/angstrom");
  ds_sop_close(sop);
  free(x);
  free(f);
}

static void test_slopes(void)
{
  test_molecule m;
  ds_sop_options o = variants.options[0];
  molecule_ubiquitin(&m);
  o.cutoff = 40.0; /* no pair passes it on the way */
  test_slope(&o, &m);
  molecule_close(&m);
}

/* A contact whose length is 1.2 r0 to some units of coordinates: it is counted alone as with energies, after positions that
   differ by one unit, too. */
static void test_limit_of_contacts(void)
{
  enum { UNITS = 4 };
  test_molecule m;
  ds_sop_options o = variants.options[variants.n - 1];
  ds_error err;
  int whole = 0;
  molecule_ghosts(&m, 2);
  m.topology.contacts = 1;
  m.topology.contact = test_alloc(sizeof *m.topology.contact);
  for (int k = 0; k < 40; k++) {
    const double r0 = 4.0 + 0.05 * k, unit = sop_units_of(&m.topology).coordinate;
    const ds_sop_contact_row row = {.i = 0, .j = 1, .r0 = r0, .eps = 1.0};
    double x[6] = {0.0, 0.25 * k, 0.0, 0.0, 0.25 * k, 0.0};
    m.topology.contact[0] = row;
    ds_sop *const sop = sop_start(&o, &m, 1, 0, 1, x);
    for (int d = -UNITS; d <= UNITS; d++) {
      ds_sop_energies e;
      int64_t intact = -1;
      x[3] = unit * (floor(1.2 * r0 / unit) + d);
      CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
      CHECK_OK(ds_sop_intact(sop, &intact, &err), err);
      CHECK_OK(ds_sop_energy(sop, &e, NULL, &err), err);
      CHECK(intact == e.intact && (d == 0 || intact == (d < 0)));
      whole += intact == 1;
    }
    ds_sop_close(sop);
  }
  CHECK(whole >= 40 * UNITS);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_proteins());
  CHECK_CASE(test_sizes());
  CHECK_CASE(test_long_chains());
  CHECK_CASE(test_far());
  CHECK_CASE(test_own_values());
  CHECK_CASE(test_slopes());
  CHECK_CASE(test_limit_of_contacts());
  return check_result();
}
