/* Internal fix of the pair styles of this package: what a run needs to go on from the one before.
   SPDX-License-Identifier: GPL-2.0-or-later

   Friction and noise depend on velocities. In a step of velocity Verlet forces are made of those at half
   of the step; the setup of the next run makes the forces of that step again, when velocities have done
   all of it. So the velocities of the last evaluation of a run are kept, also in restart files, and the
   setup of a run at the same step uses them: its forces are those that the run before ended with.

   Only an atom whose velocity is still what it was when its step was over has its kept one used. During
   a run nothing is kept, so steps cost nothing; the engine still has the velocities of the last
   evaluation when the run ends, for whatever reason, or a restart file is written.

   Being called where it is, the fix also tells the engines when a run has ended, and when LAMMPS's arrays
   have moved. It asks for no call during a step, as a run with pre no would make it even where the user has
   deleted the fix. */

#include "fix_dpd_gpu_state.h"

#include "atom_access.h"
#include "engine_handle.h"
#include "restart_record.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "memory.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

namespace {
constexpr RestartMark MARK = {'d', 'p', 'd', 's', 'o', 'p', 'v', 'k'};
constexpr int64_t FORMAT = 1;    // of all that the fix writes, the values of atoms too

struct RestartHeader {
  char mark[8];
  int64_t format;
  int64_t step;
  uint64_t check;
};
}    // namespace

/* ---------------------------------------------------------------------- */

FixDPDGPUState::FixDPDGPUState(LAMMPS *lmp, int narg, char **arg) :
    Fix(lmp, narg, arg), step(-1), kept(nullptr), has_read(false), damaged(0)
{
  restart_global = 1;
  restart_peratom = 1;
  create_attribute = 1;
  maxexchange = NVALUES;

  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

/* ----------------------------------------------------------------------
   the user may delete it: then the next run starts afresh
------------------------------------------------------------------------- */

FixDPDGPUState::~FixDPDGPUState()
{
  for (EngineHandle *engine : engines) engine->leave_state();

  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
  memory->sfree(kept);
}

/* ----------------------------------------------------------------------
   with KOKKOS, atoms that have other data than KOKKOS can move would be moved by
   way of the host, in all of the run
------------------------------------------------------------------------- */

std::string FixDPDGPUState::style_of(LAMMPS *lmp)
{
#ifdef LMP_KOKKOS
  if (lmp->kokkos) return std::string(STYLE) + "/kk";
#else
  (void) lmp;
#endif
  return STYLE;
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::add(EngineHandle *engine)
{
  check_atoms();
  if (std::find(engines.begin(), engines.end(), engine) == engines.end()) engines.push_back(engine);
}

/* ---------------------------------------------------------------------- */

bool FixDPDGPUState::remove(EngineHandle *engine)
{
  engines.erase(std::remove(engines.begin(), engines.end(), engine), engines.end());
  return engines.empty();
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::keep(bigint ntimestep)
{
  forget();
  step = ntimestep;
  make_room(MAX(atom->nmax, 1));
  for (int i = 0; i < atom->nlocal; i++) set_arrays(i);
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::forget()
{
  step = -1;
  memory->sfree(kept);
  kept = nullptr;
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::make_room(int natoms)
{
  const auto bytes = static_cast<bigint>(natoms) * NVALUES * sizeof(double);
  kept = static_cast<double *>(memory->srealloc(kept, bytes, "dpd/gpu:kept"));
}

bool FixDPDGPUState::keeps() const
{
  return step == update->ntimestep;
}

/* ----------------------------------------------------------------------
   what the setup has used, or an earlier restart file of the same step, stays
------------------------------------------------------------------------- */

void FixDPDGPUState::record()
{
  if (update->whichflag != 1 || step == update->ntimestep) return;
  keep(update->ntimestep);

  // of several, one that rounds less: they all have had the same velocities

  EngineHandle *source = nullptr;
  for (EngineHandle *engine : engines)
    if (engine->has_velocities() && (!source || engine->is_double())) source = engine;
  if (source) take_from(source);

  // one rank may have failed

  for (EngineHandle *engine : engines) engine->agree();
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::take_from(EngineHandle *source)
{
  need_motion();
  source->get_velocities(FixDPDGPUState::kept_for(source->atoms()));
  for (int i = 0; i < atom->nlocal; i++)
    for (int d = 0; d < 3; d++) of_atom(i)[3 + d] = atom->v[i][d];

  // the engine takes such an atom into a sheared box together with its velocity, LAMMPS later or not

  for (int i = 0; i < atom->nlocal && domain->deform_vremap; i++)
    if (is_outside(i)) set_arrays(i);
}

/* ----------------------------------------------------------------------
   or so near to a face that the engine, which rounds positions, may say so
------------------------------------------------------------------------- */

bool FixDPDGPUState::is_outside(int i) const
{
  constexpr double RESOLUTION = 2e-9;
  double fraction[3];
  domain->x2lamda(atom->x[i], fraction);
  bool outside = false;
  for (int d = 0; d < 3; d++)
    outside |= domain->periodicity[d] &&
        (fraction[d] < RESOLUTION || fraction[d] > 1.0 - RESOLUTION);
  return outside;
}

/* ----------------------------------------------------------------------
   a run may also end at a step that was not planned
------------------------------------------------------------------------- */

void FixDPDGPUState::post_run()
{
  for (EngineHandle *engine : engines) engine->unpin();
  for (EngineHandle *engine : engines) engine->agree();
  record();
  for (EngineHandle *engine : engines) engine->end_run();
}

/* ----------------------------------------------------------------------
   of another step than the present, nothing is of use any more
------------------------------------------------------------------------- */

ds_array FixDPDGPUState::velocities(const AtomAccess &atoms)
{
  if (step >= 0 && step != update->ntimestep) forget();
  if (step < 0 || !update->setupflag || update->whichflag != 1) return atoms.v();

  need_motion();
  double **v = atom->v;
  for (int i = 0; i < atom->nlocal; i++) {
    double *k = of_atom(i);
    if (v[i][0] != k[3] || v[i][1] != k[4] || v[i][2] != k[5])
      for (int d = 0; d < 3; d++) k[d] = k[3 + d] = v[i][d];
  }
  return kept_for(atoms);
}

ds_array FixDPDGPUState::kept_for(const AtomAccess & /*atoms*/)
{
  return {kept, DS_F64, DS_SPACE_HOST, NVALUES, 1};
}

/* ----------------------------------------------------------------------
   comes before atoms are packed; all ranks call it
------------------------------------------------------------------------- */

void FixDPDGPUState::write_restart(FILE *fp)
{
  record();
  if (comm->me) return;
  RestartHeader head = {};
  head.step = step;
  write_record(fp, head, MARK, FORMAT);
}

/* ----------------------------------------------------------------------
   comes before atoms are unpacked; all ranks have the same record
------------------------------------------------------------------------- */

void FixDPDGPUState::restart(char *buf)
{
  RestartHeader head;
  std::string problem = open_record(head, buf, MARK, FORMAT);
  if (problem.empty() && head.step < -1)
    problem = fmt::format("is damaged: its step is {}, allowed are -1 and above", head.step);
  if (!problem.empty()) error->all(FLERR, "Fix {}: the restart file {}", style, problem);
  has_read = head.step >= 0;
  if (has_read) keep(head.step);
}

/* ----------------------------------------------------------------------
   a rank that has come upon a damaged atom cannot stop the others while atoms are
   unpacked
------------------------------------------------------------------------- */

void FixDPDGPUState::check_atoms()
{
  if (!has_read) return;
  tagint any = 0;
  MPI_Allreduce(&damaged, &any, 1, MPI_LMP_TAGINT, MPI_MAX, world);
  if (any)
    error->all(FLERR, "Fix {}: the restart file is damaged: the velocities kept of atom {} have been changed",
               style, any);
  has_read = false;
}

/* ----------------------------------------------------------------------
   comes right after LAMMPS has reallocated what engines may have pinned
------------------------------------------------------------------------- */

void FixDPDGPUState::grow_arrays(int nmax)
{
  for (EngineHandle *engine : engines) engine->unpin();
  if (step >= 0) make_room(nmax);
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::copy_arrays(int i, int j, int /*delflag*/)
{
  if (step >= 0) memcpy(of_atom(j), of_atom(i), NVALUES * sizeof(double));
}

/* ----------------------------------------------------------------------
   no velocity is equal to that of an atom of which nothing is known
------------------------------------------------------------------------- */

void FixDPDGPUState::set_arrays(int i)
{
  if (step >= 0) std::fill_n(of_atom(i), NVALUES, NAN);
}

/* ---------------------------------------------------------------------- */

int FixDPDGPUState::pack_exchange(int i, double *buf)
{
  if (step < 0) return 0;
  memcpy(buf, of_atom(i), NVALUES * sizeof(double));
  return NVALUES;
}

/* ---------------------------------------------------------------------- */

int FixDPDGPUState::unpack_exchange(int i, double *buf)
{
  if (step < 0) return 0;
  memcpy(of_atom(i), buf, NVALUES * sizeof(double));
  return NVALUES;
}

/* ---------------------------------------------------------------------- */

int FixDPDGPUState::pack_restart(int i, double *buf)
{
  const int size = size_restart(i);
  buf[0] = size;
  if (step < 0) return size;
  memcpy(buf + 1, of_atom(i), NVALUES * sizeof(double));
  const uint64_t check = digest_of(buf + 1);
  memcpy(buf + 1 + NVALUES, &check, sizeof check);
  return size;
}

uint64_t FixDPDGPUState::digest_of(const double *values)
{
  return ds_digest(DS_DIGEST_OF_NOTHING, values, NVALUES * sizeof(double));
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::unpack_restart(int i, int nth)
{
  // each fix has put its number of values first

  const double *values = atom->extra[i];
  for (int k = 0; k < nth; k++) values += static_cast<int>(values[0]);
  if (step < 0) return;
  uint64_t check = 0;
  const bool complete = values[0] == size_restart(i);
  if (complete) {
    memcpy(of_atom(i), values + 1, NVALUES * sizeof(double));
    memcpy(&check, values + 1 + NVALUES, sizeof check);
  }
  if (!complete || check != digest_of(of_atom(i))) damaged = atom->tag[i];
}

/* ---------------------------------------------------------------------- */

int FixDPDGPUState::maxsize_restart()
{
  return NVALUES + 2;
}

/* ---------------------------------------------------------------------- */

int FixDPDGPUState::size_restart(int /*i*/)
{
  return step >= 0 ? NVALUES + 2 : 1;
}

/* ---------------------------------------------------------------------- */

double FixDPDGPUState::memory_usage()
{
  return step >= 0 ? static_cast<double>(atom->nmax) * NVALUES * sizeof(double) : 0.0;
}
