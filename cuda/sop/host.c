/* Host backend of SOP molecules, C with OpenMP: its state.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"
#include "hydro_host.h"

#include <stdlib.h>
#include <string.h>

static ds_status host_open(ds_sop *sop, ds_error *err)
{
  ds_sop_host *const h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the host backend");
  h->pool.memory = &ds_host_memory;
  h->isa = sop->isa;
  sop->backend = h;
  return DS_OK;
}

static void free_block_lists(ds_sop_host *h)
{
  for (int b = 0; b < h->blocks; b++) ds_sop_list_free(&h->block_list[b]);
  free(h->block_list);
  h->block_list = NULL;
  h->blocks = 0;
}

static void host_close(ds_sop *sop)
{
  ds_sop_host *const h = sop->backend;
  free_block_lists(h);
  ds_sop_list_free(&h->list);
  ds_pool_close(&h->pool);
  free(h);
}

static const char *host_device(const ds_sop *sop)
{
  (void) sop;
  return "";
}

static const char *host_scheme(const ds_sop *sop)
{
  static const char *const name[4] = {"auto", "particle", "pair", "block"};
  return name[((const ds_sop_host *) sop->backend)->scheme];
}

static size_t host_bytes(const ds_sop *sop)
{
  const ds_sop_host *const h = sop->backend;
  size_t bytes = ds_pool_bytes(&h->pool) + ds_sop_list_bytes(&h->list);
  for (int b = 0; b < h->blocks; b++) bytes += ds_sop_list_bytes(&h->block_list[b]);
  return bytes;
}

/* ------------------------------------------------------------------------------------------- beads */

/* Fewer molecules than this are not put side by side in the scheme block: so long a part of a vector would be idle. */
enum { FEW_MOLECULES = 6 };

/* The scheme block, in which one core moves a molecule, or several side by side, unless molecules are large, interact or
   feel a tip. Then the scheme pair where one thread has all beads, and else the scheme particle, whose beads are shared by
   threads or processes. */
static ds_sop_scheme choose_scheme(const ds_sop *sop)
{
  enum { SMALL = 1024 };
  if (sop->options.scheme != DS_SOP_AUTO) return sop->options.scheme;
  if (sop->share_last) return DS_SOP_PARTICLE;
  if (!sop->options.inter && !ds_sop_indents(&sop->indent) && sop->model.topology.beads <= SMALL) return DS_SOP_BLOCK;
  return sop->options.threads == 1 ? DS_SOP_PAIR : DS_SOP_PARTICLE;
}

static ds_status reserve_each(ds_sop_host *h, ds_buffer b[3], size_t size, const char *what, ds_error *err)
{
  ds_status s = DS_OK;
  for (int c = 0; c < 3 && !s; c++) {
    s = ds_reserve(&h->pool, &b[c], h->places + 1, size, what, err);
    if (!s) memset(b[c].data, 0, (h->places + 1) * size);
  }
  return s;
}

static ds_status reserve_places(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  const size_t n = h->places + 1;
  ds_status s = reserve_each(h, h->position, sizeof(int64_t), "positions", err);
  if (!s) s = reserve_each(h, h->x, sizeof(int32_t), "coordinates", err);
  if (!s) s = reserve_each(h, h->reference, sizeof(int32_t), "coordinates", err);
  if (!s) s = reserve_each(h, h->force[0], sizeof(int32_t), "forces", err);
  if (!s) s = reserve_each(h, h->outside, sizeof(float), "forces", err);
  if (!s) s = reserve_each(h, h->other, sizeof(float), "forces", err);
  if (!s) s = reserve_each(h, h->noise, sizeof(int32_t), "displacements", err);
  if (!s) s = ds_reserve(&h->pool, &h->id, n, sizeof(uint64_t), "IDs", err);
  if (!s) s = ds_reserve(&h->pool, &h->moves, n, sizeof(int32_t), "fixed beads", err);
  if (!s && sop->generator->bytes)
    s = ds_reserve(&h->pool, &h->states, n, (size_t) sop->generator->bytes, "states of generators", err);
  if (!s && sop->options.order == 2) s = reserve_each(h, h->force[1], sizeof(int32_t), "forces", err);
  if (!s && sop->options.order == 2) s = reserve_each(h, h->predicted, sizeof(int32_t), "displacements", err);
  for (int k = 0; k < 4 && !s && sop->options.order == 2; k++)
    s = ds_reserve(&h->pool, &h->words[k], n, sizeof(uint32_t), "random words", err);
  if (!s && ds_sop_indents(&sop->indent))
    s = ds_reserve(&h->pool, &h->tip_bead_forces, 3 * (size_t) sop->molecules + 1, sizeof(int64_t), "forces of tips", err);
  return s;
}

static void fill_places(const ds_sop *sop, ds_sop_host *h)
{
  const ds_sop_generator *const g = sop->generator;
  for (size_t p = 0; p < h->places; p++) {
    const uint64_t id = (uint64_t) sop->id[ds_sop_bead_of_place(sop, h, p)];
    DS_DATA(uint64_t, h->id)[p] = id;
    DS_DATA(int32_t, h->moves)[p] = -1;
    if (g->bytes) ds_sop_init_generator(g, DS_DATA(char, h->states) + (size_t) g->bytes * p, sop->options.seed, id);
  }
}

static ds_status host_set_beads(ds_sop *sop, ds_error *err)
{
  ds_sop_host *const h = sop->backend;
  const size_t n = (size_t) sop->model.topology.beads;
  free_block_lists(h);
  ds_pool_close(&h->pool); /* sizes may be quite others */
  h->list_is_made = 0;
  h->outside_per_force = 0.0;
  h->scheme = choose_scheme(sop);
  h->places = h->free_at = n * (size_t) sop->molecules;
  if (h->scheme == DS_SOP_BLOCK) {
    h->lanes = sop->molecules < FEW_MOLECULES || sop->hydro.kind ? 1 : DS_SOP_LANES;
    const int blocks = (sop->molecules + h->lanes - 1) / h->lanes;
    h->block_list = calloc((size_t) blocks + 1, sizeof *h->block_list);
    if (!h->block_list) return ds_fail(err, DS_ERR_MEMORY, "no host memory for lists");
    h->blocks = blocks;
    h->free_at = n * (size_t) h->lanes * (size_t) blocks;
  }
  h->places = h->free_at + (size_t) sop->free;
  const double half = 0.5 * (h->skin = sop->options.skin) / sop->model.coordinate_unit;
  h->moved2 = (float) (half * half);
  ds_status s = reserve_places(sop, h, err);
  if (!s && sop->hydro.kind) s = ds_sop_host_hydro_reserve(sop, h, err);
  if (!s) fill_places(sop, h);
  return s;
}

static ds_status host_put(ds_sop *sop, const int64_t *position, ds_error *err)
{
  ds_sop_host *const h = sop->backend;
  (void) err;
  for (size_t p = 0; p < h->places; p++)
    for (int c = 0; c < 3; c++) {
      const int64_t value = position[3 * ds_sop_bead_of_place(sop, h, p) + c];
      DS_DATA(int64_t, h->position[c])[p] = value;
      DS_DATA(int32_t, h->x[c])[p] = ds_sop_coordinate(value);
    }
  return DS_OK;
}

static ds_status host_get(const ds_sop *sop, int64_t *position, ds_error *err)
{
  const ds_sop_host *const h = sop->backend;
  (void) err;
  for (int64_t b = 0; b < sop->beads; b++)
    for (int c = 0; c < 3; c++) position[3 * b + c] = DS_DATA(int64_t, h->position[c])[ds_sop_place(sop, h, b)];
  return DS_OK;
}

static ds_status host_set_forces(ds_sop *sop, const double *f, ds_error *err)
{
  ds_sop_host *const h = sop->backend;
  if (!f && !h->outside_force.data) return DS_OK;
  h->outside_per_force = 0.0;
  if (!f) {
    ds_buffer_free(h->pool.memory, &h->outside_force);
    return DS_OK;
  }
  const size_t n = 3 * (size_t) sop->beads;
  const ds_status s = ds_reserve(&h->pool, &h->outside_force, n + 1, sizeof(double), "forces", err);
  if (!s) memcpy(h->outside_force.data, f, n * sizeof *f);
  return s;
}

static ds_status host_noise(const ds_sop *sop, int32_t *displacement, ds_error *err)
{
  const ds_sop_host *const h = sop->backend;
  (void) err;
  for (int64_t b = 0; b < sop->beads; b++)
    for (int c = 0; c < 3; c++) displacement[3 * b + c] = DS_DATA(int32_t, h->noise[c])[ds_sop_place(sop, h, b)];
  return DS_OK;
}

/* Of each bead the bytes of its generator. */
static ds_status host_get_states(const ds_sop *sop, void *states, ds_error *err)
{
  const ds_sop_host *const h = sop->backend;
  const size_t bytes = (size_t) sop->generator->bytes;
  (void) err;
  for (int64_t b = 0; b < sop->beads && bytes; b++)
    memcpy((char *) states + bytes * (size_t) b, DS_DATA(char, h->states) + bytes * ds_sop_place(sop, h, b), bytes);
  return DS_OK;
}

static ds_status host_put_states(ds_sop *sop, const void *states, ds_error *err)
{
  ds_sop_host *const h = sop->backend;
  const size_t bytes = (size_t) sop->generator->bytes;
  (void) err;
  for (size_t p = 0; p < h->places && bytes; p++)
    memcpy(DS_DATA(char, h->states) + bytes * p, (const char *) states + bytes * (size_t) ds_sop_bead_of_place(sop, h, p),
           bytes);
  return DS_OK;
}

const ds_sop_backend_functions ds_sop_host_functions = {
    "host",   host_open,       host_close,          host_device,        host_scheme, host_bytes,      host_set_beads, host_put,
    host_get, host_set_forces, ds_sop_host_advance, ds_sop_host_forces, host_noise,  host_get_states, host_put_states};
