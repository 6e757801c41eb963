/* Choice of a backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_COMMON_BACKEND_H
#define DPDSOP_COMMON_BACKEND_H

#include "dpdsop/backend.h"
#include "dpdsop/status.h"

/* Sets *cuda. Where AUTO takes the host, no_gpu says why; otherwise its text is empty. An error where CUDA is
   asked for and cannot be had. */
ds_status ds_backend_choose(ds_backend wanted, int *cuda, ds_error *no_gpu, ds_error *err);

#endif
