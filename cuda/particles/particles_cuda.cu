/* Stages of particles on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/gpu.h"
#include "storage.cuh"

namespace {
enum { THREADS = 256, PACK_THREADS = 128 };

/* ----------------------------------------------------------------------------------------- reading */

/* Of an atom that is further outside than the slack. A function by itself, so that kernels keep few registers. */
__device__ __noinline__ int far_or_misplaced(const ds_frame &frame, double x, double y, double z)
{
  const double lambda[3] = {x, y, z};
  return ds_fraction_ok(&frame, lambda) ? DS_FAR_POSITION : DS_BAD_POSITION;
}

/* Position and type of an own atom; returns what is wrong with it (particles.h). */
template <class S> __device__ __forceinline__ int read_own_position(const ds_atom_source &a, int i, typename S::position *p)
{
  double lambda[3];
  int bad = 0;
  ds_fraction(&a.frame, ds_array_get(&a.x, i, 0), ds_array_get(&a.x, i, 1), ds_array_get(&a.x, i, 2), lambda);
  if (!ds_fraction_near(&a.frame, lambda)) bad = far_or_misplaced(a.frame, lambda[0], lambda[1], lambda[2]);
  if (bad == DS_BAD_POSITION) lambda[0] = lambda[1] = lambda[2] = 0.0; /* any place will do: what follows is stopped */
  int type = (int) ds_array_int(&a.type, i, 0) - 1;
  if (type < 0 || type >= a.ntypes) {
    bad |= DS_BAD_TYPE;
    type = 0;
  }
  *p = S::put(S::locate(a.frame, lambda), type);
  return bad;
}

template <class S>
__device__ __forceinline__ typename S::velocity with_signature(const ds_atom_source &a, int i, double x, double y, double z)
{
  return S::move(x, y, z, ds_signature((uint64_t) ds_array_int(&a.tag, i, 0), (float) x, (float) y, (float) z, a.seed, a.step));
}

/* Where images move, the velocity that the atom has at its place in the box. */
template <class S> __device__ __forceinline__ typename S::velocity read_own_velocity(const ds_atom_source &a, int i)
{
  double v[3] = {ds_array_get(&a.v, i, 0), ds_array_get(&a.v, i, 1), ds_array_get(&a.v, i, 2)};
  if (a.frame.images_move) {
    double lambda[3];
    ds_fraction(&a.frame, ds_array_get(&a.x, i, 0), ds_array_get(&a.x, i, 1), ds_array_get(&a.x, i, 2), lambda);
    const int boxes[3] = {S::boxes(a.frame, 0, lambda[0]), S::boxes(a.frame, 1, lambda[1]), S::boxes(a.frame, 2, lambda[2])};
    ds_velocity_in_box(&a.frame, boxes, v);
  }
  return with_signature<S>(a, i, v[0], v[1], v[2]);
}

/* Returns what is wrong (particles.h) with an own atom, or with a message; v is written where Velocity. */
template <class S, bool Velocity>
__device__ __forceinline__ int read_atom(const ds_atom_source &a, int i, typename S::position *p, typename S::velocity *v)
{
  const bool image = i >= a.nlocal && a.owner;
  const int4 o = image ? __ldg((const int4 *) a.owner + (i - a.nlocal)) : make_int4(i, 0, 0, 0);
  int bad = 0;
  if (o.x >= a.nlocal) {
    const typename S::message m = ((const typename S::message *) a.message)[o.x - a.nlocal];
    const int is_wrong = m.type < 0 || m.type >= a.ntypes;
    const typename S::integers at = {m.x, m.y, m.z};
    if (is_wrong) bad = DS_BAD_TYPE;
    *p = S::put(at, is_wrong ? 0 : m.type);
    if (Velocity) *v = with_signature<S>(a, o.x, m.vx, m.vy, m.vz);
  } else {
    bad = read_own_position<S>(a, o.x, p);
    if (Velocity) *v = read_own_velocity<S>(a, o.x);
  }
  if (image) S::shift(a.frame, p, o.y, o.z, o.w);
  return bad;
}

/* ------------------------------------------------------------------------------------------ ghosts */

/* Instead of an atom that is wrong a message that is no atom is sent: the receiver stops, too. */
template <class S>
__global__ void pack_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *list, int ix,
                            int iy, int iz, typename S::message *out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  typename S::position p;
  typename S::velocity v;
  typename S::message none;
  memset(&none, 0xFF, sizeof none);
  if (ds_stopped(launch) || (read_atom<S, true>(a, list[k], &p, &v) & DS_BAD_ATOM)) {
    out[k] = none;
    return;
  }
  S::shift(a.frame, &p, ix, iy, iz);
  out[k] = {p.x, p.y, p.z, (int32_t) p.w, v.x, v.y, v.z};
}

template <class S>
ds_status pack(ds_particles *p, const ds_atom_source *from, int n, const int32_t *list, const int shift[3], void *to,
               ds_error *err)
{
  return DS_LAUNCH_EACH(err, "pack kernel", pack_kernel<S>, n, PACK_THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), *from, n, list, shift[0], shift[1], shift[2],
                        (typename S::message *) to);
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
  if (bad && i >= a.nlocal && !a.owner) {
    atomicMax(&launch.control->ghost_fault, (uint32_t) (i - a.nlocal) + 1);
    ds_stop(launch);
  }
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

/* Ghosts that have messages have charges in the caller's array, too. */
template <class S>
__global__ void charge_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *atom_of_slot,
                              typename S::real *charge)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n || ds_stopped(launch)) return;
  charge[s] = (typename S::real) ds_array_get(&a.charge, ds_charged_atom(&a, atom_of_slot[s]), 0);
}

template <class S, typename Key>
ds_status launch_keys(ds_particles *p, const ds_grid *grid, void *key, int32_t *number, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  return DS_LAUNCH_EACH(err, "key kernel", (key_kernel<S, Key>), n, THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, *grid, n, (Key *) key, number);
}

template <class S> ds_status keys(ds_particles *p, const ds_grid *grid, void *key, int32_t *number, ds_error *err)
{
  return ds_grid_has_wide_keys(grid) ? launch_keys<S, uint64_t>(p, grid, key, number, err)
                                     : launch_keys<S, uint32_t>(p, grid, key, number, err);
}

template <class S> ds_status gather(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const slot_arrays<S> out = {
      DS_DATA(typename S::position, to->position),           DS_DATA(typename S::velocity, to->velocity),
      p->is_wide ? DS_DATA(int4, to->upper) : NULL,          DS_DATA(int64_t, to->tag),
      how->by_type ? DS_DATA(int32_t, to->list_type) : NULL, how->list};
  const auto kernel = how->new_order                ? gather_kernel<S, true, DS_GATHER_ALL>
                      : how->which == DS_GATHER_ALL ? gather_kernel<S, false, DS_GATHER_ALL>
                      : how->which == DS_GATHER_OWN ? gather_kernel<S, false, DS_GATHER_OWN>
                                                    : gather_kernel<S, false, DS_GATHER_GHOSTS>;
  return DS_LAUNCH_EACH(err, "gather kernel", kernel, how->slots, THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, how->slots, how->atom_of_slot, out);
}

template <class S> ds_status gather_charges(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "charge kernel", charge_kernel<S>, how->slots, THREADS, p->queue->stream,
                        ds_queue_launch_id(p->queue, p->step), p->source, how->slots, how->atom_of_slot,
                        DS_DATA(typename S::real, to->charge));
}

}    // namespace

const ds_particle_stages ds_particle_stages_cuda[DS_PRECISIONS] = {
    {pack<storage32>, keys<storage32>, gather<storage32>, gather_charges<storage32>},
    {pack<storage64>, keys<storage64>, gather<storage64>, gather_charges<storage64>}};
