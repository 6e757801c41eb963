/* test_gpu_arrays.c: atoms in device memory, as the engine's callers may hold them: the same bits as from host
   arrays, ghosts by owners and by messages, and the same refusals.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpu/device.h"
#include "support/engine.h"
#include "support/skip.h"

static ds_dpd_options host, cuda;
static const char *const precision_name[] = {"mixed", "single", "double"};

/* ------------------------------------------------------------------------------------- arrays */

typedef struct {
  const char *name;
  ds_type type;
  int apart; /* components one after the other, `pad` elements between them; else atom by atom */
  int pad;
} layout;

static const layout layouts[] = {
    {"AoS double", DS_F64, 0, 0},
    {"AoS double, padded", DS_F64, 0, 1},
    {"SoA double", DS_F64, 1, 37},
    {"SoA single", DS_F32, 1, 37},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* An array in host memory and its copy in device memory. */
typedef struct {
  ds_array host, device;
  size_t bytes;
} twin;

static size_t size_of(ds_type type)
{
  return type == DS_F64 || type == DS_I64 ? 8 : 4;
}

static twin twin_new(ds_type type, int apart, int pad, int n, int components)
{
  twin t;
  const ptrdiff_t room = n + pad;
  const size_t elements =
      apart ? (size_t) (room * components) : (size_t) n * (size_t) (components + pad);
  t.bytes = (elements + 1) * size_of(type);
  t.host.data = test_alloc(t.bytes);
  t.host.type = type;
  t.host.space = DS_SPACE_HOST;
  t.host.atom_stride = apart ? 1 : components + pad;
  t.host.component_stride = apart ? room : 1;
  t.device = t.host;
  t.device.data = NULL;
  t.device.space = DS_SPACE_DEVICE;
  return t;
}

static void twin_upload(twin *t)
{
  if (t->device.data) device_free(t->device.data);
  t->device.data = device_copy(t->host.data, t->bytes);
}

static void twin_free(twin *t)
{
  free(t->host.data);
  if (t->device.data) device_free(t->device.data);
  t->host.data = t->device.data = NULL;
}

static twin twin_of_reals(const layout *l, const double *values, int n, int components)
{
  twin t = twin_new(l->type, l->apart, l->pad, n, components);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < components; c++) {
      const ptrdiff_t k = i * t.host.atom_stride + c * t.host.component_stride;
      if (l->type == DS_F64)
        ((double *) t.host.data)[k] = values[(ptrdiff_t) i * components + c];
      else
        ((float *) t.host.data)[k] = (float) values[(ptrdiff_t) i * components + c];
    }
  twin_upload(&t);
  return t;
}

static twin twin_of_tags(ds_type type, const int64_t *values, int n, int components)
{
  twin t = twin_new(type, 0, 0, n, components);
  for (ptrdiff_t k = 0; k < (ptrdiff_t) n * components; k++)
    if (type == DS_I64)
      ((int64_t *) t.host.data)[k] = values[k];
    else
      ((int32_t *) t.host.data)[k] = (int32_t) values[k];
  twin_upload(&t);
  return t;
}

static twin twin_of_ints(const int32_t *values, int n, int components)
{
  twin t = twin_new(DS_I32, 0, 0, n, components);
  memcpy(t.host.data, values, (size_t) n * (size_t) components * 4);
  twin_upload(&t);
  return t;
}

/* What an engine is given and gives: index 0 to the host backend, 1 to the CUDA backend. */
typedef struct {
  twin x, v, f, eatom, vatom, tag, type, nspecial, special;
} arrays;

static void arrays_open(arrays *a, const layout *l, ds_type tags, const test_system *s)
{
  const int n = s->nlocal, all = n + s->nghost, most = s->max_special;
  double *before = test_alloc(48 * (size_t) (n + 1));
  for (int k = 0; k < 6 * n; k++) before[k] = k % 3 ? 0.01 * k : -0.0;
  a->x = twin_of_reals(l, s->x, n, 3);
  a->v = twin_of_reals(l, s->v, n, 3);
  a->f = twin_of_reals(l, before, n, 3);
  a->eatom = twin_of_reals(l, before, n, 1);
  a->vatom = twin_of_reals(l, before, n, 6);
  a->tag = twin_of_tags(tags, s->tag, all, 1);
  a->type = twin_of_ints(s->type, all, 1);
  a->nspecial = most ? twin_of_ints(s->nspecial, n, 3) : twin_new(DS_I32, 0, 0, 0, 3);
  a->special = most ? twin_of_tags(tags, s->special, n, most) : twin_new(tags, 0, 0, 0, 1);
  free(before);
}

static void arrays_close(arrays *a)
{
  twin *const all[] = {&a->x,   &a->v,    &a->f,        &a->eatom,  &a->vatom,
                       &a->tag, &a->type, &a->nspecial, &a->special};
  for (int k = 0; k < 9; k++) twin_free(all[k]);
}

static ds_atoms arrays_atoms(const arrays *a, const test_system *s, int device)
{
  ds_atoms out;
  out.nlocal = s->nlocal;
  out.nghost = s->nghost;
  out.tag = device ? a->tag.device : a->tag.host;
  out.type = device ? a->type.device : a->type.host;
  out.nspecial = !s->max_special ? array_none() : device ? a->nspecial.device : a->nspecial.host;
  out.special = !s->max_special ? array_none() : device ? a->special.device : a->special.host;
  return out;
}

/* ------------------------------------------------------------------------------------ an engine */

/* Model, box and atoms, positions; `device`: from device arrays. */
static ds_status begin(ds_dpd *dpd, const arrays *a, const test_model *t, const test_system *s,
                       int device, int64_t step, ds_error *err)
{
  const ds_atoms atoms = arrays_atoms(a, s, device);
  ds_status status = ds_dpd_set_model(dpd, &t->m, err);
  if (!status) status = ds_dpd_set_box(dpd, &s->box, err);
  if (!status) status = ds_dpd_set_atoms(dpd, &atoms, err);
  if (!status)
    status = ds_dpd_load(dpd, device ? &a->x.device : &a->x.host,
                         device ? &a->v.device : &a->v.host, step, err);
  return status;
}

static ds_status finish(ds_dpd *dpd, const arrays *a, int device, ds_dpd_result *r, ds_error *err)
{
  memset(r, 0, sizeof *r);
  r->want_energy = r->want_virial = 1;
  r->f = device ? a->f.device : a->f.host;
  r->eatom = device ? a->eatom.device : a->eatom.host;
  r->vatom = device ? a->vatom.device : a->vatom.host;
  return ds_dpd_compute(dpd, r, err);
}

static void compare_array(const char *name, const char *what, const twin *t)
{
  void *copy = test_alloc(t->bytes);
  device_read(copy, t->device.data, t->bytes);
  CHECK_MSG(memcmp(copy, t->host.data, t->bytes) == 0, "%s: %s differ", name, what);
  free(copy);
}

static void compare_results(const char *name, const arrays *a, const ds_dpd_result *h,
                            const ds_dpd_result *g)
{
  compare_array(name, "forces", &a->f);
  compare_array(name, "energies", &a->eatom);
  compare_array(name, "virials", &a->vatom);
  CHECK_MSG(h->energy == g->energy && memcmp(h->virial, g->virial, sizeof h->virial) == 0 &&
                memcmp(h->force_sum, g->force_sum, sizeof h->force_sum) == 0,
            "%s: sums differ", name);
}

static void make_system(test_model *t, test_system *s, int chains, uint64_t seed)
{
  const double lo[3] = {0.5, -2.0, 1.0}, h[6] = {9, 8, 10, 0.8, -1.1, 0.4};
  const int periodic[3] = {1, 1, 1};
  model_open(t, 2, 25, 4.5, 1.0, 0.5, 0.3);
  model_pair(t, 1, 2, 60, 3.0, 0.8, 1.0);
  t->m.special[1] = 0.25;
  t->m.special[2] = 0.5;
  system_open(s, lo, h, periodic, model_range(t), t->m.skin);
  system_fill(s, 1800, 2, 1.0, &seed);
  if (chains) system_chains(s, 5);
  system_images(s);
}

/* ------------------------------------------------------------------------------------ the tests */

/* Every layout; twice in the same object, so that nothing is left from the first time. Single precision promises no
   bits between backends, but between host and device arrays of the same one: here both are the GPU's. */
static void test_layouts(void)
{
  for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++)
    for (int k = 0; k < 2 * LAYOUTS; k++) {
      const layout *l = &layouts[k % LAYOUTS];
      const int chains = k >= LAYOUTS;
      test_model t;
      test_system s;
      arrays a;
      ds_dpd *e[2];
      ds_dpd_result r[2];
      ds_error err;
      ds_dpd_options first = p == DS_PRECISION_SINGLE ? cuda : host, second = cuda;
      char name[96];
      first.precision = second.precision = (ds_precision) p;
      snprintf(name, sizeof name, "%s, %s%s", l->name, precision_name[p],
               chains ? ", molecules" : "");
      make_system(&t, &s, chains, 7 + (uint64_t) k);
      if (!CHECK_OK(ds_dpd_open(&e[0], &first, &err), err)) return;
      if (!CHECK_OK(ds_dpd_open(&e[1], &second, &err), err)) return;
      for (int round = 0; round < 2; round++) {
        arrays_open(&a, l, chains ? DS_I32 : DS_I64, &s);
        for (int d = 0; d < 2; d++) {
          CHECK_OK(begin(e[d], &a, &t, &s, d, 40 + round, &err), err);
          CHECK_OK(ds_dpd_set_ghost_owners(e[d], s.origin + s.nlocal, s.image + 3 * s.nlocal, &err),
                   err);
          CHECK_OK(ds_dpd_build_list(e[d], &err), err);
          CHECK_OK(finish(e[d], &a, d, &r[d], &err), err);
        }
        compare_results(name, &a, &r[0], &r[1]);
        arrays_close(&a);
      }
      ds_dpd_close(e[0]);
      ds_dpd_close(e[1]);
      system_close(&s);
    }
  printf("  %d layouts, three precisions: compared\n", (int) LAYOUTS);
}

/* Where ghost g gets its message from: its owner, or an image of the owner that has arrived before. */
static int source_of(const test_system *s, int g, int shift[3])
{
  int from = s->origin[g];
  for (int k = s->nlocal; k < g && g % 2; k++)
    if (s->origin[k] == s->origin[g]) from = k;
  for (int c = 0; c < 3; c++) shift[c] = s->image[3 * g + c] - s->image[3 * from + c];
  return from;
}

/* All ghosts by messages of one atom each, half of them relayed; returns the messages. */
static char *exchange(ds_dpd *dpd, const test_system *s, ds_error *err)
{
  const size_t bytes = (size_t) ds_dpd_ghost_bytes(dpd);
  char *all = test_alloc(bytes * (size_t) s->nghost);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) {
    char *const one = all + bytes * (size_t) (g - s->nlocal);
    int shift[3];
    const int from = source_of(s, g, shift);
    if (!CHECK_OK(ds_dpd_pack_ghosts(dpd, 1, &from, shift, one, err), *err)) break;
    if (!CHECK_OK(ds_dpd_unpack_ghosts(dpd, g, 1, one, err), *err)) break;
  }
  return all;
}

/* The host backend, the CUDA backend with host arrays and with device arrays: the same messages to the byte, and
   the same forces as with ghosts from their owners. */
static void test_messages(void)
{
  for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p += 2) {
    test_model t;
    test_system s;
    char *messages[3];
    double *forces[4];
    size_t bytes = 0;
    make_system(&t, &s, 1, 50);
    const size_t n = 24 * (size_t) s.nlocal;
    for (int k = 0; k < 4; k++) { /* host; cuda, host arrays; cuda, device arrays; cuda, owners */
      const int device = k == 2;
      ds_dpd_options o = k ? cuda : host;
      ds_dpd *dpd;
      ds_dpd_result r;
      ds_error err;
      arrays a;
      o.precision = (ds_precision) p;
      arrays_open(&a, &layouts[0], DS_I64, &s);
      if (!CHECK_OK(ds_dpd_open(&dpd, &o, &err), err)) return;
      CHECK_OK(begin(dpd, &a, &t, &s, device, 12, &err), err);
      if (k < 3) {
        bytes = (size_t) ds_dpd_ghost_bytes(dpd) * (size_t) s.nghost;
        messages[k] = exchange(dpd, &s, &err);
      } else {
        CHECK_OK(ds_dpd_set_ghost_owners(dpd, s.origin + s.nlocal, s.image + 3 * s.nlocal, &err),
                 err);
      }
      CHECK_OK(ds_dpd_build_list(dpd, &err), err);
      CHECK_OK(finish(dpd, &a, device, &r, &err), err);
      forces[k] = test_alloc(n);
      if (device)
        device_read(forces[k], a.f.device.data, n);
      else
        memcpy(forces[k], a.f.host.data, n);
      CHECK_MSG(memcmp(forces[k], forces[0], n) == 0, "%s: forces differ, way %d",
                precision_name[p], k);
      if (k == 1 || k == 2)
        CHECK_MSG(memcmp(messages[k], messages[0], bytes) == 0, "%s: messages differ, way %d",
                  precision_name[p], k);
      ds_dpd_close(dpd);
      arrays_close(&a);
    }
    for (int k = 0; k < 4; k++) free(forces[k]);
    for (int k = 0; k < 3; k++) free(messages[k]);
    system_close(&s);
  }
}

static void check_refused(ds_status status, ds_status expected, const ds_error *err,
                          const char *part)
{
  CHECK_INT(status, expected);
  CHECK_MSG(strstr(err->text, part) != NULL, "'%s' lacks '%s'", err->text, part);
}

/* Bad values in device memory are named by the first wait for the device: building the list, or computing. */
static void test_faults(void)
{
  static const double bad[] = {NAN, INFINITY, 1e30, -4.0};
  for (int k = 0; k < 8; k++) {
    const int compute = k >= 4; /* in a later step, with the list of an earlier one */
    test_model t;
    test_system s;
    ds_dpd *dpd;
    ds_dpd_result r;
    ds_error err;
    arrays a;
    make_system(&t, &s, 0, 60);
    arrays_open(&a, &layouts[2], DS_I64, &s);
    if (!CHECK_OK(ds_dpd_open(&dpd, &cuda, &err), err)) return;
    if (compute) {
      CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
      CHECK_OK(ds_dpd_set_ghost_owners(dpd, s.origin + s.nlocal, s.image + 3 * s.nlocal, &err),
               err);
      CHECK_OK(ds_dpd_build_list(dpd, &err), err);
    }
    for (int at = 1500; at > 700; at -= 700) /* two of them: the first is named */
      ((double *) a.x.host.data)[at + 2 * a.x.host.component_stride] = bad[k % 4];
    twin_upload(&a.x);
    ds_status status;
    if (compute) {
      CHECK_OK(ds_dpd_load(dpd, &a.x.device, &a.v.device, 2, &err), err);
      status = finish(dpd, &a, 1, &r, &err);
    } else {
      CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
      CHECK_OK(ds_dpd_set_ghost_owners(dpd, s.origin + s.nlocal, s.image + 3 * s.nlocal, &err),
               err);
      status = ds_dpd_build_list(dpd, &err);
    }
    check_refused(status, DS_ERR_POSITION, &err, "atom 801 at (");
    ds_dpd_close(dpd);
    arrays_close(&a);
    system_close(&s);
  }
}

static void test_wrong_type(void)
{
  test_model t;
  test_system s;
  ds_dpd *dpd;
  ds_error err;
  arrays a;
  make_system(&t, &s, 0, 61);
  s.type[33] = 3;
  arrays_open(&a, &layouts[0], DS_I64, &s);
  if (!CHECK_OK(ds_dpd_open(&dpd, &cuda, &err), err)) return;
  CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
  CHECK_OK(ds_dpd_set_ghost_owners(dpd, s.origin + s.nlocal, s.image + 3 * s.nlocal, &err), err);
  check_refused(ds_dpd_build_list(dpd, &err), DS_ERR_ARGUMENT, &err,
                "atom 34 has type 3; allowed: 1 to 2");
  ds_dpd_close(dpd);
  arrays_close(&a);
  system_close(&s);
}

/* Positions in one memory and velocities in the other. */
static void test_two_memories(void)
{
  test_model t;
  test_system s;
  ds_dpd *dpd;
  ds_error err;
  arrays a;
  make_system(&t, &s, 0, 62);
  arrays_open(&a, &layouts[0], DS_I64, &s);
  if (!CHECK_OK(ds_dpd_open(&dpd, &cuda, &err), err)) return;
  CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
  check_refused(ds_dpd_load(dpd, &a.x.host, &a.v.device, 2, &err), DS_ERR_ARGUMENT, &err,
                "different memories");
  ds_dpd_close(dpd);
  arrays_close(&a);
  system_close(&s);
}

/* A table of partners that no device has room for: a hundred million partners are announced for each atom. All
   atoms read the same three words, as their stride is 0. */
static void test_device_memory(void)
{
  const int32_t counts[3] = {0, 0, 100000000};
  test_model t;
  test_system s;
  ds_dpd *dpd;
  ds_error err;
  arrays a;
  make_system(&t, &s, 0, 63);
  arrays_open(&a, &layouts[0], DS_I64, &s);
  if (!CHECK_OK(ds_dpd_open(&dpd, &cuda, &err), err)) return;
  ds_atoms atoms = arrays_atoms(&a, &s, 1);
  void *device = device_copy(counts, sizeof counts);
  atoms.nspecial = a.type.device;
  atoms.nspecial.data = device;
  atoms.nspecial.atom_stride = 0;
  atoms.special = a.tag.device;
  CHECK_OK(ds_dpd_set_model(dpd, &t.m, &err), err);
  CHECK_OK(ds_dpd_set_box(dpd, &s.box, &err), err);
  check_refused(ds_dpd_set_atoms(dpd, &atoms, &err), DS_ERR_MEMORY, &err, "bytes of device memory");
  printf("  refused: %s\n", err.text);
  ds_dpd_close(dpd);
  device_free(device);
  arrays_close(&a);
  system_close(&s);
}

int main(void)
{
  ds_dpd *dpd;
  ds_error err;
  host.backend = DS_BACKEND_HOST;
  host.threads = 2;
  cuda.backend = DS_BACKEND_CUDA;
  cuda.threads = 2;
  const ds_status status = ds_dpd_open(&dpd, &cuda, &err);
  if (status) return skip_or_fail(status, &err);
  ds_dpd_close(dpd);
  test_layouts();
  test_messages();
  test_faults();
  test_wrong_type();
  test_two_memories();
  test_device_memory();
  return check_result();
}
