/* Is there a GPU for us? For C code that knows no CUDA.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_USABLE_H
#define DPDSOP_GPU_USABLE_H

#include "dpdsop/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DS_OK where a device can be used, else why not. */
ds_status ds_gpu_usable(ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
