/* test_engine_memory.c: a crowded place costs the room of its own pairs and no more, and what it took is
   given back when the crowd has gone.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_memory cuda" makes the same checks on the GPU, of its memory; "test_engine_memory cuda 8000000 5000"
   those of a crowd of 5,000 among 8 million. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/engine.h"

/* 700 atoms of 60,000 have half a million pairs among themselves, beside the 1.6 million of all others; rows that were
   all as long as the longest would be forty million entries. */
static int atoms = 60000, crowd_size = 700;

static test_variants variants;
static const double origin[3] = {0, 0, 0};
static const int all_periodic[3] = {1, 1, 1};

/* The same number of atoms at density 3, of which `crowd` are within one range of each other. */
static void open_system(test_system *s, const test_model *t, int crowd, uint64_t seed)
{
  const double edge = cbrt(atoms / 3.0), h[6] = {edge, edge, edge, 0, 0, 0},
               center[3] = {0.3 * edge, 0.6 * edge, 0.5 * edge};
  test_system all;
  system_open(&all, origin, h, all_periodic, model_range(t), t->m.skin);
  system_ball(&all, crowd, center, 0.5 * model_range(t), 1, 1.0, &seed);
  system_fill(&all, atoms - crowd, 1, 1.0, &seed);
  *s = all;
  s->box.undecomposed[0] = s->box.undecomposed[1] = s->box.undecomposed[2] = 1;
}

static size_t bytes_of(const test_engine *e)
{
  const ds_pair_info info = ds_pair_get_info(e->dpd);
  return info.bytes_device ? info.bytes_device : info.bytes_host;
}

/* Bytes after a list of such a system, in an engine that may have had others. */
static size_t run(test_engine *e, const test_model *t, int crowd, int64_t *entries)
{
  test_system s;
  size_t bytes = 0;
  open_system(&s, t, crowd, 1200);
  if (CHECK_OK(engine_setup(e, t, &s, 3), e->err) && CHECK_OK(engine_forces(e, 0), e->err)) {
    bytes = bytes_of(e);
    int *const atom = test_alloc((size_t) atoms * sizeof *atom), rows;
    int64_t *const start = test_alloc(((size_t) atoms + 1) * sizeof *start);
    if (CHECK_OK(ds_pair_read_list(e->dpd, &rows, atom, start, NULL, &e->err), e->err))
      *entries = start[rows];
    CHECK(engine_room(e) >= *entries);
    free(atom);
    free(start);
  }
  e->system = NULL;
  system_close(&s);
  return bytes;
}

static void test_crowd(const ds_pair_options *options)
{
  test_model t;
  test_engine e;
  int64_t few = 0, more = 0;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  t.m.kT = 0.0;
  if (!CHECK_OK(engine_open(&e, options, DS_PRECISION_MIXED), e.err)) return;
  const size_t uniform = run(&e, &t, 0, &few);
  engine_close(&e);
  if (!CHECK_OK(engine_open(&e, options, DS_PRECISION_MIXED), e.err)) return;
  const size_t crowded = run(&e, &t, crowd_size, &more);
  engine_close(&e);
  /* each has all others of the crowd, but is missing among atoms elsewhere */
  CHECK(more > few + (int64_t) (0.98 * crowd_size * crowd_size));
  printf("  %s: %zu bytes, with a crowd %zu\n", variant_name(options), uniform, crowded);
  CHECK_BOUND((double) crowded / (double) uniform, 1.3, "bytes with a crowd / without");
}

/* A crowd of 3,500: its 12 million pairs need their room, and leave it, one list later at the latest, as it is a list
   that tells how much room the next is likely to need. */
static void test_given_back(const ds_pair_options *options)
{
  test_model t;
  test_engine e;
  int64_t entries = 0;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  t.m.kT = 0.0;
  if (!CHECK_OK(engine_open(&e, options, DS_PRECISION_MIXED), e.err)) return;
  const size_t before = run(&e, &t, 0, &entries), crowded = run(&e, &t, 3500, &entries);
  CHECK(entries > 12000000);
  run(&e, &t, 0, &entries);
  const size_t after = run(&e, &t, 0, &entries);
  CHECK_BOUND((double) crowded / ((double) before + 4.0 * 12.25e6), 1.3,
              "bytes of a crowd / expected");
  CHECK_BOUND((double) after / (double) before, 1.3, "bytes after the crowd / before");
  engine_close(&e);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  const int plain = atoms;
  atoms = (int) check_number(atoms);
  crowd_size = (int) check_number(crowd_size);
  for (int k = 0; k < variants.n; k++) {
    CHECK_CASE(test_crowd(&variants.options[k]));
    if (atoms == plain) CHECK_CASE(test_given_back(&variants.options[k]));
  }
  return check_result();
}
