/* ranks.c: several processes in one.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_atom(test_system *to, int k, const test_system *from, int i)
{
  memcpy(to->x + 3 * k, from->x + 3 * i, 24);
  memcpy(to->v + 3 * k, from->v + 3 * i, 24);
  memcpy(to->image + 3 * k, from->image + 3 * i, 12);
  to->origin[k] = from->origin[i];
  to->tag[k] = from->tag[i];
  to->type[k] = from->type[i];
  to->mask[k] = from->mask[i];
  to->molecule[k] = from->molecule[i];
}

static void take_special(test_system *to, const test_system *from)
{
  const size_t m = (size_t) from->max_special;
  if (!m) return;
  to->max_special = from->max_special;
  to->nspecial = test_alloc(3 * (size_t) to->nlocal * sizeof *to->nspecial);
  to->special = test_alloc(m * (size_t) to->nlocal * sizeof *to->special);
  for (int k = 0; k < to->nlocal; k++) {
    const int i = to->origin[k];
    memcpy(to->nspecial + 3 * k, from->nspecial + 3 * i, 3 * sizeof *to->nspecial);
    memcpy(to->special + m * (size_t) k, from->special + m * (size_t) i, m * sizeof *to->special);
  }
}

static void take_slab(test_system *s, const test_system *whole, double low, double high)
{
  system_open(s, whole->box.lo, whole->box.h, whole->box.periodic, whole->range, whole->box.slack);
  memcpy(s->box.image_rate, whole->box.image_rate, sizeof s->box.image_rate);
  s->box.sublo[0] = low;
  s->box.subhi[0] = high;
  s->nexclusions = whole->nexclusions;
  s->exclusion = whole->exclusion;
  for (int i = 0; i < whole->nlocal; i++) {
    double l[3];
    system_fraction(whole, i, l);
    if ((l[0] < low && low > 0.0) || (l[0] >= high && high < 1.0)) continue;
    system_reserve(s, s->nlocal + 1);
    take_atom(s, s->nlocal++, whole, i);
  }
  take_special(s, whole);
}

/* Ask rank `from` for its first n atoms, shifted along d, as far as they are near the subdomain. */
static void ask(test_rank *r, const test_system *sender, int from, int n, int d, int shift)
{
  test_system *const s = &r->system;
  const double reach = s->box.ghost_reach[d];
  test_message m;
  memset(&m, 0, sizeof m);
  m.from = from;
  m.shift[d] = shift;
  m.first = s->nlocal + s->nghost;
  m.list = test_alloc((size_t) n * sizeof *m.list);
  for (int i = 0; i < n; i++) {
    double l[3];
    const int k = s->nlocal + s->nghost;
    system_fraction(sender, i, l);
    if (l[d] + shift < s->box.sublo[d] - reach || l[d] + shift > s->box.subhi[d] + reach) continue;
    m.list[m.n++] = i;
    system_reserve(s, k + 1);
    take_atom(s, k, sender, i);
    s->image[3 * k + d] += shift;
    s->nghost++;
  }
  if (m.n == 0) {
    free(m.list);
    return;
  }
  r->messages = realloc(r->messages, (size_t) (r->nmessages + 1) * sizeof m);
  if (!r->messages) abort();
  r->messages[r->nmessages++] = m;
}

static int shifts(const ds_box *b, int d)
{
  return b->periodic[d] ? 1 + (int) ceil(b->ghost_reach[d]) : 0;
}

static void make_messages(test_ranks *r)
{
  for (int k = 0; k < r->n; k++) {
    test_rank *const rank = &r->rank[k];
    const ds_box *b = &rank->system.box;
    for (int from = 0; from < r->n; from++)
      for (int m = -shifts(b, 0); m <= shifts(b, 0); m++)
        if (from != k || m)
          ask(rank, &r->rank[from].system, from, r->rank[from].system.nlocal, 0, m);
    for (int d = 1; d < 3; d++) {
      const int n = rank->system.nlocal + rank->system.nghost;
      for (int m = -shifts(b, d); m <= shifts(b, d); m++)
        if (m) ask(rank, &rank->system, k, n, d, m);
    }
  }
}

ds_status ranks_open(test_ranks *r, const test_system *whole, int n, const double *cuts,
                     const ds_pair_options *options, ds_precision precision)
{
  ds_status status = DS_OK;
  memset(r, 0, sizeof *r);
  r->n = n;
  for (int k = 0; k < n; k++) {
    take_slab(&r->rank[k].system, whole, k ? cuts[k - 1] : 0.0, k < n - 1 ? cuts[k] : 1.0);
    if (!status) status = engine_open(&r->rank[k].engine, options, precision);
  }
  make_messages(r);
  return status;
}

void ranks_close(test_ranks *r)
{
  for (int k = 0; k < r->n; k++) {
    test_rank *const rank = &r->rank[k];
    engine_close(&rank->engine);
    system_close(&rank->system);
    for (int m = 0; m < rank->nmessages; m++) free(rank->messages[m].list);
    free(rank->messages);
  }
  memset(r, 0, sizeof *r);
}

static ds_status deliver(test_ranks *r, test_rank *to, const test_message *m)
{
  test_engine *const from = &r->rank[m->from].engine;
  char *buffer = test_alloc((size_t) m->n * (size_t) ds_pair_ghost_bytes(from->dpd));
  ds_status status =
      ds_pair_pack_ghosts(from->dpd, m->n, m->list, m->shift, buffer, DS_SPACE_HOST, &from->err);
  if (!status)
    status = ds_pair_unpack_ghosts(to->engine.dpd, m->first, m->n, buffer, DS_SPACE_HOST,
                                   &to->engine.err);
  free(buffer);
  return status;
}

static ds_status communicate(test_ranks *r, int64_t step)
{
  ds_status status = DS_OK;
  for (int k = 0; k < r->n && !status; k++) status = engine_load(&r->rank[k].engine, step);
  for (int k = 0; k < r->n; k++)
    for (int m = 0; m < r->rank[k].nmessages && !status; m++)
      status = deliver(r, &r->rank[k], &r->rank[k].messages[m]);
  return status;
}

ds_status ranks_setup(test_ranks *r, const test_model *t, int64_t step)
{
  ds_status status = DS_OK;
  for (int k = 0; k < r->n && !status; k++)
    status = engine_atoms(&r->rank[k].engine, t, &r->rank[k].system);
  if (!status) status = communicate(r, step);
  for (int k = 0; k < r->n && !status; k++)
    status = ds_pair_build_list(r->rank[k].engine.dpd, &r->rank[k].engine.err);
  return status;
}

ds_status ranks_load(test_ranks *r, const test_system *whole, int64_t step)
{
  for (int k = 0; k < r->n; k++) {
    test_system *const s = &r->rank[k].system;
    for (int i = 0; i < s->nlocal + s->nghost; i++) {
      memcpy(s->x + 3 * i, whole->x + 3 * s->origin[i], 24);
      memcpy(s->v + 3 * i, whole->v + 3 * s->origin[i], 24);
    }
  }
  return communicate(r, step);
}

static ds_status deliver_densities(test_ranks *r, test_rank *to, const test_message *m)
{
  test_engine *const from = &r->rank[m->from].engine;
  double *buffer = test_alloc((size_t) m->n * sizeof *buffer);
  ds_status status = ds_pair_pack_densities(from->dpd, m->n, m->list, buffer, &from->err);
  if (!status) status = ds_pair_unpack_densities(to->engine.dpd, m->first, m->n, buffer, &to->engine.err);
  free(buffer);
  return status;
}

ds_status ranks_send_densities(test_ranks *r)
{
  ds_status status = DS_OK;
  for (int k = 0; k < r->n && !status; k++) status = ds_pair_make_densities(r->rank[k].engine.dpd, &r->rank[k].engine.err);
  for (int k = 0; k < r->n; k++)
    for (int m = 0; m < r->rank[k].nmessages && !status; m++)
      status = deliver_densities(r, &r->rank[k], &r->rank[k].messages[m]);
  return status;
}

ds_status ranks_forces(test_ranks *r, double *f, double *eatom, double *vatom)
{
  for (int k = 0; k < r->n; k++) {
    test_engine *const e = &r->rank[k].engine;
    const ds_status status = engine_forces(e, 1);
    if (status) return status;
    for (int i = 0; i < e->system->nlocal; i++) {
      const int to = e->system->origin[i];
      memcpy(f + 3 * to, e->f + 3 * i, 24);
      eatom[to] = e->eatom[i];
      memcpy(vatom + 6 * to, e->vatom + 6 * i, 48);
    }
  }
  return DS_OK;
}

const char *ranks_error(const test_ranks *r)
{
  for (int k = 0; k < r->n; k++)
    if (r->rank[k].engine.err.code) return r->rank[k].engine.err.text;
  return "";
}
