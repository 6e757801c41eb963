/* Histograms of distances: how many pairs of particles are how far apart, as LAMMPS's compute rdf counts them.
   SPDX-License-Identifier: GPL-2.0-or-later

   Pairs are found in cells of their own, up to any distance that the box allows, whatever the range of a neighbor list is.
   Numbers of pairs are integers: several processes add theirs up, and have the same on any number of them. Distances are those
   of LAMMPS, to the last bit, and so are bins (device/rdf.h). */
#ifndef DPDSOP_RDF_H
#define DPDSOP_RDF_H

#include "dpdsop/backend.h"
#include "dpdsop/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_rdf ds_rdf;

typedef struct {
  int nbins;             /* >= 1 */
  double inverse_width;  /* of bins, > 0: 1 / length */
  double cutoff;         /* > 0; up to the width of the box along each periodic axis */
  int group;             /* bits of masks: both particles have to be in this group */
  int ntypes;            /* 1 to 4096 */
  int nkinds;            /* >= 1: of pairs, each with a histogram of its own */
  const int32_t *kind;   /* of types 1 .. ntypes with 1 .. ntypes, symmetric; -1: they are not counted */
  int special_is_out[4]; /* 1: pairs that are 1-2, 1-3, 1-4 neighbors, at 1 to 3, are not counted */
} ds_rdf_settings;

/* Particles of all processes, in the same order on each. Of each pair, one of them counts it. Arrays of particles are in host
   memory, or where the backend works. */
typedef struct {
  int n, first, nown;     /* all of them; those of this process are first .. first + nown - 1 */
  ds_array x, type, mask; /* F64, 3 components; I32; I32 */
  ds_array tag;           /* I32 or I64; only read with special partners */
  /* of this process's particles, in host memory, as in ds_atoms; data NULL: there are none */
  ds_array nspecial, special;
  int nexclusions; /* pairs that are left out */
  const ds_exclusion *exclusion;
  ds_array molecule; /* I32 or I64, host memory; data NULL: no rule asks for molecules */
} ds_rdf_atoms;

/* A backend of its own; AUTO takes the host where there is no GPU. local_rank, threads: as in ds_pair_options. */
ds_status ds_rdf_open(ds_rdf **rdf, ds_backend backend, int local_rank, int threads, ds_error *err);
void ds_rdf_close(ds_rdf *rdf);

/* counts: nkinds times nbins numbers, in host memory: each pair counts once, in the histogram of its kind. Waits. What writes
   arrays in device memory has to be over before. */
ds_status ds_rdf_count(ds_rdf *rdf, const ds_rdf_settings *settings, const ds_rdf_atoms *atoms, const ds_wrap *box,
                       int64_t *counts, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
