/* The public interface of pairs.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/backend.h"
#include "../styles/style.h"
#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"
#include "dpdsop/device/signature.h"
#include "pair_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ds_status check_options(const ds_pair_options *o, ds_error *err)
{
  if ((int) o->precision < DS_PRECISION_MIXED || o->precision > DS_PRECISION_DOUBLE)
    return ds_fail(err, DS_ERR_ARGUMENT, "precision %d; allowed: %d (mixed) and %d (double)", (int) o->precision,
                   DS_PRECISION_MIXED, DS_PRECISION_DOUBLE);
  if (o->local_rank < 0) return ds_fail(err, DS_ERR_ARGUMENT, "local rank %d must be >= 0", o->local_rank);
  if (o->gpus < 0 || o->gpus > DS_MAX_GPUS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d GPUs; allowed: 1 to %d", o->gpus, (int) DS_MAX_GPUS);
  if (o->share_threads < 0) return ds_fail(err, DS_ERR_ARGUMENT, "least threads to share %d must be >= 0", o->share_threads);
  if (o->begin_rows < 0) return ds_fail(err, DS_ERR_ARGUMENT, "least rows to begin with %d must be >= 0", o->begin_rows);
  return DS_OK;
}

static int has_noise(const ds_pair_style *style)
{
  for (int c = 0; c < style->coefficients; c++)
    if (style->coefficient[c].kind == DS_COEFF_FRICTION) return 1;
  return 0;
}

/* Of the styles of an object, how many there are; an error where several have noise, of which signatures are made once. */
static ds_status check_styles(const ds_pair_options *o, int *n, ds_error *err)
{
  const ds_pair_style *first = NULL;
  *n = 0;
  for (int k = 0; k < DS_MAX_STYLES; k++) {
    const ds_pair_style *const style = k ? o->more[k - 1] : o->style ? o->style : &ds_style_dpd;
    if (!style) break;
    ++*n;
    if (!has_noise(style)) continue;
    if (first)
      return ds_fail(err, DS_ERR_ARGUMENT, "styles %s and %s have noise; allowed: one such style in an object", first->name,
                     style->name);
    first = style;
  }
  return DS_OK;
}

/* The queue is open. */
static void open_interactions(ds_pair *pair)
{
  static ds_host_sweep_function *const sweep_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_host_sweep);
  static ds_host_density_function *const density_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_host_density);
  for (int k = 0; k < pair->interactions; k++) {
    ds_interaction *const a = &pair->interaction[k];
    const ds_pair_options *const o = &pair->options;
    a->style = k ? o->more[k - 1] : o->style ? o->style : &ds_style_dpd;
    a->stages = DS_CHOOSE_STAGE(&pair->queue, &ds_force_stages_host, ds_force_stages_cuda(a->style, o->precision));
    a->evaluation = (ds_evaluation){.queue = &pair->queue,
                                    .style = a->style,
                                    .precision = o->precision,
                                    .tables = &a->tables,
                                    .threads = o->threads,
                                    .sweep_rows = sweep_of[pair->isa](a->style, o->precision),
                                    .density_rows = density_of[pair->isa](a->style, o->precision)};
  }
}

ds_status ds_pair_open(ds_pair **out, const ds_pair_options *options, ds_error *err)
{
  static const ds_pair_options defaults; /* all zero */
  if (out) *out = NULL;
  if (!options) options = &defaults;
  int interactions;
  if (ds_check_pointer(out, "place for a pair object", err) || check_options(options, err) ||
      check_styles(options, &interactions, err))
    return DS_ERR_ARGUMENT;
  const ds_queue_options queue = {options->local_rank, options->stream, options->gpus, options->share_threads};
  ds_pair *const pair = calloc(1, sizeof *pair);
  if (!pair) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a pair object");
  pair->options = *options;
  pair->options.isa = NULL;
  pair->interactions = interactions;
  ds_status s = ds_threads_choose(options->threads, &pair->options.threads, err);
  if (!s) s = ds_isa_choose(options->isa, &pair->isa, err);
  if (!s)
    s = ds_queue_open(&pair->queue, options->backend, ds_isa_name(pair->isa), &queue, &pair->no_gpu, err);
  if (s) {
    free(pair);
    return s;
  }
  open_interactions(pair);
  ds_particles_open(&pair->particles, &pair->queue, options->precision, pair->isa, pair->options.threads);
  ds_list_open(&pair->list, &pair->queue, 0, pair->isa, pair->options.threads);
  for (int k = 0; k < interactions; k++)
    ds_list_open(&pair->interaction[k].own.list, &pair->queue, 1 + k, pair->isa, pair->options.threads);
  *out = pair;
  return ds_succeed(err);
}

void ds_pair_close(ds_pair *pair)
{
  if (!pair) return;
  DS_WITH_CUDA(ds_begin_close(&pair->begin), (void) 0);
  ds_queue_close(&pair->queue);
  for (int k = 0; k < pair->interactions; k++) ds_tables_free(&pair->interaction[k].tables);
  for (int k = 0; k < pair->interactions; k++) free(pair->interaction[k].own.ranges.squared);
  free(pair->shared.squared);
  free(pair->ranges.squared);
  free(pair);
}

/* ------------------------------------------------------------------------------------------- model */

double ds_pair_resolution(const ds_pair *pair)
{
  const int more = ds_is_double(pair) ? 32 : 0;
  if (!pair->have_box) return 0.0;
  return ldexp(ds_frame_unit(&pair->frame, &pair->box), -more) / pair->ranges.shortest;
}

static ds_status make_frame(const ds_pair *pair, const ds_box *box, double unit, ds_frame *frame, ds_error *err)
{
  memset(frame, 0, sizeof *frame);
  return ds_frame_init(frame, box, unit, pair->ranges.range, err);
}

/* What is made of it follows; its units are the cutoff's. */
static ds_status set_frame(ds_pair *pair, const ds_box *box, ds_error *err)
{
  const int wrapped = pair->frame.wrapped, had = pair->have_box;
  ds_frame frame, own[DS_MAX_STYLES];
  ds_status s = make_frame(pair, box, pair->ranges.cutoff, &frame, err);
  for (int k = 0; k < pair->interactions && !s; k++)
    s = make_frame(pair, box, pair->interaction[k].tables.cutoff, &own[k], err);
  if (s) return s;
  if (memcmp(&pair->frame, &frame, sizeof frame) != 0) ds_pair_forget_sorted(pair);
  pair->frame = frame;
  for (int k = 0; k < pair->interactions; k++) pair->interaction[k].frame = own[k];
  pair->box = *box;
  pair->have_box = 1;
  pair->have_positions = 0;
  if (had && frame.wrapped != wrapped) pair->have_atoms = pair->have_list = 0;
  return DS_OK;
}

/* Models of all styles that act, of as many types. */
static int have_models(const ds_pair *pair)
{
  for (int k = 0; k < pair->interactions; k++)
    if (!pair->interaction[k].have_model || pair->interaction[k].tables.ntypes != pair->interaction[0].tables.ntypes) return 0;
  return 1;
}

/* After the tables of a style have changed: a list that lacks pairs is given up, and the frame follows, as it measures in
   cutoffs and is made for a range. */
static ds_status follow_ranges(ds_pair *pair, ds_error *err)
{
  const int ntypes = pair->ranges.ntypes;
  ds_status s = ds_pair_renew_ranges(pair, err);
  if (s) return s;
  if (pair->ranges.ntypes != ntypes) pair->have_atoms = pair->have_list = pair->have_positions = 0;
  if (!pair->have_box) return DS_OK;
  const int positions = pair->have_positions, wrapped = pair->frame.wrapped;
  s = set_frame(pair, &pair->box, err);
  if (!s && pair->frame.wrapped == wrapped) pair->have_positions = positions; /* the same units */
  return s;
}

/* Signatures are made where particles are loaded. */
static void follow_seed(ds_pair *pair)
{
  const ds_interaction *a = pair->interaction;
  for (int k = 0; k < pair->interactions; k++)
    if (has_noise(pair->interaction[k].style)) a = &pair->interaction[k];
  if (a->tables.seed == pair->seed && a->tables.place == pair->place) return;
  pair->have_positions = 0;
  ds_pair_forget_sorted(pair);
  pair->seed = a->tables.seed;
  pair->place = a->tables.place;
}

ds_status ds_pair_set_model_of(ds_pair *pair, int style, const ds_pair_model *model, ds_error *err)
{
  ds_sweep_tables next = {0};
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && (style < 0 || style >= pair->interactions))
    s = ds_fail(err, DS_ERR_ARGUMENT, "model of style %d; allowed: 0 to %d", style, pair->interactions - 1);
  if (!s) s = ds_check_pointer(model, "model", err);
  if (!s) s = ds_tables_make(&next, pair->interaction[style].style, model, pair->options.precision, err);
  if (s) return ds_queue_leave(&pair->queue, s, err);
  ds_tables_free(&pair->interaction[style].tables);
  pair->interaction[style].tables = next;
  pair->interaction[style].have_model = 1;
  pair->version.model++;
  pair->have_model = have_models(pair);
  if (!pair->have_model) return ds_queue_leave(&pair->queue, DS_OK, err);
  follow_seed(pair);
  return ds_queue_leave(&pair->queue, follow_ranges(pair, err), err);
}

ds_status ds_pair_set_model(ds_pair *pair, const ds_pair_model *model, ds_error *err)
{
  return ds_pair_set_model_of(pair, 0, model, err);
}

ds_status ds_pair_set_box(ds_pair *pair, const ds_box *box, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && !pair->have_model) s = ds_fail(err, DS_ERR_ARGUMENT, "box set before the model");
  if (!s) s = ds_check_pointer(box, "box", err);
  if (!s) s = set_frame(pair, box, err);
  return ds_queue_leave(&pair->queue, s, err);
}

int ds_pair_needs_ghosts(const ds_pair *pair)
{
  return pair->frame.wrapped != DS_ALL_AXES;
}

int ds_pair_wraps(const ds_pair *pair, const ds_box *box)
{
  return pair->have_model ? ds_frame_wrapped(box, pair->ranges.range) : 0;
}

/* ------------------------------------------------------------------------------------------- atoms */

/* Those in host memory; others are looked at when they are gathered. */
static ds_status check_types(const ds_pair *pair, const ds_atoms *atoms, ds_error *err)
{
  if (atoms->type.space != DS_SPACE_HOST || atoms->tag.space != DS_SPACE_HOST) return DS_OK;
  for (int i = 0; i < atoms->nlocal; i++) {
    const int64_t type = ds_array_int(&atoms->type, i, 0);
    if (type < 1 || type > pair->ranges.ntypes) return ds_pair_type_error(pair, ds_array_int(&atoms->tag, i, 0), type, err);
  }
  return DS_OK;
}

/* checked: what is found of the atoms is put in. */
static ds_status check_atoms(const ds_pair *pair, const ds_atoms *atoms, ds_atoms *checked, ds_error *err)
{
  if (!pair->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "atoms set before the model");
  if (ds_check_pointer(atoms, "atoms", err)) return DS_ERR_ARGUMENT;
  if (atoms->nlocal < 0 || atoms->nghost < 0 || (int64_t) atoms->nlocal + atoms->nghost > DS_INDEX_MASK)
    return ds_fail(err, DS_ERR_CAPACITY, "%d own and %d ghost atoms; at most 2^30 - 1 fit a process", atoms->nlocal,
                   atoms->nghost);
  if (pair->have_box && !ds_pair_needs_ghosts(pair) && atoms->nghost > 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d ghost atoms, but a process with all atoms of this box has none", atoms->nghost);
  *checked = *atoms;
  const ds_status s = ds_check_atoms(&pair->queue, checked, pair->ranges.ntypes, pair->options.threads, err);
  return s ? s : check_types(pair, checked, err);
}

ds_status ds_pair_need_own_order(const ds_pair *pair, const char *what, ds_error *err)
{
  if (!pair->follows_list) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s during a run of many steps, in which atoms lie in another order", what);
}

ds_status ds_pair_set_atoms(ds_pair *pair, const ds_atoms *atoms, ds_error *err)
{
  ds_atoms checked;
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = ds_pair_need_own_order(pair, "atoms set", err);
  if (!s) s = check_atoms(pair, atoms, &checked, err);
  if (s) return s;
  pair->nlocal = atoms->nlocal;
  pair->nghost = atoms->nghost;
  pair->have_list = pair->have_positions = 0;
  pair->version.types++;
  pair->version.ghosts++;
  s = ds_particles_set(&pair->particles, &checked, pair->ranges.ntypes, err);
  pair->have_atoms = s == DS_OK;
  return ds_queue_leave(&pair->queue, s, err);
}

ds_status ds_pair_set_types(ds_pair *pair, const ds_array *type, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && !pair->have_atoms) s = ds_fail(err, DS_ERR_ARGUMENT, "types set before atoms");
  if (!s) s = ds_pair_need_own_order(pair, "types set", err);
  if (!s) s = ds_check_array(&pair->queue, type, pair->nlocal, DS_I32, DS_I32, "types", err);
  if (s) return s;
  pair->version.types++;
  ds_particles_set_types(&pair->particles, type);
  return ds_succeed(err);
}

/* A style that reads charges, or NULL. */
static const ds_pair_style *charged_style(const ds_pair *pair)
{
  for (int k = 0; k < pair->interactions; k++)
    if (pair->interaction[k].style->charged) return pair->interaction[k].style;
  return NULL;
}

ds_status ds_pair_set_charges(ds_pair *pair, const ds_array *charge, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && !pair->have_atoms) s = ds_fail(err, DS_ERR_ARGUMENT, "charges set before atoms");
  if (!s) s = ds_pair_need_own_order(pair, "charges set", err);
  if (!s) s = ds_check_array(&pair->queue, charge, pair->nlocal, DS_F64, DS_F32, "charges", err);
  if (s) return s;
  pair->version.types++;
  ds_particles_set_charges(&pair->particles, charge);
  return ds_succeed(err);
}

static ds_status check_charges(const ds_pair *pair, ds_error *err)
{
  const ds_pair_style *const style = charged_style(pair);
  if (!style || pair->particles.given.charge.data || pair->nlocal == 0) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "positions loaded before charges (ds_pair_set_charges), which style %s reads",
                 style->name);
}

/* Found when atoms are loaded, as model and box may both have changed. */
static ds_status check_resolution(const ds_pair *pair, ds_error *err)
{
  const double *const edge = pair->box.h;
  const double found = ds_pair_resolution(pair);
  const int wide = ds_is_double(pair);
  if (found <= DS_COARSEST_POSITIONS) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT,
                 "in a box with edges %g %g %g positions are multiples of %g, more than %g of the shortest cutoff %g; "
                 "allowed: a smaller box%s",
                 edge[0], edge[1], edge[2], found * pair->ranges.shortest, DS_COARSEST_POSITIONS, pair->ranges.shortest,
                 wide ? "" : ", or precision double, where they are 2^32 times finer");
}

static ds_status check_load(const ds_pair *pair, const ds_array *x, const ds_array *v, int64_t step, ds_error *err)
{
  const ds_queue *const q = &pair->queue;
  if (!pair->have_box || !pair->have_atoms) return ds_fail(err, DS_ERR_ARGUMENT, "positions loaded before box and atoms");
  if (step < 0) return ds_fail(err, DS_ERR_ARGUMENT, "time step %lld must be >= 0", (long long) step);
  if (ds_check_array(q, x, pair->nlocal, DS_F64, DS_F32, "positions", err) ||
      ds_check_array(q, v, pair->nlocal, DS_F64, DS_F32, "velocities", err) || check_charges(pair, err) ||
      check_resolution(pair, err))
    return DS_ERR_ARGUMENT;
  if (x->space != v->space && !ds_queue_is_host(q))
    return ds_fail(err, DS_ERR_ARGUMENT, "positions and velocities lie in different memories");
  if (pair->place > 0 && (uint64_t) step >= DS_SIGNATURE_STEPS)
    return ds_fail(err, DS_ERR_ARGUMENT, "time step %lld: with place %u among models with one seed it must be below 2^48",
                   (long long) step, pair->place);
  return DS_OK;
}

ds_status ds_pair_load(ds_pair *pair, const ds_array *x, const ds_array *v, int64_t step, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = check_load(pair, x, v, step, err);
  if (s) return s;
  ds_pair_begin_load(pair, step);
  pair->fault.code = DS_OK;
  s = DS_WITH_CUDA(ds_begin_give_up(pair, err), DS_OK);
  if (!s) s = ds_particles_load(&pair->particles, &pair->frame, x, v, pair->seed, pair->place, step, err);
  pair->have_positions = s == DS_OK;
  return ds_queue_leave(&pair->queue, s, err);
}

ds_status ds_pair_need_positions(const ds_pair *pair, const char *text, ds_error *err)
{
  if (pair->have_positions) return DS_OK;
  if (!pair->fault.code) return ds_fail(err, DS_ERR_ARGUMENT, "%s", text);
  *err = pair->fault;
  return err->code;
}

ds_status ds_pair_need_list(const ds_pair *pair, const char *text, ds_error *err)
{
  const ds_status s = ds_pair_need_positions(pair, text, err);
  return s || pair->have_list ? s : ds_fail(err, DS_ERR_ARGUMENT, "%s", text);
}

/* ------------------------------------------------------------------------------------------- lists */

int ds_pair_has_list(const ds_pair *pair)
{
  return pair->have_list;
}

const uint64_t *ds_pair_halted(const ds_pair *pair)
{
  const int is_host = ds_queue_is_host(&pair->queue);
  return is_host ? NULL : (const uint64_t *) &pair->queue.control->halt;
}

void *ds_pair_stream(const ds_pair *pair)
{
  return ds_queue_stream(&((ds_pair *) pair)->queue);
}

void ds_pair_pin(ds_pair *pair, void *data, size_t bytes)
{
  if (data && bytes) ds_queue_pin(&pair->queue, data, bytes);
}

void ds_pair_unpin(ds_pair *pair, void *data)
{
  if (data) ds_queue_pin(&pair->queue, data, 0);
}

/* ------------------------------------------------------------------------------------- information */

ds_pair_info ds_pair_get_info(const ds_pair *pair)
{
  const int is_host = ds_queue_is_host(&pair->queue);
  const size_t bytes = ds_pool_bytes(&pair->queue.memory);
  ds_pair_info info;
  memset(&info, 0, sizeof info);
  info.backend = pair->queue.kind->name;
  info.variant = pair->queue.name;
  info.no_gpu = pair->no_gpu.text;
  info.rows = pair->have_list ? pair->nlocal : 0;
  info.ghosts = pair->nghost;
  memcpy(info.cells, pair->list.grid.cells, sizeof info.cells);
  info.entries = (int64_t) pair->list.room;
  info.list_by_type = pair->by_type;
  info.begins = pair->begin.order != 0 && pair->begin.order == pair->version.order;
  info.bytes_device = is_host ? 0 : bytes;
  info.bytes_host = ds_pool_bytes(&pair->queue.pinned) + (is_host ? bytes : 0);
  return info;
}

int64_t ds_pair_outlived_lists(const ds_pair *pair)
{
  return pair->queue.control_host->outlived_lists;
}

double ds_pair_single(const ds_pair_style *style, const ds_pair_model *m, int itype, int jtype, double r2, double charges,
                      double special, double *force_over_r)
{
  const int k = (itype - 1) * m->ntypes + jtype - 1;
  const double cut = m->cutoff[k];
  *force_over_r = 0.0;
  if (!(cut > 0.0) || r2 >= cut * cut || r2 <= DS_CONTACT2 * cut * cut) return 0.0;
  ds_pair_model cold = *m; /* kT and dt need not be known */
  cold.kT = 0.0;
  cold.dt = 1.0;
  double coeff[DS_MAX_WORDS] = {1.0, 1.0}; /* lengths in cutoffs of this pair */
  const double r = sqrt(r2);
  const ds_pair_geometry p = {r / cut, 0.0, 0.0, 0.0, 0.0, 0.0, r2 / (cut * cut), charges};
  style->set_coefficients(&cold, k, coeff);
  const ds_pair_term t = style->at_rest(coeff, &p, special);
  *force_over_r = t.fx / r;
  return t.energy;
}
