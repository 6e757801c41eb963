/* Host backend: what acts on beads besides eq. 1: forces from outside, what fixes and pulls them, and what indents
   them.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

/* ------------------------------------------------------------------------------------ before steps */

/* Displacements by forces from outside; of beads that are not pulled they are all of `other`. */
static void set_outside(const ds_sop *sop, ds_sop_host *h, double per_force)
{
  const double *const f = h->outside_force.data;
  for (size_t p = 0; p < h->places; p++)
    for (int c = 0; c < 3; c++) {
      const float d = f ? (float) (f[3 * ds_sop_bead_of_place(sop, h, p) + c] * per_force) : 0.0f;
      DS_DATA(float, h->outside[c])[p] = d;
      DS_DATA(float, h->other[c])[p] = d;
    }
}

static void hold_beads(const ds_sop *sop, ds_sop_host *h)
{
  const ds_sop_pull *const p = &sop->pull.spec;
  const int32_t n = sop->model.topology.beads, lanes = h->blocks ? h->lanes : 1;
  const int32_t molecules = h->blocks ? h->blocks * lanes : sop->molecules; /* the last ones may be copies */
  for (size_t k = 0; k < h->places; k++) DS_DATA(int32_t, h->moves)[k] = -1;
  for (int32_t m = 0; m < molecules; m++)
    for (int32_t l = 0; l < p->fixed; l++) DS_DATA(int32_t, h->moves)
  [((size_t) (m / lanes) * (size_t) n + (size_t) p->fixed_bead[l]) * (size_t) lanes + (size_t) (m % lanes)] = 0;
}

void ds_sop_host_prepare(const ds_sop *sop, ds_sop_host *h, double per_force)
{
  const int changed = h->changes != sop->changes;
  if (changed) {
    hold_beads(sop, h);
    h->indenter = ds_sop_indenter_of(sop);
  }
  if (changed || h->outside_per_force != per_force) set_outside(sop, h, per_force);
  h->changes = sop->changes;
  h->outside_per_force = per_force;
}

/* ----------------------------------------------------------------------------------------- pulling */

/* Sum of positions of the pulled beads of a molecule, times their weights; predicted: of those that the first half of the step
   leads to. */
static void sum_pulled(const ds_sop *sop, const ds_sop_host *h, int32_t molecule, int predicted, int64_t sum[3])
{
  const ds_sop_pull *const p = &sop->pull.spec;
  const int64_t base = (int64_t) molecule * sop->model.topology.beads;
  uint64_t s[3] = {0, 0, 0};
  for (int32_t k = 0; k < p->pulled; k++) {
    const size_t at = ds_sop_place(sop, h, base + p->pulled_bead[k]);
    const uint64_t weight = (uint64_t) sop->pull.pulled.weight[k];
    for (int c = 0; c < 3; c++) {
      s[c] += weight * (uint64_t) DS_DATA(int64_t, h->position[c])[at];
      if (predicted) s[c] += weight * (uint64_t) (int64_t) DS_DATA(int32_t, h->predicted[c])[at];
    }
  }
  for (int c = 0; c < 3; c++) sum[c] = (int64_t) s[c];
}

void ds_sop_host_pull(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, int32_t molecule)
{
  const ds_sop_pull *const p = &sop->pull.spec;
  const ds_sop_pull_step pull = ds_sop_pull_at(sop, step->number, step->units.per_force);
  const ds_sop_anchor *const a = sop->pull.anchor + molecule;
  const int64_t base = (int64_t) molecule * sop->model.topology.beads;
  /* lanes of the last block that have no molecule do as the last one does */
  const size_t lanes = h->blocks && molecule == sop->molecules - 1 ? (size_t) (h->lanes - molecule % h->lanes) : 1;
  int64_t sum[3];
  sum_pulled(sop, h, molecule, 0, sum);
  double force = ds_sop_pull_force(&pull, ds_sop_pull_along(a, sum, pull.unit));
  if (half == 1) {
    sum_pulled(sop, h, molecule, 1, sum);
    force = 0.5 * (force + ds_sop_pull_force(&pull, ds_sop_pull_along(a, sum, pull.unit)));
  }
  for (int32_t k = 0; k < p->pulled; k++) {
    const size_t at = ds_sop_place(sop, h, base + p->pulled_bead[k]);
    for (int c = 0; c < 3; c++) {
      float *const other = DS_DATA(float, h->other[c]);
      const float *const outside = DS_DATA(float, h->outside[c]);
      const float push = ds_sop_pull_displacement(&pull, a, force, sop->pull.pulled.weight[k], c);
      for (size_t place = at; place < at + lanes; place++) other[place] = outside[place] + push;
    }
  }
}

/* ---------------------------------------------------------------------------------------- indentation */

/* The tip of the molecule that places belong to which are looked at in turn. */
typedef struct {
  int32_t molecule; /* -1: none yet */
  int32_t centre[3], start[3];
  int64_t push[3]; /* sum of its forces */
  int touched;
} present_tip;

static void leave_tip(ds_sop_host *h, present_tip *t)
{
  for (int c = 0; c < 3 && t->touched; c++) {
    int64_t *const sum = DS_DATA(int64_t, h->tip_bead_forces) + 3 * (size_t) t->molecule + c;
#pragma omp atomic
    *sum += t->push[c];
  }
  t->touched = 0;
  t->push[0] = t->push[1] = t->push[2] = 0;
}

static void enter_tip(const ds_sop *sop, ds_sop_host *h, present_tip *t, int32_t molecule)
{
  leave_tip(h, t);
  const ds_sop_tip *const tip = sop->indent.tip + molecule;
  t->molecule = molecule;
  ds_sop_tip_centre(&h->indenter, tip, t->centre);
  for (int c = 0; c < 3; c++) t->start[c] = ds_sop_coordinate(tip->start[c]);
}

int ds_sop_host_indenter_force(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last, int adds)
{
  const int64_t n = sop->model.topology.beads;
  int fault = 0;
  present_tip t = {-1, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0};
  for (int64_t b = first; b < last; b++) {
    const int32_t x[3] = {DS_DATA(int32_t, h->x[0])[b], DS_DATA(int32_t, h->x[1])[b], DS_DATA(int32_t, h->x[2])[b]};
    int32_t push[3];
    if (b / n != t.molecule) enter_tip(sop, h, &t, (int32_t) (b / n));
    if (ds_sop_tip_bead_force(&h->indenter, t.centre, x, push, &fault)) {
      t.touched = 1;
      for (int c = 0; c < 3; c++) {
        t.push[c] += push[c];
        if (adds) DS_DATA(int32_t, h->force[0][c])[b] += push[c];
      }
    }
    if (adds && ds_sop_plane_bead_force(&h->indenter, t.start, x, push, &fault))
      for (int c = 0; c < 3; c++) DS_DATA(int32_t, h->force[0][c])[b] += push[c];
    if (adds && ds_sop_cylinder_bead_force(&h->indenter, t.start, x, push, &fault))
      for (int c = 0; c < 3; c++) DS_DATA(int32_t, h->force[0][c])[b] += push[c];
  }
  leave_tip(h, &t);
  return fault;
}

int32_t ds_sop_host_move_tips(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half)
{
  const ds_sop_tip_step s = ds_sop_tip_step_at(sop, step->motion, step->number);
  for (int32_t m = 0; m < sop->molecules; m++) {
    int64_t *const push = DS_DATA(int64_t, h->tip_bead_forces) + 3 * (size_t) m;
    const float normal = ds_sop_tip_normal(sop->options.seed, step->number, sop->id[(int64_t) m * sop->model.topology.beads]);
    if (ds_sop_tip_move(&h->indenter, &s, sop->options.order, half, normal, push, sop->indent.tip + m)) return m;
    push[0] = push[1] = push[2] = 0;
  }
  return -1;
}
