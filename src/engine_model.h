/* -*- c++ -*- Coefficients and what else forces depend on, as the engine wants them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ENGINE_MODEL_H
#define LMP_DPDSOP_ENGINE_MODEL_H

#include "pointers.h"

#include "dpdsop/pair.h"

#include <vector>

namespace LAMMPS_NS {

class EngineModel : protected Pointers {
 public:
  EngineModel(class LAMMPS *, const ds_pair_style *);
  EngineModel(const EngineModel &) = delete;
  EngineModel &operator=(const EngineModel &) = delete;

  // Skin and cutoffs are taken when styles are initialized, because LAMMPS makes ghosts and lists for the values of that time.
  // From begin() on, pairs of types whose cutoff has not been set do not interact: in pair hybrid they belong to other styles

  void begin();
  void set_cutoff(int itype, int jtype, double cut);
  double skin() const { return model.skin; }

  // n matrices with types from 1, as Pair has them. Pairs of types without a cutoff get the values `allowed`

  void set_coefficients(int n, double ***values, const double *allowed);
  void set_bath(double kT, int seed);
  void set_place(int place);    // number of this model among those with the same seed, so that each has its own noise
  double single(int itype, int jtype, double rsq, double factor, double &fforce) const;

  // Gives the model to the engine if something has changed since the last call

  ds_status give_to(ds_pair *, ds_error *);
  void reneighbor() { changed = true; }

 private:
  const ds_pair_style *style;
  ds_pair_model model;
  std::vector<double> coeff[DS_MAX_COEFFICIENTS], cutoff;    // what model points to
  bool changed;

  void follow_lammps();
};

}    // namespace LAMMPS_NS

#endif
