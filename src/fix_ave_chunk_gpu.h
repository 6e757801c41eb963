/* -*- c++ -*- Averages of atoms in bins: LAMMPS's fix ave/chunk, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later

   In the steps of samples the engine adds atoms up in bins. Averages are computed when they are written. */

#ifdef FIX_CLASS
// clang-format off
FixStyle(ave/chunk/gpu,FixAveChunkGPU);
FixStyle(ave/chunk/exact/gpu,FixAveChunkGPU);
// clang-format on
#else

#ifndef LMP_FIX_AVE_CHUNK_GPU_H
#define LMP_FIX_AVE_CHUNK_GPU_H

#include "fix_step.h"

#include "chunk_averages.h"
#include "chunk_bins.h"
#include "step_temperature.h"

namespace LAMMPS_NS {

class FixAveChunkGPU : public FixStep {
 public:
  FixAveChunkGPU(class LAMMPS *, int, char **);

  // Makes this fix; or LAMMPS's own, and says why in the log, if the engine does not know a value or the chunks

  static Fix *create(class LAMMPS *, int, char **);

  int setmask() override { return FixConst::END_OF_STEP; }
  void init() override;
  void setup(int) override;
  void end_of_step() override;
  double compute_array(int, int) override;
  void declare(StepRecords &, bigint) override;
  std::string why_not_declared() override;
  bool changes_in_run() const override;
  void take_bins(bigint, const std::vector<ds_exact_sum> &) override;
  bigint next_look(bigint step) const override;
  bigint period_of_looks() const override;
  ds_tallies tallies() override;
  void engine_comes() override { by_engine = true; }
  void left_to_lammps() override { ask_for_next(); }

 private:
  int nrepeat, nfreq;
  std::string id_chunks;
  StepTemperature bias;
  ChunkAverages averages;
  ChunkBins bins;

  // Samples are taken in the last Nrepeat multiples of Nevery of each Nfreq steps

  bigint begin;      // the first sample of all
  bigint next;       // the first sample that has not been taken
  bool by_engine;    // the engine takes the samples of this run
  bool keeps_bins;   // of averages over several epochs, which have begun before `begin`
  bigint acted;      // the last step whose sample has been taken
  std::vector<ds_exact_sum> sums;    // of this rank, not yet in `averages`

  const class ComputeChunkAtomGPU *chunks() const;
  std::vector<class ComputeStressAtomGPU *> computes() const;    // those whose values are averaged
  void ask_for_next();
  void read_periods(char **arg);
  void read_value_of_compute(const std::string &word);
  int read_values(int narg, char **arg);    // returns the index of the first keyword
  void read_keywords(int k, int narg, char **arg);
  void read_file(const char *name, const char *mode);
  bigint left_of_epoch(bigint step) const { return (nfreq - step % nfreq) % nfreq; }
  bool is_sample(bigint step) const;
  bool is_first_sample(bigint step) const;
  bigint first_sample(bigint step) const;    // the first one after this step
  bigint first_epoch() const;
  bool bins_may_change() const;
  void set_up_bins(bigint step);
  void take_sample();
};

}    // namespace LAMMPS_NS

#endif
#endif
