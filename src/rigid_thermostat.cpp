/* Nose-Hoover chains of rigid bodies: one for their velocities, one for their rotation.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "rigid_thermostat.h"

#include "exact_exp.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

RigidThermostat::RigidThermostat(double period_in, int links, int loops, int order_in) :
    chain{{links, loops}, {links, loops}}, freedom(), period(period_in), order(order_in)
{
}

void RigidThermostat::set_freedom(const double degrees[CHAINS])
{
  for (int k = 0; k < CHAINS; k++) freedom[k] = degrees[k];
}

void RigidThermostat::set_masses(double kT)
{
  const double mass = kT * period * period;
  for (int k = 0; k < CHAINS; k++) chain[k].set_masses(freedom[k] * mass, mass);
}

void RigidThermostat::begin(double kT)
{
  set_masses(kT);
  for (NoseHooverChain &c : chain) c.find_forces(kT);
}

void RigidThermostat::advance(const double kinetic[CHAINS], double kT, double dt)
{
  set_masses(kT);
  for (int k = 0; k < CHAINS; k++) chain[k].advance_whole(kinetic[k], freedom[k] * kT, kT, dt, order);
}

double RigidThermostat::factor(int which, double dt) const
{
  return exact_exp(-0.5 * dt * chain[which].rate[0]);
}

double RigidThermostat::energy(double kT) const
{
  double sum = 0.0;
  for (int k = 0; k < CHAINS; k++) sum += chain[k].energy(freedom[k] * kT, kT);
  return sum;
}
