/* The arrays that a backend of resident atoms may have of its own.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_arrays.h"

#include <stddef.h>

static const ds_own_kind kinds[DS_OWN_ANCHOR + 1] = {
    [DS_OWN_X] = {offsetof(ds_resident_atoms, x), DS_POSITION, 3, DS_F64, DS_F64, 1, "positions"},
    [DS_OWN_V] = {offsetof(ds_resident_atoms, v), DS_VELOCITY, 3, DS_F64, DS_F64, 1, "velocities"},
    [DS_OWN_F] = {offsetof(ds_resident_atoms, f), DS_FORCE, 3, DS_F64, DS_F64, 1, "forces"},
    [DS_OWN_IMAGE] = {offsetof(ds_resident_atoms, image), DS_IMAGE, 1, DS_I32, DS_I64, 1, "image flags"},
    [DS_OWN_TYPE] = {offsetof(ds_resident_atoms, type), DS_IDENTITY, 1, DS_I32, DS_I32, 1, "types"},
    [DS_OWN_MASK] = {offsetof(ds_resident_atoms, mask), DS_IDENTITY, 1, DS_I32, DS_I32, 1, "group masks"},
    [DS_OWN_RMASS] = {offsetof(ds_resident_atoms, rmass), DS_IDENTITY, 1, DS_F64, DS_F64, 0, "masses"},
    [DS_OWN_TAG] = {offsetof(ds_resident_atoms, tag), DS_TAG, 1, DS_I32, DS_I64, 0, "tags"},
    [DS_OWN_BODY] = {offsetof(ds_resident_atoms, body), DS_TAG, 1, DS_I32, DS_I32, 0, "numbers of bodies"},
    [DS_OWN_MOLECULE] = {offsetof(ds_resident_atoms, molecule), DS_TAG, 1, DS_I32, DS_I64, 0, "numbers of molecules"},
    [DS_OWN_ANCHOR] = {offsetof(ds_resident_atoms, anchor), DS_TAG, 3, DS_F64, DS_F64, 0, "anchors"},
};

const ds_own_kind *ds_own_kind_of(ds_own_array which)
{
  return &kinds[which < DS_OWN_ANCHOR ? which : DS_OWN_ANCHOR];
}

ds_array *ds_own_array_of(ds_resident_atoms *a, ds_own_array which)
{
  ds_array *const first = (ds_array *) ((char *) a + ds_own_kind_of(which)->offset);
  return which > DS_OWN_ANCHOR ? first + (which - DS_OWN_ANCHOR) : first;
}

size_t ds_own_bytes(const ds_resident_atoms *a, ds_own_array which)
{
  ds_resident_atoms copy = *a;
  const ds_array *const array = ds_own_array_of(&copy, which);
  const size_t words = (size_t) a->n * (size_t) ds_own_kind_of(which)->components;
  return array->data ? words * (size_t) ds_type_bytes(array->type) : 0;
}
