/* Atoms of the caller that move; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "motion_host.h"

static double mass_of(const ds_resident *r, int i)
{
  const double *const rmass = r->atoms.rmass.data;
  const int32_t *const type = r->atoms.type.data;
  return rmass ? rmass[i] : r->mass[type[i]];
}

void DS_KERNEL(ds_move)(const ds_resident *r, const ds_advance *a, int first, int last)
{
  double *const x = r->atoms.x.data, *const v = r->atoms.v.data, *const f = r->atoms.f.data;
  const int32_t *const mask = r->atoms.mask.data;
  for (int i = first; i < last; i++) {
    const size_t at = 3 * (size_t) i;
    ds_move_atom(&r->motion, a->second, a->first, mask[i], mass_of(r, i), x + at, v + at, f + at);
    for (size_t d = 0; d < 3 && a->clear; d++) f[at + d] = 0.0;
  }
}

int DS_KERNEL(ds_moved)(const ds_resident *r, const double *held, double trigger2, int first,
                        int last)
{
  const double *const x = r->atoms.x.data;
  for (int i = first; i < last; i++)
    if (ds_way2(r->motion.fused, x + 3 * (size_t) i, held + 3 * (size_t) i) > trigger2) return 1;
  return 0;
}

int DS_KERNEL(ds_some_outside)(const ds_resident *r, int first, int last)
{
  const double *const x = r->atoms.x.data;
  int outside = 0;
  for (int i = first; i < last; i++) outside |= ds_outside(&r->wrap, x + 3 * (size_t) i);
  return outside;
}

void DS_KERNEL(ds_kinetic_terms)(const ds_resident *r, int fused, double *terms, int first,
                                 int last)
{
  const double *const v = r->atoms.v.data;
  for (int i = first; i < last; i++)
    terms[i] = ds_kinetic_term(fused, mass_of(r, i), v + 3 * (size_t) i);
}

void DS_KERNEL(ds_wrap_atoms)(const ds_resident *r, int first, int last)
{
  double *const x = r->atoms.x.data, *const v = r->atoms.v.data;
  int32_t *const narrow = r->atoms.image.data;
  int64_t *const wide = r->atoms.image.data;
  const int is_wide = r->atoms.image.type == DS_I64;
  for (int i = first; i < last; i++) {
    int64_t image = is_wide ? wide[i] : narrow[i];
    ds_wrap_atom(&r->wrap, x + 3 * (size_t) i, v + 3 * (size_t) i, &image);
    if (is_wide)
      wide[i] = image;
    else
      narrow[i] = (int32_t) image;
  }
}
