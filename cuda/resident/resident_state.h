/* A resident object: the atoms, the stages of a step on either backend.   SPDX-License-Identifier: GPL-2.0-or-later

   resident.c is the public interface, resident_run.c makes many steps, resident_sort.c puts atoms in another order. They
   work on either backend: what differs is in the stages (motion_host.c, motion_cuda.cu) and in the pair's queue. */
#ifndef DPDSOP_RESIDENT_STATE_H
#define DPDSOP_RESIDENT_STATE_H

#include "../force/pair_state.h"
#include "../kspace/mesh.h"
#include "bonded.h"
#include "dpdsop/resident.h"
#include "step.h"

DS_C_BEGIN

/* Arrays that a resident object may have of its own, as ds_resident_atoms names them (resident.c); anchors come last. */
enum { DS_OWN_ANCHOR = 10, DS_OWN_ARRAYS = DS_OWN_ANCHOR + DS_MAX_ANCHORS };

typedef struct {
  size_t offset; /* of the array, of anchors the first one, in ds_resident_atoms */
  int field;     /* that it belongs to: DS_POSITION ... */
  int components;
  ds_type type, or_type; /* of its elements */
  int required;          /* 0: its data may be NULL */
  const char *name;
} ds_own_kind;

/* What all particles do in a box; first of all, tell whether they have left it where it is not periodic. In a tilted one:
   positions to fractions, which are kept, and back; reference positions to fractions. */
typedef enum { DS_BOX_OUTSIDE, DS_BOX_WRAP, DS_BOX_FLIP, DS_BOX_CONVERT, DS_BOX_FRACTIONS } ds_box_move;

/* Queued. Those with a step stop where something stands in the control block: atoms that have moved too far, left a box that
   is not periodic, bonds too long. */
typedef struct {
  /* only the first two stop; flips: of DS_BOX_FLIP alone */
  ds_status (*move)(ds_queue *q, ds_box_move how, const ds_resident_view *a, const ds_wrap *w, const int flips[3], int64_t step,
                    ds_error *err);
  /* the order by bins; what has no room yet is the pool's */
  ds_status (*find_order)(ds_queue *q, ds_pool *pool, ds_sort_space *w, const ds_resident_view *a, const ds_sort_bins *bins,
                          ds_error *err);
  /* n elements of `components` words of 4 or 8 bytes in an order; `back`: as they were before they had been put in it. Order
     NULL: as they are. */
  ds_status (*put)(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components, int bytes,
                   ds_error *err);
  const ds_bonded_stages *bonded;
} ds_resident_stages;

extern const ds_resident_stages ds_resident_stages_host, ds_resident_stages_cuda;

/* Where time goes. On the CUDA backend, where work is queued, some steps of a run are measured, and stand for the
   others. resident_run.c */
typedef struct {
  double step[DS_TIMES], list[DS_TIMES]; /* CUDA: ms per step, per rebuild, as measured last */
  int measuring, measured;               /* this run; steps of it */
  unsigned long_runs;                    /* long ones since all is known */
} ds_times;

struct ds_resident {
  ds_pair *pair;
  ds_queue *queue; /* the pair's */
  const ds_resident_stages *stages;
  ds_pool memory;            /* of the kind that the queue has */
  int own_copies;            /* the engine has arrays of its own */
  ds_resident_atoms callers; /* arrays of the caller */
  ds_resident_atoms atoms;   /* arrays that stages work on, which may be the same */
  ds_buffer own[DS_OWN_ARRAYS], mass, x_ref;
  ds_buffer fraction; /* in a tilted box: fractions that reference positions have been made of */
  int have_fractions;
  int64_t wrap_step;               /* step of the last wrap; in this step positions are those made of fractions; -1: none */
  ds_steps steps, once;            /* once: of ds_resident_add_once */
  int reads_tallies;               /* some operation of a step reads energies or virials by atom */
  ds_buffer tally[2 * DS_TALLIES]; /* energies by atom, then virials, in the order of ds_tally */
  ds_wrap wrap;
  ds_bonded_lists bonded;
  ds_mesh mesh;
  int has_mesh;
  ds_side mesh_side; /* CUDA: where fields of the mesh are found beside forces of pairs; */
  int mesh_is_begun; /* these have been begun, and nobody has waited for them yet; of these atoms: */
  ds_mesh_atoms mesh_atoms;
  ds_sort_space order; /* the last sort by bins: old index by new one */
  ds_buffer composed;  /* int32: of all sorts since the caller's arrays were in this order */
  ds_buffer spare;     /* room for one field */
  ds_buffer spare_words[2]; /* of several GPUs: for a field of one number per atom, of 4 or 8 bytes. Each GPU has the part that
                               it has of the field. */
  ds_buffer followed; /* int32: during a run whose arrays follow the order of lists, what that made of the order at its begin */
  int have_atoms, have_steps, have_wrap, have_reference;
  ds_times times;
  int bodies_checked;  /* numbers of bodies are those of bodies that there are */
  int reordered;       /* the caller's arrays are in another order */
  int have_tags;       /* those of the atoms have been copied */
  ds_error broken_off; /* the error that has ended steps in the middle, until atoms are set again; code DS_OK: none */
};

static inline int ds_resident_has_bonds(const ds_resident *r)
{
  return ds_bonded_terms(&r->bonded) > 0;
}

/* Why work has stopped. A rebuild in that step mends what has moved and lists that are too small; bonds are the caller's. */
typedef enum { DS_NOT_STOPPED = 0, DS_STOP_MOVED, DS_STOP_OUTSIDE, DS_STOP_LIST, DS_STOP_BONDED } ds_stop_reason;

/* What resident.c and its neighbors share. */
const ds_own_kind *ds_own_kind_of(int which);
ds_array *ds_own_array_of(ds_resident_atoms *a, int which);
/* Instead of ds_queue_leave, where steps may have begun: */
ds_status ds_resident_leave(ds_resident *r, ds_status status, ds_error *err);
ds_status ds_resident_need_atoms(const ds_resident *r, ds_error *err);
ds_status ds_resident_need_steps(const ds_resident *r, ds_error *err);
ds_status ds_resident_check_bodies(ds_resident *r, ds_error *err); /* before steps */
ds_status ds_resident_need_reference(const ds_resident *r, ds_error *err);
/* What all wraps want, and images of bonds. */
ds_status ds_resident_need_wrap(const ds_resident *r, ds_error *err);
ds_bonded_view ds_resident_bonded_view(const ds_resident *r, int64_t step); /* positions are those of `step` */
ds_resident_view ds_resident_view_of(const ds_resident *r);
ds_resident_view ds_resident_view_with(const ds_resident_atoms *a, int threads, double *x_ref, const double *mass);
/* A caller's arrays: types, layouts, and whether they are in memory of that space. */
ds_status ds_resident_check_fields(const ds_queue *q, ds_space space, const ds_resident_atoms *a, ds_error *err);
/* Among operations first .. end - 1 is one that may have no place for a particle. */
int ds_resident_may_fail(const ds_resident *r, int first, int end);
ds_status ds_resident_advance(ds_resident *r, const ds_advance *how, ds_error *err);
ds_status ds_resident_copy_reference(ds_resident *r, ds_error *err); /* from positions of now */
ds_status ds_resident_reserve_fractions(ds_resident *r, ds_error *err);
/* Fractions of reference positions, where the caller has not given them. */
ds_status ds_resident_find_fractions(ds_resident *r, ds_error *err);
/* Of reference positions: those of the last rebuild. */
ds_status ds_resident_choose_images(ds_resident *r, int64_t step, ds_error *err);
ds_status ds_resident_check_wrap(const ds_resident *r, ds_error *err);
/* Sees to images of bonds for the new positions, too. */
ds_status ds_resident_wrap(ds_resident *r, int64_t step, ds_error *err);
/* Forces of terms are made; and, with `added`, added to those of atoms, else the next advance has to. */
ds_status ds_resident_make_bonds(ds_resident *r, const ds_bonded_view *b, int added, int64_t step, ds_error *err);
ds_status ds_resident_sum_bonds(ds_resident *r, int64_t step, ds_error *err); /* for ds_bonded_take_sums */
/* resident_mesh.c: forces are added. On the GPU fields may be begun before forces of pairs are queued: then they are found
   beside these, as neither keeps the GPU busy all the time. What has been begun is to be awaited, whatever happens.
   is_list_kept: 0 where the pair object's list is going to be built meanwhile, and nobody may look at it. */
ds_status ds_resident_queue_mesh(ds_resident *r, int sums, int64_t step, ds_error *err);
ds_status ds_resident_begin_mesh(ds_resident *r, int is_list_kept, int sums, int64_t step, ds_error *err);
ds_status ds_resident_await_mesh(ds_resident *r, ds_error *err);
/* resident_tallies.c. What operations at the end of the step read by atom: of pairs into the request, where that has no array
   for it, or in place of its own (`all`), which ds_resident_bring_pairs fills afterwards; of bonds and angles, queued. */
int ds_program_reads_tallies(const ds_step_program *p);
ds_status ds_resident_request_pairs(ds_resident *r, int64_t step, int all, ds_pair_request *request, ds_error *err);
ds_status ds_resident_queue_tallies(ds_resident *r, int64_t step, ds_error *err);
ds_status ds_resident_bring_pairs(ds_resident *r, int64_t step, const ds_pair_request *wanted, ds_error *err); /* waits */
ds_status ds_resident_check_wanted(const ds_resident *r, const ds_pair_request *wanted, int64_t step, ds_error *err);
/* resident_sort.c. During a run atoms may lie in the order of the list, so that what reads or writes both arrays and sorted
   particles finds neighbors side by side. Whether a run may do so; all fields in the order of the last list, behind which a
   rebuild has to follow; and back in the order that they had when the run began, with the list. Queued where nothing may still
   stop. */
int ds_resident_may_follow_list(const ds_resident *r, const ds_run_request *request);
ds_status ds_resident_follow_list(ds_resident *r, ds_error *err);
ds_status ds_resident_return_from_list(ds_resident *r, ds_error *err);
/* Puts bonds in the new order after atoms have been sorted. */
ds_status ds_resident_sort_bonds(ds_resident *r, ds_error *err);
/* Between an array of the caller's, in his order, and one of the engine's; out: to the caller's. Queued. */
ds_status ds_resident_copy(ds_resident *r, int out, void *engine, void *caller, int components, int bytes, const char *what,
                           ds_error *err);

/* Waits for all that was queued. `step`: that in which it has stopped, where there is a reason. */
ds_status ds_resident_wait(ds_resident *r, ds_pair_totals *totals, ds_stop_reason *why, int64_t *step, ds_error *err);

DS_C_END
#endif
