/* Hydrodynamic interactions on the GPU: what kernels read.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_HYDRO_CUDA_H
#define DPDSOP_SOP_HYDRO_CUDA_H

#include "particle_cuda.h"

/* Device pointers. */
typedef struct {
  int tea; /* 1: the truncated expansion */
  float unit, limit;
  int moving;         /* beads of a molecule that are not fixed */
  int n;              /* rows of a molecule's matrix */
  int in_shared;      /* 1: shared memory has room for the matrix */
  const float4 *bead; /* of a molecule: radius, inverse, root, weight: ds_sop_hydro_state */
  float4 *push, *noise;
  long long *sum;              /* nine of each bead: drift, noise, square */
  unsigned long long *entries; /* by molecule */
  double *product;             /* three of each bead: noise by the factor */
  double *triangle;            /* of each block, where shared memory has no room */
  int *made;                   /* steps, by molecule, or of all together */
} ds_sop_hydro_view;

#endif
