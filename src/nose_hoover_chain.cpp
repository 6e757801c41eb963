/* A chain of Nose-Hoover thermostats, for the kinetic energy of particles, of a barostat or of rigid bodies.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "nose_hoover_chain.h"

#include "exact_exp.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

NoseHooverChain::NoseHooverChain(int links, int loops_in) :
    place(links, 0.0), rate(links, 0.0), loops(loops_in), drag(1.0), mass(links, 0.0), force(links, 0.0),
    damp(links, 1.0)
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

/* ----------------------------------------------------------------------
   sinh(x) / x as in Kamberaj et al., eq. 16 and below, by the series of LAMMPS's fix
------------------------------------------------------------------------- */

double NoseHooverChain::force_factor(int link, double dt) const
{
  if (link + 1 == links()) return 1.0;
  const double x = 0.125 * dt * rate[link + 1], x2 = x * x;
  return 1.0 + x2 / 6.0 * (1.0 + x2 / 20.0 * (1.0 + x2 / 42.0 * (1.0 + x2 / 72.0)));
}

void NoseHooverChain::kick(int link, double dt, bool exact)
{
  rate[link] *= damp[link];
  rate[link] += force[link] * (0.25 * dt) * (exact ? force_factor(link, dt) : 1.0);
  rate[link] *= damp[link];
}

void NoseHooverChain::kick_down(double dt, bool exact)
{
  for (int k = links() - 1; k >= 0; k--) {
    damp[k] = damping(k, dt);
    kick(k, dt, exact);
    rate[k] *= drag;
  }
}

void NoseHooverChain::drift(double dt)
{
  for (int k = 0; k < links(); k++) place[k] += 0.5 * dt * rate[k];
}

// On the way up, the link above is as it was on the way down: its damping is known

void NoseHooverChain::kick_up(double dt, double kT, bool exact)
{
  kick(0, dt, exact);
  for (int k = 1; k < links(); k++) {
    force[k] = (mass[k - 1] * rate[k - 1] * rate[k - 1] - kT) / mass[k];
    kick(k, dt, exact);
  }
}

double NoseHooverChain::advance(double kinetic, double wanted, double kT, double dt)
{
  double total = 1.0;
  if (place.empty()) return total;
  const double part = dt / loops;
  const auto force_on_first = [&]() { return mass[0] > 0.0 ? (kinetic - wanted) / mass[0] : 0.0; };
  force[0] = force_on_first();
  for (int loop = 0; loop < loops; loop++) {
    kick_down(part, false);
    const double factor = exact_exp(-0.5 * part * rate[0]);
    total *= factor;
    kinetic *= factor * factor;
    force[0] = force_on_first();
    drift(part);
    kick_up(part, kT, false);
  }
  return total;
}

/* ----------------------------------------------------------------------
   Parts of the step as in Kamberaj et al., table I. All are as long as the first one,
   except that in the middle
------------------------------------------------------------------------- */

void NoseHooverChain::advance_whole(double kinetic, double wanted, double kT, double dt, int order)
{
  static constexpr double CUBE_ROOT_2 = 1.2599210498948731648, CUBE_ROOT_4 = 1.5874010519681994748;
  const double outer = order == 3 ? 1.0 / (2.0 - CUBE_ROOT_2) : 1.0 / (4.0 - CUBE_ROOT_4);
  const double middle = 1.0 - (order - 1) * outer;
  force[0] = (kinetic - wanted) / mass[0];
  for (int loop = 0; loop < loops; loop++)
    for (int k = 0; k < order; k++) {
      const double part = 2.0 * dt / loops * (k == order / 2 ? middle : outer);
      kick_down(part, true);
      drift(part);
      kick_up(part, kT, true);
    }
}

double NoseHooverChain::energy(double wanted, double kT) const
{
  double sum = 0.0;
  for (int k = 0; k < links(); k++) sum += potential(wanted, kT, k) + kinetic(k);
  return sum;
}
