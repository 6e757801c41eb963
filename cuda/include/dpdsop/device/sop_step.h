/* A Brownian step of one bead: units, rounding, and what is added to a position.   SPDX-License-Identifier: GPL-2.0-or-later

   Everything that is summed or kept from step to step is an integer, so that a trajectory does not depend on the order of
   a sum: not on ranks, threads, scheme or hardware. With a the power of two that makes sigma/a lie in (2,4], which is 1 in
   angstrom for sigma = 3.8,
     positions      64 bits, units of 2^-29 a, not wrapped into any box
     coordinates    32 bits, units of 2^-17 a: the upper bits of a position, modulo 2^32 (32768 a). Differences are
                    right where two beads are less than 16384 a apart along each axis
     forces         32 bits, units of f: the power of two that makes the largest force scale of the molecule, k R0 in most
                    of them, lie in (2^21,2^22] units. One pair may exert 2^25, so that 63 pairs cannot overflow
     displacements  of a step 32 bits, units of positions; at most 2^30, which is 2 a. */
#ifndef DPDSOP_SOP_STEP_H
#define DPDSOP_SOP_STEP_H

#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/device/frame.h"

enum {
  DS_SOP_POSITION_BITS = 29,
  DS_SOP_COORDINATE_BITS = 17,
  DS_SOP_SHIFT = DS_SOP_POSITION_BITS - DS_SOP_COORDINATE_BITS,
  DS_SOP_FORCE_BITS = 22,
  DS_SOP_PAIR_BITS = 25
};

#define DS_SOP_PAIR_LIMIT 33554432.0f  /* 2^DS_SOP_PAIR_BITS */
#define DS_SOP_MAX_MOVE 1073741824.0f /* 2^30 */

/* The coordinate of a position. */
DS_FUNC int32_t ds_sop_coordinate(int64_t position)
{
  return (int32_t) (uint32_t) ((uint64_t) position >> DS_SOP_SHIFT);
}

/* One component of a pair's force in units, of F / r times units of force per unit of a coordinate, and the separation.
   *fault becomes 1 where it is too large, or not a number; it is 0 then, so that sums cannot overflow. */
DS_FUNC int32_t ds_sop_quanta(float force, float separation, int *fault)
{
  const float f = force * separation;
  const int good = fabsf(f) <= DS_SOP_PAIR_LIMIT;
  *fault |= !good;
  return ds_round32(good ? f : 0.0f);
}

/* The same for a component of at most 2^22 units: adding 1.5 2^23 rounds it, ties to even, and leaves the integer in the
   lower bits of the mantissa. Two additions, where GPUs have few units for conversions. The sum of n such bits is, modulo
   2^32, n times the bias more than that of the integers. */
#define DS_SOP_SMALL_FORCE 4194304.0f /* 2^22 */
#define DS_SOP_SMALL_BIAS 0x4B400000u
DS_FUNC uint32_t ds_sop_small_bits(float force, float separation)
{
  return ds_float_as_uint(force * separation + 12582912.0f);
}

DS_FUNC int32_t ds_sop_small_quanta(float force, float separation)
{
  return (int32_t) (ds_sop_small_bits(force, separation) - DS_SOP_SMALL_BIAS);
}

/* Of the motion of all beads in a step; displacements in units of positions. */
typedef struct {
  float mobility; /* h / zeta: displacement per unit of force; half of it in a step of second order */
  float noise;    /* sqrt(2 kB T h / zeta): standard deviation of a displacement */
} ds_sop_motion_units;

/* Eq. 2 and Algorithm 7, one component: what a force, a normal number and what else acts on the bead (already a
   displacement) add to its position. *fault becomes 1 where it is too far, or not a number. */
DS_FUNC int32_t ds_sop_displacement(ds_sop_motion_units m, int32_t force, float normal, float other, int *fault)
{
  const float d = fmaf((float) force, m.mobility, fmaf(normal, m.noise, other));
  *fault |= !(fabsf(d) <= DS_SOP_MAX_MOVE);
  return ds_round32(d);
}

#endif
