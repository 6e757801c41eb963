/* The mesh of resident atoms that are charged: the public interface, and what a step needs of it.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <string.h>

ds_status ds_resident_set_mesh(ds_resident *r, const ds_mesh_model *model, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && model) s = ds_mesh_set_model(&r->mesh, model, err);
  if (!s) r->has_mesh = model != NULL;
  return ds_queue_leave(r->queue, s, err);
}

/* Charges are those that the pair object has read. */
ds_status ds_resident_queue_mesh(ds_resident *r, int sums, int64_t step, ds_error *err)
{
  const ds_mesh_atoms a = {r->atoms.n, r->atoms.x.data, r->pair->particles.source.charge, r->atoms.f.data, NULL, NULL};
  if (a.n > 0 && !a.charge.data)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "forces of a mesh, but the pair object has no charges; allowed: a style that reads them");
  return ds_mesh_make_forces(&r->mesh, &a, sums, step, err);
}

ds_status ds_resident_mesh_forces(ds_resident *r, int64_t step, ds_mesh_sums *sums, ds_error *err)
{
  ds_stop_reason why = DS_NOT_STOPPED;
  int64_t stopped;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (s) return s;
  if (!r->has_mesh) return ds_fail(err, DS_ERR_ARGUMENT, "forces of a mesh, of which there is none (ds_resident_set_mesh)");
  s = ds_resident_queue_mesh(r, sums != NULL, step, err);
  if (!s && ds_resident_has_bonds(r)) {
    ds_bonded_view b = ds_resident_bonded_view(r, step);
    b.part = DS_BONDED_ON_IMAGES;
    s = r->stages->bonded->add_forces(r->queue, &b, step, err);
  }
  if (!s) s = ds_resident_wait(r, NULL, &why, &stopped, err);
  if (!s && sums) ds_mesh_take_sums(&r->mesh, sums);
  return ds_resident_leave(r, s, err);
}

void ds_resident_mesh_sums(const ds_resident *r, ds_mesh_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  if (r->has_mesh) ds_mesh_take_sums(&r->mesh, sums);
}
