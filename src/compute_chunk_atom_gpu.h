/* -*- c++ -*- Chunks of atoms: LAMMPS's compute chunk/atom, of which the engine knows bins.   SPDX-License-Identifier: GPL-2.0-or-later

   It is LAMMPS's own for all that reads it there. What fix ave/chunk/gpu needs of it are its bins; other values are found
   without a change of atoms. Where chunks are molecules, LAMMPS says which chunk each atom is in, and computes of molecules
   (compute_chunk_moments_gpu.h) make a list of that. */

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
  void declare(StepRecords &, bigint) override {}    // others read its bins
  std::string why_not_declared() override { return bins.are_molecules() ? bins.why_not_molecules() : bins.why_not(); }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

  const ChunkBins &get_bins() const { return bins; }
  static ComputeChunkAtomGPU *find(class LAMMPS *, const std::string &id);    // nullptr: there is none of this class

  // The chunk of each molecule that has atoms on this process, as LAMMPS has it now. All processes find them together. They stay
  // as they are while `identities`, which counts changes of them, does; -1: it is not known whether they have changed

  void find_molecules(bigint identities);
  ds_bin_molecules molecules() const;
  int count_molecules();    // chunks

 private:
  ChunkBins bins;
  std::vector<double> of_atoms;
  std::vector<int32_t> chunk_of;    // molecules from `first` on
  tagint first;
  int nchunks;
  bigint found_for;    // count of identities; -1: for another one than that of now
  void find_range();
  void fill_molecules();
  bool knows_bins() const { return bins.why_not().empty(); }
  void set_up_bins();
};

}    // namespace LAMMPS_NS

#endif
#endif
