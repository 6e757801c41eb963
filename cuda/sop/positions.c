/* Positions as the host knows them.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "positions.h"

#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ds_status ds_sop_positions_reserve(ds_sop *sop, ds_error *err)
{
  const size_t bytes = (3 * (size_t) sop->beads + 1) * sizeof(int64_t);
  ds_sop_positions_free(sop->positions);
  sop->positions->position = malloc(bytes);
  sop->positions->spare = malloc(bytes);
  if (sop->positions->position && sop->positions->spare) return DS_OK;
  return ds_fail(err, DS_ERR_MEMORY, "no host memory for %lld positions", (long long) sop->beads);
}

void ds_sop_positions_free(ds_sop_positions *p)
{
  free(p->position);
  free(p->spare);
  memset(p, 0, sizeof *p);
}

ds_status ds_sop_know_positions(const ds_sop *sop, const int64_t **position, ds_error *err)
{
  ds_sop_positions *const p = sop->positions;
  const ds_status s = p->are_known || sop->beads == 0 ? DS_OK : sop->functions->get(sop, p->position, err);
  p->are_known = !s;
  *position = p->position;
  return s;
}

void ds_sop_forget_positions(ds_sop *sop)
{
  sop->positions->are_known = 0;
}

/* In units, into the spare array. */
static ds_status round_positions(const ds_sop *sop, const double *x, ds_error *err)
{
  const double per_unit = 1.0 / sop->model.position_unit;
  const double most = ldexp(sop->model.position_unit, 31 + DS_SOP_POSITION_BITS);
  int64_t *const p = sop->positions->spare;
  for (int64_t k = 0; k < 3 * sop->beads; k++) {
    if (!(fabs(x[k]) <= most))
      return ds_fail(err, DS_ERR_POSITION, "coordinate %c of atom %lld is %g, must be within +-%g", "xyz"[k % 3],
                     (long long) sop->id[k / 3], x[k], most);
    p[k] = ds_round64(x[k] * per_unit);
  }
  return DS_OK;
}

ds_status ds_sop_set_positions(ds_sop *sop, const double *x, ds_error *err)
{
  ds_sop_positions *const p = sop->positions;
  const size_t bytes = 3 * (size_t) sop->beads * sizeof *p->position;
  if (!x) return ds_fail(err, DS_ERR_ARGUMENT, "x is NULL");
  if (sop->beads == 0) return ds_succeed(err);
  ds_status s = round_positions(sop, x, err);
  if (s) return s;
  if (p->are_known && memcmp(p->spare, p->position, bytes) == 0) return ds_succeed(err);
  int64_t *const given = p->spare;
  p->spare = p->position;
  p->position = given;
  s = sop->functions->put(sop, given, err);
  p->are_known = !s;
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_get_positions(const ds_sop *sop, double *x, ds_error *err)
{
  const int64_t *p = NULL;
  if (!x) return ds_fail(err, DS_ERR_ARGUMENT, "x is NULL");
  const ds_status s = ds_sop_know_positions(sop, &p, err);
  for (int64_t k = 0; k < 3 * sop->beads && !s; k++) x[k] = (double) p[k] * sop->model.position_unit;
  return s ? s : ds_succeed(err);
}
