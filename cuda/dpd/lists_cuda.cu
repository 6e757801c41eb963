/* Neighbor lists of the CUDA backend: built, set by the caller, read back.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "cuda_state.h"

#include <stdlib.h>
#include <string.h>

static ds_list_source source_of(const ds_dpd *dpd, const ds_cuda_state *c)
{
  ds_list_source s;
  s.frame = dpd->frame;
  s.ntypes = dpd->params.ntypes;
  s.core2 = dpd->params.core2[0];
  s.list2 = dpd->params.list2[0];
  s.core2_table = DS_DATA(float, c->core2);
  s.list2_table = DS_DATA(float, c->list2);
  s.position = c->wide ? DS_DATA(int4, c->slot_narrow) : DS_DATA(int4, c->slot_place);
  s.tag = DS_DATA(int64_t, c->slot_tag);
  s.special.max_special = c->max_special;
  s.special.counts = DS_DATA(int32_t, c->special_count);
  s.special.partners = DS_DATA(int64_t, c->special_tag);
  return s;
}

ds_status ds_cuda_build_list(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const int n = dpd->nlocal + dpd->nghost;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  c->counted = 0;
  c->set_atom = NULL;
  c->coded = c->max_special > 0;
  if (!s) s = ds_cuda_upload_params(dpd, err);
  if (!s) s = ds_cuda_locate(dpd, err);
  if (!s)
    s = ds_list_cuda_sort(&c->list, &dpd->grid, DS_DATA(int4, c->located), dpd->nlocal, n,
                          &c->timer, c->stream, err);
  c->fresh_order = 1;
  if (!s) s = ds_cuda_gather(dpd, err);
  if (!s) s = ds_cuda_fetch_report(c, err); /* on the stream before what the build waits for */
  if (!s) {
    const ds_list_source source = source_of(dpd, c);
    s = ds_list_cuda_build(&c->list, &source, &c->timer, c->stream, err);
  }
  if (!s && c->list.rows > 0) s = ds_cuda_check_atoms(dpd, err);
  return s ? s : ds_succeed(err);
}

/* Rows as the kernels read them: for the upload the host transposes. */
ds_status ds_cuda_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t rows = (size_t) list->rows;
  int longest = 0;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  for (int r = 0; r < list->rows; r++)
    if (list->count[list->atom[r]] > longest) longest = list->count[list->atom[r]];
  if (!s)
    s = ds_list_cuda_reserve_set(&c->list, dpd->nlocal + dpd->nghost, list->rows, longest,
                                 c->stream, err);
  const size_t words = ds_list_cuda_words(c->list.rows, c->list.capacity);
  if (!s)
    s = ds_cuda_stage(c, &c->list_host, words + 2 * rows + 1, sizeof(uint32_t), "neighbor list",
                      err);
  if (s) return s;
  uint32_t *const entries = DS_DATA(uint32_t, c->list_host), *const atom = entries + words;
  int32_t *const count = (int32_t *) (atom + rows);
  c->coded =
      (int) ds_offload_list(list, c->list.capacity, dpd->options.threads, atom, count, entries);
  const size_t bytes = rows * sizeof(uint32_t);
  s = ds_cuda_upload(c, &c->list.entries, &c->list_host, words * sizeof *entries,
                     "copying the list", err);
  if (!s && rows) {
    cudaError_t e =
        cudaMemcpyAsync(c->list.row_slot.data, atom, bytes, cudaMemcpyHostToDevice, c->stream);
    if (!e)
      e = cudaMemcpyAsync(c->list.count.data, count, bytes, cudaMemcpyHostToDevice, c->stream);
    if (!e) e = cudaMemcpyAsync(c->list.core.data, count, bytes, cudaMemcpyHostToDevice, c->stream);
    s = ds_gpu_check(e, "copying the list", err);
  }
  c->counted = 0;
  c->set_atom = (const int32_t *) atom;
  c->fresh_order = 1;
  return s ? s : ds_succeed(err);
}

/* What the device holds, copied for ds_dpd_read_list and the statistics. */
typedef struct {
  uint32_t *order, *row_slot, *entries;
  int32_t *core, *count;
} list_copy;

static void free_copy(list_copy *p)
{
  free(p->order);
  free(p->row_slot);
  free(p->entries);
  free(p->core);
  free(p->count);
}

static void *fetch(const void *from, size_t bytes, ds_status *s, ds_error *err)
{
  void *const to = malloc(bytes + 1);
  if (!to) {
    *s = ds_fail(err, DS_ERR_MEMORY,
                 "reading the neighbor list: could not get %zu bytes of host memory", bytes);
  } else if (bytes) {
    *s = ds_gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                      "reading the neighbor list", err);
  }
  return to;
}

static ds_status copy_list(ds_cuda_state *c, int whole, list_copy *p, ds_error *err)
{
  const size_t rows = (size_t) c->list.rows * 4, slots = (size_t) c->list.slots * 4;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  memset(p, 0, sizeof *p);
  if (!s) s = ds_cuda_wait(c, "neighbor list", err);
  if (!s) p->core = (int32_t *) fetch(c->list.core.data, rows, &s, err);
  if (!s) p->count = (int32_t *) fetch(c->list.count.data, rows, &s, err);
  if (!s && whole) p->row_slot = (uint32_t *) fetch(c->list.row_slot.data, rows, &s, err);
  if (!s && whole) p->order = (uint32_t *) fetch(c->list.order, slots, &s, err);
  if (!s && whole)
    p->entries = (uint32_t *) fetch(
        c->list.entries.data, ds_list_cuda_words(c->list.rows, c->list.capacity) * 4, &s, err);
  return s;
}

ds_status ds_cuda_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                            ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t capacity = (size_t) c->list.capacity;
  list_copy p;
  const ds_status s = copy_list(c, 1, &p, err);
  for (size_t r = 0; !s && r < (size_t) c->list.rows; r++) {
    const uint32_t *from = p.entries + r / 32 * 32 * capacity + r % 32;
    atom[r] = (int) p.order[p.row_slot[r]];
    core[r] = p.core[r];
    count[r] = p.count[r];
    for (size_t n = 0; n < (size_t) count[r]; n++)
      entries[r * capacity + n] =
          p.order[from[32 * n] & DS_INDEX_MASK] | (from[32 * n] & ~(uint32_t) DS_INDEX_MASK);
  }
  free_copy(&p);
  return s ? s : ds_succeed(err);
}

ds_status ds_cuda_count_list(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  list_copy p;
  if (c->counted) return DS_OK;
  const ds_status s = copy_list(c, 0, &p, err);
  c->neighbors = c->core = 0;
  for (int r = 0; !s && r < c->list.rows; r++) {
    c->neighbors += p.count[r];
    c->core += p.core[r];
  }
  c->counted = s == DS_OK;
  free_copy(&p);
  return s;
}
