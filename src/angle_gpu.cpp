/* Angles of the engine: LAMMPS's angle styles harmonic and cosine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "angle_gpu.h"

#include "pi.h"

#include "atom.h"
#include "domain.h"
#include "force.h"
#include "neighbor.h"

#include "dpdsop/device/bonded.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

AngleGPU::AngleGPU(LAMMPS *lmp, const char *name, int engine_style_in, std::vector<BondedCoefficients::Column> columns) :
    BondedStyle<Angle>(lmp, "angle", name, engine_style_in, &Atom::nangletypes, std::move(columns))
{
}

/* ----------------------------------------------------------------------
   Vectors from the atom in the middle, j, to the two others
------------------------------------------------------------------------- */

static void take_sides(const double *const *x, int i, int j, int k, double d1[3], double d3[3])
{
  for (int d = 0; d < 3; d++) {
    d1[d] = x[i][d] - x[j][d];
    d3[d] = x[k][d] - x[j][d];
  }
}

/* ----------------------------------------------------------------------
   Goes through LAMMPS's list in its order
------------------------------------------------------------------------- */

void AngleGPU::compute(int eflag, int vflag)
{
  const std::vector<ds_bonded_type> type = types();
  const int nlocal = atom->nlocal, newton = force->newton_bond;
  double *const *const x = atom->x, *const *const f = atom->f;
  ev_init(eflag, vflag);
  for (int n = 0; n < neighbor->nanglelist; n++) {
    const int *const member = neighbor->anglelist[n];
    const int i = member[0], j = member[1], k = member[2];
    double d1[3], d3[3], f1[3], f3[3];
    take_sides(x, i, j, k, d1, d3);
    const double energy_of = ds_angle_forces(engine_style, &type[member[3]], d1, d3, f1, f3);
    for (int d = 0; d < 3; d++) {
      if (newton || i < nlocal) f[i][d] += f1[d];
      if (newton || j < nlocal) f[j][d] -= f1[d] + f3[d];
      if (newton || k < nlocal) f[k][d] += f3[d];
    }
    if (evflag)
      ev_tally(i, j, k, nlocal, newton, eflag ? energy_of : 0.0, f1, f3, d1[0], d1[1], d1[2], d3[0], d3[1], d3[2]);
  }
}

/* ----------------------------------------------------------------------
   Newer versions of minimum_image() take the place of the call as an argument. The
   second function is for versions without it
------------------------------------------------------------------------- */

template <class D>
static auto take_nearest(const D *domain, double way[3], int) -> decltype(domain->minimum_image(FLERR, way))
{
  return domain->minimum_image(FLERR, way);
}

template <class D> static void take_nearest(const D *domain, double way[3], long)
{
  domain->minimum_image(way);
}

void AngleGPU::find_sides(int i, int j, int k, double d1[3], double d3[3]) const
{
  take_sides(atom->x, i, j, k, d1, d3);
  take_nearest(domain, d1, 0);
  take_nearest(domain, d3, 0);
}

double AngleGPU::single(int type, int i, int j, int k)
{
  const ds_bonded_type t = coefficients.of(type);
  double d1[3], d3[3], f1[3], f3[3];
  find_sides(i, j, k, d1, d3);
  return ds_angle_forces(engine_style, &t, d1, d3, f1, f3);
}

double AngleGPU::cosine_of(int i, int j, int k) const
{
  double d1[3], d3[3];
  find_sides(i, j, k, d1, d3);
  return ds_angle_cosine(d1, d3, sqrt(ds_dot(d1, d1)) * sqrt(ds_dot(d3, d3)));
}

/* ---------------------------------------------------------------------- */

AngleHarmonicGPU::AngleHarmonicGPU(LAMMPS *lmp) :
    AngleGPU(lmp, "harmonic/gpu", DS_ANGLE_STYLE_HARMONIC_EXACT,
             {{"k", &ds_bonded_type::k, 1.0}, {"theta0", &ds_bonded_type::at, DEGREE}})
{
}

/* ----------------------------------------------------------------------
   first and second derivative of the energy by the cosine of the angle
------------------------------------------------------------------------- */

void AngleHarmonicGPU::born_matrix(int type, int i, int j, int k, double &first, double &second)
{
  const ds_bonded_type t = coefficients.of(type);
  const double cosine = cosine_of(i, j, k), sine = sqrt(1.0 - cosine * cosine);
  const double away = ds_arc_cosine(cosine) - t.at;
  first = -2.0 * t.k * away / sine;
  second = 2.0 * t.k * (sine - away * cosine) / (sine * sine * sine);
}

/* ---------------------------------------------------------------------- */

AngleCosineGPU::AngleCosineGPU(LAMMPS *lmp) :
    AngleGPU(lmp, "cosine/gpu", DS_ANGLE_STYLE_COSINE, {{"k", &ds_bonded_type::k, 1.0}})
{
}

double AngleCosineGPU::equilibrium_angle(int /*type*/)
{
  return PI;
}

void AngleCosineGPU::born_matrix(int type, int, int, int, double &first, double &second)
{
  first = coefficients.of(type).k;
  second = 0.0;
}
