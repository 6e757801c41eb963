/* The host backend's loops over bonds; compiled once for each instruction set, as fused operations want one.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_HOST_H
#define DPDSOP_BONDED_HOST_H

#include "../common/isa.h"
#include "term.h"

/* Atoms first .. last-1, in the view's numbering. 1 if a bond is too long. */
typedef int ds_bonded_function(const ds_bonded_view *b, int first, int last);
extern ds_bonded_function ds_bonded_forces_base, ds_bonded_forces_avx2, ds_bonded_forces_avx512;

/* Terms first .. last-1. */
typedef void ds_images_function(const ds_bonded_view *b, int first, int last);
extern ds_images_function ds_bonded_images_base, ds_bonded_images_avx2, ds_bonded_images_avx512;

#endif
