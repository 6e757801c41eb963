/* Resident atoms as stages see them.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_VIEW_H
#define DPDSOP_RESIDENT_VIEW_H

#include "dpdsop/resident.h"

/* Passed to a kernel by value. */
typedef struct {
  int n, threads;
  double *x, *v, *f, *x_ref;
  void *image;
  int is_wide; /* images have 64 bits */
  const int32_t *type, *mask;
  const double *rmass, *mass; /* rmass NULL: by type */
  ds_array tag;               /* data NULL: there are none */
  double *anchor[DS_MAX_ANCHORS];
  const int32_t *body; /* NULL: there are no bodies */
  double *fraction;    /* 3 per particle: of the positions of the last rebuild in a tilted box; else NULL */
  const void *molecule;
  int has_wide_molecules; /* their numbers have 64 bits */
} ds_resident_view;

#endif
