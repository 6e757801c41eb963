/* Host backend: forces on the beads of molecules.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

static void present(const ds_sop_host *h, size_t at, const int32_t *x[3])
{
  for (int c = 0; c < 3; c++) x[c] = DS_DATA(const int32_t, h->x[c]) + at;
}

int ds_sop_host_block_forces(const ds_sop *sop, ds_sop_host *h, int block)
{
  static ds_sop_block_function *const lanes[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_lane_forces);
  static ds_sop_block_function *const one[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_molecule_forces);
  ds_sop_block_function *const *const kernel = h->lanes == 1 ? one : lanes;
  const size_t n = (size_t) sop->model.topology.beads, at = (size_t) block * n * (size_t) h->lanes;
  const ds_sop_list *const l = h->block_list + block;
  const ds_sop_pair_list listed = {(int32_t) l->first[n], l->bead, l->partner};
  const int32_t *x[3];
  int32_t *f[3];
  present(h, at, x);
  for (int c = 0; c < 3; c++) f[c] = DS_DATA(int32_t, h->force[0][c]) + at;
  return kernel[h->isa](&sop->model, &listed, x, f);
}

int ds_sop_host_bead_forces(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last)
{
  static ds_sop_bead_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_bead_force);
  const int32_t n = sop->model.topology.beads;
  const int32_t *x[3];
  int fault = 0;
  present(h, 0, x);
  for (int64_t b = first; b < last; b++) {
    int32_t force[3];
    const int64_t row = h->list.first[b];
    fault |= kernel[h->isa](&sop->model, (int32_t) (b % n), b / n * n, x, h->list.partner + row,
                            (int32_t) (h->list.first[b + 1] - row), force);
    for (int c = 0; c < 3; c++) DS_DATA(int32_t, h->force[0][c])[b] = force[c];
  }
  return fault;
}

int64_t ds_sop_host_pairs(const ds_sop_host *h)
{
  int64_t n = 0;
  for (int kind = 0; kind <= DS_SOP_LISTED; kind++) n += h->pairs[kind];
  return n;
}

int ds_sop_host_pair_forces(const ds_sop *sop, ds_sop_host *h, int64_t first, int64_t last)
{
  static ds_sop_pair_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_pair_forces);
  const int32_t *x[3];
  int64_t begin = 0;
  int fault = 0;
  present(h, 0, x);
  for (int kind = 0; kind <= DS_SOP_LISTED; kind++) {
    const ds_buffer *const b = h->pair[kind];
    const ds_sop_slotted_pairs p = {b[0].data, b[1].data, b[2].data, b[3].data, b[4].data};
    const int64_t from = first > begin ? first - begin : 0;
    const int64_t to = last - begin < h->pairs[kind] ? last - begin : h->pairs[kind];
    if (from < to) fault |= kernel[h->isa](&sop->model, (ds_sop_kind) kind, &p, from, to, x, DS_DATA(int32_t, h->slots));
    begin += h->pairs[kind];
  }
  return fault;
}

void ds_sop_host_gather(ds_sop_host *h, int64_t first, int64_t last)
{
  const int64_t *const slot = DS_DATA(int64_t, h->slot_first);
  const int32_t *const slots = DS_DATA(int32_t, h->slots);
  for (int64_t b = first; b < last; b++) {
    uint32_t force[3] = {0, 0, 0};
    for (int64_t k = slot[b]; k < slot[b + 1]; k++)
      for (int c = 0; c < 3; c++) force[c] += (uint32_t) slots[3 * k + c];
    for (int c = 0; c < 3; c++) DS_DATA(int32_t, h->force[0][c])[b] = (int32_t) force[c];
  }
}
