/* The public interface of resident atoms. Many steps: resident_run.c; bonds: resident_bonds.c; their order: resident_sort.c
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

ds_status ds_resident_open(ds_resident **out, ds_pair *pair, int own_copies, ds_error *err)
{
  if (ds_check_pointer(out, "place for resident atoms", err)) return DS_ERR_ARGUMENT;
  *out = NULL;
  if (ds_check_pointer(pair, "pair object", err)) return DS_ERR_ARGUMENT;
  ds_resident *const r = calloc(1, sizeof *r);
  if (!r) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  r->pair = pair;
  r->queue = &pair->queue;
  ds_steps_open(&r->steps, r->queue);
  ds_steps_open(&r->once, r->queue);
  r->stages = DS_CHOOSE_STAGE(r->queue, &ds_resident_stages_host, &ds_resident_stages_cuda);
  r->own_copies = own_copies || !ds_queue_is_host(r->queue);
  r->memory.memory = pair->queue.memory.memory;
  ds_pool_join(&pair->queue.memory, &r->memory);
  r->wrap_step = -1;
  ds_bonded_open(&r->bonded, &r->memory);
  ds_mesh_open(&r->mesh, r->queue, pair->isa, pair->options.threads);
  *out = r;
  return ds_succeed(err);
}

void ds_resident_close(ds_resident *r)
{
  ds_error ignored;
  if (!r) return;
  ds_queue_use(r->queue, &ignored);
  ds_queue_wait(r->queue, "resident atoms", &ignored);
  ds_steps_close(&r->steps);
  ds_steps_close(&r->once);
  ds_bonded_close(&r->bonded, r->queue);
  DS_WITH_CUDA(ds_side_close(&r->mesh_side), (void) 0);
  ds_mesh_close(&r->mesh);
  ds_pool_leave(&r->queue->memory, &r->memory);
  ds_pool_close(&r->memory);
  free(r);
}

/* ------------------------------------------------------------------------------------------- arrays */

static const ds_own_kind kinds[DS_OWN_ANCHOR + 1] = {
    {offsetof(ds_resident_atoms, x), DS_POSITION, 3, DS_F64, DS_F64, 1, "positions"},
    {offsetof(ds_resident_atoms, v), DS_VELOCITY, 3, DS_F64, DS_F64, 1, "velocities"},
    {offsetof(ds_resident_atoms, f), DS_FORCE, 3, DS_F64, DS_F64, 1, "forces"},
    {offsetof(ds_resident_atoms, image), DS_IMAGE, 1, DS_I32, DS_I64, 1, "image flags"},
    {offsetof(ds_resident_atoms, type), DS_IDENTITY, 1, DS_I32, DS_I32, 1, "types"},
    {offsetof(ds_resident_atoms, mask), DS_IDENTITY, 1, DS_I32, DS_I32, 1, "group masks"},
    {offsetof(ds_resident_atoms, rmass), DS_IDENTITY, 1, DS_F64, DS_F64, 0, "masses"},
    {offsetof(ds_resident_atoms, tag), DS_TAG, 1, DS_I32, DS_I64, 0, "tags"},
    {offsetof(ds_resident_atoms, body), DS_TAG, 1, DS_I32, DS_I32, 0, "numbers of bodies"},
    {offsetof(ds_resident_atoms, molecule), DS_TAG, 1, DS_I32, DS_I64, 0, "numbers of molecules"},
    {offsetof(ds_resident_atoms, anchor), DS_TAG, 3, DS_F64, DS_F64, 0, "anchors"},
};

const ds_own_kind *ds_own_kind_of(int which)
{
  return &kinds[which < DS_OWN_ANCHOR ? which : DS_OWN_ANCHOR];
}

ds_array *ds_own_array_of(ds_resident_atoms *a, int which)
{
  ds_array *const first = (ds_array *) ((char *) a + ds_own_kind_of(which)->offset);
  return which > DS_OWN_ANCHOR ? first + (which - DS_OWN_ANCHOR) : first;
}

/* ----------------------------------------------------------------------------------------- settings */

static ds_status check_field(const ds_queue *q, ds_space space, const ds_array *a, int n, const ds_own_kind *kind,
                             ds_error *err)
{
  if (n == 0 || (!a->data && !kind->required)) return DS_OK;
  if (ds_check_array(q, a, n, kind->type, kind->or_type, kind->name, err)) return DS_ERR_ARGUMENT;
  if (a->space != space)
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s is not in %s memory", kind->name,
                   space == DS_SPACE_HOST ? "host" : "the GPU's");
  if (a->atom_stride != kind->components || (kind->components > 1 && a->component_stride != 1))
    return ds_fail(err, DS_ERR_ARGUMENT, "in an array of %s atoms do not lie behind each other", kind->name);
  return DS_OK;
}

ds_status ds_resident_check_fields(const ds_queue *q, ds_space space, const ds_resident_atoms *a, ds_error *err)
{
  ds_resident_atoms given = *a;
  ds_status s = a->n < 0 ? ds_fail(err, DS_ERR_ARGUMENT, "%d atoms", a->n) : DS_OK;
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++)
    s = check_field(q, space, ds_own_array_of(&given, k), a->n, ds_own_kind_of(k), err);
  return s;
}

/* Of types; by atom they are an array like others. */
static ds_status check_masses(const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return DS_OK;
  if (a->ntypes < 1 || !a->mass) return ds_fail(err, DS_ERR_ARGUMENT, "no masses, by type or by atom");
  for (int t = 1; t <= a->ntypes; t++)
    if (!(a->mass[t] > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "mass %g of type %d must be > 0", a->mass[t], t);
  return DS_OK;
}

/* Of the caller's atoms, where they stand for masses; looked at where they are given, not in each step. */
static ds_status check_types(const int32_t *type, const ds_resident_atoms *a, ds_error *err)
{
  for (int i = 0; i < a->n && !a->rmass.data; i++)
    if (type[i] < 1 || type[i] > a->ntypes)
      return ds_fail(err, DS_ERR_ARGUMENT, "resident atom %d has type %d; there are masses of 1 to %d", i, (int) type[i],
                     a->ntypes);
  return DS_OK;
}

static ds_status copy_masses(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return DS_OK;
  const size_t bytes = ((size_t) a->ntypes + 1) * sizeof(double);
  ds_status s = ds_reserve(&r->memory, &r->mass, bytes, 1, "masses of types", err);
  if (!s) s = ds_queue_copy(r->queue, r->mass.data, a->mass, bytes, "copying masses", err);
  return s ? s : ds_queue_wait(r->queue, "copying masses", err);
}

/* The engine's arrays: of its own, or the caller's. What grows is filled anew: nothing may be under way in it. */
static ds_status reserve_arrays(ds_resident *r, ds_error *err)
{
  ds_status s = ds_queue_wait(r->queue, "resident atoms", err);
  r->atoms = r->callers;
  for (int k = 0; k < DS_OWN_ARRAYS && r->own_copies && !s; k++) {
    ds_array *const array = ds_own_array_of(&r->atoms, k);
    const size_t components = array->data ? (size_t) ds_own_kind_of(k)->components : 0;
    const size_t bytes = (size_t) r->atoms.n * components * (size_t) ds_type_bytes(array->type);
    s = ds_reserve(&r->memory, &r->own[k], bytes + 8, 1, "resident atoms", err);
    array->space = r->queue->kind->space;
    if (array->data) array->data = r->own[k].data;
  }
  return s ? s : ds_reserve(&r->memory, &r->x_ref, 3 * (size_t) r->atoms.n + 1, sizeof(double), "reference positions", err);
}

ds_status ds_resident_set_atoms(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(a, "resident atoms", err);
  if (!s) s = ds_resident_check_fields(r->queue, DS_SPACE_HOST, a, err);
  if (!s && r->reordered) s = ds_fail(err, DS_ERR_ARGUMENT, "atoms set in another order than the engine's");
  if (!s) s = check_masses(a, err);
  if (!s) s = check_types(a->type.data, a, err);
  if (s) return s;
  if (r->broken_off.code) r->pair->have_list = 0;
  if (a->n != r->atoms.n || r->broken_off.code) {
    ds_bonded_clear(&r->bonded);
    r->have_reference = 0;
    for (int k = 0; k < 2 * DS_TALLIES; k++) r->steps.tallied[k] = -1;
  }
  r->callers = *a;
  r->callers.mass = NULL;              /* the engine has a copy */
  ds_pair_forget_step(r->pair); /* its arrays may be other ones */
  r->bodies_checked = r->have_tags = 0;
  s = reserve_arrays(r, err);
  /* steps queued behind those broken off may have stopped the queue */
  if (!s && r->broken_off.code) s = ds_queue_resume(r->queue, err);
  if (!s) s = copy_masses(r, a, err);
  r->have_atoms = s == DS_OK;
  if (!s) r->broken_off.code = DS_OK;
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_set_wrap(ds_resident *r, const ds_wrap *w, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(w, "box to wrap in", err);
  if (s) return s;
  if (w->image_bits < 1 || w->image_bits > 21)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d bits of an image flag; allowed: 1 to 21", w->image_bits);
  for (int d = 0; d < 3; d++)
    if (w->periodic[d] && !(w->period[d] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "period %g of the box must be > 0", w->period[d]);
  for (int k = 0; k < 6 && w->moving; k++)
    if (!isfinite(w->rate[k])) return ds_fail(err, DS_ERR_ARGUMENT, "rate %g of the box's edges must be finite", w->rate[k]);
  r->wrap = *w;
  r->have_wrap = 1;
  return ds_succeed(err);
}

ds_status ds_resident_leave(ds_resident *r, ds_status status, ds_error *err)
{
  if (status) {
    r->broken_off = *err;
    r->broken_off.code = status;
  }
  return ds_queue_leave(r->queue, status, err);
}

ds_status ds_resident_need_atoms(const ds_resident *r, ds_error *err)
{
  if (r->broken_off.code) *err = r->broken_off;
  if (r->broken_off.code) return r->broken_off.code;
  return r->have_atoms ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no atoms have been set");
}

ds_status ds_resident_need_steps(const ds_resident *r, ds_error *err)
{
  const ds_status s = ds_resident_need_atoms(r, err);
  if (s) return s;
  return r->have_steps ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no steps have been set");
}

ds_status ds_resident_need_reference(const ds_resident *r, ds_error *err)
{
  const ds_status s = ds_resident_need_atoms(r, err);
  if (s) return s;
  return r->have_reference ? DS_OK
                           : ds_fail(err, DS_ERR_ARGUMENT, "no reference positions have been set (ds_resident_set_reference)");
}

ds_status ds_resident_need_wrap(const ds_resident *r, ds_error *err)
{
  if (!r->have_wrap) return ds_fail(err, DS_ERR_ARGUMENT, "no box to wrap in has been set");
  if (r->atoms.image.type == DS_I32 && r->wrap.image_bits > 10 && r->atoms.n > 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "image flags of 3 times %d bits in an array of 32 bits; at most 10 fit",
                   r->wrap.image_bits);
  return DS_OK;
}

ds_status ds_resident_reserve_fractions(ds_resident *r, ds_error *err)
{
  return r->wrap.tilted
             ? ds_reserve(&r->memory, &r->fraction, 3 * (size_t) r->atoms.n + 1, sizeof(double), "fractions of the box", err)
             : DS_OK;
}

ds_status ds_resident_find_fractions(ds_resident *r, ds_error *err)
{
  if (!r->wrap.tilted || r->have_fractions) return DS_OK;
  ds_status s = ds_resident_reserve_fractions(r, err);
  const ds_resident_view a = ds_resident_view_of(r);
  if (!s) s = r->stages->move(r->queue, DS_BOX_FRACTIONS, &a, &r->wrap, NULL, 0, err);
  r->have_fractions = !s;
  return s;
}

/* ------------------------------------------------------------------------------------------- fields */

/* Waits in both directions: of page-locked memory nothing may have been copied yet, and its owner goes on to change it. */
static ds_status copy_fields(ds_resident *r, int fields, int out, ds_error *err)
{
  const int all = DS_ALL_FIELDS | DS_TAG;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!out) ds_pair_forget_step(r->pair);
  if (!s && (fields & ~all)) s = ds_fail(err, DS_ERR_ARGUMENT, "set of fields %d; allowed: sums of 1 to %d", fields, DS_TAG);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s && !out && (fields & DS_IDENTITY)) s = check_types(r->callers.type.data, &r->callers, err);
  for (int k = 0; k < DS_OWN_ARRAYS && r->own_copies && !s; k++) {
    const ds_own_kind *const kind = ds_own_kind_of(k);
    const ds_array *const engine = ds_own_array_of(&r->atoms, k), *const caller = ds_own_array_of(&r->callers, k);
    const int bytes = ds_type_bytes(caller->type);
    if (!(fields & kind->field) || !caller->data) continue;
    s = ds_resident_copy(r, out, engine->data, caller->data, kind->components, bytes, kind->name, err);
  }
  if (!s) s = ds_queue_wait(r->queue, "resident atoms", err);
  if (!s && !out && (fields & DS_TAG)) r->have_tags = r->atoms.tag.data != NULL;
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_to_engine(ds_resident *r, int fields, ds_error *err)
{
  if (fields & DS_TAG) r->bodies_checked = 0;
  return copy_fields(r, fields, 0, err);
}

ds_status ds_resident_to_host(ds_resident *r, int fields, ds_error *err)
{
  return copy_fields(r, fields, 1, err);
}

int ds_resident_has_own_copies(const ds_resident *r)
{
  return r->own_copies;
}

ds_array ds_resident_array(const ds_resident *r, int field)
{
  return field == DS_POSITION ? r->atoms.x : field == DS_VELOCITY ? r->atoms.v : r->atoms.f;
}

static ds_status enter_with_reference(ds_resident *r, ds_error **err)
{
  const ds_status s = ds_queue_enter(r->queue, err);
  return s ? s : ds_resident_need_reference(r, *err);
}

ds_status ds_resident_copy_reference(ds_resident *r, ds_error *err)
{
  ds_status s = ds_resident_need_atoms(r, err);
  const size_t bytes = 3 * (size_t) r->atoms.n * sizeof(double);
  if (!s) s = ds_queue_copy(r->queue, r->x_ref.data, r->atoms.x.data, bytes, "copying reference positions", err);
  if (!s) r->have_reference = 1;
  return s;
}

ds_status ds_resident_set_reference(ds_resident *r, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_copy_reference(r, err);
  if (!s) r->have_fractions = 0;
  if (!s) r->wrap_step = -1;
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_set_fractions(ds_resident *r, const double *fractions, int64_t step, ds_error *err)
{
  ds_status s = enter_with_reference(r, &err);
  if (!s) s = ds_resident_need_wrap(r, err);
  if (!s && !r->wrap.tilted) s = ds_fail(err, DS_ERR_ARGUMENT, "fractions of a box that is not tilted");
  if (!s && r->atoms.n > 0) s = ds_check_pointer(fractions, "fractions of the box", err);
  if (!s) s = ds_resident_reserve_fractions(r, err);
  if (!s)
    s = ds_resident_copy(r, 0, r->fraction.data, (void *) fractions, 3, sizeof(double), "copying fractions of the box", err);
  if (!s) s = ds_queue_wait(r->queue, "fractions of the box", err);
  if (s) return ds_queue_leave(r->queue, s, err);
  r->have_fractions = 1;
  r->wrap_step = step;
  return ds_succeed(err);
}

/* Into the caller's array of positions; waits. */
static ds_status copy_to_positions(ds_resident *r, void *from, const char *what, ds_error *err)
{
  const ds_status s = ds_resident_copy(r, 1, from, r->callers.x.data, 3, sizeof(double), what, err);
  return s ? s : ds_queue_wait(r->queue, what, err);
}

ds_status ds_resident_fractions_to_host(ds_resident *r, ds_error *err)
{
  ds_status s = enter_with_reference(r, &err);
  if (!s && !ds_resident_has_fractions(r)) s = ds_fail(err, DS_ERR_ARGUMENT, "no fractions of a tilted box are known");
  if (!s) s = copy_to_positions(r, r->fraction.data, "copying fractions of the box", err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_reference_to_host(ds_resident *r, ds_error *err)
{
  ds_status s = enter_with_reference(r, &err);
  if (!s) s = copy_to_positions(r, r->x_ref.data, "copying reference positions", err);
  return ds_queue_leave(r->queue, s, err);
}

int ds_resident_has_fractions(const ds_resident *r)
{
  return ds_resident_has_reference(r) && r->wrap.tilted && r->have_fractions;
}

int ds_resident_has_reference(const ds_resident *r)
{
  return r->have_atoms && r->have_reference;
}

/* ---------------------------------------------------------------------------------- parts of a step */

ds_status ds_resident_wait(ds_resident *r, ds_pair_totals *totals, ds_stop_reason *why, int64_t *step, ds_error *err)
{
  const ds_control *const seen = r->queue->control_host;
  *why = DS_NOT_STOPPED;
  const ds_status s = ds_pair_check(r->pair, totals, step, err);
  /* of the atoms that operations work on: the pair object may have positions of another step, or none */
  if (!s && *step >= 0 && seen->operation_fault) return ds_steps_fault(&r->steps, &r->atoms.x, &r->atoms.tag, err);
  if (!s && *step >= 0)
    *why = seen->moved ? DS_STOP_MOVED : seen->outside ? DS_STOP_OUTSIDE : seen->bonded ? DS_STOP_BONDED : DS_STOP_LIST;
  return s;
}

ds_status ds_resident_has_moved(ds_resident *r, double trigger2, int *moved, ds_error *err)
{
  const ds_advance a = {0, {{0, 0, 0, 0}, {0, 0, 0, 0}}, 0, 1, trigger2, NULL, NULL, 0};
  ds_stop_reason why = DS_NOT_STOPPED;
  int64_t step;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(moved, "place for whether atoms have moved", err);
  if (!s) s = ds_resident_need_reference(r, err);
  if (!s && !(trigger2 >= 0.0)) s = ds_fail(err, DS_ERR_ARGUMENT, "square of a distance %g must be >= 0", trigger2);
  if (s) return s;
  s = ds_resident_advance(r, &a, err);
  if (!s) s = ds_resident_wait(r, NULL, &why, &step, err);
  *moved = why == DS_STOP_MOVED;
  return ds_resident_leave(r, s, err);
}

static int is_periodic(const ds_wrap *w)
{
  return w->periodic[0] && w->periodic[1] && w->periodic[2];
}

ds_status ds_resident_check_wrap(const ds_resident *r, ds_error *err)
{
  if (r->pair->frame.images_move && !r->wrap.moving)
    return ds_fail(err, DS_ERR_ARGUMENT, "images move with the box, but atoms would be wrapped without a change of velocity");
  return ds_resident_need_wrap(r, err);
}

ds_status ds_resident_wrap(ds_resident *r, int64_t step, ds_error *err)
{
  ds_status s = ds_resident_check_wrap(r, err);
  if (!s) s = ds_resident_reserve_fractions(r, err);
  const ds_resident_view a = ds_resident_view_of(r);
  ds_queue_begin(r->queue, DS_STAGE_WRAP);
  if (!s && !is_periodic(&r->wrap)) s = r->stages->move(r->queue, DS_BOX_OUTSIDE, &a, &r->wrap, NULL, step, err);
  if (!s) s = r->stages->move(r->queue, DS_BOX_WRAP, &a, &r->wrap, NULL, step, err);
  ds_queue_end(r->queue, DS_STAGE_WRAP);
  if (!s) {
    r->have_reference = 1;
    r->have_fractions = r->wrap.tilted;
    r->wrap_step = step;
  }
  return s || !ds_resident_has_bonds(r) ? s : ds_resident_choose_images(r, step, err);
}

ds_status ds_resident_flip(ds_resident *r, const int flips[3], int velocities, ds_error *err)
{
  const ds_resident_view a = ds_resident_view_of(r);
  ds_wrap wrap;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(flips, "flips of tilts", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_resident_need_wrap(r, err);
  if (!s && !r->wrap.tilted) s = ds_fail(err, DS_ERR_ARGUMENT, "a flip of a box that is not tilted");
  if (s) return s;
  wrap = r->wrap;
  wrap.moving = wrap.moving && velocities;
  s = r->stages->move(r->queue, DS_BOX_FLIP, &a, &wrap, flips, 0, err);
  return ds_resident_leave(r, s, err);
}

ds_status ds_resident_reneighbor(ds_resident *r, int64_t step, int *outside, ds_error *err)
{
  ds_stop_reason why = DS_NOT_STOPPED;
  int64_t stopped;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(outside, "place for whether atoms are outside", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_resident_check_wrap(r, err);
  if (s) return s;
  s = ds_resident_wrap(r, step, err);
  if (!s && !is_periodic(&r->wrap)) s = ds_resident_wait(r, NULL, &why, &stopped, err);
  *outside = why == DS_STOP_OUTSIDE;
  return ds_resident_leave(r, s, err);
}
