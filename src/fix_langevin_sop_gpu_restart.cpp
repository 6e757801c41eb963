/* fix langevin/sop/gpu in restart files: the number of Brownian steps, and the states of generators, pulling and
   indentation.   SPDX-License-Identifier: GPL-2.0-or-later

   States are stored by molecule and bead, so that any number of ranks can read them. A damaged record is an error; the
   engine checks the digests of its states. A record of other molecules may be intended: it is not used, and a warning
   says so. */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "restart_record.h"
#include "sop_beads.h"

#include "comm.h"
#include "error.h"

#include "dpdsop/digest.h"

#include <cstring>
#include <new>

using namespace LAMMPS_NS;

namespace {
constexpr RestartMark MOLECULES_MARK = {'d', 'p', 'd', 's', 'o', 'p', 'f', 'x'};
constexpr int64_t MOLECULES_FORMAT = 1;    // of the header and the states

// The record that stands before the states

struct MoleculesHeader {
  char mark[8];
  int64_t format;
  int64_t bytes;                       // of this record and the states
  int64_t done;                        // Brownian steps; -1: none yet, and no states follow
  int64_t molecules, free, beads;      // beads: of a molecule
  int64_t header, molecule, bead;      // sizes: ds_sop_state_sizes
  uint64_t which;                      // FixLangevinSOPGPU::which()
  char rng[16];
  uint64_t check;

  int64_t bound_beads() const { return beads * molecules; }
  int64_t wanted_bytes() const
  {
    return (int64_t) sizeof(MoleculesHeader) + header + molecule * molecules +
           bead * (bound_beads() + free);
  }

  // Numbers of a damaged file may be anything: each is limited before it is multiplied, so that no product overflows

  bool is_possible() const
  {
    auto within = [](int64_t value, int64_t most) { return value >= 0 && value <= most; };
    if (done == -1) return bytes == (int64_t) sizeof *this;
    return within(done, INT64_MAX) && within(molecules, DS_SOP_MAX_ROWS) &&
           within(free, DS_SOP_MAX_ROWS) && within(beads, DS_SOP_MAX_BEADS) &&
           within(bound_beads(), DS_SOP_MAX_ROWS) && within(header, 1 << 20) &&
           within(molecule, 1 << 20) && within(bead, 1 << 20) && bytes == wanted_bytes() &&
           memchr(rng, 0, sizeof rng);
  }
};
}    // namespace

/* ---------------------------------------------------------------------- */

static void write(FILE *fp, const void *record, int64_t size)
{
  const int bytes = (int) size;
  fwrite(&bytes, sizeof bytes, 1, fp);
  fwrite(record, 1, bytes, fp);
}

/* ----------------------------------------------------------------------
   Returns false, and notes the failure, if this rank has too little memory
------------------------------------------------------------------------- */

bool FixLangevinSOPGPU::make_room(std::vector<char> &array, int64_t bytes)
{
  try {
    array.resize(bytes);
  } catch (std::bad_alloc &) {
    session->fail(fmt::format("no memory for {} bytes of states in restart files", bytes));
  }
  return session->working();
}

/* ----------------------------------------------------------------------
   A digest of the atoms that states belong to, and of hydro, if there is one
------------------------------------------------------------------------- */

uint64_t FixLangevinSOPGPU::which() const
{
  uint64_t hash = beads->which();
  if (options.hydro == DS_SOP_HYDRO_NONE) return hash;
  hash = ds_digest(ds_digest(hash, &options.hydro, sizeof options.hydro), &options.radius, sizeof options.radius);
  return topology.radius ? ds_digest(hash, topology.radius, topology.beads * sizeof *topology.radius) : hash;
}

/* ----------------------------------------------------------------------
   Gathers bytes of all ranks on the first one, and returns their number
------------------------------------------------------------------------- */

static int64_t gather(MPI_Comm world, int me, int nprocs, const char *mine, size_t size, char *all)
{
  int n = (int) size;
  std::vector<int> count(nprocs), start(nprocs + 1, 0);
  MPI_Gather(&n, 1, MPI_INT, count.data(), 1, MPI_INT, 0, world);
  for (int r = 0; r < nprocs && me == 0; r++) start[r + 1] = start[r] + count[r];
  MPI_Gatherv(const_cast<char *>(mine), n, MPI_CHAR, all, count.data(), start.data(), MPI_CHAR, 0,
              world);
  return start[nprocs];
}

/* ----------------------------------------------------------------------
   The engine saves a header, then states of this rank's molecules, of their beads and
   of its free beads. The file has the header once, then the states of all molecules,
   of all their beads and of all free beads
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::write_restart(FILE *fp)
{
  const bool waits = sop && (pull_speed.waits || tip_speed.waits);    // speeds of fix_modify belong to the state
  const bool unmoved = done < 0;
  if (waits && (unmoved || !restored.empty())) set_beads();
  if (waits) change_speeds();
  write_state(fp);
  if (unmoved) done = -1;    // reset_timestep may still number the first step
}

void FixLangevinSOPGPU::write_state(FILE *fp)
{
  if (!restored.empty()) {    // nothing has moved since it was read
    if (comm->me == 0) write(fp, restored.data(), (int64_t) restored.size());
    return;
  }
  MoleculesHeader head = {};
  if (!sop || done < 0) {    // nothing has moved yet
    head.done = -1;
    head.bytes = sizeof head;
    seal_record(head, MOLECULES_MARK, MOLECULES_FORMAT);
    if (comm->me == 0) write(fp, &head, sizeof head);
    return;
  }
  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  head.done = done;
  head.molecules = beads->all_molecules();
  head.free = beads->all_free();
  head.beads = topology.beads;
  head.header = (int64_t) size.header;
  head.molecule = (int64_t) size.molecule;
  head.bead = (int64_t) size.bead;
  head.which = which();
  strncpy(head.rng, rng.c_str(), sizeof head.rng - 1);
  head.bytes = head.wanted_bytes();
  seal_record(head, MOLECULES_MARK, MOLECULES_FORMAT);
  bigint bytes = (bigint) head.bytes;
  MPI_Bcast(&bytes, 1, MPI_LMP_BIGINT, 0, world);    // a rank without molecules does not know the sizes of states
  if (bytes > MAXSMALLINT)
    error->all(FLERR,
               "{}: the states of generators {} are {} bytes, a restart file can have {}; rng tea "
               "and rng philox have none",
               user, rng, bytes, MAXSMALLINT);

  const int me = comm->me, nprocs = comm->nprocs;
  std::vector<char> mine, all;
  const size_t own_bytes = ds_sop_state_bytes(sop);
  if (make_room(mine, (int64_t) own_bytes) && (me || make_room(all, bytes)))
    session->note(ds_sop_save(sop, mine.data(), own_bytes, session->error_text()));
  agree();

  // if ranks share molecules, each of them has states of all molecules, but only those of its beads are up to date

  const size_t molecules = size.molecule * beads->molecules(),
               bound = size.bead * topology.beads * beads->molecules();
  const size_t first = beads->shared() ? beads->first_share(me) : 0;
  const size_t moved = beads->shared()
      ? beads->first_share(me + 1) - first
      : (size_t) topology.beads * (size_t) beads->molecules();
  const char *at = mine.data() + size.header;
  char *to = all.data();
  if (me == 0) {
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, mine.data(), size.header);
    to += sizeof head + size.header;
  }
  to += gather(world, me, nprocs, at, size.molecule * beads->count_of(me), to);
  to += gather(world, me, nprocs, at + molecules + size.bead * first, size.bead * moved, to);
  gather(world, me, nprocs, at + molecules + bound, size.bead * beads->free(), to);
  if (me == 0) write(fp, all.data(), bytes);
}

/* ----------------------------------------------------------------------
   All ranks get the same record. It is kept until the beads are known
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::restart(char *buffer)
{
  MoleculesHeader head;
  std::string problem = open_record(head, buffer, MOLECULES_MARK, MOLECULES_FORMAT);
  if (problem.empty() && !head.is_possible()) problem = "is damaged: the numbers of this fix cannot be";
  if (!problem.empty()) error->all(FLERR, "{}: the restart file {}", user, problem);
  if (head.done < 0) return;
  if (head.beads != topology.beads) {
    if (comm->me == 0)
      error->warning(FLERR,
                     "{}: the restart file has the state of molecules of {} beads, not of {}: it is "
                     "not used",
                     user, head.beads, topology.beads);
    return;
  }
  if (make_room(restored, head.bytes)) memcpy(restored.data(), buffer, head.bytes);
  agree();
  done = head.done;
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::load_state()
{
  if (restored.empty()) return;
  MoleculesHeader head;
  memcpy(&head, restored.data(), sizeof head);
  if (rng != head.rng || head.molecules != beads->all_molecules() ||
      head.free != beads->all_free() || head.which != which()) {
    if (comm->me == 0)
      error->warning(FLERR,
                     "{}: the restart file has the state of {} molecules, {} free beads and rng "
                     "{}{}: it is not used",
                     user, head.molecules, head.free, head.rng,
                     head.which == which() ? "" : ", of other atoms or another hydro");
    restored.clear();
    return;
  }

  const int me = comm->me;
  const int64_t first = beads->first_of_engine(), count = beads->molecules(), n = topology.beads;
  const char *at = restored.data() + sizeof head;
  std::vector<char> mine;
  char *to = nullptr;
  auto take = [&](int64_t begin, int64_t length) {
    memcpy(to, at + begin, length);
    to += length;
  };
  if (make_room(mine, head.header + head.molecule * count + head.bead * (n * count + beads->free()))) {
    to = mine.data();
    take(0, head.header);
    at += head.header;
    take(head.molecule * first, head.molecule * count);
    at += head.molecule * head.molecules;
    take(head.bead * n * first, head.bead * n * count);
    at += head.bead * n * head.molecules;
    take(head.bead * beads->first_free(me), head.bead * beads->free());
    const ds_status status = ds_sop_load(sop, mine.data(), mine.size(), session->error_text());
    session->note(status);
    if (status == DS_ERR_ARGUMENT)
      session->fail(fmt::format("the restart file is damaged: {}", session->error_text()->text));
  }
  if (!session->agree()) {
    beads->id.clear();    // the next run must not go on without the state
    session->raise();
  }
  restored.clear();

  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  if (comm->me == 0 && (int64_t) size.molecule < head.molecule)
    error->warning(FLERR,
                   "{}: pull or indent differ from those of the restart file: the states saved of them are not used, and "
                   "new ones begin at their start",
                   user);
}
