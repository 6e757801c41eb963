/* test_engine_sop_errors.c: what dpdsop/sop.h refuses, and its words.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/memory.h"
#include "support/sop.h"
#include "support/expect.h"
#include "support/system.h"

static sop_variants variants;
static test_molecule molecule; /* 30 beads */

enum { BEADS = 30 };

/* ---------------------------------------------------------------------------------------------- open */

static void refuse(ds_sop_options o, const char *words, int line)
{
  ds_error err;
  ds_sop *sop = (ds_sop *) &o; /* must become NULL */
  check_error(ds_sop_open(&sop, &o, &molecule.topology, &err), &err, DS_ERR_ARGUMENT, words,
              __FILE__, line);
  CHECK(sop == NULL);
}

#define REFUSE(field, value, words)                                                                \
  do {                                                                                             \
    ds_sop_options bad = variants.options[0];                                                      \
    bad.field = (value);                                                                           \
    refuse(bad, words, __LINE__);                                                                  \
  } while (0)

static void test_options(void)
{
  ds_sop_options o = variants.options[0];
  ds_sop *sop;
  REFUSE(threads, -1, "threads -1|to 4096");
  REFUSE(threads, 4097, "threads 4097|to 4096");
  REFUSE(scheme, (ds_sop_scheme) 4, "unknown scheme 4");
  REFUSE(order, -1, "order = -1|1 or 2");
  REFUSE(order, 3, "order = 3|1 or 2");
  REFUSE(cutoff, -1.0, "cutoff = -1|>= 0");
  REFUSE(cutoff, NAN, "cutoff = |>= 0");
  REFUSE(cutoff, INFINITY, "cutoff = inf");
  REFUSE(skin, -0.5, "skin = -0.5|>= 0");
  REFUSE(skin, NAN, "skin = |>= 0");
  REFUSE(skin, 9000.0, "cutoff and skin are 9011.4 together|below 8192");
  REFUSE(cutoff, 8190.0, "cutoff and skin are 8194 together|below 8192");
  REFUSE(rng, "sobol", "unknown generator 'sobol'|known are philox, |mt19937");
  REFUSE(rng, "", "unknown generator ''");
  o.scheme = DS_SOP_BLOCK;
  o.inter = 1;
  refuse(o, "scheme block|do not see each other", __LINE__);
  o.inter = 0;
  CHECK(ds_sop_open(&sop, &o, &molecule.topology, NULL) == DS_OK); /* a text is not required */
  ds_sop_close(sop);
  o.rng = "lfib"; /* as the papers have it */
  CHECK(ds_sop_open(&sop, &o, &molecule.topology, NULL) == DS_OK);
  ds_sop_close(sop);
  ds_sop_close(NULL);
}

/* A backend that is not there; auto falls back on the host, without a word of an error. */
static void test_backend(void)
{
  ds_sop_options o = variants.options[0];
  ds_sop *sop;
  ds_error err;
  o.backend = DS_BACKEND_HOST;
  o.isa = "sse9";
  EXPECT(ds_sop_open(&sop, &o, &molecule.topology, &err), err, DS_ERR_ARGUMENT,
         "'sse9'|base|avx2|avx512");
  o.isa = NULL;
  o.backend = DS_BACKEND_CUDA;
  if (ds_sop_open(&sop, &o, &molecule.topology, &err) == DS_OK) {
    CHECK(strcmp(ds_sop_get_info(sop).backend, "cuda") == 0 && ds_sop_get_info(sop).device[0]);
    ds_sop_close(sop);
    return;
  }
  CHECK(err.code == DS_ERR_NO_GPU || err.code == DS_ERR_DRIVER);
  CHECK(strlen(err.text) > 20 && sop == NULL);
  o.backend = DS_BACKEND_AUTO;
  if (!CHECK_OK(ds_sop_open(&sop, &o, &molecule.topology, &err), err)) return;
  CHECK(err.code == DS_OK && err.text[0] == '\0');
  CHECK(strcmp(ds_sop_get_info(sop).backend, "host") == 0 && ds_sop_get_info(sop).device[0] == '\0');
  ds_sop_close(sop);
}

/* Names need not outlive the call. */
static void test_names(void)
{
  for (int v = 0; v < variants.n; v++) {
    char isa[8] = "", rng[8] = "ran2";
    ds_sop_options o = variants.options[v];
    ds_sop_energies e;
    ds_error err;
    strcpy(isa, o.isa ? o.isa : "base");
    o.isa = isa;
    o.rng = rng;
    double *const x = sop_copies(&molecule, 2, 0, 100.0);
    ds_sop *const sop = sop_start(&o, &molecule, 2, 0, 1, x);
    strcpy(isa, "gone");
    strcpy(rng, "gone");
    const ds_sop_motion motion = {0, 3, 1000.0, SOP_ZETA, SOP_KT};
    CHECK_OK(ds_sop_energy(sop, &e, NULL, &err), err);
    CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
    ds_sop_close(sop);
    free(x);
  }
}

/* --------------------------------------------------------------------------------------------- beads */

static ds_sop *fresh(ds_sop_scheme scheme, int order, int molecules, int free_beads, int64_t id)
{
  ds_sop_options o = variants.options[variants.n - 1];
  o.scheme = scheme;
  o.order = order;
  double *const x = sop_copies(&molecule, molecules, free_beads, 100.0);
  ds_sop *const sop = sop_start(&o, &molecule, molecules, free_beads, id, x);
  free(x);
  return sop;
}

/* The scheme is the one asked for, and auto takes one. */
static void test_schemes(void)
{
  static const char *const name[4] = {"auto", "particle", "pair", "block"};
  for (int k = 0; k < 4; k++)
    for (int molecules = 1; molecules <= 20; molecules += 19) {
      ds_sop *const sop = fresh((ds_sop_scheme) k, 1, molecules, 0, 1);
      const char *const is = ds_sop_get_info(sop).scheme;
      CHECK_MSG((strcmp(is, name[k]) == 0) == (k > 0), "asked for %s, has %s", name[k], is);
      CHECK(ds_sop_get_info(sop).bytes > 3 * sizeof(double) * BEADS * (size_t) molecules);
      ds_sop_close(sop);
    }
}

static void test_beads(void)
{
  int64_t id[BEADS + 2];
  double x[3 * BEADS + 6] = {0.0}, f[3 * BEADS + 6] = {0.0};
  ds_error err;
  for (int b = 0; b < BEADS + 2; b++) id[b] = 100 + b;
  ds_sop *const sop = fresh(DS_SOP_AUTO, 1, 1, 2, 100);
  EXPECT(ds_sop_set_beads(sop, -1, 0, id, &err), err, DS_ERR_ARGUMENT, "-1 molecules");
  EXPECT(ds_sop_set_beads(sop, 0, -2, id, &err), err, DS_ERR_ARGUMENT, "-2 free beads");
  EXPECT(ds_sop_set_beads(sop, 1 << 26, 0, id, &err), err, DS_ERR_ARGUMENT,
         "67108864 molecules|at most 536870912 beads");
  EXPECT(ds_sop_set_beads(sop, 0, 0x7FFFFFFF, id, &err), err, DS_ERR_ARGUMENT,
         "2147483647 free beads");
  id[BEADS] = -1;
  EXPECT(ds_sop_set_beads(sop, 1, 2, id, &err), err, DS_ERR_ARGUMENT, "bead 31 has the ID -1|>= 0");
  id[BEADS] = INT64_MIN;
  EXPECT(ds_sop_set_beads(sop, 1, 2, id, &err), err, DS_ERR_ARGUMENT,
         "the ID -9223372036854775808");
  x[7] = NAN;
  EXPECT(ds_sop_set_positions(sop, x, &err), err, DS_ERR_POSITION, "coordinate y of atom 102|nan");
  x[7] = 2147483649.0;
  EXPECT(ds_sop_set_positions(sop, x, &err), err, DS_ERR_POSITION,
         "coordinate y of atom 102 is 2.14748e+09|2.14748e+09");
  x[7] = 0.0;
  x[3 * BEADS + 5] = -INFINITY;
  EXPECT(ds_sop_set_positions(sop, x, &err), err, DS_ERR_POSITION, "coordinate z of atom 131|-inf");
  x[3 * BEADS + 5] = -2147483648.0;
  CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
  f[3] = NAN;
  EXPECT(ds_sop_set_forces(sop, f, &err), err, DS_ERR_ARGUMENT,
         "force from outside|atom 101 along x");
  f[3] = 0.0;
  f[3 * BEADS + 2] = INFINITY;
  EXPECT(ds_sop_set_forces(sop, f, &err), err, DS_ERR_ARGUMENT, "atom 130 along z is inf");
  ds_sop_close(sop);
}

/* ------------------------------------------------------------------------------------------- pulling */

static void refuse_pull(ds_sop *sop, ds_sop_pull pull, const char *words, int line)
{
  ds_error err;
  check_error(ds_sop_set_pull(sop, &pull, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
}

static void test_pull(void)
{
  int32_t fixed[2] = {0, 1}, pulled[2] = {28, 29};
  ds_sop_pull good = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 2, .pulled = 2, .fixed_bead = fixed, .pulled_bead = pulled, .spring = 0.05,
    .speed = 1e-5
  };
  ds_error err;
  ds_sop *const sop = fresh(DS_SOP_AUTO, 1, 1, 0, 1);
  CHECK_OK(ds_sop_set_pull(sop, &good, &err), err);
#define PULL(field, value, words)                                                                  \
  do {                                                                                             \
    ds_sop_pull bad = good;                                                                        \
    bad.field = (value);                                                                           \
    refuse_pull(sop, bad, words, __LINE__);                                                        \
  } while (0)
  PULL(fixed, -1, "-1 fixed beads");
  PULL(pulled, -1, "-1 pulled beads");
  PULL(fixed_bead, NULL, "2 fixed beads");
  PULL(pulled_bead, NULL, "2 pulled beads");
  PULL(pulled, 0, "no bead is pulled");
  PULL(spring, 0.0, "stiffness 0|above 0");
  PULL(spring, -1.0, "stiffness -1|above 0");
  PULL(spring, NAN, "stiffness ");
  PULL(spring, INFINITY, "stiffness inf");
  PULL(speed, INFINITY, "speed inf|finite");
  PULL(speed, NAN, "speed |finite");
  PULL(direction[1], NAN, "direction 0 |finite");
  PULL(direction[2], INFINITY, "direction 0 0 inf");
  PULL(fixed, 0, "without a fixed bead|direction");
  static const double wrong[6][2] = {{0.0, 1.0}, {1.0, -2.0}, {NAN, 1.0}, {1.0, INFINITY}, {1.0, 1e-6}, {1e300, 1e300}};
  static const char *const fault[6] = {"weight 0 of pulled bead 29|above 0", "weight -2 of pulled bead 30|above 0",
                                       "of pulled bead 29 must be above 0",  "weight inf of pulled bead 30",
                                       "weight 1e-06 of pulled bead 30 is too small|sum of all, 1|at least 1.9",
                                       "sum 2e+300 of the weights of pulled beads|from 1e-200 to 1e200"};
  for (int k = 0; k < 6; k++) PULL(pulled_weight, wrong[k], fault[k]);
  PULL(fixed_weight, wrong[1], "weight -2 of fixed bead 2|above 0");
  PULL(has_plane, 1, "normal 0 0 0 of the pull's plane");
  const double kept[3] = {good.direction[0], good.direction[1], good.direction[2]};
  good.direction[0] = good.has_plane = 1;
  PULL(direction[1], NAN, "direction 1 |finite");
  PULL(plane[1], NAN, "place 0 |pull's plane must be within 4096 of");
  PULL(plane[2], -4096.0, "place 0 0 -4096 of the pull's plane must be within 4096 of");
  memcpy(good.direction, kept, sizeof kept);
  good.has_plane = 0;
#undef PULL
  EXPECT(ds_sop_set_pull_speed(sop, INFINITY, &err), err, DS_ERR_ARGUMENT, "speed inf|finite");
  EXPECT(ds_sop_set_pull_speed(sop, NAN, &err), err, DS_ERR_ARGUMENT, "speed |finite");
  CHECK(ds_sop_pull_speed(sop) == good.speed);
  ds_sop_pull by_force = good;
  by_force.mode = DS_SOP_PULL_FORCE;
  by_force.force = NAN;
  refuse_pull(sop, by_force, "force |finite", __LINE__);
  pulled[1] = BEADS;
  refuse_pull(sop, good, "pulled bead 31|1 to 30", __LINE__);
  pulled[1] = -1;
  refuse_pull(sop, good, "pulled bead 0|1 to 30", __LINE__);
  pulled[1] = 28;
  refuse_pull(sop, good, "pulled bead 29 is named twice", __LINE__);
  pulled[1] = 0;
  refuse_pull(sop, good, "bead 1 is fixed and pulled", __LINE__);
  pulled[1] = 29;
  fixed[0] = 1000;
  refuse_pull(sop, good, "fixed bead 1001|1 to 30", __LINE__);
  fixed[0] = 1;
  refuse_pull(sop, good, "fixed bead 2 is named twice", __LINE__);
  by_force.force = 1.0;
  fixed[0] = 0;
  CHECK_OK(ds_sop_set_pull(sop, &by_force, &err), err);
  EXPECT(ds_sop_set_pull_speed(sop, 1e-5, &err), err, DS_ERR_ARGUMENT, "speed 1e-05 of a pull|only where a spring pulls");
  ds_sop_close(sop);
}

/* Ends at the same place have no direction. */
static void test_no_direction(void)
{
  const int32_t fixed = 0, pulled = 29;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_FORCE, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .force = 1.0
  };
  const ds_sop_motion motion = {0, 1, 100.0, SOP_ZETA, SOP_KT};
  ds_error err;
  double *const x = sop_copies(&molecule, 3, 0, 100.0);
  ds_sop *const sop = fresh(DS_SOP_AUTO, 1, 3, 0, 1);
  memcpy(x + 3 * (BEADS + 29), x + 3 * BEADS, 3 * sizeof *x);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
  EXPECT(ds_sop_advance(sop, &motion, &err), err, DS_ERR_ARGUMENT,
         "molecule 2|at the same place|no direction");
  ds_sop_close(sop);
  free(x);
}

/* -------------------------------------------------------------------------------------------- motion */

static void test_motion(void)
{
  const ds_sop_motion good = {0, 10, 1000.0, SOP_ZETA, SOP_KT};
  ds_error err;
  ds_sop *const sop = fresh(DS_SOP_AUTO, 1, 1, 0, 1);
#define MOTION(field, value, words)                                                                \
  do {                                                                                             \
    ds_sop_motion bad = good;                                                                      \
    bad.field = (value);                                                                           \
    EXPECT(ds_sop_advance(sop, &bad, &err), err, DS_ERR_ARGUMENT, words);                          \
  } while (0)
  MOTION(first, -1, "from number -1|>= 0");
  MOTION(first, INT64_MAX, "10 steps from number 9223372036854775807|below 2^63");
  MOTION(first, INT64_MAX - 9, "10 steps from number 9223372036854775798|below 2^63");
  MOTION(steps, -5, "-5 steps|>= 0");
  MOTION(h, 0.0, "time step 0|above 0");
  MOTION(h, -1.0, "time step -1|above 0");
  MOTION(h, NAN, "time step |above 0");
  MOTION(h, INFINITY, "time step inf|above 0");
  MOTION(zeta, 0.0, "zeta = 0|above 0");
  MOTION(zeta, -2.0, "zeta = -2|above 0");
  MOTION(zeta, NAN, "zeta = |above 0");
  MOTION(zeta, INFINITY, "zeta = inf");
  MOTION(kT, -0.1, "kB T = -0.1|>= 0");
  MOTION(kT, NAN, "kB T = |>= 0");
  MOTION(kT, INFINITY, "kB T = inf");
#undef MOTION
  ds_sop_motion none = good;
  none.steps = 0;
  CHECK_OK(ds_sop_advance(sop, &none, &err), err);
  CHECK_OK(ds_sop_advance(sop, &good, &err), err);
  EXPECT(ds_sop_advance(sop, NULL, &err), err, DS_ERR_ARGUMENT, "motion is NULL");
  ds_sop_close(sop);
}

/* The last steps that have numbers, pulled and pressed; there is none after them. */
static void test_last_steps(void)
{
  const ds_sop_indent tip = {
    .radius = 15.0, .start = {0.0, 0.0, 40.0}, .direction = {0.0, 0.0, -1.0}, .spring = 3.0, .speed = 1e-5,
    .friction = 2.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.8
  };
  const int32_t fixed = 0, pulled = BEADS - 1;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .spring = 0.05,
    .speed = 1e-5
  };
  const ds_sop_motion last = {INT64_MAX - 10, 10, 1000.0, SOP_ZETA, SOP_KT}, none = {INT64_MAX, 1, 1000.0, SOP_ZETA, SOP_KT};
  for (int v = 0; v < variants.n; v++)
    for (int k = DS_SOP_AUTO; k <= DS_SOP_BLOCK; k++) {
      const int presses = k == DS_SOP_PARTICLE || k == DS_SOP_PAIR;
      ds_sop_options o = variants.options[v];
      ds_error err;
      double force, extension;
      o.scheme = (ds_sop_scheme) k;
      double *const x = sop_copies(&molecule, 1, 1, 100.0);
      ds_sop *const sop = sop_start_pressed(&o, &molecule, 1, 1, 1, x, presses ? &tip : NULL);
      CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
      CHECK_OK(ds_sop_advance(sop, &last, &err), err);
      CHECK_OK(ds_sop_pulling(sop, &force, &extension, &err), err);
      CHECK(isfinite(force) && extension > 0.0);
      EXPECT(ds_sop_advance(sop, &none, &err), err, DS_ERR_ARGUMENT, "below 2^63");
      ds_sop_close(sop);
      free(x);
    }
}

/* Arrays and structs that there are not. */
static void test_null(void)
{
  ds_error err;
  ds_sop *sop = NULL;
  double number;
  int64_t count;
  if (CHECK_OK(ds_sop_open(&sop, NULL, &molecule.topology, &err), err)) { /* all that is zero is the default */
    const ds_sop_info info = ds_sop_get_info(sop);
    CHECK((strcmp(info.backend, "host") == 0) == (info.no_gpu[0] != '\0'));
    CHECK(strcmp(info.scheme, "auto") == 0 && (strcmp(info.backend, "host") == 0) == (info.device[0] == '\0'));
    ds_sop_close(sop);
  }
  sop = fresh(DS_SOP_AUTO, 1, 1, 0, 1);
  EXPECT(ds_sop_set_beads(sop, 1, 0, NULL, &err), err, DS_ERR_ARGUMENT, "id is NULL");
  EXPECT(ds_sop_set_positions(sop, NULL, &err), err, DS_ERR_ARGUMENT, "x is NULL");
  EXPECT(ds_sop_get_positions(sop, NULL, &err), err, DS_ERR_ARGUMENT, "x is NULL");
  EXPECT(ds_sop_get_forces(sop, NULL, &err), err, DS_ERR_ARGUMENT, "f is NULL");
  EXPECT(ds_sop_energy(sop, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "sum is NULL");
  EXPECT(ds_sop_set_pull(sop, NULL, &err), err, DS_ERR_ARGUMENT, "pull is NULL");
  EXPECT(ds_sop_intact(sop, NULL, &err), err, DS_ERR_ARGUMENT, "each is NULL");
  EXPECT(ds_sop_pulling(sop, NULL, &number, &err), err, DS_ERR_ARGUMENT, "force is NULL");
  EXPECT(ds_sop_pulling(sop, &number, NULL, &err), err, DS_ERR_ARGUMENT, "extension is NULL");
  EXPECT(ds_sop_indenting(sop, NULL, &number, &err), err, DS_ERR_ARGUMENT, "force is NULL");
  EXPECT(ds_sop_indenting(sop, &number, NULL, &err), err, DS_ERR_ARGUMENT, "travel is NULL");
  EXPECT(ds_sop_noise_temperature(sop, NULL, &count, &err), err, DS_ERR_ARGUMENT, "kT is NULL");
  EXPECT(ds_sop_noise_temperature(sop, &number, NULL, &err), err, DS_ERR_ARGUMENT, "beads is NULL");
  ds_sop_close(sop);
  CHECK_OK(ds_sop_open(&sop, &variants.options[0], &molecule.topology, &err), err);
  EXPECT(ds_sop_set_indent(sop, NULL, &err), err, DS_ERR_ARGUMENT, "indent is NULL");
  CHECK_OK(ds_sop_set_beads(sop, 0, 0, NULL, &err), err); /* none */
  ds_sop_close(sop);
}

/* ------------------------------------------------------------------------------------------ restarts */

static void test_states(void)
{
  ds_sop_options o = variants.options[0];
  ds_error err;
  char bytes[8192];
  o.rng = "taus";
  double *const x = sop_copies(&molecule, 1, 0, 0.0);
  ds_sop *const taus = sop_start(&o, &molecule, 1, 0, 1, x);
  o.rng = "ran2";
  ds_sop *const ran2 = sop_start(&o, &molecule, 1, 0, 1, x);
  const size_t size = ds_sop_state_bytes(taus);
  CHECK(size <= sizeof bytes);
  EXPECT(ds_sop_save(taus, bytes, size - 1, &err), err, DS_ERR_ARGUMENT, "room for|bytes");
  EXPECT(ds_sop_save(taus, NULL, size, &err), err, DS_ERR_ARGUMENT, "room for 0");
  CHECK_OK(ds_sop_save(taus, bytes, size, &err), err);
  EXPECT(ds_sop_load(taus, NULL, size, &err), err, DS_ERR_ARGUMENT, "state is NULL");
  EXPECT(ds_sop_load(taus, bytes, 0, &err), err, DS_ERR_ARGUMENT, "has been cut: 0 bytes");
  EXPECT(ds_sop_load(taus, bytes, 9, &err), err, DS_ERR_ARGUMENT, "has been cut: 9 bytes");
  EXPECT(ds_sop_load(taus, bytes, size - 1, &err), err, DS_ERR_ARGUMENT, "1 molecules and 0 free beads|or have been cut");
  EXPECT(ds_sop_load(ran2, bytes, size, &err), err, DS_ERR_ARGUMENT, "a state of taus|no state of ran2");
  bytes[size - 1] ^= 1;
  EXPECT(ds_sop_load(taus, bytes, size, &err), err, DS_ERR_ARGUMENT, "generator of atom 30 has been changed");
  bytes[8] ^= 1; /* a letter of the generator's name */
  EXPECT(ds_sop_load(taus, bytes, size, &err), err, DS_ERR_ARGUMENT, "header of the state has been changed");
  bytes[24] = 3;
  EXPECT(ds_sop_load(taus, bytes, size, &err), err, DS_ERR_ARGUMENT, "of version 3, allowed are 1 and 2");
  memset(bytes, 0xFF, sizeof bytes);
  EXPECT(ds_sop_load(taus, bytes, size, &err), err, DS_ERR_ARGUMENT, "bytes are no state of SOP molecules");
  ds_sop_close(taus);
  ds_sop_close(ran2);
  free(x);
}

/* --------------------------------------------------------------------------------------------- shares */

/* Molecules are shared by objects of the host that move by single steps of first order, bead by bead. */
static void test_share(void)
{
  const ds_sop_motion two = {0, 2, 1000.0, SOP_ZETA, SOP_KT},
                      one = {0, 1, 1000.0, SOP_ZETA, SOP_KT};
  ds_error err;
  ds_sop_options o = variants.options[0];
  o.scheme = DS_SOP_AUTO;
  ds_sop *sop = NULL;
  CHECK_OK(ds_sop_open(&sop, &o, &molecule.topology, &err), err);
  EXPECT(ds_sop_set_share(sop, -1, 3, &err), err, DS_ERR_ARGUMENT, "beads -1 to 3");
  EXPECT(ds_sop_set_share(sop, 4, 3, &err), err, DS_ERR_ARGUMENT, "beads 4 to 3");
  if (o.backend != DS_BACKEND_HOST)
    EXPECT(ds_sop_set_share(sop, 0, 3, &err), err, DS_ERR_ARGUMENT,
           "host backend|order 1|particle");
  else {
    int64_t id[BEADS];
    double *const x = sop_copies(&molecule, 1, 0, 0.0);
    for (int b = 0; b < BEADS; b++) id[b] = b + 1;
    CHECK_OK(ds_sop_set_share(sop, 0, 3, &err), err);
    CHECK_OK(ds_sop_set_beads(sop, 1, 0, id, &err), err);
    CHECK(strcmp(ds_sop_get_info(sop).scheme, "particle") == 0);
    CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
    EXPECT(ds_sop_advance(sop, &two, &err), err, DS_ERR_ARGUMENT, "2 steps|shared, must be 1");
    CHECK_OK(ds_sop_advance(sop, &one, &err), err);
    double *const y = sop_positions(sop, BEADS);
    for (int b = 0; b < BEADS; b++) /* positions are rounded to 2e-9 */
      CHECK((fabs(y[3 * b] - x[3 * b]) > 1e-6) == (b < 3));
    free(y);
    /* beyond the beads, at once or when others are set: nothing changes */
    CHECK_OK(ds_sop_set_share(sop, 5, BEADS + 1, &err), err);
    CHECK_OK(ds_sop_advance(sop, &one, &err), err);
    EXPECT(ds_sop_set_beads(sop, 1, 0, id, &err), err, DS_ERR_ARGUMENT, "share of beads 5 to 31|molecules have 30");
    EXPECT(ds_sop_set_beads(sop, 0, BEADS, id, &err), err, DS_ERR_ARGUMENT, "share of beads 5 to 31|molecules have 0");
    CHECK_OK(ds_sop_set_share(sop, 5, INT64_MAX, &err), err);
    EXPECT(ds_sop_set_beads(sop, 1, 0, id, &err), err, DS_ERR_ARGUMENT, "share of beads 5 to 9223372036854775807");
    CHECK_OK(ds_sop_advance(sop, &one, &err), err);
    double *const z = sop_positions(sop, BEADS);
    for (int b = 3; b < BEADS; b++) CHECK(fabs(z[3 * b] - x[3 * b]) < 1e-6);
    CHECK_OK(ds_sop_set_share(sop, 5, BEADS, &err), err);
    CHECK_OK(ds_sop_set_beads(sop, 1, 0, id, &err), err);
    CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
    CHECK_OK(ds_sop_advance(sop, &one, &err), err);
    free(x);
    free(z);
  }
  ds_sop_close(sop);
  o.order = 2;
  CHECK_OK(ds_sop_open(&sop, &o, &molecule.topology, &err), err);
  EXPECT(ds_sop_set_share(sop, 0, 3, &err), err, DS_ERR_ARGUMENT, "order 1");
  ds_sop_close(sop);
}

/* -------------------------------------------------------------------------------------------- memory */

/* Of this process, not of a GPU. */
static void test_memory(void)
{
  enum { FREE = 4000000 };
  int64_t *const id = test_alloc(FREE * sizeof *id);
  ds_error err;
  for (int b = 0; b < FREE; b++) id[b] = b + 1;
  ds_sop *const sop = fresh(DS_SOP_AUTO, 2, 1, 0, 1);
  if (variants.options[0].backend == DS_BACKEND_HOST && memory_limit(16 << 20)) {
    EXPECT(ds_sop_set_beads(sop, 0, FREE, id, &err), err, DS_ERR_MEMORY, "memory");
    memory_limit_end();
  }
  ds_sop_close(sop);
  free(id);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  molecule_folded(&molecule, BEADS, 800);
  CHECK_CASE(test_options());
  CHECK_CASE(test_backend());
  CHECK_CASE(test_names());
  CHECK_CASE(test_schemes());
  CHECK_CASE(test_beads());
  CHECK_CASE(test_pull());
  CHECK_CASE(test_no_direction());
  CHECK_CASE(test_motion());
  CHECK_CASE(test_last_steps());
  CHECK_CASE(test_null());
  CHECK_CASE(test_states());
  CHECK_CASE(test_share());
  CHECK_CASE(test_memory());
  molecule_close(&molecule);
  return check_result();
}
