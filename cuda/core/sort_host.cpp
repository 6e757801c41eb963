/* Sort of (key, index) records: each thread sorts a part with std::sort, then parts are merged in pairs, each merge
   cut into pieces for all threads. C++ only because the library is. (The library's own parallel sort allocates inside
   a parallel region, where a failure ends the process.)   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sort.h"

#include <algorithm>

namespace {
// a class, not a function: comparisons through a pointer would not be inlined
struct Before {
  bool operator()(const ds_keyed &a, const ds_keyed &b) const { return a.key < b.key || (a.key == b.key && a.index < b.index); }
};

// boundary k of `parts` nearly equal parts of n records
long boundary(long n, int parts, int k)
{
  return n * k / parts;
}

// piece k of `pieces` of the merge of two sorted ranges. No two records are equal, so the place where the second is
// cut follows from where the first is.
void merge_piece(const ds_keyed *a, const ds_keyed *a_end, const ds_keyed *b, const ds_keyed *b_end, ds_keyed *out, int pieces,
                 int k)
{
  const ds_keyed *const begin = a + boundary(a_end - a, pieces, k);
  const ds_keyed *const end = a + boundary(a_end - a, pieces, k + 1);
  const ds_keyed *const first = k == 0 || a == a_end ? (k == 0 ? b : b_end) : std::lower_bound(b, b_end, *begin, Before());
  const ds_keyed *const last = k == pieces - 1 || a == a_end ? b_end : std::lower_bound(b, b_end, *end, Before());
  std::merge(begin, end, first, last, out + (begin - a) + (first - b), Before());
}
}    // namespace

extern "C" void ds_sort_host(ds_keyed *records, ds_keyed *work, int n, int threads)
{
  int parts = 1;
  while (parts < threads && n / parts > 4096) parts *= 2;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int p = 0; p < parts; p++) std::sort(records + boundary(n, parts, p), records + boundary(n, parts, p + 1), Before());
  ds_keyed *from = records, *to = work;
  for (int width = 1; width < parts; width *= 2) {
    const int merges = parts / (2 * width), pieces = (threads + merges - 1) / merges;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int t = 0; t < merges * pieces; t++) {
      const int m = t / pieces * 2 * width;
      const long low = boundary(n, parts, m), middle = boundary(n, parts, m + width), high = boundary(n, parts, m + 2 * width);
      merge_piece(from + low, from + middle, from + middle, from + high, to + low, pieces, t % pieces);
    }
    std::swap(from, to);
  }
  if (from == records) return;
#pragma omp parallel for num_threads(threads)
  for (int k = 0; k < n; k++) records[k] = from[k];
}

extern "C" void ds_sort_find_order(ds_sort_space *w, int n, int threads)
{
  const ds_keyed *const keyed = DS_DATA(ds_keyed, w->key[0]);
  int32_t *const order = DS_DATA(int32_t, w->value[0]);
  ds_sort_host(DS_DATA(ds_keyed, w->key[0]), DS_DATA(ds_keyed, w->key[1]), n, threads);
#pragma omp parallel for num_threads(threads)
  for (int k = 0; k < n; k++) order[k] = (int32_t) keyed[k].index;
  w->order = order;
}
