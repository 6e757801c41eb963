/* mt19937_jump.h: polynomials with which a Mersenne Twister jumps; functions of the library, for the host.
   SPDX-License-Identifier: GPL-2.0-or-later

   Haramoto, Matsumoto, Nishimura, Panneton & L'Ecuyer, "Efficient jump ahead for F2-linear random number
   generators" (2008); Bradley et al. 2010, eq. 7. Polynomials over the field of two elements modulo the
   characteristic polynomial of MT19937; coefficient m is bit m % 32 of word m / 32. */
#ifndef DPDSOP_RNG_MT19937_JUMP_H
#define DPDSOP_RNG_MT19937_JUMP_H

#include "dpdsop/device/rng/mt19937.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The characteristic polynomial itself: of degree 19937, with 135 coefficients that are 1. */
void ds_mt19937_characteristic(uint32_t polynomial[DS_MT19937_WORDS]);

/* x^(count 2^log2_unit): the jump over so many words; log2_unit >= 0. It takes a squaring, some ten
   microseconds, for each binary digit of the distance after the first 14. */
void ds_mt19937_power(uint64_t count, int log2_unit, uint32_t polynomial[DS_MT19937_WORDS]);

/* The jump over twice as many words. */
void ds_mt19937_square(uint32_t polynomial[DS_MT19937_WORDS]);

#ifdef __cplusplus
}
#endif
#endif
