/* Results added to the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "accumulate.h"

/* Layout and type are constants in the common case, so that the loop is a plain one. */
static void add_plain(double *to, const double *values, ptrdiff_t first, ptrdiff_t last)
{
  for (ptrdiff_t k = first; k < last; k++) to[k] += values[k];
}

void ds_add_values(const ds_array *to, int components, const double *values, int n, int threads)
{
  enum { ATOMS = 4096 };
  const int plain = to->type == DS_F64 && to->atom_stride == components &&
                    (components == 1 || to->component_stride == 1);
  (void) threads;
#pragma omp parallel for num_threads(threads)
  for (int begin = 0; begin < n; begin += ATOMS) {
    const int end = n - begin < ATOMS ? n : begin + ATOMS;
    if (plain) {
      add_plain(to->data, values, (ptrdiff_t) begin * components, (ptrdiff_t) end * components);
      continue;
    }
    for (ptrdiff_t i = begin; i < end; i++)
      for (int c = 0; c < components; c++) ds_array_add(to, i, c, values[i * components + c]);
  }
}
