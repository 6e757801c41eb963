/* An own atom as a sorted particle, on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SORTED_CUDA_CUH
#define DPDSOP_SORTED_CUDA_CUH

#include "../core/gpu.h"
#include "sorted_fill.h"
#include "storage.cuh"

/* Of an atom that is further outside than the slack. A function by itself, so that kernels keep few registers. */
static __device__ __noinline__ int far_or_misplaced(const ds_frame &frame, double x, double y, double z)
{
  const double lambda[3] = {x, y, z};
  return ds_fraction_ok(&frame, lambda) ? DS_FAR_POSITION : DS_BAD_POSITION;
}

/* Position and type of an own atom at x; returns what is wrong with it (particles.h). Source: ds_atom_source or
   ds_sorted_fill. */
template <class S, class Source>
__device__ __forceinline__ int sorted_position(const Source &a, int i, const double x[3], typename S::position *p)
{
  double lambda[3];
  int bad = 0;
  ds_fraction(&a.frame, x[0], x[1], x[2], lambda);
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

template <class S, class Source>
__device__ __forceinline__ typename S::velocity with_signature(const Source &a, int i, double x, double y, double z)
{
  return S::move(x, y, z, ds_signature((uint64_t) ds_array_int(&a.tag, i, 0), (float) x, (float) y, (float) z, a.seed, a.step));
}

/* Where images move, the velocity that the atom has at its place in the box. */
template <class S, class Source>
__device__ __forceinline__ typename S::velocity sorted_velocity(const Source &a, int i, const double x[3],
                                                                const double of_atom[3])
{
  double v[3] = {of_atom[0], of_atom[1], of_atom[2]};
  if (a.frame.images_move) {
    double lambda[3];
    ds_fraction(&a.frame, x[0], x[1], x[2], lambda);
    const int boxes[3] = {S::boxes(a.frame, 0, lambda[0]), S::boxes(a.frame, 1, lambda[1]), S::boxes(a.frame, 2, lambda[2])};
    ds_velocity_in_box(&a.frame, boxes, v);
  }
  return with_signature<S>(a, i, v[0], v[1], v[2]);
}

static __device__ __forceinline__ void report_atom(const ds_launch_id &launch, int bad, int nlocal, int atom)
{
  if (bad & DS_BAD_POSITION) atomicMax_system(&launch.control->position_fault, (uint32_t) (nlocal - atom));
  if (bad & DS_BAD_TYPE) atomicMax_system(&launch.control->type_fault, (uint32_t) (nlocal - atom));
  ds_stop(launch);
}

/* Once per list: it has been kept longer than it is good for. */
static __device__ __forceinline__ void report_outlived_list(const ds_launch_id &launch, uint32_t list)
{
  if (atomicExch_system(&launch.control->outlived_list, list) != list) atomicAdd_system(&launch.control->outlived_lists, 1);
}

static __device__ __forceinline__ void report_other_types(const ds_launch_id &launch)
{
  launch.control->other_types = 1;
  ds_stop(launch);
}

/* Of the sweep to come; one block calls it. */
static __device__ __forceinline__ void clear_sweep_sums(const ds_sorted_fill &to)
{
  const unsigned words = DS_SUM_SETS * sizeof(ds_sweep_sums) / sizeof(int64_t);
  for (unsigned k = threadIdx.x; k < words; k += blockDim.x) ((int64_t *) to.sums)[k] = 0;
}

template <class S>
__device__ __forceinline__ void fill_sorted_in(const ds_sorted_fill &to, const ds_launch_id &launch, int i, const double x[3],
                                             const double v[3])
{
  uint32_t readers;
  const int slot = ds_find_slot(to.copies, to.slot_of_atom[i], &readers);
  typename S::position p;
  const int found = sorted_position<S>(to, i, x, &p), bad = found & DS_BAD_ATOM;
  if (found & DS_FAR_POSITION) report_outlived_list(launch, to.list);
  if (bad) report_atom(launch, bad, to.nlocal, i);
  ds_write_copies(to.copies, to.copies.stride, readers, (typename S::position *) to.position, slot, p);
  ds_write_copies(to.copies, to.copies.stride, readers, (typename S::velocity *) to.velocity, slot,
                  sorted_velocity<S>(to, i, x, v));
  if (to.list_type && to.list_type[slot] != (int32_t) p.w) report_other_types(launch);
}

#endif
