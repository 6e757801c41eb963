/* -*- c++ -*- The order of LAMMPS's atoms: the bins that it sorts them by, and atoms put in a given order.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOM_ORDER_H
#define LMP_DPDSOP_ATOM_ORDER_H

#include "pointers.h"

#include "dpdsop/device/sort_bins.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

// A fix whose values of atoms are these and no others: they are put in order array by array, as those of LAMMPS are

class HasRowsOfAtoms {
 public:
  struct Rows {
    int *numbers;        // one per atom; null: none
    double **vectors;    // three per atom, all in one piece of memory
  };
  virtual ~HasRowsOfAtoms() noexcept(false) = default;    // as the destructors of LAMMPS's styles
  virtual Rows rows_of_atoms() = 0;
};

class AtomOrder : protected Pointers {
 public:
  AtomOrder(class LAMMPS *lmp);

  void find_bins();     // from LAMMPS's settings, when a run is set up
  void follow_box();    // finds them again if the box changes

  const ds_sort_bins &bins() const { return bin; }
  bool sorts() const { return count > 1; }    // with one bin LAMMPS leaves atoms as they are
  bool is_by_bins() const;    // atoms are sorted by the bins

  // Atom order[i] becomes atom i, with all values that LAMMPS and its fixes have of it. There are no ghosts afterwards.
  // Positions, velocities, forces, image flags, types, masks and masses have to be set anew

  void put(const std::vector<int> &order) const;
  std::string why_not() const;    // what keeps that from being done; empty: nothing

 private:
  ds_sort_bins bin;
  int count;    // of bins; 0: they are not known
  std::vector<class Fix *> fixes_with_values() const;
  void put_arrays(const std::vector<int> &order, const std::vector<HasRowsOfAtoms::Rows> &of_fixes) const;
  void put_values(const std::vector<int> &order, class Fix *fix) const;
};

}    // namespace LAMMPS_NS

#endif
