/* -*- c++ -*- What computes have in common that are made of masses, centers and second moments of groups or chunks of atoms.
   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms are added up in two passes. The first one finds masses and centers. The second one, if it is needed, adds up products
   of two components of the vector from the center to each atom. Positions are unwrapped. Sums are integers, so they have the
   same bits on any number of ranks and threads. While run_style verlet/gpu makes steps, the engine adds them up where the atoms
   are, at the end of steps in which LAMMPS reads the compute. */

#ifndef LMP_COMPUTE_MOMENTS_H
#define LMP_COMPUTE_MOMENTS_H

#include "compute_looking.h"

#include "step_arrays.h"

#include <array>

namespace LAMMPS_NS {

class ComputeMoments : public ComputeLooking {
 public:
  static constexpr int SECOND = 6;    // xx yy zz xy xz yz

  ComputeMoments(class LAMMPS *, int, char **, bool has_second);
  void init() override;
  double memory_usage() override;

  void look_at_atoms(class ResidentAtoms &) override;

 protected:
  // nullptr: the atoms of the group are one chunk

  virtual class ComputeChunkAtomGPU *chunks() const { return nullptr; }

  void add_up();    // in this step, unless the engine has done so
  int count() const { return static_cast<int>(masses.size()); }
  double mass(int k) const { return masses[k]; }
  const double *center(int k) const { return centers[k].data(); }    // 0 where there is no mass
  double second(int k, int j) const { return masses[k] > 0.0 ? products[k][j] / masses[k] : 0.0; }    // per mass

 private:
  // The operations of one pass

  class Sums : public StepPart {
   public:
    explicit Sums(ComputeMoments &c) : of(c) {}
    void declare(StepRecords &, bigint) override;
    void take_bins(bigint, const std::vector<ds_exact_sum> &) override;
    void take_sums(bigint, const std::vector<StepSums> &) override {}
    bool reads_molecules() const override { return of.chunks() != nullptr; }

   private:
    ComputeMoments &of;
  };

  Sums sums;
  StepArrays::Runner runner;    // on LAMMPS's arrays
  StepArrays::Units units;
  bool has_second;
  bool in_second;    // the present pass is the second one
  std::vector<double> masses;
  std::vector<std::array<double, 3>> centers;
  std::vector<std::array<double, SECOND>> products;

  bool reads_molecules() const override { return chunks() != nullptr; }
  ds_binning binning() const;
  void make_passes(const std::function<void()> &pass);
};

}    // namespace LAMMPS_NS

#endif
