/* Energies and virials of bonds, angles, dihedrals and impropers as LAMMPS's lists have them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "bonded_lists.h"

#include "bonded_types.h"
#include "step_arrays.h"

#include "atom.h"
#include "force.h"
#include "lammps.h"

#include "dpdsop/device/step/exact_sum.h"
#include "dpdsop/device/torsion.h"

using namespace LAMMPS_NS;

static void vector_between(const double *const *x, int from, int to, double way[3])
{
  for (int d = 0; d < 3; d++) way[d] = x[to][d] - x[from][d];
}

/* ----------------------------------------------------------------------
   Energy and virial of one term, by the engine's functions
------------------------------------------------------------------------- */

static void make_values(const double *const *x, int kind, int engine_style, const ds_bonded_type &type, const int *member,
                        double values[DS_TERM_SUMS])
{
  double way[3][3];
  vector_between(x, member[1], member[0], way[0]);
  if (kind != DS_BONDS) vector_between(x, member[1], member[2], way[1]);
  if (kind == DS_BONDS)
    ds_bond_values(engine_style, &type, way[0], values);
  else if (kind == DS_ANGLES)
    ds_angle_values(engine_style, &type, way[0], way[1], values);
  else {
    vector_between(x, member[2], member[3], way[2]);
    ds_torsion_values(engine_style, &type, way, values);
  }
}

void BondedLists::for_terms(LAMMPS *lmp, int kind, const Visit &visit)
{
  const int members = BondedTypes::members_of(kind), engine_style = BondedTypes::style_of(lmp, kind);
  const int *const *const list = BondedTypes::list(lmp, kind);
  std::vector<ds_bonded_type> type;
  BondedTypes::read(lmp, kind, type);
  for (int k = 0; k < BondedTypes::number_in_list(lmp, kind); k++) {
    if (list[k][members] < 1) continue;
    double values[DS_TERM_SUMS];
    make_values(lmp->atom->x, kind, engine_style, type[list[k][members]], list[k], values);
    visit(list[k], members, values);
  }
}

/* ----------------------------------------------------------------------
   The part of a term that counts on this rank. With newton off, each rank counts a term
   for those of its members that it owns
------------------------------------------------------------------------- */

static double share_of(const LAMMPS *lmp, const int *member, int members)
{
  double share = 0.0;
  if (lmp->force->newton_bond) return 1.0;
  for (int m = 0; m < members; m++)
    if (member[m] < lmp->atom->nlocal) share += 1.0 / members;
  return share;
}

static ds_bonded_sum sum_of(LAMMPS *lmp, int kind)
{
  const double unit = StepArrays::units_of(lmp).energy;
  ds_exact_sum exact[DS_TERM_SUMS] = {};
  ds_bonded_sum sum;
  BondedLists::for_terms(lmp, kind, [lmp, unit, &exact](const int *member, int members, const double *values) {
    const double share = share_of(lmp, member, members);
    for (int k = 0; k < DS_TERM_SUMS && share > 0.0; k++) ds_exact_add_number(&exact[k], share * values[k], unit);
  });
  sum.energy = ds_exact_value(&exact[0], unit);
  for (int k = 0; k < 6; k++) sum.virial[k] = ds_exact_value(&exact[1 + k], unit);
  return sum;
}

ds_bonded_sums BondedLists::sums(LAMMPS *lmp)
{
  ds_bonded_sums all = {};
  ds_bonded_sum *const of_kind[DS_BONDED_KINDS] = {&all.bonds, &all.angles, &all.dihedrals, &all.impropers};
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    if (!BondedTypes::exist(lmp, kind)) continue;
    *of_kind[kind] = BondedTypes::why_not(lmp, kind).empty() ? sum_of(lmp, kind) : BondedTypes::take_sum(lmp, kind);
  }
  return all;
}
