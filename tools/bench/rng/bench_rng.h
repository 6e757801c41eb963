/* bench_rng.h: the parts of the benchmark of generators.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BENCH_RNG_H
#define DPDSOP_BENCH_RNG_H

#include "dpdsop/rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where numbers are made. Functions return 0 where something fails, with a text in bench_why. */
typedef int bench_call(void *what);

typedef struct bench_machine bench_machine;
struct bench_machine {
  ds_backend backend;
  ds_space space;
  char name[128];
  void *stream;
  int threads;   /* of the host */
  double budget; /* seconds that the calls of one median may take, where they are slow */

  void *(*get)(size_t bytes);
  void (*drop)(void *data);
  int (*read)(void *to, const void *from,
              size_t bytes); /* to host memory, after all that is queued */
  int (*write)(void *to, const void *from, size_t bytes);
  int (*wait)(void);
  /* After warming up, at most `most` calls; the time of each. Returns their number, 0 where a call fails. */
  int (*time)(const bench_machine *m, bench_call *call, void *what, int most, double *seconds);
  int (*store)(void *out, ds_type type, size_t n); /* a constant into n numbers; NULL: not here */
  int (*clear)(void *out, size_t bytes);
  /* A step of n oscillators, x[3 n], component by component; noise may be NULL. */
  int (*move)(const bench_machine *m, float *x, const float *noise, size_t n);
  /* The same, the noise made where it is used, by Philox; NULL: not here. */
  int (*move_in_place)(const bench_machine *m, float *x, size_t n, uint64_t seed, uint64_t step);
};

extern ds_error bench_why;
extern int bench_wrong; /* numbers were not those of the sequence: the program fails in the end */

bench_machine bench_machine_host(int threads, double budget);
int bench_machine_cuda(bench_machine *m); /* where CUDA is compiled in */

/* ------------------------------------------------------------------------------------- settings */

typedef struct {
  ds_backend backend;
  const char *only; /* one generator, or NULL */
  const char *isa;  /* of the host, NULL: best */
  int quick, markdown, threads;
  int rates, langevin; /* parts that are wanted */
  int log2_numbers;    /* of a call on the GPU */
} bench_settings;

enum {
  BENCH_SAMPLES = 25,
  BENCH_ROUNDS = 8, /* of TEA: the least that its authors advise */
  BENCH_DIMENSIONS = 128,
  BENCH_MAX = 32, /* generators */
  BENCH_SEED = 20101
};

/* The generator number k of the table, NULL past its end. */
const ds_rng_info *bench_generator(int k);
int bench_wanted(const bench_settings *s, const char *name);

/* A generator opened on a machine, or the end of the program. width: of streams, dimensions or numbers at once, as
   far as the generator goes. */
ds_rng *bench_open(const bench_settings *s, const bench_machine *m, const ds_rng_info *info,
                   int64_t width, int threads);
void *bench_get(const bench_machine *m, size_t bytes);
void bench_stop(const char *what); /* with bench_why */

/* ------------------------------------------------------------------------------------- the parts */

/* Tables 2 and 3 of Bradley et al. cuda: NULL without. */
void bench_rates(const bench_settings *s, const bench_machine *host, const bench_machine *cuda);
/* Figures 5 and 6 of Zhmurov et al. */
void bench_langevin(const bench_settings *s, const bench_machine *host, const bench_machine *cuda);

/* cuRAND beside us. NULL where it is not compiled in, has no such generator or no such order. */
typedef struct bench_reference bench_reference;
bench_reference *bench_reference_open(const char *generator, int dynamic, void *stream);
const char *bench_reference_title(const char *generator); /* NULL: it has none */
void bench_reference_close(bench_reference *r);
/* 0 where it has no such distribution. */
int bench_reference_fill(bench_reference *r, ds_distribution distribution, ds_type type, void *out,
                         size_t n);
void bench_reference_version(char *text, size_t size);

/* ---------------------------------------------------------------------------------------- tables */

/* Values that are not > 0 are left out. note may be NULL. */
typedef struct {
  int markdown, columns, notes;
} bench_table;

bench_table bench_table_begin(const bench_settings *s, const char *first, const char *const *head,
                              int columns, const char *notes);
void bench_table_row(const bench_table *t, const char *first, const double *value,
                     const char *note);
void bench_heading(const bench_settings *s, const char *text);
/* A line below a heading. */
void bench_remark(const bench_settings *s, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
