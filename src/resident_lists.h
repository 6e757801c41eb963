/* -*- c++ -*- When neighbor lists are rebuilt while atoms stay with the engine, who does it, and LAMMPS's ghosts.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS decides by its own rule. The engine rebuilds its lists and wraps atoms by itself, or LAMMPS does it with all atoms in its
   arrays (the plan says who). After the engine has done so, LAMMPS's ghosts and lists are stale until somebody asks for them. */

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
  void look_at_order();    // of atoms after a set-up
  bool knows_bins() const { return bins_known; }    // by which LAMMPS sorts, as far as that has shown
  double trigger2() const;

  // Lists have been made: by LAMMPS's set-up, which the engine's have to follow, or by the engine in a run of steps

  void begin_run();
  void made_by_setup();
  void save_rebuild_state();
  void made_by_engine(bool in_this_box = true);

  // In a step that LAMMPS takes part in

  bool are_due();
  bool flips_on_engine() const;    // the box, in the present step, and then all that LAMMPS does there
  void reneighbor();

  // LAMMPS's ghosts and lists, as run_style verlet has them in this step; at the end of a run; before what comes at the end of
  // its last step, if something does

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
  bool ghosts_left;     // they are as the run is to leave them
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
  void to_lengths(int n);    // of atoms in fractions of a tilted box, which are kept
  void save_rebuild_positions();

  std::vector<double> fractions;    // of own atoms, where LAMMPS has rebuilt
};

}    // namespace LAMMPS_NS

#endif
