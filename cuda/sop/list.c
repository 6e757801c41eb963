/* Lists of the host: of few beads every pair is looked at; of more the neighbor engine finds the pairs, whose box is here the
   smallest around the beads that fits their units.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort.h"
#include "../neighbor/list.h"
#include "../particles/particles.h"
#include "kernels.h"
#include "list_box.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* Below so many beads, a look at each pair is faster. */
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
  ds_sop_list_box box;
} group;

typedef struct {
  const ds_sop *sop;
  const ds_sop_list_wish *wish;
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
    const int32_t *const x = w->wish->x[c] + g->first;
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
  return ds_sop_in_list_box(&g->box, w->wish->x[0][b], w->wish->x[1][b], w->wish->x[2][b]);
}

ds_status ds_sop_list_frame(const ds_sop *sop, const ds_sop_list_box *list_box, double range, ds_frame *frame, ds_error *err)
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
  ds_placing to;
  ds_status s = ds_list_begin(&k->engine, &to, err);
  for (int32_t b = 0; b < g.count && !s; b++) ds_note_key(&to, b, in_box(w, &g, b));
  if (!s) s = ds_list_order(&k->engine, NULL, 0, err);
  for (int32_t slot = 0; slot < g.count && !s; slot++) {
    const ds_position p = in_box(w, &g, k->engine.sort.order[slot]);
    int32_t *const to = DS_DATA(int32_t, k->position) + 4 * (size_t) slot;
    to[0] = p.x;
    to[1] = p.y;
    to[2] = p.z;
    to[3] = 0;
  }
  return s;
}

static ds_status engine_list(const list_maker *w, group g, ds_error *err)
{
  struct ds_sop_list_work *const k = w->list->work;
  const double reach = w->wish->range / w->sop->model.cutoff;
  ds_grid grid;
  ds_list_source source;
  memset(&source, 0, sizeof source);
  ds_status s = ds_sop_list_frame(w->sop, &g.box, w->wish->range, &source.frame, err);
  if (!s) s = ds_grid_init(&grid, &source.frame, w->wish->range, g.count, err);
  if (!s) s = ds_list_reserve(&k->engine, &grid, g.count, err);
  if (!s) s = ds_queue_reserve(&k->queue, &k->position, 4 * (size_t) g.count, sizeof(int32_t), "positions", err);
  if (!s) s = sort_group(w, g, err);
  if (s) return s;
  source.ntypes = source.both_ways = 1;
  source.list2 = (float) (reach * reach);
  source.margin = ds_list_margin(&source.frame, &grid);
  source.nlocal = g.count;
  source.position = k->position.data;
  return ds_list_build_rows(&k->engine, &source, 32 * (size_t) g.count, err);
}

/* -------------------------------------------------------------------------------------------- rows */

static int grow(int32_t **array, size_t room)
{
  int32_t *const grown = realloc(*array, room * sizeof *grown);
  if (grown) *array = grown;
  return grown != NULL;
}

static ds_status reserve_partners(const list_maker *w, int64_t need, ds_error *err)
{
  ds_sop_list *const l = w->list;
  if ((size_t) need < l->room) return DS_OK;
  const size_t room = (size_t) need + (size_t) need / 4 + 1;
  if (!grow(&l->partner, room) || (!w->wish->both_ways && !grow(&l->bead, room)))
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for a list of %zu pairs", room);
  l->room = room;
  return DS_OK;
}

/* As ds_sop_is_excluded; in a short row some partners are compared at once, without branches. */
static int excludes(const ds_sop_rows *exclusions, int32_t i, int32_t j)
{
  enum { SHORT = 48 };
  const int32_t first = exclusions->first[i], n = exclusions->first[i + 1] - first;
  int found = 0;
  if (n > SHORT) return ds_sop_is_excluded(exclusions, i, j);
  for (int32_t k = 0; k < n; k++) found |= exclusions->partner[first + k] == j;
  return found;
}

/* Of beads near bead i, keeps those that its row has; returns how many. Numbers from the molecule's first bead on are no
   partner's where the bead is of another molecule. */
static int32_t keep_partners(const list_maker *w, int64_t i, int32_t *near, int32_t count)
{
  const int32_t own = (int32_t) (i % w->sop->model.topology.beads);
  const int32_t base = (int32_t) i - own;
  int32_t kept = 0;
  for (int32_t k = 0; k < count; k++) {
    const int32_t j = near[k];
    if (j == i || (j < i && !w->wish->both_ways) || excludes(&w->sop->model.exclusions, own, j - base)) continue;
    near[kept++] = j;
  }
  return kept;
}

/* Rows of a group, each pair looked at; first[] after those of all groups before. */
static ds_status search_rows(const list_maker *w, const group *g, ds_error *err)
{
  static ds_sop_near_beads_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_near_beads);
  const ds_sop_list_wish *const wish = w->wish;
  const double range = wish->range / w->sop->model.coordinate_unit;
  const float range2 = (float) (range * range); /* rounded as the cutoff's square is */
  const int64_t last = g->first + g->count;
  ds_sop_list *const l = w->list;
  for (int64_t i = g->first; i < last; i++) {
    const int64_t first = wish->both_ways ? g->first : i + 1;
    const ds_status s = reserve_partners(w, l->first[i] + last - first, err);
    if (s) return s;
    int32_t *const row = l->partner + l->first[i];
    const int32_t near = kernel[w->sop->isa](wish->x, wish->lanes, i, first, last, range2, row);
    l->first[i + 1] = l->first[i] + keep_partners(w, i, row, near);
  }
  return DS_OK;
}

/* The same by the engine's rows, which are made rows of the list where they are, then copied. */
static ds_status engine_rows(const list_maker *w, const group *g, ds_error *err)
{
  ds_sop_list *const l = w->list;
  ds_status s = engine_list(w, *g, err);
  if (s) return s;
  ds_list *const engine = &l->work->engine;
  const int threads = w->sop->options.threads;
  const int32_t *const bead = engine->sort.order;
  const uint32_t *const start = DS_DATA(uint32_t, engine->first);
  int32_t *const entries = DS_DATA(int32_t, engine->entries);
  int32_t *const count = DS_DATA(int32_t, engine->count);
  int64_t *const first = l->first + g->first;
  (void) threads;
#pragma omp parallel for num_threads(threads)
  for (int32_t slot = 0; slot < g->count; slot++) {
    int32_t *const row = entries + (size_t) start[slot] * DS_ROW_UNIT;
    for (int32_t k = 0; k < count[slot]; k++) row[k] = (int32_t) g->first + bead[row[k]];
    count[slot] = keep_partners(w, g->first + bead[slot], row, count[slot]);
    first[bead[slot] + 1] = count[slot];
  }
  for (int32_t k = 0; k < g->count; k++) first[k + 1] += first[k];
  s = reserve_partners(w, first[g->count], err);
  if (s) return s;
#pragma omp parallel for num_threads(threads)
  for (int32_t slot = 0; slot < g->count; slot++)
    memcpy(l->partner + first[bead[slot]], entries + (size_t) start[slot] * DS_ROW_UNIT,
           (size_t) count[slot] * sizeof *entries);
  return DS_OK;
}

/* ---------------------------------------------------------------------------------------- the list */

static ds_status reserve_list(const ds_sop *sop, ds_sop_list *l, size_t beads, ds_error *err)
{
  if (!l->work) {
    l->work = calloc(1, sizeof *l->work);
    if (l->work && ds_queue_open_host(&l->work->queue, "", err)) return DS_ERR_MEMORY;
    if (l->work) ds_list_open(&l->work->engine, &l->work->queue, 0, sop->isa, sop->options.threads);
  }
  if (l->work && l->rows < beads + 1) {
    free(l->first);
    l->first = malloc((beads + 1) * sizeof *l->first);
    l->rows = l->first ? beads + 1 : 0;
  }
  return l->work && l->first ? DS_OK : ds_fail(err, DS_ERR_MEMORY, "no host memory for lists of %zu beads", beads);
}

static ds_status make_rows(const list_maker *w, ds_error *err)
{
  const ds_sop_list_wish *const wish = w->wish;
  const int32_t n = w->sop->options.inter ? (int32_t) wish->beads : w->sop->model.topology.beads;
  ds_status s = reserve_list(w->sop, w->list, (size_t) wish->beads, err);
  if (!s) w->list->first[0] = 0;
  for (int64_t at = 0; at < wish->beads && !s; at += n) {
    group g = {at, n, {{0, 0, 0}, {0, 0, 0}}};
    const int search = wish->search || n < FEW_BEADS || !enclose(w, &g);
    s = search ? search_rows(w, &g, err) : engine_rows(w, &g, err);
  }
  return s;
}

ds_status ds_sop_list_make(const ds_sop *sop, const ds_sop_list_wish *wish, ds_sop_list *list, ds_error *err)
{
  const list_maker w = {sop, wish, list};
  const ds_status s = make_rows(&w, err);
  if (s) {
    ds_sop_list_free(list);
    return s;
  }
  for (int64_t b = 0; b < wish->beads && !wish->both_ways; b++)
    for (int64_t k = list->first[b]; k < list->first[b + 1]; k++) list->bead[k] = (int32_t) b;
  return DS_OK;
}

size_t ds_sop_list_bytes(const ds_sop_list *l)
{
  return l->rows * sizeof *l->first + l->room * sizeof *l->partner * (l->bead ? 2 : 1) +
         (l->work ? ds_pool_bytes(&l->work->queue.memory) : 0);
}

void ds_sop_list_free(ds_sop_list *l)
{
  if (l->work) ds_queue_close(&l->work->queue);
  free(l->work);
  free(l->first);
  free(l->partner);
  free(l->bead);
  memset(l, 0, sizeof *l);
}
