/* -*- c++ -*- What variables of the input are, as LAMMPS's library tells it: not all versions install the header of their
   variables.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_VARIABLE_FORMULA_H
#define LMP_DPDSOP_VARIABLE_FORMULA_H

#include <string>
#include <vector>

namespace LAMMPS_NS {

struct VariableFormula {
  std::string name, style, text;
  bool is_whole;    // the library tells no more than some 2,000 characters

  static std::vector<VariableFormula> all(void *lmp);

  // Words of a formula: names, numbers such as 1.0e-3, and single characters. next_word() begins at *k, and goes on behind it

  static std::string next_word(const std::string &formula, size_t *k);
  static bool is_name(const std::string &word);

  // What stands in brackets from *k on, without blanks, by commas; none where no bracket stands there

  static std::vector<std::string> arguments(const std::string &formula, size_t *k, char open, char close);
};

}    // namespace LAMMPS_NS

#endif
