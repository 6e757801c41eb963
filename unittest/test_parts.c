/* test_parts.c: parts of stages that several GPUs have, and which GPUs read a slot.   SPDX-License-Identifier: GPL-2.0-or-later

   A GPU reads its own copies of the atoms of its rows. So whatever the blocks of a stage are, the GPU that has a row must be
   among those that ds_gpus_of_slots tells. */
#include "../cuda/core/copies.h"
#include "check.h"

enum { MOST_SLOTS = 300000000 };

/* Of stages: threads of a block, and of a slot. */
static const struct {
  int threads, of_slot;
} shape[] = {{128, 1}, {128, 2}, {128, 4}, {256, 1}};

static void check_slot(int slot, int slots, int gpus, int gpu)
{
  const float per_slot = ds_gpus_per_slot(slots, gpus);
  const uint32_t readers = ds_gpus_of_slots(slot, slot + 1, per_slot, gpus);
  CHECK_MSG(readers >> gpu & 1, "slot %d of %d, which GPU %d of %d has, is read by GPUs %x", slot, slots, gpu, gpus, readers);
  CHECK_MSG(readers >> gpus == 0, "slot %d of %d is read by GPUs %x of %d", slot, slots, readers, gpus);
  if (readers & (readers - 1)) return;
  const int told = ds_gpu_of_slot(slot, per_slot, gpus);
  CHECK_MSG(readers == 1u << told, "slot %d of %d is read by GPU %x alone, told is %d", slot, slots, readers, told);
}

/* First and last slots of the parts of a stage. */
static void check_stage(int slots, int gpus, int threads, int of_slot)
{
  const int64_t in_block = threads / of_slot, blocks = (slots + in_block - 1) / in_block;
  const int64_t each = ds_blocks_of_gpu((uint32_t) blocks, gpus) * in_block;
  for (int gpu = 0; gpu < gpus; gpu++) {
    const int64_t first = gpu * each, end = first + each < slots ? first + each : slots;
    if (first >= end) continue;
    check_slot((int) first, slots, gpus, gpu);
    check_slot((int) (end - 1), slots, gpus, gpu);
    check_slot((int) ((first + end) / 2), slots, gpus, gpu);
  }
}

static void test_parts(void)
{
  uint64_t seed = 11;
  for (int gpus = 2; gpus <= DS_MAX_GPUS; gpus++)
    for (int k = 0; k < 400; k++) {
      const int random = 1 + (int) (check_random(&seed) % (uint64_t) (1 << (k % 29)));
      const int slots = k < 260 ? 1 + k : k == 399 ? MOST_SLOTS : random;
      for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) check_stage(slots, gpus, shape[s].threads, shape[s].of_slot);
    }
}

/* Of many slots nearly all are read by one GPU. */
static void test_few_are_shared(void)
{
  const int slots = 10000000;
  for (int gpus = 2; gpus <= DS_MAX_GPUS; gpus++) {
    int shared = 0;
    for (int slot = 0; slot < slots; slot += 100) {
      const uint32_t readers = ds_gpus_of_slots(slot, slot + 1, ds_gpus_per_slot(slots, gpus), gpus);
      shared += (readers & (readers - 1)) != 0;
    }
    CHECK_MSG(shared > 0 && shared < slots / 100 / 20, "%d of %d slots are read by several of %d GPUs", shared, slots / 100,
              gpus);
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_parts());
  CHECK_CASE(test_few_are_shared());
  return check_result();
}
