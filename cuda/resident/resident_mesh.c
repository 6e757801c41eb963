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

/* Charges are those that the pair object has read; which atoms have some, its list of these knows. */
static ds_mesh_atoms charged_atoms(const ds_resident *r, int is_list_kept)
{
  const ds_own_list *const own = is_list_kept ? ds_pair_charged_list(r->pair) : NULL;
  ds_mesh_atoms a = {.n = r->atoms.n, .x = r->atoms.x.data, .charge = r->pair->particles.source.charge, .f = r->atoms.f.data};
  if (own) {
    a.charged = own->list.sort.order;
    a.ncharged = ds_own_list_count(own);
    a.about = ds_own_list_rows(own);
  }
  return a;
}

#ifdef DS_HAVE_CUDA
/* Beside forces of pairs fields cost less: 740 in place of 648 million particle steps per second of 64,000 atoms on an H200,
   1072 and 962 of 200,000; with the same division of memory for both another 5 in a hundred of 64,000. Kernels of the mesh
   have the first choice of room, as more of them follow each other. Not where times of stages are taken, nor where charges of
   several processes are waited for, nor before charges are read. */
static int may_begin(const ds_resident *r)
{
  const ds_particles *const p = &r->pair->particles;
  const int is_timed = r->queue->timer.on && !r->queue->timer.paused;
  const int is_whole = r->queue->gpus.n == 1 && !r->mesh.reduce;
  return r->has_mesh && !ds_queue_is_host(r->queue) && is_whole && !is_timed && r->atoms.n > 0 && p->source.charge.data &&
         p->charges_read == p->charges;
}

/* Where a list is kept, forces of pairs wait until charges are on the mesh: they would leave no room on the GPU to charges and
   to the small kernels of the mesh after them, which interpolation waits for in the end. A rebuild takes longer than the
   mesh. */
ds_status ds_resident_begin_mesh(ds_resident *r, int is_list_kept, int sums, int64_t step, ds_error *err)
{
  ds_mesh_atoms *const a = &r->mesh_atoms;
  ds_side *const side = &r->mesh_side;
  if (!may_begin(r)) return DS_OK;
  ds_status s = side->stream ? DS_OK : ds_side_open(side, 1, err);
  if (s) return s;
  *a = charged_atoms(r, is_list_kept);
  r->queue->beside = 1;
  s = ds_side_fork(r->queue, side, err);
  if (!s) s = ds_mesh_find_charged(&r->mesh, a, step, err);
  if (!s) s = ds_mesh_spread(&r->mesh, a, sums, step, err);
  if (!s && is_list_kept) s = ds_side_hold_queue(side, err);
  if (!s) s = ds_mesh_solve(&r->mesh, a, sums, step, err);
  r->mesh_is_begun = 1;
  return ds_side_leave(r->queue, side, s, err);
}

ds_status ds_resident_await_mesh(ds_resident *r, ds_error *err)
{
  if (!r->mesh_is_begun) return DS_OK;
  r->mesh_is_begun = 0;
  return ds_side_join(r->queue, &r->mesh_side, err);
}
#else
ds_status ds_resident_begin_mesh(ds_resident *r, int is_list_kept, int sums, int64_t step, ds_error *err)
{
  (void) r, (void) is_list_kept, (void) sums, (void) step, (void) err;
  return DS_OK;
}

ds_status ds_resident_await_mesh(ds_resident *r, ds_error *err)
{
  (void) r, (void) err;
  return DS_OK;
}
#endif

ds_status ds_resident_queue_mesh(ds_resident *r, int sums, int64_t step, ds_error *err)
{
  const int is_begun = r->mesh_is_begun;
  const ds_mesh_atoms a = is_begun ? r->mesh_atoms : charged_atoms(r, 1);
  if (a.n > 0 && !a.charge.data)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "forces of a mesh, but the pair object has no charges; allowed: a style that reads them");
  const ds_status s = ds_resident_await_mesh(r, err);
  if (s) return s;
  return is_begun ? ds_mesh_add_forces(&r->mesh, &a, sums, step, err) : ds_mesh_make_forces(&r->mesh, &a, sums, step, err);
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
