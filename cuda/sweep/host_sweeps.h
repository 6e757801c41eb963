/* The host's sweeps of one evaluator, DS_EVALUATOR (a name, say ds_dpd, whose header has been included), in all
   arithmetics. Included by a file *_simd.c, which is compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/isa.h"
#include "dpdsop/neighbor.h"
#include "sweep_host.h"

#include <math.h>

/* Pairs that are worked on together: long vector loops, small enough for the first-level cache. */
enum { DS_BATCH = 1024, DS_BATCH_ROWS = 128, DS_TILE = 64 };

#define DS_JOIN4_(a, b, c, d) a##_##b##_##c##_##d
#define DS_JOIN4(a, b, c, d) DS_JOIN4_(a, b, c, d)
#define DS_JOIN3_(a, b, c) a##_##b##_##c
#define DS_JOIN3(a, b, c) DS_JOIN3_(a, b, c)

/* Functions and types of the evaluator in the arithmetic at hand, and the name of the sweep. */
#define DS_E(name) DS_JOIN3(DS_EVALUATOR, name, DS_LETTER)
#define DS_SWEEP_NAME DS_JOIN4(DS_EVALUATOR, sweep, DS_LETTER, DS_VARIANT)

#define DS_FORMULAS "../sweep/sweep_real.h" /* from the folder of the public headers */
#include "dpdsop/each_arithmetic.h"
