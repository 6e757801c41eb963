/* Hydrodynamic interactions: options, radii, beads that are fixed.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "hydro.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- options */

static ds_status check_beads(const ds_sop_options *o, int32_t beads, ds_error *err)
{
  const int exact = o->hydro == DS_SOP_HYDRO_EXACT;
  if (beads <= (exact ? DS_SOP_EXACT_BEADS : DS_SOP_TEA_BEADS)) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "a molecule of %d beads is too large for hydro %s, at most %d%s", beads,
                 exact ? "exact" : "tea", exact ? DS_SOP_EXACT_BEADS : DS_SOP_TEA_BEADS, exact ? "; hydro tea takes more" : "");
}

/* Far beyond any protein, and no power of a distance goes out of range. */
static ds_status check_radii(const ds_sop_options *o, const ds_sop_topology *t, ds_error *err)
{
  const double least = 1e-3 * t->parameters.sigma, most = 1e3 * t->parameters.sigma;
  if (!(o->radius >= least && o->radius <= most))
    return ds_fail(err, DS_ERR_ARGUMENT, "hydrodynamic radius = %g, must be from %g to %g, sigma / 1000 to 1000 sigma",
                   o->radius, least, most);
  for (int32_t b = 0; b < t->beads && t->radius; b++)
    if (t->radius[b] != 0.0 && !(t->radius[b] >= least && t->radius[b] <= most))
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "hydrodynamic radius of bead %d = %g, must be from %g to %g, sigma / 1000 to 1000 sigma", b + 1,
                     t->radius[b], least, most);
  return DS_OK;
}

ds_status ds_sop_hydro_check(const ds_sop_options *o, const ds_sop_topology *t, ds_error *err)
{
  if (o->hydro < DS_SOP_HYDRO_NONE || o->hydro > DS_SOP_HYDRO_TEA)
    return ds_fail(err, DS_ERR_ARGUMENT, "unknown kind %d of hydrodynamic interactions", (int) o->hydro);
  if (o->hydro == DS_SOP_HYDRO_NONE) return DS_OK;
  if (!(o->radius > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "hydrodynamic radius = %g, must be above 0", o->radius);
  if (o->order == 2) return ds_fail(err, DS_ERR_ARGUMENT, "hydrodynamic interactions with order = 2, must be 1");
  const ds_status s = check_beads(o, t->beads, err);
  return s ? s : check_radii(o, t, err);
}

/* ------------------------------------------------------------------------------------------ radii */

ds_status ds_sop_hydro_make(ds_sop_hydro_state *s, const ds_sop_options *o, const ds_sop_topology *t, double coordinate_unit,
                            ds_error *err)
{
  const size_t n = (size_t) t->beads;
  float widest = 1.0f;
  memset(s, 0, sizeof *s);
  s->kind = o->hydro;
  if (s->kind == DS_SOP_HYDRO_NONE) return DS_OK;
  s->radius = malloc(4 * n * sizeof *s->radius);
  if (!s->radius) return ds_fail(err, DS_ERR_MEMORY, "no host memory for radii of %zu beads", n);
  s->inverse = s->radius + n;
  s->root = s->inverse + n;
  s->weight = s->root + n;
  for (size_t b = 0; b < n; b++) {
    s->radius[b] = t->radius && t->radius[b] > 0.0 ? (float) (t->radius[b] / o->radius) : 1.0f;
    s->inverse[b] = 1.0f / s->radius[b];
    s->root[b] = sqrtf(s->radius[b]);
    s->weight[b] = s->kind == DS_SOP_HYDRO_TEA ? s->root[b] : 1.0f;
    if (s->inverse[b] > widest) widest = s->inverse[b];
  }
  s->unit = (float) (coordinate_unit / o->radius);
  s->limit = ds_sop_hydro_limit(widest);
  return DS_OK;
}

void ds_sop_hydro_free(ds_sop_hydro_state *s)
{
  free(s->radius);
  memset(s, 0, sizeof *s);
}

void ds_sop_hydro_hold(ds_sop_hydro_state *s, int32_t beads, const ds_sop_pull *pull)
{
  if (s->kind == DS_SOP_HYDRO_NONE) return;
  for (int32_t b = 0; b < beads; b++) s->root[b] = sqrtf(s->radius[b]);
  for (int32_t k = 0; k < pull->fixed; k++) s->root[pull->fixed_bead[k]] = 0.0f;
  s->fixed = pull->fixed;
}
