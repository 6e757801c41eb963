/* -*- c++ -*- neigh_modify exclude and include, as rules for the engine's neighbor list.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_NEIGH_EXCLUSIONS_H
#define LMP_DPDSOP_NEIGH_EXCLUSIONS_H

#include "dpdsop/pair.h"

#include <vector>

namespace LAMMPS_NS {

std::vector<ds_exclusion> neigh_exclusions(const class Neighbor *, const class Group *);

}    // namespace LAMMPS_NS

#endif
