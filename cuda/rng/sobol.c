/* Sobol points on the host.   SPDX-License-Identifier: GPL-2.0-or-later

   The state are the direction numbers of all dimensions, made of the table when an object is opened and never
   changed; they are not saved, and the position is in the object. */
#include "dpdsop/device/rng/sobol.h"
#include "method.h"
#include "sobol_numbers.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------ direction numbers */

/* How many dimensions have a polynomial of degree 1, 2, ...: as many as there are primitive ones, but of the last. */
enum { DEGREES = 18 };
static const int of_degree[DEGREES] = {1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776};

/* Of a row: the coefficients of the polynomial, and s numbers, of which the i-th has i - 1 bits. */
static int bits_of_row(int s)
{
  return s - 1 + s * (s - 1) / 2;
}

static uint32_t take(int64_t *bit, int count)
{
  uint32_t value = 0;
  for (int k = 0; k < count; k++, (*bit)++) value |= (uint32_t) (ds_sobol_numbers[*bit / 8] >> (*bit & 7) & 1u) << k;
  return value;
}

/* The first s numbers are given, a polynomial of degree s makes those that follow (Bratley & Fox 1988). */
static void from_row(int64_t bit, int s, uint32_t m[DS_SOBOL_BITS])
{
  const uint32_t a = take(&bit, s - 1);
  for (int i = 0; i < s; i++) m[i] = (2u * take(&bit, i) + 1u) << (31 - i);
  for (int i = s; i < DS_SOBOL_BITS; i++) {
    m[i] = m[i - s] ^ (m[i - s] >> s);
    for (int k = 1; k < s; k++)
      if (a >> (s - 1 - k) & 1u) m[i] ^= m[i - k];
  }
}

ds_status ds_sobol_directions(int64_t dimension, uint32_t m[DS_SOBOL_BITS], ds_error *err)
{
  if (dimension < 0 || dimension >= DS_SOBOL_DIMENSIONS)
    return ds_fail(err, DS_ERR_ARGUMENT, "sobol: dimension %lld; allowed: 0 to %d", (long long) dimension,
                   DS_SOBOL_DIMENSIONS - 1);
  int row = (int) dimension - 1;
  if (row < 0) /* all are 1: van der Corput's sequence */
    for (int i = 0; i < DS_SOBOL_BITS; i++) m[i] = 0x80000000u >> i;
  int64_t bit = 0;
  for (int s = 1; row >= 0; row -= of_degree[s - 1], s++) {
    if (row < of_degree[s - 1]) from_row(bit + (int64_t) row * bits_of_row(s), s, m);
    bit += (int64_t) of_degree[s - 1] * bits_of_row(s);
  }
  return ds_succeed(err);
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  const int64_t width = r->options.width;
  r->state = malloc((size_t) width * DS_SOBOL_BITS * sizeof *r->state);
  if (!r->state)
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for direction numbers of %lld dimensions", (long long) width);
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t d = 0; d < width; d++) ds_sobol_directions(d, r->state + d * DS_SOBOL_BITS, NULL);
  return ds_succeed(err);
}

/* ---------------------------------------------------------------------------------------- filling */

typedef void words_function(const uint32_t *m, uint32_t first, int n, uint32_t *out);
words_function ds_sobol_words_base, ds_sobol_words_avx2, ds_sobol_words_avx512;

enum { BATCH = 4096 }; /* points */

/* Points from to to - 1 of a dimension. */
static void fill_piece(const ds_rng *r, const ds_fill *f, int64_t dimension, uint64_t from, uint64_t to)
{
  static words_function *const words[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sobol_words);
  ds_number_function *const convert = ds_number_function_of(r);
  const size_t size = ds_fill_size(f);
  const uint32_t *m = r->state + dimension * DS_SOBOL_BITS;
  char *row = (char *) f->out + (uint64_t) dimension * f->units * size;
  uint32_t batch[BATCH];
  for (uint64_t i = from; i < to; i += BATCH) {
    const int n = to - i < BATCH ? (int) (to - i) : BATCH;
    words[r->isa](m, (uint32_t) (r->position + i), n, batch);
    convert(&f->transform, f->type, batch, NULL, n, row + i * size, NULL);
  }
}

/* Pieces of a dimension: as many as asked for, or so that all threads have something to do. */
static int64_t pieces_of(const ds_rng *r, const ds_fill *f)
{
  const uint64_t width = (uint64_t) r->options.width, threads = (uint64_t) r->options.threads;
  uint64_t pieces = (uint64_t) r->pieces, most = f->units;
  if (!pieces) {
    pieces = threads > 1 ? (4 * threads + width - 1) / width : 1;
    most = f->units / BATCH + 1;
  }
  return (int64_t) (pieces < most ? pieces : most);
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  const int64_t pieces = pieces_of(r, f), tasks = pieces * r->options.width;
  const uint64_t each = f->units / (uint64_t) pieces, more = f->units % (uint64_t) pieces;
#pragma omp parallel for num_threads(r->options.threads) schedule(guided)
  for (int64_t task = 0; task < tasks; task++) {
    const uint64_t k = (uint64_t) (task % pieces);
    const uint64_t from = k * each + (k < more ? k : more);
    fill_piece(r, f, task / pieces, from, from + each + (k < more));
  }
  return ds_succeed(err);
}

DS_RNG_FILL_CUDA(ds_sobol_fill_cuda);

const ds_rng_method ds_rng_sobol = {
    .info = {.name = "sobol",
             .title = "Sobol points in Gray code order, without a seed",
             .source = "Joe & Kuo 2008; Bradley section 3",
             .family = DS_RNG_POINTS,
             .state_bytes = 4, /* and 128 of direction numbers, which do not change */
             .log2_period = 32,
             .bits = 32,
             .words_per_double = 1,
             .double_scale = DS_SOBOL_SCALE,
             .double_left = DS_SOBOL_SCALE,
             .can_skip = 1,
             .inverse_normal = 1,
             .most_width = DS_SOBOL_DIMENSIONS,
             .width_name = "dimensions"},
    .log2_end = 32,
    .seed = seed,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_sobol_fill_cuda),
};
