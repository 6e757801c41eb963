/* signature.h: the 32-bit signature of a particle, from which pair noise is made.
   SPDX-License-Identifier: GPL-2.0-or-later

   Tang & Karniadakis 2014, section 3.5 and Alg. 4 (Preprocess): the bit-reversed tag and the
   leading mantissa bits of the velocity are mixed by 16 rounds of TEA. Velocities are the entropy
   that lets the pair noise itself do with 4 rounds. */
#ifndef DPDSOP_SIGNATURE_H
#define DPDSOP_SIGNATURE_H

#include "dpdsop/device/tea.h"

/* The eleven leading mantissa bits of a float, the hidden one not counted. */
DS_FUNC uint32_t ds_mantissa11(float v)
{
  return (ds_float_as_uint(v) >> 12) & 0x7FFu;
}

/* Bit k of an 11-bit word moves to bit 3k. */
DS_FUNC uint32_t ds_spread11(uint32_t x)
{
  x = (x | (x << 16)) & 0x070000FFu;
  x = (x | (x << 8)) & 0x0700F00Fu;
  x = (x | (x << 4)) & 0x430C30C3u;
  x = (x | (x << 2)) & 0x49249249u;
  return x;
}

/* Three times eleven bits are one too many for a word. Bit k of x, y, z goes to bit 3k+1, 3k, 3k-1;
   the one without a place, the last bit of z, is folded onto the top bit of the word (exclusive
   or), so that every one of the 33 bits still changes the word. */
DS_FUNC uint32_t ds_interleave_velocity(float vx, float vy, float vz)
{
  const uint32_t x = ds_mantissa11(vx), y = ds_mantissa11(vy), z = ds_mantissa11(vz);
  return ((ds_spread11(x) << 1) | ds_spread11(y) | (ds_spread11(z) >> 1)) ^ (z << 31);
}

/* Seed, step and the upper half of a 64-bit tag enter through the key: each gives its own hash
   function, so a particle at rest (all mantissas zero) still has fresh noise in every step. Words 0
   and 1 of a TEA key give the same cipher when the top bits of both are flipped; so would seed and
   step here, which no run meets: seeds are below 2^31. */
DS_FUNC uint32_t ds_signature(uint64_t tag, float vx, float vy, float vz, uint32_t seed, uint64_t step)
{
  const uint32_t base[4] = DS_TEA_KEY;
  const uint32_t key[4] = {base[0] ^ seed, base[1] ^ (uint32_t) step, base[2] ^ (uint32_t) (step >> 32),
                           base[3] ^ (uint32_t) (tag >> 32)};
  uint32_t v0 = ds_brev32((uint32_t) tag);
  uint32_t v1 = ds_interleave_velocity(vx, vy, vz);
  ds_tea_encrypt(16, key, &v0, &v1);
  return v0 ^ v1;
}

/* The signature in the fourth word of a velocity. */
DS_FUNC uint32_t ds_signature_in32(float word)
{
  return ds_float_as_uint(word);
}

DS_FUNC uint32_t ds_signature_in64(double word)
{
  return (uint32_t) ds_double_as_ulong(word);
}

DS_FUNC float ds_signature_word32(uint32_t signature)
{
  return ds_uint_as_float(signature);
}

DS_FUNC double ds_signature_word64(uint32_t signature)
{
  return ds_ulong_as_double(signature);
}

/* Several models that act on the same particles with one seed need noise of their own, or amplitudes add up where
   variances should. The place of each among them, below 2^15, enters the key in bits 48 to 62 of the step: at a step below
   2^48, which no run reaches, different seeds and places never give the same key, and place 0 changes nothing. Bit 63 stays
   0, as flipping the top bits of words 2 and 3 of a TEA key gives the same cipher. */
#define DS_SIGNATURE_PLACES 32768u
#define DS_SIGNATURE_STEPS (1ull << 48)

DS_FUNC uint64_t ds_signature_step(uint64_t step, uint32_t place)
{
  return step ^ ((uint64_t) place << 48);
}

#endif
