/* The force kernel (Tang & Karniadakis 2014, 3.3.2 and 3.5), one thread a row.
   SPDX-License-Identifier: GPL-2.0-or-later

   An arithmetic P gives types and functions; the formulas are those of dpdsop/dpd_pair.h. A chunk of a row
   is first searched for pairs within the cutoff, and those are then worked on without the others:
   the pair force is ten times the work of a distance, and in the skin part of the rows only few lanes
   of a warp would have any. Sums are integers, so the order plays no part. */
#ifndef DPDSOP_SWEEP_CUDA_CUH
#define DPDSOP_SWEEP_CUDA_CUH

#include "sweep_cuda.h"
#include "words.cuh"

enum {
  DS_SWEEP_THREADS = 128,
  DS_SWEEP_CHUNK = 32, /* entries searched at a time: bits of a word */
  DS_SUMS = sizeof(ds_dpd_sums) / sizeof(int64_t)
};

template <class P> struct sweep_args {
  ds_sweep_io io;
  const typename P::place *place;
  const typename P::motion *motion;
  const typename P::coeff *coeff;
  typename P::coeff only; /* of the only type, where there is one */
  typename P::real factor[4], root[4];
  typename P::real scale_f, scale_e;
};

/* What is known of the atom of a row. */
template <class P> struct sweep_own {
  typename P::place place;
  typename P::motion motion;
  uint32_t slot;
  const typename P::coeff *coeff; /* with types 0, 1, ... */
};

template <class P> struct sweep_sums {
  typename P::sum force[3], energy, virial[6];
};

template <class P, bool Types>
__device__ __forceinline__ bool is_near(const sweep_args<P> &a, const sweep_own<P> &own,
                                        const typename P::place &q)
{
  typedef typename P::real real;
  real dx, dy, dz;
  const real r2 = P::separate(a.io.frame, own.place, q, &dx, &dy, &dz);
  const real cut2 = Types ? __ldg(&own.coeff[q.w].cut2) : a.only.cut2;
  return (r2 < cut2) & (r2 > (real) DS_CONTACT2);
}

template <class P, bool Types, bool Special, bool General>
__device__ __forceinline__ typename P::term
pair_term(const sweep_args<P> &a, const sweep_own<P> &own, uint32_t entry, typename P::pair *p)
{
  typedef typename P::real real;
  const uint32_t j = entry & DS_INDEX_MASK, code = entry >> DS_INDEX_BITS;
  const typename P::place q = P::read(a.place + j);
  const typename P::motion u = P::read(a.motion + j);
  p->r2 = P::separate(a.io.frame, own.place, q, &p->dx, &p->dy, &p->dz);
  p->vx = own.motion.x - u.x;
  p->vy = own.motion.y - u.y;
  p->vz = own.motion.z - u.z;
  typename P::coeff c = a.only;
  if (Types) P::read(own.coeff + q.w, &c);
  const real noise = P::noise(P::signature(own.motion), P::signature(u));
  return P::term_of(&c, p, noise, Special ? a.factor[code] : (real) 1,
                    Special ? a.root[code] : (real) 1, General, a.scale_f, a.scale_e);
}

template <class P, bool Tally>
__device__ __forceinline__ void add_term(sweep_sums<P> *sum, const typename P::pair &p,
                                         const typename P::term &t)
{
  sum->force[0] += P::round(t.fx);
  sum->force[1] += P::round(t.fy);
  sum->force[2] += P::round(t.fz);
  if (!Tally) return;
  typename P::real w[6];
  P::virial(&p, &t, w);
  sum->energy += P::round(t.energy);
#pragma unroll
  for (int c = 0; c < 6; c++) sum->virial[c] += P::round(w[c]);
}

/* Bit k: entry k of the chunk is within the cutoff. Loads of several entries are under way at once. */
template <class P, bool Types>
__device__ __forceinline__ uint32_t search_chunk(const sweep_args<P> &a, const sweep_own<P> &own,
                                                 const uint32_t *entry, int n)
{
  uint32_t near = 0;
  for (int k = 0; k < n; k += P::ahead) {
    uint32_t j[P::ahead], found = 0;
    typename P::place q[P::ahead];
    /* past the end the atom itself, which is too near to count */
#pragma unroll
    for (int u = 0; u < P::ahead; u++)
      j[u] = k + u < n ? __ldg(entry + (k + u) * 32) & DS_INDEX_MASK : own.slot;
#pragma unroll
    for (int u = 0; u < P::ahead; u++) q[u] = P::read(a.place + j[u]);
#pragma unroll
    for (int u = 0; u < P::ahead; u++) found |= is_near<P, Types>(a, own, q[u]) ? 1u << u : 0;
    near |= found << k;
  }
  return near;
}

__device__ __forceinline__ void report_fault(ds_cuda_report *report, int row, int n)
{
  const unsigned long long key = ~((unsigned long long) row << 32 | (unsigned) n);
  atomicMax((unsigned long long *) &report->force_fault, key);
}

template <class P> __device__ __forceinline__ sweep_own<P> read_own(const sweep_args<P> &a, int row)
{
  sweep_own<P> own;
  own.slot = __ldg(&a.io.row_slot[row]);
  own.place = P::read(a.place + own.slot);
  own.motion = P::read(a.motion + own.slot);
  own.coeff = a.coeff + (size_t) own.place.w * a.io.ntypes;
  return own;
}

__device__ __forceinline__ const uint32_t *first_entry(const ds_sweep_io &io, int row)
{
  return io.entries + (size_t) (row / 32) * 32 * (size_t) io.capacity + row % 32;
}

template <class P, bool Types, bool Special, bool General, bool Tally>
__device__ __forceinline__ void sweep_row(const sweep_args<P> &a, int row, sweep_sums<P> *sum)
{
  const int exists = row < a.io.rows;
  const sweep_own<P> own = read_own(a, exists ? row : 0);
  const int count = exists ? __ldg(&a.io.count[row]) : 0;
  const int most = __reduce_max_sync(0xFFFFFFFFu, count);
  const uint32_t *entry = first_entry(a.io, row);
  for (int first = 0; first < most; first += DS_SWEEP_CHUNK, entry += 32 * DS_SWEEP_CHUNK) {
    const int n = min(count - first, (int) DS_SWEEP_CHUNK);
    uint32_t near = search_chunk<P, Types>(a, own, entry, n);
    __syncwarp();
    while (near) {
      const int k = 31 - __clz((int) near);
      near ^= 1u << k;
      typename P::pair p;
      const typename P::term t =
          pair_term<P, Types, Special, General>(a, own, __ldg(entry + k * 32), &p);
      if (!P::in_range(t)) report_fault(a.io.report, row, first + k);
      add_term<P, Tally>(sum, p, t);
    }
    __syncwarp();
  }
}

__device__ __forceinline__ void put(const ds_sweep_io &io, const ds_array &to, int i, int c,
                                    double value)
{
  if (io.add)
    ds_array_add(&to, i, c, value);
  else
    ((double *) to.data)[i * to.atom_stride + c * to.component_stride] = value;
}

template <class P, bool Tally>
__device__ __forceinline__ void deliver_row(const sweep_args<P> &a, int row,
                                            const sweep_sums<P> &sum)
{
  const ds_sweep_io &io = a.io;
  const int i = (int) __ldg(&io.order[__ldg(&io.row_slot[row])]);
#pragma unroll
  for (int c = 0; c < 3; c++) {
    const int64_t total = P::total(sum.force[c]);
    if (!io.sums) {
      put(io, io.force, i, c, (double) total * io.unit);
      continue;
    }
    io.sums[3 * (size_t) i + c] = (int32_t) total;
    if (total != (int32_t) total) io.report->long_sum = 1;
  }
  if (!Tally) return;
  if (io.energy.data) put(io, io.energy, i, 0, (double) P::total(sum.energy) * io.half_energy);
  if (io.virial.data)
#pragma unroll
    for (int c = 0; c < 6; c++)
      put(io, io.virial, i, c, (double) P::total(sum.virial[c]) * io.half_virial);
}

/* Sums over all rows, in the order of ds_dpd_sums. Integers: the order of the additions plays no part. */
template <class P>
__device__ __forceinline__ void add_up(const sweep_args<P> &a, const sweep_sums<P> &sum)
{
  enum { WARPS = DS_SWEEP_THREADS / 32 };
  __shared__ int64_t space[WARPS][DS_SUMS];
  int64_t part[DS_SUMS] = {0};
  ds_sum_add(part, P::total(sum.energy));
#pragma unroll
  for (int c = 0; c < 6; c++) ds_sum_add(part + 2 + 2 * c, P::total(sum.virial[c]));
#pragma unroll
  for (int c = 0; c < 3; c++) part[14 + c] = P::total(sum.force[c]);
#pragma unroll
  for (int k = 0; k < DS_SUMS; k++) {
    for (int step = 16; step > 0; step /= 2)
      part[k] += (int64_t) __shfl_down_sync(0xFFFFFFFFu, (long long) part[k], step);
    if (threadIdx.x % 32 == 0) space[threadIdx.x / 32][k] = part[k];
  }
  __syncthreads();
  if (threadIdx.x >= DS_SUMS) return;
  int64_t all = 0;
  for (int w = 0; w < WARPS; w++) all += space[w][threadIdx.x];
  atomicAdd((unsigned long long *) &a.io.report->sums + threadIdx.x, (unsigned long long) all);
}

/* Tallies have ten sums a row: fewer warps at a time, but nothing is spilled. */
template <class P, bool Types, bool Special, bool General, bool Tally>
__global__ void __launch_bounds__(DS_SWEEP_THREADS, P::blocks - (Tally ? 2 : 0))
    sweep_kernel(const __grid_constant__ sweep_args<P> a)
{
  const int row = blockIdx.x * DS_SWEEP_THREADS + threadIdx.x;
  sweep_sums<P> sum = {};
  sweep_row<P, Types, Special, General, Tally>(a, row, &sum);
  if (row < a.io.rows) deliver_row<P, Tally>(a, row, sum);
  if (Tally) add_up(a, sum);
}

template <class P> __global__ void name_kernel(const __grid_constant__ sweep_args<P> a)
{
  const unsigned long long key = ~(unsigned long long) a.io.report->force_fault;
  const int row = (int) (key >> 32);
  const uint32_t entry = first_entry(a.io, row)[(size_t) (uint32_t) key * 32];
  const sweep_own<P> own = read_own(a, row);
  typename P::pair p;
  const typename P::term t = pair_term<P, true, true, true>(a, own, entry, &p);
  a.io.report->fault_atom[0] = (int) a.io.order[own.slot];
  a.io.report->fault_atom[1] = (int) a.io.order[entry & DS_INDEX_MASK];
  a.io.report->fault_force =
      sqrt((double) t.fx * t.fx + (double) t.fy * t.fy + (double) t.fz * t.fz) / a.scale_f;
}

/* --------------------------------------------------------------------------------------- driver */

template <class P> sweep_args<P> sweep_arguments(const ds_dpd *dpd, const ds_sweep_io *io)
{
  const ds_cuda_state *c = (const ds_cuda_state *) dpd->state;
  sweep_args<P> a;
  a.io = *io;
  a.place = DS_DATA(typename P::place, c->slot_place);
  a.motion = DS_DATA(typename P::motion, c->slot_motion);
  a.coeff = DS_DATA(typename P::coeff, c->coeff);
  a.only = P::table(dpd->params)[0];
  for (int k = 0; k < 4; k++) {
    a.factor[k] = (typename P::real) P::factor(dpd->params)[k];
    a.root[k] = (typename P::real) P::root(dpd->params)[k];
  }
  a.scale_f = (typename P::real) dpd->params.scales.force;
  a.scale_e = (typename P::real) dpd->params.scales.energy;
  return a;
}

template <class P> using sweep_pointer = void (*)(const sweep_args<P>);

/* A kernel for each combination of what a model may ask for. */
template <class P, bool Types, bool Special, bool General> sweep_pointer<P> sweep_tally(int tally)
{
  return tally ? sweep_kernel<P, Types, Special, General, true>
               : sweep_kernel<P, Types, Special, General, false>;
}

template <class P, bool Types, bool Special> sweep_pointer<P> sweep_general(int general, int tally)
{
  return general ? sweep_tally<P, Types, Special, true>(tally)
                 : sweep_tally<P, Types, Special, false>(tally);
}

template <class P> sweep_pointer<P> sweep_variant(int types, int special, int general, int tally)
{
  if (types)
    return special ? sweep_general<P, true, true>(general, tally)
                   : sweep_general<P, true, false>(general, tally);
  return special ? sweep_general<P, false, true>(general, tally)
                 : sweep_general<P, false, false>(general, tally);
}

template <class P>
ds_status sweep_launch(const ds_dpd *dpd, const ds_sweep_io *io, int tally, ds_error *err)
{
  const ds_cuda_state *c = (const ds_cuda_state *) dpd->state;
  const int special =
      c->special && (c->coded || !c->plain); /* without codes all factors are that of 0 */
  return DS_LAUNCH(
      err, "sweep kernel",
      sweep_variant<P>(dpd->params.ntypes > 1, special, dpd->params.general_power, tally),
      ds_gpu_blocks((size_t) io->rows, DS_SWEEP_THREADS), DS_SWEEP_THREADS, c->stream,
      sweep_arguments<P>(dpd, io));
}

template <class P> ds_status sweep_name(const ds_dpd *dpd, const ds_sweep_io *io, ds_error *err)
{
  const ds_cuda_state *c = (const ds_cuda_state *) dpd->state;
  return DS_LAUNCH(err, "name kernel", name_kernel<P>, 1, 1, c->stream,
                   sweep_arguments<P>(dpd, io));
}

#endif
