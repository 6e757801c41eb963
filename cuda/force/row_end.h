/* What a sweep on the GPU does at the end of a row: the first operations of the second half of a step, on the row's atom.
   SPDX-License-Identifier: GPL-2.0-or-later

   A thermostat waits for the kinetic energy at the end of a step. The thread that has found the force on an atom kicks the
   atom, too, and the last block brings the sum to the host: a kernel less on the way of each step. */
#ifndef DPDSOP_ROW_END_H
#define DPDSOP_ROW_END_H

#include "../core/queue.h"
#include "dpdsop/device/step/operate.h"

enum { DS_ROW_OPERATIONS = 3 };

/* Passed to a kernel by value. Arrays are those of atoms, and lie where stages work. */
typedef struct {
  int32_t n; /* operations, which read and change velocities, and read forces; the last one adds up a kinetic energy */
  ds_operation operation[DS_ROW_OPERATIONS];
  ds_step_context context;
  double *v;
  const int32_t *mask, *type;
  const double *rmass, *mass; /* rmass NULL: by type */
  ds_exact_sum *sums;         /* of the last operation */
  ds_report report;           /* of these sums, and of what the sweep adds up */
} ds_row_end;

#endif
