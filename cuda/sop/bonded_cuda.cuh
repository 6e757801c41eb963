/* Forces of bonded pairs, in kernels of all schemes.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_BONDED_CUDA_CUH
#define DPDSOP_SOP_BONDED_CUDA_CUH

#include "cuda_state.h"

/* F / r of a bond, whose coefficients are k, r0 and 1 / R^2, of a contact, with r0^2 and eps, or of a pair i, i+2, which has
   none; in the units of ds_sop_quanta. *fault becomes 1 where the bond is too long or too short. */
__device__ __forceinline__ float bonded_force(const ds_sop_kernel_motion &m, int kind, float a, float b, float c, float r2,
                                              int *fault)
{
  if (kind == DS_SOP_BONDS) {
    const ds_sop_bondf bond = {a, b, c};
    float room;
    const float f = ds_sop_bond_forcef(&bond, r2, &room);
    *fault |= !(room > 0.0f);
    return f;
  }
  if (kind == DS_SOP_CONTACTS) {
    const ds_sop_contactf contact = {a, b};
    return ds_sop_contact_forcef(&contact, r2);
  }
  return ds_sop_repulsion_forcef(&m.angle, r2);
}

#endif
