/* Neighbor list of both backends: inputs and layout.   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms, own and ghost together, are sorted by their two-level Morton key (Tang & Karniadakis 2014, 3.2), so that a
   cell's atoms are consecutive and every stencil lists atoms in increasing order. The place of an atom in that order
   is its slot. Each slot has a row, and that of an own atom has entries: the slots of all atoms within the list's
   range, increasing, with a special code in the upper two bits. Rows are as long as they need to be and lie in one
   array, so that a crowded place costs no room elsewhere. On the host they lie one after the other: row r has count[r]
   entries from DS_ROW_UNIT first[r] on. On the GPU the rows of 32 slots are interleaved (neighbor/list.h).

   The list holds every pair within its range, and may hold one that is longer by some 1e-5 of it, in a box of more than
   1,000 cutoffs by some 1e-8 of an edge: who uses the list looks at the distance again. */
#ifndef DPDSOP_NEIGHBOR_H
#define DPDSOP_NEIGHBOR_H

#include "dpdsop/device/cell_grid.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/pair.h"

#include <stdint.h>

enum {
  DS_INDEX_BITS = 30,
  DS_INDEX_MASK = (1 << DS_INDEX_BITS) - 1,
  DS_ROW_UNIT = 8 /* rows begin at multiples of so many entries: a sector of the GPU's memory */
};

/* Special partners of own atoms in the caller's numbering; max_special 0: none. */
typedef struct {
  int max_special;
  ds_array counts;   /* 3 per own atom: cumulative counts of 1-2, 1-3, 1-4 */
  ds_array partners; /* tags */
} ds_special;

/* By atom. */
typedef struct {
  int n; /* 0: none */
  const ds_exclusion *rule;
  ds_array mask, molecule; /* by atom, own and ghost */
} ds_exclusions;

/* Number of an own atom's partners. Counts in device memory have not been checked. */
DS_FUNC int ds_special_partners(const ds_special *s, int atom)
{
  const int64_t n = ds_array_int(&s->counts, atom, 2);
  return n < s->max_special ? (int) n : s->max_special;
}

/* Code (0-3) of tag among the special partners of an own atom. */
DS_FUNC int ds_special_code(const ds_special *s, int atom, int64_t tag)
{
  const int n = ds_special_partners(s, atom);
  for (int k = 0; k < n; k++)
    if (ds_array_int(&s->partners, atom, k) == tag)
      return k < ds_array_int(&s->counts, atom, 0) ? 1 : k < ds_array_int(&s->counts, atom, 1) ? 2 : 3;
  return 0;
}

/* 1 where d, the separation along axis k, is at most half the box's width there, or the box is not periodic. */
DS_FUNC int ds_within_half(const ds_frame *f, int k, double d)
{
  return !f->periodic[k] || fabs(d) <= f->half[k];
}

/* A partner further than half a periodic box away, along x, y or z, is another image of it, and not special: as
   LAMMPS's lists have it, in tilted boxes too. */
DS_FUNC int ds_is_own_image(const ds_frame *f, int32_t lx, int32_t ly, int32_t lz)
{
  const double x = lx, y = ly, z = lz;
  return ds_within_half(f, 0, fma(f->edge[4], z, fma(f->edge[5], y, f->edge[0] * x))) &&
         ds_within_half(f, 1, fma(f->edge[3], z, f->edge[1] * y)) && ds_within_half(f, 2, f->edge[2] * z);
}

/* 1 where a rule asks for molecules. */
DS_FUNC int ds_excludes_by_molecule(const ds_exclusion *rule)
{
  return rule->kind == DS_EXCLUDE_SAME_MOLECULE || rule->kind == DS_EXCLUDE_OTHER_MOLECULE;
}

DS_FUNC int ds_is_excluded(const ds_exclusions *e, int i, int j, int itype, int jtype)
{
  const int64_t p = ds_array_int(&e->mask, i, 0), q = ds_array_int(&e->mask, j, 0);
  for (int k = 0; k < e->n; k++) {
    const ds_exclusion r = e->rule[k];
    if (r.kind == DS_EXCLUDE_TYPES && ((itype == r.a && jtype == r.b) || (itype == r.b && jtype == r.a))) return 1;
    const int both = (p & r.a) && (q & r.a);
    if (r.kind == DS_EXCLUDE_GROUPS && (((p & r.a) && (q & r.b)) || ((p & r.b) && (q & r.a)))) return 1;
    if (ds_excludes_by_molecule(&r) && both &&
        (ds_array_int(&e->molecule, i, 0) == ds_array_int(&e->molecule, j, 0)) == (r.kind == DS_EXCLUDE_SAME_MOLECULE))
      return 1;
    if (r.kind == DS_EXCLUDE_OUTSIDE_GROUP && !both) return 1;
  }
  return 0;
}

/* What row building does with a pair in range: -1, it is left out; else its special code. i and j are atoms, i an own
   one; types are 1-based; lx, ly, lz their separation in units. */
DS_FUNC int ds_entry_code(const ds_frame *f, const ds_special *special, const ds_exclusions *excluded, int i, int j, int itype,
                          int jtype, int64_t tag_j, int32_t lx, int32_t ly, int32_t lz)
{
  if (excluded->n && ds_is_excluded(excluded, i, j, itype, jtype)) return -1;
  if (!special->max_special) return 0;
  const int code = ds_special_code(special, i, tag_j);
  return code && ds_is_own_image(f, lx, ly, lz) ? code : 0;
}

#endif
