/* Host backend: C with OpenMP.   SPDX-License-Identifier: GPL-2.0-or-later

   Data's way: the caller's arrays -> packed atoms in the caller's order (load.h) -> ghosts -> packed
   atoms by slot, the sorted order -> sweep -> integer sums by row -> the caller's force array. */
#include "../common/buffer.h"
#include "../common/isa.h"
#include "../neighbor/list_host.h"
#include "dpd_state.h"
#include "load.h"
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY(type, buffer) ((type *) (buffer).data)

typedef struct {
  ds_isa isa;
  int wide; /* double precision: 64-bit words */
  /* by atom, the caller's order */
  ds_buffer position;  /* 4 x int32: x y z type */
  ds_buffer velocity;  /* 4 x float: x y z signature */
  ds_buffer position64, velocity64; /* the same in 64-bit words; only where wide */
  ds_buffer tag, type; /* int64; int32, 0-based */
  ds_buffer owner, image;  /* by ghost; int32 and 3 x int32 */
  int have_owners;
  /* special partners */
  ds_special special;
  ds_buffer special_count, special_tag;
  /* by slot */
  ds_buffer slot_position, slot_velocity;
  ds_list_host list;
  /* by row */
  ds_buffer force, energy, virial; /* int64: 3, 1, 6 */
} host_state;

static ds_status host_open(ds_dpd *dpd, ds_error *err)
{
  host_state *h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the host backend");
  const ds_status s = ds_isa_choose(dpd->options.isa, &h->isa, err);
  if (s) {
    free(h);
    return s;
  }
  h->wide = dpd->options.precision == DS_PRECISION_DOUBLE;
  dpd->state = h;
  return DS_OK;
}

static ds_buffer *buffer_of(host_state *h, int k)
{
  ds_buffer *const all[] = {&h->position, &h->velocity, &h->position64, &h->velocity64, &h->tag,
                            &h->type, &h->owner, &h->image, &h->special_count, &h->special_tag,
                            &h->slot_position, &h->slot_velocity, &h->force, &h->energy, &h->virial};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

static void host_close(ds_dpd *dpd)
{
  host_state *h = dpd->state;
  for (int k = 0; buffer_of(h, k); k++) ds_buffer_free(buffer_of(h, k));
  ds_list_host_free(&h->list);
  free(h);
}

static ds_status host_space_only(const ds_array *a, const char *what, ds_error *err)
{
  if (!a->data || a->space == DS_SPACE_HOST) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s lies in device memory; the host backend cannot read it", what);
}

static ds_status reserve_atoms(host_state *h, size_t n, ds_error *err)
{
  const size_t word = h->wide ? 8 : 4;
  ds_status s = ds_buffer_reserve(&h->position, 4 * n, 4, "positions", err);
  if (!s) s = ds_buffer_reserve(&h->velocity, 4 * n, 4, "velocities", err);
  if (!s && h->wide) s = ds_buffer_reserve(&h->position64, 4 * n, 8, "positions", err);
  if (!s && h->wide) s = ds_buffer_reserve(&h->velocity64, 4 * n, 8, "velocities", err);
  if (!s) s = ds_buffer_reserve(&h->slot_position, 4 * n, word, "sorted positions", err);
  if (!s) s = ds_buffer_reserve(&h->slot_velocity, 4 * n, word, "sorted velocities", err);
  if (!s) s = ds_buffer_reserve(&h->tag, n, sizeof(int64_t), "atom IDs", err);
  if (!s) s = ds_buffer_reserve(&h->type, n, sizeof(int32_t), "atom types", err);
  return s;
}

static ds_status reserve_rows(host_state *h, size_t n, ds_error *err)
{
  ds_status s = ds_buffer_reserve(&h->force, 3 * n, sizeof(int64_t), "force sums", err);
  if (!s) s = ds_buffer_reserve(&h->energy, n, sizeof(int64_t), "energy sums", err);
  if (!s) s = ds_buffer_reserve(&h->virial, 6 * n, sizeof(int64_t), "virial sums", err);
  return s;
}

static ds_status copy_special(ds_dpd *dpd, host_state *h, const ds_atoms *atoms, ds_error *err)
{
  const size_t n = (size_t) dpd->nlocal;
  int most = 0;
  h->special.max_special = 0;
  if (!atoms->nspecial.data) return DS_OK;
  ds_status s = ds_buffer_reserve(&h->special_count, 3 * n + 3, sizeof(int32_t), "special counts", err);
  if (s) return s;
  int32_t *count = ARRAY(int32_t, h->special_count);
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      count[3 * i + (size_t) c] = (int32_t) ds_array_int(&atoms->nspecial, (ptrdiff_t) i, c);
      if (count[3 * i + (size_t) c] > most) most = count[3 * i + (size_t) c];
    }
  if (most == 0) return DS_OK;
  s = ds_buffer_reserve(&h->special_tag, n * (size_t) most, sizeof(int64_t), "special partners", err);
  if (s) return s;
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < count[3 * i + 2]; c++)
      ARRAY(int64_t, h->special_tag)
  [i * (size_t) most + (size_t) c] = ds_array_int(&atoms->special, (ptrdiff_t) i, c);
  h->special.max_special = most;
  h->special.counts = count;
  h->special.partners = ARRAY(int64_t, h->special_tag);
  return DS_OK;
}

static ds_status host_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err)
{
  host_state *h = dpd->state;
  const int n = dpd->nlocal + dpd->nghost;
  int bad = -1;
  ds_status s = host_space_only(&atoms->tag, "atom IDs", err);
  if (!s) s = host_space_only(&atoms->type, "atom types", err);
  if (!s) s = host_space_only(&atoms->nspecial, "special counts", err);
  if (!s && atoms->nspecial.data) s = host_space_only(&atoms->special, "special partners", err);
  if (!s) s = reserve_atoms(h, (size_t) n + 1, err);
  if (!s) s = reserve_rows(h, (size_t) dpd->nlocal + 1, err);
  if (!s) s = copy_special(dpd, h, atoms, err);
  if (s) return s;
  h->have_owners = 0;
#pragma omp parallel for num_threads(dpd->options.threads) reduction(max : bad)
  for (int i = 0; i < n; i++) {
    const int64_t type = ds_array_int(&atoms->type, i, 0) - 1;
    if (type < 0 || type >= dpd->params.ntypes) bad = i;
    ARRAY(int64_t, h->tag)[i] = ds_array_int(&atoms->tag, i, 0);
    ARRAY(int32_t, h->type)[i] = (int32_t) type;
    ARRAY(int32_t, h->position)[4 * (size_t) i + 3] = (int32_t) type;
    if (h->wide) ARRAY(int64_t, h->position64)[4 * (size_t) i + 3] = type;
  }
  if (bad >= 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %d; allowed: 1 to %d",
                   (long long) ARRAY(int64_t, h->tag)[bad], ARRAY(int32_t, h->type)[bad] + 1,
                   dpd->params.ntypes);
  return ds_succeed(err);
}

/* ------------------------------------------------------------------------------------- loading */

/* The list is built from the upper halves of 64-bit positions. */
static void narrow(const int64_t *wide, int32_t *out, int n)
{
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) out[4 * k + c] = (int32_t) (wide[4 * k + c] >> 32);
}

static int load_chunk(const ds_dpd *dpd, host_state *h, const ds_array *x, const ds_array *v, int first,
                      int n)
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
  signatures[h->isa](&c, ARRAY(int64_t, h->tag) + first, dpd->params.seed, (uint64_t) dpd->step, signature);
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

static ds_status name_position(const ds_dpd *dpd, const host_state *h, const ds_array *x, ds_error *err)
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

static void ghosts_from_owners(const ds_dpd *dpd, host_state *h)
{
  const int32_t *owner = ARRAY(int32_t, h->owner), *image = ARRAY(int32_t, h->image);
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int g = 0; g < dpd->nghost; g++) {
    const size_t from = 4 * (size_t) owner[g], to = 4 * ((size_t) dpd->nlocal + (size_t) g);
    const int32_t *b = image + 3 * (size_t) g;
    int32_t *p = ARRAY(int32_t, h->position);
    const ds_position q = ds_position_image(
        &dpd->frame, (ds_position) {p[from], p[from + 1], p[from + 2]}, b[0], b[1], b[2]);
    p[to] = q.x;
    p[to + 1] = q.y;
    p[to + 2] = q.z;
    memcpy(ARRAY(float, h->velocity) + to, ARRAY(float, h->velocity) + from, 4 * sizeof(float));
    if (!h->wide) continue;
    int64_t *w = ARRAY(int64_t, h->position64);
    const ds_position64 q64 = ds_position64_image(
        &dpd->frame, (ds_position64) {w[from], w[from + 1], w[from + 2]}, b[0], b[1], b[2]);
    w[to] = q64.x;
    w[to + 1] = q64.y;
    w[to + 2] = q64.z;
    memcpy(ARRAY(double, h->velocity64) + to, ARRAY(double, h->velocity64) + from, 4 * sizeof(double));
  }
}

static ds_status host_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err)
{
  host_state *h = dpd->state;
  int good = 1;
  ds_status s = host_space_only(x, "positions", err);
  if (!s) s = host_space_only(v, "velocities", err);
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

static ds_status host_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err)
{
  const host_state *h = dpd->state;
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

static void pack_one(const ds_dpd *dpd, const host_state *h, size_t i, const int b[3], char *out)
{
  const int32_t *p = ARRAY(int32_t, h->position) + 4 * i;
  const float *v = ARRAY(float, h->velocity) + 4 * i;
  const ds_position q =
      ds_position_image(&dpd->frame, (ds_position) {p[0], p[1], p[2]}, b[0], b[1], b[2]);
  const int32_t position[3] = {q.x, q.y, q.z};
  memcpy(out, position, 12);
  memcpy(out + 12, v, 16);
}

static void pack_one64(const ds_dpd *dpd, const host_state *h, size_t i, const int b[3], char *out)
{
  const int64_t *p = ARRAY(int64_t, h->position64) + 4 * i;
  const double *v = ARRAY(double, h->velocity64) + 4 * i;
  const ds_position64 q =
      ds_position64_image(&dpd->frame, (ds_position64) {p[0], p[1], p[2]}, b[0], b[1], b[2]);
  const int64_t position[3] = {q.x, q.y, q.z};
  memcpy(out, position, 24);
  memcpy(out + 24, v, 24);
  memcpy(out + 48, ARRAY(float, h->velocity) + 4 * i + 3, 4);
}

static ds_status host_pack(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                           ds_error *err)
{
  const host_state *h = dpd->state;
  char *out = buffer;
  for (int k = 0; k < n; k++)
    if (h->wide)
      pack_one64(dpd, h, (size_t) list[k], shift, out + (size_t) k * DS_GHOST_BYTES64);
    else
      pack_one(dpd, h, (size_t) list[k], shift, out + (size_t) k * DS_GHOST_BYTES);
  return ds_succeed(err);
}

static void unpack_one64(host_state *h, size_t i, const char *in)
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

static ds_status host_unpack(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err)
{
  host_state *h = dpd->state;
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

static ds_status host_set_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err)
{
  host_state *h = dpd->state;
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

/* --------------------------------------------------------------------------------------- lists */

static ds_status host_build_list(ds_dpd *dpd, ds_error *err)
{
  host_state *h = dpd->state;
  const ds_dpd_params *p = &dpd->params;
  ds_list_input in;
  in.frame = &dpd->frame;
  in.grid = &dpd->grid;
  in.range.ntypes = p->ntypes;
  in.range.core2 = p->core2;
  in.range.list2 = p->list2;
  in.special = h->special.max_special ? &h->special : NULL;
  in.nlocal = dpd->nlocal;
  in.nall = dpd->nlocal + dpd->nghost;
  in.positions = h->position.data;
  in.type = h->type.data;
  in.tag = h->tag.data;
  in.threads = dpd->options.threads;
  in.isa = h->isa;
  return ds_list_host_build(&h->list, &in, err);
}

static ds_status host_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err)
{
  host_state *h = dpd->state;
  return ds_list_host_set(&h->list, dpd->nlocal + dpd->nghost, list->rows, list->atom, list->count,
                          list->entries, dpd->options.threads, err);
}

static ds_status host_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                                ds_error *err)
{
  const host_state *h = dpd->state;
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  for (int r = 0; r < h->list.rows; r++) {
    const size_t base = (size_t) r * (size_t) h->list.capacity;
    const uint32_t *from = ARRAY(uint32_t, h->list.entries) + base;
    atom[r] = (int) order[ARRAY(uint32_t, h->list.row_slot)[r]];
    core[r] = ARRAY(int32_t, h->list.core)[r];
    count[r] = ARRAY(int32_t, h->list.count)[r];
    for (int k = 0; k < count[r]; k++)
      entries[base + (size_t) k] =
          order[from[k] & DS_INDEX_MASK] | (from[k] & ~(uint32_t) DS_INDEX_MASK);
  }
  return ds_succeed(err);
}

/* -------------------------------------------------------------------------------------- forces */

static void gather(const ds_dpd *dpd, host_state *h)
{
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  const size_t bytes = h->wide ? 32 : 16;
  const char *p = h->wide ? h->position64.data : h->position.data;
  const char *v = h->wide ? h->velocity64.data : h->velocity.data;
  char *sp = h->slot_position.data, *sv = h->slot_velocity.data;
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int s = 0; s < h->list.slots; s++) {
    const size_t from = bytes * order[s], to = bytes * (size_t) s;
    memcpy(sp + to, p + from, bytes);
    memcpy(sv + to, v + from, bytes);
  }
}

static ds_sweep_function *sweep_of(const ds_dpd *dpd, const host_state *h)
{
  static ds_sweep_function *const mixed[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_mixed);
  static ds_sweep_function *const single[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_single);
  static ds_sweep_function *const wide[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_double);
  switch (dpd->options.precision) {
    case DS_PRECISION_SINGLE: return single[h->isa];
    case DS_PRECISION_DOUBLE: return wide[h->isa];
    default: return mixed[h->isa];
  }
}

static ds_status sweep(ds_dpd *dpd, host_state *h, int tally, ds_error *err)
{
  enum { ROWS = 2048 };
  ds_sweep_function *const function = sweep_of(dpd, h);
  ds_sweep_fault fault = {0, 0, 0, 0.0};
  const ds_sweep s = {&dpd->frame, &dpd->params, h->slot_position.data, h->slot_velocity.data,
                      h->list.row_slot.data, h->list.count.data, h->list.entries.data,
                      (size_t) h->list.capacity, h->force.data, h->energy.data, h->virial.data, tally,
                      h->list.coded || dpd->params.special[0] != 1.0};
#pragma omp parallel for num_threads(dpd->options.threads) schedule(dynamic)
  for (int first = 0; first < h->list.rows; first += ROWS) {
    ds_sweep_fault mine = {0, 0, 0, 0.0};
    function(&s, first, first + ROWS < h->list.rows ? first + ROWS : h->list.rows, &mine);
    if (mine.found) {
#pragma omp critical
      fault = mine;
    }
  }
  if (!fault.found) return DS_OK;
  const int64_t *tag = ARRAY(int64_t, h->tag);
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  return ds_dpd_force_error(dpd, tag[order[fault.i]], tag[order[fault.j]], fault.force, err);
}

/* Add the sums of all rows to the caller's arrays. */
static void deliver(const ds_dpd *dpd, const host_state *h, const ds_dpd_result *result)
{
  const uint32_t *order = ARRAY(uint32_t, h->list.order), *slot = ARRAY(uint32_t, h->list.row_slot);
  const int64_t *f = ARRAY(int64_t, h->force), *e = ARRAY(int64_t, h->energy),
                *w = ARRAY(int64_t, h->virial);
  const ds_scales *scales = &dpd->params.scales;
  const double unit = 1.0 / scales->force; /* powers of two: exact */
  const double half_energy = 0.5 / scales->energy, half_virial = 0.5 * dpd->params.cutoff * unit;
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int r = 0; r < h->list.rows; r++) {
    const ptrdiff_t i = order[slot[r]];
    for (int c = 0; c < 3; c++)
      ds_array_add(&result->f, i, c, (double) f[3 * (size_t) r + (size_t) c] * unit);
    if (result->eatom.data) ds_array_add(&result->eatom, i, 0, (double) e[r] * half_energy);
    if (result->vatom.data)
      for (int c = 0; c < 6; c++)
        ds_array_add(&result->vatom, i, c, (double) w[6 * (size_t) r + (size_t) c] * half_virial);
  }
}

static void add_up(const host_state *h, ds_dpd_sums *sums)
{
  const int64_t *f = ARRAY(int64_t, h->force), *e = ARRAY(int64_t, h->energy),
                *w = ARRAY(int64_t, h->virial);
  memset(sums, 0, sizeof *sums);
  for (size_t r = 0; r < (size_t) h->list.rows; r++) {
    for (size_t c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) f[3 * r + c]);
    ds_sum_add(sums->energy, e[r]);
    for (size_t c = 0; c < 6; c++) ds_sum_add(sums->virial[c], w[6 * r + c]);
  }
}

static ds_status host_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err)
{
  host_state *h = dpd->state;
  const int tally =
      result->want_energy || result->want_virial || result->eatom.data || result->vatom.data;
  ds_status s = host_space_only(&result->f, "forces", err);
  if (!s) s = host_space_only(&result->eatom, "energies of the atoms", err);
  if (!s) s = host_space_only(&result->vatom, "virials of the atoms", err);
  if (s) return s;
  gather(dpd, h);
  s = sweep(dpd, h, tally, err);
  if (s) return s;
  deliver(dpd, h, result);
  if (tally) {
    ds_dpd_sums sums;
    add_up(h, &sums);
    ds_dpd_finish_sums(dpd, &sums, result);
  }
  return ds_succeed(err);
}

static void host_info(const ds_dpd *dpd, ds_dpd_info *info)
{
  const host_state *h = dpd->state;
  info->variant = ds_isa_name(h->isa);
  info->rows = dpd->have_list ? h->list.rows : 0;
  info->row_capacity = h->list.capacity;
  for (int r = 0; r < info->rows; r++) {
    info->neighbors += ARRAY(int32_t, h->list.count)[r];
    info->core += ARRAY(int32_t, h->list.core)[r];
  }
  info->bytes_host = ds_list_host_bytes(&h->list);
  for (int k = 0; buffer_of((host_state *) h, k); k++)
    info->bytes_host += buffer_of((host_state *) h, k)->bytes;
}

const ds_dpd_backend ds_dpd_host_backend = {
    "host",      host_open,   host_close,      host_set_atoms,  host_load,     host_get_velocities,
    host_pack,   host_unpack, host_set_owners, host_build_list, host_set_list, host_compute,
    host_read_list, host_info};
