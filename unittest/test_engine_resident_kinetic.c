/* test_engine_resident_kinetic.c: kinetic terms of atoms that stay with the engine are those of the step in which they
   were taken, while steps go on; arguments that are not allowed.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_resident_kinetic cuda" makes the same checks on the GPU. */
#include "support/atoms_of_caller.h"
#include "support/expect.h"

static test_variants variants;

enum { PARTS = 6, STEPS = 4 };

static const setting settings[] = {
    {.name = "by type",
     .periodic = ALL_PERIODIC,
     .rule = {5, 0, 0, 0.0},
     .ngroups = 1,
     .group = {1}},
    {.name = "by atom", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .by_atom = 1},
};

static void run_part(ds_resident *r, const setting *s, int part, int64_t *reneighbored)
{
  ds_error err;
  ds_run_result reached;
  ds_run_request stretch;
  memset(&stretch, 0, sizeof stretch);
  stretch.first = part * STEPS + 1;
  stretch.last = (part + 1) * STEPS;
  stretch.reneighbored = *reneighbored;
  stretch.rule = s->rule;
  stretch.hand_over = INT64_MAX;
  CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err);
  CHECK(reached.whole);
  *reneighbored = reached.reneighbored;
}

static double expected_term(const atoms *a, const setting *s, int i)
{
  const double *const v = a->v + 3 * i;
  volatile double x2 = product_sum(v[0], v[0], v[1] * v[1]);
  volatile double all = product_sum(v[2], v[2], x2);
  return all * mass_of(a, s, i);
}

static void check_terms(const ds_resident *r, int set, const double *expected, const char *where)
{
  const double *terms = NULL;
  ds_error err;
  if (!CHECK_OK(ds_resident_kinetic(r, set, &terms, &err), err)) return;
  int other = 0;
  for (int i = 0; i < ATOMS; i++) other += !(terms[i] == expected[i]);
  CHECK_MSG(other == 0, "%s: %d of %d terms differ", where, other, ATOMS);
}

/* A set is read when the steps behind it have been made. */
static void test_terms(const setting *s, const ds_pair_options *options, int own_copies)
{
  atoms shown, moved;
  ds_error err;
  int64_t reneighbored[2] = {0, 0};
  double expected[2][ATOMS];
  atoms_open(&shown, ATOMS);
  atoms_open(&moved, ATOMS);
  atoms_fill(&shown, s, 77);
  atoms_copy(&moved, &shown);
  ds_pair *const p = pair_of(options, DS_PRECISION_MIXED, s, &shown);
  ds_pair *const q = pair_of(options, DS_PRECISION_MIXED, s, &moved);
  ds_resident *const r = resident_in(p, &shown, s, own_copies), *const t =
                                                               resident_in(q, &moved, s, own_copies);
  for (int part = 0; part < PARTS; part++) {
    run_part(r, s, part, &reneighbored[0]);
    CHECK_OK(ds_resident_to_host(r, DS_VELOCITY, &err), err);
    for (int i = 0; i < ATOMS; i++) expected[part % 2][i] = expected_term(&shown, s, i);
    run_part(t, s, part, &reneighbored[1]);
    CHECK_OK(ds_resident_take_kinetic(t, part % 2, &err), err);
    if (part) check_terms(t, (part - 1) % 2, expected[(part - 1) % 2], s->name);
  }
  check_terms(t, (PARTS - 1) % 2, expected[(PARTS - 1) % 2], s->name);
  ds_resident_close(r);
  ds_resident_close(t);
  ds_pair_close(p);
  ds_pair_close(q);
  atoms_close(&shown);
  atoms_close(&moved);
}

static void test_errors(const ds_pair_options *options)
{
  const setting *const s = &settings[0];
  const double *terms;
  atoms a;
  ds_error err;
  atoms_open(&a, ATOMS);
  atoms_fill(&a, s, 77);
  ds_pair *const p = pair_of(options, DS_PRECISION_MIXED, s, &a);
  ds_resident *const r = resident_of(p, &a, s);
  EXPECT(ds_resident_take_kinetic(r, 2, &err), err, DS_ERR_ARGUMENT, "set 2|0 and 1");
  EXPECT(ds_resident_take_kinetic(r, -1, &err), err, DS_ERR_ARGUMENT, "set -1|0 and 1");
  EXPECT(ds_resident_kinetic(r, 1, &terms, &err), err, DS_ERR_ARGUMENT, "set 1|not been taken");
  CHECK_OK(ds_resident_take_kinetic(r, 1, &err), err);
  CHECK_OK(ds_resident_kinetic(r, 1, &terms, &err), err);
  EXPECT(ds_resident_kinetic(r, 0, &terms, &err), err, DS_ERR_ARGUMENT, "set 0|not been taken");
  const ds_resident_atoms again = fields_of(&a, s);
  CHECK_OK(ds_resident_set_atoms(r, &again, &err), err);
  EXPECT(ds_resident_kinetic(r, 1, &terms, &err), err, DS_ERR_ARGUMENT, "set 1|not been taken");
  ds_resident_close(r);
  ds_pair_close(p);
  atoms_close(&a);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  for (int v = 0; v < variants.n; v++) {
    for (int k = 0; k < 2; k++)
      for (int own_copies = 0; own_copies < 2; own_copies++) test_terms(&settings[k], &variants.options[v], own_copies);
    test_errors(&variants.options[v]);
  }
  return check_result();
}
