/* -*- c++ -*- Molecule templates: LAMMPS's classes AtomVec and Molecule as far as the last member of use here, declared
   because LAMMPS does not install their headers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Members that are not used are replaced by arrays of their number: those of 4 Feb 2025 and 22 Jul 2025, and of 4 Jul 2026,
   whose class Molecule has more. If this file is compiled within a source tree of LAMMPS, LAMMPS's own headers are used. */

#ifndef LMP_DPDSOP_MOLECULE_ABI_H
#define LMP_DPDSOP_MOLECULE_ABI_H

#if __has_include("atom_vec.h") && __has_include("molecule.h")
#include "atom_vec.h"
#include "molecule.h"
#else

#include "pointers.h"

#include <string>

namespace LAMMPS_NS {

class AtomVec : protected Pointers {
 public:
  int of_style[23];            // molecular to size_data_bonus
  class Molecule **onemols;    // of atom_style template
};

class Molecule : protected Pointers {
#if DS_LAMMPS_VERSION >= 20260704
  enum { COUNTS = 36, FLAGS = 18, ARRAYS = 33 };
#else
  enum { COUNTS = 31, FLAGS = 12, ARRAYS = 27 };
#endif

 public:
  char *id;
  int nset, last;
  std::string title;
  int fileiarg, natoms;
  int counts[COUNTS];    // nbonds to nspecialflag
  int specialflag;
  int flags[FLAGS];        // shakeflag to tag_require
  void *arrays[ARRAYS];    // x to improper_atom4
  int **nspecial;
  tagint **special;
};

}    // namespace LAMMPS_NS

#endif
#endif
