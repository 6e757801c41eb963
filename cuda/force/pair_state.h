/* A pair object: what both backends share, and the backend's functions.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PAIR_STATE_H
#define DPDSOP_PAIR_STATE_H

#include "../particles/host_reader.h"
#include "sums.h"
#include "dpdsop/device/neighbor.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_pair_backend ds_pair_backend;

/* How often something has been set. What was made from it keeps the number, and is out of date when it differs. */
typedef struct {
  int model, types, load, ghosts, order;
} ds_versions;

/* Whether atoms by slot, which are made from all but the model, are still good. */
static inline int ds_same_slots(const ds_versions *a, const ds_versions *b)
{
  return a->load == b->load && a->order == b->order && a->ghosts == b->ghosts &&
         a->types == b->types;
}

struct ds_pair {
  const ds_pair_backend *backend;
  void *state; /* the backend's own */
  const ds_pair_style *style;
  ds_pair_options options; /* without the name of a code path, which is the caller's memory: see isa */
  ds_isa isa;              /* host code path, chosen once */
  ds_sweep_tables tables;
  ds_box box;
  ds_frame frame;
  ds_grid grid;
  int nlocal, nghost;
  double shortest; /* cutoff of pairs that interact */
  uint32_t place; /* of the model among those with its seed */
  int64_t step;
  int have_model, have_box, have_atoms, have_list, have_positions;
  /* Lists in whose life an own atom was further outside than the slack: how many the host has found, the number
     (version.order) of the last of them, and how many the GPU has found */
  int64_t outlived_lists, outlived_list, outlived_on_gpu;
  ds_versions version;
  ds_error no_gpu; /* why backend auto took the host; an empty text where it did not */
};

/* Arguments have been checked by the caller (pair.c); the frame and, for build_list, the grid are
   current. */
struct ds_pair_backend {
  const char *name;
  ds_status (*open)(ds_pair *pair, ds_error *err);
  void (*close)(ds_pair *pair);
  ds_status (*set_atoms)(ds_pair *pair, const ds_atoms *atoms, ds_error *err);
  ds_status (*set_types)(ds_pair *pair, const ds_array *type, ds_error *err);
  ds_status (*load)(ds_pair *pair, const ds_array *x, const ds_array *v, ds_error *err);
  ds_status (*get_velocities)(ds_pair *pair, const ds_array *v, ds_error *err);
  ds_status (*pack_ghosts)(ds_pair *pair, int n, const int *list, const int shift[3], void *buffer,
                           ds_space space, ds_error *err);
  ds_status (*unpack_ghosts)(ds_pair *pair, int first, int n, const void *buffer, ds_space space,
                             ds_error *err);
  ds_status (*set_ghost_owners)(ds_pair *pair, const int *owner, const int *image, ds_error *err);
  ds_status (*build_list)(ds_pair *pair, ds_error *err);
  ds_status (*begin)(ds_pair *pair, const ds_pair_result *wanted,
                     ds_error *err); /* NULL: all at the end */
  ds_status (*enqueue)(ds_pair *pair, const ds_pair_result *wanted, ds_error *err);
  ds_status (*check)(ds_pair *pair, ds_pair_result *result, int64_t *again, ds_error *err);
  ds_status (*read_list)(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries,
                         ds_error *err);
  void (*get_info)(const ds_pair *pair, ds_pair_info *info);
  void (*pin)(ds_pair *pair, void *data, size_t bytes); /* bytes 0: not any more */
  const uint64_t *(*halted)(const ds_pair *pair);
  void *(*stream)(const ds_pair *pair);
};

extern const ds_pair_backend ds_pair_host_backend;
#ifdef DS_HAVE_CUDA
extern const ds_pair_backend ds_pair_cuda_backend;
#endif

/* Energies and virials are wanted of some kind. */
static inline int ds_wants_tally(const ds_pair_result *r)
{
  return r->want_energy || r->want_virial || r->eatom.data || r->vatom.data;
}

/* "pair of atoms 12 and 30: force 1e30 ..." for a force out of range. */
ds_status ds_pair_force_error(const ds_pair *pair, int64_t step, int64_t tag_i, int64_t tag_j,
                              double force, ds_error *err);

/* "atom 12 at (x, y, z) ..." for a position out of range; "atom 12 has type 7 ...", 1-based. */
ds_status ds_pair_position_error(const ds_pair *pair, int64_t step, int64_t tag, const double x[3],
                                 ds_error *err);
ds_status ds_pair_type_error(const ds_pair *pair, int64_t tag, int64_t type, ds_error *err);

/* "ghost 12 ...": what arrived for it is no atom. */
ds_status ds_pair_ghost_error(int ghost, int64_t step, ds_error *err);

/* An own atom is further outside than the slack: the present list is counted, once. */
void ds_pair_list_outlived(ds_pair *pair);

/* What was queued and stopped by the GPU would be lost. */
ds_status ds_pair_once_more_error(int64_t step, ds_error *err);

/* One of the two for the first atom that is wrong, among those that the host reads. */
ds_status ds_pair_source_error(const ds_pair *pair, const ds_atom_source *source, ds_error *err);

void ds_pair_finish_sums(const ds_pair *pair, const ds_sweep_sums *sums, ds_pair_result *result);

#ifdef __cplusplus
}
#endif
#endif
