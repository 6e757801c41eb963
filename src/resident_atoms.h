/* -*- c++ -*- LAMMPS's atoms while they stay with the engine: which arrays are up to date where.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_RESIDENT_ATOMS_H
#define LMP_DPDSOP_RESIDENT_ATOMS_H

#include "pointers.h"

#include "atom_order.h"

#include "dpdsop/resident.h"

#include <vector>

namespace LAMMPS_NS {

class ResidentAtoms : protected Pointers {
 public:
  ResidentAtoms(class LAMMPS *, class EngineSession &);
  ~ResidentAtoms() override;
  ResidentAtoms(const ResidentAtoms &) = delete;
  ResidentAtoms &operator=(const ResidentAtoms &) = delete;

  void open(ds_pair *);    // does nothing if it is open with this pair style already
  void close();
  bool has_own_copies() const    // false: the engine works on LAMMPS's arrays
  {
    return resident && ds_resident_has_own_copies(resident);
  }
  bool is_open() const { return resident != nullptr; }
  void refer_to(const class StepProgram *p) { program = p; }    // the program whose styles have anchors and rigid bodies
  ds_resident *engine();    // knows where LAMMPS's arrays lie now
  ds_resident *bound_engine() const { return resident; }    // for what the engine calls: LAMMPS changes nothing meanwhile

  // Sets of fields (DS_POSITION ...). need_...() is called before fields are read there, and copies those that are out of date.
  // changed_...() is called after fields were changed there: they are out of date at the other place

  void need_on_host(int fields);
  void need_on_engine(int fields);
  void wait();    // until the engine has done all that was queued
  bool is_on_host(int fields) const { return (fields & ~on_host) == 0; }
  void changed_on_host(int fields);
  void changed_on_engine(int fields);
  bigint count_of_identities() const { return changes_of_identity; }    // how often types, masks and so on may have changed
  void give_bodies();     // gives rigid bodies to the engine
  void bring_bodies();    // brings them back if steps may have changed them
  void bring_kept();      // brings back what operations have kept in arrays of anchors; LAMMPS moves it with its atoms

  // Runs operations that add to bins, once and in this step, and returns what this rank has added. Errors belong to the given
  // session, and stop LAMMPS

  std::vector<ds_exact_sum> add_once(const struct StepRecords &, class EngineSession &with);

  // The engine can sort its atoms. LAMMPS's atoms follow when a field other than velocities is needed on the host. Until then
  // the pair style has to take their identity from the engine

  void sort(const ds_sort_bins &);
  AtomOrder order;    // of LAMMPS's atoms
  bool is_reordered() const { return reordered; }
  ds_identity identity();
  std::vector<int> get_order();    // for each atom of the engine, its index in LAMMPS's arrays
  static ds_array in_order(const ds_array &, const std::vector<int> &order, std::vector<char> &copy);    // a sorted copy
  void abandon_order();    // LAMMPS's atoms keep their order, as the run has ended with an error

  // To be called when LAMMPS has renumbered its atoms; and when lists have been rebuilt, to save the positions of the rebuild

  void renumbered();
  void save_rebuild_positions();
  void save_rebuild_fractions(const std::vector<double> &);    // the positions saved, as fractions of a tilted box
  bool has_rebuild_positions();    // positions are saved of as many atoms as there are now

  // From show_held() to show_present(), LAMMPS's arrays have the positions of the last rebuild

  void show_held();
  void show_held_fractions();    // the same positions as fractions of a tilted box
  void show_present();

 private:
  class EngineSession &session;
  const class StepProgram *program;
  ds_pair *pair;
  ds_resident *resident;
  ds_resident_atoms bound;           // LAMMPS's arrays, as the engine knows them
  std::vector<double> bound_mass;    // masses of types, as the engine knows them
  int on_host, on_engine;            // fields that are up to date there
  bigint changes_of_identity;
  bool bodies_moved;                 // since they were given to the engine or brought back
  bool kept_changed;                 // operations may have changed what they keep since it was brought back
  bool reordered;                    // the engine has sorted its atoms, and LAMMPS's have not followed
  std::vector<double> saved;         // present positions, between show_held() and show_present()

  bool check(ds_status);
  void follow();
};

}    // namespace LAMMPS_NS

#endif
