/* State of indentation.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "indent.h"

#include "centre.h"
#include "dpdsop/digest.h"
#include "length.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ set up */

static ds_status check_above_0(const char *what, double value, ds_error *err)
{
  if (value > 0.0 && isfinite(value)) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s %g must be above 0", what, value);
}

static ds_status check_speed(double speed, ds_error *err)
{
  return isfinite(speed) ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "speed %g of the tip must be finite", speed);
}

static ds_status check_place(const char *of, const double x[3], ds_error *err)
{
  if (isfinite(ds_sop_length(x))) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "place %g %g %g of the %s must be finite", x[0], x[1], x[2], of);
}

static ds_status check_direction(const char *what, const char *of, const double x[3], ds_error *err)
{
  const double length = ds_sop_length(x);
  if (length > 0.0 && isfinite(length)) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s %g %g %g of the %s must be finite and not 0 0 0", what, x[0], x[1], x[2], of);
}

/* Surfaces repel by the sixth power alone. */
static int is_plain(const ds_sop_indent *p)
{
  return p->twelfth == 0.0 && p->sixth == 0.0;
}

static ds_status check_indent(const ds_sop_indent *p, double most, ds_error *err)
{
  ds_status s = check_above_0("radius of the tip", p->radius, err);
  if (!s) s = check_above_0("stiffness of the tip's spring", p->spring, err);
  if (!s) s = check_above_0("friction coefficient of the tip", p->friction, err);
  if (!s) s = check_above_0("energy of the tip's repulsion", p->eps, err);
  if (!s) s = check_above_0("range of the tip's repulsion", p->sigma, err);
  if (s) return s;
  if ((s = check_speed(p->speed, err))) return s;
  if ((s = check_place("tip", p->start, err))) return s;
  if (!(ds_sop_length(p->start) + p->radius + DS_SOP_WALL_RANGE * p->sigma < most))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "a tip of radius %g and repulsion %g at %g %g %g reaches too far: all that must "
                   "be within %g "
                   "of the molecule's centre",
                   p->radius, p->sigma, p->start[0], p->start[1], p->start[2], most);
  return check_direction("direction", "tip", p->direction, err);
}

static ds_status check_surfaces(const ds_sop_indent *p, ds_error *err)
{
  const double *const n = p->normal;
  if (!is_plain(p) &&
      !(p->twelfth >= 0.0 && isfinite(p->twelfth) && isfinite(p->sixth) && (p->twelfth > 0.0 || p->sixth > 0.0)))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "factors %g of (sigma/d)^12 and %g of (sigma/d)^6: the first must not be below 0, and where it is 0, the "
                   "second must be above 0",
                   p->twelfth, p->sixth);
  ds_status s = p->has_plane ? check_place("plane", p->plane, err) : DS_OK;
  if (!s && p->has_plane && !isfinite(ds_sop_length(n)))
    s = ds_fail(err, DS_ERR_ARGUMENT, "normal %g %g %g of the plane must be finite", n[0], n[1], n[2]);
  if (s || p->cylinder == DS_SOP_NO_CYLINDER) return s;
  if (p->cylinder != DS_SOP_BEADS_INSIDE && p->cylinder != DS_SOP_BEADS_OUTSIDE)
    return ds_fail(err, DS_ERR_ARGUMENT, "side %d of the cylinder's beads is not known", (int) p->cylinder);
  s = check_above_0("radius of the cylinder", p->cylinder_radius, err);
  if (!s) s = check_place("cylinder", p->axis_point, err);
  return s ? s : check_direction("axis", "cylinder", p->axis, err);
}

ds_status ds_sop_indent_set(ds_sop_indent_state *p, const ds_sop_indent *spec, double most, ds_error *err)
{
  ds_status s = check_indent(spec, most, err);
  if (!s) s = check_surfaces(spec, err);
  if (s) return s;
  ds_sop_indent_forget(p);
  p->spec = *spec;
  p->cantilever.speed = spec->speed;
  const double length = ds_sop_length(spec->direction);
  for (int c = 0; c < 3; c++) p->spec.direction[c] /= length;
  return DS_OK;
}

ds_status ds_sop_indent_set_speed(ds_sop_indent_state *p, double speed, ds_error *err)
{
  if (!ds_sop_indents(p)) return ds_fail(err, DS_ERR_ARGUMENT, "speed %g of a tip, allowed only where one presses", speed);
  const ds_status s = check_speed(speed, err);
  if (!s) ds_sop_cantilever_set_speed(&p->cantilever, p->molecules > 0, speed);
  return s;
}

void ds_sop_indent_forget(ds_sop_indent_state *p)
{
  free(p->tip);
  p->tip = NULL;
  p->molecules = 0;
}

uint64_t ds_sop_indent_signature(const ds_sop_indent_state *p)
{
  const ds_sop_indent *const s = &p->spec;
  const double numbers[16] = {s->radius,       s->start[0], s->start[1], s->start[2], s->direction[0], s->direction[1],
                              s->direction[2], s->spring,   s->speed,    s->friction, s->eps,          s->sigma,
                              s->has_plane,    s->plane[0], s->plane[1], s->plane[2]};
  const double more[13] = {s->twelfth,  s->sixth,         s->normal[0],      s->normal[1],     s->normal[2],
                           s->cylinder, s->axis_point[0], s->axis_point[1],  s->axis_point[2], s->axis[0],
                           s->axis[1],  s->axis[2],       s->cylinder_radius};
  const uint64_t first = ds_digest(DS_DIGEST_OF_NOTHING, numbers, sizeof numbers);
  int any = 0; /* files written before there were these have the digest of the others */
  for (int k = 0; k < 13; k++) any |= more[k] != 0.0;
  return any ? ds_digest(first, more, sizeof more) : first;
}

/* ------------------------------------------------------------------------------------------- start */

ds_status ds_sop_indent_begin(struct ds_sop *sop, const int64_t *position, int64_t first, double h, int *begun, ds_error *err)
{
  ds_sop_indent_state *const p = &sop->indent;
  const int32_t beads = sop->model.topology.beads;
  if (!ds_sop_indents(p) || sop->molecules == 0) return DS_OK;
  if (p->molecules) {
    ds_sop_cantilever_go_on(&p->cantilever, first, h);
    return DS_OK;
  }
  p->tip = calloc((size_t) sop->molecules, sizeof *p->tip);
  if (!p->tip) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %d tips", sop->molecules);
  for (int32_t m = 0; m < sop->molecules; m++) {
    double centre[3];
    ds_sop_centre_of(position + 3 * (size_t) m * (size_t) beads, beads, centre);
    for (int c = 0; c < 3; c++) p->tip[m].start[c] = ds_round64(centre[c] + p->spec.start[c] / sop->model.position_unit);
  }
  p->molecules = sop->molecules;
  ds_sop_cantilever_start(&p->cantilever, first, h);
  *begun = 1;
  return DS_OK;
}

ds_sop_tip *ds_sop_indent_keep(const ds_sop_indent_state *p, int *ok)
{
  const size_t bytes = (size_t) p->molecules * sizeof *p->tip;
  if (bytes == 0) return NULL;
  ds_sop_tip *const kept = malloc(bytes);
  if (kept) memcpy(kept, p->tip, bytes);
  *ok = kept != NULL;
  return kept;
}

/* ------------------------------------------------------------------------------------------- units */

static void describe_plane(const ds_sop_indent *s, double unit, ds_sop_indenter *p)
{
  const double length = ds_sop_length(s->normal);
  p->plane = HUGE_VAL;
  if (s->has_plane) p->plane = 0.0;
  for (int c = 0; c < 3; c++) {
    p->normal[c] = length > 0.0 ? -s->normal[c] / length : s->direction[c];
    if (s->has_plane) p->plane += (s->plane[c] - s->start[c]) / unit * p->normal[c];
  }
}

static void describe_cylinder(const ds_sop_indent *s, double unit, ds_sop_indenter *p)
{
  if (s->cylinder == DS_SOP_NO_CYLINDER) return;
  const double length = ds_sop_length(s->axis);
  p->side = s->cylinder == DS_SOP_BEADS_INSIDE ? 1.0 : -1.0;
  p->cylinder = s->cylinder_radius / unit;
  for (int c = 0; c < 3; c++) {
    p->axis[c] = s->axis[c] / length;
    p->axis_point[c] = (s->axis_point[c] - s->start[c]) / unit;
  }
}

ds_sop_indenter ds_sop_indenter_of(const struct ds_sop *sop)
{
  const ds_sop_indent *const s = &sop->indent.spec;
  const double unit = sop->model.coordinate_unit, eps = s->eps / (sop->model.force_unit * unit);
  ds_sop_indenter p;
  memset(&p, 0, sizeof p);
  if (!ds_sop_indents(&sop->indent)) return p;
  p.wall.sigma2 = s->sigma / unit * (s->sigma / unit);
  p.wall.eps = is_plain(s) ? eps : s->sixth * eps;
  p.twelfth = s->twelfth * eps;
  p.range = DS_SOP_WALL_RANGE * s->sigma / unit;
  p.radius = s->radius / unit;
  p.reach2 = (float) ((p.radius + p.range) * (p.radius + p.range));
  for (int c = 0; c < 3; c++) p.direction[c] = s->direction[c];
  describe_plane(s, unit, &p);
  describe_cylinder(s, unit, &p);
  return p;
}

ds_sop_tip_step ds_sop_tip_step_at(const struct ds_sop *sop, const ds_sop_motion *motion, int64_t step)
{
  const ds_sop_indent *const s = &sop->indent.spec;
  const double unit = sop->model.position_unit;
  ds_sop_tip_step t;
  memset(&t, 0, sizeof t);
  if (!ds_sop_indents(&sop->indent)) return t;
  t.stiffness = s->spring;
  t.base = ds_sop_cantilever_at(&sop->indent.cantilever, step);
  t.unit = unit;
  t.force_unit = sop->model.force_unit;
  t.per_force = motion->h / s->friction / unit;
  t.noise = sqrt(2.0 * motion->kT * motion->h / s->friction) / unit;
  return t;
}

void ds_sop_indent_state_of(const struct ds_sop *sop, double *force, double *travel)
{
  const ds_sop_indent_state *const p = &sop->indent;
  const ds_sop_motion still = {0, 0, 0.0, 1.0, 0.0};
  const ds_sop_tip_step step = ds_sop_tip_step_at(sop, &still, p->cantilever.clock.next);
  for (int32_t m = 0; m < sop->molecules; m++) {
    force[m] = travel[m] = 0.0;
    if (!ds_sop_indents(p) || p->molecules == 0) continue;
    force[m] = ds_sop_tip_spring(&step, p->tip[m].travel);
    travel[m] = step.unit * (double) p->tip[m].travel;
  }
}
