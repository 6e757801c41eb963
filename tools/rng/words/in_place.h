/* in_place.h: words as programs make them inside their loops and kernels, in the orders in which they use them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_WORDS_IN_PLACE_H
#define DPDSOP_WORDS_IN_PLACE_H

#include <stddef.h>
#include <stdint.h>

/* STREAMS: one word each of `width` streams, the next one of each, and so on: threads with a stream of their own.
   STARTS: the first `count` words of streams 0, 1, 2 ...     SEEDS: those of one stream of seeds s, s + 1, s + 2 ...
   IDS: four words for each of `width` ids of step 0, of step 1, and so on.     STEPS: the same with ids and steps
   exchanged. */
typedef enum { STREAMS = 0, STARTS, SEEDS, IDS, STEPS, LAYOUTS } in_place_layout;

typedef struct {
  in_place_layout layout;
  uint64_t seed, first, width; /* first: the first stream; the only one for SEEDS */
  int count;
} in_place_options;

typedef struct in_place in_place;

/* LAYOUTS for a name that is none: "streams", "starts", "seeds", "ids", "steps". */
in_place_layout in_place_layout_of(const char *name);

/* NULL, with a text, for a generator without streams, or without ds_NAME_at where ids and steps are asked for, or
   without memory. */
in_place *in_place_open(const char *generator, const in_place_options *options, const char **why);
void in_place_words(in_place *p, uint32_t *out, size_t n);
void in_place_close(in_place *p);

#endif
