/* The arrays that a backend of resident atoms may have of its own.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_arrays.h"

static const ds_own_kind kinds[DS_OWN_ANCHOR + 1] = {
    [DS_OWN_X] = {DS_POSITION, 3, "copying positions"},
    [DS_OWN_V] = {DS_VELOCITY, 3, "copying velocities"},
    [DS_OWN_F] = {DS_FORCE, 3, "copying forces"},
    [DS_OWN_IMAGE] = {DS_IMAGE, 1, "copying image flags"},
    [DS_OWN_TYPE] = {DS_IDENTITY, 1, "copying types"},
    [DS_OWN_MASK] = {DS_IDENTITY, 1, "copying group masks"},
    [DS_OWN_RMASS] = {DS_IDENTITY, 1, "copying masses"},
    [DS_OWN_TAG] = {DS_TAG, 1, "copying tags"},
    [DS_OWN_BODY] = {DS_TAG, 1, "copying numbers of bodies"},
    [DS_OWN_ANCHOR] = {DS_TAG, 3, "copying anchors"},
};

const ds_own_kind *ds_own_kind_of(ds_own_array which)
{
  return &kinds[which < DS_OWN_ANCHOR ? which : DS_OWN_ANCHOR];
}

ds_array *ds_own_array_of(ds_resident_atoms *a, ds_own_array which)
{
  ds_array *const all[DS_OWN_ANCHOR] = {
      [DS_OWN_X] = &a->x,         [DS_OWN_V] = &a->v,       [DS_OWN_F] = &a->f,
      [DS_OWN_IMAGE] = &a->image, [DS_OWN_TYPE] = &a->type, [DS_OWN_MASK] = &a->mask,
      [DS_OWN_RMASS] = &a->rmass, [DS_OWN_TAG] = &a->tag,
      [DS_OWN_BODY] = &a->body,
  };
  return which < DS_OWN_ANCHOR ? all[which] : &a->anchor[which - DS_OWN_ANCHOR];
}

size_t ds_own_bytes(const ds_resident_atoms *a, ds_own_array which)
{
  ds_resident_atoms copy = *a;
  const ds_array *const array = ds_own_array_of(&copy, which);
  const size_t words = (size_t) a->n * (size_t) ds_own_kind_of(which)->components;
  return array->data ? words * (size_t) ds_type_bytes(array->type) : 0;
}
