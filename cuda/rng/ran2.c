/* Ran2 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

enum { WORDS = DS_STREAM_WORDS(ds_ran2) };

/* Residues that are not 0; those of the second generator are its own. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  const int64_t width = r->options.width;
  int good = 1;
  for (int64_t k = 0; k < WORDS * width; k++) good &= state[k] > 0 && state[k] < (k / width == 1 ? DS_RAN2_M2 : DS_RAN2_M1);
  return good;
}

DS_RNG_FILL_CUDA(ds_ran2_fill_cuda);

const ds_rng_method ds_rng_ran2 = {
    .kind = DS_RAN2,
    .info = {.name = "ran2",
             .title = "Ran2, two combined and shuffled",
             .source = "Press et al. 1992, L'Ecuyer 1988",
             .family = DS_RNG_STREAMS,
             .state_bytes = 4 * WORDS,
             .log2_period = 61, /* (M1 - 1) (M2 - 1) / 2 */
             .bits = 31,
             .words_per_double = 1,
             .double_scale = 0.5 / DS_RAN2_M1, /* the published y / M1, which is neither 0 nor 1 */
             .most_width = (int64_t) 1 << 27,
             .width_name = "streams"},
    .seed = ds_streams_seed,
    .legal = legal,
    .fill_host = ds_streams_fill,
    .fill_cuda = DS_RNG_CUDA(ds_ran2_fill_cuda),
};
