/* noise_stream.c: the words behind the pair noise, as raw 32-bit words on standard output.
   SPDX-License-Identifier: GPL-2.0-or-later

   usage: noise_stream [seed]        (runs until the reader closes the pipe)

   A running set of particles without its forces: signatures are taken from tags, velocities and
   step as in a simulation, every particle meets the next ones in the list, and each pair gives its
   two TEA words (Tang & Karniadakis 2014, Alg. 4), the first for the logarithm, the second for the
   phase of Box-Muller. Velocities follow a discrete Ornstein-Uhlenbeck process, of which they take
   5 per cent anew in a step, as dissipation and noise of a DPD fluid do at dt = 0.01. The set is
   small on purpose: it is the few, consecutive tags and steps that a weak hash would show. */
#include <stdio.h>
#include <stdlib.h>

#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/signature.h"

#define PARTICLES 4096u
#define NEIGHBORS 12u

static float velocity[PARTICLES][3];
static uint32_t signature[PARTICLES];
static uint32_t words[PARTICLES * NEIGHBORS][2];

/* Independent of what is tested: a multiplicative congruential generator (Lehmer, modulus 2^31 - 1)
   and a sum of four uniform numbers, of unit variance, in place of a normal one. */
static float kick(void)
{
  static uint64_t x = 20140601;
  double sum = -2;
  for (int k = 0; k < 4; k++) {
    x = x * 48271u % 2147483647u;
    sum += (double) x * (1.0 / 2147483647.0);
  }
  return (float) (sum * 1.7320508075688772);
}

int main(int argc, char **argv)
{
  const uint32_t seed = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 12345u;
  for (uint32_t i = 0; i < PARTICLES; i++)
    for (int d = 0; d < 3; d++) velocity[i][d] = kick();

  for (uint64_t step = 0;; step++) {
    for (uint32_t i = 0; i < PARTICLES; i++) {
      for (int d = 0; d < 3; d++) velocity[i][d] = 0.95f * velocity[i][d] + 0.31225f * kick();
      signature[i] =
          ds_signature(i + 1u, velocity[i][0], velocity[i][1], velocity[i][2], seed, step);
    }
    for (uint32_t i = 0; i < PARTICLES; i++)
      for (uint32_t k = 0; k < NEIGHBORS; k++) {
        const uint32_t j = (i + k + 1u) % PARTICLES;
        uint32_t *pair = words[i * NEIGHBORS + k];
        ds_pair_words(signature[i], signature[j], 0, &pair[0], &pair[1]);
      }
    if (fwrite(words, sizeof words, 1, stdout) != 1) return 0; /* the reader has enough */
  }
}
