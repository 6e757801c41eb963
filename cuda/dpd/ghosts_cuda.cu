/* Ghost atoms of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "words.cuh"

#include <string.h>

enum { DS_THREADS = 128 };

template <class W>
__global__ void pack_kernel(atom_source<W> a, int n, const int32_t *list, const int64_t *tag,
                            int ix, int iy, int iz, uint32_t *out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  const int i = list[k];
  typename W::record r;
  uint32_t signature;
  if (!ds_read_atom(a, i, &r, &signature)) signature = ds_sign_atom(a, r, tag[i]);
  W::write_message(out + (size_t) k * W::message_words, ds_shifted<W>(a.frame, r, ix, iy, iz),
                   signature);
}

static size_t message_bytes(const ds_cuda_state *c)
{
  return c->wide ? DS_GHOST_BYTES64 : DS_GHOST_BYTES;
}

ds_status ds_cuda_upload_messages(ds_dpd *dpd, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t bytes = (size_t) dpd->nghost * message_bytes(c);
  ds_status s = ds_gpu_reserve(&c->message, bytes + 64, 1, "ghosts", err);
  if (s || !c->messages_pending || c->have_owners) return s;
  c->messages_pending = 0;
  return ds_cuda_upload(c, &c->message, &c->message_host, bytes, "copying ghosts", err);
}

ds_status ds_cuda_unpack(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t size = message_bytes(c);
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  /* what arrived earlier in this step stays, so the buffer may only grow before the first message */
  if (!s) s = ds_cuda_stage(c, &c->message_host, (size_t) dpd->nghost + 1, size, "ghosts", err);
  if (s) return s;
  memcpy(DS_DATA(char, c->message_host) + size * (size_t) (first - dpd->nlocal), buffer,
         size * (size_t) n);
  c->messages_pending = 1;
  c->gathered = 0;
  return ds_succeed(err);
}

ds_status ds_cuda_set_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  const size_t n = (size_t) dpd->nghost;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (!s) s = ds_gpu_reserve(&c->owner, n + 1, sizeof(int4), "ghost owners", err);
  if (!s) s = ds_cuda_stage(c, &c->owner_host, n + 1, sizeof(int4), "ghost owners", err);
  if (s) return s;
  for (size_t g = 0; g < n; g++)
    DS_DATA(int4, c->owner_host)
    [g] = make_int4(owner[g], image[3 * g], image[3 * g + 1], image[3 * g + 2]);
  c->have_owners = 1;
  c->gathered = 0;
  s = ds_cuda_upload(c, &c->owner, &c->owner_host, n * sizeof(int4), "copying ghost owners", err);
  return s ? s : ds_succeed(err);
}

/* From the copies that the host still has: no trip to the device. */
static void pack_on_host(const ds_dpd *dpd, const ds_cuda_state *c, int n, const int *list,
                         const int shift[3], void *buffer)
{
  const ds_offload_source source = {&dpd->frame,
                                    c->isa,
                                    c->wide,
                                    dpd->nlocal,
                                    dpd->options.threads,
                                    c->record_host.data,
                                    DS_DATA(char, c->message_host),
                                    DS_DATA(int64_t, c->tag_host),
                                    c->seed,
                                    (uint64_t) dpd->step};
  ds_offload_pack(&source, n, list, shift, (char *) buffer);
}

template <class W>
static ds_status launch_pack(ds_dpd *dpd, ds_cuda_state *c, int n, const int shift[3],
                             ds_error *err)
{
  return DS_LAUNCH(err, "pack kernel", pack_kernel<W>, ds_gpu_blocks((size_t) n, DS_THREADS),
                   DS_THREADS, c->stream, ds_atom_source<W>(dpd), n, DS_DATA(int32_t, c->pack_list),
                   DS_DATA(int64_t, c->tag), shift[0], shift[1], shift[2],
                   DS_DATA(uint32_t, c->pack_data));
}

static ds_status pack_on_device(ds_dpd *dpd, ds_cuda_state *c, int n, const int *list,
                                const int shift[3], void *buffer, ds_error *err)
{
  const size_t count = (size_t) n, bytes = count * message_bytes(c);
  ds_status s = ds_cuda_upload_messages(dpd, err);
  if (!s) s = ds_gpu_reserve(&c->pack_list, count + 1, sizeof(int32_t), "ghosts to send", err);
  if (!s) s = ds_gpu_reserve(&c->pack_data, bytes + 64, 1, "ghosts to send", err);
  if (!s)
    s = ds_cuda_stage(c, &c->pack_list_host, count + 1, sizeof(int32_t), "ghosts to send", err);
  if (!s) s = ds_cuda_stage(c, &c->pack_data_host, bytes + 64, 1, "ghosts to send", err);
  if (s) return s;
  memcpy(c->pack_list_host.data, list, count * sizeof *list);
  s = ds_cuda_upload(c, &c->pack_list, &c->pack_list_host, count * sizeof(int32_t),
                     "copying the list of ghosts", err);
  if (!s)
    s = c->wide ? launch_pack<wide_words>(dpd, c, n, shift, err)
                : launch_pack<narrow_words>(dpd, c, n, shift, err);
  if (!s)
    s = ds_cuda_download(c, c->pack_data_host.data, c->pack_data.data, bytes, "copying ghosts",
                         err);
  if (!s) s = ds_cuda_wait(c, "pack kernel", err);
  if (!s) memcpy(buffer, c->pack_data_host.data, bytes);
  return s;
}

ds_status ds_cuda_pack(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                       ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) dpd->state;
  ds_status s = ds_gpu_check(cudaSetDevice(c->device), "choosing the GPU", err);
  if (s || n == 0) return s ? s : ds_succeed(err);
  if (c->records_on_host && c->tags_on_host && !c->have_owners)
    pack_on_host(dpd, c, n, list, shift, buffer);
  else
    s = pack_on_device(dpd, c, n, list, shift, buffer, err);
  return s ? s : ds_succeed(err);
}
