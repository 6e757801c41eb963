/* bench_dpd.c: the engine's times, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later

   A periodic DPD fluid (a = 25, gamma = 4.5, kT = 1, cutoff 1, dt 0.005), one process with all atoms, which move by
   velocity Verlet. Prints

     medians of the calls into the engine, each waited for; the integration, which is the caller's, is not among them
     --device: what a caller does whose atoms are on the device. Steps are queued without waiting, integration and
       all, and their end is waited for: wall time of the whole loop, median of several
     --stages: medians of the device time of each stage, with the bandwidth that it reaches and its share of that of
       a plain copy. The calls are slower then, as events cost
     --frozen: atoms stay where they are, once the fluid is one */
#include "device.h"
#include "fluid.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *backend;
  ds_precision precision;
  int atoms, steps, every, loops, threads, device, stages, frozen;
  double rho, skin, power;
} settings;

enum { SETUP = 0, LOAD, BUILD, COMPUTE, REBUILD_STEP, PLAIN_STEP, CALLS };
static const char *const call_name[CALLS] = {"set atoms", "load",           "build list",
                                             "compute",   "step with list", "step without"};
static const char *const precision_name[] = {"mixed", "double"};
static const double dt = 0.005;

typedef struct {
  double *times;
  int n;
} series;

/* A fluid, an engine, and what a step hands over and takes back: the fluid's own arrays, or their copies on the
   device, which then are the only ones that count. */
typedef struct {
  settings s;
  bench_fluid fl;
  bench_device device;
  ds_pair *pair;
  ds_array x, v, f, tag, type;
  int64_t number; /* of the step to come */
  int frozen;
  series calls[CALLS], stages[BENCH_STAGES];
  ds_error err;
} bench;

static void stop(const char *text)
{
  fprintf(stderr, "bench_dpd: %s\n", text);
  exit(1);
}

static void need(ds_status status, const ds_error *err)
{
  if (status) stop(err->text);
}

/* ---------------------------------------------------------------------------------------- settings */

static int read_flag(settings *s, const char *word)
{
  if (strcmp(word, "--device") == 0) return s->device = 1;
  if (strcmp(word, "--stages") == 0) return s->stages = 1;
  if (strcmp(word, "--frozen") == 0) return s->frozen = 1;
  return 0;
}

static const char usage[] =
    "usage: bench_dpd [--backend auto|host|cuda] [--atoms N] [--steps N] [--every N] [--loops N] [--threads N]\n"
    "                 [--rho R] [--skin S] [--power S] [--precision mixed|double] [--device] [--stages] [--frozen]\n";

static settings read_settings(int argc, char **argv)
{
  settings s = {"auto", DS_PRECISION_MIXED, 1000000, 100, 5, 5, 1, 0, 0, 0, 3.0, 0.3, 1.0};
  for (int k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (read_flag(&s, argv[k])) continue;
    k++;
    if (strcmp(argv[k - 1], "--backend") == 0)
      s.backend = value;
    else if (strcmp(argv[k - 1], "--atoms") == 0)
      s.atoms = atoi(value);
    else if (strcmp(argv[k - 1], "--steps") == 0)
      s.steps = atoi(value);
    else if (strcmp(argv[k - 1], "--every") == 0)
      s.every = atoi(value);
    else if (strcmp(argv[k - 1], "--loops") == 0)
      s.loops = atoi(value);
    else if (strcmp(argv[k - 1], "--threads") == 0)
      s.threads = atoi(value);
    else if (strcmp(argv[k - 1], "--rho") == 0)
      s.rho = atof(value);
    else if (strcmp(argv[k - 1], "--skin") == 0)
      s.skin = atof(value);
    else if (strcmp(argv[k - 1], "--power") == 0)
      s.power = atof(value);
    else if (strcmp(argv[k - 1], "--precision") == 0) {
      int p = 0;
      while (p < DS_PRECISIONS && strcmp(value, precision_name[p]) != 0) p++;
      if (p == DS_PRECISIONS) stop("--precision is mixed or double");
      s.precision = (ds_precision) p;
    } else {
      fprintf(stderr, "bench_dpd: unknown option %s\n%s", argv[k - 1], usage);
      exit(2);
    }
  }
  if (s.atoms < 1 || s.steps < 1 || s.every < 1 || s.loops < 1 || s.threads < 1)
    stop("numbers must be positive");
  return s;
}

/* ------------------------------------------------------------------------------------------ set-up */

static void open_engine(bench *b)
{
  const settings *const s = &b->s;
  ds_pair_options o;
  memset(&o, 0, sizeof o);
  o.backend = strcmp(s->backend, "host") == 0   ? DS_BACKEND_HOST
              : strcmp(s->backend, "cuda") == 0 ? DS_BACKEND_CUDA
                                                : DS_BACKEND_AUTO;
  o.precision = s->precision;
  o.threads = s->threads;
  need(ds_pair_open(&b->pair, &o, &b->err), &b->err);
}

static void set_model_and_box(bench *b)
{
  static const double a = 25, gamma = 4.5, cutoff = 1.0;
  const ds_box box = fluid_box(&b->fl, b->s.skin);
  ds_pair_model m;
  memset(&m, 0, sizeof m);
  m.ntypes = 1;
  m.coeff[DS_DPD_A] = &a;
  m.coeff[DS_DPD_GAMMA] = &gamma;
  m.coeff[DS_DPD_POWER] = &b->s.power;
  m.cutoff = &cutoff;
  m.kT = 1.0;
  m.dt = dt;
  m.skin = b->s.skin;
  for (int k = 0; k < 4; k++) m.special[k] = 1.0;
  m.seed = 4711;
  need(ds_pair_set_model(b->pair, &m, &b->err), &b->err);
  need(ds_pair_set_box(b->pair, &box, &b->err), &b->err);
  if (ds_pair_needs_ghosts(b->pair))
    stop("more atoms are needed: the cube is not wider than two ranges of the list");
}

static ds_array host_array(void *data, ds_type type, int components)
{
  const ds_array a = {data, type, DS_SPACE_HOST, components, 1};
  return a;
}

static void hand_over(bench *b)
{
  const size_t n = (size_t) b->fl.n;
  b->x = host_array(b->fl.x, DS_F64, 3);
  b->v = host_array(b->fl.v, DS_F64, 3);
  b->f = host_array(b->fl.f, DS_F64, 3);
  b->tag = host_array(b->fl.tag, DS_I64, 1);
  b->type = host_array(b->fl.type, DS_I32, 1);
  if (!b->s.device) { /* as the pair style does on one rank */
    ds_pair_pin(b->pair, b->fl.x, 24 * n);
    ds_pair_pin(b->pair, b->fl.v, 24 * n);
    ds_pair_pin(b->pair, b->fl.f, 24 * n);
    ds_pair_pin(b->pair, b->fl.type, 4 * n);
    return;
  }
  if (!bench_device_put(&b->device, 0, &b->x, 24 * n) ||
      !bench_device_put(&b->device, 1, &b->v, 24 * n) ||
      !bench_device_put(&b->device, 2, &b->f, 24 * n) ||
      !bench_device_put(&b->device, 3, &b->tag, 8 * n) ||
      !bench_device_put(&b->device, 4, &b->type, 4 * n))
    stop("no device, or no room on it");
}

static void set_atoms(bench *b)
{
  ds_atoms atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.nlocal = b->fl.n;
  atoms.tag = b->tag;
  atoms.type = b->type;
  need(ds_pair_set_atoms(b->pair, &atoms, &b->err), &b->err);
}

/* -------------------------------------------------------------------------------------- the motion */

static bench_motion motion_of(const bench *b)
{
  const bench_motion m = {ds_pair_stream(b->pair),
                          ds_pair_halted(b->pair),
                          b->fl.n,
                          b->x.data,
                          b->v.data,
                          b->f.data,
                          b->fl.edge,
                          dt};
  return m;
}

static int is_rebuild(const bench *b)
{
  return b->number % b->s.every == 0;
}

static void first_half(bench *b)
{
  const bench_motion m = motion_of(b);
  if (b->frozen) return;
  if (!b->s.device)
    fluid_first_half(&b->fl, dt, is_rebuild(b));
  else if (!bench_move_first(&m, is_rebuild(b)))
    stop("the device failed");
}

static void second_half(bench *b)
{
  const bench_motion m = motion_of(b);
  if (b->frozen) return;
  if (!b->s.device)
    fluid_second_half(&b->fl, dt);
  else if (!bench_move_second(&m))
    stop("the device failed");
}

/* -------------------------------------------------------------------------- calls, each waited for */

/* Time since *last, which becomes now; the device has ended what it was given. */
static double lap(bench *b, double *last)
{
  const double before = *last;
  if (!bench_device_wait(b->pair)) stop("the device failed");
  *last = bench_seconds();
  return *last - before;
}

static void note(series *s, double value)
{
  s->times[s->n++] = value;
}

static void step(bench *b)
{
  const int rebuild = is_rebuild(b);
  ds_pair_request r;
  double last = 0.0;
  first_half(b);
  lap(b, &last);
  const double start = last;
  if (rebuild && !b->s.device) { /* LAMMPS, whose arrays are the host's, renumbers its atoms then */
    set_atoms(b);
    note(&b->calls[SETUP], lap(b, &last));
  }
  need(ds_pair_load(b->pair, &b->x, &b->v, b->number, &b->err), &b->err);
  note(&b->calls[LOAD], lap(b, &last));
  if (rebuild) {
    need(ds_pair_build_list(b->pair, &b->err), &b->err);
    note(&b->calls[BUILD], lap(b, &last));
  }
  memset(&r, 0, sizeof r);
  r.f = b->f;
  need(ds_pair_compute(b->pair, &r, NULL, &b->err), &b->err);
  note(&b->calls[COMPUTE], lap(b, &last));
  note(&b->calls[rebuild ? REBUILD_STEP : PLAIN_STEP], last - start);
  second_half(b);
  b->number++;
}

static void run_steps(bench *b, int steps)
{
  for (int k = 0; k < CALLS; k++) b->calls[k].n = 0;
  for (int k = 0; k < BENCH_STAGES; k++) b->stages[k].n = 0;
  for (int n = 0; n < steps; n++) {
    float ms[BENCH_STAGES] = {0};
    step(b);
    if (!b->s.stages) continue;
    bench_stage_times(b->pair, ms);
    for (int k = 0; k < bench_stages(b->pair); k++)
      if (ms[k] > 0.0f) note(&b->stages[k], ms[k]);
  }
}

static void print_calls(bench *b)
{
  double median[CALLS];
  printf("%-20s %9s\n", "call", "ms");
  for (int k = 0; k < CALLS; k++) {
    median[k] = bench_median(b->calls[k].times, b->calls[k].n);
    if (b->calls[k].n) printf("%-20s %9.3f\n", call_name[k], median[k] * 1e3);
  }
  const int every = b->calls[REBUILD_STEP].n ? b->s.every : 0;
  const double mean = every ? (median[REBUILD_STEP] + (every - 1) * median[PLAIN_STEP]) / every
                            : median[PLAIN_STEP];
  printf("%-20s %9.3f   %.1f million atom steps per second\n", "mean step", mean * 1e3,
         b->fl.n / mean * 1e-6);
}

/* ------------------------------------------------------------------------------ queued, not waited for */

static void queue_evaluation(bench *b, int rebuild)
{
  ds_pair_request wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.f = b->f;
  need(ds_pair_load(b->pair, &b->x, &b->v, b->number, &b->err), &b->err);
  if (rebuild) need(ds_pair_build_list(b->pair, &b->err), &b->err);
  need(ds_pair_enqueue(b->pair, &wanted, &b->err), &b->err);
  second_half(b);
  b->number++;
}

/* Steps up to number `end`; where the list became too small, once more from that evaluation on, whose atoms have
   moved already. Returns how often. */
static int queue_steps(bench *b, int64_t end)
{
  int repeats = 0;
  for (;;) {
    int64_t again;
    while (b->number < end) {
      first_half(b);
      queue_evaluation(b, is_rebuild(b));
    }
    need(ds_pair_check(b->pair, NULL, &again, &b->err), &b->err);
    if (again < 0) return repeats;
    repeats++;
    b->number = again;
    queue_evaluation(b, 1);
  }
}

static void run_loops(bench *b)
{
  double *const times = malloc(sizeof *times * (size_t) b->s.loops);
  int repeats = 0;
  if (!times) stop("out of memory");
  queue_steps(b, b->number + b->s.every);
  for (int k = 0; k < b->s.loops; k++) {
    const double start = bench_seconds();
    repeats += queue_steps(b, b->number + b->s.steps);
    times[k] = bench_seconds() - start;
  }
  const double median = bench_median(times, b->s.loops) / b->s.steps, steps = b->fl.n * 1e-6;
  printf("%-20s %9.3f   %.1f million atom steps per second, of %d loops of %d steps (%.1f to %.1f)\n",
         b->frozen ? "queued, frozen" : "queued, integrated", median * 1e3, steps / median,
         b->s.loops, b->s.steps, steps * b->s.steps / times[b->s.loops - 1],
         steps * b->s.steps / times[0]);
  if (repeats) printf("%-20s %9d   the list became too small\n", "queued once more", repeats);
  free(times);
}

/* ---------------------------------------------------------------------------------------- printing */

static double count_entries(bench *b)
{
  const size_t n = (size_t) b->fl.n;
  int rows, *const atom = malloc(n * sizeof *atom);
  int64_t *const start = malloc((n + 1) * sizeof *start);
  if (!atom || !start) stop("out of memory");
  need(ds_pair_read_list(b->pair, &rows, atom, start, NULL, &b->err), &b->err);
  const double entries = (double) start[rows];
  free(atom);
  free(start);
  return entries;
}

/* Bytes that a stage has to move, at least: each input read once, each output written once. 0: the stage is not one
   of moving bytes. */
static double stage_bytes(const bench *b, const char *name)
{
  const double n = b->fl.n, wide = b->s.precision == DS_PRECISION_DOUBLE;
  if (strcmp(name, "copy in") == 0) return 52 * n;
  if (strcmp(name, "gather") == 0) return n * (4 + 48 + 8 + 4 + (wide ? 64 : 32));
  if (strcmp(name, "copy out") == 0) return 24 * n;
  return 0.0;
}

static void print_stages(bench *b, double entries)
{
  const double ceiling = bench_device_bandwidth();
  printf("%-20s %9s %9s %9s   a plain copy on the device: %.0f GB/s\n", "device stage", "ms",
         "GB/s", "share", ceiling / 1e9);
  for (int k = 0; k < bench_stages(b->pair); k++) {
    const char *name = bench_stage_name(b->pair, k);
    const double ms = bench_median(b->stages[k].times, b->stages[k].n);
    if (b->stages[k].n == 0) continue;
    const double rate = stage_bytes(b, name) / (ms * 1e-3);
    printf("%-20s %9.3f", name, ms);
    if (rate > 0.0) printf(" %9.0f %8.0f%%", rate / 1e9, 100.0 * rate / ceiling);
    if (strcmp(name, "forces") == 0 || strcmp(name, "build list") == 0)
      printf(" %9.2f G entries/s", entries / ms * 1e-6);
    printf("\n");
  }
}

static void print_head(bench *b, double entries)
{
  const ds_pair_info info = ds_pair_get_info(b->pair);
  printf("%s (%s), %s, %d atoms and %d ghosts, density %g, %d cells, rebuild every %d, %d threads, "
         "%s arrays%s\n",
         info.backend, info.variant, precision_name[b->s.precision], b->fl.n, info.ghosts, b->s.rho,
         info.cells[0] * info.cells[1] * info.cells[2], b->s.every, b->s.threads,
         b->s.device ? "device" : "host", b->frozen ? ", frozen" : "");
  printf("kT %.4f, %.2f entries per atom and room for %.2f; %.0f MB on the device, %.0f MB on the "
         "host\n",
         fluid_temperature(&b->fl), entries / b->fl.n, (double) info.entries / b->fl.n,
         (double) info.bytes_device * 1e-6, (double) info.bytes_host * 1e-6);
}

int main(int argc, char **argv)
{
  static bench b;
  if (bench_help(argc, argv, usage)) return bench_end_output("bench_dpd");
  b.s = read_settings(argc, argv);
  const int warm = 40 + b.s.every; /* until the lattice is forgotten and the list has its room */
  const size_t most = (size_t) (b.s.steps > warm ? b.s.steps : warm);
  open_engine(&b);
  if (!fluid_open(&b.fl, b.s.atoms, b.s.rho, b.s.threads, 1)) stop("out of memory");
  for (int k = 0; k < CALLS; k++)
    if (!(b.calls[k].times = malloc(sizeof(double) * most))) stop("out of memory");
  for (int k = 0; k < BENCH_STAGES; k++)
    if (!(b.stages[k].times = malloc(sizeof(double) * most))) stop("out of memory");
  set_model_and_box(&b);
  hand_over(&b);
  set_atoms(&b);
  run_steps(&b, warm);
  b.frozen = b.s.frozen;
  if (b.s.stages) need(bench_stage_timing(b.pair, 1, &b.err), &b.err);
  run_steps(&b, b.s.steps);
  if (b.s.stages) need(bench_stage_timing(b.pair, 0, &b.err), &b.err);
  if (b.s.device && !bench_device_get(b.fl.v, &b.v, 24 * (size_t) b.fl.n))
    stop("the device failed");
  const double entries = count_entries(&b);
  print_head(&b, entries);
  if (b.s.stages && bench_stages(b.pair)) print_stages(&b, entries);
  print_calls(&b);
  if (b.s.device) run_loops(&b);
  for (int k = 0; k < CALLS; k++) free(b.calls[k].times);
  for (int k = 0; k < BENCH_STAGES; k++) free(b.stages[k].times);
  bench_device_close(&b.device);
  ds_pair_close(b.pair); /* before memory goes that is pinned */
  fluid_close(&b.fl);
  return bench_end_output("bench_dpd");
}
