/* Strided views of arrays that somebody else owns: plain LAMMPS (double **), KOKKOS views of either
   layout, or a test.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ARRAY_H
#define DPDSOP_ARRAY_H

#include "dpdsop/device/base.h"

#include <stddef.h>
#include <stdint.h>

typedef enum { DS_F64 = 0, DS_F32, DS_I32, DS_I64 } ds_type;
typedef enum { DS_SPACE_HOST = 0, DS_SPACE_DEVICE } ds_space;

/* The accessors below are for memory that the caller can reach, ds_array_get, _put and _add for F64 and F32,
   ds_array_int for I32 and I64. Element (atom i, component c) lies at data[i * atom_stride + c * component_stride], strides in
   elements: AoS double is {x, DS_F64, space, 3, 1}, SoA is {x, type, space, 1, padded_length}. */
typedef struct {
  void *data;
  ds_type type;
  ds_space space;
  ptrdiff_t atom_stride;
  ptrdiff_t component_stride;
} ds_array;

/* Of an element. */
DS_FUNC int ds_type_bytes(ds_type type)
{
  return type == DS_F64 || type == DS_I64 ? 8 : 4;
}

DS_FUNC double ds_array_get(const ds_array *a, ptrdiff_t i, int c)
{
  const ptrdiff_t k = i * a->atom_stride + c * a->component_stride;
  return a->type == DS_F64 ? ((const double *) a->data)[k] : (double) ((const float *) a->data)[k];
}

DS_FUNC void ds_array_put(const ds_array *a, ptrdiff_t i, int c, double value)
{
  const ptrdiff_t k = i * a->atom_stride + c * a->component_stride;
  if (a->type == DS_F64)
    ((double *) a->data)[k] = value;
  else
    ((float *) a->data)[k] = (float) value;
}

/* Forces are added to what is there: other styles may have written before the pair. */
DS_FUNC void ds_array_add(const ds_array *a, ptrdiff_t i, int c, double value)
{
  const ptrdiff_t k = i * a->atom_stride + c * a->component_stride;
  if (a->type == DS_F64)
    ((double *) a->data)[k] += value;
  else
    ((float *) a->data)[k] = (float) (((const float *) a->data)[k] + value);
}

DS_FUNC int64_t ds_array_int(const ds_array *a, ptrdiff_t i, int c)
{
  const ptrdiff_t k = i * a->atom_stride + c * a->component_stride;
  return a->type == DS_I64 ? ((const int64_t *) a->data)[k] : ((const int32_t *) a->data)[k];
}

#endif
