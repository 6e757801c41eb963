/* Host backend: all steps of a call, or the forces before one, and what threads do in turn.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"
#include "hydro_host.h"

#include <stdlib.h>
#include <string.h>

/* Coordinates are those of positions again: a step of second order that failed has left predicted ones. */
static void retreat(ds_sop_host *h)
{
  for (int c = 0; c < 3; c++)
    for (size_t p = 0; p < h->places; p++)
      DS_DATA(int32_t, h->x[c])[p] = ds_sop_coordinate(DS_DATA(int64_t, h->position[c])[p]);
}

/* What went wrong first, of what threads found. */
typedef struct {
  int64_t step; /* -1: nothing */
  int half;
  int64_t bead;             /* that would move too far; -1: forces are out of range; -2 - m: the tip of molecule m */
  int pivot;                /* 1: at this bead the mobility matrix is not positive */
  int32_t molecule, beyond; /* it is in one of these */
  ds_status status;
  ds_error error;
} trouble;

/* Coordinates as they are now, for who explains a fault. */
static ds_status report(const ds_sop *sop, ds_sop_host *h, const trouble *t, ds_sop_fault *fault, ds_error *err)
{
  fault->step = t->step;
  fault->bead = t->bead < 0 || t->pivot ? -1 : t->bead;
  fault->pivot = t->pivot ? t->bead : -1;
  fault->tip = t->bead < -1 ? (int32_t) (-2 - t->bead) : -1;
  fault->molecule = t->molecule;
  fault->beyond = t->beyond;
  fault->coordinate = malloc((3 * (size_t) sop->beads + 1) * sizeof *fault->coordinate);
  if (!fault->coordinate) return ds_fail(err, DS_ERR_MEMORY, "no host memory for coordinates");
  for (int64_t b = 0; b < sop->beads; b++)
    for (int c = 0; c < 3; c++) fault->coordinate[3 * b + c] = DS_DATA(int32_t, h->x[c])[ds_sop_place(sop, h, b)];
  retreat(h);
  return ds_fail(err, DS_ERR_FORCE_RANGE, "a force is out of range");
}

static int is_earlier(const trouble *a, const trouble *b)
{
  if (b->step < 0 || a->step != b->step) return b->step < 0 || a->step < b->step;
  if (a->half != b->half) return a->half < b->half;
  if (a->pivot != b->pivot) return a->pivot < b->pivot;
  return a->bead != b->bead ? a->bead < b->bead : a->molecule < b->molecule;
}

static void note_trouble(trouble *first, const trouble *t)
{
#pragma omp critical(ds_sop_trouble)
  if (is_earlier(t, first)) *first = *t;
}

/* A force or a move out of range, of one of the molecules from `molecule` to before `beyond`. */
static trouble out_of_range(int64_t step, int half, int64_t bead, int32_t molecule, int32_t beyond)
{
  const trouble t = {step, half, bead, 0, molecule, beyond, DS_ERR_FORCE_RANGE, {DS_OK, ""}};
  return t;
}

static void note_out_of_range(trouble *first, int64_t step, int half, int64_t bead, int32_t molecule, int32_t beyond)
{
  const trouble t = out_of_range(step, half, bead, molecule, beyond);
  note_trouble(first, &t);
}

/* A mobility matrix that is not positive at this bead. */
static void note_pivot(trouble *first, int64_t step, int64_t bead)
{
  trouble t = out_of_range(step, 0, bead, 0, 0);
  t.pivot = 1;
  note_trouble(first, &t);
}

/* A list that could not be made. */
static void note_failure(trouble *first, int64_t step, int half, const ds_error *e)
{
  trouble t = out_of_range(step, half, -1, 0, 0);
  t.status = e->code;
  t.error = *e;
  note_trouble(first, &t);
}

/* All steps of a block of molecules. */
static void advance_block(const ds_sop *sop, ds_sop_host *h, const ds_sop_motion *motion, int block, trouble *t)
{
  const size_t size = (size_t) sop->model.topology.beads * (size_t) h->lanes;
  const size_t first = (size_t) block * size, last = first + size;
  const int32_t molecule = block * h->lanes;
  const int32_t beyond = molecule + h->lanes < sop->molecules ? molecule + h->lanes : sop->molecules;
  const int pulls = sop->pull.spec.mode != DS_SOP_PULL_NONE;
  ds_sop_host_step step = {ds_sop_units_of(sop, motion), 0, 0, motion};
  ds_error error;
  for (int32_t k = 0; k < motion->steps; k++) {
    step.number = motion->first + k;
    step.last = k == motion->steps - 1;
    for (int half = 0; half < sop->options.order; half++) {
      if (h->block_list[block].rows == 0 || ds_sop_host_list_is_old(h, first, last)) {
        if (ds_sop_host_block_list(sop, h, block, &error)) {
          note_failure(t, step.number, half, &error);
          return;
        }
      }
      int64_t bad = ds_sop_host_block_forces(sop, h, block) ? -1 : -2;
      for (int32_t m = molecule; m < beyond && pulls && bad == -2; m++) ds_sop_host_pull(sop, h, &step, half, m);
      if (bad == -2) {
        int pivot = 0;
        bad = sop->hydro.kind ? ds_sop_host_hydro_step(sop, h, &step, block, &pivot)
                              : ds_sop_host_move(sop, h, &step, half, first, last);
        if (bad < 0) continue;
        if (pivot) {
          note_pivot(t, step.number, bad);
          return;
        }
      }
      note_out_of_range(t, step.number, half, bad, molecule, beyond);
      return;
    }
  }
}

/* All steps of beads that are in no molecule. */
static void advance_free(const ds_sop *sop, ds_sop_host *h, const ds_sop_motion *motion, size_t first, size_t last, trouble *t)
{
  ds_sop_host_step step = {ds_sop_units_of(sop, motion), 0, 0, motion};
  for (int32_t k = 0; k < motion->steps; k++) {
    step.number = motion->first + k;
    step.last = k == motion->steps - 1;
    for (int half = 0; half < sop->options.order; half++) {
      const int64_t bad = ds_sop_host_move(sop, h, &step, half, first, last);
      if (bad < 0) continue;
      note_out_of_range(t, step.number, half, bad, 0, 0);
      return;
    }
  }
}

static void advance_blocks(const ds_sop *sop, ds_sop_host *h, const ds_sop_motion *motion, trouble *t)
{
#pragma omp parallel for num_threads(sop->options.threads) schedule(dynamic)
  for (int b = 0; b < h->blocks; b++) advance_block(sop, h, motion, b, t);
}

/* What tips and planes exert on all beads, those that another object moves included, as the tips feel all of them. */
static void indenter_phase(const ds_sop *sop, ds_sop_host *h, int *fault)
{
  enum { BEADS = 256 };
  const int64_t end = (int64_t) h->free_at, first = sop->share_first, last = sop->share_last ? sop->share_last : end;
#pragma omp for schedule(static)
  for (int64_t b = 0; b < end; b += BEADS) {
    const int64_t e = b + BEADS < end ? b + BEADS : end, own = b > first ? b : first, to = e < last ? e : last;
    int bad;
    if (own < to)
      bad = ds_sop_host_indenter_force(sop, h, b, own, 0) | ds_sop_host_indenter_force(sop, h, own, to, 1) |
            ds_sop_host_indenter_force(sop, h, to, e, 0);
    else
      bad = ds_sop_host_indenter_force(sop, h, b, e, 0);
    if (bad) {
#pragma omp atomic write
      *fault = 1;
    }
  }
}

/* Forces of eq. 1 in a step of the schemes particle and pair; by all threads together. *fault becomes 1 where one is out of
   range. */
static void force_phase(const ds_sop *sop, ds_sop_host *h, int *fault)
{
  enum { BEADS = 64, PAIRS = 1024 };
  const int64_t beads = sop->share_last ? sop->share_last : (int64_t) h->free_at;
  if (h->scheme == DS_SOP_PARTICLE) {
#pragma omp for schedule(dynamic) nowait
    for (int64_t b = sop->share_first; b < beads; b += BEADS)
      if (ds_sop_host_bead_forces(sop, h, b, b + BEADS < beads ? b + BEADS : beads)) {
#pragma omp atomic write
        *fault = 1;
      }
  } else {
    const int64_t pairs = ds_sop_host_pairs(h);
#pragma omp for schedule(dynamic)
    for (int64_t k = 0; k < pairs; k += PAIRS)
      if (ds_sop_host_pair_forces(sop, h, k, k + PAIRS < pairs ? k + PAIRS : pairs)) {
#pragma omp atomic write
        *fault = 1;
      }
#pragma omp for schedule(static) nowait
    for (int64_t b = 0; b < beads; b += BEADS) ds_sop_host_gather(h, b, b + BEADS < beads ? b + BEADS : beads);
  }
#pragma omp barrier
}

/* After forces: pulls, and moves the tips. Returns 0 where that or the forces have failed. */
static int act_phase(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, int fault, trouble *t)
{
  const int pulls = sop->pull.spec.mode != DS_SOP_PULL_NONE;
  int64_t bad = -1;
  if (!fault) {
    for (int32_t m = 0; m < sop->molecules && pulls; m++) ds_sop_host_pull(sop, h, step, half, m);
    const int32_t tip = ds_sop_indents(&sop->indent) ? ds_sop_host_move_tips(sop, h, step, half) : -1;
    if (tip < 0) return 1;
    bad = -2 - (int64_t) tip;
  }
  note_out_of_range(t, step->number, half, bad, 0, sop->molecules);
  return 0;
}

/* A phase that fails, one of those of each half step, writes its number, and all threads leave after it. A thread that is
   late to ask whether its phase has failed may find the number of the next one, which others are in already: so it
   compares, and reads and writes are atomic. */
enum { LISTS = 0, FORCES, PUSHES, FACTORS, MOVES, PHASES };

static void stop_after(int64_t *stop, int64_t turn, int phase)
{
#pragma omp atomic write
  *stop = PHASES * turn + phase;
}

static int stops_after(const int64_t *stop, int64_t turn, int phase)
{
  int64_t now;
#pragma omp atomic read
  now = *stop;
  return now == PHASES * turn + phase;
}

/* What the other beads do to each, by hydrodynamic interactions. Returns 0 where that has failed. */
static int hydro_phases(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int64_t turn, int64_t *stop,
                        trouble *t)
{
  enum { BEADS = 32 };
  const int64_t places = (int64_t) h->free_at;
#pragma omp for schedule(static)
  for (int64_t p = 0; p < places; p += DS_SOP_BATCH) {
    const size_t last = (size_t) (p + DS_SOP_BATCH < places ? p + DS_SOP_BATCH : places);
    const int64_t bad = ds_sop_host_hydro_begin(sop, h, step, (size_t) p, last);
    if (bad < 0) continue;
    note_out_of_range(t, step->number, 0, bad, 0, sop->molecules);
    stop_after(stop, turn, PUSHES);
  }
  if (stops_after(stop, turn, PUSHES)) return 0;
#pragma omp for schedule(dynamic)
  for (int64_t p = 0; p < places; p += BEADS)
    ds_sop_host_hydro_sums(sop, h, (size_t) p, (size_t) (p + BEADS < places ? p + BEADS : places));
#pragma omp for schedule(dynamic)
  for (int32_t m = 0; m < sop->molecules; m++) {
    const int64_t bad = ds_sop_host_hydro_factor(sop, h, m);
    if (bad < 0) continue;
    note_pivot(t, step->number, bad);
    stop_after(stop, turn, FACTORS);
  }
  return !stops_after(stop, turn, FACTORS);
}

/* All steps of all molecules with the schemes particle and pair: threads go through the phases of each half step
   together. */
static void advance_together(const ds_sop *sop, ds_sop_host *h, const ds_sop_motion *motion, trouble *t)
{
  const int indents = ds_sop_indents(&sop->indent);
  const int64_t places = sop->share_last ? sop->share_last : (int64_t) h->free_at;
  const ds_sop_step_units units = ds_sop_units_of(sop, motion);
  int fault = 0, old = !h->list_is_made || ds_sop_host_list_is_old(h, 0, h->free_at);
  int64_t stop = -1;
#pragma omp parallel num_threads(sop->options.threads)
  for (int64_t turn = 0; turn < (int64_t) motion->steps * sop->options.order; turn++) {
    const int half = (int) (turn % sop->options.order);
    const int64_t k = turn / sop->options.order;
    const ds_sop_host_step step = {units, motion->first + k, k == motion->steps - 1, motion};
#pragma omp single
    if (old) {
      ds_error error;
      old = 0;
      if (ds_sop_host_list(sop, h, &error)) {
        note_failure(t, step.number, half, &error);
        stop_after(&stop, turn, LISTS);
      }
    }
    if (stops_after(&stop, turn, LISTS)) break;
    force_phase(sop, h, &fault);
    if (indents) indenter_phase(sop, h, &fault);
#pragma omp single
    if (!act_phase(sop, h, &step, half, fault, t)) stop_after(&stop, turn, FORCES);
    if (stops_after(&stop, turn, FORCES)) break;
    if (sop->hydro.kind && !hydro_phases(sop, h, &step, turn, &stop, t)) break;
#pragma omp for schedule(static)
    for (int64_t p = sop->share_first; p < places; p += DS_SOP_BATCH) {
      const size_t last = (size_t) (p + DS_SOP_BATCH < places ? p + DS_SOP_BATCH : places);
      const int64_t bad = sop->hydro.kind ? ds_sop_host_hydro_move(sop, h, (size_t) p, last)
                                          : ds_sop_host_move(sop, h, &step, half, (size_t) p, last);
      if (bad >= 0) {
        note_out_of_range(t, step.number, half, bad, 0, sop->molecules);
        stop_after(&stop, turn, MOVES);
      } else if (ds_sop_host_list_is_old(h, (size_t) p, last)) {
#pragma omp atomic write
        old = 1;
      }
    }
    if (stops_after(&stop, turn, MOVES)) break;
  }
}

ds_status ds_sop_host_advance(ds_sop *sop, const ds_sop_motion *motion, ds_sop_fault *fault, ds_error *err)
{
  enum { FREE = 4096 };
  ds_sop_host *const h = sop->backend;
  trouble t;
  t.step = -1;
  const ds_status s = ds_sop_host_hydro_prepare(sop, h, err);
  if (s) return s;
  ds_sop_host_prepare(sop, h, ds_sop_units_of(sop, motion).per_force);
  if (h->tip_bead_forces.data) memset(h->tip_bead_forces.data, 0, h->tip_bead_forces.bytes);
  if (h->scheme == DS_SOP_BLOCK)
    advance_blocks(sop, h, motion, &t);
  else if (h->free_at)
    advance_together(sop, h, motion, &t);
#pragma omp parallel for num_threads(sop->options.threads)
  for (size_t p = h->free_at; p < h->places; p += FREE)
    advance_free(sop, h, motion, p, p + FREE < h->places ? p + FREE : h->places, &t);
  if (t.step < 0) return DS_OK;
  if (t.status != DS_ERR_FORCE_RANGE) return ds_fail(err, t.status, "%s", t.error.text);
  return report(sop, h, &t, fault, err);
}

ds_status ds_sop_host_forces(ds_sop *sop, int32_t *force, ds_sop_fault *fault, ds_error *err)
{
  ds_sop_host *const h = sop->backend;
  int bad = 0;
  ds_status s = DS_OK;
  if (h->scheme == DS_SOP_BLOCK)
    for (int b = 0; b < h->blocks && !s; b++) {
      s = ds_sop_host_block_list(sop, h, b, err);
      if (!s) bad |= ds_sop_host_block_forces(sop, h, b);
    }
  else if (h->free_at) {
    s = ds_sop_host_list(sop, h, err);
    if (!s) force_phase(sop, h, &bad);
  }
  if (s) return s;
  if (bad) {
    const trouble now = out_of_range(-1, 0, -1, 0, sop->molecules);
    return report(sop, h, &now, fault, err);
  }
  for (int64_t b = 0; b < sop->beads; b++)
    for (int c = 0; c < 3; c++) {
      const size_t p = ds_sop_place(sop, h, b);
      force[3 * b + c] = p < h->free_at ? DS_DATA(int32_t, h->force[0][c])[p] : 0;
    }
  return DS_OK;
}
