/* Bonds of the caller's atoms; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded_host.h"

int DS_KERNEL(ds_bonded_forces)(const ds_bonded_view *b, int first, int last)
{
  int too_long = 0;
  for (int k = first; k < last; k++) too_long |= ds_bonded_atom(b, k);
  return too_long;
}

void DS_KERNEL(ds_bonded_images)(const ds_bonded_view *b, int first, int last)
{
  for (int term = first; term < last; term++) ds_renew_term(b, term);
}
