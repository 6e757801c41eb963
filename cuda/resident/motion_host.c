/* Host backend of resident atoms: they are the caller's own arrays, or copies, and what is queued is done at once.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "term.h"
#include "../force/pair_state.h"
#include "own_copies_host.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  ds_pool pool;
  ds_buffer x_ref, vectors, kinetic[DS_KINETIC_SETS];
  ds_own_copies_host own_copies;
  ds_stop_reason why;
  int64_t step;
} ds_motion_host;

static ds_status host_open(ds_resident *r, ds_error *err)
{
  ds_motion_host *const h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  h->pool.memory = &ds_host_memory;
  r->state = h;
  return DS_OK;
}

static void host_close(ds_resident *r)
{
  ds_motion_host *const h = r->state;
  ds_pool_close(&h->pool);
  free(h);
}

static ds_status host_set_atoms(ds_resident *r, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_status s = ds_reserve(&h->pool, &h->x_ref, 3 * (size_t) r->atoms.n + 1, sizeof(double),
                                 "reference positions", err);
  return s || !r->backend->own_copies ? s : ds_own_copies_host_set(&h->own_copies, &h->pool, r, err);
}

static ds_status copy_fields(ds_resident *r, int fields, int to_host)
{
  const ds_motion_host *const h = r->state;
  if (r->backend->own_copies) ds_own_copies_host_copy(&h->own_copies, fields, to_host);
  return DS_OK;
}

static ds_status host_to_engine(ds_resident *r, int fields, ds_error *err)
{
  (void) err;
  return copy_fields(r, fields, 0);
}

static ds_status host_to_host(ds_resident *r, int fields, ds_error *err)
{
  (void) err;
  return copy_fields(r, fields, 1);
}

static ds_array host_array(const ds_resident *r, int field)
{
  return field == DS_POSITION ? r->atoms.x : field == DS_VELOCITY ? r->atoms.v : r->atoms.f;
}

static size_t position_bytes(const ds_resident *r)
{
  return ds_field_bytes(r->atoms.n, 3, DS_F64);
}

static ds_status host_set_reference(ds_resident *r, ds_error *err)
{
  ds_motion_host *const h = r->state;
  (void) err;
  if (r->atoms.n) memcpy(h->x_ref.data, r->atoms.x.data, position_bytes(r));
  return DS_OK;
}

static ds_status host_reference_to_host(ds_resident *r, ds_error *err)
{
  const ds_motion_host *const h = r->state;
  const ds_array *const x = r->backend->own_copies ? &h->own_copies.theirs.x : &r->atoms.x;
  (void) err;
  if (r->atoms.n) memcpy(x->data, h->x_ref.data, position_bytes(r));
  return DS_OK;
}

static double mass_of(const ds_resident *r, int i)
{
  const double *const rmass = r->atoms.rmass.data;
  const int32_t *const type = r->atoms.type.data;
  return rmass ? rmass[i] : r->mass[type[i]];
}

static ds_status host_take_kinetic(ds_resident *r, int set, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const double *const v = r->atoms.v.data;
  const ds_status s = ds_reserve(&h->pool, &h->kinetic[set], (size_t) r->atoms.n + 1,
                                 sizeof(double), "kinetic energies", err);
  if (s) return s;
  double *const terms = h->kinetic[set].data;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int i = 0; i < r->atoms.n; i++)
    terms[i] = ds_kinetic_term(mass_of(r, i), v + 3 * (size_t) i);
  return DS_OK;
}

static ds_status host_kinetic(const ds_resident *r, int set, const double **terms, ds_error *err)
{
  (void) err;
  *terms = ((const ds_motion_host *) r->state)->kinetic[set].data;
  return DS_OK;
}

static void stop(ds_motion_host *h, ds_stop_reason why, int64_t step)
{
  h->why = why;
  h->step = step;
}

static void move_atoms(const ds_resident *r, const ds_advance *a)
{
  double *const x = r->atoms.x.data, *const v = r->atoms.v.data, *const f = r->atoms.f.data;
  const int32_t *const mask = r->atoms.mask.data;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int i = 0; i < r->atoms.n; i++) {
    const size_t at = 3 * (size_t) i;
    ds_move_atom(&r->motion, a->second, a->first, mask[i], mass_of(r, i), x + at, v + at, f + at);
    for (size_t d = 0; d < 3 && a->clear; d++) f[at + d] = 0.0;
  }
}

static int some_moved(const ds_resident *r, const double *x_ref, double trigger2)
{
  const double *const x = r->atoms.x.data;
  int moved = 0;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : moved)
  for (int i = 0; i < r->atoms.n; i++)
    moved |= ds_distance2(x + 3 * (size_t) i, x_ref + 3 * (size_t) i) > trigger2;
  return moved;
}

static ds_status host_advance(ds_resident *r, const ds_advance *a, ds_error *err)
{
  ds_motion_host *const h = r->state;
  (void) err;
  if (a->first || a->second) move_atoms(r, a);
  if (a->check && some_moved(r, h->x_ref.data, a->trigger2)) stop(h, DS_STOP_MOVED, a->step);
  return DS_OK;
}

static int some_outside(const ds_resident *r)
{
  const double *const x = r->atoms.x.data;
  int outside = 0;
  if (r->wrap.periodic[0] && r->wrap.periodic[1] && r->wrap.periodic[2]) return 0;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : outside)
  for (int i = 0; i < r->atoms.n; i++) outside |= ds_outside(&r->wrap, x + 3 * (size_t) i);
  return outside;
}

static ds_status host_wrap(ds_resident *r, int64_t step, ds_error *err)
{
  ds_motion_host *const h = r->state;
  double *const x = r->atoms.x.data, *const v = r->atoms.v.data;
  int32_t *const narrow = r->atoms.image.data;
  int64_t *const wide = r->atoms.image.data;
  const int is_wide = r->atoms.image.type == DS_I64;
  if (some_outside(r)) {
    stop(h, DS_STOP_OUTSIDE, step);
    return DS_OK;
  }
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int i = 0; i < r->atoms.n; i++) {
    int64_t image = is_wide ? wide[i] : narrow[i];
    ds_wrap_atom(&r->wrap, x + 3 * (size_t) i, v + 3 * (size_t) i, &image);
    if (is_wide)
      wide[i] = image;
    else
      narrow[i] = (int32_t) image;
  }
  return host_set_reference(r, err);
}

/* -------------------------------------------------------------------------------------------- bonds */

static ds_bonded_view bonds_of(const ds_resident *r)
{
  ds_bonded_view b = ds_bonded_view_of(&r->bonded, &r->wrap);
  b.x = r->atoms.x.data;
  b.f = r->atoms.f.data;
  return b;
}

static ds_status host_set_bonded(ds_resident *r, ds_error *err)
{
  (void) r, (void) err;
  return DS_OK;
}

static ds_status host_bonded_images(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_motion_host *const h = r->state;
  ds_bonded_view b = bonds_of(r);
  const int n = ds_bonded_terms(&r->bonded);
  b.x = h->x_ref.data; /* as of the last rebuild */
  (void) step, (void) err;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int term = 0; term < n; term++) ds_reneighbor_term(&b, term);
  return DS_OK;
}

static ds_status host_bonded_forces(ds_resident *r, int64_t step, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_bonded_view b = bonds_of(r);
  int too_long = 0;
  (void) err;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : too_long)
  for (int k = 0; k < b.natoms; k++) too_long |= ds_bonded_atom(&b, k);
  if (too_long) stop(h, DS_STOP_BONDED, step);
  return DS_OK;
}

static ds_status host_bonded_sums(ds_resident *r, ds_bonded_sums *sums, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_bonded_view b = bonds_of(r);
  const int terms = ds_terms_of(&b);
  const ds_status s = ds_reserve(&h->pool, &h->vectors, ds_vectors_before(&b, terms) + 1, sizeof(double),
                                 "vectors of bonds", err);
  if (s) return s;
  double *const vectors = h->vectors.data;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int term = 0; term < terms; term++) ds_term_vectors(&b, term, vectors);
  ds_bonded_add_up(&b, vectors, sums);
  return DS_OK;
}

/* --------------------------------------------------------------------------------------------- ends */

static int host_stopped(const ds_resident *r)
{
  return ((const ds_motion_host *) r->state)->why != DS_GOES_ON;
}

static ds_status host_mark_step(ds_resident *r, int ahead, ds_error *err)
{
  (void) r, (void) ahead, (void) err;
  return DS_OK;
}

/* A list that is too small is made anew by the pair itself where it is queued. */
static ds_status host_end(ds_resident *r, ds_pair_result *result, ds_stop_reason *why,
                          int64_t *step, ds_error *err)
{
  ds_motion_host *const h = r->state;
  int64_t again;
  *why = h->why;
  *step = h->step;
  h->why = DS_GOES_ON;
  return *why ? DS_OK : ds_pair_check(r->pair, result, &again, err);
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status host_sort(ds_resident *r, const ds_sort_bins *bins, int composed, ds_error *err)
{
  ds_motion_host *const h = r->state;
  double *const x = r->atoms.x.data;
  const ds_status s = ds_own_copies_host_sort(&h->own_copies, &h->pool, r, bins, composed, err);
  if (s) return s;
  for (int i = 0; i < r->atoms.n && r->wrap.tilted; i++)
    ds_there_and_back(&r->wrap, x + 3 * (size_t) i);
  return host_set_reference(r, err);
}

static ds_status host_order(ds_resident *r, int32_t *order, ds_error *err)
{
  const ds_motion_host *const h = r->state;
  (void) err;
  if (r->atoms.n) memcpy(order, h->own_copies.composed.data, ds_field_bytes(r->atoms.n, 1, DS_I32));
  return DS_OK;
}

static void host_identity(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask)
{
  *tag = r->atoms.tag;
  *type = r->atoms.type;
  *mask = r->atoms.mask;
}

/* One on the caller's arrays, one on arrays of its own. */
#define HOST_BACKEND(has_own_copies)                                                               \
  {                                                                                                \
    .open = host_open, .close = host_close, .set_atoms = host_set_atoms,                           \
    .to_engine = host_to_engine, .to_host = host_to_host, .array = host_array, .set_reference = host_set_reference,  \
    .reference_to_host = host_reference_to_host, .take_kinetic = host_take_kinetic, .kinetic = host_kinetic, \
    .advance = host_advance, .wrap = host_wrap, .set_bonded = host_set_bonded,                     \
    .bonded_images = host_bonded_images, .bonded_forces = host_bonded_forces,                      \
    .bonded_sums = host_bonded_sums, .stopped = host_stopped, .mark_step = host_mark_step,         \
    .end = host_end, .sort = host_sort, .order = host_order, .identity = host_identity,            \
    .own_copies = has_own_copies                                                                   \
  }

const ds_motion_backend ds_motion_host_backend = HOST_BACKEND(0);
const ds_motion_backend ds_motion_host_copies_backend = HOST_BACKEND(1);
