/* Bonds and angles of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded_cuda.h"

namespace {
enum { THREADS = 128 };

__global__ void images_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int term = blockIdx.x * THREADS + threadIdx.x;
  if (term < ds_terms_of(&b)) ds_reneighbor_term(&b, term);
}

/* A thread per atom that has terms. Each term is evaluated once per member, so that nothing is added by atomics. */
__global__ void bonded_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= b.natoms || !ds_bonded_atom(&b, k)) return;
  launch.control->bonded = 1;
  ds_stop(launch);
}

__global__ void vectors_kernel(ds_bonded_view b, double *vectors)
{
  const int term = blockIdx.x * THREADS + threadIdx.x;
  if (term < ds_terms_of(&b)) ds_term_vectors(&b, term, vectors);
}

ds_status copy(ds_queue *s, ds_buffer *to, const void *from, size_t bytes, ds_error *err)
{
  const ds_status status = ds_gpu_reserve(to, bytes + 8, 1, "bonds", err);
  return status ? status : ds_queue_copy(s, to->data, from, bytes, "copying bonds", err);
}
}    // namespace

void ds_bonded_cuda_close(ds_bonded_cuda *c)
{
  ds_buffer *const all[] = {&c->bond,        &c->angle,        &c->bond_type, &c->angle_type,
                            &c->bond_images, &c->angle_images, &c->atom,      &c->first,
                            &c->entry,       &c->vectors};
  for (ds_buffer *b : all) ds_gpu_free(b);
  ds_buffer_free(&ds_pinned_memory, &c->vectors_host);
}

ds_status ds_bonded_cuda_set(ds_bonded_cuda *c, ds_queue *s, const ds_bonded_lists *l,
                             ds_error *err)
{
  const ds_bonded *const g = &l->given;
  const size_t bonds = (size_t) g->bonds.n, angles = (size_t) g->angles.n;
  const size_t entries = 2 * bonds + 3 * angles, atoms = (size_t) l->natoms;
  const size_t word = sizeof(int32_t);
  const struct {
    ds_buffer *to;
    const ds_buffer *from;
    size_t bytes;
  } all[] = {
      {&c->bond, &l->bond, DS_BOND_SIZE * bonds * word},
      {&c->angle, &l->angle, DS_ANGLE_SIZE * angles * word},
      {&c->bond_type, &l->bond_type, bonds ? (g->bonds.ntypes + 1) * sizeof(ds_bonded_type) : 0},
      {&c->angle_type, &l->angle_type,
       angles ? (g->angles.ntypes + 1) * sizeof(ds_bonded_type) : 0},
      {&c->atom, &l->atom, atoms * word},
      {&c->first, &l->first, (atoms + 1) * word},
      {&c->entry, &l->entry, entries * word}};
  ds_status status = ds_queue_use(s, err);
  if (!status) status = ds_queue_wait(s, "bonds", err);
  for (const auto &one : all)
    if (!status) status = copy(s, one.to, one.from->data, one.bytes, err);
  if (!status) status = ds_gpu_reserve(&c->bond_images, bonds + 1, word, "images of bonds", err);
  if (!status) status = ds_gpu_reserve(&c->angle_images, angles + 1, word, "images of bonds", err);
  return status ? status : ds_queue_wait(s, "bonds", err);
}

static ds_bonded_view on_device(const ds_bonded_cuda *c)
{
  ds_bonded_view b = c->view;
  b.bond = DS_DATA(int32_t, c->bond);
  b.angle = DS_DATA(int32_t, c->angle);
  b.bond_type = DS_DATA(ds_bonded_type, c->bond_type);
  b.angle_type = DS_DATA(ds_bonded_type, c->angle_type);
  b.bond_images = DS_DATA(int32_t, c->bond_images);
  b.angle_images = DS_DATA(int32_t, c->angle_images);
  b.atom = DS_DATA(int32_t, c->atom);
  b.first = DS_DATA(uint32_t, c->first);
  b.entry = DS_DATA(uint32_t, c->entry);
  return b;
}

ds_status ds_bonded_cuda_images(ds_bonded_cuda *c, ds_queue *s, int64_t step, ds_error *err)
{
  const ds_bonded_view b = on_device(c);
  return DS_LAUNCH(err, "images of bonds kernel", images_kernel,
                   ds_gpu_blocks((size_t) ds_terms_of(&b), THREADS), THREADS, s->stream, b,
                   ds_queue_launch_id(s, step));
}

ds_status ds_bonded_cuda_forces(ds_bonded_cuda *c, ds_queue *s, int64_t step, ds_error *err)
{
  const ds_bonded_view b = on_device(c);
  ds_timer_begin(&s->timer, DS_STAGE_BONDS, s->stream);
  const ds_status status =
      DS_LAUNCH(err, "bonds kernel", bonded_kernel, ds_gpu_blocks((size_t) b.natoms, THREADS),
                THREADS, s->stream, b, ds_queue_launch_id(s, step));
  ds_timer_end(&s->timer, DS_STAGE_BONDS, s->stream);
  return status;
}

/* The images go to the caller's lists, which the sums want, too. */
ds_status ds_bonded_cuda_sums(ds_bonded_cuda *c, ds_queue *s, const ds_bonded_lists *l,
                              ds_bonded_sums *sums, ds_error *err)
{
  const ds_bonded_view b = on_device(c);
  const int terms = ds_terms_of(&b);
  const size_t numbers = ds_vectors_before(&b, terms);
  ds_status status = ds_gpu_reserve(&c->vectors, numbers + 1, sizeof(double), "vectors of bonds", err);
  if (!status)
    status = ds_buffer_reserve(&ds_pinned_memory, &c->vectors_host, numbers + 1, sizeof(double),
                               "vectors of bonds", err);
  if (!status)
    status =
        DS_LAUNCH(err, "vectors of bonds kernel", vectors_kernel, ds_gpu_blocks((size_t) terms, THREADS),
                  THREADS, s->stream, b, DS_DATA(double, c->vectors));
  if (!status)
    status = ds_queue_copy(s, c->vectors_host.data, c->vectors.data, numbers * sizeof(double),
                            "copying vectors of bonds", err);
  if (!status)
    status = ds_queue_copy(s, l->bond_images.data, c->bond_images.data,
                            (size_t) b.nbonds * sizeof(int32_t), "copying images", err);
  if (!status)
    status = ds_queue_copy(s, l->angle_images.data, c->angle_images.data,
                            (size_t) b.nangles * sizeof(int32_t), "copying images", err);
  if (!status) status = ds_queue_wait(s, "sums of bonds", err);
  if (status) return status;
  ds_bonded_view here = c->view;
  ds_bonded_add_up(&here, DS_DATA(double, c->vectors_host), sums);
  return DS_OK;
}
