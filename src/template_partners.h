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

  // of the own atoms as they are, on all ranks; the arrays stay till this is called again, as Atom's nspecial and special

  void find();
  ds_array nspecial();
  ds_array special();

 private:
  int most;    // partners of one atom
  std::vector<int> count;
  std::vector<tagint> partner;
};

}    // namespace LAMMPS_NS

#endif
