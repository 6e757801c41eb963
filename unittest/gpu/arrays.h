/* arrays.h: what a caller hands to the engine, in host and in device memory, in several layouts. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_ARRAYS_H
#define DPDSOP_TEST_ARRAYS_H

#include "gpu/device.h"
#include "support/engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  ds_type type;
  int apart; /* components one after the other, `pad` elements between them; else atom by atom */
  int pad;
} layout;

static const layout layouts[] = {
    {"AoS double", DS_F64, 0, 0},
    {"AoS double, padded", DS_F64, 0, 1},
    {"SoA double", DS_F64, 1, 37},
    {"SoA single", DS_F32, 1, 37},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* An array in host memory and its copy in device memory. */
typedef struct {
  ds_array host, device;
  size_t bytes;
} twin;

CHECK_HELPER size_t size_of(ds_type type)
{
  return type == DS_F64 || type == DS_I64 ? 8 : 4;
}

CHECK_HELPER twin twin_new(ds_type type, int apart, int pad, int n, int components)
{
  twin t;
  const ptrdiff_t room = n + pad;
  const size_t elements =
      apart ? (size_t) (room * components) : (size_t) n * (size_t) (components + pad);
  t.bytes = (elements + 1) * size_of(type);
  t.host.data = test_alloc(t.bytes);
  t.host.type = type;
  t.host.space = DS_SPACE_HOST;
  t.host.atom_stride = apart ? 1 : components + pad;
  t.host.component_stride = apart ? room : 1;
  t.device = t.host;
  t.device.data = NULL;
  t.device.space = DS_SPACE_DEVICE;
  return t;
}

CHECK_HELPER void twin_upload(twin *t)
{
  if (t->device.data) device_free(t->device.data);
  t->device.data = device_copy(t->host.data, t->bytes);
}

CHECK_HELPER void twin_free(twin *t)
{
  free(t->host.data);
  if (t->device.data) device_free(t->device.data);
  t->host.data = t->device.data = NULL;
}

CHECK_HELPER twin twin_of_reals(const layout *l, const double *values, int n, int components)
{
  twin t = twin_new(l->type, l->apart, l->pad, n, components);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < components; c++) {
      const ptrdiff_t k = i * t.host.atom_stride + c * t.host.component_stride;
      if (l->type == DS_F64)
        ((double *) t.host.data)[k] = values[(ptrdiff_t) i * components + c];
      else
        ((float *) t.host.data)[k] = (float) values[(ptrdiff_t) i * components + c];
    }
  twin_upload(&t);
  return t;
}

CHECK_HELPER twin twin_of_tags(ds_type type, const int64_t *values, int n, int components)
{
  twin t = twin_new(type, 0, 0, n, components);
  for (ptrdiff_t k = 0; k < (ptrdiff_t) n * components; k++)
    if (type == DS_I64)
      ((int64_t *) t.host.data)[k] = values[k];
    else
      ((int32_t *) t.host.data)[k] = (int32_t) values[k];
  twin_upload(&t);
  return t;
}

CHECK_HELPER twin twin_of_ints(const int32_t *values, int n, int components)
{
  twin t = twin_new(DS_I32, 0, 0, n, components);
  memcpy(t.host.data, values, (size_t) n * (size_t) components * 4);
  twin_upload(&t);
  return t;
}

/* What an engine is given and gives: index 0 to the host backend, 1 to the CUDA backend. */
typedef struct {
  twin x, v, f, eatom, vatom, tag, type, nspecial, special, mask, molecule;
} arrays;

CHECK_HELPER void arrays_open(arrays *a, const layout *l, ds_type tags, const test_system *s)
{
  const int n = s->nlocal, all = n + s->nghost, most = s->max_special;
  double *before = test_alloc(48 * (size_t) (n + 1));
  for (int k = 0; k < 6 * n; k++) before[k] = k % 3 ? 0.01 * k : -0.0;
  a->x = twin_of_reals(l, s->x, n, 3);
  a->v = twin_of_reals(l, s->v, n, 3);
  a->f = twin_of_reals(l, before, n, 3);
  a->eatom = twin_of_reals(l, before, n, 1);
  a->vatom = twin_of_reals(l, before, n, 6);
  a->tag = twin_of_tags(tags, s->tag, all, 1);
  a->type = twin_of_ints(s->type, all, 1);
  a->nspecial = most ? twin_of_ints(s->nspecial, n, 3) : twin_new(DS_I32, 0, 0, 0, 3);
  a->special = most ? twin_of_tags(tags, s->special, n, most) : twin_new(tags, 0, 0, 0, 1);
  a->mask = twin_of_ints(s->mask, all, 1);
  a->molecule = twin_of_tags(tags, s->molecule, all, 1);
  free(before);
}

CHECK_HELPER void arrays_close(arrays *a)
{
  twin *const all[] = {&a->x,    &a->v,        &a->f,       &a->eatom, &a->vatom,   &a->tag,
                       &a->type, &a->nspecial, &a->special, &a->mask,  &a->molecule};
  for (int k = 0; k < 11; k++) twin_free(all[k]);
}

/* Positions and velocities in host memory a little on, the same for all who hold the same atoms. Layout AoS double. */
CHECK_HELPER void arrays_push(arrays *a, int n, int step)
{
  double *const x = (double *) a->x.host.data, *const v = (double *) a->v.host.data;
  for (int k = 0; k < 3 * n; k++) {
    x[k] += 0.004 * sin(k + step);
    v[k] += 0.1 * cos(3 * k + step);
  }
}

CHECK_HELPER ds_atoms arrays_atoms(const arrays *a, const test_system *s, int device)
{
  ds_atoms out;
  memset(&out, 0, sizeof out);
  out.max_special = s->max_special;
  out.nlocal = s->nlocal;
  out.nghost = s->nghost;
  out.tag = device ? a->tag.device : a->tag.host;
  out.type = device ? a->type.device : a->type.host;
  out.nspecial = !s->max_special ? array_none() : device ? a->nspecial.device : a->nspecial.host;
  out.special = !s->max_special ? array_none() : device ? a->special.device : a->special.host;
  out.nexclusions = s->nexclusions;
  out.exclusion = s->exclusion;
  out.mask = device ? a->mask.device : a->mask.host;
  out.molecule = device ? a->molecule.device : a->molecule.host;
  return out;
}

#endif
