/* words: the raw 32-bit words of a generator on standard output, for dieharder, TestU01 and PractRand, until
   the reader closes the pipe.   SPDX-License-Identifier: GPL-2.0-or-later

     words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-b auto|host|cuda] [-t THREADS] [-n WORDS] GENERATOR
     words -l

   -w  streams of a generator that has one a thread, taken in turn as the threads of a simulation take them
       (10000); for fibonacci the numbers used at once (1000), for sobol the dimensions (16), all of them in turn
   -1  one stream, or one dimension, instead
   -n  so many words, then stop          -l  the table of generators
   For example: words -w 10000 taus | dieharder -g 200 -a; words philox | RNG_test stdin32 */
#include "dpdsop/rng.h"

#include <errno.h>
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
  const size_t n = (WORDS / (2 * row) + 1) * 2 * row;
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

int main(int argc, char **argv)
{
  ds_rng_options o;
  ds_rng *rng;
  ds_error err;
  unsigned long long count = 0;
  int option, one = 0, good = 1;
  memset(&o, 0, sizeof o);
  o.seed = 1;
  o.rounds = 32;
  o.threads = 1;
  o.backend = DS_BACKEND_HOST;
  while ((option = getopt(argc, argv, "s:w:1r:b:t:n:l")) != -1) switch (option) {
    case 's':
      o.seed = strtoull(optarg, NULL, 0);
      break;
    case 'w':
      o.width = strtoll(optarg, NULL, 0);
      break;
    case '1':
      one = 1;
      break;
    case 'r':
      o.rounds = atoi(optarg);
      break;
    case 'b':
      good = good && backend_of(optarg, &o.backend);
      break;
    case 't':
      o.threads = atoi(optarg);
      break;
    case 'n':
      count = strtoull(optarg, NULL, 0);
      break;
    case 'l':
      list();
      return 0;
    default:
      good = 0;
    }
  if (!good || optind + 1 != argc)
    return fail("usage: words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-b auto|host|cuda] "
                "[-t THREADS] [-n WORDS] GENERATOR; words -l lists them");
  o.generator = argv[optind];
  const ds_rng_info *info = ds_rng_find(o.generator);
  if (info && o.width == 0) o.width = usual_width(info, one);
  if (ds_rng_open(&rng, &o, &err)) return fail(err.text);
  signal(SIGPIPE, SIG_IGN);
  const int code = run(rng, o.width, count);
  ds_rng_close(rng);
  return code;
}
