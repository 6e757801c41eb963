/* sop_forces.c: forces on the beads of ubiquitin, for comparison with what others compute.
   SPDX-License-Identifier: GPL-2.0-or-later

     sop_forces [cuda]

   prints settings, each of them a line
     molecules inter cutoff unit bonds native angles other intact
   (the length, the unit of forces, energies and intact contacts), and then, per bead, coordinates and force. Exits with 77
   where a GPU is asked for and there is none. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

static void print_setting(const ds_sop_options *options, const test_molecule *m, int molecules,
                          int inter, double cutoff, double shake)
{
  const size_t beads = (size_t) molecules * (size_t) m->topology.beads;
  ds_sop_options o = *options;
  double *const x = sop_copies(m, molecules, 0, 33.0), *const f = test_alloc(3 * beads * sizeof *f);
  ds_sop_energies e;
  ds_error err;
  o.inter = inter;
  o.cutoff = cutoff;
  sop_shake(x, beads, shake, 960);
  sop_to_grid(&m->topology, x, beads);
  ds_sop *const sop = sop_start(&o, m, molecules, 0, 1, x);
  if (ds_sop_get_forces(sop, f, &err) || ds_sop_energy(sop, &e, NULL, &err)) {
    fprintf(stderr, "sop_forces: %s\n", err.text);
    exit(1);
  }
  printf("%d %d %.17g %.17g %.17g %.17g %.17g %.17g %lld\n", molecules, inter, cutoff,
         sop_units_of(&m->topology).force, e.bonds, e.native, e.angles, e.other,
         (long long) e.intact);
  for (size_t b = 0; b < beads; b++)
    printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", x[3 * b], x[3 * b + 1], x[3 * b + 2], f[3 * b],
           f[3 * b + 1], f[3 * b + 2]);
  ds_sop_close(sop);
  free(x);
  free(f);
}

int main(int argc, char **argv)
{
  sop_variants variants;
  test_molecule m;
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  const ds_sop_options *const o = &variants.options[variants.n - 1];
  molecule_ubiquitin(&m);
  print_setting(o, &m, 1, 0, 11.4, 0.0);
  print_setting(o, &m, 1, 0, 11.4, 0.25);
  print_setting(o, &m, 3, 1, 11.4, 0.2);
  print_setting(o, &m, 3, 0, 25.0, 0.2);
  molecule_close(&m);
  return 0;
}
