/* -*- c++ -*- What pair styles with smeared charges have in common: charges, the cutoff of their part in real space, and what
   LAMMPS's kspace style has to do with it.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_PAIR_SLATER_GPU_H
#define LMP_PAIR_SLATER_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairSlaterGPU : public PairGPU {
 public:
  PairSlaterGPU(class LAMMPS *, const PairGPUStyle &);
  void begin(int eflag, int vflag) override;
  void follow_step() override;
  bool charges_have_changed() override;
  void look_at_charges() override;
  void init_style() override;
  void write_restart_settings(FILE *) override;
  void read_restart_settings(FILE *) override;
  void *extract(const char *, int &) override;

 protected:
  double lamda, cut_coul;

  virtual class EngineModel &coulomb() = 0;    // the model of the forces between charges
  virtual const char *name_of_cutoff() const = 0;
  void read_charges(const char *lamda, const char *cutoff);    // words of pair_style
  void set_coefficients() override;
  double product(int i, int j) const;    // of the charges of two atoms

 private:
  // What forces depend on besides coefficients, and what of it the model has

  struct Screening {
    double strength, lamda, ewald, largest;
    bool operator!=(const Screening &) const;
  } given;
  double largest;    // of the charges of all atoms, by size; negative: not known
  double cut_at_init;

  Screening now() const;
  double largest_here() const;    // of this rank
  double largest_now() const;
  class EngineHandle *engine_of_step() const;    // that evaluates this style, alone or with the others of a hybrid
  void check_growth(double now);
};

}    // namespace LAMMPS_NS

#endif
