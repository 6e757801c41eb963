/* -*- c++ -*- Coefficients of bond, angle, dihedral and improper styles of this package: their commands, data files and restart
   records, as those of LAMMPS's styles of the same names.
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
    const char *name;                 // in error texts, and by which fix adapt asks for it
    double ds_bonded_type::*where;    // NULL: the engine does not need it
    double unit;                      // by which numbers of commands and data files are multiplied
    bool whole = false;               // an integer, also in restart files
    bool (*allows)(double) = nullptr;
    const char *allowed = nullptr;    // the values allowed, in words
  };
  // kind: bond, angle, dihedral or improper. style: its name in error texts
  BondedCoefficients(LAMMPS *, const char *kind, const char *style, std::vector<Column>);

  void allocate(int ntypes, int *&setflag);
  void set(int narg, char **arg, int *setflag);    // arguments of the command bond_coeff, angle_coeff, ...
  void write_restart(FILE *) const;
  void read_restart(FILE *);    // rank 0 reads for all ranks; values that are not allowed are an error
  void write_data(FILE *) const;
  void *extract(const char *name);    // array by type, or NULL

  // the values of now, which fix adapt may have changed
  ds_bonded_type of(int type) const;

 private:
  const std::string kind, user;
  const std::vector<Column> columns;
  int ntypes;
  std::vector<std::vector<double>> values;    // for each column and type, from 1 on

  std::string syntax() const;
  double value_of(const Column &, const char *word) const;
  void check(const Column &, double value, const std::string &word) const;
  void write_whole(FILE *, const std::vector<double> &) const;
};

}    // namespace LAMMPS_NS

#endif
