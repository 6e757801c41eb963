/* The public interface of pairs: evaluations of forces, queued.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------- results */

static const struct {
  int components;
  const char *name;
} results[DS_RESULTS] = {{3, "forces"}, {1, "energies of atoms"}, {6, "virials of atoms"}};

static const ds_array *wanted_array(const ds_pair_request *wanted, int kind)
{
  return kind == DS_FORCES ? &wanted->f : kind == DS_ENERGIES ? &wanted->eatom : &wanted->vatom;
}

/* As described at ds_result_place; view: where stages put it. */
static ds_status place_result(ds_pair *pair, int kind, const ds_array *wanted, ds_array *view, ds_error *err)
{
  ds_result_place *const r = &pair->result[kind];
  const char *const what = results[kind].name;
  ds_queue *const q = &pair->queue;
  const int n = pair->nlocal, components = results[kind].components;
  const ds_array plain = {NULL, DS_F64, DS_SPACE_DEVICE, components, 1};
  const size_t bytes = (size_t) n * (size_t) components * sizeof(double);
  r->wanted = r->back = *wanted;
  r->added_by_host =
      wanted->data && wanted->space == DS_SPACE_HOST && !ds_queue_is_host(q) && !ds_queue_is_pinned(q, wanted, n, components);
  if (!r->added_by_host) return ds_queue_array_in(q, &r->mirror, wanted, n, components, 0, what, view, err);
  const int in_place = ds_queue_reads_in_place(q, bytes);
  ds_status s = ds_reserve(&q->pinned, &r->mirror.host.buffer, bytes + 8, 1, what, err);
  if (!s && !in_place) s = ds_queue_reserve_cleared(q, &q->memory, &r->mirror.device, bytes + 8, 1, what, err);
  *view = r->back = plain;
  r->back.data = r->mirror.host.buffer.data;
  view->data = in_place ? r->back.data : r->mirror.device.data;
  return s;
}

static ds_status place_results(ds_pair *pair, const ds_pair_request *wanted, ds_sweep_io *io, ds_error *err)
{
  const int put[DS_RESULTS] = {wanted->put_force, wanted->put_eatom, wanted->put_vatom};
  ds_status s = DS_OK;
  for (int k = 0; k < DS_RESULTS && !s; k++) {
    s = place_result(pair, k, wanted_array(wanted, k), &io->result[k].to, err);
    io->result[k].put = put[k] || pair->result[k].added_by_host;
  }
  return s;
}

/* Layout and type are constants in the common case, so that the loop is a plain one. */
static void add_values(const ds_array *to, int components, const double *values, int n, int threads)
{
  enum { ATOMS = 4096 };
  const int plain = to->type == DS_F64 && to->atom_stride == components && (components == 1 || to->component_stride == 1);
  (void) threads;
#pragma omp parallel for num_threads(threads)
  for (int begin = 0; begin < n; begin += ATOMS) {
    const int end = n - begin < ATOMS ? n : begin + ATOMS;
    double *const data = to->data;
    if (plain)
      for (ptrdiff_t k = (ptrdiff_t) begin * components; k < (ptrdiff_t) end * components; k++) data[k] += values[k];
    else
      for (ptrdiff_t i = begin; i < end; i++)
        for (int c = 0; c < components; c++) ds_array_add(to, i, c, values[i * components + c]);
  }
}

void ds_pair_add_results(ds_pair *pair)
{
  for (int k = 0; k < DS_RESULTS; k++) {
    ds_result_place *const r = &pair->result[k];
    if (r->added_by_host) add_values(&r->wanted, results[k].components, r->back.data, pair->nlocal, pair->options.threads);
    r->added_by_host = 0;
  }
}

/* ------------------------------------------------------------------------------------ sorted particles */

/* All but positions and velocities. */
static int is_order_as_then(const ds_pair *pair, const ds_versions *then)
{
  const ds_versions *const now = &pair->version;
  return then->order == now->order && then->ghosts == now->ghosts && then->types == now->types;
}

int ds_pair_are_as_then(const ds_pair *pair, const ds_versions *then)
{
  return then->load == pair->version.load && is_order_as_then(pair, then);
}

/* Of positions and velocities, which have elements of one size. */
static ds_copies copies_of_sorted(const ds_pair *pair)
{
  return ds_list_copies(&pair->list, &pair->sorted.position, ds_is_double(pair) ? 32 : 16);
}

ds_status ds_pair_gather(ds_pair *pair, ds_gathered which, ds_error *err)
{
  const ds_versions *const now = &pair->version, *const then = &pair->gathered;
  ds_gather how = {pair->list.sort.order,     pair->ranking, pair->list.slots,
                   then->order != now->order, pair->by_type, ds_pair_splits_lists(pair),
                   (uint32_t) now->order,     {0},           which};
  const int has_charges = !how.new_order && then->types == now->types && pair->charges_at == pair->queue.resumes;
  if (which == DS_GATHER_ALL && ds_pair_are_as_then(pair, then)) return DS_OK;
  ds_status s = DS_OK;
  if (how.new_order) s = ds_particles_reserve_sorted(&pair->particles, &pair->sorted, how.slots, how.by_type, err);
  if (s) return s;
  how.copies = copies_of_sorted(pair); /* which have room now */
  ds_queue_begin(&pair->queue, DS_STAGE_GATHER);
  s = pair->particles.stages->gather(&pair->particles, &pair->sorted, &how, err);
  if (!s && which != DS_GATHER_GHOSTS && pair->particles.source.charge.data && !has_charges) { /* they come without messages */
    s = pair->particles.stages->gather_charges(&pair->particles, &pair->sorted, &how, err);
    pair->charges_at = pair->queue.resumes;
  }
  ds_queue_end(&pair->queue, DS_STAGE_GATHER);
  if (which == DS_GATHER_ALL) pair->gathered = *now;
  return s;
}

/* Sorted particles of a step were made by the motion, unless that has been stopped. */
static int is_filled_for(const ds_pair *pair, int64_t step)
{
  return pair->filled_for == step && pair->filled_at == pair->queue.resumes;
}

/* --------------------------------------------------------------------------------------- evaluation */

/* Atoms stay those of slots. */
static void use_own_list(const ds_own_list *own, ds_sweep_io *io)
{
  const ds_list_view v = ds_list_view_of(&own->list);
  io->list.first = v.first;
  io->list.count = v.count;
  io->list.entries = v.entries;
  io->about = ds_own_list_rows(own);
  io->rows = ds_own_list_count(own);
  io->slot_of_row = DS_DATA(int32_t, own->slot);
}

static void describe(const ds_pair *pair, int k, ds_sweep_io *io)
{
  const ds_interaction *const a = &pair->interaction[k];
  const ds_sweep_tables *const t = &a->tables;
  memset(io, 0, sizeof *io);
  io->frame = a->frame;
  io->nlocal = pair->nlocal;
  io->ntypes = t->ntypes;
  io->style = k;
  io->position = pair->sorted.position.data;
  io->velocity = pair->sorted.velocity.data;
  io->copy_stride = copies_of_sorted(pair).stride;
  io->tag = DS_DATA(int64_t, pair->sorted.tag);
  io->charge = pair->sorted.charge.data;
  io->list = ds_list_view_of(&pair->list);
  io->about = pair->list.slots;
  if (ds_pair_has_own_list(pair, k)) use_own_list(&a->own, io);
  io->coeff = a->coeff.device.data;
  io->unit.force = 1.0 / t->force_scale; /* powers of two: exact */
  io->unit.half_energy = 0.5 / t->energy_scale;
  io->unit.half_virial = 0.5 * t->cutoff * io->unit.force;
}

/* Where the sweep has been stopped, a copy holds what the pinned array holds: to copy it back changes nothing. */
static ds_status results_out(ds_pair *pair, ds_error *err)
{
  ds_queue_begin(&pair->queue, DS_STAGE_COPY_OUT);
  ds_status s = DS_OK;
  for (int k = 0; k < DS_RESULTS && !s; k++) {
    const ds_array *const view = &pair->interaction[0].evaluation.io.result[k].to, *const back = &pair->result[k].back;
    s = ds_queue_array_out(&pair->queue, view, back, pair->nlocal, results[k].components, "copying results", err);
  }
  ds_queue_end(&pair->queue, DS_STAGE_COPY_OUT);
  return s;
}

/* Styles that act on all atoms come before those that have a list of some: the first may put results where others add theirs.
   Number `turn` of all. */
static int style_in_turn(const ds_pair *pair, int turn)
{
  int first = 0;
  while (first < pair->interactions - 1 && ds_pair_has_own_list(pair, first)) first++;
  return turn == 0 ? first : turn <= first ? turn - 1 : turn;
}

static void prepare_sweep(ds_pair *pair, int k, int tally)
{
  ds_interaction *const a = &pair->interaction[k];
  ds_evaluation *const e = &a->evaluation;
  const int codes = pair->particles.special.max_special > 0 ? 4 : 1; /* factor 0 is that of all pairs without a code */
  describe(pair, k, &e->io);
  e->special = 0;
  for (int code = 0; code < codes; code++) e->special |= a->tables.special[code] != 1.0;
  e->tally = tally;
  e->step = pair->step;
}

ds_status ds_pair_prepare_sweeps(ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  const int tally = ds_wants_tally(wanted);
  ds_status s = ds_pair_send_tables(pair, err);
  const int first = style_in_turn(pair, 0);
  ds_result *const placed = pair->interaction[first].evaluation.io.result;
  for (int k = 0; k < pair->interactions && !s; k++) {
    prepare_sweep(pair, k, tally);
    pair->interaction[k].evaluation.io.diagonal = ds_wants_diagonal(wanted);
    s = ds_density_prepare(pair, k, err);
  }
  if (!s) s = place_results(pair, wanted, &pair->interaction[first].evaluation.io, err);
  for (int k = 0; k < pair->interactions && !s; k++)
    for (int r = 0; r < DS_RESULTS; r++) pair->interaction[k].evaluation.io.result[r].to = placed[r].to;
  const int are_clear = pair->filled_sums && is_filled_for(pair, pair->step);
  return !s && tally && !are_clear ? ds_queue_clear(q, q->control->sums, sizeof q->control->sums, "clearing sums", err) : s;
}

static ds_status check_wanted(const ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_status s = ds_pair_need_list(pair, "forces wanted before positions and list", err);
  if (!s) s = ds_check_pointer(wanted, "results wanted", err);
  if (!s) s = ds_check_virial(wanted->want_virial, err);
  for (int k = 0; k < DS_RESULTS && !s; k++) {
    const ds_array *const a = wanted_array(wanted, k);
    if (k == DS_FORCES || a->data) s = ds_check_array(&pair->queue, a, pair->nlocal, DS_F64, DS_F32, results[k].name, err);
  }
  if (!s && wanted->put_force && wanted->f.space == DS_SPACE_HOST && !ds_queue_is_host(&pair->queue))
    s = ds_fail(err, DS_ERR_ARGUMENT, "forces that take the place of others: in an array where they are computed");
  return s;
}

/* Results that the host has still to add are in arrays that another evaluation would write. */
static ds_status finish_results(ds_pair *pair, ds_error *err)
{
  int64_t again;
  int are_left = 0;
  for (int k = 0; k < DS_RESULTS; k++) are_left |= pair->result[k].added_by_host;
  if (!are_left) return DS_OK;
  const ds_status s = ds_pair_check(pair, NULL, &again, err);
  return s || again < 0 ? s : ds_pair_requeue_error(again, err);
}

ds_status ds_pair_begin(ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = check_wanted(pair, wanted, err);
  if (!s) s = DS_WITH_CUDA(ds_begin_forces(pair, wanted, err), DS_OK);
  return ds_queue_leave(&pair->queue, s, err);
}

ds_status ds_pair_sweep(ds_pair *pair, ds_error *err)
{
  ds_status s = ds_pair_gather(pair, DS_GATHER_ALL, err);
  pair->version.evaluation++;
  pair->repeatable = pair->version;
  ds_queue_begin(&pair->queue, DS_STAGE_FORCES);
  if (!s) s = ds_density_queue(pair, err);
  for (int turn = 0; turn < pair->interactions && !s; turn++) {
    ds_interaction *const a = &pair->interaction[style_in_turn(pair, turn)];
    s = a->stages->sweep(&a->evaluation, err);
  }
  ds_queue_end(&pair->queue, DS_STAGE_FORCES);
  return s;
}

ds_status ds_pair_enqueue(ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = check_wanted(pair, wanted, err);
  if (!s && pair->begin.is_open)
    return ds_queue_leave(&pair->queue, DS_WITH_CUDA(ds_begin_finish(pair, wanted, err), DS_OK), err);
  if (!s) s = finish_results(pair, err);
  if (!s) s = ds_pair_prepare_sweeps(pair, wanted, err);
  if (s) return ds_queue_leave(&pair->queue, s, err);
  s = ds_pair_sweep(pair, err);
  if (ds_wants_tally(wanted)) pair->tallied = pair->version.evaluation;
  if (!s) s = results_out(pair, err);
  if (s || ds_wants_tally(wanted)) pair->repeatable.evaluation = -1;
  return ds_queue_leave(&pair->queue, s, err);
}

int ds_pair_may_repeat(const ds_pair *pair, int64_t evaluation, int64_t step)
{
  const ds_versions *const now = &pair->version, *const then = &pair->repeatable;
  return pair->have_positions && pair->have_list && !pair->begin.is_open && evaluation == now->evaluation &&
         evaluation == then->evaluation && ds_pair_are_as_then(pair, then) && then->model == now->model &&
         (pair->place == 0 || (uint64_t) step < DS_SIGNATURE_STEPS);
}

int ds_pair_may_fill_sorted(const ds_pair *pair, int64_t step, int with_sums, int waits, ds_sorted_fill *to)
{
  const ds_particles *const p = &pair->particles;
  const int is_one_gpu = pair->queue.gpus.n == 1; /* scattered writes into another's memory were not measured */
  const int pays = pair->follows_list || (waits && is_one_gpu) || ds_pair_stays_in_cache(pair);
  if (ds_queue_is_host(&pair->queue) || !pays || pair->nghost > 0) return 0;
  if (!pair->have_box || !pair->have_list || pair->begin.is_open || !is_order_as_then(pair, &pair->gathered)) return 0;
  to->frame = pair->frame;
  to->nlocal = p->source.nlocal;
  to->ntypes = p->source.ntypes;
  to->type = p->source.type;
  to->tag = p->source.tag;
  to->seed = pair->seed;
  to->step = ds_signature_step((uint64_t) step, pair->place);
  to->slot_of_atom = DS_DATA(int32_t, pair->list.slot_of_atom);
  to->position = pair->sorted.position.data;
  to->velocity = pair->sorted.velocity.data;
  to->copies = copies_of_sorted(pair);
  to->list_type = pair->by_type ? DS_DATA(int32_t, pair->sorted.list_type) : NULL;
  to->list = (uint32_t) pair->version.order;
  to->is_wide = p->is_wide;
  to->sums = with_sums ? pair->queue.control->sums : NULL;
  return 1;
}

void ds_pair_sorted_are_filled(ds_pair *pair, int64_t step, const ds_sorted_fill *filled)
{
  pair->gathered.load = -1;
  pair->filled_for = step;
  pair->filled_at = pair->queue.resumes;
  pair->filled_sums = filled->sums != NULL;
}

int ds_pair_may_end_rows(const ds_pair *pair)
{
  return !ds_queue_is_host(&pair->queue) && pair->interactions == 1 && !pair->begin.is_open && pair->nghost == 0 &&
         pair->list.slots < ds_enough_rows(&pair->queue) && !ds_images_differ(&pair->frame);
}

void ds_pair_end_rows(ds_pair *pair, const ds_row_end *end)
{
  pair->interaction[0].evaluation.row_end = end;
}

void ds_pair_forget_sorted(ds_pair *pair)
{
  pair->filled_for = -1;
}

void ds_pair_forget_step(ds_pair *pair)
{
  pair->repeatable.evaluation = -1;
  ds_pair_forget_sorted(pair);
}

static ds_identity identity_of(const ds_particles *p)
{
  return (ds_identity){p->source.tag, p->source.type, p->excluded.mask, p->excluded.molecule};
}

static void set_identity(ds_particles *p, const ds_identity *to)
{
  p->source.tag = to->tag;
  p->source.type = to->type;
  p->excluded.mask = to->mask;
  p->excluded.molecule = to->molecule;
}

void ds_pair_follow_list(ds_pair *pair, const ds_identity *callers)
{
  ds_pair_forget_step(pair);
  if (!pair->follows_list) pair->own = identity_of(&pair->particles);
  set_identity(&pair->particles, callers);
  pair->follows_list = 1;
}

void ds_pair_return_from_list(ds_pair *pair)
{
  if (!pair->follows_list) return;
  ds_pair_forget_step(pair);
  set_identity(&pair->particles, &pair->own);
  pair->follows_list = 0;
}

void ds_pair_begin_load(ds_pair *pair, int64_t step)
{
  pair->step = step;
  pair->version.load++;
  if (pair->gathered.load == -1 && is_filled_for(pair, step)) pair->gathered.load = pair->version.load;
}

void ds_pair_set_step(ds_pair *pair, int64_t step)
{
  ds_pair_begin_load(pair, step);
  ds_particles_set_step(&pair->particles, pair->place, step);
  for (int k = 0; k < pair->interactions; k++) pair->interaction[k].evaluation.step = step;
}

/* A list that is too small is found when it is built for an evaluation: once more, with room. */
ds_status ds_pair_compute(ds_pair *pair, const ds_pair_request *request, ds_pair_totals *totals, ds_error *err)
{
  for (;;) {
    int64_t again;
    ds_status s = ds_pair_enqueue(pair, request, err);
    if (!s) s = ds_pair_check(pair, totals, &again, err);
    if (s || again < 0) return s;
    if (again != pair->step) return ds_pair_requeue_error(again, err);
    s = ds_pair_build_list(pair, err);
    if (s) return s;
  }
}
