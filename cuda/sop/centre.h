/* The centre of a molecule.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_CENTRE_H
#define DPDSOP_SOP_CENTRE_H

#include <stddef.h>
#include <stdint.h>

/* The mean of a molecule's positions; of differences, as the sum of positions could be too large. */
static inline void ds_sop_centre_of(const int64_t *position, int32_t beads, double centre[3])
{
  for (size_t c = 0; c < 3; c++) {
    double sum = 0.0;
    for (size_t b = 0; b < (size_t) beads; b++) sum += (double) (position[3 * b + c] - position[c]);
    centre[c] = (double) position[c] + sum / beads;
  }
}

#endif
