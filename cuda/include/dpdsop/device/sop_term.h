/* The four terms of the self-organized-polymer model, eq. 1 of Zhmurov et al., Proteins 78, 2984 (2010), in floats and in
   doubles. There is no other copy of these formulas.   SPDX-License-Identifier: GPL-2.0-or-later

   Each function takes the squared distance r2 of two beads. The forces are F / r, positive where the beads repel each
   other: times the separation r_i - r_j it is the force on i. Any units that fit together will do. */
#ifndef DS_FORMULAS
#ifndef DPDSOP_SOP_TERM_H
#define DPDSOP_SOP_TERM_H

#include "dpdsop/device/fastmath.h"

#define DS_FORMULAS "dpdsop/device/sop_term.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

#endif
#else

/* A covalent bond: FENE about its native length. */
typedef struct {
  DS_REAL k;          /* stiffness, energy/length^2 */
  DS_REAL r0;         /* native length */
  DS_REAL inverse_R2; /* 1 / R0^2, R0 the largest change of length */
} DS_R(ds_sop_bond);

/* A native contact. */
typedef struct {
  DS_REAL r02; /* native distance^2 */
  DS_REAL eps; /* depth, energy */
} DS_R(ds_sop_contact);

/* Repulsion of beads that are neither bonded nor in contact. */
typedef struct {
  DS_REAL sigma2; /* range^2 */
  DS_REAL eps;    /* energy at that distance */
} DS_R(ds_sop_repulsion);

/* 1 - (r - r0)^2 / R0^2: what is left of a bond's room, 1 at rest, 0 where its force diverges. */
DS_FUNC DS_REAL DS_R(ds_sop_bond_room)(const DS_R(ds_sop_bond) * b, DS_REAL change)
{
  return DS_R(fma)(-(change * change), b->inverse_R2, (DS_REAL) 1);
}

/* Eq. 1, first term: V = -k/2 R0^2 ln(1 - (r - r0)^2 / R0^2), so F = -k (r - r0) / (1 - (r - r0)^2 / R0^2). Not above
   0 in *room: the bond is longer or shorter than it can be, and the force has no meaning. */
DS_FUNC DS_REAL DS_R(ds_sop_bond_force)(const DS_R(ds_sop_bond) * b, DS_REAL r2, DS_REAL *room)
{
  const DS_REAL inverse_r = DS_R(ds_rsqrt)(r2);
  const DS_REAL change = DS_R(fma)(r2, inverse_r, -b->r0);
  *room = DS_R(ds_sop_bond_room)(b, change);
  return -(b->k * change) * inverse_r * DS_R(ds_reciprocal)(*room);
}

DS_FUNC DS_REAL DS_R(ds_sop_bond_energy)(const DS_R(ds_sop_bond) * b, DS_REAL r2)
{
  const DS_REAL half_ln2 = (DS_REAL) 0.34657359027997264;
  const DS_REAL change = DS_R(fma)(r2, DS_R(ds_rsqrt)(r2), -b->r0);
  const DS_REAL bits = DS_R(ds_log2)(DS_R(ds_sop_bond_room)(b, change));
  return -half_ln2 * b->k * DS_R(ds_reciprocal)(b->inverse_R2) * bits;
}

/* Eq. 1, second term: V = eps [(r0/r)^12 - 2 (r0/r)^6], so F / r = 12 eps [(r0/r)^12 - (r0/r)^6] / r^2. */
DS_FUNC DS_REAL DS_R(ds_sop_contact_force)(const DS_R(ds_sop_contact) * c, DS_REAL r2)
{
  const DS_REAL inverse = DS_R(ds_reciprocal)(r2);
  const DS_REAL q2 = c->r02 * inverse;
  const DS_REAL q6 = q2 * q2 * q2;
  return (DS_REAL) 12 * c->eps * inverse * DS_R(fma)(q6, q6, -q6);
}

DS_FUNC DS_REAL DS_R(ds_sop_contact_energy)(const DS_R(ds_sop_contact) * c, DS_REAL r2)
{
  const DS_REAL q2 = c->r02 * DS_R(ds_reciprocal)(r2);
  const DS_REAL q6 = q2 * q2 * q2;
  return c->eps * DS_R(fma)(q6, q6, (DS_REAL) -2 * q6);
}

/* Eq. 1, third and fourth term: V = eps (sigma/r)^6, so F / r = 6 eps (sigma/r)^6 / r^2. */
DS_FUNC DS_REAL DS_R(ds_sop_repulsion_force)(const DS_R(ds_sop_repulsion) * n, DS_REAL r2)
{
  const DS_REAL inverse = DS_R(ds_reciprocal)(r2);
  const DS_REAL q2 = n->sigma2 * inverse;
  return (DS_REAL) 6 * n->eps * inverse * (q2 * q2 * q2);
}

DS_FUNC DS_REAL DS_R(ds_sop_repulsion_energy)(const DS_R(ds_sop_repulsion) * n, DS_REAL r2)
{
  const DS_REAL q2 = n->sigma2 * DS_R(ds_reciprocal)(r2);
  return n->eps * (q2 * q2 * q2);
}

#endif
