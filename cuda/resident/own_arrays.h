/* The arrays that a resident object may have of its own, as ds_resident_atoms names them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_OWN_ARRAYS_H
#define DPDSOP_OWN_ARRAYS_H

#include "dpdsop/resident.h"

DS_C_BEGIN

typedef enum {
  DS_OWN_X = 0,
  DS_OWN_V,
  DS_OWN_F,
  DS_OWN_IMAGE,
  DS_OWN_TYPE,
  DS_OWN_MASK,
  DS_OWN_RMASS,
  DS_OWN_TAG,
  DS_OWN_BODY,
  DS_OWN_MOLECULE,
  DS_OWN_ANCHOR, /* the first of them */
  DS_OWN_ARRAYS = DS_OWN_ANCHOR + DS_MAX_ANCHORS
} ds_own_array;

typedef struct {
  size_t offset; /* of the array, of anchors the first one, in ds_resident_atoms */
  int field;     /* that it belongs to: DS_POSITION ... */
  int components;
  ds_type type, or_type; /* of its elements */
  int required;          /* 0: its data may be NULL */
  const char *name;
} ds_own_kind;

const ds_own_kind *ds_own_kind_of(ds_own_array which);
ds_array *ds_own_array_of(ds_resident_atoms *a, ds_own_array which);
size_t ds_own_bytes(const ds_resident_atoms *a, ds_own_array which); /* 0: there is none */

DS_C_END
#endif
