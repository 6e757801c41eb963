/* Rows in which a style acts, where it does not act on all types: charges of some atoms among many.
   SPDX-License-Identifier: GPL-2.0-or-later

   A sweep over all rows would look through those of the others, too, and find nothing. So slots of atoms on which a style acts
   are gathered whenever a list has been queued. Their order plays no part: sums are integers. */
#include "../core/launch.cuh"
#include "../styles/style.h"
#include "pair_state.h"

#include <cub/block/block_scan.cuh>

namespace {
enum { THREADS = 256 };

typedef struct {
  ds_launch_id launch;
  ds_list_view list;
  int nlocal;
  const int4 *position;  /* by slot: x y z type */
  const uint8_t *acts_on; /* by type */
  int32_t *count, *row;
} acting_args;

__global__ void acting_kernel(const __grid_constant__ acting_args a)
{
  typedef cub::BlockScan<int, THREADS> scan;
  __shared__ scan::TempStorage space;
  __shared__ int begin;
  const int slot = ds_block(a.launch) * THREADS + threadIdx.x;
  int place, all;
  if (ds_stopped(a.launch)) return;
  const bool acts = slot < a.list.slots && a.list.atom_of_slot[slot] < a.nlocal && a.acts_on[a.position[slot].w];
  scan(space).ExclusiveSum(acts, place, all);
  if (threadIdx.x == 0) begin = atomicAdd(a.count, all);
  __syncthreads();
  if (acts) a.row[begin + place] = slot;
}

ds_status find_rows(ds_pair *pair, ds_interaction *k, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  const ds_buffer *const position = ds_is_double(pair) ? &pair->sorted.upper : &pair->sorted.position;
  ds_acting_rows *const r = &k->acting;
  ds_status s = ds_queue_reserve(q, &r->rows, (size_t) pair->list.slots + 1, sizeof(int32_t), "rows of a style", err);
  if (!s) s = ds_queue_clear(q, r->rows.data, sizeof(int32_t), "clearing a count of rows", err);
  if (s) return s;
  const acting_args a = {ds_queue_launch_id(q, pair->step), ds_list_view_of(&pair->list),    pair->nlocal,
                         DS_DATA(int4, *position),          DS_DATA(uint8_t, r->type.device), DS_DATA(int32_t, r->rows),
                         DS_DATA(int32_t, r->rows) + 1};
  s = DS_LAUNCH_STAGE(err, "kernel of acting rows", acting_kernel, pair->list.slots, THREADS, q, a);
  if (!s) r->order = pair->version.order;
  return s;
}
}    // namespace

ds_status ds_acting_find_rows(ds_pair *pair, ds_error *err)
{
  ds_status s = DS_OK;
  if (ds_queue_is_host(&pair->queue) || pair->queue.gpus.n > 1 || pair->nghost > 0 || pair->list.slots == 0) return DS_OK;
  for (ds_interaction *k = pair->interaction; k < pair->interaction + pair->interactions && !s; k++)
    if (k->acting.is_partial && !k->style->density_bound) s = find_rows(pair, k, err);
  return s;
}
