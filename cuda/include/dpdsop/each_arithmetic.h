/* Includes the file DS_FORMULAS once for each arithmetic of arithmetic.h, with
     DS_REAL      the type of its reals
     DS_R(name)   the name of one of its functions or types
     DS_TINY      a number far below the resolution of a weight between 0 and 1
     DS_LETTER    what DS_R puts at the end
   No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/arithmetic.h"

#define DS_REAL float
#define DS_R(name) name##_f
#define DS_TINY 0x1p-30f
#define DS_LETTER f
#include DS_FORMULAS
#undef DS_REAL
#undef DS_R
#undef DS_TINY
#undef DS_LETTER

#define DS_REAL double
#define DS_R(name) name##_d
#define DS_TINY 0x1p-60
#define DS_LETTER d
#include DS_FORMULAS
#undef DS_REAL
#undef DS_R
#undef DS_TINY
#undef DS_LETTER
#undef DS_FORMULAS
