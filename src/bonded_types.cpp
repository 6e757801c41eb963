/* Styles and coefficients of bonds, angles, dihedrals and impropers, as the engine takes them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "bonded_types.h"

#include "bonded_style.h"
#include "resident_plan.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "dihedral.h"
#include "force.h"
#include "improper.h"
#include "lammps.h"
#include "neighbor.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr const char *NAMES[DS_BONDED_KINDS] = {"bond", "angle", "dihedral", "improper"};

static const char *style_name(const Force *force, int kind)
{
  const char *const names[DS_BONDED_KINDS] = {force->bond_style, force->angle_style, force->dihedral_style,
                                              force->improper_style};
  return names[kind];
}

/* ----------------------------------------------------------------------
   Calls `visit` with the style of this kind that LAMMPS has, if there is one
------------------------------------------------------------------------- */

template <class Visit> static void with_style(const LAMMPS *lmp, int kind, Visit visit)
{
  Force *const force = lmp->force;
  if (kind == DS_BONDS && force->bond) visit(force->bond);
  if (kind == DS_ANGLES && force->angle) visit(force->angle);
  if (kind == DS_DIHEDRALS && force->dihedral) visit(force->dihedral);
  if (kind == DS_IMPROPERS && force->improper) visit(force->improper);
}

bool BondedTypes::exist(const LAMMPS *lmp, int kind)
{
  bool is_there = false;
  with_style(lmp, kind, [&is_there](auto *) { is_there = true; });
  return is_there;
}

/* ----------------------------------------------------------------------
   Styles of LAMMPS that the engine can do: those that publish all of their coefficients
------------------------------------------------------------------------- */

struct KnownStyle {
  int kind;
  const char *name;
  int style;
};

static constexpr KnownStyle KNOWN_STYLES[] = {
    {DS_BONDS, "harmonic", DS_BOND_STYLE_HARMONIC},
    {DS_ANGLES, "harmonic", DS_ANGLE_STYLE_HARMONIC},
    {DS_ANGLES, "cosine", DS_ANGLE_STYLE_COSINE},
};

static int style_by_name(const LAMMPS *lmp, int kind)
{
  const char *const name = style_name(lmp->force, kind);
  const auto *const found =
      std::find_if(std::begin(KNOWN_STYLES), std::end(KNOWN_STYLES),
                   [kind, name](const KnownStyle &known) { return known.kind == kind && strcmp(known.name, name) == 0; });
  return found == std::end(KNOWN_STYLES) ? -1 : found->style;
}

template <class Style> static const BondedStyle<Style> *as_ours(const Style *style)
{
  return dynamic_cast<const BondedStyle<Style> *>(style);
}

int BondedTypes::style_of(const LAMMPS *lmp, int kind)
{
  int found = DS_BOND_STYLE_NONE;
  with_style(lmp, kind, [lmp, kind, &found](auto *style) {
    const auto *const ours = as_ours(style);
    found = ours ? ours->engine_style : style_by_name(lmp, kind);
  });
  return found;
}

std::string BondedTypes::why_not(LAMMPS *lmp, int kind)
{
  if (style_of(lmp, kind) >= 0) return "";
  const char *const style = style_name(lmp->force, kind);
  const std::string ours = ResidentPlan::resident_style(lmp, NAMES[kind], style);
  return fmt::format("{} style {} is LAMMPS's{}", NAMES[kind], style,
                     ours.empty() ? "" : fmt::format("; {} would be resident", ours));
}

/* ---------------------------------------------------------------------- */

template <class Style>
static bool extract(Style *style, const char *name, std::vector<ds_bonded_type> &types, double ds_bonded_type::*where)
{
  int dim = 0;
  const auto *values = static_cast<const double *>(style->extract(name, dim));
  if (!values || dim != 1) return false;
  for (size_t t = 1; t < types.size(); t++) types[t].*where = values[t];
  return true;
}

template <class Style> static bool read_of_lammps(const LAMMPS *, Style *, std::vector<ds_bonded_type> &)
{
  return false;
}

static bool read_of_lammps(const LAMMPS *, Bond *bond, std::vector<ds_bonded_type> &types)
{
  return extract(bond, "k", types, &ds_bonded_type::k) && extract(bond, "r0", types, &ds_bonded_type::at);
}

static bool read_of_lammps(const LAMMPS *lmp, Angle *angle, std::vector<ds_bonded_type> &types)
{
  if (!extract(angle, "k", types, &ds_bonded_type::k)) return false;
  return BondedTypes::style_of(lmp, DS_ANGLES) != DS_ANGLE_STYLE_HARMONIC ||
         extract(angle, "theta0", types, &ds_bonded_type::at);
}

bool BondedTypes::read(const LAMMPS *lmp, int kind, std::vector<ds_bonded_type> &types)
{
  bool is_read = true;
  types.assign(number_of_types(lmp, kind) + 1, {});
  with_style(lmp, kind, [lmp, &types, &is_read](auto *style) {
    if (const auto *const ours = as_ours(style))
      types = ours->types();
    else
      is_read = read_of_lammps(lmp, style, types);
  });
  return is_read;
}

/* ---------------------------------------------------------------------- */

int BondedTypes::members_of(int kind)
{
  static constexpr int MEMBERS[DS_BONDED_KINDS] = {2, 3, 4, 4};
  return MEMBERS[kind];
}

int BondedTypes::number_of_types(const LAMMPS *lmp, int kind)
{
  const Atom *const atom = lmp->atom;
  const int numbers[DS_BONDED_KINDS] = {atom->nbondtypes, atom->nangletypes, atom->ndihedraltypes, atom->nimpropertypes};
  return numbers[kind];
}

int BondedTypes::number_in_list(const LAMMPS *lmp, int kind)
{
  const Neighbor *const n = lmp->neighbor;
  const int numbers[DS_BONDED_KINDS] = {n->nbondlist, n->nanglelist, n->ndihedrallist, n->nimproperlist};
  return numbers[kind];
}

const int *const *BondedTypes::list(const LAMMPS *lmp, int kind)
{
  const Neighbor *const n = lmp->neighbor;
  const int *const *const lists[DS_BONDED_KINDS] = {n->bondlist, n->anglelist, n->dihedrallist, n->improperlist};
  return lists[kind];
}

void BondedTypes::put_sum(LAMMPS *lmp, int kind, const ds_bonded_sum &sum)
{
  with_style(lmp, kind, [&sum](auto *style) {
    style->energy = sum.energy;
    std::copy(sum.virial, sum.virial + 6, style->virial);
  });
}

ds_bonded_sum BondedTypes::take_sum(const LAMMPS *lmp, int kind)
{
  ds_bonded_sum sum = {};
  with_style(lmp, kind, [&sum](auto *style) {
    sum.energy = style->energy;
    std::copy(style->virial, style->virial + 6, sum.virial);
  });
  return sum;
}
