/* The public interface of a mesh on arrays in host memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/backend.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

struct ds_kspace {
  ds_queue queue;
  ds_mesh mesh;
  ds_error no_gpu;
  ds_mirror x, charge, f, eatom, vatom;
};

ds_status ds_kspace_open(ds_kspace **out, const ds_kspace_options *options, ds_error *err)
{
  static const ds_kspace_options defaults; /* all zero */
  ds_isa isa;
  int threads;
  if (ds_check_pointer(out, "place for a mesh", err)) return DS_ERR_ARGUMENT;
  *out = NULL;
  if (!options) options = &defaults;
  if (options->local_rank < 0) return ds_fail(err, DS_ERR_ARGUMENT, "local rank %d must be >= 0", options->local_rank);
  const ds_queue_options queue = {options->local_rank, NULL, 0, 0};
  ds_kspace *const k = calloc(1, sizeof *k);
  if (!k) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a mesh");
  ds_status s = ds_threads_choose(options->threads, &threads, err);
  if (!s) s = ds_isa_choose(options->isa, &isa, err);
  if (!s) s = ds_queue_open(&k->queue, options->backend, ds_isa_name(isa), &queue, &k->no_gpu, err);
  if (s) {
    free(k);
    return s;
  }
  ds_mesh_open(&k->mesh, &k->queue, isa, threads);
  *out = k;
  return ds_succeed(err);
}

void ds_kspace_close(ds_kspace *k)
{
  ds_error ignored;
  if (!k) return;
  ds_queue_use(&k->queue, &ignored);
  ds_queue_wait(&k->queue, "a mesh", &ignored);
  ds_mesh_close(&k->mesh);
  ds_queue_close(&k->queue);
  free(k);
}

const char *ds_kspace_backend(const ds_kspace *k)
{
  return k->queue.kind->name;
}

const char *ds_kspace_no_gpu(const ds_kspace *k)
{
  return k->no_gpu.text;
}

size_t ds_kspace_bytes(const ds_kspace *k)
{
  return ds_pool_bytes(&k->queue.memory) + ds_pool_bytes(&k->queue.pinned);
}

ds_status ds_kspace_set_model(ds_kspace *k, const ds_mesh_model *model, ds_error *err)
{
  ds_status s = ds_queue_enter(&k->queue, &err);
  if (!s) s = ds_mesh_set_model(&k->mesh, model, err);
  return ds_queue_leave(&k->queue, s, err);
}

void ds_kspace_set_reduction(ds_kspace *k, ds_mesh_reduction *reduce, void *user)
{
  k->mesh.reduce = reduce;
  k->mesh.reduce_user = user;
}

/* ------------------------------------------------------------------------------------------- forces */

static ds_status check_array(const ds_array *a, int n, int components, int required, const char *what, ds_error *err)
{
  if (n == 0 || (!a->data && !required)) return DS_OK;
  if (ds_check_pointer(a->data, what, err)) return DS_ERR_ARGUMENT;
  if (a->type != DS_F64 || a->space != DS_SPACE_HOST || a->atom_stride != components ||
      (components > 1 && a->component_stride != 1))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s are not F64 in host memory, with atoms behind each other", what);
  return DS_OK;
}

static ds_status check_request(const ds_kspace_request *r, const ds_mesh_sums *sums, ds_error *err)
{
  if (ds_check_pointer(r, "atoms with charges", err)) return DS_ERR_ARGUMENT;
  if (r->n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d atoms", r->n);
  if (check_array(&r->x, r->n, 3, 1, "positions", err) || check_array(&r->charge, r->n, 1, 1, "charges", err) ||
      check_array(&r->f, r->n, 3, 1, "forces", err) || check_array(&r->eatom, r->n, 1, 0, "energies", err) ||
      check_array(&r->vatom, r->n, 6, 0, "virials", err))
    return DS_ERR_ARGUMENT;
  return r->want_sums ? ds_check_pointer(sums, "place for sums", err) : DS_OK;
}

/* Arrays where stages work: the caller's, or copies. */
static ds_status bring(ds_kspace *k, const ds_kspace_request *r, ds_mesh_atoms *a, ds_error *err)
{
  ds_queue *const q = &k->queue;
  const struct {
    ds_mirror *mirror;
    const ds_array *from;
    void **to;
    int components;
    const char *what;
  } array[] = {{&k->x, &r->x, (void **) &a->x, 3, "positions"},
               {&k->f, &r->f, (void **) &a->f, 3, "forces"},
               {&k->eatom, &r->eatom, (void **) &a->eatom, 1, "energies"},
               {&k->vatom, &r->vatom, (void **) &a->vatom, 6, "virials"},
               {&k->charge, &r->charge, &a->charge.data, 1, "charges"}};
  ds_status s = DS_OK;
  a->n = r->n;
  a->charge = r->charge;
  for (int j = 0; j < 5 && !s; j++) {
    ds_array view = *array[j].from;
    if (!ds_queue_is_host(q) && view.data)
      s = ds_queue_array_copy(q, array[j].mirror, array[j].from, r->n, array[j].components, array[j].what, &view, err);
    *array[j].to = view.data;
  }
  a->charge.space = q->kind->space;
  return s;
}

static ds_status take_back(ds_kspace *k, const ds_kspace_request *r, const ds_mesh_atoms *a, ds_error *err)
{
  const size_t n = (size_t) r->n * sizeof(double);
  if (ds_queue_is_host(&k->queue)) return DS_OK;
  ds_status s = ds_queue_copy(&k->queue, r->f.data, a->f, 3 * n, "copying forces", err);
  if (!s && a->eatom) s = ds_queue_copy(&k->queue, r->eatom.data, a->eatom, n, "copying energies", err);
  if (!s && a->vatom) s = ds_queue_copy(&k->queue, r->vatom.data, a->vatom, 6 * n, "copying virials", err);
  return s;
}

static ds_status position_error(ds_kspace *k, const ds_kspace_request *r, ds_error *err)
{
  ds_error ignored;
  const int i = r->n - (int) k->queue.control_host->position_fault;
  const double *const x = (const double *) r->x.data + 3 * (size_t) i;
  ds_queue_resume(&k->queue, &ignored);
  return ds_fail(err, DS_ERR_POSITION,
                 "atom %d of this process, from 0 on, at (%g, %g, %g) is not a number or too far outside the box", i, x[0],
                 x[1], x[2]);
}

ds_status ds_kspace_compute(ds_kspace *k, const ds_kspace_request *r, ds_mesh_sums *sums, ds_error *err)
{
  ds_mesh_atoms a = {0};
  ds_queue *const q = &k->queue;
  ds_status s = ds_queue_enter(q, &err);
  if (!s) s = check_request(r, sums, err);
  if (s) return s;
  s = bring(k, r, &a, err);
  if (!s) s = ds_mesh_make_forces(&k->mesh, &a, r->want_sums, 0, err);
  if (!s) s = ds_queue_wait(q, "forces of a mesh", err);
  if (!s && ds_queue_stopped(q)) {
    s = ds_queue_read_control(q, "forces of a mesh", err);
    return s ? ds_queue_leave(q, s, err) : position_error(k, r, err);
  }
  if (!s) s = take_back(k, r, &a, err);
  if (!s) s = ds_queue_wait(q, "forces of a mesh", err);
  if (!s && r->want_sums) ds_mesh_take_sums(&k->mesh, sums);
  return ds_queue_leave(q, s, err);
}
