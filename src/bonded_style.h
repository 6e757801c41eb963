/* -*- c++ -*- What bond, angle, dihedral and improper styles of this package have in common: their coefficients, and the
   engine's style.   SPDX-License-Identifier: GPL-2.0-or-later

   STYLE is LAMMPS's class Bond, Angle, Dihedral or Improper: all of them have these functions under the same names. */

#ifndef LMP_DPDSOP_BONDED_STYLE_H
#define LMP_DPDSOP_BONDED_STYLE_H

#include "bonded_coefficients.h"

#include "atom.h"
#include "memory.h"

#include <utility>

namespace LAMMPS_NS {

template <class STYLE> class BondedStyle : public STYLE {
 public:
  ~BondedStyle() override { this->memory->destroy(this->setflag); }

  void coeff(int narg, char **arg) override
  {
    if (!this->allocated) allocate();
    coefficients.set(narg, arg, this->setflag);
  }

  void write_restart(FILE *file) override { coefficients.write_restart(file); }

  void read_restart(FILE *file) override
  {
    allocate();
    coefficients.read_restart(file);
    for (int t = 1; t <= this->atom->*ntypes; t++) this->setflag[t] = 1;
  }

  void write_data(FILE *file) override { coefficients.write_data(file); }

  const int engine_style;    // DS_BOND_STYLE_HARMONIC ...
  virtual ds_bonded_type type_of(int type) const { return coefficients.of(type); }

  std::vector<ds_bonded_type> types() const    // index 0 is not used
  {
    std::vector<ds_bonded_type> all(1);
    for (int t = 1; t <= this->atom->*ntypes; t++) all.push_back(type_of(t));
    return all;
  }

 protected:
  BondedCoefficients coefficients;

  // For extract(), which older versions of LAMMPS do not have for all kinds
  void *find_coefficients(const char *name, int &dim)
  {
    dim = 1;
    return coefficients.extract(name);
  }

  // kind: bond, angle, dihedral or improper. name: that of the style. number_of_types: member of Atom for this kind

  BondedStyle(LAMMPS *lmp, const char *kind, const char *name, int engine_style_in, int Atom::*number_of_types,
              std::vector<BondedCoefficients::Column> columns) :
      STYLE(lmp), engine_style(engine_style_in), coefficients(lmp, kind, name, std::move(columns)), ntypes(number_of_types)
  {
    this->born_matrix_enable = 1;
  }

 private:
  int Atom::*const ntypes;

  void allocate()
  {
    this->allocated = 1;
    coefficients.allocate(this->atom->*ntypes, this->setflag);
  }
};

}    // namespace LAMMPS_NS

#endif
