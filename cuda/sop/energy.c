/* Energies, on the host for both backends, and what is wrong where a force is out of range.
   SPDX-License-Identifier: GPL-2.0-or-later

   In double arithmetic, from the coordinates that forces are computed from; rounded pair by pair and summed as
   integers, so that an energy is the same to the bit whoever adds it up. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* Energies of one molecule in units; see unit_of. */
typedef struct {
  int64_t energy[DS_SOP_LISTED + 1];
  int64_t intact;
  int bad; /* one was out of range */
} energy_sums;

/* A force unit times a unit of coordinates: 2^-33 kcal/mol for proteins. */
static double unit_of(const ds_sop_model *m)
{
  return m->force_unit * m->coordinate_unit;
}

/* Squared distance, in units of coordinates. */
static double square_of(const int32_t *const x[3], int64_t i, int64_t j)
{
  const double d[3] = {ds_diff32(x[0][i], x[0][j]), ds_diff32(x[1][i], x[1][j]), ds_diff32(x[2][i], x[2][j])};
  return ds_square(d[0], d[1], d[2]);
}

/* Not a number where the bond is longer or shorter than it can be. */
static double bond_energy(const ds_sop_model *m, int32_t k, double r2)
{
  const ds_sop_bond_row *const b = m->topology.bond + k;
  const ds_sop_bond c = {b->k, b->r0, 1.0 / (b->R0 * b->R0)};
  return ds_sop_bond_room(&c, sqrt(r2) - b->r0) > 0.0 ? ds_sop_bond_energy(&c, r2) : NAN;
}

/* How long an intact contact may be, squared. */
static double whole_length2(const ds_sop_contact_row *b)
{
  return 1.44 * (b->r0 * b->r0);
}

static double contact_energy(const ds_sop_model *m, int32_t k, double r2, int64_t *intact)
{
  const ds_sop_contact_row *const b = m->topology.contact + k;
  const ds_sop_contact c = {b->r0 * b->r0, b->eps};
  *intact += r2 <= whole_length2(b);
  return ds_sop_contact_energy(&c, r2);
}

static double repulsion_energy(double eps, double sigma, double r2)
{
  const ds_sop_repulsion c = {sigma * sigma, eps};
  return ds_sop_repulsion_energy(&c, r2);
}

static void add_energy(energy_sums *e, int kind, double value)
{
  const int good = ds_in_range64(value);
  e->bad |= !good;
  e->energy[kind] += ds_round64(good ? value : 0.0);
}

static void molecule_energy(const ds_sop *sop, const int32_t *const x[3], int32_t molecule, const ds_sop_list *list,
                            energy_sums *e)
{
  const ds_sop_model *const m = &sop->model;
  const ds_sop_parameters *const p = &m->topology.parameters;
  const int32_t n = m->topology.beads;
  const int64_t base = (int64_t) molecule * n;
  const double unit = unit_of(m), length2 = m->coordinate_unit * m->coordinate_unit;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++)
    for (int32_t k = 0; k < m->pairs[kind].count; k++) {
      const double r2 = length2 * square_of(x, base + m->pairs[kind].i[k], base + m->pairs[kind].j[k]);
      const double v = kind == DS_SOP_BONDS      ? bond_energy(m, k, r2)
                       : kind == DS_SOP_CONTACTS ? contact_energy(m, k, r2, &e->intact)
                                                 : repulsion_energy(p->eps_a, p->sigma_a, r2);
      add_energy(e, kind, v / unit);
    }
  for (int64_t i = base; i < base + n; i++)
    for (int64_t k = list->first[i]; k < list->first[i + 1]; k++) {
      const double square = square_of(x, i, list->partner[k]);
      if ((float) square < m->cut2) add_energy(e, DS_SOP_LISTED, repulsion_energy(p->eps_r, p->sigma, length2 * square) / unit);
    }
}

static void add_energies(ds_sop_energies *to, const energy_sums *e, double unit)
{
  to->bonds = unit * (double) e->energy[DS_SOP_BONDS];
  to->native = unit * (double) e->energy[DS_SOP_CONTACTS];
  to->angles = unit * (double) e->energy[DS_SOP_ANGLES];
  to->other = unit * (double) e->energy[DS_SOP_LISTED];
  to->intact = e->intact;
}

/* Which bond is too long, or which beads are too close. */
static ds_status explain(const ds_sop *sop, const int32_t *const x[3], ds_error *err)
{
  const size_t n = (size_t) sop->molecules * (size_t) sop->model.topology.beads;
  ds_sop_fault fault = {-1, -1, -1, -1, 0, sop->molecules, malloc((3 * n + 1) * sizeof(int32_t))};
  if (!fault.coordinate) return ds_fail(err, DS_ERR_MEMORY, "no host memory for coordinates");
  for (size_t b = 0; b < n; b++)
    for (size_t c = 0; c < 3; c++) fault.coordinate[3 * b + c] = x[c][b];
  const ds_status s = ds_sop_explain(sop, &fault, err);
  free(fault.coordinate);
  return s;
}

static ds_status all_energies(const ds_sop *sop, const int32_t *const x[3], ds_sop_energies *sum, ds_sop_energies *each,
                              ds_error *err)
{
  const double unit = unit_of(&sop->model);
  const int64_t all = (int64_t) sop->molecules * sop->model.topology.beads;
  energy_sums total, *const sums = calloc((size_t) sop->molecules + 1, sizeof *sums);
  ds_sop_list list;
  memset(&list, 0, sizeof list);
  memset(&total, 0, sizeof total);
  const ds_sop_list_wish wish = {{x[0], x[1], x[2]}, all, sop->model.cutoff, 0, 1, 0};
  ds_status s = sums ? ds_sop_list_make(sop, &wish, &list, err) : ds_fail(err, DS_ERR_MEMORY, "no host memory for energies");
#pragma omp parallel for num_threads(sop->options.threads)
  for (int32_t m = 0; m < sop->molecules; m++)
    if (!s) molecule_energy(sop, x, m, &list, sums + m);
  for (int32_t m = 0; m < sop->molecules && !s; m++) {
    if (sums[m].bad) s = explain(sop, x, err);
    for (int k = 0; k <= DS_SOP_LISTED; k++) total.energy[k] += sums[m].energy[k];
    total.intact += sums[m].intact;
    if (each) add_energies(each + m, sums + m, unit);
  }
  add_energies(sum, &total, unit);
  free(sums);
  ds_sop_list_free(&list);
  return s;
}

ds_status ds_sop_host_energy(const ds_sop *sop, const int64_t *position, ds_sop_energies *sum, ds_sop_energies *each,
                             ds_error *err)
{
  const size_t n = (size_t) sop->molecules * (size_t) sop->model.topology.beads;
  int32_t *const all = malloc((3 * n + 1) * sizeof *all);
  memset(sum, 0, sizeof *sum);
  if (!all) return ds_fail(err, DS_ERR_MEMORY, "no host memory for coordinates");
  const int32_t *const x[3] = {all, all + n, all + 2 * n};
  for (size_t b = 0; b < n; b++)
    for (size_t c = 0; c < 3; c++) all[c * n + b] = ds_sop_coordinate(position[3 * b + c]);
  const ds_status s = all_energies(sop, x, sum, each, err);
  free(all);
  return s;
}

/* ----------------------------------------------------------------------------------------- contacts */

/* A square of integers, rounded otherwise than that of square_of, by less than this share of it. */
static const double ROUNDED = 1e-14;

static int is_whole(double length2, const int64_t *a, const int64_t *b, double limit, double most)
{
  double d[3], square = 0.0;
  for (int c = 0; c < 3; c++) {
    d[c] = ds_diff32(ds_sop_coordinate(a[c]), ds_sop_coordinate(b[c]));
    square += d[c] * d[c];
  }
  if (fabs(square - limit) > ROUNDED * limit) return square < limit;
  return length2 * ds_square(d[0], d[1], d[2]) <= most; /* as energies count it */
}

ds_status ds_sop_host_intact(const ds_sop *sop, const int64_t *position, int64_t *each, ds_error *err)
{
  const ds_sop_model *const m = &sop->model;
  const ds_sop_pairs *const pairs = &m->pairs[DS_SOP_CONTACTS];
  const size_t n = (size_t) m->topology.beads;
  const double length2 = m->coordinate_unit * m->coordinate_unit;
  double *const limit = malloc(((size_t) pairs->count + 1) * sizeof *limit);
  if (!limit) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %d contacts", pairs->count);
  for (int32_t k = 0; k < pairs->count; k++) limit[k] = whole_length2(m->topology.contact + k) / length2;
#pragma omp parallel for num_threads(sop->options.threads)
  for (int32_t molecule = 0; molecule < sop->molecules; molecule++) {
    const int64_t *const x = position + 3 * n * (size_t) molecule;
    int64_t whole = 0;
    for (int32_t k = 0; k < pairs->count; k++)
      whole += is_whole(length2, x + 3 * (size_t) pairs->i[k], x + 3 * (size_t) pairs->j[k], limit[k],
                        whole_length2(m->topology.contact + k));
    each[molecule] = whole;
  }
  free(limit);
  return DS_OK;
}
