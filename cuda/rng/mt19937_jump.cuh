/* The Mersenne Twister jumps, by the threads of a block.   SPDX-License-Identifier: GPL-2.0-or-later

   The window after a jump is r_j = sum over m of a_m X_{m+j}, Bradley eq. 7: 10^4 words to add for each of 624, if
   that is done with words. Here the tensor cores do it, which have a product of bit matrices (AND, and the count of
   the ones, of which the lowest bit is the sum). With j = 32 q + s, bit b of r_j is
     sum over n of P_b(n + 32 q) A_s(n),   P_b(n) = bit b of X_n,   A_s(n) = a_{n-s}
   a matrix of 640 rows (b, q), made of the 32 planes P_b shifted by whole words, times one of 32 columns s,
   the polynomial shifted by bits; 19968 is the length of both. mma.m16n8k256 takes 16 rows, 8 columns and 256
   of the length. */
#ifndef DPDSOP_RNG_MT19937_JUMP_CUH
#define DPDSOP_RNG_MT19937_JUMP_CUH

#include "mt19937_state.h"
#include "mt19937_team.cuh"

enum {
  DS_MT_SPAN_WORDS = DS_MT19937_SPAN * DS_MT19937_WORDS,
  DS_MT_GROUPS = DS_MT19937_WORDS + 19,     /* of 32 words that the matrix is made of */
  DS_MT_SLICES = DS_MT19937_WORDS / 8,      /* of 256 bits */
  DS_MT_POLYNOMIAL = DS_MT19937_WORDS + 16, /* with zeros on both sides */
  DS_MT_JUMP_WORDS = DS_MT_SPAN_WORDS + DS_MT_POLYNOMIAL
};

/* Word b of the result has bit b of the words of all lanes: five exchanges of ever smaller blocks. */
__device__ __forceinline__ uint32_t ds_mt_transpose(uint32_t x, int lane)
{
  const uint32_t lower[5] = {0x55555555u, 0x33333333u, 0x0F0F0F0Fu, 0x00FF00FFu, 0x0000FFFFu};
#pragma unroll
  for (int k = 4; k >= 0; k--) {
    const int distance = 1 << k, upper = lane & distance;
    const uint32_t other = __shfl_xor_sync(0xFFFFFFFFu, x, distance);
    const uint32_t keep = upper ? ~lower[k] : lower[k];
    const uint32_t turned = __funnelshift_l(other, other, upper ? 32 - distance : distance);
    x = (x & keep) | (turned & ~keep);
  }
  return x;
}

/* Plane b of group k lies where lanes that read 8 planes of 4 groups meet no bank twice. */
__device__ __forceinline__ int ds_mt_plane(int group, int plane)
{
  return 32 * group + ((plane + 8 * group) & 31);
}

__device__ __forceinline__ void ds_mt_planes(uint32_t *span, int thread)
{
  const int lane = thread % 32;
#pragma unroll 4
  for (int group = thread / 32; group < DS_MT_GROUPS; group += DS_MT_TEAM / 32) {
    const uint32_t plane = ds_mt_transpose(span[32 * group + lane], lane);
    __syncwarp();
    span[ds_mt_plane(group, lane)] = plane;
  }
}

/* c += a b; fragments as in the description of mma.m16n8k256 in the PTX manual */
__device__ __forceinline__ void ds_mt_multiply(int (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Rows (b, q) of 16 planes, and all columns, of a product: [columns / 8]. */
typedef int ds_mt_rows[4][4];

/* Half the bits of the words 32 q to 32 q + 31. A thread has two rows and two columns of each eight. */
__device__ __forceinline__ void ds_mt_store(const ds_mt_rows &sum, int q, int half, int lane, uint32_t *to)
{
  const int row = lane / 4, column = lane % 4 * 2;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    uint32_t bits = (uint32_t) (sum[k / 2][k % 2] & 1) << row;
    bits |= (uint32_t) (sum[k / 2][k % 2 + 2] & 1) << (row + 8);
#pragma unroll
    for (int distance = 4; distance < 32; distance *= 2) bits |= __shfl_xor_sync(0xFFFFFFFFu, bits, distance);
    const int word = 32 * q + k / 2 * 8 + column + k % 2;
    if (row == 0 && word < DS_MT19937_WORDS) ((uint16_t *) to)[2 * word + half] = (uint16_t) bits;
  }
}

/* Rows (b, q) and, if `two`, (b, q + 8), of the 16 planes of this half. The second ones need at each slice of the
   length what the first ones need at the next, so both are made of the same fragments. */
__device__ __forceinline__ void ds_mt_product(const uint32_t *span, const uint32_t *polynomial, int q, int half, bool two,
                                              int lane, uint32_t *to)
{
  ds_mt_rows sum[2] = {};
  uint32_t before[4][2] = {};
  const int row = lane / 4, word = lane % 4;
  const uint32_t *const low = span + ds_mt_plane(word + q, 16 * half + row);
  const uint32_t *const high = span + ds_mt_plane(word + q, 16 * half + row + 8);
  const uint32_t *const a = polynomial + word;
  const int slices = two ? DS_MT_SLICES + 1 : DS_MT_SLICES; /* the polynomial ends in zeros */
  for (int slice = 0; slice < slices; slice++) {
    const int at = 256 * slice;
    const uint32_t x[4] = {low[at], high[at], low[at + 128], high[at + 128]};
    const uint32_t *const now = a + 8 * slice;
    uint32_t y[4][2];
#pragma unroll
    for (int c = 0; c < 4; c++) {
      y[c][0] = __funnelshift_l(now[-1], now[0], 8 * c + row);
      y[c][1] = __funnelshift_l(now[3], now[4], 8 * c + row);
    }
#pragma unroll
    for (int c = 0; c < 4; c++) ds_mt_multiply(sum[0][c], x, y[c]);
    if (two) {
#pragma unroll
      for (int c = 0; c < 4; c++) ds_mt_multiply(sum[1][c], x, before[c]);
    }
#pragma unroll
    for (int c = 0; c < 4; c++) before[c][0] = y[c][0], before[c][1] = y[c][1];
  }
  ds_mt_store(sum[0], q, half, lane, to);
  if (two) ds_mt_store(sum[1], q + 8, half, lane, to);
}

/* From the window at span[0 .. 623], which all threads can see, to the one that the polynomial leads to. span has
   DS_MT_JUMP_WORDS words; threads 0 to DS_MT_TEAM - 1 use the barrier of this id. */
__device__ __forceinline__ void ds_mt_jump(int thread, int id, uint32_t *span, const uint32_t *polynomial, uint32_t *to)
{
  uint32_t *const a = span + DS_MT_SPAN_WORDS;
  for (int k = thread; k < DS_MT_POLYNOMIAL; k += DS_MT_TEAM) a[k] = k >= 8 && k < 8 + DS_MT19937_WORDS ? polynomial[k - 8] : 0;
  ds_mt_words own(span, thread);
  for (int w = 0; w < DS_MT19937_SPAN - 1; w++) {
    own.advance_any(span + DS_MT19937_WORDS * w, span + DS_MT19937_WORDS * (w + 1));
    ds_team_barrier(id, DS_MT_TEAM);
  }
  ds_mt_planes(span, thread);
  ds_team_barrier(id, DS_MT_TEAM);
  const int warp = thread / 32, lane = thread % 32;
  /* q = warp and warp + 8, either half; then half of one of those from 16 on */
  for (int part = 0; part < 3; part++) {
    const bool two = part < 2;
    ds_mt_product(span, a + 8, two ? warp : 16 + warp / 2, two ? part : warp % 2, two, lane, to);
  }
}

#endif
