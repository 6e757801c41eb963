/* The public interface of the generators.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/backend.h"
#include "dpdsop/digest.h"
#include "method.h"
#include "pieces.h"
#ifdef DS_HAVE_CUDA
#include "rng_cuda.h"
#endif

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------- opening, closing */

static ds_status unknown(const char *name, ds_error *err)
{
  char names[256] = "";
  for (int k = 0; ds_rng_table(k); k++) {
    if (k) strncat(names, ", ", sizeof names - strlen(names) - 1);
    strncat(names, ds_rng_table(k)->name, sizeof names - strlen(names) - 1);
  }
  return ds_fail(err, DS_ERR_ARGUMENT, "unknown generator '%s'; allowed: %s", name, names);
}

static ds_status check_options(const ds_rng_options *o, const ds_rng_info *info, ds_error *err)
{
  if (info->most_width && (o->width < 1 || o->width > info->most_width))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: %s %lld; allowed: 1 to %lld", info->name, info->width_name, (long long) o->width,
                   (long long) info->most_width);
  if (info->most_rounds && (o->rounds < info->least_rounds || o->rounds > info->most_rounds))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: rounds %d; allowed: %d to %d", info->name, o->rounds, info->least_rounds,
                   info->most_rounds);
  if (o->local_rank < 0) return ds_fail(err, DS_ERR_ARGUMENT, "local rank %d must be >= 0", o->local_rank);
  return DS_OK;
}

static size_t words_of_state(const ds_rng *r)
{
  const ds_rng_method *m = r->method;
  if (m->info.family == DS_RNG_STREAMS) return (size_t) m->info.state_bytes / 4 * (size_t) r->options.width;
  return m->state_words ? m->state_words(&r->options) : 0;
}

static ds_status make_state(ds_rng *r, ds_error *err)
{
  r->state_words = words_of_state(r);
  if (r->state_words) {
    r->state = malloc(r->state_words * sizeof *r->state);
    if (!r->state) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu words of state", r->state_words);
  }
  return r->method->seed ? r->method->seed(r, err) : ds_succeed(err);
}

static ds_status open_on_host(void *object, ds_error *err)
{
  (void) object;
  return ds_succeed(err);
}

#ifdef DS_HAVE_CUDA
static ds_status open_on_gpu(void *object, ds_error *err)
{
  ds_rng *const r = object;
  r->cuda = 1;
  const ds_status s = ds_rng_gpu_open(r, err);
  if (s) {
    ds_rng_gpu_close(r);
    r->gpu = NULL;
    r->cuda = 0;
  }
  return s;
}
#else
#define open_on_gpu NULL
#endif

/* Zeros stand for what most users want. */
static ds_rng_options with_defaults(const ds_rng_options *given, const ds_rng_info *info)
{
  ds_rng_options o = *given;
  o.generator = info->name;
  if (!o.width || !info->most_width) o.width = info->most_width ? 1 : 0;
  if (!o.rounds || !info->most_rounds) o.rounds = info->least_rounds;
  return o;
}

ds_status ds_rng_open(ds_rng **out, const ds_rng_options *options, ds_error *err)
{
  static const ds_rng_options all_zero;
  if (out) *out = NULL;
  if (!out) return ds_fail(err, DS_ERR_ARGUMENT, "null pointer to the generator");
  if (!options) options = &all_zero;
  const ds_rng_method *method = ds_rng_method_of(options->generator ? options->generator : "philox");
  if (!method) return unknown(options->generator, err);
  const ds_rng_options o = with_defaults(options, &method->info);
  ds_status s = check_options(&o, &method->info, err);
  if (s) return s;
  ds_rng *r = calloc(1, sizeof *r);
  if (!r) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a generator");
  r->method = method;
  r->options = o;
  r->options.isa = NULL; /* the caller's memory: nothing reads it later */
  s = ds_threads_choose(o.threads, &r->options.threads, err);
  if (!s) s = ds_isa_choose(o.isa, &r->isa, err);
  if (!s) s = ds_backend_open(o.backend, r, open_on_gpu, open_on_host, &r->no_gpu, err);
  if (!s) s = make_state(r, err);
  if (s) {
    ds_rng_close(r);
    return s;
  }
  *out = r;
  return ds_succeed(err);
}

void ds_rng_close(ds_rng *r)
{
  if (!r) return;
#ifdef DS_HAVE_CUDA
  if (r->gpu) ds_rng_gpu_close(r);
#endif
  free(r->state);
  free(r);
}

void ds_rng_set_pieces(ds_rng *r, int64_t pieces)
{
  r->pieces = pieces;
}

const ds_rng_info *ds_rng_get_info(const ds_rng *r)
{
  return &r->method->info;
}

const char *ds_rng_backend(const ds_rng *r)
{
  return r->cuda ? "cuda" : "host";
}

const char *ds_rng_no_gpu(const ds_rng *r)
{
  return r->no_gpu.text;
}

/* -------------------------------------------------------------------------------------- filling */

static ds_transform law_of(const ds_rng_method *m, ds_distribution distribution, ds_type type)
{
  const int one = type == DS_F64 && m->info.words_per_double == 1;
  ds_transform transform = {DS_TRANSFORM_WORDS, 1, 1, m->info.double_scale, 0.0};
  switch (distribution) {
  case DS_UNIFORM:
  case DS_UNIFORM_LEFT:
    transform.kind = distribution == DS_UNIFORM ? DS_TRANSFORM_UNIFORM : DS_TRANSFORM_UNIFORM_LEFT;
    if (one) transform.kind = DS_TRANSFORM_SCALED;
    if (one && distribution == DS_UNIFORM_LEFT) transform.shift = m->info.double_left;
    break;
  case DS_EXPONENTIAL: transform.kind = DS_TRANSFORM_EXPONENTIAL; break;
  case DS_NORMAL: transform.kind = m->info.inverse_normal ? DS_TRANSFORM_INVERSE : DS_TRANSFORM_BOX_MULLER; break;
  default: break;
  }
  transform.words = DS_TRANSFORM_TAKES(transform.kind, type == DS_F64);
  transform.numbers = DS_TRANSFORM_NUMBERS(transform.kind);
  return transform;
}

static uint64_t divided_up(uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

static ds_status check_fill(const ds_rng *r, ds_distribution distribution, ds_type type, ds_space space, const void *out,
                            size_t n, ds_error *err)
{
  const char *name = r->method->info.name;
  if ((int) distribution < 0 || distribution >= DS_DISTRIBUTIONS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: distribution %d; allowed: 0 to %d", name, (int) distribution,
                   DS_DISTRIBUTIONS - 1);
  if (distribution == DS_WORDS ? type != DS_I32 : type != DS_F32 && type != DS_F64)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: element type %d; allowed: %s", name, (int) type,
                   distribution == DS_WORDS ? "I32 for words" : "F32 and F64 for numbers");
  if (!out && n) return ds_fail(err, DS_ERR_ARGUMENT, "%s: null array for %zu numbers", name, n);
  if (space != DS_SPACE_HOST && space != DS_SPACE_DEVICE)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: memory space %d; allowed: %d and %d", name, (int) space, (int) DS_SPACE_HOST,
                   (int) DS_SPACE_DEVICE);
  if (space == DS_SPACE_DEVICE && !r->cuda)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: array in device memory; the host backend cannot write it", name);
  if (r->method->info.family == DS_RNG_POINTS && n % (size_t) r->options.width)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: %zu numbers are no multiple of %lld dimensions", name, n,
                   (long long) r->options.width);
  return DS_OK;
}

/* Where the sequence ends. The last word of 2^64 is given up, so that 64 bits can count. */
static uint64_t last_position(const ds_rng *r)
{
  const int end = r->method->log2_end;
  return end > 0 && end < 64 ? (uint64_t) 1 << end : UINT64_MAX;
}

/* Whether so many times 2^log2_unit words are left until the sequence ends. */
static ds_status check_end(const ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  const int end = r->method->log2_end;
  const uint64_t left = last_position(r) - r->position;
  if (end == 0 || count <= left >> log2_unit) return DS_OK;
  char unit[16] = "";
  if (log2_unit) snprintf(unit, sizeof unit, " * 2^%d", log2_unit);
  return ds_fail(err, DS_ERR_ARGUMENT, "%s: %llu%s more words; it has %llu left of 2^%d", r->method->info.name,
                 (unsigned long long) count, unit, (unsigned long long) left, end);
}

ds_status ds_rng_fill(ds_rng *r, ds_distribution distribution, ds_type type, ds_space space, void *out, size_t n, ds_error *err)
{
  ds_status s = check_fill(r, distribution, type, space, out, n, err);
  if (s) return s;
  if (n == 0) return ds_succeed(err);
  ds_fill f = {law_of(r->method, distribution, type), type, out, n, 0, 0};
  const uint64_t across = r->method->info.family == DS_RNG_SEQUENCE ? 1 : (uint64_t) r->options.width;
  f.units = divided_up(n, across * (uint64_t) f.transform.numbers);
  s = check_end(r, f.units, f.transform.words == 2, err);
  if (s) return s;
  f.words = f.units * (uint64_t) f.transform.words;
#ifdef DS_HAVE_CUDA
  if (r->cuda)
    s = ds_rng_gpu_fill(r, &f, space, err);
  else
#endif
    s = r->method->fill_host(r, &f, err);
  if (s) return s;
  r->position += f.words;
  return ds_succeed(err);
}

ds_status ds_rng_wait(ds_rng *r, ds_error *err)
{
#ifdef DS_HAVE_CUDA
  if (r->gpu) return ds_rng_gpu_wait(r, err);
#endif
  (void) r;
  return ds_succeed(err);
}

/* --------------------------------------------------------------------------------------- skipping */

ds_status ds_rng_skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  const ds_rng_info *info = &r->method->info;
  const int end = r->method->log2_end ? r->method->log2_end : info->log2_period;
  if (!info->can_skip) return ds_fail(err, DS_ERR_ARGUMENT, "%s: cannot skip", info->name);
  if (log2_unit < 0 || log2_unit >= end)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: skip in units of 2^%d; allowed: 2^0 to 2^%d", info->name, log2_unit, end - 1);
  ds_status s = DS_OK;
  if (r->method->log2_end)
    s = check_end(r, count, log2_unit, err);
  else if (end - log2_unit < 64 && count >> (end - log2_unit))
    s = ds_fail(err, DS_ERR_ARGUMENT, "%s: skip of %llu * 2^%d; its period is about 2^%d", info->name,
                (unsigned long long) count, log2_unit, end);
#ifdef DS_HAVE_CUDA
  if (!s && r->gpu) s = ds_rng_gpu_fetch_state(r, err);
#endif
  if (!s && r->method->skip) s = r->method->skip(r, count, log2_unit, err);
  if (s) return s;
  r->position += log2_unit < 64 ? count << log2_unit : 0;
#ifdef DS_HAVE_CUDA
  if (r->gpu) ds_rng_gpu_forget_state(r);
#endif
  return ds_succeed(err);
}

/* --------------------------------------------------------------------------------- saved states */

/* In front of the words of the state. */
typedef struct {
  char mark[8]; /* "dpdsoprn" */
  char generator[16];
  uint32_t version, rounds;
  uint64_t seed, position, width, words;
  uint64_t check; /* of all that comes before and after it */
} header;

enum { VERSION = 1 };

/* A saved state that was cut or mixed up is noticed. */
static uint64_t digest_all(const header *h, const void *words, size_t size)
{
  return ds_digest(ds_digest(DS_DIGEST_OF_NOTHING, h, offsetof(header, check)), words, size);
}

size_t ds_rng_state_bytes(const ds_rng *r)
{
  return sizeof(header) + r->state_words * sizeof *r->state;
}

ds_status ds_rng_save(ds_rng *r, void *bytes, size_t size, ds_error *err)
{
  const size_t words = r->state_words * sizeof *r->state;
  if (!bytes || size < ds_rng_state_bytes(r))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: its state has %zu bytes; there is room for %zu", r->method->info.name,
                   ds_rng_state_bytes(r), bytes ? size : 0);
#ifdef DS_HAVE_CUDA
  const ds_status s = r->gpu ? ds_rng_gpu_fetch_state(r, err) : DS_OK;
  if (s) return s;
#endif
  header h;
  memset(&h, 0, sizeof h);
  memcpy(h.mark, "dpdsoprn", sizeof h.mark);
  strncpy(h.generator, r->method->info.name, sizeof h.generator - 1);
  h.version = VERSION;
  h.rounds = (uint32_t) r->options.rounds;
  h.seed = r->options.seed;
  h.position = r->position;
  h.width = (uint64_t) r->options.width;
  h.words = r->state_words;
  h.check = digest_all(&h, r->state, words);
  memcpy(bytes, &h, sizeof h);
  if (words) memcpy((char *) bytes + sizeof h, r->state, words);
  return ds_succeed(err);
}

/* The words of a saved state, whose header has been checked, if the generator can come to them. */
static ds_status take_state(ds_rng *r, const header *h, const void *from, ds_error *err)
{
  const char *name = r->method->info.name;
  const size_t size = r->state_words * sizeof *r->state;
  uint32_t *state = malloc(size + 1);
  if (!state) return ds_fail(err, DS_ERR_MEMORY, "%s: no host memory for a state", name);
  if (size) memcpy(state, from, size);
  const int legal = !r->method->legal || r->method->legal(r, state);
  const int before_end = h->position <= last_position(r);
  if (legal && before_end && size) memcpy(r->state, state, size);
  free(state);
  if (!legal) return ds_fail(err, DS_ERR_ARGUMENT, "%s: words that are no state of it, as zeros", name);
  if (!before_end)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: a state at %llu, past its end", name, (unsigned long long) h->position);
  return DS_OK;
}

ds_status ds_rng_load(ds_rng *r, const void *bytes, size_t size, ds_error *err)
{
  const char *name = r->method->info.name;
  header h;
  if (!bytes || size < sizeof h) return ds_fail(err, DS_ERR_ARGUMENT, "%s: %zu bytes are no state", name, bytes ? size : 0);
  memcpy(&h, bytes, sizeof h);
  if (memcmp(h.mark, "dpdsoprn", sizeof h.mark) || h.version != VERSION)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: not a state of version %d", name, VERSION);
  if (h.words > (size - sizeof h) / sizeof *r->state ||
      h.check != digest_all(&h, (const char *) bytes + sizeof h, h.words * sizeof *r->state))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: the state has been cut or changed", name);
  h.generator[sizeof h.generator - 1] = '\0';
  /* numbers that are used at once mean nothing but the lags, and so the words of the state */
  const int same_width = r->method->info.family == DS_RNG_SEQUENCE || h.width == (uint64_t) r->options.width;
  if (strcmp(h.generator, name) || !same_width || h.words != r->state_words || h.rounds != (uint32_t) r->options.rounds)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s of width %lld, rounds %d: this is a state of %s of width %llu, rounds %u", name,
                   (long long) r->options.width, r->options.rounds, h.generator, (unsigned long long) h.width, h.rounds);
  const ds_status s = take_state(r, &h, (const char *) bytes + sizeof h, err);
  if (s) return s;
  r->options.seed = h.seed;
  r->position = h.position;
#ifdef DS_HAVE_CUDA
  if (r->gpu) ds_rng_gpu_forget_state(r);
#endif
  return ds_succeed(err);
}
