/* The public interface of resident atoms. Many steps: resident_run.c
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include "../force/checks.h"
#include "../force/pair_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ds_status ds_resident_open(ds_resident **out, ds_pair *pair, int own_copies, ds_error *err)
{
  if (ds_check_pointer(out, "place for resident atoms", err)) return DS_ERR_ARGUMENT;
  *out = NULL;
  if (ds_check_pointer(pair, "pair object", err)) return DS_ERR_ARGUMENT;
  ds_resident *const r = calloc(1, sizeof *r);
  if (!r) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  r->pair = pair;
  ds_bonded_open(&r->bonded);
  r->backend = own_copies ? &ds_motion_host_copies_backend : &ds_motion_host_backend;
#ifdef DS_HAVE_CUDA
  if (ds_pair_halted(pair)) r->backend = &ds_motion_cuda_backend;
#endif
  const ds_status s = r->backend->open(r, err);
  if (s) {
    free(r);
    return s;
  }
  *out = r;
  return ds_succeed(err);
}

void ds_resident_close(ds_resident *r)
{
  if (!r) return;
  r->backend->close(r);
  ds_bonded_close(&r->bonded);
  free(r->mass);
  free(r);
}

/* ----------------------------------------------------------------------------------------- settings */

static ds_status check_field(const ds_array *a, int n, int components, ds_type type,
                             const char *what, ds_error *err)
{
  if (n == 0) return DS_OK;
  if (!a->data) return ds_fail(err, DS_ERR_ARGUMENT, "no array of %s (NULL)", what);
  if (a->space != DS_SPACE_HOST)
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s is not in host memory", what);
  if (a->type != type)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "an array of %s has elements of a type that is not allowed", what);
  if (a->atom_stride != components || (components > 1 && a->component_stride != 1))
    return ds_fail(err, DS_ERR_ARGUMENT, "in an array of %s atoms do not lie behind each other",
                   what);
  return DS_OK;
}

static ds_status check_masses(const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return check_field(&a->rmass, a->n, 1, DS_F64, "masses", err);
  if (a->ntypes < 1 || !a->mass)
    return ds_fail(err, DS_ERR_ARGUMENT, "no masses, by type or by atom");
  for (int t = 1; t <= a->ntypes; t++)
    if (!(a->mass[t] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "mass %g of type %d must be > 0", a->mass[t], t);
  return DS_OK;
}

/* Of the caller's atoms, where they stand for masses; looked at where they are given, not in each step. */
static ds_status check_types(const int32_t *type, const ds_resident_atoms *a, ds_error *err)
{
  for (int i = 0; i < a->n && !a->rmass.data; i++)
    if (type[i] < 1 || type[i] > a->ntypes)
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "resident atom %d has type %d; there are masses of 1 to %d", i, (int) type[i],
                     a->ntypes);
  return DS_OK;
}

static ds_status copy_masses(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return DS_OK;
  const size_t bytes = ((size_t) a->ntypes + 1) * sizeof(double);
  double *const mass = realloc(r->mass, bytes);
  if (!mass) return ds_fail(err, DS_ERR_MEMORY, "no host memory for masses of types");
  memcpy(mass, a->mass, bytes);
  r->mass = mass;
  return DS_OK;
}

ds_status ds_resident_set_atoms(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  if (ds_check_pointer(a, "resident atoms", err)) return DS_ERR_ARGUMENT;
  if (a->n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d atoms", a->n);
  const ds_type image = a->image.type == DS_I64 ? DS_I64 : DS_I32;
  ds_status s = check_field(&a->x, a->n, 3, DS_F64, "positions", err);
  if (!s) s = check_field(&a->v, a->n, 3, DS_F64, "velocities", err);
  if (!s) s = check_field(&a->f, a->n, 3, DS_F64, "forces", err);
  if (!s) s = check_field(&a->image, a->n, 1, image, "image flags", err);
  if (!s) s = check_field(&a->type, a->n, 1, DS_I32, "types", err);
  if (!s) s = check_field(&a->mask, a->n, 1, DS_I32, "group masks", err);
  if (!s && a->tag.data)
    s = check_field(&a->tag, a->n, 1, a->tag.type == DS_I64 ? DS_I64 : DS_I32, "tags", err);
  if (!s && r->reordered)
    s = ds_fail(err, DS_ERR_ARGUMENT, "atoms set in another order than the engine's");
  if (!s) s = check_masses(a, err);
  if (!s) s = check_types(a->type.data, a, err);
  if (!s) s = copy_masses(r, a, err);
  if (s) return s;
  if (a->n != r->atoms.n) {
    ds_bonded_close(&r->bonded);
    r->have_reference = 0;
  }
  memset(r->kinetic_taken, 0, sizeof r->kinetic_taken);
  r->atoms = *a;
  r->atoms.mass = r->mass;
  r->type_of_caller = a->type.data;
  s = r->backend->set_atoms(r, err);
  r->have_atoms = s == DS_OK;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_set_motion(ds_resident *r, const ds_motion *m, ds_error *err)
{
  if (ds_check_pointer(m, "motion", err)) return DS_ERR_ARGUMENT;
  if (m->ngroups < 0 || m->ngroups > DS_MOST_GROUPS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d groups that move; allowed: 0 to %d", m->ngroups,
                   DS_MOST_GROUPS);
  r->motion = *m;
  r->have_motion = 1;
  return ds_succeed(err);
}

ds_status ds_resident_set_wrap(ds_resident *r, const ds_wrap *w, ds_error *err)
{
  if (ds_check_pointer(w, "box to wrap in", err)) return DS_ERR_ARGUMENT;
  if (w->image_bits < 1 || w->image_bits > 21)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d bits of an image flag; allowed: 1 to 21",
                   w->image_bits);
  for (int d = 0; d < 3; d++)
    if (w->periodic[d] && !(w->period[d] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "period %g of the box must be > 0", w->period[d]);
  for (int k = 0; k < 6 && w->moving; k++)
    if (!isfinite(w->rate[k]))
      return ds_fail(err, DS_ERR_ARGUMENT, "rate %g of the box's edges must be finite", w->rate[k]);
  r->wrap = *w;
  r->have_wrap = 1;
  return ds_succeed(err);
}

ds_status ds_resident_need_atoms(const ds_resident *r, ds_error *err)
{
  return r->have_atoms ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no atoms have been set");
}

ds_status ds_resident_need_motion(const ds_resident *r, ds_error *err)
{
  if (ds_resident_need_atoms(r, err)) return DS_ERR_ARGUMENT;
  return r->have_motion ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no motion has been set");
}

ds_status ds_resident_need_reference(const ds_resident *r, ds_error *err)
{
  if (ds_resident_need_atoms(r, err)) return DS_ERR_ARGUMENT;
  return r->have_reference ? DS_OK
                      : ds_fail(err, DS_ERR_ARGUMENT, "no reference positions have been set (ds_resident_set_reference)");
}

/* What all wraps want, and images of bonds. */
static ds_status need_wrap(const ds_resident *r, ds_error *err)
{
  if (!r->have_wrap) return ds_fail(err, DS_ERR_ARGUMENT, "no box to wrap in has been set");
  if (r->atoms.image.type == DS_I32 && r->wrap.image_bits > 10 && r->atoms.n > 0)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "image flags of 3 times %d bits in an array of 32 bits; at most 10 fit",
                   r->wrap.image_bits);
  return DS_OK;
}

int ds_resident_has_bonds(const ds_resident *r)
{
  return ds_bonded_terms(&r->bonded) > 0;
}

static ds_status check_reach(const ds_resident *r, const ds_bonded *b, ds_error *err)
{
  if (r->wrap.tilted) return ds_fail(err, DS_ERR_ARGUMENT, "bonds in a tilted box");
  for (int d = 0; d < 3; d++)
    if (r->wrap.periodic[d] && !(2.0 * b->reach[d] < r->wrap.period[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "reach %g of bonds must be below half the period %g",
                     b->reach[d], r->wrap.period[d]);
  return DS_OK;
}

ds_status ds_resident_set_bonded(ds_resident *r, const ds_bonded *b, ds_error *err)
{
  ds_bonded_close(&r->bonded);
  ds_status s = ds_resident_need_atoms(r, err);
  if (s || !b) return s ? s : ds_succeed(err);
  s = need_wrap(r, err);
  if (!s) s = check_reach(r, b, err);
  if (!s) s = ds_bonded_set(&r->bonded, b, r->atoms.n, err);
  if (!s && ds_resident_has_bonds(r)) s = ds_resident_need_reference(r, err);
  if (!s && ds_resident_has_bonds(r)) s = r->backend->set_bonded(r, err);
  if (!s && ds_resident_has_bonds(r)) s = r->backend->bonded_images(r, 0, err);
  if (s) ds_bonded_close(&r->bonded);
  return s ? s : ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------- fields */

static ds_status check_fields(const ds_resident *r, int fields, ds_error *err)
{
  const int all = DS_ALL_FIELDS | DS_TAG;
  if (fields & ~all)
    return ds_fail(err, DS_ERR_ARGUMENT, "set of fields %d; allowed: sums of 1 to %d", fields,
                   DS_TAG);
  return ds_resident_need_atoms(r, err);
}

ds_status ds_resident_to_engine(ds_resident *r, int fields, ds_error *err)
{
  ds_status s = check_fields(r, fields, err);
  if (!s && (fields & DS_IDENTITY)) s = check_types(r->type_of_caller, &r->atoms, err);
  if (!s) s = r->backend->to_engine(r, fields, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_to_host(ds_resident *r, int fields, ds_error *err)
{
  ds_status s = check_fields(r, fields, err);
  if (!s) s = r->backend->to_host(r, fields, err);
  return s ? s : ds_succeed(err);
}

int ds_resident_has_own_copies(const ds_resident *r)
{
  return r->backend->own_copies;
}

ds_array ds_resident_array(const ds_resident *r, int field)
{
  return r->backend->array(r, field);
}

ds_status ds_resident_set_reference(ds_resident *r, ds_error *err)
{
  ds_status s = ds_resident_need_atoms(r, err);
  if (!s) s = r->backend->set_reference(r, err);
  if (!s) r->have_reference = 1;
  return s ? s : ds_succeed(err);
}

int ds_resident_has_reference(const ds_resident *r)
{
  return r->have_atoms && r->have_reference;
}

ds_status ds_resident_reference_to_host(ds_resident *r, ds_error *err)
{
  ds_status s = ds_resident_need_reference(r, err);
  if (!s) s = r->backend->reference_to_host(r, err);
  return s ? s : ds_succeed(err);
}

static ds_status check_set(const ds_resident *r, int set, ds_error *err)
{
  if (set < 0 || set >= DS_KINETIC_SETS)
    return ds_fail(err, DS_ERR_ARGUMENT, "set %d of kinetic energies; allowed: 0 and 1", set);
  return ds_resident_need_atoms(r, err);
}

ds_status ds_resident_take_kinetic(ds_resident *r, int set, ds_error *err)
{
  ds_status s = check_set(r, set, err);
  if (!s) s = r->backend->take_kinetic(r, set, err);
  if (!s) r->kinetic_taken[set] = 1;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_kinetic(const ds_resident *r, int set, const double **terms, ds_error *err)
{
  ds_status s = check_set(r, set, err);
  if (!s) s = ds_check_pointer(terms, "place for kinetic energies", err);
  if (!s && !r->kinetic_taken[set])
    s = ds_fail(err, DS_ERR_ARGUMENT, "set %d of kinetic energies has not been taken", set);
  if (!s) s = r->backend->kinetic(r, set, terms, err);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------------- parts of a step */

ds_status ds_resident_first_half(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_advance a = {step, 0, 1, 1, 0, 0.0};
  ds_status s = ds_resident_need_motion(r, err);
  if (!s) s = r->backend->advance(r, &a, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_second_half(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_advance a = {step, 1, 0, 0, 0, 0.0};
  ds_status s = ds_resident_need_motion(r, err);
  if (!s) s = r->backend->advance(r, &a, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_has_moved(ds_resident *r, double trigger2, int *moved, ds_error *err)
{
  const ds_advance a = {0, 0, 0, 0, 1, trigger2};
  ds_stop_reason why = DS_GOES_ON;
  int64_t step;
  ds_status s = ds_check_pointer(moved, "place for whether atoms have moved", err);
  if (s) return s;
  s = ds_resident_need_reference(r, err);
  if (!s && !(trigger2 >= 0.0))
    s = ds_fail(err, DS_ERR_ARGUMENT, "square of a distance %g must be >= 0", trigger2);
  if (!s) s = r->backend->advance(r, &a, err);
  if (!s) s = r->backend->end(r, NULL, &why, &step, err);
  *moved = why == DS_STOP_MOVED;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_bonded_forces(ds_resident *r, int64_t step, ds_bonded_sums *sums, int *theirs,
                                    ds_error *err)
{
  ds_stop_reason why = DS_GOES_ON;
  int64_t stopped;
  ds_status s = ds_check_pointer(theirs, "place for whether bonds are too long", err);
  if (s) return s;
  s = ds_resident_need_atoms(r, err);
  *theirs = 0;
  if (sums) memset(sums, 0, sizeof *sums);
  if (s || !ds_resident_has_bonds(r)) return s ? s : ds_succeed(err);
  s = r->backend->bonded_forces(r, step, err);
  if (!s) s = r->backend->end(r, NULL, &why, &stopped, err);
  *theirs = why == DS_STOP_BONDED;
  if (!s && sums && !*theirs) s = r->backend->bonded_sums(r, sums, err);
  return s ? s : ds_succeed(err);
}

static int is_periodic(const ds_wrap *w)
{
  return w->periodic[0] && w->periodic[1] && w->periodic[2];
}

ds_status ds_resident_wrap(ds_resident *r, int64_t step, ds_error *err)
{
  const double since = ds_times_now();
  if (r->pair->frame.images_move && !r->wrap.moving)
    return ds_fail(
        err, DS_ERR_ARGUMENT,
        "images move with the box, but atoms would be wrapped without a change of velocity");
  ds_status s = need_wrap(r, err);
  if (!s) s = r->backend->wrap(r, step, err);
  if (!s) r->have_reference = 1;
  if (!s && ds_resident_has_bonds(r)) s = r->backend->bonded_images(r, step, err);
  ds_times_add(r, DS_TIME_WRAP, since);
  return s;
}

ds_status ds_resident_reneighbor(ds_resident *r, int64_t step, int *outside, ds_error *err)
{
  ds_stop_reason why = DS_GOES_ON;
  int64_t stopped;
  ds_status s = ds_check_pointer(outside, "place for whether atoms are outside", err);
  if (s) return s;
  s = ds_resident_need_atoms(r, err);
  if (!s) s = ds_resident_wrap(r, step, err);
  if (!s && !is_periodic(&r->wrap)) s = r->backend->end(r, NULL, &why, &stopped, err);
  *outside = why == DS_STOP_OUTSIDE;
  return s ? s : ds_succeed(err);
}
