/* MRG32k3a on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mrg32k3a_state.h"

#include <stdlib.h>

static const uint32_t MODULUS1 = 0u - DS_MRG32K3A_F1, MODULUS2 = 0u - DS_MRG32K3A_F2;

static ds_mrg32k3a_object *object_of(const ds_rng *r)
{
  return (ds_mrg32k3a_object *) r->state;
}

/* ------------------------------------------------------------------------------ seeds and skips */

static size_t state_words(const ds_rng_options *options)
{
  (void) options;
  return 6;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  uint32_t *larger = realloc(r->state, sizeof(ds_mrg32k3a_object));
  if (!larger) return ds_fail(err, DS_ERR_MEMORY, "no host memory for powers of a matrix");
  r->state = larger;
  ds_mrg32k3a_object *o = object_of(r);
  ds_mrg32k3a_seed_state(r->options.seed, o->state);
  ds_mrg32k3a_make_powers(&o->powers);
  return ds_succeed(err);
}

/* Residues, in no half all 0. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  int good = ds_rng_bits(state, 3) && ds_rng_bits(state + 3, 3);
  (void) r;
  for (int k = 0; k < 6; k++) good &= state[k] < (k < 3 ? MODULUS1 : MODULUS2);
  return good;
}

/* The table ends at 2^63; beyond it powers are squared (Bradley section 2.2). */
static ds_status skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  ds_mrg32k3a_object *o = object_of(r);
  if (log2_unit < 64) {
    ds_mrg32k3a_skip_state(o->state, &o->powers, count << log2_unit);
    count = log2_unit ? count >> (64 - log2_unit) : 0;
    log2_unit = 64;
  }
  if (!count) return ds_succeed(err);
  ds_mrg32k3a_matrix a = o->powers.power[7 * (DS_MRG32K3A_MAX_DIGITS - 1)];
  for (int k = 63; k < log2_unit; k++) ds_mrg32k3a_square(&a);
  for (; count; count >>= 1, ds_mrg32k3a_square(&a))
    if (count & 1) ds_mrg32k3a_apply(&a, o->state);
  return ds_succeed(err);
}

void ds_mrg32k3a_power(const ds_mrg32k3a_powers *p, uint64_t n, ds_mrg32k3a_matrix *power)
{
  const ds_mrg32k3a_matrix one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ds_mrg32k3a_matrix so_far = one;
  for (int k = 0; n; k++, n >>= 3)
    if (n & 7) {
      ds_mrg32k3a_multiply(&p->power[7 * k + (int) (n & 7) - 1], &so_far, power);
      so_far = *power;
    }
  *power = so_far;
}

/* --------------------------------------------------------------------------------- host filling */

enum { LANES = DS_MRG32K3A_LANES, RUN = 64, FEW = 4 * LANES };

/* A place of the sequence. While run is not 0, lane l stands l * run words after it, and jump leads from the
   end of a lane's run to its next one. */
typedef struct {
  const ds_mrg32k3a_powers *powers;
  ds_mrg32k3a_lanes_function *lanes_words;
  ds_mrg32k3a_row_function *row_words;
  uint32_t state[6];
  int run;
  uint32_t lanes[6][LANES];
  ds_mrg32k3a_matrix jump;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  static ds_mrg32k3a_lanes_function *const lanes[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_mrg32k3a_lanes);
  static ds_mrg32k3a_row_function *const row[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_mrg32k3a_row);
  const ds_mrg32k3a_object *o = object_of(r);
  worker *w = to;
  w->powers = &o->powers;
  w->lanes_words = lanes[r->isa];
  w->row_words = row[r->isa];
  w->run = 0;
  memcpy(w->state, o->state, sizeof w->state);
  ds_mrg32k3a_skip_state(w->state, w->powers, offset);
  return ds_succeed(err);
}

static void spread(worker *w, int run)
{
  ds_mrg32k3a_matrix a;
  uint32_t s[6];
  ds_mrg32k3a_power(w->powers, (uint64_t) run, &a);
  ds_mrg32k3a_power(w->powers, (uint64_t) run * (LANES - 1), &w->jump);
  memcpy(s, w->state, sizeof s);
  for (int l = 0; l < LANES; l++) {
    for (int k = 0; k < 6; k++) w->lanes[k][l] = s[k];
    ds_mrg32k3a_apply(&a, s);
  }
  w->run = run;
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  while (n >= FEW) {
    const int run = n < LANES * RUN ? n / LANES : RUN;
    if (run != w->run) spread(w, run);
    w->lanes_words(w->lanes, &w->jump, run, out);
    for (int k = 0; k < 6; k++) w->state[k] = w->lanes[k][0];
    out += run * LANES;
    n -= run * LANES;
  }
  if (n == 0) return;
  w->row_words(w->state, n, out);
  w->run = 0;
}

static void finish(ds_rng *r, const void *last)
{
  const worker *w = last;
  memcpy(r->state, w->state, sizeof w->state);
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 0, start, words, finish};
  return ds_fill_sequence(r, f, &how, err);
}

DS_RNG_FILL_CUDA(ds_mrg32k3a_fill_cuda);

const ds_rng_method ds_rng_mrg32k3a = {
    .info = {.name = "mrg32k3a",
             .title = "MRG32k3a",
             .source = "L'Ecuyer 1999; Bradley section 2",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 24,
             .log2_period = 191,
             .bits = 32,
             .words_per_double = 1,
             .double_scale = DS_MRG32K3A_SCALE,
             .can_skip = 1,
             .width_name = ""},
    .state_words = state_words,
    .seed = seed,
    .legal = legal,
    .skip = skip,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_mrg32k3a_fill_cuda),
};
