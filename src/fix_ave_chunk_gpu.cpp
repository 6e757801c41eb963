/* Averages of atoms in bins: LAMMPS's fix ave/chunk, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_ave_chunk_gpu.h"

#include "compute_chunk_atom_gpu.h"
#include "compute_stress_atom_gpu.h"
#include "compute_temp_gpu.h"

#include "comm.h"
#include "domain.h"
#include "error.h"
#include "group.h"
#include "memory.h"
#include "modify.h"
#include "steps_ahead.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The ID in c_ID or c_ID[k]
------------------------------------------------------------------------- */

static std::string id_in(const std::string &word)
{
  if (word.compare(0, 2, "c_") != 0) return "";
  return word.substr(2, word.find('[') == std::string::npos ? std::string::npos : word.find('[') - 2);
}

static ComputeStressAtomGPU *find_values(LAMMPS *lmp, const std::string &id)
{
  return id.empty() ? nullptr : dynamic_cast<ComputeStressAtomGPU *>(lmp->modify->get_compute_by_id(id));
}

static std::vector<std::string> expand(LAMMPS *lmp, char *word)
{
  char **words;
  const int n = utils::expand_args(FLERR, 1, &word, 1, words, lmp);
  std::vector<std::string> all(words, words + n);
  if (words == &word) return all;
  for (int k = 0; k < n; k++) delete[] words[k];
  lmp->memory->sfree(words);
  return all;
}

static bool is_known(LAMMPS *lmp, const char *word)
{
  return ChunkAverages::is_value(word) || find_values(lmp, id_in(word));
}

/* ----------------------------------------------------------------------
   Whether printf() takes one number by this format, and nothing else
------------------------------------------------------------------------- */

static bool prints_one_number(const std::string &format)
{
  int numbers = 0;
  for (size_t k = format.find('%'); k != std::string::npos; k = format.find('%', k + 1)) {
    k = format.find_first_not_of("-+ #0123456789.", k + 1);
    if (k == std::string::npos || !strchr("%aAeEfFgG", format[k])) return false;
    numbers += format[k] != '%';
  }
  return numbers == 1;
}

/* ----------------------------------------------------------------------
   Whether this fix or LAMMPS's own is made
------------------------------------------------------------------------- */

static std::string why_not_values(LAMMPS *lmp, int narg, char **arg)
{
  std::vector<std::string> words, ids;
  for (int k = 0; k < narg && is_known(lmp, arg[k]); k++) {
    const std::string id = id_in(arg[k]);
    const std::vector<std::string> of_arg = id.empty() ? std::vector<std::string>{arg[k]} : expand(lmp, arg[k]);
    words.insert(words.end(), of_arg.begin(), of_arg.end());
    if (id.empty() || std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    ids.push_back(id);
    const std::string why = find_values(lmp, id)->why_not();
    if (!why.empty()) return fmt::format("of compute {}: {}", id, why);
  }
  if (ids.size() > DS_BIN_SOURCES) return fmt::format("there are values of more than {} computes", int(DS_BIN_SOURCES));
  if (words.size() >= DS_BIN_VALUES) return fmt::format("there are more than {} values", DS_BIN_VALUES - 1);
  return "";
}

static std::string why_lammps_averages(LAMMPS *lmp, int narg, char **arg)
{
  static constexpr int CHUNKS = 6;
  if (narg <= CHUNKS) return "";
  const Compute *const given = lmp->modify->get_compute_by_id(arg[CHUNKS]);
  const ComputeChunkAtomGPU *const ours = ComputeChunkAtomGPU::find(lmp, arg[CHUNKS]);
  if (given && !ours) return fmt::format("compute {} is of style {}", given->id, given->style);
  if (ours && !ours->get_bins().why_not().empty())
    return fmt::format("of compute {}: {}", ours->id, ours->get_bins().why_not());
  int k = CHUNKS + 1;
  const std::string why = why_not_values(lmp, narg - k, arg + k);
  if (!why.empty()) return why;
  while (k < narg && is_known(lmp, arg[k])) k++;
  if (k < narg && (strncmp(arg[k], "c_", 2) == 0 || strncmp(arg[k], "f_", 2) == 0 || strncmp(arg[k], "v_", 2) == 0))
    return fmt::format("the value {} is LAMMPS's", arg[k]);
  for (; k + 1 < narg; k++) {
    const Compute *const bias = strcmp(arg[k], "bias") == 0 ? lmp->modify->get_compute_by_id(arg[k + 1]) : nullptr;
    if (bias && !dynamic_cast<const ComputeTempGPU *>(bias))
      return fmt::format("compute {} is of style {}", bias->id, bias->style);
  }
  return "";
}

Fix *FixAveChunkGPU::create(LAMMPS *lmp, int narg, char **arg)
{
  const std::string why = why_lammps_averages(lmp, narg, arg);
  if (why.empty()) return new FixAveChunkGPU(lmp, narg, arg);
  if (lmp->comm->me == 0)
    utils::logmesg(lmp, "Fix {}: fix {} is LAMMPS's own ave/chunk, as {}\n", arg[2], arg[0], why);
  return (*lmp->modify->fix_map)["ave/chunk"](lmp, narg, arg);
}

/* ----------------------------------------------------------------------
   arguments
------------------------------------------------------------------------- */

static ChunkBins bins_of(LAMMPS *lmp, int narg, char **arg)
{
  const std::string user = fmt::format("Fix {}", arg[2]);
  if (narg < 8) lmp->error->all(FLERR, "{}: {} arguments, allowed: Nevery Nrepeat Nfreq chunkID and values", user, narg - 3);
  const ComputeChunkAtomGPU *const found = ComputeChunkAtomGPU::find(lmp, arg[6]);
  if (!found) lmp->error->all(FLERR, "{}: compute {} does not exist, allowed: the ID of a compute chunk/atom", user, arg[6]);
  // compiled into LAMMPS, this fix cannot leave its place to LAMMPS's own
  const std::string why = why_lammps_averages(lmp, narg, arg);
  if (!why.empty())
    lmp->error->all(FLERR, "{}: {}, allowed: what the engine has; LAMMPS's fix ave/chunk has the rest", user, why);
  return found->get_bins();
}

FixAveChunkGPU::FixAveChunkGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), nrepeat(0), nfreq(0), bias(lmp, user), averages(lmp), bins(bins_of(lmp, narg, arg)), begin(0),
    next(0), by_engine(false), keeps_bins(false), acted(-1)
{
  id_chunks = arg[6];
  read_periods(arg);
  read_keywords(read_values(narg, arg), narg, arg);
  if (!bins.region().empty()) take_region(bins.region().c_str());
  averages.repeat = nrepeat;
  global_freq = nfreq;
  no_change_box = time_depend = 1;
  dynamic_group_allow = 0;    // as in LAMMPS's fix. The group of the chunks may be dynamic
  array_flag = size_array_rows_variable = 1;
  extarray = 0;
  size_array_rows = 1;
  size_array_cols = bins.ncoord() + 1 + static_cast<int>(averages.size());
  begin = next = first_epoch();
}

void FixAveChunkGPU::read_periods(char **arg)
{
  static constexpr const char *NAMES[] = {"Nevery", "Nrepeat", "Nfreq"};
  int *const to[] = {&nevery, &nrepeat, &nfreq};
  for (int k = 0; k < 3; k++) {
    *to[k] = utils::inumeric(FLERR, arg[3 + k], false, lmp);
    if (*to[k] < 1) refuse(fmt::format("{} {}", NAMES[k], arg[3 + k]), "1 and more");
  }
  if (nfreq % nevery || static_cast<bigint>(nrepeat) * nevery > nfreq)
    refuse(fmt::format("Nevery {}, Nrepeat {}, Nfreq {}", nevery, nrepeat, nfreq),
           "Nfreq a multiple of Nevery, and not below Nrepeat times Nevery");
}

/* ----------------------------------------------------------------------
   An energy has no index. The index of a stress is that of a component
------------------------------------------------------------------------- */

void FixAveChunkGPU::read_value_of_compute(const std::string &word)
{
  const std::string id = id_in(word);
  const ComputeStressAtomGPU *const compute = find_values(lmp, id);
  const bool has_index = word.size() > id.size() + 2;
  if (compute->size_peratom_cols == 0) {
    if (has_index) refuse(fmt::format("value {}", word), fmt::format("c_{}", id));
    averages.add(word, id, 0);
    return;
  }
  const std::string allowed = fmt::format("c_{0}[1] to c_{0}[{1}]", id, compute->components());
  const size_t end = word.find(']');
  if (!has_index || end + 1 != word.size()) refuse(fmt::format("value {}", word), allowed);
  const std::string index = word.substr(id.size() + 3, end - id.size() - 3);
  const int k = utils::is_integer(index) ? utils::inumeric(FLERR, index, false, lmp) : 0;
  if (k < 1 || k > compute->components()) refuse(fmt::format("value {}", word), allowed);
  averages.add(word, id, k - 1);
}

int FixAveChunkGPU::read_values(int narg, char **arg)
{
  int k = 7;
  for (; k < narg && is_known(lmp, arg[k]); k++) {
    if (ChunkAverages::is_value(arg[k])) {
      averages.add(arg[k]);
      continue;
    }
    for (const std::string &word : expand(lmp, arg[k])) read_value_of_compute(word);
  }
  if (averages.size() == 0)
    refuse(fmt::format("value {}", arg[k]), "vx, vy, vz, fx, fy, fz, density/number, density/mass, mass, temp, c_ID, c_ID[k]");
  return k;
}

void FixAveChunkGPU::read_file(const char *name, const char *mode)
{
  int failed = comm->me == 0 && !averages.open(name, mode) ? 1 : 0;
  const std::string why = failed ? utils::getsyserror() : "";
  MPI_Bcast(&failed, 1, MPI_INT, 0, world);
  if (failed) error->all(FLERR, "{}: file {} cannot be opened: {}, allowed: one that can be written", user, name, why);
}

void FixAveChunkGPU::read_keywords(int k, int narg, char **arg)
{
  std::string title[3];
  for (; k < narg; k++) {
    const std::string word = arg[k];
    if (word == "overwrite") {
      averages.overwrites = true;
      continue;
    }
    const bool is_title = word == "title1" || word == "title2" || word == "title3";
    if (!is_title && word != "norm" && word != "ave" && word != "bias" && word != "adof" && word != "cdof" && word != "file" &&
        word != "append" && word != "format")
      refuse(fmt::format("keyword {}", word),
             "norm, ave, bias, adof, cdof, file, append, overwrite, format, title1, title2, title3");
    const std::string value = FixStep::next(k, narg, arg);
    if (is_title) title[word[5] - '1'] = value;
    if (word == "norm") {
      if (value != "all" && value != "sample" && value != "none") refuse("norm " + value, "all, sample, none");
      averages.norm = value == "all" ? ChunkAverages::ALL : value == "sample" ? ChunkAverages::SAMPLE : ChunkAverages::NONE;
    } else if (word == "ave") {
      if (value != "one" && value != "running" && value != "window") refuse("ave " + value, "one, running, window M");
      averages.ave = value == "one" ? ChunkAverages::ONE : value == "running" ? ChunkAverages::RUNNING : ChunkAverages::WINDOW;
      if (value != "window") continue;
      averages.window = utils::inumeric(FLERR, FixStep::next(k, narg, arg), false, lmp);
      if (averages.window < 1) refuse(fmt::format("ave window {}", averages.window), "1 and more");
    } else if (word == "bias") {
      bias.name(value.c_str(), igroup);
      if (!bias.compute()->tempbias) refuse(fmt::format("bias {} without a bias", value), "a temperature with one");
    } else if (word == "adof") {
      averages.adof = number(value.c_str(), "adof");
    } else if (word == "cdof") {
      averages.cdof = number(value.c_str(), "cdof");
    } else if (word == "format") {
      if (!prints_one_number(value)) refuse(fmt::format("format {}", value), "a format of one number, such as %g or %.15e");
      averages.format = value;
    } else if (word == "file" || word == "append")
      read_file(value.c_str(), word == "file" ? "w" : "a");
  }
  if (averages.overwrites && averages.ave != ChunkAverages::RUNNING) refuse("overwrite", "overwrite with ave running");
  averages.write_titles(title, id, group->names[igroup], bins.ncoord());
}

/* ----------------------------------------------------------------------
   samples
------------------------------------------------------------------------- */

bool FixAveChunkGPU::is_sample(bigint step) const
{
  return step >= begin && step % nevery == 0 && left_of_epoch(step) <= static_cast<bigint>(nrepeat - 1) * nevery;
}

bool FixAveChunkGPU::is_first_sample(bigint step) const
{
  return left_of_epoch(step) == static_cast<bigint>(nrepeat - 1) * nevery;
}

bigint FixAveChunkGPU::first_sample(bigint step) const
{
  const bigint length = static_cast<bigint>(nrepeat - 1) * nevery;
  bigint sample = next_multiple(step, nevery);
  if (left_of_epoch(sample) > length) sample += left_of_epoch(sample) - length;
  return std::max(sample, begin);
}

/* ----------------------------------------------------------------------
   The first sample of the first epoch that is not yet under way
------------------------------------------------------------------------- */

bigint FixAveChunkGPU::first_epoch() const
{
  const bigint now = update->ntimestep, length = static_cast<bigint>(nrepeat - 1) * nevery;
  const bigint end = now + left_of_epoch(now);
  return end - length >= now ? end - length : end - length + nfreq;
}

bigint FixAveChunkGPU::period_of_looks() const
{
  return averages.norm == ChunkAverages::ALL ? nfreq : nevery;
}

/* ----------------------------------------------------------------------
   Whether bins change with the box, from epoch to epoch
------------------------------------------------------------------------- */

bool FixAveChunkGPU::bins_may_change() const
{
  return domain->box_change && !chunks()->get_bins().are_set_up_once();
}

bigint FixAveChunkGPU::next_look(bigint step) const
{
  const bigint sample = first_sample(step);
  if (averages.norm != ChunkAverages::ALL || (bins_may_change() && is_first_sample(sample))) return sample;
  return sample + left_of_epoch(sample);
}

/* ---------------------------------------------------------------------- */

const ComputeChunkAtomGPU *FixAveChunkGPU::chunks() const
{
  const ComputeChunkAtomGPU *const found = ComputeChunkAtomGPU::find(lmp, id_chunks);
  if (!found) refuse(fmt::format("compute {} does not exist any more", id_chunks), "that it stays");
  return found;
}

std::vector<ComputeStressAtomGPU *> FixAveChunkGPU::computes() const
{
  std::vector<ComputeStressAtomGPU *> all;
  for (const std::string &id : averages.computes()) {
    all.push_back(find_values(lmp, id));
    if (!all.back()) refuse(fmt::format("compute {} does not exist any more", id), "that it stays");
  }
  return all;
}

/* ----------------------------------------------------------------------
   LAMMPS tallies energies and virials of atoms only in steps that were announced
------------------------------------------------------------------------- */

void FixAveChunkGPU::ask_for_next()
{
  for (ComputeStressAtomGPU *compute : computes()) compute->addstep(next);
}

ds_tallies FixAveChunkGPU::tallies()
{
  ds_tallies t = {};
  for (ComputeStressAtomGPU *compute : computes()) compute->add_tallies(t);
  return t;
}

void FixAveChunkGPU::init()
{
  FixStep::init();
  chunks();
  by_engine = false;
  for (const ComputeStressAtomGPU *compute : computes())
    if (const std::string why = compute->why_not(); !why.empty())
      refuse(fmt::format("of compute {}: {}", compute->id, why),
             "what compute stress/atom/gpu can give; or fix ave/chunk of LAMMPS");
  if (next >= update->ntimestep) return;
  keeps_bins = keeps_bins || acted >= begin;
  begin = next = first_epoch();    // some samples have been missed
  sums.clear();
}

bool FixAveChunkGPU::changes_in_run() const
{
  return domain->box_change != 0;
}

std::string FixAveChunkGPU::why_not_declared()
{
  const std::string why = FixStep::why_not_declared();
  return why.empty() ? bias.why_not_declared() : why;
}

/* ----------------------------------------------------------------------
   Bins stay the same during an epoch. If averages go over several epochs, they stay what
   they are in the first sample of all
------------------------------------------------------------------------- */

void FixAveChunkGPU::set_up_bins(bigint step)
{
  const bool goes_on = averages.ave == ChunkAverages::ONE ? !is_first_sample(step) : keeps_bins || step > begin;
  if (bins.are_set_up() && (goes_on || step <= acted)) return;
  const ChunkBins &of_compute = chunks()->get_bins();
  if (of_compute.are_set_up_once() && of_compute.are_set_up())
    bins = of_compute;
  else
    bins.set_up();
}

void FixAveChunkGPU::declare(StepRecords &r, bigint step)
{
  ds_operation &o = r.add(DS_ADD_TO_BINS, DS_AT_END, groupbit);
  o.every = nevery;
  o.region = region_of(r);
  bias.put_bias(o.number + 1);
  set_up_bins(step);
  ds_binning b = {};
  bins.put(b);
  b.group = chunks()->groupbit;
  b.begin = begin;
  b.period_of_steps = nfreq;
  b.within = static_cast<bigint>(nrepeat - 1) * nevery + 1;
  std::vector<ds_atom_value> values;
  for (const ComputeStressAtomGPU *compute : computes()) values.push_back(compute->value());
  averages.set_units(units, values);
  averages.put(b);
  r.binnings.push_back(b);
}

/* ---------------------------------------------------------------------- */

void FixAveChunkGPU::setup(int)
{
  if (update->ntimestep == next) add_up(DS_AT_END);
  if (!by_engine) ask_for_next();
}

void FixAveChunkGPU::end_of_step()
{
  if (update->ntimestep != next) return;
  add_up(DS_AT_END);
  ask_for_next();
}

/* ----------------------------------------------------------------------
   Gets the sums of the samples up to this step
------------------------------------------------------------------------- */

void FixAveChunkGPU::take_bins(bigint step, const std::vector<ds_exact_sum> &cells)
{
  sums.resize(cells.size());
  for (size_t k = 0; k < cells.size(); k++) {
    ds_exact_add(&sums[k], &cells[k]);
    ds_exact_carry(&sums[k]);
  }
  acted = step;
  const bool was_taken = step < next;
  next = first_sample(step);
  if (was_taken || !is_sample(step)) return;
  const bool is_end = left_of_epoch(step) == 0;
  if (is_end || averages.norm != ChunkAverages::ALL) take_sample();
  if (is_end) averages.end(step, bins);
}

void FixAveChunkGPU::take_sample()
{
  const bool first = averages.norm == ChunkAverages::ALL || is_first_sample(acted);
  StepArrays::add_over_ranks(lmp, sums.data(), static_cast<int>(sums.size()));
  if (bins.are_reduced() && domain->box_change_size) bins.find_volumes();
  if (first) averages.begin(bins);
  averages.take_sample(sums, bins);
  sums.clear();
  size_array_rows = bins.count();
}

/* ---------------------------------------------------------------------- */

double FixAveChunkGPU::compute_array(int i, int j)
{
  if (!averages.has_bin(i) || i >= bins.count()) return 0.0;
  if (j < bins.ncoord()) return bins.coordinate(i, j);
  j -= bins.ncoord();
  return j ? averages.value(i, j - 1) : averages.count(i);
}
