/* Atoms read on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_reader.h"

#include "dpdsop/device/image_velocity.h"
#include "dpdsop/device/signature.h"

#include <string.h>

/* Own atom that atom i is read from; -1: it came in a message. */
static int own_atom(const ds_atom_source *s, int i)
{
  if (i < s->nlocal) return i;
  return s->owner ? s->owner[4 * (size_t) (i - s->nlocal)] : -1;
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

static void put_velocity(const ds_atom_source *s, const ds_atom_batch *v, const uint32_t *signature, void *velocity)
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
    const ds_position64 q = ds_position64_image(&s->frame, (ds_position64){p[0], p[1], p[2]}, b[0], b[1], b[2]);
    p[0] = q.x;
    p[1] = q.y;
    p[2] = q.z;
  } else {
    int32_t *const p = (int32_t *) position + 4 * k;
    const ds_position q = ds_position_image(&s->frame, (ds_position){p[0], p[1], p[2]}, b[0], b[1], b[2]);
    p[0] = q.x;
    p[1] = q.y;
    p[2] = q.z;
  }
}

/* Returns what is wrong: a process that has failed sends what is no atom. */
static int read_message_position(const ds_atom_source *s, int i, void *position, int k)
{
  const char *const m = message_of(s, i);
  int32_t type;
  memcpy(&type, m + (s->storage64 ? 24 : 12), 4);
  const int bad = type < 0 || type >= s->ntypes;
  if (s->storage64)
    memcpy((int64_t *) position + 4 * k, m, 24);
  else
    memcpy((int32_t *) position + 4 * k, m, 12);
  put_position(s, position, k, bad ? 0 : type);
  return bad ? DS_BAD_TYPE : 0;
}

static void read_message_velocity(const ds_atom_source *s, int i, ds_atom_batch *v, int k)
{
  const char *const m = message_of(s, i);
  double wide[3];
  float narrow[3];
  if (s->storage64)
    memcpy(wide, m + 28, 24);
  else
    memcpy(narrow, m + 16, 12);
  v->x[k] = s->storage64 ? wide[0] : (double) narrow[0];
  v->y[k] = s->storage64 ? wide[1] : (double) narrow[1];
  v->z[k] = s->storage64 ? wide[2] : (double) narrow[2];
}

/* Of n atoms, one behind the other. */
static void write_messages(const ds_atom_source *s, const void *position, const ds_atom_batch *v, int n, char *m)
{
  for (int k = 0; k < n && !s->storage64; k++, m += DS_GHOST_BYTES) {
    const float u[3] = {(float) v->x[k], (float) v->y[k], (float) v->z[k]};
    memcpy(m, (const int32_t *) position + 4 * k, 16);
    memcpy(m + 16, u, 12);
  }
  for (int k = 0; k < n && s->storage64; k++, m += DS_GHOST_BYTES64) {
    const double u[3] = {v->x[k], v->y[k], v->z[k]};
    const int64_t *const p = (const int64_t *) position + 4 * k;
    const int32_t type = (int32_t) p[3];
    memcpy(m, p, 24);
    memcpy(m + 24, &type, 4);
    memcpy(m + 28, u, 24);
  }
}

/* --------------------------------------------------------------------------------------- reading */

/* A place that is always allowed, read in the stead of atoms that come in messages. */
static void middle_of_frame(const ds_frame *f, double x[3])
{
  const double lx = 0.5 * (f->low[0] + f->high[0]), ly = 0.5 * (f->low[1] + f->high[1]), lz = 0.5 * (f->low[2] + f->high[2]);
  const double z = lz / f->inverse[2], y = (ly - f->inverse[3] * z) / f->inverse[1];
  x[0] = f->lo[0] + (lx - f->inverse[5] * y - f->inverse[4] * z) / f->inverse[0];
  x[1] = f->lo[1] + y;
  x[2] = f->lo[2] + z;
}

static void fill_placeholders(ds_atom_batch *batch, const int32_t *own, const double value[3])
{
  for (int k = 0; k < batch->n; k++) {
    if (own[k] >= 0) continue;
    batch->x[k] = value[0];
    batch->y[k] = value[1];
    batch->z[k] = value[2];
  }
}

/* One of the caller's arrays; ghosts that came in messages get `placeholder`. */
static void read_array(const ds_atom_source *s, const ds_array *a, int first, const int32_t *own, int messages, int n,
                       const double placeholder[3], ds_atom_batch *batch)
{
  static ds_atom_batch_read_function *const read[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_atom_batch_read);
  if (!own || !messages) {
    read[s->isa](batch, a, first, own, n);
    return;
  }
  int32_t some[DS_ATOM_BATCH];
  if (s->nlocal > 0) {
    for (int k = 0; k < n; k++) some[k] = own[k] < 0 ? 0 : own[k];
    read[s->isa](batch, a, 0, some, n);
  }
  batch->n = n;
  fill_placeholders(batch, own, placeholder);
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
  int64_t type[DS_ATOM_BATCH];
  int bad = 0;
  read_integers(&s->type, first, own, n, type);
  for (int k = 0; k < n; k++) {
    const int wrong = type[k] < 1 || type[k] > s->ntypes;
    bad |= wrong;
    put_position(s, position, k, wrong ? 0 : (int) type[k] - 1);
  }
  return bad ? DS_BAD_TYPE : 0;
}

/* Atoms to be read: first, first+1, ... or list[0], list[1], ...; own: the own atom that each is read from, -1: a message. */
typedef struct {
  int first, n;
  const int32_t *list;
  int ghosts, messages; /* 1: some are ghosts; some came in messages */
  int32_t own[DS_ATOM_BATCH];
} reading;

static int atom_of(const reading *r, int k)
{
  return r->list ? r->list[k] : r->first + k;
}

static void begin_reading(reading *r, const ds_atom_source *s, int first, const int32_t *list, int n)
{
  r->first = first;
  r->n = n;
  r->list = list;
  r->ghosts = list || first + n > s->nlocal;
  r->messages = 0;
  for (int k = 0; k < n && r->ghosts; k++) {
    r->own[k] = own_atom(s, atom_of(r, k));
    r->messages |= r->own[k] < 0;
  }
}

/* As ds_positions_base, in words of 64 bits. */
static int positions64(const ds_frame *f, const ds_atom_batch *x, int64_t *out)
{
  int bad = 0;
  for (int k = 0; k < x->n; k++) {
    double lambda[3];
    ds_fraction(f, x->x[k], x->y[k], x->z[k], lambda);
    if (!ds_fraction_ok(f, lambda)) {
      bad |= DS_BAD_POSITION;
      continue;
    }
    if (!ds_fraction_near(f, lambda)) bad |= DS_FAR_POSITION;
    const ds_position64 p = ds_position64_of(f, lambda);
    out[4 * k] = p.x;
    out[4 * k + 1] = p.y;
    out[4 * k + 2] = p.z;
  }
  return bad;
}

/* Returns what is wrong with atoms. */
static int read_positions(const ds_atom_source *s, const reading *r, void *position)
{
  static ds_position_function *const positions[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_positions);
  const int32_t *const own = r->ghosts ? r->own : NULL;
  double placeholder[3] = {0.0, 0.0, 0.0};
  ds_atom_batch x;
  if (r->messages) middle_of_frame(&s->frame, placeholder);
  read_array(s, &s->x, r->first, own, r->messages, r->n, placeholder, &x);
  const int misplaced = s->storage64 ? positions64(&s->frame, &x, position) : positions[s->isa](&s->frame, &x, position);
  int bad = misplaced | read_types(s, r->first, own, r->n, position);
  for (int k = 0; k < r->n && r->ghosts; k++) {
    const int i = atom_of(r, k);
    if (i < s->nlocal) continue;
    if (own[k] < 0)
      bad |= read_message_position(s, i, position, k);
    else
      shift_position(s, s->owner + 4 * (size_t) (i - s->nlocal) + 1, position, k);
  }
  return bad;
}

/* Velocities that atoms have at their places in the box; messages have these already. */
static void wrap_velocities(const ds_atom_source *s, const reading *r, ds_atom_batch *v)
{
  for (int k = 0; k < r->n; k++) {
    const int i = r->ghosts ? r->own[k] : r->first + k;
    if (i < 0) continue;
    double lambda[3], u[3] = {v->x[k], v->y[k], v->z[k]};
    int boxes[3];
    ds_fraction(&s->frame, ds_array_get(&s->x, i, 0), ds_array_get(&s->x, i, 1), ds_array_get(&s->x, i, 2), lambda);
    for (int d = 0; d < 3; d++)
      boxes[d] = s->storage64 ? ds_boxes64(&s->frame, d, lambda[d]) : ds_boxes32(&s->frame, d, lambda[d]);
    ds_velocity_in_box(&s->frame, boxes, u);
    v->x[k] = u[0];
    v->y[k] = u[1];
    v->z[k] = u[2];
  }
}

static void read_velocities(const ds_atom_source *s, const reading *r, ds_atom_batch *v)
{
  static const double zero[3] = {0.0, 0.0, 0.0};
  read_array(s, &s->v, r->first, r->ghosts ? r->own : NULL, r->messages, r->n, zero, v);
  if (s->frame.images_move) wrap_velocities(s, r, v);
  for (int k = 0; k < r->n && r->messages; k++)
    if (r->own[k] < 0) read_message_velocity(s, atom_of(r, k), v, k);
}

static void write_velocities(const ds_atom_source *s, const reading *r, const ds_atom_batch *v, void *velocity)
{
  static ds_signature_function *const signatures[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_signatures);
  int64_t tag[DS_ATOM_BATCH];
  uint32_t signature[DS_ATOM_BATCH];
  read_integers(&s->tag, r->first, r->list, r->n, tag);
  signatures[s->isa](v, tag, s->seed, s->step, signature);
  put_velocity(s, v, signature, velocity);
}

int ds_source_read(const ds_atom_source *s, int first, const int32_t *list, int n, void *position, void *velocity)
{
  reading r;
  ds_atom_batch v;
  begin_reading(&r, s, first, list, n);
  const int bad = read_positions(s, &r, position);
  if (!velocity) return bad;
  read_velocities(s, &r, &v);
  write_velocities(s, &r, &v, velocity);
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

/* -------------------------------------------------------------------------------------- messages */

static void write_batch(const ds_atom_source *s, const int *list, int n, const int *shift, char *out)
{
  ds_position_words position;
  reading r;
  ds_atom_batch v;
  begin_reading(&r, s, 0, list, n);
  read_positions(s, &r, &position);
  read_velocities(s, &r, &v);
  for (int k = 0; k < n; k++) shift_position(s, shift, &position, k);
  write_messages(s, &position, &v, n, out);
}

void ds_source_pack(const ds_atom_source *s, int n, const int *list, const int *shift, int threads, char *out)
{
  const size_t bytes = ds_source_message_bytes(s);
  (void) threads;
#pragma omp parallel for num_threads(threads) if (n > 8 * DS_ATOM_BATCH)
  for (int first = 0; first < n; first += DS_ATOM_BATCH)
    write_batch(s, list + first, n - first < DS_ATOM_BATCH ? n - first : DS_ATOM_BATCH, shift, out + bytes * (size_t) first);
}
