/* Charges on a mesh: the model, tables made of it, and the order of stages.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979324;

void ds_mesh_open(ds_mesh *m, ds_queue *q, ds_isa isa, int threads)
{
  static const ds_mesh_stages *const of_host[DS_ISA_COUNT] = {
#ifdef DS_HAVE_X86_VARIANTS
      &ds_mesh_stages_base, &ds_mesh_stages_avx2, &ds_mesh_stages_avx512
#else
      &ds_mesh_stages_base, &ds_mesh_stages_base, &ds_mesh_stages_base
#endif
  };
  memset(m, 0, sizeof *m);
  m->queue = q;
  m->threads = threads;
  m->stages = DS_CHOOSE_STAGE(q, of_host[isa], &ds_mesh_stages_cuda);
  m->memory.memory = q->memory.memory;
  ds_pool_join(&q->memory, &m->memory);
}

void ds_mesh_close(ds_mesh *m)
{
  if (!m->queue) return;
  ds_pool_leave(&m->queue->memory, &m->memory);
  ds_pool_close(&m->memory);
  ds_release(&m->queue->memory, &m->table.device);
  ds_release(&m->queue->pinned, &m->table.host.buffer);
  ds_buffer_free(m->queue->pinned.memory, &m->sum_host);
  ds_buffer_free(m->queue->pinned.memory, &m->host_charge);
  m->queue = NULL;
}

/* ------------------------------------------------------------------------------------------- model */

static ds_status check_model(const ds_mesh_model *m, ds_error *err)
{
  static const char axis[] = "xyz";
  if (m->order < DS_MESH_LEAST_ORDER || m->order > DS_MESH_MOST_ORDER)
    return ds_fail(err, DS_ERR_ARGUMENT, "order %d of splines; allowed: %d to %d", m->order, DS_MESH_LEAST_ORDER,
                   DS_MESH_MOST_ORDER);
  for (int d = 0; d < 3; d++) {
    if (m->n[d] < 2 || m->n[d] > DS_MESH_LONGEST || ds_mesh_next_length(m->n[d]) != m->n[d])
      return ds_fail(err, DS_ERR_ARGUMENT, "%d mesh points along %c; allowed: products of 2, 3 and 5 from 2 to %d", m->n[d],
                     axis[d], DS_MESH_LONGEST);
    if (!(m->edge[d] > 0.0) || !isfinite(m->edge[d]) || !isfinite(m->lo[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "edge %g of the box from %g on along %c; allowed: > 0", m->edge[d], m->lo[d],
                     axis[d]);
  }
  for (int k = 0; k < 3; k++)
    if (!isfinite(m->tilt[k])) return ds_fail(err, DS_ERR_ARGUMENT, "tilt %g of the box is no finite number", m->tilt[k]);
  if ((m->tilt[0] != 0.0 || m->tilt[1] != 0.0 || m->tilt[2] != 0.0) && (m->extended != 1.0 || m->slab))
    return ds_fail(err, DS_ERR_ARGUMENT, "a slab in a tilted box; allowed: in one that is not");
  if (!(m->extended >= 1.0) || !isfinite(m->extended))
    return ds_fail(err, DS_ERR_ARGUMENT, "factor %g of the box's height; allowed: >= 1", m->extended);
  if ((int) m->slab < DS_SLAB_NONE || m->slab > DS_SLAB_NO_Z_FORCE)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d is no kind of slab", (int) m->slab);
  if (!(m->ewald > 0.0) || !isfinite(m->ewald))
    return ds_fail(err, DS_ERR_ARGUMENT, "screening parameter %g; allowed: > 0", m->ewald);
  if (!isfinite(m->strength)) return ds_fail(err, DS_ERR_ARGUMENT, "strength %g of charges is no finite number", m->strength);
  if (!isfinite(m->charge) || !(m->squares >= 0.0) || !(m->sizes >= 0.0) || !isfinite(m->squares) || !isfinite(m->sizes))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "sums %g of charges, %g of their squares, %g of their sizes; allowed: finite, the last two >= 0", m->charge,
                   m->squares, m->sizes);
  return DS_OK;
}

static double height_of(const ds_mesh_model *m, int axis)
{
  return axis == 2 ? m->edge[2] * m->extended : m->edge[axis];
}

/* The inverse matrix of the box's edges, xx yy zz yz xz xy. */
static void inverse_of(const ds_mesh_model *m, double inverse[6])
{
  const double lx = m->edge[0], ly = m->edge[1], lz = height_of(m, 2), yz = m->tilt[0], xz = m->tilt[1], xy = m->tilt[2];
  inverse[0] = 1.0 / lx;
  inverse[1] = 1.0 / ly;
  inverse[2] = 1.0 / lz;
  inverse[3] = -yz / (ly * lz);
  inverse[4] = (yz * xy - ly * xz) / (lx * ly * lz);
  inverse[5] = -xy / (lx * ly);
}

/* Images of a wave vector that still count: as many as LAMMPS takes, for an error of 1e-7. */
static void count_images(const ds_mesh_model *m, int images[3])
{
  const double reach = m->ewald / PI * pow(-log(1e-7), 0.25);
  const double x = reach / m->n[0], y = reach / m->n[1], z = reach / m->n[2];
  images[0] = (int) (x * m->edge[0]);
  images[1] = (int) (x * fabs(m->tilt[2]) + y * m->edge[1]);
  images[2] = (int) (x * fabs(m->tilt[1]) + y * fabs(m->tilt[0]) + z * height_of(m, 2));
}

/* The factor of an index in the denominator, a polynomial of s = sin^2 of half the phase: coefficients of Hockney & Eastwood's
   sum of squared transforms of the spline over all images. */
static void denominator_coefficients(int order, double *b)
{
  double factorial = 1.0;
  for (int l = 1; l < order; l++) b[l] = 0.0;
  b[0] = 1.0;
  for (int p = 1; p < order; p++) {
    for (int l = p; l > 0; l--) b[l] = 4.0 * (b[l] * (l - p) * (l - p - 0.5) - b[l - 1] * (l - p - 1) * (l - p - 1));
    b[0] = 4.0 * (b[0] * (0 - p) * (0 - p - 0.5));
  }
  for (int k = 2; k < 2 * order; k++) factorial *= k;
  for (int l = 0; l < order; l++) b[l] /= factorial;
}

static double power(double x, int n)
{
  double product = 1.0;
  for (; n; n >>= 1, x *= x)
    if (n & 1) product *= x;
  return product;
}

/* A vector of the reciprocal lattice, 1 / length. */
static void reciprocal(const ds_mesh_model *m, int axis, double unit[3])
{
  static const int of_inverse[3][3] = {{0, 5, 4}, {-1, 1, 3}, {-1, -1, 2}};
  double inverse[6];
  inverse_of(m, inverse);
  for (int d = 0; d < 3; d++) unit[d] = of_inverse[axis][d] < 0 ? 0.0 : 2.0 * PI * inverse[of_inverse[axis][d]];
}

/* The row of one index (DS_WAVE ...). Phases are pi times a fraction, whose sine is known to all digits. */
static void fill_row(const ds_mesh_model *m, int axis, int images, const double *b, int k, double *row)
{
  const int n = m->n[axis], index = 2 * k < n ? k : k - n, size = index < 0 ? -index : index;
  double unit[3];
  reciprocal(m, axis, unit);
  const double sine = ds_unit_root(size, 2 * n).im, s = sine * sine; /* of pi size / n */
  double denominator = 0.0;
  for (int l = m->order - 1; l >= 0; l--) denominator = b[l] + denominator * s;
  for (int d = 0; d < 3; d++) row[DS_WAVE + d] = unit[d] * index;
  row[DS_SHORTEST] = 2 * size == n ? 1.0 : 0.0;
  row[DS_DENOMINATOR] = denominator;
  for (int image = -images; image <= images; image++) {
    const int at = index + n * image;
    const double arg = PI * at / n;
    double *const of_image = row + DS_WAVE_IMAGES + DS_IMAGE_NUMBERS * (image + images);
    for (int d = 0; d < 3; d++) of_image[d] = unit[d] * at;
    of_image[3] = at == 0 ? 1.0 : power((image & 1 ? -1.0 : 1.0) * (index < 0 ? -sine : sine) / arg, 2 * m->order);
  }
}

/* Words of the table: roots of all axes, then their rows. */
static size_t table_size(const ds_mesh_view *v)
{
  size_t n = 0;
  for (int d = 0; d < 3; d++) n += (size_t) v->grid.n[d] * (2 + (size_t) ds_wave_row(v->images[d]));
  return n;
}

static void fill_table(const ds_mesh_model *m, const ds_mesh_view *v, double *table)
{
  double b[DS_MESH_MOST_ORDER];
  denominator_coefficients(m->order, b);
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < m->n[d]; k++) {
      const ds_complex root = ds_unit_root(k, m->n[d]);
      *table++ = root.re;
      *table++ = root.im;
    }
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < m->n[d]; k++, table += ds_wave_row(v->images[d])) fill_row(m, d, v->images[d], b, k, table);
}

static void point_into_table(ds_mesh_view *v, const double *table)
{
  for (int d = 0; d < 3; d++, table += 2 * (size_t) v->grid.n[d - 1]) v->line[d].root = (const ds_complex *) table;
  for (int d = 0; d < 3; d++) {
    v->row[d] = table;
    table += (size_t) v->grid.n[d] * (size_t) ds_wave_row(v->images[d]);
  }
}

static ds_status send_table(ds_mesh *m, ds_error *err)
{
  const size_t words = table_size(&m->view);
  double *const table = malloc(words * sizeof *table);
  if (!table) return ds_fail(err, DS_ERR_MEMORY, "no host memory for tables of a mesh");
  fill_table(&m->model, &m->view, table);
  const ds_status s = ds_queue_upload(m->queue, &m->table, table, words, sizeof *table, "tables of a mesh", err);
  free(table);
  if (!s) point_into_table(&m->view, m->table.device.data);
  return s;
}

/* Integers of the mesh per unit of a sum whose terms are up to `most` together, by size: with room for charges that grow. */
static double scale_for(double most)
{
  return ds_scale_for(16.0 * most, 4611686018427387904.0); /* 2^62 */
}

static void set_view(ds_mesh *m)
{
  const ds_mesh_model *const o = &m->model;
  ds_mesh_view *const v = &m->view;
  const double height = height_of(o, 2), volume = o->edge[0] * o->edge[1] * height;
  double points = 1.0, inverse[6];
  inverse_of(o, inverse);
  count_images(o, v->images);
  for (int d = 0; d < 3; d++) {
    v->grid.n[d] = o->n[d];
    v->grid.lo[d] = o->lo[d];
    v->grid.per_length[d] = o->n[d] / height_of(o, d);
    ds_fourier_plan(&v->line[d], o->n[d]);
    points *= o->n[d];
  }
  v->grid.per_tilt[0] = o->n[1] * inverse[3];
  v->grid.per_tilt[1] = o->n[0] * inverse[4];
  v->grid.per_tilt[2] = o->n[0] * inverse[5];
  v->grid.order = o->order;
  v->ewald = o->ewald;
  v->influence = v->parts = NULL;
  v->scale = scale_for(o->sizes);
  v->dipole_scale = scale_for(o->sizes * 2.0 * height);
  v->second_scale = scale_for(o->sizes * 4.0 * height * height);
  v->density = points / volume / v->scale;
  v->normal = 1.0 / points;
  v->threads = m->threads;
  v->of_charge = (ds_mesh_charge){.strength = o->strength,
                                  .self = o->ewald / sqrt(PI),
                                  .background = 0.5 * PI * o->charge / (o->ewald * o->ewald * volume),
                                  .slab = (int) o->slab,
                                  .slab_factor = 2.0 * PI / volume,
                                  .height = height,
                                  .charge = o->charge};
}

static int same_models(const ds_mesh_model *a, const ds_mesh_model *b)
{
  int same = a->order == b->order && a->slab == b->slab && a->extended == b->extended && a->ewald == b->ewald &&
             a->strength == b->strength && a->charge == b->charge && a->squares == b->squares && a->sizes == b->sizes;
  for (int d = 0; d < 3; d++)
    same = same && a->n[d] == b->n[d] && a->lo[d] == b->lo[d] && a->edge[d] == b->edge[d] && a->tilt[d] == b->tilt[d];
  return same;
}

static ds_status reserve_mesh(ds_mesh *m, ds_error *err)
{
  ds_mesh_view *const v = &m->view;
  const size_t points = ds_mesh_points(&v->grid), x = (size_t) v->grid.n[0], y = (size_t) v->grid.n[1];
  ds_status s = ds_reserve(&m->memory, &m->charge, points + DS_MESH_EXTRA, sizeof(int64_t), "charges of a mesh", err);
  if (!s) s = ds_reserve(&m->memory, &m->spectrum, points, sizeof(ds_complex), "a mesh", err);
  if (!s) s = ds_reserve(&m->memory, &m->influence, points, sizeof(double), "modes of a mesh", err);
  if (!s) s = ds_reserve(&m->memory, &m->parts, 2 * points, sizeof(double), "modes of a mesh", err);
  if (!s) s = ds_reserve(&m->memory, &m->column, DS_MESH_SUMS * x * y, sizeof(double), "sums of a mesh", err);
  if (!s) /* brought to the host after a stop as well, when no stage has written them */
    s = ds_queue_reserve_cleared(m->queue, &m->memory, &m->sum, DS_MESH_SUMS * x, sizeof(double), "sums of a mesh", err);
  if (!s)
    s = ds_buffer_reserve(m->queue->pinned.memory, &m->sum_host, DS_MESH_SUMS * x + DS_MESH_EXTRA, sizeof(double),
                          "sums of a mesh", err);
  if (!s && ds_queue_is_host(m->queue))
    s = ds_reserve(&m->memory, &m->work, (size_t) m->threads * DS_MESH_ARRAYS * ds_mesh_room(&v->grid), sizeof(double),
                   "lines of a mesh", err);
  m->cleared_at = 0;
  v->work = m->work.data;
  v->charge = m->charge.data;
  v->spectrum = m->spectrum.data;
  v->column = m->column.data;
  v->sum = m->sum.data;
  return s;
}

ds_status ds_mesh_set_model(ds_mesh *m, const ds_mesh_model *model, ds_error *err)
{
  const size_t most_points = (size_t) 1 << 28;
  if (ds_check_pointer(model, "model of a mesh", err) || check_model(model, err)) return DS_ERR_ARGUMENT;
  if ((size_t) model->n[0] * (size_t) model->n[1] * (size_t) model->n[2] > most_points)
    return ds_fail(err, DS_ERR_ARGUMENT, "a mesh of %d %d %d points; allowed: up to %zu together", model->n[0], model->n[1],
                   model->n[2], most_points);
  if (m->have_model && same_models(&m->model, model)) return DS_OK;
  const int same_size = m->have_model && memcmp(m->model.n, model->n, sizeof model->n) == 0;
  m->model = *model;
  m->have_model = m->is_used = 0;
  set_view(m);
  /* nothing may be under way in what grows */
  ds_status s = same_size ? DS_OK : ds_queue_wait(m->queue, "a mesh", err);
  if (!s && !same_size) s = reserve_mesh(m, err);
  if (!s) s = send_table(m, err);
  m->have_model = s == DS_OK;
  return s;
}

/* ------------------------------------------------------------------------------------------- stages */

static ds_status reserve_fields(ds_mesh *m, int pairs, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < pairs && !s; k++) {
    s = ds_reserve(&m->memory, &m->field[k], ds_mesh_points(&m->view.grid), sizeof(ds_complex), "fields of a mesh", err);
    m->view.field[k] = m->field[k].data;
  }
  return s;
}

/* The charges of all processes, on each of them. */
static ds_status reduce(ds_mesh *m, ds_error *err)
{
  const size_t n = ds_mesh_points(&m->view.grid) + DS_MESH_EXTRA, bytes = n * sizeof(int64_t);
  static const char what[] = "charges of a mesh";
  if (!m->reduce) return DS_OK;
  if (ds_queue_is_host(m->queue)) {
    m->reduce(m->reduce_user, m->view.charge, n);
    return DS_OK;
  }
  ds_status s = ds_buffer_reserve(m->queue->pinned.memory, &m->host_charge, n, sizeof(int64_t), what, err);
  int64_t *const sums = m->host_charge.data;
  if (!s) s = ds_queue_copy(m->queue, sums, m->view.charge, bytes, what, err);
  if (!s) s = ds_queue_wait(m->queue, what, err);
  if (s) return s;
  m->reduce(m->reduce_user, sums, n);
  return ds_queue_copy(m->queue, m->view.charge, sums, bytes, what, err);
}

/* To the host, for whoever waits. */
static ds_status bring_sums(ds_mesh *m, ds_error *err)
{
  const ds_mesh_view *const v = &m->view;
  const size_t n = DS_MESH_SUMS * (size_t) v->grid.n[0];
  double *const to = m->sum_host.data;
  const ds_status s = ds_queue_copy(m->queue, to, v->sum, n * sizeof(double), "sums of a mesh", err);
  return s || !ds_mesh_wants_slab(v) ? s
                                     : ds_queue_copy(m->queue, to + n, v->charge + ds_mesh_points(&v->grid),
                                                     DS_MESH_EXTRA * sizeof(int64_t), "sums of a slab", err);
}

/* What modes have of their own takes longer than their transforms: it is tabulated where the box stays as it is. */
static ds_status tabulate(ds_mesh *m, int64_t step, ds_error *err)
{
  ds_mesh_view *const v = &m->view;
  const int is_first = !m->is_used;
  m->is_used = 1;
  if (is_first || (v->influence && m->tabulated_at == m->queue->resumes)) return DS_OK;
  v->influence = m->influence.data;
  v->parts = m->parts.data;
  m->tabulated_at = m->queue->resumes;
  return m->stages->tabulate(m->queue, v, step, err);
}

ds_status ds_mesh_find_charged(ds_mesh *m, ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  enum { FEWER = 8 }; /* one atom in so many, say */
  if (!m->stages->find_charged || a->charged) return DS_OK;
  ds_status s = ds_reserve(&m->memory, &m->charged, (size_t) a->n + 1, sizeof(int32_t), "charged atoms", err);
  if (!s) s = ds_queue_clear(m->queue, m->charged.data, sizeof(int32_t), "a count of charged atoms", err);
  if (!s) s = m->stages->find_charged(m->queue, a, m->charged.data, step, err);
  a->ncharged = m->charged.data;
  a->charged = a->ncharged + 1;
  a->about = a->n / FEWER;
  return s;
}

/* Charges of points are as the last spectrum has left them, unless stages have been stopped since. */
static ds_status clear_charges(ds_mesh *m, ds_error *err)
{
  const size_t points = ds_mesh_points(&m->view.grid), kept = m->cleared_at == m->queue->resumes + 1 ? points : 0;
  const size_t end = points + (ds_mesh_wants_slab(&m->view) || !kept ? DS_MESH_EXTRA : 0);
  m->cleared_at = 0;
  return ds_queue_clear(m->queue, m->view.charge + kept, (end - kept) * sizeof(int64_t), "charges of a mesh", err);
}

static ds_mesh_wanted wanted_of(const ds_mesh_atoms *a, int sums)
{
  return (ds_mesh_wanted){sums, a->vatom ? DS_MESH_PAIRS : DS_MESH_VIRIALS};
}

ds_status ds_mesh_spread(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err)
{
  if (!m->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "no mesh has been set");
  ds_status s = reserve_fields(m, wanted_of(a, sums).pairs, err);
  if (!s) s = tabulate(m, step, err);
  if (!s) s = clear_charges(m, err);
  if (!s) s = m->stages->spread(m->queue, &m->view, a, step, err);
  return s ? s : reduce(m, err);
}

ds_status ds_mesh_solve(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err)
{
  const ds_mesh_wanted wanted = wanted_of(a, sums);
  const ds_status s = m->stages->solve(m->queue, &m->view, &wanted, step, err);
  if (!s) m->cleared_at = m->queue->resumes + 1;
  return s;
}

ds_status ds_mesh_add_forces(ds_mesh *m, const ds_mesh_atoms *a, int sums, int64_t step, ds_error *err)
{
  const ds_status s = m->stages->interpolate(m->queue, &m->view, a, step, err);
  return !s && sums ? bring_sums(m, err) : s;
}

ds_status ds_mesh_make_forces(ds_mesh *m, const ds_mesh_atoms *atoms, int sums, int64_t step, ds_error *err)
{
  ds_mesh_atoms a = *atoms;
  ds_queue_begin(m->queue, DS_STAGE_MESH);
  ds_status s = ds_mesh_find_charged(m, &a, step, err);
  if (!s) s = ds_mesh_spread(m, &a, sums, step, err);
  if (!s) s = ds_mesh_solve(m, &a, sums, step, err);
  if (!s) s = ds_mesh_add_forces(m, &a, sums, step, err);
  ds_queue_end(m->queue, DS_STAGE_MESH);
  return s;
}

/* Rows are added up in their order. */
void ds_mesh_take_sums(const ds_mesh *m, ds_mesh_sums *sums)
{
  const ds_mesh_view *const v = &m->view;
  const ds_mesh_model *const o = &m->model;
  const size_t n = (size_t) v->grid.n[0];
  const double *const sum = m->sum_host.data;
  const double volume = o->edge[0] * o->edge[1] * height_of(o, 2), q = o->charge, h = height_of(o, 2);
  double total[DS_MESH_SUMS];
  for (int k = 0; k < DS_MESH_SUMS; k++) {
    total[k] = 0.0;
    for (size_t i = 0; i < n; i++) total[k] += sum[(size_t) k * n + i];
    total[k] *= 0.5 * volume;
  }
  double energy = total[0] - (v->of_charge.self * o->squares + v->of_charge.background * q);
  if (ds_mesh_wants_slab(v)) {
    const ds_mesh_dipole d = ds_mesh_dipole_of(v, (const int64_t *) (sum + DS_MESH_SUMS * n));
    energy += v->of_charge.slab_factor * (d.dipole * d.dipole - q * d.second - q * q * h * h / 12.0);
  }
  sums->energy = o->strength * energy;
  for (int k = 0; k < 6; k++) sums->virial[k] = o->strength * total[k + 1];
}
