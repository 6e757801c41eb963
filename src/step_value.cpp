/* A number in the arguments of a fix: a constant, or an equal-style variable.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_value.h"

#include "error.h"
#include "lammps.h"
#include "library.h"
#include "utils.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

StepValue::StepValue(LAMMPS *lmp, const std::string &user, const char *word,
                     const std::string &what) :
    number(0.0)
{
  if (strncmp(word, "v_", 2) == 0) {
    name = word + 2;
    number = 1.0;    // until it is evaluated
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
  formula = std::make_unique<StepFormula>(lmp);
  why_not = formula->read(name);
}

/* ----------------------------------------------------------------------
   LAMMPS's library evaluates the variable, as not all versions install the header of
   class Variable
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

/* ---------------------------------------------------------------------- */

bool StepValue::is_asked() const
{
  return formula && why_not.empty() && !formula->is_of_time();
}

std::string StepValue::why_not_ahead() const
{
  if (!is_asked()) return why_not;
  return fmt::format("variable {} depends on {}", name, formula->first_sum());
}

int StepValue::take_answer(int place, const StepSums &sums, const StepArrays::Units &units, std::string *wrong)
{
  if (place < formula->size() && formula->take(place, sums)) {
    *wrong = formula->evaluate(&number, units);
    if (!wrong->empty()) *wrong = fmt::format("variable {}: {}", name, *wrong);
  }
  return formula->size();
}
