/* -*- c++ -*- Chunks of atoms: LAMMPS's compute chunk/atom, of which the engine knows bins.
   SPDX-License-Identifier: GPL-2.0-or-later

   For styles of LAMMPS this is LAMMPS's own compute, except that it does not change positions by rounding. Fix ave/chunk/gpu
   takes only its bins. If chunks are molecules, LAMMPS finds the chunk of each atom, and the list made of that here is read by
   computes of molecules (compute_chunk_moments_gpu.h). */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(chunk/atom/gpu,ComputeChunkAtomGPU);
ComputeStyle(chunk/atom/exact/gpu,ComputeChunkAtomGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_CHUNK_ATOM_GPU_H
#define LMP_COMPUTE_CHUNK_ATOM_GPU_H

#include "chunk_atom_abi.h"

#include "chunk_bins.h"
#include "step_part.h"

namespace LAMMPS_NS {

class ComputeChunkAtomGPU : public ComputeChunkAtom, public StepPart {
 public:
  ComputeChunkAtomGPU(class LAMMPS *, int, char **);
  void init() override;
  void setup() override;
  void compute_peratom() override;
  double compute_scalar() override;
  void declare(StepRecords &, bigint) override {}    // styles that read its bins declare operations
  std::string why_not_declared() override { return bins.are_molecules() ? bins.why_not_molecules() : bins.why_not(); }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

  const ChunkBins &get_bins() const { return bins; }
  static ComputeChunkAtomGPU *find(class LAMMPS *, const std::string &id);    // nullptr: it is none of this class

  // Finds the chunk of each molecule that has atoms on this process. All processes do so together. `identities` counts changes
  // of types, masks and molecules; as long as it stays the same, the chunks of the last call are right. -1: it is not known

  void find_molecules(bigint identities);
  ds_bin_molecules molecules() const;
  int count_molecules();    // the number of chunks

 private:
  ChunkBins bins;
  std::vector<double> of_atoms;
  std::vector<int32_t> chunk_of;    // for each molecule from `first` on
  tagint first;
  int nchunks;
  bigint found_for;    // `identities` of the last call; -1: chunks have to be found again
  void find_range();
  void fill_molecules();
  bool knows_bins() const { return bins.why_not().empty(); }
  void set_up_bins();
};

}    // namespace LAMMPS_NS

#endif
#endif
