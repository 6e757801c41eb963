/* A digest of bytes, by which saved states are told apart.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DIGEST_H
#define DPDSOP_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DS_DIGEST_OF_NOTHING 0xCBF29CE484222325ull

/* FNV-1a (Fowler, Noll & Vo), going on from `digest`. Each byte is a permutation of all digests, so that bytes which differ
   in one place only never have the same one. */
static inline uint64_t ds_digest(uint64_t digest, const void *bytes, size_t size)
{
  const unsigned char *const b = (const unsigned char *) bytes;
  for (size_t k = 0; k < size; k++) digest = (digest ^ b[k]) * 0x100000001B3ull;
  return digest;
}

#endif
