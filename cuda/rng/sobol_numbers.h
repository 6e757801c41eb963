/* Sobol points: what tools/sobol-numbers has packed, a file of data/, as the build makes a C array of it.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOBOL_NUMBERS_H
#define DPDSOP_SOBOL_NUMBERS_H

/* Rows of bits, of the dimensions from the second on; the lowest bit of a byte comes first. */
extern const unsigned char ds_sobol_numbers[];

#endif
