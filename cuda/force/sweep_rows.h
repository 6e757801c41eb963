/* The host's pair sweeps of one style, in each arithmetic; included through each_style.h by sweeps_simd.c. No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later

   One thread evaluates each pair once; several threads have lists both ways. Rows are taken in batches: whether entries are
   within the cutoff, and the terms of those that are, are long vector loops. Then each row's share is summed, and partners get
   theirs, wherever they are: integers are added in any order. */
#ifndef DS_FORMULAS
#define DS_FORMULAS "../force/sweep_rows.h" /* this file's second part, from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"
#else

/* Entries of some rows; those that are pairs within the cutoff, and their rounded terms. */
typedef struct {
  int entries, n;
  uint32_t entry[DS_BATCH + DS_ROW_UNIT];    /* slots with special codes */
  DS_WORD at[4][DS_BATCH + DS_LANES];        /* position and type of the atom of the row */
  int32_t hit[DS_BATCH];                     /* it is such a pair */
  uint32_t i[DS_BATCH + 1], j[DS_BATCH + 1]; /* slots; j with its special code */
  DS_WORD term[DS_ROW_SUMS][DS_BATCH];
} DS_ER(batch);

/* From slot j to a place; returns the square of its length. */
DS_FUNC DS_REAL DS_ER(separation_from)(const ds_frame *f, const DS_WORD *x, size_t j, DS_WORD at_x, DS_WORD at_y, DS_WORD at_z,
                                       DS_REAL *dx, DS_REAL *dy, DS_REAL *dz)
{
  DS_W(ds_separation)
  (f, DS_W(ds_diff)(at_x, x[4 * j]), DS_W(ds_diff)(at_y, x[4 * j + 1]), DS_W(ds_diff)(at_z, x[4 * j + 2]), dx, dy, dz);
  return DS_R(ds_square)(*dx, *dy, *dz);
}

DS_FUNC DS_REAL DS_ER(find_separation)(const ds_frame *f, const DS_WORD *x, size_t i, size_t j, DS_REAL *dx, DS_REAL *dy,
                                       DS_REAL *dz)
{
  return DS_ER(separation_from)(f, x, j, x[4 * i], x[4 * i + 1], x[4 * i + 2], dx, dy, dz);
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

/* Entries of a row are appended, with the position of its atom: a batch is one long loop, whatever the lengths of its rows.
   Positions are written DS_LANES at a time, for which arrays have room at their ends. */
DS_FUNC void DS_ER(take_row)(const ds_evaluation *e, uint32_t row, const uint32_t *entries, int count, DS_ER(batch) * b)
{
  const DS_WORD *const x = (const DS_WORD *) e->io.position + 4 * (size_t) row;
  const int first = b->entries;
  for (int k = 0; k < count; k += DS_LANES)
    for (int d = 0; d < 4; d++)
      for (int lane = 0; lane < DS_LANES; lane++) b->at[d][first + k + lane] = x[d];
  for (int k = 0; k < count; k += DS_ROW_UNIT) /* rows are as long in the list */
    for (int c = 0; c < DS_ROW_UNIT; c++) b->entry[first + k + c] = entries[k + c];
  b->entries = first + count;
}

/* Which entries are within the cutoff. `types` is a constant at every call: 0 where there is one type. */
DS_FUNC void DS_ER(find_hits)(const ds_evaluation *e, const ds_frame *f, DS_ER(batch) * b, int types)
{
  const DS_WORD *const x = e->io.position;
  const int32_t ntypes = e->tables->ntypes;
  const DS_ER(coeff) *const table = e->tables->coeff;
  const DS_REAL only2 = table->cut2;
  const ds_frame frame = *f; /* a local that nothing can alias: the loop stays vector code */
  const int n = b->entries;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const size_t j = b->entry[k] & DS_INDEX_MASK;
    DS_REAL dx, dy, dz; /* not a struct: gcc keeps those out of vector registers */
    const DS_REAL r2 = DS_ER(separation_from)(&frame, x, j, b->at[0][k], b->at[1][k], b->at[2][k], &dx, &dy, &dz);
    const DS_REAL cut2 = types ? table[(size_t) b->at[3][k] * (size_t) ntypes + (size_t) x[4 * j + 3]].cut2 : only2;
    b->hit[k] = (r2 < cut2) & (r2 > (DS_REAL) DS_CONTACT2);
  }
}

static void DS_ER(find_hits_variant)(const ds_evaluation *e, const ds_frame *f, DS_ER(batch) * b)
{
  if (e->tables->ntypes == 1)
    DS_ER(find_hits)(e, f, b, 0);
  else
    DS_ER(find_hits)(e, f, b, 1);
}

/* Appends the pairs of a row, whose entries are first .. last - 1 of the batch. Branch-free, as in the list's filter. */
DS_FUNC void DS_ER(keep_hits)(DS_ER(batch) * b, uint32_t row, int first, int last)
{
  int m = b->n;
  for (int k = first; k < last; k++) {
    b->i[m] = row;
    b->j[m] = b->entry[k];
    m += b->hit[k];
  }
  b->n = m;
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
    const DS_R(ds_pair_term) t = DS_ER(term_of)(e->densities.of_slot, (const DS_ER(coeff) *) tables->coeff + kind, &p,
                                                signature, i, j, (DS_REAL) tables->special[code],
                                                (DS_REAL) tables->special_root[code], tables->general, scale_f, scale_e);
    if (DS_W(ds_in_range)(t.fx) & DS_W(ds_in_range)(t.fy) & DS_W(ds_in_range)(t.fz)) continue;
    fault->found = 1;
    fault->i = (uint32_t) i;
    fault->j = (uint32_t) j;
    fault->force = sqrt((double) t.fx * t.fx + (double) t.fy * t.fy + (double) t.fz * t.fz) / tables->force_scale;
  }
}

/* What pairs first .. last - 1, of one row, add to the sums of the row. Modulo 2^64: in double precision a dense row may be
   beyond it. */
DS_FUNC void DS_ER(add_to_row)(const DS_ER(batch) * b, int first, int last, int64_t *sum, int sums)
{
  for (int c = 0; c < sums; c++) sum[c] = (int64_t) ((uint64_t) sum[c] + (uint64_t) DS_ER(total)(b->term[c], first, last));
}

/* And to those of their partners: the force the other way round, energy and virial as they are. Rows of ghosts get some, too,
   which nobody reads. */
DS_FUNC void DS_ER(add_to_partners)(const DS_ER(batch) * b, int64_t *sums, int tally)
{
  const int stride = tally ? DS_ROW_SUMS : DS_SUM_ENERGY;
  for (int k = 0; k < b->n; k++) {
    int64_t *const sum = sums + (size_t) stride * (b->j[k] & DS_INDEX_MASK);
    for (int c = 0; c < DS_SUM_ENERGY; c++) sum[c] = (int64_t) ((uint64_t) sum[c] - (uint64_t) b->term[c][k]);
    for (int c = DS_SUM_ENERGY; c < DS_ROW_SUMS && tally; c++)
      sum[c] = (int64_t) ((uint64_t) sum[c] + (uint64_t) b->term[c][k]);
  }
}

static void DS_ER(add_to_partners_variant)(const ds_evaluation *e, const DS_ER(batch) * b)
{
  if (e->io.list.both_ways) return; /* they find the pairs in rows of their own */
  if (e->tally)
    DS_ER(add_to_partners)(b, ds_row_sums(e, 0), 1);
  else
    DS_ER(add_to_partners)(b, ds_row_sums(e, 0), 0);
}

static const uint32_t *DS_ER(entries_of)(const ds_evaluation *e, int row)
{
  return e->io.list.entries + (size_t) e->io.list.first[row] * DS_ROW_UNIT;
}

/* A row longer than a batch (a dense cluster) is summed in parts. */
static void DS_ER(sweep_long_row)(const ds_evaluation *e, const ds_frame *f, int row, DS_ER(batch) * b, ds_sweep_fault *fault)
{
  const int count = e->io.list.count[row];
  for (int first = 0; first < count; first += DS_BATCH) {
    b->n = b->entries = 0;
    const int n = count - first < DS_BATCH ? count - first : DS_BATCH;
    DS_ER(take_row)(e, (uint32_t) row, DS_ER(entries_of)(e, row) + first, n, b);
    DS_ER(find_hits_variant)(e, f, b);
    DS_ER(keep_hits)(b, (uint32_t) row, 0, b->entries);
    if (!DS_ER(evaluate_variant)(e, f, b)) DS_ER(identify_fault)(e, f, b, fault);
    DS_ER(add_to_row)(b, 0, b->n, ds_row_sums(e, row), ds_sums_of_row(e));
    DS_ER(add_to_partners_variant)(e, b);
  }
}

static void DS_ER(sweep)(const ds_evaluation *e, int first, int last, ds_sweep_fault *fault)
{
  const ds_frame frame = e->io.frame;
  DS_ER(batch) b;
  int entries[DS_BATCH_ROWS + 1], pairs[DS_BATCH_ROWS + 1]; /* of the rows before each */
  for (int row = first; row < last;) {
    int rows = 0;
    b.n = b.entries = 0;
    for (; row + rows < last && rows < DS_BATCH_ROWS && b.entries + e->io.list.count[row + rows] <= DS_BATCH; rows++) {
      entries[rows] = b.entries;
      DS_ER(take_row)(e, (uint32_t) (row + rows), DS_ER(entries_of)(e, row + rows), e->io.list.count[row + rows], &b);
    }
    if (rows == 0) {
      DS_ER(sweep_long_row)(e, &frame, row++, &b, fault);
      continue;
    }
    entries[rows] = b.entries;
    DS_ER(find_hits_variant)(e, &frame, &b);
    for (int k = 0; k < rows; k++) {
      pairs[k] = b.n;
      DS_ER(keep_hits)(&b, (uint32_t) (row + k), entries[k], entries[k + 1]);
    }
    pairs[rows] = b.n;
    if (!DS_ER(evaluate_variant)(e, &frame, &b)) DS_ER(identify_fault)(e, &frame, &b, fault);
    for (int k = 0; k < rows; k++) DS_ER(add_to_row)(&b, pairs[k], pairs[k + 1], ds_row_sums(e, row + k), ds_sums_of_row(e));
    DS_ER(add_to_partners_variant)(e, &b);
    row += rows;
  }
}

#ifdef DS_HAS_DENSITY
/* What n entries of a row give to the density of its atom; or, `back`, the atom to those of its partners, whose masses may be
   others. Pairs that special bonds take out of forces have no part in densities; all others count in full. */
DS_FUNC void DS_ER(density_terms)(const ds_evaluation *e, const ds_frame *f, uint32_t i, const uint32_t *entries, int n,
                                  int back, DS_WORD *term)
{
  const DS_WORD *x = e->io.position;
  const size_t ntypes = (size_t) e->tables->ntypes, itype = (size_t) x[4 * (size_t) i + 3];
  const DS_ER(coeff) *const table = (const DS_ER(coeff) *) e->tables->coeff;
  const DS_REAL scale = (DS_REAL) e->tables->density_scale;
  const ds_frame frame = *f; /* a local that nothing can alias: the loop stays vector code */
  int32_t counts[4];
  for (int c = 0; c < 4; c++) counts[c] = e->tables->special[c] != 0.0;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const size_t j = entries[k] & DS_INDEX_MASK, jtype = (size_t) x[4 * j + 3];
    DS_REAL dx, dy, dz;
    const DS_REAL r2 = DS_ER(find_separation)(&frame, x, i, j, &dx, &dy, &dz);
    const DS_ER(coeff) *const c = &table[back ? jtype * ntypes + itype : itype * ntypes + jtype];
    const int is_near = (r2 < c->rho_cut2) & counts[entries[k] >> DS_INDEX_BITS];
    term[k] = DS_W(ds_round)(is_near ? DS_ER(density)(c, r2, scale) : (DS_REAL) 0);
  }
}

static void DS_ER(add_densities)(const ds_evaluation *e, int first, int last)
{
  int64_t *const sums = DS_DATA(int64_t, e->row_sums);
  const ds_frame frame = e->io.frame;
  DS_WORD term[DS_BATCH];
  for (int row = first; row < last; row++) {
    const uint32_t *const entries = DS_ER(entries_of)(e, row);
    for (int begin = 0; begin < e->io.list.count[row]; begin += DS_BATCH) {
      const int left = e->io.list.count[row] - begin, n = left < DS_BATCH ? left : DS_BATCH;
      DS_ER(density_terms)(e, &frame, (uint32_t) row, entries + begin, n, 0, term);
      sums[row] += DS_ER(total)(term, 0, n);
      if (e->io.list.both_ways) continue;
      if (e->tables->ntypes > 1) DS_ER(density_terms)(e, &frame, (uint32_t) row, entries + begin, n, 1, term);
      for (int k = 0; k < n; k++) sums[entries[begin + k] & DS_INDEX_MASK] += term[k];
    }
  }
}
#endif

#endif
