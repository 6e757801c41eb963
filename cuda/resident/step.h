/* Operations of a step on their way to the particles.   SPDX-License-Identifier: GPL-2.0-or-later

   What is due is cut into launches, each a kernel or a loop on the host that runs all of its operations on one particle after
   the other. A new launch begins where an operation reads sums, which have to be whole. */
#ifndef DPDSOP_RESIDENT_STEP_H
#define DPDSOP_RESIDENT_STEP_H

#include "bins.h"
#include "bodies.h"

DS_C_BEGIN

enum { DS_LAUNCH_OPERATIONS = 12 };

/* Beside fields: numbers of bodies are read. */
enum { DS_BODY_NUMBER = 64 };

/* Passed to a kernel by value. */
typedef struct {
  ds_operation operation[DS_LAUNCH_OPERATIONS];
  int64_t step[DS_LAUNCH_OPERATIONS];
  int32_t place[DS_LAUNCH_OPERATIONS]; /* number in the program */
  int32_t tally[DS_LAUNCH_OPERATIONS]; /* its sums are wanted */
  ds_region region[DS_MAX_REGIONS];
  ds_step_context context;  /* of all of them */
  int32_t reads_sums;       /* the first operation does: no other can */
  double also_unit;         /* of sums that it reads, as context.from_unit */
  ds_exact_sum *sums;       /* that they add to */
  ds_exact_sum *body_sums;  /* DS_BODY_SUMS of each body */
  int32_t n, reads, writes; /* operations; fields (DS_POSITION ...) of particles */
  int32_t image_bits;
  int32_t is_plain; /* fix nve of all of space, and nothing else */
  int32_t sets;     /* that its operations are of */
  int32_t clear;    /* forces become 0 */
  int32_t check;    /* stop where a particle has moved by more than the root of trigger2 */
  double trigger2;
} ds_step_launch;

/* Operations first .. end - 1 of the program, where they act in that step. */
typedef struct {
  int first, end;
  int64_t step;
  int tally; /* sums are wanted, and what acts in last steps only */
} ds_due;

/* What one call does, in this order. */
typedef struct {
  int64_t step; /* in which it ends */
  ds_due due[2];
  int clear; /* forces become 0 */
  int check; /* stop where an atom has moved by more than the root of trigger2 */
  double trigger2;
} ds_advance;

/* The program, and the sums that its operations add up. */
typedef struct {
  ds_queue *queue;
  ds_step_program program;
  ds_buffer sums, sums_host;
  ds_bins bins[DS_MAX_BINNINGS];
  ds_tallies tallies;              /* of particles, where stages work */
  int64_t tallied[2 * DS_TALLIES]; /* the last step of which they are; energies, then virials */
  ds_bodies bodies;
  ds_reduction *reduce; /* NULL: this process has all particles */
  void *reduce_user;
  ds_answer *answer; /* NULL: no operation asks */
  void *answer_user;
} ds_steps;

/* What is the same for all operations of a kind. */
typedef struct {
  const char *name;
  int reads, writes;  /* fields beside masks and masses */
  int sums;           /* of other operations that it always reads: 1: those of `from`, 2: and of `also` */
  int anchors;        /* 1: it has an array of anchors */
  int bodies;         /* 1: it wants rigid bodies */
  int may_fail;       /* 1: some particles have no place where it acts, as behind a wall */
  int has_bias, bias; /* 1: it asks for temperatures, and from number `bias` on says what is no heat */
} ds_operation_use;

extern const ds_operation_use ds_operation_uses[DS_OPERATION_KINDS];

/* Of one operation: fields that it reads (where it asks for types, these lie with masks); whether it reads edges of the box,
   which undo the wrap of positions, or the flow; whether it reads sums of operation `place`; whether it acts in a step. */
int ds_operation_reads(const ds_operation *o);
int ds_operation_reads_box(const ds_operation *o);
int ds_operation_reads_sums_of(const ds_operation *o, int place);
int ds_operation_is_due(const ds_step_program *p, int place, const ds_due *due);
ds_status ds_operation_check_numbers(const ds_operation *o, ds_error *err);

/* 1: an operation of the program moves rigid bodies. */
int ds_steps_have_bodies(const ds_steps *steps);

/* A launch on either backend: step_host.c, step_cuda.cu. */
typedef ds_status ds_operate_stage(ds_queue *q, const ds_resident_view *a, const ds_step_launch *what, int64_t step,
                                   ds_error *err);
ds_operate_stage ds_operate_host, ds_operate_cuda;

/* step_checks.c: looks at a program, and keeps it. */
ds_status ds_steps_set(ds_steps *steps, const ds_step_program *program, ds_error *err);
/* What advancing begins with: whether the atoms have all arrays that are read. */
ds_status ds_steps_check(const ds_steps *steps, const ds_resident_view *a, const ds_advance *how, ds_error *err);
ds_status ds_steps_advance(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box, const ds_advance *how,
                           ds_error *err);
ds_status ds_steps_sums(ds_steps *steps, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err);                 /* waits */
ds_status ds_steps_clear_sums(ds_steps *steps, ds_error *err);                                            /* and bins */
ds_status ds_steps_take_bins(ds_steps *steps, int binning, ds_exact_sum *cells, size_t n, ds_error *err); /* waits */
void ds_steps_close(ds_steps *steps);

/* In words what is wrong with which atom, at x. */
ds_status ds_steps_fault(const ds_steps *steps, int64_t tag, const double x[3], ds_error *err);
int ds_steps_fault_atom(const ds_steps *steps);

DS_C_END
#endif
