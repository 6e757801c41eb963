/* Energies and virials of bonds, angles, dihedrals and impropers: sums over all terms of a kind, and parts of atoms. Device
   functions of both backends.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_TERM_VALUES_H
#define DPDSOP_BONDED_TERM_VALUES_H

#include "term.h"

/* --------------------------------------------------------------------------------------------- sums */

/* Of the energy and virial of a term. Where terms are not shared, LAMMPS adds a part for each own atom. */
DS_FUNC double ds_term_share(const ds_bonded_view *b, const int32_t *member, int images, int members)
{
  double share = 0.0;
  if (images & DS_TERM_OFF) return 0.0;
  if (b->shared) return 1.0;
  for (int m = 0; m < members; m++)
    if (ds_member_image(images, m) == DS_NO_SHIFT && member[m] < b->own) share += 1.0 / members;
  return share;
}

DS_FUNC void ds_values_of_term(const ds_bonded_view *b, int kind, int term, double value[DS_TERM_SUMS])
{
  if (kind == DS_BONDS) {
    double way[3];
    ds_bond_vector(b, term, way);
    ds_bond_values(b->bond.style, ds_type_of_bond(b, term), way, value);
  } else if (kind == DS_ANGLES) {
    double d1[3], d3[3];
    ds_angle_vectors(b, term, d1, d3);
    ds_angle_values(b->angle.style, ds_type_of_angle(b, term), d1, d3, value);
  } else {
    const ds_terms_view *const t = ds_terms_of_kind(b, kind);
    double vector[3][3];
    ds_torsion_vectors(b, t, term, vector);
    ds_torsion_values(t->style, ds_type_of_torsion(t, term), vector, value);
  }
}

/* What a term adds to the sums of its kind. */
DS_FUNC void ds_term_sums(const ds_bonded_view *b, int kind, int term, double add[DS_TERM_SUMS])
{
  const ds_terms_view *const t = ds_terms_of_kind(b, kind);
  const int32_t *const member = t->member + (size_t) ds_term_size(kind) * (size_t) term + ds_first_member(kind);
  const double share = ds_term_share(b, member, t->images[term], ds_members_of(kind));
  for (int j = 0; j < DS_TERM_SUMS; j++) add[j] = 0.0;
  if (!(share > 0.0)) return;
  ds_values_of_term(b, kind, term, add);
  for (int j = 0; j < DS_TERM_SUMS; j++) add[j] *= share;
}

/* ------------------------------------------------------------------------------------ parts of atoms */

/* Of each atom, energies and virials of its terms of each kind; NULL: not wanted. */
typedef struct {
  double *energy[DS_BONDED_KINDS], *virial[DS_BONDED_KINDS];
  const ds_exact_sum *returned; /* DS_TERM_SUMS of each atom, which its copies have got; NULL: there are none */
} ds_bonded_tallies;

/* Without sharing, another copy of the term counts for a member that is an image. */
DS_FUNC int ds_counts_for_atom(const ds_bonded_view *b, uint32_t k)
{
  return b->image[k] == DS_NO_SHIFT || (b->shared && b->image[k] != DS_IMAGES);
}

DS_FUNC int ds_own_atoms(const ds_bonded_view *b)
{
  return b->natoms < b->own ? b->natoms : b->own;
}

DS_FUNC void ds_add_parts(const ds_bonded_view *b, int kind, int atom, ds_exact_sum sum[DS_TERM_SUMS])
{
  for (uint32_t k = b->first[atom]; k < b->first[atom + 1]; k++) {
    const ds_member m = ds_member_of_entry(b, b->entry[k]);
    double value[DS_TERM_SUMS];
    if (m.kind != kind || !ds_counts_for_atom(b, k)) continue;
    ds_values_of_term(b, kind, m.term, value);
    for (int j = 0; j < DS_TERM_SUMS; j++)
      ds_exact_add_number(&sum[j], ds_member_share(ds_members_of(kind), value[j]), b->unit);
  }
}

DS_FUNC void ds_clear_exact(ds_exact_sum sum[DS_TERM_SUMS])
{
  for (int j = 0; j < DS_TERM_SUMS; j++) sum[j].low = sum[j].high = sum[j].top = sum[j].invalid = 0;
}

DS_FUNC void ds_sum_copy(const ds_bonded_view *b, int kind, int copy, ds_exact_sum *sums)
{
  ds_exact_sum sum[DS_TERM_SUMS];
  ds_clear_exact(sum);
  ds_add_parts(b, kind, b->own + copy, sum);
  for (int j = 0; j < DS_TERM_SUMS; j++) sums[DS_TERM_SUMS * (size_t) copy + (size_t) j] = sum[j];
}

/* Integers: the order of terms moves no bit. */
DS_FUNC void ds_tally_atom(const ds_bonded_view *b, const ds_bonded_tallies *to, int kind, int atom)
{
  double *const energy = to->energy[kind], *const virial = to->virial[kind];
  ds_exact_sum sum[DS_TERM_SUMS];
  ds_clear_exact(sum);
  for (int j = 0; j < DS_TERM_SUMS && to->returned; j++) sum[j] = to->returned[DS_TERM_SUMS * (size_t) atom + (size_t) j];
  ds_add_parts(b, kind, atom, sum);
  if (energy) energy[atom] = ds_exact_value(&sum[0], b->unit);
  for (int j = 1; j < DS_TERM_SUMS && virial; j++)
    virial[(DS_TERM_SUMS - 1) * (size_t) atom + (size_t) (j - 1)] = ds_exact_value(&sum[j], b->unit);
}

DS_FUNC int ds_wants_kind(const ds_bonded_tallies *to, int kind)
{
  return to->energy[kind] || to->virial[kind];
}

#endif
