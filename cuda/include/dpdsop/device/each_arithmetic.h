/* Includes the file DS_FORMULAS twice: once for mixed precision, where a pair is computed in floats from integer positions
   of 32 bits, and once for double precision. There
     DS_REAL      is float, or double
     DS_WORD      the integers of that width
     DS_R(name)   a function or type of reals: as in C, its name ends in f where they are floats
     DS_W(name)   a function of integers: its name ends in 32 or 64
     DS_TINY      a number far below the resolution of a weight between 0 and 1
   No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#define DS_REAL float
#define DS_WORD int32_t
#define DS_R(name) name##f
#define DS_W(name) name##32
#define DS_TINY 0x1p-30f
#include DS_FORMULAS
#undef DS_REAL
#undef DS_WORD
#undef DS_R
#undef DS_W
#undef DS_TINY

#define DS_REAL double
#define DS_WORD int64_t
#define DS_R(name) name
#define DS_W(name) name##64
#define DS_TINY 0x1p-60
#include DS_FORMULAS
#undef DS_REAL
#undef DS_WORD
#undef DS_R
#undef DS_W
#undef DS_TINY
#undef DS_FORMULAS
