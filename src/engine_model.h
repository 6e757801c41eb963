/* -*- c++ -*- Coefficients and what else forces depend on, as the engine wants them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_ENGINE_MODEL_H
#define LMP_DPDSOP_ENGINE_MODEL_H

#include "pointers.h"

#include "dpdsop/dpd.h"

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
  void set_everywhere(int coefficient, double value);    // one value for all pairs of types
  void set_bath(double kT, int seed);
  void set_place(int place);    // number of this model among those with the same seed, so that each has its own noise
  // charges: the product of both, for a style that reads charges
  double single(int itype, int jtype, double rsq, double charges, double factor, double &fforce) const;
  bool reads_charges() const { return ds_pair_style_reads_charges(style) != 0; }
  bool has_pairs() const;    // some pair of types interacts
  const ds_pair_style *get_style() const { return style; }

  // Gives the model to an object of the engine, as that of its style `number`, if something has changed since version *given.
  // keeps_special: special factors are those of the last call without, because LAMMPS's are not those of this style now

  ds_status give_to(ds_pair *, int number, bool keeps_special, bigint *given, ds_error *);
  bool needs_special(bool keeps_special) const;    // special factors change forces

 private:
  const ds_pair_style *style;
  ds_pair_model model;
  std::vector<double> coeff[DS_MAX_COEFFICIENTS], cutoff;    // what model points to
  bigint version;                                            // of the model

  const double *factors() const;    // of special bonds, as LAMMPS has them now
  void follow_lammps(bool keeps_special);
};

}    // namespace LAMMPS_NS

#endif
