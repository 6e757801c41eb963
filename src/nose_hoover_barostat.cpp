/* The box as a dynamical variable: the barostat of LAMMPS's fixes nph and npt, without its particles.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "nose_hoover_barostat.h"

#include "exact_exp.h"

#include "atom.h"
#include "domain.h"
#include "force.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

NoseHooverBarostat::NoseHooverBarostat(LAMMPS *lmp) :
    BoxPressure(lmp), mtk(true), deviatoric(false), scale(), nreset(0), fixed(), names_fixed(false), drag(1.0), reference(),
    hydrostatic(0.0), sigma(), mtk_velocity(0.0)
{
  for (int d = 0; d < 3; d++) fixed[d] = 0.5 * (domain->boxlo[d] + domain->boxhi[d]);
  scale[XY_TILT] = domain->yperiodic && domain->xy != 0.0;
  scale[XZ_TILT] = domain->zperiodic && domain->dimension == 3 && domain->xz != 0.0;
  scale[YZ_TILT] = domain->zperiodic && domain->dimension == 3 && domain->yz != 0.0;
}

int NoseHooverBarostat::number_of_rates() const
{
  return static_cast<int>(std::count_if(c, c + NCOMPONENTS, [](const Component &x) { return x.on; }));
}

double NoseHooverBarostat::highest_frequency() const
{
  double highest = 0.0;
  for (const Component &x : c)
    if (x.on) highest = std::max(highest, 1.0 / x.period);
  return highest;
}

/* ---------------------------------------------------------------------- */

void NoseHooverBarostat::init()
{
  if (reference.volume == 0.0) set_reference();
}

void NoseHooverBarostat::set_reference()
{
  reference.volume = volume();
  std::copy(domain->h_inv, domain->h_inv + 6, reference.inverse);
}

void NoseHooverBarostat::set_masses(double kT)
{
  for (Component &x : c)
    if (x.on) x.mass = (static_cast<double>(atom->natoms) + 1.0) * kT * x.period * x.period;
}

void NoseHooverBarostat::set_targets(double part, bigint since_begin)
{
  BoxPressure::set_targets(part);
  hydrostatic = 0.0;
  for (int k = 0; k < 3; k++)
    if (c[k].on) hydrostatic += c[k].target;
  if (number_of_edges() > 0) hydrostatic /= number_of_edges();
  if (!deviatoric) return;
  if (nreset > 0 && since_begin >= 0 && since_begin % nreset == 0) set_reference();
  find_sigma();
}

/* ----------------------------------------------------------------------
   Stresses
------------------------------------------------------------------------- */

static void upper_triangle(const double *h, double (*to)[3])
{
  constexpr int XY = BoxPressure::XY_TILT, XZ = BoxPressure::XZ_TILT, YZ = BoxPressure::YZ_TILT;
  const double rows[3][3] = {{h[0], h[XY], h[XZ]}, {0.0, h[1], h[YZ]}, {0.0, 0.0, h[2]}};
  std::copy(&rows[0][0], &rows[0][0] + 9, &to[0][0]);
}

// h s h^T

static void carry(const double (*h)[3], const double (*s)[3], double (*to)[3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      to[i][j] = 0.0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) to[i][j] += h[i][k] * s[k][l] * h[j][l];
    }
}

void NoseHooverBarostat::find_sigma()
{
  const double stress[3][3] = {{c[0].target - hydrostatic, c[XY_TILT].target, c[XZ_TILT].target},
                               {c[XY_TILT].target, c[1].target - hydrostatic, c[YZ_TILT].target},
                               {c[XZ_TILT].target, c[YZ_TILT].target, c[2].target - hydrostatic}};
  double inverse[3][3];
  upper_triangle(reference.inverse, inverse);
  carry(inverse, stress, sigma);
  for (auto &row : sigma)
    for (double &s : row) s *= reference.volume;
}

void NoseHooverBarostat::find_force_of_shape(double (*force)[3]) const
{
  double h[3][3];
  upper_triangle(domain->h, h);
  carry(h, sigma, force);
}

double NoseHooverBarostat::strain_energy() const
{
  double h[3][3], sum = 0.0;
  upper_triangle(domain->h, h);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) sum += sigma[i][j] * h[i][k] * h[j][k];
  return 0.5 * sum / force->nktv2p;
}

/* ---------------------------------------------------------------------- */

void NoseHooverBarostat::advance_rates(const double *kinetic, double trace, double dt)
{
  static constexpr int ROW[NCOMPONENTS] = {0, 1, 2, 1, 0, 0}, COLUMN[NCOMPONENTS] = {0, 1, 2, 2, 2, 1};
  const double box = volume(), unit = force->nktv2p;
  const double share = number_of_edges() * static_cast<double>(atom->natoms);
  double shape_force[3][3] = {}, mean_energy = 0.0, sum = 0.0;
  if (deviatoric) find_force_of_shape(shape_force);
  if (mtk && shape() == ISO) mean_energy = trace / share;
  if (mtk && shape() != ISO && share > 0.0) {
    for (int k = 0; k < 3; k++)
      if (c[k].on) mean_energy += kinetic[k];
    mean_energy /= share;
  }
  for (int k = 0; k < NCOMPONENTS; k++) {
    if (!c[k].on) continue;
    double push = c[k].current * box;
    if (k < 3) push += mean_energy * unit - hydrostatic * box;
    push -= shape_force[ROW[k]][COLUMN[k]];
    c[k].rate += push / (c[k].mass * unit) * 0.5 * dt;
    c[k].rate *= drag;
    if (k < 3) sum += c[k].rate;
  }
  mtk_velocity = mtk && share > 0.0 ? sum / share : 0.0;
}

double NoseHooverBarostat::kinetic() const
{
  double sum = 0.0;
  for (int k = 0; k < NCOMPONENTS; k++)
    if (c[k].on) sum += 2.0 * kinetic(k);
  return sum;
}

void NoseHooverBarostat::scale_rates(double factor)
{
  for (Component &x : c)
    if (x.on) x.rate *= factor;
}

double NoseHooverBarostat::factor_of_velocity(int axis, double dt) const
{
  return exact_exp(-0.25 * dt * (c[axis].rate + mtk_velocity));
}

/* ----------------------------------------------------------------------
   Solves h' = rate h for upper triangular matrices: half of the change of tilt, the
   edges, the other half
------------------------------------------------------------------------- */

void NoseHooverBarostat::change_tilt(double dt)
{
  double *const h = domain->h;
  const auto turn = [this, h](int k, int axis, double part, double push) {
    if (!c[k].on) return;
    const double factor = exact_exp(part * c[axis].rate);
    h[k] = (h[k] * factor + 2.0 * part * push) * factor;
  };
  const auto xz = [this, h, &turn, dt]() {
    turn(XZ_TILT, 0, 0.0625 * dt, c[XY_TILT].rate * h[YZ_TILT] + c[XZ_TILT].rate * h[2]);
  };
  xz();
  turn(YZ_TILT, 1, 0.125 * dt, c[YZ_TILT].rate * h[2]);
  turn(XY_TILT, 0, 0.125 * dt, c[XY_TILT].rate * h[1]);
  xz();
}

void NoseHooverBarostat::change_edges(double dt)
{
  static constexpr int EDGE_OF[NCOMPONENTS] = {0, 1, 2, 2, 2, 1};
  for (int k = 0; k < 3; k++) {
    if (!c[k].on) continue;
    const double factor = exact_exp(0.5 * dt * c[k].rate);
    domain->boxlo[k] = (domain->boxlo[k] - fixed[k]) * factor + fixed[k];
    domain->boxhi[k] = (domain->boxhi[k] - fixed[k]) * factor + fixed[k];
    for (int t = 3; t < NCOMPONENTS; t++)
      if (scale[t] && EDGE_OF[t] == k) domain->h[t] *= factor;
  }
}

void NoseHooverBarostat::change_box(double dt, double *remap)
{
  BoxRemap box(domain);
  for (Component &x : c) x.place += 0.5 * dt * x.rate;
  change_tilt(dt);
  change_edges(dt);
  change_tilt(dt);
  domain->yz = domain->h[YZ_TILT];
  domain->xz = domain->h[XZ_TILT];
  domain->xy = domain->h[XY_TILT];
  box.finish(remap);
}

/* ---------------------------------------------------------------------- */

bool NoseHooverBarostat::is_tilted_too_far() const
{
  static constexpr double LIMIT = 1.5;
  return std::fabs(domain->yz) > LIMIT * domain->yprd || std::fabs(domain->xz) > LIMIT * domain->xprd ||
         std::fabs(domain->xy) > LIMIT * domain->xprd;
}

double NoseHooverBarostat::work() const
{
  return number_of_edges() ? hydrostatic * (volume() - reference.volume) / force->nktv2p : 0.0;
}

double NoseHooverBarostat::potential(int k) const
{
  if (shape() == ISO) return work();
  return k < 3 && c[k].on ? work() / number_of_edges() : 0.0;
}
