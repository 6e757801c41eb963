/* CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_cuda.h"

#include "timing.h"

#include <stdlib.h>
#include <string.h>

static void close_state(ds_cuda_state *c)
{
  if (c->stream.stream) cudaStreamSynchronize(c->stream.stream);
  ds_side_close(&c->inner);
  ds_side_close(&c->ghost);
  ds_queue_close(&c->stream);
  free(c);
}

static ds_status cuda_open(ds_pair *pair, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) calloc(1, sizeof *c);
  if (!c) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the CUDA backend");
  const ds_status s =
      ds_queue_open(&c->stream, pair->options.local_rank, pair->options.stream, err);
  if (s) {
    close_state(c);
    return s;
  }
  c->atoms.stream = &c->stream;
  c->atoms.storage64 = c->atoms.host.storage64 = pair->options.precision == DS_PRECISION_DOUBLE;
  c->atoms.host.isa = pair->isa;
  c->model_version = -1;
  pair->state = c;
  return DS_OK;
}

static void cuda_close(ds_pair *pair)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  cudaSetDevice(c->stream.device);
  close_state(c);
}

/* ------------------------------------------------------------------------------------------ tables */

static ds_status send_table(ds_queue *s, ds_buffer *to, ds_staging *through, const void *from,
                            size_t bytes, ds_error *err)
{
  ds_status status = ds_reserve(&s->memory, to, bytes, 1, "coefficients", err);
  if (!status) status = ds_queue_stage(s, through, bytes, 1, "coefficients", err);
  if (status) return status;
  memcpy(through->buffer.data, from, bytes);
  return ds_queue_send(s, to->data, through, bytes, "copying coefficients", err);
}

ds_status ds_cuda_send_tables(ds_pair *pair, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const ds_sweep_tables *t = &pair->tables;
  const size_t n = (size_t) t->ntypes * (size_t) t->ntypes, words = n * (size_t) t->words;
  if (c->model_version == pair->version.model) return DS_OK;
  ds_status s = c->atoms.storage64 ? send_table(&c->stream, &c->coeff, &c->coeff_host, t->doubles.coeff,
                                                words * sizeof(double), err)
                                   : send_table(&c->stream, &c->coeff, &c->coeff_host, t->floats.coeff,
                                                words * sizeof(float), err);
  if (!s) s = send_table(&c->stream, &c->list2, &c->list2_host, t->list2, n * sizeof(float), err);
  if (!s) c->model_version = pair->version.model;
  return s;
}

/* ------------------------------------------------------------------------------------------- atoms */

static ds_status cuda_set_atoms(ds_pair *pair, const ds_atoms *atoms, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_status s = ds_queue_use(&c->stream, err);
  if (!s) s = ds_atoms_cuda_set(&c->atoms, atoms, pair->tables.ntypes, err);
  if (s) return s;
  const int bad = atoms->type.space == DS_SPACE_HOST ? ds_source_bad_type(&c->atoms.host) : -1;
  if (bad >= 0)
    return ds_pair_type_error(pair, ds_array_int(&atoms->tag, bad, 0),
                              ds_array_int(&atoms->type, bad, 0), err);
  return ds_succeed(err);
}

static ds_status cuda_set_types(ds_pair *pair, const ds_array *type, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  if (type->space != c->atoms.host.tag.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "atom IDs and types lie in different memories");
  ds_atoms_cuda_set_types(&c->atoms, type);
  return ds_succeed(err);
}

static ds_status cuda_load(ds_pair *pair, const ds_array *x, const ds_array *v, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_status s = ds_queue_use(&c->stream, err);
  if (!s && c->begun) s = ds_queue_join(&c->stream, &c->inner, err); /* and never ended */
  c->begun = 0;
  if (!s)
    s = ds_atoms_cuda_load(&c->atoms, &pair->frame, x, v, pair->tables.seed, pair->place,
                           pair->step, pair->options.threads, err);
  c->load_status = DS_OK;
  if (!s && (c->atoms.bad & DS_BAD_ATOM))
    c->load_status = ds_pair_source_error(pair, &c->atoms.host, &c->load_error);
  return s ? s : ds_succeed(err);
}

ds_status ds_cuda_loaded(const ds_cuda_state *c, ds_error *err)
{
  if (c->load_status && err) *err = c->load_error;
  return c->load_status;
}

/* Messages wait for nothing but each other where forces have been begun. */
static ds_status go_beside(ds_cuda_state *c, ds_error *err)
{
  return c->begun ? ds_queue_fork(&c->stream, &c->ghost, err) : DS_OK;
}

static ds_status come_back(ds_cuda_state *c, ds_status status, ds_error *err)
{
  if (!c->begun) return status;
  const ds_status s = ds_queue_leave(&c->stream, &c->ghost, status, err);
  return s ? s : ds_queue_join(&c->stream, &c->ghost, err);
}

static ds_status cuda_pack(ds_pair *pair, int n, const int *list, const int shift[3], void *buffer,
                           ds_space space, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_status s = ds_queue_use(&c->stream, err);
  if (s) return s;
  if (space == DS_SPACE_HOST)
    return ds_atoms_cuda_pack(&c->atoms, n, list, shift, pair->options.threads, buffer, err);
  s = go_beside(c, err);
  if (!s) s = ds_atoms_cuda_queue_pack(&c->atoms, n, list, shift, buffer, err);
  return come_back(c, s, err);
}

static ds_status cuda_unpack(ds_pair *pair, int first, int n, const void *buffer, ds_space space,
                             ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_status s = ds_queue_use(&c->stream, err);
  if (s) return s;
  s = go_beside(c, err);
  if (!s) s = ds_atoms_cuda_unpack(&c->atoms, first, n, buffer, space, err);
  return come_back(c, s, err);
}

static ds_status cuda_set_owners(ds_pair *pair, const int *owner, const int *image, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const ds_status s = ds_queue_use(&c->stream, err);
  return s ? s : ds_atoms_cuda_owners(&c->atoms, owner, image, err);
}

ds_status ds_cuda_gather(ds_pair *pair, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  if (ds_same_slots(&c->gathered, &pair->version)) return DS_OK;
  ds_status s = ds_cuda_loaded(c, err);
  if (s) return s;
  s = ds_cuda_gather_part(pair, DS_GATHER_ALL, err);
  c->gathered = pair->version;
  return s;
}

ds_status ds_cuda_gather_part(ds_pair *pair, ds_gathered which, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  c->slots.list = (uint32_t) pair->version.order;
  if (c->atoms.bad & DS_FAR_POSITION) ds_pair_list_outlived(pair);
  return ds_atoms_cuda_gather(&c->atoms, &c->slots, c->list.atom_of_slot, c->list.slots, which,
                              c->gathered.order != pair->version.order, c->by_type, err);
}

/* Velocities by slot and the order, copied: what the last evaluation took. */
static ds_status cuda_get_velocities(ds_pair *pair, const ds_array *v, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const size_t n = (size_t) c->list.slots, words = c->atoms.storage64 ? 32 : 16;
  char *const u = (char *) malloc(n * words + 1);
  int32_t *const atom = (int32_t *) malloc(n * sizeof *atom + 1);
  ds_status s = ds_cuda_settle_list(pair, err);
  if (!s && (!u || !atom)) s = ds_fail(err, DS_ERR_MEMORY, "velocities: no host memory");
  if (!s) s = ds_cuda_gather(pair, err);
  if (!s)
    s = ds_queue_copy(&c->stream, u, c->slots.velocity.data, n * words, "copying velocities", err);
  if (!s)
    s = ds_queue_copy(&c->stream, atom, c->list.atom_of_slot, n * sizeof *atom,
                       "copying velocities", err);
  if (!s) s = ds_queue_wait(&c->stream, "copying velocities", err);
  for (size_t k = 0; k < n && !s; k++)
    for (int d = 0; d < 3 && atom[k] < pair->nlocal; d++)
      ds_array_put(v, atom[k], d,
                   c->atoms.storage64 ? ((const double *) u)[4 * k + (size_t) d]
                                      : (double) ((const float *) u)[4 * k + (size_t) d]);
  free(u);
  free(atom);
  return s ? s : ds_succeed(err);
}

/* -------------------------------------------------------------------------------------- the others */

static void cuda_info(const ds_pair *pair, ds_pair_info *info)
{
  const ds_cuda_state *c = (const ds_cuda_state *) pair->state;
  info->variant = c->stream.name;
  info->rows = pair->have_list ? pair->nlocal : 0;
  info->rows_begun = c->rows_begun;
  info->entries = (int64_t) c->list.room;
  info->list_by_type = c->by_type;
  info->bytes_device = ds_pool_bytes(&c->stream.memory);
  info->bytes_host = ds_pool_bytes(&c->stream.pinned);
}

static void cuda_pin(ds_pair *pair, void *data, size_t bytes)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_error ignored;
  if (ds_queue_use(&c->stream, &ignored) == DS_OK) ds_queue_pin(&c->stream, data, bytes);
}

static const uint64_t *cuda_halted(const ds_pair *pair)
{
  const ds_cuda_state *c = (const ds_cuda_state *) pair->state;
  return (const uint64_t *) &c->stream.control->halt;
}

static void *cuda_stream(const ds_pair *pair)
{
  return ((const ds_cuda_state *) pair->state)->stream.stream;
}

const ds_pair_backend ds_pair_cuda_backend = {
    "cuda",          cuda_open,       cuda_close,          cuda_set_atoms,
    cuda_set_types,  cuda_load,       cuda_get_velocities, cuda_pack,
    cuda_unpack,     cuda_set_owners, ds_cuda_build_list,  ds_cuda_begin,
    ds_cuda_enqueue, ds_cuda_check,   ds_cuda_read_list,   cuda_info,
    cuda_pin,        cuda_halted,     cuda_stream};

/* ------------------------------------------------------------------------------------------- timing */

static ds_cuda_state *state_of(const ds_pair *pair)
{
  return pair->backend == &ds_pair_cuda_backend ? (ds_cuda_state *) pair->state : NULL;
}

int ds_pair_stages(const ds_pair *pair)
{
  return state_of(pair) ? (int) DS_STAGES : 0;
}

const char *ds_pair_stage_name(const ds_pair *pair, int stage)
{
  return stage >= 0 && stage < ds_pair_stages(pair) ? ds_stage_names[stage] : "";
}

ds_status ds_pair_timing(ds_pair *pair, int on, ds_error *err)
{
  if (!state_of(pair)) return DS_OK;
  const ds_status s = ds_queue_use(&state_of(pair)->stream, err);
  return s ? s : ds_timer_switch(&state_of(pair)->stream.timer, on, err);
}

void ds_pair_pause_timing(ds_pair *pair, int paused)
{
  if (state_of(pair)) ds_timer_pause(&state_of(pair)->stream.timer, paused);
}

void ds_pair_stage_times(const ds_pair *pair, float *ms)
{
  for (int k = 0; k < ds_pair_stages(pair); k++) ms[k] = state_of(pair)->stream.timer.ms[k];
}
