/* Numbers from words, many at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

/* The transform, and where the words lie, are constants in each copy of these loops, so that they become vector code.
   adjacent: the words of a unit, and its numbers, follow each other in w0 and x0; else there is an array for each. */
DS_FUNC void loop_f(ds_transform_kind kind, int adjacent, int numbers, const uint32_t *restrict w0, const uint32_t *restrict w1,
                    int n, float *restrict x0, float *restrict x1)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    const int k = adjacent ? 2 * i : i;
    float a = 0.0f, b = 0.0f;
    ds_makef(kind, w0[k], adjacent ? w0[k + 1] : w1 ? w1[i] : 0u, &a, &b);
    x0[numbers == 2 ? k : i] = a;
    if (numbers == 2 && adjacent) x0[k + 1] = b;
    if (x1) x1[i] = b;
  }
}

DS_FUNC void loop(ds_transform_kind kind, int adjacent, int numbers, const ds_transform *transform, const uint32_t *restrict w0,
                  const uint32_t *restrict w1, int n, double *restrict x0, double *restrict x1)
{
  const double scale = transform->scale, shift = transform->shift;
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

/* One of the loops, by what is constant in it: the transform. w1 and x1 are NULL where words and numbers of a unit adjoin. */
#define SEPARATE(kind) (DS_TRANSFORM_NUMBERS(kind) == 2 ? x1 : NULL)
#define LOOPS(kind, is_double, call)                                                                                           \
  case kind:                                                                                                                   \
    if (DS_TRANSFORM_TAKES(kind, is_double) == 1)                                                                              \
      call(kind, 0, NULL, NULL);                                                                                               \
    else if (w1)                                                                                                               \
      call(kind, 0, w1, SEPARATE(kind));                                                                                       \
    else                                                                                                                       \
      call(kind, 1, NULL, NULL);                                                                                               \
    break;
#define SINGLE(kind, adjacent, v1, y1) loop_f(kind, adjacent, DS_TRANSFORM_NUMBERS(kind), w0, v1, n, x0, y1)
#define DOUBLE(kind, adjacent, v1, y1) loop(kind, adjacent, DS_TRANSFORM_NUMBERS(kind), transform, w0, v1, n, x0, y1)
#define SINGLE_LOOPS(kind) LOOPS(kind, 0, SINGLE)
#define DOUBLE_LOOPS(kind) LOOPS(kind, 1, DOUBLE)

static void numbers_f(const ds_transform *transform, const uint32_t *w0, const uint32_t *w1, int n, float *x0, float *x1)
{
  switch (transform->kind) {
    DS_NUMBER_TRANSFORMS(SINGLE_LOOPS)
  default: break;
  }
}

static void numbers(const ds_transform *transform, const uint32_t *w0, const uint32_t *w1, int n, double *x0, double *x1)
{
  switch (transform->kind) {
    DS_NUMBER_TRANSFORMS(DOUBLE_LOOPS)
    DOUBLE_LOOPS(DS_TRANSFORM_SCALED)
  default: break;
  }
}

void DS_KERNEL(ds_numbers)(const ds_transform *transform, ds_type type, const uint32_t *w0, const uint32_t *w1, int n, void *x0,
                           void *x1)
{
  if (transform->kind == DS_TRANSFORM_WORDS)
    memcpy(x0, w0, (size_t) n * sizeof *w0);
  else if (type == DS_F32)
    numbers_f(transform, w0, w1, n, x0, x1);
  else
    numbers(transform, w0, w1, n, x0, x1);
}
