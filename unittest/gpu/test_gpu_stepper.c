/* test_gpu_stepper.c: operations of a step on a caller's arrays in the GPU's memory do, bit for bit, what they do in host
   memory; with sums and bins, masses by type and by atom, of no atom, one and many; and what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/steps.h"

#include "device.h"
#include "support/expect.h"

enum { MOST = 5000, STEPS = 3, BINS = 12 };

static const setting boxes[] = {
    {.name = "masses by type", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}},
    {.name = "masses by atom, wide images", .ngroups = 1, .group = {1}, .periodic = {1, 0, 0}, .by_atom = 1, .wide_images = 1},
    {.name = "tilted", .ngroups = 1, .group = {1}, .periodic = {1, 1, 1}, .tilt = {0.4, -0.3, 1.1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* ------------------------------------------------------------------------------------------- the program */

static void add_forces(ds_step_program *p)
{
  static const double half[6] = {-INFINITY, INFINITY, -INFINITY, 4.0, -INFINITY, INFINITY};
  static const double push[3] = {0.1, -0.2, 0.3};
  add_push_in_block(p, half, push)->nsums = 10;
  add_bath(p);
}

static void add_momentum(ds_step_program *p)
{
  static const double axes[3] = {1.0, 0.0, 1.0};
  ds_operation *const sum = add_operation(p, DS_SUM_MOMENTUM, DS_AT_END);
  sum->nsums = 5;
  set_numbers(add_reader(p, DS_REMOVE_MOMENTUM, DS_AT_END), 0, 3, axes);
}

static void add_bins(ds_step_program *p, const setting *s)
{
  const ds_bin_layers layers = {2, BINS, 1, 1, low[2], BINS / edge[2]};
  ds_binning *const b = &p->binning[p->nbinnings++];
  *b = binning_in_box(s);
  b->layers[b->nlayers++] = layers;
  b->nvalues = 2;
  b->value[0] = DS_BIN_COUNT;
  b->unit[0] = DS_2_POW_60;
  b->value[1] = DS_BIN_VX;
  b->unit[1] = 16.0;
  add_operation(p, DS_ADD_TO_BINS, DS_AT_END);
}

static void add_springs(ds_step_program *p)
{
  ds_operation *const spring = add_operation(p, DS_SPRING_SELF, DS_AT_POST_FORCE);
  spring->number[0] = spring->number[3] = 0.5;
  spring->anchor = 1;
  spring->nsums = 1;
}

static ds_step_program program_for(const setting *s)
{
  ds_step_program p;
  memset(&p, 0, sizeof p);
  add_forces(&p);
  add_springs(&p);
  add_momentum(&p);
  add_bins(&p, s);
  return p;
}

/* ---------------------------------------------------------------------------------------------- both ways */

typedef struct {
  step_sums sums[STEPS];
  ds_exact_sum cells[2 * BINS];
} outcome;

static void act(ds_stepper *t, const ds_resident_atoms *fields, const setting *s, const ds_step_program *p, outcome *o)
{
  const ds_wrap box = wrap_of(s);
  ds_error err;
  for (int k = 0; k < STEPS; k++)
    CHECK_OK(ds_stepper_operate(t, fields, &box, p, 7 + k, NULL, NULL, o->sums[k].of, &err), err);
  CHECK_OK(ds_stepper_take_bins(t, 0, o->cells, 2 * BINS, &err), err);
}

enum { FIELDS = 8 };

static void list_fields(ds_resident_atoms *a, ds_array *field[FIELDS])
{
  ds_array *const all[FIELDS] = {&a->x, &a->v, &a->f, &a->image, &a->type, &a->mask, &a->rmass, &a->tag};
  memcpy(field, all, sizeof all);
}

static size_t bytes_of(const ds_array *a, int n)
{
  return (size_t) n * (size_t) a->atom_stride * (a->type == DS_F64 || a->type == DS_I64 ? 8 : 4);
}

static ds_resident_atoms on_device(const ds_resident_atoms *host)
{
  ds_resident_atoms a = *host;
  ds_array *field[FIELDS];
  list_fields(&a, field);
  for (int k = 0; k < FIELDS; k++) {
    if (!field[k]->data) continue;
    field[k]->data = device_copy(field[k]->data, bytes_of(field[k], a.n));
    field[k]->space = DS_SPACE_DEVICE;
  }
  return a;
}

/* Whether arrays of the device are those of the host now; they are freed. */
static void compare(const char *name, ds_resident_atoms *device, ds_resident_atoms *host)
{
  ds_array *of_device[FIELDS], *of_host[FIELDS];
  list_fields(device, of_device);
  list_fields(host, of_host);
  for (int k = 0; k < FIELDS; k++) {
    const size_t bytes = bytes_of(of_host[k], host->n);
    if (!of_device[k]->data) continue;
    void *const got = test_alloc(bytes + 1);
    device_read(got, of_device[k]->data, bytes);
    CHECK_MSG(memcmp(got, of_host[k]->data, bytes) == 0, "%s, %d atoms: array %d differs", name, host->n, k);
    free(got);
    device_free(of_device[k]->data);
  }
}

static void test_both(const setting *s, int n, fill_kind kind)
{
  static outcome of_host, of_gpu;
  const ds_step_program program = program_for(s);
  ds_stepper *const host = stepper_on(DS_BACKEND_HOST, 2), *const gpu = stepper_on(DS_BACKEND_CUDA, 1);
  particles p;
  particles_open(&p, MOST);
  particles_fill(&p, s, kind, 61);
  p.a.n = n;
  ds_resident_atoms fields = particles_fields(&p, s);
  ds_resident_atoms device = on_device(&fields);
  act(gpu, &device, s, &program, &of_gpu);
  act(host, &fields, s, &program, &of_host);
  compare(s->name, &device, &fields);
  CHECK_MSG(memcmp(&of_gpu, &of_host, sizeof of_gpu) == 0, "%s, %d atoms: sums differ", s->name, n);
  ds_stepper_close(host);
  ds_stepper_close(gpu);
  particles_close(&p);
}

/* --------------------------------------------------------------------------------------------- bad input */

static void test_refused(void)
{
  const setting *const s = &boxes[0];
  const ds_step_program program = program_for(s);
  const ds_wrap box = wrap_of(s);
  ds_stepper *const host = stepper_on(DS_BACKEND_HOST, 2), *const gpu = stepper_on(DS_BACKEND_CUDA, 1);
  particles p;
  ds_error err;
  particles_open(&p, 100);
  particles_fill(&p, s, FILL_RANDOM, 62);
  ds_resident_atoms fields = particles_fields(&p, s);
  ds_resident_atoms device = on_device(&fields);
  EXPECT(ds_stepper_operate(gpu, &fields, &box, &program, 1, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
         "positions is not in the GPU's memory");
  EXPECT(ds_stepper_operate(host, &device, &box, &program, 1, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
         "positions lies in device memory");
  device.v.space = DS_SPACE_HOST;
  EXPECT(ds_stepper_operate(gpu, &device, &box, &program, 1, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
         "velocities is not in the GPU's memory");
  device.v.space = DS_SPACE_DEVICE;
  device.f.component_stride = 100;
  EXPECT(ds_stepper_operate(gpu, &device, &box, &program, 1, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "forces");
  device.f.component_stride = 1;
  CHECK_OK(ds_stepper_operate(gpu, &device, &box, &program, 1, NULL, NULL, NULL, &err), err);
  ds_stepper_close(host);
  ds_stepper_close(gpu);
  particles_close(&p);
}

/* An atom behind a wall is named, and the stepper goes on with the next call. */
static void test_fault(void)
{
  const setting *const s = &boxes[0];
  const double number[4] = {2, -1, low[2] + 0.5 * edge[2], 1.0};
  const ds_wrap box = wrap_of(s);
  ds_stepper *const gpu = stepper_on(DS_BACKEND_CUDA, 1);
  ds_step_program wall, nothing = program_for(s);
  particles p;
  ds_error err;
  memset(&wall, 0, sizeof wall);
  set_numbers(add_operation(&wall, DS_WALL_LJ126, DS_AT_POST_FORCE), 0, 4, number);
  particles_open(&p, 300);
  particles_fill(&p, s, FILL_RANDOM, 63);
  ds_resident_atoms fields = particles_fields(&p, s);
  ds_resident_atoms device = on_device(&fields);
  EXPECT(ds_stepper_operate(gpu, &device, &box, &wall, 5, NULL, NULL, NULL, &err), err, DS_ERR_POSITION, "in step 5");
  CHECK_OK(ds_stepper_operate(gpu, &device, &box, &nothing, 6, NULL, NULL, NULL, &err), err);
  ds_stepper_close(gpu);
  particles_close(&p);
}

int main(int argc, char **argv)
{
  static const int counts[] = {0, 1, 255, 256, 257, MOST};
  test_variants variants;
  check_open(argc, argv);
  const int status = variants_find(&variants, 1, check_lists);
  if (status) return status;
  for (int b = 0; b < BOXES; b++)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
      for (int kind = 0; kind < FILLS; kind++) CHECK_CASE(test_both(&boxes[b], counts[k], (fill_kind) kind));
  CHECK_CASE(test_refused());
  CHECK_CASE(test_fault());
  return check_result();
}
