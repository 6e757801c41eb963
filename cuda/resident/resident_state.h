/* A resident object: what both backends share, and the backend's functions.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_STATE_H
#define DPDSOP_RESIDENT_STATE_H

#include "bonded.h"
#include "dpdsop/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_motion_backend ds_motion_backend;

enum { DS_KINETIC_SETS = 2 };

/* Where time goes. The host backend adds up what it needs; on the CUDA backend, where work is queued, some steps of a
   stretch are measured, and stand for the others. resident_times.c */
typedef struct {
  double spent[DS_TIMES];                /* host: ms in this stretch */
  double step[DS_TIMES], list[DS_TIMES]; /* CUDA: ms per step, per rebuild, as measured last */
  int measuring, measured;               /* this stretch; steps of it */
  unsigned stretches;                    /* long ones since all is known */
} ds_times;

struct ds_resident {
  const ds_motion_backend *backend;
  void *state; /* the backend's own */
  ds_pair *pair;
  ds_resident_atoms atoms; /* the caller's arrays; mass points to a copy */
  double *mass;
  ds_motion motion;
  ds_wrap wrap;
  ds_bonded_lists bonded;
  int have_atoms, have_motion, have_wrap, have_reference;
  const int32_t *type_of_caller; /* in the caller's array, from which they come */
  int kinetic_taken[DS_KINETIC_SETS];
  ds_times times;
  int reordered; /* the caller's arrays are in another order */
};

/* What one call moves. */
typedef struct {
  int64_t step; /* in which it ends */
  int second;   /* second half of the step before */
  int first;    /* first half of this one */
  int clear;    /* and forces become 0 */
  int check;    /* stop where an atom has moved by more than the root of trigger2 */
  double trigger2;
} ds_advance;

/* Why work has stopped. A rebuild in that step mends what has moved and lists that are too small; bonds are the caller's. */
typedef enum {
  DS_GOES_ON = 0,
  DS_STOP_MOVED,
  DS_STOP_OUTSIDE,
  DS_STOP_LIST,
  DS_STOP_BONDED
} ds_stop_reason;

/* Arguments have been checked by the caller (resident.c). */
struct ds_motion_backend {
  ds_status (*open)(ds_resident *r, ds_error *err);
  void (*close)(ds_resident *r);
  ds_status (*set_atoms)(ds_resident *r, ds_error *err);
  ds_status (*to_engine)(ds_resident *r, int fields, ds_error *err);
  ds_status (*to_host)(ds_resident *r, int fields, ds_error *err);
  ds_array (*array)(const ds_resident *r, int field);
  ds_status (*set_reference)(ds_resident *r, ds_error *err);
  ds_status (*reference_to_host)(ds_resident *r, ds_error *err);
  ds_status (*take_kinetic)(ds_resident *r, int set, ds_error *err);
  ds_status (*kinetic)(const ds_resident *r, int set, const double **terms, ds_error *err);
  ds_status (*advance)(ds_resident *r, const ds_advance *a, ds_error *err);
  ds_status (*wrap)(ds_resident *r, int64_t step, ds_error *err);
  /* Where there are bonds. Of the lists that have been set, a copy; then, queued, their images for reference positions;
     their forces. At last, waiting, their sums. */
  ds_status (*set_bonded)(ds_resident *r, ds_error *err);
  ds_status (*bonded_images)(ds_resident *r, int64_t step, ds_error *err);
  ds_status (*bonded_forces)(ds_resident *r, int64_t step, ds_error *err);
  ds_status (*bonded_sums)(ds_resident *r, ds_bonded_sums *sums, ds_error *err);
  /* Something has stopped the work queued: looked at without waiting. Then `end` is to be called. */
  int (*stopped)(const ds_resident *r);
  /* Waits until at most `ahead` steps of those marked are unfinished. */
  ds_status (*mark_step)(ds_resident *r, int ahead, ds_error *err);
  /* Waits for all that was queued. `step`: that in which it has stopped, where there is a reason. */
  ds_status (*end)(ds_resident *r, ds_pair_result *result, ds_stop_reason *why, int64_t *step,
                   ds_error *err);
  /* Where it has arrays of its own. `composed`: they have been sorted since the caller's were in their order. */
  ds_status (*sort)(ds_resident *r, const ds_sort_bins *bins, int composed, ds_error *err);
  ds_status (*order)(ds_resident *r, int32_t *order, ds_error *err);
  void (*identity)(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask);
  int own_copies; /* has arrays of its own */
};

extern const ds_motion_backend ds_motion_host_backend, ds_motion_host_copies_backend;
#ifdef DS_HAVE_CUDA
extern const ds_motion_backend ds_motion_cuda_backend;
#endif

/* What resident.c and resident_run.c share. The wrap sees to images of bonds for the new positions. */
ds_status ds_resident_need_atoms(const ds_resident *r, ds_error *err);
ds_status ds_resident_need_motion(const ds_resident *r, ds_error *err);
ds_status ds_resident_need_reference(const ds_resident *r, ds_error *err);
int ds_resident_has_bonds(const ds_resident *r);
ds_status ds_resident_wrap(ds_resident *r, int64_t step, ds_error *err);

/* The arrays that a backend may have of its own, as ds_resident_atoms names them. */
typedef enum {
  DS_OWN_X = 0,
  DS_OWN_V,
  DS_OWN_F,
  DS_OWN_IMAGE,
  DS_OWN_TYPE,
  DS_OWN_MASK,
  DS_OWN_RMASS,
  DS_OWN_TAG,
  DS_OWN_ARRAYS
} ds_own_array;

typedef struct {
  int field; /* that it belongs to: DS_POSITION ... */
  int components;
  const char *copying;
} ds_own_kind;

extern const ds_own_kind ds_own_kinds[DS_OWN_ARRAYS];
ds_array *ds_own_array_of(ds_resident_atoms *a, ds_own_array which);
size_t ds_own_bytes(const ds_resident_atoms *a, ds_own_array which); /* 0: there is none */

/* Before a stretch; around work on the host; after a step has been queued; after all are over. */
void ds_times_begin(ds_resident *r, int64_t steps);
double ds_times_now(void); /* ms */
void ds_times_add(ds_resident *r, int what, double since);
void ds_times_step(ds_resident *r);
void ds_times_end(ds_resident *r, int64_t steps, int64_t reneighborings, double ms[DS_TIMES]);

/* Of an array of n atoms whose components lie behind each other. */
static inline size_t ds_field_bytes(int n, int components, ds_type type)
{
  return (size_t) n * (size_t) components * (type == DS_F64 || type == DS_I64 ? 8 : 4);
}

#ifdef __cplusplus
}
#endif
#endif
