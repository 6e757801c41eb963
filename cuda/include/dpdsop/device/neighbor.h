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

/* What rules look at of an atom, own or ghost; the type is 1-based. Molecules are 0 where no rule asks for them. */
typedef struct {
  int type;
  int64_t mask, molecule;
} ds_excluded_atom;

DS_FUNC ds_excluded_atom ds_read_excluded(const ds_exclusions *e, int i, int type)
{
  const ds_excluded_atom atom = {type, ds_array_int(&e->mask, i, 0), e->molecule.data ? ds_array_int(&e->molecule, i, 0) : 0};
  return atom;
}

/* 0: no rule leaves out a pair of this atom, whatever the other one is. */
DS_FUNC int ds_may_be_excluded(const ds_exclusions *e, const ds_excluded_atom *p)
{
  for (int k = 0; k < e->n; k++) {
    const ds_exclusion r = e->rule[k];
    const int group = r.kind == DS_EXCLUDE_GROUPS ? r.a | r.b : r.a;
    if (r.kind == DS_EXCLUDE_OUTSIDE_GROUP) return 1;
    if (r.kind == DS_EXCLUDE_TYPES ? p->type == r.a || p->type == r.b : (p->mask & group) != 0) return 1;
  }
  return 0;
}

DS_FUNC int ds_is_excluded(const ds_exclusions *e, const ds_excluded_atom *p, const ds_excluded_atom *q)
{
  int out = 0;
  for (int k = 0; k < e->n; k++) {
    const ds_exclusion r = e->rule[k];
    const int types = (p->type == r.a && q->type == r.b) || (p->type == r.b && q->type == r.a);
    const int groups = ((p->mask & r.a) && (q->mask & r.b)) || ((p->mask & r.b) && (q->mask & r.a));
    const int both = (p->mask & r.a) && (q->mask & r.a);
    out |= r.kind == DS_EXCLUDE_TYPES && types;
    out |= r.kind == DS_EXCLUDE_GROUPS && groups;
    out |= ds_excludes_by_molecule(&r) && both && (p->molecule == q->molecule) == (r.kind == DS_EXCLUDE_SAME_MOLECULE);
    out |= r.kind == DS_EXCLUDE_OUTSIDE_GROUP && !both;
  }
  return out;
}

/* What row building does with a pair in range that no rule leaves out: its special code. i is an own atom; lx, ly, lz the
   separation in units. */
DS_FUNC int ds_entry_code(const ds_frame *f, const ds_special *special, int i, int64_t tag_j, int32_t lx, int32_t ly,
                          int32_t lz)
{
  const int code = special->max_special ? ds_special_code(special, i, tag_j) : 0;
  return code && ds_is_own_image(f, lx, ly, lz) ? code : 0;
}

#endif
