/* Messages whose words tell by themselves that they have arrived.   SPDX-License-Identifier: GPL-2.0-or-later

   While both are at work, host and GPU tell each other a few hundred words, and so do blocks of a kernel. Of each word of 64
   bits, one half is content, and the other half is the message's number, its mark. Words of 64 bits arrive whole: a reader that
   finds the mark has the content, too. So the reader needs to look once, and the writer needs no fence. With a flag behind the
   contents, the reader would look once more, over the bus. */
#ifndef DPDSOP_CORE_MARKED_WORDS_H
#define DPDSOP_CORE_MARKED_WORDS_H

#include "dpdsop/device/base.h"

#include <stdint.h>
#include <string.h>

DS_FUNC uint64_t ds_marked_word(uint32_t content, uint32_t mark)
{
  return (uint64_t) mark << 32 | content;
}

DS_FUNC int ds_has_mark(uint64_t word, uint32_t mark)
{
  return (uint32_t) (word >> 32) == mark;
}

/* Host: the mark of the next message, never 0, in a place for n words. Where marks begin anew (1), the place is cleared: no word
   of an earlier message may be taken for one of this. */
static inline uint32_t ds_next_mark(uint32_t mark, uint64_t *place, size_t n)
{
  if (++mark) return mark;
  memset(place, 0, n * sizeof *place);
  return 1;
}

/* Host: sends n words of 32 bits. */
static inline void ds_send_marked(uint64_t *to, const void *from, size_t n, uint32_t mark)
{
  for (size_t k = 0; k < n; k++) {
    uint32_t content;
    memcpy(&content, (const char *) from + k * sizeof content, sizeof content);
    to[k] = ds_marked_word(content, mark);
  }
  __atomic_thread_fence(__ATOMIC_RELEASE); /* the compiler leaves no word for later */
}

/* Host: takes those of words first .. n - 1 that have arrived. Returns the number of the next one; n: none is missing. */
static inline size_t ds_take_marked(const uint64_t *from, size_t first, size_t n, uint32_t mark, void *to)
{
  for (size_t k = first; k < n; k++) {
    const uint64_t word = __atomic_load_n(from + k, __ATOMIC_RELAXED);
    const uint32_t content = (uint32_t) word;
    if (!ds_has_mark(word, mark)) return k;
    memcpy((char *) to + k * sizeof content, &content, sizeof content);
  }
  return n;
}

#endif
