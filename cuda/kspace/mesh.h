/* Charges on a mesh: what stages work on, and the stages.   SPDX-License-Identifier: GPL-2.0-or-later

   charges -> [sums over processes] -> transforms, influence function, transforms back -> forces. mesh.c says in which order;
   stages are in mesh_simd.c and mesh_cuda.cu. */
#ifndef DPDSOP_MESH_STAGES_H
#define DPDSOP_MESH_STAGES_H

#include "../core/isa.h"
#include "../core/queue.h"
#include "dpdsop/device/mesh.h"
#include "dpdsop/kspace.h"

DS_C_BEGIN

/* Behind the charges of the points: integers of the slab's sums of q z and q z^2. */
enum { DS_MESH_DIPOLE = 0, DS_MESH_SECOND, DS_MESH_EXTRA };

/* Sums over modes: energy, and virial. */
enum { DS_MESH_SUMS = 7 };

/* What stages read, and where they work. */
typedef struct {
  ds_mesh_grid grid;
  ds_fourier line[3];
  int images[3];
  const double *row[3];        /* of indices along an axis: ds_wave_row */
  double ewald;
  double scale, dipole_scale, second_scale; /* integers of the mesh per charge, charge times length, charge times length^2 */
  double density;              /* of one such integer: charge by volume */
  double normal;               /* 1 / number of points */
  ds_mesh_charge of_charge;
  double *influence, *parts;   /* of each mode, and 2 of each of a shortest wave, in an array of all; NULL: not tabulated */
  int64_t *charge;             /* points, which are 0 again when there is a spectrum, and DS_MESH_EXTRA */
  ds_complex *spectrum;        /* points */
  ds_complex *field[DS_MESH_PAIRS]; /* points each; those that are wanted */
  double *column, *sum;        /* sums over z of each x and y: [sum][y][x]; of each x: [sum][x] */
  int threads;
  double *work;                /* host: room for the lines of each thread, ds_mesh_room */
} ds_mesh_view;

/* Lines that are transformed side by side on the host. Some arrays of them: the spectrum, and two for transforms, which have a
   real and an imaginary part. */
enum { DS_MESH_LINES = 8, DS_MESH_ARRAYS = 6 };

static inline size_t ds_mesh_room(const ds_mesh_grid *g)
{
  const int n = g->n[0] > g->n[1] ? g->n[0] : g->n[1];
  return (size_t) (n > g->n[2] ? n : g->n[2]) * DS_MESH_LINES;
}

/* Atoms of this process; arrays where stages work. On the GPU those that are charged may be known: others among them do no
   harm. */
typedef struct {
  int n;
  const int32_t *charged, *ncharged; /* which, and how many; NULL: they are looked for */
  int about;                         /* how many, as far as the host knows */
  const double *x; /* 3 components behind each other */
  ds_array charge; /* F64 or F32 */
  double *f;       /* added to */
  double *eatom, *vatom; /* added to, the second with 6 components; NULL: not wanted */
} ds_mesh_atoms;

/* What is wanted besides forces. */
typedef struct {
  int sums, pairs; /* pairs of fields: all, if there are virials of atoms */
} ds_mesh_wanted;

DS_FUNC size_t ds_mesh_points(const ds_mesh_grid *g)
{
  return (size_t) g->n[0] * (size_t) g->n[1] * (size_t) g->n[2];
}

DS_FUNC size_t ds_mesh_point(const ds_mesh_grid *g, int x, int y, int z)
{
  return ((size_t) z * (size_t) g->n[1] + (size_t) y) * (size_t) g->n[0] + (size_t) x;
}

DS_FUNC int ds_mesh_wants_slab(const ds_mesh_view *v)
{
  return v->of_charge.slab == DS_SLAB_DIPOLE;
}

/* Of the slab, from the integers of the mesh. */
DS_FUNC ds_mesh_dipole ds_mesh_dipole_of(const ds_mesh_view *v, const int64_t *extra)
{
  const ds_mesh_dipole d = {(double) extra[DS_MESH_DIPOLE] / v->dipole_scale, (double) extra[DS_MESH_SECOND] / v->second_scale};
  return d;
}

/* What an atom adds to them; z from the lower face. */
DS_FUNC void ds_mesh_extra(const ds_mesh_view *v, double q, double z, int64_t extra[DS_MESH_EXTRA])
{
  extra[DS_MESH_DIPOLE] = ds_round64(q * z * v->dipole_scale);
  extra[DS_MESH_SECOND] = ds_round64(q * z * z * v->second_scale);
}

/* The row of an index along an axis (DS_WAVE ...). */
DS_FUNC const double *ds_mesh_row(const ds_mesh_view *v, int axis, int index)
{
  return v->row[axis] + (size_t) index * (size_t) ds_wave_row(v->images[axis]);
}

/* The mode of three indices. */
DS_FUNC ds_mode ds_mesh_mode(const ds_mesh_view *v, int x, int y, int z)
{
  const int *const n = v->grid.n, index[3] = {x, y, z};
  ds_mode m;
  m.is_shortest = 0;
  for (int d = 0; d < 3; d++) {
    m.row[d] = ds_mesh_row(v, d, index[d]);
    m.mirror[d] = ds_mesh_row(v, d, index[d] ? n[d] - index[d] : 0);
    m.is_shortest |= m.row[d][DS_SHORTEST] != 0.0;
  }
  return m;
}

/* Of a mode, into the tables: they hold for as long as the box does. */
DS_FUNC void ds_mesh_tabulate(const ds_mesh_view *v, int x, int y, int z)
{
  const ds_mode m = ds_mesh_mode(v, x, y, z);
  const size_t at = ds_mesh_point(&v->grid, x, y, z);
  v->influence[at] = ds_mode_influence(&m, v->images, v->ewald);
  if (m.is_shortest) ds_mode_parts(&m, v->images, v->ewald, v->parts + 2 * at);
}

DS_FUNC void ds_mesh_parts(const ds_mesh_view *v, const ds_mode *m, int x, int y, int z, double part[2])
{
  const double *const known = v->influence ? v->parts + 2 * ds_mesh_point(&v->grid, x, y, z) : part;
  if (!m->is_shortest) return;
  if (!v->influence) ds_mode_parts(m, v->images, v->ewald, part);
  part[0] = known[0];
  part[1] = known[1];
}

/* The part of the potential of a mode whose charge that is. */
DS_FUNC ds_complex ds_mesh_potential(const ds_mesh_view *v, int x, int y, int z, double re, double im)
{
  double influence;
  if (v->influence) {
    influence = v->influence[ds_mesh_point(&v->grid, x, y, z)];
  } else {
    const ds_mode m = ds_mesh_mode(v, x, y, z);
    influence = ds_mode_influence(&m, v->images, v->ewald);
  }
  const double g = v->normal * influence;
  const ds_complex potential = {re * g, im * g};
  return potential;
}

DS_FUNC ds_complex ds_mesh_pair(const ds_mesh_view *v, int pair, int x, int y, int z, double re, double im)
{
  const ds_mode m = ds_mesh_mode(v, x, y, z);
  const ds_complex potential = {re, im};
  double part[2];
  ds_mesh_parts(v, &m, x, y, z, part);
  return ds_mode_pair(&m, pair, part, v->ewald, potential);
}

/* Sums over the modes of line w of `lines` along z, in their order. */
DS_FUNC void ds_mesh_add_modes(const ds_mesh_view *v, int x, int y, int w, int lines, ds_fourier_lines charge,
                               ds_fourier_lines potential)
{
  double sum[DS_MESH_SUMS] = {0.0}, stress[6], part[2];
  for (int z = 0; z < v->grid.n[2]; z++) {
    const int at = z * lines + w;
    const double energy = v->normal * (potential.re[at] * charge.re[at] + potential.im[at] * charge.im[at]);
    const ds_mode m = ds_mesh_mode(v, x, y, z);
    ds_mesh_parts(v, &m, x, y, z, part);
    ds_mode_virial(&m, part, v->ewald, stress);
    sum[0] += energy;
    for (int k = 0; k < 6; k++) sum[k + 1] += energy * stress[k];
  }
  for (int k = 0; k < DS_MESH_SUMS; k++)
    v->column[((size_t) k * (size_t) v->grid.n[1] + (size_t) y) * (size_t) v->grid.n[0] + (size_t) x] = sum[k];
}

/* Of columns, over y: sum number k of those of all x, k below DS_MESH_SUMS. */
DS_FUNC void ds_mesh_add_columns(const ds_mesh_view *v, size_t k, size_t x)
{
  const size_t nx = (size_t) v->grid.n[0], ny = (size_t) v->grid.n[1];
  double sum = 0.0;
  for (size_t y = 0; y < ny; y++) sum += v->column[(k * ny + y) * nx + x];
  v->sum[k * nx + x] = sum;
}

/* A charged atom that is too far out stops what follows: position_fault in the control block. */
typedef struct {
  /* On the GPU: atoms that are charged, behind their number. NULL: other stages look at all atoms. */
  ds_status (*find_charged)(ds_queue *q, const ds_mesh_atoms *a, int32_t *found, int64_t step, ds_error *err);
  ds_status (*tabulate)(ds_queue *q, const ds_mesh_view *v, int64_t step, ds_error *err);
  ds_status (*spread)(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err);
  ds_status (*solve)(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err);
  ds_status (*interpolate)(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err);
} ds_mesh_stages;

extern const ds_mesh_stages ds_mesh_stages_base, ds_mesh_stages_avx2, ds_mesh_stages_avx512, ds_mesh_stages_cuda;

/* solve_cuda.cu: two stages on the GPU. */
ds_status ds_mesh_tabulate_cuda(ds_queue *q, const ds_mesh_view *v, int64_t step, ds_error *err);
ds_status ds_mesh_solve_cuda(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err);

/* A mesh on a queue. */
typedef struct {
  ds_queue *queue;
  ds_pool memory;
  const ds_mesh_stages *stages;
  int threads;
  ds_mesh_model model;
  int have_model;
  ds_mesh_view view;
  ds_mirror table;                                        /* roots, then rows of all axes */
  ds_buffer charge, spectrum, field[DS_MESH_PAIRS], column, sum, work, influence, parts, charged;
  int is_used;           /* fields have been found with this model */
  uint64_t tabulated_at; /* queue.resumes when its modes were tabulated: later ones have undone it */
  uint64_t cleared_at;   /* likewise, 1 more, when charges of all points were 0; 0: they are not */
  ds_buffer sum_host;                                     /* with the slab's sums; pinned */
  ds_buffer host_charge;                                  /* for sums over processes */
  ds_mesh_reduction *reduce;
  void *reduce_user;
} ds_mesh;

void ds_mesh_open(ds_mesh *m, ds_queue *q, ds_isa isa, int threads);
void ds_mesh_close(ds_mesh *m); /* nothing may be under way */
ds_status ds_mesh_set_model(ds_mesh *m, const ds_mesh_model *model, ds_error *err);

/* Forces are added to those of the atoms; and what is wanted is made. Queued; waits if there are several processes. In parts:
   first it is known which atoms are charged, then their charges are on the mesh, then there are fields, which does not look at
   forces either. */
ds_status ds_mesh_find_charged(ds_mesh *m, ds_mesh_atoms *a, int64_t step, ds_error *err);
ds_status ds_mesh_spread(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err);
ds_status ds_mesh_solve(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err);
ds_status ds_mesh_add_forces(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err);
ds_status ds_mesh_make_forces(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err);

/* Sums that were wanted, when the queue has been waited for. */
void ds_mesh_take_sums(const ds_mesh *m, ds_mesh_sums *sums);

DS_C_END

#endif
