/* Densities that forces of many-body styles depend on: made before the sweep of forces, sent to ghosts, read by the caller.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../styles/style.h"
#include "pair_state.h"

#include <string.h>

/* Number of the object's style that has densities; -1: none. There is one at most, as they all have noise. */
static int style_with_densities(const ds_pair *pair)
{
  for (int k = 0; k < pair->interactions; k++)
    if (pair->interaction[k].style->density_bound) return k;
  return -1;
}

int ds_pair_has_densities(const ds_pair *pair)
{
  return style_with_densities(pair) >= 0;
}

/* Ghosts have messages, and not owners. */
static int come_by_messages(const ds_pair *pair)
{
  return pair->nghost > 0 && !pair->particles.source.owner;
}

ds_status ds_density_prepare(ds_pair *pair, int k, ds_error *err)
{
  ds_interaction *const a = &pair->interaction[k];
  ds_densities *const d = &pair->densities;
  ds_queue *const q = &pair->queue;
  if (!a->style->density_bound) return DS_OK;
  const size_t atoms = (size_t) pair->nlocal + (size_t) pair->nghost + 1, slots = (size_t) pair->list.slots + 1;
  const size_t real = ds_is_double(pair) ? sizeof(double) : sizeof(float);
  ds_status s = ds_queue_reserve_cleared(q, &q->memory, &d->of_slot, slots, real, "densities", err);
  if (!s) s = ds_queue_reserve_cleared(q, &q->memory, &d->of_atom, atoms, sizeof(double), "densities", err);
  if (!s && !ds_queue_is_host(q)) s = ds_reserve(&q->pinned, &d->of_host, atoms, sizeof(double), "densities", err);
  a->evaluation.densities = (ds_sweep_densities){d->of_slot.data, DS_DATA(double, d->of_atom), 1.0 / a->tables.density_scale,
                                                 pair->particles.source.owner};
  return s;
}

static double *host_array(const ds_pair *pair)
{
  return DS_DATA(double, *(ds_queue_is_host(&pair->queue) ? &pair->densities.of_atom : &pair->densities.of_host));
}

/* Of own atoms, where they are not those of these positions already. */
static ds_status queue_own(ds_pair *pair, ds_interaction *a, ds_error *err)
{
  ds_densities *const d = &pair->densities;
  if (ds_pair_are_as_then(pair, &d->made) && d->made.model == pair->version.model) return DS_OK;
  const ds_status s = a->stages->density(&a->evaluation, err);
  d->made = pair->version;
  d->arrived = 0;
  return s;
}

ds_status ds_density_queue(ds_pair *pair, ds_error *err)
{
  const int k = style_with_densities(pair);
  if (k < 0) return DS_OK;
  ds_interaction *const a = &pair->interaction[k];
  ds_status s = queue_own(pair, a, err);
  if (!s && come_by_messages(pair) && pair->densities.arrived < pair->nghost)
    s = ds_fail(err, DS_ERR_ARGUMENT,
                "forces wanted before densities of ghosts: %d of %d have been unpacked since positions were loaded "
                "(ds_pair_make_densities)",
                pair->densities.arrived, pair->nghost);
  return !s && pair->nghost > 0 ? a->stages->spread(&a->evaluation, err) : s;
}

/* To the host, queued. */
static ds_status bring(ds_pair *pair, ds_error *err)
{
  return ds_queue_is_host(&pair->queue) ? DS_OK
                                        : ds_queue_copy(&pair->queue, host_array(pair), pair->densities.of_atom.data,
                                                        (size_t) pair->nlocal * sizeof(double), "copying densities", err);
}

static ds_status make_once(ds_pair *pair, int64_t *again, ds_error *err)
{
  const int k = style_with_densities(pair);
  const ds_pair_request none = {0};
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && k < 0) s = ds_fail(err, DS_ERR_ARGUMENT, "densities wanted of styles that have none");
  if (!s) s = ds_pair_need_list(pair, "densities wanted before positions and list", err);
  if (!s) s = ds_pair_prepare_sweeps(pair, &none, err);
  if (!s) s = ds_pair_gather(pair, DS_GATHER_ALL, err);
  if (s) return ds_queue_leave(&pair->queue, s, err);
  ds_queue_begin(&pair->queue, DS_STAGE_FORCES);
  s = queue_own(pair, &pair->interaction[k], err);
  ds_queue_end(&pair->queue, DS_STAGE_FORCES);
  if (!s) s = bring(pair, err);
  pair->repeatable.evaluation = -1;
  if (s) return ds_queue_leave(&pair->queue, s, err);
  return ds_pair_check(pair, NULL, again, err);
}

/* A list that is too small is found here: once more, with room. */
ds_status ds_pair_make_densities(ds_pair *pair, ds_error *err)
{
  for (;;) {
    int64_t again;
    ds_status s = make_once(pair, &again, err);
    if (s || again < 0) return s;
    if (again != pair->step) return ds_pair_requeue_error(again, err);
    s = ds_pair_build_list(pair, err);
    if (s) return s;
  }
}

static ds_status need_densities(const ds_pair *pair, ds_error *err)
{
  const ds_versions *const made = &pair->densities.made;
  if (ds_pair_has_densities(pair) && made->load && made->load == pair->version.load && made->order == pair->version.order)
    return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "densities read before they are made (ds_pair_make_densities)");
}

ds_status ds_pair_pack_densities(ds_pair *pair, int n, const int *list, double *buffer, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = need_densities(pair, err);
  if (!s && n < 0) s = ds_fail(err, DS_ERR_ARGUMENT, "densities of %d atoms to pack", n);
  if (!s && n > 0) s = ds_check_pointer(list, "list of densities to pack", err);
  if (!s && n > 0) s = ds_check_pointer(buffer, "buffer of densities", err);
  if (s) return s;
  const double *const from = host_array(pair);
  for (int k = 0; k < n; k++) buffer[k] = from[list[k]];
  return ds_succeed(err);
}

ds_status ds_pair_unpack_densities(ds_pair *pair, int first, int n, const double *buffer, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = need_densities(pair, err);
  if (!s && (n < 0 || first < pair->nlocal || (int64_t) first + n > (int64_t) pair->nlocal + pair->nghost))
    s = ds_fail(err, DS_ERR_ARGUMENT, "densities of ghosts %d to %lld are not among %d to %d", first, (long long) first + n - 1,
                pair->nlocal, pair->nlocal + pair->nghost - 1);
  if (!s && n > 0) s = ds_check_pointer(buffer, "buffer of densities", err);
  if (s) return s;
  double *const to = host_array(pair) + first;
  memcpy(to, buffer, (size_t) n * sizeof(double));
  pair->densities.arrived += n;
  if (!ds_queue_is_host(&pair->queue))
    s = ds_queue_copy(&pair->queue, DS_DATA(double, pair->densities.of_atom) + first, to, (size_t) n * sizeof(double),
                      "copying densities", err);
  return ds_queue_leave(&pair->queue, s, err);
}

ds_status ds_pair_get_densities(ds_pair *pair, const ds_array *to, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = need_densities(pair, err);
  if (!s) s = ds_check_pointer(to, "array of densities", err);
  if (!s && (to->space != DS_SPACE_HOST || to->type != DS_F64 || (!to->data && pair->nlocal > 0)))
    s = ds_fail(err, DS_ERR_ARGUMENT, "densities into an array that is not of doubles in host memory");
  if (s) return s;
  s = bring(pair, err);
  if (!s) s = ds_queue_wait(&pair->queue, "copying densities", err);
  if (s) return ds_queue_leave(&pair->queue, s, err);
  for (int i = 0; i < pair->nlocal; i++) ds_array_put(to, i, 0, host_array(pair)[i]);
  return ds_succeed(err);
}
