/* Numbers from words, many at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

/* The law is a constant in each copy of these loops, the distances in the common cases, so that they become
   vector code. */
DS_FUNC void loop_f(ds_law_kind kind, const uint32_t *restrict w0, const uint32_t *restrict w1,
                    int step, int n, float *restrict x0, float *restrict x1, int stride)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    float a = 0.0f, b = 0.0f;
    ds_make_f(kind, w0[i * step], w1 ? w1[i * step] : 0, &a, &b);
    x0[i * stride] = a;
    if (x1) x1[i * stride] = b;
  }
}

DS_FUNC void loop(ds_law_kind kind, const ds_law *law, const uint32_t *restrict w0,
                  const uint32_t *restrict w1, int step, int n, double *restrict x0,
                  double *restrict x1, int stride)
{
  const double scale = law->scale, shift = law->shift;
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    double a = 0.0, b = 0.0;
    ds_make(kind, scale, shift, w0[i * step], w1 ? w1[i * step] : 0, &a, &b);
    x0[i * stride] = a;
    if (x1) x1[i * stride] = b;
  }
}

static void numbers_f(const ds_law *law, const uint32_t *w0, const uint32_t *w1, int step, int n,
                      float *x0, float *x1, int stride)
{
  switch (law->kind) {
  case DS_LAW_UNIFORM:
    loop_f(DS_LAW_UNIFORM, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_UNIFORM_LEFT:
    loop_f(DS_LAW_UNIFORM_LEFT, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_EXPONENTIAL:
    loop_f(DS_LAW_EXPONENTIAL, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_INVERSE:
    loop_f(DS_LAW_INVERSE, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_BOX_MULLER:
    if (step == 1)
      loop_f(DS_LAW_BOX_MULLER, w0, w1, 1, n, x0, x1, 1);
    else
      loop_f(DS_LAW_BOX_MULLER, w0, w1, step, n, x0, x1, stride);
    break;
  default:
    break;
  }
}

static void numbers(const ds_law *law, const uint32_t *w0, const uint32_t *w1, int step, int n,
                    double *x0, double *x1, int stride)
{
  switch (law->kind) {
  case DS_LAW_SCALED:
    loop(DS_LAW_SCALED, law, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_EXPONENTIAL:
    loop(DS_LAW_EXPONENTIAL, law, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_INVERSE:
    loop(DS_LAW_INVERSE, law, w0, NULL, 1, n, x0, NULL, 1);
    break;
  case DS_LAW_UNIFORM:
    loop(DS_LAW_UNIFORM, law, w0, w1, step, n, x0, NULL, 1);
    break;
  case DS_LAW_UNIFORM_LEFT:
    loop(DS_LAW_UNIFORM_LEFT, law, w0, w1, step, n, x0, NULL, 1);
    break;
  case DS_LAW_BOX_MULLER:
    if (step == 1)
      loop(DS_LAW_BOX_MULLER, law, w0, w1, 1, n, x0, x1, 1);
    else
      loop(DS_LAW_BOX_MULLER, law, w0, w1, step, n, x0, x1, stride);
    break;
  default:
    break;
  }
}

void DS_KERNEL(ds_numbers)(const ds_law *law, ds_type type, const uint32_t *w0, const uint32_t *w1,
                           int step, int n, void *x0, void *x1, int stride)
{
  if (law->kind == DS_LAW_WORDS)
    memcpy(x0, w0, (size_t) n * sizeof *w0);
  else if (type == DS_F32)
    numbers_f(law, w0, w1, step, n, x0, x1, stride);
  else
    numbers(law, w0, w1, step, n, x0, x1, stride);
}
