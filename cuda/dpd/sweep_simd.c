/* The host's force sweep in three arithmetics; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/isa.h"
#include "sweep.h"

/* Pairs that are worked on together: long vector loops, small enough for the first-level cache. */
enum { DS_BATCH = 1024, DS_BATCH_ROWS = 128, DS_TILE = 64 };

#define DS_SWEEP_NAME DS_KERNEL(ds_sweep_mixed)
#define DS_S(name) name##_mixed
#define DS_R(name) name##_f
#define DS_REAL float
#define DS_COORD int32_t
#define DS_SUM int32_t
#define DS_DIFF ds_diff32
#define DS_SEPARATE ds_separation
#define DS_SQUARE ds_square
#define DS_NOISE ds_pair_gaussianf
#define DS_ROUND_TERM ds_round32
#define DS_IN_RANGE ds_in_range32
#define DS_SIGNATURE(v) ds_float_as_uint(v)
#define DS_COEFF(p) (p)->coeff_f
#define DS_SPECIAL(p) (p)->specialf
#define DS_SPECIAL_ROOT(p) (p)->special_rootf
#define DS_SCALE_F(p) (p)->scales.forcef
#define DS_SCALE_E(p) (p)->scales.energyf
#include "sweep_real.h"
#undef DS_SWEEP_NAME
#undef DS_S
#undef DS_SUM
#undef DS_ROUND_TERM
#undef DS_IN_RANGE

/* single: sums in floating point, rounded once a row by the store. */
#undef DS_R
#define DS_R(name) name##_q
#define DS_SWEEP_NAME DS_KERNEL(ds_sweep_single)
#define DS_S(name) name##_single
#define DS_SUM float
#define DS_FLOAT_SUMS
#define DS_ROUND_TERM(x) (x)
#define DS_IN_RANGE ds_in_range32
#include "sweep_real.h"
#undef DS_SWEEP_NAME
#undef DS_S
#undef DS_R
#undef DS_REAL
#undef DS_COORD
#undef DS_SUM
#undef DS_FLOAT_SUMS
#undef DS_DIFF
#undef DS_SEPARATE
#undef DS_SQUARE
#undef DS_NOISE
#undef DS_ROUND_TERM
#undef DS_IN_RANGE
#undef DS_SIGNATURE
#undef DS_COEFF
#undef DS_SPECIAL
#undef DS_SPECIAL_ROOT
#undef DS_SCALE_F
#undef DS_SCALE_E

#define DS_SWEEP_NAME DS_KERNEL(ds_sweep_double)
#define DS_S(name) name##_double
#define DS_R(name) name##_d
#define DS_REAL double
#define DS_COORD int64_t
#define DS_SUM int64_t
#define DS_DIFF ds_diff64
#define DS_SEPARATE ds_separation64
#define DS_SQUARE ds_square64
#define DS_NOISE ds_pair_gaussian
#define DS_ROUND_TERM ds_round64
#define DS_IN_RANGE ds_in_range64
#define DS_SIGNATURE(v) ((uint32_t) ds_double_as_ulong(v))
#define DS_COEFF(p) (p)->coeff_d
#define DS_SPECIAL(p) (p)->special
#define DS_SPECIAL_ROOT(p) (p)->special_root
#define DS_SCALE_F(p) (p)->scales.force
#define DS_SCALE_E(p) (p)->scales.energy
#include "sweep_real.h"
