/* A process's atoms as stages read them, and its ghosts.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "particles.h"

#include "dpdsop/device/signature.h"

#include <string.h>

void ds_particles_open(ds_particles *p, ds_queue *q, ds_precision precision, ds_isa isa, int threads)
{
  static const ds_particle_stages *const host[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_particle_stages);
  memset(p, 0, sizeof *p);
  p->queue = q;
  p->host_stages = host[isa] + precision;
  p->stages = DS_CHOOSE_STAGE(q, p->host_stages, ds_particle_stages_cuda + precision);
  p->threads = threads;
  p->is_wide = precision == DS_PRECISION_DOUBLE;
}

size_t ds_particles_message_bytes(const ds_particles *p)
{
  return p->is_wide ? sizeof(ds_message64) : sizeof(ds_message32);
}

/* ----------------------------------------------------------------------------------------- setting */

ds_status ds_special_copy(ds_queue *q, ds_mirror mirror[2], const ds_array *counts, const ds_array *partners, int n, int most,
                          ds_special *to, ds_error *err)
{
  to->max_special = 0;
  if (!counts->data || most == 0 || n == 0) return DS_OK;
  ds_status s = ds_queue_array_copy(q, &mirror[0], counts, n, 3, "special counts", &to->counts, err);
  if (!s) s = ds_queue_array_copy(q, &mirror[1], partners, n, most, "special partners", &to->partners, err);
  if (!s) to->max_special = most;
  return s;
}

ds_status ds_exclusions_copy(ds_queue *q, ds_mirror mirror[2], const ds_exclusion *rule, int rules, const ds_array *molecule,
                             int n, ds_exclusions *to, ds_error *err)
{
  to->n = 0;
  if (rules <= 0) return DS_OK;
  ds_status s = ds_queue_upload(q, &mirror[0], rule, (size_t) rules, sizeof *rule, "exclusions", err);
  if (!s) s = ds_queue_array_copy(q, &mirror[1], molecule, n, 1, "molecules", &to->molecule, err);
  if (s) return s;
  to->n = rules;
  to->rule = DS_DATA(ds_exclusion, mirror[0].device);
  return DS_OK;
}

/* Room for all ghosts: those that never arrive have zeros. */
static ds_status clear_messages(ds_particles *p, ds_error *err)
{
  const size_t bytes = ds_particles_message_bytes(p) * (size_t) p->nghost;
  ds_status s = ds_queue_reserve(p->queue, &p->message, bytes + 64, 1, "ghosts", err);
  if (!s) s = ds_queue_clear(p->queue, p->message.data, bytes, "clearing ghosts", err);
  p->source.message = p->given.message = DS_DATA(char, p->message);
  p->source.owner = p->given.owner = NULL;
  if (s || ds_queue_is_host(p->queue)) return s;
  s = ds_queue_stage(p->queue, &p->message_host, bytes + 64, 1, "ghosts", err);
  if (s) return s;
  memset(p->message_host.buffer.data, 0, bytes);
  p->given.message = DS_DATA(char, p->message_host.buffer);
  p->message_host.in_place = p->given.type.space == DS_SPACE_HOST && ds_queue_reads_in_place(p->queue, bytes);
  if (p->message_host.in_place) p->source.message = p->given.message;
  return DS_OK;
}

/* Those in host memory are read when positions are loaded. */
void ds_particles_set_types(ds_particles *p, const ds_array *type)
{
  p->given.type = *type;
  p->types++;
}

void *ds_particles_copied_charges(const ds_particles *p)
{
  const ds_array *const q = &p->source.charge;
  const int is_copy = q->data && q->data == p->charge.device.data && q->atom_stride == 1;
  return is_copy && p->charges_read == p->charges ? q->data : NULL;
}

void ds_particles_set_charges(ds_particles *p, const ds_array *charge)
{
  p->given.charge = *charge;
  p->charges++;
}

ds_status ds_particles_set(ds_particles *p, const ds_atoms *atoms, int ntypes, ds_error *err)
{
  p->nghost = atoms->nghost;
  p->given.nlocal = p->source.nlocal = atoms->nlocal;
  p->given.ntypes = p->source.ntypes = ntypes;
  p->given.tag = atoms->tag;
  p->given.charge = p->source.charge = (ds_array){NULL};
  ds_particles_set_types(p, &atoms->type);
  const int n = atoms->nlocal + atoms->nghost;
  ds_status s = ds_queue_array_in(p->queue, &p->tag, &atoms->tag, n, 1, 1, "atom IDs", &p->source.tag, err);
  if (!s) s = clear_messages(p, err);
  if (!s)
    s = ds_special_copy(p->queue, p->of_special, &atoms->nspecial, &atoms->special, atoms->nlocal, atoms->max_special,
                        &p->special, err);
  p->excludes_types = 0;
  for (int k = 0; k < atoms->nexclusions; k++) p->excludes_types |= atoms->exclusion[k].kind == DS_EXCLUDE_TYPES;
  if (!s && atoms->nexclusions)
    s = ds_queue_array_copy(p->queue, &p->mask, &atoms->mask, n, 1, "group masks", &p->excluded.mask, err);
  return s ? s
           : ds_exclusions_copy(p->queue, p->of_excluded, atoms->exclusion, atoms->nexclusions, &atoms->molecule, n,
                                &p->excluded, err);
}

void ds_particles_set_step(ds_particles *p, uint32_t place, int64_t step)
{
  p->step = step;
  p->source.step = p->given.step = ds_signature_step((uint64_t) step, place);
}

ds_status ds_particles_load(ds_particles *p, const ds_frame *frame, const ds_array *x, const ds_array *v, uint32_t seed,
                            uint32_t place, int64_t step, ds_error *err)
{
  const int n = p->given.nlocal;
  p->source.frame = p->given.frame = *frame;
  p->source.seed = p->given.seed = seed;
  ds_particles_set_step(p, place, step);
  p->given.x = *x;
  p->given.v = *v;
  /* messages of the step before may be under way */
  ds_status s = ds_queue_stage(p->queue, &p->message_host, 0, 1, "ghosts", err);
  ds_queue_begin(p->queue, DS_STAGE_COPY_IN);
  if (!s) s = ds_queue_array_in(p->queue, &p->x, x, n, 3, 0, "positions", &p->source.x, err);
  if (!s) s = ds_queue_array_in(p->queue, &p->v, v, n, 3, 0, "velocities", &p->source.v, err);
  if (!s && p->types_read != p->types) {
    p->types_read = p->types;
    s = ds_queue_array_in(p->queue, &p->type, &p->given.type, n, 1, 1, "atom types", &p->source.type, err);
  }
  if (!s && p->charges_read != p->charges && p->given.charge.data) {
    const int with_ghosts = p->source.owner ? n : n + p->nghost;
    p->charges_read = p->charges;
    s = ds_queue_array_in(p->queue, &p->charge, &p->given.charge, with_ghosts, 1, 1, "charges", &p->source.charge, err);
  }
  ds_queue_end(p->queue, DS_STAGE_COPY_IN);
  return s;
}

/* ------------------------------------------------------------------------------------------ ghosts */

/* From a copy of the list where stages work, and waits. */
static ds_status pack_and_wait(ds_particles *p, int n, const int *list, const int shift[3], void *buffer, ds_error *err)
{
  const size_t count = (size_t) n, bytes = count * ds_particles_message_bytes(p);
  ds_status s = ds_queue_upload(p->queue, &p->pack_list, list, count, sizeof(int32_t), "ghosts to send", err);
  if (!s) s = ds_queue_reserve(p->queue, &p->pack_data, bytes + 64, 1, "ghosts to send", err);
  if (!s) s = p->stages->pack(p, &p->source, n, DS_DATA(int32_t, p->pack_list.device), shift, p->pack_data.data, err);
  if (!s) s = ds_queue_copy(p->queue, buffer, p->pack_data.data, bytes, "copying ghosts", err);
  return s ? s : ds_queue_wait(p->queue, "packing ghosts", err);
}

/* What the host can read it packs itself, without waiting for a GPU; owners it has only where it is the backend. */
ds_status ds_particles_pack(ds_particles *p, int n, const int *list, const int shift[3], void *buffer, ds_space space,
                            ds_error *err)
{
  const int by_host = p->given.x.space == DS_SPACE_HOST && p->given.tag.space == DS_SPACE_HOST &&
                      p->given.type.space == DS_SPACE_HOST && !p->source.owner == !p->given.owner;
  if (n == 0) return DS_OK;
  if (space == DS_SPACE_DEVICE) return p->stages->pack(p, &p->source, n, list, shift, buffer, err);
  if (!by_host) return pack_and_wait(p, n, list, shift, buffer, err);
  return p->host_stages->pack(p, &p->given, n, list, shift, buffer, err);
}

/* Through host memory that stays readable for packing: messages can be sent on. */
ds_status ds_particles_unpack(ds_particles *p, int first, int n, const void *buffer, ds_space space, ds_error *err)
{
  const size_t size = ds_particles_message_bytes(p), bytes = size * (size_t) n, at = size * (size_t) (first - p->given.nlocal);
  const int is_staged = space == DS_SPACE_HOST && p->given.message != p->source.message;
  char *const given = (char *) p->given.message + at, *const source = (char *) p->source.message + at;
  if (p->source.owner || n == 0) return DS_OK; /* ghosts are read from their owners */
  if (space == DS_SPACE_HOST && p->message_host.in_place) {
    memcpy(given, buffer, bytes);
    return DS_OK;
  }
  if (is_staged) {
    memcpy(given, buffer, bytes);
    p->message_host.ticket = ++p->queue->queued;
  }
  ds_queue_begin(p->queue, DS_STAGE_MESSAGES);
  const ds_status s = ds_queue_copy(p->queue, source, is_staged ? given : buffer, bytes, "copying ghosts", err);
  ds_queue_end(p->queue, DS_STAGE_MESSAGES);
  return s;
}

ds_status ds_particles_set_owners(ds_particles *p, const int *owner, const int *image, ds_error *err)
{
  const size_t n = (size_t) p->nghost;
  ds_status s = ds_queue_stage(p->queue, &p->owner_host, n + 1, 4 * sizeof(int32_t), "ghost owners", err);
  if (s) return s;
  int32_t *const to = DS_DATA(int32_t, p->owner_host.buffer);
  for (size_t g = 0; g < n; g++) {
    to[4 * g] = owner[g];
    for (size_t d = 0; d < 3; d++) to[4 * g + 1 + d] = image[3 * g + d];
  }
  s = ds_queue_reserve(p->queue, &p->owner, n + 1, 4 * sizeof(int32_t), "ghost owners", err);
  if (!s) s = ds_queue_send(p->queue, p->owner.data, &p->owner_host, n * 4 * sizeof(int32_t), "copying ghost owners", err);
  p->source.owner = DS_DATA(int32_t, p->owner);
  p->given.owner = ds_queue_is_host(p->queue) ? p->source.owner : NULL;
  return s;
}

/* ------------------------------------------------------------------------------------ sorted particles */

ds_status ds_particles_reserve_sorted(ds_particles *p, ds_sorted *sorted, int n, int by_type, ds_error *err)
{
  const size_t room = (size_t) n + 1, four = p->is_wide ? 32 : 16;
  ds_queue *const q = p->queue;
  ds_status s = ds_reserve_copies(q, &sorted->position, room, four, "sorted positions", err);
  if (!s) s = ds_reserve_copies(q, &sorted->velocity, room, four, "sorted velocities", err);
  if (!s && p->is_wide) s = ds_reserve_copies(q, &sorted->upper, room, 4 * sizeof(int32_t), "sorted positions", err);
  if (!s) s = ds_queue_reserve(q, &sorted->tag, room, sizeof(int64_t), "sorted atom IDs", err);
  if (!s && p->source.charge.data) s = ds_queue_reserve(q, &sorted->charge, room, four / 4, "sorted charges", err);
  if (!s && by_type) s = ds_queue_reserve(q, &sorted->list_type, room, sizeof(int32_t), "types of the list", err);
  return s;
}

/* ------------------------------------------------------------------------- faults, named on the host */

ds_status ds_particles_find(ds_particles *p, int atom, int64_t *tag, int64_t *type, double x[3], ds_error *err)
{
  ds_status s = ds_queue_get(p->queue, &p->source.tag, atom, 0, NULL, tag, err);
  if (!s) s = ds_queue_get(p->queue, &p->source.type, atom, 0, NULL, type, err);
  for (int d = 0; d < 3 && !s; d++) s = ds_queue_get(p->queue, &p->source.x, atom, d, &x[d], NULL, err);
  return s;
}
