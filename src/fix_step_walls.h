/* -*- c++ -*- What fixes with flat walls have in common: faces, places, units.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_FIX_STEP_WALLS_H
#define LMP_FIX_STEP_WALLS_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixStepWalls : public FixStep {
 public:
  FixStepWalls(class LAMMPS *, int, char **);
  void init() override;
  bool changes_in_run() const override;    // true also if the box changes

 protected:
  struct Wall {
    int axis, side;    // 0 x, 1 y, 2 z; -1 lower, 1 upper
    bool at_edge;      // the wall is at the edge of the box
    size_t place;      // else the index of its coordinate, for value()
  };
  std::vector<Wall> walls;
  bool in_periodic;    // keyword pbc

  bool take_face(const char *word, const char *place);    // false: the word is no face
  bool take_keyword(int &k, int narg, char **arg);        // units, pbc
  void finish();                                          // called when all arguments have been read
  double coordinate(const Wall &) const;                  // in the present step
  void set(ds_operation &, const Wall &) const;

 private:
  bool in_lattice;
  static const char *name(const Wall &);
  void check(const Wall &) const;
};

}    // namespace LAMMPS_NS

#endif
