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

  void open(ds_pair *);    // nothing happens if it is open with this one
  void close();
  bool has_own_copies() const
  {
    return resident && ds_resident_has_own_copies(resident);
  }    // from LAMMPS's arrays
  bool is_open() const { return resident != nullptr; }
  void refer_to(const class StepProgram *p) { program = p; }    // whose operations have anchors; nullptr: none has
  ds_resident *engine();    // with LAMMPS's arrays as they lie now

  // Sets of fields (DS_POSITION ...). Before somebody reads them in LAMMPS's arrays, or the engine does:
  // copied where they are out of date. After somebody has changed them: the others are out of date

  void need_on_host(int fields);
  void need_on_engine(int fields);
  void wait();    // for what the engine has been given to do
  bool is_on_host(int fields) const { return (fields & ~on_host) == 0; }
  void changed_on_host(int fields);
  void changed_on_engine(int fields);
  bigint count_of_identities() const { return changes_of_identity; }    // how often types, masks and so on may have changed
  void give_bodies();     // rigid ones, to the engine
  void bring_bodies();    // back, where steps may have changed them
  void bring_kept();    // what operations have kept in arrays of anchors

  // What operations that act once, in this step, have added to their bins, of this rank. Errors are those of this session, and
  // stop LAMMPS

  std::vector<ds_exact_sum> add_once(const struct StepRecords &, class EngineSession &with);

  // Sorted by the engine. LAMMPS's atoms follow where more than velocities is needed on the host; until then the pair has
  // to take tags, types and masks from the engine

  void sort(const ds_sort_bins &);
  AtomOrder order;    // of LAMMPS's, and the bins that it sorts by
  bool is_reordered() const { return reordered; }
  void identity(ds_array *tag, ds_array *type, ds_array *mask);
  std::vector<int> get_order();    // of each atom of the engine: where LAMMPS has it
  // an array of LAMMPS's, as the engine has its atoms
  static ds_array in_order(const ds_array &, const std::vector<int> &order, std::vector<char> &copy);
  void abandon_order();    // LAMMPS's atoms stay in theirs: the run has ended by an error

  // LAMMPS has renumbered its atoms; it has rebuilt its lists for positions as they are

  void renumbered();
  void save_rebuild_positions();
  void save_rebuild_fractions(const std::vector<double> &);    // of the positions saved
  bool has_rebuild_positions();    // positions of as many atoms as there are now

  // While positions in LAMMPS's arrays are those of the last rebuild

  void show_held();
  void show_held_fractions();    // instead of these positions, in a tilted box
  void show_present();

 private:
  class EngineSession &session;
  const class StepProgram *program;
  ds_pair *pair;
  ds_resident *resident;
  ds_resident_atoms bound;           // as the engine knows LAMMPS's arrays
  std::vector<double> bound_mass;    // and masses of types
  int on_host, on_engine;            // fields that are up to date
  bigint changes_of_identity;
  bool bodies_moved;                 // since they were given, or brought
  bool reordered;                    // by the engine, and LAMMPS's atoms have not followed
  std::vector<double> saved;         // positions, while those of the last rebuild are shown

  bool check(ds_status);
  void follow();
};

}    // namespace LAMMPS_NS

#endif
