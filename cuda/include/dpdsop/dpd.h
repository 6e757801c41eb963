/* Dissipative particle dynamics forces on host or GPU: the engine's C interface.

   The caller owns the atoms and integrates; the engine turns positions and velocities into forces.
   One step of a caller is

     ds_dpd_set_box     when box or subdomain changed        ds_dpd_load          every step
     ds_dpd_set_atoms   when atoms were renumbered           ghosts               every step (below)
                                                             ds_dpd_build_list    when renumbered
                                                             ds_dpd_compute       every step
   Ghosts come either from messages (ds_dpd_pack_ghosts on the owner, ds_dpd_unpack_ghosts here) or,
   in a single process, from their owners (ds_dpd_set_ghost_owners once after every ds_dpd_set_atoms).

   Atoms are numbered as the caller numbers them: own atoms 0 .. nlocal-1, then ghosts. All functions
   return DS_OK or a code, with the text in err (may be NULL); after an error the object can only be
   closed. Objects are independent; one object is used by one thread at a time.
   Source: Tang & Karniadakis, Comput. Phys. Commun. 185 (2014) 2809.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_H
#define DPDSOP_DPD_H

#include "dpdsop/array.h"
#include "dpdsop/backend.h"
#include "dpdsop/frame.h"
#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_dpd ds_dpd;

/* mixed, double: exact bits, single or double arithmetic. single: fastest, no promise on bits. */
typedef enum { DS_PRECISION_MIXED = 0, DS_PRECISION_SINGLE, DS_PRECISION_DOUBLE } ds_precision;

typedef struct {
  ds_backend backend; /* AUTO: cuda where a usable GPU is, else host */
  ds_precision precision;
  int local_rank;  /* of this process on its node: GPUs are given round-robin; >= 0 */
  int threads;     /* OpenMP threads of the host backend, >= 1 */
  const char *isa; /* host code path: NULL (best the processor has), "base", "avx2", "avx512" */
  void *stream;    /* cudaStream_t to work on, or NULL for one of its own */
} ds_dpd_options;

/* Interaction parameters; matrices are ntypes x ntypes, row-major, symmetric. */
typedef struct {
  int ntypes;           /* 1 to 4096 */
  const double *a;      /* conservative amplitude, force */
  const double *gamma;  /* friction, force/velocity, >= 0 */
  const double *cutoff; /* length, > 0; or 0: the pair does not interact */
  const double *power;  /* exponent s, > 0 */
  double kT;            /* energy, >= 0 */
  double dt;            /* time step, > 0 */
  double skin;          /* length, >= 0 */
  double special[4];    /* factors of plain, 1-2, 1-3 and 1-4 neighbors, each in [0,1] */
  uint32_t seed;        /* of the noise; below 2^31 (see signature.h) */
} ds_dpd_model;

/* What changes only when atoms migrate. */
typedef struct {
  int nlocal, nghost; /* own and ghost atoms; nlocal + nghost < 2^30 */
  ds_array tag;       /* I32 or I64, own and ghost, 1-based global identity */
  ds_array type;      /* I32, own and ghost, 1 .. ntypes */
  ds_array nspecial;  /* I32, own, 3 components: counts up to 1-2, 1-3, 1-4; data NULL: none */
  ds_array special;   /* I32 or I64, own: tags of those partners, one component each */
} ds_atoms;

/* A neighbor list made by somebody else: full, rows of own atoms, entries that name own atoms or
   ghosts in the low 30 bits and a special code (0-3) in the upper two. Host memory. */
typedef struct {
  int rows;
  const int *atom;     /* own atom of a row */
  const int *count;    /* by atom */
  int *const *entries; /* by atom */
} ds_dpd_list;

/* What to compute and where to put it. Arrays are F64 or F32, all in one memory, and are added to. */
typedef struct {
  int want_energy; /* global energy, force sum */
  int want_virial; /* global virial */
  ds_array f;      /* force, own atoms, 3 components */
  ds_array eatom;  /* energy, own atoms, 1 component; data NULL: not wanted */
  ds_array vatom;  /* virial xx yy zz xy xz yz, own atoms, 6 components; data NULL: not wanted */
  /* results */
  double energy;    /* of the conservative force, shifted to 0 at the cutoff; half of each pair's */
  double virial[6]; /* energy units; sum over pairs of r_ij F_ij, order xx yy zz xy xz yz */
  /* Sum of all forces on own atoms, in units of force_unit; over all processes it is 0 in mixed and
     double precision. Set wherever anything else is. */
  int64_t force_sum[3];
  double force_unit; /* force */
} ds_dpd_result;

/* Facts for logs and tests. */
typedef struct {
  const char *backend; /* "host" or "cuda" */
  const char *variant; /* "base", "avx2", "avx512", or the GPU's name */
  const char *no_gpu;  /* why backend auto took the host; else empty. Valid till ds_dpd_close */
  int rows, row_capacity;
  int64_t neighbors; /* entries of the list; core ones in core */
  int64_t core;
  int cells[3];
  size_t bytes_host, bytes_device;
} ds_dpd_info;

ds_status ds_dpd_open(ds_dpd **dpd, const ds_dpd_options *options, ds_error *err);
void ds_dpd_close(ds_dpd *dpd);

/* Validates every value and names the offending one. */
ds_status ds_dpd_set_model(ds_dpd *dpd, const ds_dpd_model *model, ds_error *err);
ds_status ds_dpd_set_box(ds_dpd *dpd, const ds_box *box, ds_error *err);
ds_status ds_dpd_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err);

/* Positions (length) and velocities of the own atoms, 3 components each, F64 or F32, both in one memory, at
   a time step >= 0. DS_ERR_POSITION where one is not a number or too far out; with arrays in device
   memory ds_dpd_build_list or ds_dpd_compute reports it, and wrong types of ds_dpd_set_atoms. */
ds_status ds_dpd_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, int64_t step,
                      ds_error *err);

/* Velocities of the own atoms as the last ds_dpd_load took them, F64 in host memory. Outside double precision
   they have been rounded to single; loaded again, they give the same forces. */
ds_status ds_dpd_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err);

/* Messages: ds_dpd_ghost_bytes bytes an atom (28; 52 in double precision), host memory. list names
   own atoms or ghosts that already have arrived (not checked); shift is in whole boxes. */
int ds_dpd_ghost_bytes(const ds_dpd *dpd);
ds_status ds_dpd_pack_ghosts(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                             ds_error *err);
ds_status ds_dpd_unpack_ghosts(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err);

/* owner[g] is the own atom that ghost nlocal+g is an image of, image[3g..3g+2] boxes away. */
ds_status ds_dpd_set_ghost_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err);

ds_status ds_dpd_build_list(ds_dpd *dpd, ds_error *err);
ds_status ds_dpd_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err);
ds_status ds_dpd_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err);

/* The list as the engine holds it, in the caller's numbering: row r belongs to own atom atom[r] and
   has count[r] entries, core[r] of them core; entries of row r start at entries[r * capacity], codes
   in the upper two bits. Arrays of info.rows (and rows * info.row_capacity) elements, host memory. */
ds_status ds_dpd_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                           ds_error *err);
ds_dpd_info ds_dpd_get_info(const ds_dpd *dpd);

/* One pair outside the sweep, in double arithmetic, for LAMMPS's single(): returns the conservative
   energy and sets *force_over_r; dot = r_ij . v_ij, noise one normal deviate. Types 1-based. */
double ds_dpd_single(const ds_dpd_model *model, int itype, int jtype, double r2, double dot,
                     double noise, double special, double *force_over_r);

#ifdef __cplusplus
}
#endif
#endif
