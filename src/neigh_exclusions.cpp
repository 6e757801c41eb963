/* neigh_modify exclude and include, as rules for the engine's neighbor list.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "neigh_exclusions.h"

#include "group.h"
#include "neighbor.h"

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Reads the exclusions that commands have left in Neighbor. Its tables of types and its
   bits of groups are made when it is initialized, so they lack exclusions that were
   added since
------------------------------------------------------------------------- */

std::vector<ds_exclusion> LAMMPS_NS::neigh_exclusions(const Neighbor *neighbor, const Group *group)
{
  const int *const bit = group->bitmask;
  std::vector<ds_exclusion> rules;

  for (int k = 0; k < neighbor->nex_type; k++)
    rules.push_back({DS_EXCLUDE_TYPES, neighbor->ex1_type[k], neighbor->ex2_type[k]});
  for (int k = 0; k < neighbor->nex_group; k++)
    rules.push_back({DS_EXCLUDE_GROUPS, bit[neighbor->ex1_group[k]], bit[neighbor->ex2_group[k]]});
  for (int k = 0; k < neighbor->nex_mol; k++)
    rules.push_back(
        {neighbor->ex_mol_intra[k] ? DS_EXCLUDE_SAME_MOLECULE : DS_EXCLUDE_OTHER_MOLECULE,
         bit[neighbor->ex_mol_group[k]], 0});
  if (neighbor->includegroup)
    rules.push_back({DS_EXCLUDE_OUTSIDE_GROUP, bit[neighbor->includegroup], 0});
  return rules;
}
