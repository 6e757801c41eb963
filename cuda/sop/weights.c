/* Weights of the beads that are fixed or pulled together.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ set up */

/* Numbers like 0.1 and 0.3 are multiples but for their last bits. */
static int is_whole(double ratio)
{
  return fabs(ratio - nearbyint(ratio)) <= 1e-12 * ratio;
}

static int are_whole(int32_t count, const double *given, double quantum)
{
  for (int32_t k = 0; k < count; k++)
    if (!is_whole(given[k] / quantum)) return 0;
  return 1;
}

/* The largest number that weights are multiples of, or a part of their sum. */
static double quantum_of(int32_t count, const double *given, double sum)
{
  const double least = ldexp(sum, -DS_SOP_WEIGHT_BITS);
  double smallest = given[0];
  for (int32_t k = 1; k < count; k++) smallest = fmin(smallest, given[k]);
  for (int parts = 1; smallest / parts >= least; parts++)
    if (are_whole(count, given, smallest / parts)) return smallest / parts;
  return least;
}

static ds_status take_given(ds_sop_weights *w, const char *what, const int32_t *bead, const double *given, ds_error *err)
{
  double sum = 0.0;
  for (int32_t k = 0; k < w->count; k++) {
    if (!(given[k] > 0.0) || !isfinite(given[k]))
      return ds_fail(err, DS_ERR_ARGUMENT, "weight %g of %s bead %d must be above 0", given[k], what, bead[k] + 1);
    sum += given[k];
  }
  if (w->count && !(sum >= 1e-200 && sum <= 1e200))
    return ds_fail(err, DS_ERR_ARGUMENT, "sum %g of the weights of %s beads must be from 1e-200 to 1e200", sum, what);
  const double quantum = w->count ? quantum_of(w->count, given, sum) : 1.0;
  w->total = 0;
  for (int32_t k = 0; k < w->count; k++) {
    w->weight[k] = (int32_t) nearbyint(given[k] / quantum);
    if (w->weight[k] < 1)
      return ds_fail(err, DS_ERR_ARGUMENT, "weight %g of %s bead %d is too small beside the sum of all, %g: at least %g",
                     given[k], what, bead[k] + 1, sum, 0.5 * quantum);
    w->total += w->weight[k];
  }
  return DS_OK;
}

ds_status ds_sop_weights_set(ds_sop_weights *w, const char *what, int32_t count, const int32_t *bead, const double *given,
                             ds_error *err)
{
  w->count = w->total = count;
  w->weight = malloc(((size_t) count + 1) * sizeof *w->weight);
  if (!w->weight) return ds_fail(err, DS_ERR_MEMORY, "no host memory for weights of %d %s beads", count, what);
  for (int32_t k = 0; k < count; k++) w->weight[k] = 1;
  return given ? take_given(w, what, bead, given, err) : DS_OK;
}

void ds_sop_weights_free(ds_sop_weights *w)
{
  free(w->weight);
  memset(w, 0, sizeof *w);
}

int ds_sop_weights_are_equal(const ds_sop_weights *w)
{
  return w->total == w->count;
}

/* -------------------------------------------------------------------------------------------- sums */

void ds_sop_weights_sum(const ds_sop_weights *w, const int64_t *position, const int32_t *bead, int64_t sum[3])
{
  uint64_t s[3] = {0, 0, 0};
  for (int32_t k = 0; k < w->count; k++)
    for (int c = 0; c < 3; c++) s[c] += (uint64_t) w->weight[k] * (uint64_t) position[3 * (size_t) bead[k] + (size_t) c];
  for (int c = 0; c < 3; c++) sum[c] = (int64_t) s[c];
}

/* The sum of all may be beyond 64 bits, but those of the high and low words of positions are not. They are exact, so that
   one addition rounds. */
void ds_sop_weights_mean(const ds_sop_weights *w, const int64_t *position, const int32_t *bead, double mean[3])
{
  for (int c = 0; c < 3; c++) {
    int64_t high = 0, low = 0;
    for (int32_t k = 0; k < w->count; k++) {
      const int64_t p = position[3 * (size_t) bead[k] + (size_t) c];
      high += (p >> 32) * w->weight[k];
      low += (int64_t) (uint32_t) p * w->weight[k];
    }
    mean[c] = (ldexp((double) high, 32) + (double) low) / w->total;
  }
}
