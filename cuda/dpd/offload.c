/* Host side of the CUDA backend for arrays in host memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "offload.h"

#include "dpdsop/signature.h"
#include "load.h"

#include <string.h>

/* -------------------------------------------------------------------------------------- atoms */

int ds_offload_atoms(const ds_atoms *atoms, int n, int ntypes, int threads, int64_t *tag,
                     int32_t *type)
{
  int bad = -1;
#pragma omp parallel for num_threads(threads) reduction(max : bad)
  for (int i = 0; i < n; i++) {
    const int64_t kind = ds_array_int(&atoms->type, i, 0) - 1;
    if (kind < 0 || kind >= ntypes) bad = i;
    tag[i] = ds_array_int(&atoms->tag, i, 0);
    type[i] = (int32_t) kind;
  }
  return bad;
}

int ds_offload_special_counts(const ds_array *counts, int n, int threads, int32_t *out)
{
  int most = 0;
#pragma omp parallel for num_threads(threads) reduction(max : most)
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      const int32_t count = (int32_t) ds_array_int(counts, i, c);
      out[3 * (size_t) i + (size_t) c] = count;
      if (count > most) most = count;
    }
  return most;
}

void ds_offload_special_tags(const ds_array *partners, int n, int most, const int32_t *counts,
                             int threads, int64_t *out)
{
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; i++)
    for (int c = 0; c < counts[3 * (size_t) i + 2]; c++)
      out[(size_t) most * (size_t) i + (size_t) c] = ds_array_int(partners, i, c);
}

/* ------------------------------------------------------------------------------------- loading */

static int records32(const ds_frame *frame, ds_isa isa, const ds_array *x, const ds_array *v,
                     int first, int n, ds_record *out)
{
  static ds_read_function *const read[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_chunk_read);
  static ds_position_function *const positions[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_positions);
  int32_t p[4 * DS_LOAD_CHUNK];
  ds_chunk c;
  read[isa](&c, x, first, n);
  const int good = positions[isa](frame, &c, p);
  read[isa](&c, v, first, n);
  for (int k = 0; k < n; k++) {
    const ds_record r = {p[4 * k],       p[4 * k + 1],   p[4 * k + 2],
                         (float) c.x[k], (float) c.y[k], (float) c.z[k]};
    out[k] = r;
  }
  return good;
}

static int records64(const ds_frame *frame, ds_isa isa, const ds_array *x, const ds_array *v,
                     int first, int n, ds_record64 *out)
{
  static ds_read_function *const read[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_chunk_read);
  int64_t p[4 * DS_LOAD_CHUNK];
  ds_chunk c;
  read[isa](&c, x, first, n);
  if (!ds_positions64(frame, &c, p)) return 0;
  read[isa](&c, v, first, n);
  for (int k = 0; k < n; k++) {
    const ds_record64 r = {p[4 * k], p[4 * k + 1], p[4 * k + 2], c.x[k], c.y[k], c.z[k]};
    out[k] = r;
  }
  return 1;
}

int ds_offload_records(const ds_frame *frame, ds_isa isa, int wide, const ds_array *x,
                       const ds_array *v, int first, int last, int threads, void *records)
{
  int good = 1;
#pragma omp parallel for num_threads(threads) reduction(& : good)
  for (int begin = first; begin < last; begin += DS_LOAD_CHUNK) {
    const int n = last - begin < DS_LOAD_CHUNK ? last - begin : DS_LOAD_CHUNK;
    good &= wide ? records64(frame, isa, x, v, begin, n, (ds_record64 *) records + begin)
                 : records32(frame, isa, x, v, begin, n, (ds_record *) records + begin);
  }
  return good;
}

void ds_offload_velocities(const void *records, int wide, int n, int threads, const ds_array *v)
{
  const ds_record *const narrow = (const ds_record *) records;
  const ds_record64 *const wider = (const ds_record64 *) records;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; i++) {
    ds_array_put(v, i, 0, wide ? wider[i].vx : (double) narrow[i].vx);
    ds_array_put(v, i, 1, wide ? wider[i].vy : (double) narrow[i].vy);
    ds_array_put(v, i, 2, wide ? wider[i].vz : (double) narrow[i].vz);
  }
}

int ds_offload_find_fault(const ds_frame *frame, const ds_array *x, int n)
{
  for (int i = 0; i < n; i++) {
    double lambda[3];
    ds_fraction(frame, ds_array_get(x, i, 0), ds_array_get(x, i, 1), ds_array_get(x, i, 2), lambda);
    if (!ds_fraction_ok(frame, lambda)) return i;
  }
  return -1;
}

/* -------------------------------------------------------------------------------------- ghosts */

static size_t message_bytes(const ds_offload_source *s)
{
  return s->wide ? DS_GHOST_BYTES64 : DS_GHOST_BYTES;
}

/* The image that a neighbor sees: position words are moved, the rest of a message is sent as it is. */
static void shift_message(const ds_offload_source *s, const int b[3], char *message)
{
  if (s->wide) {
    ds_position64 p;
    memcpy(&p, message, sizeof p);
    p = ds_position64_image(s->frame, p, b[0], b[1], b[2]);
    memcpy(message, &p, sizeof p);
  } else {
    ds_position p;
    memcpy(&p, message, sizeof p);
    p = ds_position_image(s->frame, p, b[0], b[1], b[2]);
    memcpy(message, &p, sizeof p);
  }
}

/* Velocity of atom i for its signature, which is made of single velocities in any precision. Atoms
   that have a signature already get none made. */
static void read_velocity(const ds_offload_source *s, int i, ds_chunk *v, int64_t *tag, int k)
{
  v->x[k] = v->y[k] = v->z[k] = 0.0;
  tag[k] = 0;
  if (i >= s->nlocal) return;
  tag[k] = s->tag[i];
  if (s->wide) {
    const ds_record64 *r = (const ds_record64 *) s->records + i;
    v->x[k] = r->vx;
    v->y[k] = r->vy;
    v->z[k] = r->vz;
  } else {
    const ds_record *r = (const ds_record *) s->records + i;
    v->x[k] = r->vx;
    v->y[k] = r->vy;
    v->z[k] = r->vz;
  }
}

static void pack_chunk(const ds_offload_source *s, int n, const int *list, const int shift[3],
                       char *out)
{
  static ds_signature_function *const signatures[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_signatures);
  const size_t bytes = message_bytes(s), head = s->wide ? sizeof(ds_record64) : sizeof(ds_record);
  uint32_t signature[DS_LOAD_CHUNK];
  int64_t tag[DS_LOAD_CHUNK] = {0};
  ds_chunk v;
  v.n = n;
  for (int k = 0; k < n; k++) read_velocity(s, list[k], &v, tag, k);
  signatures[s->isa](&v, tag, s->seed, s->step, signature);
  for (int k = 0; k < n; k++, out += bytes) {
    const int i = list[k];
    if (i < s->nlocal) {
      memcpy(out, (const char *) s->records + head * (size_t) i, head);
      memcpy(out + head, &signature[k], sizeof signature[k]);
    } else {
      memcpy(out, s->messages + bytes * (size_t) (i - s->nlocal), bytes);
    }
    shift_message(s, shift, out);
  }
}

void ds_offload_pack(const ds_offload_source *s, int n, const int *list, const int shift[3],
                     char *out)
{
#pragma omp parallel for num_threads(s->threads) if (n > 8 * DS_LOAD_CHUNK)
  for (int first = 0; first < n; first += DS_LOAD_CHUNK)
    pack_chunk(s, n - first < DS_LOAD_CHUNK ? n - first : DS_LOAD_CHUNK, list + first, shift,
               out + message_bytes(s) * (size_t) first);
}

/* ------------------------------------------------------------------------------------- results */

/* Layout and type are constants in the common case, so that the loop is a plain one. */
static void add_plain(double *to, const double *values, ptrdiff_t first, ptrdiff_t last)
{
  for (ptrdiff_t k = first; k < last; k++) to[k] += values[k];
}

void ds_offload_add(const ds_array *to, int components, const double *values, const int32_t *atom,
                    int first, int last, int threads)
{
  enum { ATOMS = 4096 };
  const int plain = !atom && to->type == DS_F64 && to->atom_stride == components &&
                    (components == 1 || to->component_stride == 1);
#pragma omp parallel for num_threads(threads)
  for (int begin = first; begin < last; begin += ATOMS) {
    const int end = last - begin < ATOMS ? last : begin + ATOMS;
    if (plain) {
      add_plain(to->data, values, (ptrdiff_t) begin * components, (ptrdiff_t) end * components);
      continue;
    }
    for (int k = begin; k < end; k++) {
      const ptrdiff_t i = atom ? atom[k] : k;
      for (int c = 0; c < components; c++) ds_array_add(to, i, c, values[i * components + c]);
    }
  }
}

void ds_offload_add_sums(const ds_array *to, const int32_t *sums, double unit, const int32_t *atom,
                         int first, int last, int threads)
{
  enum { ATOMS = 4096 };
  const int plain =
      !atom && to->type == DS_F64 && to->atom_stride == 3 && to->component_stride == 1;
#pragma omp parallel for num_threads(threads)
  for (int begin = first; begin < last; begin += ATOMS) {
    const int end = last - begin < ATOMS ? last : begin + ATOMS;
    if (plain) {
      double *const f = to->data;
      for (ptrdiff_t k = 3 * (ptrdiff_t) begin; k < 3 * (ptrdiff_t) end; k++)
        f[k] += sums[k] * unit;
      continue;
    }
    for (int k = begin; k < end; k++) {
      const ptrdiff_t i = atom ? atom[k] : k;
      for (int c = 0; c < 3; c++) ds_array_add(to, i, c, sums[3 * i + c] * unit);
    }
  }
}

/* --------------------------------------------------------------------------------------- lists */

uint32_t ds_offload_list(const ds_dpd_list *list, int capacity, int threads, uint32_t *atom,
                         int32_t *count, uint32_t *entries)
{
  uint32_t codes = 0;
#pragma omp parallel for num_threads(threads) reduction(| : codes)
  for (int row = 0; row < list->rows; row++) {
    const int i = list->atom[row];
    uint32_t *const to =
        entries + (size_t) (row / 32) * 32 * (size_t) capacity + (size_t) (row % 32);
    atom[row] = (uint32_t) i;
    count[row] = list->count[i];
    for (int n = 0; n < list->count[i]; n++) {
      to[(size_t) n * 32] = (uint32_t) list->entries[i][n];
      codes |= (uint32_t) list->entries[i][n] >> DS_INDEX_BITS;
    }
  }
  return codes;
}
