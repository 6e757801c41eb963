/* -*- c++ -*- Stress and energy of each atom: LAMMPS's computes stress/atom and pe/atom, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   A value is made of what pairs, bonds, angles, dihedrals and impropers have tallied of an atom, and of its velocity (device/step/atom_value.h). Fix
   ave/chunk/gpu adds values up where the atoms are. For all others they are made of LAMMPS's arrays. */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(stress/atom/gpu,ComputeStressAtomGPU);
ComputeStyle(stress/atom/exact/gpu,ComputeStressAtomGPU);
ComputeStyle(pe/atom/gpu,ComputeStressAtomGPU);
ComputeStyle(pe/atom/exact/gpu,ComputeStressAtomGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_STRESS_ATOM_GPU_H
#define LMP_COMPUTE_STRESS_ATOM_GPU_H

#include "compute.h"

#include "step_part.h"

#include "dpdsop/resident.h"

#include <memory>

namespace LAMMPS_NS {

class ComputeStressAtomGPU : public Compute, public StepPart {
 public:
  ComputeStressAtomGPU(class LAMMPS *, int, char **);
  ~ComputeStressAtomGPU() override;
  void init() override;
  void compute_peratom() override;
  int pack_reverse_comm(int, int, double *) override;
  void unpack_reverse_comm(int, int *, double *) override;
  double memory_usage() override;

  void declare(StepRecords &, bigint) override {}    // others read its values
  std::string why_not_declared() override { return why_not(); }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

  // why LAMMPS's own compute makes the values, as the engine cannot; empty: it can

  std::string why_not() const;
  ds_atom_value value() const;    // how they are made
  int components() const { return is_virial ? COMPONENTS : 1; }

  // Parts of bonds to impropers: all ranks together, while ghosts are at their places

  bool has_bonds() const;
  void tally_bonds();
  void add_tallied_bonds(ds_tallies &) const;

  // A place for what ghosts have got in sums of terms, with all of them 0; and what own atoms get of that

  ds_exact_sum *sums_of_ghosts();
  const ds_exact_sum *return_sums();

  // What LAMMPS's arrays have in this step; an error where that has not been tallied

  void add_tallies(ds_tallies &);

 private:
  static constexpr int COMPONENTS = 6;    // of a virial

  std::unique_ptr<Compute> by_lammps;
  int rows;    // of the arrays of values
  bool is_virial, is_told;
  bool wants[DS_TALLIES], wants_kspace, wants_fixes, wants_motion;
  std::string id_temp;    // empty: all of the velocities is heat
  double unit;            // of exact sums of bonds, energy
  std::vector<ds_exact_sum> sums;              // of one kind of terms, with ghosts
  std::vector<double> tallied[DS_TALLIES];     // of all but pairs
  bigint step_of_bonds;                        // in which they are

  void read_words(int narg, char **arg);
  std::string why_not_fixes() const;
  std::string why_not_temperature() const;
  bool has(int part) const;
  void add_term(const int *member, int members, const double *values);
  void tally_kind(int part);
  void fill();
};

}    // namespace LAMMPS_NS

#endif
#endif
