/* forces.h: what the engine computes against a plain double loop, within bounds that follow from the
   arithmetic. After check.h.   SPDX-License-Identifier: GPL-2.0-or-later

   Two measures. Every atom's force must be within its bound (bounds_of); the largest ratio to it is
   printed. And double precision must be within some 1e-12 of the atom's size: the sum over its pairs of
   |F_C| + |F_D| + |F_R| (reference.h), and that of one pair in contact more, as the force of a single
   pair near its cutoff is a small difference. */
#ifndef DPDSOP_TEST_FORCES_H
#define DPDSOP_TEST_FORCES_H

#include "support/engine.h"

#include <stdlib.h>
#include <string.h>

/* A box with edges of edge, 1.1 edge and 0.9 edge, and n atoms anywhere in it; in chains where pairs have special factors. */
CHECK_HELPER void random_system(test_system *s, const test_model *t, int n, double edge, const double skew[3],
                                const int periodic[3], uint64_t seed)
{
  static const double lo[3] = {-1.25, 3.5, 0.0};
  const double edges[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  system_open(s, lo, edges, periodic, model_range(t), t->m.skin);
  system_fill(s, n, t->m.ntypes, 1.0, &seed);
  if (t->m.special[1] != 1.0) system_chains(s, 6);
}

static const int64_t STEP = 8589934595; /* more than 32 bits */

typedef struct {
  double rounding;   /* of a pair force, of its size */
  double weight;     /* of w_C */
  double place;      /* of a separation, length */
  double force_unit; /* of a pair's rounding to fixed point */
  double energy_unit;
  double contact; /* |F_C| and |F_R|, deviates 1, of two atoms in contact */
} error_bounds;

/* u = 2^-24 or 2^-53, the rounding of one operation. A pair force is a chain of some 30 of them,
   the noise and power of float arithmetic included (fastmath.h states 2 to 6 each): 40 u. What is left
   of a vector across the line of centers is a difference of two such: its size counts before that.
   Separations: in double precision the coordinates round to u; else positions are rounded to 2^-30
   of an edge, half of it each. The sum over the edges rounds to 3 u of its terms, which in a tilted
   box are longer than the sum. w_C = 1 - r/rc: 8 u more than that. */
CHECK_HELPER error_bounds bounds_of(const test_system *s, const test_model *t,
                                    ds_precision precision, double force_unit)
{
  const int wide = precision == DS_PRECISION_DOUBLE;
  const double u = wide ? 0x1p-53 : 0x1p-24, cutoff = model_range(t) - t->m.skin;
  const double *h = s->box.h;
  double edges = 0.0, far = 0.0, energy = 0.0, contact = 0.0;
  error_bounds b;
  for (int k = 0; k < 6; k++) edges += fabs(h[k]);
  for (int d = 0; d < 3; d++) far = fmax(far, fabs(s->box.lo[d]));
  for (int k = 0; k < t->m.ntypes * t->m.ntypes; k++) {
    energy = fmax(energy, t->style == &ds_style_lj_cut ? 1024.0 * fabs(t->a[k])
                                                       : 0.5 * fabs(t->a[k]) * t->cutoff[k]);
    contact = fmax(contact, fabs(t->a[k]) + sqrt(2.0 * t->gamma[k] * t->m.kT / t->m.dt) +
                                sqrt(2.0 * t->across[k] * t->m.kT / t->m.dt));
  }
  const double shear = (fabs(h[3]) + fabs(h[4]) + fabs(h[5])) / fmin(h[0], fmin(h[1], h[2]));
  b.place = (wide ? 4.0 * u * (edges + far) : 0x1p-30 * edges) + 3.0 * u * cutoff * shear;
  b.weight = 8.0 * u + b.place / cutoff;
  b.rounding = 40.0 * u;
  b.force_unit = force_unit;
  /* at least 29 bits below the largest energy */
  b.energy_unit = energy * (wide ? 0x1p-45 : 0x1p-29);
  b.contact = contact;
  return b;
}

CHECK_HELPER double force_bound(const error_bounds *b, const ref_forces *r, int i)
{
  return b->rounding * r->size[i] + b->weight * r->slope[i] + b->place * r->turn[i] +
         r->count[i] * b->force_unit;
}

CHECK_HELPER double energy_bound(const error_bounds *b, const ref_forces *r, int i)
{
  return b->rounding * fabs(r->eatom[i]) + b->weight * r->eslope[i] +
         r->count[i] * b->energy_unit;
}

/* Largest error as a part of its bound, and of the size. */
CHECK_HELPER void compare(const test_engine *e, const ref_forces *r, const error_bounds *b,
                          double cutoff, double *bounded, double *relative)
{
  *bounded = *relative = 0.0;
  for (int i = 0; i < r->n; i++) {
    const double f_bound = force_bound(b, r, i), e_bound = energy_bound(b, r, i);
    const double e_error = fabs(e->eatom[i] - r->eatom[i]);
    double d2 = 0.0, v_error = 0.0;
    for (int c = 0; c < 3; c++) d2 += pow(e->f[3 * i + c] - r->f[3 * i + c], 2);
    for (int c = 0; c < 6; c++)
      v_error = fmax(v_error, fabs(e->vatom[6 * i + c] - r->vatom[6 * i + c]));
    CHECK(isfinite(d2 + e_error + v_error));
    if (r->count[i] == 0 || e_bound == 0.0) CHECK(e_error == 0.0); /* e_bound: no style has any */
    if (r->count[i] == 0) {
      CHECK(d2 == 0.0 && v_error == 0.0);
      continue;
    }
    *bounded = fmax(*bounded, fmax(sqrt(d2) / f_bound, fmax(e_error > 0.0 ? e_error / e_bound : 0.0,
                                                            v_error / (cutoff * f_bound))));
    *relative = fmax(*relative, sqrt(d2) / (r->size[i] + b->contact));
  }
}

/* Totals are the sums of the atoms' parts, to the rounding of those to double. */
CHECK_HELPER void check_totals(const test_engine *e, const ref_forces *r)
{
  double energy = 0.0, virial[6] = {0};
  for (int i = 0; i < r->n; i++) {
    energy += e->eatom[i];
    for (int c = 0; c < 6; c++) virial[c] += e->vatom[6 * i + c];
  }
  CHECK_NEAR(e->totals.energy, energy, 1e-13 * r->energy_size);
  for (int c = 0; c < 6; c++) CHECK_NEAR(e->totals.virial[c], virial[c], 1e-13 * r->virial_size);
}

/* Without tallies the forces are the same to the bit. */
CHECK_HELPER void check_untallied(test_engine *e, int n)
{
  double *f = test_alloc(24 * (size_t) n);
  memcpy(f, e->f, 24 * (size_t) n);
  CHECK_OK(engine_forces(e, 0), e->err);
  CHECK(memcmp(f, e->f, 24 * (size_t) n) == 0);
  free(f);
}

/* The largest ratios over all code paths are kept in bounded and relative. `allowed`: of double
   precision's totals. */
CHECK_HELPER void check_variant(const ds_pair_options *options, ds_precision precision,
                                const test_model *t, const test_system *s, const ref_forces *r,
                                double allowed, double *bounded, double *relative)
{
  test_engine e;
  if (!CHECK_OK(engine_open(&e, options, precision), e.err)) return;
  if (CHECK_OK(engine_setup(&e, t, s, STEP), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) {
    const error_bounds b = bounds_of(s, t, precision, e.totals.force_unit);
    double ratio, part;
    compare(&e, r, &b, model_range(t) - t->m.skin, &ratio, &part);
    *bounded = fmax(*bounded, ratio);
    *relative = fmax(*relative, part);
    if (precision == DS_PRECISION_DOUBLE) {
      CHECK_NEAR(e.totals.energy, r->energy, allowed * r->energy_size);
      for (int c = 0; c < 6; c++)
        CHECK_NEAR(e.totals.virial[c], r->virial[c], allowed * r->virial_size);
    }
    check_totals(&e, r);
    check_untallied(&e, r->n);
  }
  engine_close(&e);
}

/* A system with its ghosts, and without them where none are needed; in all precisions and on all code
   paths. `allowed`: double precision's error relative to the size. */
CHECK_HELPER void compare_system(const char *name, const test_variants *variants,
                                 const test_model *t, test_system *s, ref_noise noise,
                                 double allowed)
{
  ref_forces r;
  test_system view = system_alone(s);
  const test_system *const images[2] = {s, &view};
  char text[120];
  system_images(s);
  view = system_alone(s);
  const int ways = 1 + engine_alone(t, &s->box);
  ref_compute(&r, s, t, STEP, noise, bounds_of(s, t, DS_PRECISION_MIXED, 0.0).weight);
  for (int p = 0; p < DS_PRECISIONS; p++) {
    double bounded = 0.0, relative = 0.0;
    for (int k = 0; k < variants->n; k++) {
      ds_pair_options o = variants->options[k];
      o.style = t->style;
      for (int way = 0; way < ways; way++)
        check_variant(&o, (ds_precision) p, t, images[way], &r, allowed, &bounded, &relative);
    }
    snprintf(text, sizeof text, "%s, %s: error / bound", name, precision_name[p]);
    if (p != DS_PRECISION_DOUBLE || noise != REF_NOISE_LIBM) CHECK_BOUND(bounded, 1.0, text);
    if (p != DS_PRECISION_DOUBLE) {
      printf("  %-58s %11.4g\n", "  error / size", relative);
      continue;
    }
    snprintf(text, sizeof text, "%s, double: error / size", name);
    CHECK_BOUND(relative, allowed, text);
  }
  ref_free(&r);
}

#endif
