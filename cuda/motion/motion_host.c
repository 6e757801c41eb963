/* Host backend of resident atoms: they are the caller's own arrays, or copies, and what is queued is done at once.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "motion_host.h"

#include "../bonded/bonded_host.h"
#include "../pair/pair_state.h"
#include "apart_host.h"

#include <stdlib.h>
#include <string.h>

enum { ATOMS_AT_A_TIME = 4096 };

typedef struct {
  ds_isa isa;
  ds_pool pool;
  ds_buffer held, ways, kinetic[DS_KINETIC_SETS];
  ds_apart_host apart;
  ds_stop_reason why;
  int64_t step;
} ds_motion_host;

static ds_move_function *const move_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_move);
static ds_moved_function *const moved_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_moved);
static ds_outside_function *const outside_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_some_outside);
static ds_kinetic_function *const kinetic_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_kinetic_terms);
static ds_wrap_function *const wrap_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_wrap_atoms);
static ds_bonded_function *const forces_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_bonded_forces);
static ds_images_function *const images_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_bonded_images);

static ds_status host_open(ds_resident *r, ds_error *err)
{
  ds_motion_host *const h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  h->isa = r->pair->isa;
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
  const ds_status s = ds_reserve(&h->pool, &h->held, 3 * (size_t) r->atoms.n + 1, sizeof(double),
                                 "held positions", err);
  return s || !r->backend->apart ? s : ds_apart_host_set(&h->apart, &h->pool, r, err);
}

static ds_status copy_fields(ds_resident *r, int fields, int to_host)
{
  const ds_motion_host *const h = r->state;
  if (r->backend->apart) ds_apart_host_copy(&h->apart, fields, to_host);
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

static ds_status host_hold(ds_resident *r, ds_error *err)
{
  ds_motion_host *const h = r->state;
  (void) err;
  if (r->atoms.n) memcpy(h->held.data, r->atoms.x.data, position_bytes(r));
  return DS_OK;
}

static ds_status host_held_to_host(ds_resident *r, ds_error *err)
{
  const ds_motion_host *const h = r->state;
  const ds_array *const x = r->backend->apart ? &h->apart.theirs.x : &r->atoms.x;
  (void) err;
  if (r->atoms.n) memcpy(x->data, h->held.data, position_bytes(r));
  return DS_OK;
}

static int end_of_part(int first, int n)
{
  return n - first < ATOMS_AT_A_TIME ? n : first + ATOMS_AT_A_TIME;
}

static ds_status host_take_kinetic(ds_resident *r, int set, int fused, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_status s = ds_reserve(&h->pool, &h->kinetic[set], (size_t) r->atoms.n + 1,
                                 sizeof(double), "kinetic energies", err);
  if (s) return s;
  double *const terms = h->kinetic[set].data;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int first = 0; first < r->atoms.n; first += ATOMS_AT_A_TIME)
    kinetic_of[h->isa](r, fused, terms, first, end_of_part(first, r->atoms.n));
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

static ds_status host_advance(ds_resident *r, const ds_advance *a, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const double *const held = DS_DATA(double, h->held);
  int moved = 0;
  (void) err;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : moved)
  for (int first = 0; first < r->atoms.n; first += ATOMS_AT_A_TIME) {
    const int last = end_of_part(first, r->atoms.n);
    if (a->first || a->second) move_of[h->isa](r, a, first, last);
    if (a->check) moved |= moved_of[h->isa](r, held, a->trigger2, first, last);
  }
  if (moved) stop(h, DS_STOP_MOVED, a->step);
  return DS_OK;
}

static int some_outside(const ds_resident *r, const ds_motion_host *h)
{
  int outside = 0;
  if (r->wrap.periodic[0] && r->wrap.periodic[1] && r->wrap.periodic[2]) return 0;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : outside)
  for (int first = 0; first < r->atoms.n; first += ATOMS_AT_A_TIME)
    outside |= outside_of[h->isa](r, first, end_of_part(first, r->atoms.n));
  return outside;
}

static ds_status host_wrap(ds_resident *r, int64_t step, ds_error *err)
{
  ds_motion_host *const h = r->state;
  if (some_outside(r, h)) {
    stop(h, DS_STOP_OUTSIDE, step);
    return DS_OK;
  }
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int first = 0; first < r->atoms.n; first += ATOMS_AT_A_TIME)
    wrap_of[h->isa](r, first, end_of_part(first, r->atoms.n));
  return host_hold(r, err);
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
  b.x = h->held.data; /* as of the last renewal */
  (void) step, (void) err;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int first = 0; first < n; first += ATOMS_AT_A_TIME)
    images_of[h->isa](&b, first, end_of_part(first, n));
  return DS_OK;
}

static ds_status host_bonded_forces(ds_resident *r, int64_t step, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_bonded_view b = bonds_of(r);
  int too_long = 0;
  (void) err;
#pragma omp parallel for num_threads(r->pair->options.threads) reduction(| : too_long)
  for (int first = 0; first < b.natoms; first += ATOMS_AT_A_TIME)
    too_long |= forces_of[h->isa](&b, first, end_of_part(first, b.natoms));
  if (too_long) stop(h, DS_STOP_BONDED, step);
  return DS_OK;
}

static ds_status host_bonded_sums(ds_resident *r, ds_bonded_sums *sums, ds_error *err)
{
  ds_motion_host *const h = r->state;
  const ds_bonded_view b = bonds_of(r);
  const int terms = ds_terms_of(&b);
  const ds_status s = ds_reserve(&h->pool, &h->ways, ds_ways_before(&b, terms) + 1, sizeof(double),
                                 "ways of bonds", err);
  if (s) return s;
  double *const ways = h->ways.data;
#pragma omp parallel for num_threads(r->pair->options.threads)
  for (int term = 0; term < terms; term++) ds_term_ways(&b, term, ways);
  ds_bonded_add_up(&b, ways, sums);
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
  const ds_status s = ds_apart_host_sort(&h->apart, &h->pool, r, bins, composed, err);
  if (s) return s;
  for (int i = 0; i < r->atoms.n && r->wrap.tilted; i++)
    ds_there_and_back(&r->wrap, x + 3 * (size_t) i);
  return host_hold(r, err);
}

static ds_status host_order(ds_resident *r, int32_t *order, ds_error *err)
{
  const ds_motion_host *const h = r->state;
  (void) err;
  if (r->atoms.n) memcpy(order, h->apart.composed.data, ds_field_bytes(r->atoms.n, 1, DS_I32));
  return DS_OK;
}

static void host_identity(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask)
{
  *tag = r->atoms.tag;
  *type = r->atoms.type;
  *mask = r->atoms.mask;
}

/* One on the caller's arrays, one on arrays of its own. */
#define HOST_BACKEND(is_apart)                                                                     \
  {                                                                                                \
    .open = host_open, .close = host_close, .set_atoms = host_set_atoms,                           \
    .to_engine = host_to_engine, .to_host = host_to_host, .array = host_array, .hold = host_hold,  \
    .held_to_host = host_held_to_host, .take_kinetic = host_take_kinetic, .kinetic = host_kinetic, \
    .advance = host_advance, .wrap = host_wrap, .set_bonded = host_set_bonded,                     \
    .bonded_images = host_bonded_images, .bonded_forces = host_bonded_forces,                      \
    .bonded_sums = host_bonded_sums, .stopped = host_stopped, .mark_step = host_mark_step,         \
    .end = host_end, .sort = host_sort, .order = host_order, .identity = host_identity,            \
    .apart = is_apart                                                                              \
  }

const ds_motion_backend ds_motion_host_backend = HOST_BACKEND(0);
const ds_motion_backend ds_motion_host_apart_backend = HOST_BACKEND(1);
