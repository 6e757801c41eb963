/* oscillator.h: a step of a harmonic oscillator in a thermostat, the same on host and GPU.
   SPDX-License-Identifier: GPL-2.0-or-later

   Zhmurov et al. 2010, eq. 5 with section IV's numbers, in nm and ns: R += -k R dt / xi + g sqrt(2 D dt),
   xi = kB T / D, k = 0.01 pN/nm, D = 0.25 nm^2/ns, T = 300 K (kB T = 4.1419 pN nm), dt = 1 ps. */
#ifndef DPDSOP_BENCH_OSCILLATOR_H
#define DPDSOP_BENCH_OSCILLATOR_H

#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/philox.h"

#define OSCILLATOR_START 10.0f
#define OSCILLATOR_PULL 6.0358e-7f   /* k D dt / kB T */
#define OSCILLATOR_SPREAD 0.0223607f /* sqrt(2 D dt) */

DS_FUNC float oscillator_pulled(float x)
{
  return x - OSCILLATOR_PULL * x;
}

DS_FUNC float oscillator_moved(float x, float g)
{
  return oscillator_pulled(x) + OSCILLATOR_SPREAD * g;
}

/* The three normal numbers of particle i in a step, from the counter of both. */
DS_FUNC void oscillator_noise(uint64_t seed, uint64_t step, uint32_t i, float g[4])
{
  uint32_t w[4];
  ds_philox_at(seed, DS_PURPOSE_USER, step, i, w);
  ds_normal_pairf(w[0], w[1], g, g + 1);
  ds_normal_pairf(w[2], w[3], g + 2, g + 3);
}

#endif
