/* Ghost atoms of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "atom_source.cuh"

#include <string.h>

enum { DS_THREADS = 128 };

/* What is no atom is sent as such: whoever gets it stops, too. */
template <class S>
__global__ void pack_kernel(ds_launch_id launch, const __grid_constant__ atom_source<S> a, int n,
                            const int32_t *list, int ix, int iy, int iz, uint32_t *out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  uint32_t *const message = out + (size_t) k * S::message_words;
  typename S::position p;
  typename S::velocity v;
  if (ds_stopped(launch) || (read_atom<S, true>(a, list[k], &p, &v) & DS_BAD_ATOM)) {
    for (int w = 0; w < S::message_words; w++) message[w] = ~0u;
    return;
  }
  S::shift(a.frame, &p, ix, iy, iz);
  S::write_message(message, p, v);
}

/* Bytes of messages of own atoms, and of all. */
static size_t own_bytes(const ds_atoms_cuda *a)
{
  return a->by_message ? ds_source_message_bytes(&a->host) * (size_t) a->nlocal : 0;
}

static size_t all_bytes(const ds_atoms_cuda *a)
{
  return own_bytes(a) +
         (a->have_owners ? 0 : ds_source_message_bytes(&a->host) * (size_t) a->nghost);
}

/* Room for messages of the host, which go to the device all together. */
static ds_status stage_messages(ds_atoms_cuda *a, ds_error *err)
{
  const size_t own = own_bytes(a), all = all_bytes(a);
  const ds_status s =
      ds_queue_stage(a->stream, &a->message_host, all + 64, 1, "atoms to send", err);
  if (s) return s;
  if (a->clear_host) memset(DS_DATA(char, a->message_host.buffer) + own, 0, all - own);
  a->clear_host = 0;
  return DS_OK;
}

ds_status ds_atoms_cuda_own_messages(ds_atoms_cuda *a, int threads, ds_error *err)
{
  const size_t all = all_bytes(a);
  a->bad = 0;
  a->arrived = -1;
  ds_status s = ds_reserve(&a->stream->memory, &a->message, all + 64, 1, "atoms to send", err);
  /* ghosts that never arrive have a place all the same */
  if (!s && a->clear_ghosts)
    s = ds_gpu_check(cudaMemsetAsync(a->message.data, 0, all, a->stream->stream), "clearing ghosts",
                     err);
  a->clear_host |= a->clear_ghosts;
  a->clear_ghosts = 0;
  if (s || !a->by_message) return s;
  s = stage_messages(a, err);
  if (s) return s;
  a->bad = ds_source_pack(&a->host, a->nlocal, NULL, NULL, threads,
                          DS_DATA(char, a->message_host.buffer));
  a->messages_pending = 1;
  return DS_OK;
}

ds_status ds_atoms_cuda_send_messages(ds_atoms_cuda *a, ds_error *err)
{
  if (!a->messages_pending) return DS_OK;
  a->messages_pending = 0;
  ds_timer_begin(&a->stream->timer, DS_STAGE_MESSAGES, a->stream->stream);
  const ds_status s = ds_queue_send(a->stream, a->message.data, &a->message_host, all_bytes(a),
                                     "copying atoms", err);
  ds_timer_end(&a->stream->timer, DS_STAGE_MESSAGES, a->stream->stream);
  return s;
}

ds_status ds_atoms_cuda_unpack(ds_atoms_cuda *a, int first, int n, const void *buffer,
                               ds_space space, ds_error *err)
{
  const size_t size = ds_source_message_bytes(&a->host), bytes = size * (size_t) n,
               at = own_bytes(a) + size * (size_t) (first - a->nlocal);
  if (a->have_owners) return ds_succeed(err); /* owners tell all */
  if (a->arrived >= 0 && a->arrived != (int) space)
    return ds_fail(err, DS_ERR_ARGUMENT, "messages of ghosts from host and device memory");
  a->arrived = (int) space;
  ds_status s;
  if (space == DS_SPACE_DEVICE) {
    s = ds_atoms_cuda_send_messages(a, err); /* of own atoms */
    if (!s)
      s = ds_queue_copy(a->stream, DS_DATA(char, a->message) + at, buffer, bytes, "copying ghosts",
                         err);
    return s ? s : ds_succeed(err);
  }
  /* what arrived earlier in this step stays: the buffer has had its room since then */
  s = stage_messages(a, err);
  if (s) return s;
  if (n) memcpy(DS_DATA(char, a->message_host.buffer) + at, buffer, bytes);
  a->messages_pending = 1;
  return ds_succeed(err);
}

ds_status ds_atoms_cuda_owners(ds_atoms_cuda *a, const int *owner, const int *image, ds_error *err)
{
  const size_t n = (size_t) a->nghost;
  ds_status s = ds_reserve(&a->stream->memory, &a->owner, n + 1, sizeof(int4), "ghost owners", err);
  if (!s) s = ds_queue_stage(a->stream, &a->owner_host, n + 1, sizeof(int4), "ghost owners", err);
  if (s) return s;
  int4 *const to = DS_DATA(int4, a->owner_host.buffer);
  for (size_t g = 0; g < n; g++)
    to[g] = make_int4(owner[g], image[3 * g], image[3 * g + 1], image[3 * g + 2]);
  a->have_owners = 1;
  s = ds_queue_send(a->stream, a->owner.data, &a->owner_host, n * sizeof(int4),
                     "copying ghost owners", err);
  return s ? s : ds_succeed(err);
}

template <class S>
static ds_status launch_pack(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                             void *buffer, ds_error *err)
{
  return DS_LAUNCH(err, "pack kernel", pack_kernel<S>, ds_gpu_blocks((size_t) n, DS_THREADS),
                   DS_THREADS, a->stream->stream, ds_queue_launch_id(a->stream, a->step),
                   source_of<S>(a), n, list, shift[0], shift[1], shift[2], (uint32_t *) buffer);
}

ds_status ds_atoms_cuda_queue_pack(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                                   void *buffer, ds_error *err)
{
  if (n == 0) return ds_succeed(err);
  ds_status s = ds_atoms_cuda_send_messages(a, err);
  if (!s)
    s = a->storage64 ? launch_pack<storage64>(a, n, list, shift, buffer, err)
                     : launch_pack<storage32>(a, n, list, shift, buffer, err);
  return s ? s : ds_succeed(err);
}

static ds_status pack_on_device(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                                void *buffer, ds_error *err)
{
  const size_t count = (size_t) n, bytes = count * ds_source_message_bytes(&a->host);
  ds_status s = ds_reserve(&a->stream->memory, &a->pack_list, count + 1, sizeof(int32_t),
                           "ghosts to send", err);
  if (!s) s = ds_reserve(&a->stream->memory, &a->pack_data, bytes + 64, 1, "ghosts to send", err);
  if (!s)
    s = ds_queue_stage(a->stream, &a->pack_list_host, count + 1, sizeof(int32_t), "ghosts to send",
                        err);
  if (s) return s;
  memcpy(a->pack_list_host.buffer.data, list, count * sizeof *list);
  s = ds_queue_send(a->stream, a->pack_list.data, &a->pack_list_host, count * sizeof(int32_t),
                     "copying the list of ghosts", err);
  if (!s)
    s = ds_atoms_cuda_queue_pack(a, n, DS_DATA(int32_t, a->pack_list), shift, a->pack_data.data,
                                 err);
  if (!s) s = ds_queue_copy(a->stream, buffer, a->pack_data.data, bytes, "copying ghosts", err);
  return s ? s : ds_queue_wait(a->stream, "pack kernel", err);
}

ds_status ds_atoms_cuda_pack(ds_atoms_cuda *a, int n, const int *list, const int shift[3],
                             int threads, void *buffer, ds_error *err)
{
  if (n == 0) return ds_succeed(err);
  if (!a->on_host || a->have_owners) {
    const ds_status s = pack_on_device(a, n, list, shift, buffer, err);
    return s ? s : ds_succeed(err);
  }
  const char *const message = DS_DATA(char, a->message_host.buffer);
  a->host.message = message;
  if (a->by_message)
    ds_source_copy_messages(&a->host, message, n, list, shift, (char *) buffer);
  else
    ds_source_pack(&a->host, n, list, shift, threads, (char *) buffer);
  return ds_succeed(err);
}
