/* Words that atoms are kept in on the device: 32 bits, or 64 in double precision.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_STORAGE_CUH
#define DPDSOP_STORAGE_CUH

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

#define DS_FORMULAS "../particles/storage.cuh" /* this file's second part, from the folder of the public headers */
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

/* Element j of an array, each of so many bytes. Where the size is a power of two that the compiler knows, it makes the address
   by shifts, masks and additions of 64 bits; by an argument of the kernel it is one multiplication. */
template <class T> __device__ __forceinline__ const T *ds_element(const T *array, uint32_t j, uint32_t size)
{
  return (const T *) ((uint64_t) array + (uint64_t) j * size);
}

#endif
#else

struct DS_W(storage) {
  typedef DS_REAL real;
  typedef DS_W(ds_position) integers;
  typedef DS_W(position) position; /* x y z type */
  typedef DS_W(velocity) velocity; /* x y z signature */
  typedef DS_W(ds_message) message;

  static __device__ integers locate(const ds_frame &f, const double lambda[3]) { return DS_W(ds_position_of)(&f, lambda); }
  static __device__ int boxes(const ds_frame &f, int d, double lambda) { return DS_W(ds_boxes)(&f, d, lambda); }
  static __device__ void shift(const ds_frame &f, position *p, int ix, int iy, int iz)
  {
    const integers from = {p->x, p->y, p->z};
    *p = put(DS_W(ds_position_image)(&f, from, ix, iy, iz), (int) p->w);
  }
  static __device__ position put(const integers &p, int type)
  {
    const position out = {p.x, p.y, p.z, type};
    return out;
  }
  static __device__ velocity move(double x, double y, double z, uint32_t signature)
  {
    const velocity out = {(real) x, (real) y, (real) z, DS_W(ds_signature_word)(signature)};
    return out;
  }
  static __device__ int4 upper(const position &p)
  {
    enum { LOWER_BITS = 8 * sizeof(DS_WORD) - 32 };
    return make_int4((int) (p.x >> LOWER_BITS), (int) (p.y >> LOWER_BITS), (int) (p.z >> LOWER_BITS), (int) p.w);
  }
  static __device__ uint32_t signature(const velocity &v) { return DS_W(ds_signature_in)(v.w); }
};

#endif
