/* Atoms read on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "source.h"

#include "dpdsop/signature.h"

#include <string.h>

/* Own atom that atom i is read from; -1: it came in a message. */
static int own_atom(const ds_atom_source *s, int i)
{
  if (i < s->nlocal) return i;
  return s->owner ? s->owner[i - s->nlocal] : -1;
}

static const char *message_of(const ds_atom_source *s, int i)
{
  return s->message + ds_source_message_bytes(s) * (size_t) (i - s->nlocal);
}

size_t ds_source_message_bytes(const ds_atom_source *s)
{
  return s->storage64 ? DS_GHOST_BYTES64 : DS_GHOST_BYTES;
}

/* ----------------------------------------------------------------------- words of 32 and 64 bits */

static void put_position(const ds_atom_source *s, void *position, int k, int type)
{
  if (s->storage64)
    ((int64_t *) position)[4 * k + 3] = type;
  else
    ((int32_t *) position)[4 * k + 3] = type;
}

static void put_velocity(const ds_atom_source *s, const ds_chunk *v, const uint32_t *signature,
                         void *velocity)
{
  if (s->storage64) {
    double *const out = velocity;
    for (int k = 0; k < v->n; k++) {
      out[4 * k] = v->x[k];
      out[4 * k + 1] = v->y[k];
      out[4 * k + 2] = v->z[k];
      out[4 * k + 3] = ds_ulong_as_double(signature[k]);
    }
  } else {
    float *const out = velocity;
    for (int k = 0; k < v->n; k++) {
      out[4 * k] = (float) v->x[k];
      out[4 * k + 1] = (float) v->y[k];
      out[4 * k + 2] = (float) v->z[k];
      out[4 * k + 3] = ds_uint_as_float(signature[k]);
    }
  }
}

static void shift_position(const ds_atom_source *s, const int b[3], void *position, int k)
{
  if (s->storage64) {
    int64_t *const p = (int64_t *) position + 4 * k;
    const ds_position64 q =
        ds_position64_image(&s->frame, (ds_position64){p[0], p[1], p[2]}, b[0], b[1], b[2]);
    p[0] = q.x;
    p[1] = q.y;
    p[2] = q.z;
  } else {
    int32_t *const p = (int32_t *) position + 4 * k;
    const ds_position q =
        ds_position_image(&s->frame, (ds_position){p[0], p[1], p[2]}, b[0], b[1], b[2]);
    p[0] = q.x;
    p[1] = q.y;
    p[2] = q.z;
  }
}

static void read_message(const ds_atom_source *s, int i, void *position, void *velocity, int k)
{
  const char *const m = message_of(s, i);
  if (s->storage64) {
    int32_t type;
    uint32_t signature;
    memcpy((int64_t *) position + 4 * k, m, 24);
    memcpy(&type, m + 24, 4);
    ((int64_t *) position)[4 * k + 3] = type;
    if (!velocity) return;
    double *const v = (double *) velocity + 4 * k;
    memcpy(v, m + 28, 24);
    memcpy(&signature, m + 52, 4);
    v[3] = ds_ulong_as_double(signature);
  } else {
    memcpy((int32_t *) position + 4 * k, m, 16);
    if (velocity) memcpy((float *) velocity + 4 * k, m + 16, 16);
  }
}

/* Of atoms k = 0 .. n-1, one behind the other. */
static void write_messages(const ds_atom_source *s, const void *position, const void *velocity,
                           int n, char *m)
{
  for (int k = 0; k < n && !s->storage64; k++, m += DS_GHOST_BYTES) {
    memcpy(m, (const int32_t *) position + 4 * k, 16);
    memcpy(m + 16, (const float *) velocity + 4 * k, 16);
  }
  for (int k = 0; k < n && s->storage64; k++, m += DS_GHOST_BYTES64) {
    const int64_t *const p = (const int64_t *) position + 4 * k;
    const double *const v = (const double *) velocity + 4 * k;
    const int32_t type = (int32_t) p[3];
    const uint32_t signature = (uint32_t) ds_double_as_ulong(v[3]);
    memcpy(m, p, 24);
    memcpy(m + 24, &type, 4);
    memcpy(m + 28, v, 24);
    memcpy(m + 52, &signature, 4);
  }
}

/* --------------------------------------------------------------------------------------- reading */

/* A place that is always allowed, read in the stead of atoms that come in messages. */
static void middle(const ds_frame *f, double x[3])
{
  const double lx = 0.5 * (f->low[0] + f->high[0]), ly = 0.5 * (f->low[1] + f->high[1]),
               lz = 0.5 * (f->low[2] + f->high[2]);
  const double z = lz / f->inverse[2], y = (ly - f->inverse[3] * z) / f->inverse[1];
  x[0] = f->lo[0] + (lx - f->inverse[5] * y - f->inverse[4] * z) / f->inverse[0];
  x[1] = f->lo[1] + y;
  x[2] = f->lo[2] + z;
}

static void fill_gaps(ds_chunk *c, const int32_t *own, const double with[3])
{
  for (int k = 0; k < c->n; k++) {
    if (own[k] >= 0) continue;
    c->x[k] = with[0];
    c->y[k] = with[1];
    c->z[k] = with[2];
  }
}

/* One of the caller's arrays; ghosts that came in messages get `instead`. */
static void read_array(const ds_atom_source *s, const ds_array *a, int first, const int32_t *own,
                       int gaps, int n, const double instead[3], ds_chunk *c)
{
  static ds_chunk_read_function *const read[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_chunk_read);
  if (!own || !gaps) {
    read[s->isa](c, a, first, own, n);
    return;
  }
  int32_t some[DS_CHUNK];
  if (s->nlocal > 0) {
    for (int k = 0; k < n; k++) some[k] = own[k] < 0 ? 0 : own[k];
    read[s->isa](c, a, 0, some, n);
  }
  c->n = n;
  fill_gaps(c, own, instead);
}

/* Integers of atoms first .. or list[0] ..; those of atoms < 0 are 1. */
static void read_integers(const ds_array *a, int first, const int32_t *list, int n, int64_t *out)
{
  const ptrdiff_t step = a->atom_stride;
  const int32_t *const narrow = a->data;
  const int64_t *const wide = a->data;
  for (int k = 0; k < n; k++) {
    const ptrdiff_t at = step * (list ? list[k] : first + k);
    out[k] = at < 0 ? 1 : a->type == DS_I32 ? narrow[at] : wide[at];
  }
}

static int read_types(const ds_atom_source *s, int first, const int32_t *own, int n, void *position)
{
  int64_t type[DS_CHUNK];
  int bad = 0;
  read_integers(&s->type, first, own, n, type);
  for (int k = 0; k < n; k++) {
    const int wrong = type[k] < 1 || type[k] > s->ntypes;
    bad |= wrong;
    put_position(s, position, k, wrong ? 0 : (int) type[k] - 1);
  }
  return bad ? DS_BAD_TYPE : 0;
}

static void read_velocities(const ds_atom_source *s, int first, const int32_t *list,
                            const int32_t *own, int gaps, int n, void *velocity)
{
  static ds_signature_function *const signatures[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_signatures);
  static const double zero[3] = {0.0, 0.0, 0.0};
  int64_t tag[DS_CHUNK];
  uint32_t signature[DS_CHUNK];
  ds_chunk v;
  read_array(s, &s->v, first, own, gaps, n, zero, &v);
  read_integers(&s->tag, first, list, n, tag);
  signatures[s->isa](&v, tag, s->seed, s->step, signature);
  put_velocity(s, &v, signature, velocity);
}

int ds_source_read(const ds_atom_source *s, int first, const int32_t *list, int n, void *position,
                   void *velocity)
{
  static ds_position_function *const positions[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_positions);
  const int ghosts = list || first + n > s->nlocal;
  int32_t space[DS_CHUNK];
  const int32_t *own = NULL;
  double instead[3] = {0.0, 0.0, 0.0};
  int gaps = 0;
  ds_chunk x;
  if (ghosts) {
    own = space;
    for (int k = 0; k < n; k++) {
      space[k] = own_atom(s, list ? list[k] : first + k);
      gaps |= space[k] < 0;
    }
  }
  if (gaps) middle(&s->frame, instead);
  read_array(s, &s->x, first, own, gaps, n, instead, &x);
  const int good = s->storage64 ? ds_positions64(&s->frame, &x, position)
                                : positions[s->isa](&s->frame, &x, position);
  const int bad = (good ? 0 : DS_BAD_POSITION) | read_types(s, first, own, n, position);
  if (velocity) read_velocities(s, first, list, own, gaps, n, velocity);
  if (!ghosts) return bad;
  for (int k = 0; k < n; k++) {
    const int i = list ? list[k] : first + k;
    if (i < s->nlocal) continue;
    if (own[k] < 0)
      read_message(s, i, position, velocity, k);
    else
      shift_position(s, s->image + 3 * (size_t) (i - s->nlocal), position, k);
  }
  return bad;
}

void ds_source_upper(const ds_atom_source *s, const void *position, int n, int32_t *out)
{
  const int64_t *const wide = position;
  if (!s->storage64) {
    memcpy(out, position, 16 * (size_t) n);
    return;
  }
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < 3; c++) out[4 * k + c] = (int32_t) (wide[4 * k + c] >> 32);
    out[4 * k + 3] = (int32_t) wide[4 * k + 3];
  }
}

/* ---------------------------------------------------------------------------------------- faults */

int ds_source_bad_position(const ds_atom_source *s, double x[3])
{
  for (int i = 0; i < s->nlocal; i++) {
    double lambda[3];
    for (int c = 0; c < 3; c++) x[c] = ds_array_get(&s->x, i, c);
    ds_fraction(&s->frame, x[0], x[1], x[2], lambda);
    if (!ds_fraction_ok(&s->frame, lambda)) return i;
  }
  return -1;
}

int ds_source_bad_type(const ds_atom_source *s)
{
  for (int i = 0; i < s->nlocal; i++) {
    const int64_t type = ds_array_int(&s->type, i, 0);
    if (type < 1 || type > s->ntypes) return i;
  }
  return -1;
}

/* -------------------------------------------------------------------------------------- messages */

/* Returns what is wrong with atoms. */
static int write_chunk(const ds_atom_source *s, int first, const int *list, int n, const int *shift,
                       char *out)
{
  int64_t position[4 * DS_CHUNK]; /* room for either width */
  double velocity[4 * DS_CHUNK];
  const int bad = ds_source_read(s, first, list, n, position, velocity);
  for (int k = 0; k < n && shift; k++) shift_position(s, shift, position, k);
  write_messages(s, position, velocity, n, out);
  return bad;
}

void ds_source_pack(const ds_atom_source *s, int n, const int *list, const int shift[3],
                    int threads, char *out)
{
  const size_t bytes = ds_source_message_bytes(s);
  (void) threads;
#pragma omp parallel for num_threads(threads) if (n > 8 * DS_CHUNK)
  for (int first = 0; first < n; first += DS_CHUNK)
    write_chunk(s, 0, list + first, n - first < DS_CHUNK ? n - first : DS_CHUNK, shift,
                out + bytes * (size_t) first);
}

int ds_source_own_messages(const ds_atom_source *s, int threads, char *out)
{
  const size_t bytes = ds_source_message_bytes(s);
  const int n = s->nlocal;
  int bad = 0;
  (void) threads;
#pragma omp parallel for num_threads(threads) reduction(| : bad) if (n > 8 * DS_CHUNK)
  for (int first = 0; first < n; first += DS_CHUNK)
    bad |= write_chunk(s, first, NULL, n - first < DS_CHUNK ? n - first : DS_CHUNK, NULL,
                       out + bytes * (size_t) first);
  return bad;
}

void ds_source_copy_messages(const ds_atom_source *s, const char *all, int n, const int *list,
                             const int shift[3], char *out)
{
  const size_t bytes = ds_source_message_bytes(s), words = s->storage64 ? 24 : 12;
  for (int k = 0; k < n; k++, out += bytes) {
    int64_t position[4]; /* room for either width */
    memcpy(out, all + bytes * (size_t) list[k], bytes);
    memcpy(position, out, words);
    shift_position(s, shift, position, 0);
    memcpy(out, position, words);
  }
}
