/* Particles between arrays and operations, and in a periodic box, on either backend.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_STEP_PARTICLE_H
#define DPDSOP_RESIDENT_STEP_PARTICLE_H

#include "dpdsop/device/motion.h"
#include "resident_state.h"

DS_FUNC void ds_read_vector(const double *from, int i, double to[3])
{
  for (int d = 0; d < 3; d++) to[d] = from[3 * (size_t) i + d];
}

DS_FUNC void ds_write_vector(double *to, int i, const double from[3])
{
  for (int d = 0; d < 3; d++) to[3 * (size_t) i + d] = from[d];
}

DS_FUNC int64_t ds_read_image_word(const ds_resident_view *a, int i)
{
  return a->is_wide ? ((const int64_t *) a->image)[i] : ((const int32_t *) a->image)[i];
}

/* Three counters, each from half of its range on. */
DS_FUNC void ds_read_image(const ds_resident_view *a, int bits, int i, int64_t image[3])
{
  const int64_t word = ds_read_image_word(a, i);
  const int64_t range = ((int64_t) 1 << bits) - 1, none = (int64_t) 1 << (bits - 1);
  for (int d = 0; d < 3; d++) image[d] = (d == 2 ? word >> (2 * bits) & range : word >> (d * bits) & range) - none;
}

/* Fields that both kinds of launches read. */
DS_FUNC void ds_read_fields(const ds_resident_view *a, int32_t reads, int i, ds_particle *p)
{
  p->mask = a->mask[i];
  p->type = a->rmass && !(reads & DS_IDENTITY) ? 0 : a->type[i];
  p->mass = a->rmass ? a->rmass[i] : a->mass[p->type];
  if (reads & DS_POSITION) ds_read_vector(a->x, i, p->x);
  if (reads & DS_VELOCITY) ds_read_vector(a->v, i, p->v);
  if (reads & DS_FORCE) ds_read_vector(a->f, i, p->f);
}

/* A launch of sums of rigid bodies alone: particle i is in none, and is not read. */
DS_FUNC int ds_launch_passes_by(const ds_resident_view *a, const ds_step_launch *l, int i)
{
  return l->sets == DS_SET_BODIES && !l->writes && !l->clear && !l->check && a->body[i] < 0;
}

DS_FUNC void ds_read_particle(const ds_resident_view *a, const ds_step_launch *l, int i, ds_particle *p)
{
  if (l->n == 0) return; /* a launch that looks at distances alone */
  ds_read_fields(a, l->reads, i, p);
  if (l->reads & DS_IMAGE) ds_read_image(a, l->image_bits, i, p->image);
  p->body = l->reads & DS_BODY_NUMBER ? a->body[i] : -1;
  if (l->reads & DS_TAG) p->tag = ds_array_int(&a->tag, i, 0);
}

DS_FUNC void ds_write_particle(const ds_resident_view *a, const ds_step_launch *l, int i, const ds_particle *p)
{
  const double none[3] = {0.0, 0.0, 0.0};
  if (l->writes & DS_POSITION) ds_write_vector(a->x, i, p->x);
  if (l->writes & DS_VELOCITY) ds_write_vector(a->v, i, p->v);
  if (l->clear)
    ds_write_vector(a->f, i, none);
  else if (l->writes & DS_FORCE)
    ds_write_vector(a->f, i, p->f);
}

/* Whether lists are out of date because of this particle. A pointer to one of two arrays would keep the particle in memory. */
DS_FUNC int ds_has_moved(const ds_resident_view *a, const ds_step_launch *l, int i, const ds_particle *p)
{
  double x[3] = {p->x[0], p->x[1], p->x[2]}, x_ref[3];
  ds_read_vector(a->x_ref, i, x_ref);
  if (!(l->reads & DS_POSITION)) ds_read_vector(a->x, i, x);
  return ds_distance2(x, x_ref) > l->trigger2;
}

/* Sums that a launch reads: of the operation that its first one names, and of the other one. */
enum { DS_SUMS_READ = 2 * DS_OPERATION_SUMS };

DS_FUNC double ds_sum_read(const ds_step_launch *l, int k)
{
  const ds_operation *const o = l->operation;
  const int is_other = k >= DS_OPERATION_SUMS, first = is_other ? o->also : o->from, n = is_other ? 1 : ds_operations_read(o);
  ds_exact_sum sum = {0, 0, 0, 0};
  for (int place = first; place >= 0 && place < first + n; place++)
    ds_exact_add(&sum, l->sums + place * DS_OPERATION_SUMS + k % DS_OPERATION_SUMS);
  return ds_exact_value(&sum, is_other ? l->also_unit : l->context.from_unit);
}

/* Operation k of the launch, which is of these sets, on particle i; add[] gets its terms. 1 where it cannot. */
DS_FUNC int ds_run_operation(int sets, const ds_resident_view *a, const ds_step_launch *l, const double sums_read[DS_SUMS_READ],
                             int k, int i, ds_particle *p, double add[DS_OPERATION_SUMS])
{
  const ds_operation *const o = &l->operation[k];
  ds_step_context c = l->context;
  c.step = l->step[k];
  c.from = sums_read;
  c.also = sums_read + DS_OPERATION_SUMS;
  c.regions = l->region;
  double *const anchor = a->anchor[o->anchor];
  c.anchor = anchor ? anchor + 3 * (size_t) i : anchor;
  for (int j = 0; j < DS_OPERATION_SUMS; j++) add[j] = 0.0;
  return ds_is_concerned(l->region, o, p) && ds_operate(sets, &c, o, p, add);
}

DS_FUNC int64_t ds_read_molecule(const ds_resident_view *a, int i)
{
  return a->has_wide_molecules ? ((const int64_t *) a->molecule)[i] : ((const int32_t *) a->molecule)[i];
}

/* What a launch that adds to bins has to know, as a constant at each call, so that a GPU's kernel for plain bins stays small:
   values made of tallies; molecules, and unwrapped positions. */
enum { DS_BINS_PLAIN = 0, DS_BINS_TALLIES = 1, DS_BINS_UNWRAPPED = 2, DS_BINS_ALL = 3 };

DS_FUNC int ds_knowledge_of_bins(const ds_binning *b)
{
  return (b->nsources ? DS_BINS_TALLIES : 0) | (ds_bins_read_unwrapped(b) ? DS_BINS_UNWRAPPED : 0);
}

/* The bin of particle i, which is read, where the operation acts on it. */
DS_FUNC int ds_find_bin(int knows, const ds_resident_view *a, const ds_bin_launch *l, int i, ds_particle *p)
{
  ds_read_fields(a, l->reads, i, p);
  if (!(p->mask & l->binning.group) || !ds_is_concerned(l->region, &l->operation, p)) return DS_NO_BIN;
  if ((knows & DS_BINS_UNWRAPPED) && (l->reads & DS_IMAGE)) ds_read_image(a, l->image_bits, i, p->image);
  if ((knows & DS_BINS_UNWRAPPED) && l->binning.kind == DS_BINS_MOLECULES)
    return ds_bin_of_molecule(&l->binning.molecules, ds_read_molecule(a, i));
  return ds_bin_of(&l->binning, p->x);
}

/* What it adds to number j of its bin. */
DS_FUNC ds_exact_sum ds_bin_term(int knows, const ds_bin_launch *l, int bin, int j, int i, const ds_particle *p)
{
  const ds_binning *const b = &l->binning;
  const int32_t kind = b->value[j];
  double value;
  if ((knows & DS_BINS_TALLIES) && kind == DS_BIN_ATOM_VALUE)
    value = ds_atom_value_of(&l->context, &b->source[b->source_of[j]], &l->tallies, (size_t) i, b->component[j], p);
  else if ((knows & DS_BINS_UNWRAPPED) && ds_bin_is_of_unwrapped(kind))
    value = ds_bin_unwrapped_value(&l->context, b, bin, kind, p);
  else
    value = ds_bin_value_of(&l->context, &l->operation, kind, p);
  return ds_exact_term(value, b->unit[j]);
}

/* What one rigid body does in a launch. */
DS_FUNC void ds_move_body(const ds_body_launch *m, int k)
{
  ds_body *const b = m->body + k;
  if (m->ends) ds_end_body_step(&m->end, m->step, k, m->sums + (size_t) DS_BODY_SUMS * (size_t) k, b);
  if (m->begins) ds_begin_body_step(&m->begin, &m->box, b);
}

/* The complement of what names an operation and a particle, so that a maximum finds the first; and, before that, 0 where the
   operation belongs to the step before the launch's own, 1 where to this. */
DS_FUNC unsigned long long ds_fault_of(const ds_step_launch *l, int k, int i, int64_t step)
{
  const unsigned long long now = l->step[k] == step;
  return ~(now << 40 | (unsigned long long) l->place[k] << 32 | (uint32_t) i);
}

/* ---------------------------------------------------------------------------------- in a periodic box */

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

/* Where edges move, the velocity of a particle that has crossed a face. */
DS_FUNC void ds_wrap_velocity_of(const ds_resident_view *a, const ds_wrap *w, int i)
{
  double x[3], v[3], fraction[3];
  int64_t image = ds_read_image_word(a, i);
  ds_read_vector(a->x, i, x);
  ds_read_vector(a->v, i, v);
  ds_wrap_atom(w, x, v, &image, fraction);
  ds_write_vector(a->v, i, v);
}

/* Most particles stay where they are, and nothing is written for them, nor are velocities read. The position is compared, not
   the image: a particle just below the lower border can be rounded to the upper one, and come back from there, with another
   position and the same image. */
DS_FUNC void ds_wrap_particle(const ds_resident_view *a, const ds_wrap *w, int i)
{
  double x[3], before[3], fraction[3];
  const int64_t old_image = ds_read_image_word(a, i);
  int64_t image = old_image;
  ds_read_vector(a->x, i, x);
  if (ds_wrap_atom(w, x, NULL, &image, fraction) && w->moving) ds_wrap_velocity_of(a, w, i);
  if (a->fraction) ds_write_vector(a->fraction, i, fraction);
  ds_write_vector(a->x_ref, i, x);
  ds_read_vector(a->x, i, before);
  if (ds_vectors_differ(x, before)) ds_write_vector(a->x, i, x);
  if (image != old_image) ds_write_image_word(a, i, image);
}

DS_FUNC void ds_flip_particle(const ds_resident_view *a, const ds_wrap *w, const int flips[3], int i)
{
  int64_t image = ds_read_image_word(a, i);
  double x[3], v[3] = {0.0, 0.0, 0.0};
  ds_read_vector(a->x, i, x);
  if (w->moving) ds_read_vector(a->v, i, v);
  ds_flip_atom(w, flips, x, v, &image);
  ds_write_vector(a->x, i, x);
  if (w->moving) ds_write_vector(a->v, i, v);
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

/* `how` is a constant at each call on the GPU. Returns 1 where it asks for what is outside, and the particle is. */
DS_FUNC int ds_move_in_box(ds_box_move how, const ds_resident_view *a, const ds_wrap *w, const int flips[3], int i)
{
  switch (how) {
  case DS_BOX_OUTSIDE: return ds_outside(w, a->x + 3 * (size_t) i);
  case DS_BOX_WRAP: ds_wrap_particle(a, w, i); break;
  case DS_BOX_FLIP: ds_flip_particle(a, w, flips, i); break;
  case DS_BOX_CONVERT: ds_convert_particle(a, w, i); break;
  case DS_BOX_FRACTIONS: ds_find_fraction(a, w, i); break;
  }
  return 0;
}

#endif
