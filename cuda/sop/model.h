/* A topology as the kernels read it: pairs of one molecule by what they do, with coefficients in the units of
   dpdsop/device/sop_step.h.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_MODEL_H
#define DPDSOP_SOP_MODEL_H

#include "../core/buffer.h"
#include "dpdsop/device/sop_step.h"
#include "dpdsop/device/sop_term.h"
#include "dpdsop/sop_topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bonded pairs: those with a force of their own, bonds, contacts and angles i, i+2. All others repel each other, and are
   listed where they are near: lists exclude the bonded ones. */

/* Pairs i < j of the beads of a molecule. */
typedef struct {
  int32_t count;
  int32_t *i, *j;
} ds_sop_pairs;

/* The same by bead, both ways: the pairs of bead b are first[b] to first[b + 1]. */
typedef struct {
  int32_t *first, *partner;
  int32_t *pair; /* its number in ds_sop_pairs */
} ds_sop_rows;

typedef enum { DS_SOP_BONDS = 0, DS_SOP_CONTACTS, DS_SOP_ANGLES, DS_SOP_LISTED } ds_sop_kind;

typedef struct {
  ds_sop_topology topology;
  double position_unit, coordinate_unit; /* length */
  double force_unit;
  double cutoff;                     /* length */
  ds_sop_pairs pairs[DS_SOP_LISTED]; /* bonded, by kind */
  ds_sop_rows rows[DS_SOP_LISTED];
  ds_sop_rows exclusions;   /* partners of all three kinds, increasing; no pair numbers */
  ds_sop_bondf *bond;       /* of pairs[DS_SOP_BONDS] */
  ds_sop_contactf *contact; /* of pairs[DS_SOP_CONTACTS] */
  ds_sop_repulsionf angle, other;
  float cut2;  /* of `other`, in units of coordinates */
  float soft2; /* from this squared distance on, a force of `other` is at most DS_SOP_SMALL_FORCE */
} ds_sop_model;

/* cutoff 0: 3 sigma. */
ds_status ds_sop_model_make(ds_sop_model *m, const ds_sop_topology *t, double cutoff, ds_error *err);
void ds_sop_model_free(ds_sop_model *m);

/* Whether two beads of a molecule, i != j, have a bond, a contact or an angle. */
DS_FUNC int ds_sop_is_excluded(const ds_sop_rows *exclusions, int32_t i, int32_t j)
{
  int32_t low = exclusions->first[i], high = exclusions->first[i + 1];
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (exclusions->partner[middle] == j) return 1;
    if (exclusions->partner[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif
#endif
