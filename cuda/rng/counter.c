/* Counter-based generators on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

typedef struct {
  ds_block_function *blocks;
  int words; /* of a block */
  uint64_t seed, next;
  int rounds;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  worker *w = to;
  w->blocks = r->method->counter->blocks[r->isa];
  w->words = r->method->counter->words;
  w->seed = r->options.seed;
  w->rounds = r->options.rounds;
  w->next = r->position + offset;
  return ds_succeed(err);
}

/* Words of one block, from the next one on. */
static int part(worker *w, uint32_t *out, int n)
{
  uint32_t block[DS_MOST_BLOCK];
  const int from = (int) (w->next % (uint64_t) w->words);
  const int count = w->words - from < n ? w->words - from : n;
  w->blocks(w->seed, w->rounds, w->next / (uint64_t) w->words, 1, block);
  memcpy(out, block + from, (size_t) count * sizeof *out);
  w->next += (uint64_t) count;
  return count;
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
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

ds_status ds_counter_fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 0, start, words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}
