/* State of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later

   Data's way: the caller's arrays -> records by atom (packed on the host and copied, or made on the
   device) -> ghosts -> atoms by slot, the sorted order, with their signatures -> sweep -> the caller's
   force array (on the device, or copied to the host and added there). */
#ifndef DPDSOP_CUDA_STATE_H
#define DPDSOP_CUDA_STATE_H

#include "../gpu/gpu.h"
#include "../neighbor/list_cuda.h"
#include "dpd_state.h"
#include "offload.h"

/* Forces come back in this many pieces, so that the host adds one while the next is on its way. */
enum { DS_PIECES = 8, DS_PIECE_LEAST = 32768 };

/* What kernels report; 0 in the first five: nothing. */
typedef struct {
  uint32_t position_fault; /* nlocal - atom, so that a maximum finds the first */
  uint32_t type_fault;     /* nlocal + nghost - atom */
  int32_t most_special;    /* longest row of special partners */
  int32_t fault_atom[2];   /* of the pair of force_fault */
  uint64_t force_fault;    /* complement of row * 2^32 + entry, likewise the first */
  double fault_force;
  ds_dpd_sums sums;
  int long_sum; /* a force sum needs more than 32 bits */
} ds_cuda_report;

typedef struct {
  int device;
  char name[256];
  cudaStream_t stream;
  int own_stream;
  cudaEvent_t piece[DS_PIECES];
  ds_isa isa;
  int wide; /* double precision: 64-bit words */
  ds_stage_timer timer;
  ds_gpu_buffer report;
  ds_pinned_buffer report_host;
  /* parameters */
  ds_gpu_buffer coeff, core2, list2;
  int params_serial; /* that the tables are of */
  int special;       /* some factor differs from 1 */
  int plain;         /* not that of plain neighbors */
  /* by atom */
  ds_gpu_buffer tag, type;       /* int64; int32, 0-based */
  ds_gpu_buffer record, message; /* own atoms: ds_record; ghosts: as they arrived */
  ds_gpu_buffer owner;           /* by ghost: int4: atom, images */
  ds_gpu_buffer located;         /* int4, for the sort */
  ds_gpu_buffer special_count, special_tag;
  ds_pinned_buffer tag_host, type_host, record_host, message_host, owner_host;
  ds_pinned_buffer special_count_host, special_tag_host;
  int max_special;
  int tags_on_host, records_on_host, have_owners;
  int messages_pending; /* arrived, not yet uploaded */
  ds_array x;           /* device positions of the last load, to name a bad one */
  uint32_t seed;        /* of the signatures, likewise */
  /* by slot */
  ds_gpu_buffer slot_place, slot_motion; /* int4 and float4; 64-bit words in double precision */
  ds_gpu_buffer slot_narrow; /* int4, double precision only: upper halves, for the list */
  ds_gpu_buffer slot_tag, slot_type;
  int coded;       /* entries of the list carry special codes */
  int fresh_order; /* slot_tag and slot_type are of an older order */
  int gathered;    /* the arrays by slot are of the current positions */
  ds_list_cuda list;
  ds_pinned_buffer list_host; /* upload of somebody else's list */
  const int32_t *set_atom;    /* in it, by row: own atom; NULL where the list was built */
  /* results on their way to host arrays, by own atom in the caller's order */
  ds_gpu_buffer force, energy, virial;
  ds_pinned_buffer force_host, energy_host, virial_host;
  /* list statistics, counted when first asked for */
  int counted;
  int64_t neighbors, core;
  /* device arrays of pack_ghosts */
  ds_gpu_buffer pack_list, pack_data;
  ds_pinned_buffer pack_list_host, pack_data_host;
} ds_cuda_state;

/* Wait for the stream and for what was copied on it. */
ds_status ds_cuda_wait(ds_cuda_state *c, const char *what, ds_error *err);

/* Room in a pinned buffer that no copy is using. */
ds_status ds_cuda_stage(ds_cuda_state *c, ds_pinned_buffer *b, size_t count, size_t size,
                        const char *what, ds_error *err);

/* Asynchronous copies; `bytes` may be 0. */
ds_status ds_cuda_upload(ds_cuda_state *c, ds_gpu_buffer *to, ds_pinned_buffer *from, size_t bytes,
                         const char *what, ds_error *err);
ds_status ds_cuda_download(ds_cuda_state *c, void *to, const void *from, size_t bytes,
                           const char *what, ds_error *err);

/* Tables of the model, where they changed. */
ds_status ds_cuda_upload_params(ds_dpd *dpd, ds_error *err);

/* Faults that kernels have reported, as far as the report was copied. */
ds_status ds_cuda_fetch_report(ds_cuda_state *c, ds_error *err);
ds_status ds_cuda_check_atoms(ds_dpd *dpd, ds_error *err);
ds_status ds_cuda_tag_of(ds_cuda_state *c, int atom, int64_t *tag, ds_error *err);

/* atoms_cuda.cu */
ds_status ds_cuda_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err);

/* load_cuda.cu */
ds_status ds_cuda_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err);
ds_status ds_cuda_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err);
ds_status ds_cuda_locate(ds_dpd *dpd, ds_error *err);
ds_status ds_cuda_gather(ds_dpd *dpd, ds_error *err);

/* ghosts_cuda.cu */
ds_status ds_cuda_upload_messages(ds_dpd *dpd, ds_error *err);
ds_status ds_cuda_pack(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                       ds_error *err);
ds_status ds_cuda_unpack(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err);
ds_status ds_cuda_set_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err);

/* lists_cuda.cu */
ds_status ds_cuda_build_list(ds_dpd *dpd, ds_error *err);
ds_status ds_cuda_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err);
ds_status ds_cuda_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                            ds_error *err);
ds_status ds_cuda_count_list(ds_dpd *dpd, ds_error *err);

/* forces_cuda.cu */
ds_status ds_cuda_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err);

#endif
