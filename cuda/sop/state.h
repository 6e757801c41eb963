/* What an object of dpdsop/sop.h holds, and what a backend does for it.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_STATE_H
#define DPDSOP_SOP_STATE_H

#include "../core/buffer.h"
#include "../core/isa.h"
#include "dpdsop/sop.h"
#include "generator.h"
#include "hydro.h"
#include "indent.h"
#include "model.h"
#include "positions.h"
#include "pull.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_sop_backend_functions ds_sop_backend_functions;

struct ds_sop {
  ds_sop_options options; /* without the names: */
  ds_isa isa;
  ds_sop_model model;
  const ds_sop_generator *generator;
  int32_t molecules, free;
  int64_t beads;
  int64_t *id;                       /* by bead */
  ds_sop_positions *positions;       /* what the host knows of them */
  int64_t share_first, share_last;   /* beads of molecules that are moved, where share_last > 0 */
  int64_t wanted_first, wanted_last; /* the same for beads that are set from now on */
  ds_sop_pull_state pull;
  ds_sop_indent_state indent;
  ds_sop_hydro_state hydro;
  uint64_t changes; /* of the two, other than by steps: a backend sends on what it has of them where this has grown */
  double zeta, h;   /* of the last step, for the temperature; h 0: there was none */
  ds_error no_gpu;  /* why `auto` took the host; else empty */
  const ds_sop_backend_functions *functions;
  void *backend; /* its own state */
};

/* A step that failed, and where the beads were when it began. */
typedef struct {
  int64_t step;
  int64_t bead; /* that would move too far; -1: forces are out of range, */
  int32_t tip;  /* or the tip of this molecule would move too far; -1: none */
  int64_t pivot; /* or the mobility matrix is not positive at this bead; -1: it is */
  /* such a force is on one of the molecules from the first to before the second; where molecules do not see each other, the
     coordinates of other ones need not be those of the step */
  int32_t molecule, beyond;
  int32_t *coordinate; /* three per bead, of the backend's making; the caller frees it */
} ds_sop_fault;

struct ds_sop_backend_functions {
  const char *name;
  ds_status (*open)(ds_sop *sop, ds_error *err);
  void (*close)(ds_sop *sop);
  const char *(*device)(const ds_sop *sop);
  const char *(*scheme)(const ds_sop *sop);
  size_t (*bytes)(const ds_sop *sop);
  ds_status (*set_beads)(ds_sop *sop, ds_error *err);
  /* positions in units, three per bead */
  ds_status (*put)(ds_sop *sop, const int64_t *position, ds_error *err);
  ds_status (*get)(const ds_sop *sop, int64_t *position, ds_error *err);
  /* NULL: none */
  ds_status (*set_forces)(ds_sop *sop, const double *f, ds_error *err);
  /* DS_ERR_FORCE_RANGE with *fault filled where something is out of range. Leaves the tips in sop->indent. */
  ds_status (*advance)(ds_sop *sop, const ds_sop_motion *motion, ds_sop_fault *fault, ds_error *err);
  /* Of eq. 1, in units, three per bead */
  ds_status (*forces)(ds_sop *sop, int32_t *force, ds_sop_fault *fault, ds_error *err);
  /* of the last step: displacements by noise in units, three per bead */
  ds_status (*noise)(const ds_sop *sop, int32_t *displacement, ds_error *err);
  /* states of the generators, generator->bytes of each bead */
  ds_status (*get_states)(const ds_sop *sop, void *states, ds_error *err);
  ds_status (*put_states)(ds_sop *sop, const void *states, ds_error *err);
};

extern const ds_sop_backend_functions ds_sop_host_functions;
#ifdef DS_HAVE_CUDA
extern const ds_sop_backend_functions ds_sop_cuda_functions;
#endif

/* Constants of the steps of a motion. */
typedef struct {
  ds_sop_motion_units whole; /* of a step of first order, or the first half of one of second order */
  ds_sop_motion_units half;  /* of the second half */
  double per_force;          /* displacement per force, in units of positions per the caller's unit of force */
} ds_sop_step_units;

ds_sop_step_units ds_sop_units_of(const ds_sop *sop, const ds_sop_motion *motion);

/* Energies and repulsion at positions in units, on the host: energy.c. */
ds_status ds_sop_host_energy(const ds_sop *sop, const int64_t *position, ds_sop_energies *sum, ds_sop_energies *each,
                             ds_error *err);

/* Native contacts of at most 1.2 r0 of each molecule. */
ds_status ds_sop_host_intact(const ds_sop *sop, const int64_t *position, int64_t *each, ds_error *err);

/* The words for a fault, with the IDs of the beads: fault_message.c. Returns DS_ERR_FORCE_RANGE. */
ds_status ds_sop_explain(const ds_sop *sop, const ds_sop_fault *fault, ds_error *err);

/* Pairs of beads of molecules within a range that have neither bond nor contact nor angle; of one molecule, or of any two
   where options.inter is set: list.c. The row of bead i has the partners j > i, or all of them. */
typedef struct {
  int64_t *first; /* by bead, one more than there are */
  int32_t *partner;
  int32_t *bead; /* by partner: whose row it is in; only of rows that have j > i */
  size_t room;   /* of partners */
  size_t rows;   /* room of first; 0: there is no list */
  struct ds_sop_list_work *work;
} ds_sop_list;

typedef struct {
  const int32_t *x[3]; /* coordinates by bead */
  int64_t beads;
  double range;  /* length */
  int both_ways; /* 1: rows have the partners j < i, too */
  int lanes;     /* DS_SOP_LANES: so many molecules are side by side, and one with the pair is enough; else 1 */
  int search;    /* 1: every pair is looked at, however many beads there are */
} ds_sop_list_wish;

/* A list that could not be made is freed. */
ds_status ds_sop_list_make(const ds_sop *sop, const ds_sop_list_wish *wish, ds_sop_list *list, ds_error *err);
size_t ds_sop_list_bytes(const ds_sop_list *list);
void ds_sop_list_free(ds_sop_list *list);

#ifdef __cplusplus
}
#endif
#endif
