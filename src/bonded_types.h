/* -*- c++ -*- Styles and coefficients of bonds, angles, dihedrals and impropers, as the engine takes them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BONDED_TYPES_H
#define LMP_DPDSOP_BONDED_TYPES_H

#include "dpdsop/resident.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {
class LAMMPS;

namespace BondedTypes {

// kind: DS_BONDS ...

bool exist(const LAMMPS *, int kind);    // there is a style

// The engine's number of the style that LAMMPS has. DS_BOND_STYLE_NONE: LAMMPS has none of this kind. -1: the engine does not
// know the style

int style_of(const LAMMPS *, int kind);
std::string why_not(LAMMPS *, int kind);    // why LAMMPS must make the forces; empty if it need not

// Coefficients by type, from 1 on. false: they cannot be read

bool read(const LAMMPS *, int kind, std::vector<ds_bonded_type> &);

// What LAMMPS has in the present step: numbers of types, lists (members, then the type), and where styles keep energy and
// virial

int members_of(int kind);
int number_of_types(const LAMMPS *, int kind);
int number_in_list(const LAMMPS *, int kind);
const int *const *list(const LAMMPS *, int kind);
void put_sum(LAMMPS *, int kind, const ds_bonded_sum &);
ds_bonded_sum take_sum(const LAMMPS *, int kind);

}    // namespace BondedTypes
}    // namespace LAMMPS_NS

#endif
