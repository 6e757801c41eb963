/* Stages of particles on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/launch.cuh"
#include "sorted_cuda.cuh"

namespace {
enum { THREADS = 256, PACK_THREADS = 128 };

/* ----------------------------------------------------------------------------------------- reading */

__device__ __forceinline__ void read_vector(const ds_array &from, int i, double to[3])
{
  for (int d = 0; d < 3; d++) to[d] = ds_array_get(&from, i, d);
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
    double at[3], velocity[3];
    read_vector(a.x, o.x, at);
    bad = sorted_position<S>(a, o.x, at, p);
    if (Velocity) {
      read_vector(a.v, o.x, velocity);
      *v = sorted_velocity<S>(a, o.x, at, velocity);
    }
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
  return DS_LAUNCH_EACH(err, "pack kernel", pack_kernel<S>, n, PACK_THREADS, ds_queue_stream(p->queue),
                        ds_queue_launch_id(p->queue, p->step), *from, n, list, shift[0], shift[1], shift[2],
                        (typename S::message *) to);
}

/* ------------------------------------------------------------------------------ places and gather */

/* Bad atoms are reported when they are gathered. */
template <class S>
__global__ void place_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a,
                             const __grid_constant__ ds_placing to, int n)
{
  const int i = ds_block(launch) * blockDim.x + threadIdx.x;
  if (i >= n || ds_stopped(launch)) return;
  typename S::position p;
  typename S::velocity ignored;
  read_atom<S, false>(a, i, &p, &ignored);
  const int4 upper = S::upper(p);
  const ds_position at = {upper.x, upper.y, upper.z};
  ds_note_place(to, launch.share.gpu, i, at);
}

/* Arrays by slot. */
template <class S> struct slot_arrays {
  typename S::position *position;
  typename S::velocity *velocity;
  ds_copies copies;
  size_t upper_stride; /* of copies of `upper` */
  int4 *upper;        /* NULL: position itself is what lists are built from */
  int64_t *tag;       /* written where the order is new */
  int32_t *list_type; /* NULL: lists do not depend on types */
  uint32_t list;      /* number of the list that is in use, from 1 on */
};

template <class S, bool NewOrder, ds_gathered Which>
__global__ void gather_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *atom_of_slot,
                              ds_ranking ranking, slot_arrays<S> out)
{
  const int k = ds_block(launch) * blockDim.x + threadIdx.x;
  if (k >= n || ds_stopped(launch)) return;
  int i;
  const int s = NewOrder ? ds_rank(ranking, launch.share.gpu, k, &i) : k;
  if (!NewOrder) i = atom_of_slot[s];
  if (Which != DS_GATHER_ALL && (i >= a.nlocal) != (Which == DS_GATHER_GHOSTS)) return;
  typename S::position p;
  typename S::velocity v;
  const int found = read_atom<S, true>(a, i, &p, &v), bad = found & DS_BAD_ATOM;
  if ((found & DS_FAR_POSITION) && i < a.nlocal) report_outlived_list(launch, out.list);
  if (bad && i < a.nlocal) report_atom(launch, bad, a.nlocal, i);
  if (bad && i >= a.nlocal && !a.owner) {
    atomicMax_system(&launch.control->ghost_fault, (uint32_t) (i - a.nlocal) + 1);
    ds_stop(launch);
  }
  const uint32_t readers = NewOrder ? ds_readers_of_member(ranking, launch.share.gpu, k) : ds_readers_of(out.copies, s);
  ds_write_copies(out.copies, out.copies.stride, readers, out.position, s, p);
  ds_write_copies(out.copies, out.copies.stride, readers, out.velocity, s, v);
  if (NewOrder) {
    if (out.copies.readers) {
      out.copies.readers[s] = readers;
      ranking.slot_of_atom[i] = ds_mark_slot(s, readers);
    }
    out.tag[s] = ds_array_int(&a.tag, i, 0);
    if (out.upper) ds_write_copies(out.copies, out.upper_stride, readers, out.upper, s, S::upper(p));
    if (out.list_type) out.list_type[s] = (int32_t) p.w;
  } else if (out.list_type && out.list_type[s] != (int32_t) p.w) {
    report_other_types(launch);
  }
}

/* Ghosts that have messages have charges in the caller's array, too. An atom that had no charge, and was left out of a list for
   that reason, must not get one unnoticed. */
template <class S>
__global__ void charge_kernel(ds_launch_id launch, const __grid_constant__ ds_atom_source a, int n, const int32_t *atom_of_slot,
                              int may_be_left_out, typename S::real *charge)
{
  const int s = ds_block(launch) * blockDim.x + threadIdx.x;
  if (s >= n || ds_stopped(launch)) return;
  const typename S::real q = (typename S::real) ds_array_get(&a.charge, ds_charged_atom(&a, atom_of_slot[s]), 0);
  if (may_be_left_out && charge[s] == (typename S::real) 0 && q != (typename S::real) 0) report_other_types(launch);
  charge[s] = q;
}

template <class S> ds_status place(ds_particles *p, const ds_placing *to, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  return DS_LAUNCH_STAGE(err, "place kernel", place_kernel<S>, n, THREADS, p->queue,
                        ds_queue_launch_id(p->queue, p->step), p->source, *to, n);
}

template <class S> ds_status gather(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const slot_arrays<S> out = {
      DS_DATA(typename S::position, to->position),           DS_DATA(typename S::velocity, to->velocity),
      how->copies,                                           ds_copy_stride(p->queue, &to->upper, sizeof(int4)),
      p->is_wide ? DS_DATA(int4, to->upper) : NULL,          DS_DATA(int64_t, to->tag),
      how->by_type ? DS_DATA(int32_t, to->list_type) : NULL, how->list};
  const auto kernel = how->new_order                ? gather_kernel<S, true, DS_GATHER_ALL>
                      : how->which == DS_GATHER_ALL ? gather_kernel<S, false, DS_GATHER_ALL>
                      : how->which == DS_GATHER_OWN ? gather_kernel<S, false, DS_GATHER_OWN>
                                                    : gather_kernel<S, false, DS_GATHER_GHOSTS>;
  return DS_LAUNCH_STAGE(err, "gather kernel", kernel, how->slots, THREADS, p->queue,
                        ds_queue_launch_id(p->queue, p->step), p->source, how->slots, how->atom_of_slot, how->ranking, out);
}

template <class S> ds_status gather_charges(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "charge kernel", charge_kernel<S>, how->slots, THREADS, p->queue,
                        ds_queue_launch_id(p->queue, p->step), p->source, how->slots, how->atom_of_slot,
                        !how->new_order && how->by_charge, DS_DATA(typename S::real, to->charge));
}

}    // namespace

const ds_particle_stages ds_particle_stages_cuda[DS_PRECISIONS] = {
    {pack<storage32>, place<storage32>, gather<storage32>, gather_charges<storage32>},
    {pack<storage64>, place<storage64>, gather<storage64>, gather_charges<storage64>}};
