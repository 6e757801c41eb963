/* purpose.h: what the numbers of a counter-based generator are for.   SPDX-License-Identifier: GPL-2.0-or-later

   ds_philox_at and ds_tea_at make numbers from a seed, a purpose, a step and an id. Two parts of a program that share
   a seed, steps and ids must not share their numbers: each has a purpose of its own. */
#ifndef DPDSOP_RNG_PURPOSE_H
#define DPDSOP_RNG_PURPOSE_H

enum {
  DS_PURPOSE_BULK = 0,     /* arrays by ds_rng_fill, and streams by init and next */
  DS_PURPOSE_SOP = 1,      /* Brownian motion of fix langevin/sop/gpu */
  DS_PURPOSE_SOP_TIP = 2,  /* of the tips that press on molecules there */
  DS_PURPOSE_LANGEVIN = 3, /* of fix langevin/gpu */
  DS_PURPOSE_BODIES = 4,   /* of fix rigid/gpu langevin */
  DS_PURPOSE_USER = 256,   /* from here on: programs that use the package */
  DS_PURPOSE_LIMIT = 65536 /* purposes are below this */
};

#endif
