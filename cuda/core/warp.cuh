/* Whole warps.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_WARP_CUH
#define DPDSOP_GPU_WARP_CUH

/* The mask of an exchange in which all lanes take part. */
#define DS_FULL_WARP 0xFFFFFFFFu

#endif
