/* -*- c++ -*- Bonds, angles, dihedrals and impropers of LAMMPS's atoms while they stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_RESIDENT_BONDS_H
#define LMP_DPDSOP_RESIDENT_BONDS_H

#include "pointers.h"

#include "resident_atoms.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class ResidentBonds : protected Pointers {
 public:
  ResidentBonds(class LAMMPS *, class EngineSession &, ResidentAtoms &);

  // Looks at styles and box. Afterwards why_not() tells why LAMMPS has to make bonded forces, and is empty if it need not

  void look(bool set_up);    // true: LAMMPS has just made its lists
  bool exist() const;
  const std::string &why_not() const { return reason; }
  void leave_to_lammps(const std::string &why);    // until look() finds another run
  static constexpr char TOO_NARROW[] = "the box is narrower than two ghost cutoffs";
  bool is_wide_enough(double margin = 1.0) const;    // also if edges became shorter by this factor
  const char *why_lost() const;                      // why the engine could not make forces

  // To be called when LAMMPS has renumbered atoms or may have changed its lists. The next give() then gives bonds anew

  void renumbered() { given = false; }
  bool are_given() const { return given; }
  bool give();    // false: an atom of a bond is missing, or a bond has been switched off

  // On several ranks LAMMPS rebuilds lists and makes ghosts. The engine then gets LAMMPS's lists of terms, and in each step the
  // positions of ghosts

  bool have_ghosts() const;

  // Adds bonded forces to the engine's forces, and makes sums. false: LAMMPS has to make these forces

  bool add_forces(bigint step, bool want_sums);

  // Tallies energies and virials of atoms for one kind of terms (DS_BONDS ...). All ranks call it together. The compute brings
  // parts of ghosts to their owners

  void tally_atoms(int kind, class ComputeStressAtomGPU *);
  ds_bonded_sums *sums() { return &sum; }
  ds_bonded_sums made_last() const;    // sums of the engine's last evaluation, if they were wanted
  void tally(const ds_bonded_sums &) const;    // puts them into LAMMPS's styles

 private:
  class EngineSession &session;
  ResidentAtoms &atoms;
  std::string reason;
  bool given;
  ds_bonded_sums sum;
  std::vector<ds_bonded_type> types[DS_BONDED_KINDS];
  double unit;    // energy unit of exact sums

  // Tags of owner and members, then the type. The owner of a bond is its first member, and stands there once

  std::vector<tagint> terms[DS_BONDED_KINDS];

  std::string look_at_styles() const;
  std::string look_at_box() const;
  void find_reach(double lengths[3]) const;
  bool read_types();
  bool have_new_types();
  bool are_same(const std::vector<ds_bonded_type> *types_before, const std::vector<tagint> *terms_before);    // as those of now
  void collect();
  bool number_terms(std::vector<int> *words) const;
  bool take_lists(std::vector<int> *words) const;    // of LAMMPS; false: some terms are switched off
  void send_ghosts();
  void return_forces();
};

}    // namespace LAMMPS_NS

#endif
