/* -*- c++ -*- LAMMPS's atom arrays as the strided views that the engine takes. Only this file knows how LAMMPS lays out its
   atoms.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOM_ARRAYS_H
#define LMP_DPDSOP_ATOM_ARRAYS_H

#include "lmptype.h"

#include "dpdsop/array.h"

namespace LAMMPS_NS {
namespace AtomArrays {

inline constexpr ds_type tag_type = sizeof(tagint) == 8 ? DS_I64 : DS_I32;

inline ds_array none()
{
  return {nullptr, DS_F64, DS_SPACE_HOST, 0, 0};
}

// per-atom vectors

inline ds_array vector(double *data)
{
  return {data, DS_F64, DS_SPACE_HOST, 1, 1};
}

inline ds_array vector(int *data)
{
  return {data, DS_I32, DS_SPACE_HOST, 1, 1};
}

inline ds_array tags(tagint *data)
{
  return {data, tag_type, DS_SPACE_HOST, 1, 1};
}

// per-atom arrays, whose rows are contiguous, as memory->create() makes them

inline ds_array rows(double **data, int ncomponents)
{
  return {data ? *data : nullptr, DS_F64, DS_SPACE_HOST, ncomponents, 1};
}

inline ds_array rows(int **data, int ncomponents)
{
  return {data ? *data : nullptr, DS_I32, DS_SPACE_HOST, ncomponents, 1};
}

inline ds_array tag_rows(tagint **data, int ncomponents)
{
  return {data ? *data : nullptr, tag_type, DS_SPACE_HOST, ncomponents, 1};
}

}    // namespace AtomArrays
}    // namespace LAMMPS_NS

#endif
