/* Hydrodynamic interactions: what is the same for all molecules.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_HYDRO_STATE_H
#define DPDSOP_SOP_HYDRO_STATE_H

#include "dpdsop/device/sop_hydro.h"
#include "dpdsop/sop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By bead of a molecule, lengths in units of the radius. */
typedef struct {
  ds_sop_hydro kind;
  float unit;   /* of coordinates */
  float limit;  /* of push and noise: ds_sop_hydro_limit */
  int32_t fixed; /* beads that do not move */
  float *radius, *inverse;
  float *root;   /* 0 of beads that do not move */
  float *weight; /* of noise before it is summed: 1, or the root */
} ds_sop_hydro_state;

/* DS_ERR_ARGUMENT for options that cannot be. */
ds_status ds_sop_hydro_check(const ds_sop_options *o, const ds_sop_topology *t, ds_error *err);

/* coordinate_unit: length. Nothing to do for DS_SOP_HYDRO_NONE. */
ds_status ds_sop_hydro_make(ds_sop_hydro_state *s, const ds_sop_options *o, const ds_sop_topology *t, double coordinate_unit,
                            ds_error *err);
void ds_sop_hydro_free(ds_sop_hydro_state *s);

/* Beads that are fixed from now on. */
void ds_sop_hydro_hold(ds_sop_hydro_state *s, int32_t beads, const ds_sop_pull *pull);

#ifdef __cplusplus
}
#endif
#endif
