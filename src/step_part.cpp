/* How a style says what it does in a step: its operations, and those of its questions before them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_part.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

static constexpr int ENOUGH = 12;    // for nearly all styles: numbers of a barostat are declared anew in each step

ds_operation &StepRecords::add(ds_operation_kind kind, ds_point point, int group)
{
  ds_operation o = {};
  o.kind = kind;
  o.point = point;
  o.group = group;
  o.region = o.from = o.also = -1;
  o.every = 1;
  o.unit = 1.0;
  if (operations.empty()) operations.reserve(ENOUGH);
  operations.push_back(o);
  return operations.back();
}

/* ---------------------------------------------------------------------- */

StepRecords StepPart::records(bigint step)
{
  StepRecords own, questions;
  declare(own, step);
  if (!own.operations.empty()) {
    const ds_operation &first = own.operations[0];
    declare_questions(questions, static_cast<ds_point>(first.point), first.every);
  }
  nquestions = static_cast<int>(questions.operations.size());
  if (nquestions == 0) return own;
  for (ds_operation &o : own.operations) {
    if (o.from >= 0) o.from += nquestions;
    if (o.also >= 0) o.also += nquestions;
  }
  own.operations.insert(own.operations.begin(), questions.operations.begin(), questions.operations.end());
  return own;
}

std::string StepPart::answer_of(bigint step, int operation, const StepSums *sums)
{
  if (operation < nquestions) return take_answer(operation, *sums);
  return answer(step, operation - nquestions, sums);
}
