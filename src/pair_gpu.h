/* -*- c++ -*- What pair styles of this package have in common: commands, their checks, files, and what other
   commands ask of a pair style.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_PAIR_GPU_H
#define LMP_PAIR_GPU_H

#include "pair.h"

#include <cstdint>

struct ds_pair_style;

namespace LAMMPS_NS {

// What one of them is. Commands and files have temperatures, cutoff and seed; for pairs of types, the
// coefficients that are needed, the cutoff, and those with a keyword.

struct PairGPUStyle {
  enum { LIMIT = 8 };
  enum Range { ANY, NOT_NEGATIVE, POSITIVE, EXPONENT };    // values allowed
  enum Place { NEEDED, KEYWORD };

  struct Coefficient {
    const char *name;    // in commands; in lower case for extract()
    Range range;
    Place place = NEEDED;
  };

  const char *name;
  const char *temperatures[2];    // one, or two between which it is changed during a run
  Coefficient coeff[LIMIT];        // in the order of the engine, those with keywords last
  const ds_pair_style *engine;
  const char *cite;
};

class PairGPU : public Pair {
 public:
  PairGPU(class LAMMPS *, const PairGPUStyle &);
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

  // for atoms that stay with the engine (run_style verlet/gpu)

  void begin(int eflag, int vflag);    // an evaluation, as compute() does it
  void follow_step();                  // of begin(), what depends on the step
  void
  clear_ghost_tallies();    // ghosts have come after begin(): energies of atoms are none of theirs
  class EngineHandle *get_engine() { return engine; }
  bool changes_in_run() const { return t_start != t_stop; }    // its coefficients, by itself

 protected:
  const PairGPUStyle &style;
  int ntemperatures, ncoeff, nneeded;    // of the style; coefficients without a keyword

  double temperature, t_start, t_stop;    // that of now; start and end where there are two
  double cut_global;
  int seed;
  int precision, backend;    // values of ds_precision and ds_backend

  double **values[PairGPUStyle::LIMIT];    // coefficients
  double **cut;

  class EngineHandle *engine;
  int coeffs_changed;    // since they were given to the engine
  bool cited;            // in the log
  bool suffix_told;      // that restart files need the suffix

  virtual void allocate();

  // once per run: where the atoms are that the engine works on, and its backend there

  virtual void choose_atoms() {}
  virtual int backend_of_run() const { return backend; }
  virtual bool is_for_kokkos() const { return false; }

 private:
  double number(const char *, const char *, const char *, PairGPUStyle::Range);
  void read_keywords(int, char **);
  double read_coefficients(int, char **, double *);
  std::string names_of(int, int, const char *) const;
  void reset_settings();
  void set_temperature();
  void set_coefficients();
  void check_ghosts();
  int place_of_seed() const;
  void check_fixes();
  void tell();

  // what files have for each pair of types: columns of them, in this order

  void warn_of_suffix();
  void check_restart(FILE *, uint64_t digest, const char *what);
  int column_of_cut() const { return nneeded; }
  double **column(int) const;
  void write_columns(FILE *, int, int) const;
};

}    // namespace LAMMPS_NS

#endif
