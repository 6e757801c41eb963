/* Long-range part of Coulomb forces: the sum over wave vectors on a mesh (particle-particle particle-mesh), for point charges
   in a periodic box. With the part in real space of a pair style, such as ds_style_coul_slater, it is the whole force.

   Charges are spread over a mesh by splines, the mesh is transformed, multiplied by the influence function with the least error
   of forces, and three fields are transformed back and interpolated at the atoms by the same splines (Hockney & Eastwood,
   Computer Simulation Using Particles, 1988; Deserno & Holm, J. Chem. Phys. 109, 7678 (1998)). Charges of mesh points are
   integers, and the transform is one of the engine's own in a fixed order. So all results have the same bits on host and GPU,
   for any order of atoms, and for any number of processes.

   Functions return DS_OK or a code, with the text in err (may be NULL). After errors of memory or CUDA an object can only be
   closed.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_KSPACE_H
#define DPDSOP_KSPACE_H

#include "dpdsop/array.h"
#include "dpdsop/backend.h"
#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DS_MESH_LEAST_ORDER = 2, DS_MESH_MOST_ORDER = 7, DS_MESH_LONGEST = 1024 };

/* A box that is periodic along x and y alone has empty space above its charges (`extended`). The field of the dipole of all
   slabs is then taken away; or forces along z are left out. */
typedef enum { DS_SLAB_NONE = 0, DS_SLAB_DIPOLE, DS_SLAB_NO_Z_FORCE } ds_slab;

typedef struct {
  int order;             /* of the splines, 2 to 7: mesh points along an axis that a charge is spread over */
  int n[3];              /* mesh points along x y z: products of 2, 3 and 5, from 2 to DS_MESH_LONGEST */
  double lo[3], edge[3]; /* box, length: its corner, and its edges' components xx yy zz */
  double tilt[3];        /* yz xz xy; all 0 for a slab */
  double extended;       /* >= 1: the mesh is longer than the box along z by this factor */
  ds_slab slab;
  double ewald;           /* screening parameter, 1 / length */
  double strength;        /* energy times length by charges squared, of two unit charges */
  double charge, squares; /* sums over all charges of all processes: q, q^2 */
  double sizes;           /* likewise of |q|; charges that grow beyond 16 times that are an error */
} ds_mesh_model;

/* Of all atoms of all processes, energy units; virial xx yy zz xy xz yz. A charge's energy with itself is taken off. */
typedef struct {
  double energy, virial[6];
} ds_mesh_sums;

/* What is chosen for a wanted accuracy, as LAMMPS's kspace_style pppm does. */
typedef struct {
  int order;
  double edge[3], tilt[3], extended; /* as in ds_mesh_model */
  int is_triclinic; /* 1: of a kind that can be tilted, for which LAMMPS chooses a mesh in another way, even if it is not */
  double cutoff;    /* of the part in real space, length */
  int64_t natoms;   /* of all processes, charged or not */
  double squares;   /* strength times the sum of q^2 */
  double accuracy;  /* root mean square error of forces, force units */
  int n[3];         /* 0 0 0: chosen */
  double ewald;     /* 0: chosen */
  double mesh_error, cutoff_error; /* set: estimates of both errors, force units */
} ds_mesh_choice;

ds_status ds_mesh_choose(ds_mesh_choice *choice, ds_error *err);

/* The next product of 2, 3 and 5. */
int ds_mesh_next_length(int n);

/* Several processes that have one system: called with n sums of this one, in host memory, it leaves those of all there. */
typedef void ds_mesh_reduction(void *user, int64_t *sums, size_t n);

typedef struct ds_kspace ds_kspace;

/* All zero is the default. */
typedef struct {
  ds_backend backend;
  int local_rank, threads; /* as in ds_pair_options */
  const char *isa;         /* host code path, or NULL for the best one */
} ds_kspace_options;

typedef struct {
  int n;              /* atoms of this process */
  ds_array x, charge; /* length, 3 components; charge. F64, in host memory */
  ds_array f;         /* force, 3 components, F64, host memory: added to */
  ds_array eatom;     /* energy, 1 component, F64, host memory: added to; data NULL: not wanted */
  ds_array vatom;     /* virial xx yy zz xy xz yz, likewise */
  int want_sums;      /* ds_mesh_sums */
} ds_kspace_request;

ds_status ds_kspace_open(ds_kspace **kspace, const ds_kspace_options *options, ds_error *err);
void ds_kspace_close(ds_kspace *kspace);
const char *ds_kspace_backend(const ds_kspace *kspace); /* "host" or "cuda" */
const char *ds_kspace_no_gpu(const ds_kspace *kspace);  /* why backend auto took the host; else empty */
size_t ds_kspace_bytes(const ds_kspace *kspace);

/* Validates every value and names the offending one. */
ds_status ds_kspace_set_model(ds_kspace *kspace, const ds_mesh_model *model, ds_error *err);
void ds_kspace_set_reduction(ds_kspace *kspace, ds_mesh_reduction *reduce, void *user);

/* Forces, and sums where wanted (may be NULL else). Waits. A coordinate that is not a number or further than 2^20 mesh points
   from the box is DS_ERR_POSITION. */
ds_status ds_kspace_compute(ds_kspace *kspace, const ds_kspace_request *request, ds_mesh_sums *sums, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
