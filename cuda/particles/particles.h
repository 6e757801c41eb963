/* A process's atoms as stages read them, its ghosts, and both in the order of the list.
   SPDX-License-Identifier: GPL-2.0-or-later

   Flow of data: the caller's arrays, or copies of them where stages work, ghosts' messages or owners -> places along the curve
   (list) and sorted particles (sweep). */
#ifndef DPDSOP_PARTICLES_H
#define DPDSOP_PARTICLES_H

#include "../core/copies.h"
#include "../core/isa.h"
#include "placing.h"
#include "dpdsop/device/neighbor.h"
#include "dpdsop/pair.h"

DS_C_BEGIN

/* frame.c: the integer frame of a box (dpdsop/device/frame.h). cutoff: the largest one, the kernels' unit of length; range: the
   longest separation of a pair in a list, cutoff and skin. Fails where ghosts reach too far (more than 2^20 boxes), and on an
   empty or inverted box. */
ds_status ds_frame_init(ds_frame *frame, const ds_box *box, double cutoff, double range, ds_error *err);

/* Axes of a box without images, as ds_frame.wrapped. */
int ds_frame_wrapped(const ds_box *box, double range);

/* Length of the largest unit of positions: the longest of edge / 2^bits. In double precision there are 2^32 in one. */
double ds_frame_unit(const ds_frame *frame, const ds_box *box);

/* What is sent of an atom that is a ghost elsewhere, DS_W(ds_message). The receiver, who knows its ID, makes its signature.
   A type, 0-based, that is out of range: no atom. */
#pragma pack(push, 4)
typedef struct {
  int32_t x, y, z, type;
  float vx, vy, vz;
} ds_message32;

typedef struct {
  int64_t x, y, z;
  int32_t type;
  double vx, vy, vz;
} ds_message64;
#pragma pack(pop)

/* What is wrong with atoms that were read; DS_FAR_POSITION: further outside than the slack, which is allowed. */
enum { DS_BAD_POSITION = 1, DS_BAD_TYPE = 2, DS_FAR_POSITION = 4, DS_BAD_ATOM = DS_BAD_POSITION | DS_BAD_TYPE };

/* Where atoms are read from: the caller's arrays, and for ghosts messages or their owners. */
typedef struct {
  ds_frame frame;
  int nlocal, ntypes;
  ds_array x, v;        /* own atoms, 3 components */
  ds_array type;        /* I32, own atoms, 1-based */
  ds_array tag;         /* I32 or I64, own and ghost */
  ds_array charge;      /* own, and ghosts that have messages; data NULL: nobody reads charges */
  const char *message;  /* by ghost */
  const int32_t *owner; /* 4 by ghost: own atom, and boxes away from it along x y z; NULL: ghosts have messages */
  uint32_t seed;
  uint64_t step; /* as signatures take it (ds_signature_step) */
} ds_atom_source;

/* Whose charge an atom or ghost has, in the array of charges. */
DS_FUNC int ds_charged_atom(const ds_atom_source *s, int atom)
{
  return atom >= s->nlocal && s->owner ? s->owner[4 * (size_t) (atom - s->nlocal)] : atom;
}

typedef struct ds_particles ds_particles;

/* Arrays by slot, the place in the order of the list. Of positions and velocities each GPU has a copy (core/copies.h). */
typedef struct {
  ds_buffer position, velocity; /* 4 words each: x y z type, x y z signature */
  ds_buffer upper;              /* int32 x 4: x y z type for lists, of 64-bit positions; else position is that */
  ds_buffer tag;                /* int64 */
  ds_buffer list_type;          /* int32: types that the list was built for */
  ds_buffer charge;             /* a real, where charges are read */
} ds_sorted;

typedef enum { DS_GATHER_ALL, DS_GATHER_OWN, DS_GATHER_GHOSTS } ds_gathered;

/* What a gather is to do. `new_order`: the order is new, and the list will be built for the types as they are. Otherwise, where
   `by_type`, stages stop if a type is not the one that the list was built for. */
typedef struct {
  const int32_t *atom_of_slot;
  ds_ranking ranking; /* of a new order that is still to be made, on the GPU: then atom_of_slot is written */
  int slots, new_order, by_type;
  int by_charge;     /* some list is of charged atoms alone: where another becomes one, stages stop */
  uint32_t list;     /* number of the list that has this order */
  ds_copies copies;  /* of positions and velocities; their readers are written where the order is new */
  ds_gathered which; /* not all: on the GPU only, where the order is not new */
} ds_gather;

typedef struct {
  /* Messages of n atoms, `shift` boxes away; list and messages lie where stages work. */
  ds_status (*pack)(ds_particles *p, const ds_atom_source *from, int n, const int32_t *list, const int shift[3], void *to,
                    ds_error *err);
  /* Of all atoms, ghosts too. */
  ds_status (*place)(ds_particles *p, const ds_placing *to, ds_error *err);
  ds_status (*gather)(ds_particles *p, const ds_sorted *sorted, const ds_gather *how, ds_error *err);
  ds_status (*gather_charges)(ds_particles *p, const ds_sorted *sorted, const ds_gather *how, ds_error *err);
} ds_particle_stages;

/* By precision: for words of 32 and of 64 bits. */
extern const ds_particle_stages ds_particle_stages_base[DS_PRECISIONS], ds_particle_stages_avx2[DS_PRECISIONS],
    ds_particle_stages_avx512[DS_PRECISIONS], ds_particle_stages_cuda[DS_PRECISIONS];

struct ds_particles {
  ds_queue *queue;
  const ds_particle_stages *stages, *host_stages;
  int threads;
  int is_wide;           /* words of 64 bits: double precision */
  ds_atom_source source; /* as stages read them */
  ds_atom_source given;  /* the caller's, with messages in host memory */
  int nghost;
  int64_t step;
  int types, types_read; /* how often the caller has given types; the number of those that stages read */
  int charges, charges_read;
  ds_mirror x, v, type, tag, charge;
  /* ghosts: messages as they arrived, or owners, 4 x int32: atom, images */
  ds_staging message_host, owner_host;
  ds_buffer message, owner;
  /* what lists leave out or mark; pointers to where stages work */
  ds_special special;
  ds_exclusions excluded;
  int excludes_types; /* some rule asks for them */
  ds_mirror of_special[2], of_excluded[2], mask; /* ds_special_copy, ds_exclusions_copy */
  /* work space of packing */
  ds_mirror pack_list;
  ds_buffer pack_data;
};

void ds_particles_open(ds_particles *p, ds_queue *q, ds_precision precision, ds_isa isa, int threads);
size_t ds_particles_message_bytes(const ds_particles *p);

ds_status ds_particles_set(ds_particles *p, const ds_atoms *atoms, int ntypes, ds_error *err);
void ds_particles_set_types(ds_particles *p, const ds_array *type);
void ds_particles_set_charges(ds_particles *p, const ds_array *charge);
/* The copy of the caller's charges that stages read, which others may put into another order with the atoms; NULL: they read
   the caller's own array, or will read others. */
void *ds_particles_copied_charges(const ds_particles *p);
/* The same positions and velocities are those of another step. place: of the model among those with one seed. */
void ds_particles_set_step(ds_particles *p, uint32_t place, int64_t step);
ds_status ds_particles_load(ds_particles *p, const ds_frame *frame, const ds_array *x, const ds_array *v, uint32_t seed,
                            uint32_t place, int64_t step, ds_error *err);

ds_status ds_particles_pack(ds_particles *p, int n, const int *list, const int shift[3], void *buffer, ds_space space,
                            ds_error *err);
ds_status ds_particles_unpack(ds_particles *p, int first, int n, const void *buffer, ds_space space, ds_error *err);
ds_status ds_particles_set_owners(ds_particles *p, const int *owner, const int *image, ds_error *err);

/* What pairs of n atoms leave out or mark, copied to where stages work: counts and partners, of which no atom has more than
   `most`; rules, but for masks, and molecules. */
ds_status ds_special_copy(ds_queue *q, ds_mirror mirror[2], const ds_array *counts, const ds_array *partners, int n, int most,
                          ds_special *to, ds_error *err);
ds_status ds_exclusions_copy(ds_queue *q, ds_mirror mirror[2], const ds_exclusion *rule, int rules, const ds_array *molecule,
                             int n, ds_exclusions *to, ds_error *err);

/* The sorted particles of n slots; the list's types where `by_type`. */
ds_status ds_particles_reserve_sorted(ds_particles *p, ds_sorted *sorted, int n, int by_type, ds_error *err);

/* What a fault names: waits. Positions, tags and types of one atom as stages read them. */
ds_status ds_particles_find(ds_particles *p, int atom, int64_t *tag, int64_t *type, double x[3], ds_error *err);

DS_C_END
#endif
