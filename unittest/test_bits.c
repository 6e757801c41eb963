/* test_bits.c: the device functions give the recorded bits, however they are compiled.
   SPDX-License-Identifier: GPL-2.0-or-later

   The loops of bits.h are compiled here for the processor that the program is built for and, on
   x86, for AVX2 and AVX-512 as well, where the compiler makes vector code of them; what the
   processor has is run. */
#include "bits.h"
#include "check.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_VARIANTS 1
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512cd,fma")))
#endif

#define LOOP(attribute, variant, name)                                                             \
  attribute static uint64_t name##_##variant(void)                                                 \
  {                                                                                                \
    uint64_t sum = 0;                                                                              \
    for (uint64_t i = 0; i < DS_BITS_COUNT; i++) sum += ds_bits_item(i, ds_bits_##name(i));        \
    return sum;                                                                                    \
  }
#define PLAIN_LOOP(name, recorded) LOOP(, plain, name)
DS_BITS_LIST(PLAIN_LOOP)
#ifdef HAVE_VARIANTS
#define AVX2_LOOP(name, recorded) LOOP(AVX2, avx2, name)
#define AVX512_LOOP(name, recorded) LOOP(AVX512, avx512, name)
DS_BITS_LIST(AVX2_LOOP)
DS_BITS_LIST(AVX512_LOOP)
#endif

static void compare(const char *variant, const char *name, uint64_t sum, uint64_t recorded)
{
  CHECK_MSG(sum == recorded, "%s, %s: sum is 0x%016" PRIX64 "u, recorded 0x%016" PRIX64 "u", name,
            variant, sum, recorded);
  printf("  %s, %s: %u results\n", name, variant, DS_BITS_COUNT);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
#define PLAIN_COMPARE(name, recorded) CHECK_CASE(compare("plain", #name, name##_plain(), recorded));
  DS_BITS_LIST(PLAIN_COMPARE)
#ifdef HAVE_VARIANTS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
#define AVX2_COMPARE(name, recorded) CHECK_CASE(compare("AVX2", #name, name##_avx2(), recorded));
    DS_BITS_LIST(AVX2_COMPARE)
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd")) {
#define AVX512_COMPARE(name, recorded) CHECK_CASE(compare("AVX-512", #name, name##_avx512(), recorded));
    DS_BITS_LIST(AVX512_COMPARE)
  }
#endif
  return check_result();
}
