/* -*- c++ -*- Coefficients of bond, angle, dihedral and improper styles of this package: their commands, files and restart records, which
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
  static constexpr double PI = 3.14159265358979323846, DEGREE = PI / 180.0;

  struct Column {
    const char *name;                 // by which LAMMPS's fix adapt asks for it, too
    double ds_bonded_type::*where;    // NULL: the engine has no use for it
    double unit;                      // of a number in commands and data files
    bool whole = false;               // an integer, in restart files, too
    bool (*allows)(double) = nullptr;
    const char *allowed = nullptr;    // what that is, in words
  };
  // kind: bond, angle, dihedral or improper; style: as error texts name it
  BondedCoefficients(LAMMPS *, const char *kind, const char *style, std::vector<Column>);

  void allocate(int ntypes, int *&setflag);
  void set(int narg, char **arg, int *setflag);    // arguments of bond_coeff and so on
  void write_restart(FILE *) const;
  void read_restart(FILE *);    // of rank 0, for all; an error if it has what is not allowed
  bool take_record(FILE *);     // of this rank, whatever it has; false: it ends too early
  void write_data(FILE *) const;
  void *extract(const char *name);    // an array by type, or NULL

  // as the engine wants it. Fix adapt may have changed it
  ds_bonded_type of(int type) const;

 private:
  const std::string kind, user;
  const std::vector<Column> columns;
  int ntypes;
  std::vector<std::vector<double>> values;    // of each column, by type from 1 on

  std::string syntax() const;
  double value_of(const Column &, const char *word) const;
  void check(const Column &, double value, const std::string &word) const;
  void write_whole(FILE *, const std::vector<double> &) const;
};

}    // namespace LAMMPS_NS

#endif
