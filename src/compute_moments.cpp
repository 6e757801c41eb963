/* What computes have in common that are made of masses, centers and second moments.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_moments.h"

#include "compute_chunk_atom_gpu.h"
#include "engine_handle.h"
#include "engine_session.h"
#include "pair_gpu.h"
#include "resident_atoms.h"

#include "comm.h"
#include "error.h"
#include "force.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>

using namespace LAMMPS_NS;

static constexpr int FIRST = 4;    // values of the first pass: mass, and mass times x y z

/* ---------------------------------------------------------------------- */

ComputeMoments::ComputeMoments(LAMMPS *lmp, int narg, char **arg, bool has_second_in) :
    Compute(lmp, narg, arg), sums(*this), runner(lmp, "Compute " + std::string(arg[2])), units(), has_second(has_second_in),
    in_second(false), added(-1)
{
  timeflag = 1;
}

void ComputeMoments::init()
{
  units = StepArrays::units_of(lmp);
  added = -1;
}

/* ----------------------------------------------------------------------
   One layer that keeps atoms before and behind it has all of them
------------------------------------------------------------------------- */

ds_binning ComputeMoments::binning() const
{
  ds_binning b = {};
  b.group = groupbit;
  b.period_of_steps = b.within = 1;
  if (const ComputeChunkAtomGPU *const of_chunks = chunks()) {
    b.kind = DS_BINS_MOLECULES;
    b.group = of_chunks->groupbit;
    b.molecules = of_chunks->molecules();
  } else {
    b.kind = DS_BINS_LAYERS;
    b.nlayers = 1;
    b.layers[0] = {0, 1, 1, 1, 0.0, 1.0};
  }
  b.nvalues = in_second ? SECOND : FIRST;
  for (int k = 0; k < b.nvalues; k++) {
    b.value[k] = in_second ? DS_BIN_MRXX + k : k == 0 ? DS_BIN_MASS : DS_BIN_MRX + k - 1;
    b.unit[k] = in_second ? units.mass * units.length * units.length : k == 0 ? units.mass : units.mass * units.length;
  }
  if (in_second) b.center_of = centers.data()->data();
  return b;
}

void ComputeMoments::Sums::declare(StepRecords &r, bigint)
{
  r.add(DS_ADD_TO_BINS, DS_AT_SUMS, of.groupbit);
  r.binnings.push_back(of.binning());
}

/* ----------------------------------------------------------------------
   of this process; all of them come here together
------------------------------------------------------------------------- */

void ComputeMoments::Sums::take_bins(bigint, const std::vector<ds_exact_sum> &cells)
{
  std::vector<ds_exact_sum> total = cells;
  for (ds_exact_sum &cell : total) ds_exact_carry(&cell);
  if (of.comm->nprocs > 1) StepArrays::add_over_ranks(of.lmp, total.data(), static_cast<int>(total.size()));
  const ds_binning b = of.binning();
  const size_t n = total.size() / b.nvalues;
  const auto value = [&](size_t k, int j) { return ds_exact_value(&total[k * b.nvalues + j], b.unit[j]); };
  if (of.in_second) {
    of.products.resize(n);
    for (size_t k = 0; k < n; k++)
      for (int j = 0; j < SECOND; j++) of.products[k][j] = value(k, j);
    return;
  }
  of.masses.resize(n);
  of.centers.resize(n);
  for (size_t k = 0; k < n; k++) {
    of.masses[k] = value(k, 0);
    for (int d = 0; d < 3; d++) of.centers[k][d] = of.masses[k] > 0.0 ? value(k, 1 + d) / of.masses[k] : 0.0;
  }
}

void ComputeMoments::make_passes(const std::function<void()> &pass)
{
  in_second = false;
  pass();
  if (!has_second) return;
  in_second = true;
  pass();
}

/* ---------------------------------------------------------------------- */

void ComputeMoments::look_at_atoms(ResidentAtoms &atoms)
{
  EngineSession session(lmp, fmt::format("Compute {}", style));
  if (ComputeChunkAtomGPU *const of_chunks = chunks()) of_chunks->find_molecules(atoms.count_of_identities());
  atoms.need_on_engine(DS_ALL_FIELDS | DS_TAG);
  const ds_wrap box = StepArrays::box_of(lmp);
  session.note(ds_resident_set_wrap(atoms.engine(), &box, session.error_text()));
  make_passes([&] {
    StepRecords r;
    sums.declare(r, update->ntimestep);
    const ds_step_program program = StepArrays::program_of(lmp, r);
    std::vector<ds_exact_sum> cells(StepArrays::cells_of(r.binnings[0]));
    if (session.working())
      session.note(
          ds_resident_add_once(atoms.engine(), &program, update->ntimestep, cells.data(), cells.size(), session.error_text()));
    if (!session.agree()) session.raise();
    sums.take_bins(update->ntimestep, cells);
  });
  added = update->ntimestep;
}

/* ----------------------------------------------------------------------
   steps are listed from the last one down. Who reads the compute in this step will add another
------------------------------------------------------------------------- */

bigint ComputeMoments::next_reading(bigint step) const
{
  bigint next = MAXBIGINT;
  for (int k = 0; k < ntime; k++) {
    if (tlist[k] == step) return NOT_KNOWN;
    if (tlist[k] > step) next = std::min(next, tlist[k]);
  }
  return next;
}

void ComputeMoments::add_up()
{
  if (added == update->ntimestep) return;
  auto *const pair = dynamic_cast<PairGPU *>(force->pair);
  if (pair && pair->get_engine()->has_latest_positions())
    error->all(FLERR, "Compute {}: nothing was added up in step {}, allowed: a step of which LAMMPS knows ahead that compute {} is read",
               style, update->ntimestep, id);
  if (ComputeChunkAtomGPU *const of_chunks = chunks()) of_chunks->find_molecules(-1);
  make_passes([&] { runner.run(sums, DS_AT_SUMS, update->ntimestep); });
}

double ComputeMoments::memory_usage()
{
  return static_cast<double>(masses.capacity() * sizeof masses[0] + centers.capacity() * sizeof centers[0] +
                             products.capacity() * sizeof products[0]);
}
