/* Histograms of distances: the public interface, and the cells that pairs are found in.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/backend.h"
#include "../neighbor/list.h"
#include "../particles/particles.h"
#include "rdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ds_status ds_rdf_open(ds_rdf **out, ds_backend backend, int local_rank, int threads, ds_error *err)
{
  if (ds_check_pointer(out, "place for histograms of distances", err)) return DS_ERR_ARGUMENT;
  *out = NULL;
  if (local_rank < 0) return ds_fail(err, DS_ERR_ARGUMENT, "local rank %d; allowed: >= 0", local_rank);
  const ds_queue_options queue = {local_rank, NULL, 0, 0};
  ds_rdf *const r = calloc(1, sizeof *r);
  if (!r) return ds_fail(err, DS_ERR_MEMORY, "no host memory for histograms of distances");
  ds_error no_gpu;
  ds_status s = ds_threads_choose(threads, &r->threads, err);
  if (!s) s = ds_queue_open(&r->queue, backend, "host", &queue, &no_gpu, err);
  if (s) {
    free(r);
    return s;
  }
  *out = r;
  return ds_succeed(err);
}

void ds_rdf_close(ds_rdf *r)
{
  if (!r) return;
  ds_queue_close(&r->queue);
  free(r);
}

/* ------------------------------------------------------------------------------------------- checks */

static ds_status check_settings(const ds_rdf_settings *s, ds_error *err)
{
  enum { MAX_TYPES = 4096 };
  if (!(s->cutoff > 0.0) || !isfinite(s->cutoff) || !(s->inverse_width > 0.0) || !isfinite(s->inverse_width))
    return ds_fail(err, DS_ERR_ARGUMENT, "distances up to %g in bins of %g; both must be > 0", s->cutoff,
                   1.0 / s->inverse_width);
  if (s->nbins < 1 || s->nkinds < 1 || (double) s->nbins * s->nkinds >= 2147483647.0)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d histograms of %d bins; allowed: 1 and more, up to 2147483646 bins in all",
                   s->nkinds, s->nbins);
  if (s->ntypes < 1 || s->ntypes > MAX_TYPES)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d types; allowed: 1 to %d", s->ntypes, MAX_TYPES);
  if (ds_check_pointer(s->kind, "kinds of pairs", err)) return DS_ERR_ARGUMENT;
  for (int a = 0; a < s->ntypes; a++)
    for (int b = 0; b < s->ntypes; b++)
      if (s->kind[a * s->ntypes + b] >= s->nkinds || s->kind[a * s->ntypes + b] != s->kind[b * s->ntypes + a])
        return ds_fail(err, DS_ERR_ARGUMENT, "pairs of types %d and %d are of kind %d, and the other way %d, of %d kinds",
                       a + 1, b + 1, (int) s->kind[a * s->ntypes + b], (int) s->kind[b * s->ntypes + a], s->nkinds);
  return DS_OK;
}

static int most_partners(const ds_rdf_atoms *a)
{
  int64_t most = 0;
  for (int i = 0; i < a->nown && a->nspecial.data; i++) {
    const int64_t here = ds_array_int(&a->nspecial, i, 2);
    most = here > most ? here : most;
  }
  return (int) most;
}

/* `most`: partners of the particle that has most. */
static ds_status check_atoms(const ds_rdf_atoms *a, int *most, ds_error *err)
{
  if (a->n < 0 || a->n >= 1 << DS_INDEX_BITS || a->first < 0 || a->nown < 0 || a->nown > a->n - a->first)
    return ds_fail(err, DS_ERR_ARGUMENT, "particles %d to %d of %d", a->first, a->first + a->nown - 1, a->n);
  *most = most_partners(a);
  if (a->n == 0) return DS_OK;
  ds_status s = ds_check_pointer(a->x.data, "array of positions", err);
  if (!s) s = ds_check_pointer(a->type.data, "array of types", err);
  if (!s) s = ds_check_pointer(a->mask.data, "array of masks", err);
  if (!s && a->nspecial.data) s = ds_check_pointer(a->tag.data, "array of tags", err);
  if (!s && *most > 0) s = ds_check_pointer(a->special.data, "array of special partners", err);
  if (!s && a->nexclusions > 0) s = ds_check_pointer(a->exclusion, "array of exclusions", err);
  for (int k = 0; k < a->nexclusions && !s; k++)
    if (ds_excludes_by_molecule(&a->exclusion[k]))
      s = ds_check_pointer(a->molecule.data, "array of molecules, which exclusions ask for,", err);
  return s;
}

/* Of the box, between faces. */
static void find_widths(const ds_wrap *w, double width[3])
{
  ds_face_densities(w->inverse, width);
  for (int d = 0; d < 3; d++) width[d] = 1.0 / width[d];
}

static ds_status check_box(const ds_wrap *w, double cutoff, ds_error *err)
{
  double width[3];
  find_widths(w, width);
  for (int d = 0; d < 3; d++) {
    if (!(width[d] > 0.0) || !isfinite(width[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "width %g of the box must be > 0", width[d]);
    if (w->periodic[d] && cutoff > width[d])
      return ds_fail(err, DS_ERR_ARGUMENT, "cutoff %g is more than the width of the box along %c, %g; allowed: up to that",
                     cutoff, "xyz"[d], width[d]);
  }
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- cells */

/* Cells are as wide as the cutoff, or down to an eighth of it where a cell still has some particles. */
static void set_grid(ds_rdf_grid *g, const ds_wrap *w, const double width[3], double cutoff, int n)
{
  enum { PARTICLES = 6, FINEST = 8 };
  const double volume = width[0] * width[1] * width[2];
  const double least = fmin(fmax(cbrt(PARTICLES * volume / (n + 1.0)), cutoff / FINEST), cutoff);
  for (int d = 0; d < 3; d++) {
    g->periodic[d] = w->periodic[d];
    g->origin[d] = w->origin[d];
    g->cells[d] = (int32_t) fmin(fmax(floor(width[d] / least), 1.0), 1 << 20);
  }
  memcpy(g->edge, w->edge, sizeof g->edge);
  memcpy(g->inverse, w->inverse, sizeof g->inverse);
  ds_grid_limit_cells(g->cells, n);
}

/* Least distance between places in cells that are k apart. */
static double gap(int k, double width)
{
  return k == 0 ? 0.0 : (abs(k) - 1) * width;
}

/* Rows of half of the cells that the cutoff reaches: of each pair of cells one is in the other's rows. In a box that is not
   tilted cells at its corners are further away. */
static ds_status set_rows(ds_rdf_search *s, int tilted, const double width[3], double cutoff, ds_error *err)
{
  int reach[3];
  double cell[3];
  s->nrows = 0;
  for (int d = 0; d < 3; d++) {
    cell[d] = width[d] / s->grid.cells[d];
    reach[d] = (int) ceil(cutoff / cell[d]);
  }
  for (int dz = 0; dz <= reach[2]; dz++)
    for (int dy = dz ? -reach[1] : 0; dy <= reach[1]; dy++) {
      const double y = gap(dy, cell[1]), z = gap(dz, cell[2]);
      const double left = tilted ? cutoff * cutoff : cutoff * cutoff - y * y - z * z;
      if (left < 0.0) continue;
      int dx = reach[0];
      while (dx > 0 && gap(dx, cell[0]) * gap(dx, cell[0]) > left) dx--;
      if (s->nrows == DS_RDF_ROWS || dx > INT8_MAX)
        return ds_fail(err, DS_ERR_ARGUMENT, "a cutoff of %g in a box of %g %g %g reaches too many cells", cutoff, width[0],
                       width[1], width[2]);
      const ds_rdf_row row = {(int8_t) dy, (int8_t) dz, (int8_t) (dy || dz ? -dx : 0), (int8_t) dx};
      s->row[s->nrows++] = row;
    }
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- atoms */

static ds_status take_atoms(ds_rdf *r, const ds_rdf_atoms *a, int most, const ds_rdf_settings *settings, ds_rdf_view *view,
                            ds_error *err)
{
  ds_queue *const q = &r->queue;
  ds_rdf_search *const search = &r->search;
  view->n = a->n;
  view->group = settings->group;
  ds_status s = ds_queue_array_in(q, &r->x, &a->x, a->n, 3, 1, "positions", &view->x, err);
  if (!s) s = ds_queue_array_in(q, &r->type, &a->type, a->n, 1, 1, "types", &view->type, err);
  if (!s) s = ds_queue_array_in(q, &r->mask, &a->mask, a->n, 1, 1, "masks", &view->mask, err);
  if (!s && most > 0) s = ds_queue_array_in(q, &r->tag, &a->tag, a->n, 1, 1, "tags", &search->tag, err);
  if (!s) s = ds_special_copy(q, r->of_special, &a->nspecial, &a->special, a->nown, most, &search->special, err);
  if (!s)
    s = ds_exclusions_copy(q, r->of_excluded, a->exclusion, a->nexclusions, &a->molecule, a->n, &search->excluded, err);
  search->excluded.mask = view->mask;
  search->leaves_out = search->special.max_special > 0 || search->excluded.n > 0;
  search->slots = a->n;
  search->first = a->first;
  search->end = a->first + a->nown;
  return s;
}

/* ------------------------------------------------------------------------------------------ counting */

static ds_status set_search(ds_rdf *r, const ds_rdf_settings *settings, const ds_wrap *box, int n, ds_error *err)
{
  /* a distance that is rounded to the cutoff, and a place that is rounded to another cell */
  static const double MARGIN = 1.0 + 1e-9;
  const double range = settings->cutoff * MARGIN;
  ds_rdf_search *const s = &r->search;
  double width[3];
  find_widths(box, width);
  set_grid(&s->grid, box, width, range, n);
  s->nbins = settings->nbins;
  s->nkinds = settings->nkinds;
  s->ntypes = settings->ntypes;
  s->inverse_width = settings->inverse_width;
  s->cutoff2 = range * range;
  memcpy(s->special_is_out, settings->special_is_out, sizeof s->special_is_out);
  for (int d = 0; d < 3; d++) s->half[d] = box->periodic[d] ? 0.5 * box->edge[d] : INFINITY;
  ds_status status = set_rows(s, box->tilted, width, range, err);
  if (!status)
    status = ds_queue_upload(&r->queue, &r->kind, settings->kind, (size_t) settings->ntypes * (size_t) settings->ntypes,
                             sizeof *settings->kind, "kinds of pairs", err);
  s->kind = DS_DATA(int32_t, r->kind.device);
  return status;
}

static ds_status reserve(ds_rdf *r, int n, ds_error *err)
{
  ds_queue *const q = &r->queue;
  const size_t room = (size_t) n + 1, bins = (size_t) ds_rdf_bins(&r->search) + 1;
  ds_status s = ds_queue_reserve(q, &r->key[0], room, sizeof(int32_t), "cells of particles", err);
  if (!s) s = ds_queue_reserve(q, &r->value[0], room, sizeof(int32_t), "cells of particles", err);
  if (!s) s = ds_queue_reserve(q, &r->point, room, sizeof(ds_rdf_point), "sorted particles", err);
  if (!s) s = ds_queue_reserve(q, &r->start, (size_t) ds_rdf_cells(&r->search.grid) + 1, sizeof(int32_t), "cells", err);
  if (!s) s = ds_queue_reserve(q, &r->count, bins, sizeof(int64_t), "histograms", err);
  if (!s) s = ds_reserve(&q->pinned, &r->host_count, bins, sizeof(int64_t), "histograms", err);
  r->search.point = DS_DATA(ds_rdf_point, r->point);
  r->search.start = DS_DATA(int32_t, r->start);
  return s ? s : ds_queue_clear(q, r->count.data, bins * sizeof(int64_t), "clearing histograms", err);
}

static ds_status bring(ds_rdf *r, int64_t *counts, ds_error *err)
{
  const size_t bins = (size_t) ds_rdf_bins(&r->search);
  const int64_t *const found = DS_DATA(int64_t, r->host_count);
  ds_status s =
      ds_queue_copy(&r->queue, r->host_count.data, r->count.data, (bins + 1) * sizeof *found, "copying histograms", err);
  if (!s) s = ds_queue_wait(&r->queue, "histograms", err);
  if (!s && found[bins])
    s = ds_fail(err, DS_ERR_ARGUMENT, "%lld particles have coordinates that are no numbers, or more than %d boxes outside",
                (long long) found[bins], DS_RDF_MAX_WRAPS);
  if (!s) memcpy(counts, found, bins * sizeof *counts);
  return s;
}

ds_status ds_rdf_count(ds_rdf *r, const ds_rdf_settings *settings, const ds_rdf_atoms *atoms, const ds_wrap *box,
                       int64_t *counts, ds_error *err)
{
  int most = 0;
  ds_rdf_view view;
  ds_status s = ds_queue_enter(&r->queue, &err);
  if (!s) s = ds_check_pointer(settings, "settings of histograms", err);
  if (!s) s = ds_check_pointer(atoms, "particles", err);
  if (!s) s = ds_check_pointer(box, "box", err);
  if (!s) s = ds_check_pointer(counts, "place for histograms", err);
  if (!s) s = check_settings(settings, err);
  if (!s) s = check_atoms(atoms, &most, err);
  if (!s) s = check_box(box, settings->cutoff, err);
  if (!s) s = set_search(r, settings, box, atoms->n, err);
  if (!s) s = reserve(r, atoms->n, err);
  if (!s) s = take_atoms(r, atoms, most, settings, &view, err);
  if (!s) s = DS_CHOOSE_STAGE(&r->queue, ds_rdf_sort_host, ds_rdf_sort_cuda)(r, &view, err);
  if (!s) s = DS_CHOOSE_STAGE(&r->queue, ds_rdf_count_host, ds_rdf_count_cuda)(r, err);
  if (!s) s = bring(r, counts, err);
  return ds_queue_leave(&r->queue, s, err);
}
