/* Forces begun before the ghosts have arrived: rows without ghosts are swept while messages are under way.
   SPDX-License-Identifier: GPL-2.0-or-later

   A cell's atoms have their neighbors in the cells of its stencil. Where none of these holds a ghost, no row of the cell
   has one. A block of rows is swept at once where this holds for all of its cells, and else after the ghosts have arrived. */
#include "pair_state.h"

#include "../core/gpu.h"

namespace {
enum { THREADS = 256 };

/* Default: own atoms with which a GPU is busy for longer than it takes to launch the rest. */
enum { WORTH_BEGINNING = 262144 };

typedef struct {
  ds_launch_id launch;
  ds_list_view list;
  int nlocal;
  uint8_t *ghosts; /* by cell: it holds some */
  uint8_t *inner;  /* by block of rows */
} inner_args;

__global__ void ghost_cell_kernel(const __grid_constant__ inner_args a)
{
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= a.list.slots || ds_stopped(a.launch) || a.list.atom_of_slot[slot] < a.nlocal) return;
  a.ghosts[a.list.cell_of_slot[slot]] = 1;
}

__device__ bool stencil_has_ghosts(const inner_args &a, int cell)
{
  const int32_t *const other = a.list.stencil + (size_t) cell * DS_STENCIL;
  for (int k = 0; k < DS_STENCIL; k++)
    if (other[k] >= 0 && a.ghosts[other[k]]) return true;
  return false;
}

/* Looks at the stencil of a slot's cell where the slot begins a cell, or a block. */
__global__ void inner_kernel(const __grid_constant__ inner_args a)
{
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  if (ds_stopped(a.launch)) return;
  if (slot < a.list.slots) {
    const int cell = a.list.cell_of_slot[slot];
    if (threadIdx.x == 0 || a.list.cell_of_slot[slot - 1] != cell) found = stencil_has_ghosts(a, cell);
  }
  found = __syncthreads_or(found);
  if (threadIdx.x == 0) a.inner[blockIdx.x] = !found;
}

/* Ghosts arrive by messages in device memory, and enough rows do not wait for them. */
bool is_worth_it(const ds_pair *pair)
{
  const ds_particles *const p = &pair->particles;
  const int least = pair->options.begin_rows ? pair->options.begin_rows : (int) WORTH_BEGINNING;
  return pair->queue.gpus.n == 1 && pair->interactions == 1 && !ds_pair_has_densities(pair) && pair->nghost > 0 &&
         !p->source.owner &&
         p->given.x.space == DS_SPACE_DEVICE && !pair->by_type && pair->nlocal >= least;
}

/* Of the blocks of rows that io.is_inner names. */
ds_status sweep(ds_pair *pair, ds_error *err)
{
  ds_queue_begin(&pair->queue, DS_STAGE_FORCES);
  const ds_status s = pair->interaction[0].stages->sweep(&pair->interaction[0].evaluation, err);
  ds_queue_end(&pair->queue, DS_STAGE_FORCES);
  return s;
}
}    // namespace

ds_status ds_begin_find_inner(ds_pair *pair, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  ds_list *const l = &pair->list;
  const unsigned blocks = ds_gpu_blocks((size_t) l->slots, DS_SWEEP_THREADS);
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  ds_begin *const b = &pair->begin;
  if (!is_worth_it(pair)) return DS_OK;
  ds_status s = ds_queue_reserve(q, &b->ghosts, cells, 1, "cells with ghosts", err);
  if (!s) s = ds_queue_reserve(q, &b->blocks, blocks, 1, "blocks of rows", err);
  if (!s) s = ds_queue_clear(q, b->ghosts.data, cells, "clearing cells with ghosts", err);
  if (s) return s;
  const inner_args a = {ds_queue_launch_id(q, pair->step), ds_list_view_of(l), pair->nlocal, DS_DATA(uint8_t, b->ghosts),
                        DS_DATA(uint8_t, b->blocks)};
  s = DS_LAUNCH_EACH(err, "ghost cell kernel", ghost_cell_kernel, l->slots, THREADS, ds_queue_stream(q), a);
  if (!s) s = DS_LAUNCH(err, "inner kernel", inner_kernel, blocks, DS_SWEEP_THREADS, ds_queue_stream(q), a);
  if (!s) b->order = pair->version.order;
  return s;
}

ds_status ds_begin_forces(ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_begin *const b = &pair->begin;
  ds_queue *const q = &pair->queue;
  const int order = pair->version.order;
  if (b->order != order || pair->checked.order != order || wanted->f.space != DS_SPACE_DEVICE || ds_wants_tally(wanted))
    return ds_succeed(err);
  ds_status s = b->messages.stream ? DS_OK : ds_side_open(&b->inner, 0, err);
  if (!s && !b->messages.stream) s = ds_side_open(&b->messages, 1, err);
  if (!s) s = ds_pair_prepare_sweeps(pair, wanted, err);
  if (s) return s;
  pair->interaction[0].evaluation.io.inner = DS_DATA(uint8_t, b->blocks);
  pair->interaction[0].evaluation.io.is_inner = 1;
  s = ds_side_fork(q, &b->inner, err);
  if (!s) s = ds_pair_gather(pair, DS_GATHER_OWN, err);
  if (!s) s = sweep(pair, err);
  s = ds_side_leave(q, &b->inner, s, err);
  b->begun_with = pair->version;
  b->is_open = 1;
  return s ? s : ds_succeed(err);
}

ds_status ds_begin_enter_messages(ds_pair *pair, ds_error *err)
{
  return pair->begin.is_open ? ds_side_fork(&pair->queue, &pair->begin.messages, err) : DS_OK;
}

ds_status ds_begin_leave_messages(ds_pair *pair, ds_status status, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  if (!pair->begin.is_open) return status;
  const ds_status s = ds_side_leave(q, &pair->begin.messages, status, err);
  return s ? s : ds_side_join(q, &pair->begin.messages, err);
}

ds_status ds_begin_give_up(ds_pair *pair, ds_error *err)
{
  if (!pair->begin.is_open) return DS_OK;
  pair->begin.is_open = 0;
  return ds_side_join(&pair->queue, &pair->begin.inner, err);
}

ds_status ds_begin_finish(ds_pair *pair, const ds_pair_request *wanted, ds_error *err)
{
  ds_begin *const b = &pair->begin;
  const ds_versions *const now = &pair->version;
  if (b->begun_with.load != now->load || b->begun_with.order != now->order || b->begun_with.types != now->types ||
      b->begun_with.model != now->model || wanted->f.data != pair->interaction[0].evaluation.io.result[DS_FORCES].to.data ||
      ds_wants_tally(wanted))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "an evaluation is to end as it was begun (ds_pair_begin): with the same model, "
                   "atoms, list, positions and results");
  ds_status s = ds_begin_enter_messages(pair, err);
  if (!s) s = ds_pair_gather(pair, DS_GATHER_GHOSTS, err);
  s = ds_begin_leave_messages(pair, s, err);
  if (!s) s = ds_begin_give_up(pair, err);
  if (s) return s;
  pair->gathered = *now;
  pair->version.evaluation++;
  pair->interaction[0].evaluation.io.is_inner = 0;
  s = sweep(pair, err);
  return s ? s : ds_succeed(err);
}

void ds_begin_close(ds_begin *b)
{
  ds_side_close(&b->inner);
  ds_side_close(&b->messages);
}
