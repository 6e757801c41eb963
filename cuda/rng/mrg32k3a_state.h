/* What the two backends of MRG32k3a share.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_MRG32K3A_STATE_H
#define DPDSOP_RNG_MRG32K3A_STATE_H

#include "dpdsop/device/rng/mrg32k3a.h"
#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ds_rng.state: six residues are the state, of which the object's words count; the table behind them goes
   with the object but is not saved. */
typedef struct {
  uint32_t state[6];
  ds_mrg32k3a_powers powers;
} ds_mrg32k3a_object;

/* power = A^n */
void ds_mrg32k3a_power(const ds_mrg32k3a_powers *p, uint64_t n, ds_mrg32k3a_matrix *power);

/* ---------------------------------------------------------------- host kernels: see mrg32k3a_simd.c */

enum { DS_MRG32K3A_LANES = 32 };

/* `run` words of each lane, those of lane l to out[l * run ...]; then every lane is moved on by `jump`.
   Residue k of lane l is lanes[k][l]. */
typedef void ds_mrg32k3a_lanes_function(uint32_t lanes[6][DS_MRG32K3A_LANES], const ds_mrg32k3a_matrix *jump, int run,
                                        uint32_t *out);
ds_mrg32k3a_lanes_function ds_mrg32k3a_lanes_base, ds_mrg32k3a_lanes_avx2, ds_mrg32k3a_lanes_avx512;

/* n words one after the other. */
typedef void ds_mrg32k3a_row_function(uint32_t state[6], int n, uint32_t *out);
ds_mrg32k3a_row_function ds_mrg32k3a_row_base, ds_mrg32k3a_row_avx2, ds_mrg32k3a_row_avx512;

#ifdef __cplusplus
}
#endif
#endif
