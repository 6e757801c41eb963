/* test_engine_misuse.c: what a caller can do wrong with the pair, the resident and the generators' interface, and what
   only looks wrong: an error that names it, never a crash, never a wrong answer without a word. Of most use under
   sanitizers.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_misuse cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "support/reference_integrator.h"
#include "support/errors.h"
#include "dpdsop/rng.h"

/* The name of a code path is the caller's memory, and may be gone when the object is used. */
static void test_name_of_code_path(void)
{
  for (int k = 0; k < variants.n; k++) {
    char name[16] = "base";
    ds_pair_options o = variants.options[k];
    ds_error err;
    ds_resident *r = NULL;
    ds_pair *p = NULL;
    o.isa = name;
    if (!CHECK_OK(ds_pair_open(&p, &o, &err), err)) continue;
    strcpy(name, "gone");
    if (CHECK_OK(ds_resident_open(&r, p, 0, &err), err)) ds_resident_close(r);
    if (o.backend != DS_BACKEND_CUDA) CHECK(strcmp(ds_pair_get_info(p).variant, "base") == 0);
    ds_pair_close(p);
  }
}

/* ------------------------------------------------------------------------------------------- opening */

static void test_options(void)
{
  ds_error err;
  ds_pair *p = (ds_pair *) &variants;
  ds_rng *g = (ds_rng *) &variants;
  ds_pair_options o = variants.options[0];
  EXPECT(ds_pair_open(NULL, &o, &err), err, DS_ERR_ARGUMENT, "no place for a pair object (NULL)");
  if (CHECK_OK(ds_pair_open(&p, NULL, &err), err)) { /* all that is zero is the default */
    const ds_pair_info info = ds_pair_get_info(p);
    CHECK((strcmp(info.backend, "host") == 0) == (info.no_gpu[0] != '\0'));
    ds_pair_close(p);
    p = NULL;
  }
  o.threads = 4097;
  EXPECT(ds_pair_open(&p, &o, &err), err, DS_ERR_ARGUMENT, "threads 4097|to 4096");
  for (int bad = -1; bad < 20; bad += bad < 0 ? 4 : 7) { /* -1, 3, 10, 17 */
    char words[60];
    o = variants.options[0];
    o.precision = (ds_precision) bad;
    snprintf(words, sizeof words, "precision %d|0 (mixed)|1 (double)", bad);
    EXPECT(ds_pair_open(&p, &o, &err), err, DS_ERR_ARGUMENT, words);
    o.precision = DS_PRECISION_MIXED;
    o.backend = (ds_backend) bad;
    snprintf(words, sizeof words, "backend %d|0 (auto)|2 (cuda)", bad);
    EXPECT(ds_pair_open(&p, &o, &err), err, DS_ERR_ARGUMENT, words);
    CHECK(p == NULL);
    ds_rng_options q;
    memset(&q, 0, sizeof q);
    q.generator = "philox";
    q.backend = (ds_backend) bad;
    EXPECT(ds_rng_open(&g, &q, &err), err, DS_ERR_ARGUMENT, words);
    CHECK(g == NULL);
  }
}

static void test_missing_settings(void)
{
  ds_error err;
  ds_pair *const p = fresh(0, DS_PRECISION_MIXED);
  EXPECT(ds_pair_set_model(p, NULL, &err), err, DS_ERR_ARGUMENT, "no model (NULL)");
  CHECK_OK(ds_pair_set_model(p, &model.m, &err), err);
  EXPECT(ds_pair_set_box(p, NULL, &err), err, DS_ERR_ARGUMENT, "no box (NULL)");
  for (int k = 0; k < 3; k++) {
    static const char *const words[3] = {"tilt nan", "subdomain from nan", "subdomain from|to nan"};
    ds_box box = atoms_system.box;
    *(k == 0 ? &box.h[4] : k == 1 ? &box.sublo[2] : &box.subhi[0]) = NAN;
    EXPECT(ds_pair_set_box(p, &box, &err), err, DS_ERR_ARGUMENT, words[k]);
  }
  CHECK_OK(ds_pair_set_box(p, &atoms_system.box, &err), err);
  EXPECT(ds_pair_set_atoms(p, NULL, &err), err, DS_ERR_ARGUMENT, "no atoms (NULL)");
  ds_pair_close(p);
}

/* --------------------------------------------------------------------------------------------- atoms */

enum { NO_DATA, UNKNOWN_TYPE, WRONG_TYPE, UNKNOWN_MEMORY, WAYS_TO_SPOIL };

/* What is wrong with an array of `what`. */
static void spoil(ds_array *a, int way, const char *what, char words[80])
{
  static const char *const text[WAYS_TO_SPOIL] = {
      "no array of %s|NULL", "%s|elements of no known|allowed", "%s|elements of F64|allowed",
      "%s|memory 5|allowed"};
  snprintf(words, 80, text[way], what);
  if (way == NO_DATA)
    a->data = NULL;
  else if (way == UNKNOWN_TYPE)
    a->type = (ds_type) 9;
  else if (way == WRONG_TYPE)
    a->type = DS_F64;
  else
    a->space = (ds_space) 5;
}

/* Each array of the atoms in turn, in each way, where it is asked for. */
static void test_arrays_of_atoms(void)
{
  static const char *const what[6] = {"atom IDs", "types",       "special counts",
                                      "special",  "group masks", "molecules"};
  static const ds_exclusion rules[2] = {{DS_EXCLUDE_GROUPS, 1, 2},
                                        {DS_EXCLUDE_SAME_MOLECULE, 1, 0}};
  ds_error err;
  uint64_t seed = 7;
  system_chains(&atoms_system, 4);
  system_groups(&atoms_system, 4, &seed);
  for (int which = 0; which < 6; which++)
    for (int way = 0; way < WAYS_TO_SPOIL; way++) {
      char words[80];
      ds_atoms a = atoms_of(&atoms_system);
      a.nexclusions = 2;
      a.exclusion = rules;
      ds_array *const all[6] = {&a.tag, &a.type, &a.nspecial, &a.special, &a.mask, &a.molecule};
      if (which == 2 && way == NO_DATA) continue; /* there are none */
      spoil(all[which], way, what[which], words);
      ds_pair *const p = with_box(0, DS_PRECISION_MIXED);
      EXPECT(ds_pair_set_atoms(p, &a, &err), err, DS_ERR_ARGUMENT, words);
      ds_pair_close(p);
    }
  ds_pair *const p = with_box(0, DS_PRECISION_MIXED);
  ds_atoms a = atoms_of(&atoms_system);
  a.nexclusions = 2;
  a.exclusion = NULL;
  EXPECT(ds_pair_set_atoms(p, &a, &err), err, DS_ERR_ARGUMENT, "no array of exclusions (NULL)");
  atoms_system.max_special = 0;
  ds_pair_close(p);
}

/* A process that has ghosts only: their identities are read all the same. */
static void test_ghosts_only(void)
{
  ds_error err;
  ds_atoms a = atoms_of(&atoms_system);
  ds_pair *const p = with_box(0, DS_PRECISION_MIXED);
  a.nlocal = 0;
  a.nghost = 3;
  a.tag.data = NULL;
  EXPECT(ds_pair_set_atoms(p, &a, &err), err, DS_ERR_ARGUMENT, "no array of atom IDs (NULL)");
  ds_pair_close(p);
}

/* Counts of special partners are cumulative. */
static void test_special_counts(void)
{
  static const int32_t bad[4][3] = {{-1, 0, 0}, {3, 2, 4}, {1, 4, 2}, {0, 0, INT32_MIN}};
  ds_error err;
  system_chains(&atoms_system, 4);
  for (int k = 0; k < 4; k++)
    for (int v = 0; v < variants.n; v++) {
      int32_t *const counts = atoms_system.nspecial + 3 * (k % 2 ? 499 : 123), good[3];
      char words[80];
      const ds_atoms a = atoms_of(&atoms_system);
      memcpy(good, counts, sizeof good);
      memcpy(counts, bad[k], sizeof good);
      snprintf(words, sizeof words, "own atom %d|%d, %d and %d|special", k % 2 ? 499 : 123,
               bad[k][0], bad[k][1], bad[k][2]);
      ds_pair *const p = with_box(v, DS_PRECISION_MIXED);
      EXPECT(ds_pair_set_atoms(p, &a, &err), err, DS_ERR_ARGUMENT, words);
      ds_pair_close(p);
      memcpy(counts, good, sizeof good);
    }
  atoms_system.max_special = 0;
}

/* ----------------------------------------------------------------------------- ghosts, lists, results */

static void test_ghost_calls(void)
{
  ds_error err;
  const int list[1] = {0}, shift[3] = {0, 0, 0}, n = atoms_system.nlocal;
  char buffer[64] = {0};
  test_engine e;
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  int *const owner = atoms_system.origin + n, *const image = atoms_system.image + 3 * n;
#define PACK(n, list, shift, buffer, space, words)                                                 \
  EXPECT(ds_pair_pack_ghosts(e.dpd, n, list, shift, buffer, (ds_space) space, &err), err,          \
         DS_ERR_ARGUMENT, words)
  PACK(-1, list, shift, buffer, DS_SPACE_HOST, "-1 ghosts to pack");
  PACK(1, NULL, shift, buffer, DS_SPACE_HOST, "no list of ghosts");
  PACK(1, list, NULL, buffer, DS_SPACE_HOST, "no shift of ghosts");
  PACK(1, list, shift, NULL, DS_SPACE_HOST, "no buffer of ghosts");
  PACK(1, list, shift, buffer, 4, "memory 4|0 and 1");
#undef PACK
  EXPECT(ds_pair_unpack_ghosts(e.dpd, n, 1, NULL, DS_SPACE_HOST, &err), err, DS_ERR_ARGUMENT,
         "no buffer of ghosts");
  EXPECT(ds_pair_unpack_ghosts(e.dpd, n, 1, buffer, (ds_space) 4, &err), err, DS_ERR_ARGUMENT,
         "memory 4|0 and 1");
  EXPECT(ds_pair_set_ghost_owners(e.dpd, NULL, image, &err), err, DS_ERR_ARGUMENT,
         "no array of ghosts' owners");
  EXPECT(ds_pair_set_ghost_owners(e.dpd, owner, NULL, &err), err, DS_ERR_ARGUMENT,
         "no array of ghosts' images");
  engine_close(&e);
}

static void test_reading_lists(void)
{
  ds_error err;
  const int n = atoms_system.nlocal;
  int rows, *const out = test_alloc(sizeof(int) * (size_t) n);
  int64_t *const start = test_alloc(sizeof(int64_t) * ((size_t) n + 1));
  test_engine e;
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  EXPECT(ds_pair_read_list(e.dpd, NULL, out, start, NULL, &err), err, DS_ERR_ARGUMENT,
         "no place for the number");
  EXPECT(ds_pair_read_list(e.dpd, &rows, NULL, start, NULL, &err), err, DS_ERR_ARGUMENT,
         "no array of the rows' atoms");
  EXPECT(ds_pair_read_list(e.dpd, &rows, out, NULL, NULL, &err), err, DS_ERR_ARGUMENT,
         "no array of where rows start");
  CHECK_OK(ds_pair_read_list(e.dpd, &rows, out, start, NULL, &err), err);
  CHECK_INT(rows, n);
  engine_close(&e);
  free(out), free(start);
}

/* Arrays of results that are missing or of other elements: none is written to, of no call. */
static void test_results(void)
{
  static const char *const what[3] = {"forces", "energies", "virials"};
  test_engine e;
  ds_pair_request r;
  ds_error err;
  if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) return;
  CHECK_OK(engine_setup(&e, &model, &atoms_system, 0), e.err);
  CHECK_OK(engine_forces(&e, 1), e.err);
  EXPECT(ds_pair_compute(e.dpd, NULL, NULL, &err), err, DS_ERR_ARGUMENT, "no results wanted (NULL)");
  EXPECT(ds_pair_enqueue(e.dpd, NULL, &err), err, DS_ERR_ARGUMENT, "no results wanted (NULL)");
  EXPECT(ds_pair_check(e.dpd, &e.totals, NULL, &err), err, DS_ERR_ARGUMENT, "no place for the step");
  for (int which = 0; which < 3; which++)
    for (int type = 0; type < 4; type++) {
      const double before = e.f[0];
      char words[60];
      memset(&r, 0, sizeof r);
      r.f = array_of_doubles(e.f, 3);
      r.eatom = array_of_doubles(e.eatom, 1);
      r.vatom = array_of_doubles(e.vatom, 6);
      ds_array *const a = which == 0 ? &r.f : which == 1 ? &r.eatom : &r.vatom;
      if (type == 3) {
        a->data = NULL;
        snprintf(words, sizeof words, "no array of %s|NULL", what[which]);
        if (which > 0) continue; /* not wanted */
      } else {
        a->type = type == 0 ? DS_I32 : type == 1 ? DS_I64 : (ds_type) -1;
        snprintf(words, sizeof words, "%s|elements of %s|F64 and F32", what[which],
                 type == 0   ? "I32"
                 : type == 1 ? "I64"
                             : "no known type");
      }
      EXPECT(ds_pair_enqueue(e.dpd, &r, &err), err, DS_ERR_ARGUMENT, words);
      EXPECT(ds_pair_compute(e.dpd, &r, NULL, &err), err, DS_ERR_ARGUMENT, words);
      CHECK(e.f[0] == before);
    }
  const ds_array narrow = {e.f, DS_F32, DS_SPACE_HOST, 3, 1}, none = array_none();
  EXPECT(ds_pair_get_velocities(e.dpd, NULL, &err), err, DS_ERR_ARGUMENT, "no array of velocities");
  EXPECT(ds_pair_get_velocities(e.dpd, &none, &err), err, DS_ERR_ARGUMENT,
         "no array of velocities");
  EXPECT(ds_pair_get_velocities(e.dpd, &narrow, &err), err, DS_ERR_ARGUMENT, "F32|F64");
  EXPECT(ds_pair_load(e.dpd, NULL, &none, 0, &err), err, DS_ERR_ARGUMENT, "no array of positions");
  EXPECT(ds_pair_set_types(e.dpd, NULL, &err), err, DS_ERR_ARGUMENT, "no array of types");
  engine_close(&e);
}

/* -------------------------------------------------------------------------------------- resident atoms */

static const setting moved = {
    .name = "moved", ALL_MOVE, .rule = {2, 0, 1, 0.02}, .steps = 10, .stretch = 10};

typedef struct {
  atoms a;
  ds_pair *p;
  ds_resident *r;
} moving;

static void moving_open(moving *m, const ds_pair_options *o, int apart)
{
  atoms_open(&m->a, ATOMS);
  atoms_fill(&m->a, &moved, 5);
  m->p = pair_of(o, DS_PRECISION_MIXED, &moved, &m->a);
  m->r = resident_in(m->p, &m->a, &moved, apart);
}

static void moving_close(moving *m)
{
  ds_resident_close(m->r);
  ds_pair_close(m->p);
  atoms_close(&m->a);
}

/* Types beyond the masses that there are, of one atom or because masses of too few types are given. */
static void test_masses(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int apart = 0; apart < 2; apart++) {
      moving m;
      ds_error err;
      moving_open(&m, &variants.options[v], apart);
      ds_resident_atoms few = fields_of(&m.a, &moved), all = few;
      few.ntypes = 1;
      EXPECT(ds_resident_set_atoms(m.r, &few, &err), err, DS_ERR_ARGUMENT,
             "resident atom 0 has type 2|masses of 1 to 1");
      const int bad[3] = {0, 3, -5};
      for (int k = 0; k < 3; k++) {
        char words[60];
        const int i = k == 1 ? ATOMS - 1 : 100 + k, good = m.a.type[i];
        snprintf(words, sizeof words, "resident atom %d has type %d|1 to 2", i, bad[k]);
        m.a.type[i] = bad[k];
        EXPECT(ds_resident_set_atoms(m.r, &all, &err), err, DS_ERR_ARGUMENT, words);
        EXPECT(ds_resident_to_engine(m.r, DS_ALL_FIELDS, &err), err, DS_ERR_ARGUMENT, words);
        CHECK_OK(ds_resident_to_engine(m.r, DS_POSITION, &err), err);
        m.a.type[i] = good;
      }
      m.a.type[7] = 5; /* of no account where each atom has its mass */
      few.rmass = array_of_doubles(m.a.rmass, 1);
      few.rmass.component_stride = 1;
      CHECK_OK(ds_resident_set_atoms(m.r, &few, &err), err);
      moving_close(&m);
    }
}

/* Each pointer that a call takes, and what has to be set before it. */
static void test_resident_calls(void)
{
  moving m;
  ds_error err;
  ds_resident *r = NULL, *fresh_one = NULL;
  int flag;
  moving_open(&m, &variants.options[0], 1);
#define REFUSED(call, words) EXPECT(call, err, DS_ERR_ARGUMENT, words)
  REFUSED(ds_resident_open(NULL, m.p, 0, &err), "no place for resident atoms");
  REFUSED(ds_resident_open(&r, NULL, 0, &err), "no pair object");
  REFUSED(ds_resident_set_atoms(m.r, NULL, &err), "no resident atoms");
  REFUSED(ds_resident_set_steps(m.r, NULL, &err), "no operations");
  REFUSED(ds_resident_set_wrap(m.r, NULL, &err), "no box");
  REFUSED(ds_resident_to_engine(m.r, 128 | DS_FORCE, &err), "set of fields 132");
  REFUSED(ds_resident_to_host(m.r, -1, &err), "set of fields -1");
  REFUSED(ds_resident_step_sums(m.r, NULL, &err), "no place for sums");
  REFUSED(ds_resident_operate(m.r, 1, 0, 33, 0, 0, &err), "operations 0 to 33");
  REFUSED(ds_resident_has_moved(m.r, 0.1, NULL, &err), "no place for whether atoms have moved");
  REFUSED(ds_resident_has_moved(m.r, NAN, &flag, &err), "nan must be >= 0");
  REFUSED(ds_resident_bonded_forces(m.r, 1, NULL, NULL, &err), "no place for whether bonds");
  REFUSED(ds_resident_reneighbor(m.r, 1, NULL, &err), "no place for whether atoms are outside");
  REFUSED(ds_resident_sort(m.r, NULL, &err), "no bins");
  const ds_sort_bins bins = {{3, 3, 3}, {low[0], low[1], low[2]}, {0.5, 0.4, 0.3}};
  ds_sort_bins bad = bins;
  bad.lo[1] = NAN;
  REFUSED(ds_resident_sort(m.r, &bad, &err), "bins from nan|axis 1");
  bad = bins;
  bad.inverse[2] = INFINITY;
  REFUSED(ds_resident_sort(m.r, &bad, &err), "bins of edge|axis 2");
  m.a.x[0] = 1e300; /* counted to the last bin, as all that lies beyond it */
  m.a.x[4] = -1e300;
  CHECK_OK(ds_resident_to_engine(m.r, DS_ALL_FIELDS | DS_TAG, &err), err);
  CHECK_OK(ds_resident_sort(m.r, &bins, &err), err);
  REFUSED(ds_resident_order(m.r, NULL, &err), "no array of the atoms' order");
  /* nothing set yet but atoms */
  const ds_resident_atoms fields = fields_of(&m.a, &moved);
  if (CHECK_OK(ds_resident_open(&fresh_one, m.p, 0, &err), err)) {
    CHECK_OK(ds_resident_set_atoms(fresh_one, &fields, &err), err);
    REFUSED(ds_resident_operate(fresh_one, 1, 0, 0, 0, 0, &err), "no steps have been set");
    REFUSED(ds_resident_reneighbor(fresh_one, 1, &flag, &err), "no box to wrap in has been set");
    REFUSED(ds_resident_has_moved(fresh_one, 0.1, &flag, &err), "no reference positions");
    REFUSED(ds_resident_reference_to_host(fresh_one, &err), "no reference positions");
    ds_wrap w = wrap_of(&moved);
    w.image_bits = 21;
    CHECK_OK(ds_resident_set_wrap(fresh_one, &w, &err), err);
    REFUSED(ds_resident_reneighbor(fresh_one, 1, &flag, &err), "3 times 21 bits|at most 10");
    ds_resident_close(fresh_one);
  }
  moving_close(&m);
}

static void test_resident_run(void)
{
  moving m;
  ds_error err;
  ds_run_result reached;
  ds_run_request s;
  moving_open(&m, &variants.options[0], 0);
  memset(&s, 0, sizeof s);
  s.first = 1;
  s.last = 4;
  s.rule = moved.rule;
  s.hand_over = INT64_MAX;
  const ds_run_request good = s;
  REFUSED(ds_resident_run(m.r, NULL, &reached, &err), "no steps");
  REFUSED(ds_resident_run(m.r, &s, NULL, &err), "no place for where steps end");
  s.rule.trigger2 = NAN;
  REFUSED(ds_resident_run(m.r, &s, &reached, &err), "nan that rebuilds lists");
  s = good;
  s.last = INT64_MAX;
  REFUSED(ds_resident_run(m.r, &s, &reached, &err), "steps 1 to 9223372036854775807");
  s = good;
  s.virial = -1;
  REFUSED(ds_resident_run(m.r, &s, &reached, &err), "virial -1 wanted; allowed: 0 (none), 1 (whole), 2 (its diagonal)");
  s = good;
  s.reneighbored = 2;
  REFUSED(ds_resident_run(m.r, &s, &reached, &err), "rebuilt in step 2");
  s.reneighbored = INT64_MIN;
  REFUSED(ds_resident_run(m.r, &s, &reached, &err), "rebuilt in step -9223372036854775808");
  /* the pair object has more atoms than there are: it would read beyond them */
  ds_resident_atoms fewer = fields_of(&m.a, &moved);
  fewer.n -= 200;
  CHECK_OK(ds_resident_set_atoms(m.r, &fewer, &err), err);
  REFUSED(ds_resident_run(m.r, &good, &reached, &err), "500 resident atoms|700 own ones");
  const ds_resident_atoms all = fields_of(&m.a, &moved);
  CHECK_OK(ds_resident_set_atoms(m.r, &all, &err), err);
  REFUSED(ds_resident_run(m.r, &good, &reached, &err), "no reference positions");
  CHECK_OK(ds_resident_to_engine(m.r, DS_ALL_FIELDS, &err), err);
  CHECK_OK(ds_resident_set_reference(m.r, &err), err);
  CHECK_OK(ds_resident_run(m.r, &good, &reached, &err), err);
  CHECK_INT(reached.whole, 1);
  moving_close(&m);
}
#undef REFUSED

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  CHECK_CASE(test_name_of_code_path());
  CHECK_CASE(test_options());
  CHECK_CASE(test_missing_settings());
  CHECK_CASE(test_arrays_of_atoms());
  CHECK_CASE(test_ghosts_only());
  CHECK_CASE(test_special_counts());
  CHECK_CASE(test_ghost_calls());
  CHECK_CASE(test_reading_lists());
  CHECK_CASE(test_results());
  CHECK_CASE(test_masses());
  CHECK_CASE(test_resident_calls());
  CHECK_CASE(test_resident_run());
  system_close(&atoms_system);
  return check_result();
}
