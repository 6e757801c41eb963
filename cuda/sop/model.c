/* A topology as the kernels read it.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------- units */

/* The exponent e of the power of two with 2^(e-1) < value <= 2^e. */
static int exponent_above(double value)
{
  int e;
  return frexp(value, &e) == 0.5 ? e - 1 : e;
}

/* The largest force scale of the molecule: k R0 of its bonds; for contacts and repulsion four times 12 eps / r0 and
   6 eps / sigma, so that the limit of a pair, 8 scales or more, is beyond any collision at any temperature of use. */
static double force_scale(const ds_sop_topology *t)
{
  const ds_sop_parameters *const p = &t->parameters;
  double scale = 24.0 * fmax(p->eps_r / p->sigma, p->eps_a / p->sigma_a);
  for (int32_t k = 0; k < t->bonds; k++) scale = fmax(scale, t->bond[k].k * t->bond[k].R0);
  for (int32_t k = 0; k < t->contacts; k++) scale = fmax(scale, 48.0 * t->contact[k].eps / t->contact[k].r0);
  return scale > 0.0 ? scale : 1.0;
}

static void set_units(ds_sop_model *m)
{
  const double a = ldexp(1.0, exponent_above(m->topology.parameters.sigma) - 2);
  m->position_unit = ldexp(a, -DS_SOP_POSITION_BITS);
  m->coordinate_unit = ldexp(a, -DS_SOP_COORDINATE_BITS);
  m->force_unit = ldexp(1.0, exponent_above(force_scale(&m->topology)) - DS_SOP_FORCE_BITS);
}

/* ----------------------------------------------------------------------------------- coefficients */

static ds_sop_repulsionf repulsion(const ds_sop_model *m, double eps, double sigma)
{
  const double length = m->coordinate_unit, energy = m->force_unit * length;
  const ds_sop_repulsionf r = {(float) (sigma / length * (sigma / length)), (float) (eps / energy)};
  return r;
}

/* Where the force 6 eps sigma^6 / r^7 is DS_SOP_SMALL_FORCE; a little further, because of rounding. */
static float soft_distance2(const ds_sop_repulsionf *n)
{
  const double sigma6 = pow((double) n->sigma2, 3.0);
  const double r = pow(6.0 * (double) n->eps * sigma6 / (double) DS_SOP_SMALL_FORCE, 1.0 / 7.0);
  return (float) (1.0001 * r * r);
}

/* Lengths in units of coordinates; energies so that force over length comes out in units of force per unit of a
   coordinate. */
static void set_coefficients(ds_sop_model *m, double cutoff)
{
  const ds_sop_topology *const t = &m->topology;
  const ds_sop_parameters *const p = &t->parameters;
  const double length = m->coordinate_unit, energy = m->force_unit * length;
  for (int32_t k = 0; k < t->bonds; k++) {
    const double R = t->bond[k].R0 / length;
    m->bond[k].k = (float) (t->bond[k].k * length / m->force_unit);
    m->bond[k].r0 = (float) (t->bond[k].r0 / length);
    m->bond[k].inverse_R2 = (float) (1.0 / (R * R));
  }
  for (int32_t k = 0; k < t->contacts; k++) {
    const double r = t->contact[k].r0 / length;
    m->contact[k].r02 = (float) (r * r);
    m->contact[k].eps = (float) (t->contact[k].eps / energy);
  }
  m->angle = repulsion(m, p->eps_a, p->sigma_a);
  m->other = repulsion(m, p->eps_r, p->sigma);
  m->cutoff = cutoff > 0.0 ? cutoff : 3.0 * p->sigma;
  m->cut2 = (float) (m->cutoff / length * (m->cutoff / length));
  m->soft2 = soft_distance2(&m->other);
}

/* ------------------------------------------------------------------------------------------- pairs */

static int take_pairs(ds_sop_pairs *p, int32_t count)
{
  p->count = count;
  p->i = malloc(((size_t) count + 1) * sizeof *p->i);
  p->j = malloc(((size_t) count + 1) * sizeof *p->j);
  return p->i && p->j;
}

/* Rows of a set of pairs: counted, then filled. The partners of a bead come in the order of the pairs. */
static int make_rows(ds_sop_rows *r, int32_t beads, const ds_sop_pairs *p)
{
  r->first = calloc((size_t) beads + 2, sizeof *r->first);
  r->partner = malloc((2 * (size_t) p->count + 1) * sizeof *r->partner);
  r->pair = malloc((2 * (size_t) p->count + 1) * sizeof *r->pair);
  if (!r->first || !r->partner || !r->pair) return 0;
  int32_t *const next = r->first + 1; /* while filling, the next free place of a bead */
  for (int32_t k = 0; k < p->count; k++) {
    next[p->i[k] + 1]++;
    next[p->j[k] + 1]++;
  }
  for (int32_t b = 0; b < beads; b++) next[b + 1] += next[b];
  for (int32_t k = 0; k < p->count; k++) {
    int32_t *const at_i = next + p->i[k], *const at_j = next + p->j[k];
    r->partner[*at_i] = p->j[k];
    r->pair[(*at_i)++] = k;
    r->partner[*at_j] = p->i[k];
    r->pair[(*at_j)++] = k;
  }
  return 1;
}

static int has_partner(const ds_sop_rows *r, int32_t i, int32_t j)
{
  for (int32_t k = r->first[i]; k < r->first[i + 1]; k++)
    if (r->partner[k] == j) return 1;
  return 0;
}

/* i and i+2, both bonded to i+1, and with neither a bond nor a contact of their own. */
static int is_angle(const ds_sop_model *m, int32_t i)
{
  return has_partner(&m->rows[DS_SOP_BONDS], i, i + 1) && has_partner(&m->rows[DS_SOP_BONDS], i + 1, i + 2) &&
         !has_partner(&m->rows[DS_SOP_BONDS], i, i + 2) && !has_partner(&m->rows[DS_SOP_CONTACTS], i, i + 2);
}

static int make_angles(ds_sop_model *m)
{
  ds_sop_pairs *const p = &m->pairs[DS_SOP_ANGLES];
  const int32_t n = m->topology.beads;
  if (!take_pairs(p, n)) return 0;
  p->count = 0;
  for (int32_t i = 0; i + 2 < n; i++)
    if (is_angle(m, i)) {
      p->i[p->count] = i;
      p->j[p->count++] = i + 2;
    }
  return make_rows(&m->rows[DS_SOP_ANGLES], n, p);
}

static int increasing(const void *a, const void *b)
{
  const int32_t p = *(const int32_t *) a, q = *(const int32_t *) b;
  return p < q ? -1 : p > q;
}

/* Partners of all kinds. */
static int make_exclusions(ds_sop_model *m)
{
  const int32_t n = m->topology.beads;
  size_t size = 0;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) size += 2 * (size_t) m->pairs[kind].count;
  m->exclusions.first = malloc(((size_t) n + 1) * sizeof(int32_t));
  m->exclusions.partner = malloc((size + 1) * sizeof(int32_t));
  if (!m->exclusions.first || !m->exclusions.partner) return 0;
  int32_t used = 0;
  for (int32_t b = 0; b < n; b++) {
    m->exclusions.first[b] = used;
    for (int kind = 0; kind < DS_SOP_LISTED; kind++)
      for (int32_t k = m->rows[kind].first[b]; k < m->rows[kind].first[b + 1]; k++)
        m->exclusions.partner[used++] = m->rows[kind].partner[k];
    qsort(m->exclusions.partner + m->exclusions.first[b], (size_t) (used - m->exclusions.first[b]), sizeof(int32_t),
          increasing);
  }
  m->exclusions.first[n] = used;
  return 1;
}

static int copy_topology(ds_sop_topology *to, const ds_sop_topology *from)
{
  *to = *from;
  to->bond = malloc(((size_t) from->bonds + 1) * sizeof *to->bond);
  to->contact = malloc(((size_t) from->contacts + 1) * sizeof *to->contact);
  to->radius = from->radius ? malloc((size_t) from->beads * sizeof *to->radius) : NULL;
  if (!to->bond || !to->contact || (from->radius && !to->radius)) return 0;
  if (from->radius) memcpy(to->radius, from->radius, (size_t) from->beads * sizeof *to->radius);
  if (from->bonds) memcpy(to->bond, from->bond, (size_t) from->bonds * sizeof *to->bond);
  if (from->contacts) memcpy(to->contact, from->contact, (size_t) from->contacts * sizeof *to->contact);
  return 1;
}

static int make_pairs(ds_sop_model *m)
{
  const ds_sop_topology *const t = &m->topology;
  ds_sop_pairs *const bonds = &m->pairs[DS_SOP_BONDS], *const contacts = &m->pairs[DS_SOP_CONTACTS];
  if (!take_pairs(bonds, t->bonds) || !take_pairs(contacts, t->contacts)) return 0;
  for (int32_t k = 0; k < t->bonds; k++) {
    bonds->i[k] = t->bond[k].i;
    bonds->j[k] = t->bond[k].j;
  }
  for (int32_t k = 0; k < t->contacts; k++) {
    contacts->i[k] = t->contact[k].i;
    contacts->j[k] = t->contact[k].j;
  }
  m->bond = malloc(((size_t) t->bonds + 1) * sizeof *m->bond);
  m->contact = malloc(((size_t) t->contacts + 1) * sizeof *m->contact);
  return m->bond && m->contact && make_rows(&m->rows[DS_SOP_BONDS], t->beads, bonds) &&
         make_rows(&m->rows[DS_SOP_CONTACTS], t->beads, contacts) && make_angles(m) && make_exclusions(m);
}

/* Every pair of beads may have one bond, or one contact. */
static ds_status check_pairs(const ds_sop_model *m, ds_error *err)
{
  const ds_sop_rows *const r = &m->exclusions;
  for (int32_t b = 0; b < m->topology.beads; b++)
    for (int32_t k = r->first[b] + 1; k < r->first[b + 1]; k++)
      if (r->partner[k] == r->partner[k - 1])
        return ds_fail(err, DS_ERR_ARGUMENT, "the topology has two rows, bonds or contacts, of the beads %d and %d", b,
                       r->partner[k]);
  return DS_OK;
}

ds_status ds_sop_model_make(ds_sop_model *m, const ds_sop_topology *t, double cutoff, ds_error *err)
{
  memset(m, 0, sizeof *m);
  ds_status s = ds_sop_topology_check(t, err);
  if (s) return s;
  if (!copy_topology(&m->topology, t) || !make_pairs(m)) {
    ds_sop_model_free(m);
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for a topology of %d bonds and %d contacts", t->bonds, t->contacts);
  }
  s = check_pairs(m, err);
  if (s) {
    ds_sop_model_free(m);
    return s;
  }
  set_units(m);
  set_coefficients(m, cutoff);
  return DS_OK;
}

static void free_rows(ds_sop_rows *r)
{
  free(r->first);
  free(r->partner);
  free(r->pair);
}

void ds_sop_model_free(ds_sop_model *m)
{
  ds_sop_topology_free(&m->topology);
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) {
    free(m->pairs[kind].i);
    free(m->pairs[kind].j);
    free_rows(&m->rows[kind]);
  }
  free_rows(&m->exclusions);
  free(m->bond);
  free(m->contact);
  memset(m, 0, sizeof *m);
}
