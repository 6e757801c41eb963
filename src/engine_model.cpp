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
    Pointers(lmp), style(style_in), model(), changed(true)
{
}

/* ---------------------------------------------------------------------- */

void EngineModel::begin()
{
  model.skin = neighbor->skin;
  cutoff.assign(static_cast<size_t>(atom->ntypes) * atom->ntypes, 0.0);
  model.cutoff = cutoff.data();
  changed = true;
}

void EngineModel::set_cutoff(int itype, int jtype, double cut)
{
  const size_t n = atom->ntypes, i = itype - 1, j = jtype - 1;
  cutoff[i * n + j] = cutoff[j * n + i] = cut;
  changed = true;
}

/* ---------------------------------------------------------------------- */

static void copy_active(std::vector<double> &to, int n, double **from, int **active,
                        double otherwise)
{
  to.assign(static_cast<size_t>(n) * n, otherwise);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      if (active[i][j]) to[static_cast<size_t>(i - 1) * n + j - 1] = from[i][j];
}

void EngineModel::set_coefficients(int n, double ***values, const double *allowed, int **active)
{
  model.ntypes = atom->ntypes;
  for (int k = 0; k < n; k++) {
    copy_active(coeff[k], atom->ntypes, values[k], active, allowed[k]);
    model.coeff[k] = coeff[k].data();
  }
  changed = true;
}

/* ---------------------------------------------------------------------- */

void EngineModel::set_bath(double kT, int seed)
{
  model.kT = kT;
  model.seed = static_cast<uint32_t>(seed);
  changed = true;
}

/* ---------------------------------------------------------------------- */

double EngineModel::single(int itype, int jtype, double rsq, double factor, double &fforce) const
{
  return ds_pair_single(style, &model, itype, jtype, rsq, factor, &fforce);
}

/* ----------------------------------------------------------------------
   time step and special factors are not ours and may change between two
   evaluations (fix dt/reset, pair hybrid), so they are looked at each time
------------------------------------------------------------------------- */

void EngineModel::follow_lammps()
{
  const double special[4] = {1.0, force->special_lj[1], force->special_lj[2], force->special_lj[3]};

  if (model.dt == update->dt && std::equal(special, special + 4, model.special)) return;
  model.dt = update->dt;
  std::copy(special, special + 4, model.special);
  changed = true;
}

/* ---------------------------------------------------------------------- */

ds_status EngineModel::give_to(ds_pair *pair, ds_error *err)
{
  follow_lammps();
  if (!changed) return DS_OK;
  changed = false;
  return ds_pair_set_model(pair, &model, err);
}
