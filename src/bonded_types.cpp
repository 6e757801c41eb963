/* Styles and coefficients of bonds and angles, as the engine has them.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "bonded_types.h"

#include "angle_gpu.h"
#include "bond_gpu.h"
#include "resident_plan.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "force.h"
#include "lammps.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   LAMMPS's bond style fene tells two of its four coefficients
------------------------------------------------------------------------- */

int BondedTypes::style_of_bonds(const LAMMPS *lmp)
{
  const Force *const force = lmp->force;
  if (!force->bond) return DS_BOND_STYLE_NONE;
  if (const auto *const ours = dynamic_cast<const BondGPU *>(force->bond)) return ours->engine_style;
  return strcmp(force->bond_style, "harmonic") == 0 ? DS_BOND_STYLE_HARMONIC : -1;
}

int BondedTypes::style_of_angles(const LAMMPS *lmp)
{
  const Force *const force = lmp->force;
  if (!force->angle) return DS_BOND_STYLE_NONE;
  if (const auto *const ours = dynamic_cast<const AngleGPU *>(force->angle)) return ours->engine_style;
  if (strcmp(force->angle_style, "harmonic") == 0) return DS_ANGLE_STYLE_HARMONIC;
  return strcmp(force->angle_style, "cosine") == 0 ? DS_ANGLE_STYLE_COSINE : -1;
}

static std::string is_lammps(void *lmp, const char *kind, const char *style)
{
  const std::string ours = ResidentPlan::resident_style(lmp, kind, style);
  return fmt::format("{} style {} is LAMMPS's{}", kind, style, ours.empty() ? "" : fmt::format("; {} would be resident", ours));
}

std::string BondedTypes::why_not_bonds(LAMMPS *lmp)
{
  return style_of_bonds(lmp) < 0 ? is_lammps(lmp, "bond", lmp->force->bond_style) : "";
}

std::string BondedTypes::why_not_angles(LAMMPS *lmp)
{
  return style_of_angles(lmp) < 0 ? is_lammps(lmp, "angle", lmp->force->angle_style) : "";
}

/* ---------------------------------------------------------------------- */

template <class Style>
static bool extract(Style *style, const char *name, int ntypes, std::vector<ds_bonded_type> &types,
                    double ds_bonded_type::*where)
{
  int dim = 0;
  const auto *values = static_cast<const double *>(style->extract(name, dim));
  if (!values || dim != 1) return false;
  for (int t = 1; t <= ntypes; t++) types[t].*where = values[t];
  return true;
}

bool BondedTypes::read_bonds(const LAMMPS *lmp, std::vector<ds_bonded_type> &types)
{
  Bond *const bond = lmp->force->bond;
  const int n = lmp->atom->nbondtypes;
  types.assign(n + 1, {});
  if (const auto *const ours = dynamic_cast<const BondGPU *>(bond))
    types = ours->types();
  else if (bond)
    return extract(bond, "k", n, types, &ds_bonded_type::k) && extract(bond, "r0", n, types, &ds_bonded_type::at);
  return true;
}

bool BondedTypes::read_angles(const LAMMPS *lmp, std::vector<ds_bonded_type> &types)
{
  Angle *const angle = lmp->force->angle;
  const int n = lmp->atom->nangletypes;
  types.assign(n + 1, {});
  if (const auto *const ours = dynamic_cast<const AngleGPU *>(angle)) {
    types = ours->types();
    return true;
  }
  if (angle && !extract(angle, "k", n, types, &ds_bonded_type::k)) return false;
  return style_of_angles(lmp) != DS_ANGLE_STYLE_HARMONIC || extract(angle, "theta0", n, types, &ds_bonded_type::at);
}
