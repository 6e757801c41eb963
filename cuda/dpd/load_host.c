/* Host backend: the caller's atoms into packed arrays, ghosts between ranks and from their owners.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_state.h"
#include "load.h"

#include <string.h>

/* The list is built from the upper halves of 64-bit positions. */
static void narrow(const int64_t *wide, int32_t *out, int n)
{
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) out[4 * k + c] = (int32_t) (wide[4 * k + c] >> 32);
}

static int load_chunk(const ds_dpd *dpd, ds_host_state *h, const ds_array *x, const ds_array *v,
                      int first, int n)
{
  static ds_read_function *const read[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_chunk_read);
  static ds_position_function *const positions[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_positions);
  static ds_signature_function *const signatures[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_signatures);
  int32_t *const p = ARRAY(int32_t, h->position) + 4 * (size_t) first;
  float *const u = ARRAY(float, h->velocity) + 4 * (size_t) first;
  uint32_t signature[DS_LOAD_CHUNK];
  ds_chunk c;
  int good;
  read[h->isa](&c, x, first, n);
  if (h->wide) {
    int64_t *const q = ARRAY(int64_t, h->position64) + 4 * (size_t) first;
    good = ds_positions64(&dpd->frame, &c, q);
    narrow(q, p, n);
  } else {
    good = positions[h->isa](&dpd->frame, &c, p);
  }
  read[h->isa](&c, v, first, n);
  signatures[h->isa](&c, ARRAY(int64_t, h->tag) + first, dpd->params.seed, (uint64_t) dpd->step,
                     signature);
  for (int k = 0; k < n; k++) {
    u[4 * k] = (float) c.x[k];
    u[4 * k + 1] = (float) c.y[k];
    u[4 * k + 2] = (float) c.z[k];
    u[4 * k + 3] = ds_uint_as_float(signature[k]);
  }
  if (h->wide) {
    double *const w = ARRAY(double, h->velocity64) + 4 * (size_t) first;
    for (int k = 0; k < n; k++) {
      w[4 * k] = c.x[k];
      w[4 * k + 1] = c.y[k];
      w[4 * k + 2] = c.z[k];
      w[4 * k + 3] = ds_ulong_as_double(signature[k]);
    }
  }
  return good;
}

static ds_status name_position(const ds_dpd *dpd, const ds_host_state *h, const ds_array *x,
                               ds_error *err)
{
  for (int i = 0; i < dpd->nlocal; i++) {
    const double at[3] = {ds_array_get(x, i, 0), ds_array_get(x, i, 1), ds_array_get(x, i, 2)};
    double lambda[3];
    ds_fraction(&dpd->frame, at[0], at[1], at[2], lambda);
    if (!ds_fraction_ok(&dpd->frame, lambda))
      return ds_dpd_position_error(dpd, ARRAY(int64_t, h->tag)[i], at, err);
  }
  return DS_OK;
}

static void ghosts_from_owners(const ds_dpd *dpd, ds_host_state *h)
{
  const int32_t *owner = ARRAY(int32_t, h->owner), *image = ARRAY(int32_t, h->image);
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int g = 0; g < dpd->nghost; g++) {
    const size_t from = 4 * (size_t) owner[g], to = 4 * ((size_t) dpd->nlocal + (size_t) g);
    const int32_t *b = image + 3 * (size_t) g;
    int32_t *p = ARRAY(int32_t, h->position);
    const ds_position q = ds_position_image(
        &dpd->frame, (ds_position){p[from], p[from + 1], p[from + 2]}, b[0], b[1], b[2]);
    p[to] = q.x;
    p[to + 1] = q.y;
    p[to + 2] = q.z;
    memcpy(ARRAY(float, h->velocity) + to, ARRAY(float, h->velocity) + from, 4 * sizeof(float));
    if (!h->wide) continue;
    int64_t *w = ARRAY(int64_t, h->position64);
    const ds_position64 q64 = ds_position64_image(
        &dpd->frame, (ds_position64){w[from], w[from + 1], w[from + 2]}, b[0], b[1], b[2]);
    w[to] = q64.x;
    w[to + 1] = q64.y;
    w[to + 2] = q64.z;
    memcpy(ARRAY(double, h->velocity64) + to, ARRAY(double, h->velocity64) + from,
           4 * sizeof(double));
  }
}

ds_status ds_host_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err)
{
  ds_host_state *h = dpd->state;
  int good = 1;
  ds_status s = ds_host_space_only(x, "positions", err);
  if (!s) s = ds_host_space_only(v, "velocities", err);
  if (s) return s;
#pragma omp parallel for num_threads(dpd->options.threads) reduction(& : good)
  for (int first = 0; first < dpd->nlocal; first += DS_LOAD_CHUNK) {
    const int left = dpd->nlocal - first;
    good &= load_chunk(dpd, h, x, v, first, left < DS_LOAD_CHUNK ? left : DS_LOAD_CHUNK);
  }
  if (!good) return name_position(dpd, h, x, err);
  if (h->have_owners) ghosts_from_owners(dpd, h);
  return ds_succeed(err);
}

ds_status ds_host_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err)
{
  const ds_host_state *h = dpd->state;
  const double *const wide = ARRAY(double, h->velocity64);
  const float *const single = ARRAY(float, h->velocity);
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int i = 0; i < dpd->nlocal; i++)
    for (int c = 0; c < 3; c++) {
      const size_t k = 4 * (size_t) i + (size_t) c;
      ds_array_put(v, i, c, h->wide ? wide[k] : (double) single[k]);
    }
  return ds_succeed(err);
}

/* -------------------------------------------------------------------------------------- ghosts */

static void pack_one(const ds_dpd *dpd, const ds_host_state *h, size_t i, const int b[3], char *out)
{
  const int32_t *p = ARRAY(int32_t, h->position) + 4 * i;
  const float *v = ARRAY(float, h->velocity) + 4 * i;
  const ds_position q =
      ds_position_image(&dpd->frame, (ds_position){p[0], p[1], p[2]}, b[0], b[1], b[2]);
  const int32_t position[3] = {q.x, q.y, q.z};
  memcpy(out, position, 12);
  memcpy(out + 12, v, 16);
}

static void pack_one64(const ds_dpd *dpd, const ds_host_state *h, size_t i, const int b[3],
                       char *out)
{
  const int64_t *p = ARRAY(int64_t, h->position64) + 4 * i;
  const double *v = ARRAY(double, h->velocity64) + 4 * i;
  const ds_position64 q =
      ds_position64_image(&dpd->frame, (ds_position64){p[0], p[1], p[2]}, b[0], b[1], b[2]);
  const int64_t position[3] = {q.x, q.y, q.z};
  memcpy(out, position, 24);
  memcpy(out + 24, v, 24);
  memcpy(out + 48, ARRAY(float, h->velocity) + 4 * i + 3, 4);
}

ds_status ds_host_pack(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                       ds_error *err)
{
  const ds_host_state *h = dpd->state;
  char *out = buffer;
  for (int k = 0; k < n; k++)
    if (h->wide)
      pack_one64(dpd, h, (size_t) list[k], shift, out + (size_t) k * DS_GHOST_BYTES64);
    else
      pack_one(dpd, h, (size_t) list[k], shift, out + (size_t) k * DS_GHOST_BYTES);
  return ds_succeed(err);
}

static void unpack_one64(ds_host_state *h, size_t i, const char *in)
{
  int64_t *p = ARRAY(int64_t, h->position64) + 4 * i;
  double *v = ARRAY(double, h->velocity64) + 4 * i;
  float *u = ARRAY(float, h->velocity) + 4 * i;
  uint32_t signature;
  memcpy(p, in, 24);
  memcpy(v, in + 24, 24);
  memcpy(&signature, in + 48, 4);
  v[3] = ds_ulong_as_double(signature);
  for (int c = 0; c < 3; c++) u[c] = (float) v[c];
  u[3] = ds_uint_as_float(signature);
  narrow(p, ARRAY(int32_t, h->position) + 4 * i, 1);
}

ds_status ds_host_unpack(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err)
{
  ds_host_state *h = dpd->state;
  const char *in = buffer;
  for (int k = 0; k < n; k++) {
    const size_t i = (size_t) first + (size_t) k;
    if (h->wide) {
      unpack_one64(h, i, in + (size_t) k * DS_GHOST_BYTES64);
    } else {
      memcpy(ARRAY(int32_t, h->position) + 4 * i, in + (size_t) k * DS_GHOST_BYTES, 12);
      memcpy(ARRAY(float, h->velocity) + 4 * i, in + (size_t) k * DS_GHOST_BYTES + 12, 16);
    }
  }
  return ds_succeed(err);
}

ds_status ds_host_set_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err)
{
  ds_host_state *h = dpd->state;
  const size_t n = (size_t) dpd->nghost;
  ds_status s = ds_buffer_reserve(&h->owner, n + 1, sizeof(int32_t), "ghost owners", err);
  if (!s) s = ds_buffer_reserve(&h->image, 3 * n + 3, sizeof(int32_t), "ghost images", err);
  if (s) return s;
  if (n) { /* memcpy takes no null pointers, not even for nothing */
    memcpy(h->owner.data, owner, n * sizeof *owner);
    memcpy(h->image.data, image, 3 * n * sizeof *image);
  }
  h->have_owners = 1;
  if (dpd->have_positions) ghosts_from_owners(dpd, h);
  return ds_succeed(err);
}
