/* -*- c++ -*- Partners along bonds in atom_style template, which LAMMPS stores once for each molecule of a template.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_TEMPLATE_PARTNERS_H
#define LMP_DPDSOP_TEMPLATE_PARTNERS_H

#include "pointers.h"

#include "dpdsop/array.h"

#include <vector>

namespace LAMMPS_NS {

class TemplatePartners : protected Pointers {
 public:
  explicit TemplatePartners(class LAMMPS *lmp) : Pointers(lmp), most(0) {}

  // Finds partners of own atoms, on all ranks. The arrays are like Atom's nspecial and special, and valid until the next call

  void find();
  ds_array nspecial();
  ds_array special();

 private:
  int most;    // the most partners of an atom
  std::vector<int> count;
  std::vector<tagint> partner;
};

}    // namespace LAMMPS_NS

#endif
