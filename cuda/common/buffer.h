/* Growing host arrays. Contents are not kept: every user refills what it grew.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BUFFER_H
#define DPDSOP_BUFFER_H

#include "dpdsop/status.h"

#include <stddef.h>

typedef struct {
  void *data;
  size_t bytes; /* allocated */
} ds_buffer;

/* At least count elements of size bytes, 64-byte aligned; grows by a fifth more than asked, so that
   fluctuating atom counts do not reallocate at every rebuild. */
ds_status ds_buffer_reserve(ds_buffer *b, size_t count, size_t size, const char *what,
                            ds_error *err);
void ds_buffer_free(ds_buffer *b);

#endif
