/* The stiffest mode of a molecule: the largest eigenvalue of the matrix of second derivatives of its energy, bonds,
   contacts and pairs i, i+2, by power iteration.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "model.h"

#include "dpdsop/sop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* V'' and V' / r of a pair along its direction. */
typedef struct {
  int32_t i, j;
  double n[3], along, across;
} spring;

/* Bonds and contacts at their native lengths, where V' = 0: thermal motion takes their curvature above and below that by
   chance, and a run that goes on must not be judged otherwise than one that begins. */
static void bond_spring(const ds_sop_bond_row *b, spring *s)
{
  s->along = b->k;
  s->across = 0.0;
}

/* V = eps (q^12 - 2 q^6), q = r0/r, so V'' = 12 eps (13 - 7) / r0^2 at q = 1. */
static void contact_spring(const ds_sop_contact_row *c, spring *s)
{
  s->along = 72.0 * c->eps / (c->r0 * c->r0);
  s->across = 0.0;
}

/* V = eps (sigma/r)^6 */
static void repulsion_spring(double eps, double sigma, double r, spring *s)
{
  const double v = eps * pow(sigma / r, 6.0) / (r * r);
  s->along = 42.0 * v;
  s->across = -6.0 * v;
}

static ds_status make_springs(const ds_sop_model *m, const double *x, spring *all, int32_t *count,
                              ds_error *err)
{
  *count = 0;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++)
    for (int32_t k = 0; k < m->pairs[kind].count; k++) {
      spring *const s = all + (*count)++;
      double r = 0.0;
      s->i = m->pairs[kind].i[k];
      s->j = m->pairs[kind].j[k];
      for (int c = 0; c < 3; c++) {
        s->n[c] = x[3 * (size_t) s->i + (size_t) c] - x[3 * (size_t) s->j + (size_t) c];
        r += s->n[c] * s->n[c];
      }
      r = sqrt(r);
      if (!(r > 0.0) || !isfinite(r))
        return ds_fail(err, DS_ERR_ARGUMENT, "beads %d and %d are %g apart", s->i + 1, s->j + 1, r);
      for (int c = 0; c < 3; c++) s->n[c] /= r;
      if (kind == DS_SOP_BONDS)
        bond_spring(m->topology.bond + k, s);
      else if (kind == DS_SOP_CONTACTS)
        contact_spring(m->topology.contact + k, s);
      else
        repulsion_spring(m->topology.parameters.eps_a, m->topology.parameters.sigma_a, r, s);
    }
  return DS_OK;
}

/* out = H v; returns |out|. */
static double multiply(const spring *all, int32_t count, size_t n, const double *v, double *out)
{
  double square = 0.0;
  memset(out, 0, n * sizeof *out);
  for (int32_t k = 0; k < count; k++) {
    const spring *const s = all + k;
    const double *const a = v + 3 * (size_t) s->i, *const b = v + 3 * (size_t) s->j;
    double d[3], dot = 0.0;
    for (int c = 0; c < 3; c++) {
      d[c] = a[c] - b[c];
      dot += d[c] * s->n[c];
    }
    for (int c = 0; c < 3; c++) {
      const double f = s->across * d[c] + (s->along - s->across) * dot * s->n[c];
      out[3 * (size_t) s->i + (size_t) c] += f;
      out[3 * (size_t) s->j + (size_t) c] -= f;
    }
  }
  for (size_t k = 0; k < n; k++) square += out[k] * out[k];
  return sqrt(square);
}

/* The growth per iteration tends to the eigenvalue of largest magnitude, which in a folded molecule is that of its
   stiffest mode. */
static double iterate(const spring *all, int32_t count, size_t n, double *v, double *w)
{
  enum { MOST = 400 };
  double growth = 0.0, length = 0.0;
  for (size_t k = 0; k < n; k++) {
    v[k] = sin(1.0 + 2.5 * (double) k);
    length += v[k] * v[k];
  }
  length = sqrt(length);
  for (int turn = 0; turn < MOST && length > 0.0; turn++) {
    for (size_t k = 0; k < n; k++) v[k] /= length;
    const double before = growth;
    growth = multiply(all, count, n, v, w);
    memcpy(v, w, n * sizeof *v);
    length = growth;
    if (turn > 20 && fabs(growth - before) < 1e-5 * growth) break;
  }
  return growth;
}

ds_status ds_sop_stiffness(const ds_sop_topology *topology, const double *x, double *curvature,
                           ds_error *err)
{
  ds_sop_model m;
  int32_t count = 0;
  *curvature = 0.0;
  ds_status s = ds_sop_model_make(&m, topology, 0.0, err);
  if (s) return s;
  const size_t n = 3 * (size_t) topology->beads;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) count += m.pairs[kind].count;
  spring *const all = malloc(((size_t) count + 1) * sizeof *all);
  double *const v = malloc(2 * n * sizeof *v);
  if (!all || !v)
    s = ds_fail(err, DS_ERR_MEMORY, "no host memory for %d second derivatives", count);
  else
    s = make_springs(&m, x, all, &count, err);
  if (!s) *curvature = iterate(all, count, n, v, v + n);
  free(all);
  free(v);
  ds_sop_model_free(&m);
  return s;
}
