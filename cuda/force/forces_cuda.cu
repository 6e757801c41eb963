/* Forces of the CUDA backend: queued, and looked at.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../particles/accumulate.h"
#include "pair_cuda.h"

#include <string.h>

static void describe(const ds_pair *pair, ds_cuda_state *c, ds_sweep_io *io)
{
  io->frame = pair->frame;
  io->slots = c->list.slots;
  io->nlocal = pair->nlocal;
  io->ntypes = pair->tables.ntypes;
  io->position = c->slots.position.data;
  io->velocity = c->slots.velocity.data;
  io->tag = DS_DATA(int64_t, c->slots.tag);
  io->atom_of_slot = c->list.atom_of_slot;
  io->first = DS_DATA(uint32_t, c->list.first);
  io->entries = DS_DATA(uint32_t, c->list.entries);
  io->count = DS_DATA(int32_t, c->list.count);
  io->coeff = c->coeff.data;
  io->unit = ds_row_units_of(&pair->tables);
}

/* Memory that is copied whole, even where the sweep that would have written it was left out. It is cleared when it is
   new. */
static ds_status reserve_cleared(ds_queue *s, ds_cuda_result *r, size_t bytes, const char *what,
                                 ds_error *err)
{
  ds_buffer *const b = &r->mirror.device;
  const ds_status status = ds_reserve(&s->memory, b, bytes, 1, what, err);
  if (status || r->cleared == b->bytes) return status;
  r->cleared = b->bytes;
  return ds_gpu_check(cudaMemsetAsync(b->data, 0, b->bytes, s->stream), "clearing results", err);
}

/* See ds_cuda_result. */
static ds_status target(ds_pair *pair, ds_cuda_result *r, const ds_array *wanted, int components,
                        const char *what, ds_array *view, ds_error *err)
{
  ds_queue *const stream = &((ds_cuda_state *) pair->state)->stream;
  const int n = pair->nlocal;
  r->wanted = *wanted;
  r->components = components;
  r->added_by_host = wanted->data && wanted->space == DS_SPACE_HOST &&
                     !ds_queue_is_pinned(stream, wanted, n, components);
  if (!r->added_by_host)
    return ds_queue_array_in(stream, &r->mirror, wanted, n, components, what, view, err);
  const size_t bytes = (size_t) n * (size_t) components * sizeof(double);
  const ds_array plain = {NULL, DS_F64, DS_SPACE_DEVICE, components, 1};
  ds_status s = reserve_cleared(stream, r, bytes + 8, what, err);
  if (!s) s = ds_reserve(&stream->pinned, &r->mirror.host.buffer, bytes + 8, 1, what, err);
  *view = plain;
  view->data = r->mirror.device.data;
  return s;
}

static ds_status targets(ds_pair *pair, ds_cuda_state *c, const ds_pair_result *r, ds_sweep_io *io,
                         ds_error *err)
{
  ds_status s = target(pair, &c->force, &r->f, 3, "forces", &io->force, err);
  if (!s) s = target(pair, &c->energy, &r->eatom, 1, "energies", &io->energy, err);
  if (!s) s = target(pair, &c->virial, &r->vatom, 6, "virials", &io->virial, err);
  io->put_force = c->force.added_by_host || r->put_force;
  io->put_energy = c->energy.added_by_host;
  io->put_virial = c->virial.added_by_host;
  return s;
}

static ds_status sweep(ds_pair *pair, ds_cuda_state *c, int tally, ds_error *err)
{
  const ds_sweep_tables *const t = &pair->tables;
  const int special = ds_has_special(t, c->atoms.special.max_special);
  ds_status s = DS_OK;
  if (tally)
    s = ds_gpu_check(cudaMemsetAsync(&c->stream.control->sums, 0, sizeof c->stream.control->sums,
                                     c->stream.stream),
                     "clearing sums", err);
  ds_timer_begin(&c->stream.timer, DS_STAGE_FORCES, c->stream.stream);
  if (!s)
    s = ds_cuda_sweeps_of(pair->style)->sweep[pair->options.precision](&c->stream, t, &c->io, special, tally,
                                                          pair->step, err);
  ds_timer_end(&c->stream.timer, DS_STAGE_FORCES, c->stream.stream);
  return s;
}

/* Where the sweep has been stopped, a copy holds what the pinned array holds: to copy it back changes nothing. */
static ds_status result_out(ds_cuda_state *c, ds_cuda_result *r, const ds_array *view, int n,
                            const char *what, ds_error *err)
{
  if (r->added_by_host)
    return ds_queue_copy(&c->stream, r->mirror.host.buffer.data, view->data,
                          (size_t) n * (size_t) r->components * sizeof(double), what, err);
  return ds_queue_array_out(&c->stream, view, &r->wanted, n, r->components, what, err);
}

static ds_status results_out(ds_pair *pair, ds_cuda_state *c, ds_error *err)
{
  const int n = pair->nlocal;
  ds_timer_begin(&c->stream.timer, DS_STAGE_COPY_OUT, c->stream.stream);
  ds_status s = result_out(c, &c->force, &c->io.force, n, "copying forces", err);
  if (!s) s = result_out(c, &c->energy, &c->io.energy, n, "copying energies", err);
  if (!s) s = result_out(c, &c->virial, &c->io.virial, n, "copying virials", err);
  ds_timer_end(&c->stream.timer, DS_STAGE_COPY_OUT, c->stream.stream);
  return s;
}

/* What the host adds, once. */
static void add_result(const ds_pair *pair, ds_cuda_result *r)
{
  if (!r->added_by_host) return;
  r->added_by_host = 0;
  ds_add_values(&r->wanted, r->components, DS_DATA(double, r->mirror.host.buffer), pair->nlocal,
                pair->options.threads);
}

/* ------------------------------------------------------------------------ in two parts: without ghosts, and the rest */

static int can_begin(const ds_pair *pair, const ds_cuda_state *c, const ds_pair_result *wanted)
{
  const int64_t rows = (int64_t) c->stream.control_host->inner_blocks * DS_SWEEP_THREADS;
  return c->split_order == pair->version.order && !c->list_unchecked && !c->by_type &&
         !c->atoms.on_host && wanted->f.space == DS_SPACE_DEVICE && !ds_wants_tally(wanted) &&
         rows >= ds_cuda_least_begun(pair);
}

static ds_status open_sides(ds_cuda_state *c, ds_error *err)
{
  if (c->ghost.stream) return DS_OK;
  const ds_status s = ds_side_open(&c->inner, 0, err);
  return s ? s : ds_side_open(&c->ghost, 1, err);
}

ds_status ds_cuda_begin(ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_sweep_io io;
  if (!can_begin(pair, c, wanted)) return ds_succeed(err);
  memset(&io, 0, sizeof io);
  ds_status s = ds_queue_use(&c->stream, err);
  if (!s) s = ds_cuda_send_tables(pair, err);
  if (!s) s = targets(pair, c, wanted, &io, err);
  if (!s) s = open_sides(c, err);
  if (s) return s;
  describe(pair, c, &io);
  io.block = DS_DATA(int32_t, c->list.block);
  io.blocks = c->stream.control_host->inner_blocks;
  c->io = io;
  c->rows_begun = io.blocks * DS_SWEEP_THREADS;
  s = ds_queue_fork(&c->stream, &c->inner, err);
  if (!s) s = ds_cuda_gather_part(pair, DS_GATHER_OWN, err);
  if (!s) s = sweep(pair, c, 0, err);
  s = ds_queue_leave(&c->stream, &c->inner, s, err);
  c->begun = 1;
  c->begun_with = pair->version;
  return s ? s : ds_succeed(err);
}

static ds_status finish(ds_pair *pair, ds_cuda_state *c, const ds_pair_result *wanted,
                        ds_error *err)
{
  const ds_versions *const now = &pair->version;
  c->begun_with.ghosts = now->ghosts;
  c->begun = 0;
  if (!ds_same_slots(&c->begun_with, now) || c->begun_with.model != now->model ||
      wanted->f.data != c->io.force.data || ds_wants_tally(wanted))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "an evaluation is to end as it was begun (ds_pair_begin): with the same model, "
                   "atoms, list, positions and results");
  ds_status s = ds_queue_fork(&c->stream, &c->ghost, err);
  if (!s) s = ds_cuda_gather_part(pair, DS_GATHER_GHOSTS, err);
  s = ds_queue_leave(&c->stream, &c->ghost, s, err);
  if (!s) s = ds_queue_join(&c->stream, &c->ghost, err);
  if (!s) s = ds_queue_join(&c->stream, &c->inner, err);
  if (s) return s;
  c->gathered = *now;
  c->io.block += c->io.blocks;
  c->io.blocks = c->list.blocks - c->io.blocks;
  c->evaluated = 1;
  s = sweep(pair, c, 0, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_cuda_enqueue(ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const int tally = ds_wants_tally(wanted);
  ds_sweep_io io;
  int64_t again = -1;
  if (c->begun) return finish(pair, c, wanted, err);
  memset(&io, 0, sizeof io);
  ds_status s = ds_queue_use(&c->stream, err);
  /* what the host has still to add is in the way of this evaluation's */
  if (!s && (c->force.added_by_host || c->energy.added_by_host || c->virial.added_by_host))
    s = ds_cuda_check(pair, NULL, &again, err);
  if (!s && again >= 0) s = ds_pair_once_more_error(again, err);
  if (!s) s = ds_cuda_send_tables(pair, err);
  if (!s) s = ds_cuda_gather(pair, err);
  if (!s) s = targets(pair, c, wanted, &io, err);
  if (s) return s;
  describe(pair, c, &io);
  c->io = io;
  c->have_sums |= tally;
  c->sums_queued |= tally;
  c->evaluated = 1;
  s = sweep(pair, c, tally, err);
  if (!s) s = results_out(pair, c, err);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------------------- checking */

static ds_status force_fault(ds_pair *pair, ds_cuda_state *c, int64_t step, ds_error *err)
{
  const ds_control *const r = c->stream.control_host;
  ds_status s =
      ds_cuda_sweeps_of(pair->style)->name[pair->options.precision](&c->stream, &pair->tables, &c->io, err);
  if (!s) s = ds_queue_look(&c->stream, "name kernel", err);
  return s ? s
           : ds_pair_force_error(pair, step, r->fault_tag[0], r->fault_tag[1], r->fault_force, err);
}

/* What has stopped the kernels, if it cannot be mended. */
static ds_status fault(ds_pair *pair, ds_cuda_state *c, ds_error *err)
{
  const ds_control r = *c->stream.control_host;
  int64_t tag, type;
  if (r.type_fault) {
    const int atom = pair->nlocal - (int) r.type_fault;
    ds_status s = ds_atoms_cuda_tag(&c->atoms, atom, &tag, err);
    if (!s) s = ds_atoms_cuda_type(&c->atoms, atom, &type, err);
    return s ? s : ds_pair_type_error(pair, tag, type, err);
  }
  if (r.position_fault) {
    const int atom = pair->nlocal - (int) r.position_fault;
    double x[3];
    ds_status s = ds_atoms_cuda_tag(&c->atoms, atom, &tag, err);
    if (!s) s = ds_atoms_cuda_place(&c->atoms, atom, x, err);
    return s ? s : ds_pair_position_error(pair, r.step, tag, x, err);
  }
  if (r.ghost_fault) return ds_pair_ghost_error((int) r.ghost_fault - 1, r.step, err);
  return r.force_fault ? force_fault(pair, c, r.step, err) : DS_OK;
}

ds_status ds_cuda_check(ds_pair *pair, ds_pair_result *result, int64_t *again, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const ds_control *const r = c->stream.control_host;
  ds_status s = ds_queue_use(&c->stream, err);
  if (!s)
    s = c->list_unchecked || c->sums_queued
            ? ds_queue_look(&c->stream, "an evaluation of forces", err)
            : ds_queue_look_if_stopped(&c->stream, "an evaluation of forces", err);
  if (s) return s;
  c->list_unchecked = c->sums_queued = c->evaluated = 0;
  pair->outlived_on_gpu = r->outlived_lists;
  ds_timer_collect(&c->stream.timer);
  *again = -1;
  if (*c->stream.halt_flag_host) {
    const int64_t step = r->step;
    s = fault(pair, c, err);
    if (s) return s;
    /* the list is too small, or of other types: ds_pair_build_list gives it the room that is wanted */
    *again = step;
    c->force.added_by_host = c->energy.added_by_host = c->virial.added_by_host = 0;
    s = ds_queue_resume(&c->stream, err);
    return s ? s : ds_succeed(err);
  }
  add_result(pair, &c->force);
  add_result(pair, &c->energy);
  add_result(pair, &c->virial);
  if (result && c->have_sums) ds_pair_finish_sums(pair, &r->sums, result);
  return ds_succeed(err);
}
