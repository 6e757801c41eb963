/* From the caller's arrays to keys and to atoms by slot.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "atom_source.cuh"

enum { DS_THREADS = 256 };

/* Bad atoms are reported when they are put into slots. */
template <class S, typename Key>
__global__ void key_kernel(ds_launch_id launch, const __grid_constant__ atom_source<S> a, ds_grid grid,
                           int n, Key *key, int32_t *value)
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
  int4 *upper;            /* NULL: position itself is what lists are built from */
  int64_t *tag;           /* written where the order is new */
  int32_t *list_type;     /* NULL: lists do not depend on types */
  int32_t *slot_of_ghost; /* written where the order is new */
  uint32_t list;          /* number of the list that is in use, from 1 on */
};

__device__ __forceinline__ void report_atom(const ds_launch_id &launch, int bad, int nlocal, int atom)
{
  if (bad & DS_BAD_POSITION) atomicMax(&launch.control->position_fault, (uint32_t) (nlocal - atom));
  if (bad & DS_BAD_TYPE) atomicMax(&launch.control->type_fault, (uint32_t) (nlocal - atom));
  ds_stop(launch);
}

/* Once per list: it has been kept longer than it is good for. */
__device__ __forceinline__ void report_far(const ds_launch_id &launch, uint32_t list)
{
  if (atomicExch(&launch.control->outlived_list, list) != list)
    atomicAdd(&launch.control->outlived_lists, 1);
}

__device__ __forceinline__ void report_ghost(const ds_launch_id &launch, int ghost)
{
  atomicMax(&launch.control->ghost_fault, (uint32_t) ghost + 1);
  ds_stop(launch);
}

/* One thread per slot, or, for the ghosts alone, per ghost. */
template <class S, bool Fresh, ds_gathered Which>
__global__ void gather_kernel(ds_launch_id launch, const __grid_constant__ atom_source<S> a, int n,
                              const int32_t *atom_of_slot, slot_arrays<S> out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n || ds_stopped(launch)) return;
  const int s = Which == DS_GATHER_GHOSTS ? out.slot_of_ghost[k] : k;
  const int i = Which == DS_GATHER_GHOSTS ? a.nlocal + k : atom_of_slot[k];
  if (Which == DS_GATHER_OWN && i >= a.nlocal) return;
  typename S::position p;
  typename S::velocity v;
  const int found = read_atom<S, true>(a, i, &p, &v), bad = found & DS_BAD_ATOM;
  if ((found & DS_FAR_POSITION) && i < a.nlocal) report_far(launch, out.list);
  if (bad && i < a.nlocal) report_atom(launch, bad, a.nlocal, i);
  if (bad && i >= a.nlocal && !a.owner) report_ghost(launch, i - a.nlocal);
  out.position[s] = p;
  out.velocity[s] = v;
  if (Fresh) {
    out.tag[s] = ds_array_int(&a.tag, i, 0);
    if (i >= a.nlocal) out.slot_of_ghost[i - a.nlocal] = s;
    if (out.upper) out.upper[s] = S::upper(p);
    if (out.list_type) out.list_type[s] = (int32_t) p.w;
  } else if (out.list_type && out.list_type[s] != (int32_t) p.w) {
    launch.control->other_types = 1;
    ds_stop(launch);
  }
}

/* ------------------------------------------------------------------------------------------ driver */

template <class S, typename Key>
static ds_status keys(ds_atoms_cuda *a, const ds_grid *grid, void *key, int32_t *value,
                      ds_error *err)
{
  const int n = a->nlocal + a->nghost;
  return DS_LAUNCH(err, "key kernel", (key_kernel<S, Key>), ds_gpu_blocks((size_t) n, DS_THREADS),
                   DS_THREADS, a->stream->stream, ds_queue_launch_id(a->stream, a->step),
                   source_of<S>(a), *grid, n, (Key *) key, value);
}

ds_status ds_atoms_cuda_keys(ds_atoms_cuda *a, const ds_grid *grid, void *key, int wide,
                             int32_t *value, ds_error *err)
{
  if (a->storage64)
    return wide ? keys<storage64, uint64_t>(a, grid, key, value, err)
                : keys<storage64, uint32_t>(a, grid, key, value, err);
  return wide ? keys<storage32, uint64_t>(a, grid, key, value, err)
              : keys<storage32, uint32_t>(a, grid, key, value, err);
}

template <class S>
static ds_status gather(ds_atoms_cuda *a, ds_slots_cuda *slots, const int32_t *atom_of_slot, int n,
                        ds_gathered which, int fresh, int by_type, ds_error *err)
{
  const slot_arrays<S> out = {DS_DATA(typename S::position, slots->position),
                              DS_DATA(typename S::velocity, slots->velocity),
                              a->storage64 ? DS_DATA(int4, slots->upper) : NULL,
                              DS_DATA(int64_t, slots->tag),
                              by_type ? DS_DATA(int32_t, slots->list_type) : NULL,
                              DS_DATA(int32_t, slots->slot_of_ghost),
                              slots->list};
  const auto kernel = fresh                    ? gather_kernel<S, true, DS_GATHER_ALL>
                      : which == DS_GATHER_ALL ? gather_kernel<S, false, DS_GATHER_ALL>
                      : which == DS_GATHER_OWN ? gather_kernel<S, false, DS_GATHER_OWN>
                                               : gather_kernel<S, false, DS_GATHER_GHOSTS>;
  const int threads = which == DS_GATHER_GHOSTS ? a->nghost : n;
  return DS_LAUNCH(err, "gather kernel", kernel, ds_gpu_blocks((size_t) threads, DS_THREADS),
                   DS_THREADS, a->stream->stream, ds_queue_launch_id(a->stream, a->step),
                   source_of<S>(a), threads, atom_of_slot, out);
}

ds_status ds_atoms_cuda_gather(ds_atoms_cuda *a, ds_slots_cuda *slots, const int32_t *atom_of_slot,
                               int n, ds_gathered which, int fresh, int by_type, ds_error *err)
{
  ds_pool *const pool = &a->stream->memory;
  const size_t room = (size_t) n + 1, words = a->storage64 ? 32 : 16;
  ds_status s = ds_reserve(pool, &slots->position, room, words, "sorted positions", err);
  if (!s) s = ds_reserve(pool, &slots->velocity, room, words, "sorted velocities", err);
  if (!s && a->storage64)
    s = ds_reserve(pool, &slots->upper, room, sizeof(int4), "sorted positions", err);
  if (!s) s = ds_reserve(pool, &slots->tag, room, sizeof(int64_t), "sorted atom IDs", err);
  if (!s && by_type)
    s = ds_reserve(pool, &slots->list_type, room, sizeof(int32_t), "types of the list", err);
  if (!s)
    s = ds_reserve(pool, &slots->slot_of_ghost, (size_t) a->nghost + 1, sizeof(int32_t),
                   "slots of ghosts", err);
  if (!s) s = ds_atoms_cuda_send_messages(a, err);
  if (s) return s;
  ds_timer_begin(&a->stream->timer, DS_STAGE_GATHER, a->stream->stream);
  s = a->storage64 ? gather<storage64>(a, slots, atom_of_slot, n, which, fresh, by_type, err)
                   : gather<storage32>(a, slots, atom_of_slot, n, which, fresh, by_type, err);
  ds_timer_end(&a->stream->timer, DS_STAGE_GATHER, a->stream->stream);
  return s;
}
