/* What is wrong where a force is out of range, or a bead moves too far.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "state.h"

#include <stdio.h>

/* Whether a step is known in which it happened, and its words. */
static const char *in_step(const ds_sop_fault *f, char text[64])
{
  if (f->step < 0) return "";
  snprintf(text, 64, " in step %lld", (long long) f->step);
  return text;
}

static ds_status broken_bond(const ds_sop *sop, const ds_sop_fault *f, int64_t base, int32_t k, double r, ds_error *err)
{
  const ds_sop_bond_row *const b = sop->model.topology.bond + k;
  char text[64];
  return ds_fail(err, DS_ERR_FORCE_RANGE,
                 "the bond of atoms %lld and %lld has the length %g%s; between %g and %g is what "
                 "r0 = %g and R0 = %g allow, and near them its force is out of range",
                 (long long) sop->id[base + b->i], (long long) sop->id[base + b->j], r, in_step(f, text),
                 b->r0 > b->R0 ? b->r0 - b->R0 : 0.0, b->r0 + b->R0, b->r0, b->R0);
}

static ds_status close_pair(const ds_sop *sop, const ds_sop_fault *f, int64_t i, int64_t j, double r, ds_error *err)
{
  char text[64];
  return ds_fail(err, DS_ERR_FORCE_RANGE, "atoms %lld and %lld are too close%s: %g apart", (long long) sop->id[i],
                 (long long) sop->id[j], in_step(f, text), r);
}

/* Separation of two beads; returns the squared distance in units of coordinates. */
static float difference_of(const ds_sop_fault *f, int64_t i, int64_t j, float d[3])
{
  for (int c = 0; c < 3; c++) d[c] = (float) ds_diff32(f->coordinate[3 * i + c], f->coordinate[3 * j + c]);
  return ds_squaref(d[0], d[1], d[2]);
}

static int is_bad(float force, const float d[3])
{
  int bad = 0;
  for (int c = 0; c < 3; c++) bad |= !(fabsf(force * d[c]) <= DS_SOP_PAIR_LIMIT);
  return bad;
}

static ds_status check_bonded(const ds_sop *sop, const ds_sop_fault *f, int64_t base, int kind, ds_error *err)
{
  const ds_sop_model *const m = &sop->model;
  for (int32_t k = 0; k < m->pairs[kind].count; k++) {
    float d[3], room = 1.0f;
    const int64_t i = base + m->pairs[kind].i[k], j = base + m->pairs[kind].j[k];
    const float r2 = difference_of(f, i, j, d);
    const float force = kind == DS_SOP_BONDS      ? ds_sop_bond_forcef(m->bond + k, r2, &room)
                        : kind == DS_SOP_CONTACTS ? ds_sop_contact_forcef(m->contact + k, r2)
                                                  : ds_sop_repulsion_forcef(&m->angle, r2);
    if (room > 0.0f && !is_bad(force, d)) continue;
    const double r = sqrt((double) r2) * m->coordinate_unit;
    return kind == DS_SOP_BONDS ? broken_bond(sop, f, base, k, r, err) : close_pair(sop, f, i, j, r, err);
  }
  return DS_OK;
}

/* Every pair of a molecule, or of all, is tried: this is done once, and the nearest ones are what is looked for. */
static ds_status check_others(const ds_sop *sop, const ds_sop_fault *f, int64_t base, ds_error *err)
{
  const ds_sop_model *const m = &sop->model;
  const int64_t n = m->topology.beads;
  const int64_t end = sop->options.inter ? sop->molecules * n : base + n;
  for (int64_t i = base; i < base + n; i++)
    for (int64_t j = i + 1; j < end; j++) {
      float d[3];
      const float r2 = difference_of(f, i, j, d);
      if (!is_bad(ds_sop_repulsion_forcef(&m->other, r2), d)) continue;
      if (j < base + n && ds_sop_is_excluded(&m->exclusions, (int32_t) (i - base), (int32_t) (j - base))) continue;
      return close_pair(sop, f, i, j, sqrt((double) r2) * m->coordinate_unit, err);
    }
  return DS_OK;
}

/* The first bead of a molecule that is in its tip, or beyond the plane or the cylinder, or too near to them. */
static ds_status check_walls(const ds_sop *sop, const ds_sop_fault *f, int32_t molecule, ds_error *err)
{
  const ds_sop_indenter p = ds_sop_indenter_of(sop);
  const ds_sop_tip *const tip = sop->indent.tip + molecule;
  const int64_t n = sop->model.topology.beads;
  int32_t centre[3], start[3], push[3];
  char text[64];
  ds_sop_tip_centre(&p, tip, centre);
  for (int c = 0; c < 3; c++) start[c] = ds_sop_coordinate(tip->start[c]);
  for (int64_t b = molecule * n; b < (molecule + 1) * n; b++) {
    int in_tip = 0, in_plane = 0, in_cylinder = 0;
    ds_sop_tip_bead_force(&p, centre, f->coordinate + 3 * b, push, &in_tip);
    ds_sop_plane_bead_force(&p, start, f->coordinate + 3 * b, push, &in_plane);
    ds_sop_cylinder_bead_force(&p, start, f->coordinate + 3 * b, push, &in_cylinder);
    if (in_tip || in_plane || in_cylinder)
      return ds_fail(err, DS_ERR_FORCE_RANGE, "atom %lld is in the %s, or too near to its surface%s", (long long) sop->id[b],
                     in_tip ? "tip" : in_plane ? "plane" : "cylinder's wall", in_step(f, text));
  }
  return DS_OK;
}

ds_status ds_sop_explain(const ds_sop *sop, const ds_sop_fault *f, ds_error *err)
{
  char text[64];
  const int64_t n = sop->model.topology.beads;
  if (f->tip >= 0)
    return ds_fail(err, DS_ERR_FORCE_RANGE,
                   "the tip on the molecule of atom %lld would move by more than %g at once, or by "
                   "more than %g "
                   "in all%s: a shorter step, more friction of the tip, or a shorter way is wanted",
                   (long long) sop->id[f->tip * n], ldexp(sop->model.position_unit, 30), ldexp(sop->model.coordinate_unit, 30),
                   in_step(f, text));
  if (f->pivot >= 0)
    return ds_fail(err, DS_ERR_FORCE_RANGE,
                   "the mobility matrix of the molecule of atom %lld is not positive at atom %lld%s: it lies in one place with "
                   "another",
                   (long long) sop->id[f->pivot / n * n], (long long) sop->id[f->pivot], in_step(f, text));
  if (f->bead >= 0)
    return ds_fail(err, DS_ERR_FORCE_RANGE,
                   "atom %lld would move by more than %g%s: a shorter step, or weaker forces, are wanted",
                   (long long) sop->id[f->bead], ldexp(sop->model.position_unit, 30), in_step(f, text));
  const int32_t first = sop->options.inter ? 0 : f->molecule;
  const int32_t end = sop->options.inter ? sop->molecules : f->beyond;
  for (int32_t m = first; m < end; m++) {
    ds_status s = DS_OK;
    for (int kind = 0; kind < DS_SOP_LISTED && !s; kind++) s = check_bonded(sop, f, m * n, kind, err);
    if (!s && !sop->options.inter) s = check_others(sop, f, m * n, err);
    if (s) return s;
  }
  for (int32_t m = 0; m < end && sop->options.inter; m++) {
    const ds_status s = check_others(sop, f, m * n, err);
    if (s) return s;
  }
  for (int32_t m = 0; m < sop->indent.molecules; m++) {
    const ds_status s = check_walls(sop, f, m, err);
    if (s) return s;
  }
  return ds_fail(err, DS_ERR_FORCE_RANGE, "a force is out of range%s", in_step(f, text));
}
