/* words: the raw 32-bit words of a generator on standard output, for dieharder, TestU01 and PractRand, until
   the reader closes the pipe.   SPDX-License-Identifier: GPL-2.0-or-later

     words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-k COUNT] [-u LOG2] [-n WORDS] [-b auto|host|cuda] [-t THREADS]
           GENERATOR
     words -l

   -w  streams of a generator that has one a thread, taken in turn as the threads of a simulation take them
       (10000); for fibonacci the numbers used at once (1000), for sobol the dimensions (16), all of them in turn
   -1  one stream, or one dimension, instead
   -k  leave out the first COUNT words (points, or words of each stream), or with -u COUNT 2^LOG2 of them, where the
       generator can skip
   -n  so many words, then stop          -l  the table of generators
   Exit status: 0, 2 for errors, 77 if there is no GPU for -b cuda.
   For example: words -w 10000 taus | dieharder -g 200 -a; words philox | RNG_test stdin32 */
#include "dpdsop/rng.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1 << 20 }; /* about as many a call */

static int fail(const char *text)
{
  fprintf(stderr, "words: %s\n", text);
  return 2;
}

static const char *family_name(ds_rng_family family)
{
  static const char *const name[] = {"sequence", "streams", "points"};
  return name[family];
}

static void list(void)
{
  printf("%-10s %-9s %7s %7s %7s %5s %-8s %s\n", "name", "family", "bytes", "log2", "words/",
         "skip", "normal", "generator, source");
  printf("%-10s %-9s %7s %7s %7s %5s\n", "", "", "state", "period", "double", "");
  const ds_rng_info *i;
  for (int k = 0; (i = ds_rng_table(k)) != NULL; k++)
    printf("%-10s %-9s %7d %7d %7d %5s %-8s %s, %s%s\n", i->name, family_name(i->family),
           i->state_bytes, i->log2_period, i->words_per_double, i->can_skip ? "yes" : "no",
           i->inverse_normal ? "inverse" : "Box-M.", i->title, i->source,
           i->unfit ? " (for benchmarks only)" : "");
  printf("0 in the columns state and period: depends on the width\n");
}

/* Words of 31 bits, as those of ran2, have an empty lowest bit; test suites want 32. The upper halves of two
   make one. `row`: words that belong together, as one of each stream is. */
static size_t join_halves(uint32_t *w, size_t n, size_t row)
{
  size_t to = 0;
  for (size_t k = 0; k + 2 * row <= n; k += 2 * row)
    for (size_t s = 0; s < row; s++) w[to++] = (w[k + s] & 0xFFFF0000u) | w[k + row + s] >> 16;
  return to;
}

/* Points as a simulation takes them: all coordinates of one, then the next. */
static void transpose(const uint32_t *w, size_t points, size_t width, uint32_t *out)
{
  for (size_t i = 0; i < points; i++)
    for (size_t d = 0; d < width; d++) out[i * width + d] = w[d * points + i];
}

/* 0 when all is written, or nobody reads any more. */
static int put(const uint32_t *w, size_t n)
{
  const size_t done = fwrite(w, sizeof *w, n, stdout);
  if (done == n) return 0;
  return errno == EPIPE ? 1 : fail(strerror(errno));
}

static int run(ds_rng *rng, int64_t width, unsigned long long count)
{
  const ds_rng_info *info = ds_rng_get_info(rng);
  const size_t row = info->family == DS_RNG_SEQUENCE ? 1 : (size_t) width;
  const size_t halves = info->bits < 32 ? 2 : 1, whole = halves * row; /* for `row` words */
  const size_t ask = halves * (count && count < WORDS ? (size_t) count : WORDS);
  const size_t n = ((ask - 1) / whole + 1) * whole;
  uint32_t *w = malloc(n * sizeof *w), *turned = malloc(n * sizeof *turned);
  ds_error err;
  int code = w && turned ? 0 : fail("no memory");
  for (unsigned long long done = 0; !code && (count == 0 || done < count);) {
    if (ds_rng_fill(rng, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err)) {
      code = fail(err.text);
      break;
    }
    const uint32_t *out = w;
    size_t have = n;
    if (info->family == DS_RNG_POINTS) {
      transpose(w, n / row, row, turned);
      out = turned;
    }
    if (info->bits < 32) have = join_halves(w, n, row);
    if (count && have > count - done) have = (size_t) (count - done);
    code = put(out, have);
    done += have;
  }
  free(w);
  free(turned);
  if (!code && fflush(stdout)) code = errno == EPIPE ? 1 : fail(strerror(errno));
  return code == 1 ? 0 : code;
}

static int64_t usual_width(const ds_rng_info *info, int one)
{
  if (info->most_width == 0) return 0;
  if (info->family == DS_RNG_SEQUENCE) return 1000;
  if (one) return 1;
  return info->family == DS_RNG_POINTS ? 16 : 10000;
}

static int backend_of(const char *name, ds_backend *backend)
{
  static const char *const names[] = {"auto", "host", "cuda"};
  for (int k = 0; k < 3; k++)
    if (strcmp(names[k], name) == 0) {
      *backend = (ds_backend) k;
      return 1;
    }
  return 0;
}

/* 0 unless the text is an integer, decimal or 0x..., from 0 to most, and nothing else. */
static int read_integer(const char *text, unsigned long long most, unsigned long long *value)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value <= most;
}

typedef struct {
  ds_rng_options rng;
  unsigned long long skip, unit, count;
  int one;
} settings;

/* 0 if the option or its value is wrong; what the generator allows is checked where it is opened. */
static int read_option(int option, const char *text, settings *s)
{
  unsigned long long v = 0;
  int good = 1;
  switch (option) {
  case 's':
    good = read_integer(text, UINT64_MAX, &v);
    s->rng.seed = v;
    return good;
  case 'w':
    good = read_integer(text, INT64_MAX, &v) && v > 0;
    s->rng.width = (int64_t) v;
    return good;
  case '1':
    s->one = 1;
    return 1;
  case 'r':
    good = read_integer(text, INT_MAX, &v);
    s->rng.rounds = (int) v;
    return good;
  case 't':
    good = read_integer(text, 4096, &v);
    s->rng.threads = (int) v;
    return good;
  case 'b':
    return backend_of(text, &s->rng.backend);
  case 'k':
    return read_integer(text, UINT64_MAX, &s->skip);
  case 'u':
    return read_integer(text, INT_MAX, &s->unit);
  case 'n':
    return read_integer(text, UINT64_MAX, &s->count) && s->count > 0;
  default:
    return 0;
  }
}

int main(int argc, char **argv)
{
  settings s;
  ds_rng *rng;
  ds_error err;
  int option, good = 1;
  memset(&s, 0, sizeof s);
  s.rng.seed = 1;
  s.rng.rounds = 32;
  s.rng.threads = 1;
  s.rng.backend = DS_BACKEND_HOST;
  while ((option = getopt(argc, argv, "s:w:1r:b:t:k:u:n:l")) != -1) {
    if (option == 'l') {
      list();
      return 0;
    }
    good = good && read_option(option, optarg, &s);
  }
  if (!good || optind + 1 != argc)
    return fail(
        "usage: words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-k COUNT] [-u LOG2] [-n WORDS] "
        "[-b auto|host|cuda] [-t THREADS] GENERATOR; words -l lists them");
  if (s.one && s.rng.width) return fail("-1 and -w are both a width");
  if (s.unit && !s.skip) return fail("-u without -k");
  s.rng.generator = argv[optind];
  const ds_rng_info *info = ds_rng_find(s.rng.generator);
  if (info && s.rng.width == 0) s.rng.width = usual_width(info, s.one);
  const ds_status status = ds_rng_open(&rng, &s.rng, &err);
  if (status) {
    fail(err.text);
    return status == DS_ERR_NO_GPU || status == DS_ERR_DRIVER ? 77 : 2;
  }
  if (s.skip && ds_rng_skip(rng, s.skip, (int) s.unit, &err)) return fail(err.text);
  signal(SIGPIPE, SIG_IGN);
  const int code = run(rng, s.rng.width, s.count);
  ds_rng_close(rng);
  return code;
}
