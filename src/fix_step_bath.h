/* -*- c++ -*- What thermostats and barostats have in common: computes, sums, arguments of pressures, scaling of velocities.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_FIX_STEP_BATH_H
#define LMP_FIX_STEP_BATH_H

#include "fix_step.h"

#include "box_pressure.h"
#include "step_virial.h"

namespace LAMMPS_NS {

class FixStepBath : public FixStep {
 public:
  FixStepBath(class LAMMPS *, int, char **);
  ~FixStepBath() override;
  void init() override;
  int modify_param(int, char **) override;
  bool uses_atoms_itself() const override { return true; }
  bool asks() const override { return true; }
  bool changes_box() const override { return follows_pressure; }
  int reads_virial() const override { return !follows_pressure ? 0 : follows_shear() ? DS_VIRIAL_WHOLE : DS_VIRIAL_DIAGONAL; }
  void post_force(int) override { forces.look_at_bonds(); }    // LAMMPS calls it only if the fix follows a pressure
  void take_bonded(bigint step, const ds_bonded_sums &sums) override { forces.take_bonded(step, sums); }
  bool has_bonded(bigint step) const override { return !follows_pressure || forces.has_bonded(step); }

 protected:
  enum { NSUMS = 6 };    // m v v: xx yy zz xy xz yz

  // Makes the computes ID_temp and ID_press, which fix_modify may replace. The former gives degrees of freedom and the group.
  // The latter only makes LAMMPS tally the virial

  void make_computes(const std::string &group, bool with_pressure);
  class Compute *temperature() const;
  class Compute *pressure() const;
  int group_of_temperature() const;    // its bit
  void check_pressure();               // called in a set-up, when kinetic[] and virial[] are known

  // Kinetic energies in energy units, from sums of the engine. Without `tensor` there is only the trace, in kinetic[0]

  bool tensor;
  double kinetic[NSUMS], virial[NSUMS];
  double dof, temperature_now;
  int add_sum(StepRecords &, ds_point) const;    // returns the number of the operation
  void take_kinetic(const StepSums &);
  void count_kinetic(double of_now[NSUMS]);    // adds them up between steps
  double trace() const;
  void scale_kinetic(double factor);
  void find_temperature();
  void take_virial();
  virtual bool follows_shear() const { return false; }    // it needs more than xx, yy and zz of the virial
  int bit_of_virial() const { return follows_pressure ? FixConst::POST_FORCE : 0; }    // of setmask()

  // Velocities

  struct Scaling {
    double first[3], shear[3], second[3];    // numbers of DS_SCALE_VELOCITY; shear yz xz xy
  };
  static Scaling scaling_by(double factor);
  int add_scaling(StepRecords &, ds_point, const Scaling &, int flags = 0, int from = -1) const;
  void add_remap(StepRecords &, ds_point, int group, const double *numbers) const;

  // Arguments

  double part_of_run(bigint step) const;
  int count(const char *word, const char *what, int least) const;
  bool read_pressure(BoxPressure &, int &k, int narg, char **arg, bool tilts, bool *single);    // single: a single component
  void check_pressures(const BoxPressure &) const;

 private:
  std::string id_temperature, id_pressure;
  bool owns_temperature, owns_pressure, follows_pressure;
  StepVirial forces;
  StepArrays::Runner counter;

  void read_couple(BoxPressure &, const char *word) const;
  void to_energies(double sums[NSUMS]) const;
};

}    // namespace LAMMPS_NS

#endif
