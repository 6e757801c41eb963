/* test_engine_errors.c: every wrong argument gives its status and a text that names what is wrong;
   nothing crashes, nothing exits.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_errors cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/errors.h"

static void test_open(void)
{
  ds_pair *dpd = (ds_pair *) &variants;
  ds_error err;
  ds_pair_options o = variants.options[0];
  o.threads = -1;
  EXPECT(ds_pair_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "threads -1|0 (as many as OpenMP");
  CHECK(dpd == NULL);
  o.threads = 1;
  o.local_rank = -3;
  EXPECT(ds_pair_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "local rank -3|>= 0");
  o.local_rank = 0;
  o.begin_rows = -1;
  EXPECT(ds_pair_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "least rows|-1|>= 0");
  o.begin_rows = 0;
  o.backend = DS_BACKEND_HOST;
  o.isa = "sse9";
  EXPECT(ds_pair_open(&dpd, &o, &err), err, DS_ERR_ARGUMENT, "'sse9'|base|avx2|avx512");
  CHECK(ds_pair_open(&dpd, &o, NULL) == DS_ERR_ARGUMENT); /* a text is not required */
  o.isa = NULL;
  o.backend = DS_BACKEND_CUDA;
  if (ds_pair_open(&dpd, &o, &err) == DS_OK) {
    ds_pair_close(dpd);
  } else {
    CHECK(err.code == DS_ERR_NO_GPU || err.code == DS_ERR_DRIVER);
    CHECK(strlen(err.text) > 20 && dpd == NULL);
    /* auto falls back on the host, without a word of an error */
    o.backend = DS_BACKEND_AUTO;
    if (CHECK_OK(ds_pair_open(&dpd, &o, &err), err)) {
      CHECK(err.code == DS_OK && err.text[0] == '\0');
      CHECK(strcmp(ds_pair_get_info(dpd).backend, "host") == 0);
      ds_pair_close(dpd);
    }
  }
  ds_pair_close(NULL);
}

/* One value of a good model at a time is made bad. */
static void check_model(double *value, double bad, test_model *t, const char *words, int line)
{
  const double good = *value;
  ds_error err;
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  *value = bad;
  const ds_status status = ds_pair_set_model(dpd, &t->m, &err);
  check_error(status, &err, DS_ERR_ARGUMENT, words, __FILE__, line);
  ds_pair_close(dpd);
  *value = good;
}

/* A matrix that is not there is refused by its name, not read. */
static void test_missing_matrices(void)
{
  static test_model t;
  ds_error err;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  ds_pair_model without_cutoff = t.m, without_gamma = t.m;
  without_cutoff.cutoff = NULL;
  without_gamma.coeff[1] = NULL;
  ds_status status = ds_pair_set_model(dpd, &without_cutoff, &err);
  check_error(status, &err, DS_ERR_ARGUMENT, "cutoff|missing", __FILE__, __LINE__);
  status = ds_pair_set_model(dpd, &without_gamma, &err);
  check_error(status, &err, DS_ERR_ARGUMENT, "gamma|missing", __FILE__, __LINE__);
  ds_pair_close(dpd);
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
  BAD(t.power[3], inf, "power = inf|types 2 2|> 0 and <= 100");
  BAD(t.power[3], 100.0000001, "power = 100|types 2 2|> 0 and <= 100");
  BAD(t.power[3], 1e6, "power = 1e+06|types 2 2|> 0 and <= 100");
  BAD(t.a[1], 26.0, "types 1 2 and 2 1 differ");
  BAD(t.gamma[2], 5.0, "types 1 2 and 2 1 differ");
  BAD(t.cutoff[1], 2.0, "types 1 2 and 2 1 differ");
  BAD(t.power[2], 2.0, "types 1 2 and 2 1 differ");
#undef BAD
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  t.m.ntypes = 0;
  EXPECT(ds_pair_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT, "number of types 0|1 to 4096");
  t.m.ntypes = 4097;
  EXPECT(ds_pair_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT,
         "number of types 4097|1 to 4096");
  model_open(&t, 2, 25, 4.5, 0.0, 1.0, 0.3);
  EXPECT(ds_pair_set_model(dpd, &t.m, &err), err, DS_ERR_ARGUMENT, "no pair of types|cutoff > 0");
  ds_pair_close(dpd);
}

static void test_box(void)
{
  static test_model t;
  ds_error err;
  ds_box box;
  test_system s;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, 1.3, 0.3);
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  EXPECT(ds_pair_set_box(dpd, &s.box, &err), err, DS_ERR_ARGUMENT, "box set before the model");
  ds_pair_close(dpd);
  dpd = fresh(0, DS_PRECISION_MIXED);
  CHECK_OK(ds_pair_set_model(dpd, &t.m, &err), err);
  box = s.box;
  box.h[1] = 0.0;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y = 0|positive");
  box.h[1] = -4.0;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y = -4|positive");
  box.h[1] = NAN;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "box edge y|positive");
  box = s.box;
  box.ghost_reach[2] = 2e6;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "ghosts reach 2e+06|in z|2^20");
  box.ghost_reach[2] = -1.0;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT,
         "ghosts reach|cutoff and skin 1.3");
  box = s.box;
  box.lo[1] = NAN;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "lower corner y|finite");
  box = s.box;
  box.slack = -1.0;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "slack -1|>= 0");
  box = s.box;
  box.image_rate[5] = NAN;
  EXPECT(ds_pair_set_box(dpd, &box, &err), err, DS_ERR_ARGUMENT, "rate|finite");
  ds_pair_close(dpd);
  system_close(&s);
}

/* Positions are multiples of 2^-30 edges, fewer where ghosts reach far, 2^-62 in double precision: the edge at which
   that is coarser than allowed for the shortest cutoff, which is that of pairs that interact. */
static void test_resolution(void)
{
  static const double cutoff[2] = {1.0, 0.25};
  static test_model t;
  ds_error err;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 2; k++)
      for (int axis = 0; axis < 3; axis++) {
        test_system s;
        const double most = ldexp(1e-4 * cutoff[k], p ? 62 : 30);
        model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
        model_pair(&t, 2, 2, 25, 4.5, 0.0, 1.0);
        model_pair(&t, 1, 2, 25, 4.5, cutoff[k], 1.0);
        system_open(&s, lo, h, all_periodic, 1.3, 0.3);
        const ds_atoms a = atoms_of(&s);
        const ds_array x = array_of_doubles(s.x, 3);
        ds_pair *dpd = fresh(0, p ? DS_PRECISION_DOUBLE : DS_PRECISION_MIXED);
        CHECK_OK(ds_pair_set_model(dpd, &t.m, &err), err);
        CHECK(ds_pair_resolution(dpd) == 0.0);
        s.box.h[axis] = 0.999 * most;
        CHECK_OK(ds_pair_set_box(dpd, &s.box, &err), err);
        CHECK_OK(ds_pair_set_atoms(dpd, &a, &err), err);
        CHECK_OK(ds_pair_load(dpd, &x, &x, 0, &err), err);
        CHECK_BOUND(fabs(ds_pair_resolution(dpd) / 0.999e-4 - 1.0), 1e-12, "resolution");
        s.box.h[axis] = 1.001 * most;
        CHECK_OK(ds_pair_set_box(dpd, &s.box, &err), err);
        EXPECT(ds_pair_load(dpd, &x, &x, 1, &err), err, DS_ERR_ARGUMENT,
               p ? "box with edges|more than 0.0001 of the shortest cutoff|allowed: a smaller box"
                 : "box with edges|more than 0.0001 of the shortest cutoff|or precision double");
        ds_pair_close(dpd);
        system_close(&s);
      }
  /* ghosts that reach five boxes away leave two bits less */
  test_system s;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, lo, h, all_periodic, 1.3, 0.3);
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  CHECK_OK(ds_pair_set_model(dpd, &t.m, &err), err);
  s.box.h[0] = s.box.h[1] = s.box.h[2] = 4.0;
  CHECK_OK(ds_pair_set_box(dpd, &s.box, &err), err);
  const double whole = ds_pair_resolution(dpd);
  s.box.ghost_reach[1] = 5.0;
  CHECK_OK(ds_pair_set_box(dpd, &s.box, &err), err);
  CHECK(whole == ldexp(4.0, -30) && ds_pair_resolution(dpd) == ldexp(4.0, -28));
  ds_pair_close(dpd);
  system_close(&s);
}

static void test_atoms(void)
{
  ds_error err;
  ds_atoms a = atoms_of(&atoms_system);
  ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
  a.nlocal = -1;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY, "-1 own");
  a.nlocal = 1 << 29;
  a.nghost = 1 << 29;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY,
         "536870912 own and 536870912 ghost|2^30 - 1");
  a.nlocal = a.nghost = 0x7FFFFFFF;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_CAPACITY, "2147483647 own");
  ds_pair_close(dpd);
  for (int k = 0; k < 3; k++) {
    static const int bad[3] = {0, 3, -7};
    static const char *const text[3] = {"atom 1042 has type 0|1 to 2",
                                        "atom 1042 has type 3|1 to 2",
                                        "atom 1042 has type -7|1 to 2"};
    const int old = atoms_system.type[41];
    a = atoms_of(&atoms_system);
    dpd = with_box(0, DS_PRECISION_MIXED);
    atoms_system.type[41] = bad[k];
    EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, text[k]);
    atoms_system.type[41] = old;
    ds_pair_close(dpd);
  }
}

/* Arrays that are missing or of other elements; exclusions that cannot be. */
static void test_atom_arrays(void)
{
  ds_error err;
  const ds_array x = array_of_doubles(atoms_system.x, 3), none = array_none();
  ds_array wrong = x;
  ds_atoms a = atoms_of(&atoms_system);
  const ds_exclusion types = {DS_EXCLUDE_TYPES, 1, 3};
  wrong.type = DS_I32;
  ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
  a.tag = none;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "no array of atom IDs");
  a = atoms_of(&atoms_system);
  a.type.type = DS_I64;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "array of types|not allowed");
  a = atoms_of(&atoms_system);
  a.nexclusions = -1;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "-1 exclusions");
  a.nexclusions = 1;
  a.exclusion = &types;
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "types 1 and 3|1 to 2");
  a = atoms_of(&atoms_system);
  CHECK_OK(ds_pair_set_atoms(dpd, &a, &err), err);
  EXPECT(ds_pair_set_types(dpd, &none, &err), err, DS_ERR_ARGUMENT, "no array of types");
  EXPECT(ds_pair_load(dpd, &wrong, &x, 0, &err), err, DS_ERR_ARGUMENT, "array of positions");
  EXPECT(ds_pair_load(dpd, &x, &none, 0, &err), err, DS_ERR_ARGUMENT, "no array of velocities");
  ds_pair_close(dpd);
}

/* Signatures are made of the seed where atoms are loaded. */
static void test_other_seed(void)
{
  test_engine e;
  ds_pair_model other = model.m;
  other.seed++;
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  CHECK_OK(ds_pair_set_model(e.dpd, &other, &e.err), e.err);
  EXPECT(engine_forces(&e, 0), e.err, DS_ERR_ARGUMENT, "before positions");
  engine_close(&e);
}

/* And of its place among models with that seed, which leaves fewer steps. */
static void test_other_place(void)
{
  test_engine e;
  ds_pair_model other = model.m;
  other.place = 1;
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 1ll << 48), e.err);
  CHECK_OK(ds_pair_set_model(e.dpd, &other, &e.err), e.err);
  EXPECT(engine_forces(&e, 0), e.err, DS_ERR_ARGUMENT, "before positions");
  EXPECT(engine_load(&e, 1ll << 48), e.err, DS_ERR_ARGUMENT, "step 281474976710656|place 1|below 2^48");
  CHECK_OK(engine_load(&e, (1ll << 48) - 1), e.err);
  other.place = 32768;
  EXPECT(ds_pair_set_model(e.dpd, &other, &e.err), e.err, DS_ERR_ARGUMENT,
         "place 32768|must be below 32768");
  engine_close(&e);
}

/* Atoms of more types than the model has now: nothing may use them. */
static void test_fewer_types(void)
{
  static test_model one;
  test_engine e;
  model_open(&one, 1, 25, 4.5, 1.0, 1.0, 0.3);
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  CHECK_OK(ds_pair_set_model(e.dpd, &one.m, &e.err), e.err);
  EXPECT(engine_forces(&e, 0), e.err, DS_ERR_ARGUMENT, "before positions");
  engine_close(&e);
}

static void test_order(void)
{
  ds_error err;
  const ds_atoms a = atoms_of(&atoms_system);
  const ds_array x = array_of_doubles(atoms_system.x, 3), v = array_of_doubles(atoms_system.v, 3);
  const int n = atoms_system.nlocal, shift[3] = {0, 0, 0}, first = 0;
  int *owner = atoms_system.origin + n, *image = atoms_system.image + 3 * n;
  char buffer[64] = {0};
  ds_pair_request r;
  memset(&r, 0, sizeof r);
  ds_pair *dpd = fresh(0, DS_PRECISION_MIXED);
  EXPECT(ds_pair_set_atoms(dpd, &a, &err), err, DS_ERR_ARGUMENT, "atoms set before the model");
  CHECK_OK(ds_pair_set_model(dpd, &model.m, &err), err);
  EXPECT(ds_pair_load(dpd, &x, &v, 0, &err), err, DS_ERR_ARGUMENT, "loaded before box and atoms");
  CHECK_OK(ds_pair_set_box(dpd, &atoms_system.box, &err), err);
  EXPECT(ds_pair_load(dpd, &x, &v, 0, &err), err, DS_ERR_ARGUMENT, "loaded before box and atoms");
  EXPECT(ds_pair_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT,
         "owners set before atoms");
  CHECK_OK(ds_pair_set_atoms(dpd, &a, &err), err);
  EXPECT(ds_pair_pack_ghosts(dpd, 1, &first, shift, buffer, DS_SPACE_HOST, &err), err,
         DS_ERR_ARGUMENT, "packed before positions");
  EXPECT(ds_pair_unpack_ghosts(dpd, n, 1, buffer, DS_SPACE_HOST, &err), err, DS_ERR_ARGUMENT,
         "unpacked before positions");
  EXPECT(ds_pair_build_list(dpd, &err), err, DS_ERR_ARGUMENT, "built before positions");
  EXPECT(ds_pair_read_list(dpd, NULL, NULL, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "no list");
  EXPECT(ds_pair_load(dpd, &x, &v, -1, &err), err, DS_ERR_ARGUMENT, "time step -1|>= 0");
  CHECK_OK(ds_pair_load(dpd, &x, &v, 0, &err), err);
  EXPECT(ds_pair_compute(dpd, &r, NULL, &err), err, DS_ERR_ARGUMENT, "before positions and list");
  EXPECT(ds_pair_begin(dpd, &r, &err), err, DS_ERR_ARGUMENT, "before positions and list");
  if (!ds_pair_halted(dpd)) {
    EXPECT(ds_pair_pack_ghosts(dpd, 1, &first, shift, buffer, DS_SPACE_DEVICE, &err), err,
           DS_ERR_ARGUMENT, "in device memory with the host backend");
    EXPECT(ds_pair_unpack_ghosts(dpd, n, 1, buffer, DS_SPACE_DEVICE, &err), err, DS_ERR_ARGUMENT,
           "in device memory with the host backend");
  }
  EXPECT(ds_pair_unpack_ghosts(dpd, n - 1, 1, buffer, DS_SPACE_HOST, &err), err, DS_ERR_ARGUMENT,
         "ghosts 499 to 499|500");
  EXPECT(ds_pair_unpack_ghosts(dpd, n + atoms_system.nghost, 1, buffer, DS_SPACE_HOST, &err), err,
         DS_ERR_ARGUMENT, "not among 500");
  EXPECT(ds_pair_unpack_ghosts(dpd, n, -1, buffer, DS_SPACE_HOST, &err), err, DS_ERR_ARGUMENT,
         "not among 500");
  EXPECT(ds_pair_unpack_ghosts(dpd, n, 0x7FFFFFFF, buffer, DS_SPACE_HOST, &err), err,
         DS_ERR_ARGUMENT, "ghosts 500 to 2147484146|not among 500");
  owner[3] = n;
  EXPECT(ds_pair_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT,
         "owner 500 of ghost 3");
  owner[3] = -1;
  EXPECT(ds_pair_set_ghost_owners(dpd, owner, image, &err), err, DS_ERR_ARGUMENT,
         "owner -1 of ghost 3");
  owner[3] = atoms_system.origin[n + 3] = (int) (atoms_system.tag[n + 3] - 1001);
  /* after new atoms, positions and list of the old ones are void */
  CHECK_OK(ds_pair_set_ghost_owners(dpd, owner, image, &err), err);
  CHECK_OK(ds_pair_load(dpd, &x, &v, 0, &err), err);
  CHECK_OK(ds_pair_build_list(dpd, &err), err);
  CHECK_OK(ds_pair_set_atoms(dpd, &a, &err), err);
  EXPECT(ds_pair_compute(dpd, &r, NULL, &err), err, DS_ERR_ARGUMENT, "before positions and list");
  ds_pair_close(dpd);
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
  EXPECT(ds_pair_load(e.dpd, &x, &v, 0, &e.err), e.err, DS_ERR_ARGUMENT, "positions|device memory");
  x.space = DS_SPACE_HOST;
  v.space = DS_SPACE_DEVICE;
  EXPECT(ds_pair_load(e.dpd, &x, &v, 0, &e.err), e.err, DS_ERR_ARGUMENT,
         "velocities|device memory");
  engine_close(&e);
  for (int which = 0; which < 3; which++) {
    static const char *const name[3] = {"forces|device memory", "energies|device memory",
                                        "virials|device memory"};
    ds_pair_request r;
    if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
    CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
    memset(&r, 0, sizeof r);
    r.f = array_of_doubles(e.f, 3);
    r.eatom = array_of_doubles(e.eatom, 1);
    r.vatom = array_of_doubles(e.vatom, 6);
    (which == 0 ? &r.f : which == 1 ? &r.eatom : &r.vatom)->space = DS_SPACE_DEVICE;
    EXPECT(ds_pair_compute(e.dpd, &r, NULL, &e.err), e.err, DS_ERR_ARGUMENT, name[which]);
    engine_close(&e);
  }
  for (int which = 0; which < 4; which++) {
    static const char *const name[4] = {"IDs|device memory", "types|device memory",
                                        "special|device memory", "special|device memory"};
    ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
    system_chains(&atoms_system, 4);
    a = atoms_of(&atoms_system);
    (which == 0   ? &a.tag
     : which == 1 ? &a.type
     : which == 2 ? &a.nspecial
                  : &a.special)
        ->space = DS_SPACE_DEVICE;
    EXPECT(ds_pair_set_atoms(dpd, &a, &e.err), e.err, DS_ERR_ARGUMENT, name[which]);
    ds_pair_close(dpd);
  }
  atoms_system.max_special = 0;
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_open());
  CHECK_CASE(test_model_values());
  CHECK_CASE(test_missing_matrices());
  CHECK_CASE(test_box());
  CHECK_CASE(test_resolution());
  small_system();
  CHECK_CASE(test_atoms());
  CHECK_CASE(test_atom_arrays());
  CHECK_CASE(test_other_seed());
  CHECK_CASE(test_other_place());
  CHECK_CASE(test_fewer_types());
  CHECK_CASE(test_order());
  CHECK_CASE(test_memory_space());
  system_close(&atoms_system);
  return check_result();
}
