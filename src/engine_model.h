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

  // What ghosts and lists are made for comes when styles are initialized, as LAMMPS makes them for what
  // was set by then: the skin and the cutoffs. From begin() on, pairs without a cutoff do not interact:
  // they are not this style's own, and pair hybrid has others for them

  void begin();
  void set_cutoff(int itype, int jtype, double cut);
  double skin() const { return model.skin; }

  // n matrices with types from 1, as Pair has them; pairs without a cutoff get what is always allowed

  void set_coefficients(int n, double ***values, const double *allowed);
  void set_bath(double kT, int seed);
  void set_place(int place);    // among models with this seed: each has noise of its own
  double single(int itype, int jtype, double rsq, double factor, double &fforce) const;

  // hands it over where something has changed since the last time, or since rebuild()

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
