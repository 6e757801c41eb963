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
  static std::string style_of(class LAMMPS *);    // in a run with KOKKOS, a style that it knows

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

  // engines that evaluate forces; remove() returns true if none is left

  void add(class EngineHandle *);
  bool remove(class EngineHandle *);

  // those that forces are to be made of, now, in the memory of the atoms

  ds_array velocities(const class AtomAccess &);
  bool keeps() const;    // something of use in the present step
  void record();         // the velocities of this step, as a restart file of it does; LAMMPS's arrays are up to date

 protected:
  static constexpr int NVALUES = 6;

  bigint step;    // of the evaluation that is kept, -1: none, the same on all ranks
  double *
      kept;    // on the host, by atom: velocity of that evaluation, velocity of the atom when its step was over

  double *of_atom(int i) { return kept + static_cast<size_t>(i) * NVALUES; }

  // for one that has KOKKOS: positions and velocities in LAMMPS's arrays; what is kept, in the memory of the atoms

  virtual void need_motion() {}
  virtual ds_array kept_for(const class AtomAccess &);

 private:
  std::vector<class EngineHandle *> engines;
  bool has_read;     // from a restart file, and not checked yet
  tagint damaged;    // an atom of this rank whose values there have been changed, 0: none

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
