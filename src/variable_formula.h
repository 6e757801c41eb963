/* -*- c++ -*- Formulas of variables, as LAMMPS's library tells them: not all versions install the header of class Variable.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_VARIABLE_FORMULA_H
#define LMP_DPDSOP_VARIABLE_FORMULA_H

#include <string>
#include <vector>

namespace LAMMPS_NS {

struct VariableFormula {
  std::string name, style, text;
  bool is_whole;    // false: the library has cut the formula, after some 2,000 characters

  static std::vector<VariableFormula> all(void *lmp);

  // Returns the next word of a formula, from *k on, and moves *k behind it: a name, a number such as 1.0e-3, or one character

  static std::string next_word(const std::string &formula, size_t *k);
  static bool is_name(const std::string &word);

  // Returns the arguments in the brackets that begin at *k, without blanks; nothing if there is no bracket

  static std::vector<std::string> arguments(const std::string &formula, size_t *k, char open, char close);
};

}    // namespace LAMMPS_NS

#endif
