/* test_engine_sop_saved.c: states of ds_sop_save go on with the same bits, put together from several objects, too; and one that
   has been changed in any bit, cut or mixed up is refused, and changes nothing; one that was recorded is taken.
   SPDX-License-Identifier: GPL-2.0-or-later

   Each part of a state ends with its digest (cuda/sop/restart.c), which differs wherever one byte does. So no bit is harmless.
   */
#include "check.h"
#include "support/expect.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

enum { BEADS = 12, MOLECULES = 3, FREE = 2, ALL = MOLECULES * BEADS + FREE };

static test_molecule molecule;
static const ds_sop_motion begin = {100, 7, 1000.0, SOP_ZETA, SOP_KT},
                           after = {107, 9, 1000.0, SOP_ZETA, SOP_KT};

/* What acts besides the model. */
typedef struct {
  const char *rng;
  int pulled, pressed; /* pulled: 2 beads of different weights, by a plane */
  int turned; /* the speeds of both have changed in the meantime */
} acting;

static const acting all_acting[] = {
    {"tea", 0, 0, 0},       {"philox", 1, 0, 0},   {"tea", 0, 1, 0},     {"taus", 0, 0, 0}, {"ran2", 1, 1, 0},
    {"fibonacci", 1, 0, 0}, {"mrg32k3a", 0, 1, 0}, {"mt19937", 1, 1, 0}, {"lcg", 1, 1, 0},  {"philox", 1, 0, 1},
    {"tea", 0, 1, 1},       {"lcg", 1, 1, 1},      {"tea", 2, 0, 0},     {"lcg", 2, 1, 1}};
enum { ACTING = sizeof all_acting / sizeof *all_acting };

/* Some of the molecules, from number `first` on, and free beads, `first_free` on, of all there are. */
static ds_sop *object(ds_sop_options o, const acting *a, int first, int molecules, int first_free,
                      int free_beads)
{
  static const ds_sop_indent tip = {
    .radius = 15.0, .start = {1.0, -2.0, 33.0}, .direction = {0.0, 0.1, -1.0}, .spring = 3.0, .speed = 2e-5,
    .friction = 2.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.8
  };
  const int32_t fixed[2] = {0, 1}, pulled[2] = {BEADS - 1, BEADS - 2};
  const double weight[2] = {2.0, 1.5};
  const int sets = a->pulled == 2;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1 + sets, .pulled = 1 + sets, .fixed_bead = fixed, .pulled_bead = pulled,
    .spring = 0.05, .speed = 1e-5, .direction = {0.0, 0.0, (double) sets}, .pulled_weight = sets ? weight : NULL,
    .has_plane = sets, .plane = {0.0, 0.0, sets ? 8.0 : 0.0}
  };
  int64_t id[ALL];
  ds_error err;
  ds_sop *sop = NULL;
  double *const x = sop_copies(&molecule, MOLECULES, FREE, 100.0);
  const int bound = BEADS * molecules, from = BEADS * first, from_free = MOLECULES * BEADS + first_free;
  for (int b = 0; b < bound + free_beads; b++)
    id[b] = 1 + (b < bound ? from + b : from_free + b - bound);
  memmove(x, x + 3 * from, 3 * (size_t) bound * sizeof *x); /* the free beads' come from behind, if any */
  memmove(x + 3 * bound, x + 3 * from_free, 3 * (size_t) free_beads * sizeof *x);
  o.rng = a->rng;
  CHECK_OK(ds_sop_open(&sop, &o, &molecule.topology, &err), err);
  if (a->pulled) CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  if (a->pressed) CHECK_OK(ds_sop_set_indent(sop, &tip, &err), err);
  CHECK_OK(ds_sop_set_beads(sop, molecules, free_beads, id, &err), err);
  CHECK_OK(ds_sop_set_positions(sop, x, &err), err);
  free(x);
  return sop;
}

static ds_sop *whole(const ds_sop_options *o, const acting *a)
{
  return object(*o, a, 0, MOLECULES, 0, FREE);
}

/* The steps of `begin`, in which the speeds may change twice. */
static void make_first_steps(ds_sop *sop, const acting *a)
{
  static const double speed[3] = {0.0, -3e-5, 1e-4};
  ds_sop_motion part = begin;
  ds_error err;
  for (int k = 0; k < 3 && a->turned; k++) {
    part.steps = k < 2 ? 2 : begin.steps - 4;
    if (a->pulled && k > 0) {
      CHECK_OK(ds_sop_set_pull_speed(sop, speed[k - 1], &err), err);
    }
    if (a->pressed && k > 0) {
      CHECK_OK(ds_sop_set_indent_speed(sop, speed[k], &err), err);
    }
    CHECK_OK(ds_sop_advance(sop, &part, &err), err);
    part.first += part.steps;
  }
  if (!a->turned) CHECK_OK(ds_sop_advance(sop, &begin, &err), err);
}

static char *saved(const ds_sop *sop, size_t *size)
{
  ds_error err;
  *size = ds_sop_state_bytes(sop);
  char *const bytes = test_alloc(*size);
  CHECK_OK(ds_sop_save(sop, bytes, *size, &err), err);
  return bytes;
}

static uint64_t hash_after(ds_sop *sop, const ds_sop_motion *motion, size_t beads)
{
  ds_error err;
  CHECK_OK(ds_sop_advance(sop, motion, &err), err);
  double *const x = sop_positions(sop, beads);
  const uint64_t hash = sop_hash(x, 3 * beads);
  free(x);
  return hash;
}

static void move_to(ds_sop *to, const ds_sop *from)
{
  ds_error err;
  double *const x = sop_positions(from, ALL);
  CHECK_OK(ds_sop_set_positions(to, x, &err), err);
  free(x);
}

/* ----------------------------------------------------------------------------------------- goes on */

/* The states of two objects, one of the first molecule and a free bead, one of the others: header, molecules, beads of
   molecules, free beads. */
static char *put_together(const ds_sop_options *o, const acting *a, size_t *size)
{
  ds_sop *const part[2] = {object(*o, a, 0, 1, 0, 1), object(*o, a, 1, MOLECULES - 1, 1, FREE - 1)};
  const size_t molecules[2] = {1, MOLECULES - 1};
  ds_sop_state_sizes s;
  size_t bytes[2], at[2];
  char *state[2], *to;
  for (int k = 0; k < 2; k++) {
    make_first_steps(part[k], a);
    state[k] = saved(part[k], &bytes[k]);
  }
  ds_sop_state_parts(part[0], &s);
  CHECK(memcmp(state[0], state[1], s.header) == 0);
  char *const all = test_alloc(*size = bytes[0] + bytes[1] - s.header);
  memcpy(to = all, state[0], s.header);
  to += s.header;
  at[0] = at[1] = s.header;
  const size_t piece[3][2] = {{s.molecule * molecules[0], s.molecule * molecules[1]},
                              {s.bead * BEADS * molecules[0], s.bead * BEADS * molecules[1]},
                              {s.bead, s.bead * (FREE - 1)}};
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < 2; k++) {
      memcpy(to, state[k] + at[k], piece[p][k]);
      to += piece[p][k];
      at[k] += piece[p][k];
    }
  CHECK(to == all + *size && at[0] == bytes[0] && at[1] == bytes[1]);
  for (int k = 0; k < 2; k++) {
    ds_sop_close(part[k]);
    free(state[k]);
  }
  return all;
}

static void check_goes_on(const ds_sop_options *o, const acting *a)
{
  ds_error err;
  size_t size, size_of_both;
  ds_sop *const first = whole(o, a);
  make_first_steps(first, a);
  char *const state = saved(first, &size), *const both = put_together(o, a, &size_of_both);
  CHECK_MSG(size == size_of_both && memcmp(state, both, size) == 0, "%s: the parts make another state", a->rng);
  ds_sop *const again = whole(o, a);
  CHECK_OK(ds_sop_load(again, both, size_of_both, &err), err);
  CHECK(ds_sop_pull_speed(again) == ds_sop_pull_speed(first) && ds_sop_indent_speed(again) == ds_sop_indent_speed(first));
  move_to(again, first);
  CHECK_HEX(hash_after(again, &after, ALL), hash_after(first, &after, ALL));
  ds_sop_close(first);
  ds_sop_close(again);
  free(state);
  free(both);
}

/* ---------------------------------------------------------------------------------------- recorded */

/* A state of version 1, of lcg, a pull and a tip, of one molecule and a free bead, after the steps `begin`. Restart files have
   such states: so this one is taken by every later build. Where it is not, the program prints what it would have written. */
static const char recorded[] =
    "647064736f7062646c636700000000000000000000000000010000000c00000000000000000000000000000000408f40"
    "64000000000000006b000000000000006bc5cf3f3928340f010000000000000000000000000000000000000000408f40"
    "64000000000000006b00000000000000be1c8f15567b3fbe01000000000000007cfda39866e7c10ce8d5360400000000"
    "c652603901000000239b71c5000000001d05b32913c7953f34428d547429eb3f9bd7b77c95e7e03fd853749a00000000"
    "b205a68000000000dbeac44f0400000017b0ebfbffffffff0000000000000000000000000000000080c5104f906fe756"
    "50886891b745a216d2980fc2ed2f878117681ba07f4b19bdf48b6ca3764f67c190139bb500418f733870877157e6a84a"
    "960b20f2b9863bfd9ada0684ec34d79ede647de8f2b8035592679cf1ae89386298f63f575bd2ec13c5be6d040f4d8d99"
    "b163501f91b8dec593371e7e45f1aeab8645e1670703780769bc6c02d5c521d8240017838d2431157a27f37c5d34d0f8"
    "ff17d6530104841afb1488aa";

/* Of version 2, of philox, whose speeds have changed. */
static const char recorded_turned[] =
    "647064736f7062647068696c6f7800000000000000000000020000000c0000007b14ae47e17a943fb91e85eb51b89ebf"
    "68000000000000006b000000000000006bc5cf3f3928340f01000000000000007c14ae47e17a94bf9a9999999999b93f"
    "68000000000000006b00000000000000be1c8f15567b3fbe010000000000000020d697868feddc95691d554d1075ffbe"
    "01000000000000002d431cebe2361a3f0100000000000000ccdcf0321e794b12e8d5360400000000c652603901000000"
    "239b71c5000000001d05b32913c7953f34428d547429eb3f9bd7b77c95e7e03fd853749a00000000b205a68000000000"
    "dbeac44f040000005c5aeafbffffffff0000000000000000000000000000000050e51514641f58f6";

static char *read_hex(const char *hex, size_t *size)
{
  char *const bytes = test_alloc(*size = strlen(hex) / 2);
  for (size_t k = 0; k < *size; k++) {
    const char two[3] = {hex[2 * k], hex[2 * k + 1], '\0'};
    bytes[k] = (char) strtoul(two, NULL, 16);
  }
  return bytes;
}

/* What is wrong with a recorded state whose byte `at` has been changed. */
static const char *wrong_at(size_t at, const ds_sop_state_sizes *s)
{
  if (at < 8) return "are no state of SOP molecules";
  if (at >= 24 && at < 28) return "the state is of version|allowed are 1 and 2";
  if (at < s->header) return "the header of the state has been changed";
  return at < s->header + s->molecule ? "the state of the molecule of atom 1 has been changed"
                                      : "the state of the generator of atom|has been changed";
}

static void check_recorded(const ds_sop_options *o, const acting *a, const char *hex)
{
  ds_error err;
  size_t size, size_now, size_again;
  ds_sop_state_sizes sizes;
  char *const state = read_hex(hex, &size);
  ds_sop *const sop = object(*o, a, 0, 1, 0, 1), *const first = object(*o, a, 0, 1, 0, 1);
  make_first_steps(first, a);
  char *const now = saved(first, &size_now);
  CHECK_OK(ds_sop_load(sop, state, size, &err), err);
  char *const again = saved(sop, &size_again);
  const int same = size == size_now && size == size_again && !memcmp(state, again, size) && !memcmp(state, now, size);
  CHECK_MSG(same, "a recorded state of %zu bytes is not that of these steps, or another when it is saved again", size);
  for (size_t k = 0; k < size_now && !same; k++)
    printf("%s%02x%s", k % 48 ? "" : "    \"", (unsigned char) now[k], k % 48 == 47 || k == size_now - 1 ? "\"\n" : "");
  ds_sop_state_parts(sop, &sizes);
  for (size_t at = 0; at < size && same; at++) {
    state[at] ^= (char) (1 + at % 255);
    EXPECT(ds_sop_load(sop, state, size, &err), err, DS_ERR_ARGUMENT, wrong_at(at, &sizes));
    state[at] ^= (char) (1 + at % 255);
    EXPECT(ds_sop_load(sop, state, at, &err), err, DS_ERR_ARGUMENT, "been cut");
  }
  free(state);
  free(now);
  free(again);
  ds_sop_close(sop);
  ds_sop_close(first);
}

/* ----------------------------------------------------------------------------------------- refused */

static void refuse(ds_sop *sop, const char *state, size_t size, const char *what, size_t at)
{
  ds_error err = {DS_OK, ""};
  CHECK_MSG(ds_sop_load(sop, state, size, &err) == DS_ERR_ARGUMENT && err.text[0],
            "%s %zu: taken, or refused without a word", what, at);
}

/* Every bit of the smaller states, some thousand of the larger ones. */
static void check_bits(ds_sop *sop, char *state, size_t size, uint64_t seed)
{
  const size_t bits = 8 * size, most = check_brief() ? 500 : 40000;
  for (size_t k = 0; k < (bits < most ? bits : most); k++) {
    const size_t bit = bits < most ? k : (size_t) (check_random(&seed) % bits);
    state[bit / 8] ^= (char) (1 << bit % 8);
    refuse(sop, state, size, "bit", bit);
    state[bit / 8] ^= (char) (1 << bit % 8);
  }
}

/* Several bits at once, and bytes that are something else. */
static void check_more(ds_sop *sop, const char *state, size_t size, uint64_t seed)
{
  char *const bad = test_alloc(size);
  for (size_t k = 0; k < (check_brief() ? 100u : 3000u); k++) {
    memcpy(bad, state, size);
    for (size_t n = 2 + check_random(&seed) % 4; n > 0; n--)
      bad[check_random(&seed) % size] = (char) check_random(&seed);
    if (memcmp(bad, state, size)) refuse(sop, bad, size, "damage", k);
  }
  free(bad);
}

static void check_lengths(ds_sop *sop, const char *state, size_t size, uint64_t seed)
{
  char *const longer = test_alloc(size + 64);
  memset(longer, 0, size + 64);
  memcpy(longer, state, size);
  for (size_t n = 0; n < size; n += size < 4000 ? 1 : 1 + check_random(&seed) % (size / 1000))
    refuse(sop, longer, n, "length", n);
  refuse(sop, longer, size - 1, "length", size - 1);
  for (size_t n = 1; n <= 64; n++) refuse(sop, longer, size + n, "length", size + n);
  refuse(sop, NULL, size, "nothing, length", size);
  free(longer);
}

/* Two records change places. */
static void check_order(ds_sop *sop, char *state, size_t size)
{
  ds_sop_state_sizes s;
  ds_sop_state_parts(sop, &s);
  const size_t records[2] = {s.header, s.header + MOLECULES * s.molecule}, bytes[2] = {s.molecule, s.bead};
  char *const bad = test_alloc(size);
  for (int k = 0; k < 2; k++) {
    if (bytes[k] == 0) continue;
    memcpy(bad, state, size);
    memcpy(bad + records[k], state + records[k] + bytes[k], bytes[k]);
    memcpy(bad + records[k] + bytes[k], state + records[k], bytes[k]);
    refuse(sop, bad, size, "order of records", (size_t) k);
  }
  free(bad);
}

/* What is refused leaves the object as it was. */
static void check_damage(const ds_sop_options *o, const acting *a, uint64_t seed)
{
  ds_error err;
  size_t size;
  ds_sop *const sop = whole(o, a), *const twin = whole(o, a);
  make_first_steps(sop, a);
  make_first_steps(twin, a);
  char *const state = saved(sop, &size);
  check_bits(sop, state, size, seed);
  check_more(sop, state, size, seed);
  check_lengths(sop, state, size, seed);
  check_order(sop, state, size);
  CHECK_HEX(hash_after(sop, &after, ALL), hash_after(twin, &after, ALL));
  CHECK_OK(ds_sop_load(sop, state, size, &err), err);
  printf("  %-9s%s%s%s: a state of %zu bytes\n", a->rng, a->pulled ? ", pulled" : "", a->pressed ? ", pressed" : "",
         a->turned ? ", turned" : "", size);
  free(state);
  ds_sop_close(sop);
  ds_sop_close(twin);
}

/* Beads with other IDs, molecules of another size, another generator. */
static void check_others(const ds_sop_options *o)
{
  static const acting pulled = {"taus", 1, 0, 0}, other = {"lcg", 1, 0, 0}, plain = {"tea", 1, 0, 0};
  ds_error err;
  size_t size;
  ds_sop *const first = object(*o, &pulled, 0, 2, 0, 1), *const second = object(*o, &pulled, 1, 2, 0, 1),
               *const free_one = object(*o, &pulled, 0, 2, 1, 1), *const lcg = object(*o, &other, 0, 2, 0, 1),
               *const tea = object(*o, &plain, 0, 2, 0, 1), *const tea2 = object(*o, &plain, 1, 2, 0, 1);
  CHECK_OK(ds_sop_advance(first, &begin, &err), err);
  CHECK_OK(ds_sop_advance(tea, &begin, &err), err);
  char *state = saved(first, &size);
  EXPECT(ds_sop_load(second, state, size, &err), err, DS_ERR_ARGUMENT, "molecule of atom 13|another's");
  EXPECT(ds_sop_load(free_one, state, size, &err), err, DS_ERR_ARGUMENT, "generator of atom 38|another's");
  EXPECT(ds_sop_load(lcg, state, size, &err), err, DS_ERR_ARGUMENT,
         "a state of taus and molecules of 12 beads|no state of lcg");
  free(state);
  state = saved(tea, &size);
  EXPECT(ds_sop_load(tea2, state, size, &err), err, DS_ERR_ARGUMENT, "molecule of atom 13|another's");
  free(state);
  ds_sop_close(first);
  ds_sop_close(second);
  ds_sop_close(free_one);
  ds_sop_close(lcg);
  ds_sop_close(tea);
  ds_sop_close(tea2);
}

int main(int argc, char **argv)
{
  static const acting plain = {"lcg", 1, 1, 0}, turned = {"philox", 1, 1, 1};
  sop_variants variants;
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  molecule_folded(&molecule, BEADS, 900);
  for (int v = 0; v < variants.n; v++) {
    for (int k = 0; k < ACTING; k++) CHECK_CASE(check_goes_on(&variants.options[v], all_acting + k));
    CHECK_CASE(check_recorded(&variants.options[v], &plain, recorded));
    CHECK_CASE(check_recorded(&variants.options[v], &turned, recorded_turned));
    CHECK_CASE(check_others(&variants.options[v]));
  }
  for (int k = 0; k < ACTING; k++) CHECK_CASE(check_damage(&variants.options[0], all_acting + k, (uint64_t) k));
  molecule_close(&molecule);
  return check_result();
}
