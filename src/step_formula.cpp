/* The formula of an equal-style variable whose value follows from the engine's sums and the time.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_formula.h"

#include "compute_temp_gpu.h"
#include "resident_styles.h"
#include "variable_formula.h"

#include "force.h"
#include "group.h"
#include "library.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <cmath>
#include <cstdlib>

using namespace LAMMPS_NS;

static constexpr int MAX_NESTED = 16;    // levels of variables in variables

/* ---------------------------------------------------------------------- */

std::string StepFormula::read(const std::string &name, int depth)
{
  static constexpr const char *const TIMES[] = {"step", "time", "dt", "elapsed", "elaplong", "PI", "e"};
  static constexpr const char *const OF_GROUPS[] = {"mass", "vcm", "xcm", "ke", "count"};
  std::string formula, why;
  bool found = false;
  for (const VariableFormula &v : VariableFormula::all(lmp)) {
    if (v.name != name || v.style != "equal" || !v.is_whole) continue;
    formula = v.text;
    found = true;
  }
  if (depth > MAX_NESTED || !found) return fmt::format("variable {} is not of style equal, or very long", name);
  for (size_t k = 0; k < formula.size() && why.empty();) {
    const std::string word = VariableFormula::next_word(formula, &k);
    const bool has_arguments = k < formula.size() && formula[k] == '(';
    if (!VariableFormula::is_name(word) || ResidentStyles::among(TIMES, word.c_str()) ||
        (has_arguments && ResidentStyles::among(ResidentStyles::PLAIN_FUNCTIONS, word.c_str()))) {
      texts.back() += word;
    } else if (word.compare(0, 2, "v_") == 0) {
      texts.back() += "(";
      why = read(word.substr(2), depth + 1);
      texts.back() += ")";
    } else {
      std::string wrong = "is no sum";
      if (word.compare(0, 2, "c_") == 0)
        wrong = add_compute(word.substr(2), formula, &k);
      else if (has_arguments && ResidentStyles::among(OF_GROUPS, word.c_str()))
        wrong = add_function(word, formula, &k);
      else if (word == "temp")
        wrong = add_temperature();
      if (first.empty()) first = word;
      if (!wrong.empty()) why = fmt::format("variable {} depends on {}, which {}", name, word, wrong);
    }
  }
  return why;
}

/* ----------------------------------------------------------------------
   Adds a function of a group. Function count is none of them: LAMMPS has the masks, and
   counts itself
------------------------------------------------------------------------- */

std::string StepFormula::add_function(const std::string &word, const std::string &formula, size_t *k)
{
  const std::vector<std::string> words = VariableFormula::arguments(formula, k, '(', ')');
  const bool has_axis = word == "vcm" || word == "xcm";
  if (words.size() != (has_axis ? 2 : 1)) return "has other arguments than a group and an axis";
  const int igroup = group->find(words[0]);
  if (igroup < 0) return "is of no group";
  const int bits = group->bitmask[igroup];
  if (word == "count") {
    texts.back() += "count(" + words[0] + ")";
    return "";
  }
  const int axis = has_axis && words[1].size() == 1 ? words[1][0] - 'x' : 0;
  if (axis < 0 || axis > 2) return "has an axis other than x, y, z";
  if (word == "ke") {
    add(KE, sum_of(KINETIC, bits), -1, -1);
    return "";
  }
  const int mass = sum_of(CENTER, bits);
  if (word == "mass") add(MASS, mass, mass, -1);
  if (word == "xcm") add(XCM, mass, mass, axis);
  if (word == "vcm") add(VCM, sum_of(MOMENTUM, bits), mass, axis);
  return "";
}

/* ----------------------------------------------------------------------
   Adds a compute whose value is a sum of a single operation
------------------------------------------------------------------------- */

std::string StepFormula::add_compute(const std::string &id, const std::string &formula, size_t *k)
{
  Compute *const compute = modify->get_compute_by_id(id);
  auto *const part = dynamic_cast<StepPart *>(compute);
  if (!part || part->anchors()) return "is no sum of the engine";
  StepRecords r;
  part->declare(r, update->ntimestep);
  if (r.operations.size() != 1 || !r.binnings.empty()) return "is no sum of the engine";
  const std::vector<std::string> words = VariableFormula::arguments(formula, k, '[', ']');
  const int index = words.empty() ? -1 : atoi(words[0].c_str()) - 1;
  if (words.empty() ? !compute->scalar_flag : !compute->vector_flag || index < 0 || index >= compute->size_vector)
    return "has no such value";
  add(COMPUTE, sum_of(OF_COMPUTE, 0, id), -1, index);
  return "";
}

/* ----------------------------------------------------------------------
   Adds keyword temp. Its compute may have been replaced by thermo_modify temp
------------------------------------------------------------------------- */

std::string StepFormula::add_temperature()
{
  size_t k = 0;
  ComputeTempGPU::take_place_of_thermo_temp(lmp);
  int n = 0;
  for (const Compute *compute : modify->get_compute_list()) n += compute->tempflag;
  return n == 1 ? add_compute("thermo_temp", "", &k) : "may be one of several temperatures (c_ID tells which)";
}

void StepFormula::add(Function function, int sum, int mass, int index)
{
  texts.back() += "(";
  texts.emplace_back(")");
  terms.push_back({function, sum, mass, index});
}

int StepFormula::sum_of(Kind kind, int of_group, const std::string &compute)
{
  for (size_t k = 0; k < sums.size(); k++)
    if (sums[k].kind == kind && sums[k].group == of_group && sums[k].compute == compute) return static_cast<int>(k);
  sums.push_back({kind, of_group, compute, {}});
  return static_cast<int>(sums.size()) - 1;
}

/* ----------------------------------------------------------------------
   Each sum is followed by an operation that asks and does nothing else
------------------------------------------------------------------------- */

void StepFormula::declare(StepRecords &r, ds_point point, int every, const StepArrays::Units &units) const
{
  for (const Sum &sum : sums) {
    const int place = static_cast<int>(r.operations.size());
    if (sum.kind == CENTER)
      StepArrays::add_center(r, point, sum.group, units);
    else if (sum.kind == OF_COMPUTE) {
      dynamic_cast<StepPart *>(modify->get_compute_by_id(sum.compute))->declare(r, update->ntimestep);
      r.operations.back().point = point;
      r.operations.back().flags &= ~DS_LAST_STEP_ONLY;
    } else {
      ds_operation &o = r.add(sum.kind == KINETIC ? DS_SUM_KINETIC_TRACE : DS_SUM_MOMENTUM, point, sum.group);
      o.nsums = sum.kind == KINETIC ? 1 : 3;
      o.unit = sum.kind == KINETIC ? units.mvv : units.momentum;
    }
    r.operations.back().every = every;
    ds_operation &question = r.add(DS_CHANGE_BOX, point, 0);
    question.flags = DS_ASKS | DS_AFTER_SUMS;
    question.from = place;
    question.every = every;
  }
}

bool StepFormula::take(int place, const StepSums &of_engine)
{
  sums[place / 2].of_engine = of_engine;
  return place == size() - 1;
}

/* ----------------------------------------------------------------------
   The compute gets the sum for the moment only: it must not keep a value from the middle
   of a step
------------------------------------------------------------------------- */

double StepFormula::value_of_compute(const Sum &sum, int index) const
{
  Compute *const compute = modify->get_compute_by_id(sum.compute);
  auto *const part = dynamic_cast<StepPart *>(compute);
  const bigint scalar_of = compute->invoked_scalar, vector_of = compute->invoked_vector;
  const double scalar = compute->scalar;
  part->take_sums(update->ntimestep, {sum.of_engine});
  if (index >= 0) compute->compute_vector();
  const double value = index >= 0 ? compute->vector[index] : compute->compute_scalar();
  part->forget_sums();
  compute->scalar = scalar;
  compute->invoked_scalar = scalar_of;
  compute->invoked_vector = index >= 0 ? -1 : vector_of;
  return value;
}

/* ----------------------------------------------------------------------
   For a group without atoms LAMMPS's functions give 0
------------------------------------------------------------------------- */

double StepFormula::value_of(const Term &term, const StepArrays::Units &units) const
{
  const StepSums &sum = sums[term.sum].of_engine;
  if (term.function == COMPUTE) return value_of_compute(sums[term.sum], term.index);
  if (term.function == KE) return 0.5 * force->mvv2e * ds_exact_value(&sum[0], units.mvv);
  const double mass = ds_exact_value(&sums[term.mass].of_engine[3], units.mass);
  if (term.function == MASS) return mass;
  if (!(mass > 0.0)) return 0.0;
  return term.function == VCM ? ds_exact_value(&sum[term.index], units.momentum) / mass
                              : ds_exact_value(&sum[term.index], units.mass) / mass * units.length;
}

std::string StepFormula::evaluate(double *value, const StepArrays::Units &units) const
{
  std::string text = texts[0];
  for (size_t k = 0; k < terms.size(); k++) {
    const double of_term = value_of(terms[k], units);
    if (!std::isfinite(of_term)) return "a sum in its formula is no number";
    text += fmt::format("{:.17g}", of_term) + texts[k + 1];
  }
  *value = lammps_eval(lmp, text.c_str());
  if (!lammps_has_error(lmp)) return "";
  char said[1024] = "";
  lammps_get_last_error_message(lmp, said, sizeof said);
  return said;
}
