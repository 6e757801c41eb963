/* What sweeps know of a model, and one evaluation of forces: what its stages read and write, on either backend.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_EVALUATION_H
#define DPDSOP_EVALUATION_H

#include "../neighbor/list.h"
#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/pair.h"
#include "row_end.h"

DS_C_BEGIN

/* ------------------------------------------------------------------------------------------- tables */

typedef struct {
  int ntypes;
  int words;     /* reals per pair of types; the first is the squared cutoff */
  int general;   /* some exponent differs from 1 */
  double cutoff; /* the largest, length: the kernels' unit of length */
  double skin;   /* length */
  uint32_t seed, place;
  double special[4], special_root[4]; /* what terms are multiplied by */
  double force_scale, energy_scale, density_scale;
  double *cut; /* cutoffs by pairs of types, length; 0: the pair does not interact */
  void *coeff; /* ntypes^2 records of the evaluator, row-major, in reals of the precision */
} ds_sweep_tables;

/* model.c: tables of a model, from zeros; an error where it is not in order. */
ds_status ds_tables_make(ds_sweep_tables *tables, const ds_pair_style *style, const ds_pair_model *model,
                         ds_precision precision, ds_error *err);
void ds_tables_free(ds_sweep_tables *tables);

/* What a list has to hold for the styles that it is made for. */
typedef struct {
  int ntypes;
  int differ;      /* the range is not the same for all pairs of types */
  double cutoff;   /* the largest of all styles, length: the lists' unit of length */
  double shortest; /* of the cutoffs of pairs that interact */
  double range;    /* the largest of cutoff + skin, length */
  float *squared;  /* ntypes^2 squared ranges in largest cutoffs; 0: the pair does not interact */
} ds_list_ranges;

/* model.c: of n tables, all of as many types. unit: the lists' unit of length; 0: the largest cutoff of these tables. */
ds_status ds_ranges_make(ds_list_ranges *ranges, const ds_sweep_tables *const tables[], int n, double unit, ds_error *err);

/* What integers of rows are worth; every pair is in the rows of both atoms, hence the halves. */
typedef struct {
  double force, half_energy, half_virial;
} ds_row_units;

/* --------------------------------------------------------------------------------------- evaluation */

enum { DS_SWEEP_THREADS = 128 }; /* rows of a block on the GPU */

/* So many rows keep a GPU busy with a thread each; of fewer, the time of a step is that of its kernels one after the other. */
static inline int ds_enough_rows(const ds_queue *q)
{
  enum { PER_MULTIPROCESSOR = 1536 }; /* by trial */
  return q->multiprocessors * PER_MULTIPROCESSOR;
}

/* Values by own atom: added to the array's, or written where `put` is not 0. data NULL: not wanted. */
typedef struct {
  ds_array to;
  int put;
} ds_result;

enum { DS_FORCES, DS_ENERGIES, DS_VIRIALS, DS_RESULTS };

/* The same for every style and precision; pointers to where stages work. */
typedef struct {
  ds_frame frame;
  int nlocal, ntypes;
  int style; /* number of it in the pair object */
  ds_list_view list;
  const void *position, *velocity; /* by slot: particles.h */
  size_t copy_stride;              /* from one GPU's copy of them to the next one's */
  const void *charge;              /* by slot, for styles that read charges */
  const int64_t *tag;              /* by slot */
  const void *coeff;               /* the style's records */
  ds_result result[DS_RESULTS];
  ds_row_units unit;
  const int32_t *rows;        /* on the GPU, of a list of the style's own (own_list_cuda.cu): how many; NULL: all slots */
  const int32_t *slot_of_row; /* of such a list; its entries, too, are slots */
  int about;                  /* how many rows there are, as far as the host knows */
  const uint8_t *inner; /* by block of rows, on the GPU: of which kind it is; NULL: all are swept */
  int is_inner;         /* the kind that is swept */
  int diagonal;         /* of a tally, xx, yy and zz of the virial alone are made: the others and the energy are 0 */
} ds_sweep_io;

/* For the control block's force_fault. */
enum { DS_FAULT_ENTRY_BITS = 28 };

DS_FUNC unsigned long long ds_force_fault_of(int row, int style, int entry)
{
  return ~((unsigned long long) row << 32 | (uint32_t) style << DS_FAULT_ENTRY_BITS | (uint32_t) entry);
}

DS_FUNC void ds_deliver(const ds_result *r, ptrdiff_t atom, int components, const int64_t *sum, double unit)
{
  for (int c = 0; c < components; c++) {
    const double value = (double) sum[c] * unit;
    if (r->put)
      ds_array_put(&r->to, atom, c, value);
    else
      ds_array_add(&r->to, atom, c, value);
  }
}

/* Integers that are summed over a row: three of the force, and with a tally energy and virial. */
enum { DS_SUM_ENERGY = 3, DS_SUM_VIRIAL = 4, DS_ROW_SUMS = 10 };

DS_FUNC void ds_deliver_row(const ds_sweep_io *io, ptrdiff_t atom, const int64_t *sum, int tally)
{
  const ds_result *const to = io->result;
  ds_deliver(&to[DS_FORCES], atom, 3, sum, io->unit.force);
  if (!tally) return;
  if (to[DS_ENERGIES].to.data) ds_deliver(&to[DS_ENERGIES], atom, 1, sum + DS_SUM_ENERGY, io->unit.half_energy);
  if (to[DS_VIRIALS].to.data) ds_deliver(&to[DS_VIRIALS], atom, 6, sum + DS_SUM_VIRIAL, io->unit.half_virial);
}

/* A force out of range, as a sweep on the host finds it: slots of one such pair and the force. */
typedef struct {
  int found;
  uint32_t i, j;
  double force;
} ds_sweep_fault;

typedef struct ds_evaluation ds_evaluation;

/* Adds what pairs in rows first .. last - 1 give to the sums of rows: sweeps_simd.c. */
typedef void ds_sweep_function(const ds_evaluation *e, int first, int last, ds_sweep_fault *fault);

/* Densities, of a style whose forces depend on them; pointers to where stages work. */
typedef struct {
  void *of_slot;        /* in reals of the precision: what the sweep of forces reads */
  double *of_atom;      /* own and ghost */
  double unit;          /* what integers of rows are worth */
  const int32_t *owner; /* as ds_atom_source has it: of an image, whose density is that of its atom; NULL: no images */
} ds_sweep_densities;

/* The atom whose density that of a ghost is. */
DS_FUNC int ds_density_source(const ds_sweep_densities *d, int nlocal, int ghost)
{
  return d->owner ? d->owner[4 * (size_t) (ghost - nlocal)] : ghost;
}

/* Adds what pairs in rows first .. last - 1 give to densities, one sum of each row: sweeps_simd.c. */
typedef void ds_density_function(const ds_evaluation *e, int first, int last);

struct ds_evaluation {
  ds_queue *queue;
  const ds_pair_style *style;
  ds_precision precision;
  const ds_sweep_tables *tables;
  int threads;
  ds_sweep_io io;
  int special; /* some pair may have a factor other than 1 */
  int tally;   /* energies and virials, too, and sums over all rows into the control block */
  int64_t step;
  ds_buffer row_sums; /* host: int64 by row, ds_sums_of_row of each, or one of densities */
  ds_sweep_function *sweep_rows; /* host: of this style and instruction set */
  ds_sweep_densities densities;
  ds_density_function *density_rows; /* host, likewise; NULL: the style has no densities */
  const ds_row_end *row_end; /* GPU: what rows end with, besides their forces; NULL: nothing */
};

static inline int ds_sums_of_row(const ds_evaluation *e)
{
  return e->tally ? DS_ROW_SUMS : DS_SUM_ENERGY;
}

static inline int64_t *ds_row_sums(const ds_evaluation *e, int row)
{
  return DS_DATA(int64_t, e->row_sums) + (size_t) row * (size_t) ds_sums_of_row(e);
}

typedef struct {
  ds_status (*sweep)(ds_evaluation *e, ds_error *err);
  /* Tags and size of the force that the control block's key names, into the control block. NULL: the sweep has done it. */
  ds_status (*identify)(ds_evaluation *e, ds_error *err);
  /* Densities of all rows; and those of the slots of ghosts, from densities.of_atom. On the GPU NULL where there are none. */
  ds_status (*density)(ds_evaluation *e, ds_error *err);
  ds_status (*spread)(ds_evaluation *e, ds_error *err);
} ds_force_stages;

extern const ds_force_stages ds_force_stages_host;
const ds_force_stages *ds_force_stages_cuda(const ds_pair_style *style, ds_precision precision);

/* The host's sweep of a style. */
typedef ds_sweep_function *ds_host_sweep_function(const ds_pair_style *style, ds_precision precision);
extern ds_host_sweep_function ds_host_sweep_base, ds_host_sweep_avx2, ds_host_sweep_avx512;

/* And that of its densities; NULL where it has none. */
typedef ds_density_function *ds_host_density_function(const ds_pair_style *style, ds_precision precision);
extern ds_host_density_function ds_host_density_base, ds_host_density_avx2, ds_host_density_avx512;

DS_C_END
#endif
