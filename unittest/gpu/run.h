/* run.h: a fluid that is integrated where its arrays are, on the host or on the GPU, with the same operations. For
   CUDA sources, after check.h.   SPDX-License-Identifier: GPL-2.0-or-later

   Velocity Verlet as LAMMPS's: forces see the velocities of the half step. Some atoms are pulled towards a point
   besides. On the GPU all is queued, and looked at every `poll` steps. */
#ifndef DPDSOP_TEST_RUN_H
#define DPDSOP_TEST_RUN_H

#include "gpu/device.h"
#include "support/engine.h"

#include <string.h>

enum { RUN_THREADS = 128 };

/* What the integrator knows. Atoms closer to the center than `reach` are pulled towards it. */
typedef struct {
  int n;
  double dt, edge, pull, reach;
  double *x, *v, *f;
} motion;

/* Something bad done to one atom before the forces of a step. */
typedef enum { NOTHING, LOST, TOO_FAST } mishap;

static __host__ __device__ inline void half_kick(const motion &m, size_t i)
{
  double d[3], d2 = 0.0;
  for (int c = 0; c < 3; c++) {
    d[c] = m.x[3 * i + c] - 0.5 * m.edge;
    d2 += d[c] * d[c];
  }
  const double pull = d2 < m.reach * m.reach ? m.pull : 0.0;
  for (int c = 0; c < 3; c++) m.v[3 * i + c] += 0.5 * m.dt * (m.f[3 * i + c] - pull * d[c]);
}

static __host__ __device__ inline void first_half(const motion &m, size_t i, int wrap)
{
  half_kick(m, i);
  for (size_t k = 3 * i; k < 3 * i + 3; k++) {
    m.x[k] += m.dt * m.v[k];
    if (wrap) m.x[k] -= m.edge * floor(m.x[k] / m.edge);
    m.f[k] = 0.0; /* forces are added */
  }
}

static __host__ __device__ inline void spoil(const motion &m, mishap what)
{
  const int atom = 41;
  if (what == LOST) m.x[3 * atom + 1] = NAN;
  if (what == TOO_FAST) m.v[3 * atom + 1] = 1e25;
}

__global__ void first_half_kernel(motion m, int wrap, const uint64_t *halted)
{
  const size_t i = (size_t) blockIdx.x * RUN_THREADS + threadIdx.x;
  if (i < (size_t) m.n && !*halted) first_half(m, i, wrap);
}

__global__ void second_half_kernel(motion m, const uint64_t *halted)
{
  const size_t i = (size_t) blockIdx.x * RUN_THREADS + threadIdx.x;
  if (i < (size_t) m.n && !*halted) half_kick(m, i);
}

__global__ void spoil_kernel(motion m, mishap what, const uint64_t *halted)
{
  if (!*halted) spoil(m, what);
}

typedef struct {
  ds_pair *pair;
  int device;
  motion m;
  ds_array x, v, f, tag, type, other_type;
  int every, poll;  /* steps between two lists, and between two looks at the GPU */
  int64_t step;     /* the last whose evaluation was queued */
  int unchecked;    /* steps since the last look */
  int repeats;      /* how often some were to be queued once more */
  int64_t again;    /* from which step, the last time */
  int64_t bad_step; /* before its forces `what` happens; or types change, where `retype` */
  mishap what;
  int retype;
  ds_pair_request wanted; /* of the last evaluation */
  ds_pair_totals sums;    /* of the last evaluation that wanted some */
  ds_error err;
} test_run;

static void *run_copy(const test_run *r, const void *data, size_t bytes)
{
  if (r->device) return device_copy(data, bytes);
  void *const p = test_alloc(bytes);
  memcpy(p, data, bytes);
  return p;
}

static ds_array run_array(const test_run *r, const void *data, ds_type type, int components)
{
  const size_t size = type == DS_F64 || type == DS_I64 ? 8 : 4;
  const ds_array a = {run_copy(r, data, size * (size_t) (components * r->m.n)), type,
                      r->device ? DS_SPACE_DEVICE : DS_SPACE_HOST, components, 1};
  return a;
}

/* A system without ghosts, in a cube that begins at 0. */
static int run_open(test_run *r, const ds_pair_options *options, ds_precision precision,
                    const test_model *t, const test_system *s, int every, int poll)
{
  ds_pair_options o = *options;
  double *const zero = (double *) test_alloc(24 * (size_t) s->nlocal);
  int32_t *const other = (int32_t *) test_alloc(4 * (size_t) s->nlocal);
  ds_atoms atoms;
  memset(r, 0, sizeof *r);
  memset(&atoms, 0, sizeof atoms);
  o.precision = precision;
  o.style = t->style;
  r->device = o.backend == DS_BACKEND_CUDA;
  r->every = every;
  r->poll = poll;
  r->bad_step = -1;
  r->again = -1;
  r->m.n = s->nlocal;
  r->m.dt = t->m.dt;
  r->m.edge = s->box.h[0];
  for (int i = 0; i < s->nlocal; i++) other[i] = i % 3 ? s->type[i] : t->m.ntypes + 1 - s->type[i];
  ds_status status = ds_pair_open(&r->pair, &o, &r->err);
  if (!CHECK_MSG(status == DS_OK, "%s", r->err.text)) return 0;
  r->x = run_array(r, s->x, DS_F64, 3);
  r->v = run_array(r, s->v, DS_F64, 3);
  r->f = run_array(r, zero, DS_F64, 3);
  r->tag = run_array(r, s->tag, DS_I64, 1);
  r->type = run_array(r, s->type, DS_I32, 1);
  r->other_type = run_array(r, other, DS_I32, 1);
  r->m.x = (double *) r->x.data;
  r->m.v = (double *) r->v.data;
  r->m.f = (double *) r->f.data;
  atoms.nlocal = s->nlocal;
  atoms.tag = r->tag;
  atoms.type = r->type;
  status = ds_pair_set_model(r->pair, &t->m, &r->err);
  if (!status) status = ds_pair_set_box(r->pair, &s->box, &r->err);
  if (!status) status = ds_pair_set_atoms(r->pair, &atoms, &r->err);
  free(zero);
  free(other);
  return CHECK_MSG(status == DS_OK, "%s", r->err.text);
}

static void run_close(test_run *r)
{
  ds_array *const all[] = {&r->x, &r->v, &r->f, &r->tag, &r->type, &r->other_type};
  if (r->pair) ds_pair_close(r->pair);
  for (int k = 0; k < 6; k++)
    if (r->device)
      device_free(all[k]->data);
    else
      free(all[k]->data);
}

/* Contents of one of the arrays, on the host. Waits. */
static double *run_values(const test_run *r, const ds_array *a)
{
  const size_t bytes = 24 * (size_t) r->m.n;
  double *const p = (double *) test_alloc(bytes);
  if (r->device)
    device_read(p, a->data, bytes);
  else
    memcpy(p, a->data, bytes);
  return p;
}

/* Positions, velocities and forces have the same bits. */
static void run_compare(const char *name, const test_run *a, const test_run *b, int forces)
{
  static const char *const what[3] = {"positions", "velocities", "forces"};
  const ds_array *const p[3] = {&a->x, &a->v, &a->f}, *const q[3] = {&b->x, &b->v, &b->f};
  for (int k = 0; k < 2 + forces; k++) {
    double *const u = run_values(a, p[k]), *const w = run_values(b, q[k]);
    int atom = -1;
    for (int i = 3 * a->m.n - 1; i >= 0; i--)
      if (memcmp(u + i, w + i, 8) != 0) atom = i / 3;
    CHECK_MSG(atom < 0, "%s: %s of atom %d differ: %.17g %.17g %.17g and %.17g %.17g %.17g", name,
              what[k], atom, u[3 * atom], u[3 * atom + 1], u[3 * atom + 2], w[3 * atom],
              w[3 * atom + 1], w[3 * atom + 2]);
    free(u);
    free(w);
  }
}

/* ------------------------------------------------------------------------------------------- steps */

static void run_first_half(test_run *r, int wrap)
{
  if (r->device) {
    const cudaStream_t stream = (cudaStream_t) ds_pair_stream(r->pair);
    const uint64_t *const halted = ds_pair_halted(r->pair);
    first_half_kernel<<<(r->m.n + RUN_THREADS - 1) / RUN_THREADS, RUN_THREADS, 0, stream>>>(
        r->m, wrap, halted);
    if (r->step == r->bad_step && r->what) spoil_kernel<<<1, 1, 0, stream>>>(r->m, r->what, halted);
    device_require(cudaGetLastError(), "first half of a step");
  } else {
    for (int i = 0; i < r->m.n; i++) first_half(r->m, (size_t) i, wrap);
    if (r->step == r->bad_step && r->what) spoil(r->m, r->what);
  }
}

static void run_second_half(test_run *r)
{
  if (r->device) {
    const cudaStream_t stream = (cudaStream_t) ds_pair_stream(r->pair);
    second_half_kernel<<<(r->m.n + RUN_THREADS - 1) / RUN_THREADS, RUN_THREADS, 0, stream>>>(
        r->m, ds_pair_halted(r->pair));
    device_require(cudaGetLastError(), "second half of a step");
  } else {
    for (int i = 0; i < r->m.n; i++) half_kick(r->m, (size_t) i);
  }
}

/* Forces of r->step; on the GPU queued. */
static ds_status run_evaluate(test_run *r, int rebuild)
{
  ds_status status = DS_OK;
  memset(&r->wanted, 0, sizeof r->wanted);
  r->wanted.f = r->f;
  r->wanted.want_energy = r->wanted.want_virial = r->step % 10 == 0;
  if (r->retype && r->step == r->bad_step)
    status = ds_pair_set_types(r->pair, &r->other_type, &r->err);
  if (!status) status = ds_pair_load(r->pair, &r->x, &r->v, r->step, &r->err);
  if (!status && rebuild) status = ds_pair_build_list(r->pair, &r->err);
  if (!status)
    status = r->device ? ds_pair_enqueue(r->pair, &r->wanted, &r->err)
                       : ds_pair_compute(r->pair, &r->wanted, r->wanted.want_energy ? &r->sums : NULL, &r->err);
  r->unchecked++;
  return status;
}

/* Waits for the GPU; what it left out is queued once more. */
static ds_status run_look(test_run *r)
{
  for (;;) {
    int64_t again;
    ds_status status = ds_pair_check(r->pair, &r->sums, &again, &r->err);
    r->unchecked = 0;
    if (status || again < 0) return status;
    r->repeats++;
    r->again = again;
    const int64_t last = r->step;
    for (r->step = again;; r->step++) { /* the atoms of the first have moved already */
      if (r->step > again) run_first_half(r, r->step % r->every == 0);
      status = run_evaluate(r, r->step == again || r->step % r->every == 0);
      if (status) return status;
      if (r->step > 0) run_second_half(r);
      if (r->step == last) break;
    }
  }
}

/* Step 0, without a half before or after it. */
static ds_status run_begin(test_run *r)
{
  r->step = 0;
  const ds_status status = run_evaluate(r, 1);
  return status || !r->device ? status : run_look(r);
}

/* Steps up to `last`; looked at on the way, and at the end where `look`. */
static ds_status run_to(test_run *r, int64_t last, int look)
{
  while (r->step < last) {
    r->step++;
    run_first_half(r, r->step % r->every == 0);
    ds_status status = run_evaluate(r, r->step % r->every == 0);
    if (status) return status;
    run_second_half(r);
    if (r->device && (r->unchecked >= r->poll || (look && r->step == last))) status = run_look(r);
    if (status) return status;
  }
  return DS_OK;
}

#endif
