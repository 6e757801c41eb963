/* Chunks of atoms: LAMMPS's compute chunk/atom, of which the engine knows bins.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_chunk_atom_gpu.h"

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "region.h"
#include "update.h"

#include "dpdsop/device/step/bins.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeChunkAtomGPU::ComputeChunkAtomGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeChunkAtom(lmp, narg, arg), bins(lmp, "Compute " + std::string(arg[2]), narg, arg)
{
}

void ComputeChunkAtomGPU::init()
{
  ComputeChunkAtom::init();
  bins.init();
}

/* ----------------------------------------------------------------------
   too many bins are refused before LAMMPS has made room for them
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
   of atoms in LAMMPS's arrays. LAMMPS's own converts their positions to fractions of
   the box and back, where bins are those of fractions
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
