/* Sort of (key, index) records on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SORT_HOST_H
#define DPDSOP_SORT_HOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint64_t key;
  uint32_t index;
} ds_keyed;

/* Ascending by key, then index: the order of a stable sort by key, whatever the threads. */
void ds_sort_host(ds_keyed *records, int n, int threads);

#ifdef __cplusplus
}
#endif
#endif
