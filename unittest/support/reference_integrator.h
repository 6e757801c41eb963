/* reference_integrator.h: atoms as a caller has them, who moves them himself or lets the engine do it.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_REFERENCE_INTEGRATOR_H
#define DPDSOP_TEST_REFERENCE_INTEGRATOR_H

#include "dpdsop/device/motion.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/engine.h"

enum { ATOMS = 700, GROUP_ONE = 2, GROUP_TWO = 8 };

#define ALL_PERIODIC                                                                               \
  {                                                                                                \
    1, 1, 1                                                                                        \
  }
#define TILTED                                                                                     \
  {                                                                                                \
    0.9, -1.3, 0.7                                                                                 \
  }

/* In most settings: the box is periodic, and one fix moves all atoms. */
#define ALL_MOVE .periodic = ALL_PERIODIC, .ngroups = 1, .group = {1}

/* How one trajectory is made. */
typedef struct {
  const char *name;
  double tilt[3]; /* yz xz xy */
  int periodic[3];
  ds_reneighboring rule;
  int ngroups;
  int32_t group[2];
  int wide_images, by_atom;
  double inward;      /* velocity toward the middle of the box, per length: lists grow */
  int steps, stretch; /* of at most so many steps */
  double
      rate[6]; /* of the edges xx yy zz yz xz xy, which atoms that cross a face feel; all 0: none */
} setting;

static const double edge[3] = {6.5, 7.0, 8.0}, low[3] = {-1.25, 3.5, 0.5};

/* Atoms as a caller has them. */
typedef struct {
  int n;
  double *x, *v, *f, *held, *rmass;
  int32_t *type, *mask, *narrow;
  int64_t *wide, *tag;
} atoms;

CHECK_HELPER void atoms_open(atoms *a, int n)
{
  a->n = n;
  double **const triples[4] = {&a->x, &a->v, &a->f, &a->held};
  for (int k = 0; k < 4; k++) *triples[k] = test_alloc(24 * (size_t) n);
  a->rmass = test_alloc(8 * (size_t) n);
  a->type = test_alloc(4 * (size_t) n);
  a->mask = test_alloc(4 * (size_t) n);
  a->narrow = test_alloc(4 * (size_t) n);
  a->wide = test_alloc(8 * (size_t) n);
  a->tag = test_alloc(8 * (size_t) n);
}

CHECK_HELPER void atoms_close(atoms *a)
{
  free(a->x), free(a->v), free(a->f), free(a->held), free(a->rmass);
  free(a->type), free(a->mask), free(a->narrow), free(a->wide), free(a->tag);
}

static const double masses[3] = {0.0, 1.0, 1.7};

CHECK_HELPER void atoms_fill(atoms *a, const setting *s, uint64_t seed)
{
  const double *const t = s->tilt;
  for (int i = 0; i < a->n; i++) {
    double u[3];
    for (int d = 0; d < 3; d++) u[d] = 0.02 + 0.96 * check_uniform(&seed);
    double *const x = a->x + 3 * i, *const v = a->v + 3 * i;
    x[0] = low[0] + edge[0] * u[0] + t[2] * u[1] + t[1] * u[2];
    x[1] = low[1] + edge[1] * u[1] + t[0] * u[2];
    x[2] = low[2] + edge[2] * u[2];
    for (int d = 0; d < 3; d++) v[d] = random_normal(&seed) - s->inward * (u[d] - 0.5) * edge[d];
    a->type[i] = 1 + (i % 3 == 0);
    a->mask[i] = 1 | (i % 2 ? GROUP_ONE : 0) | (i % 5 ? GROUP_TWO : 0);
    a->rmass[i] = 0.8 + 0.1 * (i % 7);
    a->narrow[i] = 512 << 20 | 512 << 10 | 512;
    a->wide[i] = (int64_t) 1048576 << 42 | (int64_t) 1048576 << 21 | 1048576;
    a->tag[i] = i + 1;
  }
  memset(a->f, 0, 24 * (size_t) a->n);
}

CHECK_HELPER void atoms_copy(atoms *to, const atoms *from)
{
  const size_t n = (size_t) from->n;
  memcpy(to->x, from->x, 24 * n), memcpy(to->v, from->v, 24 * n), memcpy(to->f, from->f, 24 * n);
  memcpy(to->rmass, from->rmass, 8 * n), memcpy(to->type, from->type, 4 * n);
  memcpy(to->mask, from->mask, 4 * n), memcpy(to->narrow, from->narrow, 4 * n);
  memcpy(to->wide, from->wide, 8 * n), memcpy(to->tag, from->tag, 8 * n);
}

/* ------------------------------------------------------------------------------ a caller who does it */

static const double caller_dt = 0.01, caller_half = 0.005;

/* Fix nve of each group of the setting. */
CHECK_HELPER ds_step_program steps_of(const setting *s)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  for (int first = 0; first < 2; first++)
    for (int g = 0; g < s->ngroups; g++) {
      ds_operation *const o = &p.operation[p.n++];
      o->kind = first ? DS_NVE_INITIAL : DS_NVE_FINAL;
      o->point = first ? DS_AT_INITIAL : DS_AT_FINAL;
      o->group = s->group[g];
      o->region = o->from = o->also = -1;
      o->every = 1;
      o->number[0] = caller_dt;
      o->number[1] = caller_half;
    }
  return p;
}

CHECK_HELPER ds_wrap wrap_of(const setting *s)
{
  const double *const t = s->tilt;
  ds_wrap w;
  memset(&w, 0, sizeof w);
  w.tilted = t[0] != 0.0 || t[1] != 0.0 || t[2] != 0.0;
  for (int k = 0; k < 6; k++) w.moving |= s->rate[k] != 0.0;
  memcpy(w.rate, s->rate, sizeof s->rate);
  w.image_bits = s->wide_images ? 21 : 10;
  for (int d = 0; d < 3; d++) {
    w.periodic[d] = s->periodic[d];
    w.origin[d] = low[d];
    w.lo[d] = w.tilted ? 0.0 : low[d];
    w.hi[d] = w.tilted ? 1.0 : low[d] + edge[d];
    w.period[d] = w.tilted ? 1.0 : edge[d];
    w.edge[d] = edge[d];
    w.inverse[d] = 1.0 / edge[d];
    w.edge[3 + d] = t[d];
  }
  w.inverse[3] = -t[0] / (edge[1] * edge[2]);
  w.inverse[4] = (t[0] * t[2] - edge[1] * t[1]) / (edge[0] * edge[1] * edge[2]);
  w.inverse[5] = -t[2] / (edge[0] * edge[1]);
  return w;
}

CHECK_HELPER ds_box box_of(const setting *s, double skin)
{
  ds_box b;
  memset(&b, 0, sizeof b);
  for (int d = 0; d < 3; d++) {
    b.lo[d] = low[d];
    b.h[d] = edge[d];
    b.h[3 + d] = s->tilt[d];
    b.periodic[d] = s->periodic[d];
    b.subhi[d] = 1.0;
    b.ghost_reach[d] = 0.3;
  }
  memcpy(b.image_rate, s->rate, sizeof s->rate);
  b.slack = skin;
  b.undecomposed[0] = b.undecomposed[1] = b.undecomposed[2] = 1;
  return b;
}

/* a b + c, in two operations that no compiler can make one of */
CHECK_HELPER double product_sum(double a, double b, double c)
{
  volatile double product = a * b;
  return product + c;
}

CHECK_HELPER double mass_of(const atoms *a, const setting *s, int i)
{
  return s->by_atom ? a->rmass[i] : masses[a->type[i]];
}

CHECK_HELPER void caller_kicks(atoms *a, const setting *s, int drift)
{
  for (int g = 0; g < s->ngroups; g++)
    for (int i = 0; i < a->n; i++) {
      if (!(a->mask[i] & s->group[g])) continue;
      const double factor = caller_half / mass_of(a, s, i);
      for (int k = 3 * i; k < 3 * i + 3; k++) {
        a->v[k] = product_sum(factor, a->f[k], a->v[k]);
        if (drift) a->x[k] = product_sum(caller_dt, a->v[k], a->x[k]);
      }
    }
}

CHECK_HELPER void caller_counts(atoms *a, int i, int axis, int step)
{
  int64_t narrow = a->narrow[i] >> 10 * axis & 1023, wide = a->wide[i] >> 21 * axis & 2097151;
  narrow = ((narrow + step) & 1023) - narrow;
  wide = ((wide + step) & 2097151) - wide;
  a->narrow[i] += (int32_t) (narrow * (1 << 10 * axis));
  a->wide[i] += wide * ((int64_t) 1 << 21 * axis);
}

/* Back by `boxes` edges: velocities follow row by row of the edge matrix, as far as it has some. */
CHECK_HELPER void caller_changes_velocity(double v[3], const double rate[6], int axis, int boxes)
{
  static const int number[3][3] = {{0, 5, 4}, {-1, 1, 3}, {-1, -1, 2}}; /* of a row and an edge */
  for (int d = 0; d < 3; d++)
    if (number[d][axis] >= 0) v[d] -= boxes * rate[number[d][axis]];
}

/* Matrices times vectors are the engine's own functions, which LAMMPS's results are compared with elsewhere. */
CHECK_HELPER void caller_wraps(atoms *a, const setting *s)
{
  const ds_wrap w = wrap_of(s);
  for (int i = 0; i < a->n; i++) {
    double *const x = a->x + 3 * i;
    if (w.tilted) ds_to_fractions(&w, x);
    for (int d = 0; d < 3; d++) {
      if (s->periodic[d] && x[d] < w.lo[d]) {
        x[d] += w.period[d];
        caller_changes_velocity(a->v + 3 * i, s->rate, d, -1);
        caller_counts(a, i, d, -1);
      }
      if (s->periodic[d] && x[d] >= w.hi[d]) {
        x[d] = fmax(x[d] - w.period[d], w.lo[d]);
        caller_changes_velocity(a->v + 3 * i, s->rate, d, 1);
        caller_counts(a, i, d, 1);
      }
    }
    if (w.tilted) ds_from_fractions(&w, x);
  }
  memcpy(a->held, a->x, 24 * (size_t) a->n);
}

CHECK_HELPER int caller_sees_movement(const atoms *a, const setting *s)
{
  for (int i = 0; i < a->n; i++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = a->x[3 * i + k] - a->held[3 * i + k];
    const double xy = product_sum(d[0], d[0], d[1] * d[1]);
    if (product_sum(d[2], d[2], xy) > s->rule.trigger2) return 1;
  }
  return 0;
}

/* ------------------------------------------------------------------------------------------- engines */

static const test_model *model_used(void)
{
  static test_model t;
  if (t.m.ntypes) return &t;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(&t, 1, 2, 35, 9, 0.9, 0.5);
  return &t;
}

CHECK_HELPER ds_status give_atoms(ds_pair *pair, const atoms *a, ds_error *err)
{
  ds_atoms given;
  memset(&given, 0, sizeof given);
  given.nlocal = a->n;
  given.tag = array_of_tags(a->tag, 1);
  given.type = array_of_ints(a->type, 1);
  given.nspecial = given.special = given.mask = given.molecule = array_none();
  return ds_pair_set_atoms(pair, &given, err);
}

CHECK_HELPER ds_pair *pair_of(const ds_pair_options *options, ds_precision precision,
                              const setting *s, const atoms *a)
{
  ds_pair_options o = *options;
  ds_pair *pair;
  ds_error err;
  const test_model *const t = model_used();
  const ds_box box = box_of(s, t->m.skin);
  o.precision = precision;
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) exit(1);
  CHECK_OK(ds_pair_set_model(pair, &t->m, &err), err);
  CHECK_OK(ds_pair_set_box(pair, &box, &err), err);
  CHECK_INT(ds_pair_needs_ghosts(pair), 0);
  CHECK_OK(give_atoms(pair, a, &err), err);
  return pair;
}

CHECK_HELPER ds_status caller_forces(ds_pair *pair, atoms *a, int64_t step, int reneighbor,
                                     ds_pair_totals *totals, ds_error *err)
{
  const ds_array x = array_of_doubles(a->x, 3), v = array_of_doubles(a->v, 3);
  memset(a->f, 0, 24 * (size_t) a->n);
  const ds_pair_request request = {1, 1, array_of_doubles(a->f, 3), 0, array_none(), array_none(), 0, 0};
  ds_status s = ds_pair_load(pair, &x, &v, step, err);
  if (!s && reneighbor) s = ds_pair_build_list(pair, err);
  return s ? s : ds_pair_compute(pair, &request, totals, err);
}

CHECK_HELPER ds_resident_atoms fields_of(const atoms *a, const setting *s)
{
  ds_resident_atoms r;
  memset(&r, 0, sizeof r);
  r.n = a->n;
  r.x = array_of_doubles(a->x, 3);
  r.v = array_of_doubles(a->v, 3);
  r.f = array_of_doubles(a->f, 3);
  r.image = s->wide_images ? array_of_tags(a->wide, 1) : array_of_ints(a->narrow, 1);
  r.type = array_of_ints(a->type, 1);
  r.mask = array_of_ints(a->mask, 1);
  r.rmass = s->by_atom ? array_of_doubles(a->rmass, 1) : array_none();
  r.tag = array_of_tags(a->tag, 1);
  r.ntypes = 2;
  r.mass = s->by_atom ? NULL : masses;
  return r;
}

/* own_copies: with arrays of the engine's own on the host, too */
CHECK_HELPER ds_resident *resident_in(ds_pair *pair, const atoms *a, const setting *s, int own_copies)
{
  ds_resident *r;
  ds_error err;
  const ds_resident_atoms fields = fields_of(a, s);
  const ds_step_program steps = steps_of(s);
  const ds_wrap w = wrap_of(s);
  if (!CHECK_OK(ds_resident_open(&r, pair, own_copies, &err), err)) exit(1);
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_set_steps(r, &steps, &err), err);
  CHECK_OK(ds_resident_set_wrap(r, &w, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS, &err), err);
  CHECK_OK(ds_resident_set_reference(r, &err), err);
  return r;
}

CHECK_HELPER ds_resident *resident_of(ds_pair *pair, const atoms *a, const setting *s)
{
  return resident_in(pair, a, s, 0);
}

/* --------------------------------------------------------------------------------------- comparisons */

CHECK_HELPER void check_same(const atoms *got, const atoms *expected, const setting *s,
                             const char *where)
{
  const size_t n = (size_t) expected->n;
  CHECK_MSG(memcmp(got->x, expected->x, 24 * n) == 0, "%s, %s: positions differ", s->name, where);
  CHECK_MSG(memcmp(got->v, expected->v, 24 * n) == 0, "%s, %s: velocities differ", s->name, where);
  CHECK_MSG(memcmp(got->f, expected->f, 24 * n) == 0, "%s, %s: forces differ", s->name, where);
  CHECK_MSG(s->wide_images ? memcmp(got->wide, expected->wide, 8 * n) == 0
                           : memcmp(got->narrow, expected->narrow, 4 * n) == 0,
            "%s, %s: image flags differ", s->name, where);
}

#endif
