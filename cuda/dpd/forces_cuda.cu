/* Forces of the CUDA backend: sweep, sums, delivery.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_cuda.h"

#include <string.h>

/* A result that a kernel writes: the caller's device array, or room from which it is copied. */
static ds_status target(ds_cuda_state *c, const ds_array *wanted, int components, size_t n,
                        ds_gpu_buffer *room, ds_pinned_buffer *copy, ds_array *to, const char *what,
                        ds_error *err)
{
  *to = *wanted;
  if (!wanted->data || wanted->space == DS_SPACE_DEVICE) return DS_OK;
  ds_status s = ds_gpu_reserve(room, n * (size_t) components + 1, sizeof(double), what, err);
  if (!s) s = ds_cuda_stage(c, copy, n * (size_t) components + 1, sizeof(double), what, err);
  to->data = room->data;
  to->type = DS_F64;
  to->atom_stride = components;
  to->component_stride = 1;
  return s;
}

static ds_status targets(ds_dpd *dpd, ds_cuda_state *c, const ds_dpd_result *r, ds_sweep_io *io,
                         ds_error *err)
{
  const size_t n = (size_t) dpd->nlocal;
  if ((r->eatom.data && r->eatom.space != r->f.space) ||
      (r->vatom.data && r->vatom.space != r->f.space))
    return ds_fail(err, DS_ERR_ARGUMENT, "forces, energies and virials lie in different memories");
  io->add = r->f.space == DS_SPACE_DEVICE;
  ds_status s = target(c, &r->f, 3, n, &c->force, &c->force_host, &io->force, "forces", err);
  io->sums = c->wide || io->add ? NULL : DS_DATA(int32_t, c->force);
  if (!s) s = target(c, &r->eatom, 1, n, &c->energy, &c->energy_host, &io->energy, "energies", err);
  if (!s) s = target(c, &r->vatom, 6, n, &c->virial, &c->virial_host, &io->virial, "virials", err);
  return s;
}

static void describe(ds_dpd *dpd, ds_cuda_state *c, ds_sweep_io *io)
{
  const ds_scales *scales = &dpd->params.scales;
  io->frame = dpd->frame;
  io->rows = c->list.rows;
  io->capacity = c->list.capacity;
  io->ntypes = dpd->params.ntypes;
  io->order = c->list.order;
  io->row_slot = DS_DATA(uint32_t, c->list.row_slot);
  io->entries = DS_DATA(uint32_t, c->list.entries);
  io->count = DS_DATA(int32_t, c->list.count);
  io->unit = 1.0 / scales->force; /* powers of two: exact */
  io->half_energy = 0.5 / scales->energy;
  io->half_virial = 0.5 * dpd->params.cutoff * io->unit;
  io->report = DS_DATA(ds_cuda_report, c->report);
}

static ds_status sweep(ds_dpd *dpd, ds_cuda_state *c, const ds_sweep_io *io, int tally,
                       ds_error *err)
{
  static ds_sweep_launch *const launch[] = {ds_sweep_launch_mixed, ds_sweep_launch_single,
                                            ds_sweep_launch_double};
  ds_status s = DS_OK;
  if (tally)
    s = ds_gpu_check(cudaMemsetAsync(&io->report->sums, 0, sizeof io->report->sums, c->stream),
                     "clearing sums", err);
  ds_timer_begin(&c->timer, DS_STAGE_SWEEP, c->stream);
  if (!s) s = launch[dpd->options.precision](dpd, io, tally, err);
  ds_timer_end(&c->timer, DS_STAGE_SWEEP, c->stream);
  return s;
}

/* Pieces of the force array, and after each an event, so that the host can add it when it is there. */
static int piece_size(int n)
{
  const int even = n / DS_PIECES + 1;
  return even < DS_PIECE_LEAST ? DS_PIECE_LEAST : even;
}

static ds_status queue_copies(ds_dpd *dpd, ds_cuda_state *c, const ds_dpd_result *r,
                              const ds_sweep_io *io, ds_error *err)
{
  const int n = dpd->nlocal, step = piece_size(n);
  const size_t size = 3 * (io->sums ? sizeof(int32_t) : sizeof(double));
  ds_status s = ds_cuda_fetch_report(c, err);
  if (r->f.space == DS_SPACE_DEVICE) return s;
  ds_timer_begin(&c->timer, DS_STAGE_COPY_OUT, c->stream);
  for (int first = 0, k = 0; first < n && !s; first += step, k++) {
    const size_t count = (size_t) (n - first < step ? n - first : step), at = size * (size_t) first;
    s = ds_cuda_download(c, DS_DATA(char, c->force_host) + at, DS_DATA(char, c->force) + at,
                         size * count, "copying forces", err);
    if (!s) s = ds_gpu_check(cudaEventRecord(c->piece[k], c->stream), "recording an event", err);
  }
  if (!s && r->eatom.data)
    s = ds_cuda_download(c, c->energy_host.data, c->energy.data, (size_t) n * sizeof(double),
                         "copying energies", err);
  if (!s && r->vatom.data)
    s = ds_cuda_download(c, c->virial_host.data, c->virial.data, 6 * (size_t) n * sizeof(double),
                         "copying virials", err);
  ds_timer_end(&c->timer, DS_STAGE_COPY_OUT, c->stream);
  return s;
}

static ds_status check_forces(ds_dpd *dpd, ds_cuda_state *c, const ds_sweep_io *io, ds_error *err)
{
  static ds_sweep_name *const name[] = {ds_sweep_name_mixed, ds_sweep_name_single,
                                        ds_sweep_name_double};
  const ds_cuda_report *r = DS_DATA(ds_cuda_report, c->report_host);
  int64_t tag[2];
  if (r->force_fault == 0) return DS_OK;
  ds_status s = name[dpd->options.precision](dpd, io, err);
  if (!s) s = ds_cuda_fetch_report(c, err);
  if (!s) s = ds_cuda_wait(c, "name kernel", err);
  for (int k = 0; k < 2 && !s; k++) s = ds_cuda_tag_of(c, r->fault_atom[k], &tag[k], err);
  return s ? s : ds_dpd_force_error(dpd, tag[0], tag[1], r->fault_force, err);
}

/* Rows of a list that was set may belong to some of the own atoms only. */
static void add_all(ds_dpd *dpd, ds_cuda_state *c, const ds_array *to, int components,
                    const ds_pinned_buffer *from, int first, int last)
{
  const int some = c->set_atom && c->list.rows < dpd->nlocal;
  ds_offload_add(to, components, DS_DATA(double, *from), some ? c->set_atom : NULL, first, last,
                 dpd->options.threads);
}

static void add_forces(ds_dpd *dpd, ds_cuda_state *c, const ds_array *to, const ds_sweep_io *io,
                       int first, int last)
{
  const int some = c->set_atom && c->list.rows < dpd->nlocal;
  if (io->sums)
    ds_offload_add_sums(to, DS_DATA(int32_t, c->force_host), io->unit, some ? c->set_atom : NULL,
                        first, last, dpd->options.threads);
  else
    add_all(dpd, c, to, 3, &c->force_host, first, last);
}

static ds_status deliver(ds_dpd *dpd, ds_cuda_state *c, const ds_dpd_result *r,
                         const ds_sweep_io *io, ds_error *err)
{
  const int step = piece_size(dpd->nlocal);
  const int some = c->set_atom && c->list.rows < dpd->nlocal;
  const int n = some ? c->list.rows : dpd->nlocal;
  ds_status s = DS_OK;
  if (r->f.space == DS_SPACE_DEVICE) return DS_OK;
  if (some) s = ds_cuda_wait(c, "sweep kernel", err);
  for (int first = 0, k = 0; first < n && !s; first += step, k++) {
    if (!some) s = ds_gpu_check(cudaEventSynchronize(c->piece[k]), "sweep kernel", err);
    if (!s) add_forces(dpd, c, &r->f, io, first, n - first < step ? n : first + step);
  }
  if (!s) s = ds_cuda_wait(c, "sweep kernel", err);
  if (!s && r->eatom.data) add_all(dpd, c, &r->eatom, 1, &c->energy_host, 0, n);
  if (!s && r->vatom.data) add_all(dpd, c, &r->vatom, 6, &c->virial_host, 0, n);
  return s;
}

/* The report is the first copy on the stream behind the sweep: with the first piece it is there, too. */
static ds_status wait_report(ds_dpd *dpd, ds_cuda_state *c, const ds_dpd_result *r, ds_error *err)
{
  if (r->f.space == DS_SPACE_HOST && dpd->nlocal > 0)
    return ds_gpu_check(cudaEventSynchronize(c->piece[0]), "sweep kernel", err);
  return ds_cuda_wait(c, "sweep kernel", err);
}

/* Sums of 32 bits nearly always do: the range leaves a factor of 16 above what one pair is expected to
   exert. Where one does not, the sweep is repeated for the whole ones. */
static ds_status repeat_long(ds_dpd *dpd, ds_cuda_state *c, const ds_dpd_result *r, ds_sweep_io *io,
                             int tally, ds_error *err)
{
  if (!io->sums || !DS_DATA(ds_cuda_report, c->report_host)->long_sum) return DS_OK;
  ds_status s = ds_cuda_wait(c, "sweep kernel", err);
  if (!s)
    s = ds_gpu_check(
        cudaMemsetAsync(&io->report->long_sum, 0, sizeof io->report->long_sum, c->stream),
        "clearing a report", err);
  io->sums = NULL;
  if (!s) s = sweep(dpd, c, io, tally, err);
  if (!s) s = queue_copies(dpd, c, r, io, err);
  return s ? s : wait_report(dpd, c, r, err);
}

ds_status ds_cuda_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const int tally =
      result->want_energy || result->want_virial || result->eatom.data || result->vatom.data;
  ds_sweep_io io;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (!s) s = ds_cuda_upload_params(dpd, err);
  if (!s) s = ds_cuda_gather(dpd, err);
  if (!s) s = targets(dpd, c, result, &io, err);
  if (s) return s;
  describe(dpd, c, &io);
  s = sweep(dpd, c, &io, tally, err);
  if (!s) s = queue_copies(dpd, c, result, &io, err);
  if (!s) s = wait_report(dpd, c, result, err);
  if (!s) s = ds_cuda_check_atoms(dpd, err);
  if (!s) s = check_forces(dpd, c, &io, err);
  if (!s) s = repeat_long(dpd, c, result, &io, tally, err);
  if (!s) s = deliver(dpd, c, result, &io, err);
  if (s) return s;
  ds_timer_collect(&c->timer);
  if (tally) ds_dpd_finish_sums(dpd, &DS_DATA(ds_cuda_report, c->report_host)->sums, result);
  return ds_succeed(err);
}
