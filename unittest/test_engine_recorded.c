/* test_engine_recorded.c: forces, energies and virials have the bits that are recorded here, in
   mixed and double precision.
   SPDX-License-Identifier: GPL-2.0-or-later

   test_engine_exact.c compares the code paths with each other, so it cannot notice a change that
   moves the bits of all of them alike. Here every code path is compared with numbers in this file.
   They may change only where the bits are meant to: where a comparison fails, the program ends with
   the lines of the table as it finds them.

   Inputs must be the same everywhere too. They are made of integers and exactly rounded operations,
   and so velocities are not those of system_fill, which takes logarithms from the C library. */
#include "check.h"
#include "support/answer.h"

static test_variants variants;
static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {1.9, -2.2, 3.1},
                    strong[3] = {-7.9, 9.6, 13.1};
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0},
                 yz_periodic[3] = {0, 1, 1};

/* ------------------------------------------------------------------------------------- recorded */

enum { MIXED, DOUBLE, PRECISIONS };
static const ds_precision precision[PRECISIONS] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};

typedef struct {
  const char *name;
  uint64_t hash[PRECISIONS];
} record;

static const record recorded[] = {
    {"one type", {0xFD99F9B77122DAE5u, 0xC57816A30DFFD44Eu}},
    {"two types, s = 0.25 and 0.5", {0x3B90550E14A330BBu, 0x029A7F3BFF9D97C2u}},
    {"special", {0xACAE9DC7E1FE580Au, 0x29936756252D3326u}},
    {"tilted", {0x16DD6893719F1891u, 0xE59FDB4E34D48508u}},
    {"tilted beyond the edges, special", {0x3132C50234BE94C8u, 0x7827C35C5CDA79ACu}},
    {"not periodic", {0x3F8265A3749D1108u, 0xB72B85C44CBFC9C6u}},
    {"smaller than two cutoffs, special", {0xE9AE084C8080CABEu, 0xF079E0E03DFDAAF1u}},
    {"smaller than one cutoff, tilted", {0x64E71BAA522B7A0Bu, 0xCF1CB136DF7AF3FFu}},
    {"tags beyond 32 bits, special", {0x3C17BFF1220EDF3Bu, 0x61897E43CC373AF9u}},
    {"tags on both sides of 2^32", {0xFBDA48BA7E91D079u, 0xC71C2B1630B653C5u}},
    {"cluster over two borders", {0x9F958CC8DBB3FED6u, 0xF95E2AB195874413u}},
};
enum { RECORDS = sizeof recorded / sizeof *recorded };

/* What the first code path gives, for the table that is printed. */
static uint64_t found[RECORDS][PRECISIONS];
static int compared[RECORDS];

/* FNV-1a (Fowler, Noll & Vo), from the least significant byte on, on any processor. */
static void hash_word(uint64_t *hash, uint64_t word)
{
  for (int k = 0; k < 8; k++) {
    *hash ^= (word >> (8 * k)) & 0xFFu;
    *hash *= 0x100000001B3u;
  }
}

static void hash_doubles(uint64_t *hash, const double *data, int n)
{
  for (int k = 0; k < n; k++) {
    uint64_t word;
    memcpy(&word, data + k, 8);
    hash_word(hash, word);
  }
}

static uint64_t hash_answer(const answer *a)
{
  uint64_t hash = 0xCBF29CE484222325u;
  hash_doubles(&hash, a->f, 3 * a->n);
  hash_doubles(&hash, a->eatom, a->n);
  hash_doubles(&hash, a->vatom, 6 * a->n);
  hash_doubles(&hash, &a->energy, 1);
  hash_doubles(&hash, a->virial, 6);
  for (int d = 0; d < 3; d++) hash_word(&hash, (uint64_t) a->sum[d]);
  return hash;
}

static int row_of(const char *name)
{
  for (int k = 0; k < RECORDS; k++)
    if (strcmp(recorded[k].name, name) == 0) return k;
  return CHECK_MSG(0, "%s is not in the table", name) - 1;
}

static void check_system(const char *name, const test_model *t, const test_system *s)
{
  const int row = row_of(name), alone = engine_alone(t, &s->box);
  const test_system view = system_alone(s);
  answer a;
  if (row < 0) return;
  compared[row]++;
  answer_open(&a, s->nlocal);
  for (int p = 0; p < PRECISIONS; p++)
    for (int k = 0; k < variants.n; k++) {
      variants.options[k].precision = precision[p]; /* for its name */
      if (!evaluate(&a, &variants.options[k], precision[p], t, s, NULL)) continue;
      const uint64_t hash = hash_answer(&a), expected = recorded[row].hash[p];
      if (k == 0) found[row][p] = hash;
      CHECK_MSG(hash == expected,
                "%s, %s: bits of forces, energies or virials differ from those recorded: "
                "0x%016" PRIX64 ", recorded 0x%016" PRIX64,
                name, variant_name(&variants.options[k]), hash, expected);
      if (!alone || !evaluate(&a, &variants.options[k], precision[p], t, &view, NULL)) continue;
      CHECK_MSG(hash_answer(&a) == expected, "%s, %s: other bits without ghosts", name,
                variant_name(&variants.options[k]));
    }
  printf("  %-40s %5d own, %6d ghosts\n", name, s->nlocal, s->nghost);
  answer_close(&a);
}

static void print_table(void)
{
  printf("the table as found:\n");
  for (int k = 0; k < RECORDS; k++)
    printf("    {\"%s\", {0x%016" PRIX64 "u, 0x%016" PRIX64 "u}},\n", recorded[k].name,
           found[k][MIXED], found[k][DOUBLE]);
}

/* -------------------------------------------------------------------------------------- systems */

/* Nearly normal with deviation 1: the sum of twelve uniform numbers, which is not rounded. */
static void set_velocities(test_system *s, uint64_t *seed)
{
  for (int k = 0; k < 3 * s->nlocal; k++) {
    int64_t sum = -6 * ((int64_t) 1 << 32);
    for (int m = 0; m < 12; m++) sum += (int64_t) (check_random(seed) >> 32);
    s->v[k] = (double) sum * (1.0 / 4294967296.0);
  }
}

static void random_box(const char *name, const test_model *t, int n, double edge,
                       const double skew[3], const int periodic[3], int chain, int64_t first_tag,
                       uint64_t seed)
{
  static const double lo[3] = {-1.25, 3.5, 0.0};
  const double h[6] = {edge, 1.125 * edge, 0.875 * edge, skew[0], skew[1], skew[2]};
  test_system s;
  system_open(&s, lo, h, periodic, model_range(t), t->m.skin);
  system_fill(&s, n, t->m.ntypes, 0.0, &seed);
  set_velocities(&s, &seed);
  if (chain) system_chains(&s, chain);
  system_shift_tags(&s, first_tag - 1);
  system_images(&s);
  check_system(name, t, &s);
  system_close(&s);
}

static void test_boxes(void)
{
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  random_box("one type", &t, 700, 6, no_tilt, all_periodic, 0, 1, 501);
  random_box("not periodic", &t, 500, 6, no_tilt, none_periodic, 0, 1, 502);
  random_box("smaller than one cutoff, tilted", &t, 3, 0.75, tilt, all_periodic, 0, 1, 503);
  random_box("tags on both sides of 2^32", &t, 400, 5, no_tilt, all_periodic, 0, 4294967096, 504);
  model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
  model_pair(&t, 1, 2, 60, 20, 1.3, 0.5);
  random_box("two types, s = 0.25 and 0.5", &t, 700, 6, no_tilt, all_periodic, 0, 1, 505);
  random_box("tilted", &t, 500, 6, tilt, all_periodic, 0, 1, 506);
  t.m.special[1] = 0.0;
  t.m.special[2] = 0.3;
  t.m.special[3] = 0.77;
  random_box("special", &t, 500, 6, no_tilt, yz_periodic, 6, 1, 507);
  random_box("tilted beyond the edges, special", &t, 300, 6, strong, all_periodic, 6, 1, 508);
  random_box("smaller than two cutoffs, special", &t, 15, 1.75, no_tilt, all_periodic, 5, 1, 509);
  random_box("tags beyond 32 bits, special", &t, 400, 5, no_tilt, all_periodic, 4, 7000000001, 510);
}

/* Rows of some hundreds, and atoms on top of each other. */
static void test_cluster(void)
{
  static const double lo[3] = {0, 0, 0}, h[6] = {6, 6, 6, 0, 0, 0}, at[3] = {0.5, 5.9, 3};
  test_model t;
  test_system s;
  uint64_t seed = 520;
  model_open(&t, 2, 25, 4.5, 1.0, 2.0, 0.3);
  model_pair(&t, 2, 2, 15, 3, 0.8, 1.0);
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_ball(&s, 400, at, 0.4, 2, 0.0, &seed);
  system_ball(&s, 10, at, 0.0, 2, 0.0, &seed);
  system_fill(&s, 200, 2, 0.0, &seed);
  set_velocities(&s, &seed);
  system_wrap(&s);
  system_images(&s);
  check_system("cluster over two borders", &t, &s);
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_boxes());
  CHECK_CASE(test_cluster());
  for (int k = 0; k < RECORDS && check_all(); k++)
    CHECK_MSG(compared[k] == 1, "%s: computed %d times", recorded[k].name, compared[k]);
  if (check_failed) print_table();
  return check_result();
}
