/* sorts_of_caller.h: a caller who sorts his atoms by bins, as LAMMPS does.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_SORTS_OF_CALLER_H
#define DPDSOP_TEST_SORTS_OF_CALLER_H

#include "support/reference_integrator.h"

typedef struct {
  int64_t bin;
  int index;
} place;

CHECK_HELPER int by_bin(const void *a, const void *b)
{
  const place *const p = a, *const q = b;
  if (p->bin != q->bin) return p->bin < q->bin ? -1 : 1;
  return p->index - q->index;
}

CHECK_HELPER int64_t along(const ds_sort_bins *b, const double *x, int d)
{
  const double k = floor((x[d] - b->lo[d]) * b->inverse[d]);
  return k < 0.0 ? 0 : k >= b->n[d] ? b->n[d] - 1 : (int64_t) k;
}

CHECK_HELPER void find_places(place *p, const atoms *a, const ds_sort_bins *b)
{
  for (int i = 0; i < a->n; i++) {
    const double *const x = a->x + 3 * i;
    p[i].bin = along(b, x, 0) + b->n[0] * (along(b, x, 1) + b->n[1] * along(b, x, 2));
    p[i].index = i;
  }
  qsort(p, (size_t) a->n, sizeof *p, by_bin);
}

CHECK_HELPER void put_in_places(void *data, const place *p, int n, size_t bytes)
{
  char *const before = test_alloc((size_t) n * bytes), *const to = data;
  memcpy(before, data, (size_t) n * bytes);
  for (int i = 0; i < n; i++) memcpy(to + bytes * i, before + bytes * p[i].index, bytes);
  free(before);
}

/* All arrays that the engine has, too. */
CHECK_HELPER void put_fields_in_places(atoms *a, const place *p)
{
  put_in_places(a->x, p, a->n, 24), put_in_places(a->v, p, a->n, 24), put_in_places(a->f, p, a->n, 24);
  put_in_places(a->rmass, p, a->n, 8), put_in_places(a->type, p, a->n, 4), put_in_places(a->mask, p, a->n, 4);
  put_in_places(a->narrow, p, a->n, 4), put_in_places(a->wide, p, a->n, 8);
}

/* p: old places of the sorted atoms */
CHECK_HELPER void caller_sorts(atoms *a, const setting *s, const ds_sort_bins *b, place p[ATOMS])
{
  const ds_wrap w = wrap_of(s);
  find_places(p, a, b);
  put_fields_in_places(a, p);
  put_in_places(a->tag, p, a->n, 8);
  for (int i = 0; i < a->n && w.tilted; i++) {
    ds_to_fractions(&w, a->x + 3 * i);
    ds_from_fractions(&w, a->x + 3 * i);
  }
  memcpy(a->held, a->x, 24 * (size_t) a->n);
}

#endif
