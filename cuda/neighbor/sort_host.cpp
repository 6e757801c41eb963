/* Sort of (key, index) records: libstdc++'s parallel mode where there is one, std::sort elsewhere.
   C++ only because the library is.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sort_host.h"

#include <algorithm>
#if defined(_OPENMP) && defined(__GLIBCXX__)
#include <parallel/algorithm>
#endif

namespace {
// a class, not a function: comparisons through a pointer would not be inlined
struct Before {
  bool operator()(const ds_keyed &a, const ds_keyed &b) const
  {
    return a.key < b.key || (a.key == b.key && a.index < b.index);
  }
};
}    // namespace

extern "C" void ds_sort_host(ds_keyed *records, int n, int threads)
{
#if defined(_OPENMP) && defined(__GLIBCXX__)
  if (threads > 1) {
    __gnu_parallel::sort(records, records + n, Before(),
                         __gnu_parallel::multiway_mergesort_tag(threads));
    return;
  }
#else
  (void) threads;
#endif
  std::sort(records, records + n, Before());
}
