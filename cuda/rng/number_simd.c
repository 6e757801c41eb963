/* Numbers from words, many at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

/* The law, and where the words lie, are constants in each copy of these loops, so that they become vector code.
   adjacent: the words of a unit, and its numbers, follow each other in w0 and x0; else there is an array for each. */
DS_FUNC void loop_f(ds_law_kind kind, int adjacent, int numbers, const uint32_t *restrict w0,
                    const uint32_t *restrict w1, int n, float *restrict x0, float *restrict x1)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    const int k = adjacent ? 2 * i : i;
    float a = 0.0f, b = 0.0f;
    ds_make_f(kind, w0[k], adjacent ? w0[k + 1] : w1 ? w1[i] : 0u, &a, &b);
    x0[numbers == 2 ? k : i] = a;
    if (numbers == 2 && adjacent) x0[k + 1] = b;
    if (x1) x1[i] = b;
  }
}

DS_FUNC void loop(ds_law_kind kind, int adjacent, int numbers, const ds_law *law,
                  const uint32_t *restrict w0, const uint32_t *restrict w1, int n,
                  double *restrict x0, double *restrict x1)
{
  const double scale = law->scale, shift = law->shift;
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    const int k = adjacent ? 2 * i : i;
    double a = 0.0, b = 0.0;
    ds_make(kind, scale, shift, w0[k], adjacent ? w0[k + 1] : w1 ? w1[i] : 0u, &a, &b);
    x0[numbers == 2 ? k : i] = a;
    if (numbers == 2 && adjacent) x0[k + 1] = b;
    if (x1) x1[i] = b;
  }
}

static void numbers_f(const ds_law *law, const uint32_t *w0, const uint32_t *w1, int n, float *x0,
                      float *x1)
{
  switch (law->kind) {
  case DS_LAW_UNIFORM:
    loop_f(DS_LAW_UNIFORM, 0, 1, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_UNIFORM_LEFT:
    loop_f(DS_LAW_UNIFORM_LEFT, 0, 1, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_EXPONENTIAL:
    loop_f(DS_LAW_EXPONENTIAL, 0, 1, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_INVERSE:
    loop_f(DS_LAW_INVERSE, 0, 1, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_BOX_MULLER:
    if (w1)
      loop_f(DS_LAW_BOX_MULLER, 0, 2, w0, w1, n, x0, x1);
    else
      loop_f(DS_LAW_BOX_MULLER, 1, 2, w0, NULL, n, x0, NULL);
    break;
  default:
    break;
  }
}

static void numbers(const ds_law *law, const uint32_t *w0, const uint32_t *w1, int n, double *x0,
                    double *x1)
{
  switch (law->kind) {
  case DS_LAW_SCALED:
    loop(DS_LAW_SCALED, 0, 1, law, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_EXPONENTIAL:
    loop(DS_LAW_EXPONENTIAL, 0, 1, law, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_INVERSE:
    loop(DS_LAW_INVERSE, 0, 1, law, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_UNIFORM:
    if (w1)
      loop(DS_LAW_UNIFORM, 0, 1, law, w0, w1, n, x0, NULL);
    else
      loop(DS_LAW_UNIFORM, 1, 1, law, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_UNIFORM_LEFT:
    if (w1)
      loop(DS_LAW_UNIFORM_LEFT, 0, 1, law, w0, w1, n, x0, NULL);
    else
      loop(DS_LAW_UNIFORM_LEFT, 1, 1, law, w0, NULL, n, x0, NULL);
    break;
  case DS_LAW_BOX_MULLER:
    if (w1)
      loop(DS_LAW_BOX_MULLER, 0, 2, law, w0, w1, n, x0, x1);
    else
      loop(DS_LAW_BOX_MULLER, 1, 2, law, w0, NULL, n, x0, NULL);
    break;
  default:
    break;
  }
}

void DS_KERNEL(ds_numbers)(const ds_law *law, ds_type type, const uint32_t *w0, const uint32_t *w1,
                           int n, void *x0, void *x1)
{
  if (law->kind == DS_LAW_WORDS)
    memcpy(x0, w0, (size_t) n * sizeof *w0);
  else if (type == DS_F32)
    numbers_f(law, w0, w1, n, x0, x1);
  else
    numbers(law, w0, w1, n, x0, x1);
}
