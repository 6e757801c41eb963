/* From the caller's positions and velocities to atoms by slot.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "words.cuh"

enum { DS_THREADS = 256, DS_PIECE_ATOMS = 16384 };

/* Records from arrays in device memory, whatever their strides and type. */
template <class W>
__global__ void marshal_kernel(ds_frame frame, ds_array x, ds_array v, int n,
                               typename W::record *record, ds_cuda_report *report)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double lambda[3];
  ds_fraction(&frame, ds_array_get(&x, i, 0), ds_array_get(&x, i, 1), ds_array_get(&x, i, 2),
              lambda);
  if (!ds_fraction_ok(&frame, lambda)) {
    atomicMax(&report->position_fault, (uint32_t) (n - i));
    /* named when the host looks; any place will do till then */
    lambda[0] = lambda[1] = lambda[2] = 0.0;
  }
  const typename W::position p = W::locate(frame, lambda);
  typename W::record r;
  r.x = p.x;
  r.y = p.y;
  r.z = p.z;
  r.vx = (typename W::real) ds_array_get(&v, i, 0);
  r.vy = (typename W::real) ds_array_get(&v, i, 1);
  r.vz = (typename W::real) ds_array_get(&v, i, 2);
  W::write_record(record, i, r);
}

template <class W> __global__ void locate_kernel(atom_source<W> a, int n, int4 *located)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  typename W::record r;
  uint32_t signature;
  ds_read_atom(a, i, &r, &signature);
  located[i] = make_int4(W::upper(r.x), W::upper(r.y), W::upper(r.z), 0);
}

/* Arrays by slot. */
template <class W> struct slot_arrays {
  typename W::place *place;
  typename W::motion *motion;
  int4 *narrow; /* NULL: place itself is what the list is built from */
  int64_t *tag;
  int32_t *type;
};

/* Fresh: the order is new, so tags and types by slot are, too; else they are read from there, side
   by side. */
template <class W, bool Fresh>
__global__ void gather_kernel(atom_source<W> a, int n, int ntypes, const uint32_t *order,
                              const int64_t *tag, const int32_t *type, slot_arrays<W> out)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  const int i = (int) order[s];
  int64_t t;
  int32_t kind;
  if (Fresh) {
    t = out.tag[s] = tag[i];
    kind = type[i];
    kind = out.type[s] = kind >= 0 && kind < ntypes ? kind : 0; /* a wrong type is named later */
  } else {
    t = out.tag[s];
    kind = out.type[s];
  }
  typename W::record r;
  uint32_t signature;
  if (!ds_read_atom(a, i, &r, &signature)) signature = ds_sign_atom(a, r, t);
  out.place[s] = W::put(r, kind);
  out.motion[s] = W::move(r, signature);
  if (Fresh && out.narrow)
    out.narrow[s] = make_int4(W::upper(r.x), W::upper(r.y), W::upper(r.z), kind);
}

/* --------------------------------------------------------------------------------------- driver */

static ds_status name_position(ds_dpd *dpd, const ds_array *x, int atom, ds_error *err)
{
  const double at[3] = {ds_array_get(x, atom, 0), ds_array_get(x, atom, 1),
                        ds_array_get(x, atom, 2)};
  int64_t tag;
  const ds_status s = ds_cuda_tag_of((ds_cuda_state *) dpd->state, atom, &tag, err);
  return s ? s : ds_dpd_position_error(dpd, tag, at, err);
}

/* The bus carries one piece while the processor packs the next. */
static ds_status load_host(ds_dpd *dpd, ds_cuda_state *c, const ds_array *x, const ds_array *v,
                           ds_error *err)
{
  const size_t size = c->wide ? sizeof(ds_record64) : sizeof(ds_record);
  const int n = dpd->nlocal;
  ds_status s = ds_cuda_stage(c, &c->record_host, (size_t) n + 1, size,
                              "records on their way to the device", err);
  if (s) return s;
  c->records_on_host = 1;
  ds_timer_begin(&c->timer, DS_STAGE_COPY_IN, c->stream);
  for (int first = 0; first < n && !s; first += DS_PIECE_ATOMS) {
    const int last = n - first < DS_PIECE_ATOMS ? n : first + DS_PIECE_ATOMS;
    if (!ds_offload_records(&dpd->frame, c->isa, c->wide, x, v, first, last, dpd->options.threads,
                            c->record_host.data))
      return name_position(dpd, x, ds_offload_find_fault(&dpd->frame, x, n), err);
    c->record_host.busy = 1;
    s = ds_gpu_check(cudaMemcpyAsync(DS_DATA(char, c->record) + size * (size_t) first,
                                     DS_DATA(char, c->record_host) + size * (size_t) first,
                                     size * (size_t) (last - first), cudaMemcpyHostToDevice,
                                     c->stream),
                     "copying positions to the device", err);
  }
  ds_timer_end(&c->timer, DS_STAGE_COPY_IN, c->stream);
  return s;
}

template <class W>
static ds_status load_device(ds_dpd *dpd, ds_cuda_state *c, const ds_array *x, const ds_array *v,
                             ds_error *err)
{
  ds_cuda_report *const report = DS_DATA(ds_cuda_report, c->report);
  ds_status s = ds_gpu_check(
      cudaMemsetAsync(&report->position_fault, 0, sizeof report->position_fault, c->stream),
      "clearing a report", err);
  c->records_on_host = 0;
  c->x = *x;
  ds_timer_begin(&c->timer, DS_STAGE_LOAD, c->stream);
  if (!s)
    s = DS_LAUNCH(err, "marshal kernel", marshal_kernel<W>,
                  ds_gpu_blocks((size_t) dpd->nlocal, DS_THREADS), DS_THREADS, c->stream,
                  dpd->frame, *x, *v, dpd->nlocal, DS_DATA(typename W::record, c->record), report);
  ds_timer_end(&c->timer, DS_STAGE_LOAD, c->stream);
  return s;
}

ds_status ds_cuda_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t size = c->wide ? sizeof(ds_record64) : sizeof(ds_record);
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (x->space != v->space)
    return ds_fail(err, DS_ERR_ARGUMENT, "positions and velocities lie in different memories");
  if (!s) s = ds_gpu_reserve(&c->record, (size_t) dpd->nlocal + 1, size, "positions", err);
  if (s) return s;
  c->gathered = 0;
  c->seed = dpd->params.seed;
  if (x->space == DS_SPACE_HOST)
    s = load_host(dpd, c, x, v, err);
  else
    s = c->wide ? load_device<wide_words>(dpd, c, x, v, err)
                : load_device<narrow_words>(dpd, c, x, v, err);
  return s ? s : ds_succeed(err);
}

/* The host still has the records that it has sent. */
ds_status ds_cuda_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t size = c->wide ? sizeof(ds_record64) : sizeof(ds_record), n = (size_t) dpd->nlocal;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (!s && !c->records_on_host) {
    s = ds_cuda_stage(c, &c->record_host, n + 1, size, "velocities from the device", err);
    if (!s)
      s = ds_cuda_download(c, c->record_host.data, c->record.data, size * n, "copying velocities",
                           err);
    if (!s) s = ds_cuda_wait(c, "copying velocities", err);
  }
  if (s) return s;
  ds_offload_velocities(c->record_host.data, c->wide, dpd->nlocal, dpd->options.threads, v);
  return ds_succeed(err);
}

template <class W> static ds_status locate(ds_dpd *dpd, ds_cuda_state *c, int n, ds_error *err)
{
  return DS_LAUNCH(err, "locate kernel", locate_kernel<W>, ds_gpu_blocks((size_t) n, DS_THREADS),
                   DS_THREADS, c->stream, ds_atom_source<W>(dpd), n, DS_DATA(int4, c->located));
}

ds_status ds_cuda_locate(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const int n = dpd->nlocal + dpd->nghost;
  ds_status s = ds_gpu_reserve(&c->located, (size_t) n + 1, sizeof(int4), "positions", err);
  if (!s) s = ds_cuda_upload_messages(dpd, err);
  if (s) return s;
  return c->wide ? locate<wide_words>(dpd, c, n, err) : locate<narrow_words>(dpd, c, n, err);
}

template <class W> static ds_status gather(ds_dpd *dpd, ds_cuda_state *c, int n, ds_error *err)
{
  const slot_arrays<W> out = {DS_DATA(typename W::place, c->slot_place),
                              DS_DATA(typename W::motion, c->slot_motion),
                              c->wide ? DS_DATA(int4, c->slot_narrow) : NULL,
                              DS_DATA(int64_t, c->slot_tag), DS_DATA(int32_t, c->slot_type)};
  return DS_LAUNCH(
      err, "gather kernel", (c->fresh_order ? gather_kernel<W, true> : gather_kernel<W, false>),
      ds_gpu_blocks((size_t) n, DS_THREADS), DS_THREADS, c->stream, ds_atom_source<W>(dpd), n,
      dpd->params.ntypes, c->list.order, DS_DATA(int64_t, c->tag), DS_DATA(int32_t, c->type), out);
}

ds_status ds_cuda_gather(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const int n = c->list.slots;
  const size_t room = (size_t) n + 1;
  if (c->gathered && !c->fresh_order) return DS_OK;
  ds_status s = ds_gpu_reserve(&c->slot_place, room, c->wide ? 32 : 16, "sorted positions", err);
  if (!s) s = ds_gpu_reserve(&c->slot_motion, room, c->wide ? 32 : 16, "sorted velocities", err);
  if (!s && c->wide)
    s = ds_gpu_reserve(&c->slot_narrow, room, sizeof(int4), "sorted positions", err);
  if (!s) s = ds_gpu_reserve(&c->slot_tag, room, sizeof(int64_t), "sorted atom IDs", err);
  if (!s) s = ds_gpu_reserve(&c->slot_type, room, sizeof(int32_t), "sorted atom types", err);
  if (!s) s = ds_cuda_upload_messages(dpd, err);
  if (s) return s;
  ds_timer_begin(&c->timer, DS_STAGE_GATHER, c->stream);
  s = c->wide ? gather<wide_words>(dpd, c, n, err) : gather<narrow_words>(dpd, c, n, err);
  ds_timer_end(&c->timer, DS_STAGE_GATHER, c->stream);
  c->fresh_order = 0;
  c->gathered = s == DS_OK;
  return s;
}
