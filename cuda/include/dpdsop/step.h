/* What happens to particles between two evaluations of forces, as a list of records: operations.
   SPDX-License-Identifier: GPL-2.0-or-later

   An operation acts at one point of a step, on the particles of a group, inside a region if it names one. Operations of a
   point act in the order of the list, and those of a step in the order of points. Each is one device header
   (device/step/), so that the host, the GPU and tests compute the same bits. Numbers are in the units of the caller's
   program; what each operation reads in `number` stands in its header. */
#ifndef DPDSOP_STEP_H
#define DPDSOP_STEP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DS_MAX_OPERATIONS = 32,
  DS_MAX_REGIONS = 16,
  DS_MAX_BINNINGS = 8,
  DS_BIN_VALUES = 16, /* that are added up in each bin at most */
  DS_BIN_SOURCES = 4, /* kinds of values of particles (ds_atom_value) among them */
  DS_OPERATION_NUMBERS = 12,
  DS_OPERATION_SUMS = 10 /* that one operation adds up at most */
};

/* Points of a step, from forces to forces. */
typedef enum {
  DS_AT_POST_FORCE = 0, /* forces are there, and are changed */
  DS_AT_FINAL,          /* second half of the step */
  DS_AT_END,            /* every so many steps */
  DS_AT_SUMS,           /* of what the step has led to; nothing is changed */
  DS_AT_INITIAL,        /* first half of the step that follows */
  DS_AT_POST_INTEGRATE, /* positions are there; lists are rebuilt afterwards */
  DS_POINTS
} ds_point;

typedef enum {
  DS_NVE_INITIAL = 0,
  DS_NVE_FINAL,
  DS_NVE_LIMIT_INITIAL,
  DS_NVE_LIMIT_FINAL,
  DS_ADD_FORCE,
  DS_SET_FORCE,
  DS_SUM_FORCE,
  DS_AVERAGE_FORCE,
  DS_GRAVITY,
  DS_LANGEVIN,
  DS_SUM_CENTER,
  DS_SPRING_TETHER,
  DS_WALL_REFLECT,
  DS_WALL_BOUNCE,
  DS_REGION_BOUNCE,
  DS_WALL_LJ93,
  DS_WALL_LJ126,
  DS_WALL_HARMONIC,
  DS_SUM_KINETIC,
  DS_RESCALE_TEMPERATURE,
  DS_SUM_MOMENTUM,
  DS_SUM_KINETIC_TRACE,
  DS_REMOVE_MOMENTUM,
  DS_RESCALE_ENERGY,
  DS_SPRING_SELF,
  DS_SUM_DISPLACEMENT,
  DS_MOVE_LINEAR_INITIAL,
  DS_MOVE_LINEAR_FINAL,
  DS_SUM_ROTATION,
  DS_REMOVE_ROTATION,
  DS_SUM_NOISE,
  DS_SUM_WORK,
  DS_SCALE_VELOCITY,
  DS_DRIFT,
  DS_REMAP,
  DS_TO_FRACTIONS,
  DS_FROM_FRACTIONS,
  DS_CHANGE_BOX,
  DS_ADD_TO_BINS,
  DS_BODY_SUM,
  DS_BODY_VELOCITY,
  DS_BODY_PLACE,
  DS_BODY_KINETIC,
  DS_MVV_INITIAL,
  DS_MVV_FINAL,
  DS_OPERATION_KINDS
} ds_operation_kind;

/* When an operation acts, and on whom; else in every step, on particles in its region. */
enum {
  DS_LAST_STEP_ONLY = 1, /* of a run of steps, or of a call that asks for sums */
  DS_AFTER_SUMS = 2,     /* it reads sums of operations before it, which must be whole */
  DS_OUTSIDE_REGION = 4, /* on particles that are not in its region */
  DS_ADDS_UP = 8,        /* its sums go on from step to step, and no other operation reads them */
  DS_ASKS = 16 /* before it acts, the caller is asked for its numbers, and for those of operations behind it (ds_question) */
};

/* What of a velocity is no heat, for operations that ask for temperatures. They have four numbers for it: one of these; then
   for DS_BIAS_AXES of each axis, not 0: nothing along it is heat. */
enum {
  DS_BIAS_NONE = 0,
  DS_BIAS_AXES,
  DS_BIAS_FLOW /* ds_step_program.flow */
};

typedef struct {
  int32_t kind, point;
  int32_t group;  /* bits of the particles' masks; 0: no particle */
  int32_t region; /* number in the list of regions; -1: everywhere */
  int32_t every;  /* steps whose number is a multiple of it; >= 1 */
  int32_t flags;
  int32_t nsums;  /* how many sums it adds up, 0 to DS_OPERATION_SUMS */
  int32_t from;   /* operation whose sums it reads, before it in the list; -1: none */
  int32_t also;   /* another one; -1: none */
  int32_t anchor; /* number of the array of anchors that it reads, if it does */
  double number[DS_OPERATION_NUMBERS];
  double unit; /* a power of two: terms are rounded to multiples of unit / 2^60 */
} ds_operation;

typedef enum {
  DS_REGION_BLOCK = 0, /* xlo xhi ylo yhi zlo zhi */
  DS_REGION_SPHERE,    /* center, radius */
  DS_REGION_CYLINDER,  /* axis (0 x, 1 y, 2 z), the two other coordinates in cyclic order of LAMMPS, radius, lo, hi */
  DS_REGION_PLANE,     /* point, normal */
  DS_REGION_UNION,     /* of regions first .. first + count - 1 */
  DS_REGION_INTERSECT
} ds_region_kind;

typedef struct {
  int32_t kind;
  int32_t outside; /* 1: what it leaves out */
  int32_t first, count;
  double number[7];
} ds_region;

/* Bins that DS_ADD_TO_BINS adds to (device/step/bins.h). */
typedef enum {
  DS_BINS_LAYERS = 0, /* along one to three axes */
  DS_BINS_SPHERE,     /* shells */
  DS_BINS_CYLINDER,   /* shells, each cut into layers along one axis */
  DS_BINS_MOLECULES   /* of molecules, by their numbers */
} ds_bins_kind;

/* What of a particle is added up. */
typedef enum {
  DS_BIN_COUNT = 0, /* 1 */
  DS_BIN_VX,
  DS_BIN_VY,
  DS_BIN_VZ,
  DS_BIN_FX,
  DS_BIN_FY,
  DS_BIN_FZ,
  DS_BIN_MASS,
  DS_BIN_MVV,        /* m v.v of the heat, see DS_BIAS_NONE */
  DS_BIN_ATOM_VALUE, /* a component of one of the binning's ds_atom_value */
  DS_BIN_PX,         /* momentum */
  DS_BIN_PY,
  DS_BIN_PZ,
  DS_BIN_MXX, /* mass times two components of the velocity */
  DS_BIN_MYY,
  DS_BIN_MZZ,
  DS_BIN_MXY,
  DS_BIN_MXZ,
  DS_BIN_MYZ,
  DS_BIN_MRX, /* mass times the way from the center of the bin to where the particle would be had it never been wrapped */
  DS_BIN_MRY,
  DS_BIN_MRZ,
  DS_BIN_MRXX, /* mass times two components of that way */
  DS_BIN_MRYY,
  DS_BIN_MRZZ,
  DS_BIN_MRXY,
  DS_BIN_MRXZ,
  DS_BIN_MRYZ,
  DS_BIN_VALUE_KINDS
} ds_bin_value;

/* Who has a part in the energy and the virial of a particle. What is of several particles counts for each of them evenly: a
   half of a pair or a bond, a third of an angle, a quarter of a dihedral or improper. */
typedef enum {
  DS_TALLY_PAIRS = 0,
  DS_TALLY_BONDS,
  DS_TALLY_ANGLES,
  DS_TALLY_DIHEDRALS,
  DS_TALLY_IMPROPERS,
  DS_TALLIES
} ds_tally;

/* What has been tallied of each particle, behind each other: its energy; its virial, xx yy zz xy xz yz. NULL: it has not. Sets
   of these are bits: 1 << ds_tally for energies, 1 << (DS_TALLIES + ds_tally) for virials. */
typedef struct {
  const double *energy[DS_TALLIES], *virial[DS_TALLIES];
} ds_tallies;

/* A value of a particle that is made of its tallies and its velocity (device/step/atom_value.h). */
typedef struct {
  int32_t group;     /* bits of masks: of other particles it is 0 */
  int32_t is_virial; /* 0: an energy, of one component. 1: a virial, of six */
  int32_t parts;     /* a bit, 1 << ds_tally, for each that is added up */
  int32_t kinetic;   /* 1: to a virial, also m v v of the heat */
  double bias[4];    /* what of velocities is no heat, see DS_BIAS_NONE */
  double mvv;        /* energy of mass * velocity^2 */
  double factor;     /* of the sum */
} ds_atom_value;

/* Layers along one axis. A particle before the first or behind the last one belongs to that one, or to none. */
typedef struct {
  int32_t axis, n; /* 0 x, 1 y, 2 z; n >= 1 */
  int32_t keeps_below, keeps_above;
  double first, inverse; /* where the first begins; of their thickness: > 0 */
} ds_bin_layers;

/* Which bin each molecule is in. */
typedef struct {
  int64_t first, n;   /* numbers of molecules: n of them from `first` on. Others are in no bin */
  const int32_t *bin; /* of each of these, in host memory: 0 to nbins - 1, or DS_NO_BIN */
  int32_t nbins;
} ds_bin_molecules;

/* Bins are numbered from 0: of layers the last axis is the fastest; of a cylinder the layers are. Positions outside of the
   box, along its periodic axes, count as their images in it. */
typedef struct {
  int32_t kind;
  int32_t group;   /* bits of masks: a particle has to be in this group, too */
  int32_t nlayers; /* axes with layers: 1 to 3; of a sphere 0, of a cylinder 1 */
  int32_t reduced; /* layers are those of fractions of the box */
  ds_bin_layers layers[3];
  int32_t nshells;              /* of spheres and cylinders; >= 1 */
  int32_t keeps_beyond;         /* particles before the first shell or behind the last belong to these, or to none */
  int32_t nearest;              /* distances are those of the nearest image along each periodic axis */
  double center[3];             /* of shells; that of a cylinder has none along its axis */
  double radius, inverse_width; /* where the first shell begins; of their thickness: > 0 */
  int32_t periodic[3];
  double lo[3], hi[3], period[3], inverse[6]; /* of the box; of a tilted one, too: ds_wrap.inverse */
  /* steps in which something is added up: from `begin` on the last `within` of each `period_of_steps`, the multiple of
     that among them, as far as operation.every lets them */
  int64_t begin, period_of_steps, within;
  int32_t nvalues;
  int32_t value[DS_BIN_VALUES];
  double unit[DS_BIN_VALUES]; /* powers of two, as operation.unit */
  int32_t nsources;
  ds_atom_value source[DS_BIN_SOURCES];
  int32_t source_of[DS_BIN_VALUES], component[DS_BIN_VALUES]; /* of DS_BIN_ATOM_VALUE; components from 0 on */
  /* Of operations that act once (ds_resident_add_once, ds_stepper_operate), which read these arrays before they return */
  ds_bin_molecules molecules; /* of DS_BINS_MOLECULES */
  const double *center_of;    /* from where positions are taken: 3 numbers for each bin, in host memory; NULL: the origin */
} ds_binning;

typedef struct {
  int32_t n, nregions, nbinnings;
  ds_operation operation[DS_MAX_OPERATIONS];
  ds_region region[DS_MAX_REGIONS];
  ds_binning binning[DS_MAX_BINNINGS];
  double flow[9]; /* velocity of a flow at x: a matrix, xx yy zz yz xz xy, times x, and a velocity added to it */
} ds_step_program;

/* A sum of numbers that does not depend on their order, nor on who adds up which of them: top * 2^90 + high * 2^32 + low, in
   units of operation.unit / 2^60. Sums of several processes are added part by part. A sum with an invalid term is NaN. */
typedef struct {
  int64_t low, high;
  int64_t top;     /* of terms from unit * 2^30 on: there are few */
  int64_t invalid; /* how many terms are no number, or from unit * 2^88 on */
} ds_exact_sum;

/* What the caller is asked where an operation has DS_ASKS: a thermostat, for example, that has to know the kinetic energy of
   this very step. The answer changes `program`: numbers of operations that have not acted yet, and nothing else. It is asked
   for once in each step in which the operation acts, in the order of steps, and never for a step that comes to nothing: the
   engine waits for sums. Where no operation that asks reads sums, nothing is waited for, and steps to which a run goes back are
   asked for again (ds_run_request.returns). */
typedef struct {
  int64_t step;
  int32_t operation;        /* number in the program */
  const ds_exact_sum *sums; /* of the operation that it reads, over all processes, or its own (DS_BODY_KINETIC); NULL: none */
  ds_step_program *program;
  double *trigger2; /* square of the displacement beyond which lists are rebuilt: to be set anew where the box has changed */
} ds_question;

/* A rigid body. Which body a particle belongs to, and where it lies in that, are arrays of the particles
   (ds_resident_atoms.body, anchor). All processes have all bodies. */
typedef struct {
  double mass, inertia[3];      /* principal moments; 0: it does not turn about that axis */
  double x[3], v[3];            /* center of mass, in the box along periodic axes */
  double quaternion[4];         /* w x y z: from the principal axes to those of space */
  double momentum[3], omega[3]; /* angular momentum and velocity, along the axes of space */
  double force[3], torque[3];   /* as they have been added up last, with those of its thermostat */
  double moves[3], turns[3];    /* 1; 0: the force, the torque along this axis of space is not felt */
  int64_t image;                /* three counters of boxes that the center has passed, of DS_BODY_IMAGE_BITS each */
} ds_body;

enum {
  DS_BODY_IMAGE_BITS = 21,
  DS_BODY_SUMS = 6,       /* of each body: force, torque */
  DS_BODY_KINETIC_SUMS = 2 /* over all of them */
};

/* Places of the sums of a program: those of operation k begin at k * DS_OPERATION_SUMS. */
enum { DS_STEP_SUMS = DS_MAX_OPERATIONS * DS_OPERATION_SUMS };

#ifdef __cplusplus
}
#endif
#endif
