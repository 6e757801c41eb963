/* Arrays that grow.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

enum { DS_ALIGN = 64 };

static int host_get(const ds_memory *memory, void **data, size_t *bytes)
{
  (void) memory;
  return posix_memalign(data, DS_ALIGN, *bytes) == 0;
}

static void host_release(const ds_memory *memory, void *data, size_t bytes)
{
  (void) memory, (void) bytes;
  free(data);
}

const ds_memory ds_host_memory = {"host", host_get, host_release, NULL, 0};

static ds_status no_room(const ds_memory *memory, size_t bytes, const char *what, ds_error *err)
{
  char why[160] = "";
  if (memory->explain) memory->explain(why, sizeof why);
  return ds_fail(err, DS_ERR_MEMORY, "%s: could not get %zu bytes of %s memory%s", what, bytes, memory->name, why);
}

ds_status ds_buffer_reserve(const ds_memory *memory, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err)
{
  if (count > (SIZE_MAX / 2) / size) return no_room(memory, SIZE_MAX, what, err);
  const size_t need = count * size;
  if (b->data && need <= b->bytes) return DS_OK;
  const size_t wanted[2] = {need + need / 5, need};
  ds_buffer_free(memory, b);
  for (int k = memory->is_tight; k < 2; k++) {
    size_t bytes = (wanted[k] / DS_ALIGN + 1) * DS_ALIGN;
    if (!memory->get(memory, &b->data, &bytes)) continue;
    b->bytes = bytes;
    return DS_OK;
  }
  b->data = NULL;
  return no_room(memory, need, what, err);
}

void ds_buffer_free(const ds_memory *memory, ds_buffer *b)
{
  if (b->data) memory->release(memory, b->data, b->bytes);
  b->data = NULL;
  b->bytes = 0;
}

static int is_linked(const ds_pool *pool, const ds_buffer *b)
{
  for (const ds_buffer *k = pool->first; k; k = k->next)
    if (k == b) return 1;
  return 0;
}

ds_status ds_reserve(ds_pool *pool, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err)
{
  if (!b->data && !is_linked(pool, b)) {
    b->next = pool->first;
    pool->first = b;
  }
  return ds_buffer_reserve(pool->memory, b, count, size, what, err);
}

void ds_release(ds_pool *pool, ds_buffer *b)
{
  ds_buffer **link = &pool->first;
  while (*link && *link != b) link = &(*link)->next;
  if (*link) *link = b->next;
  b->next = NULL;
  ds_buffer_free(pool->memory, b);
}

void ds_pool_close(ds_pool *pool)
{
  for (ds_buffer *b = pool->first, *next; b; b = next) {
    next = b->next;
    ds_buffer_free(pool->memory, b);
    b->next = NULL;
  }
  pool->first = NULL;
}

size_t ds_pool_bytes(const ds_pool *pool)
{
  size_t sum = 0;
  for (; pool; pool = pool->next)
    for (const ds_buffer *b = pool->first; b; b = b->next) sum += b->bytes;
  return sum;
}

void ds_pool_join(ds_pool *to, ds_pool *pool)
{
  pool->next = to->next;
  to->next = pool;
}

void ds_pool_leave(ds_pool *from, ds_pool *pool)
{
  while (from->next != pool) from = from->next;
  from->next = pool->next;
}
