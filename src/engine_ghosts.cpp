/* Ghost atoms for the engine: messages from their owners, or on one rank the numbers of their owners.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_ghosts.h"

#include "atom.h"
#include "atom_access.h"
#include "comm.h"
#include "engine_session.h"
#include "lmptype.h"
#include "pair.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

// Every byte of a message of a rank that has failed. A message with an atom never looks so, as its type is not negative.
static constexpr unsigned char VOID = 0xFF;

/* ---------------------------------------------------------------------- */

EngineGhosts::EngineGhosts(LAMMPS *lmp, EngineSession &session_in) :
    Pointers(lmp), session(session_in), content(ATOMS)
{
}

/* ----------------------------------------------------------------------
   Owners of ghosts are found by one forward communication. Until LAMMPS makes other
   ghosts, no more messages are needed
------------------------------------------------------------------------- */

void EngineGhosts::find_owners(Pair *pair, AtomAccess &access)
{
  owner.assign(atom->nghost, 0);
  image.assign(3 * static_cast<size_t>(atom->nghost), 0);
  content = OWNERS;
  access.send_ghosts(pair);
  content = ATOMS;
}

void EngineGhosts::send_densities(Pair *pair, AtomAccess &access)
{
  content = DENSITIES;
  access.send_ghosts(pair);
  content = ATOMS;
}

/* ---------------------------------------------------------------------- */

int EngineGhosts::pack_owners(int n, const int *list, double *buf, const int *shift)
{
  const int nlocal = atom->nlocal;
  int m = 0;
  for (int k = 0; k < n; k++) {
    const int i = list[k];
    const int *at = i < nlocal ? nullptr : &image[3 * static_cast<size_t>(i - nlocal)];
    buf[m++] = ubuf(i < nlocal ? i : owner[i - nlocal]).d;
    for (int d = 0; d < 3; d++) buf[m++] = ubuf((at ? at[d] : 0) + shift[d]).d;
  }
  return m;
}

/* ---------------------------------------------------------------------- */

void EngineGhosts::unpack_owners(int n, int first, const double *buf)
{
  const int nlocal = atom->nlocal;
  int m = 0;
  for (int g = first - nlocal; g < first - nlocal + n; g++) {
    owner[g] = static_cast<int>(ubuf(buf[m++]).i);
    for (int d = 0; d < 3; d++)
      image[3 * static_cast<size_t>(g) + d] = static_cast<int>(ubuf(buf[m++]).i);
  }
}

/* ---------------------------------------------------------------------- */

int EngineGhosts::message_length(const ds_pair *pair, int n)
{
  const size_t bytes = static_cast<size_t>(n) * ds_pair_ghost_bytes(pair);
  return static_cast<int>((bytes + sizeof(double) - 1) / sizeof(double));
}

/* ----------------------------------------------------------------------
   A rank that has failed still sends messages, which say so. Their receiver stops as
   well: forces of wrong ghosts would lead to more errors, and one of those could be
   reported instead of the first
------------------------------------------------------------------------- */

bool EngineGhosts::pack(ds_pair *pair, int n, const int *list, void *buf, const int *shift,
                        ds_space space)
{
  if (session.working())
    session.note(ds_pair_pack_ghosts(pair, n, list, shift, buf, space, session.error_text()));
  return session.working();
}

int EngineGhosts::pack(ds_pair *pair, int n, int *list, double *buf, int pbc_flag, int *pbc)
{
  const int shift[3] = {pbc_flag ? pbc[0] : 0, pbc_flag ? pbc[1] : 0, pbc_flag ? pbc[2] : 0};
  if (content == OWNERS) return pack_owners(n, list, buf, shift);
  if (content == DENSITIES) return pack_densities(pair, n, list, buf);

  if (!pack(pair, n, list, buf, shift, DS_SPACE_HOST))
    memset(buf, VOID, static_cast<size_t>(n) * ds_pair_ghost_bytes(pair));
  return message_length(pair, n);
}

/* ---------------------------------------------------------------------- */

static bool is_void(const void *message, int bytes)
{
  const auto *byte = static_cast<const unsigned char *>(message);
  return std::all_of(byte, byte + bytes, [](unsigned char b) { return b == VOID; });
}

void EngineGhosts::unpack(ds_pair *pair, int n, int first, double *buf)
{
  if (content == OWNERS) {
    unpack_owners(n, first, buf);
    return;
  }
  if (content == DENSITIES) {
    unpack_densities(pair, n, first, buf);
    return;
  }

  if (n > 0 && is_void(buf, ds_pair_ghost_bytes(pair))) session.follow();
  unpack(pair, n, first, buf, DS_SPACE_HOST);
}

/* ----------------------------------------------------------------------
   Densities, of ghosts that have arrived, too. A rank that has failed says so here as well
------------------------------------------------------------------------- */

int EngineGhosts::pack_densities(ds_pair *pair, int n, const int *list, double *buf)
{
  if (session.working()) session.note(ds_pair_pack_densities(pair, n, list, buf, session.error_text()));
  if (!session.working()) memset(buf, VOID, static_cast<size_t>(n) * sizeof(double));
  return n;
}

void EngineGhosts::unpack_densities(ds_pair *pair, int n, int first, const double *buf)
{
  if (n > 0 && is_void(buf, sizeof(double))) session.follow();
  if (session.working()) session.note(ds_pair_unpack_densities(pair, first, n, buf, session.error_text()));
}

/* ----------------------------------------------------------------------
   LAMMPS may have fewer ghosts than when its messages were set up, so their number is
   compared
------------------------------------------------------------------------- */

void EngineGhosts::unpack(ds_pair *pair, int n, int first, const void *buf, ds_space space)
{
  if (n > 0 && first + n > atom->nlocal + atom->nghost && session.working())
    session.fail("atoms or the box were changed after the last run, allowed is then a run with pre "
                 "yes");
  if (session.working())
    session.note(ds_pair_unpack_ghosts(pair, first, n, buf, space, session.error_text()));
}
