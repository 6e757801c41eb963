/* Sobol points: what tools/sobol-numbers has packed.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOBOL_NUMBERS_H
#define DPDSOP_SOBOL_NUMBERS_H

enum { DS_SOBOL_DEGREES = 18 };

/* The dimensions whose polynomials have a degree: `count` rows of `digits` digits and a 0. */
typedef struct {
  int degree, count, digits;
  const char *rows;
} ds_sobol_rows;

/* In the order of the dimensions from the second on. */
extern const ds_sobol_rows ds_sobol_degrees[DS_SOBOL_DEGREES];

#endif
