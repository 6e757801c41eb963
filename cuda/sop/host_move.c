/* Host backend: noise, and the step itself.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- noise */

void ds_sop_host_words(const ds_sop *sop, ds_sop_host *h, int64_t step, size_t first, int n, uint32_t *const words[4])
{
  static ds_sop_words_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_counter_words);
  const ds_sop_generator *const g = sop->generator;
  if (g->bytes)
    ds_sop_next_words(g, DS_DATA(char, h->states) + (size_t) g->bytes * first, n, words);
  else
    kernel[h->isa](g->kind, sop->options.seed, (uint64_t) step, DS_DATA(uint64_t, h->id) + first, n, words);
}

/* -------------------------------------------------------------------------------------------- step */

static int64_t lower(int64_t a, int64_t b)
{
  return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The lowest bead of a batch that would move too far; each is tried by itself. */
static int64_t find_bead(const ds_sop *sop, const ds_sop_host *h, const ds_sop_move *move, size_t first, int n)
{
  static ds_sop_move_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_move_beads);
  int32_t unused[6];
  int32_t *const x[3] = {unused, unused + 1, unused + 2};
  int32_t *const predicted[3] = {unused + 3, unused + 4, unused + 5};
  int64_t lowest = -1;
  for (int k = 0; k < n; k++) {
    ds_sop_move one = *move;
    for (int c = 0; c < 4; c++) one.words[c] += k;
    for (int c = 0; c < 3; c++) {
      one.force[c] += k;
      if (one.before[c]) one.before[c] += k;
      one.other[c] += k;
      one.position[c] += k;
      one.noise[c] = NULL;
    }
    one.moves += k;
    if (kernel[h->isa](&one, 1, x, predicted)) lowest = lower(lowest, ds_sop_bead_of_place(sop, h, first + (size_t) k));
  }
  return lowest;
}

/* At most DS_SOP_BATCH places. */
static int64_t move_batch(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, size_t first, int n)
{
  static ds_sop_move_function *const kernel[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sop_move_beads);
  const int second_order = sop->options.order == 2;
  uint32_t own[4][DS_SOP_BATCH], *words[4];
  int32_t *x[3], *predicted[3];
  ds_sop_move move;
  move.units = half == 1 ? step->units.half : step->units.whole;
  for (int k = 0; k < 4; k++) {
    words[k] = second_order ? DS_DATA(uint32_t, h->words[k]) + first : own[k];
    move.words[k] = words[k];
  }
  if (half == 0) ds_sop_host_words(sop, h, step->number, first, n, words);
  for (int c = 0; c < 3; c++) {
    move.force[c] = DS_DATA(int32_t, h->force[0][c]) + first;
    move.before[c] = half == 1 ? DS_DATA(int32_t, h->force[1][c]) + first : NULL;
    move.other[c] = DS_DATA(float, h->other[c]) + first;
    move.position[c] = DS_DATA(int64_t, h->position[c]) + first;
    move.noise[c] = step->last && half == second_order ? DS_DATA(int32_t, h->noise[c]) + first : NULL;
    x[c] = DS_DATA(int32_t, h->x[c]) + first;
    predicted[c] = second_order ? DS_DATA(int32_t, h->predicted[c]) + first : NULL;
  }
  move.moves = DS_DATA(int32_t, h->moves) + first;
  const int only_predicts = second_order && half == 0;
  if (kernel[h->isa](&move, n, x, only_predicts ? predicted : NULL)) return find_bead(sop, h, &move, first, n);
  if (only_predicts) /* the forces of this half are wanted again in the other */
    for (int c = 0; c < 3; c++) memcpy(DS_DATA(int32_t, h->force[1][c]) + first, move.force[c], (size_t) n * sizeof(int32_t));
  return -1;
}

int64_t ds_sop_host_move(const ds_sop *sop, ds_sop_host *h, const ds_sop_host_step *step, int half, size_t first, size_t last)
{
  int64_t lowest = -1;
  for (size_t at = first; at < last; at += DS_SOP_BATCH) {
    const int n = last - at < DS_SOP_BATCH ? (int) (last - at) : DS_SOP_BATCH;
    lowest = lower(lowest, move_batch(sop, h, step, half, at, n));
  }
  return lowest;
}
