/* steps_reference.c: what the operations of a step must do.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/steps_reference.h"

#include <math.h>
#include <string.h>

/* One operation on one particle. */
typedef struct {
  const ds_operation *o;
  const ds_region *regions;
  const double *edge, *flow;
  const ref_sum *from, *also; /* sums that it reads */
  int64_t step;
  ref_particle *p;
  double term[DS_OPERATION_SUMS], term_size[DS_OPERATION_SUMS];
} action;

static void note(ref_particle *p, int vector, double size)
{
  p->size[vector] = fmax(p->size[vector], fabs(size));
}

static void note_all(ref_particle *p)
{
  for (int d = 0; d < 3; d++) {
    note(p, REF_X, p->x[d]);
    note(p, REF_V, p->v[d]);
    note(p, REF_F, p->f[d]);
  }
}

static void add_term(action *a, int k, double part)
{
  a->term[k] += part;
  a->term_size[k] += fabs(part);
}

/* ------------------------------------------------------------------------------------------- regions */

static int in_simple_region(const ds_region *r, const double x[3])
{
  const double *const q = r->number;
  int inside = 0;
  if (r->kind == DS_REGION_BLOCK) {
    inside = 1;
    for (int d = 0; d < 3; d++)
      if (x[d] < q[2 * d] || x[d] > q[2 * d + 1]) inside = 0;
  } else if (r->kind == DS_REGION_SPHERE) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) square += pow(x[d] - q[d], 2);
    inside = square <= q[3] * q[3];
  } else if (r->kind == DS_REGION_CYLINDER) {
    static const int others[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    const int axis = (int) q[0], *const o = others[axis];
    const double square = pow(x[o[0]] - q[1], 2) + pow(x[o[1]] - q[2], 2);
    inside = square <= q[3] * q[3] && q[4] <= x[axis] && x[axis] <= q[5];
  } else if (r->kind == DS_REGION_PLANE) {
    double along = 0.0;
    for (int d = 0; d < 3; d++) along += q[3 + d] * (x[d] - q[d]);
    inside = along >= 0.0;
  }
  return r->outside ? !inside : inside;
}

int ref_in_region(const ds_region *all, int number, const double x[3])
{
  const ds_region *const r = &all[number];
  if (r->kind < DS_REGION_UNION) return in_simple_region(r, x);
  int any = 0, every = 1;
  for (int k = r->first; k < r->first + r->count; k++) {
    const int inside = in_simple_region(&all[k], x);
    any |= inside;
    every &= inside;
  }
  const int inside = r->kind == DS_REGION_UNION ? any : every;
  return r->outside ? !inside : inside;
}

/* ----------------------------------------------------------------------------------------- positions */

/* As columns: the edges of the box are (xx, 0, 0), (xy, yy, 0), (xz, yz, zz). */
static void unwrap(const action *a, double x[3])
{
  const double *const h = a->edge;
  const double column[3][3] = {{h[0], 0.0, 0.0}, {h[5], h[1], 0.0}, {h[4], h[3], h[2]}};
  for (int d = 0; d < 3; d++) {
    x[d] = a->p->x[d];
    for (int k = 0; k < 3; k++) x[d] += (double) a->p->image[k] * column[k][d];
  }
}

static double largest_of(const double x[3])
{
  return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

/* The center of mass that DS_SUM_CENTER has summed, in units of `unit`. */
static double center_of(const action *a, int d, double unit)
{
  return (double) (a->from[d].value / a->from[3].value) * unit;
}

/* --------------------------------------------------------------------------------------- integration */

static void kick(ref_particle *p, int d, double half)
{
  p->v[d] += half / p->mass * p->f[d];
  note(p, REF_V, half / p->mass * p->size[REF_F]);
}

static void drift(ref_particle *p, int d, double dt)
{
  p->x[d] += dt * p->v[d];
  note(p, REF_X, dt * p->size[REF_V]);
}

static void nve(action *a, int limited, int first)
{
  ref_particle *const p = a->p;
  const double *const q = a->o->number;
  for (int d = 0; d < 3; d++) kick(p, d, q[1]);
  const double square = p->v[0] * p->v[0] + p->v[1] * p->v[1] + p->v[2] * p->v[2];
  if (limited && square > q[2]) add_term(a, 0, a->o->unit);
  for (int d = 0; d < 3 && limited && square > q[2]; d++) p->v[d] = p->v[d] / sqrt(square) * sqrt(q[2]);
  for (int d = 0; d < 3 && first; d++) drift(p, d, q[0]);
}

/* With lambda, forces see another velocity than positions move with. */
static void mvv(action *a, int first)
{
  ref_particle *const p = a->p;
  const double *const q = a->o->number;
  for (int d = 0; d < 3; d++) {
    double *const kept = &p->anchor[a->o->anchor][d];
    const double half = q[1] / p->mass * p->f[d], old = p->v[d];
    note(p, REF_V, fmax(fmax(fabs(old), fabs(*kept)), q[1] / p->mass * p->size[REF_F]));
    p->v[d] = first ? old + 2.0 * q[2] * half : old + *kept + half;
    if (!first) continue;
    p->x[d] += q[0] * (old + half);
    note(p, REF_X, q[0] * p->size[REF_V]);
    *kept = (1.0 - 2.0 * q[2]) * half;
  }
}

static void move_linear(action *a, int first)
{
  ref_particle *const p = a->p;
  const double *const q = a->o->number;
  double old[3];
  unwrap(a, old);
  const double since = (double) (a->step - (int64_t) q[6]) * q[7];
  for (int d = 0; d < 3; d++) {
    if (q[3 + d] == 0.0) {
      kick(p, d, q[8]);
      if (first) drift(p, d, q[7]);
    } else if (first) {
      const double anchor = p->anchor[a->o->anchor][d];
      p->v[d] = q[d];
      p->x[d] += anchor + q[d] * since - old[d];
      note(p, REF_X, fmax(largest_of(old), fabs(anchor) + fabs(q[d] * since)));
    }
  }
}

/* ------------------------------------------------------------------------------------------- thermal velocity */

/* What of the velocity is no heat: all of an axis, or a flow, which is linear in x. */
static void find_bias(const action *a, const double *bias, double flow[3])
{
  static const int place[3][3] = {{0, 5, 4}, {-1, 1, 3}, {-1, -1, 2}};
  for (int d = 0; d < 3; d++) {
    flow[d] = bias[0] == DS_BIAS_AXES && bias[1 + d] != 0.0 ? a->p->v[d] : 0.0;
    if (bias[0] != DS_BIAS_FLOW) continue;
    flow[d] = a->flow[6 + d];
    for (int e = d; e < 3; e++) flow[d] += a->flow[place[d][e]] * a->p->x[e];
    note(a->p, REF_V, fmax(fabs(flow[d]), largest_of(a->p->x)));
  }
}

static void find_heat(const action *a, const double *bias, double v[3])
{
  double flow[3];
  find_bias(a, bias, flow);
  for (int d = 0; d < 3; d++) v[d] = a->p->v[d] - flow[d];
}

/* -------------------------------------------------------------------------------------------- forces */

/* Axes of xx yy zz xy xz yz. */
static const int first_axis[6] = {0, 1, 2, 0, 0, 1}, second_axis[6] = {0, 1, 2, 1, 2, 2};

static void push(action *a, int d, double force)
{
  a->p->f[d] += force;
  note(a->p, REF_F, force);
}

static void add_force(action *a)
{
  double x[3];
  unwrap(a, x);
  for (int k = 0; k < 6; k++) add_term(a, 4 + k, a->o->number[first_axis[k]] * x[second_axis[k]]);
  for (int d = 0; d < 3; d++) {
    add_term(a, 0, -a->o->number[d] * x[d]);
    add_term(a, 1 + d, a->p->f[d]);
    push(a, d, a->o->number[d]);
  }
}

static void set_force(action *a)
{
  for (int d = 0; d < 3; d++) {
    add_term(a, d, a->p->f[d]);
    if (a->o->number[3 + d] != 0.0) a->p->f[d] = a->o->number[d];
  }
}

static void sum_force(action *a)
{
  for (int d = 0; d < 3; d++) add_term(a, d, a->p->f[d]);
  add_term(a, 3, a->o->unit);
}

/* Particles are counted in units of the sums. */
static void average_force(action *a, double unit)
{
  const long double particles = a->from[3].value / unit;
  for (int d = 0; d < 3; d++)
    if (a->o->number[3 + d] != 0.0) {
      const double mean = (double) (a->from[d].value / particles);
      a->p->f[d] = mean + a->o->number[d];
      note(a->p, REF_F, (double) (a->from[d].size / particles));
    }
}

static void gravity(action *a)
{
  for (int d = 0; d < 3; d++) {
    add_term(a, 0, -a->p->mass * a->o->number[d] * a->p->x[d]);
    push(a, d, a->p->mass * a->o->number[d]);
  }
}

static void spring_tether(action *a)
{
  const double *const q = a->o->number;
  double away[3] = {0.0, 0.0, 0.0}, size = 0.0;
  for (int d = 0; d < 3; d++)
    if (q[4 + d] != 0.0) {
      away[d] = center_of(a, d, q[8]) - q[1 + d];
      size = fmax(size, (double) (a->from[d].size / a->from[3].value) * q[8] + fabs(q[1 + d]));
    }
  const double r = fmax(hypot(hypot(away[0], away[1]), away[2]), 1e-10);
  const double part = a->p->mass / (double) a->from[3].value;
  for (int d = 0; d < 3; d++) push(a, d, -q[0] * (r - q[7]) / r * away[d] * part);
  note(a->p, REF_F, q[0] * part * size * (1.0 + q[7] / r));
}

static void spring_self(action *a)
{
  const double k = a->o->number[0];
  double x[3];
  unwrap(a, x);
  for (int d = 0; d < 3; d++) {
    const double anchor = a->p->anchor[a->o->anchor][d], way = x[d] - anchor;
    if (a->o->number[1 + d] == 0.0) continue;
    const double size = largest_of(x) + fabs(anchor);
    add_term(a, 0, k * way * way / 2.0);
    a->term_size[0] += k * fabs(way) * size;
    push(a, d, -k * way);
    note(a->p, REF_F, k * size);
  }
}

/* Philox4x32 with ten rounds (Salmon et al. 2011) of a counter that names step and particle. */
static void philox(uint64_t seed, uint64_t step, uint64_t tag, uint32_t word[4])
{
  uint32_t key[2] = {(uint32_t) seed, (uint32_t) (seed >> 32)};
  uint32_t c[4] = {(uint32_t) tag, (uint32_t) ((tag >> 32 & 0xFFFF) | (step >> 32 & 0xFFFF) << 16), (uint32_t) step, 3};
  for (int round = 0; round < 10; round++) {
    const uint64_t left = (uint64_t) 0xD2511F53 * c[0], right = (uint64_t) 0xCD9E8D57 * c[2];
    const uint32_t next[4] = {(uint32_t) (right >> 32) ^ c[1] ^ key[0], (uint32_t) right,
                              (uint32_t) (left >> 32) ^ c[3] ^ key[1], (uint32_t) left};
    memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  memcpy(word, c, sizeof c);
}

static int is_of_types(const action *a)
{
  const double *const q = a->o->number;
  return q[4] == 0.0 || (a->p->type >= (int) q[3] && a->p->type <= (int) q[4]);
}

static double noise_of(const action *a, int d)
{
  const double *const q = a->o->number;
  uint32_t word[4];
  philox((uint64_t) q[2], (uint64_t) a->step, (uint64_t) a->p->tag, word);
  const double uniform = (double) (2 * (int64_t) word[d] + 1 - ((int64_t) 1 << 32)) / ldexp(1.0, 33);
  double heat[3];
  find_heat(a, q + 7, heat);
  if (q[7] != DS_BIAS_NONE && heat[d] == 0.0) return 0.0;
  return q[1] * sqrt(a->p->mass) * uniform;
}

static void sum_noise(action *a)
{
  if (!is_of_types(a)) return;
  for (int d = 0; d < 3; d++) {
    add_term(a, d, noise_of(a, d));
    a->term_size[d] += a->o->number[1] * sqrt(a->p->mass);
  }
  add_term(a, 3, a->o->unit);
}

/* Of one operation after the other, as many as there are. */
static double mean_noise(const action *a, int d, double unit, double *size)
{
  long double noise = 0.0L, particles = 0.0L, all = 0.0L;
  for (int k = 0; k < (int) a->o->number[5]; k++) {
    const ref_sum *const sum = a->from + k * DS_OPERATION_SUMS;
    noise += sum[d].value;
    all += sum[d].size;
    particles += sum[3].value / unit;
  }
  *size = particles > 0.0L ? (double) (all / particles) : 0.0;
  return particles > 0.0L ? (double) (noise / particles) : 0.0;
}

static void langevin(action *a, double unit)
{
  const double *const q = a->o->number;
  double heat[3];
  if (!is_of_types(a)) return;
  find_heat(a, q + 7, heat);
  for (int d = 0; d < 3; d++) {
    double size;
    const double mean = mean_noise(a, d, unit, &size), largest = q[1] * sqrt(a->p->mass) + size;
    const double noise = noise_of(a, d) - mean, drag = q[0] * a->p->mass * heat[d];
    add_term(a, 0, drag * a->p->v[d]);
    add_term(a, 0, noise * a->p->v[d]);
    a->term_size[0] += size * fabs(a->p->v[d]);
    add_term(a, 1 + d, noise);
    note(a->p, REF_F, q[0] * a->p->mass * a->p->size[REF_V]);
    push(a, d, drag + noise);
    note(a->p, REF_F, largest);
    a->term_size[1 + d] += largest; /* of a word near the middle little is left */
    if (q[6] != 0.0) a->p->anchor[a->o->anchor][d] = drag + noise;
  }
}

static void sum_work(action *a)
{
  for (int d = 0; d < 3; d++) add_term(a, 0, a->o->number[0] * a->p->anchor[a->o->anchor][d] * a->p->v[d]);
  a->term_size[0] += 3.0 * fabs(a->o->number[0]) * a->p->size[REF_F] * largest_of(a->p->v);
}

/* --------------------------------------------------------------------------------------------- walls */

/* From the wall to the particle, > 0 on its side. */
static double distance_from_wall(const action *a)
{
  return a->o->number[1] * (a->o->number[2] - a->p->x[(int) a->o->number[0]]);
}

static int wall(action *a)
{
  const double *const q = a->o->number, r = distance_from_wall(a), side = q[1];
  double force[2] = {0.0, 0.0}, energy[3] = {0.0, 0.0, 0.0};
  if (r >= q[3]) return 0;
  if (!(r > 0.0)) return 1;
  if (a->o->kind == DS_WALL_HARMONIC) {
    force[0] = q[4] * (q[3] - r);
    energy[0] = q[5] * pow(q[3] - r, 2);
  } else {
    const int is_93 = a->o->kind == DS_WALL_LJ93;
    force[0] = q[4] * pow(r, is_93 ? -10 : -13);
    force[1] = -q[5] * pow(r, is_93 ? -4 : -7);
    energy[0] = q[6] * pow(r, is_93 ? -9 : -12);
    energy[1] = -q[7] * pow(r, is_93 ? -3 : -6);
    energy[2] = -q[8];
  }
  for (int k = 0; k < 3; k++) add_term(a, 0, energy[k]);
  for (int k = 0; k < 2; k++) {
    add_term(a, 1, side * force[k]);
    add_term(a, 2, force[k] * r);
    note(a->p, REF_F, force[k]);
  }
  push(a, (int) q[0], -side * (force[0] + force[1]));
  return 0;
}

static void wall_reflect(action *a)
{
  const int axis = (int) a->o->number[0];
  if (distance_from_wall(a) >= 0.0) return;
  note(a->p, REF_X, a->o->number[2]);
  a->p->x[axis] = 2.0 * a->o->number[2] - a->p->x[axis];
  a->p->v[axis] = -a->p->v[axis];
}

/* Back to where it met the wall, and from there with the velocity reversed as the wall sees it. */
static int wall_bounce(action *a)
{
  const double *const q = a->o->number, *const of_wall = q + 3;
  const int axis = (int) q[0];
  ref_particle *const p = a->p;
  const double behind = -distance_from_wall(a), toward = q[1] * (p->v[axis] - of_wall[axis]);
  if (!(behind > 0.0)) return 0;
  if (!(toward > 0.0)) return 1;
  for (int d = 0; d < 3; d++) {
    const double seen = p->v[d] - of_wall[d], since = behind / toward;
    note(p, REF_X, 2.0 * seen * since);
    note(p, REF_V, of_wall[d]);
    p->x[d] -= 2.0 * seen * since;
    p->v[d] = of_wall[d] - seen;
  }
  note(p, REF_X, q[2]);
  return 0;
}

/* Where the way of this step leaves the region for the last time, as far as 2^-40 of a step tells. */
static double time_in_region(const action *a, const double before[3])
{
  double in = 0.0, out = 1.0;
  while (out - in > ldexp(1.0, -40)) {
    const double middle = (in + out) / 2.0;
    double at[3];
    for (int d = 0; d < 3; d++) at[d] = before[d] + middle * a->o->number[0] * a->p->v[d];
    if (ref_in_region(a->regions, a->o->region, at))
      in = middle;
    else
      out = middle;
  }
  return in;
}

static int region_bounce(action *a)
{
  ref_particle *const p = a->p;
  const double dt = a->o->number[0];
  double before[3];
  for (int d = 0; d < 3; d++) before[d] = p->x[d] - dt * p->v[d];
  if (!ref_in_region(a->regions, a->o->region, before)) return 1;
  const double met = time_in_region(a, before);
  for (int d = 0; d < 3; d++) {
    note(p, REF_X, dt * p->v[d]);
    p->x[d] = before[d] + met * dt * p->v[d] - (1.0 - met) * dt * p->v[d];
    p->v[d] = -p->v[d];
  }
  if (!ref_in_region(a->regions, a->o->region, p->x)) memcpy(p->x, before, sizeof before);
  return 0;
}

/* -------------------------------------------------------------------------------------- sums and scaling */

static void sum_kinetic(action *a)
{
  double v[3];
  find_heat(a, a->o->number, v);
  for (int k = 0; k < 6; k++) {
    add_term(a, k, a->p->mass * v[first_axis[k]] * v[second_axis[k]]);
    if (a->o->number[0] == DS_BIAS_FLOW) a->term_size[k] += 4.0 * a->p->mass * a->p->size[REF_V] * largest_of(v);
  }
}

static void add_square(action *a, int k, double factor, const double v[3], double size)
{
  for (int d = 0; d < 3; d++) add_term(a, k, factor * a->p->mass * v[d] * v[d]);
  a->term_size[k] += 4.0 * fabs(factor) * a->p->mass * size * largest_of(v);
}

static void sum_kinetic_trace(action *a)
{
  double v[3];
  find_heat(a, a->o->number, v);
  add_square(a, 0, 1.0, v, a->o->number[0] == DS_BIAS_FLOW ? a->p->size[REF_V] : 0.0);
}

static void sum_momentum(action *a)
{
  for (int d = 0; d < 3; d++) add_term(a, d, a->p->mass * a->p->v[d]);
  add_term(a, 3, a->p->mass);
  add_square(a, 4, 1.0, a->p->v, 0.0);
}

static void sum_center(action *a)
{
  double x[3];
  unwrap(a, x);
  for (int d = 0; d < 3; d++) {
    add_term(a, d, a->p->mass * x[d] / a->o->number[0]);
    a->term_size[d] += a->p->mass * largest_of(x) / a->o->number[0]; /* edges of a tilted box cancel */
  }
  add_term(a, 3, a->p->mass);
}

static void sum_displacement(action *a)
{
  const double unit = a->o->number[0];
  double x[3];
  unwrap(a, x);
  for (int d = 0; d < 3; d++) {
    const double anchor = a->p->anchor[a->o->anchor][d], center = unit != 0.0 ? center_of(a, d, unit) : 0.0;
    const double way = x[d] - anchor - center;
    add_term(a, d, way * way);
    a->term_size[d] += fabs(way) * (largest_of(x) + fabs(anchor) + fabs(center));
  }
}

static void scale_velocity(action *a, double factor)
{
  for (int d = 0; d < 3; d++) a->p->v[d] *= factor;
}

static void rescale_temperature(action *a)
{
  const double *const q = a->o->number, now = q[0] * (double) a->from[0].value, target = q[1];
  if (!(now > 0.0 && fabs(now - target) > q[2])) return;
  const double factor = sqrt(1.0 + q[3] * (target - now) / now);
  double rest[3], heat[3];
  find_bias(a, q + 5, rest);
  for (int d = 0; d < 3; d++) heat[d] = a->p->v[d] - rest[d];
  add_square(a, 0, q[4], heat, a->p->size[REF_V]);
  for (int d = 0; d < 3; d++) {
    heat[d] *= factor;
    a->p->v[d] = rest[d] + heat[d];
  }
  add_square(a, 0, -q[4], heat, a->p->size[REF_V]);
  note(a->p, REF_V, factor * a->p->size[REF_V]);
}

/* (factors) (1 + shear) (factors), as a matrix. */
static void scale_by_matrix(action *a)
{
  const double *const q = a->o->number, *const v = a->p->v;
  const double m[3][3] = {{q[6] * q[0], q[6] * q[5] * q[1], q[6] * q[4] * q[2]},
                          {0.0, q[7] * q[1], q[7] * q[3] * q[2]},
                          {0.0, 0.0, q[8] * q[2]}};
  double to[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) to[i] += m[i][j] * v[j];
  memcpy(a->p->v, to, sizeof to);
}

static void remap(action *a)
{
  static const int place[3][3] = {{0, 5, 4}, {-1, 1, 3}, {-1, -1, 2}};
  const double *const q = a->o->number;
  double to[3];
  for (int i = 0; i < 3; i++) {
    to[i] = q[9 + i];
    for (int j = i; j < 3; j++) to[i] += q[place[i][j]] * (a->p->x[j] - q[6 + j]);
    note(a->p, REF_X, q[9 + i]);
  }
  memcpy(a->p->x, to, sizeof to);
}

/* By a matrix, from one corner, or to another one. */
static void half_of_remap(action *a, int to_fractions)
{
  static const int place[3][3] = {{0, 5, 4}, {-1, 1, 3}, {-1, -1, 2}};
  const double *const q = a->o->number;
  double to[3];
  for (int i = 0; i < 3; i++) {
    to[i] = to_fractions ? 0.0 : q[6 + i];
    for (int j = i; j < 3; j++) {
      to[i] += q[place[i][j]] * (a->p->x[j] - (to_fractions ? q[6 + j] : 0.0));
      note(a->p, REF_X, q[place[i][j]] * (fabs(a->p->x[j]) + fabs(q[6 + j])));
    }
    note(a->p, REF_X, to[i]);
  }
  memcpy(a->p->x, to, sizeof to);
}

static void remove_momentum(action *a)
{
  const double mass = (double) a->from[3].value;
  for (int d = 0; d < 3; d++)
    if (a->o->number[d] != 0.0 && mass > 0.0) {
      a->p->v[d] -= (double) a->from[d].value / mass;
      note(a->p, REF_V, (double) a->from[d].size / mass);
    }
}

static void rescale_energy(action *a)
{
  const long double now = a->from[0].value;
  if (now > 0.0L) scale_velocity(a, (double) sqrtl(a->also[4].value / now));
}

/* ------------------------------------------------------------------------------------------- rotation */

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

/* From the center of mass. Returns the size of what it is made of. */
static double way_from_center(const action *a, const ref_sum *center, double r[3])
{
  double size = 0.0;
  unwrap(a, r);
  for (int d = 0; d < 3; d++) {
    size = fmax(size, fabs(r[d]) + (double) (center[d].size / center[3].value) * a->o->number[0]);
    r[d] -= (double) (center[d].value / center[3].value) * a->o->number[0];
  }
  return size;
}

static void sum_rotation(action *a)
{
  const double length = a->o->number[0], velocity = a->o->number[1], m = a->p->mass;
  double r[3], turn[3], square = 0.0;
  const double size = way_from_center(a, a->from, r), fast = largest_of(a->p->v);
  cross(r, a->p->v, turn);
  for (int d = 0; d < 3; d++) square += r[d] * r[d];
  for (int d = 0; d < 3; d++) {
    add_term(a, d, m * turn[d] / length / velocity);
    a->term_size[d] += 2.0 * m * size * fast / length / velocity;
  }
  for (int k = 0; k < 6; k++) {
    add_term(a, 3 + k, m * ((k < 3 ? square : 0.0) - r[first_axis[k]] * r[second_axis[k]]) / length / length);
    a->term_size[3 + k] += 4.0 * m * size * size / length / length;
  }
}

/* Inertia times w is the angular momentum: the smallest w that solves it best, by steps along conjugate gradients from 0,
   which stay among the directions in which the body can turn. */
static void find_angular_velocity(const action *a, long double w[3])
{
  static const int place[3][3] = {{3, 6, 7}, {6, 4, 8}, {7, 8, 5}};
  long double left[3], along[3], square = 0.0L, scale = 0.0L;
  for (int d = 0; d < 3; d++) {
    w[d] = 0.0L;
    along[d] = left[d] = a->from[d].value * a->o->number[1] / a->o->number[0];
    square += left[d] * left[d];
    scale = fmaxl(scale, a->from[3 + d].value);
  }
  for (int k = 0; k < 3 && square > 0.0L; k++) {
    long double image[3] = {0.0L, 0.0L, 0.0L}, bend = 0.0L, next = 0.0L;
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++) image[d] += a->from[place[d][e]].value * along[e];
    for (int d = 0; d < 3; d++) bend += along[d] * image[d];
    long double size = 0.0L;
    for (int d = 0; d < 3; d++) size += along[d] * along[d];
    if (!(bend > 1e-9L * scale * size)) return; /* it cannot turn about this */
    for (int d = 0; d < 3; d++) {
      w[d] += square / bend * along[d];
      left[d] -= square / bend * image[d];
      next += left[d] * left[d];
    }
    for (int d = 0; d < 3; d++) along[d] = left[d] + next / square * along[d];
    square = next;
  }
}

/* How much rounding errors of the sums grow in w: no more than by the ratio of the largest and the smallest moment. */
static void remove_rotation(action *a)
{
  long double w[3];
  double r[3], turn[3], of_w[3];
  if (!(a->also[3].value > 0.0L)) return;
  const double size = way_from_center(a, a->also, r);
  find_angular_velocity(a, w);
  for (int d = 0; d < 3; d++) of_w[d] = (double) w[d];
  cross(of_w, r, turn);
  for (int d = 0; d < 3; d++) a->p->v[d] -= turn[d];
  note(a->p, REF_V, 2.0 * size * largest_of(of_w));
}

/* --------------------------------------------------------------------------------------- all of them */

static int act(action *a, double from_unit)
{
  switch ((ds_operation_kind) a->o->kind) {
    case DS_NVE_INITIAL: nve(a, 0, 1); break;
    case DS_NVE_FINAL: nve(a, 0, 0); break;
    case DS_NVE_LIMIT_INITIAL: nve(a, 1, 1); break;
    case DS_NVE_LIMIT_FINAL: nve(a, 1, 0); break;
    case DS_MVV_INITIAL: mvv(a, 1); break;
    case DS_MVV_FINAL: mvv(a, 0); break;
    case DS_ADD_FORCE: add_force(a); break;
    case DS_SET_FORCE: set_force(a); break;
    case DS_SUM_FORCE: sum_force(a); break;
    case DS_AVERAGE_FORCE: average_force(a, from_unit); break;
    case DS_GRAVITY: gravity(a); break;
    case DS_SUM_NOISE: sum_noise(a); break;
    case DS_LANGEVIN: langevin(a, from_unit); break;
    case DS_SUM_WORK: sum_work(a); break;
    case DS_SUM_CENTER: sum_center(a); break;
    case DS_SPRING_TETHER: spring_tether(a); break;
    case DS_WALL_REFLECT: wall_reflect(a); break;
    case DS_WALL_BOUNCE: return wall_bounce(a);
    case DS_REGION_BOUNCE: return region_bounce(a);
    case DS_WALL_LJ93:
    case DS_WALL_LJ126:
    case DS_WALL_HARMONIC: return wall(a);
    case DS_SUM_KINETIC: sum_kinetic(a); break;
    case DS_RESCALE_TEMPERATURE: rescale_temperature(a); break;
    case DS_SUM_MOMENTUM: sum_momentum(a); break;
    case DS_SUM_KINETIC_TRACE: sum_kinetic_trace(a); break;
    case DS_REMOVE_MOMENTUM: remove_momentum(a); break;
    case DS_RESCALE_ENERGY: rescale_energy(a); break;
    case DS_SPRING_SELF: spring_self(a); break;
    case DS_SUM_DISPLACEMENT: sum_displacement(a); break;
    case DS_MOVE_LINEAR_INITIAL: move_linear(a, 1); break;
    case DS_MOVE_LINEAR_FINAL: move_linear(a, 0); break;
    case DS_SUM_ROTATION: sum_rotation(a); break;
    case DS_REMOVE_ROTATION: remove_rotation(a); break;
    case DS_SCALE_VELOCITY: scale_by_matrix(a); break;
    case DS_DRIFT:
      for (int d = 0; d < 3; d++) drift(a->p, d, a->o->number[0]);
      break;
    case DS_REMAP: remap(a); break;
    case DS_TO_FRACTIONS: half_of_remap(a, 1); break;
    case DS_FROM_FRACTIONS: half_of_remap(a, 0); break;
    case DS_CHANGE_BOX: break;
    case DS_ADD_TO_BINS: break; /* no particle changes: test_engine_steps_bins.c */
    case DS_BODY_SUM: /* test_engine_steps_bodies.c */
    case DS_BODY_VELOCITY:
    case DS_BODY_PLACE:
    case DS_BODY_KINETIC:
    case DS_OPERATION_KINDS: return 1;
  }
  return 0;
}

static int is_concerned(const ds_step_program *program, const ds_operation *o, const ref_particle *p)
{
  if (!(p->mask & o->group)) return 0;
  if (o->region < 0) return 1;
  const int inside = ref_in_region(program->region, o->region, p->x);
  return o->flags & DS_OUTSIDE_REGION ? !inside : inside;
}

void ref_steps(const ds_step_program *program, const double edge[6], int64_t step, ref_particle *particle, int n,
               ref_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  for (int i = 0; i < n; i++) note_all(&particle[i]);
  for (int k = 0; k < program->n; k++) {
    const ds_operation *const o = &program->operation[k];
    for (int i = 0; i < n; i++) {
      action a;
      if (!is_concerned(program, o, &particle[i])) continue;
      memset(&a, 0, sizeof a);
      a.o = o;
      a.regions = program->region;
      a.edge = edge;
      a.flow = program->flow;
      a.step = step;
      a.p = &particle[i];
      if (o->from >= 0) a.from = sums->sum[o->from];
      if (o->also >= 0) a.also = sums->sum[o->also];
      sums->faults += act(&a, o->from >= 0 ? program->operation[o->from].unit : 1.0);
      for (int j = 0; j < DS_OPERATION_SUMS; j++) {
        sums->sum[k][j].value += a.term[j];
        sums->sum[k][j].size += a.term_size[j];
      }
      note_all(a.p);
    }
  }
}
