/* The public interface: arguments are checked here, backends do the work.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include "../common/backend.h"
#include "../common/isa.h"
#include "dpd_params.h"
#include "dpd_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ds_status choose_backend(ds_dpd *dpd, ds_error *err)
{
  int cuda;
  const ds_status s = ds_backend_choose(dpd->options.backend, &cuda, &dpd->no_gpu, err);
  dpd->backend = &ds_dpd_host_backend;
#ifdef DS_HAVE_CUDA
  if (cuda) dpd->backend = &ds_dpd_cuda_backend;
#endif
  return s;
}

ds_status ds_dpd_open(ds_dpd **out, const ds_dpd_options *options, ds_error *err)
{
  ds_dpd *dpd;
  ds_status s;
  *out = NULL;
  if (options->threads < 1)
    return ds_fail(err, DS_ERR_ARGUMENT, "threads %d must be >= 1", options->threads);
  if (options->local_rank < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "local rank %d must be >= 0", options->local_rank);
  dpd = calloc(1, sizeof *dpd);
  if (!dpd) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a DPD object");
  dpd->options = *options;
  s = choose_backend(dpd, err);
  if (!s) s = dpd->backend->open(dpd, err);
  if (s) {
    free(dpd);
    return s;
  }
  *out = dpd;
  return ds_succeed(err);
}

void ds_dpd_close(ds_dpd *dpd)
{
  if (!dpd) return;
  dpd->backend->close(dpd);
  ds_dpd_params_free(&dpd->params);
  free(dpd);
}

ds_status ds_dpd_set_model(ds_dpd *dpd, const ds_dpd_model *model, ds_error *err)
{
  const double cutoff = dpd->params.cutoff;
  const int ntypes = dpd->params.ntypes;
  const ds_status s = ds_dpd_params_set(&dpd->params, model, dpd->options.precision, err);
  if (s) return s;
  dpd->params_serial++;
  dpd->have_model = 1;
  /* the atoms' types were checked against the number of types */
  if (dpd->params.ntypes != ntypes) dpd->have_atoms = dpd->have_list = dpd->have_positions = 0;
  /* the frame measures in cutoffs */
  if (dpd->have_box && cutoff != dpd->params.cutoff)
    return ds_frame_init(&dpd->frame, &dpd->box, dpd->params.cutoff, err);
  return ds_succeed(err);
}

ds_status ds_dpd_set_box(ds_dpd *dpd, const ds_box *box, ds_error *err)
{
  if (!dpd->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "box set before the model");
  const ds_status s = ds_frame_init(&dpd->frame, box, dpd->params.cutoff, err);
  if (s) return s;
  dpd->box = *box;
  dpd->have_box = 1;
  return ds_succeed(err);
}

ds_status ds_dpd_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err)
{
  if (!dpd->have_model) return ds_fail(err, DS_ERR_ARGUMENT, "atoms set before the model");
  if (atoms->nlocal < 0 || atoms->nghost < 0 ||
      (int64_t) atoms->nlocal + atoms->nghost > DS_INDEX_MASK)
    return ds_fail(err, DS_ERR_CAPACITY,
                   "%d own and %d ghost atoms; at most 2^30 - 1 fit a process", atoms->nlocal,
                   atoms->nghost);
  dpd->nlocal = atoms->nlocal;
  dpd->nghost = atoms->nghost;
  dpd->have_list = dpd->have_positions = 0;
  const ds_status s = dpd->backend->set_atoms(dpd, atoms, err);
  dpd->have_atoms = s == DS_OK;
  return s;
}

ds_status ds_dpd_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, int64_t step,
                      ds_error *err)
{
  if (!dpd->have_box || !dpd->have_atoms)
    return ds_fail(err, DS_ERR_ARGUMENT, "positions loaded before box and atoms");
  if (step < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "time step %lld must be >= 0", (long long) step);
  dpd->step = step;
  const ds_status s = dpd->backend->load(dpd, x, v, err);
  dpd->have_positions = s == DS_OK;
  return s;
}

ds_status ds_dpd_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err)
{
  if (!dpd->have_positions)
    return ds_fail(err, DS_ERR_ARGUMENT, "velocities wanted before they were loaded");
  if (v->type != DS_F64 || v->space != DS_SPACE_HOST)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "velocities wanted in an array that is not F64 in host memory");
  return dpd->backend->get_velocities(dpd, v, err);
}

int ds_dpd_ghost_bytes(const ds_dpd *dpd)
{
  return dpd->options.precision == DS_PRECISION_DOUBLE ? DS_GHOST_BYTES64 : DS_GHOST_BYTES;
}

ds_status ds_dpd_pack_ghosts(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                             ds_error *err)
{
  if (!dpd->have_positions) return ds_fail(err, DS_ERR_ARGUMENT, "ghosts packed before positions");
  return dpd->backend->pack_ghosts(dpd, n, list, shift, buffer, err);
}

ds_status ds_dpd_unpack_ghosts(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err)
{
  if (!dpd->have_positions)
    return ds_fail(err, DS_ERR_ARGUMENT, "ghosts unpacked before positions");
  if (n < 0 || first < dpd->nlocal || first + n > dpd->nlocal + dpd->nghost)
    return ds_fail(err, DS_ERR_ARGUMENT, "ghosts %d to %d are not among %d to %d", first,
                   first + n - 1, dpd->nlocal, dpd->nlocal + dpd->nghost - 1);
  return dpd->backend->unpack_ghosts(dpd, first, n, buffer, err);
}

ds_status ds_dpd_set_ghost_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err)
{
  if (!dpd->have_atoms) return ds_fail(err, DS_ERR_ARGUMENT, "ghost owners set before atoms");
  for (int g = 0; g < dpd->nghost; g++)
    if (owner[g] < 0 || owner[g] >= dpd->nlocal)
      return ds_fail(err, DS_ERR_ARGUMENT, "owner %d of ghost %d is not an own atom", owner[g], g);
  return dpd->backend->set_ghost_owners(dpd, owner, image, err);
}

ds_status ds_dpd_build_list(ds_dpd *dpd, ds_error *err)
{
  if (!dpd->have_positions) return ds_fail(err, DS_ERR_ARGUMENT, "list built before positions");
  ds_status s =
      ds_grid_init(&dpd->grid, &dpd->frame, dpd->params.range, dpd->nlocal + dpd->nghost, err);
  if (!s) s = dpd->backend->build_list(dpd, err);
  dpd->have_list = s == DS_OK;
  return s;
}

ds_status ds_dpd_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err)
{
  if (!dpd->have_atoms) return ds_fail(err, DS_ERR_ARGUMENT, "list set before atoms");
  if (list->rows < 0 || list->rows > dpd->nlocal)
    return ds_fail(err, DS_ERR_ARGUMENT, "list of %d rows for %d own atoms", list->rows,
                   dpd->nlocal);
  const ds_status s = dpd->backend->set_list(dpd, list, err);
  dpd->have_list = s == DS_OK;
  return s;
}

ds_status ds_dpd_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err)
{
  if (!dpd->have_positions || !dpd->have_list)
    return ds_fail(err, DS_ERR_ARGUMENT, "forces wanted before positions and list");
  result->force_unit = 1.0 / dpd->params.scales.force;
  return dpd->backend->compute(dpd, result, err);
}

ds_status ds_dpd_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                           ds_error *err)
{
  if (!dpd->have_list) return ds_fail(err, DS_ERR_ARGUMENT, "no list was built or set");
  return dpd->backend->read_list(dpd, atom, core, count, entries, err);
}

ds_dpd_info ds_dpd_get_info(const ds_dpd *dpd)
{
  ds_dpd_info info;
  memset(&info, 0, sizeof info);
  info.backend = dpd->backend->name;
  info.no_gpu = dpd->no_gpu.text;
  memcpy(info.cells, dpd->grid.cells, sizeof info.cells);
  dpd->backend->get_info(dpd, &info);
  return info;
}

double ds_dpd_single(const ds_dpd_model *m, int itype, int jtype, double r2, double dot,
                     double noise, double special, double *force_over_r)
{
  const int k = (itype - 1) * m->ntypes + jtype - 1;
  const double cut = m->cutoff[k];
  ds_dpd_coeff_d c;
  double w;
  *force_over_r = 0.0;
  if (!(cut > 0.0) || r2 >= cut * cut || r2 <= DS_CONTACT2 * cut * cut) return 0.0;
  c.a = m->a[k];
  c.gamma = m->gamma[k];
  c.sigma = noise != 0.0 ? sqrt(2.0 * m->gamma[k] * m->kT / m->dt) : 0.0;
  c.inverse_cut = 1.0 / cut;
  c.cut2 = cut * cut;
  c.power = m->power[k];
  *force_over_r = ds_dpd_force_d(&c, r2, dot, noise, special, sqrt(special), 1, &w);
  return special * 0.5 * m->a[k] * cut * w * w;
}

ds_status ds_dpd_force_error(const ds_dpd *dpd, int64_t tag_i, int64_t tag_j, double force,
                             ds_error *err)
{
  const double limit =
      (dpd->options.precision == DS_PRECISION_DOUBLE ? DS_PAIR_LIMIT64 : (double) DS_PAIR_LIMIT) /
      dpd->params.scales.force;
  return ds_fail(
      err, DS_ERR_FORCE_RANGE,
      "force %g between atoms %lld and %lld at step %lld exceeds the fixed-point range, at "
      "most %g with these coefficients",
      force, (long long) tag_i, (long long) tag_j, (long long) dpd->step, limit);
}

ds_status ds_dpd_position_error(const ds_dpd *dpd, int64_t tag, const double x[3], ds_error *err)
{
  return ds_fail(err, DS_ERR_POSITION,
                 "atom %lld at (%g, %g, %g) at step %lld is not a number or further outside its "
                 "subdomain than the skin %g allows",
                 (long long) tag, x[0], x[1], x[2], (long long) dpd->step, dpd->box.slack);
}

static double joined(const int64_t sum[2], double scale)
{
  return (ldexp((double) sum[0], DS_SUM_SHIFT) + (double) sum[1]) / scale;
}

/* Every pair is met from both sides, so sums over rows count it twice. */
void ds_dpd_finish_sums(const ds_dpd *dpd, const ds_dpd_sums *sums, ds_dpd_result *result)
{
  const ds_scales *scales = &dpd->params.scales;
  result->energy = 0.5 * joined(sums->energy, scales->energy);
  for (int k = 0; k < 6; k++)
    result->virial[k] = 0.5 * dpd->params.cutoff * joined(sums->virial[k], scales->force);
  for (int k = 0; k < 3; k++) result->force_sum[k] = sums->force[k];
}
