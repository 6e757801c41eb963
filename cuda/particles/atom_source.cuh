/* An atom by the caller's number, read in a kernel.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ATOM_SOURCE_CUH
#define DPDSOP_ATOM_SOURCE_CUH

#include "dpdsop/device/signature.h"
#include "host_reader.h"
#include "storage.cuh"

/* Of an atom that is further outside than the slack. A function by itself, so that kernels keep few registers. */
static __device__ __noinline__ int far_or_misplaced(const ds_frame &frame, double x, double y, double z)
{
  const double lambda[3] = {x, y, z};
  return ds_fraction_ok(&frame, lambda) ? DS_FAR_POSITION : DS_BAD_POSITION;
}

/* Position and type of an own atom; returns what is wrong with it (quantize.h). */
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

/* Returns what is wrong (quantize.h) with an own atom, or with a message; v is written where Velocity. */
template <class S, bool Velocity>
__device__ __forceinline__ int read_atom(const ds_atom_source &a, int i, typename S::position *p, typename S::velocity *v)
{
  const bool image = i >= a.nlocal && a.owner;
  const int4 o = image ? __ldg((const int4 *) a.owner + (i - a.nlocal)) : make_int4(i, 0, 0, 0);
  int bad = 0;
  if (o.x >= a.nlocal) {
    typename S::real u[3];
    S::read_message((const uint32_t *) a.message + (size_t) (o.x - a.nlocal) * S::message_words, p, u);
    if (p->w < 0 || p->w >= a.ntypes) {
      bad = DS_BAD_TYPE;
      p->w = 0;
    }
    if (Velocity) *v = with_signature<S>(a, o.x, u[0], u[1], u[2]);
  } else {
    bad = read_own_position<S>(a, o.x, p);
    if (Velocity) *v = read_own_velocity<S>(a, o.x);
  }
  if (image) S::shift(a.frame, p, o.y, o.z, o.w);
  return bad;
}

#endif
