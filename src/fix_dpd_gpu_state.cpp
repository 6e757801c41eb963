/* Internal fix of the pair styles of this package: what a run needs to go on from the one before.
   SPDX-License-Identifier: GPL-2.0-or-later

   Friction and noise depend on velocities. Velocity Verlet evaluates forces in the middle of a step, with the velocities
   of that time. The set-up of the next run evaluates the forces of the same step again, but with the velocities of its
   end. So this fix keeps the velocities of the last evaluation of a run, also in restart files. The set-up of a run at
   the same step uses them, and gets the forces with which the last run ended.

   The kept velocity of an atom is used only if the atom still has the velocity that it had at the end of its step.
   During a run nothing is kept, so steps cost nothing: the engine still has the velocities of its last evaluation when a
   run ends, for whatever reason, and when a restart file is written.

   The fix also tells the engines when a run has ended and when LAMMPS has reallocated its arrays, because LAMMPS calls it
   at these times. It is not called within a step: with pre no LAMMPS would call it there even after the user has deleted
   it. */

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
constexpr RestartMark FLUID_MARK = {'d', 'p', 'd', 's', 'o', 'p', 'v', 'k'};
constexpr int64_t FLUID_FORMAT = 1;    // of the header and the values of atoms

struct FluidHeader {
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
   The user may delete this fix. The next run then begins without kept velocities
------------------------------------------------------------------------- */

FixDPDGPUState::~FixDPDGPUState()
{
  for (EngineHandle *engine : engines) engine->leave_state();

  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
  memory->sfree(kept);
}

/* ----------------------------------------------------------------------
   If a fix had data of atoms that KOKKOS cannot move, KOKKOS would move all atoms
   through the host during the whole run. So with KOKKOS the style is one that can
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
   What is kept already of this step stays: the set-up has used it, or an earlier
   restart file of the step has it
------------------------------------------------------------------------- */

void FixDPDGPUState::record()
{
  if (update->whichflag != 1 || step == update->ntimestep) return;
  keep(update->ntimestep);

  // All engines had the same velocities. One in double precision is preferred, as it rounds less

  EngineHandle *source = nullptr;
  for (EngineHandle *engine : engines)
    if (engine->has_velocities() && (!source || engine->is_double())) source = engine;
  if (source) take_from(source);

  // this rank may have failed, and others not

  for (EngineHandle *engine : engines) engine->agree();
}

/* ---------------------------------------------------------------------- */

void FixDPDGPUState::take_from(EngineHandle *source)
{
  need_motion();
  source->get_velocities(FixDPDGPUState::kept_for(source->atoms()));
  for (int i = 0; i < atom->nlocal; i++)
    for (int d = 0; d < 3; d++) of_atom(i)[3 + d] = atom->v[i][d];

  // An atom outside of a sheared box: the engine has wrapped it and changed its velocity, which LAMMPS does later or never

  for (int i = 0; i < atom->nlocal && domain->deform_vremap; i++)
    if (is_outside(i)) set_arrays(i);
}

/* ----------------------------------------------------------------------
   Outside of the box, or so near to a face that the engine, which rounds positions,
   may have taken the atom for outside
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
   Called by LAMMPS when a run ends, also if it ends earlier than planned
------------------------------------------------------------------------- */

void FixDPDGPUState::post_run()
{
  for (EngineHandle *engine : engines) engine->unpin();
  for (EngineHandle *engine : engines) engine->agree();
  record();
  for (EngineHandle *engine : engines) engine->end_run();
}

/* ----------------------------------------------------------------------
   What was kept of another step is of no use, and is forgotten
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
   Called on all ranks, before atoms are packed
------------------------------------------------------------------------- */

void FixDPDGPUState::write_restart(FILE *fp)
{
  record();
  if (comm->me) return;
  FluidHeader head = {};
  head.step = step;
  write_record(fp, head, FLUID_MARK, FLUID_FORMAT);
}

/* ----------------------------------------------------------------------
   Called on all ranks with the same record, before atoms are unpacked
------------------------------------------------------------------------- */

void FixDPDGPUState::restart(char *buf)
{
  FluidHeader head;
  std::string problem = open_record(head, buf, FLUID_MARK, FLUID_FORMAT);
  if (problem.empty() && head.step < -1)
    problem = fmt::format("is damaged: its step is {}, allowed are -1 and above", head.step);
  if (!problem.empty()) error->all(FLERR, "Fix {}: the restart file {}", style, problem);
  has_read = head.step >= 0;
  if (has_read) keep(head.step);
}

/* ----------------------------------------------------------------------
   While atoms are unpacked, ranks cannot stop together. So a damaged atom is only
   noted then, and the error comes here
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
   Called right after LAMMPS has reallocated arrays that engines may have pinned
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
   Nothing is known of a new atom. NaN equals no velocity, so the atom's own is used
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
  // the values of each fix begin with their number

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
