/* Coefficients and what else forces depend on, as the engine wants them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "engine_model.h"

#include "atom.h"
#include "force.h"
#include "neighbor.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

EngineModel::EngineModel(LAMMPS *lmp, const ds_pair_style *style_in) :
    Pointers(lmp), style(style_in), model(), version(1)
{
}

/* ---------------------------------------------------------------------- */

void EngineModel::begin()
{
  model.skin = neighbor->skin;
  cutoff.assign(static_cast<size_t>(atom->ntypes) * atom->ntypes, 0.0);
  model.cutoff = cutoff.data();
  version++;
}

void EngineModel::set_cutoff(int itype, int jtype, double cut)
{
  const size_t n = atom->ntypes, i = itype - 1, j = jtype - 1;
  cutoff[i * n + j] = cutoff[j * n + i] = cut;
  version++;
}

/* ---------------------------------------------------------------------- */

void EngineModel::set_coefficients(int n, double ***values, const double *allowed)
{
  const int ntypes = atom->ntypes;
  model.ntypes = ntypes;
  for (int k = 0; k < n; k++) {
    coeff[k].assign(cutoff.size(), allowed[k]);
    for (int p = 0; p < static_cast<int>(cutoff.size()); p++)
      if (cutoff[p] > 0.0) coeff[k][p] = values[k][p / ntypes + 1][p % ntypes + 1];
    model.coeff[k] = coeff[k].data();
  }
  version++;
}

/* ---------------------------------------------------------------------- */

void EngineModel::set_everywhere(int coefficient, double value)
{
  model.ntypes = atom->ntypes;
  coeff[coefficient].assign(cutoff.size(), value);
  model.coeff[coefficient] = coeff[coefficient].data();
  version++;
}

bool EngineModel::has_pairs() const
{
  return std::any_of(cutoff.begin(), cutoff.end(), [](double c) { return c > 0.0; });
}

/* ---------------------------------------------------------------------- */

void EngineModel::set_bath(double kT, int seed)
{
  model.kT = kT;
  model.seed = static_cast<uint32_t>(seed);
  version++;
}

/* ---------------------------------------------------------------------- */

void EngineModel::set_place(int place)
{
  model.place = static_cast<uint32_t>(place);
  version++;
}

/* ---------------------------------------------------------------------- */

double EngineModel::single(int itype, int jtype, double rsq, double charges, double factor, double &fforce) const
{
  return ds_pair_single(style, &model, itype, jtype, rsq, charges, factor, &fforce);
}

/* ---------------------------------------------------------------------- */

const double *EngineModel::factors() const
{
  return reads_charges() ? force->special_coul : force->special_lj;
}

/* ----------------------------------------------------------------------
   Time step and special factors belong to LAMMPS. They may change between two
   evaluations (fix dt/reset, pair hybrid), so they are compared each time
------------------------------------------------------------------------- */

void EngineModel::follow_lammps(bool keeps_special)
{
  double special[4] = {1.0, factors()[1], factors()[2], factors()[3]};
  if (keeps_special) std::copy(model.special, model.special + 4, special);

  if (model.dt == update->dt && std::equal(special, special + 4, model.special)) return;
  model.dt = update->dt;
  std::copy(special, special + 4, model.special);
  version++;
}

bool EngineModel::needs_special(bool keeps_special) const
{
  const double *const special = keeps_special ? model.special : factors();
  return std::any_of(special + 1, special + 4, [](double factor) { return factor != 1.0; });
}

/* ---------------------------------------------------------------------- */

ds_status EngineModel::give_to(ds_pair *pair, int number, bool keeps_special, bigint *given, ds_error *err)
{
  follow_lammps(keeps_special);
  if (*given == version) return DS_OK;
  *given = version;
  return ds_pair_set_model_of(pair, number, &model, err);
}
