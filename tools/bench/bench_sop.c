/* Speed of SOP molecules without LAMMPS.   SPDX-License-Identifier: GPL-2.0-or-later

     bench_sop FILE.sop FILE.data [key value ...]

   makes copies of the molecule and prints microseconds per Brownian step, the median of several runs, and bead steps per
   second. Keys: copies (1), steps per run (1000), runs (7), h in fs (1600), zeta in kcal fs / mol / A^2 (1.0075e6),
   kT in kcal/mol (0.5958), threads (1), backend (auto), scheme (auto), order (1), rng (tea), isa, cutoff, skin, seed,
   hydro (none, exact or tea), radius of beads for it (4 A), and warm, steps before the first run (1000). */
#include "dpdsop/digest.h"
#include "dpdsop/sop.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ds_error error;

static void require(ds_status s)
{
  bench_require("bench_sop", s, &error);
}

/* Coordinates of atoms 1 to n of a LAMMPS data file of atom_style molecular. */
static void read_data(const char *file, int n, double *x)
{
  char line[1024];
  int found = 0, in_atoms = 0;
  FILE *const f = fopen(file, "r");
  if (!f) {
    perror(file);
    exit(1);
  }
  while (found < n && fgets(line, sizeof line, f)) {
    long id, molecule, type;
    double r[3];
    if (strncmp(line, "Atoms", 5) == 0) in_atoms = 1;
    if (!in_atoms ||
        sscanf(line, "%ld %ld %ld %lf %lf %lf", &id, &molecule, &type, r, r + 1, r + 2) != 6)
      continue;
    if (id < 1 || id > n) continue;
    memcpy(x + 3 * (id - 1), r, sizeof r);
    found++;
  }
  fclose(f);
  if (found < n) {
    fprintf(stderr, "bench_sop: %s has %d of the atoms 1 to %d\n", file, found, n);
    exit(1);
  }
}

typedef struct {
  int copies, steps, runs, warm;
  double h, zeta, kT;
} settings;

static const char *const scheme_name[4] = {"auto", "particle", "pair", "block"};
static const char *const backend_name[3] = {"auto", "host", "cuda"};
static const char *const hydro_name[3] = {"none", "exact", "tea"};

static int named(const char *const *names, int count, const char *value)
{
  for (int k = 0; k < count; k++)
    if (strcmp(names[k], value) == 0) return k;
  fprintf(stderr, "bench_sop: unknown value %s\n", value);
  exit(2);
}

static void set(settings *s, ds_sop_options *o, const char *key, const char *value)
{
#define IS(name) (strcmp(key, #name) == 0)
  if (IS(copies))
    s->copies = atoi(value);
  else if (IS(steps))
    s->steps = atoi(value);
  else if (IS(runs))
    s->runs = atoi(value);
  else if (IS(warm))
    s->warm = atoi(value);
  else if (IS(h))
    s->h = atof(value);
  else if (IS(zeta))
    s->zeta = atof(value);
  else if (IS(kT))
    s->kT = atof(value);
  else if (IS(threads))
    o->threads = atoi(value);
  else if (IS(order))
    o->order = atoi(value);
  else if (IS(cutoff))
    o->cutoff = atof(value);
  else if (IS(skin))
    o->skin = atof(value);
  else if (IS(seed))
    o->seed = strtoull(value, NULL, 10);
  else if (IS(radius))
    o->radius = atof(value);
  else if (IS(hydro))
    o->hydro = (ds_sop_hydro) named(hydro_name, 3, value);
  else if (IS(rng))
    o->rng = value;
  else if (IS(isa))
    o->isa = value;
  else if (IS(scheme))
    o->scheme = (ds_sop_scheme) named(scheme_name, 4, value);
  else if (IS(backend))
    o->backend = (ds_backend) named(backend_name, 3, value);
  else {
    fprintf(stderr, "bench_sop: unknown key %s\n", key);
    exit(2);
  }
#undef IS
}

static void place_copies(ds_sop *sop, const ds_sop_topology *t, int copies, const char *data)
{
  const size_t n = (size_t) t->beads, all = n * (size_t) copies;
  double *const x = malloc(3 * all * sizeof *x);
  int64_t *const id = malloc(all * sizeof *id);
  if (!x || !id) exit(1);
  read_data(data, t->beads, x);
  for (size_t b = 0; b < all; b++) {
    id[b] = (int64_t) b + 1;
    if (b >= n) memcpy(x + 3 * b, x + 3 * (b % n), 3 * sizeof *x);
  }
  require(ds_sop_set_beads(sop, copies, 0, id, &error));
  require(ds_sop_set_positions(sop, x, &error));
  free(x);
  free(id);
}

/* A number that changes with any bit of any position. */
static uint64_t hash_of(ds_sop *sop, size_t beads)
{
  double *const x = malloc(3 * beads * sizeof *x);
  if (!x) exit(1);
  require(ds_sop_get_positions(sop, x, &error));
  const uint64_t hash = ds_digest(DS_DIGEST_OF_NOTHING, x, 3 * beads * sizeof *x);
  free(x);
  return hash;
}

static const char usage[] =
    "usage: bench_sop FILE.sop FILE.data [key value ...]; keys: copies, steps, runs, warm, h, zeta, kT, threads, order, cutoff,\n"
    "                 skin, seed, radius, hydro, rng, isa, scheme, backend\n";

int main(int argc, char **argv)
{
  settings s = {1, 1000, 7, 1000, 1600.0, 1.0075e6, 0.5958};
  ds_sop_options o;
  ds_sop_topology t;
  ds_sop *sop;
  ds_sop_energies e;
  if (bench_help(argc, argv, usage)) return bench_end_output("bench_sop");
  if (argc < 3 || argc % 2 == 0) {
    fputs(usage, stderr);
    return 2;
  }
  memset(&o, 0, sizeof o);
  o.threads = o.order = 1;
  o.rng = "tea";
  o.seed = 1;
  o.skin = 2.85; /* 3/4 sigma, as the fix has it */
  o.radius = 4.0;
  for (int k = 3; k + 1 < argc; k += 2) set(&s, &o, argv[k], argv[k + 1]);
  require(ds_sop_topology_read(&t, argv[1], &error));
  require(ds_sop_open(&sop, &o, &t, &error));
  place_copies(sop, &t, s.copies, argv[2]);
  double *const time = malloc(((size_t) s.runs + 1) * sizeof *time);
  ds_sop_motion m = {0, s.warm, s.h, s.zeta, s.kT};
  require(ds_sop_advance(sop, &m, &error));
  m.first = s.warm;
  m.steps = s.steps;
  for (int r = 0; r < s.runs; r++, m.first += s.steps) {
    const double begin = bench_seconds();
    require(ds_sop_advance(sop, &m, &error));
    time[r] = 1e6 * (bench_seconds() - begin) / s.steps;
  }
  const double median = bench_median(time, s.runs);
  require(ds_sop_energy(sop, &e, NULL, &error));
  const ds_sop_info info = ds_sop_get_info(sop);
  const double beads = (double) t.beads * s.copies;
  printf("%s %s %s %s, hydro %s: %d beads x %d, %.3f us per step (%.3f to %.3f), %.4g M bead steps/s, %.1f "
         "MB; energies per "
         "copy %.2f %.2f %.2f %.2f, intact %.3f, hash %016llx\n",
         info.backend, info.scheme, o.rng, o.order == 1 ? "1st" : "2nd", hydro_name[o.hydro], t.beads,
         s.copies, median, time[0], time[s.runs - 1], beads / median,
         1e-6 * (double) info.bytes, e.bonds / s.copies, e.native / s.copies,
         e.other / s.copies, e.angles / s.copies,
         t.contacts ? (double) e.intact / ((double) t.contacts * s.copies) : 1.0,
         (unsigned long long) hash_of(sop, (size_t) beads));
  ds_sop_close(sop);
  ds_sop_topology_free(&t);
  free(time);
  return bench_end_output("bench_sop");
}
