/* Energies and virials of resident atoms, by atom, for operations at the end of a step.
   SPDX-License-Identifier: GPL-2.0-or-later

   They are tallied in those steps alone in which an operation reads them, and stay with the atoms. */
#include "dpdsop/tally.h"
#include "resident_state.h"

/* Tallies are numbered as in sets: energies of pairs, bonds ..., then virials (ds_tallies). */
enum {
  PAIR_ENERGY = DS_TALLY_PAIRS,
  PAIR_VIRIAL = DS_TALLIES + DS_TALLY_PAIRS,
  PAIRS = 1 << PAIR_ENERGY | 1 << PAIR_VIRIAL,
  BONDED = (1 << 2 * DS_TALLIES) - 1 - PAIRS
};

static int components_of(int k)
{
  return k < DS_TALLIES ? 1 : DS_VIRIAL_COMPONENTS;
}

/* Of an array of all atoms. */
static size_t bytes_of(const ds_resident *r, int k)
{
  return (size_t) r->atoms.n * (size_t) components_of(k) * sizeof(double);
}

int ds_program_reads_tallies(const ds_step_program *p)
{
  for (int k = 0; k < p->n; k++)
    if (ds_operation_tallies(p, k)) return 1;
  return 0;
}

int ds_step_tallies(const ds_step_program *p, int64_t step)
{
  const ds_due due = {0, p->n, step, 1};
  int set = 0;
  for (int k = 0; k < p->n; k++)
    if (ds_operation_is_due(p, k, &due)) set |= ds_operation_tallies(p, k);
  return set;
}

/* Room for a set; nothing may be under way in what grows. */
static ds_status reserve(ds_resident *r, int set, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++) {
    const size_t bytes = bytes_of(r, k) + sizeof(double);
    if (!(set >> k & 1) || r->tally[k].bytes >= bytes) continue;
    s = ds_queue_wait(r->queue, "energies of atoms", err);
    if (!s) s = ds_reserve(&r->memory, &r->tally[k], bytes, 1, "energies and virials of atoms", err);
  }
  for (int part = 0; part < DS_TALLIES; part++) {
    r->steps.tallies.energy[part] = r->tally[part].data;
    r->steps.tallies.virial[part] = r->tally[DS_TALLIES + part].data;
  }
  return s;
}

static void note(ds_resident *r, int set, int64_t step)
{
  for (int k = 0; k < 2 * DS_TALLIES; k++)
    if (set >> k & 1) r->steps.tallied[k] = step;
}

/* ------------------------------------------------------------------------------------------- pairs */

/* Into an array of the engine's, in place of the caller's. */
static void request_tally(const ds_resident *r, int k, ds_array *array, int *put)
{
  const ds_array a = {r->tally[k].data, DS_F64, r->queue->kind->space, components_of(k), 1};
  *array = a;
  *put = 1;
}

ds_status ds_resident_request_pairs(ds_resident *r, int64_t step, int all, ds_pair_request *request, ds_error *err)
{
  int set = ds_step_tallies(&r->steps.program, step) & PAIRS;
  if (!all && request->eatom.data) set &= ~(1 << PAIR_ENERGY);
  if (!all && request->vatom.data) set &= ~(1 << PAIR_VIRIAL);
  const ds_status s = reserve(r, set, err);
  if (s) return s;
  if (set >> PAIR_ENERGY & 1) request_tally(r, PAIR_ENERGY, &request->eatom, &request->put_eatom);
  if (set >> PAIR_VIRIAL & 1) request_tally(r, PAIR_VIRIAL, &request->vatom, &request->put_vatom);
  note(r, set, step);
  return DS_OK;
}

ds_status ds_resident_want_tallies(ds_resident *r, int64_t step, ds_pair_request *request, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(request, "results wanted", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s && r->have_steps) s = ds_resident_request_pairs(r, step, 0, request, err);
  return ds_queue_leave(r->queue, s, err);
}

/* ------------------------------------------------------------------------------------------- bonds */

/* Those of a set by kinds of terms; `returned` as in ds_bonded_tallies. */
static ds_status tally_terms(ds_resident *r, int64_t step, int set, const ds_exact_sum *returned, ds_error *err)
{
  const ds_bonded_view b = ds_resident_bonded_view(r, step);
  ds_bonded_tallies to = {{NULL}, {NULL}, returned};
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const int energy = DS_TALLY_BONDS + kind, virial = DS_TALLIES + energy;
    if (set >> energy & 1) to.energy[kind] = r->tally[energy].data;
    if (set >> virial & 1) to.virial[kind] = r->tally[virial].data;
  }
  return r->stages->bonded->tally(r->queue, &b, &to, step, err);
}

/* There are no bonds, of this process or at all. */
static ds_status clear(ds_resident *r, int set, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++)
    if (set >> k & 1) s = ds_queue_clear(r->queue, r->tally[k].data, bytes_of(r, k), "clearing energies of atoms", err);
  return s;
}

ds_status ds_resident_queue_tallies(ds_resident *r, int64_t step, ds_error *err)
{
  const int set = ds_step_tallies(&r->steps.program, step) & BONDED, bonds = ds_resident_has_bonds(r);
  if (!set) return DS_OK;
  if (r->bonded.with_copies && r->bonded.shared && bonds)
    return ds_fail(err, DS_ERR_ARGUMENT, "energies of bonds by atom, where there are copies of atoms");
  ds_status s = reserve(r, set, err);
  if (!s) s = bonds ? tally_terms(r, step, set, NULL, err) : clear(r, set, err);
  if (!s) note(r, set, step);
  return s;
}

ds_status ds_resident_tally_bonds(ds_resident *r, int64_t step, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_steps(r, err);
  if (!s) s = ds_resident_queue_tallies(r, step, err);
  return ds_queue_leave(r->queue, s, err);
}

/* ---------------------------------------------------------------------------- bonds that act on copies */

/* Begins a call with sums of n atoms. */
static ds_status enter_shared(ds_resident *r, ds_bonded_kind kind, const ds_exact_sum *sums, int n, ds_error **err)
{
  ds_status s = ds_queue_enter(r->queue, err);
  if (!s) s = ds_resident_need_steps(r, *err);
  if (s) return s;
  if ((int) kind < 0 || kind >= DS_BONDED_KINDS) return ds_fail(*err, DS_ERR_ARGUMENT, "%d is no kind of terms", (int) kind);
  if (!r->bonded.with_copies || !r->bonded.shared)
    return ds_fail(*err, DS_ERR_ARGUMENT, "sums of copies of atoms, of which there are none that share terms");
  return n ? ds_check_pointer(sums, "sums of atoms", *err) : DS_OK;
}

ds_status ds_resident_sums_of_copies(ds_resident *r, int64_t step, ds_bonded_kind kind, ds_exact_sum *sums, ds_error *err)
{
  ds_bonded_lists *const l = &r->bonded;
  const size_t bytes = DS_TERM_SUMS * (size_t) l->ncopies * sizeof *sums;
  ds_status s = enter_shared(r, kind, sums, l->ncopies, &err);
  if (s) return s;
  const ds_bonded_view b = ds_resident_bonded_view(r, step);
  s = ds_reserve(l->memory, &l->copy_sums, bytes + sizeof *sums, 1, "sums of copies", err);
  if (!s) s = r->stages->bonded->sum_copies(r->queue, &b, kind, l->copy_sums.data, step, err);
  if (!s) s = ds_queue_copy(r->queue, sums, l->copy_sums.data, bytes, "copying sums of copies", err);
  if (!s) s = ds_queue_wait(r->queue, "sums of copies", err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_tally_with(ds_resident *r, int64_t step, ds_bonded_kind kind, const ds_exact_sum *sums, ds_error *err)
{
  ds_bonded_lists *const l = &r->bonded;
  const size_t bytes = DS_TERM_SUMS * (size_t) l->own * sizeof *sums;
  ds_status s = enter_shared(r, kind, sums, l->own, &err);
  if (s) return s;
  const int energy = DS_TALLY_BONDS + (int) kind, both = 1 << energy | 1 << (DS_TALLIES + energy);
  const int set = ds_step_tallies(&r->steps.program, step) & both;
  s = reserve(r, set, err);
  if (!s) s = ds_reserve(l->memory, &l->returned, bytes + sizeof *sums, 1, "sums of copies", err);
  if (!s) s = ds_queue_copy(r->queue, l->returned.data, sums, bytes, "copying sums of copies", err);
  if (!s) s = tally_terms(r, step, set, l->returned.data, err);
  if (!s) s = ds_queue_wait(r->queue, "energies of atoms", err);
  if (!s) note(r, set, step);
  return ds_queue_leave(r->queue, s, err);
}

/* ------------------------------------------------------------------------------------------- copies */

ds_status ds_resident_give_tallies(ds_resident *r, const ds_tallies *from, int64_t step, ds_error *err)
{
  const double *given[2 * DS_TALLIES];
  int set = 0;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(from, "energies and virials of atoms", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (s) return s;
  for (int k = 0; k < 2 * DS_TALLIES; k++) {
    given[k] = k < DS_TALLIES ? from->energy[k] : from->virial[k - DS_TALLIES];
    if (given[k] || !r->atoms.n) set |= 1 << k; /* arrays of no atoms may be NULL */
  }
  s = reserve(r, set, err);
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++)
    if (set >> k & 1)
      s = ds_queue_copy(r->queue, r->tally[k].data, given[k], bytes_of(r, k), "copying energies of atoms", err);
  if (!s) s = ds_queue_wait(r->queue, "energies of atoms", err);
  if (!s) note(r, set, step);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_bring_pairs(ds_resident *r, int64_t step, const ds_pair_request *wanted, ds_error *err)
{
  const int set = ds_step_tallies(&r->steps.program, step);
  void *const to[] = {wanted->eatom.data, wanted->vatom.data};
  ds_status s = DS_OK;
  if (!to[0] && !to[1]) return DS_OK;
  for (int k = PAIR_ENERGY, j = 0; j < 2 && !s; j++, k = PAIR_VIRIAL)
    if ((set >> k & 1) && to[j])
      s = ds_queue_copy(r->queue, to[j], r->tally[k].data, bytes_of(r, k), "copying energies of atoms", err);
  return s ? s : ds_queue_wait(r->queue, "energies of atoms", err);
}

static int is_plain(const ds_array *a, int components)
{
  return !a->data || (a->type == DS_F64 && a->space == DS_SPACE_HOST && a->atom_stride == components &&
                      (components == 1 || a->component_stride == 1));
}

ds_status ds_resident_check_wanted(const ds_resident *r, const ds_pair_request *wanted, int64_t step, ds_error *err)
{
  if (!ds_step_tallies(&r->steps.program, step)) return DS_OK;
  return is_plain(&wanted->eatom, 1) && is_plain(&wanted->vatom, DS_VIRIAL_COMPONENTS)
             ? DS_OK
             : ds_fail(err, DS_ERR_ARGUMENT,
                       "energies or virials of atoms that operations read, too, in an array that is not of F64 in host memory, "
                       "with atoms behind each other");
}
