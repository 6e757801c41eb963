/* The public interface of pairs.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../particles/frame.h"
#include "../core/backend.h"
#include "../neighbor/grid.h"
#include "checks.h"
#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"
#include "dpdsop/device/signature.h"
#include "pair_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ds_status open_on_host(void *object, ds_error *err)
{
  ds_pair *const pair = object;
  pair->backend = &ds_pair_host_backend;
  return pair->backend->open(pair, err);
}

#ifdef DS_HAVE_CUDA
static ds_status open_on_gpu(void *object, ds_error *err)
{
  ds_pair *const pair = object;
  pair->backend = &ds_pair_cuda_backend;
  return pair->backend->open(pair, err);
}
#else
#define open_on_gpu NULL
#endif

ds_status ds_pair_open(ds_pair **out, const ds_pair_options *options, ds_error *err)
{
  static const ds_pair_options defaults; /* all zero */
  if (out) *out = NULL;
  if (!options) options = &defaults;
  if (ds_check_pointer(out, "place for a pair object", err) || ds_check_options(options, err))
    return DS_ERR_ARGUMENT;
  ds_pair *const pair = calloc(1, sizeof *pair);
  if (!pair) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a pair object");
  pair->options = *options;
  pair->options.isa = NULL;
  pair->style = options->style ? options->style : &ds_style_dpd;
  ds_status s = ds_threads_choose(options->threads, &pair->options.threads, err);
  if (!s) s = ds_isa_choose(options->isa, &pair->isa, err);
  if (!s)
    s = ds_backend_open(options->backend, pair, open_on_gpu, open_on_host, &pair->no_gpu, err);
  if (s) {
    free(pair);
    return s;
  }
  *out = pair;
  return ds_succeed(err);
}

void ds_pair_close(ds_pair *pair)
{
  if (!pair) return;
  pair->backend->close(pair);
  ds_tables_free(&pair->tables);
  free(pair);
}

/* ------------------------------------------------------------------------------------------- model */

/* Whether a list of the old ranges has all pairs of the new ones. */
static int list_still_good(const float *old, double old_cutoff, const ds_sweep_tables *t)
{
  for (int k = 0; k < t->ntypes * t->ntypes; k++)
    if (t->list2[k] * t->cutoff * t->cutoff > old[k] * old_cutoff * old_cutoff * (1.0 + 1e-6))
      return 0;
  return 1;
}

static double shortest_cutoff(const ds_pair_model *m)
{
  double shortest = INFINITY;
  for (int k = 0; k < m->ntypes * m->ntypes; k++)
    if (m->cutoff[k] > 0.0) shortest = fmin(shortest, m->cutoff[k]);
  return shortest;
}

double ds_pair_resolution(const ds_pair *pair)
{
  const int more = pair->options.precision == DS_PRECISION_DOUBLE ? 32 : 0;
  if (!pair->have_box) return 0.0;
  return ldexp(ds_frame_unit(&pair->frame, &pair->box), -more) / pair->shortest;
}

ds_status ds_pair_set_model(ds_pair *pair, const ds_pair_model *model, ds_error *err)
{
  if (ds_check_pointer(model, "model", err)) return DS_ERR_ARGUMENT;
  ds_sweep_tables *const t = &pair->tables;
  const double cutoff = t->cutoff, range = t->range;
  const size_t bytes = sizeof *t->list2 * (size_t) t->ntypes * (size_t) t->ntypes;
  const int ntypes = t->ntypes;
  const uint32_t seed = t->seed, place = pair->place;
  float *old = NULL;
  if (pair->have_list) {
    old = malloc(bytes);
    if (!old) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the ranges of a list");
    memcpy(old, t->list2, bytes);
  }
  ds_status s = ds_tables_set(t, pair->style, model, pair->options.precision, err);
  if (!s) {
    pair->version.model++;
    pair->have_model = 1;
    pair->place = model->place;
    pair->shortest = shortest_cutoff(model);
    /* signatures are made where atoms are loaded */
    if (t->seed != seed || pair->place != place) pair->have_positions = 0;
    /* the atoms' types were checked against the number of types */
    if (t->ntypes != ntypes) pair->have_atoms = pair->have_list = pair->have_positions = 0;
    if (old && pair->have_list) pair->have_list = list_still_good(old, cutoff, t);
    /* the frame measures in cutoffs, and is made for a range */
    if (pair->have_box && (cutoff != t->cutoff || range != t->range)) {
      const int positions = pair->have_positions, wrapped = pair->frame.wrapped;
      s = ds_pair_set_box(pair, &pair->box, err);
      if (!s && pair->frame.wrapped == wrapped)
        pair->have_positions = positions; /* the same units */
    }
  }
  free(old);
  return s;
}

ds_status ds_pair_set_box(ds_pair *pair, const ds_box *box, ds_error *err)
{
  const int wrapped = pair->frame.wrapped, had = pair->have_box;
  if (!pair->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "box set before the model");
  ds_status s = ds_check_box(box, err);
  if (s) return s;
  s = ds_frame_init(&pair->frame, box, pair->tables.cutoff, pair->tables.range, err);
  if (s) return s;
  pair->box = *box;
  pair->have_box = 1;
  pair->have_positions = 0;
  if (had && pair->frame.wrapped != wrapped) pair->have_atoms = pair->have_list = 0;
  return ds_succeed(err);
}

int ds_pair_needs_ghosts(const ds_pair *pair)
{
  return pair->frame.wrapped != DS_ALL_AXES;
}

int ds_pair_wraps(const ds_pair *pair, const ds_box *box)
{
  return pair->have_model ? ds_frame_wrapped(box, pair->tables.range) : 0;
}

/* ------------------------------------------------------------------------------------------- atoms */

ds_status ds_pair_set_atoms(ds_pair *pair, const ds_atoms *atoms, ds_error *err)
{
  if (!pair->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "atoms set before the model");
  if (ds_check_pointer(atoms, "atoms", err)) return DS_ERR_ARGUMENT;
  if (atoms->nlocal < 0 || atoms->nghost < 0 ||
      (int64_t) atoms->nlocal + atoms->nghost > DS_INDEX_MASK)
    return ds_fail(err, DS_ERR_CAPACITY,
                   "%d own and %d ghost atoms; at most 2^30 - 1 fit a process", atoms->nlocal,
                   atoms->nghost);
  if (pair->have_box && !ds_pair_needs_ghosts(pair) && atoms->nghost > 0)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "%d ghost atoms, but a process with all atoms of this box has none",
                   atoms->nghost);
  ds_atoms checked = *atoms;
  if (ds_check_atoms(&checked, pair->tables.ntypes, pair->options.threads, err))
    return DS_ERR_ARGUMENT;
  pair->nlocal = atoms->nlocal;
  pair->nghost = atoms->nghost;
  pair->have_list = pair->have_positions = 0;
  pair->version.types++;
  pair->version.ghosts++;
  const ds_status s = pair->backend->set_atoms(pair, &checked, err);
  pair->have_atoms = s == DS_OK;
  return s;
}

ds_status ds_pair_set_types(ds_pair *pair, const ds_array *type, ds_error *err)
{
  if (!pair->have_atoms) return ds_fail(err, DS_ERR_ARGUMENT, "types set before atoms");
  if (ds_check_array(type, pair->nlocal, DS_I32, DS_I32, "types", err)) return DS_ERR_ARGUMENT;
  pair->version.types++;
  return pair->backend->set_types(pair, type, err);
}

/* Found when atoms are loaded, as model and box may both have changed. */
static ds_status check_resolution(const ds_pair *pair, ds_error *err)
{
  const double *const edge = pair->box.h;
  const double found = ds_pair_resolution(pair);
  const int wide = pair->options.precision == DS_PRECISION_DOUBLE;
  if (found <= DS_COARSEST_POSITIONS) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT,
                 "in a box with edges %g %g %g positions are multiples of %g, more than %g of the shortest cutoff %g; "
                 "allowed: a smaller box%s",
                 edge[0], edge[1], edge[2], found * pair->shortest, DS_COARSEST_POSITIONS, pair->shortest,
                 wide ? "" : ", or precision double, where they are 2^32 times finer");
}

ds_status ds_pair_load(ds_pair *pair, const ds_array *x, const ds_array *v, int64_t step,
                       ds_error *err)
{
  if (!pair->have_box || !pair->have_atoms)
    return ds_fail(err, DS_ERR_ARGUMENT, "positions loaded before box and atoms");
  if (step < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "time step %lld must be >= 0", (long long) step);
  if (ds_check_array(x, pair->nlocal, DS_F64, DS_F32, "positions", err) ||
      ds_check_array(v, pair->nlocal, DS_F64, DS_F32, "velocities", err))
    return DS_ERR_ARGUMENT;
  if (check_resolution(pair, err)) return DS_ERR_ARGUMENT;
  if (pair->place > 0 && (uint64_t) step >= DS_SIGNATURE_STEPS)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "time step %lld: with place %u among models with one seed it must be below 2^48",
                   (long long) step, pair->place);
  pair->step = step;
  pair->version.load++;
  const ds_status s = pair->backend->load(pair, x, v, err);
  pair->have_positions = s == DS_OK;
  return s;
}

ds_status ds_pair_get_velocities(ds_pair *pair, const ds_array *v, ds_error *err)
{
  if (!pair->have_positions || !pair->have_list)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "velocities wanted before they were loaded, or before a list");
  if (ds_check_array(v, pair->nlocal, DS_F64, DS_F64, "velocities", err)) return DS_ERR_ARGUMENT;
  if (v->type != DS_F64 || v->space != DS_SPACE_HOST)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "velocities wanted in an array that is not F64 in host memory");
  return pair->backend->get_velocities(pair, v, err);
}

/* ------------------------------------------------------------------------------------------ ghosts */

int ds_pair_ghost_bytes(const ds_pair *pair)
{
  return pair->options.precision == DS_PRECISION_DOUBLE ? DS_GHOST_BYTES64 : DS_GHOST_BYTES;
}

/* Messages of n ghosts: where they are, and what else is read, which may be missing where there are none. */
static ds_status check_messages(const ds_pair *pair, int n, const void *buffer, ds_space space,
                                ds_error *err)
{
  if (space != DS_SPACE_HOST && space != DS_SPACE_DEVICE)
    return ds_fail(err, DS_ERR_ARGUMENT, "messages of ghosts in memory %d; allowed: %d and %d",
                   (int) space, DS_SPACE_HOST, DS_SPACE_DEVICE);
  if (space == DS_SPACE_DEVICE && !ds_pair_halted(pair))
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "messages of ghosts in device memory with the host backend");
  return n > 0 ? ds_check_pointer(buffer, "buffer of ghosts' messages", err) : DS_OK;
}

ds_status ds_pair_pack_ghosts(ds_pair *pair, int n, const int *list, const int shift[3],
                              void *buffer, ds_space space, ds_error *err)
{
  if (!pair->have_positions) return ds_fail(err, DS_ERR_ARGUMENT, "ghosts packed before positions");
  if (check_messages(pair, n, buffer, space, err)) return DS_ERR_ARGUMENT;
  if (n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d ghosts to pack", n);
  if (n > 0 && (ds_check_pointer(list, "list of ghosts to pack", err) ||
                ds_check_pointer(shift, "shift of ghosts to pack", err)))
    return DS_ERR_ARGUMENT;
  return pair->backend->pack_ghosts(pair, n, list, shift, buffer, space, err);
}

ds_status ds_pair_unpack_ghosts(ds_pair *pair, int first, int n, const void *buffer, ds_space space,
                                ds_error *err)
{
  if (!pair->have_positions)
    return ds_fail(err, DS_ERR_ARGUMENT, "ghosts unpacked before positions");
  if (n < 0 || first < pair->nlocal || (int64_t) first + n > (int64_t) pair->nlocal + pair->nghost)
    return ds_fail(err, DS_ERR_ARGUMENT, "ghosts %d to %lld are not among %d to %d", first,
                   (long long) first + n - 1, pair->nlocal, pair->nlocal + pair->nghost - 1);
  if (check_messages(pair, n, buffer, space, err)) return DS_ERR_ARGUMENT;
  pair->version.ghosts++;
  return pair->backend->unpack_ghosts(pair, first, n, buffer, space, err);
}

ds_status ds_pair_set_ghost_owners(ds_pair *pair, const int *owner, const int *image, ds_error *err)
{
  if (!pair->have_atoms) return ds_fail(err, DS_ERR_ARGUMENT, "ghost owners set before atoms");
  if (pair->nghost > 0 && (ds_check_pointer(owner, "array of ghosts' owners", err) ||
                           ds_check_pointer(image, "array of ghosts' images", err)))
    return DS_ERR_ARGUMENT;
  if (ds_check_owners(pair->nlocal, pair->nghost, owner, err)) return DS_ERR_ARGUMENT;
  pair->version.ghosts++;
  return pair->backend->set_ghost_owners(pair, owner, image, err);
}

/* ------------------------------------------------------------------------------------------- lists */

ds_status ds_pair_build_list(ds_pair *pair, ds_error *err)
{
  if (!pair->have_positions) return ds_fail(err, DS_ERR_ARGUMENT, "list built before positions");
  ds_status s =
      ds_grid_init(&pair->grid, &pair->frame, pair->tables.range, pair->nlocal + pair->nghost, err);
  pair->version.order++;
  if (!s) s = pair->backend->build_list(pair, err);
  pair->have_list = s == DS_OK;
  return s;
}

int ds_pair_has_list(const ds_pair *pair)
{
  return pair->have_list;
}

ds_status ds_pair_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries,
                            ds_error *err)
{
  if (!pair->have_list) return ds_fail(err, DS_ERR_ARGUMENT, "no list was built");
  if (ds_check_pointer(rows, "place for the number of rows", err) ||
      ds_check_pointer(start, "array of where rows start", err) ||
      (pair->nlocal > 0 && ds_check_pointer(atom, "array of the rows' atoms", err)))
    return DS_ERR_ARGUMENT;
  return pair->backend->read_list(pair, rows, atom, start, entries, err);
}

/* ------------------------------------------------------------------------------------------ forces */

static ds_status check_wanted(const ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  if (!pair->have_positions || !pair->have_list)
    return ds_fail(err, DS_ERR_ARGUMENT, "forces wanted before positions and list");
  if (ds_check_pointer(wanted, "results wanted", err) ||
      ds_check_results(wanted, pair->nlocal, err))
    return DS_ERR_ARGUMENT;
  if (wanted->put_force && wanted->f.space == DS_SPACE_HOST && ds_pair_halted(pair) != NULL)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "forces that take the place of others: for an array where the engine computes");
  return DS_OK;
}

ds_status ds_pair_begin(ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  const ds_status s = check_wanted(pair, wanted, err);
  return s || !pair->backend->begin ? s : pair->backend->begin(pair, wanted, err);
}

ds_status ds_pair_enqueue(ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  const ds_status s = check_wanted(pair, wanted, err);
  return s ? s : pair->backend->enqueue(pair, wanted, err);
}

ds_status ds_pair_check(ds_pair *pair, ds_pair_result *result, int64_t *again, ds_error *err)
{
  if (ds_check_pointer(again, "place for the step to queue again", err)) return DS_ERR_ARGUMENT;
  *again = -1;
  if (result) result->force_unit = 1.0 / pair->tables.doubles.force_scale;
  return pair->backend->check(pair, result, again, err);
}

/* A list that is too small is found when it is built for an evaluation: once more, with room. */
ds_status ds_pair_compute(ds_pair *pair, ds_pair_result *result, ds_error *err)
{
  int64_t again;
  ds_status s = ds_pair_enqueue(pair, result, err);
  if (!s) s = ds_pair_check(pair, result, &again, err);
  while (!s && again >= 0) {
    if (again != pair->step) return ds_pair_once_more_error(again, err);
    s = ds_pair_build_list(pair, err);
    if (!s) s = ds_pair_enqueue(pair, result, err);
    if (!s) s = ds_pair_check(pair, result, &again, err);
  }
  return s;
}

const uint64_t *ds_pair_halted(const ds_pair *pair)
{
  return pair->backend->halted(pair);
}

void *ds_pair_stream(const ds_pair *pair)
{
  return pair->backend->stream(pair);
}

void ds_pair_pin(ds_pair *pair, void *data, size_t bytes)
{
  if (data && bytes) pair->backend->pin(pair, data, bytes);
}

void ds_pair_unpin(ds_pair *pair, void *data)
{
  if (data) pair->backend->pin(pair, data, 0);
}

/* ------------------------------------------------------------------------------------- information */

ds_pair_info ds_pair_get_info(const ds_pair *pair)
{
  ds_pair_info info;
  memset(&info, 0, sizeof info);
  info.backend = pair->backend->name;
  info.no_gpu = pair->no_gpu.text;
  info.ghosts = pair->nghost;
  memcpy(info.cells, pair->grid.cells, sizeof info.cells);
  pair->backend->get_info(pair, &info);
  return info;
}

void ds_pair_list_outlived(ds_pair *pair)
{
  if (pair->outlived_list == pair->version.order) return;
  pair->outlived_list = pair->version.order;
  pair->outlived_lists++;
}

int64_t ds_pair_outlived_lists(const ds_pair *pair)
{
  return pair->outlived_lists + pair->outlived_on_gpu;
}

double ds_pair_single(const ds_pair_style *style, const ds_pair_model *m, int itype, int jtype,
                      double r2, double special, double *force_over_r)
{
  const int k = (itype - 1) * m->ntypes + jtype - 1;
  const double cut = m->cutoff[k];
  *force_over_r = 0.0;
  if (!(cut > 0.0) || r2 >= cut * cut || r2 <= DS_CONTACT2 * cut * cut) return 0.0;
  ds_pair_model cold = *m; /* kT and dt need not be known */
  cold.kT = 0.0;
  cold.dt = 1.0;
  double coeff[DS_MOST_WORDS] = {1.0, 1.0}; /* lengths in cutoffs of this pair */
  const double r = sqrt(r2);
  const ds_pair_geometry p = {r / cut, 0.0, 0.0, 0.0, 0.0, 0.0, r2 / (cut * cut)};
  style->set_coefficients(&cold, k, coeff);
  const ds_pair_term t = style->at_rest(coeff, &p, special);
  *force_over_r = t.fx / r;
  return t.energy;
}

/* ------------------------------------------------------------------------------------------ errors */

ds_status ds_pair_once_more_error(int64_t step, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT,
                 "an evaluation of step %lld is to be queued once more (ds_pair_check)",
                 (long long) step);
}

ds_status ds_pair_force_error(const ds_pair *pair, int64_t step, int64_t tag_i, int64_t tag_j,
                              double force, ds_error *err)
{
  const double limit =
      (pair->options.precision == DS_PRECISION_DOUBLE ? DS_PAIR_LIMIT64 : (double) DS_PAIR_LIMIT) /
      pair->tables.doubles.force_scale;
  return ds_fail(
      err, DS_ERR_FORCE_RANGE,
      "force %g between atoms %lld and %lld at step %lld exceeds the fixed-point range, at "
      "most %g with these coefficients",
      force, (long long) tag_i, (long long) tag_j, (long long) step, limit);
}

ds_status ds_pair_position_error(const ds_pair *pair, int64_t step, int64_t tag, const double x[3],
                                 ds_error *err)
{
  const ds_frame *const f = &pair->frame;
  double lambda[3];
  char allowed[40] = "one edge of the box";
  ds_fraction(f, x[0], x[1], x[2], lambda);
  for (int d = 0; d < 3; d++)
    if (!f->shift[d] && !(lambda[d] >= f->low[d] && lambda[d] <= f->high[d]))
      snprintf(allowed, sizeof allowed, "the skin %g", pair->box.slack);
  return ds_fail(err, DS_ERR_POSITION,
                 "atom %lld at (%g, %g, %g) at step %lld is not a number or further outside its "
                 "subdomain than %s allows",
                 (long long) tag, x[0], x[1], x[2], (long long) step, allowed);
}

ds_status ds_pair_type_error(const ds_pair *pair, int64_t tag, int64_t type, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %lld; allowed: 1 to %d", (long long) tag,
                 (long long) type, pair->tables.ntypes);
}

ds_status ds_pair_ghost_error(int ghost, int64_t step, ds_error *err)
{
  return ds_fail(
      err, DS_ERR_GHOST,
      "what arrived for ghost %d at step %lld is no atom: the process that it came from has "
      "failed",
      ghost, (long long) step);
}

ds_status ds_pair_source_error(const ds_pair *pair, const ds_atom_source *source, ds_error *err)
{
  double x[3];
  const int type = ds_source_bad_type(source);
  if (type >= 0)
    return ds_pair_type_error(pair, ds_array_int(&source->tag, type, 0),
                              ds_array_int(&source->type, type, 0), err);
  const int position = ds_source_bad_position(source, x);
  if (position >= 0)
    return ds_pair_position_error(pair, pair->step, ds_array_int(&source->tag, position, 0), x,
                                  err);
  return ds_fail(err, DS_ERR_ARGUMENT, "atoms have changed while they were being read");
}

static double joined(const int64_t sum[2], double scale)
{
  return (ldexp((double) sum[0], DS_SUM_SHIFT) + (double) sum[1]) / scale;
}

/* Every pair is met from both sides, so sums over rows count it twice. */
void ds_pair_finish_sums(const ds_pair *pair, const ds_sweep_sums *sums, ds_pair_result *result)
{
  const ds_sweep_numbers *const numbers = &pair->tables.doubles;
  result->energy = 0.5 * joined(sums->energy, numbers->energy_scale);
  for (int k = 0; k < 6; k++)
    result->virial[k] = 0.5 * pair->tables.cutoff * joined(sums->virial[k], numbers->force_scale);
  for (int k = 0; k < 3; k++) result->force_sum[k] = sums->force[k];
}
