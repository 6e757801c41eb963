/* sop.h: molecules for the tests of dpdsop/sop.h, objects that move them, and a plain evaluation of eq. 1.
   SPDX-License-Identifier: GPL-2.0-or-later

   A test program run without argument tests the host backend with every instruction set that the processor has; with
   the argument "cuda" it makes the same checks on the GPU. Units are those of LAMMPS's "real": angstrom, kcal/mol, fs. */
#ifndef DPDSOP_TEST_SOP_H
#define DPDSOP_TEST_SOP_H

#include "check.h"
#include "dpdsop/sop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Water at room temperature as Zhmurov et al. 2010, section IV.2, have it: kB T = 4.14 pN nm, zeta = 7.0e5 pN ps/nm.
   1 kcal/mol/angstrom is 69.4786 pN, and so 1 pN ps/nm is 1.43929 kcal fs/mol/angstrom^2. */
#define SOP_PN 69.4786
#define SOP_ZETA (7.0e5 * 100.0 / SOP_PN)
#define SOP_KT (4.14 * 10.0 / SOP_PN)

/* ------------------------------------------------------------------------------------- molecules */

/* A topology and native coordinates, three per bead. */
typedef struct {
  ds_sop_topology topology;
  double *x;
} test_molecule;

/* Human ubiquitin, of potentials/. The program ends where it cannot be read. */
void molecule_ubiquitin(test_molecule *m);

/* A compact self-avoiding walk: strands side by side, in layers, each bead some 0.2 angstrom off. Contacts are the pairs
   |i - j| > 2 within 6.5 angstrom, about four per bead. */
void molecule_folded(test_molecule *m, int beads, uint64_t seed);

/* A straight chain without contacts, each bead some 0.1 angstrom off. */
void molecule_chain(test_molecule *m, int beads, uint64_t seed);

/* Beads without bonds, far from each other. */
void molecule_loose(test_molecule *m, int beads);

/* The same, and they do not repel each other wherever they are. */
void molecule_ghosts(test_molecule *m, int beads);

void molecule_close(test_molecule *m);

/* The parameters of the paper, section IV.1. */
ds_sop_parameters sop_parameters(void);

/* ---------------------------------------------------------------------------------------- objects */

enum { SOP_MAX_VARIANTS = 4 };

typedef struct {
  int n;
  ds_sop_options options[SOP_MAX_VARIANTS];
} sop_variants;

/* As variants_find and variants_open (support/engine.h). */
int sop_variants_find(sop_variants *v, int on_gpu, int only_named);
CHECK_HELPER int sop_variants_open(sop_variants *v, int argc, char **argv)
{
  check_open(argc, argv);
  return sop_variants_find(v, check_takes("cuda"), check_lists);
}

/* "host avx2, 2 threads, pair, order 2, tea": for messages; valid until the next call. */
const char *sop_name(const ds_sop_options *o);

extern const char *const sop_generators[8];

/* Coordinates of `molecules` copies, `apart` from each other along z, and of `free` beads beyond them; to be freed. */
double *sop_copies(const test_molecule *m, int molecules, int free, double apart);

/* Adds numbers of standard deviation `deviation`. */
void sop_shake(double *x, size_t beads, double deviation, uint64_t seed);

/* An open object with beads at x, whose IDs begin with `id`. The program ends where it cannot be had. */
ds_sop *sop_start(const ds_sop_options *o, const test_molecule *m, int molecules, int free,
                  int64_t id, const double *x);

/* The same with a tip that presses on each molecule. */
ds_sop *sop_start_pressed(const ds_sop_options *o, const test_molecule *m, int molecules, int free,
                          int64_t id, const double *x, const ds_sop_indent *indent);

/* Whether these options are for this molecule: the scheme block is not for several that see each other, nor, on a GPU, for
   one that is too large to be moved by one block. */
int sop_takes(const ds_sop_options *o, const test_molecule *m);

/* Positions of an object with so many beads, to be freed. */
double *sop_positions(const ds_sop *sop, size_t beads);

/* Makes so many steps of h fs from step `first` on; the temperature is kT. */
void sop_advance(ds_sop *sop, int64_t first, int steps, double h, double kT);

/* The same options with hydrodynamic interactions. */
ds_sop_options sop_with_hydro(const ds_sop_options *o, ds_sop_hydro hydro, double radius);

/* Positions have the same bits; `got` is freed. `what` and the options are part of the message. */
void sop_check_positions(double *got, const double *expected, size_t beads, const ds_sop_options *o, const char *what);

/* FNV-1a (Fowler, Noll & Vo) of numbers. */
uint64_t sop_hash(const double *x, size_t n);

/* ------------------------------------------------------------------------------- plain evaluation */

/* Units of dpdsop/device/sop_step.h, from what is written there. */
typedef struct {
  double position, coordinate, force;
} sop_units;
sop_units sop_units_of(const ds_sop_topology *t);

/* Coordinates as forces see them: positions rounded down to units of coordinates. */
void sop_to_grid(const ds_sop_topology *t, double *x, size_t beads);

/* Eq. 1 of the paper, pair by pair, in double arithmetic. f, three per bead, and slack may be NULL. slack, one per bead, is
   what the engine's force may differ by along an axis: half a unit of force per pair, and 2^-20 of what a pair's terms
   are before they cancel: single arithmetic with some ten operations of 2^-24. */
void sop_reference(const test_molecule *m, int molecules, int inter, double cutoff, const double *x,
                   double *f, double *slack, ds_sop_energies *e);

#ifdef __cplusplus
}
#endif
#endif
