/* morton.h: the Z-order curve in three dimensions, 21 bits each.
   SPDX-License-Identifier: GPL-2.0-or-later

   Tang & Karniadakis 2014, section 3.2.2. Bit k of x, y, z goes to bit 3k, 3k+1, 3k+2 of the code;
   masks and shifts double the number of groups in each line. */
#ifndef DPDSOP_MORTON_H
#define DPDSOP_MORTON_H

#include "dpdsop/device/base.h"

DS_FUNC uint64_t ds_morton_spread(uint32_t v)
{
  uint64_t x = v & 0x1FFFFFu;
  x = (x | (x << 32)) & 0x001F00000000FFFFull;
  x = (x | (x << 16)) & 0x001F0000FF0000FFull;
  x = (x | (x << 8)) & 0x100F00F00F00F00Full;
  x = (x | (x << 4)) & 0x10C30C30C30C30C3ull;
  x = (x | (x << 2)) & 0x1249249249249249ull;
  return x;
}

DS_FUNC uint32_t ds_morton_gather(uint64_t x)
{
  x &= 0x1249249249249249ull;
  x = (x | (x >> 2)) & 0x10C30C30C30C30C3ull;
  x = (x | (x >> 4)) & 0x100F00F00F00F00Full;
  x = (x | (x >> 8)) & 0x001F0000FF0000FFull;
  x = (x | (x >> 16)) & 0x001F00000000FFFFull;
  x = (x | (x >> 32)) & 0x1FFFFFull;
  return (uint32_t) x;
}

/* Bits of x, y, z above the lowest 21 are ignored. */
DS_FUNC uint64_t ds_morton_encode(uint32_t x, uint32_t y, uint32_t z)
{
  return ds_morton_spread(x) | (ds_morton_spread(y) << 1) | (ds_morton_spread(z) << 2);
}

DS_FUNC void ds_morton_decode(uint64_t code, uint32_t *x, uint32_t *y, uint32_t *z)
{
  *x = ds_morton_gather(code);
  *y = ds_morton_gather(code >> 1);
  *z = ds_morton_gather(code >> 2);
}

#endif
