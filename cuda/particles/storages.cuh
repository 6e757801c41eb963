/* Words that atoms are kept in on the device: 32 bits, or 64 in double precision.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STORAGES_CUH
#define DPDSOP_STORAGES_CUH

#include "dpdsop/device/image_velocity.h"
#include "dpdsop/device/signature.h"
#include "particles.h"

typedef int4 position32;
typedef float4 velocity32;

typedef struct __align__(16)
{
  int64_t x, y, z, w;
}
position64;

typedef struct __align__(16)
{
  double x, y, z, w;
}
velocity64;

#define DS_FORMULAS "../particles/storage.cuh" /* from the folder of the public headers */
#include "dpdsop/device/each_arithmetic.h"

/* Read 16 bytes at a time. */
template <class T> __device__ __forceinline__ T ds_read_wide(const T *from)
{
  union {
    uint4 part[sizeof(T) / sizeof(uint4)];
    T all;
  } c;
#pragma unroll
  for (int k = 0; k < (int) (sizeof(T) / sizeof(uint4)); k++) c.part[k] = __ldg((const uint4 *) from + k);
  return c.all;
}

#endif
