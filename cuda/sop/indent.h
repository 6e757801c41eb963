/* State of indentation.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_INDENT_STATE_H
#define DPDSOP_SOP_INDENT_STATE_H

#include "cantilever.h"
#include "dpdsop/sop.h"
#include "dpdsop/device/sop_indent.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ds_sop_indent spec; /* as it was set; radius 0: none */
  int32_t molecules;  /* that have tips; 0: not begun */
  ds_sop_tip *tip;    /* by molecule */
  ds_sop_cantilever cantilever;
} ds_sop_indent_state;

struct ds_sop;

/* most: how far the tip may reach from the centre of the molecule. */
ds_status ds_sop_indent_set(ds_sop_indent_state *p, const ds_sop_indent *spec, double most, ds_error *err);
ds_status ds_sop_indent_set_speed(ds_sop_indent_state *p, double speed, ds_error *err);
/* The tips are gone; the next step begins anew. */
void ds_sop_indent_forget(ds_sop_indent_state *p);

static inline int ds_sop_indents(const ds_sop_indent_state *p)
{
  return p->spec.radius > 0.0;
}

/* The same for the same indenter, whatever has become of it. */
uint64_t ds_sop_indent_signature(const ds_sop_indent_state *p);

/* Before steps of length h, the first of them number `first`: begins where it has not, with these positions. *begun becomes
   1 then. */
ds_status ds_sop_indent_begin(struct ds_sop *sop, const int64_t *position, int64_t first, double h, int *begun, ds_error *err);

/* The tips before steps that may fail, to be freed; NULL where there are none, or no memory for them: *ok becomes 0 then. */
ds_sop_tip *ds_sop_indent_keep(const ds_sop_indent_state *p, int *ok);

/* In the units of kernels. */
ds_sop_indenter ds_sop_indenter_of(const struct ds_sop *sop);

/* A step number `step` of a motion. */
ds_sop_tip_step ds_sop_tip_step_at(const struct ds_sop *sop, const ds_sop_motion *motion, int64_t step);

/* Of each molecule, as ds_sop_indenting gives them. */
void ds_sop_indent_state_of(const struct ds_sop *sop, double *force, double *travel);

#ifdef __cplusplus
}
#endif
#endif
