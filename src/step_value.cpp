/* A number in the arguments of a fix: a constant, or an equal-style variable.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_value.h"

#include "resident_styles.h"

#include "error.h"
#include "lammps.h"
#include "library.h"
#include "utils.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <set>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

StepValue::StepValue(LAMMPS *lmp, const std::string &user, const char *word,
                     const std::string &what) :
    number(0.0)
{
  if (strncmp(word, "v_", 2) == 0) {
    name = word + 2;
    init(lmp, user);
    return;
  }
  number = utils::numeric(FLERR, word, false, lmp);
  if (!std::isfinite(number))
    lmp->error->all(FLERR, "{}: {} {}, allowed: a finite number or v_name", user, what, word);
}

void StepValue::init(LAMMPS *lmp, const std::string &user)
{
  if (is_constant()) return;
  if (!lammps_has_id(lmp, "variable", name.c_str()))
    lmp->error->all(FLERR, "{}: variable {} does not exist, allowed: an equal-style variable", user,
                    name);
  if (lammps_extract_variable_datatype(lmp, name.c_str()) != LMP_VAR_EQUAL)
    lmp->error->all(FLERR,
                    "{}: variable {} is not of style equal, allowed: an equal-style variable; "
                    "LAMMPS's own fix takes others (suffix off)",
                    user, name);
}

/* ----------------------------------------------------------------------
   by LAMMPS's library: not all versions install the header of their variables
------------------------------------------------------------------------- */

double StepValue::now(LAMMPS *lmp) const
{
  if (is_constant()) return number;
  auto *const value = static_cast<double *>(lammps_extract_variable(lmp, name.c_str(), nullptr));
  if (!value) {
    char text[1024] = "";
    lammps_get_last_error_message(lmp, text, sizeof text);
    const char *const said = strstr(text, "Variable ");
    lmp->error->all(FLERR, "{}", said ? said : fmt::format("Variable {} has no value", name));
  }
  const double found = *value;
  lammps_free(value);
  return found;
}

/* ----------------------------------------------------------------------
   the formula of a variable, as LAMMPS's library tells it
------------------------------------------------------------------------- */

static bool formula_of(void *lmp, const std::string &name, std::string *formula)
{
  char info[2048];
  for (int k = 0; lammps_variable_info(lmp, k, info, sizeof info); k++) {
    info[sizeof info - 1] = '\0';
    info[strcspn(info, "\n")] = '\0';
    const char *const said = strstr(info, (": " + name + ",").c_str());
    const char *const text = strstr(info, " def = ");
    if (!said || !strstr(info, " style = equal,")) continue;
    if (!text || strlen(info) + 1 >= sizeof info) return false;
    *formula = text + strlen(" def = ");
    const size_t last = formula->find_last_of(' ');    // behind it stands the last value
    if (last != std::string::npos) formula->erase(last);
    return true;
  }
  return false;
}

static bool is_of_time(const std::string &word)
{
  static const std::set<std::string> words = {"step", "time", "dt", "elapsed", "elaplong", "PI", "e"};
  return words.count(word) > 0;
}

static std::string why_not_of_time(void *lmp, const std::string &name, int depth)
{
  std::string formula;
  if (depth > 16 || !formula_of(lmp, name, &formula))
    return fmt::format("variable {} is not of style equal", name);
  for (size_t k = 0, end; k < formula.size(); k = end) {
    end = k + 1;
    const auto is_letter = [&formula](size_t i) {
      return i < formula.size() && (isalnum(static_cast<unsigned char>(formula[i])) || formula[i] == '_');
    };
    if (!isalpha(static_cast<unsigned char>(formula[k]))) {
      if (isdigit(static_cast<unsigned char>(formula[k])))    // 1.0e-3 is no word
        while (end < formula.size() && (is_letter(end) || formula[end] == '.')) end++;
      continue;
    }
    while (is_letter(end)) end++;
    const std::string word = formula.substr(k, end - k);
    if (word.compare(0, 2, "v_") == 0) {
      const std::string why = why_not_of_time(lmp, word.substr(2), depth + 1);
      if (!why.empty()) return why;
    } else if (!is_of_time(word) && !ResidentStyles::among(ResidentStyles::PLAIN_FUNCTIONS, word.c_str()))
      return fmt::format("variable {} depends on {}", name, word);
  }
  return "";
}

std::string StepValue::why_not_ahead(LAMMPS *lmp) const
{
  return is_constant() ? "" : why_not_of_time(lmp, name, 0);
}
