/* Sort of the host's neighbor list.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SORT_HOST_H
#define DPDSOP_SORT_HOST_H

#include "dpdsop/status.h"

#include <stdint.h>

DS_C_BEGIN

typedef struct {
  uint64_t key;
  uint32_t index;
} ds_keyed;

/* By key, then index. Work space of n records; takes no memory itself, so that it cannot fail. */
void ds_sort_host(ds_keyed *records, ds_keyed *work, int n, int threads);

DS_C_END
#endif
