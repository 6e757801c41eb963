/* Where a process's atoms are read from on the host: the caller's arrays, and for ghosts messages or their owners.
   Positions become integers and velocities get their signature whenever an atom is read; nothing is stored by atom.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_HOST_READER_H
#define DPDSOP_HOST_READER_H

#include "../core/isa.h"
#include "quantize.h"

DS_C_BEGIN

/* Bytes of one atom's message: position, 0-based type (32 bits), velocity. The receiver computes the signature, as it
   knows the tag. */
enum { DS_GHOST_BYTES = 28, DS_GHOST_BYTES64 = 52 };

typedef struct {
  ds_frame frame;
  int nlocal, ntypes;
  ds_array x, v;        /* own atoms, 3 components, host memory */
  ds_array type;        /* I32, own atoms, 1-based */
  ds_array tag;         /* I32 or I64, own and ghost */
  const char *message;  /* by ghost */
  const int32_t *owner; /* 4 by ghost: own atom, and boxes away from it along x y z; NULL: ghosts have messages */
  uint32_t seed;
  uint64_t step; /* as signatures take it (ds_signature_step) */
  int storage64; /* words of 64 bits: double precision */
  ds_isa isa;
} ds_atom_source;

/* Words of up to DS_ATOM_BATCH atoms, of either width. */
typedef union {
  int32_t narrow[4 * DS_ATOM_BATCH];
  int64_t wide[4 * DS_ATOM_BATCH];
} ds_position_words;

/* Atoms list[0] .. list[n-1], or first .. first+n-1 where list is NULL; n <= DS_ATOM_BATCH. position: x y z and 0-based
   type, 4 words per atom; velocity: x y z and the signature in the low half, 4 words per atom, or NULL. Words are
   int32_t and float, or int64_t and double. Returns what is wrong (quantize.h), or 0. */
int ds_source_read(const ds_atom_source *s, int first, const int32_t *list, int n, void *position, void *velocity);

/* Upper 32 bits of positions: what lists are made from; out: 4 words per atom with the type in the fourth. */
void ds_source_upper(const ds_atom_source *s, const void *position, int n, int32_t *out);

/* Messages of n atoms, own or ghosts that have arrived, moved by whole boxes. Wrong atoms are sent as they are:
   their owner stops. */
size_t ds_source_message_bytes(const ds_atom_source *s);
void ds_source_pack(const ds_atom_source *s, int n, const int *list, const int *shift, int threads, char *out);

DS_C_END
#endif
