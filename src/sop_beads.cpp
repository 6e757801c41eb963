/* Which atoms are beads of which molecule, and how their coordinates go from rank to rank.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "sop_beads.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "group.h"

#include "dpdsop/digest.h"

#include <algorithm>

using namespace LAMMPS_NS;

// The image flags 0 0 0

static constexpr imageint AT_HOME = ((imageint) IMGMAX << IMG2BITS) | ((imageint) IMGMAX << IMGBITS) | IMGMAX;

/* ---------------------------------------------------------------------- */

SOPBeads::SOPBeads(LAMMPS *lmp, const std::string &user_in) :
    Pointers(lmp), pushed(false), user(user_in), groupbit(0), nbeads(1), comm_me(comm->me),
    offset(0), mode(SPREAD)
{
}

/* ----------------------------------------------------------------------
   Where the part of each rank begins, from the lengths of all parts
------------------------------------------------------------------------- */

static std::vector<int> starts(const std::vector<int> &lengths)
{
  std::vector<int> start(lengths.size(), 0);
  for (size_t r = 1; r < lengths.size(); r++) start[r] = start[r - 1] + lengths[r - 1];
  return start;
}

/* ----------------------------------------------------------------------
   The first of n objects that a rank gets, if they are distributed as evenly as possible
------------------------------------------------------------------------- */

int SOPBeads::split(bigint n, int rank, int ranks) const
{
  return rank < ranks ? (int) ((n * rank + ranks - 1) / ranks) : (int) n;
}

int SOPBeads::molecule_ranks() const
{
  return mode == SPREAD ? comm->nprocs : 1;
}

int SOPBeads::first_molecule(int rank) const
{
  return split(all_molecules(), rank, molecule_ranks());
}

int SOPBeads::first_share(int rank) const
{
  return split(all_molecules() * nbeads, rank, comm->nprocs);
}

int SOPBeads::first_free(int rank) const
{
  return split(all_free(), rank, comm->nprocs);
}

uint64_t SOPBeads::which() const
{
  uint64_t digest = ds_digest(DS_DIGEST_OF_NOTHING, present.data(), present.size() * sizeof(int));
  const auto below = (int64_t) offset;
  if (below) digest = ds_digest(digest, &below, sizeof below);
  for (const tagint tag : free_tags) {
    const auto id = (int64_t) tag;    // tags have 32 or 64 bits
    digest = ds_digest(digest, &id, sizeof id);
  }
  return digest;
}

/* ----------------------------------------------------------------------
   No atom of the group may have an ID below those of the topology
------------------------------------------------------------------------- */

void SOPBeads::check_offset(int igroup) const
{
  bigint mine = MAXBIGINT, lowest;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) mine = std::min(mine, (bigint) atom->tag[i]);
  MPI_Allreduce(&mine, &lowest, 1, MPI_LMP_BIGINT, MPI_MIN, world);
  if (lowest <= offset)
    error->all(FLERR, "{}: atom {} of group {} has an ID that is not above offset {}", user, lowest, group->names[igroup],
               offset);
}

/* ----------------------------------------------------------------------
   Counts the atoms of each copy on all ranks
------------------------------------------------------------------------- */

void SOPBeads::count_copies(int copies, std::vector<int> &count) const
{
  std::vector<int> mine(copies, 0);
  const bigint known = (bigint) copies * nbeads;
  for (int i = 0; i < atom->nlocal; i++)
    if ((atom->mask[i] & groupbit) && bead_of(atom->tag[i]) < known) mine[bead_of(atom->tag[i]) / nbeads]++;
  count.resize(copies);
  MPI_Allreduce(mine.data(), count.data(), copies, MPI_INT, MPI_SUM, world);
}

/* ----------------------------------------------------------------------
   A copy must be complete or missing as a whole. The error names the first atom that is
   missing.
------------------------------------------------------------------------- */

void SOPBeads::check_copies(const std::vector<int> &count)
{
  for (int c = 0; c < (int) count.size(); c++) {
    if (count[c] == 0 || count[c] == nbeads) continue;
    std::vector<int> mine(nbeads, 0), all(nbeads);
    for (int i = 0; i < atom->nlocal; i++)
      if ((atom->mask[i] & groupbit) && bead_of(atom->tag[i]) / nbeads == c)
        mine[bead_of(atom->tag[i]) % nbeads]++;
    MPI_Allreduce(mine.data(), all.data(), nbeads, MPI_INT, MPI_SUM, world);
    const auto missing = std::find(all.begin(), all.end(), 0) - all.begin();
    error->all(FLERR,
               "{}: molecule {} has {} of its {} atoms in the group; the first that is missing is atom {}. The topology begins "
               "at atom {}, which keyword offset changes",
               user, c + 1, count[c], nbeads, offset + (bigint) c * nbeads + missing + 1, offset + 1);
  }
}

/* ---------------------------------------------------------------------- */

void SOPBeads::gather_free(int copies)
{
  const bigint known = (bigint) copies * nbeads;
  std::vector<tagint> mine;
  for (int i = 0; i < atom->nlocal; i++)
    if ((atom->mask[i] & groupbit) && bead_of(atom->tag[i]) >= known) mine.push_back(atom->tag[i]);

  int n = (int) mine.size();
  const int nprocs = comm->nprocs;
  std::vector<int> count(nprocs);
  MPI_Allgather(&n, 1, MPI_INT, count.data(), 1, MPI_INT, world);
  std::vector<int> start = starts(count);
  free_tags.resize(start[nprocs - 1] + count[nprocs - 1]);
  MPI_Allgatherv(mine.data(), n, MPI_LMP_TAGINT, free_tags.data(), count.data(), start.data(),
                 MPI_LMP_TAGINT, world);
  std::sort(free_tags.begin(), free_tags.end());
}

/* ---------------------------------------------------------------------- */

void SOPBeads::find(int igroup, int beads_of_molecule, int copies, bigint offset_in, bool together, int share)
{
  groupbit = group->bitmask[igroup];
  nbeads = beads_of_molecule;
  offset = offset_in;
  check_offset(igroup);

  std::vector<int> count;
  count_copies(copies, count);
  check_copies(count);
  gather_free(copies);

  present.clear();
  place_of_copy.assign(copies, -1);
  for (int c = 0; c < copies; c++)
    if (count[c]) {
      place_of_copy[c] = (int) present.size();
      present.push_back(c);
    }

  // a rank's share of beads must be large enough to be worth the messages

  constexpr int WORTH = 256;
  const bool few = all_molecules() > 0 && all_molecules() < comm->nprocs;
  const bool large = all_molecules() * nbeads >= (bigint) WORTH * comm->nprocs;
  mode = SPREAD;
  if (few && (share == ALWAYS || (share == IF_LARGE && large)))
    mode = SHARED;
  else if (together)
    mode = TOGETHER;

  id.clear();
  for (int m = 0; m < molecules(); m++)
    for (int b = 0; b < nbeads; b++) id.push_back((int64_t) offset + (int64_t) copy(m) * nbeads + b + 1);
  for (int k = first_free(comm_me); k < first_free(comm_me + 1); k++) id.push_back(free_tags[k]);
  x.assign(3 * id.size() + 3, 0.0);
  f.assign(3 * id.size() + 3, 0.0);
}

/* ----------------------------------------------------------------------
   The rank that moves an atom, and the number of its bead there; -1: the atom is unknown
------------------------------------------------------------------------- */

int SOPBeads::rank_of(tagint tag, int &bead) const
{
  if (tag <= offset) return -1;
  const bigint number = bead_of(tag), copy = number / nbeads;
  int rank = 0;
  if (copy < (bigint) place_of_copy.size()) {
    const int molecule = place_of_copy[copy];
    if (molecule < 0) return -1;
    if (shared()) {
      bead = (int) ((bigint) molecule * nbeads + number % nbeads);
      return (int) ((bigint) bead * comm->nprocs / (all_molecules() * nbeads));
    }
    rank = (int) ((bigint) molecule * molecule_ranks() / all_molecules());
    bead = (molecule - first_molecule(rank)) * nbeads + (int) (number % nbeads);
    return rank;
  }
  const auto at = std::lower_bound(free_tags.begin(), free_tags.end(), tag);
  if (at == free_tags.end() || *at != tag) return -1;
  const int k = (int) (at - free_tags.begin());
  rank = (int) ((bigint) k * comm->nprocs / all_free());
  bead = (shared() ? (int) all_molecules() : count_of(rank)) * nbeads + k - first_free(rank);
  return rank;
}

/* ---------------------------------------------------------------------- */

void SOPBeads::plan()
{
  const int nprocs = comm->nprocs;
  std::vector<std::vector<int>> atoms_for(nprocs), beads_for(nprocs);
  bigint unknown = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    int bead = 0;
    const int rank = rank_of(atom->tag[i], bead);
    if (rank < 0) {
      unknown = atom->tag[i];
      continue;
    }
    atoms_for[rank].push_back(i);
    beads_for[rank].push_back(bead);
  }

  atoms.clear();
  std::vector<int> beads_sent;
  to_count.assign(nprocs, 0);
  from_count.assign(nprocs, 0);
  for (int r = 0; r < nprocs; r++) {
    atoms.insert(atoms.end(), atoms_for[r].begin(), atoms_for[r].end());
    beads_sent.insert(beads_sent.end(), beads_for[r].begin(), beads_for[r].end());
    to_count[r] = (int) atoms_for[r].size();
  }

  if (nprocs == 1) {
    from_count = to_count;
    places = beads_sent;
  } else {
    MPI_Alltoall(to_count.data(), 1, MPI_INT, from_count.data(), 1, MPI_INT, world);
    std::vector<int> from = starts(from_count);
    places.resize(from[nprocs - 1] + from_count[nprocs - 1]);
    MPI_Alltoallv(beads_sent.data(), to_count.data(), starts(to_count).data(), MPI_INT,
                  places.data(), from_count.data(), from.data(), MPI_INT, world);
  }

  // atoms may have been lost or added

  const bigint wanted =
      shared() ? first_share(comm_me + 1) - first_share(comm_me) + free() : (bigint) id.size();
  bigint mine[2] = {unknown, wanted - (bigint) places.size()};
  bigint most[2];
  MPI_Allreduce(mine, most, 2, MPI_LMP_BIGINT, MPI_MAX, world);
  if (most[0])
    error->all(FLERR, "{}: atom {} has come into the group since the beginning of the run", user,
               most[0]);
  if (most[1])
    error->all(
        FLERR,
        "{}: atoms have left the group since the beginning of the run: {} are missing on one rank",
        user, most[1]);
}

/* ----------------------------------------------------------------------
   Sends `size` numbers per atom from the ranks that own atoms to those that move them,
   or back
------------------------------------------------------------------------- */

void SOPBeads::exchange(const std::vector<double> &out, const std::vector<int> &out_count,
                        std::vector<double> &in, const std::vector<int> &in_count, int size)
{
  std::vector<int> send = out_count, receive = in_count;
  for (int &n : send) n *= size;
  for (int &n : receive) n *= size;
  MPI_Alltoallv(const_cast<double *>(out.data()), send.data(), starts(send).data(), MPI_DOUBLE,
                in.data(), receive.data(), starts(receive).data(), MPI_DOUBLE, world);
}

/* ----------------------------------------------------------------------
   Position of an atom, not wrapped into the box
------------------------------------------------------------------------- */

void SOPBeads::unwrap(int i, double *to) const
{
  if (atom->image[i] == AT_HOME)
    std::copy_n(atom->x[i], 3, to);
  else
    domain->unmap(atom->x[i], atom->image[i], to);
}

/* ----------------------------------------------------------------------
   Sends positions and forces of all atoms to the ranks that move them
------------------------------------------------------------------------- */

void SOPBeads::collect()
{
  const int n = (int) atoms.size(), m = (int) places.size();
  const bool alone = comm->nprocs == 1;
  if (!alone) {
    sent.resize(6 * (size_t) n + 1);
    received.resize(6 * (size_t) m + 1);
    for (int k = 0; k < n; k++) {
      unwrap(atoms[k], &sent[6 * (size_t) k]);
      std::copy_n(atom->f[atoms[k]], 3, &sent[6 * (size_t) k + 3]);
    }
    exchange(sent, to_count, received, from_count, 6);
  }

  pushed = false;
  for (int k = 0; k < m; k++) {
    double *const position = &x[3 * (size_t) places[k]], *const force = &f[3 * (size_t) places[k]];
    if (alone) {
      unwrap(atoms[k], position);
      std::copy_n(atom->f[atoms[k]], 3, force);
    } else {
      std::copy_n(&received[6 * (size_t) k], 3, position);
      std::copy_n(&received[6 * (size_t) k + 3], 3, force);
    }
    pushed = pushed || force[0] != 0.0 || force[1] != 0.0 || force[2] != 0.0;
  }
  if (shared()) share_positions();
}

/* ----------------------------------------------------------------------
   Sends each rank's part of the beads to all ranks
------------------------------------------------------------------------- */

void SOPBeads::share_positions()
{
  const int nprocs = comm->nprocs;
  std::vector<int> count(nprocs);
  for (int r = 0; r < nprocs; r++) count[r] = 3 * (first_share(r + 1) - first_share(r));
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, x.data(), count.data(), starts(count).data(),
                 MPI_DOUBLE, world);
}

/* ----------------------------------------------------------------------
   Sends new positions back to the owners, where they are wrapped by the atoms' image flags
------------------------------------------------------------------------- */

void SOPBeads::deliver()
{
  const int n = (int) atoms.size(), m = (int) places.size();
  const bool alone = comm->nprocs == 1;
  received.resize(3 * (size_t) m + 1);
  sent.resize(3 * (size_t) n + 1);
  for (int k = 0; k < m; k++)
    for (int c = 0; c < 3; c++) received[3 * (size_t) k + c] = x[3 * (size_t) places[k] + c];
  if (!alone) exchange(received, from_count, sent, to_count, 3);

  const std::vector<double> &back = alone ? received : sent;
  for (int k = 0; k < n; k++) {
    const int i = atoms[k];
    double zero[3] = {0.0, 0.0, 0.0}, shift[3] = {0.0, 0.0, 0.0};
    if (atom->image[i] != AT_HOME) domain->unmap(zero, atom->image[i], shift);
    for (int c = 0; c < 3; c++) atom->x[i][c] = back[3 * (size_t) k + c] - shift[c];
  }
}
