/* State of pulling.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pull.h"

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

static ds_status check_pull(const ds_sop_pull *p, int32_t beads, ds_error *err)
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

ds_status ds_sop_pull_set(ds_sop_pull_state *p, const ds_sop_pull *spec, int32_t beads, ds_error *err)
{
  const ds_status s = check_pull(spec, beads, err);
  if (s) return s;
  ds_sop_pull_free(p);
  p->spec = *spec;
  p->cantilever.speed = spec->speed;
  p->spec.fixed_bead = copy_beads(spec->fixed, spec->fixed_bead);
  p->spec.pulled_bead = copy_beads(spec->pulled, spec->pulled_bead);
  if (p->spec.fixed_bead && p->spec.pulled_bead) return DS_OK;
  ds_sop_pull_free(p);
  return ds_fail(err, DS_ERR_MEMORY, "no host memory for %d pulled beads", spec->pulled);
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
  return ds_digest(hash, s->pulled_bead, (size_t) s->pulled * sizeof *s->pulled_bead);
}

/* ------------------------------------------------------------------------------------------- start */

void ds_sop_pull_sum(const int64_t *position, int32_t count, const int32_t *bead, int64_t sum[3])
{
  uint64_t s[3] = {0, 0, 0};
  for (int32_t k = 0; k < count; k++)
    for (int c = 0; c < 3; c++) s[c] += (uint64_t) position[3 * (size_t) bead[k] + (size_t) c];
  for (int c = 0; c < 3; c++) sum[c] = (int64_t) s[c];
}

/* From the mean of the fixed beads to that of the pulled ones, units; from where these began where none is fixed. */
static void end_to_end(const ds_sop_pull_state *p, const ds_sop_anchor *a, const int64_t *position, double v[3])
{
  const ds_sop_pull *const s = &p->spec;
  int64_t fixed[3], pulled[3];
  ds_sop_pull_sum(position, s->fixed, s->fixed_bead, fixed);
  ds_sop_pull_sum(position, s->pulled, s->pulled_bead, pulled);
  for (int c = 0; c < 3; c++)
    v[c] = (double) pulled[c] / s->pulled - (s->fixed ? (double) fixed[c] / s->fixed : (double) a->start[c] / s->pulled);
}

static ds_status start_molecule(const struct ds_sop *sop, int32_t m, const int64_t *position, ds_sop_anchor *a, ds_error *err)
{
  const ds_sop_pull *const s = &sop->pull.spec;
  double v[3] = {s->direction[0], s->direction[1], s->direction[2]};
  ds_sop_pull_sum(position, s->pulled, s->pulled_bead, a->start);
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
  s.unit = sop->model.position_unit / p->spec.pulled;
  s.per_force = per_force / p->spec.pulled;
  return s;
}

void ds_sop_pull_state_of(const struct ds_sop *sop, const int64_t *position, double *force, double *extension)
{
  const ds_sop_pull_state *const p = &sop->pull;
  const size_t stride = 3 * (size_t) sop->model.topology.beads;
  ds_sop_pull_step step = ds_sop_pull_at(sop, p->cantilever.clock.next, 0.0);
  if (p->molecules == 0) step.travel = 0.0; /* before the first step: it begins here */
  for (int32_t m = 0; m < sop->molecules; m++) {
    force[m] = extension[m] = 0.0;
    if (p->spec.mode == DS_SOP_PULL_NONE) continue;
    ds_sop_anchor here;
    const ds_sop_anchor *const a = p->molecules ? p->anchor + m : &here;
    int64_t sum[3];
    double v[3];
    memset(&here, 0, sizeof here);
    ds_sop_pull_sum(position + stride * (size_t) m, p->spec.pulled, p->spec.pulled_bead, sum);
    memcpy(here.start, sum, sizeof sum);
    force[m] = ds_sop_pull_force(&step, ds_sop_pull_along(a, sum, step.unit));
    end_to_end(p, a, position + stride * (size_t) m, v);
    extension[m] = ds_sop_length(v) * sop->model.position_unit;
  }
}

void ds_sop_pull_direction_of(const struct ds_sop *sop, const int64_t *position, double *n, double *projection)
{
  const ds_sop_pull_state *const p = &sop->pull;
  const size_t stride = 3 * (size_t) sop->model.topology.beads;
  for (int32_t m = 0; m < sop->molecules; m++) {
    ds_sop_anchor a;
    double v[3];
    ds_error none; /* before the first step: beads at the same place have no direction */
    memset(&a, 0, sizeof a);
    projection[m] = n[3 * m] = n[3 * m + 1] = n[3 * m + 2] = 0.0;
    if (p->spec.mode == DS_SOP_PULL_NONE) continue;
    if (p->molecules)
      a = p->anchor[m];
    else if (start_molecule(sop, m, position + stride * (size_t) m, &a, &none))
      continue;
    end_to_end(p, &a, position + stride * (size_t) m, v);
    for (int c = 0; c < 3; c++) {
      n[3 * m + c] = a.direction[c];
      projection[m] += v[c] * a.direction[c] * sop->model.position_unit;
    }
  }
}
