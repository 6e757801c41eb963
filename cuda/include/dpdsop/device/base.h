/* base.h: the function qualifier of the device headers, and bit access that is the same everywhere.
   SPDX-License-Identifier: GPL-2.0-or-later

   A device header is compiled by nvcc for the GPU and by any C99 compiler for the host. */
#ifndef DPDSOP_BASE_H
#define DPDSOP_BASE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define DS_FUNC static __host__ __device__ __forceinline__
#elif defined(__GNUC__)
/* forced, because the vectorizer gives up on a loop with a call in it */
#define DS_FUNC static inline __attribute__((always_inline, unused))
#else
#define DS_FUNC static inline
#endif

/* Unroll the next loop wholly. Needed where array indices must become constants. */
#define DS_PRAGMA(text) _Pragma(#text)
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define DS_UNROLL(n) DS_PRAGMA(unroll)
#elif defined(__GNUC__) && !defined(__CUDACC__) /* nvcc's own parser warns of it */
#define DS_UNROLL(n) DS_PRAGMA(GCC unroll n)
#else
#define DS_UNROLL(n)
#endif

DS_FUNC uint32_t ds_float_as_uint(float x)
{
#ifdef __CUDA_ARCH__
  return __float_as_uint(x);
#else
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}

DS_FUNC float ds_uint_as_float(uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

DS_FUNC uint64_t ds_double_as_ulong(double x)
{
#ifdef __CUDA_ARCH__
  return (uint64_t) __double_as_longlong(x);
#else
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}

DS_FUNC double ds_ulong_as_double(uint64_t bits)
{
#ifdef __CUDA_ARCH__
  return __longlong_as_double((long long) bits);
#else
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

/* x, or -x where the top bit of v is set. */
DS_FUNC float ds_flip_signf(float x, uint32_t v)
{
  return ds_uint_as_float(ds_float_as_uint(x) ^ (v & 0x80000000u));
}

DS_FUNC double ds_flip_sign(double x, uint32_t v)
{
  return ds_ulong_as_double(ds_double_as_ulong(x) ^ ((uint64_t) (v & 0x80000000u) << 32));
}

/* Leading zeros of a nonzero word. Not for loops that should become vector code: AVX2 has no such
   instruction; take the exponent of a conversion to floating point there. */
DS_FUNC int ds_clz32(uint32_t v)
{
#if defined(__CUDA_ARCH__)
  return __clz((int) v);
#elif defined(__GNUC__)
  return __builtin_clz(v);
#else
  int n = 0;
  while (!(v & 0x80000000u)) {
    v <<= 1;
    n++;
  }
  return n;
#endif
}

/* a b, all 64 bits of it. Where b is a constant with its top bit set, nvcc would make a product of two 64-bit
   numbers, and add the upper half of one, which is 0, each time. */
DS_FUNC uint64_t ds_mul_wide(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
  uint64_t p;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(p) : "r"(a), "r"(b));
  return p;
#else
  return (uint64_t) a * b;
#endif
}

DS_FUNC uint32_t ds_brev32(uint32_t v)
{
#ifdef __CUDA_ARCH__
  return __brev(v);
#else
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
  v = ((v >> 8) & 0x00FF00FFu) | ((v & 0x00FF00FFu) << 8);
  return (v >> 16) | (v << 16);
#endif
}

#endif
