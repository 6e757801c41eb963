/* Bonds, angles, dihedrals and impropers of one atom: device functions of both backends.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS adds the forces of its bonds to its atoms in the order of its list, then those of its angles, dihedrals and impropers;
   forces on ghosts (images across the border) are summed up apart, and go to their owners at the end, along z, y and x, images
   below the box before those above it. Each atom repeats exactly those additions that concern it.

   Dihedrals and impropers, torsions in one word, have kernels of their own: bonds and angles alone need fewer registers. */
#ifndef DPDSOP_BONDED_TERM_H
#define DPDSOP_BONDED_TERM_H

#include "dpdsop/device/step/exact_sum.h"
#include "dpdsop/device/torsion.h"

/* An image is a number of 0 to 26: shifts of -1, 0, 1 periods along x, y, z, to the base of 3. */
enum { DS_NO_SHIFT = 13, DS_IMAGES = 27, DS_IMAGE_BITS = 5, DS_BOND_SIZE = 3, DS_ANGLE_SIZE = 5, DS_TORSION_SIZE = 6 };

/* Mark of a term that is left out: LAMMPS's list has the same one of another atom. */
#define DS_TERM_OFF (1 << 30)
/* And of one whose images have been chosen. */
#define DS_HAS_IMAGES (1 << 29)

/* Terms of one kind. */
typedef struct {
  int style, n;
  const ds_bonded_type *type;
  const int32_t *member; /* as in ds_terms */
  int32_t *images;       /* of each term: those of its members, and the marks; 0: not chosen yet */
} ds_terms_view;

/* Which forces are added to those of atoms: all; or first those on the atoms themselves, and later those on their images, where
   something else comes between them. */
typedef enum { DS_BONDED_ALL = 0, DS_BONDED_ON_ATOMS, DS_BONDED_ON_IMAGES } ds_bonded_part;

typedef struct {
  int threads; /* of the host */
  ds_bonded_part part;
  const double *x;
  double *f;
  const double *fraction; /* in a tilted box, in the step of a rebuild: what positions have been made of; else NULL */
  ds_wrap box;
  double reach[3]; /* in the units of box.lo */
  double near2;    /* of atoms whose squared distance is less, no images are nearer to each other */
  int shared;
  int own; /* atoms; members from there on are copies of the caller's; INT32_MAX: there are none */
  const double *copy_x;
  double *copy_f;
  ds_terms_view bond, angle, dihedral, improper;
  int natoms;
  const uint32_t *first; /* natoms + 1: of each atom, its entries */
  const uint32_t *entry; /* bonds in their order, then the other kinds */
  uint8_t *image;        /* of each entry: the image of the atom that its force acts on; DS_IMAGES: none */
  double *force;         /* rows of three numbers (ds_first_row) */
  ds_exact_sum *sums;    /* DS_TERM_SUMS of each kind */
  double unit;           /* of these, energy */
} ds_bonded_view;

/* On a GPU the kind is known when the code is compiled, so that no pointer is chosen at run time. */
DS_FUNC const ds_terms_view *ds_terms_of_kind(const ds_bonded_view *b, int kind)
{
  return kind == DS_BONDS ? &b->bond : kind == DS_ANGLES ? &b->angle : kind == DS_DIHEDRALS ? &b->dihedral : &b->improper;
}

DS_FUNC int ds_members_of(int kind)
{
  return kind == DS_BONDS ? 2 : kind == DS_ANGLES ? 3 : 4;
}

/* Members of a term with its type, and its owner, which all but bonds have apart. */
DS_FUNC int ds_term_size(int kind)
{
  return kind == DS_BONDS ? DS_BOND_SIZE : kind == DS_ANGLES ? DS_ANGLE_SIZE : DS_TORSION_SIZE;
}

DS_FUNC int ds_first_member(int kind)
{
  return kind != DS_BONDS;
}

DS_FUNC int ds_member_image(int images, int place)
{
  return images >> place * DS_IMAGE_BITS & ((1 << DS_IMAGE_BITS) - 1);
}

/* Rows of forces that a term has: of a bond that on its first atom, of an angle those on its first and its third, of a torsion
   those on each of its atoms. */
DS_FUNC int ds_rows_of(int kind)
{
  return kind == DS_BONDS ? 1 : kind == DS_ANGLES ? 2 : 4;
}

/* An entry: what a term does to one of its members. It is the number of a row of forces, and what the force on the member is
   made of. */
enum { DS_THE_ROW, DS_MINUS_ROW, DS_MINUS_TWO_ROWS, DS_ROLE_BITS = 2, DS_MOST_ROWS = 1 << 30 };

DS_FUNC uint32_t ds_entry_of(int kind, int first_row, int term, int place)
{
  const uint32_t row = (uint32_t) first_row + (uint32_t) ds_rows_of(kind) * (uint32_t) term;
  if (kind == DS_BONDS) return row << DS_ROLE_BITS | (place ? DS_MINUS_ROW : DS_THE_ROW);
  if (kind == DS_ANGLES) return (row + (place == 2)) << DS_ROLE_BITS | (place == 1 ? DS_MINUS_TWO_ROWS : DS_THE_ROW);
  return (row + (uint32_t) place) << DS_ROLE_BITS | DS_THE_ROW;
}

/* The first row of each kind. */
DS_FUNC int ds_first_row(const ds_bonded_view *b, int kind)
{
  int row = 0;
  if (kind > DS_BONDS) row += b->bond.n;
  if (kind > DS_ANGLES) row += 2 * b->angle.n;
  if (kind > DS_DIHEDRALS) row += 4 * b->dihedral.n;
  return row;
}

/* A member of a term. */
typedef struct {
  int kind, term, place;
} ds_member;

DS_FUNC ds_member ds_member_of_entry(const ds_bonded_view *b, uint32_t entry)
{
  const int row = (int) (entry >> DS_ROLE_BITS), role = (int) (entry & 3);
  ds_member m;
  m.kind = row < ds_first_row(b, DS_ANGLES)      ? DS_BONDS
           : row < ds_first_row(b, DS_DIHEDRALS) ? DS_ANGLES
           : row < ds_first_row(b, DS_IMPROPERS) ? DS_DIHEDRALS
                                                 : DS_IMPROPERS;
  const int of_kind = row - ds_first_row(b, m.kind), rows = ds_rows_of(m.kind);
  m.term = of_kind / rows;
  m.place = of_kind % rows;
  if (m.kind == DS_BONDS) m.place = role == DS_MINUS_ROW;
  if (m.kind == DS_ANGLES) m.place = role == DS_MINUS_TWO_ROWS ? 1 : 2 * m.place;
  return m;
}

/* Bonds and angles; and torsions. */
DS_FUNC int ds_count_terms(const ds_bonded_view *b)
{
  return b->bond.n + b->angle.n;
}

DS_FUNC int ds_count_torsions(const ds_bonded_view *b)
{
  return b->dihedral.n + b->improper.n;
}

DS_FUNC const ds_bonded_type *ds_type_of_bond(const ds_bonded_view *b, int bond)
{
  return b->bond.type + b->bond.member[DS_BOND_SIZE * (size_t) bond + DS_BOND_SIZE - 1];
}

DS_FUNC const ds_bonded_type *ds_type_of_angle(const ds_bonded_view *b, int angle)
{
  return b->angle.type + b->angle.member[DS_ANGLE_SIZE * (size_t) angle + DS_ANGLE_SIZE - 1];
}

DS_FUNC const ds_bonded_type *ds_type_of_torsion(const ds_terms_view *t, int torsion)
{
  return t->type + t->member[DS_TORSION_SIZE * (size_t) torsion + DS_TORSION_SIZE - 1];
}

DS_FUNC int ds_image_shift(int image, int axis)
{
  return (axis == 0 ? image % 3 : axis == 1 ? image / 3 % 3 : image / 9) - 1;
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
  ds_vector_between(b, b->bond.member + DS_BOND_SIZE * (size_t) term, b->bond.images[term], 1, 0, vector);
}

DS_FUNC void ds_angle_vectors(const ds_bonded_view *b, int term, double first[3], double third[3])
{
  const int32_t *const member = b->angle.member + DS_ANGLE_SIZE * (size_t) term + 1;
  ds_vector_between(b, member, b->angle.images[term], 1, 0, first);
  ds_vector_between(b, member, b->angle.images[term], 1, 2, third);
}

/* As in device/torsion.h. */
DS_FUNC void ds_torsion_vectors(const ds_bonded_view *b, const ds_terms_view *t, int torsion, double vector[3][3])
{
  const int32_t *const member = t->member + DS_TORSION_SIZE * (size_t) torsion + 1;
  const int images = t->images[torsion];
  ds_vector_between(b, member, images, 1, 0, vector[0]);
  ds_vector_between(b, member, images, 1, 2, vector[1]);
  ds_vector_between(b, member, images, 2, 3, vector[2]);
}

DS_FUNC double *ds_forces_of_term(const ds_bonded_view *b, int kind, int term)
{
  return b->force + 3 * ((size_t) ds_first_row(b, kind) + (size_t) ds_rows_of(kind) * (size_t) term);
}

DS_FUNC int ds_bond_forces(const ds_bonded_view *b, int bond)
{
  const ds_bonded_type *const t = ds_type_of_bond(b, bond);
  double *const f = ds_forces_of_term(b, DS_BONDS, bond);
  double vector[3];
  int too_long = 0;
  ds_bond_vector(b, bond, vector);
  const double force = ds_bond_force(b->bond.style, t, ds_dot(vector, vector), &too_long);
  for (int d = 0; d < 3; d++) f[d] = vector[d] * force;
  return too_long;
}

DS_FUNC void ds_angle_forces_of(const ds_bonded_view *b, int angle)
{
  double *const f = ds_forces_of_term(b, DS_ANGLES, angle);
  double d1[3], d3[3], f1[3], f3[3];
  ds_angle_vectors(b, angle, d1, d3);
  ds_angle_forces(b->angle.style, ds_type_of_angle(b, angle), d1, d3, f1, f3);
  for (int d = 0; d < 3; d++) f[d] = f1[d];
  for (int d = 0; d < 3; d++) f[3 + d] = f3[d];
}

/* Forces of the term of that number, bonds first. Returns 1 if it is a bond that is too long. */
DS_FUNC int ds_term_forces(const ds_bonded_view *b, int term)
{
  const int is_angle = term >= b->bond.n, k = is_angle ? term - b->bond.n : term;
  if ((is_angle ? b->angle.images[k] : b->bond.images[k]) & DS_TERM_OFF) return 0;
  if (!is_angle) return ds_bond_forces(b, k);
  ds_angle_forces_of(b, k);
  return 0;
}

DS_FUNC void ds_torsion_forces_of(const ds_bonded_view *b, int kind, int torsion)
{
  const ds_terms_view *const t = ds_terms_of_kind(b, kind);
  double *const to = ds_forces_of_term(b, kind, torsion);
  double vector[3][3], f[4][3];
  if (t->images[torsion] & DS_TERM_OFF) return;
  ds_torsion_vectors(b, t, torsion, vector);
  ds_torsion_forces(t->style, ds_type_of_torsion(t, torsion), vector, f);
  for (int m = 0; m < 4; m++)
    for (int d = 0; d < 3; d++) to[3 * m + d] = f[m][d];
}

DS_FUNC void ds_force_of_entry(const ds_bonded_view *b, uint32_t entry, double f[3])
{
  const double *const row = b->force + 3 * (size_t) (entry >> DS_ROLE_BITS);
  const int is_middle = (entry & 3) == DS_MINUS_TWO_ROWS, is_minus = (entry & 3) != DS_THE_ROW;
  for (int d = 0; d < 3; d++) {
    const double sum = is_middle ? row[d] + row[3 + d] : row[d];
    f[d] = is_minus ? -sum : sum;
  }
}

/* What the entries of an atom add to one of its images. */
DS_FUNC void ds_add_to_image(const ds_bonded_view *b, int atom, int image, double f[3])
{
  for (uint32_t k = b->first[atom]; k < b->first[atom + 1]; k++) {
    double on_image[3];
    if (b->image[k] != image) continue;
    ds_force_of_entry(b, b->entry[k], on_image);
    for (int d = 0; d < 3; d++) f[d] += on_image[d];
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

/* All forces on an atom, of those of the terms, added to `sum`. Few atoms have an image with forces on it, and hardly any has
   two: the sum of forces on one image is there at the end of the only walk through the entries. Several entries are read before
   they are added, so that a GPU waits once for them. */
DS_FUNC void ds_sum_bonded_forces(const ds_bonded_view *b, int atom, double sum[3])
{
  enum { AT_ONCE = 2 };
  const uint32_t end = b->first[atom + 1];
  uint32_t others = 0; /* images with forces on them, a bit for each */
  double on_image[3] = {0.0, 0.0, 0.0};
  for (uint32_t begin = b->first[atom]; begin < end; begin += AT_ONCE) {
    double add[AT_ONCE][3];
    int image[AT_ONCE];
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      const uint32_t at = begin + k < end ? begin + k : begin;
      ds_force_of_entry(b, b->entry[at], add[k]);
      image[k] = begin + k < end ? b->image[at] : DS_IMAGES;
    }
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      const int is_on_image = image[k] != DS_NO_SHIFT;
      if (image[k] == DS_IMAGES) continue;
      if (is_on_image) others |= (uint32_t) 1 << image[k];
      for (int d = 0; d < 3; d++) {
        if (is_on_image)
          on_image[d] += add[k][d];
        else if (b->part != DS_BONDED_ON_IMAGES)
          sum[d] += add[k][d];
      }
    }
  }
  if (others && b->shared && b->part != DS_BONDED_ON_ATOMS) {
    if (others & (others - 1))
      ds_add_images(b, atom, others, sum);
    else
      for (int d = 0; d < 3; d++) sum[d] = 0.0 + sum[d] + on_image[d];
  }
}

DS_FUNC void ds_add_bonded_forces(const ds_bonded_view *b, int atom)
{
  const int is_copy = atom >= b->own;
  double *const f = is_copy ? b->copy_f + 3 * (size_t) (atom - b->own) : b->f + 3 * (size_t) atom;
  double sum[3] = {0.0, 0.0, 0.0};
  if (b->first[atom] == b->first[atom + 1]) return;
  for (int d = 0; d < 3 && !is_copy; d++) sum[d] = f[d];
  ds_sum_bonded_forces(b, atom, sum);
  for (int d = 0; d < 3; d++) f[d] = sum[d];
}

#endif
