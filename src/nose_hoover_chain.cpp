/* A chain of Nose-Hoover thermostats, for the kinetic energy of particles or of a barostat.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "nose_hoover_chain.h"

#include "exact_exp.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

NoseHooverChain::NoseHooverChain(int links, int loops_in) :
    place(links, 0.0), rate(links, 0.0), loops(loops_in), drag(1.0), mass(links, 0.0), force(links, 0.0)
{
}

void NoseHooverChain::set_masses(double first, double others)
{
  std::fill(mass.begin(), mass.end(), others);
  if (!mass.empty()) mass[0] = first;
}

void NoseHooverChain::find_forces(double kT)
{
  for (int k = 1; k < links(); k++) force[k] = (mass[k - 1] * rate[k - 1] * rate[k - 1] - kT) / mass[k];
}

/* ---------------------------------------------------------------------- */

double NoseHooverChain::damping(int link, double dt) const
{
  return link + 1 < links() ? exact_exp(-0.125 * dt * rate[link + 1]) : 1.0;
}

void NoseHooverChain::kick(int link, double damp, double dt)
{
  rate[link] *= damp;
  rate[link] += force[link] * (0.25 * dt);
  rate[link] *= damp;
}

double NoseHooverChain::advance(double kinetic, double wanted, double kT, double dt)
{
  double total = 1.0;
  if (place.empty()) return total;
  const double part = dt / loops;
  const auto force_on_first = [&]() { return mass[0] > 0.0 ? (kinetic - wanted) / mass[0] : 0.0; };
  force[0] = force_on_first();
  for (int loop = 0; loop < loops; loop++) {
    for (int k = links() - 1; k >= 0; k--) {
      kick(k, damping(k, part), part);
      rate[k] *= drag;
    }
    const double factor = exact_exp(-0.5 * part * rate[0]);
    total *= factor;
    kinetic *= factor * factor;
    force[0] = force_on_first();
    for (int k = 0; k < links(); k++) place[k] += 0.5 * part * rate[k];
    kick(0, damping(0, part), part);
    for (int k = 1; k < links(); k++) {
      force[k] = (mass[k - 1] * rate[k - 1] * rate[k - 1] - kT) / mass[k];
      kick(k, damping(k, part), part);
    }
  }
  return total;
}

double NoseHooverChain::energy(double wanted, double kT) const
{
  double sum = 0.0;
  for (int k = 0; k < links(); k++) sum += potential(wanted, kT, k) + kinetic(k);
  return sum;
}
