/* The generators' side of the GPU, for C code.   SPDX-License-Identifier: GPL-2.0-or-later

   Where the numbers are made on the GPU, a state that is too large for a kernel's arguments lies there. Which of
   the two copies, ds_rng.state and the device's, is the newer one is kept track of here. */
#ifndef DPDSOP_RNG_CUDA_H
#define DPDSOP_RNG_CUDA_H

#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

ds_status ds_rng_gpu_open(ds_rng *rng, ds_error *err);
void ds_rng_gpu_close(ds_rng *rng);

/* fill->out lies in the given space; waits where it is the host's. */
ds_status ds_rng_gpu_fill(ds_rng *rng, ds_fill *fill, ds_space space, ds_error *err);
ds_status ds_rng_gpu_wait(ds_rng *rng, ds_error *err);

/* ds_rng.state becomes what the GPU has; and: the GPU's copy no longer counts. */
ds_status ds_rng_gpu_fetch_state(ds_rng *rng, ds_error *err);
void ds_rng_gpu_forget_state(ds_rng *rng);

#ifdef __cplusplus
}
#endif
#endif
