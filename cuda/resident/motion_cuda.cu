/* CUDA backend of resident atoms.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded_cuda.h"
#include "../force/pair_cuda.h"
#include "kinetic_cuda.h"
#include "order_cuda.h"
#include "resident_state.h"

#include <stdlib.h>
#include <string.h>

namespace {
enum { THREADS = 256, MOST_MARKS = 64 };

typedef struct {
  ds_queue *stream; /* of the pair */
  ds_buffer own[DS_OWN_ARRAYS], mass, x_ref;
  ds_staging mass_host;
  ds_bonded_cuda bonded;
  ds_order_cuda order;
  ds_kinetic_cuda kinetic;
  cudaEvent_t mark[MOST_MARKS]; /* ends of steps, in turn */
  unsigned long long marks;
} ds_motion_cuda;

ds_motion_cuda *state_of(const ds_resident *r)
{
  return (ds_motion_cuda *) r->state;
}

/* ------------------------------------------------------------------------------------------ kernels */

/* Atoms as kernels see them. */
typedef struct {
  int n;
  double *x, *v, *f, *x_ref;
  const int32_t *type, *mask;
  const double *rmass, *mass; /* rmass NULL: by type */
} device_atoms;

__device__ void read3(const double *from, int i, double to[3])
{
  for (int d = 0; d < 3; d++) to[d] = from[3 * (size_t) i + d];
}

__device__ void write3(double *to, int i, const double from[3])
{
  for (int d = 0; d < 3; d++) to[3 * (size_t) i + d] = from[d];
}

__device__ bool differ3(const double a[3], const double b[3])
{
  return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

/* Of all threads of a block together. */
__device__ void stop_if(bool mine, uint32_t *reason, const ds_launch_id &launch)
{
  if (!__syncthreads_or(mine) || threadIdx.x) return;
  *reason = 1;
  ds_stop(launch);
}

__global__ void move_kernel(device_atoms p, const __grid_constant__ ds_motion m, ds_advance a,
                            ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  bool moved = false;
  if (i < p.n) {
    double x[3], v[3], f[3], x_ref[3];
    read3(p.x, i, x);
    if (a.first || a.second) {
      read3(p.v, i, v);
      read3(p.f, i, f);
      ds_move_atom(&m, a.second, a.first, p.mask[i], p.rmass ? p.rmass[i] : p.mass[p.type[i]], x, v,
                   f);
      write3(p.v, i, v);
    }
    if (a.first) write3(p.x, i, x);
    if (a.clear) {
      const double none[3] = {0.0, 0.0, 0.0};
      write3(p.f, i, none);
    }
    if (a.check) {
      read3(p.x_ref, i, x_ref);
      moved = ds_distance2(x, x_ref) > a.trigger2;
    }
  }
  if (a.check) stop_if(moved, &launch.control->moved, launch);
}

__global__ void outside_kernel(const double *x, int n, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  double at[3];
  if (i < n) read3(x, i, at);
  stop_if(i < n && ds_outside(&w, at), &launch.control->outside, launch);
}

__global__ void wrap_kernel(device_atoms p, int32_t *narrow, int64_t *wide, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  double at[3], v[3] = {0.0, 0.0, 0.0}, before[3];
  const int64_t old_image = wide ? wide[i] : narrow[i];
  int64_t image = old_image;
  read3(p.x, i, at);
  if (w.moving) read3(p.v, i, v);
  ds_wrap_atom(&w, at, v, &image);
  write3(p.x_ref, i, at);
  /* an atom just below the lower border can be rounded to the upper one, and come back from there: its position is
     another then, but its image is the same */
  read3(p.x, i, before);
  if (differ3(at, before)) write3(p.x, i, at);
  if (w.moving) write3(p.v, i, v);
  if (image == old_image) return;
  if (wide)
    wide[i] = image;
  else
    narrow[i] = (int32_t) image;
}

__global__ void convert_kernel(double *x, int n, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  double at[3];
  read3(x, i, at);
  ds_there_and_back(&w, at);
  write3(x, i, at);
}

/* ------------------------------------------------------------------------------------ open and close */

void cuda_close(ds_resident *r)
{
  ds_motion_cuda *const c = state_of(r);
  cudaSetDevice(c->stream->device);
  cudaStreamSynchronize(c->stream->stream);
  for (ds_buffer &b : c->own) ds_gpu_free(&b);
  ds_gpu_free(&c->mass);
  ds_gpu_free(&c->x_ref);
  ds_bonded_cuda_close(&c->bonded);
  ds_order_cuda_close(&c->order);
  ds_kinetic_cuda_close(&c->kinetic);
  ds_buffer_free(&ds_pinned_memory, &c->mass_host.buffer);
  for (cudaEvent_t mark : c->mark)
    if (mark) cudaEventDestroy(mark);
  free(c);
}

ds_status cuda_open(ds_resident *r, ds_error *err)
{
  ds_motion_cuda *const c = (ds_motion_cuda *) calloc(1, sizeof *c);
  if (!c) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  c->stream = &((ds_cuda_state *) r->pair->state)->stream;
  r->state = c;
  ds_status s = ds_queue_use(c->stream, err);
  for (int k = 0; k < MOST_MARKS && !s; k++)
    s = ds_gpu_check(cudaEventCreateWithFlags(&c->mark[k], cudaEventDisableTiming),
                     "creating an event", err);
  if (s) cuda_close(r);
  return s;
}

/* ------------------------------------------------------------------------------------------- fields */

ds_status send_masses(ds_resident *r, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  if (r->atoms.rmass.data) return DS_OK;
  const size_t n = (size_t) r->atoms.ntypes + 1;
  ds_status s = ds_gpu_reserve(&c->mass, n, sizeof(double), "masses of types", err);
  if (!s) s = ds_queue_stage(c->stream, &c->mass_host, n, sizeof(double), "masses of types", err);
  if (s) return s;
  memcpy(c->mass_host.buffer.data, r->mass, n * sizeof(double));
  return ds_queue_send(c->stream, c->mass.data, &c->mass_host, n * sizeof(double),
                        "copying masses", err);
}

/* What grows is filled anew: nothing may be under way in it. */
ds_status cuda_set_atoms(ds_resident *r, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  ds_status s = ds_queue_use(c->stream, err);
  if (!s) s = ds_queue_wait(c->stream, "resident atoms", err);
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++)
    s = ds_gpu_reserve(&c->own[k], ds_own_bytes(&r->atoms, (ds_own_array) k) + 8, 1,
                       "resident atoms", err);
  if (!s)
    s = ds_gpu_reserve(&c->x_ref, 3 * (size_t) r->atoms.n + 1, sizeof(double), "reference positions",
                       err);
  return s ? s : send_masses(r, err);
}

/* Waits in both directions: of page-locked memory nothing may have been copied yet, and its owner goes on to change it. */
ds_status copy_fields(ds_resident *r, int fields, int to_host, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  ds_status s = ds_queue_use(c->stream, err);
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++) {
    const ds_own_array which = (ds_own_array) k;
    void *const ours = c->own[k].data, *const theirs = ds_own_array_of(&r->atoms, which)->data;
    if (fields & ds_own_kinds[k].field)
      s = ds_queue_copy(c->stream, to_host ? theirs : ours, to_host ? ours : theirs,
                         ds_own_bytes(&r->atoms, which), ds_own_kinds[k].copying, err);
  }
  return s ? s : ds_queue_wait(c->stream, "resident atoms", err);
}

ds_status cuda_to_engine(ds_resident *r, int fields, ds_error *err)
{
  return copy_fields(r, fields, 0, err);
}

ds_status cuda_to_host(ds_resident *r, int fields, ds_error *err)
{
  return copy_fields(r, fields, 1, err);
}

ds_array cuda_array(const ds_resident *r, int what)
{
  const ds_motion_cuda *const c = state_of(r);
  const ds_own_array which = what == DS_POSITION   ? DS_OWN_X
                             : what == DS_VELOCITY ? DS_OWN_V
                                                   : DS_OWN_F;
  const ds_array a = {c->own[which].data, DS_F64, DS_SPACE_DEVICE, 3, 1};
  return a;
}

ds_status cuda_set_reference(ds_resident *r, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  const ds_status s = ds_queue_use(c->stream, err);
  return s ? s
           : ds_queue_copy(c->stream, c->x_ref.data, c->own[DS_OWN_X].data,
                            ds_field_bytes(r->atoms.n, 3, DS_F64), "holding positions", err);
}

ds_status cuda_reference_to_host(ds_resident *r, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  ds_status s = ds_queue_use(c->stream, err);
  if (!s)
    s = ds_queue_copy(c->stream, r->atoms.x.data, c->x_ref.data,
                       ds_field_bytes(r->atoms.n, 3, DS_F64), "copying reference positions", err);
  return s ? s : ds_queue_wait(c->stream, "reference positions", err);
}

ds_status cuda_take_kinetic(ds_resident *r, int set, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  const ds_kinetic_view view = {r->atoms.n,
                                DS_DATA(double, c->own[DS_OWN_V]),
                                r->atoms.rmass.data ? DS_DATA(double, c->own[DS_OWN_RMASS]) : NULL,
                                DS_DATA(double, c->mass),
                                DS_DATA(int32_t, c->own[DS_OWN_TYPE])};
  const ds_status s = ds_queue_use(c->stream, err);
  return s ? s : ds_kinetic_cuda_take(&c->kinetic, c->stream, set, &view, err);
}

ds_status cuda_kinetic(const ds_resident *r, int set, const double **terms, ds_error *err)
{
  const ds_motion_cuda *const c = state_of(r);
  const ds_status s = ds_queue_use(c->stream, err);
  return s ? s : ds_kinetic_cuda_wait(&c->kinetic, set, terms, err);
}

/* -------------------------------------------------------------------------------------------- motion */

device_atoms atoms_of(const ds_resident *r)
{
  const ds_motion_cuda *const c = state_of(r);
  return {r->atoms.n,
          DS_DATA(double, c->own[DS_OWN_X]),
          DS_DATA(double, c->own[DS_OWN_V]),
          DS_DATA(double, c->own[DS_OWN_F]),
          DS_DATA(double, c->x_ref),
          DS_DATA(int32_t, c->own[DS_OWN_TYPE]),
          DS_DATA(int32_t, c->own[DS_OWN_MASK]),
          r->atoms.rmass.data ? DS_DATA(double, c->own[DS_OWN_RMASS]) : NULL,
          DS_DATA(double, c->mass)};
}

ds_status cuda_advance(ds_resident *r, const ds_advance *a, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  const ds_status s = ds_queue_use(c->stream, err);
  if (s) return s;
  ds_timer_begin(&c->stream->timer, DS_STAGE_MOTION, c->stream->stream);
  const ds_status launched =
      DS_LAUNCH(err, "move kernel", move_kernel, ds_gpu_blocks((size_t) r->atoms.n, THREADS),
                THREADS, c->stream->stream, atoms_of(r), r->motion, *a,
                ds_queue_launch_id(c->stream, a->step));
  ds_timer_end(&c->stream->timer, DS_STAGE_MOTION, c->stream->stream);
  return launched;
}

ds_status cuda_wrap(ds_resident *r, int64_t step, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  const ds_wrap *const w = &r->wrap;
  const unsigned blocks = ds_gpu_blocks((size_t) r->atoms.n, THREADS);
  const int wide = r->atoms.image.type == DS_I64;
  ds_status s = ds_queue_use(c->stream, err);
  if (!s && !(w->periodic[0] && w->periodic[1] && w->periodic[2]))
    s = DS_LAUNCH(err, "outside kernel", outside_kernel, blocks, THREADS, c->stream->stream,
                  DS_DATA(double, c->own[DS_OWN_X]), r->atoms.n, *w,
                  ds_queue_launch_id(c->stream, step));
  ds_timer_begin(&c->stream->timer, DS_STAGE_WRAP, c->stream->stream);
  if (!s)
    s = DS_LAUNCH(err, "wrap kernel", wrap_kernel, blocks, THREADS, c->stream->stream, atoms_of(r),
                  wide ? NULL : DS_DATA(int32_t, c->own[DS_OWN_IMAGE]),
                  wide ? DS_DATA(int64_t, c->own[DS_OWN_IMAGE]) : NULL, *w,
                  ds_queue_launch_id(c->stream, step));
  ds_timer_end(&c->stream->timer, DS_STAGE_WRAP, c->stream->stream);
  return s;
}

/* -------------------------------------------------------------------------------------------- bonds */

ds_bonded_cuda *bonded_of(ds_resident *r)
{
  ds_motion_cuda *const c = state_of(r);
  c->bonded.view = ds_bonded_view_of(&r->bonded, &r->wrap);
  c->bonded.view.x = DS_DATA(double, c->own[DS_OWN_X]);
  c->bonded.view.f = DS_DATA(double, c->own[DS_OWN_F]);
  return &c->bonded;
}

ds_status cuda_set_bonded(ds_resident *r, ds_error *err)
{
  return ds_bonded_cuda_set(bonded_of(r), state_of(r)->stream, &r->bonded, err);
}

ds_status cuda_bonded_images(ds_resident *r, int64_t step, ds_error *err)
{
  ds_bonded_cuda *const b = bonded_of(r);
  b->view.x = DS_DATA(double, state_of(r)->x_ref); /* as of the last rebuild */
  return ds_bonded_cuda_images(b, state_of(r)->stream, step, err);
}

ds_status cuda_bonded_forces(ds_resident *r, int64_t step, ds_error *err)
{
  return ds_bonded_cuda_forces(bonded_of(r), state_of(r)->stream, step, err);
}

ds_status cuda_bonded_sums(ds_resident *r, ds_bonded_sums *sums, ds_error *err)
{
  return ds_bonded_cuda_sums(bonded_of(r), state_of(r)->stream, &r->bonded, sums, err);
}

/* -------------------------------------------------------------------------------------------- order */

ds_status cuda_sort(ds_resident *r, const ds_sort_bins *bins, int composed, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  const int n = r->atoms.n;
  ds_status s = ds_queue_use(c->stream, err);
  if (!s)
    s = ds_order_cuda_find(&c->order, c->stream, DS_DATA(double, c->own[DS_OWN_X]), n, bins,
                           composed, err);
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++) {
    const ds_array *const array = ds_own_array_of(&r->atoms, (ds_own_array) k);
    if (array->data)
      s = ds_order_cuda_apply(&c->order, c->stream, c->own[k].data, n, ds_own_kinds[k].components,
                              array->type, err);
  }
  if (!s && r->wrap.tilted)
    s = DS_LAUNCH(err, "convert kernel", convert_kernel, ds_gpu_blocks((size_t) n, THREADS),
                  THREADS, c->stream->stream, DS_DATA(double, c->own[DS_OWN_X]), n, r->wrap);
  return s ? s : cuda_set_reference(r, err);
}

ds_status cuda_order(ds_resident *r, int32_t *order, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  ds_status s = ds_queue_use(c->stream, err);
  if (!s)
    s = ds_queue_copy(c->stream, order, c->order.composed.data,
                       ds_field_bytes(r->atoms.n, 1, DS_I32), "copying the order of atoms", err);
  return s ? s : ds_queue_wait(c->stream, "the order of atoms", err);
}

void cuda_identity(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask)
{
  const ds_motion_cuda *const c = state_of(r);
  *tag = {r->atoms.tag.data ? c->own[DS_OWN_TAG].data : NULL, r->atoms.tag.type, DS_SPACE_DEVICE, 1,
          1};
  *type = {c->own[DS_OWN_TYPE].data, DS_I32, DS_SPACE_DEVICE, 1, 1};
  *mask = {c->own[DS_OWN_MASK].data, DS_I32, DS_SPACE_DEVICE, 1, 1};
}

/* --------------------------------------------------------------------------------------------- ends */

int cuda_stopped(const ds_resident *r)
{
  return *(volatile int *) state_of(r)->stream->halt_flag_host;
}

ds_status cuda_mark_step(ds_resident *r, int ahead, ds_error *err)
{
  ds_motion_cuda *const c = state_of(r);
  ds_status s = ds_gpu_check(cudaEventRecord(c->mark[c->marks % MOST_MARKS], c->stream->stream),
                             "recording an event", err);
  if (!s && c->marks >= (unsigned long long) ahead)
    s = ds_gpu_check(cudaEventSynchronize(c->mark[(c->marks - (unsigned) ahead) % MOST_MARKS]),
                     "waiting for a step", err);
  c->marks++;
  return s;
}

ds_status cuda_end(ds_resident *r, ds_pair_result *result, ds_stop_reason *why, int64_t *step,
                   ds_error *err)
{
  const ds_control *const seen = state_of(r)->stream->control_host;
  *why = DS_GOES_ON;
  const ds_status s = ds_pair_check(r->pair, result, step, err);
  if (!s && *step >= 0)
    *why = seen->moved     ? DS_STOP_MOVED
           : seen->outside ? DS_STOP_OUTSIDE
           : seen->bonded  ? DS_STOP_BONDED
                           : DS_STOP_LIST;
  return s;
}
}    // namespace

const ds_motion_backend ds_motion_cuda_backend = {cuda_open,
                                                  cuda_close,
                                                  cuda_set_atoms,
                                                  cuda_to_engine,
                                                  cuda_to_host,
                                                  cuda_array,
                                                  cuda_set_reference,
                                                  cuda_reference_to_host,
                                                  cuda_take_kinetic,
                                                  cuda_kinetic,
                                                  cuda_advance,
                                                  cuda_wrap,
                                                  cuda_set_bonded,
                                                  cuda_bonded_images,
                                                  cuda_bonded_forces,
                                                  cuda_bonded_sums,
                                                  cuda_stopped,
                                                  cuda_mark_step,
                                                  cuda_end,
                                                  cuda_sort,
                                                  cuda_order,
                                                  cuda_identity,
                                                  1};
