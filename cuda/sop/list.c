/* Pairs within a range: by the neighbor engine, whose box is here the smallest around the beads that fits their units.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../neighbor/grid.h"
#include "../neighbor/list.h"
#include "../neighbor/sort_host.h"
#include "../particles/frame.h"
#include "list_box.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* Below so many beads, a look at each pair is as fast. */
enum { FEW_BEADS = 192 };

struct ds_sop_list_work {
  ds_queue queue; /* the host's, whichever backend the beads have */
  ds_list engine;
  ds_buffer position; /* int32 by slot: x y z type */
};

/* Beads that see each other: all of a molecule, or all of all molecules. */
typedef struct {
  int64_t first;
  int32_t count;
  int search; /* 1: each pair is looked at */
  ds_sop_list_box box;
} group;

typedef struct {
  const ds_sop *sop;
  const int32_t *const *x;
  double range;
  int both_ways;
  ds_sop_list *list;
} list_maker;

/* ---------------------------------------------------------------------------------- list of the engine */

/* Finds the box around a group; returns 0 where there is none. */
static int enclose(const list_maker *w, group *g)
{
  int32_t first[3];
  ds_sop_extent e;
  memset(&e, 0, sizeof e);
  for (int c = 0; c < 3; c++) {
    const int32_t *const x = w->x[c] + g->first;
    first[c] = x[0];
    for (int32_t k = 1; k < g->count; k++) {
      const int32_t d = ds_diff32(x[k], x[0]);
      e.least[c] = d < e.least[c] ? d : e.least[c];
      e.most[c] = d > e.most[c] ? d : e.most[c];
    }
  }
  return ds_sop_list_box_of(first, &e, &g->box);
}

/* The position of one of its beads. */
static ds_position in_box(const list_maker *w, const group *g, int32_t bead)
{
  const int64_t b = g->first + bead;
  return ds_sop_in_list_box(&g->box, w->x[0][b], w->x[1][b], w->x[2][b]);
}

ds_status ds_sop_list_frame(const ds_sop *sop, const ds_sop_list_box *list_box, double range,
                            ds_frame *frame, ds_error *err)
{
  ds_box box;
  memset(&box, 0, sizeof box);
  for (int c = 0; c < 3; c++) {
    box.h[c] = ldexp(sop->model.coordinate_unit, list_box->bits[c]);
    box.subhi[c] = 1.0;
  }
  return ds_frame_init(frame, &box, sop->model.cutoff, range, err);
}

static ds_status sort_group(const list_maker *w, group g, ds_error *err)
{
  struct ds_sop_list_work *const k = w->list->work;
  ds_keyed *const keyed = DS_DATA(ds_keyed, k->engine.key[0]);
  for (int32_t b = 0; b < g.count; b++) {
    keyed[b].key = ds_grid_key(&k->engine.grid, in_box(w, &g, b));
    keyed[b].index = (uint32_t) b;
  }
  ds_status s = ds_list_sort(&k->engine, 0, err);
  if (!s) s = ds_list_cells(&k->engine, 0, err);
  for (int32_t slot = 0; slot < g.count && !s; slot++) {
    const ds_position p = in_box(w, &g, k->engine.atom_of_slot[slot]);
    int32_t *const to = DS_DATA(int32_t, k->position) + 4 * (size_t) slot;
    to[0] = p.x;
    to[1] = p.y;
    to[2] = p.z;
    to[3] = 0;
  }
  return s;
}

/* Rows, with room for all entries. */
static ds_status build_rows(struct ds_sop_list_work *k, const ds_list_source *source, ds_error *err)
{
  const size_t guess = 32 * (size_t) source->nlocal;
  ds_status s = ds_list_reserve_entries(&k->engine, guess, err);
  if (!s) s = ds_list_rows(&k->engine, source, 0, err);
  if (!s) s = ds_queue_look(&k->queue, "neighbor list", err);
  while (!s && ds_queue_stopped(&k->queue)) {
    s = ds_queue_resume(&k->queue, err);
    if (!s) s = ds_list_reserve_entries(&k->engine, guess, err);
    if (!s) s = ds_list_rows(&k->engine, source, 0, err);
    if (!s) s = ds_queue_look(&k->queue, "neighbor list", err);
  }
  return s;
}

static ds_status engine_list(const list_maker *w, group g, ds_error *err)
{
  struct ds_sop_list_work *const k = w->list->work;
  const double reach = w->range / w->sop->model.cutoff;
  ds_grid grid;
  ds_list_source source;
  memset(&source, 0, sizeof source);
  ds_status s = ds_sop_list_frame(w->sop, &g.box, w->range, &source.frame, err);
  if (!s) s = ds_grid_init(&grid, &source.frame, w->range, g.count, err);
  if (!s) s = ds_list_reserve(&k->engine, &grid, g.count, err);
  if (!s)
    s = ds_queue_reserve(&k->queue, &k->position, 4 * (size_t) g.count, sizeof(int32_t),
                         "positions", err);
  if (!s) s = sort_group(w, g, err);
  if (s) return s;
  source.ntypes = 1;
  source.list2 = (float) (reach * reach);
  source.margin = ds_list_margin(&source.frame, &grid);
  source.nlocal = g.count;
  source.position = k->position.data;
  return build_rows(k, &source, err);
}

/* -------------------------------------------------------------------------------------------- rows */

/* As ds_sop_is_known; in a short row some partners are compared at once, without branches. */
static int knows(const ds_sop_rows *known, int32_t i, int32_t j)
{
  enum { SHORT = 48 };
  const int32_t first = known->first[i], n = known->first[i + 1] - first;
  int found = 0;
  if (n > SHORT) return ds_sop_is_known(known, i, j);
  for (int32_t k = 0; k < n; k++) found |= known->partner[first + k] == j;
  return found;
}

/* Whether the pair of beads i, j is one of the list's: i's row has it. */
static int is_listed(const list_maker *w, const group *g, int64_t i, int64_t j)
{
  const ds_sop_rows *const known = &w->sop->model.known;
  const int32_t n = w->sop->model.topology.beads;
  if (i == j || (j < i && !w->both_ways)) return 0;
  if (g->count == n) return !knows(known, (int32_t) (i - g->first), (int32_t) (j - g->first));
  return i / n != j / n || !knows(known, (int32_t) (i % n), (int32_t) (j % n));
}

/* Partners of a bead by the engine's list; `to` NULL: counted. */
static int64_t row_by_engine(const list_maker *w, group g, int32_t slot, int32_t *to)
{
  const ds_list *const l = &w->list->work->engine;
  const int32_t *const atom = l->atom_of_slot;
  const uint32_t *const entry =
      DS_DATA(uint32_t, l->entries) + (size_t) DS_DATA(uint32_t, l->first)[slot] * DS_ROW_UNIT;
  const int64_t i = g.first + atom[slot];
  int64_t n = 0;
  for (int32_t k = 0; k < DS_DATA(int32_t, l->count)[slot]; k++) {
    const int64_t j = g.first + atom[entry[k]];
    if (!is_listed(w, &g, i, j)) continue;
    if (to) to[n] = (int32_t) j;
    n++;
  }
  return n;
}

static int64_t row_by_search(const list_maker *w, group g, int32_t bead, int32_t *to)
{
  const double range = w->range / w->sop->model.coordinate_unit;
  const float range2 = (float) (range * range); /* rounded as the cutoff's square is */
  const int64_t i = g.first + bead;
  int64_t n = 0;
  for (int64_t j = g.first; j < g.first + g.count; j++) {
    const float dx = (float) ds_diff32(w->x[0][i], w->x[0][j]),
                dy = (float) ds_diff32(w->x[1][i], w->x[1][j]),
                dz = (float) ds_diff32(w->x[2][i], w->x[2][j]);
    if (!(ds_squaref(dx, dy, dz) < range2) || !is_listed(w, &g, i, j)) continue;
    if (to) to[n] = (int32_t) j;
    n++;
  }
  return n;
}

/* The bead of row k of a group. */
static int64_t bead_of(const list_maker *w, group g, int32_t k)
{
  return g.first + (g.search ? k : w->list->work->engine.atom_of_slot[k]);
}

static int64_t row(const list_maker *w, group g, int32_t k, int32_t *to)
{
  return g.search ? row_by_search(w, g, k, to) : row_by_engine(w, g, k, to);
}

static ds_status reserve_partners(ds_sop_list *l, size_t need, ds_error *err)
{
  if (need <= l->room) return DS_OK;
  const size_t room = need + need / 4;
  int32_t *const grown = realloc(l->partner, room * sizeof *grown);
  if (!grown) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a list of %zu pairs", room);
  l->partner = grown;
  l->room = room;
  return DS_OK;
}

/* Rows of a group: first[] after those of all groups before. */
static ds_status add_group(const list_maker *w, group g, ds_error *err)
{
  ds_sop_list *const l = w->list;
  ds_status s = g.search ? DS_OK : engine_list(w, g, err);
  if (s) return s;
  const int threads = w->sop->options.threads;
  int64_t *const first = l->first + g.first;
  (void) threads;
#pragma omp parallel for num_threads(threads) if (g.count >= FEW_BEADS)
  for (int32_t k = 0; k < g.count; k++) {
    const int64_t bead = bead_of(w, g, k);
    l->first[bead + 1] = row(w, g, k, NULL);
  }
  for (int32_t k = 0; k < g.count; k++) first[k + 1] += first[k];
  s = reserve_partners(l, (size_t) first[g.count] + 1, err);
  if (s) return s;
#pragma omp parallel for num_threads(threads) if (g.count >= FEW_BEADS)
  for (int32_t k = 0; k < g.count; k++) row(w, g, k, l->partner + l->first[bead_of(w, g, k)]);
  return DS_OK;
}

static ds_status reserve_list(const ds_sop *sop, ds_sop_list *l, size_t beads, ds_error *err)
{
  if (!l->work) {
    l->work = calloc(1, sizeof *l->work);
    if (l->work && ds_queue_open_host(&l->work->queue, "", err)) return DS_ERR_MEMORY;
    if (l->work) ds_list_open(&l->work->engine, &l->work->queue, sop->isa, sop->options.threads);
  }
  if (l->work && l->rows < beads + 1) {
    free(l->first);
    l->first = malloc((beads + 1) * sizeof *l->first);
    l->rows = l->first ? beads + 1 : 0;
  }
  return l->work && l->first
             ? DS_OK
             : ds_fail(err, DS_ERR_MEMORY, "no host memory for lists of %zu beads", beads);
}

ds_status ds_sop_list_make(const ds_sop *sop, const int32_t *const coordinate[3], double range,
                           int both_ways, ds_sop_list *list, ds_error *err)
{
  const int32_t n = sop->model.topology.beads;
  const int64_t beads = (int64_t) sop->molecules * n;
  const list_maker w = {sop, coordinate, range, both_ways, list};
  ds_status s = reserve_list(sop, list, (size_t) beads, err);
  if (s) return s;
  list->first[0] = 0;
  const int together = sop->options.inter || sop->molecules == 1;
  for (int64_t at = 0; at < beads && !s;) {
    group g = {at, together ? (int32_t) beads : n, 1, {{0, 0, 0}, {0, 0, 0}}};
    g.search = g.count < FEW_BEADS || !enclose(&w, &g);
    s = add_group(&w, g, err);
    at += g.count;
  }
  return s;
}

void ds_sop_list_free(ds_sop_list *l)
{
  if (l->work) ds_queue_close(&l->work->queue);
  free(l->work);
  free(l->first);
  free(l->partner);
  memset(l, 0, sizeof *l);
}
