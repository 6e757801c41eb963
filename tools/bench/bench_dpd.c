/* bench_dpd.c: the engine's times, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later

   A periodic DPD fluid (a = 25, gamma = 4.5, kT = 1, cutoff 1, dt 0.005), one process. Prints medians: of the calls
   into the engine, by the host's clock, and on a GPU of each stage's device time, with the bandwidth that it reaches and
   its share of that of a plain copy. The integration and the search for ghosts, which a caller does, are not counted. */
#include "device.h"
#include "fluid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *backend;
  ds_precision precision;
  int atoms, steps, every, threads, device;
  double rho, skin, power;
} settings;

enum { SETUP = 0, GHOSTS, LOAD, BUILD, COMPUTE, REBUILD_STEP, PLAIN_STEP, CALLS };
static const char *const call_name[CALLS] = {"set atoms",   "ghost owners", "load",
                                             "build list",  "compute",      "step with rebuild",
                                             "step without"};
static const char *const precision_name[] = {"mixed", "single", "double"};

typedef struct {
  double *times;
  int n;
} series;

static void note(series *s, double seconds)
{
  s->times[s->n++] = seconds;
}

static void stop(const char *text)
{
  fprintf(stderr, "bench_dpd: %s\n", text);
  exit(1);
}

static void need(ds_status status, const ds_error *err)
{
  if (status) stop(err->text);
}

static settings read_settings(int argc, char **argv)
{
  settings s = {"auto", DS_PRECISION_MIXED, 1000000, 100, 5, 1, 0, 3.0, 0.3, 1.0};
  for (int k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (strcmp(argv[k], "--device") == 0) {
      s.device = 1;
      continue;
    }
    k++;
    if (strcmp(argv[k - 1], "--backend") == 0)
      s.backend = value;
    else if (strcmp(argv[k - 1], "--atoms") == 0)
      s.atoms = atoi(value);
    else if (strcmp(argv[k - 1], "--steps") == 0)
      s.steps = atoi(value);
    else if (strcmp(argv[k - 1], "--every") == 0)
      s.every = atoi(value);
    else if (strcmp(argv[k - 1], "--threads") == 0)
      s.threads = atoi(value);
    else if (strcmp(argv[k - 1], "--rho") == 0)
      s.rho = atof(value);
    else if (strcmp(argv[k - 1], "--skin") == 0)
      s.skin = atof(value);
    else if (strcmp(argv[k - 1], "--power") == 0)
      s.power = atof(value);
    else if (strcmp(argv[k - 1], "--precision") == 0) {
      for (int p = 0; p < 3; p++)
        if (strcmp(value, precision_name[p]) == 0) s.precision = (ds_precision) p;
    } else
      stop("options: --backend auto|host|cuda --atoms N --steps N --every N --threads N --rho R "
           "--skin S "
           "--power S --precision mixed|single|double --device");
  }
  if (s.atoms < 1 || s.steps < 1 || s.every < 1 || s.threads < 1) stop("numbers must be positive");
  return s;
}

static ds_dpd *open_engine(const settings *s, ds_error *err)
{
  ds_dpd_options o;
  ds_dpd *dpd;
  memset(&o, 0, sizeof o);
  o.backend = strcmp(s->backend, "host") == 0   ? DS_BACKEND_HOST
              : strcmp(s->backend, "cuda") == 0 ? DS_BACKEND_CUDA
                                                : DS_BACKEND_AUTO;
  o.precision = s->precision;
  o.threads = s->threads;
  need(ds_dpd_open(&dpd, &o, err), err);
  return dpd;
}

static void set_model(ds_dpd *dpd, const settings *s, ds_error *err)
{
  static const double a = 25, gamma = 4.5, cutoff = 1.0;
  const ds_dpd_model m = {1,   &a,    &gamma,  &cutoff,      &s->power,
                          1.0, 0.005, s->skin, {1, 1, 1, 1}, 4711};
  need(ds_dpd_set_model(dpd, &m, err), err);
}

static ds_array host_array(void *data, ds_type type, int components)
{
  const ds_array a = {data, type, DS_SPACE_HOST, components, 1};
  return a;
}

/* What a step hands over and takes back: the fluid's own arrays, or their copies on the device. */
typedef struct {
  ds_array x, v, f, tag, type;
} handed;

static handed hand_over(const settings *s, bench_fluid *fl, bench_device *d, int renumbered)
{
  handed h;
  h.x = host_array(fl->x, DS_F64, 3);
  h.v = host_array(fl->v, DS_F64, 3);
  h.f = host_array(fl->f, DS_F64, 3);
  h.tag = host_array(fl->tag, DS_I64, 1);
  h.type = host_array(fl->type, DS_I32, 1);
  if (s->device) {
    const size_t n = 3 * (size_t) fl->n, all = (size_t) (fl->n + fl->nghost);
    if (!bench_device_put(d, 0, &h.x, n * 8) || !bench_device_put(d, 1, &h.v, n * 8) ||
        !bench_device_put(d, 2, &h.f, n * 8) ||
        !bench_device_put(d, 3, &h.tag, renumbered ? all * 8 : 0) ||
        !bench_device_put(d, 4, &h.type, renumbered ? all * 4 : 0))
      stop("no device, or no room on it");
  }
  return h;
}

static void step(const settings *s, ds_dpd *dpd, bench_fluid *fl, bench_device *d, int number,
                 series *calls, ds_error *err)
{
  const int rebuild = number % s->every == 0;
  ds_dpd_result r;
  if (rebuild && !fluid_ghosts(fl)) stop("out of memory");
  const handed h = hand_over(s, fl, d, rebuild);
  const double start = bench_seconds();
  double last = start, now;
  if (rebuild) {
    const ds_atoms atoms = {
        fl->n, fl->nghost, h.tag, h.type, host_array(NULL, DS_I32, 3), host_array(NULL, DS_I64, 1)};
    const ds_box box = fluid_box(fl, s->skin);
    need(ds_dpd_set_box(dpd, &box, err), err);
    need(ds_dpd_set_atoms(dpd, &atoms, err), err);
    note(&calls[SETUP], (now = bench_seconds()) - last);
    last = now;
    need(ds_dpd_set_ghost_owners(dpd, fl->owner, fl->image, err), err);
    note(&calls[GHOSTS], (now = bench_seconds()) - last);
    last = now;
  }
  need(ds_dpd_load(dpd, &h.x, &h.v, number, err), err);
  note(&calls[LOAD], (now = bench_seconds()) - last);
  last = now;
  if (rebuild) {
    need(ds_dpd_build_list(dpd, err), err);
    note(&calls[BUILD], (now = bench_seconds()) - last);
    last = now;
  }
  memset(&r, 0, sizeof r);
  r.f = h.f;
  need(ds_dpd_compute(dpd, &r, err), err);
  now = bench_seconds();
  note(&calls[COMPUTE], now - last);
  note(&calls[rebuild ? REBUILD_STEP : PLAIN_STEP], now - start);
  if (s->device && !bench_device_get(fl->f, &h.f, 3 * (size_t) fl->n * 8))
    stop("the device failed");
}

/* Bytes that a stage has to move, at least: each input read once, each output written once. Sorting: what its passes
   of 8 bits move. 0: the stage is not one of moving bytes. */
static double stage_bytes(const char *name, const settings *s, const bench_fluid *fl,
                          const ds_dpd_info *info)
{
  const double n = fl->n, all = n + fl->nghost, wide = s->precision == DS_PRECISION_DOUBLE;
  const double record = wide ? 48 : 24, slot = wide ? 64 : 32;
  if (strcmp(name, "copy in") == 0) return n * record;
  if (strcmp(name, "marshal") == 0) return n * (48 + record);
  if (strcmp(name, "gather") == 0) return all * (4 + record + 12 + slot);
  if (strcmp(name, "sort") == 0) return all * (16 + 8 + 4 * 16);
  if (strcmp(name, "transpose") == 0) return 8.0 * (double) info->neighbors;
  if (strcmp(name, "copy out") == 0) return n * (wide ? 24 : 12);
  return 0.0;
}

static void print_stages(const settings *s, const bench_fluid *fl, ds_dpd *dpd, series *stages)
{
  const ds_dpd_info info = ds_dpd_get_info(dpd);
  const double ceiling = bench_device_bandwidth();
  printf("%-20s %9s %9s %9s   a plain copy on the device: %.0f GB/s\n", "device stage", "ms",
         "GB/s", "share", ceiling / 1e9);
  for (int k = 0; k < bench_stages(dpd); k++) {
    const char *name = bench_stage_name(k);
    const double ms = bench_median(stages[k].times, stages[k].n);
    if (stages[k].n == 0) continue;
    const double rate = stage_bytes(name, s, fl, &info) / (ms * 1e-3);
    if (rate > 0.0)
      printf("%-20s %9.3f %9.0f %8.0f%%\n", name, ms, rate / 1e9, 100.0 * rate / ceiling);
    else
      printf("%-20s %9.3f\n", name, ms);
    if (strcmp(name, "forces") == 0)
      printf("%-20s %9.2f G entries/s, %.2f G pairs within the cutoff/s\n", "",
             (double) info.neighbors / ms * 1e-6, (double) info.core / ms * 1e-6);
    if (strcmp(name, "build list") == 0)
      printf("%-20s %9.2f G entries/s\n", "", (double) info.neighbors / ms * 1e-6);
  }
}

int main(int argc, char **argv)
{
  const settings s = read_settings(argc, argv);
  const int warm = 40 + s.every; /* until the lattice is forgotten and rows have grown */
  bench_fluid fl;
  ds_error err;
  series calls[CALLS], stages[BENCH_STAGES];
  bench_device device;
  ds_dpd *dpd = open_engine(&s, &err);
  memset(&device, 0, sizeof device);
  if (!fluid_open(&fl, s.atoms, s.rho, 1.0 + s.skin, s.threads, 1)) stop("out of memory");
  set_model(dpd, &s, &err);
  for (int k = 0; k < CALLS; k++)
    calls[k].times = malloc(sizeof(double) * (size_t) (s.steps + warm));
  for (int k = 0; k < BENCH_STAGES; k++)
    stages[k].times = malloc(sizeof(double) * (size_t) (s.steps + warm));
  need(bench_stage_timing(dpd, &err), &err);
  for (int number = -warm; number < s.steps; number++) {
    float ms[BENCH_STAGES];
    if (number <= 0)
      for (int k = 0; k < CALLS; k++) calls[k].n = 0;
    if (number <= 0)
      for (int k = 0; k < BENCH_STAGES; k++) stages[k].n = 0;
    if (number > -warm) fluid_first_half(&fl, 0.005);
    step(&s, dpd, &fl, &device, number + warm, calls, &err);
    fluid_second_half(&fl, 0.005);
    bench_stage_times(dpd, ms);
    for (int k = 0; k < bench_stages(dpd); k++)
      if (ms[k] > 0.0f) note(&stages[k], ms[k]);
  }
  const ds_dpd_info info = ds_dpd_get_info(dpd);
  printf("%s (%s), %s, %d atoms and %d ghosts, density %g, %d cells, rebuild every %d, %d threads, "
         "%s arrays\n",
         info.backend, info.variant, precision_name[s.precision], fl.n, fl.nghost, s.rho,
         info.cells[0] * info.cells[1] * info.cells[2], s.every, s.threads,
         s.device ? "device" : "host");
  printf("kT %.4f, %.2f neighbors and %.2f within the cutoff an atom, rows of %d; %.0f MB on the "
         "device, %.0f MB on the host\n",
         fluid_temperature(&fl), (double) info.neighbors / fl.n, (double) info.core / fl.n,
         info.row_capacity, (double) info.bytes_device * 1e-6, (double) info.bytes_host * 1e-6);
  if (bench_stages(dpd)) print_stages(&s, &fl, dpd, stages);
  printf("%-20s %9s\n", "call", "ms");
  double rebuild = 0.0, plain = 0.0;
  for (int k = 0; k < CALLS; k++) {
    const double median = bench_median(calls[k].times, calls[k].n);
    if (k == REBUILD_STEP) rebuild = median;
    if (k == PLAIN_STEP) plain = median;
    if (calls[k].n) printf("%-20s %9.3f\n", call_name[k], median * 1e3);
    free(calls[k].times);
  }
  const double mean = (rebuild + (s.every - 1) * plain) / s.every;
  printf("%-20s %9.3f   %.1f million atom steps a second\n", "mean step", mean * 1e3,
         fl.n / mean * 1e-6);
  for (int k = 0; k < BENCH_STAGES; k++) free(stages[k].times);
  fluid_close(&fl);
  bench_device_close(&device);
  ds_dpd_close(dpd);
  return 0;
}
