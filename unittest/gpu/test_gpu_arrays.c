/* test_gpu_arrays.c: atoms in device memory, as the engine's callers may hold them: the same bits as from host
   arrays, ghosts by owners and by messages, and the same refusals.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpu/arrays.h"
#include "gpu/backends.h"

/* ------------------------------------------------------------------------------------ an engine */

/* Model, box and atoms, positions; `device`: from device arrays. */
static ds_status begin(ds_pair *dpd, const arrays *a, const test_model *t, const test_system *s,
                       int device, int64_t step, ds_error *err)
{
  const ds_atoms atoms = arrays_atoms(a, s, device);
  ds_status status = ds_pair_set_model(dpd, &t->m, err);
  if (!status) status = ds_pair_set_box(dpd, &s->box, err);
  if (!status) status = ds_pair_set_atoms(dpd, &atoms, err);
  if (!status)
    status = ds_pair_load(dpd, device ? &a->x.device : &a->x.host,
                          device ? &a->v.device : &a->v.host, step, err);
  return status;
}

static ds_status finish(ds_pair *dpd, const arrays *a, int device, ds_pair_totals *totals, ds_error *err)
{
  ds_pair_request r;
  memset(&r, 0, sizeof r);
  r.want_energy = r.want_virial = 1;
  r.f = device ? a->f.device : a->f.host;
  r.eatom = device ? a->eatom.device : a->eatom.host;
  r.vatom = device ? a->vatom.device : a->vatom.host;
  return ds_pair_compute(dpd, &r, totals, err);
}

static void compare_array(const char *name, const char *what, const twin *t)
{
  void *copy = test_alloc(t->bytes);
  device_read(copy, t->device.data, t->bytes);
  CHECK_MSG(memcmp(copy, t->host.data, t->bytes) == 0, "%s: %s differ", name, what);
  free(copy);
}

static void compare_results(const char *name, const arrays *a, const ds_pair_totals *h,
                            const ds_pair_totals *g)
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
  if (chains) { /* and rules */
    static const ds_exclusion rule[3] = {
        {DS_EXCLUDE_GROUPS, 1, 2}, {DS_EXCLUDE_SAME_MOLECULE, 4, 0}, {DS_EXCLUDE_TYPES, 2, 2}};
    system_chains(s, 5);
    system_groups(s, 5, &seed);
    for (int i = 0; i < s->nlocal; i++) s->molecule[i] -= 5000000000 - 1; /* fit 32 bits */
    s->nexclusions = 3;
    s->exclusion = rule;
  }
  system_images(s);
}

/* ------------------------------------------------------------------------------------ the tests */

/* Ghosts by owner, where there are any. */
static void give_owners(ds_pair *dpd, const test_system *s, ds_error *err)
{
  if (s->nghost)
    CHECK_OK(ds_pair_set_ghost_owners(dpd, s->origin + s->nlocal, s->image + 3 * s->nlocal, err),
             *err);
}

/* Every layout; twice in the same object, so that nothing is left from the first time, and without ghosts. */
static void test_layouts(void)
{
  for (int p = 0; p < DS_PRECISIONS; p++)
    for (int k = 0; k < 2 * LAYOUTS; k++) {
      const layout *l = &layouts[k % LAYOUTS];
      const int chains = k >= LAYOUTS;
      test_model t;
      test_system s;
      ds_pair *e[2];
      ds_pair_totals sums[2];
      ds_error err;
      ds_pair_options first = host, second = cuda;
      char name[96];
      first.precision = second.precision = (ds_precision) p;
      make_system(&t, &s, chains, 7 + (uint64_t) k);
      if (!CHECK_OK(ds_pair_open(&e[0], &first, &err), err)) return;
      if (!CHECK_OK(ds_pair_open(&e[1], &second, &err), err)) return;
      for (int round = 0; round < 3; round++) {
        const test_system now = round < 2 ? s : system_alone(&s);
        arrays a;
        snprintf(name, sizeof name, "%s, %s%s%s", l->name, precision_name[p],
                 chains ? ", molecules" : "", round < 2 ? "" : ", no ghosts");
        arrays_open(&a, l, chains ? DS_I32 : DS_I64, &now);
        for (int d = 0; d < 2; d++) {
          CHECK_OK(begin(e[d], &a, &t, &now, d, 40 + round, &err), err);
          give_owners(e[d], &now, &err);
          CHECK_OK(ds_pair_build_list(e[d], &err), err);
          CHECK_OK(finish(e[d], &a, d, &sums[d], &err), err);
          CHECK_INT(ds_pair_get_info(e[d]).ghosts, now.nghost);
        }
        compare_results(name, &a, &sums[0], &sums[1]);
        arrays_close(&a);
      }
      ds_pair_close(e[0]);
      ds_pair_close(e[1]);
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
static char *exchange(ds_pair *dpd, const test_system *s, ds_error *err)
{
  const size_t bytes = (size_t) ds_pair_ghost_bytes(dpd);
  char *all = test_alloc(bytes * (size_t) s->nghost);
  for (int g = s->nlocal; g < s->nlocal + s->nghost; g++) {
    char *const one = all + bytes * (size_t) (g - s->nlocal);
    int shift[3];
    const int from = source_of(s, g, shift);
    if (!CHECK_OK(ds_pair_pack_ghosts(dpd, 1, &from, shift, one, DS_SPACE_HOST, err), *err)) break;
    if (!CHECK_OK(ds_pair_unpack_ghosts(dpd, g, 1, one, DS_SPACE_HOST, err), *err)) break;
  }
  return all;
}

/* The same through lists and messages in device memory, which nothing waits for. */
static char *exchange_on_device(ds_pair *dpd, const test_system *s, ds_error *err)
{
  const size_t bytes = (size_t) ds_pair_ghost_bytes(dpd), n = bytes * (size_t) s->nghost;
  int *const from = test_alloc(sizeof *from * (size_t) s->nghost);
  int(*const shift)[3] = test_alloc(sizeof *shift * (size_t) s->nghost);
  char *const all = test_alloc(n);
  for (int g = 0; g < s->nghost; g++) from[g] = source_of(s, s->nlocal + g, shift[g]);
  int *const list = device_copy(from, sizeof *from * (size_t) s->nghost);
  char *const messages = device_copy(all, n);
  for (int g = 0; g < s->nghost; g++) {
    char *const one = messages + bytes * (size_t) g;
    if (!CHECK_OK(ds_pair_pack_ghosts(dpd, 1, list + g, shift[g], one, DS_SPACE_DEVICE, err), *err))
      break;
    if (!CHECK_OK(ds_pair_unpack_ghosts(dpd, s->nlocal + g, 1, one, DS_SPACE_DEVICE, err), *err))
      break;
  }
  device_read(all, messages, n);
  device_free(messages);
  device_free(list);
  free(shift);
  free(from);
  return all;
}

/* The host backend, the CUDA backend with host arrays, with device arrays, and with messages in device memory, too: the
   same messages to the byte, and the same forces as with ghosts from their owners. Two steps: what has arrived in the
   first is no longer there in the second. */
static void test_messages(void)
{
  for (int p = 0; p < DS_PRECISIONS; p++) {
    test_model t;
    test_system s;
    char *messages[4];
    double *forces[5];
    size_t bytes = 0;
    make_system(&t, &s, 1, 50);
    const size_t n = 24 * (size_t) s.nlocal;
    for (int k = 0; k < 5;
         k++) { /* host; cuda: host arrays; device arrays; messages, too; owners */
      const int device = k == 2 || k == 3;
      ds_pair_options o = k ? cuda : host;
      ds_pair *dpd;
      ds_pair_totals sums;
      ds_error err;
      arrays a;
      o.precision = (ds_precision) p;
      arrays_open(&a, &layouts[0], DS_I64, &s);
      if (!CHECK_OK(ds_pair_open(&dpd, &o, &err), err)) return;
      for (int step = 12; step < 14; step++) {
        if (step == 12)
          CHECK_OK(begin(dpd, &a, &t, &s, device, step, &err), err);
        else
          CHECK_OK(ds_pair_load(dpd, device ? &a.x.device : &a.x.host,
                                device ? &a.v.device : &a.v.host, step, &err),
                   err);
        if (k < 4) {
          bytes = (size_t) ds_pair_ghost_bytes(dpd) * (size_t) s.nghost;
          if (step == 13) free(messages[k]);
          messages[k] = k == 3 ? exchange_on_device(dpd, &s, &err) : exchange(dpd, &s, &err);
        } else if (step == 12) {
          give_owners(dpd, &s, &err);
        }
        if (step == 12) CHECK_OK(ds_pair_build_list(dpd, &err), err);
        CHECK_OK(finish(dpd, &a, device, &sums, &err), err);
      }
      forces[k] = test_alloc(n);
      if (device)
        device_read(forces[k], a.f.device.data, n);
      else
        memcpy(forces[k], a.f.host.data, n);
      CHECK_MSG(memcmp(forces[k], forces[0], n) == 0, "%s: forces differ, way %d",
                precision_name[p], k);
      if (k > 0 && k < 4)
        CHECK_MSG(memcmp(messages[k], messages[0], bytes) == 0, "%s: messages differ, way %d",
                  precision_name[p], k);
      ds_pair_close(dpd);
      arrays_close(&a);
    }
    for (int k = 0; k < 5; k++) free(forces[k]);
    for (int k = 0; k < 4; k++) free(messages[k]);
    system_close(&s);
  }
}

/* ------------------------------------------------------------------------------- page-locked arrays */

enum { PIN_X = 1, PIN_V = 2, PIN_F = 4, PIN_TYPE = 8, PIN_ALL = 15 };

/* Locks those wanted, and unlocks those that are locked and no longer wanted. */
static void pin_arrays(ds_pair *dpd, arrays *a, int wanted, int *locked)
{
  twin *const all[] = {&a->x, &a->v, &a->f, &a->type};
  for (int k = 0; k < 4; k++) {
    if (wanted >> k & ~*locked >> k & 1) ds_pair_pin(dpd, all[k]->host.data, all[k]->bytes);
    if (~wanted >> k & *locked >> k & 1) ds_pair_unpin(dpd, all[k]->host.data);
  }
  *locked = wanted;
}

/* Arrays of the caller that are locked are read by the GPU, and others by the host, which makes messages of own atoms:
   the forces are the host backend's, whatever is locked in a step and has been in the one before. Ghosts by messages, by
   their owners, or none. */
static void test_pinned(void)
{
  static const int wanted[] = {0,       PIN_ALL, PIN_ALL - PIN_F, 0,       PIN_X, PIN_F,
                               PIN_ALL, PIN_V,   PIN_X + PIN_V,   PIN_ALL, 0};
  for (int form = 0; form < 6; form++) {
    const int p = form < 3 ? DS_PRECISION_MIXED : DS_PRECISION_DOUBLE, ghosts = form % 3;
    test_model t;
    test_system s;
    ds_pair *e[2];
    arrays a[2];
    ds_error err;
    int locked = 0;
    mallopt(M_MMAP_THRESHOLD, 1); /* every array on pages of its own: pages are locked once only */
    make_system(&t, &s, 1, 90);
    const test_system now = ghosts == 2 ? system_alone(&s) : s;
    for (int d = 0; d < 2; d++) {
      ds_pair_options o = d ? cuda : host;
      o.precision = (ds_precision) p;
      arrays_open(&a[d], &layouts[0], DS_I64, &now);
      if (!CHECK_OK(ds_pair_open(&e[d], &o, &err), err)) return;
    }
    for (int step = 0; step < (int) (sizeof wanted / sizeof *wanted); step++) {
      char name[80];
      pin_arrays(e[1], &a[1], wanted[step], &locked);
      for (int d = 0; d < 2; d++) {
        ds_pair_totals sums;
        arrays_push(&a[d], now.nlocal, step);
        if (step == 0)
          CHECK_OK(begin(e[d], &a[d], &t, &now, 0, 70, &err), err);
        else
          CHECK_OK(ds_pair_load(e[d], &a[d].x.host, &a[d].v.host, 70 + step, &err), err);
        if (ghosts == 0) free(exchange(e[d], &now, &err));
        if (ghosts == 1 && step == 0) give_owners(e[d], &now, &err);
        if (step % 4 == 0) CHECK_OK(ds_pair_build_list(e[d], &err), err);
        CHECK_OK(finish(e[d], &a[d], 0, &sums, &err), err);
      }
      snprintf(name, sizeof name, "%s, ghosts %d, step %d, locked %d", precision_name[p], ghosts,
               step, wanted[step]);
      CHECK_MSG(memcmp(a[0].f.host.data, a[1].f.host.data, a[0].f.bytes) == 0 &&
                    memcmp(a[0].eatom.host.data, a[1].eatom.host.data, a[0].eatom.bytes) == 0 &&
                    memcmp(a[0].vatom.host.data, a[1].vatom.host.data, a[0].vatom.bytes) == 0,
                "%s: results differ", name);
    }
    for (int d = 0; d < 2; d++) {
      ds_pair_close(e[d]);
      arrays_close(&a[d]);
    }
    system_close(&s);
  }
}

static void check_refused(ds_status status, ds_status expected, const ds_error *err,
                          const char *part)
{
  CHECK_INT(status, expected);
  CHECK_MSG(strstr(err->text, part) != NULL, "'%s' lacks '%s'", err->text, part);
}

/* What waits for the GPU and so names what is wrong: ds_pair_compute, or ds_pair_check after ds_pair_enqueue. */
static ds_status look(ds_pair *dpd, const arrays *a, int queued, ds_error *err)
{
  ds_pair_request r;
  ds_pair_totals sums;
  int64_t again;
  if (!queued) return finish(dpd, a, 1, &sums, err);
  memset(&r, 0, sizeof r);
  r.f = a->f.device;
  const ds_status status = ds_pair_enqueue(dpd, &r, err);
  CHECK_MSG(status == DS_OK, "queued: %s", err->text);
  return ds_pair_check(dpd, NULL, &again, err);
}

/* Bad values in device memory: loading them, and making a list of them, does not wait and finds nothing. The forces
   stay as they were. */
static void test_faults(void)
{
  static const double bad[] = {NAN, INFINITY, 1e30, -4.0};
  for (int k = 0; k < 16; k++) {
    const int later = k / 4 % 2; /* in a later step, with the list of an earlier one */
    test_model t;
    test_system s;
    ds_pair *dpd;
    ds_error err;
    arrays a;
    make_system(&t, &s, 0, 60);
    arrays_open(&a, &layouts[2], DS_I64, &s);
    if (!CHECK_OK(ds_pair_open(&dpd, &cuda, &err), err)) return;
    CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
    give_owners(dpd, &s, &err);
    if (later) {
      CHECK_OK(ds_pair_build_list(dpd, &err), err);
      CHECK_OK(look(dpd, &a, k >= 8, &err), err);
    }
    double *const before = test_alloc(a.f.bytes), *const after = test_alloc(a.f.bytes);
    device_read(before, a.f.device.data, a.f.bytes);
    for (int at = 1500; at > 700; at -= 700) /* two of them: the first is named */
      ((double *) a.x.host.data)[at + 2 * a.x.host.component_stride] = bad[k % 4];
    twin_upload(&a.x);
    CHECK_OK(ds_pair_load(dpd, &a.x.device, &a.v.device, 2, &err), err);
    if (!later) CHECK_OK(ds_pair_build_list(dpd, &err), err);
    check_refused(look(dpd, &a, k >= 8, &err), DS_ERR_POSITION, &err, "atom 801 at (");
    CHECK_MSG(strstr(err.text, "at step 2") != NULL, "'%s'", err.text);
    device_read(after, a.f.device.data, a.f.bytes);
    CHECK_MSG(memcmp(before, after, a.f.bytes) == 0, "forces have changed, case %d", k);
    free(before);
    free(after);
    ds_pair_close(dpd);
    arrays_close(&a);
    system_close(&s);
  }
}

/* Types in device memory, when they are set first and when they change. */
static void test_types(void)
{
  for (int k = 0; k < 4; k++) {
    test_model t;
    test_system s;
    ds_pair *e[2];
    ds_pair_totals sums[2];
    ds_error err;
    arrays a;
    make_system(&t, &s, k % 2, 61);
    if (k < 2) s.type[33] = 3;
    arrays_open(&a, &layouts[0], DS_I64, &s);
    for (int d = 0; d < 2; d++) {
      if (!CHECK_OK(ds_pair_open(&e[d], d ? &cuda : &host, &err), err)) return;
      if (k < 2 && !d) continue;
      CHECK_OK(begin(e[d], &a, &t, &s, d, 1, &err), err);
      give_owners(e[d], &s, &err);
      CHECK_OK(ds_pair_build_list(e[d], &err), err);
      if (k >= 2) CHECK_OK(finish(e[d], &a, d, &sums[d], &err), err);
    }
    if (k < 2) {
      check_refused(look(e[1], &a, k, &err), DS_ERR_ARGUMENT, &err,
                    "atom 34 has type 3; allowed: 1 to 2");
    } else { /* others: the list depends on them, and is made anew by itself */
      twin types;
      for (int i = 0; i < s.nlocal; i += 3) s.type[i] = 3 - s.type[i];
      types = twin_of_ints(s.type, s.nlocal, 1);
      for (int d = 0; d < 2; d++) {
        CHECK_OK(ds_pair_set_types(e[d], d ? &types.device : &types.host, &err), err);
        CHECK_OK(
            ds_pair_load(e[d], d ? &a.x.device : &a.x.host, d ? &a.v.device : &a.v.host, 2, &err),
            err);
        CHECK_OK(finish(e[d], &a, d, &sums[d], &err), err);
      }
      compare_results("types changed", &a, &sums[0], &sums[1]);
      s.type[77] = 9;
      twin wrong = twin_of_ints(s.type, s.nlocal, 1);
      CHECK_OK(ds_pair_set_types(e[1], &wrong.device, &err), err);
      CHECK_OK(ds_pair_load(e[1], &a.x.device, &a.v.device, 3, &err), err);
      check_refused(look(e[1], &a, k % 2, &err), DS_ERR_ARGUMENT, &err,
                    "atom 78 has type 9; allowed: 1 to 2");
      twin_free(&types);
      twin_free(&wrong);
    }
    for (int d = 0; d < 2; d++) ds_pair_close(e[d]);
    arrays_close(&a);
    system_close(&s);
  }
}

/* What a process sends that has failed is no atom, from either memory. */
static void test_no_atoms(void)
{
  for (int k = 0; k < 4; k++) {
    test_model t;
    test_system s;
    ds_pair *dpd;
    ds_error err;
    arrays a;
    ds_pair_options o = cuda;
    make_system(&t, &s, 0, 64);
    arrays_open(&a, &layouts[0], DS_I64, &s);
    o.precision = k % 2 ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED;
    if (!CHECK_OK(ds_pair_open(&dpd, &o, &err), err)) return;
    CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
    free(exchange_on_device(dpd, &s, &err));
    const size_t bytes = 3 * (size_t) ds_pair_ghost_bytes(dpd);
    void *const nothing = test_alloc(bytes);
    memset(nothing, 0xFF, bytes);
    void *const device = device_copy(nothing, bytes);
    CHECK_OK(ds_pair_unpack_ghosts(dpd, s.nlocal + 20, 3, k < 2 ? device : nothing,
                                   k < 2 ? DS_SPACE_DEVICE : DS_SPACE_HOST, &err),
             err);
    CHECK_OK(ds_pair_build_list(dpd, &err), err);
    check_refused(look(dpd, &a, k % 2, &err), DS_ERR_GHOST, &err, "ghost 22 at step 1 is no atom");
    device_free(device);
    free(nothing);
    ds_pair_close(dpd);
    arrays_close(&a);
    system_close(&s);
  }
}

/* Positions in one memory and velocities in the other. */
static void test_two_memories(void)
{
  test_model t;
  test_system s;
  ds_pair *dpd;
  ds_error err;
  arrays a;
  make_system(&t, &s, 0, 62);
  arrays_open(&a, &layouts[0], DS_I64, &s);
  if (!CHECK_OK(ds_pair_open(&dpd, &cuda, &err), err)) return;
  CHECK_OK(begin(dpd, &a, &t, &s, 1, 1, &err), err);
  check_refused(ds_pair_load(dpd, &a.x.host, &a.v.device, 2, &err), DS_ERR_ARGUMENT, &err,
                "different memories");
  ds_pair_close(dpd);
  arrays_close(&a);
  system_close(&s);
}

/* A table of partners that no device has room for: a hundred million partners are announced for each atom. All
   atoms read the same three counts, as their stride is 0. And a table whose width is not told. */
static void test_partners(void)
{
  const int32_t counts[3] = {0, 0, 0};
  for (int k = 0; k < 2; k++) {
    test_model t;
    test_system s;
    ds_pair *dpd;
    ds_error err;
    arrays a;
    make_system(&t, &s, 0, 63);
    arrays_open(&a, &layouts[0], DS_I64, &s);
    if (!CHECK_OK(ds_pair_open(&dpd, &cuda, &err), err)) return;
    ds_atoms atoms = arrays_atoms(&a, &s, 1);
    void *device = device_copy(counts, sizeof counts);
    atoms.nspecial = a.type.device;
    atoms.nspecial.data = device;
    atoms.nspecial.atom_stride = 0;
    atoms.special = a.tag.device;
    atoms.max_special = k ? 0 : 100000000;
    if (k == 0) atoms.special.atom_stride = atoms.max_special;
    CHECK_OK(ds_pair_set_model(dpd, &t.m, &err), err);
    CHECK_OK(ds_pair_set_box(dpd, &s.box, &err), err);
    const ds_status status = ds_pair_set_atoms(dpd, &atoms, &err);
    if (k == 0)
      check_refused(status, DS_ERR_MEMORY, &err, "bytes of device memory");
    else
      check_refused(status, DS_ERR_ARGUMENT, &err, "max_special 0");
    printf("  refused: %s\n", err.text);
    ds_pair_close(dpd);
    device_free(device);
    arrays_close(&a);
    system_close(&s);
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  const int status = backends_open();
  if (status) return status;
  CHECK_CASE(test_layouts());
  CHECK_CASE(test_messages());
  CHECK_CASE(test_pinned());
  CHECK_CASE(test_faults());
  CHECK_CASE(test_types());
  CHECK_CASE(test_no_atoms());
  CHECK_CASE(test_two_memories());
  CHECK_CASE(test_partners());
  return check_result();
}
