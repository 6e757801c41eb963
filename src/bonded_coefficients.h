/* -*- c++ -*- Coefficients of bond and angle styles of this package: their commands, files and restart records, which
   are those of LAMMPS's styles of the same names.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BONDED_COEFFICIENTS_H
#define LMP_DPDSOP_BONDED_COEFFICIENTS_H

#include "pointers.h"

#include "dpdsop/resident.h"

#include <cstdio>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class BondedCoefficients : protected Pointers {
 public:
  struct Column {
    const char *name;    // by which LAMMPS's fix adapt asks for it, too
    double ds_bonded_type::*where;
    double unit;    // of a number in commands and data files
  };
  // kind: bond or angle; style: as error texts name it
  BondedCoefficients(LAMMPS *, const char *kind, const char *style, std::vector<Column>);

  void allocate(int ntypes, int *&setflag);
  void set(int narg, char **arg, int *setflag);    // arguments of bond_coeff or angle_coeff
  void write_restart(FILE *) const;
  void read_restart(FILE *);
  void write_data(FILE *) const;
  void *extract(const char *name);    // an array by type, or NULL

  // as the engine wants them. Fix adapt may have changed them
  ds_bonded_type of(int type) const;
  std::vector<ds_bonded_type> all() const;

 private:
  const std::string kind, user;
  const std::vector<Column> columns;
  int ntypes;
  std::vector<std::vector<double>> values;    // of each column, by type from 1 on

  std::string syntax() const;
};

}    // namespace LAMMPS_NS

#endif
