/* Ghosts of a pair object: messages of them, packed and unpacked, or which own atoms they are images of.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

int ds_pair_ghost_bytes(const ds_pair *pair)
{
  return (int) ds_particles_message_bytes(&pair->particles);
}

/* Messages of n ghosts: where they are, and what else is read, which may be missing where there are none. */
static ds_status check_messages(const ds_pair *pair, int n, const void *buffer, ds_space space, ds_error *err)
{
  if (space != DS_SPACE_HOST && space != DS_SPACE_DEVICE)
    return ds_fail(err, DS_ERR_ARGUMENT, "messages of ghosts in memory %d; allowed: %d and %d", (int) space, DS_SPACE_HOST,
                   DS_SPACE_DEVICE);
  if (space == DS_SPACE_DEVICE && !ds_pair_halted(pair))
    return ds_fail(err, DS_ERR_ARGUMENT, "messages of ghosts in device memory with the host backend");
  return n > 0 ? ds_check_pointer(buffer, "buffer of ghosts' messages", err) : DS_OK;
}

ds_status ds_pair_pack_ghosts(ds_pair *pair, int n, const int *list, const int shift[3], void *buffer, ds_space space,
                              ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = ds_pair_need_positions(pair, "ghosts packed before positions", err);
  if (!s) s = check_messages(pair, n, buffer, space, err);
  if (!s && n < 0) s = ds_fail(err, DS_ERR_ARGUMENT, "%d ghosts to pack", n);
  if (!s && n > 0) s = ds_check_pointer(list, "list of ghosts to pack", err);
  if (!s && n > 0) s = ds_check_pointer(shift, "shift of ghosts to pack", err);
  if (s) return s;
  s = DS_WITH_CUDA(ds_begin_enter_messages(pair, err), DS_OK);
  if (!s) s = ds_particles_pack(&pair->particles, n, list, shift, buffer, space, err);
  return ds_queue_leave(&pair->queue, DS_WITH_CUDA(ds_begin_leave_messages(pair, s, err), s), err);
}

ds_status ds_pair_unpack_ghosts(ds_pair *pair, int first, int n, const void *buffer, ds_space space, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = ds_pair_need_positions(pair, "ghosts unpacked before positions", err);
  if (s) return s;
  if (n < 0 || first < pair->nlocal || (int64_t) first + n > (int64_t) pair->nlocal + pair->nghost)
    return ds_fail(err, DS_ERR_ARGUMENT, "ghosts %d to %lld are not among %d to %d", first, (long long) first + n - 1,
                   pair->nlocal, pair->nlocal + pair->nghost - 1);
  if (check_messages(pair, n, buffer, space, err)) return DS_ERR_ARGUMENT;
  pair->version.ghosts++;
  s = DS_WITH_CUDA(ds_begin_enter_messages(pair, err), DS_OK);
  if (!s) s = ds_particles_unpack(&pair->particles, first, n, buffer, space, err);
  return ds_queue_leave(&pair->queue, DS_WITH_CUDA(ds_begin_leave_messages(pair, s, err), s), err);
}

ds_status ds_pair_set_ghost_owners(ds_pair *pair, const int *owner, const int *image, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && !pair->have_atoms) s = ds_fail(err, DS_ERR_ARGUMENT, "ghost owners set before atoms");
  if (!s && pair->nghost > 0) s = ds_check_pointer(owner, "array of ghosts' owners", err);
  if (!s && pair->nghost > 0) s = ds_check_pointer(image, "array of ghosts' images", err);
  for (int g = 0; g < pair->nghost && !s; g++)
    if (owner[g] < 0 || owner[g] >= pair->nlocal)
      s = ds_fail(err, DS_ERR_ARGUMENT, "owner %d of ghost %d is not an own atom", owner[g], g);
  if (s) return s;
  pair->version.ghosts++;
  s = ds_particles_set_owners(&pair->particles, owner, image, err);
  return ds_queue_leave(&pair->queue, s, err);
}
