/* What all styles of a run declare, joined to one program for the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_program.h"

#include "box_shape.h"
#include "step_arrays.h"

#include "atom.h"
#include "compute.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "update.h"

#include "dpdsop/device/step/bins.h"
#include "dpdsop/resident.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   What LAMMPS's fix nve does
------------------------------------------------------------------------- */

namespace {
class PartOfNVE : public StepPart, protected Pointers {
 public:
  PartOfNVE(LAMMPS *lmp, int group_in) : Pointers(lmp), group(group_in) {}

  void declare(StepRecords &r, bigint) override
  {
    for (const bool first : {false, true}) {
      ds_operation &o = first ? r.add(DS_NVE_INITIAL, DS_AT_INITIAL, group)
                              : r.add(DS_NVE_FINAL, DS_AT_FINAL, group);
      o.number[0] = update->dt;
      o.number[1] = 0.5 * update->dt * force->ftm2v;
    }
  }

  void take_sums(bigint, const std::vector<StepSums> &) override {}

 private:
  int group;
};
}    // namespace

/* ---------------------------------------------------------------------- */

StepProgram::StepProgram(LAMMPS *lmp) : Pointers(lmp), program(), sums(false), begun(0) {}

StepProgram::~StepProgram() = default;

void StepProgram::clear()
{
  parts.clear();
  known.clear();
  program = {};
  sums = false;
}

/* ----------------------------------------------------------------------
   With atom_modify first, LAMMPS's fix nve may move only a part of its group. It is then
   left to LAMMPS
------------------------------------------------------------------------- */

bool StepProgram::add(Fix *fix, std::string *why)
{
  StepPart *part = dynamic_cast<StepPart *>(fix);
  if (!part && strcmp(fix->style, "nve") == 0 && atom->firstgroup < 0) {
    known.emplace_back(new PartOfNVE(lmp, fix->groupbit));
    part = known.back().get();
  }
  return part && add(fix, part, why);
}

bool StepProgram::add(Compute *compute)
{
  std::string ignored;
  StepPart *const part = dynamic_cast<StepPart *>(compute);
  return part && add(compute, part, &ignored);
}

bool StepProgram::add(const void *style, StepPart *part, std::string *why)
{
  *why = part->why_not_declared();
  if (part->bodies() && bodies()) *why = "there are rigid bodies of another fix";
  if (!why->empty()) return false;
  parts.push_back({style, part, {}, -1});
  if (fill(update->ntimestep)) return true;
  *why = fmt::format("there are more than {} operations, {} regions, {} arrays of anchors or {} kinds of bins",
                     int(DS_MAX_OPERATIONS), int(DS_MAX_REGIONS), int(DS_MAX_ANCHORS), int(DS_MAX_BINNINGS));
  parts.pop_back();
  fill(update->ntimestep);
  return false;
}

/* ----------------------------------------------------------------------
   Makes the program. Operations are sorted by points; those of one point stay in the
   order of the styles
------------------------------------------------------------------------- */

bool StepProgram::fill(bigint step)
{
  std::vector<ds_operation> all;
  std::vector<ds_region> regions;
  std::vector<ds_binning> binnings;
  int anchors = 0;
  for (Member &m : parts) {
    const StepRecords r = m.part->records(step);
    const int anchor = m.part->anchors() ? anchors++ : 0;
    const int first = static_cast<int>(all.size()), first_region = static_cast<int>(regions.size());
    m.binning = r.binnings.empty() ? -1 : static_cast<int>(binnings.size());
    binnings.insert(binnings.end(), r.binnings.begin(), r.binnings.end());
    m.places.resize(r.operations.size());
    std::iota(m.places.begin(), m.places.end(), first);
    for (ds_operation o : r.operations) {
      if (o.from >= 0) o.from += first;
      if (o.also >= 0) o.also += first;
      if (o.region >= 0) o.region += first_region;
      o.anchor = anchor;
      if (o.kind == DS_ADD_TO_BINS) o.number[0] += m.binning;
      all.push_back(o);
    }
    for (ds_region region : r.regions) {
      region.first += first_region;
      regions.push_back(region);
    }
  }
  if (all.size() > DS_MAX_OPERATIONS || regions.size() > DS_MAX_REGIONS || anchors > DS_MAX_ANCHORS ||
      binnings.size() > DS_MAX_BINNINGS)
    return false;

  std::vector<int> order(all.size()), place(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&all](int i, int j) { return all[i].point < all[j].point; });
  for (size_t k = 0; k < order.size(); k++) place[order[k]] = static_cast<int>(k);
  program = {};
  sums = false;
  program.n = static_cast<int>(all.size());
  StepArrays::flow_of(lmp, program.flow);
  program.nregions = static_cast<int>(regions.size());
  std::copy(regions.begin(), regions.end(), program.region);
  program.nbinnings = static_cast<int>(binnings.size());
  std::copy(binnings.begin(), binnings.end(), program.binning);
  for (size_t k = 0; k < all.size(); k++) {
    ds_operation &o = program.operation[place[k]];
    o = all[k];
    if (o.from >= 0) o.from = place[o.from];
    if (o.also >= 0) o.also = place[o.also];
    sums = sums || o.nsums > 0;
  }
  for (Member &m : parts)
    for (int &k : m.places) k = place[k];
  return true;
}

/* ----------------------------------------------------------------------
   If the engine goes on by itself, operations from DS_AT_INITIAL on belong to the next
   step, and have its numbers
------------------------------------------------------------------------- */

const ds_step_program &StepProgram::of_step(bigint step, bigint of_initial)
{
  fill(step);
  for (const Member &m : parts)
    if (of_initial != step && m.part->changes_in_run()) renew_initial(m, of_initial, program);
  return program;
}

/* ---------------------------------------------------------------------- */

bool StepProgram::has_style(const void *style) const
{
  return std::any_of(parts.begin(), parts.end(), [style](const Member &m) { return m.style == style; });
}

bool StepProgram::has(const Fix *fix) const
{
  return has_style(fix);
}

bool StepProgram::has(const Compute *compute) const
{
  return has_style(compute);
}

bool StepProgram::changes_in_run() const
{
  return std::any_of(parts.begin(), parts.end(),
                     [](const Member &m) { return m.part->changes_in_run(); });
}

bool StepProgram::asks() const
{
  return std::any_of(parts.begin(), parts.end(), [](const Member &m) { return m.part->asks(); });
}

bool StepProgram::changes_box() const
{
  return std::any_of(parts.begin(), parts.end(), [](const Member &m) { return m.part->changes_box(); });
}

bool StepProgram::changes_box_at_end() const
{
  return std::any_of(parts.begin(), parts.end(), [this](const Member &m) {
    return m.part->changes_box() && std::any_of(m.places.begin(), m.places.end(), [this](int k) {
      return program.operation[k].point == DS_AT_END && (program.operation[k].flags & DS_ASKS);
    });
  });
}

int StepProgram::reads_virial() const
{
  int of_all = 0;
  for (const Member &m : parts) {
    const int of_one = m.part->reads_virial();
    if (of_one == DS_VIRIAL_WHOLE) return of_one;
    if (of_one) of_all = of_one;
  }
  return of_all;
}

void StepProgram::take_bonded(bigint step, const ds_bonded_sums &sums) const
{
  for (const Member &m : parts) m.part->take_bonded(step, sums);
}

bool StepProgram::has_bonded(bigint step) const
{
  return std::all_of(parts.begin(), parts.end(), [step](const Member &m) { return m.part->has_bonded(step); });
}

void StepProgram::flip_box(int flips[3]) const
{
  for (const Member &m : parts)
    if (m.part->flip_box(flips)) return;
}

bigint StepProgram::box_lasts(bigint step, bigint last, double margin) const
{
  for (const Member &m : parts)
    if (m.part->changes_box()) last = m.part->box_lasts(step, last, margin);
  return last;
}

/* ----------------------------------------------------------------------
   Numbers are renewed for one style only, because the engine waits for it in the middle of
   a step
------------------------------------------------------------------------- */

void StepProgram::renew_numbers(const Member &m, bigint step, ds_step_program &to, ds_point from) const
{
  const auto acts = [&](int place) { return to.operation[place].point >= from; };
  if (std::none_of(m.places.begin(), m.places.end(), acts)) return;
  const StepRecords r = m.part->records(step);
  for (size_t k = 0; k < m.places.size(); k++) {
    if (!acts(m.places[k])) continue;
    double *const number = to.operation[m.places[k]].number;
    std::copy_n(r.operations[k].number, DS_OPERATION_NUMBERS, number);
    if (r.operations[k].kind == DS_ADD_TO_BINS) number[0] += m.binning;
  }
  if (m.binning >= 0) to.binning[m.binning] = r.binnings[0];
}

void StepProgram::renew_initial(const Member &m, bigint step, ds_step_program &to) const
{
  const bigint now = update->ntimestep;
  update->ntimestep = step;    // variables are evaluated in it
  renew_numbers(m, step, to, DS_AT_INITIAL);
  update->ntimestep = now;
}

void StepProgram::renew_bins(bigint step, ds_step_program &to) const
{
  for (const Member &m : parts)
    if (m.binning >= 0) renew_numbers(m, step, to);
}

const StepProgram::Member *StepProgram::asker(const ds_question &question) const
{
  for (const Member &m : parts)
    if (std::find(m.places.begin(), m.places.end(), question.operation) != m.places.end()) return &m;
  return nullptr;
}

/* ----------------------------------------------------------------------
   If the answer changes the box, the flow of the box is renewed as well, and all numbers
   that may depend on the box
------------------------------------------------------------------------- */

std::string StepProgram::answer(const ds_question &question)
{
  const Member *const m = asker(question);
  if (!m) return fmt::format("operation {} asks, and is nobody's", question.operation);
  StepSums sums;
  if (question.sums) std::copy_n(question.sums, DS_OPERATION_SUMS, sums.begin());
  const auto place = std::find(m->places.begin(), m->places.end(), question.operation);
  const int k = static_cast<int>(place - m->places.begin());
  const BoxShape before = BoxShape::of(domain);
  const std::string wrong = m->part->answer_of(question.step, k, question.sums ? &sums : nullptr);
  renew_numbers(*m, question.step, *question.program);
  if (BoxShape::of(domain) == before) return wrong;
  renew_bins(question.step, *question.program);
  StepArrays::flow_of(lmp, question.program->flow);
  const bool ends_step = question.program->operation[question.operation].point < DS_AT_INITIAL;
  for (const Member &other : parts) {
    if (&other == m || !other.part->changes_in_run()) continue;
    renew_numbers(other, question.step, *question.program);
    if (ends_step) renew_initial(other, question.step + 1, *question.program);
  }
  return wrong;
}

int StepProgram::begin(ds_point point) const
{
  return ds_first_operation(&program, point);
}

StepProgram::Range StepProgram::of(const Fix *fix, ds_point point) const
{
  Range range = {program.n, 0};
  for (const Member &m : parts)
    for (const int k : m.places)
      if (m.style == fix && program.operation[k].point == point)
        range = {std::min(range.first, k), std::max(range.end, k + 1)};
  return range.first < range.end ? range : Range{0, 0};
}

int StepProgram::writes(int first, int end) const
{
  int fields = 0;
  for (int k = first; k < end; k++)
    fields |= ds_operation_writes(static_cast<ds_operation_kind>(program.operation[k].kind));
  return fields;
}

std::vector<ds_body> *StepProgram::bodies() const
{
  for (const Member &m : parts)
    if (std::vector<ds_body> *const found = m.part->bodies()) return found;
  return nullptr;
}

int *StepProgram::bodies_of_atoms() const
{
  for (const Member &m : parts)
    if (m.part->bodies()) return m.part->bodies_of_atoms();
  return nullptr;
}

bool StepProgram::reads_molecules() const
{
  return std::any_of(parts.begin(), parts.end(), [](const Member &m) { return m.part->reads_molecules(); });
}

std::vector<double **> StepProgram::anchors() const
{
  std::vector<double **> all;
  for (const Member &m : parts)
    if (double **const rows = m.part->anchors()) all.push_back(rows);
  return all;
}

/* ---------------------------------------------------------------------- */

bool StepProgram::acts_at_end() const
{
  return std::any_of(program.operation + begin(DS_AT_END), program.operation + begin(DS_AT_SUMS),
                     [](const ds_operation &o) { return o.kind != DS_ADD_TO_BINS; });
}

void StepProgram::look_at_atoms(bigint step, ResidentAtoms &atoms, int changed)
{
  for (const Member &m : parts)
    if (m.part->is_to_look(step) && (m.part->fields_looked_at() & changed)) m.part->look_at_atoms(atoms);
}

bigint StepProgram::next_reading(bigint step) const
{
  bigint next = MAXBIGINT;    // NOT_KNOWN is less than any step
  for (const Member &m : parts) next = std::min(next, m.part->next_reading(step));
  return next;
}

std::vector<StepProgram::Bins> StepProgram::bins() const
{
  std::vector<Bins> all;
  for (const Member &m : parts)
    if (m.binning >= 0) all.push_back({m.part, m.binning, StepArrays::cells_of(program.binning[m.binning])});
  return all;
}

int StepProgram::tallies(bigint step) const
{
  return ds_step_tallies(&program, step);
}

bool StepProgram::bins_are_due(bigint step) const
{
  return std::any_of(program.operation, program.operation + program.n, [this, step](const ds_operation &o) {
    return o.kind == DS_ADD_TO_BINS && step % o.every == 0 &&
        ds_bins_are_due(&program.binning[static_cast<int>(o.number[0])], step);
  });
}

bigint StepProgram::next_look(bigint step) const
{
  bigint next = MAXBIGINT;
  for (const Member &m : parts) next = std::min(next, m.part->next_look(step));
  return next;
}

bool StepProgram::looks(const Bins &b, bigint step)
{
  return b.part->next_look(step - 1) == step;
}

bool StepProgram::adds_up() const
{
  return std::any_of(program.operation, program.operation + program.n,
                     [](const ds_operation &o) { return (o.flags & DS_ADDS_UP) != 0; });
}

bool StepProgram::keeps_forces() const
{
  return std::any_of(parts.begin(), parts.end(), [](const Member &m) { return m.part->keeps_forces(); });
}

void StepProgram::begin_sums(bigint step)
{
  begun = step;
  for (const Member &m : parts) m.part->save_sums();
}

/* ----------------------------------------------------------------------
   A style whose operations have acted last in the set-up of the run, on LAMMPS's arrays,
   already has their sums
------------------------------------------------------------------------- */

bool StepProgram::has_acted(const Member &m, bigint step) const
{
  return std::all_of(m.places.begin(), m.places.end(), [this, step](int k) {
    return step - step % program.operation[k].every > begun;
  });
}

void StepProgram::give_sums(bigint step, const ds_exact_sum *all)
{
  for (const Member &m : parts) {
    if (!has_acted(m, step)) continue;
    std::vector<StepSums> own(m.places.size());
    for (size_t k = 0; k < own.size(); k++)
      std::copy_n(all + m.places[k] * DS_OPERATION_SUMS, DS_OPERATION_SUMS, own[k].begin());
    m.part->take_sums(step, own);
  }
}

void StepProgram::tell_atoms(int vflag)
{
  for (const Member &m : parts) m.part->tell_atoms(vflag);
}

void StepProgram::forget_sums()
{
  for (const Member &m : parts) m.part->forget_sums();
}
