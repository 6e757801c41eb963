/* Centers of mass, radii of gyration and displacements of chunks that are molecules, from exact sums.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_chunk_moments_gpu.h"

#include "compute_chunk_atom_gpu.h"
#include "fix_step_centers.h"

#include "comm.h"
#include "error.h"
#include "modify.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr int CHUNKS = 3;    // argument with the ID of the compute chunk/atom

/* ---------------------------------------------------------------------- */

static std::string why_lammps_moments(LAMMPS *lmp, int narg, char **arg)
{
  const Compute *const given = narg > CHUNKS ? lmp->modify->get_compute_by_id(arg[CHUNKS]) : nullptr;
  if (!given) return "";
  const ComputeChunkAtomGPU *const ours = ComputeChunkAtomGPU::find(lmp, arg[CHUNKS]);
  if (!ours) return fmt::format("compute {} is of style {}", given->id, given->style);
  const std::string &why = ours->get_bins().why_not_molecules();
  if (!ours->get_bins().are_molecules()) return fmt::format("chunks of compute {} are no molecules", given->id);
  return why.empty() ? "" : fmt::format("of compute {}: {}", given->id, why);
}

Compute *ComputeChunkMoments::of_lammps(LAMMPS *lmp, int narg, char **arg, const char *own_style)
{
  const std::string why = why_lammps_moments(lmp, narg, arg);
  if (why.empty()) return nullptr;
  if (lmp->comm->me == 0)
    utils::logmesg(lmp, "Compute {}: compute {} is LAMMPS's own {}, as {}\n", arg[2], arg[0], own_style, why);
  return (*lmp->modify->compute_map)[own_style](lmp, narg, arg);
}

ComputeChunkMoments::ComputeChunkMoments(LAMMPS *lmp, int narg, char **arg, bool has_second) :
    ComputeMoments(lmp, narg, arg, has_second)
{
  if (narg <= CHUNKS) error->all(FLERR, "Compute {}: no chunks, allowed: the ID of a compute chunk/atom", arg[2]);
  id_chunks = arg[CHUNKS];
  const ComputeChunkAtomGPU *const found = chunks();
  if (!found || !found->get_bins().are_molecules() || !found->get_bins().why_not_molecules().empty())
    error->all(FLERR,
               "Compute {}: chunks of compute {}, allowed: those of a compute chunk/atom/gpu molecule, without region and ids "
               "nfreq",
               arg[2], id_chunks);
}

void ComputeChunkMoments::allow_no_more(int narg, char **arg, int from) const
{
  if (narg > from) error->all(FLERR, "Compute {}: argument {} is not known, allowed is none behind chunks", arg[2], arg[from]);
}

ComputeChunkAtomGPU *ComputeChunkMoments::chunks() const
{
  return ComputeChunkAtomGPU::find(lmp, id_chunks);
}

void ComputeChunkMoments::init()
{
  ComputeMoments::init();
  if (!chunks()) error->all(FLERR, "Compute {}: compute {} does not exist any more, allowed: that it stays", style, id_chunks);
}

/* ----------------------------------------------------------------------
   Called by fix ave/time, which makes room for the chunks of now
------------------------------------------------------------------------- */

int ComputeChunkMoments::lock_length()
{
  return chunks()->count_molecules();
}

void ComputeChunkMoments::lock(Fix *fix, bigint start, bigint stop)
{
  chunks()->lock(fix, start, stop);
}

void ComputeChunkMoments::unlock(Fix *fix)
{
  if (ComputeChunkAtomGPU *const found = chunks()) found->unlock(fix);
}

/* ---------------------------------------------------------------------- */

void ComputeChunkMoments::have_array(int columns)
{
  array_flag = size_array_rows_variable = 1;
  size_array_cols = columns;
  size_array_rows = 0;
  extarray = 0;
}

double **ComputeChunkMoments::rows()
{
  values.resize(static_cast<size_t>(count()) * size_array_cols);
  starts.resize(count());
  for (int k = 0; k < count(); k++) starts[k] = values.data() + static_cast<size_t>(k) * size_array_cols;
  size_array_rows = count();
  return starts.data();
}

/* ---------------------------------------------------------------------- */

ComputeCOMChunkGPU::ComputeCOMChunkGPU(LAMMPS *lmp, int narg, char **arg) : ComputeChunkMoments(lmp, narg, arg, false)
{
  allow_no_more(narg, arg, CHUNKS + 1);
  have_array(3);
}

void ComputeCOMChunkGPU::compute_array()
{
  invoked_array = update->ntimestep;
  add_up();
  array = rows();
  for (int k = 0; k < count(); k++) std::copy_n(center(k), 3, array[k]);
}

/* ---------------------------------------------------------------------- */

ComputeGyrationChunkGPU::ComputeGyrationChunkGPU(LAMMPS *lmp, int narg, char **arg) : ComputeChunkMoments(lmp, narg, arg, true)
{
  for (int k = CHUNKS + 1; k < narg; k++) {
    if (strcmp(arg[k], "tensor") != 0) error->all(FLERR, "Compute {}: keyword {}, allowed: tensor", arg[2], arg[k]);
    have_array(SECOND);
  }
  if (array_flag) return;
  vector_flag = size_vector_variable = 1;
  size_vector = 0;
  extvector = 0;
}

void ComputeGyrationChunkGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  radii.resize(count());
  for (int k = 0; k < count(); k++) radii[k] = std::sqrt(second(k, 0) + second(k, 1) + second(k, 2));
  vector = radii.data();
  size_vector = count();
}

void ComputeGyrationChunkGPU::compute_array()
{
  invoked_array = update->ntimestep;
  add_up();
  array = rows();
  for (int k = 0; k < count(); k++)
    for (int j = 0; j < SECOND; j++) array[k][j] = second(k, j);
}

/* ---------------------------------------------------------------------- */

ComputeMSDChunkGPU::ComputeMSDChunkGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeChunkMoments(lmp, narg, arg, false), has_begun(false)
{
  allow_no_more(narg, arg, CHUNKS + 1);
  have_array(4);
  FixStepCenters::add(lmp, id);
}

ComputeMSDChunkGPU::~ComputeMSDChunkGPU()
{
  FixStepCenters::drop(lmp, id);
}

FixStepCenters *ComputeMSDChunkGPU::begin() const
{
  return FixStepCenters::of(lmp, id);
}

void ComputeMSDChunkGPU::init()
{
  ComputeChunkMoments::init();
  if (!begin()) error->all(FLERR, "Compute {}: fix {}_CENTERS does not exist any more, allowed is that it stays", style, id);
}

/* ----------------------------------------------------------------------
   Initial centers are taken in the first run, unless a restart file has had centers for
   this number of chunks
------------------------------------------------------------------------- */

void ComputeMSDChunkGPU::setup()
{
  if (has_begun) return;
  has_begun = true;
  add_up();
  auto &from = begin()->centers;
  if (static_cast<int>(from.size()) == count()) return;
  from.resize(count());
  for (int k = 0; k < count(); k++) std::copy_n(center(k), 3, from[k].begin());
}

void ComputeMSDChunkGPU::compute_array()
{
  invoked_array = update->ntimestep;
  add_up();
  const auto &from = begin()->centers;
  if (has_begun && static_cast<int>(from.size()) != count())
    error->all(FLERR, "Compute {}: {} chunks, and {} at first, allowed: as many", style, count(), from.size());
  array = rows();
  for (int k = 0; k < count(); k++) {
    array[k][3] = 0.0;
    for (int d = 0; d < 3; d++) {
      const double moved = has_begun ? center(k)[d] - from[k][d] : 0.0;
      array[k][d] = moved * moved;
      array[k][3] += array[k][d];
    }
  }
}
