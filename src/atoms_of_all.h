/* -*- c++ -*- Arrays of LAMMPS's atoms of all processes, one process after the other.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ATOMS_OF_ALL_H
#define LMP_DPDSOP_ATOMS_OF_ALL_H

#include "pointers.h"

#include "dpdsop/array.h"

#include <vector>

namespace LAMMPS_NS {

class AtomsOfAll : protected Pointers {
 public:
  explicit AtomsOfAll(class LAMMPS *lmp) : Pointers(lmp), count(0), begin(0) {}

  // All processes call these together. On one process, its own arrays are returned. An array without data stays so

  void find();    // finds how many atoms there are; to be called first
  int n() const { return count; }
  int first() const { return begin; }    // number of the first atom of this process
  enum Field { POSITIONS, TYPES, MASKS, TAGS, MOLECULES, FIELDS };
  ds_array gather(Field, const ds_array &);    // valid until the next call for this field
  double memory_usage() const;

 private:
  int count, begin;
  std::vector<int> counts;    // by process
  std::vector<char> copy[FIELDS];
};

}    // namespace LAMMPS_NS

#endif
