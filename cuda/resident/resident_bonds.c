/* Bonds and angles of resident atoms: the public interface, and what a step needs of them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <string.h>

static ds_status check_reach(const ds_resident *r, const ds_bonded *b, ds_error *err)
{
  double reach[3];
  if (b->with_copies) return DS_OK;
  ds_reach_in_box(&r->wrap, b->reach, reach);
  for (int d = 0; d < 3; d++)
    if (r->wrap.periodic[d] && !(2.0 * reach[d] < r->wrap.period[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "reach %g of bonds must be below half the period %g%s", reach[d], r->wrap.period[d],
                     r->wrap.tilted ? ", in fractions of the box" : "");
  return DS_OK;
}

ds_bonded_view ds_resident_bonded_view(const ds_resident *r, int64_t step)
{
  ds_bonded_view b = ds_bonded_view_of(&r->bonded, &r->wrap, r->pair->options.threads);
  b.fraction = r->wrap.tilted && step == r->wrap_step ? r->fraction.data : NULL;
  b.x = r->atoms.x.data;
  b.f = r->atoms.f.data;
  return b;
}

ds_status ds_resident_choose_images(ds_resident *r, int64_t step, ds_error *err)
{
  ds_bonded_view b = ds_resident_bonded_view(r, step);
  b.x = r->x_ref.data;
  b.fraction = r->wrap.tilted ? r->fraction.data : NULL;
  return r->stages->bonded->choose_images(r->queue, &b, step, err);
}

/* Terms themselves are looked at where they are set, before anything changes. Without reference positions there are none that
   would be lost. */
ds_status ds_resident_set_bonded(ds_resident *r, const ds_bonded *b, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s && !b) ds_bonded_clear(&r->bonded);
  if (s || !b) return ds_queue_leave(r->queue, s, err);
  s = ds_resident_need_wrap(r, err);
  if (!s) s = check_reach(r, b, err);
  if (!s) s = ds_bonded_set(&r->bonded, r->queue, r->stages->bonded, b, r->atoms.n, err);
  if (!s && ds_resident_has_bonds(r) && !r->have_reference) {
    ds_bonded_clear(&r->bonded);
    s = ds_resident_need_reference(r, err);
  }
  if (!s && ds_resident_has_bonds(r)) s = ds_resident_find_fractions(r, err);
  if (!s && ds_resident_has_bonds(r)) s = ds_resident_choose_images(r, 0, err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_sort_bonds(ds_resident *r, ds_error *err)
{
  if (r->bonded.with_copies) ds_bonded_clear(&r->bonded);
  if (!ds_resident_has_bonds(r)) return DS_OK;
  ds_status s = ds_bonded_sort(&r->bonded, r->queue, r->stages->bonded, r->order.order, err);
  if (!s) s = ds_resident_find_fractions(r, err);
  return s ? s : ds_resident_choose_images(r, 0, err);
}

ds_status ds_resident_make_bonds(ds_resident *r, const ds_bonded_view *b, int added, int64_t step, ds_error *err)
{
  ds_queue_begin(r->queue, DS_STAGE_BONDS);
  ds_status s = r->stages->bonded->make_forces(r->queue, b, step, err);
  if (!s && added) s = r->stages->bonded->add_forces(r->queue, b, step, err);
  ds_queue_end(r->queue, DS_STAGE_BONDS);
  return s;
}

/* Three numbers of each copy, from or into the caller's memory; waits. */
static ds_status transfer_copies(ds_resident *r, const double *callers, void *to, const void *from, const char *what,
                                 ds_error *err)
{
  const size_t bytes = 3 * (size_t) r->bonded.ncopies * sizeof(double);
  ds_status s = ds_queue_enter(r->queue, &err);
  if (s) return s;
  if (!ds_resident_has_bonds(r) || !r->bonded.with_copies || bytes == 0) return ds_succeed(err);
  s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_check_pointer(callers, what, err);
  if (!s) s = ds_queue_copy(r->queue, to, from, bytes, what, err);
  if (!s) s = ds_queue_wait(r->queue, what, err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_set_copies(ds_resident *r, const double *x, ds_error *err)
{
  return transfer_copies(r, x, r->bonded.copy_x.data, x, "positions of copies", err);
}

ds_status ds_resident_copy_forces(ds_resident *r, double *f, ds_error *err)
{
  return transfer_copies(r, f, f, r->bonded.copy_f.data, "forces of copies", err);
}

ds_status ds_resident_sum_bonds(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_bonded_view b = ds_resident_bonded_view(r, step);
  return ds_bonded_add_up(&r->bonded, r->queue, r->stages->bonded, &b, step, err);
}

void ds_resident_bonded_sums(const ds_resident *r, ds_bonded_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  if (ds_resident_has_bonds(r)) ds_bonded_take_sums(&r->bonded, sums);
}

ds_status ds_resident_bonded_forces(ds_resident *r, int64_t step, ds_bonded_sums *sums, int *too_long, ds_error *err)
{
  ds_stop_reason why = DS_NOT_STOPPED;
  int64_t stopped;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(too_long, "place for whether bonds are too long", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (s) return s;
  *too_long = 0;
  if (sums) memset(sums, 0, sizeof *sums);
  if (!ds_resident_has_bonds(r)) return ds_succeed(err);
  ds_bonded_view b = ds_resident_bonded_view(r, step);
  if (r->has_mesh) b.part = DS_BONDED_ON_ATOMS; /* others: ds_resident_mesh_forces */
  s = ds_resident_make_bonds(r, &b, 1, step, err);
  if (!s && sums) s = ds_resident_sum_bonds(r, step, err);
  if (!s) s = ds_resident_wait(r, NULL, &why, &stopped, err);
  *too_long = why == DS_STOP_BONDED;
  if (!s && sums && !*too_long) ds_resident_bonded_sums(r, sums);
  return ds_resident_leave(r, s, err);
}
