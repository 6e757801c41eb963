/* Host backend: lists of repelling pairs.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

#include <string.h>

static double range_of(const ds_sop *sop, const ds_sop_host *h)
{
  return sop->model.cutoff + h->skin;
}

static void remember(ds_sop_host *h, size_t first, size_t last)
{
  for (int c = 0; c < 3; c++)
    memcpy(DS_DATA(int32_t, h->reference[c]) + first, DS_DATA(int32_t, h->x[c]) + first, (last - first) * sizeof(int32_t));
}

int ds_sop_host_list_is_old(const ds_sop_host *h, size_t first, size_t last)
{
  static ds_sop_farthest_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_farthest);
  for (size_t at = first; at < last; at += DS_SOP_BATCH) {
    const int n = last - at < DS_SOP_BATCH ? (int) (last - at) : DS_SOP_BATCH;
    const int32_t *x[3], *from[3];
    for (int c = 0; c < 3; c++) {
      x[c] = DS_DATA(const int32_t, h->x[c]) + at;
      from[c] = DS_DATA(const int32_t, h->reference[c]) + at;
    }
    if (!(kernel[h->isa](x, from, n) <= h->moved2)) return 1;
  }
  return 0;
}

/* ------------------------------------------------------------------------------------------- block */

ds_status ds_sop_host_block_list(const ds_sop *sop, ds_sop_host *h, int block, ds_error *err)
{
  const size_t n = (size_t) sop->model.topology.beads, size = n * (size_t) h->lanes;
  const size_t at = (size_t) block * size;
  ds_sop_list_wish wish = {{NULL, NULL, NULL}, (int64_t) n, range_of(sop, h), 0, h->lanes, 1};
  for (int c = 0; c < 3; c++) wish.x[c] = DS_DATA(const int32_t, h->x[c]) + at;
  const ds_status s = ds_sop_list_make(sop, &wish, h->block_list + block, err);
  if (!s) remember(h, at, at + size);
  return s;
}

/* ------------------------------------------------------------------------------------ other schemes */

/* Counts the slots of each bead, then gives each pair its two; kinds one after the other. */
static void count_slots(const ds_sop *sop, const ds_sop_host *h, int64_t *first)
{
  const int64_t beads = sop->beads;
  memset(first, 0, ((size_t) beads + 2) * sizeof *first);
  for (int kind = 0; kind <= DS_SOP_LISTED; kind++)
    for (int64_t k = 0; k < h->pairs[kind]; k++) {
      first[DS_DATA(int32_t, h->pair[kind][0])[k] + 2]++;
      first[DS_DATA(int32_t, h->pair[kind][1])[k] + 2]++;
    }
  for (int64_t b = 0; b <= beads; b++) first[b + 1] += first[b];
}

static ds_status give_slots(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  const size_t slots = 2 * (size_t) ds_sop_host_pairs(h);
  ds_status s = ds_reserve(&h->pool, &h->slot_first, (size_t) sop->beads + 2, sizeof(int64_t), "slots of forces", err);
  if (!s) s = ds_reserve(&h->pool, &h->slots, 3 * slots + 3, sizeof(int32_t), "slots of forces", err);
  if (s) return s;
  if (slots > UINT32_MAX) return ds_fail(err, DS_ERR_CAPACITY, "%zu forces of pairs; at most 2^32 with the scheme pair", slots);
  int64_t *const first = DS_DATA(int64_t, h->slot_first);
  count_slots(sop, h, first);
  for (int kind = 0; kind <= DS_SOP_LISTED; kind++)
    for (int64_t k = 0; k < h->pairs[kind]; k++)
      for (int end = 0; end < 2; end++) {
        uint32_t *const slot = DS_DATA(uint32_t, h->pair[kind][3 + end]);
        slot[k] = (uint32_t) first[DS_DATA(int32_t, h->pair[kind][end])[k] + 1]++;
      }
  return DS_OK;
}

static ds_status reserve_pairs(ds_sop_host *h, int kind, int64_t count, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 5 && !s; k++)
    s = ds_reserve(&h->pool, &h->pair[kind][k], (size_t) count + 1, sizeof(int32_t), "pairs", err);
  h->pairs[kind] = s ? 0 : count;
  return s;
}

/* Pairs of all molecules, of a kind that the topology has. */
static ds_status copy_pairs(const ds_sop *sop, ds_sop_host *h, int kind, ds_error *err)
{
  const ds_sop_pairs *const p = &sop->model.pairs[kind];
  const ds_status s = reserve_pairs(h, kind, (int64_t) sop->molecules * p->count, err);
  if (s) return s;
  for (int32_t m = 0; m < sop->molecules; m++)
    for (int32_t k = 0; k < p->count; k++) {
      const size_t at = (size_t) m * (size_t) p->count + (size_t) k;
      DS_DATA(int32_t, h->pair[kind][0])[at] = m * sop->model.topology.beads + p->i[k];
      DS_DATA(int32_t, h->pair[kind][1])[at] = m * sop->model.topology.beads + p->j[k];
      DS_DATA(int32_t, h->pair[kind][2])[at] = k;
    }
  return DS_OK;
}

static ds_status copy_listed(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  const int64_t beads = (int64_t) sop->molecules * sop->model.topology.beads;
  const size_t count = (size_t) h->list.first[beads];
  ds_buffer *const pair = h->pair[DS_SOP_LISTED];
  const ds_status s = reserve_pairs(h, DS_SOP_LISTED, (int64_t) count, err);
  if (s || count == 0) return s;
  memcpy(pair[0].data, h->list.bead, count * sizeof(int32_t));
  memcpy(pair[1].data, h->list.partner, count * sizeof(int32_t));
  memset(pair[2].data, 0, count * sizeof(int32_t)); /* they have no coefficients of their own */
  return DS_OK;
}

ds_status ds_sop_host_list(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  const int by_pair = h->scheme == DS_SOP_PAIR;
  const ds_sop_list_wish wish = {{h->x[0].data, h->x[1].data, h->x[2].data},
                                 (int64_t) sop->molecules * sop->model.topology.beads,
                                 range_of(sop, h),
                                 !by_pair,
                                 1,
                                 0};
  ds_status s = ds_sop_list_make(sop, &wish, &h->list, err);
  for (int kind = 0; kind < DS_SOP_LISTED && by_pair && !s; kind++)
    if (!h->list_is_made) s = copy_pairs(sop, h, kind, err);
  if (!s && by_pair) s = copy_listed(sop, h, err);
  if (!s && by_pair) s = give_slots(sop, h, err);
  if (s) return s;
  h->list_is_made = 1;
  remember(h, 0, h->places);
  return DS_OK;
}
