/* sop.c: molecules and objects for the tests of dpdsop/sop.h.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/sop.h"

#include "check.h"
#include "support/paths.h"
#include "support/skip.h"
#include "support/system.h"

#include <string.h>

const char *const sop_generators[8] = {"tea",       "philox", "taus",     "ran2",
                                       "fibonacci", "lcg",    "mrg32k3a", "mt19937"};

/* ------------------------------------------------------------------------------------- molecules */

ds_sop_parameters sop_parameters(void)
{
  const ds_sop_parameters p = {20.0, 2.0, 1.5, 1.0, 3.8, 1.0, 3.8};
  return p;
}

static double distance(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static void begin(test_molecule *m, int beads)
{
  memset(m, 0, sizeof *m);
  m->topology.beads = beads;
  m->topology.copies = 1;
  m->topology.parameters = sop_parameters();
  m->x = test_alloc(3 * (size_t) beads * sizeof *m->x);
}

/* Bonds of i and i+1, as long as they are. */
static void bond_neighbors(test_molecule *m)
{
  ds_sop_topology *const t = &m->topology;
  t->bonds = t->beads - 1;
  t->bond = test_alloc((size_t) t->bonds * sizeof *t->bond);
  for (int i = 0; i < t->bonds; i++) {
    const double r0 = distance(m->x + 3 * i, m->x + 3 * i + 3);
    const ds_sop_bond_row b = {i, i + 1, r0, t->parameters.k, t->parameters.R0};
    t->bond[i] = b;
  }
}

/* Native contacts of the beads |i - j| > 2 within a range; room: how many there can be. */
static void find_contacts(test_molecule *m, double range, size_t room)
{
  ds_sop_topology *const t = &m->topology;
  t->contact = test_alloc(room * sizeof *t->contact);
  for (int i = 0; i < t->beads; i++)
    for (int j = i + 3; j < t->beads; j++) {
      const double r0 = distance(m->x + 3 * i, m->x + 3 * j);
      const ds_sop_contact_row c = {i, j, r0, t->parameters.eps_n};
      if (r0 > range || (size_t) t->contacts == room) continue;
      t->contact[t->contacts++] = c;
    }
}

void molecule_folded(test_molecule *m, int beads, uint64_t seed)
{
  int edge = 1;
  begin(m, beads);
  while (edge * edge * edge < beads) edge++;
  for (int b = 0; b < beads; b++) {
    const int layer = b / (edge * edge), strand = b / edge % edge, place = b % edge;
    const int y = layer % 2 ? edge - 1 - strand : strand, back = (layer * edge + strand) % 2;
    m->x[3 * b] = 3.8 * (back ? edge - 1 - place : place);
    m->x[3 * b + 1] = 4.8 * y;
    m->x[3 * b + 2] = 6.0 * layer;
  }
  sop_shake(m->x, (size_t) beads, 0.15, seed);
  bond_neighbors(m);
  find_contacts(m, 6.5, 16 * (size_t) beads);
}

void molecule_chain(test_molecule *m, int beads, uint64_t seed)
{
  begin(m, beads);
  for (int b = 0; b < beads; b++) m->x[3 * b] = 3.8 * b;
  sop_shake(m->x, (size_t) beads, 0.1, seed);
  bond_neighbors(m);
}

void molecule_loose(test_molecule *m, int beads)
{
  begin(m, beads);
  for (int b = 0; b < beads; b++) m->x[3 * b] = 20.0 * b;
}

void molecule_ghosts(test_molecule *m, int beads)
{
  molecule_loose(m, beads);
  m->topology.parameters.eps_r = m->topology.parameters.eps_a = 0.0;
}

/* Coordinates of a data file of atom_style molecular, one molecule. */
static int read_data(const char *file, int beads, double *x)
{
  char line[1024];
  int found = 0, in_atoms = 0;
  FILE *const f = fopen(file, "r");
  if (!f) return 0;
  while (fgets(line, sizeof line, f)) {
    long id, molecule, type;
    double r[3];
    if (strncmp(line, "Atoms", 5) == 0) in_atoms = 1;
    if (strncmp(line, "Bonds", 5) == 0) in_atoms = 0;
    if (!in_atoms ||
        sscanf(line, "%ld %ld %ld %lf %lf %lf", &id, &molecule, &type, r, r + 1, r + 2) != 6)
      continue;
    if (id < 1 || id > beads) continue;
    memcpy(x + 3 * (id - 1), r, sizeof r);
    found++;
  }
  fclose(f);
  return found == beads;
}

void molecule_ubiquitin(test_molecule *m)
{
  static const char sop[] = DS_TEST_DATA "/../potentials/ubiquitin.sop",
                    data[] = DS_TEST_DATA "/../potentials/ubiquitin.data";
  ds_error err;
  ds_sop_topology t;
  if (ds_sop_topology_read(&t, sop, &err)) {
    printf("FAILED: %s\n", err.text);
    exit(1);
  }
  begin(m, t.beads);
  m->topology = t;
  if (read_data(data, t.beads, m->x)) return;
  printf("FAILED: %s does not have %d atoms\n", data, t.beads);
  exit(1);
}

void molecule_close(test_molecule *m)
{
  ds_sop_topology_free(&m->topology);
  free(m->x);
  memset(m, 0, sizeof *m);
}

/* ---------------------------------------------------------------------------------------- objects */

static ds_sop_options plain_options(void)
{
  ds_sop_options o;
  memset(&o, 0, sizeof o);
  o.threads = o.order = 1;
  o.rng = "tea";
  o.seed = 20101;
  o.skin = 4.0;
  return o;
}

static ds_status usable(const ds_sop_options *o, ds_error *err)
{
  ds_sop *sop;
  test_molecule m;
  molecule_loose(&m, 1);
  const ds_status status = ds_sop_open(&sop, o, &m.topology, err);
  if (!status) ds_sop_close(sop);
  molecule_close(&m);
  return status;
}

int sop_variants_find(sop_variants *v, int on_gpu, int only_named)
{
  test_path path[TEST_MAX_PATHS];
  const int n = test_paths(on_gpu, path);
  v->n = 0;
  for (int k = 0; k < n; k++) {
    ds_sop_options o = plain_options();
    ds_error err;
    o.backend = path[k].backend;
    o.isa = path[k].isa;
    o.threads = path[k].threads;
    const ds_status status = only_named ? DS_OK : usable(&o, &err);
    if (!status)
      v->options[v->n++] = o;
    else if (o.backend == DS_BACKEND_CUDA)
      return skip_or_fail(status, &err);
  }
  return 0;
}

const char *sop_name(const ds_sop_options *o)
{
  static const char *const scheme[4] = {"auto", "particle", "pair", "block"};
  static const char *const hydro[3] = {"", ", hydro exact", ", hydro tea"};
  static char text[160];
  char where[64];
  if (o->backend == DS_BACKEND_CUDA)
    snprintf(where, sizeof where, "cuda");
  else
    snprintf(where, sizeof where, "host %s, %d threads", o->isa ? o->isa : "best", o->threads);
  snprintf(text, sizeof text, "%s, %s, order %d, %s, skin %g%s%s", where, scheme[o->scheme], o->order, o->rng, o->skin,
           o->inter ? ", inter" : "", hydro[o->hydro]);
  return text;
}

double *sop_copies(const test_molecule *m, int molecules, int free_beads, double apart)
{
  const size_t n = (size_t) m->topology.beads, all = n * (size_t) molecules + (size_t) free_beads;
  double *const x = test_alloc(3 * all * sizeof *x);
  for (size_t b = 0; b < all; b++) {
    const size_t copy = b / n;
    if (copy < (size_t) molecules) {
      memcpy(x + 3 * b, m->x + 3 * (b % n), 3 * sizeof *x);
      x[3 * b + 2] += apart * (double) copy;
    } else
      x[3 * b] = -20.0 * (double) (b + 1 - n * (size_t) molecules);
  }
  return x;
}

void sop_shake(double *x, size_t beads, double deviation, uint64_t seed)
{
  for (size_t k = 0; k < 3 * beads; k++) { /* nearly normal, and the same on any machine */
    double sum = -6.0;
    for (int u = 0; u < 12; u++) sum += check_uniform(&seed);
    x[k] += deviation * sum;
  }
}

static void must(ds_status status, const ds_sop_options *o, const ds_error *err)
{
  if (status == DS_OK) return;
  printf("FAILED: %s: %s\n", sop_name(o), err->text);
  exit(1);
}

ds_sop *sop_start(const ds_sop_options *o, const test_molecule *m, int molecules, int free_beads,
                  int64_t id, const double *x)
{
  return sop_start_pressed(o, m, molecules, free_beads, id, x, NULL);
}

ds_sop *sop_start_pressed(const ds_sop_options *o, const test_molecule *m, int molecules,
                          int free_beads, int64_t id, const double *x, const ds_sop_indent *indent)
{
  const size_t n = (size_t) m->topology.beads * (size_t) molecules + (size_t) free_beads;
  int64_t *const ids = test_alloc(n * sizeof *ids);
  ds_error err;
  ds_sop *sop;
  for (size_t b = 0; b < n; b++) ids[b] = id + (int64_t) b;
  must(ds_sop_open(&sop, o, &m->topology, &err), o, &err);
  if (indent) must(ds_sop_set_indent(sop, indent, &err), o, &err);
  must(ds_sop_set_beads(sop, molecules, free_beads, ids, &err), o, &err);
  must(ds_sop_set_positions(sop, x, &err), o, &err);
  free(ids);
  return sop;
}

int sop_takes(const ds_sop_options *o, const test_molecule *m)
{
  if (o->scheme != DS_SOP_BLOCK) return 1;
  if (o->inter) return 0;
  if (o->backend == DS_BACKEND_HOST) return 1;
  const size_t n = (size_t) m->topology.beads;
  int64_t *const id = test_alloc(n * sizeof *id);
  ds_error err = {DS_OK, ""};
  ds_sop *sop;
  for (size_t b = 0; b < n; b++) id[b] = (int64_t) b;
  ds_status status = ds_sop_open(&sop, o, &m->topology, &err);
  if (!status) {
    status = ds_sop_set_beads(sop, 1, 0, id, &err);
    ds_sop_close(sop);
  }
  free(id);
  return !(status == DS_ERR_ARGUMENT && strstr(err.text, "too large for the scheme block"));
}

double *sop_positions(const ds_sop *sop, size_t beads)
{
  double *const x = test_alloc(3 * beads * sizeof *x);
  ds_error err;
  if (ds_sop_get_positions(sop, x, &err) == DS_OK) return x;
  printf("FAILED: %s\n", err.text);
  exit(1);
}

void sop_advance(ds_sop *sop, int64_t first, int steps, double h, double kT)
{
  const ds_sop_motion m = {first, steps, h, SOP_ZETA, kT};
  ds_error err;
  CHECK_OK(ds_sop_advance(sop, &m, &err), err);
}

ds_sop_options sop_with_hydro(const ds_sop_options *o, ds_sop_hydro hydro, double radius)
{
  ds_sop_options with = *o;
  with.hydro = hydro;
  with.radius = radius;
  return with;
}

void sop_check_positions(double *got, const double *expected, size_t beads, const ds_sop_options *o, const char *what)
{
  size_t k = 0;
  while (k < 3 * beads && got[k] == expected[k]) k++;
  const int differs = k < 3 * beads;
  CHECK_MSG(!differs, "%s, %s: coordinate %zu is %.17g, expected %.17g", what, sop_name(o), k, differs ? got[k] : 0.0,
            differs ? expected[k] : 0.0);
  free(got);
}

uint64_t sop_hash(const double *x, size_t n)
{
  uint64_t hash = 0xCBF29CE484222325u;
  for (size_t k = 0; k < n; k++) {
    uint64_t word;
    memcpy(&word, x + k, sizeof word);
    for (int byte = 0; byte < 8; byte++) {
      hash ^= (word >> (8 * byte)) & 0xFFu;
      hash *= 0x100000001B3u;
    }
  }
  return hash;
}
