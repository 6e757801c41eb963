/* fluid.h: a DPD fluid in a periodic box, integrated with the engine's forces.
   SPDX-License-Identifier: GPL-2.0-or-later

   The style is the model's. Velocity-Verlet, unit masses; forces see the velocities of the half step, as a LAMMPS pair style
   does. Lists and ghosts are made anew when an atom has moved by half the skin. */
#ifndef DPDSOP_TEST_FLUID_H
#define DPDSOP_TEST_FLUID_H

#include "support/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const test_model *model;
  test_system system;
  test_engine engine;
  double *x_built; /* coordinates at the last rebuild */
  int64_t step;
  int rebuilds, rebuilt; /* how many; whether in this step */
} test_fluid;

/* n atoms at random in a cube of the given edge, normal velocities of kT = 1 without total
   momentum. */
ds_status fluid_open(test_fluid *fl, const test_model *t, const ds_pair_options *options,
                     ds_precision precision, int n, double edge, uint64_t seed);
void fluid_close(test_fluid *fl);

/* One step in two halves: up to loaded positions and half-step velocities, and from the forces
   on. */
ds_status fluid_advance(test_fluid *fl);
ds_status fluid_finish(test_fluid *fl, int tally);

/* Wrapping, ghosts, list; also when it is not yet due. */
ds_status fluid_rebuild(test_fluid *fl);

double fluid_temperature(const test_fluid *fl);
void fluid_momentum(const test_fluid *fl, double p[3]);

#ifdef __cplusplus
}
#endif
#endif
