/* -*- c++ -*- Centers of mass, radii of gyration and displacements of chunks that are molecules, from exact sums: LAMMPS's
   computes com/chunk, gyration/chunk and msd/chunk, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(com/chunk/gpu,ComputeCOMChunkGPU);
ComputeStyle(com/chunk/exact/gpu,ComputeCOMChunkGPU);
ComputeStyle(gyration/chunk/gpu,ComputeGyrationChunkGPU);
ComputeStyle(gyration/chunk/exact/gpu,ComputeGyrationChunkGPU);
ComputeStyle(msd/chunk/gpu,ComputeMSDChunkGPU);
ComputeStyle(msd/chunk/exact/gpu,ComputeMSDChunkGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_CHUNK_MOMENTS_GPU_H
#define LMP_COMPUTE_CHUNK_MOMENTS_GPU_H

#include "compute_moments.h"

namespace LAMMPS_NS {

class ComputeChunkMoments : public ComputeMoments {
 public:
  // Creates LAMMPS's own compute of this style, and says why in the log, if the chunks are none of this package's or may change
  // in a run. Else returns nullptr

  static Compute *of_lammps(class LAMMPS *, int narg, char **arg, const char *own_style);

  ComputeChunkMoments(class LAMMPS *, int, char **, bool has_second);
  void init() override;
  int lock_length() override;
  void lock(class Fix *, bigint, bigint) override;
  void unlock(class Fix *) override;

 protected:
  class ComputeChunkAtomGPU *chunks() const override;
  void have_array(int columns);
  void allow_no_more(int narg, char **arg, int from) const;
  double **rows();    // one row for each chunk

 private:
  std::string id_chunks;
  std::vector<double> values;
  std::vector<double *> starts;    // where rows begin
};

class ComputeCOMChunkGPU : public ComputeChunkMoments {
 public:
  static constexpr char OF_LAMMPS[] = "com/chunk";
  ComputeCOMChunkGPU(class LAMMPS *, int, char **);
  void compute_array() override;
};

class ComputeGyrationChunkGPU : public ComputeChunkMoments {
 public:
  static constexpr char OF_LAMMPS[] = "gyration/chunk";
  ComputeGyrationChunkGPU(class LAMMPS *, int, char **);
  void compute_vector() override;
  void compute_array() override;

 private:
  std::vector<double> radii;
};

class ComputeMSDChunkGPU : public ComputeChunkMoments {
 public:
  static constexpr char OF_LAMMPS[] = "msd/chunk";
  ComputeMSDChunkGPU(class LAMMPS *, int, char **);
  ~ComputeMSDChunkGPU() override;
  void init() override;
  void setup() override;
  void compute_array() override;

 private:
  bool has_begun;    // there are initial centers
  class FixStepCenters *begin() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
