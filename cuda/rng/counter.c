/* Counter-based generators on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

ds_status ds_counter_start(const ds_rng *r, ds_block_function *const variant[DS_ISA_COUNT],
                           int words, ds_counter_worker *w, uint64_t offset, ds_error *err)
{
  w->blocks = variant[r->isa];
  w->words = words;
  w->seed = r->options.seed;
  w->rounds = r->options.rounds;
  w->next = r->position + offset;
  return ds_succeed(err);
}

/* Words of one block, from the next one on. */
static int part(ds_counter_worker *w, uint32_t *out, int n)
{
  uint32_t block[DS_MOST_BLOCK];
  const int from = (int) (w->next % (uint64_t) w->words);
  const int count = w->words - from < n ? w->words - from : n;
  w->blocks(w->seed, w->rounds, w->next / (uint64_t) w->words, 1, block);
  memcpy(out, block + from, (size_t) count * sizeof *out);
  w->next += (uint64_t) count;
  return count;
}

void ds_counter_words(void *from, uint32_t *out, int n)
{
  ds_counter_worker *w = from;
  if (w->next % (uint64_t) w->words) {
    const int done = part(w, out, n);
    out += done;
    n -= done;
  }
  const int whole = n / w->words;
  w->blocks(w->seed, w->rounds, w->next / (uint64_t) w->words, whole, out);
  w->next += (uint64_t) (whole * w->words);
  if (n % w->words) part(w, out + whole * w->words, n % w->words);
}
