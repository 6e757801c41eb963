/* State of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later

   Data's way: the caller's arrays, or copies of them on the device, messages or owners of ghosts -> keys, order, cells,
   rows (list) and atoms by slot, the sorted order, with integer positions and signatures -> sweep -> the caller's force
   array, or a copy that goes back. */
#ifndef DPDSOP_PAIR_CUDA_H
#define DPDSOP_PAIR_CUDA_H

#include "../particles/atoms_cuda.h"
#include "../neighbor/list_cuda.h"
#include "sweep_cuda.h"
#include "pair_state.h"

/* Where kernels put one kind of result. If the caller's array is on the device, kernels add to it. If it is in pinned host
   memory, it is copied to the device, kernels add to the copy, and the copy goes back. If it is in other host memory,
   kernels write into an array of their own, which is copied to the host, and the host adds it to the caller's. */
typedef struct {
  ds_array wanted;
  int components;
  int added_by_host;
  size_t cleared; /* bytes of the device's memory when it was cleared */
  ds_mirror mirror;
} ds_cuda_result;

typedef struct {
  ds_queue stream;
  ds_atoms_cuda atoms;
  ds_slots_cuda slots;
  ds_list_cuda list;
  ds_status load_status; /* what the host found wrong with the atoms loaded */
  ds_error load_error;
  ds_versions gathered; /* what the arrays by slot are of */
  int by_type;          /* the list depends on types */
  int list_unchecked;   /* built, but whether it had room has not been looked at */
  int evaluated;        /* an evaluation has been queued and not looked at */
  /* tables of the model */
  ds_staging coeff_host, list2_host;
  ds_buffer coeff, list2;
  int model_version;
  ds_buffer read_start, read_entries;   /* of a list that is read back */
  ds_cuda_result force, energy, virial; /* of the last evaluation queued */
  int have_sums;                        /* some evaluation has wanted them */
  int sums_queued;                      /* and they have not been looked at */
  ds_sweep_io io;                       /* of it, to name a fault */
  /* an evaluation that has been begun without ghosts */
  int split_order;      /* version of the order whose rows have been split; 0: none */
  ds_side inner, ghost; /* where it is made, and where ghosts are meanwhile */
  int begun, rows_begun;
  ds_versions begun_with;
} ds_cuda_state;

/* Rows without ghosts that a GPU is busy with for longer than it takes to launch the rest, as of the default. */
enum { DS_WORTH_BEGINNING = 262144 };

static inline int ds_cuda_least_begun(const ds_pair *pair)
{
  return pair->options.begin_rows ? pair->options.begin_rows : (int) DS_WORTH_BEGINNING;
}

/* Tables of the model, where they changed. */
ds_status ds_cuda_send_tables(ds_pair *pair, ds_error *err);

/* The error of what has been loaded, if there is one. */
ds_status ds_cuda_loaded(const ds_cuda_state *c, ds_error *err);

/* Atoms by slot, where they are out of date; or a part of them. */
ds_status ds_cuda_gather(ds_pair *pair, ds_error *err);
ds_status ds_cuda_gather_part(ds_pair *pair, ds_gathered which, ds_error *err);

/* lists_cuda.cu */
ds_status ds_cuda_build_list(ds_pair *pair, ds_error *err);

/* Waits for a list that was built, and gives it the room that it wants. An error where an evaluation was queued behind
   it, which its caller has to queue once more. */
ds_status ds_cuda_settle_list(ds_pair *pair, ds_error *err);

ds_status ds_cuda_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries,
                            ds_error *err);

/* forces_cuda.cu */
ds_status ds_cuda_begin(ds_pair *pair, const ds_pair_result *wanted, ds_error *err);
ds_status ds_cuda_enqueue(ds_pair *pair, const ds_pair_result *wanted, ds_error *err);
ds_status ds_cuda_check(ds_pair *pair, ds_pair_result *result, int64_t *again, ds_error *err);

#endif
