/* test_engine_errors.c: every error that a caller can make or meet gives its status and a text that names what is
   wrong; nothing crashes, nothing exits.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_errors cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#if defined(__unix__)
#include <sys/resource.h>
#endif

#include "check.h"
#include "support/engine.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static test_variants variants;
static const double lo[3] = {0, 0, 0}, h[6] = {5, 6, 7, 0, 0, 0};
static const int all_periodic[3] = {1, 1, 1};

/* The status, and a text with each of the words (separated by |). */
static void check_error(ds_status got, const ds_error *err, ds_status expected, const char *words, int line)
{
  char copy[256];
  check_that(got == expected && err->code == expected, __FILE__, line, "status %d (%d), expected %d: %s", got, err->code,
             expected, err->text);
  strcpy(copy, words);
  for (char *w = strtok(copy, "|"); w; w = strtok(NULL, "|"))
    check_that(strstr(err->text, w) != NULL, __FILE__, line, "'%s' is not in '%s'", w, err->text);
}

#define EXPECT(call, err, status, words) check_error((call), &(err), (status), (words), __LINE__)

static ds_dpd *fresh(int variant, ds_precision precision)
{
  ds_dpd *dpd = NULL;
  ds_error err;
  ds_dpd_options o = variants.options[variant];
  o.precision = precision;
  CHECK_OK(ds_dpd_open(&dpd, &o, &err), err);
  return dpd;
}

static void test_open(void)
{
  ds_dpd *dpd = (ds_dpd *) &variants;
  ds_error err;
  ds_dpd_options o = variants.options[0];
  o.threads = 0;
  EXPECT(ds_dpd_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "threads 0|>= 1");
  CHECK(dpd == NULL);
  o.threads = 1;
  o.local_rank = -3;
  EXPECT(ds_dpd_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "local rank -3|>= 0");
  o.local_rank = 0;
  o.backend = DS_BACKEND_HOST;
  o.isa = "sse9";
  EXPECT(ds_dpd_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "'sse9'|base|avx2|avx512");
  CHECK(ds_dpd_open(&dpd, &o, NULL) == DS_ERR_ARGUMENT); /* a text is not required */
  o.isa = NULL;
  o.backend = DS_BACKEND_CUDA;
  if (ds_dpd_open(&dpd, &o, &err) == DS_OK) {
    ds_dpd_close(dpd);
  } else {
    CHECK(err.code == DS_ERR_NO_GPU || err.code == DS_ERR_DRIVER);
    CHECK(strlen(err.text) > 20 && dpd == NULL);
    /* auto falls back on the host, without a word of an error */
    o.backend = DS_BACKEND_AUTO;
    if (CHECK_OK(ds_dpd_open(&dpd, &o, &err), err)) {
      CHECK(err.code == DS_OK && err.text[0] == '\0');
      CHECK(strcmp(ds_dpd_get_info(dpd).backend, "host") == 0);
      ds_dpd_close(dpd);
    }
  }
  ds_dpd_close(NULL);
}

/* One value of a good model at a time is made bad. */
static void check_model(double *value, double bad, test_model *t, const char *words, int line)
{
  const double good = *value;
  ds_error err;
  ds_dpd *dpd = fresh(0, DS_PRECISION_MIXED);
  *value = bad;
  const ds_status status = ds_dpd_set_model(dpd, &t->m, &err);
  check_error(status, &err, DS_ERR_ARGUMENT, words, line);
  ds_dpd_close(dpd);
  *value = good;
}

static void test_model_values(void)
{
  static test_model t;
  const double nan = NAN, inf = INFINITY;
  ds_error err;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
#define BAD(value, bad, words) check_model(&(value), (bad), &t, (words), __LINE__)
  BAD(t.m.kT, -1.0, "kT = -1|>= 0");
  BAD(t.m.kT, nan, "kT = |>= 0");
  BAD(t.m.kT, inf, "kT = inf");
  BAD(t.m.dt, 0.0, "timestep 0|> 0");
  BAD(t.m.dt, -0.5, "timestep -0.5|> 0");
  BAD(t.m.dt, nan, "timestep |> 0");
  BAD(t.m.skin, -0.25, "skin -0.25|>= 0");
  BAD(t.m.skin, inf, "skin inf");
  BAD(t.m.special[2], -0.5, "special bond factor -0.5|0 to 1");
  BAD(t.m.special[0], 1.5, "special bond factor 1.5|0 to 1");
  BAD(t.m.special[3], nan, "special bond factor");
  BAD(t.a[1], inf, "A = inf|types 1 2");
  BAD(t.gamma[3], -2.0, "gamma = -2|types 2 2|>= 0");
  BAD(t.gamma[3], nan, "gamma = |types 2 2");
  BAD(t.cutoff[0], -1.5, "cutoff = -1.5|types 1 1|>= 0");
  BAD(t.cutoff[0], inf, "cutoff = inf|types 1 1");
  BAD(t.power[3], 0.0, "power = 0|types 2 2|> 0");
  BAD(t.power[3], -1.0, "power = -1|> 0");
  BAD(t.power[3], nan, "power = |types 2 2");
  BAD(t.a[1], 26.0, "types 1 2 and 2 1 differ");
  BAD(t.gamma[2], 5.0, "types 1 2 and 2 1 differ");
  BAD(t.cutoff[1], 2.0, "types 1 2 and 2 1 differ");
  BAD(t.power[2], 2.0, "types 1 2 and 2 1 differ");
#undef BAD
  ds_dpd *dpd = fresh(0, DS_PRECISION_MIXED);
  t.m.ntypes = 0;
  EXPECT(ds_dpd_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT, "number of types 0|1 to 4096");
  t.m.ntypes = 4097;
  EXPECT(ds_dpd_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT, "number of types 4097|1 to 4096");
  model_open(&t, 2, 25, 4.5, 0.0, 1.0, 0.3);
  EXPECT(ds_dpd_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT, "no pair of types|cutoff > 0");
  ds_dpd_close(dpd);
}

static void test_box(void)
{
  static test_model t;
  ds_error err;
  ds_box box;
  test_system s;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, 1.3, 0.3);
  ds_dpd *dpd = fresh(0, DS_PRECISION_MIXED);
  EXPECT(ds_dpd_set_box(dpd, &s.box, &err), err, DS_ERR_ARGUMENT, "box set before the model");
  ds_dpd_close(dpd);
  dpd = fresh(0, DS_PRECISION_MIXED);
  CHECK_OK(ds_dpd_set_model(dpd, &t.m, &err), err);
  box = s.box;
  box.h[1] = 0.0;
  EXPECT(ds_dpd_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y = 0|positive");
  box.h[1] = -4.0;
  EXPECT(ds_dpd_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y = -4|positive");
  box.h[1] = NAN;
  EXPECT(ds_dpd_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y|positive");
  box = s.box;
  box.ghost_reach[2] = 2e6;
  EXPECT(ds_dpd_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "ghosts reach 2e+06|in z|2^20");
  box.ghost_reach[2] = -1.0;
  EXPECT(ds_dpd_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "ghosts reach");
  ds_dpd_close(dpd);
  system_close(&s);
}

/* An engine with a model, a box and ten atoms in it, ready for set_atoms. */
static test_model model;
static test_system atoms_system;

static void small_system(void)
{
  uint64_t seed = 400;
  model_open(&model, 2, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&atoms_system, lo, h, all_periodic, 1.3, 0.3);
  system_fill(&atoms_system, 500, 2, 1.0, &seed);
  system_shift_tags(&atoms_system, 1000);
  system_images(&atoms_system);
}

static ds_dpd *with_box(int variant, ds_precision precision)
{
  ds_error err;
  ds_dpd *dpd = fresh(variant, precision);
  CHECK_OK(ds_dpd_set_model(dpd, &model.m, &err), err);
  CHECK_OK(ds_dpd_set_box(dpd, &atoms_system.box, &err), err);
  return dpd;
}

static void test_atoms(void)
{
  ds_error err;
  ds_atoms a = atoms_of(&atoms_system);
  ds_dpd *dpd = with_box(0, DS_PRECISION_MIXED);
  a.nlocal = -1;
  EXPECT(ds_dpd_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY, "-1 own");
  a.nlocal = 1 << 29;
  a.nghost = 1 << 29;
  EXPECT(ds_dpd_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY, "536870912 own and 536870912 ghost|2^30 - 1");
  a.nlocal = a.nghost = 0x7FFFFFFF;
  EXPECT(ds_dpd_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY, "2147483647 own");
  ds_dpd_close(dpd);
  for (int k = 0; k < 3; k++) {
    static const int bad[3] = {0, 3, -7};
    static const char *const text[3] = {"atom 1042 has type 0|1 to 2", "atom 1042 has type 3|1 to 2",
                                        "atom 1042 has type -7|1 to 2"};
    const int old = atoms_system.type[41];
    a = atoms_of(&atoms_system);
    dpd = with_box(0, DS_PRECISION_MIXED);
    atoms_system.type[41] = bad[k];
    EXPECT(ds_dpd_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, text[k]);
    atoms_system.type[41] = old;
    ds_dpd_close(dpd);
  }
}

/* Atoms of more types than the model has now: nothing may use them. */
static void test_fewer_types(void)
{
  static test_model one;
  test_engine e;
  model_open(&one, 1, 25, 4.5, 1.0, 1.0, 0.3);
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  CHECK_OK(ds_dpd_set_model(e.dpd, &one.m, &e.err), e.err);
  EXPECT(engine_forces(&e, 0), e.err, DS_ERR_ARGUMENT, "before positions");
  engine_close(&e);
}

static void test_order(void)
{
  ds_error err;
  const ds_atoms a = atoms_of(&atoms_system);
  const ds_array x = array_of_doubles(atoms_system.x, 3), v = array_of_doubles(atoms_system.v, 3);
  const ds_dpd_list list = {0, NULL, NULL, NULL};
  const int n = atoms_system.nlocal, shift[3] = {0, 0, 0}, first = 0;
  int *owner = atoms_system.origin + n, *image = atoms_system.image + 3 * n;
  char buffer[64] = {0};
  ds_dpd_result r;
  memset(&r, 0, sizeof r);
  ds_dpd *dpd = fresh(0, DS_PRECISION_MIXED);
  EXPECT(ds_dpd_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "atoms set before the model");
  CHECK_OK(ds_dpd_set_model(dpd, &model.m, &err), err);
  EXPECT(ds_dpd_load(dpd, &x, &v, 0, &err), err, DS_ERR_ARGUMENT, "loaded before box and atoms");
  CHECK_OK(ds_dpd_set_box(dpd, &atoms_system.box, &err), err);
  EXPECT(ds_dpd_load(dpd, &x, &v, 0, &err), err, DS_ERR_ARGUMENT, "loaded before box and atoms");
  EXPECT(ds_dpd_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT, "owners set before atoms");
  EXPECT(ds_dpd_set_list(dpd, &list, &err), err, DS_ERR_ARGUMENT, "list set before atoms");
  CHECK_OK(ds_dpd_set_atoms(dpd, &a, &err), err);
  EXPECT(ds_dpd_pack_ghosts(dpd, 1, &first, shift, buffer, &err), err, DS_ERR_ARGUMENT, "packed before positions");
  EXPECT(ds_dpd_unpack_ghosts(dpd, n, 1, buffer, &err), err, DS_ERR_ARGUMENT, "unpacked before positions");
  EXPECT(ds_dpd_build_list(dpd, &err), err, DS_ERR_ARGUMENT, "built before positions");
  EXPECT(ds_dpd_read_list(dpd, NULL, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "no list");
  EXPECT(ds_dpd_load(dpd, &x, &v, -1, &err), err, DS_ERR_ARGUMENT, "time step -1|>= 0");
  CHECK_OK(ds_dpd_load(dpd, &x, &v, 0, &err), err);
  EXPECT(ds_dpd_compute(dpd, &r, &err), err, DS_ERR_ARGUMENT, "before positions and list");
  EXPECT(ds_dpd_unpack_ghosts(dpd, n - 1, 1, buffer, &err), err, DS_ERR_ARGUMENT, "ghosts 499 to 499|500");
  EXPECT(ds_dpd_unpack_ghosts(dpd, n + atoms_system.nghost, 1, buffer, &err), err, DS_ERR_ARGUMENT, "not among 500");
  EXPECT(ds_dpd_unpack_ghosts(dpd, n, -1, buffer, &err), err, DS_ERR_ARGUMENT, "not among 500");
  owner[3] = n;
  EXPECT(ds_dpd_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT, "owner 500 of ghost 3");
  owner[3] = -1;
  EXPECT(ds_dpd_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT, "owner -1 of ghost 3");
  owner[3] = atoms_system.origin[n + 3] = (int) (atoms_system.tag[n + 3] - 1001);
  const ds_dpd_list long_list = {n + 1, NULL, NULL, NULL};
  EXPECT(ds_dpd_set_list(dpd, &long_list, &err), err, DS_ERR_ARGUMENT, "501 rows for 500 own atoms");
  /* after new atoms, positions and list of the old ones are void */
  CHECK_OK(ds_dpd_set_ghost_owners(dpd, owner, image, &err), err);
  CHECK_OK(ds_dpd_load(dpd, &x, &v, 0, &err), err);
  CHECK_OK(ds_dpd_build_list(dpd, &err), err);
  CHECK_OK(ds_dpd_set_atoms(dpd, &a, &err), err);
  EXPECT(ds_dpd_compute(dpd, &r, &err), err, DS_ERR_ARGUMENT, "before positions and list");
  ds_dpd_close(dpd);
}

/* A process without atoms, and so without arrays: nothing of it is an error. Then atoms without ghosts, and a list
   whose rows are empty. */
static void test_nothing(void)
{
  const int shift[3] = {1, 0, 0};
  for (int k = 0; k < variants.n; k++)
    for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++) {
      ds_error err;
      ds_atoms a = {0, 0, array_none(), array_none(), array_none(), array_none()};
      const ds_array none = array_none();
      const ds_dpd_list list = {0, NULL, NULL, NULL};
      ds_dpd_result r;
      ds_dpd *dpd = with_box(k, (ds_precision) p);
      memset(&r, 0, sizeof r);
      r.want_energy = r.want_virial = 1;
      r.energy = r.virial[3] = 7.0;
      r.force_sum[1] = 7;
      CHECK_OK(ds_dpd_set_atoms(dpd, &a, &err), err);
      CHECK_OK(ds_dpd_set_ghost_owners(dpd, NULL, NULL, &err), err);
      CHECK_OK(ds_dpd_load(dpd, &none, &none, 0, &err), err);
      CHECK_OK(ds_dpd_pack_ghosts(dpd, 0, NULL, shift, NULL, &err), err);
      CHECK_OK(ds_dpd_unpack_ghosts(dpd, 0, 0, NULL, &err), err);
      CHECK_OK(ds_dpd_build_list(dpd, &err), err);
      CHECK_OK(ds_dpd_compute(dpd, &r, &err), err);
      CHECK(r.energy == 0.0 && r.virial[3] == 0.0 && r.force_sum[1] == 0);
      CHECK_OK(ds_dpd_read_list(dpd, NULL, NULL, NULL, NULL, &err), err);
      CHECK_OK(ds_dpd_set_list(dpd, &list, &err), err);
      CHECK_OK(ds_dpd_compute(dpd, &r, &err), err);
      CHECK_INT(ds_dpd_get_info(dpd).rows, 0);
      ds_dpd_close(dpd);
    }
  for (int k = 0; k < variants.n; k++) {
    int atom[3] = {2, 0, 1}, count[3] = {0, 0, 0}, *entries[3] = {NULL, NULL, NULL};
    const ds_dpd_list list = {3, atom, count, entries};
    test_engine e;
    if (!CHECK_OK(engine_open(&e, &variants.options[k], DS_PRECISION_MIXED), e.err)) continue;
    CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
    CHECK_OK(ds_dpd_set_list(e.dpd, &list, &e.err), e.err);
    CHECK_OK(engine_forces(&e, 1), e.err);
    CHECK(e.result.energy == 0.0 && e.f[0] == 0.0 && e.f[8] == 0.0);
    engine_close(&e);
  }
}

/* Coordinates that are no numbers or too far out, in every place of a vector loop and at its ends. */
static void test_positions(void)
{
  static const int atom[] = {0, 7, 255, 256, 498, 499};
  const double bad[] = {NAN, INFINITY, -INFINITY, -0.301, 7.3001, 1e300, -1e18};
  for (int k = 0; k < variants.n; k++)
    for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++)
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 7; b++) {
          double *const place = atoms_system.x + 3 * atom[a] + (b == 4 ? 2 : b % 3), old = *place;
          test_engine e;
          char words[80];
          if (!CHECK_OK(engine_open(&e, &variants.options[k], (ds_precision) p), e.err)) continue;
          *place = bad[b];
          const ds_status status = engine_setup(&e, &model, &atoms_system, 77);
          snprintf(words, sizeof words, "atom %d at (|at step 77|skin 0.3", 1001 + atom[a]);
          EXPECT(status, e.err, DS_ERR_POSITION, words);
          *place = old;
          engine_close(&e);
        }
}

/* Within the skin, on any side, is allowed. */
static void test_allowed_positions(void)
{
  for (int d = 0; d < 3; d++)
    for (int side = 0; side < 2; side++) {
      double *const place = atoms_system.x + 3 * 13 + d, old = *place;
      test_engine e;
      *place = side ? h[d] + 0.2999 : -0.2999;
      if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) continue;
      CHECK_OK(engine_setup(&e, &model, &atoms_system, 77), e.err);
      *place = old;
      engine_close(&e);
    }
}

/* Two atoms alone, 0.5 apart along z, approaching at `speed`; returns the status of the forces. */
static ds_status collide(int variant, ds_precision p, double gamma, double kT, double speed, int ntypes, ds_error *err,
                         double *force)
{
  static test_model t;
  static const double x[2][3] = {{1, 1, 1}, {1, 1, 1.5}};
  const double v[2][3] = {{0, 0, speed}, {0, 0, -speed}}, still[3] = {0, 0, 0};
  test_system s;
  test_engine e;
  uint64_t seed = 410;
  model_open(&t, ntypes, 25, gamma, 1.0, 1.0, 0.3);
  t.m.kT = kT;
  system_open(&s, lo, h, all_periodic, 1.3, 0.3);
  for (int k = 0; k < 300; k++) { /* not the first row of the list, nor its first pair */
    const double other[3] = {2.5 + 2.0 * check_uniform(&seed), 5.0 * check_uniform(&seed), 6.0 * check_uniform(&seed)};
    system_add(&s, other, still, 1);
  }
  system_add(&s, x[0], v[0], 1);
  system_add(&s, x[1], v[1], ntypes);
  system_shift_tags(&s, 5000000000);
  system_images(&s);
  ds_status status = engine_open(&e, &variants.options[variant], p);
  if (!status) status = engine_setup(&e, &t, &s, 123);
  if (!status) status = engine_forces(&e, 0);
  *err = e.err;
  *force = status ? 0.0 : fabs(e.f[3 * 300 + 2]);
  if (e.dpd) engine_close(&e);
  system_close(&s);
  return status;
}

/* Forces up to 16 times what the coefficients let one expect are right, those beyond 32 times are refused, by the
   names of the two atoms; between, the power of two decides. Expected: a + 6.66 sigma / sqrt(dt) for the noise, and
   friction of gamma rc / (16 dt). A velocity that is not a number gives no force that is one. */
static void test_force_range(void)
{
  const double w = 0.5, gamma = 4.5;
  for (int k = 0; k < variants.n; k++)
    for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++)
      for (int form = 0; form < 6; form++) {
        const double kT = form & 1, expected = 25 + 6.66 * sqrt(2 * gamma * kT / 0.01) + gamma / (16 * 0.01);
        const double drag = (form < 2 ? 15.0 : form < 4 ? 40.0 : 1e9) * expected, speed = drag / (2 * gamma * w * w);
        double force;
        ds_error err;
        const ds_status status = collide(k, (ds_precision) p, gamma, kT, speed, form < 4 ? 1 : 2, &err, &force);
        if (form < 2) {
          CHECK_OK(status, err);
          CHECK_NEAR(force, drag, 0.1 * drag);
        } else {
          EXPECT(status, err, DS_ERR_FORCE_RANGE, "force|5000000301|5000000302|at step 123|at most");
        }
      }
  for (int k = 0; k < variants.n; k++)
    for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++) {
      double force;
      ds_error err;
      EXPECT(collide(k, (ds_precision) p, gamma, 1.0, NAN, 1, &err, &force), err, DS_ERR_FORCE_RANGE,
             "5000000301|5000000302");
      EXPECT(collide(k, (ds_precision) p, gamma, 1.0, INFINITY, 1, &err, &force), err, DS_ERR_FORCE_RANGE,
             "5000000301|5000000302");
    }
}

/* Arrays in a memory that the backend cannot reach. */
static void test_memory_space(void)
{
  test_engine e;
  ds_array x = array_of_doubles(atoms_system.x, 3), v = array_of_doubles(atoms_system.v, 3);
  ds_atoms a = atoms_of(&atoms_system);
  if (variants.options[0].backend == DS_BACKEND_CUDA) return; /* it can */
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  x.space = DS_SPACE_DEVICE;
  EXPECT(ds_dpd_load(e.dpd, &x, &v, 0, &e.err), e.err, DS_ERR_ARGUMENT, "positions|device memory");
  x.space = DS_SPACE_HOST;
  v.space = DS_SPACE_DEVICE;
  EXPECT(ds_dpd_load(e.dpd, &x, &v, 0, &e.err), e.err, DS_ERR_ARGUMENT, "velocities|device memory");
  engine_close(&e);
  for (int which = 0; which < 3; which++) {
    static const char *const name[3] = {"forces|device memory", "energies|device memory", "virials|device memory"};
    ds_dpd_result r;
    if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
    CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
    memset(&r, 0, sizeof r);
    r.f = array_of_doubles(e.f, 3);
    r.eatom = array_of_doubles(e.eatom, 1);
    r.vatom = array_of_doubles(e.vatom, 6);
    (which == 0 ? &r.f : which == 1 ? &r.eatom : &r.vatom)->space = DS_SPACE_DEVICE;
    EXPECT(ds_dpd_compute(e.dpd, &r, &e.err), e.err, DS_ERR_ARGUMENT, name[which]);
    engine_close(&e);
  }
  for (int which = 0; which < 4; which++) {
    static const char *const name[4] = {"IDs|device memory", "types|device memory", "special|device memory",
                                        "special|device memory"};
    ds_dpd *dpd = with_box(0, DS_PRECISION_MIXED);
    system_chains(&atoms_system, 4);
    a = atoms_of(&atoms_system);
    (which == 0 ? &a.tag : which == 1 ? &a.type : which == 2 ? &a.nspecial : &a.special)->space = DS_SPACE_DEVICE;
    EXPECT(ds_dpd_set_atoms(dpd, &a, &e.err), e.err, DS_ERR_ARGUMENT, name[which]);
    ds_dpd_close(dpd);
  }
  atoms_system.max_special = 0;
}

/* Host memory that is exhausted: the process may have 64 MB more than it has now. */
static void test_memory(void)
{
#if defined(__unix__) && defined(RLIMIT_AS)
  struct rlimit old, low;
  ds_error err;
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (SANITIZED || variants.options[0].backend == DS_BACKEND_CUDA) { /* these map all addresses */
    if (statm) fclose(statm);
    return;
  }
  if (!statm) return;
  const int found = fscanf(statm, "%ld", &pages);
  fclose(statm);
  if (!CHECK(found == 1 && getrlimit(RLIMIT_AS, &old) == 0)) return;
  ds_dpd *dpd = with_box(0, DS_PRECISION_MIXED);
  ds_atoms a = atoms_of(&atoms_system);
  a.nlocal = 100000000; /* refused before any of them is looked at */
  a.nghost = 0;
  low = old;
  low.rlim_cur = (rlim_t) pages * 4096 + (64u << 20);
  CHECK(setrlimit(RLIMIT_AS, &low) == 0);
  const ds_status status = ds_dpd_set_atoms(dpd, &a, &err);
  setrlimit(RLIMIT_AS, &old);
  EXPECT(status, err, DS_ERR_MEMORY, "positions|bytes of host memory");
  ds_dpd_close(dpd);
#endif
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  test_open();
  test_model_values();
  test_box();
  small_system();
  test_atoms();
  test_fewer_types();
  test_order();
  test_nothing();
  test_positions();
  test_allowed_positions();
  test_force_range();
  test_memory_space();
  test_memory();
  system_close(&atoms_system);
  return check_result();
}
