/* ranks.h: several processes in one: each has an engine, owns a slab of the box and gets its ghosts
   by messages.
   SPDX-License-Identifier: GPL-2.0-or-later

   As in LAMMPS, ghosts are exchanged in x, then in y, then in z, and what has arrived is passed on:
   messages name ghosts too. */
#ifndef DPDSOP_TEST_RANKS_H
#define DPDSOP_TEST_RANKS_H

#include "support/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEST_MAX_RANKS = 4 };

typedef struct {
  int from;     /* sender */
  int shift[3]; /* box edges */
  int first, n; /* atoms here, once arrived */
  int *list;    /* atoms of the sender */
} test_message;

typedef struct {
  test_system system;
  test_engine engine;
  test_message *messages;
  int nmessages;
} test_rank;

typedef struct {
  int n;
  test_rank rank[TEST_MAX_RANKS];
} test_ranks;

/* Slabs between the n - 1 cuts (fractions of the box, increasing), engines open. */
ds_status ranks_open(test_ranks *r, const test_system *whole, int n, const double *cuts,
                     const ds_pair_options *options, ds_precision precision);
void ranks_close(test_ranks *r);

/* Model, box, atoms; ranks_load; lists. */
ds_status ranks_setup(test_ranks *r, const test_model *t, int64_t step);

/* The whole system's coordinates as they are now, and messages. */
ds_status ranks_load(test_ranks *r, const test_system *whole, int64_t step);

/* Of a style with densities, before forces: all ranks make theirs and send them. */
ds_status ranks_send_densities(test_ranks *r);

/* Forces of all ranks; arrays by atom of the whole system. */
ds_status ranks_forces(test_ranks *r, double *f, double *eatom, double *vatom);

/* Text of the first error. */
const char *ranks_error(const test_ranks *r);

#ifdef __cplusplus
}
#endif
#endif
