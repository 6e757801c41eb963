/* Operations of resident atoms; and of arrays of a caller, without a resident object.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/backend.h"
#include "resident_state.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- resident atoms */

static ds_status check_lasting_bins(const ds_step_program *p, ds_error *err)
{
  for (int k = 0; k < p->nbinnings; k++)
    if (ds_bins_have_tables(&p->binning[k]))
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "bins %d of steps are those of molecules, or have centers; allowed: in operations that act once", k);
  return DS_OK;
}

ds_status ds_resident_set_steps(ds_resident *r, const ds_step_program *p, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(p, "operations of a step", err);
  if (!s) s = ds_steps_check_program(p, err);
  if (!s) s = check_lasting_bins(p, err);
  if (s) return ds_queue_leave(r->queue, s, err);
  r->steps.program = *p;
  r->reads_tallies = ds_program_reads_tallies(p);
  r->have_steps = 1;
  return ds_succeed(err);
}

void ds_resident_set_reduction(ds_resident *r, ds_reduction *reduce, void *user)
{
  r->steps.reduce = reduce;
  r->steps.reduce_user = user;
}

void ds_resident_set_answer(ds_resident *r, ds_answer *answer, void *user)
{
  r->steps.answer = answer;
  r->steps.answer_user = user;
}

ds_resident_view ds_resident_view_with(const ds_resident_atoms *a, int threads, double *x_ref, const double *mass)
{
  ds_resident_view v = {a->n,          threads,
                        a->x.data,     a->v.data,
                        a->f.data,     x_ref,
                        a->image.data, a->image.type == DS_I64,
                        a->type.data,  a->mask.data,
                        a->rmass.data, mass,
                        a->tag,        {NULL},
                        a->body.data,  NULL,
                        NULL,          0};
  for (int k = 0; k < DS_MAX_ANCHORS; k++) v.anchor[k] = a->anchor[k].data;
  v.molecule = a->molecule.data;
  v.has_wide_molecules = a->molecule.type == DS_I64;
  return v;
}

ds_resident_view ds_resident_view_of(const ds_resident *r)
{
  const ds_resident_atoms *const a = &r->atoms;
  ds_resident_view v = ds_resident_view_with(a, r->pair->options.threads, r->x_ref.data, r->mass.data);
  if (r->have_wrap && r->wrap.tilted) v.fraction = r->fraction.data;
  return v;
}

ds_status ds_resident_set_bodies(ds_resident *r, const ds_body *bodies, int n, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_bodies_set(&r->steps, bodies, n, err);
  r->bodies_checked = 0;
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_bodies(ds_resident *r, ds_body *bodies, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && r->broken_off.code) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_bodies_get(&r->steps, bodies, err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_check_bodies(ds_resident *r, ds_error *err)
{
  if (r->bodies_checked || !ds_steps_have_bodies(&r->steps)) return DS_OK;
  const ds_status s = ds_bodies_check(&r->steps, r->callers.body.data, r->callers.n, err);
  r->bodies_checked = s == DS_OK;
  return s;
}

ds_status ds_resident_advance(ds_resident *r, const ds_advance *how, ds_error *err)
{
  const ds_resident_view a = ds_resident_view_of(r);
  ds_queue_begin(r->queue, DS_STAGE_MOTION);
  const ds_status s = ds_steps_advance(&r->steps, &a, &r->wrap, how, err);
  ds_queue_end(r->queue, DS_STAGE_MOTION);
  return s;
}

int ds_resident_may_fail(const ds_resident *r, int first, int end)
{
  for (int k = first; k < end; k++)
    if (ds_operation_uses[r->steps.program.operation[k].kind].may_fail) return 1;
  return 0;
}

ds_status ds_resident_operate(ds_resident *r, int64_t step, int first, int end, int clear, int tally, ds_error *err)
{
  const ds_advance a = {step, {{first, end, step, tally}, {0, 0, 0, 0}}, clear, 0, 0.0, NULL, NULL, 0};
  const ds_resident_view view = ds_resident_view_of(r);
  ds_stop_reason why;
  int64_t stopped;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_steps(r, err);
  if (!s && (step < 0 || first < 0 || end > r->steps.program.n))
    s = ds_fail(err, DS_ERR_ARGUMENT, "operations %d to %d of %d in step %lld", first, end, (int) r->steps.program.n,
                (long long) step);
  if (!s) s = ds_steps_check(&r->steps, &view, &a, err);
  if (!s) s = ds_resident_check_bodies(r, err);
  if (s) return s;
  s = ds_resident_advance(r, &a, err);
  if (!s && ds_resident_may_fail(r, first, end)) s = ds_resident_wait(r, NULL, &why, &stopped, err);
  return ds_resident_leave(r, s, err);
}

ds_status ds_resident_step_sums(ds_resident *r, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && r->broken_off.code) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_check_pointer(sums, "place for sums", err);
  if (!s) s = ds_steps_sums(&r->steps, sums, err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_take_bins(ds_resident *r, int binning, ds_exact_sum *cells, size_t n, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && r->broken_off.code) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_bins_take(&r->steps, binning, cells, n, err);
  return ds_queue_leave(r->queue, s, err);
}

static ds_status check_once(const ds_step_program *p, ds_error *err)
{
  for (int k = 0; k < p->n; k++)
    if (p->operation[k].kind != DS_ADD_TO_BINS || ds_operation_tallies(p, k))
      return ds_fail(err, DS_ERR_ARGUMENT, "operation %d of those that act once is %s; allowed: bins of what particles have", k,
                     ds_operation_uses[p->operation[k].kind].name);
  return DS_OK;
}

static int reads_unwrapped(const ds_step_program *p)
{
  int reads = 0;
  for (int k = 0; k < p->nbinnings; k++) reads = reads || ds_bins_read_unwrapped(&p->binning[k]);
  return reads;
}

ds_status ds_resident_add_once(ds_resident *r, const ds_step_program *p, int64_t step, ds_exact_sum *cells, size_t n,
                               ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(p, "operations that act once", err);
  if (!s) s = ds_check_pointer(cells, "place for bins", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_steps_check_program(p, err);
  if (!s) s = check_once(p, err);
  if (!s && reads_unwrapped(p)) s = ds_resident_need_wrap(r, err);
  if (s) return s;
  r->once.program = *p;
  const ds_advance all = {step, {{0, p->n, step, 1}, {0, 0, 0, 0}}, 0, 0, 0.0, NULL, NULL, 0};
  const ds_resident_view view = ds_resident_view_of(r);
  s = ds_steps_advance(&r->once, &view, &r->wrap, &all, err);
  if (!s) s = ds_bins_take(&r->once, 0, cells, n, err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_clear_sums(ds_resident *r, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_steps_clear_sums(&r->steps, err);
  return ds_queue_leave(r->queue, s, err);
}

/* ---------------------------------------------------------------------------------- a caller's arrays */

struct ds_stepper {
  ds_queue queue;
  ds_steps steps;
  ds_mirror mass; /* of types, where stages read them */
  ds_mirror anchor[DS_MAX_ANCHORS];
  size_t mass_bytes;
  int threads;
};

ds_status ds_stepper_open(ds_stepper **out, const ds_stepper_options *options, ds_error *err)
{
  ds_error no_gpu;
  if (ds_check_pointer(out, "place for a stepper", err) || ds_check_pointer(options, "options of a stepper", err))
    return DS_ERR_ARGUMENT;
  *out = NULL;
  if (options->backend != DS_BACKEND_HOST && options->backend != DS_BACKEND_CUDA)
    return ds_fail(err, DS_ERR_ARGUMENT, "backend %d of a stepper; allowed: %d (host) and %d (cuda)", (int) options->backend,
                   DS_BACKEND_HOST, DS_BACKEND_CUDA);
  ds_stepper *const t = calloc(1, sizeof *t);
  if (!t) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a stepper");
  const ds_queue_options queue = {options->local_rank, options->stream, 0, 0};
  const ds_status s = ds_queue_open(&t->queue, options->backend, "host", &queue, &no_gpu, err);
  if (s) {
    free(t);
    return s;
  }
  ds_steps_open(&t->steps, &t->queue);
  t->threads = options->threads < 1 ? 1 : options->threads;
  *out = t;
  return ds_queue_leave(&t->queue, DS_OK, err);
}

void ds_stepper_close(ds_stepper *t)
{
  ds_error ignored;
  if (!t) return;
  ds_queue_use(&t->queue, &ignored);
  ds_queue_wait(&t->queue, "operations of a step", &ignored);
  ds_steps_close(&t->steps);
  ds_queue_close(&t->queue);
  free(t);
}

ds_status ds_stepper_take_bins(ds_stepper *t, int binning, ds_exact_sum *cells, size_t n, ds_error *err)
{
  ds_status s = ds_queue_enter(&t->queue, &err);
  if (!s) s = ds_bins_take(&t->steps, binning, cells, n, err);
  return ds_queue_leave(&t->queue, s, err);
}

void ds_stepper_set_answer(ds_stepper *t, ds_answer *answer, void *user)
{
  t->steps.answer = answer;
  t->steps.answer_user = user;
}

void ds_stepper_set_tallies(ds_stepper *t, const ds_tallies *tallies, int64_t step)
{
  static const ds_tallies none;
  t->steps.tallies = tallies ? *tallies : none;
  for (int k = 0; k < 2 * DS_TALLIES; k++) t->steps.tallied[k] = step;
}

ds_status ds_stepper_set_bodies(ds_stepper *t, const ds_body *bodies, int n, ds_error *err)
{
  ds_status s = ds_queue_enter(&t->queue, &err);
  if (!s) s = ds_bodies_set(&t->steps, bodies, n, err);
  return ds_queue_leave(&t->queue, s, err);
}

ds_status ds_stepper_bodies(ds_stepper *t, ds_body *bodies, ds_error *err)
{
  ds_status s = ds_queue_enter(&t->queue, &err);
  if (!s) s = ds_bodies_get(&t->steps, bodies, err);
  return ds_queue_leave(&t->queue, s, err);
}

/* Masses of types where stages read them. They are copied again when they have changed. */
static ds_status masses_of(ds_stepper *t, const ds_resident_atoms *a, const double **mass, ds_error *err)
{
  const size_t n = a->mass ? (size_t) a->ntypes + 1 : 0, bytes = n * sizeof(double);
  *mass = a->mass;
  if (n == 0 || ds_queue_is_host(&t->queue)) return DS_OK;
  ds_status s = DS_OK;
  if (bytes != t->mass_bytes || memcmp(t->mass.host.buffer.data, a->mass, bytes) != 0)
    s = ds_queue_upload(&t->queue, &t->mass, a->mass, n, sizeof(double), "masses of types", err);
  t->mass_bytes = s ? 0 : bytes;
  *mass = DS_DATA(const double, t->mass.device);
  return s;
}

static ds_status operate_on(ds_stepper *t, const ds_resident_atoms *a, const ds_wrap *box, int64_t step, ds_error *err)
{
  const ds_advance all = {step, {{0, t->steps.program.n, step, 1}, {0, 0, 0, 0}}, 0, 0, 0.0, NULL, NULL, 0};
  const double *mass;
  ds_status s = masses_of(t, a, &mass, err);
  if (s) return s;
  ds_resident_view view = ds_resident_view_with(a, t->threads, NULL, mass);
  for (int k = 0; k < DS_MAX_ANCHORS && !ds_queue_is_host(&t->queue) && !s; k++) {
    ds_array there;
    if (!view.anchor[k]) continue;
    s = ds_queue_array_copy(&t->queue, &t->anchor[k], &a->anchor[k], a->n, 3, "anchors", &there, err);
    view.anchor[k] = there.data;
  }
  return s ? s : ds_steps_advance(&t->steps, &view, box, &all, err);
}

/* Anchors are in host memory with both backends; on the GPU they are looked at where they are copied. */
static ds_status check_arrays(const ds_stepper *t, const ds_resident_atoms *a, ds_error *err)
{
  ds_resident_atoms given = *a;
  if (!ds_queue_is_host(&t->queue)) memset(given.anchor, 0, sizeof given.anchor);
  return ds_resident_check_fields(&t->queue, t->queue.kind->space, &given, err);
}

/* Numbers of bodies would be looked at, and so have to be in host memory. */
static ds_status check_bodies(const ds_stepper *t, const ds_resident_atoms *a, ds_error *err)
{
  if (!ds_steps_have_bodies(&t->steps)) return DS_OK;
  if (ds_queue_is_host(&t->queue)) return ds_bodies_check(&t->steps, a->body.data, a->n, err);
  return ds_fail(err, DS_ERR_ARGUMENT, "rigid bodies of atoms in the GPU's memory; allowed: of those in host memory");
}

ds_status ds_stepper_operate(ds_stepper *t, const ds_resident_atoms *a, const ds_wrap *box, const ds_step_program *program,
                             int64_t step, ds_reduction *reduce, void *user, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err)
{
  ds_status s = ds_queue_enter(&t->queue, &err);
  if (!s && (ds_check_pointer(a, "atoms", err) || ds_check_pointer(box, "box", err) ||
             ds_check_pointer(program, "operations of a step", err)))
    s = DS_ERR_ARGUMENT;
  if (!s) s = check_arrays(t, a, err);
  if (!s) s = ds_steps_check_program(program, err);
  if (s) return ds_queue_leave(&t->queue, s, err);
  t->steps.reduce = reduce;
  t->steps.reduce_user = user;
  t->steps.program = *program;
  s = check_bodies(t, a, err);
  if (!s) s = operate_on(t, a, box, step, err);
  if (!s) s = ds_queue_wait(&t->queue, "operations of a step", err);
  if (!s && ds_queue_stopped(&t->queue)) {
    ds_error ignored;
    s = ds_queue_read_control(&t->queue, "operations of a step", err);
    if (!s) s = ds_steps_fault(&t->steps, &a->x, &a->tag, err);
    ds_queue_resume(&t->queue, &ignored);
  }
  if (!s && sums) s = ds_steps_sums(&t->steps, sums, err);
  return ds_queue_leave(&t->queue, s, err);
}
