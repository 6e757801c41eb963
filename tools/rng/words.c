/* words: the raw 32-bit words of a generator on standard output, for dieharder, TestU01 and PractRand, until
   the reader closes the pipe.   SPDX-License-Identifier: GPL-2.0-or-later

     words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-k COUNT] [-u LOG2] [-n WORDS] [-b auto|host|cuda] [-t THREADS]
           GENERATOR
     words -p streams|starts|seeds|ids|steps [-s SEED] [-w WIDTH] [-i STREAM] [-c COUNT] [-n WORDS] GENERATOR
     words -l

   The first form has the numbers of ds_rng_fill:

   -w  streams of a generator that has one per thread, taken in turn as the threads of a simulation take them
       (10000); for fibonacci the numbers used at once (1000), for sobol the dimensions (16), all of them in turn
   -1  one stream, or one dimension, instead
   -k  leave out the first COUNT words (points, or words of each stream), or with -u COUNT 2^LOG2 of them, where the
       generator can skip
   -n  so many words, then stop          -l  the table of generators

   The second form has those that are made in place, by init and next or by purpose, step and id:
   -p streams  one word each of WIDTH streams (10000) from STREAM (0) on, in turn; with -w 1 that stream alone
      starts   the first COUNT (4) words of STREAM and each that follows
      seeds    the first COUNT (4) words of STREAM, of SEED and each seed that follows
      ids      four words for each of WIDTH ids (10000) in step 0, then in step 1, and so on; philox and tea
      steps    the same, with ids and steps exchanged

   Words of ran2 have 31 bits. Of 32 of them the last one gives each of the others its lowest bit.
   Exit status: 0, 2 for errors, 77 if there is no GPU for -b cuda.
   For example: words -w 10000 taus | dieharder -g 200 -a; words philox | RNG_test stdin32 */
#include "dpdsop/rng.h"
#include "words/in_place.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1 << 20 }; /* about as many per call */

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

enum { EMPTY_BIT = 32 }; /* so many words of 31 bits make one less of 32 */

/* Words of 31 bits, as those of ran2, have an empty lowest bit; test suites want 32. The bits of every 32nd word go to
   the 31 words before it, so that all others stay in their places. `row`: words that belong together, as one
   of each stream is. */
static size_t fill_empty_bits(uint32_t *w, size_t n, size_t row)
{
  size_t to = 0;
  for (size_t k = 0; k + EMPTY_BIT * row <= n; k += EMPTY_BIT * row)
    for (size_t j = 0; j < EMPTY_BIT - 1; j++)
      for (size_t s = 0; s < row; s++)
        w[to++] = w[k + j * row + s] | (w[k + (EMPTY_BIT - 1) * row + s] >> (j + 1) & 1u);
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

/* Where words come from: a generator's array, or in place. */
typedef struct {
  ds_rng *rng;
  in_place *placed;
  size_t row; /* words that belong together, as one of each stream is, or a point */
  int bits;   /* of a word */
  int points;
} source;

static int read_words(source *from, uint32_t *w, size_t n)
{
  ds_error err;
  if (from->placed) {
    in_place_words(from->placed, w, n);
    return 0;
  }
  return ds_rng_fill(from->rng, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err) ? fail(err.text) : 0;
}

static int run(source *from, unsigned long long count)
{
  const size_t row = from->row, group = from->bits < 32 ? EMPTY_BIT * row : row;
  const size_t ask = count && count < WORDS ? (size_t) count : WORDS;
  const size_t kept =
      from->bits < 32 ? group - row : group; /* words of 32 bits that a group makes */
  const size_t n = (ask + kept - 1) / kept * group;
  uint32_t *w = malloc(n * sizeof *w), *turned = malloc(n * sizeof *turned);
  int code = w && turned ? 0 : fail("no memory");
  for (unsigned long long done = 0; !code && (count == 0 || done < count);) {
    code = read_words(from, w, n);
    if (code) break;
    const uint32_t *out = w;
    size_t have = n;
    if (from->points) {
      transpose(w, n / row, row, turned);
      out = turned;
    }
    if (from->bits < 32) have = fill_empty_bits(w, n, row);
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
  int one, placed;
  in_place_options place;
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
  case 'p':
    s->placed = 1;
    s->place.layout = in_place_layout_of(text);
    return s->place.layout < LAYOUTS;
  case 'i':
    good = read_integer(text, UINT64_MAX, &v);
    s->place.first = v;
    return good;
  case 'c':
    good = read_integer(text, 1 << 20, &v) && v > 0;
    s->place.count = (int) v;
    return good;
  case 'n':
    return read_integer(text, UINT64_MAX, &s->count) && s->count > 0;
  default:
    return 0;
  }
}

/* Of the first form. 0, or the exit status. */
static int open_array(const char *generator, settings *s, source *from)
{
  ds_error err;
  const ds_rng_info *info = ds_rng_find(generator);
  if (s->one && s->rng.width) return fail("-1 and -w are both a width");
  if (s->unit && !s->skip) return fail("-u without -k");
  if (s->place.first || s->place.count) return fail("-i and -c go with -p");
  s->rng.generator = generator;
  if (info && s->rng.width == 0) s->rng.width = usual_width(info, s->one);
  const ds_status status = ds_rng_open(&from->rng, &s->rng, &err);
  if (status) {
    fail(err.text);
    return status == DS_ERR_NO_GPU || status == DS_ERR_DRIVER ? 77 : 2;
  }
  if (s->skip && ds_rng_skip(from->rng, s->skip, (int) s->unit, &err)) return fail(err.text);
  from->row = info->family == DS_RNG_SEQUENCE ? 1 : (size_t) s->rng.width;
  from->points = info->family == DS_RNG_POINTS;
  from->bits = info->bits;
  return 0;
}

static int open_in_place(const char *generator, settings *s, source *from)
{
  const char *why;
  if (s->one || s->skip || s->unit) return fail("-1, -k and -u do not go with -p");
  s->place.seed = s->rng.seed;
  s->place.width = s->rng.width ? (uint64_t) s->rng.width : 10000;
  if (s->place.count == 0) s->place.count = 4;
  from->placed = in_place_open(generator, &s->place, &why);
  if (!from->placed) return fail(why);
  from->row = s->place.layout == STREAMS ? (size_t) s->place.width : 1;
  from->bits = ds_rng_find(generator)->bits;
  return 0;
}

int main(int argc, char **argv)
{
  settings s;
  source from;
  int option, good = 1;
  memset(&s, 0, sizeof s);
  memset(&from, 0, sizeof from);
  s.rng.seed = 1;
  s.rng.rounds = 32;
  s.rng.threads = 1;
  s.rng.backend = DS_BACKEND_HOST;
  while ((option = getopt(argc, argv, "s:w:1r:b:t:k:u:n:p:i:c:l")) != -1) {
    if (option == 'l') {
      list();
      return 0;
    }
    good = good && read_option(option, optarg, &s);
  }
  if (!good || optind + 1 != argc)
    return fail(
        "usage: words [-s SEED] [-w WIDTH] [-1] [-r ROUNDS] [-k COUNT] [-u LOG2] [-n WORDS] "
        "[-b auto|host|cuda] [-t THREADS] GENERATOR; words -p streams|starts|seeds|ids|steps "
        "[-s SEED] [-w WIDTH] [-i STREAM] [-c COUNT] [-n WORDS] GENERATOR; words -l lists them");
  int code =
      s.placed ? open_in_place(argv[optind], &s, &from) : open_array(argv[optind], &s, &from);
  signal(SIGPIPE, SIG_IGN);
  if (!code) code = run(&from, s.count);
  if (from.placed) in_place_close(from.placed);
  ds_rng_close(from.rng);
  return code;
}
