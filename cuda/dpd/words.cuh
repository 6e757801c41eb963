/* Words that atoms are kept in on the device: 32 bits, or 64 in double precision.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_WORDS_CUH
#define DPDSOP_WORDS_CUH

#include "cuda_state.h"
#include "dpdsop/signature.h"

/* Two accesses of 16 bytes each. */
typedef struct __align__(16)
{
  int64_t x, y, z, w;
}
ds_place64;

typedef struct __align__(16)
{
  double x, y, z;
  uint64_t w;
}
ds_motion64;

struct narrow_words {
  typedef ds_position position;
  typedef float real;
  typedef int4 place;    /* x y z type */
  typedef float4 motion; /* x y z signature */
  typedef ds_record record;
  enum { message_words = DS_GHOST_BYTES / 4 };

  static __device__ position locate(const ds_frame &f, const double lambda[3])
  {
    return ds_position_of(&f, lambda);
  }
  static __device__ position image(const ds_frame &f, position p, int ix, int iy, int iz)
  {
    return ds_position_image(&f, p, ix, iy, iz);
  }
  static __device__ int32_t upper(int32_t coordinate) { return coordinate; }
  static __device__ record read_record(const record *records, int i)
  {
    const int2 *const r = (const int2 *) (records + i); /* 24 bytes, so aligned to 8 */
    const int2 a = __ldg(r), b = __ldg(r + 1), c = __ldg(r + 2);
    const record out = {
        a.x, a.y, b.x, __int_as_float(b.y), __int_as_float(c.x), __int_as_float(c.y)};
    return out;
  }
  static __device__ void write_record(record *records, int i, const record &r)
  {
    int2 *const out = (int2 *) (records + i);
    out[0] = make_int2(r.x, r.y);
    out[1] = make_int2(r.z, __float_as_int(r.vx));
    out[2] = make_int2(__float_as_int(r.vy), __float_as_int(r.vz));
  }
  static __device__ record read_message(const uint32_t *m, uint32_t *signature)
  {
    const record out = {(int32_t) m[0],        (int32_t) m[1],        (int32_t) m[2],
                        __uint_as_float(m[3]), __uint_as_float(m[4]), __uint_as_float(m[5])};
    *signature = m[6];
    return out;
  }
  static __device__ void write_message(uint32_t *m, const record &r, uint32_t signature)
  {
    m[0] = (uint32_t) r.x;
    m[1] = (uint32_t) r.y;
    m[2] = (uint32_t) r.z;
    m[3] = __float_as_uint(r.vx);
    m[4] = __float_as_uint(r.vy);
    m[5] = __float_as_uint(r.vz);
    m[6] = signature;
  }
  static __device__ motion move(const record &r, uint32_t signature)
  {
    return make_float4(r.vx, r.vy, r.vz, __uint_as_float(signature));
  }
  static __device__ place put(const record &r, int type) { return make_int4(r.x, r.y, r.z, type); }
  static __device__ place read(const place *p) { return __ldg(p); }
  static __device__ motion read(const motion *p) { return __ldg(p); }
  static __device__ uint32_t signature(const motion &m) { return __float_as_uint(m.w); }
};

/* A 64-bit word of a message, which is aligned to 32. */
__device__ __forceinline__ uint64_t ds_read_pair(const uint32_t *m)
{
  return (uint64_t) m[1] << 32 | m[0];
}

__device__ __forceinline__ void ds_write_pair(uint32_t *m, uint64_t v)
{
  m[0] = (uint32_t) v;
  m[1] = (uint32_t) (v >> 32);
}

struct wide_words {
  typedef ds_position64 position;
  typedef double real;
  typedef ds_place64 place;
  typedef ds_motion64 motion;
  typedef ds_record64 record;
  enum { message_words = DS_GHOST_BYTES64 / 4 };

  static __device__ position locate(const ds_frame &f, const double lambda[3])
  {
    return ds_position64_of(&f, lambda);
  }
  static __device__ position image(const ds_frame &f, position p, int ix, int iy, int iz)
  {
    return ds_position64_image(&f, p, ix, iy, iz);
  }
  static __device__ int32_t upper(int64_t coordinate) { return (int32_t) (coordinate >> 32); }
  static __device__ record read_record(const record *records, int i)
  {
    const longlong2 *const r = (const longlong2 *) (records + i);
    const longlong2 a = __ldg(r), b = __ldg(r + 1), c = __ldg(r + 2);
    const record out = {a.x,
                        a.y,
                        b.x,
                        __longlong_as_double(b.y),
                        __longlong_as_double(c.x),
                        __longlong_as_double(c.y)};
    return out;
  }
  static __device__ void write_record(record *records, int i, const record &r)
  {
    longlong2 *const out = (longlong2 *) (records + i);
    out[0] = make_longlong2(r.x, r.y);
    out[1] = make_longlong2(r.z, __double_as_longlong(r.vx));
    out[2] = make_longlong2(__double_as_longlong(r.vy), __double_as_longlong(r.vz));
  }
  static __device__ record read_message(const uint32_t *m, uint32_t *signature)
  {
    const record out = {(int64_t) ds_read_pair(m),
                        (int64_t) ds_read_pair(m + 2),
                        (int64_t) ds_read_pair(m + 4),
                        ds_ulong_as_double(ds_read_pair(m + 6)),
                        ds_ulong_as_double(ds_read_pair(m + 8)),
                        ds_ulong_as_double(ds_read_pair(m + 10))};
    *signature = m[12];
    return out;
  }
  static __device__ void write_message(uint32_t *m, const record &r, uint32_t signature)
  {
    ds_write_pair(m, (uint64_t) r.x);
    ds_write_pair(m + 2, (uint64_t) r.y);
    ds_write_pair(m + 4, (uint64_t) r.z);
    ds_write_pair(m + 6, ds_double_as_ulong(r.vx));
    ds_write_pair(m + 8, ds_double_as_ulong(r.vy));
    ds_write_pair(m + 10, ds_double_as_ulong(r.vz));
    m[12] = signature;
  }
  static __device__ motion move(const record &r, uint32_t signature)
  {
    const motion m = {r.vx, r.vy, r.vz, signature};
    return m;
  }
  static __device__ place put(const record &r, int type)
  {
    const place p = {r.x, r.y, r.z, type};
    return p;
  }
  static __device__ place read(const place *p)
  {
    const longlong2 *const q = (const longlong2 *) p;
    const longlong2 a = __ldg(q), b = __ldg(q + 1);
    const place out = {a.x, a.y, b.x, b.y};
    return out;
  }
  static __device__ motion read(const motion *p)
  {
    const double2 *const q = (const double2 *) p;
    const double2 a = __ldg(q), b = __ldg(q + 1);
    const motion out = {a.x, a.y, b.x, ds_double_as_ulong(b.y)};
    return out;
  }
  static __device__ uint32_t signature(const motion &m) { return (uint32_t) m.w; }
};

/* Atoms by the caller's number: own ones have records; ghosts a message, or an owner. */
template <class W> struct atom_source {
  ds_frame frame;
  int nlocal;
  const typename W::record *record;
  const uint32_t *message;
  const int4 *owner; /* NULL: messages */
  uint32_t seed;
  uint64_t step;
};

template <class W>
__device__ __forceinline__ typename W::record ds_shifted(const ds_frame &f, typename W::record r,
                                                         int ix, int iy, int iz)
{
  typename W::position p = {r.x, r.y, r.z};
  p = W::image(f, p, ix, iy, iz);
  r.x = p.x;
  r.y = p.y;
  r.z = p.z;
  return r;
}

/* Record of an atom; *signature is set and 1 returned where it came in a message. */
template <class W>
__device__ __forceinline__ int ds_read_atom(const atom_source<W> &a, int i, typename W::record *r,
                                            uint32_t *signature)
{
  if (i < a.nlocal) {
    *r = W::read_record(a.record, i);
    return 0;
  }
  const int g = i - a.nlocal;
  if (a.owner) {
    const int4 o = __ldg(&a.owner[g]);
    *r = ds_shifted<W>(a.frame, W::read_record(a.record, o.x), o.y, o.z, o.w);
    return 0;
  }
  *r = W::read_message(a.message + (size_t) g * W::message_words, signature);
  return 1;
}

template <class W>
__device__ __forceinline__ uint32_t ds_sign_atom(const atom_source<W> &a,
                                                 const typename W::record &r, int64_t tag)
{
  return ds_signature((uint64_t) tag, (float) r.vx, (float) r.vy, (float) r.vz, a.seed, a.step);
}

template <class W> atom_source<W> ds_atom_source(const ds_dpd *dpd)
{
  const ds_cuda_state *c = (const ds_cuda_state *) dpd->state;
  atom_source<W> a;
  a.frame = dpd->frame;
  a.nlocal = dpd->nlocal;
  a.record = DS_DATA(typename W::record, c->record);
  a.message = DS_DATA(uint32_t, c->message);
  a.owner = c->have_owners ? DS_DATA(int4, c->owner) : NULL;
  a.seed = c->seed;
  a.step = (uint64_t) dpd->step;
  return a;
}

#endif
