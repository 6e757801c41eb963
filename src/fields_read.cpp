/* Which fields of atoms LAMMPS's output and fixes read, through computes, variables and columns.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fields_read.h"

#include "compute_temp_gpu.h"
#include "resident_styles.h"
#include "step_program.h"

#include "fix.h"
#include "library.h"
#include "modify.h"

#include "dpdsop/resident.h"

using namespace LAMMPS_NS;
using namespace ResidentStyles;

static constexpr int WAY = DS_POSITION | DS_IMAGE;

/* ---------------------------------------------------------------------- */

FieldsRead::FieldsRead(LAMMPS *lmp, const StepProgram &program_in) :
    Pointers(lmp), program(program_in), variables(VariableFormula::all(lmp))
{
}

/* ----------------------------------------------------------------------
   Whether the values of a compute come from the engine's sums, so that it reads no
   atoms. A compute of this package that found no room in the program reads them
------------------------------------------------------------------------- */

bool FieldsRead::are_sums(const Compute *compute) const
{
  return among(PLAIN_COMPUTES, compute->style) || dynamic_cast<const StepPart *>(compute);
}

int FieldsRead::of_compute(const Compute *compute) const
{
  if (among(PLAIN_COMPUTES, compute->style) || program.has(compute)) return 0;
  if (dynamic_cast<const ComputeTempGPU *>(compute) && !compute->tempbias) return DS_VELOCITY;
  return among(VELOCITY_COMPUTES, compute->style) ? DS_VELOCITY : DS_ALL_FIELDS;
}

int FieldsRead::of_computes() const
{
  int fields = 0;
  for (const Compute *compute : modify->get_compute_list()) fields |= of_compute(compute);
  return fields;
}

/* ----------------------------------------------------------------------
   Fixes of the program have sums, and some fixes of LAMMPS return values that they have
   kept. Others may read atoms
------------------------------------------------------------------------- */

int FieldsRead::of_fix(const std::string &word) const
{
  const Fix *const fix = modify->get_fix_by_id(word.substr(2));
  return fix && (program.has(fix) || among(READERS_OF_GLOBALS, fix->style)) ? 0 : DS_ALL_FIELDS;
}

/* ----------------------------------------------------------------------
   Goes through the words of a formula. Numbers, keywords of the thermodynamic output and
   computes count nothing here. A function of a group may have a region as well
------------------------------------------------------------------------- */

int FieldsRead::of_formula(const std::string &formula, int depth) const
{
  static constexpr struct {
    const char *name;
    size_t arguments;
    int fields;
  } OF_GROUPS[] = {{"count", 1, 0}, {"mass", 1, 0}, {"charge", 1, 0}, {"ke", 1, DS_VELOCITY}, {"vcm", 2, DS_VELOCITY},
                   {"fcm", 2, DS_FORCE}, {"xcm", 2, WAY}, {"bound", 2, DS_POSITION}, {"gyration", 1, WAY}};
  int fields = 0;
  for (size_t k = 0; k < formula.size();) {
    const std::string word = VariableFormula::next_word(formula, &k);
    if (!VariableFormula::is_name(word)) continue;
    const std::string start = word.substr(0, 2);
    const char next = k < formula.size() ? formula[k] : ' ';
    if (word == "fmax" || word == "fnorm") fields |= DS_FORCE;
    if (start == "f_") fields |= of_fix(word);
    if (start == "v_") fields |= of_variable(word.substr(2), depth + 1);
    if (start == "d_" || start == "i_" || start == "d2" || start == "i2") return DS_ALL_FIELDS;
    if (next == '[' && start != "c_" && start != "v_" && start != "f_") return DS_ALL_FIELDS;    // a value of an atom
    if (next != '(' || among(PLAIN_FUNCTIONS, word.c_str())) continue;
    int of_function = DS_ALL_FIELDS;
    const size_t given = VariableFormula::arguments(formula, &k, '(', ')').size();
    for (const auto &known : OF_GROUPS)
      if (word == known.name) of_function = known.fields | (given > known.arguments ? DS_POSITION : 0);
    fields |= of_function;
  }
  return fields;
}

int FieldsRead::of_variable(const std::string &name, int depth) const
{
  static constexpr int MAX_NESTED = 16;
  if (depth > MAX_NESTED) return DS_ALL_FIELDS;
  for (const VariableFormula &v : variables)
    if (v.name == name && (v.style == "equal" || v.style == "vector"))
      return v.is_whole ? of_formula(v.text, depth) : DS_ALL_FIELDS;
  return 0;    // other styles of variables have no formula
}

int FieldsRead::of_variables() const
{
  int fields = 0;
  for (const VariableFormula &v : variables) fields |= of_variable(v.name, 0);
  return fields;
}

bool FieldsRead::has_python() const
{
  return std::any_of(variables.begin(), variables.end(), [](const VariableFormula &v) { return v.style == "python"; });
}

/* ----------------------------------------------------------------------
   The columns are taken from the line of keywords that LAMMPS has printed last, when it
   set up the run
------------------------------------------------------------------------- */

int FieldsRead::of_columns() const
{
  int fields = 0;
  const auto *n = static_cast<const int *>(lammps_last_thermo(lmp, "num", 0));
  if (!n) return DS_ALL_FIELDS;
  for (int k = 0; k < *n; k++) {
    const auto *const name = static_cast<const char *>(lammps_last_thermo(lmp, "keyword", k));
    if (!name) return DS_ALL_FIELDS;
    const std::string column = name, start = column.substr(0, 2);
    if (start == "f_")
      fields |= of_fix(column.substr(0, column.find('[')));
    else if (start == "v_")
      fields |= of_variable(column.substr(2, column.find('[') - 2), 0);
    else if (start != "c_" && !among(PLAIN_COLUMNS, name) && !among(VELOCITY_COLUMNS, name))
      fields |= DS_ALL_FIELDS;
  }
  return fields;
}
