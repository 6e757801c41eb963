/* fix langevin/sop/gpu in restart files: the number of Brownian steps, and the states of generators, pulling and
   pressing, which are those of molecules and beads, whatever ranks there are.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "sop_beads.h"

#include "comm.h"
#include "error.h"

#include <cstring>

using namespace LAMMPS_NS;

namespace {
struct RestartHeader {
  int64_t bytes;    // of everything, this first
  int64_t done, molecules, free;
  int64_t header, molecule, bead;    // sizes: ds_sop_state_sizes
  char rng[16];

  // of everything, for molecules of so many beads
  int64_t wanted_bytes(int64_t beads) const
  {
    return (int64_t) sizeof(RestartHeader) + header + molecule * molecules +
           bead * (beads * molecules + free);
  }
};
}    // namespace

/* ----------------------------------------------------------------------
   bytes of all ranks to the first
------------------------------------------------------------------------- */

static std::vector<char> gather(MPI_Comm world, int me, int nprocs, const char *mine, size_t size)
{
  int n = (int) size;
  std::vector<int> count(nprocs), start(nprocs, 0);
  MPI_Gather(&n, 1, MPI_INT, count.data(), 1, MPI_INT, 0, world);
  for (int r = 1; r < nprocs; r++) start[r] = start[r - 1] + count[r - 1];
  std::vector<char> all(me ? 1 : start[nprocs - 1] + count[nprocs - 1] + 1);
  MPI_Gatherv(const_cast<char *>(mine), n, MPI_CHAR, all.data(), count.data(), start.data(),
              MPI_CHAR, 0, world);
  all.pop_back();
  return all;
}

/* ---------------------------------------------------------------------- */

static void write_parts(FILE *fp, const RestartHeader &head,
                        const std::vector<const std::vector<char> *> &parts)
{
  const int bytes = (int) head.bytes;
  fwrite(&bytes, sizeof bytes, 1, fp);
  fwrite(&head, sizeof head, 1, fp);
  for (const auto *part : parts) fwrite(part->data(), 1, part->size(), fp);
}

/* ----------------------------------------------------------------------
   of each rank: a header, its molecules, the beads of its molecules, its free
   beads; in the file, each of these parts for all ranks
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::write_restart(FILE *fp)
{
  if (!restored.empty()) {    // nothing has moved since it was read
    const int bytes = (int) restored.size();
    if (comm->me == 0) {
      fwrite(&bytes, sizeof bytes, 1, fp);
      fwrite(restored.data(), 1, restored.size(), fp);
    }
    return;
  }
  if (!sop || done < 0) {    // nothing has moved yet
    RestartHeader none = {};
    none.bytes = sizeof none;
    none.done = -1;
    if (comm->me == 0) write_parts(fp, none, {});
    return;
  }
  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  RestartHeader head = {};
  head.done = done;
  head.molecules = beads->all_molecules();
  head.free = beads->all_free();
  head.header = (int64_t) size.header;
  head.molecule = (int64_t) size.molecule;
  head.bead = (int64_t) size.bead;
  strncpy(head.rng, rng.c_str(), sizeof head.rng - 1);
  head.bytes = head.wanted_bytes(topology.beads);
  if (head.bytes > MAXSMALLINT)
    error->all(FLERR,
               "{}: the states of generators {} are {} bytes, a restart file can have {}; rng tea "
               "and rng philox have none",
               user, rng, (bigint) head.bytes, MAXSMALLINT);

  std::vector<char> mine(ds_sop_state_bytes(sop) + 1);
  session->note(ds_sop_save(sop, mine.data(), mine.size() - 1, session->error_text()));
  agree();

  // of molecules that are shared, every rank has the molecules, and moves its part of the beads

  const int me = comm->me, nprocs = comm->nprocs;
  const size_t molecules = size.molecule * beads->molecules(),
               bound = size.bead * topology.beads * beads->molecules();
  const size_t first = beads->shared() ? beads->first_share(me) : 0;
  const size_t moved = beads->shared()
      ? beads->first_share(me + 1) - first
      : (size_t) topology.beads * (size_t) beads->molecules();
  const char *at = mine.data() + size.header;
  const std::vector<char> all_molecules =
      gather(world, me, nprocs, at, size.molecule * beads->count_of(me));
  const std::vector<char> all_bound =
      gather(world, me, nprocs, at + molecules + size.bead * first, size.bead * moved);
  const std::vector<char> all_free =
      gather(world, me, nprocs, at + molecules + bound, size.bead * beads->free());
  if (comm->me) return;
  mine.resize(size.header);
  write_parts(fp, head, {&mine, &all_molecules, &all_bound, &all_free});
}

/* ----------------------------------------------------------------------
   kept until the beads are known
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::restart(char *buffer)
{
  RestartHeader head;
  memcpy(&head, buffer, sizeof head);
  if (head.done < 0) return;
  if (head.bytes != head.wanted_bytes(topology.beads)) {
    if (comm->me == 0)
      error->warning(FLERR,
                     "{}: the restart file is damaged, or has the state of molecules that have not "
                     "{} beads: it is not used",
                     user, topology.beads);
    return;
  }
  restored.assign(buffer, buffer + head.bytes);
  done = head.done;
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::load_state()
{
  if (restored.empty()) return;
  RestartHeader head;
  memcpy(&head, restored.data(), sizeof head);
  head.rng[sizeof head.rng - 1] = 0;
  if (rng != head.rng || head.molecules != beads->all_molecules() ||
      head.free != beads->all_free()) {
    if (comm->me == 0)
      error->warning(FLERR,
                     "{}: the restart file has the state of {} molecules, {} free beads and rng "
                     "{}: it is not used",
                     user, head.molecules, head.free, head.rng);
    restored.clear();
    return;
  }

  const int me = comm->me;
  const char *at = restored.data() + sizeof head;
  std::vector<char> mine(at, at + head.header);
  const int64_t first = beads->first_of_engine(), count = beads->molecules(), n = topology.beads;
  auto take = [&](int64_t begin, int64_t length) {
    mine.insert(mine.end(), at + begin, at + begin + length);
  };
  at += head.header;
  take(head.molecule * first, head.molecule * count);
  at += head.molecule * head.molecules;
  take(head.bead * n * first, head.bead * n * count);
  at += head.bead * n * head.molecules;
  take(head.bead * beads->first_free(me), head.bead * beads->free());
  session->note(ds_sop_load(sop, mine.data(), mine.size(), session->error_text()));
  agree();
  restored.clear();

  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  if (comm->me == 0 && (int64_t) size.molecule < head.molecule)
    error->warning(FLERR, "{}: pull or indent is not as in the restart file: what differs is gone or begins anew",
                   user);
}
