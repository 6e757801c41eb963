/* CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpd_cuda.h"

#include "cuda_state.h"

#include <stdlib.h>
#include <string.h>

static ds_gpu_buffer *buffer_of(ds_cuda_state *c, int k)
{
  ds_gpu_buffer *const all[] = {&c->report,     &c->coeff,       &c->core2,         &c->list2,
                                &c->tag,        &c->type,        &c->record,        &c->message,
                                &c->owner,      &c->located,     &c->special_count, &c->special_tag,
                                &c->slot_place, &c->slot_motion, &c->slot_narrow,   &c->slot_tag,
                                &c->slot_type,  &c->force,       &c->energy,        &c->virial,
                                &c->pack_list,  &c->pack_data};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

static ds_pinned_buffer *pinned_of(ds_cuda_state *c, int k)
{
  ds_pinned_buffer *const all[] = {&c->report_host,        &c->tag_host,         &c->type_host,
                                   &c->record_host,        &c->message_host,     &c->owner_host,
                                   &c->special_count_host, &c->special_tag_host, &c->list_host,
                                   &c->force_host,         &c->energy_host,      &c->virial_host,
                                   &c->pack_list_host,     &c->pack_data_host};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

/* ----------------------------------------------------------------------------------- the stream */

ds_status ds_cuda_wait(ds_cuda_state *c, const char *what, ds_error *err)
{
  const ds_status s = ds_gpu_check(cudaStreamSynchronize(c->stream), what, err);
  for (int k = 0; pinned_of(c, k); k++) pinned_of(c, k)->busy = 0;
  return s;
}

ds_status ds_cuda_stage(ds_cuda_state *c, ds_pinned_buffer *b, size_t count, size_t size,
                        const char *what, ds_error *err)
{
  const ds_status s = b->busy ? ds_cuda_wait(c, what, err) : DS_OK;
  return s ? s : ds_pinned_reserve(b, count, size, what, err);
}

ds_status ds_cuda_upload(ds_cuda_state *c, ds_gpu_buffer *to, ds_pinned_buffer *from, size_t bytes,
                         const char *what, ds_error *err)
{
  if (bytes == 0) return DS_OK;
  from->busy = 1;
  return ds_gpu_check(
      cudaMemcpyAsync(to->data, from->data, bytes, cudaMemcpyHostToDevice, c->stream), what, err);
}

ds_status ds_cuda_download(ds_cuda_state *c, void *to, const void *from, size_t bytes,
                           const char *what, ds_error *err)
{
  if (bytes == 0) return DS_OK;
  return ds_gpu_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, c->stream), what,
                      err);
}

ds_status ds_cuda_fetch_report(ds_cuda_state *c, ds_error *err)
{
  return ds_cuda_download(c, c->report_host.data, c->report.data, sizeof(ds_cuda_report),
                          "copying a report", err);
}

/* -------------------------------------------------------------------------------- opening, closing */

static ds_status name_device(ds_cuda_state *c, ds_error *err)
{
  cudaDeviceProp properties;
  const ds_status s = ds_gpu_check(cudaGetDeviceProperties(&properties, c->device),
                                   "asking for the GPU's name", err);
  if (s) return s;
  memcpy(c->name, properties.name, sizeof c->name);
  c->name[sizeof c->name - 1] = '\0';
  return DS_OK;
}

static ds_status prepare(ds_cuda_state *c, ds_error *err)
{
  ds_status s = ds_gpu_reserve(&c->report, 1, sizeof(ds_cuda_report), "reports", err);
  if (!s) s = ds_pinned_reserve(&c->report_host, 1, sizeof(ds_cuda_report), "reports", err);
  if (s) return s;
  memset(c->report_host.data, 0, sizeof(ds_cuda_report));
  s = ds_gpu_check(cudaMemsetAsync(c->report.data, 0, sizeof(ds_cuda_report), c->stream),
                   "clearing a report", err);
  for (int k = 0; k < DS_PIECES && !s; k++)
    s = ds_gpu_check(cudaEventCreateWithFlags(&c->piece[k], cudaEventDisableTiming),
                     "creating events", err);
  if (!s) s = ds_list_cuda_open(&c->list, err);
  return s;
}

static void close_state(ds_cuda_state *c)
{
  ds_error ignored;
  if (c->stream) cudaStreamSynchronize(c->stream);
  for (int k = 0; buffer_of(c, k); k++) ds_gpu_free(buffer_of(c, k));
  for (int k = 0; pinned_of(c, k); k++) ds_pinned_free(pinned_of(c, k));
  for (int k = 0; k < DS_PIECES; k++)
    if (c->piece[k]) cudaEventDestroy(c->piece[k]);
  ds_list_cuda_close(&c->list);
  ds_timer_switch(&c->timer, 0, &ignored);
  if (c->own_stream) cudaStreamDestroy(c->stream);
  cudaGetLastError();
  free(c);
}

static ds_status cuda_open(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) calloc(1, sizeof *c);
  if (!c) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the CUDA backend");
  c->wide = dpd->options.precision == DS_PRECISION_DOUBLE;
  ds_status s = ds_isa_choose(dpd->options.isa, &c->isa, err);
  if (!s)
    s = ds_gpu_use(dpd->options.local_rank, dpd->options.stream, &c->device, &c->stream,
                   &c->own_stream, err);
  if (!s) s = name_device(c, err);
  if (!s) s = prepare(c, err);
  if (s) {
    close_state(c);
    return s;
  }
  dpd->state = c;
  return DS_OK;
}

static void cuda_close(ds_dpd *dpd)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  cudaSetDevice(c->device);
  close_state(c);
}

/* ---------------------------------------------------------------------------------- parameters */

/* From pageable memory, which CUDA copies before it returns. */
static ds_status upload_table(ds_cuda_state *c, ds_gpu_buffer *to, const void *from, size_t count,
                              size_t size, ds_error *err)
{
  const ds_status s = ds_gpu_reserve(to, count, size, "coefficients", err);
  if (s) return s;
  return ds_gpu_check(
      cudaMemcpyAsync(to->data, from, count * size, cudaMemcpyHostToDevice, c->stream),
      "copying coefficients", err);
}

ds_status ds_cuda_upload_params(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const ds_dpd_params *p = &dpd->params;
  const size_t n = (size_t) p->ntypes * (size_t) p->ntypes;
  if (c->params_serial == dpd->params_serial) return DS_OK;
  c->plain = p->special[0] == 1.0;
  c->special = !(c->plain && p->special[1] == 1.0 && p->special[2] == 1.0 && p->special[3] == 1.0);
  ds_status s = c->wide ? upload_table(c, &c->coeff, p->coeff_d, n, sizeof *p->coeff_d, err)
                        : upload_table(c, &c->coeff, p->coeff_f, n, sizeof *p->coeff_f, err);
  if (!s) s = upload_table(c, &c->core2, p->core2, n, sizeof *p->core2, err);
  if (!s) s = upload_table(c, &c->list2, p->list2, n, sizeof *p->list2, err);
  c->params_serial = dpd->params_serial;
  return s;
}

/* --------------------------------------------------------------------------------- information */

static void cuda_info(const ds_dpd *dpd, ds_dpd_info *info)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  info->variant = c->name;
  info->rows = dpd->have_list ? c->list.rows : 0;
  info->row_capacity = c->list.capacity;
  if (dpd->have_list && ds_cuda_count_list((ds_dpd *) dpd, NULL) == DS_OK) {
    info->neighbors = c->neighbors;
    info->core = c->core;
  }
  info->bytes_device = ds_list_cuda_bytes(&c->list);
  for (int k = 0; buffer_of(c, k); k++) info->bytes_device += buffer_of(c, k)->bytes;
  for (int k = 0; pinned_of(c, k); k++) info->bytes_host += pinned_of(c, k)->bytes;
}

const ds_dpd_backend ds_dpd_cuda_backend = {"cuda",
                                            cuda_open,
                                            cuda_close,
                                            ds_cuda_set_atoms,
                                            ds_cuda_load,
                                            ds_cuda_get_velocities,
                                            ds_cuda_pack,
                                            ds_cuda_unpack,
                                            ds_cuda_set_owners,
                                            ds_cuda_build_list,
                                            ds_cuda_set_list,
                                            ds_cuda_compute,
                                            ds_cuda_read_list,
                                            cuda_info};

/* -------------------------------------------------------------------------------------- timing */

static ds_cuda_state *state_of(const ds_dpd *dpd)
{
  return dpd->backend == &ds_dpd_cuda_backend ? (ds_cuda_state *) dpd->state : NULL;
}

int ds_dpd_cuda_stages(const ds_dpd *dpd)
{
  return state_of(dpd) ? DS_STAGES : 0;
}

const char *ds_dpd_cuda_stage_name(int stage)
{
  static const char *const name[DS_STAGES] = {"copy in",   "marshal", "gather",
                                              "sort",      "cells",   "build list",
                                              "transpose", "forces",  "copy out"};
  return stage >= 0 && stage < DS_STAGES ? name[stage] : "";
}

ds_status ds_dpd_cuda_timing(ds_dpd *dpd, int on, ds_error *err)
{
  ds_cuda_state *c = state_of(dpd);
  return c ? ds_timer_switch(&c->timer, on, err) : DS_OK;
}

void ds_dpd_cuda_times(const ds_dpd *dpd, float *ms)
{
  const ds_cuda_state *c = state_of(dpd);
  for (int k = 0; c && k < DS_STAGES; k++) ms[k] = c->timer.ms[k];
}
