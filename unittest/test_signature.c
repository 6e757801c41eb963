/* test_signature.c: the particle signature bit by bit, and how it spreads its inputs.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "check.h"
#include "dpdsop/device/signature.h"

typedef struct {
  uint64_t tag, step;
  uint32_t vx, vy, vz, seed; /* velocities as bit patterns */
} input_t;

static uint32_t signature(const input_t *in)
{
  return ds_signature(in->tag, ds_uint_as_float(in->vx), ds_uint_as_float(in->vy),
                      ds_uint_as_float(in->vz), in->seed, in->step);
}

static input_t random_input(uint64_t *seed)
{
  input_t in;
  in.tag = check_random(seed);
  in.step = check_random(seed);
  /* exponents from 2^-20 to 2^12: no infinities, no subnormals */
  in.vx = (uint32_t) (check_random(seed) & 0x8FFFFFFFu) + 0x35800000u;
  in.vy = (uint32_t) (check_random(seed) & 0x8FFFFFFFu) + 0x35800000u;
  in.vz = (uint32_t) (check_random(seed) & 0x8FFFFFFFu) + 0x35800000u;
  in.seed = (uint32_t) check_random(seed);
  return in;
}

/* Alg. 4 once more, one bit at a time and without shared code. */
static uint32_t reference(const input_t *in)
{
  const uint32_t v[3] = {in->vz, in->vy, in->vx};
  uint32_t v0 = 0, v1 = 0;
  for (int k = 0; k < 32; k++) v0 |= (uint32_t) (in->tag >> k & 1u) << (31 - k);
  for (int k = 0; k < 33; k++) {
    const uint32_t bit = v[k % 3] >> (12 + k / 3) & 1u;
    v1 ^= bit << (k == 0 ? 31 : k - 1); /* the 33rd bit is folded */
  }
  const uint32_t k0 = 0xA341316Cu ^ in->seed,
                 k1 = 0xC8013EA4u ^ (uint32_t) (in->step & 0xFFFFFFFFu);
  const uint32_t k2 = 0xAD90777Du ^ (uint32_t) (in->step >> 32),
                 k3 = 0x7E95761Eu ^ (uint32_t) (in->tag >> 32);
  for (uint32_t round = 1; round <= 16; round++) {
    const uint32_t sum = round * 0x9E3779B9u;
    v0 += (v1 * 16u + k0) ^ (v1 + sum) ^ (v1 / 32u + k1);
    v1 += (v0 * 16u + k2) ^ (v0 + sum) ^ (v0 / 32u + k3);
  }
  return v0 ^ v1;
}

static void test_reference(void)
{
  uint64_t seed = 1;
  for (int k = 0; k < 100000; k++) {
    const input_t in = random_input(&seed);
    CHECK_HEX(signature(&in), reference(&in));
  }
  const input_t zero = {0, 0, 0, 0, 0, 0};
  CHECK_HEX(signature(&zero), reference(&zero));
}

/* Which bits count is part of the definition: a restart must give the same noise. */
static void test_velocity_bits(void)
{
  uint64_t seed = 2;
  for (int k = 0; k < 1000; k++) {
    const input_t in = random_input(&seed);
    const uint32_t base = signature(&in);
    for (int bit = 0; bit < 32; bit++) {
      const int counts = bit >= 12 && bit < 23;
      input_t x = in, y = in, z = in;
      x.vx ^= 1u << bit;
      y.vy ^= 1u << bit;
      z.vz ^= 1u << bit;
      if (!counts) CHECK(signature(&x) == base && signature(&y) == base && signature(&z) == base);
    }
  }
}

static void flip(input_t *in, int bit)
{
  if (bit < 64)
    in->tag ^= (uint64_t) 1 << bit;
  else if (bit < 128)
    in->step ^= (uint64_t) 1 << (bit - 64);
  else if (bit < 160)
    in->seed ^= 1u << (bit - 128);
  else if (bit < 171)
    in->vx ^= 1u << (bit - 160 + 12);
  else if (bit < 182)
    in->vy ^= 1u << (bit - 171 + 12);
  else
    in->vz ^= 1u << (bit - 182 + 12);
}

/* One flipped input bit changes each output bit with probability 1/2, also in the small tags, steps
   and seeds of real runs. A frequency over N samples has the deviation 1/2 sqrt(1/N), the mean over
   the 32 output bits is sqrt(32) times sharper. Of 193 * 32 frequencies (193 means) the largest is
   within 6 (5) deviations with probability 1 - 1.2e-5 (1 - 1.1e-4). */
static void test_avalanche(int small)
{
  enum { N = 4000, BITS = 193 };
  double worst_bit = 0, worst_mean = 0;
  uint64_t seed = 3;
  for (int bit = 0; bit < BITS; bit++) {
    int count[32] = {0}, all = 0;
    for (int n = 0; n < N; n++) {
      input_t in = random_input(&seed);
      if (small) {
        in.tag &= 0xFFFFFu;
        in.step &= 0xFFFFFu;
        in.seed &= 0xFFFFu;
      }
      input_t other = in;
      flip(&other, bit);
      const uint32_t changed = signature(&in) ^ signature(&other);
      for (int k = 0; k < 32; k++) count[k] += (int) (changed >> k & 1u);
    }
    for (int k = 0; k < 32; k++) {
      all += count[k];
      worst_bit = fmax(worst_bit, fabs(count[k] - 0.5 * N) / (0.5 * sqrt((double) N)));
    }
    worst_mean = fmax(worst_mean, fabs(all - 16.0 * N) / (0.5 * sqrt(32.0 * N)));
  }
  CHECK_BOUND(worst_bit, 6,
              small ? "flips of an output bit, deviations (small inputs)"
                    : "flips of an output bit, deviations");
  CHECK_BOUND(worst_mean, 5,
              small ? "mean flips, deviations (small inputs)" : "mean flips, deviations");
}

static int compare(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

/* A million particles at rest, in one step: signatures collide as often as random words do. The
   number of equal neighbours after sorting is Poisson with mean n^2 / 2^33 = 128, deviation
   11.3. */
static void test_collisions(void)
{
  enum { N = 1 << 20 };
  uint32_t *s = malloc(N * sizeof *s);
  if (!CHECK(s != NULL)) return;
  for (uint32_t k = 0; k < N; k++) s[k] = ds_signature(k + 1u, 0, 0, 0, 12345, 1);
  qsort(s, N, sizeof *s, compare);
  int equal = 0;
  for (uint32_t k = 1; k < N; k++) equal += s[k] == s[k - 1];
  CHECK_BOUND(fabs(equal - 128.0) / sqrt(128.0), 4.5,
              "collisions of 2^20 particles at rest, deviations");
  free(s);
}

static int compare_keys(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* Seed, place and step, each combination another hash function: told by the hashes of two particles. Those of neighboring
   seeds, places and steps would meet if one were mixed into another's bits. */
static void test_places(void)
{
  static const uint32_t seed[] = {1, 2, 3, 4, 65536, 65537, 0x7FFFFFFE, 0x7FFFFFFF};
  static const uint32_t place[] = {0, 1, 2, 3, 4, 16384, 32767};
  static const uint64_t step[] = {0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x100000000, DS_SIGNATURE_STEPS - 1};
  enum { SEEDS = 8, PLACES = 7, STEPS = 8, N = SEEDS * PLACES * STEPS };
  uint64_t found[N];
  int n = 0, equal = 0;
  for (int i = 0; i < SEEDS; i++)
    for (int j = 0; j < PLACES; j++)
      for (int k = 0; k < STEPS; k++) {
        const uint64_t mixed = ds_signature_step(step[k], place[j]);
        const uint64_t one = ds_signature(1, 0.1f, 0.2f, 0.3f, seed[i], mixed);
        found[n++] = one << 32 | ds_signature(2, 0, 0, 0, seed[i], mixed);
        if (place[j] == 0) CHECK(mixed == step[k]);
      }
  qsort(found, N, sizeof *found, compare_keys);
  for (int k = 1; k < N; k++) equal += found[k] == found[k - 1];
  CHECK_INT(equal, 0);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_reference());
  CHECK_CASE(test_velocity_bits());
  CHECK_CASE(test_avalanche(0));
  CHECK_CASE(test_avalanche(1));
  CHECK_CASE(test_collisions());
  CHECK_CASE(test_places());
  return check_result();
}
