/* test_engine_rng_mrg32k3a.c: MRG32k3a against the published numbers, its arithmetic against integers, and skip-ahead
   against stepping.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/mrg32k3a.h"
#include "dpdsop/device/rng/number.h"
#include "support/rng.h"
#include "support/system.h"

#define M1 4294967087u
#define M2 4294944443u

static ds_mrg32k3a_powers powers;

/* The recurrence once more, in plain integers. */
static uint32_t step(uint32_t s[6])
{
  const uint32_t x = (uint32_t) ((1403580ull * s[1] + (uint64_t) (M1 - 810728u) * s[0] % M1) % M1);
  const uint32_t y = (uint32_t) ((527612ull * s[5] + (uint64_t) (M2 - 1370589u) * s[3] % M2) % M2);
  memmove(s, s + 1, 5 * sizeof *s);
  s[2] = x;
  s[5] = y;
  return x > y ? x - y : (uint32_t) (x + (uint64_t) M1 - y);
}

static void check_state(const uint32_t got[6], const uint32_t expected[6], const char *what)
{
  for (int k = 0; k < 6; k++)
    CHECK_MSG(got[k] == expected[k], "%s: residue %d is %u, expected %u", what, k, got[k],
              expected[k]);
}

/* ---------------------------------------------------------------------------------- known answers */

/* From the output of the test program test2 of L'Ecuyer's library RngStreams (printed with 15 digits): streams are 2^127
   numbers apart, substreams 2^76. The first uniform numbers are those of every account of the generator. */
static const uint32_t
    PUBLISHED_SEED[6] = {12345, 12345, 12345, 12345, 12345, 12345},
    AFTER_35[6] = {1040577685u, 3747037609u, 277208355u, 1712706441u, 627445683u, 2408037141u},
    STREAM_2[6] = {3692455944u, 1366884236u, 2968912127u, 335948734u, 4161675175u, 475798818u},
    STREAM_3[6] = {1015873554u, 1310354410u, 2249465273u, 994084013u, 2912484720u, 3876682925u},
    OF_ONES[4][6] = {{1, 1, 1, 1, 1, 1},
                     {2662865579u, 741857976u, 4206142246u, 3352832365u, 2519202871u, 655500294u},
                     {3784663252u, 802042081u, 160569404u, 3391851556u, 2150317468u, 54240022u},
                     {3276123839u, 3170955788u, 1470482105u, 884064067u, 1017894425u, 16401881u}};
static const double FIRST[5] = {0.12701112204657714, 0.3185275653967945, 0.3091860155832701,
                                0.8258468629271136, 0.2216299157820229},
                    NUMBER_36 = 0.0794167361498534,
                    FIRST_OF_3[5] = {0.728509786196527, 0.965587282283733, 0.996184130480117,
                                     0.114988416181316, 0.973145419129694},
                    FIRST_OF_3_AND_4[5] = {0.173454539635811, 0.032863516089416, 0.264316912968158,
                                           0.305940360211673, 0.547630303517707};

/* The matrices over 2^76 and 2^127 words in the source of that library. */
static const ds_mrg32k3a_matrix OVER_76 = {{82758667u, 1871391091u, 4127413238u, 3672831523u,
                                            69195019u, 1871391091u, 3672091415u, 3528743235u,
                                            69195019u},
                                           {1511326704u, 3759209742u, 1610795712u, 4292754251u,
                                            1511326704u, 3889917532u, 3859662829u, 4292754251u,
                                            3708466080u}},
                                OVER_127 = {
                                    {2427906178u, 3580155704u, 949770784u, 226153695u, 1230515664u,
                                     3580155704u, 1988835001u, 986791581u, 1230515664u},
                                    {1464411153u, 277697599u, 1610723613u, 32183930u, 1464411153u,
                                     1022607788u, 2824425944u, 32183930u, 2093834863u}};

static void check_uniform_5(const uint32_t seed[6], const double expected[5], double tolerance)
{
  ds_mrg32k3a g;
  ds_mrg32k3a_set(&g, seed);
  for (int k = 0; k < 5; k++) {
    const double u = ds_uniform_scaled(ds_mrg32k3a_next(&g), DS_MRG32K3A_SCALE, 0.0);
    CHECK_NEAR(u, expected[k], tolerance);
  }
}

static void test_known_answers(void)
{
  ds_mrg32k3a g;
  uint32_t s[6];
  check_uniform_5(PUBLISHED_SEED, FIRST, 0.0);
  ds_mrg32k3a_set(&g, PUBLISHED_SEED);
  for (int k = 0; k < 35; k++) ds_mrg32k3a_next(&g);
  ds_mrg32k3a_get(&g, s);
  check_state(s, AFTER_35, "35 steps");
  const double u = ds_mrg32k3a_next(&g) * DS_MRG32K3A_SCALE;
  CHECK_NEAR(u, NUMBER_36, 5e-16);
  memcpy(s, PUBLISHED_SEED, sizeof s);
  ds_mrg32k3a_apply(&OVER_127, s);
  check_state(s, STREAM_2, "stream 2");
  ds_mrg32k3a_apply(&OVER_127, s);
  check_state(s, STREAM_3, "stream 3");
  check_uniform_5(s, FIRST_OF_3, 5e-16);
  for (int k = 0; k < 4; k++) ds_mrg32k3a_apply(&OVER_76, s);
  check_uniform_5(s, FIRST_OF_3_AND_4, 5e-16);
  memcpy(s, OF_ONES[0], sizeof s);
  for (int k = 1; k < 4; k++) {
    ds_mrg32k3a_apply(&OVER_127, s);
    check_state(s, OF_ONES[k], "streams of the seed 1");
  }
}

/* ------------------------------------------------------------------------------------- arithmetic */

static uint32_t power_mod(uint32_t a, uint32_t n, uint32_t m)
{
  uint64_t r = 1, b = a;
  for (; n; n >>= 1, b = b * b % m)
    if (n & 1) r = r * b % m;
  return (uint32_t) r;
}

/* The quotient is closest to rounding wrongly where the new residue is 0, m - 1 or beside them, and where the sum
   of products is large: the older residue from the ends of its range, the newer one such that this comes out. */
static void test_rounding(void)
{
  const uint32_t inverse1 = power_mod(1403580u, M1 - 2, M1);
  const uint32_t inverse2 = power_mod(527612u, M2 - 2, M2);
  uint64_t random = 7;
  long wrong = 0;
  for (int k = 0; k < 400000; k++) {
    const uint64_t r = check_random(&random);
    const uint32_t near = (uint32_t) (r >> 32) % 50000, target = (uint32_t) (r & 3);
    const uint32_t x3 = r & 4 ? near : M1 - 1 - near, y3 = r & 8 ? near : M2 - 1 - near;
    const uint32_t x = target < 2 ? target : M1 + 1 - target;
    const uint32_t y = target < 2 ? target : M2 + 1 - target;
    const uint32_t x2 =
        (uint32_t) ((810728ull * x3 + x) % M1 * inverse1 % M1); /* 1403580 x2 = x + 810728 x3 */
    const uint32_t y1 = (uint32_t) ((1370589ull * y3 + y) % M2 * inverse2 % M2);
    uint32_t plain[6] = {x3, x2, 5, y3, 6, y1}, s[6];
    ds_mrg32k3a g;
    ds_mrg32k3a_set(&g, plain);
    const uint32_t w = ds_mrg32k3a_next(&g);
    ds_mrg32k3a_get(&g, s);
    wrong += w != step(plain) || memcmp(s, plain, sizeof s) != 0 || s[2] != x || s[5] != y;
  }
  CHECK_INT(wrong, 0);
}

/* Steps from many places, and from the corners of the range. */
static void test_steps(void)
{
  static const uint32_t corner1[5] = {0, 1, (M1 - 1) / 2, M1 - 2, M1 - 1};
  static const uint32_t corner2[5] = {0, 1, (M2 - 1) / 2, M2 - 2, M2 - 1};
  uint64_t random = 8;
  long wrong = 0, largest = 0;
  for (int k = 0; k < 20000; k++) {
    uint32_t plain[6], s[6];
    for (int c = 0; c < 6; c++) {
      const uint64_t r = check_random(&random);
      plain[c] = (uint32_t) (r >> 8) % (c < 3 ? M1 : M2);
      if (k < 15625) plain[c] = c < 3 ? corner1[r % 5] : corner2[r % 5];
    }
    plain[2] += !(plain[0] | plain[1] | plain[2]);
    plain[5] += !(plain[3] | plain[4] | plain[5]);
    ds_mrg32k3a g;
    ds_mrg32k3a_set(&g, plain);
    for (int c = 0; c < 20; c++) wrong += ds_mrg32k3a_next(&g) != step(plain);
    ds_mrg32k3a_get(&g, s);
    wrong += memcmp(s, plain, sizeof s) != 0;
  }
  /* x_n = y_n gives m1 and not 0 */
  for (uint32_t k = 0; k < 1000; k++) {
    const uint32_t v = k * 4294000u;
    const double x = ds_mrg32k3a_centre(v, DS_MRG32K3A_HALF1);
    const double y = ds_mrg32k3a_centre(v, DS_MRG32K3A_HALF2);
    largest += ds_mrg32k3a_word(x, y) == M1 && ds_mrg32k3a_word(x + 1.0, y) == 1;
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(largest, 1000);
  CHECK(ds_uniform_scaled(M1, DS_MRG32K3A_SCALE, 0.0) < 1.0);
  CHECK(ds_uniform_scaled(1, DS_MRG32K3A_SCALE, 0.0) > 0.0);
}

/* Sums of products of the largest residues, and any. */
static void test_dot(void)
{
  uint64_t random = 9;
  long wrong = 0;
  for (int k = 0; k < 200000; k++) {
    uint32_t v[6];
    const uint32_t f = k & 1 ? DS_MRG32K3A_F1 : DS_MRG32K3A_F2, m = k & 1 ? M1 : M2;
    for (int c = 0; c < 6; c++) {
      const uint64_t r = check_random(&random);
      v[c] = r & 1 ? m - 1 - (uint32_t) (r >> 61) : (uint32_t) (r >> 8) % m;
    }
    if (k % 16 < 2) { /* the residue 0 */
      v[0] = 1;
      v[1] = m - 1;
      v[4] = v[3];
      v[5] = 0;
    }
    uint64_t sum = 0;
    for (int c = 0; c < 3; c++) sum += (uint64_t) v[c] * v[3 + c] % m;
    wrong += ds_mrg32k3a_dot(v[0], v[1], v[2], v[3], v[4], v[5], f) != sum % m;
  }
  CHECK_INT(wrong, 0);
}

/* ------------------------------------------------------------------------------------- skip-ahead */

static void plain_multiply(const uint32_t a[9], const uint32_t b[9], uint32_t ab[9], uint32_t m)
{
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      uint64_t sum = 0;
      for (int k = 0; k < 3; k++) sum += (uint64_t) a[3 * r + k] * b[3 * k + c] % m;
      ab[3 * r + c] = (uint32_t) (sum % m);
    }
}

/* Every entry of the table is A times itself so many times, by the table's own definition; and squared on, the last
   one becomes the published ones. */
static void test_table(void)
{
  ds_mrg32k3a_matrix a = powers.power[0];
  CHECK_INT(sizeof powers, 10656); /* Bradley section 2.3 */
  for (int k = 0; k < DS_MRG32K3A_MAX_DIGITS - 1; k++)
    for (int d = 1; d <= 7; d++) {
      ds_mrg32k3a_matrix next;
      plain_multiply(a.x, powers.power[7 * k].x, next.x, M1);
      plain_multiply(a.y, powers.power[7 * k].y, next.y, M2);
      CHECK(memcmp(&next, &powers.power[7 * k + d], sizeof next) == 0);
      a = next;
    }
  for (int k = 63; k < 127; k++) {
    if (k == 76) CHECK(memcmp(&a, &OVER_76, sizeof a) == 0);
    const ds_mrg32k3a_matrix root = a;
    ds_mrg32k3a_multiply(&root, &root, &a);
  }
  CHECK(memcmp(&a, &OVER_127, sizeof a) == 0);
}

/* 35 in one go as published, random distances against stepping, and distances of 64 bits in two parts. */
static void test_skip(void)
{
  uint64_t random = 10;
  ds_mrg32k3a g, far;
  uint32_t s[6], t[6];
  ds_mrg32k3a_set(&g, PUBLISHED_SEED);
  ds_mrg32k3a_skip(&g, &powers, 35);
  ds_mrg32k3a_get(&g, s);
  check_state(s, AFTER_35, "skip of 35");
  for (int k = 0; k < 24; k++) {
    const uint64_t n = check_random(&random) >> (44 + k % 20);
    for (int c = 0; c < 6; c++) t[c] = s[c] = (uint32_t) check_random(&random) % M2;
    ds_mrg32k3a_set(&g, s);
    ds_mrg32k3a_skip(&g, &powers, n);
    ds_mrg32k3a_get(&g, s);
    for (uint64_t c = 0; c < n; c++) step(t);
    check_state(s, t, "skip against steps");
  }
  for (int k = 0; k < 50; k++) {
    const uint64_t p = check_random(&random) >> 1, q = check_random(&random) >> (1 + k);
    ds_mrg32k3a_set(&g, STREAM_2);
    far = g;
    ds_mrg32k3a_skip(&g, &powers, p);
    ds_mrg32k3a_skip(&g, &powers, q);
    ds_mrg32k3a_skip(&far, &powers, p + q);
    ds_mrg32k3a_get(&g, s);
    ds_mrg32k3a_get(&far, t);
    check_state(s, t, "skip in two parts");
  }
}

/* ------------------------------------------------------------------------------------ the object */

/* The six residues are the end of a saved state. */
static void state_of(ds_rng *r, uint32_t state[6])
{
  size_t size;
  char *bytes = rng_saved(r, &size);
  memcpy(state, bytes + size - 24, 24);
  free(bytes);
}

static ds_rng *open_as(const ds_rng_options *variant, uint64_t seed, int64_t pieces)
{
  ds_rng_options o = *variant;
  o.generator = "mrg32k3a";
  o.seed = seed;
  return rng_open_pieces(&o, pieces);
}

/* Words, and the state after them, by the integer recurrence: in every number of pieces, and for segments of whole
   vectors and lines, which the GPU stores in another way. */
static void test_sequence(const ds_rng_options *variant)
{
  enum { LIMIT = 40000 };
  static uint32_t expected[LIMIT], got[LIMIT];
  static const struct {
    int64_t pieces;
    size_t n;
  } even[] = {{64, 64 * 100}, {64, 64 * 96}, {300, 300 * 128}, {33, 33 * 1024 - 1}, {5, 5 * 36}};
  ds_error err;
  for (int k = 0; k < 22; k++) {
    const int64_t pieces = k < 17 ? k + 1 : even[k - 17].pieces;
    const size_t n = k < 17 ? 20011 : even[k - 17].n;
    uint32_t s[6], t[6];
    ds_rng *r = open_as(variant, 321 + (uint64_t) k, pieces);
    state_of(r, s);
    for (size_t c = 0; c < n; c++) expected[c] = step(s);
    CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, got, n, &err), err);
    CHECK_MSG(memcmp(got, expected, n * sizeof *got) == 0, "%d pieces: words differ", (int) pieces);
    state_of(r, t);
    check_state(t, s, "after a call");
    ds_rng_close(r);
  }
}

/* The same for numbers of both sizes. */
static void test_numbers(const ds_rng_options *variant)
{
  enum { LIMIT = 64 * 112 };
  static float f[LIMIT];
  static double d[LIMIT];
  static const size_t counts[] = {64 * 112, 64 * 96, 64 * 96 - 3};
  ds_error err;
  for (int k = 0; k < 3; k++) {
    const size_t n = counts[k];
    uint32_t s[6], t[6];
    long wrong = 0;
    ds_rng *r = open_as(variant, 77, 64);
    state_of(r, s);
    CHECK_OK(ds_rng_fill(r, DS_UNIFORM, DS_F64, DS_SPACE_HOST, d, n, &err), err);
    CHECK_OK(ds_rng_fill(r, DS_UNIFORM, DS_F32, DS_SPACE_HOST, f, n, &err), err);
    for (size_t c = 0; c < n; c++) wrong += d[c] != step(s) * DS_MRG32K3A_SCALE;
    for (size_t c = 0; c < n; c++) wrong += f[c] != ds_uniformf(step(s));
    memcpy(t, s, sizeof s);
    CHECK_OK(ds_rng_fill(r, DS_NORMAL, DS_F64, DS_SPACE_HOST, d, n, &err), err);
    CHECK_OK(ds_rng_fill(r, DS_NORMAL, DS_F32, DS_SPACE_HOST, f, n, &err), err);
    for (int single = 0; single < 2; single++)
      for (size_t c = 0; c < n; c += 2) {
        const uint32_t w0 = step(t), w1 = step(t);
        float zf[2];
        double z[2];
        ds_normal_pairf(w0, w1, zf, zf + 1);
        ds_normal_pair(w0, w1, z, z + 1);
        for (size_t i = 0; i < 2 && c + i < n; i++)
          wrong += single ? f[c + i] != zf[i] : d[c + i] != z[i];
      }
    state_of(r, s);
    check_state(s, t, "after numbers");
    CHECK_MSG(wrong == 0, "n = %d: %ld numbers differ", (int) n, wrong);
    ds_rng_close(r);
  }
}

/* Enough for several lines a thread in the pieces that are chosen where nobody asks. */
static void test_large(const ds_rng_options *variant)
{
  const size_t n = ((size_t) 3 << 22) + 5;
  uint32_t *w = test_alloc(n * sizeof *w), s[6];
  ds_rng *r = open_as(variant, 5, 0);
  ds_error err;
  size_t wrong = 0;
  state_of(r, s);
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err), err);
  for (size_t k = 0; k < n; k++) wrong += w[k] != step(s);
  CHECK_INT(wrong, 0);
  ds_rng_close(r);
  free(w);
}

static void skip(ds_rng *r, uint64_t count, int log2_unit)
{
  ds_error err;
  CHECK_OK(ds_rng_skip(r, count, log2_unit, &err), err);
}

static void test_object_skips(const ds_rng_options *variant)
{
  /* (m1^3 - 1) (m2^3 - 1) / 2, the lowest 64 bits first */
  const uint64_t period[3] = {0xA99E8FE8044FC6CEull, 0xA67899FA918BEF18ull, 0x7FFF78DF2FFA82F4ull};
  uint64_t random = 11;
  uint32_t start[6], s[6], t[6];
  ds_rng *r = open_as(variant, 99, 0), *other = open_as(variant, 99, 0);
  state_of(r, start);
  skip(r, 4, 76);
  skip(r, 1, 127);
  memcpy(t, start, sizeof t);
  for (int k = 0; k < 4; k++) ds_mrg32k3a_apply(&OVER_76, t);
  ds_mrg32k3a_apply(&OVER_127, t);
  state_of(r, s);
  check_state(s, t, "skip of 2^127 + 4 * 2^76");
  /* p 2^u and q 2^u by any way */
  skip(other, 1, 127);
  skip(other, 1, 78);
  for (int k = 0; k < 120; k++) {
    const int unit = (int) (check_random(&random) % 126) + 1;
    const uint64_t p = check_random(&random) >> (1 + k % 60), q = check_random(&random) >> 2;
    skip(r, p, unit);
    skip(r, q, unit);
    skip(other, p + q, unit);
    skip(r, 2 * (p >> 1), unit);
    skip(other, p >> 1, unit + 1);
  }
  state_of(r, s);
  state_of(other, t);
  check_state(s, t, "skips in parts");
  ds_rng_close(other);
  ds_rng_close(r);
  r = open_as(variant, 99, 0);
  skip(r, period[0], 0);
  skip(r, period[1], 64);
  for (int k = 0; k < 4; k++) skip(r, period[2] / 4, 128);
  skip(r, period[2] % 4, 128);
  state_of(r, s);
  check_state(s, start, "the whole period");
  skip(r, 1, 189);
  state_of(r, s);
  CHECK(memcmp(s, start, sizeof s) != 0);
  ds_rng_close(r);
}

static void test_bad_skips(const ds_rng_options *variant)
{
  ds_rng *r = open_as(variant, 99, 0);
  ds_error err;
  uint32_t s[6], t[6];
  state_of(r, s);
  CHECK(ds_rng_skip(r, 1, 191, &err) == DS_ERR_ARGUMENT && strstr(err.text, "2^0 to 2^190"));
  CHECK(ds_rng_skip(r, 2, 190, &err) == DS_ERR_ARGUMENT && strstr(err.text, "mrg32k3a"));
  CHECK(ds_rng_skip(r, UINT64_MAX, 128, &err) == DS_ERR_ARGUMENT && strstr(err.text, "period"));
  state_of(r, t);
  check_state(t, s, "after errors");
  ds_rng_close(r);
}

/* Seeds are residues, and no half is zero. */
static void test_seeds(const ds_rng_options *variant)
{
  for (uint64_t seed = 0; seed < 200; seed++) {
    uint32_t s[6];
    ds_rng *r = open_as(variant, seed < 100 ? seed : UINT64_MAX - seed, 0);
    state_of(r, s);
    CHECK(s[0] < M1 && s[1] < M1 && s[2] < M1 && s[3] < M2 && s[4] < M2 && s[5] < M2);
    CHECK((s[0] | s[1] | s[2]) && (s[3] | s[4] | s[5]));
    ds_rng_close(r);
  }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skipped = rng_variants_open(&v, argc, argv);
  if (skipped) return skipped;
  ds_mrg32k3a_make_powers(&powers);
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_rounding());
  CHECK_CASE(test_steps());
  CHECK_CASE(test_dot());
  CHECK_CASE(test_table());
  CHECK_CASE(test_skip());
  for (int k = 0; k < v.n; k++) {
    CHECK_CASE(test_sequence(&v.options[k]));
    CHECK_CASE(test_numbers(&v.options[k]));
    CHECK_CASE(test_large(&v.options[k]));
    CHECK_CASE(test_object_skips(&v.options[k]));
    CHECK_CASE(test_bad_skips(&v.options[k]));
  }
  CHECK_CASE(test_seeds(&v.options[0]));
  CHECK_CASE(rng_conformance(&v, "mrg32k3a", 0, 0, 10006, 1000));
  CHECK_CASE(rng_conformance(&v, "mrg32k3a", 0, 0, 300000, 3));
  return check_result();
}
