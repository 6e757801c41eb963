/* -*- c++ -*- What pair styles of this package have in common: commands, their checks, files, and functions that other
   commands call.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_PAIR_GPU_H
#define LMP_PAIR_GPU_H

#include "pair.h"

#include "dpdsop/pair.h"

#include <cstdint>
#include <string>

namespace LAMMPS_NS {

// What distinguishes one style from another. Commands and files have temperatures, cutoff and seed; a style without noise has
// no temperatures and no seed. For each pair of types commands and files have coefficients that are needed, a cutoff, and
// coefficients with a keyword. Where some coefficient stands behind the cutoff, both are needed. Derived coefficients follow
// from other settings.

struct PairGPUStyle {
  enum { LIMIT = 8 };
  enum Range { ANY, NOT_NEGATIVE, POSITIVE, EXPONENT, FACTOR };    // values allowed; a factor that is not set is 1
  enum Place { NEEDED, BEHIND_CUTOFF, KEYWORD, DERIVED };

  struct Coefficient {
    const char *name;    // in commands; extract() has it in lower case
    Range range;
    Place place = NEEDED;
  };
  static double neutral(Range range) { return range == EXPONENT || range == FACTOR ? 1.0 : 0.0; }    // of a coefficient not set

  const char *name;
  const char *temperatures[2];    // names of one temperature, or of those at the beginning and the end of a run
  Coefficient coeff[LIMIT];        // in the order of the engine: those needed, those behind the cutoff, with keywords, derived
  const ds_pair_style *engine;
  const char *cite;
  bool mixes = false;        // the first two are an energy and a distance, which pair_modify mix gives to pairs not set
  bool has_kokkos = true;    // there is a style with suffix kk
  bool is_fluid = false;     // bonded beads have its forces, too, in the usual models of polymers
};

class PairGPU : public Pair {
 public:
  PairGPU(class LAMMPS *, const PairGPUStyle &, class EngineHandle * = nullptr);    // the engine is its own if it is not given
  ~PairGPU() override;
  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
  void write_restart_settings(FILE *) override;
  void read_restart_settings(FILE *) override;
  void write_data(FILE *) override;
  void write_data_all(FILE *) override;
  double single(int, int, int, int, double, double, double, double &) override;
  void *extract(const char *, int &) override;
  void add_tally_callback(class Compute *) override;
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;
  double memory_usage() override;

  // For atoms that stay with the engine (run_style verlet/gpu). begin() does what compute() does before an evaluation,
  // follow_step() the part of it that depends on the step. If ghosts are made after begin(), clear_ghost_tallies() sets their
  // energies and virials to 0

  virtual void begin(int eflag, int vflag);
  virtual void follow_step();
  virtual void take_totals(const ds_pair_totals *);    // of each style of the engine

  // What the style has found of all charges: whether it is something else by now, and find it anew. All ranks call these
  // together

  virtual bool charges_have_changed() { return false; }
  virtual void look_at_charges() {}

  void clear_ghost_tallies();
  virtual void show_atoms(class EngineHandle &) {}    // puts into LAMMPS's arrays what this engine knows of the last evaluation
  class EngineHandle *get_engine() { return engine; }
  virtual bool changes_in_run() const { return t_start != t_stop; }    // the temperature changes
  bool has_noise() const { return ntemperatures > 0; }
  bool goes_with(const PairGPU &other) const { return precision == other.precision && backend == other.backend; }

  class PairTogether *together;    // that stands for this style and others of a hybrid in steps of verlet/gpu; null: none

 protected:
  const PairGPUStyle &style;
  int ntemperatures, ncoeff;    // numbers of them
  int nneeded, nplain, nwritten;    // coefficients before the cutoff; without a keyword; in commands and files

  double temperature, t_start, t_stop;    // now, at the beginning and at the end of a run
  double cut_global;
  int seed;
  int precision, backend;    // values of ds_precision and ds_backend
  const char *name_of_precision() const;

  double **values[PairGPUStyle::LIMIT];    // coefficients
  double **cut;

  class EngineHandle *engine;
  int coeffs_changed;    // coefficients have changed since they were given to the engine
  bool cited;            // the citation is in the log
  bool suffix_told;      // the user has been warned that restart files need the suffix
  bool warned_of_bonds;    // and, since special_bonds was something else, that bonded pairs do not interact

  virtual void allocate();
  virtual void set_coefficients();    // gives them to the model, if some have changed
  virtual std::string before_cutoff(int, int) const { return ""; }    // what data files have there besides the coefficients
  double number(const char *, const char *, const char *, PairGPUStyle::Range);

  // Data with their digest, in restart files. read_checked() is called by all ranks

  void write_checked(FILE *, const void *, size_t);
  void read_checked(FILE *, void *, size_t, const char *what);
  void take_options(const PairGPU &);    // precision and backend of another style

  // Called once per run: decides where the atoms are, and the backend for them

  virtual void choose_atoms() {}
  virtual int backend_of_run() const { return backend; }
  virtual bool is_for_kokkos() const { return false; }

 private:
  void read_seed(const char *);
  void read_keywords(int, char **);
  double read_coefficients(int, char **, double *);
  std::string names_of(int, int, const char *) const;
  bool mix(int, int);
  void reset_settings();
  void set_temperature();
  void check_ghosts();
  int place_of_seed() const;
  void check_fixes();
  void tell();
  void warn_of_bonds();

  // What files have for each pair of types, in this order

  void warn_of_suffix();
  void check_restart(FILE *, uint64_t digest, const char *what);
  int column_of_cut() const { return nneeded; }
  double **column(int) const;
  void write_columns(FILE *, int, int) const;
};

}    // namespace LAMMPS_NS

#endif
