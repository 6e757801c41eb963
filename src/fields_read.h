/* -*- c++ -*- Which fields of atoms LAMMPS's output and fixes read, through computes, variables and columns.
   SPDX-License-Identifier: GPL-2.0-or-later

   Results are sets of fields (DS_POSITION ...). What is not known is assumed to read all of them. */

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

  int of_computes() const;     // of all computes, as other styles may read any of them
  int of_variables() const;    // of all variables of styles equal and vector
  int of_columns() const;      // of the thermodynamic output, with its variables but without its computes

  bool are_sums(const class Compute *) const;    // its values are sums, or made of values of other computes
  bool has_python() const;                       // a variable of style python can call LAMMPS's library, and so change anything

 private:
  const class StepProgram &program;    // the engine has the sums of its styles
  std::vector<VariableFormula> variables;

  int of_compute(const class Compute *) const;
  int of_fix(const std::string &word) const;    // f_ID
  int of_formula(const std::string &, int depth) const;
  int of_variable(const std::string &name, int depth) const;
};

}    // namespace LAMMPS_NS

#endif
