/* splitmix.h: inputs of tests that are the same on every machine.   SPDX-License-Identifier: GPL-2.0-or-later

   splitmix64 (Steele, Lea & Flood 2014). The generator adds DS_SPLITMIX_STEP to its state and mixes the result. */
#ifndef DPDSOP_SPLITMIX_H
#define DPDSOP_SPLITMIX_H

#include <stdint.h>

/* Tests without the engine use these words, too. */
#ifdef __CUDACC__
#define DS_SPLITMIX_FUNC static __host__ __device__ inline
#else
#define DS_SPLITMIX_FUNC static inline
#endif

#define DS_SPLITMIX_STEP 0x9E3779B97F4A7C15u

/* The word behind this state. */
DS_SPLITMIX_FUNC uint64_t ds_splitmix(uint64_t state)
{
  uint64_t z = state + DS_SPLITMIX_STEP;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

#endif
