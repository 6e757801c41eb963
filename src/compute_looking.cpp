/* What computes have in common that look at the engine's atoms by themselves.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_looking.h"

#include "engine_handle.h"
#include "pair_together.h"

#include "error.h"
#include "force.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeLooking::ComputeLooking(LAMMPS *lmp, int narg, char **arg) : Compute(lmp, narg, arg), looked(-1) {}

/* ----------------------------------------------------------------------
   Compute::tlist has steps in descending order. If this step is one of them, what reads
   the compute now will add its next step only then
------------------------------------------------------------------------- */

bigint ComputeLooking::next_reading(bigint step) const
{
  bigint next = MAXBIGINT;
  for (int k = 0; k < ntime; k++) {
    if (tlist[k] == step) return NOT_KNOWN;
    if (tlist[k] > step) next = std::min(next, tlist[k]);
  }
  return next;
}

/* ---------------------------------------------------------------------- */

void ComputeLooking::has_looked()
{
  looked = update->ntimestep;
}

bool ComputeLooking::is_to_look_now() const
{
  return looked != update->ntimestep;
}

void ComputeLooking::require_latest_positions(const char *what) const
{
  const std::vector<EngineHandle *> engines = PairTogether::engines_of(lmp);
  if (!engines.empty() && engines[0]->has_latest_positions())
    error->all(FLERR, "Compute {}: {} in step {}, allowed: a step of which LAMMPS knows ahead that compute {} is read", style,
               what, update->ntimestep, id);
}
