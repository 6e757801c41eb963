/* Topology of self-organized-polymer (SOP) molecules: what a .sop file says.   SPDX-License-Identifier: GPL-2.0-or-later

   A topology describes one molecule, which may have several chains, and how many copies of it there are. Beads are
   numbered from 0 here and from 1 in the file. The format is documented on the page pdb2sop of the manual.
   Source of the model: Zhmurov et al., Proteins 78, 2984 (2010), eq. 1. */
#ifndef DPDSOP_SOP_TOPOLOGY_H
#define DPDSOP_SOP_TOPOLOGY_H

#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DS_SOP_MAX_BEADS = 1 << 24, DS_SOP_MAX_ROWS = 1 << 29 };

/* Energies and lengths in the caller's units; lengths and k from 1e-15 to 1e15, energies likewise or 0. */
typedef struct {
  double k, R0;          /* bonds that have none of their own: stiffness, largest change of length */
  double eps_n;          /* contacts likewise: depth */
  double eps_r, sigma;   /* repulsion of all other pairs: energy at the distance sigma */
  double eps_a, sigma_a; /* of the pairs i, i+2 of a chain */
} ds_sop_parameters;

typedef struct {
  int32_t i, j; /* i < j */
  double r0, k, R0;
} ds_sop_bond_row;

typedef struct {
  int32_t i, j; /* i < j */
  double r0, eps;
} ds_sop_contact_row;

typedef struct {
  char units[16]; /* of the first line's "UNITS: name"; empty where there is none */
  int32_t beads;
  int32_t copies;
  ds_sop_parameters parameters;
  int32_t bonds, contacts;
  ds_sop_bond_row *bond;
  ds_sop_contact_row *contact;
  double *radius; /* hydrodynamic, by bead; 0: the file has none for this bead. NULL: for no bead */
} ds_sop_topology;

/* Reads `size` bytes of text. DS_ERR_ARGUMENT with the number of the line where something is wrong, DS_ERR_MEMORY; the
   topology is empty then. A topology that was read is given back with ds_sop_topology_free. */
ds_status ds_sop_topology_parse(ds_sop_topology *t, const char *text, size_t size, ds_error *err);

/* The same for a file; its name stands in the text of an error. */
ds_status ds_sop_topology_read(ds_sop_topology *t, const char *file, ds_error *err);

void ds_sop_topology_free(ds_sop_topology *t);

/* Whether numbers and pointers of a topology are in range, which one that was read is. DS_ERR_ARGUMENT says which is not.
   ds_sop_open and ds_sop_stiffness ask, so that a caller may fill the struct, too. */
ds_status ds_sop_topology_check(const ds_sop_topology *t, ds_error *err);

/* Pairs of beads of the molecule that are neither bonded nor in contact, those of i and i+2 included: the paper's
   Table I. */
int64_t ds_sop_topology_others(const ds_sop_topology *t);

#ifdef __cplusplus
}
#endif
#endif
