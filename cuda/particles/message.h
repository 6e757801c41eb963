/* What is sent of an atom that is a ghost elsewhere; included through each_arithmetic.h. The receiver, who knows its ID,
   makes its signature. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */

#pragma pack(push, 4)
typedef struct {
  DS_WORD x, y, z;
  int32_t type; /* 0-based; out of range: no atom */
  DS_REAL vx, vy, vz;
} DS_W(ds_message);
#pragma pack(pop)
