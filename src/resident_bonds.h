/* -*- c++ -*- Bonds, angles, dihedrals and impropers of LAMMPS's atoms while they stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_RESIDENT_BONDS_H
#define LMP_DPDSOP_RESIDENT_BONDS_H

#include "pointers.h"

#include "resident_atoms.h"

#include <array>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class ResidentBonds : protected Pointers {
 public:
  ResidentBonds(class LAMMPS *, class EngineSession &, ResidentAtoms &);

  // Looks at styles and box. why_not() is empty where the engine can have them, if there are any

  void look(bool set_up);    // true: LAMMPS has just made its lists
  bool exist() const;
  const std::string &why_not() const { return reason; }
  void leave_to_lammps(const std::string &why);    // until look() finds another run
  static constexpr char TOO_NARROW[] = "the box is narrower than two ghost cutoffs";
  bool is_wide_enough(double margin = 1.0) const;    // also where edges were shorter by this factor
  const char *why_lost() const;                    // the engine could not make them

  // LAMMPS has numbered its atoms anew, or may have changed its lists. Then the engine gets them before it needs them

  void renumbered() { given = false; }
  bool are_given() const { return given; }
  bool give();    // false: an atom of a bond is missing, or a bond has been switched off

  // On several ranks LAMMPS rebuilds lists and has ghosts: the engine gets LAMMPS's own lists of terms, and the ghosts'
  // positions in each step

  bool have_ghosts() const;

  // Forces to those of the engine, and sums. false: LAMMPS has to make them

  bool add_forces(bigint step, bool want_sums);

  // Energies and virials of atoms, of a kind that is due in this step (DS_BONDS ...): all ranks together. The compute brings
  // those of ghosts to their owners

  void tally_atoms(int kind, class ComputeStressAtomGPU *);
  ds_bonded_sums *sums() { return &sum; }
  ds_bonded_sums made_last() const;    // of the forces that the engine made last, where sums were wanted
  void tally(const ds_bonded_sums &) const;    // to where LAMMPS has them

 private:
  class EngineSession &session;
  ResidentAtoms &atoms;
  std::string reason;
  bool given;
  ds_bonded_sums sum;
  std::vector<ds_bonded_type> types[DS_BONDED_KINDS];
  double unit;    // of exact sums, energy

  // Tags of owner and members, then the type, as many words as terms of the kind have; the first member of a bond is its owner

  static constexpr int MAX_WORDS = 6;
  using Term = std::array<tagint, MAX_WORDS>;
  using Terms = std::vector<Term>;
  Terms terms[DS_BONDED_KINDS];

  std::string look_at_styles() const;
  std::string look_at_box() const;
  void find_reach(double lengths[3]) const;
  bool read_types();
  bool are_same(const std::vector<ds_bonded_type> *types_before, const Terms *terms_before);    // also as they are now
  void collect_of(int atom, int kind);
  bool collect();
  std::vector<int> numbered(int kind, const std::vector<int> &places) const;
  bool take_lists(std::vector<int> *words) const;    // LAMMPS's; false: with terms switched off
  void send_ghosts();
  void return_forces();
};

}    // namespace LAMMPS_NS

#endif
