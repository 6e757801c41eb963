/* fix langevin/sop/gpu: its values.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "sop_beads.h"

#include "comm.h"
#include "error.h"
#include "force.h"
#include "update.h"

#include <cerrno>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Which values are computed together: a fix that asks for the temperature in each step
   does not pay for energies
------------------------------------------------------------------------- */

FixLangevinSOPGPU::Part FixLangevinSOPGPU::part_of(int k)
{
  if (k == TEMPERATURE) return OF_NOISE;
  if (k == INTACT) return OF_CONTACTS;
  if (k == PULL || k == EXTENSION) return OF_PULL;
  if (k == TIP || k == TRAVEL) return OF_TIP;
  return OF_ENERGIES;
}

/* ----------------------------------------------------------------------
   This rank's part of the sums over all molecules; values[NVALUES] counts beads of the
   noise
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::add_energies(double *mine)
{
  ds_sop_energies e;
  session->note(ds_sop_energy(sop, &e, nullptr, session->error_text()));

  // if ranks share molecules, all have the same values, and one counts

  if (!session->working() || beads->count_of(comm->me) == 0) return;
  mine[BONDS] = e.bonds;
  mine[NATIVE] = e.native;
  mine[OTHER] = e.other;
  mine[ANGLES] = e.angles;
}

void FixLangevinSOPGPU::add_contacts(double *mine)
{
  std::vector<int64_t> intact(beads->molecules() + 1);
  session->note(ds_sop_intact(sop, intact.data(), session->error_text()));
  for (int m = 0; m < beads->count_of(comm->me); m++) mine[INTACT] += (double) intact[m];
}

void FixLangevinSOPGPU::add_noise(double *mine)
{
  double kT = 0.0;
  int64_t moving = 0;
  session->note(ds_sop_noise_temperature(sop, &kT, &moving, session->error_text()));
  mine[TEMPERATURE] = kT / force->boltz * (double) moving;
  mine[NVALUES] = (double) moving;
}

void FixLangevinSOPGPU::add_molecules(int first, int second, double *mine,
                                      ds_status (*of)(const ds_sop *, double *, double *, ds_error *))
{
  std::vector<double> a(beads->molecules() + 1), b(beads->molecules() + 1);
  session->note(of(sop, a.data(), b.data(), session->error_text()));
  for (int m = 0; m < beads->count_of(comm->me); m++) {
    mine[first] += a[m];
    mine[second] += b[m];
  }
}

/* ----------------------------------------------------------------------
   Computes the values of a part for this step
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::evaluate(Part part)
{
  if (values_step[part] == update->ntimestep) return;
  if (!sop || beads->all_molecules() == 0) error->all(FLERR, "{}: there are no values before the first run", user);
  if (update->whichflag == 0) beads->plan();    // atoms may have gone since the last run

  // other fixes may have moved atoms since

  double mine[NVALUES + 1] = {}, all[NVALUES + 1];
  if (part != OF_NOISE) put_positions();
  if (session->working()) {
    if (part == OF_ENERGIES) add_energies(mine);
    if (part == OF_CONTACTS) add_contacts(mine);
    if (part == OF_NOISE) add_noise(mine);
    if (part == OF_PULL) add_molecules(PULL, EXTENSION, mine, ds_sop_pulling);
    if (part == OF_TIP) add_molecules(TIP, TRAVEL, mine, ds_sop_indenting);
  }
  agree();
  MPI_Allreduce(mine, all, NVALUES + 1, MPI_DOUBLE, MPI_SUM, world);

  const double molecules = MAX((double) beads->all_molecules(), 1.0);
  all[TEMPERATURE] = all[NVALUES] > 0.0 ? all[TEMPERATURE] / all[NVALUES] : 0.0;
  all[INTACT] = topology.contacts ? all[INTACT] / (molecules * topology.contacts) : 1.0;
  for (int k : {PULL, EXTENSION, TIP, TRAVEL}) all[k] /= molecules;

  // command rerun evaluates steps that this fix has not made

  if (moved < 0) all[TEMPERATURE] = all[PULL] = all[TIP] = all[TRAVEL] = 0.0;
  for (int k = 0; k < NVALUES; k++)
    if (part_of(k) == part) values[k] = all[k];
  values_step[part] = update->ntimestep;
}

/* ---------------------------------------------------------------------- */

double FixLangevinSOPGPU::compute_scalar()
{
  evaluate(OF_ENERGIES);
  return values[BONDS] + values[NATIVE] + values[OTHER] + values[ANGLES];
}

double FixLangevinSOPGPU::compute_vector(int k)
{
  evaluate(part_of(k));
  return values[k];
}
