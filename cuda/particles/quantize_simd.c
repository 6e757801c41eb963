/* Integer positions and signatures of many atoms; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/isa.h"
#include "dpdsop/device/signature.h"
#include "quantize.h"

/* With the strides of the common layout as constants the loop is vector code. */
DS_FUNC void read_doubles(ds_atom_batch *batch, const double *p, ptrdiff_t step, ptrdiff_t component, int n)
{
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    batch->x[k] = p[k * step];
    batch->y[k] = p[k * step + component];
    batch->z[k] = p[k * step + 2 * component];
  }
}

static void read_list(ds_atom_batch *batch, const ds_array *a, const int32_t *list, int n)
{
  const ptrdiff_t step = a->atom_stride, component = a->component_stride;
  for (int k = 0; k < n; k++) {
    const double *const p = (const double *) a->data + list[k] * step;
    batch->x[k] = p[0];
    batch->y[k] = p[component];
    batch->z[k] = p[2 * component];
  }
}

static void read_singles(ds_atom_batch *batch, const ds_array *a, int first, const int32_t *list, int n)
{
  for (int k = 0; k < n; k++) {
    const int i = list ? list[k] : first + k;
    batch->x[k] = ds_array_get(a, i, 0);
    batch->y[k] = ds_array_get(a, i, 1);
    batch->z[k] = ds_array_get(a, i, 2);
  }
}

void DS_KERNEL(ds_atom_batch_read)(ds_atom_batch *batch, const ds_array *a, int first, const int32_t *list, int n)
{
  const ptrdiff_t step = a->atom_stride, component = a->component_stride;
  batch->n = n;
  if (a->type == DS_F32)
    read_singles(batch, a, first, list, n);
  else if (list)
    read_list(batch, a, list, n);
  else if (step == 3 && component == 1)
    read_doubles(batch, (const double *) a->data + 3 * (ptrdiff_t) first, 3, 1, n);
  else
    read_doubles(batch, (const double *) a->data + first * step, step, component, n);
}

int DS_KERNEL(ds_positions)(const ds_frame *f, const ds_atom_batch *x, int32_t *restrict out)
{
  const ds_frame frame = *f;
  const int n = x->n;
  int near = 1, good = 1;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    double lambda[3];
    ds_fraction(&frame, x->x[k], x->y[k], x->z[k], lambda);
    near &= ds_fraction_near(&frame, lambda);
    const ds_position p = ds_position_of(&frame, lambda);
    out[4 * k] = p.x;
    out[4 * k + 1] = p.y;
    out[4 * k + 2] = p.z;
  }
  if (near) return 0; /* and so all are allowed */
  for (int k = 0; k < n; k++) {
    double lambda[3];
    ds_fraction(&frame, x->x[k], x->y[k], x->z[k], lambda);
    good &= ds_fraction_ok(&frame, lambda);
  }
  return good ? DS_FAR_POSITION : DS_BAD_POSITION;
}

void DS_KERNEL(ds_signatures)(const ds_atom_batch *v, const int64_t *restrict tag, uint32_t seed, uint64_t step,
                              uint32_t *restrict out)
{
  const int n = v->n;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++)
    out[k] = ds_signature((uint64_t) tag[k], (float) v->x[k], (float) v->y[k], (float) v->z[k], seed, step);
}
