/* Rows of the CUDA neighbor list.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_LIST_CUDA_H
#define DPDSOP_LIST_CUDA_H

#include "../core/gpu.h"
#include "list.h"

/* Where entry n of a row is whose first four entries are at `first`, in units of four. */
DS_FUNC size_t ds_lane_entry(uint32_t first, int n)
{
  return ((size_t) first + (size_t) (n / 4) * 32) * 4 + (size_t) (n % 4);
}

/* build_cuda.cu */
ds_status ds_list_cuda_rows(ds_list *l, const ds_list_source *source, int64_t step, ds_error *err);

#endif
