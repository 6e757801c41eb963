/* Distances of pairs as LAMMPS has them, and the cells in which pairs are found.   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS subtracts coordinates, one of them moved by whole edges of the box where a pair lies across its border: the upper one
   (its neighbor lists have ghosts above and to the right, in the order z, y, x). Each operation is rounded by itself. So that
   a pair has one distance, whoever of the two looks at it, this is so for all pairs here.

   Particles may be outside of the box, as they are not wrapped between rebuilds of lists. Their cell is that of their place in
   the box. How many boxes away they are, and in which image of the box a neighboring cell is, gives the edges to move by. */
#ifndef DPDSOP_DEVICE_RDF_H
#define DPDSOP_DEVICE_RDF_H

#include "dpdsop/device/neighbor.h"

enum {
  DS_RDF_ROWS = 256,       /* of cells around one, at most */
  DS_RDF_MAX_WRAPS = 200, /* boxes that a particle is outside at most */
  DS_RDF_RADIX = 1024      /* of three numbers of boxes in one word */
};

typedef struct {
  int32_t cells[3], periodic[3];
  double origin[3], edge[6], inverse[6]; /* as in ds_wrap */
} ds_rdf_grid;

/* Cells at dy, dz from a particle's own, and from `from` to `to` along x. Of a pair of cells one has the other in its rows. */
typedef struct {
  int8_t dy, dz, from, to;
} ds_rdf_row;

/* By slot: particles in the order of cells. */
typedef struct {
  double x[3];
  int32_t type;  /* from 0 on */
  int32_t wraps; /* boxes outside: ds_rdf_boxes */
} ds_rdf_point;

/* All that counting needs; passed to a kernel by value. */
typedef struct {
  ds_rdf_grid grid;
  ds_rdf_row row[DS_RDF_ROWS];
  int32_t nrows, nbins, ntypes, nkinds;
  double cutoff2, inverse_width;
  const int32_t *kind;
  int32_t slots;      /* particles that are in the group */
  int32_t first, end; /* those that count their pairs */
  const ds_rdf_point *point;
  const int32_t *cell, *atom; /* by slot */
  const int32_t *start;       /* by cell: first slot */
  int32_t leaves_out;         /* 1: some pairs are not counted */
  int32_t special_is_out[4];
  ds_special special; /* of particles from `first` on */
  ds_exclusions excluded;
  ds_array tag;
  double half[3]; /* of the box, along periodic axes */
} ds_rdf_search;

/* Three numbers of boxes in one: its sign is that of z, else of y, else of x. */
DS_FUNC int32_t ds_rdf_boxes(int32_t x, int32_t y, int32_t z)
{
  return x + DS_RDF_RADIX * (y + DS_RDF_RADIX * z);
}

/* The lowest of the numbers, which is taken off. */
DS_FUNC double ds_rdf_take_boxes(int32_t *boxes)
{
  const int32_t half = DS_RDF_RADIX / 2;
  const int32_t lowest = (int32_t) ((uint32_t) (*boxes + half) % DS_RDF_RADIX) - half;
  *boxes = (*boxes - lowest) / DS_RDF_RADIX;
  return (double) lowest;
}

/* Moves a place by whole edges, as LAMMPS moves ghosts: along x, then y, then z. */
DS_FUNC void ds_rdf_move(const ds_rdf_grid *g, int32_t boxes, double x[3])
{
  const double nx = ds_rdf_take_boxes(&boxes), ny = ds_rdf_take_boxes(&boxes), nz = ds_rdf_take_boxes(&boxes);
  x[0] = x[0] + nx * g->edge[0] + ny * g->edge[5] + nz * g->edge[4];
  x[1] = x[1] + ny * g->edge[1] + nz * g->edge[3];
  x[2] = x[2] + nz * g->edge[2];
}

/* From q, which is so many boxes further up than it is counted, to p. */
DS_FUNC void ds_rdf_between(const ds_rdf_grid *g, const double p[3], const double q[3], int32_t boxes, double d[3])
{
  for (int k = 0; k < 3; k++) d[k] = p[k] - q[k];
  if (boxes == 0) return;
  double a[3] = {p[0], p[1], p[2]}, b[3] = {q[0], q[1], q[2]};
  if (boxes > 0) ds_rdf_move(g, boxes, b);
  if (boxes < 0) ds_rdf_move(g, -boxes, a);
  for (int k = 0; k < 3; k++) d[k] = a[k] - b[k];
}

/* The cell of a place, and how many boxes outside it is; -1: it is no place, or too far out. Beyond a border that is not
   periodic the outermost cell goes on. */
DS_FUNC int32_t ds_rdf_place(const ds_rdf_grid *g, const double x[3], int32_t *wraps)
{
  const double *const inverse = g->inverse;
  const double a = x[0] - g->origin[0], b = x[1] - g->origin[1], c = x[2] - g->origin[2];
  const double at[3] = {inverse[0] * a + inverse[5] * b + inverse[4] * c, inverse[1] * b + inverse[3] * c, inverse[2] * c};
  int32_t cell[3], boxes[3];
  for (int k = 0; k < 3; k++) {
    const double out = g->periodic[k] ? floor(at[k]) : 0.0;
    if (!(fabs(out) <= (double) DS_RDF_MAX_WRAPS) || !(fabs(at[k]) < 1e300)) return -1;
    const double inside = fmin(fmax((at[k] - out) * g->cells[k], 0.0), g->cells[k] - 1.0);
    cell[k] = (int32_t) inside;
    boxes[k] = (int32_t) out;
  }
  *wraps = ds_rdf_boxes(boxes[0], boxes[1], boxes[2]);
  return cell[0] + g->cells[0] * (cell[1] + g->cells[1] * cell[2]);
}

/* How often n goes into c, rounded down. */
DS_FUNC int32_t ds_rdf_image_of(int32_t c, int32_t n)
{
  return c >= 0 ? c / n : -((n - 1 - c) / n);
}

/* LAMMPS's lists do not have this pair. A partner further than half of the box away is another image of it. */
DS_FUNC int ds_rdf_is_out(const ds_rdf_search *s, int i, int j, int itype, int jtype, const double d[3])
{
  if (s->excluded.n) {
    const ds_excluded_atom p = ds_read_excluded(&s->excluded, i, itype), q = ds_read_excluded(&s->excluded, j, jtype);
    if (ds_is_excluded(&s->excluded, &p, &q)) return 1;
  }
  if (!s->special.max_special) return 0;
  const int code = ds_special_code(&s->special, i - s->first, ds_array_int(&s->tag, j, 0));
  return s->special_is_out[code] && fabs(d[0]) <= s->half[0] && fabs(d[1]) <= s->half[1] && fabs(d[2]) <= s->half[2];
}

/* Number in all histograms of the pair of two slots; -1: it is in none. */
DS_FUNC int32_t ds_rdf_bin_of(const ds_rdf_search *s, const ds_rdf_point *p, int slot, int other, int32_t boxes)
{
  const ds_rdf_point *const q = &s->point[other];
  double d[3];
  ds_rdf_between(&s->grid, p->x, q->x, boxes - q->wraps, d);
  const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  if (!(r2 <= s->cutoff2)) return -1;
  const int32_t kind = s->kind[p->type * s->ntypes + q->type];
  const double at = sqrt(r2) * s->inverse_width;
  if (kind < 0 || !(at < s->nbins)) return -1;
  if (s->leaves_out && ds_rdf_is_out(s, s->atom[slot], s->atom[other], p->type + 1, q->type + 1, d)) return -1;
  return kind * s->nbins + (int32_t) at;
}

#endif
