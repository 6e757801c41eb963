/* A neighbor list in the making, on either backend (dpdsop/device/neighbor.h).   SPDX-License-Identifier: GPL-2.0-or-later

   A rebuild has two halves, because the atoms are put into the sorted order between them: order and cells (ds_list_begin,
   atoms noted by the caller, ds_list_order), and rows (ds_list_rows). All work is queued; nothing waits.

   Cells have numbers: on the host row-major ones, on the GPU those along the curve, in which atoms are counted and put into
   order.

   Rows of the host lie one after the other. A pair of own atoms is in the row of the lower slot alone, unless rows are wanted
   both ways, as several threads want them; a pair of an own atom and a ghost is in the row of the own one.

   On the GPU each row has all partners of its atom. Rows of a warp's 32 atoms lie side by side, four entries of each in turn,
   so that the warp reads and writes them as one piece of 512 bytes. They are as wide as the longest of the 32. A row is filled
   up to a multiple of four with the atom itself, which is too near to count. */
#ifndef DPDSOP_LIST_H
#define DPDSOP_LIST_H

#include "../core/copies.h"
#include "../core/isa.h"
#include "../particles/placing.h"
#include "dpdsop/device/list_distance.h"
#include "dpdsop/device/neighbor.h"

DS_C_BEGIN

typedef struct ds_list ds_list;

/* What rows are made from; pointers to where stages work. */
typedef struct {
  ds_frame frame;
  int nlocal, ntypes;
  int both_ways;     /* 1: each row has all partners of its atom, as rows of the GPU always have */
  int ranges_differ; /* 1: the range is not the same for all pairs of types */
  float list2;       /* squared range in largest cutoffs, of two atoms of type 1 */
  ds_list_margins margin;
  const float *list2_table; /* of pairs of types; 0: the pair does not interact */
  const int32_t *position;  /* by slot: x y z type, the upper halves of 64-bit positions */
  size_t copy_stride;       /* from one GPU's copy of them to the next one's */
  const int64_t *tag;       /* by slot; only with special partners */
  ds_special special;       /* by atom */
  ds_exclusions excluded;
} ds_list_source;

typedef struct {
  ds_status (*stencils)(ds_list *l, ds_error *err); /* of all cells, and their numbers along the curve */
  /* Of the atoms that have been noted, and cells. Those with equal keys keep their order. `left`: a GPU's atoms are put into
     their cells, and the rest is left to the caller. */
  ds_status (*order)(ds_list *l, ds_ranking *left, int64_t step, ds_error *err);
  ds_status (*rows)(ds_list *l, const ds_list_source *source, int64_t step, ds_error *err);
} ds_list_stages;

extern const ds_list_stages ds_list_stages_base, ds_list_stages_avx2, ds_list_stages_avx512, ds_list_stages_cuda;

/* On the GPU: how far entry n of a row is from its first one. */
DS_FUNC uint32_t ds_lane_offset(int n)
{
  return (uint32_t) n + (uint32_t) n / 4 * 124;
}

/* On the GPU: where entry n of a row is whose first four entries are at `first`, in units of four. */
DS_FUNC size_t ds_lane_entry(uint32_t first, int n)
{
  return (size_t) first * 4 + ds_lane_offset(n);
}

/* build_cuda.cu */
ds_status ds_list_cuda_rows(ds_list *l, const ds_list_source *source, int64_t step, ds_error *err);

struct ds_list {
  ds_queue *queue;
  const ds_list_stages *stages;
  int number; /* below DS_LISTS, of those on its queue: where its entries are counted in the control block */
  int threads;
  int slots;
  int about;              /* on the GPU: rows of atoms, as far as is known, by which kernels are chosen */
  int both_ways;          /* of its rows (ds_list_source) */
  ds_sort_space sort;     /* its order: the atom of each slot */
  ds_buffer first, count; /* uint32, int32 by row */
  ds_buffer entries;      /* uint32 */
  size_t room;            /* of entries; what is wanted of it: ds_list_wanted */
  /* work space */
  ds_grid grid;
  ds_buffer curve, cell_count, cell_begin; /* int32 by cell, on the GPU: ds_placing; first slot, of several GPUs among those of
                                              the GPU's cells; tables of each GPU */
  ds_buffer noted, members;                /* on the GPU: ds_placing; code inside the cell and atom, cell after cell */
  ds_buffer cell_of_slot, slot_of_atom;    /* int32, on the GPU */
  ds_buffer cell_range;   /* 2 x int32 by cell: first slot, slot after the last; tables of each GPU */
  /* of several GPUs: */
  ds_buffer cell_readers, readers; /* uint32 by cell, tables of each GPU, and by slot: ds_copies.readers */
  ds_buffer reach;                 /* 2 x int32 by cell: lowest and highest cell of its stencil */
  ds_buffer stencil;      /* int32: DS_STENCIL by cell, -1 behind the last */
  ds_grid stencil_grid;   /* that the stencils are of */
  int clear_cells; /* on the GPU, whose counts an order has cleared behind it. Where it was stopped, they had not been counted,
                      as no stage between these can stop others. */
};

/* Of tables by cell each GPU has a copy: so many elements behind that of the GPU before it, so that it lies in its own
   memory, mostly. */
static inline int ds_list_stride(const ds_list *l, const ds_buffer *table, size_t element)
{
  return l->queue->gpus.n == 1 ? ds_grid_count(&l->grid) : (int) ds_copy_stride(l->queue, table, element);
}

/* Copies of an array by slot, of such elements. */
static inline ds_copies ds_list_copies(const ds_list *l, const ds_buffer *array, size_t element)
{
  const int gpus = l->queue->gpus.n;
  const ds_copies c = {DS_DATA(uint32_t, l->readers), ds_copy_stride(l->queue, array, element),
                       ds_gpus_per_slot(l->slots, gpus), gpus};
  return c;
}

/* Cells whose atoms each GPU counts. */
static inline int ds_list_cells_of_gpu(const ds_list *l)
{
  const int gpus = l->queue->gpus.n;
  return (ds_grid_count(&l->grid) + gpus - 1) / gpus;
}

/* What stages read of a list, and write where it is built. Passed to kernels by value. */
typedef struct {
  int slots;
  const int32_t *atom_of_slot;
  uint32_t *first, *entries;
  int32_t *count, *cell_of_slot, *cell_range, *stencil;
  int range_stride; /* from a GPU's ranges of cells to the next one's */
  int both_ways;
  int number; /* ds_list.number */
} ds_list_view;

static inline ds_list_view ds_list_view_of(const ds_list *l)
{
  const ds_list_view v = {l->slots,
                          l->sort.order,
                          DS_DATA(uint32_t, l->first),
                          DS_DATA(uint32_t, l->entries),
                          DS_DATA(int32_t, l->count),
                          DS_DATA(int32_t, l->cell_of_slot),
                          DS_DATA(int32_t, l->cell_range),
                          DS_DATA(int32_t, l->stencil),
                          ds_list_stride(l, &l->cell_range, 2 * sizeof(int32_t)),
                          l->both_ways,
                          l->number};
  return v;
}

/* Cells for a frame, at least `range` (cutoff + skin, length units) wide. natoms bounds their number in near-empty
   boxes. */
ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms, ds_error *err);

/* Halves the finest dimension until a cell table is no more than a few times the atoms. */
void ds_grid_limit_cells(int32_t cells[3], int natoms);

void ds_list_open(ds_list *l, ds_queue *q, int number, ds_isa isa, int threads);

/* Room for all but entries, for n atoms in the cells of a grid. */
ds_status ds_list_reserve(ds_list *l, const ds_grid *grid, int n, ds_error *err);

/* Entries that there must be room for, as the last report says: those of the GPU that has most, times GPUs. */
size_t ds_list_wanted(const ds_list *l);

/* Room for entries: what the last list wanted and a tenth, as far as that is known, else `guess`. Much more is given
   back. */
ds_status ds_list_reserve_entries(ds_list *l, size_t guess, ds_error *err);

/* First half: where atoms are to be noted, which is clear; then the order that they make, or, where `left` is not NULL, what
   is left to do for it. On the GPU, atoms whose cell has been noted as -1 have no part in it: the last slots are left over. */
ds_status ds_list_begin(ds_list *l, ds_placing *to, ds_error *err);
static inline ds_status ds_list_order(ds_list *l, ds_ranking *left, int64_t step, ds_error *err)
{
  return l->slots ? l->stages->order(l, left, step, err) : DS_OK;
}

/* Second half, where entries have been given room. Where the rows need more, the stages after it stop. */
static inline ds_status ds_list_rows(ds_list *l, const ds_list_source *source, int64_t step, ds_error *err)
{
  l->both_ways = source->both_ways;
  return l->slots ? l->stages->rows(l, source, step, err) : DS_OK;
}

/* Second half for a caller who waits: entries get room, at first for `guess`, until all rows have it. */
ds_status ds_list_build_rows(ds_list *l, const ds_list_source *source, size_t guess, ds_error *err);

DS_C_END
#endif
