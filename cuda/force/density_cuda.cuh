/* The sweep of densities on the GPU, one thread per row, before that of forces.   SPDX-License-Identifier: GPL-2.0-or-later

   A weight costs no more than a branch that only few lanes of a warp would take, so it is made for all entries. Sums are
   integers, as those of forces are. */
#ifndef DPDSOP_DENSITY_CUDA_CUH
#define DPDSOP_DENSITY_CUDA_CUH

#include "sweep_cuda.cuh"

template <class E> struct density_args {
  sweep_args<E> sweep;
  typename E::real *of_slot;
  double *of_atom;
  double unit;
  typename E::real scale;
  const int32_t *owner;
  uint32_t counts; /* bit of a special code: its pairs count */
};

/* Entries are four at a time; those past the end are the atom itself, which has no part in its own density. */
template <class E, bool Types>
__device__ __forceinline__ int64_t density_terms(const density_args<E> &d, const sweep_own<E> &own, int row, const uint4 &four)
{
  typedef typename E::real real;
  const sweep_args<E> &a = d.sweep;
  const uint32_t entry[4] = {four.x, four.y, four.z, four.w};
  typename E::storage::position q[4];
  int64_t sum = 0;
#pragma unroll
  for (int u = 0; u < 4; u++) q[u] = ds_read_wide(a.position + (entry[u] & DS_INDEX_MASK));
#pragma unroll
  for (int u = 0; u < 4; u++) {
    real dx, dy, dz;
    const real r2 = E::find_separation(a.io.frame, own.position, q[u], &dx, &dy, &dz);
    const typename E::coefficients *const c = Types ? a.coeff + own.coeff + (int) q[u].w : &a.only;
    bool near = (r2 < c->rho_cut2) & ((int) (entry[u] & DS_INDEX_MASK) != row);
    if (Types) near &= (bool) (d.counts >> (entry[u] >> DS_INDEX_BITS) & 1);
    sum += E::round(near ? E::density(c, r2, d.scale) : (real) 0);
  }
  return sum;
}

template <class E, bool Types>
__global__ void __launch_bounds__(DS_SWEEP_THREADS) density_kernel(const __grid_constant__ density_args<E> d)
{
  const sweep_args<E> &a = d.sweep;
  const int row = (int) ds_block(a.launch) * DS_SWEEP_THREADS + (int) threadIdx.x;
  if (row >= a.io.list.slots || ds_stopped(a.launch)) return;
  const int atom = __ldg(&a.io.list.atom_of_slot[row]);
  if (atom >= a.io.nlocal) return;
  const sweep_own<E> own = read_own(a, row);
  const int count = __ldg(&a.io.list.count[row]);
  const uint4 *entry = (const uint4 *) a.io.list.entries + (count > 0 ? __ldg(&a.io.list.first[row]) : 0);
  int64_t sum = 0;
  for (int k = 0; k < count; k += 4, entry += 32) sum += density_terms<E, Types>(d, own, row, __ldg(entry));
  const double value = (double) sum * d.unit;
  d.of_slot[row] = (typename E::real) value;
  d.of_atom[atom] = value;
}

/* Slots of ghosts. */
template <class E> __global__ void spread_kernel(const __grid_constant__ density_args<E> d)
{
  const sweep_args<E> &a = d.sweep;
  const int slot = (int) ds_block(a.launch) * DS_SWEEP_THREADS + (int) threadIdx.x;
  if (slot >= a.io.list.slots || ds_stopped(a.launch)) return;
  const int atom = __ldg(&a.io.list.atom_of_slot[slot]);
  const ds_sweep_densities from = {d.of_slot, d.of_atom, d.unit, d.owner};
  if (atom >= a.io.nlocal) d.of_slot[slot] = (typename E::real) d.of_atom[ds_density_source(&from, a.io.nlocal, atom)];
}

template <class E> density_args<E> density_arguments(const ds_evaluation *e)
{
  const ds_sweep_densities *const d = &e->densities;
  density_args<E> a = {sweep_arguments<E>(e), (typename E::real *) d->of_slot,      d->of_atom, d->unit,
                       (typename E::real) e->tables->density_scale, d->owner, 0};
  for (int code = 0; code < 4; code++) a.counts |= e->tables->special[code] != 0.0 ? 1u << code : 0;
  return a;
}

template <class E> ds_status density_launch(ds_evaluation *e, ds_error *err)
{
  const bool types = e->tables->ntypes > 1 || e->special;
  return DS_LAUNCH_STAGE(err, "density kernel", (types ? density_kernel<E, true> : density_kernel<E, false>), e->io.list.slots,
                         DS_SWEEP_THREADS, e->queue, density_arguments<E>(e));
}

template <class E> ds_status spread_launch(ds_evaluation *e, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "kernel of ghosts' densities", spread_kernel<E>, e->io.list.slots, DS_SWEEP_THREADS, e->queue,
                         density_arguments<E>(e));
}

/* All stages of a style. */
template <class E> constexpr ds_force_stages force_stages()
{
  if constexpr (E::has_density)
    return {sweep_launch<E>, identify_launch<E>, density_launch<E>, spread_launch<E>};
  else
    return {sweep_launch<E>, identify_launch<E>, NULL, NULL};
}

#endif
