/* -*- c++ -*- Internal fix: a position for each atom to which a style of this package refers, for example its initial one.
   SPDX-License-Identifier: GPL-2.0-or-later

   They go with their atoms from rank to rank, and into restart files. */

#ifdef FIX_CLASS
// clang-format off
FixStyle(DPD_GPU/ANCHORS,FixStepAnchors);
// clang-format on
#else

#ifndef LMP_FIX_STEP_ANCHORS_H
#define LMP_FIX_STEP_ANCHORS_H

#include "fix.h"

#include "atom_order.h"

namespace LAMMPS_NS {

class FixStepAnchors : public Fix, public HasRowsOfAtoms {
 public:
  static constexpr char STYLE[] = "DPD_GPU/ANCHORS";

  // The fix of the style with the ID `owner`. keep() makes it with the present unwrapped positions, or those of a restart file

  static FixStepAnchors *keep(class LAMMPS *, const std::string &owner);
  static FixStepAnchors *make_room(class LAMMPS *,
                                   const std::string &owner);             // with zeros, for operations that keep something
  static FixStepAnchors *of(class LAMMPS *, const std::string &owner);    // nullptr: there is none
  static double **rows_of(class LAMMPS *, const std::string &owner);
  static void drop(class LAMMPS *, const std::string &owner);

  FixStepAnchors(class LAMMPS *, int, char **);
  ~FixStepAnchors() override;
  int setmask() override { return 0; }
  bool are_restored() const { return restart_reset != 0; }    // from a restart file

  void shift(const double by[3]);    // the positions of all atoms

  Rows rows_of_atoms() override { return {nullptr, anchor}; }
  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;    // a new atom gets its present position
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int maxsize_restart() override { return 4; }
  int size_restart(int) override { return 4; }
  double memory_usage() override;

 private:
  bool has_positions;
  double **anchor;
};

}    // namespace LAMMPS_NS

#endif
#endif
