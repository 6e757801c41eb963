/* -*- c++ -*- What dihedral and improper styles of this package have in common: forces on the four atoms of LAMMPS's lists.
   SPDX-License-Identifier: GPL-2.0-or-later

   As in bond_gpu.h. STYLE is LAMMPS's class Dihedral or Improper. */

#ifndef LMP_DPDSOP_TORSION_STYLE_H
#define LMP_DPDSOP_TORSION_STYLE_H

#include "bonded_style.h"

#include "force.h"

#include "dpdsop/device/torsion.h"

#include <utility>

namespace LAMMPS_NS {

template <class STYLE> class TorsionStyle : public BondedStyle<STYLE> {
 public:
  // Goes through LAMMPS's list in its order, because the engine adds forces to an atom in this order, too

  void compute(int eflag, int vflag) override
  {
    const std::vector<ds_bonded_type> type = this->types();
    const int nlocal = this->atom->nlocal, newton = this->force->newton_bond;
    double *const *const f = this->atom->f;
    int n;
    const int *const *const list = get_list(n);
    this->ev_init(eflag, vflag);
    for (int k = 0; k < n; k++) {
      const int *const i = list[k];
      double b[3][3], on[4][3];
      find_vectors(i, b);
      const double energy = ds_torsion_forces(this->engine_style, &type[i[4]], b, on);
      for (int m = 0; m < 4; m++)
        for (int d = 0; d < 3 && (newton || i[m] < nlocal); d++) f[i[m]][d] += on[m][d];
      if (this->evflag)
        this->ev_tally(i[0], i[1], i[2], i[3], nlocal, newton, eflag ? energy : 0.0, on[0], on[2], on[3], b[0][0], b[0][1],
                       b[0][2], b[1][0], b[1][1], b[1][2], b[2][0], b[2][1], b[2][2]);
    }
  }

#if DS_LAMMPS_VERSION > 20250204    // older versions do not have this function
  void *extract(const char *name, int &dim) override { return this->find_coefficients(name, dim); }
#endif

 protected:
  TorsionStyle(LAMMPS *lmp, const char *kind, const char *name, int engine_style_in, int Atom::*number_of_types,
               std::vector<BondedCoefficients::Column> columns) :
      BondedStyle<STYLE>(lmp, kind, name, engine_style_in, number_of_types, std::move(columns))
  {
    this->born_matrix_enable = 0;
    this->writedata = 1;
  }

  virtual const int *const *get_list(int &n) const = 0;    // four atoms and the type of each

  // Vectors from the second atom to the first, from the second to the third, from the third to the fourth

  void find_vectors(const int *i, double b[3][3]) const
  {
    const double *const *const x = this->atom->x;
    for (int d = 0; d < 3; d++) {
      b[0][d] = x[i[0]][d] - x[i[1]][d];
      b[1][d] = x[i[2]][d] - x[i[1]][d];
      b[2][d] = x[i[3]][d] - x[i[2]][d];
    }
  }
};

}    // namespace LAMMPS_NS

#endif
