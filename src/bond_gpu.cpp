/* Bonds of the engine: LAMMPS's bond styles harmonic and fene.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "bond_gpu.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "neighbor.h"
#include "update.h"

#include "dpdsop/device/bonded.h"

using namespace LAMMPS_NS;

static constexpr double BAD = -3.0;    // the value of 1 - r^2/r0^2 at r = 2 r0, from which on LAMMPS ends the run

/* ---------------------------------------------------------------------- */

BondGPU::BondGPU(LAMMPS *lmp, const char *name, int engine_style_in, std::vector<BondedCoefficients::Column> columns) :
    BondedStyle<Bond>(lmp, "bond", name, engine_style_in, &Atom::nbondtypes, std::move(columns))
{
  reinitflag = 1;
}

/* ---------------------------------------------------------------------- */

void BondGPU::complain(double r2, const ds_bonded_type &type, const std::string &members) const
{
  error->warning(FLERR, "FENE bond too long: {}{} {:.8}", update->ntimestep, members, sqrt(r2));
  if (ds_fene_argument(&type, r2) <= BAD) error->one(FLERR, "Bad FENE bond");
}

/* ----------------------------------------------------------------------
   Goes through LAMMPS's list in its order, because the engine adds forces to an atom in
   this order, too
------------------------------------------------------------------------- */

void BondGPU::compute(int eflag, int vflag)
{
  const std::vector<ds_bonded_type> type = types();
  const int nlocal = atom->nlocal, newton = force->newton_bond;
  double *const *const x = atom->x, *const *const f = atom->f;
  ev_init(eflag, vflag);
  for (int n = 0; n < neighbor->nbondlist; n++) {
    const int i = neighbor->bondlist[n][0], j = neighbor->bondlist[n][1];
    const ds_bonded_type &t = type[neighbor->bondlist[n][2]];
    const double way[3] = {x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2]};
    const double r2 = ds_dot(way, way);
    int too_long = 0;
    const double over_distance = ds_bond_force(engine_style, &t, r2, &too_long);
    if (too_long) complain(r2, t, fmt::format(" {} {}", atom->tag[i], atom->tag[j]));
    for (int d = 0; d < 3 && (newton || i < nlocal); d++) f[i][d] += way[d] * over_distance;
    for (int d = 0; d < 3 && (newton || j < nlocal); d++) f[j][d] -= way[d] * over_distance;
    if (!evflag) continue;
    const double energy_of = eflag ? ds_bond_energy(engine_style, &t, r2) : 0.0;
    ev_tally(i, j, nlocal, newton, energy_of, over_distance, way[0], way[1], way[2]);
  }
}

double BondGPU::single(int type, double r2, int /*i*/, int /*j*/, double &over_distance)
{
  const ds_bonded_type t = coefficients.of(type);
  int too_long = 0;
  over_distance = ds_bond_force(engine_style, &t, r2, &too_long);
  if (too_long) complain(r2, t, "");
  return ds_bond_energy(engine_style, &t, r2);
}

/* ---------------------------------------------------------------------- */

BondHarmonicGPU::BondHarmonicGPU(LAMMPS *lmp) :
    BondGPU(lmp, "harmonic/gpu", DS_BOND_STYLE_HARMONIC, {{"k", &ds_bonded_type::k, 1.0}, {"r0", &ds_bonded_type::at, 1.0}})
{
}

/* ----------------------------------------------------------------------
   first and second derivative of the energy
------------------------------------------------------------------------- */

void BondHarmonicGPU::born_matrix(int type, double r2, int, int, double &first, double &second)
{
  const ds_bonded_type t = coefficients.of(type);
  const double r = sqrt(r2);
  second = 2.0 * t.k;
  first = r > 0.0 ? second * (r - t.at) : 0.0;
}

/* ---------------------------------------------------------------------- */

BondFENEGPU::BondFENEGPU(LAMMPS *lmp) :
    BondGPU(lmp, "fene/gpu", DS_BOND_STYLE_FENE,
            {{"k", &ds_bonded_type::k, 1.0},
             {"r0", &ds_bonded_type::at, 1.0},
             {"epsilon", &ds_bonded_type::epsilon, 1.0},
             {"sigma", &ds_bonded_type::sigma, 1.0}})
{
}

void BondFENEGPU::init_style()
{
  const double *const special = force->special_lj;
  if (comm->me == 0 && (special[1] != 0.0 || special[2] != 1.0 || special[3] != 1.0))
    error->warning(FLERR, "Use special bonds = 0,1,1 with bond style fene");
}

/* ----------------------------------------------------------------------
   The value for R0 = 1.5 sigma and k = 30 epsilon/sigma^2, as Kremer and Grest chose them
------------------------------------------------------------------------- */

double BondFENEGPU::equilibrium_distance(int type)
{
  return 0.97 * coefficients.of(type).sigma;
}

void BondFENEGPU::born_matrix(int type, double r2, int, int, double &first, double &second)
{
  const ds_bonded_type t = coefficients.of(type);
  const double r = sqrt(r2), longest2 = t.at * t.at;
  int too_long = 0;
  first = -r * ds_bond_force(engine_style, &t, r2, &too_long);
  if (too_long) complain(r2, t, "");
  const double rest = too_long ? DS_FENE_LEAST : ds_fene_argument(&t, r2);
  second = t.k * (1.0 + r2 / longest2) / (rest * rest);
  if (!ds_fene_is_repulsive(&t, r2)) return;
  const double s2 = t.sigma * t.sigma / r2, s6 = s2 * s2 * s2;
  second += 48.0 * t.epsilon * s6 * (13.0 * s6 - 3.5) / r2;
}
