/* Copies of arrays by slot, one for each of several GPUs, in its own memory.   SPDX-License-Identifier: GPL-2.0-or-later

   A sweep reads each atom some twenty times, and a list is made from its place some hundred times. Where the atom lies in
   another GPU's memory, each of these comes through NVLink, which made a sweep of a million rows a fifth longer. So each GPU
   has a copy of what they read, and an atom is written to the copies of all GPUs that have a row in its stencil: one, for all
   but the atoms next to another GPU's rows. What else a copy has is never read. */
#ifndef DPDSOP_CORE_COPIES_H
#define DPDSOP_CORE_COPIES_H

#include "queue.h"

DS_C_BEGIN

/* Passed to kernels by value. */
typedef struct {
  uint32_t *readers; /* by slot: a bit for each GPU that reads it; NULL: there is one GPU */
  size_t stride;     /* elements from one GPU's copy to the next one's */
  float gpus_per_slot;
  int gpus;
} ds_copies;

enum { DS_SLOT_BITS = 31 }; /* the next bit marks a slot that several GPUs read */

/* Room for `count` elements of each GPU, which begins where the GPU's memory does. */
static inline ds_status ds_reserve_copies(ds_queue *q, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err)
{
  const size_t gpus = (size_t) q->gpus.n, page = q->gpus.page / size;
  return ds_queue_reserve(q, b, gpus > 1 ? gpus * ((count + page - 1) / page * page) : count, size, what, err);
}

/* Elements from one GPU's copy to the next one's. */
static inline size_t ds_copy_stride(const ds_queue *q, const ds_buffer *b, size_t size)
{
  return b->bytes / size / (size_t) q->gpus.n;
}

DS_FUNC float ds_gpus_per_slot(int slots, int gpus)
{
  return slots ? (float) gpus / (float) slots : 0.0f;
}

/* A bit for each GPU that may have the row of a slot from first .. end - 1. Stages have blocks of different sizes, so that
   their parts begin and end at slots that differ by less than the margin, which also has room for what is rounded here. */
DS_FUNC uint32_t ds_gpus_of_slots(int first, int end, float gpus_per_slot, int gpus)
{
  enum { LARGEST_BLOCK = 256 };
  const float margin = 2.0f * gpus * LARGEST_BLOCK, low = ((float) first - margin) * gpus_per_slot,
              high = ((float) end + margin) * gpus_per_slot;
  const int from = low > 0.0f ? (int) low : 0, to = high < (float) (gpus - 1) ? (int) high : gpus - 1;
  return (2u << to) - (1u << from);
}

/* Of a slot that one GPU reads: which. */
DS_FUNC int ds_gpu_of_slot(int slot, float gpus_per_slot, int gpus)
{
  const int gpu = (int) ((float) slot * gpus_per_slot);
  return gpu < gpus ? gpu : gpus - 1;
}

DS_C_END

#ifdef __CUDACC__
__device__ __forceinline__ uint32_t ds_readers_of(const ds_copies &c, int slot)
{
  return c.readers ? c.readers[slot] : 1u;
}

/* The slot of an atom as it is noted: marked where it has several readers. */
__device__ __forceinline__ int ds_mark_slot(int slot, uint32_t readers)
{
  return (int) ((uint32_t) slot | (readers & (readers - 1) ? 1u << DS_SLOT_BITS : 0));
}

/* The slot that was noted, and its readers: the table of these is read for few atoms only. */
__device__ __forceinline__ int ds_find_slot(const ds_copies &c, int noted, uint32_t *readers)
{
  const int slot = noted & (int) ((1u << DS_SLOT_BITS) - 1);
  *readers = noted < 0 ? c.readers[slot] : 1u << ds_gpu_of_slot(slot, c.gpus_per_slot, c.gpus);
  return slot;
}

template <class T>
__device__ __forceinline__ void ds_write_copies(const ds_copies &c, size_t stride, uint32_t readers, T *copies, int slot,
                                                const T &value)
{
  if (!c.readers) copies[slot] = value;
  for (uint32_t left = c.readers ? readers : 0; left; left &= left - 1) copies[(__ffs((int) left) - 1) * stride + slot] = value;
}
#endif

#endif
