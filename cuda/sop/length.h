/* Length of a vector.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_LENGTH_H
#define DPDSOP_SOP_LENGTH_H

#include <math.h>

/* Not finite where a component is not. */
static inline double ds_sop_length(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif
