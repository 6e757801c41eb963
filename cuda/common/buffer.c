/* Growing host arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

enum { DS_ALIGN = 64 };

ds_status ds_buffer_reserve(ds_buffer *b, size_t count, size_t size, const char *what,
                            ds_error *err)
{
  if (count > (SIZE_MAX / 2) / size)
    return ds_fail(err, DS_ERR_MEMORY, "%s: %zu elements of %zu bytes exceed the address space",
                   what, count, size);
  const size_t need = count * size;
  if (need <= b->bytes && b->data) return DS_OK;
  const size_t bytes = (need + need / 5 + DS_ALIGN) / DS_ALIGN * DS_ALIGN;
  void *data = NULL;
  ds_buffer_free(b);
  if (posix_memalign(&data, DS_ALIGN, bytes) != 0)
    return ds_fail(err, DS_ERR_MEMORY, "%s: could not get %zu bytes of host memory", what, bytes);
  b->data = data;
  b->bytes = bytes;
  return DS_OK;
}

void ds_buffer_free(ds_buffer *b)
{
  free(b->data);
  b->data = NULL;
  b->bytes = 0;
}
