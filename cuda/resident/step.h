/* Operations of a step on their way to the particles.   SPDX-License-Identifier: GPL-2.0-or-later

   What is due is cut into launches, each a kernel or a loop on the host that runs all of its operations on one particle after
   the other. A new launch begins where an operation reads sums, which have to be whole.

   Bins that particles are added up in have launches of their own. Cells lie where stages work: those of bin k from
   k * nvalues on. They go on from step to step until the caller takes them.

   Rigid bodies: particles add forces and torques to exact sums of their bodies; one stage moves all bodies, by the sums of
   all processes; then particles are put where their bodies are. On the GPU nothing of this is copied to the host unless
   there are several processes. */
#ifndef DPDSOP_RESIDENT_STEP_H
#define DPDSOP_RESIDENT_STEP_H

#include "bonded.h"
#include "../force/pair_state.h"
#include "dpdsop/device/step/operate.h"
#include "dpdsop/resident.h"

DS_C_BEGIN

/* Resident atoms as stages see them. Passed to a kernel by value. */
typedef struct {
  int n, threads;
  double *x, *v, *f, *x_ref;
  void *image;
  int is_wide; /* images have 64 bits */
  const int32_t *type, *mask;
  const double *rmass, *mass; /* rmass NULL: by type */
  ds_array tag;               /* data NULL: there are none */
  double *anchor[DS_MAX_ANCHORS];
  const int32_t *body; /* NULL: there are no bodies */
  double *fraction;    /* 3 per particle: of the positions of the last rebuild in a tilted box; else NULL */
  const void *molecule;
  int has_wide_molecules; /* their numbers have 64 bits */
} ds_resident_view;

enum { DS_LAUNCH_OPERATIONS = 11 }; /* with what else a launch passes, arguments of a kernel are at most 4096 bytes */

/* Beside fields: numbers of bodies are read. */
enum { DS_BODY_NUMBER = 64 };

/* Passed to a kernel by value. What few launches need comes last: late launches are sent without. */
typedef struct {
  int64_t step[DS_LAUNCH_OPERATIONS];
  int32_t place[DS_LAUNCH_OPERATIONS]; /* number in the program */
  int32_t tally[DS_LAUNCH_OPERATIONS]; /* its sums are wanted */
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
  uint32_t clears;  /* operations whose sums become 0 for the next step, a bit for each; they are not among these */
  ds_report report; /* made at the end, on the GPU */
  ds_operation operation[DS_LAUNCH_OPERATIONS];
  ds_region region[DS_MAX_REGIONS];
} ds_step_launch;

/* A launch that is on the GPU before the answer that its operations depend on is known. Its kernel waits there until the host
   has sent it. */
typedef struct {
  int64_t is_given_up; /* 1: nothing is done */
  ds_sorted_fill next;
  ds_step_launch launch;
} ds_late_launch;

enum { DS_LATE_WORDS = sizeof(ds_late_launch) / sizeof(uint32_t) };

/* How a late launch is sent: as marked words, in the host's memory, and in the GPU's for most blocks. Passed to a kernel by
   value. */
typedef struct {
  uint64_t *of_host, *copy;
  uint32_t mark, words; /* words of a ds_late_launch, from its begin */
} ds_late_words;

/* Passed to a kernel by value. */
typedef struct {
  ds_operation operation;
  ds_binning binning;
  ds_region region[DS_MAX_REGIONS];
  ds_step_context context;
  ds_tallies tallies; /* of the particles, in this step */
  ds_exact_sum *cells;
  int32_t reads; /* fields (DS_POSITION ...) of particles */
  int32_t image_bits;
} ds_bin_launch;

typedef struct {
  ds_buffer cells, host;        /* host: what they are brought to */
  ds_buffer molecules, centers; /* where the device reads those of the binning */
  size_t n;                     /* cells */
  int64_t terms;                /* that have been added to a cell at most, since parts have been carried */
} ds_bins;

typedef struct {
  int n;
  ds_buffer state;           /* ds_body */
  ds_buffer sums, sums_host; /* DS_BODY_SUMS of each */
} ds_bodies;

/* What bodies do: the second half of a step, the first half of the next one, or both. Passed to a kernel by value. */
typedef struct {
  ds_body *body;
  ds_exact_sum *sums;
  int n, ends, begins;
  int64_t step;            /* that ends */
  ds_operation end, begin; /* DS_BODY_VELOCITY, DS_BODY_PLACE */
  ds_wrap box;
} ds_body_launch;

/* What is added up over all bodies: DS_BODY_KINETIC. */
typedef struct {
  const ds_body *body;
  int n;
  ds_operation operation;
  ds_exact_sum *sums; /* of the operation */
} ds_body_sums_launch;

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
  const ds_bonded_view *bonded; /* whose forces have been made, and are added to the others first; NULL: none */
  ds_pair *pair; /* its next evaluation follows: the last launch fills its sorted particles where it can; NULL: none follows */
  int with_sums; /* energies or virials are wanted of that */
} ds_advance;

/* Launches on either backend: step_host.c, step_cuda.cu. `bonded` as in ds_advance. next: sorted particles that are filled;
   NULL: none, as always on the host. Parts of cells are brought into their ranges before they can overflow. wait_to_operate: a
   launch of operations of DS_SET_MOTION that is sent later; NULL on the host, which waits for nobody. */
typedef struct {
  ds_status (*operate)(ds_queue *q, const ds_resident_view *a, const ds_bonded_view *bonded, const ds_step_launch *what,
                       const ds_sorted_fill *next, int64_t step, ds_error *err);
  ds_status (*bin)(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *what, int64_t step, ds_error *err);
  ds_status (*carry)(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err);
  ds_status (*move_bodies)(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err);
  ds_status (*add_up_bodies)(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err);
  ds_status (*wait_to_operate)(ds_queue *q, const ds_resident_view *a, const ds_late_words *sent, int64_t step, ds_error *err);
} ds_step_stages;

extern const ds_step_stages ds_step_stages_host, ds_step_stages_cuda;

/* The program, and the sums that its operations add up. */
typedef struct {
  ds_queue *queue;
  const ds_step_stages *stages;
  uint32_t cleared;    /* operations whose sums have been cleared ahead, a bit for each */
  uint64_t cleared_at; /* queue->resumes then: later ones have undone it */
  ds_buffer late_host, late_copy;
  ds_late_words late; /* the last one */
  int rows_ended;      /* operations of the second half of a step that rows of a sweep have ended with; 0: they have not */
  ds_pool memory, pinned; /* of the kinds that the queue has */
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
int ds_operation_sums_told(const ds_step_program *p, int place); /* the operation whose sums a question has; -1: none */
ds_status ds_operation_check_numbers(const ds_operation *o, ds_error *err);

/* Whether nothing but motion is due, with the first operation as the only question about sums; *n: so many operations more. */
int ds_steps_only_move(const ds_step_program *p, const ds_due *due, int *n);

/* Places of the operations that rows may end with (row_end.h), the last of which a question is about, and the place of that; 0:
   there are none. */
int ds_steps_find_row_end(const ds_step_program *p, const ds_due *due, int place[DS_ROW_OPERATIONS], int *question);

/* The set of energies and virials by atom that it reads, numbered as in ds_step_tallies; 0: none. */
int ds_operation_tallies(const ds_step_program *p, int place);

/* 1: an operation of the program moves rigid bodies. */
int ds_steps_have_bodies(const ds_steps *steps);

/* bins.c */
ds_status ds_bins_check(const ds_binning *b, int k, ds_error *err); /* number k of a program */
int ds_bins_reads(const ds_binning *b);                             /* fields */
int ds_bins_have_tables(const ds_binning *b);                       /* which the caller keeps until the operation has acted */

/* `what` has all but its cells. Cells of another number than before begin at 0. */
ds_status ds_bins_add(ds_steps *steps, ds_bins *bins, const ds_resident_view *a, ds_bin_launch *what, int64_t step,
                      ds_error *err);
ds_status ds_bins_take(ds_steps *steps, int binning, ds_exact_sum *cells, size_t n, ds_error *err); /* waits; they begin anew */
ds_status ds_bins_clear(ds_steps *steps, ds_bins *bins, ds_error *err);

/* bodies.c */
ds_status ds_bodies_set(ds_steps *steps, const ds_body *from, int n, ds_error *err); /* waits */
ds_status ds_bodies_get(ds_steps *steps, ds_body *to, ds_error *err);                /* waits */
ds_status ds_bodies_check(const ds_steps *steps, const int32_t *numbers, int n, ds_error *err);
ds_status ds_bodies_reduce(ds_steps *steps, ds_error *err);
ds_status ds_bodies_add_up(ds_steps *steps, int place, int64_t step, ds_error *err); /* operation DS_BODY_KINETIC */
ds_status ds_bodies_move(ds_steps *steps, ds_body_launch *what, int64_t step, ds_error *err);

/* step_checks.c: whether a program is one. Whoever has more to ask of it does so before it becomes that of the steps. */
ds_status ds_steps_check_program(const ds_step_program *program, ds_error *err);
/* step_due.c. What advancing begins with: whether the atoms have all arrays that are read. */
ds_status ds_steps_check(const ds_steps *steps, const ds_resident_view *a, const ds_advance *how, ds_error *err);
/* What the sweep of forces may end rows with (row_end.h), where the program begins the second half of a step with a kinetic
   energy that a question is about; n 0: nothing. The operations due[0] of the next ds_steps_advance begin behind it, unless
   ds_steps_forget_rows is called: the sweep has been stopped. */
ds_status ds_steps_end_rows(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box, const ds_due *due, ds_row_end *end,
                            ds_error *err);
void ds_steps_forget_rows(ds_steps *steps);

ds_status ds_steps_advance(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box, const ds_advance *how,
                           ds_error *err);
ds_status ds_steps_sums(ds_steps *steps, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err); /* waits */
ds_status ds_steps_clear_sums(ds_steps *steps, ds_error *err);                            /* and bins */
void ds_steps_open(ds_steps *steps, ds_queue *queue);
void ds_steps_close(ds_steps *steps); /* when all that was queued is over */

/* A late launch has room for that many operations, and for regions where the program uses some. holds: whether this one fits.
   send: where launch is NULL, its kernel ends and does nothing; where next is NULL, no evaluation follows. */
ds_status ds_late_launch_open(ds_steps *steps, int operations, ds_error *err);
int ds_late_launch_holds(const ds_late_words *late, const ds_step_launch *launch);
void ds_late_launch_send(const ds_late_words *late, const ds_step_launch *launch, const ds_sorted_fill *next);

/* In words what is wrong with which atom, of arrays that operations work on; without tags it is counted from 1. Waits. */
ds_status ds_steps_fault(const ds_steps *steps, const ds_array *x, const ds_array *tag, ds_error *err);

DS_C_END
#endif
