/* Free beads on the GPU: a thread per bead makes all steps.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "noise_cuda.cuh"

/* A step without forces of eq. 1; both halves of one of second order are the same. */
template <class Noise, int ORDER> __global__ void sop_free(ds_sop_kernel_motion m, size_t begin, size_t end)
{
  const size_t bead = begin + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (bead >= end) return;
  const uint64_t id = m.id[bead];
  const ds_sop_motion_units u = ORDER == 2 ? m.units.half : m.units.whole;
  float other[3], normal[3] = {0.0f, 0.0f, 0.0f};
  int64_t p[3];
  for (int c = 0; c < 3; c++) {
    p[c] = m.position[3 * bead + c];
    other[c] = outside_push(m, bead, c);
  }
  for (int step = 0; step < m.steps; step++) {
    int fault = 0;
    make_normals<Noise>(m, bead, m.first + step, id, normal);
    for (int c = 0; c < 3; c++) p[c] += ds_sop_displacement(u, 0, normal[c], other[c], &fault);
    if (!fault) continue;
    report_fault(m, ORDER, step, 0, DS_SOP_FAULT_FAR | (int) bead);
    return;
  }
  for (int c = 0; c < 3; c++) {
    m.position[3 * bead + c] = p[c];
    m.noise[3 * bead + c] = ds_round32(normal[c] * u.noise);
  }
}

ds_status ds_sop_cuda_free_beads(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, int64_t first, int64_t count,
                                 ds_error *err)
{
  enum { THREADS = 128 };
  return with_noise(sop->generator->kind, [&](auto noise) {
    typedef decltype(noise) Noise;
    const unsigned blocks = ds_gpu_blocks((size_t) count, THREADS);
    return sop->options.order == 1 ? DS_LAUNCH(err, "sop_free", (sop_free<Noise, 1>), blocks, THREADS, g->s.stream, *m,
                                               (size_t) first, (size_t) (first + count))
                                   : DS_LAUNCH(err, "sop_free", (sop_free<Noise, 2>), blocks, THREADS, g->s.stream, *m,
                                               (size_t) first, (size_t) (first + count));
  });
}
