/* -*- c++ -*- What of the atoms output and fixes of LAMMPS's read, through computes, variables and columns.
   SPDX-License-Identifier: GPL-2.0-or-later

   Sets of fields (DS_POSITION ...). Of what is not known the worst is assumed: all of them. */

#ifndef LMP_DPDSOP_FIELDS_READ_H
#define LMP_DPDSOP_FIELDS_READ_H

#include "pointers.h"

#include <string>

namespace LAMMPS_NS {

class FieldsRead : protected Pointers {
 public:
  FieldsRead(class LAMMPS *lmp, const class StepProgram &program_in) : Pointers(lmp), program(program_in) {}

  int of_computes() const;     // all of them: any may be asked by others
  int of_variables() const;    // of styles equal and vector, likewise
  int of_columns() const;      // of the thermodynamic output, beside these

  bool are_sums(const class Compute *) const;    // or made of values of other computes
  bool has_python() const;                       // a variable that can call LAMMPS's library, and so change anything

 private:
  const class StepProgram &program;    // which has sums of its styles

  int of_compute(const class Compute *) const;
  int of_fix(const std::string &word) const;    // f_ID
  int of_formula(const std::string &) const;
};

}    // namespace LAMMPS_NS

#endif
