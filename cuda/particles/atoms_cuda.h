/* The caller's atoms as kernels read them: arrays on the device, the caller's or copies; ghosts; atoms by slot.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ATOMS_CUDA_H
#define DPDSOP_ATOMS_CUDA_H

#include "../core/queue.h"
#include "dpdsop/device/neighbor.h"
#include "dpdsop/pair.h"
#include "host_reader.h"

/* Data's way: the caller's arrays, ghosts' messages or owners -> keys (list) and atoms by slot (sweep). */
typedef struct {
  ds_queue *stream;
  int storage64; /* double precision */
  int nlocal, nghost, ntypes;
  ds_atom_source
      host;    /* the caller's arrays where they lie in host memory: messages are made there */
  int on_host; /* x and v lie in host memory; tags, too */
  int by_message; /* and are not pinned: the host makes messages of own atoms, which go with the ghosts' */
  int bad;        /* what the host found wrong with atoms that it made messages of (host_reader.h) */
  ds_array x, v, type, tag;                              /* as kernels read them */
  ds_mirror x_mirror, v_mirror, type_mirror, tag_mirror; /* of host arrays */
  ds_frame frame;
  uint32_t seed;
  int64_t step;
  /* ghosts */
  ds_staging message_host; /* as they arrived; behind those of own atoms, where there are such */
  ds_buffer message;
  int clear_ghosts, clear_host; /* messages that do not arrive are to be zeros, in either memory */
  int arrived;          /* memory that those of this evaluation have come from; -1: none has */
  int messages_pending; /* not yet sent to the device */
  int types_pending;    /* likewise types */
  ds_staging owner_host;
  ds_buffer owner; /* int4: atom, images */
  int have_owners;
  /* what lists leave out or mark */
  ds_special special;     /* device pointers */
  ds_exclusions excluded; /* likewise */
  int excludes_types;     /* some rule asks for them */
  ds_buffer special_count, special_tag, mask, molecule, rule;
  ds_mirror nspecial_mirror, special_mirror, mask_mirror, molecule_mirror;
  ds_staging rule_host;
  /* device work space of packing */
  ds_buffer pack_list, pack_data;
  ds_staging pack_list_host;
} ds_atoms_cuda;

/* Atoms by slot. */
typedef struct {
  ds_buffer position, velocity; /* storage.cuh */
  ds_buffer upper;              /* int4: x y z type for lists, of 64-bit positions */
  ds_buffer tag;                /* int64 */
  ds_buffer list_type;          /* int32: types that the list was built for */
  ds_buffer slot_of_ghost;      /* int32 */
  uint32_t list;                /* number of the list that has this order */
} ds_slots_cuda;

ds_status ds_atoms_cuda_set(ds_atoms_cuda *a, const ds_atoms *atoms, int ntypes, ds_error *err);
void ds_atoms_cuda_set_types(ds_atoms_cuda *a, const ds_array *type);
ds_status ds_atoms_cuda_load(ds_atoms_cuda *a, const ds_frame *frame, const ds_array *x,
                             const ds_array *v, uint32_t seed, uint32_t place, int64_t step,
                             int threads, ds_error *err);

/* ghosts_cuda.cu. The first makes messages of own atoms, if by_message; the second sends all messages. */
ds_status ds_atoms_cuda_own_messages(ds_atoms_cuda *a, int threads, ds_error *err);
ds_status ds_atoms_cuda_send_messages(ds_atoms_cuda *a, ds_error *err);
ds_status ds_atoms_cuda_pack(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                             int threads, void *buffer, ds_error *err);
ds_status ds_atoms_cuda_queue_pack(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                                   void *buffer, ds_error *err);
ds_status ds_atoms_cuda_unpack(ds_atoms_cuda *a, int first, int n, const void *buffer,
                               ds_space space, ds_error *err);
ds_status ds_atoms_cuda_owners(ds_atoms_cuda *a, const int *owner, const int *image, ds_error *err);

/* slots_cuda.cu. Keys of all atoms, with their numbers; their messages have been sent. */
ds_status ds_atoms_cuda_keys(ds_atoms_cuda *a, const ds_grid *grid, void *key, int wide,
                             int32_t *value, ds_error *err);

typedef enum { DS_GATHER_ALL, DS_GATHER_OWN, DS_GATHER_GHOSTS } ds_gathered;

/* All atoms into slots, or some of them where the order is that of an earlier call for all. `fresh`: the order is new, and
   the list will be built for the types as they are. Otherwise, where `by_type`, kernels stop if a type is not the one
   that the list was built for. */
ds_status ds_atoms_cuda_gather(ds_atoms_cuda *a, ds_slots_cuda *slots, const int32_t *atom_of_slot,
                               int n, ds_gathered which, int fresh, int by_type, ds_error *err);

/* The tag, position and type that a fault names, on the host. Rare: waits. */
ds_status ds_atoms_cuda_tag(ds_atoms_cuda *a, int atom, int64_t *tag, ds_error *err);
ds_status ds_atoms_cuda_place(ds_atoms_cuda *a, int atom, double x[3], ds_error *err);
ds_status ds_atoms_cuda_type(ds_atoms_cuda *a, int atom, int64_t *type, ds_error *err);

#endif
