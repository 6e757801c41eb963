/* Which image of each member a bond, angle, dihedral or improper has, as LAMMPS chooses it when lists are rebuilt: device
   functions of both backends.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_TERM_IMAGES_H
#define DPDSOP_BONDED_TERM_IMAGES_H

#include "term.h"

/* LAMMPS has an image one period away only of atoms that are near the border on the other side. */
DS_FUNC int ds_has_image(const ds_bonded_view *b, int axis, int shift, double x)
{
  const ds_wrap *const w = &b->box;
  return w->periodic[axis] && (shift > 0 ? x <= w->lo[axis] + b->reach[axis] : x >= w->hi[axis] - b->reach[axis]);
}

/* Along an axis: a bit for each of the shifts -1, 0, 1 of which LAMMPS has an image. */
DS_FUNC int ds_shifts_along(const ds_bonded_view *b, int axis, double x)
{
  return ds_has_image(b, axis, -1, x) | 2 | ds_has_image(b, axis, 1, x) << 2;
}

/* The place of an atom's image, where it is nearer to the owner than the nearest one so far. */
DS_FUNC void ds_try_image(const ds_bonded_view *b, const double owner[3], int atom, int image, double *least, int *nearest)
{
  double at[3];
  ds_member_position(b, atom, image, at);
  const double r2 = ds_distance2(owner, at);
  if (!(r2 < *least)) return;
  *least = r2;
  *nearest = image;
}

/* In a tilted box: of an atom's images, the one whose fractions are near the owner's, where LAMMPS has it and no other one can
   be nearer; else DS_NO_SHIFT. */
DS_FUNC int ds_image_near_by(const ds_bonded_view *b, int owner, int atom)
{
  const double *const to = b->fraction + 3 * (size_t) owner, *const from = b->fraction + 3 * (size_t) atom;
  int image = 0, nearest = DS_NO_SHIFT;
  for (int d = 2; d >= 0; d--) {
    const double apart = to[d] - from[d], half = 0.5 * (b->box.hi[d] - b->box.lo[d]);
    const int shift = (apart > half) - (apart < -half);
    if (shift && !ds_has_image(b, d, shift, from[d])) return DS_NO_SHIFT;
    image = 3 * image + shift + 1;
  }
  double least = b->near2;
  if (image != DS_NO_SHIFT) ds_try_image(b, b->x + 3 * (size_t) owner, atom, image, &least, &nearest);
  return nearest;
}

/* Of all images that LAMMPS has, in the order in which it looks at them: along each axis the atom itself, the image above the
   box, the one below it. Most atoms have none, and most others one. */
DS_FUNC int ds_search_tilted_images(const ds_bonded_view *b, int owner, int atom)
{
  const double *const fraction = b->fraction + 3 * (size_t) atom, *const o = b->x + 3 * (size_t) owner;
  int along[3], turns[3], nearest = DS_NO_SHIFT;
  for (int d = 0; d < 3; d++) {
    along[d] = ds_shifts_along(b, d, fraction[d]);
    turns[d] = along[d] == 2 ? 1 : 3;
  }
  if ((along[0] | along[1] | along[2]) == 2) return nearest;
  double least = ds_distance2(o, b->x + 3 * (size_t) atom);
  for (int k = 0; k < turns[2]; k++)
    for (int j = 0; j < turns[1]; j++)
      for (int i = 0; i < turns[0]; i++) {
        const int x = (i + 1) % 3, y = (j + 1) % 3, z = (k + 1) % 3; /* 0, 1, 2: shifts of -1, 0, 1 */
        const int image = x + 3 * y + 9 * z;
        if (image != DS_NO_SHIFT && (along[0] >> x & along[1] >> y & along[2] >> z & 1))
          ds_try_image(b, o, atom, image, &least, &nearest);
      }
  return nearest;
}

/* The same in a box that is not tilted, axis by axis. */
DS_FUNC int ds_nearest_straight_image(const ds_bonded_view *b, int owner, int atom)
{
  int image = 0;
  for (int d = 2; d >= 0; d--) {
    const double o = b->x[3 * (size_t) owner + (size_t) d], x = b->x[3 * (size_t) atom + (size_t) d];
    double least = fabs(o - x);
    int shift = 0;
    for (int s = -1; s <= 1; s += 2) {
      const double distance = fabs(o - (x + (double) s * b->box.period[d]));
      if (distance < least && ds_has_image(b, d, s, x)) {
        least = distance;
        shift = s;
      }
    }
    image = 3 * image + shift + 1;
  }
  return image;
}

/* The image of an atom that is nearest to the owner. Most atoms of a term are near each other themselves. */
DS_FUNC int ds_nearest_image(const ds_bonded_view *b, int owner, int atom)
{
  if (ds_has_copies(b) || ds_distance2(b->x + 3 * (size_t) owner, b->x + 3 * (size_t) atom) < b->near2) return DS_NO_SHIFT;
  if (!b->box.tilted) return ds_nearest_straight_image(b, owner, atom);
  const int near_by = ds_image_near_by(b, owner, atom);
  return near_by != DS_NO_SHIFT ? near_by : ds_search_tilted_images(b, owner, atom);
}

/* Without sharing, a term is its owner's where no own atom of a lower number has it. */
DS_FUNC int ds_is_counted_by_owner(const int32_t *member, int members, int images, int owner)
{
  for (int m = 0; m < members; m++)
    if (ds_member_image(images, m) == DS_NO_SHIFT && member[m] < owner) return 0;
  return 1;
}

DS_FUNC int ds_choose_images(const ds_bonded_view *b, const int32_t *member, int members, int owner)
{
  int all = DS_HAS_IMAGES;
  for (int m = 0; m < members; m++) {
    const int image = ds_nearest_image(b, owner, member[m]);
    all |= image << m * DS_IMAGE_BITS;
  }
  if (!b->shared && !ds_has_copies(b) && !ds_is_counted_by_owner(member, members, all, owner)) all |= DS_TERM_OFF;
  return all;
}

/* What a term does to an atom acts on that image of it. An entry is written behind the loop: so its reads need not wait for
   each other. */
DS_FUNC void ds_put_image(const ds_bonded_view *b, uint32_t entry, int atom, int image)
{
  const uint32_t first = b->first[atom], end = b->first[atom + 1];
  uint32_t at = end;
  for (uint32_t k = first; k < end; k++) at = b->entry[k] == entry ? k : at;
  if (at < end) b->image[at] = (uint8_t) image;
}

/* Few images are others than before. Those of an atom's entries lie together, as forces of every step read them. */
DS_FUNC void ds_reneighbor_kind(const ds_bonded_view *b, int kind, int term)
{
  const ds_terms_view *const t = ds_terms_of_kind(b, kind);
  const int32_t *const of_term = t->member + (size_t) ds_term_size(kind) * (size_t) term;
  const int32_t *const member = of_term + ds_first_member(kind);
  const int members = ds_members_of(kind), images = ds_choose_images(b, member, members, of_term[0]);
  if (images == t->images[term]) return;
  t->images[term] = images;
  for (int m = 0; m < members; m++)
    ds_put_image(b, ds_entry_of(kind, ds_first_row(b, kind), term, m), member[m],
                 images & DS_TERM_OFF ? DS_IMAGES : ds_member_image(images, m));
}

/* The term of that number, bonds first. */
DS_FUNC void ds_reneighbor_term(const ds_bonded_view *b, int term)
{
  if (term < b->bond.n)
    ds_reneighbor_kind(b, DS_BONDS, term);
  else
    ds_reneighbor_kind(b, DS_ANGLES, term - b->bond.n);
}

/* The torsion of that number, dihedrals first. */
DS_FUNC void ds_reneighbor_torsion(const ds_bonded_view *b, int torsion)
{
  if (torsion < b->dihedral.n)
    ds_reneighbor_kind(b, DS_DIHEDRALS, torsion);
  else
    ds_reneighbor_kind(b, DS_IMPROPERS, torsion - b->dihedral.n);
}

#endif
