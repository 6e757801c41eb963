/* Bonds and angles of one atom, and the images of their members: device functions of both backends.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS adds the forces of its bonds to its atoms in the order of its list, then those of its angles; forces on ghosts
   (images across the border) are summed up apart, and go to their owners at the end, along z, y and x, images below the
   box before those above it. Each atom repeats exactly those additions that concern it. */
#ifndef DPDSOP_BONDED_TERM_H
#define DPDSOP_BONDED_TERM_H

#include "dpdsop/device/bonded.h"
#include "dpdsop/device/step/exact_sum.h"

/* An image is a number of 0 to 26: shifts of -1, 0, 1 periods along x, y, z, to the base of 3. */
enum { DS_NO_SHIFT = 13, DS_IMAGES = 27, DS_IMAGE_BITS = 5, DS_BOND_SIZE = 3, DS_ANGLE_SIZE = 5 };

/* Mark of a term that is left out: LAMMPS's list has the same one of another atom. */
#define DS_TERM_OFF (1 << 30)

typedef struct {
  int threads; /* of the host */
  const double *x;
  double *f;
  const double *fraction; /* in a tilted box, in the step of a rebuild: what positions have been made of; else NULL */
  ds_wrap box;
  double reach[3]; /* in the units of box.lo */
  int shared;
  int own; /* atoms; members from there on are copies of the caller's; INT32_MAX: there are none */
  const double *copy_x;
  double *copy_f;
  int bond_style, angle_style, nbonds, nangles;
  const ds_bonded_type *bond_type, *angle_type;
  const int32_t *bond, *angle;         /* as in ds_terms */
  int32_t *bond_images, *angle_images; /* of each term: those of its members, and DS_TERM_OFF */
  int natoms;
  const uint32_t *first; /* natoms + 1: of each atom, its entries */
  const uint32_t *entry; /* bonds in their order, then angles */
  double *force;         /* of the terms (ds_forces_of_term) */
  ds_exact_sum *sums;    /* DS_TERM_SUMS of bonds, then of angles */
  double unit;           /* of these, energy */
} ds_bonded_view;

/* Members of a term with its type, and its owner, which an angle has apart. */
DS_FUNC int ds_term_size(int is_angle)
{
  return is_angle ? DS_ANGLE_SIZE : DS_BOND_SIZE;
}

/* An entry: number of the term, 1 for an angle, place of the atom among its members. */
DS_FUNC uint32_t ds_entry_of(int term, int is_angle, int place)
{
  return (uint32_t) term << 3 | (uint32_t) is_angle << 2 | (uint32_t) place;
}

DS_FUNC int ds_count_terms(const ds_bonded_view *b)
{
  return b->nbonds + b->nangles;
}

DS_FUNC const ds_bonded_type *ds_type_of_bond(const ds_bonded_view *b, int bond)
{
  return b->bond_type + b->bond[DS_BOND_SIZE * (size_t) bond + DS_BOND_SIZE - 1];
}

DS_FUNC const ds_bonded_type *ds_type_of_angle(const ds_bonded_view *b, int angle)
{
  return b->angle_type + b->angle[DS_ANGLE_SIZE * (size_t) angle + DS_ANGLE_SIZE - 1];
}

DS_FUNC int ds_image_shift(int image, int axis)
{
  return (axis == 0 ? image % 3 : axis == 1 ? image / 3 % 3 : image / 9) - 1;
}

DS_FUNC int ds_member_image(int images, int place)
{
  return images >> place * DS_IMAGE_BITS & ((1 << DS_IMAGE_BITS) - 1);
}

/* In a tilted box LAMMPS makes images of fractions in the step of a rebuild, and moves them by lengths in others: along x,
   then along y, then along z. */
DS_FUNC void ds_shift_lengths(const ds_wrap *w, int image, double x[3])
{
  const double *const h = w->edge;
  const int sx = ds_image_shift(image, 0), sy = ds_image_shift(image, 1), sz = ds_image_shift(image, 2);
  if (sx) x[0] += (double) sx * h[0];
  if (sy) {
    x[0] += (double) sy * h[5];
    x[1] += (double) sy * h[1];
  }
  if (sz) {
    x[0] += (double) sz * h[4];
    x[1] += (double) sz * h[3];
    x[2] += (double) sz * h[2];
  }
}

DS_FUNC void ds_shift_periods(const ds_wrap *w, int image, double x[3])
{
  for (int d = 0; d < 3; d++) {
    const int shift = ds_image_shift(image, d);
    if (shift) x[d] += (double) shift * w->period[d];
  }
}

DS_FUNC void ds_member_position(const ds_bonded_view *b, int atom, int image, double x[3])
{
  if (atom >= b->own) {
    for (int d = 0; d < 3; d++) x[d] = b->copy_x[3 * (size_t) (atom - b->own) + (size_t) d];
    return;
  }
  const int of_fractions = b->fraction && image != DS_NO_SHIFT;
  const double *const at = (of_fractions ? b->fraction : b->x) + 3 * (size_t) atom;
  for (int d = 0; d < 3; d++) x[d] = at[d];
  if (image == DS_NO_SHIFT) return;
  if (b->box.tilted && !of_fractions)
    ds_shift_lengths(&b->box, image, x);
  else
    ds_shift_periods(&b->box, image, x);
  if (of_fractions) ds_from_fractions(&b->box, x);
}

DS_FUNC int ds_has_copies(const ds_bonded_view *b)
{
  return b->own != INT32_MAX;
}

/* ----------------------------------------------------------------------------------------- rebuilds */

/* LAMMPS has an image one period away only of atoms that are near the border on the other side. */
DS_FUNC int ds_has_image(const ds_bonded_view *b, int axis, int shift, double x)
{
  const ds_wrap *const w = &b->box;
  return w->periodic[axis] && (shift > 0 ? x <= w->lo[axis] + b->reach[axis] : x >= w->hi[axis] - b->reach[axis]);
}

/* In a tilted box: of all images that LAMMPS has, in the order in which it looks at them. */
DS_FUNC int ds_nearest_tilted_image(const ds_bonded_view *b, int owner, int atom)
{
  const double *const fraction = b->fraction + 3 * (size_t) atom, *const o = b->x + 3 * (size_t) owner;
  int nearest = DS_NO_SHIFT;
  double least = ds_distance2(o, b->x + 3 * (size_t) atom);
  for (int k = 1; k < DS_IMAGES; k++) {
    const int shift[3] = {(k + 1) % 3 - 1, (k / 3 + 1) % 3 - 1, (k / 9 + 1) % 3 - 1};
    int exists = 1;
    for (int d = 0; d < 3; d++) exists = exists && (!shift[d] || ds_has_image(b, d, shift[d], fraction[d]));
    if (!exists) continue;
    const int image = DS_NO_SHIFT + shift[0] + 3 * shift[1] + 9 * shift[2];
    double x[3];
    ds_member_position(b, atom, image, x);
    const double r2 = ds_distance2(o, x);
    if (r2 < least) {
      least = r2;
      nearest = image;
    }
  }
  return nearest;
}

/* The image of an atom that is nearest to the owner. */
DS_FUNC int ds_nearest_image(const ds_bonded_view *b, int owner, int atom)
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

/* Without sharing, a term is its owner's where no own atom of a lower number has it. */
DS_FUNC int ds_is_counted_by_owner(const int32_t *member, int members, int images, int owner)
{
  for (int m = 0; m < members; m++)
    if (ds_member_image(images, m) == DS_NO_SHIFT && member[m] < owner) return 0;
  return 1;
}

DS_FUNC void ds_choose_images(const ds_bonded_view *b, const int32_t *member, int members, int owner, int32_t *images)
{
  int all = 0;
  for (int m = 0; m < members; m++) {
    const int image = ds_has_copies(b) ? DS_NO_SHIFT
                      : b->box.tilted  ? ds_nearest_tilted_image(b, owner, member[m])
                                       : ds_nearest_image(b, owner, member[m]);
    all |= image << m * DS_IMAGE_BITS;
  }
  if (!b->shared && !ds_has_copies(b) && !ds_is_counted_by_owner(member, members, all, owner)) all |= DS_TERM_OFF;
  *images = all;
}

/* The term of that number, bonds first. */
DS_FUNC void ds_reneighbor_term(const ds_bonded_view *b, int term)
{
  const int angle = term - b->nbonds;
  if (angle < 0) {
    const int32_t *const t = b->bond + DS_BOND_SIZE * (size_t) term;
    ds_choose_images(b, t, 2, t[0], b->bond_images + term);
  } else {
    const int32_t *const t = b->angle + DS_ANGLE_SIZE * (size_t) angle;
    ds_choose_images(b, t + 1, 3, t[0], b->angle_images + angle);
  }
}

/* ------------------------------------------------------------------------------------------- forces */

/* From one member of a term to another. */
DS_FUNC void ds_vector_between(const ds_bonded_view *b, const int32_t *member, int images, int from, int to, double vector[3])
{
  double start[3], end[3];
  ds_member_position(b, member[from], ds_member_image(images, from), start);
  ds_member_position(b, member[to], ds_member_image(images, to), end);
  for (int d = 0; d < 3; d++) vector[d] = end[d] - start[d];
}

DS_FUNC void ds_bond_vector(const ds_bonded_view *b, int term, double vector[3])
{
  ds_vector_between(b, b->bond + DS_BOND_SIZE * (size_t) term, b->bond_images[term], 1, 0, vector);
}

DS_FUNC void ds_angle_vectors(const ds_bonded_view *b, int term, double first[3], double third[3])
{
  const int32_t *const member = b->angle + DS_ANGLE_SIZE * (size_t) term + 1;
  ds_vector_between(b, member, b->angle_images[term], 1, 0, first);
  ds_vector_between(b, member, b->angle_images[term], 1, 2, third);
}

/* Place of the forces of a term: of a bond those on its first atom, of an angle those on its first and its third. */
DS_FUNC double *ds_forces_of_term(const ds_bonded_view *b, int is_angle, int term)
{
  return b->force + (is_angle ? 3 * (size_t) b->nbonds + 6 * (size_t) term : 3 * (size_t) term);
}

DS_FUNC int ds_bond_forces(const ds_bonded_view *b, int bond)
{
  const ds_bonded_type *const t = ds_type_of_bond(b, bond);
  double *const f = ds_forces_of_term(b, 0, bond);
  double vector[3];
  int too_long = 0;
  ds_bond_vector(b, bond, vector);
  const double force = ds_bond_force(b->bond_style, t, ds_dot(vector, vector), &too_long);
  for (int d = 0; d < 3; d++) f[d] = vector[d] * force;
  return too_long;
}

DS_FUNC void ds_angle_forces_of(const ds_bonded_view *b, int angle)
{
  double *const f = ds_forces_of_term(b, 1, angle);
  double d1[3], d3[3], f1[3], f3[3];
  ds_angle_vectors(b, angle, d1, d3);
  ds_angle_forces(b->angle_style, ds_type_of_angle(b, angle), d1, d3, f1, f3);
  for (int d = 0; d < 3; d++) f[d] = f1[d];
  for (int d = 0; d < 3; d++) f[3 + d] = f3[d];
}

/* Forces of the term of that number, bonds first. Returns 1 if it is a bond that is too long. */
DS_FUNC int ds_term_forces(const ds_bonded_view *b, int term)
{
  const int is_angle = term >= b->nbonds, k = is_angle ? term - b->nbonds : term;
  if ((is_angle ? b->angle_images[k] : b->bond_images[k]) & DS_TERM_OFF) return 0;
  if (!is_angle) return ds_bond_forces(b, k);
  ds_angle_forces_of(b, k);
  return 0;
}

DS_FUNC int ds_images_of_entry(const ds_bonded_view *b, uint32_t entry)
{
  const uint32_t term = entry >> 3;
  return entry & 4 ? b->angle_images[term] : b->bond_images[term];
}

/* The force of an entry's term on its atom, and the image of it that the force acts on; DS_IMAGES: on none. */
typedef struct {
  double f[3];
  int image;
} ds_entry_force;

DS_FUNC ds_entry_force ds_force_of_entry(const ds_bonded_view *b, uint32_t entry)
{
  const int is_angle = (entry & 4) != 0, place = (int) (entry & 3), images = ds_images_of_entry(b, entry);
  const int in_middle = is_angle && place == 1, is_third = is_angle && place == 2, is_second = !is_angle && place;
  const double *const g = ds_forces_of_term(b, is_angle, (int) (entry >> 3));
  ds_entry_force e;
  e.image = images & DS_TERM_OFF ? DS_IMAGES : ds_member_image(images, place);
  for (int d = 0; d < 3; d++) {
    const double first = g[is_third ? 3 + d : d], third = in_middle ? g[3 + d] : 0.0;
    e.f[d] = in_middle ? -(first + third) : is_second ? -first : first;
  }
  return e;
}

/* What the entries of an atom add to one of its images. */
DS_FUNC void ds_add_to_image(const ds_bonded_view *b, int atom, int image, double f[3])
{
  for (uint32_t k = b->first[atom]; k < b->first[atom + 1]; k++) {
    const ds_entry_force e = ds_force_of_entry(b, b->entry[k]);
    for (int d = 0; d < 3 && e.image == image; d++) f[d] += e.f[d];
  }
}

/* Forces on images go to the images that they were made of along z, then y, then x, and so to the atom. `images`: a bit for
   each that has forces; all others would add zeros. The sum is never -0.0, as after zeros have been added. */
DS_FUNC void ds_add_images(const ds_bonded_view *b, int atom, uint32_t images, double f[3])
{
  double sum[3] = {0.0, 0.0, 0.0};
  for (int x = 0; x < 3; x++) {
    double row[3] = {0.0, 0.0, 0.0};
    for (int y = 0; y < 3; y++) {
      double column[3] = {0.0, 0.0, 0.0};
      for (int z = 0; z < 3; z++) {
        const int image = (x + 1) % 3 + 3 * ((y + 1) % 3) + 9 * ((z + 1) % 3);
        double one[3] = {0.0, 0.0, 0.0};
        if (image == DS_NO_SHIFT)
          for (int d = 0; d < 3; d++) one[d] = f[d];
        else if (images >> image & 1)
          ds_add_to_image(b, atom, image, one);
        else
          continue;
        for (int d = 0; d < 3; d++) column[d] += one[d];
      }
      for (int d = 0; d < 3; d++) row[d] += column[d];
    }
    for (int d = 0; d < 3; d++) sum[d] += row[d];
  }
  for (int d = 0; d < 3; d++) f[d] = sum[d];
}

/* All forces on an atom, of those of the terms. Few atoms have an image with forces on it, and hardly any has two: the sum of
   forces on one image is there at the end of the only walk through the entries. Several entries are read before they are added,
   so that a GPU waits once for them. */
DS_FUNC void ds_add_bonded_forces(const ds_bonded_view *b, int atom)
{
  enum { AT_ONCE = 3 };
  const int is_copy = atom >= b->own;
  double *const f = is_copy ? b->copy_f + 3 * (size_t) (atom - b->own) : b->f + 3 * (size_t) atom;
  const uint32_t end = b->first[atom + 1];
  uint32_t others = 0; /* images with forces on them, a bit for each */
  double sum[3] = {0.0, 0.0, 0.0}, on_image[3] = {0.0, 0.0, 0.0};
  if (b->first[atom] == end) return;
  for (int d = 0; d < 3 && !is_copy; d++) sum[d] = f[d];
  for (uint32_t begin = b->first[atom]; begin < end; begin += AT_ONCE) {
    ds_entry_force e[AT_ONCE];
    for (uint32_t k = 0; k < AT_ONCE; k++) e[k] = ds_force_of_entry(b, b->entry[begin + k < end ? begin + k : begin]);
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      if (begin + k >= end || e[k].image == DS_IMAGES) continue;
      const int is_on_image = e[k].image != DS_NO_SHIFT;
      if (is_on_image) others |= (uint32_t) 1 << e[k].image;
      for (int d = 0; d < 3; d++) {
        if (is_on_image)
          on_image[d] += e[k].f[d];
        else
          sum[d] += e[k].f[d];
      }
    }
  }
  if (others && b->shared) {
    if (others & (others - 1))
      ds_add_images(b, atom, others, sum);
    else
      for (int d = 0; d < 3; d++) sum[d] = 0.0 + sum[d] + on_image[d];
  }
  for (int d = 0; d < 3; d++) f[d] = sum[d];
}

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

DS_FUNC void ds_values_of_term(const ds_bonded_view *b, int is_angle, int term, double value[DS_TERM_SUMS])
{
  double d1[3], d3[3];
  if (is_angle) {
    ds_angle_vectors(b, term, d1, d3);
    ds_angle_values(b->angle_style, ds_type_of_angle(b, term), d1, d3, value);
  } else {
    ds_bond_vector(b, term, d1);
    ds_bond_values(b->bond_style, ds_type_of_bond(b, term), d1, value);
  }
}

/* What a term adds to the sums of its kind. */
DS_FUNC void ds_term_sums(const ds_bonded_view *b, int is_angle, int term, double add[DS_TERM_SUMS])
{
  const int32_t *const member =
      is_angle ? b->angle + DS_ANGLE_SIZE * (size_t) term + 1 : b->bond + DS_BOND_SIZE * (size_t) term;
  const int images = is_angle ? b->angle_images[term] : b->bond_images[term];
  const double share = ds_term_share(b, member, images, is_angle ? 3 : 2);
  for (int j = 0; j < DS_TERM_SUMS; j++) add[j] = 0.0;
  if (!(share > 0.0)) return;
  ds_values_of_term(b, is_angle, term, add);
  for (int j = 0; j < DS_TERM_SUMS; j++) add[j] *= share;
}

/* ------------------------------------------------------------------------------------ parts of atoms */

/* Of each atom, energies and virials of its bonds, then of its angles; NULL: not wanted. */
typedef struct {
  double *energy[2], *virial[2];
} ds_bonded_tallies;

/* Without sharing, another copy of the term counts for a member that is an image. */
DS_FUNC int ds_counts_for_atom(const ds_bonded_view *b, uint32_t entry)
{
  const int images = ds_images_of_entry(b, entry);
  return !(images & DS_TERM_OFF) && (b->shared || ds_member_image(images, (int) (entry & 3)) == DS_NO_SHIFT);
}

/* Integers: the order of terms moves no bit. */
DS_FUNC void ds_tally_atom(const ds_bonded_view *b, const ds_bonded_tallies *to, int is_angle, int atom)
{
  double *const energy = to->energy[is_angle], *const virial = to->virial[is_angle];
  ds_exact_sum sum[DS_TERM_SUMS];
  for (int j = 0; j < DS_TERM_SUMS; j++) sum[j].low = sum[j].high = sum[j].top = sum[j].invalid = 0;
  for (uint32_t e = b->first[atom]; e < b->first[atom + 1]; e++) {
    const uint32_t entry = b->entry[e];
    double value[DS_TERM_SUMS];
    if (((entry & 4) != 0) != is_angle || !ds_counts_for_atom(b, entry)) continue;
    ds_values_of_term(b, is_angle, (int) (entry >> 3), value);
    for (int j = 0; j < DS_TERM_SUMS; j++) ds_exact_add_number(&sum[j], ds_member_share(is_angle, value[j]), b->unit);
  }
  if (energy) energy[atom] = ds_exact_value(&sum[0], b->unit);
  for (int j = 1; j < DS_TERM_SUMS && virial; j++)
    virial[(DS_TERM_SUMS - 1) * (size_t) atom + (size_t) (j - 1)] = ds_exact_value(&sum[j], b->unit);
}

DS_FUNC int ds_wants_kind(const ds_bonded_tallies *to, int is_angle)
{
  return to->energy[is_angle] || to->virial[is_angle];
}

#endif
