/* Formulas of variables, as LAMMPS's library tells them.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "variable_formula.h"

#include "library.h"

#include <cctype>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The library returns lines of this form, with more blanks:
   "Variable[  0]: name, style = equal, def = formula value"
------------------------------------------------------------------------- */

std::vector<VariableFormula> VariableFormula::all(void *lmp)
{
  static constexpr char NAME[] = "]: ", STYLE[] = " style = ", TEXT[] = " def = ";
  std::vector<VariableFormula> found;
  char info[2048];
  for (int k = 0; lammps_variable_info(lmp, k, info, sizeof info); k++) {
    info[sizeof info - 1] = '\0';
    VariableFormula v = {"", "", "", strlen(info) + 1 < sizeof info};
    info[strcspn(info, "\n")] = '\0';
    const char *const name = strstr(info, NAME), *const style = strstr(info, STYLE), *const text = strstr(info, TEXT);
    if (name) v.name.assign(name + strlen(NAME), strcspn(name + strlen(NAME), ","));
    if (style) v.style.assign(style + strlen(STYLE), strcspn(style + strlen(STYLE), ","));
    if (text) v.text = text + strlen(TEXT);
    const size_t last = v.text.find_last_of(' ');    // the last value stands behind it
    if (last != std::string::npos) v.text.erase(last);
    v.is_whole = v.is_whole && text;
    found.push_back(v);
  }
  return found;
}

/* ---------------------------------------------------------------------- */

static bool is_letter(char c)
{
  return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string VariableFormula::next_word(const std::string &formula, size_t *k)
{
  const size_t begin = (*k)++;
  const bool is_number = isdigit(static_cast<unsigned char>(formula[begin])) != 0;
  if (is_letter(formula[begin]))
    while (*k < formula.size() && (is_letter(formula[*k]) || (is_number && formula[*k] == '.'))) ++*k;
  return formula.substr(begin, *k - begin);
}

bool VariableFormula::is_name(const std::string &word)
{
  return isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_';
}

std::vector<std::string> VariableFormula::arguments(const std::string &formula, size_t *k, char open, char close)
{
  if (*k >= formula.size() || formula[*k] != open) return {};
  const size_t end = formula.find(close, *k);
  if (end == std::string::npos) return {};
  std::vector<std::string> all = {""};
  for (size_t j = *k + 1; j < end; j++)
    if (formula[j] == ',')
      all.emplace_back();
    else if (formula[j] != ' ')
      all.back() += formula[j];
  *k = end + 1;
  return all;
}
