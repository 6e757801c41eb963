/* rates.c: numbers per second into an array, after Tables 2 and 3 of Bradley et al. 2010.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench_rng.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 6, GPU_STREAMS = 1 << 18, HOST_STREAMS = 1 << 16, AT_ONCE = 1 << 20 };

static const struct {
  ds_distribution distribution;
  ds_type type;
} cell[CELLS] = {{DS_UNIFORM, DS_F32},     {DS_UNIFORM, DS_F64}, {DS_EXPONENTIAL, DS_F32},
                 {DS_EXPONENTIAL, DS_F64}, {DS_NORMAL, DS_F32},  {DS_NORMAL, DS_F64}};

static const char *const cell_name[CELLS] = {"unif f32", "unif f64", "exp f32",
                                             "exp f64",  "norm f32", "norm f64"};

/* A call that is timed: of a generator of ours, or of another, or of a plain store. */
typedef struct {
  const bench_machine *machine;
  ds_rng *rng;
  bench_reference *reference;
  ds_distribution distribution;
  ds_type type;
  void *out;
  size_t n;
} filling;

static int call_ours(void *what)
{
  const filling *f = what;
  return ds_rng_fill(f->rng, f->distribution, f->type, f->machine->space, f->out, f->n,
                     &bench_why) == DS_OK;
}

static int call_reference(void *what)
{
  const filling *f = what;
  return bench_reference_fill(f->reference, f->distribution, f->type, f->out, f->n);
}

static int call_store(void *what)
{
  const filling *f = what;
  return f->machine->store(f->out, f->type, f->n);
}

static int call_clear(void *what)
{
  const filling *f = what;
  return f->machine->clear(f->out, f->n * (f->type == DS_F64 ? 8 : 4));
}

/* 10^9 numbers per second, 0 where the call cannot be made. */
static double rate_of(const bench_settings *s, filling *f, bench_call *call)
{
  double seconds[BENCH_SAMPLES];
  const int n = f->machine->time(f->machine, call, f, s->quick ? 5 : BENCH_SAMPLES, seconds);
  return n ? 1e-9 * (double) f->n / bench_median(seconds, n) : 0.0;
}

static int64_t width_of(const ds_rng_info *info, int64_t streams)
{
  return info->family == DS_RNG_POINTS    ? BENCH_DIMENSIONS
         : info->family == DS_RNG_STREAMS ? streams
                                          : AT_ONCE;
}

static void rates_of_ours(const bench_settings *s, filling *f, ds_rng *rng, double rate[CELLS])
{
  f->rng = rng;
  for (int c = 0; c < CELLS; c++) {
    f->distribution = cell[c].distribution;
    f->type = cell[c].type;
    rate[c] = rate_of(s, f, call_ours);
    if (rate[c] <= 0.0) bench_stop(ds_rng_get_info(rng)->name);
  }
}

/* ---------------------------------------------------------------------------------------- order */

/* The words that one thread on the host makes one after the other, as uniform numbers or as they are. */
static void *sequence(const bench_settings *s, const bench_machine *host, const ds_rng_info *info,
                      int64_t streams, ds_distribution distribution, size_t n)
{
  ds_rng *const rng = bench_open(s, host, info, width_of(info, streams), 1);
  void *const out = bench_get(host, n * 4);
  if (ds_rng_fill(rng, distribution, distribution == DS_WORDS ? DS_I32 : DS_F32, DS_SPACE_HOST, out,
                  n, &bench_why))
    bench_stop(info->name);
  ds_rng_close(rng);
  return out;
}

/* Whether a call's numbers, made by as many threads as there are, are those of the sequence, one for one. The first
   call of an object that is new. */
static const char *order_of(const bench_settings *s, const bench_machine *host, const filling *f,
                            ds_rng *rng, int64_t streams)
{
  const ds_rng_info *const info = ds_rng_get_info(rng);
  const size_t bytes = f->n * 4;
  void *const want = sequence(s, host, info, streams, DS_UNIFORM, f->n);
  void *const got = bench_get(host, bytes);
  if (ds_rng_fill(rng, DS_UNIFORM, DS_F32, f->machine->space, f->out, f->n, &bench_why) ||
      ds_rng_wait(rng, &bench_why) || !f->machine->read(got, f->out, bytes))
    bench_stop(info->name);
  const int equal = memcmp(want, got, bytes) == 0;
  free(want);
  free(got);
  bench_wrong |= !equal;
  return equal ? "the sequence" : "NOT THE SEQUENCE";
}

/* Another library's words for the same seed, beside ours. */
static const char *order_of_reference(const bench_settings *s, const bench_machine *host,
                                      filling *f, const char *name)
{
  const size_t n = 1 << 16;
  const ds_rng_info *const info = ds_rng_find(name);
  const filling words = {f->machine, NULL, f->reference, DS_WORDS, DS_I32, f->out, n};
  if (!info) return "its own";
  void *const ours = sequence(s, host, info, GPU_STREAMS, DS_WORDS, n);
  void *const got = bench_get(host, 4 * n);
  const int equal = call_reference((void *) &words) && f->machine->read(got, f->out, 4 * n) &&
                    memcmp(ours, got, 4 * n) == 0;
  free(ours);
  free(got);
  return equal ? "the sequence" : "its own";
}

/* ----------------------------------------------------------------------------------- on the GPU */

static void remark_limit(const bench_settings *s, filling *f)
{
  double limit[2];
  for (int wide = 0; wide < 2; wide++) {
    f->type = wide ? DS_F64 : DS_F32;
    limit[wide] = rate_of(s, f, call_store);
  }
  bench_remark(
      s,
      "limit, a kernel that only stores: %.0f single, %.0f double (%.0f GB/s); cudaMemset: "
      "%.0f GB/s",
      limit[0], limit[1], 8.0 * limit[1], 8.0 * rate_of(s, f, call_clear));
}

static void reference_rows(const bench_settings *s, const bench_machine *host, filling *f,
                           const bench_table *t, const char *name, const double *ours)
{
  for (int dynamic = 0; dynamic < 2; dynamic++) {
    double rate[CELLS], ratio[CELLS];
    char title[64];
    f->reference = bench_reference_open(name, dynamic, f->machine->stream);
    if (!f->reference) continue;
    const char *order = order_of_reference(s, host, f, name);
    for (int c = 0; c < CELLS; c++) {
      f->distribution = cell[c].distribution;
      f->type = cell[c].type;
      rate[c] = rate_of(s, f, call_reference);
      ratio[c] = ours && rate[c] > 0.0 ? ours[c] / rate[c] : 0.0;
    }
    bench_reference_close(f->reference);
    snprintf(title, sizeof title, "  %s%s", bench_reference_title(name), dynamic ? ", dyn." : "");
    bench_table_row(t, title, rate, order);
    if (ours) bench_table_row(t, "    ours / this", ratio, NULL);
  }
}

static void describe(const bench_settings *s, const bench_machine *m, size_t n, int64_t streams)
{
  bench_remark(s, "%zu numbers per call; points: %zu of %d dimensions; streams: %lld of them", n,
               n / BENCH_DIMENSIONS, BENCH_DIMENSIONS, (long long) streams);
  bench_remark(s, "fibonacci: up to %d numbers at once; tea: %d rounds", AT_ONCE, BENCH_ROUNDS);
  bench_remark(
      s, "10^9 numbers per second; median of %s%d calls after warming up, by %s",
      m->backend == DS_BACKEND_CUDA || s->quick ? "" : "5 to ", s->quick ? 5 : BENCH_SAMPLES,
      m->backend == DS_BACKEND_CUDA ? "CUDA events between calls queued one behind the other"
                                    : "the host's clock");
  bench_remark(
      s, "order: whether the array is, one for one, what one thread of the host makes (compared "
         "in this run)");
}

static void gpu_rates(const bench_settings *s, const bench_machine *host, const bench_machine *m,
                      double rates[BENCH_MAX][CELLS])
{
  char version[80];
  filling f = {m, NULL, NULL, DS_UNIFORM, DS_F32, NULL, (size_t) 1 << s->log2_numbers};
  f.out = bench_get(m, 8 * f.n);
  bench_reference_version(version, sizeof version);
  bench_heading(s, "Numbers into device memory");
  describe(s, m, f.n, GPU_STREAMS);
  remark_limit(s, &f);
  bench_remark(s, "beside %s, default order; dyn.: the order suited to the GPU", version);
  if (s->markdown) printf("\n");
  const bench_table t = bench_table_begin(s, m->name, cell_name, CELLS, "order");
  for (int k = 0; bench_generator(k); k++) {
    const ds_rng_info *const info = bench_generator(k);
    if (!bench_wanted(s, info->name)) continue;
    ds_rng *const rng = bench_open(s, m, info, width_of(info, GPU_STREAMS), 1);
    const char *order = order_of(s, host, &f, rng, GPU_STREAMS);
    rates_of_ours(s, &f, rng, rates[k]);
    ds_rng_close(rng);
    bench_table_row(&t, info->name, rates[k], order);
    reference_rows(s, host, &f, &t, info->name, rates[k]);
  }
  if (bench_wanted(s, "xorwow") && !ds_rng_find("xorwow"))
    reference_rows(s, host, &f, &t, "xorwow", NULL);
  m->drop(f.out);
}

/* ---------------------------------------------------------------------------------- on the host */

static void host_row(const bench_settings *s, const bench_machine *m, const bench_table *t,
                     const ds_rng_info *info, int threads, const double *gpu)
{
  double rate[CELLS], ratio[CELLS];
  char title[64];
  /* long enough that starting the threads does not count */
  filling f = {m, NULL, NULL, DS_UNIFORM, DS_F32, NULL, (size_t) 1 << (s->quick ? 18 : 20)};
  f.n *= (size_t) (threads < 16 ? threads : 16);
  f.n -= f.n % BENCH_DIMENSIONS;
  f.out = bench_get(m, 8 * f.n);
  memset(f.out, 0, 8 * f.n);
  ds_rng *const rng = bench_open(s, m, info, width_of(info, HOST_STREAMS), threads);
  const char *const order = threads == 1 ? "" : order_of(s, m, &f, rng, HOST_STREAMS);
  rates_of_ours(s, &f, rng, rate);
  ds_rng_close(rng);
  m->drop(f.out);
  snprintf(title, sizeof title, "%s, %d thread%s", info->name, threads, threads > 1 ? "s" : "");
  bench_table_row(t, title, rate, order);
  for (int c = 0; c < CELLS; c++) ratio[c] = gpu ? gpu[c] / rate[c] : 0.0;
  if (gpu) bench_table_row(t, "  GPU / this", ratio, NULL);
}

static void host_rates(const bench_settings *s, const bench_machine *m, double (*gpu)[CELLS])
{
  bench_heading(s, "Numbers into host memory");
  describe(s, m, (size_t) 1 << (s->quick ? 18 : 20), HOST_STREAMS);
  bench_remark(s, "%d times as many numbers with all threads", m->threads < 16 ? m->threads : 16);
  if (s->markdown) printf("\n");
  const bench_table t = bench_table_begin(s, m->name, cell_name, CELLS, "order");
  for (int k = 0; bench_generator(k); k++) {
    const ds_rng_info *const info = bench_generator(k);
    if (!bench_wanted(s, info->name)) continue;
    host_row(s, m, &t, info, 1, gpu ? gpu[k] : NULL);
    if (m->threads > 1) host_row(s, m, &t, info, m->threads, gpu ? gpu[k] : NULL);
  }
}

void bench_rates(const bench_settings *s, const bench_machine *host, const bench_machine *cuda)
{
  double rates[BENCH_MAX][CELLS];
  if (cuda) gpu_rates(s, host, cuda, rates);
  if (s->backend != DS_BACKEND_CUDA) host_rates(s, host, cuda ? rates : NULL);
}
