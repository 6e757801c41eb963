/* engine.c: drive the engine through its public interface.   SPDX-License-Identifier: GPL-2.0-or-
   later */
#include "support/engine.h"

#include "check.h"
#include "support/paths.h"
#include "support/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ds_pair_options plain_options(void)
{
  ds_pair_options o;
  memset(&o, 0, sizeof o);
  o.precision = DS_PRECISION_MIXED;
  o.threads = 1;
  return o;
}

static ds_status usable(const ds_pair_options *o, ds_error *err)
{
  ds_pair *dpd;
  const ds_status status = ds_pair_open(&dpd, o, err);
  if (!status) ds_pair_close(dpd);
  return status;
}

/* So many, or as many as there are; where there is only one, it has so many parts of the work. */
static int parts_of(int gpus)
{
  ds_pair_options o = plain_options();
  ds_error err;
  o.backend = DS_BACKEND_CUDA;
  for (o.gpus = gpus; o.gpus > 1; o.gpus--)
    if (!usable(&o, &err)) return o.gpus;
  return gpus;
}

int variants_find(test_variants *v, int gpus, int only_named)
{
  test_path path[TEST_MAX_PATHS];
  const int n = test_paths(gpus > 1 && !only_named ? parts_of(gpus) : gpus, path);
  v->n = 0;
  for (int k = 0; k < n; k++) {
    ds_pair_options o = plain_options();
    ds_error err;
    o.backend = path[k].backend;
    o.isa = path[k].isa;
    o.threads = path[k].threads;
    o.gpus = path[k].gpus;
    o.share_threads = path[k].gpus > 1;
    const ds_status status = only_named ? DS_OK : usable(&o, &err);
    if (!status)
      v->options[v->n++] = o;
    else if (o.backend == DS_BACKEND_CUDA)
      return skip_or_fail(status, &err);
  }
  return 0;
}

const char *const precision_name[DS_PRECISIONS] = {"mixed", "double"};

const char *variant_name(const ds_pair_options *o)
{
  static char text[80];
  if (o->backend == DS_BACKEND_CUDA)
    snprintf(text, sizeof text, "cuda, %d part(s), %s", o->gpus ? o->gpus : 1, precision_name[o->precision]);
  else
    snprintf(text, sizeof text, "host %s, %d threads, %s", o->isa ? o->isa : "best", o->threads,
             precision_name[o->precision]);
  return text;
}

ds_array array_of_doubles(double *data, int components)
{
  const ds_array a = {data, DS_F64, DS_SPACE_HOST, components, 1};
  return a;
}

ds_array array_of_ints(int32_t *data, int components)
{
  const ds_array a = {data, DS_I32, DS_SPACE_HOST, components, 1};
  return a;
}

ds_array array_of_tags(int64_t *data, int components)
{
  const ds_array a = {data, DS_I64, DS_SPACE_HOST, components, 1};
  return a;
}

ds_array array_none(void)
{
  const ds_array a = {NULL, DS_F64, DS_SPACE_HOST, 0, 0};
  return a;
}

ds_status engine_open(test_engine *e, const ds_pair_options *options, ds_precision precision)
{
  ds_pair_options o = *options;
  memset(e, 0, sizeof *e);
  o.precision = precision;
  e->lists_once = options->backend == DS_BACKEND_HOST && options->threads == 1;
  return ds_pair_open(&e->dpd, &o, &e->err);
}

int64_t engine_room(const test_engine *e)
{
  return ds_pair_get_info(e->dpd).entries * (e->lists_once ? 2 : 1);
}

void engine_close(test_engine *e)
{
  ds_pair_close(e->dpd);
  free(e->f);
  free(e->eatom);
  free(e->vatom);
  free(e->charge);
  memset(e, 0, sizeof *e);
}

int engine_alone(const test_model *t, const ds_box *box)
{
  ds_pair_options o = plain_options();
  ds_box all = *box;
  test_engine e;
  all.undecomposed[0] = all.undecomposed[1] = all.undecomposed[2] = 1;
  o.style = t->style;
  ds_status status = engine_open(&e, &o, DS_PRECISION_MIXED);
  if (!status) status = ds_pair_set_model(e.dpd, &t->m, &e.err);
  if (!status) status = ds_pair_set_box(e.dpd, &all, &e.err);
  const int alone = !status && !ds_pair_needs_ghosts(e.dpd);
  engine_close(&e);
  return alone;
}

static void reserve(test_engine *e, int n)
{
  if (n <= e->room) return;
  free(e->f);
  free(e->eatom);
  free(e->vatom);
  e->f = test_alloc(24 * (size_t) n);
  e->eatom = test_alloc(8 * (size_t) n);
  e->vatom = test_alloc(48 * (size_t) n);
  e->room = n;
}

ds_atoms atoms_of(const test_system *s)
{
  ds_atoms atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.nlocal = s->nlocal;
  atoms.nghost = s->nghost;
  atoms.tag = array_of_tags(s->tag, 1);
  atoms.type = array_of_ints(s->type, 1);
  atoms.nspecial = s->max_special ? array_of_ints(s->nspecial, 3) : array_none();
  atoms.special = s->max_special ? array_of_tags(s->special, s->max_special) : array_none();
  atoms.nexclusions = s->nexclusions;
  atoms.exclusion = s->exclusion;
  atoms.mask = array_of_ints(s->mask, 1);
  atoms.molecule = array_of_tags(s->molecule, 1);
  return atoms;
}

/* Of own atoms and ghosts, where the style reads charges. */
static ds_status give_charges(test_engine *e, const test_model *t, const test_system *s)
{
  const int n = s->nlocal + s->nghost;
  if (!ds_pair_style_reads_charges(t->style)) return DS_OK;
  free(e->charge);
  e->charge = test_alloc(8 * ((size_t) n + 1));
  for (int k = 0; k < n; k++) e->charge[k] = system_charge(s->tag[k]);
  const ds_array charges = array_of_doubles(e->charge, 1);
  return ds_pair_set_charges(e->dpd, &charges, &e->err);
}

ds_status engine_atoms(test_engine *e, const test_model *t, const test_system *s)
{
  const ds_atoms atoms = atoms_of(s);
  e->system = s;
  reserve(e, s->nlocal);
  ds_status status = ds_pair_set_model(e->dpd, &t->m, &e->err);
  if (!status) status = ds_pair_set_box(e->dpd, &s->box, &e->err);
  if (!status) status = ds_pair_set_atoms(e->dpd, &atoms, &e->err);
  if (!status) status = give_charges(e, t, s);
  return status;
}

ds_status engine_load(test_engine *e, int64_t step)
{
  const ds_array x = array_of_doubles(e->system->x, 3), v = array_of_doubles(e->system->v, 3);
  return ds_pair_load(e->dpd, &x, &v, step, &e->err);
}

ds_status engine_setup(test_engine *e, const test_model *t, const test_system *s, int64_t step)
{
  ds_status status = engine_atoms(e, t, s);
  if (!status && ds_pair_needs_ghosts(e->dpd))
    status =
        ds_pair_set_ghost_owners(e->dpd, s->origin + s->nlocal, s->image + 3 * s->nlocal, &e->err);
  if (!status) status = engine_load(e, step);
  if (!status) status = ds_pair_build_list(e->dpd, &e->err);
  return status;
}

ds_status engine_forces(test_engine *e, int tally)
{
  const size_t n = (size_t) e->system->nlocal;
  ds_pair_request *r = &e->request;
  memset(r, 0, sizeof *r);
  memset(&e->totals, 0, sizeof e->totals);
  if (n) {
    memset(e->f, 0, 24 * n);
    memset(e->eatom, 0, 8 * n);
    memset(e->vatom, 0, 48 * n);
  }
  r->want_energy = r->want_virial = tally;
  r->f = array_of_doubles(e->f, 3);
  r->eatom = tally ? array_of_doubles(e->eatom, 1) : array_none();
  r->vatom = tally ? array_of_doubles(e->vatom, 6) : array_none();
  return ds_pair_compute(e->dpd, r, &e->totals, &e->err);
}
