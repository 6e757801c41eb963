/* The host backend's loops over atoms; compiled once for each instruction set, as fused operations want one.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_MOTION_HOST_H
#define DPDSOP_MOTION_HOST_H

#include "../common/isa.h"
#include "resident_state.h"

/* Atoms first .. last-1. */
typedef void ds_move_function(const ds_resident *r, const ds_advance *a, int first, int last);
extern ds_move_function ds_move_base, ds_move_avx2, ds_move_avx512;

/* 1 if one of them has moved by more than the root of trigger2 from where it was held. */
typedef int ds_moved_function(const ds_resident *r, const double *held, double trigger2, int first,
                              int last);
extern ds_moved_function ds_moved_base, ds_moved_avx2, ds_moved_avx512;

/* 1 if one is outside of the box. */
typedef int ds_outside_function(const ds_resident *r, int first, int last);
extern ds_outside_function ds_some_outside_base, ds_some_outside_avx2, ds_some_outside_avx512;

/* Into terms[first .. last-1]. */
typedef void ds_kinetic_function(const ds_resident *r, int fused, double *terms, int first,
                                 int last);
extern ds_kinetic_function ds_kinetic_terms_base, ds_kinetic_terms_avx2, ds_kinetic_terms_avx512;

typedef void ds_wrap_function(const ds_resident *r, int first, int last);
extern ds_wrap_function ds_wrap_atoms_base, ds_wrap_atoms_avx2, ds_wrap_atoms_avx512;

#endif
