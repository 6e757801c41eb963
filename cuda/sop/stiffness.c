/* How stiff a molecule can be: this limits the time step.   SPDX-License-Identifier: GPL-2.0-or-later

   The curvature of the energy depends on where the bonds point to. It is largest where they all lie in one line, as in a
   chain under tension, and in a folded protein at 300 K it comes near that at times. So bonds are taken in one line here,
   which makes the answer one of the topology alone: a run that goes on is judged as one that begins. Contacts are weaker
   and point to all sides: a third of each. The spring of a pull lies in the line, too: it holds the mean of the pulled
   beads. */
#include "model.h"

#include "dpdsop/sop.h"

#include <math.h>
#include <stdlib.h>

/* Curvature of a bond at its native length. */
static double of_bond(const ds_sop_bond_row *b)
{
  return b->k;
}

/* V = eps (q^12 - 2 q^6), q = r0/r, so V'' = 12 eps (13 - 7) / r0^2 at q = 1; a third of it. */
static double of_contact(const ds_sop_contact_row *c)
{
  return 24.0 * c->eps / (c->r0 * c->r0);
}

static void add_spring(double curvature, int32_t i, int32_t j, const double *v, double *out)
{
  const double f = curvature * (v[i] - v[j]);
  out[i] += f;
  out[j] -= f;
}

static double weight_of(const ds_sop_pull *p, int32_t k)
{
  return p->pulled_weight ? p->pulled_weight[k] : 1.0;
}

static void add_cantilever(const ds_sop_pull *p, const double *v, double *out)
{
  double total = 0.0, mean = 0.0;
  for (int32_t k = 0; k < p->pulled; k++) total += weight_of(p, k);
  for (int32_t k = 0; k < p->pulled; k++) mean += weight_of(p, k) / total * v[p->pulled_bead[k]];
  for (int32_t k = 0; k < p->pulled; k++) out[p->pulled_bead[k]] += p->spring * mean * weight_of(p, k) / total;
}

/* out = H v, one number per bead; returns |out|. */
static double multiply(const ds_sop_topology *t, const ds_sop_pull *pull, const double *v, double *out)
{
  double square = 0.0;
  for (int32_t b = 0; b < t->beads; b++) out[b] = 0.0;
  for (int32_t k = 0; k < t->bonds; k++) add_spring(of_bond(t->bond + k), t->bond[k].i, t->bond[k].j, v, out);
  for (int32_t k = 0; k < t->contacts; k++) add_spring(of_contact(t->contact + k), t->contact[k].i, t->contact[k].j, v, out);
  if (pull && pull->mode == DS_SOP_PULL_SPRING) add_cantilever(pull, v, out);
  for (int32_t b = 0; b < t->beads; b++) square += out[b] * out[b];
  return sqrt(square);
}

/* The growth per power of H tends to its largest eigenvalue, in whose mode neighbors move against each other: so does the
   vector that it begins with. */
static double iterate(const ds_sop_topology *t, const ds_sop_pull *pull, double *v, double *w)
{
  enum { LEAST = 50, LIMIT = 1000 };
  double growth = 0.0, length = 0.0;
  for (int32_t b = 0; b < t->beads; b++) {
    v[b] = (b % 2 ? -1.0 : 1.0) * (1.0 + 0.5 * sin(1.0 + 2.5 * b));
    length += v[b] * v[b];
  }
  length = sqrt(length);
  for (int turn = 0; turn < LIMIT && length > 0.0; turn++) {
    for (int32_t b = 0; b < t->beads; b++) v[b] /= length;
    const double before = growth;
    growth = length = multiply(t, pull, v, w);
    for (int32_t b = 0; b < t->beads; b++) v[b] = w[b];
    if (turn > LEAST && fabs(growth - before) < 1e-6 * growth) break;
  }
  return growth;
}

ds_status ds_sop_stiffness(const ds_sop_topology *topology, const ds_sop_pull *pull, double *curvature, ds_error *err)
{
  const ds_status s = ds_sop_topology_check(topology, err);
  if (s) return s;
  const size_t n = (size_t) topology->beads;
  double *const v = malloc((2 * n + 1) * sizeof *v);
  *curvature = 0.0;
  if (!v) return ds_fail(err, DS_ERR_MEMORY, "no host memory for modes of %zu beads", n);
  *curvature = iterate(topology, pull, v, v + n);
  free(v);
  return ds_succeed(err);
}
