/* Stages of bonds, angles, dihedrals and impropers on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/exact_sum.cuh"
#include "../core/launch.cuh"
#include "../core/sort_cuda.cuh"
#include "bonded.h"
#include "stages_cuda.h"
#include "term_images.h"

namespace {
enum { THREADS = 128 };

/* ------------------------------------------------------------------------------------------- lists */

/* Nothing has stopped when terms are sorted, as their owner has waited for the step: kernels need not look. */
__global__ void place_kernel(const int32_t *order, int n, int32_t *place)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) place[order[i]] = i;
}

__global__ void owner_kernel(const int32_t *member, int size, int n, const int32_t *place, uint32_t *owner, uint32_t *term)
{
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= n) return;
  owner[k] = (uint32_t) place[member[(size_t) size * k]];
  term[k] = (uint32_t) k;
}

__global__ void put_terms_kernel(const int32_t *member, int size, int n, const int32_t *place, const uint32_t *order,
                                 int32_t *sorted)
{
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= n) return;
  const int32_t *const from = member + (size_t) size * order[k];
  int32_t *const to = sorted + (size_t) size * k;
  for (int m = 0; m + 1 < size; m++) to[m] = place[from[m]];
  to[size - 1] = from[size - 1];
}

/* Each member of each term, in the order of the list; all owners but those of bonds are no members of their own. */
__global__ void members_kernel(const int32_t *member, int kind, int first_row, int n, uint32_t *atom, uint32_t *entry)
{
  const int k = blockIdx.x * THREADS + threadIdx.x, members = ds_members_of(kind);
  if (k >= n) return;
  for (int m = 0; m < members; m++) {
    atom[(size_t) members * k + m] = (uint32_t) member[(size_t) ds_term_size(kind) * k + ds_first_member(kind) + m];
    entry[(size_t) members * k + m] = ds_entry_of(kind, first_row, k, m);
  }
}

/* Of each of n atoms: how many of the sorted numbers are below its own. */
__global__ void first_kernel(const uint32_t *sorted, uint32_t count, int n, uint32_t *first)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  uint32_t low = 0, high = count;
  if (i > n) return;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (sorted[middle] < (uint32_t) i)
      low = middle + 1;
    else
      high = middle;
  }
  first[i] = low;
}

ds_status reserve_pairs(ds_bonded_lists *l, size_t n, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 2 && !s; k++) {
    s = ds_reserve(l->memory, &l->key[k], n + 1, sizeof(uint32_t), "sorted bonds", err);
    if (!s) s = ds_reserve(l->memory, &l->value[k], n + 1, sizeof(uint32_t), "sorted bonds", err);
  }
  return s;
}

/* Atoms in key[0] in ascending order, and value[0] with them. */
ds_status sort_pairs(ds_queue *q, ds_bonded_lists *l, size_t n, const uint32_t **atoms, const uint32_t **values, ds_error *err)
{
  const int bits = l->natoms > 1 ? 32 - ds_clz32((uint32_t) l->natoms - 1) : 1;
  return ds_sort_cuda<uint32_t, uint32_t>(q, l->memory, &l->scratch, l->key, l->value, (int) n, bits, atoms, values, err);
}

ds_status renumber_kind(ds_queue *q, ds_bonded_lists *l, int kind, ds_error *err)
{
  ds_term_list *const t = &l->kind[kind];
  const int n = t->given.n, size = ds_term_size(kind);
  const size_t words = (size_t) size * n;
  const int32_t *const place = DS_DATA(int32_t, l->place);
  const uint32_t *atoms, *order;
  if (n == 0) return DS_OK;
  ds_status s = reserve_pairs(l, n, err);
  if (!s) s = ds_reserve(l->memory, &l->spare, words, sizeof(int32_t), "sorted bonds", err);
  if (!s)
    s = DS_LAUNCH_EACH(err, "owners of bonds kernel", owner_kernel, n, THREADS, ds_queue_stream(q), DS_DATA(int32_t, t->member),
                       size, n, place, DS_DATA(uint32_t, l->key[0]), DS_DATA(uint32_t, l->value[0]));
  if (!s) s = sort_pairs(q, l, n, &atoms, &order, err);
  if (!s)
    s = DS_LAUNCH_EACH(err, "order of bonds kernel", put_terms_kernel, n, THREADS, ds_queue_stream(q),
                       DS_DATA(int32_t, t->member), size, n, place, order, DS_DATA(int32_t, l->spare));
  return s ? s : ds_queue_copy(q, t->member.data, l->spare.data, words * sizeof(int32_t), "copying sorted bonds", err);
}

ds_status renumber(ds_queue *q, ds_bonded_lists *l, const int32_t *order, ds_error *err)
{
  const int n = l->natoms;
  ds_status s = ds_reserve(l->memory, &l->place, (size_t) n + 1, sizeof(int32_t), "places of atoms", err);
  if (!s)
    s = DS_LAUNCH_EACH(err, "places of atoms kernel", place_kernel, n, THREADS, ds_queue_stream(q), order, n,
                       DS_DATA(int32_t, l->place));
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) s = renumber_kind(q, l, kind, err);
  return s;
}

ds_status list_members(ds_queue *q, const ds_bonded_lists *l, int kind, size_t begin, ds_error *err)
{
  const ds_term_list *const t = &l->kind[kind];
  return DS_LAUNCH_EACH(err, "members of bonds kernel", members_kernel, t->given.n, THREADS, ds_queue_stream(q),
                        DS_DATA(int32_t, t->member), kind, ds_bonded_rows_before(l, kind), t->given.n,
                        DS_DATA(uint32_t, l->key[0]) + begin, DS_DATA(uint32_t, l->value[0]) + begin);
}

ds_status list_entries(ds_queue *q, ds_bonded_lists *l, ds_error *err)
{
  const size_t entries = ds_bonded_entries(l), n = (size_t) l->natoms;
  size_t begin = 0;
  const uint32_t *atoms = NULL, *sorted = NULL;
  ds_status s = reserve_pairs(l, entries, err);
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) {
    s = list_members(q, l, kind, begin, err);
    begin += (size_t) ds_members_of(kind) * l->kind[kind].given.n;
  }
  if (!s && entries) s = sort_pairs(q, l, entries, &atoms, &sorted, err);
  if (!s) s = ds_queue_copy(q, l->entry.data, sorted, entries * sizeof(uint32_t), "copying bonds of atoms", err);
  return s ? s
           : DS_LAUNCH_EACH(err, "first bonds of atoms kernel", first_kernel, n + 1, THREADS, ds_queue_stream(q), atoms,
                            (uint32_t) entries, l->natoms, DS_DATA(uint32_t, l->first));
}

/* ------------------------------------------------------------------------------------------- steps */

__global__ void images_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int term = ds_block(launch) * THREADS + threadIdx.x;
  if (term < ds_count_terms(&b)) ds_reneighbor_term(&b, term);
}

__global__ void torsion_images_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int torsion = ds_block(launch) * THREADS + threadIdx.x;
  if (torsion < ds_count_torsions(&b)) ds_reneighbor_torsion(&b, torsion);
}

__global__ void terms_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int term = ds_block(launch) * THREADS + threadIdx.x;
  if (term >= ds_count_terms(&b) || !ds_term_forces(&b, term)) return;
  launch.control->bonded = 1;
  ds_stop(launch);
}

template <int KIND> __global__ void torsions_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int torsion = ds_block(launch) * THREADS + threadIdx.x;
  if (torsion < ds_terms_of_kind(&b, KIND)->n) ds_torsion_forces_of(&b, KIND, torsion);
}

/* A thread per atom, which adds up in the order of its terms: no atomics. */
__global__ void bonded_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = ds_block(launch) * THREADS + threadIdx.x;
  if (i < b.natoms) ds_add_bonded_forces(&b, i);
}

template <int KIND> __global__ void bonded_sums_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int term = ds_block(launch) * THREADS + threadIdx.x;
  double add[DS_TERM_SUMS] = {};
  if (term < ds_terms_of_kind(&b, KIND)->n) ds_term_sums(&b, KIND, term, add);
  ds_add_exact_terms<DS_TERM_SUMS>(add, DS_TERM_SUMS, b.unit, b.sums + KIND * DS_TERM_SUMS);
}

template <int KIND> __global__ void bonded_tally_kernel(ds_bonded_view b, ds_bonded_tallies to, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = ds_block(launch) * THREADS + threadIdx.x;
  if (i < ds_own_atoms(&b)) ds_tally_atom(&b, &to, KIND, i);
}

template <int KIND> __global__ void copy_sums_kernel(ds_bonded_view b, ds_exact_sum *sums, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = ds_block(launch) * THREADS + threadIdx.x;
  if (i < b.natoms - b.own) ds_sum_copy(&b, KIND, i, sums);
}

ds_status choose_images(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  const ds_status s = DS_LAUNCH_STAGE(err, "images of bonds kernel", images_kernel, ds_count_terms(b), THREADS, q, *b, launch);
  return s ? s
           : DS_LAUNCH_STAGE(err, "images of dihedrals kernel", torsion_images_kernel, ds_count_torsions(b), THREADS, q, *b,
                             launch);
}

template <int KIND> ds_status make_torsions(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "dihedrals kernel", torsions_kernel<KIND>, ds_terms_of_kind(b, KIND)->n, THREADS, q, *b,
                         ds_queue_launch_id(q, step));
}

ds_status make_forces(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  ds_status s = DS_LAUNCH_STAGE(err, "terms of bonds kernel", terms_kernel, ds_count_terms(b), THREADS, q, *b, launch);
  if (!s) s = make_torsions<DS_DIHEDRALS>(q, b, step, err);
  return s ? s : make_torsions<DS_IMPROPERS>(q, b, step, err);
}

ds_status add_forces(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "bonds kernel", bonded_kernel, b->natoms, THREADS, q, *b, ds_queue_launch_id(q, step));
}

template <int KIND> ds_status add_up_kind(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "sums of bonds kernel", bonded_sums_kernel<KIND>, ds_terms_of_kind(b, KIND)->n, THREADS, q, *b,
                         ds_queue_launch_id(q, step));
}

ds_status add_up(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  ds_status s = add_up_kind<DS_BONDS>(q, b, step, err);
  if (!s) s = add_up_kind<DS_ANGLES>(q, b, step, err);
  if (!s) s = add_up_kind<DS_DIHEDRALS>(q, b, step, err);
  return s ? s : add_up_kind<DS_IMPROPERS>(q, b, step, err);
}

template <int KIND>
ds_status tally_kind(ds_queue *q, const ds_bonded_view *b, const ds_bonded_tallies *to, int64_t step, ds_error *err)
{
  return ds_wants_kind(to, KIND) ? DS_LAUNCH_EACH(err, "tally of bonds kernel", bonded_tally_kernel<KIND>, ds_own_atoms(b),
                                                  THREADS, ds_queue_stream(q), *b, *to, ds_queue_launch_id(q, step))
                                 : DS_OK;
}

ds_status tally(ds_queue *q, const ds_bonded_view *b, const ds_bonded_tallies *to, int64_t step, ds_error *err)
{
  ds_status s = tally_kind<DS_BONDS>(q, b, to, step, err);
  if (!s) s = tally_kind<DS_ANGLES>(q, b, to, step, err);
  if (!s) s = tally_kind<DS_DIHEDRALS>(q, b, to, step, err);
  return s ? s : tally_kind<DS_IMPROPERS>(q, b, to, step, err);
}

ds_status sum_copies(ds_queue *q, const ds_bonded_view *b, int kind, ds_exact_sum *sums, int64_t step, ds_error *err)
{
  auto *const kernel = kind == DS_BONDS       ? copy_sums_kernel<DS_BONDS>
                       : kind == DS_ANGLES    ? copy_sums_kernel<DS_ANGLES>
                       : kind == DS_DIHEDRALS ? copy_sums_kernel<DS_DIHEDRALS>
                                              : copy_sums_kernel<DS_IMPROPERS>;
  return DS_LAUNCH_EACH(err, "sums of copies kernel", kernel, b->natoms - b->own, THREADS, ds_queue_stream(q), *b, sums,
                        ds_queue_launch_id(q, step));
}
}    // namespace

const ds_bonded_stages ds_bonded_stages_cuda = {renumber,   list_entries, choose_images, make_forces,
                                                add_forces, add_up,       tally,         sum_copies};
