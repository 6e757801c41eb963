/* State of pulling.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pull.h"

#include "centre.h"
#include "dpdsop/digest.h"
#include "length.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ set up */

static ds_status check_beads(const char *what, int32_t count, const int32_t *bead, int32_t beads, ds_error *err)
{
  if (count < 0 || (count > 0 && !bead)) return ds_fail(err, DS_ERR_ARGUMENT, "%d %s beads", count, what);
  for (int32_t k = 0; k < count; k++)
    if (bead[k] < 0 || bead[k] >= beads)
      return ds_fail(err, DS_ERR_ARGUMENT, "%s bead %d, must be from 1 to %d", what, bead[k] + 1, beads);
  for (int32_t k = 0; k < count; k++)
    for (int32_t l = 0; l < k; l++)
      if (bead[k] == bead[l]) return ds_fail(err, DS_ERR_ARGUMENT, "%s bead %d is named twice", what, bead[k] + 1);
  return DS_OK;
}

static ds_status check_speed(double speed, ds_error *err)
{
  return isfinite(speed) ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "speed %g must be finite", speed);
}

static ds_status check_plane(const ds_sop_pull *p, double most, ds_error *err)
{
  const double *const n = p->direction, *const x = p->plane;
  if (!(ds_sop_length(n) > 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT, "normal %g %g %g of the pull's plane, must be another", n[0], n[1], n[2]);
  if (ds_sop_length(x) < most) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "place %g %g %g of the pull's plane must be within %g of the molecule's centre", x[0],
                 x[1], x[2], most);
}

static ds_status check_pull(const ds_sop_pull *p, int32_t beads, double most, ds_error *err)
{
  ds_status s = check_beads("fixed", p->fixed, p->fixed_bead, beads, err);
  if (!s) s = check_beads("pulled", p->pulled, p->pulled_bead, beads, err);
  if (s) return s;
  for (int32_t k = 0; k < p->pulled; k++)
    for (int32_t l = 0; l < p->fixed; l++)
      if (p->pulled_bead[k] == p->fixed_bead[l])
        return ds_fail(err, DS_ERR_ARGUMENT, "bead %d is fixed and pulled", p->pulled_bead[k] + 1);
  if (p->mode == DS_SOP_PULL_NONE) return DS_OK;
  if (p->pulled == 0) return ds_fail(err, DS_ERR_ARGUMENT, "no bead is pulled");
  if (p->mode == DS_SOP_PULL_SPRING && !(p->spring > 0.0 && isfinite(p->spring)))
    return ds_fail(err, DS_ERR_ARGUMENT, "stiffness %g of the spring must be above 0", p->spring);
  if (p->mode == DS_SOP_PULL_SPRING && (s = check_speed(p->speed, err))) return s;
  if (p->mode == DS_SOP_PULL_FORCE && !isfinite(p->force))
    return ds_fail(err, DS_ERR_ARGUMENT, "force %g must be finite", p->force);
  if (!isfinite(ds_sop_length(p->direction)))
    return ds_fail(err, DS_ERR_ARGUMENT, "direction %g %g %g must be finite", p->direction[0], p->direction[1],
                   p->direction[2]);
  if (p->has_plane) return check_plane(p, most, err);
  if (p->fixed == 0 && ds_sop_length(p->direction) == 0.0)
    return ds_fail(err, DS_ERR_ARGUMENT, "without a fixed bead there is no end-to-end direction: give one");
  return DS_OK;
}

static int32_t *copy_beads(int32_t count, const int32_t *bead)
{
  int32_t *const copy = malloc(((size_t) count + 1) * sizeof *copy);
  if (copy && count) memcpy(copy, bead, (size_t) count * sizeof *copy);
  return copy;
}

ds_status ds_sop_pull_set(ds_sop_pull_state *p, const ds_sop_pull *spec, int32_t beads, double most, ds_error *err)
{
  ds_sop_pull_state then;
  memset(&then, 0, sizeof then);
  ds_status s = check_pull(spec, beads, most, err);
  if (!s) s = ds_sop_weights_set(&then.fixed, "fixed", spec->fixed, spec->fixed_bead, spec->fixed_weight, err);
  if (!s) s = ds_sop_weights_set(&then.pulled, "pulled", spec->pulled, spec->pulled_bead, spec->pulled_weight, err);
  if (!s) {
    then.spec = *spec;
    then.cantilever.speed = spec->speed;
    then.spec.fixed_weight = then.spec.pulled_weight = NULL;
    then.spec.fixed_bead = copy_beads(spec->fixed, spec->fixed_bead);
    then.spec.pulled_bead = copy_beads(spec->pulled, spec->pulled_bead);
    if (!then.spec.fixed_bead || !then.spec.pulled_bead)
      s = ds_fail(err, DS_ERR_MEMORY, "no host memory for %d pulled beads", spec->pulled);
  }
  ds_sop_pull_free(s ? &then : p);
  if (!s) *p = then;
  return s;
}

ds_status ds_sop_pull_set_speed(ds_sop_pull_state *p, double speed, ds_error *err)
{
  if (p->spec.mode != DS_SOP_PULL_SPRING)
    return ds_fail(err, DS_ERR_ARGUMENT, "speed %g of a pull, allowed only where a spring pulls", speed);
  const ds_status s = check_speed(speed, err);
  if (!s) ds_sop_cantilever_set_speed(&p->cantilever, p->molecules > 0, speed);
  return s;
}

void ds_sop_pull_free(ds_sop_pull_state *p)
{
  free((void *) p->spec.fixed_bead);
  free((void *) p->spec.pulled_bead);
  ds_sop_weights_free(&p->fixed);
  ds_sop_weights_free(&p->pulled);
  free(p->anchor);
  memset(p, 0, sizeof *p);
}

void ds_sop_pull_forget(ds_sop_pull_state *p)
{
  free(p->anchor);
  p->anchor = NULL;
  p->molecules = 0;
}

uint64_t ds_sop_pull_signature(const ds_sop_pull_state *p)
{
  const ds_sop_pull *const s = &p->spec;
  const int32_t counts[3] = {(int32_t) s->mode, s->fixed, s->pulled};
  const double numbers[6] = {s->spring, s->speed, s->force, s->direction[0], s->direction[1], s->direction[2]};
  uint64_t hash = ds_digest(DS_DIGEST_OF_NOTHING, counts, sizeof counts);
  hash = ds_digest(hash, numbers, sizeof numbers);
  hash = ds_digest(hash, s->fixed_bead, (size_t) s->fixed * sizeof *s->fixed_bead);
  hash = ds_digest(hash, s->pulled_bead, (size_t) s->pulled * sizeof *s->pulled_bead);
  if (ds_sop_weights_are_equal(&p->fixed) && ds_sop_weights_are_equal(&p->pulled) && !s->has_plane)
    return hash; /* files written before there were these have the digest of the others */
  const double plane[4] = {s->has_plane != 0, s->plane[0], s->plane[1], s->plane[2]};
  hash = ds_digest(hash, p->fixed.weight, (size_t) s->fixed * sizeof *p->fixed.weight);
  hash = ds_digest(hash, p->pulled.weight, (size_t) s->pulled * sizeof *p->pulled.weight);
  return ds_digest(hash, plane, (s->has_plane ? 4 : 1) * sizeof *plane);
}

/* ------------------------------------------------------------------------------------------- start */

/* From the mean of the fixed beads to that of the pulled ones, units; from where these began where none is fixed, and from the
   point of the plane where there is one. */
static void end_to_end(const ds_sop_pull_state *p, const ds_sop_anchor *a, const int64_t *position, double v[3])
{
  const ds_sop_pull *const s = &p->spec;
  if (s->fixed && !s->has_plane) {
    double fixed[3], pulled[3];
    ds_sop_weights_mean(&p->fixed, position, s->fixed_bead, fixed);
    ds_sop_weights_mean(&p->pulled, position, s->pulled_bead, pulled);
    for (int c = 0; c < 3; c++) v[c] = pulled[c] - fixed[c];
    return;
  }
  int64_t sum[3];
  ds_sop_weights_sum(&p->pulled, position, s->pulled_bead, sum);
  for (int c = 0; c < 3; c++) v[c] = (double) (int64_t) ((uint64_t) sum[c] - (uint64_t) a->start[c]) / p->pulled.total;
}

/* As many points of the plane as there are weights. */
static void start_at_plane(const struct ds_sop *sop, const int64_t *position, ds_sop_anchor *a)
{
  const ds_sop_pull_state *const p = &sop->pull;
  double centre[3];
  ds_sop_centre_of(position, sop->model.topology.beads, centre);
  for (int c = 0; c < 3; c++) {
    const int64_t at = ds_round64(centre[c] + p->spec.plane[c] / sop->model.position_unit);
    a->start[c] = (int64_t) ((uint64_t) p->pulled.total * (uint64_t) at);
  }
}

static ds_status start_molecule(const struct ds_sop *sop, int32_t m, const int64_t *position, ds_sop_anchor *a, ds_error *err)
{
  const ds_sop_pull *const s = &sop->pull.spec;
  double v[3] = {s->direction[0], s->direction[1], s->direction[2]};
  if (s->has_plane)
    start_at_plane(sop, position, a);
  else
    ds_sop_weights_sum(&sop->pull.pulled, position, s->pulled_bead, a->start);
  if (ds_sop_length(v) == 0.0) end_to_end(&sop->pull, a, position, v);
  const double length = ds_sop_length(v);
  if (!(length > 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "molecule %d: the fixed and the pulled beads are at the same place, so there is "
                   "no direction from one to the other",
                   m + 1);
  for (int c = 0; c < 3; c++) a->direction[c] = v[c] / length;
  return DS_OK;
}

static ds_status start(struct ds_sop *sop, const int64_t *position, ds_error *err)
{
  ds_sop_pull_state *const p = &sop->pull;
  const size_t stride = 3 * (size_t) sop->model.topology.beads;
  p->anchor = malloc(((size_t) sop->molecules + 1) * sizeof *p->anchor);
  if (!p->anchor) return ds_fail(err, DS_ERR_MEMORY, "no host memory to pull %d molecules", sop->molecules);
  for (int32_t m = 0; m < sop->molecules; m++) {
    const ds_status s = start_molecule(sop, m, position + stride * (size_t) m, p->anchor + m, err);
    if (s) {
      free(p->anchor);
      p->anchor = NULL;
      return s;
    }
  }
  p->molecules = sop->molecules;
  return DS_OK;
}

ds_status ds_sop_pull_begin(struct ds_sop *sop, const int64_t *position, int64_t first, double h, int *begun, ds_error *err)
{
  ds_sop_pull_state *const p = &sop->pull;
  if (p->spec.mode == DS_SOP_PULL_NONE || sop->molecules == 0) return DS_OK;
  if (p->molecules) {
    ds_sop_cantilever_go_on(&p->cantilever, first, h);
    return DS_OK;
  }
  const ds_status s = start(sop, position, err);
  if (s) return s;
  ds_sop_cantilever_start(&p->cantilever, first, h);
  *begun = 1;
  return DS_OK;
}

ds_sop_pull_step ds_sop_pull_at(const struct ds_sop *sop, int64_t step, double per_force)
{
  const ds_sop_pull_state *const p = &sop->pull;
  ds_sop_pull_step s;
  memset(&s, 0, sizeof s);
  if (p->spec.mode == DS_SOP_PULL_NONE) return s;
  s.spring = p->spec.mode == DS_SOP_PULL_SPRING;
  s.stiffness = p->spec.spring;
  s.travel = ds_sop_cantilever_at(&p->cantilever, step);
  s.force = p->spec.force;
  s.unit = sop->model.position_unit / p->pulled.total;
  s.per_force = per_force / p->pulled.total;
  return s;
}

/* Where a molecule is pulled from, as if it began here before the first step; 0 where beads at the same place have no direction
   yet. */
static int anchor_of(const struct ds_sop *sop, int32_t m, const int64_t *position, ds_sop_anchor *a)
{
  ds_error none;
  if (sop->pull.molecules)
    *a = sop->pull.anchor[m];
  else if (start_molecule(sop, m, position, a, &none))
    return 0;
  return 1;
}

void ds_sop_pull_state_of(const struct ds_sop *sop, const int64_t *position, double *force, double *extension)
{
  const ds_sop_pull_state *const p = &sop->pull;
  const size_t stride = 3 * (size_t) sop->model.topology.beads;
  ds_sop_pull_step step = ds_sop_pull_at(sop, p->cantilever.clock.next, 0.0);
  if (p->molecules == 0) step.travel = 0.0; /* before the first step: it begins here */
  for (int32_t m = 0; m < sop->molecules; m++) {
    const int64_t *const x = position + stride * (size_t) m;
    ds_sop_anchor a;
    int64_t sum[3];
    double v[3];
    force[m] = extension[m] = 0.0;
    if (p->spec.mode == DS_SOP_PULL_NONE) continue;
    memset(&a, 0, sizeof a);
    anchor_of(sop, m, x, &a);
    ds_sop_weights_sum(&p->pulled, x, p->spec.pulled_bead, sum);
    const double along = ds_sop_pull_along(&a, sum, step.unit);
    force[m] = ds_sop_pull_force(&step, along);
    end_to_end(p, &a, x, v);
    extension[m] = p->spec.has_plane ? along : ds_sop_length(v) * sop->model.position_unit;
  }
}

void ds_sop_pull_direction_of(const struct ds_sop *sop, const int64_t *position, double *n, double *projection)
{
  const ds_sop_pull_state *const p = &sop->pull;
  const size_t stride = 3 * (size_t) sop->model.topology.beads;
  for (int32_t m = 0; m < sop->molecules; m++) {
    const int64_t *const x = position + stride * (size_t) m;
    ds_sop_anchor a;
    double v[3];
    memset(&a, 0, sizeof a);
    projection[m] = n[3 * m] = n[3 * m + 1] = n[3 * m + 2] = 0.0;
    if (p->spec.mode == DS_SOP_PULL_NONE || !anchor_of(sop, m, x, &a)) continue;
    end_to_end(p, &a, x, v);
    for (int c = 0; c < 3; c++) {
      n[3 * m + c] = a.direction[c];
      projection[m] += v[c] * a.direction[c] * sop->model.position_unit;
    }
  }
}
