/* Stages of particles on the host; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms are read some at a time, side by side, as vector loops want them. Positions become integers and velocities get their
   signature whenever an atom is read; nothing is stored by atom. */
#include "../core/isa.h"
#include "../core/sort.h"
#include "dpdsop/device/image_velocity.h"
#include "dpdsop/device/signature.h"
#include "particles.h"

#include <string.h>

enum { BATCH = 256 };

/* Atoms first, first + 1, ... or list[0], list[1], ... */
typedef struct {
  int first, n;
  const int32_t *list;
  int messages;       /* 1: some have come in messages */
  int32_t own[BATCH]; /* the own atom that each is read from; -1: a message */
  double x[BATCH], y[BATCH], z[BATCH];
} batch;

static int batch_size(int first, int n)
{
  return n - first < BATCH ? n - first : BATCH;
}

static int atom_of(const batch *b, int k)
{
  return b->list ? b->list[k] : b->first + k;
}

static void begin_batch(batch *b, const ds_atom_source *s, int first, const int32_t *list, int n)
{
  b->first = first;
  b->n = n;
  b->list = list;
  b->messages = 0;
  for (int k = 0; k < n; k++) {
    const int i = atom_of(b, k);
    b->own[k] = i < s->nlocal ? i : s->owner ? s->owner[4 * (size_t) (i - s->nlocal)] : -1;
    b->messages |= b->own[k] < 0;
  }
}

/* Three components of own atoms; 0 of others. */
static void read_array(const ds_array *from, batch *b)
{
  const ds_array a = *from;
  const int n = b->n, is_vectors = a.type == DS_F64 && a.atom_stride == 3 && a.component_stride == 1;
  const double *const data = (const double *) a.data;
  if (is_vectors && !b->list && b->own[n - 1] == b->first + n - 1) {
    const double *const p = data + 3 * (ptrdiff_t) b->first;
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      b->x[k] = p[3 * k];
      b->y[k] = p[3 * k + 1];
      b->z[k] = p[3 * k + 2];
    }
    return;
  }
  if (is_vectors && !b->messages) {
    for (int k = 0; k < n; k++) {
      const double *const p = data + 3 * (ptrdiff_t) b->own[k];
      b->x[k] = p[0];
      b->y[k] = p[1];
      b->z[k] = p[2];
    }
    return;
  }
  for (int k = 0; k < n; k++) {
    const int i = b->own[k];
    b->x[k] = i < 0 ? 0.0 : ds_array_get(&a, i, 0);
    b->y[k] = i < 0 ? 0.0 : ds_array_get(&a, i, 1);
    b->z[k] = i < 0 ? 0.0 : ds_array_get(&a, i, 2);
  }
}

#define DS_FORMULAS "../particles/particles_host.h" /* from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"

const ds_particle_stages DS_KERNEL(ds_particle_stages)[DS_PRECISIONS] = {{pack32, place32, gather32, gather_charges32},
                                                                         {pack64, place64, gather64, gather_charges64}};
