/* reference.c: forces by a double loop.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/reference.h"

#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/image_noise.h"
#include "dpdsop/device/signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ref_pair ref_pair_force(const test_model *t, int itype, int jtype, double r, double ev, double xi,
                        double special)
{
  const int k = (itype - 1) * t->m.ntypes + jtype - 1;
  const double rc = t->cutoff[k];
  ref_pair p = {0, 0, 0, 0, 0};
  if (!(r < rc) || r == 0.0) return p;
  const double wc = (rc - r) / rc; /* eq. 8 */
  const double wr = pow(wc, t->power[k]);
  const double sigma = sqrt(2.0 * t->gamma[k] * t->m.kT); /* eq. 9 */
  p.w = wc;
  if (t->style == &ds_style_lj_cut) {
    const double s6 = pow(t->sigma[k] / r, 6.0), c6 = pow(t->sigma[k] / rc, 6.0);
    p.conservative = special * 24.0 * t->a[k] * s6 * (2.0 * s6 - 1.0) / r;
    p.energy = special * 4.0 * t->a[k] * (s6 * (s6 - 1.0) - t->shift[k] * c6 * (c6 - 1.0));
    return p;
  }
  p.conservative = special * t->a[k] * wc;                    /* eq. 3 */
  p.drag = -special * t->gamma[k] * wr * wr * ev;             /* eqs. 4, 7 */
  p.random = sqrt(special) * sigma * wr * xi / sqrt(t->m.dt); /* eq. 5 */
  p.energy = special * 0.5 * t->a[k] * rc * wc * wc;
  return p;
}

/* ----------------------------------------------------------------------------------------- noise */

/* Of a pair: along the line of centers, and a vector of which the part across it acts. radius: of the
   vector at most, which its errors go by. */
typedef struct {
  double xi, across[3], radius;
} deviates;

/* The words' meaning (gaussian.h): v1 / 2^32 under the logarithm; 31 bits of v2 a phase of a half
   turn, its top bit the sign. */
static void box_muller_libm(uint32_t v1, uint32_t v2, double *a, double *b)
{
  const double u1 = v1 / 4294967296.0, phase = (v2 & 0x7FFFFFFFu) / 2147483648.0;
  const double radius = sqrt(-2.0 * log(u1)) * (v2 >> 31 ? -1.0 : 1.0);
  *a = radius * cos(3.14159265358979323846 * phase);
  *b = radius * sin(3.14159265358979323846 * phase);
}

static void two_normals(uint32_t a, uint32_t b, int k, ref_noise noise, double *p, double *q)
{
  uint32_t v1, v2;
  if (noise == REF_NOISE_ENGINE) {
    ds_pair_normals(a, b, k, p, q);
    return;
  }
  ds_pair_words(a, b, k, &v1, &v2);
  box_muller_libm(v1, v2, p, q);
}

/* The vector is odd: what i sees, j sees reversed. */
static deviates deviates_of(uint32_t i, uint32_t j, ref_noise noise)
{
  deviates d = {0, {0, 0, 0}, 0};
  if (noise == REF_NOISE_NONE) return d;
  two_normals(i, j, 0, noise, &d.xi, &d.across[0]);
  two_normals(i, j, 1, noise, &d.across[1], &d.across[2]);
  d.radius = sqrt(d.xi * d.xi + d.across[0] * d.across[0] + d.across[1] * d.across[1] +
                  d.across[2] * d.across[2]);
  for (int c = 0; c < 3; c++) d.across[c] *= i < j ? 1.0 : i > j ? -1.0 : 0.0;
  return d;
}

static uint32_t signature_of(const test_system *s, const test_model *t, int k, int64_t step)
{
  const double *v = s->v + 3 * k;
  return ds_signature((uint64_t) s->tag[k], (float) v[0], (float) v[1], (float) v[2], t->m.seed,
                      (uint64_t) step);
}

/* Of i and the image of k that it sees: where several can be within the cutoff, each has noise of its own. */
static deviates noise_between(const test_system *s, int i, int k, int several,
                              const uint32_t *signature, ref_noise noise)
{
  int number[3] = {0, 0, 0};
  if (several) system_image_number(s, i, k, number);
  const uint32_t image = ds_image_word(number, signature[i], signature[k]);
  return deviates_of(signature[i] ^ image, signature[k] ^ image, noise);
}

/* ---------------------------------------------------------------------------------------- forces */

static double speed(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Velocity of i relative to the image of k; returns the sum of the sizes of what it is made of. */
static double relative_velocity(const test_system *s, int i, int k, double u[3])
{
  const double *vi = s->v + 3 * i, *vk = s->v + 3 * k;
  double w[3];
  system_image_velocity(s, i, k, w);
  for (int c = 0; c < 3; c++) u[c] = vi[c] - vk[c] - w[c];
  return speed(vi) + speed(vk) + speed(w);
}

/* Change of f w^power, which is now `value`, by an error of dw, divided by dw; also for smaller
   errors. */
static double steepness(double value, double w, double power, double dw)
{
  const double low = fmax(0.0, 1.0 - dw / w), high = 1.0 + dw / w;
  return value * fmax(power / w, fmax(1.0 - pow(low, power), pow(high, power) - 1.0) / dw);
}

/* Force across the line of centers e: - gamma' w'^2 (1 - e e) v + sigma' w' (1 - e e) xi'. */
static void add_across(ref_forces *r, double f[3], const test_system *s, const test_model *t, int i,
                       int k, double length, const double d[3], const deviates *xi, double special,
                       double w, double dw)
{
  const int m = (s->type[i] - 1) * t->m.ntypes + s->type[k] - 1;
  const double power = t->power_across[m], wr = pow(w, power);
  const double friction = special * t->across[m] * wr * wr,
               random = sqrt(special * 2.0 * t->across[m] * t->m.kT / t->m.dt) * wr;
  double u[3], v[3], eu = 0.0;
  const double speeds = relative_velocity(s, i, k, v);
  for (int c = 0; c < 3; c++) {
    u[c] = random * xi->across[c] - friction * v[c];
    eu += u[c] * d[c] / length;
  }
  for (int c = 0; c < 3; c++) f[c] += u[c] - eu * d[c] / length;
  const double drag = friction * speeds, noise = random * xi->radius;
  r->size[i] += drag + noise;
  r->turn[i] += 2.0 * (drag + noise) / length; /* the line of centers enters twice */
  r->slope[i] += steepness(drag, w, 2.0 * power, dw) + steepness(noise, w, power, dw);
}

/* How an error in the distance shows in forces and energies of lj/cut, which are differences of two powers. */
static void add_lj_bounds(ref_forces *r, const test_model *t, int i, int pair, double special, double length)
{
  const double s6 = pow(t->sigma[pair] / length, 6.0), force = special * 24.0 * fabs(t->a[pair]) * s6 / length;
  r->size[i] += force * (2.0 * s6 + 1.0);
  r->turn[i] += force * (2.0 * s6 + 1.0) / length;
  r->slope[i] += t->cutoff[pair] * force * (26.0 * s6 + 7.0) / length;
  r->eslope[i] += 0.5 * (t->cutoff[pair] * force * (2.0 * s6 + 1.0) + special * 4.0 * fabs(t->a[pair]));
}

static void add_pair(ref_forces *r, const test_system *s, const test_model *t, int i, int k,
                     double length, const double d[3], deviates xi, double dw)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const int m = (s->type[i] - 1) * t->m.ntypes + s->type[k] - 1;
  double ev = 0.0, f[3], v[3];
  const double speeds = relative_velocity(s, i, k, v);
  for (int c = 0; c < 3; c++) ev += d[c] * v[c] / length;
  const double special = t->m.special[system_special_code(s, i, k)];
  const ref_pair p = ref_pair_force(t, s->type[i], s->type[k], length, ev, xi.xi, special);
  const double along = p.conservative + p.drag + p.random, power = t->power[m];
  const double drag = special * t->gamma[m] * pow(p.w, 2.0 * power) * speeds;
  const double size = fabs(p.conservative) + drag + fabs(p.random), before = r->size[i];
  r->pairs++;
  r->count[i]++;
  if (t->style == &ds_style_lj_cut) add_lj_bounds(r, t, i, m, special, length);
  r->size[i] += size;
  r->turn[i] += size / length;
  r->slope[i] += steepness(fabs(p.conservative), p.w, 1.0, dw) +
                 steepness(drag, p.w, 2.0 * power, dw) + steepness(fabs(p.random), p.w, power, dw);
  r->eslope[i] += fabs(p.energy) / p.w; /* half of 2 E / w: the pair's energy is shared */
  for (int c = 0; c < 3; c++) f[c] = along * d[c] / length;
  if (t->style == &ds_style_dpd_ext) add_across(r, f, s, t, i, k, length, d, &xi, special, p.w, dw);
  for (int c = 0; c < 3; c++) r->f[3 * i + c] += f[c];
  r->eatom[i] += 0.5 * p.energy;
  r->energy_size += 0.5 * fabs(p.energy);
  r->virial_size += 0.5 * (r->size[i] - before) * length;
  for (int c = 0; c < 6; c++) r->vatom[6 * i + c] += 0.5 * d[row[c]] * f[column[c]];
}

void ref_compute(ref_forces *r, const test_system *s, const test_model *t, int64_t step,
                 ref_noise noise, double dw)
{
  const size_t n = (size_t) s->nlocal;
  const int nall = s->nlocal + s->nghost;
  uint32_t *signature = test_alloc((size_t) nall * sizeof *signature);
  double largest = 0.0;
  memset(r, 0, sizeof *r);
  r->n = s->nlocal;
  r->f = test_alloc(3 * n * sizeof *r->f);
  r->eatom = test_alloc(n * sizeof *r->eatom);
  r->vatom = test_alloc(6 * n * sizeof *r->vatom);
  r->size = test_alloc(n * sizeof *r->size);
  r->slope = test_alloc(n * sizeof *r->slope);
  r->turn = test_alloc(n * sizeof *r->turn);
  r->eslope = test_alloc(n * sizeof *r->eslope);
  r->count = test_alloc(n * sizeof *r->count);
  for (int k = 0; k < t->m.ntypes * t->m.ntypes; k++) largest = fmax(largest, t->cutoff[k]);
  const int several = system_shortest_period(s) < 2.0 * largest;
  for (int k = 0; k < nall; k++) signature[k] = signature_of(s, t, k, step);
  for (int i = 0; i < s->nlocal; i++) {
    for (int k = 0; k < nall; k++) {
      const double cutoff = t->cutoff[(s->type[i] - 1) * t->m.ntypes + s->type[k] - 1];
      double d[3];
      if (k == i || system_excluded(s, i, k)) continue;
      system_separation(s, i, k, d);
      const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (length < cutoff && length > 0.0)
        add_pair(r, s, t, i, k, length, d, noise_between(s, i, k, several, signature, noise), dw);
    }
    r->energy += r->eatom[i];
    for (int c = 0; c < 6; c++) r->virial[c] += r->vatom[6 * i + c];
  }
  free(signature);
}

void ref_free(ref_forces *r)
{
  free(r->f);
  free(r->eatom);
  free(r->vatom);
  free(r->size);
  free(r->slope);
  free(r->turn);
  free(r->eslope);
  free(r->count);
  memset(r, 0, sizeof *r);
}
