/* -*- c++ -*- A chain of Nose-Hoover thermostats, for the kinetic energy of particles, of a barostat or of rigid bodies.
   SPDX-License-Identifier: GPL-2.0-or-later

   Martyna, Klein and Tuckerman, J. Chem. Phys. 97, 2635 (1992); half a step as in Martyna, Tuckerman, Tobias and Klein, Mol.
   Phys. 87, 1117 (1996), eq. 29 to 31, in the order of LAMMPS's fix nvt. For rigid bodies a whole step as in Kamberaj, Li and
   Hansen, J. Chem. Phys. 122, 224114 (2005), in the order of LAMMPS's fix rigid/nvt. */

#ifndef LMP_DPDSOP_NOSE_HOOVER_CHAIN_H
#define LMP_DPDSOP_NOSE_HOOVER_CHAIN_H

#include <vector>

namespace LAMMPS_NS {

class NoseHooverChain {
 public:
  NoseHooverChain(int links, int loops);    // links 0: it does nothing
  int links() const { return static_cast<int>(place.size()); }
  void set_drag(double factor_in) { drag = factor_in; }    // rates are multiplied by it once per loop

  void set_masses(double first, double others);
  void find_forces(double kT);    // on all links except the first, from their rates

  // Half of a step of length dt. `kinetic` is twice the kinetic energy, `wanted` its target, kT that of one degree of freedom.
  // Returns the factor of velocities

  double advance(double kinetic, double wanted, double kT, double dt);

  // A whole step of length dt, in the parts of Yoshida's and Suzuki's integrator of order 3 or 5. The kinetic energy stays the
  // same, because velocities are scaled later, with kicks

  void advance_whole(double kinetic, double wanted, double kT, double dt, int order);

  double potential(double wanted, double kT, int link) const { return (link ? kT : wanted) * place[link]; }
  double kinetic(int link) const { return 0.5 * mass[link] * rate[link] * rate[link]; }
  double energy(double wanted, double kT) const;

  std::vector<double> place, rate;    // eta and its derivative, of each link

 private:
  int loops;
  double drag;
  std::vector<double> mass, force, damp;    // damp: by damping(), on the way down

  // Parts of half a step of length dt. `exact`: the kick takes into account that the rate is damped meanwhile

  double damping(int link, double dt) const;    // by the link above
  double force_factor(int link, double dt) const;
  void kick(int link, double dt, bool exact);
  void kick_down(double dt, bool exact);    // from the last link to the first
  void drift(double dt);
  void kick_up(double dt, double kT, bool exact);
};

}    // namespace LAMMPS_NS

#endif
