/* -*- c++ -*- Internal fix of the pair styles of this package: what a run needs to go on from the one before,
   within an input or from a restart file.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(DPD_GPU/STATE,FixDPDGPUState);
// clang-format on
#else

#ifndef LMP_FIX_DPD_GPU_STATE_H
#define LMP_FIX_DPD_GPU_STATE_H

#include "fix.h"

#include "dpdsop/array.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class FixDPDGPUState : public Fix {
 public:
  static constexpr char ID[] = "DPD_GPU_STATE";
  static constexpr char STYLE[] = "DPD_GPU/STATE";
  static std::string style_of(class LAMMPS *);    // in a run with KOKKOS this fix has a style of its own

  FixDPDGPUState(class LAMMPS *, int, char **);
  ~FixDPDGPUState() override;
  int setmask() override { return 0; }
  void post_run() override;
  void write_restart(FILE *) override;
  void restart(char *) override;

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int maxsize_restart() override;
  int size_restart(int) override;
  double memory_usage() override;

  // Engines that evaluate forces. remove() returns true if no engine is left

  void add(class EngineHandle *);
  bool remove(class EngineHandle *);

  // The velocities from which the forces of now are made: those kept, or those of the atoms

  ds_array velocities(const class AtomAccess &);
  bool keeps() const;    // velocities of the present step are kept
  void record();         // keeps those of the last evaluation. LAMMPS's arrays have to be up to date

 protected:
  static constexpr int NVALUES = 6;

  bigint step;     // of the evaluation whose velocities are kept, the same on all ranks; -1: none are kept
  double *kept;    // on the host, for each atom: its velocity in that evaluation, and at the end of that step

  double *of_atom(int i) { return kept + static_cast<size_t>(i) * NVALUES; }

  // With KOKKOS, need_motion() brings positions and velocities to LAMMPS's arrays, and kept_for() copies what is kept to the
  // memory of the atoms

  virtual void need_motion() {}
  virtual ds_array kept_for(const class AtomAccess &);

 private:
  std::vector<class EngineHandle *> engines;
  bool has_read;     // values are those of a restart file, and have not been checked yet
  tagint damaged;    // an atom of this rank whose values in that file have been changed; 0: none

  bool is_outside(int) const;

  void make_room(int natoms);
  void take_from(class EngineHandle *);
  void keep(bigint);
  void forget();
  void check_atoms();
  static uint64_t digest_of(const double *);
};

}    // namespace LAMMPS_NS

#endif
#endif
