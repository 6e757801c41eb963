/* Pressing on a molecule: the tip of a force microscope, and the plane or the cylinder that holds the molecule.
   SPDX-License-Identifier: GPL-2.0-or-later

   The tip is a sphere. Its centre moves along one direction, driven by a spring whose other end, the cantilever's base, moves
   at constant speed; friction and noise act on it as on a bead. Tip, plane and cylinder repel each bead by the repulsion of eq.
   1 (dpdsop/device/sop_term.h), taken of its distance from their surface, or by a sum of a sixth and a twelfth power, which may
   attract it, too. What a bead feels is rounded to units of force, and the tip feels the opposite of these integers, so that no
   force is lost and no order of a sum matters.

   All in double arithmetic, as the radius of a tip is much larger than what its surface is felt over. */
#ifndef DPDSOP_SOP_INDENT_H
#define DPDSOP_SOP_INDENT_H

#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/purpose.h"
#include "dpdsop/device/rng/tea_stream.h"
#include "dpdsop/device/sop_step.h"
#include "dpdsop/device/sop_term.h"

/* What is the same for all molecules and steps; lengths in units of coordinates, forces in units of forces. */
typedef struct {
  ds_sop_repulsion wall; /* of all surfaces: the sixth power */
  double twelfth;        /* energy of the twelfth power */
  double range;          /* of both */
  double radius;         /* of the tip */
  float reach2;          /* (radius + range)^2 */
  double direction[3];   /* in which the tip moves, a unit vector */
  double normal[3];      /* of the plane, away from the beads, a unit vector */
  double plane;          /* how far along it the plane is from where the tip began; infinite: none */
  double axis[3];        /* of the cylinder, a unit vector */
  double axis_point[3];  /* a point of it, from where the tip began */
  double cylinder;       /* its radius */
  double side;           /* 1: beads are inside of the cylinder, -1: outside, 0: there is none */
} ds_sop_indenter;

/* The tip of a molecule, in units of positions. */
typedef struct {
  int64_t start[3]; /* its centre at t = 0 */
  int64_t travel;   /* how far it has moved since */
  /* between the halves of a step of second order: how far the first half has moved it beyond `travel`; else 0 */
  int64_t ahead;
  double force; /* on it at the beginning of such a step, the caller's units */
} ds_sop_tip;

/* Its motion, which is the same for all tips in a step. */
typedef struct {
  double stiffness;  /* of the spring, force/length */
  double base;       /* V t: how far the spring's other end has come, length */
  double unit;       /* of positions, length */
  double force_unit; /* the caller's units of force */
  double per_force;  /* displacement in a step per force, units of positions per the caller's unit of force */
  double noise;      /* standard deviation of its displacement by noise, units of positions */
} ds_sop_tip_step;

/* Coordinates tell apart what is less than 2^31 of their units from each other. So a tip begins within 2^29 of the
   molecule's centre, its surface included, and comes no further than 2^30. */
#define DS_SOP_TIP_REACH_BITS 29
#define DS_SOP_MAX_TRAVEL ((int64_t) 1 << (30 + DS_SOP_SHIFT)) /* units of positions */

/* The forces of surfaces end at so many sigma. */
#define DS_SOP_WALL_RANGE 3.0

/* The largest force of a surface on a bead along an axis: all three together are less than two pairs may be. */
#define DS_SOP_WALL_LIMIT 16777216.0 /* 2^24 */

/* Coordinates of the tip's centre. */
DS_FUNC void ds_sop_tip_centre(const ds_sop_indenter *p, const ds_sop_tip *tip, int32_t centre[3])
{
  const double travel = (double) (tip->travel + tip->ahead);
  for (int c = 0; c < 3; c++) centre[c] = ds_sop_coordinate(tip->start[c] + ds_round64(travel * p->direction[c]));
}

/* The force by which a surface repels a bead at the distance `gap` from it. */
DS_FUNC double ds_sop_wall_force(const ds_sop_indenter *p, double gap)
{
  double per_gap = ds_sop_repulsion_force(&p->wall, gap * gap);
  if (p->twelfth != 0.0) {
    const double inverse = ds_reciprocal(gap * gap), q2 = p->wall.sigma2 * inverse, q6 = q2 * q2 * q2;
    per_gap += 12.0 * p->twelfth * inverse * (q6 * q6);
  }
  return per_gap * gap;
}

/* A component in units. *fault becomes 1 where it is too large, or not a number. */
DS_FUNC int32_t ds_sop_wall_quanta(double force, int *fault)
{
  const int good = fabs(force) <= DS_SOP_WALL_LIMIT;
  *fault |= !good;
  return (int32_t) ds_round64(good ? force : 0.0);
}

/* The force of the tip on a bead at x. Returns 0, and leaves push as it is, where the bead is out of its reach. *fault becomes
   1 where the bead is in the tip, or too near. */
DS_FUNC int ds_sop_tip_bead_force(const ds_sop_indenter *p, const int32_t centre[3], const int32_t x[3], int32_t push[3],
                                  int *fault)
{
  const int32_t d[3] = {ds_diff32(x[0], centre[0]), ds_diff32(x[1], centre[1]), ds_diff32(x[2], centre[2])};
  if (!(ds_squaref((float) d[0], (float) d[1], (float) d[2]) < p->reach2)) return 0;
  const double r2 = ds_square((double) d[0], (double) d[1], (double) d[2]);
  const double inverse = ds_rsqrt(r2), gap = r2 * inverse - p->radius;
  const int inside = !(gap > 0.0);
  const double force = ds_sop_wall_force(p, inside ? p->range : gap) * inverse;
  *fault |= inside;
  for (int c = 0; c < 3; c++) push[c] = ds_sop_wall_quanta(force * (double) d[c], fault);
  return 1;
}

/* The force of the plane on a bead at x, likewise; `start` are coordinates of where the tip began. */
DS_FUNC int ds_sop_plane_bead_force(const ds_sop_indenter *p, const int32_t start[3], const int32_t x[3], int32_t push[3],
                                    int *fault)
{
  const double *const n = p->normal;
  const double along = fma(n[2], (double) ds_diff32(x[2], start[2]),
                           fma(n[1], (double) ds_diff32(x[1], start[1]), n[0] * (double) ds_diff32(x[0], start[0])));
  const double gap = p->plane - along;
  if (!(gap < p->range)) return 0;
  const int beyond = !(gap > 0.0);
  const double force = ds_sop_wall_force(p, beyond ? p->range : gap);
  *fault |= beyond;
  for (int c = 0; c < 3; c++) push[c] = -ds_sop_wall_quanta(force * n[c], fault);
  return 1;
}

/* The force of the cylinder on a bead at x, likewise. */
DS_FUNC int ds_sop_cylinder_bead_force(const ds_sop_indenter *p, const int32_t start[3], const int32_t x[3], int32_t push[3],
                                       int *fault)
{
  const double *const a = p->axis;
  double d[3];
  for (int c = 0; c < 3; c++) d[c] = (double) ds_diff32(x[c], start[c]) - p->axis_point[c];
  const double along = fma(a[2], d[2], fma(a[1], d[1], a[0] * d[0]));
  for (int c = 0; c < 3; c++) d[c] = fma(-along, a[c], d[c]);
  const double r2 = ds_square(d[0], d[1], d[2]), inverse = r2 > 0.0 ? ds_rsqrt(r2) : 0.0;
  const double gap = p->side * (p->cylinder - r2 * inverse);
  if (p->side == 0.0 || !(gap < p->range)) return 0;
  const int beyond = !(gap > 0.0);
  const double force = p->side * ds_sop_wall_force(p, beyond ? p->range : gap) * inverse;
  *fault |= beyond;
  for (int c = 0; c < 3; c++) push[c] = -ds_sop_wall_quanta(force * d[c], fault);
  return 1;
}

/* The force of the spring on a tip that has come so far. */
DS_FUNC double ds_sop_tip_spring(const ds_sop_tip_step *s, int64_t travel)
{
  return s->stiffness * (s->base - s->unit * (double) travel);
}

/* Of the spring, and of the beads, which feel `push` together. */
DS_FUNC double ds_sop_tip_force(const ds_sop_indenter *p, const ds_sop_tip_step *s, int64_t travel, const int64_t push[3])
{
  const double along =
      fma(p->direction[2], (double) push[2], fma(p->direction[1], (double) push[1], p->direction[0] * (double) push[0]));
  return ds_sop_tip_spring(s, travel) - s->force_unit * along;
}

/* The random number of a tip in a step; id: of its molecule's first bead. */
DS_FUNC float ds_sop_tip_normal(uint64_t seed, int64_t step, int64_t id)
{
  uint32_t w[4];
  float g[3];
  ds_tea_at(seed, DS_PURPOSE_SOP_TIP, (uint64_t) step, (uint64_t) id, w);
  ds_normal3f(w, g);
  return g[0];
}

/* A step of a tip (eq. 2), or a half of one of second order. Returns 1, and leaves the tip as it is, where it would move too
   far. */
DS_FUNC int ds_sop_tip_move(const ds_sop_indenter *p, const ds_sop_tip_step *s, int order, int half, float normal,
                            const int64_t push[3], ds_sop_tip *tip)
{
  double force = ds_sop_tip_force(p, s, tip->travel + tip->ahead, push);
  const double first = force;
  if (half) force = 0.5 * (tip->force + force);
  const double d = fma((double) normal, s->noise, force * s->per_force);
  if (!(fabs(d) <= (double) DS_SOP_MAX_MOVE)) return 1;
  if (tip->travel + ds_round64(d) > DS_SOP_MAX_TRAVEL || tip->travel + ds_round64(d) < -DS_SOP_MAX_TRAVEL) return 1;
  if (order == 2 && half == 0) {
    tip->ahead = ds_round64(d);
    tip->force = first;
  } else {
    tip->travel += ds_round64(d);
    tip->ahead = 0;
  }
  return 0;
}

#endif
