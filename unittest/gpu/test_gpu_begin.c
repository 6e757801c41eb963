/* test_gpu_begin.c: evaluations that are begun before their ghosts have arrived: the bits of those that are not, the same
   errors, and what is not allowed.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpu/arrays.h"
#include "gpu/backends.h"

/* ------------------------------------------------------------------------------------- a system */

/* A box with images along x alone, atoms of its lower half first: then ghosts come in two pieces, those one box up and
   those one box down. */
static void make_system(test_model *t, test_system *s, int n, uint64_t seed)
{
  const double lo[3] = {-3.0, 0.0, 2.0}, edge = cbrt(n / 3.0),
               h[6] = {2 * edge, edge, edge / 2, 0.3, -0.2, 0.1};
  const int periodic[3] = {1, 0, 0};
  test_system drawn;
  model_open(t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(t, 1, 2, 40, 3.0, 1.0, 1.0);
  system_open(&drawn, lo, h, periodic, model_range(t), t->m.skin);
  system_open(s, lo, h, periodic, model_range(t), t->m.skin);
  system_fill(&drawn, n, 2, 1.0, &seed);
  for (int half = 0; half < 2; half++)
    for (int k = 0; k < n; k++) {
      double l[3];
      system_fraction(&drawn, k, l);
      if ((l[0] >= 0.5) == half) system_add(s, drawn.x + 3 * k, drawn.v + 3 * k, drawn.type[k]);
    }
  system_close(&drawn);
  system_images(s);
}

/* Own atoms of the middle, far from all ghosts, or at the box's lower end. */
static int some_atom(const test_system *s, double where)
{
  double l[3];
  for (int k = 0; k < s->nlocal; k++) {
    system_fraction(s, k, l);
    if (fabs(l[0] - where) < 0.02 && fabs(l[1] - 0.5) < 0.2) return k;
  }
  CHECK_MSG(0, "no atom at %g of the box", where);
  return 0;
}

/* ------------------------------------------------------------------------------------ an engine */

typedef struct {
  ds_pair *dpd;
  const test_system *system;
  arrays a;
  int device, pieces, begin;
  int first[3];            /* ghosts of the pieces */
  int shift[2][3];         /* by piece */
  int *list, *device_list; /* owners of ghosts */
  char *messages;          /* in device memory */
  ds_error err;
} engine;

static int engine_start(engine *e, const ds_pair_options *o, const test_model *t,
                        const test_system *s, int begin)
{
  const size_t ghosts = (size_t) s->nghost;
  memset(e, 0, sizeof *e);
  e->system = s;
  e->device = o->backend == DS_BACKEND_CUDA;
  e->begin = begin;
  arrays_open(&e->a, &layouts[0], DS_I64, s);
  if (!CHECK_OK(ds_pair_open(&e->dpd, o, &e->err), e->err)) return 0;
  e->list = test_alloc(sizeof(int) * (ghosts + 1));
  for (int g = 0; g < s->nghost; g++) {
    const int *const image = s->image + 3 * (s->nlocal + g);
    e->list[g] = s->origin[s->nlocal + g];
    if (g > 0 && image[0] == image[-3]) continue;
    if (!CHECK_MSG(e->pieces < 2, "ghosts are not in two pieces")) return 0;
    e->first[e->pieces] = g;
    memcpy(e->shift[e->pieces++], image, sizeof e->shift[0]);
  }
  e->first[e->pieces] = s->nghost;
  const ds_atoms atoms = arrays_atoms(&e->a, s, e->device);
  if (!CHECK_OK(ds_pair_set_model(e->dpd, &t->m, &e->err), e->err)) return 0;
  if (!CHECK_OK(ds_pair_set_box(e->dpd, &s->box, &e->err), e->err)) return 0;
  if (!CHECK_OK(ds_pair_set_atoms(e->dpd, &atoms, &e->err), e->err)) return 0;
  if (!e->device)
    return CHECK_OK(ds_pair_set_ghost_owners(e->dpd, e->list, s->image + 3 * s->nlocal, &e->err),
                    e->err);
  const size_t bytes = ghosts * (size_t) ds_pair_ghost_bytes(e->dpd);
  char *const nothing = test_alloc(bytes + 1);
  memset(nothing, 0, bytes + 1);
  e->device_list = device_copy(e->list, sizeof(int) * ghosts);
  e->messages = device_copy(nothing, bytes);
  free(nothing);
  return 1;
}

static void engine_end(engine *e)
{
  ds_pair_close(e->dpd);
  arrays_close(&e->a);
  free(e->list);
  if (e->device_list) device_free(e->device_list);
  if (e->messages) device_free(e->messages);
}

static ds_status engine_ghosts(engine *e)
{
  const int bytes = ds_pair_ghost_bytes(e->dpd);
  ds_status s = DS_OK;
  for (int p = 0; p < e->pieces && e->device && !s; p++) {
    const int n = e->first[p + 1] - e->first[p];
    char *const at = e->messages + (ptrdiff_t) bytes * e->first[p];
    s = ds_pair_pack_ghosts(e->dpd, n, e->device_list + e->first[p], e->shift[p], at,
                            DS_SPACE_DEVICE, &e->err);
    if (!s)
      s = ds_pair_unpack_ghosts(e->dpd, e->system->nlocal + e->first[p], n, at, DS_SPACE_DEVICE,
                                &e->err);
  }
  return s;
}

static ds_pair_request engine_wants(const engine *e, int put)
{
  ds_pair_request r;
  memset(&r, 0, sizeof r);
  r.f = e->device ? e->a.f.device : e->a.f.host;
  r.put_force = put;
  return r;
}

/* A step, with the list made in it or not. Returns what is found wrong. */
static ds_status engine_step(engine *e, int64_t step, int list, int put)
{
  ds_pair_request r = engine_wants(e, put);
  ds_status s = ds_pair_load(e->dpd, e->device ? &e->a.x.device : &e->a.x.host,
                             e->device ? &e->a.v.device : &e->a.v.host, step, &e->err);
  if (!s && e->begin && !list) s = ds_pair_begin(e->dpd, &r, &e->err);
  if (!s) s = engine_ghosts(e);
  if (!s && list) s = ds_pair_build_list(e->dpd, &e->err);
  return s ? s : ds_pair_compute(e->dpd, &r, NULL, &e->err);
}

/* The same for all engines of a system. */
static void move(engine *e, int step)
{
  arrays_push(&e->a, e->system->nlocal, step);
  if (!e->device) return;
  twin_upload(&e->a.x);
  twin_upload(&e->a.v);
}

static double *engine_forces_now(engine *e)
{
  double *const f = test_alloc(e->a.f.bytes);
  if (e->device)
    device_read(f, e->a.f.device.data, e->a.f.bytes);
  else
    memcpy(f, e->a.f.host.data, e->a.f.bytes);
  return f;
}

/* ------------------------------------------------------------------------------------ the tests */

/* Host, GPU, GPU begun; put_force in every other step. */
static void test_same_bits(void)
{
  for (int p = 0; p < DS_PRECISIONS; p++) {
    test_model t;
    test_system s;
    engine e[3];
    make_system(&t, &s, 12000, 17);
    for (int k = 0; k < 3; k++) {
      ds_pair_options o = k ? cuda : host;
      o.precision = (ds_precision) p;
      if (!engine_start(&e[k], &o, &t, &s, k == 2)) return;
    }
    for (int step = 0; step < 12; step++) {
      double *f[3];
      for (int k = 0; k < 3; k++) {
        if (step) move(&e[k], step);
        CHECK_OK(engine_step(&e[k], 30 + step, step % 5 == 0, k && step % 2), e[k].err);
        if (k == 0 && step % 2) { /* what a put is on the host: from zero */
          memset(e[0].a.f.host.data, 0, e[0].a.f.bytes);
          CHECK_OK(engine_step(&e[0], 30 + step, 0, 0), e[0].err);
        }
        f[k] = engine_forces_now(&e[k]);
      }
      for (int k = 0; k < 2; k++)
        CHECK_MSG(memcmp(f[k], f[2], 24 * (size_t) s.nlocal) == 0,
                  "%s, step %d: forces differ from those of %s", precision_name[p], step,
                  k ? "the GPU" : "the host");
      for (int k = 0; k < 3; k++) free(f[k]);
    }
    CHECK_INT(ds_pair_get_info(e[2].dpd).begins, 1);
    for (int k = 0; k < 3; k++) engine_end(&e[k]);
    system_close(&s);
  }
}

/* Of a bad atom, or a force out of range, among the rows that are begun or the others: the text is that of the same
   evaluation not begun. Of several forces out of range, all of one atom here, the first of the rows that are begun
   may be another. A bad own atom leaves the forces as they were. */
static void test_faults(void)
{
  static const double where[] = {0.5, 0.03};
  for (int k = 0; k < 6; k++) {
    const int fault = k / 2; /* position, force, message */
    test_model t;
    test_system s;
    engine e[2];
    char text[2][DS_ERROR_LENGTH];
    make_system(&t, &s, 12000, 18);
    const int atom = some_atom(&s, where[k % 2]);
    for (int b = 0; b < 2; b++) {
      if (!engine_start(&e[b], &cuda, &t, &s, b)) return;
      CHECK_OK(engine_step(&e[b], 1, 1, 0), e[b].err);
      CHECK_OK(engine_step(&e[b], 2, 0, 0), e[b].err);
      double *const before = engine_forces_now(&e[b]);
      if (fault == 0) ((double *) e[b].a.x.host.data)[3 * atom + 1] = NAN;
      if (fault == 1) ((double *) e[b].a.v.host.data)[3 * atom + 1] = 1e25;
      twin_upload(&e[b].a.x);
      twin_upload(&e[b].a.v);
      ds_status status;
      if (fault < 2) {
        status = engine_step(&e[b], 3, 0, 0);
      } else { /* no message */
        ds_pair_request r = engine_wants(&e[b], 0);
        CHECK_OK(ds_pair_load(e[b].dpd, &e[b].a.x.device, &e[b].a.v.device, 3, &e[b].err),
                 e[b].err);
        if (b) CHECK_OK(ds_pair_begin(e[b].dpd, &r, &e[b].err), e[b].err);
        CHECK_OK(engine_ghosts(&e[b]), e[b].err);
        device_require(cudaDeviceSynchronize(), "waiting");
        device_require(cudaMemset(e[b].messages, 0xFF, 60), "spoiling messages");
        device_require(cudaDeviceSynchronize(), "waiting");
        CHECK_OK(ds_pair_unpack_ghosts(e[b].dpd, s.nlocal + k % 2, 1, e[b].messages,
                                       DS_SPACE_DEVICE, &e[b].err),
                 e[b].err);
        status = ds_pair_compute(e[b].dpd, &r, NULL, &e[b].err);
      }
      CHECK_INT(status, fault == 0   ? DS_ERR_POSITION
                        : fault == 1 ? DS_ERR_FORCE_RANGE
                                     : DS_ERR_GHOST);
      memcpy(text[b], e[b].err.text, sizeof text[b]);
      double *const after = engine_forces_now(&e[b]);
      if (fault == 0)
        CHECK_MSG(memcmp(before, after, e[b].a.f.bytes) == 0, "forces have changed, case %d", k);
      free(before);
      free(after);
      engine_end(&e[b]);
    }
    if (fault == 1) {
      char other[32];
      snprintf(other, sizeof other, " %lld at step 3", (long long) s.tag[atom]);
      for (int b = 0; b < 2; b++)
        CHECK_MSG(strstr(text[b], other) != NULL, "'%s' lacks '%s'", text[b], other);
    } else {
      CHECK_MSG(strcmp(text[0], text[1]) == 0, "begun: '%s', otherwise: '%s'", text[1], text[0]);
    }
    printf("  %s\n", text[1]);
    system_close(&s);
  }
}

/* A message of an atom that is not good is none: those who get it stop, too. */
static void test_bad_message(void)
{
  for (int p = 0; p < DS_PRECISIONS; p++)
    for (int b = 0; b < 2; b++) {
      ds_pair_options o = cuda;
      test_model t;
      test_system s;
      engine e;
      o.precision = (ds_precision) p;
      make_system(&t, &s, 3000, 19);
      if (!engine_start(&e, &o, &t, &s, b)) return;
      CHECK_OK(engine_step(&e, 1, 1, 0), e.err);
      const int bytes = ds_pair_ghost_bytes(e.dpd);
      unsigned char *const m = test_alloc(2 * (size_t) bytes);
      ((double *) e.a.x.host.data)[3 * e.list[1]] = NAN;
      twin_upload(&e.a.x);
      CHECK_INT(engine_step(&e, 2, 0, 0), DS_ERR_POSITION);
      device_read(m, e.messages, 2 * (size_t) bytes);
      int set = 0;
      for (int k = 0; k < bytes; k++) set += m[bytes + k] == 0xFF;
      CHECK_INT(set, bytes);
      free(m);
      engine_end(&e);
      system_close(&s);
    }
}

/* What has been begun ends with what it was begun with, or is given up by loading atoms again. */
static void test_misuse(void)
{
  for (int k = 0; k < 5; k++) {
    test_model t;
    test_system s;
    engine e;
    ds_status status;
    make_system(&t, &s, 12000, 20);
    if (!engine_start(&e, &cuda, &t, &s, 1)) return;
    CHECK_OK(engine_step(&e, 1, 1, 0), e.err);
    CHECK_OK(engine_step(&e, 2, 0, 1), e.err);
    double *const before = engine_forces_now(&e);
    ds_pair_request r = engine_wants(&e, 1), other = r;
    CHECK_OK(ds_pair_load(e.dpd, &e.a.x.device, &e.a.v.device, 2, &e.err), e.err);
    CHECK_OK(ds_pair_begin(e.dpd, &r, &e.err), e.err);
    if (k == 4) { /* given up */
      CHECK_OK(engine_step(&e, 2, 0, 1), e.err);
      double *const after = engine_forces_now(&e);
      CHECK_MSG(memcmp(before, after, 24 * (size_t) s.nlocal) == 0, "forces differ");
      free(after);
    } else {
      CHECK_OK(engine_ghosts(&e), e.err);
      if (k == 0) other.f = e.a.vatom.device;
      if (k == 1) other.want_energy = 1;
      if (k == 2) t.m.kT = 2.0;
      if (k == 2) CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
      if (k == 3) CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err);
      status = ds_pair_compute(e.dpd, &other, NULL, &e.err);
      CHECK_INT(status, DS_ERR_ARGUMENT);
      CHECK_MSG(strstr(e.err.text, "ds_pair_begin") != NULL, "'%s'", e.err.text);
    }
    free(before);
    engine_end(&e);
    system_close(&s);
  }
}

/* Where it cannot be, nothing is begun, and the forces are what they are. */
static void test_not_begun(void)
{
  for (int k = 0; k < 4; k++) {
    ds_pair_options o = cuda;
    test_model t;
    test_system s;
    engine e;
    make_system(&t, &s, 12000, 21);
    if (k == 0) o.begin_rows = 0; /* it would not pay */
    if (k == 1) o.begin_rows = 12001;
    if (k == 2) model_pair(&t, 1, 2, 40, 3.0, 0.8, 1.0); /* a list that depends on types */
    if (k == 3) o.backend = DS_BACKEND_HOST;
    if (!engine_start(&e, &o, &t, &s, 1)) return;
    CHECK_OK(engine_step(&e, 1, 1, 0), e.err);
    CHECK_OK(engine_step(&e, 2, 0, 0), e.err);
    CHECK_INT(ds_pair_get_info(e.dpd).begins, 0);
    engine_end(&e);
    system_close(&s);
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  const int status = backends_open();
  if (status) return status;
  cuda.begin_rows = 1;
  CHECK_CASE(test_same_bits());
  CHECK_CASE(test_faults());
  CHECK_CASE(test_bad_message());
  CHECK_CASE(test_misuse());
  CHECK_CASE(test_not_begun());
  return check_result();
}
