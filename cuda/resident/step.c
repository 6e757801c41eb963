/* Operations that are due, cut into launches.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <string.h>

void ds_steps_open(ds_steps *steps, ds_queue *queue)
{
  steps->queue = queue;
  steps->stages = DS_CHOOSE_STAGE(queue, &ds_step_stages_host, &ds_step_stages_cuda);
  steps->memory.memory = queue->memory.memory;
  steps->pinned.memory = queue->pinned.memory;
  for (int k = 0; k < 2 * DS_TALLIES; k++) steps->tallied[k] = -1;
}

void ds_steps_close(ds_steps *steps)
{
  ds_pool_close(&steps->memory);
  ds_pool_close(&steps->pinned);
}

/* ------------------------------------------------------------------------------------------- launches */

/* Sums are wanted in any step where another operation reads them, or where they have to last until the next step in which the
   operation acts; other sums where the caller wants them. */
static int keeps_sums(const ds_step_program *p, int place)
{
  if (p->operation[place].every > 1 || (p->operation[place].flags & DS_ADDS_UP)) return 1;
  for (int k = place + 1; k < p->n; k++)
    if (ds_operation_reads_sums_of(&p->operation[k], place)) return 1;
  return 0;
}

static ds_status reserve_sums(ds_steps *r, ds_error *err)
{
  if (r->sums.data) return DS_OK;
  ds_status s = ds_reserve(&r->memory, &r->sums, DS_STEP_SUMS, sizeof(ds_exact_sum), "sums of operations", err);
  if (!s) s = ds_reserve(&r->pinned, &r->sums_host, DS_STEP_SUMS, sizeof(ds_exact_sum), "sums of operations", err);
  return s ? s : ds_queue_clear(r->queue, r->sums.data, DS_STEP_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
}

/* n sums from number `first` on are brought to the host, which waits. */
static ds_status fetch_sums(ds_steps *r, size_t first, size_t n, ds_error *err)
{
  return ds_queue_read_control_with(r->queue, DS_DATA(ds_exact_sum, r->sums_host) + first,
                                    DS_DATA(ds_exact_sum, r->sums) + first, n * sizeof(ds_exact_sum), "sums of operations",
                                    err);
}

/* Of a set of operations, a bit for each: the next ones from number *first on that follow one another. Returns how many. */
static int next_run(uint32_t set, int *first)
{
  while (*first < DS_MAX_OPERATIONS && !(set >> *first & 1)) ++*first;
  int end = *first;
  while (end < DS_MAX_OPERATIONS && (set >> end & 1)) end++;
  return end - *first;
}

/* What one call of ds_steps_advance works with. */
typedef struct {
  ds_steps *steps;
  const ds_resident_view *atoms;
  const ds_wrap *box;
  const ds_advance *how;
  ds_step_launch launch;      /* to which operations are added, until it is sent */
  const ds_bonded_view *bonded; /* as in ds_advance, until they have been added */
  int reports;                /* 1: a launch that was sent brings the sums of the next question */
  int is_late;                /* 1: a kernel waits for the next launch that is sent */
  int reads_box;              /* 1: some operation of the launch reads the box */
  double trigger2;            /* of the check in the last launch */
  uint32_t not_whole;         /* operations whose sums are those of this process alone, a bit for each */
  int bodies_not_whole;       /* 1: so are sums of rigid bodies */
  ds_body_launch body_launch; /* halves of a step that bodies have still to make */
} advance_state;

static void set_box_and_flow(advance_state *state)
{
  memcpy(state->launch.context.edge, state->box->edge, sizeof state->box->edge);
  memcpy(state->launch.context.flow, state->steps->program.flow, sizeof state->steps->program.flow);
}

static void start_launch(advance_state *state)
{
  const ds_steps *const r = state->steps;
  memset(&state->launch, 0, sizeof state->launch);
  memcpy(state->launch.region, r->program.region, sizeof state->launch.region);
  set_box_and_flow(state);
  state->reads_box = 0;
  state->launch.sums = DS_DATA(ds_exact_sum, r->sums);
  state->launch.context.bodies = DS_DATA(ds_body, r->bodies.state);
  state->launch.body_sums = DS_DATA(ds_exact_sum, r->bodies.sums);
  state->launch.image_bits = state->box->image_bits;
  state->launch.is_plain = 1;
}

/* Operations whose sums the last step has cleared: where stages have been stopped meanwhile, it may not have done it. */
static uint32_t cleared_ahead(const ds_steps *r)
{
  return r->cleared_at == r->queue->resumes ? r->cleared : 0;
}

/* Sums begin at 0 where they are added to; those of operations that do not act now stay. */
static ds_status clear_sums(advance_state *state, ds_error *err)
{
  ds_steps *const r = state->steps;
  uint32_t adding = 0, set = 0;
  ds_status s = DS_OK;
  for (int k = 0; k < state->launch.n; k++) {
    const uint32_t bit = (uint32_t) 1 << state->launch.place[k];
    if (state->launch.tally[k]) adding |= bit;
    if (state->launch.tally[k] && !(state->launch.operation[k].flags & DS_ADDS_UP)) set |= bit;
  }
  state->not_whole |= set;
  set &= ~cleared_ahead(r);
  r->cleared &= ~adding;
  for (int k = 0, n; !s && (n = next_run(set, &k)) > 0; k += n)
    s = ds_queue_clear(r->queue, DS_DATA(ds_exact_sum, r->sums) + k * DS_OPERATION_SUMS,
                       (size_t) n * DS_OPERATION_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
  return s;
}

/* The kernel that waits goes on, with this launch; NULL: it ends. */
static void end_waiting(advance_state *state, const ds_step_launch *launch, const ds_sorted_fill *next)
{
  state->is_late = state->steps->queue->is_held = 0;
  ds_late_launch_send(&state->steps->late, launch, next);
}

static ds_status operate(advance_state *state, const ds_step_launch *m, const ds_bonded_view *bonded,
                         const ds_sorted_fill *next, ds_error *err)
{
  const ds_steps *const r = state->steps;
  const int is_late = state->is_late && !bonded && ds_late_launch_holds(&r->late, m);
  if (state->is_late) end_waiting(state, is_late ? m : NULL, next);
  return is_late ? DS_OK : r->stages->operate(r->queue, state->atoms, bonded, m, next, state->how->step, err);
}

static ds_status send_launch_with(advance_state *state, const ds_sorted_fill *next, ds_error *err)
{
  const ds_step_launch *const m = &state->launch;
  const ds_bonded_view *const bonded = state->bonded;
  if (m->n == 0 && !m->clear && !m->check && !bonded) return DS_OK;
  state->bonded = NULL;
  ds_status s = clear_sums(state, err);
  if (!s) s = operate(state, m, bonded, next, err);
  start_launch(state);
  return s;
}

static ds_status send_launch(advance_state *state, ds_error *err)
{
  return send_launch_with(state, NULL, err);
}

static int is_nve(const ds_operation *o)
{
  return o->kind == DS_NVE_INITIAL || o->kind == DS_NVE_FINAL;
}

/* As the last operation of the launch. */
static void append(advance_state *state, const ds_operation *o, int place, int64_t step, int tally)
{
  const ds_operation *const all = state->steps->program.operation;
  const ds_operation_use *const use = &ds_operation_uses[o->kind];
  ds_step_launch *const m = &state->launch;
  state->reads_box |= ds_operation_reads_box(o);
  m->operation[m->n] = *o;
  m->step[m->n] = step;
  m->place[m->n] = place;
  if (m->n == 0) {
    m->reads_sums = o->from >= 0 && ds_operation_set(o->kind) != DS_SET_MOTION; /* those have an answer about them */
    m->context.from_unit = o->from < 0 ? 1.0 : all[o->from].unit;
    m->also_unit = o->also < 0 ? 1.0 : all[o->also].unit;
  }
  m->tally[m->n++] = tally;
  m->reads |= ds_operation_reads(o) | (use->bodies && tally ? DS_FORCE : 0);
  m->writes |= use->writes;
  m->sets |= ds_operation_set(o->kind);
  m->is_plain &= is_nve(o) && o->region < 0;
}

/* 1 where the launch has sums of rigid bodies which could as well act before all else that it has: what comes before them
   changes velocities alone, which these sums do not read. */
static int may_sum_bodies_first(const ds_step_launch *m)
{
  int last = -1;
  for (int k = 0; k < m->n && !m->reads_sums; k++)
    if (m->operation[k].kind == DS_BODY_SUM) last = k;
  for (int k = 0; k < m->n && last >= 0; k++) {
    const ds_operation_use *const use = &ds_operation_uses[m->operation[k].kind];
    if (m->operation[k].kind != DS_BODY_SUM && (use->bodies || (k < last && (use->writes & ~DS_VELOCITY)))) return 0;
  }
  return last >= 0;
}

/* What bodies wait for. Most particles are in no body: a launch of sums of bodies alone does not read these, and all others of
   the launch go with those that follow. */
static ds_status send_body_sums(advance_state *state, ds_error *err)
{
  const ds_step_launch all = state->launch;
  if (!may_sum_bodies_first(&all)) return send_launch(state, err);
  start_launch(state);
  for (int k = 0; k < all.n; k++)
    if (all.operation[k].kind == DS_BODY_SUM) append(state, &all.operation[k], all.place[k], all.step[k], all.tally[k]);
  const ds_status s = send_launch(state, err);
  for (int k = 0; k < all.n; k++)
    if (all.operation[k].kind != DS_BODY_SUM) append(state, &all.operation[k], all.place[k], all.step[k], all.tally[k]);
  return s;
}

/* In each step particles add to its sums, which are read. */
static int begins_at_0(const ds_step_program *p, int place)
{
  const ds_operation *const o = &p->operation[place];
  return o->nsums > 0 && o->kind != DS_BODY_KINETIC && o->every == 1 && !(o->flags & DS_ADDS_UP) && keeps_sums(p, place);
}

/* Operations of the second half of the next step that begin with sums of 0. Nobody reads what they have added up in this one
   any more, unless an operation of the launch does. */
static uint32_t sums_to_clear_ahead(const advance_state *state)
{
  const ds_step_program *const p = &state->steps->program;
  uint32_t set = 0;
  if (state->launch.reads_sums || state->launch.is_plain) return 0;
  for (int k = 0; k < ds_first_operation(p, DS_AT_INITIAL); k++)
    if (begins_at_0(p, k)) set |= (uint32_t) 1 << k;
  for (int k = 0; k < state->launch.n; k++) set &= ~((uint32_t) 1 << state->launch.place[k]);
  return set;
}

/* Positions and velocities are then final. Where the launch does not move particles, it does not read them. */
static ds_status send_last_launch(advance_state *state, ds_error *err)
{
  ds_steps *const r = state->steps;
  const ds_advance *const how = state->how;
  ds_step_launch *const m = &state->launch;
  ds_sorted_fill next;
  if (!how->pair || !(m->writes & DS_POSITION) ||
      !ds_pair_may_fill_sorted(how->pair, how->step, how->with_sums, how->bonded != NULL, &next))
    return send_launch(state, err);
  m->reads |= DS_POSITION | DS_VELOCITY;
  const uint32_t clears = m->clears = sums_to_clear_ahead(state);
  const ds_status s = send_launch_with(state, &next, err);
  if (s) return s;
  r->cleared = cleared_ahead(r) | clears;
  r->cleared_at = r->queue->resumes;
  ds_pair_sorted_are_filled(how->pair, how->step, &next);
  return s;
}

/* Sums of this process become those of all. */
static ds_status reduce_new_sums(advance_state *state, ds_error *err)
{
  ds_steps *const r = state->steps;
  const uint32_t set = state->not_whole;
  state->not_whole = 0;
  if (!r->reduce || !set) return DS_OK;
  const ds_status s = fetch_sums(r, 0, DS_STEP_SUMS, err);
  if (s) return s;
  for (int k = 0, n; (n = next_run(set, &k)) > 0; k += n)
    r->reduce(r->reduce_user, DS_DATA(ds_exact_sum, r->sums_host) + k * DS_OPERATION_SUMS, n * DS_OPERATION_SUMS);
  return ds_queue_copy(r->queue, r->sums.data, r->sums_host.data, DS_STEP_SUMS * sizeof(ds_exact_sum), "copying sums", err);
}

/* The launch that is to be sent, before an operation asks, brings the sums that it asks about. The host's sums are where they
   are read; those of several processes, or of bodies, are not whole yet. */
static void open_report(advance_state *state, const ds_operation *o)
{
  ds_steps *const r = state->steps;
  if (!r->queue->kind->open_report || r->reduce || state->atoms->n == 0) return;
  if (!(o->flags & DS_ASKS) || o->from < 0 || state->launch.n == 0 || state->launch.is_plain) return;
  ds_exact_sum *const to = DS_DATA(ds_exact_sum, r->sums_host) + (size_t) o->from * DS_OPERATION_SUMS;
  const ds_exact_sum *const from = DS_DATA(ds_exact_sum, r->sums) + (size_t) o->from * DS_OPERATION_SUMS;
  state->launch.report = r->queue->kind->open_report(r->queue, to, from, DS_OPERATION_SUMS * sizeof *to);
  state->reports = 1;
}

/* Asks the caller (ds_question). Where some stage has stopped the others, no operation acts any more, and the caller is not
   asked. Operations of the launch that read the box act in the box as it was before the answer. */
static ds_status ask(advance_state *state, int place, int64_t step, ds_error *err)
{
  ds_steps *const r = state->steps;
  const int from = ds_operation_sums_told(&r->program, place);
  ds_question q = {step, place, NULL, &r->program, &state->trigger2};
  ds_status s = DS_OK;
  if (state->reports)
    s = r->queue->kind->wait_for_report(r->queue, "sums of operations", err);
  else if (from >= 0)
    s = fetch_sums(r, (size_t) from * DS_OPERATION_SUMS, DS_OPERATION_SUMS, err);
  const int is_told = state->reports || from >= 0; /* then it is in the report, too, which may come before */
  state->reports = 0;
  if (s || ds_queue_stopped(r->queue) || (is_told && r->queue->control_host->halt)) return s;
  if (from >= 0) q.sums = DS_DATA(ds_exact_sum, r->sums_host) + from * DS_OPERATION_SUMS;
  s = r->answer(r->answer_user, &q, err);
  for (int k = place; k < r->program.n && !s; k++) s = ds_operation_check_numbers(&r->program.operation[k], err);
  const int is_other_box = memcmp(state->launch.context.edge, state->box->edge, sizeof state->box->edge) != 0;
  if (!s && state->reads_box && is_other_box) s = send_launch(state, err);
  set_box_and_flow(state);
  return s;
}

/* Operations before it have been sent. */
static ds_status add_to_bins(advance_state *state, int place, int64_t step, ds_error *err)
{
  ds_steps *const r = state->steps;
  const ds_operation *const o = &r->program.operation[place];
  const int k = (int) o->number[0];
  ds_bin_launch b;
  memset(&b, 0, sizeof b);
  b.operation = *o;
  b.binning = r->program.binning[k];
  memcpy(b.region, r->program.region, sizeof b.region);
  b.context = state->launch.context;
  b.tallies = r->tallies;
  b.reads = ds_bins_reads(&b.binning) | ds_operation_reads(o);
  b.image_bits = state->box->image_bits;
  return ds_bins_add(r, &r->bins[k], state->atoms, &b, step, err);
}

/* 1 where nothing reads velocities of particles at the end of a step before the first half of the next one overwrites them:
   then DS_BODY_VELOCITY need not act. Other particles' velocity Verlet may come between. */
static int is_overwritten_unread(const advance_state *state, int place)
{
  const ds_step_program *const p = &state->steps->program;
  const ds_due *const now = &state->how->due[0], *const next = &state->how->due[1];
  if (now->tally || next->tally || place < now->first || place >= now->end) return 0;
  for (int k = place + 1; k < now->end; k++)
    if (ds_operation_is_due(p, k, now) && !is_nve(&p->operation[k])) return 0;
  for (int k = next->first; k < next->end; k++) {
    const ds_operation *const o = &p->operation[k];
    if (ds_operation_is_due(p, k, next) && o->kind == DS_BODY_PLACE) return 1;
    if (ds_operation_is_due(p, k, next) && !is_nve(o)) return 0;
  }
  return 0;
}

/* The half of a step that bodies make before the operation acts on particles. */
static ds_status move_bodies(advance_state *state, const ds_operation *o, int64_t step, ds_error *err)
{
  ds_body_launch *const m = &state->body_launch;
  const int ends = o->kind == DS_BODY_VELOCITY;
  if (ends) {
    m->ends = 1;
    m->end = *o;
    m->step = step;
  } else {
    m->begins = 1;
    m->begin = *o;
  }
  if (ends && is_overwritten_unread(state, (int) (o - state->steps->program.operation))) return DS_OK;
  ds_status s = send_body_sums(state, err);
  if (!s && state->bodies_not_whole && state->steps->reduce) s = ds_bodies_reduce(state->steps, err);
  state->bodies_not_whole = 0;
  m->box = *state->box;
  if (!s) s = ds_bodies_move(state->steps, m, state->how->step, err);
  m->ends = m->begins = 0;
  return s;
}

static ds_status add_operation(advance_state *state, int place, int64_t step, int tally, ds_error *err)
{
  const ds_operation *const o = &state->steps->program.operation[place];
  ds_status s = DS_OK;
  const int begins_launch =
      (o->flags & DS_AFTER_SUMS) || ((o->flags & DS_ASKS) && o->from >= 0) || o->kind == DS_ADD_TO_BINS;
  if (begins_launch) open_report(state, o);
  if (state->launch.n == DS_LAUNCH_OPERATIONS || begins_launch || (o->kind == DS_CHANGE_BOX && state->reads_box))
    s = send_launch(state, err);
  if (!s && (o->flags & DS_AFTER_SUMS)) s = reduce_new_sums(state, err);
  if (!s && o->kind == DS_BODY_KINETIC) s = ds_bodies_add_up(state->steps, place, state->how->step, err);
  if (!s && (o->flags & DS_ASKS)) s = ask(state, place, step, err);
  if (s || o->kind == DS_CHANGE_BOX || o->kind == DS_BODY_KINETIC) return s;
  if (o->kind == DS_BODY_VELOCITY || o->kind == DS_BODY_PLACE) {
    s = move_bodies(state, o, step, err);
    if (state->body_launch.ends) return s;
  }
  if (s || o->kind == DS_ADD_TO_BINS) return s ? s : add_to_bins(state, place, step, err);
  state->bodies_not_whole |= o->kind == DS_BODY_SUM;
  append(state, o, place, step, o->nsums > 0 && tally);
  return s;
}

static ds_status add_due(advance_state *state, const ds_due *due, ds_error *err)
{
  const ds_step_program *const p = &state->steps->program;
  ds_status s = DS_OK;
  for (int k = due->first; k < due->end && !s; k++)
    if (ds_operation_is_due(p, k, due)) s = add_operation(state, k, due->step, due->tally || keeps_sums(p, k), err);
  return s;
}

/* Before a question whose sums are on their way: a kernel is brought to the GPU, and waits there for the launch that follows
   the answer. That spares the time of a launch in each step of a thermostat. */
static ds_status launch_late(advance_state *state, const ds_due *second_half, ds_error *err)
{
  ds_steps *const r = state->steps;
  const ds_due *const first_half = &state->how->due[1];
  int n = 0;
  const int moves = ds_steps_only_move(&r->program, second_half, &n) && ds_steps_only_move(&r->program, first_half, &n);
  if (!r->queue->may_hold || !moves || n == 0 || n > DS_LAUNCH_OPERATIONS || state->bonded) return DS_OK;
  ds_status s = ds_late_launch_open(r, n, err);
  if (!s) s = r->stages->wait_to_operate(r->queue, state->atoms, &r->late, state->how->step, err);
  state->is_late = r->queue->is_held = !s;
  return s;
}

ds_status ds_steps_advance(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box, const ds_advance *how, ds_error *err)
{
  advance_state state = {
      .steps = steps, .atoms = a, .box = box, .how = how, .bonded = how->bonded, .trigger2 = how->trigger2};
  ds_due second_half = how->due[0];
  ds_status s = ds_steps_check(steps, a, how, err);
  if (!s) s = reserve_sums(steps, err);
  if (s) return s;
  if (steps->rows_ended > 0) {
    second_half.first = steps->rows_ended;
    state.reports = 1;
    steps->rows_ended = 0;
    s = launch_late(&state, &second_half, err);
  }
  start_launch(&state);
  if (!s) s = add_due(&state, &second_half, err);
  if (!s) s = add_due(&state, &how->due[1], err);
  state.launch.clear = how->clear;
  state.launch.check = how->check;
  state.launch.trigger2 = state.trigger2;
  if (!s) s = send_last_launch(&state, err);
  if (state.is_late) end_waiting(&state, NULL, NULL);
  return s ? s : reduce_new_sums(&state, err);
}

/* ------------------------------------------------------------------------------------ at the ends of rows */

/* The launch that would have done the same. */
static void take_row_end(const advance_state *state, ds_row_end *end)
{
  const ds_step_launch *const m = &state->launch;
  const ds_resident_view *const a = state->atoms;
  end->n = m->n;
  memcpy(end->operation, m->operation, (size_t) m->n * sizeof *m->operation);
  end->context = m->context;
  end->context.step = m->step[0];
  end->v = a->v;
  end->mask = a->mask;
  end->type = a->type;
  end->rmass = a->rmass;
  end->mass = a->mass;
  end->sums = m->sums + m->place[m->n - 1] * DS_OPERATION_SUMS;
  end->report = m->report;
}

ds_status ds_steps_end_rows(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box, const ds_due *due, ds_row_end *end,
                            ds_error *err)
{
  int place[DS_ROW_OPERATIONS], question = 0;
  const int n = steps->answer && !steps->reduce ? ds_steps_find_row_end(&steps->program, due, place, &question) : 0;
  end->n = 0;
  if (n == 0) return DS_OK;
  const ds_advance how = {due->step, {*due, {0, 0, 0, 0}}, 0, 0, 0.0, NULL, NULL, 0};
  advance_state state = {.steps = steps, .atoms = a, .box = box, .how = &how};
  ds_status s = reserve_sums(steps, err);
  start_launch(&state);
  for (int k = 0; k < n && !s; k++) s = add_operation(&state, place[k], due->step, 1, err);
  if (!s) open_report(&state, &steps->program.operation[question]);
  if (s || !state.reports) return s;
  s = clear_sums(&state, err);
  take_row_end(&state, end);
  steps->rows_ended = place[n - 1] + 1;
  return s;
}

void ds_steps_forget_rows(ds_steps *steps)
{
  steps->rows_ended = 0;
}

ds_status ds_steps_sums(ds_steps *steps, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err)
{
  ds_status s = reserve_sums(steps, err);
  if (!s) s = fetch_sums(steps, 0, DS_STEP_SUMS, err);
  if (s) return s;
  memcpy(sums, steps->sums_host.data, DS_STEP_SUMS * sizeof *sums);
  for (int k = 0; k < steps->program.n; k++, sums += DS_OPERATION_SUMS) {
    /* those that go on from step to step are added up over all processes, in a form that does not depend on how */
    if (!(steps->program.operation[k].flags & DS_ADDS_UP)) continue;
    if (steps->reduce) steps->reduce(steps->reduce_user, sums, DS_OPERATION_SUMS);
    for (int j = 0; j < DS_OPERATION_SUMS; j++) ds_exact_carry(&sums[j]);
  }
  return DS_OK;
}

ds_status ds_steps_clear_sums(ds_steps *steps, ds_error *err)
{
  ds_status s = reserve_sums(steps, err);
  if (!s) s = ds_queue_clear(steps->queue, steps->sums.data, DS_STEP_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
  for (int k = 0; k < DS_MAX_BINNINGS && !s; k++) s = ds_bins_clear(steps, &steps->bins[k], err);
  return s;
}
