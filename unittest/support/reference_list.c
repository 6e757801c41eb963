/* reference_list.c: lists by brute force.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/reference.h"

#include "../cuda/particles/particles.h"
#include "../cuda/neighbor/list.h"
#include "dpdsop/device/list_distance.h"
#include "dpdsop/device/neighbor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int32_t slab_number; /* of the cell, where several GPUs have parts of the curve; else 0 */
  uint64_t key;
  int atom;
} keyed;

static int by_key(const void *a, const void *b)
{
  const keyed *p = a, *q = b;
  if (p->slab_number != q->slab_number) return p->slab_number < q->slab_number ? -1 : 1;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->atom > q->atom) - (p->atom < q->atom);
}

static ds_position integer_position(const ds_frame *f, const test_system *s, int k, int wide)
{
  const int *b = s->image + 3 * k;
  double l[3];
  ds_fraction(f, s->x[3 * k], s->x[3 * k + 1], s->x[3 * k + 2], l);
  if (!wide) return ds_position_image32(f, ds_position_of32(f, l), b[0], b[1], b[2]);
  const ds_position64 p = ds_position_image64(f, ds_position_of64(f, l), b[0], b[1], b[2]);
  const ds_position top = {(int32_t) (p.x >> 32), (int32_t) (p.y >> 32), (int32_t) (p.z >> 32)};
  return top;
}

/* What a pair is judged by: squared ranges of types in largest cutoffs, and those that rounding may reach. */
typedef struct {
  float *sure2, *possible2;
} ranges;

static ranges ranges_of(const ds_frame *f, const ds_grid *g, const test_model *t)
{
  const int n = t->m.ntypes * t->m.ntypes;
  ranges r = {test_alloc((size_t) n * sizeof(float)), test_alloc((size_t) n * sizeof(float))};
  ds_list_margins margin = ds_list_margin(f, g);
  margin.distance *= 2.5f;
  margin.square *= 2.5f;
  for (int k = 0; k < n; k++) {
    const double range = (t->cutoff[k] + t->m.skin) / model_cutoff(t);
    if (t->cutoff[k] == 0.0) continue;
    r.sure2[k] = (float) (range * range * (1.0 + 1e-5));
    r.possible2[k] = ds_list_widen(r.sure2[k], margin);
  }
  return r;
}

/* 2: the pair must be in the list; 1: it may be, as it is no further outside than rounding explains; 0: it must not. */
static int kind_of_pair(const ds_frame *f, const ranges *r, int types, ds_position p, ds_position q)
{
  float dx, dy, dz;
  ds_separation32(f, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z), &dx, &dy, &dz);
  const float r2 = ds_squaref(dx, dy, dz);
  return (r2 < r->sure2[types]) + (r2 < r->possible2[types]);
}

void list_by_brute_force(test_list *list, const test_system *s, const test_model *t, int wide, int gpus)
{
  const int n = s->nlocal + s->nghost;
  const double largest = model_cutoff(t);
  ds_frame frame;
  ds_grid grid;
  keyed *order = test_alloc((size_t) n * sizeof *order);
  ds_position *p = test_alloc((size_t) n * sizeof *p);
  size_t room = 1024, used = 0;
  memset(list, 0, sizeof *list);
  if (ds_frame_init(&frame, &s->box, largest, model_range(t), NULL) ||
      ds_grid_init(&grid, &frame, model_range(t), n, NULL))
    abort();
  for (int k = 0; k < n; k++) {
    p[k] = integer_position(&frame, s, k, wide);
    order[k].key = ds_grid_key(&grid, p[k]);
    if (gpus > 1) order[k].slab_number = ds_grid_number_in_slabs(&grid, gpus, ds_grid_cell_of_key(&grid, order[k].key));
    order[k].atom = k;
  }
  const ranges range = ranges_of(&frame, &grid, t);
  qsort(order, (size_t) n, sizeof *order, by_key);
  list->atom = test_alloc((size_t) s->nlocal * sizeof *list->atom);
  list->start = test_alloc((size_t) (s->nlocal + 1) * sizeof *list->start);
  list->entries = test_alloc(room * sizeof *list->entries);
  list->sure = test_alloc(room);
  for (int a = 0; a < n; a++) {
    const int i = order[a].atom;
    if (i >= s->nlocal) continue;
    if (used + (size_t) n > room) {
      room = 2 * room + (size_t) n;
      list->entries = realloc(list->entries, room * sizeof *list->entries);
      list->sure = realloc(list->sure, room);
      if (!list->entries || !list->sure) abort();
    }
    list->atom[list->rows] = i;
    list->start[list->rows++] = (int64_t) used;
    for (int b = 0; b < n; b++) {
      const int k = order[b].atom;
      const int types = (s->type[i] - 1) * t->m.ntypes + s->type[k] - 1;
      const int kind = k == i ? 0 : kind_of_pair(&frame, &range, types, p[i], p[k]);
      if (kind == 0 || system_excluded(s, i, k)) continue;
      list->sure[used] = kind == 2;
      list->entries[used++] = (uint32_t) k | (uint32_t) system_special_code(s, i, k)
                                                 << DS_INDEX_BITS;
    }
  }
  list->start[list->rows] = (int64_t) used;
  free(range.sure2);
  free(range.possible2);
  free(order);
  free(p);
}

int list_geometry_faults(const test_list *list, const test_system *s, const test_model *t,
                         double tolerance)
{
  const int n = s->nlocal + s->nghost;
  char *found = test_alloc((size_t) n);
  int faults = 0;
  for (int r = 0; r < list->rows; r++) {
    const int i = list->atom[r];
    memset(found, 0, (size_t) n);
    for (int64_t m = list->start[r]; m < list->start[r + 1]; m++)
      if (list->sure[m]) found[list->entries[m] & DS_INDEX_MASK] = 1;
    for (int k = 0; k < n; k++) {
      const double cutoff = t->cutoff[(s->type[i] - 1) * t->m.ntypes + s->type[k] - 1];
      double d[3];
      system_separation(s, i, k, d);
      const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (k == i || cutoff == 0.0 || system_excluded(s, i, k)) {
        faults += found[k] != 0;
        continue;
      }
      if (length < cutoff + t->m.skin - tolerance) faults += found[k] == 0;
      if (length > cutoff + t->m.skin + tolerance) faults += found[k] != 0;
    }
  }
  free(found);
  return faults;
}

ds_status list_read(test_list *list, ds_pair *pair, ds_error *err)
{
  const size_t rows = (size_t) ds_pair_get_info(pair).rows;
  memset(list, 0, sizeof *list);
  list->atom = test_alloc(rows * sizeof *list->atom);
  list->start = test_alloc((rows + 1) * sizeof *list->start);
  const ds_status status = ds_pair_read_list(pair, &list->rows, list->atom, list->start, NULL, err);
  if (status) return status;
  list->entries = test_alloc((size_t) list->start[list->rows] * sizeof *list->entries);
  return ds_pair_read_list(pair, &list->rows, list->atom, list->start, list->entries, err);
}

/* Row r: the entries of `got` are those of `expected`, in its order, but for some that are not sure. Returns the first
   entry of `got` that is none of them, or where one is missing; -1: none. */
static int row_fault(const test_list *got, const test_list *expected, int r)
{
  const int n = (int) (got->start[r + 1] - got->start[r]);
  int64_t e = expected->start[r];
  for (int k = 0; k < n; k++, e++) {
    while (e < expected->start[r + 1] && !expected->sure[e] &&
           expected->entries[e] != got->entries[got->start[r] + k])
      e++;
    if (e == expected->start[r + 1] || expected->entries[e] != got->entries[got->start[r] + k])
      return k;
  }
  for (; e < expected->start[r + 1]; e++)
    if (expected->sure[e]) return n;
  return -1;
}

int list_compare(const test_list *got, const test_list *expected, int *where)
{
  *where = -1;
  if (got->rows != expected->rows) return got->rows < expected->rows ? got->rows : expected->rows;
  for (int r = 0; r < got->rows; r++) {
    if (got->atom[r] != expected->atom[r]) return r;
    *where = row_fault(got, expected, r);
    if (*where >= 0) return r;
  }
  return -1;
}

static int has_entry(const test_list *list, int row, uint32_t entry)
{
  for (int64_t k = list->start[row]; k < list->start[row + 1]; k++)
    if (list->entries[k] == entry) return 1;
  return 0;
}

int list_missing(const test_list *got, const test_list *expected)
{
  int most = 0, missing = 0;
  for (int r = 0; r < got->rows; r++) most = got->atom[r] > most ? got->atom[r] : most;
  int *const row = test_alloc((size_t) (most + 1) * sizeof *row);
  for (int r = 0; r < got->rows; r++) row[got->atom[r]] = r + 1;
  for (int r = 0; r < expected->rows; r++) {
    const int at = expected->atom[r] <= most ? row[expected->atom[r]] : 0;
    for (int64_t k = expected->start[r]; k < expected->start[r + 1]; k++)
      if (expected->sure[k]) missing += !at || !has_entry(got, at - 1, expected->entries[k]);
  }
  free(row);
  return missing;
}

static int at_the_range(const test_system *s, const test_model *t, int i, int k, double tolerance)
{
  const double range = t->cutoff[(s->type[i] - 1) * t->m.ntypes + s->type[k] - 1] + t->m.skin;
  double d[3];
  system_separation(s, i, k, d);
  return fabs(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - range) <= tolerance * range;
}

static int alone_in(const test_list *a, const test_list *b, int row, const test_system *s,
                    const test_model *t, double tolerance)
{
  int n = 0;
  for (int64_t k = a->start[row]; k < a->start[row + 1]; k++)
    if (!has_entry(b, row, a->entries[k]))
      n += !at_the_range(s, t, a->atom[row], (int) (a->entries[k] & DS_INDEX_MASK), tolerance);
  return n;
}

int list_disagreements(const test_list *a, const test_list *b, const test_system *s,
                       const test_model *t, double tolerance)
{
  int n = a->rows != b->rows;
  for (int r = 0; r < a->rows && !n; r++) n += a->atom[r] != b->atom[r];
  if (n) return n;
  for (int r = 0; r < a->rows; r++)
    n += alone_in(a, b, r, s, t, tolerance) + alone_in(b, a, r, s, t, tolerance);
  return n;
}

int list_same(const test_list *a, const test_list *b)
{
  return a->rows == b->rows && memcmp(a->atom, b->atom, (size_t) a->rows * sizeof *a->atom) == 0 &&
         memcmp(a->start, b->start, (size_t) (a->rows + 1) * sizeof *a->start) == 0 &&
         memcmp(a->entries, b->entries, (size_t) a->start[a->rows] * sizeof *a->entries) == 0;
}

void list_free(test_list *list)
{
  free(list->atom);
  free(list->sure);
  free(list->start);
  free(list->entries);
  memset(list, 0, sizeof *list);
}
