/* Atoms that stay with the engine while they move: velocity Verlet, periodic wrap, neighbor lists and forces of a pair
   object, for as many steps as no other part of the program reads them.   SPDX-License-Identifier: GPL-2.0-or-later

   The caller's arrays lie in host memory. On the CUDA backend the engine has copies in device memory, and the caller
   says when they are to be brought over (ds_resident_to_engine, ds_resident_to_host); on the host backend it works on
   the caller's arrays themselves, unless ds_resident_open asks for copies, and these two calls do nothing. Coordinates,
   velocities, forces: F64, three components behind each other. Atoms are numbered as those of the pair object
   (ds_pair_set_atoms), all of them own atoms.

   ds_resident_run makes whole steps. It waits for the GPU at its end only; where the largest displacement decides when
   lists are rebuilt, it stays two steps ahead. What stops the GPU in a step (an atom that has moved too far, a list too
   small) leaves all atoms as they are in that step, and the run goes on from there, so that nothing depends on how far
   ahead work was queued.

   The pair object is used through its own interface, too (model, box, atoms); it must stay open as long as the resident
   one. All functions return DS_OK or a code, with the text in err (may be NULL). What is checked: see dpdsop/pair.h; types,
   where masses are by type, when they are given (ds_resident_set_atoms, ds_resident_to_engine) and not in each step.

   After an error: as in dpdsop/pair.h. But where steps, or parts of one, have begun (ds_resident_run and the functions from
   ds_resident_operate to ds_resident_reneighbor), atoms may have made some of them. Then all calls that need atoms return
   that error until ds_resident_set_atoms, which leaves them without reference positions, bonds, angles and list. */
#ifndef DPDSOP_RESIDENT_H
#define DPDSOP_RESIDENT_H

#include "dpdsop/array.h"
#include "dpdsop/kspace.h"
#include "dpdsop/pair.h"
#include "dpdsop/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_resident ds_resident;

/* Fields of the atoms, and sets of them. */
enum {
  DS_POSITION = 1,
  DS_VELOCITY = 2,
  DS_FORCE = 4,
  DS_IMAGE = 8,
  DS_IDENTITY = 16,   /* types, masks, masses */
  DS_ALL_FIELDS = 31, /* that a step reads or changes */
  DS_TAG = 32 /* global identities, numbers of bodies and molecules, anchors: what no step changes, but where an operation
                 keeps something there */
};

enum { DS_MAX_ANCHORS = 4 };

typedef struct {
  int n;
  ds_array x, v, f;    /* F64, 3 components; lengths, velocities, forces */
  ds_array image;      /* I32 or I64: counters of boxes, three in a word */
  ds_array type, mask; /* I32: 1 .. ntypes; bits of groups */
  ds_array rmass;      /* F64: mass; data NULL: by type */
  ds_array tag;        /* I32 or I64: global identity; data NULL: atoms are not to be sorted */
  /* F64, 3 components: positions that operations refer to, as those where a run has begun, or what one keeps for another;
     data NULL: none */
  ds_array anchor[DS_MAX_ANCHORS];
  ds_array body;     /* I32: number of the rigid body from 0 on, -1: of none; data NULL: there are no bodies */
  ds_array molecule; /* I32 or I64: number of the molecule; data NULL: neither bins nor excluded pairs are those of molecules */
  int ntypes;
  const double *mass; /* of types 1 .. ntypes at mass[1] ..., copied; NULL where rmass is given */
} ds_resident_atoms;

/* The box, as the program has it: a tilted one in fractions, where 0, 1 and 1 are lo, hi and period. */
typedef struct {
  int periodic[3];
  double lo[3], hi[3], period[3];
  int tilted;
  double origin[3];           /* lower corner, length units, of a tilted box */
  double edge[6], inverse[6]; /* its edges xx yy zz yz xz xy, length units, and of the inverse matrix */
  int image_bits;             /* of each of the three counters in an image flag */
  int moving;                 /* edges move with the flow: velocities change where an atom is taken back */
  double rate[6];             /* then: that of each edge, in the order of `edge`; velocity units */
} ds_wrap;

enum {
  DS_BOND_STYLE_NONE = 0,
  DS_BOND_STYLE_HARMONIC,       /* E = k (r - at)^2 */
  DS_BOND_STYLE_FENE,           /* E = -k at^2 / 2 ln(1 - r^2 / at^2) + 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon,
                        the second part to its minimum */
  DS_ANGLE_STYLE_HARMONIC,      /* E = k (theta - at)^2 */
  DS_ANGLE_STYLE_COSINE,        /* E = k (1 + cos theta) */
  DS_ANGLE_STYLE_HARMONIC_EXACT,   /* harmonic, with the same bits on host and GPU */
  DS_DIHEDRAL_STYLE_FOURIER,       /* E = k (1 + cos(multiplicity phi - shift)) */
  DS_DIHEDRAL_STYLE_OPLS,          /* E = k (1 + cos phi) + k2 (1 - cos 2 phi) + k3 (1 + cos 3 phi) + k4 (1 - cos 4 phi) */
  DS_DIHEDRAL_STYLE_OPLS_EXACT,    /* opls, with the same bits on host and GPU */
  DS_IMPROPER_STYLE_HARMONIC,      /* E = k (chi - at)^2 */
  DS_IMPROPER_STYLE_HARMONIC_EXACT, /* harmonic, with the same bits on host and GPU */
  DS_BONDED_STYLES
};

/* Kinds of terms, in the order in which their forces are added up. */
typedef enum { DS_BONDS = 0, DS_ANGLES, DS_DIHEDRALS, DS_IMPROPERS, DS_BONDED_KINDS } ds_bonded_kind;

typedef struct {
  double k;              /* energy per length^2, per angle^2 (harmonic), energy (cosine, dihedrals) */
  double at;             /* length or angle of rest; for fene the longest length */
  double epsilon, sigma; /* fene: energy, length */
  double cosine, sine;   /* fourier: of the shift */
  double multiplicity;   /* fourier: a whole number, 0 to INT_MAX */
  double k2, k3, k4;     /* opls: energy */
} ds_bonded_type;

/* Terms of one kind. Types are 1 .. ntypes, the coefficients of type t are type[t]. */
typedef struct {
  int style; /* DS_BOND_STYLE_NONE: there are no terms */
  int ntypes;
  const ds_bonded_type *type;
  int n;
  const int32_t *member; /* of bonds: n times owner, partner, type; of angles: owner, first, centre, third, type; of dihedrals
                            and impropers: owner, four members, type */
} ds_terms;

/* All kinds, in the order in which their forces are added up. Atoms are numbered from 0. Of each member the image that
   is nearest to the term's owner counts, chosen where lists are rebuilt. */
typedef struct {
  ds_terms bonds, angles, dihedrals, impropers;
  int shared;      /* 1: a term is in the list once and acts on all its atoms. 0: each atom has its own, as with newton_bond
                 off in LAMMPS: those across the box's border are in the list for each atom, others for one */
  double reach[3]; /* a member further from the owner than this along an axis, in a tilted box across its faces, is the
              caller's matter; lengths */
  /* 1: the caller has copies of atoms, across the border or of other processes, and terms are given as they act: members are
     own atoms, or from the number of own atoms on copies. Then no images are chosen, and a term is in the list once */
  int with_copies;
  int ncopies;
  double unit; /* energy, > 0: of the exact sums that energies and virials are made of; a power of two near what a bond has */
} ds_bonded;

/* Of all terms of one kind: energy, and virial xx yy zz xy xz yz. */
typedef struct {
  double energy, virial[6];
} ds_bonded_sum;

typedef struct {
  ds_bonded_sum bonds, angles, dihedrals, impropers;
} ds_bonded_sums;

/* Bins that a program sorts its atoms by, as LAMMPS does (device/sort_bins.h). */
typedef struct {
  int n[3];          /* along each axis, >= 1; fewer than 2^31 in all */
  double lo[3];      /* lower corner of the first, length */
  double inverse[3]; /* of their edges, 1 / length */
} ds_sort_bins;

/* When lists are rebuilt; `age` counts the steps since they were. */
typedef struct {
  int every, delay; /* only at an age that is a multiple of every and not below delay; every >= 1 */
  int check;        /* 1: and only if some atom has moved by more than the root of trigger2 */
  double trigger2;  /* length^2 */
} ds_reneighboring;

/* Steps first .. last, from the state at the end of step first - 1, forces included. */
typedef struct {
  int64_t first, last;
  int64_t reneighbored; /* step of the last rebuild; at most `first` */
  ds_reneighboring rule;
  int64_t hand_over; /* rebuilds in this step and later ones are the caller's */
  int begun;         /* 1: atoms have made the first half of step `first`, and lists have been rebuilt there */
  /* called before the forces of each step, e.g. to change the model or the pair object's box; may be NULL. Where an answer
     changes the box, it is faster to give it to the pair object there already. A step can come twice, after later ones. The
     caller may end the run earlier there: by a lower `last`, which is later than this step.
     Positions and velocities are those of the forces: they can only be changed by ds_resident_to_engine */
  ds_status (*prepare)(void *user, int64_t step, ds_error *err);
  /* called before what follows the forces of each step is queued, to set steps whose numbers change; may be NULL */
  ds_status (*declare)(void *user, int64_t step, ds_error *err);
  void *user;
  const ds_pair_request *wanted; /* of the last step, in host memory; f is the engine's; NULL: forces alone */
  ds_pair_totals *totals;        /* of that step; NULL: nothing */
  ds_bonded_sums *sums;          /* of bonds, angles, dihedrals, impropers in the last step; NULL: nothing */
  ds_mesh_sums *mesh_sums;       /* of the mesh in that step; NULL: nothing */
  /* DS_VIRIAL_WHOLE, DS_VIRIAL_DIAGONAL: that of pairs is wanted in each step, for answers (ds_pair_sums), and whole ones of
     bonds and of a mesh (ds_resident_bonded_sums, ds_resident_mesh_sums); 0: none is */
  int virial;
  /* called where lists are rebuilt in a step, with the box to wrap in as it then is; may be NULL */
  void (*rebuilds)(void *user, int64_t step);
  /* called where the run goes back to a step whose first half has been made, or ends in one, with the step of the last rebuild
     before it, or in it: with boxes that are known ahead the caller gives back those of these steps; may be NULL */
  ds_status (*returns)(void *user, int64_t step, int64_t rebuilt, ds_error *err);
  int unread;     /* 1: neither sums of the last step are wanted, nor what acts in last steps only */
  int leaves_end; /* 1: what acts at the end of the last step, and sums of it, are left to the caller */
} ds_run_request;

/* What time goes to. */
enum { DS_TIME_FORCES = 0, DS_TIME_BONDS, DS_TIME_LISTS, DS_TIME_WRAP, DS_TIME_MOTION, DS_TIME_MESH, DS_TIMES };

/* Where it has ended. */
typedef struct {
  int64_t step; /* the last one that is whole; or that in which the caller is to rebuild */
  int whole;    /* 0: that one. Atoms have made its first half, and nothing has been wrapped */
  /* 1: not whole, as a fene bond is too long in this step, which is the caller's matter. Lists have been rebuilt if
     they were to be; forces are not yet all there */
  int bonded;
  int64_t reneighbored;   /* step of the last rebuild */
  int64_t reneighborings; /* how many there were */
  int64_t dangerous;      /* those at the first age at which the rule allows one, with check */
  /* on the CUDA backend device time, measured in some of the steps; 0 where it is not known yet */
  double ms[DS_TIMES];
} ds_run_result;

/* own_copies: 1: with arrays of the engine's own on the host backend, too. */
ds_status ds_resident_open(ds_resident **resident, ds_pair *pair, int own_copies, ds_error *err);
void ds_resident_close(ds_resident *resident);

/* Arrays stay where they are until the next such call. Nothing is copied yet but masses by type. */
ds_status ds_resident_set_atoms(ds_resident *resident, const ds_resident_atoms *atoms, ds_error *err);
/* What happens in each step; copied. Operations are in the order of points (dpdsop/step.h). */
ds_status ds_resident_set_steps(ds_resident *resident, const ds_step_program *program, ds_error *err);

/* Several processes that have one system: called with `n` sums of this one, in host memory, it leaves those of all there.
   NULL: this process has all particles. All processes then come to each operation that reads sums. */
typedef void ds_reduction(void *user, ds_exact_sum *sums, int n);
void ds_resident_set_reduction(ds_resident *resident, ds_reduction *reduce, void *user);

/* Function that operations with DS_ASKS call (dpdsop/step.h). It may set the box to wrap in meanwhile, and read sums of the
   pair object (ds_pair_sums), of bonds (ds_resident_bonded_sums) and of a mesh (ds_resident_mesh_sums), and nothing else of
   these: the GPU waits for the answer, and a call that waits for the GPU fails. All processes come to each question. */
typedef ds_status ds_answer(void *user, ds_question *question, ds_error *err);
void ds_resident_set_answer(ds_resident *resident, ds_answer *answer, void *user);

/* Sums of the operations as they acted last, those of operation k from k * DS_OPERATION_SUMS on; waits. Those that go on from
   step to step (DS_ADDS_UP) have begun when they were cleared, and several processes come here together for them. */
ds_status ds_resident_step_sums(ds_resident *resident, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err);

/* What has been added up in bins, number `binning` of the program, since it was taken last: of this process alone, as many
   numbers as values times bins, those of bin k from k * nvalues on (ds_binning). They begin anew. Waits. */
ds_status ds_resident_take_bins(ds_resident *resident, int binning, ds_exact_sum *cells, size_t n, ds_error *err);

/* Operations of a program of its own act once, on atoms as they are, in a step in which all of them do; what they add up in its
   first bins is taken, as above. They change nothing. */
ds_status ds_resident_add_once(ds_resident *resident, const ds_step_program *program, int64_t step, ds_exact_sum *cells,
                               size_t n, ds_error *err);

/* All sums become 0, and all bins, which they are at first: before sums go on, and where the program is another one. Bins do
   so, too, where their number becomes another one. */
ds_status ds_resident_clear_sums(ds_resident *resident, ds_error *err);

/* Rigid bodies, copied; n 0: none. They change in steps whose operations move them, and are given back as they then are. Both
   wait. With several processes all give the same ones. */
ds_status ds_resident_set_bodies(ds_resident *resident, const ds_body *bodies, int n, ds_error *err);
ds_status ds_resident_bodies(ds_resident *resident, ds_body *bodies, ds_error *err);

/* A body of which mass, x, v, angular momentum and so on are known gets its principal moments and axes from its inertia about
   the center of mass: xx yy zz xy xz yz. Moments below a part of 1e-7 of the largest are 0. */
void ds_body_set_inertia(ds_body *body, const double inertia[6]);

/* Fields that an operation changes (DS_POSITION ...). */
int ds_operation_writes(ds_operation_kind kind);

/* First operation of that point or of one behind it: from there on they act at it. */
int ds_first_operation(const ds_step_program *program, ds_point point);

ds_status ds_resident_set_wrap(ds_resident *resident, const ds_wrap *wrap, ds_error *err);

/* Bonds, angles, dihedrals and impropers; arrays are copied. Images are chosen for reference positions, those of the last
   rebuild, and again in each rebuild. They want a box that has more than two reaches along each periodic axis. NULL or another
   number of atoms: none. A sort puts them in the order of their owners; where there are copies it leaves none. */
ds_status ds_resident_set_bonded(ds_resident *resident, const ds_bonded *bonded, ds_error *err);

/* The mesh of a pair object whose style reads charges (ds_pair_set_charges): in each step its forces are added behind those of
   pairs and bonds, and before those of bonds on images of atoms. A model that changes with the box is set again;
   ds_run_request.prepare is the place for that. NULL: no mesh. The process has all atoms. */
ds_status ds_resident_set_mesh(ds_resident *resident, const ds_mesh_model *model, ds_error *err);

/* Sets of fields, between the caller's arrays and the engine's. Both wait: then the caller's arrays are his again. */
ds_status ds_resident_to_engine(ds_resident *resident, int fields, ds_error *err);
ds_status ds_resident_to_host(ds_resident *resident, int fields, ds_error *err);
int ds_resident_has_own_copies(const ds_resident *resident); /* 1: the engine has arrays of its own */

/* One of DS_POSITION, DS_VELOCITY, DS_FORCE as the engine has it, e.g. for ds_pair_load. */
ds_array ds_resident_array(const ds_resident *resident, int field);

/* Positions when lists were rebuilt last: set to those of now, and copied into the caller's array of positions. They are
   wanted by all that asks how far atoms have moved, and by bonds. */
ds_status ds_resident_set_reference(ds_resident *resident, ds_error *err);
/* In a tilted box positions of the last rebuild have been made of fractions, of which images across the border are made in
   that step. The engine keeps those of its own rebuilds; of a rebuild of the caller's he says which they were: 3 numbers per
   atom in host memory, in the caller's order; after ds_resident_set_reference. Else they are found from the positions. */
ds_status ds_resident_set_fractions(ds_resident *resident, const double *fractions, int64_t step, ds_error *err);
int ds_resident_has_fractions(const ds_resident *resident);                    /* 1: they are known */
ds_status ds_resident_fractions_to_host(ds_resident *resident, ds_error *err); /* into the caller's array of positions */
int ds_resident_has_reference(const ds_resident *resident); /* 1: there are some, of as many atoms as there are now */
ds_status ds_resident_reference_to_host(ds_resident *resident, ds_error *err);

/* Where the engine has arrays of its own, and tags in them: all fields in the order of bins, and atoms of a bin in the
   order that they had. The program that the atoms come from converts positions in a tilted box to fractions and back once
   more when it sorts, and so does this. Reference positions are set to those after it.
   The caller's arrays stay as they are: atom i of the engine is atom order[i] of these arrays, and fields are copied between
   the two orders. When he has put all of his arrays in the engine's order, or given up the engine's
   atoms, he calls ds_resident_note_same_order; until then he sets no atoms. */
ds_status ds_resident_sort(ds_resident *resident, const ds_sort_bins *bins, ds_error *err);
ds_status ds_resident_order(ds_resident *resident, int32_t *order, ds_error *err); /* waits */
void ds_resident_note_same_order(ds_resident *resident);

/* The engine's arrays, for ds_pair_set_atoms; molecules: data NULL where the caller's atoms have none. */
ds_identity ds_resident_identity(const ds_resident *resident);

/* Parts of a step. Operations first .. end - 1 act, where they do in that step; clear: then forces become 0; tally: sums are
   wanted, and what acts in last steps only. `moved`: 1 if some atom is further than the root of trigger2 from
   its reference position; waits. The wrap sets reference positions; `outside`: 1 if an atom has left the box along an axis that
   is not periodic, and then no atom was wrapped; waits if there is such an axis. */
ds_status ds_resident_operate(ds_resident *resident, int64_t step, int first, int end, int clear, int tally, ds_error *err);
/* What operations at the end of a step read of the energies and virials of atoms (ds_tallies); ds_resident_run sees to that in
   its own steps. In a step that the caller makes in parts: what is due (ds_step_tallies); arrays of the engine for what pairs
   have of it, in a request for their forces, where that has none yet; that of bonds to impropers, queued, but not where there
   are copies; and what the caller has tallied himself, copied, in the engine's order of atoms: waits. */
int ds_step_tallies(const ds_step_program *program, int64_t step);
ds_status ds_resident_want_tallies(ds_resident *resident, int64_t step, ds_pair_request *request, ds_error *err);
ds_status ds_resident_tally_bonds(ds_resident *resident, int64_t step, ds_error *err);
ds_status ds_resident_give_tallies(ds_resident *resident, const ds_tallies *from, int64_t step, ds_error *err);
/* Adds forces of bonds, angles, dihedrals and impropers; waits. sums may be NULL. `too_long`: 1 as `bonded` in ds_run_result,
   and then forces are not right. */
ds_status ds_resident_bonded_forces(ds_resident *resident, int64_t step, ds_bonded_sums *sums, int *too_long, ds_error *err);
/* The sums that were wanted of the forces made last, on the host; 0 where there are no terms. */
void ds_resident_bonded_sums(const ds_resident *resident, ds_bonded_sums *sums);
/* Adds forces of the mesh, for the charges and in the step of the pair object; waits. sums may be NULL. Where there is a mesh,
   forces of bonds on images of atoms are left out by ds_resident_bonded_forces, and added here, behind it. */
ds_status ds_resident_mesh_forces(ds_resident *resident, int64_t step, ds_mesh_sums *sums, ds_error *err);
/* The sums that were wanted of the forces made last; 0 where there is no mesh. */
void ds_resident_mesh_sums(const ds_resident *resident, ds_mesh_sums *sums);
/* Positions of copies as they are now, and forces on them if terms are shared (0 on those without terms): 3 numbers for each of
   ncopies, in host memory. Forces on copies are the caller's to return. */
ds_status ds_resident_set_copies(ds_resident *resident, const double *x, ds_error *err);
ds_status ds_resident_copy_forces(ds_resident *resident, double *f, ds_error *err); /* waits */
ds_status ds_resident_has_moved(ds_resident *resident, double trigger2, int *moved, ds_error *err);
/* Before a rebuild in a tilted box that has been flipped, which has been set: some tilts have changed by a whole edge, as
   `flips` of xy xz yz say (1, 0 or -1). Images and positions change with it; with `velocities`, and where edges move, so do
   velocities of atoms that cross a face. */
ds_status ds_resident_flip(ds_resident *resident, const int flips[3], int velocities, ds_error *err);
ds_status ds_resident_reneighbor(ds_resident *resident, int64_t step, int *outside, ds_error *err);

/* The same operations on a caller's arrays, at once; for those who have no resident object. With backend host they are in host
   memory. With backend cuda they are in that of the GPU which the rank of this node has (as in ds_pair_options), and what the
   caller has queued in `stream` comes before. Masses of types are in host memory in both. So are anchors, which
   operations on the GPU read, and do not change. Rigid bodies want backend host.
   A reduction as in ds_resident_set_reduction. sums: may be NULL. Operations of several steps, or points, are several calls.
   Each call waits until it is over. Errors: DS_ERR_ARGUMENT, DS_ERR_POSITION for an atom behind a wall, DS_ERR_MEMORY,
   DS_ERR_CUDA, DS_ERR_NO_GPU. */
typedef struct {
  ds_backend backend; /* host or cuda */
  int threads;        /* of the host; 0: one */
  int local_rank;
  void *stream;       /* cudaStream_t; NULL: one of the stepper's own */
} ds_stepper_options;
typedef struct ds_stepper ds_stepper;
ds_status ds_stepper_open(ds_stepper **stepper, const ds_stepper_options *options, ds_error *err);
void ds_stepper_close(ds_stepper *stepper);
ds_status ds_stepper_take_bins(ds_stepper *stepper, int binning, ds_exact_sum *cells, size_t n, ds_error *err);
/* What has been tallied of the atoms in that step, where the atoms are; NULL: nothing. Only what operations read is looked at. */
void ds_stepper_set_tallies(ds_stepper *stepper, const ds_tallies *tallies, int64_t step);
void ds_stepper_set_answer(ds_stepper *stepper, ds_answer *answer, void *user); /* he may change *box, too */
ds_status ds_stepper_set_bodies(ds_stepper *stepper, const ds_body *bodies, int n, ds_error *err);
ds_status ds_stepper_bodies(ds_stepper *stepper, ds_body *bodies, ds_error *err);
ds_status ds_stepper_operate(ds_stepper *stepper, const ds_resident_atoms *atoms, const ds_wrap *box,
                             const ds_step_program *program, int64_t step, ds_reduction *reduce, void *user,
                             ds_exact_sum sums[DS_STEP_SUMS], ds_error *err);

ds_status ds_resident_run(ds_resident *resident, const ds_run_request *request, ds_run_result *result, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
