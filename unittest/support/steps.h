/* steps.h: particles that programs of operations act on, by a stepper and as resident atoms.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_STEPS_H
#define DPDSOP_TEST_STEPS_H

#include "dpdsop/device/step/exact_sum.h"

#include "support/reference_integrator.h"
#include "support/steps_reference.h"

/* --------------------------------------------------------------------------------------- particles */

typedef struct {
  atoms a;
  double *anchor[DS_MAX_ANCHORS];
} particles;

/* Numbers that particles have. */
typedef enum { FILL_RANDOM = 0, FILL_AT_REST, FILL_POWERS, FILLS } fill_kind;
static const char *const fill_name[FILLS] = {"random", "at rest", "powers of two"};

CHECK_HELPER void particles_open(particles *p, int n)
{
  atoms_open(&p->a, n);
  for (int k = 0; k < DS_MAX_ANCHORS; k++) p->anchor[k] = test_alloc(24 * (size_t) n);
}

CHECK_HELPER void particles_close(particles *p)
{
  atoms_close(&p->a);
  for (int k = 0; k < DS_MAX_ANCHORS; k++) free(p->anchor[k]);
}

CHECK_HELPER void particles_copy(particles *to, const particles *from)
{
  to->a.n = from->a.n;
  atoms_copy(&to->a, &from->a);
  for (int k = 0; k < DS_MAX_ANCHORS; k++) memcpy(to->anchor[k], from->anchor[k], 24 * (size_t) from->a.n);
}

CHECK_HELPER double random_power(uint64_t *seed, int lowest, int highest)
{
  const uint64_t r = check_random(seed);
  return ldexp(r >> 63 ? -1.0 : 1.0, lowest + (int) (r % (uint64_t) (highest - lowest + 1)));
}

CHECK_HELPER void particles_set_images(atoms *a, int i, const int image[3])
{
  a->narrow[i] = (image[0] + 512) | (image[1] + 512) << 10 | (image[2] + 512) << 20;
  a->wide[i] = 0;
  for (int d = 0; d < 3; d++) a->wide[i] |= ((int64_t) image[d] + 1048576) << 21 * d;
}

CHECK_HELPER void particles_get_images(const atoms *a, const setting *s, int i, int64_t image[3])
{
  for (int d = 0; d < 3; d++)
    image[d] = s->wide_images ? (a->wide[i] >> 21 * d & 2097151) - 1048576 : (a->narrow[i] >> 10 * d & 1023) - 512;
}

/* Tags beyond 32 bits; images of both signs, and of the whole range of an axis. */
CHECK_HELPER void particles_fill(particles *p, const setting *s, fill_kind kind, uint64_t seed)
{
  atoms *const a = &p->a;
  atoms_fill(a, s, seed);
  for (int i = 0; i < a->n; i++) {
    int image[3];
    for (int d = 0; d < 3; d++) {
      const int k = 3 * i + d;
      image[d] = i == 0 ? (d ? 511 : -512) : (int) (check_random(&seed) % 9) - 4;
      if (kind == FILL_POWERS) {
        a->x[k] = random_power(&seed, -3, 2);
        a->v[k] = random_power(&seed, -5, 2);
      }
      a->f[k] = kind == FILL_POWERS ? random_power(&seed, -4, 4) : 5.0 * random_normal(&seed);
      if (kind == FILL_AT_REST) a->v[k] = a->f[k] = 0.0;
      for (int j = 0; j < DS_MAX_ANCHORS; j++)
        p->anchor[j][k] = kind == FILL_POWERS ? random_power(&seed, -3, 2) : 4.0 * random_normal(&seed) + j;
    }
    particles_set_images(a, i, image);
    a->rmass[i] = kind == FILL_POWERS ? fabs(random_power(&seed, -6, 6)) : pow(10.0, 6.0 * check_uniform(&seed) - 3.0);
    if (i % 2) a->tag[i] += (int64_t) 5 << 33;
  }
}

/* As resident atoms have them; anchors of those arrays that are there. */
CHECK_HELPER ds_resident_atoms particles_fields(const particles *p, const setting *s)
{
  ds_resident_atoms fields = fields_of(&p->a, s);
  for (int k = 0; k < DS_MAX_ANCHORS; k++) fields.anchor[k] = array_of_doubles(p->anchor[k], 3);
  return fields;
}

/* ---------------------------------------------------------------------------------------- programs */

CHECK_HELPER ds_operation *add_operation(ds_step_program *p, ds_operation_kind kind, ds_point point)
{
  ds_operation *const o = &p->operation[p->n++];
  memset(o, 0, sizeof *o);
  o->kind = kind;
  o->point = point;
  o->group = 1;
  o->region = o->from = o->also = -1;
  o->every = 1;
  o->unit = 1.0;
  return o;
}

/* One that reads the sums of the operation before it. */
CHECK_HELPER ds_operation *add_reader(ds_step_program *p, ds_operation_kind kind, ds_point point)
{
  ds_operation *const o = add_operation(p, kind, point);
  o->flags = DS_AFTER_SUMS;
  o->from = p->n - 2;
  return o;
}

CHECK_HELPER void set_numbers(ds_operation *o, int first, int n, const double *number)
{
  memcpy(o->number + first, number, (size_t) n * sizeof *number);
}

CHECK_HELPER ds_region *add_region(ds_step_program *p, ds_region_kind kind)
{
  ds_region *const r = &p->region[p->nregions++];
  memset(r, 0, sizeof *r);
  r->kind = kind;
  return r;
}

/* Bins of a group in the box, in each step; which they are, and of what, is to be added. */
CHECK_HELPER ds_binning binning_in_box(const setting *s)
{
  const ds_wrap w = wrap_of(s);
  ds_binning b;
  memset(&b, 0, sizeof b);
  b.group = GROUP_ONE;
  b.period_of_steps = b.within = 1;
  for (int d = 0; d < 3; d++) {
    b.periodic[d] = s->periodic[d];
    b.lo[d] = low[d];
    b.period[d] = edge[d];
    b.hi[d] = low[d] + edge[d];
  }
  memcpy(b.inverse, w.inverse, sizeof b.inverse);
  return b;
}

/* A force in a block of space; a thermostat of a group. */
CHECK_HELPER ds_operation *add_push_in_block(ds_step_program *p, const double block[6], const double push[3])
{
  memcpy(add_region(p, DS_REGION_BLOCK)->number, block, 6 * sizeof *block);
  ds_operation *const o = add_operation(p, DS_ADD_FORCE, DS_AT_POST_FORCE);
  set_numbers(o, 0, 3, push);
  o->region = p->nregions - 1;
  return o;
}

CHECK_HELPER void add_bath(ds_step_program *p)
{
  static const double heat[3] = {-0.5, 6.0, 991.0};
  ds_operation *const bath = add_operation(p, DS_LANGEVIN, DS_AT_POST_FORCE);
  set_numbers(bath, 0, 3, heat);
  bath->nsums = 4;
  bath->group = GROUP_TWO;
}

/* ------------------------------------------------------------------------------------ both ways to act */

typedef struct {
  ds_exact_sum of[DS_STEP_SUMS];
} step_sums;

CHECK_HELPER ds_stepper *stepper_on(ds_backend backend, int threads)
{
  const ds_stepper_options options = {backend, threads, 0, NULL};
  ds_stepper *t;
  ds_error err;
  if (!CHECK_OK(ds_stepper_open(&t, &options, &err), err)) exit(1);
  return t;
}

CHECK_HELPER ds_status stepper_tries(int threads, particles *p, const setting *s, const ds_step_program *program,
                                     int64_t step, step_sums *sums, ds_error *err)
{
  ds_stepper *const t = stepper_on(DS_BACKEND_HOST, threads);
  const ds_resident_atoms fields = particles_fields(p, s);
  const ds_wrap box = wrap_of(s);
  const ds_status status = ds_stepper_operate(t, &fields, &box, program, step, NULL, NULL, sums->of, err);
  ds_stepper_close(t);
  return status;
}

CHECK_HELPER void stepper_does(int threads, particles *p, const setting *s, const ds_step_program *program, int64_t step,
                               step_sums *sums)
{
  ds_error err;
  CHECK_OK(stepper_tries(threads, p, s, program, step, sums, &err), err);
}

/* Atoms, box and program, all of them with the engine. */
CHECK_HELPER ds_resident *resident_with(ds_pair *pair, int own_copies, const particles *p, const setting *s,
                                        const ds_step_program *program)
{
  ds_resident *r;
  ds_error err;
  const ds_resident_atoms fields = particles_fields(p, s);
  const ds_wrap box = wrap_of(s);
  if (!CHECK_OK(ds_resident_open(&r, pair, own_copies, &err), err)) exit(1);
  CHECK_OK(ds_resident_set_atoms(r, &fields, &err), err);
  CHECK_OK(ds_resident_set_steps(r, program, &err), err);
  CHECK_OK(ds_resident_set_wrap(r, &box, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
  return r;
}

/* Another program, on the particles as the caller has them now. */
CHECK_HELPER void resident_acts(ds_resident *r, const ds_step_program *program, int64_t step, step_sums *sums)
{
  ds_error err;
  CHECK_OK(ds_resident_set_steps(r, program, &err), err);
  CHECK_OK(ds_resident_clear_sums(r, &err), err);
  CHECK_OK(ds_resident_to_engine(r, DS_ALL_FIELDS | DS_TAG, &err), err);
  CHECK_OK(ds_resident_operate(r, step, 0, program->n, 0, 1, &err), err);
  CHECK_OK(ds_resident_step_sums(r, sums->of, &err), err);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
}

CHECK_HELPER void resident_does(ds_pair *pair, int own_copies, particles *p, const setting *s,
                                const ds_step_program *program, int64_t step, step_sums *sums)
{
  ds_resident *const r = resident_with(pair, own_copies, p, s, program);
  resident_acts(r, program, step, sums);
  ds_resident_close(r);
}

/* A pair object on one of the paths, for particles of this setting. */
CHECK_HELPER ds_pair *pair_for(const ds_pair_options *options, const setting *s, const particles *p)
{
  return pair_of(options, DS_PRECISION_MIXED, s, &p->a);
}

/* -------------------------------------------------------------------------------------- comparisons */

CHECK_HELPER const ds_exact_sum *sum_of(const step_sums *sums, int operation, int k)
{
  return &sums->of[operation * DS_OPERATION_SUMS + k];
}

CHECK_HELPER double value_of(const ds_step_program *p, const step_sums *sums, int operation, int k)
{
  return ds_exact_value(sum_of(sums, operation, k), p->operation[operation].unit);
}

CHECK_HELPER void check_same_sums(const ds_step_program *p, const step_sums *got, const step_sums *expected,
                                  const char *what)
{
  for (int k = 0; k < p->n; k++)
    for (int j = 0; j < p->operation[k].nsums; j++)
      CHECK_MSG(memcmp(sum_of(got, k, j), sum_of(expected, k, j), sizeof(ds_exact_sum)) == 0,
                "%s: sum %d of operation %d is %.17g, expected %.17g", what, j, k, value_of(p, got, k, j),
                value_of(p, expected, k, j));
}

CHECK_HELPER void check_same_particles(const particles *got, const particles *expected, const setting *s, const char *what)
{
  check_same(&got->a, &expected->a, s, what);
}

#endif
