/* Kernels of the host backend, of which there is one for each instruction set: sop_simd.c.
   SPDX-License-Identifier: GPL-2.0-or-later

   Arrays have one place per bead and axis, a[axis][place]. In a block of DS_SOP_LANES molecules, bead b of molecule l has
   the place b * DS_SOP_LANES + l, so that a vector holds the same bead of several molecules. Few molecules stand one after
   the other instead, and a vector holds several pairs. */
#ifndef DPDSOP_SOP_KERNELS_H
#define DPDSOP_SOP_KERNELS_H

#include "../core/isa.h"
#include "generator.h"
#include "model.h"

enum { DS_SOP_LANES = 16, DS_SOP_BATCH = 256 };

/* Pairs of beads i < j. */
typedef struct {
  int32_t count;
  const int32_t *i, *j;
} ds_sop_pair_list;

/* Forces on a block of molecules side by side, or on one molecule; returns 1 where one is out of range. */
typedef int ds_sop_block_function(const ds_sop_model *m, const ds_sop_pair_list *listed, const int32_t *const x[3],
                                  int32_t *const f[3]);

/* Beads first to last - 1 that are closer than list2, a squared distance, to bead i, in any of `lanes` molecules side by
   side; returns how many. `near` has room for all that are looked at. */
typedef int32_t ds_sop_near_beads_function(const int32_t *const x[3], int lanes, int64_t i, int64_t first, int64_t last,
                                           float list2, int32_t *near);

/* The force on one bead of a molecule that begins at place `base`; `listed` are places. */
typedef int ds_sop_bead_function(const ds_sop_model *m, int32_t bead, int64_t base, const int32_t *const x[3],
                                 const int32_t *listed, int32_t count, int32_t force[3]);

/* Pairs first to last - 1 of a kind (DS_SOP_LISTED: of the list), and where their forces go: to slot_i and, opposite,
   to slot_j of three numbers each. */
typedef struct {
  const int32_t *i, *j;       /* places */
  const int32_t *coefficient; /* number in the model's table, where the kind has one */
  const uint32_t *slot_i, *slot_j;
} ds_sop_slotted_pairs;
typedef int ds_sop_pair_function(const ds_sop_model *m, ds_sop_kind kind, const ds_sop_slotted_pairs *p, int64_t first,
                                 int64_t last, const int32_t *const x[3], int32_t *slots);

/* A step of n beads, at most DS_SOP_BATCH. Pointers are to the first of them. */
typedef struct {
  ds_sop_motion_units units;
  const uint32_t *words[4]; /* random */
  const int32_t *force[3];
  const int32_t *before[3]; /* force at the beginning of the step, where this is its second half; else NULL */
  const float *other[3];    /* displacement by what else acts */
  const int32_t *moves;     /* -1, or 0 where the bead is fixed */
  int64_t *position[3];
  int32_t *noise[3]; /* takes the displacement by noise; or NULL */
} ds_sop_move;

/* New positions into move->position and coordinates into x, or, where `predicted` is not NULL, displacements into it and
   coordinates of the positions that they would lead to; returns 1 where a displacement is out of range. */
typedef int ds_sop_move_function(const ds_sop_move *move, int n, int32_t *const x[3], int32_t *const predicted[3]);

/* Largest squared distance, in units of coordinates, of n coordinates from others. */
typedef float ds_sop_farthest_function(const int32_t *const x[3], const int32_t *const from[3], int n);

/* Words of a counter-based generator for n beads. */
typedef void ds_sop_words_function(ds_generator_kind kind, uint64_t seed, uint64_t step, const uint64_t *id, int n,
                                   uint32_t *const words[4]);

#define DS_SOP_DECLARE(function, name) extern function name##_base, name##_avx2, name##_avx512
DS_SOP_DECLARE(ds_sop_block_function, ds_sop_lane_forces);
DS_SOP_DECLARE(ds_sop_block_function, ds_sop_molecule_forces);
DS_SOP_DECLARE(ds_sop_near_beads_function, ds_sop_near_beads);
DS_SOP_DECLARE(ds_sop_bead_function, ds_sop_bead_force);
DS_SOP_DECLARE(ds_sop_pair_function, ds_sop_pair_forces);
DS_SOP_DECLARE(ds_sop_move_function, ds_sop_move_beads);
DS_SOP_DECLARE(ds_sop_farthest_function, ds_sop_farthest);
DS_SOP_DECLARE(ds_sop_words_function, ds_sop_counter_words);

#endif
