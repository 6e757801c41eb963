/* test_image_noise.c: numbers of images, and what they add to signatures (dpdsop/device/image_noise.h).
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "check.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/image_noise.h"

static ds_frame frame_with(int bits, int periodic, int shift)
{
  ds_frame f;
  memset(&f, 0, sizeof f);
  f.several_images = 1;
  for (int d = 0; d < 3; d++) {
    f.bits[d] = bits;
    f.periodic[d] = periodic;
    f.shift[d] = shift;
  }
  return f;
}

/* The nearest integer to diff / 2^bits, halves towards zero, in arithmetic of its own. */
static int nearest(int64_t diff, int64_t box)
{
  const int64_t size = diff < 0 ? -diff : diff, whole = size / box, rest = size % box;
  const int n = (int) (2 * rest > box ? whole + 1 : whole);
  return diff < 0 ? -n : n;
}

static void check_numbers(int bits)
{
  const ds_frame f = frame_with(bits, 1, 0), open = frame_with(bits, 0, 0), wraps = frame_with(bits, 1, 32 - bits);
  const int64_t box = (int64_t) 1 << bits;
  uint64_t seed = 5;
  for (int k = 0; k < 4000; k++) {
    int64_t diff = (int64_t) (check_random(&seed) & 0xFFFFFFFF) - ((int64_t) 1 << 31);
    if (k < 80) diff = box / 2 * (k / 5 - 8) + k % 5 - 2; /* about multiples of half a box */
    if (diff <= -((int64_t) 1 << 31) || diff >= (int64_t) 1 << 31) continue;
    const int wanted = nearest(diff, box);
    CHECK_INT(ds_image_number32(&f, k % 3, (int32_t) diff), wanted);
    CHECK_INT(ds_image_number32(&f, k % 3, (int32_t) -diff), -wanted);
    CHECK_INT(ds_image_number64(&f, k % 3, diff * 4294967296), wanted);
    CHECK_INT(ds_image_number64(&f, k % 3, -diff * 4294967296), -wanted);
    CHECK_INT(ds_image_number32(&open, k % 3, (int32_t) diff), 0);
    CHECK_INT(ds_image_number32(&wraps, k % 3, (int32_t) diff), 0);
    CHECK_INT(ds_image_number64(&wraps, k % 3, diff * 4294967296), 0);
  }
}

/* Both atoms find the same word, the nearest image none, and no two images of a neighbor the same. */
static void check_words(uint32_t i, uint32_t j)
{
  enum { REACH = 4, EDGE = 2 * REACH + 1, ALL = EDGE * EDGE * EDGE };
  static uint32_t word[ALL];
  int n = 0, alike = 0;
  for (int x = -REACH; x <= REACH; x++)
    for (int y = -REACH; y <= REACH; y++)
      for (int z = -REACH; z <= REACH; z++) {
        const int seen[3] = {x, y, z}, back[3] = {-x, -y, -z};
        word[n] = ds_image_word(seen, i, j);
        CHECK(word[n] == ds_image_word(back, j, i));
        CHECK((word[n] == 0) == (x == 0 && y == 0 && z == 0));
        n++;
      }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++) alike += word[a] == word[b];
  /* an atom and its own image are one pair, which each of the two meets as the opposite image of the other */
  CHECK_INT(alike, i == j ? ALL / 2 : 0);
}

/* Random numbers of two images of one neighbor are as independent as those of two neighbors: over n pairs the mean
   product has a standard deviation of 1 / sqrt(n). */
static void check_independence(const int number[3])
{
  enum { PAIRS = 200000 };
  uint64_t seed = 11;
  double product = 0.0, square = 0.0;
  for (int k = 0; k < PAIRS; k++) {
    const uint32_t i = (uint32_t) check_random(&seed), j = (uint32_t) check_random(&seed);
    const uint32_t image = ds_image_word(number, i, j);
    const double near = ds_pair_gaussian(i, j), far = ds_pair_gaussian(i ^ image, j ^ image);
    product += near * far;
    square += far * far;
  }
  CHECK(fabs(product) < 4.5 * sqrt(PAIRS));
  CHECK(fabs(square - PAIRS) < 4.5 * sqrt(2.0 * PAIRS)); /* the variance of a squared deviate is 2 */
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  static const int number[4][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 2}, {-1, 1, 1}};
  for (int bits = 10; bits <= 30; bits += 5) CHECK_CASE(check_numbers(bits));
  CHECK_CASE(check_words(1, 2));
  CHECK_CASE(check_words(0xFFFFFFFFu, 3));
  CHECK_CASE(check_words(77, 77));
  for (int k = 0; k < 4; k++) CHECK_CASE(check_independence(number[k]));
  return check_result();
}
