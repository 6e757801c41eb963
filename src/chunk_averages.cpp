/* Averages in bins over time, and their file.   SPDX-License-Identifier: GPL-2.0-or-later

   Divisions are done in the same order as in LAMMPS's fix ave/chunk, so digits are the same. Lines have its format. */

#include "chunk_averages.h"

#include "chunk_bins.h"

#include "domain.h"
#include "error.h"
#include "force.h"
#include "platform.h"

#include "dpdsop/device/step/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ChunkAverages::ChunkAverages(LAMMPS *lmp) :
    Pointers(lmp), norm(ALL), ave(ONE), window(0), repeat(1), adof(domain->dimension), cdof(0.0), format(" %g"),
    overwrites(false), columns{{DS_BIN_COUNT, 0, 0, DS_2_POW_60}}, file(nullptr), start(0), place(0), passed(0)
{
}

ChunkAverages::~ChunkAverages()
{
  if (file) fclose(file);
}

/* ---------------------------------------------------------------------- */

namespace {
struct KnownValue {
  const char *word;
  ChunkAverages::Kind kind;
  int32_t of;
};

constexpr KnownValue KNOWN_VALUES[] = {
    {"vx", ChunkAverages::PLAIN, DS_BIN_VX},
    {"vy", ChunkAverages::PLAIN, DS_BIN_VY},
    {"vz", ChunkAverages::PLAIN, DS_BIN_VZ},
    {"fx", ChunkAverages::PLAIN, DS_BIN_FX},
    {"fy", ChunkAverages::PLAIN, DS_BIN_FY},
    {"fz", ChunkAverages::PLAIN, DS_BIN_FZ},
    {"mass", ChunkAverages::PLAIN, DS_BIN_MASS},
    {"density/number", ChunkAverages::DENSITY_NUMBER, DS_BIN_COUNT},
    {"density/mass", ChunkAverages::DENSITY_MASS, DS_BIN_MASS},
    {"temp", ChunkAverages::TEMPERATURE, DS_BIN_MVV},
};
}    // namespace

static const KnownValue *find_value(const std::string &word)
{
  const KnownValue *const found = std::find_if(std::begin(KNOWN_VALUES), std::end(KNOWN_VALUES),
                                               [&word](const KnownValue &k) { return word == k.word; });
  return found == std::end(KNOWN_VALUES) ? nullptr : found;
}

bool ChunkAverages::is_value(const std::string &word)
{
  return find_value(word) != nullptr;
}

void ChunkAverages::add(const std::string &word)
{
  const KnownValue *const known = find_value(word);
  values.push_back({word, known->kind, column_of(known->of, 0, 0)});
}

void ChunkAverages::add(const std::string &word, const std::string &compute, int component)
{
  auto id = std::find(ids.begin(), ids.end(), compute);
  if (id == ids.end()) id = ids.insert(id, compute);
  values.push_back({word, PLAIN, column_of(DS_BIN_ATOM_VALUE, static_cast<int>(id - ids.begin()), component)});
}

size_t ChunkAverages::column_of(int32_t of, int source, int component)
{
  auto column = std::find_if(columns.begin(), columns.end(), [=](const Column &c) {
    return c.of == of && c.source == source && c.component == component;
  });
  if (column == columns.end()) column = columns.insert(column, {of, source, component, 1.0});
  return column - columns.begin();
}

/* ----------------------------------------------------------------------
   The unit of exact sums of a value. Counts are exact in units of 1
------------------------------------------------------------------------- */

static double unit_of(int32_t of, const StepArrays::Units &units)
{
  if (of == DS_BIN_COUNT) return DS_2_POW_60;
  if (of == DS_BIN_MASS) return units.mass;
  if (of == DS_BIN_MVV) return units.mvv;
  return of < DS_BIN_FX ? units.momentum / units.mass : units.force;
}

static double unit_of_energy(double factor, const StepArrays::Units &units)
{
  return factor != 0.0 ? units.energy * std::ldexp(1.0, std::ilogb(factor)) : units.energy;
}

void ChunkAverages::set_units(const StepArrays::Units &units, const std::vector<ds_atom_value> &of_computes)
{
  sources = of_computes;
  for (Column &c : columns)
    c.unit = c.of == DS_BIN_ATOM_VALUE ? unit_of_energy(sources[c.source].factor, units) : unit_of(c.of, units);
}

void ChunkAverages::put(ds_binning &b) const
{
  b.nvalues = static_cast<int>(columns.size());
  for (size_t k = 0; k < columns.size(); k++) {
    b.value[k] = columns[k].of;
    b.source_of[k] = columns[k].source;
    b.component[k] = columns[k].component;
    b.unit[k] = columns[k].unit;
  }
  b.nsources = static_cast<int>(sources.size());
  std::copy(sources.begin(), sources.end(), b.source);
}

/* ----------------------------------------------------------------------
   the file
------------------------------------------------------------------------- */

bool ChunkAverages::open(const char *name, const char *mode)
{
  if (file) fclose(file);
  file = fopen(name, mode);
  return file != nullptr;
}

void ChunkAverages::check_file() const
{
  int failed = file && ferror(file) ? 1 : 0;
  MPI_Bcast(&failed, 1, MPI_INT, 0, world);
  if (failed) error->all(FLERR, "Fix ave/chunk/gpu: its file cannot be written, allowed: a file system that has room");
}

void ChunkAverages::write_titles(const std::string title[3], const char *fix, const char *group, int ncoord)
{
  std::string columns_of_file = "# Chunk";
  for (int k = 1; k <= ncoord; k++) columns_of_file += fmt::format(" Coord{}", k);
  columns_of_file += " Ncount";
  for (const Value &v : values) columns_of_file += " " + v.word;
  const std::string text[3] = {
      title[0].empty() ? fmt::format("# Chunk-averaged data for fix {} and group {}", fix, group) : title[0],
      title[1].empty() ? "# Timestep Number-of-chunks Total-count" : title[1],
      title[2].empty() ? columns_of_file : title[2],
  };
  for (const std::string &line : text)
    if (file) fprintf(file, "%s\n", line.c_str());
  check_file();
  if (file) start = platform::ftell(file);
}

/* ----------------------------------------------------------------------
   one epoch
------------------------------------------------------------------------- */

void ChunkAverages::begin(const ChunkBins &bins)
{
  epoch.assign(row(bins.count()), 0.0);
}

double ChunkAverages::scaled(const Value &v, double sum, double count, int samples, double volume) const
{
  switch (v.kind) {
    case TEMPERATURE: return sum * (force->mvv2e / ((samples * cdof + adof * count) * force->boltz));
    case DENSITY_NUMBER: return sum / volume / samples;
    case DENSITY_MASS: return sum / volume * (force->mv2d / samples);
    default: return norm == NONE ? sum / samples : sum / count;
  }
}

void ChunkAverages::take_sample(const std::vector<ds_exact_sum> &cells, const ChunkBins &bins)
{
  const int samples = norm == ALL ? repeat : 1;
  for (int bin = 0; bin < bins.count(); bin++) {
    const ds_exact_sum *const of_bin = cells.data() + static_cast<size_t>(bin) * columns.size();
    double *const to = epoch.data() + row(bin);
    const double count = ds_exact_value(of_bin, DS_2_POW_60);
    to[0] += count;
    for (size_t k = 0; k < values.size() && count > 0.0; k++) {
      const Value &v = values[k];
      to[1 + k] += scaled(v, ds_exact_value(of_bin + v.column, columns[v.column].unit), count, samples, bins.volume(bin));
    }
  }
}

/* ----------------------------------------------------------------------
   Averages over all epochs, or over those of a window
------------------------------------------------------------------------- */

void ChunkAverages::end(bigint step, const ChunkBins &bins)
{
  const size_t width = 1 + values.size();
  for (size_t k = 0; k < epoch.size(); k++)
    if (norm != ALL || k % width == 0) epoch[k] /= repeat;
  if (ave == ONE || total.size() != epoch.size()) {
    total.assign(epoch.size(), 0.0);
    kept.clear();
    place = 0;
    passed = 0;
  }
  const bool full = ave == WINDOW && static_cast<int>(kept.size()) == window;
  for (size_t k = 0; k < epoch.size(); k++) {
    total[k] += epoch[k];
    if (full) total[k] -= kept[place][k];
  }
  if (ave == WINDOW) {
    if (full)
      kept[place] = epoch;
    else
      kept.push_back(epoch);
    place = (place + 1) % window;
  }
  if (!full) passed++;
  write(step, bins);
  check_file();
}

void ChunkAverages::write(bigint step, const ChunkBins &bins)
{
  if (!file) return;
  if (overwrites) platform::fseek(file, start);
  double all = 0.0;
  for (int bin = 0; bin < bins.count(); bin++) all += total[row(bin)];
  fputs(fmt::format("{} {} {}\n", step, bins.count(), all).c_str(), file);
  for (int bin = 0; bin < bins.count(); bin++) {
    fprintf(file, "  %d", bin + 1);
    for (int k = 0; k < bins.ncoord(); k++) fprintf(file, " %g", bins.coordinate(bin, k));
    fprintf(file, " %g", count(bin));
    for (size_t k = 0; k < values.size(); k++) fprintf(file, format.c_str(), value(bin, static_cast<int>(k)));
    fputs("\n", file);
  }
  fflush(file);
  if (overwrites && platform::ftruncate(file, platform::ftell(file)))
    error->warning(FLERR, "Fix ave/chunk/gpu: its file cannot be cut to what has been written");
}
