/* Chunks of atoms: LAMMPS's compute chunk/atom, of which the engine knows bins.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_chunk_atom_gpu.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "modify.h"
#include "region.h"
#include "update.h"

#include "dpdsop/device/step/bins.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeChunkAtomGPU::ComputeChunkAtomGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeChunkAtom(lmp, narg, arg), bins(lmp, "Compute " + std::string(arg[2]), narg, arg), first(0), nchunks(1),
    found_for(-1)
{
}

ComputeChunkAtomGPU *ComputeChunkAtomGPU::find(LAMMPS *lmp, const std::string &id)
{
  return dynamic_cast<ComputeChunkAtomGPU *>(lmp->modify->get_compute_by_id(id));
}

void ComputeChunkAtomGPU::init()
{
  ComputeChunkAtom::init();
  bins.init();
  found_for = -1;
}

/* ----------------------------------------------------------------------
   Bins are counted first, so that too many are refused before LAMMPS allocates them
------------------------------------------------------------------------- */

void ComputeChunkAtomGPU::setup()
{
  if (knows_bins() && bins.are_set_up_once() && !bins.are_set_up()) bins.set_up();
  ComputeChunkAtom::setup();
}

void ComputeChunkAtomGPU::set_up_bins()
{
  if (!bins.are_set_up_once() || !bins.are_set_up()) bins.set_up();
}

/* ---------------------------------------------------------------------- */

double ComputeChunkAtomGPU::compute_scalar()
{
  if (!knows_bins()) return ComputeChunkAtom::compute_scalar();
  invoked_scalar = update->ntimestep;
  set_up_bins();
  scalar = bins.count();
  return scalar;
}

/* ----------------------------------------------------------------------
   Finds the bins of atoms in LAMMPS's arrays. LAMMPS's own code would convert positions
   to reduced coordinates and back, which rounds them
------------------------------------------------------------------------- */

void ComputeChunkAtomGPU::compute_peratom()
{
  if (!knows_bins()) {
    ComputeChunkAtom::compute_peratom();
    return;
  }
  invoked_peratom = update->ntimestep;
  set_up_bins();
  ds_binning b = {};
  bins.put(b);
  Region *const region = bins.region().empty() ? nullptr : domain->get_region_by_id(bins.region());
  if (region) region->prematch();
  of_atoms.assign(atom->nmax, 0.0);
  for (int i = 0; i < atom->nlocal; i++) {
    const double *const x = atom->x[i];
    if (!(atom->mask[i] & groupbit) || (region && !region->match(x[0], x[1], x[2]))) continue;
    of_atoms[i] = ds_bin_of(&b, x) + 1;
  }
  vector_atom = of_atoms.data();
}

/* ----------------------------------------------------------------------
   The list of molecules has a place for each number from the first molecule of this
   process to its last one
------------------------------------------------------------------------- */

void ComputeChunkAtomGPU::find_range()
{
  static constexpr bigint MAX_RANGE = 1 << 28;
  tagint last = -1;
  first = 0;
  for (int i = 0, found = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    first = found ? std::min(first, atom->molecule[i]) : atom->molecule[i];
    last = found ? std::max(last, atom->molecule[i]) : atom->molecule[i];
    found = 1;
  }
  bigint mine = static_cast<bigint>(last) - first + 1, most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_LMP_BIGINT, MPI_MAX, world);
  if (most > MAX_RANGE)
    error->all(FLERR, "Compute {}: molecules with {} numbers from the first to the last one, allowed: up to {}", style, most,
               MAX_RANGE);
  chunk_of.assign(std::max<bigint>(mine, 0), DS_NO_BIN);
}

/* ----------------------------------------------------------------------
   With `ids once` LAMMPS keeps the chunks that atoms had at first. Since then an atom may
   have changed its group or its molecule
------------------------------------------------------------------------- */

void ComputeChunkAtomGPU::fill_molecules()
{
  const auto is_in_group = [this](int i) { return (atom->mask[i] & groupbit) != 0; };
  const auto chunk = [this](int i) {    // with `compress` before `limit`, some chunks are beyond the limit
    const int32_t number = static_cast<int32_t>(vector_atom[i]) - 1;
    return number < nchunks ? number : static_cast<int32_t>(DS_NO_BIN);
  };
  int differs = 0, any = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (is_in_group(i)) chunk_of[atom->molecule[i] - first] = chunk(i);
  for (int i = 0; i < atom->nlocal; i++)
    if (chunk(i) != (is_in_group(i) ? chunk_of[atom->molecule[i] - first] : DS_NO_BIN)) differs = 1;
  MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_MAX, world);
  if (any)
    error->all(FLERR,
               "Compute {}: atoms of one molecule are in several chunks, allowed: its atoms of the group in one chunk, others "
               "in none; or computes of LAMMPS's own (suffix off)",
               style);
}

void ComputeChunkAtomGPU::find_molecules(bigint identities)
{
  int changed = identities < 0 || identities != found_for ? 1 : 0, any = changed;
  if (comm->nprocs > 1) MPI_Allreduce(&changed, &any, 1, MPI_INT, MPI_MAX, world);
  if (!any) return;
  nchunks = static_cast<int>(ComputeChunkAtom::compute_scalar());
  ComputeChunkAtom::compute_peratom();
  find_range();
  fill_molecules();
  found_for = identities;
}

ds_bin_molecules ComputeChunkAtomGPU::molecules() const
{
  return {first, static_cast<int64_t>(chunk_of.size()), chunk_of.data(), nchunks};
}

int ComputeChunkAtomGPU::count_molecules()
{
  return found_for >= 0 ? nchunks : static_cast<int>(ComputeChunkAtom::compute_scalar());
}
