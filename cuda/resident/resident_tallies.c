/* Energies and virials of resident atoms, by atom, for operations at the end of a step.   SPDX-License-Identifier: GPL-2.0-or-later

   They are tallied in those steps alone in which an operation reads them, and stay with the atoms. */
#include "../force/checks.h"
#include "dpdsop/tally.h"
#include "resident_state.h"

enum { BONDED_BITS = (1 << DS_TALLIES) - (1 << DS_TALLY_BONDS), BONDED = BONDED_BITS | BONDED_BITS << DS_TALLIES };

static int bit_of(int is_virial, int part)
{
  return 1 << (is_virial ? DS_TALLIES + part : part);
}

static int components_of(int is_virial)
{
  return is_virial ? DS_VIRIAL_COMPONENTS : 1;
}

/* Of an array of all atoms. */
static size_t bytes_of(const ds_resident *r, int is_virial)
{
  return (size_t) r->atoms.n * (size_t) components_of(is_virial) * sizeof(double);
}

static ds_buffer *buffer_of(ds_resident *r, int is_virial, int part)
{
  return &r->tally[is_virial ? DS_TALLIES + part : part];
}

int ds_step_tallies(const ds_step_program *p, int64_t step)
{
  int set = 0;
  for (int k = 0; k < p->n; k++) {
    const ds_operation *const o = &p->operation[k];
    if (o->kind != DS_ADD_TO_BINS || step % o->every) continue;
    const ds_binning *const b = &p->binning[(int) o->number[0]];
    if (ds_bins_are_due(b, step)) set |= ds_tallies_of_bins(b);
  }
  return set;
}

/* Room for a set; nothing may be under way in what grows. */
static ds_status reserve(ds_resident *r, int set, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++) {
    const size_t numbers = (size_t) r->atoms.n * (size_t) components_of(k >= DS_TALLIES) + 1;
    if (!(set >> k & 1) || r->tally[k].bytes >= numbers * sizeof(double)) continue;
    s = ds_queue_wait(r->queue, "energies of atoms", err);
    if (!s) s = ds_reserve(&r->memory, &r->tally[k], numbers, sizeof(double), "energies and virials of atoms", err);
  }
  for (int part = 0; part < DS_TALLIES; part++) {
    r->steps.tallies.energy[part] = buffer_of(r, 0, part)->data;
    r->steps.tallies.virial[part] = buffer_of(r, 1, part)->data;
  }
  return s;
}

static void note(ds_resident *r, int set, int64_t step)
{
  for (int k = 0; k < 2 * DS_TALLIES; k++)
    if (set >> k & 1) r->steps.tallied[k] = step;
}

static ds_array array_of(ds_resident *r, int is_virial, int part)
{
  const ds_array a = {buffer_of(r, is_virial, part)->data, DS_F64, r->queue->kind->space, components_of(is_virial), 1};
  return a;
}

/* ------------------------------------------------------------------------------------------- pairs */

ds_status ds_resident_request_pairs(ds_resident *r, int64_t step, int all, ds_pair_request *request, ds_error *err)
{
  const int energy = bit_of(0, DS_TALLY_PAIRS), virial = bit_of(1, DS_TALLY_PAIRS);
  int set = ds_step_tallies(&r->steps.program, step) & (energy | virial);
  if (!all && request->eatom.data) set &= ~energy;
  if (!all && request->vatom.data) set &= ~virial;
  const ds_status s = reserve(r, set, err);
  if (s) return s;
  if (set & energy) {
    request->eatom = array_of(r, 0, DS_TALLY_PAIRS);
    request->put_eatom = 1;
  }
  if (set & virial) {
    request->vatom = array_of(r, 1, DS_TALLY_PAIRS);
    request->put_vatom = 1;
  }
  note(r, set, step);
  return DS_OK;
}

ds_status ds_resident_want_tallies(ds_resident *r, int64_t step, ds_pair_request *request, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(request, "results wanted", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s && !r->have_steps) return ds_succeed(err);
  if (!s) s = ds_queue_use(r->queue, err);
  if (!s) s = ds_resident_request_pairs(r, step, 0, request, err);
  return ds_queue_leave(r->queue, s, err);
}

/* ------------------------------------------------------------------------------------------- bonds */

static ds_bonded_tallies bonded_arrays(ds_resident *r, int set)
{
  ds_bonded_tallies to = {{NULL}, {NULL}, NULL};
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const int part = DS_TALLY_BONDS + kind;
    to.energy[kind] = set & bit_of(0, part) ? buffer_of(r, 0, part)->data : NULL;
    to.virial[kind] = set & bit_of(1, part) ? buffer_of(r, 1, part)->data : NULL;
  }
  return to;
}

/* There are no bonds, of this process or at all. */
static ds_status clear(ds_resident *r, int set, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++)
    if (set >> k & 1)
      s = ds_queue_clear(r->queue, r->tally[k].data, bytes_of(r, k >= DS_TALLIES), "clearing energies of atoms", err);
  return s;
}

ds_status ds_resident_queue_tallies(ds_resident *r, int64_t step, ds_error *err)
{
  const int set = ds_step_tallies(&r->steps.program, step) & BONDED;
  if (!set) return DS_OK;
  ds_status s = r->bonded.with_copies && r->bonded.shared && ds_resident_has_bonds(r)
                    ? ds_fail(err, DS_ERR_ARGUMENT, "energies of bonds by atom, where there are copies of atoms")
                    : reserve(r, set, err);
  if (s) return s;
  const ds_bonded_tallies to = bonded_arrays(r, set);
  s = ds_resident_has_bonds(r) ? ds_resident_tally_terms(r, step, &to, err) : clear(r, set, err);
  if (!s) note(r, set, step);
  return s;
}

ds_status ds_resident_tally_bonds(ds_resident *r, int64_t step, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_steps(r, err);
  if (!s) s = ds_queue_use(r->queue, err);
  if (!s) s = ds_resident_queue_tallies(r, step, err);
  return ds_queue_leave(r->queue, s, err);
}

/* ---------------------------------------------------------------------------- bonds that act on copies */

static ds_status check_shared(const ds_resident *r, ds_bonded_kind kind, const ds_exact_sum *sums, int n, ds_error *err)
{
  if ((int) kind < 0 || kind >= DS_BONDED_KINDS) return ds_fail(err, DS_ERR_ARGUMENT, "%d is no kind of terms", (int) kind);
  if (!r->bonded.with_copies || !r->bonded.shared)
    return ds_fail(err, DS_ERR_ARGUMENT, "sums of copies of atoms, of which there are none that share terms");
  return n ? ds_check_pointer(sums, "sums of atoms", err) : DS_OK;
}

ds_status ds_resident_sums_of_copies(ds_resident *r, int64_t step, ds_bonded_kind kind, ds_exact_sum *sums, ds_error *err)
{
  ds_bonded_lists *const l = &r->bonded;
  const size_t n = (size_t) DS_TERM_SUMS * (size_t) l->ncopies;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_steps(r, err);
  if (!s) s = check_shared(r, kind, sums, l->ncopies, err);
  if (s) return ds_queue_leave(r->queue, s, err);
  const ds_bonded_view b = ds_resident_bonded_view(r, step);
  s = ds_queue_use(r->queue, err);
  if (!s) s = ds_reserve(l->memory, &l->copy_sums, n + 1, sizeof(ds_exact_sum), "sums of copies", err);
  if (!s) s = r->stages->bonded->sum_copies(r->queue, &b, kind, l->copy_sums.data, step, err);
  if (!s && n) s = ds_queue_copy(r->queue, sums, l->copy_sums.data, n * sizeof *sums, "copying sums of copies", err);
  if (!s) s = ds_queue_wait(r->queue, "sums of copies", err);
  return ds_queue_leave(r->queue, s, err);
}

ds_status ds_resident_tally_with(ds_resident *r, int64_t step, ds_bonded_kind kind, const ds_exact_sum *sums, ds_error *err)
{
  ds_bonded_lists *const l = &r->bonded;
  const size_t n = (size_t) DS_TERM_SUMS * (size_t) l->own;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_resident_need_steps(r, err);
  if (!s) s = check_shared(r, kind, sums, l->own, err);
  if (s) return ds_queue_leave(r->queue, s, err);
  const int part = DS_TALLY_BONDS + (int) kind;
  const int set = ds_step_tallies(&r->steps.program, step) & (bit_of(0, part) | bit_of(1, part));
  const ds_bonded_view b = ds_resident_bonded_view(r, step);
  s = ds_queue_use(r->queue, err);
  if (!s) s = reserve(r, set, err);
  if (!s) s = ds_reserve(l->memory, &l->returned, n + 1, sizeof(ds_exact_sum), "sums of copies", err);
  if (!s && n) s = ds_queue_copy(r->queue, l->returned.data, sums, n * sizeof *sums, "copying sums of copies", err);
  ds_bonded_tallies to = bonded_arrays(r, set);
  to.returned = l->returned.data;
  if (!s) s = r->stages->bonded->tally(r->queue, &b, &to, step, err);
  if (!s) s = ds_queue_wait(r->queue, "energies of atoms", err);
  if (!s) note(r, set, step);
  return ds_queue_leave(r->queue, s, err);
}

/* ------------------------------------------------------------------------------------------- copies */

ds_status ds_resident_give_tallies(ds_resident *r, const ds_tallies *from, int64_t step, ds_error *err)
{
  int set = 0;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(from, "energies and virials of atoms", err);
  if (!s) s = ds_resident_need_atoms(r, err);
  if (s) return s;
  for (int part = 0; part < DS_TALLIES; part++) /* arrays of no atoms may be NULL */
    set |=
        (from->energy[part] || !r->atoms.n ? bit_of(0, part) : 0) | (from->virial[part] || !r->atoms.n ? bit_of(1, part) : 0);
  s = ds_queue_use(r->queue, err);
  if (!s) s = reserve(r, set, err);
  for (int k = 0; k < 2 * DS_TALLIES && !s; k++) {
    const int is_virial = k >= DS_TALLIES, part = k % DS_TALLIES;
    if (set >> k & 1)
      s = ds_queue_copy(r->queue, r->tally[k].data, is_virial ? from->virial[part] : from->energy[part], bytes_of(r, is_virial),
                        "copying energies of atoms", err);
  }
  if (!s) s = ds_queue_wait(r->queue, "energies of atoms", err);
  if (!s) note(r, set, step);
  return ds_queue_leave(r->queue, s, err);
}

static ds_status copy_pairs(ds_resident *r, int is_virial, const ds_array *to, ds_error *err)
{
  return to->data ? ds_queue_copy(r->queue, to->data, buffer_of(r, is_virial, DS_TALLY_PAIRS)->data, bytes_of(r, is_virial),
                                  "copying energies of atoms", err)
                  : DS_OK;
}

ds_status ds_resident_bring_pairs(ds_resident *r, int64_t step, const ds_pair_request *wanted, ds_error *err)
{
  const int set = ds_step_tallies(&r->steps.program, step);
  ds_status s = DS_OK;
  if (set & bit_of(0, DS_TALLY_PAIRS)) s = copy_pairs(r, 0, &wanted->eatom, err);
  if (!s && (set & bit_of(1, DS_TALLY_PAIRS))) s = copy_pairs(r, 1, &wanted->vatom, err);
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
