/* test_sort.c: the host's sort against the C library's.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "../cuda/core/sort.h"
#include "check.h"
#include "support/memory.h"
#include "support/system.h"

enum { LIMIT = 70000, GUARD = 3 };

static int by_key(const void *a, const void *b)
{
  const ds_keyed *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

/* Keys in all the orders that sorts are afraid of. */
typedef enum { RANDOM, SORTED, REVERSED, EQUAL, FEW_KEYS, ORGAN_PIPE, ALMOST_SORTED, ORDERS } order;
static const char *const order_name[ORDERS] = {
    "random", "sorted", "reversed", "equal keys", "few keys", "organ pipe", "almost sorted"};

static uint64_t key_of(order o, int k, int n, uint64_t *seed)
{
  const uint64_t any = check_random(seed);
  switch (o) {
  case RANDOM:
    return any; /* all 64 bits */
  case SORTED:
    return (uint64_t) k / 3u;
  case REVERSED:
    return (uint64_t) (n - k);
  case EQUAL:
    return 77;
  case FEW_KEYS:
    return any % 5u;
  case ORGAN_PIPE:
    return (uint64_t) (k < n / 2 ? k : n - k);
  default:
    return (uint64_t) k + (any % 50u ? 0 : any % 1000u);
  }
}

/* Indices are those of atoms, not in order: where keys are equal they decide. The records around those that are sorted
   must stay as they are. */
static void check_sort(order o, int n, int threads)
{
  static ds_keyed records[LIMIT + 2 * GUARD], work[LIMIT + 2 * GUARD], expected[LIMIT];
  const ds_keyed mark = {0xDEADBEEFu, 0xABCDu};
  uint64_t seed = 1300 + (uint64_t) n;
  int touched = 0;
  for (int k = 0; k < LIMIT + 2 * GUARD; k++) records[k] = work[k] = mark;
  for (int k = 0; k < n; k++) {
    expected[k].key = key_of(o, k, n, &seed);
    expected[k].index = (uint32_t) (((uint64_t) k * 48271u) % 2147483647u);
    records[GUARD + k] = expected[k];
  }
  ds_sort_host(records + GUARD, work + GUARD, n, threads);
  qsort(expected, (size_t) n, sizeof *expected, by_key);
  int wrong = -1;
  for (int k = n - 1; k >= 0; k--)
    if (by_key(&records[GUARD + k], &expected[k]) != 0) wrong = k;
  for (int k = 0; k < GUARD; k++) {
    touched += by_key(&records[k], &mark) != 0 || by_key(&records[GUARD + n + k], &mark) != 0;
    touched += by_key(&work[k], &mark) != 0 || by_key(&work[GUARD + n + k], &mark) != 0;
  }
  CHECK_MSG(wrong < 0 && touched == 0,
            "%s, %d records, %d threads: record %d is wrong, %d others touched", order_name[o], n,
            threads, wrong, touched);
}

/* A sort that needs no memory cannot run out of it, which in a parallel region would end the process. So many records
   that what a thread would want (8 MB) is not there from before. */
static void test_without_memory(void)
{
  const int n = 1000000;
  ds_keyed *const records = malloc(2 * (size_t) n * sizeof *records), *const work = records + n;
  uint64_t seed = 1400;
  int wrong = 0;
  if (!CHECK(records != NULL)) return;
  for (int k = 0; k < n; k++) {
    records[k].key = check_random(&seed);
    records[k].index = (uint32_t) k;
  }
  ds_sort_host(records, work, 20000, 2); /* there are two threads now */
  if (memory_limit(0)) {
    ds_sort_host(records, work, n, 2);
    memory_limit_end();
    for (int k = 1; k < n; k++) wrong += by_key(&records[k - 1], &records[k]) > 0;
    CHECK_MSG(wrong == 0, "%d records are out of order", wrong);
  }
  free(records);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  /* around the least that a thread is given (4,096), and around its multiples; and numbers that no number of parts
     divides */
  static const int sizes[] = {0,    1,    2,     3,     17,    1000,  4095,  4096,  4097,  8191,
                              8192, 8193, 12289, 16384, 16387, 20481, 32767, 40000, 65537, LIMIT};
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1); /* no 64 MB in store for each thread */
#endif
  CHECK_CASE(test_without_memory()); /* first: many threads that end give memory back */
  for (int o = 0; o < ORDERS; o++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (int threads = 1; threads <= 5; threads++) CHECK_CASE(check_sort((order) o, sizes[k], threads));
  for (int threads = 6; threads <= 33; threads += 9) CHECK_CASE(check_sort(RANDOM, LIMIT, threads));
  return check_result();
}
