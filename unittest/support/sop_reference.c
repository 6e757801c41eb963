/* sop_reference.c: eq. 1 of Zhmurov et al., Proteins 78, 2984 (2010), as it stands there, pair by pair in double
   arithmetic. Nothing of the engine is used.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/sop.h"

#include "support/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ units */

/* The power of two u with value / u in (most / 2, most]; most is a power of two, too. */
static double unit_below(double value, double most)
{
  double u = 1.0;
  while (value / u > most) u *= 2.0;
  while (value / u <= most / 2.0) u /= 2.0;
  return u;
}

/* Largest force scale: k R0, and what contacts and repulsion have at their own lengths, four times 12 eps / r0 and
   6 eps / sigma. */
static double force_scale(const ds_sop_topology *t)
{
  const ds_sop_parameters *const p = &t->parameters;
  double scale = fmax(24.0 * p->eps_r / p->sigma, 24.0 * p->eps_a / p->sigma_a);
  for (int k = 0; k < t->bonds; k++) scale = fmax(scale, t->bond[k].k * t->bond[k].R0);
  for (int k = 0; k < t->contacts; k++)
    scale = fmax(scale, 48.0 * t->contact[k].eps / t->contact[k].r0);
  return scale;
}

sop_units sop_units_of(const ds_sop_topology *t)
{
  const double a = unit_below(t->parameters.sigma, 4.0);
  const sop_units u = {a * 0x1p-29, a * 0x1p-17, unit_below(force_scale(t), 0x1p22)};
  return u;
}

void sop_to_grid(const ds_sop_topology *t, double *x, size_t beads)
{
  const double unit = sop_units_of(t).coordinate;
  for (size_t k = 0; k < 3 * beads; k++) x[k] = unit * floor(x[k] / unit);
}

/* ------------------------------------------------------------------------------------------ terms */

/* Energy of a pair, -dE/dr, and what that is made of before it cancels. */
typedef struct {
  double energy, force, size;
} pair_value;

static pair_value bond(const ds_sop_bond_row *b, double r)
{
  const double d = r - b->r0, room = 1.0 - d * d / (b->R0 * b->R0);
  const pair_value v = {-0.5 * b->k * b->R0 * b->R0 * log(room), -b->k * d / room,
                        b->k * (r + b->r0) / (room * room)};
  return v;
}

static pair_value contact(const ds_sop_contact_row *c, double r)
{
  const double q6 = pow(c->r0 / r, 6.0), q12 = q6 * q6;
  const pair_value v = {c->eps * (q12 - 2.0 * q6), 12.0 * c->eps * (q12 - q6) / r,
                        12.0 * c->eps * (q12 + q6) / r};
  return v;
}

static pair_value repulsion(double eps, double sigma, double r)
{
  const double q6 = pow(sigma / r, 6.0);
  const pair_value v = {eps * q6, 6.0 * eps * q6 / r, 6.0 * eps * q6 / r};
  return v;
}

/* -------------------------------------------------------------------------------------------- sum */

typedef struct {
  const double *x;
  double *f, *slack, unit;
} sums;

static double separate(const double *x, size_t i, size_t j, double d[3])
{
  for (int c = 0; c < 3; c++) d[c] = x[3 * i + c] - x[3 * j + c];
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void add(const sums *s, size_t i, size_t j, pair_value v)
{
  double d[3];
  const double r = separate(s->x, i, j, d), slack = 0.5 * s->unit + 0x1p-20 * v.size;
  for (int c = 0; c < 3 && s->f; c++) {
    s->f[3 * i + c] += v.force * d[c] / r;
    s->f[3 * j + c] -= v.force * d[c] / r;
  }
  if (!s->slack) return;
  s->slack[i] += slack;
  s->slack[j] += slack;
}

/* What a pair of beads of one molecule is: 0 other, 1 bond, 2 contact, 3 angle. */
static unsigned char *kinds_of(const ds_sop_topology *t)
{
  const size_t n = (size_t) t->beads;
  unsigned char *const kind = test_alloc(n * n);
  for (int k = 0; k < t->bonds; k++) kind[(size_t) t->bond[k].i * n + (size_t) t->bond[k].j] = 1;
  for (int k = 0; k < t->contacts; k++)
    kind[(size_t) t->contact[k].i * n + (size_t) t->contact[k].j] = 2;
  for (size_t i = 0; i + 2 < n; i++)
    if (kind[i * n + i + 1] == 1 && kind[(i + 1) * n + i + 2] == 1 && kind[i * n + i + 2] == 0)
      kind[i * n + i + 2] = 3;
  return kind;
}

static void add_known(const sums *s, const ds_sop_topology *t, size_t base,
                      const unsigned char *kind, ds_sop_energies *e)
{
  const size_t n = (size_t) t->beads;
  double d[3];
  for (int k = 0; k < t->bonds; k++) {
    const size_t i = base + (size_t) t->bond[k].i, j = base + (size_t) t->bond[k].j;
    const pair_value v = bond(t->bond + k, separate(s->x, i, j, d));
    e->bonds += v.energy;
    add(s, i, j, v);
  }
  for (int k = 0; k < t->contacts; k++) {
    const size_t i = base + (size_t) t->contact[k].i, j = base + (size_t) t->contact[k].j;
    const double r = separate(s->x, i, j, d);
    const pair_value v = contact(t->contact + k, r);
    e->native += v.energy;
    e->intact += r <= 1.2 * t->contact[k].r0;
    add(s, i, j, v);
  }
  for (size_t i = 0; i + 2 < n; i++)
    if (kind[i * n + i + 2] == 3) {
      const double r = separate(s->x, base + i, base + i + 2, d);
      const pair_value v = repulsion(t->parameters.eps_a, t->parameters.sigma_a, r);
      e->angles += v.energy;
      add(s, base + i, base + i + 2, v);
    }
}

/* All other pairs. Where one is at the cutoff to within its rounding, either answer is right. */
static void add_others(const sums *s, const ds_sop_topology *t, size_t beads, int inter,
                       double cutoff, const unsigned char *kind, ds_sop_energies *e)
{
  const size_t n = (size_t) t->beads;
  double d[3];
  for (size_t i = 0; i < beads; i++) {
    const size_t base = i / n * n, end = inter ? beads : base + n;
    for (size_t j = i + 1; j < end; j++) {
      const double r = separate(s->x, i, j, d);
      if (r > cutoff * (1.0 + 1e-6) || (j < base + n && kind[(i - base) * n + j - base])) continue;
      const pair_value v = repulsion(t->parameters.eps_r, t->parameters.sigma, r);
      if (r > cutoff * (1.0 - 1e-6) && s->slack) {
        s->slack[i] += v.force;
        s->slack[j] += v.force;
      }
      if (r >= cutoff) continue;
      e->other += v.energy;
      add(s, i, j, v);
    }
  }
}

void sop_reference(const test_molecule *m, int molecules, int inter, double cutoff, const double *x,
                   double *f, double *slack, ds_sop_energies *e)
{
  const ds_sop_topology *const t = &m->topology;
  const size_t n = (size_t) t->beads, beads = n * (size_t) molecules;
  const sums s = {x, f, slack, sop_units_of(t).force};
  unsigned char *const kind = kinds_of(t);
  memset(e, 0, sizeof *e);
  if (f) memset(f, 0, 3 * beads * sizeof *f);
  if (slack) memset(slack, 0, beads * sizeof *slack);
  for (int k = 0; k < molecules; k++) add_known(&s, t, n * (size_t) k, kind, e);
  add_others(&s, t, beads, inter, cutoff, kind, e);
  free(kind);
}
