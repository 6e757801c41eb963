/* Stages of a mesh on the host; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh.h"

#include <omp.h>
#include <string.h>

enum { LINES = DS_MESH_LINES };

/* ------------------------------------------------------------------------------------------ transforms */

/* Arrays of a thread: of lines side by side. */
typedef struct {
  ds_fourier_lines spectrum, a, b;
} work_lines;

static work_lines lines_of_thread(const ds_mesh_view *v)
{
  const size_t room = ds_mesh_room(&v->grid);
  double *const own = v->work + (size_t) omp_get_thread_num() * DS_MESH_ARRAYS * room;
  const work_lines w = {{own, own + room}, {own + 2 * room, own + 3 * room}, {own + 4 * room, own + 5 * room}};
  return w;
}

/* One pass; RADIX is a constant in each call. */
DS_FUNC void groups(const ds_fourier *f, int radix, int before, double sign, ds_fourier_lines from, ds_fourier_lines to)
{
  for (int t = 0; t < f->n / radix; t++) {
    DS_VECTOR_LOOP
    for (int w = 0; w < LINES; w++) ds_fourier_group(f, radix, before, sign, t, w, LINES, from, to);
  }
}

/* Of lines in *lines; afterwards both arrays may have changed places. */
static void transform(const ds_fourier *f, double sign, ds_fourier_lines *lines, ds_fourier_lines *spare)
{
  for (int pass = 0, before = 1; pass < f->passes; before *= f->radix[pass++]) {
    const ds_fourier_lines from = *lines, to = *spare;
    switch (f->radix[pass]) {
      case 2: groups(f, 2, before, sign, from, to); break;
      case 3: groups(f, 3, before, sign, from, to); break;
      case 4: groups(f, 4, before, sign, from, to); break;
      default: groups(f, 5, before, sign, from, to); break;
    }
    *lines = to;
    *spare = from;
  }
}

/* `count` lines of n elements that are `stride` apart; the next line begins `next` behind. Lines that are missing are 0. */
static void load(const ds_complex *from, size_t stride, size_t next, int n, int count, ds_fourier_lines to)
{
  for (int k = 0; k < n; k++)
    for (int w = 0; w < LINES; w++) {
      to.re[k * LINES + w] = w < count ? from[(size_t) k * stride + (size_t) w * next].re : 0.0;
      to.im[k * LINES + w] = w < count ? from[(size_t) k * stride + (size_t) w * next].im : 0.0;
    }
}

static void store(ds_fourier_lines from, size_t stride, size_t next, int n, int count, ds_complex *to)
{
  for (int k = 0; k < n; k++)
    for (int w = 0; w < count; w++) {
      to[(size_t) k * stride + (size_t) w * next].re = from.re[k * LINES + w];
      to[(size_t) k * stride + (size_t) w * next].im = from.im[k * LINES + w];
    }
}

static int left(int all, int first)
{
  return all - first < LINES ? all - first : LINES;
}

/* Along x, charges to the spectrum; they are 0 afterwards. */
static void rows_of_charges(const ds_mesh_view *v)
{
  const int nx = v->grid.n[0], rows = v->grid.n[1] * v->grid.n[2];
#pragma omp parallel for num_threads(v->threads)
  for (int first = 0; first < rows; first += LINES) {
    const int count = left(rows, first);
    int64_t *const from = v->charge + (size_t) first * (size_t) nx;
    work_lines l = lines_of_thread(v);
    for (int k = 0; k < nx; k++)
      for (int w = 0; w < LINES; w++) {
        l.a.re[k * LINES + w] = w < count ? v->density * (double) from[(size_t) w * (size_t) nx + (size_t) k] : 0.0;
        l.a.im[k * LINES + w] = 0.0;
      }
    memset(from, 0, (size_t) count * (size_t) nx * sizeof *from);
    transform(&v->line[0], -1.0, &l.a, &l.b);
    store(l.a, 1, (size_t) nx, nx, count, v->spectrum + (size_t) first * (size_t) nx);
  }
}

static void rows_of_fields(const ds_mesh_view *v, ds_complex *field)
{
  const int nx = v->grid.n[0], rows = v->grid.n[1] * v->grid.n[2];
#pragma omp parallel for num_threads(v->threads)
  for (int first = 0; first < rows; first += LINES) {
    ds_complex *const at = field + (size_t) first * (size_t) nx;
    work_lines l = lines_of_thread(v);
    load(at, 1, (size_t) nx, nx, left(rows, first), l.a);
    transform(&v->line[0], 1.0, &l.a, &l.b);
    store(l.a, 1, (size_t) nx, nx, left(rows, first), at);
  }
}

/* Along y: lines that are neighbors in x, plane by plane. */
static void columns_along_y(const ds_mesh_view *v, double sign, ds_complex *mesh)
{
  const int nx = v->grid.n[0], ny = v->grid.n[1], parts = (nx + LINES - 1) / LINES;
#pragma omp parallel for num_threads(v->threads)
  for (int k = 0; k < parts * v->grid.n[2]; k++) {
    const int first = k % parts * LINES, z = k / parts;
    ds_complex *const at = mesh + (size_t) z * (size_t) ny * (size_t) nx + (size_t) first;
    work_lines l = lines_of_thread(v);
    load(at, (size_t) nx, 1, ny, left(nx, first), l.a);
    transform(&v->line[1], sign, &l.a, &l.b);
    store(l.a, (size_t) nx, 1, ny, left(nx, first), at);
  }
}

/* --------------------------------------------------------------------------------------- along z */

static void modes_along_z(const ds_mesh_view *v, const ds_mesh_wanted *wanted, int y, int first)
{
  const int nx = v->grid.n[0], nz = v->grid.n[2], count = left(nx, first);
  const size_t plane = (size_t) v->grid.n[1] * (size_t) nx, at = (size_t) y * (size_t) nx + (size_t) first;
  work_lines l = lines_of_thread(v);
  load(v->spectrum + at, plane, 1, nz, count, l.a);
  transform(&v->line[2], -1.0, &l.a, &l.b);
  const ds_fourier_lines charge = l.a, potential = l.spectrum;
  for (int z = 0; z < nz; z++)
    for (int w = 0; w < count; w++) {
      const int at = z * LINES + w;
      const ds_complex p = ds_mesh_potential(v, first + w, y, z, charge.re[at], charge.im[at]);
      potential.re[at] = p.re;
      potential.im[at] = p.im;
    }
  for (int w = 0; w < count && wanted->sums; w++) ds_mesh_add_modes(v, first + w, y, w, LINES, charge, potential);
  for (int pair = 0; pair < wanted->pairs; pair++) {
    for (int z = 0; z < nz; z++)
      for (int w = 0; w < LINES; w++) {
        const int at = z * LINES + w;
        const ds_complex none = {0.0, 0.0};
        const ds_complex both = w < count ? ds_mesh_pair(v, pair, first + w, y, z, potential.re[at], potential.im[at]) : none;
        l.a.re[at] = both.re;
        l.a.im[at] = both.im;
      }
    transform(&v->line[2], 1.0, &l.a, &l.b);
    store(l.a, plane, 1, nz, count, v->field[pair] + at);
  }
}

static ds_status tabulate(ds_queue *q, const ds_mesh_view *v, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  const int *const n = v->grid.n;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(v->threads)
  for (int k = 0; k < n[1] * n[2]; k++)
    for (int x = 0; x < n[0]; x++) ds_mesh_tabulate(v, x, k % n[1], k / n[1]);
  return DS_OK;
}

static ds_status solve(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  const int parts = (v->grid.n[0] + LINES - 1) / LINES;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  rows_of_charges(v);
  columns_along_y(v, -1.0, v->spectrum);
#pragma omp parallel for num_threads(v->threads)
  for (int k = 0; k < parts * v->grid.n[1]; k++) modes_along_z(v, w, k / parts, k % parts * LINES);
  for (size_t k = 0; k < DS_MESH_SUMS && w->sums; k++)
    for (size_t x = 0; x < (size_t) v->grid.n[0]; x++) ds_mesh_add_columns(v, k, x);
  for (int pair = 0; pair < w->pairs; pair++) {
    columns_along_y(v, 1.0, v->field[pair]);
    rows_of_fields(v, v->field[pair]);
  }
  return DS_OK;
}

/* ----------------------------------------------------------------------------------------------- atoms */

static void find_place(const ds_mesh_grid *g, const double *x, ds_mesh_place *p)
{
  for (int d = 0; d < 3; d++) ds_mesh_place_along(g, g->order, d, x, p);
}

static void add(int64_t *to, int64_t part, int is_shared)
{
  if (!is_shared) {
    *to += part;
    return;
  }
#pragma omp atomic
  *to += part;
}

static void spread_charge(const ds_mesh_view *v, const double *x, double q)
{
  const int order = v->grid.order;
  ds_mesh_place p;
  find_place(&v->grid, x, &p);
  for (int c = 0; c < order; c++)
    for (int b = 0; b < order; b++)
      for (int a = 0; a < order; a++)
        add(v->charge + ds_mesh_point_of(&p, a, b, c),
            ds_mesh_share(q * v->scale, p.weight[2][c], p.weight[1][b], p.weight[0][a]), v->threads > 1);
}

static ds_status spread(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int64_t *const extra = v->charge + ds_mesh_points(&v->grid);
  uint32_t fault = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(v->threads) reduction(max : fault)
  for (int i = 0; i < a->n; i++) {
    const double *const x = a->x + 3 * (size_t) i, charge = ds_array_get(&a->charge, i, 0);
    int64_t mine[DS_MESH_EXTRA];
    if (charge == 0.0) continue;
    if (!ds_mesh_is_near(&v->grid, x)) {
      if ((uint32_t) (a->n - i) > fault) fault = (uint32_t) (a->n - i);
      continue;
    }
    spread_charge(v, x, charge);
    if (!ds_mesh_wants_slab(v)) continue;
    ds_mesh_extra(v, charge, x[2] - v->grid.lo[2], mine);
    for (int k = 0; k < DS_MESH_EXTRA; k++) add(&extra[k], mine[k], v->threads > 1);
  }
  if (fault) launch.control->position_fault = fault;
  if (fault) ds_stage_stop(&launch);
  return DS_OK;
}

static ds_complex plane_at(const ds_mesh_view *v, const ds_mesh_place *p, int pair, int a)
{
  ds_complex column[DS_MESH_MOST_ORDER];
  for (int c = 0; c < v->grid.order; c++) column[c] = ds_mesh_column(v->field[pair], p, v->grid.order, a, c);
  return ds_mesh_plane(p, v->grid.order, a, column, 1);
}

/* A pair of fields at a charge: planes are added up as eight neighboring threads of a GPU do it. */
static ds_complex field_at(const ds_mesh_view *v, const ds_mesh_place *p, int pair)
{
  ds_complex part[8];
  for (int a = 0; a < 8; a++) {
    const ds_complex none = {0.0, 0.0};
    part[a] = a < v->grid.order ? plane_at(v, p, pair, a) : none;
  }
  for (int half = 1; half < 8; half *= 2)
    for (int a = 0; a < 8; a += 2 * half) part[a] = ds_complex_sum(part[a], part[a + half]);
  return part[0];
}

static void act_on(const ds_mesh_view *v, const ds_mesh_dipole *d, const ds_mesh_atoms *a, int i, double charge)
{
  const double *const x = a->x + 3 * (size_t) i, z = x[2] - v->grid.lo[2];
  ds_mesh_place p;
  find_place(&v->grid, x, &p);
  const ds_complex xy = field_at(v, &p, DS_MESH_FIELD_XY), zp = field_at(v, &p, DS_MESH_FIELD_Z);
  const double e[3] = {xy.re, xy.im, zp.re};
  ds_mesh_force(&v->of_charge, d, charge, z, e, a->f + 3 * (size_t) i);
  if (a->eatom) a->eatom[i] += ds_mesh_energy(&v->of_charge, d, charge, z, zp.im);
  for (int k = 0; k < 3 && a->vatom; k++) {
    const ds_complex w = field_at(v, &p, DS_MESH_VIRIALS + k);
    const double factor = 0.5 * v->of_charge.strength * charge;
    a->vatom[6 * (size_t) i + 2 * (size_t) k] += factor * w.re;
    a->vatom[6 * (size_t) i + 2 * (size_t) k + 1] += factor * w.im;
  }
}

static ds_status interpolate(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  const ds_mesh_dipole d = ds_mesh_dipole_of(v, v->charge + ds_mesh_points(&v->grid));
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(v->threads)
  for (int i = 0; i < a->n; i++) {
    const double charge = ds_array_get(&a->charge, i, 0);
    if (charge != 0.0) act_on(v, &d, a, i, charge);
  }
  return DS_OK;
}

const ds_mesh_stages DS_KERNEL(ds_mesh_stages) = {NULL, tabulate, spread, solve, interpolate};
