/* The host's sweeps of one evaluator, DS_EVALUATOR (a name, say ds_dpd, whose header has been included), in all
   arithmetics. Included by a file *_simd.c, which is compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/isa.h"
#include "dpdsop/neighbor.h"
#include "sweep_host.h"

#include <math.h>

/* Pairs that are worked on together: long vector loops, small enough for the first-level cache. */
enum { DS_BATCH = 1024, DS_BATCH_ROWS = 128, DS_TILE = 64 };

/* Sums of terms are integers modulo 2^64 (a term out of range, which becomes an error, may take them beyond 2^63), or of
   floating-point numbers that are rounded once per row. */
#define ds_accumulator_f uint64_t
#define ds_accumulator_d uint64_t
#define ds_accumulator_q float

DS_FUNC int64_t ds_rounded_f(uint64_t sum)
{
  return (int64_t) sum;
}
DS_FUNC int64_t ds_rounded_d(uint64_t sum)
{
  return (int64_t) sum;
}
DS_FUNC int64_t ds_rounded_q(float sum)
{
  return ds_round64((double) sum);
}

#define DS_JOIN4_(a, b, c, d) a##_##b##_##c##_##d
#define DS_JOIN4(a, b, c, d) DS_JOIN4_(a, b, c, d)
#define DS_JOIN3_(a, b, c) a##_##b##_##c
#define DS_JOIN3(a, b, c) DS_JOIN3_(a, b, c)

/* Functions and types of the evaluator in the arithmetic at hand, and the name of the sweep. */
#define DS_E(name) DS_JOIN3(DS_EVALUATOR, name, DS_LETTER)
#define DS_E_TYPE(name) DS_JOIN3(DS_EVALUATOR, name, DS_TYPE_LETTER)
#define DS_SWEEP_NAME DS_JOIN4(DS_EVALUATOR, sweep, DS_LETTER, DS_VARIANT)

#define DS_FORMULAS "../sweep/sweep_real.h" /* from the folder of the public headers */
#include "dpdsop/each_arithmetic.h"
