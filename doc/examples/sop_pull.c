/* Pulls on 32 copies of a protein by the engine alone: sop_pull ubiquitin.sop ubiquitin.data
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/sop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 32, STEPS = 2000, ROUNDS = 5 };

static void check(ds_status status, const ds_error *err)
{
  if (status == DS_OK) return;
  fprintf(stderr, "sop_pull: %s\n", err->text);
  exit(1);
}

/* Coordinates of the atoms of a data file, in the order of their IDs. */
static void read_atoms(const char *name, int beads, double *x)
{
  char line[256];
  FILE *const file = fopen(name, "r");
  int in_atoms = 0, found = 0;
  while (file && fgets(line, sizeof line, file)) {
    int id, molecule, type;
    double r[3];
    if (strncmp(line, "Atoms", 5) == 0) in_atoms = 1;
    if (!in_atoms ||
        sscanf(line, "%d %d %d %lf %lf %lf", &id, &molecule, &type, r, r + 1, r + 2) != 6)
      continue;
    if (id < 1 || id > beads) continue;
    memcpy(x + 3 * (id - 1), r, sizeof r);
    found++;
  }
  if (file) fclose(file);
  if (found == beads) return;
  fprintf(stderr, "sop_pull: %s has %d of %d beads\n", name, found, beads);
  exit(1);
}

int main(int argc, char **argv)
{
  const double zeta = 1.0075e6, kT = 0.596,
               h = 8000.0; /* kcal/mol, angstrom, fs: water at 300 K, 8 ps */
  ds_sop_topology topology;
  ds_sop_options options = {0};
  ds_sop_energies sum;
  ds_error err;
  ds_sop *sop;
  if (argc != 3) {
    fprintf(stderr, "sop_pull TOPOLOGY DATA\n");
    return 2;
  }
  check(ds_sop_topology_read(&topology, argv[1], &err), &err);
  const int n = topology.beads;
  double *const x = malloc(3 * sizeof *x * COPIES * (size_t) n), force[COPIES], extension[COPIES];
  int64_t *const id = malloc(sizeof *id * COPIES * (size_t) n);
  read_atoms(argv[2], n, x);
  for (int m = 1; m < COPIES; m++)
    memcpy(x + 3 * m * n, x, 3 * sizeof *x * (size_t) n); /* they do not see each other */
  for (int b = 0; b < COPIES * n; b++) id[b] = b + 1;     /* and have other noise */

  options.threads = 1;
  options.order = 1;
  options.rng = "tea";
  options.seed = 4711;
  options.skin = 0.75 * topology.parameters.sigma;
  check(ds_sop_open(&sop, &options, &topology, &err), &err);
  check(ds_sop_set_beads(sop, COPIES, 0, id, &err), &err);
  check(ds_sop_set_positions(sop, x, &err), &err);

  /* the first bead is held, the last one pulled by 35 pN/nm at 40000 um/s, away from the first */
  const int32_t first = 0, last = n - 1;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1, .pulled = 1, .fixed_bead = &first, .pulled_bead = &last, .spring = 0.050376,
    .speed = 4.0e-7
  };
  check(ds_sop_set_pull(sop, &pull, &err), &err);

  const ds_sop_info info = ds_sop_get_info(sop);
  printf("%s, scheme %s\n    ps  force (pN)  extension (nm)  contacts\n", info.backend, info.scheme);
  for (int round = 0; round < ROUNDS; round++) {
    const ds_sop_motion motion = {(int64_t) round * STEPS, STEPS, h, zeta, kT};
    double mean_force = 0.0, mean_extension = 0.0;
    check(ds_sop_advance(sop, &motion, &err), &err);
    check(ds_sop_pulling(sop, force, extension, &err), &err);
    check(ds_sop_energy(sop, &sum, NULL, &err), &err);
    for (int m = 0; m < COPIES; m++) {
      mean_force += 69.477 * force[m] / COPIES;
      mean_extension += 0.1 * extension[m] / COPIES;
    }
    printf("%6.0f  %10.1f  %14.3f  %8.3f\n", 1e-3 * h * STEPS * (round + 1), mean_force,
           mean_extension, (double) sum.intact / COPIES / topology.contacts);
  }
  ds_sop_close(sop);
  ds_sop_topology_free(&topology);
  free(x);
  free(id);
  return 0;
}
