/* chains_of_caller.h: a fluid with chains, and steps of it that a caller makes himself or lets the engine make.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_CHAINS_OF_CALLER_H
#define DPDSOP_TEST_CHAINS_OF_CALLER_H

#include "support/bonds_of_caller.h"

enum { CHAINS = 70, BEADS = 8, CORNERS = 8 };

/* ------------------------------------------------------------------------------------------- molecules */

/* The last type of each is for members that may be anywhere. */
CHECK_HELPER const ds_bonded_type
    harmonic_bonds[5] = {{.k = 0}, {.k = 35, .at = 0.5}, {.k = 50, .at = 0.7}, {.k = 0.3, .at = 2.5}, {.k = 0}},
    fene_bonds[5] = {{.k = 0},
                     {.k = 30, .at = 1.5, .epsilon = 1.0, .sigma = 0.6},
                     {.k = 25, .at = 2.5, .epsilon = 0.7, .sigma = 0.5},
                     {.k = 0.5, .at = 15.0, .epsilon = 0.2, .sigma = 0.5},
                     {.k = 0}},
    both_angles[5] = {{.k = 0}, {.k = 1, .at = 2.9}, {.k = 2, .at = 2.1}, {.k = 0.2, .at = 1.0}, {.k = 0}},
    fourier_dihedrals[5] = {{.k = 0},
                            {.k = 1.5, .multiplicity = 3, .cosine = -1},
                            {.k = 2, .multiplicity = 2, .cosine = 0.6, .sine = 0.8},
                            {.k = 0.1, .multiplicity = 0, .cosine = 1},
                            {.k = 0.2, .multiplicity = 1, .cosine = 0.8, .sine = -0.6}},
    opls_dihedrals[5] = {{.k = 0},
                         {.k = 0.5, .k2 = -0.7, .k3 = 1.1, .k4 = 0.2},
                         {.k = -1, .k2 = 0.3, .k4 = 0.4},
                         {.k = 0.1, .k3 = 0.1},
                         {.k2 = 0.1}},
    harmonic_impropers[5] = {{.k = 0}, {.k = 1, .at = 0.3}, {.k = 2, .at = 2.5}, {.k = 0.1, .at = 1}, {.k = 0.1, .at = 0}};

CHECK_HELPER void put_inside(const setting *s, double x[3])
{
  for (int d = 0; d < 3; d++) {
    const double span = 0.94 * edge[d], from = low[d] + 0.03 * edge[d];
    if (!s->periodic[d] && x[d] < from) x[d] = 2.0 * from - x[d];
    if (!s->periodic[d] && x[d] > from + span) x[d] = 2.0 * (from + span) - x[d];
    if (s->periodic[d] && x[d] < low[d]) x[d] += edge[d];
    if (s->periodic[d] && x[d] >= low[d] + edge[d]) x[d] -= edge[d];
  }
}

/* Random walks. The first of them begin near the corners of the box. */
CHECK_HELPER void lay_chains(atoms *a, const setting *s, uint64_t seed)
{
  for (int c = 0; c < CHAINS; c++) {
    double at[3], step[3];
    for (int d = 0; d < 3; d++) {
      const double in = 0.35 + 0.1 * check_uniform(&seed);
      const double corner = c >> d & 1 ? low[d] + edge[d] - in : low[d] + in;
      at[d] = c < CORNERS ? corner : low[d] + edge[d] * check_uniform(&seed);
    }
    for (int i = 0; i < BEADS; i++) {
      put_inside(s, at);
      memcpy(a->x + 3 * (BEADS * c + i), at, sizeof at);
      for (int d = 0; d < 3; d++) step[d] = random_normal(&seed);
      const double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
      for (int d = 0; d < 3; d++) at[d] += 0.6 / length * step[d];
    }
  }
}

/* Chains in an order of their own, which tie their beads in either direction; and one atom at a corner that is tied to
   those at all others, so that images of it act, too. */
CHECK_HELPER void tie_chains(bonds *b)
{
  for (int k = 0; k < CHAINS; k++) {
    const int first = BEADS * (37 * k % CHAINS);
    for (int i = first; i < first + BEADS - 1; i++) {
      const int back = (i + k) % 3 == 0;
      add_bond(b, back ? i + 1 : i, back ? i : i + 1, 1 + i % 2);
      if (i > first) add_angle(b, back ? i + 1 : i - 1, i, back ? i - 1 : i + 1, 1 + k % 2);
      const int four[4] = {back ? i + 1 : i - 2, back ? i : i - 1, back ? i - 1 : i, back ? i - 2 : i + 1};
      if (i > first + 1) add_torsion(b, 0, four, 1 + k % 2);
      if (i > first + 1 && k % 3) add_torsion(b, 1, four, 1 + i % 2);
    }
  }
  for (int c = 1; c < CORNERS; c++) {
    add_bond(b, c % 2 ? 0 : BEADS * c, c % 2 ? BEADS * c : 0, 3);
    add_angle(b, BEADS * c, 0, BEADS * (CORNERS - c) + 1, 3);
    add_angle(b, 0, BEADS * c, BEADS * c + 1, 1);
    const int four[4] = {BEADS * (CORNERS - c) + 1, BEADS * c + 2, 0, BEADS * c + 1};
    for (int kind = 0; kind < 2; kind++) add_torsion(b, kind, four, 3);
  }
}

CHECK_HELPER void set_styles(bonds *b, int bond_style, int angle_style)
{
  b->given.bonds.style = bond_style;
  b->given.angles.style = angle_style;
  for (int t = 0; t < 5; t++) {
    b->bond_type[t] = bond_style == DS_BOND_STYLE_FENE ? fene_bonds[t] : harmonic_bonds[t];
    b->angle_type[t] = both_angles[t];
  }
}

CHECK_HELPER void set_torsions(bonds *b, int dihedral_style, int improper_style)
{
  b->given.dihedrals.style = dihedral_style;
  b->given.impropers.style = improper_style;
  for (int t = 0; t < 5; t++) {
    b->torsion_type[0][t] = dihedral_style == DS_DIHEDRAL_STYLE_FOURIER ? fourier_dihedrals[t] : opls_dihedrals[t];
    b->torsion_type[1][t] = harmonic_impropers[t];
  }
}

CHECK_HELPER void check_sum(const ds_bonded_sum *got, const ds_bonded_sum *expected,
                            const char *what, const char *where)
{
  double size = fabs(expected->energy);
  for (int k = 0; k < 3; k++) size += fabs(expected->virial[k]);
  CHECK_MSG(fabs(got->energy - expected->energy) <= 1e-12 * size, "%s, %s: energy %.17g, expected %.17g", where, what,
            got->energy, expected->energy);
  for (int k = 0; k < 6; k++)
    CHECK_MSG(fabs(got->virial[k] - expected->virial[k]) <= 1e-12 * size, "%s, %s: virial %d %.17g, expected %.17g",
              where, what, k, got->virial[k], expected->virial[k]);
}

CHECK_HELPER void check_sums(const ds_bonded_sums *got, const ds_bonded_sums *expected,
                             const char *where)
{
  check_sum(&got->bonds, &expected->bonds, "bonds", where);
  check_sum(&got->angles, &expected->angles, "angles", where);
  check_sum(&got->dihedrals, &expected->dihedrals, "dihedrals", where);
  check_sum(&got->impropers, &expected->impropers, "impropers", where);
}

/* ----------------------------------------------------------------------------------------- trajectories */

typedef struct {
  setting s;
  int bond_style, angle_style, shared;
} run_setup;

/* What the caller has at the end. */
typedef struct {
  int reneighborings, dangerous;
  int64_t reneighbored;
  ds_bonded_sums sums;
} rebuild_counts;

/* The first half of a step, and its rebuild. */
CHECK_HELPER int caller_begins(atoms *a, bonds *b, const run_setup *c, int64_t step, rebuild_counts *t)
{
  const setting *const s = &c->s;
  caller_kicks(a, s, 1);
  const int64_t age = step - t->reneighbored;
  int reneighbor = age >= s->rule.delay && age % s->rule.every == 0;
  if (reneighbor && s->rule.check) reneighbor = caller_sees_movement(a, s);
  if (!reneighbor) return 0;
  caller_wraps(a, s);
  bonds_reneighbor(b, a);
  t->reneighborings++;
  t->dangerous +=
      s->rule.check && age == (s->rule.every > s->rule.delay ? s->rule.every : s->rule.delay);
  t->reneighbored = step;
  return 1;
}

/* Up to the last step, or to the first half of that in which a bond is too long, which is returned. */
CHECK_HELPER int64_t caller_runs(ds_pair *pair, atoms *a, bonds *b, const run_setup *c, int64_t first,
                                 int64_t last, rebuild_counts *t)
{
  ds_pair_totals totals;
  ds_error err;
  for (int64_t step = first; step <= last; step++) {
    const int reneighbor = caller_begins(a, b, c, step, t);
    CHECK_OK(caller_forces(pair, a, step, reneighbor, &totals, &err), err);
    bonds_forces(b, a, &t->sums);
    if (b->too_long) return step;
    caller_kicks(a, &c->s, 0);
  }
  return last + 1;
}

/* What a trajectory needs, on either side. */
typedef struct {
  atoms ours, theirs;
  bonds b;
  ds_pair *pair, *reference;
  ds_resident *r;
  rebuild_counts expected;
} run_pair;

CHECK_HELPER void run_pair_open(run_pair *o, const run_setup *c, const ds_pair_options *options,
                            ds_precision precision, int own_copies, void (*more)(run_pair *o))
{
  static const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1};
  const ds_step_program steps = steps_of(&c->s);
  ds_pair_totals totals;
  ds_error err;
  memset(o, 0, sizeof *o);
  atoms_open(&o->theirs, ATOMS);
  atoms_open(&o->ours, ATOMS);
  atoms_fill(&o->theirs, &c->s, 77);
  lay_chains(&o->theirs, &c->s, 41);
  bonds_open(&o->b, &c->s);
  o->b.given.shared = c->shared;
  for (int d = 0; d < 3; d++) o->b.given.reach[d] = 1.3;
  set_styles(&o->b, c->bond_style, c->angle_style);
  tie_chains(&o->b);
  if (more) more(o);
  o->reference = pair_of(&plain, precision, &c->s, &o->theirs);
  caller_wraps(&o->theirs, &c->s);
  bonds_reneighbor(&o->b, &o->theirs);
  CHECK_OK(caller_forces(o->reference, &o->theirs, 5, 1, &totals, &err), err);
  bonds_forces(&o->b, &o->theirs, &o->expected.sums);
  o->expected.reneighbored = 5;
  atoms_copy(&o->ours, &o->theirs);
  o->pair = pair_of(options, precision, &c->s, &o->ours);
  o->r = resident_in(o->pair, &o->ours, &c->s, own_copies);
  CHECK_OK(ds_resident_set_steps(o->r, &steps, &err), err);
  CHECK_OK(ds_resident_set_bonded(o->r, &o->b.given, &err), err);
}

CHECK_HELPER void run_pair_close(run_pair *o)
{
  ds_resident_close(o->r);
  ds_pair_close(o->pair);
  ds_pair_close(o->reference);
  bonds_close(&o->b);
  atoms_close(&o->ours);
  atoms_close(&o->theirs);
}

CHECK_HELPER ds_run_request stretch_of(const run_setup *c, int64_t first, int64_t last, int64_t reneighbored)
{
  ds_run_request stretch;
  memset(&stretch, 0, sizeof stretch);
  stretch.first = first;
  stretch.last = last;
  stretch.reneighbored = reneighbored;
  stretch.rule = c->s.rule;
  stretch.hand_over = INT64_MAX;
  return stretch;
}

CHECK_HELPER void check_rebuild_counts(const rebuild_counts *got, const rebuild_counts *expected, const char *where)
{
  CHECK_MSG(got->reneighborings == expected->reneighborings && got->dangerous == expected->dangerous &&
                got->reneighbored == expected->reneighbored,
            "%s: %d rebuilds, %d dangerous, the last in step %lld; expected %d, %d, %lld", where,
            got->reneighborings, got->dangerous, (long long) got->reneighbored, expected->reneighborings,
            expected->dangerous, (long long) expected->reneighbored);
}

/* One stretch, and how it is counted. */
CHECK_HELPER void engine_goes(run_pair *o, const ds_run_request *stretch, ds_run_result *reached, rebuild_counts *t)
{
  ds_error err;
  CHECK_OK(ds_resident_run(o->r, stretch, reached, &err), err);
  t->reneighborings += (int) reached->reneighborings;
  t->dangerous += (int) reached->dangerous;
  t->reneighbored = reached->reneighbored;
}

#endif
