/* -*- c++ -*- Energies and virials of bonds, angles, dihedrals and impropers as LAMMPS's lists have them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BONDED_LISTS_H
#define LMP_DPDSOP_BONDED_LISTS_H

#include "dpdsop/resident.h"

#include <functional>

namespace LAMMPS_NS {
class LAMMPS;

namespace BondedLists {

// Is called for each term of one kind (DS_BONDS ...) that is not switched off, if the engine knows its style. `values` are
// energy and virial of the whole term, DS_TERM_SUMS numbers

using Visit = std::function<void(const int *member, int members, const double *values)>;
void for_terms(LAMMPS *, int kind, const Visit &);

// Sums of this rank. They are sums of integers with the bits of the engine's. Of styles that the engine does not know, they are
// what LAMMPS has tallied

ds_bonded_sums sums(LAMMPS *);

}    // namespace BondedLists
}    // namespace LAMMPS_NS

#endif
