/* Stages of particles on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/gpu.h"
#include "atom_source.cuh"
#include "particles.h"

namespace {
enum { THREADS = 256, PACK_THREADS = 128 };

/* -------------------------------------------------------------------- special partners and exclusions */

__global__ void special_kernel(ds_array counts, ds_array partners, int n, int most, int32_t *out_count, int64_t *out_tag)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int last = 0;
  for (int c = 0; c < 3; c++) {
    last = max(last, min((int32_t) ds_array_int(&counts, i, c), most)); /* counts never decrease: all are read */
    out_count[3 * (size_t) i + c] = last;
  }
  for (int c = 0; c < last; c++) out_tag[(size_t) most * i + c] = ds_array_int(&partners, i, c);
}

__global__ void group_kernel(ds_array mask, ds_array molecule, int n, int32_t *out_mask, int64_t *out_molecule)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out_mask[i] = (int32_t) ds_array_int(&mask, i, 0);
  out_molecule[i] = molecule.data ? ds_array_int(&molecule, i, 0) : 0;
}

ds_status copy_special(ds_particles *p, const ds_array *counts, const ds_array *partners, ds_error *err)
{
  const int n = p->source.nlocal;
  return DS_LAUNCH_EACH(err, "special kernel", special_kernel, n, THREADS, p->queue->stream, *counts, *partners, n,
                        p->special.max_special, DS_DATA(int32_t, p->special_counts.data),
                        DS_DATA(int64_t, p->special_partners.data));
}

ds_status copy_groups(ds_particles *p, const ds_array *mask, const ds_array *molecule, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  return DS_LAUNCH_EACH(err, "group kernel", group_kernel, n, THREADS, p->queue->stream, *mask, *molecule, n,
                        DS_DATA(int32_t, p->mask.data), DS_DATA(int64_t, p->molecule.data));
}

/* ------------------------------------------------------------------------------------------ ghosts */

/* Instead of an atom that is wrong a message that is no atom is sent: the receiver stops, too. */
template <class S>
__global__ void pack_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *list, int ix,
                            int iy, int iz, uint32_t *out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  uint32_t *const message = out + (size_t) k * S::message_words;
  typename S::position p;
  typename S::velocity v;
  if (ds_stopped(launch) || (read_atom<S, true>(a, list[k], &p, &v) & DS_BAD_ATOM)) {
    for (int w = 0; w < S::message_words; w++) message[w] = ~0u;
    return;
  }
  S::shift(a.frame, &p, ix, iy, iz);
  S::write_message(message, p, v);
}

template <class S> ds_status pack(ds_particles *p, const ds_packing *w, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "pack kernel", pack_kernel<S>, w->n, PACK_THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, w->n, w->list, w->shift[0], w->shift[1], w->shift[2],
                        (uint32_t *) w->out);
}

/* -------------------------------------------------------------------------------- keys and gather */

/* Bad atoms are reported when they are gathered. */
template <class S, typename Key>
__global__ void key_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, ds_grid grid, int n, Key *key,
                           int32_t *value)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || ds_stopped(launch)) return;
  typename S::position p;
  typename S::velocity ignored;
  read_atom<S, false>(a, i, &p, &ignored);
  const int4 upper = S::upper(p);
  const ds_position at = {upper.x, upper.y, upper.z};
  key[i] = (Key) ds_grid_key(&grid, at);
  value[i] = i;
}

/* Arrays by slot. */
template <class S> struct slot_arrays {
  typename S::position *position;
  typename S::velocity *velocity;
  int4 *upper;        /* NULL: position itself is what lists are built from */
  int64_t *tag;       /* written where the order is new */
  int32_t *list_type; /* NULL: lists do not depend on types */
  uint32_t list;      /* number of the list that is in use, from 1 on */
};

__device__ __forceinline__ void report_atom(const ds_launch_id &launch, int bad, int nlocal, int atom)
{
  if (bad & DS_BAD_POSITION) atomicMax(&launch.control->position_fault, (uint32_t) (nlocal - atom));
  if (bad & DS_BAD_TYPE) atomicMax(&launch.control->type_fault, (uint32_t) (nlocal - atom));
  ds_stop(launch);
}

/* Once per list: it has been kept longer than it is good for. */
__device__ __forceinline__ void report_outlived_list(const ds_launch_id &launch, uint32_t list)
{
  if (atomicExch(&launch.control->outlived_list, list) != list) atomicAdd(&launch.control->outlived_lists, 1);
}

__device__ __forceinline__ void report_ghost(const ds_launch_id &launch, int ghost)
{
  atomicMax(&launch.control->ghost_fault, (uint32_t) ghost + 1);
  ds_stop(launch);
}

template <class S, bool NewOrder, ds_gathered Which>
__global__ void gather_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *atom_of_slot,
                              slot_arrays<S> out)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n || ds_stopped(launch)) return;
  const int i = atom_of_slot[s];
  if (Which != DS_GATHER_ALL && (i >= a.nlocal) != (Which == DS_GATHER_GHOSTS)) return;
  typename S::position p;
  typename S::velocity v;
  const int found = read_atom<S, true>(a, i, &p, &v), bad = found & DS_BAD_ATOM;
  if ((found & DS_FAR_POSITION) && i < a.nlocal) report_outlived_list(launch, out.list);
  if (bad && i < a.nlocal) report_atom(launch, bad, a.nlocal, i);
  if (bad && i >= a.nlocal && !a.owner) report_ghost(launch, i - a.nlocal);
  out.position[s] = p;
  out.velocity[s] = v;
  if (NewOrder) {
    out.tag[s] = ds_array_int(&a.tag, i, 0);
    if (out.upper) out.upper[s] = S::upper(p);
    if (out.list_type) out.list_type[s] = (int32_t) p.w;
  } else if (out.list_type && out.list_type[s] != (int32_t) p.w) {
    launch.control->other_types = 1;
    ds_stop(launch);
  }
}

template <class S, typename Key> ds_status launch_keys(ds_particles *p, const ds_keys *k, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  return DS_LAUNCH_EACH(err, "key kernel", (key_kernel<S, Key>), n, THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, *k->grid, n, (Key *) k->key, k->value);
}

template <class S> ds_status keys(ds_particles *p, const ds_keys *k, ds_error *err)
{
  return ds_grid_has_wide_keys(k->grid) ? launch_keys<S, uint64_t>(p, k, err) : launch_keys<S, uint32_t>(p, k, err);
}

template <class S> ds_status gather(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const slot_arrays<S> out = {
      DS_DATA(typename S::position, to->position),           DS_DATA(typename S::velocity, to->velocity),
      p->source.storage64 ? DS_DATA(int4, to->upper) : NULL, DS_DATA(int64_t, to->tag),
      how->by_type ? DS_DATA(int32_t, to->list_type) : NULL, how->list};
  const auto kernel = how->new_order                ? gather_kernel<S, true, DS_GATHER_ALL>
                      : how->which == DS_GATHER_ALL ? gather_kernel<S, false, DS_GATHER_ALL>
                      : how->which == DS_GATHER_OWN ? gather_kernel<S, false, DS_GATHER_OWN>
                                                    : gather_kernel<S, false, DS_GATHER_GHOSTS>;
  return DS_LAUNCH_EACH(err, "gather kernel", kernel, how->slots, THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, how->slots, how->atom_of_slot, out);
}

}    // namespace

const ds_particle_stages ds_particle_stages_cuda[2] = {
    {copy_special, copy_groups, pack<storage32>, keys<storage32>, gather<storage32>},
    {copy_special, copy_groups, pack<storage64>, keys<storage64>, gather<storage64>}};
