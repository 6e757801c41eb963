/* Words that atoms are kept in on the device: 32 bits, or 64 in double precision.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STORAGE_CUH
#define DPDSOP_STORAGE_CUH

#include "dpdsop/array.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/device/image_velocity.h"
#include "host_reader.h"

/* Two accesses of 16 bytes each. */
typedef struct __align__(16)
{
  int64_t x, y, z, w;
}
ds_position4_64;

typedef struct __align__(16)
{
  double x, y, z;
  uint64_t w;
}
ds_velocity4_64;

struct storage32 {
  typedef float real;
  typedef int32_t word;
  typedef ds_position integers;
  typedef int4 position;   /* x y z type */
  typedef float4 velocity; /* x y z signature */
  enum { message_words = DS_GHOST_BYTES / 4 };

  static __device__ integers locate(const ds_frame &f, const double lambda[3]) { return ds_position_of(&f, lambda); }
  static __device__ int boxes(const ds_frame &f, int d, double lambda) { return ds_boxes32(&f, d, lambda); }
  static __device__ void shift(const ds_frame &f, position *p, int ix, int iy, int iz)
  {
    const integers from = {p->x, p->y, p->z}, to = ds_position_image(&f, from, ix, iy, iz);
    *p = put(to, p->w);
  }
  static __device__ position put(const integers &p, int type) { return make_int4(p.x, p.y, p.z, type); }
  static __device__ velocity move(double x, double y, double z, uint32_t signature)
  {
    return make_float4((float) x, (float) y, (float) z, __uint_as_float(signature));
  }
  static __device__ int4 upper(const position &p) { return p; }
  static __device__ position read(const position *p) { return __ldg(p); }
  static __device__ velocity read(const velocity *p) { return __ldg(p); }
  static __device__ uint32_t signature(const velocity &v) { return __float_as_uint(v.w); }
  static __device__ void read_message(const uint32_t *m, position *p, real v[3])
  {
    *p = make_int4((int) m[0], (int) m[1], (int) m[2], (int) m[3]);
    for (int c = 0; c < 3; c++) v[c] = __uint_as_float(m[4 + c]);
  }
  static __device__ void write_message(uint32_t *m, const position &p, const velocity &v)
  {
    const uint32_t word[message_words] = {(uint32_t) p.x,       (uint32_t) p.y,       (uint32_t) p.z,      (uint32_t) p.w,
                                          __float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z)};
    for (int k = 0; k < message_words; k++) m[k] = word[k];
  }
};

struct storage64 {
  typedef double real;
  typedef int64_t word;
  typedef ds_position64 integers;
  typedef ds_position4_64 position;
  typedef ds_velocity4_64 velocity;
  enum { message_words = DS_GHOST_BYTES64 / 4 };

  static __device__ integers locate(const ds_frame &f, const double lambda[3]) { return ds_position64_of(&f, lambda); }
  static __device__ int boxes(const ds_frame &f, int d, double lambda) { return ds_boxes64(&f, d, lambda); }
  static __device__ void shift(const ds_frame &f, position *p, int ix, int iy, int iz)
  {
    const integers from = {p->x, p->y, p->z}, to = ds_position64_image(&f, from, ix, iy, iz);
    *p = put(to, (int) p->w);
  }
  static __device__ position put(const integers &p, int type)
  {
    const position out = {p.x, p.y, p.z, type};
    return out;
  }
  static __device__ velocity move(double x, double y, double z, uint32_t signature)
  {
    const velocity out = {x, y, z, signature};
    return out;
  }
  static __device__ int4 upper(const position &p)
  {
    return make_int4((int) (p.x >> 32), (int) (p.y >> 32), (int) (p.z >> 32), (int) p.w);
  }
  static __device__ position read(const position *p)
  {
    const longlong2 *const q = (const longlong2 *) p;
    const longlong2 a = __ldg(q), b = __ldg(q + 1);
    const position out = {a.x, a.y, b.x, b.y};
    return out;
  }
  static __device__ velocity read(const velocity *p)
  {
    const double2 *const q = (const double2 *) p;
    const double2 a = __ldg(q), b = __ldg(q + 1);
    const velocity out = {a.x, a.y, b.x, ds_double_as_ulong(b.y)};
    return out;
  }
  static __device__ uint32_t signature(const velocity &v) { return (uint32_t) v.w; }
  /* 64-bit words of a message, aligned to 32 bits */
  static __device__ uint64_t word_at(const uint32_t *m) { return (uint64_t) m[1] << 32 | m[0]; }
  static __device__ void word_to(uint32_t *m, uint64_t v)
  {
    m[0] = (uint32_t) v;
    m[1] = (uint32_t) (v >> 32);
  }
  static __device__ void read_message(const uint32_t *m, position *p, real v[3])
  {
    const position at = {(int64_t) word_at(m), (int64_t) word_at(m + 2), (int64_t) word_at(m + 4), (int32_t) m[6]};
    *p = at;
    for (int c = 0; c < 3; c++) v[c] = ds_ulong_as_double(word_at(m + 7 + 2 * c));
  }
  static __device__ void write_message(uint32_t *m, const position &p, const velocity &v)
  {
    word_to(m, (uint64_t) p.x);
    word_to(m + 2, (uint64_t) p.y);
    word_to(m + 4, (uint64_t) p.z);
    m[6] = (uint32_t) p.w;
    word_to(m + 7, ds_double_as_ulong(v.x));
    word_to(m + 9, ds_double_as_ulong(v.y));
    word_to(m + 11, ds_double_as_ulong(v.z));
  }
};

#endif
