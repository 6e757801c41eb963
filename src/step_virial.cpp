/* The virial of all forces over all ranks, for styles that follow a pressure.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "step_virial.h"

#include "bonded_lists.h"
#include "engine_handle.h"
#include "pair_together.h"
#include "step_arrays.h"

#include "atom.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "kspace.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

using namespace LAMMPS_NS;

static constexpr int N = 6;

/* ---------------------------------------------------------------------- */

StepVirial::StepVirial(LAMMPS *lmp) : Pointers(lmp), bonded(), step_of_bonded(-1) {}

static void add(double *to, const double *virial)
{
  for (int k = 0; k < N; k++) to[k] += virial[k];
}

/* ----------------------------------------------------------------------
   LAMMPS's own pair styles, also in a hybrid, have added up virials as numbers
------------------------------------------------------------------------- */

void StepVirial::of_pairs(double *virial, double *mine) const
{
  const std::vector<EngineHandle *> engines = PairTogether::engines_of(lmp);
  for (EngineHandle *engine : engines) engine->add_virial(virial);
  if (engines.empty() && force->pair) add(mine, force->pair->virial);
}

void StepVirial::of_others(double *mine) const
{
  if (atom->molecular != Atom::ATOMIC) {
    for (const ds_bonded_sum *const sum : {&bonded.bonds, &bonded.angles, &bonded.dihedrals, &bonded.impropers})
      add(mine, sum->virial);
  }
  for (Fix *fix : modify->get_fix_list())
    if (fix->thermo_virial) add(mine, fix->virial);
}

/* ---------------------------------------------------------------------- */

void StepVirial::take_bonded(bigint step, const ds_bonded_sums &sums)
{
  step_of_bonded = step;
  bonded = sums;
}

void StepVirial::look_at_bonds()
{
  if (atom->molecular != Atom::ATOMIC) take_bonded(update->ntimestep, BondedLists::sums(lmp));
}

/* ----------------------------------------------------------------------
   What pairs beyond the cutoff add (pair_modify tail), as in LAMMPS's compute pressure
------------------------------------------------------------------------- */

void StepVirial::add_tail(double *virial) const
{
  const Pair *const pair = force->pair;
  if (!pair || !pair->tail_flag) return;
  const double volume = domain->xprd * domain->yprd * (domain->dimension == 3 ? domain->zprd : 1.0);
  for (int k = 0; k < domain->dimension; k++) virial[k] += pair->ptail / volume;
}

/* ----------------------------------------------------------------------
   Virials of each rank are rounded and added up as integers, so that the order of ranks
   does not matter
------------------------------------------------------------------------- */

void StepVirial::take(double unit, double *virial)
{
  double mine[N] = {};
  for (int k = 0; k < N; k++) virial[k] = 0.0;
  of_pairs(virial, mine);
  of_others(mine);
  ds_exact_sum sums[N];
  for (int k = 0; k < N; k++) sums[k] = ds_exact_term(mine[k], unit);
  StepArrays::add_over_ranks(lmp, sums, N);
  for (int k = 0; k < N; k++) virial[k] += ds_exact_value(&sums[k], unit);
  if (force->kspace && force->kspace->compute_flag) add(virial, force->kspace->virial);    // the same on all ranks
  add_tail(virial);
}
