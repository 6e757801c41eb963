/* -*- c++ -*- Stress and energy of each atom: LAMMPS's computes stress/atom and pe/atom, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   A value of an atom is made of what pairs, bonds, angles, dihedrals and impropers have tallied for it, and of its velocity
   (device/step/atom_value.h). For fix ave/chunk/gpu the engine adds values up where the atoms are. For all other styles values
   are made of LAMMPS's arrays. */

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

  void declare(StepRecords &, bigint) override {}    // fix ave/chunk/gpu declares operations that read its values
  std::string why_not_declared() override { return why_not(); }
  void take_sums(bigint, const std::vector<StepSums> &) override {}

  // Why LAMMPS's own compute has to make the values; empty if the engine can

  std::string why_not() const;
  ds_atom_value value() const;    // how values are made
  int components() const { return is_virial ? COMPONENTS : 1; }

  // Tallies bonds, angles, dihedrals and impropers. All ranks call this together, while LAMMPS has ghosts.
  // tally_bonds_of_step() does so for all computes that LAMMPS reads in this step. It is called where forces are computed: a
  // fix may move atoms and change the box at the end of the step

  bool has_bonds() const;
  void tally_bonds();
  static void tally_bonds_of_step(class LAMMPS *);
  void add_tallied_bonds(ds_tallies &) const;

  // sums_of_ghosts() returns sums of value 0, for what terms add to ghosts. return_sums() then sends these sums to the owners,
  // and returns what own atoms get

  ds_exact_sum *sums_of_ghosts();
  const ds_exact_sum *return_sums();

  // Adds what LAMMPS's arrays have tallied in this step. It is an error if nothing has been tallied

  void add_tallies(ds_tallies &);

 private:
  static constexpr int COMPONENTS = 6;    // of a virial

  std::unique_ptr<Compute> by_lammps;
  int rows;    // how many atoms the array of values has room for
  bool is_virial, is_told;
  bool wants[DS_TALLIES], wants_kspace, wants_fixes, wants_motion;
  std::string id_temp;    // empty: velocities have no bias
  double unit;            // energy unit of exact sums of bonds
  std::vector<ds_exact_sum> sums;             // of one kind of terms, for own atoms and ghosts
  std::vector<double> tallied[DS_TALLIES];    // of all kinds but pairs
  bigint step_of_bonds;                       // the step in which bonds were tallied

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
