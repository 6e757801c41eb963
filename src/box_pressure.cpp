/* Target pressures of a barostat along the edges of the box, and the present pressures.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "box_pressure.h"

#include "domain.h"
#include "force.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

BoxPressure::BoxPressure(LAMMPS *lmp) : Pointers(lmp), c(), couple(NONE) {}

bool BoxPressure::is_on() const
{
  return std::any_of(c, c + NCOMPONENTS, [](const Component &x) { return x.on; });
}

int BoxPressure::number_of_edges() const
{
  return static_cast<int>(std::count_if(c, c + 3, [](const Component &x) { return x.on; }));
}

BoxPressure::Shape BoxPressure::shape() const
{
  if (std::any_of(c + 3, c + NCOMPONENTS, [](const Component &x) { return x.on; })) return TILTED;
  return couple == XYZ || (domain->dimension == 2 && couple == XY) ? ISO : ANISO;
}

int BoxPressure::number_of_components() const
{
  static constexpr int OF_SHAPE[] = {1, 3, 6};
  return OF_SHAPE[shape()];
}

bool BoxPressure::is_coupled(int axis) const
{
  static constexpr bool COUPLED[][3] = {
      {false, false, false}, {true, true, true}, {true, true, false}, {false, true, true}, {true, false, true}};
  return COUPLED[couple][axis];
}

double BoxPressure::volume() const
{
  return domain->xprd * domain->yprd * (domain->dimension == 3 ? domain->zprd : 1.0);
}

void BoxPressure::set_targets(double part)
{
  for (Component &x : c)
    if (x.on) x.target = x.start + part * (x.stop - x.start);
}

/* ---------------------------------------------------------------------- */

void BoxPressure::mean_of(int i, int j)
{
  c[i].current = c[j].current = 0.5 * (c[i].current + c[j].current);
}

bool BoxPressure::take(const double *kinetic, const double *virial, double trace)
{
  static constexpr int PLACE[NCOMPONENTS] = {0, 1, 2, 5, 4, 3};    // in the order xx yy zz xy xz yz
  const double unit = force->nktv2p / volume();
  for (int k = 0; k < NCOMPONENTS; k++) c[k].current = (kinetic[PLACE[k]] + virial[PLACE[k]]) * unit;
  if (shape() == ISO) {
    const int n = domain->dimension;
    const double sum = trace + virial[0] + virial[1] + (n == 3 ? virial[2] : 0.0);
    for (int k = 0; k < 3; k++) c[k].current = sum / n * unit;
  } else if (couple == XYZ) {
    const double mean = (c[0].current + c[1].current + c[2].current) / 3.0;
    for (int k = 0; k < 3; k++) c[k].current = mean;
  } else if (couple == XY)
    mean_of(0, 1);
  else if (couple == YZ)
    mean_of(1, 2);
  else if (couple == XZ)
    mean_of(0, 2);
  return std::all_of(c, c + NCOMPONENTS, [](const Component &x) { return std::isfinite(x.current); });
}

/* ---------------------------------------------------------------------- */

BoxRemap::BoxRemap(Domain *domain_in) : domain(domain_in)
{
  std::copy(domain->h_inv, domain->h_inv + 6, inverse);
  std::copy(domain->boxlo, domain->boxlo + 3, corner);
}

// Products of upper triangular matrices, xx yy zz yz xz xy

void BoxRemap::finish(double *numbers)
{
  enum { XX, YY, ZZ, YZ, XZ, XY };
  const double *const h = domain->h, *const i = inverse;
  domain->set_global_box();
  domain->set_local_box();
  for (int k = XX; k <= ZZ; k++) numbers[k] = h[k] * i[k];
  numbers[YZ] = h[YY] * i[YZ] + h[YZ] * i[ZZ];
  numbers[XZ] = h[XX] * i[XZ] + h[XY] * i[YZ] + h[XZ] * i[ZZ];
  numbers[XY] = h[XX] * i[XY] + h[XY] * i[YY];
  std::copy(corner, corner + 3, numbers + 6);
  std::copy(domain->boxlo, domain->boxlo + 3, numbers + 9);
}
