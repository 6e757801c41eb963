/* Noise of pairs in boxes so narrow that an atom sees several images of one neighbor within the cutoff.
   SPDX-License-Identifier: GPL-2.0-or-later

   Friction acts between an atom and each image that it sees, so fluctuation and dissipation match only if the random
   numbers of these images are independent (Tang & Karniadakis 2014, eq. 9). Pair noise is a function of the two
   signatures; for any image but the one nearest in fractions of the box both are changed by the image's number. Where no
   two images can be within the cutoff nothing is changed (ds_frame.several_images).

   The number of an image is read from the difference of integer positions, so it is the same for every rank, whether the
   neighbor is an own atom or a ghost. Both atoms of a pair count from the one with the lower signature to the other. */
#ifndef DPDSOP_IMAGE_NOISE_H
#define DPDSOP_IMAGE_NOISE_H

#include "dpdsop/device/frame.h"
#include "dpdsop/device/tea.h"

/* Box edges along axis d from the nearest image of a neighbor to the image with this difference of positions: 0 within
   half an edge, odd under exchange of the two atoms. */
DS_FUNC int ds_image_number32(const ds_frame *f, int d, int32_t diff)
{
  const int number = (int) (((diff - (diff > 0)) >> (f->bits[d] - 1)) + 1) >> 1;
  return f->several_images && f->periodic[d] && !f->shift[d] ? number : 0;
}

DS_FUNC int ds_image_number64(const ds_frame *f, int d, int64_t diff)
{
  const int number = (int) (((diff - (diff > 0)) >> (f->bits[d] + 31)) + 1) >> 1;
  return f->several_images && f->periodic[d] && !f->shift[d] ? number : 0;
}

/* What the image with these numbers, as atom i counts them, adds to the signatures of i and j (exclusive or): 0 for the
   nearest image. An atom and its own image have equal signatures and count towards the first positive number. */
DS_FUNC uint32_t ds_image_word(const int number[3], uint32_t sig_i, uint32_t sig_j)
{
  const uint32_t key[4] = DS_TEA_KEY;
  const int first = number[0] ? number[0] : number[1] ? number[1] : number[2];
  const int forward = sig_i == sig_j ? first > 0 : sig_i < sig_j;
  const int sign = forward ? 1 : -1;
  uint32_t a = (uint32_t) (sign * number[0]) ^ (uint32_t) (sign * number[1]) << 16;
  uint32_t b = (uint32_t) (sign * number[2]);
  ds_tea_encrypt(8, key, &a, &b);
  return first ? a ^ b : 0;
}

/* 1 where images of one atom differ in more than their place. */
DS_FUNC int ds_images_differ(const ds_frame *f)
{
  return f->images_move || f->several_images;
}

#endif
