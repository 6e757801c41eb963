/* Identities, types and special partners of the atoms, in device memory.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "cuda_state.h"

#include <string.h>

enum { DS_THREADS = 256 };

__global__ void atom_kernel(ds_array tag, ds_array type, int n, int ntypes, int64_t *out_tag,
                            int32_t *out_type, ds_cuda_report *report)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int64_t kind = ds_array_int(&type, i, 0) - 1;
  out_tag[i] = ds_array_int(&tag, i, 0);
  out_type[i] = (int32_t) kind;
  if (kind < 0 || kind >= ntypes) atomicMax(&report->type_fault, (uint32_t) (n - i));
}

__global__ void special_count_kernel(ds_array counts, int n, int32_t *out, ds_cuda_report *report)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int c = 0; c < 3; c++) out[3 * (size_t) i + c] = (int32_t) ds_array_int(&counts, i, c);
  atomicMax(&report->most_special, out[3 * (size_t) i + 2]);
}

__global__ void special_tag_kernel(ds_array partners, int n, int most, const int32_t *counts,
                                   int64_t *out)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int c = 0; c < counts[3 * (size_t) i + 2]; c++)
    out[(size_t) most * i + c] = ds_array_int(&partners, i, c);
}

/* --------------------------------------------------------------------------------------- driver */

static ds_status type_error(const ds_dpd *dpd, int64_t tag, int type, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %d; allowed: 1 to %d", (long long) tag,
                 type + 1, dpd->params.ntypes);
}

static ds_status atoms_from_host(ds_dpd *dpd, ds_cuda_state *c, const ds_atoms *atoms, int n,
                                 ds_error *err)
{
  ds_status s = ds_cuda_stage(c, &c->tag_host, (size_t) n + 1, sizeof(int64_t), "atom IDs", err);
  if (!s) s = ds_cuda_stage(c, &c->type_host, (size_t) n + 1, sizeof(int32_t), "atom types", err);
  if (s) return s;
  int64_t *const tag = DS_DATA(int64_t, c->tag_host);
  int32_t *const type = DS_DATA(int32_t, c->type_host);
  const int bad = ds_offload_atoms(atoms, n, dpd->params.ntypes, dpd->options.threads, tag, type);
  if (bad >= 0) return type_error(dpd, tag[bad], type[bad], err);
  c->tags_on_host = 1;
  s = ds_cuda_upload(c, &c->tag, &c->tag_host, (size_t) n * sizeof *tag, "copying atom IDs", err);
  if (!s)
    s = ds_cuda_upload(c, &c->type, &c->type_host, (size_t) n * sizeof *type, "copying atom types",
                       err);
  return s;
}

static ds_status atoms_from_device(ds_dpd *dpd, ds_cuda_state *c, const ds_atoms *atoms, int n,
                                   ds_error *err)
{
  ds_cuda_report *const report = DS_DATA(ds_cuda_report, c->report);
  ds_status s =
      ds_gpu_check(cudaMemsetAsync(&report->type_fault, 0, sizeof report->type_fault, c->stream),
                   "clearing a report", err);
  c->tags_on_host = 0;
  if (!s)
    s = DS_LAUNCH(err, "atom kernel", atom_kernel, ds_gpu_blocks((size_t) n, DS_THREADS),
                  DS_THREADS, c->stream, atoms->tag, atoms->type, n, dpd->params.ntypes,
                  DS_DATA(int64_t, c->tag), DS_DATA(int32_t, c->type), report);
  return s;
}

static ds_status special_from_host(ds_cuda_state *c, const ds_atoms *atoms, int n, int threads,
                                   ds_error *err)
{
  ds_status s = ds_cuda_stage(c, &c->special_count_host, 3 * (size_t) n + 3, sizeof(int32_t),
                              "special counts", err);
  if (s) return s;
  int32_t *const count = DS_DATA(int32_t, c->special_count_host);
  const int most = ds_offload_special_counts(&atoms->nspecial, n, threads, count);
  const size_t partners = (size_t) n * (size_t) most;
  if (most == 0) return DS_OK;
  s = ds_cuda_stage(c, &c->special_tag_host, partners, sizeof(int64_t), "special partners", err);
  if (!s) s = ds_gpu_reserve(&c->special_tag, partners, sizeof(int64_t), "special partners", err);
  if (s) return s;
  ds_offload_special_tags(&atoms->special, n, most, count, threads,
                          DS_DATA(int64_t, c->special_tag_host));
  c->max_special = most;
  s = ds_cuda_upload(c, &c->special_count, &c->special_count_host, 3 * (size_t) n * sizeof *count,
                     "copying special counts", err);
  if (!s)
    s = ds_cuda_upload(c, &c->special_tag, &c->special_tag_host, partners * sizeof(int64_t),
                       "copying special partners", err);
  return s;
}

/* Waits once: how many partners an atom has at most decides the size of a table. */
static ds_status special_from_device(ds_cuda_state *c, const ds_atoms *atoms, int n, ds_error *err)
{
  ds_cuda_report *const report = DS_DATA(ds_cuda_report, c->report);
  const unsigned blocks = ds_gpu_blocks((size_t) n, DS_THREADS);
  int32_t *const count = DS_DATA(int32_t, c->special_count);
  ds_status s = ds_gpu_check(
      cudaMemsetAsync(&report->most_special, 0, sizeof report->most_special, c->stream),
      "clearing a report", err);
  if (!s)
    s = DS_LAUNCH(err, "special count kernel", special_count_kernel, blocks, DS_THREADS, c->stream,
                  atoms->nspecial, n, count, report);
  if (!s) s = ds_cuda_fetch_report(c, err);
  if (!s) s = ds_cuda_wait(c, "special count kernel", err);
  if (s) return s;
  const int most = DS_DATA(ds_cuda_report, c->report_host)->most_special;
  if (most == 0) return DS_OK;
  s = ds_gpu_reserve(&c->special_tag, (size_t) n * most, sizeof(int64_t), "special partners", err);
  c->max_special = most;
  if (!s)
    s = DS_LAUNCH(err, "special tag kernel", special_tag_kernel, blocks, DS_THREADS, c->stream,
                  atoms->special, n, most, count, DS_DATA(int64_t, c->special_tag));
  return s;
}

static ds_status copy_special(ds_dpd *dpd, ds_cuda_state *c, const ds_atoms *atoms, ds_error *err)
{
  c->max_special = 0;
  if (!atoms->nspecial.data) return DS_OK;
  if (atoms->special.data && atoms->nspecial.space != atoms->special.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "special counts and partners lie in different memories");
  const ds_status s = ds_gpu_reserve(&c->special_count, 3 * (size_t) dpd->nlocal + 3,
                                     sizeof(int32_t), "special counts", err);
  if (s) return s;
  return atoms->nspecial.space == DS_SPACE_HOST
             ? special_from_host(c, atoms, dpd->nlocal, dpd->options.threads, err)
             : special_from_device(c, atoms, dpd->nlocal, err);
}

ds_status ds_cuda_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const int n = dpd->nlocal + dpd->nghost;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (atoms->tag.space != atoms->type.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "atom IDs and types lie in different memories");
  if (!s) s = ds_gpu_reserve(&c->tag, (size_t) n + 1, sizeof(int64_t), "atom IDs", err);
  if (!s) s = ds_gpu_reserve(&c->type, (size_t) n + 1, sizeof(int32_t), "atom types", err);
  if (s) return s;
  c->have_owners = c->messages_pending = c->gathered = 0;
  s = atoms->tag.space == DS_SPACE_HOST ? atoms_from_host(dpd, c, atoms, n, err)
                                        : atoms_from_device(dpd, c, atoms, n, err);
  if (!s) s = copy_special(dpd, c, atoms, err);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------- faults, named on the host */

/* Behind what is queued on the stream, which does not wait for other copies nor they for it. */
static ds_status read_word(ds_cuda_state *c, void *to, const void *from, size_t bytes,
                           ds_error *err)
{
  const ds_status s = ds_cuda_download(c, to, from, bytes, "copying what is wrong", err);
  return s ? s : ds_cuda_wait(c, "copying what is wrong", err);
}

ds_status ds_cuda_tag_of(ds_cuda_state *c, int atom, int64_t *tag, ds_error *err)
{
  return read_word(c, tag, DS_DATA(int64_t, c->tag) + atom, sizeof *tag, err);
}

/* Rare: three words one by one. */
static ds_status read_position(ds_cuda_state *c, int atom, double at[3], ds_error *err)
{
  const ds_array *x = &c->x;
  const size_t size = x->type == DS_F64 ? sizeof(double) : sizeof(float);
  for (int k = 0; k < 3; k++) {
    char word[sizeof(double)];
    const ds_array one = {word, x->type, DS_SPACE_HOST, 1, 1};
    const ptrdiff_t from = atom * x->atom_stride + k * x->component_stride;
    const ds_status s =
        read_word(c, word, (const char *) x->data + from * (ptrdiff_t) size, size, err);
    if (s) return s;
    at[k] = ds_array_get(&one, 0, 0);
  }
  return DS_OK;
}

ds_status ds_cuda_check_atoms(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const ds_cuda_report *r = DS_DATA(ds_cuda_report, c->report_host);
  int64_t tag;
  if (!c->tags_on_host && r->type_fault) {
    const int atom = dpd->nlocal + dpd->nghost - (int) r->type_fault;
    int32_t type;
    ds_status s = ds_cuda_tag_of(c, atom, &tag, err);
    if (!s) s = read_word(c, &type, DS_DATA(int32_t, c->type) + atom, sizeof type, err);
    return s ? s : type_error(dpd, tag, type, err);
  }
  if (!c->records_on_host && r->position_fault) {
    const int atom = dpd->nlocal - (int) r->position_fault;
    double at[3];
    ds_status s = ds_cuda_tag_of(c, atom, &tag, err);
    if (!s) s = read_position(c, atom, at, err);
    return s ? s : ds_dpd_position_error(dpd, tag, at, err);
  }
  return DS_OK;
}
