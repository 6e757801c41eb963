/* Lists of styles that act on some atoms only, as charges among many: of these atoms alone.
   SPDX-License-Identifier: GPL-2.0-or-later

   Charges see each other further than particles of a fluid do, and one in ten is charged, say. In one list for both, cells
   would be as wide as the longer range, and each atom would be looked at for a hundred others. So such a style has a list of
   its own, made by the stages of the pair object's: from its sorted particles, in cells of its own. Its entries then become
   slots of the pair object's list, so that particles are put into order once. */
#include "../core/launch.cuh"
#include "../styles/style.h"
#include "pair_state.h"

namespace {
enum { THREADS = 256, ENTRIES = 16 /* of an atom in a list of which nothing is known, if all were in it */ };

typedef struct {
  ds_launch_id launch;
  int slots;
  const int32_t *atom_of_slot;
  const int4 *position; /* by slot */
  const int64_t *tag;
  const void *charge;     /* reals by slot, of a style that reads charges: all charged atoms are members; NULL: */
  const uint8_t *acts_on; /* by type */
} member_source;

/* What lists read, by row. */
typedef struct {
  const int32_t *rows; /* how many there are */
  int32_t *slot, *atom, *cell;
  int4 *position;
  int64_t *tag;
} row_arrays;

/* To the order that is made of them, slots are what atoms are to that of all. */
template <class Real>
__global__ void place_kernel(const __grid_constant__ member_source a, const __grid_constant__ ds_placing to)
{
  const int slot = ds_block(a.launch) * THREADS + threadIdx.x;
  if (slot >= a.slots || ds_stopped(a.launch)) return;
  const int4 p = a.position[slot];
  const bool is_member = a.charge ? ((const Real *) a.charge)[slot] != (Real) 0 : a.acts_on[p.w];
  if (is_member)
    ds_note_place(to, 0, slot, {p.x, p.y, p.z});
  else
    ((int4 *) to.noted)[slot] = make_int4(-1, 0, 0, 0);
}

/* Rows behind the last one are those of no atom. number: that of the list. */
__global__ void row_kernel(const __grid_constant__ member_source a, ds_ranking ranking, row_arrays to, int number)
{
  const int k = ds_block(a.launch) * THREADS + threadIdx.x;
  int slot;
  if (k >= a.slots || ds_stopped(a.launch)) return;
  if (k == 0) a.launch.control->rows[number] = *to.rows;
  if (k >= *to.rows) {
    to.atom[k] = INT32_MAX;
    to.cell[k] = -1;
    return;
  }
  const int row = ds_rank(ranking, 0, k, &slot);
  to.atom[row] = a.atom_of_slot[slot];
  to.slot[row] = slot;
  to.position[row] = a.position[slot];
  to.tag[row] = a.tag[slot];
}

__global__ void number_kernel(ds_launch_id launch, int slots, const int32_t *atom_of_slot, row_arrays to)
{
  const int row = ds_block(launch) * THREADS + threadIdx.x;
  if (row < slots && row < *to.rows) to.atom[row] = atom_of_slot[to.slot[row]];
}

/* Entries of a row, which are rows, become slots: those behind the last, up to a multiple of four, too. */
__global__ void entry_kernel(ds_launch_id launch, const __grid_constant__ ds_list_view list, row_arrays of)
{
  const int row = ds_block(launch) * THREADS + threadIdx.x;
  if (ds_stopped(launch) || row >= *of.rows) return;
  const uint32_t first = list.first[row];
  const int end = (list.count[row] + 3) / 4;
  uint4 *four = (uint4 *) list.entries + first;
  for (int k = 0; k < end; k++, four += 32) {
    uint4 entry = *four;
    uint32_t *const of_four[4] = {&entry.x, &entry.y, &entry.z, &entry.w};
#pragma unroll
    for (int c = 0; c < 4; c++)
      *of_four[c] = (*of_four[c] & ~(uint32_t) DS_INDEX_MASK) | (uint32_t) of.slot[*of_four[c] & DS_INDEX_MASK];
    *four = entry;
  }
}

ds_status reserve(ds_pair *pair, ds_own_list *own, ds_grid *grid, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  const size_t n = (size_t) pair->list.slots + 1;
  ds_status s = ds_grid_init(grid, &pair->frame, own->ranges.range, pair->list.slots, err);
  if (!s) s = ds_list_reserve(&own->list, grid, pair->list.slots, err);
  if (!s) s = ds_list_reserve_entries(&own->list, ENTRIES * n, err);
  own->list.about = ds_own_list_rows(own);
  /* read in rows that there are not, too */
  if (!s) s = ds_queue_reserve_cleared(q, &q->memory, &own->position, n, sizeof(int4), "positions of a style's list", err);
  if (!s) s = ds_queue_reserve(q, &own->tag, n, sizeof(int64_t), "tags of a style's list", err);
  return s ? s : ds_queue_reserve(q, &own->slot, n, sizeof(int32_t), "slots of a style's list", err);
}

member_source source_of(ds_pair *pair, const ds_interaction *k)
{
  const ds_buffer *const position = ds_is_double(pair) ? &pair->sorted.upper : &pair->sorted.position;
  return {ds_queue_launch_id(&pair->queue, pair->step),
          pair->list.slots,
          pair->list.sort.order,
          DS_DATA(int4, *position),
          DS_DATA(int64_t, pair->sorted.tag),
          k->style->charged ? pair->sorted.charge.data : NULL,
          DS_DATA(uint8_t, k->own.type.device)};
}

/* Which atoms it has, in the order of its cells. */
ds_status make_order(ds_pair *pair, ds_interaction *k, const row_arrays &rows, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  ds_list *const l = &k->own.list;
  const auto place = ds_is_double(pair) ? place_kernel<double> : place_kernel<float>;
  ds_placing to;
  ds_ranking ranking;
  ds_status s = ds_list_begin(l, &to, err);
  if (!s) s = DS_LAUNCH_STAGE(err, "place kernel of a style", place, l->slots, THREADS, q, source_of(pair, k), to);
  if (!s) s = ds_list_order(l, &ranking, pair->step, err);
  if (!s)
    s = DS_LAUNCH_STAGE(err, "kernel of a style's rows", row_kernel, l->slots, THREADS, q, source_of(pair, k), ranking, rows,
                        l->number);
  return s;
}

row_arrays rows_of(const ds_own_list *own)
{
  return {ds_own_list_count(own), DS_DATA(int32_t, own->slot), DS_DATA(int32_t, own->list.sort.value[0]),
          DS_DATA(int32_t, own->list.cell_of_slot), DS_DATA(int4, own->position), DS_DATA(int64_t, own->tag)};
}

ds_status build(ds_pair *pair, ds_interaction *k, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  ds_own_list *const own = &k->own;
  ds_grid grid;
  ds_status s = reserve(pair, own, &grid, err);
  if (s) return s;
  const row_arrays rows = rows_of(own);
  ds_list_source source = ds_pair_list_source(pair, &own->ranges, &own->list2, &grid);
  source.position = DS_DATA(int32_t, own->position);
  source.copy_stride = 0;
  source.tag = rows.tag;
  s = make_order(pair, k, rows, err);
  if (!s) s = ds_list_rows(&own->list, &source, pair->step, err);
  if (!s)
    s = DS_LAUNCH_STAGE(err, "kernel of a style's entries", entry_kernel, own->list.slots, THREADS, q,
                        ds_queue_launch_id(q, pair->step), ds_list_view_of(&own->list), rows);
  if (!s) own->order = pair->version.order;
  return s;
}

ds_status build_all(ds_pair *pair, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < pair->interactions && !s; k++)
    if (pair->interaction[k].own.is_wanted) s = build(pair, &pair->interaction[k], err);
  return s;
}
}    // namespace

/* Their stages are not those of the pair object's list, whose times are taken. */
ds_status ds_own_lists_build(ds_pair *pair, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  const int was_paused = q->timer.paused;
  ds_queue_begin(q, DS_STAGE_OWN_LISTS);
  q->timer.paused = 1;
  const ds_status s = build_all(pair, err);
  q->timer.paused = was_paused;
  ds_queue_end(q, DS_STAGE_OWN_LISTS);
  return s;
}

ds_status ds_own_lists_number(ds_pair *pair, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  ds_status s = DS_OK;
  for (int k = 0; k < pair->interactions && !s; k++)
    if (ds_pair_has_own_list(pair, k))
      s = DS_LAUNCH_STAGE(err, "kernel of atoms of a style's rows", number_kernel, pair->list.slots, THREADS, q,
                          ds_queue_launch_id(q, pair->step), pair->list.slots, pair->list.sort.order,
                          rows_of(&pair->interaction[k].own));
  return s;
}
