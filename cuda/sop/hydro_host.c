/* Host backend: steps with hydrodynamic interactions.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "hydro_host.h"

#include <omp.h>

/* ------------------------------------------------------------------------------------------- room */

static ds_status reserve_three(ds_sop_host *h, ds_buffer b[3], const char *what, ds_error *err)
{
  ds_status s = DS_OK;
  for (int c = 0; c < 3 && !s; c++) s = ds_reserve(&h->pool, &b[c], h->free_at + 1, sizeof(float), what, err);
  return s;
}

ds_status ds_sop_host_hydro_reserve(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  const int sums = sop->hydro.kind == DS_SOP_HYDRO_TEA ? 10 : 3;
  ds_status s = reserve_three(h, h->push, "displacements", err);
  if (!s) s = reserve_three(h, h->own_noise, "noise", err);
  for (int k = 0; k < sums && !s; k++) s = ds_reserve(&h->pool, &h->hydro_sum[k], h->free_at + 1, sizeof(int64_t), "sums", err);
  if (s || sop->hydro.kind == DS_SOP_HYDRO_TEA) return s;
  s = ds_reserve(&h->pool, &h->own_normal, 3 * h->free_at + 1, sizeof(double), "noise", err);
  return s ? s : ds_reserve(&h->pool, &h->product, 3 * h->free_at + 1, sizeof(double), "noise", err);
}

ds_status ds_sop_host_hydro_prepare(const ds_sop *sop, ds_sop_host *h, ds_error *err)
{
  if (sop->hydro.kind != DS_SOP_HYDRO_EXACT) return DS_OK;
  const size_t size = ds_sop_triangle_size(3 * sop->model.topology.beads);
  return ds_reserve(&h->pool, &h->triangle, (size_t) sop->options.threads * size, sizeof(double), "mobility matrices", err);
}

/* ----------------------------------------------------------------------------------- one molecule */

static int32_t beads_of(const ds_sop *sop)
{
  return sop->model.topology.beads;
}

static ds_sop_hydro_molecule molecule_at(const ds_sop *sop, const ds_sop_host *h, int32_t molecule)
{
  const size_t at = (size_t) molecule * (size_t) beads_of(sop);
  ds_sop_hydro_molecule m;
  m.beads = beads_of(sop);
  m.tea = sop->hydro.kind == DS_SOP_HYDRO_TEA;
  m.unit = sop->hydro.unit;
  m.radius = sop->hydro.radius;
  m.inverse = sop->hydro.inverse;
  m.root = sop->hydro.root;
  for (int c = 0; c < 3; c++) {
    m.x[c] = DS_DATA(int32_t, h->x[c]) + at;
    m.push[c] = DS_DATA(float, h->push[c]) + at;
    m.noise[c] = DS_DATA(float, h->own_noise[c]) + at;
  }
  for (int k = 0; k < 10; k++) m.sum[k] = h->hydro_sum[k].data ? DS_DATA(int64_t, h->hydro_sum[k]) + at : NULL;
  return m;
}

/* Where the molecule of a place ends, or `last` if that comes before. */
static size_t end_of_part(const ds_sop *sop, size_t place, size_t last)
{
  const size_t n = (size_t) beads_of(sop), end = (place / n + 1) * n;
  return end < last ? end : last;
}

/* ------------------------------------------------------------------------------------------ begin */

static int64_t first_beyond(const ds_sop_host *h, float limit, size_t first, int n)
{
  for (size_t p = first; p < first + (size_t) n; p++)
    for (int c = 0; c < 3; c++)
      if (!(fabsf(DS_DATA(float, h->push[c])[p]) <= limit) || !(fabsf(DS_DATA(float, h->own_noise[c])[p]) <= limit))
        return (int64_t) p;
  return -1;
}

/* At most DS_SOP_BATCH places of one molecule. */
static int64_t begin_batch(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, size_t first, int n)
{
  static ds_sop_hydro_start_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_hydro_begin);
  static ds_sop_hydro_noise_function *const noise_kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_hydro_own_noise);
  uint32_t own[4][DS_SOP_BATCH], *words[4];
  int32_t *noise[3];
  ds_sop_hydro_start s;
  s.units = step->units.whole;
  s.limit = sop->hydro.limit;
  s.weight = sop->hydro.weight + first % (size_t) beads_of(sop);
  s.moves = DS_DATA(int32_t, h->moves) + first;
  for (int k = 0; k < 4; k++) s.words[k] = words[k] = own[k];
  for (int c = 0; c < 3; c++) {
    s.force[c] = DS_DATA(int32_t, h->force[0][c]) + first;
    s.other[c] = DS_DATA(float, h->other[c]) + first;
    s.push[c] = DS_DATA(float, h->push[c]) + first;
    s.noise[c] = DS_DATA(float, h->own_noise[c]) + first;
    noise[c] = DS_DATA(int32_t, h->noise[c]) + first;
  }
  ds_sop_host_words(sop, h, step->number, first, n, words);
  if (kernel[h->isa](&s, n)) return first_beyond(h, s.limit, first, n);
  if (step->last) noise_kernel[h->isa](&s, n, noise);
  return -1;
}

int64_t ds_sop_host_hydro_begin(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, size_t first, size_t last)
{
  int64_t bad = -1;
  for (size_t at = first, end; at < last; at = end) {
    end = end_of_part(sop, at, last);
    if (end - at > DS_SOP_BATCH) end = at + DS_SOP_BATCH;
    const int64_t b = begin_batch(sop, h, step, at, (int) (end - at));
    if (bad < 0) bad = b;
  }
  return bad;
}

/* ------------------------------------------------------------------------------------ other beads */

void ds_sop_host_hydro_sums(const ds_sop *sop, ds_sop_host *h, size_t first, size_t last)
{
  static ds_sop_hydro_sums_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_hydro_sums);
  for (size_t at = first, end; at < last; at = end) {
    const size_t molecule = at / (size_t) beads_of(sop), base = molecule * (size_t) beads_of(sop);
    const ds_sop_hydro_molecule m = molecule_at(sop, h, (int32_t) molecule);
    end = end_of_part(sop, at, last);
    kernel[h->isa](&m, (int32_t) (at - base), (int32_t) (end - base));
  }
}

int64_t ds_sop_host_hydro_factor(const ds_sop *sop, ds_sop_host *h, int32_t molecule)
{
  static ds_sop_hydro_factor_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_hydro_factor);
  static ds_sop_hydro_product_function *const product[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_hydro_product);
  if (sop->hydro.kind != DS_SOP_HYDRO_EXACT) return -1;
  const int n = 3 * beads_of(sop);
  const size_t at = (size_t) molecule * (size_t) n;
  double *const triangle = DS_DATA(double, h->triangle) + (size_t) omp_get_thread_num() * ds_sop_triangle_size(n);
  double *const from = DS_DATA(double, h->own_normal) + at;
  const ds_sop_hydro_molecule m = molecule_at(sop, h, molecule);
  const int row = kernel[h->isa](&m, triangle);
  if (row >= 0) return (int64_t) molecule * beads_of(sop) + row / 3;
  for (int k = 0; k < n; k++) from[k] = (double) m.noise[k % 3][k / 3];
  product[h->isa](n, triangle, from, DS_DATA(double, h->product) + at);
  return -1;
}

/* ------------------------------------------------------------------------------------------- move */

static double beta_of(const ds_sop *sop, const ds_sop_host *h, size_t base)
{
  int64_t entries = 0;
  if (sop->hydro.kind != DS_SOP_HYDRO_TEA) return 0.0;
  for (size_t p = base; p < base + (size_t) beads_of(sop); p++) entries += DS_DATA(int64_t, h->hydro_sum[9])[p];
  return ds_sop_tea_beta(entries, beads_of(sop) - sop->hydro.fixed);
}

static double noise_of(const ds_sop *sop, const ds_sop_host *h, double beta, size_t place, size_t bead, int c)
{
  if (sop->hydro.kind == DS_SOP_HYDRO_EXACT) return DS_DATA(double, h->product)[3 * place + (size_t) c];
  return ds_sop_tea_noise(beta, DS_DATA(float, h->own_noise[c])[place], sop->hydro.radius[bead], sop->hydro.inverse[bead],
                          DS_DATA(int64_t, h->hydro_sum[3 + c])[place], DS_DATA(int64_t, h->hydro_sum[6 + c])[place]);
}

/* Returns whether it would move too far; it stays then. */
static int move_bead(const ds_sop *sop, ds_sop_host *h, double beta, size_t place, size_t bead)
{
  int32_t d[3];
  int fault = 0;
  if (!DS_DATA(int32_t, h->moves)[place]) return 0;
  for (int c = 0; c < 3; c++)
    d[c] = ds_sop_hydro_move(DS_DATA(float, h->push[c])[place], sop->hydro.inverse[bead],
                             DS_DATA(int64_t, h->hydro_sum[c])[place], noise_of(sop, h, beta, place, bead, c), &fault);
  for (int c = 0; c < 3 && !fault; c++) {
    int64_t *const p = DS_DATA(int64_t, h->position[c]) + place;
    *p += d[c];
    DS_DATA(int32_t, h->x[c])[place] = ds_sop_coordinate(*p);
  }
  return fault;
}

int64_t ds_sop_host_hydro_move(const ds_sop *sop, ds_sop_host *h, size_t first, size_t last)
{
  int64_t bad = -1;
  for (size_t at = first, end; at < last; at = end) {
    const size_t base = at / (size_t) beads_of(sop) * (size_t) beads_of(sop);
    const double beta = beta_of(sop, h, base);
    end = end_of_part(sop, at, last);
    for (size_t p = at; p < end; p++)
      if (move_bead(sop, h, beta, p, p - base) && bad < 0) bad = (int64_t) p;
  }
  return bad;
}

int64_t ds_sop_host_hydro_step(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int32_t molecule, int *pivot)
{
  const size_t n = (size_t) beads_of(sop), first = (size_t) molecule * n;
  int64_t bad = ds_sop_host_hydro_begin(sop, h, step, first, first + n);
  *pivot = 0;
  if (bad >= 0) return bad;
  ds_sop_host_hydro_sums(sop, h, first, first + n);
  bad = ds_sop_host_hydro_factor(sop, h, molecule);
  *pivot = bad >= 0;
  return *pivot ? bad : ds_sop_host_hydro_move(sop, h, first, first + n);
}
