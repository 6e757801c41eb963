/* Bonds and angles of LAMMPS's atoms while they stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_bonds.h"

#include "bonded_types.h"
#include "engine_session.h"
#include "step_arrays.h"

#include "angle.h"
#include "atom.h"
#include "bond.h"
#include "comm.h"
#include "domain.h"
#include "force.h"
#include "neighbor.h"

#include "dpdsop/device/motion.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ResidentBonds::ResidentBonds(LAMMPS *lmp, EngineSession &session_in, ResidentAtoms &atoms_in) :
    Pointers(lmp), session(session_in), atoms(atoms_in), given(false), sum(), unit(1.0)
{
}

bool ResidentBonds::have_ghosts() const
{
  return comm->nprocs > 1;
}

bool ResidentBonds::exist() const
{
  return atom->molecular != Atom::ATOMIC && (force->bond || force->angle);
}

std::string ResidentBonds::look_at_styles() const
{
  if (atom->molecular != Atom::MOLECULAR) return "molecules are templates";
  if (force->dihedral || force->improper) return "there are dihedrals or impropers, too";
  const std::string why = BondedTypes::why_not_bonds(lmp);
  return why.empty() ? BondedTypes::why_not_angles(lmp) : why;
}

std::string ResidentBonds::look_at_box() const
{
  if (have_ghosts()) return "";
  if (comm->style != Comm::BRICK) return "the communication style is tiled";
  if (comm->mode != Comm::SINGLE) return "ghost cutoffs depend on types";
  return is_wide_enough() ? "" : TOO_NARROW;
}

/* ----------------------------------------------------------------------
   of the box as it is now
------------------------------------------------------------------------- */

void ResidentBonds::find_reach(double lengths[3]) const
{
  const double cutoff = std::max(neighbor->cutneighmax, comm->cutghostuser);
  for (int d = 0; d < 3; d++) lengths[d] = domain->triclinic ? cutoff : comm->cutghost[d];
}

bool ResidentBonds::is_wide_enough(double margin) const
{
  if (have_ghosts()) return true;
  const ds_wrap box = StepArrays::box_of(lmp);
  double lengths[3], reach[3];
  find_reach(lengths);
  ds_reach_in_box(&box, lengths, reach);
  for (int d = 0; d < 3; d++)
    if (box.periodic[d] && !(2.0 * margin * reach[d] < box.period[d])) return false;
  return true;
}

/* ----------------------------------------------------------------------
   once per run. Without a set-up lists stay from an earlier one. If something has
   changed, LAMMPS takes it, partly at once and partly when it rebuilds its lists
------------------------------------------------------------------------- */

static bool same(const std::vector<ds_bonded_type> &a, const std::vector<ds_bonded_type> &b)
{
  return a.size() == b.size() && memcmp(a.data(), b.data(), a.size() * sizeof(ds_bonded_type)) == 0;
}

template <class Terms> static Terms by_owner(Terms terms)
{
  using Term = typename Terms::value_type;
  std::stable_sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) { return a[0] < b[0]; });
  return terms;
}

void ResidentBonds::look(bool set_up)
{
  const std::vector<ds_bonded_type> bonds_before = bond_types, angles_before = angle_types;
  reason.clear();
  if (!exist()) return;
  reason = look_at_styles();
  if (reason.empty()) reason = look_at_box();
  const bool are_read = reason.empty() && BondedTypes::read_bonds(lmp, bond_types) && BondedTypes::read_angles(lmp, angle_types);
  if (reason.empty() && !are_read) reason = "their coefficients cannot be read";
  unit = StepArrays::units_of(lmp).energy;
  if (have_ghosts()) given = false;    // what LAMMPS's lists have since, counts when it rebuilds them
  if (set_up || have_ghosts() || !reason.empty()) return;
  const Terms<3> earlier_bonds = bonds;
  const Terms<5> earlier_angles = angles;
  if (!same(bond_types, bonds_before) || !same(angle_types, angles_before) || !collect() ||
      by_owner(bonds) != by_owner(earlier_bonds) || by_owner(angles) != by_owner(earlier_angles))
    reason = "some have changed without a set-up";
}

const char *ResidentBonds::why_lost() const
{
  return given ? "a fene bond is longer than LAMMPS allows without a warning"
               : "an atom of a bond is missing, or a bond has been switched off";
}

void ResidentBonds::leave_to_lammps(const std::string &why)
{
  reason = why;
}

/* ----------------------------------------------------------------------
   in the order of LAMMPS's own lists: atom by atom. Terms that have been
   switched off have no positive type. false: an atom of one is missing
------------------------------------------------------------------------- */

bool ResidentBonds::collect()
{
  bonds.clear();
  angles.clear();
  for (const int i : atoms.get_order()) {
    for (int m = 0; force->bond && m < atom->num_bond[i]; m++)
      if (atom->bond_type[i][m] > 0) bonds.push_back({atom->tag[i], atom->bond_atom[i][m], atom->bond_type[i][m]});
    for (int m = 0; force->angle && m < atom->num_angle[i]; m++)
      if (atom->angle_type[i][m] > 0)
        angles.push_back({atom->tag[i], atom->angle_atom1[i][m], atom->angle_atom2[i][m], atom->angle_atom3[i][m],
                          atom->angle_type[i][m]});
  }
  const auto is_here = [this](tagint tag) { return atom->map(tag) >= 0; };
  return std::all_of(bonds.begin(), bonds.end(), [is_here](const auto &t) { return is_here(t[1]); }) &&
         std::all_of(angles.begin(), angles.end(),
                     [is_here](const auto &t) { return std::all_of(t.begin() + 1, t.end() - 1, is_here); });
}

/* ----------------------------------------------------------------------
   members of terms by the engine's numbers of atoms, then the type
------------------------------------------------------------------------- */

template <class Terms> static std::vector<int> numbered(const Terms &terms, const std::vector<int> &places, Atom *atom)
{
  std::vector<int> words;
  words.reserve(terms.size() * std::tuple_size<typename Terms::value_type>::value);
  for (const auto &term : terms) {
    for (auto tag = term.begin(); tag + 1 != term.end(); ++tag) words.push_back(places[atom->map(*tag)]);
    words.push_back(static_cast<int>(term.back()));
  }
  return words;
}

/* ----------------------------------------------------------------------
   as LAMMPS computes them, with the ghosts that it has chosen. Terms that were switched
   off without a set-up are in its lists, too
------------------------------------------------------------------------- */

static bool has_switched_off(const std::vector<int> &terms, size_t size)
{
  for (size_t k = size - 1; k < terms.size(); k += size)
    if (terms[k] < 1) return true;
  return false;
}

bool ResidentBonds::take_lists(std::vector<int> &of_bonds, std::vector<int> &of_angles) const
{
  for (int n = 0; force->bond && n < neighbor->nbondlist; n++)
    of_bonds.insert(of_bonds.end(), neighbor->bondlist[n], neighbor->bondlist[n] + 3);
  for (int n = 0; force->angle && n < neighbor->nanglelist; n++) {
    const int *const term = neighbor->anglelist[n];
    of_angles.insert(of_angles.end(), {term[0], term[0], term[1], term[2], term[3]});
  }
  int off = has_switched_off(of_bonds, 3) || has_switched_off(of_angles, 5) ? 1 : 0, anywhere = 0;
  MPI_Allreduce(&off, &anywhere, 1, MPI_INT, MPI_MAX, world);
  return !anywhere;
}

/* ---------------------------------------------------------------------- */

bool ResidentBonds::give()
{
  if (!reason.empty()) return false;
  if (given) return true;
  std::vector<int> of_bonds, of_angles;
  if (!(have_ghosts() ? take_lists(of_bonds, of_angles) : collect())) return false;
  if (!have_ghosts()) {
    const std::vector<int> order = atoms.get_order();
    std::vector<int> places(order.size());
    for (size_t i = 0; i < order.size(); i++) places[order[i]] = static_cast<int>(i);
    of_bonds = numbered(bonds, places, atom);
    of_angles = numbered(angles, places, atom);
  }
  ds_bonded b = {};
  b.bonds = {BondedTypes::style_of_bonds(lmp), atom->nbondtypes, bond_types.data(), static_cast<int>(of_bonds.size() / 3),
             of_bonds.data()};
  b.angles = {BondedTypes::style_of_angles(lmp), atom->nangletypes, angle_types.data(), static_cast<int>(of_angles.size() / 5),
              of_angles.data()};
  b.shared = force->newton_bond;
  b.unit = unit;
  b.with_copies = have_ghosts() ? 1 : 0;
  b.ncopies = have_ghosts() ? atom->nghost : 0;
  find_reach(b.reach);
  const ds_wrap box = StepArrays::box_of(lmp);
  atoms.need_on_engine(DS_POSITION);
  if (session.working()) session.note(ds_resident_set_wrap(atoms.engine(), &box, session.error_text()));
  if (session.working())
    session.note(ds_resident_set_bonded(atoms.engine(), &b, session.error_text()));
  given = true;
  return true;
}

/* ---------------------------------------------------------------------- */

bool ResidentBonds::add_forces(bigint step, bool want_sums)
{
  if (!give()) return false;
  int theirs = 0;
  atoms.need_on_engine(DS_POSITION | DS_FORCE);
  send_ghosts();
  if (session.working())
    session.note(ds_resident_bonded_forces(atoms.engine(), step, want_sums ? &sum : nullptr,
                                           &theirs, session.error_text()));
  atoms.changed_on_engine(DS_FORCE);
  int anywhere = theirs;
  if (have_ghosts()) MPI_Allreduce(&theirs, &anywhere, 1, MPI_INT, MPI_MAX, world);
  if (!anywhere) return_forces();
  return !anywhere;
}

/* ---------------------------------------------------------------------- */

void ResidentBonds::send_ghosts()
{
  if (!have_ghosts() || !atom->nghost || !session.working()) return;
  session.note(ds_resident_set_copies(atoms.engine(), atom->x[atom->nlocal], session.error_text()));
}

/* ----------------------------------------------------------------------
   Forces on ghosts go to their owners in the order in which LAMMPS's reverse
   communication adds them. The pair style has left them as they were
------------------------------------------------------------------------- */

void ResidentBonds::return_forces()
{
  if (!have_ghosts() || !force->newton_bond) return;
  double *const f = atom->nghost ? atom->f[atom->nlocal] : nullptr;
  std::fill(f, f + 3 * static_cast<size_t>(atom->nghost), 0.0);
  if (session.working()) session.note(ds_resident_copy_forces(atoms.engine(), f, session.error_text()));
  atoms.need_on_host(DS_FORCE);
  comm->reverse_comm();
  atoms.changed_on_host(DS_FORCE);
}

void ResidentBonds::tally(const ds_bonded_sums &sum) const
{
  if (force->bond) {
    force->bond->energy = sum.bonds.energy;
    std::copy(sum.bonds.virial, sum.bonds.virial + 6, force->bond->virial);
  }
  if (force->angle) {
    force->angle->energy = sum.angles.energy;
    std::copy(sum.angles.virial, sum.angles.virial + 6, force->angle->virial);
  }
}
