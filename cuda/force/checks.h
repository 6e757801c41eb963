/* What is checked of a caller's arguments: pair.c.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_FORCE_CHECKS_H
#define DPDSOP_FORCE_CHECKS_H

#include "../core/queue.h"
#include "dpdsop/pair.h"

/* An array of n atoms that stages can read, whose elements are of one of two types; where there are no atoms it may have no
   data. */
ds_status ds_check_array(const ds_queue *q, const ds_array *a, int n, ds_type type, ds_type or_type, const char *what,
                         ds_error *err);

/* A pointer that must not be NULL, to `what`. */
ds_status ds_check_pointer(const void *pointer, const char *what, ds_error *err);

/* Of options, but for threads, the instruction set and the backend. */
ds_status ds_check_options(const ds_pair_options *options, ds_error *err);

/* All arrays and exclusions; of counts of special partners, where they are in host memory, their values too, and then
   max_special is set to the largest. */
ds_status ds_check_atoms(const ds_queue *q, ds_atoms *atoms, int ntypes, int threads, ds_error *err);

#endif
