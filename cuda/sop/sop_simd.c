/* Forces, noise and steps of SOP molecules on the host; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "batch_normals.h"
#include "kernels.h"

#include <string.h>

/* ------------------------------------------------------------------------------------- one pair */

typedef struct {
  float x, y, z, r2;
} separation;

DS_FUNC separation separation_of(int32_t xi, int32_t yi, int32_t zi, int32_t xj, int32_t yj, int32_t zj)
{
  separation s;
  s.x = (float) ds_diff32(xi, xj);
  s.y = (float) ds_diff32(yi, yj);
  s.z = (float) ds_diff32(zi, zj);
  s.r2 = ds_squaref(s.x, s.y, s.z);
  return s;
}

/* Force over length of a pair of some kind, in units of force per unit of a coordinate. `kind` is a constant wherever
   this is used. */
DS_FUNC float pair_force(const ds_sop_model *m, ds_sop_kind kind, ds_sop_bondf bond, ds_sop_contactf contact, float r2,
                         int *fault)
{
  if (kind == DS_SOP_BONDS) {
    float room;
    const float f = ds_sop_bond_forcef(&bond, r2, &room);
    *fault |= !(room > 0.0f);
    return f;
  }
  if (kind == DS_SOP_CONTACTS) return ds_sop_contact_forcef(&contact, r2);
  if (kind == DS_SOP_ANGLES) return ds_sop_repulsion_forcef(&m->angle, r2);
  const float f = ds_sop_repulsion_forcef(&m->other, r2);
  return r2 < m->cut2 ? f : 0.0f;
}

static const ds_sop_bondf no_bond = {0.0f, 0.0f, 0.0f};
static const ds_sop_contactf no_contact = {0.0f, 0.0f};

/* ------------------------------------------------------------------ a block of molecules, side by side */

DS_FUNC int lane_pair(const ds_sop_model *m, ds_sop_kind kind, ds_sop_bondf bond, ds_sop_contactf contact, size_t i, size_t j,
                      const int32_t *restrict x, const int32_t *restrict y, const int32_t *restrict z, int32_t *restrict fx,
                      int32_t *restrict fy, int32_t *restrict fz)
{
  int fault = 0;
  i *= DS_SOP_LANES;
  j *= DS_SOP_LANES;
  DS_VECTOR_LOOP
  for (int l = 0; l < DS_SOP_LANES; l++) {
    const separation s = separation_of(x[i + l], y[i + l], z[i + l], x[j + l], y[j + l], z[j + l]);
    int bad = 0;
    const float f = pair_force(m, kind, bond, contact, s.r2, &bad);
    const int32_t qx = ds_sop_quanta(f, s.x, &bad), qy = ds_sop_quanta(f, s.y, &bad), qz = ds_sop_quanta(f, s.z, &bad);
    fx[i + l] += qx;
    fy[i + l] += qy;
    fz[i + l] += qz;
    fx[j + l] -= qx;
    fy[j + l] -= qy;
    fz[j + l] -= qz;
    fault |= bad;
  }
  return fault;
}

int DS_KERNEL(ds_sop_lane_forces)(const ds_sop_model *m, const ds_sop_pair_list *listed, const int32_t *const x[3],
                                  int32_t *const f[3])
{
  const ds_sop_pairs *const p = m->pairs;
  int fault = 0;
  for (int c = 0; c < 3; c++) memset(f[c], 0, (size_t) m->topology.beads * DS_SOP_LANES * sizeof *f[c]);
#define EACH(kind, list, bond, contact)                                                                                        \
  for (int32_t k = 0; k < (list)->count; k++)                                                                                  \
    fault |=                                                                                                                   \
        lane_pair(m, kind, bond, contact, (size_t) (list)->i[k], (size_t) (list)->j[k], x[0], x[1], x[2], f[0], f[1], f[2]);
  EACH(DS_SOP_BONDS, &p[DS_SOP_BONDS], m->bond[k], no_contact)
  EACH(DS_SOP_CONTACTS, &p[DS_SOP_CONTACTS], no_bond, m->contact[k])
  EACH(DS_SOP_ANGLES, &p[DS_SOP_ANGLES], no_bond, no_contact)
  EACH(DS_SOP_LISTED, listed, no_bond, no_contact)
#undef EACH
  return fault;
}

/* ---------------------------------------------------------------------------- one bead, its partners */

/* Adds up the pairs of one kind: of place `at` with places base + partner[k]; pair[k] names the coefficients. */
DS_FUNC int row(const ds_sop_model *m, ds_sop_kind kind, int64_t at, int64_t base, const int32_t *partner, const int32_t *pair,
                int32_t count, const int32_t *restrict x, const int32_t *restrict y, const int32_t *restrict z,
                int32_t force[3])
{
  const int32_t xi = x[at], yi = y[at], zi = z[at];
  int32_t fx = 0, fy = 0, fz = 0;
  int fault = 0;
  DS_VECTOR_LOOP
  for (int32_t k = 0; k < count; k++) {
    const int64_t j = base + partner[k];
    const separation s = separation_of(xi, yi, zi, x[j], y[j], z[j]);
    const float f = pair_force(m, kind, kind == DS_SOP_BONDS ? m->bond[pair[k]] : no_bond,
                               kind == DS_SOP_CONTACTS ? m->contact[pair[k]] : no_contact, s.r2, &fault);
    fx += ds_sop_quanta(f, s.x, &fault);
    fy += ds_sop_quanta(f, s.y, &fault);
    fz += ds_sop_quanta(f, s.z, &fault);
  }
  force[0] += fx;
  force[1] += fy;
  force[2] += fz;
  return fault;
}

int DS_KERNEL(ds_sop_bead_force)(const ds_sop_model *m, int32_t bead, int64_t base, const int32_t *const x[3],
                                 const int32_t *listed, int32_t count, int32_t force[3])
{
  int fault = 0;
  force[0] = force[1] = force[2] = 0;
#define EACH(kind)                                                                                                             \
  {                                                                                                                            \
    const ds_sop_rows *const r = &m->rows[kind];                                                                               \
    const int32_t first = r->first[bead];                                                                                      \
    fault |= row(m, kind, base + bead, base, r->partner + first, r->pair + first, r->first[bead + 1] - first, x[0], x[1],      \
                 x[2], force);                                                                                                 \
  }
  EACH(DS_SOP_BONDS)
  EACH(DS_SOP_CONTACTS)
  EACH(DS_SOP_ANGLES)
#undef EACH
  return fault | row(m, DS_SOP_LISTED, base + bead, 0, listed, NULL, count, x[0], x[1], x[2], force);
}

/* ------------------------------------------------------------------------------- pair by pair, to slots */

/* Forces of at most DS_SOP_BATCH pairs, i[k] with j[k]. coefficient[k]: a number in the model's table, or first + k where that
   is NULL. */
DS_FUNC int batch_of_pairs(const ds_sop_model *m, ds_sop_kind kind, const int32_t *restrict pair_i,
                           const int32_t *restrict pair_j, const int32_t *restrict coefficient, int64_t first, int n,
                           const int32_t *restrict x, const int32_t *restrict y, const int32_t *restrict z,
                           int32_t *restrict qx, int32_t *restrict qy, int32_t *restrict qz)
{
  int fault = 0;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const int32_t i = pair_i[k], j = pair_j[k];
    const int64_t c = coefficient ? coefficient[k] : first + k;
    const separation s = separation_of(x[i], y[i], z[i], x[j], y[j], z[j]);
    const float f = pair_force(m, kind, kind == DS_SOP_BONDS ? m->bond[c] : no_bond,
                               kind == DS_SOP_CONTACTS ? m->contact[c] : no_contact, s.r2, &fault);
    qx[k] = ds_sop_quanta(f, s.x, &fault);
    qy[k] = ds_sop_quanta(f, s.y, &fault);
    qz[k] = ds_sop_quanta(f, s.z, &fault);
  }
  return fault;
}

DS_FUNC int pairs_of_kind(const ds_sop_model *m, ds_sop_kind kind, const ds_sop_slotted_pairs *p, int64_t first, int64_t last,
                          const int32_t *const x[3], int32_t *slots)
{
  int32_t q[3][DS_SOP_BATCH];
  int fault = 0;
  for (int64_t at = first; at < last; at += DS_SOP_BATCH) {
    const int n = last - at < DS_SOP_BATCH ? (int) (last - at) : DS_SOP_BATCH;
    fault |= batch_of_pairs(m, kind, p->i + at, p->j + at, p->coefficient + at, at, n, x[0], x[1], x[2], q[0], q[1], q[2]);
    for (int k = 0; k < n; k++)
      for (int c = 0; c < 3; c++) {
        slots[3 * (size_t) p->slot_i[at + k] + (size_t) c] = q[c][k];
        slots[3 * (size_t) p->slot_j[at + k] + (size_t) c] = -q[c][k];
      }
  }
  return fault;
}

int DS_KERNEL(ds_sop_pair_forces)(const ds_sop_model *m, ds_sop_kind kind, const ds_sop_slotted_pairs *p, int64_t first,
                                  int64_t last, const int32_t *const x[3], int32_t *slots)
{
  switch (kind) {
  case DS_SOP_BONDS: return pairs_of_kind(m, DS_SOP_BONDS, p, first, last, x, slots);
  case DS_SOP_CONTACTS: return pairs_of_kind(m, DS_SOP_CONTACTS, p, first, last, x, slots);
  case DS_SOP_ANGLES: return pairs_of_kind(m, DS_SOP_ANGLES, p, first, last, x, slots);
  default: return pairs_of_kind(m, DS_SOP_LISTED, p, first, last, x, slots);
  }
}

/* ----------------------------------------------------------------------- one molecule, pair by pair */

/* Forces of the pairs of one kind, added to both beads. */
DS_FUNC int molecule_kind(const ds_sop_model *m, ds_sop_kind kind, int32_t count, const int32_t *restrict pair_i,
                          const int32_t *restrict pair_j, const int32_t *const x[3], int32_t *const f[3])
{
  int32_t q[3][DS_SOP_BATCH];
  int fault = 0;
  for (int32_t at = 0; at < count; at += DS_SOP_BATCH) {
    const int n = count - at < DS_SOP_BATCH ? count - at : DS_SOP_BATCH;
    fault |= batch_of_pairs(m, kind, pair_i + at, pair_j + at, NULL, at, n, x[0], x[1], x[2], q[0], q[1], q[2]);
    for (int k = 0; k < n; k++) {
      const int32_t i = pair_i[at + k], j = pair_j[at + k];
      if (kind == DS_SOP_LISTED && (q[0][k] | q[1][k] | q[2][k]) == 0) continue; /* beyond the cutoff */
      for (int c = 0; c < 3; c++) {
        f[c][i] += q[c][k];
        f[c][j] -= q[c][k];
      }
    }
  }
  return fault;
}

int DS_KERNEL(ds_sop_molecule_forces)(const ds_sop_model *m, const ds_sop_pair_list *listed, const int32_t *const x[3],
                                      int32_t *const f[3])
{
  const ds_sop_pairs *const p = m->pairs;
  for (int c = 0; c < 3; c++) memset(f[c], 0, (size_t) m->topology.beads * sizeof *f[c]);
  return molecule_kind(m, DS_SOP_BONDS, p[DS_SOP_BONDS].count, p[DS_SOP_BONDS].i, p[DS_SOP_BONDS].j, x, f) |
         molecule_kind(m, DS_SOP_CONTACTS, p[DS_SOP_CONTACTS].count, p[DS_SOP_CONTACTS].i, p[DS_SOP_CONTACTS].j, x, f) |
         molecule_kind(m, DS_SOP_ANGLES, p[DS_SOP_ANGLES].count, p[DS_SOP_ANGLES].i, p[DS_SOP_ANGLES].j, x, f) |
         molecule_kind(m, DS_SOP_LISTED, listed->count, listed->i, listed->j, x, f);
}

/* ------------------------------------------------------------------------------------------- lists */

/* Squared distances of bead i from n beads that begin at j; n at most DS_SOP_BATCH. */
DS_FUNC void distances(int64_t i, int64_t j, int n, const int32_t *restrict x, const int32_t *restrict y,
                       const int32_t *restrict z, float *restrict r2)
{
  const int32_t xi = x[i], yi = y[i], zi = z[i];
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) r2[k] = separation_of(xi, yi, zi, x[j + k], y[j + k], z[j + k]).r2;
}

/* The least squared distance of beads i and j in any of the molecules side by side. */
DS_FUNC float nearest_of_lanes(size_t i, size_t j, const int32_t *restrict x, const int32_t *restrict y,
                               const int32_t *restrict z)
{
  float r2[DS_SOP_LANES], least = INFINITY;
  i *= DS_SOP_LANES;
  j *= DS_SOP_LANES;
  DS_VECTOR_LOOP
  for (int l = 0; l < DS_SOP_LANES; l++) r2[l] = separation_of(x[i + l], y[i + l], z[i + l], x[j + l], y[j + l], z[j + l]).r2;
  for (int l = 0; l < DS_SOP_LANES; l++) least = r2[l] < least ? r2[l] : least;
  return least;
}

int32_t DS_KERNEL(ds_sop_near_beads)(const int32_t *const x[3], int lanes, int64_t i, int64_t first, int64_t last, float list2,
                                     int32_t *near)
{
  float r2[DS_SOP_BATCH];
  int32_t n = 0;
  for (int64_t j = first; j < last; j += DS_SOP_BATCH) {
    const int some = last - j < DS_SOP_BATCH ? (int) (last - j) : DS_SOP_BATCH;
    if (lanes == 1)
      distances(i, j, some, x[0], x[1], x[2], r2);
    else
      for (int k = 0; k < some; k++) r2[k] = nearest_of_lanes((size_t) i, (size_t) (j + k), x[0], x[1], x[2]);
    for (int k = 0; k < some; k++) { /* written in any case: no branch */
      near[n] = (int32_t) (j + k);
      n += r2[k] < list2;
    }
  }
  return n;
}

/* ------------------------------------------------------------------------------------------- steps */

#define LOOP(kind, name, generator, init, next, row, at, ...)                                                                  \
  case kind:                                                                                                                   \
    DS_VECTOR_LOOP                                                                                                             \
    for (int k = 0; k < n; k++) {                                                                                              \
      uint32_t w[4];                                                                                                           \
      at(seed, DS_PURPOSE_SOP, step, id[k], w);                                                                                \
      w0[k] = w[0];                                                                                                            \
      w1[k] = w[1];                                                                                                            \
      w2[k] = w[2];                                                                                                            \
      w3[k] = w[3];                                                                                                            \
    }                                                                                                                          \
    break;

void DS_KERNEL(ds_sop_counter_words)(ds_generator_kind kind, uint64_t seed, uint64_t step, const uint64_t *id, int n,
                                     uint32_t *const words[4])
{
  uint32_t *restrict const w0 = words[0], *restrict const w1 = words[1], *restrict const w2 = words[2],
                           *restrict const w3 = words[3];
  switch (kind) {
    DS_COUNTER_GENERATORS(LOOP)
  default: break;
  }
}
#undef LOOP

/* One axis. `before` NULL: the first half of a step, or the only one. */
static int displace(const ds_sop_move *move, int c, int n, const float *restrict g, int32_t *restrict d)
{
  const int32_t *restrict const force = move->force[c], *restrict const moves = move->moves;
  const int32_t *restrict const before = move->before[c];
  const float *restrict const other = move->other[c];
  const ds_sop_motion_units u = move->units;
  int fault = 0;
  if (before) {
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      int bad = 0;
      const float more = fmaf((float) before[k], u.mobility, other[k]);
      d[k] = ds_sop_displacement(u, force[k], g[k], more, &bad) & moves[k];
      fault |= bad & moves[k];
    }
  } else {
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      int bad = 0;
      d[k] = ds_sop_displacement(u, force[k], g[k], other[k], &bad) & moves[k];
      fault |= bad & moves[k];
    }
  }
  return fault;
}

int DS_KERNEL(ds_sop_move_beads)(const ds_sop_move *move, int n, int32_t *const x[3], int32_t *const predicted[3])
{
  float g[3][DS_SOP_BATCH];
  int32_t d[3][DS_SOP_BATCH];
  int fault = 0;
  ds_sop_batch_normals(move->words, n, g);
  for (int c = 0; c < 3; c++) fault |= displace(move, c, n, g[c], d[c]);
  if (fault) return fault;
  for (int c = 0; c < 3; c++) {
    int64_t *restrict const p = move->position[c];
    int32_t *restrict const to = x[c];
    if (predicted) {
      memcpy(predicted[c], d[c], (size_t) n * sizeof(int32_t));
      DS_VECTOR_LOOP
      for (int k = 0; k < n; k++) to[k] = ds_sop_coordinate(p[k] + d[c][k]);
    } else {
      DS_VECTOR_LOOP
      for (int k = 0; k < n; k++) {
        p[k] += d[c][k];
        to[k] = ds_sop_coordinate(p[k]);
      }
    }
    if (move->noise[c])
      for (int k = 0; k < n; k++) move->noise[c][k] = ds_round32(g[c][k] * move->units.noise) & move->moves[k];
  }
  return 0;
}

float DS_KERNEL(ds_sop_farthest)(const int32_t *const x[3], const int32_t *const from[3], int n)
{
  const int32_t *restrict const ax = x[0], *restrict const ay = x[1], *restrict const az = x[2];
  const int32_t *restrict const bx = from[0], *restrict const by = from[1], *restrict const bz = from[2];
  float r2[DS_SOP_BATCH], most = 0.0f;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) r2[k] = separation_of(ax[k], ay[k], az[k], bx[k], by[k], bz[k]).r2;
  for (int k = 0; k < n; k++) most = r2[k] > most ? r2[k] : most;
  return most;
}
