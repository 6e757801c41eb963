/* One particle in a periodic box, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_MOTION_PARTICLE_H
#define DPDSOP_RESIDENT_MOTION_PARTICLE_H

#include "step_particle.h"

#include "dpdsop/device/motion.h"

DS_FUNC void ds_write_image_word(const ds_resident_view *a, int i, int64_t image)
{
  if (a->is_wide)
    ((int64_t *) a->image)[i] = image;
  else
    ((int32_t *) a->image)[i] = (int32_t) image;
}

/* 1 where two vectors have other bits: -0.0 is not 0.0. */
DS_FUNC int ds_vectors_differ(const double a[3], const double b[3])
{
  int differ = 0;
  for (int d = 0; d < 3; d++) differ |= ds_double_as_ulong(a[d]) != ds_double_as_ulong(b[d]);
  return differ;
}

/* Most particles stay where they are, and nothing is written for them. The position is compared, not the image: a particle
   just below the lower border can be rounded to the upper one, and come back from there, with another position and the same
   image. */
DS_FUNC void ds_wrap_particle(const ds_resident_view *a, const ds_wrap *w, int i)
{
  double x[3], v[3] = {0.0, 0.0, 0.0}, before[3], fraction[3];
  const int64_t old_image = ds_read_image_word(a, i);
  int64_t image = old_image;
  ds_read_vector(a->x, i, x);
  if (w->moving) ds_read_vector(a->v, i, v);
  ds_wrap_atom(w, x, v, &image, fraction);
  if (a->fraction) ds_write_vector(a->fraction, i, fraction);
  ds_write_vector(a->x_ref, i, x);
  ds_read_vector(a->x, i, before);
  if (ds_vectors_differ(x, before)) ds_write_vector(a->x, i, x);
  if (w->moving) ds_write_vector(a->v, i, v);
  if (image != old_image) ds_write_image_word(a, i, image);
}

DS_FUNC void ds_flip_particle(const ds_resident_view *a, const ds_wrap *w, const int flips[3], int i)
{
  int64_t image = ds_read_image_word(a, i);
  double x[3];
  ds_read_vector(a->x, i, x);
  ds_flip_atom(w, flips, x, &image);
  ds_write_vector(a->x, i, x);
  ds_write_image_word(a, i, image);
}

/* Of a tilted box: the position to fractions, which are kept, and back. */
DS_FUNC void ds_convert_particle(const ds_resident_view *a, const ds_wrap *w, int i)
{
  double x[3], fraction[3];
  ds_read_vector(a->x, i, x);
  ds_to_fractions_and_back(w, x, fraction);
  ds_write_vector(a->x, i, x);
  ds_write_vector(a->fraction, i, fraction);
}

/* Of a tilted box: the reference position to fractions. */
DS_FUNC void ds_find_fraction(const ds_resident_view *a, const ds_wrap *w, int i)
{
  double x[3];
  ds_read_vector(a->x_ref, i, x);
  ds_to_fractions(w, x);
  ds_write_vector(a->fraction, i, x);
}

#endif
