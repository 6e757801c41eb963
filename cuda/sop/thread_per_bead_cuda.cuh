/* One thread per bead, where there are so many beads that teams would only take turns.
   SPDX-License-Identifier: GPL-2.0-or-later

   Inner rows of the 32 beads of a warp are interleaved by fours: the warp reads 32 fours from one place. Rows of bonded pairs,
   which do not change in a launch, are in shared memory where no thread has more than one bead and they have room.

   Not done, as each was slower; of 115,140 beads an H200 makes a step in 24.5 us:
   - beads in the order of the lengths of their rows, so that the threads of a warp end together: fewer instructions, but more
     lines of the cache per warp;
   - rows dealt evenly to the lanes, with sums in shared memory: a fifth fewer instructions, 25.4 us;
   - the same, with coordinates of the block's beads and of their partners in shared memory: 26.4 us;
   - outer rows interleaved like the inner ones: 25.3 us. */
#ifndef DPDSOP_SOP_THREAD_PER_BEAD_CUDA_CUH
#define DPDSOP_SOP_THREAD_PER_BEAD_CUDA_CUH

#include "bead_step_cuda.cuh"

/* The row of bonded pairs of a bead. */
struct bonded_row {
  const int4 *entry;
  int count;
};

__device__ __forceinline__ bonded_row bonded_of(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, int bead)
{
  const int local = bead - molecule_of(m, bead) * m.beads, first = l.bonded_first[local];
  const bonded_row r = {l.bonded + first, l.bonded_first[local + 1] - first};
  return r;
}

extern __shared__ __align__(16) char more_memory[];

/* The same in shared memory, where the block's beads, one per thread, follow each other, and so do their rows. The block meets
   in it. */
__device__ __forceinline__ bonded_row bring_bonded(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, int beads)
{
  const int first = blockIdx.x * blockDim.x, bead = first + threadIdx.x;
  bonded_row r = {NULL, 0};
  if (bead < beads) {
    const int from = molecule_of(m, first), to = molecule_of(m, bead);
    int4 *const here = (int4 *) more_memory + (to - from) * l.bonded_entries + l.bonded_first[bead - to * m.beads] -
                       l.bonded_first[first - from * m.beads];
    r = bonded_of(m, l, bead);
    for (int k = 0; k < r.count; k++) here[k] = r.entry[k];
    r.entry = here;
  }
  __syncthreads();
  return r;
}

/* Bonded pairs stand in the order of their kinds. */
__device__ __forceinline__ void add_bonded_by_thread(const ds_sop_kernel_motion &m, const int4 *x, int4 own, int base,
                                                     bonded_row row, pair_force &sum, int *fault)
{
  int4 e = make_int4(0, 0, 0, 0);
  int left = row.count;
  if (left > 0) e = *row.entry;
#pragma unroll
  for (uint32_t kind = DS_SOP_BONDS; kind < DS_SOP_LISTED; kind++)
    while (left > 0 && (uint32_t) e.x >> 30 == kind) {
      const int4 partner = x[base + (e.x & DS_INDEX_MASK)], now = e;
      if (--left > 0) e = *++row.entry;
      add_bonded(m, own, partner, make_int4((int) (kind << 30), now.y, now.z, now.w), sum, fault);
    }
}

/* A half step of a bead, of which `normal` are the normal numbers. Returns flags. */
template <int ORDER, bool HasPulls>
__device__ __forceinline__ int step_by_thread(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const phase &p,
                                              int bead, bonded_row bonded, const float normal[3])
{
  const int base = molecule_of(m, bead) * m.beads;
  const int4 own = p.x[bead];
  const int4 *const row = inner_row<true>(l, bead);
  const int fours = (l.inner_count[bead] + AT_ONCE - 1) / AT_ONCE;
  int4 next[2]; /* two fours are on their way meanwhile */
  pair_force sum = {0, 0, 0};
  int fault = 0;
  for (int k = 0; k < 2; k++) next[k] = k < fours ? row[32 * k] : make_int4(bead, bead, bead, bead);
  add_bonded_by_thread(m, p.x, own, base, bonded, sum, &fault);
  for (int k = 0; k < fours; k++) {
    const int4 four = next[0];
    next[0] = next[1];
    if (k + 2 < fours) next[1] = row[32 * (k + 2)];
    add_four(m, p.x, own, bead, four, sum, &fault);
  }
  if (fault) {
    report_fault(m, ORDER, p.step, p.half, molecule_of(m, bead));
    return DS_SOP_FLAG_FAULT;
  }
  const int32_t force[3] = {sum.x, sum.y, sum.z};
  float moved[3];
#pragma unroll
  for (int c = 0; c < 3; c++) {
    own_component o = load_component(m, l, p.position, bead, c, ORDER == 2 && p.half, false);
    int32_t x;
    if (ORDER == 1 || p.half == 0) o.normal = normal[c];
    fault |= move_component<ORDER, false, HasPulls>(m, l, p, bead, c, force[c], o, &x);
    moved[c] = (float) ds_diff32(x, o.reference);
  }
  if (fault) {
    report_fault(m, ORDER, p.step, p.half, DS_SOP_FAULT_FAR | bead);
    return DS_SOP_FLAG_FAULT;
  }
  return ds_squaref(moved[0], moved[1], moved[2]) <= l.near_moved2 ? 0 : DS_SOP_FLAG_NEAR;
}

#endif
