/* process.c: the oscillator and its time steps.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "ou.h"

#include <math.h>

/* PRNG section IV; pN, nm, ns */
static const double kB = 1.380649e-2, temperature = 300.0, spring = 0.01, diffusion = 0.25,
                    start = 10.0;

static void derive(ou_process *p)
{
  const double c = p->dt / p->tau;
  p->a = 1.0 - c;
  p->s = sqrt(2.0 * diffusion * p->dt);
  p->variance = p->kT_k / (1.0 - 0.5 * c); /* s^2 / (1 - a^2), without its cancellation */
  p->b = exp((double) p->steps * log1p(-c));
  p->innovation = -p->variance * expm1(2.0 * (double) p->steps * log1p(-c));
}

ou_process ou_make(double dt, int64_t taus, int64_t oscillators)
{
  ou_process p;
  p.kT_k = kB * temperature / spring;
  p.tau = p.kT_k / diffusion;
  p.R0 = start;
  p.dt = dt;
  p.steps = 2 * (int64_t) floor(0.5 * p.tau / OU_SAMPLES / dt + 0.5);
  if (p.steps < 2) p.steps = 2;
  p.samples = taus * OU_SAMPLES;
  p.oscillators = oscillators;
  derive(&p);
  return p;
}

int ou_shorten(ou_process *p, int64_t most)
{
  if (p->steps * p->samples <= most) return 1;
  const double interval = p->dt * (double) p->steps;
  p->steps = most / p->samples / 2 * 2;
  if (p->steps < 4) return 0;
  p->dt = interval / (double) p->steps;
  derive(p);
  return 1;
}
