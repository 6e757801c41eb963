/* Brownian dynamics of self-organized-polymer (SOP) proteins on host or GPU: the C interface.

   An object moves the beads of molecules that all have one topology (dpdsop/sop_topology.h), each a copy of it, and of
   free beads, which have none. Bead b of the k-th molecule is number k * topology.beads + b; the free beads come after
   all molecules. A step of length h is

     r(t + h) = r(t) + f(r(t)) h / zeta + sqrt(2 kB T h / zeta) g        Zhmurov et al. 2010, eq. 2; order 1
     r(t + h) = r(t) + [f(r(t)) + f(r')] h / (2 zeta) + the same noise    order 2: r' is the result of order 1

   where f is the force of eq. 1, what ds_sop_set_forces, ds_sop_set_pull and ds_sop_set_indent add to it, and g are three
   normal numbers that follow from seed, step and the bead's ID. Trajectories are the same to the bit with either backend, any
   scheme, any number of threads, and whichever beads share an object (dpdsop/device/sop_step.h says how).

   Units are the caller's: length, energy, time; forces are energy/length, zeta is energy time / length^2. Arrays are of
   the caller, in host memory, three numbers per bead without gaps. All functions return DS_OK or a code, with the text in
   err (may be NULL). After DS_ERR_MEMORY or DS_ERR_CUDA an object can only be closed. After DS_ERR_FORCE_RANGE the
   molecule in which a force is out of range is where it was at the beginning of the step that failed; where a bead would
   move too far, the molecule may have made a part of that step. Other molecules may be some steps ahead; tips are
   where they were before the call. With positions set anew, these steps can be made again.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_H
#define DPDSOP_SOP_H

#include "dpdsop/backend.h"
#include "dpdsop/sop_topology.h"
#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_sop ds_sop;

/* How forces are summed (Zhmurov et al. 2010, section III). They differ in speed alone. */
typedef enum {
  DS_SOP_AUTO = 0,
  DS_SOP_PARTICLE, /* one thread sums the forces on a bead, each pair is computed twice: Algorithms 2 and 3 */
  DS_SOP_PAIR,     /* one thread computes a pair, another gathers: Algorithms 4 and 5 */
  DS_SOP_BLOCK     /* a molecule's steps are made in one go by a block of threads, or by one core */
} ds_sop_scheme;

/* Hydrodynamic interactions of the beads of a molecule: its mobility is that of Rotne, Prager and Yamakawa, and the noise has
   the covariance that belongs to it. A bead has options.radius, and alone the friction coefficient zeta; or a radius R of the
   topology's, and alone zeta R / options.radius. Beads of different molecules, free beads, tips and planes have none with a
   molecule. Beads that are fixed move no other by them. Order 1 only. */
typedef enum {
  DS_SOP_HYDRO_NONE = 0,
  DS_SOP_HYDRO_EXACT, /* noise by the Cholesky factor: at most 512 beads in a molecule */
  DS_SOP_HYDRO_TEA    /* noise by the truncated expansion of Geyer and Winter 2009: at most 65536 */
} ds_sop_hydro;

/* All zero is the default. */
typedef struct {
  ds_backend backend; /* AUTO: cuda where a usable GPU is and can be opened, else host */
  int local_rank;     /* of this process on its node: GPUs are given round-robin; means nothing where there is a stream */
  int threads;        /* OpenMP threads of the host backend, to 4096; 0: as many as OpenMP would take */
  const char *isa;    /* host code path: NULL (best), "base", "avx2", "avx512"; not read later */
  void *stream;       /* cudaStream_t of the device that is current at opening; NULL: one of its own */
  ds_sop_scheme scheme;
  int order;       /* 1 or 2; 0: 1 */
  const char *rng; /* a name of ds_sop_known_generators(); NULL: tea */
  uint64_t seed;
  double cutoff; /* of the repulsion, length; 0: 3 sigma, where it is eps_r / 729 */
  double skin;   /* of its list, length, >= 0; changes speed alone */
  int inter;     /* 1: beads of different molecules repel each other, too */
  ds_sop_hydro hydro;
  double radius; /* of beads, length, > 0; only with hydro */
} ds_sop_options;

typedef struct {
  const char *backend; /* "host" or "cuda" */
  const char *device;  /* the GPU's name; "" on the host */
  const char *no_gpu;  /* why backend auto took the host; "" where it did not */
  const char *scheme;  /* "particle", "pair" or "block", after ds_sop_set_beads; "auto" before */
  size_t bytes;        /* of host or device memory */
} ds_sop_info;

/* Names that options.rng may have; "lfib" is another word for fibonacci. */
int ds_sop_knows_generator(const char *name);
const char *ds_sop_known_generators(void); /* separated by commas */

/* options may be NULL. Topology and names are copied. DS_ERR_ARGUMENT for a topology with a number out of range
   (ds_sop_topology_check), or with two rows of one pair of beads. */
ds_status ds_sop_open(ds_sop **sop, const ds_sop_options *options, const ds_sop_topology *topology, ds_error *err);
void ds_sop_close(ds_sop *sop);
/* Another number of threads from now on, as in options. */
ds_status ds_sop_set_threads(ds_sop *sop, int threads, ds_error *err);
ds_sop_info ds_sop_get_info(const ds_sop *sop);

/* The beads to be moved: `molecules` copies and `free` beads, with their IDs, which must differ and are at least 0.
   Positions, forces and the state of generators are to be set anew. */
ds_status ds_sop_set_beads(ds_sop *sop, int32_t molecules, int32_t free, const int64_t *id, ds_error *err);

/* Several objects, of processes that exchange positions after each step, may share the molecules of all: each has all of them,
   and moves the beads first to last - 1 of molecules alone; others stay where ds_sop_set_positions puts them. For beads that
   are set after it: ds_sop_set_beads refuses fewer than `last` beads of molecules. With the host backend, order 1, the scheme
   particle (or auto, which then is that one), one step per call, and no hydrodynamic interactions. last 0: none are shared. */
ds_status ds_sop_set_share(ds_sop *sop, int64_t first, int64_t last, ds_error *err);

/* Positions, not wrapped into a box. Rounded to 2^-29 of the length sop_step.h names, 2e-9 angstrom for proteins: what
   ds_sop_get_positions gave comes back as it was. DS_ERR_POSITION with the ID for NaN or |x| above 2^31 such lengths. */
ds_status ds_sop_set_positions(ds_sop *sop, const double *x, ds_error *err);
ds_status ds_sop_get_positions(const ds_sop *sop, double *x, ds_error *err);

/* Forces from outside, which stay as they are until the next call; NULL: none. DS_ERR_ARGUMENT for one that is not finite. */
ds_status ds_sop_set_forces(ds_sop *sop, const double *f, ds_error *err);

/* ---------------------------------------------------------------------------------------- pulling */

typedef enum { DS_SOP_PULL_NONE = 0, DS_SOP_PULL_SPRING, DS_SOP_PULL_FORCE } ds_sop_pull_mode;

/* Beads of every molecule that are fixed, and some that are pulled: the mean of their positions, r, by
     spring    K (V t - (r - r(0)) . n) n, a cantilever that moves at constant speed
     force     F n
   of which each has the share w / sum of w by its weight w; the mean has these weights, too. n is `direction`, made a unit
   vector, or, where that is 0, the direction from the mean of the fixed beads to that of the pulled ones at t = 0. t = 0 is the
   first step after ds_sop_set_pull.

   With a plane r(0) is any point of it: (r - r(0)) . n is the distance from the plane, whose normal `direction` is. The point
   is relative to the mean of the molecule's beads at t = 0, and the plane stays where it is then.

   Weights become integers, so that sums are exact: the smallest in whose ratio they are, where the sum of these is at most
   2^18, or else the nearest multiples of 2^-18 of their sum. */
typedef struct {
  ds_sop_pull_mode mode;
  int32_t fixed, pulled;     /* how many; 0 fixed ones need a direction */
  const int32_t *fixed_bead; /* from 0, of a molecule */
  const int32_t *pulled_bead;
  double spring, speed; /* energy/length^2, length/time */
  double force;         /* energy/length */
  double direction[3];
  const double *fixed_weight, *pulled_weight; /* > 0; NULL: all are 1 */
  int has_plane;
  double plane[3]; /* a point of it */
} ds_sop_pull;

/* Copied. DS_ERR_ARGUMENT for the number of no bead, a bead that is fixed and pulled, or a weight that is not above 0 or less
   than 2^-19 of the sum. */
ds_status ds_sop_set_pull(ds_sop *sop, const ds_sop_pull *pull, ds_error *err);

/* Another speed of the cantilever from the next step on. Its end goes on from where it is, so that the spring keeps its force;
   with 0 it stands still. DS_ERR_ARGUMENT where no spring pulls, or for a speed that is not finite. The second one: the speed
   that the next step has. */
ds_status ds_sop_set_pull_speed(ds_sop *sop, double speed, ds_error *err);
double ds_sop_pull_speed(const ds_sop *sop);

/* Of each molecule: pulling force, and the distance from the mean of the fixed beads to that of the pulled ones (from
   where the pulled ones began, where none is fixed; from the plane, with a sign, where there is one). force and extension:
   one number per molecule. */
ds_status ds_sop_pulling(const ds_sop *sop, double *force, double *extension, ds_error *err);

/* Of each molecule: n, three numbers, and how far the pulled beads are along n from where `extension` is taken from. 0 where
   nothing pulls. */
ds_status ds_sop_pull_direction(const ds_sop *sop, double *n, double *projection, ds_error *err);

/* -------------------------------------------------------------------------------------- indentation */

/* A sphere that presses on every molecule, as the tip of a force microscope does: each molecule has one of its own. Its centre
   moves along `direction`, made a unit vector, by the force of a spring, K (V t - s), where s is how far it has come; by what
   the beads exert on it; by friction and noise (the noise of tea, whatever options.rng is). At a distance d of a bead from its
   surface the energy is eps (twelfth (sigma / d)^12 + sixth (sigma / d)^6), up to d = 3 sigma. So it is at a plane and at a
   cylinder, which stay where they are. t = 0 is the first step after ds_sop_set_indent. Places are relative to the mean of the
   molecule's beads at t = 0. With the schemes particle and pair; where options.inter is set, one molecule only. */
typedef enum { DS_SOP_NO_CYLINDER, DS_SOP_BEADS_INSIDE, DS_SOP_BEADS_OUTSIDE } ds_sop_cylinder;

typedef struct {
  double radius;   /* length, > 0 */
  double start[3]; /* of the centre at t = 0 */
  double direction[3];
  double spring, speed; /* energy/length^2, > 0; length/time */
  double friction;      /* of the tip, > 0 */
  double eps, sigma;    /* > 0 */
  int has_plane;
  double plane[3];       /* a point of it */
  double normal[3];      /* of the plane, to the side where the beads are; 0 0 0: against `direction` */
  double twelfth, sixth; /* the first >= 0, and if it is 0, the second > 0; both 0: 0 and 1 */
  ds_sop_cylinder cylinder;
  double axis_point[3], axis[3], cylinder_radius; /* of the cylinder, which is infinitely long; the radius > 0 */
} ds_sop_indent;

/* Before ds_sop_set_beads. DS_ERR_ARGUMENT for a value out of range, or with the scheme block. */
ds_status ds_sop_set_indent(ds_sop *sop, const ds_sop_indent *indent, ds_error *err);

/* Another speed of the tip's cantilever, as ds_sop_set_pull_speed. */
ds_status ds_sop_set_indent_speed(ds_sop *sop, double speed, ds_error *err);
double ds_sop_indent_speed(const ds_sop *sop);

/* Of each molecule: the force of the spring on its tip, and how far the tip has come; 0 before the first step. One number
   per molecule. */
ds_status ds_sop_indenting(const ds_sop *sop, double *force, double *travel, ds_error *err);

/* ----------------------------------------------------------------------------------------- motion */

typedef struct {
  int64_t first; /* number of the first step, >= 0; names its noise */
  int32_t steps; /* >= 0; first + steps below 2^63 */
  double h;      /* > 0 */
  double zeta;   /* > 0 */
  double kT;     /* >= 0 */
} ds_sop_motion;

/* DS_ERR_FORCE_RANGE, with the IDs of the beads: a bond longer than it can be, beads too close, a step too far. */
ds_status ds_sop_advance(ds_sop *sop, const ds_sop_motion *motion, ds_error *err);

/* Energies of eq. 1 at the present positions, summed over all molecules; of each in `each` where that is not NULL.
   DS_ERR_FORCE_RANGE where a bond is longer than it can be, or two beads are at the same place. */
typedef struct {
  double bonds, native, other, angles;
  int64_t intact; /* native contacts of at most 1.2 r0 */
} ds_sop_energies;

ds_status ds_sop_energy(ds_sop *sop, ds_sop_energies *sum, ds_sop_energies *each, ds_error *err);

/* Native contacts of at most 1.2 r0 of each molecule at the present positions: those of ds_sop_energy, in a small part of its
   time. */
ds_status ds_sop_intact(const ds_sop *sop, int64_t *each, ds_error *err);

/* Forces of eq. 1 at the present positions, without those from outside. */
ds_status ds_sop_get_forces(ds_sop *sop, double *f, ds_error *err);

/* zeta / (6 kB h) times the mean square of the last step's displacements, less what forces contributed: kT as the noise
   has it. In units of energy; 0 before the first step. Fixed beads do not count. *beads: how many did. */
ds_status ds_sop_noise_temperature(const ds_sop *sop, double *kT, int64_t *beads, ds_error *err);

/* ------------------------------------------------------------------------------------- for restarts */

/* State of the generators (nothing for tea and philox), of pulling and of tips, as bytes: a header that is the same in all
   objects that make the same steps; then something for each molecule, where pulling or indentation has begun; then for each
   bead. So the states of several objects can be put together, and given to others. Pulling and indentation go on, at the speed
   that they had last, where ds_sop_set_pull and ds_sop_set_indent had the same values, and begin anew where not. ds_sop_load
   changes nothing, returns DS_ERR_ARGUMENT and says why for bytes that are something else, of another version, that were cut or
   changed, as each of these parts has a digest, or that are of another generator, or of molecules and beads with other IDs. */
typedef struct {
  size_t header, molecule, bead;
} ds_sop_state_sizes;
void ds_sop_state_parts(const ds_sop *sop, ds_sop_state_sizes *sizes);
size_t ds_sop_state_bytes(const ds_sop *sop);
ds_status ds_sop_save(const ds_sop *sop, void *bytes, size_t size, ds_error *err);
ds_status ds_sop_load(ds_sop *sop, const void *bytes, size_t size, ds_error *err);

/* The largest curvature that the energy of a molecule can have near its native lengths, energy/length^2: that with all
   bonds in one line, a third of each contact, and the spring of a pull (NULL: none; one that ds_sop_set_pull takes). Steps
   should not be longer than 0.75 zeta over it (the page of fix langevin/sop/gpu has the numbers). */
ds_status ds_sop_stiffness(const ds_sop_topology *topology, const ds_sop_pull *pull, double *curvature, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
