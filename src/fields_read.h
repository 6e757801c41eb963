/* -*- c++ -*- What of the atoms output and fixes of LAMMPS's read, through computes, variables and columns.
   SPDX-License-Identifier: GPL-2.0-or-later

   Sets of fields (DS_POSITION ...). Of what is not known the worst is assumed: all of them. */

#ifndef LMP_DPDSOP_FIELDS_READ_H
#define LMP_DPDSOP_FIELDS_READ_H

#include "pointers.h"

#include "variable_formula.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class FieldsRead : protected Pointers {
 public:
  FieldsRead(class LAMMPS *, const class StepProgram &);

  int of_computes() const;     // all of them: any may be asked by others
  int of_variables() const;    // of styles equal and vector, likewise
  int of_columns() const;      // of the thermodynamic output, with the variables among them; beside computes

  bool are_sums(const class Compute *) const;    // or made of values of other computes
  bool has_python() const;                       // a variable that can call LAMMPS's library, and so change anything

 private:
  const class StepProgram &program;    // which has sums of its styles
  std::vector<VariableFormula> variables;

  int of_compute(const class Compute *) const;
  int of_fix(const std::string &word) const;    // f_ID
  int of_formula(const std::string &, int depth) const;
  int of_variable(const std::string &name, int depth) const;
};

}    // namespace LAMMPS_NS

#endif
