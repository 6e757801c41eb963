/* Pair forces with signature noise on host or GPU: the engine's C interface.

   The caller owns the atoms and integrates; the engine turns positions and velocities into forces of a style, one of
   those in dpdsop/dpd.h. One step of a caller is

     ds_pair_set_box     when box or subdomain changed        ds_pair_load          every step
     ds_pair_set_atoms   when atoms were renumbered           ghosts                every step (below)
     ds_pair_set_types   when types changed without that      ds_pair_build_list    when renumbered
     ds_pair_set_charges where a style reads charges
                                                              ds_pair_compute       every step
   A process that has all atoms of a wide box (ds_box.undecomposed) needs no ghosts: ds_pair_needs_ghosts says so, once the box
   is set. One that has all of the box along some axes needs no images along these. Otherwise they come from messages
   (ds_pair_pack_ghosts on the owner, ds_pair_unpack_ghosts here) or, in a single process, from their owners
   (ds_pair_set_ghost_owners once after every ds_pair_set_atoms).

   Arrays may lie in host or, with the CUDA backend, device memory; those of one call in the same. They stay as they are until
   what was made of them has been checked (ds_pair_compute, ds_pair_check); those of ds_pair_set_atoms, ds_pair_set_types and
   ds_pair_set_charges, until the next such call. Those in device memory are read and written on the stream of the engine, after
   the call has returned: the caller orders its own work by that stream (ds_pair_options.stream, ds_pair_stream).

   With arrays in device memory nothing waits for the GPU but ds_pair_check, ds_pair_compute and what brings values to
   the host. ds_pair_enqueue queues what ds_pair_compute does. Where a list has become too small, or something is
   wrong with an atom or a force, the GPU leaves out the rest of that evaluation and everything queued after it, so
   that the state stays as it was in that step. The caller's own kernels take part by looking at ds_pair_halted first.
   ds_pair_check waits, grows the list and returns the step from which on all is to be queued again.

   Atoms are numbered as the caller numbers them: own atoms 0 .. nlocal-1, then ghosts. All functions
   return DS_OK or a code, with the text in err (may be NULL). They take an open object. All other pointers, values and types
   of elements are checked, and what is not allowed is DS_ERR_ARGUMENT with a text that names it, with these exceptions: how
   long arrays are, and their strides, cannot be known; and where numbers of atoms would cost time in each step, or lie in
   device memory, "not checked" says so below.

   After an error the object is as it was before the call, with two exceptions. After DS_ERR_MEMORY and DS_ERR_CUDA it can only
   be closed: all later calls return that error. And what is wrong with positions, messages, forces, or types is found when
   they are used (DS_ERR_POSITION, DS_ERR_GHOST, DS_ERR_FORCE_RANGE; of types DS_ERR_ARGUMENT). Then results may have been
   added in part, and positions must be loaded and a list built again. Until ds_pair_load, all calls that need positions return
   that error.

   Objects are independent; one object is used by one thread at a time. In a process made by fork none with
   several threads and none on a GPU can be used, not even a new one, if the parent has used such a one: OpenMP's threads and
   the GPU's context do not go with it, and calls wait for ever or fail.
   Source: Tang & Karniadakis, Comput. Phys. Commun. 185 (2014) 2809.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PAIR_H
#define DPDSOP_PAIR_H

#include "dpdsop/array.h"
#include "dpdsop/backend.h"
#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The simulation box and this process's part of it, as the caller knows them. */
typedef struct {
  double lo[3];    /* lower corner, length units */
  double h[6];     /* edges xx yy zz yz xz xy, length units (yz = xz = xy = 0: orthogonal) */
  int periodic[3]; /* 1 where periodic */
  double sublo[3]; /* own subdomain, fractions of the box */
  double subhi[3];
  /* how far ghosts reach beyond it, fractions of the box, >= 0; of several processes, or in a small box. Where a box is
     small, it makes positions coarser, whether ghosts are needed or not */
  double ghost_reach[3];
  /* how far an own atom may be outside its subdomain: the skin, length units; makes positions coarser, too. Along a
     periodic axis without images it may be up to an edge outside, but the list then may miss pairs:
     ds_pair_outlived_lists counts such lists */
  double slack;
  /* 1: along this axis the process has all atoms, and gives no images of them if the box is wide along all of these axes;
     else it gives images along all axes */
  int undecomposed[3];
  /* velocity units: an image one edge away moves faster by this, order of h; 0: as its atom. Not used of axes that are
     not periodic */
  double image_rate[6];
} ds_box;

/* Pairs that do not interact: where one atom is in group a and the other in group b; or both are in group a and of
   the same molecule; or both are in it and of different ones; or one is of type a and the other of type b; or not both
   are in group a. Groups are bits of the atoms' masks. */
typedef enum {
  DS_EXCLUDE_GROUPS = 0,
  DS_EXCLUDE_SAME_MOLECULE,
  DS_EXCLUDE_OTHER_MOLECULE,
  DS_EXCLUDE_TYPES,
  DS_EXCLUDE_OUTSIDE_GROUP
} ds_exclude;

typedef struct {
  int32_t kind; /* ds_exclude */
  int32_t a, b; /* group bits, or types, 1-based; b only where there are two */
} ds_exclusion;

typedef struct ds_pair ds_pair;
typedef struct ds_pair_style ds_pair_style; /* dpdsop/dpd.h */

enum { DS_MAX_STYLES = 4 }; /* that act together */

/* mixed: positions of 32 bits and float arithmetic of a pair; double: 64 bits and double. Both have exact bits. */
typedef enum { DS_PRECISION_MIXED = 0, DS_PRECISION_DOUBLE } ds_precision;
enum { DS_PRECISIONS = 2 };

/* All zero is the default. */
typedef struct {
  ds_backend backend; /* AUTO: cuda where a usable GPU is and can be opened, else host */
  ds_precision precision;
  int local_rank;  /* of this process on its node: GPUs are given round-robin; >= 0 */
  int threads;     /* OpenMP threads of the host backend, to 4096; 0: as many as OpenMP would take */
  const char *isa; /* host code path: NULL (best the CPU has), "base", "avx2", "avx512"; not read later */
  /* cudaStream_t to work on, with the device that is current; or NULL for one of the engine's own, which does not wait
     for the default stream nor that for it */
  void *stream;
  const ds_pair_style *style; /* NULL: ds_style_dpd */
  /* Further styles, whose forces are added, up to a NULL: all act on the same particles. One of all, at most, has noise. They
     have one list. Where one GPU has all of the box, those that read charges, or do not act on all types, have lists of
     their own. */
  const ds_pair_style *more[DS_MAX_STYLES - 1];
  /* CUDA: GPUs of this node, from the process's own on, that share the work of each stage; 0: one; at most 16. They must be
     able to read each other's memory. */
  int gpus;
  /* Threads per GPU from which on a stage is shared; 0: what pays. Otherwise there may be one GPU alone, which then has all parts
     of the work: of use to tests. */
  int share_threads;
  int begin_rows;             /* ds_pair_begin: least number of own atoms for which it does something; 0: what pays */
} ds_pair_options;

/* Interaction parameters; matrices are ntypes x ntypes, row-major, symmetric. */
enum { DS_MAX_COEFFICIENTS = 8 };

/* Largest exponent of a weight: of one below 1 nothing is left by then, and ds_powf is good for it (fastmath.h). */
#define DS_MAX_EXPONENT 100

typedef struct {
  int ntypes;                                /* 1 to 4096 */
  const double *coeff[DS_MAX_COEFFICIENTS]; /* matrices of the style's coefficients, in its order */
  const double *cutoff;                      /* length, > 0; or 0: the pair does not interact */
  double kT;                                 /* energy, >= 0 */
  double dt;                                 /* time step, > 0 */
  double skin;                               /* length, >= 0 */
  double special[4];                         /* factors of plain, 1-2, 1-3 and 1-4 neighbors, each in [0,1] */
  uint32_t seed;                             /* of the noise; below 2^31 (see signature.h) */
  uint32_t place; /* among models that act on the same atoms with this seed, below 2^15: different noise for each. 0: the
                     only one, or the first; else steps are below 2^48 */
} ds_pair_model;

/* What says which atoms are which: as in ds_atoms. */
typedef struct {
  ds_array tag, type, mask, molecule;
} ds_identity;

/* What changes only when atoms migrate. */
typedef struct {
  int nlocal, nghost; /* own and ghost atoms; nlocal + nghost < 2^30 */
  ds_array tag;       /* I32 or I64, own and ghost, 1-based global identity */
  ds_array type;      /* I32, own, 1 .. ntypes; those of ghosts come with them */
  ds_array nspecial;  /* I32, own, 3 components: counts up to 1-2, 1-3, 1-4 (not checked in device memory); data NULL: none */
  ds_array special;   /* I32 or I64, own: tags of those partners, one component each */
  int max_special;    /* largest of the counts, or more, of arrays in device memory; of others it is looked for */
  /* pairs that the list leaves out */
  int nexclusions;
  const ds_exclusion *exclusion; /* host memory; copied */
  ds_array mask;                 /* I32, own and ghost; only with exclusions */
  ds_array molecule;             /* I32 or I64, likewise; data NULL: no rule asks for molecules */
} ds_atoms;

/* Of a global virial: all of it; xx, yy and zz alone, which takes less time. */
enum { DS_VIRIAL_WHOLE = 1, DS_VIRIAL_DIAGONAL = 2 };

/* What to compute and where to put it. Arrays are F64 or F32, and are added to. */
typedef struct {
  int want_energy;          /* global energy, force sum */
  int want_virial;          /* global virial (DS_VIRIAL_WHOLE, DS_VIRIAL_DIAGONAL), force sum; 0: not wanted */
  ds_array f;               /* force, own atoms, 3 components */
  int put_force;            /* 0: added to what f holds. 1: takes its place; f is where the backend computes */
  ds_array eatom;           /* energy, own atoms, 1 component; data NULL: not wanted */
  ds_array vatom;           /* virial xx yy zz xy xz yz, own atoms, 6 components; data NULL: not wanted */
  int put_eatom, put_vatom; /* as put_force, of these */
} ds_pair_request;

/* Sums over all pairs, where a request wanted any. Functions that fill them want a place for each style of the object. */
typedef struct {
  double energy;    /* of the conservative force, shifted to 0 at the cutoff; half of each pair's */
  double virial[6]; /* energy units; sum over pairs of r_ij F_ij, order xx yy zz xy xz yz */
  /* The same as integers, two parts each: those of several processes are added part by part, and then ds_pair_virial_of has the
     same bits on any number of them */
  int64_t virial_part[6][2];
  int64_t force_sum[3]; /* of all forces on own atoms, in units of force_unit; over all processes it is 0 */
  double force_unit;    /* force; set whatever was wanted */
} ds_pair_totals;

/* Facts for logs and tests. */
typedef struct {
  const char *backend; /* "host" or "cuda" */
  const char *variant; /* "base", "avx2", "avx512", or the GPU's name */
  const char *no_gpu;  /* why backend auto took the host; else empty. Valid until ds_pair_close */
  int list_by_type;    /* the list depends on types: ds_pair_check may want it anew where they change */
  int rows;            /* of own atoms */
  int begins;          /* 1: ds_pair_begin does something with the present list */
  int ghosts;          /* that the engine has */
  int64_t entries;     /* that the list has room for */
  int cells[3];
  size_t bytes_host, bytes_device; /* of all arrays that the engine has, those of resident atoms included */
} ds_pair_info;

ds_status ds_pair_open(ds_pair **pair, const ds_pair_options *options, ds_error *err);
void ds_pair_close(ds_pair *pair);

/* Validates every value and names the offending one. A list that was built for shorter ranges is given up: see
   ds_pair_has_list. Positions must be loaded again where the seed has changed. */
ds_status ds_pair_set_model(ds_pair *pair, const ds_pair_model *model, ds_error *err);

/* The same for one of several styles: 0, or place in `more` + 1. All of them have a model before the box is set, of as many
   types; the largest of their cutoffs and skins counts. */
ds_status ds_pair_set_model_of(ds_pair *pair, int style, const ds_pair_model *model, ds_error *err);

/* Positions must be loaded again: their units are the box's. Atoms must be set again where ds_pair_needs_ghosts has
   changed. */
ds_status ds_pair_set_box(ds_pair *pair, const ds_box *box, ds_error *err);
int ds_pair_needs_ghosts(const ds_pair *pair);

/* Positions are multiples of a fraction of the box's edge. ds_pair_resolution: that length over the shortest cutoff of
   pairs that interact, 0 before the box. ds_pair_load fails where it exceeds DS_COARSEST_POSITIONS; above
   DS_COARSE_POSITIONS a caller should warn. */
#define DS_COARSE_POSITIONS 1e-6
#define DS_COARSEST_POSITIONS 1e-4
double ds_pair_resolution(const ds_pair *pair);

/* Of the axes of a box that are `undecomposed`, those along which no images would be needed, 1 x + 2 y + 4 z: all, or none.
   Edges as ds_pair_set_box wants them; 0 before the model. */
int ds_pair_wraps(const ds_pair *pair, const ds_box *box);

ds_status ds_pair_set_atoms(ds_pair *pair, const ds_atoms *atoms, ds_error *err);

/* New types of the own atoms set. Forces follow with the next ds_pair_load. Where ranges differ by type the
   list is made anew by itself. */
ds_status ds_pair_set_types(ds_pair *pair, const ds_array *type, ds_error *err);

/* Charges, F64 or F32, of own atoms and of ghosts that come by messages; others have those of their owners. After every
   ds_pair_set_atoms where a style reads charges, and when they have changed: forces follow with the next ds_pair_load. A charge
   is rounded to the precision of the object. One that is not a number is found as a force out of range, where another charge
   is near. */
ds_status ds_pair_set_charges(ds_pair *pair, const ds_array *charge, ds_error *err);

/* Positions (length) and velocities of the own atoms, 3 components each, F64 or F32, both in one memory, at
   a time step >= 0. Where one is not a number or too far out, what is called next that reads atoms, at the latest
   ds_pair_check, reports DS_ERR_POSITION, and likewise wrong types. */
ds_status ds_pair_load(ds_pair *pair, const ds_array *x, const ds_array *v, int64_t step, ds_error *err);

/* Velocities of the own atoms as the last evaluation took them, F64 in host memory. Outside double precision
   they have been rounded to single; loaded again, they give the same forces. */
ds_status ds_pair_get_velocities(ds_pair *pair, const ds_array *v, ds_error *err);

/* Messages: ds_pair_ghost_bytes bytes per atom (28; 52 in double precision). list names own atoms or ghosts that already
   have arrived (not checked); shift is in whole boxes. list and buffer lie in the memory `space`. In device memory, which
   the CUDA backend alone can read, both calls only queue work, and the buffer is aligned to 4 bytes. What
   is not the message of an atom (its type is out of range) is DS_ERR_GHOST, reported as wrong positions are. */
int ds_pair_ghost_bytes(const ds_pair *pair);
ds_status ds_pair_pack_ghosts(ds_pair *pair, int n, const int *list, const int shift[3], void *buffer, ds_space space,
                              ds_error *err);
ds_status ds_pair_unpack_ghosts(ds_pair *pair, int first, int n, const void *buffer, ds_space space, ds_error *err);

/* owner[g] is the own atom that ghost nlocal+g is an image of, image[3g..3g+2] boxes away (not checked against
   ds_box.ghost_reach). */
ds_status ds_pair_set_ghost_owners(ds_pair *pair, const int *owner, const int *image, ds_error *err);

ds_status ds_pair_build_list(ds_pair *pair, ds_error *err);
int ds_pair_has_list(const ds_pair *pair);

/* Styles whose forces depend on densities (dpdsop/dpd.h) make these before forces, by themselves. Only where ghosts come by
   messages, the caller asks for those of its atoms before each evaluation, when the list is built and ghosts have arrived, and
   sends them to the other processes: doubles, one for each message of ghosts. list and buffer lie in host memory; list is not
   checked. make: waits. get: of own atoms, F64 in host memory, 1 component, as the last evaluation had them; waits. */
int ds_pair_has_densities(const ds_pair *pair);
ds_status ds_pair_make_densities(ds_pair *pair, ds_error *err);
ds_status ds_pair_pack_densities(ds_pair *pair, int n, const int *list, double *buffer, ds_error *err);
ds_status ds_pair_unpack_densities(ds_pair *pair, int first, int n, const double *buffer, ds_error *err);
ds_status ds_pair_get_densities(ds_pair *pair, const ds_array *to, ds_error *err);

/* Forces, and energies and virials where wanted: waits for them. totals may be NULL. */
ds_status ds_pair_compute(ds_pair *pair, const ds_pair_request *request, ds_pair_totals *totals, ds_error *err);

/* The same in two calls, for arrays in device memory: what is wanted, queued; and its end. ds_pair_check waits for all
   that was queued. *again is -1 where all of it has been done, and otherwise the step of the evaluation from which on
   all is to be queued once more, beginning with ds_pair_load and ds_pair_build_list: the list had become too small, or
   types had changed that it depends on. totals (may be NULL) gets the sums of the last evaluation that wanted some.

   ds_pair_begin before ghosts are packed, with the same request: what needs no ghosts is made while they are under way. Nothing
   is to be set until ds_pair_enqueue, which adds the rest, or ds_pair_load. Where that is not possible or would not pay
   (ghosts or forces in host memory, energies wanted, few atoms, a list that is new or depends on types), nothing
   happens, and no error. */
ds_status ds_pair_begin(ds_pair *pair, const ds_pair_request *request, ds_error *err);
ds_status ds_pair_enqueue(ds_pair *pair, const ds_pair_request *request, ds_error *err);
ds_status ds_pair_check(ds_pair *pair, ds_pair_totals *totals, int64_t *again, ds_error *err);

/* Sums of the last evaluation that wanted some, as far as it has been waited for: ds_pair_check, ds_pair_compute, or a
   question that reads sums (ds_answer). */
void ds_pair_sums(const ds_pair *pair, ds_pair_totals *totals);
double ds_pair_virial_of(const ds_pair *pair, int style, const int64_t part[2]); /* energy units */

/* What a caller's kernel looks at before it changes anything: device memory, not 0 where the GPU has stopped. NULL on
   the host backend. And the cudaStream_t that all is queued on. */
const uint64_t *ds_pair_halted(const ds_pair *pair);
void *ds_pair_stream(const ds_pair *pair);

/* Host memory that the caller promises to leave where it is until it is unpinned or the object is closed: the GPU
   reads and writes it directly, several times as fast. Nothing happens, and no error, where that cannot be. */
void ds_pair_pin(ds_pair *pair, void *data, size_t bytes);
void ds_pair_unpin(ds_pair *pair, void *data);

/* The list as the engine holds it, in the caller's numbering: row r belongs to own atom atom[r]; its entries, with codes
   in the upper two bits, are entries[start[r]] .. entries[start[r+1] - 1]. Host memory; rows in the order of slots. Lists that
   styles have of their own (ds_pair_options.more) are not in it. First call with entries NULL: atom has room for nlocal,
   start for nlocal + 1 elements, and *rows is set. */
ds_status ds_pair_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries, ds_error *err);
ds_pair_info ds_pair_get_info(const ds_pair *pair);

/* Lists since the object was opened in whose life some own atom was further outside than ds_box.slack: they may have missed
   pairs. What a GPU has found is known after ds_pair_check or ds_pair_compute. */
int64_t ds_pair_outlived_lists(const ds_pair *pair);

/* One pair outside the sweep, in double arithmetic, for LAMMPS's single(): returns the conservative
   energy and sets *force_over_r, the conservative force by the distance; of a style with densities, the part that does not
   depend on them. Types 1-based; charges: the product of both, of a style that reads charges; arguments are not checked. */
double ds_pair_single(const ds_pair_style *style, const ds_pair_model *model, int itype, int jtype, double r2, double charges,
                      double special, double *force_over_r);

#ifdef __cplusplus
}
#endif
#endif
