/* memory.h: host memory that is exhausted, for tests of what happens then. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_MEMORY_H
#define DPDSOP_TEST_MEMORY_H

#include <stddef.h>

#if defined(__unix__)
#include <sys/resource.h>
#endif

/* AddressSanitizer maps all addresses. */
#if defined(__unix__) && defined(RLIMIT_AS) && !defined(__SANITIZE_ADDRESS__)

static rlim_t memory_limit_before;

/* From now on the process gets `more` bytes beyond what it has. Returns 0 where that cannot be arranged: on
   other systems than Linux. */
CHECK_HELPER int memory_limit(size_t more)
{
  struct rlimit limit;
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (!statm) return 0;
  const int found = fscanf(statm, "%ld", &pages);
  fclose(statm);
  if (!CHECK(found == 1 && getrlimit(RLIMIT_AS, &limit) == 0)) return 0;
  memory_limit_before = limit.rlim_cur;
  limit.rlim_cur = (rlim_t) pages * 4096 + more;
  return CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

CHECK_HELPER void memory_limit_end(void)
{
  struct rlimit limit;
  if (!CHECK(getrlimit(RLIMIT_AS, &limit) == 0)) return;
  limit.rlim_cur = memory_limit_before;
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

#else

CHECK_HELPER int memory_limit(size_t more)
{
  (void) more;
  return 0;
}

CHECK_HELPER void memory_limit_end(void) {}

#endif
#endif
