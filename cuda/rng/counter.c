/* Counter-based generators on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

typedef struct {
  const ds_rng *rng;
  uint64_t next;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  worker *w = to;
  w->rng = r;
  w->next = r->position + offset;
  return ds_succeed(err);
}

/* n groups, from the one that the next word lies in. */
static void groups(const worker *w, int n, uint32_t *out)
{
  static ds_counter_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_counter_groups);
  const ds_rng *const r = w->rng;
  variant[r->isa](r->method->kind, r->options.seed, r->options.rounds, w->next / 4, n, out);
}

/* Words of one group, from the next one on. */
static int part(worker *w, uint32_t *out, int n)
{
  uint32_t group[4];
  const int from = (int) (w->next % 4), count = 4 - from < n ? 4 - from : n;
  groups(w, 1, group);
  memcpy(out, group + from, (size_t) count * sizeof *out);
  w->next += (uint64_t) count;
  return count;
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  if (w->next % 4) {
    const int done = part(w, out, n);
    out += done;
    n -= done;
  }
  groups(w, n / 4, out);
  w->next += (uint64_t) (n / 4 * 4);
  if (n % 4) part(w, out + n / 4 * 4, n % 4);
}

ds_status ds_counter_fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 0, start, words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}
