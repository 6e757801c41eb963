/* reference.c: lists by brute force, forces by a double loop.   SPDX-License-Identifier:
   GPL-2.0-or-later */
#include "support/reference.h"

#include "dpdsop/dpd_pair.h"
#include "dpdsop/neighbor.h"
#include "dpdsop/signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void model_open(test_model *t, int ntypes, double a, double gamma, double cutoff, double power,
                double skin)
{
  memset(&t->m, 0, sizeof t->m);
  t->m.ntypes = ntypes;
  t->m.a = t->a;
  t->m.gamma = t->gamma;
  t->m.cutoff = t->cutoff;
  t->m.power = t->power;
  t->m.kT = 1.0;
  t->m.dt = 0.01;
  t->m.skin = skin;
  t->m.seed = 12345;
  for (int k = 0; k < 4; k++) t->m.special[k] = 1.0;
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) model_pair(t, i, j, a, gamma, cutoff, power);
}

void model_pair(test_model *t, int i, int j, double a, double gamma, double cutoff, double power)
{
  const int k[2] = {(i - 1) * t->m.ntypes + j - 1, (j - 1) * t->m.ntypes + i - 1};
  for (int n = 0; n < 2; n++) {
    t->a[k[n]] = a;
    t->gamma[k[n]] = gamma;
    t->cutoff[k[n]] = cutoff;
    t->power[k[n]] = power;
  }
}

static double largest_cutoff(const test_model *t)
{
  double most = 0.0;
  for (int k = 0; k < t->m.ntypes * t->m.ntypes; k++) most = fmax(most, t->cutoff[k]);
  return most;
}

double model_range(const test_model *t)
{
  return largest_cutoff(t) + t->m.skin;
}

/* --------------------------------------------------------------------------------------- lists */

typedef struct {
  uint64_t key;
  int atom;
} keyed;

static int by_key(const void *a, const void *b)
{
  const keyed *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->atom > q->atom) - (p->atom < q->atom);
}

static ds_position integer_position(const ds_frame *f, const test_system *s, int k, int wide)
{
  const int *b = s->image + 3 * k;
  double l[3];
  ds_fraction(f, s->x[3 * k], s->x[3 * k + 1], s->x[3 * k + 2], l);
  if (!wide) return ds_position_image(f, ds_position_of(f, l), b[0], b[1], b[2]);
  const ds_position64 p = ds_position64_image(f, ds_position64_of(f, l), b[0], b[1], b[2]);
  const ds_position top = {(int32_t) (p.x >> 32), (int32_t) (p.y >> 32), (int32_t) (p.z >> 32)};
  return top;
}

/* 2 in the core, 1 in the skin, 0 outside. */
static int kind_of_pair(const ds_frame *f, const test_model *t, double largest, ds_position p,
                        ds_position q, int itype, int jtype)
{
  const double cutoff = t->cutoff[(itype - 1) * t->m.ntypes + jtype - 1];
  const double cut = cutoff / largest, range = (cutoff + t->m.skin) / largest;
  float dx, dy, dz;
  if (cutoff == 0.0) return 0;
  ds_separation(f, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z), &dx, &dy, &dz);
  const float r2 = ds_square(dx, dy, dz);
  return (r2 < (float) (range * range * (1.0 + 1e-5))) + (r2 < (float) (cut * cut));
}

void list_by_brute_force(test_list *list, const test_system *s, const test_model *t, int wide)
{
  const int n = s->nlocal + s->nghost;
  const double largest = largest_cutoff(t);
  ds_frame frame;
  ds_grid grid;
  keyed *order = test_alloc((size_t) n * sizeof *order);
  ds_position *p = test_alloc((size_t) n * sizeof *p);
  int *skin = test_alloc((size_t) n * sizeof *skin);
  size_t room = 1024, used = 0;
  memset(list, 0, sizeof *list);
  if (ds_frame_init(&frame, &s->box, largest, NULL) ||
      ds_grid_init(&grid, &frame, model_range(t), n, NULL))
    abort();
  for (int k = 0; k < n; k++) {
    p[k] = integer_position(&frame, s, k, wide);
    order[k].key = ds_grid_key(&grid, p[k]);
    order[k].atom = k;
  }
  qsort(order, (size_t) n, sizeof *order, by_key);
  list->atom = test_alloc((size_t) s->nlocal * sizeof *list->atom);
  list->core = test_alloc((size_t) s->nlocal * sizeof *list->core);
  list->start = test_alloc((size_t) (s->nlocal + 1) * sizeof *list->start);
  list->entries = test_alloc(room * sizeof *list->entries);
  for (int a = 0; a < n; a++) {
    const int i = order[a].atom, row = list->rows;
    int nskin = 0;
    if (i >= s->nlocal) continue;
    if (used + (size_t) n > room) {
      list->entries =
          realloc(list->entries, (room = 2 * room + (size_t) n) * sizeof *list->entries);
      if (!list->entries) abort();
    }
    list->rows++;
    list->atom[row] = i;
    list->start[row] = (int) used;
    for (int b = 0; b < n; b++) {
      const int k = order[b].atom;
      const int kind =
          k == i ? 0 : kind_of_pair(&frame, t, largest, p[i], p[k], s->type[i], s->type[k]);
      if (kind == 2) list->entries[used++] = (uint32_t) k;
      if (kind == 1) skin[nskin++] = k;
    }
    list->core[row] = (int) used - list->start[row];
    for (int m = 0; m < nskin; m++) list->entries[used++] = (uint32_t) skin[m];
    for (size_t m = (size_t) list->start[row]; m < used; m++)
      list->entries[m] |= (uint32_t) system_special_code(s, i, (int) list->entries[m])
                          << DS_INDEX_BITS;
  }
  list->start[list->rows] = (int) used;
  free(order);
  free(p);
  free(skin);
}

int list_geometry_faults(const test_list *list, const test_system *s, const test_model *t,
                         double tolerance)
{
  const int n = s->nlocal + s->nghost;
  char *found = test_alloc((size_t) n);
  int faults = 0;
  for (int r = 0; r < list->rows; r++) {
    const int i = list->atom[r];
    memset(found, 0, (size_t) n);
    for (int m = list->start[r]; m < list->start[r + 1]; m++)
      found[list->entries[m] & DS_INDEX_MASK] = m < list->start[r] + list->core[r] ? 2 : 1;
    for (int k = 0; k < n; k++) {
      const double cutoff = t->cutoff[(s->type[i] - 1) * t->m.ntypes + s->type[k] - 1];
      double d[3];
      system_separation(s, i, k, d);
      const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (k == i || cutoff == 0.0) {
        faults += found[k] != 0;
        continue;
      }
      if (length < cutoff - tolerance) faults += found[k] != 2;
      if (length > cutoff + tolerance) faults += found[k] == 2;
      if (length < cutoff + t->m.skin - tolerance) faults += found[k] == 0;
      if (length > cutoff + t->m.skin + tolerance) faults += found[k] != 0;
    }
  }
  free(found);
  return faults;
}

ds_status list_read(test_list *list, ds_dpd *dpd, ds_error *err)
{
  const ds_dpd_info info = ds_dpd_get_info(dpd);
  const size_t rows = (size_t) info.rows, capacity = (size_t) info.row_capacity;
  int *count = test_alloc(rows * sizeof *count);
  uint32_t *wide = test_alloc(rows * capacity * sizeof *wide);
  int used = 0;
  list->rows = info.rows;
  list->atom = test_alloc(rows * sizeof *list->atom);
  list->core = test_alloc(rows * sizeof *list->core);
  list->start = test_alloc((rows + 1) * sizeof *list->start);
  list->entries = test_alloc((size_t) info.neighbors * sizeof *list->entries);
  const ds_status status = ds_dpd_read_list(dpd, list->atom, list->core, count, wide, err);
  for (size_t r = 0; r < rows && !status; r++) {
    list->start[r] = used;
    memcpy(list->entries + used, wide + r * capacity, (size_t) count[r] * sizeof *wide);
    used += count[r];
  }
  list->start[rows] = used;
  free(count);
  free(wide);
  return status;
}

int list_compare(const test_list *a, const test_list *b, int *where)
{
  *where = -1;
  if (a->rows != b->rows) return a->rows < b->rows ? a->rows : b->rows;
  for (int r = 0; r < a->rows; r++) {
    if (a->atom[r] != b->atom[r] || a->core[r] != b->core[r] || a->start[r + 1] != b->start[r + 1])
      return r;
    for (int m = a->start[r]; m < a->start[r + 1]; m++)
      if (a->entries[m] != b->entries[m]) {
        *where = m - a->start[r];
        return r;
      }
  }
  return -1;
}

void list_free(test_list *list)
{
  free(list->atom);
  free(list->core);
  free(list->start);
  free(list->entries);
  memset(list, 0, sizeof *list);
}

/* -------------------------------------------------------------------------------------- forces */

ref_pair ref_pair_force(const ds_dpd_model *m, int itype, int jtype, double r, double ev, double xi,
                        double special)
{
  const int k = (itype - 1) * m->ntypes + jtype - 1;
  const double rc = m->cutoff[k];
  ref_pair p = {0, 0, 0, 0, 0};
  if (!(r < rc) || r == 0.0) return p;
  const double wc = (rc - r) / rc; /* eq. 8 */
  const double wr = pow(wc, m->power[k]);
  const double sigma = sqrt(2.0 * m->gamma[k] * m->kT); /* eq. 9 */
  p.w = wc;
  p.conservative = special * m->a[k] * wc;                  /* eq. 3 */
  p.drag = -special * m->gamma[k] * wr * wr * ev;           /* eqs. 4, 7 */
  p.random = sqrt(special) * sigma * wr * xi / sqrt(m->dt); /* eq. 5 */
  p.energy = special * 0.5 * m->a[k] * rc * wc * wc;
  return p;
}

static double box_muller_libm(uint32_t v1, uint32_t v2)
{
  /* the words' meaning (gaussian.h): v1 / 2^32 under the logarithm; 31 bits of v2 a phase of a half
     turn, its top bit the sign */
  const double u1 = v1 / 4294967296.0, phase = (v2 & 0x7FFFFFFFu) / 2147483648.0;
  const double c = cos(3.14159265358979323846 * phase);
  return sqrt(-2.0 * log(u1)) * (v2 >> 31 ? -c : c);
}

static double xi_of(uint32_t a, uint32_t b, ref_noise noise)
{
  uint32_t v1, v2;
  if (noise == REF_NOISE_NONE) return 0.0;
  if (noise == REF_NOISE_ENGINE) return ds_pair_gaussian(a, b);
  ds_pair_words(a, b, &v1, &v2);
  return box_muller_libm(v1, v2);
}

static uint32_t signature_of(const test_system *s, const test_model *t, int k, int64_t step)
{
  const double *v = s->v + 3 * k;
  return ds_signature((uint64_t) s->tag[k], (float) v[0], (float) v[1], (float) v[2], t->m.seed,
                      (uint64_t) step);
}

static double speed(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Change of f w^power, which is now `value`, by an error of dw, divided by dw; also for smaller
   errors. */
static double steepness(double value, double w, double power, double dw)
{
  const double low = fmax(0.0, 1.0 - dw / w), high = 1.0 + dw / w;
  return value * fmax(power / w, fmax(1.0 - pow(low, power), pow(high, power) - 1.0) / dw);
}

static void add_pair(ref_forces *r, const test_system *s, const test_model *t, int i, int k,
                     double length, const double d[3], double xi, double dw)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const int m = (s->type[i] - 1) * t->m.ntypes + s->type[k] - 1;
  double ev = 0.0;
  for (int c = 0; c < 3; c++) ev += d[c] * (s->v[3 * i + c] - s->v[3 * k + c]) / length;
  const double special = t->m.special[system_special_code(s, i, k)];
  const ref_pair p = ref_pair_force(&t->m, s->type[i], s->type[k], length, ev, xi, special);
  const double f = p.conservative + p.drag + p.random, power = t->power[m];
  const double drag =
      special * t->gamma[m] * pow(p.w, 2.0 * power) * (speed(s->v + 3 * i) + speed(s->v + 3 * k));
  const double size = fabs(p.conservative) + drag + fabs(p.random);
  r->pairs++;
  r->count[i]++;
  r->size[i] += size;
  r->turn[i] += size / length;
  r->slope[i] += steepness(fabs(p.conservative), p.w, 1.0, dw) +
                 steepness(drag, p.w, 2.0 * power, dw) + steepness(fabs(p.random), p.w, power, dw);
  r->eslope[i] += fabs(p.energy) / p.w; /* half of 2 E / w: the pair's energy is shared */
  for (int c = 0; c < 3; c++) r->f[3 * i + c] += f * d[c] / length;
  r->eatom[i] += 0.5 * p.energy;
  r->energy_size += 0.5 * fabs(p.energy);
  r->virial_size += 0.5 * size * length;
  for (int c = 0; c < 6; c++) r->vatom[6 * i + c] += 0.5 * d[row[c]] * f * d[column[c]] / length;
}

void ref_compute(ref_forces *r, const test_system *s, const test_model *t, int64_t step,
                 ref_noise noise, double dw)
{
  const size_t n = (size_t) s->nlocal;
  const int nall = s->nlocal + s->nghost;
  uint32_t *signature = test_alloc((size_t) nall * sizeof *signature);
  memset(r, 0, sizeof *r);
  r->n = s->nlocal;
  r->f = test_alloc(3 * n * sizeof *r->f);
  r->eatom = test_alloc(n * sizeof *r->eatom);
  r->vatom = test_alloc(6 * n * sizeof *r->vatom);
  r->size = test_alloc(n * sizeof *r->size);
  r->slope = test_alloc(n * sizeof *r->slope);
  r->turn = test_alloc(n * sizeof *r->turn);
  r->eslope = test_alloc(n * sizeof *r->eslope);
  r->count = test_alloc(n * sizeof *r->count);
  for (int k = 0; k < nall; k++) signature[k] = signature_of(s, t, k, step);
  for (int i = 0; i < s->nlocal; i++) {
    for (int k = 0; k < nall; k++) {
      const double cutoff = t->cutoff[(s->type[i] - 1) * t->m.ntypes + s->type[k] - 1];
      double d[3];
      if (k == i) continue;
      system_separation(s, i, k, d);
      const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (length < cutoff && length > 0.0)
        add_pair(r, s, t, i, k, length, d, xi_of(signature[i], signature[k], noise), dw);
    }
    r->energy += r->eatom[i];
    for (int c = 0; c < 6; c++) r->virial[c] += r->vatom[6 * i + c];
  }
  free(signature);
}

void ref_free(ref_forces *r)
{
  free(r->f);
  free(r->eatom);
  free(r->vatom);
  free(r->size);
  free(r->slope);
  free(r->turn);
  free(r->eslope);
  free(r->count);
  memset(r, 0, sizeof *r);
}
