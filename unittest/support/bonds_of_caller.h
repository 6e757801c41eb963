/* bonds_of_caller.h: bonds, angles, dihedrals and impropers as LAMMPS makes them, step by step and without a thought for speed:
   copies of atoms across the borders, lists of terms between nearest copies, forces added up term by term, and those on copies
   returned.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_BONDS_OF_CALLER_H
#define DPDSOP_TEST_BONDS_OF_CALLER_H

#include "dpdsop/device/torsion.h"

#include "support/sorts_of_caller.h"

enum { EXCHANGES = 6, MAX_COPIES = 27 * ATOMS, MAX_TERMS = 4 * ATOMS };

/* Atoms, then copies of them. Of exchange k there are those from first[k] to first[k + 1] - 1. */
typedef struct {
  int first[EXCHANGES + 1];
  int *source; /* what a copy is a copy of, maybe a copy itself */
  int *atom;   /* and the atom at the end */
  int *next;   /* the next copy of the same atom; 0: none */
  double *x, *f;
} copies;

/* Terms between atoms or copies, as they act. */
typedef struct {
  int n;
  int *member; /* members, then the type */
} acting;

typedef struct {
  ds_bonded given;       /* what the engine gets */
  int32_t *bond, *angle; /* its arrays */
  int32_t *torsion[2]; /* dihedrals, impropers */
  ds_bonded_type bond_type[5], angle_type[5], torsion_type[2][5];
  copies near;
  acting bonds, angles, torsions[2];
  int too_long;    /* some fene bond is longer than LAMMPS lets pass without a word */
  int crossing[4]; /* terms of which a member is a copy, shifted along so many axes */
  double edge[3];
  int periodic[3];
} bonds;

CHECK_HELPER ds_terms *torsions_given(bonds *b, int is_improper)
{
  return is_improper ? &b->given.impropers : &b->given.dihedrals;
}

CHECK_HELPER void bonds_open(bonds *b, const setting *s)
{
  memset(b, 0, sizeof *b);
  b->bond = test_alloc(3 * sizeof(int32_t) * MAX_TERMS);
  b->angle = test_alloc(5 * sizeof(int32_t) * MAX_TERMS);
  b->bonds.member = test_alloc(3 * sizeof(int) * MAX_TERMS);
  b->angles.member = test_alloc(4 * sizeof(int) * MAX_TERMS);
  for (int k = 0; k < 2; k++) {
    ds_terms *const given = torsions_given(b, k);
    b->torsion[k] = test_alloc(6 * sizeof(int32_t) * MAX_TERMS);
    b->torsions[k].member = test_alloc(5 * sizeof(int) * MAX_TERMS);
    given->member = b->torsion[k];
    given->type = b->torsion_type[k];
    given->ntypes = 4;
  }
  b->near.source = test_alloc(sizeof(int) * MAX_COPIES);
  b->near.atom = test_alloc(sizeof(int) * MAX_COPIES);
  b->near.next = test_alloc(sizeof(int) * MAX_COPIES);
  b->near.x = test_alloc(3 * sizeof(double) * MAX_COPIES);
  b->near.f = test_alloc(3 * sizeof(double) * MAX_COPIES);
  memcpy(b->edge, edge, sizeof edge);
  memcpy(b->periodic, s->periodic, sizeof s->periodic);
  b->given.bonds.member = b->bond;
  b->given.angles.member = b->angle;
  b->given.bonds.type = b->bond_type;
  b->given.angles.type = b->angle_type;
  b->given.bonds.ntypes = b->given.angles.ntypes = 4;
  b->given.unit = 4.0;
}

CHECK_HELPER void bonds_close(bonds *b)
{
  free(b->bond), free(b->angle), free(b->bonds.member), free(b->angles.member);
  for (int k = 0; k < 2; k++) free(b->torsion[k]), free(b->torsions[k].member);
  free(b->near.source), free(b->near.atom), free(b->near.next), free(b->near.x), free(b->near.f);
}

/* ------------------------------------------------------------------------------------ what is given */

/* Once where terms are shared, else once for each member; of an angle the atom in the middle is the owner. */
CHECK_HELPER void add_bond(bonds *b, int i, int j, int type)
{
  const int both[2] = {i, j};
  for (int m = 0; m < (b->given.shared ? 1 : 2); m++) {
    const int32_t term[3] = {both[m], both[1 - m], type};
    memcpy(b->bond + 3 * b->given.bonds.n++, term, sizeof term);
  }
}

CHECK_HELPER void add_angle(bonds *b, int i, int j, int k, int type)
{
  const int all[3] = {j, i, k};
  for (int m = 0; m < (b->given.shared ? 1 : 3); m++) {
    const int32_t term[5] = {all[m], i, j, k, type};
    memcpy(b->angle + 5 * b->given.angles.n++, term, sizeof term);
  }
}

/* The second atom is the owner. */
CHECK_HELPER void add_torsion(bonds *b, int is_improper, const int four[4], int type)
{
  const int all[4] = {four[1], four[0], four[2], four[3]};
  for (int m = 0; m < (b->given.shared ? 1 : 4); m++) {
    const int32_t term[6] = {all[m], four[0], four[1], four[2], four[3], type};
    memcpy(b->torsion[is_improper] + 6 * torsions_given(b, is_improper)->n++, term, sizeof term);
  }
}

/* Terms of atoms that have been put in these places: LAMMPS lists them atom by atom, those of one atom as they were. */
CHECK_HELPER void sort_terms(int32_t *member, int n, int size, const int *now, int natoms)
{
  int32_t *const before = test_alloc(sizeof(int32_t) * (size_t) (size * n + 1)), *to = member;
  memcpy(before, member, sizeof(int32_t) * (size_t) (size * n));
  for (int i = 0; i < natoms; i++)
    for (int k = 0; k < n; k++) {
      const int32_t *const term = before + size * k;
      if (now[term[0]] != i) continue;
      for (int m = 0; m < size - 1; m++) to[m] = now[term[m]];
      to[size - 1] = term[size - 1];
      to += size;
    }
  free(before);
}

CHECK_HELPER void bonds_sort(bonds *b, const place *p, int natoms)
{
  int now[ATOMS];
  for (int i = 0; i < natoms; i++) now[p[i].index] = i;
  sort_terms(b->bond, b->given.bonds.n, 3, now, natoms);
  sort_terms(b->angle, b->given.angles.n, 5, now, natoms);
  for (int k = 0; k < 2; k++) sort_terms(b->torsion[k], torsions_given(b, k)->n, 6, now, natoms);
}

/* ------------------------------------------------------------------------------------ copies of atoms */

CHECK_HELPER int axis_of(int exchange)
{
  return exchange / 2;
}

/* Atoms at the lower border go to the lower neighbor, and are above the box there. */
CHECK_HELPER double shift_of(const bonds *b, int exchange)
{
  return (exchange % 2 ? -1.0 : 1.0) * b->edge[axis_of(exchange)];
}

CHECK_HELPER void copies_follow(bonds *b, const atoms *a)
{
  copies *const c = &b->near;
  memcpy(c->x, a->x, 24 * (size_t) a->n);
  for (int k = 0; k < EXCHANGES; k++)
    for (int i = c->first[k]; i < c->first[k + 1]; i++) {
      memcpy(c->x + 3 * i, c->x + 3 * c->source[i], 24);
      c->x[3 * i + axis_of(k)] += shift_of(b, k);
    }
}

/* Copies of an atom behind those that it has. */
CHECK_HELPER void add_copy(copies *c, int of, int n)
{
  int last = c->atom[of];
  while (c->next[last]) last = c->next[last];
  c->next[last] = n;
  c->next[n] = 0;
  c->source[n] = of;
  c->atom[n] = c->atom[of];
}

CHECK_HELPER void copies_find(bonds *b, const atoms *a)
{
  copies *const c = &b->near;
  int n = a->n, candidates = 0;
  for (int i = 0; i < n; i++) c->atom[i] = i;
  memset(c->next, 0, sizeof(int) * (size_t) n);
  memcpy(c->x, a->x, 24 * (size_t) n);
  for (int k = 0; k < EXCHANGES; k++) {
    const int d = axis_of(k);
    const double reach = b->given.reach[d];
    if (k % 2 == 0) candidates = n;
    c->first[k] = n;
    for (int i = 0; i < candidates && b->periodic[d]; i++) {
      const double x = c->x[3 * i + d];
      if (k % 2 ? x < low[d] + edge[d] - reach : x > low[d] + reach) continue;
      memcpy(c->x + 3 * n, c->x + 3 * i, 24);
      c->x[3 * n + d] += shift_of(b, k);
      add_copy(c, i, n++);
    }
  }
  c->first[EXCHANGES] = n;
}

CHECK_HELPER void return_forces(bonds *b, atoms *a)
{
  copies *const c = &b->near;
  for (int k = EXCHANGES - 1; k >= 0; k--)
    for (int i = c->first[k]; i < c->first[k + 1]; i++)
      for (int d = 0; d < 3; d++) c->f[3 * c->source[i] + d] += c->f[3 * i + d];
  memcpy(a->f, c->f, 24 * (size_t) a->n);
}

/* ------------------------------------------------------------------------------------------ the lists */

CHECK_HELPER double square_of(const double d[3])
{
  return product_sum(d[2], d[2], product_sum(d[0], d[0], d[1] * d[1]));
}

/* The atom itself, if no copy is nearer. */
CHECK_HELPER int closest_to(const bonds *b, int owner, int atom)
{
  const copies *const c = &b->near;
  int closest = atom, i = atom;
  double least = INFINITY;
  do {
    double way[3];
    for (int d = 0; d < 3; d++) way[d] = c->x[3 * owner + d] - c->x[3 * i + d];
    const double r2 = square_of(way);
    if (r2 < least) closest = i;
    least = fmin(least, r2);
    i = c->next[i];
  } while (i);
  return closest;
}

CHECK_HELPER void count_crossing(bonds *b, const int *member, int members)
{
  int most = 0;
  for (int m = 0; m < members; m++) {
    int shifts = 0;
    for (int i = member[m]; i >= b->near.first[0]; i = b->near.source[i]) shifts++;
    most = shifts > most ? shifts : most;
  }
  b->crossing[most]++;
}

/* `term`: members and type. Where terms are not shared, a term acts in the list of that of its own atoms which comes
   first; copies come behind all atoms. */
CHECK_HELPER void list_term(bonds *b, acting *list, int owner, const int32_t *term, int members)
{
  int *const to = list->member + (members + 1) * list->n;
  int first = 1;
  for (int m = 0; m < members; m++) {
    to[m] = closest_to(b, owner, term[m]);
    first = first && owner <= to[m];
  }
  to[members] = term[members];
  if (!b->given.shared && !first) return;
  count_crossing(b, to, members);
  list->n++;
}

/* For positions as they are: where lists are rebuilt, after the wrap. */
CHECK_HELPER void bonds_reneighbor(bonds *b, const atoms *a)
{
  copies_find(b, a);
  b->bonds.n = b->angles.n = b->torsions[0].n = b->torsions[1].n = 0;
  memset(b->crossing, 0, sizeof b->crossing);
  for (int k = 0; k < b->given.bonds.n && b->given.bonds.style; k++)
    list_term(b, &b->bonds, b->bond[3 * k], b->bond + 3 * k, 2);
  for (int k = 0; k < b->given.angles.n && b->given.angles.style; k++)
    list_term(b, &b->angles, b->angle[5 * k], b->angle + 5 * k + 1, 3);
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < torsions_given(b, t)->n && torsions_given(b, t)->style; k++)
      list_term(b, &b->torsions[t], b->torsion[t][6 * k], b->torsion[t] + 6 * k + 1, 4);
}

/* --------------------------------------------------------------------------------------------- forces */

CHECK_HELPER void way_from(const bonds *b, int to, int from, double way[3])
{
  for (int d = 0; d < 3; d++) way[d] = b->near.x[3 * to + d] - b->near.x[3 * from + d];
}

CHECK_HELPER int acts_on(const bonds *b, int i)
{
  return b->given.shared || i < b->near.first[0];
}

/* A part of energy and virial for each own atom where terms are not shared. */
CHECK_HELPER void add_sums(const bonds *b, const int *member, int members, double energy,
                           const double virial[6], ds_bonded_sum *sum)
{
  const double part = 1.0 / members, own = part * energy;
  if (b->given.shared) {
    sum->energy += energy;
    for (int k = 0; k < 6; k++) sum->virial[k] += virial[k];
    return;
  }
  for (int m = 0; m < members; m++) {
    if (!acts_on(b, member[m])) continue;
    sum->energy += own;
    for (int k = 0; k < 6; k++)
      sum->virial[k] = product_sum(part, virial[k], sum->virial[k]);
  }
}

/* Force over distance, and the energy. */
CHECK_HELPER double pull_of(bonds *b, const ds_bonded_type *t, double r2, double *energy)
{
  if (b->given.bonds.style == DS_BOND_STYLE_HARMONIC) {
    const double r = sqrt(r2), dr = r - t->at, kdr = t->k * dr;
    *energy = kdr * dr;
    return r > 0.0 ? -2.0 * kdr / r : 0.0;
  }
  const double longest2 = t->at * t->at;
  double rest = 1.0 - r2 / longest2;
  if (rest < 0.1) {
    b->too_long = 1;
    rest = 0.1;
  }
  double force = -t->k / rest;
  const double factor = -0.5 * t->k * longest2;
  *energy = factor * log(rest);
  if (r2 < 1.25992104989487316 * t->sigma * t->sigma) {
    const double s2 = t->sigma * t->sigma / r2, s6 = s2 * s2 * s2;
    force += 48.0 * t->epsilon * s6 * (s6 - 0.5) / r2;
    const double repulsion =
        product_sum(4.0 * t->epsilon * s6, s6 - 1.0, t->epsilon);
    *energy = product_sum(factor, log(rest), repulsion);
  }
  return force;
}

CHECK_HELPER void make_bond(bonds *b, const int *term, ds_bonded_sum *sum)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double way[3], virial[6], energy, *const f = b->near.f;
  way_from(b, term[0], term[1], way);
  const double force = pull_of(b, &b->bond_type[term[2]], square_of(way), &energy);
  for (int d = 0; d < 3; d++) {
    if (acts_on(b, term[0])) f[3 * term[0] + d] = product_sum(way[d], force, f[3 * term[0] + d]);
    if (acts_on(b, term[1])) f[3 * term[1] + d] = product_sum(-way[d], force, f[3 * term[1] + d]);
  }
  for (int k = 0; k < 6; k++) virial[k] = way[row[k]] * way[column[k]] * force;
  add_sums(b, term, 2, energy, virial, sum);
}

CHECK_HELPER void make_angle(bonds *b, const int *term, ds_bonded_sum *sum)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const ds_bonded_type *const t = &b->angle_type[term[3]];
  double p[3], q[3], f1[3], f3[3], virial[6], *const f = b->near.f;
  way_from(b, term[0], term[1], p);
  way_from(b, term[2], term[1], q);
  const double p2 = square_of(p), q2 = square_of(q), pq = sqrt(p2) * sqrt(q2);
  double c = product_sum(p[2], q[2], product_sum(p[0], q[0], p[1] * q[1])) / pq;
  c = c > 1.0 ? 1.0 : c < -1.0 ? -1.0 : c;
  double a = t->k, energy = t->k * (1.0 + c);
  const int style = b->given.angles.style;
  if (style != DS_ANGLE_STYLE_COSINE) {
    const double s = fmax(sqrt(product_sum(-c, c, 1.0)), 0.001);
    const double theta = style == DS_ANGLE_STYLE_HARMONIC ? acos(c) : ds_arc_cosine(c);
    const double bent = theta - t->at, kbent = t->k * bent;
    a = -2.0 * kbent * (1.0 / s);
    energy = kbent * bent;
  }
  const double a11 = a * c / p2, a12 = -a / pq, a22 = a * c / q2;
  for (int d = 0; d < 3; d++) {
    f1[d] = product_sum(a11, p[d], a12 * q[d]);
    f3[d] = product_sum(a22, q[d], a12 * p[d]);
    if (acts_on(b, term[0])) f[3 * term[0] + d] += f1[d];
    if (acts_on(b, term[1])) f[3 * term[1] + d] -= f1[d] + f3[d];
    if (acts_on(b, term[2])) f[3 * term[2] + d] += f3[d];
  }
  for (int k = 0; k < 6; k++)
    virial[k] = product_sum(p[row[k]], f1[column[k]], q[row[k]] * f3[column[k]]);
  add_sums(b, term, 3, energy, virial, sum);
}

/* Its forces are those of the engine, which test_torsions.c compares with gradients. */
CHECK_HELPER void make_torsion(bonds *b, int is_improper, const int *term, ds_bonded_sum *sum)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double way[3][3], f[4][3], virial[6];
  way_from(b, term[0], term[1], way[0]);
  way_from(b, term[2], term[1], way[1]);
  way_from(b, term[3], term[2], way[2]);
  const double energy =
      ds_torsion_forces(torsions_given(b, is_improper)->style, &b->torsion_type[is_improper][term[4]], way, f);
  for (int m = 0; m < 4; m++)
    for (int d = 0; d < 3 && acts_on(b, term[m]); d++) b->near.f[3 * term[m] + d] += f[m][d];
  for (int k = 0; k < 6; k++)
    virial[k] = way[0][row[k]] * f[0][column[k]] + way[1][row[k]] * f[2][column[k]] +
                (way[2][row[k]] + way[1][row[k]]) * f[3][column[k]];
  add_sums(b, term, 4, energy, virial, sum);
}

/* Added to the forces of the atoms. */
CHECK_HELPER void bonds_forces(bonds *b, atoms *a, ds_bonded_sums *sums)
{
  copies *const c = &b->near;
  copies_follow(b, a);
  memset(c->f, 0, 24 * (size_t) c->first[EXCHANGES]);
  memcpy(c->f, a->f, 24 * (size_t) a->n);
  memset(sums, 0, sizeof *sums);
  b->too_long = 0;
  for (int k = 0; k < b->bonds.n; k++) make_bond(b, b->bonds.member + 3 * k, &sums->bonds);
  for (int k = 0; k < b->angles.n; k++) make_angle(b, b->angles.member + 4 * k, &sums->angles);
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < b->torsions[t].n; k++)
      make_torsion(b, t, b->torsions[t].member + 5 * k, t ? &sums->impropers : &sums->dihedrals);
  return_forces(b, a);
}

#endif
