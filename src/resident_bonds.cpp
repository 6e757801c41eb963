/* Bonds, angles, dihedrals and impropers of LAMMPS's atoms while they stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_bonds.h"

#include "bonded_types.h"
#include "compute_stress_atom_gpu.h"
#include "engine_session.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "force.h"
#include "neighbor.h"
#include "update.h"

#include "dpdsop/device/motion.h"
#include "dpdsop/tally.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

static int words_of(int kind)    // number of words in a term: owner, members and type
{
  static constexpr int WORDS[DS_BONDED_KINDS] = {3, 5, 6, 6};
  return WORDS[kind];
}

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
  bool any = false;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) any = any || BondedTypes::exist(lmp, kind);
  return atom->molecular != Atom::ATOMIC && any;
}

std::string ResidentBonds::look_at_styles() const
{
  if (atom->molecular != Atom::MOLECULAR) return "molecules are templates";
  std::string why;
  for (int kind = 0; kind < DS_BONDED_KINDS && why.empty(); kind++) why = BondedTypes::why_not(lmp, kind);
  return why;
}

std::string ResidentBonds::look_at_box() const
{
  if (have_ghosts()) return "";
  if (comm->style != Comm::BRICK) return "the communication style is tiled";
  if (comm->mode != Comm::SINGLE) return "ghost cutoffs depend on types";
  return is_wide_enough() ? "" : TOO_NARROW;
}

/* ----------------------------------------------------------------------
   The range of ghosts in the present box
------------------------------------------------------------------------- */

void ResidentBonds::find_reach(double lengths[3]) const
{
  const double cutoff = std::max(neighbor->cutneighmax, comm->cutghostuser);
  for (int d = 0; d < 3; d++) lengths[d] = domain->triclinic ? cutoff : comm->cutghost[d];
  if (domain->dimension == 2) lengths[2] = -domain->zprd;    // atoms have no images along z
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
   Called once per run. Without a set-up, LAMMPS goes on with earlier lists. Of changes
   since then it sees some at once and others in its next rebuild. So if bonds have
   changed without a set-up, they are left to LAMMPS
------------------------------------------------------------------------- */

static bool same(const std::vector<ds_bonded_type> &a, const std::vector<ds_bonded_type> &b)
{
  return a.size() == b.size() && memcmp(a.data(), b.data(), a.size() * sizeof(ds_bonded_type)) == 0;
}

/* ----------------------------------------------------------------------
   Terms one by one, in the order of their owners
------------------------------------------------------------------------- */

using Term = std::array<tagint, 6>;

static std::vector<Term> by_owner(const std::vector<tagint> &words, int size)
{
  std::vector<Term> terms(words.size() / size);
  for (size_t k = 0; k < terms.size(); k++) {
    terms[k].fill(0);
    std::copy_n(words.begin() + k * size, size, terms[k].begin());
  }
  std::stable_sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) { return a[0] < b[0]; });
  return terms;
}

void ResidentBonds::look(bool set_up)
{
  std::vector<ds_bonded_type> types_before[DS_BONDED_KINDS];
  std::copy_n(types, static_cast<int>(DS_BONDED_KINDS), types_before);
  reason.clear();
  if (!exist()) return;
  reason = look_at_styles();
  if (reason.empty()) reason = look_at_box();
  if (reason.empty() && !read_types()) reason = "their coefficients cannot be read";
  unit = StepArrays::units_of(lmp).energy;
  if (have_ghosts()) given = false;    // LAMMPS's lists may have changed
  if (set_up || have_ghosts() || !reason.empty()) return;
  std::vector<tagint> terms_before[DS_BONDED_KINDS];
  std::copy_n(terms, static_cast<int>(DS_BONDED_KINDS), terms_before);
  collect();
  if (!are_same(types_before, terms_before)) reason = "some have changed without a set-up";
}

bool ResidentBonds::read_types()
{
  bool are_read = true;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) are_read = are_read && BondedTypes::read(lmp, kind, types[kind]);
  return are_read;
}

/* ----------------------------------------------------------------------
   Whether coefficients have changed, as fix adapt does it
------------------------------------------------------------------------- */

bool ResidentBonds::have_new_types()
{
  std::vector<ds_bonded_type> before[DS_BONDED_KINDS];
  std::copy_n(types, static_cast<int>(DS_BONDED_KINDS), before);
  return read_types() && !std::equal(types, types + DS_BONDED_KINDS, before, same);
}

bool ResidentBonds::are_same(const std::vector<ds_bonded_type> *types_before, const std::vector<tagint> *terms_before)
{
  bool all = true;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++)
    all = all && same(types[kind], types_before[kind]) &&
        by_owner(terms[kind], words_of(kind)) == by_owner(terms_before[kind], words_of(kind));
  return all;
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
   Collects terms in the order of LAMMPS's lists, atom by atom. Terms that are switched
   off have a type <= 0, and are left out
------------------------------------------------------------------------- */

namespace {
struct OwnedTerms {
  const int *number;                    // by atom
  const tagint *const *member[4];       // by atom and term; a bond has the one that is not its owner
  const int *const *type;
};

OwnedTerms owned_terms(const Atom *atom, int kind)
{
  switch (kind) {
    case DS_BONDS: return {atom->num_bond, {atom->bond_atom}, atom->bond_type};
    case DS_ANGLES:
      return {atom->num_angle, {atom->angle_atom1, atom->angle_atom2, atom->angle_atom3}, atom->angle_type};
    case DS_DIHEDRALS:
      return {atom->num_dihedral,
              {atom->dihedral_atom1, atom->dihedral_atom2, atom->dihedral_atom3, atom->dihedral_atom4},
              atom->dihedral_type};
    default:
      return {atom->num_improper,
              {atom->improper_atom1, atom->improper_atom2, atom->improper_atom3, atom->improper_atom4},
              atom->improper_type};
  }
}
}    // namespace

void ResidentBonds::collect()
{
  const std::vector<int> order = atoms.get_order();
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    terms[kind].clear();
    if (!BondedTypes::exist(lmp, kind)) continue;
    const OwnedTerms owned = owned_terms(atom, kind);
    const int members = words_of(kind) - 2;
    for (const int i : order)
      for (int m = 0; m < owned.number[i]; m++) {
        if (owned.type[i][m] <= 0) continue;
        terms[kind].push_back(atom->tag[i]);
        for (int d = 0; d < members; d++) terms[kind].push_back(owned.member[d][i][m]);
        terms[kind].push_back(owned.type[i][m]);
      }
  }
}

/* ----------------------------------------------------------------------
   Terms with the engine's numbers of atoms, then the type. false: an atom is missing.
   LAMMPS's map, a hash for more than a million atoms, would be slower than a table
------------------------------------------------------------------------- */

bool ResidentBonds::number_terms(std::vector<int> *words) const
{
  static constexpr bigint SPARSE = 16;    // entries of the table per atom, at most
  const std::vector<int> order = atoms.get_order();
  const auto n = static_cast<tagint>(order.size());
  const tagint last = n ? *std::max_element(atom->tag, atom->tag + n) : 0;
  const bool has_table = last <= SPARSE * static_cast<bigint>(n);
  std::vector<int> places(has_table ? last + 1 : n, -1);    // by tag, or by LAMMPS's number
  for (tagint k = 0; k < n; k++) places[has_table ? atom->tag[order[k]] : order[k]] = static_cast<int>(k);
  const auto place_of = [&](tagint tag) {
    const tagint at = has_table ? tag : atom->map(tag);
    return at < 0 || at >= static_cast<tagint>(places.size()) ? -1 : places[at];
  };
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const int size = words_of(kind);
    words[kind].resize(terms[kind].size());
    int *to = words[kind].data();
    for (auto term = terms[kind].begin(); term != terms[kind].end(); term += size, to += size) {
      for (int m = 0; m < size - 1; m++) {
        to[m] = place_of(term[m]);
        if (to[m] < 0) return false;
      }
      to[size - 1] = static_cast<int>(term[size - 1]);
    }
  }
  return true;
}

/* ----------------------------------------------------------------------
   Takes LAMMPS's lists, which name the ghosts that LAMMPS has chosen. Terms that were
   switched off without a set-up are still in these lists: then this returns false
------------------------------------------------------------------------- */

bool ResidentBonds::take_lists(std::vector<int> *words) const
{
  int off = 0, anywhere = 0;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    if (!BondedTypes::exist(lmp, kind)) continue;
    const int members = words_of(kind) - (kind == DS_BONDS ? 1 : 2);
    const int *const *const list = BondedTypes::list(lmp, kind);
    for (int n = 0; n < BondedTypes::number_in_list(lmp, kind); n++) {
      if (kind != DS_BONDS) words[kind].push_back(list[n][0]);
      words[kind].insert(words[kind].end(), list[n], list[n] + members + 1);
      off = off || list[n][members] < 1;
    }
  }
  MPI_Allreduce(&off, &anywhere, 1, MPI_INT, MPI_MAX, world);
  return !anywhere;
}

/* ---------------------------------------------------------------------- */

bool ResidentBonds::give()
{
  if (!reason.empty()) return false;
  const bool have_changed = have_new_types();
  if (given && !have_changed) return true;
  std::vector<int> words[DS_BONDED_KINDS];
  if (!have_ghosts()) collect();
  if (!(have_ghosts() ? take_lists(words) : number_terms(words))) return false;
  ds_bonded b = {};
  ds_terms *const given_terms[DS_BONDED_KINDS] = {&b.bonds, &b.angles, &b.dihedrals, &b.impropers};
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++)
    *given_terms[kind] = {BondedTypes::style_of(lmp, kind), BondedTypes::number_of_types(lmp, kind), types[kind].data(),
                          static_cast<int>(words[kind].size() / words_of(kind)), words[kind].data()};
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
   Forces on ghosts return to their owners by LAMMPS's reverse communication, which adds
   them in a fixed order. The pair style does not write forces of ghosts
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

void ResidentBonds::tally_atoms(int kind, ComputeStressAtomGPU *compute)
{
  const auto of = static_cast<ds_bonded_kind>(kind);
  ds_exact_sum *const of_ghosts = compute->sums_of_ghosts();
  if (session.working())
    session.note(ds_resident_sums_of_copies(atoms.engine(), update->ntimestep, of, of_ghosts, session.error_text()));
  const ds_exact_sum *const returned = compute->return_sums();
  if (session.working())
    session.note(ds_resident_tally_with(atoms.engine(), update->ntimestep, of, returned, session.error_text()));
}

ds_bonded_sums ResidentBonds::made_last() const
{
  ds_bonded_sums made = {};
  if (session.working()) ds_resident_bonded_sums(atoms.engine(), &made);
  return made;
}

void ResidentBonds::tally(const ds_bonded_sums &sum) const
{
  BondedTypes::put_sum(lmp, DS_BONDS, sum.bonds);
  BondedTypes::put_sum(lmp, DS_ANGLES, sum.angles);
  BondedTypes::put_sum(lmp, DS_DIHEDRALS, sum.dihedrals);
  BondedTypes::put_sum(lmp, DS_IMPROPERS, sum.impropers);
}
