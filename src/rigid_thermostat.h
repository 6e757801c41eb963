/* -*- c++ -*- Nose-Hoover chains of rigid bodies: one for their velocities, one for their rotation.
   SPDX-License-Identifier: GPL-2.0-or-later

   Kamberaj, Li and Hansen, J. Chem. Phys. 122, 224114 (2005), as in LAMMPS's fix rigid/nvt. Between the halves of a step,
   chains are advanced with the kinetic energies that bodies have after the first half. Each half scales velocities and angular
   momenta. */

#ifndef LMP_DPDSOP_RIGID_THERMOSTAT_H
#define LMP_DPDSOP_RIGID_THERMOSTAT_H

#include "nose_hoover_chain.h"

namespace LAMMPS_NS {

class RigidThermostat {
 public:
  enum { TRANSLATION, ROTATION, CHAINS };

  RigidThermostat(double period, int links, int loops, int order);
  void set_freedom(const double degrees[CHAINS]);
  void begin(double kT);    // begins a run
  void advance(const double kinetic[CHAINS], double kT, double dt);    // `kinetic`: twice the kinetic energies
  double factor(int which, double dt) const;    // of velocities, or angular momenta, in half of a step
  double energy(double kT) const;

  int links() const { return chain[0].links(); }
  template <class Visit> void visit_state(Visit visit)    // visits all numbers of the state, always in the same order
  {
    for (NoseHooverChain &c : chain)
      for (int k = 0; k < c.links(); k++) {
        visit(c.place[k]);
        visit(c.rate[k]);
      }
  }

 private:
  NoseHooverChain chain[CHAINS];
  double freedom[CHAINS], period;
  int order;

  void set_masses(double kT);
};

}    // namespace LAMMPS_NS

#endif
