/* -*- c++ -*- Dissipative particle dynamics with signature noise, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/gpu,PairDPDGPU);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_GPU_H
#define LMP_PAIR_DPD_GPU_H

#include "pair.h"

namespace LAMMPS_NS {

class PairDPDGPU : public Pair {
 public:
  PairDPDGPU(class LAMMPS *);
  ~PairDPDGPU() override;
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

 protected:
  double temperature, cut_global;
  int seed;
  int precision, backend;    // values of ds_precision and ds_backend
  int neigh_source;          // as the user wants it
  double **a0, **gamma, **cut, **power;
  int **active;    // pairs of types that are this style's own; pair hybrid has others

  class DPDGPUEngine *engine;
  int coeffs_changed;    // since they were given to the engine
  int neigh_used;        // as it is in this run, -1 before the first
  int types_change;      // a fix swaps atom types without reneighboring

  virtual void allocate();
  void choose_neigh();
  void check_fixes();
  bool has_exclusions() const;
  void set_coefficients();
  void reset_settings();
};

}    // namespace LAMMPS_NS

#endif
#endif
