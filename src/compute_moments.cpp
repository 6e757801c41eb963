/* What computes have in common that are made of masses, centers and second moments.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_moments.h"

#include "compute_chunk_atom_gpu.h"
#include "engine_session.h"
#include "resident_atoms.h"

#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>

using namespace LAMMPS_NS;

static constexpr int FIRST = 4;    // number of values in the first pass: mass, and mass times x y z

/* ---------------------------------------------------------------------- */

ComputeMoments::ComputeMoments(LAMMPS *lmp, int narg, char **arg, bool has_second_in) :
    ComputeLooking(lmp, narg, arg), sums(*this), runner(lmp, "Compute " + std::string(arg[2])), units(),
    has_second(has_second_in), in_second(false)
{
  timeflag = 1;
}

void ComputeMoments::init()
{
  units = StepArrays::units_of(lmp);
  forget_sums();
}

/* ----------------------------------------------------------------------
   One bin for all atoms: a single layer, to which atoms outside of it belong, too
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
   Gets the sums of this process. All processes call it together
------------------------------------------------------------------------- */

void ComputeMoments::Sums::take_bins(bigint, const std::vector<ds_exact_sum> &cells)
{
  const std::vector<ds_exact_sum> total = StepArrays::total_over_ranks(of.lmp, cells);
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
  const ds_wrap box = StepArrays::box_of(lmp);
  session.note(ds_resident_set_wrap(atoms.engine(), &box, session.error_text()));
  make_passes([&] {
    StepRecords r;
    sums.declare(r, update->ntimestep);
    sums.take_bins(update->ntimestep, atoms.add_once(r, session));
  });
  has_looked();
}

/* ---------------------------------------------------------------------- */

void ComputeMoments::add_up()
{
  if (!is_to_look_now()) return;
  require_latest_positions("nothing was added up");
  if (ComputeChunkAtomGPU *const of_chunks = chunks()) of_chunks->find_molecules(-1);
  make_passes([&] { runner.run(sums, DS_AT_SUMS, update->ntimestep); });
}

double ComputeMoments::memory_usage()
{
  return static_cast<double>(masses.capacity() * sizeof masses[0] + centers.capacity() * sizeof centers[0] +
                             products.capacity() * sizeof products[0]);
}
