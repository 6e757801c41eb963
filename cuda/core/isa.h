/* Names of the host kernels, of which there is one for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ISA_H
#define DPDSOP_ISA_H

#include "dpdsop/status.h"

#define DS_PASTE_(a, b) a##_##b
#define DS_PASTE(a, b) DS_PASTE_(a, b)
/* In a *_simd.c file: the name of this variant of a kernel. */
#define DS_KERNEL(name) DS_PASTE(name, DS_VARIANT)

/* The next loop's iterations are independent and shall become vector code. Not `omp simd`: gcc turns
   local structs of such loops into arrays before it has taken them apart, and then gives up. */
#if defined(__clang__)
#define DS_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define DS_VECTOR_LOOP _Pragma("GCC ivdep")
#else
#define DS_VECTOR_LOOP
#endif

typedef enum { DS_ISA_BASE = 0, DS_ISA_AVX2, DS_ISA_AVX512, DS_ISA_COUNT } ds_isa;

#ifdef DS_HAVE_X86_VARIANTS
#define DS_KERNEL_TABLE(name)                                                                                                  \
  {                                                                                                                            \
    name##_base, name##_avx2, name##_avx512                                                                                    \
  }
#else
#define DS_KERNEL_TABLE(name)                                                                                                  \
  {                                                                                                                            \
    name##_base, name##_base, name##_base                                                                                      \
  }
#endif

DS_C_BEGIN

/* The best the CPU has, or the one named (NULL: best); an unknown or unsupported name fails. */
ds_status ds_isa_choose(const char *name, ds_isa *isa, ds_error *err);
const char *ds_isa_name(ds_isa isa);

DS_C_END

#endif
