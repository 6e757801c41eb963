/* -*- c++ -*- Averages in bins over time, and their file: the arithmetic and output of fix ave/chunk, from exact sums.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_CHUNK_AVERAGES_H
#define LMP_DPDSOP_CHUNK_AVERAGES_H

#include "pointers.h"

#include "step_arrays.h"

#include <cstdio>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class ChunkBins;

class ChunkAverages : protected Pointers {
 public:
  explicit ChunkAverages(class LAMMPS *);
  ~ChunkAverages() override;
  ChunkAverages(const ChunkAverages &) = delete;
  ChunkAverages &operator=(const ChunkAverages &) = delete;

  // What is averaged. Each value is made of one column of the sums that the engine adds up. Values of computes are one
  // component of what the compute has for each atom

  enum Kind { PLAIN, DENSITY_NUMBER, DENSITY_MASS, TEMPERATURE };
  struct Value {
    std::string word;
    Kind kind;
    size_t column;
  };
  static bool is_value(const std::string &word);
  void add(const std::string &word);
  void add(const std::string &word, const std::string &compute, int component);
  size_t size() const { return values.size(); }
  size_t columns_of_engine() const { return columns.size(); }
  const std::vector<std::string> &computes() const { return ids; }

  enum Norm { ALL, SAMPLE, NONE } norm;
  enum Ave { ONE, RUNNING, WINDOW } ave;
  int window, repeat;
  double adof, cdof;
  std::string format;

  void set_units(const StepArrays::Units &, const std::vector<ds_atom_value> &of_computes);
  void put(ds_binning &) const;    // values and units

  // The file. A title is empty if the command gives none

  bool open(const char *name, const char *mode);    // called on the first rank; false: it cannot be opened
  bool overwrites;
  void write_titles(const std::string title[3], const char *fix, const char *group, int ncoord);

  // take_sample() gets the sums in bins over all ranks: those of one sample, or those of a whole epoch if norm is ALL. end()
  // adds the averages of the epoch to those over time, and writes these

  void begin(const ChunkBins &);
  void take_sample(const std::vector<ds_exact_sum> &cells, const ChunkBins &);
  void end(bigint step, const ChunkBins &);

  double count(int bin) const { return passed ? total[row(bin)] / passed : 0.0; }
  double value(int bin, int k) const { return passed ? total[row(bin) + 1 + k] / passed : 0.0; }
  bool has_bin(int bin) const { return row(bin) < total.size(); }

 private:
  std::vector<Value> values;
  struct Column {
    int32_t of;               // a ds_bin_value; the first column is DS_BIN_COUNT
    int source, component;    // if it is DS_BIN_ATOM_VALUE
    double unit;
  };
  std::vector<Column> columns;
  std::vector<std::string> ids;            // IDs of computes
  std::vector<ds_atom_value> sources;      // how their values are made
  size_t column_of(int32_t of, int source, int component);
  FILE *file;
  bigint start;    // where lines of averages begin in the file

  // A row for each bin: its count, then values

  std::vector<double> epoch, total;
  std::vector<std::vector<double>> kept;    // the epochs of a window
  size_t place;                             // where the next epoch is kept
  int passed;                               // how many epochs `total` has

  size_t row(int bin) const { return static_cast<size_t>(bin) * (1 + values.size()); }
  double scaled(const Value &, double sum, double count, int samples, double volume) const;
  void write(bigint step, const ChunkBins &);
  void check_file() const;    // stops all processes if the first one cannot write the file
};

}    // namespace LAMMPS_NS

#endif
