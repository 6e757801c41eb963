/* move_cuda.cu: atoms that move on the device between two rebuilds of the list.   SPDX-License-Identifier: GPL-2.0-or-later

   After a fault or in a list that became too small the engine stops; atoms that moved on all the same would have left
   the place where its work is taken up again. */
#include "device.h"

namespace {
enum { THREADS = 256 };

__global__ void first_half(bench_motion m, size_t values, int wrap)
{
  const size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x;
  if (k >= values || *m.halted) return;
  const double v = m.v[k] + 0.5 * m.dt * m.f[k];
  double x = m.x[k] + m.dt * v;
  if (wrap) x -= m.edge * floor(x / m.edge);
  m.v[k] = v;
  m.x[k] = x;
  m.f[k] = 0.0;
}

__global__ void second_half(bench_motion m, size_t values)
{
  const size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x;
  if (k >= values || *m.halted) return;
  m.v[k] += 0.5 * m.dt * m.f[k];
}

unsigned blocks_for(size_t values)
{
  return (unsigned) ((values + THREADS - 1) / THREADS);
}
}    // namespace

int bench_move_first(const bench_motion *m, int wrap)
{
  const size_t values = 3 * (size_t) m->n;
  first_half<<<blocks_for(values), THREADS, 0, (cudaStream_t) m->stream>>>(*m, values, wrap);
  return cudaGetLastError() == cudaSuccess;
}

int bench_move_second(const bench_motion *m)
{
  const size_t values = 3 * (size_t) m->n;
  second_half<<<blocks_for(values), THREADS, 0, (cudaStream_t) m->stream>>>(*m, values);
  return cudaGetLastError() == cudaSuccess;
}
