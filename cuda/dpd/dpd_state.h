/* What both backends share: parameters ready for the kernels, and the backend's functions.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_STATE_H
#define DPDSOP_DPD_STATE_H

#include "dpdsop/dpd.h"
#include "dpdsop/dpd_pair.h"
#include "dpdsop/fixed_sum.h"
#include "dpdsop/neighbor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Interaction parameters in the kernels' units; a plain value apart from the tables. */
typedef struct {
  int ntypes;
  int general_power; /* some exponent differs from 1 */
  double cutoff;     /* the largest, length: the kernels' unit of length */
  double range;      /* cutoff + skin, length */
  double special[4], special_root[4];
  float specialf[4], special_rootf[4];
  uint32_t seed;
  ds_scales scales;
  ds_dpd_coeff_f *coeff_f; /* ntypes^2 each; also used by single precision */
  ds_dpd_coeff_d *coeff_d;
  float *core2, *list2;
} ds_dpd_params;

typedef struct ds_dpd_backend ds_dpd_backend;

struct ds_dpd {
  const ds_dpd_backend *backend;
  void *state; /* the backend's own */
  ds_dpd_options options;
  ds_dpd_params params;
  int params_serial; /* counts ds_dpd_set_model calls, for backends that keep a copy */
  ds_box box;
  ds_frame frame;
  ds_grid grid;
  int nlocal, nghost;
  int64_t step;
  int have_model, have_box, have_atoms, have_list, have_positions;
  ds_error no_gpu; /* why backend auto took the host; an empty text where it did not */
};

/* Arguments have been checked by the caller (dpd.c); the frame and, for build_list, the grid are
   current. */
struct ds_dpd_backend {
  const char *name;
  ds_status (*open)(ds_dpd *dpd, ds_error *err);
  void (*close)(ds_dpd *dpd);
  ds_status (*set_atoms)(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err);
  ds_status (*load)(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err);
  ds_status (*get_velocities)(ds_dpd *dpd, const ds_array *v, ds_error *err);
  ds_status (*pack_ghosts)(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                           ds_error *err);
  ds_status (*unpack_ghosts)(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err);
  ds_status (*set_ghost_owners)(ds_dpd *dpd, const int *owner, const int *image, ds_error *err);
  ds_status (*build_list)(ds_dpd *dpd, ds_error *err);
  ds_status (*set_list)(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err);
  ds_status (*compute)(ds_dpd *dpd, ds_dpd_result *result, ds_error *err);
  ds_status (*read_list)(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                         ds_error *err);
  void (*get_info)(const ds_dpd *dpd, ds_dpd_info *info);
};

extern const ds_dpd_backend ds_dpd_host_backend;
#ifdef DS_HAVE_CUDA
extern const ds_dpd_backend ds_dpd_cuda_backend;
#endif

/* Bytes of one ghost's message: position, velocity, signature (design of the exact path). */
enum { DS_GHOST_BYTES = 28, DS_GHOST_BYTES64 = 52 };

/* "pair of atoms 12 and 30: force 1e30 ..." for a force out of range; x, y, z in force units. */
ds_status ds_dpd_force_error(const ds_dpd *dpd, int64_t tag_i, int64_t tag_j, double force,
                             ds_error *err);

/* "atom 12 at (x, y, z) ..." for a position out of range. */
ds_status ds_dpd_position_error(const ds_dpd *dpd, int64_t tag, const double x[3], ds_error *err);

/* Results of integer sums: low and high parts so that no number of atoms overflows. */
typedef struct {
  int64_t energy[2];
  int64_t virial[6][2];
  int64_t force[3];
} ds_dpd_sums;

enum { DS_SUM_SHIFT = 24 };

/* Add q as (q >> 24, q & 0xffffff). */
DS_FUNC void ds_sum_add(int64_t sum[2], int64_t q)
{
  sum[0] += q >> DS_SUM_SHIFT;
  sum[1] += q & (((int64_t) 1 << DS_SUM_SHIFT) - 1);
}

void ds_dpd_finish_sums(const ds_dpd *dpd, const ds_dpd_sums *sums, ds_dpd_result *result);

#ifdef __cplusplus
}
#endif
#endif
