/* The C interface of SOP molecules: checks, units, and what both backends share.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/sop.h"

#include "../core/backend.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a caller must give. */
static ds_status check_given(const void *what, const char *name, ds_error *err)
{
  return what ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "%s is NULL", name);
}

/* -------------------------------------------------------------------------------------------- open */

static ds_status check_options(const ds_sop_options *o, ds_error *err)
{
  if (o->scheme < DS_SOP_AUTO || o->scheme > DS_SOP_BLOCK)
    return ds_fail(err, DS_ERR_ARGUMENT, "unknown scheme %d", (int) o->scheme);
  if (o->order < 0 || o->order > 2) return ds_fail(err, DS_ERR_ARGUMENT, "order = %d, must be 1 or 2, or 0 for 1", o->order);
  if (!(o->cutoff >= 0.0) || !isfinite(o->cutoff)) return ds_fail(err, DS_ERR_ARGUMENT, "cutoff = %g, must be >= 0", o->cutoff);
  if (!(o->skin >= 0.0) || !isfinite(o->skin)) return ds_fail(err, DS_ERR_ARGUMENT, "skin = %g, must be >= 0", o->skin);
  if (o->inter && o->scheme == DS_SOP_BLOCK)
    return ds_fail(err, DS_ERR_ARGUMENT, "with the scheme block molecules do not see each other");
  if (o->rng && !ds_sop_find_generator(o->rng))
    return ds_fail(err, DS_ERR_ARGUMENT, "unknown generator '%s', known are %s", o->rng, ds_sop_known_generators());
  return DS_OK;
}

/* Beads that could reach further than coordinates can tell apart. */
static ds_status check_size(const ds_sop *sop, ds_error *err)
{
  const double most = ldexp(sop->model.coordinate_unit, 30);
  if (sop->model.cutoff + sop->options.skin < most) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "cutoff and skin are %g together, must be below %g",
                 sop->model.cutoff + sop->options.skin, most);
}

static ds_status open_on_host(void *object, ds_error *err)
{
  ds_sop *const sop = object;
  sop->functions = &ds_sop_host_functions;
  return sop->functions->open(sop, err);
}

#ifdef DS_HAVE_CUDA
static ds_status open_on_gpu(void *object, ds_error *err)
{
  ds_sop *const sop = object;
  sop->functions = &ds_sop_cuda_functions;
  return sop->functions->open(sop, err);
}
#else
#define open_on_gpu NULL
#endif

ds_status ds_sop_open(ds_sop **out, const ds_sop_options *options, const ds_sop_topology *topology, ds_error *err)
{
  static const ds_sop_options defaults; /* all zero */
  ds_isa isa = DS_ISA_BASE;
  int threads = 1;
  *out = NULL;
  if (!options) options = &defaults;
  ds_status s = check_options(options, err);
  if (!s) s = ds_threads_choose(options->threads, &threads, err);
  if (!s) s = ds_isa_choose(options->isa, &isa, err);
  if (s) return s;
  ds_sop *const sop = calloc(1, sizeof *sop);
  ds_sop_positions *const positions = calloc(1, sizeof *positions);
  if (!sop || !positions) {
    free(sop);
    free(positions);
    return ds_fail(err, DS_ERR_MEMORY, "no host memory");
  }
  sop->positions = positions;
  sop->options = *options;
  sop->options.isa = sop->options.rng = NULL; /* the caller's: */
  sop->options.threads = threads;
  if (!options->order) sop->options.order = 1;
  sop->isa = isa;
  sop->generator = ds_sop_find_generator(options->rng ? options->rng : "tea");
  s = ds_sop_model_make(&sop->model, topology, options->cutoff, err);
  if (!s) s = check_size(sop, err);
  if (!s) s = ds_sop_hydro_check(&sop->options, topology, err);
  if (!s) s = ds_sop_hydro_make(&sop->hydro, &sop->options, topology, sop->model.coordinate_unit, err);
  if (!s) s = ds_backend_open(options->backend, sop, open_on_gpu, open_on_host, &sop->no_gpu, err);
  if (s) {
    ds_sop_hydro_free(&sop->hydro);
    ds_sop_model_free(&sop->model);
    free(positions);
    free(sop);
    return s;
  }
  *out = sop;
  return ds_succeed(err);
}

void ds_sop_close(ds_sop *sop)
{
  if (!sop) return;
  sop->functions->close(sop);
  ds_sop_pull_free(&sop->pull);
  ds_sop_indent_forget(&sop->indent);
  ds_sop_hydro_free(&sop->hydro);
  ds_sop_model_free(&sop->model);
  ds_sop_positions_free(sop->positions);
  free(sop->positions);
  free(sop->id);
  free(sop);
}

ds_status ds_sop_set_threads(ds_sop *sop, int threads, ds_error *err)
{
  const ds_status s = ds_threads_choose(threads, &sop->options.threads, err);
  return s ? s : ds_succeed(err);
}

ds_sop_info ds_sop_get_info(const ds_sop *sop)
{
  ds_sop_info info;
  info.backend = sop->functions->name;
  info.device = sop->functions->device(sop);
  info.no_gpu = sop->no_gpu.text;
  info.scheme = sop->functions->scheme(sop);
  info.bytes = sop->functions->bytes(sop);
  return info;
}

/* ------------------------------------------------------------------------------------------- beads */

static ds_status check_beads(const ds_sop *sop, int32_t molecules, int32_t free_beads, const int64_t *id, ds_error *err)
{
  const int64_t beads = (int64_t) molecules * sop->model.topology.beads + free_beads;
  if (molecules < 0 || free_beads < 0 || beads > DS_SOP_MAX_ROWS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d molecules and %d free beads, at most %d beads", molecules, free_beads,
                   (int) DS_SOP_MAX_ROWS);
  const ds_status s = beads ? check_given(id, "id", err) : DS_OK;
  if (s) return s;
  if (sop->wanted_last > (int64_t) molecules * sop->model.topology.beads)
    return ds_fail(err, DS_ERR_ARGUMENT, "a share of beads %lld to %lld, the molecules have %lld",
                   (long long) sop->wanted_first, (long long) sop->wanted_last,
                   (long long) molecules * sop->model.topology.beads);
  for (int64_t b = 0; b < beads; b++)
    if (id[b] < 0)
      return ds_fail(err, DS_ERR_ARGUMENT, "bead %lld has the ID %lld, must be >= 0", (long long) b + 1, (long long) id[b]);
  if (molecules > 1 && sop->options.inter && ds_sop_indents(&sop->indent))
    return ds_fail(err, DS_ERR_ARGUMENT, "%d molecules that see each other: a tip presses on one molecule alone", molecules);
  return DS_OK;
}

ds_status ds_sop_set_beads(ds_sop *sop, int32_t molecules, int32_t free_beads, const int64_t *id, ds_error *err)
{
  const int64_t beads = (int64_t) molecules * sop->model.topology.beads + free_beads;
  ds_status s = check_beads(sop, molecules, free_beads, id, err);
  if (s) return s;
  int64_t *const copy = malloc(((size_t) beads + 1) * sizeof *copy);
  if (!copy) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %lld IDs", (long long) beads);
  if (beads) memcpy(copy, id, (size_t) beads * sizeof *copy);
  free(sop->id);
  sop->id = copy;
  sop->molecules = molecules;
  sop->free = free_beads;
  sop->beads = beads;
  sop->share_first = sop->wanted_first;
  sop->share_last = sop->wanted_last;
  sop->h = 0.0;
  ds_sop_pull_forget(&sop->pull);
  ds_sop_indent_forget(&sop->indent);
  sop->changes++;
  s = ds_sop_positions_reserve(sop, err);
  if (!s) s = sop->functions->set_beads(sop, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_set_share(ds_sop *sop, int64_t first, int64_t last, ds_error *err)
{
  if (last == 0) {
    sop->wanted_first = sop->wanted_last = 0;
    return ds_succeed(err);
  }
  if (first < 0 || last < first)
    return ds_fail(err, DS_ERR_ARGUMENT, "a share of beads %lld to %lld", (long long) first, (long long) last);
  if (sop->options.hydro != DS_SOP_HYDRO_NONE)
    return ds_fail(err, DS_ERR_ARGUMENT, "molecules with hydrodynamic interactions cannot be shared");
  if (sop->functions != &ds_sop_host_functions || sop->options.order != 1 ||
      (sop->options.scheme != DS_SOP_AUTO && sop->options.scheme != DS_SOP_PARTICLE))
    return ds_fail(err, DS_ERR_ARGUMENT, "molecules are shared with the host backend, order 1 and the scheme particle alone");
  sop->wanted_first = first;
  sop->wanted_last = last;
  return ds_succeed(err);
}

ds_status ds_sop_set_forces(ds_sop *sop, const double *f, ds_error *err)
{
  for (int64_t k = 0; k < 3 * sop->beads && f; k++)
    if (!isfinite(f[k]))
      return ds_fail(err, DS_ERR_ARGUMENT, "the force from outside on atom %lld along %c is %g", (long long) sop->id[k / 3],
                     "xyz"[k % 3], f[k]);
  const ds_status s = sop->functions->set_forces(sop, f, err);
  return s ? s : ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------ motion */

ds_sop_step_units ds_sop_units_of(const ds_sop *sop, const ds_sop_motion *motion)
{
  const double mobility = motion->h / motion->zeta / sop->model.position_unit;
  const double noise = sqrt(2.0 * motion->kT * motion->h / motion->zeta) / sop->model.position_unit;
  ds_sop_step_units u;
  u.per_force = mobility;
  u.whole.mobility = (float) (mobility * sop->model.force_unit);
  u.whole.noise = (float) noise;
  u.half.mobility = 0.5f * u.whole.mobility;
  u.half.noise = u.whole.noise;
  return u;
}

static ds_status check_motion(const ds_sop_motion *m, ds_error *err)
{
  const ds_status s = check_given(m, "motion", err);
  if (s) return s;
  if (m->first < 0 || m->steps < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d steps from number %lld, must be >= 0", m->steps, (long long) m->first);
  if (m->first > INT64_MAX - m->steps)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d steps from number %lld, the number after the last must be below 2^63", m->steps,
                   (long long) m->first);
  if (!(m->h > 0.0) || !isfinite(m->h)) return ds_fail(err, DS_ERR_ARGUMENT, "time step %g must be above 0", m->h);
  if (!(m->zeta > 0.0) || !isfinite(m->zeta))
    return ds_fail(err, DS_ERR_ARGUMENT, "friction coefficient zeta = %g must be above 0", m->zeta);
  if (!(m->kT >= 0.0) || !isfinite(m->kT)) return ds_fail(err, DS_ERR_ARGUMENT, "kB T = %g must be >= 0", m->kT);
  return DS_OK;
}

/* Lets pulling and indentation begin, where they have not. */
static ds_status begin_acting(ds_sop *sop, const ds_sop_motion *motion, ds_error *err)
{
  int begun = 0;
  if (sop->pull.spec.mode == DS_SOP_PULL_NONE && !ds_sop_indents(&sop->indent)) return DS_OK;
  const int64_t *p = NULL;
  ds_status s = ds_sop_know_positions(sop, &p, err);
  if (!s) s = ds_sop_pull_begin(sop, p, motion->first, motion->h, &begun, err);
  if (!s) s = ds_sop_indent_begin(sop, p, motion->first, motion->h, &begun, err);
  sop->changes += (uint64_t) begun;
  return s;
}

/* The words of a fault in place of the backend's. */
static ds_status explained(const ds_sop *sop, ds_status s, ds_sop_fault *fault, ds_error *err)
{
  if (s == DS_ERR_FORCE_RANGE && fault->coordinate) s = ds_sop_explain(sop, fault, err);
  free(fault->coordinate);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_advance(ds_sop *sop, const ds_sop_motion *motion, ds_error *err)
{
  ds_sop_fault fault = {0, -1, -1, -1, 0, 0, NULL};
  ds_status s = check_motion(motion, err);
  if (s || motion->steps == 0 || sop->beads == 0) return s ? s : ds_succeed(err);
  if (sop->share_last && motion->steps != 1)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d steps of molecules that are shared, must be 1", motion->steps);
  s = begin_acting(sop, motion, err);
  if (s) return s;
  int kept = 1;
  ds_sop_tip *const tips = ds_sop_indent_keep(&sop->indent, &kept);
  if (!kept) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %d tips", sop->molecules);
  ds_sop_forget_positions(sop);
  s = sop->functions->advance(sop, motion, &fault, err);
  if (!s) sop->pull.cantilever.clock.next = sop->indent.cantilever.clock.next = motion->first + motion->steps;
  sop->h = motion->h;
  sop->zeta = motion->zeta;
  s = explained(sop, s, &fault, err);
  if (s && tips) { /* the caller may begin this call's steps anew */
    memcpy(sop->indent.tip, tips, (size_t) sop->indent.molecules * sizeof *tips);
    sop->changes++;
  }
  free(tips);
  return s;
}

ds_status ds_sop_get_forces(ds_sop *sop, double *f, ds_error *err)
{
  ds_sop_fault fault = {-1, -1, -1, -1, 0, 0, NULL};
  ds_status s = check_given(f, "f", err);
  if (s) return s;
  int32_t *const q = malloc((3 * (size_t) sop->beads + 1) * sizeof *q);
  if (!q) return ds_fail(err, DS_ERR_MEMORY, "no host memory for forces");
  s = sop->functions->forces(sop, q, &fault, err);
  for (int64_t k = 0; k < 3 * sop->beads && !s; k++) f[k] = q[k] * sop->model.force_unit;
  free(q);
  return explained(sop, s, &fault, err);
}

ds_status ds_sop_energy(ds_sop *sop, ds_sop_energies *sum, ds_sop_energies *each, ds_error *err)
{
  ds_status s = check_given(sum, "sum", err);
  if (s) return s;
  const int64_t *p = NULL;
  s = ds_sop_know_positions(sop, &p, err);
  if (!s) s = ds_sop_host_energy(sop, p, sum, each, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_intact(const ds_sop *sop, int64_t *each, ds_error *err)
{
  const int64_t *p = NULL;
  ds_status s = check_given(each, "each", err);
  if (!s) s = ds_sop_know_positions(sop, &p, err);
  if (!s) s = ds_sop_host_intact(sop, p, each, err);
  return s ? s : ds_succeed(err);
}

/* Beads that this object moves and that are not fixed. */
static int64_t moving_beads(const ds_sop *sop)
{
  const int64_t n = sop->model.topology.beads, bound = sop->molecules * n;
  const int64_t first = sop->share_last ? sop->share_first : 0, last = sop->share_last ? sop->share_last : bound;
  int64_t fixed = 0;
  for (int32_t m = 0; m < sop->molecules; m++)
    for (int32_t k = 0; k < sop->pull.spec.fixed; k++) {
      const int64_t bead = m * n + sop->pull.spec.fixed_bead[k];
      fixed += bead >= first && bead < last;
    }
  return last - first - fixed + sop->free;
}

/* Squares are summed in steps of 2^-9 of a length unit of positions, so that 2^29 beads do not overflow. */
ds_status ds_sop_noise_temperature(const ds_sop *sop, double *kT, int64_t *beads, ds_error *err)
{
  ds_status s = check_given(kT, "kT", err);
  if (!s) s = check_given(beads, "beads", err);
  if (s) return s;
  int32_t *const d = malloc((3 * (size_t) sop->beads + 1) * sizeof *d);
  *kT = 0.0;
  *beads = moving_beads(sop);
  if (!d) return ds_fail(err, DS_ERR_MEMORY, "no host memory for displacements");
  s = sop->h > 0.0 ? sop->functions->noise(sop, d, err) : DS_OK;
  if (!s && sop->h > 0.0 && *beads > 0) {
    uint64_t sum = 0;
    for (int64_t k = 0; k < 3 * sop->beads; k++) {
      const int64_t v = d[k] / 512;
      sum += (uint64_t) (v * v);
    }
    const double unit = 512.0 * sop->model.position_unit;
    *kT = sop->zeta / (6.0 * sop->h) * ((double) sum * unit * unit / (double) *beads);
  }
  free(d);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------- pulling and indentation */

/* How far a tip, or the plane of a pull, may be from the centre of a molecule. */
static double longest_reach(const ds_sop *sop)
{
  return ldexp(sop->model.coordinate_unit, DS_SOP_TIP_REACH_BITS);
}

/* What of the pull follows from positions: two arrays. */
typedef void pull_values(const ds_sop *sop, const int64_t *position, double *, double *);

static ds_status take_pull_values(const ds_sop *sop, pull_values *of, double *first, double *second, ds_error *err)
{
  const int64_t *p = NULL;
  const ds_status s = ds_sop_know_positions(sop, &p, err);
  if (!s) of(sop, p, first, second);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_set_pull(ds_sop *sop, const ds_sop_pull *pull, ds_error *err)
{
  ds_status s = check_given(pull, "pull", err);
  if (!s) s = ds_sop_pull_set(&sop->pull, pull, sop->model.topology.beads, longest_reach(sop), err);
  if (!s) ds_sop_hydro_hold(&sop->hydro, sop->model.topology.beads, &sop->pull.spec);
  if (!s) sop->changes++;
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_set_pull_speed(ds_sop *sop, double speed, ds_error *err)
{
  const ds_status s = ds_sop_pull_set_speed(&sop->pull, speed, err);
  return s ? s : ds_succeed(err);
}

double ds_sop_pull_speed(const ds_sop *sop)
{
  return sop->pull.cantilever.speed;
}

ds_status ds_sop_set_indent(ds_sop *sop, const ds_sop_indent *indent, ds_error *err)
{
  if (sop->id) return ds_fail(err, DS_ERR_ARGUMENT, "a tip must be set before beads are");
  if (sop->options.scheme == DS_SOP_BLOCK)
    return ds_fail(err, DS_ERR_ARGUMENT, "with the scheme block nothing presses: scheme auto, particle or pair");
  ds_status s = check_given(indent, "indent", err);
  if (!s) s = ds_sop_indent_set(&sop->indent, indent, longest_reach(sop), err);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_set_indent_speed(ds_sop *sop, double speed, ds_error *err)
{
  const ds_status s = ds_sop_indent_set_speed(&sop->indent, speed, err);
  return s ? s : ds_succeed(err);
}

double ds_sop_indent_speed(const ds_sop *sop)
{
  return sop->indent.cantilever.speed;
}

ds_status ds_sop_indenting(const ds_sop *sop, double *force, double *travel, ds_error *err)
{
  ds_status s = check_given(force, "force", err);
  if (!s) s = check_given(travel, "travel", err);
  if (!s) ds_sop_indent_state_of(sop, force, travel);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_pulling(const ds_sop *sop, double *force, double *extension, ds_error *err)
{
  ds_status s = check_given(force, "force", err);
  if (!s) s = check_given(extension, "extension", err);
  return s ? s : take_pull_values(sop, ds_sop_pull_state_of, force, extension, err);
}

ds_status ds_sop_pull_direction(const ds_sop *sop, double *n, double *projection, ds_error *err)
{
  ds_status s = check_given(n, "n", err);
  if (!s) s = check_given(projection, "projection", err);
  return s ? s : take_pull_values(sop, ds_sop_pull_direction_of, n, projection, err);
}
