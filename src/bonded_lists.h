/* -*- c++ -*- Energies and virials of bonds, angles, dihedrals and impropers as LAMMPS's lists have them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BONDED_LISTS_H
#define LMP_DPDSOP_BONDED_LISTS_H

#include "dpdsop/resident.h"

#include <functional>

namespace LAMMPS_NS {
class LAMMPS;

namespace BondedLists {

// Calls for each term of that kind (DS_BONDS ...) that is not switched off, of a style that the engine knows: with its members,
// and with energy and virial of the whole term, DS_TERM_SUMS numbers

using Visit = std::function<void(const int *member, int members, const double *values)>;
void for_terms(LAMMPS *, int kind, const Visit &);

// Of this rank: sums of integers, as the engine makes them, and so the same bits. Of kinds that the engine does not know, what
// LAMMPS's styles have tallied

ds_bonded_sums sums(LAMMPS *);

}    // namespace BondedLists
}    // namespace LAMMPS_NS

#endif
