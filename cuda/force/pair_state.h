/* A pair object: what the caller has set, and what is made of it.   SPDX-License-Identifier: GPL-2.0-or-later

   pair.c, build_list.c, forces.c and check_forces.c are the public interface: what the caller sets, ghosts, lists, evaluations.
   All work on either backend: what differs is in the stages of particles, lists and forces, and in the queue. */
#ifndef DPDSOP_PAIR_STATE_H
#define DPDSOP_PAIR_STATE_H

#include "../neighbor/list.h"
#include "../particles/particles.h"
#include "../particles/sorted_fill.h"
#include "../styles/style.h"
#include "evaluation.h"

DS_C_BEGIN

/* How often something has been set or queued. What was made from it keeps the number, and is out of date when it differs.
   have_... in ds_pair: whether it has been given at all. */
typedef struct {
  int model, types, load, ghosts, order; /* types: and charges */
  int64_t evaluation;
} ds_versions;

/* Where stages put one kind of result. If the caller's array lies where they work, they add to it. If it is in pinned host
   memory, it is copied, they add to the copy, and the copy goes back. If it is in other host memory, they write into an
   array of their own, which is copied to the host, and the host adds it to the caller's. */
typedef struct {
  ds_array wanted; /* the caller's; where stages put it: ds_sweep_io.result */
  ds_array back;   /* where it is copied to from there */
  int added_by_host;
  ds_mirror mirror;
} ds_result_place;

/* An evaluation that has been begun without ghosts (begin_cuda.cu). */
typedef struct {
  int order;                /* version of the list whose blocks are known */
  ds_buffer ghosts, blocks; /* uint8: by cell, it holds ghosts; by block of rows, it needs none */
  ds_side inner, messages;  /* for the first part, and for messages meanwhile */
  int is_open;
  ds_versions begun_with;
} ds_begin;

/* Of the style that has some. Room for all atoms, with ghosts. */
typedef struct {
  ds_buffer of_slot, of_atom; /* reals, doubles */
  ds_buffer of_host;          /* a copy of the second one; where the host is the backend, there is none */
  ds_versions made;           /* what those of own atoms were made for */
  int arrived;                /* messages of ghosts since then */
} ds_densities;

/* The list of a style that acts on some atoms only, beside others that act on all (own_list_cuda.cu). */
typedef struct {
  int is_wanted;             /* where lists are split at all: ds_pair_splits_lists */
  ds_list_ranges ranges;     /* of this style */
  ds_mirror list2, type;     /* of the ranges; uint8 by type: the style acts on it */
  ds_list list;
  ds_buffer position, tag;   /* by row: x y z type, and int64, as lists read them */
  ds_buffer slot;            /* int32 by row: the slot of its atom. Entries are slots, too */
  int order;                 /* version of the pair object's list that it has been built with */
} ds_own_list;

/* A style with its coefficients, in a unit of length of its own. */
typedef struct {
  const ds_pair_style *style;
  const ds_force_stages *stages;
  ds_sweep_tables tables;
  int have_model;
  ds_frame frame;
  ds_mirror coeff; /* of the tables, where stages work */
  ds_own_list own;
  ds_evaluation evaluation;
} ds_interaction;

struct ds_pair {
  ds_queue queue;
  int interactions;
  ds_interaction interaction[DS_MAX_STYLES];
  ds_pair_options options; /* without the name of a code path, which is the caller's memory: see isa */
  ds_isa isa;              /* host code path, chosen once */
  ds_error no_gpu;         /* why backend auto took the host; an empty text where it did not */
  /* what the caller has set */
  ds_list_ranges ranges, shared; /* of all styles; of those that have no list of their own where lists are split */
  uint32_t seed, place; /* of the model with noise, or of the first one; among those with its seed */
  ds_box box;
  ds_frame frame; /* in the ranges' unit of length */
  int nlocal, nghost;
  int64_t step;
  int have_model, have_box, have_atoms, have_list, have_positions;
  ds_error fault; /* that an evaluation has found, until positions are loaded again; code DS_OK: none */
  ds_versions version;
  /* what is made of it */
  ds_particles particles;
  ds_sorted sorted;
  ds_list list;
  int by_type;                        /* the list depends on types */
  int follows_list;                   /* atoms are nearly in the order of the list; their identity is the caller's then */
  ds_identity own;                    /* in place of these, as stages read them otherwise */
  ds_mirror list2, shared_list2;      /* of the ranges, where stages work */
  ds_result_place result[DS_RESULTS]; /* of the last evaluation queued */
  ds_densities densities;
  ds_begin begin;
  ds_versions sent;                /* model: of the tables */
  ds_versions gathered;            /* that the sorted particles were made for; load -1: for a step to come, if at all */
  uint64_t charges_at;             /* queue.resumes when their charges were queued last: later ones have undone it */
  ds_ranking ranking;              /* what the latest order has left to the gather */
  int64_t filled_for;              /* step that a motion has made sorted particles for; -1: none */
  uint64_t filled_at;              /* queue.resumes then: later ones have undone it */
  int filled_sums;                 /* 1: it has cleared the sums of that step's sweep, too */
  ds_versions repeatable;          /* after an evaluation that ds_pair_sweep can make again */
  ds_versions checked;             /* order: the last list whose room has been checked; evaluation: the last one checked */
  int64_t evaluations_before_list; /* how many had been queued when the list was */
  int64_t tallied;                 /* the last evaluation that wanted sums; 0: none has */
};

static inline int ds_is_double(const ds_pair *pair)
{
  return pair->options.precision == DS_PRECISION_DOUBLE;
}

/* What may be wanted of a virial. */
static inline ds_status ds_check_virial(int wanted, ds_error *err)
{
  if (wanted == 0 || wanted == DS_VIRIAL_WHOLE || wanted == DS_VIRIAL_DIAGONAL) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "virial %d wanted; allowed: 0 (none), %d (whole), %d (its diagonal)", wanted,
                 DS_VIRIAL_WHOLE, DS_VIRIAL_DIAGONAL);
}

/* Energies and virials are wanted of some kind. */
static inline int ds_wants_tally(const ds_pair_request *r)
{
  return r->want_energy || r->want_virial || r->eatom.data || r->vatom.data;
}

/* And of those xx, yy and zz of the global virial alone. */
static inline int ds_wants_diagonal(const ds_pair_request *r)
{
  return !r->want_energy && r->want_virial == DS_VIRIAL_DIAGONAL && !r->eatom.data && !r->vatom.data;
}

/* build_list.c: what the rows of all lists are made from, but for ranges; and that. */
ds_list_source ds_pair_list_source(const ds_pair *pair, const ds_list_ranges *ranges, const ds_mirror *list2,
                                   const ds_grid *grid);

/* Queued. An evaluation behind a list that turns out to be too small is stopped. */
ds_status ds_pair_queue_list(ds_pair *pair, ds_error *err);

/* Waits for a list that was built, and gives it the room that it wants. An error where an evaluation was queued behind
   it, which its caller has to queue once more. */
ds_status ds_pair_settle_list(ds_pair *pair, ds_error *err);

/* forces.c, queued: sorted particles, where they are out of date, or some of them, whatever their date; all that a sweep wants
   but these. */
ds_status ds_pair_gather(ds_pair *pair, ds_gathered which, ds_error *err);
ds_status ds_pair_prepare_sweeps(ds_pair *pair, const ds_pair_request *wanted, ds_error *err);

/* Sorted particles of a GPU stay in a cache of 50 MB. Of more atoms, to write them in another order than theirs takes longer
   than to gather them. */
static inline int ds_pair_stays_in_cache(const ds_pair *pair)
{
  enum { MAX_ATOMS_IN_CACHE = 400000 };
  return pair->nlocal / pair->queue.gpus.n <= MAX_ATOMS_IN_CACHE;
}

/* On the GPU, where the next evaluation is that of step `step`, in the box that has been set, of the same arrays and with the
   same list: what whoever moves the atoms fills, with positions and velocities as they then are. with_sums: energies or virials
   are wanted then. waits: the motion waits for the memory anyway, as where forces of bonds are added. Returns 0 where atoms
   have to be gathered. After the motion has been queued, ds_pair_sorted_are_filled says that it is the one whose particles
   ds_pair_load or ds_pair_set_step finds. */
int ds_pair_may_fill_sorted(const ds_pair *pair, int64_t step, int with_sums, int waits, ds_sorted_fill *to);
void ds_pair_sorted_are_filled(ds_pair *pair, int64_t step, const ds_sorted_fill *filled);

/* Whether the sweep on the GPU may end rows with operations on their atoms (row_end.h): the forces of one style are all that it
   adds up, and rows are so few that a kernel less is worth more than what the sweep takes longer. What it does then, until it
   is told otherwise; NULL: nothing. */
int ds_pair_may_end_rows(const ds_pair *pair);
void ds_pair_end_rows(ds_pair *pair, const ds_row_end *end);

/* The last evaluation once more, in a later step, when the same arrays have new positions and velocities: ds_pair_set_step in
   place of ds_pair_load, ds_pair_sweep in place of ds_pair_enqueue, without what these check and prepare. It may be repeated
   where it is the one of this number (version.evaluation), which its caller has queued right behind ds_pair_load, with forces
   put where stages work, and no more wanted; and where nothing has been set, loaded or built since. */
int ds_pair_may_repeat(const ds_pair *pair, int64_t evaluation, int64_t step);
/* Atoms get other numbers, in all arrays; and the numbers that they had. Until then the caller's identity of them is read. */
void ds_pair_follow_list(ds_pair *pair, const ds_identity *callers);
void ds_pair_return_from_list(ds_pair *pair);
ds_status ds_pair_need_own_order(const ds_pair *pair, const char *what, ds_error *err); /* fails in between */
/* Arrays have other atoms: nothing is repeated, and no sorted particles have been filled. */
void ds_pair_forget_step(ds_pair *pair);
void ds_pair_forget_sorted(ds_pair *pair); /* what a motion has filled is not to be used */
void ds_pair_begin_load(ds_pair *pair, int64_t step); /* the part of both that positions have in common */
void ds_pair_set_step(ds_pair *pair, int64_t step);
ds_status ds_pair_sweep(ds_pair *pair, ds_error *err);

/* After a stop: evaluations that have been queued come to nothing, and stages go on. */
ds_status ds_pair_resume(ds_pair *pair, ds_error *err);

/* Positions, list, ghosts and types are those that something was made for. */
int ds_pair_are_as_then(const ds_pair *pair, const ds_versions *then);

/* density.c: room for densities of style k, if it has some. What a sweep of forces needs of them, queued before it. */
ds_status ds_density_prepare(ds_pair *pair, int k, ds_error *err);
ds_status ds_density_queue(ds_pair *pair, ds_error *err);

/* checks.c. An array of n atoms that stages can read, whose elements are of one of two types; where there are no atoms it may
   have no data. */
ds_status ds_check_array(const ds_queue *q, const ds_array *a, int n, ds_type type, ds_type or_type, const char *what,
                         ds_error *err);

/* All arrays and exclusions; of counts of special partners, where they are in host memory, their values too, and then
   max_special is set to the largest. */
ds_status ds_check_atoms(const ds_queue *q, ds_atoms *atoms, int ntypes, int threads, ds_error *err);

/* ranges.c. Ranges of all lists, after the tables of a style have changed: a list that lacks pairs then is given up. */
ds_status ds_pair_renew_ranges(ds_pair *pair, ds_error *err);

/* Tables of the models to where stages work, where they have changed; queued. */
ds_status ds_pair_send_tables(ds_pair *pair, ds_error *err);

/* An error where there are none: the fault that positions had, or the text. */
ds_status ds_pair_need_positions(const ds_pair *pair, const char *text, ds_error *err);
ds_status ds_pair_need_list(const ds_pair *pair, const char *text, ds_error *err);

/* "atom 12 has type 7 ...", 1-based. */
ds_status ds_pair_type_error(const ds_pair *pair, int64_t tag, int64_t type, ds_error *err);

/* Styles have lists of their own where one GPU has all atoms of the box. */
static inline int ds_pair_splits_lists(const ds_pair *pair)
{
  int some = 0;
  for (int k = 0; k < pair->interactions; k++) some |= pair->interaction[k].own.is_wanted;
  return some && !ds_queue_is_host(&pair->queue) && pair->queue.gpus.n == 1 && pair->nghost == 0 && pair->nlocal > 0;
}

static inline int ds_pair_has_own_list(const ds_pair *pair, int style)
{
  const ds_own_list *const own = &pair->interaction[style].own;
  return own->is_wanted && own->order == pair->version.order;
}

/* How many rows it has: as many as when it was built last, as far as the host knows. */
static inline int ds_own_list_rows(const ds_own_list *own)
{
  enum { FEWER = 8 }; /* of which nothing is known: it is of one atom in so many, say */
  const int rows = own->list.queue->control_host->rows[own->list.number];
  return rows ? rows : own->list.slots / FEWER;
}

/* The list of charged atoms, as the atoms are now; NULL: there is none. */
static inline const ds_own_list *ds_pair_charged_list(const ds_pair *pair)
{
  for (int k = 0; k < pair->interactions && pair->have_list; k++)
    if (pair->interaction[k].style->charged && ds_pair_has_own_list(pair, k) && pair->gathered.order == pair->version.order &&
        pair->gathered.types == pair->version.types)
      return &pair->interaction[k].own;
  return NULL;
}

/* Device memory: how many rows a list of a style's own has. The last range of its cells ends behind the last row. */
static inline const int32_t *ds_own_list_count(const ds_own_list *own)
{
  return DS_DATA(int32_t, own->list.cell_range) + 2 * ds_grid_count(&own->list.grid) - 1;
}

/* own_list_cuda.cu, likewise. After particles have been put into the order of the pair object's list. */
ds_status ds_own_lists_build(ds_pair *pair, ds_error *err);
/* After the pair object's list has been given other numbers of atoms, slots being what they were: theirs, too. */
ds_status ds_own_lists_number(ds_pair *pair, ds_error *err);

/* begin_cuda.cu, only in builds with CUDA (DS_WITH_CUDA). After a list has been queued: which blocks of its rows need no
   ghosts, where evaluations can be begun. */
ds_status ds_begin_find_inner(ds_pair *pair, ds_error *err);

/* ds_begin_forces is ds_pair_begin; ds_begin_finish is ds_pair_enqueue where is_open; ds_begin_give_up drops what was begun. */
ds_status ds_begin_forces(ds_pair *pair, const ds_pair_request *wanted, ds_error *err);
ds_status ds_begin_finish(ds_pair *pair, const ds_pair_request *wanted, ds_error *err);
ds_status ds_begin_give_up(ds_pair *pair, ds_error *err);

/* What is queued between these two goes on a stream of its own, and waits for nothing on the queue's stream. */
ds_status ds_begin_enter_messages(ds_pair *pair, ds_error *err);
ds_status ds_begin_leave_messages(ds_pair *pair, ds_status status, ds_error *err);
void ds_begin_close(ds_begin *b);

/* forces.c: what the host adds to the caller's arrays, once, when an evaluation is over. */
void ds_pair_add_results(ds_pair *pair);
/* Where an evaluation that has been stopped would be lost: the caller has to queue it once more. */
ds_status ds_pair_requeue_error(int64_t step, ds_error *err);

DS_C_END
#endif
