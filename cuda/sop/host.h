/* State of the host backend.   SPDX-License-Identifier: GPL-2.0-or-later

   Places: with the scheme block, many molecules stand in blocks of DS_SOP_LANES (kernels.h), the last of which is filled up
   with copies of the last molecule; otherwise a bead's place is its number. Free beads come after all molecules. */
#ifndef DPDSOP_SOP_HOST_H
#define DPDSOP_SOP_HOST_H

#include "kernels.h"
#include "state.h"

typedef struct {
  ds_pool pool;
  ds_isa isa;
  ds_sop_scheme scheme;
  int blocks;     /* of molecules; 0 unless the scheme is block */
  int lanes;      /* molecules in a block: DS_SOP_LANES, or 1 where they are few */
  size_t free_at; /* place of the first free bead */
  size_t places;
  double skin;  /* length */
  float moved2; /* squared distance of a bead from where it was when lists were made that calls for new ones; units */
  /* by place */
  ds_buffer id;             /* uint64 */
  ds_buffer position[3];    /* int64 */
  ds_buffer x[3];           /* int32: coordinates */
  ds_buffer reference[3];   /* int32: coordinates when the list was made */
  ds_buffer force[2][3];    /* int32: now, and at the beginning of a step of second order */
  ds_buffer predicted[3];   /* int32: displacement by the first half of a step of second order */
  ds_buffer outside[3];     /* float: displacement by forces from outside */
  ds_buffer other[3];       /* float: the same and what pulls */
  ds_buffer moves;          /* int32: 0 where the bead is fixed, else -1 */
  ds_buffer noise[3];       /* int32: displacement by noise in the last step */
  ds_buffer words[4];       /* uint32: random; of both halves of a step of second order */
  ds_buffer states;         /* of generators */
  ds_buffer outside_force;  /* double, three by bead: as given */
  double outside_per_force; /* that `outside` was made with; 0: it is to be made anew */
  uint64_t changes;         /* of pulling and indentation that `moves` and `other` know of: ds_sop.changes */
  ds_sop_indenter indenter;
  ds_buffer tip_bead_forces; /* int64, three by molecule: sum of the forces of its tip on its beads */
  ds_sop_list *block_list;   /* by block; rows 0: not made */
  ds_sop_list list;          /* of the other schemes */
  int list_is_made;
  /* of the scheme pair, by kind: pairs, and slots, which stand in rows of beads */
  ds_buffer pair[DS_SOP_LISTED + 1][5]; /* i, j, coefficient: int32; slot_i, slot_j: uint32 */
  int64_t pairs[DS_SOP_LISTED + 1];
  ds_buffer slot_first, slots; /* int64, int32 */
  /* with hydrodynamic interactions, by place: hydro_host.h */
  ds_buffer push[3], own_noise[3]; /* float */
  ds_buffer hydro_sum[10];         /* int64 */
  ds_buffer own_normal, product;   /* double, three per place: own_noise, and its product with the factor */
  ds_buffer triangle;              /* double: a matrix for each thread */
} ds_sop_host;

/* The place of a bead. */
static inline size_t ds_sop_place(const ds_sop *sop, const ds_sop_host *h, int64_t bead)
{
  const int64_t n = sop->model.topology.beads, m = bead / n;
  if (h->blocks == 0) return (size_t) bead;
  if (m >= sop->molecules) return h->free_at + (size_t) (bead - sop->molecules * n);
  return (size_t) ((m / h->lanes * n + bead % n) * h->lanes + m % h->lanes);
}

/* The bead whose data a place takes: its own, or, in the last block, that of the last molecule. */
static inline int64_t ds_sop_bead_of_place(const ds_sop *sop, const ds_sop_host *h, size_t place)
{
  const int64_t n = sop->model.topology.beads;
  if (h->blocks == 0) return (int64_t) place;
  if (place >= h->free_at) return sop->molecules * n + (int64_t) (place - h->free_at);
  const int64_t row = (int64_t) place / h->lanes, lane = (int64_t) place % h->lanes;
  const int64_t m = row / n * h->lanes + lane;
  return (m < sop->molecules ? m : sop->molecules - 1) * n + row % n;
}

/* What a step needs that does not change in it. */
typedef struct {
  ds_sop_step_units units;
  int64_t number;
  int last; /* of the call: its noise is kept */
  const ds_sop_motion *motion;
} ds_sop_host_step;

/* host_advance.c: for ds_sop_backend_functions. */
ds_status ds_sop_host_advance(ds_sop *sop, const ds_sop_motion *motion, ds_sop_fault *fault, ds_error *err);
ds_status ds_sop_host_forces(ds_sop *sop, int32_t *force, ds_sop_fault *fault, ds_error *err);

/* host_move.c: moves places first to last - 1 by one step, or by half 0 or 1 of one of second order. Returns the lowest
   bead that would move too far, -1: none. */
int64_t ds_sop_host_move(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, size_t first, size_t last);

/* Random words of n places in a step. */
void ds_sop_host_words(const ds_sop *sop, ds_sop_host *h, int64_t step, size_t first, int n, uint32_t *const words[4]);

/* external_forces_host.c: what acts on beads besides eq. 1. Before steps: which beads are fixed, displacements by forces from
   outside. */
void ds_sop_host_prepare(const ds_sop *sop, ds_sop_host *h, double per_force);
/* Puts into `other` what pulls on a molecule. half 1: at the predicted positions, as the mean of both. */
void ds_sop_host_pull(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, int32_t molecule);
/* The forces of tips and planes on places first to last - 1 into force[0] (adds 0: not), and into tip_bead_forces those of
   tips. Returns 1 where one is out of range. */
int ds_sop_host_indenter_force(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last, int adds);
/* Moves all tips by the forces that ds_sop_host_indenter_force has found, and clears it. Returns the molecule whose tip would
   move too far, -1: none. */
int32_t ds_sop_host_move_tips(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half);

/* host_list.c: lists at the present coordinates, of a block or of all molecules. */
ds_status ds_sop_host_block_list(const ds_sop *sop, ds_sop_host *h, int block, ds_error *err);
ds_status ds_sop_host_list(const ds_sop *sop, ds_sop_host *h, ds_error *err);
/* Whether one of these places is too far from where it was when the list was made. */
int ds_sop_host_list_is_old(const ds_sop_host *h, size_t first, size_t last);

/* host_force.c: forces at the present coordinates into force[0]. All return 1 where one is out of range. Of a block of
   molecules; of beads; of pairs first to last - 1, all kinds counted on, into slots, which are then gathered. */
int ds_sop_host_block_forces(const ds_sop *sop, ds_sop_host *h, int block);
int ds_sop_host_bead_forces(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last);
int ds_sop_host_pair_forces(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last);
void ds_sop_host_gather(ds_sop_host *h, int64_t first, int64_t last);
int64_t ds_sop_host_pairs(const ds_sop_host *h); /* all kinds together */

#endif
