/* Arrays that grow, in host or device memory. Contents are not kept: every user refills what it grew.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BUFFER_H
#define DPDSOP_BUFFER_H

#include "dpdsop/status.h"

#include <stddef.h>

DS_C_BEGIN

/* A kind of memory. */
typedef struct ds_memory ds_memory;
struct ds_memory {
  const char *name;                                                /* "host", as in "bytes of host memory" */
  int (*get)(const ds_memory *memory, void **data, size_t *bytes); /* at least so many; 0 where there is no room */
  void (*release)(const ds_memory *memory, void *data, size_t bytes);
  void (*explain)(char *text, size_t size); /* of a failure, e.g. how much is free; may be NULL */
  int is_tight; /* 1: nothing is to be asked for beyond what is needed */
};

extern const ds_memory ds_host_memory; /* 64-byte aligned */

typedef struct ds_buffer {
  void *data;
  size_t bytes; /* allocated */
  struct ds_buffer *next;
} ds_buffer;

/* Buffers of one memory, each linked in when it first gets room, so that none can be forgotten. A linked buffer
   stays where it is until the pool is closed. */
typedef struct ds_pool {
  const ds_memory *memory;
  ds_buffer *first;
  struct ds_pool *next; /* of an object that works with this one's, and is counted with it */
} ds_pool;

/* The data of a buffer. */
#define DS_DATA(type, buffer) ((type *) (buffer).data)

/* At least count elements of size bytes. Grows by a fifth more than asked, so that fluctuating atom counts do not
   reallocate at every rebuild; by what is asked alone where there is no more. */
ds_status ds_reserve(ds_pool *pool, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err);

/* Frees a buffer that ends before its pool does. */
void ds_release(ds_pool *pool, ds_buffer *b);

/* The same as ds_reserve for a buffer that belongs to no pool; its user frees it. */
ds_status ds_buffer_reserve(const ds_memory *memory, ds_buffer *b, size_t count, size_t size, const char *what, ds_error *err);
void ds_buffer_free(const ds_memory *memory, ds_buffer *b);

/* Frees all buffers of the pool; it can be used again. */
void ds_pool_close(ds_pool *pool);
size_t ds_pool_bytes(const ds_pool *pool); /* and of those that have joined it */
void ds_pool_join(ds_pool *to, ds_pool *pool);
void ds_pool_leave(ds_pool *from, ds_pool *pool);

DS_C_END

#endif
