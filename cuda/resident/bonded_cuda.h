/* Bonds and angles of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_CUDA_H
#define DPDSOP_BONDED_CUDA_H

#include "../core/queue.h"
#include "bonded.h"

typedef struct {
  ds_bonded_view view; /* pointers into the buffers below; x and f are the caller's */
  ds_buffer bond, angle, bond_type, angle_type, bond_images, angle_images, atom, first, entry;
  ds_buffer vectors, vectors_host; /* of the terms, for sums; page-locked host memory */
} ds_bonded_cuda;

void ds_bonded_cuda_close(ds_bonded_cuda *c);

/* Copies of the lists; waits. */
ds_status ds_bonded_cuda_set(ds_bonded_cuda *c, ds_queue *s, const ds_bonded_lists *l,
                             ds_error *err);

/* Queued. Forces stop the stream's kernels in that step where a bond is too long. */
ds_status ds_bonded_cuda_images(ds_bonded_cuda *c, ds_queue *s, int64_t step, ds_error *err);
ds_status ds_bonded_cuda_forces(ds_bonded_cuda *c, ds_queue *s, int64_t step, ds_error *err);

/* Of the positions as they are; waits. */
ds_status ds_bonded_cuda_sums(ds_bonded_cuda *c, ds_queue *s, const ds_bonded_lists *l,
                              ds_bonded_sums *sums, ds_error *err);

#endif
