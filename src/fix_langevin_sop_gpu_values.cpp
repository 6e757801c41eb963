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
   Computes all values of the fix for this step
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::evaluate()
{
  if (values_step == update->ntimestep) return;
  if (!sop || beads->all_molecules() == 0)
    error->all(FLERR, "{}: there are no values before the first run", user);
  if (update->whichflag == 0) beads->plan();    // atoms may have gone since the last run
  ds_sop_energies e;
  const int n = beads->molecules(), told_here = beads->count_of(comm->me);
  std::vector<double> pulling(n + 1), extension(n + 1), pressing(n + 1), travel(n + 1);
  double kT = 0.0;
  int64_t moving = 0;

  // other fixes may have moved atoms since

  put_positions();
  if (session->working()) session->note(ds_sop_energy(sop, &e, nullptr, session->error_text()));
  if (session->working())
    session->note(ds_sop_pulling(sop, pulling.data(), extension.data(), session->error_text()));
  if (session->working())
    session->note(ds_sop_indenting(sop, pressing.data(), travel.data(), session->error_text()));
  if (session->working())
    session->note(ds_sop_noise_temperature(sop, &kT, &moving, session->error_text()));
  agree();

  double mine[NVALUES + 1] = {};
  if (told_here) {    // if ranks share molecules, all have the same values, and one counts
    mine[BONDS] = e.bonds;
    mine[NATIVE] = e.native;
    mine[OTHER] = e.other;
    mine[ANGLES] = e.angles;
    mine[INTACT] = (double) e.intact;
  }
  mine[TEMPERATURE] = kT / force->boltz * (double) moving;
  for (int m = 0; m < told_here; m++) {
    mine[PULL] += pulling[m];
    mine[EXTENSION] += extension[m];
    mine[TIP] += pressing[m];
    mine[TRAVEL] += travel[m];
  }
  mine[NVALUES] = (double) moving;
  double all[NVALUES + 1];
  MPI_Allreduce(mine, all, NVALUES + 1, MPI_DOUBLE, MPI_SUM, world);
  for (int k = 0; k < NVALUES; k++) values[k] = all[k];

  const double molecules = MAX((double) beads->all_molecules(), 1.0);
  values[TEMPERATURE] = all[NVALUES] > 0.0 ? all[TEMPERATURE] / all[NVALUES] : 0.0;
  values[INTACT] = topology.contacts ? all[INTACT] / (molecules * topology.contacts) : 1.0;
  for (int k : {PULL, EXTENSION, TIP, TRAVEL}) values[k] /= molecules;

  // command rerun evaluates steps that this fix has not made

  if (moved < 0)
    values[TEMPERATURE] = values[PULL] = values[TIP] = values[TRAVEL] = 0.0;
  values_step = update->ntimestep;
}

/* ---------------------------------------------------------------------- */

double FixLangevinSOPGPU::compute_scalar()
{
  evaluate();
  return values[BONDS] + values[NATIVE] + values[OTHER] + values[ANGLES];
}

double FixLangevinSOPGPU::compute_vector(int k)
{
  evaluate();
  return values[k];
}
