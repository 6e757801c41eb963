/* -*- c++ -*- Rebuilds of neighbor lists while atoms stay with the engine: when, by whom, and what becomes of LAMMPS's ghosts.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS's own rule decides when. ResidentPlan decides by whom: the engine rebuilds its lists and wraps atoms, or LAMMPS does,
   with all atoms in its arrays. After a rebuild by the engine, LAMMPS's ghosts and lists are stale until they are needed. */

#ifndef LMP_DPDSOP_RESIDENT_LISTS_H
#define LMP_DPDSOP_RESIDENT_LISTS_H

#include "pointers.h"

#include "changing_box.h"

#include <vector>

namespace LAMMPS_NS {

class ResidentLists : protected Pointers {
 public:
  ResidentLists(class LAMMPS *, const class ResidentPlan &);
  void belong_to(class EngineHandle *, class ResidentBonds *);

  ChangingBox box;
  void look_at_order();    // after a set-up: finds LAMMPS's bins, and whether atoms are sorted by them
  bool knows_bins() const { return bins_known; }    // atoms were sorted by the bins that were found
  double trigger2() const;

  // To be told when a run begins, and when lists have been made: by LAMMPS in a set-up, or by the engine in many steps. After a
  // set-up, save_rebuild_state() keeps the positions and the box of these lists

  void begin_run();
  void made_by_setup();
  void save_rebuild_state();
  void made_by_engine(bool in_this_box = true);

  // In a step in which LAMMPS takes part

  bool are_due();
  bool flips_on_engine() const;    // in the present step the engine flips the box
  void reneighbor();

  // LAMMPS's ghosts and lists. show_ghosts() makes them as run_style verlet has them in this step, end_run() as a run leaves
  // them. If something comes at the end of the last step, leave_ghosts_early() is called before it

  bool are_ghosts_stale() const { return ghosts_stale; }
  void show_ghosts();
  void end_run();
  void leave_ghosts_early();
  int fields_of_ghosts() const;

 private:
  const class ResidentPlan &plan;
  class EngineHandle *engine;
  class ResidentAtoms *atoms;
  class ResidentBonds *bonds;
  bool ghosts_stale;    // LAMMPS's ghosts and lists are of an earlier rebuild
  bool ghosts_left;     // ghosts are already those that the run leaves
  bool bins_known;

  bool far_enough();
  void flip_on_engine();
  void reneighbor_on_engine(int *outside);
  void reneighbor_with_lammps();
  bool some_outside();
  bool is_to_sort() const;
  void sort_on_engine();
  void sort_without_ghosts();
  void leave_ghosts();
  void to_lengths(int n);    // converts positions of n atoms from fractions of a tilted box, and saves those fractions
  void save_rebuild_positions();

  std::vector<double> fractions;    // of own atoms in the last rebuild by LAMMPS
};

}    // namespace LAMMPS_NS

#endif
