/* -*- c++ -*- The box as a dynamical variable: the barostat of LAMMPS's fixes nph and npt, without its particles.
   SPDX-License-Identifier: GPL-2.0-or-later

   Martyna, Tobias and Klein, J. Chem. Phys. 101, 4177 (1994); stresses that are not hydrostatic: Parrinello and Rahman, J.
   Appl. Phys. 52, 7182 (1981); steps of time: Tuckerman et al., J. Phys. A 39, 5629 (2006), in the order of LAMMPS's fix
   npt. */

#ifndef LMP_DPDSOP_NOSE_HOOVER_BAROSTAT_H
#define LMP_DPDSOP_NOSE_HOOVER_BAROSTAT_H

#include "box_pressure.h"

namespace LAMMPS_NS {

class NoseHooverBarostat : public BoxPressure {
 public:
  explicit NoseHooverBarostat(class LAMMPS *);

  bool mtk;           // with corrections of Martyna, Tobias and Klein
  bool deviatoric;    // with stresses that refer to the reference box
  bool scale[NCOMPONENTS];    // tilt factors that are scaled with their edge
  int nreset;                 // number of steps after which the reference box is set anew; 0: never
  double fixed[3];            // the point that does not move
  bool names_fixed;           // the command gives it; else it is the center of the box in which the fix was defined first
  double drag;                // rates are multiplied by it once per half step

  struct Reference {    // volume 0: not yet set
    double volume, inverse[6];
  } reference;

  int number_of_rates() const;
  double highest_frequency() const;

  void init();
  void set_masses(double kT);
  void set_targets(double part_of_run, bigint since_begin);    // number of steps; < 0: the reference stays as it is

  // Advances rates by half a step. `kinetic` are sums of m v v in energy units, xx yy zz at least, `trace` their sum over the
  // degrees of freedom of a thermostat

  void advance_rates(const double *kinetic, double trace, double dt);
  double kinetic() const;                                              // twice the energy of the box
  void scale_rates(double factor);

  double factor_of_velocity(int axis, double dt) const;    // for a quarter of a step
  void change_box(double dt, double *remap);               // by half a step; gives numbers of DS_REMAP

  bool is_tilted_too_far() const;    // so far that LAMMPS's fix stops
  double work() const;               // against the target pressure, relative to the reference box
  double potential(int k) const;     // the part of work() that LAMMPS's fix shows for component k
  double kinetic(int k) const { return 0.5 * c[k].mass * c[k].rate * c[k].rate; }
  double strain_energy() const;

 private:
  double hydrostatic;    // mean of the targets of the edges
  double sigma[3][3];    // Parrinello and Rahman's matrix for the targets
  double mtk_velocity;   // added to rates when velocities are scaled

  void set_reference();
  void find_sigma();
  void find_force_of_shape(double (*force)[3]) const;
  void change_tilt(double dt);
  void change_edges(double dt);
};

}    // namespace LAMMPS_NS

#endif
