/* The host's pair sweeps of one style, in each arithmetic; included through each_style.h by sweeps_simd.c. No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later

   Rows are taken in batches: their entries within the cutoff are collected, the pair terms of the
   whole batch are one long vector loop, and each row's share is summed. */
#ifndef DS_FORMULAS
#define DS_FORMULAS "../force/sweep_rows.h" /* this file's second part, from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"
#else

/* Pairs of a batch and their rounded terms. */
typedef struct {
  int n;
  uint32_t i[DS_BATCH], j[DS_BATCH]; /* slots; j with its special code */
  DS_WORD term[DS_ROW_SUMS][DS_BATCH];
} DS_ER(batch);

DS_FUNC DS_REAL DS_ER(find_separation)(const ds_frame *f, const DS_WORD *x, size_t i, size_t j, DS_REAL *dx, DS_REAL *dy,
                                       DS_REAL *dz)
{
  DS_W(ds_separation)
  (f, DS_W(ds_diff)(x[4 * i], x[4 * j]), DS_W(ds_diff)(x[4 * i + 1], x[4 * j + 1]), DS_W(ds_diff)(x[4 * i + 2], x[4 * j + 2]),
   dx, dy, dz);
  return DS_R(ds_square)(*dx, *dy, *dz);
}

/* A pair's geometry, and the signatures that its noise is made from. `images` is a constant at calls that matter: 1 where
   images of one atom differ (ds_images_differ). charge: of styles that read charges. */
DS_FUNC void DS_ER(load_pair)(const ds_frame *f, const DS_WORD *x, const DS_REAL *v, const DS_REAL *charge, size_t i, size_t j,
                              int images, DS_R(ds_pair_geometry) * p, uint32_t signature[2])
{
  p->charges = DS_CHARGED ? charge[i] * charge[j] : (DS_REAL) 0;
  p->r2 = DS_ER(find_separation)(f, x, i, j, &p->dx, &p->dy, &p->dz);
  p->vx = v[4 * i] - v[4 * j];
  p->vy = v[4 * i + 1] - v[4 * j + 1];
  p->vz = v[4 * i + 2] - v[4 * j + 2];
  signature[0] = DS_W(ds_signature_in)(v[4 * i + 3]);
  signature[1] = DS_W(ds_signature_in)(v[4 * j + 3]);
  if (!images) return;
  int edges[3], number[3]; /* no branch: loops of vectors have none */
  DS_R(ds_pair_find_image)(f, x + 4 * i, x + 4 * j, edges, number);
  DS_R(ds_pair_use_image)(f, edges, number, p, signature);
}

/* Append those of n entries of a row that are within the cutoff. Branch-free, as in the list's filter.
   `types` is a constant at every call: 0 where there is one type. */
DS_FUNC void DS_ER(collect)(const ds_evaluation *e, const ds_frame *f, uint32_t i, const uint32_t *entries, int count,
                            DS_ER(batch) * b, int types)
{
  const DS_WORD *x = e->io.position;
  const int32_t ntypes = e->tables->ntypes;
  const DS_ER(coeff) *table = e->tables->coeff;
  const DS_REAL only2 = table->cut2;
  const ds_frame frame = *f; /* a local that nothing can alias: the loop stays vector code */
  if (types) table += (size_t) x[4 * (size_t) i + 3] * (size_t) ntypes;
  for (int first = 0; first < count; first += DS_TILE) {
    const int n = count - first < DS_TILE ? count - first : DS_TILE;
    int32_t hit[DS_TILE];
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      const size_t j = entries[first + k] & DS_INDEX_MASK;
      DS_REAL dx, dy, dz; /* not a struct: gcc keeps those out of vector registers */
      const DS_REAL r2 = DS_ER(find_separation)(&frame, x, i, j, &dx, &dy, &dz);
      const DS_REAL cut2 = types ? table[x[4 * j + 3]].cut2 : only2;
      hit[k] = (r2 < cut2) & (r2 > (DS_REAL) DS_CONTACT2);
    }
    int m = b->n;
    for (int k = 0; k < n; k++) {
      b->i[m] = i;
      b->j[m] = entries[first + k];
      m += hit[k];
    }
    b->n = m;
  }
}

static void DS_ER(collect_variant)(const ds_evaluation *e, const ds_frame *f, uint32_t row, const uint32_t *entries, int count,
                                   DS_ER(batch) * b)
{
  if (e->tables->ntypes == 1)
    DS_ER(collect)(e, f, row, entries, count, b, 0);
  else
    DS_ER(collect)(e, f, row, entries, count, b, 1);
}

/* The term of a pair of slots. */
DS_FUNC DS_R(ds_pair_term) DS_ER(term_of)(const DS_REAL *density, const DS_ER(coeff) * c, const DS_R(ds_pair_geometry) * p,
                                          const uint32_t signature[2], size_t i, size_t j, DS_REAL special,
                                          DS_REAL special_root, int general, DS_REAL scale_f, DS_REAL scale_e)
{
#ifdef DS_HAS_DENSITY
  const DS_REAL both = density[i] + density[j];
  return DS_ER(term)(c, p, signature[0], signature[1], special, special_root, general, scale_f, scale_e, both);
#else
  (void) density, (void) i, (void) j;
  return DS_ER(term)(c, p, signature[0], signature[1], special, special_root, general, scale_f, scale_e);
#endif
}

/* Terms of the pairs of a batch; returns 0 where one is out of range. `types`, `general`, `tally`
   and `images` are constants at every call, so each combination is a loop of its own. */
DS_FUNC int DS_ER(evaluate)(const ds_evaluation *e, const ds_frame *f, DS_ER(batch) * b, int types, int general, int tally,
                            int images)
{
  const DS_WORD *x = e->io.position;
  const DS_REAL *v = e->io.velocity, *charge = e->io.charge;
  const ds_sweep_tables *const tables = e->tables;
  const DS_ER(coeff) *const table = tables->coeff;
  const DS_ER(coeff) only = table[0]; /* like `frame`, a local that nothing can alias */
  const int32_t ntypes = e->tables->ntypes;
  const DS_REAL scale_f = (DS_REAL) tables->force_scale, scale_e = (DS_REAL) tables->energy_scale;
  const DS_REAL *const density = e->densities.of_slot;
  DS_REAL factor[4], root[4];
  const ds_frame frame = *f;
  int bad = 0;
  const int n = b->n;
  for (int c = 0; c < 4; c++) {
    factor[c] = (DS_REAL) tables->special[c];
    root[c] = (DS_REAL) tables->special_root[c];
  }
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const size_t i = b->i[k], j = b->j[k] & DS_INDEX_MASK;
    const uint32_t code = b->j[k] >> DS_INDEX_BITS;
    DS_R(ds_pair_geometry) p;
    uint32_t signature[2];
    DS_ER(load_pair)(&frame, x, v, charge, i, j, images, &p, signature);
    const int32_t kind = types ? (int32_t) x[4 * i + 3] * ntypes + (int32_t) x[4 * j + 3] : 0;
    const DS_R(ds_pair_term) t = DS_ER(term_of)(density, types ? &table[kind] : &only, &p, signature, i, j,
                                                types ? factor[code] : 1, types ? root[code] : 1, general, scale_f, scale_e);
    bad |= !(DS_W(ds_in_range)(t.fx) & DS_W(ds_in_range)(t.fy) & DS_W(ds_in_range)(t.fz));
    b->term[0][k] = DS_W(ds_round)(t.fx);
    b->term[1][k] = DS_W(ds_round)(t.fy);
    b->term[2][k] = DS_W(ds_round)(t.fz);
    if (tally) {
      DS_REAL w[6];
      DS_R(ds_pair_virial)(&p, &t, w);
      b->term[DS_SUM_ENERGY][k] = DS_W(ds_round)(t.energy);
      for (int c = 0; c < 6; c++) b->term[DS_SUM_VIRIAL + c][k] = DS_W(ds_round)(w[c]);
    }
  }
  return !bad;
}

/* `types` and `images` are constants at every call. Special factors go with types: few models want one alone. */
DS_FUNC int DS_ER(evaluate_kind)(const ds_evaluation *e, const ds_frame *f, DS_ER(batch) * b, int types, int images)
{
  if (!e->tables->general)
    return e->tally ? DS_ER(evaluate)(e, f, b, types, 0, 1, images) : DS_ER(evaluate)(e, f, b, types, 0, 0, images);
  return e->tally ? DS_ER(evaluate)(e, f, b, types, 1, 1, images) : DS_ER(evaluate)(e, f, b, types, 1, 0, images);
}

static int DS_ER(evaluate_variant)(const ds_evaluation *e, const ds_frame *f, DS_ER(batch) * b)
{
  if (ds_images_differ(f)) return DS_ER(evaluate_kind)(e, f, b, 1, 1); /* rare: whatever the types */
  if (e->tables->ntypes == 1 && !e->special) return DS_ER(evaluate_kind)(e, f, b, 0, 0);
  return DS_ER(evaluate_kind)(e, f, b, 1, 0);
}

/* Sum of terms first .. last-1, modulo 2^64: a term out of range, which becomes an error, may take it beyond 2^63. */
DS_FUNC int64_t DS_ER(total)(const DS_WORD *term, int first, int last)
{
  uint64_t sum = 0;
  DS_VECTOR_LOOP
  for (int k = first; k < last; k++) sum += (uint64_t) term[k];
  return (int64_t) sum;
}

/* Rare: find a pair that was out of range, by the size of its force. */
static void DS_ER(identify_fault)(const ds_evaluation *e, const ds_frame *f, const DS_ER(batch) * b, ds_sweep_fault *fault)
{
  const DS_WORD *x = e->io.position;
  const DS_REAL *v = e->io.velocity;
  const ds_sweep_tables *tables = e->tables;
  const DS_REAL scale_f = (DS_REAL) tables->force_scale, scale_e = (DS_REAL) tables->energy_scale;
  for (int k = 0; k < b->n && !fault->found; k++) {
    const size_t i = b->i[k], j = b->j[k] & DS_INDEX_MASK;
    const uint32_t code = b->j[k] >> DS_INDEX_BITS;
    DS_R(ds_pair_geometry) p;
    uint32_t signature[2];
    DS_ER(load_pair)(f, x, v, e->io.charge, i, j, ds_images_differ(f), &p, signature);
    const int32_t kind = (int32_t) x[4 * i + 3] * tables->ntypes + (int32_t) x[4 * j + 3];
    const DS_R(ds_pair_term) t =
        DS_ER(term_of)(e->densities.of_slot, (const DS_ER(coeff) *) tables->coeff + kind, &p, signature, i, j,
                       (DS_REAL) tables->special[code], (DS_REAL) tables->special_root[code], tables->general, scale_f, scale_e);
    if (DS_W(ds_in_range)(t.fx) & DS_W(ds_in_range)(t.fy) & DS_W(ds_in_range)(t.fz)) continue;
    fault->found = 1;
    fault->i = (uint32_t) i;
    fault->j = (uint32_t) j;
    fault->force = sqrt((double) t.fx * t.fx + (double) t.fy * t.fy + (double) t.fz * t.fz) / tables->force_scale;
  }
}

/* A row longer than a batch (a dense cluster) is summed in parts. */
static void DS_ER(sweep_long_row)(const ds_evaluation *e, const ds_frame *f, int row, DS_ER(batch) * b, ds_sweep_fault *fault)
{
  int64_t *const sum = ds_row_sums(e, row);
  const int sums = ds_sums_of_row(e);
  const uint32_t *entries = e->io.list.entries + (size_t) e->io.list.first[row] * DS_ROW_UNIT;
  memset(sum, 0, (size_t) sums * sizeof *sum);
  for (int first = 0; first < e->io.list.count[row]; first += DS_BATCH - DS_TILE) {
    const int left = e->io.list.count[row] - first;
    b->n = 0;
    DS_ER(collect_variant)
    (e, f, (uint32_t) row, entries + first, left < DS_BATCH - DS_TILE ? left : DS_BATCH - DS_TILE, b);
    if (!DS_ER(evaluate_variant)(e, f, b)) DS_ER(identify_fault)(e, f, b, fault);
    for (int c = 0; c < sums; c++) /* modulo 2^64: in double precision a dense row may be beyond it */
      sum[c] = (int64_t) ((uint64_t) sum[c] + (uint64_t) DS_ER(total)(b->term[c], 0, b->n));
  }
}

static void DS_ER(sweep)(const ds_evaluation *e, int first, int last, ds_sweep_fault *fault)
{
  const ds_frame frame = e->io.frame;
  DS_ER(batch) b;
  int begin[DS_BATCH_ROWS + 1];
  for (int row = first; row < last;) {
    int rows = 0;
    b.n = 0;
    while (row + rows < last && rows < DS_BATCH_ROWS && b.n + e->io.list.count[row + rows] + DS_TILE <= DS_BATCH) {
      const int r = row + rows;
      begin[rows++] = b.n;
      if (e->io.list.count[r] > 0) DS_ER(collect_variant)
      (e, &frame, (uint32_t) r, e->io.list.entries + (size_t) e->io.list.first[r] * DS_ROW_UNIT, e->io.list.count[r], &b);
    }
    if (rows == 0) {
      DS_ER(sweep_long_row)(e, &frame, row++, &b, fault);
      continue;
    }
    begin[rows] = b.n;
    if (!DS_ER(evaluate_variant)(e, &frame, &b)) DS_ER(identify_fault)(e, &frame, &b, fault);
    for (int k = 0; k < rows; k++)
      for (int c = 0; c < ds_sums_of_row(e); c++) ds_row_sums(e, row + k)[c] = DS_ER(total)(b.term[c], begin[k], begin[k + 1]);
    row += rows;
  }
}

#ifdef DS_HAS_DENSITY
/* Pairs that special bonds take out of forces have no part in densities; all others count in full. */
DS_FUNC void DS_ER(density_terms)(const ds_evaluation *e, const ds_frame *f, uint32_t i, const uint32_t *entries, int n,
                                  DS_WORD *term)
{
  const DS_WORD *x = e->io.position;
  const size_t row = (size_t) x[4 * (size_t) i + 3] * (size_t) e->tables->ntypes;
  const DS_ER(coeff) *const table = (const DS_ER(coeff) *) e->tables->coeff + row;
  const DS_REAL scale = (DS_REAL) e->tables->density_scale;
  const ds_frame frame = *f; /* a local that nothing can alias: the loop stays vector code */
  int32_t counts[4];
  for (int c = 0; c < 4; c++) counts[c] = e->tables->special[c] != 0.0;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const size_t j = entries[k] & DS_INDEX_MASK;
    DS_REAL dx, dy, dz;
    const DS_REAL r2 = DS_ER(find_separation)(&frame, x, i, j, &dx, &dy, &dz);
    const DS_ER(coeff) *const c = &table[x[4 * j + 3]];
    const int is_near = (r2 < c->rho_cut2) & (j != i) & counts[entries[k] >> DS_INDEX_BITS];
    term[k] = DS_W(ds_round)(is_near ? DS_ER(density)(c, r2, scale) : (DS_REAL) 0);
  }
}

static void DS_ER(add_densities)(const ds_evaluation *e, int first, int last, int64_t *sum)
{
  const ds_frame frame = e->io.frame;
  DS_WORD term[DS_BATCH];
  for (int row = first; row < last; row++) {
    const uint32_t *const entries = e->io.list.entries + (size_t) e->io.list.first[row] * DS_ROW_UNIT;
    sum[row - first] = 0;
    for (int begin = 0; begin < e->io.list.count[row]; begin += DS_BATCH) {
      const int left = e->io.list.count[row] - begin, n = left < DS_BATCH ? left : DS_BATCH;
      DS_ER(density_terms)(e, &frame, (uint32_t) row, entries + begin, n, term);
      sum[row - first] += DS_ER(total)(term, 0, n);
    }
  }
}
#endif

#endif
