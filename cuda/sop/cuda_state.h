/* State of the CUDA backend of SOP molecules.   SPDX-License-Identifier: GPL-2.0-or-later

   Arrays are by bead, as the caller numbers them. */
#ifndef DPDSOP_SOP_CUDA_STATE_H
#define DPDSOP_SOP_CUDA_STATE_H

#include "../core/gpu.h"
#include "../neighbor/list.h"
#include "state.h"

/* What a pull does to a bead: it is fixed, left alone, or pulled, with the weight that its role is. */
enum { DS_SOP_FIXED = -1, DS_SOP_MOVES = 0 };

DS_FUNC int ds_sop_is_pulled(int role)
{
  return role > DS_SOP_MOVES;
}

/* What kernels report. */
typedef struct {
  /* The first fault in time: turn << 32 | the number of a molecule with a force out of range, whose coordinates are in
     ds_sop_kernel_motion.coordinate then, or DS_SOP_FAULT_FAR | a bead that would move too far, or DS_SOP_FAULT_TIP | a
     molecule whose tip would, or DS_SOP_FAULT_PIVOT | a bead at which the mobility matrix is not positive. All ones: none.
     turn: order * step + half, of steps counted from the first of the call. */
  unsigned long long fault;
  int done;   /* steps that were made */
  int half;   /* 1: and the first half of one of second order */
  int far;    /* 1: the outer list is to be made anew */
  int full;   /* longest row of a list that had no room; 0: none */
  int listed; /* of the scheme block: pairs of a molecule on the longest list so far */
} ds_sop_report;

enum { DS_SOP_FAULT_FAR = 1 << 29, DS_SOP_FAULT_TIP = 1 << 30, DS_SOP_FAULT_PIVOT = DS_SOP_FAULT_FAR | DS_SOP_FAULT_TIP };

enum { DS_SOP_FLAG_NEAR = 1, DS_SOP_FLAG_FAR = 2, DS_SOP_FLAG_FAULT = 4 };

/* Beads i and j of a pair in one word: four times their numbers, which are offsets in arrays of words. */
#define DS_SOP_PACK(i, j) ((uint32_t) (4 * (i)) | (uint32_t) (4 * (j)) << 16)

/* What all kernels read of a motion; device pointers. */
typedef struct {
  int beads; /* of a molecule */
  int molecules;
  int steps;
  int64_t first; /* number of the first step */
  uint64_t seed;
  ds_sop_step_units units;
  ds_sop_repulsionf angle, other;
  float cut2, soft2;
  int64_t *position; /* three per bead */
  const uint64_t *id;
  const double *outside; /* force, three per bead; or NULL */
  int32_t *noise;        /* of the last step, three per bead */
  int32_t *coordinate;   /* takes those at a fault, three per bead */
  ds_generator_kind generator;
  void *states;          /* of generators */
  const int32_t *role;   /* by bead of a molecule; NULL: all move */
  const int32_t *pulled; /* beads of a molecule */
  const int32_t *weight; /* theirs */
  int pulled_count;
  const ds_sop_anchor *anchor;
  ds_sop_pull_step pull; /* travel is that of each step: */
  double pull_speed;     /* ds_sop_cantilever_scale, times what this shows: */
  ds_sop_clock pull_clock;
  ds_sop_tip *tip; /* by molecule; NULL: there are none */
  ds_sop_indenter indenter;
  ds_sop_tip_step tip_step; /* base is that of each step: */
  double tip_speed;         /* ds_sop_cantilever_scale, times what this shows: */
  ds_sop_clock tip_clock;
  unsigned long long *tip_bead_forces; /* three by molecule: sum of the forces of its tip on its beads; 0 between steps */
  ds_sop_report *report;
} ds_sop_kernel_motion;

typedef struct ds_sop_cuda {
  ds_queue s;
  ds_sop_scheme scheme;
  int multiprocessors, block_shared; /* of the device; bytes that a block may have */
  ds_buffer position, id, outside, noise, coordinate, states, role, pulled, weight, anchor, tip, tip_bead_forces, report;
  int has_outside;
  uint64_t changes; /* of pulling and indentation that the device knows of: ds_sop.changes */
  /* topology */
  int candidates;                              /* pairs of a molecule that are not excluded */
  int listed;                                  /* those that were near, of the molecule that had most; 0: no list yet */
  ds_buffer bonded_first, bonded, bonded_mate; /* int32, int4, int32: rows by bead of a molecule */
  ds_buffer exclusion_first, exclusion;        /* int32: ds_sop_model.exclusions */
  int bonded_entries;
  /* of the scheme block, for blocks of `group` molecules; 0: not made */
  int group;
  /* int4, 32 to a turn: DS_SOP_PACK(i, j) and up to three coefficients; -1: none */
  ds_buffer block_bonded;
  ds_buffer candidate; /* DS_SOP_PACK(i, j), along diagonals */
  /* of the scheme particle: particle_cuda.h */
  ds_buffer x[2], position2, outer, outer_count, inner, inner_count, reference[2], half[3], force, barrier, bonded_slot, mate,
      slot;
  int outer_is_made, outer_room, inner_room;
  /* hydrodynamic interactions: hydro_cuda.h */
  ds_buffer hydro_bead, push, own_noise, hydro_sum, entries, product, triangle, made;
  ds_list list; /* of the neighbor engine, from which an outer list can be made */
  ds_buffer list_position, extent;
} ds_sop_cuda;

#ifdef __cplusplus
extern "C" {
#endif

ds_status ds_sop_cuda_topology(const ds_sop *sop, ds_sop_cuda *g, ds_error *err);

/* Pairs of blocks of `group` molecules; waits, where the device has not got them. */
ds_status ds_sop_cuda_block_pairs(const ds_sop *sop, ds_sop_cuda *g, int group, ds_error *err);

/* block_cuda.cu: whether a molecule's size is one for it; all steps of all molecules. */
int ds_sop_block_fits(const ds_sop *sop, const ds_sop_cuda *g);
ds_status ds_sop_cuda_blocks(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err);

/* particle_cuda.cu */
ds_status ds_sop_cuda_particles(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err);

/* Forces at the positions, into g->force. */
ds_status ds_sop_cuda_particle_forces(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err);

/* hydro_cuda.cu: all steps of all molecules with hydrodynamic interactions, and how many of them a launch may have. */
ds_status ds_sop_cuda_hydro(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err);
int32_t ds_sop_cuda_hydro_steps(const ds_sop *sop, const ds_sop_cuda *g);

/* Radii, and which beads are fixed. */
ds_status ds_sop_cuda_hydro_beads(const ds_sop *sop, ds_sop_cuda *g, ds_error *err);

/* free_cuda.cu: beads of no molecule, which come from bead `first` on. */
ds_status ds_sop_cuda_free_beads(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, int64_t first, int64_t count,
                                 ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
